// SPDX-License-Identifier: GPL-3.0-or-later
#include "testing.h"

#include "mesh/blob.h"
#include "mesh/implicit.h"

#include <stdlib.h>
#include <string.h>

enum
{
    WAVES = 5
};

// A bumpy solid with holes, bridges and islands that a coarse grid cannot resolve. The field has no context, so its
// numbers live here.
static struct
{
    double amplitude[WAVES], phase[WAVES];
    qvVec3 wave[WAVES];
} waves;

static double WaveField(const void* context, qvVec3 p)
{
    (void)context;
    double value = 0.0;
    for (int i = 0; i < WAVES; i++)
        value += waves.amplitude[i] * cos(waves.wave[i].x * p.x) *
                 cos(waves.wave[i].y * p.y + waves.wave[i].z * p.z + waves.phase[i]);
    return fmax(value, qvLength(p) - 1.0);
}

static void MakeWaves(uint64_t seed)
{
    for (int i = 0; i < WAVES; i++)
    {
        waves.amplitude[i] = 0.1 + 0.1 * RandomUnit(&seed);
        waves.phase[i] = 6.3 * RandomUnit(&seed);
        waves.wave[i] = qvMakeVec3(12.0 * RandomUnit(&seed), 12.0 * RandomUnit(&seed), 12.0 * RandomUnit(&seed));
    }
}

// Two balls that touch at one corner of the grid's cells.
static double TouchingBalls(const void* context, qvVec3 p)
{
    (void)context;
    double x = fabs(p.x) - 0.5;
    double first = qvLength(qvMakeVec3(x + 0.2, p.y + 0.2, p.z + 0.2)) - 0.3;
    double second = qvLength(qvMakeVec3(x - 0.2, p.y - 0.2, p.z - 0.2)) - 0.3;
    return fmin(first, second);
}

// Half of a closed manifold: inner edges have two triangles that run along them in opposite directions, border edges
// are those in the mirror plane, and the triangles around a point are one fan.
static void CheckNet(const qvNet* net)
{
    int32_t* opposites = qvMakeOpposites(net->triangles, net->triangleCount);
    int* triangles = calloc((size_t)net->pointCount, sizeof(*triangles));
    assert_true(opposites != NULL && triangles != NULL);
    for (int corner = 0; corner < 3 * net->triangleCount; corner++)
    {
        const int32_t* v = net->triangles[corner / 3].v;
        triangles[v[corner % 3]]++;
        // An edge within the mirror plane would be that of both halves.
        bool inPlane = net->points[v[(corner + 1) % 3]].x == 0.0 && net->points[v[(corner + 2) % 3]].x == 0.0;
        assert_int_equal(inPlane, opposites[corner] < 0);
        assert_true(inPlane || opposites[opposites[corner]] == corner);
    }
    for (int start = 0; start < 3 * net->triangleCount; start++)
    {
        // Back to where the fan begins or closes, then once through it.
        int point = net->triangles[start / 3].v[start % 3], count = 0, at = start, first = start;
        for (int across; (across = opposites[at / 3 * 3 + (at + 1) % 3]) >= 0;)
        {
            at = across / 3 * 3 + (across + 1) % 3;
            if (at == start)
                break;
            first = at;
        }
        at = first;
        do
        {
            assert_int_equal(net->triangles[at / 3].v[at % 3], point);
            count++;
            int across = opposites[at / 3 * 3 + (at + 2) % 3];
            at = across < 0 ? first : across / 3 * 3 + (across + 2) % 3;
        } while (at != first);
        assert_int_equal(count, triangles[point]);
    }
    free(opposites);
    free(triangles);
}

static void CheckField(const qvField* field, double cell)
{
    qvNet net = { 0 };
    assert_true(qvField_MakeNet(field, cell, &net));
    CheckNet(&net);
    assert_true(qvNet_Relax(&net, field, cell, qv_noSharpEdges));
    CheckNet(&net);
    for (int i = 0; i < net.pointCount; i++)
        assert_true(isfinite(net.points[i].x + net.points[i].y + net.points[i].z) && net.points[i].x >= 0.0);
    free(net.points);
    free(net.triangles);
}

static void TestNetsAreManifold(void** state)
{
    (void)state;
    const qvField field = { WaveField, 1e9, { 0.0, -1.1, -1.1 }, { 1.1, 1.1, 1.1 }, NULL };
    for (int i = 0; i < 60; i++)
    {
        MakeWaves(1000 + (uint64_t)i);
        CheckField(&field, 0.09 + 0.003 * (i % 20));
    }
    const qvField balls = { TouchingBalls, 1.0, { 0.0, -0.6, -0.6 }, { 1.1, 0.6, 0.6 }, NULL };
    for (int i = 0; i < 40; i++)
        CheckField(&balls, 0.05 + 0.0037 * i);
}

// Blocks that are skipped while sampling are those without a surface.
static void TestSkippingChangesNothing(void** state)
{
    (void)state;
    const qvField quick = { TouchingBalls, 1.0, { 0.0, -0.6, -0.6 }, { 1.1, 0.6, 0.6 }, NULL };
    qvField slow = quick;
    slow.steepness = 1e9;
    qvNet a = { 0 }, b = { 0 };
    assert_true(qvField_MakeNet(&quick, 0.02, &a) && qvField_MakeNet(&slow, 0.02, &b));
    assert_int_equal(a.pointCount, b.pointCount);
    assert_int_equal(a.triangleCount, b.triangleCount);
    assert_memory_equal(a.points, b.points, (size_t)a.pointCount * sizeof(*a.points));
    free(a.points);
    free(a.triangles);
    free(b.points);
    free(b.triangles);
}

// The reach of a joint, and mirror images.
static void TestBlobs(void** state)
{
    (void)state;
    assert_true(qvBlend(1.0, 2.0, 0.5) == 1.0);
    assert_true(qvBlend(2.0, 1.0, 0.5) == 1.0);
    ASSERT_NEAR(qvBlend(1.0, 1.0, 0.4), 0.9, 1e-15);
    ASSERT_NEAR(qvBlend(1.0, 1.1, 0.4), qvBlend(1.1, 1.0, 0.4), 0.0);
    // A cone from a ball of 0.3 to one of 0.1: its ends, and the flank between, which leans by asin(0.2).
    const qvBlob cone = { { 0.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, 0.3, 0.1, 0.1, 0 };
    ASSERT_NEAR(qvBlendBlobs(9.0, &cone, 1, qvMakeVec3(0.0, -1.0, 0.0)), 0.7, 1e-15);
    ASSERT_NEAR(qvBlendBlobs(9.0, &cone, 1, qvMakeVec3(0.0, 1.5, 0.0)), 0.4, 1e-15);
    qvVec3 onFlank = { sqrt(0.96) * 0.2, 0.5 + 0.2 * 0.2, 0.0 };
    ASSERT_NEAR(qvBlendBlobs(9.0, &cone, 1, onFlank), 0.0, 1e-15);
    ASSERT_NEAR(qvEllipsoidDistance(qvMakeVec3(0.5, 0.0, 0.0), qvMakeVec3(0.0, 0.0, 0.0), qvMakeVec3(0.5, 2.0, 3.0)),
                0.0, 1e-15);
    const qvBlob mirrored = { { 0.2, 0.0, 0.0 }, { 0.5, 0.3, 0.1 }, 0.15, 0.1, 0.2, 1 };
    uint64_t random = 5;
    for (int i = 0; i < 1000; i++)
    {
        double x = 2.0 * RandomUnit(&random) - 1.0, y = RandomUnit(&random), z = RandomUnit(&random);
        qvBlob left = mirrored, right = mirrored;
        left.mirrored = right.mirrored = 0;
        left.start.x = -left.start.x;
        left.end.x = -left.end.x;
        qvVec3 p = { x, y, z };
        double both = qvBlendBlobs(9.0, &mirrored, 1, p);
        assert_true(both == qvBlendBlobs(9.0, &mirrored, 1, qvMakeVec3(-x, y, z)));
        double one = qvBlendBlobs(9.0, &right, 1, p), other = qvBlendBlobs(9.0, &left, 1, p);
        ASSERT_NEAR(both, qvBlend(one, other, mirrored.blend), 1e-15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestNetsAreManifold),
        cmocka_unit_test(TestSkippingChangesNothing),
        cmocka_unit_test(TestBlobs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
