// SPDX-License-Identifier: GPL-3.0-or-later
#define WARP_BLOCK qvWarpBlock_Avx2
#define WARP_ADD   qvWarpAdd_Avx2
#define WARP_SOLVE qvWarpSolve_Avx2
#define WARP_TURN  qvWarpTurn_Avx2
#include "motion/warp_kernel.inl"
