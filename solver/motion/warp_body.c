// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes of a body and what they carry: farthest points along the surface, weights that fade with the distance, edges
// where two nodes carry the same points. The papers are named in warp.h.
#include "motion/warp.h"

#include "base/memory.h"
#include "math/dense_eigen.h"
#include "motion/warp_math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double REACH = 2.5;      // of a node, over the largest distance of a point from its nearest node
static const double HOLD = 30.0;      // stiffness of anchors over that of edges
static const double FLAT = 0.05;      // extent of a node's points, over their largest, below which it counts for little
static const double STRIP = 0.3;      // nodes that know less than this of their second direction are strips
static const double WEAK_EDGE = 0.05; // edges below this share of the strongest at both ends are left out

typedef struct Build
{
    const qvTopology* topology;
    const double *rest, *masses;
    const qvJob* job;
    qvError* error;
    qvWarpBody* body;
    qvVec3f* points;
    float *distances, *nearest;
    float (*ranked)[qv_warpLinks + 1]; // per point: distances to its nearest nodes, ascending
    int32_t (*order)[qv_warpLinks + 1];
    int32_t* sources; // points where the nodes are
    double radius;
    double* carried;                 // [nodeCount] mass
    double* pinned;                  // [nodeCount] mass of pins among it
    int32_t *carryStart, *carryItem; // links (4 point + link) of each node
    int32_t* cursor;                 // [nodeCount + 1]
    int32_t* stamp;                  // per point: its nearest pin
    uint8_t* isPin;
    double* overlap; // [nodeCount x nodeCount]
    uint8_t* forced; // edges that keep a part together
    QV_ARRAY(qvWarpEntry) entries;
    QV_ARRAY(qvWarpEdge) edges;
    QV_ARRAY(qvWarpSpread) spreads;
} Build;

static double Mass(const Build* b, int i)
{
    return b->masses[i] > 0.0 ? b->masses[i] : 1e-12;
}

// --- Nodes and weights ----------------------------------------------------------------------------------------------

static qvResult PickNodes(Build* b, int count)
{
    int n = b->topology->pointCount;
    for (int i = 0; i < n; i++)
        b->nearest[i] = INFINITY;
    for (int c = 0; c < count; c++)
    {
        int far = 0;
        for (int i = 1; i < n; i++)
            far = b->nearest[i] > b->nearest[far] ? i : far;
        b->sources[c] = far;
        qvResult result =
            qvComputeDistances(b->topology, b->points, &b->sources[c], 1, b->nearest[far], b->distances, b->error);
        if (result == qv_ok)
            result = qvJob_Ask(b->job, b->error);
        if (result != qv_ok)
            return result;
        for (int i = 0; i < n; i++)
            b->nearest[i] = fminf(b->nearest[i], b->distances[i]);
        b->nearest[far] = 0.0f;
    }
    return qv_ok;
}

static double MeanEdge(const Build* b)
{
    const qvTopology* topology = b->topology;
    double sum = 0.0;
    for (int e = 0; e < topology->edgeCount; e++)
    {
        const int32_t* p = topology->edges[e].point;
        const double *x = b->rest + 3 * (size_t)p[0], *y = b->rest + 3 * (size_t)p[1];
        sum += sqrt((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) + (x[2] - y[2]) * (x[2] - y[2]));
    }
    return topology->edgeCount > 0 ? sum / topology->edgeCount : 0.0;
}

// Keeps the nearest nodes of every point, one more than carry it: there the weights are zero.
static qvResult RankNodes(Build* b)
{
    int n = b->topology->pointCount;
    enum
    {
        RANKS = qv_warpLinks + 1
    };
    for (int i = 0; i < n; i++)
    {
        for (int k = 0; k < RANKS; k++)
            b->ranked[i][k] = INFINITY, b->order[i][k] = -1;
    }
    for (int c = 0; c < b->body->nodeCount; c++)
    {
        qvResult result =
            qvComputeDistances(b->topology, b->points, &b->sources[c], 1, b->radius, b->distances, b->error);
        if (result == qv_ok)
            result = qvJob_Ask(b->job, b->error);
        if (result != qv_ok)
            return result;
        b->distances[b->sources[c]] = 0.0f;
        for (int i = 0; i < n; i++)
        {
            float distance = b->distances[i];
            if (!(distance < b->ranked[i][RANKS - 1]))
                continue;
            int k = RANKS - 1;
            for (; k > 0 && distance < b->ranked[i][k - 1]; k--)
                b->ranked[i][k] = b->ranked[i][k - 1], b->order[i][k] = b->order[i][k - 1];
            b->ranked[i][k] = distance, b->order[i][k] = c;
        }
    }
    return qv_ok;
}

static void FillWeights(Build* b)
{
    qvWarpBody* body = b->body;
    for (int i = 0; i < body->pointCount; i++)
    {
        double reach = fmin(b->ranked[i][qv_warpLinks], b->radius), sum = 0.0;
        int first = b->order[i][0] >= 0 ? b->order[i][0] : 0;
        for (int l = 0; l < qv_warpLinks; l++)
        {
            double u = b->order[i][l] >= 0 && reach > 0.0 ? fmax(1.0 - b->ranked[i][l] / reach, 0.0) : 0.0;
            body->links[i][l] = b->order[i][l] >= 0 ? b->order[i][l] : first;
            body->weights[i][l] = u * u;
            sum += u * u;
        }
        if (!(sum > 1e-12))
            body->weights[i][0] = sum = 1.0;
        for (int l = 0; l < qv_warpLinks; l++)
            body->weights[i][l] /= sum;
    }
}

static qvResult PlaceNodes(Build* b)
{
    qvResult result = PickNodes(b, b->body->nodeCount);
    if (result != qv_ok)
        return result;
    for (int i = 0; i < b->body->pointCount; i++)
        b->radius = fmax(b->radius, b->nearest[i]);
    b->radius = REACH * fmax(b->radius, MeanEdge(b));
    result = RankNodes(b);
    if (result == qv_ok)
        FillWeights(b);
    return result;
}

// --- What the nodes measure -----------------------------------------------------------------------------------------

static void ListCarried(Build* b)
{
    qvWarpBody* body = b->body;
    int links = qv_warpLinks * body->pointCount;
    for (int i = 0; i < links; i++)
    {
        int point = i / qv_warpLinks, node = body->links[point][i % qv_warpLinks];
        double share = Mass(b, point) * body->weights[point][i % qv_warpLinks];
        b->carried[node] += share;
        b->pinned[node] += b->isPin[point] ? share : 0.0;
        b->carryStart[node + 1]++;
        for (int c = 0; c < 3; c++)
            body->centers[3 * node + c] += share * b->rest[3 * point + c];
    }
    for (int c = 0; c < body->nodeCount; c++)
    {
        b->carryStart[c + 1] += b->carryStart[c];
        b->cursor[c] = b->carryStart[c];
        for (int k = 0; k < 3; k++)
            body->centers[3 * c + k] /= b->carried[c];
    }
    for (int i = 0; i < links; i++)
        b->carryItem[b->cursor[body->links[i / qv_warpLinks][i % qv_warpLinks]]++] = i;
}

static qvVec3 RestPoint(const Build* b, int i)
{
    return qvMakeVec3(b->rest[3 * i], b->rest[3 * i + 1], b->rest[3 * i + 2]);
}

// Adds an entry per carried point (pins only, if so wanted) with its share of the mass.
static bool AddEntries(Build* b, int node, bool pins)
{
    double total = pins ? b->pinned[node] : b->carried[node];
    for (int c = b->carryStart[node]; c < b->carryStart[node + 1]; c++)
    {
        int point = b->carryItem[c] / qv_warpLinks;
        double share = Mass(b, point) * b->body->weights[point][b->carryItem[c] % qv_warpLinks] / total;
        if (share > 0.0 && (b->isPin[point] || !pins) &&
            !QV_PUSH(b->entries, ((qvWarpEntry){ .point = point, .share = share })))
            return false;
    }
    return true;
}

// The gradient of a field is that of the affine map which fits the carried points best. Directions in which they
// extend much less than in others say little: they are damped.
static qvResult FitNode(Build* b, int node, int first)
{
    qvVec3 center = qvWarp_Vector(b->body->centers + 3 * (size_t)node);
    double spread[9] = { 0.0 }, values[3], v[9];
    for (int e = first; e < b->entries.count; e++)
    {
        qvVec3 arm = qvSub(RestPoint(b, b->entries.items[e].point), center);
        const double r[3] = { arm.x, arm.y, arm.z };
        for (int i = 0; i < 9; i++)
            spread[i] += b->entries.items[e].share * r[i / 3] * r[i % 3];
    }
    qvResult result = qvDense_Eigen(3, spread, 3, values, v, b->error);
    double damping = FLAT * FLAT * values[2] + 1e-30;
    for (int e = first; result == qv_ok && e < b->entries.count; e++)
    {
        qvWarpEntry* entry = &b->entries.items[e];
        qvVec3 arm = qvSub(RestPoint(b, entry->point), center);
        for (int k = 0; k < 3; k++)
        {
            double along = arm.x * v[3 * k] + arm.y * v[3 * k + 1] + arm.z * v[3 * k + 2];
            for (int c = 0; c < 3; c++)
                entry->gradient[c] += entry->share * along / (fmax(values[k], 0.0) + damping) * v[3 * k + c];
        }
    }
    if (result != qv_ok)
        return result;

    // Across a flat piece the normal stands in for what it says nothing of, the more so the flatter it is. A thin
    // strip says nothing of turns about itself: it prefers not to turn.
    double known[3];
    for (int k = 0; k < 3; k++)
        known[k] = fmax(values[k], 0.0) / (fmax(values[k], 0.0) + damping);
    qvVec3 across = qvCross(qvWarp_Vector(v + 6), qvWarp_Vector(v + 3));
    const double plane[11] = { v[6],
                               v[7],
                               v[8],
                               v[3],
                               v[4],
                               v[5],
                               across.x,
                               across.y,
                               across.z,
                               known[1] - known[0],
                               fmax(STRIP - known[1], 0.0) };
    memcpy(b->body->planes[node], plane, sizeof(plane));
    return qv_ok;
}

static qvResult Measure(Build* b)
{
    qvWarpBody* body = b->body;
    ListCarried(b);
    bool ok = true;
    for (int c = 0; ok && c < body->nodeCount; c++)
    {
        int first = b->entries.count;
        ok = AddEntries(b, c, false);
        qvResult result = ok ? FitNode(b, c, first) : qv_ok;
        if (result == qv_ok)
            result = qvJob_Ask(b->job, b->error);
        if (result != qv_ok)
            return result;
        body->entryStart[c + 1] = b->entries.count;
    }
    body->placeCount = body->nodeCount;
    for (int c = 0; ok && c < body->nodeCount; c++)
    {
        if (!(b->pinned[c] > 0.0))
            continue;
        qvWarpEdge edge = { c, body->placeCount++, c, HOLD * b->pinned[c] };
        ok = AddEntries(b, c, true) && QV_PUSH(b->edges, edge);
        body->entryStart[body->placeCount] = b->entries.count;
    }
    if (!ok)
        return qvError_OutOfMemory(b->error, (double)b->entries.count * sizeof(qvWarpEntry) * 2.0);
    body->entries = b->entries.items;
    b->entries.items = NULL;
    return qv_ok;
}

void qvWarpBody_Gather(const qvWarpBody* body, const double* field, double* places, double* gradients)
{
    for (int r = 0; r < body->placeCount; r++)
    {
        double place[3] = { 0.0, 0.0, 0.0 }, gradient[9] = { 0.0 };
        for (int e = body->entryStart[r]; e < body->entryStart[r + 1]; e++)
        {
            const qvWarpEntry* entry = &body->entries[e];
            const double *x = field + 3 * (size_t)entry->point, *g = entry->gradient;
            for (int i = 0; i < 3; i++)
            {
                place[i] += entry->share * x[i];
                for (int k = 0; k < 3; k++)
                    gradient[3 * i + k] += x[i] * g[k];
            }
        }
        memcpy(places + 3 * (size_t)r, place, sizeof(place));
        if (r < body->nodeCount)
            memcpy(gradients + 9 * (size_t)r, gradient, sizeof(gradient));
    }
}

// --- The small system -----------------------------------------------------------------------------------------------

// Two nodes are coupled by the edges of the mesh from what one carries to what the other does.
static void CoupleNodes(Build* b)
{
    const qvWarpBody* body = b->body;
    size_t n = (size_t)body->nodeCount;
    for (int e = 0; e < b->topology->edgeCount; e++)
    {
        const int32_t* p = b->topology->edges[e].point;
        double mass = fmin(Mass(b, p[0]), Mass(b, p[1]));
        for (int k = 0; k < qv_warpLinks * qv_warpLinks; k++)
        {
            int la = k / qv_warpLinks, lb = k % qv_warpLinks;
            size_t a = (size_t)body->links[p[0]][la], c = (size_t)body->links[p[1]][lb];
            double share = mass * body->weights[p[0]][la] * body->weights[p[1]][lb];
            b->overlap[a * n + c] += share;
            b->overlap[c * n + a] += share;
        }
        size_t a = (size_t)body->links[p[0]][0], c = (size_t)body->links[p[1]][0];
        b->forced[a * n + c] = b->forced[c * n + a] = 1;
    }
}

static qvResult MakeEdges(Build* b)
{
    const qvWarpBody* body = b->body;
    int n = body->nodeCount;
    CoupleNodes(b);
    double* strongest = b->pinned; // of no further use
    for (int a = 0; a < n; a++)
    {
        strongest[a] = 0.0;
        for (int c = 0; c < n; c++)
            strongest[a] = a != c ? fmax(strongest[a], b->overlap[(size_t)a * (size_t)n + (size_t)c]) : strongest[a];
    }
    for (int i = 0; i < n * n; i++)
    {
        int a = i / n, c = i % n;
        double strength = b->overlap[i];
        if (a >= c || (!b->forced[i] && !(strength > WEAK_EDGE * fmin(strongest[a], strongest[c]))))
            continue;
        if (!QV_PUSH(b->edges, ((qvWarpEdge){ a, c, c, fmax(strength, 1e-12) })))
            return qvError_OutOfMemory(b->error, (double)b->edges.count * sizeof(qvWarpEdge) * 2.0);
    }
    return qv_ok;
}

// A^-1 of a symmetric positive definite matrix in place, by Gauss and Jordan.
static void Invert(int n, double* a)
{
    for (int k = 0; k < n; k++)
    {
        double* pivot = a + (size_t)k * (size_t)n;
        double inverse = 1.0 / pivot[k];
        pivot[k] = 1.0;
        for (int j = 0; j < n; j++)
            pivot[j] *= inverse;
        for (int i = 0; i < n; i++)
        {
            double* row = a + (size_t)i * (size_t)n;
            double factor = row[k];
            if (i == k || factor == 0.0)
                continue;
            row[k] = 0.0;
            for (int j = 0; j < n; j++)
                row[j] -= factor * pivot[j];
        }
    }
}

// The Laplacian of the edges; what has no anchor is held at its mean.
static void MakeSystem(Build* b)
{
    qvWarpBody* body = b->body;
    size_t n = (size_t)body->nodeCount;
    double *a = body->inverse, *partMass = b->overlap; // of no further use
    memset(partMass, 0, (size_t)body->partCount * sizeof(double));
    for (int e = 0; e < body->edgeCount; e++)
    {
        const qvWarpEdge* edge = &body->edges[e];
        size_t from = (size_t)edge->from, to = (size_t)edge->to;
        a[from * n + from] += edge->stiffness;
        if (to >= n)
        {
            partMass[body->nodePart[from]] = INFINITY;
            continue;
        }
        a[to * n + to] += edge->stiffness;
        a[from * n + to] -= edge->stiffness;
        a[to * n + from] -= edge->stiffness;
    }
    for (size_t c = 0; c < n; c++)
    {
        partMass[body->nodePart[c]] += b->carried[c];
        body->pull[body->nodePart[c]] += a[c * n + c] + 1e-12;
    }
    for (size_t c = 0; c < n; c++)
        body->nodeShare[c] = b->carried[c] / partMass[body->nodePart[c]];
    for (int i = 0; i < body->pointCount; i++)
        body->pointShare[i] = Mass(b, i) / partMass[body->pointPart[i]];
    for (size_t i = 0; i < n * n; i++)
    {
        int part = body->nodePart[i / n];
        if (part == body->nodePart[i % n])
            a[i] += body->pull[part] * body->nodeShare[i / n] * body->nodeShare[i % n];
    }
    Invert(body->nodeCount, a);
    for (size_t i = 0; i < n * n; i++)
    {
        size_t row = i % n, tile = row / qv_warpTile;
        body->tiles[(tile * n + i / n) * qv_warpTile + row % qv_warpTile] = (float)a[i];
    }
}

// --- Pins -----------------------------------------------------------------------------------------------------------

// What a pin lacks is given to its neighbourhood, too, fading with the distance.
static qvResult SpreadPins(Build* b)
{
    qvWarpBody* body = b->body;
    int n = body->pointCount;
    for (int i = 0; i < n; i++)
        b->nearest[i] = INFINITY, b->stamp[i] = -1;
    for (int p = 0; p < body->pinCount; p++)
        b->stamp[body->pins[p]] = p, b->nearest[body->pins[p]] = 0.0f;
    float reach = (float)b->radius;
    for (bool changed = body->pinCount > 0; changed;) // shortest paths over edges, by relaxation: the reach is short
    {
        changed = false;
        for (int e = 0; e < b->topology->edgeCount; e++)
        {
            const int32_t* p = b->topology->edges[e].point;
            qvVec3 gap = qvSub(RestPoint(b, p[0]), RestPoint(b, p[1]));
            float length = (float)qvLength(gap);
            for (int k = 0; k < 2; k++)
            {
                float way = b->nearest[p[k]] + length;
                if (!(way < reach) || !(way < b->nearest[p[1 - k]]))
                    continue;
                b->nearest[p[1 - k]] = way, b->stamp[p[1 - k]] = b->stamp[p[k]];
                changed = true;
            }
        }
    }
    for (int i = 0; i < n; i++)
    {
        double u = 1.0 - fmin(b->nearest[i] / b->radius, 1.0), share = u * u * u * (10.0 + u * (6.0 * u - 15.0));
        if (b->stamp[i] >= 0 && share > 0.0 && !QV_PUSH(b->spreads, ((qvWarpSpread){ i, b->stamp[i], share })))
            return qvError_OutOfMemory(b->error, (double)n * sizeof(qvWarpSpread));
    }
    body->spreads = b->spreads.items, body->spreadCount = b->spreads.count;
    b->spreads.items = NULL;
    return qv_ok;
}

// --- All together ---------------------------------------------------------------------------------------------------

static qvResult Allocate(Build* b)
{
    qvWarpBody* body = b->body;
    size_t n = (size_t)body->pointCount, nodes = (size_t)body->nodeCount;
    const struct
    {
        void* place; // of a pointer
        size_t count, size;
    } arrays[] = {
        { &body->links, n, sizeof(*body->links) },
        { &body->weights, n, sizeof(*body->weights) },
        { &body->centers, nodes, 3 * sizeof(double) },
        { &body->planes, nodes, sizeof(*body->planes) },
        { &body->entryStart, 2 * nodes + 1, sizeof(int32_t) }, // an anchor for every node, at most
        { &body->nodePart, nodes, sizeof(int32_t) },
        { &body->nodeShare, nodes, sizeof(double) },
        { &body->pointPart, n, sizeof(int32_t) },
        { &body->pointShare, n, sizeof(double) },
        { &body->pull, (size_t)body->partCount, sizeof(double) },
        { &body->inverse, nodes * nodes, sizeof(double) },
        { &body->tiles, (nodes + qv_warpTile - 1) / qv_warpTile * nodes, qv_warpTile * sizeof(float) },
        { &b->points, n, sizeof(*b->points) },
        { &b->distances, n, sizeof(float) },
        { &b->nearest, n, sizeof(float) },
        { &b->ranked, n, sizeof(*b->ranked) },
        { &b->order, n, sizeof(*b->order) },
        { &b->sources, nodes, sizeof(int32_t) },
        { &b->carried, nodes, sizeof(double) },
        { &b->pinned, nodes, sizeof(double) },
        { &b->carryStart, nodes + 1, sizeof(int32_t) },
        { &b->carryItem, qv_warpLinks * n, sizeof(int32_t) },
        { &b->cursor, nodes, sizeof(int32_t) },
        { &b->stamp, n, sizeof(int32_t) },
        { &b->overlap, nodes * nodes + (size_t)body->partCount, sizeof(double) },
        { &b->forced, nodes * nodes, 1 },
    };
    for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++)
    {
        void* memory = qvAllocate(arrays[i].count, arrays[i].size);
        if (memory == NULL)
            return qvError_OutOfMemory(b->error, (double)arrays[i].count * (double)arrays[i].size);
        memcpy(arrays[i].place, &memory, sizeof(memory));
    }
    return qv_ok;
}

static void FreeBuild(Build* b)
{
    free(b->points);
    free(b->distances);
    free(b->nearest);
    free(b->ranked);
    free(b->order);
    free(b->sources);
    free(b->carried);
    free(b->pinned);
    free(b->carryStart);
    free(b->carryItem);
    free(b->cursor);
    free(b->stamp);
    free(b->isPin);
    free(b->overlap);
    free(b->forced);
    free(b->entries.items);
    free(b->edges.items);
    free(b->spreads.items);
}

// The pins without repeats, ascending.
static qvResult ListPins(Build* b, const int32_t* pins, int pinCount)
{
    qvWarpBody* body = b->body;
    int n = body->pointCount;
    b->isPin = qvAllocate((size_t)n, 1);
    body->pins = qvAllocate((size_t)pinCount, sizeof(int32_t));
    if (b->isPin == NULL || body->pins == NULL)
        return qvError_OutOfMemory(b->error, (double)n);
    for (int i = 0; i < pinCount; i++)
        b->isPin[pins[i]] = 1;
    for (int i = 0; i < n; i++)
    {
        if (b->isPin[i])
            body->pins[body->pinCount++] = i;
    }
    return qv_ok;
}

static qvResult Fill(Build* b)
{
    qvWarpBody* body = b->body;
    for (int i = 0; i < body->pointCount; i++)
        b->points[i] = qvVec3_ToFloat(RestPoint(b, i));
    qvResult (*const steps[])(Build*) = { PlaceNodes, Measure, MakeEdges, SpreadPins };
    qvResult result = qv_ok;
    for (size_t k = 0; result == qv_ok && k < sizeof(steps) / sizeof(steps[0]); k++)
    {
        result = steps[k](b);
        if (result == qv_ok)
            result = qvJob_Ask(b->job, b->error);
    }
    if (result != qv_ok)
        return result;
    body->edges = b->edges.items, body->edgeCount = b->edges.count;
    b->edges.items = NULL;
    for (int c = 0; c < body->nodeCount; c++)
        body->nodePart[c] = b->topology->pointPart[b->sources[c]];
    memcpy(body->pointPart, b->topology->pointPart, (size_t)body->pointCount * sizeof(int32_t));
    MakeSystem(b);
    return qv_ok;
}

qvResult qvCreateWarpBody(const qvTopology* topology, const double* rest, const double* masses, const int32_t* pins,
                          int pinCount, const qvJob* job, qvWarpBody** out, qvError* error)
{
    *out = NULL;
    qvWarpBody* body = qvAllocate(1, sizeof(*body));
    if (body == NULL)
        return qvError_OutOfMemory(error, sizeof(*body));
    atomic_init(&body->owners, 1);
    body->pointCount = topology->pointCount, body->partCount = topology->partCount;
    int wanted = (topology->pointCount + 1) / 2;
    body->nodeCount = wanted < topology->partCount ? topology->partCount : wanted;
    body->nodeCount = body->nodeCount < qv_warpNodes ? body->nodeCount : qv_warpNodes;
    Build b = { .topology = topology, .rest = rest, .masses = masses, .job = job };
    b.error = error, b.body = body;
    qvResult result = Allocate(&b);
    if (result == qv_ok)
        result = ListPins(&b, pins, pinCount);
    if (result == qv_ok)
        result = Fill(&b);
    FreeBuild(&b);
    if (result == qv_ok)
        *out = body;
    else
        qvReleaseWarpBody(body);
    return result;
}

void qvReleaseWarpBody(qvWarpBody* body)
{
    if (body == NULL || atomic_fetch_sub(&body->owners, 1) > 1)
        return;
    free(body->links);
    free(body->weights);
    free(body->centers);
    free(body->planes);
    free(body->entryStart);
    free(body->entries);
    free(body->edges);
    free(body->nodePart);
    free(body->nodeShare);
    free(body->pointPart);
    free(body->pointShare);
    free(body->pull);
    free(body->inverse);
    free(body->tiles);
    free(body->pins);
    free(body->spreads);
    free(body);
}
