// SPDX-License-Identifier: GPL-3.0-or-later
// Distance grids against exact distances to all triangles, winding numbers and closed forms.
#include "testing.h"

#include "body/distance_grid.h"
#include "body/triangle.h"
#include "quaver/file.h"
#include "quaver/json.h"
#include "quaver/primitive.h"
#include "random_vectors.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// A mesh of its own points, to which parts are added.
typedef struct Body
{
    int pointCount, triangleCount;
    qvVec3* points;
    qvTriangle* triangles;
} Body;

static void Grow(Body* body, int points, int triangles)
{
    body->points = realloc(body->points, (size_t)(body->pointCount + points) * sizeof(*body->points));
    body->triangles = realloc(body->triangles, (size_t)(body->triangleCount + triangles) * sizeof(*body->triangles));
    assert_true(body->points != NULL && body->triangles != NULL);
}

static void AddPrimitive(Body* body, const char* tag, int resolution, double scale, qvVec3 offset)
{
    qvError error;
    qvMesh* mesh;
    ASSERT_OK(qvCreatePrimitive(tag, resolution, &mesh, &error), error);
    Grow(body, mesh->pointCount, mesh->triangleCount);
    for (int p = 0; p < mesh->pointCount; p++)
    {
        qvVec3 at = qvVec3_FromFloat(mesh->positions[mesh->pointVertex[p]]);
        body->points[body->pointCount + p] = qvMulAdd(offset, scale, at);
    }
    for (int t = 0; t < mesh->triangleCount; t++)
    {
        for (int k = 0; k < 3; k++)
            body->triangles[body->triangleCount + t].v[k] = mesh->pointTriangles[t].v[k] + body->pointCount;
    }
    body->pointCount += mesh->pointCount;
    body->triangleCount += mesh->triangleCount;
    qvDestroyMesh(mesh);
}

// The box from lower to upper of twelve triangles, facing outwards.
static void AddBox(Body* body, qvVec3 lower, qvVec3 upper)
{
    static const qvTriangle triangles[12] = { { { 0, 2, 1 } }, { { 1, 2, 3 } }, { { 4, 5, 6 } }, { { 5, 7, 6 } },
                                              { { 0, 1, 4 } }, { { 1, 5, 4 } }, { { 2, 6, 3 } }, { { 3, 6, 7 } },
                                              { { 0, 4, 2 } }, { { 2, 4, 6 } }, { { 1, 3, 5 } }, { { 3, 7, 5 } } };
    Grow(body, 8, 12);
    for (int c = 0; c < 8; c++)
        body->points[body->pointCount + c] =
            qvMakeVec3(c & 1 ? upper.x : lower.x, c & 2 ? upper.y : lower.y, c & 4 ? upper.z : lower.z);
    for (int t = 0; t < 12; t++)
    {
        for (int k = 0; k < 3; k++)
            body->triangles[body->triangleCount + t].v[k] = triangles[t].v[k] + body->pointCount;
    }
    body->pointCount += 8;
    body->triangleCount += 12;
}

static void Flip(Body* body, int firstTriangle)
{
    for (int t = firstTriangle; t < body->triangleCount; t++)
    {
        int32_t* v = body->triangles[t].v;
        int32_t swap = v[1];
        v[1] = v[2];
        v[2] = swap;
    }
}

static void FreeBody(Body* body)
{
    free(body->points);
    free(body->triangles);
}

static qvDistanceGridDef DefOf(const Body* body, double cellSize, double padding)
{
    qvDistanceGridDef def = qvDefaultDistanceGridDef();
    def.pointCount = body->pointCount;
    def.points = body->points;
    def.triangleCount = body->triangleCount;
    def.triangles = body->triangles;
    qvDistanceGridDef_Fit(&def, cellSize, padding);
    return def;
}

static qvDistanceGrid* MakeGrid(const qvDistanceGridDef* def)
{
    qvError error;
    qvDistanceGrid* grid;
    ASSERT_OK(qvCreateDistanceGrid(def, NULL, &grid, &error), error);
    return grid;
}

static double ExactDistance(const qvDistanceGridDef* def, qvVec3 p, qvVec3* closest)
{
    double best = INFINITY;
    for (int t = 0; t < def->triangleCount; t++)
    {
        const int32_t* v = def->triangles[t].v;
        qvVec3 q = qvClosestOnTriangle(p, def->points[v[0]], def->points[v[1]], def->points[v[2]]);
        if (qvDistance(p, q) < best)
        {
            best = qvDistance(p, q);
            *closest = q;
        }
    }
    return best;
}

// How often the mesh winds around a point: the solid angles of its triangles over 4 pi (A. van Oosterom, J. Strackee,
// The solid angle of a plane triangle, 1983).
static double Winding(const qvDistanceGridDef* def, qvVec3 p)
{
    double sum = 0.0;
    for (int t = 0; t < def->triangleCount; t++)
    {
        const int32_t* v = def->triangles[t].v;
        qvVec3 a = qvSub(def->points[v[0]], p), b = qvSub(def->points[v[1]], p), c = qvSub(def->points[v[2]], p);
        double la = qvLength(a), lb = qvLength(b), lc = qvLength(c);
        sum += atan2(qvDot(a, qvCross(b, c)), la * lb * lc + qvDot(a, b) * lc + qvDot(b, c) * la + qvDot(c, a) * lb);
    }
    return sum / (2.0 * 3.14159265358979323846);
}

static qvVec3 NodeAt(const qvDistanceGrid* grid, int node)
{
    int i = node % grid->counts[0], j = node / grid->counts[0] % grid->counts[1];
    int k = node / grid->counts[0] / grid->counts[1];
    return qvMulAdd(grid->origin, grid->cellSize, qvMakeVec3(i, j, k));
}

static int NodeCount(const qvDistanceGrid* grid)
{
    return grid->counts[0] * grid->counts[1] * grid->counts[2];
}

// Every node: exact within the band, within `far` cells and never too short elsewhere; the sign is that of the winding
// number except on the surface itself. Returns how many nodes lie inside.
static int CompareNodes(const qvDistanceGridDef* def, double far)
{
    qvDistanceGrid* grid = MakeGrid(def);
    int insideCount = 0, bandCount = 0, count = NodeCount(grid);
    for (int n = 0; n < count; n += 1 + n % 7)
    {
        qvVec3 p = NodeAt(grid, n), closest;
        double exact = ExactDistance(def, p, &closest), value = grid->values[n];
        double rounding = 4.0 * FLT_EPSILON * (exact + grid->cellSize);
        bool isInBand = exact < def->band * grid->cellSize;
        ASSERT_NEAR(fabs(value), exact, isInBand ? rounding : far * grid->cellSize);
        assert_true(fabs(value) >= exact - rounding);
        bool isInside = Winding(def, p) > 0.5;
        if (exact > 1e-9)
            assert_int_equal(value < 0.0, isInside);
        insideCount += isInside;
        bandCount += isInBand;
    }
    assert_true(bandCount > 20);
    qvDestroyDistanceGrid(grid);
    return insideCount;
}

static void TestPrimitives(void** state)
{
    static const char* const tags[] = { "sphere", "block", "torus", "imp", "sack", "tentacle" };
    for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++)
    {
        Body body = { 0 };
        AddPrimitive(&body, tags[i], 6, 1.0, qvMakeVec3(0.1, -0.7, 12.0));
        qvDistanceGridDef def = DefOf(&body, 0.11, 3.0);
        assert_true(CompareNodes(&def, 0.15) > 20);
        FreeBody(&body);
    }
    (void)state;
}

// Faces, edges and corners that lie exactly on nodes, and lines of nodes that run within faces and through corners.
static void TestNodesOnSurface(void** state)
{
    Body body = { 0 };
    AddBox(&body, qvMakeVec3(-1.0, 0.0, 0.5), qvMakeVec3(1.0, 2.0, 1.5));
    qvDistanceGridDef def = DefOf(&body, 0.25, 2.0);
    assert_true(CompareNodes(&def, 0.01) > 10);
    qvDistanceGrid* grid = MakeGrid(&def);
    int zeroCount = 0;
    for (int n = 0; n < NodeCount(grid); n++)
    {
        qvVec3 p = NodeAt(grid, n);
        double x = fabs(p.x) - 1.0, y = fabs(p.y - 1.0) - 1.0, z = fabs(p.z - 1.0) - 0.5;
        double outside = qvLength(qvMakeVec3(fmax(x, 0.0), fmax(y, 0.0), fmax(z, 0.0)));
        ASSERT_NEAR(grid->values[n], outside + fmin(0.0, fmax(x, fmax(y, z))), 1e-6);
        zeroCount += grid->values[n] == 0.0f;
    }
    assert_int_equal(zeroCount, 9 * 9 * 2 + 9 * 3 * 2 + 7 * 3 * 2);
    qvDestroyDistanceGrid(grid);
    FreeBody(&body);
    (void)state;
}

// Lines of nodes that run through corners and along edges of an octahedron, from outside to outside.
static void TestLinesThroughCorners(void** state)
{
    Body body = { 0 };
    Grow(&body, 6, 8);
    for (int c = 0; c < 6; c++)
    {
        double side = c % 2 == 0 ? 1.0 : -1.0;
        body.points[c] = qvMakeVec3(c / 2 == 0 ? side : 0.0, c / 2 == 1 ? side : 0.0, c / 2 == 2 ? side : 0.0);
    }
    for (int t = 0; t < 8; t++)
    {
        int x = t & 1, y = 2 + (t >> 1 & 1), z = 4 + (t >> 2 & 1);
        bool isFlipped = (x + y + z) % 2 != 0;
        body.triangles[t] = (qvTriangle){ { x, isFlipped ? z : y, isFlipped ? y : z } };
    }
    body.pointCount = 6;
    body.triangleCount = 8;
    qvDistanceGridDef def = DefOf(&body, 0.25, 2.0);
    assert_true(CompareNodes(&def, 0.15) > 10);
    qvDistanceGrid* grid = MakeGrid(&def);
    for (int n = 0; n < NodeCount(grid); n++)
    {
        qvVec3 p = NodeAt(grid, n);
        double beyond = fabs(p.x) + fabs(p.y) + fabs(p.z) - 1.0;
        if (beyond != 0.0)
            assert_int_equal(grid->values[n] < 0.0f, beyond < 0.0);
    }
    qvDestroyDistanceGrid(grid);
    FreeBody(&body);
    (void)state;
}

static void TestOverlapsAndHollows(void** state)
{
    Body body = { 0 };
    AddBox(&body, qvMakeVec3(0.0, 0.0, 0.0), qvMakeVec3(1.0, 1.0, 1.0));
    AddBox(&body, qvMakeVec3(0.5, 0.25, 0.125), qvMakeVec3(2.0, 0.75, 0.875));
    AddBox(&body, qvMakeVec3(0.1, 0.1, 0.1), qvMakeVec3(0.4, 0.4, 0.4));
    Flip(&body, 24); // a hole in the first
    qvDistanceGridDef def = DefOf(&body, 0.06, 2.0);
    assert_true(CompareNodes(&def, 0.05) > 20);
    qvDistanceGrid* grid = MakeGrid(&def);
    assert_true(qvDistanceGrid_Sample(grid, qvMakeVec3(0.7, 0.5, 0.5), NULL) < 0.0);
    assert_true(qvDistanceGrid_Sample(grid, qvMakeVec3(1.5, 0.5, 0.5), NULL) < 0.0);
    assert_true(qvDistanceGrid_Sample(grid, qvMakeVec3(0.25, 0.25, 0.25), NULL) > 0.1);
    qvDestroyDistanceGrid(grid);
    FreeBody(&body);
    (void)state;
}

static void ExpectBad(const qvDistanceGridDef* def, const char* part)
{
    qvError error;
    qvDistanceGrid* grid;
    assert_int_equal(qvCreateDistanceGrid(def, NULL, &grid, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, part);
}

static void TestBadMeshes(void** state)
{
    Body body = { 0 };
    AddBox(&body, qvMakeVec3(0.0, 0.0, 0.0), qvMakeVec3(1.0, 1.0, 1.0));
    qvDistanceGridDef def = DefOf(&body, 0.1, 2.0);
    Flip(&body, 0);
    ExpectBad(&def, "faces inwards");
    Flip(&body, 11);
    ExpectBad(&def, "not closed: 3 edges have no matching neighbour");
    Flip(&body, 11);
    Flip(&body, 0);
    def.triangleCount = 11;
    ExpectBad(&def, "not closed: 3 edges");
    def.triangleCount = 0;
    ExpectBad(&def, "without triangles");
    def.triangleCount = 12;
    for (int k = 0; k < 3; k++)
        def.counts[k] = 10000;
    ExpectBad(&def, "too large");
    def = DefOf(&body, 0.1, 2.0);
    body.points[3].y = NAN;
    ExpectBad(&def, "Point 3 is not at a finite place");
    for (int p = 0; p < 8; p++)
        body.points[p].z = 0.0;
    body.points[3].y = 1.0;
    ExpectBad(&def, "no volume");
    FreeBody(&body);
    (void)state;
}

// Triangles without area: needles along an edge, and points at one place.
static void TestDegenerateTriangles(void** state)
{
    Body body = { 0 };
    AddBox(&body, qvMakeVec3(0.0, 0.0, 0.0), qvMakeVec3(1.0, 1.3, 0.9));
    Grow(&body, 2, 4);
    // The edge from 1 to 3 of the box gets a point on one side of it and a needle between; the point 8 is the point 7.
    body.points[8] = qvMakeVec3(1.0, 0.4, 0.0);
    body.points[9] = body.points[7];
    assert_int_equal(body.triangles[1].v[0], 1);
    body.triangles[1] = (qvTriangle){ { 2, 3, 8 } };
    body.triangles[12] = (qvTriangle){ { 2, 8, 1 } };
    body.triangles[13] = (qvTriangle){ { 1, 8, 3 } };
    // The triangle 3, 7, 5 takes the twin of 7; two triangles without size close the gap.
    body.triangles[11] = (qvTriangle){ { 3, 9, 5 } };
    body.triangles[14] = (qvTriangle){ { 3, 7, 9 } };
    body.triangles[15] = (qvTriangle){ { 9, 7, 5 } };
    body.triangleCount = 16;
    body.pointCount = 10;
    qvDistanceGridDef def = DefOf(&body, 0.09, 2.0);
    assert_true(CompareNodes(&def, 0.05) > 20);
    FreeBody(&body);
    (void)state;
}

// The closest point of a triangle against many points of it, slivers too.
static void TestClosestPoint(void** state)
{
    uint64_t random = 7;
    for (int c = 0; c < 300; c++)
    {
        qvVec3 a = RandomVec3(&random), b = RandomVec3(&random), third = RandomVec3(&random), p = RandomVec3(&random);
        double width = pow(10.0, -20.0 * (c % 3) * RandomUnit(&random)), along = 2.0 * RandomUnit(&random) - 0.5;
        third = c % 3 == 0 ? third : qvMulAdd(qvMulAdd(a, along, qvSub(b, a)), width, third);
        b = c % 50 == 7 ? a : b;
        double found = qvDistance(p, qvClosestOnTriangle(p, a, b, third)), least = INFINITY;
        for (int i = 0; i <= 60; i++)
        {
            for (int j = 0; i + j <= 60; j++)
            {
                qvVec3 q = qvMulAdd(qvMulAdd(a, i / 60.0, qvSub(b, a)), j / 60.0, qvSub(third, a));
                least = fmin(least, qvDistance(p, q));
            }
        }
        assert_true(found <= least + 1e-12);
        assert_true(found >= least - 0.05);
    }
    (void)state;
}

static void ReadPoints(const qvJson* list, qvVec3* points, int count)
{
    assert_int_equal(qvJson_Count(list), count);
    for (int i = 0; i < count; i++)
    {
        const qvJson* item = qvJson_At(list, i);
        points[i] = qvMakeVec3(qvJson_Number(qvJson_At(item, 0)), qvJson_Number(qvJson_At(item, 1)),
                               qvJson_Number(qvJson_At(item, 2)));
    }
}

static void TestReference(void** state)
{
    char path[512];
    qvBytes bytes;
    qvError error;
    qvJson* root;
    ASSERT_OK(qvReadFile(DataPath(path, sizeof(path), "reference/H_contact.json"), 1 << 20, &bytes, &error), error);
    ASSERT_OK(qvParseJson(bytes.data, bytes.size, NULL, &root, &error), error);
    int caseCount = 0;
    for (const qvJson* c = qvJson_First(qvJson_Find(root, "cases")); c != NULL; c = qvJson_Next(c))
    {
        if (strcmp(qvJson_Text(qvJson_Find(c, "op")), "mesh_distance") != 0)
            continue;
        const qvJson *in = qvJson_Find(c, "in"), *out = qvJson_Find(c, "out");
        qvVec3 points[8], at[8], closest[8], corners[12];
        qvTriangle triangles[12];
        ReadPoints(qvJson_Find(in, "vertices"), points, 8);
        ReadPoints(qvJson_Find(in, "points"), at, 8);
        ReadPoints(qvJson_Find(out, "closest"), closest, 8);
        ReadPoints(qvJson_Find(in, "triangles"), corners, 12);
        for (int t = 0; t < 12; t++)
            triangles[t] = (qvTriangle){ { (int)corners[t].x, (int)corners[t].y, (int)corners[t].z } };
        Body body = { .pointCount = 8, .triangleCount = 12, .points = points, .triangles = triangles };
        qvDistanceGridDef def = DefOf(&body, 0.02, 15.0);
        qvDistanceGrid* grid = MakeGrid(&def);
        for (int i = 0; i < 8; i++)
        {
            double expected = qvJson_Number(qvJson_At(qvJson_Find(out, "signed_distance"), i));
            qvVec3 q;
            ASSERT_NEAR(ExactDistance(&def, at[i], &q), fabs(expected), 1e-12);
            assert_true(qvDistance(q, closest[i]) < 1e-12);
            ASSERT_NEAR(Winding(&def, at[i]), qvJson_Number(qvJson_At(qvJson_Find(out, "winding"), i)), 1e-12);
            ASSERT_NEAR(qvDistanceGrid_Sample(grid, at[i], NULL), expected, 0.3 * def.cellSize);
        }
        qvDestroyDistanceGrid(grid);
        caseCount++;
    }
    assert_int_equal(caseCount, 1);
    qvDestroyJson(root);
    qvFreeBytes(&bytes);
    (void)state;
}

// Samples of a round thing against its closed form: the value, its slope by finite differences, the direction, and far
// outside the grid.
static void TestSamples(void** state)
{
    Body body = { 0 };
    AddPrimitive(&body, "sphere", 24, 1.0, qvMakeVec3(0.0, 0.0, 0.0)); // radius 1 about (0, 1, 0)
    qvDistanceGridDef def = DefOf(&body, 0.05, 3.0);
    qvDistanceGrid* grid = MakeGrid(&def);
    uint64_t random = 3;
    int insideCount = 0;
    for (int i = 0; i < 2000; i++)
    {
        qvVec3 center = qvMakeVec3(0.0, 1.0, 0.0), p = qvMulAdd(center, i < 1000 ? 1.1 : 9.0, RandomVec3(&random));
        qvVec3 out = qvSub(p, center), gradient;
        double exact = qvLength(out) - 1.0, value = qvDistanceGrid_Sample(grid, p, &gradient), h = 1e-7;
        ASSERT_NEAR(value, exact, i < 1000 ? 0.01 : 0.01 + 0.01 * exact);
        if (fabs(exact) < 0.5 || exact > 1.0)
            assert_true(qvDot(qvNormalize(gradient), out) > 0.99 * qvLength(out) &&
                        fabs(qvLength(gradient) - 1.0) < 0.05); // facets turn by 2 degrees at edges
        if (i < 1000)
        {
            const qvVec3 axes[3] = { { h, 0, 0 }, { 0, h, 0 }, { 0, 0, h } };
            const double slopes[3] = { gradient.x, gradient.y, gradient.z };
            for (int k = 0; k < 3; k++)
                ASSERT_NEAR((qvDistanceGrid_Sample(grid, qvAdd(p, axes[k]), NULL) -
                             qvDistanceGrid_Sample(grid, qvSub(p, axes[k]), NULL)) /
                                (2.0 * h),
                            slopes[k], 1e-6);
        }
        insideCount += value < 0.0;
    }
    assert_true(insideCount > 300);
    qvDestroyDistanceGrid(grid);
    FreeBody(&body);
    (void)state;
}

// A grid that holds only a part of the mesh, or none of it.
static void TestPartialGrids(void** state)
{
    Body body = { 0 };
    AddPrimitive(&body, "sphere", 8, 1.0, qvMakeVec3(0.0, 0.0, 0.0));
    qvDistanceGridDef def = DefOf(&body, 0.1, 2.0);
    def.origin = qvMakeVec3(-0.31, 0.33, -0.27);
    for (int k = 0; k < 3; k++)
        def.counts[k] = 13;
    assert_true(CompareNodes(&def, INFINITY) > 20); // beyond the band nobody tells of what lies outside the grid
    def.origin = qvMakeVec3(3.0, 2.0, 1.0);
    qvDistanceGrid* grid = MakeGrid(&def);
    for (int n = 0; n < NodeCount(grid); n++)
    {
        qvVec3 closest;
        ASSERT_NEAR(grid->values[n], ExactDistance(&def, NodeAt(grid, n), &closest), 0.5 * def.cellSize);
    }
    qvDestroyDistanceGrid(grid);
    FreeBody(&body);
    (void)state;
}

typedef struct Asked
{
    int count, allowed;
    double last;
} Asked;

static bool GoOn(void* context, const char* stage, double fraction)
{
    Asked* asked = context;
    if (fraction >= 0.0) // else a question alone
    {
        assert_string_equal(stage, "distances");
        assert_true(fraction >= asked->last && fraction <= 1.0);
        asked->last = fraction;
    }
    return asked->count++ < asked->allowed;
}

static void TestThreadsAndCancel(void** state)
{
    Body body = { 0 };
    AddPrimitive(&body, "torus", 12, 1.0, qvMakeVec3(0.0, 0.0, 0.0));
    qvDistanceGridDef def = DefOf(&body, 0.03, 3.0);
    qvDistanceGrid *one = MakeGrid(&def), *grid;
    qvError error;
    uint64_t hash = qvDistanceGridDef_Hash(&def);
    for (int threads = 2; threads <= 5; threads += 3)
    {
        Asked asked = { .allowed = 1000 };
        qvJob job = { .progress = GoOn, .context = &asked };
        ASSERT_OK(qvCreatePool(threads, &job.pool, &error), error);
        ASSERT_OK(qvCreateDistanceGrid(&def, &job, &grid, &error), error);
        assert_memory_equal(grid->values, one->values, (size_t)NodeCount(one) * sizeof(float));
        qvDestroyDistanceGrid(grid);
        int reports = asked.count;
        assert_true(reports > one->counts[2] / 2); // one at least for each slab of two layers
        for (int allowed = 0; allowed < reports; allowed++)
        {
            asked = (Asked){ .allowed = allowed };
            assert_int_equal(qvCreateDistanceGrid(&def, &job, &grid, &error), qv_cancelled);
        }
        qvDestroyPool(job.pool);
    }
    assert_true(hash == qvDistanceGridDef_Hash(&def));
    body.points[5].y += 1e-9;
    assert_true(hash != qvDistanceGridDef_Hash(&def));
    qvDestroyDistanceGrid(one);
    FreeBody(&body);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestPrimitives),
        cmocka_unit_test(TestNodesOnSurface),
        cmocka_unit_test(TestLinesThroughCorners),
        cmocka_unit_test(TestOverlapsAndHollows),
        cmocka_unit_test(TestBadMeshes),
        cmocka_unit_test(TestDegenerateTriangles),
        cmocka_unit_test(TestClosestPoint),
        cmocka_unit_test(TestReference),
        cmocka_unit_test(TestSamples),
        cmocka_unit_test(TestPartialGrids),
        cmocka_unit_test(TestThreadsAndCancel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
