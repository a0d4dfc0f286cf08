// SPDX-License-Identifier: GPL-3.0-or-later
// A path through rigid keys, C2 in translation and rotation.
#pragma once

#include "math/rigid_segment.h"
#include "quaver/result.h"

typedef struct qvRigidPath qvRigidPath;

/// Passes through each pose at its time (ascending, no two the same; at least one). period above 0: repeats, and all
/// times lie within one period; else it starts and ends without velocity and holds outside.
QV_CHECKED qvResult qvCreateRigidPath(const double* times, const qvRigid* poses, int count, double period,
                                      qvRigidPath** path, qvError* error);
void qvDestroyRigidPath(qvRigidPath* path); ///< NULL is allowed

qvRigidState qvRigidPath_Evaluate(const qvRigidPath* path, double time);
