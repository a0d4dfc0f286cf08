// SPDX-License-Identifier: GPL-3.0-or-later
// The carrier: exact for affine motion, near to a bend, exact at a pose that it starts from, the same bits for any
// pool.
#include "testing.h"

#include "body/carrier.h"
#include "body/proxy.h"
#include "math/mat3.h"
#include "math/rotation.h"
#include "quaver/primitive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Case
{
    int pointCount;
    qvVec3 *points, *carried, *wanted, *vertices, *rests;
    qvProxy* proxy;
    qvCarrier* carrier;
    void* scratch;
} Case;

static Case MakeCase(void)
{
    Case c = { 0 };
    qvMesh* mesh;
    qvError error;
    ASSERT_OK(qvCreatePrimitive("sack", 12, &mesh, &error), error);
    c.pointCount = mesh->pointCount;
    qvVec3** arrays[] = { &c.points, &c.carried, &c.wanted, &c.vertices, &c.rests };
    for (int i = 0; i < 5; i++)
        *arrays[i] = calloc((size_t)c.pointCount, sizeof(qvVec3));
    for (int i = 0; i < c.pointCount; i++)
        c.points[i] = qvVec3_FromFloat(mesh->positions[mesh->pointVertex[i]]);
    qvProxyDef proxy = { c.pointCount, c.points, mesh->triangleCount, mesh->pointTriangles, 200 };
    ASSERT_OK(qvCreateProxy(&proxy, NULL, &c.proxy, &error), error);
    assert_true(c.proxy->vertexCount < c.pointCount);
    qvCarrierDef def = { .vertexCount = c.proxy->vertexCount,
                         .vertices = c.proxy->vertices,
                         .triangleCount = c.proxy->triangleCount,
                         .triangles = c.proxy->triangles,
                         .pointCount = c.pointCount,
                         .points = c.points };
    ASSERT_OK(qvCreateCarrier(&def, NULL, &c.carrier, &error), error);
    c.scratch = malloc(qvCarrier_ScratchSize(c.carrier));
    qvDestroyMesh(mesh);
    return c;
}

static void FreeCase(Case* c)
{
    free(c->points);
    free(c->carried);
    free(c->wanted);
    free(c->vertices);
    free(c->rests);
    free(c->scratch);
    qvDestroyProxy(c->proxy);
    qvDestroyCarrier(c->carrier);
}

typedef qvVec3 MapFcn(qvVec3 p);

static qvVec3 Affine(qvVec3 p)
{
    return qvMakeVec3(1.3 * p.x + 0.2 * p.y - 0.4 * p.z + 2.0, -0.3 * p.x + 0.8 * p.y + 0.1 * p.z - 1.0,
                      0.5 * p.x + 0.7 * p.z + 0.3);
}

// About the z axis, by 40 degrees a unit of height: a strong bend of a sack.
static qvVec3 Bend(qvVec3 p)
{
    double angle = 0.7 * p.y, radius = 1.0 / 0.7 - p.x;
    return qvMakeVec3(1.0 / 0.7 - radius * cos(angle), radius * sin(angle), p.z);
}

static qvVec3 Turn(qvVec3 p)
{
    return qvAdd(qvQuat_Rotate(qvQuat_Exp(qvMakeVec3(0.9, -1.4, 0.5)), p), qvMakeVec3(3.0, -2.0, 1.0));
}

// The largest distance of carried points from where the map has them.
static double ErrorOf(Case* c, MapFcn* map)
{
    double worst = 0.0;
    for (int v = 0; v < c->proxy->vertexCount; v++)
        c->vertices[v] = map(c->proxy->vertices[v]);
    qvCarrier_Carry(c->carrier, c->vertices, NULL, c->scratch, NULL, c->carried);
    for (int p = 0; p < c->pointCount; p++)
        worst = fmax(worst, qvDistance(c->carried[p], map(c->points[p])));
    return worst;
}

static void AffineMotionIsExact(void** state)
{
    (void)state;
    Case c = MakeCase();
    assert_true(ErrorOf(&c, Affine) < 1e-12);
    assert_true(ErrorOf(&c, Turn) < 1e-12);
    FreeCase(&c);
}

static void BendsAreSmooth(void** state)
{
    (void)state;
    Case c = MakeCase();
    double error = ErrorOf(&c, Bend);
    print_message("a bend of 80 degrees: %.4f of a height of 2\n", error);
    assert_true(error < 0.02);
    FreeCase(&c);
}

// The pose is kept, and turns with the vertices.
static void PosesAreMet(void** state)
{
    (void)state;
    Case c = MakeCase();
    for (int p = 0; p < c.pointCount; p++)
        c.wanted[p] = qvMulAdd(Bend(c.points[p]), 0.05, qvMakeVec3(sin(9.0 * c.points[p].y), cos(7.0 * p), 0.3));
    for (int v = 0; v < c.proxy->vertexCount; v++)
        c.vertices[v] = Bend(c.proxy->vertices[v]);
    qvCarrier_FindRests(c.carrier, c.vertices, c.wanted, c.scratch, NULL, c.rests);
    qvCarrier_Carry(c.carrier, c.vertices, c.rests, c.scratch, NULL, c.carried);
    for (int p = 0; p < c.pointCount; p++)
        assert_true(qvDistance(c.carried[p], c.wanted[p]) < 1e-12);
    for (int v = 0; v < c.proxy->vertexCount; v++)
        c.vertices[v] = Turn(c.vertices[v]);
    qvCarrier_Carry(c.carrier, c.vertices, c.rests, c.scratch, NULL, c.carried);
    for (int p = 0; p < c.pointCount; p++)
        assert_true(qvDistance(c.carried[p], Turn(c.wanted[p])) < 1e-11);
    FreeCase(&c);
}

static void ThreadsDoNotMatter(void** state)
{
    (void)state;
    Case c = MakeCase();
    qvPool* pool;
    qvError error;
    ASSERT_OK(qvCreatePool(3, &pool, &error), error);
    ErrorOf(&c, Bend);
    qvCarrier_Carry(c.carrier, c.vertices, NULL, c.scratch, pool, c.wanted);
    assert_memory_equal(c.wanted, c.carried, (size_t)c.pointCount * sizeof(qvVec3));
    qvDestroyPool(pool);
    FreeCase(&c);
}

// What is all in a plane has no affine map across it, and still turns exactly. A line does not.
static void FlatMeshesTurn(void** state)
{
    (void)state;
    qvError error;
    qvCarrier* carrier;
    qvVec3 points[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 } }, moved[4], carried;
    qvVec3 above = { 0.3, 0.4, 0.2 };
    qvTriangle triangles[2] = { { { 0, 1, 2 } }, { { 2, 1, 3 } } };
    qvCarrierDef def = { 4, points, 2, triangles, 1, &above, NULL };
    ASSERT_OK(qvCreateCarrier(&def, NULL, &carrier, &error), error);
    for (int v = 0; v < 4; v++)
        moved[v] = Turn(points[v]);
    void* scratch = malloc(qvCarrier_ScratchSize(carrier));
    qvCarrier_Carry(carrier, moved, NULL, scratch, NULL, &carried);
    assert_true(qvDistance(carried, Turn(above)) < 1e-12);
    free(scratch);
    qvDestroyCarrier(carrier);
    for (int v = 0; v < 4; v++)
        points[v].y = 0.0;
    assert_int_equal(qvCreateCarrier(&def, NULL, &carrier, &error), qv_badInput);
    assert_null(carrier);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(AffineMotionIsExact), cmocka_unit_test(BendsAreSmooth), cmocka_unit_test(PosesAreMet),
        cmocka_unit_test(ThreadsDoNotMatter),  cmocka_unit_test(FlatMeshesTurn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
