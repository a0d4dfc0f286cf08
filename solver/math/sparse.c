// SPDX-License-Identifier: GPL-3.0-or-later
// Symmetric sparse matrices: patterns from pairs of blocks, products by gathering rows.
#include "quaver/sparse.h"

#include "base/assert.h"
#include "base/cpu.h"
#include "base/memory.h"
#include "base/search.h"
#include "math/sparse_kernel.h"
#include "math/sparse_select.h"

#include <limits.h>
#include <math.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

enum
{
    ROW_GRAIN = 1024
};

// --- Patterns -------------------------------------------------------------------------------------------------------

// The strict lower triangle of blocks in compressed columns, rows ascending and distinct.
typedef struct BlockColumns
{
    size_t* start; // [blockCount + 1]
    int32_t* row;
} BlockColumns;

static int CompareInts(const void* a, const void* b)
{
    int32_t x = *(const int32_t*)a, y = *(const int32_t*)b;
    return (x > y) - (x < y);
}

static int SortDistinct(int32_t* items, int count)
{
    qsort(items, (size_t)count, sizeof(*items), CompareInts);
    int kept = 0;
    for (int i = 0; i < count; i++)
    {
        if (kept == 0 || items[kept - 1] != items[i])
            items[kept++] = items[i];
    }
    return kept;
}

static void CompactColumns(int blockCount, BlockColumns* blocks)
{
    size_t kept = 0, begin = 0;
    for (int j = 0; j < blockCount; j++)
    {
        size_t end = blocks->start[j + 1];
        int count = SortDistinct(blocks->row + begin, (int)(end - begin));
        memmove(blocks->row + kept, blocks->row + begin, (size_t)count * sizeof(int32_t));
        kept += (size_t)count;
        blocks->start[j + 1] = kept;
        begin = end;
    }
}

static bool CollectBlocks(int blockCount, const int32_t (*pairs)[2], size_t pairCount, BlockColumns* blocks)
{
    blocks->start = qvAllocate((size_t)blockCount + 2, sizeof(*blocks->start));
    blocks->row = qvAllocateRaw(pairCount, sizeof(*blocks->row));
    if (blocks->start == NULL || blocks->row == NULL)
        return false;
    for (size_t k = 0; k < pairCount; k++)
    {
        int32_t i = pairs[k][0], j = pairs[k][1];
        QV_ASSERT(i >= 0 && i < blockCount && j >= 0 && j < blockCount);
        if (i != j)
            blocks->start[(i < j ? i : j) + 2]++;
    }
    for (int j = 0; j < blockCount; j++)
        blocks->start[j + 2] += blocks->start[j + 1];
    // start[j + 1] is now where column j begins, and moves to where it ends.
    for (size_t k = 0; k < pairCount; k++)
    {
        int32_t i = pairs[k][0], j = pairs[k][1];
        if (i != j)
            blocks->row[blocks->start[(i < j ? i : j) + 1]++] = i < j ? j : i;
    }
    CompactColumns(blockCount, blocks);
    return true;
}

typedef struct Pattern
{
    qvSparsePattern shared;     // first, so that the public pointer is this one
    int32_t *columnStart, *row; // what it owns of them; NULL where somebody else does
    int32_t *rowStart, *rowColumn, *rowEntry;
} Pattern;

static void FillColumns(Pattern* pattern, int blockCount, int blockSize, const BlockColumns* blocks)
{
    int32_t entry = 0;
    for (int j = 0; j < blockCount; j++)
    {
        for (int c = 0; c < blockSize; c++)
        {
            pattern->columnStart[j * blockSize + c] = entry;
            for (int r = c; r < blockSize; r++)
                pattern->row[entry++] = j * blockSize + r;
            for (size_t k = blocks->start[j]; k < blocks->start[j + 1]; k++)
            {
                for (int r = 0; r < blockSize; r++)
                    pattern->row[entry++] = blocks->row[k] * blockSize + r;
            }
        }
    }
    pattern->columnStart[blockCount * blockSize] = entry;
}

static void FillRows(Pattern* pattern)
{
    int size = pattern->shared.size;
    const int32_t *columnStart = pattern->shared.columnStart, *row = pattern->shared.row;
    int32_t* next = pattern->rowStart + 1;
    for (int j = 0; j < size; j++)
    {
        for (int32_t k = columnStart[j] + 1; k < columnStart[j + 1]; k++)
            next[row[k] + 1]++;
    }
    for (int i = 0; i < size; i++)
        next[i + 1] += next[i];
    for (int j = 0; j < size; j++)
    {
        for (int32_t k = columnStart[j] + 1; k < columnStart[j + 1]; k++)
        {
            int32_t place = next[row[k]]++;
            pattern->rowColumn[place] = j;
            pattern->rowEntry[place] = k;
        }
    }
}

// With columns of somebody else, to be filled in later.
static Pattern* AllocateRows(int size, int entryCount)
{
    Pattern* pattern = qvAllocate(1, sizeof(*pattern));
    if (pattern == NULL)
        return NULL;
    size_t below = (size_t)(entryCount - size);
    pattern->rowStart = qvAllocate((size_t)size + 2, sizeof(int32_t));
    pattern->rowColumn = qvAllocateRaw(below, sizeof(int32_t));
    pattern->rowEntry = qvAllocateRaw(below, sizeof(int32_t));
    pattern->shared = (qvSparsePattern){ size, entryCount, .rowStart = pattern->rowStart,
                                         .rowColumn = pattern->rowColumn, .rowEntry = pattern->rowEntry };
    if (pattern->rowStart == NULL || pattern->rowColumn == NULL || pattern->rowEntry == NULL)
    {
        qvDestroySparsePattern(&pattern->shared);
        return NULL;
    }
    return pattern;
}

static Pattern* AllocatePattern(int size, int entryCount)
{
    Pattern* pattern = AllocateRows(size, entryCount);
    if (pattern == NULL)
        return NULL;
    pattern->shared.columnStart = pattern->columnStart = qvAllocate((size_t)size + 1, sizeof(int32_t));
    pattern->shared.row = pattern->row = qvAllocateRaw((size_t)entryCount, sizeof(int32_t));
    if (pattern->columnStart == NULL || pattern->row == NULL)
    {
        qvDestroySparsePattern(&pattern->shared);
        return NULL;
    }
    return pattern;
}

qvResult qvCreateSparsePattern(int blockCount, int blockSize, const int32_t (*pairs)[2], size_t pairCount,
                               qvSparsePattern** out, qvError* error)
{
    QV_ASSERT(blockCount >= 0 && blockSize > 0 && (pairs != NULL || pairCount == 0));
    *out = NULL;
    BlockColumns blocks = { NULL, NULL };
    qvResult result = qv_ok;
    Pattern* pattern = NULL;
    if (!CollectBlocks(blockCount, pairs, pairCount, &blocks))
    {
        result = qvError_OutOfMemory(error, (double)pairCount * sizeof(int32_t));
        goto done;
    }
    double diagonal = (double)blockCount * blockSize * (blockSize + 1) / 2.0;
    double entryCount = diagonal + (double)blocks.start[blockCount] * blockSize * blockSize;
    if (entryCount >= INT_MAX)
    {
        result = qvError_Set(error, qv_badInput, "a matrix of %.3g entries is too large; use a mesh of fewer vertices",
                             entryCount);
        goto done;
    }
    pattern = AllocatePattern(blockCount * blockSize, (int)entryCount);
    if (pattern == NULL)
    {
        result = qvError_OutOfMemory(error, entryCount * 3 * sizeof(int32_t));
        goto done;
    }
    FillColumns(pattern, blockCount, blockSize, &blocks);
    FillRows(pattern);
    *out = &pattern->shared;
done:
    free(blocks.start);
    free(blocks.row);
    return result;
}

static void CheckColumns(int size, const int32_t* columnStart, const int32_t* row)
{
    for (int j = 0; j < size; j++)
    {
        QV_ASSERT(columnStart[j] < columnStart[j + 1] && row[columnStart[j]] == j);
        for (int32_t k = columnStart[j] + 1; k < columnStart[j + 1]; k++)
            QV_ASSERT(row[k] > row[k - 1] && row[k] < size);
    }
}

qvResult qvWrapSparsePattern(int size, const int32_t* columnStart, const int32_t* row, qvSparsePattern** out,
                             qvError* error)
{
    *out = NULL;
    CheckColumns(size, columnStart, row);
    Pattern* pattern = AllocateRows(size, columnStart[size]);
    if (pattern == NULL)
        return qvError_OutOfMemory(error, (double)columnStart[size] * 2 * sizeof(int32_t));
    pattern->shared.columnStart = columnStart, pattern->shared.row = row;
    FillRows(pattern);
    *out = &pattern->shared;
    return qv_ok;
}

qvResult qvCopySparsePattern(int size, const int32_t* columnStart, const int32_t* row, qvSparsePattern** out,
                             qvError* error)
{
    *out = NULL;
    int entryCount = columnStart[size];
    CheckColumns(size, columnStart, row);
    Pattern* pattern = AllocatePattern(size, entryCount);
    if (pattern == NULL)
        return qvError_OutOfMemory(error, (double)entryCount * 3 * sizeof(int32_t));
    memcpy(pattern->columnStart, columnStart, ((size_t)size + 1) * sizeof(int32_t));
    memcpy(pattern->row, row, (size_t)entryCount * sizeof(int32_t));
    FillRows(pattern);
    *out = &pattern->shared;
    return qv_ok;
}

qvResult qvSelectSparsePattern(const qvSparsePattern* pattern, const int32_t* number, int keptCount,
                               qvSparsePattern** out, int32_t* keptEntry, qvError* error)
{
    *out = NULL;
    int kept = 0;
    for (int j = 0; j < pattern->size; j++)
    {
        for (int32_t k = pattern->columnStart[j]; number[j] >= 0 && k < pattern->columnStart[j + 1]; k++)
            kept += number[pattern->row[k]] >= 0;
    }
    Pattern* selected = AllocatePattern(keptCount, kept);
    if (selected == NULL)
        return qvError_OutOfMemory(error, (double)kept * 3 * sizeof(int32_t));
    int32_t entry = 0;
    for (int j = 0; j < pattern->size; j++)
    {
        for (int32_t k = pattern->columnStart[j]; number[j] >= 0 && k < pattern->columnStart[j + 1]; k++)
        {
            if (number[pattern->row[k]] < 0)
                continue;
            selected->row[entry] = number[pattern->row[k]];
            keptEntry[entry++] = k;
        }
        if (number[j] >= 0)
            selected->columnStart[number[j] + 1] = entry;
    }
    FillRows(selected);
    *out = &selected->shared;
    return qv_ok;
}

void qvDestroySparsePattern(qvSparsePattern* shared)
{
    if (shared == NULL)
        return;
    Pattern* pattern = (Pattern*)shared;
    free(pattern->columnStart);
    free(pattern->row);
    free(pattern->rowStart);
    free(pattern->rowColumn);
    free(pattern->rowEntry);
    free(pattern);
}

int qvSparsePattern_Find(const qvSparsePattern* pattern, int row, int column)
{
    QV_ASSERT(column >= 0 && column <= row && row < pattern->size);
    int end = pattern->columnStart[column + 1];
    int place = qvLowerBound(pattern->row, pattern->columnStart[column], end, row);
    return place < end && pattern->row[place] == row ? place : -1;
}

// --- Products -------------------------------------------------------------------------------------------------------

typedef struct Product
{
    const qvSparse* matrix;
    qvSparseRowsFcn* rows;
    const double* x;
    double* y;
    int columnCount;
    double* wideX; // QV_SPARSE_WIDTH vectors side by side
} Product;

static qvSparseRowsFcn* PickRows(void)
{
#ifdef __x86_64__
    switch (qvGetCpuLevel())
    {
    case qv_cpuAvx512:
        return qvSparse_RowsAvx512;
    case qv_cpuAvx2:
        return qvSparse_RowsAvx2;
    default:
        break;
    }
#endif
    return qvSparse_Rows;
}

static void PackRows(void* context, int begin, int end)
{
    Product* product = context;
    size_t size = (size_t)product->matrix->pattern->size;
    for (size_t i = (size_t)begin; i < (size_t)end; i++)
    {
        double* wide = product->wideX + i * QV_SPARSE_WIDTH;
        for (int c = 0; c < QV_SPARSE_WIDTH; c++)
            wide[c] = c < product->columnCount ? product->x[(size_t)c * size + i] : 0.0;
    }
}

static void MultiplyWide(void* context, int begin, int end)
{
    Product* product = context;
    size_t size = (size_t)product->matrix->pattern->size;
    alignas(64) double wide[ROW_GRAIN * QV_SPARSE_WIDTH];
    product->rows(product->matrix, product->wideX, wide, begin, end);
    for (int c = 0; c < product->columnCount; c++)
    {
        double* y = product->y + (size_t)c * size + (size_t)begin;
        for (int i = 0; i < end - begin; i++)
            y[i] = wide[i * QV_SPARSE_WIDTH + c];
    }
}

static void MultiplyOne(void* context, int begin, int end)
{
    Product* product = context;
    const qvSparsePattern* pattern = product->matrix->pattern;
    const double *values = product->matrix->values, *x = product->x;
    for (int i = begin; i < end; i++)
    {
        double sum = 0.0;
        for (int32_t k = pattern->rowStart[i]; k < pattern->rowStart[i + 1]; k++)
            sum += values[pattern->rowEntry[k]] * x[pattern->rowColumn[k]];
        for (int32_t k = pattern->columnStart[i]; k < pattern->columnStart[i + 1]; k++)
            sum += values[k] * x[pattern->row[k]];
        product->y[i] = sum;
    }
}

static double* AllocateWide(int size)
{
    size_t bytes = (size_t)size * QV_SPARSE_WIDTH * sizeof(double);
    return aligned_alloc(64, bytes > 0 ? bytes : 64);
}

qvResult qvSparse_Multiply(const qvSparse* matrix, const double* x, int columnCount, double* y, const qvJob* job,
                           qvError* error)
{
    QV_ASSERT(columnCount >= 0);
    int size = matrix->pattern->size;
    if (size == 0 || columnCount == 0)
        return qv_ok;
    Product product = { .matrix = matrix, .x = x, .y = y, .rows = PickRows() };
    if (columnCount > 1)
    {
        product.wideX = AllocateWide(size);
        if (product.wideX == NULL)
            return qvError_OutOfMemory(error, (double)size * QV_SPARSE_WIDTH * sizeof(double));
    }
    qvResult result = qv_ok;
    for (int c = 0; result == qv_ok && c < columnCount; c += QV_SPARSE_WIDTH)
    {
        product.columnCount = columnCount - c < QV_SPARSE_WIDTH ? columnCount - c : QV_SPARSE_WIDTH;
        product.x = x + (size_t)c * (size_t)size;
        product.y = y + (size_t)c * (size_t)size;
        // One vector and eight give the same bits: both gather a row in the same order.
        if (product.columnCount == 1)
        {
            qvParallelFor(qvJob_Pool(job), size, ROW_GRAIN, MultiplyOne, &product);
            continue;
        }
        qvParallelFor(qvJob_Pool(job), size, ROW_GRAIN, PackRows, &product);
        qvParallelFor(qvJob_Pool(job), size, ROW_GRAIN, MultiplyWide, &product);
        result = qvJob_Ask(job, error);
    }
    free(product.wideX);
    return result;
}

double qvSparse_Norm(const qvSparse* matrix)
{
    const qvSparsePattern* pattern = matrix->pattern;
    double norm = 0.0;
    for (int i = 0; i < pattern->size; i++)
    {
        double sum = 0.0;
        for (int32_t k = pattern->rowStart[i]; k < pattern->rowStart[i + 1]; k++)
            sum += fabs(matrix->values[pattern->rowEntry[k]]);
        for (int32_t k = pattern->columnStart[i]; k < pattern->columnStart[i + 1]; k++)
            sum += fabs(matrix->values[k]);
        if (!isfinite(sum))
            return sum;
        norm = fmax(norm, sum);
    }
    return norm;
}
