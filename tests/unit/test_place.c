// SPDX-License-Identifier: GPL-3.0-or-later
// Where the body is for keys that do not say it: a key may take it over where the way stays as it is.
#include "scene_testing.h"

#include "quaver/document.h"

#define AT(x, y) "\"transform\": {\"translate\": [" #x ", " #y ", 0]}"
#define FREELY   "\"velocity\": {\"mode\": \"broken\"}, "
#define WAY(loop)                                                                                               \
    SCENE(FEW_MODES ", \"range\": [0, 2], \"loop\": " loop ", \"keys\": [{\"time\": 0, " AT(                    \
        0, 0) "}, {\"time\": 1,"                                                                                \
              " \"transform\": {\"translate\": [2, 1, 0], \"rotate\": [0, 0, 0.6, 0.8]}}, {\"time\": 1.5, " AT( \
                  0, 1) "}]")

// What a key in the middle of the way takes over is where the body is, and the way stays.
static void ExpectTakenOver(const char* text)
{
    qvError error;
    qvPipeline* pipeline = MustPipeline();
    qvTake *take = MustSolve(pipeline, text), *after;
    qvDocument* document;
    qvSceneKey like = qvDefaultSceneKey();
    like.time = 0.6;
    like.hasTransform = qvScene_MayKeyPlace(qvTake_Scene(take), like.time);
    assert_true(like.hasTransform);
    qvTake_KeyedPlace(take, like.time, &like.translate, &like.rotate);
    assert_true(like.translate.x > 0.2 && like.rotate.z > 0.2);
    ASSERT_OK(qvCreateDocument(qvTake_Scene(take), &document, &error), error);
    ASSERT_OK(qvDocument_AddKey(document, &like, NULL, &error), error);
    ASSERT_OK(qvPipeline_Solve(pipeline, qvDocument_Scene(document), ".", NULL, &after, &error), error);
    for (int i = 0; i <= 20; i++)
    {
        qvAffine a = qvTake_KeyedFrame(take, 0.1 * i), b = qvTake_KeyedFrame(after, 0.1 * i);
        assert_true(qvDistance(a.offset, b.offset) < 0.05);
        assert_true(i != 6 || qvDistance(a.offset, b.offset) < 1e-9);
    }
    qvReleaseTake(after);
    qvCloseDocument(document);
    qvReleaseTake(take);
    qvDestroyPipeline(pipeline);
}

static void TestTakenOver(void** state)
{
    (void)state;
    ExpectTakenOver(WAY("false"));
    ExpectTakenOver(WAY("true"));
}

static void ExpectMay(const char* keys, bool loop, double time, bool may)
{
    char text[1024];
    snprintf(text, sizeof(text),
             "{\"quaver\": 1, \"mesh\": {\"primitive\": \"block\"}, \"range\": [0, 3], \"loop\": %s, \"keys\": [%s]}",
             loop ? "true" : "false", keys);
    const qvScene* scene = MustParse(text);
    assert_int_equal(qvScene_MayKeyPlace(scene, time), may);
    qvReleaseScene(scene);
}

static void TestWhereKeysMay(void** state)
{
    (void)state;
    // Nothing to take over where no key says it.
    ExpectMay("{\"time\": 0}, {\"time\": 1}", false, 0.5, false);
    ExpectMay("{\"time\": 0}, {\"time\": 1, " AT(1, 0) "}", false, 0.5, true);
    // A body that falls freely is where its weight takes it, also through the seam of a loop, and until it lands.
    static const char fall[] =
        "{\"time\": 0.5, " FREELY AT(0, 0) "}, {\"time\": 1}, {\"time\": 2, " FREELY AT(1, 0) "}";
    ExpectMay(fall, false, 0.7, false);
    ExpectMay(fall, false, 1.5, false);
    ExpectMay(fall, false, 2.5, true);
    ExpectMay(fall, true, 2.5, false);
    // Extra turns cannot be divided.
    static const char turns[] =
        "{\"time\": 0, " AT(0, 0) "}, {\"time\": 1, \"transform\": {\"turns\": 1}}, {\"time\": 2}";
    ExpectMay(turns, false, 0.5, false);
    ExpectMay(turns, false, 1.5, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(TestTakenOver), cmocka_unit_test(TestWhereKeysMay) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
