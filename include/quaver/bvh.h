// SPDX-License-Identifier: GPL-3.0-or-later
/// Ray picking on a deforming mesh: a tree of boxes that is built once and refitted as the points move.
#pragma once

#include "quaver/job.h"
#include "quaver/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qvBvh qvBvh;

/// Builds over the mesh's pointTriangles with points at the given positions (pointCount entries). Both are
/// copied.
QV_CHECKED qvResult qvCreateBvh(const qvMesh* mesh, const qvVec3f* points, qvBvh** bvh, qvError* error);

/// NULL is allowed.
void qvDestroyBvh(qvBvh* bvh);

/// Moves the tree to new positions of the same points, which are copied. The result of picking is exact for any
/// deformation; the speed stays good while neighbours stay neighbours. A triangle with a coordinate that is not
/// finite cannot be hit until it is finite again. The same bits for any pool.
void qvBvh_Refit(qvBvh* bvh, const qvVec3f* points, qvPool* pool);

typedef struct qvRay
{
    qvVec3 origin;
    qvVec3 direction; ///< any length but zero; distances count in its length
} qvRay;

typedef struct qvHit
{
    int triangle;    ///< -1: nothing was hit
    double distance; ///< along the ray, in lengths of its direction
    double u, v;     ///< barycentric weights of the triangle's second and third point
    qvVec3 position;
    qvVec3 normal; ///< unit, of the flat triangle as wound (it may face away from the ray)
} qvHit;

/// The nearest hit at distance in [0, maxDistance] (which may be INFINITY), from either side. Ties go to the lower
/// triangle. Watertight: a ray through an edge or a vertex hits one of the triangles there. A ray that is not
/// finite, or has no direction, hits nothing. May be called from several threads at once, not during a refit.
qvHit qvBvh_Pick(const qvBvh* bvh, qvRay ray, double maxDistance);

#ifdef __cplusplus
}
#endif
