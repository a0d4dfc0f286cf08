// SPDX-License-Identifier: GPL-3.0-or-later
// The common edits, in terms of the one list of edits.
#include "scene/codec.h"
#include "scene/document.h"

#include "base/assert.h"

#include <stdlib.h>
#include <string.h>

static qvResult Set(qvDocument* document, qvRef object, const char* field, qvValue value, qvError* error)
{
    qvEdit edit = { .kind = qv_editSet, .object = object, .field = field, .value = value };
    return qvDocument_Apply(document, &edit, NULL, error);
}

qvResult qvDocument_SetNumber(qvDocument* document, qvRef object, const char* field, double value, qvError* error)
{
    return Set(document, object, field, qvNumberValue(value), error);
}

qvResult qvDocument_SetBool(qvDocument* document, qvRef object, const char* field, bool value, qvError* error)
{
    return Set(document, object, field, (qvValue){ qv_valueBool, 1, { value }, NULL }, error);
}

qvResult qvDocument_SetText(qvDocument* document, qvRef object, const char* field, const char* value, qvError* error)
{
    return Set(document, object, field, (qvValue){ qv_valueText, .data = value }, error);
}

qvResult qvDocument_SetNumbers(qvDocument* document, qvRef object, const char* field, const double* values, int count,
                               qvError* error)
{
    qvValue value = { qv_valueNumbers, .count = count };
    QV_ASSERT(count > 0 && count <= (int)(sizeof(value.numbers) / sizeof(value.numbers[0])));
    memcpy(value.numbers, values, (size_t)count * sizeof(*values));
    return Set(document, object, field, value, error);
}

qvResult qvDocument_SetCurve(qvDocument* document, qvRef object, const char* field, const qvCurve* curve,
                             qvError* error)
{
    qvJson* list = qvCreateJsonArray();
    bool isWhole = list != NULL;
    for (int i = 0; isWhole && i < curve->count; i++)
        isWhole = qvJson_AddNumbers(list, NULL, curve->knots[i], 2) != NULL;
    qvResult result = isWhole ? Set(document, object, field, qvJsonValue(list), error)
                              : qvError_OutOfMemory(error, 200.0 * curve->count);
    qvDestroyJson(list);
    return result;
}

qvResult qvDocument_Reset(qvDocument* document, qvRef object, const char* field, qvError* error)
{
    return Set(document, object, field, (qvValue){ 0 }, error);
}

qvResult qvDocument_SetFloats(qvDocument* document, qvRef object, const char* field, const float* values, int count,
                              qvError* error)
{
    bool isNone = values == NULL || count == 0;
    return Set(document, object, field, isNone ? (qvValue){ 0 } : (qvValue){ qv_valueFloats, count, { 0 }, values },
               error);
}

qvResult qvDocument_SetVertices(qvDocument* document, qvRef object, const char* field, const int32_t* vertices,
                                int count, qvError* error)
{
    // A key's set is a group: without vertices it is whole again.
    bool isGroup = strcmp(field, "only") == 0;
    if (count == 0)
        return qvDocument_Reset(document, object, field, error);
    return Set(document, object, isGroup ? "only.vertices" : field,
               (qvValue){ qv_valueVertices, count, { 0 }, vertices }, error);
}

qvResult qvDocument_Remove(qvDocument* document, qvRef object, qvError* error)
{
    qvEdit edit = { .kind = qv_editRemove, .object = object };
    return qvDocument_Apply(document, &edit, NULL, error);
}

// --- Adding ---------------------------------------------------------------------------------------------------------

// Adds an object like one that may be the caller's own, with arrays of any origin.
static qvResult AddObject(qvDocument* document, qvObjectKind kind, const void* object, qvId parent, qvId* added,
                          qvError* error)
{
    qvValue value = { qv_valueObject, .data = object };
    qvEdit edit = { .kind = qv_editAdd, .object = { kind, 0 }, .value = value, .parent = parent, .place = -1 };
    return qvDocument_Apply(document, &edit, added, error);
}

qvResult qvDocument_AddKey(qvDocument* document, const qvSceneKey* like, qvId* added, qvError* error)
{
    qvSceneKey key = *like;
    memset(key.tag, 0, sizeof(key.tag));
    return AddObject(document, qv_objectKey, &key, 0, added, error);
}

qvResult qvDocument_AddEvent(qvDocument* document, const qvSceneEvent* like, qvId* added, qvError* error)
{
    qvSceneEvent event = *like;
    memset(event.tag, 0, sizeof(event.tag));
    return AddObject(document, qv_objectEvent, &event, 0, added, error);
}

qvResult qvDocument_AddSimulation(qvDocument* document, const qvSceneSimulation* like, qvId* added, qvError* error)
{
    qvSceneSimulation simulation = *like;
    memset(simulation.tag, 0, sizeof(simulation.tag));
    return AddObject(document, qv_objectSimulation, &simulation, 0, added, error);
}

qvResult qvDocument_AddStroke(qvDocument* document, qvId key, const qvStroke* stroke, const float* mask,
                              int vertexCount, qvId* added, qvError* error)
{
    qvBlob blob = { (size_t)vertexCount * sizeof(*mask), mask };
    qvSceneStroke made = { .stroke = *stroke, .mask = mask != NULL ? &blob : NULL };
    return AddObject(document, qv_objectStroke, &made, key, added, error);
}

qvResult qvDocument_AddPin(qvDocument* document, const int32_t* vertices, int count, qvId* added, qvError* error)
{
    qvBlob blob = { (size_t)count * sizeof(*vertices), vertices };
    qvScenePin pin = { 0 };
    qvResetFields(qv_objectPin, &pin);
    pin.where.vertices = count > 0 ? &blob : NULL;
    return AddObject(document, qv_objectPin, &pin, 0, added, error);
}

// --- Several fields at once -----------------------------------------------------------------------------------------

static qvResult SetFields(qvDocument* document, qvRef object, const qvFieldValue* fields, int count, qvError* error)
{
    return Set(document, object, NULL, (qvValue){ qv_valueFields, count, { 0 }, fields }, error);
}

// Every field of an object, those at their defaults too. Arrays stay, and the id in files.
static qvResult SetAll(qvDocument* document, qvRef ref, const void* object, qvError* error)
{
    const qvKindInfo* info = qvGetKind(ref.kind);
    qvFieldValue* fields = qvAllocateRaw((size_t)info->rowCount, sizeof(*fields));
    int count = 0;
    if (fields == NULL)
        return qvError_OutOfMemory(error, info->rowCount * sizeof(*fields));
    for (int i = 0; i < info->rowCount; i++)
    {
        const qvRow* row = &info->rows[i];
        if (row->codec == &qvCodecFloats || row->codec == &qvCodecPath || row->offset + 1 == info->tag)
            continue;
        fields[count++] = (qvFieldValue){ row->field.tag, { qv_valueObject, .data = object } };
    }
    qvResult result = SetFields(document, ref, fields, count, error);
    free(fields);
    return result;
}

qvResult qvDocument_SetClip(qvDocument* document, const qvRig* rig, int clip, qvError* error)
{
    QV_ASSERT(clip < qvRig_ClipCount(rig));
    const char* name = clip >= 0 ? qvTellingClipName(rig, clip) : NULL;
    const qvFieldValue fields[] = {
        { "on", { qv_valueBool, 1, { clip >= 0 }, NULL } },
        { "name", { name != NULL ? qv_valueText : qv_valueDefault, .data = name } },
        { "number", name != NULL ? (qvValue){ 0 } : qvNumberValue(clip + 1) },
    };
    return SetFields(document, (qvRef){ qv_objectClip, 0 }, fields, clip >= 0 ? 3 : 1, error);
}

qvResult qvDocument_SetStroke(qvDocument* document, qvId stroke, const qvStroke* value, qvError* error)
{
    qvSceneStroke made = { .stroke = *value };
    return SetAll(document, (qvRef){ qv_objectStroke, stroke }, &made, error);
}

qvResult qvDocument_SetEvent(qvDocument* document, qvId event, const qvSceneEvent* value, qvError* error)
{
    return SetAll(document, (qvRef){ qv_objectEvent, event }, value, error);
}

qvResult qvDocument_SetSpan(qvDocument* document, qvId simulation, double time, double until, qvError* error)
{
    const qvFieldValue fields[] = { { "time", qvNumberValue(time) }, { "until", qvNumberValue(until) } };
    return SetFields(document, (qvRef){ qv_objectSimulation, simulation }, fields, 2, error);
}

qvResult qvDocument_SetTimes(qvDocument* document, const qvRef* objects, const double* times, int count, qvError* error)
{
    qvObjectTime* all = qvAllocateRaw((size_t)count, sizeof(*all));
    if (all == NULL)
        return qvError_OutOfMemory(error, count * sizeof(*all));
    for (int i = 0; i < count; i++)
        all[i] = (qvObjectTime){ objects[i].id, times[i] };
    qvEdit edit = { .kind = qv_editTimes, .object = { qv_objectKey, 0 } };
    edit.value = (qvValue){ qv_valueTimes, count, { 0 }, all };
    qvResult result = qvDocument_Apply(document, &edit, NULL, error);
    free(all);
    return result;
}

qvResult qvDocument_SetOffsets(qvDocument* document, qvId key, const qvVec3f* offsets, int vertexCount, qvError* error)
{
    QV_ASSERT(vertexCount > 0);
    qvBlob blob = { (size_t)vertexCount * sizeof(*offsets), offsets };
    qvSceneKey made = { .base = qv_baseOffsets, .offsets = &blob };
    const qvFieldValue fields[] = { { "base", { qv_valueObject, .data = &made } }, { "strokes", { 0 } } };
    return SetFields(document, (qvRef){ qv_objectKey, key }, fields, 2, error);
}

qvResult qvDocument_SetVelocities(qvDocument* document, qvId key, const qvVec3f* velocities, int vertexCount,
                                  qvError* error)
{
    QV_ASSERT(vertexCount > 0);
    qvBlob blob = { (size_t)vertexCount * sizeof(*velocities), velocities };
    qvSceneKey made = { .velocityMode = qv_velocitySet, .after = { .given = true, .offsets = &blob } };
    const qvValue value = { qv_valueObject, .data = &made };
    const qvFieldValue fields[] = { { "velocity.mode", value }, { "velocity.value", value } };
    return SetFields(document, (qvRef){ qv_objectKey, key }, fields, 2, error);
}
