// SPDX-License-Identifier: GPL-3.0-or-later
// Vertices that phyxels carry along: the displacement approach of the paper (section 5.1, equation 27) with weights
// that are kept while the reference stays. In positions instead of displacements,
//
//     x_s' = sum_i w_i (y_i + J_i (x_s - x_i)),   w_i proportional to exp(-|x_s - x_i|^2 / h_s^2), h_s = 2 spacings
//
// which is exact for affine motion. What a pose has beyond that (the residual) turns with the body around it, so that a
// simulation starts exactly on the pose that it takes over.
#pragma once

#include "quaver/job.h"
#include "quaver/mat3.h"
#include "quaver/result.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct qvPhyxelSurface qvPhyxelSurface;

/// The phyxels that carry vertices, in the reference shape.
typedef struct qvPhyxelCarriers
{
    int count;
    const qvVec3* points;
    const int32_t*
        parts; ///< a vertex goes with the part of the phyxel nearest to it alone, not with one that touches it
    double spacing;
} qvPhyxelCarriers;

/// Vertices in the reference shape. Arrays are not kept.
QV_CHECKED qvResult qvCreatePhyxelSurface(const qvPhyxelCarriers* carriers, int vertexCount, const qvVec3* vertices,
                                          qvPhyxelSurface** surface, qvError* error);
void qvDestroyPhyxelSurface(qvPhyxelSurface* surface); ///< NULL is allowed

/// Where the vertices are when the phyxels are there, with J of each (qvPhyxelState_Points, _Deformation).
void qvPhyxelSurface_Carry(const qvPhyxelSurface* surface, const qvVec3* phyxels, const qvMat3* gradients, qvPool* pool,
                           qvVec3* vertices);

/// From now on vertices are exactly those given when the phyxels are as given.
QV_CHECKED qvResult qvPhyxelSurface_StartFrom(qvPhyxelSurface* surface, const qvVec3* phyxels, const qvMat3* gradients,
                                              const qvVec3* vertices, qvError* error);
