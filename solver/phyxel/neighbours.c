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
           qvReserve(&lists->first, &lists->firstCapacity, buckets + 1, sizeof(int32_t)) &&
           qvReserve(&lists->order, &lists->orderCapacity, count, sizeof(int32_t)) &&
           qvReserve(&lists->cell, &lists->cellCapacity, count, sizeof(*lists->cell)) &&
           qvReserve(&lists->runs, &lists->runsCapacity, count, sizeof(*lists->runs)) &&
           qvReserve(&lists->around, &lists->aroundCapacity, 5 * count, sizeof(double));
}

static void FindCell(const qvNearLists* lists, qvVec3 x, int32_t cell[3])
{
    cell[0] = CellOf(x.x, lists->cellSize);
    cell[1] = CellOf(x.y, lists->cellSize);
    cell[2] = CellOf(x.z, lists->cellSize);
}

static uint32_t BucketOf(const qvNearLists* lists, const int32_t cell[3])
{
    return Bucket(cell, (uint32_t)lists->bucketCount - 1);
}

// From how many each has to where each begins; the last is where all end.
static void SumUp(int32_t* numbers, int count)
{
    int32_t sum = 0;
    for (int i = 0; i <= count; i++)
    {
        int32_t own = i < count ? numbers[i] : 0;
        numbers[i] = sum;
        sum += own;
    }
}

// Filling has moved where each begins to where it ends, which is where the next one begins.
static void ShiftBack(int32_t* starts, int count)
{
    memmove(starts + 1, starts, (size_t)count * sizeof(int32_t));
    starts[0] = 0;
}

static void FillBuckets(qvNearLists* lists, const qvNearQuery* query)
{
    memset(lists->first, 0, (size_t)lists->bucketCount * sizeof(int32_t));
    for (int i = 0; i < query->count; i++)
    {
        FindCell(lists, query->points[i], lists->cell[i]);
        lists->first[BucketOf(lists, lists->cell[i])]++;
    }
    SumUp(lists->first, lists->bucketCount);
    for (int i = 0; i < query->count; i++)
        lists->order[lists->first[BucketOf(lists, lists->cell[i])]++] = i;
    ShiftBack(lists->first, lists->bucketCount);
}

static double SquaredDistance(qvVec3 a, qvVec3 b)
{
    qvVec3 d = qvSub(a, b);
    return qvDot(d, d);
}

static bool IsInCell(const qvNearLists* lists, int i, const int32_t cell[3])
{
    return memcmp(cell, lists->cell[i], sizeof(lists->cell[i])) == 0;
}

// The cell itself and those about it: n from 0 to 26.
static void CellAround(const int32_t center[3], int n, int32_t cell[3])
{
    cell[0] = center[0] + n % 3 - 1, cell[1] = center[1] + n / 3 % 3 - 1, cell[2] = center[2] + n / 9 - 1;
}

// Of all points in the cells around one: coordinate by coordinate, so that distances are found for several at once.
typedef struct Around
{
    int count;
    double *x, *y, *z, *squares;
    int32_t *index, *found;
} Around;

static Around RoomAround(const qvNearLists* lists, int count)
{
    double* numbers = lists->around;
    return (Around){ .x = numbers,
                     .y = numbers + count,
                     .z = numbers + 2 * (size_t)count,
                     .squares = numbers + 3 * (size_t)count,
                     .index = (int32_t*)(numbers + 4 * (size_t)count),
                     .found = (int32_t*)(numbers + 4 * (size_t)count) + count };
}

static void GatherAround(const qvNearLists* lists, const qvNearQuery* query, const int32_t center[3], Around* around)
{
    around->count = 0;
    for (int n = 0; n < 27; n++)
    {
        int32_t cell[3];
        CellAround(center, n, cell);
        uint32_t bucket = BucketOf(lists, cell);
        for (int k = lists->first[bucket]; k < lists->first[bucket + 1]; k++)
        {
            int i = lists->order[k], at = around->count;
            if (!IsInCell(lists, i, cell))
                continue;
            around->x[at] = query->points[i].x, around->y[at] = query->points[i].y, around->z[at] = query->points[i].z;
            around->index[at] = i;
            around->count++;
        }
    }
}

// Into around->found: later points than i within a radius. Returns how many.
static int FindLater(const Around* around, qvVec3 x, int i, double radius)
{
    int found = 0;
    for (int k = 0; k < around->count; k++)
    {
        double dx = x.x - around->x[k], dy = x.y - around->y[k], dz = x.z - around->z[k];
        around->squares[k] = dx * dx + dy * dy + dz * dz;
    }
    for (int k = 0; k < around->count; k++)
    {
        // Without a branch, which would be guessed wrongly as often as not.
        around->found[found] = around->index[k];
        found += (around->squares[k] < radius * radius) & (around->index[k] > i);
    }
    return found;
}

static bool IsPair(const qvNearQuery* query, int i, int j)
{
    if (query->homes == NULL)
        return true;
    bool nearHomes = SquaredDistance(query->homes[i], query->homes[j]) < query->homeLimit * query->homeLimit;
    return nearHomes == query->onlyNearHomes;
}

// Appends a point to the run that began at `begin`, in order.
static void Insert(qvNearLists* lists, int begin, int* end, int32_t j)
{
    int at = (*end)++;
    for (; at > begin && lists->later[at - 1] > j; at--)
        lists->later[at] = lists->later[at - 1];
    lists->later[at] = j;
}

// Cell by cell, as all points of a cell look around in the same ones. Returns how many pairs; -1: out of memory.
static int FindPairs(qvNearLists* lists, const qvNearQuery* query, double radius)
{
    if (query->count == 0)
        return 0;
    int end = 0;
    Around around = RoomAround(lists, query->count);
    for (int k = 0; k < query->count; k++)
    {
        int i = lists->order[k], begin = end;
        if (k == 0 || !IsInCell(lists, i, lists->cell[lists->order[k - 1]]))
            GatherAround(lists, query, lists->cell[i], &around);
        int found = FindLater(&around, query->points[i], i, radius);
        if (found > INT32_MAX / 2 - end ||
            !qvReserve(&lists->later, &lists->laterCapacity, end + found, sizeof(int32_t)))
            return -1;
        for (int n = 0; n < found; n++)
        {
            if (IsPair(query, i, around.found[n]))
                Insert(lists, begin, &end, around.found[n]);
        }
        lists->runs[i][0] = begin, lists->runs[i][1] = end;
    }
    return end;
}

// Whether the second of a pair is in the list of the first.
static bool IsInList(const qvNearQuery* query, int i, int j)
{
    return query->radii == NULL ||
           SquaredDistance(query->points[i], query->points[j]) < query->radii[i] * query->radii[i];
}

// From the pairs in the order of their first points: so each point gets those before it, and then those after it.
static bool MakeLists(qvNearLists* lists, const qvNearQuery* query, int pairs)
{
    if (!qvReserve(&lists->index, &lists->indexCapacity, 2 * pairs, sizeof(int32_t)))
        return false;
    memset(lists->start, 0, (size_t)query->count * sizeof(int32_t));
    for (int pass = 0; pass < 2; pass++)
    {
        for (int i = 0; i < query->count; i++)
        {
            for (int n = lists->runs[i][0]; n < lists->runs[i][1]; n++)
            {
                int j = lists->later[n];
                if (pass == 0)
                    lists->start[i] += IsInList(query, i, j), lists->start[j] += IsInList(query, j, i);
                else
                {
                    if (IsInList(query, i, j))
                        lists->index[lists->start[i]++] = j;
                    if (IsInList(query, j, i))
                        lists->index[lists->start[j]++] = i;
                }
            }
        }
        if (pass == 0)
            SumUp(lists->start, query->count);
    }
    ShiftBack(lists->start, query->count);
    return true;
}

qvResult qvNearLists_Find(qvNearLists* lists, const qvNearQuery* query, qvError* error)
{
    int buckets = 16;
    while (buckets < query->count)
        buckets *= 2;
    if (!Reserve(lists, query->count, buckets))
        return qvError_OutOfMemory(error, 72.0 * query->count);
    double size = LargestRadius(query);
    lists->bucketCount = buckets;
    lists->cellSize = size > 0.0 ? size : 1.0;
    FillBuckets(lists, query);
    int pairs = FindPairs(lists, query, size);
    return pairs >= 0 && MakeLists(lists, query, pairs) ? qv_ok : qvError_OutOfMemory(error, 100.0 * query->count);
}

int qvNearLists_Around(const qvNearLists* lists, const qvNearQuery* query, qvVec3 x, double distance, int32_t* found,
                       int capacity)
{
    int32_t center[3], cell[3];
    int count = 0;
    FindCell(lists, x, center);
    for (int n = 0; n < 27; n++)
    {
        CellAround(center, n, cell);
        uint32_t bucket = BucketOf(lists, cell);
        for (int k = lists->first[bucket]; k < lists->first[bucket + 1]; k++)
        {
            int j = lists->order[k];
            if (!IsInCell(lists, j, cell) || count == capacity ||
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
    free(lists->first);
    free(lists->order);
    free(lists->cell);
    free(lists->later);
    free(lists->runs);
    free(lists->around);
    *lists = (qvNearLists){ 0 };
}
