// SPDX-License-Identifier: GPL-3.0-or-later
// Energy, gradient and Hessians of shells: sums of the terms of elastic/elements.h, patch by patch.
#include "elastic/shell.h"

#include <math.h>
#include <string.h>

typedef struct Request
{
    const qvShell* shell;
    qvShellMaterial material;
    const double* state;
    bool atRest; // Hessian with the state as rest shape
    double* out; // gradient, or values of the Hessian
} Request;

static void GetPoints(const Request* q, const int32_t* v, int count, qvVec3* x)
{
    for (int i = 0; i < count; i++)
        x[i] = qvShell_Get(q->state, v[i]);
}

// --- Energy ----------------------------------------------------------------------------------------------------------

enum
{
    PIECES = 128 // partial sums of the energy, added in order
};

typedef struct EnergyRequest
{
    Request base;
    int grain;
    qvShellEnergy pieces[PIECES];
} EnergyRequest;

// Range [begin, end) of the three element lists laid end to end.
static void SumEnergy(void* context, int begin, int end)
{
    EnergyRequest* r = context;
    const Request* q = &r->base;
    const qvShell* shell = q->shell;
    qvShellEnergy sum = { 0.0, 0.0, 0.0, 0.0 };
    qvVec3 x[4];
    for (int i = begin; i < end; i++)
    {
        int t = i - shell->edgeCount, h = t - shell->triangleCount;
        if (t < 0)
        {
            GetPoints(q, shell->edges[i].v, 2, x);
            sum.edge += qvEdgeTerm(x[0], x[1], shell->edges[i].length, q->material.edge, NULL, NULL);
        }
        else if (h < 0)
        {
            GetPoints(q, shell->triangles[t].v, 3, x);
            sum.area += qvAreaTerm(x, shell->triangles[t].area, q->material.area, NULL, NULL);
        }
        else
        {
            const qvShellHinge* hinge = &shell->hinges[h];
            GetPoints(q, hinge->v, 4, x);
            sum.bend += qvHingeTerm(x, hinge->angle, q->material.bend * hinge->coefficient, NULL, NULL);
        }
    }
    r->pieces[begin / r->grain] = sum;
}

qvShellEnergy qvShell_Energy(const qvShell* shell, const qvShellMaterial* material, const double* state, qvPool* pool)
{
    int count = shell->edgeCount + shell->triangleCount + shell->hingeCount;
    EnergyRequest request = { .base = { .shell = shell, .material = *material, .state = state },
                              .grain = count / PIECES + 1 };
    qvParallelFor(pool, count, request.grain, SumEnergy, &request);
    qvShellEnergy sum = { 0.0, 0.0, 0.0, 0.0 };
    for (int i = 0; i < PIECES; i++)
    {
        sum.edge += request.pieces[i].edge;
        sum.area += request.pieces[i].area;
        sum.bend += request.pieces[i].bend;
    }
    sum.total = sum.edge + sum.area + sum.bend;
    return sum;
}

// --- Gradient --------------------------------------------------------------------------------------------------------

static void AddGradient(const Request* q, int patch, const int32_t* v, int count, const qvVec3* gradient)
{
    for (int i = 0; i < count; i++)
    {
        if (q->shell->patchOf[v[i]] != patch)
            continue;
        double* out = q->out + 3 * (size_t)v[i];
        out[0] += gradient[i].x;
        out[1] += gradient[i].y;
        out[2] += gradient[i].z;
    }
}

static void PatchGradient(const Request* q, int patch)
{
    const qvShell* shell = q->shell;
    qvVec3 x[4], gradient[4];
    for (int32_t i = shell->points.start[patch]; i < shell->points.start[patch + 1]; i++)
        memset(q->out + 3 * (size_t)shell->points.items[i], 0, 3 * sizeof(double));
    for (int32_t i = shell->edgeLists.start[patch]; i < shell->edgeLists.start[patch + 1]; i++)
    {
        const qvShellEdge* edge = &shell->edges[shell->edgeLists.items[i]];
        GetPoints(q, edge->v, 2, x);
        qvEdgeTerm(x[0], x[1], edge->length, q->material.edge, &gradient[1], NULL);
        gradient[0] = qvScale(-1.0, gradient[1]);
        AddGradient(q, patch, edge->v, 2, gradient);
    }
    for (int32_t i = shell->triangleLists.start[patch]; i < shell->triangleLists.start[patch + 1]; i++)
    {
        const qvShellTriangle* triangle = &shell->triangles[shell->triangleLists.items[i]];
        GetPoints(q, triangle->v, 3, x);
        qvAreaTerm(x, triangle->area, q->material.area, gradient, NULL);
        AddGradient(q, patch, triangle->v, 3, gradient);
    }
    for (int32_t i = shell->hingeLists.start[patch]; i < shell->hingeLists.start[patch + 1]; i++)
    {
        const qvShellHinge* hinge = &shell->hinges[shell->hingeLists.items[i]];
        GetPoints(q, hinge->v, 4, x);
        qvHingeTerm(x, hinge->angle, q->material.bend * hinge->coefficient, gradient, NULL);
        AddGradient(q, patch, hinge->v, 4, gradient);
    }
}

static void PatchGradients(void* context, int begin, int end)
{
    for (int patch = begin; patch < end; patch++)
        PatchGradient(context, patch);
}

void qvShell_Gradient(const qvShell* shell, const qvShellMaterial* material, const double* state, qvPool* pool,
                      double* gradient)
{
    Request request = { .shell = shell, .material = *material, .state = state, .out = gradient };
    qvParallelFor(pool, shell->patchCount, 1, PatchGradients, &request);
}

// --- Hessian ---------------------------------------------------------------------------------------------------------

static void AddDiagonal(const Request* q, int32_t point, const qvBlock* block)
{
    for (int k = 0; k < 3; k++)
    {
        double* column = q->out + q->shell->columnStart[3 * point + k];
        for (int i = k; i < 3; i++)
            column[i - k] += block->m[i][k];
    }
}

// Block (a, b) of two different points; in the lower triangle it is stored in the column of the lower one.
static void AddOffDiagonal(const Request* q, int32_t a, int32_t b, int32_t slot, const qvBlock* block)
{
    int32_t point = a > b ? b : a;
    for (int k = 0; k < 3; k++)
    {
        double* column = q->out + q->shell->columnStart[3 * point + k] + (3 - k) + 3 * slot;
        for (int i = 0; i < 3; i++)
            column[i] += a > b ? block->m[i][k] : block->m[k][i];
    }
}

// Adds what a patch owns of an element's blocks: diagonal ones first, then those below in the order of the slots.
static void AddBlocks(const Request* q, int patch, const int32_t* v, int corners, const int32_t* slots,
                      const qvBlock* blocks)
{
    const int32_t* patchOf = q->shell->patchOf;
    for (int i = 0; i < corners; i++)
    {
        if (patchOf[v[i]] == patch)
            AddDiagonal(q, v[i], &blocks[i]);
    }
    blocks += corners;
    for (int j = 0; j < corners; j++)
    {
        for (int i = j + 1; i < corners; i++, blocks++, slots++)
        {
            int32_t owner = v[i] < v[j] ? v[i] : v[j];
            if (patchOf[owner] == patch)
                AddOffDiagonal(q, v[i], v[j], *slots, blocks);
        }
    }
}

static void AddEdge(const Request* q, int patch, const qvShellEdge* edge)
{
    qvVec3 x[2];
    qvBlock blocks[3];
    GetPoints(q, edge->v, 2, x);
    if (q->atRest)
        qvEdgeAtRest(x[0], x[1], fmax(qvDistance(x[0], x[1]), 1e-6 * edge->length), q->material.edge, &blocks[0]);
    else
        qvEdgeTerm(x[0], x[1], edge->length, q->material.edge, NULL, &blocks[0]);
    blocks[1] = blocks[0];
    for (int i = 0; i < 9; i++)
        blocks[2].m[i / 3][i % 3] = -blocks[0].m[i / 3][i % 3];
    AddBlocks(q, patch, edge->v, 2, &edge->slot, blocks);
}

static void AddTriangle(const Request* q, int patch, const qvShellTriangle* triangle)
{
    qvVec3 x[3];
    qvBlock blocks[qv_triangleBlocks];
    GetPoints(q, triangle->v, 3, x);
    if (q->atRest)
        qvAreaAtRest(x, fmax(qvTriangleArea(x), qvShell_LeastArea(x, sqrt(triangle->area))), q->material.area, blocks);
    else
        qvAreaTerm(x, triangle->area, q->material.area, NULL, blocks);
    AddBlocks(q, patch, triangle->v, 3, triangle->slot, blocks);
}

static void AddHinge(const Request* q, int patch, const qvShellHinge* hinge)
{
    qvVec3 x[4];
    qvBlock blocks[qv_hingeBlocks];
    GetPoints(q, hinge->v, 4, x);
    if (q->atRest)
        qvHingeAtRest(x, q->material.bend * qvHingeCoefficient(x), blocks);
    else
        qvHingeTerm(x, hinge->angle, q->material.bend * hinge->coefficient, NULL, blocks);
    AddBlocks(q, patch, hinge->v, 4, hinge->slot, blocks);
}

static void PatchHessian(const Request* q, int patch)
{
    const qvShell* shell = q->shell;
    for (int32_t i = shell->points.start[patch]; i < shell->points.start[patch + 1]; i++)
    {
        const int32_t* start = shell->columnStart + 3 * shell->points.items[i];
        memset(q->out + start[0], 0, (size_t)(start[3] - start[0]) * sizeof(double));
    }
    for (int32_t i = shell->edgeLists.start[patch]; i < shell->edgeLists.start[patch + 1]; i++)
        AddEdge(q, patch, &shell->edges[shell->edgeLists.items[i]]);
    for (int32_t i = shell->triangleLists.start[patch]; i < shell->triangleLists.start[patch + 1]; i++)
        AddTriangle(q, patch, &shell->triangles[shell->triangleLists.items[i]]);
    for (int32_t i = shell->hingeLists.start[patch]; i < shell->hingeLists.start[patch + 1]; i++)
        AddHinge(q, patch, &shell->hinges[shell->hingeLists.items[i]]);
}

static void PatchHessians(void* context, int begin, int end)
{
    for (int patch = begin; patch < end; patch++)
        PatchHessian(context, patch);
}

void qvShell_Hessian(const qvShell* shell, const qvShellMaterial* material, const double* state, qvPool* pool,
                     double* values)
{
    Request request = { .shell = shell, .material = *material, .state = state, .out = values };
    qvParallelFor(pool, shell->patchCount, 1, PatchHessians, &request);
}

void qvShell_RestHessian(const qvShell* shell, const qvShellMaterial* material, const double* state, qvPool* pool,
                         double* values)
{
    Request request = { .shell = shell, .material = *material, .state = state, .atRest = true, .out = values };
    qvParallelFor(pool, shell->patchCount, 1, PatchHessians, &request);
}
