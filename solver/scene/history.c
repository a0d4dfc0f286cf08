// SPDX-License-Identifier: GPL-3.0-or-later
// Undo and redo: a list of snapshots that share what did not change.
#include "scene/journal.h"

#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void FreeStep(qvStep* step)
{
    qvReleaseShared(step->scene);
    *step = (qvStep){ 0 };
}

static void DropRedo(qvDocument* document)
{
    while (document->steps.count > document->position + 1)
    {
        qvStep* last = &document->steps.items[--document->steps.count];
        document->held -= last->bytes;
        FreeStep(last);
    }
}

static void DropOldest(qvDocument* document)
{
    qvStep* steps = document->steps.items;
    FreeStep(&steps[0]);
    memmove(steps, steps + 1, (size_t)(document->steps.count - 1) * sizeof(*steps));
    document->steps.count--;
    document->position--;
    document->held -= steps[0].bytes; // between it and the one that is gone
    steps[0].bytes = 0;
}

// The last step always stays, however large.
static void KeepLimit(qvDocument* document)
{
    while (document->held > document->limit && document->position > 1)
        DropOldest(document);
}

static void Measure(qvDocument* document, int step)
{
    qvStep* at = &document->steps.items[step];
    document->held -= at->bytes;
    at->bytes = sizeof(*at) + qvShared_OwnBytes(at[-1].scene, at->scene) + qvShared_OwnBytes(at->scene, at[-1].scene);
    document->held += at->bytes;
}

static void SetCurrent(qvDocument* document, const qvScene* scene)
{
    qvReleaseShared(document->scene);
    document->scene = scene;
    document->revision++;
}

// Makes the current scene a step, or part of the last one.
static qvResult Record(qvDocument* document, const char* label, uint64_t mergeKey, qvError* error)
{
    DropRedo(document);
    qvStep* last = &document->steps.items[document->position];
    if (mergeKey != 0 && document->position > 0 && last->mergeKey == mergeKey)
    {
        qvReplaceShared(&last->scene, qvRetainShared(document->scene));
        Measure(document, document->position);
        return qv_ok;
    }
    qvStep step = { .scene = qvRetainShared(document->scene),
                    .mergeKey = mergeKey,
                    .epoch = qvJournal_Epoch(document) };
    snprintf(step.label, sizeof(step.label), "%s", label);
    if (!QV_PUSH(document->steps, step))
    {
        FreeStep(&step);
        return qvError_OutOfMemory(error, sizeof(step));
    }
    document->position++;
    Measure(document, document->position);
    KeepLimit(document);
    return qv_ok;
}

qvResult qvDocument_StartHistory(qvDocument* document, const char* label, qvError* error)
{
    qvStep step = { .scene = qvRetainShared(document->scene) };
    snprintf(step.label, sizeof(step.label), "%s", label);
    if (QV_PUSH(document->steps, step))
        return qv_ok;
    FreeStep(&step);
    return qvError_OutOfMemory(error, sizeof(step));
}

void qvDocument_FreeHistory(qvDocument* document)
{
    for (int i = 0; i < document->steps.count; i++)
        FreeStep(&document->steps.items[i]);
    free(document->steps.items);
}

qvResult qvDocument_Advance(qvDocument* document, const qvScene* scene, const char* label, qvError* error)
{
    const qvScene* old = qvRetainShared(document->scene);
    SetCurrent(document, scene);
    qvResult result = document->depth == 0 ? Record(document, label, 0, error) : qv_ok;
    if (result != qv_ok)
        SetCurrent(document, qvRetainShared(old));
    qvReleaseShared(old);
    return result;
}

// --- Steps of several edits -----------------------------------------------------------------------------------------

void qvDocument_Begin(qvDocument* document, const char* label, uint64_t mergeKey)
{
    if (document->depth++ > 0)
        return;
    snprintf(document->openLabel, sizeof(document->openLabel), "%s", label);
    document->openKey = mergeKey;
}

static void GoTo(qvDocument* document, int step)
{
    document->position = step;
    if (document->scene != document->steps.items[step].scene)
        SetCurrent(document, qvRetainShared(document->steps.items[step].scene));
}

void qvDocument_End(qvDocument* document)
{
    if (document->depth == 0 || --document->depth > 0)
        return;
    // Without memory for a step the edits cannot be kept undoable, so they are taken back.
    bool isNew = document->scene != document->steps.items[document->position].scene;
    if (isNew && Record(document, document->openLabel, document->openKey, NULL) != qv_ok)
    {
        GoTo(document, document->position);
        qvJournal_Renew(document);
    }
    qvJournal_End(document);
}

void qvDocument_Abort(qvDocument* document)
{
    if (document->depth == 0)
        return;
    document->depth = 0;
    GoTo(document, document->position);
    qvJournal_Abort(document);
}

void qvDocument_Seal(qvDocument* document)
{
    qvStep* step = &document->steps.items[document->position];
    if (step->mergeKey != 0)
        qvJournal_Seal(document);
    step->mergeKey = 0;
}

// --- Back and forth -------------------------------------------------------------------------------------------------

// Closes what is open, so that undo takes it back.
static void Close(qvDocument* document)
{
    while (document->depth > 0)
        qvDocument_End(document);
}

bool qvDocument_CanUndo(const qvDocument* document)
{
    return document->position > 0 || document->scene != document->steps.items[document->position].scene;
}

bool qvDocument_CanRedo(const qvDocument* document)
{
    return document->depth == 0 && document->position + 1 < document->steps.count;
}

void qvDocument_GoTo(qvDocument* document, int step)
{
    QV_ASSERT(step >= 0 && step < document->steps.count);
    Close(document);
    int last = document->steps.count - 1; // a step that was open has taken the place of those after it
    step = step < last ? step : last;
    qvDocument_Seal(document);
    qvJournal_Step(document, document->position, step);
    GoTo(document, step);
    document->steps.items[step].mergeKey = 0; // what comes next is another gesture
}

void qvDocument_Undo(qvDocument* document)
{
    Close(document);
    if (document->position > 0)
        qvDocument_GoTo(document, document->position - 1);
}

void qvDocument_Redo(qvDocument* document)
{
    if (qvDocument_CanRedo(document))
        qvDocument_GoTo(document, document->position + 1);
}

int qvDocument_StepCount(const qvDocument* document)
{
    return document->steps.count;
}

int qvDocument_StepPosition(const qvDocument* document)
{
    return document->position;
}

const char* qvDocument_StepLabel(const qvDocument* document, int step)
{
    QV_ASSERT(step >= 0 && step < document->steps.count);
    return document->steps.items[step].label;
}

void qvDocument_SetHistoryLimit(qvDocument* document, size_t bytes)
{
    document->limit = bytes;
    qvJournal_Limit(document);
    KeepLimit(document);
}
