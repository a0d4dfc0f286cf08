// SPDX-License-Identifier: GPL-3.0-or-later
// A sequence of PLY files, one per frame.
#include "formats/export.h"

#include "formats/ply.h"

static qvResult Write(const qvExportTask* task, qvError* error)
{
    return qvWriteSequence(task, qvAddPly, qvEstimatePly, error);
}

const qvExporter qvExporterPly = {
    .info = { .tag = "ply",
              .label = "PLY sequence",
              .extensions = "ply",
              .changes = true,
              .parts = true,
              .sequence = true },
    .write = Write,
};
