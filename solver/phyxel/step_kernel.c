// SPDX-License-Identifier: GPL-3.0-or-later
#include "phyxel/step_kernel.h"

#include "base/cpu.h"

#define LEVEL  _Portable
#define REAL   double
#define SUFFIX D
#include "phyxel/step_kernel.inl"
#define REAL   float
#define SUFFIX F
#include "phyxel/step_kernel.inl"

const qvPhyxelKernelD* qvGetPhyxelKernelD(void)
{
#ifdef __x86_64__
    if (qvGetCpuLevel() >= qv_cpuAvx2)
        return &qvPhyxelKernelD_Avx2;
#endif
    return &qvPhyxelKernelD_Portable;
}

const qvPhyxelKernelF* qvGetPhyxelKernelF(void)
{
#ifdef __x86_64__
    if (qvGetCpuLevel() >= qv_cpuAvx2)
        return &qvPhyxelKernelF_Avx2;
#endif
    return &qvPhyxelKernelF_Portable;
}
