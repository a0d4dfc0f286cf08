// SPDX-License-Identifier: GPL-3.0-or-later
// What the making of a qvWarpBody works with: nodes (warp_nodes.c), then what holds them together (warp_body.c).
#pragma once

#include "base/memory.h"
#include "motion/warp.h"

typedef struct qvWarpBuild
{
    const qvTopology* topology;
    const double *rest, *masses;
    const qvNumberStore* store; // may be NULL
    uint64_t mesh;              // hash
    const qvJob* job;
    qvError* error;
    qvWarpBody* body;
    qvVec3f* points;
    float *distances, *nearest;
    float (*ranked)[qv_warpLinks + 1]; // per point: distances to its nearest nodes, ascending
    int32_t (*order)[qv_warpLinks + 1];
    int32_t* sources; // points where the nodes are
    double radius;
    double* carried;                 // [nodeCount] mass
    double* pinned;                  // [nodeCount] mass of pins among it
    int32_t *carryStart, *carryItem; // links (4 point + link) of each node
    int32_t* cursor;                 // [nodeCount + 1]
    int32_t* stamp;                  // per point: its nearest pin
    uint8_t* isPin;
    double* overlap; // [nodeCount x nodeCount]
    uint8_t* forced; // edges that keep a part together
    QV_ARRAY(qvWarpEntry) entries;
    QV_ARRAY(qvWarpEdge) edges;
    QV_ARRAY(qvWarpSpread) spreads;
} qvWarpBuild;

/// Picks the nodes and the points that they carry.
QV_CHECKED qvResult qvWarpBuild_PlaceNodes(qvWarpBuild* build);

/// Places and gradients of the nodes as sums over points; anchors where they carry pins.
QV_CHECKED qvResult qvWarpBuild_Measure(qvWarpBuild* build);

static inline double qvWarpBuild_Mass(const qvWarpBuild* b, int i)
{
    return b->masses[i] > 0.0 ? b->masses[i] : 1e-12;
}

static inline qvVec3 qvWarpBuild_Rest(const qvWarpBuild* b, int i)
{
    return qvMakeVec3(b->rest[3 * i], b->rest[3 * i + 1], b->rest[3 * i + 2]);
}
