// SPDX-License-Identifier: GPL-3.0-or-later
#include "kelvinlet/kernel.h"

#include "base/assert.h"

#include <stddef.h>

// By level. Elsewhere than on x86-64 there is only the portable one.
#ifdef __x86_64__
static const qvKernelSetf* const setsf[] = { &qvKernelsFloatPortable, &qvKernelsFloatAvx2, &qvKernelsFloatAvx512 };
static const qvKernelSet* const sets[] = { &qvKernelsDoublePortable, &qvKernelsDoubleAvx2, &qvKernelsDoubleAvx512 };
#else
static const qvKernelSetf* const setsf[] = { &qvKernelsFloatPortable };
static const qvKernelSet* const sets[] = { &qvKernelsDoublePortable };
#endif

const qvKernelSetf* qvGetKernelSetf(qvCpuLevel level)
{
    QV_ASSERT(level >= qv_cpuPortable && (size_t)level < sizeof(setsf) / sizeof(setsf[0]));
    return setsf[level];
}

const qvKernelSet* qvGetKernelSet(qvCpuLevel level)
{
    QV_ASSERT(level >= qv_cpuPortable && (size_t)level < sizeof(sets) / sizeof(sets[0]));
    return sets[level];
}
