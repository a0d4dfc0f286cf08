// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/exporter.h"

#include <stdio.h>
#include <string.h>

static bool ReportProgress(void* context, const char* stage, double fraction)
{
    qvuiExporter* exporter = context;
    pthread_mutex_lock(&exporter->mutex);
    exporter->fraction = fraction;
    snprintf(exporter->stage, sizeof(exporter->stage), "%s", stage);
    bool goOn = !exporter->cancelled;
    pthread_mutex_unlock(&exporter->mutex);
    return goOn;
}

static void* Work(void* context)
{
    qvuiExporter* exporter = context;
    qvJob job = { .progress = ReportProgress, .context = exporter };
    qvError error = { 0 };
    qvExportReport report = { 0 };
    qvTakeExport def = exporter->def;
    def.options.job = &job;
    qvResult result = qvCreatePool(0, &job.pool, &error);
    if (result == qv_ok)
        result = exporter->writes ? qvExportTake(exporter->take, &def, exporter->path, &report, &error)
                                  : qvEstimateTake(exporter->take, &def, exporter->path, &report, &error);
    qvDestroyPool(job.pool);
    pthread_mutex_lock(&exporter->mutex);
    exporter->result = result;
    exporter->report = report;
    exporter->error = error;
    exporter->finished = true;
    pthread_mutex_unlock(&exporter->mutex);
    return NULL;
}

qvResult qvuiExporter_Start(qvuiExporter* exporter, const qvTake* take, const qvTakeExport* def, const char* path,
                            bool writes, qvError* error)
{
    qvuiExporter_Cancel(exporter);
    if (strlen(path) >= sizeof(exporter->path))
        return qvError_Set(error, qv_badInput, "%.80s…: the path is too long; choose another folder", path);
    *exporter = (qvuiExporter){ .running = true, .writes = writes, .def = *def, .stage = "baking" };
    memcpy(exporter->path, path, strlen(path) + 1);
    exporter->take = qvRetainTake(take);
    pthread_mutex_init(&exporter->mutex, NULL);
    if (pthread_create(&exporter->thread, NULL, Work, exporter) == 0)
        return qv_ok;
    pthread_mutex_destroy(&exporter->mutex);
    qvReleaseTake(exporter->take);
    exporter->running = false;
    return qvError_Set(error, qv_outOfMemory, "cannot start a thread to export; close other programs");
}

static void Join(qvuiExporter* exporter)
{
    pthread_join(exporter->thread, NULL);
    pthread_mutex_destroy(&exporter->mutex);
    qvReleaseTake(exporter->take);
    exporter->take = NULL;
    exporter->running = false;
}

void qvuiExporter_Cancel(qvuiExporter* exporter)
{
    if (!exporter->running)
        return;
    pthread_mutex_lock(&exporter->mutex);
    exporter->cancelled = true;
    pthread_mutex_unlock(&exporter->mutex);
    Join(exporter);
}

bool qvuiExporter_Progress(qvuiExporter* exporter, double* fraction, char* stage)
{
    if (!exporter->running)
        return false;
    pthread_mutex_lock(&exporter->mutex);
    *fraction = exporter->fraction;
    memcpy(stage, exporter->stage, sizeof(exporter->stage));
    pthread_mutex_unlock(&exporter->mutex);
    return true;
}

bool qvuiExporter_Collect(qvuiExporter* exporter)
{
    if (!exporter->running)
        return false;
    pthread_mutex_lock(&exporter->mutex);
    bool finished = exporter->finished;
    pthread_mutex_unlock(&exporter->mutex);
    if (finished)
        Join(exporter);
    return finished;
}
