// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled once per CPU level as WARP_BLOCK, WARP_COLUMNS and WARP_SOLVE. The same bits at every level.
#include "motion/warp_kernel.h"

// Eight columns are summed in float before they are added up in double.
void WARP_COLUMNS(const float* a, int rows, int columns, const double* x, int begin, int end, double* restrict y)
{
    int c = 0;
    size_t n = (size_t)rows;
    for (; c + 8 <= columns; c += 8)
    {
        const float* p = a + (size_t)c * n;
        float w0 = (float)x[c], w1 = (float)x[c + 1], w2 = (float)x[c + 2], w3 = (float)x[c + 3];
        float w4 = (float)x[c + 4], w5 = (float)x[c + 5], w6 = (float)x[c + 6], w7 = (float)x[c + 7];
        const float* q = p + 4 * n;
        for (int i = begin; i < end; i++)
        {
            float low = (w0 * p[i] + w1 * p[n + (size_t)i]) + (w2 * p[2 * n + (size_t)i] + w3 * p[3 * n + (size_t)i]);
            float high = (w4 * q[i] + w5 * q[n + (size_t)i]) + (w6 * q[2 * n + (size_t)i] + w7 * q[3 * n + (size_t)i]);
            y[i] += (double)(low + high);
        }
    }
    for (; c < columns; c++)
    {
        const float* p = a + (size_t)c * n;
        for (int i = begin; i < end; i++)
            y[i] += x[c] * (double)p[i];
    }
}

void WARP_SOLVE(const double* a, int size, const double* b, int begin, int end, double* x)
{
    double *y = x + size, *z = y + size;
    for (int j = 0; j < size; j++, a += size)
    {
        double u = b[3 * j], v = b[3 * j + 1], w = b[3 * j + 2];
        for (int i = begin; i < end; i++)
        {
            x[i] += u * a[i];
            y[i] += v * a[i];
            z[i] += w * a[i];
        }
    }
}

// The map that carries a point: rows of 4 numbers.
static inline void Carry(const int32_t* links, const float* weights, const float* affines, float out[qv_warpStride])
{
    const float *a = affines + (size_t)links[0] * qv_warpStride, *b = affines + (size_t)links[1] * qv_warpStride;
    const float *c = affines + (size_t)links[2] * qv_warpStride, *d = affines + (size_t)links[3] * qv_warpStride;
    float u = weights[0], v = weights[1], w = weights[2], x = weights[3];
    for (int k = 0; k < qv_warpStride; k++)
        out[k] = (u * a[k] + v * b[k]) + (w * c[k] + x * d[k]);
}

static inline void AddVibration(const qvWarpBlock* block, int term, int i, float z[3])
{
    float map[qv_warpStride], left[3];
    Carry(block->links + 4 * i, block->weights + 4 * i, block->terms[term], map);
    const float *e = block->fields[term] + 3 * i, *s = block->shape[term] + 3 * i, *m = block->inverse[term] + 9 * i;
    for (int k = 0; k < 3; k++)
        left[k] = e[k] - (map[4 * k] * s[0] + map[4 * k + 1] * s[1] + map[4 * k + 2] * s[2] + map[4 * k + 3]);
    for (int k = 0; k < 3; k++)
        z[k] += m[3 * k] * left[0] + m[3 * k + 1] * left[1] + m[3 * k + 2] * left[2];
}

void WARP_BLOCK(const qvWarpBlock* block)
{
    for (int i = 0; i < block->count; i++)
    {
        float map[qv_warpStride], z[3] = { block->points[3 * i], block->points[3 * i + 1], block->points[3 * i + 2] };
        for (int term = 0; term < block->termCount; term++)
            AddVibration(block, term, i, z);
        Carry(block->links + 4 * i, block->weights + 4 * i, block->affines, map);
        for (int k = 0; k < 3; k++)
            block->points[3 * i + k] =
                map[4 * k] * z[0] + map[4 * k + 1] * z[1] + map[4 * k + 2] * z[2] + map[4 * k + 3];
    }
}
