// SPDX-License-Identifier: GPL-3.0-or-later
// Scenes of version 1 become scenes of version 2, and the clip of a mesh file that moves a scene: which one, from when,
// how fast and how often.
#include "document_testing.h"
#include "scene_testing.h"

#include "quaver/document.h"
#include "quaver/file.h"
#include "quaver/json.h"
#include "quaver/path.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static char* MustPrint(const qvScene* scene)
{
    qvError error;
    char* text;
    ASSERT_OK(qvPrintScene(scene, &text, &error), error);
    return text;
}

// --- Version 1 ------------------------------------------------------------------------------------------------------

// What the clip of a scene is after it was read, and after it was written and read again.
static void CheckClip(const char* text, const qvSceneClip* wanted)
{
    const qvScene* scene = MustParse(text);
    for (int round = 0; round < 2; round++)
    {
        const qvSceneClip* clip = &scene->clip;
        bool sameName =
            wanted->name == NULL ? clip->name == NULL : clip->name != NULL && strcmp(clip->name, wanted->name) == 0;
        if (clip->on != wanted->on || !sameName || clip->repeat != wanted->repeat || clip->start != wanted->start ||
            clip->speed != wanted->speed || clip->number != wanted->number)
            fail_msg("%s: read %d: the clip is on %d, name %s, number %d, repeat %d", text, round, clip->on,
                     clip->name != NULL ? clip->name : "none", clip->number, clip->repeat);
        char* printed = MustPrint(scene);
        const qvScene* again = MustParse(printed);
        assert_true(strstr(printed, "\"quaver\": 2") != NULL);
        assert_true(qvScene_Hash(again) == qvScene_Hash(scene));
        qvFreeText(printed);
        qvReleaseScene(scene);
        scene = again;
    }
    qvReleaseScene(scene);
}

static void TestVersionOne(void** state)
{
    (void)state;
    CheckClip("{\"quaver\":1,\"mesh\":{\"file\":\"a.glb\",\"clip\":\"walk\"}}",
              &(qvSceneClip){ true, "walk", 1, 0.0, 1.0, false });
    CheckClip("{\"quaver\":1,\"mesh\":{\"file\":\"a.glb\"},\"keys\":[]}",
              &(qvSceneClip){ true, NULL, 1, 0.0, 1.0, false });
    CheckClip("{\"quaver\":1,\"mesh\":{\"file\":\"a.glb\"},\"keys\":[{\"time\":0}]}",
              &(qvSceneClip){ false, NULL, 1, 0.0, 1.0, true });
    CheckClip("{\"quaver\":1,\"mesh\":{\"file\":\"a.glb\",\"clip\":\"walk\"},\"keys\":[{\"time\":0}]}",
              &(qvSceneClip){ false, "walk", 1, 0.0, 1.0, false });
    CheckClip("{\"quaver\":1,\"clip\":7,\"mesh\":{\"primitive\":\"imp\"}}",
              &(qvSceneClip){ true, NULL, 1, 0.0, 1.0, true });
    CheckClip("{\"quaver\":2,\"mesh\":{\"file\":\"a.glb\"}}", &(qvSceneClip){ true, NULL, 1, 0.0, 1.0, true });
    CheckClip("{\"quaver\":2,\"mesh\":{\"file\":\"a.glb\"},\"clip\":null}",
              &(qvSceneClip){ false, NULL, 1, 0.0, 1.0, true });
    CheckClip("{\"quaver\":2,\"mesh\":{\"file\":\"a.glb\"},\"clip\":{\"number\":3,\"start\":-1,\"speed\":0.5,"
              "\"repeat\":false}}",
              &(qvSceneClip){ true, NULL, 3, -1.0, 0.5, false });
}

static void TestNullIsWritten(void** state)
{
    (void)state;
    const qvScene* scene = MustParse("{\"quaver\":1,\"mesh\":{\"file\":\"a.glb\"},\"keys\":[{\"time\":0}]}");
    char* text = MustPrint(scene);
    assert_non_null(strstr(text, "\"clip\": null"));
    qvFreeText(text);
    qvReleaseScene(scene);
    // What is unknown stays, also in a clip that is off.
    scene = MustParse("{\"quaver\":2,\"mesh\":{\"file\":\"a.glb\"},\"clip\":{\"on\":false,\"gait\":3}}");
    text = MustPrint(scene);
    assert_non_null(strstr(text, "\"gait\": 3"));
    const qvScene* again = MustParse(text);
    assert_true(!again->clip.on && qvScene_Hash(again) == qvScene_Hash(scene));
    qvFreeText(text);
    qvReleaseScene(again);
    qvReleaseScene(scene);
}

// Every scene of a folder is read, and is the same after it was written as version 2. Returns how many of version 1.
static int MigrateFolder(const char* folder)
{
    DIR* dir = opendir(folder);
    assert_non_null(dir);
    int old = 0;
    qvError error;
    for (struct dirent* entry; (entry = readdir(dir)) != NULL;)
    {
        if (!qvPath_HasExtension(entry->d_name, "json"))
            continue;
        char* path = qvPath_Join(folder, entry->d_name);
        qvBytes bytes;
        const qvScene* scene;
        ASSERT_OK(qvReadFile(path, 1 << 30, &bytes, &error), error);
        ASSERT_OK(qvLoadScene(path, &scene, &error), error);
        qvJson* root;
        ASSERT_OK(qvParseJson(bytes.data, bytes.size, NULL, &root, &error), error);
        bool isOld = qvJson_Number(qvJson_Find(root, "quaver")) == 1.0;
        old += isOld;
        assert_true(!isOld || scene->clip.on == (scene->keyCount == 0));
        char* text = MustPrint(scene);
        const qvScene* again = MustParse(text);
        if (qvScene_Hash(again) != qvScene_Hash(scene) || strstr(text, "\"quaver\": 2") == NULL)
            fail_msg("%s is another scene in version 2", path);
        qvReleaseScene(again);
        qvFreeText(text);
        qvDestroyJson(root);
        qvReleaseScene(scene);
        qvFreeBytes(&bytes);
        free(path);
    }
    closedir(dir);
    return old;
}

static void TestOldScenes(void** state)
{
    (void)state;
    assert_int_equal(MigrateFolder(QUAVER_TEST_DATA "/version_1"), 12);
    assert_int_equal(MigrateFolder(QUAVER_TEST_DATA "/../../scenes"), 0);
    assert_true(MigrateFolder(QUAVER_TEST_DATA "/scenes") >= 3);
    assert_true(MigrateFolder(QUAVER_TEST_DATA "/scene") >= 3);
}

// The scene of a file without what a clip is on a built-in shape, which has none.
static uint64_t HashWithoutClip(const char* path)
{
    qvError error;
    const qvScene* scene;
    ASSERT_OK(qvLoadScene(path, &scene, &error), error);
    char* text = MustPrint(scene);
    if (scene->mesh.file == NULL)
    {
        qvJson* root;
        ASSERT_OK(qvParseJson(text, strlen(text), NULL, &root, &error), error);
        if (qvJson_Find(root, "clip") != NULL)
            qvJson_Remove(root, qvJson_Find(root, "clip"));
        qvFreeText(text);
        text = qvJson_Print(root, false);
        assert_non_null(text);
        qvDestroyJson(root);
    }
    qvReleaseScene(scene);
    scene = MustParse(text);
    uint64_t hash = qvScene_Hash(scene);
    qvReleaseScene(scene);
    qvFreeText(text);
    return hash;
}

// The demos as they were written in version 1 are those of today, in every field.
static void TestOldDemos(void** state)
{
    (void)state;
    DIR* dir = opendir(QUAVER_TEST_DATA "/version_1");
    assert_non_null(dir);
    int count = 0;
    for (struct dirent* entry; (entry = readdir(dir)) != NULL;)
    {
        char old[1024], now[1024];
        if (!qvPath_HasExtension(entry->d_name, "json"))
            continue;
        snprintf(old, sizeof(old), QUAVER_TEST_DATA "/version_1/%s", entry->d_name);
        snprintf(now, sizeof(now), QUAVER_TEST_DATA "/../../scenes/%s", entry->d_name);
        if (HashWithoutClip(old) != HashWithoutClip(now))
            fail_msg("%s is another scene than its version 1", entry->d_name);
        count++;
    }
    closedir(dir);
    assert_int_equal(count, 12);
}

// --- Playing --------------------------------------------------------------------------------------------------------

static qvTake* MustPlayScene(const char* clip)
{
    char text[512];
    snprintf(text, sizeof(text),
             "{\"quaver\":2,\"range\":[0,4],\"mesh\":{\"file\":\"" QUAVER_TEST_DATA "/glb/skin.glb\"}%s%s}",
             clip != NULL ? ",\"clip\":" : "", clip != NULL ? clip : "");
    const qvScene* scene = MustParse(text);
    qvPipeline* pipeline = MustPipeline();
    qvError error;
    qvTake* take;
    ASSERT_OK(qvPipeline_Solve(pipeline, scene, ".", NULL, &take, &error), error);
    qvReleaseScene(scene);
    qvDestroyPipeline(pipeline);
    return take;
}

static bool IsSameAt(const qvTake* a, double timeA, const qvTake* b, double timeB)
{
    qvVec3f *pointsA = PointsOf(a, timeA, qv_layersAll, NULL), *pointsB = PointsOf(b, timeB, qv_layersAll, NULL);
    bool isSame = memcmp(pointsA, pointsB, (size_t)qvTake_Body(a)->mesh->pointCount * sizeof(*pointsA)) == 0;
    free(pointsA);
    free(pointsB);
    return isSame;
}

static void TestStartSpeedRepeat(void** state)
{
    (void)state;
    // The first clip of the file lasts 1 s.
    qvTake* once = MustPlayScene("{\"repeat\":false}");
    qvTake* again = MustPlayScene(NULL);
    qvTake* late = MustPlayScene("{\"start\":0.5,\"speed\":2,\"repeat\":false}");
    qvTake* lateAgain = MustPlayScene("{\"start\":0.5,\"speed\":2}");
    qvTake* second = MustPlayScene("{\"name\":\"slide\"}");
    qvTake* number = MustPlayScene("{\"number\":2}");
    qvTake* none = MustPlayScene("null");
    assert_false(IsSameAt(once, 0.0, once, 0.5));
    for (int i = 0; i <= 8; i++)
    {
        double t = i / 8.0;
        assert_true(IsSameAt(again, t, once, t)); // its end too
        assert_true(IsSameAt(again, t + 2.0, once, t == 0.0 ? 1.0 : t));
        assert_true(IsSameAt(again, t - 3.0, once, t == 0.0 ? 1.0 : t));
        assert_true(IsSameAt(late, 0.5 + 0.5 * t, once, t));
        assert_true(IsSameAt(lateAgain, 0.5 + 0.5 * t, once, t));
        assert_true(IsSameAt(lateAgain, 1.0 + 0.5 * t, once, t == 0.0 ? 1.0 : t));
        assert_true(IsSameAt(second, t, number, t));
        assert_true(IsSameAt(none, t, none, 0.0));
    }
    assert_true(IsSameAt(once, 3.0, once, 1.0) && IsSameAt(once, -1.0, once, 0.0));
    assert_true(IsSameAt(late, 0.0, once, 0.0) && IsSameAt(late, 2.0, once, 1.0));
    assert_false(IsSameAt(second, 0.5, once, 0.5));
    assert_true(qvTake_Clip(none) < 0 && qvTake_Clip(second) == 1);
    qvTake* all[] = { once, again, late, lateAgain, second, number, none };
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        qvReleaseTake(all[i]);
}

// --- Exporting ------------------------------------------------------------------------------------------------------

// The exported file, played by itself, moves as the scene does at its frames, and keeps skin and skeleton. Returns how
// far it moves. text has a %s for the folder of test data.
static double CheckExport(const char* text, int clip)
{
    char whole[1024], path[512];
    snprintf(whole, sizeof(whole), text, QUAVER_TEST_DATA);
    const qvScene* scene = MustParse(whole);
    qvPipeline* pipeline = MustPipeline();
    qvError error;
    qvTake* take;
    qvExportReport report;
    qvModel* model;
    ASSERT_OK(qvPipeline_Solve(pipeline, scene, ".", NULL, &take, &error), error);
    qvTakeExport export = qvDefaultTakeExport();
    export.options.error = 1e-4;
    ASSERT_OK(qvExportTake(take, &export, OutputPath(path, sizeof(path), "scene-clip.glb"), &report, &error), error);
    ASSERT_OK(qvLoadModel(path, NULL, &model, &error), error);
    const qvBody* body = qvTake_Body(take);
    assert_int_equal(qvRig_ClipCount(model->rig), qvRig_ClipCount(body->model->rig));
    assert_int_equal(qvRig_JointCount(model->rig), qvRig_JointCount(body->model->rig));
    size_t count = (size_t)body->mesh->vertexCount;
    qvVec3f *played = malloc(count * sizeof(*played)), *first = malloc(count * sizeof(*played));
    void *scratch = malloc(qvRig_ScratchSize(model->rig)), *own = malloc(qvTake_ScratchSize(take));
    double moved = 0.0, start = scene->range[0] < 0.0 ? scene->range[0] : 0.0;
    qvVec3f* vertices = malloc(count * sizeof(*vertices));
    for (int i = 0; i <= (int)lround((scene->range[1] - scene->range[0]) * scene->fps); i++)
    {
        double time = scene->range[0] + i / scene->fps;
        qvRig_Evaluate(model->rig, clip, time - start, scratch, played);
        qvVec3f* points = PointsOf(take, time, qv_layersAll, NULL);
        qvTake_Vertices(take, time, points, own, vertices);
        if (i == 0)
            memcpy(first, vertices, count * sizeof(*first));
        double apart = Farthest(played, vertices, (int)count);
        if (!(apart < 2e-4 * body->diagonal))
            fail_msg("at %g s the file shows what is %g from the scene", time, apart / body->diagonal);
        moved = fmax(moved, Farthest(first, vertices, (int)count) / body->diagonal);
        free(points);
    }
    free(played);
    free(first);
    free(vertices);
    free(scratch);
    free(own);
    qvDestroyModel(model);
    qvReleaseTake(take);
    qvReleaseScene(scene);
    qvDestroyPipeline(pipeline);
    return moved;
}

#define SKIN  "\"mesh\":{\"file\":\"%s/glb/skin.glb\"}"
#define MORPH "\"mesh\":{\"file\":\"%s/glb/morph.glb\"}"

static void TestExports(void** state)
{
    (void)state;
    assert_true(CheckExport("{\"quaver\":2,\"range\":[0,1]," SKIN "}", 0) > 0.01);
    assert_true(CheckExport("{\"quaver\":2,\"range\":[-0.5,2.5]," SKIN ",\"clip\":{\"start\":0.25}}", 0) > 0.01);
    assert_true(CheckExport("{\"quaver\":2,\"range\":[0,2]," SKIN ",\"clip\":{\"name\":\"slide\",\"start\":0.25,"
                            "\"speed\":2,\"repeat\":false},\"secondary\":{\"enabled\":true}}",
                            1) > 0.01);
    // An animation of morph weights alone.
    assert_true(CheckExport("{\"quaver\":2,\"range\":[0,1]," MORPH "}", 0) > 0.01);
    assert_true(CheckExport("{\"quaver\":2,\"range\":[0,3]," MORPH ",\"clip\":{\"start\":0.5,\"speed\":1.5}}", 0) >
                0.01);
    assert_true(CheckExport("{\"quaver\":2,\"range\":[0,3]," MORPH ",\"clip\":{\"start\":0.5,\"speed\":1.5},"
                            "\"secondary\":{\"enabled\":true,\"amount\":3}}",
                            0) > 0.01);
}

// --- Bad input ------------------------------------------------------------------------------------------------------

static void CheckRefused(const char* clip, const char* said)
{
    char text[512];
    snprintf(text, sizeof(text), "{\"quaver\":2,\"mesh\":{\"file\":\"" QUAVER_TEST_DATA "/glb/skin.glb\"},\"clip\":%s}",
             clip);
    qvError error;
    const qvScene* scene;
    qvTake* take = NULL;
    qvPipeline* pipeline = MustPipeline();
    qvResult result = qvParseScene(text, strlen(text), "test", &scene, &error);
    if (result == qv_ok)
        result = qvPipeline_Solve(pipeline, scene, ".", NULL, &take, &error);
    if (result == qv_ok || strstr(error.message, said) == NULL)
        fail_msg("%s: \"%s\" is not in \"%s\"", clip, said, result == qv_ok ? "" : error.message);
    qvReleaseTake(take);
    qvReleaseScene(scene);
    qvDestroyPipeline(pipeline);
}

static void TestBadClips(void** state)
{
    (void)state;
    CheckRefused("{\"name\":\"fly\"}", "clip.name: there is no clip \"fly\"; the file has 1 \"bend\"");
    CheckRefused("{\"number\":9}", "clip.number: there is no clip \"9\"");
    CheckRefused("{\"number\":0}", "clip.number: ");
    CheckRefused("{\"speed\":0}", "clip.speed: ");
    CheckRefused("{\"speed\":-1}", "clip.speed: ");
    CheckRefused("{\"start\":\"soon\"}", "clip.start: ");
    CheckRefused("{\"repeat\":2}", "clip.repeat: ");
    CheckRefused("7", "clip: must be an object");
    CheckRefused("\"walk\"", "clip: must be an object");
}

// --- Edits ----------------------------------------------------------------------------------------------------------

static void TestEdits(void** state)
{
    (void)state;
    qvError error;
    qvRef clip = { qv_objectClip, 0 };
    const qvScene* scene = MustParse("{\"quaver\":2,\"mesh\":{\"file\":\"a.glb\"}}");
    qvDocument* document;
    ASSERT_OK(qvCreateDocument(scene, &document, &error), error);
    qvReleaseScene(scene);
    ASSERT_OK(qvDocument_SetText(document, clip, "name", "walk", &error), error);
    ASSERT_OK(qvDocument_SetNumber(document, clip, "speed", 0.5, &error), error);
    ASSERT_OK(qvDocument_SetBool(document, clip, "on", false, &error), error);
    assert_int_equal(qvDocument_SetNumber(document, clip, "speed", 0.0, &error), qv_badInput);
    assert_non_null(strstr(error.message, "clip.speed: "));
    const qvScene* now = qvDocument_Scene(document);
    assert_true(!now->clip.on && now->clip.speed == 0.5 && strcmp(now->clip.name, "walk") == 0);
    char* printed = MustPrint(now);
    const qvScene* again = MustParse(printed);
    assert_true(qvScene_Hash(again) == qvScene_Hash(now));
    qvReleaseScene(again);
    qvFreeText(printed);
    qvDocument_Undo(document);
    qvDocument_Undo(document);
    assert_true(qvDocument_Scene(document)->clip.on && qvDocument_Scene(document)->clip.speed == 1.0);
    qvCloseDocument(document);
}

// A journal of a program that wrote version 1: its edits of "mesh.clip", and keys that replaced the clip.
static void TestOldJournal(void** state)
{
    (void)state;
    static const char text[] =
        "{\"quaver_journal\":1,\"path\":\"\",\"folder\":\".\",\"name\":\"\",\"saved\":\"0\",\"next\":1,\"limit\":"
        "1000000}\n"
        "{\"scene\":{\"quaver\":1,\"mesh\":{\"file\":\"a.glb\"}},\"ids\":[]}\n"
        "{\"edit\":{\"do\":\"set\",\"kind\":\"mesh\",\"field\":\"clip\",\"value\":\"walk\"}}\n"
        "{\"edit\":{\"do\":\"add\",\"kind\":\"key\",\"id\":1,\"place\":-1,\"value\":{\"time\":0}}}\n"
        "{\"step\":-1}\n{\"step\":1}\n";
    char path[512];
    OutputPath(path, sizeof(path), "old.journal");
    qvError error;
    qvLeftover leftover = { .age = 0.0 };
    qvDocument* document;
    ASSERT_OK(qvWriteFile(path, text, strlen(text), &error), error);
    snprintf(leftover.journal, sizeof(leftover.journal), "%s", path);
    ASSERT_OK(qvRestoreLeftover(&leftover, &document, &error), error);
    const qvScene* scene = qvDocument_Scene(document);
    assert_int_equal(qvDocument_StepCount(document), 3);
    assert_int_equal(qvDocument_StepPosition(document), 2);
    assert_true(scene->keyCount == 1 && !scene->clip.on && !scene->clip.repeat);
    assert_string_equal(scene->clip.name, "walk");
    qvDocument_Undo(document);
    assert_true(qvDocument_Scene(document)->clip.on);
    qvCloseDocument(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestVersionOne),       cmocka_unit_test(TestNullIsWritten),
        cmocka_unit_test(TestOldScenes),        cmocka_unit_test(TestOldDemos),
        cmocka_unit_test(TestStartSpeedRepeat), cmocka_unit_test(TestExports),
        cmocka_unit_test(TestBadClips),         cmocka_unit_test(TestEdits),
        cmocka_unit_test(TestOldJournal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
