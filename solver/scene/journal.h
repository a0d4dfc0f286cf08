// SPDX-License-Identifier: GPL-3.0-or-later
// The journal: a file with a scene and the edits since, one line of JSON each, that survives the program.
//
//   {"quaver_journal": 2, "path": …, "folder": …, "name": …, "saved": hash, "next": id, "limit": bytes}
//   {"scene": {…}, "ids": […]}
//   {"begin": label, "key": merge key}  {"edit": {…}, "end": of the range}  {"end": 1}
//   {"abort": 1}  {"seal": 1}  {"step": -1}
//
// The system's lock on the file says that its program is alive. A last line that is torn is left out. When the edits
// outgrow the scene, or a step is undone to that the file does not know, it is written anew; every such file is an
// epoch. Journals of version 1 are those of programs that wrote scenes of version 1: keys replaced the clip.
#pragma once

#include "scene/document.h"

enum
{
    qv_journalVersion = 2
};

/// What happened in a document; NULL journals are allowed.
void qvJournal_Edit(qvDocument* document, const qvEdit* edit, qvId added);
void qvJournal_End(qvDocument* document);
void qvJournal_Abort(qvDocument* document);
void qvJournal_Seal(qvDocument* document);
void qvJournal_Step(qvDocument* document, int from, int to);
void qvJournal_Limit(qvDocument* document);
/// The file must be written anew: something changed that lines cannot say.
void qvJournal_Renew(qvDocument* document);
/// The next flush tells of a failure again.
void qvJournal_Retry(qvDocument* document);
/// The epoch that new steps belong to.
unsigned qvJournal_Epoch(const qvDocument* document);
/// Removes the file, unless qvDocument_LeaveJournal has asked for it: whether it stays.
bool qvJournal_Close(qvDocument* document);

/// Reads a journal into a document without one. Lines that cannot be read end it.
QV_CHECKED qvResult qvReplayJournal(const char* path, qvDocument** document, qvError* error);

/// Ids of all objects in the order of the file, for a list of numbers: what a scene file leaves out.
qvJson* qvPrintIds(const qvScene* scene);
/// Gives the ids to a scene that nobody else has seen yet.
QV_CHECKED qvResult qvReadIds(const qvJson* ids, const qvScene* scene, qvError* error);
