// SPDX-License-Identifier: GPL-3.0-or-later
#include "kelvinlet/kernel.h"

#include "base/assert.h"

static const qvKernelSetf* const setsf[] = { &qvKernelsFloatPortable, &qvKernelsFloatAvx2, &qvKernelsFloatAvx512 };
static const qvKernelSet* const sets[] = { &qvKernelsDoublePortable, &qvKernelsDoubleAvx2, &qvKernelsDoubleAvx512 };

const qvKernelSetf* qvGetKernelSetf(qvCpuLevel level)
{
    QV_ASSERT(level >= qv_cpuPortable && level <= qv_cpuAvx512);
    return setsf[level];
}

const qvKernelSet* qvGetKernelSet(qvCpuLevel level)
{
    QV_ASSERT(level >= qv_cpuPortable && level <= qv_cpuAvx512);
    return sets[level];
}
