// SPDX-License-Identifier: GPL-3.0-or-later
// The one place that asks what the CPU can do. Kernels with several versions pick by level; files named *_avx2.c and
// *_avx512.c are compiled for that level, on x86-64 only, and must only be called at or above it.
#pragma once

typedef enum qvCpuLevel
{
    qv_cpuPortable,
    qv_cpuAvx2,   ///< AVX2 and FMA
    qv_cpuAvx512, ///< AVX-512 F, VL, DQ and BW
} qvCpuLevel;

/// The best level of this machine, or the lower one that the environment variable QUAVER_CPU names ("portable",
/// "avx2").
qvCpuLevel qvGetCpuLevel(void);

const char* qvCpuLevel_Name(qvCpuLevel level);
