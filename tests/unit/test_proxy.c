// SPDX-License-Identifier: GPL-3.0-or-later
// Proxies: closed, manifold and near to the body they stand for, whatever that is; clear refusals.
#include "testing.h"

#include "body/distance_grid.h"
#include "body/proxy.h"
#include "mesh/implicit.h"
#include "quaver/primitive.h"
#include "solid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    DETAIL = 250
};

typedef struct Part
{
    int pointCount, triangleCount;
    qvVec3* points;
    qvTriangle* triangles;
} Part;

static Part PartOf(const char* tag, int resolution)
{
    qvMesh* mesh;
    qvError error;
    ASSERT_OK(qvCreatePrimitive(tag, resolution, &mesh, &error), error);
    Part part = { .pointCount = mesh->pointCount, .triangleCount = mesh->triangleCount };
    part.points = calloc((size_t)part.pointCount, sizeof(qvVec3));
    part.triangles = calloc((size_t)part.triangleCount, sizeof(qvTriangle));
    for (int i = 0; i < part.pointCount; i++)
        part.points[i] = qvVec3_FromFloat(mesh->positions[mesh->pointVertex[i]]);
    memcpy(part.triangles, mesh->pointTriangles, (size_t)part.triangleCount * sizeof(qvTriangle));
    qvDestroyMesh(mesh);
    return part;
}

static void FreePart(Part* part)
{
    free(part->points);
    free(part->triangles);
}

static qvResult TryProxy(const Part* part, int detail, qvProxy** proxy, qvError* error)
{
    qvProxyDef def = { .pointCount = part->pointCount,
                       .points = part->points,
                       .triangleCount = part->triangleCount,
                       .triangles = part->triangles,
                       .detail = detail };
    return qvCreateProxy(&def, NULL, proxy, error);
}

static qvProxy* ProxyOf(const Part* part, int detail)
{
    qvProxy* proxy;
    qvError error;
    ASSERT_OK(TryProxy(part, detail, &proxy, &error), error);
    ASSERT_OK(qvCheckProxy(proxy->vertices, proxy->vertexCount, proxy->triangles, proxy->triangleCount, &error), error);
    return proxy;
}

static double VolumeOf(const qvVec3* p, const qvTriangle* triangles, int count)
{
    double sum = 0.0;
    for (int t = 0; t < count; t++)
    {
        const int32_t* v = triangles[t].v;
        sum += qvDot(p[v[0]], qvCross(p[v[1]], p[v[2]])) / 6.0;
    }
    return sum;
}

// How far vertices of the proxy are from the part at most.
static double FarthestFrom(const Part* part, const qvProxy* proxy)
{
    qvDistanceGridDef def = qvDefaultDistanceGridDef();
    qvDistanceGrid* grid;
    qvError error;
    def.pointCount = part->pointCount;
    def.points = part->points;
    def.triangleCount = part->triangleCount;
    def.triangles = part->triangles;
    def.isUnsigned = true;
    qvDistanceGridDef_Fit(&def, 0.05, 2.0);
    ASSERT_OK(qvCreateDistanceGrid(&def, NULL, &grid, &error), error);
    double farthest = 0.0;
    for (int v = 0; v < proxy->vertexCount; v++)
        farthest = fmax(farthest, fabs(qvDistanceGrid_Sample(grid, proxy->vertices[v], NULL)));
    qvDestroyDistanceGrid(grid);
    return farthest;
}

static void ShapesHaveProxies(void** state)
{
    (void)state;
    for (int i = 0; i < qvPrimitiveCount(); i++)
    {
        const char* tag = qvGetPrimitive(i)->tag;
        Part part = PartOf(tag, 12);
        qvProxy* proxy = ProxyOf(&part, DETAIL);
        print_message("%s %d: way %d, %d vertices\n", tag, DETAIL, proxy->way, proxy->vertexCount);
        assert_true(proxy->vertexCount <= 1.25 * DETAIL);
        if (proxy->way != qv_proxySame)
            assert_true(proxy->vertexCount >= 0.8 * DETAIL);
        if (strcmp(tag, "sheet") != 0)
        {
            double volume = VolumeOf(part.points, part.triangles, part.triangleCount);
            double own = VolumeOf(proxy->vertices, proxy->triangles, proxy->triangleCount);
            print_message("    volume %.3f of the part's, %.3f away\n", own / volume, FarthestFrom(&part, proxy));
            assert_true(fabs(own / volume - 1.0) < 0.09);
            assert_true(FarthestFrom(&part, proxy) < 0.04);
        }
        qvDestroyProxy(proxy);
        FreePart(&part);
    }
}

// A sack with a hole is solid; a sack without its upper half is a thick bowl; a sheet is a thick plate.
static void OpenPartsAreClosed(void** state)
{
    (void)state;
    Part part = PartOf("sphere", 12);
    double volume = VolumeOf(part.points, part.triangles, part.triangleCount);
    int whole = part.triangleCount, kept = 0;
    for (int t = 0; t < whole; t++)
    {
        if (part.points[part.triangles[t].v[0]].y < 1.8)
            part.triangles[kept++] = part.triangles[t];
    }
    assert_true(kept < whole);
    part.triangleCount = kept;
    qvProxy* proxy = ProxyOf(&part, 200);
    assert_int_equal(proxy->way, qv_proxyRemeshed);
    double ratio = VolumeOf(proxy->vertices, proxy->triangles, proxy->triangleCount) / volume;
    print_message("a ball with a hole: %d vertices, %.3f of the volume\n", proxy->vertexCount, ratio);
    assert_true(fabs(ratio - 1.0) < 0.1);
    qvDestroyProxy(proxy);
    kept = 0;
    for (int t = 0; t < part.triangleCount; t++)
    {
        if (part.points[part.triangles[t].v[0]].y < 0.9)
            part.triangles[kept++] = part.triangles[t];
    }
    part.triangleCount = kept;
    proxy = ProxyOf(&part, 300);
    ratio = VolumeOf(proxy->vertices, proxy->triangles, proxy->triangleCount) / volume;
    print_message("a bowl: %d vertices, %.3f of the volume\n", proxy->vertexCount, ratio);
    qvDestroyProxy(proxy);
    FreePart(&part);
}

// Two balls, one of which has swallowed a part of the other, joined by one triangle: one part that passes through
// itself.
static void CrossedPartsAreRemeshed(void** state)
{
    (void)state;
    qvSolid a = qvMakeIcosphere(2, 1.0), b = qvMakeIcosphere(2, 1.0);
    // Three sides of two triangles each join both where a triangle is taken out.
    Part part = { .pointCount = a.vertexCount + b.vertexCount, .triangleCount = a.triangleCount + b.triangleCount + 4 };
    part.points = calloc((size_t)part.pointCount, sizeof(qvVec3));
    part.triangles = calloc((size_t)part.triangleCount, sizeof(qvTriangle));
    for (int v = 0; v < a.vertexCount; v++)
    {
        part.points[v] = a.vertices[v];
        part.points[a.vertexCount + v] = qvAdd(b.vertices[v], qvMakeVec3(1.1, 0.13, 0.07));
    }
    int n = 0;
    for (int t = 1; t < a.triangleCount; t++)
    {
        part.triangles[n++] = a.triangles[t];
        for (int k = 0; k < 3; k++)
            part.triangles[n].v[k] = a.vertexCount + b.triangles[t].v[k];
        n++;
    }
    for (int i = 0; i < 3; i++)
    {
        int a0 = a.triangles[0].v[i], a1 = a.triangles[0].v[(i + 1) % 3];
        int b0 = a.vertexCount + b.triangles[0].v[(3 - i) % 3], b1 = a.vertexCount + b.triangles[0].v[(4 - i) % 3];
        part.triangles[n++] = (qvTriangle){ { a0, a1, b0 } };
        part.triangles[n++] = (qvTriangle){ { a0, b0, b1 } };
    }
    assert_int_equal(n, part.triangleCount);
    qvProxy* proxy = ProxyOf(&part, 240);
    assert_int_equal(proxy->way, qv_proxyRemeshed);
    // Two balls less the lens that they share: 2 of 4/3 pi, minus pi (4 + d)(2 - d)^2 / 12 at the distance d.
    double d = qvLength(qvMakeVec3(1.1, 0.13, 0.07)), pi = 3.14159265358979;
    double wanted = 8.0 / 3.0 * pi - pi * (4.0 + d) * (2.0 - d) * (2.0 - d) / 12.0;
    double volume = VolumeOf(proxy->vertices, proxy->triangles, proxy->triangleCount);
    print_message("two balls: %d vertices, volume %.3f, %.3f wanted\n", proxy->vertexCount, volume, wanted);
    assert_true(fabs(volume / wanted - 1.0) < 0.07);
    qvDestroyProxy(proxy);
    FreePart(&part);
    qvFreeSolid(&a);
    qvFreeSolid(&b);
}

// A part that faces inwards is turned round.
static void InwardPartsAreTurned(void** state)
{
    (void)state;
    Part part = PartOf("torus", 12);
    for (int t = 0; t < part.triangleCount; t++)
    {
        int32_t swap = part.triangles[t].v[0];
        part.triangles[t].v[0] = part.triangles[t].v[1];
        part.triangles[t].v[1] = swap;
    }
    qvProxy* proxy = ProxyOf(&part, 200);
    double own = -VolumeOf(part.points, part.triangles, part.triangleCount);
    assert_true(fabs(VolumeOf(proxy->vertices, proxy->triangles, proxy->triangleCount) / own - 1.0) < 0.09);
    qvDestroyProxy(proxy);
    FreePart(&part);
}

static void ChecksFind(void** state)
{
    (void)state;
    qvError error;
    qvSolid ball = qvMakeIcosphere(1, 1.0);
#define CHECK() qvCheckProxy(ball.vertices, ball.vertexCount, ball.triangles, ball.triangleCount, &error)
    ASSERT_OK(CHECK(), error);
    ball.triangleCount--;
    assert_int_equal(CHECK(), qv_badInput);
    assert_non_null(strstr(error.message, "open"));
    ball.triangleCount++;
    qvVec3 kept = ball.vertices[3];
    ball.vertices[3] = qvScale(-1.5, kept); // through the other side
    assert_int_equal(CHECK(), qv_badInput);
    assert_non_null(strstr(error.message, "passes through itself"));
    ball.vertices[3] = qvScale(30.0, kept);
    assert_int_equal(CHECK(), qv_badInput);
    assert_non_null(strstr(error.message, "spike"));
    ball.vertices[3] = kept;
    for (int v = 0; v < ball.vertexCount; v++)
        ball.vertices[v].x *= -1.0;
    assert_int_equal(CHECK(), qv_badInput);
    assert_non_null(strstr(error.message, "inwards"));
#undef CHECK
    qvFreeSolid(&ball);
}

static void RefusalsAreClear(void** state)
{
    (void)state;
    qvError error;
    qvProxy* proxy;
    qvVec3 points[3] = { { 0.0, 0.0, 0.0 }, { 1.0, 0.0, 0.0 }, { 2.0, 0.0, 0.0 } };
    qvTriangle triangle = { { 0, 1, 2 } };
    Part line = { 3, 1, points, &triangle };
    assert_int_equal(TryProxy(&line, 100, &proxy, &error), qv_badInput);
    assert_non_null(strstr(error.message, "area"));
    assert_null(proxy);
    // A single triangle is a small plate.
    points[2] = qvMakeVec3(0.0, 1.0, 0.0);
    ASSERT_OK(TryProxy(&line, 100, &proxy, &error), error);
    qvDestroyProxy(proxy);
}

// Two tetrahedra that share an edge: it belongs to none of them, and walks around points end.
static void EdgesOfFourTrianglesAreNone(void** state)
{
    (void)state;
    const qvTriangle triangles[] = { { { 0, 1, 2 } }, { { 0, 3, 1 } }, { { 1, 3, 2 } }, { { 0, 2, 3 } },
                                     { { 0, 1, 4 } }, { { 0, 5, 1 } }, { { 1, 5, 4 } }, { { 0, 4, 5 } } };
    int32_t* opposites = qvMakeOpposites(triangles, 8);
    assert_non_null(opposites);
    for (int c = 0; c < 24; c++)
    {
        const int32_t* v = triangles[c / 3].v;
        bool isShared = v[(c + 1) % 3] + v[(c + 2) % 3] == 1;
        assert_int_equal(opposites[c] < 0, isShared);
        assert_true(isShared || opposites[opposites[c]] == c);
    }
    free(opposites);
}

// What the simplifier leaves of this block has such an edge: relaxing it did not end.
static void FoldedProxiesAreMadeAnew(void** state)
{
    (void)state;
    Part block = PartOf("block", 24);
    qvDestroyProxy(ProxyOf(&block, 400));
    FreePart(&block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ShapesHaveProxies),
        cmocka_unit_test(OpenPartsAreClosed),
        cmocka_unit_test(CrossedPartsAreRemeshed),
        cmocka_unit_test(InwardPartsAreTurned),
        cmocka_unit_test(ChecksFind),
        cmocka_unit_test(RefusalsAreClear),
        cmocka_unit_test(EdgesOfFourTrianglesAreNone),
        cmocka_unit_test(FoldedProxiesAreMadeAnew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
