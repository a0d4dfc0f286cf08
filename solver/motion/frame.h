// SPDX-License-Identifier: GPL-3.0-or-later
// The rigid part of a motion: a path through rigid poses that is C2 in translation and rotation.
#pragma once

#include "math/rigid.h"
#include "motion/sides.h"
#include "quaver/math.h"
#include "quaver/result.h"

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
