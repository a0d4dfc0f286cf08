// SPDX-License-Identifier: GPL-3.0-or-later
// Keys that are put on the ground: the pose stays, the place is keyed, and one step takes it back.
#include "scene_testing.h"

#include "quaver/contact.h"

#define SQUASH "\"strokes\": [{\"brush\": \"grab\", \"at\": [0, 0.1, 0], \"drag\": [0, -0.4, 0], \"radius\": 0.8}]"
#define AT(y)  "\"transform\": {\"translate\": [0, " #y ", 0], \"rotate\": [0, 0, 0.3, 0.954]}"

static double ClearanceAt(const qvTake* take, double time)
{
    qvError error;
    double clearance;
    ASSERT_OK(qvFindClearance(take, time, &clearance, &error), error);
    return clearance;
}

static qvTake* MustSolveScene(qvPipeline* pipeline, const qvScene* scene)
{
    qvError error;
    qvTake* take;
    ASSERT_OK(qvPipeline_Solve(pipeline, scene, QUAVER_TEST_DATA, NULL, &take, &error), error);
    return take;
}

// Stands all keys of a scene. Returns how many were moved, and the clearances before and after.
static int StandAll(const char* text, qvStandMode mode, double before[4], double after[4])
{
    qvError error;
    qvPipeline* pipeline = MustPipeline();
    qvTake* take = MustSolve(pipeline, text);
    const qvScene* scene = qvTake_Scene(take);
    qvDocument* document;
    ASSERT_OK(qvCreateDocument(scene, &document, &error), error);
    qvId keys[4];
    int count = scene->keyCount, moved = -1;
    for (int i = 0; i < count; i++)
    {
        keys[i] = scene->keys[i]->id;
        before[i] = ClearanceAt(take, scene->keys[i]->time);
    }
    uint64_t hash = qvScene_Hash(scene);
    ASSERT_OK(qvStandKeys(take, keys, count, mode, document, &moved, &error), error);
    qvTake* stood = MustSolveScene(pipeline, qvDocument_Scene(document));
    for (int i = 0; i < count; i++)
        after[i] = ClearanceAt(stood, qvDocument_Scene(document)->keys[i]->time);
    assert_int_equal(qvDocument_StepCount(document), moved > 0 ? 2 : 1);
    qvDocument_Undo(document);
    assert_int_equal(qvScene_Hash(qvDocument_Scene(document)), hash);
    qvReleaseTake(take);
    qvReleaseTake(stood);
    qvCloseDocument(document);
    qvDestroyPipeline(pipeline);
    return moved;
}

static void KeysDrop(void** state)
{
    (void)state;
    double before[4], after[4];
    int moved = StandAll(
        SCENE(FEW_MODES ", \"keys\": [{\"time\": 0, \"transform\": {\"translate\": [0, 0, 0]}}, {\"time\": 1, " SQUASH
                        "}, {\"time\": 2, " AT(1.2) "}, {\"time\": 3, \"id\": \"last\"}]"),
        qv_standDrop, before, after);
    assert_true(moved >= 2 && fabs(before[1]) > 0.05 && before[2] > 0.3);
    for (int i = 0; i < 3; i++)
        ASSERT_NEAR(after[i], 0.0, 1e-4);
}

static void KeysAreKeptAbove(void** state)
{
    (void)state;
    double before[4], after[4];
    int moved = StandAll(SCENE(FEW_MODES ", \"ground\": {\"height\": 0.2}, \"keys\": [{\"time\": 0, " AT(
                             -0.5) "}, {\"time\": 1, " AT(0.9) "}]"),
                         qv_standKeep, before, after);
    assert_int_equal(moved, 1);
    assert_true(before[0] < -0.3 && before[1] > 0.1);
    ASSERT_NEAR(after[0], 0.0, 1e-4);
    ASSERT_NEAR(after[1], before[1], 1e-4);
}

// What stands already is no step; partial and soft keys are refused.
static void NothingToDo(void** state)
{
    (void)state;
    double before[4], after[4];
    assert_int_equal(StandAll(SCENE(FEW_MODES ", \"keys\": [{\"time\": 0}]"), qv_standDrop, before, after), 0);
    qvError error;
    qvPipeline* pipeline = MustPipeline();
    qvTake* take =
        MustSolve(pipeline, SCENE(FEW_MODES ", \"keys\": [{\"time\": 0}, {\"time\": 1, \"weight\": 2, " SQUASH "}]"));
    qvDocument* document;
    ASSERT_OK(qvCreateDocument(qvTake_Scene(take), &document, &error), error);
    qvId key = qvTake_Scene(take)->keys[1]->id;
    assert_int_equal(qvStandKeys(take, &key, 1, qv_standDrop, document, NULL, &error), qv_unsupported);
    ASSERT_CONTAINS(error.message, "at 1 s");
    assert_int_equal(qvDocument_StepCount(document), 1);
    qvCloseDocument(document);
    qvReleaseTake(take);
    qvDestroyPipeline(pipeline);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(KeysDrop),
        cmocka_unit_test(KeysAreKeptAbove),
        cmocka_unit_test(NothingToDo),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
