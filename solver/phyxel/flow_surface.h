// SPDX-License-Identifier: GPL-3.0-or-later
// The surface of a body that tears, drips and merges: one closed mesh at any moment, from where the phyxels and the
// carried vertices are then. The carried mesh has the detail, and plays the part of the paper's surface elements
// (section 5.2) wherever the body still hangs together as it did; a field of blobs around the phyxels takes over where
// it does not:
//
//     phi = (1 - beta) phi_detail + beta phi_blob        negative inside
//     phi_detail   signed distance of the carried mesh, within a narrow band
//     phi_blob     |sum_i w_i (x_i - x)| / sum_i w_i - r,   w_i = (1 - |x - x_i|^2 / (2 spacings)^2)^3
//     beta         0 where nothing has torn, 1 where phyxels have lost or found neighbours or the mesh is stretched far
//
// What phyxels have to do with beta never becomes less, or the surface would pop back to details that had gone: it is
// kept from moment to moment as the phyxels' tears.
//
// r is chosen so that at rest the blobs have the body's volume. The mesh is the level set phi = 0 on tetrahedra
// (A. Doi, A. Koide, "An efficient method of triangulating equi-valued surfaces by using tetrahedral cells", 1991): it
// is closed and a 2-manifold whatever phi is. Where beta is 0 everywhere the body's own mesh is to be used.
#pragma once

#include "quaver/job.h"
#include "quaver/mesh.h"
#include "quaver/obstacle.h"

#include "phyxel/body.h"

typedef struct qvFlowSurface qvFlowSurface;

/// rest: the mesh's points where the body's phyxels are at rest. Body and mesh are kept and must live as long.
QV_CHECKED qvResult qvCreateFlowSurface(const qvPhyxelBody* body, const qvMesh* mesh, const qvVec3* rest,
                                        qvFlowSurface** surface, qvError* error);
void qvDestroyFlowSurface(qvFlowSurface* surface); ///< NULL is allowed

/// Raises tears (0 … 1 of each phyxel, 0 at first) to what they are when the phyxels are there.
QV_CHECKED qvResult qvFlowSurface_Tear(const qvFlowSurface* surface, const qvVec3* phyxels, double* tears,
                                       qvError* error);

/// What the mesh is kept out of: obstacles at their places, and the part of the way out that its vertices go. Below 1,
/// or vertices next to each other would meet in corners, and the mesh would no longer be a 2-manifold.
typedef struct qvFlowLimits
{
    const qvObstacles* obstacles;
    const qvObstaclePlace* places;
    double part;
} qvFlowLimits;

/// The mesh when phyxels and the mesh's points are there and the phyxels' tears are given, kept within limits (NULL:
/// none), with texture coordinates, colours and materials of the mesh nearby; the caller destroys it. NULL: nothing has
/// torn, the body's own mesh is to be used. Any thread, the same bits for any pool.
QV_CHECKED qvResult qvFlowSurface_Extract(const qvFlowSurface* surface, const qvVec3* phyxels, const double* tears,
                                          const qvVec3f* points, const qvFlowLimits* limits, qvPool* pool,
                                          qvMesh** mesh, qvError* error);

/// Moves a point out of the obstacles by the part of the way.
qvVec3 qvFlowLimits_Move(const qvFlowLimits* limits, qvVec3 point);
