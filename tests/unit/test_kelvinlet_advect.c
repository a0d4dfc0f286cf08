// SPDX-License-Identifier: GPL-3.0-or-later
// Advection, many loads, time series and loads from constraints.
#include "random_vectors.h"
#include "testing.h"

#include "base/cpu.h"
#include "kelvinlet/field.h"
#include "kelvinlet/flow.h"
#include "kelvinlet/load.h"
#include "math/dense.h"
#include "math/mat3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

// count random points within size of the origin, in both precisions. Free the storage of each with free(points.x).
typedef struct Cloud
{
    qvPointsf single, singleOut;
    qvPoints whole, wholeOut;
} Cloud;

static Cloud MakeCloud(int count, double size, uint64_t seed)
{
    size_t n = (size_t)count;
    float* f = calloc(6 * n, sizeof(float));
    double* d = calloc(6 * n, sizeof(double));
    assert_true(f != NULL && d != NULL);
    Cloud cloud = { { f, f + n, f + 2 * n, count },
                    { f + 3 * n, f + 4 * n, f + 5 * n, count },
                    { d, d + n, d + 2 * n, count },
                    { d + 3 * n, d + 4 * n, d + 5 * n, count } };
    for (size_t i = 0; i < 3 * n; i++)
    {
        f[i] = (float)(size * RandomSigned(&seed));
        d[i] = f[i];
    }
    return cloud;
}

static void FreeCloud(Cloud* cloud)
{
    free(cloud->single.x);
    free(cloud->whole.x);
}

static qvVec3 Advect(const qvKelvinlet* loads, int count, double age, const qvAdvection* options, qvVec3 at)
{
    qvError error;
    qvVec3 u;
    ASSERT_OK(qvAdvect(loads, count, age, options, &(qvPoints){ &at.x, &at.y, &at.z, 1 },
                       &(qvPoints){ &u.x, &u.y, &u.z, 1 }, NULL, &error),
              error);
    return qvAdd(at, u);
}

// Deformation gradient of an advection by central differences.
static qvMat3 DeformationGradient(const qvKelvinlet* load, const qvAdvection* options, qvVec3 at)
{
    qvMat3 F;
    double h = 1e-5;
    for (int a = 0; a < 3; a++)
    {
        qvVec3 step = qvMakeVec3(a == 0 ? h : 0.0, a == 1 ? h : 0.0, a == 2 ? h : 0.0);
        qvVec3 d =
            qvSub(Advect(load, 1, 0.0, options, qvAdd(at, step)), Advect(load, 1, 0.0, options, qvSub(at, step)));
        F.m[0][a] = d.x / (2.0 * h);
        F.m[1][a] = d.y / (2.0 * h);
        F.m[2][a] = d.z / (2.0 * h);
    }
    return F;
}

static qvKelvinlet HalfTurn(double poisson)
{
    qvError error;
    qvKelvinlet load = qvDefaultKelvinlet();
    load.poisson = poisson;
    ASSERT_OK(qvKelvinlet_SetGradient(&load, qvMat3_Skew(qvMakeVec3(0.0, 0.0, PI)), &error), error);
    return load;
}

// An incompressible twist by 180 degrees folds nothing and keeps volume; its linear displacement inflates.
static void TestHalfTurnKeepsVolume(void** state)
{
    (void)state;
    uint64_t random = 1;
    qvKelvinlet load = HalfTurn(0.5);
    qvAdvection options = qvDefaultAdvection(), linear = options;
    linear.substeps = qv_linear;
    double inflated = 0.0;
    for (int i = 0; i < 60; i++)
    {
        qvVec3 at = qvScale(2.0, RandomVec3(&random));
        qvMat3 F = DeformationGradient(&load, &options, at), L = DeformationGradient(&load, &linear, at);
        double volume = qvMat3_Determinant(&F);
        ASSERT_NEAR(volume, 1.0, 0.01);
        inflated = fmax(inflated, qvMat3_Determinant(&L));
    }
    assert_true(inflated > 2.0);
}

// A drag by five radii folds nothing and keeps the volume of an incompressible body; the linear displacement does not.
static void TestLargeDragDoesNotFold(void** state)
{
    (void)state;
    uint64_t random = 11;
    qvError error;
    qvKelvinlet load = qvDefaultKelvinlet();
    load.poisson = 0.5;
    ASSERT_OK(qvKelvinlet_SetDisplacement(&load, qvMakeVec3(5.0, 0.0, 0.0), &error), error);
    qvAdvection options = qvDefaultAdvection(), linear = options;
    linear.substeps = qv_linear;
    double folded = 1.0;
    for (int i = 0; i < 60; i++)
    {
        qvVec3 at = qvScale(2.0, RandomVec3(&random));
        qvMat3 F = DeformationGradient(&load, &options, at), L = DeformationGradient(&load, &linear, at);
        ASSERT_NEAR(qvMat3_Determinant(&F), 1.0, 0.01);
        folded = fmin(folded, qvMat3_Determinant(&L));
    }
    assert_true(folded < 0.0);
}

// The centre turns by exactly the angle: the deformation gradient there is the rotation.
static void TestTwistTurnsCenter(void** state)
{
    (void)state;
    qvKelvinlet load = HalfTurn(0.3);
    qvAdvection options = qvDefaultAdvection();
    options.tolerance = 1e-9;
    qvMat3 F = DeformationGradient(&load, &options, load.center);
    qvMat3 want = qvMat3_Diagonal(-1.0, -1.0, 1.0), miss = qvMat3_MulAdd(&F, -1.0, &want);
    ASSERT_NEAR(qvMat3_Norm(&miss), 0.0, 1e-6);
}

static void TestCenterTravelsToTarget(void** state)
{
    (void)state;
    uint64_t random = 2;
    qvError error;
    for (int round = 0; round < 12; round++)
    {
        qvKelvinlet load = qvDefaultKelvinlet();
        load.time = round % 2 ? qv_kelvinletStatic : qv_kelvinletPush;
        load.poisson = round == 3 ? 0.5 : 0.45 * RandomUnit(&random);
        qvKelvinlet_SetRadius(&load, 0.4, 1 + round % 3);
        load.center = RandomVec3(&random);
        qvVec3 drag = qvScale(2.0, RandomVec3(&random));
        ASSERT_OK(qvKelvinlet_SetDisplacement(&load, drag, &error), error);
        qvAdvection options = qvDefaultAdvection();
        options.substeps = round % 4;
        qvVec3 end = Advect(&load, 1, 1e6, &options, load.center);
        ASSERT_NEAR(qvDistance(end, qvAdd(load.center, drag)), 0.0, 1e-12);
        // With a fixed centre it falls short.
        options.travel = false;
        options.substeps = 16;
        end = Advect(&load, 1, 1e6, &options, load.center);
        assert_true(qvDistance(end, qvAdd(load.center, drag)) > 1e-3);
    }
}

// The estimate gives an error near the tolerance and grows with the load.
static void TestSubstepEstimate(void** state)
{
    (void)state;
    qvError error;
    uint64_t random = 3;
    int before = 0;
    for (int i = 0; i < 4; i++)
    {
        qvKelvinlet load = qvDefaultKelvinlet();
        double angle = 0.1 * pow(4.0, i);
        ASSERT_OK(qvKelvinlet_SetGradient(&load, qvMat3_Skew(qvMakeVec3(angle, 0.0, 0.0)), &error), error);
        qvAdvection options = qvDefaultAdvection(), fine = options;
        fine.substeps = 256;
        int substeps = qvEstimateSubsteps(&load, 1, 0.0, &options);
        assert_true(substeps >= before && substeps < 64);
        before = substeps;
        for (int k = 0; k < 20; k++)
        {
            qvVec3 at = RandomVec3(&random);
            qvVec3 end = Advect(&load, 1, 0.0, &options, at), exact = Advect(&load, 1, 0.0, &fine, at);
            ASSERT_NEAR(qvDistance(end, exact), 0.0, 2.0 * options.tolerance);
        }
    }
    assert_true(before >= 4);
}

// RK4 converges with order four.
static void TestOrder(void** state)
{
    (void)state;
    qvKelvinlet load = HalfTurn(0.4);
    qvAdvection options = qvDefaultAdvection();
    qvVec3 at = qvMakeVec3(0.5, 0.3, 0.1), ends[4];
    for (int i = 0; i < 4; i++)
    {
        options.substeps = 8 << i;
        ends[i] = Advect(&load, 1, 0.0, &options, at);
    }
    double order = log2(qvDistance(ends[0], ends[1]) / qvDistance(ends[1], ends[2]));
    ASSERT_NEAR(order, 4.0, 0.3);
}

static qvKelvinlet SomeLoad(uint64_t* random, qvKelvinletTime time, int scaleCount)
{
    qvError error;
    qvKelvinlet load = qvDefaultKelvinlet();
    load.time = time;
    load.poisson = 0.45 * RandomUnit(random);
    load.center = RandomVec3(random);
    qvKelvinlet_SetRadius(&load, 0.3 + 0.3 * RandomUnit(random), scaleCount);
    qvKelvinlet_SetSpeed(&load, 3.0);
    ASSERT_OK(qvKelvinlet_SetDisplacement(&load, qvScale(0.2, RandomVec3(random)), &error), error);
    return load;
}

// All CPU levels give the same result within rounding, and every pool the same bits.
static void TestLevelsAndThreads(void** state)
{
    (void)state;
    uint64_t random = 4;
    qvError error;
    Cloud cloud = MakeCloud(2000, 3.0, 40), other = MakeCloud(2000, 3.0, 40), bits = MakeCloud(2000, 3.0, 40);
    qvPool* pool;
    ASSERT_OK(qvCreatePool(3, &pool, &error), error);
    for (int round = 0; round < 9; round++)
    {
        qvKelvinlet load = SomeLoad(&random, (qvKelvinletTime)(round % 3), 1 + round / 3);
        qvAdvection options = qvDefaultAdvection();
        setenv("QUAVER_CPU", "portable", 1);
        ASSERT_OK(qvAdvectf(&load, 1, 0.3, &options, &cloud.single, &cloud.singleOut, NULL, &error), error);
        ASSERT_OK(qvAdvect(&load, 1, 0.3, &options, &cloud.whole, &cloud.wholeOut, NULL, &error), error);
        static const char* const levels[] = { "portable", "avx2", "avx512" };
        for (int level = 0; level < 3; level++)
        {
            setenv("QUAVER_CPU", levels[level], 1);
            ASSERT_OK(qvAdvectf(&load, 1, 0.3, &options, &other.single, &other.singleOut, pool, &error), error);
            ASSERT_OK(qvAdvect(&load, 1, 0.3, &options, &other.whole, &other.wholeOut, pool, &error), error);
            for (int i = 0; i < 6000; i++)
            {
                ASSERT_NEAR(other.singleOut.x[i], cloud.singleOut.x[i], 1e-6);
                ASSERT_NEAR(other.wholeOut.x[i], cloud.wholeOut.x[i], 1e-14);
                ASSERT_NEAR(cloud.singleOut.x[i], cloud.wholeOut.x[i], 1e-6);
            }
            // The same again on this thread only.
            memcpy(bits.singleOut.x, other.singleOut.x, 6000 * sizeof(float));
            memcpy(bits.wholeOut.x, other.wholeOut.x, 6000 * sizeof(double));
            ASSERT_OK(qvAdvectf(&load, 1, 0.3, &options, &other.single, &other.singleOut, NULL, &error), error);
            ASSERT_OK(qvAdvect(&load, 1, 0.3, &options, &other.whole, &other.wholeOut, NULL, &error), error);
            assert_memory_equal(other.singleOut.x, bits.singleOut.x, 6000 * sizeof(float));
            assert_memory_equal(other.wholeOut.x, bits.wholeOut.x, 6000 * sizeof(double));
        }
        unsetenv("QUAVER_CPU");
    }
    qvDestroyPool(pool);
    FreeCloud(&cloud);
    FreeCloud(&other);
    FreeCloud(&bits);
}

// Counts that do not fill a block or a vector, and in place.
static void TestOddCounts(void** state)
{
    (void)state;
    uint64_t random = 5;
    qvError error;
    qvKelvinlet load = SomeLoad(&random, qv_kelvinletImpulse, 1);
    qvAdvection options = qvDefaultAdvection();
    static const int counts[] = { 0, 1, 15, 16, 17, 255, 256, 257, 1025 };
    for (size_t k = 0; k < sizeof(counts) / sizeof(counts[0]); k++)
    {
        Cloud cloud = MakeCloud(counts[k], 2.0, 50);
        ASSERT_OK(qvAdvectf(&load, 1, 0.2, &options, &cloud.single, &cloud.singleOut, NULL, &error), error);
        for (int i = 0; i < counts[k]; i++)
        {
            qvVec3 at = qvMakeVec3(cloud.single.x[i], cloud.single.y[i], cloud.single.z[i]);
            ASSERT_NEAR(Advect(&load, 1, 0.2, &options, at).y - at.y, cloud.singleOut.y[i], 1e-6);
        }
        ASSERT_OK(qvAdvectf(&load, 1, 0.2, &options, &cloud.single, &cloud.single, NULL, &error), error);
        if (counts[k] > 0)
            assert_memory_equal(cloud.single.x, cloud.singleOut.x, (size_t)counts[k] * 3 * sizeof(float));
        FreeCloud(&cloud);
    }
}

static void TestBadInput(void** state)
{
    (void)state;
    qvError error;
    qvKelvinlet load = qvDefaultKelvinlet();
    qvAdvection options = qvDefaultAdvection();
    Cloud cloud = MakeCloud(4, 1.0, 55);
    assert_int_equal(qvAdvectf(&load, 1, NAN, &options, &cloud.single, &cloud.singleOut, NULL, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "time");
    load.radii[0] = -2.0;
    assert_int_equal(qvAdvect(&load, 1, 1.0, &options, &cloud.whole, &cloud.wholeOut, NULL, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "radius: -2");
    qvWave wave = { load, 0.0 };
    assert_int_equal(qvAddWavesf(&wave, 1, 1.0, &options, &cloud.single, &cloud.singleOut, NULL, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "wave 0: radius");
    FreeCloud(&cloud);
}

// Culling changes nothing that is visible, and does skip blocks.
static void TestCulling(void** state)
{
    (void)state;
    qvError error;
    // Blocks of points that lie close together, along a line.
    Cloud cloud = MakeCloud(40 * qv_blockSize, 0.5, 60), all = MakeCloud(40 * qv_blockSize, 0.5, 60);
    for (int i = 0; i < cloud.single.count; i++)
        cloud.single.x[i] = all.single.x[i] += (float)(4 * (i / qv_blockSize));
    uint64_t random = 6;
    int zeros = 0;
    for (int round = 0; round < 16; round++)
    {
        qvKelvinlet load = SomeLoad(&random, (qvKelvinletTime)(round % 4), 1 + round % 3);
        if (round >= 8) // its centre goes far along the line
            ASSERT_OK(qvKelvinlet_SetDisplacement(&load, qvMakeVec3(30.0, 0.0, 0.0), &error), error);
        qvAdvection options = qvDefaultAdvection();
        double age = round < 8 ? 0.5 + 3.0 * round : 0.2, peak = qvKelvinlet_Peak(&load);
        ASSERT_OK(qvAdvectf(&load, 1, age, &options, &cloud.single, &cloud.singleOut, NULL, &error), error);
        options.cull = false;
        ASSERT_OK(qvAdvectf(&load, 1, age, &options, &all.single, &all.singleOut, NULL, &error), error);
        for (int i = 0; i < 3 * cloud.single.count; i++)
        {
            ASSERT_NEAR(cloud.singleOut.x[i], all.singleOut.x[i], 1.01e-7 * peak);
            zeros += cloud.singleOut.x[i] == 0.0f && all.singleOut.x[i] != 0.0f;
        }
    }
    assert_true(zeros > 3 * qv_blockSize);
    FreeCloud(&cloud);
    FreeCloud(&all);
}

// Of many waves only those are left out that nobody sees: the sum changes by less than 1e-7 of all their peaks.
static void TestCullingWaves(void** state)
{
    (void)state;
    enum
    {
        WAVES = 24
    };
    uint64_t random = 12;
    qvError error;
    Cloud cloud = MakeCloud(12 * qv_blockSize, 0.5, 61), all = MakeCloud(12 * qv_blockSize, 0.5, 61);
    for (int i = 0; i < cloud.single.count; i++)
        cloud.single.x[i] = all.single.x[i] += (float)(4 * (i / qv_blockSize));
    qvWave waves[WAVES];
    double peaks = 0.0;
    for (int i = 0; i < WAVES; i++)
    {
        waves[i] = (qvWave){ SomeLoad(&random, (qvKelvinletTime)(1 + i % 3), 1 + i % 3), 0.5 * i };
        waves[i].load.center.x += 2.0 * i;
        peaks += qvKelvinlet_Peak(&waves[i].load);
    }
    for (int round = 0; round < 6; round++)
    {
        qvAdvection options = qvDefaultAdvection();
        ASSERT_OK(qvAddWavesf(waves, WAVES, 3.0 * round, &options, &cloud.single, &cloud.singleOut, NULL, &error),
                  error);
        options.cull = false;
        ASSERT_OK(qvAddWavesf(waves, WAVES, 3.0 * round, &options, &all.single, &all.singleOut, NULL, &error), error);
        int different = 0;
        for (int i = 0; i < 3 * cloud.single.count; i++)
        {
            ASSERT_NEAR(cloud.singleOut.x[i], all.singleOut.x[i], 1e-7 * peaks);
            different += cloud.singleOut.x[i] != all.singleOut.x[i];
        }
        assert_true(round == 0 || different > 0);
    }
    FreeCloud(&cloud);
    FreeCloud(&all);
}

// Waves add, each through its own field; those that have not started or have faded add nothing.
static void TestAddWaves(void** state)
{
    (void)state;
    uint64_t random = 7;
    qvError error;
    Cloud cloud = MakeCloud(700, 2.0, 70), one = MakeCloud(700, 2.0, 70);
    qvWave waves[4];
    for (int i = 0; i < 4; i++)
        waves[i] = (qvWave){ SomeLoad(&random, i % 2 ? qv_kelvinletPush : qv_kelvinletImpulse, 1), 0.1 * i };
    waves[3].start = 5.0;
    qvAdvection options = qvDefaultAdvection();
    qvPool* pool;
    ASSERT_OK(qvCreatePool(2, &pool, &error), error);
    double* sum = calloc(2100, sizeof(double));
    assert_non_null(sum);
    for (int i = 0; i < 3; i++)
    {
        ASSERT_OK(
            qvAdvectf(&waves[i].load, 1, 0.5 - waves[i].start, &options, &one.single, &one.singleOut, NULL, &error),
            error);
        for (int k = 0; k < 2100; k++)
            sum[k] += one.singleOut.x[k];
    }
    ASSERT_OK(qvAddWavesf(waves, 4, 0.5, &options, &cloud.single, &cloud.singleOut, pool, &error), error);
    for (int k = 0; k < 2100; k++)
        ASSERT_NEAR(cloud.singleOut.x[k], sum[k], 1e-6);
    ASSERT_OK(qvAddWavesf(waves, 4, 0.5, &options, &one.single, &one.singleOut, NULL, &error), error);
    assert_memory_equal(one.singleOut.x, cloud.singleOut.x, 2100 * sizeof(float));
    ASSERT_OK(qvAddWavesf(waves, 4, -1.0, &options, &cloud.single, &cloud.singleOut, pool, &error), error);
    for (int k = 0; k < 2100; k++)
        ASSERT_NEAR(cloud.singleOut.x[k], 0.0, 0.0);
    free(sum);
    qvDestroyPool(pool);
    FreeCloud(&cloud);
    FreeCloud(&one);
}

// The series of eq. 20 on many points in float against one point in double, and material points against their meaning.
static void TestWaveSeries(void** state)
{
    (void)state;
    uint64_t random = 8;
    qvError error;
    Cloud cloud = MakeCloud(300, 1.5, 80), bodies = MakeCloud(900, 1.5, 81);
    qvWave waves[3];
    for (int i = 0; i < 3; i++)
        waves[i] = (qvWave){ SomeLoad(&random, i == 1 ? qv_kelvinletPush : qv_kelvinletImpulse, 1), 0.15 * i };
    qvAdvection options = qvDefaultAdvection();
    qvWaveSeries* series;
    ASSERT_OK(qvCreateWaveSeries(waves, 3, &options, &cloud.single, NULL, NULL, &series, &error), error);
    for (int k = 0; k < 3; k++)
    {
        double time = 0.1 + 0.2 * k, carried = 0.0;
        ASSERT_OK(qvWaveSeries_Evaluate(series, time, NULL, &cloud.singleOut, &error), error);
        for (int i = 0; i < 300; i += 7)
        {
            qvVec3 at = qvMakeVec3(cloud.single.x[i], cloud.single.y[i], cloud.single.z[i]), material[3], end;
            ASSERT_OK(qvCarryPoint(waves, 3, &options, at, time, material, &end, &error), error);
            ASSERT_NEAR(end.x - at.x, cloud.singleOut.x[i], 1e-6);
            ASSERT_NEAR(end.z - at.z, cloud.singleOut.z[i], 1e-6);
            carried = fmax(carried, qvDistance(material[2], at));
        }
        assert_true(carried > 0.01);
    }
    qvDestroyWaveSeries(series);
    // A body that is elsewhere when the second load starts.
    qvPointsf moved[3];
    for (int i = 0; i < 3; i++)
        moved[i] = (qvPointsf){ bodies.single.x + 300 * i, bodies.single.y + 300 * i, bodies.single.z + 300 * i, 300 };
    ASSERT_OK(qvCreateWaveSeries(waves, 1, &options, &cloud.single, moved, NULL, &series, &error), error);
    ASSERT_OK(qvWaveSeries_Evaluate(series, 0.2, NULL, &cloud.singleOut, &error), error);
    qvVec3 at = qvMakeVec3(moved[0].x[5], moved[0].y[5], moved[0].z[5]);
    qvVec3 end = Advect(&waves[0].load, 1, 0.2, &options, at);
    ASSERT_NEAR(end.y - at.y, cloud.singleOut.y[5], 1e-6);
    qvDestroyWaveSeries(series);
    waves[0].start = 9.0;
    assert_int_equal(qvCreateWaveSeries(waves, 3, &options, &cloud.single, NULL, NULL, &series, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "sorted");
    FreeCloud(&cloud);
    FreeCloud(&bodies);
}

// --- Constraints -----------------------------------------------------------------------------------------------------

static void TestHandles(void** state)
{
    (void)state;
    uint64_t random = 9;
    qvError error;
    for (int round = 0; round < 16; round++)
    {
        qvKelvinlet like = qvDefaultKelvinlet(), loads[6];
        like.poisson = round % 4 == 3 ? 0.5 : 0.15 * (round % 4);
        like.scaleCount = 1 + round % 3;
        qvHandle handles[6];
        for (int i = 0; i < 6; i++)
        {
            handles[i] = (qvHandle){ .at = qvMakeVec3(1.3 * i, RandomSigned(&random), RandomSigned(&random)),
                                     .radius = round % 2 ? 0.5 + 0.3 * RandomUnit(&random) : 0.6,
                                     .moves = round < 8 || i % 3 != 0,
                                     .turns = round >= 8 && i % 3 != 1,
                                     .displacement = RandomVec3(&random) };
            for (int k = 0; k < 9; k++)
                handles[i].gradient.m[k / 3][k % 3] = RandomSigned(&random);
        }
        qvSolveReport report;
        ASSERT_OK(qvSolveHandles(&like, handles, 6, loads, &report, &error), error);
        assert_false(report.leastSquares);
        assert_true(report.rank == report.unknownCount && report.residual < 1e-10);
        for (int a = 0; a < 6; a++)
        {
            qvVec3 u = { 0 };
            qvMat3 g = { 0 };
            for (int b = 0; b < 6; b++)
            {
                qvMat3 part = qvKelvinlet_Gradient(&loads[b], 0.0, handles[a].at);
                u = qvAdd(u, qvKelvinlet_Displacement(&loads[b], 0.0, handles[a].at));
                g = qvMat3_MulAdd(&g, 1.0, &part);
            }
            g = qvMat3_MulAdd(&g, -1.0, &handles[a].gradient);
            if (handles[a].moves)
                ASSERT_NEAR(qvDistance(u, handles[a].displacement), 0.0, 1e-10);
            if (handles[a].turns)
                ASSERT_NEAR(qvMat3_Norm(&g), 0.0, 1e-9);
        }
    }
}

// Two handles at nearly one place: the same wish is met, opposite ones are averaged and reported, without huge forces.
static void TestCoincidentHandles(void** state)
{
    (void)state;
    qvError error;
    static const double gaps[] = { 0.0, 1e-12, 1e-6, 1e-3 };
    for (int i = 0; i < 4; i++)
    {
        qvKelvinlet like = qvDefaultKelvinlet(), loads[2];
        qvHandle handles[2] = {
            { .at = { 0.0, 0.0, 0.0 }, .radius = 1.0, .moves = true, .displacement = { 1.0, 0.0, 0.0 } },
            { .at = { gaps[i], 0.0, 0.0 }, .radius = 1.0, .moves = true, .displacement = { 1.0, 0.0, 0.0 } },
        };
        qvSolveReport report;
        ASSERT_OK(qvSolveHandles(&like, handles, 2, loads, &report, &error), error);
        assert_true(report.leastSquares && report.rank == 3);
        assert_true(report.residual < 1e-5);
        double force = qvLength(loads[0].force);
        handles[1].displacement = qvMakeVec3(-1.0, 0.5, 0.0);
        ASSERT_OK(qvSolveHandles(&like, handles, 2, loads, &report, &error), error);
        ASSERT_NEAR(report.residual, 1.0, 1e-3);
        assert_true(qvLength(loads[0].force) < 2.0 * force);
        // Turns about two axes at one place: half of each.
        handles[0].turns = handles[1].turns = true;
        handles[0].displacement = handles[1].displacement = qvMakeVec3(0.0, 0.0, 0.0);
        handles[0].gradient = qvMat3_Skew(qvMakeVec3(0.0, 0.0, 1.0));
        handles[1].gradient = qvMat3_Skew(qvMakeVec3(0.0, 0.0, -0.5));
        ASSERT_OK(qvSolveHandles(&like, handles, 2, loads, &report, &error), error);
        assert_true(report.leastSquares && report.rank < report.unknownCount);
        qvMat3 a = qvKelvinlet_Gradient(&loads[0], 0.0, handles[0].at);
        qvMat3 b = qvKelvinlet_Gradient(&loads[1], 0.0, handles[0].at);
        ASSERT_NEAR(a.m[1][0] + b.m[1][0], 0.25, 1e-2);
    }
    qvHandle bad = { .radius = -1.0, .moves = true };
    qvKelvinlet like = qvDefaultKelvinlet(), load;
    qvSolveReport report;
    assert_int_equal(qvSolveHandles(&like, &bad, 1, &load, &report, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "handle 0: radius");
}

static void TestWaveTargets(void** state)
{
    (void)state;
    uint64_t random = 10;
    qvError error;
    qvWave waves[4];
    qvWaveTarget targets[4];
    for (int i = 0; i < 4; i++)
    {
        waves[i] = (qvWave){ SomeLoad(&random, i % 2 ? qv_kelvinletPush : qv_kelvinletImpulse, 1), 0.05 * i };
        waves[i].load.center.x += 1.5 * i;
        targets[i] = (qvWaveTarget){ waves[i].load.center, 0.4, qvScale(0.1, RandomVec3(&random)) };
    }
    qvSolveReport report;
    ASSERT_OK(qvSolveWaves(waves, 4, targets, 4, &report, &error), error);
    assert_int_equal(report.rank, 12);
    assert_true(report.residual < 1e-12);
    for (int i = 0; i < 4; i++)
    {
        qvVec3 u = { 0 };
        for (int j = 0; j < 4; j++)
            u = qvAdd(u, qvKelvinlet_Displacement(&waves[j].load, 0.4 - waves[j].start, targets[i].at));
        ASSERT_NEAR(qvDistance(u, targets[i].displacement), 0.0, 1e-12);
    }
    // A wave that starts after all targets cannot help and stays at zero.
    waves[3].start = 1.0;
    ASSERT_OK(qvSolveWaves(waves, 4, targets, 3, &report, &error), error);
    assert_int_equal(report.rank, 9);
    ASSERT_NEAR(qvLength(waves[3].load.force), 0.0, 1e-12);
    // More targets than forces: least squares with a residual.
    ASSERT_OK(qvSolveWaves(waves, 1, targets, 4, &report, &error), error);
    assert_true(report.residual > 1e-3);
}

static void TestDense(void** state)
{
    (void)state;
    qvError error;
    qvDenseReport report;
    double a[9] = { 4, 1, 0, 1, 3, 1, 0, 1, 2 }, x[3] = { 6, 10, 8 };
    ASSERT_OK(qvDense_SolvePositive(3, a, x, &report, &error), error);
    ASSERT_NEAR(x[0], 1.0, 1e-14);
    ASSERT_NEAR(x[2], 3.0, 1e-14);
    double y[3] = { 6, 10, 8 };
    ASSERT_OK(qvDense_SolveGeneral(3, a, y, &report, &error), error);
    ASSERT_NEAR(y[1], 2.0, 1e-14);
    assert_true(report.condition > 1.0 && report.condition < 20.0 && report.residual < 1e-13);
    double singular[4] = { 1, 2, 2, 4 }, b[2] = { 1, 1 }, z[2];
    assert_int_equal(qvDense_SolveGeneral(2, singular, b, &report, &error), qv_notConverged);
    assert_int_equal(qvDense_SolvePositive(2, (double[4]){ 1, 2, 2, 1 }, b, &report, &error), qv_notConverged);
    ASSERT_OK(qvDense_SolveLeastSquares(2, 2, singular, b, 1e-10, z, &report, &error), error);
    assert_int_equal(report.rank, 1);
    ASSERT_NEAR(z[0], 0.12, 1e-14);
    ASSERT_NEAR(z[1], 0.24, 1e-14);
    ASSERT_NEAR(report.residual, 0.4, 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestHalfTurnKeepsVolume),
        cmocka_unit_test(TestLargeDragDoesNotFold),
        cmocka_unit_test(TestTwistTurnsCenter),
        cmocka_unit_test(TestCenterTravelsToTarget),
        cmocka_unit_test(TestSubstepEstimate),
        cmocka_unit_test(TestOrder),
        cmocka_unit_test(TestLevelsAndThreads),
        cmocka_unit_test(TestOddCounts),
        cmocka_unit_test(TestBadInput),
        cmocka_unit_test(TestCulling),
        cmocka_unit_test(TestCullingWaves),
        cmocka_unit_test(TestAddWaves),
        cmocka_unit_test(TestWaveSeries),
        cmocka_unit_test(TestHandles),
        cmocka_unit_test(TestCoincidentHandles),
        cmocka_unit_test(TestWaveTargets),
        cmocka_unit_test(TestDense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
