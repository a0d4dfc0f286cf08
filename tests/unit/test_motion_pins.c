// SPDX-License-Identifier: GPL-3.0-or-later
// Pins that come and go: a block that crouches, jumps, flies and lands.
#include "motion_testing.h"

static const double TIMES[6] = { 0.0, 0.6, 0.9, 1.5, 1.9, 2.6 };

enum
{
    MAX_PINS = 64
};

typedef struct Jumper
{
    Actor actor;
    int32_t pins[MAX_PINS];
    qvMotionPins sets[2]; // on the ground, in the air
    bool ground[MAX_POSES], air[MAX_POSES];
    qvMotionKey keys[6];
} Jumper;

// Poses: stands, crouches, stretches; in the air 0.8 higher; crouches and stands far to the right.
static void MakeJumper(Jumper* j, double far)
{
    j->actor = MakeActor("block", 3);
    Actor* a = &j->actor;
    int count = 0;
    for (int i = 0; i < a->size / 3 && count < MAX_PINS; i++)
    {
        if (a->rest[3 * i + 1] < 1e-6)
            j->pins[count++] = i;
    }
    assert_true(count > 3);
    const double stretch[6] = { 0.0, -0.3, 0.15, 0.0, -0.25, 0.0 }, right[6] = { 0.0, 0.0, 0.0, 0.5 * far, far, far };
    for (int i = 0; i < 6; i++)
    {
        double* points = AddPose(a);
        Deform(a, points, 0.0, 0.0, stretch[i]);
        for (int k = 0; k < a->size; k += 3)
            points[k] += right[i], points[k + 1] += i == 3 ? 0.8 : 0.0;
        j->ground[i] = i != 3, j->air[i] = i >= 2 && i <= 4;
    }
    j->sets[0] = (qvMotionPins){ j->pins, count, j->ground };
    j->sets[1] = (qvMotionPins){ NULL, 0, j->air };
    a->def.pinSets = j->sets, a->def.pinSetCount = 2;
    MakeSpace(a);
}

// 0, 1 and 2 on the ground, 3 in the air, 4 and 5 on the ground; without the key in the air it flies from 2 to 4.
static qvMotionDef MakeJump(Jumper* j, bool withAir)
{
    qvMotionDef def = qvDefaultMotionDef();
    int count = 0;
    for (int i = 0; i < 6; i++)
    {
        if (i == 3 && !withAir)
            continue;
        qvMotionKey* key = &j->keys[count++];
        *key = qvDefaultMotionKey();
        key->time = TIMES[i], key->pose = i, key->pinSet = i == 3 || i == 4 ? 1 : 0;
    }
    def.keys = j->keys, def.keyCount = count;
    def.material.gravity = qvMakeVec3(0.0, -5.0, 0.0);
    return def;
}

static double PinShift(const Jumper* j, const qvMotion* motion, double time, double right)
{
    double *at = Look(&j->actor, motion, time), largest = 0.0;
    for (int i = 0; i < j->sets[0].count; i++)
    {
        const double *p = at + 3 * j->pins[i], *rest = j->actor.rest + 3 * j->pins[i];
        largest = fmax(largest, fabs(p[0] - rest[0] - right) + fabs(p[1] - rest[1]) + fabs(p[2] - rest[2]));
    }
    free(at);
    return largest;
}

static double Highest(const Actor* actor, const double* at, int component)
{
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < actor->size; i += 3)
    {
        if (actor->rest[i + 1] > 1.9)
            sum += at[i + component], count++;
    }
    return sum / count;
}

// Keys are hit, pins hold exactly on the ground wherever poses have them, and nothing jumps at the splits.
static void TestJump(void** state)
{
    (void)state;
    Jumper j = { 0 };
    MakeJumper(&j, 2.0);
    qvMotionDef def = MakeJump(&j, true);
    qvMotion* motion = MustMove(&j.actor, &def);
    double diagonal = qvMotionSpace_Stats(j.actor.space).diagonal;
    double* pose = calloc((size_t)j.actor.size, sizeof(double));
    for (int i = 0; i < 6; i++)
    {
        double *at = Look(&j.actor, motion, TIMES[i]), *before = Look(&j.actor, motion, TIMES[i] - 1e-9);
        ASSERT_NEAR(LargestDifference(at, j.actor.points[i], j.actor.size), 0.0, 1e-9 * diagonal);
        ASSERT_NEAR(LargestDifference(before, j.actor.points[i], j.actor.size), 0.0, 1e-7 * diagonal);
        qvMotion_KeyPose(motion, i, pose);
        ASSERT_NEAR(LargestDifference(pose, j.actor.points[i], j.actor.size), 0.0, 1e-9 * diagonal);
        ASSERT_NEAR(qvMotion_KeyReport(motion, i).error, 0.0, 1e-12);
        free(at);
        free(before);
    }
    for (double t = -0.1; t < 4.0; t += 0.05)
    {
        double right = t < TIMES[2] ? 0.0 : 2.0, shift = PinShift(&j, motion, t, right);
        if (t <= TIMES[2] || t >= TIMES[4])
            ASSERT_NEAR(shift, 0.0, 1e-9 * diagonal);
        else if (t > TIMES[2] + 0.1 && t < TIMES[4] - 0.1)
            assert_true(shift > 0.05);
    }
    free(pose);
    qvDestroyMotion(motion);
    FreeActor(&j.actor);
}

// Between two keys in the air the mass centre falls freely; the top of the block leaves the ground with the velocity
// that it flies with, and lands with it.
static void TestTakeOff(void** state)
{
    (void)state;
    Jumper j = { 0 };
    MakeJumper(&j, 2.0);
    qvMotionDef def = MakeJump(&j, false);
    qvMotion* motion = MustMove(&j.actor, &def);
    double h = 0.02, middle = 0.5 * (TIMES[2] + TIMES[4]);
    double y[3];
    for (int k = 0; k < 3; k++)
        y[k] = qvMotion_Frame(motion, middle + (k - 1) * h).offset.y;
    ASSERT_NEAR((y[0] - 2.0 * y[1] + y[2]) / (h * h), -5.0, 1e-6);
    for (int k = 0; k < 2; k++)
    {
        double t = TIMES[k == 0 ? 2 : 4];
        double *before = Look(&j.actor, motion, t - 1e-9), *after = Look(&j.actor, motion, t);
        double from = Highest(&j.actor, before + j.actor.size, 1), to = Highest(&j.actor, after + j.actor.size, 1);
        assert_true(k == 0 ? to > 1.0 : from < -1.0);
        assert_true(fabs(from - to) < 0.35 * fabs(k == 0 ? to : from));
        free(before);
        free(after);
    }
    def.keys = j.keys;
    j.keys[2].mode = qv_velocityZero;
    qvMotion* stops = MustMove(&j.actor, &def);
    double* at = Look(&j.actor, stops, TIMES[2] - 1e-9);
    ASSERT_NEAR(LargestDifference(at + j.actor.size, at + j.actor.size + 3, j.actor.size - 3), 0.0, 1e-5);
    free(at);
    qvDestroyMotion(stops);
    qvDestroyMotion(motion);
    FreeActor(&j.actor);
}

// Frames, floats, graphs and meters agree with the positions; velocities are derivatives inside the sections.
static void TestInterfaces(void** state)
{
    (void)state;
    Jumper j = { 0 };
    MakeJumper(&j, 2.0);
    qvMotionDef def = MakeJump(&j, true);
    j.keys[1].hasTransform = true, j.keys[1].translation = qvMakeVec3(0.0, 0.0, 0.5);
    j.keys[5].hasTransform = true, j.keys[5].translation = qvMakeVec3(0.0, 0.3, -0.5);
    qvMotion* motion = MustMove(&j.actor, &def);
    int n = j.actor.size / 3, d = qvMotionSpace_Stats(j.actor.space).dimension;
    int modes = qvMotionSpace_ModeCount(j.actor.space);
    assert_true(modes > 4);
    void* scratch = malloc(qvMotion_ScratchSize(motion));
    qvVec3f* floats = calloc((size_t)n, sizeof(*floats));
    double *q = calloc(3 * (size_t)d, sizeof(double)), *levels = calloc(2 * (size_t)modes, sizeof(double)), h = 1e-5;
    for (double t = 0.03; t < 3.5; t += 0.113)
    {
        double *a = Look(&j.actor, motion, t - h), *b = Look(&j.actor, motion, t), *c = Look(&j.actor, motion, t + h);
        for (int i = 0; i < j.actor.size; i++)
            ASSERT_NEAR((c[i] - a[i]) / (2.0 * h), b[j.actor.size + i], 1e-3);
        qvMotion_EvaluateFloat(motion, t, scratch, NULL, floats);
        for (int i = 0; i < n; i++)
            ASSERT_NEAR(floats[i].y, b[3 * i + 1], 1e-5);
        qvMotion_Coordinates(motion, &t, 1, scratch, q, q + d, q + 2 * d);
        qvMotion_ModeCurves(motion, &t, 1, scratch, levels);
        qvMotion_ModeLevels(motion, t, scratch, levels + modes);
        for (int i = 0; i < 2 * modes; i++)
            assert_true(isfinite(levels[i]) && (i < modes || levels[i] >= 0.0));
        free(a);
        free(b);
        free(c);
    }
    for (int i = 1; i < 6; i++) // transforms do not jump where the motion is split
    {
        double *a = Look(&j.actor, motion, TIMES[i] - 1e-9), *b = Look(&j.actor, motion, TIMES[i]);
        ASSERT_NEAR(LargestDifference(a, b, j.actor.size), 0.0, 1e-6);
        free(a);
        free(b);
    }
    free(scratch);
    free(floats);
    free(q);
    free(levels);
    qvDestroyMotion(motion);
    FreeActor(&j.actor);
}

// A loop that is cut: keys are hit in every round, pins hold, the seam is as good as the rest.
static void TestLoop(void** state)
{
    (void)state;
    Jumper j = { 0 };
    MakeJumper(&j, 0.0);
    qvMotionDef def = MakeJump(&j, true);
    def.period = 3.0;
    qvMotion* motion = MustMove(&j.actor, &def);
    for (int i = 0; i < 6; i++)
    {
        for (int round = -1; round < 2; round++)
        {
            double* at = Look(&j.actor, motion, TIMES[i] + 3.0 * round + 1e-12);
            ASSERT_NEAR(LargestDifference(at, j.actor.points[i], j.actor.size), 0.0, 1e-8);
            free(at);
        }
    }
    double *a = Look(&j.actor, motion, 3.0 - 1e-9), *b = Look(&j.actor, motion, 3.0 + 1e-9);
    for (int k = 0; k < 2; k++)
        ASSERT_NEAR(LargestDifference(a + k * j.actor.size, b + k * j.actor.size, j.actor.size), 0.0, 1e-5);
    for (double t = TIMES[4]; t < 3.0 + TIMES[2]; t += 0.07)
        ASSERT_NEAR(PinShift(&j, motion, t, 0.0), 0.0, 1e-8);
    free(a);
    free(b);
    qvDestroyMotion(motion);
    FreeActor(&j.actor);
}

// One set of pins is the same as plain pins; an earlier space saves nothing but time.
static void TestOneSetAndPrevious(void** state)
{
    (void)state;
    Jumper j = { 0 };
    MakeJumper(&j, 2.0);
    qvMotionDef def = MakeJump(&j, true);
    qvError error;
    qvMotionSpace *again, *first = j.actor.space;
    ASSERT_OK(qvCreateMotionSpace(&j.actor.def, first, NULL, &again, &error), error);
    qvMotion *a = MustMove(&j.actor, &def), *b;
    ASSERT_OK(qvCreateMotion(&def, again, NULL, &b, &error), error);
    for (double t = 0.05; t < 3.0; t += 0.2)
    {
        double *x = Look(&j.actor, a, t), *y = Look(&j.actor, b, t);
        ASSERT_NEAR(LargestDifference(x, y, j.actor.size), 0.0, 1e-9);
        free(x);
        free(y);
    }
    qvDestroyMotion(b);
    qvDestroyMotionSpace(again);
    qvMotionPins all = { j.pins, j.sets[0].count, NULL };
    j.actor.def.pinSets = &all, j.actor.def.pinSetCount = 1;
    MakeSpace(&j.actor);
    for (int i = 0; i < 6; i++)
        j.keys[i].pinSet = 0;
    qvMotion* one = MustMove(&j.actor, &def);
    qvMotionSpace* sets = j.actor.space;
    j.actor.def.pinSetCount = 0, j.actor.def.pins = j.pins, j.actor.def.pinCount = j.sets[0].count;
    MakeSpace(&j.actor);
    qvMotion* plain = MustMove(&j.actor, &def);
    for (double t = -0.1; t < 3.0; t += 0.2)
    {
        double *x = Look(&j.actor, one, t), *y = Look(&j.actor, plain, t);
        ASSERT_NEAR(LargestDifference(x, y, j.actor.size), 0.0, 1e-12);
        free(x);
        free(y);
    }
    qvDestroyMotion(a);
    qvDestroyMotion(one);
    qvDestroyMotion(plain);
    qvDestroyMotionSpace(first);
    qvDestroyMotionSpace(sets);
    FreeActor(&j.actor);
}

static void Refuse(const Jumper* j, const qvMotionDef* def, const char* word)
{
    qvError error;
    qvMotion* motion = NULL;
    assert_int_equal(qvCreateMotion(def, j->actor.space, NULL, &motion, &error), qv_badInput);
    assert_null(motion);
    assert_non_null(strstr(error.message, word));
}

static void TestBadSets(void** state)
{
    (void)state;
    Jumper j = { 0 };
    MakeJumper(&j, 2.0);
    qvMotionDef def = MakeJump(&j, true);
    j.keys[3].pinSet = 2;
    Refuse(&j, &def, "key 3");
    j.keys[3].pinSet = 0; // its pose is in the air
    Refuse(&j, &def, "key 3");
    def = MakeJump(&j, true);
    j.keys[2].weight = 1.0;
    Refuse(&j, &def, "key 2");
    def = MakeJump(&j, true);
    j.keys[4].only = j.pins, j.keys[4].onlyCount = 1;
    Refuse(&j, &def, "key 4");
    FreeActor(&j.actor);
}

// Cancel at any moment, in either set.
static void TestCancel(void** state)
{
    (void)state;
    Jumper j = { 0 };
    MakeJumper(&j, 1.0);
    AssertCancels(&j.actor, 8, 12);
    FreeActor(&j.actor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestJump),   cmocka_unit_test(TestTakeOff),           cmocka_unit_test(TestInterfaces),
        cmocka_unit_test(TestLoop),   cmocka_unit_test(TestOneSetAndPrevious), cmocka_unit_test(TestBadSets),
        cmocka_unit_test(TestCancel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
