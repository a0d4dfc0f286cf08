// SPDX-License-Identifier: GPL-3.0-or-later
#define SPARSE_ROWS qvSparse_RowsAvx512
#include "math/sparse_kernel.inl"
