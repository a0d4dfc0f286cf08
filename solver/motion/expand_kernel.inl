// SPDX-License-Identifier: GPL-3.0-or-later
// The inner loop of expand.c, compiled once per CPU level as EXPAND.
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
