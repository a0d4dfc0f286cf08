// SPDX-License-Identifier: GPL-3.0-or-later
#define REAL        double
#define BLOCK       qvBlock
#define POINTS      qvPoints
#define KERNEL_LOAD qvKernelLoad
#define KERNEL_SET  qvKernelSet
#define ROWS        kernels
#define GET_SET     qvGetKernelSet
#define F(name)     name
#include "kelvinlet/flow_body.inl"
