// SPDX-License-Identifier: GPL-3.0-or-later
// The method "history" of the engine of surfaces in scenes: beside modes, pinned, taken over, cached, refused.
#include "scene_testing.h"

#define BALL(end, spans)                                                                                     \
    "{\"quaver\": 1, \"mesh\": {\"primitive\": \"sphere\", \"resolution\": 5}, \"range\": [0, " end "], "    \
    "\"material\": {\"modes\": 4}, \"keys\": [{\"time\": 0, \"transform\": {\"translate\": [0, 0.1, 0]}}], " \
    "\"simulations\": [" spans "]}"
#define SPAN(time, more)                                                                                  \
    "{\"engine\": \"surface\", \"time\": " time ", \"detail\": 100, \"after\": \"hold\", \"wobble\": 3, " \
    "\"settle\": 2" more "}"
#define HISTORY ", \"method\": \"history\""

static qvTake* Ready(const char* text, const qvJob* job)
{
    qvError error;
    qvPipeline* pipeline = MustPipeline();
    const qvScene* scene = MustParse(text);
    qvTake* take;
    ASSERT_OK(qvPipeline_Solve(pipeline, scene, ".", job, &take, &error), error);
    ASSERT_OK(qvTake_Advance(take, INFINITY, job, &error), error);
    qvReleaseScene(scene);
    qvDestroyPipeline(pipeline);
    return take;
}

static double Apart(const qvTake* a, const qvTake* b, double time)
{
    qvVec3f *x = PointsOf(a, time, qv_layersAll, NULL), *y = PointsOf(b, time, qv_layersAll, NULL);
    double apart = Farthest(x, y, qvTake_Body(a)->mesh->pointCount);
    free(x);
    free(y);
    return apart;
}

// A ball falls on the ground and leaves it much as modes have it, and not as if nothing had answered.
static void FallsAsModesDo(void** state)
{
    (void)state;
    qvTake *full = Ready(BALL("0.45", SPAN("0", HISTORY)), NULL), *modes = Ready(BALL("0.45", SPAN("0", "")), NULL);
    double worst = 0.0, moved = 0.0;
    for (double t = 0.0; t <= 0.45; t += 0.05)
    {
        qvVec3f *start = PointsOf(full, 0.0, qv_layersAll, NULL), *now = PointsOf(full, t, qv_layersAll, NULL);
        worst = fmax(worst, Apart(full, modes, t));
        moved = fmax(moved, Farthest(start, now, qvTake_Body(full)->mesh->pointCount));
        for (int i = 0; i < qvTake_Body(full)->mesh->pointCount; i++)
            assert_true(now[i].y > -1e-4);
        free(start);
        free(now);
    }
    print_message("history and modes are at most %.3f apart, of %.3f that points move\n", worst, moved);
    assert_true(worst > 1e-4 && worst < 0.1 && moved > 0.2);
    qvReleaseTake(full);
    qvReleaseTake(modes);
}

// A span that takes over goes on with the past of the one before, and threads do not matter.
static void GoesOn(void** state)
{
    (void)state;
    qvError error;
    qvPool* pool;
    ASSERT_OK(qvCreatePool(3, &pool, &error), error);
    qvJob job = { .pool = pool };
    qvTake* one = Ready(BALL("0.3", SPAN("0", HISTORY)), NULL);
    qvTake* two = Ready(BALL("0.3", SPAN("0", ", \"until\": 0.2" HISTORY) ", " SPAN("0.2", HISTORY)), NULL);
    qvTake* threads = Ready(BALL("0.3", SPAN("0", HISTORY)), &job);
    ASSERT_NEAR(Apart(one, two, 0.15), 0.0, 0.0);
    ASSERT_NEAR(Apart(one, two, 0.28), 0.0, 1e-5);
    ASSERT_NEAR(Apart(one, threads, 0.28), 0.0, 0.0);
    qvReleaseTake(one);
    qvReleaseTake(two);
    qvReleaseTake(threads);
    qvDestroyPool(pool);
}

// What is pinned stays with the keys to the last bit; the rest hangs on it.
static void PinsHold(void** state)
{
    (void)state;
#define HANGING(pins, simulations)                                                                       \
    SCENE(FEW_MODES ", \"range\": [0, 0.4], \"ground\": {\"on\": false}, " pins "\"keys\": [{\"time\": " \
                    "0}]" simulations)
#define TOP "\"pins\": [{\"box\": [[-2, 1.6, -2], [2, 3, 2]]}], "
    qvTake* take = Ready(HANGING(TOP, ", \"simulations\": [{\"engine\": \"surface\", \"time\": 0, \"detail\": 100, "
                                      "\"wobble\": 3, \"settle\": 1, \"gravity\": [8, 0, 0]" HISTORY "}]"),
                         NULL);
    qvTake* keyed = Ready(HANGING(TOP, ""), NULL);
    const qvBody* body = qvTake_Body(take);
    qvVec3f *all = PointsOf(take, 0.35, qv_layersAll, NULL), *keys = PointsOf(keyed, 0.35, qv_layersAll, NULL);
    int pinned = 0;
    for (int i = 0; i < body->mesh->pointCount; i++)
    {
        if (body->rest[i].y < 1.6f)
            continue;
        pinned++;
        ASSERT_NEAR(qvDistance(qvVec3_FromFloat(all[i]), qvVec3_FromFloat(keys[i])), 0.0, 0.0);
    }
    print_message("%d points are pinned, others move by %.3f\n", pinned, Farthest(all, keys, body->mesh->pointCount));
    assert_true(pinned > 10 && Farthest(all, keys, body->mesh->pointCount) > 0.02);
    free(all);
    free(keys);
    qvReleaseTake(take);
    qvReleaseTake(keyed);
}

static void Refused(const char* text, const char* why)
{
    qvError error;
    qvPipeline* pipeline = MustPipeline();
    const qvScene* scene = MustParse(text);
    qvTake* take;
    qvResult result = qvPipeline_Solve(pipeline, scene, ".", NULL, &take, &error);
    if (result == qv_ok)
    {
        result = qvTake_Advance(take, INFINITY, NULL, &error);
        qvReleaseTake(take);
    }
    assert_int_not_equal(result, qv_ok);
    ASSERT_CONTAINS(error.message, why);
    qvReleaseScene(scene);
    qvDestroyPipeline(pipeline);
}

static void BadSpansAreRefused(void** state)
{
    (void)state;
    Refused("{\"quaver\": 1, \"mesh\": {\"primitive\": \"sphere\", \"resolution\": 20}, \"range\": [0, 1], \"keys\": "
            "[{\"time\": 0}], \"simulations\": [{\"engine\": \"surface\", \"time\": 0, \"detail\": 700, \"wobble\": "
            "2" HISTORY "}]}",
            "lower detail below");
    Refused(BALL("1", "{\"engine\": \"surface\", \"time\": 0, \"detail\": 100, \"wobble\": 0.3" HISTORY "}"),
            "at least 0.6");
    Refused(BALL("1", SPAN("0", ", \"until\": 0.2" HISTORY) ", " SPAN("0.2", "")), "the same method");
    Refused(BALL("1", SPAN("0", ", \"until\": 0.2" HISTORY) ", " SPAN("0.2", ", \"compression\": 4" HISTORY)),
            "compression");
    Refused(BALL("1", SPAN("0", ", \"until\": 0.203" HISTORY) ", " SPAN("0.203", HISTORY)), "move its end");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(FallsAsModesDo),
        cmocka_unit_test(GoesOn),
        cmocka_unit_test(PinsHold),
        cmocka_unit_test(BadSpansAreRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
