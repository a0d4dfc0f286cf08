// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/exporter.h"

#include <string.h>

static qvResult Work(void* context, qvJob* job, qvError* error)
{
    qvuiExporter* exporter = context;
    qvTakeExport def = exporter->def;
    def.options.job = job;
    qvResult result = qvCreatePool(0, &job->pool, error);
    if (result == qv_ok)
        result = exporter->writes ? qvExportTake(exporter->take, &def, exporter->path, &exporter->report, error)
                                  : qvEstimateTake(exporter->take, &def, exporter->path, &exporter->report, error);
    qvDestroyPool(job->pool);
    return result;
}

static void DropTake(qvuiExporter* exporter)
{
    qvReleaseTake(exporter->take);
    exporter->take = NULL;
}

qvResult qvuiExporter_Start(qvuiExporter* exporter, const qvTake* take, const qvTakeExport* def, const char* path,
                            bool writes, qvError* error)
{
    qvuiExporter_Cancel(exporter);
    if (strlen(path) >= sizeof(exporter->path))
        return qvError_Set(error, qv_badInput, "%.80s…: the path is too long; choose another folder", path);
    exporter->writes = writes;
    exporter->def = *def;
    exporter->report = (qvExportReport){ 0 };
    memcpy(exporter->path, path, strlen(path) + 1);
    exporter->take = qvRetainTake(take);
    qvResult result = qvuiTask_Start(&exporter->task, Work, exporter, "baking", error);
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
