// SPDX-License-Identifier: GPL-3.0-or-later
// A document's life, and edits with their checks.
#include "quaver/path.h"
#include "scene/journal.h"
#include "scene/lock.h"
#include "scene/references.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static qvId Larger(qvId a, qvId b)
{
    return a > b ? a : b;
}

static qvId LargestIn(const void* const* items, int count)
{
    qvId largest = 0;
    for (int i = 0; i < count; i++)
        largest = Larger(largest, *(const qvId*)items[i]);
    return largest;
}

static qvId LargestInStack(const qvStrokeStack* stack)
{
    return LargestIn((const void* const*)stack->strokes, stack->count);
}

// The first id that a scene does not use.
static qvId NextId(const qvScene* scene)
{
    qvId id = 0;
    for (qvSceneList list = { 0 }; qvScene_NextList(scene, &list);)
    {
        id = Larger(id, LargestIn(list.items, list.count));
        for (int i = 0; i < list.count; i++)
        {
            for (qvSceneList inner = { 0 }; qvObject_NextList(list.kind, list.items[i], &inner);)
                id = Larger(id, LargestIn(inner.items, inner.count));
        }
    }
    for (int i = 0; i < scene->keyCount; i++)
    {
        const qvSceneKey* key = scene->keys[i];
        id = Larger(id, Larger(LargestInStack(&key->before.strokes), LargestInStack(&key->after.strokes)));
    }
    return id + 1;
}

qvResult qvCreateDocumentAt(const qvScene* scene, const char* path, const char* label, qvDocument** document,
                            qvError* error)
{
    *document = NULL;
    qvDocument* made = qvAllocate(1, sizeof(*made));
    if (made == NULL)
        return qvError_OutOfMemory(error, sizeof(*made));
    made->scene = qvRetainScene(scene);
    made->nextId = NextId(scene);
    made->limit = (size_t)256 << 20;
    made->path = strdup(path);
    made->folder = *path != 0 ? qvPath_Folder(path) : strdup(".");
    qvResult result = qvDocument_StartHistory(made, label, error);
    if (result == qv_ok && (made->path == NULL || made->folder == NULL))
        result = qvError_OutOfMemory(error, (double)strlen(path));
    if (result == qv_ok)
        *document = made;
    else
        qvCloseDocument(made);
    return result;
}

qvResult qvCreateDocument(const qvScene* scene, qvDocument** document, qvError* error)
{
    qvResult result = qvCreateDocumentAt(scene, "", "New", document, error);
    if (result == qv_ok)
        (*document)->savedHash = qvScene_Hash(scene);
    return result;
}

// Files are looked up where the film is.
static qvResult SetFolder(qvDocument* document, const char* path, qvError* error)
{
    char* folder = qvPath_Folder(path);
    if (folder == NULL)
        return qvError_OutOfMemory(error, (double)strlen(path));
    free(document->folder);
    document->folder = folder;
    return qv_ok;
}

// The scene opens without its mesh: nothing of it is lost, but nothing can be shown.
static void RemarkMissing(qvDocument* document)
{
    const char* file = document->scene->mesh.file;
    char* path = file != NULL ? qvResolvePath(document->folder, file) : NULL;
    if (path != NULL && access(path, R_OK) != 0)
    {
        size_t used = strlen(document->remark);
        snprintf(document->remark + used, sizeof(document->remark) - used,
                 "%sthe mesh file %.300s cannot be read; put it back or choose another", used > 0 ? "; " : "", path);
    }
    free(path);
}

qvResult qvOpenDocument(const char* path, qvDocument** document, qvError* error)
{
    *document = NULL;
    const qvScene* scene;
    qvFileStamp stamp = qvStampFile(path); // before it is read: a change meanwhile is seen at the next look
    qvResult result = qvLoadScene(path, &scene, error);
    if (result != qv_ok)
        return result;
    // A film that carries a scene is no place to save it to.
    bool isFilm = qvPath_HasExtension(path, "glb gltf");
    result = qvCreateDocumentAt(scene, isFilm ? "" : path, "Open", document, error);
    if (result == qv_ok && isFilm)
        result = SetFolder(*document, path, error);
    if (result == qv_ok)
    {
        (*document)->savedHash = qvScene_Hash(scene);
        (*document)->stamp = stamp;
        if (!isFilm)
            qvDocument_Lock(*document);
        RemarkMissing(*document);
    }
    else
    {
        qvCloseDocument(*document);
        *document = NULL;
    }
    qvReleaseScene(scene);
    return result;
}

void qvDocument_Relock(qvDocument* document)
{
    if (document->lock != NULL || *document->path == 0)
        return;
    document->remark[0] = 0;
    qvDocument_Lock(document);
    RemarkMissing(document);
}

void qvCloseDocument(qvDocument* document)
{
    if (document == NULL)
        return;
    if (!qvJournal_Close(document))
        qvDropLeftover(document);
    qvReleaseLock(document->lock);
    qvDocument_FreeHistory(document);
    qvReleaseScene(document->scene);
    free(document->path);
    free(document->folder);
    free(document);
}

const qvScene* qvDocument_Scene(const qvDocument* document)
{
    return document->scene;
}

uint64_t qvDocument_Revision(const qvDocument* document)
{
    return document->revision;
}

const char* qvDocument_Path(const qvDocument* document)
{
    return document->path;
}

const char* qvDocument_Folder(const qvDocument* document)
{
    return document->folder;
}

bool qvDocument_IsDirty(const qvDocument* document)
{
    return document->isGone || qvScene_Hash(document->scene) != document->savedHash;
}

const char* qvDocument_Remark(const qvDocument* document)
{
    return document->remark;
}

static double LastTime(const qvScene* scene)
{
    return scene->keyCount > 0 ? scene->keys[scene->keyCount - 1]->time : -INFINITY;
}

// Where the step that is open, or the one that this would become part of, began.
static const qvScene* StepStart(const qvDocument* document)
{
    const qvStep* step = &document->steps.items[document->position];
    bool merges = document->depth > 0 && document->openKey != 0 && document->openKey == step->mergeKey;
    return merges && document->position > 0 ? step[-1].scene : step->scene;
}

// A key that is put beyond a given end pushes it on, and lets it come back within the step. A motion that is cut before
// its last key is left so, a loop's length as well, and an end that the step itself has set.
static void PushEnd(const qvScene* start, const qvScene* before, qvScene* next)
{
    double given = fmax(start->range[1], LastTime(before));
    bool follows = start->hasRange && LastTime(start) <= start->range[1] && before->range[1] == given;
    if (follows && next->hasRange && !next->loop && next->range[1] == given)
        next->range[1] = fmax(start->range[1], LastTime(next));
}

// An end that a journal gives, as far as a scene file could have it.
static qvResult SetEnd(qvScene* next, double end, qvError* error)
{
    if (next->hasRange && end > next->range[0] && end <= qvFindRow(qv_objectScene, "range")->field.maximum)
        next->range[1] = end;
    return qvCheckScene(next, error);
}

qvResult qvDocument_Apply(qvDocument* document, const qvEdit* edit, qvId* added, qvError* error)
{
    return qvDocument_ApplyEnding(document, edit, NULL, added, error);
}

qvResult qvDocument_ApplyEnding(qvDocument* document, const qvEdit* edit, const double* end, qvId* added,
                                qvError* error)
{
    const qvScene* before = qvRetainScene(document->scene); // the value may lie in it
    qvReader reader = { .nextId = document->nextId, .scene = before, .error = error };
    qvScene* next;
    char label[qv_maxLabel];
    qvId made;
    qvResult result = qvApplyEdit(before, edit, &reader, &next, &made);
    if (result == qv_ok && next != NULL)
    {
        qvEdit_Label(edit, label, sizeof(label));
        document->nextId = reader.nextId;
        if (end != NULL)
            result = SetEnd(next, *end, error);
        else
            PushEnd(StepStart(document), before, next);
        if (result == qv_ok)
            result = qvDocument_Advance(document, next, label, error);
        else
            qvReleaseShared(next);
        if (result == qv_ok)
            qvJournal_Edit(document, edit, made);
    }
    qvReader_Free(&reader);
    qvReleaseScene(before);
    if (added != NULL)
        *added = result == qv_ok ? made : 0;
    return result;
}
