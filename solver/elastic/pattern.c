// SPDX-License-Identifier: GPL-3.0-or-later
// The fixed sparsity of a shell's Hessians: one 3 x 3 block for every two points that share an edge, a triangle or a
// hinge.
#include "elastic/shell.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/search.h"

#include <stdlib.h>

static int CompareInts(const void* a, const void* b)
{
    int32_t x = *(const int32_t*)a, y = *(const int32_t*)b;
    return (x > y) - (x < y);
}

// Pairs of points that get a block: all edges, and the opposite corners of hinges (other pairs of a triangle or hinge
// are edges). Calls with rows NULL to count.
static void AddPair(int32_t a, int32_t b, int32_t* next, int32_t* rows)
{
    int32_t column = a < b ? a : b, row = a < b ? b : a;
    if (rows != NULL)
        rows[next[column]] = row;
    next[column]++;
}

static void AddPairs(const qvShell* shell, int32_t* next, int32_t* rows)
{
    for (int e = 0; e < shell->edgeCount; e++)
        AddPair(shell->edges[e].v[0], shell->edges[e].v[1], next, rows);
    for (int h = 0; h < shell->hingeCount; h++)
        AddPair(shell->hinges[h].v[2], shell->hinges[h].v[3], next, rows);
}

// Sorts each column and drops repeated rows, in place.
static void Compress(qvShell* shell)
{
    int32_t out = 0, begin = 0;
    for (int p = 0; p < shell->pointCount; p++)
    {
        int32_t end = shell->blockStart[p + 1], first = out;
        qsort(shell->blockRows + begin, (size_t)(end - begin), sizeof(int32_t), CompareInts);
        for (int32_t i = begin; i < end; i++)
        {
            if (out == first || shell->blockRows[out - 1] != shell->blockRows[i])
                shell->blockRows[out++] = shell->blockRows[i];
        }
        begin = end;
        shell->blockStart[p + 1] = out;
    }
}

static qvResult MakeBlocks(qvShell* shell, qvError* error)
{
    size_t points = (size_t)shell->pointCount;
    shell->blockStart = qvAllocate(points + 2, sizeof(int32_t));
    if (shell->blockStart == NULL)
        return qvError_OutOfMemory(error, (double)points * 4.0);
    int32_t* next = shell->blockStart + 1;
    AddPairs(shell, next + 1, NULL);
    for (int p = 0; p < shell->pointCount; p++)
        next[p + 1] += next[p];
    size_t count = (size_t)next[points];
    shell->blockRows = qvAllocate(count, sizeof(int32_t));
    if (shell->blockRows == NULL)
        return qvError_OutOfMemory(error, (double)count * 4.0);
    AddPairs(shell, next, shell->blockRows);
    Compress(shell);
    return qv_ok;
}

// Columns 3p, 3p + 1, 3p + 2: the lower triangle of the diagonal block, then the blocks below.
static qvResult MakeScalars(qvShell* shell, qvError* error)
{
    size_t points = (size_t)shell->pointCount;
    double entries = 9.0 * shell->blockStart[points] + 6.0 * (double)points;
    if (entries > INT32_MAX)
        return qvError_Set(error, qv_unsupported, "a mesh of %d points is too large", shell->pointCount);
    shell->columnStart = qvAllocate(3 * points + 1, sizeof(int32_t));
    shell->rows = qvAllocateRaw((size_t)entries, sizeof(int32_t));
    if (shell->columnStart == NULL || shell->rows == NULL)
        return qvError_OutOfMemory(error, entries * 4.0);
    int32_t at = 0;
    for (int32_t p = 0; p < shell->pointCount; p++)
    {
        for (int32_t k = 0; k < 3; k++)
        {
            for (int32_t i = k; i < 3; i++)
                shell->rows[at++] = 3 * p + i;
            for (int32_t s = shell->blockStart[p]; s < shell->blockStart[p + 1]; s++)
            {
                for (int32_t i = 0; i < 3; i++)
                    shell->rows[at++] = 3 * shell->blockRows[s] + i;
            }
            shell->columnStart[3 * p + k + 1] = at;
        }
    }
    return qv_ok;
}

// Place of the block of two points in the column of the lower one.
static int32_t FindSlot(const qvShell* shell, int32_t a, int32_t b)
{
    int32_t column = a < b ? a : b, row = a < b ? b : a;
    int32_t begin = shell->blockStart[column], end = shell->blockStart[column + 1];
    int32_t place = qvLowerBound(shell->blockRows, begin, end, row);
    QV_ASSERT(place < end && shell->blockRows[place] == row);
    return place - begin;
}

static void FindSlots(const qvShell* shell, const int32_t* v, int corners, int32_t* slots)
{
    int n = 0;
    for (int j = 0; j < corners; j++)
    {
        for (int i = j + 1; i < corners; i++)
            slots[n++] = FindSlot(shell, v[i], v[j]);
    }
}

qvResult qvShell_MakePattern(qvShell* shell, qvError* error)
{
    qvResult result = MakeBlocks(shell, error);
    if (result == qv_ok)
        result = MakeScalars(shell, error);
    if (result != qv_ok)
        return result;
    for (int e = 0; e < shell->edgeCount; e++)
        FindSlots(shell, shell->edges[e].v, 2, &shell->edges[e].slot);
    for (int t = 0; t < shell->triangleCount; t++)
        FindSlots(shell, shell->triangles[t].v, 3, shell->triangles[t].slot);
    for (int h = 0; h < shell->hingeCount; h++)
        FindSlots(shell, shell->hinges[h].v, 4, shell->hinges[h].slot);
    return qv_ok;
}
