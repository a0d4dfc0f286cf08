// SPDX-License-Identifier: GPL-3.0-or-later
#include "testing.h"

#include "quaver/primitive.h"
#include "quaver/topology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What each shape promises.
typedef struct Expectation
{
    const char* tag;
    int euler;       // points - edges + triangles
    bool open;       // has a boundary
    bool high, wide; // exactly 2
    double minAngle; // degrees, at any resolution
} Expectation;

static const Expectation expectations[] = {
    { "sphere", 2, false, true, false, 53.0 }, { "block", 2, false, true, false, 34.0 },
    { "sack", 2, false, true, false, 20.0 },   { "tentacle", 2, false, true, false, 30.0 },
    { "sheet", 1, true, true, true, 26.0 },    { "torus", 0, false, false, true, 28.0 },
    { "imp", 2, false, true, false, 20.0 },
};

enum
{
    SHAPES = sizeof(expectations) / sizeof(expectations[0])
};

static qvMesh* Make(const char* tag, int resolution)
{
    qvError error;
    qvMesh* mesh;
    ASSERT_OK(qvCreatePrimitive(tag, resolution, &mesh, &error), error);
    return mesh;
}

static qvVec3 Position(const qvMesh* mesh, int point)
{
    return qvVec3_FromFloat(mesh->positions[mesh->pointVertex[point]]);
}

static double MinAngle(const qvMesh* mesh)
{
    double least = 180.0;
    for (int t = 0; t < mesh->triangleCount; t++)
    {
        for (int i = 0; i < 3; i++)
        {
            const int32_t* v = mesh->pointTriangles[t].v;
            qvVec3 p = Position(mesh, v[i]);
            qvVec3 a = qvSub(Position(mesh, v[(i + 1) % 3]), p), b = qvSub(Position(mesh, v[(i + 2) % 3]), p);
            least = fmin(least, atan2(qvLength(qvCross(a, b)), qvDot(a, b)) * 57.29577951308232);
        }
    }
    return least;
}

// Every edge has two triangles that run along it in opposite directions (one on the boundary of an open shape), and the
// triangles around a point form one fan: as many neighbours as triangles, one more on the boundary.
static void CheckManifold(const Expectation* expected, const qvMesh* mesh, const qvTopology* topology)
{
    int boundary = 0;
    for (int e = 0; e < topology->edgeCount; e++)
    {
        const qvEdge* edge = &topology->edges[e];
        boundary += edge->triangle[1] < 0;
        if (edge->triangle[1] < 0)
            continue;
        const int32_t* v = mesh->pointTriangles[edge->triangle[1]].v;
        bool reversed = false;
        for (int i = 0; i < 3; i++)
            reversed = reversed || (v[i] == edge->point[1] && v[(i + 1) % 3] == edge->point[0]);
        assert_true(reversed);
    }
    assert_int_equal(boundary > 0, expected->open);
    for (int p = 0; p < mesh->pointCount; p++)
    {
        int neighbors = topology->neighborStart[p + 1] - topology->neighborStart[p];
        int triangles = topology->fanStart[p + 1] - topology->fanStart[p];
        assert_int_equal(neighbors, triangles + (topology->onBoundary[p] ? 1 : 0));
    }
    assert_int_equal(topology->partCount, 1);
    assert_int_equal(mesh->pointCount - topology->edgeCount + mesh->triangleCount, expected->euler);
}

static void CheckExtents(const Expectation* expected, const qvMesh* mesh)
{
    qvVec3f lower = mesh->bounds.lower, upper = mesh->bounds.upper;
    assert_true(lower.y == 0.0f);
    assert_true(upper.y <= 2.0f && lower.x >= -1.0f && upper.x <= 1.0f && lower.z >= -1.0f && upper.z <= 1.0f);
    assert_true(!expected->high || upper.y == 2.0f);
    assert_true(!expected->wide || (lower.x == -1.0f && upper.x == 1.0f));
    assert_true(lower.x == -upper.x); // centred on the y axis
}

static void CheckVertices(const qvMesh* mesh)
{
    assert_int_equal(mesh->uvDomain, qv_domainVertex);
    for (int i = 0; i < mesh->vertexCount; i++)
    {
        qvVec2f uv = mesh->uvs[i];
        assert_true(uv.x >= 0.0f && uv.x <= 1.0f && uv.y >= 0.0f && uv.y <= 1.0f);
        assert_true(mesh->vertexPoint[i] >= 0);
        // A seam's vertices have the same bits.
        assert_memory_equal(&mesh->positions[i], &mesh->positions[mesh->pointVertex[mesh->vertexPoint[i]]],
                            sizeof(qvVec3f));
    }
}

static void CheckShape(const Expectation* expected, int resolution)
{
    qvError error;
    qvMesh* mesh = Make(expected->tag, resolution);
    qvTopology* topology;
    ASSERT_OK(qvCreateTopology(mesh, &topology, &error), error);
    CheckManifold(expected, mesh, topology);
    CheckExtents(expected, mesh);
    CheckVertices(mesh);
    double angle = MinAngle(mesh);
    if (angle < expected->minAngle)
        fail_msg("%s at %d has an angle of %.2f degrees", expected->tag, resolution, angle);
    assert_true(mesh->triangleCount < 1000000);
    qvVec3f* points = malloc((size_t)mesh->pointCount * sizeof(*points));
    assert_non_null(points);
    qvMesh_GatherPoints(mesh, mesh->positions, points);
    double volume = qvComputeVolume(topology, points);
    assert_true(expected->open ? volume == 0.0 : volume > 0.2);
    free(points);
    qvDestroyTopology(topology);
    qvDestroyMesh(mesh);
}

static void TestAllShapesAreExpected(void** state)
{
    (void)state;
    assert_int_equal(qvPrimitiveCount(), SHAPES);
    for (int i = 0; i < SHAPES; i++)
        assert_string_equal(qvGetPrimitive(i)->tag, expectations[i].tag);
}

static void TestShapesAreClean(void** state)
{
    (void)state;
    static const int resolutions[] = { 1, 2, 3, 4, 5, 7, 0, 31, 50 };
    for (int i = 0; i < SHAPES; i++)
    {
        for (size_t r = 0; r < sizeof(resolutions) / sizeof(resolutions[0]); r++)
            CheckShape(&expectations[i], resolutions[r]);
    }
}

static void TestLargestResolution(void** state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++)
    {
        // The torus stands for the four that have most triangles; they take long to check.
        const char* tag = expectations[i].tag;
        if (strcmp(tag, "sphere") == 0 || strcmp(tag, "block") == 0 || strcmp(tag, "tentacle") == 0)
            continue;
        qvMesh* mesh = Make(expectations[i].tag, qv_maxResolution);
        assert_true(mesh->triangleCount > 50000 && mesh->triangleCount < 1000000);
        CheckExtents(&expectations[i], mesh);
        // Euler's formula for a closed surface, whose edges are three halves of its triangles.
        if (!expectations[i].open)
            assert_int_equal(2 * mesh->pointCount - mesh->triangleCount, 2 * expectations[i].euler);
        qvDestroyMesh(mesh);
    }
}

static void TestTrianglesGrowWithResolution(void** state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++)
    {
        int before = 0;
        for (int resolution = 1; resolution <= 16; resolution++)
        {
            qvMesh* mesh = Make(expectations[i].tag, resolution);
            if (mesh->triangleCount <= before)
                fail_msg("%s has %d triangles at resolution %d, and %d before", expectations[i].tag,
                         mesh->triangleCount, resolution, before);
            before = mesh->triangleCount;
            qvDestroyMesh(mesh);
        }
    }
}

static void TestDefaultsAreUseful(void** state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++)
    {
        const qvPrimitive* primitive = qvGetPrimitive(i);
        qvMesh *mesh = Make(primitive->tag, 0), *same = Make(primitive->tag, primitive->defaultResolution);
        assert_true(mesh->pointCount >= 1500 && mesh->pointCount <= 3000);
        // The same bits every time.
        assert_true(qvMesh_Hash(mesh) == qvMesh_Hash(same));
        qvDestroyMesh(mesh);
        qvDestroyMesh(same);
        assert_true(strlen(primitive->label) > 0 && strlen(primitive->description) > 0);
        assert_ptr_equal(qvFindPrimitive(primitive->tag), primitive);
    }
}

static int ComparePositions(const void* a, const void* b)
{
    const qvVec3f *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return (p->z > q->z) - (p->z < q->z);
}

// The points of every shape are exact mirror images in x.
static void TestMirrorSymmetry(void** state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++)
    {
        qvMesh* mesh = Make(expectations[i].tag, 0);
        size_t count = (size_t)mesh->pointCount;
        qvVec3f *points = malloc(count * sizeof(*points)), *mirrored = malloc(count * sizeof(*mirrored));
        assert_true(points != NULL && mirrored != NULL);
        qvMesh_GatherPoints(mesh, mesh->positions, points);
        for (size_t p = 0; p < count; p++)
            mirrored[p] = (qvVec3f){ 0.0f - points[p].x, points[p].y, points[p].z };
        qsort(points, count, sizeof(*points), ComparePositions);
        qsort(mirrored, count, sizeof(*mirrored), ComparePositions);
        if (memcmp(points, mirrored, count * sizeof(*points)) != 0)
            fail_msg("the %s is not symmetric", expectations[i].tag);
        free(points);
        free(mirrored);
        qvDestroyMesh(mesh);
    }
}

// On the charts, triangles face the reader: nearly none are turned over.
static void TestTextureIsNotFolded(void** state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++)
    {
        qvMesh* mesh = Make(expectations[i].tag, 0);
        int folded = 0;
        for (int t = 0; t < mesh->triangleCount; t++)
        {
            const int32_t* v = mesh->triangles[t].v;
            qvVec2f a = mesh->uvs[v[0]], b = mesh->uvs[v[1]], c = mesh->uvs[v[2]];
            folded += !((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y) > 0.0f);
        }
        if (folded > mesh->triangleCount / 100)
            fail_msg("%d of the %s's %d triangles are turned over", folded, expectations[i].tag, mesh->triangleCount);
        qvDestroyMesh(mesh);
    }
}

static double Area(const qvMesh* mesh, int triangle)
{
    const int32_t* v = mesh->pointTriangles[triangle].v;
    qvVec3 a = Position(mesh, v[0]);
    return 0.5 * qvLength(qvCross(qvSub(Position(mesh, v[1]), a), qvSub(Position(mesh, v[2]), a)));
}

static double Depth(const qvMesh* mesh)
{
    return mesh->bounds.upper.z - mesh->bounds.lower.z;
}

static void TestSpecialShapes(void** state)
{
    (void)state;
    qvMesh* sphere = Make("sphere", 9);
    for (int i = 0; i < sphere->vertexCount; i++)
    {
        qvVec3 p = qvVec3_FromFloat(sphere->positions[i]);
        ASSERT_NEAR(qvDistance(p, qvMakeVec3(0.0, 1.0, 0.0)), 1.0, 1e-6);
    }
    assert_int_equal(sphere->triangleCount, 20 * 9 * 9);
    double least = INFINITY, most = 0.0;
    for (int t = 0; t < sphere->triangleCount; t++)
    {
        least = fmin(least, Area(sphere, t));
        most = fmax(most, Area(sphere, t));
    }
    assert_true(most < 1.25 * least);
    qvDestroyMesh(sphere);
    qvMesh* sheet = Make("sheet", 9); // upright, facing +z
    assert_true(Depth(sheet) == 0.0);
    for (int t = 0; t < sheet->triangleCount; t++)
    {
        const int32_t* v = sheet->triangles[t].v;
        qvVec3f *p = sheet->positions, a = p[v[0]], b = p[v[1]], c = p[v[2]];
        assert_true((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y) > 0.0f);
    }
    qvDestroyMesh(sheet);
    qvMesh* sack = Make("sack", 24); // about the sack of the editor's picture
    assert_true(sack->pointCount > 1700 && sack->pointCount < 1850);
    qvDestroyMesh(sack);
}

static void TestErrors(void** state)
{
    (void)state;
    qvError error;
    qvMesh* mesh;
    assert_null(qvFindPrimitive("teapot"));
    assert_null(qvFindPrimitive(""));
    assert_int_equal(qvCreatePrimitive("teapot", 3, &mesh, &error), qv_notFound);
    assert_null(mesh);
    ASSERT_CONTAINS(error.message, "\"teapot\"");
    ASSERT_CONTAINS(error.message, "sphere, block, sack, tentacle, sheet, torus, imp");
    static const int resolutions[] = { -1, 201, INT32_MIN, INT32_MAX };
    for (size_t i = 0; i < sizeof(resolutions) / sizeof(resolutions[0]); i++)
    {
        char number[16];
        snprintf(number, sizeof(number), "%d", resolutions[i]);
        assert_int_equal(qvCreatePrimitive("sack", resolutions[i], &mesh, &error), qv_badInput);
        assert_null(mesh);
        ASSERT_CONTAINS(error.message, number);
        ASSERT_CONTAINS(error.message, "1 to 200");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestAllShapesAreExpected),
        cmocka_unit_test(TestShapesAreClean),
        cmocka_unit_test(TestLargestResolution),
        cmocka_unit_test(TestTrianglesGrowWithResolution),
        cmocka_unit_test(TestDefaultsAreUseful),
        cmocka_unit_test(TestMirrorSymmetry),
        cmocka_unit_test(TestTextureIsNotFolded),
        cmocka_unit_test(TestSpecialShapes),
        cmocka_unit_test(TestErrors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
