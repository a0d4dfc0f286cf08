// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a journal: a document that can be undone to its start, redone to its end and printed, or one line that
// says why not.
#include "fuzzing.h"

#include "scene/journal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void GoThrough(qvDocument* document)
{
    qvDocument_GoTo(document, 0);
    uint64_t first = qvScene_Hash(qvDocument_Scene(document));
    qvDocument_GoTo(document, qvDocument_StepCount(document) - 1);
    uint64_t last = qvScene_Hash(qvDocument_Scene(document));
    while (qvDocument_CanUndo(document))
        qvDocument_Undo(document);
    if (qvScene_Hash(qvDocument_Scene(document)) != first)
        abort();
    while (qvDocument_CanRedo(document))
        qvDocument_Redo(document);
    if (qvScene_Hash(qvDocument_Scene(document)) != last)
        abort();
}

static void CheckPrints(const qvScene* scene)
{
    qvError error;
    char* text;
    const qvScene* read;
    if (qvPrintScene(scene, &text, &error) != qv_ok ||
        qvParseScene(text, strlen(text), "printed", &read, &error) != qv_ok ||
        qvScene_Hash(read) != qvScene_Hash(scene))
        abort();
    qvFreeText(text);
    qvReleaseScene(read);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    char path[64];
    int file = memfd_create("journal", MFD_CLOEXEC);
    if (file < 0 || write(file, data, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
    qvError error;
    qvDocument* document;
    qvResult result = qvReplayJournal(path, &document, &error);
    close(file);
    if (result != qv_ok)
    {
        if (document != NULL || strncmp(error.message, path, strlen(path)) != 0 || strchr(error.message, '\n') != NULL)
            abort();
        return 0;
    }
    GoThrough(document);
    CheckPrints(qvDocument_Scene(document));
    qvCloseDocument(document);
    return 0;
}
