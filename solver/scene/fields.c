// SPDX-License-Identifier: GPL-3.0-or-later
// Looking up kinds, rows and objects.
#include "scene/fields.h"

#include "base/assert.h"
#include "base/hash.h"

#include <string.h>

const qvKindInfo* qvGetKind(qvObjectKind kind)
{
    static const qvKindInfo* const kinds[qv_objectKindCount] = {
#define QV_OBJECT(word, name) [qv_object##name] = &qvKind##name,
#include "quaver/object_list.inl"
#undef QV_OBJECT
    };
    QV_ASSERT((unsigned)kind < qv_objectKindCount);
    return kinds[kind];
}

const char* qvObjectKind_Word(qvObjectKind kind)
{
    static const char* const words[qv_objectKindCount] = {
#define QV_OBJECT(word, name) #word,
#include "quaver/object_list.inl"
#undef QV_OBJECT
    };
    QV_ASSERT((unsigned)kind < qv_objectKindCount);
    return words[kind];
}

bool qvScene_NextList(const qvScene* scene, qvSceneList* list)
{
    return qvObject_NextList(qv_objectScene, scene, list);
}

bool qvObject_NextList(qvObjectKind kind, const void* object, qvSceneList* list)
{
    const qvKindInfo* info = qvGetKind(kind);
    const qvRow* row = list->row != NULL ? list->row + 1 : info->rows;
    while (row < info->rows + info->rowCount && row->codec != &qvCodecList)
        row++;
    if (row == info->rows + info->rowCount)
        return false;
    list->row = row, list->kind = row->kind;
    list->items = *(const void* const* const*)((const char*)object + row->offset);
    list->count = *(const int*)((const char*)object + row->extent);
    return true;
}

const qvRow* qvFindRow(qvObjectKind kind, const char* tag)
{
    const qvKindInfo* info = qvGetKind(kind);
    for (int i = 0; i < info->rowCount; i++)
    {
        if (strcmp(info->rows[i].field.tag, tag) == 0)
            return &info->rows[i];
    }
    return NULL;
}

static const qvParameter* FindParameter(const qvRow* row, const void* object)
{
    const qvBrush* brush = *(const qvBrush* const*)((const char*)object + row->brush - 1);
    for (int i = 0; i < brush->parameterCount; i++)
    {
        if (strcmp(brush->parameters[i].tag, row->field.tag) == 0)
            return &brush->parameters[i];
    }
    return NULL;
}

qvRow qvRow_For(const qvRow* row, const void* object)
{
    qvRow own = *row;
    const qvParameter* parameter = row->brush != 0 ? FindParameter(row, object) : NULL;
    if (parameter == NULL)
        return own;
    own.field.minimum = parameter->minimum;
    own.field.maximum = parameter->maximum;
    // The brush's radius is a fraction of the diagonal; here 0 stands for that.
    if (row->offset != row->brush - 1 + offsetof(qvStroke, radius) - offsetof(qvStroke, brush))
    {
        own.field.standard = parameter->standard[0];
        memcpy(own.standards, parameter->standard, sizeof(parameter->standard));
    }
    return own;
}

bool qvRow_IsMember(const qvRow* row, const qvRow* group)
{
    size_t length = strlen(group->field.tag);
    return strncmp(row->field.tag, group->field.tag, length) == 0 && row->field.tag[length] == '.';
}

void qvResetFields(qvObjectKind kind, void* object)
{
    const qvKindInfo* info = qvGetKind(kind);
    for (int i = 0; i < info->rowCount; i++)
    {
        qvRow row = qvRow_For(&info->rows[i], object); // the row of the brush comes first
        row.codec->reset(&row, object);
    }
}

uint64_t qvHashFields(qvObjectKind kind, const void* object)
{
    const qvKindInfo* info = qvGetKind(kind);
    uint64_t hash = (uint64_t)kind;
    for (int i = 0; i < info->rowCount; i++)
        hash = info->rows[i].codec->hash(&info->rows[i], object, hash);
    if (info->extra != 0)
        hash = qvHash_Combine(hash, qvBlob_Hash(*(const qvBlob* const*)((const char*)object + info->extra - 1)));
    return hash;
}

uint64_t qvHashInputs(qvObjectKind kind, const void* object, qvStage stage, uint64_t hash)
{
    const qvKindInfo* info = qvGetKind(kind);
    for (int i = 0; i < info->rowCount; i++)
    {
        if (info->rows[i].from <= stage)
            hash = info->rows[i].codec->hash(&info->rows[i], object, hash);
    }
    return hash;
}

uint64_t qvHashField(qvObjectKind kind, const void* object, const char* tag, uint64_t hash)
{
    const qvKindInfo* info = qvGetKind(kind);
    const qvRow* row = qvFindRow(kind, tag);
    QV_ASSERT(row != NULL);
    hash = row->codec->hash(row, object, hash);
    for (int i = 0; i < info->rowCount; i++)
    {
        if (qvRow_IsMember(&info->rows[i], row))
            hash = info->rows[i].codec->hash(&info->rows[i], object, hash);
    }
    return hash;
}

static const void* FindInList(const void* owner, const qvRow* row, qvId id)
{
    const void* const* items = *(const void* const* const*)((const char*)owner + row->offset);
    int count = *(const int*)((const char*)owner + row->extent);
    for (int i = 0; i < count; i++)
    {
        if (*(const qvId*)items[i] == id)
            return items[i];
    }
    return NULL;
}

const void* qvFindOwner(const qvScene* scene, qvRef ref, int* index)
{
    const qvKindInfo* info = qvGetKind(ref.kind);
    const qvRow* owners = qvFindRow(qv_objectScene, qvGetKind(info->owner)->list);
    const qvRow* row = qvFindRow(info->owner, info->list);
    const void* const* items = *(const void* const* const*)((const char*)scene + owners->offset);
    int count = *(const int*)((const char*)scene + owners->extent);
    for (int i = 0; i < count; i++)
    {
        if (FindInList(items[i], row, ref.id) == NULL)
            continue;
        *index = i;
        return items[i];
    }
    return NULL;
}

const void* qvFindObject(const qvScene* scene, qvRef ref)
{
    const qvKindInfo* info = qvGetKind(ref.kind);
    if (info->list == NULL)
        return (const char*)scene + info->embedded;
    int index;
    const void* owner = info->owner != qv_objectScene ? qvFindOwner(scene, ref, &index) : scene;
    return owner != NULL ? FindInList(owner, qvFindRow(info->owner, info->list), ref.id) : NULL;
}

// --- For everyone --------------------------------------------------------------------------------------------------

int qvFieldCount(qvObjectKind kind)
{
    return qvGetKind(kind)->rowCount;
}

const qvField* qvGetField(qvObjectKind kind, int index)
{
    const qvKindInfo* info = qvGetKind(kind);
    QV_ASSERT(index >= 0 && index < info->rowCount);
    return &info->rows[index].field;
}

const qvField* qvFindField(qvObjectKind kind, const char* tag)
{
    const qvRow* row = qvFindRow(kind, tag);
    return row != NULL ? &row->field : NULL;
}

bool qvField_Applies(const qvScene* scene, qvRef object, const qvField* field)
{
    const qvRow* row = qvFindRow(object.kind, field->tag);
    const void* found = qvFindObject(scene, object);
    if (row == NULL || found == NULL)
        return true;
    if (row->engine != NULL)
        return strcmp(row->engine, ((const qvSceneSimulation*)found)->engine) == 0;
    return row->brush == 0 || FindParameter(row, found) != NULL;
}

qvField qvField_For(const qvScene* scene, qvRef object, const qvField* field)
{
    const qvRow* row = qvFindRow(object.kind, field->tag);
    const void* found = qvFindObject(scene, object);
    return row == NULL || found == NULL ? *field : qvRow_For(row, found).field;
}

bool qvReadField(const qvScene* scene, qvRef object, const char* tag, double values[4])
{
    const qvRow* row = qvFindRow(object.kind, tag);
    const void* found = qvFindObject(scene, object);
    if (row == NULL || found == NULL || row->codec->get == NULL || row->codec->get(row, found, values) == 0)
        return false;
    if (row->isUnset && row->codec->isDefault(row, found))
        values[0] = NAN;
    return true;
}

bool qvReadInherited(const qvScene* scene, qvRef object, const char* tag, double values[4])
{
    const qvRow* row = qvFindRow(object.kind, tag);
    const qvSceneSimulation* simulation = object.kind == qv_objectSimulation ? qvFindObject(scene, object) : NULL;
    if (simulation == NULL || row == NULL || row->codec->get == NULL || !row->isUnset ||
        !row->codec->isDefault(row, simulation))
        return false;
    qvSceneSimulation resolved = *simulation;
    resolved.def = qvSceneSimulation_Resolve(simulation, scene);
    return !row->codec->isDefault(row, &resolved) && row->codec->get(row, &resolved, values) > 0;
}

const char* qvReadText(const qvScene* scene, qvRef object, const char* tag)
{
    const qvRow* row = qvFindRow(object.kind, tag);
    const void* found = qvFindObject(scene, object);
    if (row == NULL || found == NULL || row->field.type != qv_fieldText)
        return NULL;
    const void* field = (const char*)found + row->offset;
    return row->codec == &qvCodecText ? field : *(const char* const*)field;
}
