// SPDX-License-Identifier: GPL-3.0-or-later
// Saving a document, with references that still work from where it goes.
#include "quaver/path.h"
#include "scene/journal.h"
#include "scene/lock.h"
#include "scene/references.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void qvDocument_Lock(qvDocument* document)
{
    document->lock = qvAcquireLock(document->path, document->remark, sizeof(document->remark));
}

// How references to files change: from one folder to another, and one file to the copy that is made of it.
typedef struct Move
{
    const char *from, *to;
    const char *file, *copy; // NULL: no copy
} Move;

static char* MovedPath(const Move* move, const char* file)
{
    if (move->copy != NULL && strcmp(file, move->file) == 0)
        return strdup(move->copy);
    return qvRebasePath(file, move->from, move->to);
}

// The scene with another mesh file.
static qvResult WithFile(const qvScene* scene, const char* path, const qvScene** moved, qvError* error)
{
    if (!qvIsUtf8(path))
        return qvError_Set(error, qv_badInput, "%s: has a name that is not UTF-8; rename the folder or the mesh", path);
    char* text = qvCreateSharedText(path);
    qvScene* copy = text != NULL ? qvCloneShared(&qvSharedScene, scene) : NULL;
    if (copy == NULL)
    {
        qvReleaseShared(text);
        return qvError_OutOfMemory(error, sizeof(*copy));
    }
    qvReplaceShared(&copy->mesh.file, text);
    *moved = copy;
    return qv_ok;
}

// The scene as it must be in the new place; the same one when nothing changes.
static qvResult MoveScene(const qvScene* scene, const Move* move, const qvScene** moved, qvError* error)
{
    *moved = NULL;
    const char* file = scene->mesh.file;
    char* path = file != NULL ? MovedPath(move, file) : NULL;
    qvResult result = qv_ok;
    if (file != NULL && path == NULL)
        result = qvError_OutOfMemory(error, 0.0);
    else if (file == NULL || strcmp(path, file) == 0)
        *moved = qvRetainScene(scene);
    else
        result = WithFile(scene, path, moved, error);
    free(path);
    return result;
}

// Moves every step of the history, so that undo does not bring an old path back.
static void MoveHistory(qvDocument* document, const qvScene* saved, const Move* move)
{
    for (int i = 0; i < document->steps.count; i++)
    {
        qvStep* step = &document->steps.items[i];
        const qvScene* moved = step->scene == document->scene ? qvRetainScene(saved) : NULL;
        if (moved != NULL || MoveScene(step->scene, move, &moved, NULL) == qv_ok)
            qvReplaceShared(&step->scene, moved);
    }
    if (saved == document->scene)
        return;
    qvReplaceShared(&document->scene, qvRetainScene(saved));
    document->revision++;
}

static bool SetPath(qvDocument* document, const char* path, const char* folder)
{
    char *newPath = strdup(path), *newFolder = strdup(folder);
    if (newPath == NULL || newFolder == NULL)
    {
        free(newPath);
        free(newFolder);
        return false;
    }
    free(document->path);
    free(document->folder);
    document->path = newPath;
    document->folder = newFolder;
    return true;
}

// What a successful save changes in the document.
static qvResult Settle(qvDocument* document, const qvScene* saved, const char* path, const Move* move, qvError* error)
{
    MoveHistory(document, saved, move);
    document->savedHash = qvScene_Hash(saved);
    qvDropLeftover(document);
    if (strcmp(path, document->path) != 0)
    {
        qvReleaseLock(document->lock);
        document->lock = NULL;
        document->remark[0] = 0;
        if (!SetPath(document, path, move->to))
            return qvError_OutOfMemory(error, (double)strlen(path));
        qvDocument_Lock(document);
    }
    document->stamp = qvStampFile(document->path);
    document->isGone = false;
    // At once, so that a crash does not offer what is saved. A failure comes up at the next flush.
    qvJournal_Renew(document);
    if (qvDocument_Flush(document, NULL) != qv_ok)
        qvJournal_Retry(document);
    return qv_ok;
}

qvResult qvDocument_SaveWith(qvDocument* document, const char* path, const char* meshCopy, qvError* error)
{
    path = path != NULL ? path : document->path;
    if (*path == 0)
        return qvError_Set(error, qv_badInput, "the scene has no file yet; save it under a name");
    char *target = strdup(path), *from = strdup(document->folder), *to = qvPath_Folder(path); // outlive the document's
    const qvScene *saved = NULL, *old = qvRetainScene(document->scene);
    Move move = { from, to, old->mesh.file, meshCopy };
    qvResult result = target != NULL && from != NULL && to != NULL ? MoveScene(old, &move, &saved, error)
                                                                   : qvError_OutOfMemory(error, (double)strlen(path));
    if (result == qv_ok)
        result = qvSaveScene(saved, target, error);
    if (result == qv_ok)
        result = Settle(document, saved, target, &move, error);
    qvReleaseScene(saved);
    qvReleaseScene(old);
    free(target);
    free(from);
    free(to);
    return result;
}

qvResult qvDocument_Save(qvDocument* document, const char* path, qvError* error)
{
    return qvDocument_SaveWith(document, path, NULL, error);
}
