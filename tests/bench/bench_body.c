// SPDX-License-Identifier: GPL-3.0-or-later
// What simulations ask of a closed mesh: its signed distance on a grid of 100 x 100 x 100 cells, against the exact
// distance of every node to every triangle (timed on a few nodes), and samples of the grid, against that same exact
// distance of a point.
#include "bench.h"

#include "body/distance_grid.h"
#include "body/triangle.h"
#include "quaver/primitive.h"

#include <stdio.h>
#include <stdlib.h>

enum
{
    CELLS = 100,
    SAMPLES = 4096,
};

typedef struct Input
{
    qvMesh* mesh;
    qvVec3* points;
    qvPool* pool;
    qvDistanceGridDef def;
    qvDistanceGrid* grid;
    qvError* error;
    qvResult result;
    double sum; // keeps the calls alive
} Input;

static void MakeGrid(void* context)
{
    Input* input = context;
    qvJob job = { .pool = input->pool };
    qvDestroyDistanceGrid(input->grid);
    input->grid = NULL;
    qvResult result = qvCreateDistanceGrid(&input->def, &job, &input->grid, input->error);
    if (result != qv_ok)
        input->result = result;
}

// A place in the grid that no two samples share.
static qvVec3 Place(const Input* input, int i)
{
    double size = CELLS * input->def.cellSize;
    return qvAdd(input->def.origin,
                 qvMakeVec3(size * fmod(0.754877666 * i, 1.0), size * fmod(0.569840291 * i, 1.0), size * i / SAMPLES));
}

static void SampleGrid(void* context)
{
    Input* input = context;
    qvVec3 gradient;
    for (int i = 0; i < SAMPLES; i++)
        input->sum += qvDistanceGrid_Sample(input->grid, Place(input, i), &gradient) + gradient.x;
}

static void MeasureExactly(void* context)
{
    Input* input = context;
    qvVec3 p = Place(input, (int)fmod(fabs(input->sum), SAMPLES));
    double best = INFINITY;
    for (int t = 0; t < input->def.triangleCount; t++)
    {
        const int32_t* v = input->def.triangles[t].v;
        best = fmin(
            best, qvDistance(p, qvClosestOnTriangle(p, input->points[v[0]], input->points[v[1]], input->points[v[2]])));
    }
    input->sum += best;
}

static qvResult Prepare(Input* input, const char* primitive, int resolution, qvError* error)
{
    qvResult result = qvCreatePrimitive(primitive, resolution, &input->mesh, error);
    if (result != qv_ok)
        return result;
    const qvMesh* mesh = input->mesh;
    input->points = malloc((size_t)mesh->pointCount * sizeof(*input->points));
    if (input->points == NULL)
        return qvError_OutOfMemory(error, 24.0 * mesh->pointCount);
    for (int p = 0; p < mesh->pointCount; p++)
        input->points[p] = qvVec3_FromFloat(mesh->positions[mesh->pointVertex[p]]);
    input->def = qvDefaultDistanceGridDef();
    input->def.pointCount = mesh->pointCount;
    input->def.points = input->points;
    input->def.triangleCount = mesh->triangleCount;
    input->def.triangles = mesh->pointTriangles;
    qvVec3f lower = mesh->bounds.lower, upper = mesh->bounds.upper;
    double size = fmax(upper.x - lower.x, fmax(upper.y - lower.y, upper.z - lower.z));
    qvDistanceGridDef_Fit(&input->def, size / (CELLS - 4), 2.0);
    for (int k = 0; k < 3; k++)
        input->def.counts[k] = CELLS + 1;
    input->error = error;
    return qvCreatePool(0, &input->pool, error);
}

static qvResult Measure(qvBenchSink* sink, const char* primitive, int resolution, qvError* error)
{
    Input input = { 0 };
    qvResult result = Prepare(&input, primitive, resolution, error);
    if (result == qv_ok)
    {
        char name[96];
        double exact = 1e3 * qvBench_Time(MeasureExactly, &input, 5);
        double nodes = (CELLS + 1.0) * (CELLS + 1.0) * (CELLS + 1.0);
        snprintf(name, sizeof(name), "distance_grid/%s_%dk", primitive, input.def.triangleCount / 1000);
        qvBench_Add(sink, name, 1e3 * qvBench_Time(MakeGrid, &input, 3), "ms", exact * nodes);
        result = input.result;
        snprintf(name, sizeof(name), "sample/%s_%dk", primitive, input.def.triangleCount / 1000);
        if (result == qv_ok)
            qvBench_Add(sink, name, 1e3 * qvBench_Time(SampleGrid, &input, 10) / SAMPLES, "ms", exact);
    }
    qvDestroyDistanceGrid(input.grid);
    qvDestroyPool(input.pool);
    free(input.points);
    qvDestroyMesh(input.mesh);
    return result;
}

static qvResult Run(qvBenchSink* sink, qvError* error)
{
    qvResult result = Measure(sink, "sphere", 47, error);
    return result == qv_ok ? Measure(sink, "imp", 92, error) : result;
}

const qvBench qvBenchBody = { "body", "signed distances of closed meshes on a grid, on all cores", Run,
                              "the exact distance to every triangle, of every node (timed on one) or sample",
                              "with the nodes, and with the triangles times the cells of the band around each" };
