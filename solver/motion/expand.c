// SPDX-License-Identifier: GPL-3.0-or-later
#include "motion/expand.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "base/watch.h"

#include <stdlib.h>

#define EXPAND     qvExpand_Portable
#define EXPAND_TWO qvExpandTwo_Portable
#include "motion/expand_kernel.inl"

enum
{
    COPIED_BLOCKS = 8 // by one thread at a time
};

static int BlockCount(int pointCount)
{
    return (pointCount + qv_expandPoints - 1) / qv_expandPoints;
}

typedef struct Copy
{
    qvExpander* expander;
    const double* u;
} Copy;

// The blocks [begin, end) of the basis.
static void CopyBlocks(void* context, int begin, int end)
{
    const Copy* copy = context;
    size_t d = (size_t)copy->expander->dimension, size = 3 * (size_t)copy->expander->pointCount;
    for (size_t block = (size_t)begin; block < (size_t)end; block++)
    {
        size_t first = block * qv_expandRows, count = size - first < qv_expandRows ? size - first : qv_expandRows;
        for (size_t c = 0; c < d; c++)
        {
            const double* from = copy->u + c * size + first;
            float* to = copy->expander->basis + (block * d + c) * qv_expandRows;
            for (size_t i = 0; i < count; i++)
                to[i] = (float)from[i];
        }
    }
}

qvResult qvExpander_Init(qvExpander* expander, int pointCount, int dimension, const double* arms, const double* u,
                         const qvJob* job, qvError* error)
{
    int blocks = BlockCount(pointCount), size = 3 * pointCount;
    *expander = (qvExpander){ .pointCount = pointCount, .dimension = dimension };
    expander->arms = qvAllocate((size_t)blocks, qv_expandRows * sizeof(float));
    expander->basis = qvAllocate((size_t)blocks * (size_t)dimension, qv_expandRows * sizeof(float));
    if (expander->arms == NULL || expander->basis == NULL)
        return qvError_OutOfMemory(error, (double)size * dimension * sizeof(float));
    for (int i = 0; i < size; i++)
        expander->arms[i] = (float)arms[i];
    Copy copy = { expander, u };
    return qvWatchedFor(job, blocks, COPIED_BLOCKS, CopyBlocks, &copy, error);
}

void qvExpander_Free(qvExpander* expander)
{
    free(expander->arms);
    free(expander->basis);
}

qvExpandKernel qvGetExpandKernel(void)
{
    qvCpuLevel level = qvGetCpuLevel();
    if (level >= qv_cpuAvx512)
        return (qvExpandKernel){ qvExpand_Avx512, qvExpandTwo_Avx512 };
    if (level >= qv_cpuAvx2)
        return (qvExpandKernel){ qvExpand_Avx2, qvExpandTwo_Avx2 };
    return (qvExpandKernel){ qvExpand_Portable, qvExpandTwo_Portable };
}
