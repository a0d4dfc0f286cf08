// SPDX-License-Identifier: GPL-3.0-or-later
#include "motion/expand.h"

#include "base/cpu.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define EXPAND qvExpand_Portable
#include "motion/expand_kernel.inl"

static int BlockCount(int pointCount)
{
    return (pointCount + qv_expandPoints - 1) / qv_expandPoints;
}

bool qvExpander_Init(qvExpander* expander, int pointCount, int dimension, const double* arms, const double* u)
{
    int blocks = BlockCount(pointCount), size = 3 * pointCount;
    *expander = (qvExpander){ .pointCount = pointCount, .dimension = dimension };
    expander->arms = qvAllocate((size_t)blocks, qv_expandRows * sizeof(float));
    expander->basis = qvAllocate((size_t)blocks * (size_t)dimension, qv_expandRows * sizeof(float));
    if (expander->arms == NULL || expander->basis == NULL)
        return false;
    for (int i = 0; i < size; i++)
        expander->arms[i] = (float)arms[i];
    for (int c = 0; c < dimension; c++)
    {
        const double* column = u + (size_t)c * (size_t)size;
        for (int i = 0; i < size; i++)
        {
            size_t block = (size_t)(i / qv_expandRows);
            expander->basis[(block * (size_t)dimension + (size_t)c) * qv_expandRows + (size_t)(i % qv_expandRows)] =
                (float)column[i];
        }
    }
    return true;
}

void qvExpander_Free(qvExpander* expander)
{
    free(expander->arms);
    free(expander->basis);
}

typedef struct Run
{
    const qvExpander* expander;
    const float *q, *rotation, *position;
    qvVec3f* points;
    qvExpandFcn* kernel;
} Run;

static void ExpandBlocks(void* context, int begin, int end)
{
    const Run* run = context;
    const qvExpander* e = run->expander;
    const float *r = run->rotation, *p = run->position;
    for (int block = begin; block < end; block++)
    {
        float sums[qv_expandRows];
        memcpy(sums, e->arms + (size_t)block * qv_expandRows, sizeof(sums));
        run->kernel(e->basis + (size_t)block * (size_t)e->dimension * qv_expandRows, run->q, e->dimension, sums);
        int first = block * qv_expandPoints;
        int count = e->pointCount - first < qv_expandPoints ? e->pointCount - first : qv_expandPoints;
        for (int i = 0; i < count; i++)
        {
            float x = sums[3 * i], y = sums[3 * i + 1], z = sums[3 * i + 2];
            run->points[first + i] =
                (qvVec3f){ r[0] * x + r[1] * y + r[2] * z + p[0], r[3] * x + r[4] * y + r[5] * z + p[1],
                           r[6] * x + r[7] * y + r[8] * z + p[2] };
        }
    }
}

void qvExpander_Run(const qvExpander* expander, const float* q, const float rotation[9], const float position[3],
                    qvPool* pool, qvVec3f* points)
{
    qvCpuLevel level = qvGetCpuLevel();
    Run run = { expander, q, rotation, position, points, qvExpand_Portable };
    if (level >= qv_cpuAvx2)
        run.kernel = level >= qv_cpuAvx512 ? qvExpand_Avx512 : qvExpand_Avx2;
    qvParallelFor(pool, BlockCount(expander->pointCount), 4, ExpandBlocks, &run);
}
