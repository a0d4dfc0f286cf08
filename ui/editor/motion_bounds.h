// SPDX-License-Identifier: GPL-3.0-or-later
/// The room that a motion takes, for the camera.
#pragma once

#include "ui/editor/session.h"

/// A box around the body at all times; before there is a motion around what is shown and the places of the keys. Empty
/// (lower above upper) without a body.
qvBox qvuiSession_MotionBounds(const qvuiSession* session);
