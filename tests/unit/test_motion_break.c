// SPDX-License-Identifier: GPL-3.0-or-later
// Broken keys that break the body's flight alone: its shape swings on through them.
#include "motion_testing.h"

enum
{
    KEYS = 5
};

static const double TIMES[KEYS] = { 0.0, 0.5, 0.8, 1.3, 2.0 };

// Stands, takes off, is in the air, lands, stands.
static qvMotionDef MakeHop(const Actor* actor, qvMotionKey* keys, bool breaksFrame)
{
    qvMotionDef def = MakeKeys(actor, keys, KEYS, TIMES);
    const double height[KEYS] = { 0.0, 0.1, 0.0, 0.1, 0.0 };
    for (int i = 0; i < KEYS; i++)
    {
        keys[i].hasTransform = i != 2;
        keys[i].translation = qvMakeVec3(0.3 * i, height[i], 0.0);
    }
    keys[1].mode = keys[3].mode = qv_velocityBroken;
    keys[1].breaksFrame = keys[3].breaksFrame = breaksFrame;
    def.material.gravity = qvMakeVec3(0.0, -5.0, 0.0);
    return def;
}

// The largest jumps of coordinates and of their velocities at a time, the latter over the velocity there.
static void MeasureJump(const qvMotion* motion, int d, double time, double* value, double* velocity)
{
    const double times[2] = { time - 1e-9, time };
    void* scratch = malloc(qvMotion_ScratchSize(motion));
    double *q = calloc(2 * (size_t)d, sizeof(double)), *v = calloc(2 * (size_t)d, sizeof(double));
    qvMotion_Coordinates(motion, times, 2, scratch, q, v, NULL);
    double size = 0.0;
    for (int i = 0; i < 2 * d; i++)
        size = fmax(size, fabs(v[i]));
    *value = LargestDifference(q, q + d, d);
    *velocity = LargestDifference(v, v + d, d) / size;
    free(q);
    free(v);
    free(scratch);
}

static double FrameSpeed(const qvMotion* motion, double time)
{
    double h = 1e-6;
    return (qvMotion_Frame(motion, time + h).offset.y - qvMotion_Frame(motion, time - h).offset.y) / (2.0 * h);
}

// Coordinates and velocities do not jump where only the frame breaks, and do where all of the motion does. The flight
// is the same.
static void TestWobbleGoesOn(void** state)
{
    (void)state;
    Actor actor = MakeDancer();
    MakeSpace(&actor);
    int d = qvMotionSpace_Stats(actor.space).dimension;
    qvVec3 path[60];
    for (int breaksFrame = 0; breaksFrame < 2; breaksFrame++)
    {
        qvMotionKey keys[KEYS];
        qvMotionDef def = MakeHop(&actor, keys, breaksFrame == 1);
        qvMotion* motion = MustMove(&actor, &def);
        for (int i = 1; i <= 3; i += 2)
        {
            double value, velocity;
            MeasureJump(motion, d, TIMES[i], &value, &velocity);
            ASSERT_NEAR(value, 0.0, 1e-7);
            if (breaksFrame)
                ASSERT_NEAR(velocity, 0.0, 1e-6);
            else
                assert_true(velocity > 0.05);
            assert_true(fabs(FrameSpeed(motion, TIMES[i] - 1e-3) - FrameSpeed(motion, TIMES[i] + 1e-3)) > 0.5);
        }
        for (int k = 0; k < 60; k++)
        {
            qvVec3 offset = qvMotion_Frame(motion, 0.04 * k).offset;
            if (breaksFrame)
                ASSERT_NEAR(qvDistance(offset, path[k]), 0.0, 1e-12);
            path[k] = offset;
        }
        for (int i = 0; i < KEYS; i++)
            ASSERT_NEAR(qvMotion_KeyReport(motion, i).error, 0.0, 1e-12);
        qvDestroyMotion(motion);
    }
    FreeActor(&actor);
}

// The shape moves as if the keys were free, whatever velocities they give.
static void TestShapeOfFreeKeys(void** state)
{
    (void)state;
    Actor actor = MakeDancer();
    MakeSpace(&actor);
    int d = qvMotionSpace_Stats(actor.space).dimension;
    qvMotionKey keys[KEYS], free_[KEYS];
    qvMotionDef def = MakeHop(&actor, keys, true), other = MakeHop(&actor, free_, true);
    keys[1].givenAfter = true, keys[1].after = qvMakeVec3(0.0, 3.0, 0.0);
    free_[1].mode = free_[3].mode = qv_velocityFree;
    qvMotion *motion = MustMove(&actor, &def), *plain = MustMove(&actor, &other);
    void* scratch = malloc(qvMotion_ScratchSize(motion));
    double *a = calloc((size_t)d, sizeof(double)), *b = calloc((size_t)d, sizeof(double));
    for (double t = -0.1; t < 3.0; t += 0.037)
    {
        qvMotion_Coordinates(motion, &t, 1, scratch, a, NULL, NULL);
        qvMotion_Coordinates(plain, &t, 1, scratch, b, NULL, NULL);
        ASSERT_NEAR(LargestDifference(a, b, d), 0.0, 1e-12);
    }
    // The body leaves with the speed that the key gives.
    ASSERT_NEAR(FrameSpeed(motion, TIMES[1] + 1e-5), 3.0, 0.01);
    free(a);
    free(b);
    free(scratch);
    qvDestroyMotion(motion);
    qvDestroyMotion(plain);
    FreeActor(&actor);
}

// How fast the top moves away from the bottom.
static double StretchRate(const Actor* actor, const qvMotion* motion, double time)
{
    double *at = Look(actor, motion, time), sums[2] = { 0.0, 0.0 };
    int counts[2] = { 0, 0 };
    for (int i = 0; i < actor->size; i += 3)
    {
        int side = actor->rest[i + 1] > 1.9 ? 1 : actor->rest[i + 1] < 0.1 ? 0 : -1;
        if (side >= 0)
            sums[side] += at[actor->size + i + 1], counts[side]++;
    }
    free(at);
    return sums[1] / counts[1] - sums[0] / counts[0];
}

// A block that is pinned to the ground until it takes off stretches on as it does: pins come and go there.
static void TestTakeOffFromPins(void** state)
{
    (void)state;
    Actor actor = MakeActor("block", 3);
    int32_t pins[64];
    int count = 0;
    for (int i = 0; i < actor.size / 3 && count < 64; i++)
    {
        if (actor.rest[3 * i + 1] < 1e-6)
            pins[count++] = i;
    }
    const double stretch[KEYS] = { 0.0, -0.3, 0.15, -0.2, 0.0 }, times[KEYS] = { 0.0, 0.5, 0.75, 1.3, 2.0 };
    bool ground[KEYS] = { true, true, true, true, true }, air[KEYS] = { false, false, true, true, false };
    for (int i = 0; i < KEYS; i++)
        Deform(&actor, AddPose(&actor), 0.0, 0.0, stretch[i]);
    qvMotionPins sets[2] = { { pins, count, ground }, { NULL, 0, air } };
    actor.def.pinSets = sets, actor.def.pinSetCount = 2;
    MakeSpace(&actor);
    qvMotionKey keys[KEYS];
    qvMotionDef def = MakeKeys(&actor, keys, KEYS, times);
    def.material.gravity = qvMakeVec3(0.0, -5.0, 0.0);
    keys[3].pinSet = 1;
    double rates[2][2];
    for (int breaksFrame = 0; breaksFrame < 2; breaksFrame++)
    {
        keys[2].mode = keys[3].mode = qv_velocityBroken;
        keys[2].breaksFrame = keys[3].breaksFrame = breaksFrame == 1;
        qvMotion* motion = MustMove(&actor, &def);
        for (int side = 0; side < 2; side++)
            rates[breaksFrame][side] = StretchRate(&actor, motion, times[2] + (side - 0.5) * 2e-6);
        for (int i = 0; i < KEYS; i++)
            ASSERT_NEAR(qvMotion_KeyReport(motion, i).error, 0.0, 1e-12);
        AssertFinite(&actor, motion, 30.0);
        qvDestroyMotion(motion);
    }
    double jumpAll = fabs(rates[0][1] - rates[0][0]), jumpFrame = fabs(rates[1][1] - rates[1][0]);
    assert_true(fabs(rates[1][1]) > 0.3);
    assert_true(jumpFrame < 0.35 * fabs(rates[1][1]) && jumpFrame < 0.2 * jumpAll);
    FreeActor(&actor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestWobbleGoesOn),
        cmocka_unit_test(TestShapeOfFreeKeys),
        cmocka_unit_test(TestTakeOffFromPins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
