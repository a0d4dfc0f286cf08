// SPDX-License-Identifier: GPL-3.0-or-later
// Rotation-aware motions: what turns keeps its lengths, keys are exact, the motion is C2.
#include "motion_bar.h"

#include "base/cpu.h"
#include "motion/warp_kernel.h"
#include "motion/warp_math.h"

static const double PI = 3.14159265358979323846;

// Largest deviations over the time between two keys a second apart, as shares of the rest shape's.
typedef struct Stretch
{
    double length, area, girth;
} Stretch;

static Stretch Measure(const Actor* actor, bool warp, qvMotionKind kind)
{
    const double times[2] = { 0.0, 1.0 };
    qvMotionKey keys[2];
    qvMotionDef def = MakeKeys(actor, keys, 2, times);
    keys[1].kind = kind;
    def.warp = warp;
    qvMotion* motion = MustMove(actor, &def);
    Stretch worst = { 0.0, 0.0, 0.0 };
    for (int k = 0; k <= 25; k++)
    {
        double* at = Look(actor, motion, 0.04 * k);
        worst.length = fmax(worst.length, fabs(qvBar_Length(at) / qv_barLength - 1.0));
        worst.area =
            fmax(worst.area, fabs(qvBar_Area(actor->topology, at) / qvBar_Area(actor->topology, actor->rest) - 1.0));
        worst.girth = fmax(worst.girth, fabs(qvBar_Girth(at) - 1.0));
        free(at);
    }
    qvDestroyMotion(motion);
    return worst;
}

static void HoldStart(Actor* actor, int32_t* pins, int count)
{
    for (int i = 0; i < count; i++)
        pins[i] = i;
    actor->def.pins = pins, actor->def.pinCount = count;
}

// A bar bent by 120 degrees between two keys keeps its length and area; displacements would not.
static void TestBend(void** state)
{
    (void)state;
    for (int trial = 0; trial < 2; trial++)
    {
        Actor actor = MakeBar();
        int32_t pins[qv_barSides];
        if (trial == 1)
            HoldStart(&actor, pins, qv_barSides);
        AddPose(&actor);
        BendBar(&actor, AddPose(&actor), 2.0 * PI / 3.0, 0.0);
        actor.def.material.modes = 20;
        MakeSpace(&actor);
        for (int kind = 0; kind < 3; kind++)
        {
            Stretch plain = Measure(&actor, false, (qvMotionKind)kind);
            Stretch warped = Measure(&actor, true, (qvMotionKind)kind);
            assert_true(warped.length < 0.005 && warped.area < 0.005 && warped.girth < 0.01);
            assert_true(plain.length > (trial == 1 ? 0.08 : 0.03) && plain.area > 0.04);
        }
        FreeActor(&actor);
    }
}

// Twisted by 180 degrees its girth stays; and by 350 degrees, more than half a turn at each end.
static void TestTwist(void** state)
{
    (void)state;
    for (int trial = 0; trial < 2; trial++)
    {
        Actor actor = MakeBar();
        AddPose(&actor);
        BendBar(&actor, AddPose(&actor), 0.0, trial == 0 ? PI : 350.0 / 180.0 * PI);
        actor.def.material.modes = 20;
        MakeSpace(&actor);
        for (int kind = 0; kind < 3; kind++)
        {
            Stretch plain = Measure(&actor, false, (qvMotionKind)kind);
            Stretch warped = Measure(&actor, true, (qvMotionKind)kind);
            assert_true(warped.girth < (trial == 0 ? 0.01 : 0.03) && warped.length < 0.005);
            assert_true(plain.girth > 0.25);
        }
        FreeActor(&actor);
    }
}

// --- Keys -----------------------------------------------------------------------------------------------------------

// A bar that is bent and twisted a lot, in four shapes.
static Actor MakeSnake(void)
{
    Actor actor = MakeBar();
    AddPose(&actor);
    BendBar(&actor, AddPose(&actor), 2.0, 1.5);
    BendBar(&actor, AddPose(&actor), -2.5, 0.0);
    BendBar(&actor, AddPose(&actor), 1.0, -2.5);
    return actor;
}

static const double TIMES[6] = { 0.0, 0.7, 1.1, 2.3, 2.9, 4.0 };

static void AssertHits(const Actor* actor, const qvMotion* motion, double time, const double* pose)
{
    double diagonal = qvMotionSpace_Stats(actor->space).diagonal, *at = Look(actor, motion, time);
    ASSERT_NEAR(LargestDifference(at, pose, actor->size), 0.0, 1e-9 * diagonal);
    free(at);
    void* scratch = malloc(qvMotion_ScratchSize(motion));
    qvVec3f* points = calloc((size_t)actor->size / 3, sizeof(*points));
    qvMotion_EvaluateFloat(motion, time, scratch, NULL, points);
    for (int i = 0; i < actor->size; i++)
        ASSERT_NEAR((&points[i / 3].x)[i % 3], pose[i], 1e-6 * diagonal);
    free(points);
    free(scratch);
}

// Every key's pose at its time: free, pinned, with weights, with a first key that is not the rest shape.
static void TestHitsKeys(void** state)
{
    (void)state;
    for (int trial = 0; trial < 4; trial++)
    {
        Actor actor = MakeSnake();
        int32_t pins[qv_barSides];
        if (trial % 3 != 0)
            HoldStart(&actor, pins, trial % 3 == 1 ? qv_barSides : 1);
        MakeSpace(&actor);
        float* weights = calloc((size_t)actor.size / 3, sizeof(float));
        for (int i = 0; i < actor.size / 3; i++)
            weights[i] = (float)(i % 5) / 4.0f;
        qvMotionKey keys[6];
        qvMotionDef def = MakeKeys(&actor, keys, 6, TIMES);
        def.weights = trial >= 2 ? weights : NULL;
        for (int i = 0; i < 6; i++)
        {
            keys[i].pose = (i + 2) % 4;
            keys[i].kind = trial % 2 == 0 ? qv_motionWiggly : (qvMotionKind)((trial + i) % 4);
        }
        qvMotion* motion = MustMove(&actor, &def);
        for (int i = 0; i < 6; i++)
            AssertHits(&actor, motion, TIMES[i], actor.points[keys[i].pose]);
        qvDestroyMotion(motion);
        free(weights);
        FreeActor(&actor);
    }
}

// --- Derivatives ----------------------------------------------------------------------------------------------------

// (difference of a over 2 h) against b, relative to the largest |b| of all points.
static void AssertSlope(const double* before, const double* after, const double* slope, int size, double h,
                        double tolerance)
{
    double scale = 1.0;
    for (int i = 0; i < size; i++)
        scale = fmax(scale, fabs(slope[i]));
    for (int i = 0; i < size; i++)
        ASSERT_NEAR((after[i] - before[i]) / (2.0 * h), slope[i], tolerance * scale);
}

// Velocities and accelerations are the derivatives of the positions: in blends, in the ring-down, with pins, weights
// and a turning frame.
static void TestDerivatives(void** state)
{
    (void)state;
    for (int trial = 0; trial < 3; trial++)
    {
        Actor actor = MakeSnake();
        int32_t pins[3];
        if (trial == 1)
            HoldStart(&actor, pins, 3);
        MakeSpace(&actor);
        int size = actor.size;
        float* weights = calloc((size_t)size / 3, sizeof(float));
        for (int i = 0; i < size / 3; i++)
            weights[i] = (float)(i % 7) / 6.0f;
        qvMotionKey keys[6];
        qvMotionDef def = MakeKeys(&actor, keys, 6, TIMES);
        keys[0].hasTransform = keys[3].hasTransform = true;
        keys[3].rotation = (qvQuat){ 0.3, 0.4, 0.1, 0.8 };
        keys[4].kind = qv_motionSmooth;
        def.weights = trial == 2 ? weights : NULL;
        qvMotion* motion = MustMove(&actor, &def);
        double h = 1e-5;
        for (int k = 0; k < 10; k++)
        {
            double t = 0.03 + 0.47 * k;
            double *a = Look(&actor, motion, t - h), *b = Look(&actor, motion, t), *c = Look(&actor, motion, t + h);
            AssertSlope(a, c, b + size, size, h, 1e-5);
            AssertSlope(a + size, c + size, b + 2 * size, size, h, 1e-4);
            free(a);
            free(b);
            free(c);
        }
        qvDestroyMotion(motion);
        free(weights);
        FreeActor(&actor);
    }
}

// The largest jump of the positions and their two derivatives across a time, over their sizes there.
static void FindJumps(const Actor* actor, const qvMotion* motion, double time, double jumps[3])
{
    double h = 1e-8, *a = Look(actor, motion, time - h), *b = Look(actor, motion, time + h);
    for (int k = 0; k < 3; k++)
    {
        const double *x = a + k * actor->size, *y = b + k * actor->size;
        double scale = 1.0;
        for (int i = 0; i < actor->size; i++)
            scale = fmax(scale, fabs(x[i]));
        jumps[k] = LargestDifference(x, y, actor->size) / scale;
    }
    free(a);
    free(b);
}

// C2 at keys and where blends begin and end; of a pinned body, which has no frame of its own, also at the last key.
static void TestSmoothInTime(void** state)
{
    (void)state;
    for (int trial = 0; trial < 2; trial++)
    {
        Actor actor = MakeSnake();
        int32_t pins[3];
        if (trial == 0)
            HoldStart(&actor, pins, 3);
        MakeSpace(&actor);
        qvMotionKey keys[6];
        qvMotionDef def = MakeKeys(&actor, keys, 6, TIMES);
        def.period = trial == 1 ? 5.0 : 0.0;
        qvMotion* motion = MustMove(&actor, &def);
        double jumps[3];
        for (int i = trial == 1 ? 0 : 1; i < 6; i++)
        {
            double length = i < 5 ? TIMES[i + 1] - TIMES[i] : 1.0;
            const double places[3] = { TIMES[i], TIMES[i] + 0.25 * length, TIMES[i] + 0.75 * length };
            for (int k = 0; k < 3; k++)
            {
                FindJumps(&actor, motion, places[k], jumps);
                ASSERT_NEAR(jumps[0], 0.0, 1e-6);
                ASSERT_NEAR(jumps[1], 0.0, 1e-5);
                ASSERT_NEAR(jumps[2], 0.0, 1e-4);
            }
        }
        FindJumps(&actor, motion, TIMES[0], jumps);
        assert_true(trial == 1 || jumps[2] > 0.01); // the test sees a jump: the first key starts from rest
        qvDestroyMotion(motion);
        FreeActor(&actor);
    }
}

// --- One evaluator --------------------------------------------------------------------------------------------------

// The same bits alone and in batches, in any order, for any pool and level of the CPU; and the double ones to float's
// precision.
static void TestBits(void** state)
{
    (void)state;
    enum
    {
        COUNT = 19
    };
    qvError error;
    qvPool* pool;
    ASSERT_OK(qvCreatePool(2, &pool, &error), error);
    for (int trial = 0; trial < 4; trial++)
    {
        Actor actor = MakeSnake();
        int32_t pins[3];
        if (trial == 1)
            HoldStart(&actor, pins, 3);
        MakeSpace(&actor);
        size_t points = (size_t)actor.size / 3;
        float* weights = calloc(points, sizeof(float));
        qvMotionKey keys[6];
        qvMotionDef def = MakeKeys(&actor, keys, 6, TIMES);
        for (size_t i = 0; i < points; i++)
            weights[i] = (float)(i % 5) / 4.0f;
        def.weights = trial >= 2 ? weights : NULL, def.warp = trial != 2;
        qvMotion* motion = MustMove(&actor, &def);
        double times[COUNT];
        for (int i = 0; i < COUNT; i++)
            times[i] = -0.3 + 0.26 * ((i * 7) % COUNT);
        qvVec3f *frames = calloc(COUNT * points, sizeof(*frames)), *one = calloc(points, sizeof(*one));
        ASSERT_OK(qvMotion_EvaluateFrames(motion, times, COUNT, pool, frames, &error), error);
        void* scratch = malloc(qvMotion_ScratchSize(motion));
        for (int i = 0; i < COUNT; i++)
        {
            setenv("QUAVER_CPU", i % 3 == 0 ? "portable" : i % 3 == 1 ? "avx2" : "avx512", 1);
            qvMotion_EvaluateFloat(motion, times[i], scratch, i % 2 == 0 ? NULL : pool, one);
            unsetenv("QUAVER_CPU");
            assert_memory_equal(one, frames + (size_t)i * points, points * sizeof(*one));
            double* at = Look(&actor, motion, times[i]);
            for (int k = 0; k < actor.size; k++)
                ASSERT_NEAR((&one[k / 3].x)[k % 3], at[k], 5e-6);
            free(at);
        }
        free(scratch);
        free(frames);
        free(one);
        free(weights);
        qvDestroyMotion(motion);
        FreeActor(&actor);
    }
    qvDestroyPool(pool);
}

// --- Pins, parts, weights -------------------------------------------------------------------------------------------

// Pins stay to the last digit, also where the body swings about a single one, and nothing tears next to them.
static void TestPins(void** state)
{
    (void)state;
    for (int count = 1; count <= qv_barSides; count += qv_barSides - 1)
    {
        Actor actor = MakeBar();
        int32_t pins[qv_barSides];
        HoldStart(&actor, pins, count);
        AddPose(&actor);
        BendBar(&actor, AddPose(&actor), 2.0, 1.0);
        MakeSpace(&actor);
        qvMotionKey keys[3];
        qvMotionDef def = MakeKeys(&actor, keys, 3, TIMES);
        qvMotion* motion = MustMove(&actor, &def);
        for (int k = 0; k < 15; k++)
        {
            double* at = Look(&actor, motion, 0.1 * k);
            ASSERT_NEAR(LargestDifference(at, actor.rest, 3 * count), 0.0, 1e-9);
            assert_true(fabs(qvBar_Girth(at) - 1.0) < 0.1);
            free(at);
        }
        qvDestroyMotion(motion);
        FreeActor(&actor);
    }
}

// Mass centres of both parts of a body of two triangles fans, from masses and points.
static void FindCenters(const Actor* actor, const double* masses, const double* points, qvVec3 out[2])
{
    double total[2] = { 0.0, 0.0 };
    out[0] = out[1] = qvMakeVec3(0.0, 0.0, 0.0);
    for (int i = 0; i < actor->size / 3; i++)
    {
        int part = actor->topology->pointPart[i];
        out[part] = qvMulAdd(out[part], masses[i], qvMakeVec3(points[3 * i], points[3 * i + 1], points[3 * i + 2]));
        total[part] += masses[i];
    }
    for (int k = 0; k < 2; k++)
        out[k] = qvScale(1.0 / total[k], out[k]);
}

// Parts that turn each on its own: their mass centres move as by displacements, and neither changes its lengths.
static void TestParts(void** state)
{
    (void)state;
    Actor actor = MakeActorOf(MakePair());
    assert_int_equal(actor.topology->partCount, 2);
    AddPose(&actor);
    double* points = AddPose(&actor);
    for (int i = 0; i < actor.size; i += 3)
    {
        double middle = actor.topology->pointPart[i / 3] == 0 ? 0.0 : 5.0, sign = middle > 0.0 ? 1.0 : -1.0;
        double x = points[i] - middle, y = points[i + 1] - 1.0;
        points[i] = middle - sign * y, points[i + 1] = 1.0 + sign * x;
    }
    MakeSpace(&actor);
    qvMotionKey keys[2];
    qvMotionDef def = MakeKeys(&actor, keys, 2, TIMES);
    qvMotion *motion = MustMove(&actor, &def), *plain;
    def.warp = false;
    plain = MustMove(&actor, &def);
    double *masses = calloc((size_t)actor.size / 3, sizeof(double)), straight = 1.0;
    qvVec3f* rest = calloc((size_t)actor.size / 3, sizeof(*rest));
    qvMesh_GatherPoints(actor.mesh, actor.mesh->positions, rest);
    qvComputeMasses(actor.topology, rest, masses);
    for (int k = 0; k < 12; k++)
    {
        double *a = Look(&actor, motion, 0.07 * k), *b = Look(&actor, plain, 0.07 * k);
        qvVec3 x[2], y[2];
        FindCenters(&actor, masses, a, x);
        FindCenters(&actor, masses, b, y);
        for (int i = 0; i < 2; i++)
            ASSERT_NEAR(qvDistance(x[i], y[i]), 0.0, 1e-6);
        ASSERT_NEAR(qvBar_Area(actor.topology, a) / qvBar_Area(actor.topology, actor.rest), 1.0, 0.01);
        straight = fmin(straight, qvBar_Area(actor.topology, b) / qvBar_Area(actor.topology, actor.rest));
        free(a);
        free(b);
    }
    assert_true(straight < 0.8);
    free(masses);
    free(rest);
    qvDestroyMotion(motion);
    qvDestroyMotion(plain);
    FreeActor(&actor);
}

// With weight 0 a point moves smoothly, with 1 it wobbles, in between it does half of each; keys stay exact.
static void TestWeights(void** state)
{
    (void)state;
    for (int warp = 0; warp < 2; warp++)
    {
        Actor actor = MakeSnake();
        MakeSpace(&actor);
        int size = actor.size;
        float* weights = calloc((size_t)size / 3, sizeof(float));
        for (int i = 0; i < size / 3; i++)
            weights[i] = 0.5f * (float)(i % 3);
        qvMotionKey keys[5];
        qvMotionDef def = MakeKeys(&actor, keys, 5, TIMES);
        keys[2].mode = qv_velocitySet, keys[2].after = qvMakeVec3(0.5, 0.0, 0.0);
        def.warp = warp == 1;
        qvMotion* wiggly = MustMove(&actor, &def);
        def.weights = weights;
        qvMotion* mixed = MustMove(&actor, &def);
        def.weights = NULL;
        for (int i = 0; i < 5; i++)
            keys[i].kind = qv_motionSmooth;
        qvMotion* smooth = MustMove(&actor, &def);
        double apart = 0.0;
        for (int k = 0; k < 12; k++)
        {
            double t = 0.24 * k;
            double *a = Look(&actor, smooth, t), *b = Look(&actor, wiggly, t), *c = Look(&actor, mixed, t);
            for (int i = 0; i < 3 * size; i++)
            {
                double weight = (double)weights[i % size / 3];
                ASSERT_NEAR(c[i], a[i] + weight * (b[i] - a[i]), 1e-9 * (1.0 + fabs(a[i]) + fabs(b[i])));
            }
            apart = fmax(apart, LargestDifference(a, b, size));
            free(a);
            free(b);
            free(c);
        }
        assert_true(apart > 0.05);
        for (int i = 0; i < 5; i++)
            AssertHits(&actor, mixed, TIMES[i], actor.points[keys[i].pose]);
        weights[3] = 1.5f;
        def.weights = weights;
        qvError error;
        qvMotion* none;
        assert_int_equal(qvCreateMotion(&def, actor.space, NULL, &none, &error), qv_badInput);
        ASSERT_CONTAINS(error.message, "weight of point 3");
        qvDestroyMotion(wiggly);
        qvDestroyMotion(mixed);
        qvDestroyMotion(smooth);
        free(weights);
        FreeActor(&actor);
    }
}

static double SmallDifference(double size)
{
    Actor actor = MakeBar();
    AddPose(&actor);
    BendBar(&actor, AddPose(&actor), size, size);
    MakeSpace(&actor);
    qvMotionKey keys[2];
    qvMotionDef def = MakeKeys(&actor, keys, 2, TIMES);
    qvMotion *warped = MustMove(&actor, &def), *plain;
    def.warp = false;
    plain = MustMove(&actor, &def);
    double largest = 0.0;
    for (int k = 0; k < 10; k++)
    {
        double *a = Look(&actor, warped, 0.12 * k), *b = Look(&actor, plain, 0.12 * k);
        largest = fmax(largest, LargestDifference(a, b, actor.size));
        free(a);
        free(b);
    }
    qvDestroyMotion(warped);
    qvDestroyMotion(plain);
    FreeActor(&actor);
    return largest;
}

// Small deformations move as displacements do, to second order.
static void TestSmall(void** state)
{
    (void)state;
    double small = SmallDifference(0.02), large = SmallDifference(0.08);
    assert_true(small < 2e-3);
    assert_true(large > 8.0 * small && large < 32.0 * small);
}

// Rotations found together are those found alone, from none to many turns, and the same bits at every CPU level.
static void TestTurns(void** state)
{
    (void)state;
    qvWarpTurns before, after[3];
    for (int i = 0; i < qv_warpTile; i++)
    {
        for (int k = 0; k < 3; k++)
        {
            before.w[k][i] = i == 0 ? 0.0 : pow(1.25, i - 50) * sin(1.0 + i + 2.0 * k); // up to 4 turns
            before.psi[k][i] = i < 2 ? 0.0 : 0.05 * i * cos(0.3 * i + k);
            before.v[k][i] = sin(0.7 * i + 1.1 * k);
        }
    }
    qvCpuLevel level = qvGetCpuLevel();
    for (int i = 0; i < 3; i++)
        after[i] = before;
    qvWarpTurn_Portable(&after[0]);
    (level >= qv_cpuAvx2 ? qvWarpTurn_Avx2 : qvWarpTurn_Portable)(&after[1]);
    (level >= qv_cpuAvx512 ? qvWarpTurn_Avx512 : qvWarpTurn_Portable)(&after[2]);
    assert_memory_equal(after[0].v, after[1].v, sizeof(after[0].v));
    assert_memory_equal(after[0].v, after[2].v, sizeof(after[0].v));
    for (int i = 0; i < qv_warpTile; i++)
    {
        qvQuat w = qvQuat_Exp(qvMakeVec3(before.w[0][i], before.w[1][i], before.w[2][i]));
        qvQuat psi = qvQuat_Exp(qvMakeVec3(before.psi[0][i], before.psi[1][i], before.psi[2][i]));
        qvVec3 v = qvMakeVec3(before.v[0][i], before.v[1][i], before.v[2][i]);
        qvVec3 wanted = qvQuat_Rotate(qvQuat_Multiply(w, psi), v);
        for (int k = 0; k < 3; k++)
            ASSERT_NEAR(after[0].v[k][i], (&wanted.x)[k], 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestBend),        cmocka_unit_test(TestTwist), cmocka_unit_test(TestHitsKeys),
        cmocka_unit_test(TestDerivatives), cmocka_unit_test(TestBits),  cmocka_unit_test(TestSmoothInTime),
        cmocka_unit_test(TestPins),        cmocka_unit_test(TestParts), cmocka_unit_test(TestWeights),
        cmocka_unit_test(TestSmall),       cmocka_unit_test(TestTurns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
