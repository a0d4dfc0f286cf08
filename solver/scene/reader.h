// SPDX-License-Identifier: GPL-3.0-or-later
// Reading objects of a scene from JSON, or from structs of a caller, with the path of every mistake.
#pragma once

#include "scene/fields.h"

enum
{
    qv_maxFieldPath = 256
};

/// A key whose base is named by its tag: found when all keys are there.
typedef struct qvPendingBase
{
    qvSceneKey* key;
    char tag[qv_maxTag];
    char path[qv_maxFieldPath];
} qvPendingBase;

struct qvReader
{
    qvId nextId;          ///< for objects that are read
    const qvScene* scene; ///< that structs which are read refer to; JSON needs none
    qvJson* unknown;      ///< unknown members of the object being read; NULL: none yet
    QV_ARRAY(qvPendingBase) bases;
    char path[qv_maxFieldPath]; ///< where it is
    qvError* error;
};

/// Goes down to a member ("radius") or an item ("[3]"); returns what qvReader_Leave wants.
size_t qvReader_Enter(qvReader* reader, const char* name);
size_t qvReader_EnterItem(qvReader* reader, int index); // "[3]", of a list
void qvReader_Leave(qvReader* reader, size_t mark);

/// "path: message".
qvResult qvReader_Fail(qvReader* reader, const char* format, ...) QV_PRINTF(2, 3);
qvResult qvReader_OutOfMemory(qvReader* reader);

/// Keeps the members of json that are not among names (NULL-ended), as unknown fields of the field `tag`.
void qvReader_KeepUnknown(qvReader* reader, const char* tag, const qvJson* json, const char* const* names);

/// Keeps unknown fields with an object.
QV_CHECKED qvResult qvStoreUnknown(qvReader* reader, qvObjectKind kind, const qvJson* unknown, void* object);
/// Drops those that are inside a field which an edit has removed (a transform): they would not be written.
QV_CHECKED qvResult qvPruneUnknown(qvReader* reader, const qvScene* scene, qvObjectKind kind, void* object);

/// Whether a struct says something of a field: not what its default is.
bool qvRow_IsGiven(const qvRow* row, const void* object);
/// Reads all fields of an object that is at its defaults. Unknown fields stay in the reader.
QV_CHECKED qvResult qvReadFields(qvReader* reader, qvObjectKind kind, const qvValue* from, void* object);
/// One field of an object.
QV_CHECKED qvResult qvReadRow(qvReader* reader, qvObjectKind kind, const qvRow* row, const qvValue* value,
                              void* object);
/// All fields of an object of any state, with its unknown ones in `extra`.
QV_CHECKED qvResult qvReadWhole(qvReader* reader, qvObjectKind kind, const qvValue* from, void* object);
/// A new object of a list, with the next id.
QV_CHECKED qvResult qvReadObject(qvReader* reader, qvObjectKind kind, const qvValue* from, void** object);

/// Finds the keys that are bases in a list.
QV_CHECKED qvResult qvReader_ResolveBases(qvReader* reader, const qvSceneKey* const* keys, int count);
void qvReader_Free(qvReader* reader);

/// An object as in files; NULL when memory runs out.
qvJson* qvPrintObject(qvPrinter* printer, qvObjectKind kind, const void* object);

enum
{
    qv_sceneVersion = 2 ///< of the file format
};

/// Makes tags for items of a list, in the making, that have none: k1, k2 ... for keys. Nothing for kinds without tags.
QV_CHECKED qvResult qvMakeTags(qvReader* reader, qvObjectKind kind, const void* const* items, int count);
/// The name of a clip where that says which one it is; NULL: only its number does.
const char* qvTellingClipName(const qvRig* rig, int index);

/// A scene from a tree, which may be changed on the way.
QV_CHECKED qvResult qvReadSceneTree(qvJson* root, const qvScene** scene, qvError* error);
/// The tree of a scene file; NULL when memory runs out.
qvJson* qvPrintSceneTree(const qvScene* scene);

/// The rules that hold for a scene as a whole: unique tags, no cycle of bases, times apart, keys inside a loop. Holds
/// for every scene of a document, so that what is saved can be opened again.
QV_CHECKED qvResult qvCheckScene(const qvScene* scene, qvError* error);
