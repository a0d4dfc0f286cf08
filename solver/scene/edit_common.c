// SPDX-License-Identifier: GPL-3.0-or-later
// The common edits, in terms of the one list of edits.
#include "scene/document.h"

#include "base/assert.h"

#include <stdlib.h>
#include <string.h>

// Applies a set of one field and frees the value. NULL stands for memory that ran out, unless the field is reset.
static qvResult SetValue(qvDocument* document, qvRef object, const char* field, qvJson* value, qvError* error)
{
    if (value == NULL)
        return qvError_OutOfMemory(error, 0.0);
    qvEdit edit = { .kind = qv_editSet, .object = object, .field = field, .value = value };
    qvResult result = qvDocument_Apply(document, &edit, NULL, error);
    qvDestroyJson(value);
    return result;
}

// The value in an array around it: JSON trees are built inside containers.
static qvResult SetFirst(qvDocument* document, qvRef object, const char* field, qvJson* list, qvError* error)
{
    qvEdit edit = { .kind = qv_editSet, .object = object, .field = field, .value = qvJson_First(list) };
    qvResult result =
        edit.value != NULL ? qvDocument_Apply(document, &edit, NULL, error) : qvError_OutOfMemory(error, 0.0);
    qvDestroyJson(list);
    return result;
}

qvResult qvDocument_SetNumber(qvDocument* document, qvRef object, const char* field, double value, qvError* error)
{
    qvJson* list = qvCreateJsonArray();
    qvJson_AddNumber(list, NULL, value);
    return SetFirst(document, object, field, list, error);
}

qvResult qvDocument_SetBool(qvDocument* document, qvRef object, const char* field, bool value, qvError* error)
{
    qvJson* list = qvCreateJsonArray();
    qvJson_AddBool(list, NULL, value);
    return SetFirst(document, object, field, list, error);
}

qvResult qvDocument_SetText(qvDocument* document, qvRef object, const char* field, const char* value, qvError* error)
{
    qvJson* list = qvCreateJsonArray();
    qvJson_AddString(list, NULL, value);
    return SetFirst(document, object, field, list, error);
}

qvResult qvDocument_SetNumbers(qvDocument* document, qvRef object, const char* field, const double* values, int count,
                               qvError* error)
{
    qvJson* list = qvCreateJsonArray();
    qvJson_AddNumbers(list, NULL, values, count);
    return SetFirst(document, object, field, list, error);
}

qvResult qvDocument_Reset(qvDocument* document, qvRef object, const char* field, qvError* error)
{
    qvEdit edit = { .kind = qv_editSet, .object = object, .field = field };
    return qvDocument_Apply(document, &edit, NULL, error);
}

qvResult qvDocument_Remove(qvDocument* document, qvRef object, qvError* error)
{
    qvEdit edit = { .kind = qv_editRemove, .object = object };
    return qvDocument_Apply(document, &edit, NULL, error);
}

// --- Adding ---------------------------------------------------------------------------------------------------------

// Adds an object as it would be in a file; it may be the caller's own, with arrays of any origin.
static qvResult AddObject(qvDocument* document, qvObjectKind kind, const void* object, qvId parent, qvId* added,
                          qvError* error)
{
    qvPrinter printer = { .scene = document->scene };
    qvJson* json = qvPrintObject(&printer, kind, object);
    qvEdit edit = { .kind = qv_editAdd, .object = { kind, 0 }, .value = json, .parent = parent, .place = -1 };
    qvResult result =
        printer.failed ? qvError_OutOfMemory(error, 0.0) : qvDocument_Apply(document, &edit, added, error);
    qvDestroyJson(json);
    return result;
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

// Every field of an object, those at their defaults too. Arrays stay, and the id in files.
static qvResult SetAll(qvDocument* document, qvRef ref, const void* object, qvError* error)
{
    const qvKindInfo* info = qvGetKind(ref.kind);
    qvPrinter printer = { .scene = document->scene };
    qvJson* fields = qvCreateJsonObject();
    for (int i = 0; i < info->rowCount; i++)
    {
        qvRow row = qvRow_For(&info->rows[i], object);
        if (row.codec == &qvCodecFloats || row.codec == &qvCodecPath || row.offset + 1 == info->tag)
            continue;
        if (!row.required && row.codec->isDefault(&row, object))
            qvJson_AddNull(fields, row.field.tag);
        else
            row.codec->print(&printer, &row, object, fields, row.field.tag);
    }
    return SetValue(document, ref, NULL, fields, error);
}

qvResult qvDocument_SetClip(qvDocument* document, const qvRig* rig, int clip, qvError* error)
{
    QV_ASSERT(clip < qvRig_ClipCount(rig));
    const char* name = clip >= 0 ? qvTellingClipName(rig, clip) : NULL;
    qvJson* fields = qvCreateJsonObject();
    qvJson_AddBool(fields, "on", clip >= 0);
    if (name != NULL)
        qvJson_AddString(fields, "name", name);
    else if (clip >= 0)
        qvJson_AddNull(fields, "name");
    if (clip >= 0 && name == NULL)
        qvJson_AddNumber(fields, "number", clip + 1);
    else if (clip >= 0)
        qvJson_AddNull(fields, "number");
    return SetValue(document, (qvRef){ qv_objectClip, 0 }, NULL, fields, error);
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
    qvJson* fields = qvCreateJsonObject();
    qvJson_AddNumber(fields, "time", time);
    qvJson_AddNumber(fields, "until", until); // an infinite one becomes null, which is the default
    return SetValue(document, (qvRef){ qv_objectSimulation, simulation }, NULL, fields, error);
}

qvResult qvDocument_SetTimes(qvDocument* document, const qvRef* objects, const double* times, int count, qvError* error)
{
    qvJson* pairs = qvCreateJsonArray();
    for (int i = 0; i < count; i++)
    {
        const double pair[2] = { objects[i].id, times[i] };
        qvJson_AddNumbers(pairs, NULL, pair, 2);
    }
    if (pairs == NULL)
        return qvError_OutOfMemory(error, 0.0);
    qvEdit edit = { .kind = qv_editTimes, .object = { qv_objectKey, 0 }, .value = pairs };
    qvResult result = qvDocument_Apply(document, &edit, NULL, error);
    qvDestroyJson(pairs);
    return result;
}

qvResult qvDocument_SetOffsets(qvDocument* document, qvId key, const qvVec3f* offsets, int vertexCount, qvError* error)
{
    QV_ASSERT(vertexCount > 0);
    qvBlob blob = { (size_t)vertexCount * sizeof(*offsets), offsets };
    qvSceneKey made = { .base = qv_baseOffsets, .offsets = &blob };
    qvPrinter printer = { .scene = document->scene };
    qvJson* fields = qvCreateJsonObject();
    const qvRow* row = qvFindRow(qv_objectKey, "base");
    row->codec->print(&printer, row, &made, fields, "base");
    qvJson_AddNull(fields, "strokes");
    if (!printer.failed)
        return SetValue(document, (qvRef){ qv_objectKey, key }, NULL, fields, error);
    qvDestroyJson(fields);
    return qvError_OutOfMemory(error, (double)blob.size);
}

qvResult qvDocument_SetVelocities(qvDocument* document, qvId key, const qvVec3f* velocities, int vertexCount,
                                  qvError* error)
{
    QV_ASSERT(vertexCount > 0);
    qvBlob blob = { (size_t)vertexCount * sizeof(*velocities), velocities };
    qvSceneKey made = { .velocityMode = qv_velocitySet, .after = { .given = true, .offsets = &blob } };
    qvPrinter printer = { .scene = document->scene };
    qvJson* fields = qvCreateJsonObject();
    qvJson_AddString(fields, "velocity.mode", "set");
    const qvRow* row = qvFindRow(qv_objectKey, "velocity.value");
    row->codec->print(&printer, row, &made, fields, row->field.tag);
    if (!printer.failed)
        return SetValue(document, (qvRef){ qv_objectKey, key }, NULL, fields, error);
    qvDestroyJson(fields);
    return qvError_OutOfMemory(error, (double)blob.size);
}

qvResult qvDocument_SetFloats(qvDocument* document, qvRef object, const char* field, const float* values, int count,
                              qvError* error)
{
    if (values == NULL || count == 0)
        return qvDocument_Reset(document, object, field, error);
    qvBlob blob = { (size_t)count * sizeof(*values), values };
    const qvBlob* slot = &blob;
    qvRow row = { .field.tag = field };
    qvPrinter printer = { .scene = document->scene };
    qvJson* parent = qvCreateJsonArray();
    qvCodecFloats.print(&printer, &row, &slot, parent, NULL);
    return SetFirst(document, object, field, parent, error);
}

qvResult qvDocument_SetVertices(qvDocument* document, qvRef object, const char* field, const int32_t* vertices,
                                int count, qvError* error)
{
    // A key's set is a group: without vertices it is whole again.
    bool isGroup = strcmp(field, "only") == 0;
    if (count == 0)
        return qvDocument_Reset(document, object, field, error);
    double* numbers = qvAllocateRaw((size_t)count, sizeof(*numbers));
    if (numbers == NULL)
        return qvError_OutOfMemory(error, count * sizeof(*numbers));
    for (int i = 0; i < count; i++)
        numbers[i] = vertices[i];
    qvResult result = qvDocument_SetNumbers(document, object, isGroup ? "only.vertices" : field, numbers, count, error);
    free(numbers);
    return result;
}
