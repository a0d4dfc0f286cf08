// SPDX-License-Identifier: GPL-3.0-or-later
// A piece of a path through rigid poses.
#pragma once

#include "math/rigid.h"

enum
{
    qv_rigidRow = 6, // three of the pivot (world), three of the rotation (body axes)
};

/// A piece of a path: exp(whole turns, at constant speed) exp(r(t)) with quintics for r(t) and for the position.
typedef struct qvRigidSegment
{
    double length;                // seconds
    qvVec3 spin;                  // whole turns per second, times 2 pi, about their axis
    double shape[qv_rigidRow][6]; // coefficients of powers of the time since the start; rotations: r(t)
} qvRigidSegment;

/// Finds the shape, for the segment's length and spin: from one place to another and by a turn (a rotation vector in
/// body axes, beyond the whole turns), with the given velocities and accelerations, rows of six, at its start and end.
void qvShapeRigidSegment(qvRigidSegment* segment, qvVec3 from, qvVec3 to, qvVec3 turn, const double* velocity[2],
                         const double* acceleration[2]);

/// Where it is, t seconds after its start from a rotation.
qvRigidState qvRigidSegment_Evaluate(const qvRigidSegment* segment, qvQuat start, double t);

/// At rest at a pose.
qvRigidState qvRigidState_AtRest(const qvRigid* pose);
