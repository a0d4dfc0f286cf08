// SPDX-License-Identifier: GPL-3.0-or-later
#define REAL           float
#define REAL_IS_DOUBLE 0
#define LANES_LEVEL    2
#define KERNEL_SET     qvKernelsFloatAvx2
#include "kelvinlet/kernel_body.inl"
