// SPDX-License-Identifier: GPL-3.0-or-later
// The solve of supernodal.h. The including file defines Lane, LANES, TILE (rows or columns of L that are summed in
// registers at once), Load, Store, Zero and MulAdd(sum, a, x) = sum + a x.
#include "modal/supernodal.h"

#include <stddef.h>
#include <string.h>

// sum[r] = sum over k < count of L(r, k) x[k]; l points at L(0, 0).
static inline void SumRows(int rows, const double* l, size_t ld, int count, const double* x, Lane* sum)
{
    for (int r = 0; r < rows; r++)
        sum[r] = Zero();
    for (int k = 0; k < count; k++)
    {
        Lane xk = Load(x + (size_t)k * LANES);
        for (int r = 0; r < rows; r++)
            sum[r] = MulAdd(sum[r], l[(size_t)k * ld + (size_t)r], xk);
    }
}

// sum[c] = sum over i < count of L(i, c) x[i]
static inline void SumColumns(int columns, const double* l, size_t ld, int count, const double* x, Lane* sum)
{
    for (int c = 0; c < columns; c++)
        sum[c] = Zero();
    for (int i = 0; i < count; i++)
    {
        Lane xi = Load(x + (size_t)i * LANES);
        for (int c = 0; c < columns; c++)
            sum[c] = MulAdd(sum[c], l[(size_t)c * ld + (size_t)i], xi);
    }
}

// The sums of up to TILE rows or columns. With a full tile the count is a constant and the sums stay in registers.
static inline void SumSomeRows(int rows, const double* l, size_t ld, int count, const double* x, Lane* sum)
{
    if (rows == TILE)
        SumRows(TILE, l, ld, count, x, sum);
    else
    {
        int r = 0;
        for (; r + 4 <= rows; r += 4)
            SumRows(4, l + r, ld, count, x, sum + r);
        for (; r < rows; r++)
            SumRows(1, l + r, ld, count, x, sum + r);
    }
}

static inline void SumSomeColumns(int columns, const double* l, size_t ld, int count, const double* x, Lane* sum)
{
    if (columns == TILE)
        SumColumns(TILE, l, ld, count, x, sum);
    else
    {
        int c = 0;
        for (; c + 4 <= columns; c += 4)
            SumColumns(4, l + (size_t)c * ld, ld, count, x, sum + c);
        for (; c < columns; c++)
            SumColumns(1, l + (size_t)c * ld, ld, count, x, sum + c);
    }
}

static inline void Subtract(double* y, Lane sum)
{
    Store(y, MulAdd(Load(y), -1.0, sum));
}

// L y = y for one supernode of `columns` columns and ld rows.
static void SolveForward(const double* l, int columns, int ld, const int32_t* rows, double* y)
{
    double* x = y + (size_t)rows[0] * LANES;
    Lane sum[TILE];
    for (int g = 0; g < columns; g += TILE)
    {
        int width = columns - g < TILE ? columns - g : TILE;
        SumSomeRows(width, l + g, (size_t)ld, g, x, sum);
        for (int r = g; r < g + width; r++)
        {
            Lane value = MulAdd(Load(x + (size_t)r * LANES), -1.0, sum[r - g]);
            for (int c = g; c < r; c++)
                value = MulAdd(value, -l[(size_t)c * (size_t)ld + (size_t)r], Load(x + (size_t)c * LANES));
            Store(x + (size_t)r * LANES, MulAdd(Zero(), 1.0 / l[(size_t)r * (size_t)ld + (size_t)r], value));
        }
    }
    for (int i = columns; i < ld; i += TILE)
    {
        int height = ld - i < TILE ? ld - i : TILE;
        SumSomeRows(height, l + i, (size_t)ld, columns, x, sum);
        for (int r = 0; r < height; r++)
            Subtract(y + (size_t)rows[i + r] * LANES, sum[r]);
    }
}

// L^T y = y for one supernode; all holds the supernode's rows of y next to each other.
static void SolveBackward(const double* l, int columns, int ld, const int32_t* rows, double* y, double* all)
{
    double* x = y + (size_t)rows[0] * LANES;
    for (int i = columns; i < ld; i++)
        memcpy(all + (size_t)i * LANES, y + (size_t)rows[i] * LANES, LANES * sizeof(double));
    Lane sum[TILE];
    for (int end = columns; end > 0; end -= TILE)
    {
        int g = end > TILE ? end - TILE : 0;
        SumSomeColumns(end - g, l + (size_t)g * (size_t)ld + end, (size_t)ld, ld - end, all + (size_t)end * LANES, sum);
        for (int c = end - 1; c >= g; c--)
        {
            const double* column = l + (size_t)c * (size_t)ld;
            Lane value = MulAdd(Load(x + (size_t)c * LANES), -1.0, sum[c - g]);
            for (int i = c + 1; i < end; i++)
                value = MulAdd(value, -column[i], Load(x + (size_t)i * LANES));
            Store(x + (size_t)c * LANES, MulAdd(Zero(), 1.0 / column[c], value));
        }
        memcpy(all + (size_t)g * LANES, x + (size_t)g * LANES, (size_t)(end - g) * LANES * sizeof(double));
    }
}

static void Solve(const qvSupernodes* factor, double* y, double* scratch)
{
    for (int s = 0; s < factor->count; s++)
        SolveForward(factor->values + factor->valueStart[s], factor->first[s + 1] - factor->first[s],
                     factor->rowStart[s + 1] - factor->rowStart[s], factor->rows + factor->rowStart[s], y);
    for (int s = factor->count - 1; s >= 0; s--)
        SolveBackward(factor->values + factor->valueStart[s], factor->first[s + 1] - factor->first[s],
                      factor->rowStart[s + 1] - factor->rowStart[s], factor->rows + factor->rowStart[s], y, scratch);
}
