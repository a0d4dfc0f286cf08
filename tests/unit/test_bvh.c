// SPDX-License-Identifier: GPL-3.0-or-later
#include "testing.h"

#include "mesh/bvh.h"
#include "quaver/primitive.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

// A mesh with its points at some positions and a tree over them.
typedef struct Fixture
{
    qvMesh* mesh;
    qvVec3f* points;
    qvBvh* bvh;
} Fixture;

static void SetUpMesh(Fixture* f)
{
    qvError error;
    f->points = malloc((size_t)f->mesh->pointCount * sizeof(*f->points));
    assert_non_null(f->points);
    qvMesh_GatherPoints(f->mesh, f->mesh->positions, f->points);
    ASSERT_OK(qvCreateBvh(f->mesh, f->points, &f->bvh, &error), error);
}

static void SetUp(Fixture* f, const char* tag, int resolution)
{
    qvError error;
    ASSERT_OK(qvCreatePrimitive(tag, resolution, &f->mesh, &error), error);
    SetUpMesh(f);
}

static void SetUpTriangles(Fixture* f, const qvVec3f* positions, int triangleCount)
{
    qvError error;
    qvMeshDef def = qvDefaultMeshDef();
    int32_t* corners = malloc(3 * (size_t)triangleCount * sizeof(*corners));
    assert_non_null(corners);
    for (int i = 0; i < 3 * triangleCount; i++)
        corners[i] = i;
    def.vertexCount = 3 * triangleCount;
    def.positions = positions;
    def.faceCount = triangleCount;
    def.corners = corners;
    ASSERT_OK(qvCreateMesh(&def, &f->mesh, NULL, &error), error);
    free(corners);
    SetUpMesh(f);
}

static void TearDown(Fixture* f)
{
    qvDestroyBvh(f->bvh);
    qvDestroyMesh(f->mesh);
    free(f->points);
}

static qvVec3 RandomPoint(uint64_t* random, double size)
{
    double x = RandomUnit(random), y = RandomUnit(random), z = RandomUnit(random);
    return qvMakeVec3(size * (2.0 * x - 1.0), size * (2.0 * y - 1.0), size * (2.0 * z - 1.0));
}

// A ray from around the shapes towards them, of any length.
static qvRay RandomRay(uint64_t* random)
{
    qvVec3 up = { 0.0, 1.0, 0.0 };
    qvVec3 origin = qvAdd(RandomPoint(random, 2.0), up), target = qvAdd(RandomPoint(random, 0.9), up);
    return (qvRay){ origin, qvScale(0.1 + 3.0 * RandomUnit(random), qvSub(target, origin)) };
}

// All triangles with the tree's own test: the tree must give the same bits.
static void CheckAgainstAll(const Fixture* f, qvRay ray, double maxDistance)
{
    qvHit hit = qvBvh_Pick(f->bvh, ray, maxDistance);
    qvPickRay pick;
    assert_true(qvMakePickRay(ray, f->bvh->extent, &pick));
    double best = ldexp(maxDistance, pick.exponent);
    int triangle = -1;
    for (int i = 0; i < f->mesh->triangleCount; i++)
    {
        qvTriangleHit found;
        if (qvPickRay_HitTriangle(&pick, f->points, f->mesh->pointTriangles[i], best, &found) &&
            (triangle < 0 || found.distance < best))
        {
            best = found.distance;
            triangle = i;
        }
    }
    assert_int_equal(hit.triangle, triangle);
    if (triangle >= 0)
        assert_true(hit.distance == ldexp(best, -pick.exponent));
}

// Moeller and Trumbore's test in long double, independent of the product's. *margin is how far from the nearest edge
// the ray passes, in barycentric weights (negative outside).
static long double ReferenceDistance(const qvVec3f* points, qvTriangle t, qvRay ray, long double* margin)
{
    long double a[3], ab[3], ac[3], o[3] = { ray.origin.x, ray.origin.y, ray.origin.z };
    long double d[3] = { ray.direction.x, ray.direction.y, ray.direction.z };
    const float* p[3] = { &points[t.v[0]].x, &points[t.v[1]].x, &points[t.v[2]].x };
    for (int i = 0; i < 3; i++)
    {
        a[i] = o[i] - p[0][i];
        ab[i] = (long double)p[1][i] - p[0][i];
        ac[i] = (long double)p[2][i] - p[0][i];
    }
    long double n[3], q[3];
    for (int i = 0; i < 3; i++)
    {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        n[i] = d[j] * ac[k] - d[k] * ac[j];
        q[i] = a[j] * ab[k] - a[k] * ab[j];
    }
    long double det = ab[0] * n[0] + ab[1] * n[1] + ab[2] * n[2];
    long double u = (a[0] * n[0] + a[1] * n[1] + a[2] * n[2]) / det;
    long double v = (d[0] * q[0] + d[1] * q[1] + d[2] * q[2]) / det;
    *margin = fminl(fminl(u, v), 1.0L - u - v);
    return (ac[0] * q[0] + ac[1] * q[1] + ac[2] * q[2]) / det;
}

static void CheckAgainstReference(const Fixture* f, qvRay ray, int* hits)
{
    long double best = INFINITY;
    for (int i = 0; i < f->mesh->triangleCount; i++)
    {
        long double margin, distance = ReferenceDistance(f->points, f->mesh->pointTriangles[i], ray, &margin);
        if (fabsl(margin) < 1e-9L)
            return; // too close to an edge to say which side is right
        if (margin > 0.0L && distance >= 0.0L && distance < best)
            best = distance;
    }
    qvHit hit = qvBvh_Pick(f->bvh, ray, INFINITY);
    assert_int_equal(hit.triangle >= 0, isfinite((double)best));
    if (hit.triangle < 0)
        return;
    ++*hits;
    ASSERT_NEAR(hit.distance, (double)best, 1e-9);
    ASSERT_NEAR(qvDistance(hit.position, qvMulAdd(ray.origin, hit.distance, ray.direction)), 0.0, 1e-9);
    ASSERT_NEAR(qvLength(hit.normal), 1.0, 1e-12);
    assert_true(hit.u >= 0.0 && hit.v >= 0.0 && hit.u + hit.v <= 1.0 + 1e-12);
}

static void CheckRays(const Fixture* f, int count, uint64_t seed)
{
    int hits = 0;
    for (int i = 0; i < count; i++)
    {
        qvRay ray = RandomRay(&seed);
        CheckAgainstAll(f, ray, INFINITY);
        CheckAgainstAll(f, ray, 0.5);
        CheckAgainstReference(f, ray, &hits);
    }
    assert_true(hits > count / 20); // the case is not trivial
}

static void TestAgreesWithBruteForce(void** state)
{
    (void)state;
    static const struct
    {
        const char* tag;
        int resolution;
    } cases[] = { { "sphere", 8 }, { "imp", 1 }, { "sheet", 20 }, { "block", 1 }, { "torus", 1 }, { "tentacle", 6 } };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
    {
        Fixture f;
        SetUp(&f, cases[i].tag, cases[i].resolution);
        CheckRays(&f, 150, 11 + i);
        TearDown(&f);
    }
}

// Twists, bends and stretches, far enough to bring other neighbours together.
static void Deform(Fixture* f, double amount)
{
    qvMesh_GatherPoints(f->mesh, f->mesh->positions, f->points);
    for (int i = 0; i < f->mesh->pointCount; i++)
    {
        qvVec3f p = f->points[i];
        double angle = amount * p.y, c = cos(angle), s = sin(angle);
        f->points[i].x = (float)(c * p.x - s * p.z);
        f->points[i].z = (float)(s * p.x + c * p.z);
        f->points[i].y = (float)(p.y * (1.0 + 0.3 * amount * sin(3.0 * p.x)));
    }
}

static void TestRefitIsExact(void** state)
{
    (void)state;
    Fixture f;
    SetUp(&f, "imp", 1);
    for (int step = 1; step <= 4; step++)
    {
        Deform(&f, 0.7 * step);
        qvBvh_Refit(f.bvh, f.points, NULL);
        CheckRays(&f, 80, 100 + (uint64_t)step);
    }
    TearDown(&f);
}

static void TestRefitBitsDoNotDependOnThePool(void** state)
{
    (void)state;
    qvError error;
    Fixture f;
    SetUp(&f, "sphere", 40);
    assert_true(f.bvh->pieceCount > 8 && f.bvh->topCount > 4);
    Deform(&f, 1.0);
    qvBvh_Refit(f.bvh, f.points, NULL);
    size_t size = (size_t)f.bvh->nodeCount * sizeof(qvBvhNode);
    qvBvhNode* nodes = malloc(size);
    assert_non_null(nodes);
    memcpy(nodes, f.bvh->nodes, size);
    for (int threads = 2; threads <= 5; threads++)
    {
        qvPool* pool;
        ASSERT_OK(qvCreatePool(threads, &pool, &error), error);
        Deform(&f, 0.0);
        qvBvh_Refit(f.bvh, f.points, pool);
        assert_true(memcmp(nodes, f.bvh->nodes, size) != 0);
        Deform(&f, 1.0);
        qvBvh_Refit(f.bvh, f.points, pool);
        assert_memory_equal(nodes, f.bvh->nodes, size);
        qvDestroyPool(pool);
    }
    free(nodes);
    TearDown(&f);
}

// A box of the tree holds what is below it.
static void CheckNode(const qvBvh* bvh, int index, const qvBvhBox* outer, int* triangles)
{
    const qvBvhNode* node = &bvh->nodes[index];
    for (int a = 0; a < 3; a++)
        assert_true(node->box.lower[a] >= outer->lower[a] && node->box.upper[a] <= outer->upper[a]);
    if (node->count == 0)
    {
        CheckNode(bvh, index + 1, &node->box, triangles);
        CheckNode(bvh, node->first, &node->box, triangles);
    }
    for (int i = 0; i < node->count; i++)
        triangles[bvh->order[node->first + i]]++;
}

static void TestEveryTriangleIsInOneLeaf(void** state)
{
    (void)state;
    Fixture f;
    SetUp(&f, "torus", 10);
    int* triangles = calloc((size_t)f.mesh->triangleCount, sizeof(*triangles));
    assert_non_null(triangles);
    CheckNode(f.bvh, 0, &f.bvh->nodes[0].box, triangles);
    for (int i = 0; i < f.mesh->triangleCount; i++)
        assert_int_equal(triangles[i], 1);
    free(triangles);
    TearDown(&f);
}

// No ray from inside a closed surface escapes, even when aimed exactly at its vertices and edges.
static void CheckNoEscape(const Fixture* f, qvVec3 center, double size, int count, uint64_t random)
{
    for (int i = 0; i < count; i++)
    {
        qvTriangle t = f->mesh->pointTriangles[RandomInt(&random, f->mesh->triangleCount)];
        qvVec3 a = qvVec3_FromFloat(f->points[t.v[0]]), b = qvVec3_FromFloat(f->points[t.v[1]]);
        qvVec3 target = i % 3 == 0 ? a : qvMulAdd(a, i % 3 == 1 ? 0.5 : RandomUnit(&random), qvSub(b, a));
        qvVec3 origin = qvAdd(center, RandomPoint(&random, size));
        if (i % 5 == 0) // origins that are floats, and axis-aligned rays
            origin = qvMakeVec3(i % 2 ? target.x : (float)origin.x, target.y, i % 2 ? (float)origin.z : target.z);
        qvRay ray = { origin, qvSub(target, origin) };
        if (i % 5 == 0 && qvDistance(origin, center) > 1.7 * size)
            continue; // outside
        qvHit hit = qvBvh_Pick(f->bvh, ray, INFINITY);
        if (hit.triangle < 0)
            fail_msg("ray %d from (%g %g %g) to (%g %g %g) escaped", i, origin.x, origin.y, origin.z, target.x,
                     target.y, target.z);
        ASSERT_NEAR(hit.distance, 1.0, 1e-6);
    }
}

static void TestWatertight(void** state)
{
    (void)state;
    Fixture f;
    SetUp(&f, "sphere", 12);
    CheckNoEscape(&f, qvMakeVec3(0.0, 1.0, 0.0), 0.5, 60000, 3);
    // Away from the origin, where coordinates are rounded, and squashed.
    for (int i = 0; i < f.mesh->pointCount; i++)
    {
        f.points[i].x = f.points[i].x * 0.3f + 17.3f;
        f.points[i].y = f.points[i].y * 7.7f - 1234.5f;
        f.points[i].z = f.points[i].z * 1.9f + 0.01f;
    }
    qvBvh_Refit(f.bvh, f.points, NULL);
    CheckNoEscape(&f, qvMakeVec3(17.3, -1226.8, 0.01), 0.1, 60000, 4);
    TearDown(&f);
}

static void TestAxisAlignedRays(void** state)
{
    (void)state;
    Fixture f;
    SetUp(&f, "block", 4);
    qvHit hit = qvBvh_Pick(f.bvh, (qvRay){ { 0.0, 5.0, 0.0 }, { 0.0, -1.0, 0.0 } }, INFINITY);
    assert_true(hit.triangle >= 0 && hit.distance == 3.0 && hit.position.y == 2.0);
    ASSERT_NEAR(hit.normal.y, 1.0, 1e-15);
    hit = qvBvh_Pick(f.bvh, (qvRay){ { 0.0, 1.0, 0.0 }, { -2.0, -0.0, 0.0 } }, INFINITY); // from inside
    assert_true(hit.triangle >= 0 && hit.distance == 0.25 && hit.position.x == -0.5);
    ASSERT_NEAR(hit.normal.x, -1.0, 1e-15);
    hit = qvBvh_Pick(f.bvh, (qvRay){ { 0.1, 2.0, 0.1 }, { 0.0, -1.0, 0.0 } }, INFINITY); // from the surface
    assert_true(hit.triangle >= 0 && hit.distance == 0.0);
    hit = qvBvh_Pick(f.bvh, (qvRay){ { 0.6, 5.0, 0.0 }, { 0.0, -1.0, 0.0 } }, INFINITY);
    assert_int_equal(hit.triangle, -1);
    TearDown(&f);
    // A ray within a flat sheet meets only triangles seen edge-on, which cannot be hit.
    SetUp(&f, "sheet", 5);
    hit = qvBvh_Pick(f.bvh, (qvRay){ { -3.0, 1.0, 0.0 }, { 1.0, 0.0, 0.0 } }, INFINITY);
    assert_int_equal(hit.triangle, -1);
    // The border and the corner belong to it.
    hit = qvBvh_Pick(f.bvh, (qvRay){ { 1.0, 2.0, 3.0 }, { 0.0, 0.0, -1.0 } }, INFINITY);
    assert_true(hit.triangle >= 0 && hit.distance == 3.0);
    hit = qvBvh_Pick(f.bvh, (qvRay){ { 1.0, 0.7, -3.0 }, { 0.0, 0.0, 1.0 } }, INFINITY);
    assert_true(hit.triangle >= 0 && hit.distance == 3.0);
    hit = qvBvh_Pick(f.bvh, (qvRay){ { nextafter(1.0, 2.0), 0.7, -3.0 }, { 0.0, 0.0, 1.0 } }, INFINITY);
    assert_int_equal(hit.triangle, -1);
    TearDown(&f);
}

static void TestTiesGoToTheLowerTriangle(void** state)
{
    (void)state;
    enum
    {
        COUNT = 40
    };
    // Triangles of mixed sizes in one plane, all around the origin, so that the tree's order differs from the mesh's.
    qvVec3f positions[3 * COUNT];
    for (int i = 0; i < COUNT; i++)
    {
        float size = (float)(1 + i * 7 % COUNT);
        positions[3 * i] = (qvVec3f){ -size, -size, 2.0f };
        positions[3 * i + 1] = (qvVec3f){ 3.0f * size, -size, 2.0f };
        positions[3 * i + 2] = (qvVec3f){ -size, 3.0f * size, 2.0f };
    }
    Fixture f;
    SetUpTriangles(&f, positions, COUNT);
    bool reordered = false;
    for (int i = 0; i < COUNT; i++)
        reordered = reordered || f.bvh->order[i] != i;
    assert_true(reordered);
    qvHit hit = qvBvh_Pick(f.bvh, (qvRay){ { 0.0, 0.0, 0.0 }, { 0.01, 0.02, 1.0 } }, INFINITY);
    assert_int_equal(hit.triangle, 0);
    // Outside the first triangle: the lowest one that is large enough.
    hit = qvBvh_Pick(f.bvh, (qvRay){ { -10.5, 0.0, 0.0 }, { 0.0, 0.0, 1.0 } }, INFINITY);
    assert_int_equal(hit.triangle, 2);
    TearDown(&f);
}

static void TestDistancesCountInDirections(void** state)
{
    (void)state;
    Fixture f;
    SetUp(&f, "sphere", 6);
    uint64_t random = 21;
    for (int i = 0; i < 200; i++)
    {
        qvRay ray = RandomRay(&random);
        qvHit hit = qvBvh_Pick(f.bvh, ray, INFINITY);
        for (int exponent = -1000; exponent <= 1000; exponent += 250)
        {
            qvRay scaled = { ray.origin, qvScale(ldexp(1.0, exponent), ray.direction) };
            qvHit other = qvBvh_Pick(f.bvh, scaled, INFINITY);
            assert_int_equal(other.triangle, hit.triangle);
            assert_true(other.distance == ldexp(hit.distance, -exponent));
        }
        if (hit.triangle < 0)
            continue;
        assert_int_equal(qvBvh_Pick(f.bvh, ray, hit.distance).triangle, hit.triangle);
        assert_int_equal(qvBvh_Pick(f.bvh, ray, nextafter(hit.distance, 0.0)).triangle, -1);
    }
    TearDown(&f);
}

static void TestBadRaysHitNothing(void** state)
{
    (void)state;
    Fixture f;
    SetUp(&f, "sphere", 3);
    static const qvRay rays[] = {
        { { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 0.0 } },       { { 0.0, 1.0, 0.0 }, { NAN, 1.0, 0.0 } },
        { { 0.0, 1.0, 0.0 }, { INFINITY, 0.0, 0.0 } },  { { NAN, 1.0, 0.0 }, { 1.0, 0.0, 0.0 } },
        { { 0.0, -INFINITY, 0.0 }, { 0.0, 1.0, 0.0 } }, { { 1e300, 1.0, 0.0 }, { -1.0, 0.0, 0.0 } },
    };
    for (size_t i = 0; i < sizeof(rays) / sizeof(rays[0]); i++)
        assert_int_equal(qvBvh_Pick(f.bvh, rays[i], INFINITY).triangle, -1);
    qvRay good = { { 0.0, 1.0, 0.0 }, { 0.3, 0.2, 0.1 } };
    assert_true(qvBvh_Pick(f.bvh, good, INFINITY).triangle >= 0);
    assert_int_equal(qvBvh_Pick(f.bvh, good, -1.0).triangle, -1);
    assert_int_equal(qvBvh_Pick(f.bvh, good, NAN).triangle, -1);
    TearDown(&f);
}

// What a bad deformation can leave behind: the tree survives, hits only finite triangles, and recovers.
static void TestBadPoints(void** state)
{
    (void)state;
    static const float values[] = { NAN, INFINITY, -INFINITY, FLT_MAX, -FLT_MAX, 0.0f, FLT_MIN };
    enum
    {
        VALUES = sizeof(values) / sizeof(values[0])
    };
    qvError error;
    Fixture f;
    SetUp(&f, "imp", 1);
    for (int round = 0; round < 2 * VALUES; round++)
    {
        uint64_t random = 50 + (uint64_t)round;
        int step = round < VALUES ? 1 : 37; // all points, then some
        qvMesh_GatherPoints(f.mesh, f.mesh->positions, f.points);
        for (int i = 0; i < f.mesh->pointCount; i += step)
            f.points[i] = (qvVec3f){ values[round % VALUES], values[(round + i) % VALUES], values[round % VALUES] };
        qvBvh_Refit(f.bvh, f.points, NULL);
        qvBvh* built;
        ASSERT_OK(qvCreateBvh(f.mesh, f.points, &built, &error), error);
        for (int i = 0; i < 60; i++)
        {
            qvRay ray = RandomRay(&random);
            CheckAgainstAll(&f, ray, INFINITY);
            qvHit hit = qvBvh_Pick(f.bvh, ray, INFINITY);
            assert_int_equal(qvBvh_Pick(built, ray, INFINITY).triangle, hit.triangle);
            for (int k = 0; hit.triangle >= 0 && k < 3; k++)
                assert_true(isfinite(f.points[f.mesh->pointTriangles[hit.triangle].v[k]].x));
            assert_false(isnan(hit.distance) || isnan(hit.position.x) || isnan(hit.normal.x));
        }
        qvDestroyBvh(built);
    }
    Deform(&f, 0.2);
    qvBvh_Refit(f.bvh, f.points, NULL);
    CheckRays(&f, 50, 9);
    TearDown(&f);
}

// Triangles whose boxes all have the same centre, and a single triangle.
static void TestHardTrees(void** state)
{
    (void)state;
    enum
    {
        COUNT = 3000
    };
    qvVec3f* positions = malloc(3 * COUNT * sizeof(*positions));
    assert_non_null(positions);
    for (int i = 0; i < COUNT; i++)
    {
        float size = (float)(1 + i);
        positions[3 * i] = (qvVec3f){ -size, -size, -size };
        positions[3 * i + 1] = (qvVec3f){ size, -size, size };
        positions[3 * i + 2] = (qvVec3f){ 0.0f, size, 0.0f };
    }
    uint64_t random = 77;
    Fixture f;
    SetUpTriangles(&f, positions, COUNT);
    for (int i = 0; i < 50; i++)
        CheckAgainstAll(&f, RandomRay(&random), INFINITY);
    TearDown(&f);
    SetUpTriangles(&f, positions, 1);
    assert_int_equal(f.bvh->nodeCount, 1);
    for (int i = 0; i < 50; i++)
        CheckAgainstAll(&f, RandomRay(&random), INFINITY);
    TearDown(&f);
    // Sizes that double from one triangle to the next make the deepest trees.
    for (int i = 0; i < 120; i++)
        for (int k = 0; k < 3; k++)
            positions[3 * i + k] =
                (qvVec3f){ ldexpf(k == 1 ? 1.5f : 1.0f, i - 60), ldexpf(k == 2 ? 0.5f : 0.0f, i - 60), 0 };
    SetUpTriangles(&f, positions, 120);
    for (int i = 0; i < 120; i++)
    {
        qvRay ray = { { ldexp(1.1, i - 60), ldexp(0.1, i - 60), 1.0 }, { 0.0, 0.0, -1.0 } };
        CheckAgainstAll(&f, ray, INFINITY);
        assert_int_equal(qvBvh_Pick(f.bvh, ray, INFINITY).triangle, i);
    }
    TearDown(&f);
    free(positions);
}

// Needles along the rays, seen nearly edge-on: their distances are as uncertain as they are long.
static void TestNeedles(void** state)
{
    (void)state;
    enum
    {
        COUNT = 400
    };
    qvVec3f positions[3 * COUNT];
    qvRay rays[COUNT];
    uint64_t random = 31;
    for (int i = 0; i < COUNT; i++)
    {
        rays[i] = (qvRay){ RandomPoint(&random, 1.0), RandomPoint(&random, 1.0) };
        for (int k = 0; k < 3; k++)
            positions[3 * i + k] =
                qvVec3_ToFloat(qvMulAdd(rays[i].origin, 0.1 + 3.0 * RandomUnit(&random), rays[i].direction));
    }
    Fixture f;
    SetUpTriangles(&f, positions, COUNT);
    int hits = 0;
    for (int i = 0; i < COUNT; i++)
    {
        CheckAgainstAll(&f, rays[i], INFINITY);
        for (int k = 0; k < 3; k++)
        {
            qvVec3 target = qvVec3_FromFloat(positions[3 * i + k]);
            qvRay ray = { rays[i].origin, qvSub(target, rays[i].origin) };
            CheckAgainstAll(&f, ray, INFINITY);
            hits += qvBvh_Pick(f.bvh, ray, INFINITY).triangle >= 0;
        }
    }
    assert_true(hits > COUNT);
    TearDown(&f);
}

// Triangles in a plane that contains the rays, up to rounding: which of them are hit, and where, is noise, but the tree
// must agree with all of them.
static void TestEdgeOn(void** state)
{
    (void)state;
    enum
    {
        COUNT = 300
    };
    qvVec3f positions[3 * COUNT];
    uint64_t random = 41;
    for (int i = 0; i < COUNT; i++)
    {
        int base = RandomInt(&random, 4096), height = RandomInt(&random, 4096);
        for (int k = 0; k < 3; k++)
        {
            float x = (float)(base + RandomInt(&random, 512)) / 4096.0f;
            positions[3 * i + k] = (qvVec3f){ x, 3.0f * x, (float)(height + RandomInt(&random, 512)) / 1024.0f };
        }
    }
    Fixture f;
    SetUpTriangles(&f, positions, COUNT);
    int hits = 0;
    for (int i = 0; i < 2000; i++)
    {
        double x = RandomUnit(&random);
        qvRay ray = { { x, 3.0 * x, 4.0 * RandomUnit(&random) - 2.0 }, { 1.0, 3.0, 7.0 } };
        CheckAgainstAll(&f, ray, INFINITY);
        hits += qvBvh_Pick(f.bvh, ray, INFINITY).triangle >= 0;
    }
    assert_true(hits > 100);
    TearDown(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestAgreesWithBruteForce),
        cmocka_unit_test(TestRefitIsExact),
        cmocka_unit_test(TestRefitBitsDoNotDependOnThePool),
        cmocka_unit_test(TestEveryTriangleIsInOneLeaf),
        cmocka_unit_test(TestWatertight),
        cmocka_unit_test(TestAxisAlignedRays),
        cmocka_unit_test(TestTiesGoToTheLowerTriangle),
        cmocka_unit_test(TestDistancesCountInDirections),
        cmocka_unit_test(TestBadRaysHitNothing),
        cmocka_unit_test(TestBadPoints),
        cmocka_unit_test(TestHardTrees),
        cmocka_unit_test(TestNeedles),
        cmocka_unit_test(TestEdgeOn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
