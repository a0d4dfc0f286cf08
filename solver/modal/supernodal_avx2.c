// SPDX-License-Identifier: GPL-3.0-or-later
#include <immintrin.h>

enum
{
    LANES = 4,
    TILE = 8
};

typedef __m256d Lane;

static inline Lane Zero(void)
{
    return _mm256_setzero_pd();
}

static inline Lane Load(const double* p)
{
    return _mm256_load_pd(p);
}

static inline void Store(double* p, Lane x)
{
    _mm256_store_pd(p, x);
}

static inline Lane MulAdd(Lane sum, double a, Lane x)
{
    return _mm256_fmadd_pd(_mm256_set1_pd(a), x, sum);
}

#include "modal/supernodal.inl"

const qvSupernodalKernel qvSupernodalAvx2 = { LANES, Forward, Backward };
