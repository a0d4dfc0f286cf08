// SPDX-License-Identifier: GPL-3.0-or-later
// Exact distances near the surface and winding numbers of all nodes. Each slab of layers in z is done by one thread and
// goes through its own triangles in their order, so that the result does not depend on the number of threads.
//
// The winding of a node is the sum of signed crossings on the line of nodes along x up to it. Whether that line meets a
// triangle is decided in the (y, z) plane edge by edge: an edge counts when one end is below or at the line's z and the
// other above (so one point never counts on both sides), and when it passes at a y above the line's, which is computed
// from the same numbers for both triangles of the edge. The sum over a closed mesh is then 0 whatever is rounded: a
// line through an edge or a corner counts right, and no line leaks.
#include "body/distance_build.h"

#include "base/memory.h"
#include "base/watch.h"
#include "body/triangle.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum
{
    SLAB = 2,      // layers
    SLAB_RUN = 32, // slabs between two reports
};

typedef struct Band
{
    qvDistanceBuild* build;
    int32_t* start; // [slabs + 1]
    int32_t* list;  // triangles of each slab, ascending
    int firstSlab;
} Band;

typedef struct Range
{
    int begin, end; // half open
} Range;

// The nodes from lower to upper that the grid has.
static Range Nodes(double lower, double upper, int count)
{
    double begin = ceil(fmax(lower, 0.0)), end = floor(fmin(upper, count - 1.0)) + 1.0;
    return begin < end ? (Range){ (int)begin, (int)end } : (Range){ 0, 0 };
}

static qvVec3 Corner(const qvDistanceBuild* build, int triangle, int k)
{
    return build->points[build->triangles[triangle].v[k]];
}

// Without fmin and fmax, which would be calls.
static double Least(double a, double b, double c)
{
    double least = a < b ? a : b;
    return least < c ? least : c;
}

static double Most(double a, double b, double c)
{
    double most = a > b ? a : b;
    return most > c ? most : c;
}

void qvDistanceBuild_Take(const qvDistanceBuild* build, int triangle, const int at[3])
{
    size_t node = qvDistanceBuild_Node(build, at[0], at[1], at[2]);
    qvVec3 p = qvMakeVec3(at[0], at[1], at[2]);
    qvVec3 q =
        qvClosestOnTriangle(p, Corner(build, triangle, 0), Corner(build, triangle, 1), Corner(build, triangle, 2));
    qvVec3 to = qvSub(q, p);
    float square = (float)qvDot(to, to);
    if (square >= build->squares[node])
        return;
    build->squares[node] = square;
    build->nearest[node] = triangle;
    build->closest[0][node] = (float)q.x;
    build->closest[1][node] = (float)q.y;
    build->closest[2][node] = (float)q.z;
}

// Where an edge passes the layer at z; lower is its end with the lower number, for both of its triangles.
static void Pass(qvVec3 lower, qvVec3 higher, double z, double* x, double* y)
{
    double along = (z - lower.z) / (higher.z - lower.z);
    *x = lower.x + along * (higher.x - lower.x);
    *y = lower.y + along * (higher.y - lower.y);
    *y = fmin(fmax(*y, fmin(lower.y, higher.y)), fmax(lower.y, higher.y));
}

// Adds what a triangle contributes to the winding in one layer: between its edge that goes up there and the one that
// comes down.
static void Cross(const qvDistanceBuild* build, int triangle, int k)
{
    const int32_t* v = build->triangles[triangle].v;
    double x[2] = { 0.0, 0.0 }, y[2] = { 0.0, 0.0 }; // up, down
    bool isCrossed = false;
    for (int e = 0; e < 3; e++)
    {
        int32_t from = v[e], to = v[(e + 1) % 3];
        bool isFromBelow = build->points[from].z <= k, isToBelow = build->points[to].z <= k;
        if (isFromBelow == isToBelow)
            continue;
        int32_t low = from < to ? from : to, high = from < to ? to : from;
        int side = isFromBelow ? 0 : 1;
        Pass(build->points[low], build->points[high], k, &x[side], &y[side]);
        isCrossed = true;
    }
    if (!isCrossed || y[0] == y[1])
        return;
    // Counter-clockwise in (y, z) faces along +x: the line goes out there.
    int turn = y[1] < y[0] ? -1 : 1;
    double left = fmin(y[0], y[1]), right = fmax(y[0], y[1]);
    double begin = ceil(fmax(left, 0.0)), end = fmin(ceil(right), build->counts[1]);
    for (int j = (int)begin; j < end; j++)
    {
        double at = floor(x[0] + (j - y[0]) / (y[1] - y[0]) * (x[1] - x[0])) + 1.0;
        if (at < build->counts[0])
            build->winding[qvDistanceBuild_Node(build, at > 0.0 ? (int)at : 0, j, k)] += turn;
    }
}

typedef struct Near
{
    int triangle;
    qvVec3 normal, origin; // of its plane
    double lower, upper;   // of its box along x
    Range row;
} Near;

// How far a place is beyond both ends. fmin and fmax would be calls.
static inline double Beyond(double at, double lower, double upper)
{
    return at < lower ? lower - at : at > upper ? at - upper : 0.0;
}

// Brings the nodes of one row up to date with a triangle: who is farther from its plane or its box (beside: the square
// of that within the layer and the row) than from another triangle needs no closer look.
static void Approach(const qvDistanceBuild* build, const Near* near, int j, int k, double beside)
{
    size_t first = qvDistanceBuild_Node(build, 0, j, k);
    qvVec3 normal = near->normal, origin = near->origin;
    double height = normal.y * (j - origin.y) + normal.z * (k - origin.z) - normal.x * origin.x;
    for (int i = near->row.begin; i < near->row.end; i++)
    {
        double away = height + normal.x * i, beyond = Beyond(i, near->lower, near->upper);
        double square = build->squares[first + i];
        if (away * away < square && beyond * beyond + beside < square)
            qvDistanceBuild_Take(build, near->triangle, (int[3]){ i, j, k });
    }
}

// The unit normal of a triangle's plane; zero for a sliver, whose plane is noise.
static qvVec3 PlaneNormal(qvVec3 a, qvVec3 b, qvVec3 c)
{
    qvVec3 ab = qvSub(b, a), ac = qvSub(c, a), normal = qvCross(ab, ac);
    bool isSliver = !(qvDot(normal, normal) > 1e-10 * qvDot(ab, ab) * qvDot(ac, ac));
    return isSliver ? qvMakeVec3(0.0, 0.0, 0.0) : qvNormalize(normal);
}

static void AddTriangle(const qvDistanceBuild* build, int triangle, int firstLayer, int lastLayer)
{
    qvVec3 a = Corner(build, triangle, 0), b = Corner(build, triangle, 1), c = Corner(build, triangle, 2);
    qvVec3 normal = PlaneNormal(a, b, c);
    double band = build->band;
    double lowerY = Least(a.y, b.y, c.y), upperY = Most(a.y, b.y, c.y);
    double lowerZ = Least(a.z, b.z, c.z), upperZ = Most(a.z, b.z, c.z);
    Range rows = Nodes(lowerY - band, upperY + band, build->counts[1]);
    Near near = { triangle, normal, a, Least(a.x, b.x, c.x), Most(a.x, b.x, c.x), { 0, 0 } };
    near.row = Nodes(near.lower - band, near.upper + band, build->counts[0]);
    for (int k = firstLayer; k <= lastLayer; k++)
    {
        double beyondZ = Beyond(k, lowerZ, upperZ);
        if (beyondZ == 0.0)
            Cross(build, triangle, k);
        for (int j = rows.begin; j < rows.end; j++)
        {
            double beyondY = Beyond(j, lowerY, upperY), beside = beyondY * beyondY + beyondZ * beyondZ;
            if (beside < band * band)
                Approach(build, &near, j, k, beside);
        }
    }
}

// Crossings become the sum of those before; nodes that no triangle came near to are unknown.
static void FinishLayer(const qvDistanceBuild* build, int k)
{
    for (int j = 0; j < build->counts[1]; j++)
    {
        size_t first = qvDistanceBuild_Node(build, 0, j, k);
        int sum = 0;
        for (size_t n = first; n < first + (size_t)build->counts[0]; n++)
        {
            sum += build->winding[n];
            build->winding[n] = sum;
            if (build->nearest[n] < 0)
                build->squares[n] = UNKNOWN_SQUARE;
        }
    }
}

static void StartLayer(const qvDistanceBuild* build, int k)
{
    size_t first = qvDistanceBuild_Node(build, 0, 0, k), end = qvDistanceBuild_Node(build, 0, 0, k + 1);
    for (size_t n = first; n < end; n++)
    {
        build->squares[n] = (float)(build->band * build->band);
        build->nearest[n] = -1;
        build->winding[n] = 0;
        for (int axis = 0; axis < 3; axis++)
            build->closest[axis][n] = FAR_AWAY;
    }
}

static void RunSlabs(void* context, int begin, int end)
{
    const Band* band = context;
    const qvDistanceBuild* build = band->build;
    for (int s = band->firstSlab + begin; s < band->firstSlab + end; s++)
    {
        int first = s * SLAB, last = first + SLAB < build->counts[2] ? first + SLAB - 1 : build->counts[2] - 1;
        for (int k = first; k <= last; k++)
            StartLayer(build, k);
        for (int i = band->start[s]; i < band->start[s + 1]; i++)
            AddTriangle(build, band->list[i], first, last);
        for (int k = first; k <= last; k++)
            FinishLayer(build, k);
    }
}

static Range SlabsOf(const qvDistanceBuild* build, int triangle)
{
    double a = Corner(build, triangle, 0).z, b = Corner(build, triangle, 1).z, c = Corner(build, triangle, 2).z;
    Range layers = Nodes(Least(a, b, c) - build->band, Most(a, b, c) + build->band, build->counts[2]);
    return layers.begin < layers.end ? (Range){ layers.begin / SLAB, (layers.end - 1) / SLAB + 1 } : layers;
}

static qvResult ListTriangles(Band* band, int slabCount, qvError* error)
{
    const qvDistanceBuild* build = band->build;
    band->start = qvAllocate((size_t)slabCount + 2, sizeof(*band->start));
    if (band->start == NULL)
        return qvError_OutOfMemory(error, 4.0 * slabCount);
    double total = 0.0;
    for (int t = 0; t < build->triangleCount; t++)
    {
        Range slabs = SlabsOf(build, t);
        total += slabs.end - slabs.begin;
    }
    band->list = total < INT_MAX ? qvAllocateRaw((size_t)total, sizeof(*band->list)) : NULL;
    if (band->list == NULL)
        return qvError_OutOfMemory(error, 4.0 * total);
    // start[s + 2] counts the triangles of slab s; after the sums start[s + 1] is where it begins, and filling moves it
    // on to where the next begins.
    for (int t = 0; t < build->triangleCount; t++)
    {
        Range slabs = SlabsOf(build, t);
        for (int s = slabs.begin; s < slabs.end; s++)
            band->start[s + 2]++;
    }
    for (int s = 0; s < slabCount; s++)
        band->start[s + 2] += band->start[s + 1];
    for (int t = 0; t < build->triangleCount; t++)
    {
        Range slabs = SlabsOf(build, t);
        for (int s = slabs.begin; s < slabs.end; s++)
            band->list[band->start[s + 1]++] = t;
    }
    return qv_ok;
}

qvResult qvDistanceBuild_Band(qvDistanceBuild* build, const qvJob* job, qvError* error)
{
    Band band = { .build = build };
    int slabCount = (build->counts[2] + SLAB - 1) / SLAB;
    qvResult result = ListTriangles(&band, slabCount, error);
    for (; result == qv_ok && band.firstSlab < slabCount; band.firstSlab += SLAB_RUN)
    {
        int left = slabCount - band.firstSlab;
        result = qvJob_Progress(job, "distances", 0.5 * band.firstSlab / slabCount, error);
        if (result == qv_ok)
            result = qvWatchedFor(job, left < SLAB_RUN ? left : SLAB_RUN, 1, RunSlabs, &band, error);
    }
    free(band.start);
    free(band.list);
    return result;
}
