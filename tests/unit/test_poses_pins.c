// SPDX-License-Identifier: GPL-3.0-or-later
// Pins under the strokes of a scene: at the key's time, through the pipeline, as the window shows them, and as waves.
#include "scene_testing.h"

#include "scene/poses.h"
#include "scene/take.h"

#define PINS "\"pins\": [{\"box\": [[-2, -1, -2], [2, 0.4, 2]], \"from\": 0.5, \"to\": 2}]"
#define GRAB(more)                                                                                      \
    "\"strokes\": [{\"brush\": \"grab\", \"at\": [0, 1.9, 0], \"drag\": [0.5, 0.2, 0], \"radius\": 0.8" \
    ", \"pins\": true}" more "]"

// The most by which a pinned point of a pose is away from another pose.
static double PinnedMiss(const qvTake* take, const qvVec3f* pose, const qvVec3f* from)
{
    const qvBody* body = qvTake_Body(take);
    double worst = 0.0;
    int count = 0;
    for (int i = 0; i < body->mesh->pointCount; i++)
    {
        if (body->rest[i].y > 0.4f)
            continue;
        count++;
        worst = fmax(worst, qvDistance(qvVec3_FromFloat(pose[i]), qvVec3_FromFloat(from[i])));
    }
    assert_true(count > 3);
    return worst;
}

// What is pinned at a key's time stays; at another time nothing is. The window's way gives the same bits.
static void PinsHoldAtTheirTime(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(SCENE(FEW_MODES ", " PINS ", \"keys\": [{\"time\": 0, " GRAB("") "}, {\"time\": 1, " GRAB(
        ", {\"brush\": \"twist\", \"at\": [0, 1, 0], \"angle\": 0.7, \"radius\": 1, \"pins\": true}") "}, {\"time\": "
                                                                                                      "3}]"));
    const qvScene* scene = qvTake_Scene(take);
    const qvBody* body = qvTake_Body(take);
    size_t size = (size_t)body->mesh->pointCount * sizeof(qvVec3f);
    assert_true(PinnedMiss(take, take->poses[0]->object, body->rest) > 0.01);
    assert_true(PinnedMiss(take, take->poses[1]->object, body->rest) == 0.0);
    qvVec3f *pose = malloc(size), *live = malloc(size);
    assert_true(pose != NULL && live != NULL);
    qvError error;
    ASSERT_OK(qvComputePose(scene, body, scene->keys[1]->id, -1, NULL, pose, &error), error);
    assert_memory_equal(pose, take->poses[1]->object, size);
    ASSERT_OK(qvComputePose(scene, body, scene->keys[1]->id, 1, NULL, live, &error), error);
    ASSERT_OK(
        qvScene_ApplyStroke(scene, body, 1.0, &scene->keys[1]->strokes.strokes[1]->stroke, NULL, NULL, live, &error),
        error);
    assert_memory_equal(live, pose, size);
    free(pose);
    free(live);
    qvReleaseTake(take);
}

// Other pins, another pose: what is cached knows them. A stroke without the field does not care.
static void PinsArePartOfThePose(void** state)
{
    (void)state;
    qvPipeline* pipeline = MustPipeline();
    for (int holds = 0; holds < 2; holds++)
    {
        char text[1024];
        qvTake* takes[2];
        for (int i = 0; i < 2; i++)
        {
            snprintf(text, sizeof(text),
                     SCENE(FEW_MODES ", \"pins\": [{\"box\": [[-2, -1, -2], [2, %g, 2]]}], \"keys\": [{\"time\": 0}, "
                                     "{\"time\": 1, \"strokes\": [{\"brush\": \"grab\", \"at\": [0, 1.9, 0], \"drag\": "
                                     "[0.5, 0, 0], \"pins\": %s}]}]"),
                     i == 0 ? 0.4 : 0.9, holds ? "true" : "false");
            takes[i] = MustSolve(pipeline, text);
        }
        assert_true((takes[0]->poses[1] == takes[1]->poses[1]) == (holds == 0));
        qvReleaseTake(takes[0]);
        qvReleaseTake(takes[1]);
    }
    qvDestroyPipeline(pipeline);
}

// The ground is where the key has the body: a key that stands higher leaves room below. The window's way is the same.
static void GroundIsWhereTheKeyIs(void** state)
{
    (void)state;
    for (int up = 0; up < 2; up++)
    {
        char text[1024];
        snprintf(text, sizeof(text),
                 SCENE(FEW_MODES
                       ", \"keys\": [{\"time\": 0, \"transform\": {\"translate\": [0, 0, 0]}}, {\"time\": 1, "
                       "\"transform\": {\"translate\": [0, %d, 0]}, \"strokes\": [{\"brush\": \"grab\", \"at\": "
                       "[0, 1.9, 0], \"drag\": [0, -0.5, 0], \"radius\": 2, \"ground\": true}]}]"),
                 up);
        qvTake* take = SolveAlone(text);
        const qvScene* scene = qvTake_Scene(take);
        const qvBody* body = qvTake_Body(take);
        const qvVec3f* pose = take->poses[1]->object;
        size_t size = (size_t)body->mesh->pointCount * sizeof(qvVec3f);
        qvVec3f* live = malloc(size);
        assert_non_null(live);
        memcpy(live, body->rest, size);
        qvError error;
        const qvStroke* stroke = &scene->keys[1]->strokes.strokes[0]->stroke;
        ASSERT_OK(qvScene_ApplyStroke(scene, body, 1.0, stroke, NULL, NULL, live, &error), error);
        assert_memory_equal(live, pose, size);
        double lowest = INFINITY;
        for (int i = 0; i < body->mesh->pointCount; i++)
            lowest = fmin(lowest, (double)pose[i].y);
        assert_true(up == 1 ? lowest < -0.1 : lowest > -1e-5);
        free(live);
        qvReleaseTake(take);
    }
}

// A key that arrives as a wave ends where its pose is, pins and all.
static void WavesEndAtThePose(void** state)
{
    (void)state;
    qvTake* take =
        SolveAlone(SCENE(FEW_MODES ", \"range\": [0, 6], " PINS ", \"keys\": [{\"time\": 0}, {\"time\": 1, \"interp\": "
                                   "\"wave\", " GRAB("") "}]"));
    qvVec3f* points = PointsOf(take, 6.0, qv_layersAll, NULL);
    const qvVec3f* pose = take->poses[1]->object;
    for (int i = 0; i < qvTake_Body(take)->mesh->pointCount; i++)
        ASSERT_NEAR(qvDistance(qvVec3_FromFloat(points[i]), qvVec3_FromFloat(pose[i])), 0.0, 2e-4);
    free(points);
    qvReleaseTake(take);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(PinsHoldAtTheirTime),
        cmocka_unit_test(PinsArePartOfThePose),
        cmocka_unit_test(GroundIsWhereTheKeyIs),
        cmocka_unit_test(WavesEndAtThePose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
