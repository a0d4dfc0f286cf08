// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Place ----------------------------------------------------------------------------------------------------------

size_t qvReader_Enter(qvReader* reader, const char* format, ...)
{
    size_t mark = strlen(reader->path), used = mark;
    if (mark > 0 && format[0] != '[' && used + 1 < sizeof(reader->path))
    {
        reader->path[used++] = '.';
        reader->path[used] = 0;
    }
    va_list args;
    va_start(args, format);
    vsnprintf(reader->path + used, sizeof(reader->path) - used, format, args);
    va_end(args);
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

static qvResult ReadValue(qvReader* reader, const qvRow* row, const qvJson* value, void* object)
{
    qvRow own = qvRow_For(row, object);
    size_t mark = qvReader_Enter(reader, "%s", row->field.tag);
    qvResult result = own.codec->read(reader, &own, value, object);
    qvReader_Leave(reader, mark);
    return result;
}

static qvResult FailMissing(qvReader* reader, const qvRow* row)
{
    size_t mark = qvReader_Enter(reader, "%s", row->field.tag);
    qvResult result = qvReader_Fail(reader, "is missing");
    qvReader_Leave(reader, mark);
    return result;
}

qvResult qvReadFields(qvReader* reader, qvObjectKind kind, const qvJson* json, void* object)
{
    const qvKindInfo* info = qvGetKind(kind);
    if (!qvJson_IsObject(json))
        return qvReader_Fail(reader, "must be an object {...}");
    for (int i = 0; i < info->rowCount; i++)
    {
        const qvRow* row = &info->rows[i];
        const qvJson* value = FindValue(json, row->field.tag);
        if (value == NULL && !row->required)
            continue;
        qvResult result = value != NULL ? ReadValue(reader, row, value, object) : FailMissing(reader, row);
        if (result != qv_ok)
            return result;
    }
    KeepUnknownFields(reader, kind, json);
    return info->check != NULL ? info->check(reader, object) : qv_ok;
}

// Sets a field of an object that has others: a group's members go to their defaults first.
static qvResult ReadGroup(qvReader* reader, qvObjectKind kind, const qvRow* group, const qvJson* value, void* object)
{
    const qvKindInfo* info = qvGetKind(kind);
    group->codec->reset(group, object);
    for (int i = 0; i < info->rowCount; i++)
    {
        if (qvRow_IsMember(&info->rows[i], group))
            info->rows[i].codec->reset(&info->rows[i], object);
    }
    qvResult result = value != NULL ? ReadValue(reader, group, value, object) : qv_ok;
    size_t skip = strlen(group->field.tag) + 1;
    for (int i = 0; i < info->rowCount && result == qv_ok; i++)
    {
        const qvRow* row = &info->rows[i];
        const qvJson* member = qvRow_IsMember(row, group) ? qvJson_Find(value, row->field.tag + skip) : NULL;
        if (member != NULL)
            result = ReadValue(reader, row, member, object);
    }
    return result;
}

qvResult qvReadRow(qvReader* reader, qvObjectKind kind, const qvRow* row, const qvJson* value, void* object)
{
    if (qvJson_IsNull(value))
        value = NULL;
    if (row->codec == &qvCodecGroup)
        return ReadGroup(reader, kind, row, value, object);
    if (value != NULL)
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

qvResult qvReadWhole(qvReader* reader, qvObjectKind kind, const qvJson* json, void* object)
{
    qvJson* outer = reader->unknown;
    reader->unknown = NULL;
    qvResetFields(kind, object);
    qvResult result = qvReadFields(reader, kind, json, object);
    if (result == qv_ok && reader->unknown != NULL)
        result = qvStoreUnknown(reader, kind, reader->unknown, object);
    qvDestroyJson(reader->unknown);
    reader->unknown = outer;
    return result;
}

qvResult qvReadObject(qvReader* reader, qvObjectKind kind, const qvJson* json, void** object)
{
    const qvKindInfo* info = qvGetKind(kind);
    *object = NULL;
    void* made = qvCreateShared(info->type);
    if (made == NULL)
        return qvReader_OutOfMemory(reader);
    *(qvId*)made = reader->nextId++; // every object of a list starts with its id
    qvResult result = qvReadWhole(reader, kind, json, made);
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
