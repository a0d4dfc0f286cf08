// SPDX-License-Identifier: GPL-3.0-or-later
// Distances along the surface: shortest paths (E. W. Dijkstra, A note on two problems in connexion with graphs, 1959)
// over the edges and over unfolded strips of triangles. From a point, its triangles and those behind them, up to
// MAX_CROSSINGS edges away, are laid flat; every point there that the straight segment from the origin reaches without
// leaving the strip is one step away. (The windows are those of J. S. B. Mitchell, D. M. Mount, C. H. Papadimitriou,
// The discrete geodesic problem, 1987, cut off.) Every step is a path on the surface, so no distance is too short.
#include "quaver/topology.h"

#include "base/assert.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

enum
{
    MAX_CROSSINGS = 3,
    ASKED_EVERY = 1 << 15 // points that are reached between questions to the job
};

typedef struct Search
{
    const qvTopology* topology;
    const qvVec3f* points;
    double maxDistance;
    double* distances;  // INFINITY until reached
    int32_t* heap;      // points, a binary heap by distance and then by index
    int32_t* heapIndex; // of each point, -1 when not in the heap
    int heapCount;
} Search;

static bool IsBefore(const Search* search, int a, int b)
{
    double x = search->distances[a], y = search->distances[b];
    return x < y || (x == y && a < b);
}

static void PutAt(Search* search, int index, int point)
{
    search->heap[index] = point;
    search->heapIndex[point] = index;
}

static void SiftUp(Search* search, int index)
{
    int point = search->heap[index];
    for (; index > 0 && IsBefore(search, point, search->heap[(index - 1) / 2]); index = (index - 1) / 2)
        PutAt(search, index, search->heap[(index - 1) / 2]);
    PutAt(search, index, point);
}

static void SiftDown(Search* search, int index)
{
    int point = search->heap[index];
    for (;;)
    {
        int child = 2 * index + 1;
        if (child + 1 < search->heapCount && IsBefore(search, search->heap[child + 1], search->heap[child]))
            child++;
        if (child >= search->heapCount || !IsBefore(search, search->heap[child], point))
            break;
        PutAt(search, index, search->heap[child]);
        index = child;
    }
    PutAt(search, index, point);
}

static int PopNearest(Search* search)
{
    int nearest = search->heap[0];
    search->heapIndex[nearest] = -1;
    search->heapCount--;
    if (search->heapCount > 0)
    {
        search->heap[0] = search->heap[search->heapCount];
        SiftDown(search, 0);
    }
    return nearest;
}

static void Reach(Search* search, int point, double distance)
{
    if (distance >= search->distances[point] || distance > search->maxDistance)
        return;
    search->distances[point] = distance;
    if (search->heapIndex[point] < 0)
        PutAt(search, search->heapCount++, point);
    SiftUp(search, search->heapIndex[point]);
}

static qvVec3 Position(const Search* search, int point)
{
    return qvVec3_FromFloat(search->points[point]);
}

typedef struct Point2
{
    double x, y;
} Point2;

// An edge of the unfolded strip with the origin on the left of right -> left, and the part of it that the origin sees:
// what lies between the directions first and last.
typedef struct Window
{
    int edge, triangle; // the triangle on the near side
    int right, left;    // points of the edge
    Point2 rightAt, leftAt;
    Point2 first, last;
} Window;

static double Cross2(Point2 a, Point2 b)
{
    return a.x * b.y - a.y * b.x;
}

// Where a point lands that has the given distances to the ends of the edge in space: on the far side of the edge.
static Point2 Unfold(const Search* search, const Window* window, int point)
{
    qvVec3 origin = Position(search, window->right);
    qvVec3 edge = qvSub(Position(search, window->left), origin), to = qvSub(Position(search, point), origin);
    double square = qvDot(edge, edge);
    double along = qvDot(edge, to) / square, away = qvLength(qvCross(edge, to)) / square;
    Point2 flat = { window->leftAt.x - window->rightAt.x, window->leftAt.y - window->rightAt.y };
    return (Point2){ window->rightAt.x + along * flat.x + away * flat.y,
                     window->rightAt.y + along * flat.y - away * flat.x };
}

static bool IsLeftOf(Point2 a, Point2 direction)
{
    return Cross2(direction, a) > 0.0;
}

// Looks through a window: reaches the point behind it, and goes on through the two edges there.
static void LookThrough(Search* search, double distance, const Window* window, int crossings)
{
    const qvTopology* topology = search->topology;
    const qvEdge* edge = &topology->edges[window->edge];
    int side = edge->triangle[0] == window->triangle ? 1 : 0, target = edge->opposite[side];
    if (target < 0)
        return;
    Point2 at = Unfold(search, window, target);
    bool isPastFirst = IsLeftOf(at, window->first), isBeforeLast = IsLeftOf(window->last, at);
    if (isPastFirst && isBeforeLast)
        Reach(search, target, distance + sqrt(at.x * at.x + at.y * at.y));
    if (crossings == 1)
        return;
    int t = edge->triangle[side];
    const int32_t* v = topology->triangles[t].v;
    int k = v[0] == target ? 0 : v[1] == target ? 1 : 2;
    int next = topology->triangleEdges[3 * t + k], previous = topology->triangleEdges[3 * t + (k + 2) % 3];
    bool isNextRight = v[(k + 1) % 3] == window->right;
    Window right = { isNextRight ? next : previous,   t, window->right, target, window->rightAt, at, window->first,
                     isBeforeLast ? at : window->last };
    Window left = { isNextRight ? previous : next,    t,           target, window->left, at, window->leftAt,
                    isPastFirst ? at : window->first, window->last };
    if (isPastFirst)
        LookThrough(search, distance, &right, crossings - 1);
    if (isBeforeLast)
        LookThrough(search, distance, &left, crossings - 1);
}

// Steps from a point across the edge opposite to it in triangle t.
static void StepAcross(Search* search, int point, int t)
{
    const qvTopology* topology = search->topology;
    const int32_t* v = topology->triangles[t].v;
    int k = v[0] == point ? 0 : v[1] == point ? 1 : 2;
    int right = v[(k + 1) % 3], left = v[(k + 2) % 3];
    qvVec3 toRight = qvSub(Position(search, right), Position(search, point));
    qvVec3 toLeft = qvSub(Position(search, left), Position(search, point));
    double length = qvLength(toRight);
    Point2 rightAt = { length, 0.0 };
    Point2 leftAt = { qvDot(toLeft, toRight) / length, qvLength(qvCross(toRight, toLeft)) / length };
    // A triangle without area, as deformation may leave it, has nothing behind it; nor has one with points at one
    // place, for which leftAt is not a number.
    if (!(leftAt.y > 0.0))
        return;
    Window window = { topology->triangleEdges[3 * t + (k + 1) % 3], t, right, left, rightAt, leftAt, rightAt, leftAt };
    LookThrough(search, search->distances[point], &window, MAX_CROSSINGS);
}

static void StepFrom(Search* search, int point)
{
    const qvTopology* topology = search->topology;
    qvVec3 position = Position(search, point);
    for (int i = topology->neighborStart[point]; i < topology->neighborStart[point + 1]; i++)
    {
        int neighbor = topology->neighbors[i];
        Reach(search, neighbor, search->distances[point] + qvDistance(position, Position(search, neighbor)));
    }
    for (int i = topology->fanStart[point]; i < topology->fanStart[point + 1]; i++)
        StepAcross(search, point, topology->fan[i]);
}

static qvResult Run(Search* search, const int32_t* sources, int sourceCount, const qvJob* job, qvError* error)
{
    for (int p = 0; p < search->topology->pointCount; p++)
    {
        search->distances[p] = INFINITY;
        search->heapIndex[p] = -1;
    }
    for (int i = 0; i < sourceCount; i++)
    {
        QV_ASSERT(sources[i] >= 0 && sources[i] < search->topology->pointCount);
        Reach(search, sources[i], 0.0);
    }
    for (int reached = 1; search->heapCount > 0; reached++)
    {
        qvResult result = reached % ASKED_EVERY == 0 ? qvJob_Ask(job, error) : qv_ok;
        if (result != qv_ok)
            return result;
        StepFrom(search, PopNearest(search));
    }
    return qv_ok;
}

qvResult qvComputeDistances(const qvTopology* topology, const qvVec3f* points, const int32_t* sources, int sourceCount,
                            double maxDistance, const qvJob* job, float* distances, qvError* error)
{
    QV_ASSERT(topology != NULL && points != NULL && distances != NULL && maxDistance >= 0.0);
    size_t count = (size_t)topology->pointCount;
    Search search = { .topology = topology, .points = points, .maxDistance = maxDistance };
    search.distances = qvAllocateRaw(count, sizeof(*search.distances));
    search.heap = qvAllocateRaw(count, sizeof(*search.heap));
    search.heapIndex = qvAllocateRaw(count, sizeof(*search.heapIndex));
    bool isAllocated = search.distances != NULL && search.heap != NULL && search.heapIndex != NULL;
    qvResult result = isAllocated ? Run(&search, sources, sourceCount, job, error)
                                  : qvError_OutOfMemory(error, 16.0 * topology->pointCount);
    for (size_t p = 0; result == qv_ok && p < count; p++)
        distances[p] = (float)search.distances[p];
    free(search.distances);
    free(search.heap);
    free(search.heapIndex);
    return result;
}
