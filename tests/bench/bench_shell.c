// SPDX-License-Identifier: GPL-3.0-or-later
// Assembly of shell Hessians, against one thread that collects triplets and compresses them into columns.
#include "bench.h"

#include "quaver/primitive.h"
#include "quaver/shell.h"

#include "base/assert.h"
#include "base/memory.h"
#include "elastic/elements.h"
#include "elastic/shell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Triplets
{
    int count, capacity;
    int32_t* rows;
    int32_t* columns;
    double* values;
} Triplets;

typedef struct Input
{
    qvMesh* mesh;
    qvTopology* topology;
    qvShell* shell;
    qvPool* pool;
    double* state;
    double* gradient;
    double* values;
    qvShellMaterial material;

    Triplets triplets;
    int32_t* columnStart; // of the compressed triplets
    int32_t* order;       // triplets by column
    int32_t* mark;        // per row: where the column at hand has it
    int32_t* rows;
    double* sums;
} Input;

// --- Triplets --------------------------------------------------------------------------------------------------------

static void Push(Triplets* t, int32_t row, int32_t column, double value)
{
    t->rows[t->count] = row;
    t->columns[t->count] = column;
    t->values[t->count++] = value;
}

static void PushBlocks(Triplets* t, const int32_t* v, int corners, const qvBlock* blocks)
{
    const qvBlock* below = blocks + corners;
    for (int j = 0; j < corners; j++)
    {
        for (int i = j; i < corners; i++)
        {
            const qvBlock* block = i == j ? &blocks[j] : below++;
            for (int n = 0; n < 9; n++)
            {
                int32_t row = 3 * v[i] + n / 3, column = 3 * v[j] + n % 3;
                if (i == j && row < column)
                    continue;
                Push(t, row > column ? row : column, row > column ? column : row, block->m[n / 3][n % 3]);
            }
        }
    }
}

static void CollectTriplets(Input* in)
{
    const qvShell* shell = in->shell;
    qvBlock blocks[qv_hingeBlocks];
    qvVec3 x[4];
    in->triplets.count = 0;
    for (int e = 0; e < shell->edgeCount; e++)
    {
        const qvShellEdge* edge = &shell->edges[e];
        qvEdgeTerm(qvShell_Get(in->state, edge->v[0]), qvShell_Get(in->state, edge->v[1]), edge->length, 1.0, NULL,
                   &blocks[0]);
        blocks[1] = blocks[0];
        for (int n = 0; n < 9; n++)
            blocks[2].m[n / 3][n % 3] = -blocks[0].m[n / 3][n % 3];
        PushBlocks(&in->triplets, edge->v, 2, blocks);
    }
    for (int t = 0; t < shell->triangleCount; t++)
    {
        for (int i = 0; i < 3; i++)
            x[i] = qvShell_Get(in->state, shell->triangles[t].v[i]);
        qvAreaTerm(x, shell->triangles[t].area, 1.0, NULL, blocks);
        PushBlocks(&in->triplets, shell->triangles[t].v, 3, blocks);
    }
    for (int h = 0; h < shell->hingeCount; h++)
    {
        for (int i = 0; i < 4; i++)
            x[i] = qvShell_Get(in->state, shell->hinges[h].v[i]);
        qvHingeTerm(x, shell->hinges[h].angle, shell->hinges[h].coefficient, NULL, blocks);
        PushBlocks(&in->triplets, shell->hinges[h].v, 4, blocks);
    }
}

static void CompressTriplets(Input* in)
{
    const Triplets* t = &in->triplets;
    int size = 3 * in->shell->pointCount, out = 0;
    int32_t* start = in->columnStart;
    memset(start, 0, ((size_t)size + 2) * sizeof(int32_t));
    for (int i = 0; i < t->count; i++)
        start[t->columns[i] + 2]++;
    for (int j = 0; j < size; j++)
        start[j + 2] += start[j + 1];
    for (int i = 0; i < t->count; i++)
        in->order[start[t->columns[i] + 1]++] = i;
    memset(in->mark, 0xff, (size_t)size * sizeof(int32_t));
    for (int j = 0; j < size; j++)
    {
        int first = out;
        for (int n = start[j]; n < start[j + 1]; n++)
        {
            int i = in->order[n], row = t->rows[i];
            if (in->mark[row] < first)
            {
                in->mark[row] = out;
                in->rows[out] = row;
                in->sums[out++] = 0.0;
            }
            in->sums[in->mark[row]] += t->values[i];
        }
    }
}

static void Baseline(void* context)
{
    CollectTriplets(context);
    CompressTriplets(context);
}

// --- Ours ------------------------------------------------------------------------------------------------------------

static void OneThread(void* context)
{
    Input* in = context;
    qvShell_Hessian(in->shell, &in->material, in->state, NULL, in->values);
}

static void AllThreads(void* context)
{
    Input* in = context;
    qvShell_Hessian(in->shell, &in->material, in->state, in->pool, in->values);
}

static void RestThreads(void* context)
{
    Input* in = context;
    qvShell_RestHessian(in->shell, &in->material, in->state, in->pool, in->values);
}

static void Gradient(void* context)
{
    Input* in = context;
    qvShell_Gradient(in->shell, &in->material, in->state, in->pool, in->gradient);
}

static void Create(void* context)
{
    Input* in = context;
    qvShell* shell;
    qvResult result = qvCreateShell(in->topology, in->state, NULL, &shell, NULL);
    QV_ASSERT(result == qv_ok);
    qvDestroyShell(shell);
}

// --- Set-up ----------------------------------------------------------------------------------------------------------

static bool AllocateInput(Input* in)
{
    const qvShell* shell = in->shell;
    size_t size = 3 * (size_t)shell->pointCount, entries = (size_t)qvShell_Pattern(shell).entryCount;
    size_t count = 21 * (size_t)shell->edgeCount + 45 * (size_t)shell->triangleCount + 78 * (size_t)shell->hingeCount;
    in->gradient = qvAllocate(size, sizeof(double));
    in->values = qvAllocate(entries, sizeof(double));
    in->triplets.rows = qvAllocate(count, sizeof(int32_t));
    in->triplets.columns = qvAllocate(count, sizeof(int32_t));
    in->triplets.values = qvAllocate(count, sizeof(double));
    in->columnStart = qvAllocate(size + 2, sizeof(int32_t));
    in->order = qvAllocate(count, sizeof(int32_t));
    in->mark = qvAllocate(size, sizeof(int32_t));
    in->rows = qvAllocate(entries, sizeof(int32_t));
    in->sums = qvAllocate(entries, sizeof(double));
    return in->gradient && in->values && in->triplets.rows && in->triplets.columns && in->triplets.values &&
           in->columnStart && in->order && in->mark && in->rows && in->sums;
}

static void FreeInput(Input* in)
{
    void* arrays[] = { in->state,
                       in->gradient,
                       in->values,
                       in->triplets.rows,
                       in->triplets.columns,
                       in->triplets.values,
                       in->columnStart,
                       in->order,
                       in->mark,
                       in->rows,
                       in->sums };
    for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++)
        free(arrays[i]);
    qvDestroyPool(in->pool);
    qvDestroyShell(in->shell);
    qvDestroyTopology(in->topology);
    qvDestroyMesh(in->mesh);
}

// A sphere, bent a little out of its rest shape.
static qvResult FillInput(Input* in, int resolution, qvError* error)
{
    in->material = qvDefaultShellMaterial();
    qvResult result = qvCreatePrimitive("sphere", resolution, &in->mesh, error);
    if (result == qv_ok)
        result = qvCreateTopology(in->mesh, &in->topology, error);
    if (result == qv_ok)
        result = qvCreatePool(0, &in->pool, error);
    if (result != qv_ok)
        return result;
    int count = in->mesh->pointCount;
    in->state = qvAllocate(3 * (size_t)count, sizeof(double));
    if (in->state == NULL)
        return qvError_OutOfMemory(error, 24.0 * count);
    for (int p = 0; p < count; p++)
    {
        qvVec3f x = in->mesh->positions[in->mesh->pointVertex[p]];
        in->state[3 * p] = 5.0 * x.x, in->state[3 * p + 1] = 5.0 * x.y, in->state[3 * p + 2] = 5.0 * x.z;
    }
    result = qvCreateShell(in->topology, in->state, NULL, &in->shell, error);
    for (int i = 0; i < 3 * count; i++)
        in->state[i] *= 1.0 + 0.05 * sin(0.1 * i);
    if (result == qv_ok && !AllocateInput(in))
        result = qvError_OutOfMemory(error, 1e8);
    return result;
}

static double TimeAlone(void (*fcn)(void*), Input* in)
{
    qvPool* pool = in->pool;
    in->pool = NULL;
    double seconds = qvBench_Time(fcn, in, 5);
    in->pool = pool;
    return seconds;
}

static void AddFigure(qvBenchSink* sink, const Input* in, const char* what, double seconds, double baseline)
{
    char name[80];
    snprintf(name, sizeof(name), "%s/%d-points", what, in->shell->pointCount);
    qvBench_Add(sink, name, 1e3 * seconds, "ms", 1e3 * baseline);
}

static qvResult RunSize(qvBenchSink* sink, int resolution, qvError* error)
{
    Input in = { 0 };
    qvResult result = FillInput(&in, resolution, error);
    if (result == qv_ok)
    {
        double baseline = qvBench_Time(Baseline, &in, 3);
        double one = qvBench_Time(OneThread, &in, 5), all = qvBench_Time(AllThreads, &in, 5);
        AddFigure(sink, &in, "hessian/1-thread", one, baseline);
        AddFigure(sink, &in, "hessian/all-threads", all, baseline);
        AddFigure(sink, &in, "hessian/all-threads-to-1", all, one);
        AddFigure(sink, &in, "rest-hessian/all-threads", qvBench_Time(RestThreads, &in, 5),
                  TimeAlone(RestThreads, &in));
        AddFigure(sink, &in, "gradient/all-threads", qvBench_Time(Gradient, &in, 5), TimeAlone(Gradient, &in));
        AddFigure(sink, &in, "create", qvBench_Time(Create, &in, 3), 0.0);
    }
    FreeInput(&in);
    return result;
}

static qvResult Run(qvBenchSink* sink, qvError* error)
{
    static const int resolutions[] = { 21, 53 };
    qvResult result = qv_ok;
    for (int i = 0; i < 2 && result == qv_ok; i++)
        result = RunSize(sink, resolutions[i], error);
    return result;
}

const qvBench qvBenchShell = {
    "shell", "assembly of shell Hessians against compressed triplets", Run,
    "a single thread that collects triplets and compresses them; for threads-to-1, the rest Hessian "
    "and the gradient the same on a single thread",
    "with the triangles, over the cores"
};
