// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/exporter.h"

#include <string.h>
#include <sys/stat.h>

static const qvuiExportFormat drawn[] = {
    { .tag = "png", .label = "Picture of this moment, PNG", .isDrawn = true, .isStill = true },
    { .tag = "gif", .label = "Film, GIF", .isDrawn = true },
    { .tag = "mp4", .label = "Film, MP4", .isDrawn = true },
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
                               .isSequence = strcmp(info.tag, "obj") == 0 };
}

static qvResult Draw(qvuiExporter* exporter, const qvJob* job, qvError* error)
{
    const qvuiFilmDef* film = &exporter->request.film;
    bool still = qvuiGetExportFormat(exporter->request.format).isStill;
    qvMoments moments = { .count = 1 };
    struct stat file;
    qvResult result = still ? qv_ok : qvBakeDef_Moments(&film->moments, qvTake_Scene(exporter->take), &moments, error);
    if (result == qv_ok)
        result = qvuiDrawTake(exporter->take, film, exporter->path, job, error);
    exporter->report.frames = qvuiFilmFrames(&moments);
    if (result == qv_ok && stat(exporter->path, &file) == 0)
        exporter->report.bytes = (double)file.st_size;
    return result;
}

static qvResult Bake(qvuiExporter* exporter, const qvJob* job, qvError* error)
{
    qvTakeExport def = exporter->request.bake;
    def.options.job = job;
    return exporter->writes ? qvExportTake(exporter->take, &def, exporter->path, &exporter->report, error)
                            : qvEstimateTake(exporter->take, &def, exporter->path, &exporter->report, error);
}

static qvResult Work(void* context, qvJob* job, qvError* error)
{
    qvuiExporter* exporter = context;
    qvResult result = qvCreatePool(0, &job->pool, error);
    bool draws = qvuiGetExportFormat(exporter->request.format).isDrawn;
    if (result == qv_ok)
        result = draws ? Draw(exporter, job, error) : Bake(exporter, job, error);
    qvDestroyPool(job->pool);
    return result;
}

static void DropTake(qvuiExporter* exporter)
{
    qvReleaseTake(exporter->take);
    exporter->take = NULL;
}

qvResult qvuiExporter_Start(qvuiExporter* exporter, const qvTake* take, const qvuiExportRequest* request,
                            const char* path, bool writes, qvError* error)
{
    qvuiExporter_Cancel(exporter);
    if (strlen(path) >= sizeof(exporter->path))
        return qvError_Set(error, qv_badInput, "%.80s…: the path is too long; choose another folder", path);
    exporter->writes = writes;
    exporter->request = *request;
    exporter->request.film.moments = request->bake.bake;
    if (request->film.look.camera != NULL)
    {
        exporter->camera = *request->film.look.camera;
        exporter->request.film.look.camera = &exporter->camera;
    }
    exporter->report = (qvExportReport){ 0 };
    memcpy(exporter->path, path, strlen(path) + 1);
    exporter->take = qvRetainTake(take);
    qvResult result = qvuiTask_Start(&exporter->task, Work, exporter, "starting", error);
    if (result != qv_ok)
        DropTake(exporter);
    return result;
}

void qvuiExporter_Cancel(qvuiExporter* exporter)
{
    if (qvuiTask_Cancel(&exporter->task))
        DropTake(exporter);
}

bool qvuiExporter_Collect(qvuiExporter* exporter)
{
    if (!qvuiTask_Collect(&exporter->task))
        return false;
    DropTake(exporter);
    return true;
}
