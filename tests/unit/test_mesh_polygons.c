// SPDX-License-Identifier: GPL-3.0-or-later
// Polygons to triangles, and random soups of polygons.
#include "testing.h"

#include "quaver/mesh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    HUGE_POLYGON = 100000
};

static const double TWO_PI = 6.283185307179586;

static qvVec3 TriangleArea(const qvMesh* mesh, int t)
{
    const int32_t* v = mesh->triangles[t].v;
    qvVec3 p = qvVec3_FromFloat(mesh->positions[v[0]]);
    return qvScale(0.5, qvCross(qvSub(qvVec3_FromFloat(mesh->positions[v[1]]), p),
                                qvSub(qvVec3_FromFloat(mesh->positions[v[2]]), p)));
}

static qvVec3 PolygonArea(const qvVec3f* positions, int count)
{
    qvVec3 sum = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < count; i++)
        sum = qvAdd(sum, qvCross(qvVec3_FromFloat(positions[i]), qvVec3_FromFloat(positions[(i + 1) % count])));
    return qvScale(0.5, sum);
}

// One polygon whose corners are its vertices in order.
static qvResult CreatePolygon(const qvVec3f* positions, int count, qvMesh** mesh, qvMeshReport* report)
{
    int32_t* corners = malloc((size_t)count * sizeof(*corners));
    assert_non_null(corners);
    for (int i = 0; i < count; i++)
        corners[i] = i;
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = count;
    def.positions = positions;
    def.faceCount = 1;
    def.faceSizes = &count;
    def.corners = corners;
    qvResult result = qvCreateMesh(&def, mesh, report, NULL);
    free(corners);
    return result;
}

// All corners but two give a triangle with area, none is turned, and together they cover the polygon once.
static void AssertCovered(const qvVec3f* positions, int count, double tolerance)
{
    qvMesh* mesh;
    qvMeshReport report;
    assert_int_equal(CreatePolygon(positions, count, &mesh, &report), qv_ok);
    assert_int_equal(mesh->triangleCount, count - 2);
    assert_int_equal(report.items[qv_healthDegenerate].count, 0);
    assert_int_equal(report.items[qv_healthWinding].count, 0);
    assert_int_equal(report.boundaryEdgeCount, count);
    qvVec3 area = PolygonArea(positions, count), sum = { 0.0, 0.0, 0.0 };
    double size = 0.0;
    for (int t = 0; t < mesh->triangleCount; t++)
    {
        qvVec3 part = TriangleArea(mesh, t);
        assert_true(qvDot(part, area) > 0.0);
        sum = qvAdd(sum, part);
        size += qvLength(part);
    }
    ASSERT_NEAR(qvDistance(sum, area), 0.0, 1e-9 * size);
    ASSERT_NEAR(size, qvLength(area), tolerance * size);
    qvDestroyMesh(mesh);
}

// Places a polygon of the plane into one of the three coordinate planes, either way round.
static void Place(const double (*plane)[2], int count, int axis, bool isReversed, qvVec3f* positions)
{
    for (int i = 0; i < count; i++)
    {
        const double* p = plane[isReversed ? count - 1 - i : i];
        float a = (float)p[0], b = (float)p[1];
        positions[i] = axis == 0   ? (qvVec3f){ 0.5f, a, b }
                       : axis == 1 ? (qvVec3f){ b, 0.5f, a }
                                   : (qvVec3f){ a, b, 0.5f };
    }
}

static void AssertCoveredInAllPlanes(const double (*plane)[2], int count)
{
    qvVec3f* positions = malloc((size_t)count * sizeof(*positions));
    assert_non_null(positions);
    for (int axis = 0; axis < 3; axis++)
    {
        for (int isReversed = 0; isReversed < 2; isReversed++)
        {
            Place(plane, count, axis, isReversed, positions);
            AssertCovered(positions, count, 1e-9);
        }
    }
    free(positions);
}

static void TestConcavePolygons(void** state)
{
    (void)state;
    // An arrow head (a quadrilateral), an L, a comb, and a square with a hole reached by a bridge.
    static const double arrow[4][2] = { { 0, 0 }, { 2, 1 }, { 0, 2 }, { 0.5, 1 } };
    static const double arrow2[4][2] = { { 2, 1 }, { 0, 2 }, { 0.5, 1 }, { 0, 0 } };
    static const double ell[6][2] = { { 0, 0 }, { 2, 0 }, { 2, 1 }, { 1, 1 }, { 1, 2 }, { 0, 2 } };
    static const double comb[12][2] = { { 0, 0 }, { 6, 0 }, { 6, 4 }, { 5, 4 }, { 5, 1 }, { 4, 1 },
                                        { 4, 4 }, { 3, 4 }, { 3, 1 }, { 1, 1 }, { 1, 4 }, { 0, 4 } };
    AssertCoveredInAllPlanes(arrow, 4);
    AssertCoveredInAllPlanes(arrow2, 4);
    AssertCoveredInAllPlanes(ell, 6);
    AssertCoveredInAllPlanes(comb, 12);
}

// The bridge's two sides share their vertices, as files write it: each triangle has area and together they make the
// ring.
static void TestPolygonWithHole(void** state)
{
    (void)state;
    static const qvVec3f positions[8] = { { 0, 0, 0 }, { 3, 0, 0 }, { 3, 3, 0 }, { 0, 3, 0 },
                                          { 1, 1, 0 }, { 1, 2, 0 }, { 2, 2, 0 }, { 2, 1, 0 } };
    static const int32_t corners[10] = { 0, 1, 2, 3, 0, 4, 5, 6, 7, 4 };
    static const int32_t size = 10;
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = 8;
    def.positions = positions;
    def.faceCount = 1;
    def.faceSizes = &size;
    def.corners = corners;
    qvMesh* mesh;
    qvMeshReport report;
    assert_int_equal(qvCreateMesh(&def, &mesh, &report, NULL), qv_ok);
    assert_int_equal(mesh->triangleCount, 8);
    double sum = 0.0;
    for (int t = 0; t < 8; t++)
    {
        assert_true(TriangleArea(mesh, t).z > 0.0);
        sum += TriangleArea(mesh, t).z;
    }
    ASSERT_NEAR(sum, 8.0, 1e-12);
    assert_int_equal(report.boundaryEdgeCount, 8);
    assert_int_equal(report.items[qv_healthNonManifold].count, 0);
    qvDestroyMesh(mesh);
}

static void TestQuadTakesTheShorterDiagonal(void** state)
{
    (void)state;
    static const qvVec3f wide[4] = { { 0, 0, 0 }, { 1, -1, 0 }, { 4, 0, 0 }, { 1, 1, 0 } };
    static const qvVec3f square[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 } };
    static const qvTriangle wideTriangles[2] = { { { 1, 2, 3 } }, { { 1, 3, 0 } } };
    static const qvTriangle squareTriangles[2] = { { { 0, 1, 2 } }, { { 0, 2, 3 } } };
    qvMesh* mesh;
    assert_int_equal(CreatePolygon(wide, 4, &mesh, NULL), qv_ok);
    assert_memory_equal(mesh->triangles, wideTriangles, sizeof(wideTriangles));
    qvDestroyMesh(mesh);
    assert_int_equal(CreatePolygon(square, 4, &mesh, NULL), qv_ok);
    assert_memory_equal(mesh->triangles, squareTriangles, sizeof(squareTriangles));
    qvDestroyMesh(mesh);
}

// The same quadrilateral from both sides, beginning anywhere, is the same two triangles.
static void TestCardHasOneSide(void** state)
{
    (void)state;
    static const qvVec3f square[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 } };
    static const int32_t sizes[2] = { 4, 4 };
    for (int begin = 0; begin < 4; begin++)
    {
        int32_t corners[8] = { 0, 1, 2, 3 };
        for (int i = 0; i < 4; i++)
            corners[4 + i] = (begin + 4 - i) % 4;
        qvMeshDef def = qvDefaultMeshDef();
        def.vertexCount = 4;
        def.positions = square;
        def.faceCount = 2;
        def.faceSizes = sizes;
        def.corners = corners;
        qvMesh* mesh;
        qvMeshReport report;
        assert_int_equal(qvCreateMesh(&def, &mesh, &report, NULL), qv_ok);
        assert_int_equal(mesh->triangleCount, 2);
        assert_int_equal(report.items[qv_healthDuplicate].count, 2);
        assert_int_equal(report.items[qv_healthNonManifold].count, 0);
        qvDestroyMesh(mesh);
    }
}

// A triangle with further corners on its sides, beginning anywhere: no new edge may run along a side.
static void TestCornersOnSides(void** state)
{
    (void)state;
    static const double side[9][2] = { { 0, 0 }, { 1, 0 }, { 2, 0 }, { 3, 0 }, { 4, 0 },
                                       { 3, 1 }, { 2, 2 }, { 0, 4 }, { 0, 2 } };
    static const double base[5][2] = { { 0, 4 }, { 0, 0 }, { 1, 0 }, { 2, 0 }, { 3, 0 } };
    for (int shift = 0; shift < 9; shift++)
    {
        double plane[9][2];
        for (int i = 0; i < 9; i++)
            memcpy(plane[i], side[(i + shift) % 9], sizeof(plane[i]));
        AssertCoveredInAllPlanes((const double(*)[2])plane, 9);
        for (int i = 0; i < 5; i++)
            memcpy(plane[i], base[(i + shift) % 5], sizeof(plane[i]));
        AssertCoveredInAllPlanes((const double(*)[2])plane, 5);
    }
}

// Steps on an integer grid with a corner at every integer: most corners are straight.
static void TestCollinearCorners(void** state)
{
    (void)state;
    uint64_t random = 5;
    for (int round = 0; round < 200; round++)
    {
        double plane[400][2];
        int count = 0, width = 1 + RandomInt(&random, 12), height = 0;
        for (int x = 0; x <= width; x++, count++)
            plane[count][0] = x, plane[count][1] = 0;
        for (int x = width; x > 0; x--)
        {
            int next = 1 + RandomInt(&random, 6);
            for (; height != next; height += height < next ? 1 : -1)
            {
                if (height > 0)
                    plane[count][0] = x, plane[count++][1] = height;
            }
            plane[count][0] = x, plane[count++][1] = height;
        }
        for (; height > 0; height--)
            plane[count][0] = 0, plane[count++][1] = height;
        AssertCoveredInAllPlanes((const double(*)[2])plane, count);
    }
}

static bool IsCrossing(const double a[2], const double b[2], const double c[2], const double d[2])
{
    double abc = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    double abd = (b[0] - a[0]) * (d[1] - a[1]) - (b[1] - a[1]) * (d[0] - a[0]);
    double cda = (d[0] - c[0]) * (a[1] - c[1]) - (d[1] - c[1]) * (a[0] - c[0]);
    double cdb = (d[0] - c[0]) * (b[1] - c[1]) - (d[1] - c[1]) * (b[0] - c[0]);
    return (abc > 0) != (abd > 0) && (cda > 0) != (cdb > 0);
}

// Reverses runs of a random closed path until no two of its edges cross: every simple polygon can come up.
static void Uncross(double (*plane)[2], int count)
{
    for (bool isCrossed = true; isCrossed;)
    {
        isCrossed = false;
        for (int i = 0; i < count; i++)
        {
            for (int j = i + 2; j < count; j++)
            {
                if ((j + 1) % count == i || !IsCrossing(plane[i], plane[i + 1], plane[j], plane[(j + 1) % count]))
                    continue;
                isCrossed = true;
                for (int a = i + 1, b = j; a < b; a++, b--)
                {
                    double swap[2] = { plane[a][0], plane[a][1] };
                    memcpy(plane[a], plane[b], sizeof(swap));
                    memcpy(plane[b], swap, sizeof(swap));
                }
            }
        }
    }
}

static void TestRandomSimplePolygons(void** state)
{
    (void)state;
    uint64_t random = 11;
    for (int round = 0; round < 300; round++)
    {
        double plane[60][2];
        int count = 4 + RandomInt(&random, 57);
        for (int i = 0; i < count; i++)
        {
            plane[i][0] = (float)RandomUnit(&random);
            plane[i][1] = (float)RandomUnit(&random);
        }
        Uncross(plane, count);
        AssertCoveredInAllPlanes((const double(*)[2])plane, count);
    }
}

// In a plane that is not a coordinate plane, floats make polygons slightly bent.
static void TestBentPolygons(void** state)
{
    (void)state;
    uint64_t random = 12;
    for (int round = 0; round < 100; round++)
    {
        qvVec3f positions[40];
        int count = 5 + RandomInt(&random, 36);
        qvVec3 u = qvNormalize(qvMakeVec3(1.0, RandomUnit(&random), -RandomUnit(&random)));
        qvVec3 v = qvNormalize(qvCross(u, qvMakeVec3(RandomUnit(&random), 0.3, 0.2)));
        for (int i = 0; i < count; i++)
        {
            double angle = TWO_PI * (i + 0.4 * RandomUnit(&random)) / count, r = 0.5 + RandomUnit(&random);
            positions[i] = qvVec3_ToFloat(qvMulAdd(qvScale(r * cos(angle), u), r * sin(angle), v));
        }
        AssertCovered(positions, count, 1e-5);
    }
}

// --- What is no simple polygon --------------------------------------------------------------------------------------

static void TestBadPolygonsEnd(void** state)
{
    (void)state;
    static const qvVec3f eight[4] = { { 0, 0, 0 }, { 1, 1, 0 }, { 1, 0, 0 }, { 0, 1, 0 } };
    static const qvVec3f pentagram[5] = {
        { 0, 1, 0 }, { 0.6f, -0.8f, 0 }, { -0.95f, 0.3f, 0 }, { 0.95f, 0.3f, 0 }, { -0.6f, -0.8f, 0 }
    };
    static const qvVec3f line[5] = { { 0, 0, 0 }, { 1, 1, 1 }, { 2, 2, 2 }, { 3, 3, 3 }, { 4, 4, 4 } };
    static const qvVec3f spike[6] = { { 0, 0, 0 }, { 2, 0, 0 }, { 4, 0, 0 }, { 2, 0, 0 }, { 2, 2, 0 }, { 0, 2, 0 } };
    static const qvVec3f one[6] = { { 1, 1, 1 }, { 1, 1, 1 }, { 1, 1, 1 }, { 1, 1, 1 }, { 1, 1, 1 }, { 1, 1, 1 } };
    qvMesh* mesh;
    assert_int_equal(CreatePolygon(eight, 4, &mesh, NULL), qv_ok);
    qvDestroyMesh(mesh);
    assert_int_equal(CreatePolygon(pentagram, 5, &mesh, NULL), qv_ok);
    qvDestroyMesh(mesh);
    assert_int_equal(CreatePolygon(line, 5, &mesh, NULL), qv_badInput);
    assert_int_equal(CreatePolygon(one, 6, &mesh, NULL), qv_badInput);
    assert_int_equal(CreatePolygon(spike, 6, &mesh, NULL), qv_ok);
    double area = 0.0;
    for (int t = 0; t < mesh->triangleCount; t++)
        area += fabs(TriangleArea(mesh, t).z);
    ASSERT_NEAR(area, 4.0, 1e-12);
    qvDestroyMesh(mesh);
}

typedef qvVec3f ShapeFcn(int i, uint64_t* random);

static qvVec3f CircleCorner(int i, uint64_t* random)
{
    (void)random;
    double angle = TWO_PI * i / HUGE_POLYGON;
    return (qvVec3f){ (float)(100.0 * cos(angle)), (float)(100.0 * sin(angle)), 0.0f };
}

static qvVec3f StarCorner(int i, uint64_t* random)
{
    (void)random;
    double angle = TWO_PI * i / HUGE_POLYGON, r = i % 2 ? 1e4 : 6e3;
    return (qvVec3f){ (float)(r * cos(angle)), (float)(r * sin(angle)), 0.0f };
}

static qvVec3f RandomCorner(int i, uint64_t* random)
{
    (void)i;
    return (qvVec3f){ (float)RandomUnit(random), (float)RandomUnit(random), (float)RandomUnit(random) };
}

static qvVec3f LineCorner(int i, uint64_t* random)
{
    (void)random;
    return (qvVec3f){ (float)i, (float)i, i == 77 ? 0.5f : 0.0f };
}

// A spiral arm of two sides: no ear is far from another corner.
static qvVec3f SpiralCorner(int i, uint64_t* random)
{
    (void)random;
    int half = HUGE_POLYGON / 2, k = i < half ? i : HUGE_POLYGON - 1 - i;
    double angle = 60.0 * TWO_PI * k / half, r = 1.0 + angle + (i < half ? 2.0 : 0.0);
    return (qvVec3f){ (float)(r * cos(angle)), (float)(r * sin(angle)), 0.0f };
}

static double HugePolygonExcess(ShapeFcn* shape)
{
    qvVec3f* positions = malloc(HUGE_POLYGON * sizeof(*positions));
    assert_non_null(positions);
    uint64_t random = 2;
    for (int i = 0; i < HUGE_POLYGON; i++)
        positions[i] = shape(i, &random);
    qvMesh* mesh;
    assert_int_equal(CreatePolygon(positions, HUGE_POLYGON, &mesh, NULL), qv_ok);
    double area = 0.0, whole = qvLength(PolygonArea(positions, HUGE_POLYGON));
    for (int t = 0; t < mesh->triangleCount; t++)
        area += qvLength(TriangleArea(mesh, t));
    qvDestroyMesh(mesh);
    free(positions);
    return area / whole - 1.0;
}

static void TestHugePolygonsEnd(void** state)
{
    (void)state;
    ASSERT_NEAR(HugePolygonExcess(CircleCorner), 0.0, 1e-6);
    ASSERT_NEAR(HugePolygonExcess(SpiralCorner), 0.0, 1e-6);
    ASSERT_NEAR(HugePolygonExcess(StarCorner), 0.0, 1e-6);
    HugePolygonExcess(LineCorner);
    HugePolygonExcess(RandomCorner);
}

// The outline of a heat sink: long thin fins, so that the triangle of most corners spans many others.
static void TestManyFins(void** state)
{
    (void)state;
    enum
    {
        FINS = 1000,
        COUNT = 4 * FINS + 2
    };
    qvVec3f* positions = malloc(COUNT * sizeof(*positions));
    assert_non_null(positions);
    for (int i = 0; i < 4 * FINS; i++)
        positions[i] = (qvVec3f){ 0.5f * (float)(i / 2), i % 4 == 1 || i % 4 == 2 ? 1000.0f : 0.0f, 0.0f };
    positions[4 * FINS] = (qvVec3f){ FINS, -1.0f, 0.0f };
    positions[4 * FINS + 1] = (qvVec3f){ 0.0f, -1.0f, 0.0f };
    AssertCovered(positions, COUNT, 1e-9);
    free(positions);
}

// --- Random soups ---------------------------------------------------------------------------------------------------

typedef struct Soup
{
    qvVec3f positions[64];
    int32_t sizes[48], corners[48 * 9], indices[48 * 9];
    float uvs[2 * 48 * 9];
    qvMeshDef def;
} Soup;

// Few places, so that everything that can go wrong does: repeated corners, flat faces, repeated faces, many at an edge.
static void FillSoup(Soup* soup, uint64_t* random)
{
    int vertexCount = 3 + RandomInt(random, 62), range = 1 + RandomInt(random, 6), cornerCount = 0;
    for (int i = 0; i < vertexCount; i++)
        soup->positions[i] = (qvVec3f){ (float)RandomInt(random, range + 1), (float)RandomInt(random, range + 1),
                                        RandomInt(random, 2) ? -0.0f : (float)RandomInt(random, range) };
    int faceCount = 1 + RandomInt(random, 48);
    for (int f = 0; f < faceCount; f++)
    {
        soup->sizes[f] = 3 + (RandomInt(random, 3) == 0 ? RandomInt(random, 7) : RandomInt(random, 2));
        for (int k = 0; k < soup->sizes[f]; k++, cornerCount++)
        {
            soup->corners[cornerCount] = RandomInt(random, vertexCount);
            soup->indices[cornerCount] = cornerCount;
            soup->uvs[2 * cornerCount] = (float)soup->corners[cornerCount];
            soup->uvs[2 * cornerCount + 1] = (float)f;
        }
    }
    soup->def = qvDefaultMeshDef();
    soup->def.vertexCount = vertexCount;
    soup->def.positions = soup->positions;
    soup->def.faceCount = faceCount;
    soup->def.faceSizes = soup->sizes;
    soup->def.corners = soup->corners;
    soup->def.uvs = (qvAttributeDef){ soup->uvs, cornerCount, soup->indices };
    soup->def.weldTolerance = RandomInt(random, 3) == 0 ? 1.0 : 0.0;
}

static bool IsSamePlace(qvVec3f a, qvVec3f b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void AssertWeldIsRight(const qvMesh* mesh, double tolerance)
{
    int next = 0;
    for (int v = 0; v < mesh->vertexCount; v++)
    {
        int p = mesh->vertexPoint[v];
        assert_in_range(p + 1, 0, mesh->pointCount);
        if (p < 0)
            continue;
        assert_true(p <= next);
        if (p == next)
            assert_int_equal(mesh->pointVertex[next++], v);
        if (tolerance == 0.0)
            assert_true(IsSamePlace(mesh->positions[v], mesh->positions[mesh->pointVertex[p]]));
    }
    assert_int_equal(next, mesh->pointCount);
    for (int p = 0; p < mesh->pointCount; p++)
    {
        for (int q = 0; q < p; q++)
            assert_false(IsSamePlace(mesh->positions[mesh->pointVertex[p]], mesh->positions[mesh->pointVertex[q]]));
    }
}

static void AssertTrianglesAreRight(const qvMesh* mesh)
{
    for (int t = 0; t < mesh->triangleCount; t++)
    {
        const int32_t *v = mesh->triangles[t].v, *p = mesh->pointTriangles[t].v;
        qvVec3 at[3];
        for (int k = 0; k < 3; k++)
        {
            assert_in_range(v[k], 0, mesh->vertexCount - 1);
            assert_int_equal(mesh->vertexPoint[v[k]], p[k]);
            at[k] = qvVec3_FromFloat(mesh->positions[mesh->pointVertex[p[k]]]);
            // Attributes came along: each corner knows its vertex, all three know the same face.
            ASSERT_NEAR(mesh->uvs[3 * t + k].x, v[k], 0.0);
            ASSERT_NEAR(mesh->uvs[3 * t + k].y, mesh->uvs[3 * t].y, 0.0);
        }
        assert_true(qvLength(qvCross(qvSub(at[1], at[0]), qvSub(at[2], at[0]))) > 0.0);
        for (int s = 0; s < t; s++)
        {
            const int32_t* q = mesh->pointTriangles[s].v;
            int shared = 0;
            for (int i = 0; i < 9; i++)
                shared += p[i / 3] == q[i % 3];
            assert_true(shared < 3);
        }
    }
}

// How many triangles run from point a to b.
static int CountRuns(const qvMesh* mesh, int a, int b)
{
    int count = 0;
    for (int i = 0; i < 3 * mesh->triangleCount; i++)
    {
        const int32_t* v = mesh->pointTriangles[i / 3].v;
        count += v[i % 3] == a && v[(i + 1) % 3] == b;
    }
    return count;
}

static int AssertEdgesAreRight(const qvMesh* mesh, const qvMeshReport* report)
{
    int boundary = 0, nonManifold = 0, checked = 0;
    for (int a = 0; a < mesh->pointCount; a++)
    {
        for (int b = 0; b < a; b++)
        {
            int forward = CountRuns(mesh, a, b), backward = CountRuns(mesh, b, a);
            boundary += forward + backward == 1;
            nonManifold += forward + backward > 2;
            if (forward + backward != 2 || report->items[qv_healthNotOrientable].count > 0)
                continue;
            assert_int_equal(forward, 1);
            checked++;
        }
    }
    assert_int_equal(boundary, report->boundaryEdgeCount);
    assert_int_equal(nonManifold, report->items[qv_healthNonManifold].count);
    return checked;
}

static void TestRandomSoups(void** state)
{
    (void)state;
    uint64_t random = 21;
    int made = 0, checkedEdges = 0;
    for (int round = 0; round < 600; round++)
    {
        Soup soup;
        FillSoup(&soup, &random);
        qvMesh* mesh;
        qvMeshReport report;
        qvError error;
        if (qvCreateMesh(&soup.def, &mesh, &report, &error) != qv_ok)
        {
            ASSERT_CONTAINS(error.message, "no triangle is left");
            continue;
        }
        made++;
        AssertWeldIsRight(mesh, soup.def.weldTolerance);
        AssertTrianglesAreRight(mesh);
        checkedEdges += AssertEdgesAreRight(mesh, &report);
        int triangles = 0;
        for (int f = 0; f < soup.def.faceCount; f++)
            triangles += soup.sizes[f] - 2;
        assert_int_equal(triangles, mesh->triangleCount + report.items[qv_healthDegenerate].count +
                                        report.items[qv_healthDuplicate].count);
        qvDestroyMesh(mesh);
    }
    assert_true(made > 400);
    assert_true(checkedEdges > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestConcavePolygons),
        cmocka_unit_test(TestPolygonWithHole),
        cmocka_unit_test(TestQuadTakesTheShorterDiagonal),
        cmocka_unit_test(TestCardHasOneSide),
        cmocka_unit_test(TestCornersOnSides),
        cmocka_unit_test(TestCollinearCorners),
        cmocka_unit_test(TestRandomSimplePolygons),
        cmocka_unit_test(TestBentPolygons),
        cmocka_unit_test(TestBadPolygonsEnd),
        cmocka_unit_test(TestHugePolygonsEnd),
        cmocka_unit_test(TestManyFins),
        cmocka_unit_test(TestRandomSoups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
