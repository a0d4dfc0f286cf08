// SPDX-License-Identifier: GPL-3.0-or-later
#include <immintrin.h>

enum
{
    LANES = 8,
    TILE = 16
};

typedef __m512d Lane;

static inline Lane Zero(void)
{
    return _mm512_setzero_pd();
}

static inline Lane Load(const double* p)
{
    return _mm512_load_pd(p);
}

static inline void Store(double* p, Lane x)
{
    _mm512_store_pd(p, x);
}

static inline Lane MulAdd(Lane sum, double a, Lane x)
{
    return _mm512_fmadd_pd(_mm512_set1_pd(a), x, sum);
}

#include "modal/supernodal.inl"

const qvSupernodalKernel qvSupernodalAvx512 = { LANES, Forward, Backward };
