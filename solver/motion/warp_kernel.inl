// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled once per CPU level as WARP_BLOCK, WARP_ADD, WARP_SOLVE and WARP_TURN. The same bits at every
// level.
#include "motion/warp_kernel.h"

#include <math.h>
#if defined(__AVX512F__)
#include <immintrin.h>
#endif

void WARP_ADD(double share, const double* restrict from, int count, double* restrict to)
{
    for (int i = 0; i < count; i++)
        to[i] += share * from[i];
}

// Four columns at a time, so that the sums are read and written less often.
void WARP_SOLVE(const float* a, int size, const double* restrict b, double (*restrict x)[qv_warpTile])
{
    enum
    {
        N = qv_warpTile
    };
    int j = 0;
    for (int i = 0; i < N; i++)
        x[0][i] = x[1][i] = x[2][i] = 0.0;
    for (; j + 4 <= size; j += 4, a += 4 * N, b += 12)
    {
        for (int i = 0; i < N; i++)
        {
            double p = (double)a[i], q = (double)a[N + i], r = (double)a[2 * N + i], s = (double)a[3 * N + i];
            x[0][i] += (b[0] * p + b[3] * q) + (b[6] * r + b[9] * s);
            x[1][i] += (b[1] * p + b[4] * q) + (b[7] * r + b[10] * s);
            x[2][i] += (b[2] * p + b[5] * q) + (b[8] * r + b[11] * s);
        }
    }
    for (; j < size; j++, a += N, b += 3)
    {
        for (int i = 0; i < N; i++)
        {
            x[0][i] += b[0] * (double)a[i];
            x[1][i] += b[1] * (double)a[i];
            x[2][i] += b[2] * (double)a[i];
        }
    }
}

// --- Rotations ------------------------------------------------------------------------------------------------------

// The quaternion of exp(r), up to its sign, which no rotation has: half the angle modulo pi is enough. Taylor's series
// of sin(t) / t and cos(t) for |t| <= pi / 2, to 1e-13.
static inline void Exponential(double x, double y, double z, double* factor, double* cosine)
{
    const double round = 6755399441055744.0, tiny = 1e-300; // 1.5 2^52: what is added to it loses its fraction
    double half = 0.5 * sqrt(x * x + y * y + z * z);
    double turns = (half * 0.31830988618379067 + round) - round;
    double t = (half - turns * 3.141592653589793) - turns * 1.2246467991473532e-16, s = t * t;
    double sine =
        1.0 + s * (-1.0 / 6 +
                   s * (1.0 / 120 +
                        s * (-1.0 / 5040 +
                             s * (1.0 / 362880 + s * (-1.0 / 39916800 + s * (1.0 / 6227020800.0 +
                                                                             s * (-1.0 / 1307674368000.0 +
                                                                                  s * (1.0 / 355687428096000.0))))))));
    *cosine =
        1.0 +
        s * (-0.5 +
             s * (1.0 / 24 +
                  s * (-1.0 / 720 +
                       s * (1.0 / 40320 + s * (-1.0 / 3628800 +
                                               s * (1.0 / 479001600 + s * (-1.0 / 87178291200.0 +
                                                                           s * (1.0 / 20922789888000.0 +
                                                                                s * (-1.0 / 6402373705728000.0)))))))));
    *factor = 0.5 * sine * ((t + tiny) / (half + tiny));
}

void WARP_TURN(qvWarpTurns* restrict turns)
{
    double(*w)[qv_warpTile] = turns->w, (*psi)[qv_warpTile] = turns->psi, (*q)[qv_warpTile] = turns->q;
    for (int i = 0; i < qv_warpTile; i++)
    {
        double f, g, c, d;
        Exponential(w[0][i], w[1][i], w[2][i], &f, &c);
        Exponential(psi[0][i], psi[1][i], psi[2][i], &g, &d);
        double x = f * w[0][i], y = f * w[1][i], z = f * w[2][i];
        double k = g * psi[0][i], l = g * psi[1][i], m = g * psi[2][i];
        q[0][i] = c * k + x * d + (y * m - z * l);
        q[1][i] = c * l + y * d + (z * k - x * m);
        q[2][i] = c * m + z * d + (x * l - y * k);
        q[3][i] = c * d - (x * k + y * l + z * m);
    }
    double(*v)[qv_warpTile] = turns->v;
    for (int i = 0; i < qv_warpTile; i++)
    {
        double x = q[0][i], y = q[1][i], z = q[2][i], a = v[0][i], b = v[1][i], c = v[2][i];
        double k = 2.0 * (y * c - z * b), l = 2.0 * (z * a - x * c), m = 2.0 * (x * b - y * a);
        v[0][i] = (a + q[3][i] * k) + (y * m - z * l);
        v[1][i] = (b + q[3][i] * l) + (z * k - x * m);
        v[2][i] = (c + q[3][i] * m) + (x * l - y * k);
    }
}

// --- Points ---------------------------------------------------------------------------------------------------------

typedef float Vector __attribute__((vector_size(4 * sizeof(float))));
typedef float Loose __attribute__((vector_size(4 * sizeof(float)), aligned(4), may_alias));

enum
{
    GROUP = 16 // points whose shares are summed in float before they are added up in double
};

// Three numbers, and whatever follows them.
static inline Vector Load(const float* x)
{
    return (Vector) * (const Loose*)x;
}

// x under the map that carries a point. The maps have four columns of three numbers, each with a zero. The same bits in
// both versions.
static inline Vector Carry(const int32_t* links, const float* weights, const float* maps, Vector x)
{
    const float *p = maps + qv_warpStride * links[0], *q = maps + qv_warpStride * links[1];
    const float *r = maps + qv_warpStride * links[2], *s = maps + qv_warpStride * links[3];
#if defined(__AVX512F__)
    const __m512i lanes = _mm512_set_epi32(3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0);
    __m512 map = (weights[0] * _mm512_loadu_ps(p) + weights[1] * _mm512_loadu_ps(q)) +
                 (weights[2] * _mm512_loadu_ps(r) + weights[3] * _mm512_loadu_ps(s));
    x[3] = 1.0f;
    __m512 terms = map * _mm512_permutexvar_ps(lanes, _mm512_castps128_ps512((__m128)x));
    __m512 moved = _mm512_shuffle_f32x4(terms, terms, _MM_SHUFFLE(3, 2, 3, 2));
    __m256 pair = _mm512_castps512_ps256(terms) + _mm512_castps512_ps256(moved);
    return (Vector)(_mm256_castps256_ps128(pair) + _mm256_extractf128_ps(pair, 1));
#else
    Vector column[4];
    for (int k = 0; k < 4; k++)
        column[k] = (weights[0] * Load(p + 4 * k) + weights[1] * Load(q + 4 * k)) +
                    (weights[2] * Load(r + 4 * k) + weights[3] * Load(s + 4 * k));
    return (column[0] * x[0] + column[2] * x[2]) + (column[1] * x[1] + column[3]);
#endif
}

// What a vibration adds to z.
static inline Vector Vibration(const qvWarpBlock* block, int term, int i)
{
    const float* m = block->inverse[term] + 9 * i; // by columns
    Vector moved =
        Carry(block->links + 4 * i, block->weights + 4 * i, block->terms[term], Load(block->shape[term] + 3 * i));
    Vector left = Load(block->fields[term] + 3 * i) - moved;
    return (Load(m) * left[0] + Load(m + 3) * left[1]) + Load(m + 6) * left[2];
}

static inline Vector Warp(const qvWarpBlock* block, int i)
{
    Vector z = Load(block->z + 3 * i);
    for (int term = 0; term < block->termCount; term++)
        z += Vibration(block, term, i);
    return Carry(block->links + 4 * i, block->weights + 4 * i, block->affines, z);
}

void WARP_BLOCK(const qvWarpBlock* block)
{
    for (int first = 0; first < block->count; first += GROUP)
    {
        int end = block->count - first < GROUP ? block->count : first + GROUP;
        Vector sum = { 0.0f };
        for (int i = first; i < end; i++)
        {
            Vector x = Warp(block, i);
            float* point = block->points + 3 * i;
            sum += block->shares[i] * x;
            point[0] = x[0], point[1] = x[1], point[2] = x[2];
        }
        for (int k = 0; k < 3; k++)
            block->sum[k] += (double)sum[k];
    }
}
