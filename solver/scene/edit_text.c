// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene/edit_text.h"

#include "scene/codec.h"
#include "scene/document.h"

#include <string.h>

static const char* const editTags[] = { "set", "add", "remove", "move", "times", NULL };
static const char* const kindTags[] = {
#define QV_OBJECT(word, name) #word,
#include "quaver/object_list.inl"
#undef QV_OBJECT
    NULL,
};

static void AddTimes(qvJson* parent, const char* name, const qvObjectTime* times, int count)
{
    qvJson* list = qvJson_AddArray(parent, name);
    for (int i = 0; i < count; i++)
        qvJson_AddNumbers(list, NULL, (const double[2]){ times[i].id, times[i].time }, 2);
}

// What a struct has in one field, or as a whole.
static void AddObject(qvPrinter* printer, qvJson* parent, const char* name, qvObjectKind kind, const char* field,
                      const void* object)
{
    if (field == NULL)
    {
        qvJson_AddNode(parent, name, qvPrintObject(printer, kind, object));
        return;
    }
    const qvKindInfo* info = qvGetKind(kind);
    const qvRow* row = qvFindRow(kind, field);
    if (!qvRow_IsGiven(row, object))
        qvJson_AddNull(parent, name);
    else if (row->codec == &qvCodecObject) // null would be its default, not that it is switched off
        qvJson_AddNode(parent, name, qvPrintObject(printer, row->kind, qvRow_At(row, object)));
    else
        row->codec->print(printer, row, object, parent, name);
    qvJson* group = row->codec == &qvCodecGroup ? qvJson_Find(parent, name) : NULL;
    for (int i = 0; group != NULL && i < info->rowCount; i++)
    {
        const qvRow* member = &info->rows[i];
        if (qvRow_IsMember(member, row) && qvRow_IsGiven(member, object))
            member->codec->print(printer, member, object, group, member->field.tag + strlen(field) + 1);
    }
}

static void AddValue(qvPrinter* printer, qvJson* parent, const char* name, qvObjectKind kind, const char* field,
                     const qvValue* value)
{
    const qvFieldValue* fields = value->data;
    qvBlob floats = { (size_t)value->count * sizeof(float), value->data };
    qvJson* members;
    switch (value->kind)
    {
    case qv_valueDefault:
        qvJson_AddNull(parent, name);
        break;
    case qv_valueBool:
        qvJson_AddBool(parent, name, value->numbers[0] != 0.0);
        break;
    case qv_valueNumbers:
        if (value->count == 1)
            qvJson_AddNumber(parent, name, value->numbers[0]);
        else
            qvJson_AddNumbers(parent, name, value->numbers, value->count);
        break;
    case qv_valueText:
        qvJson_AddString(parent, name, value->data);
        break;
    case qv_valueFloats:
        qvAddFloats(printer, parent, name, &floats);
        break;
    case qv_valueVertices:
        qvAddVertices(parent, name, value->data, (size_t)value->count);
        break;
    case qv_valuePoints:
        qvAddPoints(parent, name, value->data, (size_t)value->count);
        break;
    case qv_valueObject:
        AddObject(printer, parent, name, kind, field, value->data);
        break;
    case qv_valueFields:
        members = qvJson_AddObject(parent, name);
        for (int i = 0; i < value->count; i++)
            AddValue(printer, members, fields[i].field, kind, fields[i].field, &fields[i].value);
        break;
    case qv_valueTimes:
        AddTimes(parent, name, value->data, value->count);
        break;
    case qv_valueJson:
        qvJson_AddNode(parent, name, qvJson_Copy(value->data));
        break;
    }
}

qvJson* qvPrintEditTree(const qvEdit* edit, const qvScene* scene, qvId id)
{
    qvPrinter printer = { .scene = scene };
    qvJson* tree = qvCreateJsonObject();
    qvJson_AddString(tree, "do", editTags[edit->kind]);
    qvJson_AddString(tree, "kind", qvObjectKind_Word(edit->object.kind));
    if (id != 0)
        qvJson_AddNumber(tree, "id", id);
    if (edit->field != NULL)
        qvJson_AddString(tree, "field", edit->field);
    if (edit->parent != 0)
        qvJson_AddNumber(tree, "parent", edit->parent);
    if (edit->kind == qv_editAdd || edit->kind == qv_editMove)
        qvJson_AddNumber(tree, "place", edit->place);
    if (edit->value.kind != qv_valueDefault)
        AddValue(&printer, tree, "value", edit->object.kind, edit->field, &edit->value);
    if (!printer.failed)
        return tree;
    qvDestroyJson(tree);
    return NULL;
}

static qvResult ReadTag(const qvJson* tree, const char* name, const char* const* tags, int* index, qvError* error)
{
    const char* text = qvJson_Text(qvJson_Find(tree, name));
    for (*index = 0; tags[*index] != NULL; ++*index)
    {
        if (strcmp(tags[*index], text) == 0)
            return qv_ok;
    }
    return qvError_Set(error, qv_badInput, "%s: \"%.40s\" is unknown", name, text);
}

// The number of an object that is given by its id in files; 0: there is none.
static qvId FindTag(const qvScene* scene, const char* tag)
{
    for (qvSceneList list = { 0 }; qvScene_NextList(scene, &list);)
    {
        size_t offset = qvGetKind(list.kind)->tag;
        for (int i = 0; offset != 0 && i < list.count; i++)
        {
            if (strcmp((const char*)list.items[i] + offset - 1, tag) == 0)
                return *(const qvId*)list.items[i];
        }
    }
    return 0;
}

static qvResult ReadId(const qvJson* tree, const char* name, const qvScene* scene, qvId* id, qvError* error)
{
    double number = 0.0;
    const qvJson* node = qvJson_Find(tree, name);
    if (qvJson_IsString(node))
    {
        *id = FindTag(scene, qvJson_Text(node));
        return *id != 0
                   ? qv_ok
                   : qvError_Set(error, qv_notFound, "%s: there is no key, event or obstacle with the id \"%.40s\"",
                                 name, qvJson_Text(node));
    }
    qvResult result = qvJson_ReadNumber(tree, "", name, 0.0, UINT32_MAX, &number, error);
    *id = (qvId)number;
    return result;
}

qvResult qvReadEditTree(const qvJson* tree, const qvScene* scene, qvEdit* edit, qvError* error)
{
    *edit = (qvEdit){ .place = -1, .value = qvJsonValue(qvJson_Find(tree, "value")) };
    int kind = 0, object = 0;
    qvResult result = ReadTag(tree, "do", editTags, &kind, error);
    if (result == qv_ok)
        result = ReadTag(tree, "kind", kindTags, &object, error);
    if (result == qv_ok)
        result = ReadId(tree, "id", scene, &edit->object.id, error);
    if (result == qv_ok)
        result = ReadId(tree, "parent", scene, &edit->parent, error);
    if (result == qv_ok)
        result = qvJson_ReadInt(tree, "", "place", -1, 1 << 30, &edit->place, error);
    if (result == qv_ok)
        result = qvJson_ReadString(tree, "", "field", &edit->field, error);
    edit->kind = (qvEditKind)kind;
    edit->object.kind = (qvObjectKind)object;
    if (result == qv_ok && edit->value.kind == qv_valueDefault &&
        (edit->kind == qv_editAdd || edit->kind == qv_editTimes))
        return qvError_Set(error, qv_badInput, "value: is missing");
    return result;
}

char* qvPrintEdit(const qvEdit* edit, const qvScene* scene)
{
    qvJson* tree = qvPrintEditTree(edit, scene, edit->object.id);
    char* text = qvJson_Print(tree, false);
    qvDestroyJson(tree);
    return text;
}

qvResult qvDocument_ApplyText(qvDocument* document, const char* text, size_t size, qvId* added, qvError* error)
{
    qvJson* tree;
    qvEdit edit;
    qvJsonLimits limits = qvDefaultJsonLimits();
    limits.maxDepth = 48; // less than a scene file, where the value goes
    qvResult result = qvParseJson(text, size, &limits, &tree, error);
    if (result == qv_ok)
        result = qvReadEditTree(tree, document->scene, &edit, error);
    if (result == qv_ok)
        result = qvDocument_Apply(document, &edit, added, error);
    qvDestroyJson(tree);
    return result;
}
