// SPDX-License-Identifier: GPL-3.0-or-later
// Keys over a clip: their poses are offsets from it, kept in the frames that it carries along.
#pragma once

#include "quaver/base_motion.h"
#include "quaver/take.h"

/// The clip that moves a body below its keys; false: there is none.
bool qvScene_ClipBase(const qvScene* scene, const qvBody* body, qvRigBase* base);

/// Where offsets from a motion are at a time: its points, and on them those of a pose less those at rest, turned along.
/// points holds the pose and gets the result; work has as many entries, scratch what the motion needs.
void qvAddOffsets(const qvBaseMotion* below, const qvVec3f* rest, double time, void* scratch, qvPool* pool,
                  qvVec3f* work, qvVec3f* points);
/// The other way.
void qvRemoveOffsets(const qvBaseMotion* below, const qvVec3f* rest, double time, void* scratch, qvVec3f* work,
                     qvVec3f* points);
