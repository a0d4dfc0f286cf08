// SPDX-License-Identifier: GPL-3.0-or-later
// Edits and undo.
#include "testing.h"

#include "quaver/document.h"
#include "random_edits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static qvDocument* Open(const char* name)
{
    char path[512];
    qvError error;
    const qvScene* scene;
    qvDocument* document;
    ASSERT_OK(qvLoadScene(DataPath(path, sizeof(path), name), &scene, &error), error);
    ASSERT_OK(qvCreateDocument(scene, &document, &error), error);
    qvReleaseScene(scene);
    return document;
}

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
    qvFreeText(text);
    qvFreeText(again);
    qvReleaseScene(read);
}

static void TestRandomEdits(void** state)
{
    (void)state;
    qvDocument* document = Open("scene/full.json");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestRandomEdits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
