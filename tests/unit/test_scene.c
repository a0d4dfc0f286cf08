// SPDX-License-Identifier: GPL-3.0-or-later
// Scene files: what is read comes out the same, in a stable form.
#include "document_testing.h"

#include "quaver/file.h"
#include "quaver/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const qvScene* Parse(const char* text)
{
    qvError error;
    const qvScene* scene;
    ASSERT_OK(qvParseScene(text, strlen(text), "test", &scene, &error), error);
    return scene;
}

static char* Print(const qvScene* scene)
{
    qvError error;
    char* text;
    ASSERT_OK(qvPrintScene(scene, &text, &error), error);
    return text;
}

static void TestExample(void** state)
{
    (void)state;
    const qvScene* scene = LoadScene("scene/lean.json");
    assert_string_equal(scene->name, "Lean");
    assert_int_equal(scene->keyCount, 3);
    assert_string_equal(scene->mesh.primitive, "sack");
    assert_int_equal(scene->mesh.resolution, 24);
    assert_true(scene->material.frequency == 2.4);
    assert_true(scene->material.maxWobble == 12.0);
    const qvSceneKey* lean = scene->keys[1];
    assert_string_equal(lean->name, "lean right");
    assert_int_equal(lean->strokes.count, 2);
    assert_string_equal(lean->strokes.strokes[1]->stroke.brush->tag, "twist");
    assert_true(lean->strokes.strokes[0]->stroke.poisson == 0.45);
    assert_true(lean->strokes.strokes[0]->stroke.connected);
    assert_true(isinf(lean->weight));
    assert_true(isnan(lean->frequency));
    assert_int_equal(scene->keys[2]->velocityMode, qv_velocityZero);
    assert_int_equal(scene->eventCount, 1);
    assert_int_equal(scene->events[0]->def.vertex, -1);
    assert_true(isinf(scene->events[0]->def.until));
    assert_true(scene->events[0]->def.stroke.strength == 1.0);
    qvReleaseScene(scene);
}

static void CheckRoundTrip(const char* name)
{
    const qvScene* first = LoadScene(name);
    char* text = Print(first);
    const qvScene* second = Parse(text);
    char* again = Print(second);
    assert_string_equal(text, again);
    assert_true(qvScene_Hash(first) == qvScene_Hash(second));
    qvFreeText(text);
    qvFreeText(again);
    qvReleaseScene(first);
    qvReleaseScene(second);
}

static void TestRoundTrip(void** state)
{
    (void)state;
    CheckRoundTrip("scene/lean.json");
    CheckRoundTrip("scene/full.json");
    CheckRoundTrip("scene/file.json");
}

// Bytes that are no text, in names and values that nobody knows.
static void TestForeignBytes(void** state)
{
    (void)state;
    const qvScene* first = Parse("{\"quaver\":1,\"mesh\":{\"primitive\":\"imp\",\"x\xed\":1},\"y\":\"\xff\"}");
    char* text = Print(first);
    const qvScene* second = Parse(text);
    assert_true(qvScene_Hash(first) == qvScene_Hash(second));
    qvFreeText(text);
    qvReleaseScene(first);
    qvReleaseScene(second);
}

// Every member of the file comes out again, whatever the order; only what is at its default may be missing.
static void CheckContains(const qvJson* all, const qvJson* part, const char* path)
{
    if (qvJson_IsObject(part))
    {
        for (const qvJson* member = qvJson_First(part); member != NULL; member = qvJson_Next(member))
        {
            char below[300];
            snprintf(below, sizeof(below), "%.200s.%s", path, qvJson_Name(member));
            if (strcmp(below, "scene.quaver") == 0)
                continue; // the version that is written now
            if (qvJson_Find(all, qvJson_Name(member)) == NULL)
                fail_msg("%s is lost", below);
            CheckContains(qvJson_Find(all, qvJson_Name(member)), member, below);
        }
        return;
    }
    bool isKeys = strstr(path, "keys") != NULL || strstr(path, "events") != NULL || strstr(path, "markers") != NULL;
    if (qvJson_IsArray(part) && isKeys && qvJson_IsObject(qvJson_First(part)))
        return; // sorted by time: compared below
    char *a = qvJson_Print(all, false), *b = qvJson_Print(part, false);
    if (strstr(path, "connected") == NULL && !qvJson_IsArray(part) && strcmp(a, b) != 0)
        fail_msg("%s: %s became %s", path, b, a);
    qvFreeText(a);
    qvFreeText(b);
}

static qvJson* ParseJson(const char* text, size_t size)
{
    qvError error;
    qvJson* root;
    ASSERT_OK(qvParseJson(text, size, NULL, &root, &error), error);
    return root;
}

static const qvJson* FindById(const qvJson* list, const char* id)
{
    for (const qvJson* item = qvJson_First(list); item != NULL; item = qvJson_Next(item))
    {
        if (strcmp(qvJson_Text(qvJson_Find(item, "id")), id) == 0)
            return item;
    }
    fail_msg("%s is lost", id);
    return NULL;
}

static void TestNothingIsLost(void** state)
{
    (void)state;
    char path[512];
    qvError error;
    qvBytes bytes;
    ASSERT_OK(qvReadFile(DataPath(path, sizeof(path), "scene/full.json"), 1 << 20, &bytes, &error), error);
    const qvScene* scene = LoadScene("scene/full.json");
    char* text = Print(scene);
    qvJson *before = ParseJson(bytes.data, bytes.size), *after = ParseJson(text, strlen(text));
    CheckContains(after, before, "scene");
    static const char* const tags[] = { "land", "start", "mid" };
    for (int i = 0; i < 3; i++)
        CheckContains(FindById(qvJson_Find(after, "keys"), tags[i]), FindById(qvJson_Find(before, "keys"), tags[i]),
                      tags[i]);
    CheckContains(FindById(qvJson_Find(after, "events"), "kick"), FindById(qvJson_Find(before, "events"), "kick"),
                  "kick");
    CheckContains(qvJson_At(qvJson_Find(after, "pins"), 0), qvJson_At(qvJson_Find(before, "pins"), 0), "pins");
    CheckContains(qvJson_At(qvJson_Find(after, "mixer"), 0), qvJson_At(qvJson_Find(before, "mixer"), 0), "mixer");
    CheckContains(qvJson_At(qvJson_Find(after, "markers"), 1), qvJson_At(qvJson_Find(before, "markers"), 0), "marker");
    const qvJson* strokes = qvJson_Find(FindById(qvJson_Find(after, "keys"), "mid"), "strokes");
    CheckContains(qvJson_At(strokes, 0),
                  qvJson_At(qvJson_Find(FindById(qvJson_Find(before, "keys"), "mid"), "strokes"), 0), "stroke");
    qvDestroyJson(before);
    qvDestroyJson(after);
    qvFreeText(text);
    qvFreeBytes(&bytes);
    qvReleaseScene(scene);
}

static void TestFullValues(void** state)
{
    (void)state;
    const qvScene* scene = LoadScene("scene/full.json");
    assert_true(scene->hasCamera && scene->camera.yaw == -40.0 && scene->camera.distance == 3.5 && scene->camera.ortho);
    assert_string_equal(scene->keys[0]->tag, "start");
    assert_string_equal(scene->keys[3]->tag, "k1");
    assert_true(scene->keys[2]->baseKey == scene->keys[0]->id);
    assert_int_equal(scene->keys[0]->offsets->size, 12);
    assert_true(((const float*)scene->keys[0]->offsets->data)[2] == 2.0f);
    assert_true(scene->keys[2]->after.given && scene->keys[2]->after.strokes.count == 1);
    assert_true(scene->keys[3]->hasTransform);
    assert_true(scene->keys[3]->rotate.w == 1.0);
    assert_true(scene->keys[1]->partial && scene->keys[1]->only.hasBox);
    assert_int_equal(((const int32_t*)scene->keys[1]->only.vertices->data)[1], 2);
    assert_true(scene->keys[1]->strokes.strokes[2]->stroke.amount == 0.5);
    assert_true(scene->keys[1]->strokes.strokes[3]->stroke.amount == 0.0);
    assert_int_equal(scene->keys[1]->strokes.strokes[0]->stroke.mirror, 5);
    assert_true(scene->markers[0]->time == 0.5);
    assert_true(scene->events[1]->def.push && scene->events[1]->def.vertex == 17);
    assert_int_equal(scene->events[1]->path->size, 2 * sizeof(qvVec3));
    qvReleaseScene(scene);
}

static void TestSamples(void** state)
{
    (void)state;
    const double four[2] = { 0.0, 4.0 }, odd[2] = { 1.0, 2.01 }, third[2] = { 0.0, 1.0 / 3.0 };
    assert_int_equal(qvScene_SampleCount(24.0, four), 97);
    assert_true(qvScene_SampleTime(24.0, four, 96) == 4.0);
    assert_int_equal(qvScene_SampleCount(24.0, odd), 26);
    assert_true(qvScene_SampleTime(24.0, odd, 25) == 2.01);
    ASSERT_NEAR(qvScene_SampleTime(24.0, odd, 24), 2.0, 1e-12);
    assert_int_equal(qvScene_SampleCount(24.0, third), 9);
    // Ends a hair beside a frame: that frame takes their time.
    const double above[2] = { 0.0, 2.0000001 }, below[2] = { 0.0, 1.999999 }, apart[2] = { 0.0, 2.00001 };
    assert_int_equal(qvScene_SampleCount(24.0, above), 49);
    assert_true(qvScene_SampleTime(24.0, above, 48) == 2.0000001);
    assert_int_equal(qvScene_SampleCount(24.0, below), 49);
    assert_true(qvScene_SampleTime(24.0, below, 48) == 1.999999);
    assert_int_equal(qvScene_SampleCount(24.0, apart), 50);
    // After 400 s float32 counts in steps of 3e-5 s: 2.5e-6 s, 1.5e-4 of a frame, are nothing there.
    const double late[2] = { 0.0, 400.0000025 };
    assert_int_equal(qvScene_SampleCount(60.0, late), 24001);
}

static void TestRange(void** state)
{
    (void)state;
    double range[2];
    const qvScene* scene =
        Parse("{\"quaver\":1,\"mesh\":{\"primitive\":\"sphere\"},\"keys\":[{\"time\":3},{\"time\":1}]}");
    qvScene_Range(scene, range);
    assert_true(range[0] == 0.0 && range[1] == 3.0);
    assert_string_equal(scene->keys[0]->tag, "k1");
    qvReleaseScene(scene);
    scene = Parse("{\"quaver\":1,\"mesh\":{\"primitive\":\"sphere\"}}");
    qvScene_Range(scene, range);
    assert_true(range[1] == 1.0);
    assert_int_equal(scene->keyCount, 0);
    qvReleaseScene(scene);
}

static void TestCreate(void** state)
{
    (void)state;
    qvError error;
    const qvScene* scene;
    ASSERT_OK(qvCreateScene(&(qvSceneMesh){ .primitive = "imp" }, &scene, &error), error);
    char* text = Print(scene);
    assert_string_equal(text,
                        "{\n  \"quaver\": 2,\n  \"range\": [0, 2],\n  \"mesh\": {\n    \"primitive\": \"imp\"\n  },\n"
                        "  \"keys\": [\n    {\n      \"id\": \"k1\",\n      \"time\": 0\n    }\n  ]\n}");
    qvFreeText(text);
    qvReleaseScene(scene);
    assert_int_equal(qvCreateScene(&(qvSceneMesh){ .primitive = "cube" }, &scene, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "mesh.primitive");
    assert_int_equal(qvCreateScene(&(qvSceneMesh){ .resolution = 3 }, &scene, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "mesh: needs");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestExample),       cmocka_unit_test(TestRoundTrip),  cmocka_unit_test(TestForeignBytes),
        cmocka_unit_test(TestNothingIsLost), cmocka_unit_test(TestFullValues), cmocka_unit_test(TestSamples),
        cmocka_unit_test(TestRange),         cmocka_unit_test(TestCreate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
