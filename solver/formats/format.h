// SPDX-License-Identifier: GPL-3.0-or-later
// What a file format provides. To add one: write format_x.c with its descriptor at the bottom, add a line to
// format_list.inl. Dialogs, the command line and the round-trip tests pick it up from there.
#pragma once

#include "formats/file_set.h"
#include "quaver/file.h"
#include "quaver/job.h"
#include "quaver/mesh.h"
#include "quaver/model.h"

#include <stdbool.h>

/// The file being read. data is followed by a zero byte.
typedef struct qvReadInput
{
    const char* data;
    size_t size;
    const char* name;   ///< for messages
    const char* folder; ///< where files that it refers to are, NULL: refuse them
    const qvLoadOptions* options;
    qvNotes* notes;
} qvReadInput;

typedef struct qvFormat
{
    qvFormatInfo info;
    /// True when the first bytes can only be this format; NULL: known by its extension only.
    bool (*recognize)(const char* data, size_t size);
    /// Fills model->mesh, report and what else the file holds. Messages name the place ("line 12: …", "byte 84: …");
    /// the caller puts the file's name before them and frees a half-filled model. NULL: cannot read.
    qvResult (*read)(const qvReadInput* input, qvModel* model, qvError* error);
    /// Writes to the stream of the first file with positions in place of the mesh's (never NULL), and adds files beside
    /// it (.mtl, .bin); the caller commits. NULL: cannot write.
    qvResult (*write)(const qvModel* model, const qvVec3f* positions, qvFileSet* files, qvError* error);
} qvFormat;

/// Adds a remark for the user; silently drops it when memory runs out.
void qvNotes_Add(qvNotes* notes, const char* format, ...) QV_PRINTF(2, 3);

/// Makes model->mesh and model->report from what a reader found, with the options of the input.
QV_CHECKED qvResult qvReadInput_CreateMesh(const qvReadInput* input, qvMeshDef* def, qvModel* model, qvError* error);

/// Reads a file that the input refers to. uri is percent-decoded first (when isUri); anything that leaves the folder
/// (.., absolute, a scheme) is refused.
QV_CHECKED qvResult qvReadInput_ReadSibling(const qvReadInput* input, const char* uri, bool isUri, qvBytes* bytes,
                                            qvError* error);
