// SPDX-License-Identifier: GPL-3.0-or-later
/// What the export dialog holds: what to write, under which name, and what that comes to.
#pragma once

#include "ui/editor/exporter.h"
#include "ui/editor/session.h"

/// Ways to a smaller glTF file, each with what it would come to.
typedef enum qvuiSaving
{
    qvui_savingQuantize,
    qvui_savingError, ///< three times the error, or no longer a shape per frame
    qvui_savingCount,
} qvuiSaving;

typedef struct qvuiExportForm
{
    bool ready; ///< the options have been set once
    qvuiExportRequest request;
    int preset;                     ///< 0: none, else 1 + index
    int bones;                      ///< most of them, where the motion is to be a skin
    bool wantsBones;                ///< in formats that have them
    double shapesError, bonesError; ///< each has a usual one
    bool fromScene;  ///< a picture has the scene's camera or holds the whole motion; else what the window shows
    bool hasEncoder; ///< ffmpeg is there
    char folder[qvui_maxPath];  ///< where relative names start, absolute
    char name[qvui_maxPath];    ///< as typed
    char written[qvui_maxPath]; ///< what was written since the dialog opened, and may be again
    float rowsHeight;           ///< of the options, pixels
    bool isSource;              ///< the name is that of a file that the mesh is made from
    bool wantsEstimate;
    bool estimated; ///< the report is valid
    bool changes;   ///< the last bake had a body whose topology changes
    bool failed;    ///< what it comes to cannot be told; the problem says why
    bool done;      ///< it was written
    qvExportReport report;
    bool isLarge;                         ///< ways to a smaller file would take too long to estimate
    int saving;                           ///< that is being estimated; qvui_savingCount: none
    int nextSaving;                       ///< the first that is not estimated yet
    double savingBytes[qvui_savingCount]; ///< 0: not worth it
    char problem[512];
} qvuiExportForm;

/// A document comes: its name, in the folder of the last export ("": none), else in its own, else where the user's
/// files go. Never that of a file that it is made from.
void qvuiExportForm_Open(qvuiExportForm* form, const qvuiSession* session, const char* lastFolder);

/// The name's ending follows the format.
void qvuiExportForm_SetFormat(qvuiExportForm* form, const qvuiSession* session, int format);
/// The options follow the choice between shapes and bones, and what the format can.
void qvuiExportForm_UpdateBones(qvuiExportForm* form);
/// The format follows the name's ending; a name without a known one gets it.
void qvuiExportForm_FollowName(qvuiExportForm* form);

/// Why a format cannot hold what is exported, one sentence; NULL: it can.
const char* qvuiExportForm_WhyNot(const qvuiExportForm* form, int format);

/// The form is estimated anew, or written; then what was found of smaller files stays.
void qvuiExportForm_BeginEstimate(qvuiExportForm* form, bool writes);
/// An estimate has come, of the form as it is or of a way to a smaller file; ok: it did not fail. points: of the body.
void qvuiExportForm_TakeEstimate(qvuiExportForm* form, const qvExportReport* report, bool ok, int points);
/// Whether the file is so small that no way is looked for.
bool qvuiExportForm_IsSmall(const qvuiExportForm* form);
/// Finds the next way whose estimate is to be made. False when there is none.
bool qvuiExportForm_FindSaving(qvuiExportForm* form, qvExportOptions* options);
/// The options with that way taken. False where it would change nothing.
bool qvuiExportForm_Save(const qvuiExportForm* form, qvuiSaving saving, qvExportOptions* options);

/// The absolute path of what was typed: a name in the folder, or a path of its own.
void qvuiExportForm_Path(const qvuiExportForm* form, char* path, size_t capacity);
/// The first file that is written, which is another one for a sequence.
void qvuiExportForm_FirstFile(const qvuiExportForm* form, char* path, size_t capacity);
