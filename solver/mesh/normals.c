// SPDX-License-Identifier: GPL-3.0-or-later
// Normals of points. Nothing is scattered: every point is its own sum, in a fixed order, and so has the same bits for
// any pool. Points are padded to four floats first, which makes each of them one aligned load.
//
// Area weights: the sum of (a - p) x (b - p) along the point's ring (topology.h); no triangle is stored.
// Angle weights: the triangles' unit normals and angles, four or eight triangles at a time, and then the sum over the
// point's fan of normal times angle. G. Thuermer, C. A. Wuethrich, Computing vertex normals from polygonal facets,
// 1998.
#define LANES 4
#include "mesh/normals_kernel.inl"

#include "base/assert.h"
#include "base/cpu.h"

enum
{
    POINTS_PER_PIECE = 2048,
    TRIANGLES_PER_PIECE = 4096,
};

qvVec3f qvSlowNormal(const qvNormalTask* task, int point)
{
    const qvTopology* topology = task->topology;
    qvVec3 origin = qvVec3_FromFloat(task->points[point]), sum = { 0.0, 0.0, 0.0 };
    for (int i = topology->ringStart[point] + 1; i < topology->ringStart[point + 1]; i++)
    {
        qvVec3 a = qvSub(qvVec3_FromFloat(task->points[topology->ring[i - 1]]), origin);
        qvVec3 b = qvSub(qvVec3_FromFloat(task->points[topology->ring[i]]), origin);
        qvVec3 n = qvCross(a, b);
        double length = qvLength(n);
        double angle = atan2(length, qvDot(a, b));
        if (length > 0.0)
            sum = qvMulAdd(sum, task->weight == qv_weightByAngle ? angle / length : 1.0, n);
    }
    double length = qvLength(sum);
    return length > 0.0 ? qvVec3_ToFloat(qvScale(1.0 / length, sum)) : (qvVec3f){ 0.0f, 0.0f, 1.0f };
}

static qvNormalKernels PickKernels(void)
{
#ifdef __x86_64__
    if (qvGetCpuLevel() >= qv_cpuAvx2)
        return qvNormalKernelsAvx2;
#endif
    return (qvNormalKernels){ Pad, SumByArea, FlattenTriangles, SumByAngle };
}

size_t qvNormalScratchSize(const qvTopology* topology, qvNormalWeight weight)
{
    size_t triangles = weight == qv_weightByAngle ? (size_t)topology->triangleCount : 0;
    return ((size_t)topology->pointCount + 1) * sizeof(qvFloat4) + triangles * sizeof(qvFlatTriangle);
}

void qvComputeNormals(const qvTopology* topology, const qvVec3f* points, qvNormalWeight weight, void* scratch,
                      qvPool* pool, qvVec3f* normals)
{
    QV_ASSERT(topology != NULL && points != NULL && scratch != NULL && normals != NULL);
    uintptr_t aligned = ((uintptr_t)scratch + sizeof(qvFloat4) - 1) / sizeof(qvFloat4) * sizeof(qvFloat4);
    qvNormalKernels kernels = PickKernels();
    qvNormalTask task = { .topology = topology, .points = points, .weight = weight, .normals = normals };
    task.padded = (qvFloat4*)aligned;
    qvParallelFor(pool, topology->pointCount, POINTS_PER_PIECE, kernels.pad, &task);
    if (weight == qv_weightByAngle)
    {
        task.flat = (qvFlatTriangle*)(task.padded + topology->pointCount);
        qvParallelFor(pool, topology->triangleCount, TRIANGLES_PER_PIECE, kernels.flattenTriangles, &task);
        qvParallelFor(pool, topology->pointCount, POINTS_PER_PIECE, kernels.sumByAngle, &task);
    }
    else
        qvParallelFor(pool, topology->pointCount, POINTS_PER_PIECE, kernels.sumByArea, &task);
}
