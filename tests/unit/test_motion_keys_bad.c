// SPDX-License-Identifier: GPL-3.0-or-later
// Soft and partial keys, the mixer, materials of segments and odd meshes from bad input: a sensible motion or a clear
// error, never a NaN.
#include "motion_testing.h"

static const double TIMES[4] = { 0.0, 1.0, 2.0, 3.0 };

static void AssertMoves(const Actor* actor, const qvMotionDef* def, double bound)
{
    qvMotion* motion = MustMove(actor, def);
    AssertFinite(actor, motion, bound);
    for (int i = 0; i < def->keyCount; i++)
    {
        qvMotionKeyReport report = qvMotion_KeyReport(motion, i);
        assert_true(isfinite(report.error) && isfinite(report.residual) && report.directions >= 0);
    }
    qvDestroyMotion(motion);
}

// A curtain that hangs from its upper edge, and is free when pins is NULL.
static Actor MakeCurtain(int32_t* pins)
{
    Actor actor = MakeActor("sheet", 5);
    AddPose(&actor);
    Deform(&actor, AddPose(&actor), 0.4, 0.3, 0.0);
    for (int i = 0; pins != NULL && i < actor.size / 3; i++)
    {
        if (actor.rest[3 * i + 1] > 1.99)
            pins[actor.def.pinCount++] = i;
    }
    actor.def.pins = pins;
    MakeSpace(&actor);
    return actor;
}

// Partial keys everywhere, first, last and alone; points twice, all pinned, far away.
static void TestPartialKeys(void** state)
{
    (void)state;
    for (int trial = 0; trial < 4; trial++)
    {
        int32_t pins[64];
        Actor actor = MakeCurtain(trial % 2 == 0 ? pins : NULL);
        qvMotionKey keys[4];
        qvMotionDef def = MakeKeys(&actor, keys, 4, TIMES);
        def.period = trial >= 2 ? 4.5 : 0.0;
        int32_t only[4] = { 0, 1, 0, 2 };
        double targets[12] = { 0.0 };
        for (int i = 0; i < 12; i++)
            targets[i] = actor.rest[3 * only[i / 3] + i % 3] + 0.1 * (i % 2);
        for (int k = 0; k < 4; k++) // one after the other until all keys are partial
        {
            int key = (k + 3) % 4;
            keys[key].only = only, keys[key].onlyCount = 4, keys[key].targets = k % 2 == 0 ? targets : NULL;
            AssertMoves(&actor, &def, 100.0);
        }
        keys[1].weight = 0.0, keys[2].weight = 1e-3;
        AssertMoves(&actor, &def, 100.0);
        def.keyCount = 1;
        AssertMoves(&actor, &def, 100.0);
        keys[0].onlyCount = 0, keys[0].weight = 0.5;
        AssertMoves(&actor, &def, 100.0);
        def.keyCount = 4;
        def.material.frequency = 0.0, def.material.settle = INFINITY;
        AssertMoves(&actor, &def, 1000.0);
        def.material.frequency = 60.0, def.material.settle = 0.01;
        AssertMoves(&actor, &def, 1000.0);
        targets[4] = 1e8;
        AssertMoves(&actor, &def, 1e13);
        targets[4] = NAN;
        AssertRefused(&actor, &def, "target");
        only[1] = 1000000, targets[4] = 0.0;
        AssertRefused(&actor, &def, "no point 1000000");
        FreeActor(&actor);
    }
}

// Only pinned points are listed: the key says nothing.
static void TestPinnedPointsListed(void** state)
{
    (void)state;
    int32_t pins[64];
    Actor actor = MakeCurtain(pins);
    qvMotionKey keys[3];
    qvMotionDef def = MakeKeys(&actor, keys, 3, TIMES);
    for (int i = 0; i < 3; i++)
        keys[i].pose = 0;
    keys[1].only = pins, keys[1].onlyCount = actor.def.pinCount;
    qvMotion* motion = MustMove(&actor, &def);
    double* at = Look(&actor, motion, 1.0);
    ASSERT_NEAR(LargestDifference(at, actor.rest, actor.size), 0.0, 1e-6);
    free(at);
    qvDestroyMotion(motion);
    FreeActor(&actor);
}

static void TestNumbers(void** state)
{
    (void)state;
    Actor actor = MakeCurtain(NULL);
    qvMotionKey keys[3];
    qvMotionDef def = MakeKeys(&actor, keys, 3, TIMES);
    keys[1].weight = -1.0;
    AssertRefused(&actor, &def, "weight");
    keys[1].weight = NAN;
    AssertRefused(&actor, &def, "weight");
    keys[1].weight = INFINITY, keys[1].frequency = 61.0;
    AssertRefused(&actor, &def, "key 1: a frequency");
    keys[1].frequency = 0.0, keys[1].settle = 0.001;
    AssertRefused(&actor, &def, "key 1: settle");
    keys[1].settle = INFINITY;
    AssertMoves(&actor, &def, 100.0);
    keys[1].pinSet = 1;
    AssertRefused(&actor, &def, "no set of pins 1");
    keys[1].pinSet = 0;
    qvMixerStrip strips[2] = { qvDefaultMixerStrip(), { .mode = 5000, .gain = 1.0, .solo = true } };
    def.strips = strips, def.stripCount = 2;
    AssertMoves(&actor, &def, 100.0);
    strips[0].gain = 4.5;
    AssertRefused(&actor, &def, "gain");
    strips[0].gain = 1.0, strips[0].damping = NAN;
    AssertRefused(&actor, &def, "damping");
    strips[0].damping = 0.0, strips[0].mode = -1;
    AssertRefused(&actor, &def, "no mode -1");
    FreeActor(&actor);
}

// Ten thousand soft keys, two of them partial.
static void TestManySoftKeys(void** state)
{
    (void)state;
    enum
    {
        KEYS = 10000
    };
    Actor actor = MakeActor("block", 2);
    AddPose(&actor);
    Deform(&actor, AddPose(&actor), 0.4, 0.3, 0.0);
    actor.def.material.modes = 3;
    MakeSpace(&actor);
    qvMotionKey* keys = calloc(KEYS, sizeof(*keys));
    double* times = calloc(KEYS, sizeof(*times));
    for (int i = 0; i < KEYS; i++)
        times[i] = 0.1 * i;
    qvMotionDef def = MakeKeys(&actor, keys, KEYS, times);
    int32_t only = 3;
    for (int i = 0; i < KEYS; i++)
        keys[i].weight = 1.0;
    keys[4000].only = keys[7000].only = &only, keys[4000].onlyCount = keys[7000].onlyCount = 1;
    qvMotion* motion = MustMove(&actor, &def);
    AssertFinite(&actor, motion, 100.0);
    double error = qvMotion_KeyReport(motion, 5000).error;
    assert_true(error > 1e-6 && error < 1.0);
    qvDestroyMotion(motion);
    free(keys);
    free(times);
    FreeActor(&actor);
}

// A body whose points are all pinned has no coordinates, or none but its poses.
static void TestEverythingPinned(void** state)
{
    (void)state;
    for (int poses = 1; poses <= 2; poses++)
    {
        Actor actor = MakeActor("block", 2);
        AddPose(&actor);
        if (poses > 1)
            Deform(&actor, AddPose(&actor), 0.4, 0.3, 0.0);
        int count = actor.size / 3;
        int32_t pins[256];
        assert_true(count <= 256);
        for (int i = 0; i < count; i++)
            pins[i] = i;
        actor.def.pins = pins, actor.def.pinCount = count;
        MakeSpace(&actor);
        assert_int_equal(qvMotionSpace_ModeCount(actor.space), 0);
        qvMotionKey keys[4];
        qvMotionDef def = MakeKeys(&actor, keys, 4, TIMES);
        qvMixerStrip strip = qvDefaultMixerStrip();
        def.strips = &strip, def.stripCount = 1;
        keys[1].only = pins, keys[1].onlyCount = 2;
        keys[2].weight = 1.0;
        AssertMoves(&actor, &def, 100.0);
        FreeActor(&actor);
    }
}

static qvResult MakeMesh(const qvVec3f* positions, int count, const int32_t* corners, int faces, qvMesh** mesh,
                         qvError* error)
{
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = count, def.positions = positions;
    def.faceCount = faces, def.corners = corners;
    return qvCreateMesh(&def, mesh, NULL, error);
}

// A vertex that no triangle has, and a triangle without area.
static void TestOddMeshes(void** state)
{
    (void)state;
    for (int trial = 0; trial < 2; trial++)
    {
        const qvVec3f positions[6] = { { 0.0f, 0.0f, 0.0f }, { 1.0f, 0.0f, 0.0f },  { 0.0f, 1.0f, 0.0f },
                                       { 1.0f, 1.0f, 0.3f }, { 0.5f, 2.0f, -0.2f }, { 2.0f, 0.0f, 0.0f } };
        const int32_t corners[9] = { 0, 1, 2, 2, 1, 3, 0, 1, 5 };
        qvError error;
        qvMesh* mesh;
        ASSERT_OK(MakeMesh(positions, 6, corners, trial == 0 ? 2 : 3, &mesh, &error), error);
        Actor actor = MakeActorOf(mesh);
        AddPose(&actor);
        double* moved = AddPose(&actor);
        for (int i = 0; i < actor.size; i += 3)
            moved[i + 2] += 0.3 * moved[i] * moved[i + 1];
        MakeSpace(&actor);
        qvMotionKey keys[4];
        qvMotionDef def = MakeKeys(&actor, keys, 4, TIMES);
        int32_t only[2] = { 0, actor.size / 3 - 1 };
        AssertMoves(&actor, &def, 100.0);
        keys[1].only = only, keys[1].onlyCount = 2;
        AssertMoves(&actor, &def, 100.0);
        FreeActor(&actor);
    }
}

static void TestEmptyMesh(void** state)
{
    (void)state;
    Actor actor = MakeActor("block", 1);
    AddPose(&actor);
    actor.def.poses = actor.poses;
    qvTopology empty = *actor.topology;
    empty.triangleCount = 0;
    actor.def.topology = &empty;
    qvError error;
    qvMotionSpace* space;
    assert_int_equal(qvCreateMotionSpace(&actor.def, NULL, NULL, &space, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "no triangles");
    qvMotionPins sets[2] = { { 0 } };
    actor.def.pinSets = sets, actor.def.pinSetCount = 2;
    assert_int_equal(qvCreateMotionSpace(&actor.def, NULL, NULL, &space, &error), qv_badInput);
    assert_null(space);
    const bool none[1] = { false };
    sets[0].poses = sets[1].poses = none;
    actor.def.topology = actor.topology;
    assert_int_equal(qvCreateMotionSpace(&actor.def, NULL, NULL, &space, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "no pose");
    FreeActor(&actor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestPartialKeys),  cmocka_unit_test(TestPinnedPointsListed), cmocka_unit_test(TestNumbers),
        cmocka_unit_test(TestManySoftKeys), cmocka_unit_test(TestEverythingPinned),   cmocka_unit_test(TestOddMeshes),
        cmocka_unit_test(TestEmptyMesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
