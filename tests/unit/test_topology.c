// SPDX-License-Identifier: GPL-3.0-or-later
#include "testing.h"

#include "quaver/topology.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.141592653589793;

static qvMesh* Create(int vertexCount, const qvVec3f* positions, int faceCount, const int32_t* corners,
                      const int32_t* faceSizes)
{
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = vertexCount;
    def.positions = positions;
    def.faceCount = faceCount;
    def.faceSizes = faceSizes;
    def.corners = corners;
    qvMesh* mesh;
    qvError error;
    ASSERT_OK(qvCreateMesh(&def, &mesh, NULL, &error), error);
    return mesh;
}

static qvTopology* Topology(const qvMesh* mesh)
{
    qvTopology* topology;
    qvError error;
    ASSERT_OK(qvCreateTopology(mesh, &topology, &error), error);
    return topology;
}

static qvMesh* CreateCube(double size, double shift)
{
    static const int32_t corners[24] = { 0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 1, 3, 7, 5, 3, 2, 6, 7, 2, 0, 4, 6 };
    static const int32_t sizes[6] = { 4, 4, 4, 4, 4, 4 };
    qvVec3f positions[8];
    for (int i = 0; i < 8; i++)
        positions[i] = (qvVec3f){ (float)(shift + size * (i & 1)), (float)(shift + size * (i >> 1 & 1)),
                                  (float)(shift + size * (i >> 2)) };
    return Create(8, positions, 6, corners, sizes);
}

// A ball of rings of quadrilaterals with triangles at its poles.
static qvMesh* CreateBall(int rings, int sides)
{
    int count = 2 + (rings - 1) * sides;
    qvVec3f* positions = malloc((size_t)count * sizeof(*positions));
    int32_t* corners = malloc((size_t)rings * (size_t)sides * 6 * sizeof(*corners));
    assert_non_null(positions);
    assert_non_null(corners);
    positions[0] = (qvVec3f){ 0, 0, 1 };
    positions[count - 1] = (qvVec3f){ 0, 0, -1 };
    int triangles = 0;
    for (int r = 0; r < rings; r++)
    {
        for (int s = 0; s < sides; s++)
        {
            double theta = PI * r / rings, phi = 2.0 * PI * s / sides;
            int next = (s + 1) % sides, here = 1 + (r - 1) * sides, below = here + sides;
            if (r > 0)
                positions[here + s] =
                    (qvVec3f){ (float)(sin(theta) * cos(phi)), (float)(sin(theta) * sin(phi)), (float)cos(theta) };
            int a = r > 0 ? here + s : 0, b = r + 1 < rings ? below + s : count - 1;
            const int32_t lower[3] = { a, b, r + 1 < rings ? below + next : here + next };
            memcpy(corners + 3 * triangles++, lower, sizeof(lower));
            const int32_t upper[3] = { a, below + next, here + next };
            if (r > 0 && r + 1 < rings)
                memcpy(corners + 3 * triangles++, upper, sizeof(upper));
        }
    }
    qvMesh* mesh = Create(count, positions, triangles, corners, NULL);
    free(positions);
    free(corners);
    return mesh;
}

static qvMesh* CreateSoup(uint64_t* random)
{
    qvVec3f positions[20];
    int32_t corners[90];
    int vertexCount = 4 + RandomInt(random, 17), faceCount = 1 + RandomInt(random, 30);
    for (int i = 0; i < vertexCount; i++)
        positions[i] = (qvVec3f){ (float)RandomUnit(random), (float)RandomUnit(random), (float)RandomUnit(random) };
    for (int f = 0; f < faceCount; f++)
    {
        int start = RandomInt(random, vertexCount);
        for (int k = 0; k < 3; k++)
            corners[3 * f + k] = (start + k * (1 + RandomInt(random, 2))) % vertexCount;
    }
    corners[0] = 0, corners[1] = 1, corners[2] = 2; // at least one triangle with area
    return Create(vertexCount, positions, faceCount, corners, NULL);
}

// --- Structure -----------------------------------------------------------------------------------------------------

static void TestCube(void** state)
{
    (void)state;
    qvMesh* mesh = CreateCube(2.0, 0.0);
    qvTopology* topology = Topology(mesh);
    assert_int_equal(topology->pointCount, 8);
    assert_int_equal(topology->edgeCount, 18);
    assert_int_equal(topology->partCount, 1);
    assert_int_equal(topology->neighborStart[8], 36);
    for (int p = 0; p < 8; p++)
        assert_int_equal(topology->onBoundary[p], 0);
    // One closed fan per point: one entry more than neighbours.
    assert_int_equal(topology->ringStart[8], 36 + 8);
    qvDestroyTopology(topology);
    qvDestroyTopology(NULL);
    qvDestroyMesh(mesh);
}

static bool Runs(const qvTriangle* t, int a, int b)
{
    for (int k = 0; k < 3; k++)
    {
        if (t->v[k] == a && t->v[(k + 1) % 3] == b)
            return true;
    }
    return false;
}

static int ThirdPoint(const qvTriangle* t, int a, int b)
{
    return t->v[0] + t->v[1] + t->v[2] - a - b;
}

static void AssertEdgesAreRight(const qvTopology* topology)
{
    int sides = 0;
    uint8_t onBoundary[20] = { 0 };
    for (int e = 0; e < topology->edgeCount; e++)
    {
        const qvEdge* edge = &topology->edges[e];
        int a = edge->point[0], b = edge->point[1];
        assert_true(Runs(&topology->triangles[edge->triangle[0]], a, b));
        assert_int_equal(edge->opposite[0], ThirdPoint(&topology->triangles[edge->triangle[0]], a, b));
        sides += edge->triangle[1] >= 0 ? 2 : 1;
        if (edge->triangle[1] >= 0)
        {
            const qvTriangle* other = &topology->triangles[edge->triangle[1]];
            assert_true(Runs(other, b, a) || Runs(other, a, b));
            // A partner that runs the same way is taken only when no triangle runs the other way.
            for (int t = 0; t < topology->triangleCount && Runs(other, a, b); t++)
                assert_false(Runs(&topology->triangles[t], b, a));
            assert_int_equal(edge->opposite[1], ThirdPoint(other, a, b));
        }
        else
        {
            assert_int_equal(edge->opposite[1], -1);
            onBoundary[a] = onBoundary[b] = 1;
        }
        if (e > 0)
        {
            const int32_t* last = topology->edges[e - 1].point;
            int low = a < b ? a : b, lastLow = last[0] < last[1] ? last[0] : last[1];
            assert_true(low > lastLow || (low == lastLow && a + b >= last[0] + last[1]));
        }
    }
    assert_int_equal(sides, 3 * topology->triangleCount);
    assert_memory_equal(onBoundary, topology->onBoundary, (size_t)topology->pointCount);
    for (int h = 0; h < 3 * topology->triangleCount; h++)
    {
        const qvEdge* edge = &topology->edges[topology->triangleEdges[h]];
        const int32_t* v = topology->triangles[h / 3].v;
        int a = v[h % 3], b = v[(h + 1) % 3];
        assert_true((edge->point[0] == a && edge->point[1] == b) || (edge->point[0] == b && edge->point[1] == a));
        assert_true(edge->triangle[0] == h / 3 || edge->triangle[1] == h / 3);
    }
}

static void AssertNeighborsAreRight(const qvTopology* topology)
{
    for (int p = 0; p < topology->pointCount; p++)
    {
        bool isNeighbor[20] = { false };
        int fan = topology->fanStart[p], count = 0;
        for (int t = 0; t < topology->triangleCount; t++)
        {
            const int32_t* v = topology->triangles[t].v;
            if (v[0] != p && v[1] != p && v[2] != p)
                continue;
            assert_int_equal(v[topology->fanCorner[fan]], p);
            assert_int_equal(topology->fan[fan++], t);
            isNeighbor[v[0]] = isNeighbor[v[1]] = isNeighbor[v[2]] = true;
        }
        assert_int_equal(fan, topology->fanStart[p + 1]);
        for (int q = 0; q < topology->pointCount; q++)
        {
            if (isNeighbor[q] && q != p)
                assert_int_equal(topology->neighbors[topology->neighborStart[p] + count++], q);
        }
        assert_int_equal(count, topology->neighborStart[p + 1] - topology->neighborStart[p]);
    }
}

// The links of the rings are the triangles, each once per corner; and a fan is not cut where it goes on.
static void AssertRingsAreRight(const qvTopology* topology)
{
    for (int p = 0; p < topology->pointCount; p++)
    {
        int links = 0;
        for (int i = topology->ringStart[p] + 1; i < topology->ringStart[p + 1]; i++)
        {
            int a = topology->ring[i - 1], b = topology->ring[i], matches = 0;
            if (a == p || b == p)
                continue;
            links++;
            for (int k = topology->fanStart[p]; k < topology->fanStart[p + 1]; k++)
            {
                const qvTriangle* t = &topology->triangles[topology->fan[k]];
                matches += Runs(t, p, a) && Runs(t, a, b);
            }
            assert_int_equal(matches, 1);
        }
        assert_int_equal(links, topology->fanStart[p + 1] - topology->fanStart[p]);
    }
}

static void AssertPartsAreRight(const qvTopology* topology)
{
    int next = 0;
    for (int p = 0; p < topology->pointCount; p++)
    {
        assert_true(topology->pointPart[p] <= next);
        next += topology->pointPart[p] == next;
    }
    assert_int_equal(next, topology->partCount);
    int label[20];
    for (int p = 0; p < topology->pointCount; p++)
        label[p] = p;
    for (bool isChanged = true; isChanged;)
    {
        isChanged = false;
        for (int h = 0; h < 3 * topology->triangleCount; h++)
        {
            const int32_t* v = topology->triangles[h / 3].v;
            int a = v[h % 3], b = v[(h + 1) % 3];
            if (label[a] != label[b])
            {
                label[a] = label[b] = label[a] < label[b] ? label[a] : label[b];
                isChanged = true;
            }
            assert_int_equal(topology->trianglePart[h / 3], topology->pointPart[a]);
        }
    }
    for (int p = 0; p < topology->pointCount; p++)
    {
        for (int q = 0; q < p; q++)
            assert_int_equal(label[p] == label[q], topology->pointPart[p] == topology->pointPart[q]);
    }
}

static void TestRandomSoups(void** state)
{
    (void)state;
    uint64_t random = 4;
    int nonManifold = 0, parts = 0;
    for (int round = 0; round < 500; round++)
    {
        qvMesh* mesh = CreateSoup(&random);
        qvTopology* topology = Topology(mesh);
        AssertEdgesAreRight(topology);
        AssertNeighborsAreRight(topology);
        AssertRingsAreRight(topology);
        AssertPartsAreRight(topology);
        nonManifold += topology->edgeCount > topology->neighborStart[topology->pointCount] / 2;
        parts += topology->partCount > 1;
        qvDestroyTopology(topology);
        qvDestroyMesh(mesh);
    }
    assert_true(nonManifold > 50);
    assert_true(parts > 20);
}

// A wheel of so many triangles round one point must not take quadratic time.
static void TestHugeFan(void** state)
{
    (void)state;
    enum
    {
        SIDES = 60000
    };
    qvMesh* mesh = CreateBall(2, SIDES);
    qvTopology* topology = Topology(mesh);
    assert_int_equal(topology->fanStart[1], SIDES);
    assert_int_equal(topology->ringStart[1], SIDES + 1);
    assert_int_equal(topology->edgeCount, 3 * SIDES);
    qvDestroyTopology(topology);
    qvDestroyMesh(mesh);
}

// Two cones that touch at a point are one part, and the point has two fans.
static void TestTouchingCones(void** state)
{
    (void)state;
    static const qvVec3f positions[7] = { { 0, 0, 0 },  { 1, 0, 1 },  { 0, 1, 1 },   { -1, -1, 1 },
                                          { 1, 0, -1 }, { 0, 1, -1 }, { -1, -1, -1 } };
    static const int32_t corners[18] = { 0, 1, 2, 0, 2, 3, 0, 3, 1, 0, 5, 4, 0, 6, 5, 0, 4, 6 };
    qvMesh* mesh = Create(7, positions, 6, corners, NULL);
    qvTopology* topology = Topology(mesh);
    assert_int_equal(topology->partCount, 1);
    static const int32_t ring[9] = { 1, 2, 3, 1, 0, 5, 4, 6, 5 };
    assert_int_equal(topology->ringStart[1], 9);
    assert_memory_equal(topology->ring, ring, sizeof(ring));
    assert_int_equal(topology->onBoundary[0], 0);
    assert_int_equal(topology->onBoundary[1], 1);
    qvDestroyTopology(topology);
    qvDestroyMesh(mesh);
}

// --- Normals, masses, volume ----------------------------------------------------------------------------------------

static qvVec3 BruteNormal(const qvTopology* topology, const qvVec3f* points, int p, qvNormalWeight weight)
{
    qvVec3 sum = { 0.0, 0.0, 0.0 };
    for (int t = 0; t < topology->triangleCount; t++)
    {
        for (int k = 0; k < 3; k++)
        {
            const int32_t* v = topology->triangles[t].v;
            if (v[k] != p)
                continue;
            qvVec3 a = qvSub(qvVec3_FromFloat(points[v[(k + 1) % 3]]), qvVec3_FromFloat(points[p]));
            qvVec3 b = qvSub(qvVec3_FromFloat(points[v[(k + 2) % 3]]), qvVec3_FromFloat(points[p]));
            qvVec3 n = qvCross(a, b);
            double angle = acos(fmax(-1.0, fmin(1.0, qvDot(a, b) / (qvLength(a) * qvLength(b)))));
            sum = qvMulAdd(sum, weight == qv_weightByAngle ? angle / qvLength(n) : 1.0, n);
        }
    }
    return sum;
}

static qvVec3f* Normals(const qvTopology* topology, const qvVec3f* points, qvNormalWeight weight, qvPool* pool)
{
    qvVec3f* normals = malloc((size_t)topology->pointCount * sizeof(*normals));
    void* scratch = malloc(qvNormalScratchSize(topology, weight));
    assert_non_null(normals);
    assert_non_null(scratch);
    qvComputeNormals(topology, points, weight, scratch, pool, normals);
    free(scratch);
    return normals;
}

static void AssertNormalsAreRight(const qvTopology* topology, const qvVec3f* points, double tolerance)
{
    for (int w = 0; w < 2; w++)
    {
        qvNormalWeight weight = w ? qv_weightByAngle : qv_weightByArea;
        qvVec3f* normals = Normals(topology, points, weight, NULL);
        for (int p = 0; p < topology->pointCount; p++)
        {
            qvVec3 wanted = BruteNormal(topology, points, p, weight), n = qvVec3_FromFloat(normals[p]);
            ASSERT_NEAR(qvLength(n), 1.0, 1e-6);
            ASSERT_NEAR(qvDistance(n, qvNormalize(wanted)), 0.0, tolerance);
        }
        free(normals);
    }
}

static void TestNormalsMatchBruteForce(void** state)
{
    (void)state;
    uint64_t random = 8;
    qvMesh* mesh = CreateBall(9, 13);
    qvTopology* topology = Topology(mesh);
    qvVec3f* points = malloc((size_t)mesh->pointCount * sizeof(*points));
    assert_non_null(points);
    // At sizes where squares of areas leave the range of floats, too.
    static const double sizes[] = { 1.0, 1e-12, 3e-11, 1e-10, 1e-9, 1e-6, 1e5, 1e12 };
    for (int s = 0; s < 8; s++)
    {
        for (int p = 0; p < mesh->pointCount; p++)
        {
            double scale = sizes[s] * (1.0 + 0.3 * RandomUnit(&random));
            points[p] = qvVec3_ToFloat(qvScale(scale, qvVec3_FromFloat(mesh->positions[p])));
        }
        AssertNormalsAreRight(topology, points, 2e-6);
    }
    free(points);
    qvDestroyTopology(topology);
    qvDestroyMesh(mesh);
}

// Corners of every angle, needles among them: at a point with a single triangle any weight gives the same normal, so
// two triangles meet at each edge of a strip that folds.
static void TestNormalsOfAllAngles(void** state)
{
    (void)state;
    for (int i = 1; i < 60; i++)
    {
        double angle = PI * i / 60.0;
        qvVec3f points[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { (float)cos(angle), (float)sin(angle), 0 }, { 0, 0.3f, -1 } };
        static const int32_t corners[6] = { 0, 1, 2, 0, 2, 3 };
        qvMesh* mesh = Create(4, points, 2, corners, NULL);
        qvTopology* topology = Topology(mesh);
        AssertNormalsAreRight(topology, points, 2e-6);
        qvDestroyTopology(topology);
        qvDestroyMesh(mesh);
    }
}

// By angle, the corner of a cube points along its diagonal however the faces are cut.
static void TestAngleNormalsOfCube(void** state)
{
    (void)state;
    qvMesh* mesh = CreateCube(2.0, -1.0);
    qvTopology* topology = Topology(mesh);
    qvVec3f* normals = Normals(topology, mesh->positions, qv_weightByAngle, NULL);
    for (int p = 0; p < 8; p++)
    {
        qvVec3 wanted = qvNormalize(qvVec3_FromFloat(mesh->positions[p]));
        ASSERT_NEAR(qvDistance(qvVec3_FromFloat(normals[p]), wanted), 0.0, 1e-6);
    }
    free(normals);
    qvDestroyTopology(topology);
    qvDestroyMesh(mesh);
}

static void TestNormalsWithoutArea(void** state)
{
    (void)state;
    qvMesh* mesh = CreateCube(1.0, 0.0);
    qvTopology* topology = Topology(mesh);
    static const qvVec3f collapsed[8] = { { 0 } };
    for (int w = 0; w < 2; w++)
    {
        qvVec3f* normals = Normals(topology, collapsed, w ? qv_weightByAngle : qv_weightByArea, NULL);
        for (int p = 0; p < 8; p++)
        {
            ASSERT_NEAR(normals[p].x, 0.0, 0.0);
            ASSERT_NEAR(normals[p].z, 1.0, 0.0);
        }
        free(normals);
    }
    qvDestroyTopology(topology);
    qvDestroyMesh(mesh);
}

static void TestNormalsForAnyPool(void** state)
{
    (void)state;
    qvMesh* mesh = CreateBall(90, 110);
    qvTopology* topology = Topology(mesh);
    for (int w = 0; w < 2; w++)
    {
        qvNormalWeight weight = w ? qv_weightByAngle : qv_weightByArea;
        qvVec3f* one = Normals(topology, mesh->positions, weight, NULL);
        for (int threads = 2; threads <= 5; threads++)
        {
            qvPool* pool;
            qvError error;
            ASSERT_OK(qvCreatePool(threads, &pool, &error), error);
            qvVec3f* many = Normals(topology, mesh->positions, weight, pool);
            assert_memory_equal(one, many, (size_t)mesh->pointCount * sizeof(*one));
            free(many);
            qvDestroyPool(pool);
        }
        free(one);
    }
    qvDestroyTopology(topology);
    qvDestroyMesh(mesh);
}

// The kernels of every CPU level, with counts that do not fill the last lanes.
static void TestNormalsForAnyCpu(void** state)
{
    (void)state;
    for (int sides = 3; sides < 14; sides++)
    {
        qvMesh* mesh = CreateBall(5, sides);
        qvTopology* topology = Topology(mesh);
        for (int w = 0; w < 2; w++)
        {
            qvNormalWeight weight = w ? qv_weightByAngle : qv_weightByArea;
            qvVec3f* best = Normals(topology, mesh->positions, weight, NULL);
            assert_int_equal(setenv("QUAVER_CPU", "portable", 1), 0);
            qvVec3f* portable = Normals(topology, mesh->positions, weight, NULL);
            assert_int_equal(unsetenv("QUAVER_CPU"), 0);
            assert_memory_equal(best, portable, (size_t)mesh->pointCount * sizeof(*best));
            free(best);
            free(portable);
        }
        AssertNormalsAreRight(topology, mesh->positions, 2e-6);
        qvDestroyTopology(topology);
        qvDestroyMesh(mesh);
    }
}

static void TestMassesAndVolume(void** state)
{
    (void)state;
    qvMesh* mesh = CreateCube(2.0, 1000.0);
    qvTopology* topology = Topology(mesh);
    double masses[8], sum = 0.0;
    qvComputeMasses(topology, mesh->positions, masses);
    for (int p = 0; p < 8; p++)
    {
        // Each corner has 3 to 6 triangles of area 2.
        double thirds = 1.5 * masses[p];
        ASSERT_NEAR(thirds, topology->fanStart[p + 1] - topology->fanStart[p], 1e-12);
        sum += masses[p];
    }
    ASSERT_NEAR(sum, 24.0, 1e-12);
    ASSERT_NEAR(qvComputeVolume(topology, mesh->positions), 8.0, 1e-12);
    qvDestroyTopology(topology);
    qvDestroyMesh(mesh);
}

// Far away, sums from the origin would lose digits.
static void TestVolumeFarAway(void** state)
{
    (void)state;
    qvMesh* mesh = CreateBall(20, 30);
    qvTopology* topology = Topology(mesh);
    long double sum = 0.0L;
    for (int p = 0; p < mesh->pointCount; p++)
        mesh->positions[p].x += 5000.0f;
    for (int t = 0; t < mesh->triangleCount; t++)
    {
        const int32_t* v = mesh->pointTriangles[t].v;
        qvVec3f a = mesh->positions[v[0]], b = mesh->positions[v[1]], c = mesh->positions[v[2]];
        long double ax = (long double)a.x - 5000.0L, bx = (long double)b.x - 5000.0L, cx = (long double)c.x - 5000.0L;
        long double ay = a.y, az = a.z, by = b.y, bz = b.z, cy = c.y, cz = c.z;
        sum += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    }
    ASSERT_NEAR(qvComputeVolume(topology, mesh->positions), (double)(sum / 6.0L), 3e-15);
    qvDestroyTopology(topology);
    qvDestroyMesh(mesh);
}

// --- Distance -------------------------------------------------------------------------------------------------------

// A flat square grid; the diagonals run one way, or alternate. The middle column of cells may lack all but the lowest
// three.
static qvMesh* CreateGrid(int side, bool isAlternating, bool hasSlit)
{
    qvVec3f* positions = malloc((size_t)(side * side) * sizeof(*positions));
    int32_t* corners = malloc((size_t)(side * side) * 6 * sizeof(*corners));
    assert_non_null(positions);
    assert_non_null(corners);
    int count = 0;
    for (int y = 0; y < side; y++)
    {
        for (int x = 0; x < side; x++)
        {
            int i = y * side + x;
            positions[i] = (qvVec3f){ (float)x, (float)y, 0 };
            const int32_t up[6] = { i, i + 1, i + side + 1, i, i + side + 1, i + side };
            const int32_t down[6] = { i, i + 1, i + side, i + 1, i + side + 1, i + side };
            bool isCut = hasSlit && x == side / 2 && y >= 3;
            if (x + 1 < side && y + 1 < side && !isCut)
            {
                memcpy(corners + count, isAlternating && (x + y) % 2 ? down : up, sizeof(up));
                count += 6;
            }
        }
    }
    qvMesh* mesh = Create(side * side, positions, count / 3, corners, NULL);
    free(positions);
    free(corners);
    return mesh;
}

static float* Distances(const qvTopology* topology, const qvVec3f* points, int source, double maxDistance)
{
    float* distances = malloc((size_t)topology->pointCount * sizeof(*distances));
    assert_non_null(distances);
    int32_t sources[1] = { source };
    qvError error;
    ASSERT_OK(qvComputeDistances(topology, points, sources, 1, maxDistance, NULL, distances, &error), error);
    return distances;
}

static double LargestGridError(bool isAlternating)
{
    enum
    {
        SIDE = 41
    };
    qvMesh* mesh = CreateGrid(SIDE, isAlternating, false);
    qvTopology* topology = Topology(mesh);
    int source = SIDE / 2 * SIDE + SIDE / 2;
    float* distances = Distances(topology, mesh->positions, source, INFINITY);
    double worst = 0.0;
    for (int p = 0; p < mesh->pointCount; p++)
    {
        double straight = qvDistance(qvVec3_FromFloat(mesh->positions[p]), qvVec3_FromFloat(mesh->positions[source]));
        assert_true(distances[p] >= straight * (1.0 - 1e-6));
        worst = p != source ? fmax(worst, distances[p] / straight - 1.0) : worst;
    }
    free(distances);
    qvDestroyTopology(topology);
    qvDestroyMesh(mesh);
    return worst;
}

// The directions of a step bound the error: 26.6 degrees between two of them give 2.8 %.
static void TestDistanceOnGrid(void** state)
{
    (void)state;
    double oneWay = LargestGridError(false), alternating = LargestGridError(true);
    print_message("grid: %.4f one way, %.4f alternating\n", oneWay, alternating);
    assert_true(oneWay < 0.029);
    assert_true(alternating < 0.029);
}

// Over a slit there is no short cut: the way goes round its two corners.
static void TestDistanceGoesRound(void** state)
{
    (void)state;
    enum
    {
        SIDE = 10,
        LEFT = SIDE / 2,
        DEPTH = 3
    };
    qvVec3 leftCorner = { LEFT, DEPTH, 0.0 }, rightCorner = { LEFT + 1, DEPTH, 0.0 };
    for (int round = 0; round < 2; round++)
    {
        qvMesh* mesh = CreateGrid(SIDE, round == 1, true);
        qvTopology* topology = Topology(mesh);
        for (int source = 0; source < mesh->pointCount; source++)
        {
            qvVec3 from = qvVec3_FromFloat(mesh->positions[source]);
            float* distances = Distances(topology, mesh->positions, source, INFINITY);
            for (int p = 0; p < mesh->pointCount; p++)
            {
                qvVec3 to = qvVec3_FromFloat(mesh->positions[p]);
                if (from.y < DEPTH || to.y < DEPTH || (from.x <= LEFT) == (to.x <= LEFT))
                    continue;
                double exact = from.x <= LEFT ? qvDistance(from, leftCorner) + 1.0 + qvDistance(rightCorner, to)
                                              : qvDistance(from, rightCorner) + 1.0 + qvDistance(leftCorner, to);
                assert_true(distances[p] >= exact * (1.0 - 1e-6));
                assert_true(distances[p] <= exact * 1.03);
            }
            free(distances);
        }
        qvDestroyTopology(topology);
        qvDestroyMesh(mesh);
    }
}

// Three triangles bent round point 3: the straight way to point 4 leaves them on the left, or mirrored on the right.
static void TestDistanceStaysInStrip(void** state)
{
    (void)state;
    for (int side = -1; side <= 1; side += 2)
    {
        float y = (float)side;
        const qvVec3f points[5] = { { 0, 0, 0 }, { 1, -y, 0 }, { 1, y, 0 }, { 2, 0, 0 }, { 3, 0.8f * y, 0 } };
        static const int32_t corners[9] = { 0, 1, 2, 1, 3, 2, 1, 4, 3 };
        qvMesh* mesh = Create(5, points, 3, corners, NULL);
        qvTopology* topology = Topology(mesh);
        float* distances = Distances(topology, points, 0, INFINITY);
        ASSERT_NEAR(distances[3], 2.0, 1e-6);
        ASSERT_NEAR(distances[4], 2.0 + sqrt(1.64), 1e-6);
        free(distances);
        qvDestroyTopology(topology);
        qvDestroyMesh(mesh);
    }
}

static void TestDistanceOnBall(void** state)
{
    (void)state;
    qvMesh* mesh = CreateBall(60, 120);
    qvTopology* topology = Topology(mesh);
    int source = 1 + 29 * 120; // on the equator
    float* distances = Distances(topology, mesh->positions, source, INFINITY);
    double worst = 0.0, mean = 0.0;
    for (int p = 0; p < mesh->pointCount; p++)
    {
        double cosine = qvDot(qvVec3_FromFloat(mesh->positions[p]), qvVec3_FromFloat(mesh->positions[source]));
        double exact = acos(fmax(-1.0, fmin(1.0, cosine)));
        if (p == source)
            continue;
        assert_true(distances[p] >= exact * 0.998); // the mesh lies inside the ball
        worst = fmax(worst, distances[p] / exact - 1.0);
        mean += (distances[p] / exact - 1.0) / mesh->pointCount;
    }
    print_message("ball: %.4f at most, %.4f mean\n", worst, mean);
    assert_true(worst < 0.028);
    assert_true(mean < 0.008);
    free(distances);
    qvDestroyTopology(topology);
    qvDestroyMesh(mesh);
}

// Over the edge of a roof the straight segment across both triangles is shorter than any path along edges.
static void TestDistanceUnfolds(void** state)
{
    (void)state;
    static const qvVec3f roof[4] = { { 0, 0, 0 }, { 4, 0, 0 }, { 2, -3, -4 }, { 2, 3, -4 } };
    static const qvVec3f slanted[4] = { { 0, 0, 0 }, { 4, 0, 0 }, { -8, -3, -4 }, { -9, 3, -4 } };
    static const int32_t corners[6] = { 0, 1, 3, 1, 0, 2 };
    qvMesh* mesh = Create(4, roof, 2, corners, NULL);
    qvTopology* topology = Topology(mesh);
    float* distances = Distances(topology, roof, 2, INFINITY);
    ASSERT_NEAR(distances[3], 10.0, 1e-6);
    free(distances);
    // Here the segment would leave the triangles: the path goes over point 0.
    distances = Distances(topology, slanted, 2, INFINITY);
    ASSERT_NEAR(distances[3], sqrt(89.0) + sqrt(106.0), 1e-5);
    free(distances);
    qvDestroyTopology(topology);
    qvDestroyMesh(mesh);
}

static void TestDistanceLimits(void** state)
{
    (void)state;
    // Two grids side by side.
    static const qvVec3f positions[7] = { { 0, 0, 0 }, { 1, 0, 0 },  { 0, 1, 0 }, { 5, 5, 0 },
                                          { 9, 0, 0 }, { 10, 0, 0 }, { 9, 1, 0 } };
    static const int32_t corners[9] = { 0, 1, 2, 1, 3, 2, 4, 5, 6 };
    qvMesh* mesh = Create(7, positions, 3, corners, NULL);
    qvTopology* topology = Topology(mesh);
    float* distances = Distances(topology, positions, 0, 2.0);
    ASSERT_NEAR(distances[0], 0.0, 0.0);
    ASSERT_NEAR(distances[1], 1.0, 0.0);
    for (int p = 3; p < 7; p++)
        assert_true(isinf(distances[p]));
    static const int32_t sources[3] = { 3, 5, 3 };
    qvError error;
    ASSERT_OK(qvComputeDistances(topology, positions, sources, 3, INFINITY, NULL, distances, &error), error);
    ASSERT_NEAR(distances[0], sqrt(50.0), 1e-6);
    ASSERT_NEAR(distances[4], 1.0, 0.0);
    ASSERT_OK(qvComputeDistances(topology, positions, NULL, 0, INFINITY, NULL, distances, &error), error);
    assert_true(isinf(distances[0]));
    free(distances);
    qvDestroyTopology(topology);
    qvDestroyMesh(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestCube),
        cmocka_unit_test(TestRandomSoups),
        cmocka_unit_test(TestHugeFan),
        cmocka_unit_test(TestTouchingCones),
        cmocka_unit_test(TestNormalsMatchBruteForce),
        cmocka_unit_test(TestNormalsOfAllAngles),
        cmocka_unit_test(TestAngleNormalsOfCube),
        cmocka_unit_test(TestNormalsWithoutArea),
        cmocka_unit_test(TestNormalsForAnyPool),
        cmocka_unit_test(TestNormalsForAnyCpu),
        cmocka_unit_test(TestMassesAndVolume),
        cmocka_unit_test(TestVolumeFarAway),
        cmocka_unit_test(TestDistanceOnGrid),
        cmocka_unit_test(TestDistanceGoesRound),
        cmocka_unit_test(TestDistanceStaysInStrip),
        cmocka_unit_test(TestDistanceOnBall),
        cmocka_unit_test(TestDistanceUnfolds),
        cmocka_unit_test(TestDistanceLimits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
