// SPDX-License-Identifier: GPL-3.0-or-later
#define SPARSE_ROWS qvSparse_RowsAvx2
#include "math/sparse_kernel.inl"
