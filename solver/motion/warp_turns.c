// SPDX-License-Identifier: GPL-3.0-or-later
// Rotations of the nodes of all shapes: continuous over the surface and from shape to shape, so that half turns and
// more are known as such. The papers and the equations are in warp.h.
#include "motion/warp_turns.h"

#include "base/memory.h"
#include "base/watch.h"
#include "motion/warp_math.h"

#include <math.h>
#include <stdlib.h>

typedef struct Build
{
    qvWarp* warp;
    const double* gradients; // [9 nodeCount x shapeCount]
    qvQuat* turns;           // [nodeCount x shapeCount] up to whole turns
    double* gaps;            // [edgeCount x shapeCount] angles between the ends of edges
    int32_t* edgeStart;      // [nodeCount + 1]
    int32_t* edgeOf;         // edges of each node
    double* costs;           // [nodeCount]
    int32_t* parents;        // [nodeCount], -2 when done
} Build;

// --- One node -------------------------------------------------------------------------------------------------------

// The gradient with the normal standing in where a node's piece of surface is flat.
static void Complete(const double plane[11], const double gradient[9], double out[9])
{
    double a[3] = { 0.0 }, b[3] = { 0.0 };
    qvWarp_AddApplied(1.0, gradient, plane, a);
    qvWarp_AddApplied(1.0, gradient, plane + 3, b);
    qvVec3 normal = qvNormalize(qvCross(qvWarp_Vector(a), qvWarp_Vector(b)));
    const double n[3] = { normal.x, normal.y, normal.z };
    for (int i = 0; i < 9; i++)
        out[i] = gradient[i] + plane[9] * n[i / 3] * plane[6 + i % 3] + (i % 4 == 0 ? plane[10] : 0.0);
}

// What Complete adds to a change of the gradient.
static void CompleteChange(const double plane[11], const double gradient[9], const double change[9], double out[9])
{
    double a[3] = { 0.0 }, b[3] = { 0.0 }, da[3] = { 0.0 }, db[3] = { 0.0 };
    qvWarp_AddApplied(1.0, gradient, plane, a);
    qvWarp_AddApplied(1.0, gradient, plane + 3, b);
    qvWarp_AddApplied(1.0, change, plane, da);
    qvWarp_AddApplied(1.0, change, plane + 3, db);
    qvVec3 across = qvCross(qvWarp_Vector(a), qvWarp_Vector(b));
    qvVec3 turned = qvAdd(qvCross(qvWarp_Vector(da), qvWarp_Vector(b)), qvCross(qvWarp_Vector(a), qvWarp_Vector(db)));
    double length = qvLength(across);
    memcpy(out, change, 9 * sizeof(double));
    if (!(length > 1e-9))
        return;
    qvVec3 normal = qvScale(1.0 / length, across);
    qvVec3 rate = qvScale(1.0 / length, qvMulAdd(turned, -qvDot(normal, turned), normal));
    const double n[3] = { rate.x, rate.y, rate.z };
    for (int i = 0; i < 9; i++)
        out[i] += plane[9] * n[i / 3] * plane[6 + i % 3];
}

// psi for a unit change of each of the nine numbers of a node's gradient A = R S: R^T dA = [psi]x S + dS, of which the
// skew part is [(tr S - S) psi]x.
void qvWarp_Measure(const double plane[11], const double gradient[9], const double rotation[9], double out[27])
{
    double a[9], back[9], s[9], inverse[9], transposed[9];
    Complete(plane, gradient, a);
    for (int i = 0; i < 9; i++)
        transposed[i] = rotation[3 * (i % 3) + i / 3];
    qvWarp_Multiply(transposed, a, back);
    double trace = back[0] + back[4] + back[8];
    for (int i = 0; i < 9; i++)
        s[i] = (i % 4 == 0 ? trace : 0.0) - 0.5 * (back[i] + back[3 * (i % 3) + i / 3]);
    memset(out, 0, 27 * sizeof(double));
    if (!qvWarp_Invert(s, inverse)) // collapsed: nothing to turn
        return;
    for (int k = 0; k < 9; k++)
    {
        double unit[9] = { 0.0 }, change[9], psi[3] = { 0.0 };
        unit[k] = 1.0;
        CompleteChange(plane, gradient, unit, change);
        qvWarp_Multiply(transposed, change, back);
        const double skew[3] = { back[7] - back[5], back[2] - back[6], back[3] - back[1] };
        qvWarp_AddApplied(1.0, inverse, skew, psi);
        for (int i = 0; i < 3; i++)
            out[9 * i + k] = psi[i];
    }
}

// --- All nodes of a shape -------------------------------------------------------------------------------------------

// The rotation vector of a turn that is nearest to the expected one.
static qvVec3 Unwind(qvQuat turn, qvVec3 expected)
{
    qvVec3 r = qvQuat_Log(turn);
    double angle = qvLength(r);
    qvVec3 axis = angle > 1e-7 ? qvScale(1.0 / angle, r) : qvNormalize(expected);
    double whole = round((qvDot(axis, expected) - angle) / QV_TWO_PI);
    return qvMulAdd(r, QV_TWO_PI * whole, axis);
}

static double Between(qvQuat a, qvQuat b)
{
    return qvLength(qvQuat_Log(qvQuat_Multiply(qvQuat_Conjugate(a), b)));
}

// For the shapes [begin, end), each for itself.
static void FitTurns(void* context, int begin, int end)
{
    const Build* b = context;
    const qvWarpBody* body = b->warp->body;
    size_t nodes = (size_t)body->nodeCount;
    for (size_t s = (size_t)begin; s < (size_t)end; s++)
    {
        qvQuat* turns = b->turns + nodes * s;
        for (size_t c = 0; c < nodes; c++)
        {
            double a[9], moment[9];
            Complete(body->planes[c], b->gradients + 9 * (nodes * s + c), a);
            for (int i = 0; i < 9; i++)
                moment[i] = a[3 * (i % 3) + i / 3];
            turns[c] = qvFitMoment(moment, qvMakeVec3(0.0, 0.0, 0.0)).rotation;
        }
        for (int e = 0; e < body->edgeCount; e++)
        {
            const qvWarpEdge* edge = &body->edges[e];
            b->gaps[(size_t)body->edgeCount * s + (size_t)e] = Between(turns[edge->from], turns[edge->turn]);
        }
    }
}

static void Adopt(Build* b, const double* before, int index, int node)
{
    const qvWarpBody* body = b->warp->body;
    double* turns = b->warp->shapes[index].turns;
    int parent = b->parents[node];
    qvVec3 expected = parent >= 0      ? qvWarp_Vector(turns + 3 * (size_t)parent)
                      : before != NULL ? qvWarp_Vector(before + 3 * (size_t)node)
                                       : qvMakeVec3(0.0, 0.0, 0.0);
    qvVec3 w = Unwind(b->turns[(size_t)body->nodeCount * (size_t)index + (size_t)node], expected);
    turns[3 * node] = w.x, turns[3 * node + 1] = w.y, turns[3 * node + 2] = w.z;
    b->parents[node] = -2;
    for (int k = b->edgeStart[node]; k < b->edgeStart[node + 1]; k++)
    {
        const qvWarpEdge* edge = &body->edges[b->edgeOf[k]];
        int other = edge->from == node ? edge->to : edge->from;
        if (b->parents[other] == -2)
            continue;
        double gap = b->gaps[(size_t)body->edgeCount * (size_t)index + (size_t)b->edgeOf[k]];
        double cost = gap - 1e3; // before any root of another part
        if (cost < b->costs[other])
            b->costs[other] = cost, b->parents[other] = node;
    }
}

// From the node that turns least, now and in the shape before, always to the neighbour whose rotation differs least.
static void JoinTurns(Build* b, int index)
{
    const qvWarpBody* body = b->warp->body;
    const double* before = index > 0 ? b->warp->shapes[index - 1].turns : NULL;
    for (int c = 0; c < body->nodeCount; c++)
    {
        qvVec3 now = qvQuat_Log(b->turns[(size_t)body->nodeCount * (size_t)index + (size_t)c]);
        b->parents[c] = -1;
        b->costs[c] = qvDot(now, now);
        if (before != NULL)
            b->costs[c] += qvDot(qvWarp_Vector(before + 3 * (size_t)c), qvWarp_Vector(before + 3 * (size_t)c));
    }
    for (int step = 0; step < body->nodeCount; step++)
    {
        int next = -1;
        for (int c = 0; c < body->nodeCount; c++)
        {
            if (b->parents[c] != -2 && (next < 0 || b->costs[c] < b->costs[next]))
                next = c;
        }
        Adopt(b, before, index, next);
    }
}

// --- All shapes -----------------------------------------------------------------------------------------------------

// The edges of every node, without those to anchors.
static void ListEdges(Build* b)
{
    const qvWarpBody* body = b->warp->body;
    int32_t* next = b->edgeStart + 1; // of each node, where it begins, and then where it ends
    for (int e = 0; e < body->edgeCount; e++)
    {
        if (body->edges[e].to < body->nodeCount)
            next[body->edges[e].from + 1]++, next[body->edges[e].to + 1]++;
    }
    for (int c = 0; c < body->nodeCount; c++)
        next[c + 1] += next[c];
    for (int e = 0; e < body->edgeCount; e++)
    {
        if (body->edges[e].to < body->nodeCount)
            b->edgeOf[next[body->edges[e].from]++] = e, b->edgeOf[next[body->edges[e].to]++] = e;
    }
}

static bool Allocate(Build* b)
{
    const qvWarpBody* body = b->warp->body;
    size_t nodes = (size_t)body->nodeCount, edges = (size_t)body->edgeCount, shapes = (size_t)b->warp->shapeCount;
    b->turns = qvAllocateRaw(nodes * shapes, sizeof(*b->turns));
    b->gaps = qvAllocateRaw(edges * shapes, sizeof(double));
    b->edgeStart = qvAllocate(nodes + 2, sizeof(int32_t));
    b->edgeOf = qvAllocateRaw(2 * edges, sizeof(int32_t));
    b->costs = qvAllocateRaw(nodes, sizeof(double));
    b->parents = qvAllocateRaw(nodes, sizeof(int32_t));
    return b->turns != NULL && b->gaps != NULL && b->edgeStart != NULL && b->edgeOf != NULL && b->costs != NULL &&
           b->parents != NULL;
}

qvResult qvWarp_FindTurns(qvWarp* warp, const double* gradients, const qvJob* job, qvError* error)
{
    Build b = { .warp = warp, .gradients = gradients };
    qvResult result = qv_ok;
    if (!Allocate(&b))
        result = qvError_OutOfMemory(error, (double)warp->body->nodeCount * warp->shapeCount * sizeof(qvQuat));
    if (result == qv_ok)
        result = qvWatchedFor(job, warp->shapeCount, 1, FitTurns, &b, error);
    if (result == qv_ok)
        ListEdges(&b);
    for (int s = 0; result == qv_ok && s < warp->shapeCount; s++)
    {
        JoinTurns(&b, s);
        result = qvJob_Ask(job, error);
    }
    free(b.turns);
    free(b.gaps);
    free(b.edgeStart);
    free(b.edgeOf);
    free(b.costs);
    free(b.parents);
    return result;
}
