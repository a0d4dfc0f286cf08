// SPDX-License-Identifier: GPL-3.0-or-later
// Edits and undo.
#include "document_testing.h"

#include "quaver/document.h"
#include "random_edits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Property: undo all, redo all ------------------------------------------------------------------------------------

enum
{
    EDITS = 4000
};

// The ids of all objects, which the hash leaves out.
static uint64_t HashIds(const qvScene* scene)
{
    uint64_t hash = 0;
    for (int i = 0; i < scene->keyCount; i++)
    {
        hash = hash * 31 + scene->keys[i]->id;
        for (int k = 0; k < scene->keys[i]->strokes.count; k++)
            hash = hash * 31 + scene->keys[i]->strokes.strokes[k]->id;
    }
    for (int i = 0; i < scene->eventCount; i++)
        hash = hash * 31 + scene->events[i]->id;
    for (int i = 0; i < scene->pinCount; i++)
        hash = hash * 31 + scene->pins[i]->id;
    for (int i = 0; i < scene->markerCount; i++)
        hash = hash * 31 + scene->markers[i]->id;
    for (int i = 0; i < scene->stripCount; i++)
        hash = hash * 31 + scene->strips[i]->id;
    for (int i = 0; i < scene->simulationCount; i++)
        hash = hash * 31 + scene->simulations[i]->id;
    for (int i = 0; i < scene->obstacleCount; i++)
    {
        hash = hash * 31 + scene->obstacles[i]->id;
        for (int k = 0; k < scene->obstacles[i]->keyCount; k++)
            hash = hash * 31 + scene->obstacles[i]->keys[k]->id;
    }
    return hash + qvScene_Hash(scene);
}

// What is printed can be read, and says the same.
static void CheckPrints(const qvScene* scene)
{
    qvError error;
    char *text, *again;
    const qvScene* read;
    ASSERT_OK(qvPrintScene(scene, &text, &error), error);
    ASSERT_OK(qvParseScene(text, strlen(text), "printed", &read, &error), error);
    ASSERT_OK(qvPrintScene(read, &again, &error), error);
    assert_string_equal(text, again);
    assert_true(qvScene_Hash(read) == qvScene_Hash(scene));
    qvFreeText(text);
    qvFreeText(again);
    qvReleaseScene(read);
}

static void TestRandomEdits(void** state)
{
    (void)state;
    qvDocument* document = OpenDocument("scene/full.json");
    static uint64_t hashes[EDITS + 1];
    uint64_t random = 7;
    int done = 0;
    hashes[0] = HashIds(qvDocument_Scene(document));
    for (int i = 0; i < EDITS; i++)
    {
        uint64_t before = HashIds(qvDocument_Scene(document));
        int steps = qvDocument_StepCount(document);
        bool changed = RandomEdit(document, &random);
        if (!changed)
            assert_true(HashIds(qvDocument_Scene(document)) == before);
        if (qvDocument_StepCount(document) == steps)
            continue;
        hashes[++done] = HashIds(qvDocument_Scene(document));
        if (done % 50 == 0)
            CheckPrints(qvDocument_Scene(document));
    }
    assert_true(done > EDITS / 4);
    assert_int_equal(qvDocument_StepPosition(document), done);
    for (int i = done - 1; i >= 0; i--)
    {
        qvDocument_Undo(document);
        assert_true(HashIds(qvDocument_Scene(document)) == hashes[i]);
    }
    assert_false(qvDocument_CanUndo(document));
    for (int i = 1; i <= done; i++)
    {
        qvDocument_Redo(document);
        assert_true(HashIds(qvDocument_Scene(document)) == hashes[i]);
    }
    assert_false(qvDocument_CanRedo(document));
    qvCloseDocument(document);
}

// --- Steps ----------------------------------------------------------------------------------------------------------

static const qvRef theScene = { qv_objectScene, 0 }, theMaterial = { qv_objectMaterial, 0 };

static void SetSettle(qvDocument* document, double value)
{
    qvError error;
    ASSERT_OK(qvDocument_SetNumber(document, theMaterial, "settle", value, &error), error);
}

static void TestSteps(void** state)
{
    (void)state;
    qvDocument* document = OpenDocument("scene/lean.json");
    assert_int_equal(qvDocument_StepCount(document), 1);
    assert_string_equal(qvDocument_StepLabel(document, 0), "New");
    uint64_t revision = qvDocument_Revision(document);
    SetSettle(document, 2.0);
    assert_string_equal(qvDocument_StepLabel(document, 1), "Settle");
    assert_true(qvDocument_Revision(document) > revision);
    revision = qvDocument_Revision(document);
    SetSettle(document, 2.0); // as it is already
    assert_int_equal(qvDocument_StepCount(document), 2);
    assert_true(qvDocument_Revision(document) == revision);

    qvDocument_Begin(document, "Softer", 0);
    qvDocument_Begin(document, "ignored", 0);
    SetSettle(document, 3.0);
    qvDocument_End(document);
    assert_int_equal(qvDocument_StepCount(document), 2);
    SetSettle(document, 4.0);
    qvDocument_End(document);
    assert_int_equal(qvDocument_StepCount(document), 3);
    assert_string_equal(qvDocument_StepLabel(document, 2), "Softer");
    qvDocument_Undo(document);
    assert_true(qvDocument_Scene(document)->material.settle == 2.0);
    assert_true(qvDocument_CanRedo(document));
    qvDocument_Begin(document, "Nothing", 0);
    qvDocument_End(document);
    assert_true(qvDocument_CanRedo(document)); // an empty step does not drop what can be redone
    SetSettle(document, 5.0);
    assert_false(qvDocument_CanRedo(document));
    qvDocument_GoTo(document, 0);
    assert_true(qvDocument_Scene(document)->material.settle == 0.9);
    qvDocument_GoTo(document, 2);
    assert_true(qvDocument_Scene(document)->material.settle == 5.0);
    qvCloseDocument(document);
}

static void Drag(qvDocument* document, double value, uint64_t key)
{
    qvDocument_Begin(document, "Drag", key);
    SetSettle(document, value);
    qvDocument_End(document);
}

static void TestMerging(void** state)
{
    (void)state;
    qvDocument* document = OpenDocument("scene/lean.json");
    for (int i = 1; i <= 10; i++)
        Drag(document, i, 7);
    assert_int_equal(qvDocument_StepCount(document), 2);
    Drag(document, 20.0, 8);
    assert_int_equal(qvDocument_StepCount(document), 3);
    Drag(document, 21.0, 0);
    Drag(document, 22.0, 0);
    assert_int_equal(qvDocument_StepCount(document), 5);
    Drag(document, 23.0, 9);
    qvDocument_Seal(document);
    Drag(document, 24.0, 9);
    assert_int_equal(qvDocument_StepCount(document), 7);
    qvDocument_GoTo(document, 1);
    assert_true(qvDocument_Scene(document)->material.settle == 10.0);
    Drag(document, 30.0, 7); // after going back it is another gesture
    assert_int_equal(qvDocument_StepPosition(document), 2);
    qvCloseDocument(document);
}

static void TestAbort(void** state)
{
    (void)state;
    qvDocument* document = OpenDocument("scene/lean.json");
    SetSettle(document, 2.0);
    qvDocument_Undo(document);
    const qvScene* before = qvDocument_Scene(document);
    qvDocument_Begin(document, "Drag", 0);
    SetSettle(document, 3.0);
    assert_true(qvDocument_CanUndo(document));
    qvDocument_Abort(document);
    assert_ptr_equal(qvDocument_Scene(document), before);
    assert_int_equal(qvDocument_StepCount(document), 2);
    assert_true(qvDocument_CanRedo(document));

    // Undo in the middle of a step takes the step back, and its End finds nothing to do.
    qvDocument_Begin(document, "Drag", 0);
    SetSettle(document, 4.0);
    qvDocument_Undo(document);
    qvDocument_End(document);
    assert_true(qvDocument_Scene(document)->material.settle == 0.9);
    assert_int_equal(qvDocument_StepPosition(document), 0);
    qvCloseDocument(document);
}

static void TestLimit(void** state)
{
    (void)state;
    enum
    {
        VERTICES = 10000
    };
    qvError error;
    qvDocument* document = OpenDocument("scene/lean.json");
    qvId key = qvDocument_Scene(document)->keys[1]->id;
    qvVec3f* offsets = calloc(VERTICES, sizeof(*offsets));
    qvDocument_SetHistoryLimit(document, 10 * VERTICES * sizeof(*offsets));
    for (int i = 0; i < 40; i++)
    {
        offsets[i].x = 1.0f;
        ASSERT_OK(qvDocument_SetOffsets(document, key, offsets, VERTICES, &error), error);
    }
    // A step is counted with what it has and what the one before had.
    assert_in_range(qvDocument_StepCount(document), 4, 12);
    int steps = qvDocument_StepCount(document);
    for (int i = 0; i < 1000; i++)
        SetSettle(document, 1.0 + i * 0.01); // small ones fit a hundred times over
    assert_in_range(qvDocument_StepCount(document), steps + 100, steps + 1000);
    // A gesture of many edits is one step, and holds no more than that.
    steps = qvDocument_StepCount(document);
    for (int i = 0; i < 1000; i++)
    {
        qvDocument_Begin(document, "Drag", 7);
        offsets[i % 40].x += 1.0f;
        ASSERT_OK(qvDocument_SetOffsets(document, key, offsets, VERTICES, &error), error);
        qvDocument_End(document);
    }
    SetSettle(document, 0.5);
    assert_in_range(qvDocument_StepCount(document), steps / 2, steps + 2);
    qvDocument_SetHistoryLimit(document, 0);
    assert_int_equal(qvDocument_StepCount(document), 2); // the last can always be undone
    qvDocument_Undo(document);
    assert_false(qvDocument_CanUndo(document));
    free(offsets);
    qvCloseDocument(document);
}

// --- Single edits ---------------------------------------------------------------------------------------------------

static void TestKeysAndStrokes(void** state)
{
    (void)state;
    qvError error;
    qvDocument* document = OpenDocument("scene/lean.json");
    qvSceneKey like = qvDefaultSceneKey();
    like.time = 1.5;
    qvId key, stroke;
    ASSERT_OK(qvDocument_AddKey(document, &like, &key, &error), error);
    int index;
    assert_string_equal(qvScene_FindKey(qvDocument_Scene(document), key, &index)->tag, "k4");
    assert_int_equal(index, 2);
    qvStroke grab = qvDefaultStroke(qvFindBrush("grab"), 2.0);
    grab.drag = qvMakeVec3(0.1, 0.2, 0.3);
    const float mask[3] = { 0.0f, 0.5f, 1.0f };
    ASSERT_OK(qvDocument_AddStroke(document, key, &grab, mask, 3, &stroke, &error), error);
    const qvSceneKey* holder;
    int place;
    const qvSceneStroke* made = qvScene_FindStroke(qvDocument_Scene(document), stroke, &holder, &place);
    assert_true(holder->id == key && place == 0 && made->stroke.drag.z == 0.3 && made->stroke.radius == grab.radius);
    assert_memory_equal(made->mask->data, mask, sizeof(mask));

    // Another brush: the numbers change, the mask stays.
    qvStroke twist = qvDefaultStroke(qvFindBrush("twist"), 2.0);
    twist.angle = 1.0;
    ASSERT_OK(qvDocument_SetStroke(document, stroke, &twist, &error), error);
    made = qvScene_FindStroke(qvDocument_Scene(document), stroke, NULL, NULL);
    assert_string_equal(made->stroke.brush->tag, "twist");
    assert_true(made->stroke.angle == 1.0 && made->stroke.drag.x == 0.0 && made->mask != NULL);
    ASSERT_OK(qvDocument_SetFloats(document, (qvRef){ qv_objectStroke, stroke }, "mask", NULL, 0, &error), error);
    assert_null(qvScene_FindStroke(qvDocument_Scene(document), stroke, NULL, NULL)->mask);

    // Undo brings back the same ids.
    ASSERT_OK(qvDocument_Remove(document, (qvRef){ qv_objectKey, key }, &error), error);
    assert_null(qvScene_FindKey(qvDocument_Scene(document), key, NULL));
    assert_int_equal(qvDocument_Remove(document, (qvRef){ qv_objectKey, key }, &error), qv_notFound);
    qvDocument_Undo(document);
    assert_non_null(qvScene_FindStroke(qvDocument_Scene(document), stroke, NULL, NULL));
    qvDocument_Redo(document);
    qvId other;
    ASSERT_OK(qvDocument_AddKey(document, &like, &other, &error), error);
    assert_true(other > stroke); // never given twice
    qvCloseDocument(document);
}

static void TestTimes(void** state)
{
    (void)state;
    qvError error;
    qvDocument* document = OpenDocument("scene/lean.json");
    const qvScene* scene = qvDocument_Scene(document);
    qvRef refs[3] = { { qv_objectKey, scene->keys[0]->id },
                      { qv_objectKey, scene->keys[1]->id },
                      { qv_objectEvent, scene->events[0]->id } };
    const double swapped[3] = { 0.92, 0.0, 1.0 };
    ASSERT_OK(qvDocument_SetTimes(document, refs, swapped, 3, &error), error);
    scene = qvDocument_Scene(document);
    assert_true(scene->keys[0]->id == refs[1].id && scene->keys[1]->id == refs[0].id);
    assert_true(scene->keys[1]->time == 0.92 && scene->events[0]->def.time == 1.0);
    assert_int_equal(qvDocument_StepCount(document), 2);
    const double same[3] = { 1.0, 1.0, 1.0 };
    uint64_t hash = qvScene_Hash(scene);
    assert_int_equal(qvDocument_SetTimes(document, refs, same, 3, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "\"k1\" and \"k2\" are both at 1 s");
    assert_true(qvScene_Hash(qvDocument_Scene(document)) == hash);
    qvCloseDocument(document);
}

// A key that others build on can go: they keep their poses.
static void TestRemoveBase(void** state)
{
    (void)state;
    static const char text[] =
        "{\"quaver\":1,\"mesh\":{\"primitive\":\"imp\"},\"keys\":["
        "{\"id\":\"a\",\"time\":0,\"base\":{\"offsets\":\"AAAAAAAAgD8AAABA\"},\"strokes\":[{\"brush\":\"grab\"}]},"
        "{\"id\":\"b\",\"time\":1,\"base\":{\"key\":\"a\"},\"strokes\":[{\"brush\":\"twist\"},{\"brush\":\"scale\"}]},"
        "{\"id\":\"c\",\"time\":2,\"base\":{\"key\":\"b\"},\"strokes\":[{\"brush\":\"pinch\"}]}]}";
    qvError error;
    const qvScene* scene;
    qvDocument* document;
    ASSERT_OK(qvParseScene(text, strlen(text), "test", &scene, &error), error);
    ASSERT_OK(qvCreateDocument(scene, &document, &error), error);
    ASSERT_OK(qvDocument_Remove(document, (qvRef){ qv_objectKey, scene->keys[1]->id }, &error), error);
    const qvSceneKey* last = qvDocument_Scene(document)->keys[1];
    assert_true(last->base == qv_baseKey && last->baseKey == scene->keys[0]->id);
    assert_int_equal(last->strokes.count, 3);
    assert_string_equal(last->strokes.strokes[1]->stroke.brush->tag, "scale");
    assert_string_equal(last->strokes.strokes[2]->stroke.brush->tag, "pinch");
    assert_true(last->strokes.strokes[0]->id != scene->keys[1]->strokes.strokes[0]->id);
    ASSERT_OK(qvDocument_Remove(document, (qvRef){ qv_objectKey, scene->keys[0]->id }, &error), error);
    last = qvDocument_Scene(document)->keys[0];
    assert_true(last->base == qv_baseOffsets && last->offsets == scene->keys[0]->offsets);
    assert_int_equal(last->strokes.count, 4);
    qvCloseDocument(document);
    qvReleaseScene(scene);
}

static qvResult Do(qvDocument* document, const char* line, qvId* added, qvError* error)
{
    return qvDocument_ApplyText(document, line, strlen(line), added, error);
}

// Obstacles hold keys: added, moved past each other, turned and removed one by one, each a step that undo takes back.
static void TestObstacles(void** state)
{
    (void)state;
    qvError error;
    qvDocument* document = OpenDocument("scene/lean.json");
    qvId box, late, early;
    char line[200];
    double v[4];
    assert_true(qvReadField(qvDocument_Scene(document), theScene, "ground.height", v) && isnan(v[0]));
    assert_true(qvReadField(qvDocument_Scene(document), theScene, "ground.on", v) && v[0] == 1.0);
    ASSERT_OK(qvDocument_SetNumber(document, theScene, "ground.height", -0.5, &error), error);
    ASSERT_OK(Do(document, "{\"do\":\"add\",\"kind\":\"obstacle\",\"value\":{\"shape\":\"box\"}}", &box, &error),
              error);
    assert_string_equal(qvDocument_Scene(document)->obstacles[0]->tag, "o1");
    assert_true(qvDocument_Scene(document)->obstacles[0]->size.y == 1.0);
    static const char* const add =
        "{\"do\":\"add\",\"kind\":\"obstacle_key\",\"parent\":\"o1\",\"value\":{\"time\":%s}}";
    snprintf(line, sizeof(line), add, "2,\"at\":[1,2,3]");
    ASSERT_OK(Do(document, line, &late, &error), error);
    snprintf(line, sizeof(line), add, "1");
    ASSERT_OK(Do(document, line, &early, &error), error);
    const qvSceneObstacle* found = qvScene_FindObstacle(qvDocument_Scene(document), box, NULL);
    assert_true(found->keyCount == 2 && found->keys[0]->id == early && found->keys[1]->at.z == 3.0);
    uint64_t before = HashIds(qvDocument_Scene(document));
    qvRef key = { qv_objectObstacleKey, early };
    ASSERT_OK(qvDocument_SetNumber(document, key, "time", 3.0, &error), error);
    found = qvScene_FindObstacle(qvDocument_Scene(document), box, NULL);
    assert_true(found->keys[1]->id == early && found->keys[1]->time == 3.0);
    assert_int_equal(qvDocument_SetNumber(document, key, "time", 2.0, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "obstacles[0]: keys: the one at 2 s comes after the one at 2 s");
    ASSERT_OK(qvDocument_SetNumbers(document, key, "rotate", (double[4]){ 0, 2, 0, 0 }, 4, &error), error);
    CheckPrints(qvDocument_Scene(document));
    ASSERT_OK(qvDocument_Remove(document, key, &error), error);
    assert_int_equal(qvScene_FindObstacle(qvDocument_Scene(document), box, NULL)->keyCount, 1);
    for (int i = 0; i < 3; i++)
        qvDocument_Undo(document);
    assert_true(HashIds(qvDocument_Scene(document)) == before);
    assert_int_equal(qvDocument_Remove(document, (qvRef){ qv_objectObstacleKey, box }, &error), qv_notFound);
    assert_int_equal(qvDocument_SetText(document, (qvRef){ qv_objectObstacle, box }, "shape", "mesh", &error),
                     qv_badInput);
    ASSERT_OK(qvDocument_Remove(document, (qvRef){ qv_objectObstacle, box }, &error), error);
    assert_int_equal(qvDocument_Scene(document)->obstacleCount, 0);
    qvCloseDocument(document);
}

static void TestPinsAndVertices(void** state)
{
    (void)state;
    qvError error;
    qvDocument* document = OpenDocument("scene/lean.json");
    const int32_t vertices[3] = { 4, 2, 9 };
    qvId pin;
    ASSERT_OK(qvDocument_AddPin(document, vertices, 3, &pin, &error), error);
    assert_memory_equal(qvDocument_Scene(document)->pins[0]->where.vertices->data, vertices, sizeof(vertices));
    ASSERT_OK(qvDocument_SetVertices(document, (qvRef){ qv_objectPin, pin }, "vertices", vertices, 2, &error), error);
    assert_int_equal(qvDocument_Scene(document)->pins[0]->where.vertices->size, 8);
    qvRef key = { qv_objectKey, qvDocument_Scene(document)->keys[1]->id };
    ASSERT_OK(qvDocument_SetVertices(document, key, "only", vertices, 3, &error), error);
    assert_true(qvDocument_Scene(document)->keys[1]->partial);
    ASSERT_OK(qvDocument_SetVertices(document, key, "only", NULL, 0, &error), error);
    assert_false(qvDocument_Scene(document)->keys[1]->partial);
    const float weights[2] = { 0.25f, 1.0f };
    ASSERT_OK(qvDocument_SetFloats(document, theScene, "weights", weights, 2, &error), error);
    assert_memory_equal(qvDocument_Scene(document)->weights->data, weights, sizeof(weights));
    qvSceneEvent event = qvDefaultSceneEvent();
    event.def.time = 0.5;
    event.def.push = true;
    qvId added;
    ASSERT_OK(qvDocument_AddEvent(document, &event, &added, &error), error);
    assert_string_equal(qvScene_FindEvent(qvDocument_Scene(document), added, NULL)->tag, "e2");
    qvCloseDocument(document);
}

// Whatever an event was before, a preset leaves nothing of it but when and where it is.
static void TestWavePresets(void** state)
{
    (void)state;
    static const char* const kept[] = { "id", "time", "until", "vertex", "at", "connected", "mute", "mask", "path" };
    qvError error;
    qvDocument* document = OpenDocument("scene/lean.json");
    qvSceneEvent odd = qvDefaultSceneEvent();
    odd.def = (qvWaveDef){ .time = 0.3, .until = 0.9, .push = true, .vertex = 3, .speed = 7.0, .fade = 2.5 };
    odd.def.stroke = (qvStroke){ .brush = qvFindBrush("pinch"),
                                 .at = { 1, 2, 3 },
                                 .drag = { 4, 5, 6 },
                                 .axis = { 0, 0, 1 },
                                 .angle = 0.7,
                                 .amount = 0.9,
                                 .radius = 0.11,
                                 .scales = 3,
                                 .poisson = 0.13,
                                 .strength = 1.0 };
    for (int preset = 0; preset < qvWavePresetCount(); preset++)
    {
        qvId ids[2];
        const qvSceneEvent plain = qvDefaultSceneEvent();
        const qvSceneEvent* starts[2] = { &odd, &plain };
        for (int i = 0; i < 2; i++)
        {
            ASSERT_OK(qvDocument_AddEvent(document, starts[i], &ids[i], &error), error);
            qvSceneEvent made = *qvScene_FindEvent(qvDocument_Scene(document), ids[i], NULL);
            snprintf(made.name, sizeof(made.name), "%s", qvGetWavePreset(preset)->label);
            qvWavePreset_Apply(preset, 2.0, qvMakeVec3(0, -1, 0), &made.def);
            ASSERT_OK(qvDocument_SetEvent(document, ids[i], &made, &error), error);
        }
        const qvScene* scene = qvDocument_Scene(document);
        for (int i = 0; i < qvFieldCount(qv_objectEvent); i++)
        {
            const char* tag = qvGetField(qv_objectEvent, i)->tag;
            bool isKept = false;
            for (size_t k = 0; k < sizeof(kept) / sizeof(kept[0]); k++)
                isKept = isKept || strcmp(tag, kept[k]) == 0;
            double a[4] = { 0 }, b[4] = { 0 };
            qvReadField(scene, (qvRef){ qv_objectEvent, ids[0] }, tag, a);
            qvReadField(scene, (qvRef){ qv_objectEvent, ids[1] }, tag, b);
            if (!isKept && memcmp(a, b, sizeof(a)) != 0)
                fail_msg("%s leaves %s at %g instead of %g", qvGetWavePreset(preset)->tag, tag, a[0], b[0]);
        }
        const qvSceneEvent* event = qvScene_FindEvent(scene, ids[0], NULL);
        assert_true(event->def.time == 0.3 && event->def.until == 0.9 && event->def.vertex == 3);
        assert_true(event->def.stroke.at.z == 3.0 && !event->def.stroke.connected);
        static const double volumes[] = { 0.45, 0.49, 0.49, 0.40, 0.25, 0.45 };
        ASSERT_NEAR(event->def.stroke.poisson, volumes[preset], 0.0);
        assert_string_equal(event->name, qvGetWavePreset(preset)->label);
    }
    qvCloseDocument(document);
}

static void TestRefusals(void** state)
{
    (void)state;
    static const struct
    {
        const char *edit, *part;
    } cases[] = {
        { "{\"do\":\"set\",\"kind\":\"material\",\"field\":\"settle\",\"value\":-1}", "material.settle: is -1" },
        { "{\"do\":\"set\",\"kind\":\"material\",\"field\":\"softness\",\"value\":1}",
          "material: a material has no field \"softness\"" },
        { "{\"do\":\"set\",\"kind\":\"scene\",\"value\":{\"loop\":true,\"range\":[0,1]}}",
          "is at or beyond the end of the loop at 1 s" },
        { "{\"do\":\"set\",\"kind\":\"scene\",\"field\":\"keys\",\"value\":[]}", "keys: cannot be set as a whole" },
        { "{\"do\":\"set\",\"kind\":\"scene\",\"field\":\"mesh\"}", "mesh: cannot be left out" },
        { "{\"do\":\"set\",\"kind\":\"mesh\",\"value\":{\"file\":\"a.obj\"}}", "mesh: has a \"file\" and a" },
        { "{\"do\":\"set\",\"kind\":\"mesh\",\"field\":\"primitive\"}", "mesh: needs a \"file\" or a" },
        { "{\"do\":\"remove\",\"kind\":\"key\",\"id\":\"k9\"}",
          "id: there is no key, event or obstacle with the id \"k9\"" },
        { "{\"do\":\"set\",\"kind\":\"key\",\"id\":99,\"field\":\"time\",\"value\":1}",
          "there is no key with the number 99" },
        { "{\"do\":\"set\",\"kind\":\"key\",\"id\":2,\"field\":\"time\",\"value\":0}", "are both at 0 s" },
        { "{\"do\":\"set\",\"kind\":\"key\",\"id\":2,\"field\":\"base\",\"value\":{\"key\":\"k2\"}}", "its own base" },
        { "{\"do\":\"set\",\"kind\":\"key\",\"id\":2,\"value\":{\"x\":1}}", "keys[1]: a key has no field \"x\"" },
        { "{\"do\":\"set\",\"kind\":\"stroke\",\"id\":3,\"field\":\"radius\",\"value\":0}",
          "keys[1].strokes[0].radius: is 0, must be positive" },
        { "{\"do\":\"add\",\"kind\":\"material\",\"value\":{}}", "cannot be added" },
        { "{\"do\":\"add\",\"kind\":\"key\",\"value\":{\"time\":0}}", "are both at 0 s" },
        { "{\"do\":\"add\",\"kind\":\"key\",\"id\":1,\"value\":{\"time\":0.1}}", "the number 1 is in use" },
        { "{\"do\":\"add\",\"kind\":\"stroke\",\"parent\":50,\"value\":{\"brush\":\"grab\"}}",
          "there is no key with the number 50" },
        { "{\"do\":\"add\",\"kind\":\"stroke\",\"parent\":1,\"value\":{\"brush\":\"grub\"}}",
          "keys[0].strokes[0].brush: \"grub\"" },
        { "{\"do\":\"add\",\"kind\":\"key\"}", "value: is missing" },
        { "{\"do\":\"remove\",\"kind\":\"scene\"}", "cannot be removed" },
        { "{\"do\":\"move\",\"kind\":\"key\",\"id\":1}", "there is no key" },
        { "{\"do\":\"times\",\"kind\":\"key\",\"value\":[[77,1]]}", "must be a list of [number, time]" },
        { "{\"do\":\"jump\",\"kind\":\"key\"}", "do: \"jump\" is unknown" },
        { "{\"do\":\"set\",\"kind\":\"thing\"}", "kind: \"thing\" is unknown" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
    {
        qvError error = { 0 };
        qvDocument* document = OpenDocument("scene/lean.json");
        uint64_t hash = qvScene_Hash(qvDocument_Scene(document));
        qvId added = 5;
        if (qvDocument_ApplyText(document, cases[i].edit, strlen(cases[i].edit), &added, &error) == qv_ok)
            fail_msg("accepted: %s", cases[i].edit);
        if (strstr(error.message, cases[i].part) == NULL)
            fail_msg("%s gives: %s", cases[i].edit, error.message);
        assert_true(qvScene_Hash(qvDocument_Scene(document)) == hash);
        assert_int_equal(qvDocument_StepCount(document), 1);
        qvCloseDocument(document);
    }
}

static void TestPatch(void** state)
{
    (void)state;
    static const char patch[] = "{\"do\":\"set\",\"kind\":\"key\",\"id\":2,\"value\":{\"velocity.value\":[1,2,3],"
                                "\"velocity.mode\":\"set\",\"transform\":{\"turns\":1},\"name\":null}}";
    qvError error;
    qvDocument* document = OpenDocument("scene/lean.json");
    ASSERT_OK(qvDocument_ApplyText(document, patch, strlen(patch), NULL, &error), error);
    const qvSceneKey* key = qvDocument_Scene(document)->keys[1];
    assert_true(key->after.given && key->after.value.z == 3.0 && key->hasTransform && key->turns == 1);
    assert_string_equal(key->name, "");
    ASSERT_OK(qvDocument_SetText(document, (qvRef){ qv_objectKey, key->id }, "velocity.mode", "free", &error), error);
    assert_false(qvDocument_Scene(document)->keys[1]->after.given);
    ASSERT_OK(qvDocument_Reset(document, (qvRef){ qv_objectKey, 2 }, "transform", &error), error);
    assert_false(qvDocument_Scene(document)->keys[1]->hasTransform);
    assert_int_equal(qvDocument_Scene(document)->keys[1]->turns, 0);

    // An edit as text, and back.
    qvEdit edit = { .kind = qv_editMove, .object = { qv_objectStroke, 3 }, .place = 1 };
    char* text = qvPrintEdit(&edit, qvDocument_Scene(document));
    assert_string_equal(text, "{\"do\":\"move\",\"kind\":\"stroke\",\"id\":3,\"place\":1}");
    ASSERT_OK(qvDocument_ApplyText(document, text, strlen(text), NULL, &error), error);
    assert_int_equal(qvDocument_Scene(document)->keys[1]->strokes.strokes[1]->id, 3);
    qvFreeText(text);
    qvCloseDocument(document);
}

static void TestLoop(void** state)
{
    (void)state;
    qvError error;
    qvDocument* document = OpenDocument("scene/lean.json");
    ASSERT_OK(qvDocument_Reset(document, theScene, "range", &error), error);
    ASSERT_OK(qvDocument_SetBool(document, theScene, "loop", true, &error), error); // keys at 0, 0.92 and 2 s
    assert_true(qvDocument_Scene(document)->hasRange && qvDocument_Scene(document)->range[1] == 3.0);
    qvRef last = { qv_objectKey, qvDocument_Scene(document)->keys[2]->id };
    assert_int_equal(qvDocument_SetNumber(document, last, "time", 3.0, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "key \"k3\" at 3 s is at or beyond the end of the loop at 3 s");
    assert_int_equal(qvDocument_Reset(document, theScene, "range", &error), qv_badInput);
    ASSERT_OK(qvDocument_SetNumber(document, last, "time", 2.9, &error), error);
    qvDocument_GoTo(document, 0);
    ASSERT_OK(qvDocument_SetBool(document, theScene, "loop", true, &error), error);
    assert_true(qvDocument_Scene(document)->range[1] == 4.0); // as it was given
    qvDocument_GoTo(document, 0);
    ASSERT_OK(qvDocument_SetNumber(document, last, "time", 4.0, &error), error);
    ASSERT_OK(qvDocument_SetBool(document, theScene, "loop", true, &error), error);
    assert_true(qvDocument_Scene(document)->range[1] == 6.0);
    qvCloseDocument(document);
}

// A key moved to a time, in a step that is open.
static double EndWith(qvDocument* document, qvRef key, double time)
{
    qvError error;
    ASSERT_OK(qvDocument_SetTimes(document, &key, &time, 1, &error), error);
    return qvDocument_Scene(document)->range[1];
}

// Keys push a given end on (4 s), and let it come back while they are held.
static void TestEndFollows(void** state)
{
    (void)state;
    qvError error;
    qvDocument* document = OpenDocument("scene/lean.json");
    qvRef last = { qv_objectKey, qvDocument_Scene(document)->keys[2]->id };
    qvDocument_Begin(document, "Move keys", 0);
    assert_true(EndWith(document, last, 5.0) == 5.0);
    assert_true(EndWith(document, last, 7.0) == 7.0);
    assert_true(EndWith(document, last, 4.5) == 4.5);
    assert_true(EndWith(document, last, 3.0) == 4.0);
    assert_true(EndWith(document, last, 5.0) == 5.0);
    qvDocument_End(document);
    assert_true(EndWith(document, last, 3.0) == 5.0); // another step
    qvDocument_Undo(document);
    qvDocument_Undo(document);
    assert_true(qvDocument_Scene(document)->range[1] == 4.0);

    // A slider is a row of steps that merge.
    static const double times[] = { 5.0, 6.0, 3.0 }, ends[] = { 5.0, 6.0, 4.0 };
    for (int i = 0; i < 3; i++)
    {
        qvDocument_Begin(document, "Time", 7);
        assert_true(EndWith(document, last, times[i]) == ends[i]);
        qvDocument_End(document);
    }
    qvDocument_Undo(document);

    // An end that the step sets itself stays, and so does the cut of a motion before its last key.
    qvDocument_Begin(document, "Move keys", 0);
    ASSERT_OK(qvDocument_SetNumbers(document, theScene, "range", (double[]){ 0.0, 1.0 }, 2, &error), error);
    assert_true(EndWith(document, last, 5.0) == 1.0);
    qvDocument_End(document);
    assert_true(EndWith(document, last, 6.0) == 1.0);
    qvSceneKey like = qvDefaultSceneKey();
    like.time = 8.0;
    qvId added;
    ASSERT_OK(qvDocument_AddKey(document, &like, &added, &error), error);
    assert_true(qvDocument_Scene(document)->range[1] == 1.0);
    qvDocument_GoTo(document, 0);
    ASSERT_OK(qvDocument_AddKey(document, &like, &added, &error), error);
    assert_true(qvDocument_Scene(document)->range[1] == 8.0);

    // A motion without keys ends where it ends, before zero, too.
    qvDocument_GoTo(document, 0);
    for (int i = 2; i >= 0; i--)
        ASSERT_OK(qvDocument_Remove(document, (qvRef){ qv_objectKey, qvDocument_Scene(document)->keys[i]->id }, &error),
                  error);
    ASSERT_OK(qvDocument_SetNumbers(document, theScene, "range", (double[]){ -5.0, -1.0 }, 2, &error), error);
    like.time = -2.0;
    ASSERT_OK(qvDocument_AddKey(document, &like, &added, &error), error);
    assert_true(qvDocument_Scene(document)->range[1] == -1.0);
    ASSERT_OK(qvDocument_Remove(document, (qvRef){ qv_objectKey, added }, &error), error);
    assert_true(qvDocument_Scene(document)->range[1] == -1.0);
    qvCloseDocument(document);
}

static void TestMesh(void** state)
{
    (void)state;
    qvError error;
    qvRef mesh = { qv_objectMesh, 0 };
    qvDocument* document = OpenDocument("scene/lean.json");
    ASSERT_OK(qvDocument_SetText(document, mesh, "file", "a.obj", &error), error);
    const qvSceneMesh* now = &qvDocument_Scene(document)->mesh;
    assert_true(now->primitive == NULL && now->resolution == 0 && strcmp(now->file, "a.obj") == 0);
    ASSERT_OK(qvDocument_SetText(document, (qvRef){ qv_objectClip, 0 }, "name", "walk", &error), error);
    ASSERT_OK(qvDocument_SetText(document, mesh, "primitive", "torus", &error), error);
    now = &qvDocument_Scene(document)->mesh;
    assert_true(now->file == NULL && strcmp(now->primitive, "torus") == 0);
    assert_null(qvDocument_Scene(document)->clip.name); // a built-in shape has none
    CheckPrints(qvDocument_Scene(document));
    static const char byTag[] = "{\"do\":\"add\",\"kind\":\"stroke\",\"parent\":\"k3\",\"value\":{\"brush\":\"grab\"}}";
    ASSERT_OK(qvDocument_ApplyText(document, byTag, strlen(byTag), NULL, &error), error);
    assert_int_equal(qvDocument_Scene(document)->keys[2]->strokes.count, 1);
    qvCloseDocument(document);
}

// What is unknown inside a field goes with the field, and no field comes back because of it.
static void TestUnknownGoesAlong(void** state)
{
    (void)state;
    static const struct
    {
        const char *key, *field;
    } cases[] = { { "land", "base" },       { "land", "velocity.out" }, { "land", "velocity.mode" }, { "land", "wave" },
                  { "start", "transform" }, { "mid", "only" },          { "mid", "strokes" } };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
    {
        qvError error;
        char edit[200];
        qvDocument* document = OpenDocument("scene/full.json");
        snprintf(edit, sizeof(edit), "{\"do\":\"set\",\"kind\":\"key\",\"id\":\"%s\",\"field\":\"%s\"}", cases[i].key,
                 cases[i].field);
        ASSERT_OK(qvDocument_ApplyText(document, edit, strlen(edit), NULL, &error), error);
        assert_int_equal(qvDocument_StepCount(document), 2);
        CheckPrints(qvDocument_Scene(document));
        qvCloseDocument(document);
    }
}

// A scene gets a camera by one edit and by any of its fields, and loses it with all that is in it.
static void TestCamera(void** state)
{
    (void)state;
    qvError error;
    qvDocument* document = OpenDocument("scene/lean.json");
    uint64_t plain = qvScene_Hash(qvDocument_Scene(document));
    assert_false(qvDocument_Scene(document)->hasCamera);
    static const char set[] = "{\"do\":\"set\",\"kind\":\"scene\",\"field\":\"camera\",\"value\":{\"yaw\":-20,"
                              "\"target\":[1,2,3]}}";
    ASSERT_OK(qvDocument_ApplyText(document, set, strlen(set), NULL, &error), error);
    const qvSceneCamera* camera = &qvDocument_Scene(document)->camera;
    assert_true(qvDocument_Scene(document)->hasCamera && camera->yaw == -20.0 && camera->target.z == 3.0);
    assert_true(camera->distance == 5.0 && camera->lens == 35.0 && !camera->ortho);
    assert_int_equal(qvDocument_StepCount(document), 2);
    CheckPrints(qvDocument_Scene(document));
    qvDocument_Undo(document);
    assert_true(qvScene_Hash(qvDocument_Scene(document)) == plain);

    // A field at its default is a camera too; without one the fields leave nothing behind.
    ASSERT_OK(qvDocument_SetNumber(document, theScene, "camera.distance", 5.0, &error), error);
    assert_true(qvDocument_Scene(document)->hasCamera);
    CheckPrints(qvDocument_Scene(document));
    ASSERT_OK(qvDocument_SetBool(document, theScene, "camera.ortho", true, &error), error);
    assert_int_equal(qvDocument_SetNumber(document, theScene, "camera.pitch", 100.0, &error), qv_badInput);
    assert_string_equal(error.message, "camera.pitch: is 100, must be from -90 to 90");
    ASSERT_OK(qvDocument_Reset(document, theScene, "camera", &error), error);
    assert_true(qvScene_Hash(qvDocument_Scene(document)) == plain);
    qvCloseDocument(document);

    document = OpenDocument("scene/full.json"); // knows more about its camera than we do
    ASSERT_OK(qvDocument_Reset(document, theScene, "camera", &error), error);
    CheckPrints(qvDocument_Scene(document));
    qvDocument_Undo(document);
    assert_true(qvDocument_Scene(document)->camera.pitch == 75.0);
    CheckPrints(qvDocument_Scene(document));
    qvCloseDocument(document);
}

// Minus zero equals the default and is not written, so that it must be zero already.
static void TestMinusZero(void** state)
{
    (void)state;
    static const char text[] = "{\"quaver\":1,\"mesh\":{\"primitive\":\"imp\"},\"material\":{\"stiff_damping\":-0.0,"
                               "\"wind\":[-0.0,0,-0.0]},\"keys\":[{\"time\":-0.0,\"strokes\":[{\"brush\":\"scale\","
                               "\"amount\":-0.0,\"at\":[-0.0,1,0]}]}],\"pins\":[{\"box\":[[-0.0,0,0],[1,1,1]]}]}";
    qvError error;
    const qvScene* scene;
    ASSERT_OK(qvParseScene(text, strlen(text), "test", &scene, &error), error);
    assert_false(signbit(scene->material.stiffDamping) || signbit(scene->pins[0]->where.lower.x));
    CheckPrints(scene);
    qvReleaseScene(scene);
}

// An edit copies what it touches and nothing else.
static void TestSharing(void** state)
{
    (void)state;
    qvError error;
    qvDocument* document = OpenDocument("scene/full.json");
    const qvScene* before = qvRetainScene(qvDocument_Scene(document));
    qvRef stroke = { qv_objectStroke, before->keys[1]->strokes.strokes[0]->id };
    ASSERT_OK(qvDocument_SetNumber(document, stroke, "radius", 0.7, &error), error);
    const qvScene* after = qvDocument_Scene(document);
    assert_ptr_equal(after->keys[0], before->keys[0]);
    assert_ptr_equal(after->events, before->events);
    assert_ptr_equal(after->weights, before->weights);
    assert_ptr_equal(after->keys[1]->strokes.strokes[1], before->keys[1]->strokes.strokes[1]);
    assert_ptr_equal(after->keys[1]->strokes.strokes[0]->mask, before->keys[1]->strokes.strokes[0]->mask);
    assert_ptr_not_equal(after->keys[1], before->keys[1]);
    assert_true(before->keys[1]->strokes.strokes[0]->stroke.radius == 0.3);
    qvCloseDocument(document);
    assert_string_equal(before->keys[0]->tag, "start"); // a snapshot outlives its document
    qvReleaseScene(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestRandomEdits),    cmocka_unit_test(TestObstacles),
        cmocka_unit_test(TestSteps),          cmocka_unit_test(TestMerging),
        cmocka_unit_test(TestAbort),          cmocka_unit_test(TestLimit),
        cmocka_unit_test(TestKeysAndStrokes), cmocka_unit_test(TestTimes),
        cmocka_unit_test(TestRemoveBase),     cmocka_unit_test(TestPinsAndVertices),
        cmocka_unit_test(TestWavePresets),    cmocka_unit_test(TestRefusals),
        cmocka_unit_test(TestPatch),          cmocka_unit_test(TestSharing),
        cmocka_unit_test(TestMesh),           cmocka_unit_test(TestLoop),
        cmocka_unit_test(TestEndFollows),     cmocka_unit_test(TestUnknownGoesAlong),
        cmocka_unit_test(TestMinusZero),      cmocka_unit_test(TestCamera),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
