// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/loader.h"

#include <string.h>

// A scene opens without its mesh too, so that nothing in it is lost.
static qvResult ReadScene(qvuiLoader* loader, const qvJob* job, qvError* error)
{
    qvuiLoaded* loaded = &loader->loaded;
    qvResult result = loader->source == qvui_sourceLeftover
                          ? qvRestoreLeftover(&loader->leftover, &loaded->document, error)
                          : qvOpenDocument(loader->path, &loaded->document, error);
    if (result != qv_ok)
        return result;
    const qvSceneMesh* mesh = &qvDocument_Scene(loaded->document)->mesh;
    result = qvLoadBody(mesh, qvDocument_Folder(loaded->document), job, &loaded->body, &loaded->problem);
    return result == qv_cancelled ? result : qv_ok;
}

qvSceneMesh qvuiLoader_Mesh(const qvuiLoader* loader)
{
    bool isShape = loader->source == qvui_sourceShape;
    return isShape ? (qvSceneMesh){ .primitive = loader->path } : (qvSceneMesh){ .file = loader->path };
}

static qvResult ReadMesh(qvuiLoader* loader, const qvJob* job, qvError* error)
{
    qvSceneMesh mesh = qvuiLoader_Mesh(loader);
    return qvLoadBody(&mesh, ".", job, &loader->loaded.body, error);
}

static qvResult Work(void* context, qvJob* job, qvError* error)
{
    qvuiLoader* loader = context;
    bool isScene =
        loader->source == qvui_sourceLeftover || (loader->source == qvui_sourceFile && qvIsSceneFile(loader->path));
    qvResult result = isScene ? ReadScene(loader, job, error) : ReadMesh(loader, job, error);
    // What fails here is tried again, and told, by whoever needs it.
    const qvBody* body = loader->loaded.body;
    qvError ignored;
    if (result == qv_ok && body != NULL && qvuiPrepareSurface(body->mesh, &loader->loaded.surface, &ignored) != qv_ok)
        loader->loaded.surface = NULL;
    return result;
}

void qvuiDropLoaded(qvuiLoaded* loaded)
{
    qvuiDestroySurface(loaded->surface);
    if (loaded->document != NULL)
        qvDocument_LeaveLeftover(loaded->document);
    qvCloseDocument(loaded->document);
    qvReleaseBody(loaded->body);
    *loaded = (qvuiLoaded){ 0 };
}

static qvResult Start(qvuiLoader* loader, qvuiSource source, const char* path, qvError* error)
{
    qvuiLoader_Cancel(loader);
    loader->source = source;
    if (strlen(path) >= sizeof(loader->path))
        return qvError_Set(error, qv_badInput, "%.80s…: the path is too long; move the file", path);
    memcpy(loader->path, path, strlen(path) + 1);
    return qvuiTask_Start(&loader->task, Work, loader, "reading", error);
}

qvResult qvuiLoader_Start(qvuiLoader* loader, const char* path, qvError* error)
{
    return Start(loader, qvui_sourceFile, path, error);
}

qvResult qvuiLoader_StartShape(qvuiLoader* loader, const char* tag, qvError* error)
{
    return Start(loader, qvui_sourceShape, tag, error);
}

qvResult qvuiLoader_Restore(qvuiLoader* loader, const qvLeftover* leftover, qvError* error)
{
    qvuiLoader_Cancel(loader);
    loader->leftover = *leftover;
    return Start(loader, qvui_sourceLeftover, "", error);
}

void qvuiLoader_Cancel(qvuiLoader* loader)
{
    if (qvuiTask_Cancel(&loader->task))
        qvuiDropLoaded(&loader->loaded);
}

bool qvuiLoader_Collect(qvuiLoader* loader, qvResult* result, qvuiLoaded* loaded, qvError* error)
{
    if (!qvuiTask_Collect(&loader->task))
        return false;
    *result = loader->task.result;
    *error = loader->task.error;
    *loaded = loader->loaded;
    loader->loaded = (qvuiLoaded){ 0 };
    if (*result != qv_ok)
        qvuiDropLoaded(loaded);
    return true;
}
