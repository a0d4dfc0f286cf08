// SPDX-License-Identifier: GPL-3.0-or-later
// Ray picking on a sphere of 100,820 triangles: building the tree (against halving at the median by sorting), refitting
// it (against building it anew) and picking (against testing every triangle). One thread.
#include "bench.h"

#include "mesh/bvh.h"
#include "quaver/primitive.h"

#include <stdlib.h>

enum
{
    RESOLUTION = 71,
    RAYS = 64,
};

typedef struct Center
{
    double at[3];
} Center;

typedef struct Input
{
    Center* centers;
    qvMesh* mesh;
    qvVec3f* points;
    qvBvh* bvh;
    qvRay rays[RAYS];
    int64_t sum; // keeps the calls alive
    int next;
    qvResult result;
} Input;

static void Build(void* context)
{
    Input* input = context;
    qvBvh* bvh;
    if (qvCreateBvh(input->mesh, input->points, &bvh, NULL) != qv_ok)
    {
        input->result = qv_outOfMemory;
        return;
    }
    qvDestroyBvh(bvh);
}

static int CompareX(const void* a, const void* b)
{
    double x = ((const Center*)a)->at[0], y = ((const Center*)b)->at[0];
    return (x > y) - (x < y);
}

static int CompareY(const void* a, const void* b)
{
    double x = ((const Center*)a)->at[1], y = ((const Center*)b)->at[1];
    return (x > y) - (x < y);
}

static int CompareZ(const void* a, const void* b)
{
    double x = ((const Center*)a)->at[2], y = ((const Center*)b)->at[2];
    return (x > y) - (x < y);
}

// Sorts along each axis in turn and halves, down to leaves of four.
static void SortAndHalve(Center* centers, int count, int axis)
{
    static int (*const compare[])(const void*, const void*) = { CompareX, CompareY, CompareZ };
    if (count <= 4)
        return;
    qsort(centers, (size_t)count, sizeof(*centers), compare[axis]);
    SortAndHalve(centers, count / 2, (axis + 1) % 3);
    SortAndHalve(centers + count / 2, count - count / 2, (axis + 1) % 3);
}

static void BuildBySorting(void* context)
{
    Input* input = context;
    for (int i = 0; i < input->mesh->triangleCount; i++)
    {
        const int32_t* v = input->mesh->pointTriangles[i].v;
        qvVec3f a = input->points[v[0]], b = input->points[v[1]], c = input->points[v[2]];
        input->centers[i] = (Center){ { a.x + b.x + c.x, a.y + b.y + c.y, a.z + b.z + c.z } };
    }
    SortAndHalve(input->centers, input->mesh->triangleCount, 0);
}

static void Refit(void* context)
{
    Input* input = context;
    qvBvh_Refit(input->bvh, input->points, NULL);
}

static void PickAll(void* context)
{
    Input* input = context;
    for (int i = 0; i < RAYS; i++)
        input->sum += qvBvh_Pick(input->bvh, input->rays[i], INFINITY).triangle;
}

static void PickBruteForce(void* context)
{
    Input* input = context;
    qvPickRay ray;
    if (!qvMakePickRay(input->rays[input->next++ % RAYS], input->bvh->extent, &ray))
        return;
    double best = INFINITY;
    for (int i = 0; i < input->mesh->triangleCount; i++)
    {
        qvTriangleHit hit;
        if (qvPickRay_HitTriangle(&ray, input->points, input->mesh->pointTriangles[i], best, &hit))
            best = hit.distance;
    }
    input->sum += best < 1.0;
}

// Rays from a camera's distance to all over the sphere and past its sides.
static void MakeRays(Input* input)
{
    for (int i = 0; i < RAYS; i++)
    {
        double x = 2.4 * ((i % 8 + 0.5) / 8.0 - 0.5), y = 2.4 * ((i / 8 + 0.5) / 8.0 - 0.5);
        input->rays[i] = (qvRay){ { 1.0, 2.0, 5.0 }, { x - 1.0, y - 1.0, -5.0 } };
    }
}

static qvResult Run(qvBenchSink* sink, qvError* error)
{
    Input input = { 0 };
    qvResult result = qvCreatePrimitive("sphere", RESOLUTION, &input.mesh, error);
    if (result != qv_ok)
        return result;
    input.points = malloc((size_t)input.mesh->pointCount * sizeof(*input.points));
    input.centers = malloc((size_t)input.mesh->triangleCount * sizeof(*input.centers));
    if (input.points == NULL || input.centers == NULL)
        result = qvError_OutOfMemory(error, input.mesh->triangleCount * 30.0);
    if (result == qv_ok)
    {
        qvMesh_GatherPoints(input.mesh, input.mesh->positions, input.points);
        result = qvCreateBvh(input.mesh, input.points, &input.bvh, error);
    }
    if (result == qv_ok)
    {
        MakeRays(&input);
        double build = 1e3 * qvBench_Time(Build, &input, 5);
        qvBench_Add(sink, "build_100k", build, "ms", 1e3 * qvBench_Time(BuildBySorting, &input, 5));
        qvBench_Add(sink, "refit_100k", 1e3 * qvBench_Time(Refit, &input, 10), "ms", build);
        qvBench_Add(sink, "pick_100k", 1e3 * qvBench_Time(PickAll, &input, 10) / RAYS, "ms",
                    1e3 * qvBench_Time(PickBruteForce, &input, 5));
        if (input.result != qv_ok)
            result = qvError_OutOfMemory(error, 0.0);
    }
    qvDestroyBvh(input.bvh);
    qvDestroyMesh(input.mesh);
    free(input.points);
    free(input.centers);
    return result;
}

const qvBench qvBenchBvh = {
    "bvh", "ray picking: build, refit and pick against every triangle", Run,
    "for building sorting at the median, for refitting building anew, for a pick testing every triangle",
    "in building a little faster than the triangles, refitting like them, a pick like their logarithm"
};
