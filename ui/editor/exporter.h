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
    bool changes;            ///< holds a body whose topology changes
    bool bones;              ///< holds a skin
    bool packs;              ///< may be compressed
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
    qvuiTask task;           ///< its progress, result and error are the exporter's; cancel and end it as such
    bool writes;             ///< what was asked for last; false: an estimate
    char path[qvui_maxPath]; ///< of it
    qvExportReport report;   ///< once collected
} qvuiExporter;

/// Starts; what is running is given up. The take is retained.
QV_CHECKED qvResult qvuiExporter_Start(qvuiExporter* exporter, const qvTake* take, const qvuiExportRequest* request,
                                       const char* path, bool writes, qvError* error);
/// Whether a file is being written, and nobody has asked to stop.
bool qvuiExporter_IsWriting(const qvuiExporter* exporter);
/// True once when it has finished.
bool qvuiExporter_Collect(qvuiExporter* exporter);
