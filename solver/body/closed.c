// SPDX-License-Identifier: GPL-3.0-or-later
// Is a mesh closed? It is when every edge is run through as often one way as the other. Then a line meets the triangles
// as often coming in as going out, which the signs of distances rest on.
#include "body/distance_build.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

// An edge from a point to a higher one, or from there back.
typedef struct Way
{
    int32_t to, turn; // turn: +1 towards the higher point, -1 back
} Way;

static int CompareWays(const void* a, const void* b)
{
    int32_t x = ((const Way*)a)->to, y = ((const Way*)b)->to;
    return (x > y) - (x < y);
}

// The ways of each point to higher ones: [start[p], start[p + 1]).
static void GatherWays(const qvDistanceGridDef* def, int32_t* start, Way* ways)
{
    for (int pass = 0; pass < 2; pass++)
    {
        for (int t = 0; t < def->triangleCount; t++)
        {
            for (int k = 0; k < 3; k++)
            {
                int32_t a = def->triangles[t].v[k], b = def->triangles[t].v[(k + 1) % 3];
                int32_t low = a < b ? a : b;
                if (pass == 0)
                    start[low + 1]++;
                else
                    ways[--start[low + 1]] = (Way){ a < b ? b : a, a < b ? 1 : -1 };
            }
        }
        for (int p = 0; pass == 0 && p < def->pointCount; p++)
            start[p + 1] += start[p];
    }
    // The second pass left start[p + 1] at the first way of p.
    for (int p = 0; p < def->pointCount; p++)
        start[p] = start[p + 1];
    start[def->pointCount] = 3 * def->triangleCount;
}

static int CountOpenEdges(int pointCount, const int32_t* start, Way* ways, int32_t first[2])
{
    int open = 0;
    for (int p = 0; p < pointCount; p++)
    {
        int count = start[p + 1] - start[p];
        Way* own = ways + start[p];
        qsort(own, (size_t)count, sizeof(*own), CompareWays);
        for (int i = 0, turns = 0; i < count; i++)
        {
            turns += own[i].to == p ? 0 : own[i].turn;
            if (i + 1 < count && own[i + 1].to == own[i].to)
                continue;
            if (turns != 0 && open++ == 0)
                first[0] = p, first[1] = own[i].to;
            turns = 0;
        }
    }
    return open;
}

// Six times the volume, and a size to compare it with.
static double SixVolumes(const qvDistanceGridDef* def, double* size)
{
    double sum = 0.0;
    *size = 0.0;
    for (int t = 0; t < def->triangleCount; t++)
    {
        const int32_t* v = def->triangles[t].v;
        qvVec3 a = qvSub(def->points[v[0]], def->points[0]), b = qvSub(def->points[v[1]], def->points[0]);
        double part = qvDot(a, qvCross(b, qvSub(def->points[v[2]], def->points[0])));
        sum += part;
        *size += fabs(part);
    }
    return sum;
}

static qvResult CheckNumbers(const qvDistanceGridDef* def, qvError* error)
{
    if (def->triangleCount == 0)
        return qvError_Set(error, qv_badInput, "A mesh without triangles has no inside");
    for (int p = 0; p < def->pointCount; p++)
    {
        qvVec3 v = def->points[p];
        if (!isfinite(v.x) || !isfinite(v.y) || !isfinite(v.z))
            return qvError_Set(error, qv_badInput, "Point %d is not at a finite place", p);
    }
    return qv_ok;
}

qvResult qvCheckClosed(const qvDistanceGridDef* def, qvError* error)
{
    qvResult result = CheckNumbers(def, error);
    if (result != qv_ok)
        return result;
    int32_t* start = qvAllocate((size_t)def->pointCount + 1, sizeof(*start));
    Way* ways = qvAllocateRaw(3 * (size_t)def->triangleCount, sizeof(*ways));
    if (start == NULL || ways == NULL)
        result = qvError_OutOfMemory(error, 4.0 * def->pointCount + 24.0 * def->triangleCount);
    if (result == qv_ok)
    {
        int32_t at[2];
        GatherWays(def, start, ways);
        int open = CountOpenEdges(def->pointCount, start, ways, at);
        if (open > 0)
            result =
                qvError_Set(error, qv_badInput,
                            "The mesh is not closed: %d edge%s no matching neighbour, one from point %d to point %d; "
                            "close its holes and make all triangles face the same way",
                            open, open == 1 ? " has" : "s have", at[0], at[1]);
    }
    free(start);
    free(ways);
    if (result != qv_ok)
        return result;
    double size, volume = SixVolumes(def, &size);
    if (!(fabs(volume) > 1e-12 * size))
        return qvError_Set(error, qv_badInput, "The mesh encloses no volume");
    if (volume < 0.0)
        return qvError_Set(error, qv_badInput, "The mesh faces inwards: turn its triangles round");
    return qv_ok;
}
