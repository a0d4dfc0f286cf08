// SPDX-License-Identifier: GPL-3.0-or-later
#define REAL           float
#define REAL_IS_DOUBLE 0
#define LANES_LEVEL    0
#define KERNEL_SET     qvKernelsFloatPortable
#include "kelvinlet/kernel_body.inl"
