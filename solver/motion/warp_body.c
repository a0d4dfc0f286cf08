// SPDX-License-Identifier: GPL-3.0-or-later
// What holds the nodes of a body together: edges where two nodes carry neighbouring points, the small system of their
// positions, and pins. The papers are named in warp.h.
#include "motion/warp_build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double WEAK_EDGE = 0.05; // edges below this share of the strongest at both ends are left out

// --- The small system -----------------------------------------------------------------------------------------------

// Two nodes are coupled by the edges of the mesh from what one carries to what the other does.
static void CoupleNodes(qvWarpBuild* b)
{
    const qvWarpBody* body = b->body;
    size_t n = (size_t)body->nodeCount;
    for (int e = 0; e < b->topology->edgeCount; e++)
    {
        const int32_t* p = b->topology->edges[e].point;
        double mass = fmin(qvWarpBuild_Mass(b, p[0]), qvWarpBuild_Mass(b, p[1]));
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

static qvResult MakeEdges(qvWarpBuild* b)
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
static void MakeSystem(qvWarpBuild* b)
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
        body->pointShare[i] = qvWarpBuild_Mass(b, i) / partMass[body->pointPart[i]];
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
static qvResult SpreadPins(qvWarpBuild* b)
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
            qvVec3 gap = qvSub(qvWarpBuild_Rest(b, p[0]), qvWarpBuild_Rest(b, p[1]));
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

static qvResult Allocate(qvWarpBuild* b)
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

static void FreeBuild(qvWarpBuild* b)
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
static qvResult ListPins(qvWarpBuild* b, const int32_t* pins, int pinCount)
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

static qvResult Fill(qvWarpBuild* b)
{
    qvWarpBody* body = b->body;
    for (int i = 0; i < body->pointCount; i++)
        b->points[i] = qvVec3_ToFloat(qvWarpBuild_Rest(b, i));
    qvResult (*const steps[])(qvWarpBuild*) = { qvWarpBuild_PlaceNodes, qvWarpBuild_Measure, MakeEdges, SpreadPins };
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

qvResult qvCreateWarpBody(const qvWarpDef* def, const double* rest, qvWarpBody** out, qvError* error)
{
    *out = NULL;
    const qvTopology* topology = def->topology;
    qvWarpBody* body = qvAllocate(1, sizeof(*body));
    if (body == NULL)
        return qvError_OutOfMemory(error, sizeof(*body));
    atomic_init(&body->owners, 1);
    body->pointCount = topology->pointCount, body->partCount = topology->partCount;
    int wanted = (topology->pointCount + 1) / 2;
    body->nodeCount = wanted < topology->partCount ? topology->partCount : wanted;
    body->nodeCount = body->nodeCount < qv_warpNodes ? body->nodeCount : qv_warpNodes;
    qvWarpBuild b = { .topology = topology, .rest = rest, .masses = def->masses, .job = def->job };
    b.store = def->store, b.mesh = def->mesh, b.error = error, b.body = body;
    qvResult result = Allocate(&b);
    if (result == qv_ok)
        result = ListPins(&b, def->pins, def->pinCount);
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
