// SPDX-License-Identifier: GPL-3.0-or-later
// Rigid poses, and which one a cloud of points contains. A rigid pose takes x to rotation (x - pivot) + position; the
// pivot is the caller's.
#pragma once

#include "quaver/math.h"

typedef struct qvRigid
{
    qvQuat rotation; // unit length
    qvVec3 position; // of the pivot
} qvRigid;

/// Mass centre of count points (3 doubles each).
qvVec3 qvMassCenter(int count, const double* masses, const double* points);

/// The rigid motion about the rest shape's mass centre that brings it nearest to the pose, weighted by mass. Always a
/// proper rotation; of several that are equally near (points on a line, or all in one place) the least turn.
qvRigid qvFitRigid(int count, const double* masses, const double* rest, const double* pose);

/// The same from sums: moment[3 i + j] = sum of mass (rest - from)_i (pose - to)_j over all points.
qvRigid qvFitMoment(const double moment[9], qvVec3 to);

/// Velocity of the pivot (world) and angular velocity (body axes) of a rigid pose, each with its derivative.
typedef struct qvRigidState
{
    qvRigid pose;
    qvVec3 velocity, acceleration; // of the pivot, in the world
    qvVec3 spin, spinRate;         // angular velocity and acceleration in the body's axes
} qvRigidState;

/// x -> outer(inner(x)) for an inner pose whose result is seen about the outer one's pivot.
qvRigidState qvComposeRigid(const qvRigidState* outer, qvVec3 outerPivot, const qvRigidState* inner);
