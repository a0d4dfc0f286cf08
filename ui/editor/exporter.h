// SPDX-License-Identifier: GPL-3.0-or-later
/// Bakes and writes a take, or only estimates what that comes to, on a thread of its own.
#pragma once

#include "quaver/take.h"
#include "ui/editor/path.h"
#include "ui/editor/task.h"

typedef struct qvuiExporter
{
    qvuiTask task; ///< its progress, result and error are the exporter's
    bool writes;   ///< false: an estimate
    const qvTake* take;
    qvTakeExport def;
    char path[qvui_maxPath];
    qvExportReport report; ///< once collected
} qvuiExporter;

/// Starts; what is running is given up first. The take is retained.
QV_CHECKED qvResult qvuiExporter_Start(qvuiExporter* exporter, const qvTake* take, const qvTakeExport* def,
                                       const char* path, bool writes, qvError* error);
/// Asks the thread to stop and waits for it.
void qvuiExporter_Cancel(qvuiExporter* exporter);
/// True once when it has finished.
bool qvuiExporter_Collect(qvuiExporter* exporter);
