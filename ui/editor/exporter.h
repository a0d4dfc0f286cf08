// SPDX-License-Identifier: GPL-3.0-or-later
/// Bakes and writes a take, draws it as a picture or a film, or only estimates what a bake comes to, on a thread of its
/// own.
#pragma once

#include "quaver/take.h"
#include "ui/editor/path.h"
#include "ui/editor/task.h"
#include "ui/film_entry.h"

/// A way out: the library's for motion, and drawn ones.
typedef struct qvuiExportFormat
{
    const char *tag, *label; ///< "glb", "glTF binary"
    bool usesOptions;        ///< error, targets and so on matter
    bool isDrawn, isStill;   ///< a picture or a film; a picture
    bool isSequence;         ///< a file per frame: name_0000.obj
} qvuiExportFormat;

int qvuiExportFormatCount(void);
qvuiExportFormat qvuiGetExportFormat(int index);

/// What to write.
typedef struct qvuiExportRequest
{
    int format;
    qvTakeExport bake;
    qvuiFilmDef film; ///< of a drawn format; its moments are the bake's
} qvuiExportRequest;

typedef struct qvuiExporter
{
    qvuiTask task; ///< its progress, result and error are the exporter's
    bool writes;   ///< false: an estimate
    const qvTake* take;
    qvuiExportRequest request;
    qvSceneCamera camera; ///< of the film, if it has one
    char path[qvui_maxPath];
    qvExportReport report; ///< once collected
} qvuiExporter;

/// Starts; what is running is given up first. The take is retained.
QV_CHECKED qvResult qvuiExporter_Start(qvuiExporter* exporter, const qvTake* take, const qvuiExportRequest* request,
                                       const char* path, bool writes, qvError* error);
/// Asks the thread to stop and waits for it.
void qvuiExporter_Cancel(qvuiExporter* exporter);
/// True once when it has finished.
bool qvuiExporter_Collect(qvuiExporter* exporter);
