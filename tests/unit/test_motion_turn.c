// SPDX-License-Identifier: GPL-3.0-or-later
// Keys that the motion turns at: nothing goes beyond them on the way there, and it wobbles on afterwards.
#include "motion_testing.h"

enum
{
    KEYS = 7
};

// A jump: stands, crouches, stretches a moment later, and so on: poses of MakeDancer in turn, close in time.
static const double TIMES[KEYS] = { 0.0, 0.5, 0.62, 0.7, 1.4, 1.5, 2.4 };

static qvMotionDef MakeJump(const Actor* actor, qvMotionKey* keys, qvVelocityMode mode)
{
    qvMotionDef def = MakeKeys(actor, keys, KEYS, TIMES);
    for (int i = 0; i < KEYS; i++)
        keys[i].mode = mode;
    return def;
}

// How far coordinates leave the range of a segment's ends, over the largest step of all of them.
static double Overshoot(const qvMotion* motion, int d, double from, double to)
{
    enum
    {
        SAMPLES = 101
    };
    double times[SAMPLES], largest = 0.0, step = 0.0;
    for (int i = 0; i < SAMPLES; i++)
        times[i] = i == SAMPLES - 1 ? to - 1e-12 : from + (to - from) * i / (SAMPLES - 1);
    void* scratch = malloc(qvMotion_ScratchSize(motion));
    double* q = calloc(SAMPLES * (size_t)d, sizeof(double));
    qvMotion_Coordinates(motion, times, SAMPLES, scratch, q, NULL, NULL);
    for (int k = 0; k < d; k++)
    {
        double a = q[k], b = q[(size_t)(SAMPLES - 1) * (size_t)d + (size_t)k];
        step = fmax(step, fabs(a - b));
        for (int i = 0; i < SAMPLES; i++)
        {
            double value = q[(size_t)i * (size_t)d + (size_t)k];
            largest = fmax(largest, fmax(value - fmax(a, b), fmin(a, b) - value));
        }
    }
    free(q);
    free(scratch);
    return largest / step;
}

// Free, it goes far beyond poses; turning, not at all, in no coordinate; also where only some keys turn.
static void TestNoOvershoot(void** state)
{
    (void)state;
    Actor actor = MakeDancer();
    MakeSpace(&actor);
    int d = qvMotionSpace_Stats(actor.space).dimension;
    for (int round = 0; round < 4; round++)
    {
        qvMotionKey keys[KEYS];
        qvMotionDef def = MakeJump(&actor, keys, round == 0 ? qv_velocityFree : qv_velocityTurn);
        for (int i = 0; i < KEYS && round >= 2; i++)
            keys[i].mode = i % 2 == round % 2 ? qv_velocityTurn : qv_velocityFree;
        def.period = round == 1 ? 3.0 : 0.0;
        qvMotion* motion = MustMove(&actor, &def);
        double most = 0.0;
        for (int i = 1; i < KEYS; i++)
        {
            double over = Overshoot(motion, d, TIMES[i - 1], TIMES[i]);
            bool turns = keys[i].mode == qv_velocityTurn && (def.period > 0.0 || i < KEYS - 1);
            most = fmax(most, over);
            if (turns)
                ASSERT_NEAR(over, 0.0, 1e-9);
            if (turns)
                ASSERT_NEAR(qvMotion_Passes(motion, i), 0.0, 1e-9);
            ASSERT_NEAR(qvMotion_KeyReport(motion, i).error, 0.0, 1e-12);
        }
        if (round == 0)
            assert_true(most > 1.0 && qvMotion_Passes(motion, 1) > 1.0);
        qvDestroyMotion(motion);
    }
    FreeActor(&actor);
}

// Positions and velocities of all points have no jump, not even where one kind of segment follows another.
static void TestContinuous(void** state)
{
    (void)state;
    Actor actor = MakeDancer();
    MakeSpace(&actor);
    double diagonal = qvMotionSpace_Stats(actor.space).diagonal;
    for (int loop = 0; loop < 2; loop++)
    {
        qvMotionKey keys[KEYS];
        qvMotionDef def = MakeJump(&actor, keys, qv_velocityTurn);
        keys[4].mode = qv_velocityFree, keys[5].kind = qv_motionSmooth;
        def.period = loop ? 3.0 : 0.0;
        qvMotion* motion = MustMove(&actor, &def);
        for (int i = 0; i < KEYS; i++)
        {
            double h = 1e-9, speed = 0.0;
            double *a = Look(&actor, motion, TIMES[i] - h), *b = Look(&actor, motion, TIMES[i] + h);
            for (int k = 0; k < actor.size; k++)
                speed = fmax(speed, fabs(b[actor.size + k]));
            ASSERT_NEAR(LargestDifference(a, b, actor.size), 0.0, 1e-6 * diagonal);
            if (i > 0)
                ASSERT_NEAR(LargestDifference(a + actor.size, b + actor.size, actor.size), 0.0, 1e-5 * diagonal);
            free(a);
            free(b);
        }
        AssertFinite(&actor, motion, 20.0 * diagonal);
        qvDestroyMotion(motion);
    }
    FreeActor(&actor);
}

// It still wobbles: after the last key, and on the way from a key that it turns at.
static void TestSettles(void** state)
{
    (void)state;
    Actor actor = MakeDancer();
    MakeSpace(&actor);
    int d = qvMotionSpace_Stats(actor.space).dimension;
    qvMotionKey keys[KEYS], plain[KEYS];
    qvMotionDef def = MakeJump(&actor, keys, qv_velocityTurn), smooth = MakeJump(&actor, plain, qv_velocityTurn);
    keys[4].mode = qv_velocityFree;
    plain[4].mode = qv_velocityFree, plain[4].kind = plain[6].kind = qv_motionSmooth;
    qvMotion *motion = MustMove(&actor, &def), *other = MustMove(&actor, &smooth);
    void* scratch = malloc(qvMotion_ScratchSize(motion));
    double *a = calloc((size_t)d, sizeof(double)), *b = calloc((size_t)d, sizeof(double));
    const double times[2] = { 1.2, TIMES[KEYS - 1] + 0.15 };
    for (int i = 0; i < 2; i++)
    {
        qvMotion_Coordinates(motion, &times[i], 1, scratch, a, NULL, NULL);
        qvMotion_Coordinates(other, &times[i], 1, scratch, b, NULL, NULL);
        assert_true(LargestDifference(a, b, d) > 1e-3);
    }
    free(a);
    free(b);
    free(scratch);
    qvDestroyMotion(motion);
    qvDestroyMotion(other);
    FreeActor(&actor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestNoOvershoot),
        cmocka_unit_test(TestContinuous),
        cmocka_unit_test(TestSettles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
