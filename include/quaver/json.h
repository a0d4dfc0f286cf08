// SPDX-License-Identifier: GPL-3.0-or-later
/// JSON trees: reading with the place of every mistake, writing with numbers that round-trip exactly. A thin layer over
/// cJSON, which no other file includes.
///
/// Reading: qvJson_Get… functions take a path for messages ("keys[2].strokes[0]"), so a wrong type or a missing field
/// becomes one line that names the field.
#pragma once

#include "quaver/result.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A node of a JSON tree. The root owns the tree.
typedef struct cJSON qvJson;

typedef struct qvJsonLimits
{
    size_t maxValues; ///< values in the whole tree; each costs about 80 bytes of memory
    int maxDepth;     ///< nesting of arrays and objects, at most 500
} qvJsonLimits;

/// 4 million values, 64 levels.
qvJsonLimits qvDefaultJsonLimits(void);

/// Parses size bytes. A mistake is reported as "line 3, column 14: …". Limits NULL means the defaults. A number
/// that is not finite (1e999) is a mistake.
QV_CHECKED qvResult qvParseJson(const char* text, size_t size, const qvJsonLimits* limits, qvJson** root,
                                qvError* error);

/// Frees a tree. NULL is allowed.
void qvDestroyJson(qvJson* root);

/// A deep copy; NULL when memory runs out.
qvJson* qvJson_Copy(const qvJson* node);

/// Text of the tree with the shortest numbers that read back as the same doubles. Indented: two spaces, arrays of
/// plain numbers on one line. Free with qvFreeText. NULL when memory runs out.
char* qvJson_Print(const qvJson* node, bool indented);
void qvFreeText(char* text);

// Looking at a node. Every function accepts NULL and answers as for a missing node.
bool qvJson_IsObject(const qvJson* node);
bool qvJson_IsArray(const qvJson* node);
bool qvJson_IsNumber(const qvJson* node);
bool qvJson_IsString(const qvJson* node);
bool qvJson_IsBool(const qvJson* node);
bool qvJson_IsNull(const qvJson* node);
int qvJson_Count(const qvJson* node);                        ///< items of an array or members of an object, else 0
const char* qvJson_Name(const qvJson* node);                 ///< the name of a member, "" for anything else
const char* qvJson_Text(const qvJson* node);                 ///< of a string, else ""
double qvJson_Number(const qvJson* node);                    ///< of a number, else 0
int qvJson_Index(const qvJson* node);                        ///< of a number from 0 to INT_MAX, else -1
bool qvJson_Bool(const qvJson* node);                        ///< true only for true
qvJson* qvJson_First(const qvJson* node);                    ///< first item or member, or NULL
qvJson* qvJson_Next(const qvJson* node);                     ///< the one after, or NULL: walk long arrays this way
qvJson* qvJson_At(const qvJson* array, int index);           ///< costs index steps
qvJson* qvJson_Find(const qvJson* object, const char* name); ///< member by exact name, or NULL

// Reading a member of an object. A missing member leaves *value as it is (set the default before) and returns
// qv_ok; a member of the wrong type or out of [minimum, maximum] is an error "path.name: …".
QV_CHECKED qvResult qvJson_ReadNumber(const qvJson* object, const char* path, const char* name, double minimum,
                                      double maximum, double* value, qvError* error);
QV_CHECKED qvResult qvJson_ReadInt(const qvJson* object, const char* path, const char* name, int minimum, int maximum,
                                   int* value, qvError* error);
QV_CHECKED qvResult qvJson_ReadBool(const qvJson* object, const char* path, const char* name, bool* value,
                                    qvError* error);
/// *value points into the tree.
QV_CHECKED qvResult qvJson_ReadString(const qvJson* object, const char* path, const char* name, const char** value,
                                      qvError* error);
/// An array of exactly count finite numbers.
QV_CHECKED qvResult qvJson_ReadNumbers(const qvJson* object, const char* path, const char* name, int count,
                                       double* values, qvError* error);
/// *value is an array or object of the tree.
QV_CHECKED qvResult qvJson_ReadArray(const qvJson* object, const char* path, const char* name, qvJson** value,
                                     qvError* error);
QV_CHECKED qvResult qvJson_ReadObject(const qvJson* object, const char* path, const char* name, qvJson** value,
                                      qvError* error);

// Building. Adding to NULL does nothing and returns NULL, so that a failed allocation surfaces once, at the end, as
// a NULL from qvJson_Print.
qvJson* qvCreateJsonObject(void);
qvJson* qvCreateJsonArray(void);
qvJson* qvJson_AddObject(qvJson* object, const char* name); ///< name NULL: append to an array
qvJson* qvJson_AddArray(qvJson* object, const char* name);
qvJson* qvJson_AddNumber(qvJson* object, const char* name, double value); ///< NaN and infinities become null
qvJson* qvJson_AddString(qvJson* object, const char* name, const char* value);
qvJson* qvJson_AddBool(qvJson* object, const char* name, bool value);
qvJson* qvJson_AddNull(qvJson* object, const char* name);
qvJson* qvJson_AddNumbers(qvJson* object, const char* name, const double* values, int count);
/// Moves a root node into an object or array, which then owns it.
void qvJson_AddNode(qvJson* object, const char* name, qvJson* node);
/// Takes a member or item out of the tree and frees it. NULL is allowed.
void qvJson_Remove(qvJson* parent, qvJson* node);

#ifdef __cplusplus
}
#endif
