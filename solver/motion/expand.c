// SPDX-License-Identifier: GPL-3.0-or-later
#include "motion/expand.h"

#include "base/cpu.h"
#include "base/memory.h"

#include <stdlib.h>

#define EXPAND     qvExpand_Portable
#define EXPAND_TWO qvExpandTwo_Portable
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

qvExpandKernel qvGetExpandKernel(void)
{
    qvCpuLevel level = qvGetCpuLevel();
    if (level >= qv_cpuAvx512)
        return (qvExpandKernel){ qvExpand_Avx512, qvExpandTwo_Avx512 };
    if (level >= qv_cpuAvx2)
        return (qvExpandKernel){ qvExpand_Avx2, qvExpandTwo_Avx2 };
    return (qvExpandKernel){ qvExpand_Portable, qvExpandTwo_Portable };
}
