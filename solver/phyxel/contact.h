// SPDX-License-Identifier: GPL-3.0-or-later
// Contact by projection: a velocity that would take a point into an obstacle within the step is changed so that the
// point ends on the surface, with Coulomb friction of what that took. Forces of a penalty leave points inside or blow
// up; this never does.
#pragma once

#include "quaver/math.h"

/// depth: distance of the predicted position from the surface minus the margin, negative inside. normal: unit, out of
/// the obstacle. velocity: relative to the obstacle.
static inline qvVec3 qvProjectVelocity(qvVec3 velocity, double depth, qvVec3 normal, double friction, double dt)
{
    if (!(depth < 0.0))
        return velocity;
    double push = -depth / dt, along = qvDot(velocity, normal);
    qvVec3 tangential = qvMulAdd(velocity, -along, normal);
    double speed = qvLength(tangential);
    if (speed > 0.0)
        tangential = qvScale(fmax(0.0, 1.0 - friction * push / speed), tangential);
    return qvMulAdd(tangential, along + push, normal);
}
