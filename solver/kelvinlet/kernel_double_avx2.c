// SPDX-License-Identifier: GPL-3.0-or-later
#define REAL           double
#define REAL_IS_DOUBLE 1
#define LANES_LEVEL    2
#define KERNEL_SET     qvKernelsDoubleAvx2
#include "kelvinlet/kernel_body.inl"
