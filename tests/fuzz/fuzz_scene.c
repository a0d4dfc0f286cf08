// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a scene file: a scene that survives being edited, undone, printed and read again, or one line that says
// why not.
#include "fuzzing.h"

#include "quaver/document.h"
#include "random_edits.h"

#include <stdlib.h>
#include <string.h>

enum
{
    EDITS = 40
};

// What is printed can be read, and prints the same.
static void CheckPrints(const qvScene* scene)
{
    qvError error;
    char *text, *again;
    const qvScene* read;
    if (qvPrintScene(scene, &text, &error) != qv_ok ||
        qvParseScene(text, strlen(text), "printed", &read, &error) != qv_ok ||
        qvPrintScene(read, &again, &error) != qv_ok || strcmp(text, again) != 0 ||
        qvScene_Hash(read) != qvScene_Hash(scene))
        abort();
    qvFreeText(text);
    qvFreeText(again);
    qvReleaseScene(read);
}

static void Edit(qvDocument* document, uint64_t random)
{
    uint64_t hashes[EDITS + 1];
    hashes[0] = qvScene_Hash(qvDocument_Scene(document));
    for (int i = 0; i < EDITS; i++)
    {
        RandomEdit(document, &random);
        hashes[qvDocument_StepPosition(document)] = qvScene_Hash(qvDocument_Scene(document));
    }
    CheckPrints(qvDocument_Scene(document));
    while (qvDocument_CanUndo(document))
    {
        qvDocument_Undo(document);
        if (hashes[qvDocument_StepPosition(document)] != qvScene_Hash(qvDocument_Scene(document)))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    qvError error;
    const qvScene* scene;
    qvDocument* document;
    if (qvParseScene((const char*)data, size, "fuzz", &scene, &error) != qv_ok)
    {
        if (scene != NULL || strncmp(error.message, "fuzz: ", 6) != 0 || strchr(error.message, '\n') != NULL)
            abort();
        return 0;
    }
    CheckPrints(scene);
    if (qvCreateDocument(scene, &document, &error) != qv_ok)
        abort();
    Edit(document, qvScene_Hash(scene));
    qvCloseDocument(document);
    qvReleaseScene(scene);
    return 0;
}
