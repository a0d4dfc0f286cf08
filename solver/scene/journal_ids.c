// SPDX-License-Identifier: GPL-3.0-or-later
// Ids in journals: scene files do without, but edits name objects by them.
#include "scene/journal.h"

#include <stdlib.h>

// Calls a function for the id of every object, in a fixed order.
typedef void VisitFcn(void* context, qvId* id);

static void VisitList(const void* const* items, int count, VisitFcn* visit, void* context)
{
    for (int i = 0; i < count; i++)
        visit(context, (qvId*)(uintptr_t)items[i]);
}

static void VisitStack(const qvStrokeStack* stack, VisitFcn* visit, void* context)
{
    VisitList((const void* const*)stack->strokes, stack->count, visit, context);
}

static void VisitAll(const qvScene* scene, VisitFcn* visit, void* context)
{
    for (qvSceneList list = { 0 }; qvScene_NextList(scene, &list);)
    {
        if (list.kind != qv_objectKey) // those come last, with what is in them
            VisitList(list.items, list.count, visit, context);
    }
    VisitList((const void* const*)scene->keys, scene->keyCount, visit, context);
    for (int i = 0; i < scene->keyCount; i++)
    {
        VisitStack(&scene->keys[i]->strokes, visit, context);
        VisitStack(&scene->keys[i]->before.strokes, visit, context);
        VisitStack(&scene->keys[i]->after.strokes, visit, context);
    }
    for (qvSceneList list = { 0 }; qvScene_NextList(scene, &list);)
    {
        for (int i = 0; list.kind != qv_objectKey && i < list.count; i++)
        {
            for (qvSceneList inner = { 0 }; qvObject_NextList(list.kind, list.items[i], &inner);)
                VisitList(inner.items, inner.count, visit, context);
        }
    }
}

static void PrintId(void* context, qvId* id)
{
    qvJson_AddNumber(context, NULL, *id);
}

qvJson* qvPrintIds(const qvScene* scene)
{
    qvJson* ids = qvCreateJsonArray();
    VisitAll(scene, PrintId, ids);
    return ids;
}

typedef struct Cursor
{
    const qvJson* at;
    bool isWrong;
} Cursor;

static void ReadId(void* context, qvId* id)
{
    Cursor* cursor = context;
    double number = qvJson_Number(cursor->at);
    if (number >= 1.0 && number <= UINT32_MAX)
        *id = (qvId)number;
    else
        cursor->isWrong = true;
    cursor->at = qvJson_Next(cursor->at);
}

qvResult qvReadIds(const qvJson* ids, const qvScene* scene, qvError* error)
{
    int* bases = qvAllocate((size_t)scene->keyCount, sizeof(*bases));
    if (bases == NULL)
        return qvError_OutOfMemory(error, scene->keyCount * sizeof(*bases));
    for (int i = 0; i < scene->keyCount; i++)
        qvScene_FindKey(scene, scene->keys[i]->baseKey, &bases[i]);
    Cursor cursor = { .at = qvJson_First(ids) };
    VisitAll(scene, ReadId, &cursor);
    for (int i = 0; i < scene->keyCount; i++)
    {
        qvSceneKey* key = (qvSceneKey*)(uintptr_t)scene->keys[i];
        if (key->base == qv_baseKey)
            key->baseKey = scene->keys[bases[i]]->id;
    }
    free(bases);
    bool isWrong = cursor.isWrong || cursor.at != NULL;
    return isWrong ? qvError_Set(error, qv_badInput, "ids: do not fit the scene") : qv_ok;
}
