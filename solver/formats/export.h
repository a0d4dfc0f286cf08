// SPDX-License-Identifier: GPL-3.0-or-later
// What a way out for baked motion provides. To add one: write export_x.c with its descriptor at the bottom, add a line
// to exporter_list.inl.
#pragma once

#include "formats/file_set.h"
#include "quaver/animation.h"

typedef struct qvExportTask
{
    const qvAnimation* animation; ///< checked: finite, with increasing times
    const qvModel* model;         ///< never NULL
    const qvMesh* mesh;
    const double* times;     ///< [frameCount], the first of all is 0 unless a clip of the document is joined
    qvExportOptions options; ///< with the limits of the preset
    bool sparse;             ///< sparse accessors may be used
    const char* path;
    qvFileSet* files; ///< NULL: only estimate report->bytes
    qvExportReport* report;
} qvExportTask;

typedef struct qvExporter
{
    qvExporterInfo info;
    /// Adds files to task->files and fills the report but for the time, bytes and files written; the caller commits.
    qvResult (*write)(const qvExportTask* task, qvError* error);
} qvExporter;

/// Appends a sentence to the report's warning.
void qvExportReport_Warn(qvExportReport* report, const char* format, ...) QV_PRINTF(2, 3);

/// The positions of a frame, in the order of the mesh's vertices.
const qvVec3f* qvExportTask_Frame(const qvExportTask* task, int frame);

/// A frame whatever its topology: its mesh, which the positions belong to, as a model with the task's folder.
typedef struct qvExportFrame
{
    qvModel model;
    const qvVec3f* positions;
} qvExportFrame;

qvExportFrame qvExportTask_Any(const qvExportTask* task, int frame);

/// Adds a file of a sequence; common: the name that all of them have in common.
typedef qvResult qvAddFrameFcn(const qvModel* model, const qvVec3f* positions, const char* path, const char* common,
                               qvFileSet* files, qvError* error);

/// One file per frame, numbered, or what they would take.
QV_CHECKED qvResult qvWriteSequence(const qvExportTask* task, qvAddFrameFcn* add,
                                    double (*estimate)(const qvMesh* mesh), qvError* error);
