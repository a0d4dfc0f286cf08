// SPDX-License-Identifier: GPL-3.0-or-later
#define REAL        float
#define BLOCK       qvBlockf
#define POINTS      qvPointsf
#define KERNEL_LOAD qvKernelLoadf
#define KERNEL_SET  qvKernelSetf
#define ROWS        kernelsf
#define GET_SET     qvGetKernelSetf
#define F(name)     name##f
#include "kelvinlet/flow_body.inl"
