// SPDX-License-Identifier: GPL-3.0-or-later
// The thread that keeps a take up to date.
#include "scene_testing.h"

#include <pthread.h>
#include <time.h>

static qvWorker* MustWork(void)
{
    qvError error;
    qvWorker* worker;
    ASSERT_OK(qvCreateWorker(NULL, &worker, &error), error);
    return worker;
}

static void Post(qvWorker* worker, const char* text)
{
    const qvScene* scene = MustParse(text);
    qvWorker_Post(worker, scene, QUAVER_TEST_DATA);
    qvReleaseScene(scene);
}

static void Sleep(void)
{
    nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
}

// Waits until nothing is under way and gives the newest take, or NULL.
static const qvTake* Wait(qvWorker* worker)
{
    double fraction;
    char stage[64];
    while (qvWorker_Progress(worker, &fraction, stage))
    {
        assert_true(fraction >= 0.0 && fraction <= 1.0);
        Sleep();
    }
    return qvWorker_Collect(worker);
}

#define NAMED(name, more) SCENE("\"name\": \"" name "\", " more ", \"keys\": [" DANCE_KEYS "]")

static void WorkersDeliver(void** state)
{
    (void)state;
    qvWorker* worker = MustWork();
    assert_null(qvWorker_Collect(worker));
    Post(worker, NAMED("one", FEW_MODES));
    const qvTake* take = Wait(worker);
    assert_non_null(take);
    assert_string_equal(qvTake_Scene(take)->name, "one");
    assert_true(qvTake_KeyReport(take, 1).error < 1e-6);
    assert_null(qvWorker_Collect(worker)); // once
    qvReleaseTake(take);
    qvDestroyWorker(worker);
}

// What was loaded for the window serves its takes; the same source, loaded again, gives way to the first.
static void LoadedBodiesAreShared(void** state)
{
    (void)state;
    qvWorker* worker = MustWork();
    const qvScene* scene = MustParse(NAMED("one", FEW_MODES));
    const qvBody *first, *second;
    qvError error;
    ASSERT_OK(qvLoadBody(&scene->mesh, QUAVER_TEST_DATA, NULL, &first, &error), error);
    ASSERT_OK(qvLoadBody(&scene->mesh, QUAVER_TEST_DATA, NULL, &second, &error), error);
    const qvBody* shared = qvWorker_ShareBody(worker, first);
    const qvBody* again = qvWorker_ShareBody(worker, second);
    assert_ptr_equal(shared, first);
    assert_ptr_equal(again, first);
    qvWorker_Post(worker, scene, QUAVER_TEST_DATA);
    const qvTake* take = Wait(worker);
    assert_non_null(take);
    assert_ptr_equal(qvTake_Body(take), first);
    qvReleaseTake(take);
    qvReleaseScene(scene);
    qvReleaseBody(shared);
    qvReleaseBody(again);
    qvReleaseBody(first);
    qvReleaseBody(second);
    qvDestroyWorker(worker);
}

static void TheNewestSceneWins(void** state)
{
    (void)state;
    qvWorker* worker = MustWork();
    for (int i = 0; i < 20; i++)
        Post(worker, NAMED("old", "\"material\": {\"modes\": 30}"));
    Post(worker, NAMED("new", FEW_MODES));
    const qvTake* take = Wait(worker);
    assert_non_null(take);
    assert_string_equal(qvTake_Scene(take)->name, "new");
    qvReleaseTake(take);
    qvDestroyWorker(worker);
}

// Scenes at moments spread over the time that a solve takes. What is counted does not depend on how fast the machine
// is: never more than two solves at once, every one that was begun ended, and the newest one's take is what is left.
static void SupersededSolvesAreLeft(void** state)
{
    (void)state;
    enum
    {
        EDITS = 24
    };
    qvWorker* worker = MustWork();
    uint64_t seed = 3;
    for (int i = 0; i < EDITS; i++)
    {
        char text[2048];
        snprintf(text, sizeof(text), SCENE("\"name\": \"%d\", \"material\": {\"stretch\": 1.%02d}, \"keys\": [%s]"), i,
                 i, DANCE_KEYS);
        Post(worker, text);
        for (int wait = RandomInt(&seed, 12); wait > 0; wait--)
            Sleep();
    }
    const qvTake* take = Wait(worker);
    assert_non_null(take);
    assert_string_equal(qvTake_Scene(take)->name, "23");
    qvReleaseTake(take);
    qvWorkerStats stats = qvWorker_Stats(worker);
    assert_int_equal(stats.posted, EDITS);
    assert_int_equal(stats.newest, EDITS);
    assert_in_range(stats.mostAtOnce, 1, 2);
    assert_in_range(stats.begun, 1, EDITS);
    assert_true(stats.stopped < stats.begun); // the newest was not
    qvDestroyWorker(worker);
}

// Neither what is done nor what is under way of a document that went comes to light in the next one.
static void ForgottenScenesNeverCome(void** state)
{
    (void)state;
    qvWorker* worker = MustWork();
    double fraction;
    char stage[64];
    Post(worker, NAMED("done", FEW_MODES));
    while (qvWorker_Progress(worker, &fraction, stage))
        Sleep();
    assert_true(qvWorker_HasNews(worker));
    qvWorker_Forget(worker);
    assert_false(qvWorker_HasNews(worker));
    assert_null(qvWorker_Collect(worker));
    for (int i = 0; i < 10; i++)
    {
        Post(worker, NAMED("old", FEW_MODES));
        for (int k = 0; k < i; k++)
            Sleep();
        qvWorker_Forget(worker);
        assert_false(qvWorker_Progress(worker, &fraction, stage));
        assert_null(qvWorker_Collect(worker));
        Post(worker, NAMED("new", FEW_MODES));
        const qvTake* take = NULL;
        while (take == NULL)
            Sleep(), take = qvWorker_Collect(worker);
        assert_string_equal(qvTake_Scene(take)->name, "new");
        qvReleaseTake(take);
    }
    qvDestroyWorker(worker);
}

static void FailuresKeepTheLastTake(void** state)
{
    (void)state;
    qvWorker* worker = MustWork();
    qvError error;
    Post(worker, NAMED("good", FEW_MODES));
    const qvTake* take = Wait(worker);
    assert_non_null(take);
    assert_false(qvWorker_CollectError(worker, &error));
    Post(worker, "{\"quaver\": 1, \"mesh\": {\"file\": \"none.obj\"}, \"keys\": [{\"time\": 0}]}");
    assert_null(Wait(worker));
    assert_true(qvWorker_CollectError(worker, &error));
    ASSERT_CONTAINS(error.message, "none.obj");
    assert_false(qvWorker_CollectError(worker, &error)); // once
    // What was collected stays good.
    assert_true(qvTake_KeyReport(take, 2).error < 1e-6);
    qvReleaseTake(take);
    qvDestroyWorker(worker);
}

// A worker goes while it has much to do, and with a take that nobody collected.
static void WorkersCanGoAnyTime(void** state)
{
    (void)state;
    for (int i = 0; i < 6; i++)
    {
        qvWorker* worker = MustWork();
        Post(worker, "{\"quaver\": 1, \"mesh\": {\"primitive\": \"imp\"}, \"keys\": [" DANCE_KEYS "]}");
        for (int k = 0; k < 5 * i; k++)
            Sleep();
        qvDestroyWorker(worker);
    }
    qvWorker* worker = MustWork();
    Post(worker, NAMED("one", FEW_MODES));
    double fraction;
    char stage[64];
    while (qvWorker_Progress(worker, &fraction, stage))
        Sleep();
    qvDestroyWorker(worker);
    qvDestroyWorker(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(WorkersDeliver),          cmocka_unit_test(TheNewestSceneWins),
        cmocka_unit_test(SupersededSolvesAreLeft), cmocka_unit_test(ForgottenScenesNeverCome),
        cmocka_unit_test(FailuresKeepTheLastTake), cmocka_unit_test(WorkersCanGoAnyTime),
        cmocka_unit_test(LoadedBodiesAreShared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
