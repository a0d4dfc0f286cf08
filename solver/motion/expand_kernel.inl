// SPDX-License-Identifier: GPL-3.0-or-later
// The inner loops of expand.c, compiled once per CPU level as EXPAND and EXPAND_TWO.
#include "motion/expand.h"

void EXPAND(const float* columns, const float* q, int count, float* sums)
{
    int c = 0;
    for (; c + 4 <= count; c += 4, columns += 4 * qv_expandRows)
    {
        float a = q[c], b = q[c + 1], d = q[c + 2], e = q[c + 3];
        const float *x = columns, *y = x + qv_expandRows, *z = y + qv_expandRows, *w = z + qv_expandRows;
        for (int i = 0; i < qv_expandRows; i++)
            sums[i] = sums[i] + ((a * x[i] + b * y[i]) + (d * z[i] + e * w[i]));
    }
    for (; c < count; c++, columns += qv_expandRows)
    {
        for (int i = 0; i < qv_expandRows; i++)
            sums[i] = sums[i] + q[c] * columns[i];
    }
}

void EXPAND_TWO(const float* columns, const float* const q[2], int count, float* const sums[2])
{
    int c = 0;
    float* restrict s = sums[0], * restrict t = sums[1];
    for (; c + 4 <= count; c += 4, columns += 4 * qv_expandRows)
    {
        float a = q[0][c], b = q[0][c + 1], d = q[0][c + 2], e = q[0][c + 3];
        float f = q[1][c], g = q[1][c + 1], h = q[1][c + 2], j = q[1][c + 3];
        const float *x = columns, *y = x + qv_expandRows, *z = y + qv_expandRows, *w = z + qv_expandRows;
        for (int i = 0; i < qv_expandRows; i++)
        {
            s[i] = s[i] + ((a * x[i] + b * y[i]) + (d * z[i] + e * w[i]));
            t[i] = t[i] + ((f * x[i] + g * y[i]) + (h * z[i] + j * w[i]));
        }
    }
    for (; c < count; c++, columns += qv_expandRows)
    {
        for (int i = 0; i < qv_expandRows; i++)
        {
            s[i] = s[i] + q[0][c] * columns[i];
            t[i] = t[i] + q[1][c] * columns[i];
        }
    }
}
