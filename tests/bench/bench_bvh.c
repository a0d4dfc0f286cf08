// SPDX-License-Identifier: GPL-3.0-or-later
// Ray picking on a sphere of 100,820 triangles: building the tree, refitting it (against building it anew) and picking
// (against testing every triangle). One thread.
#include "bench.h"

#include "mesh/bvh.h"
#include "quaver/primitive.h"

#include <stdlib.h>

enum
{
    RESOLUTION = 71,
    RAYS = 64,
};

typedef struct Input
{
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
    result = input.points == NULL ? qvError_OutOfMemory(error, input.mesh->pointCount * 12.0) : qv_ok;
    if (result == qv_ok)
    {
        qvMesh_GatherPoints(input.mesh, input.mesh->positions, input.points);
        result = qvCreateBvh(input.mesh, input.points, &input.bvh, error);
    }
    if (result == qv_ok)
    {
        MakeRays(&input);
        double build = 1e3 * qvBench_Time(Build, &input, 5);
        qvBench_Add(sink, "bvh/build_100k", build, "ms", 0.0);
        qvBench_Add(sink, "bvh/refit_100k", 1e3 * qvBench_Time(Refit, &input, 10), "ms", build);
        qvBench_Add(sink, "bvh/pick_100k", 1e3 * qvBench_Time(PickAll, &input, 10) / RAYS, "ms",
                    1e3 * qvBench_Time(PickBruteForce, &input, 5));
        if (input.result != qv_ok)
            result = qvError_OutOfMemory(error, 0.0);
    }
    qvDestroyBvh(input.bvh);
    qvDestroyMesh(input.mesh);
    free(input.points);
    return result;
}

const qvBench qvBenchBvh = { "bvh", "ray picking: build, refit and pick against every triangle", Run };
