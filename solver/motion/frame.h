// SPDX-License-Identifier: GPL-3.0-or-later
// The rigid part of a motion: which rigid motion a pose contains, and a path through rigid poses that is C2 in
// translation and rotation. A rigid pose takes x to rotation (x - pivot) + position; the pivot is the caller's.
#pragma once

#include "motion/sides.h"
#include "quaver/math.h"
#include "quaver/result.h"

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

typedef struct qvFrameKnot
{
    qvKnot knot;
    qvRigid pose;
    int turns;          // whole extra turns on the way to this knot
    double given[2][6]; // velocities before and after where the knot's sides give them: pivot (world), spin (body)
    bool flight;        // gravity acts on the segment that arrives here when nothing else does
    double softness;    // 0: the path passes through the pose; else one over the weight kappa of its squared distance
} qvFrameKnot;

typedef struct qvFramePathDef
{
    int count; // at least 1
    const qvFrameKnot* knots;
    double period;     // above 0: a loop
    qvVec3 gravity;    // of flights
    double ringLambda; // how the frame comes to rest after the last knot: squared angular frequency, 1/s^2
    double ringDelta;  // and damping rate, 1/s
} qvFramePathDef;

typedef struct qvFramePath qvFramePath;

QV_CHECKED qvResult qvCreateFramePath(const qvFramePathDef* def, qvFramePath** path, qvError* error);
void qvDestroyFramePath(qvFramePath* path); // NULL is allowed

/// Where the body is at a knot: its pose, or where a soft one ends up.
qvRigid qvFramePath_Pose(const qvFramePath* path, int knot);

qvRigidState qvFramePath_Evaluate(const qvFramePath* path, double time);

/// x -> outer(inner(x)) for an inner pose whose result is seen about the outer one's pivot.
qvRigidState qvComposeRigid(const qvRigidState* outer, qvVec3 outerPivot, const qvRigidState* inner);
