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

// How references to files change: from one folder to another; of a scene that is collected, to copies there.
typedef struct Move
{
    const char *from, *to;
    const qvScene* collected; // NULL: no copies
} Move;

static bool Uses(const qvScene* scene, const char* file)
{
    bool isUsed = scene->mesh.file != NULL && strcmp(scene->mesh.file, file) == 0;
    for (int i = 0; i < scene->obstacleCount; i++)
        isUsed = isUsed || (scene->obstacles[i]->file != NULL && strcmp(scene->obstacles[i]->file, file) == 0);
    return isUsed;
}

// Changes a reference in a part of a scene that is in the making.
static qvResult MoveFile(const Move* move, const char** slot, qvError* error)
{
    if (*slot == NULL)
        return qv_ok;
    bool isCopied = move->collected != NULL && Uses(move->collected, *slot);
    char* path = isCopied ? strdup(qvPath_FileName(*slot)) : qvRebasePath(*slot, move->from, move->to);
    qvResult result = path != NULL ? qv_ok : qvError_OutOfMemory(error, 0.0);
    if (result == qv_ok && !qvIsUtf8(path))
        result =
            qvError_Set(error, qv_badInput, "%s: has a name that is not UTF-8; rename the folder or the mesh", path);
    if (result == qv_ok && strcmp(path, *slot) != 0)
    {
        char* text = qvCreateSharedText(path);
        if (text != NULL)
            qvReplaceShared(slot, text);
        else
            result = qvError_OutOfMemory(error, (double)strlen(path));
    }
    free(path);
    return result;
}

static qvResult MoveObstacles(const Move* move, qvScene* scene, qvError* error)
{
    const void** list = qvCreateSharedList(scene->obstacleCount);
    qvResult result = list != NULL ? qv_ok : qvError_OutOfMemory(error, 0.0);
    for (int i = 0; result == qv_ok && i < scene->obstacleCount; i++)
    {
        qvSceneObstacle* copy = qvCloneShared(&qvSharedObstacle, scene->obstacles[i]);
        list[i] = copy;
        result = copy != NULL ? MoveFile(move, &copy->file, error) : qvError_OutOfMemory(error, sizeof(*copy));
    }
    if (result == qv_ok)
        qvReplaceShared(&scene->obstacles, list);
    else
        qvReleaseShared(list);
    return result;
}

static bool NamesFiles(const qvScene* scene)
{
    bool names = scene->mesh.file != NULL;
    for (int i = 0; i < scene->obstacleCount; i++)
        names = names || scene->obstacles[i]->file != NULL;
    return names;
}

// The scene as it must be in the new place; the same one when nothing changes.
static qvResult MoveScene(const qvScene* scene, const Move* move, const qvScene** moved, qvError* error)
{
    *moved = NULL;
    qvScene* copy = NamesFiles(scene) ? qvCloneShared(&qvSharedScene, scene) : NULL;
    qvResult result = copy != NULL || !NamesFiles(scene) ? qv_ok : qvError_OutOfMemory(error, sizeof(*copy));
    if (result == qv_ok && copy != NULL)
        result = MoveFile(move, &copy->mesh.file, error);
    if (result == qv_ok && copy != NULL && copy->obstacleCount > 0)
        result = MoveObstacles(move, copy, error);
    bool isSame = result == qv_ok && (copy == NULL || qvScene_Hash(copy) == qvScene_Hash(scene));
    if (result == qv_ok)
        *moved = isSame ? qvRetainScene(scene) : qvRetainScene(copy);
    qvReleaseShared(copy);
    return result;
}

qvResult qvRebaseScene(const qvScene* scene, const char* fromFolder, const char* toFolder, const qvScene** moved,
                       qvError* error)
{
    Move move = { .from = fromFolder, .to = toFolder };
    return MoveScene(scene, &move, moved, error);
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

qvResult qvDocument_SaveWith(qvDocument* document, const char* path, bool collects, qvError* error)
{
    path = path != NULL ? path : document->path;
    if (*path == 0)
        return qvError_Set(error, qv_badInput, "the scene has no file yet; save it under a name");
    char *target = strdup(path), *from = strdup(document->folder), *to = qvPath_Folder(path); // outlive the document's
    const qvScene *saved = NULL, *old = qvRetainScene(document->scene);
    Move move = { from, to, collects ? old : NULL };
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
    return qvDocument_SaveWith(document, path, false, error);
}
