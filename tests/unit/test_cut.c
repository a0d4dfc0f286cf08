// SPDX-License-Identifier: GPL-3.0-or-later
// Cutting closed meshes into pieces: closed, of the whole volume together, with interfaces that conform.
#include "testing.h"

#include "body/cut.h"
#include "body/proxy.h"
#include "body/proxy_build.h"
#include "quaver/primitive.h"
#include "solid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static qvVec3* PlacesOf(const qvCut* cut, int piece)
{
    qvVec3* places = calloc((size_t)cut->pieces[piece].vertexCount, sizeof(*places));
    for (int v = 0; v < cut->pieces[piece].vertexCount; v++)
        places[v] = cut->vertices[cut->pieces[piece].vertices[v]];
    return places;
}

// How many triangles of one piece are those of another, turned over.
static int CountShared(const qvCut* cut, int a, int b)
{
    int count = 0;
    const qvCutPiece *one = &cut->pieces[a], *other = &cut->pieces[b];
    for (int t = 0; t < one->triangleCount; t++)
    {
        for (int u = 0; u < other->triangleCount; u++)
        {
            for (int k = 0; k < 3; k++)
                count += one->vertices[one->triangles[t].v[0]] == other->vertices[other->triangles[u].v[k]] &&
                         one->vertices[one->triangles[t].v[1]] == other->vertices[other->triangles[u].v[(k + 2) % 3]] &&
                         one->vertices[one->triangles[t].v[2]] == other->vertices[other->triangles[u].v[(k + 1) % 3]];
        }
    }
    return count;
}

static void CheckCut(const char* name, const qvVec3* vertices, int vertexCount, const qvTriangle* triangles,
                     int triangleCount, int pieces, double moved)
{
    qvError error;
    qvCut* cut;
    ASSERT_OK(qvCreateCut(vertices, vertexCount, triangles, triangleCount, pieces, &cut, &error), error);
    double volume = qvProxyVolume(vertices, triangles, triangleCount), sum = 0.0, least = INFINITY;
    double surface = qvProxyVolume(cut->vertices, cut->triangles, cut->triangleCount);
    ASSERT_OK(qvCheckProxy(cut->vertices, cut->surfaceCount, cut->triangles, cut->triangleCount, &error), error);
    for (int p = 0; p < pieces; p++)
    {
        const qvCutPiece* piece = &cut->pieces[p];
        qvVec3* places = PlacesOf(cut, p);
        ASSERT_OK(qvCheckProxy(places, piece->vertexCount, piece->triangles, piece->triangleCount, &error), error);
        double own = qvProxyVolume(places, piece->triangles, piece->triangleCount);
        sum += own;
        least = fmin(least, own);
        int shared = p + 1 < pieces ? CountShared(cut, p, p + 1) : 0;
        assert_true(p + 1 == pieces || shared >= 4);
        if (p + 2 < pieces)
            assert_int_equal(CountShared(cut, p, p + 2), 0);
        free(places);
    }
    print_message("%s: %d pieces of %d vertices, the least %.3f of the mean; volume %.1e off, moved %.1e\n", name,
                  pieces, cut->vertexCount, least * pieces / volume, fabs(sum - surface) / volume,
                  fabs(surface - volume) / volume);
    ASSERT_NEAR(sum, surface, 1e-9 * volume);
    ASSERT_NEAR(surface, volume, moved * volume);
    qvDestroyCut(cut);
}

static void BeamsAreCut(void** state)
{
    (void)state;
    for (int pieces = 2; pieces <= 7; pieces++)
    {
        qvSolid beam = qvMakeBlock(21, 4, 4, qvMakeVec3(5.0, 1.0, 1.0), 0.0);
        CheckCut("beam", beam.vertices, beam.vertexCount, beam.triangles, beam.triangleCount, pieces, 1e-9);
        qvFreeSolid(&beam);
    }
}

static void BallsAreCut(void** state)
{
    (void)state;
    for (int pieces = 2; pieces <= 3; pieces++)
    {
        qvSolid ball = qvMakeIcosphere(2, 1.0);
        CheckCut("ball", ball.vertices, ball.vertexCount, ball.triangles, ball.triangleCount, pieces, 0.01);
        qvFreeSolid(&ball);
    }
}

// Built-in shapes as engines have them: simplified proxies of any triangles.
static void ShapesAreCut(void** state)
{
    (void)state;
    static const char* const tags[] = { "tentacle", "sack" };
    for (int i = 0; i < 2; i++)
    {
        qvError error;
        qvMesh* mesh;
        qvProxy* proxy;
        ASSERT_OK(qvCreatePrimitive(tags[i], 24, &mesh, &error), error);
        qvVec3* points = calloc((size_t)mesh->pointCount, sizeof(*points));
        for (int p = 0; p < mesh->pointCount; p++)
            points[p] = qvVec3_FromFloat(mesh->positions[mesh->pointVertex[p]]);
        qvProxyDef def = { mesh->pointCount, points, mesh->triangleCount, mesh->pointTriangles, 400 };
        ASSERT_OK(qvCreateProxy(&def, NULL, &proxy, &error), error);
        CheckCut(tags[i], proxy->vertices, proxy->vertexCount, proxy->triangles, proxy->triangleCount, 4, 0.01);
        qvDestroyProxy(proxy);
        free(points);
        qvDestroyMesh(mesh);
    }
}

// A ring has two arms where it is cut, and a coarse body has no vertices to spare.
static void SomeCannotBeCut(void** state)
{
    (void)state;
    qvError error;
    qvMesh* mesh;
    qvCut* cut;
    ASSERT_OK(qvCreatePrimitive("torus", 12, &mesh, &error), error);
    qvVec3* points = calloc((size_t)mesh->pointCount, sizeof(*points));
    for (int p = 0; p < mesh->pointCount; p++)
        points[p] = qvVec3_FromFloat(mesh->positions[mesh->pointVertex[p]]);
    assert_int_equal(qvCreateCut(points, mesh->pointCount, mesh->pointTriangles, mesh->triangleCount, 4, &cut, &error),
                     qv_badInput);
    ASSERT_CONTAINS(error.message, "cannot be cut into 4 pieces: between the pieces");
    ASSERT_CONTAINS(error.message, "in several arms");
    free(points);
    qvDestroyMesh(mesh);
    qvSolid ball = qvMakeIcosphere(1, 1.0);
    assert_int_equal(qvCreateCut(ball.vertices, ball.vertexCount, ball.triangles, ball.triangleCount, 8, &cut, &error),
                     qv_badInput);
    ASSERT_CONTAINS(error.message, "take fewer");
    qvFreeSolid(&ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(BeamsAreCut),
        cmocka_unit_test(BallsAreCut),
        cmocka_unit_test(ShapesAreCut),
        cmocka_unit_test(SomeCannotBeCut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
