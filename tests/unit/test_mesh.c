// SPDX-License-Identifier: GPL-3.0-or-later
#include "testing.h"

#include "quaver/mesh.h"

#include <math.h>
#include <string.h>

static const qvVec3f cubePositions[8] = {
    { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 0, 1 }, { 1, 1, 1 }, { 0, 1, 1 },
};
static const int32_t cubeCorners[24] = {
    0, 3, 2, 1, 4, 5, 6, 7, 0, 1, 5, 4, 1, 2, 6, 5, 2, 3, 7, 6, 3, 0, 4, 7,
};
static const int32_t cubeSizes[6] = { 4, 4, 4, 4, 4, 4 };

static qvMeshDef TriangleDef(int vertexCount, const qvVec3f* positions, int faceCount, const int32_t* corners)
{
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = vertexCount;
    def.positions = positions;
    def.faceCount = faceCount;
    def.corners = corners;
    return def;
}

static qvMeshDef CubeDef(void)
{
    qvMeshDef def = TriangleDef(8, cubePositions, 6, cubeCorners);
    def.faceSizes = cubeSizes;
    return def;
}

static qvMesh* Create(const qvMeshDef* def, qvMeshReport* report)
{
    qvMesh* mesh;
    qvError error;
    ASSERT_OK(qvCreateMesh(def, &mesh, report, &error), error);
    return mesh;
}

// Makes the mesh, keeps the report only.
static qvMeshReport Report(const qvMeshDef* def)
{
    qvMeshReport report;
    qvDestroyMesh(Create(def, &report));
    return report;
}

static void AssertOnlyKind(const qvMeshReport* report, qvHealthKind kind, int count, int example)
{
    for (int k = 0; k < qv_healthKindCount; k++)
    {
        if (k != (int)kind && report->items[k].count != 0)
            fail_msg("unexpected %s: %d", qvHealth_Tag((qvHealthKind)k), report->items[k].count);
    }
    if (count > 0)
    {
        assert_int_equal(report->items[kind].count, count);
        assert_int_equal(report->items[kind].example, example);
    }
}

static void AssertHealthy(const qvMeshReport* report)
{
    AssertOnlyKind(report, qv_healthKindCount, 0, 0);
}

static void AssertFails(const qvMeshDef* def, const char* message)
{
    qvMesh* mesh = (qvMesh*)1;
    qvError error;
    assert_int_equal(qvCreateMesh(def, &mesh, NULL, &error), qv_badInput);
    assert_null(mesh);
    assert_string_equal(error.message, message);
}

static void TestCube(void** state)
{
    (void)state;
    qvMeshDef def = CubeDef();
    qvMeshReport report;
    qvMesh* mesh = Create(&def, &report);
    assert_int_equal(mesh->vertexCount, 8);
    assert_int_equal(mesh->pointCount, 8);
    assert_int_equal(mesh->triangleCount, 12);
    assert_int_equal(report.partCount, 1);
    assert_int_equal(report.closedPartCount, 1);
    assert_int_equal(report.boundaryEdgeCount, 0);
    assert_int_equal(report.polygonCount, 6);
    AssertHealthy(&report);
    assert_int_equal(mesh->submeshCount, 1);
    assert_string_equal(mesh->submeshes[0].name, "");
    assert_int_equal(mesh->submeshes[0].material, -1);
    assert_int_equal(mesh->submeshes[0].triangleCount, 12);
    assert_int_equal(mesh->normalDomain, qv_domainNone);
    assert_null(mesh->normals);
    ASSERT_NEAR(qvBox_Diagonal(mesh->bounds), sqrt(3.0), 1e-12);
    qvDestroyMesh(mesh);
    qvDestroyMesh(NULL);
}

static void TestErrorsNameTheElement(void** state)
{
    (void)state;
    qvMeshDef def = CubeDef();
    qvVec3f positions[8];
    memcpy(positions, cubePositions, sizeof(positions));
    positions[5].y = NAN;
    def.positions = positions;
    AssertFails(&def, "vertex 5: position is not finite");
    positions[5].y = -INFINITY;
    AssertFails(&def, "vertex 5: position is not finite");

    int32_t corners[24];
    memcpy(corners, cubeCorners, sizeof(corners));
    def = CubeDef();
    def.corners = corners;
    corners[15] = 99;
    AssertFails(&def, "face 3 refers to vertex 99 of 8");
    corners[15] = 8;
    AssertFails(&def, "face 3 refers to vertex 8 of 8");
    corners[15] = -1;
    AssertFails(&def, "face 3 refers to vertex -1 of 8");
    corners[12] = 9;
    AssertFails(&def, "face 3 refers to vertex 9 of 8");
    corners[12] = cubeCorners[12];
    def.faceSizes = NULL;
    AssertFails(&def, "face 5 refers to vertex -1 of 8");

    int32_t sizes[6] = { 4, 4, 2, 4, 4, 4 };
    def = CubeDef();
    def.faceSizes = sizes;
    AssertFails(&def, "face 2 has 2 corners, at least 3 are needed");
    sizes[2] = -7;
    AssertFails(&def, "face 2 has -7 corners, at least 3 are needed");
    static const int32_t hugeSizes[2] = { INT32_MAX, INT32_MAX };
    def.faceCount = 2;
    def.faceSizes = hugeSizes;
    AssertFails(&def, "the mesh has 4294967290 triangles, at most 238609294 are possible");
    def.faceCount = 238609295;
    def.faceSizes = NULL;
    AssertFails(&def, "the mesh has 238609295 triangles, at most 238609294 are possible");
    def.faceCount = 0;
    AssertFails(&def, "no triangle is left: the mesh has 8 vertices and no faces");

    static const int32_t flat[6] = { 0, 1, 1, 2, 2, 2 };
    def = TriangleDef(8, cubePositions, 2, flat);
    AssertFails(&def, "no triangle is left: all 2 triangles of 2 faces have no area");
}

static void TestErrorsOfAttributes(void** state)
{
    (void)state;
    static const float values[24] = { 0 };
    int32_t indices[24] = { 0 };
    qvMeshDef def = CubeDef();
    def.normals = (qvAttributeDef){ values, 7, NULL };
    AssertFails(&def, "7 normals for 8 vertices, the numbers must be equal");
    def = CubeDef();
    def.uvs = (qvAttributeDef){ values, 4, indices };
    indices[9] = 4;
    AssertFails(&def, "face 2 refers to texture coordinate 4 of 4");
    indices[9] = -2;
    AssertFails(&def, "face 2 refers to texture coordinate -2 of 4");
    def = CubeDef();
    def.colors = (qvAttributeDef){ values, 2, indices };
    indices[9] = 3;
    AssertFails(&def, "face 2 refers to color 3 of 2");

    qvSubmeshDef submeshes[2] = { { "a", -1, 4 }, { "b", -1, 3 } };
    def = CubeDef();
    def.submeshCount = 2;
    def.submeshes = submeshes;
    AssertFails(&def, "submesh 1 ends at face 7 of 6");
    submeshes[1] = (qvSubmeshDef){ "b", 0, 2 };
    AssertFails(&def, "submesh 1 refers to material 0 of 0");
    static const qvMaterial material = { .name = "m", .texture = 0 };
    def.materialCount = 1;
    def.materials = &material;
    AssertFails(&def, "material 0 refers to texture 0 of 0");
}

// --- Welding -------------------------------------------------------------------------------------------------------

static void TestWeldExactly(void** state)
{
    (void)state;
    // Two triangles of a square, split; the zeros differ in sign, and one vertex is unused.
    static const qvVec3f positions[7] = {
        { 9, 9, 9 }, { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { -0.0f, 0, -0.0f }, { 1, 1, -0.0f }, { 0, 1, 0 },
    };
    static const int32_t corners[6] = { 1, 2, 3, 4, 5, 6 };
    qvMeshDef def = TriangleDef(7, positions, 2, corners);
    qvMeshReport report;
    qvMesh* mesh = Create(&def, &report);
    AssertOnlyKind(&report, qv_healthUnreferenced, 1, 0);
    assert_int_equal(mesh->vertexCount, 7);
    assert_int_equal(mesh->pointCount, 4);
    static const int32_t vertexPoint[7] = { -1, 0, 1, 2, 0, 2, 3 }, pointVertex[4] = { 1, 2, 3, 6 };
    assert_memory_equal(mesh->vertexPoint, vertexPoint, sizeof(vertexPoint));
    assert_memory_equal(mesh->pointVertex, pointVertex, sizeof(pointVertex));
    static const qvTriangle pointTriangles[2] = { { { 0, 1, 2 } }, { { 0, 2, 3 } } };
    assert_memory_equal(mesh->pointTriangles, pointTriangles, sizeof(pointTriangles));
    assert_int_equal(report.boundaryEdgeCount, 4);
    ASSERT_NEAR(mesh->bounds.upper.x, 1.0, 0.0); // the unused vertex does not count

    qvVec3f moved[7], points[4];
    for (int i = 0; i < 7; i++)
        moved[i] = (qvVec3f){ (float)i, 0, 0 };
    qvMesh_GatherPoints(mesh, moved, points);
    for (int i = 0; i < 4; i++)
        ASSERT_NEAR(points[i].x, pointVertex[i], 0.0);
    qvMesh_ScatterPoints(mesh, points, moved);
    ASSERT_NEAR(moved[4].x, 1.0, 0.0);
    ASSERT_NEAR(moved[5].x, 3.0, 0.0);
    ASSERT_NEAR(moved[0].x, 9.0, 0.0);
    qvDestroyMesh(mesh);
}

static void TestWeldWithTolerance(void** state)
{
    (void)state;
    // Vertices 1, 3, 4 form a chain of steps of 0.008; 5 is 0.02 away.
    static const qvVec3f positions[7] = {
        { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1.008f, 0, 0 }, { 1.016f, 0, 0 }, { 1.036f, 0, 0 }, { 2, 1, 0 },
    };
    static const int32_t corners[12] = { 0, 1, 2, 3, 6, 2, 4, 6, 0, 5, 6, 0 };
    qvMeshDef def = TriangleDef(7, positions, 4, corners);
    assert_int_equal(Report(&def).partCount, 1);
    def.weldTolerance = 0.01;
    qvMeshReport report;
    qvMesh* mesh = Create(&def, &report);
    static const int32_t vertexPoint[7] = { 0, 1, 2, 1, 1, 3, 4 };
    assert_memory_equal(mesh->vertexPoint, vertexPoint, sizeof(vertexPoint));
    qvDestroyMesh(mesh);
    def.weldTolerance = 0.007;
    mesh = Create(&def, &report);
    assert_int_equal(mesh->pointCount, 7);
    qvDestroyMesh(mesh);
}

static int BruteForceRoot(const int* parent, int i)
{
    while (parent[i] != i)
        i = parent[i];
    return i;
}

static void TestWeldMatchesBruteForce(void** state)
{
    (void)state;
    enum
    {
        COUNT = 300
    };
    uint64_t random = 3;
    for (int round = 0; round < 20; round++)
    {
        qvVec3f positions[COUNT];
        int32_t corners[COUNT];
        int parent[COUNT];
        double size = round % 2 ? 1.0 : 1e4, tolerance = (0.02 + 0.1 * RandomUnit(&random)) * size;
        for (int i = 0; i < COUNT; i++)
        {
            positions[i] =
                (qvVec3f){ (float)(size * (RandomUnit(&random) - 0.5)), (float)(size * (RandomUnit(&random) - 0.5)),
                           (float)(size * (RandomUnit(&random) - 0.5)) };
            corners[i] = parent[i] = i;
        }
        for (int i = 0; i < COUNT; i++)
        {
            for (int j = 0; j < i; j++)
            {
                double d = qvDistance(qvVec3_FromFloat(positions[i]), qvVec3_FromFloat(positions[j]));
                int a = BruteForceRoot(parent, i), b = BruteForceRoot(parent, j);
                if (d <= tolerance && a != b)
                    parent[a > b ? a : b] = a < b ? a : b;
            }
        }
        qvMeshDef def = TriangleDef(COUNT, positions, COUNT / 3, corners);
        def.weldTolerance = tolerance;
        qvMesh* mesh;
        if (qvCreateMesh(&def, &mesh, NULL, NULL) != qv_ok)
            continue;
        int used = 0;
        for (int i = 0; i < COUNT; i++)
        {
            for (int j = 0; j < i; j++)
            {
                if (mesh->vertexPoint[i] < 0 || mesh->vertexPoint[j] < 0)
                    continue;
                used++;
                assert_int_equal(BruteForceRoot(parent, i) == BruteForceRoot(parent, j),
                                 mesh->vertexPoint[i] == mesh->vertexPoint[j]);
            }
        }
        assert_true(used > 0);
        qvDestroyMesh(mesh);
    }
}

// A place begins with another vertex once its first one lost its triangle, and that can flatten a triangle.
static void TestToleranceRemovesAgain(void** state)
{
    (void)state;
    // Vertex 0 is used by a triangle that the weld flattens; the place is then at vertex 3, in line with 4 and 5.
    static const qvVec3f positions[6] = {
        { 0, 0.01f, 0 }, { 0, 0.011f, 0 }, { 5, 5, 5 }, { 0, 0, 0 }, { 1, 0, 0 }, { 2, 0, 0 },
    };
    static const int32_t corners[9] = { 0, 1, 2, 3, 4, 5, 4, 5, 2 };
    qvMeshDef def = TriangleDef(6, positions, 3, corners);
    def.weldTolerance = 0.02;
    qvMeshReport report;
    qvMesh* mesh = Create(&def, &report);
    assert_int_equal(report.items[qv_healthDegenerate].count, 2);
    assert_int_equal(mesh->triangleCount, 1);
    assert_int_equal(mesh->vertexPoint[0], -1);
    assert_int_equal(mesh->vertexPoint[3], -1);
    qvDestroyMesh(mesh);
}

// --- Repairs ---------------------------------------------------------------------------------------------------------

static void TestDegenerateTrianglesGo(void** state)
{
    (void)state;
    // Repeated vertex, equal places, in line; in the middle of two good ones.
    static const qvVec3f positions[6] = {
        { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 }, { 1, 0, 0 }, { 3, 0, 0 }
    };
    static const int32_t corners[15] = { 0, 1, 2, 0, 1, 1, 1, 4, 2, 0, 1, 5, 1, 3, 2 };
    static const float uvs[30] = { 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,  6,  7,
                                   7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14 };
    static const int32_t indices[15] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14 };
    static const qvSubmeshDef submeshes[3] = { { "first", -1, 1 }, { "gone", -1, 3 }, { "last", -1, 1 } };
    qvMeshDef def = TriangleDef(6, positions, 5, corners);
    def.uvs = (qvAttributeDef){ uvs, 15, indices };
    def.submeshCount = 3;
    def.submeshes = submeshes;
    qvMeshReport report;
    qvMesh* mesh = Create(&def, &report);
    assert_int_equal(report.items[qv_healthDegenerate].count, 3);
    assert_int_equal(report.items[qv_healthDegenerate].example, 1);
    assert_int_equal(report.items[qv_healthUnreferenced].count, 2);
    assert_int_equal(report.items[qv_healthUnreferenced].example, 4);
    assert_int_equal(mesh->triangleCount, 2);
    for (int k = 0; k < 3; k++)
    {
        ASSERT_NEAR(mesh->uvs[k].x, k, 0.0);
        ASSERT_NEAR(mesh->uvs[3 + k].y, 12 + k, 0.0);
    }
    static const int counts[3] = { 1, 0, 1 }, firsts[3] = { 0, 1, 1 };
    assert_int_equal(mesh->submeshCount, 3);
    for (int i = 0; i < 3; i++)
    {
        assert_string_equal(mesh->submeshes[i].name, submeshes[i].name);
        assert_int_equal(mesh->submeshes[i].firstTriangle, firsts[i]);
        assert_int_equal(mesh->submeshes[i].triangleCount, counts[i]);
    }
    qvDestroyMesh(mesh);
}

// Thin is not flat: a sliver with a height of one float step stays.
static void TestSliversStay(void** state)
{
    (void)state;
    static const qvVec3f positions[3] = { { 1, 1, 0 }, { 2, 1.00000012f, 0 }, { 3, 1, 0 } };
    static const int32_t corners[3] = { 0, 2, 1 };
    qvMeshDef def = TriangleDef(3, positions, 1, corners);
    qvMeshReport report = Report(&def);
    AssertHealthy(&report);
}

static void TestDuplicatesGo(void** state)
{
    (void)state;
    static const qvVec3f positions[5] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 }, { 0, 0, 0 } };
    // The first one again: turned, against its winding, and through another vertex at the same place.
    static const int32_t corners[15] = { 0, 1, 2, 1, 3, 2, 1, 2, 0, 0, 2, 1, 4, 1, 2 };
    qvMeshDef def = TriangleDef(5, positions, 5, corners);
    qvMeshReport report;
    qvMesh* mesh = Create(&def, &report);
    assert_int_equal(mesh->triangleCount, 2);
    assert_int_equal(report.items[qv_healthDuplicate].count, 3);
    assert_int_equal(report.items[qv_healthDuplicate].example, 2);
    assert_int_equal(report.items[qv_healthNonManifold].count, 0);
    assert_int_equal(mesh->vertexPoint[4], -1);
    qvDestroyMesh(mesh);
}

static void TestWindingIsRepaired(void** state)
{
    (void)state;
    int32_t corners[24];
    memcpy(corners, cubeCorners, sizeof(corners));
    static const int32_t turned[8] = { 5, 6, 2, 1, 6, 7, 3, 2 };
    memcpy(corners + 12, turned, sizeof(turned)); // faces 3 and 4 the other way round
    float uvs[48], normals[72];
    int32_t indices[24];
    for (int i = 0; i < 24; i++)
    {
        indices[i] = i;
        // The texture coordinate of a corner is its vertex, so that it can be checked after turning.
        uvs[2 * i] = uvs[2 * i + 1] = (float)corners[i];
        for (int k = 0; k < 3; k++)
            normals[3 * i + k] = 0.0f;
    }
    static const float faceNormals[6][3] = { { 0, 0, -1 }, { 0, 0, 1 },  { 0, -1, 0 },
                                             { -2, 0, 0 }, { 0, -2, 0 }, { -1, 0, 0 } };
    for (int i = 0; i < 24; i++)
        memcpy(normals + 3 * i, faceNormals[i / 4], sizeof(faceNormals[0]));
    qvMeshDef def = CubeDef();
    def.corners = corners;
    def.uvs = (qvAttributeDef){ uvs, 24, indices };
    def.normals = (qvAttributeDef){ normals, 24, indices };
    qvMeshReport report;
    qvMesh* mesh = Create(&def, &report);
    AssertOnlyKind(&report, qv_healthWinding, 4, 3);
    assert_int_equal(report.closedPartCount, 1);
    for (int t = 0; t < 12; t++)
    {
        const int32_t* v = mesh->triangles[t].v;
        qvVec3 p = qvVec3_FromFloat(mesh->positions[v[0]]);
        qvVec3 n = qvNormalize(qvCross(qvSub(qvVec3_FromFloat(mesh->positions[v[1]]), p),
                                       qvSub(qvVec3_FromFloat(mesh->positions[v[2]]), p)));
        assert_true(qvDot(n, qvSub(p, qvMakeVec3(0.5, 0.5, 0.5))) > 0.0);
        for (int k = 0; k < 3; k++)
        {
            ASSERT_NEAR(mesh->uvs[3 * t + k].x, v[k], 0.0);
            // The normals of the turned faces followed their winding, and follow it still.
            ASSERT_NEAR(qvDistance(qvVec3_FromFloat(mesh->normals[3 * t + k]), n), 0.0, 1e-6);
        }
    }
    qvDestroyMesh(mesh);
}

static void TestMajorityKeepsItsWinding(void** state)
{
    (void)state;
    // A strip of five triangles of which the first two are turned.
    static const qvVec3f positions[7] = { { 0, 0, 0 }, { 1, 1, 0 }, { 2, 0, 0 }, { 3, 1, 0 },
                                          { 4, 0, 0 }, { 5, 1, 0 }, { 6, 0, 0 } };
    static const int32_t corners[15] = { 0, 1, 2, 1, 3, 2, 3, 2, 4, 3, 4, 5, 5, 4, 6 };
    static const qvTriangle wanted[5] = {
        { { 0, 2, 1 } }, { { 1, 2, 3 } }, { { 3, 2, 4 } }, { { 3, 4, 5 } }, { { 5, 4, 6 } }
    };
    qvMeshDef def = TriangleDef(7, positions, 5, corners);
    qvMeshReport report;
    qvMesh* mesh = Create(&def, &report);
    AssertOnlyKind(&report, qv_healthWinding, 2, 0);
    assert_memory_equal(mesh->triangles, wanted, sizeof(wanted));
    assert_memory_equal(mesh->pointTriangles, wanted, sizeof(wanted));
    qvDestroyMesh(mesh);
}

static void TestVertexNormalsTurnWithTheirTriangles(void** state)
{
    (void)state;
    // Three triangles in a row; the first is turned and alone has vertex 0, whose normal followed it.
    static const qvVec3f positions[5] = { { 0, 0, 0 }, { 1, 1, 0 }, { 2, 0, 0 }, { 3, 1, 0 }, { 4, 0, 0 } };
    static const int32_t corners[9] = { 0, 1, 2, 2, 3, 1, 3, 2, 4 };
    static const float normals[15] = { 0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1 };
    qvMeshDef def = TriangleDef(5, positions, 3, corners);
    def.normals = (qvAttributeDef){ normals, 5, NULL };
    qvMeshReport report;
    qvMesh* mesh = Create(&def, &report);
    assert_int_equal(report.items[qv_healthWinding].count, 1);
    for (int v = 0; v < 5; v++)
        ASSERT_NEAR(mesh->normals[v].z, 1.0, 0.0);
    qvDestroyMesh(mesh);
}

static void TestMoebiusStripIsLeft(void** state)
{
    (void)state;
    enum
    {
        STEPS = 12
    };
    qvVec3f positions[2 * STEPS];
    int32_t corners[6 * STEPS];
    for (int i = 0; i < STEPS; i++)
    {
        double angle = 6.283185307179586 * i / STEPS;
        for (int side = 0; side < 2; side++)
        {
            double width = side == 0 ? -0.3 : 0.3, r = 1.0 + width * cos(0.5 * angle);
            positions[2 * i + side] =
                (qvVec3f){ (float)(r * cos(angle)), (float)(r * sin(angle)), (float)(width * sin(0.5 * angle)) };
        }
        int a = 2 * i, b = 2 * i + 1, c = i + 1 < STEPS ? a + 2 : 1, d = i + 1 < STEPS ? b + 2 : 0;
        const int32_t quad[6] = { a, c, b, b, c, d };
        memcpy(corners + 6 * i, quad, sizeof(quad));
    }
    qvMeshDef def = TriangleDef(2 * STEPS, positions, 2 * STEPS, corners);
    qvMeshReport report;
    qvMesh* mesh = Create(&def, &report);
    AssertOnlyKind(&report, qv_healthNotOrientable, 1, 0);
    assert_memory_equal(mesh->triangles, corners, sizeof(corners));
    assert_int_equal(report.boundaryEdgeCount, 2 * STEPS);
    qvDestroyMesh(mesh);
}

static void TestBadParts(void** state)
{
    (void)state;
    // A tetrahedron facing inwards, and an envelope: two squares with crossed diagonals, closed and flat.
    static const qvVec3f positions[8] = { { 5, 5, 5 }, { 6, 5, 5 }, { 5, 6, 5 }, { 5, 5, 6 },
                                          { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 } };
    static const int32_t corners[24] = { 0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2, 4, 5, 6, 4, 6, 7, 5, 4, 7, 5, 7, 6 };
    qvMeshDef def = TriangleDef(8, positions, 8, corners);
    qvMeshReport report = Report(&def);
    assert_int_equal(report.partCount, 2);
    assert_int_equal(report.closedPartCount, 2);
    assert_int_equal(report.items[qv_healthInsideOut].count, 1);
    assert_int_equal(report.items[qv_healthInsideOut].example, 0);
    assert_int_equal(report.items[qv_healthZeroVolume].count, 1);
    assert_int_equal(report.items[qv_healthZeroVolume].example, 1);
}

static void TestNonManifoldEdge(void** state)
{
    (void)state;
    static const qvVec3f positions[5] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 0, -1, 0 } };
    static const int32_t corners[9] = { 0, 1, 2, 0, 1, 3, 0, 1, 4 };
    qvMeshDef def = TriangleDef(5, positions, 3, corners);
    qvMeshReport report = Report(&def);
    AssertOnlyKind(&report, qv_healthNonManifold, 1, 0);
    assert_int_equal(report.partCount, 1);
    assert_int_equal(report.closedPartCount, 0);
    assert_int_equal(report.boundaryEdgeCount, 6);
}

static void TestFarFromOrigin(void** state)
{
    (void)state;
    qvVec3f positions[8];
    qvMeshDef def = CubeDef();
    def.positions = positions;
    for (int far = 0; far < 2; far++)
    {
        for (int i = 0; i < 8; i++)
        {
            positions[i] = cubePositions[i];
            positions[i].x += far ? 2000.0f : 1000.0f;
        }
        qvMeshReport report = Report(&def);
        AssertOnlyKind(&report, qv_healthFarFromOrigin, far ? 8 : 0, 0);
        assert_int_equal(report.items[qv_healthFarFromOrigin].count, far ? 8 : 0);
    }
}

// --- Attributes -----------------------------------------------------------------------------------------------------

static void TestBadVertexNormals(void** state)
{
    (void)state;
    static const qvVec3f positions[5] = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 }, { 7, 7, 7 } };
    static const int32_t corners[6] = { 0, 1, 2, 0, 2, 3 };
    static const float normals[15] = { 0, 0, 0, 3, 0, 4, NAN, 0, 1, 0, INFINITY, 0, 0, 0, 0 };
    qvMeshDef def = TriangleDef(5, positions, 2, corners);
    def.normals = (qvAttributeDef){ normals, 5, NULL };
    qvMeshReport report;
    qvMesh* mesh = Create(&def, &report);
    assert_int_equal(report.items[qv_healthBadNormal].count, 3);
    assert_int_equal(report.items[qv_healthBadNormal].example, 0);
    assert_int_equal(mesh->normalDomain, qv_domainVertex);
    static const float wanted[5][3] = { { 0, 0, 1 }, { 0.6f, 0, 0.8f }, { 0, 0, 1 }, { 0, 0, 1 }, { 0, 0, 1 } };
    for (int v = 0; v < 5; v++)
    {
        ASSERT_NEAR(mesh->normals[v].x, wanted[v][0], 1e-7);
        ASSERT_NEAR(mesh->normals[v].y, wanted[v][1], 1e-7);
        ASSERT_NEAR(mesh->normals[v].z, wanted[v][2], 1e-7);
    }
    qvDestroyMesh(mesh);
}

static void TestMissingCornerValues(void** state)
{
    (void)state;
    static const qvVec3f positions[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 } };
    static const int32_t corners[6] = { 0, 1, 2, 0, 2, 3 }, none[6] = { -1, -1, -1, -1, -1, -1 };
    static const int32_t some[6] = { 0, -1, 1, -1, 0, 1 };
    static const float normals[6] = { 0, 0, 9, 0, 0, 0 }, uvs[4] = { 0.25f, 0.5f, NAN, 0.75f };
    static const float colors[8] = { 0.1f, 0.2f, 0.3f, 0.4f, INFINITY, 0, 0, 0 };
    qvMeshDef def = TriangleDef(4, positions, 2, corners);
    def.normals = (qvAttributeDef){ normals, 2, some };
    def.uvs = (qvAttributeDef){ uvs, 2, some };
    def.colors = (qvAttributeDef){ colors, 2, some };
    qvMeshReport report;
    qvMesh* mesh = Create(&def, &report);
    assert_int_equal(report.items[qv_healthBadNormal].count, 2);
    assert_int_equal(report.items[qv_healthBadNormal].example, 2);
    for (int i = 0; i < 6; i++)
        ASSERT_NEAR(mesh->normals[i].z, 1.0, 0.0);
    ASSERT_NEAR(mesh->uvs[0].x, 0.25, 0.0);
    ASSERT_NEAR(mesh->uvs[1].x, 0.0, 0.0);
    ASSERT_NEAR(mesh->uvs[2].x, 0.0, 0.0);
    ASSERT_NEAR(mesh->uvs[2].y, 0.75, 0.0);
    ASSERT_NEAR(mesh->colors[4].b, 0.3f, 0.0);
    ASSERT_NEAR(mesh->colors[3].a, 1.0, 0.0);
    ASSERT_NEAR(mesh->colors[2].r, 1.0, 0.0);
    qvDestroyMesh(mesh);

    def.normals.indices = def.uvs.indices = def.colors.indices = none;
    mesh = Create(&def, NULL);
    assert_int_equal(mesh->normalDomain, qv_domainNone);
    assert_int_equal(mesh->uvDomain, qv_domainNone);
    assert_int_equal(mesh->colorDomain, qv_domainNone);
    qvDestroyMesh(mesh);
}

static void TestMaterialsAreCopied(void** state)
{
    (void)state;
    char name[8] = "skin";
    uint8_t bytes[4] = { 1, 2, 3, 4 };
    qvTexture texture = { .name = NULL, .path = "a.png", .mimeType = "image/png", .bytes = bytes, .byteCount = 4 };
    qvMaterial material = { .name = name, .baseColor = { 1, 0.5f, 0.25f, 1 }, .roughness = 0.3f, .texture = 0 };
    qvSubmeshDef submesh = { name, 0, 2 };
    qvMeshDef def = CubeDef();
    def.textureCount = def.materialCount = def.submeshCount = 1;
    def.textures = &texture;
    def.materials = &material;
    def.submeshes = &submesh;
    qvMesh* mesh = Create(&def, NULL);
    memset(name, 'x', 4);
    memset(bytes, 0, 4);
    assert_string_equal(mesh->materials[0].name, "skin");
    ASSERT_NEAR(mesh->materials[0].baseColor.g, 0.5, 0.0);
    assert_string_equal(mesh->textures[0].name, "");
    assert_string_equal(mesh->textures[0].path, "a.png");
    assert_int_equal(mesh->textures[0].byteCount, 4);
    assert_int_equal(mesh->textures[0].bytes[3], 4);
    // The faces after the last submesh get one of their own.
    assert_int_equal(mesh->submeshCount, 2);
    assert_string_equal(mesh->submeshes[0].name, "skin");
    assert_int_equal(mesh->submeshes[0].triangleCount, 4);
    assert_int_equal(mesh->submeshes[1].material, -1);
    assert_int_equal(mesh->submeshes[1].firstTriangle, 4);
    assert_int_equal(mesh->submeshes[1].triangleCount, 8);
    qvDestroyMesh(mesh);
}

// --- The rest --------------------------------------------------------------------------------------------------------

static void TestHealthTexts(void** state)
{
    (void)state;
    char text[200];
    qvHealthItem item = { 3, 17 };
    assert_string_equal(qvHealth_Describe(qv_healthDegenerate, &item, text, sizeof(text)),
                        "removed 3 triangles without area (first: face 17)");
    item.count = 1;
    assert_string_equal(qvHealth_Describe(qv_healthUnreferenced, &item, text, sizeof(text)),
                        "1 vertex is used by no triangle and does not move (first: vertex 17)");
    assert_string_equal(qvHealth_Tag(qv_healthDegenerate), "degenerate_triangles");
    assert_true(qvHealth_IsRepaired(qv_healthWinding));
    assert_false(qvHealth_IsRepaired(qv_healthNonManifold));
    for (int i = 0; i < qv_healthKindCount; i++)
    {
        assert_non_null(qvHealth_Tag((qvHealthKind)i));
        for (int j = 0; j < i; j++)
            assert_string_not_equal(qvHealth_Tag((qvHealthKind)i), qvHealth_Tag((qvHealthKind)j));
    }
    char tiny[8];
    assert_string_equal(qvHealth_Describe(qv_healthDegenerate, &item, tiny, sizeof(tiny)), "removed");
}

static void TestHash(void** state)
{
    (void)state;
    qvVec3f positions[8];
    memcpy(positions, cubePositions, sizeof(positions));
    qvMeshDef def = CubeDef();
    def.positions = positions;
    qvMesh *a = Create(&def, NULL), *b = Create(&def, NULL);
    assert_true(qvMesh_Hash(a) == qvMesh_Hash(b));
    qvDestroyMesh(b);
    positions[3].z += 0.001f;
    b = Create(&def, NULL);
    assert_true(qvMesh_Hash(a) != qvMesh_Hash(b));
    qvDestroyMesh(b);
    positions[3].z = cubePositions[3].z;
    def.faceCount = 5;
    b = Create(&def, NULL);
    assert_true(qvMesh_Hash(a) != qvMesh_Hash(b));
    qvDestroyMesh(b);
    qvDestroyMesh(a);
}

static void TestBounds(void** state)
{
    (void)state;
    qvBox box = qvComputeBounds(cubePositions, 8);
    ASSERT_NEAR(box.lower.x, 0.0, 0.0);
    ASSERT_NEAR(box.upper.z, 1.0, 0.0);
    box = qvComputeBounds(NULL, 0);
    assert_true(box.lower.y > box.upper.y);
    ASSERT_NEAR(qvBox_Diagonal(box), 0.0, 0.0);
}

// Between all steps.
static void TestCanBeStopped(void** state)
{
    (void)state;
    qvError error;
    qvMeshDef def = CubeDef();
    Answers all = { .allowed = 1000 };
    qvJob job = { .progress = AnswerQuestion, .context = &all };
    def.job = &job;
    qvDestroyMesh(Create(&def, NULL));
    assert_true(all.asked >= 8);
    for (int i = 0; i < all.asked; i++)
    {
        Answers some = { .allowed = i };
        job.context = &some;
        qvMesh* mesh;
        assert_int_equal(qvCreateMesh(&def, &mesh, NULL, &error), qv_cancelled);
        assert_null(mesh);
        assert_int_equal(some.asked, i + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestCube),
        cmocka_unit_test(TestErrorsNameTheElement),
        cmocka_unit_test(TestErrorsOfAttributes),
        cmocka_unit_test(TestWeldExactly),
        cmocka_unit_test(TestWeldWithTolerance),
        cmocka_unit_test(TestWeldMatchesBruteForce),
        cmocka_unit_test(TestToleranceRemovesAgain),
        cmocka_unit_test(TestDegenerateTrianglesGo),
        cmocka_unit_test(TestSliversStay),
        cmocka_unit_test(TestDuplicatesGo),
        cmocka_unit_test(TestWindingIsRepaired),
        cmocka_unit_test(TestMajorityKeepsItsWinding),
        cmocka_unit_test(TestVertexNormalsTurnWithTheirTriangles),
        cmocka_unit_test(TestMoebiusStripIsLeft),
        cmocka_unit_test(TestBadParts),
        cmocka_unit_test(TestNonManifoldEdge),
        cmocka_unit_test(TestFarFromOrigin),
        cmocka_unit_test(TestBadVertexNormals),
        cmocka_unit_test(TestMissingCornerValues),
        cmocka_unit_test(TestMaterialsAreCopied),
        cmocka_unit_test(TestHealthTexts),
        cmocka_unit_test(TestHash),
        cmocka_unit_test(TestBounds),
        cmocka_unit_test(TestCanBeStopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
