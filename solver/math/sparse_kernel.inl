// SPDX-License-Identifier: GPL-3.0-or-later
// The body of qvSparse_Rows…; SPARSE_ROWS is the name to give it.
#include "math/sparse_kernel.h"

typedef double Lane __attribute__((vector_size(QV_SPARSE_WIDTH * sizeof(double))));

void SPARSE_ROWS(const qvSparse* matrix, const double* x, double* y, int begin, int end)
{
    const qvSparsePattern* pattern = matrix->pattern;
    const double* values = matrix->values;
    const Lane* in = (const Lane*)x;
    Lane* out = (Lane*)y;
    for (int i = begin; i < end; i++)
    {
        Lane sum = { 0.0 };
        for (int32_t k = pattern->rowStart[i]; k < pattern->rowStart[i + 1]; k++)
            sum += values[pattern->rowEntry[k]] * in[pattern->rowColumn[k]];
        for (int32_t k = pattern->columnStart[i]; k < pattern->columnStart[i + 1]; k++)
            sum += values[k] * in[pattern->row[k]];
        out[i - begin] = sum;
    }
}
