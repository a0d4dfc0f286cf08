// SPDX-License-Identifier: GPL-3.0-or-later
/// A document: a scene being edited, with undo, a file, and a journal that survives a crash. Every change goes through
/// qvDocument_Apply, so that undo, the journal, scripts and tests see the same list of edits.
///
///     qvDocument* document;
///     if (qvOpenDocument("lean.json", &document, &error) == qv_ok)
///     {
///         qvRef material = { qv_objectMaterial, 0 };
///         qvResult result = qvDocument_SetNumber(document, material, "frequency", 3.5, &error);
///         result = qvDocument_Save(document, NULL, &error);
///     }
///     qvCloseDocument(document);
///
/// Used from one thread; snapshots (qvDocument_Scene, retained) may go to others.
#pragma once

#include "quaver/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qvDocument qvDocument;

/// A new document without a file; the scene's owner count grows.
QV_CHECKED qvResult qvCreateDocument(const qvScene* scene, qvDocument** document, qvError* error);
/// Opens a scene file. A file that another program has open is opened too, with a remark (qvDocument_Remark).
QV_CHECKED qvResult qvOpenDocument(const char* path, qvDocument** document, qvError* error);
/// Closes without saving; removes its journal and its lock. NULL is allowed.
void qvCloseDocument(qvDocument* document);

/// The scene now. Valid until the next change unless retained.
const qvScene* qvDocument_Scene(const qvDocument* document);
/// Grows with every change of the scene, undo and redo included.
uint64_t qvDocument_Revision(const qvDocument* document);
const char* qvDocument_Path(const qvDocument* document);   ///< "" while it has no file
const char* qvDocument_Folder(const qvDocument* document); ///< where relative files are looked up; "." without a file
bool qvDocument_IsDirty(const qvDocument* document);       ///< differs from the file, or from how it was made
const char* qvDocument_Remark(const qvDocument* document); ///< something the user should know, or ""

// --- Edits --------------------------------------------------------------------------------------------------------

typedef enum qvEditKind
{
    qv_editSet,    ///< value of a field
    qv_editAdd,    ///< a new object: of `object.kind`; a stroke goes into the stack of key `parent` at `place`
    qv_editRemove, ///< the object
    qv_editMove,   ///< a stroke to another place of its stack
    qv_editTimes,  ///< times of several keys, events, markers, simulations; in JSON a list of [id, time]
} qvEditKind;

/// What the value of an edit is.
typedef enum qvValueKind
{
    qv_valueDefault,  ///< that of the field
    qv_valueBool,     ///< numbers[0]
    qv_valueNumbers,  ///< one is a number, several are a vector, a rotation or a range
    qv_valueText,     ///< data: a text, or the tag of a choice
    qv_valueFloats,   ///< data: count floats
    qv_valueVertices, ///< data: count int32_t
    qv_valuePoints,   ///< data: count qvVec3
    qv_valueObject, ///< data: a struct of the object's kind (qvSceneKey), for all of it or for what the field has there
    qv_valueFields, ///< data: count qvFieldValue
    qv_valueTimes,  ///< data: count qvObjectTime
    qv_valueJson,   ///< data: a qvJson, as in files
} qvValueKind;

typedef struct qvValue
{
    qvValueKind kind;
    int count;
    double numbers[4];
    const void* data; ///< the caller's
} qvValue;

typedef struct qvFieldValue
{
    const char* field;
    qvValue value;
} qvFieldValue;

typedef struct qvObjectTime
{
    qvId id;
    double time; ///< s
} qvObjectTime;

/// What JSON of a file or a script says; NULL and null are the default. The tree must outlive the value.
qvValue qvJsonValue(const qvJson* json);

/// One edit. In the journal and in scripts it is a line of JSON.
typedef struct qvEdit
{
    qvEditKind kind;
    qvRef object;      ///< of qv_editAdd: its kind, and 0 or the id it had (redo)
    const char* field; ///< of qv_editSet; NULL: several at once, value is qv_valueFields or an object of JSON
    qvValue value;     ///< of qv_editSet and qv_editTimes; of qv_editAdd: the object
    qvId parent;       ///< of a new stroke: its key
    int place;         ///< -1: at the end
} qvEdit;

/// Checks and does it; added (may be NULL) gets the id of what was added. On failure nothing changes and the message
/// starts with the field's path. Every state of a document is a scene that can be saved and opened again: an edit that
/// would put two keys at one time, close a circle of bases or leave a key beyond the end of a loop is refused. Where
/// one field makes no sense without another, that goes along: choosing a mesh file lets go of the built-in shape;
/// switching "loop" on where the last key is the end moves the end on by an average gap; a key that is put beyond a
/// given end moves it along, but not in a loop, nor where the motion is cut before its last key. When a key goes, those
/// that have it as their base take over its base and strokes, so that their poses stay.
QV_CHECKED qvResult qvDocument_Apply(qvDocument* document, const qvEdit* edit, qvId* added, qvError* error);

/// For programs on top of the library that script a document or send edits to one; the journal writes the same lines.
/// The edit as a line of JSON: {"do": "set", "kind": "material", "field": "settle",
/// "value": 0.5}; "id" is the object's number. The scene is that of the document. Free with qvFreeText; NULL when
/// memory runs out.
char* qvPrintEdit(const qvEdit* edit, const qvScene* scene);
/// Does an edit that is given as such a line. "id" and "parent" may also be a key's or event's id in files, in quotes.
QV_CHECKED qvResult qvDocument_ApplyText(qvDocument* document, const char* text, size_t size, qvId* added,
                                         qvError* error);

// The common ones.
QV_CHECKED qvResult qvDocument_SetNumber(qvDocument* document, qvRef object, const char* field, double value,
                                         qvError* error);
QV_CHECKED qvResult qvDocument_SetBool(qvDocument* document, qvRef object, const char* field, bool value,
                                       qvError* error);
/// Texts and choices (by tag).
QV_CHECKED qvResult qvDocument_SetText(qvDocument* document, qvRef object, const char* field, const char* value,
                                       qvError* error);
/// Vectors, points, rotations, ranges.
QV_CHECKED qvResult qvDocument_SetNumbers(qvDocument* document, qvRef object, const char* field, const double* values,
                                          int count, qvError* error);
/// A value over time; a curve without knots is refused, numbers are for what stays the same.
QV_CHECKED qvResult qvDocument_SetCurve(qvDocument* document, qvRef object, const char* field, const qvCurve* curve,
                                        qvError* error);
QV_CHECKED qvResult qvDocument_Reset(qvDocument* document, qvRef object, const char* field, qvError* error);
QV_CHECKED qvResult qvDocument_Remove(qvDocument* document, qvRef object, qvError* error);

/// A key like the template (its id and tag are made anew).
QV_CHECKED qvResult qvDocument_AddKey(qvDocument* document, const qvSceneKey* like, qvId* added, qvError* error);
/// The clip of the mesh's file that plays, by its name where that says which one, or else by its number; -1: none.
QV_CHECKED qvResult qvDocument_SetClip(qvDocument* document, const qvRig* rig, int clip, qvError* error);
/// A stroke on top of a key's stack. mask has vertexCount floats or is NULL.
QV_CHECKED qvResult qvDocument_AddStroke(qvDocument* document, qvId key, const qvStroke* stroke, const float* mask,
                                         int vertexCount, qvId* added, qvError* error);
QV_CHECKED qvResult qvDocument_AddEvent(qvDocument* document, const qvSceneEvent* like, qvId* added, qvError* error);
/// Its length in time is that of the template.
QV_CHECKED qvResult qvDocument_AddSimulation(qvDocument* document, const qvSceneSimulation* like, qvId* added,
                                             qvError* error);
/// Both ends of a simulation, s; an INFINITY for `until` leaves the end to the scene.
QV_CHECKED qvResult qvDocument_SetSpan(qvDocument* document, qvId simulation, double time, double until,
                                       qvError* error);
/// Makes a simulation's body what a preset says: every field that any preset has, and nothing else. One step.
QV_CHECKED qvResult qvDocument_SetSimulationPreset(qvDocument* document, qvId simulation,
                                                   const qvSimulationPreset* preset, qvError* error);
/// Replaces all numbers of a stroke.
QV_CHECKED qvResult qvDocument_SetStroke(qvDocument* document, qvId stroke, const qvStroke* value, qvError* error);
/// Replaces all numbers and the name of an event; its mask and its path stay.
QV_CHECKED qvResult qvDocument_SetEvent(qvDocument* document, qvId event, const qvSceneEvent* value, qvError* error);
/// Times of several keys, events, markers and simulations at once, so that they may pass each other. A simulation keeps
/// its length.
QV_CHECKED qvResult qvDocument_SetTimes(qvDocument* document, const qvRef* objects, const double* times, int count,
                                        qvError* error);
/// A pose captured as displacements of the vertices from rest: the key's base, its strokes go.
QV_CHECKED qvResult qvDocument_SetOffsets(qvDocument* document, qvId key, const qvVec3f* offsets, int vertexCount,
                                          qvError* error);
/// A velocity captured per vertex, units/s in the coordinates of the key's pose: the key's "set" velocity.
QV_CHECKED qvResult qvDocument_SetVelocities(qvDocument* document, qvId key, const qvVec3f* velocities, int vertexCount,
                                             qvError* error);
/// Float per vertex ("weights" of the scene, "mask" of a stroke or event); NULL removes it.
QV_CHECKED qvResult qvDocument_SetFloats(qvDocument* document, qvRef object, const char* field, const float* values,
                                         int count, qvError* error);
/// Vertices of a pin or of a partial key ("only"); a count of 0 makes the key whole again.
QV_CHECKED qvResult qvDocument_SetVertices(qvDocument* document, qvRef object, const char* field,
                                           const int32_t* vertices, int count, qvError* error);
QV_CHECKED qvResult qvDocument_AddPin(qvDocument* document, const int32_t* vertices, int count, qvId* added,
                                      qvError* error);

// --- Undo ---------------------------------------------------------------------------------------------------------

/// Everything between Begin and End is one step with this label. Steps in a row with the same merge key other than 0
/// become one (a slider that is dragged). Nested calls count as the outermost. Without Begin every edit is a step.
/// Undo, redo and GoTo end a step that is open; End and Abort do nothing then.
void qvDocument_Begin(qvDocument* document, const char* label, uint64_t mergeKey);
void qvDocument_End(qvDocument* document);
/// Ends the step and takes back what it did; nothing remains in the history.
void qvDocument_Abort(qvDocument* document);
/// The next step does not merge with the last one (the mouse was released).
void qvDocument_Seal(qvDocument* document);

bool qvDocument_CanUndo(const qvDocument* document);
bool qvDocument_CanRedo(const qvDocument* document);
void qvDocument_Undo(qvDocument* document);
void qvDocument_Redo(qvDocument* document);
/// Steps for a history panel: 0 is the oldest that is kept ("Open"), position is where the document stands.
int qvDocument_StepCount(const qvDocument* document);
int qvDocument_StepPosition(const qvDocument* document);
const char* qvDocument_StepLabel(const qvDocument* document, int step);
/// The same with what it has changed and where, for people: "Velocity zero, key 2 at 0.42 s".
void qvDocument_DescribeStep(const qvDocument* document, int step, char* text, size_t capacity);
void qvDocument_GoTo(qvDocument* document, int step);
/// Upper bound of what the history may hold in memory; default 256 MB. Oldest steps go first.
void qvDocument_SetHistoryLimit(qvDocument* document, size_t bytes);

// --- Files --------------------------------------------------------------------------------------------------------

/// Saves; path NULL: where it came from. References to files are rewritten so that they still work from there. On
/// failure the document stays dirty. A lock file tells other programs who has it open.
QV_CHECKED qvResult qvDocument_Save(qvDocument* document, const char* path, qvError* error);
/// Saves to a path and copies the mesh file (and what it refers to) beside it.
QV_CHECKED qvResult qvDocument_Collect(qvDocument* document, const char* path, qvError* error);

/// What has become of a document's file.
typedef enum qvFileNews
{
    qv_fileSame,    ///< it holds what was opened or saved; also without a file
    qv_fileChanged, ///< another program has written another scene, or something else, to it
    qv_fileGone,    ///< it was deleted or moved away; the document counts as not saved from then on
} qvFileNews;

/// Looks at the document's file; cheap while nobody has touched it. version tells one change from the next.
qvFileNews qvDocument_LookAtFile(qvDocument* document, uint64_t* version);
/// Takes the lock of the file if it has not got it: another document of this program may have let it go since.
void qvDocument_Relock(qvDocument* document);

/// Starts to write a journal below folder (the user's state folder; made if needed).
QV_CHECKED qvResult qvDocument_StartJournal(qvDocument* document, const char* folder, qvError* error);
/// Before a program ends without having asked: closing the document then leaves its journal, as a crash would.
QV_CHECKED qvResult qvDocument_LeaveJournal(qvDocument* document, qvError* error);
/// Brings the journal up to date; called about twice a second, cheap when nothing changed. A failure (full disk) is
/// returned once and tried again later.
QV_CHECKED qvResult qvDocument_Flush(qvDocument* document, qvError* error);

/// A journal that a program left behind.
typedef struct qvLeftover
{
    char journal[4096];
    char path[4096]; ///< of the document; "" when it had none
    char name[qv_maxName];
    double age; ///< s since its last change
} qvLeftover;

/// Journals in folder whose program is gone and which hold unsaved changes; newest first. Returns how many (at most
/// capacity).
int qvFindLeftovers(const char* folder, qvLeftover* leftovers, int capacity);
/// Opens a document as its journal left it; it is dirty. Its history holds the edits that could be read.
QV_CHECKED qvResult qvRestoreLeftover(const qvLeftover* leftover, qvDocument** document, qvError* error);
/// Lets go of the leftover that the document was restored from, so that closing it does not remove the journal.
void qvDocument_LeaveLeftover(qvDocument* document);
void qvDiscardLeftover(const qvLeftover* leftover);

/// The user's folders, made from XDG_STATE_HOME and XDG_CACHE_HOME. False when there is no such place.
bool qvStateFolder(char* path, size_t capacity);
bool qvCacheFolder(char* path, size_t capacity);

#ifdef __cplusplus
}
#endif
