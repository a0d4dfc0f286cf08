// SPDX-License-Identifier: GPL-3.0-or-later
// Sugimoto, Batty, Hachisuka 2022 (bem/assemble.h).
//   x            the vertex of a row (collocation point); y a point of a triangle, r = y - x
//   moments      per corner of a triangle: integrals of its shape function times the parts of the kernels that vary
//   over
//                the triangle (bem/assemble_kernel.h); the normal, which does not, comes in at the end
//   fixed        the static part, of which the diagonal block is minus the sum of the others (free term and Cauchy
//                principal value together)
#include "bem/assemble.h"

#include "base/assert.h"
#include "base/cpu.h"
#include "base/memory.h"
#include "bem/assemble_kernel.h"
#include "bem/radial.h"
#include "body/triangle.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum
{
    GRAIN = 2,  // vertices per piece
    BLOCK = 64, // vertices between two reports of progress
};

static const double FOUR_PI = 12.566370614359172954;

typedef struct Assembly
{
    const qvBemSurface* surface;
    const qvBemTable* table;
    qvBemQuadrature quadrature;
    qvTriangleRule *duffy, *far, *middle;
    qvBemAddPoint* add;
    double fixed[qv_radialCount];
    int firstVertex; // of the block that is in work
    double *h, *g;   // [channel][rows][…]; NULL when only the static part is wanted
    double *staticH, *staticG;
    atomic_bool failed;
} Assembly;

// What one piece of work owns.
typedef struct Worker
{
    const Assembly* assembly;
    qvVec3 x, corners[3];
    qvVec3 normal;
    double area;
    double *values, *moments, *staticH, *staticG;
} Worker;

static void AddPoint(Worker* worker, double s, double t, double weight)
{
    const qvBemTable* table = worker->assembly->table;
    const double* fixed = worker->assembly->fixed;
    double first = 1.0 - s - t;
    qvVec3 r = qvScale(first, qvSub(worker->corners[0], worker->x));
    r = qvMulAdd(r, s, qvSub(worker->corners[1], worker->x));
    r = qvMulAdd(r, t, qvSub(worker->corners[2], worker->x));
    double length = qvLength(r), inverse = 1.0 / length;
    qvBemPoint point = { .weight = { weight * first, weight * s, weight * t },
                         .dir = { r.x * inverse, r.y * inverse, r.z * inverse },
                         .rn = qvDot(r, worker->normal) * inverse };
    for (int f = 0; f < qv_radialCount; f++)
        point.fixed[f] = fixed[f] * (f < qv_radialPa ? inverse : inverse * inverse);
    // Cubic through the four nodes round the distance.
    double place = length / table->spacing;
    int node = (int)place - 1;
    node = node < 0 ? 0 : node > table->count - 4 ? table->count - 4 : node;
    double a = place - node, b = a - 1.0, c = a - 2.0, d = a - 3.0;
    point.interpolate[0] = -b * c * d / 6.0;
    point.interpolate[1] = a * c * d / 2.0;
    point.interpolate[2] = -a * b * d / 2.0;
    point.interpolate[3] = a * b * c / 6.0;
    const double* nodes = table->values + (size_t)node * qv_radialCount * (size_t)table->stride;
    worker->assembly->add(&point, nodes, table->stride, table->channels, worker->values, worker->moments);
}

static void AddRule(Worker* worker, const qvTriangleRule* rule)
{
    for (int i = 0; i < rule->count; i++)
        AddPoint(worker, rule->x[i], rule->y[i], worker->area * rule->weight[i]);
}

typedef struct Corner
{
    double s, t;
} Corner;

static qvVec3 PlaceOf(const Worker* worker, Corner corner)
{
    qvVec3 place = qvScale(1.0 - corner.s - corner.t, worker->corners[0]);
    return qvMulAdd(qvMulAdd(place, corner.s, worker->corners[1]), corner.t, worker->corners[2]);
}

// A part of the triangle, split until it is far enough for its rule.
static void AddAdaptive(Worker* worker, const Corner c[3], double edge, double share, int depth)
{
    const Assembly* assembly = worker->assembly;
    const qvBemQuadrature* quadrature = &assembly->quadrature;
    qvVec3 places[3] = { PlaceOf(worker, c[0]), PlaceOf(worker, c[1]), PlaceOf(worker, c[2]) };
    qvVec3 closest = qvClosestOnTriangle(worker->x, places[0], places[1], places[2]);
    double distance = qvDistance(worker->x, closest) / edge;
    if (distance < quadrature->middleAt && depth < quadrature->depth)
    {
        Corner m[3];
        for (int k = 0; k < 3; k++)
            m[k] = (Corner){ 0.5 * (c[k].s + c[(k + 1) % 3].s), 0.5 * (c[k].t + c[(k + 1) % 3].t) };
        for (int k = 0; k < 3; k++)
            AddAdaptive(worker, (Corner[]){ c[k], m[k], m[(k + 2) % 3] }, 0.5 * edge, 0.25 * share, depth + 1);
        AddAdaptive(worker, m, 0.5 * edge, 0.25 * share, depth + 1);
        return;
    }
    const qvTriangleRule* rule = distance > quadrature->farAt ? assembly->far : assembly->middle;
    for (int i = 0; i < rule->count; i++)
    {
        double u = rule->x[i], v = rule->y[i], w = 1.0 - u - v;
        AddPoint(worker, w * c[0].s + u * c[1].s + v * c[2].s, w * c[0].t + u * c[1].t + v * c[2].t,
                 worker->area * share * rule->weight[i]);
    }
}

// Integrals of p and u times a shape function, of one channel.
static void MakeBlocks(const double* moments, int stride, const double n[3], double p[3][3], double u[3][3])
{
#define MOMENT(i) moments[(size_t)(i) * (size_t)stride]
    static const int symmetric[3][3] = { { 0, 1, 2 }, { 1, 3, 4 }, { 2, 4, 5 } };
    double a[3], b[3], along = 0.0;
    for (int i = 0; i < 3; i++)
    {
        a[i] = MOMENT(qv_momentPa + i);
        b[i] = MOMENT(qv_momentPb + i);
        along += b[i] * n[i];
    }
    for (int i = 0; i < 3; i++)
    {
        for (int j = 0; j < 3; j++)
        {
            p[i][j] = a[i] * n[j] + b[j] * n[i] + MOMENT(qv_momentPd + symmetric[i][j]) + (i == j ? along : 0.0);
            u[i][j] = MOMENT(qv_momentB + symmetric[i][j]) + (i == j ? MOMENT(qv_momentA) : 0.0);
        }
    }
#undef MOMENT
}

// Adds a triangle's integrals to the rows of a vertex. corner [k] is the triangle's corner of moment k; own the moment
// at the vertex itself, or -1.
static void Scatter(Worker* worker, int vertex, int triangle, const int corner[3], int own)
{
    const Assembly* assembly = worker->assembly;
    const qvBemSurface* surface = assembly->surface;
    int stride = assembly->table->stride, channels = assembly->table->channels;
    size_t rows = 3 * (size_t)surface->vertexCount, columns = 3 * (size_t)surface->nodeCount;
    double n[3] = { worker->normal.x, worker->normal.y, worker->normal.z };
    for (int k = 0; k < 3; k++)
    {
        size_t v = 3 * (size_t)surface->triangles[triangle].v[corner[k]];
        size_t node = 3 * (size_t)surface->cornerNode[3 * triangle + corner[k]];
        for (int c = 0; c <= channels; c++)
        {
            bool fixed = c == channels;
            if (!fixed && assembly->h == NULL)
                continue;
            double p[3][3], u[3][3];
            MakeBlocks(worker->moments + (size_t)k * qv_momentCount * (size_t)stride + c, stride, n, p, u);
            for (int i = 0; i < 3; i++)
            {
                size_t row = 3 * (size_t)vertex + (size_t)i;
                double* h = fixed ? worker->staticH + (size_t)i * rows : assembly->h + ((size_t)c * rows + row) * rows;
                double* g =
                    fixed ? worker->staticG + (size_t)i * columns : assembly->g + ((size_t)c * rows + row) * columns;
                for (int j = 0; j < 3; j++)
                {
                    if (!fixed || k != own) // the principal value comes from the rigid motions
                        h[v + (size_t)j] += p[i][j];
                    g[node + (size_t)j] += u[i][j];
                }
            }
        }
    }
}

static void AddTriangle(Worker* worker, int vertex, int triangle)
{
    const Assembly* assembly = worker->assembly;
    const qvBemSurface* surface = assembly->surface;
    const int32_t* v = surface->triangles[triangle].v;
    int own = v[0] == vertex ? 0 : v[1] == vertex ? 1 : v[2] == vertex ? 2 : -1, corner[3];
    for (int k = 0; k < 3; k++)
    {
        corner[k] = (k + (own < 0 ? 0 : own)) % 3; // a corner at the vertex itself comes first
        worker->corners[k] = surface->vertices[v[corner[k]]];
    }
    worker->normal = surface->normals[triangle];
    worker->area = surface->areas[triangle] / FOUR_PI; // with the kernels' common factor
    memset(worker->moments, 0, 3 * qv_momentCount * (size_t)assembly->table->stride * sizeof(double));
    double edge = surface->longest[triangle];
    if (own >= 0)
        AddRule(worker, assembly->duffy);
    else if (qvDistance(worker->x, worker->corners[0]) > (assembly->quadrature.farAt + 1.0) * edge)
        AddRule(worker, assembly->far); // every point of it is within an edge of each corner
    else
        AddAdaptive(worker, (Corner[]){ { 0.0, 0.0 }, { 1.0, 0.0 }, { 0.0, 1.0 } }, edge, 1.0, 0);
    Scatter(worker, vertex, triangle, corner, own < 0 ? -1 : 0);
}

// The diagonal of the static part, and the static part into the channels that have it.
static void FinishRows(Worker* worker, int vertex)
{
    const Assembly* assembly = worker->assembly;
    size_t rows = 3 * (size_t)assembly->surface->vertexCount, columns = 3 * (size_t)assembly->surface->nodeCount;
    for (size_t i = 0; i < 3; i++)
    {
        double *h = worker->staticH + i * rows, *g = worker->staticG + i * columns, sum[3] = { 0.0, 0.0, 0.0 };
        size_t own = 3 * (size_t)vertex, row = own + i;
        for (size_t j = 0; j < rows; j++)
            sum[j % 3] += h[j];
        for (size_t j = 0; j < 3; j++)
            h[own + j] -= sum[j];
        for (int c = 0; assembly->h != NULL && c < assembly->table->channels; c++)
        {
            double share = assembly->table->staticShare[c];
            double* toH = assembly->h + ((size_t)c * rows + row) * rows;
            double* toG = assembly->g + ((size_t)c * rows + row) * columns;
            for (size_t j = 0; share != 0.0 && j < rows; j++)
                toH[j] += share * h[j];
            for (size_t j = 0; share != 0.0 && j < columns; j++)
                toG[j] += share * g[j];
        }
        if (assembly->staticH != NULL)
        {
            memcpy(assembly->staticH + row * rows, h, rows * sizeof(double));
            memcpy(assembly->staticG + row * columns, g, columns * sizeof(double));
        }
    }
}

static void AssembleRange(void* context, int begin, int end)
{
    Assembly* assembly = context;
    const qvBemSurface* surface = assembly->surface;
    size_t rows = 3 * (size_t)surface->vertexCount, columns = 3 * (size_t)surface->nodeCount;
    size_t stride = (size_t)assembly->table->stride, values = qv_radialCount * stride;
    size_t moments = 3 * qv_momentCount * stride, fixed = 3 * (rows + columns);
    double* memory = qvAllocate(values + moments + fixed, sizeof(double));
    if (memory == NULL)
    {
        assembly->failed = true;
        return;
    }
    Worker worker = { .assembly = assembly, .values = memory, .moments = memory + values };
    worker.staticH = worker.moments + moments;
    worker.staticG = worker.staticH + 3 * rows;
    for (int vertex = assembly->firstVertex + begin; vertex < assembly->firstVertex + end; vertex++)
    {
        worker.x = surface->vertices[vertex];
        memset(worker.staticH, 0, fixed * sizeof(double));
        for (int t = 0; t < surface->triangleCount; t++)
            AddTriangle(&worker, vertex, t);
        FinishRows(&worker, vertex);
    }
    free(memory);
}

static qvBemAddPoint* BestKernel(void)
{
#if defined(__x86_64__)
    qvCpuLevel level = qvGetCpuLevel();
    if (level >= qv_cpuAvx512)
        return qvBemAddPoint_Avx512;
    if (level >= qv_cpuAvx2)
        return qvBemAddPoint_Avx2;
#endif
    return qvBemAddPoint_Portable;
}

// 3 and 7 are the small rules, everything else a square of Gauss points.
static void MakeRule(int count, qvTriangleRule* rule)
{
    if (count == 3 || count == 7)
        qvMakeSmallRule(count, rule);
    else
        qvMakeDuffyRule((int)lround(sqrt(count)), rule);
}

static qvResult Assemble(Assembly* assembly, const qvJob* job, qvError* error)
{
    qvTriangleRule* rules = qvAllocate(3, sizeof(*rules));
    if (rules == NULL)
        return qvError_OutOfMemory(error, 3.0 * sizeof(*rules));
    assembly->duffy = &rules[0];
    assembly->far = &rules[1];
    assembly->middle = &rules[2];
    qvMakeDuffyRule(assembly->quadrature.duffy, assembly->duffy);
    MakeRule(assembly->quadrature.far, assembly->far);
    MakeRule(assembly->quadrature.middle, assembly->middle);
    assembly->add = BestKernel();
    qvBemRadial_Static(assembly->table->kappa, assembly->fixed);
    int count = assembly->surface->vertexCount;
    qvResult result = qv_ok;
    for (int begin = 0; result == qv_ok && begin < count; begin += BLOCK)
    {
        assembly->firstVertex = begin;
        qvParallelFor(qvJob_Pool(job), count - begin < BLOCK ? count - begin : BLOCK, GRAIN, AssembleRange, assembly);
        result = assembly->failed
                     ? qvError_OutOfMemory(error, 1e3 * count)
                     : qvJob_Progress(job, "boundary integrals", fmin(1.0, (begin + BLOCK) / (double)count), error);
    }
    free(rules);
    return result;
}

qvResult qvAssembleBem(const qvBemSurface* surface, const qvBemTable* table, const qvBemQuadrature* quadrature,
                       const qvJob* job, qvBemMatrices** out, qvError* error)
{
    *out = NULL;
    qvBemMatrices* matrices = qvAllocate(1, sizeof(*matrices));
    if (matrices == NULL)
        return qvError_OutOfMemory(error, sizeof(*matrices));
    size_t rows = 3 * (size_t)surface->vertexCount, columns = 3 * (size_t)surface->nodeCount;
    *matrices = (qvBemMatrices){ .rows = (int)rows, .columns = (int)columns, .channels = table->channels };
    matrices->h = qvAllocate((size_t)table->channels * rows, rows * sizeof(double));
    matrices->g = qvAllocate((size_t)table->channels * rows, columns * sizeof(double));
    if (matrices->h == NULL || matrices->g == NULL)
    {
        qvDestroyBemMatrices(matrices);
        return qvError_OutOfMemory(error, 8.0 * table->channels * (double)rows * (double)(rows + columns));
    }
    Assembly assembly = {
        .surface = surface, .table = table, .quadrature = *quadrature, .h = matrices->h, .g = matrices->g
    };
    qvResult result = Assemble(&assembly, job, error);
    if (result != qv_ok)
    {
        qvDestroyBemMatrices(matrices);
        return result;
    }
    *out = matrices;
    return qv_ok;
}

qvResult qvAssembleBemStatic(const qvBemSurface* surface, double kappa, const qvBemQuadrature* quadrature,
                             const qvJob* job, double* h, double* g, qvError* error)
{
    double zeros[4 * qv_radialCount * 4] = { 0.0 }, share[4] = { 0.0 };
    qvBemTable nothing = {
        .kappa = kappa, .channels = 0, .stride = 4, .spacing = 1.0, .count = 4, .values = zeros, .staticShare = share
    };
    Assembly assembly = {
        .surface = surface, .table = &nothing, .quadrature = *quadrature, .staticH = h, .staticG = g
    };
    return Assemble(&assembly, job, error);
}

void qvDestroyBemMatrices(qvBemMatrices* matrices)
{
    if (matrices == NULL)
        return;
    free(matrices->h);
    free(matrices->g);
    free(matrices);
}
