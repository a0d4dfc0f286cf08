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

static void* Work(void* context)
{
    qvuiLoader* loader = context;
    qvJob job = { .progress = ReportProgress, .context = loader };
    qvLoadOptions options = qvDefaultLoadOptions();
    options.job = &job;
    qvModel* model = NULL;
    qvError error = { 0 };
    qvResult result = qvLoadModel(loader->path, &options, &model, &error);
    pthread_mutex_lock(&loader->mutex);
    loader->result = result;
    loader->model = model;
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
    qvDestroyModel(loader->model);
    loader->model = NULL;
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

bool qvuiLoader_Collect(qvuiLoader* loader, qvResult* result, qvModel** model, qvError* error)
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
    *model = loader->model;
    *error = loader->error;
    loader->model = NULL;
    return true;
}
