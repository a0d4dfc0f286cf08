// SPDX-License-Identifier: GPL-3.0-or-later
// A layer, an engine, a brush, a field and a kind of object that lines.sh has added: each does all that those of the
// program do, without another line anywhere.
#include "../unit/scene_testing.h"

#include "quaver/document.h"
#include "scene/layer.h"
#include "swarm_engine.h"

#define DANCING(more) SCENE(FEW_MODES ", \"range\": [0, 2], " more ", \"keys\": [" DANCE_KEYS "]")

static qvDocument* MustOpen(const char* text)
{
    qvError error;
    qvDocument* document;
    const qvScene* scene = MustParse(text);
    ASSERT_OK(qvCreateDocument(scene, &document, &error), error);
    qvReleaseScene(scene);
    return document;
}

static void AssertPrinted(const qvScene* scene, const char* part, bool isThere)
{
    char* text;
    qvError error;
    ASSERT_OK(qvPrintScene(scene, &text, &error), error);
    assert_int_equal(strstr(text, part) != NULL, isThere);
    const qvScene* again = MustParse(text);
    assert_true(qvScene_Hash(scene) == qvScene_Hash(again));
    qvReleaseScene(again);
    qvFreeText(text);
}

// The field is read, printed, edited, undone and refused, and hashes tell one scene from another.
static void TestField(void** state)
{
    (void)state;
    qvError error;
    qvDocument *document = MustOpen(DANCING("\"loop\": false")), *other = MustOpen(DANCING("\"sway\": 0.25"));
    const qvRef scene = { qv_objectScene, 0 };
    assert_true(qvDocument_Scene(document)->sway == 0.0 && qvDocument_Scene(other)->sway == 0.25);
    assert_non_null(qvFindField(qv_objectScene, "sway"));
    AssertPrinted(qvDocument_Scene(document), "sway", false);
    AssertPrinted(qvDocument_Scene(other), "\"sway\"", true);
    assert_true(qvScene_Hash(qvDocument_Scene(document)) != qvScene_Hash(qvDocument_Scene(other)));
    ASSERT_OK(qvDocument_SetNumber(document, scene, "sway", 0.25, &error), error);
    assert_true(qvScene_Hash(qvDocument_Scene(document)) == qvScene_Hash(qvDocument_Scene(other)));
    qvDocument_Undo(document);
    assert_true(qvDocument_Scene(document)->sway == 0.0);
    assert_int_equal(qvDocument_SetNumber(document, scene, "sway", 11.0, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "sway");
    qvCloseDocument(document);
    qvCloseDocument(other);
}

// It takes the new field, adds to the motion, and is made anew when the field changes, not otherwise.
static void TestLayer(void** state)
{
    (void)state;
    qvPipeline* pipeline = MustPipeline();
    qvTake *still = MustSolve(pipeline, DANCING("\"sway\": 0")),
           *swaying = MustSolve(pipeline, DANCING("\"sway\": 0.5"));
    int count = qvTake_Body(still)->mesh->pointCount;
    for (double time = 0.0; time < 2.0; time += 0.25)
    {
        qvVec3f *a = PointsOf(still, time, qv_layersAll, NULL), *b = PointsOf(swaying, time, qv_layersAll, NULL);
        for (int i = 0; i < count; i++)
        {
            ASSERT_NEAR((double)(b[i].x - a[i].x), 0.5 * sin(QV_TWO_PI * time), 1e-5);
            assert_true(b[i].y == a[i].y && b[i].z == a[i].z);
        }
        free(a);
        free(b);
    }
    int runs = qvPipeline_Runs(pipeline, qv_stageWaves);
    qvTake* again = MustSolve(pipeline, DANCING("\"name\": \"same\", \"sway\": 0.5"));
    assert_int_equal(qvPipeline_Runs(pipeline, qv_stageWaves), runs);
    qvTake* more = MustSolve(pipeline, DANCING("\"sway\": 0.75"));
    assert_int_equal(qvPipeline_Runs(pipeline, qv_stageWaves), runs + 1);
    qvBakeDef def = qvDefaultBakeDef();
    qvBake* bake;
    qvError error;
    ASSERT_OK(qvCreateBake(more, &def, NULL, &bake, &error), error);
    qvDestroyBake(bake);
    qvReleaseTake(still);
    qvReleaseTake(swaying);
    qvReleaseTake(again);
    qvReleaseTake(more);
    qvDestroyPipeline(pipeline);
}

// Physics takes over from keys, and the new layer lies above it.
static void TestEngine(void** state)
{
    (void)state;
#define SPRINGS "\"simulations\": [{\"engine\": \"swarm\", \"time\": 0.3, \"until\": 0.9, \"wobble\": 2}]"
    qvError error;
    qvTake *keyed = SolveAlone(DANCING("\"loop\": false")), *take = SolveAlone(DANCING(SPRINGS)),
           *swaying = SolveAlone(DANCING("\"sway\": 0.5, " SPRINGS));
    ASSERT_OK(qvTake_Advance(take, INFINITY, NULL, &error), error);
    ASSERT_OK(qvTake_Advance(swaying, INFINITY, NULL, &error), error);
    int count = qvTake_Body(keyed)->mesh->pointCount;
    qvVec3f *a = PointsOf(keyed, 0.6, qv_layersAll, NULL), *b = PointsOf(take, 0.6, qv_layersAll, NULL),
            *c = PointsOf(swaying, 0.6, qv_layersAll, NULL);
    assert_true(Farthest(a, b, count) > 0.1);
    ASSERT_NEAR(Farthest(b, c, count), 0.5 * fabs(sin(QV_TWO_PI * 0.6)), 1e-5);
    free(a);
    free(b);
    free(c);
    qvEngineInfo info;
    bool found = false;
    for (int i = 0; qvGetEngineInfo(i, &info); i++)
        found = found || strcmp(info.label, "Swarm") == 0;
    assert_true(found);
    qvReleaseTake(keyed);
    qvReleaseTake(take);
    qvReleaseTake(swaying);
}

// A stroke of it in a file does what it says, as a grab would do it; it can be sent as a wave too.
static void TestBrush(void** state)
{
    (void)state;
#define POSED(stroke)                                                                                          \
    SCENE(FEW_MODES ", \"keys\": [{\"time\": 0}, {\"time\": 1, \"strokes\": [{" stroke ", \"at\": [0, 2, 0], " \
                    "\"radius\": 0.5}]}]")
    assert_non_null(qvFindBrush("lift"));
    qvTake* take = SolveAlone(POSED("\"brush\": \"lift\", \"amount\": 0.3"));
    qvTake* like = SolveAlone(POSED("\"brush\": \"grab\", \"drag\": [0, 0.3, 0]"));
    qvVec3f *a = PointsOf(take, 1.0, qv_layersAll, NULL), *b = PointsOf(like, 1.0, qv_layersAll, NULL);
    const qvBody* body = qvTake_Body(take);
    ASSERT_NEAR(Farthest(a, b, body->mesh->pointCount), 0.0, 0.0);
    assert_true(Farthest(a, body->rest, body->mesh->pointCount) > 0.2);
    free(a);
    free(b);
    qvReleaseTake(take);
    qvReleaseTake(like);
    take = SolveAlone(SCENE(FEW_MODES ", \"range\": [0, 1], \"keys\": [{\"time\": 0}], \"events\": [{\"time\": 0.1, "
                                      "\"shape\": \"lift\", \"at\": [0, 2, 0], \"amount\": 0.3, \"radius\": 0.5}]"));
    assert_true(qvTake_HasWaves(take));
    qvReleaseTake(take);
    qvDocument* document =
        MustOpen(SCENE("\"keys\": [{\"time\": 0, \"strokes\": [{\"brush\": \"lift\", \"amount\": 0.5}]}]"));
    const qvScene* scene = qvDocument_Scene(document);
    AssertPrinted(scene, "\"lift\"", true);
    const qvRef stroke = { qv_objectStroke, scene->keys[0]->strokes.strokes[0]->id };
    assert_true(qvField_Applies(scene, stroke, qvFindField(qv_objectStroke, "amount")));
    assert_false(qvField_Applies(scene, stroke, qvFindField(qv_objectStroke, "angle")));
    qvCloseDocument(document);
}

// Objects of it are read, kept with what is unknown of them, added, edited, removed and undone.
static void TestObject(void** state)
{
    (void)state;
    qvError error;
    qvId added;
    qvDocument* document = MustOpen(DANCING("\"lamps\": [{\"at\": [1, 2, 3], \"shade\": \"green\"}, {}]"));
    const qvScene* scene = qvDocument_Scene(document);
    assert_int_equal(scene->lampCount, 2);
    assert_true(scene->lamps[0]->at.y == 2.0 && scene->lamps[1]->brightness == 0.5);
    AssertPrinted(scene, "green", true);
    const char* add = "{\"do\": \"add\", \"kind\": \"lamp\", \"value\": {\"brightness\": 1}}";
    ASSERT_OK(qvDocument_ApplyText(document, add, strlen(add), &added, &error), error);
    const qvRef lamp = { qv_objectLamp, added };
    ASSERT_OK(qvDocument_SetNumber(document, lamp, "brightness", 0.25, &error), error);
    assert_true(qvDocument_Scene(document)->lamps[2]->brightness == 0.25);
    assert_int_equal(qvDocument_SetNumber(document, lamp, "brightness", 2.0, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "brightness");
    ASSERT_OK(qvDocument_Remove(document, lamp, &error), error);
    assert_int_equal(qvDocument_Scene(document)->lampCount, 2);
    qvDocument_Undo(document);
    qvDocument_Undo(document);
    assert_true(qvDocument_Scene(document)->lamps[2]->brightness == 1.0);
    AssertPrinted(qvDocument_Scene(document), "green", true);
    qvCloseDocument(document);
}

// The same for those that another object holds. Ids are never given twice, whoever holds what has them.
static void TestInnerObject(void** state)
{
    (void)state;
    qvError error;
    qvId first, second, key;
    qvDocument* document = MustOpen(DANCING("\"lamps\": [{}, {\"bulbs\": [{\"power\": 25, \"socket\": \"e27\"}]}]"));
    const qvScene* scene = qvDocument_Scene(document);
    assert_true(scene->lamps[1]->bulbCount == 1 && scene->lamps[1]->bulbs[0]->power == 25.0);
    AssertPrinted(scene, "e27", true);
    char add[100];
    const qvId held = scene->lamps[1]->bulbs[0]->id;
    snprintf(add, sizeof(add), "{\"do\": \"add\", \"kind\": \"bulb\", \"parent\": %u, \"value\": {}}",
             scene->lamps[0]->id);
    ASSERT_OK(qvDocument_ApplyText(document, add, strlen(add), &first, &error), error);
    ASSERT_OK(qvDocument_ApplyText(document, add, strlen(add), &second, &error), error);
    const char* lamp = "{\"do\": \"add\", \"kind\": \"lamp\", \"value\": {}}";
    ASSERT_OK(qvDocument_ApplyText(document, lamp, strlen(lamp), &key, &error), error);
    assert_true(first > held && second > first && key > second);
    char taken[100];
    snprintf(taken, sizeof(taken), "{\"do\": \"add\", \"kind\": \"lamp\", \"id\": %u, \"value\": {}}", first);
    assert_int_not_equal(qvDocument_ApplyText(document, taken, strlen(taken), NULL, &error), qv_ok);
    const qvRef bulb = { qv_objectBulb, second };
    ASSERT_OK(qvDocument_SetNumber(document, bulb, "power", 60.0, &error), error);
    assert_true(qvDocument_Scene(document)->lamps[0]->bulbs[1]->power == 60.0);
    ASSERT_OK(qvDocument_Remove(document, bulb, &error), error);
    assert_int_equal(qvDocument_Scene(document)->lamps[0]->bulbCount, 1);
    qvDocument_Undo(document);
    assert_true(qvDocument_Scene(document)->lamps[0]->bulbs[1]->power == 60.0);
    qvCloseDocument(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestField), cmocka_unit_test(TestLayer),  cmocka_unit_test(TestEngine),
        cmocka_unit_test(TestBrush), cmocka_unit_test(TestObject), cmocka_unit_test(TestInnerObject),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
