// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of fields. A row says everything about a field once: its qvField for people, where it is stored, and the
// codec that reads, prints, resets and hashes it. Files, edits, the inspector and the tests all walk these rows.
//
// A tag with a dot is a member of a group ("transform.translate"); the group has a row of its own, before its members.
#pragma once

#include "base/memory.h"
#include "quaver/document.h"
#include "quaver/take.h"
#include "scene/shared.h"

typedef struct qvRow qvRow;
typedef struct qvReader qvReader;

/// What printing needs to know, and whether memory ran out on the way.
typedef struct qvPrinter
{
    const qvScene* scene; ///< for the tags of bases
    bool failed;
} qvPrinter;

/// How a kind of value is stored and written. `object` is the struct that a table describes.
typedef struct qvCodec
{
    /// Checks value and stores it. The reader's path already names the field.
    qvResult (*read)(qvReader* reader, const qvRow* row, const qvValue* value, void* object);
    void (*print)(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name);
    bool (*isDefault)(const qvRow* row, const void* object);
    void (*reset)(const qvRow* row, void* object);
    uint64_t (*hash)(const qvRow* row, const void* object, uint64_t hash);
    int (*get)(const qvRow* row, const void* object, double* values); ///< returns how many; NULL: not numbers
} qvCodec;

struct qvRow
{
    qvField field;
    const qvCodec* codec;
    size_t offset;
    double standards[4]; ///< default of vectors, points and rotations
    size_t extent;       ///< of a text: its capacity; of a list: the offset of its count; of a curve: of its knots
    qvObjectKind kind;   ///< of a list or an embedded object: what it holds
    size_t present; ///< of a group that may be absent, its members and ranges: 1 + offset of the bool; 0: always there.
                    ///< Of an embedded object: its field "on", which null in a file switches off
    size_t brush;   ///< of a parameter of a brush: 1 + offset of the brush; 0: none
    const char* engine; ///< of a parameter of one engine of simulations: its tag; NULL: all have it
    bool required;      ///< must be in a file
    bool always;        ///< written even at its default
    bool isUnset;       ///< its default stands for "not given": qvReadField gives NAN
    qvStage from; ///< the first stage that may use it, by default the very first; QV_ROW_NAME: the motion does not
};

/// What the tables are about.
typedef struct qvKindInfo
{
    const char* label; ///< "key"
    const qvRow* rows;
    int rowCount;
    const char* list;         ///< where the scene, or its owner, holds such objects ("keys"); NULL: embedded once
    qvObjectKind owner;       ///< of those that another object of a list holds (strokes of keys); else the scene
    const qvSharedType* type; ///< NULL: embedded in the scene
    size_t embedded;          ///< offset in the scene then
    size_t extra;             ///< 1 + offset of the unknown fields; 0: they are with the scene's
    size_t time;              ///< 1 + offset of the time by which lists are sorted; 0: not sorted
    size_t tag;               ///< 1 + offset of its id in files, unique in its list; 0: it has none
    int limit;                ///< of objects in one list
    /// Rules beyond single fields; may be NULL.
    qvResult (*check)(qvReader* reader, const void* object);
} qvKindInfo;

#define QV_OBJECT(word, name) extern const qvKindInfo qvKind##name;
#include "quaver/object_list.inl"
#undef QV_OBJECT

const qvKindInfo* qvGetKind(qvObjectKind kind);
const qvRow* qvFindRow(qvObjectKind kind, const char* tag); ///< or NULL

/// A list of objects of a scene, or of an object. Start from { 0 }.
typedef struct qvSceneList
{
    const qvRow* row;
    qvObjectKind kind;
    const void* const* items;
    int count;
} qvSceneList;

/// The next list of a scene, in the order of its rows; false after the last.
bool qvScene_NextList(const qvScene* scene, qvSceneList* list);
/// The same of an object that holds others: the strokes of a key. Those of its velocities are not among them.
bool qvObject_NextList(qvObjectKind kind, const void* object, qvSceneList* list);

/// The row as it is for this object: range and default of its brush.
qvRow qvRow_For(const qvRow* row, const void* object);
/// Whether a row is a member of this group.
bool qvRow_IsMember(const qvRow* row, const qvRow* group);

/// Whether a text is UTF-8 (RFC 3629, section 4): what is not would come back changed from a file.
bool qvIsUtf8(const char* text);

/// Every field at its default.
void qvResetFields(qvObjectKind kind, void* object);
/// Hash of all fields, unknown ones too. Of a key without its base's tag, which only the scene knows.
uint64_t qvHashFields(qvObjectKind kind, const void* object);
/// Hash of all fields that a stage may use, on top of another: what caches know results by. A field that is new is in
/// it, unless its row says that only later stages use it.
uint64_t qvHashInputs(qvObjectKind kind, const void* object, qvStage stage, uint64_t hash);
/// The same of a single field, with its members where it is a group: for what takes few of an object's fields.
uint64_t qvHashField(qvObjectKind kind, const void* object, const char* tag, uint64_t hash);
/// The object (by kind and id) or NULL. Embedded ones are inside the scene.
const void* qvFindObject(const qvScene* scene, qvRef ref);
/// The object of a list that holds another (the key of a stroke) and its place there, or NULL.
const void* qvFindOwner(const qvScene* scene, qvRef ref, int* index);

extern const qvCodec qvCodecNumber, qvCodecInt, qvCodecDetail, qvCodecBool, qvCodecText, qvCodecSharedText,
    qvCodecVector, qvCodecRotation, qvCodecAxes, qvCodecChoice, qvCodecFlagChoice, qvCodecVelocityMode, qvCodecBrush,
    qvCodecPrimitive, qvCodecRange, qvCodecWeight, qvCodecFloats, qvCodecVertices, qvCodecBox, qvCodecPath, qvCodecBase,
    qvCodecSide, qvCodecList, qvCodecObject, qvCodecGroup, qvCodecCurve;

/// Of names and ids: no stage uses them.
#define QV_ROW_NAME .from = qv_stageCount

// Rows in the tables: struct, member, tag, label, unit, help, range, default.
#define QV_ROW(codecName, fieldType, owner, member, tagText, labelText, unitText, helpText, low, high, usual) \
    .field = { .tag = tagText,                                                                                \
               .label = labelText,                                                                            \
               .unit = unitText,                                                                              \
               .help = helpText,                                                                              \
               .type = fieldType,                                                                             \
               .minimum = low,                                                                                \
               .maximum = high,                                                                               \
               .standard = usual },                                                                           \
    .codec = &qvCodec##codecName, .offset = offsetof(owner, member)
