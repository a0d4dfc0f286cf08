// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes in rotation-strain coordinates: rotations of the nodes, vectors of the edges, points in the axes of their
// nodes; and the derivatives of all these at each shape. The papers and the equations are in warp.h.
#include "motion/warp.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/watch.h"
#include "motion/warp_math.h"
#include "motion/warp_turns.h"

#include <math.h>
#include <stdlib.h>

typedef struct Build
{
    const qvWarpDef* def;
    qvError* error;
    qvWarp* warp;
    double* fields;    // [3 pointCount x shapeCount] the shapes, about the pivot
    double* gradients; // [9 nodeCount x shapeCount]
    double* measures;  // [27 nodeCount x shapeCount] psi of a change of the gradient: for each of its nine numbers the
                       // psi of all nodes; the warp's own if that is bounded
} Build;

int qvWarpShape_Column(const qvWarpShape* shape, int other)
{
    int low = 0, high = shape->seenCount - 1;
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        if (shape->seen[middle] < other)
            low = middle + 1;
        else
            high = middle;
    }
    return shape->seenCount > 0 && shape->seen[low] == other ? low : -1;
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
            qvWarp_MeanRotation(warp, warp->shapes[s].rotations, i, m);
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
    qvWarp_MeanRotation(warp, rotations, point, map);
    bool ok = qvWarp_Invert(map, inverse);
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

// How psi of the nodes of a shape follows from their gradients.
static void FillMeasures(const Build* b, int index)
{
    const qvWarpBody* body = b->warp->body;
    size_t nodes = (size_t)body->nodeCount;
    double* measures = b->warp->isBounded ? b->warp->shapes[index].measures : b->measures + 27 * nodes * (size_t)index;
    for (size_t c = 0; c < nodes; c++)
    {
        double rows[27];
        qvWarp_Measure(body->planes[c], b->gradients + 9 * (nodes * (size_t)index + c),
                       b->warp->shapes[index].rotations + 9 * c, rows);
        for (size_t i = 0; i < 27; i++)
            measures[3 * nodes * (i % 9) + 3 * c + i / 9] = rows[i];
    }
}

static void FillShape(const Build* b, int index)
{
    const qvWarpBody* body = b->warp->body;
    qvWarpShape* shape = &b->warp->shapes[index];
    const double* field = b->fields + 3 * (size_t)body->pointCount * (size_t)index;
    double affines[12 * qv_warpNodes];
    for (int c = 0; c < body->nodeCount; c++)
    {
        const double* turn = shape->rotations + 9 * (size_t)c;
        double offset[3];
        memcpy(offset, shape->places + 3 * (size_t)c, sizeof(offset));
        qvWarp_AddApplied(-1.0, turn, body->centers + 3 * (size_t)c, offset);
        for (int k = 0; k < 12; k++)
            affines[12 * c + k] = k % 4 == 3 ? offset[k / 4] : turn[3 * (k / 4) + k % 4];
    }
    PointsRun run = { b->warp, shape, field, affines };
    qvParallelFor(qvJob_Pool(b->def->job), body->pointCount, 1024, FillPoints, &run);
    for (int p = 0; p < 3 * body->pinCount; p++)
        shape->pins[p] = field[3 * body->pins[p / 3] + p % 3];
}

// --- The basis ------------------------------------------------------------------------------------------------------

// out[i] = the sum over k < 9 of measure[k][i] gradient[k][i], for i < count.
static void Lift(int count, const double* restrict measure, const double* restrict gradient, double* restrict out)
{
    for (int i = 0; i < count; i++)
    {
        double sum = 0.0;
        for (int k = 0; k < 9; k++)
            sum += measure[k * count + i] * gradient[k * count + i];
        out[i] = sum;
    }
}

static void LiftColumns(void* context, int begin, int end)
{
    const Build* b = context;
    qvWarp* warp = b->warp;
    const qvWarpBody* body = warp->body;
    size_t nodes = (size_t)body->nodeCount, places = (size_t)body->placeCount, size = 3 * (size_t)body->pointCount;
    double gradients[9 * qv_warpNodes], threefold[27 * qv_warpNodes]; // each number beside the three that it counts for
    for (size_t c = (size_t)begin; c < (size_t)end; c++)
    {
        double* own = warp->isBounded ? warp->gradients + 9 * nodes * c : gradients;
        qvWarpBody_Gather(body, qvBasis_Vectors(b->def->basis) + size * c, warp->places + 3 * places * c, own);
        if (warp->isBounded)
            continue;
        for (size_t i = 0; i < 27 * nodes; i++)
            threefold[i] = gradients[9 * (i % (3 * nodes) / 3) + i / (3 * nodes)];
        for (size_t s = 0; s < (size_t)warp->shapeCount; s++)
            Lift(3 * body->nodeCount, b->measures + 27 * nodes * s, threefold, warp->shapes[s].lift + 3 * nodes * c);
    }
}

static void FillFastLifts(void* context, int begin, int end)
{
    const qvWarp* warp = context;
    for (int s = begin; s < end; s++)
        qvExpander_Fill(&warp->shapes[s].fastLift, warp->shapes[s].lift);
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
    if (result == qv_ok)
        result = qvExpander_SetColumns(&warp->points, warp->shapes[0].points, job, error);
    for (int s = 0; result == qv_ok && !warp->isBounded && s < warp->shapeCount; s++)
        result = qvExpander_Init(&warp->shapes[s].fastLift, nodes, warp->dimension, error);
    if (result == qv_ok && !warp->isBounded)
        result = qvWatchedFor(job, warp->shapeCount, 1, FillFastLifts, warp, error);
    if (result == qv_ok && warp->isBounded)
        result = qvExpander_Init(&warp->fastGradients, 3 * nodes, warp->dimension, error);
    if (result == qv_ok && warp->isBounded)
        result = qvExpander_SetColumns(&warp->fastGradients, warp->gradients, job, error);
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
    // What a shape has, without what it sees; of a bounded warp the lift is a matrix for all of them.
    const size_t lift = warp->isBounded ? 27 * nodes : 3 * nodes * d, shared = warp->isBounded ? 9 * nodes * d : 0;
    const size_t counts[] = { 3 * nodes, 9 * nodes, 3 * places, 3 * edges, 9 * edges, 3 * pins, lift };
    size_t seen = (size_t)b->def->seenStart[shapes], numbers = 0;
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
        numbers += counts[i];
    double* next = warp->numbers =
        qvAllocateLarge((numbers + 3 * n) * shapes + (2 * d + 1) * seen + 3 * places * d + shared, sizeof(double));
    warp->seen = qvAllocateRaw(seen, sizeof(*warp->seen));
    float* small = warp->floats = qvAllocate((9 * shapes + qv_warpLinks + 1) * n, sizeof(float));
    warp->shapes = qvAllocate(shapes, sizeof(*warp->shapes));
    warp->weights = qvAllocateRaw(n, sizeof(*warp->weights));
    b->fields = qvAllocateRaw(3 * n * shapes, sizeof(double));
    b->gradients = qvAllocateRaw(9 * nodes * shapes, sizeof(double));
    b->measures = warp->isBounded ? NULL : qvAllocateRaw(27 * nodes * shapes, sizeof(double));
    if (next == NULL || small == NULL || warp->seen == NULL || warp->shapes == NULL || warp->weights == NULL ||
        b->fields == NULL || b->gradients == NULL || (b->measures == NULL && !warp->isBounded))
        return qvError_OutOfMemory(b->error, (double)(numbers * shapes) * sizeof(double));
    memcpy(warp->seen, b->def->seen, seen * sizeof(*warp->seen));
    for (size_t s = 0; s < shapes; s++)
    {
        qvWarpShape* shape = &warp->shapes[s];
        double** arrays[] = { &shape->turns,
                              &shape->rotations,
                              &shape->places,
                              &shape->edges,
                              &shape->edgeRotations,
                              &shape->pins,
                              warp->isBounded ? &shape->measures : &shape->lift };
        for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
            *arrays[i] = next, next += counts[i];
        shape->seen = warp->seen + b->def->seenStart[s];
        shape->seenCount = b->def->seenStart[s + 1] - b->def->seenStart[s];
        shape->shift = next, next += d * (size_t)shape->seenCount;
        shape->paths = next, next += d * (size_t)shape->seenCount;
        shape->stiffness = next, next += shape->seenCount;
        shape->inverse = small, small += 9 * n;
    }
    for (size_t s = 0; s < shapes; s++, next += 3 * n) // next to each other: columns of an expander
        warp->shapes[s].points = next;
    warp->places = next, warp->gradients = next + 3 * places * d;
    warp->linkWeights = small, warp->pointShares = small + qv_warpLinks * n;
    return qv_ok;
}

// Places and gradients of the shapes [begin, end).
static void GatherShapes(void* context, int begin, int end)
{
    const Build* b = context;
    const qvWarpBody* body = b->warp->body;
    const double pivot[3] = { b->def->pivot.x, b->def->pivot.y, b->def->pivot.z };
    size_t size = 3 * (size_t)body->pointCount;
    for (size_t s = (size_t)begin; s < (size_t)end; s++)
    {
        double* field = b->fields + size * s;
        for (size_t i = 0; i < size; i++)
            field[i] = b->def->shapes[s].source->local[i] - pivot[i % 3];
        qvWarpBody_Gather(body, field, b->warp->shapes[s].places, b->gradients + 9 * (size_t)body->nodeCount * s);
    }
}

// What follows from the turns of the shapes [begin, end).
static void TurnShapes(void* context, int begin, int end)
{
    const Build* b = context;
    for (int s = begin; s < end; s++)
    {
        qvWarpShape* shape = &b->warp->shapes[s];
        for (size_t c = 0; c < (size_t)b->warp->body->nodeCount; c++)
            qvWarp_Matrix(qvQuat_Exp(qvWarp_Vector(shape->turns + 3 * c)), shape->rotations + 9 * c);
        FillEdges(b->warp->body, shape);
        FillMeasures(b, s);
    }
}

static void FillShapes(void* context, int begin, int end)
{
    for (int s = begin; s < end; s++)
        FillShape(context, s);
}

static qvResult FillWarp(Build* b)
{
    qvWarp* warp = b->warp;
    const qvJob* job = b->def->job;
    qvResult result = AllocateWarp(b);
    if (result == qv_ok)
        result = qvWatchedFor(job, warp->shapeCount, 1, GatherShapes, b, b->error);
    if (result == qv_ok)
        result = qvWarp_FindTurns(warp, b->gradients, job, b->error);
    if (result == qv_ok)
        result = qvWatchedFor(job, warp->shapeCount, 1, TurnShapes, b, b->error);
    if (result != qv_ok)
        return result;
    memcpy(warp->weights, warp->body->weights, (size_t)warp->body->pointCount * sizeof(*warp->weights));
    qvParallelFor(qvJob_Pool(job), warp->body->pointCount, 1024, CarryAlone, warp);
    result = qvWatchedFor(job, warp->shapeCount, 1, FillShapes, b, b->error);
    if (result == qv_ok)
        result = qvWatchedFor(job, warp->dimension, 4, LiftColumns, b, b->error);
    return result == qv_ok ? FillFast(warp, job, b->error) : result;
}

static qvResult TakeBody(Build* b)
{
    const qvWarpDef* def = b->def;
    if (def->body != NULL)
    {
        atomic_fetch_add(&def->body->owners, 1);
        b->warp->body = def->body;
        return qv_ok;
    }
    size_t size = 3 * (size_t)def->topology->pointCount;
    const double pivot[3] = { def->pivot.x, def->pivot.y, def->pivot.z };
    double* rest = qvAllocateRaw(size, sizeof(double));
    if (rest == NULL)
        return qvError_OutOfMemory(b->error, (double)size * sizeof(double));
    for (size_t i = 0; i < size; i++)
        rest[i] = def->rest[i] - pivot[i % 3];
    qvResult result = qvCreateWarpBody(def, rest, &b->warp->body, b->error);
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
    warp->isBounded = def->isBounded;
    Build b = { .def = def, .error = error, .warp = warp };
    qvResult result = TakeBody(&b);
    if (result == qv_ok)
        result = qvJob_Ask(def->job, error);
    if (result == qv_ok)
        result = FillWarp(&b);
    free(b.fields);
    free(b.gradients);
    free(b.measures);
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
    qvExpander_Free(&warp->fastGradients);
    qvExpander_Free(&warp->points);
    free(warp->seen);
    free(warp->shapes);
    free(warp->weights);
    free(warp->numbers);
    free(warp->floats);
    free(warp);
}
