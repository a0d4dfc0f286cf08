// SPDX-License-Identifier: GPL-3.0-or-later
// From a surface's motion to that of the phyxels inside: each phyxel takes the affine map that fits the vertices around
// it best (moving least squares, weighed by their areas), which is linear in the vertices' positions. Poses and
// velocities are handed to a simulation by it, and pinned phyxels follow by it.
#pragma once

#include "quaver/job.h"
#include "quaver/math.h"
#include "quaver/result.h"

#include <stdint.h>

/// Immutable, one owner.
typedef struct qvPhyxelPose qvPhyxelPose;

/// Phyxels and vertices at rest; areas of the vertices, positive. spacing: of the phyxels.
QV_CHECKED qvResult qvCreatePhyxelPose(int phyxelCount, const qvVec3* phyxels, double spacing, int vertexCount,
                                       const qvVec3* vertices, const double* areas, const qvJob* job,
                                       qvPhyxelPose** pose, qvError* error);
void qvDestroyPhyxelPose(qvPhyxelPose* pose); ///< NULL is allowed

/// Phyxels of moved vertices; of velocities the velocities.
void qvPhyxelPose_Apply(const qvPhyxelPose* pose, const qvVec3* vertices, qvVec3* phyxels);
