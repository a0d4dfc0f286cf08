// SPDX-License-Identifier: GPL-3.0-or-later
// What a carrier is made of, and the kernel that carries many points in float.
#pragma once

#include "body/carrier.h"

typedef struct qvCarrierWeight
{
    int32_t vertex;
    double weight;
} qvCarrierWeight;

struct qvCarrier
{
    int vertexCount, pointCount;
    qvVec3 *vertices, *points;
    bool isFlat;        // all in a plane
    qvVec3 across;      // the normal of that
    qvVec3 middle;      // of the vertices
    qvMat3 moments;     // inverse of sum (Y - middle)(Y - middle)^T
    int32_t* ringStart; // [vertexCount + 1]
    int32_t* ring;      // vertices around each
    qvVec3* normals;    // of the vertices
    qvMat3* solids;     // inverse of sum d d^T with a little n n^T
    qvMat3* spans;      // inverse of sum d d^T over the ring in the plane of the surface, with n n^T
    int32_t* first;     // [pointCount + 1]
    qvCarrierWeight* weights;
};

enum
{
    qv_carrierMap = 16, ///< floats of a vertex's map
};

/// What the kernels read. A map has the four columns of a vertex's affine map, with a zero below each: the linear part,
/// and where it takes the middle of the vertices.
typedef struct qvCarryWork
{
    const qvCarrier* carrier;
    const float* maps; // [vertexCount][qv_carrierMap]
    qvCarrierRests rests;
    qvVec3f* points;
} qvCarryWork;

qvRangeFcn qvCarryPoints_Portable, qvCarryPoints_Avx2; // of a qvCarryWork
