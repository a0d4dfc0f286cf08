// SPDX-License-Identifier: GPL-3.0-or-later
/// What the export dialog holds: what to write, under which name, and what that comes to.
#pragma once

#include "ui/editor/exporter.h"
#include "ui/editor/session.h"

typedef struct qvuiExportForm
{
    bool ready; ///< the options have been set once
    qvuiExportRequest request;
    int preset;      ///< 0: none, else 1 + index
    bool fromScene;  ///< a picture has the scene's camera or holds the whole motion; else what the window shows
    bool hasEncoder; ///< ffmpeg is there
    char folder[qvui_maxPath];  ///< where relative names start, absolute
    char name[qvui_maxPath];    ///< as typed
    char written[qvui_maxPath]; ///< what was written since the dialog opened, and may be again
    float rowsHeight;           ///< of the options, pixels
    bool isSource;              ///< the name is that of a file that the mesh is made from
    bool wantsEstimate;
    bool estimated; ///< the report is valid
    bool done;      ///< it was written
    qvExportReport report;
    char problem[512];
} qvuiExportForm;

/// A document comes: its name, in the folder of the last export ("": none), else in its own, else where the user's
/// files go. Never that of a file that it is made from.
void qvuiExportForm_Open(qvuiExportForm* form, const qvuiSession* session, const char* lastFolder);

/// The name's ending follows the format.
void qvuiExportForm_SetFormat(qvuiExportForm* form, const qvuiSession* session, int format);
/// The format follows the name's ending; a name without a known one gets it.
void qvuiExportForm_FollowName(qvuiExportForm* form);

/// The absolute path of what was typed: a name in the folder, or a path of its own.
void qvuiExportForm_Path(const qvuiExportForm* form, char* path, size_t capacity);
/// The first file that is written, which is another one for a sequence.
void qvuiExportForm_FirstFile(const qvuiExportForm* form, char* path, size_t capacity);
