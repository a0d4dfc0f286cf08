// SPDX-License-Identifier: GPL-3.0-or-later
// From reduced coordinates to points, in float: arms + U q, block by block.
#pragma once

#include "quaver/job.h"
#include "quaver/math.h"

#include <stdbool.h>

enum
{
    qv_expandPoints = 256, ///< points of a block, whose columns of U are read one after the other
    qv_expandRows = 3 * qv_expandPoints
};

typedef struct qvExpander
{
    int pointCount, dimension;
    float* arms;  // [blocks x qv_expandRows]
    float* basis; // [blocks x dimension x qv_expandRows]
} qvExpander;

/// u [3 pointCount x dimension] is copied.
QV_CHECKED qvResult qvExpander_Init(qvExpander* expander, int pointCount, int dimension, const double* arms,
                                    const double* u, const qvJob* job, qvError* error);
void qvExpander_Free(qvExpander* expander);

/// sums += columns q, for count columns of qv_expandRows floats. One version per CPU level.
typedef void qvExpandFcn(const float* columns, const float* q, int count, float* sums);
qvExpandFcn qvExpand_Portable, qvExpand_Avx2, qvExpand_Avx512;

/// The same for two vectors, the columns being read once: the same bits as one after the other.
typedef void qvExpandTwoFcn(const float* columns, const float* const q[2], int count, float* const sums[2]);
qvExpandTwoFcn qvExpandTwo_Portable, qvExpandTwo_Avx2, qvExpandTwo_Avx512;

typedef struct qvExpandKernel
{
    qvExpandFcn* one;
    qvExpandTwoFcn* two;
} qvExpandKernel;

/// The best version on this machine.
qvExpandKernel qvGetExpandKernel(void);
