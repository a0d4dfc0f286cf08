// SPDX-License-Identifier: GPL-3.0-or-later
// Motions from bad input: a sensible result or a clear error, never a NaN.
#include "motion_testing.h"

static void TestKeys(void** state)
{
    (void)state;
    Actor actor = MakeDancer();
    MakeSpace(&actor);
    qvMotionKey keys[3];
    const double same[] = { 0.0, 1.0, 1.0 }, mixed[] = { 0.0, 2.0, 1.0 }, wrong[] = { 0.0, NAN, 1.0 };
    const double good[] = { 0.0, 1.0, 2.0 };
    qvMotionDef def = MakeKeys(&actor, keys, 3, same);
    AssertRefused(&actor, &def, "key 1 and key 2 are both at 1 s");
    def = MakeKeys(&actor, keys, 3, mixed);
    AssertRefused(&actor, &def, "sort");
    def = MakeKeys(&actor, keys, 3, wrong);
    AssertRefused(&actor, &def, "key 1: its time");
    def = MakeKeys(&actor, keys, 3, good);
    def.period = 2.0;
    AssertRefused(&actor, &def, "key 2 lies beyond the loop");
    def.period = 0.0, keys[1].pose = 9;
    AssertRefused(&actor, &def, "no pose 9");
    keys[1].pose = 0, def.keyCount = 0;
    AssertRefused(&actor, &def, "no key");
    FreeActor(&actor);
}

// One key: stands still, also as a loop, and moves on when it is given a velocity.
static void TestOneKey(void** state)
{
    (void)state;
    Actor actor = MakeDancer();
    MakeSpace(&actor);
    qvMotionKey keys[1];
    const double time = 0.5;
    qvMotionDef def = MakeKeys(&actor, keys, 1, &time);
    keys[0].pose = 1;
    for (int trial = 0; trial < 2; trial++)
    {
        def.period = trial;
        qvMotion* motion = MustMove(&actor, &def);
        for (int k = -2; k < 10; k++)
        {
            double* at = Look(&actor, motion, 0.3 * k);
            ASSERT_NEAR(LargestDifference(at, actor.points[1], actor.size), 0.0, 1e-9);
            free(at);
        }
        qvDestroyMotion(motion);
    }
    def.period = 0.0;
    keys[0].mode = qv_velocitySet, keys[0].after = qvMakeVec3(1.0, 0.0, 0.0);
    qvMotion* motion = MustMove(&actor, &def);
    double* at = Look(&actor, motion, 0.6);
    assert_true(LargestDifference(at, actor.points[1], actor.size) > 0.01);
    free(at);
    AssertFinite(&actor, motion, 10.0);
    qvDestroyMotion(motion);
    FreeActor(&actor);
}

static void TestMaterial(void** state)
{
    (void)state;
    for (int model = 0; model < 2; model++)
    {
        Actor actor = MakeDancer();
        actor.def.model = model == 0 ? qv_modelPose : qv_modelState;
        MakeSpace(&actor);
        qvMotionKey keys[4];
        const double times[] = { 0.0, 1e-3, 2.0, 4.0 };
        qvMotionDef def = MakeKeys(&actor, keys, 4, times);
        const double materials[][4] = { { 60.0, 0.01, 1.0, 1e-3 },
                                        { 60.0, INFINITY, 0.0, INFINITY },
                                        { 0.0, 0.01, 0.0, 12.0 },
                                        { 1e-6, 60.0, 1.0, 1e9 },
                                        { 2.0, 1e12, 0.0, 12.0 } };
        for (int k = 0; k < 5; k++)
        {
            def.material.frequency = materials[k][0], def.material.settle = materials[k][1];
            def.material.stiffDamping = materials[k][2], def.material.maxWobble = materials[k][3];
            qvMotion* motion = MustMove(&actor, &def);
            AssertFinite(&actor, motion, 1e6);
            qvDestroyMotion(motion);
        }
        def.material.frequency = NAN;
        AssertRefused(&actor, &def, "frequency");
        def.material.frequency = 2.0, def.material.settle = 0.0;
        AssertRefused(&actor, &def, "settle");
        def.material.settle = 1.0, def.material.gravity.y = INFINITY;
        AssertRefused(&actor, &def, "gravity");
        FreeActor(&actor);
    }
}

// A free side that starts a strongly damped segment stays near its keys.
static void TestBrokenAndDamped(void** state)
{
    (void)state;
    Actor actor = MakeDancer();
    MakeSpace(&actor);
    qvMotionKey keys[3];
    const double times[] = { 0.0, 1.0, 3.0 };
    qvMotionDef def = MakeKeys(&actor, keys, 3, times);
    keys[0].mode = keys[1].mode = qv_velocityBroken;
    def.material.settle = 0.05;
    qvMotion* motion = MustMove(&actor, &def);
    AssertFinite(&actor, motion, 6.0);
    qvDestroyMotion(motion);
    FreeActor(&actor);
}

static void AssertNoSpace(Actor* actor, const char* part)
{
    qvError error;
    actor->def.poses = actor->poses;
    assert_int_equal(qvCreateMotionSpace(&actor->def, NULL, NULL, &actor->space, &error), qv_badInput);
    assert_null(actor->space);
    ASSERT_CONTAINS(error.message, part);
}

static void TestSpaces(void** state)
{
    (void)state;
    Actor actor = MakeDancer();
    actor.def.material.stretch = 0.0;
    AssertNoSpace(&actor, "stretch");
    actor.def.material.stretch = 1.0, actor.def.material.bend = NAN;
    AssertNoSpace(&actor, "bend");
    actor.def.material.bend = 1.0, actor.def.material.modes = 0;
    AssertNoSpace(&actor, "modes");
    actor.def.material.modes = 8;
    int32_t pin = 1000000;
    actor.def.pins = &pin, actor.def.pinCount = 1;
    AssertNoSpace(&actor, "no point 1000000");
    actor.def.pinCount = 0;
    actor.points[2][5] = NAN;
    AssertNoSpace(&actor, "pose 2");
    actor.points[2][5] = 1e9;
    AssertNoSpace(&actor, "pose 2: its pose is more than a million times larger");
    actor.poses[2].label = "key \"lean\" at 1.5 s";
    AssertNoSpace(&actor, "key \"lean\" at 1.5 s: its pose is more than a million times larger");
    FreeActor(&actor);
}

// Pins on every point: the poses themselves are all that moves.
static void TestEverythingPinned(void** state)
{
    (void)state;
    for (int poses = 1; poses <= 3; poses += 2)
    {
        Actor actor = MakeDancer();
        int count = actor.size / 3;
        int32_t* pins = calloc((size_t)count, sizeof(*pins));
        for (int i = 0; i < count; i++)
            pins[i] = i;
        actor.def.pins = pins, actor.def.pinCount = count;
        int all = actor.def.poseCount;
        actor.def.poseCount = poses;
        MakeSpace(&actor);
        qvMotionKey keys[3];
        const double times[] = { 0.0, 1.0, 2.0 };
        qvMotionDef def = MakeKeys(&actor, keys, 3, times);
        qvMotion* motion = MustMove(&actor, &def);
        double* at = Look(&actor, motion, 1.0);
        ASSERT_NEAR(LargestDifference(at, actor.points[1 % poses], actor.size), 0.0, 1e-9);
        AssertFinite(&actor, motion, 100.0);
        free(at);
        qvDestroyMotion(motion);
        free(pins);
        actor.def.poseCount = all;
        FreeActor(&actor);
    }
}

static qvMesh* MakeTriangles(const qvVec3f* positions, int count)
{
    qvError error;
    qvMesh* mesh;
    int32_t* corners = calloc(3 * (size_t)count, sizeof(*corners));
    for (int i = 0; i < 3 * count; i++)
        corners[i] = i;
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = 3 * count, def.positions = positions;
    def.faceCount = count, def.corners = corners;
    ASSERT_OK(qvCreateMesh(&def, &mesh, NULL, &error), error);
    free(corners);
    return mesh;
}

// One triangle, and a triangle so thin that it has nearly no area.
static void TestOneTriangle(void** state)
{
    (void)state;
    for (int trial = 0; trial < 2; trial++)
    {
        qvVec3f positions[3] = { { 0.0f, 0.0f, 0.0f },
                                 { 1.0f, 0.0f, 0.0f },
                                 { 0.5f, trial == 0 ? 1.0f : 1e-5f, 0.0f } };
        Actor actor = MakeActorOf(MakeTriangles(positions, 1));
        AddPose(&actor);
        double* moved = AddPose(&actor);
        moved[7] += 0.2, moved[2] -= 0.3;
        MakeSpace(&actor);
        qvMotionKey keys[3];
        const double times[] = { 0.0, 1.0, 2.0 };
        qvMotionDef def = MakeKeys(&actor, keys, 3, times);
        qvMotion* motion = MustMove(&actor, &def);
        double* at = Look(&actor, motion, 1.0);
        ASSERT_NEAR(LargestDifference(at, moved, actor.size), 0.0, 1e-6);
        AssertFinite(&actor, motion, 100.0);
        free(at);
        qvDestroyMotion(motion);
        FreeActor(&actor);
    }
}

static void TestManyKeysAndParts(void** state)
{
    (void)state;
    enum
    {
        KEYS = 10000
    };
    Actor actor = MakeDancer();
    MakeSpace(&actor);
    qvMotionKey* keys = calloc(KEYS, sizeof(*keys));
    double* times = calloc(KEYS, sizeof(*times));
    for (int i = 0; i < KEYS; i++)
        times[i] = 0.1 * i;
    qvMotionDef def = MakeKeys(&actor, keys, KEYS, times);
    qvMotion* motion = MustMove(&actor, &def);
    double* at = Look(&actor, motion, times[5003]);
    ASSERT_NEAR(LargestDifference(at, actor.points[keys[5003].pose], actor.size), 0.0, 1e-8);
    free(at);
    AssertFinite(&actor, motion, 100.0);
    qvDestroyMotion(motion);
    free(keys);
    free(times);
    FreeActor(&actor);

    enum
    {
        PARTS = 2001
    };
    qvVec3f positions[3 * PARTS];
    for (int i = 0; i < 3 * PARTS; i++)
        positions[i] = (qvVec3f){ (float)(i / 3 * 2 + (i % 3 == 1)), (float)(i % 3 == 2), 0.0f };
    actor = MakeActorOf(MakeTriangles(positions, PARTS));
    AddPose(&actor);
    AssertNoSpace(&actor, "2001 separate parts");
    FreeActor(&actor);
}

// A pose with points anywhere, some near each other and some far away: it is the pose that is too much, not the modes.
static void TestAbsurdPose(void** state)
{
    (void)state;
    Actor actor = MakeActor("sack", 4);
    AddPose(&actor);
    double* absurd = AddPose(&actor);
    uint64_t seed = 7;
    for (int i = 0; i < actor.size; i++)
    {
        double unit[2];
        for (int k = 0; k < 2; k++)
        {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            unit[k] = (double)(seed >> 11) * 0x1p-53;
        }
        absurd[i] = (unit[0] - 0.5) * pow(10.0, 20.0 * unit[1] - 15.0);
    }
    actor.poses[1].label = "key \"far\"";
    actor.def.poses = actor.poses, actor.def.material.modes = 10;
    qvError error;
    assert_int_equal(qvCreateMotionSpace(&actor.def, NULL, NULL, &actor.space, &error), qv_notConverged);
    ASSERT_CONTAINS(error.message, "key \"far\": its pose is too far from the rest shape to find its vibrations (");
    ASSERT_CONTAINS(error.message, "); use smaller strokes");
    assert_null(strstr(error.message, "fewer modes"));
    FreeActor(&actor);
}

// Keys, shapes and coordinates are too many together: the message has all three.
static void TestTooManyNumbers(void** state)
{
    (void)state;
    enum
    {
        KEYS = 500000
    };
    Actor actor = MakeDancer();
    actor.def.material.modes = 40;
    MakeSpace(&actor);
    assert_true((double)KEYS * 3 * qvMotionSpace_Stats(actor.space).dimension > 1e8);
    qvMotionKey* keys = calloc(KEYS, sizeof(*keys));
    double* times = calloc(KEYS, sizeof(*times));
    assert_true(keys != NULL && times != NULL);
    for (int i = 0; i < KEYS; i++)
        times[i] = 0.1 * i;
    qvMotionDef def = MakeKeys(&actor, keys, KEYS, times);
    AssertRefused(&actor, &def, "500000 keys, times 3 shapes (0 of them of partial keys), times ");
    AssertRefused(&actor, &def, " keys, or give more of them the same pose");
    free(keys);
    free(times);
    FreeActor(&actor);
}

// A body of few points asks seldom: it is stopped at every question. Of a larger one some are tried.
static void TestCancel(void** state)
{
    (void)state;
    Actor actor = MakeDancer(), small = MakeActor("block", 2);
    actor.def.poses = actor.poses;
    AssertCancels(&actor, 5, 20);
    FreeActor(&actor);
    AddPose(&small);
    Deform(&small, AddPose(&small), 0.6, 0.4, 0.1);
    small.def.poses = small.poses;
    AssertCancels(&small, 20, 1000);
    FreeActor(&small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestKeys),
        cmocka_unit_test(TestOneKey),
        cmocka_unit_test(TestMaterial),
        cmocka_unit_test(TestSpaces),
        cmocka_unit_test(TestEverythingPinned),
        cmocka_unit_test(TestOneTriangle),
        cmocka_unit_test(TestManyKeysAndParts),
        cmocka_unit_test(TestAbsurdPose),
        cmocka_unit_test(TestTooManyNumbers),
        cmocka_unit_test(TestCancel),
        cmocka_unit_test(TestBrokenAndDamped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
