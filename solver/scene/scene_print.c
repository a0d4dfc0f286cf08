// SPDX-License-Identifier: GPL-3.0-or-later
// Scenes as JSON text: the rows of the tables in their order, defaults left out, then what was unknown.
#include "scene/reader.h"

#include "quaver/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Where a field goes: the object itself, or the group inside it, made when needed. *name is the last part of the tag.
static qvJson* ParentOf(qvJson* json, const char* tag, const char** name)
{
    const char* dot = strchr(tag, '.');
    *name = dot != NULL ? dot + 1 : tag;
    if (dot == NULL)
        return json;
    char group[qv_maxTag];
    snprintf(group, sizeof(group), "%.*s", (int)(dot - tag), tag);
    qvJson* found = qvJson_Find(json, group);
    return found != NULL ? found : qvJson_AddObject(json, group);
}

static void PrintFields(qvPrinter* printer, const qvKindInfo* info, const void* object, qvJson* json)
{
    for (int i = 0; i < info->rowCount; i++)
    {
        qvRow row = qvRow_For(&info->rows[i], object);
        if (!row.always && row.codec->isDefault(&row, object))
            continue;
        const char* name;
        qvJson* parent = ParentOf(json, row.field.tag, &name);
        row.codec->print(printer, &row, object, parent, name);
    }
}

// Whether an object for this field may be written though all that is known of it is at its default.
static bool MayBeEmpty(const qvRow* row)
{
    return row->codec == &qvCodecObject || (row->codec == &qvCodecGroup && row->present == 0);
}

// Adds unknown fields to what was printed. Those inside a field that is no longer there (a removed transform) go with
// it.
static void AddUnknown(qvObjectKind kind, const char* prefix, const qvJson* extra, qvJson* json)
{
    for (const qvJson* member = qvJson_First(extra); member != NULL; member = qvJson_Next(member))
    {
        char tag[qv_maxName];
        const char* name = qvJson_Name(member);
        snprintf(tag, sizeof(tag), "%s%s%s", prefix, *prefix != 0 ? "." : "", name);
        const qvRow* row = strchr(name, '.') == NULL ? qvFindRow(kind, tag) : NULL;
        qvJson* inside = qvJson_Find(json, name);
        if (row == NULL)
        {
            qvJson_AddNode(json, name, qvJson_Copy(member));
            continue;
        }
        if (qvJson_IsNull(inside) && row->codec == &qvCodecObject) // switched off, with more to say than that
        {
            qvJson_Remove(json, inside);
            inside = qvJson_AddObject(json, name);
            qvJson_AddBool(inside, "on", false);
        }
        if (inside == NULL && MayBeEmpty(row))
            inside = qvJson_AddObject(json, name);
        if (qvJson_IsObject(inside))
            AddUnknown(row->codec == &qvCodecObject ? row->kind : kind, row->codec == &qvCodecObject ? "" : tag, member,
                       inside);
    }
}

// The unknown fields of an object as a tree; NULL when there are none.
static qvJson* ReadUnknown(qvPrinter* printer, qvObjectKind kind, const void* object)
{
    const qvKindInfo* info = qvGetKind(kind);
    const qvBlob* blob = info->extra != 0 ? *(const qvBlob* const*)((const char*)object + info->extra - 1) : NULL;
    qvJson* extra = NULL;
    qvJsonLimits limits = { .maxValues = SIZE_MAX, .maxDepth = 500 };
    if (blob != NULL && qvParseJson(blob->data, blob->size, &limits, &extra, NULL) != qv_ok)
        printer->failed = true;
    return extra;
}

static void PrintUnknown(qvPrinter* printer, qvObjectKind kind, const void* object, qvJson* json)
{
    qvJson* extra = ReadUnknown(printer, kind, object);
    if (extra != NULL)
        AddUnknown(kind, "", extra, json);
    qvDestroyJson(extra);
}

static void PrintInto(qvPrinter* printer, qvObjectKind kind, const void* object, qvJson* json)
{
    PrintFields(printer, qvGetKind(kind), object, json);
    PrintUnknown(printer, kind, object, json);
}

// Removes from extra what AddUnknown would leave out. Returns whether something was.
static bool Prune(qvObjectKind kind, const char* prefix, qvJson* extra, const qvJson* json)
{
    bool pruned = false;
    for (qvJson *member = qvJson_First(extra), *next; member != NULL; member = next)
    {
        char tag[qv_maxName];
        const char* name = qvJson_Name(member);
        next = qvJson_Next(member);
        snprintf(tag, sizeof(tag), "%s%s%s", prefix, *prefix != 0 ? "." : "", name);
        const qvRow* row = strchr(name, '.') == NULL ? qvFindRow(kind, tag) : NULL;
        const qvJson* inside = qvJson_Find(json, name);
        if (row == NULL || row->codec == &qvCodecObject)
            continue;
        bool isGone = !qvJson_IsObject(inside) && !(inside == NULL && MayBeEmpty(row));
        pruned = (!isGone && Prune(kind, tag, member, inside)) || pruned;
        if (!isGone && qvJson_First(member) != NULL)
            continue;
        qvJson_Remove(extra, member);
        pruned = true;
    }
    return pruned;
}

qvResult qvPruneUnknown(qvReader* reader, const qvScene* scene, qvObjectKind kind, void* object)
{
    qvPrinter printer = { .scene = scene };
    qvJson *extra = ReadUnknown(&printer, kind, object), *json = NULL;
    qvResult result = qv_ok;
    if (extra != NULL)
    {
        json = qvCreateJsonObject();
        PrintFields(&printer, qvGetKind(kind), object, json);
        if (Prune(kind, "", extra, json) && qvJson_First(extra) == NULL)
            qvReplaceShared((char*)object + qvGetKind(kind)->extra - 1, NULL);
        else
            result = qvStoreUnknown(reader, kind, extra, object);
    }
    qvDestroyJson(extra);
    qvDestroyJson(json);
    return printer.failed ? qvReader_OutOfMemory(reader) : result;
}

qvJson* qvPrintObject(qvPrinter* printer, qvObjectKind kind, const void* object)
{
    qvJson* json = qvCreateJsonObject();
    if (json == NULL)
        printer->failed = true;
    else
        PrintInto(printer, kind, object, json);
    return json;
}

qvJson* qvPrintSceneTree(const qvScene* scene)
{
    qvPrinter printer = { .scene = scene };
    qvJson* root = qvCreateJsonObject();
    qvJson_AddNumber(root, "quaver", qv_sceneVersion);
    PrintInto(&printer, qv_objectScene, scene, root);
    if (!printer.failed)
        return root;
    qvDestroyJson(root);
    return NULL;
}

qvResult qvPrintScene(const qvScene* scene, char** text, qvError* error)
{
    qvJson* root = qvPrintSceneTree(scene);
    *text = qvJson_Print(root, true);
    qvDestroyJson(root);
    return *text != NULL ? qv_ok : qvError_Set(error, qv_outOfMemory, "not enough memory to write the scene");
}

// The scene that a symbolic link leads to, which then stays a link; NULL for what is no link, or to anything else.
static char* LinkedScene(const char* path)
{
    char* real = qvLinkTarget(path);
    const qvScene* there = NULL;
    if (real == NULL || qvLoadScene(real, &there, NULL) == qv_ok)
    {
        qvReleaseScene(there);
        return real;
    }
    free(real);
    return NULL;
}

qvResult qvSaveScene(const qvScene* scene, const char* path, qvError* error)
{
    char* text;
    qvResult result = qvPrintScene(scene, &text, error);
    if (result != qv_ok)
        return result;
    qvFileWriter writer;
    char* scenePath = LinkedScene(path);
    result = qvFileWriter_Open(&writer, scenePath != NULL ? scenePath : path, error);
    free(scenePath);
    if (result == qv_ok)
    {
        fputs(text, writer.stream);
        fputc('\n', writer.stream);
        result = qvFileWriter_Commit(&writer, error);
    }
    qvFreeText(text);
    return result;
}
