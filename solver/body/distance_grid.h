// SPDX-License-Identifier: GPL-3.0-or-later
// Signed distance of a closed triangle mesh on a grid of nodes: for contact with meshes, for filling them with points,
// and for surfaces that are extracted again.
//
//     qvDistanceGridDef def = qvDefaultDistanceGridDef();
//     def.pointCount = …, def.points = …, def.triangleCount = …, def.triangles = …;
//     qvDistanceGridDef_Fit(&def, cellSize, 2.0);
//     if (qvCreateDistanceGrid(&def, job, &grid, &error) != qv_ok) …
//     double distance = qvDistanceGrid_Sample(grid, point, &gradient);
#pragma once

#include "quaver/job.h"
#include "quaver/mesh.h"

/// What a grid is made from. Arrays belong to the caller and are needed only while it is made. Start from
/// qvDefaultDistanceGridDef().
typedef struct qvDistanceGridDef
{
    int pointCount;
    const qvVec3* points;
    int triangleCount;
    const qvTriangle* triangles; ///< welded: two triangles share an edge by the numbers of its points

    qvVec3 origin;   ///< of node (0, 0, 0)
    double cellSize; ///< above 0
    int counts[3];   ///< nodes along x, y, z, at least 2 each
    double band;     ///< cells, at least 1: nodes this near to the surface get their exact distance (default 2)
    bool isUnsigned; ///< distances have no sign, and the mesh may be open (default false)
} qvDistanceGridDef;

qvDistanceGridDef qvDefaultDistanceGridDef(void);

/// Sets origin, cell size and counts to the box of the points with padding cells on every side.
void qvDistanceGridDef_Fit(qvDistanceGridDef* def, double cellSize, double padding);

/// A hash of everything that the grid depends on.
uint64_t qvDistanceGridDef_Hash(const qvDistanceGridDef* def);

/// Read-only once made; plain arrays.
typedef struct qvDistanceGrid
{
    qvVec3 origin;
    double cellSize;
    int counts[3];
    float* values; ///< [counts[0] counts[1] counts[2]], x fastest: distance of each node, negative inside
} qvDistanceGrid;

/// Makes the grid. Within the band a node has its distance to the nearest triangle to float precision; farther away it
/// has the distance to a triangle that is nearest or nearly so (never too short; within 0.15 of a cell where the grid
/// holds the whole mesh). A node is inside where the mesh winds
/// around it more often outwards than inwards: overlapping parts make their union (whose inner surfaces still count for
/// the distance inside), a part that faces inwards hollows the one around it. A mesh that is open, faces inwards, or
/// has no volume is qv_badInput. The same bits for any pool.
QV_CHECKED qvResult qvCreateDistanceGrid(const qvDistanceGridDef* def, const qvJob* job, qvDistanceGrid** grid,
                                         qvError* error);

/// The same within the band alone, for surfaces that change all the time: nodes farther away have the band's width with
/// their sign. nearest: the nearest triangle of each node, -1 beyond the band; the caller frees it. The mesh must be
/// closed, but is not checked, and may be folded or turned inside out in places.
QV_CHECKED qvResult qvCreateDistanceBand(const qvDistanceGridDef* def, const qvJob* job, qvDistanceGrid** grid,
                                         int32_t** nearest, qvError* error);

/// NULL is allowed.
void qvDestroyDistanceGrid(qvDistanceGrid* grid);

/// The trilinear value at a point, and its gradient (may be NULL), which has unit length up to the grid's error.
/// Outside the grid: the distance to the surface as the grid shows it there, continuous with the inside.
double qvDistanceGrid_Sample(const qvDistanceGrid* grid, qvVec3 point, qvVec3* gradient);
