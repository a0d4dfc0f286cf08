// SPDX-License-Identifier: GPL-3.0-or-later
// Rotations, edges and positions of the nodes at a time, with derivatives; then the points. The papers and the
// equations are in warp.h.
#include "motion/warp.h"

#include "base/cpu.h"
#include "math/blas.h"
#include "motion/warp_kernel.h"
#include "motion/warp_math.h"

#define WARP_BLOCK   qvWarpBlock_Portable
#define WARP_COLUMNS qvWarpColumns_Portable
#define WARP_SOLVE   qvWarpSolve_Portable
#include "motion/warp_kernel.inl"

enum
{
    ROW_GRAIN = 128,
    EDGE_GRAIN = 128
};

// What the computation works with: a jet per array.
typedef struct Work
{
    const qvWarp* warp;
    const qvWarpInput* input;
    qvWarpColumnsFcn* columns;
    qvWarpSolveFcn* solve;
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
    return start;
}

size_t qvWarp_MomentSize(const qvWarp* warp, int order)
{
    Work work;
    return Layout(warp, order, &work, NULL);
}

// --- Blends ---------------------------------------------------------------------------------------------------------

static void AddShape(double share, const double* from, int count, double* to)
{
    for (int i = 0; i < count; i++)
        to[i] += share * from[i];
}

static void BlendShapes(const Work* work)
{
    const qvWarp* warp = work->warp;
    const qvWarpBody* body = warp->body;
    for (int k = 0; k <= work->input->order; k++)
    {
        memset(work->turns[k], 0, 3 * (size_t)body->nodeCount * sizeof(double));
        memset(work->places[k], 0, 3 * (size_t)body->placeCount * sizeof(double));
        memset(work->edges[k], 0, 3 * (size_t)body->edgeCount * sizeof(double));
        for (int s = 0; s < warp->shapeCount; s++)
        {
            double share = work->input->blend[k][s];
            if (share == 0.0)
                continue;
            AddShape(share, warp->shapes[s].turns, 3 * body->nodeCount, work->turns[k]);
            AddShape(share, warp->shapes[s].places, 3 * body->placeCount, work->places[k]);
            AddShape(share, warp->shapes[s].edges, 3 * body->edgeCount, work->edges[k]);
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

static void AddColumns(const Work* work, const double* a, const float* fast, int rows, const double* x, int begin,
                       int end, double* y)
{
    int d = work->warp->dimension;
    if (work->input->fast)
        work->columns(fast, rows, d, x, begin, end, y);
    else
        qvBlas_Multiply(false, false, end - begin, 1, d, 1.0, a + begin, rows, x, d, 1.0, y + begin, rows);
}

static void LiftRows(void* context, int begin, int end)
{
    const Work* work = context;
    const qvWarp* warp = work->warp;
    int nodes = 3 * warp->body->nodeCount, places = 3 * warp->body->placeCount, last = end < nodes ? end : nodes;
    for (int i = 0; i < work->input->termCount * (work->input->order + 1); i++)
    {
        int m = i % work->input->termCount, k = i / work->input->termCount;
        const qvWarpShape* shape = &warp->shapes[work->input->shape[m]];
        const double* x = work->scaled[m][k];
        AddColumns(work, warp->places, warp->placesFloat, places, x, begin, end, work->moves[m][k]);
        if (begin < last)
            AddColumns(work, shape->lift, shape->liftFloat, nodes, x, begin, last, work->local[m][k]);
    }
}

static void LiftVibration(Work* work, qvPool* pool)
{
    const qvWarpInput* input = work->input;
    const qvWarpBody* body = work->warp->body;
    if (input->termCount == 0)
        return;
    for (int m = 0; m < input->termCount; m++)
    {
        Scale(input->order, input->share[m], input->deviation[m], work->warp->dimension, work->scaled[m]);
        for (int k = 0; k <= input->order; k++)
        {
            memset(work->moves[m][k], 0, 3 * (size_t)body->placeCount * sizeof(double));
            memset(work->local[m][k], 0, 3 * (size_t)body->nodeCount * sizeof(double));
        }
    }
    qvParallelFor(pool, 3 * body->placeCount, ROW_GRAIN, LiftRows, work);
    for (int i = 0; i < input->termCount * (input->order + 1); i++)
    {
        int m = i % input->termCount, k = i / input->termCount;
        AddShape(1.0, work->moves[m][k], 3 * body->placeCount, work->places[k]);
    }
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

// The vectors of the edges, turned.
static void TurnEdges(void* context, int begin, int end)
{
    const Work* work = context;
    int order = work->input->order;
    for (int e = begin; e < end; e++)
    {
        const qvWarpEdge* edge = &work->warp->body->edges[e];
        for (int m = 0; m < work->input->termCount; m++)
            AddEdgeVibration(work, e, m);
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
    for (int part = 0; part < body->partCount; part++)
    {
        double* mean = work->means[k] + 3 * (size_t)part;
        memset(mean, 0, 3 * sizeof(double));
        for (int c = 0; c < body->nodeCount; c++)
        {
            double share = body->nodePart[c] == part ? body->nodeShare[c] : 0.0;
            for (int i = 0; i < 3; i++)
                mean[i] += share * work->places[k][3 * c + i];
        }
        for (int c = 0; c < body->nodeCount; c++)
        {
            double share = body->nodePart[c] == part ? body->nodeShare[c] : 0.0;
            for (int i = 0; i < 3; i++)
                work->sums[k][3 * c + i] += body->pull[part] * share * mean[i];
        }
    }
}

// Rotations and positions of the nodes as affine maps x -> R (x - p) + position.
static void FillNodes(void* context, int begin, int end)
{
    const Work* work = context;
    const qvWarpBody* body = work->warp->body;
    size_t n = (size_t)body->nodeCount;
    for (int k = 0; k <= work->input->order; k++)
    {
        for (int axis = 0; axis < 3; axis++)
            memset(work->solved[k] + (size_t)axis * n + begin, 0, (size_t)(end - begin) * sizeof(double));
        work->solve(body->inverse, body->nodeCount, work->sums[k], begin, end, work->solved[k]);
    }
    for (int c = begin; c < end; c++)
    {
        double turn[3][9];
        const double* p = body->centers + 3 * (size_t)c;
        Rotate(work, c, c, turn);
        for (int k = 0; k <= work->input->order; k++)
        {
            const double* solved = work->solved[k] + c;
            double x[3] = { solved[0], solved[n], solved[2 * n] };
            qvWarp_AddApplied(-1.0, turn[k], p, x);
            double* out = work->affines[k] + 12 * (size_t)c;
            for (int i = 0; i < 3; i++)
                out[4 * i] = turn[k][3 * i], out[4 * i + 1] = turn[k][3 * i + 1], out[4 * i + 2] = turn[k][3 * i + 2],
                        out[4 * i + 3] = x[i];
        }
    }
}

// How the vibration moves each shape: x -> A (x - p) + move, A = R [psi]x.
static void FillTerms(void* context, int begin, int end)
{
    const Work* work = context;
    const qvWarpInput* input = work->input;
    for (int i = begin; i < end; i++)
    {
        int m = i % input->termCount, c = i / input->termCount;
        const double* p = work->warp->body->centers + 3 * (size_t)c;
        for (int k = 0; k <= input->order; k++)
        {
            double a[9], move[3], *out = work->terms[m][k] + 12 * (size_t)c;
            memcpy(move, work->moves[m][k] + 3 * (size_t)c, sizeof(move));
            qvWarp_MultiplySkew(work->warp->shapes[input->shape[m]].rotations + 9 * (size_t)c,
                                work->local[m][k] + 3 * (size_t)c, a);
            qvWarp_AddApplied(-1.0, a, p, move);
            for (int r = 0; r < 3; r++)
                out[4 * r] = a[3 * r], out[4 * r + 1] = a[3 * r + 1], out[4 * r + 2] = a[3 * r + 2],
                        out[4 * r + 3] = move[r];
        }
    }
}

void qvWarp_Compute(const qvWarp* warp, const qvWarpInput* input, double* scratch, qvPool* pool, qvWarpMoment* moment)
{
    Work work = { .warp = warp, .input = input, .columns = qvWarpColumns_Portable, .solve = qvWarpSolve_Portable };
    qvCpuLevel level = qvGetCpuLevel();
    if (level >= qv_cpuAvx2)
    {
        work.columns = level >= qv_cpuAvx512 ? qvWarpColumns_Avx512 : qvWarpColumns_Avx2;
        work.solve = level >= qv_cpuAvx512 ? qvWarpSolve_Avx512 : qvWarpSolve_Avx2;
    }
    Layout(warp, input->order, &work, scratch);
    BlendShapes(&work);
    LiftVibration(&work, pool);
    qvParallelFor(pool, warp->body->edgeCount, EDGE_GRAIN, TurnEdges, &work);
    for (int k = 0; k <= input->order; k++)
    {
        SumEdges(&work, k);
        AddMeans(&work, k);
    }
    qvParallelFor(pool, warp->body->nodeCount, ROW_GRAIN / 2, FillNodes, &work);
    if (input->termCount > 0)
        qvParallelFor(pool, warp->body->nodeCount * input->termCount, ROW_GRAIN, FillTerms, &work);
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
            AddShape(input->blend[k][s], warp->shapes[s].points + 3 * (size_t)point, 3, z[k]);
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
