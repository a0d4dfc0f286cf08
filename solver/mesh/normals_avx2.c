// SPDX-License-Identifier: GPL-3.0-or-later
// normals.c with eight lanes.
#define LANES 8
#include "mesh/normals_kernel.inl"

const qvNormalKernels qvNormalKernelsAvx2 = { Pad, SumByArea, FlattenTriangles, SumByAngle };
