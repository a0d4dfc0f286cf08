// SPDX-License-Identifier: GPL-3.0-or-later
// Keys over a clip: their poses are offsets from it, kept in the frames that it carries along.
#pragma once

#include "quaver/base_motion.h"
#include "quaver/take.h"

/// The clip that moves a body below its keys; false: there is none.
bool qvScene_ClipBase(const qvScene* scene, const qvBody* body, qvRigBase* base);
