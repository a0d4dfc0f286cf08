// SPDX-License-Identifier: GPL-3.0-or-later
/// Bakes and writes a take, or only estimates what that comes to, on a thread of its own.
#pragma once

#include "quaver/take.h"
#include "ui/editor/path.h"

#include <pthread.h>
#include <stdbool.h>

typedef struct qvuiExporter
{
    bool running; ///< a thread is at work or waits to be collected
    bool writes;  ///< false: an estimate
    pthread_t thread;
    pthread_mutex_t mutex; ///< guards the fields below while running
    bool cancelled, finished;
    double fraction;
    char stage[64];

    const qvTake* take;
    qvTakeExport def;
    char path[qvui_maxPath];
    qvExportReport report;
    qvResult result;
    qvError error;
} qvuiExporter;

/// Starts; what is running is given up first. The take is retained.
QV_CHECKED qvResult qvuiExporter_Start(qvuiExporter* exporter, const qvTake* take, const qvTakeExport* def,
                                       const char* path, bool writes, qvError* error);
/// Asks the thread to stop and waits for it.
void qvuiExporter_Cancel(qvuiExporter* exporter);
/// Progress; stage has at least 64 characters. False when nothing runs.
bool qvuiExporter_Progress(qvuiExporter* exporter, double* fraction, char* stage);
/// True once when it has finished: report, result and error hold then.
bool qvuiExporter_Collect(qvuiExporter* exporter);
