// SPDX-License-Identifier: GPL-3.0-or-later
// Rotations, edges and positions of the nodes at a time, with derivatives; then the points. The papers and the
// equations are in warp.h.
#include "motion/warp.h"

#include "base/assert.h"
#include "math/blas.h"
#include "motion/warp_kernel.h"
#include "motion/warp_math.h"

enum
{
    ROW_GRAIN = 3 * qv_expandStrip,
    EDGE_GRAIN = 4 * qv_warpTile
};

// What the computation works with: a jet per array.
typedef struct Work
{
    const qvWarp* warp;
    const qvWarpInput* input;
    qvWarpKernel kernel;
    qvExpandKernel expand;
    qvReading placesRead, liftRead[qv_warpTerms]; // of fastPlaces and fastLift
    float* readings;
    double *turns[3], *places[3], *edges[3];                                           // blended between the shapes
    double *scaled[qv_warpTerms][3], *moves[qv_warpTerms][3], *local[qv_warpTerms][3]; // of the vibration: [d] times
                                                                                       // its share, places, psi
    double* sums[3];                                                                   // [3 nodeCount] right-hand sides
    double* solved[3]; // [3 nodeCount] positions, axis after axis
    double* means[3];  // [3 partCount]
    double *affines[3], *terms[qv_warpTerms][3];
} Work;

static size_t Layout(const qvWarp* warp, int order, Work* work, double* next)
{
    const qvWarpBody* body = warp->body;
    size_t nodes = (size_t)body->nodeCount, start = 0;
    const size_t place = 3 * (size_t)body->placeCount, edge = 3 * (size_t)body->edgeCount, d = (size_t)warp->dimension;
    for (int k = 0; k <= order; k++)
    {
        double** arrays[] = { &work->turns[k],     &work->places[k],   &work->edges[k],    &work->sums[k],
                              &work->affines[k],   &work->means[k],    &work->solved[k],   &work->scaled[0][k],
                              &work->scaled[1][k], &work->moves[0][k], &work->moves[1][k], &work->local[0][k],
                              &work->local[1][k],  &work->terms[0][k], &work->terms[1][k] };
        const size_t counts[] = { 3 * nodes, place,      edge,      3 * nodes, 12 * nodes, 3 * (size_t)body->partCount,
                                  3 * nodes, d,          d,         place,     place,      3 * nodes,
                                  3 * nodes, 12 * nodes, 12 * nodes };
        for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
        {
            *arrays[i] = next != NULL ? next + start : NULL;
            start += counts[i];
        }
    }
    work->readings = next != NULL ? (float*)(next + start) : NULL;
    return start + ((1 + qv_warpTerms) * qvReading_Size(warp->dimension) + 1) / 2;
}

size_t qvWarp_MomentSize(const qvWarp* warp, int order)
{
    Work work;
    return Layout(warp, order, &work, NULL);
}

// --- Blends ---------------------------------------------------------------------------------------------------------

// Rows of one of the arrays of the shapes, blended between these.
static void BlendRows(const Work* work, size_t array, int begin, int end, double* const out[3])
{
    const qvWarp* warp = work->warp;
    for (int k = 0; begin < end && k <= work->input->order; k++)
    {
        memset(out[k] + begin, 0, (size_t)(end - begin) * sizeof(double));
        for (int s = 0; s < warp->shapeCount; s++)
        {
            const double* from = *(double* const*)((const char*)&warp->shapes[s] + array);
            if (work->input->blend[k][s] != 0.0)
                work->kernel.add(work->input->blend[k][s], from + begin, end - begin, out[k] + begin);
        }
    }
}

// out = share times field, with derivatives.
static void Scale(int order, const double share[3], const double* const field[3], int count, double* const out[3])
{
    for (int i = 0; i < count; i++)
    {
        out[0][i] = share[0] * field[0][i];
        if (order > 0)
            out[1][i] = share[0] * field[1][i] + share[1] * field[0][i];
        if (order > 1)
            out[2][i] = share[0] * field[2][i] + 2.0 * share[1] * field[1][i] + share[2] * field[0][i];
    }
}

// psi of the rows [begin, end) from the gradients of their nodes, by rows of nine.
static void MeasureRows(const Work* work, int m, int begin, int end, const double* gradients, double* out)
{
    const qvWarp* warp = work->warp;
    size_t nodes = (size_t)warp->body->nodeCount;
    const double* measures = warp->shapes[work->input->shape[m]].measures;
    for (int i = begin; i < end; i++)
    {
        double sum = 0.0;
        for (int k = 0; k < 9; k++)
            sum += measures[3 * nodes * (size_t)k + (size_t)i] * gradients[9 * (i / 3 - begin / 3) + k];
        out[i] = sum;
    }
}

static void LiftNodesFast(const Work* work, int m, int begin, int end)
{
    float rows[3 * ROW_GRAIN], *const both[qv_warpTerms] = { rows, NULL };
    double gradients[3 * ROW_GRAIN];
    qvExpander_Multiply(&work->warp->fastGradients, &work->expand, &work->liftRead[m], 1, 3 * begin, 3 * (end - begin),
                        both);
    for (int i = 0; i < 3 * (end - begin); i++)
        gradients[i] = (double)rows[i];
    MeasureRows(work, m, begin, end, gradients, work->local[m][0]);
}

static void LiftFast(const Work* work, int begin, int end)
{
    const qvWarp* warp = work->warp;
    int nodes = 3 * warp->body->nodeCount, last = end < nodes ? end : nodes, terms = work->input->termCount;
    float rows[qv_warpTerms][ROW_GRAIN], *const both[qv_warpTerms] = { rows[0], rows[1] };
    qvExpander_Multiply(&warp->fastPlaces, &work->expand, &work->placesRead, terms, begin, end - begin, both);
    for (int i = 0; i < terms * (end - begin); i++)
        work->moves[i % terms][0][begin + i / terms] = (double)rows[i % terms][i / terms];
    for (int m = 0; m < terms && begin < last; m++)
    {
        if (warp->isBounded)
        {
            LiftNodesFast(work, m, begin, last);
            continue;
        }
        const qvExpander* lift = &warp->shapes[work->input->shape[m]].fastLift;
        qvExpander_Multiply(lift, &work->expand, &work->liftRead[m], 1, begin, last - begin, both);
        for (int i = begin; i < last; i++)
            work->local[m][0][i] = (double)rows[0][i - begin];
    }
}

// y = a x for the rows [begin, end); y begins with the first of them
static void MultiplyRows(const double* a, int rows, int d, const double* x, int begin, int end, double* y)
{
    if (begin < end)
        qvBlas_Multiply(false, false, end - begin, 1, d, 1.0, a + begin, rows, x, d, 0.0, y, rows);
}

static void LiftPrecisely(const Work* work, int begin, int end)
{
    const qvWarp* warp = work->warp;
    int d = warp->dimension, nodes = 3 * warp->body->nodeCount, last = end < nodes ? end : nodes;
    for (int i = 0; i < work->input->termCount * (work->input->order + 1); i++)
    {
        int m = i % work->input->termCount, k = i / work->input->termCount;
        const double *x = work->scaled[m][k], *lift = warp->shapes[work->input->shape[m]].lift;
        MultiplyRows(warp->places, 3 * warp->body->placeCount, d, x, begin, end, work->moves[m][k] + begin);
        if (warp->isBounded && begin < last)
        {
            double gradients[3 * ROW_GRAIN];
            MultiplyRows(warp->gradients, 3 * nodes, d, x, 3 * begin, 3 * last, gradients);
            MeasureRows(work, m, begin, last, gradients, work->local[m][k]);
        }
        else if (!warp->isBounded)
            MultiplyRows(lift, nodes, d, x, begin, last, work->local[m][k] + begin);
    }
}

// Rotation vectors and places: those of the shapes, and what vibration adds.
static void BlendPlaces(void* context, int begin, int end)
{
    const Work* work = context;
    int nodes = 3 * work->warp->body->nodeCount, terms = work->input->termCount;
    BlendRows(work, offsetof(qvWarpShape, turns), begin, end < nodes ? end : nodes, work->turns);
    BlendRows(work, offsetof(qvWarpShape, places), begin, end, work->places);
    if (terms > 0)
        (work->input->fast ? LiftFast : LiftPrecisely)(work, begin, end);
    for (int i = 0; i < terms * (work->input->order + 1); i++)
        work->kernel.add(1.0, work->moves[i % terms][i / terms] + begin, end - begin, work->places[i / terms] + begin);
}

static void PrepareLift(Work* work)
{
    const qvWarp* warp = work->warp;
    const qvWarpInput* input = work->input;
    const double* const x[qv_warpTerms] = { work->scaled[0][0], work->scaled[1][0] };
    size_t size = qvReading_Size(warp->dimension);
    for (int m = 0; m < input->termCount; m++)
        Scale(input->order, input->share[m], input->deviation[m], warp->dimension, work->scaled[m]);
    if (!input->fast)
        return;
    work->expand = qvGetExpandKernel();
    work->placesRead = qvExpander_Plan(&warp->fastPlaces, input->termCount, x, 1.0, work->readings);
    for (int m = 0; m < input->termCount; m++)
        work->liftRead[m] =
            qvExpander_Plan(warp->isBounded ? &warp->fastGradients : &warp->shapes[input->shape[m]].fastLift, 1, &x[m],
                            1.0, work->readings + (size_t)(m + 1) * size);
}

// --- Nodes and edges ------------------------------------------------------------------------------------------------

// exp(w) exp(psi) of the mean of two nodes.
static void Rotate(const Work* work, int a, int b, double out[3][9])
{
    const qvWarpInput* input = work->input;
    double w[3][3], psi[3][3], first[3][9], second[3][9];
    for (int k = 0; k <= input->order; k++)
    {
        for (int i = 0; i < 3; i++)
        {
            w[k][i] = 0.5 * (work->turns[k][3 * a + i] + work->turns[k][3 * b + i]);
            psi[k][i] = 0.0;
            for (int m = 0; m < input->termCount; m++)
                psi[k][i] += 0.5 * (work->local[m][k][3 * a + i] + work->local[m][k][3 * b + i]);
        }
    }
    if (input->termCount == 0)
    {
        qvWarp_Exp(input->order, w, out);
        return;
    }
    qvWarp_Exp(input->order, w, first);
    qvWarp_Exp(input->order, psi, second);
    qvWarp_Product(input->order, first, second, out);
}

// What vibration adds to an edge: the derivative of l = R^T (x_b - x_a) at the shape.
static void AddEdgeVibration(const Work* work, int e, int m)
{
    const qvWarpEdge* edge = &work->warp->body->edges[e];
    const qvWarpShape* shape = &work->warp->shapes[work->input->shape[m]];
    const double* l = shape->edges + 3 * (size_t)e;
    for (int k = 0; k <= work->input->order; k++)
    {
        const double *a = work->local[m][k] + 3 * (size_t)edge->from, *b = work->local[m][k] + 3 * (size_t)edge->turn;
        const double *from = work->moves[m][k] + 3 * (size_t)edge->from, *to = work->moves[m][k] + 3 * (size_t)edge->to;
        const double psi[3] = { 0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), 0.5 * (a[2] + b[2]) };
        const double gap[3] = { to[0] - from[0], to[1] - from[1], to[2] - from[2] };
        double back[3], *out = work->edges[k] + 3 * (size_t)e;
        qvWarp_ApplyTransposed(shape->edgeRotations + 9 * (size_t)e, gap, back);
        out[0] += back[0] - (psi[1] * l[2] - psi[2] * l[1]);
        out[1] += back[1] - (psi[2] * l[0] - psi[0] * l[2]);
        out[2] += back[2] - (psi[0] * l[1] - psi[1] * l[0]);
    }
}

// The rotation of the mean of two nodes as one of many, without derivatives.
static void AskTurn(const Work* work, int a, int b, int i, qvWarpTurns* turns)
{
    for (int k = 0; k < 3; k++)
    {
        double psi = 0.0;
        for (int m = 0; m < work->input->termCount; m++)
            psi += work->local[m][0][3 * a + k] + work->local[m][0][3 * b + k];
        turns->w[k][i] = 0.5 * (work->turns[0][3 * a + k] + work->turns[0][3 * b + k]);
        turns->psi[k][i] = 0.5 * psi;
    }
}

static void TurnEdgesFast(const Work* work, int begin, int end)
{
    qvWarpTurns turns = { 0 };
    for (int first = begin; first < end; first += qv_warpTile)
    {
        int count = end - first < qv_warpTile ? end - first : qv_warpTile;
        double* v = work->edges[0] + 3 * (size_t)first;
        for (int i = 0; i < count; i++)
        {
            const qvWarpEdge* edge = &work->warp->body->edges[first + i];
            AskTurn(work, edge->from, edge->turn, i, &turns);
            for (int k = 0; k < 3; k++)
                turns.v[k][i] = v[3 * i + k];
        }
        work->kernel.turn(&turns);
        for (int i = 0; i < 3 * count; i++)
            v[i] = turns.v[i % 3][i / 3];
    }
}

// The vectors of the edges, turned.
static void TurnEdges(void* context, int begin, int end)
{
    const Work* work = context;
    int order = work->input->order;
    BlendRows(work, offsetof(qvWarpShape, edges), 3 * begin, 3 * end, work->edges);
    for (int i = 0; i < (end - begin) * work->input->termCount; i++)
        AddEdgeVibration(work, begin + i / work->input->termCount, i % work->input->termCount);
    if (work->input->fast)
    {
        TurnEdgesFast(work, begin, end);
        return;
    }
    for (int e = begin; e < end; e++)
    {
        const qvWarpEdge* edge = &work->warp->body->edges[e];
        double turn[3][9], out[3][3] = { { 0.0 } };
        Rotate(work, edge->from, edge->turn, turn);
        for (int k = 0; k <= order; k++)
        {
            for (int j = 0; j <= k; j++)
                qvWarp_AddApplied(k == 2 && j == 1 ? 2.0 : 1.0, turn[j], work->edges[k - j] + 3 * (size_t)e, out[k]);
        }
        for (int k = 0; k <= order; k++)
            memcpy(work->edges[k] + 3 * (size_t)e, out[k], sizeof(out[k]));
    }
}

static void SumEdges(const Work* work, int k)
{
    const qvWarpBody* body = work->warp->body;
    double* sums = work->sums[k];
    memset(sums, 0, 3 * (size_t)body->nodeCount * sizeof(double));
    for (int e = 0; e < body->edgeCount; e++)
    {
        const qvWarpEdge* edge = &body->edges[e];
        const double *v = work->edges[k] + 3 * (size_t)e, *anchor = work->places[k] + 3 * (size_t)edge->to;
        bool held = edge->to >= body->nodeCount;
        for (int i = 0; i < 3; i++)
        {
            sums[3 * edge->from + i] += edge->stiffness * (held ? anchor[i] - v[i] : -v[i]);
            if (!held)
                sums[3 * edge->to + i] += edge->stiffness * v[i];
        }
    }
}

// Parts without anchors keep the mean place of the linear motion.
static void AddMeans(const Work* work, int k)
{
    const qvWarpBody* body = work->warp->body;
    memset(work->means[k], 0, 3 * (size_t)body->partCount * sizeof(double));
    for (int i = 0; i < 3 * body->nodeCount; i++)
        work->means[k][3 * body->nodePart[i / 3] + i % 3] += body->nodeShare[i / 3] * work->places[k][i];
    for (int i = 0; i < 3 * body->nodeCount; i++)
    {
        int part = body->nodePart[i / 3];
        work->sums[k][i] += body->pull[part] * body->nodeShare[i / 3] * work->means[k][3 * part + i % 3];
    }
}

// Positions of the nodes [begin, end), which are of one tile.
static void SolveNodes(const Work* work, int begin, int end)
{
    const qvWarpBody* body = work->warp->body;
    size_t n = (size_t)body->nodeCount;
    double tile[3][qv_warpTile];
    if (work->input->fast)
        work->kernel.solve(body->tiles + n * (size_t)begin, body->nodeCount, work->sums[0], tile);
    for (int axis = 0; work->input->fast && axis < 3; axis++)
        memcpy(work->solved[0] + (size_t)axis * n + begin, tile[axis], (size_t)(end - begin) * sizeof(double));
    for (int k = 0; !work->input->fast && k <= work->input->order; k++)
    {
        for (int axis = 0; axis < 3; axis++)
        {
            double* x = work->solved[k] + (size_t)axis * n;
            memset(x + begin, 0, (size_t)(end - begin) * sizeof(double));
            for (size_t j = 0; j < n; j++)
                work->kernel.add(work->sums[k][3 * j + (size_t)axis], body->inverse + j * n + begin, end - begin,
                                 x + begin);
        }
    }
}

// x -> a (x - p) + x0
static void StoreMap(const double a[9], const double p[3], const double x0[3], double out[12])
{
    double x[3] = { x0[0], x0[1], x0[2] };
    qvWarp_AddApplied(-1.0, a, p, x);
    for (int i = 0; i < 3; i++)
    {
        memcpy(out + 4 * i, a + 3 * i, 3 * sizeof(double));
        out[4 * i + 3] = x[i];
    }
}

static void StoreNode(const Work* work, int c, double turn[3][9])
{
    const qvWarpBody* body = work->warp->body;
    size_t n = (size_t)body->nodeCount;
    for (int k = 0; k <= work->input->order; k++)
    {
        const double *solved = work->solved[k] + c, x[3] = { solved[0], solved[n], solved[2 * n] };
        StoreMap(turn[k], body->centers + 3 * (size_t)c, x, work->affines[k] + 12 * (size_t)c);
    }
}

static void TurnNodesFast(const Work* work, int begin, int end)
{
    qvWarpTurns turns = { 0 };
    for (int c = begin; c < end; c++)
        AskTurn(work, c, c, c - begin, &turns);
    work->kernel.turn(&turns);
    for (int c = begin; c < end; c++)
    {
        int i = c - begin;
        double turn[3][9];
        qvWarp_Matrix((qvQuat){ turns.q[0][i], turns.q[1][i], turns.q[2][i], turns.q[3][i] }, turn[0]);
        StoreNode(work, c, turn);
    }
}

// How the vibration moves each shape: x -> A (x - p) + move, A = R [psi]x.
static void FillTerms(const Work* work, int c)
{
    const qvWarpInput* input = work->input;
    for (int i = 0; i < input->termCount * (input->order + 1); i++)
    {
        int m = i % input->termCount, k = i / input->termCount;
        double a[9];
        qvWarp_MultiplySkew(work->warp->shapes[input->shape[m]].rotations + 9 * (size_t)c,
                            work->local[m][k] + 3 * (size_t)c, a);
        StoreMap(a, work->warp->body->centers + 3 * (size_t)c, work->moves[m][k] + 3 * (size_t)c,
                 work->terms[m][k] + 12 * (size_t)c);
    }
}

// Rotations and positions of the nodes as affine maps x -> R (x - p) + position; then the terms.
static void FillNodes(void* context, int begin, int end)
{
    const Work* work = context;
    SolveNodes(work, begin, end);
    if (work->input->fast)
        TurnNodesFast(work, begin, end);
    for (int c = begin; c < end; c++)
    {
        double turn[3][9];
        if (!work->input->fast)
        {
            Rotate(work, c, c, turn);
            StoreNode(work, c, turn);
        }
        FillTerms(work, c);
    }
}

void qvWarp_Compute(const qvWarp* warp, const qvWarpInput* input, double* scratch, qvPool* pool, qvWarpMoment* moment)
{
    QV_ASSERT(!input->fast || input->order == 0);
    Work work = { .warp = warp, .input = input, .kernel = qvGetWarpKernel() };
    Layout(warp, input->order, &work, scratch);
    PrepareLift(&work);
    qvParallelFor(pool, 3 * warp->body->placeCount, ROW_GRAIN, BlendPlaces, &work);
    qvParallelFor(pool, warp->body->edgeCount, EDGE_GRAIN, TurnEdges, &work);
    for (int k = 0; k <= input->order; k++)
    {
        SumEdges(&work, k);
        AddMeans(&work, k);
    }
    qvParallelFor(pool, warp->body->nodeCount, qv_warpTile, FillNodes, &work);
    memcpy(moment->affines, work.affines, sizeof(work.affines));
    memcpy(moment->terms, work.terms, sizeof(work.terms));
    memcpy(moment->scaled, work.scaled, sizeof(work.scaled));
    memcpy(moment->means, work.means, sizeof(work.means));
}

// --- Points ---------------------------------------------------------------------------------------------------------

// out = affine x + offset
static void Apply(const double m[12], const double x[3], double factor, bool offset, double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] +=
            factor * (m[4 * i] * x[0] + m[4 * i + 1] * x[1] + m[4 * i + 2] * x[2] + (offset ? m[4 * i + 3] : 0.0));
}

// z of a point with derivatives: blended between the shapes, and what vibration adds to it.
static void Unwarped(const qvWarp* warp, const qvWarpInput* input, const qvWarpMoment* moment, int point, int place,
                     const double* const fields[qv_warpTerms][3], double z[3][3])
{
    for (int k = 0; k <= input->order; k++)
    {
        memset(z[k], 0, sizeof(z[k]));
        for (int s = 0; s < warp->shapeCount; s++)
        {
            for (int c = 0; c < 3; c++)
                z[k][c] += input->blend[k][s] * warp->shapes[s].points[3 * (size_t)point + (size_t)c];
        }
    }
    for (int m = 0; m < input->termCount; m++)
    {
        const qvWarpShape* shape = &warp->shapes[input->shape[m]];
        double inverse[9];
        qvWarp_InverseMap(warp, shape->rotations, point, inverse);
        for (int k = 0; k <= input->order; k++)
        {
            double map[12], left[3];
            memcpy(left, fields[m][k] + 3 * (size_t)place, sizeof(left));
            qvWarp_Carry(warp, point, moment->terms[m][k], map);
            Apply(map, shape->points + 3 * (size_t)point, -1.0, true, left);
            qvWarp_AddApplied(1.0, inverse, left, z[k]);
        }
    }
}

void qvWarp_Points(const qvWarp* warp, const qvWarpInput* input, const qvWarpMoment* moment, int first, int count,
                   const double* const fields[qv_warpTerms][3], double* const out[3])
{
    for (int i = 0; i < count; i++)
    {
        double z[3][3], map[3][12];
        Unwarped(warp, input, moment, first + i, i, fields, z);
        for (int k = 0; k <= input->order; k++)
            qvWarp_Carry(warp, first + i, moment->affines[k], map[k]);
        for (int k = 0; k <= input->order; k++)
        {
            double x[3] = { 0.0, 0.0, 0.0 };
            for (int j = 0; j <= k; j++)
                Apply(map[j], z[k - j], k == 2 && j == 1 ? 2.0 : 1.0, j == k, x);
            memcpy(out[k] + 3 * (size_t)i, x, sizeof(x));
        }
    }
}
