// SPDX-License-Identifier: GPL-3.0-or-later
// Kinds of keys and controls: the mixer, materials of segments.
#include "motion_testing.h"

static const double TIMES[6] = { 0.0, 0.7, 1.1, 2.3, 2.9, 4.0 };

static double LargestGap(const Actor* actor, const qvMotion* a, const qvMotion* b, double time)
{
    double *x = Look(actor, a, time), *y = Look(actor, b, time);
    double gap = LargestDifference(x, y, actor->size);
    free(x);
    free(y);
    return gap;
}

static qvMixerStrip Strip(int mode, double gain)
{
    qvMixerStrip strip = qvDefaultMixerStrip();
    strip.mode = mode, strip.gain = gain;
    return strip;
}

// Every key is hit with any mix, and all strips at 1 change nothing.
static void TestMixerKeepsKeys(void** state)
{
    Actor actor = *(const Actor*)*state;
    int modes = qvMotionSpace_ModeCount(actor.space);
    assert_int_equal(modes, 8);
    qvMotionKey keys[6];
    qvMotionDef def = MakeKeys(&actor, keys, 6, TIMES);
    qvMotion* plain = MustMove(&actor, &def);
    qvMixerStrip strips[8];
    double diagonal = qvMotionSpace_Stats(actor.space).diagonal;
    for (int trial = 0; trial < 3; trial++)
    {
        for (int i = 0; i < 8; i++)
        {
            strips[i] = Strip(i, trial == 0 ? 1.0 : 0.5 * i);
            strips[i].damping = trial == 2 ? 0.3 : 0.0;
        }
        def.strips = strips, def.stripCount = 8;
        qvMotion* mixed = MustMove(&actor, &def);
        for (int i = 0; i < 6; i++)
        {
            double* at = Look(&actor, mixed, TIMES[i]);
            ASSERT_NEAR(LargestDifference(at, actor.points[keys[i].pose], actor.size), 0.0, 1e-9 * diagonal);
            free(at);
        }
        double gap = LargestGap(&actor, plain, mixed, 0.45);
        if (trial == 0)
            ASSERT_NEAR(gap, 0.0, 1e-12);
        else
            assert_true(gap > 1e-3);
        qvDestroyMotion(mixed);
    }
    qvDestroyMotion(plain);
}

// All muted: the motion of smooth keys, at every time. One alone: between the two.
static void TestMixerMuteAndSolo(void** state)
{
    Actor actor = *(const Actor*)*state;
    qvMotionKey keys[6];
    qvMotionDef def = MakeKeys(&actor, keys, 6, TIMES);
    qvMixerStrip strips[8];
    for (int i = 0; i < 8; i++)
    {
        strips[i] = Strip(i, 2.0);
        strips[i].mute = true;
    }
    def.strips = strips, def.stripCount = 8;
    qvMotion* muted = MustMove(&actor, &def);
    for (int i = 0; i < 8; i++)
        strips[i].mute = false, strips[i].gain = 1.0, strips[i].solo = i == 1;
    qvMotion* solo = MustMove(&actor, &def);
    def.stripCount = 0;
    qvMotion* plain = MustMove(&actor, &def);
    for (int i = 0; i < 6; i++)
        keys[i].kind = qv_motionSmooth;
    qvMotion* smooth = MustMove(&actor, &def);
    double all = 0.0, one = 0.0;
    float* weights = calloc((size_t)actor.size / 3, sizeof(float));
    for (int i = 0; i < 6; i++)
        keys[i].kind = qv_motionWiggly;
    def.weights = weights;
    qvMotion* light = MustMove(&actor, &def);
    for (double t = -0.2; t < 6.0; t += 0.13)
    {
        ASSERT_NEAR(LargestGap(&actor, muted, smooth, t), 0.0, 1e-9);
        ASSERT_NEAR(LargestGap(&actor, light, smooth, t), 0.0, 1e-9);
        all = fmax(all, LargestGap(&actor, plain, smooth, t));
        one = fmax(one, LargestGap(&actor, solo, smooth, t));
    }
    assert_true(one > 1e-3 && one < all);
    free(weights);
    qvDestroyMotion(light);
    qvDestroyMotion(muted);
    qvDestroyMotion(solo);
    qvDestroyMotion(plain);
    qvDestroyMotion(smooth);
}

// The velocity of a mixed motion is its derivative, also after the last key.
static void TestMixerDerivatives(void** state)
{
    Actor actor = *(const Actor*)*state;
    qvMotionKey keys[4];
    qvMotionDef def = MakeKeys(&actor, keys, 4, TIMES);
    qvMixerStrip strips[2] = { Strip(0, 3.0), Strip(7, 0.2) };
    def.strips = strips, def.stripCount = 2;
    qvMotion* motion = MustMove(&actor, &def);
    double h = 1e-5;
    for (double t = 0.05; t < 3.0; t += 0.11)
    {
        double *a = Look(&actor, motion, t - h), *b = Look(&actor, motion, t), *c = Look(&actor, motion, t + h);
        for (int i = 0; i < actor.size; i++)
        {
            ASSERT_NEAR((c[i] - a[i]) / (2.0 * h), b[actor.size + i], 1e-4);
            ASSERT_NEAR((c[actor.size + i] - a[actor.size + i]) / (2.0 * h), b[2 * actor.size + i], 1e-1);
        }
        free(a);
        free(b);
        free(c);
    }
    double *before = Look(&actor, motion, TIMES[3] - 1e-9), *after = Look(&actor, motion, TIMES[3] + 1e-9);
    ASSERT_NEAR(LargestDifference(before + actor.size, after + actor.size, actor.size), 0.0, 1e-5);
    free(before);
    free(after);
    qvDestroyMotion(motion);
}

// Modes are there without a key at rest; their shapes solve the eigenproblem as far as frequencies show; strips of a
// mode act on that mode alone.
static void TestModesOfRest(void** state)
{
    (void)state;
    Actor actor = MakeActor("sack", 6), atRest = MakeActor("sack", 6);
    Deform(&actor, AddPose(&actor), 0.6, 0.4, 0.1);
    Deform(&actor, AddPose(&actor), -0.5, 0.2, 0.0);
    AddPose(&atRest);
    MakeSpace(&actor);
    MakeSpace(&atRest);
    assert_int_equal(qvMotionSpace_ModeCount(actor.space), qvMotionSpace_ModeCount(atRest.space));
    double* shapes[2] = { calloc((size_t)actor.size, sizeof(double)), calloc((size_t)actor.size, sizeof(double)) };
    ASSERT_NEAR(qvMotionSpace_ModeFrequency(actor.space, 0, 2.0), 2.0, 1e-6);
    for (int i = 0; i < 8; i++)
    {
        double f = qvMotionSpace_ModeFrequency(actor.space, i, 2.0);
        ASSERT_NEAR(f, qvMotionSpace_ModeFrequency(atRest.space, i, 2.0), 1e-6 * f);
        qvMotionSpace_ModeShape(actor.space, i, shapes[0]);
        qvMotionSpace_ModeShape(atRest.space, i, shapes[1]);
        double longest = 0.0;
        for (int k = 0; k < actor.size; k += 3)
            longest = fmax(longest, hypot(hypot(shapes[0][k], shapes[0][k + 1]), shapes[0][k + 2]));
        ASSERT_NEAR(longest, 1.0, 1e-12);
        assert_true(i == 0 || f >= qvMotionSpace_ModeFrequency(actor.space, i - 1, 2.0));
    }
    qvMotionKey keys[3];
    qvMotionDef def = MakeKeys(&actor, keys, 3, TIMES);
    qvMotion* plain = MustMove(&actor, &def);
    qvMixerStrip strip = Strip(0, 0.0);
    def.strips = &strip, def.stripCount = 1;
    qvMotion* without = MustMove(&actor, &def);
    void* scratch = malloc(qvMotion_ScratchSize(plain));
    double level[2][8], curve[2][8], loudest = 0.0;
    for (double t = 0.05; t < 1.1; t += 0.1)
    {
        qvMotion_ModeLevels(plain, t, scratch, level[0]);
        qvMotion_ModeLevels(without, t, scratch, level[1]);
        qvMotion_ModeCurves(plain, &t, 1, scratch, curve[0]);
        qvMotion_ModeCurves(without, &t, 1, scratch, curve[1]);
        loudest = fmax(loudest, level[0][0]);
        ASSERT_NEAR(level[1][0], 0.0, 1e-9);
        for (int i = 1; i < 8; i++)
        {
            ASSERT_NEAR(level[1][i], level[0][i], 1e-9);
            ASSERT_NEAR(curve[1][i], curve[0][i], 1e-9);
        }
    }
    assert_true(loudest > 1e-3);
    free(scratch);
    free(shapes[0]);
    free(shapes[1]);
    qvDestroyMotion(plain);
    qvDestroyMotion(without);
    FreeActor(&actor);
    FreeActor(&atRest);
}

// Within a third of a second from a time on: a meter is not exactly constant in phase.
static void LoudestLevels(const qvMotion* motion, double time, void* scratch, double loudest[8])
{
    double levels[8];
    memset(loudest, 0, sizeof(levels));
    for (double t = time; t < time + 0.33; t += 0.01)
    {
        qvMotion_ModeLevels(motion, t, scratch, levels);
        for (int i = 0; i < 8; i++)
            loudest[i] = fmax(loudest[i], levels[i]);
    }
}

// More damping of a mode makes it ring for a shorter time after the last key, and leaves the others.
static void TestStripDamping(void** state)
{
    (void)state;
    Actor actor = MakeActor("sack", 6);
    Deform(&actor, AddPose(&actor), 0.6, 0.4, 0.1);
    AddPose(&actor);
    MakeSpace(&actor);
    qvMotionKey keys[2];
    qvMotionDef def = MakeKeys(&actor, keys, 2, TIMES);
    qvMotion* plain = MustMove(&actor, &def);
    qvMixerStrip strip = Strip(0, 1.0);
    strip.damping = 0.2;
    def.strips = &strip, def.stripCount = 1;
    qvMotion* damped = MustMove(&actor, &def);
    void* scratch = malloc(qvMotion_ScratchSize(plain));
    double at[2][2][8];
    for (int k = 0; k < 2; k++) // late enough for the smooth motion, about which meters measure, to have come to rest
    {
        LoudestLevels(plain, TIMES[1] + 1.5 + k, scratch, at[0][k]);
        LoudestLevels(damped, TIMES[1] + 1.5 + k, scratch, at[1][k]);
    }
    assert_true(at[0][0][0] > 1e-4);
    // Per second exp(-3) of settle = 1 s, and exp(-0.2 omega) more
    double rate = 0.2 * 2.0 * 3.14159265358979 * 2.0;
    double ratio = at[1][1][0] / at[1][0][0] / (at[0][1][0] / at[0][0][0]);
    ASSERT_NEAR(log(ratio), -rate, 0.25);
    for (int i = 1; i < 8; i++)
        ASSERT_NEAR(at[1][1][i], at[0][1][i], 1e-9);
    free(scratch);
    qvDestroyMotion(plain);
    qvDestroyMotion(damped);
    FreeActor(&actor);
}

// A segment with a material of its own: the others stay nearly as they are, velocities stay continuous, and the same
// numbers as the motion's change nothing.
static void TestSegmentMaterial(void** state)
{
    Actor actor = *(const Actor*)*state;
    qvMotionKey keys[6];
    qvMotionDef def = MakeKeys(&actor, keys, 6, TIMES);
    qvMotion* plain = MustMove(&actor, &def);
    keys[3].frequency = def.material.frequency, keys[3].settle = def.material.settle;
    qvMotion* same = MustMove(&actor, &def);
    keys[3].frequency = 5.0, keys[3].settle = NAN;
    qvMotion* own = MustMove(&actor, &def);
    for (double t = 0.05; t < 5.0; t += 0.15)
        ASSERT_NEAR(LargestGap(&actor, plain, same, t), 0.0, 1e-9);
    assert_true(LargestGap(&actor, plain, own, 1.7) > 1e-3);
    for (int i = 0; i < 6; i++)
    {
        double *before = Look(&actor, own, TIMES[i] - 1e-9), *after = Look(&actor, own, TIMES[i] + 1e-9);
        ASSERT_NEAR(LargestDifference(before, actor.points[keys[i].pose], actor.size), 0.0, 1e-6);
        if (i > 0)
            ASSERT_NEAR(LargestDifference(before + actor.size, after + actor.size, actor.size), 0.0, 1e-5);
        if (i == 2) // where the material changes the force is continuous, not the acceleration
            assert_true(LargestDifference(before + 2 * actor.size, after + 2 * actor.size, actor.size) > 1e-2);
        free(before);
        free(after);
    }
    qvDestroyMotion(plain);
    qvDestroyMotion(same);
    qvDestroyMotion(own);
}

// Several tests look at the same dancer.
static int Setup(void** state)
{
    Actor* actor = malloc(sizeof(*actor));
    *actor = MakeDancer();
    MakeSpace(actor);
    *state = actor;
    return 0;
}

static int Teardown(void** state)
{
    FreeActor(*state);
    free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestMixerKeepsKeys),   cmocka_unit_test(TestMixerMuteAndSolo),
        cmocka_unit_test(TestMixerDerivatives), cmocka_unit_test(TestModesOfRest),
        cmocka_unit_test(TestStripDamping),     cmocka_unit_test(TestSegmentMaterial),
    };
    return cmocka_run_group_tests(tests, Setup, Teardown);
}
