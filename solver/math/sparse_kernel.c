// SPDX-License-Identifier: GPL-3.0-or-later
#define SPARSE_ROWS qvSparse_Rows
#include "math/sparse_kernel.inl"
