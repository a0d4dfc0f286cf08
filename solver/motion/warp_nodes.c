// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes of a body and what they carry: farthest points along the surface, weights that fade with the distance, and what
// the nodes measure of a field. The papers are named in warp.h.
#include "motion/warp_build.h"

#include "base/hash.h"
#include "math/dense_eigen.h"
#include "motion/store.h"
#include "motion/warp_math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    NODES_VERSION = 0x6e1 // counts up when the same mesh gets other nodes: stores have older ones
};

static const double REACH = 2.5; // of a node, over the largest distance of a point from its nearest node
static const double HOLD = 30.0; // stiffness of anchors over that of edges
static const double FLAT = 0.05; // extent of a node's points, over their largest, below which it counts for little
static const double STRIP = 0.3; // nodes that know less than this of their second direction are strips

// --- Nodes and weights ----------------------------------------------------------------------------------------------

static qvResult PickNodes(qvWarpBuild* b, int count)
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
        qvResult result = qvComputeDistances(b->topology, b->points, &b->sources[c], 1, b->nearest[far], b->job,
                                             b->distances, b->error);
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

static double MeanEdge(const qvWarpBuild* b)
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
static qvResult RankNodes(qvWarpBuild* b)
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
            qvComputeDistances(b->topology, b->points, &b->sources[c], 1, b->radius, b->job, b->distances, b->error);
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

static void FillWeights(qvWarpBuild* b)
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

// --- From one run of the program to the next ------------------------------------------------------------------------

static bool IsKept(const qvWarpBuild* b)
{
    return b->store != NULL && 3 * b->body->pointCount >= QV_WORTH_KEEPING;
}

static size_t CountNumbers(const qvWarpBody* body)
{
    return 1 + (size_t)body->nodeCount + 2 * qv_warpLinks * (size_t)body->pointCount;
}

// The radius, the points of the nodes, and links and weights of every point.
static void SaveNodes(const qvWarpBuild* b)
{
    const qvWarpBody* body = b->body;
    size_t count = CountNumbers(body), links = qv_warpLinks * (size_t)body->pointCount;
    double* numbers = IsKept(b) ? qvAllocateRaw(count, sizeof(double)) : NULL;
    if (numbers == NULL)
        return;
    double* next = numbers;
    *next++ = b->radius;
    for (int c = 0; c < body->nodeCount; c++)
        *next++ = b->sources[c];
    for (size_t i = 0; i < links; i++)
        next[i] = body->links[i / qv_warpLinks][i % qv_warpLinks];
    memcpy(next + links, body->weights, links * sizeof(double));
    b->store->save(b->store->context, qvHash_Combine(b->mesh, NODES_VERSION), numbers, count);
    free(numbers);
}

// A whole number from 0 to below count.
static bool ReadIndex(double number, int count, int32_t* out)
{
    if (!(number >= 0.0 && number < count))
        return false;
    *out = (int32_t)number;
    return true;
}

static bool LoadNodes(qvWarpBuild* b)
{
    qvWarpBody* body = b->body;
    size_t count = 0, links = qv_warpLinks * (size_t)body->pointCount;
    double* numbers = NULL;
    if (IsKept(b))
        numbers = b->store->load(b->store->context, qvHash_Combine(b->mesh, NODES_VERSION), &count);
    bool fits = numbers != NULL && count == CountNumbers(body);
    const double* next = fits ? numbers + 1 : NULL;
    for (int c = 0; fits && c < body->nodeCount; c++)
        fits = ReadIndex(*next++, body->pointCount, &b->sources[c]);
    for (size_t i = 0; fits && i < links; i++)
        fits = ReadIndex(next[i], body->nodeCount, &body->links[i / qv_warpLinks][i % qv_warpLinks]);
    if (fits)
    {
        b->radius = numbers[0];
        memcpy(body->weights, next + links, links * sizeof(double));
    }
    free(numbers);
    return fits;
}

qvResult qvWarpBuild_PlaceNodes(qvWarpBuild* b)
{
    if (LoadNodes(b))
        return qv_ok;
    qvResult result = PickNodes(b, b->body->nodeCount);
    if (result != qv_ok)
        return result;
    for (int i = 0; i < b->body->pointCount; i++)
        b->radius = fmax(b->radius, b->nearest[i]);
    b->radius = REACH * fmax(b->radius, MeanEdge(b));
    result = RankNodes(b);
    if (result == qv_ok)
    {
        FillWeights(b);
        SaveNodes(b);
    }
    return result;
}

// --- What the nodes measure -----------------------------------------------------------------------------------------

static void ListCarried(qvWarpBuild* b)
{
    qvWarpBody* body = b->body;
    int links = qv_warpLinks * body->pointCount;
    for (int i = 0; i < links; i++)
    {
        int point = i / qv_warpLinks, node = body->links[point][i % qv_warpLinks];
        double share = qvWarpBuild_Mass(b, point) * body->weights[point][i % qv_warpLinks];
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

// Adds an entry per carried point (pins only, if so wanted) with its share of the mass.
static bool AddEntries(qvWarpBuild* b, int node, bool pins)
{
    double total = pins ? b->pinned[node] : b->carried[node];
    for (int c = b->carryStart[node]; c < b->carryStart[node + 1]; c++)
    {
        int point = b->carryItem[c] / qv_warpLinks;
        double share = qvWarpBuild_Mass(b, point) * b->body->weights[point][b->carryItem[c] % qv_warpLinks] / total;
        if (share > 0.0 && (b->isPin[point] || !pins) && !QV_PUSH(b->entries, ((qvWarpEntry){ point, { share } })))
            return false;
    }
    return true;
}

// The gradient of a field is that of the affine map which fits the carried points best. Directions in which they
// extend much less than in others say little: they are damped.
static qvResult FitNode(qvWarpBuild* b, int node, int first)
{
    qvVec3 center = qvWarp_Vector(b->body->centers + 3 * (size_t)node);
    double spread[9] = { 0.0 }, values[3], v[9];
    for (int e = first; e < b->entries.count; e++)
    {
        qvVec3 arm = qvSub(qvWarpBuild_Rest(b, b->entries.items[e].point), center);
        const double r[3] = { arm.x, arm.y, arm.z };
        for (int i = 0; i < 9; i++)
            spread[i] += b->entries.items[e].weights[0] * r[i / 3] * r[i % 3];
    }
    qvResult result = qvDense_Eigen(3, spread, 3, values, v, b->error);
    if (result != qv_ok)
        return result;
    double damping = FLAT * FLAT * values[2] + 1e-30;
    for (int e = first; e < b->entries.count; e++)
    {
        qvWarpEntry* entry = &b->entries.items[e];
        qvVec3 arm = qvSub(qvWarpBuild_Rest(b, entry->point), center);
        for (int k = 0; k < 3; k++)
        {
            double along = arm.x * v[3 * k] + arm.y * v[3 * k + 1] + arm.z * v[3 * k + 2];
            for (int c = 0; c < 3; c++)
                entry->weights[1 + c] += entry->weights[0] * along / (fmax(values[k], 0.0) + damping) * v[3 * k + c];
        }
    }

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

qvResult qvWarpBuild_Measure(qvWarpBuild* b)
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

typedef double Two __attribute__((vector_size(2 * sizeof(double)), aligned(8), may_alias));

void qvWarpBody_Gather(const qvWarpBody* body, const double* field, double* places, double* gradients)
{
    for (int r = 0; r < body->placeCount; r++)
    {
        Two sums[3][2] = { { { 0.0 } } }; // of each axis: the place, then the gradient
        for (int e = body->entryStart[r]; e < body->entryStart[r + 1]; e++)
        {
            const qvWarpEntry* entry = &body->entries[e];
            const double* x = field + 3 * (size_t)entry->point;
            const Two* weights = (const Two*)entry->weights;
            for (int i = 0; i < 3; i++)
                sums[i][0] += x[i] * weights[0], sums[i][1] += x[i] * weights[1];
        }
        for (int i = 0; i < 3; i++)
        {
            places[3 * r + i] = sums[i][0][0];
            for (int k = 1; r < body->nodeCount && k < 4; k++)
                gradients[9 * r + 3 * i + k - 1] = sums[i][k / 2][k % 2];
        }
    }
}
