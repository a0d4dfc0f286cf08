// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of a symmetric sparse product, eight vectors at a time. One source, compiled once per CPU level; all levels do
// the same operations in the same order and give the same bits.
#pragma once

#include "quaver/sparse.h"

enum
{
    QV_SPARSE_WIDTH = 8 // vectors side by side: one AVX-512 register
};

/// y = A x for rows [begin, end), which are all that y has. x and y hold QV_SPARSE_WIDTH vectors side by side (row
/// after row), aligned to 64 bytes.
typedef void qvSparseRowsFcn(const qvSparse* matrix, const double* x, double* y, int begin, int end);

qvSparseRowsFcn qvSparse_Rows, qvSparse_RowsAvx2, qvSparse_RowsAvx512;
