// SPDX-License-Identifier: GPL-3.0-or-later
#include "mesh/edges.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum
{
    // Rows up to this length are sorted by insertion. A usual row has six keys.
    SHORT_ROW = 32
};

static int CompareKeys(const void* a, const void* b)
{
    uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return (x > y) - (x < y);
}

static void SortRow(uint64_t* keys, int count)
{
    if (count > SHORT_ROW)
    {
        qsort(keys, (size_t)count, sizeof(*keys), CompareKeys);
        return;
    }
    for (int i = 1; i < count; i++)
    {
        uint64_t key = keys[i];
        int j = i;
        for (; j > 0 && keys[j - 1] > key; j--)
            keys[j] = keys[j - 1];
        keys[j] = key;
    }
}

static void CountRows(const qvTriangle* triangles, int triangleCount, int32_t* counts)
{
    for (int t = 0; t < triangleCount; t++)
    {
        const int32_t* v = triangles[t].v;
        counts[v[0] < v[1] ? v[0] : v[1]]++;
        counts[v[1] < v[2] ? v[1] : v[2]]++;
        counts[v[2] < v[0] ? v[2] : v[0]]++;
    }
}

static void FillRows(const qvTriangle* triangles, int triangleCount, int32_t* cursor, uint64_t* keys)
{
    for (int t = 0; t < triangleCount; t++)
    {
        for (int k = 0; k < 3; k++)
        {
            int a = triangles[t].v[k], b = triangles[t].v[k == 2 ? 0 : k + 1];
            int low = a < b ? a : b, high = a < b ? b : a;
            keys[cursor[low]++] = (uint64_t)high << 32 | (uint32_t)(3 * t + k);
        }
    }
}

qvResult qvCreateEdgeTable(const qvTriangle* triangles, int triangleCount, int pointCount, qvEdgeTable* table,
                           qvError* error)
{
    // start is filled one entry ahead: start[i + 1] is the cursor of row i, and ends as the row's end.
    table->start = qvAllocate((size_t)pointCount + 2, sizeof(*table->start));
    table->keys = qvAllocateRaw((size_t)triangleCount * 3, sizeof(*table->keys));
    if (table->start == NULL || table->keys == NULL)
    {
        qvDestroyEdgeTable(table);
        return qvError_OutOfMemory(error, 4.0 * pointCount + 24.0 * triangleCount);
    }
    int32_t* start = table->start;
    CountRows(triangles, triangleCount, start + 2);
    for (int i = 0; i < pointCount; i++)
        start[i + 2] += start[i + 1];
    FillRows(triangles, triangleCount, start + 1, table->keys);
    for (int i = 0; i < pointCount; i++)
        SortRow(table->keys + start[i], start[i + 1] - start[i]);
    return qv_ok;
}

void qvDestroyEdgeTable(qvEdgeTable* table)
{
    free(table->start);
    free(table->keys);
    *table = (qvEdgeTable){ 0 };
}

static int FindRoot(int32_t* parent, int i)
{
    while (parent[i] != i)
    {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static void Join(int32_t* parent, int a, int b)
{
    a = FindRoot(parent, a);
    b = FindRoot(parent, b);
    parent[a > b ? a : b] = a > b ? b : a;
}

int qvFindParts(const qvTriangle* triangles, int triangleCount, int pointCount, int32_t* pointPart)
{
    for (int p = 0; p < pointCount; p++)
        pointPart[p] = p;
    for (int t = 0; t < triangleCount; t++)
    {
        Join(pointPart, triangles[t].v[0], triangles[t].v[1]);
        Join(pointPart, triangles[t].v[1], triangles[t].v[2]);
    }
    // The root of a part is its lowest point, and every other point comes after the one it hangs on.
    int partCount = 0;
    for (int p = 0; p < pointCount; p++)
        pointPart[p] = pointPart[p] == p ? partCount++ : pointPart[pointPart[p]];
    return partCount;
}
