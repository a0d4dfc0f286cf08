// SPDX-License-Identifier: GPL-3.0-or-later
// Regular triangles on a surface.
//
// After Botsch and Kobbelt: A remeshing approach to multiresolution modeling, SGP 2004, without splits and collapses:
// edges are flipped towards six edges at each point, points move to the mean of their neighbours within the tangent
// plane, and are put back on the surface. Edges are flipped to Delaunay at the end.
#include "base/memory.h"
#include "mesh/implicit.h"

#include <stdlib.h>

qvVec3 qvField_Gradient(const qvField* field, qvVec3 p, double size)
{
    static const double corners[4][3] = { { 1, 1, 1 }, { 1, -1, -1 }, { -1, 1, -1 }, { -1, -1, 1 } };
    qvVec3 gradient = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < 4; i++)
    {
        qvVec3 direction = { corners[i][0], corners[i][1], corners[i][2] };
        double value = qvField_Evaluate(field, qvMulAdd(p, size, direction));
        gradient = qvMulAdd(gradient, value / (4.0 * size), direction);
    }
    return gradient;
}

typedef struct HalfEdge
{
    int32_t from, to, corner;
} HalfEdge;

static int CompareHalfEdges(const void* a, const void* b)
{
    const HalfEdge *x = a, *y = b;
    int32_t lowX = x->from < x->to ? x->from : x->to, lowY = y->from < y->to ? y->from : y->to;
    if (lowX != lowY)
        return lowX < lowY ? -1 : 1;
    int32_t highX = x->from ^ x->to ^ lowX, highY = y->from ^ y->to ^ lowY;
    if (highX != highY)
        return highX < highY ? -1 : 1;
    return (x->corner > y->corner) - (x->corner < y->corner);
}

static bool IsSameEdge(const HalfEdge* a, const HalfEdge* b)
{
    return (a->from == b->from && a->to == b->to) || (a->from == b->to && a->to == b->from);
}

int32_t* qvMakeOpposites(const qvTriangle* triangles, int triangleCount)
{
    int count = 3 * triangleCount;
    HalfEdge* edges = qvAllocateRaw((size_t)count, sizeof(*edges));
    int32_t* opposites = qvAllocateRaw((size_t)count, sizeof(*opposites));
    if (edges == NULL || opposites == NULL)
    {
        free(edges);
        free(opposites);
        return NULL;
    }
    for (int corner = 0; corner < count; corner++)
    {
        const int32_t* v = triangles[corner / 3].v;
        edges[corner] = (HalfEdge){ v[(corner + 1) % 3], v[(corner + 2) % 3], corner };
        opposites[corner] = -1;
    }
    qsort(edges, (size_t)count, sizeof(*edges), CompareHalfEdges);
    for (int i = 0, next; i < count; i = next)
    {
        next = i + 1;
        while (next < count && IsSameEdge(&edges[i], &edges[next]))
            next++;
        if (next != i + 2 || edges[i].from != edges[i + 1].to)
            continue;
        opposites[edges[i].corner] = edges[i + 1].corner;
        opposites[edges[i + 1].corner] = edges[i].corner;
    }
    free(edges);
    return opposites;
}

typedef struct Relaxation
{
    qvNet* net;
    const qvField* field;
    double edge, sharp;
    int32_t* opposites;
    int* valences;
    qvVec3* sums; // of neighbours
    double* weights;
    uint8_t* fixed; // points on sharp edges
} Relaxation;

// On the mirror plane a point has the edges of both halves.
static void CountValences(Relaxation* r)
{
    for (int i = 0; i < r->net->pointCount; i++)
        r->valences[i] = 0;
    for (int corner = 0; corner < 3 * r->net->triangleCount; corner++)
        r->valences[r->net->triangles[corner / 3].v[corner % 3]] += 1;
    for (int i = 0; i < r->net->pointCount; i++)
        r->valences[i] *= r->net->points[i].x == 0.0 ? 2 : 1;
}

static qvVec3 TriangleNormal(const qvVec3* points, int a, int b, int c)
{
    return qvCross(qvSub(points[b], points[a]), qvSub(points[c], points[a]));
}

// The unit normal of a triangle; none where edges stay and it is so thin that its normal says nothing.
static qvVec3 Facing(const Relaxation* r, int a, int b, int c)
{
    const qvVec3* p = r->net->points;
    qvVec3 normal = TriangleNormal(p, a, b, c);
    double longest = fmax(qvDistance(p[a], p[b]), fmax(qvDistance(p[b], p[c]), qvDistance(p[c], p[a])));
    bool isThin = r->sharp > qv_noSharpEdges && qvLength(normal) < 0.02 * longest * longest;
    return isThin ? qvMakeVec3(0.0, 0.0, 0.0) : qvNormalize(normal);
}

static bool IsSharp(const Relaxation* r, qvVec3 here, qvVec3 there)
{
    return qvDot(here, there) < r->sharp && qvLength(here) > 0.0 && qvLength(there) > 0.0;
}

// Cotangent of the angle at a.
static double Cotangent(const qvVec3* points, int a, int b, int c)
{
    double area = qvLength(TriangleNormal(points, a, b, c));
    return qvDot(qvSub(points[b], points[a]), qvSub(points[c], points[a])) / fmax(area, 1e-300);
}

// Would flipping edge b-c of the triangles a b c and d c b to a-d keep them well on the surface?
static bool CanFlip(const Relaxation* r, int a, int b, int c, int d)
{
    const qvVec3* points = r->net->points;
    // A point with fewer than four edges would fold; on the mirror plane, neither may the two halves touch twice.
    if (r->valences[b] <= 4 || r->valences[c] <= 4 || (points[a].x == 0.0 && points[d].x == 0.0))
        return false;
    qvVec3 left = Facing(r, a, b, c), right = Facing(r, d, c, b);
    if (IsSharp(r, left, right))
        return false;
    qvVec3 before = qvNormalize(qvAdd(left, right));
    qvVec3 first = qvNormalize(TriangleNormal(points, a, b, d)), second = qvNormalize(TriangleNormal(points, a, d, c));
    return qvDot(first, before) > 0.7 && qvDot(second, before) > 0.7;
}

static bool AreNeighbors(const Relaxation* r, int corner, int target)
{
    // Walks the fan around the corner's point in both directions, up to the boundary.
    const qvTriangle* triangles = r->net->triangles;
    for (int direction = 1; direction <= 2; direction++)
    {
        int at = corner;
        do
        {
            const int32_t* v = triangles[at / 3].v;
            if (v[(at + 1) % 3] == target || v[(at + 2) % 3] == target)
                return true;
            int across = r->opposites[at / 3 * 3 + (at + direction) % 3];
            at = across < 0 ? -1 : across / 3 * 3 + (across + direction) % 3;
        } while (at >= 0 && at != corner);
    }
    return false;
}

static bool ImprovesValence(const Relaxation* r, int a, int b, int c, int d)
{
    const int* n = r->valences;
    int extraA = n[a] - 6, extraB = n[b] - 6, extraC = n[c] - 6, extraD = n[d] - 6;
    // Points on the mirror plane count both halves.
    const qvVec3* points = r->net->points;
    int stepA = points[a].x == 0.0 ? 2 : 1, stepB = points[b].x == 0.0 ? 2 : 1;
    int stepC = points[c].x == 0.0 ? 2 : 1, stepD = points[d].x == 0.0 ? 2 : 1;
    int before = extraA * extraA + extraB * extraB + extraC * extraC + extraD * extraD;
    extraA += stepA, extraB -= stepB, extraC -= stepC, extraD += stepD;
    return extraA * extraA + extraB * extraB + extraC * extraC + extraD * extraD < before;
}

static bool ImprovesAngles(const Relaxation* r, int a, int b, int c, int d)
{
    // Delaunay: the angles opposite the edge add up to more than half a turn; with a margin that ends the flipping.
    const qvVec3* points = r->net->points;
    return Cotangent(points, a, b, c) + Cotangent(points, d, c, b) < -1e-6;
}

static void Relink(int32_t* opposites, int corner, int other)
{
    opposites[corner] = other;
    if (other >= 0)
        opposites[other] = corner;
}

// Replaces the edge that faces the corner by the other diagonal of its two triangles.
static void Flip(Relaxation* r, int corner)
{
    int other = r->opposites[corner];
    int t = corner / 3 * 3, u = other / 3 * 3;
    int32_t *v = r->net->triangles[t / 3].v, *w = r->net->triangles[u / 3].v;
    int a = v[corner - t], b = v[(corner - t + 1) % 3], c = v[(corner - t + 2) % 3], d = w[other - u];
    int acrossAC = r->opposites[t + (corner - t + 1) % 3], acrossAB = r->opposites[t + (corner - t + 2) % 3];
    int acrossDB = r->opposites[u + (other - u + 1) % 3], acrossDC = r->opposites[u + (other - u + 2) % 3];
    v[0] = a, v[1] = b, v[2] = d;
    w[0] = a, w[1] = d, w[2] = c;
    Relink(r->opposites, t + 0, acrossDB);
    Relink(r->opposites, t + 1, u + 2);
    Relink(r->opposites, t + 2, acrossAB);
    Relink(r->opposites, u + 0, acrossDC);
    Relink(r->opposites, u + 1, acrossAC);
    const qvVec3* points = r->net->points;
    r->valences[a] += points[a].x == 0.0 ? 2 : 1;
    r->valences[d] += points[d].x == 0.0 ? 2 : 1;
    r->valences[b] -= points[b].x == 0.0 ? 2 : 1;
    r->valences[c] -= points[c].x == 0.0 ? 2 : 1;
}

typedef bool ImprovesFcn(const Relaxation* r, int a, int b, int c, int d);

static void FlipEdges(Relaxation* r, ImprovesFcn* improves)
{
    enum
    {
        MAX_PASSES = 8
    };
    bool flipped = true;
    for (int pass = 0; pass < MAX_PASSES && flipped; pass++)
    {
        flipped = false;
        for (int corner = 0; corner < 3 * r->net->triangleCount; corner++)
        {
            int other = r->opposites[corner];
            if (other < corner)
                continue;
            const int32_t *v = r->net->triangles[corner / 3].v, *w = r->net->triangles[other / 3].v;
            int a = v[corner % 3], b = v[(corner + 1) % 3], c = v[(corner + 2) % 3], d = w[other % 3];
            if (improves(r, a, b, c, d) && CanFlip(r, a, b, c, d) && !AreNeighbors(r, corner, d))
            {
                Flip(r, corner);
                flipped = true;
            }
        }
    }
}

// One Newton step to the surface along the gradient, which may be that of a point nearby.
static qvVec3 Project(const Relaxation* r, qvVec3 p, qvVec3 gradient)
{
    double square = qvDot(gradient, gradient);
    qvVec3 move = qvScale(square > 0.0 ? -qvField_Evaluate(r->field, p) / square : 0.0, gradient);
    double length = qvLength(move), limit = 0.5 * r->edge;
    qvVec3 moved = qvMulAdd(p, length > limit ? limit / length : 1.0, move);
    // Points stay on their side of the mirror plane.
    moved.x = p.x == 0.0 ? 0.0 : fmax(moved.x, 0.25 * r->edge);
    return moved;
}

static qvVec3 Gradient(const Relaxation* r, qvVec3 p)
{
    return qvField_Gradient(r->field, p, 1e-3 * r->edge);
}

static void ProjectAll(Relaxation* r)
{
    for (int i = 0; i < r->net->pointCount; i++)
    {
        if (r->fixed[i])
            continue;
        qvVec3* p = &r->net->points[i];
        *p = Project(r, *p, Gradient(r, *p));
    }
}

static void FindSharp(Relaxation* r)
{
    for (int corner = 0; corner < 3 * r->net->triangleCount; corner++)
    {
        int other = r->opposites[corner];
        if (other < corner)
            continue;
        const int32_t *v = r->net->triangles[corner / 3].v, *w = r->net->triangles[other / 3].v;
        if (IsSharp(r, Facing(r, v[0], v[1], v[2]), Facing(r, w[0], w[1], w[2])))
        {
            r->fixed[v[(corner + 1) % 3]] = 1;
            r->fixed[v[(corner + 2) % 3]] = 1;
        }
    }
}

// Moves every point towards the area-weighted mean of its triangles' centres.
static void Smooth(Relaxation* r)
{
    qvNet* net = r->net;
    for (int i = 0; i < net->pointCount; i++)
    {
        r->sums[i] = qvMakeVec3(0.0, 0.0, 0.0);
        r->weights[i] = 0.0;
    }
    for (int t = 0; t < net->triangleCount; t++)
    {
        const int32_t* v = net->triangles[t].v;
        double area = qvLength(TriangleNormal(net->points, v[0], v[1], v[2]));
        qvVec3 sum = qvAdd(qvAdd(net->points[v[0]], net->points[v[1]]), net->points[v[2]]);
        for (int i = 0; i < 3; i++)
        {
            r->sums[v[i]] = qvMulAdd(r->sums[v[i]], area / 3.0, sum);
            r->weights[v[i]] += area;
        }
    }
    for (int i = 0; i < net->pointCount; i++)
    {
        if (r->fixed[i])
            continue;
        // On the mirror plane, the other half's share only cancels x.
        qvVec3 target = qvScale(1.0 / fmax(r->weights[i], 1e-300), r->sums[i]);
        qvVec3 p = net->points[i], gradient = Gradient(r, p), normal = qvNormalize(gradient);
        qvVec3 move = qvSub(target, p), moved = qvAdd(p, qvMulAdd(move, -qvDot(move, normal), normal));
        moved.x = p.x == 0.0 ? 0.0 : moved.x;
        net->points[i] = Project(r, moved, gradient);
    }
}

bool qvNet_Relax(qvNet* net, const qvField* field, double edge, double sharp)
{
    enum
    {
        ROUNDS = 5
    };
    size_t count = (size_t)net->pointCount;
    Relaxation r = { .net = net, .field = field, .edge = edge, .sharp = sharp };
    r.opposites = qvMakeOpposites(net->triangles, net->triangleCount);
    r.valences = qvAllocateRaw(count, sizeof(*r.valences));
    r.sums = qvAllocateRaw(count, sizeof(*r.sums));
    r.weights = qvAllocateRaw(count, sizeof(*r.weights));
    r.fixed = qvAllocate(count, sizeof(*r.fixed));
    bool done = r.opposites != NULL && r.valences != NULL && r.sums != NULL && r.weights != NULL && r.fixed != NULL;
    if (done)
    {
        CountValences(&r);
        FindSharp(&r);
        for (int round = 0; round < ROUNDS; round++)
        {
            FlipEdges(&r, round + 2 < ROUNDS ? ImprovesValence : ImprovesAngles);
            Smooth(&r);
            if (round > 1)
                Smooth(&r);
        }
        ProjectAll(&r);
        ProjectAll(&r);
        FlipEdges(&r, ImprovesAngles);
    }
    free(r.opposites);
    free(r.valences);
    free(r.sums);
    free(r.weights);
    free(r.fixed);
    return done;
}

bool qvNet_Flip(const qvNet* net, double sharp)
{
    // Off the mirror plane.
    qvNet moved = *net;
    double least = INFINITY;
    for (int i = 0; i < net->pointCount; i++)
        least = fmin(least, net->points[i].x);
    Relaxation r = { .net = &moved, .sharp = sharp };
    r.opposites = qvMakeOpposites(net->triangles, net->triangleCount);
    r.valences = qvAllocateRaw((size_t)net->pointCount, sizeof(*r.valences));
    moved.points = qvAllocateRaw((size_t)net->pointCount, sizeof(*moved.points));
    bool done = r.opposites != NULL && r.valences != NULL && moved.points != NULL;
    for (int i = 0; done && i < net->pointCount; i++)
        moved.points[i] = qvMakeVec3(net->points[i].x - least + 1.0, net->points[i].y, net->points[i].z);
    if (done)
    {
        CountValences(&r);
        FlipEdges(&r, ImprovesAngles);
    }
    free(r.opposites);
    free(r.valences);
    free(moved.points);
    return done;
}
