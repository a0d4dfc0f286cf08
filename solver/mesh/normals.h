// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of qvComputeNormals, which are compiled once per CPU level from normals_kernel.inl.
#pragma once

#include "quaver/topology.h"

#include <stdint.h>

typedef float qvFloat4 __attribute__((vector_size(16)));

typedef struct qvFlatTriangle
{
    qvFloat4 normal; ///< unit length, zero for a triangle without area
    qvFloat4 angles; ///< radians, at each corner
} qvFlatTriangle;

typedef struct qvNormalTask
{
    const qvTopology* topology;
    const qvVec3f* points;
    qvNormalWeight weight;
    qvFloat4* padded;     ///< the points
    qvFlatTriangle* flat; ///< by angle only
    qvVec3f* normals;
} qvNormalTask;

/// Each works on a range of points or triangles of a qvNormalTask. All levels give the same bits.
typedef struct qvNormalKernels
{
    qvRangeFcn* pad;              ///< points
    qvRangeFcn* sumByArea;        ///< points
    qvRangeFcn* flattenTriangles; ///< triangles
    qvRangeFcn* sumByAngle;       ///< points
} qvNormalKernels;

#ifdef __x86_64__
extern const qvNormalKernels qvNormalKernelsAvx2;
#endif

/// The normal of one point in doubles: for sums that are too small or too large for floats, and for points without
/// any.
qvVec3f qvSlowNormal(const qvNormalTask* task, int point);
