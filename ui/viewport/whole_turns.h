// SPDX-License-Identifier: GPL-3.0-or-later
/// How often a body goes round on the way from one key to the next when it is turned by hand: a rotation alone does not
/// say it, the way that it was turned does.
#pragma once

#include "quaver/math.h"

typedef struct qvuiTurned
{
    qvQuat rotation; ///< unit length
    int turns;       ///< whole extra turns about the axis from the key before to this one
} qvuiTurned;

/// What a key can keep of whole turns (transform.turns), radians.
extern const double qvuiLargestTurn;

/// Turns a key by an angle (radians, at most qvuiLargestTurn either way) about an axis of the world. from: rotation of
/// the key before it; key: as it was.
qvuiTurned qvuiTurnFurther(qvQuat from, qvuiTurned key, qvVec3 axis, double angle);
