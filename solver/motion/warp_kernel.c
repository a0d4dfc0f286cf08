// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/cpu.h"

#define WARP_BLOCK qvWarpBlock_Portable
#define WARP_ADD   qvWarpAdd_Portable
#define WARP_SOLVE qvWarpSolve_Portable
#define WARP_TURN  qvWarpTurn_Portable
#include "motion/warp_kernel.inl"

qvWarpKernel qvGetWarpKernel(void)
{
    qvCpuLevel level = qvGetCpuLevel();
    if (level >= qv_cpuAvx512)
        return (qvWarpKernel){ qvWarpBlock_Avx512, qvWarpAdd_Avx512, qvWarpSolve_Avx512, qvWarpTurn_Avx512 };
    if (level >= qv_cpuAvx2)
        return (qvWarpKernel){ qvWarpBlock_Avx2, qvWarpAdd_Avx2, qvWarpSolve_Avx2, qvWarpTurn_Avx2 };
    return (qvWarpKernel){ qvWarpBlock_Portable, qvWarpAdd_Portable, qvWarpSolve_Portable, qvWarpTurn_Portable };
}
