// SPDX-License-Identifier: GPL-3.0-or-later
// What an export is made of: shapes of many frames, and keys of curves.
#include "testing.h"

#include "formats/clip_curves.h"
#include "formats/morph_space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    VERTICES = 250,
    WIDTH = QV_CLIP_SHAPES + 2
};

// --- Shapes ------------------------------------------------------------------------------------------------------

// Frames with three shapes of falling size about an offset.
static float* MakeFrames(int frameCount)
{
    float* frames = malloc((size_t)frameCount * 3 * VERTICES * sizeof(float));
    assert_non_null(frames);
    for (int k = 0; k < frameCount; k++)
    {
        double t = 6.2831853071795865 * k / frameCount;
        for (int i = 0; i < 3 * VERTICES; i++)
            frames[k * 3 * VERTICES + i] =
                (float)(0.5 * cos(0.1 * i) + sin(t) * sin(0.3 * i) + 0.1 * cos(2.0 * t) * cos(0.7 * i) +
                        0.01 * sin(3.0 * t) * cos(1.1 * i));
    }
    return frames;
}

static double WorstError(const qvMorphSpace* space, int rank)
{
    double worst = 0.0;
    for (int k = 0; k < space->frames.frameCount; k++)
    {
        for (int v = 0; v < VERTICES; v++)
        {
            double square = 0.0;
            for (int i = 3 * v; i < 3 * v + 3; i++)
            {
                double d = (double)space->mean[i] - space->frames.values[k * 3 * VERTICES + i];
                for (int r = 0; r < rank; r++)
                    d += space->coordinates[r * space->frames.frameCount + k] *
                         (double)space->shapes[r * 3 * VERTICES + i];
                square += d * d;
            }
            worst = fmax(worst, sqrt(square));
        }
    }
    return worst;
}

static void CheckSpace(int frameCount)
{
    float* values = MakeFrames(frameCount);
    const qvMorphFrames frames = { frameCount, VERTICES, values };
    qvError error;
    qvMorphSpace* space;
    ASSERT_OK(qvCreateMorphSpace(&frames, true, NULL, &space, &error), error);
    const double tolerances[] = { 3.0, 0.5, 0.05, 1e-5 };
    for (int expected = 0; expected < 4; expected++)
    {
        int rank;
        double worst;
        ASSERT_OK(qvMorphSpace_Choose(space, tolerances[expected], 0, 100, NULL, &rank, &worst, &error), error);
        assert_int_equal(rank, expected);
        assert_true(WorstError(space, rank) <= tolerances[expected]);
        ASSERT_NEAR(WorstError(space, rank), worst, 1e-9);
        assert_true(rank == 0 || WorstError(space, rank - 1) > tolerances[expected]);
    }
    int rank;
    double worst;
    ASSERT_OK(qvMorphSpace_Choose(space, 1e-5, 0, 2, NULL, &rank, &worst, &error), error);
    assert_int_equal(rank, 2); // not more than is allowed
    ASSERT_OK(qvMorphSpace_Choose(space, 3.0, 1, 100, NULL, &rank, &worst, &error), error);
    assert_int_equal(rank, 1); // not fewer than are wanted
    qvDestroyMorphSpace(space);
    free(values);
}

static void TestSpace(void** state)
{
    (void)state;
    CheckSpace(60);
    CheckSpace(1100); // more frames than snapshots
}

// Not centered, the mean is a shape like others.
static void TestUncentered(void** state)
{
    (void)state;
    float* values = MakeFrames(40);
    const qvMorphFrames frames = { 40, VERTICES, values };
    qvError error;
    qvMorphSpace* space;
    int rank;
    double worst;
    ASSERT_OK(qvCreateMorphSpace(&frames, false, NULL, &space, &error), error);
    ASSERT_OK(qvMorphSpace_Choose(space, 1e-5, 0, 100, NULL, &rank, &worst, &error), error);
    assert_int_equal(rank, 4);
    ASSERT_NEAR(space->mean[5], 0.0, 0.0);
    assert_true(WorstError(space, rank) <= 1e-5);
    qvDestroyMorphSpace(space);
    free(values);
}

// A wave that only a few frames have: weighing them takes fewer shapes to the same error, or a smaller error with as
// many shapes.
static void TestImprove(void** state)
{
    (void)state;
    enum
    {
        COUNT = 80
    };
    float* values = MakeFrames(COUNT);
    for (int k = 40; k < 48; k++)
    {
        for (int i = 0; i < 3 * VERTICES; i++)
        {
            double x = (i / 3 - 30.0 * (k - 39)) / 10.0;
            values[k * 3 * VERTICES + i] += (float)(0.2 * exp(-x * x));
        }
    }
    const qvMorphFrames frames = { COUNT, VERTICES, values };
    qvError error;
    for (int limit = 10; limit <= 100; limit += 90)
    {
        qvMorphSpace* space;
        int rank, before;
        double worst, worstBefore, tolerance = limit == 10 ? 0.02 : 0.03;
        ASSERT_OK(qvCreateMorphSpace(&frames, true, NULL, &space, &error), error);
        ASSERT_OK(qvMorphSpace_Choose(space, tolerance, 0, limit, NULL, &before, &worstBefore, &error), error);
        rank = before;
        worst = worstBefore;
        ASSERT_OK(qvMorphSpace_Improve(space, tolerance, NULL, &rank, &worst, &error), error);
        ASSERT_NEAR(WorstError(space, rank), worst, 1e-6);
        if (limit == 10)
            assert_true(rank == before && worst < 0.9 * worstBefore);
        else
            assert_true(rank < before && worst <= tolerance);
        qvDestroyMorphSpace(space);
    }
    free(values);
}

// --- Curves ------------------------------------------------------------------------------------------------------

static double MeasureDifference(void* context, int frame, const double* values)
{
    const qvClipCurves* curves = context;
    double worst = 0.0;
    for (int i = 0; i < WIDTH; i++)
        worst = fmax(worst, fabs(values[i] - curves->values[frame * WIDTH + i]));
    return worst;
}

static qvClipCurves MakeCurves(double* times, int count, double (*fcn)(double))
{
    qvClipCurves curves;
    for (int k = 0; k < count; k++)
        times[k] = 0.25 * k + (k % 3 == 1 ? 0.05 : 0.0); // not even
    assert_true(qvClipCurves_Start(&curves, count, times, WIDTH));
    for (int k = 0; k < count; k++)
        curves.values[k * WIDTH + QV_CLIP_SHAPES] = fcn(times[k]);
    return curves;
}

static double Cubic(double t)
{
    return 1.0 + 0.5 * t - 0.3 * t * t + 0.02 * t * t * t;
}

static double Wave(double t)
{
    return sin(t) + 0.3 * sin(2.3 * t);
}

// An impact: falls, and bounces.
static double Bounce(double t)
{
    return t < 5.0 ? 25.0 - t * t : (t - 5.0) * (9.0 - t);
}

static double Jump(double t)
{
    return t < 5.0 ? 0.0 : 1.0;
}

// A cubic is one piece, whatever it was sampled at.
static void TestOneCubic(void** state)
{
    (void)state;
    double times[41];
    qvClipCurves curves = MakeCurves(times, 41, Cubic);
    assert_true(qvClipCurves_UseCubics(&curves, false, 1e-4, MeasureDifference, &curves));
    assert_int_equal(curves.keyCount, 2);
    assert_int_equal(curves.keys[0], 0);
    assert_int_equal(curves.keys[1], 40);
    qvClipCurves_Free(&curves);
}

static void TestWave(void** state)
{
    (void)state;
    double times[81];
    int before = 0;
    for (double tolerance = 0.1; tolerance > 1e-4; tolerance *= 0.1)
    {
        qvClipCurves curves = MakeCurves(times, 81, Wave);
        assert_true(qvClipCurves_UseCubics(&curves, false, tolerance, MeasureDifference, &curves));
        assert_true(curves.isCubic && curves.keyCount > before && curves.keyCount < 60);
        before = curves.keyCount;
        for (int k = 0; k < 81; k++)
            assert_true(MeasureDifference(&curves, k, curves.evaluated + k * WIDTH) <= tolerance);
        double least, largest;
        qvClipCurves_Range(&curves, QV_CLIP_SHAPES, &least, &largest);
        ASSERT_NEAR(least, -1.2, 0.15);
        ASSERT_NEAR(largest, 1.2, 0.15);
        for (int k = 0; k < 81; k++)
            assert_true(curves.evaluated[k * WIDTH + QV_CLIP_SHAPES] >= least - 1e-12 &&
                        curves.evaluated[k * WIDTH + QV_CLIP_SHAPES] <= largest + 1e-12);
        qvClipCurves_Free(&curves);
    }
}

// A jump does not make the curve swing out.
static void TestJump(void** state)
{
    (void)state;
    double times[41], least, largest;
    qvClipCurves curves = MakeCurves(times, 41, Jump);
    assert_true(qvClipCurves_UseCubics(&curves, false, 1e-3, MeasureDifference, &curves));
    qvClipCurves_Range(&curves, QV_CLIP_SHAPES, &least, &largest);
    assert_true(least > -0.01 && largest < 1.01);
    assert_true(curves.keyCount < 20);
    qvClipCurves_Free(&curves);
}

// A kink is one key.
static void TestBounce(void** state)
{
    (void)state;
    double times[41];
    qvClipCurves curves = MakeCurves(times, 41, Bounce);
    assert_true(qvClipCurves_UseCubics(&curves, false, 0.05, MeasureDifference, &curves));
    assert_true(curves.keyCount <= 4);
    for (int k = 0; k < 41; k++)
        assert_true(MeasureDifference(&curves, k, curves.evaluated + k * WIDTH) <= 0.05);
    qvClipCurves_Free(&curves);
}

static void TestLines(void** state)
{
    (void)state;
    double times[9], least, largest;
    qvClipCurves curves = MakeCurves(times, 9, Cubic);
    qvClipCurves_UseLines(&curves);
    assert_int_equal(curves.keyCount, 9);
    assert_memory_equal(curves.evaluated, curves.values, 9 * WIDTH * sizeof(double));
    qvClipCurves_Range(&curves, QV_CLIP_SHAPES, &least, &largest);
    ASSERT_NEAR(least, fmin(Cubic(0.0), Cubic(times[8])), 1e-15);
    qvClipCurves_Free(&curves);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestSpace),    cmocka_unit_test(TestUncentered), cmocka_unit_test(TestImprove),
        cmocka_unit_test(TestOneCubic), cmocka_unit_test(TestWave),       cmocka_unit_test(TestJump),
        cmocka_unit_test(TestLines),    cmocka_unit_test(TestBounce),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
