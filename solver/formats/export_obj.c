// SPDX-License-Identifier: GPL-3.0-or-later
// A sequence of OBJ files, one per frame, with one material library.
#include "formats/export.h"

#include "formats/obj.h"

static qvResult Write(const qvExportTask* task, qvError* error)
{
    return qvWriteSequence(task, qvAddObj, qvEstimateObj, error);
}

const qvExporter qvExporterObj = {
    .info = { .tag = "obj",
              .label = "OBJ sequence",
              .extensions = "obj",
              .changes = true,
              .parts = true,
              .sequence = true },
    .write = Write,
};
