// SPDX-License-Identifier: GPL-3.0-or-later
#include "phyxel/neighbours.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double CELL_LIMIT = 1e9; // of a cell's coordinates, beyond which all fall into one

static double LargestRadius(const qvNearQuery* query)
{
    if (query->radii == NULL)
        return query->radius;
    double largest = 0.0;
    for (int i = 0; i < query->count; i++)
        largest = fmax(largest, query->radii[i]);
    return largest;
}

static uint32_t Bucket(const int32_t cell[3], uint32_t mask)
{
    uint32_t hash = (uint32_t)cell[0] * 73856093u ^ (uint32_t)cell[1] * 19349663u ^ (uint32_t)cell[2] * 83492791u;
    return (hash ^ hash >> 15) & mask;
}

static int32_t CellOf(double x, double size)
{
    double cell = floor(x / size);
    return isfinite(cell) ? (int32_t)fmin(fmax(cell, -CELL_LIMIT), CELL_LIMIT) : 0;
}

static bool Reserve(qvNearLists* lists, int count, int buckets)
{
    return qvReserve(&lists->start, &lists->startCapacity, count + 1, sizeof(int32_t)) &&
           qvReserve(&lists->head, &lists->headCapacity, buckets, sizeof(int32_t)) &&
           qvReserve(&lists->next, &lists->nextCapacity, count, sizeof(int32_t)) &&
           qvReserve(&lists->cell, &lists->cellCapacity, count, sizeof(*lists->cell));
}

static void FindCell(const qvNearLists* lists, qvVec3 x, int32_t cell[3])
{
    cell[0] = CellOf(x.x, lists->cellSize);
    cell[1] = CellOf(x.y, lists->cellSize);
    cell[2] = CellOf(x.z, lists->cellSize);
}

static void FillBuckets(qvNearLists* lists, const qvNearQuery* query)
{
    memset(lists->head, -1, (size_t)lists->bucketCount * sizeof(int32_t));
    for (int i = 0; i < query->count; i++)
    {
        FindCell(lists, query->points[i], lists->cell[i]);
        uint32_t bucket = Bucket(lists->cell[i], (uint32_t)lists->bucketCount - 1);
        lists->next[i] = lists->head[bucket];
        lists->head[bucket] = i;
    }
}

static double SquaredDistance(qvVec3 a, qvVec3 b)
{
    qvVec3 d = qvSub(a, b);
    return qvDot(d, d);
}

static bool IsNear(const qvNearQuery* query, int i, int j)
{
    double radius = query->radii != NULL ? query->radii[i] : query->radius;
    if (i == j || !(SquaredDistance(query->points[i], query->points[j]) < radius * radius))
        return false;
    if (query->homes == NULL)
        return true;
    bool nearHomes = SquaredDistance(query->homes[i], query->homes[j]) < query->homeLimit * query->homeLimit;
    return nearHomes == query->onlyNearHomes;
}

// Appends a neighbour to the list that began at `first`, in order.
static bool Insert(qvNearLists* lists, int first, int* end, int32_t j)
{
    if (*end == INT32_MAX || !qvReserve(&lists->index, &lists->indexCapacity, *end + 1, sizeof(int32_t)))
        return false;
    int at = (*end)++;
    for (; at > first && lists->index[at - 1] > j; at--)
        lists->index[at] = lists->index[at - 1];
    lists->index[at] = j;
    return true;
}

static bool FindOf(qvNearLists* lists, const qvNearQuery* query, int i, int* end)
{
    int first = *end;
    for (int n = 0; n < 27; n++)
    {
        int32_t cell[3] = { lists->cell[i][0] + n % 3 - 1, lists->cell[i][1] + n / 3 % 3 - 1,
                            lists->cell[i][2] + n / 9 - 1 };
        for (int j = lists->head[Bucket(cell, (uint32_t)lists->bucketCount - 1)]; j >= 0; j = lists->next[j])
        {
            if (memcmp(cell, lists->cell[j], sizeof(cell)) == 0 && IsNear(query, i, j) && !Insert(lists, first, end, j))
                return false;
        }
    }
    return true;
}

qvResult qvNearLists_Find(qvNearLists* lists, const qvNearQuery* query, qvError* error)
{
    int buckets = 16, end = 0;
    while (buckets < query->count)
        buckets *= 2;
    if (!Reserve(lists, query->count, buckets))
        return qvError_OutOfMemory(error, 24.0 * query->count);
    double size = LargestRadius(query);
    lists->bucketCount = buckets;
    lists->cellSize = size > 0.0 ? size : 1.0;
    FillBuckets(lists, query);
    for (int i = 0; i < query->count; i++)
    {
        lists->start[i] = end;
        if (!FindOf(lists, query, i, &end))
            return qvError_OutOfMemory(error, 4.0 * end);
    }
    lists->start[query->count] = end;
    return qv_ok;
}

int qvNearLists_Around(const qvNearLists* lists, const qvNearQuery* query, qvVec3 x, double distance, int32_t* found,
                       int capacity)
{
    int32_t center[3];
    int count = 0;
    FindCell(lists, x, center);
    for (int n = 0; n < 27; n++)
    {
        int32_t cell[3] = { center[0] + n % 3 - 1, center[1] + n / 3 % 3 - 1, center[2] + n / 9 - 1 };
        for (int j = lists->head[Bucket(cell, (uint32_t)lists->bucketCount - 1)]; j >= 0; j = lists->next[j])
        {
            if (memcmp(cell, lists->cell[j], sizeof(cell)) != 0 || count == capacity ||
                !(SquaredDistance(query->points[j], x) < distance * distance))
                continue;
            int at = count++;
            for (; at > 0 && found[at - 1] > j; at--)
                found[at] = found[at - 1];
            found[at] = j;
        }
    }
    return count;
}

void qvNearLists_Free(qvNearLists* lists)
{
    free(lists->start);
    free(lists->index);
    free(lists->head);
    free(lists->next);
    free(lists->cell);
    *lists = (qvNearLists){ 0 };
}
