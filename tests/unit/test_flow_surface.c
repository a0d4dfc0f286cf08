// SPDX-License-Identifier: GPL-3.0-or-later
// The surface of bodies that tear: closed, a 2-manifold, of the right volume, and the body's own where nothing tore.
#include "body/triangle.h"
#include "closed_testing.h"
#include "phyxel/flow_surface.h"
#include "phyxel/sample.h"
#include "quaver/primitive.h"
#include "random_vectors.h"

#include <stdlib.h>
#include <string.h>

typedef struct World
{
    qvMesh* mesh;
    qvPhyxelBody* body;
    qvFlowSurface* surface;
    qvVec3 *rest, *phyxels;
    double* tears;
    qvVec3f* points;
} World;

static World MakeWorld(const char* primitive, int resolution, int phyxels)
{
    World w = { 0 };
    qvError error;
    ASSERT_OK(qvCreatePrimitive(primitive, resolution, &w.mesh, &error), error);
    w.rest = calloc((size_t)w.mesh->pointCount, sizeof(*w.rest));
    w.points = calloc((size_t)w.mesh->pointCount, sizeof(*w.points));
    qvMesh_GatherPoints(w.mesh, w.mesh->positions, w.points);
    for (int i = 0; i < w.mesh->pointCount; i++)
        w.rest[i] = qvVec3_FromFloat(w.points[i]);
    qvPhyxelSampling sampling = { .pointCount = w.mesh->pointCount,
                                  .points = w.rest,
                                  .triangleCount = w.mesh->triangleCount,
                                  .triangles = w.mesh->pointTriangles,
                                  .count = phyxels,
                                  .density = 1000.0 };
    ASSERT_OK(qvSamplePhyxelBody(&sampling, NULL, &w.body, &error), error);
    w.phyxels = calloc((size_t)w.body->count, sizeof(*w.phyxels));
    w.tears = calloc((size_t)w.body->count, sizeof(*w.tears));
    memcpy(w.phyxels, w.body->points, (size_t)w.body->count * sizeof(*w.phyxels));
    ASSERT_OK(qvCreateFlowSurface(w.body, w.mesh, w.rest, &w.surface, &error), error);
    return w;
}

static void FreeWorld(World* w)
{
    qvDestroyFlowSurface(w->surface);
    qvDestroyPhyxelBody(w->body);
    qvDestroyMesh(w->mesh);
    free(w->rest);
    free(w->points);
    free(w->phyxels);
    free(w->tears);
}

static qvMesh* Extract(const World* w, qvPool* pool)
{
    qvMesh* mesh;
    qvError error;
    ASSERT_OK(qvFlowSurface_Tear(w->surface, w->phyxels, w->tears, &error), error);
    ASSERT_OK(qvFlowSurface_Extract(w->surface, w->phyxels, w->tears, w->points, NULL, pool, &mesh, &error), error);
    return mesh;
}

static void WhatHasNotTornIsTheBodysOwn(void** state)
{
    (void)state;
    World w = MakeWorld("sphere", 12, 150);
    assert_null(Extract(&w, NULL));
    // Turned, moved and stretched by a half, too.
    for (int i = 0; i < w.body->count; i++)
    {
        qvVec3 x = w.body->points[i];
        w.phyxels[i] = qvMakeVec3(3.0 - 1.5 * x.z, x.y, x.x);
    }
    for (int i = 0; i < w.mesh->pointCount; i++)
        w.points[i] = qvVec3_ToFloat(qvMakeVec3(3.0 - 1.5 * w.rest[i].z, w.rest[i].y, w.rest[i].x));
    assert_null(Extract(&w, NULL));
    FreeWorld(&w);
}

static void TornBodiesAreTwo(void** state)
{
    (void)state;
    World w = MakeWorld("tentacle", 24, 300);
    double middle = 1.0, sum = VolumeOf(w.mesh);
    for (int i = 0; i < w.body->count; i++)
        w.phyxels[i].y += w.phyxels[i].y > middle ? 1.5 : 0.0;
    for (int i = 0; i < w.mesh->pointCount; i++)
        w.points[i].y += w.points[i].y > (float)middle ? 1.5f : 0.0f;
    qvPool* pool;
    qvError error;
    ASSERT_OK(qvCreatePool(3, &pool, &error), error);
    qvMesh *mesh = Extract(&w, NULL), *again = Extract(&w, pool);
    assert_non_null(mesh);
    assert_int_equal(AssertClosedManifold(mesh), 2);
    assert_in_range((int)(1000.0 * VolumeOf(mesh) / sum), 900, 1100);
    assert_int_equal(mesh->vertexCount, again->vertexCount);
    assert_memory_equal(mesh->positions, again->positions, (size_t)mesh->vertexCount * sizeof(qvVec3f));
    assert_int_equal(mesh->uvDomain != qv_domainNone, w.mesh->uvDomain != qv_domainNone);
    // Far from the tear it is the old surface: each vertex within a fifth of a spacing of one of the carried triangles.
    int checked = 0;
    for (int i = 0; i < mesh->vertexCount; i += 29)
    {
        qvVec3 x = qvVec3_FromFloat(mesh->positions[i]);
        double nearest = INFINITY;
        if (fabs(x.y - middle - 0.75) < 0.75 + 3.0 * w.body->spacing)
            continue;
        for (int t = 0; t < w.mesh->triangleCount; t++)
        {
            const int32_t* v = w.mesh->pointTriangles[t].v;
            qvVec3 q = qvClosestOnTriangle(x, qvVec3_FromFloat(w.points[v[0]]), qvVec3_FromFloat(w.points[v[1]]),
                                           qvVec3_FromFloat(w.points[v[2]]));
            nearest = fmin(nearest, qvDistance(q, x));
        }
        assert_true(nearest < 0.2 * w.body->spacing);
        checked++;
    }
    assert_true(checked > 100);
    qvDestroyMesh(mesh);
    qvDestroyMesh(again);
    qvDestroyPool(pool);
    FreeWorld(&w);
}

// Together again, what has torn is not shown by the details that it had before: only what never tore is.
static void TearsStay(void** state)
{
    (void)state;
    World w = MakeWorld("tentacle", 24, 300);
    for (int i = 0; i < w.body->count; i++)
        w.phyxels[i].y += w.phyxels[i].y > 1.0 ? 1.5 : 0.0;
    for (int i = 0; i < w.mesh->pointCount; i++)
        w.points[i].y += w.points[i].y > 1.0f ? 1.5f : 0.0f;
    qvDestroyMesh(Extract(&w, NULL));
    int torn = 0;
    for (int i = 0; i < w.body->count; i++)
    {
        double away = fabs(w.body->points[i].y - 1.0) / w.body->radius;
        torn += w.tears[i] > 0.9;
        assert_true((w.tears[i] > 0.0) <= (away < 1.0) && w.tears[i] >= 0.0 && w.tears[i] <= 1.0);
    }
    assert_true(torn > 5);
    memcpy(w.phyxels, w.body->points, (size_t)w.body->count * sizeof(*w.phyxels));
    qvMesh_GatherPoints(w.mesh, w.mesh->positions, w.points);
    qvMesh* mesh = Extract(&w, NULL);
    assert_non_null(mesh);
    assert_int_equal(AssertClosedManifold(mesh), 1);
    qvDestroyMesh(mesh);
    FreeWorld(&w);
}

// Phyxels at random places in a box, with vertices at others: whatever comes is closed and a 2-manifold.
static void RandomCloudsAreClosed(void** state)
{
    (void)state;
    World w = MakeWorld("sphere", 10, 120);
    uint64_t seed = 7;
    for (int n = 0; n < 5; n++)
    {
        for (int i = 0; i < w.body->count; i++)
            w.phyxels[i] = qvScale(2.0, RandomVec3(&seed));
        for (int i = 0; i < w.mesh->pointCount; i++)
            w.points[i] = qvVec3_ToFloat(qvScale(2.0, RandomVec3(&seed)));
        qvMesh* mesh = Extract(&w, NULL);
        assert_non_null(mesh);
        AssertClosedManifold(mesh);
        assert_true(VolumeOf(mesh) > 0.0);
        qvDestroyMesh(mesh);
    }
    FreeWorld(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(WhatHasNotTornIsTheBodysOwn),
        cmocka_unit_test(TornBodiesAreTwo),
        cmocka_unit_test(TearsStay),
        cmocka_unit_test(RandomCloudsAreClosed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
