// SPDX-License-Identifier: GPL-3.0-or-later
// Limbs from the shape. From the touched point distances along the surface grow; the points beyond a distance hang
// together in pieces, the largest of which is the body and the others are tips of the limb. The border of the body's
// piece is a ring round the limb. Its length is the limb's girth there: it rises while the ring grows round the tip,
// stays about the same along the limb, and rises again where the limb runs into the body. All distances are cut into
// levels, and taken from the farthest to the nearest, points join their neighbours in a forest of sets.
#include "quaver/limb.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

enum
{
    LEVELS = 96
};

// Round the touched point a ring at distance d is 2 pi d long; one that is shorter than this share of that has closed
// round the limb.
static const double CLOSED = 0.6;
// A girth that grows by this much per distance is no limb any more. A cone of 18 degrees has 2.
static const double WIDENING = 2.0;
// The distance over which that is measured, and the spread of a bend, in radii of the limb.
static const double MEASURED = 0.75;
static const double SPREAD = 0.75;
// How long a limb is at least, from the joint to the tip, in radii.
static const double LONG = 0.8;
// How much thicker it may be there than round the touched place.
static const double THICK = 2.0;
// The girth over that of the limb where the body begins.
static const double WIDER = 1.15;

typedef struct Ring
{
    double girth;
    qvVec3 middle;
    int32_t body; // a point of the body's piece; -1: none
} Ring;

typedef struct Search
{
    const qvTopology* topology;
    const qvVec3f* points;
    float* distances;
    double step; // from level to level
    int32_t* parents;
    int32_t* sizes;  // of sets, at their roots; 0: not joined yet
    int32_t* starts; // of the triangles of each level in the list
    int32_t* list;   // triangles that cross a level
    int32_t* order;  // points by level
    int32_t* orderStarts;
    Ring rings[LEVELS];
} Search;

static int32_t FindRoot(const Search* search, int32_t i)
{
    while (search->parents[i] != i)
    {
        search->parents[i] = search->parents[search->parents[i]];
        i = search->parents[i];
    }
    return i;
}

static void Join(const Search* search, int32_t a, int32_t b)
{
    a = FindRoot(search, a), b = FindRoot(search, b);
    if (a == b)
        return;
    int32_t root = search->sizes[a] < search->sizes[b] ? b : a, other = root == a ? b : a;
    search->parents[other] = root;
    search->sizes[root] += search->sizes[other];
}

// The level below a distance: 0 for the touched point; LEVELS for what is out of reach.
static int LevelOf(const Search* search, double distance)
{
    return isfinite(distance) ? (int)fmin(distance / search->step, LEVELS - 1.0) : LEVELS;
}

static void LevelsOfTriangle(const Search* search, int t, int* low, int* high)
{
    const int32_t* v = search->topology->triangles[t].v;
    *low = LEVELS, *high = -1;
    for (int k = 0; k < 3; k++)
    {
        int level = LevelOf(search, search->distances[v[k]]);
        *low = level < *low ? level : *low;
        *high = level > *high ? level : *high;
    }
    if (*high == LEVELS)
        *low = *high = 0;
}

// Rows of a counting sort: counts become starts.
static int32_t SumUp(int32_t* starts)
{
    int32_t sum = 0;
    for (int level = 0; level <= LEVELS; level++)
    {
        int32_t count = starts[level];
        starts[level] = sum;
        sum += count;
    }
    return sum;
}

// Level k lies at k steps: a triangle crosses those above its lowest up to its highest point's.
static bool SortTriangles(Search* search)
{
    int low, high;
    for (int t = 0; t < search->topology->triangleCount; t++)
    {
        LevelsOfTriangle(search, t, &low, &high);
        for (int level = low + 1; level <= high; level++)
            search->starts[level]++;
    }
    int32_t total = SumUp(search->starts);
    search->list = qvAllocateRaw((size_t)total + 1, sizeof(int32_t));
    if (search->list == NULL)
        return false;
    for (int t = 0; t < search->topology->triangleCount; t++)
    {
        LevelsOfTriangle(search, t, &low, &high);
        for (int level = low + 1; level <= high; level++)
            search->list[search->starts[level]++] = t;
    }
    for (int level = LEVELS; level > 0; level--)
        search->starts[level] = search->starts[level - 1];
    search->starts[0] = 0;
    return true;
}

static void SortPoints(Search* search)
{
    for (int i = 0; i < search->topology->pointCount; i++)
        search->orderStarts[LevelOf(search, search->distances[i])]++;
    SumUp(search->orderStarts);
    for (int i = 0; i < search->topology->pointCount; i++)
        search->order[search->orderStarts[LevelOf(search, search->distances[i])]++] = i;
}

// Where the line of one distance crosses an edge.
static qvVec3 Crossing(const Search* search, int32_t a, int32_t b, double distance)
{
    double from = search->distances[a], to = search->distances[b], share = (distance - from) / (to - from);
    qvVec3 start = qvVec3_FromFloat(search->points[a]);
    return qvMulAdd(start, share, qvSub(qvVec3_FromFloat(search->points[b]), start));
}

static void AddTriangle(const Search* search, int t, double distance, int32_t body, Ring* ring)
{
    const int32_t* v = search->topology->triangles[t].v;
    qvVec3 ends[3];
    int count = 0;
    for (int k = 0; k < 3; k++)
    {
        int32_t a = v[k], b = v[(k + 1) % 3];
        bool isBeyond = search->distances[a] >= distance;
        if (isBeyond == (search->distances[b] >= distance))
            continue;
        if (FindRoot(search, isBeyond ? a : b) != body)
            return;
        ends[count++] = Crossing(search, a, b, distance);
    }
    if (count != 2)
        return;
    double length = qvDistance(ends[0], ends[1]);
    ring->girth += length;
    ring->middle = qvMulAdd(ring->middle, 0.5 * length, qvAdd(ends[0], ends[1]));
}

// Joins what lies from one level to the next above it, and returns the largest piece so far.
static int32_t JoinLevel(Search* search, int level, int32_t largest)
{
    const qvTopology* topology = search->topology;
    int begin = level > 0 ? search->orderStarts[level - 1] : 0;
    for (int k = begin; k < search->orderStarts[level]; k++)
        search->sizes[search->order[k]] = 1;
    for (int k = begin; k < search->orderStarts[level]; k++)
    {
        int32_t point = search->order[k];
        for (int n = topology->neighborStart[point]; n < topology->neighborStart[point + 1]; n++)
        {
            if (search->sizes[topology->neighbors[n]] > 0)
                Join(search, point, topology->neighbors[n]);
        }
        int32_t root = FindRoot(search, point);
        if (largest < 0 || search->sizes[root] > search->sizes[FindRoot(search, largest)])
            largest = root;
    }
    return largest;
}

static void MeasureRings(Search* search)
{
    int32_t largest = -1;
    for (int level = LEVELS - 1; level > 0; level--)
    {
        largest = JoinLevel(search, level, largest);
        Ring* ring = &search->rings[level];
        ring->body = largest;
        for (int k = search->starts[level]; largest >= 0 && k < search->starts[level + 1]; k++)
            AddTriangle(search, search->list[k], level * search->step, FindRoot(search, largest), ring);
        if (ring->girth > 0.0)
            ring->middle = qvScale(1.0 / ring->girth, ring->middle);
    }
}

static bool Widens(const Search* search, int level)
{
    double girth = search->rings[level].girth;
    int ahead = (int)fmax(ceil(MEASURED * girth / QV_TWO_PI / search->step), 1.0);
    return level + ahead < LEVELS && search->rings[level + ahead].girth - girth > WIDENING * ahead * search->step;
}

// The first level at which the ring has closed round something.
static int FindClosed(const Search* search)
{
    int level = 1;
    while (level < LEVELS && search->rings[level].girth > CLOSED * QV_TWO_PI * level * search->step)
        level++;
    return level;
}

// The next level from one on before the girth widens; LEVELS: none.
static int FindWidening(const Search* search, int level)
{
    while (level < LEVELS && search->rings[level].girth > 0.0 && !Widens(search, level))
        level++;
    return level < LEVELS && search->rings[level].girth > 0.0 ? level : LEVELS;
}

static qvVec3 MiddleAt(const Search* search, double level)
{
    int i = (int)fmin(floor(level), LEVELS - 2.0);
    const Ring *a = &search->rings[i], *b = &search->rings[i + 1];
    if (!(a->girth > 0.0 && b->girth > 0.0))
        return a->girth > 0.0 ? a->middle : b->middle;
    return qvMulAdd(a->middle, level - i, qvSub(b->middle, a->middle));
}

// A plane that cuts the surface.
typedef struct Plane
{
    qvVec3 at, normal;
} Plane;

static double Above(const Search* search, const Plane* plane, int32_t point)
{
    return qvDot(qvSub(qvVec3_FromFloat(search->points[point]), plane->at), plane->normal);
}

// Whether the plane cuts the edge from corner k of a triangle to the next, and where.
static bool CutsEdge(const Search* search, const Plane* plane, int t, int k, qvVec3* place)
{
    const int32_t* v = search->topology->triangles[t].v;
    int32_t a = v[k], b = v[(k + 1) % 3];
    double from = Above(search, plane, a), to = Above(search, plane, b);
    qvVec3 start = qvVec3_FromFloat(search->points[a]);
    if ((from < 0.0) == (to < 0.0))
        return false;
    *place = qvMulAdd(start, from / (from - to), qvSub(qvVec3_FromFloat(search->points[b]), start));
    return true;
}

// The triangle that the plane cuts nearest to its place, and the corner before the cut; -1: none.
static int NearestCut(const Search* search, const Plane* plane, int* corner)
{
    int nearest = -1;
    double best = INFINITY;
    for (int t = 0; t < search->topology->triangleCount; t++)
    {
        qvVec3 place;
        for (int k = 0; k < 3; k++)
        {
            if (!CutsEdge(search, plane, t, k, &place) || qvDistance(place, plane->at) >= best)
                continue;
            best = qvDistance(place, plane->at);
            nearest = t;
            *corner = k;
        }
    }
    return nearest;
}

// Round the limb through the triangles that the plane cuts, from the nearest one on, until that comes again or the
// surface ends.
static Ring CutLimb(const Search* search, const Plane* plane)
{
    const qvTopology* topology = search->topology;
    Ring ring = { 0 };
    int corner = 0, start = NearestCut(search, plane, &corner), t = start;
    for (int steps = 0; t >= 0 && steps < topology->triangleCount && (t != start || steps == 0); steps++)
    {
        qvVec3 enters, leaves;
        int next = (corner + 1) % 3;
        if (!CutsEdge(search, plane, t, corner, &enters))
            break;
        if (!CutsEdge(search, plane, t, next, &leaves))
            next = (corner + 2) % 3;
        if (!CutsEdge(search, plane, t, next, &leaves))
            break;
        double length = qvDistance(enters, leaves);
        ring.girth += length;
        ring.middle = qvMulAdd(ring.middle, 0.5 * length, qvAdd(enters, leaves));
        int32_t edge = topology->triangleEdges[3 * t + next];
        const int32_t* sides = topology->edges[edge].triangle;
        t = sides[0] == t ? sides[1] : sides[0];
        for (corner = 0; t >= 0 && corner < 2 && topology->triangleEdges[3 * t + corner] != edge;)
            corner++;
    }
    ring.middle = ring.girth > 0.0 ? qvScale(1.0 / ring.girth, ring.middle) : plane->at;
    return ring;
}

// In the middle of the limb, and as far along it from a place as the touched one is. The section is a radius before
// that: at the very end there is none.
static qvVec3 CentreTip(const Search* search, qvVec3 from, qvVec3 at, double radius)
{
    qvVec3 tip = at;
    for (int round = 0; round < 3; round++)
    {
        qvVec3 along = qvNormalize(qvSub(tip, from));
        double length = fmax(qvDot(qvSub(at, from), along), 0.5 * radius);
        qvVec3 before = qvMulAdd(from, fmax(length - radius, 0.5 * length), along);
        along = qvNormalize(qvSub(CutLimb(search, &(Plane){ before, along }).middle, from));
        tip = qvMulAdd(from, length, along);
    }
    return tip;
}

// A ring of one distance lies askew where the limb was touched on one side. Plane sections say where it widens: from a
// place inside it towards the body.
static qvVec3 FindBegin(const Search* search, qvVec3 begin, qvVec3 along, double inside, double radius)
{
    const double step = 0.1 * radius;
    qvVec3 at = qvMulAdd(begin, inside, along);
    double limit = WIDER * CutLimb(search, &(Plane){ at, along }).girth;
    for (int i = 0; i < 25; i++)
    {
        qvVec3 next = qvMulAdd(at, -step, along);
        if (CutLimb(search, &(Plane){ next, along }).girth > limit)
            break;
        at = next;
    }
    return CutLimb(search, &(Plane){ at, along }).middle;
}

// What a flood over the points may enter: what is beyond a distance, or above a plane.
typedef struct Region
{
    const Plane* plane; // NULL: the distance counts
    double distance;
} Region;

static bool IsInside(const Search* search, const Region* region, int32_t point)
{
    return region->plane != NULL ? Above(search, region->plane, point) > 0.0
                                 : search->distances[point] >= region->distance;
}

// Marks what hangs together with a point in a region. The forest of sets is not needed any more and lends its room.
static void Flood(Search* search, const Region* region, int32_t start, int32_t mark)
{
    const qvTopology* topology = search->topology;
    int32_t *marks = search->parents, *queue = search->sizes;
    int end = 0;
    if (start < 0 || !IsInside(search, region, start))
        return;
    marks[start] |= mark;
    queue[end++] = start;
    for (int at = 0; at < end; at++)
    {
        for (int k = topology->neighborStart[queue[at]]; k < topology->neighborStart[queue[at] + 1]; k++)
        {
            int32_t next = topology->neighbors[k];
            if ((marks[next] & mark) != 0 || !IsInside(search, region, next))
                continue;
            marks[next] |= mark;
            queue[end++] = next;
        }
    }
}

// Whether what a bend takes along is the limb alone: nothing of the body's piece beyond the level, save for what lies
// askew round the limb.
static bool IsSeparate(Search* search, int level, const qvLimb* limb, double radius)
{
    enum
    {
        BODY = 1,
        LIMB = 2
    };
    qvVec3 along = qvNormalize(qvSub(limb->tip, limb->joint));
    Plane plane = { qvMulAdd(limb->joint, -limb->spread, along), along };
    double limit = level * search->step + QV_PI * radius;
    int32_t touched = 0;
    for (int i = 0; i < search->topology->pointCount; i++)
    {
        search->parents[i] = 0;
        touched = search->distances[i] < search->distances[touched] ? i : touched;
    }
    Flood(search, &(Region){ .distance = level * search->step }, search->rings[level].body, BODY);
    Flood(search, &(Region){ .plane = &plane }, touched, LIMB);
    for (int i = 0; i < search->topology->pointCount; i++)
    {
        if (search->parents[i] == (BODY | LIMB) && search->distances[i] > limit)
            return false;
    }
    return true;
}

// A bend begins at the body and reaches over twice the spread into the limb, so that the body stays as it is.
static qvLimb MakeLimb(const Search* search, qvVec3 at, double level, bool byShape)
{
    qvVec3 joint = MiddleAt(search, level);
    double length = qvDistance(at, joint), radius = search->rings[(int)level].girth / QV_TWO_PI;
    double spread = fmin(SPREAD * radius, 0.4 * length);
    if (!(spread > 0.0))
        return (qvLimb){ 0 };
    qvVec3 tip = CentreTip(search, joint, at, radius), along = qvNormalize(qvSub(tip, joint));
    if (byShape)
    {
        double inside = fmin(radius, 0.3 * length);
        joint = qvMulAdd(FindBegin(search, joint, along, inside, radius), spread, along);
        joint = CutLimb(search, &(Plane){ joint, along }).middle;
        tip = CentreTip(search, joint, at, radius);
    }
    return (qvLimb){ .found = true, .joint = joint, .tip = tip, .spread = spread };
}

// Whether it is long enough to be bent, and the tip where the touched place is. A thumb is none: its hand is.
static bool IsLimb(const qvLimb* limb, qvVec3 at, double radius)
{
    return limb->found && qvDistance(limb->tip, limb->joint) > LONG * radius &&
           qvDistance(limb->tip, at) < 3.0 * radius;
}

// Where the body would come along, the joint goes towards the tip.
static bool TryLimb(Search* search, qvVec3 at, double level, bool byShape, qvLimb* limb)
{
    qvLimb found = MakeLimb(search, at, level, byShape);
    double radius = search->rings[(int)level].girth / QV_TWO_PI;
    for (int i = 0; i < 6 && IsLimb(&found, at, byShape ? radius : 0.5 * radius); i++)
    {
        if (IsSeparate(search, (int)level, &found, radius))
        {
            *limb = found;
            return true;
        }
        found.joint = qvMulAdd(found.joint, 0.15, qvSub(found.tip, found.joint));
    }
    return false;
}

static void SetLimb(Search* search, qvVec3 at, double distance, qvLimb* limb)
{
    double last = (LEVELS - 2) * search->step;
    if (distance > 0.0)
    {
        double level = fmax(fmin(distance, last) / search->step, 1.0);
        if (search->rings[(int)level].girth > 0.0)
            TryLimb(search, at, level, false, limb);
        return;
    }
    int closed = FindClosed(search);
    for (int level = closed; level < LEVELS; level++)
    {
        level = FindWidening(search, level);
        if (level >= LEVELS - 1 || search->rings[level].girth > THICK * search->rings[closed].girth ||
            TryLimb(search, at, level, true, limb))
            return;
        while (level + 1 < LEVELS && Widens(search, level + 1))
            level++;
    }
}

static int32_t NearestPoint(const Search* search, qvVec3 at)
{
    int32_t nearest = 0;
    double best = INFINITY;
    for (int i = 0; i < search->topology->pointCount; i++)
    {
        double distance = qvDistance(qvVec3_FromFloat(search->points[i]), at);
        nearest = distance < best ? i : nearest;
        best = fmin(best, distance);
    }
    return nearest;
}

static qvResult Run(Search* search, qvVec3 at, double distance, qvLimb* limb, qvError* error)
{
    int count = search->topology->pointCount;
    int32_t start = NearestPoint(search, at);
    double farthest = 0.0;
    qvResult result =
        qvComputeDistances(search->topology, search->points, &start, 1, INFINITY, NULL, search->distances, error);
    if (result != qv_ok)
        return result;
    for (int i = 0; i < count; i++)
    {
        search->parents[i] = i;
        farthest = isfinite(search->distances[i]) ? fmax(farthest, search->distances[i]) : farthest;
    }
    if (!(farthest > 0.0))
        return qv_ok;
    search->step = farthest / LEVELS;
    if (!SortTriangles(search))
        return qvError_OutOfMemory(error, 4.0 * count);
    SortPoints(search);
    MeasureRings(search);
    SetLimb(search, at, distance, limb);
    return qv_ok;
}

qvResult qvFindLimb(const qvTopology* topology, const qvVec3f* points, qvVec3 at, double distance, qvLimb* limb,
                    qvError* error)
{
    *limb = (qvLimb){ 0 };
    size_t n = (size_t)topology->pointCount;
    if (n == 0)
        return qv_ok;
    Search search = { .topology = topology, .points = points };
    search.distances = qvAllocateRaw(n, sizeof(float));
    search.parents = qvAllocateRaw(n, sizeof(int32_t));
    search.sizes = qvAllocate(n, sizeof(int32_t));
    search.order = qvAllocateRaw(n, sizeof(int32_t));
    search.starts = qvAllocate(LEVELS + 2, sizeof(int32_t));
    search.orderStarts = qvAllocate(LEVELS + 2, sizeof(int32_t));
    qvResult result;
    if (search.distances == NULL || search.parents == NULL || search.sizes == NULL || search.order == NULL ||
        search.starts == NULL || search.orderStarts == NULL)
        result = qvError_OutOfMemory(error, 16.0 * (double)n);
    else
        result = Run(&search, at, distance, limb, error);
    free(search.distances);
    free(search.parents);
    free(search.sizes);
    free(search.order);
    free(search.starts);
    free(search.orderStarts);
    free(search.list);
    return result;
}
