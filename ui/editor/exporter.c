// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/exporter.h"

#include "quaver/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const qvuiExportFormat drawn[] = {
    { .tag = "png", .label = "Picture of this moment, PNG", .isDrawn = true, .isStill = true, .changes = true },
    { .tag = "gif", .label = "Film, GIF", .isDrawn = true, .changes = true },
    { .tag = "mp4", .label = "Film, MP4", .isDrawn = true, .changes = true },
};

int qvuiExportFormatCount(void)
{
    return qvExporterCount() + (int)(sizeof(drawn) / sizeof(drawn[0]));
}

qvuiExportFormat qvuiGetExportFormat(int index)
{
    if (index >= qvExporterCount())
        return drawn[index - qvExporterCount()];
    qvExporterInfo info = qvGetExporter(index);
    return (qvuiExportFormat){ .tag = info.tag,
                               .label = info.label,
                               .usesOptions = info.usesOptions,
                               .isSequence = info.sequence,
                               .changes = info.changes,
                               .bones = info.bones,
                               .packs = info.packs };
}

// What the thread reads and writes.
typedef struct Order
{
    bool writes;
    const qvTake* take;
    qvuiExportRequest request;
    qvSceneCamera camera; // of the film, if it has one
    char path[qvui_maxPath];
    qvExportReport report;
} Order;

static qvResult Draw(Order* order, const qvJob* job, qvError* error)
{
    const qvuiFilmDef* film = &order->request.film;
    bool still = qvuiGetExportFormat(order->request.format).isStill;
    qvMoments moments = { .total = 1, .count = 1 };
    struct stat file;
    const qvScene* scene = qvTake_Scene(order->take);
    bool isGif = qvPath_HasExtension(order->path, "gif");
    const char* remark = qvuiFilmRemark(&film->moments, scene, isGif);
    qvResult result = still ? qv_ok : qvuiFilmMoments(&film->moments, scene, isGif, &moments, error);
    if (result == qv_ok)
        result = qvuiDrawTake(order->take, film, order->path, job, error);
    order->report.frames = qvuiFilmFrames(&moments);
    if (remark != NULL)
        snprintf(order->report.warning, sizeof(order->report.warning), "%s", remark);
    if (result == qv_ok && stat(order->path, &file) == 0)
        order->report.bytes = (double)file.st_size;
    return result;
}

static qvResult Bake(Order* order, const qvJob* job, qvError* error)
{
    qvTakeExport def = order->request.bake;
    def.options.job = job;
    return order->writes ? qvExportTake(order->take, &def, order->path, &order->report, error)
                         : qvEstimateTake(order->take, &def, order->path, &order->report, error);
}

static qvResult Work(void* context, qvJob* job, qvError* error)
{
    Order* order = context;
    qvResult result = qvCreatePool(0, &job->pool, error);
    bool draws = qvuiGetExportFormat(order->request.format).isDrawn;
    const qvTake* whole = NULL;
    if (result == qv_ok)
        result = qvTake_Complete(order->take, job, &whole, error);
    if (result == qv_ok)
    {
        qvReleaseTake(order->take);
        order->take = whole;
    }
    if (result == qv_ok)
        result = draws ? Draw(order, job, error) : Bake(order, job, error);
    qvDestroyPool(job->pool);
    return result;
}

static void DropOrder(void* context)
{
    Order* order = context;
    qvReleaseTake(order->take);
    free(order);
}

qvResult qvuiExporter_Start(qvuiExporter* exporter, const qvTake* take, const qvuiExportRequest* request,
                            const char* path, bool writes, qvError* error)
{
    if (strlen(path) >= sizeof(exporter->path))
        return qvError_Set(error, qv_badInput, "%.80s…: the path is too long; choose another folder", path);
    Order* order = calloc(1, sizeof(*order));
    if (order == NULL)
        return qvError_OutOfMemory(error, sizeof(*order));
    exporter->writes = order->writes = writes;
    order->request = *request;
    order->request.film.moments = request->bake.bake;
    if (request->film.look.camera != NULL)
    {
        order->camera = *request->film.look.camera;
        order->request.film.look.camera = &order->camera;
    }
    memcpy(exporter->path, path, strlen(path) + 1);
    memcpy(order->path, path, strlen(path) + 1);
    order->take = qvRetainTake(take);
    const qvuiErrand errand = { .work = Work, .order = order, .drop = DropOrder, .stage = "starting" };
    return qvuiTask_Start(&exporter->task, &errand, error);
}

bool qvuiExporter_IsWriting(const qvuiExporter* exporter)
{
    return exporter->writes && qvuiTask_IsWanted(&exporter->task);
}

bool qvuiExporter_Collect(qvuiExporter* exporter)
{
    Order* order = qvuiTask_Collect(&exporter->task);
    if (order == NULL)
        return false;
    exporter->report = order->report;
    DropOrder(order);
    return true;
}
