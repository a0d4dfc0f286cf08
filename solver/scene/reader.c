// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene/codec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

qvValue qvJsonValue(const qvJson* json)
{
    if (qvJson_IsNumber(json))
        return (qvValue){ qv_valueNumbers, 1, { qvJson_Number(json) }, NULL };
    if (qvJson_IsBool(json))
        return (qvValue){ qv_valueBool, 1, { qvJson_Bool(json) }, NULL };
    if (qvJson_IsString(json))
        return (qvValue){ qv_valueText, .data = qvJson_Text(json) };
    bool isNone = json == NULL || qvJson_IsNull(json);
    return (qvValue){ isNone ? qv_valueDefault : qv_valueJson, .data = json };
}

// --- Place ----------------------------------------------------------------------------------------------------------

// Appends as much as there is room for.
static void AppendPath(qvReader* reader, size_t used, const char* text, size_t length)
{
    size_t room = sizeof(reader->path) - 1 - used;
    length = length < room ? length : room;
    memcpy(reader->path + used, text, length);
    reader->path[used + length] = 0;
}

size_t qvReader_Enter(qvReader* reader, const char* name)
{
    size_t mark = strlen(reader->path), used = mark;
    if (mark > 0 && used + 1 < sizeof(reader->path))
        reader->path[used++] = '.';
    AppendPath(reader, used, name, strlen(name));
    return mark;
}

size_t qvReader_EnterItem(qvReader* reader, int index)
{
    char text[16];
    size_t mark = strlen(reader->path), first = sizeof(text);
    text[--first] = ']';
    for (int left = index; left > 0 || text[first] == ']'; left /= 10)
        text[--first] = (char)('0' + left % 10);
    text[--first] = '[';
    AppendPath(reader, mark, text + first, sizeof(text) - first);
    return mark;
}

void qvReader_Leave(qvReader* reader, size_t mark)
{
    reader->path[mark] = 0;
}

qvResult qvReader_Fail(qvReader* reader, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    qvError_SetV(reader->error, qv_badInput, format, args);
    va_end(args);
    if (reader->path[0] != 0)
        qvError_Prefix(reader->error, "%s", reader->path);
    return qv_badInput;
}

qvResult qvReader_OutOfMemory(qvReader* reader)
{
    return qvError_Set(reader->error, qv_outOfMemory, "not enough memory for the scene; close other programs");
}

void qvReader_Free(qvReader* reader)
{
    qvDestroyJson(reader->unknown);
    free(reader->bases.items);
    reader->unknown = NULL;
    reader->bases.items = NULL;
    reader->bases.count = reader->bases.capacity = 0;
}

// --- Unknown fields -------------------------------------------------------------------------------------------------

// The object among the unknown fields that stands for the field with this tag ("velocity.value"); "" is the whole.
static qvJson* UnknownOf(qvReader* reader, const char* tag)
{
    if (reader->unknown == NULL)
        reader->unknown = qvCreateJsonObject();
    qvJson* at = reader->unknown;
    while (*tag != 0)
    {
        char name[qv_maxTag];
        size_t length = strcspn(tag, ".");
        snprintf(name, sizeof(name), "%.*s", (int)length, tag);
        qvJson* next = qvJson_Find(at, name);
        at = next != NULL ? next : qvJson_AddObject(at, name);
        tag += length + (tag[length] == '.');
    }
    return at;
}

static void Keep(qvReader* reader, const char* tag, const qvJson* member)
{
    qvJson_AddNode(UnknownOf(reader, tag), qvJson_Name(member), qvJson_Copy(member));
}

void qvReader_KeepUnknown(qvReader* reader, const char* tag, const qvJson* json, const char* const* names)
{
    for (const qvJson* member = qvJson_First(json); member != NULL; member = qvJson_Next(member))
    {
        bool known = false;
        for (int i = 0; names[i] != NULL; i++)
            known = known || strcmp(names[i], qvJson_Name(member)) == 0;
        if (!known)
            Keep(reader, tag, member);
    }
}

static void KeepUnknownOfGroup(qvReader* reader, qvObjectKind kind, const qvRow* group, const qvJson* json)
{
    for (const qvJson* member = qvJson_First(json); member != NULL; member = qvJson_Next(member))
    {
        char tag[qv_maxName];
        snprintf(tag, sizeof(tag), "%s.%s", group->field.tag, qvJson_Name(member));
        if (qvFindRow(kind, tag) == NULL)
            Keep(reader, group->field.tag, member);
    }
}

// In the order of the table where it matters, so that a scene and what is read from its file are the same.
static void KeepUnknownFields(qvReader* reader, qvObjectKind kind, const qvJson* json)
{
    const qvKindInfo* info = qvGetKind(kind);
    for (int i = 0; i < info->rowCount; i++)
    {
        if (info->rows[i].codec == &qvCodecGroup)
            KeepUnknownOfGroup(reader, kind, &info->rows[i], qvJson_Find(json, info->rows[i].field.tag));
    }
    for (const qvJson* member = qvJson_First(json); member != NULL; member = qvJson_Next(member))
    {
        const char* name = qvJson_Name(member);
        bool isVersion = kind == qv_objectScene && strcmp(name, "quaver") == 0;
        bool isKnown = strchr(name, '.') == NULL && qvFindRow(kind, name) != NULL;
        if (!isKnown && !isVersion)
            Keep(reader, "", member);
    }
}

// --- Fields ---------------------------------------------------------------------------------------------------------

// The value of a field, inside its group if it is in one.
static const qvJson* FindValue(const qvJson* json, const char* tag)
{
    const char* dot = strchr(tag, '.');
    if (dot == NULL)
        return qvJson_Find(json, tag);
    char group[qv_maxTag];
    snprintf(group, sizeof(group), "%.*s", (int)(dot - tag), tag);
    return qvJson_Find(qvJson_Find(json, group), dot + 1);
}

// What a struct has in a field. Of what has parts it is the struct still.
static qvValue ValueIn(const qvRow* row, const void* from)
{
    const void* at = qvRow_At(row, from);
    const qvVertexSet* set = at;
    qvValue value = { .kind = row->field.type == qv_fieldBool ? qv_valueBool : qv_valueNumbers };
    if (row->codec == &qvCodecFloats)
        return qvBlobValue(qv_valueFloats, *(const qvBlob* const*)at, sizeof(float));
    if (row->codec == &qvCodecVertices)
        return qvBlobValue(qv_valueVertices, *(const qvBlob* const*)at, sizeof(int32_t));
    if (row->codec == &qvCodecPath)
        return qvBlobValue(qv_valuePoints, *(const qvBlob* const*)at, sizeof(qvVec3));
    if (row->codec == &qvCodecBox)
        return (qvValue){ qv_valuePoints, 2, { 0 }, &set->lower };
    if (row->field.type == qv_fieldText || row->codec == &qvCodecPrimitive)
        return (qvValue){ qv_valueText, .data = row->codec == &qvCodecText ? at : *(const char* const*)at };
    if (row->field.type == qv_fieldAxes)
        return (qvValue){ qv_valueText, .data = qvAxesText(*(const unsigned*)at) };
    bool isCurve = row->codec == &qvCodecCurve && *(const qvBlob* const*)((const char*)from + row->extent) != NULL;
    if (!isCurve && row->codec->get != NULL)
        value.count = row->codec->get(row, from, value.numbers);
    if (value.count > 0 && row->field.type == qv_fieldChoice)
        return (qvValue){ qv_valueText, .data = row->field.tags[(int)value.numbers[0]] };
    return value.count > 0 ? value : (qvValue){ qv_valueObject, .data = from };
}

static qvResult ReadValue(qvReader* reader, const qvRow* row, const qvValue* from, void* object)
{
    qvRow own = qvRow_For(row, object);
    qvValue taken = from->kind == qv_valueObject ? ValueIn(row, from->data) : *from;
    size_t mark = qvReader_Enter(reader, row->field.tag);
    qvResult result = own.codec->read(reader, &own, &taken, object);
    qvReader_Leave(reader, mark);
    return result;
}

static qvResult FailMissing(qvReader* reader, const qvRow* row)
{
    size_t mark = qvReader_Enter(reader, row->field.tag);
    qvResult result = qvReader_Fail(reader, "is missing");
    qvReader_Leave(reader, mark);
    return result;
}

bool qvRow_IsGiven(const qvRow* row, const void* object)
{
    qvRow own = qvRow_For(row, object);
    bool isAlways = row->required || (row->codec == &qvCodecGroup && row->present == 0);
    return isAlways || !own.codec->isDefault(&own, object);
}

// What is said of a field; false: nothing.
static bool FindMember(const qvValue* from, const qvRow* row, qvValue* value)
{
    *value = *from;
    if (from->kind == qv_valueObject)
        return qvRow_IsGiven(row, from->data);
    const qvJson* json = FindValue(from->data, row->field.tag);
    *value = qvJsonValue(json);
    return json != NULL;
}

qvResult qvReadFields(qvReader* reader, qvObjectKind kind, const qvValue* from, void* object)
{
    const qvKindInfo* info = qvGetKind(kind);
    const qvJson* json = qvValue_Members(from);
    if (json == NULL && from->kind != qv_valueObject)
        return qvReader_Fail(reader, "must be an object {...}");
    for (int i = 0; i < info->rowCount; i++)
    {
        const qvRow* row = &info->rows[i];
        qvValue value;
        bool isSaid = FindMember(from, row, &value);
        if (!isSaid && !row->required)
            continue;
        qvResult result = isSaid ? ReadValue(reader, row, &value, object) : FailMissing(reader, row);
        if (result != qv_ok)
            return result;
    }
    if (json != NULL)
        KeepUnknownFields(reader, kind, json);
    return info->check != NULL ? info->check(reader, object) : qv_ok;
}

// Sets a field of an object that has others: a group's members go to their defaults first.
static qvResult ReadGroup(qvReader* reader, qvObjectKind kind, const qvRow* group, const qvValue* value, void* object)
{
    const qvKindInfo* info = qvGetKind(kind);
    group->codec->reset(group, object);
    for (int i = 0; i < info->rowCount; i++)
    {
        if (qvRow_IsMember(&info->rows[i], group))
            info->rows[i].codec->reset(&info->rows[i], object);
    }
    qvResult result = value->kind != qv_valueDefault ? ReadValue(reader, group, value, object) : qv_ok;
    size_t skip = strlen(group->field.tag) + 1;
    for (int i = 0; i < info->rowCount && result == qv_ok; i++)
    {
        const qvRow* row = &info->rows[i];
        if (!qvRow_IsMember(row, group))
            continue;
        const qvJson* json = qvJson_Find(qvValue_Members(value), row->field.tag + skip);
        bool isStruct = value->kind == qv_valueObject;
        qvValue member = isStruct ? *value : qvJsonValue(json);
        if (isStruct ? qvRow_IsGiven(row, value->data) : json != NULL)
            result = ReadValue(reader, row, &member, object);
    }
    return result;
}

qvResult qvReadRow(qvReader* reader, qvObjectKind kind, const qvRow* row, const qvValue* value, void* object)
{
    static const qvValue none = { 0 };
    if (value->kind == qv_valueObject && !qvRow_IsGiven(row, value->data))
        value = &none;
    if (row->codec == &qvCodecGroup)
        return ReadGroup(reader, kind, row, value, object);
    if (value->kind != qv_valueDefault)
        return ReadValue(reader, row, value, object);
    qvRow own = qvRow_For(row, object);
    own.codec->reset(&own, object);
    return qv_ok;
}

// Text of unknown fields as it would be after they were written and read: what is not UTF-8 is replaced at once.
static char* PrintUnknown(const qvJson* unknown)
{
    char* text = qvJson_Print(unknown, false);
    qvJsonLimits limits = { .maxValues = SIZE_MAX, .maxDepth = 500 };
    qvJson* again = NULL;
    if (text == NULL || strstr(text, "\\ufffd") == NULL)
        return text;
    char* clean = qvParseJson(text, strlen(text), &limits, &again, NULL) == qv_ok ? qvJson_Print(again, false) : NULL;
    qvDestroyJson(again);
    qvFreeText(text);
    return clean;
}

qvResult qvStoreUnknown(qvReader* reader, qvObjectKind kind, const qvJson* unknown, void* object)
{
    char* text = PrintUnknown(unknown);
    const qvBlob* extra = text != NULL ? qvCreateBlob(text, strlen(text)) : NULL;
    qvFreeText(text);
    if (extra == NULL)
        return qvReader_OutOfMemory(reader);
    qvReplaceShared((char*)object + qvGetKind(kind)->extra - 1, extra);
    return qv_ok;
}

// Unknown fields of a struct, without those inside fields that it has no longer.
static qvResult TakeUnknown(qvReader* reader, qvObjectKind kind, const void* from, void* object)
{
    size_t extra = qvGetKind(kind)->extra;
    const qvBlob* unknown = extra != 0 ? *(const qvBlob* const*)((const char*)from + extra - 1) : NULL;
    if (unknown == NULL)
        return qv_ok;
    unknown = qvCreateBlob(unknown->data, unknown->size);
    qvReplaceShared((char*)object + extra - 1, unknown);
    return unknown != NULL ? qvPruneUnknown(reader, reader->scene, kind, object) : qvReader_OutOfMemory(reader);
}

qvResult qvReadWhole(qvReader* reader, qvObjectKind kind, const qvValue* from, void* object)
{
    qvJson* outer = reader->unknown;
    reader->unknown = NULL;
    qvResetFields(kind, object);
    qvResult result = qvReadFields(reader, kind, from, object);
    if (result == qv_ok && from->kind == qv_valueObject)
        result = TakeUnknown(reader, kind, from->data, object);
    else if (result == qv_ok && reader->unknown != NULL)
        result = qvStoreUnknown(reader, kind, reader->unknown, object);
    qvDestroyJson(reader->unknown);
    reader->unknown = outer;
    return result;
}

qvResult qvReadObject(qvReader* reader, qvObjectKind kind, const qvValue* from, void** object)
{
    const qvKindInfo* info = qvGetKind(kind);
    *object = NULL;
    void* made = qvCreateShared(info->type);
    if (made == NULL)
        return qvReader_OutOfMemory(reader);
    *(qvId*)made = reader->nextId++; // every object of a list starts with its id
    qvResult result = qvReadWhole(reader, kind, from, made);
    if (result == qv_ok)
        *object = made;
    else
        qvReleaseShared(made);
    return result;
}

qvResult qvReader_ResolveBases(qvReader* reader, const qvSceneKey* const* keys, int count)
{
    for (int i = 0; i < reader->bases.count; i++)
    {
        const qvPendingBase* pending = &reader->bases.items[i];
        qvId found = 0;
        for (int k = 0; k < count && found == 0; k++)
            found = strcmp(keys[k]->tag, pending->tag) == 0 ? keys[k]->id : 0;
        if (found == 0)
            return qvError_Set(reader->error, qv_badInput, "%s: there is no key with the id \"%s\"", pending->path,
                               pending->tag);
        pending->key->baseKey = found;
    }
    reader->bases.count = 0;
    return qv_ok;
}
