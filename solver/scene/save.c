// SPDX-License-Identifier: GPL-3.0-or-later
// Saving a document, with references that still work from where it goes.
#include "base/path.h"
#include "scene/journal.h"
#include "scene/lock.h"
#include "scene/references.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void qvDocument_Lock(qvDocument* document)
{
    char owner[200];
    document->lock = qvAcquireLock(document->path, owner, sizeof(owner));
    if (document->lock == NULL && owner[0] != 0)
        snprintf(document->remark, sizeof(document->remark),
                 "%s is also open in %s; whoever saves last wins, so better save under another name",
                 qvPath_FileName(document->path), owner);
}

// The scene with its mesh file looked up from another folder; the same scene when nothing changes.
static qvResult Rebase(const qvScene* scene, const char* from, const char* to, const qvScene** rebased, qvError* error)
{
    *rebased = qvRetainScene(scene);
    if (scene->mesh.file == NULL)
        return qv_ok;
    char* path = qvRebasePath(scene->mesh.file, from, to);
    if (path != NULL && strcmp(path, scene->mesh.file) == 0)
    {
        free(path);
        return qv_ok;
    }
    if (path != NULL && !qvIsUtf8(path))
    {
        free(path);
        qvReleaseScene(*rebased);
        *rebased = NULL;
        return qvError_Set(error, qv_badInput, "%s: the way from here to the mesh file has a name that is not UTF-8",
                           to);
    }
    char* text = path != NULL ? qvCreateSharedText(path) : NULL;
    qvScene* copy = text != NULL ? qvCloneShared(&qvSharedScene, scene) : NULL;
    free(path);
    if (copy == NULL)
    {
        qvReleaseShared(text);
        qvReleaseScene(scene);
        *rebased = NULL;
        return qvError_OutOfMemory(error, sizeof(*copy));
    }
    qvReplaceShared(&copy->mesh.file, text);
    qvReleaseScene(*rebased);
    *rebased = copy;
    return qv_ok;
}

// The same for every step of the history, so that undo does not bring an old path back.
static void RebaseHistory(qvDocument* document, const qvScene* saved, const char* from, const char* to)
{
    for (int i = 0; i < document->steps.count; i++)
    {
        qvStep* step = &document->steps.items[i];
        const qvScene* rebased;
        if (step->scene == document->scene)
            rebased = qvRetainScene(saved);
        else if (Rebase(step->scene, from, to, &rebased, NULL) != qv_ok)
            continue;
        qvReplaceShared(&step->scene, rebased);
    }
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
static qvResult Settle(qvDocument* document, const qvScene* saved, const char* path, const char* folder, qvError* error)
{
    bool isElsewhere = strcmp(path, document->path) != 0;
    if (saved != document->scene)
        RebaseHistory(document, saved, document->folder, folder);
    document->savedHash = qvScene_Hash(saved);
    qvDropLeftover(document);
    if (isElsewhere)
    {
        qvReleaseLock(document->lock);
        document->lock = NULL;
        document->remark[0] = 0;
        if (!SetPath(document, path, folder))
            return qvError_OutOfMemory(error, (double)strlen(path));
        qvDocument_Lock(document);
    }
    return qv_ok;
}

qvResult qvDocument_Save(qvDocument* document, const char* path, qvError* error)
{
    path = path != NULL ? path : document->path;
    if (*path == 0)
        return qvError_Set(error, qv_badInput, "the scene has no file yet; save it under a name");
    char* target = strdup(path); // it may be the document's own
    char* folder = target != NULL ? qvPath_Folder(target) : NULL;
    if (folder == NULL)
    {
        free(target);
        return qvError_OutOfMemory(error, (double)strlen(path));
    }
    const qvScene* saved = NULL;
    qvResult result = Rebase(document->scene, document->folder, folder, &saved, error);
    if (result == qv_ok)
        result = qvSaveScene(saved, target, error);
    if (result == qv_ok)
        result = Settle(document, saved, target, folder, error);
    if (result == qv_ok)
    {
        // At once, so that a crash does not offer what is saved. A failure comes up at the next flush.
        qvJournal_Renew(document);
        qvError ignored;
        if (qvDocument_Flush(document, &ignored) != qv_ok)
            qvJournal_Retry(document);
    }
    qvReleaseScene(saved);
    free(target);
    free(folder);
    return result;
}
