// SPDX-License-Identifier: GPL-3.0-or-later
#include "random_vectors.h"
#include "testing.h"

#include "math/mat3.h"
#include "quaver/brush.h"
#include "quaver/primitive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static qvStroke MakeStroke(const char* tag, qvVec3 at, double radius)
{
    qvStroke stroke = qvDefaultStroke(qvFindBrush(tag), 1.0);
    stroke.at = at;
    stroke.radius = radius;
    return stroke;
}

static void Apply(const qvStroke* stroke, const qvStrokeWave* wave, qvVec3* points, int count)
{
    qvError error;
    qvStrokeTarget target = { .pointCount = count };
    ASSERT_OK(qvStroke_Apply(stroke, &target, wave, points, &error), error);
}

// --- What holds for every brush --------------------------------------------------------------------------------------

static void TestRegistry(void** state)
{
    (void)state;
    assert_true(qvBrushCount() >= 5);
    assert_null(qvFindBrush("no such brush"));
    for (int i = 0; i < qvBrushCount(); i++)
    {
        const qvBrush* brush = qvGetBrush(i);
        assert_ptr_equal(qvFindBrush(brush->tag), brush);
        assert_true(strlen(brush->label) > 0 && strlen(brush->description) > 0 && brush->parameterCount > 0);
        assert_true((brush->handle != NULL) != (brush->shape != NULL));
        for (int k = 0; k < brush->parameterCount; k++)
        {
            const qvParameter* parameter = &brush->parameters[k];
            assert_true(parameter->offset < sizeof(qvStroke) && parameter->minimum < parameter->maximum);
            assert_true(parameter->standard[0] >= parameter->minimum && parameter->standard[0] <= parameter->maximum);
            assert_true(strlen(parameter->tag) > 0 && strlen(parameter->label) > 0 && parameter->unit != NULL);
            for (int other = 0; other < k; other++)
                assert_string_not_equal(parameter->tag, brush->parameters[other].tag);
        }
        qvError error;
        qvStroke stroke = qvDefaultStroke(brush, 4.0);
        ASSERT_NEAR(stroke.radius, 0.6, 1e-15);
        ASSERT_OK(qvStroke_Validate(&stroke, &error), error);
    }
}

// Every number of every brush out of its range, or not a number, is refused by its name.
static void TestValidation(void** state)
{
    (void)state;
    for (int i = 0; i < qvBrushCount(); i++)
    {
        const qvBrush* brush = qvGetBrush(i);
        for (int k = 0; k < brush->parameterCount; k++)
        {
            const qvParameter* parameter = &brush->parameters[k];
            double bad[3] = { parameter->maximum * 1.5 + 1.0, parameter->minimum - 1.0, NAN };
            for (int b = 0; b < 3; b++)
            {
                qvStroke stroke = qvDefaultStroke(brush, 1.0);
                void* field = (char*)&stroke + parameter->offset;
                if (parameter->type == qv_parameterNumber)
                    *(double*)field = bad[b];
                else if (parameter->type == qv_parameterVector || parameter->type == qv_parameterPoint)
                    ((qvVec3*)field)->z = bad[b];
                else if (parameter->type == qv_parameterInt && b < 2)
                    *(int*)field = (int)bad[b];
                else
                    continue;
                qvError error;
                qvVec3 point = { 0 };
                qvStrokeTarget target = { .pointCount = 1 };
                assert_int_equal(qvStroke_Apply(&stroke, &target, NULL, &point, &error), qv_badInput);
                ASSERT_CONTAINS(error.message, parameter->tag);
            }
        }
    }
    qvError error;
    qvStroke stroke = MakeStroke("twist", qvMakeVec3(0, 0, 0), 1.0);
    stroke.axis = qvMakeVec3(0, 0, 0);
    assert_int_equal(qvStroke_Validate(&stroke, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "axis");
    qvStrokeWave wave = { .speed = -1.0, .age = 1.0 };
    qvVec3 point = { 0 };
    stroke.axis.x = 1.0;
    assert_int_equal(qvStroke_Apply(&stroke, &(qvStrokeTarget){ .pointCount = 1 }, &wave, &point, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "speed");
}

// Float and double agree, and any pool gives the same bits.
static void TestPrecisionsAndThreads(void** state)
{
    (void)state;
    qvError error;
    qvMesh* mesh;
    qvTopology* topology;
    qvPool* pool;
    ASSERT_OK(qvCreatePrimitive("sack", 24, &mesh, &error), error);
    ASSERT_OK(qvCreateTopology(mesh, &topology, &error), error);
    ASSERT_OK(qvCreatePool(3, &pool, &error), error);
    int count = topology->pointCount;
    qvVec3f* rest = calloc((size_t)count, sizeof(*rest));
    qvVec3f* a = calloc((size_t)count, sizeof(*a));
    qvVec3f* b = calloc((size_t)count, sizeof(*b));
    qvVec3* d = calloc((size_t)count, sizeof(*d));
    assert_true(rest != NULL && a != NULL && b != NULL && d != NULL);
    qvMesh_GatherPoints(mesh, mesh->positions, rest);
    for (int i = 0; i < qvBrushCount(); i++)
    {
        qvStroke stroke = qvDefaultStroke(qvGetBrush(i), 3.0);
        stroke.at = qvMakeVec3(0.3, 1.5, 0.2);
        stroke.drag = qvMakeVec3(0.5, 0.2, 0.1);
        stroke.angle = 1.0;
        stroke.amount = 0.5;
        stroke.mirror = 1;
        qvStrokeTarget target = { .pointCount = count, .topology = topology };
        memcpy(a, rest, (size_t)count * sizeof(*rest));
        memcpy(b, rest, (size_t)count * sizeof(*rest));
        double moved = 0.0;
        for (int k = 0; k < count; k++)
            d[k] = qvVec3_FromFloat(rest[k]);
        ASSERT_OK(qvStroke_Apply(&stroke, &target, NULL, d, &error), error);
        ASSERT_OK(qvStroke_Applyf(&stroke, &target, NULL, a, &error), error);
        target.pool = pool;
        ASSERT_OK(qvStroke_Applyf(&stroke, &target, NULL, b, &error), error);
        assert_memory_equal(a, b, (size_t)count * sizeof(*a));
        for (int k = 0; k < count; k++)
        {
            ASSERT_NEAR(qvDistance(d[k], qvVec3_FromFloat(a[k])), 0.0, 3e-6);
            moved = fmax(moved, qvDistance(d[k], qvVec3_FromFloat(rest[k])));
        }
        assert_true(moved > 1e-3);
    }
    free(rest);
    free(a);
    free(b);
    free(d);
    qvDestroyPool(pool);
    qvDestroyTopology(topology);
    qvDestroyMesh(mesh);
}

// --- Exactness at the centre -----------------------------------------------------------------------------------------

static const double ratios[] = { 0.0, 0.3, 0.45, 0.5 };

// Every image of the centre ends at the image of its target, for all subsets of mirrors.
static void TestGrabEndsAtTarget(void** state)
{
    (void)state;
    uint64_t random = 1;
    for (unsigned mirror = 0; mirror < 8; mirror++)
    {
        for (int scales = 1; scales <= 3; scales++)
        {
            qvStroke stroke = MakeStroke("grab", qvMakeVec3(0.5, 0.7, 0.4), 0.6);
            stroke.mirror = mirror;
            stroke.scales = scales;
            stroke.poisson = ratios[(mirror + (unsigned)scales) % 4];
            // Not through a mirror plane, where an image comes the other way.
            stroke.drag = qvScale(0.35, RandomVec3(&random));
            qvVec3 points[8], starts[8];
            int count = qvStroke_Centers(&stroke, points);
            assert_int_equal(count, 1 << ((mirror & 1) + (mirror >> 1 & 1) + (mirror >> 2 & 1)));
            memcpy(starts, points, sizeof(points));
            Apply(&stroke, NULL, points, count);
            for (int i = 0; i < count; i++)
            {
                qvVec3 target = qvAdd(stroke.at, stroke.drag);
                target.x *= starts[i].x < 0.0 ? -1.0 : 1.0;
                target.y *= starts[i].y < 0.0 ? -1.0 : 1.0;
                target.z *= starts[i].z < 0.0 ? -1.0 : 1.0;
                ASSERT_NEAR(qvDistance(points[i], target), 0.0, 1e-9);
            }
        }
    }
}

static void TestGrabInFloat(void** state)
{
    (void)state;
    qvError error;
    qvStroke stroke = MakeStroke("grab", qvMakeVec3(0.5, 0.75, 0.25), 0.5);
    stroke.drag = qvMakeVec3(1.5, -0.5, 0.25);
    qvVec3f point = qvVec3_ToFloat(stroke.at);
    ASSERT_OK(qvStroke_Applyf(&stroke, &(qvStrokeTarget){ .pointCount = 1 }, NULL, &point, &error), error);
    ASSERT_NEAR(qvDistance(qvVec3_FromFloat(point), qvAdd(stroke.at, stroke.drag)), 0.0, 1e-6);
}

// On the mirror plane the stroke counts once.
static void TestOnPlane(void** state)
{
    (void)state;
    uint64_t random = 2;
    qvStroke stroke = MakeStroke("grab", qvMakeVec3(0.0, 0.7, 0.4), 0.6), plain;
    stroke.drag = qvMakeVec3(0.0, 0.4, 0.1);
    plain = stroke;
    stroke.mirror = 1;
    qvVec3 a[20], b[20], centers[8];
    assert_int_equal(qvStroke_Centers(&stroke, centers), 1);
    for (int i = 0; i < 20; i++)
        a[i] = b[i] = RandomVec3(&random);
    Apply(&stroke, NULL, a, 20);
    Apply(&plain, NULL, b, 20);
    assert_memory_equal(a, b, sizeof(a));
}

static void TestMirrorIsSymmetric(void** state)
{
    (void)state;
    uint64_t random = 3;
    static const char* const tags[] = { "grab", "twist", "scale", "pinch" };
    for (int t = 0; t < 4; t++)
    {
        qvStroke stroke = MakeStroke(tags[t], qvMakeVec3(0.4, 0.7, 0.3), 0.6);
        stroke.drag = qvMakeVec3(0.3, 0.2, -0.4);
        stroke.axis = qvMakeVec3(0.2, 1.0, 0.4);
        stroke.angle = 0.8;
        stroke.amount = 0.4;
        stroke.mirror = 1;
        for (int i = 0; i < 30; i++)
        {
            qvVec3 pair[2] = { RandomVec3(&random) };
            pair[1] = qvMakeVec3(-pair[0].x, pair[0].y, pair[0].z);
            Apply(&stroke, NULL, pair, 2);
            ASSERT_NEAR(qvDistance(pair[1], qvMakeVec3(-pair[0].x, pair[0].y, pair[0].z)), 0.0, 1e-9);
        }
    }
}

// Where points end, next to a mirror plane, that start around a grab's centre at distance d.
enum
{
    NEAR_POINTS = 8,
};

static void ApplyNearMirror(const qvStroke* stroke, double d, qvVec3 points[NEAR_POINTS])
{
    static const double offsets[NEAR_POINTS / 2] = { 0.0, 0.02, 0.15, 0.6 };
    qvStroke moved = *stroke;
    moved.at.x = d;
    for (int i = 0; i < NEAR_POINTS; i++)
        points[i] = qvMakeVec3((i % 2 ? -1.0 : 1.0) * (d + offsets[i / 2]), moved.at.y, moved.at.z);
    Apply(&moved, NULL, points, NEAR_POINTS);
    for (int i = 0; i < NEAR_POINTS; i += 2)
    {
        assert_true(isfinite(qvLength(points[i])));
        ASSERT_NEAR(qvDistance(points[i + 1], qvMakeVec3(-points[i].x, points[i].y, points[i].z)), 0.0, 1e-9);
        assert_true(points[i].x > (i > 0 ? points[i - 2].x : 0.0));
    }
}

// As the centre approaches the plane, what is asked along the plane stays exact, what is asked across it is exact up to
// 0.025 radii and then fades out without a jump; all stays symmetric and in order. Away from the plane and towards it.
static void TestNearMirrorPlane(void** state)
{
    (void)state;
    for (int round = 0; round < 6; round++)
    {
        qvStroke stroke = MakeStroke("grab", qvMakeVec3(0.0, 0.3, 0.2), 0.5);
        stroke.drag = qvMakeVec3(round % 2 ? 0.2 : -0.4, 0.3, -0.1);
        stroke.scales = 1 + round / 2;
        stroke.poisson = ratios[round % 4];
        stroke.mirror = 1;
        qvVec3 points[NEAR_POINTS], before[NEAR_POINTS];
        double d = 0.4 * stroke.radius;
        for (int i = 0; d > 2e-6 * stroke.radius; i++, d *= d > 0.005 * stroke.radius ? 0.96 : 0.3)
        {
            ApplyNearMirror(&stroke, d, points);
            ASSERT_NEAR(points[0].y, 0.6, 1e-9);
            ASSERT_NEAR(points[0].z, 0.1, 1e-9);
            double nearest = fmin(0.025 * stroke.radius, d);
            if (d <= 0.01 * stroke.radius)
                ASSERT_NEAR(points[0].x, d, 1e-9);
            else if (stroke.drag.x < 0.0)
                ASSERT_NEAR(points[0].x, fmax(d + stroke.drag.x, nearest), 1e-9);
            else if (d >= 0.025 * stroke.radius)
                ASSERT_NEAR(points[0].x, d + stroke.drag.x, 1e-9);
            else
                assert_true(points[0].x > d && points[0].x < d + stroke.drag.x);
            for (int k = 0; i > 0 && k < NEAR_POINTS; k++)
                ASSERT_NEAR(qvDistance(points[k], before[k]), 0.0, 0.08);
            memcpy(before, points, sizeof(points));
        }
    }
}

// The deformation gradient of a stroke at a point.
static qvMat3 Deformation(const qvStroke* stroke, qvVec3 at)
{
    double h = 1e-5;
    qvVec3 points[6];
    qvMat3 F;
    for (int a = 0; a < 3; a++)
    {
        qvVec3 step = qvMakeVec3(a == 0 ? h : 0.0, a == 1 ? h : 0.0, a == 2 ? h : 0.0);
        points[2 * a] = qvAdd(at, step);
        points[2 * a + 1] = qvSub(at, step);
    }
    Apply(stroke, NULL, points, 6);
    for (int a = 0; a < 3; a++)
    {
        qvVec3 d = qvScale(0.5 / h, qvSub(points[2 * a], points[2 * a + 1]));
        F.m[0][a] = d.x;
        F.m[1][a] = d.y;
        F.m[2][a] = d.z;
    }
    return F;
}

static double RotationAngle(const qvMat3* F)
{
    return acos(fmin(fmax(0.5 * (qvMat3_Trace(F) - 1.0), -1.0), 1.0));
}

static void TestTwistTurnsByAngle(void** state)
{
    (void)state;
    for (int round = 0; round < 12; round++)
    {
        qvStroke stroke = MakeStroke("twist", qvMakeVec3(0.5, 0.2, 0.3), 0.5);
        stroke.axis = qvMakeVec3(1.0, 2.0, -1.0);
        stroke.angle = round < 8 ? 0.9 * (round + 1) - 3.6 : 1.3;
        stroke.poisson = ratios[round % 4];
        stroke.scales = 1 + round % 3;
        stroke.mirror = round < 8 ? 0 : 1;
        stroke.strength = 0.75;
        qvMat3 F = Deformation(&stroke, stroke.at), transposed = qvMat3_Transpose(&F);
        qvMat3 unit = qvMat3_Product(&F, &transposed), one = qvMat3_Diagonal(1.0, 1.0, 1.0);
        unit = qvMat3_MulAdd(&unit, -1.0, &one);
        ASSERT_NEAR(qvMat3_Norm(&unit), 0.0, 2e-6);
        ASSERT_NEAR(RotationAngle(&F), fabs(0.75 * stroke.angle), 2e-6);
        // The axis stays, and the turn goes the right way round.
        qvVec3 axis = qvNormalize(stroke.axis);
        ASSERT_NEAR(qvDistance(qvMat3_Apply(&F, axis), axis), 0.0, 2e-6);
        double spin = qvDot(axis, qvMakeVec3(F.m[2][1] - F.m[1][2], F.m[0][2] - F.m[2][0], F.m[1][0] - F.m[0][1]));
        ASSERT_NEAR(spin, 2.0 * sin(0.75 * stroke.angle), 2e-6);
    }
}

static void TestScaleAndPinchStretch(void** state)
{
    (void)state;
    for (int round = 0; round < 16; round++)
    {
        qvStroke stroke = MakeStroke("scale", qvMakeVec3(0.5, 0.2, 0.3), 0.5);
        stroke.amount = round % 2 ? 0.8 : -0.4;
        stroke.poisson = ratios[round % 4];
        stroke.scales = 1 + round % 3;
        stroke.mirror = round < 8 ? 0 : 1;
        qvMat3 F = Deformation(&stroke, stroke.at), want;
        double size = 1.0 + stroke.amount;
        want = qvMat3_Diagonal(-size, -size, -size);
        want = qvMat3_MulAdd(&F, 1.0, &want);
        ASSERT_NEAR(qvMat3_Norm(&want), 0.0, 2e-6);
        stroke.brush = qvFindBrush("pinch");
        stroke.axis = qvMakeVec3(0.0, 2.0, 0.0);
        F = Deformation(&stroke, stroke.at);
        want = qvMat3_Diagonal(-1.0 / sqrt(size), -size, -1.0 / sqrt(size));
        want = qvMat3_MulAdd(&F, 1.0, &want);
        ASSERT_NEAR(qvMat3_Norm(&want), 0.0, 2e-6);
    }
}

// Mirrored turns and stretches, too, approach the plane without a jump, and down to a tenth of a radius they are exact.
static void TestTurnsNearMirrorPlane(void** state)
{
    (void)state;
    static const char* const tags[] = { "twist", "scale", "pinch" };
    enum
    {
        POINTS = 40
    };
    for (int round = 0; round < 6; round++)
    {
        qvStroke stroke = MakeStroke(tags[round % 3], qvMakeVec3(0.0, 0.3, 0.2), 0.5);
        stroke.axis = qvMakeVec3(0.3, 1.0, 0.2);
        stroke.angle = 1.0;
        stroke.amount = 0.5;
        stroke.scales = 1 + 2 * (round / 3);
        stroke.mirror = 1;
        qvStroke plain = stroke;
        plain.mirror = 0;
        qvMat3 want = Deformation(&plain, plain.at);
        qvVec3 points[POINTS], before[POINTS];
        for (int i = 0; i < 60; i++)
        {
            uint64_t random = 31;
            stroke.at.x = 0.6 * pow(0.9, i);
            for (int k = 0; k < POINTS; k++)
                points[k] = RandomVec3(&random);
            Apply(&stroke, NULL, points, POINTS);
            for (int k = 0; i > 0 && k < POINTS; k++)
                ASSERT_NEAR(qvDistance(points[k], before[k]), 0.0, 0.08);
            memcpy(before, points, sizeof(points));
            if (i % 5 == 0 && stroke.at.x >= 0.1 * stroke.radius)
            {
                qvMat3 F = Deformation(&stroke, stroke.at);
                F = qvMat3_MulAdd(&F, -1.0, &want);
                ASSERT_NEAR(qvMat3_Norm(&F), 0.0, 5e-6);
            }
        }
    }
}

// --- Masks, parts and surfaces ---------------------------------------------------------------------------------------

static void TestWeights(void** state)
{
    (void)state;
    qvError error;
    qvStroke stroke = MakeStroke("grab", qvMakeVec3(0, 0, 0), 1.0);
    stroke.drag = qvMakeVec3(0.5, 0.0, 0.0);
    qvVec3 free = qvMakeVec3(0.3, 0.2, 0.1), points[3] = { free, free, free };
    float weights[3] = { 1.0f, 0.0f, 0.5f };
    qvStrokeTarget target = { .pointCount = 3, .weights = weights };
    ASSERT_OK(qvStroke_Apply(&stroke, &target, NULL, points, &error), error);
    assert_true(points[0].x - free.x > 0.2);
    ASSERT_NEAR(qvDistance(points[1], free), 0.0, 0.0);
    ASSERT_NEAR(points[2].x - free.x, 0.5 * (points[0].x - free.x), 1e-12);
}

static void TestConnectedPart(void** state)
{
    (void)state;
    qvError error;
    int32_t parts[4] = { 0, 0, 1, 1 };
    qvTopology topology = { .pointCount = 4, .partCount = 2, .pointPart = parts };
    qvStroke stroke = MakeStroke("grab", qvMakeVec3(0, 0, 0), 1.0);
    stroke.drag = qvMakeVec3(0.0, 0.5, 0.0);
    static const qvVec3 start[4] = { { 0.1, 0, 0 }, { 0.5, 0, 0 }, { 0.3, 0.2, 0 }, { 0.6, 0, 0 } };
    for (int connected = 0; connected < 2; connected++)
    {
        qvVec3 points[4];
        memcpy(points, start, sizeof(points));
        stroke.connected = connected == 1;
        qvStrokeTarget target = { .pointCount = 4, .topology = &topology };
        ASSERT_OK(qvStroke_Apply(&stroke, &target, NULL, points, &error), error);
        assert_true(points[1].y > 0.2);
        assert_true(connected ? points[3].y == start[3].y : points[3].y > 0.1);
    }
}

// Two fingers side by side: through space they are close, along the surface far apart.
static void TestSurfaceFalloff(void** state)
{
    (void)state;
    qvError error;
    static const qvVec3 start[4] = { { 0, 0, 0 }, { 0.2, 0, 0 }, { 0.0, 0.2, 0 }, { 0.4, 0.1, 0 } };
    float distances[4] = { 0.0f, 9.0f, 0.2f, INFINITY };
    static const char* const tags[] = { "grab", "twist", "scale", "pinch" };
    for (int t = 0; t < 4; t++)
    {
        qvStroke stroke = MakeStroke(tags[t], start[0], 0.5);
        stroke.drag = qvMakeVec3(0.0, 0.0, 0.4);
        stroke.angle = 1.0;
        stroke.amount = 0.5;
        qvVec3 points[4], plain[4];
        memcpy(points, start, sizeof(points));
        memcpy(plain, start, sizeof(points));
        qvStrokeTarget target = { .pointCount = 4, .distances = distances };
        ASSERT_OK(qvStroke_Apply(&stroke, &target, NULL, points, &error), error);
        Apply(&stroke, NULL, plain, 4);
        ASSERT_NEAR(qvDistance(points[0], plain[0]), 0.0, 0.0);
        ASSERT_NEAR(qvDistance(points[2], plain[2]), 0.0, 1e-8);
        assert_true(qvDistance(points[1], start[1]) < 0.1 * qvDistance(plain[1], start[1]));
        ASSERT_NEAR(qvDistance(points[3], start[3]), 0.0, 0.0);
    }
}

// Sum of squared distances from the mean of the neighbours, near a point.
static double Roughness(const qvTopology* topology, const qvVec3f* points, qvVec3 center, double radius)
{
    double sum = 0.0;
    for (int i = 0; i < topology->pointCount; i++)
    {
        int begin = topology->neighborStart[i], end = topology->neighborStart[i + 1];
        qvVec3 at = qvVec3_FromFloat(points[i]), mean = { 0 };
        for (int k = begin; k < end; k++)
            mean = qvMulAdd(mean, 1.0 / (end - begin), qvVec3_FromFloat(points[topology->neighbors[k]]));
        if (qvDistance(at, center) < radius && !topology->onBoundary[i])
            sum += qvDot(qvSub(at, mean), qvSub(at, mean));
    }
    return sum;
}

static void TestSmooth(void** state)
{
    (void)state;
    qvError error;
    qvMesh* mesh;
    qvTopology* topology;
    ASSERT_OK(qvCreatePrimitive("sheet", 24, &mesh, &error), error);
    ASSERT_OK(qvCreateTopology(mesh, &topology, &error), error);
    int count = topology->pointCount;
    qvVec3f* points = calloc((size_t)count, sizeof(*points));
    qvVec3f* start = calloc((size_t)count, sizeof(*start));
    assert_true(points != NULL && start != NULL);
    qvMesh_GatherPoints(mesh, mesh->positions, points);
    uint64_t random = 5;
    for (int i = 0; i < count; i++)
        points[i] = qvVec3_ToFloat(qvMulAdd(qvVec3_FromFloat(points[i]), 0.03, RandomVec3(&random)));
    memcpy(start, points, (size_t)count * sizeof(*points));
    qvStroke stroke = MakeStroke("smooth", qvVec3_FromFloat(points[count / 2]), 0.3);
    stroke.amount = 0.8;
    qvStrokeTarget target = { .pointCount = count, .topology = topology };
    double before = Roughness(topology, points, stroke.at, 0.25);
    ASSERT_OK(qvStroke_Applyf(&stroke, &target, NULL, points, &error), error);
    assert_true(before > 0.0 && Roughness(topology, points, stroke.at, 0.25) < 0.2 * before);
    for (int i = 0; i < count; i++)
    {
        if (qvDistance(qvVec3_FromFloat(start[i]), stroke.at) > 0.6)
            assert_memory_equal(&start[i], &points[i], sizeof(*points));
    }
    target.topology = NULL;
    assert_int_equal(qvStroke_Applyf(&stroke, &target, NULL, points, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "topology");
    free(points);
    free(start);
    qvDestroyTopology(topology);
    qvDestroyMesh(mesh);
}

// --- Strokes as waves ------------------------------------------------------------------------------------------------

// A push leaves the base at age 0 and tends to the pose, mirrored or not; an impulse peaks at the drag.
static void TestStrokeWaves(void** state)
{
    (void)state;
    uint64_t random = 6;
    static const char* const tags[] = { "grab", "twist", "scale", "pinch" };
    for (int round = 0; round < 8; round++)
    {
        qvStroke stroke = MakeStroke(tags[round % 4], qvMakeVec3(0.5, 0.1, 0.2), 0.6);
        stroke.drag = qvMakeVec3(0.1, 0.4, -0.2);
        stroke.angle = 0.7;
        stroke.amount = 0.4;
        stroke.poisson = 0.3;
        stroke.mirror = round / 4 ? 1 : 0;
        qvStrokeWave wave = { .speed = 3.0 };
        qvVec3 start[10], pose[10], points[10];
        for (int i = 0; i < 10; i++)
            start[i] = RandomVec3(&random);
        memcpy(pose, start, sizeof(start));
        Apply(&stroke, NULL, pose, 10);
        memcpy(points, start, sizeof(start));
        Apply(&stroke, &wave, points, 10);
        assert_memory_equal(points, start, sizeof(start));
        wave.age = 200.0;
        Apply(&stroke, &wave, points, 10);
        for (int i = 0; i < 10; i++)
            ASSERT_NEAR(qvDistance(points[i], pose[i]), 0.0, 1e-6);
        assert_true(qvDistance(pose[0], start[0]) > 1e-4);
    }
    qvStroke stroke = MakeStroke("grab", qvMakeVec3(0.1, 0.2, 0.3), 0.5);
    stroke.drag = qvMakeVec3(0.0, 0.3, 0.0);
    qvError error;
    qvKelvinlet loads[qv_maxStrokeCopies];
    int count;
    stroke.mirror = 5;
    ASSERT_OK(qvStroke_Loads(&stroke, &(qvStrokeWave){ .impulse = true, .speed = 2.0 }, loads, &count, &error), error);
    assert_int_equal(count, 4);
    ASSERT_NEAR(qvKelvinlet_Peak(&loads[3]), qvKelvinlet_Peak(&loads[0]), 1e-12);
    ASSERT_NEAR(qvKelvinlet_ShearSpeed(&loads[3]), 2.0, 1e-15);
    ASSERT_NEAR(loads[3].center.x + stroke.at.x, 0.0, 0.0);
    stroke.mirror = 0;
    qvStroke smooth = MakeStroke("smooth", stroke.at, 1.0);
    assert_int_equal(qvStroke_Loads(&smooth, NULL, loads, &count, &error), qv_unsupported);
    double peak = 0.0;
    for (int i = 0; i < 200; i++)
    {
        qvStrokeWave wave = { .impulse = true, .speed = 3.0, .age = 0.002 * i };
        qvVec3 point = stroke.at;
        Apply(&stroke, &wave, &point, 1);
        peak = fmax(peak, qvDistance(point, stroke.at));
    }
    ASSERT_NEAR(peak, 0.3, 1e-3);
}

// A mirrored blow moves each centre at most by its drag, and by all of it at the peak, save where close images cancel
// what is asked across the plane; advected, where the centres part, nearly so.
static void TestMirroredImpulse(void** state)
{
    (void)state;
    static const double distances[] = { 0.02, 0.1, 0.3, 0.6, 2.0 };
    for (int round = 0; round < 10; round++)
    {
        qvStroke stroke = MakeStroke("grab", qvMakeVec3(distances[round / 2], 0.2, 0.3), 0.5);
        stroke.drag = qvMakeVec3(0.05, 0.2, -0.1);
        stroke.scales = 1 + round % 3;
        stroke.poisson = ratios[round % 4];
        stroke.mirror = round % 2 ? 1 : 5;
        qvError error;
        qvKelvinlet loads[qv_maxStrokeCopies];
        int count;
        qvStrokeWave wave = { .impulse = true, .speed = 3.0, .fade = round % 2 };
        ASSERT_OK(qvStroke_Loads(&stroke, &wave, loads, &count, &error), error);
        double peak = 0.0, advected = 0.0, size = qvLength(stroke.drag);
        for (int i = 0; i < 500; i++)
        {
            double age = 0.01 * pow(1.01, i);
            qvVec3 sum = { 0 }, at = stroke.at;
            for (int k = 0; k < count; k++)
                sum = qvAdd(sum, qvKelvinlet_Displacement(&loads[k], age, at));
            peak = fmax(peak, qvLength(sum) / size);
            wave.age = age;
            if (i % 10 == 0)
                Apply(&stroke, &wave, &at, 1);
            advected = fmax(advected, qvDistance(at, stroke.at) / size);
        }
        assert_true(peak <= 1.0 + 1e-6 && peak > (stroke.at.x > stroke.radius / 2.0 ? 0.999 : 0.95));
        assert_true(advected < 1.05 && advected > 0.8);
    }
}

// A half turn with a brush on a ball keeps its volume and turns nothing inside out.
static void TestHalfTurnOfBall(void** state)
{
    (void)state;
    qvError error;
    qvMesh* mesh;
    qvTopology* topology;
    ASSERT_OK(qvCreatePrimitive("sphere", 32, &mesh, &error), error);
    ASSERT_OK(qvCreateTopology(mesh, &topology, &error), error);
    qvVec3f* points = calloc((size_t)topology->pointCount, sizeof(*points));
    assert_non_null(points);
    qvMesh_GatherPoints(mesh, mesh->positions, points);
    double before = qvComputeVolume(topology, points);
    qvStroke stroke = MakeStroke("twist", qvMakeVec3(0.2, 1.3, 0.1), 0.6);
    stroke.axis = qvMakeVec3(0.3, 0.2, 1.0);
    stroke.angle = PI;
    stroke.poisson = 0.5;
    qvStrokeTarget target = { .pointCount = topology->pointCount, .topology = topology };
    ASSERT_OK(qvStroke_Applyf(&stroke, &target, NULL, points, &error), error);
    ASSERT_NEAR(qvComputeVolume(topology, points) / before, 1.0, 0.01);
    free(points);
    qvDestroyTopology(topology);
    qvDestroyMesh(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestRegistry),
        cmocka_unit_test(TestValidation),
        cmocka_unit_test(TestPrecisionsAndThreads),
        cmocka_unit_test(TestGrabEndsAtTarget),
        cmocka_unit_test(TestGrabInFloat),
        cmocka_unit_test(TestOnPlane),
        cmocka_unit_test(TestMirrorIsSymmetric),
        cmocka_unit_test(TestNearMirrorPlane),
        cmocka_unit_test(TestTwistTurnsByAngle),
        cmocka_unit_test(TestScaleAndPinchStretch),
        cmocka_unit_test(TestTurnsNearMirrorPlane),
        cmocka_unit_test(TestWeights),
        cmocka_unit_test(TestConnectedPart),
        cmocka_unit_test(TestSurfaceFalloff),
        cmocka_unit_test(TestSmooth),
        cmocka_unit_test(TestStrokeWaves),
        cmocka_unit_test(TestMirroredImpulse),
        cmocka_unit_test(TestHalfTurnOfBall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
