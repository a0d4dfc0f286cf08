// SPDX-License-Identifier: GPL-3.0-or-later
#define ADD_POINT qvBemAddPoint_Avx512
#include "bem/assemble_kernel.inl"
