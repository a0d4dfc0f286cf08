// SPDX-License-Identifier: GPL-3.0-or-later
// The solve of supernodal.h. The including file defines Lane, LANES, TILE (rows or columns of L that are summed in
// registers at once), Load, Store, Zero and MulAdd(sum, a, x) = sum + a x.
#include "modal/supernodal.h"

#include <stddef.h>
#include <string.h>

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

// all[i] -= sum over c < columns of L(i, c) x[c], for i < count. Each column of L is read from top to bottom.
static inline void Eliminate(int columns, const double* l, size_t ld, int count, const double* x, double* all)
{
    Lane minus[TILE];
    for (int c = 0; c < columns; c++)
        minus[c] = MulAdd(Zero(), -1.0, Load(x + (size_t)c * LANES));
    for (int i = 0; i < count; i++)
    {
        Lane value = Load(all + (size_t)i * LANES);
        for (int c = 0; c < columns; c++)
            value = MulAdd(value, l[(size_t)c * ld + (size_t)i], minus[c]);
        Store(all + (size_t)i * LANES, value);
    }
}

static inline void EliminateSome(int columns, const double* l, size_t ld, int count, const double* x, double* all)
{
    if (columns == TILE / 2)
        Eliminate(TILE / 2, l, ld, count, x, all);
    else
    {
        for (int c = 0; c < columns; c++)
            Eliminate(1, l + (size_t)c * ld, ld, count, x + (size_t)c * LANES, all);
    }
}

// L y = y for one supernode of `columns` columns and ld rows; all holds the supernode's rows of y next to each other.
static void SolveForward(const double* l, int columns, int ld, const int32_t* rows, double* y, double* all)
{
    for (int i = 0; i < ld; i++)
        memcpy(all + (size_t)i * LANES, y + (size_t)rows[i] * LANES, LANES * sizeof(double));
    for (int g = 0; g < columns; g += TILE / 2)
    {
        int end = columns - g < TILE / 2 ? columns : g + TILE / 2;
        for (int r = g; r < end; r++)
        {
            Lane value = Load(all + (size_t)r * LANES);
            for (int c = g; c < r; c++)
                value = MulAdd(value, -l[(size_t)c * (size_t)ld + (size_t)r], Load(all + (size_t)c * LANES));
            Store(all + (size_t)r * LANES, MulAdd(Zero(), 1.0 / l[(size_t)r * (size_t)ld + (size_t)r], value));
        }
        EliminateSome(end - g, l + (size_t)g * (size_t)ld + end, (size_t)ld, ld - end, all + (size_t)g * LANES,
                      all + (size_t)end * LANES);
    }
    for (int i = 0; i < ld; i++)
        memcpy(y + (size_t)rows[i] * LANES, all + (size_t)i * LANES, LANES * sizeof(double));
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

static void Forward(const qvTree* tree, const double* values, int begin, int end, double* y, double* all)
{
    for (int s = begin; s < end; s++)
        SolveForward(values + tree->valueStart[s], qvTree_Columns(tree, s), qvTree_Rows(tree, s),
                     tree->localRows + tree->rowStart[s], y, all);
}

static void Backward(const qvTree* tree, const double* values, int begin, int end, double* y, double* all)
{
    for (int s = end - 1; s >= begin; s--)
        SolveBackward(values + tree->valueStart[s], qvTree_Columns(tree, s), qvTree_Rows(tree, s),
                      tree->localRows + tree->rowStart[s], y, all);
}
