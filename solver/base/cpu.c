// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/cpu.h"

#include <stdlib.h>
#include <string.h>

static const char* const names[] = { "portable", "avx2", "avx512" };

static qvCpuLevel Detect(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return qv_cpuPortable;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw"))
        return qv_cpuAvx512;
    return qv_cpuAvx2;
#else
    return qv_cpuPortable;
#endif
}

qvCpuLevel qvGetCpuLevel(void)
{
    qvCpuLevel best = Detect();
    const char* wanted = getenv("QUAVER_CPU");
    for (int level = 0; wanted != NULL && level < (int)best; level++)
    {
        if (strcmp(wanted, names[level]) == 0)
            return (qvCpuLevel)level;
    }
    return best;
}

const char* qvCpuLevel_Name(qvCpuLevel level)
{
    return names[level];
}
