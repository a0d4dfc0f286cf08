// SPDX-License-Identifier: GPL-3.0-or-later
// Takes of a body whose topology changes, with the springs that burst, which this program adds to the list by one line.
#include "scene_testing.h"

#include "scene/layer.h"
#include "swarm_engine.h"

#include <unistd.h>

const qvLayerKind* const qvLayerKinds[] = {
#define QV_LAYER(name) &name,
#include "scene/layer_list.inl"
#undef QV_LAYER
    NULL,
};

const qvEngine* const qvEngines[] = {
#define QV_ENGINE(name) &name,
#include "scene/engine_list.inl"
    QV_ENGINE(burstEngine) // the one line
#undef QV_ENGINE
    NULL,
};

// Bursts at 0.55 s and again at 0.8 s.
#define BURST_SPAN(more) "{\"engine\": \"burst\", \"time\": 0.3, \"until\": 1, \"wobble\": 2" more "}"
#define BURST(more)      "\"simulations\": [" BURST_SPAN(more) "]"
#define HELD             ", \"after\": \"hold\""
#define DANCING(more)    SCENE(FEW_MODES ", \"range\": [0, 2], " more ", \"keys\": [" DANCE_KEYS "]")

static void MustAdvance(const qvTake* take, double time)
{
    qvError error;
    ASSERT_OK(qvTake_Advance(take, time, NULL, &error), error);
}

static void MustShow(qvTakeView* view, double time)
{
    qvError error;
    ASSERT_OK(qvTakeView_Show(view, time, qv_layersAll, NULL, &error), error);
}

static void ViewsShowTheMeshOfTheTime(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(DANCING(BURST(HELD)));
    qvTakeView view = { 0 };
    qvError error;
    ASSERT_OK(qvTakeView_SetTake(&view, take, &error), error);
    ASSERT_NEAR(qvTake_ChangesFrom(take), 0.55, 1e-12);
    const qvMesh* own = qvTake_Body(take)->mesh;
    MustShow(&view, 0.6); // not computed yet
    assert_ptr_equal(view.mesh, own);
    MustAdvance(take, INFINITY);
    unsigned int epoch = view.epoch;
    MustShow(&view, 0.5);
    assert_true(view.mesh == own && view.changed == NULL && view.epoch == epoch);
    MustShow(&view, 0.6);
    assert_true(view.mesh == view.changed && view.epoch == epoch + 1);
    assert_int_equal(view.mesh->vertexCount, 4 * own->pointCount);
    assert_memory_equal(view.vertices, view.mesh->positions, (size_t)view.mesh->vertexCount * sizeof(qvVec3f));
    for (int i = 0; i < own->pointCount; i++) // a piece begins where its point is
        assert_memory_equal(&view.vertices[4 * i], &view.points[i], sizeof(qvVec3f));
    MustShow(&view, 1.9); // held
    assert_int_equal(view.mesh->vertexCount, 8 * own->pointCount);
    ASSERT_OK(qvTakeView_Show(&view, 0.6, qv_layersSmooth, NULL, &error), error); // the plain motion has its mesh
    assert_true(view.mesh == own && view.epoch > epoch + 2);
    MustShow(&view, 0.1);
    qvVec3f* points = PointsOf(take, 0.1, qv_layersAll, NULL);
    for (int i = 0; i < own->pointCount; i++)
        assert_memory_equal(&points[i], &view.vertices[own->pointVertex[i]], sizeof(*points));
    free(points);
    qvTakeView_Free(&view);
    qvReleaseTake(take);
}

static qvBake* MustBake(const qvTake* take, double from, double to, const qvJob* job)
{
    qvBakeDef def = qvDefaultBakeDef();
    def.hasRange = true, def.range[0] = from, def.range[1] = to;
    qvBake* bake;
    qvError error;
    ASSERT_OK(qvCreateBake(take, &def, job, &bake, &error), error);
    return bake;
}

// Of any number of threads; a bake that ends before the change knows nothing of it.
static void BakesHaveTheMeshOfEveryFrame(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(DANCING(BURST(HELD)));
    qvPool* pool;
    qvError error;
    ASSERT_OK(qvCreatePool(3, &pool, &error), error);
    qvJob job = { .pool = pool };
    qvBake *one = MustBake(take, 0.0, 2.0, NULL), *many = MustBake(take, 0.0, 2.0, &job),
           *before = MustBake(take, 0.0, 0.5, NULL);
    assert_null(before->meshes);
    assert_memory_equal(before->positions, one->positions,
                        (size_t)before->frameCount * (size_t)before->vertexCount * sizeof(qvVec3f));
    int pieces[2] = { 0, 0 }, points = qvTake_Body(take)->mesh->pointCount;
    for (int i = 0; i < one->frameCount; i++)
    {
        assert_true((one->meshes[i] != NULL) == (one->times[i] >= qvTake_ChangesFrom(take)));
        if (one->meshes[i] == NULL)
            continue;
        int count = one->meshes[i]->vertexCount;
        assert_true(count == 4 * points || count == 8 * points);
        pieces[count == 8 * points]++;
        assert_memory_equal(one->meshes[i]->positions, many->meshes[i]->positions, (size_t)count * sizeof(qvVec3f));
    }
    assert_true(pieces[0] == 6 && pieces[1] == 29); // 24 frames a second from 0.55 and from 0.8 s on
    qvDestroyBake(one);
    qvDestroyBake(many);
    qvDestroyBake(before);
    qvDestroyPool(pool);
    qvReleaseTake(take);
}

static void AssertRefused(const char* text, const char* reason)
{
    qvError error;
    const qvScene* scene = MustParse(text);
    qvPipeline* pipeline = MustPipeline();
    qvTake* take = NULL;
    assert_int_equal(qvPipeline_Solve(pipeline, scene, ".", NULL, &take, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "simulation \"s1\" at");
    ASSERT_CONTAINS(error.message, reason);
    qvReleaseScene(scene);
    qvDestroyPipeline(pipeline);
}

static void ThereIsNoWayBack(void** state)
{
    (void)state;
    AssertRefused(DANCING(BURST("")), "cannot blend back");
    AssertRefused(DANCING("\"loop\": true, " BURST("")), "loop");
    // With `follow` 1 it does not burst and may blend.
    qvTake* whole = SolveAlone(DANCING(BURST(", \"follow\": 1")));
    assert_true(isinf(qvTake_ChangesFrom(whole)));
    qvReleaseTake(whole);
    // The next span goes on with it, and hands nothing back.
    qvTake* two = SolveAlone(DANCING("\"simulations\": [" BURST_SPAN(
        "") ", {\"engine\": \"burst\", \"time\": 1, \"until\": 1.5, \"wobble\": 2" HELD "}]"));
    MustAdvance(two, INFINITY);
    ASSERT_NEAR(qvTake_ChangesFrom(two), 0.55, 1e-12);
    qvTakeView view = { 0 };
    qvError error;
    ASSERT_OK(qvTakeView_SetTake(&view, two, &error), error);
    MustShow(&view, 1.2);
    assert_int_equal(view.mesh->vertexCount, 8 * qvTake_Body(two)->mesh->pointCount);
    qvTakeView_Free(&view);
    qvReleaseTake(two);
}

// Nobody else takes over a body that has changed.
static void OtherSpansAreRefused(void** state)
{
    (void)state;
    qvError error;
    const qvScene* scene = MustParse(
        DANCING("\"simulations\": [" BURST_SPAN(HELD) ", {\"engine\": \"points\", \"time\": 1.2, \"detail\": 100}]"));
    qvPipeline* pipeline = MustPipeline();
    qvTake* take = NULL;
    assert_int_equal(qvPipeline_Solve(pipeline, scene, ".", NULL, &take, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "has changed its topology at 0.55 s");
    qvReleaseScene(scene);
    qvDestroyPipeline(pipeline);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ViewsShowTheMeshOfTheTime),
        cmocka_unit_test(BakesHaveTheMeshOfEveryFrame),
        cmocka_unit_test(ThereIsNoWayBack),
        cmocka_unit_test(OtherSpansAreRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
