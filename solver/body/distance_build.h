// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of making a distance grid. Lengths are in cells and places relative to node (0, 0, 0), so that nodes have
// whole numbers for coordinates.
#pragma once

#include "body/distance_grid.h"

typedef struct qvDistanceBuild
{
    int triangleCount;
    const qvTriangle* triangles;
    qvVec3* points;
    int counts[3];
    double band;

    // of each node, x fastest
    float* squares;    ///< square of the distance; UNKNOWN_SQUARE where nothing is known
    int32_t* nearest;  ///< triangle, or -1
    float* closest[3]; ///< x, y and z of the closest point of that triangle; FAR_AWAY where nothing is known
    int32_t* winding;  ///< how often the mesh winds around the node
} qvDistanceBuild;

// Whatever is far away is farther than what is unknown, so that nobody takes it over.
#define FAR_AWAY       1e16f
#define UNKNOWN_SQUARE 1e30f

static inline size_t qvDistanceBuild_Node(const qvDistanceBuild* build, int i, int j, int k)
{
    return ((size_t)k * (size_t)build->counts[1] + (size_t)j) * (size_t)build->counts[0] + (size_t)i;
}

/// Takes a triangle for a node's nearest if it is nearer than what is known.
void qvDistanceBuild_Take(const qvDistanceBuild* build, int triangle, const int at[3]);

/// qv_badInput for a mesh that is not closed, has no volume or faces inwards.
QV_CHECKED qvResult qvCheckClosed(const qvDistanceGridDef* def, qvError* error);

/// Exact distances within the band, and the winding of every node.
QV_CHECKED qvResult qvDistanceBuild_Band(qvDistanceBuild* build, const qvJob* job, qvError* error);

/// Spreads the nearest triangles to all other nodes.
QV_CHECKED qvResult qvDistanceBuild_Sweep(qvDistanceBuild* build, const qvJob* job, qvError* error);
