// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes in rotation-strain coordinates: rotations of the nodes (continuous over the surface, so that half turns and
// more are known as such), vectors of the edges, points in the axes of their nodes; and the derivatives of all these
// at each shape. The papers and the equations are in warp.h.
#include "motion/warp.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/watch.h"
#include "math/blas.h"
#include "motion/warp_math.h"

#include <math.h>
#include <stdlib.h>

static const double TWO_PI = 6.28318530717958647692;

typedef struct Build
{
    const qvWarpDef* def;
    qvError* error;
    qvWarp* warp;
    double* fields;    // [3 pointCount x shapeCount] the shapes, about the pivot
    double* gradients; // [9 nodeCount x shapeCount]
    double* measures;  // [27 nodeCount x shapeCount] psi of a change of the gradient
    double* work;      // [12 placeCount per column of the basis]
    qvQuat* turns;     // [nodeCount]
    double* costs;     // [nodeCount]
    int32_t* parents;  // [nodeCount], -2 when done
} Build;

// --- Rotations of the nodes -----------------------------------------------------------------------------------------

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

// The rotation vector of a turn that is nearest to the expected one.
static qvVec3 Unwind(qvQuat turn, qvVec3 expected)
{
    qvVec3 r = qvQuat_Log(turn);
    double angle = qvLength(r);
    qvVec3 axis = angle > 1e-7 ? qvScale(1.0 / angle, r) : qvNormalize(expected);
    double whole = round((qvDot(axis, expected) - angle) / TWO_PI);
    return qvMulAdd(r, TWO_PI * whole, axis);
}

static double Between(qvQuat a, qvQuat b)
{
    return qvLength(qvQuat_Log(qvQuat_Multiply(qvQuat_Conjugate(a), b)));
}

static void Adopt(Build* b, const double* before, qvWarpShape* shape, int node)
{
    int parent = b->parents[node];
    const double* near = parent >= 0 ? shape->turns + 3 * (size_t)parent : before;
    qvVec3 expected = parent >= 0      ? qvWarp_Vector(near)
                      : before != NULL ? qvWarp_Vector(before + 3 * (size_t)node)
                                       : qvMakeVec3(0.0, 0.0, 0.0);
    qvVec3 w = Unwind(b->turns[node], expected);
    shape->turns[3 * node] = w.x, shape->turns[3 * node + 1] = w.y, shape->turns[3 * node + 2] = w.z;
    b->parents[node] = -2;
    const qvWarpBody* body = b->warp->body;
    for (int e = 0; e < body->edgeCount; e++)
    {
        const qvWarpEdge* edge = &body->edges[e];
        int other = edge->from == node ? edge->to : edge->to == node ? edge->from : -1;
        if (other < 0 || other >= body->nodeCount || b->parents[other] == -2)
            continue;
        double cost = Between(b->turns[node], b->turns[other]) - 1e3; // before any root of another part
        if (cost < b->costs[other])
            b->costs[other] = cost, b->parents[other] = node;
    }
}

// From the node that turns least, now and in the shape before, always to the neighbour whose rotation differs least.
static void FindTurns(Build* b, int index)
{
    const qvWarpBody* body = b->warp->body;
    qvWarpShape* shape = &b->warp->shapes[index];
    const double *gradients = b->gradients + 9 * (size_t)body->nodeCount * (size_t)index,
                 *before = index > 0 ? b->warp->shapes[index - 1].turns : NULL;
    for (int c = 0; c < body->nodeCount; c++)
    {
        double a[9], moment[9];
        Complete(body->planes[c], gradients + 9 * (size_t)c, a);
        for (int i = 0; i < 9; i++)
            moment[i] = a[3 * (i % 3) + i / 3];
        b->turns[c] = qvFitMoment(moment, qvMakeVec3(0.0, 0.0, 0.0)).rotation;
        b->parents[c] = -1;
        qvVec3 now = qvQuat_Log(b->turns[c]);
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
        Adopt(b, before, shape, next);
    }
    for (int c = 0; c < body->nodeCount; c++)
        qvWarp_Matrix(qvQuat_Exp(qvWarp_Vector(shape->turns + 3 * (size_t)c)), shape->rotations + 9 * (size_t)c);
}

static bool Invert3(const double a[9], double out[9])
{
    const double c[9] = { a[4] * a[8] - a[5] * a[7], a[2] * a[7] - a[1] * a[8], a[1] * a[5] - a[2] * a[4],
                          a[5] * a[6] - a[3] * a[8], a[0] * a[8] - a[2] * a[6], a[2] * a[3] - a[0] * a[5],
                          a[3] * a[7] - a[4] * a[6], a[1] * a[6] - a[0] * a[7], a[0] * a[4] - a[1] * a[3] };
    double determinant = a[0] * c[0] + a[1] * c[3] + a[2] * c[6], size = 0.0;
    for (int i = 0; i < 9; i++)
        size += a[i] * a[i];
    if (!(fabs(determinant) > 1e-4 * size * sqrt(size)))
        return false;
    for (int i = 0; i < 9; i++)
        out[i] = c[i] / determinant;
    return true;
}

// psi for a unit change of each of the nine numbers of a node's gradient A = R S: R^T dA = [psi]x S + dS, of which the
// skew part is [(tr S - S) psi]x.
static void Measure(const double plane[11], const double gradient[9], const double rotation[9], double out[27])
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
    if (!Invert3(s, inverse)) // collapsed: nothing to turn
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

// --- Edges and points -----------------------------------------------------------------------------------------------

static void FillEdges(const qvWarpBody* body, qvWarpShape* shape)
{
    for (int e = 0; e < body->edgeCount; e++)
    {
        const qvWarpEdge* edge = &body->edges[e];
        double mean[3], gap[3], *turn = shape->edgeRotations + 9 * (size_t)e;
        for (int i = 0; i < 3; i++)
        {
            mean[i] = 0.5 * (shape->turns[3 * edge->from + i] + shape->turns[3 * edge->turn + i]);
            gap[i] = shape->places[3 * edge->to + i] - shape->places[3 * edge->from + i];
        }
        qvWarp_Matrix(qvQuat_Exp(qvWarp_Vector(mean)), turn);
        qvWarp_ApplyTransposed(turn, gap, shape->edges + 3 * (size_t)e);
    }
}

static void MeanRotation(const qvWarp* warp, const double* rotations, int point, double map[9])
{
    memset(map, 0, 9 * sizeof(double));
    for (int l = 0; l < qv_warpLinks; l++)
    {
        const double* from = rotations + 9 * (size_t)warp->body->links[point][l];
        for (int k = 0; k < 9; k++)
            map[k] += warp->weights[point][l] * from[k];
    }
}

// Where the nodes of a point have turned against each other by about half a turn in some shape, their mean is no
// rotation any more. The nearest of them carries the point alone.
static void CarryAlone(void* context, int begin, int end)
{
    const qvWarp* warp = context;
    for (int i = begin; i < end; i++)
    {
        double smallest = 1.0;
        for (int s = 0; s < warp->shapeCount; s++)
        {
            double m[9];
            MeanRotation(warp, warp->shapes[s].rotations, i, m);
            double determinant = m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
                                 m[2] * (m[3] * m[7] - m[4] * m[6]);
            smallest = fmin(smallest, determinant);
        }
        if (smallest > 0.1)
            continue;
        for (int l = 0; l < qv_warpLinks; l++)
            warp->weights[i][l] = l == 0 ? 1.0 : 0.0;
    }
}

void qvWarp_InverseMap(const qvWarp* warp, const double* rotations, int point, double inverse[9])
{
    double map[9];
    MeanRotation(warp, rotations, point, map);
    bool ok = Invert3(map, inverse);
    QV_ASSERT(ok); // CarryAlone has seen to that
    (void)ok;
}

typedef struct PointsRun
{
    const qvWarp* warp;
    qvWarpShape* shape;
    const double* field;
    const double* affines;
} PointsRun;

static void FillPoints(void* context, int begin, int end)
{
    const PointsRun* run = context;
    for (int i = begin; i < end; i++)
    {
        double map[12], inverse[9], left[3];
        qvWarp_Carry(run->warp, i, run->affines, map);
        qvWarp_InverseMap(run->warp, run->shape->rotations, i, inverse);
        for (int k = 0; k < 3; k++)
            left[k] = run->field[3 * i + k] - map[4 * k + 3];
        double* z = run->shape->points + 3 * (size_t)i;
        memset(z, 0, 3 * sizeof(double));
        qvWarp_AddApplied(1.0, inverse, left, z);
        for (int k = 0; k < 9; k++)
            run->shape->inverse[9 * (size_t)i + (size_t)k] = (float)inverse[3 * (k % 3) + k / 3];
    }
}

static void FillShape(Build* b, int index)
{
    const qvWarpBody* body = b->warp->body;
    qvWarpShape* shape = &b->warp->shapes[index];
    const double* field = b->fields + 3 * (size_t)body->pointCount * (size_t)index;
    const double* gradients = b->gradients + 9 * (size_t)body->nodeCount * (size_t)index;
    double* affines = b->work;
    for (int c = 0; c < body->nodeCount; c++)
    {
        const double* turn = shape->rotations + 9 * (size_t)c;
        double offset[3];
        memcpy(offset, shape->places + 3 * (size_t)c, sizeof(offset));
        qvWarp_AddApplied(-1.0, turn, body->centers + 3 * (size_t)c, offset);
        for (int k = 0; k < 12; k++)
            affines[12 * c + k] = k % 4 == 3 ? offset[k / 4] : turn[3 * (k / 4) + k % 4];
        Measure(body->planes[c], gradients + 9 * (size_t)c, turn,
                b->measures + 27 * ((size_t)body->nodeCount * (size_t)index + (size_t)c));
    }
    PointsRun run = { b->warp, shape, field, affines };
    qvParallelFor(qvJob_Pool(b->def->job), body->pointCount, 1024, FillPoints, &run);
    for (int p = 0; p < 3 * body->pinCount; p++)
        shape->pins[p] = field[3 * body->pins[p / 3] + p % 3];
}

// --- The basis ------------------------------------------------------------------------------------------------------

static void LiftColumns(void* context, int begin, int end)
{
    const Build* b = context;
    qvWarp* warp = b->warp;
    const qvWarpBody* body = warp->body;
    size_t nodes = (size_t)body->nodeCount, places = (size_t)body->placeCount, size = 3 * (size_t)body->pointCount;
    for (int c = begin; c < end; c++)
    {
        double *moves = b->work + 12 * places * (size_t)c, *gradients = moves + 3 * places;
        qvWarpBody_Gather(body, qvBasis_Vectors(b->def->basis) + size * (size_t)c, moves, gradients);
        memcpy(warp->places + 3 * places * (size_t)c, moves, 3 * places * sizeof(double));
        for (int s = 0; s < warp->shapeCount; s++)
        {
            const double* measure = b->measures + 27 * nodes * (size_t)s;
            double* out = warp->shapes[s].lift + 3 * nodes * (size_t)c;
            for (size_t i = 0; i < 3 * nodes; i++)
            {
                const double *row = measure + 9 * i, *g = gradients + 9 * (i / 3);
                double sum = 0.0;
                for (int k = 0; k < 9; k++)
                    sum += row[k] * g[k];
                out[i] = sum;
            }
        }
    }
}

// What frames in float read.
static qvResult FillFast(qvWarp* warp, const qvJob* job, qvError* error)
{
    int nodes = 3 * warp->body->nodeCount, places = 3 * warp->body->placeCount, points = warp->body->pointCount;
    qvResult result = qvExpander_Init(&warp->fastPlaces, places, warp->dimension, error);
    if (result == qv_ok)
        result = qvExpander_SetColumns(&warp->fastPlaces, warp->places, job, error);
    if (result == qv_ok)
        result = qvExpander_Init(&warp->points, 3 * points, warp->shapeCount, error);
    for (int s = 0; result == qv_ok && s < warp->shapeCount; s++)
    {
        qvWarpShape* shape = &warp->shapes[s];
        qvExpander_SetColumn(&warp->points, s, shape->points);
        result = qvExpander_Init(&shape->fastLift, nodes, warp->dimension, error);
        if (result == qv_ok)
            result = qvExpander_SetColumns(&shape->fastLift, shape->lift, job, error);
    }
    for (int i = 0; i < qv_warpLinks * points; i++)
        warp->linkWeights[i] = (float)warp->weights[i / qv_warpLinks][i % qv_warpLinks];
    for (int i = 0; i < points; i++)
        warp->pointShares[i] = (float)warp->body->pointShare[i];
    return result;
}

// --- All together ---------------------------------------------------------------------------------------------------

static qvResult AllocateWarp(Build* b)
{
    qvWarp* warp = b->warp;
    const qvWarpBody* body = warp->body;
    size_t n = (size_t)body->pointCount, nodes = (size_t)body->nodeCount, places = (size_t)body->placeCount;
    size_t edges = (size_t)body->edgeCount, pins = (size_t)body->pinCount;
    size_t d = (size_t)warp->dimension, shapes = (size_t)warp->shapeCount;
    const size_t counts[] = { 3 * nodes, 9 * nodes,  3 * places, 3 * edges, 9 * edges,    3 * n,
                              3 * pins,  d * shapes, d * shapes, shapes,    3 * nodes * d };
    size_t numbers = 0;
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
        numbers += counts[i];
    double* next = warp->numbers = qvAllocate(numbers * shapes + 3 * places * d, sizeof(double));
    float* small = warp->floats = qvAllocate((9 * shapes + qv_warpLinks + 1) * n, sizeof(float));
    warp->shapes = qvAllocate(shapes, sizeof(*warp->shapes));
    warp->weights = qvAllocateRaw(n, sizeof(*warp->weights));
    b->fields = qvAllocateRaw(3 * n * shapes, sizeof(double));
    b->gradients = qvAllocateRaw(9 * nodes * shapes, sizeof(double));
    b->measures = qvAllocateRaw(27 * nodes * shapes, sizeof(double));
    b->work = qvAllocateRaw(12 * places * (d + 1), sizeof(double));
    b->turns = qvAllocateRaw(nodes, sizeof(*b->turns));
    b->costs = qvAllocateRaw(nodes, sizeof(double));
    b->parents = qvAllocateRaw(nodes, sizeof(int32_t));
    if (next == NULL || small == NULL || warp->shapes == NULL || warp->weights == NULL || b->fields == NULL ||
        b->gradients == NULL || b->measures == NULL || b->work == NULL || b->turns == NULL || b->costs == NULL ||
        b->parents == NULL)
        return qvError_OutOfMemory(b->error, (double)(numbers * shapes) * sizeof(double));
    for (size_t s = 0; s < shapes; s++)
    {
        qvWarpShape* shape = &warp->shapes[s];
        double** arrays[] = { &shape->turns,         &shape->rotations, &shape->places, &shape->edges,
                              &shape->edgeRotations, &shape->points,    &shape->pins,   &shape->shift,
                              &shape->paths,         &shape->stiffness, &shape->lift };
        for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
            *arrays[i] = next, next += counts[i];
        shape->inverse = small, small += 9 * n;
    }
    warp->places = next;
    warp->linkWeights = small, warp->pointShares = small + qv_warpLinks * n;
    return qv_ok;
}

static qvResult FillWarp(Build* b)
{
    qvWarp* warp = b->warp;
    const qvWarpDef* def = b->def;
    qvResult result = AllocateWarp(b);
    if (result != qv_ok)
        return result;
    const double pivot[3] = { def->pivot.x, def->pivot.y, def->pivot.z };
    size_t size = 3 * (size_t)warp->body->pointCount;
    for (int s = 0; result == qv_ok && s < warp->shapeCount; s++)
    {
        const double* local = def->shapes[s].source->local;
        for (size_t i = 0; i < size; i++)
            b->fields[size * (size_t)s + i] = local[i] - pivot[i % 3];
        qvWarpBody_Gather(warp->body, b->fields + size * (size_t)s, warp->shapes[s].places,
                          b->gradients + 9 * (size_t)warp->body->nodeCount * (size_t)s);
        FindTurns(b, s);
        FillEdges(warp->body, &warp->shapes[s]);
        result = qvJob_Ask(def->job, b->error);
    }
    if (result != qv_ok)
        return result;
    memcpy(warp->weights, warp->body->weights, size / 3 * sizeof(*warp->weights));
    qvParallelFor(qvJob_Pool(def->job), warp->body->pointCount, 1024, CarryAlone, warp);
    for (int s = 0; result == qv_ok && s < warp->shapeCount; s++)
    {
        FillShape(b, s);
        result = qvJob_Ask(def->job, b->error);
    }
    if (result == qv_ok)
        result = qvWatchedFor(def->job, warp->dimension, 1, LiftColumns, b, b->error);
    return result == qv_ok ? FillFast(warp, def->job, b->error) : result;
}

static qvResult TakeBody(Build* b)
{
    const qvWarpDef* def = b->def;
    if (def->previous != NULL)
    {
        atomic_fetch_add(&def->previous->body->owners, 1);
        b->warp->body = def->previous->body;
        return qv_ok;
    }
    size_t size = 3 * (size_t)def->topology->pointCount;
    const double pivot[3] = { def->pivot.x, def->pivot.y, def->pivot.z };
    double* rest = qvAllocateRaw(size, sizeof(double));
    if (rest == NULL)
        return qvError_OutOfMemory(b->error, (double)size * sizeof(double));
    for (size_t i = 0; i < size; i++)
        rest[i] = def->rest[i] - pivot[i % 3];
    qvResult result = qvCreateWarpBody(def->topology, rest, def->masses, def->pins, def->pinCount, def->job,
                                       &b->warp->body, b->error);
    free(rest);
    return result;
}

qvResult qvCreateWarp(const qvWarpDef* def, qvWarp** out, qvError* error)
{
    *out = NULL;
    qvWarp* warp = qvAllocate(1, sizeof(*warp));
    if (warp == NULL)
        return qvError_OutOfMemory(error, sizeof(*warp));
    warp->dimension = qvBasis_Dimension(def->basis), warp->shapeCount = def->shapeCount, warp->scale = def->scale;
    Build b = { .def = def, .error = error, .warp = warp };
    qvResult result = TakeBody(&b);
    if (result == qv_ok)
        result = qvJob_Ask(def->job, error);
    if (result == qv_ok)
        result = FillWarp(&b);
    free(b.fields);
    free(b.gradients);
    free(b.measures);
    free(b.work);
    free(b.turns);
    free(b.costs);
    free(b.parents);
    if (result == qv_ok)
        *out = warp;
    else
        qvDestroyWarp(warp);
    return result;
}

void qvDestroyWarp(qvWarp* warp)
{
    if (warp == NULL)
        return;
    qvReleaseWarpBody(warp->body);
    for (int s = 0; warp->shapes != NULL && s < warp->shapeCount; s++)
        qvExpander_Free(&warp->shapes[s].fastLift);
    qvExpander_Free(&warp->fastPlaces);
    qvExpander_Free(&warp->points);
    free(warp->shapes);
    free(warp->weights);
    free(warp->numbers);
    free(warp->floats);
    free(warp);
}
