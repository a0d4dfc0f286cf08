// SPDX-License-Identifier: GPL-3.0-or-later
// Carrying blocks of points, for one precision: included by flow_float.c and flow_double.c, which define REAL, BLOCK,
// POINTS, KERNEL_LOAD, KERNEL_SET, ROWS (the flow's kernels), GET_SET and F (the suffix of names).
#include "kelvinlet/flow.h"

#include "base/assert.h"

#include <math.h>
#include <string.h>

void F(qvBlock_Load)(const POINTS* points, int begin, int count, BLOCK* block)
{
    const REAL* from[3] = { points->x + begin, points->y + begin, points->z + begin };
    int padded = (count + 15) / 16 * 16;
    for (int c = 0; c < 3; c++)
    {
        memcpy(block->axis[c], from[c], (size_t)count * sizeof(REAL));
        for (int i = count; i < padded; i++)
            block->axis[c][i] = from[c][count - 1];
    }
}

static void Store(const BLOCK* block, int count, POINTS* points, int begin)
{
    memcpy(points->x + begin, block->axis[0], (size_t)count * sizeof(REAL));
    memcpy(points->y + begin, block->axis[1], (size_t)count * sizeof(REAL));
    memcpy(points->z + begin, block->axis[2], (size_t)count * sizeof(REAL));
}

qvSphere F(qvBlock_Sphere)(const KERNEL_SET* set, const BLOCK* block, int count)
{
    double low[3], high[3];
    set->bounds(count, block, low, high);
    qvVec3 a = qvMakeVec3(low[0], low[1], low[2]), b = qvMakeVec3(high[0], high[1], high[2]);
    return (qvSphere){ qvScale(0.5, qvAdd(a, b)), 0.5 * qvDistance(a, b) };
}

// Sum of the loads' displacements at points + step slope.
static void Evaluate(const KERNEL_SET* set, const KERNEL_LOAD* row, int loadCount, int count, const BLOCK* points,
                     const BLOCK* slope, REAL step, BLOCK* out)
{
    for (int i = 0; i < loadCount; i++)
    {
        const KERNEL_LOAD* load = &row[i];
        set->evaluate[load->time][load->scaleCount - 1][load->parts](load, count, points, slope, step, out, i > 0);
    }
}

void F(qvFlow_CarryBlock)(const qvFlow* flow, const KERNEL_SET* set, int count, BLOCK* points, BLOCK* out)
{
    const KERNEL_LOAD* rows = flow->ROWS;
    int n = flow->loadCount, stride = flow->rowCount > 1 ? n : 0;
    if (flow->substeps == 0)
    {
        Evaluate(set, rows, n, count, points, points, (REAL)0, out);
        return;
    }
    REAL h = (REAL)1 / (REAL)flow->substeps, half = (REAL)0.5 * h;
    BLOCK k[4];
    int padded = (count + 15) / 16 * 16;
    for (int c = 0; c < 3; c++)
        memset(out->axis[c], 0, (size_t)padded * sizeof(REAL));
    for (int s = 0; s < flow->substeps; s++, rows += 4 * stride)
    {
        Evaluate(set, rows, n, count, points, points, (REAL)0, &k[0]);
        Evaluate(set, rows + stride, n, count, points, &k[0], half, &k[1]);
        Evaluate(set, rows + 2 * stride, n, count, points, &k[1], half, &k[2]);
        Evaluate(set, rows + 3 * stride, n, count, points, &k[2], h, &k[3]);
        set->advance(count, h, k, out);
        if (s + 1 < flow->substeps)
            set->advance(count, h, k, points);
    }
}

typedef struct Job
{
    const qvFlow* flow;
    const KERNEL_SET* set;
    const POINTS* points;
    POINTS* displacements;
} Job;

static void RunBlocks(void* context, int begin, int end)
{
    const Job* job = context;
    BLOCK points, out;
    for (int block = begin; block < end; block++)
    {
        int first = block * qv_blockSize, left = job->points->count - first;
        int count = left < qv_blockSize ? left : qv_blockSize;
        F(qvBlock_Load)(job->points, first, count, &points);
        bool missed = job->flow->loadCount == 0;
        if (job->flow->cull && !missed)
        {
            qvSphere sphere = F(qvBlock_Sphere)(job->set, &points, count);
            missed = qvFlow_Misses(job->flow, sphere.center, sphere.radius);
        }
        if (missed)
            memset(&out, 0, sizeof(out));
        else
            F(qvFlow_CarryBlock)(job->flow, job->set, count, &points, &out);
        Store(&out, count, job->displacements, first);
    }
}

void F(qvFlow_Run)(const qvFlow* flow, const POINTS* points, POINTS* displacements, qvPool* pool)
{
    QV_ASSERT(points->count == displacements->count);
    Job job = { flow, GET_SET(qvGetCpuLevel()), points, displacements };
    qvParallelFor(pool, (points->count + qv_blockSize - 1) / qv_blockSize, 4, RunBlocks, &job);
}
