// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/loader.h"

#include <stdio.h>
#include <string.h>

static bool ReportProgress(void* context, const char* stage, double fraction)
{
    qvuiLoader* loader = context;
    pthread_mutex_lock(&loader->mutex);
    loader->fraction = fraction;
    snprintf(loader->stage, sizeof(loader->stage), "%s", stage);
    bool goOn = !loader->cancelled;
    pthread_mutex_unlock(&loader->mutex);
    return goOn;
}

// A scene opens without its mesh too, so that nothing in it is lost.
static qvResult ReadScene(const char* path, const qvJob* job, qvuiLoaded* loaded, qvError* error)
{
    qvResult result = qvOpenDocument(path, &loaded->document, error);
    if (result != qv_ok)
        return result;
    const qvSceneMesh* mesh = &qvDocument_Scene(loaded->document)->mesh;
    result = qvLoadBody(mesh, qvDocument_Folder(loaded->document), job, &loaded->body, &loaded->problem);
    return result == qv_cancelled ? result : qv_ok;
}

static qvResult ReadMesh(const char* path, const qvJob* job, qvuiLoaded* loaded, qvError* error)
{
    qvSceneMesh mesh = { .file = path };
    return qvLoadBody(&mesh, ".", job, &loaded->body, error);
}

static void Drop(qvuiLoaded* loaded)
{
    qvCloseDocument(loaded->document);
    qvReleaseBody(loaded->body);
    *loaded = (qvuiLoaded){ 0 };
}

static void* Work(void* context)
{
    qvuiLoader* loader = context;
    qvJob job = { .progress = ReportProgress, .context = loader };
    qvuiLoaded loaded = { 0 };
    qvError error = { 0 };
    qvResult result = qvIsSceneFile(loader->path) ? ReadScene(loader->path, &job, &loaded, &error)
                                                  : ReadMesh(loader->path, &job, &loaded, &error);
    pthread_mutex_lock(&loader->mutex);
    loader->result = result;
    loader->loaded = loaded;
    loader->error = error;
    loader->finished = true;
    pthread_mutex_unlock(&loader->mutex);
    return NULL;
}

qvResult qvuiLoader_Start(qvuiLoader* loader, const char* path, qvError* error)
{
    qvuiLoader_Cancel(loader);
    if (strlen(path) >= sizeof(loader->path))
        return qvError_Set(error, qv_badInput, "%.80s…: the path is too long; move the file", path);
    *loader = (qvuiLoader){ .running = true, .stage = "reading" };
    memcpy(loader->path, path, strlen(path) + 1);
    pthread_mutex_init(&loader->mutex, NULL);
    if (pthread_create(&loader->thread, NULL, Work, loader) == 0)
        return qv_ok;
    pthread_mutex_destroy(&loader->mutex);
    loader->running = false;
    return qvError_Set(error, qv_outOfMemory, "%s: cannot start a thread to read it; close other programs", path);
}

static void Join(qvuiLoader* loader)
{
    pthread_join(loader->thread, NULL);
    pthread_mutex_destroy(&loader->mutex);
    loader->running = false;
}

void qvuiLoader_Cancel(qvuiLoader* loader)
{
    if (!loader->running)
        return;
    pthread_mutex_lock(&loader->mutex);
    loader->cancelled = true;
    pthread_mutex_unlock(&loader->mutex);
    Join(loader);
    Drop(&loader->loaded);
}

bool qvuiLoader_Progress(qvuiLoader* loader, double* fraction, char* stage)
{
    if (!loader->running)
        return false;
    pthread_mutex_lock(&loader->mutex);
    *fraction = loader->fraction;
    memcpy(stage, loader->stage, sizeof(loader->stage));
    pthread_mutex_unlock(&loader->mutex);
    return true;
}

bool qvuiLoader_Collect(qvuiLoader* loader, qvResult* result, qvuiLoaded* loaded, qvError* error)
{
    if (!loader->running)
        return false;
    pthread_mutex_lock(&loader->mutex);
    bool finished = loader->finished;
    pthread_mutex_unlock(&loader->mutex);
    if (!finished)
        return false;
    Join(loader);
    *result = loader->result;
    *error = loader->error;
    *loaded = loader->loaded;
    loader->loaded = (qvuiLoaded){ 0 };
    if (*result != qv_ok)
        Drop(loaded);
    return true;
}
