// SPDX-License-Identifier: GPL-3.0-or-later
// The few vector operations that the kernels are written in, for one precision and one CPU level. Before including,
// define REAL as float or double, REAL_IS_DOUBLE as 0 or 1, and LANES_LEVEL as 0 (portable), 2 (AVX2) or 5 (AVX-512).
// `lanes` is the vector type; + - * are the compiler's own on it. LanesLimit brings a into [-size, size].
//
// Reciprocals and reciprocal square roots start from the hardware's estimate y and add the series of the remaining
// relative error e to the order that the precision needs: 1/sqrt(a) = y (1 + e/2 + 3e^2/8 + 5e^3/16 + ...) with
// e = 1 - a y^2, and 1/a = y (1 + e + e^2 + e^3 + ...) with e = 1 - a y.
#pragma once

#if LANES_LEVEL == 5
#include <immintrin.h>
#if REAL_IS_DOUBLE
typedef __m512d lanes;
#define LANES_WIDTH           8
#define LanesSet(a)           _mm512_set1_pd(a)
#define LanesLoad(p)          _mm512_load_pd(p)
#define LanesStore(p, a)      _mm512_store_pd(p, a)
#define LanesFma(a, b, c)     _mm512_fmadd_pd(a, b, c)
#define LanesMin(a, b)        _mm512_min_pd(a, b)
#define LanesMax(a, b)        _mm512_max_pd(a, b)
#define LanesLimit(a, size)   _mm512_range_pd(a, size, 2)
#define LanesNegFma(a, b, c)  _mm512_fnmadd_pd(a, b, c)
#define LanesAbs(a)           _mm512_abs_pd(a)
#define LanesPick(k, yes, no) _mm512_mask_blend_pd(_mm512_movepi64_mask(_mm512_castpd_si512(k)), yes, no)

static inline lanes LanesRsqrt(lanes a)
{
    lanes y = _mm512_rsqrt14_pd(a);
    lanes e = LanesNegFma(a * y, y, LanesSet(1.0));
    lanes s = LanesFma(LanesFma(LanesSet(0.3125), e, LanesSet(0.375)), e, LanesSet(0.5));
    return LanesFma(y * e, s, y);
}

static inline lanes LanesRcp(lanes a)
{
    lanes y = _mm512_rcp14_pd(a);
    lanes e = LanesNegFma(a, y, LanesSet(1.0));
    lanes z = LanesFma(y, e, y);
    return LanesFma(z, e * e, z);
}
#else
typedef __m512 lanes;
#define LANES_WIDTH           16
#define LanesSet(a)           _mm512_set1_ps(a)
#define LanesLoad(p)          _mm512_load_ps(p)
#define LanesStore(p, a)      _mm512_store_ps(p, a)
#define LanesFma(a, b, c)     _mm512_fmadd_ps(a, b, c)
#define LanesMin(a, b)        _mm512_min_ps(a, b)
#define LanesMax(a, b)        _mm512_max_ps(a, b)
#define LanesLimit(a, size)   _mm512_range_ps(a, size, 2)
#define LanesNegFma(a, b, c)  _mm512_fnmadd_ps(a, b, c)
#define LanesAbs(a)           _mm512_abs_ps(a)
#define LanesPick(k, yes, no) _mm512_mask_blend_ps(_mm512_movepi32_mask(_mm512_castps_si512(k)), yes, no)

static inline lanes LanesRsqrt(lanes a)
{
    lanes y = _mm512_rsqrt14_ps(a);
    lanes e = LanesNegFma(a * y, y, LanesSet(1.0f));
    return LanesFma(y * LanesSet(0.5f), e, y);
}

static inline lanes LanesRcp(lanes a)
{
    lanes y = _mm512_rcp14_ps(a);
    return LanesFma(y, LanesNegFma(a, y, LanesSet(1.0f)), y);
}
#endif
#elif LANES_LEVEL == 2
#include <immintrin.h>
#if REAL_IS_DOUBLE
typedef __m256d lanes;
#define LANES_WIDTH           4
#define LanesSet(a)           _mm256_set1_pd(a)
#define LanesLoad(p)          _mm256_load_pd(p)
#define LanesStore(p, a)      _mm256_store_pd(p, a)
#define LanesFma(a, b, c)     _mm256_fmadd_pd(a, b, c)
#define LanesMin(a, b)        _mm256_min_pd(a, b)
#define LanesMax(a, b)        _mm256_max_pd(a, b)
#define LanesLimit(a, size)   _mm256_max_pd(-(size), _mm256_min_pd(size, a))
#define LanesNegFma(a, b, c)  _mm256_fnmadd_pd(a, b, c)
#define LanesAbs(a)           _mm256_andnot_pd(_mm256_set1_pd(-0.0), a)
#define LanesPick(k, yes, no) _mm256_blendv_pd(yes, no, k)

static inline lanes LanesRsqrt(lanes a)
{
    return _mm256_div_pd(_mm256_set1_pd(1.0), _mm256_sqrt_pd(a));
}

static inline lanes LanesRcp(lanes a)
{
    return _mm256_div_pd(_mm256_set1_pd(1.0), a);
}
#else
typedef __m256 lanes;
#define LANES_WIDTH           8
#define LanesSet(a)           _mm256_set1_ps(a)
#define LanesLoad(p)          _mm256_load_ps(p)
#define LanesStore(p, a)      _mm256_store_ps(p, a)
#define LanesFma(a, b, c)     _mm256_fmadd_ps(a, b, c)
#define LanesMin(a, b)        _mm256_min_ps(a, b)
#define LanesMax(a, b)        _mm256_max_ps(a, b)
#define LanesLimit(a, size)   _mm256_max_ps(-(size), _mm256_min_ps(size, a))
#define LanesNegFma(a, b, c)  _mm256_fnmadd_ps(a, b, c)
#define LanesAbs(a)           _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a)
#define LanesPick(k, yes, no) _mm256_blendv_ps(yes, no, k)

// The estimate has 11.4 bits, so one order more than with AVX-512.
static inline lanes LanesRsqrt(lanes a)
{
    lanes y = _mm256_rsqrt_ps(a);
    lanes e = LanesNegFma(a * y, y, LanesSet(1.0f));
    return LanesFma(y * e, LanesFma(LanesSet(0.375f), e, LanesSet(0.5f)), y);
}

static inline lanes LanesRcp(lanes a)
{
    lanes y = _mm256_rcp_ps(a);
    lanes e = LanesNegFma(a, y, LanesSet(1.0f));
    return LanesFma(y, LanesFma(e, e, e), y);
}
#endif
#else
#include <math.h>
typedef REAL lanes;
#define LANES_WIDTH           1
#define LanesSet(a)           (a)
#define LanesLoad(p)          (*(p))
#define LanesStore(p, a)      (*(p) = (a))
#define LanesFma(a, b, c)     ((a) * (b) + (c))
#define LanesMin(a, b)        ((a) < (b) ? (a) : (b))
#define LanesMax(a, b)        ((a) > (b) ? (a) : (b))
#define LanesLimit(a, size)   LanesMax(-(size), LanesMin(size, a))
#define LanesNegFma(a, b, c)  ((c) - (a) * (b))
#define LanesPick(k, yes, no) ((k) >= 0 ? (yes) : (no))
#if REAL_IS_DOUBLE
#define LanesAbs(a) fabs(a)
#define LanesSqrt   sqrt
#else
#define LanesAbs(a) fabsf(a)
#define LanesSqrt   sqrtf
#endif

static inline lanes LanesRsqrt(lanes a)
{
    return (REAL)1 / LanesSqrt(a);
}

static inline lanes LanesRcp(lanes a)
{
    return (REAL)1 / a;
}
#endif
