// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel for any CPU, and the choice between them.
#include "base/cpu.h"

enum
{
    LANES = 2, // what every x86-64 has; wider vectors cannot be passed to functions without AVX
    TILE = 4
};

typedef double Lane __attribute__((vector_size(LANES * sizeof(double))));

static inline Lane Zero(void)
{
    return (Lane){ 0.0 };
}

static inline Lane Load(const double* p)
{
    return *(const Lane*)p;
}

static inline void Store(double* p, Lane x)
{
    *(Lane*)p = x;
}

static inline Lane MulAdd(Lane sum, double a, Lane x)
{
    return sum + a * x;
}

#include "modal/supernodal.inl"

const qvSupernodalKernel qvSupernodalPortable = { LANES, Forward, Backward };

const qvSupernodalKernel* qvGetSupernodalKernel(void)
{
#ifdef __x86_64__
    switch (qvGetCpuLevel())
    {
    case qv_cpuAvx512:
        return &qvSupernodalAvx512;
    case qv_cpuAvx2:
        return &qvSupernodalAvx2;
    default:
        break;
    }
#endif
    return &qvSupernodalPortable;
}
