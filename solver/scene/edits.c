// SPDX-License-Identifier: GPL-3.0-or-later
// Edits: each makes a new scene that shares everything but what it touched.
#include "base/assert.h"
#include "scene/codec.h"
#include "scene/document.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- Lists ----------------------------------------------------------------------------------------------------------

// A list of a scene or of a key: where its items and their count are in the struct that holds it.
typedef struct List
{
    void* owner;
    const qvRow* row;
} List;

static const void* const* Items(List list)
{
    return *(const void* const**)((char*)list.owner + list.row->offset);
}

static int Count(List list)
{
    return *(const int*)((char*)list.owner + list.row->extent);
}

static List ListOf(void* owner, qvObjectKind kind)
{
    const qvKindInfo* info = qvGetKind(kind);
    return (List){ owner, qvFindRow(info->owner, info->list) };
}

static int IndexOf(List list, qvId id)
{
    for (int i = 0; i < Count(list); i++)
    {
        if (*(const qvId*)Items(list)[i] == id)
            return i;
    }
    return -1;
}

// Replaces a list by one with `removed` items fewer at `place` and the new item (if any) there instead. Takes the item.
static bool Splice(List list, int place, int removed, const void* item)
{
    int count = Count(list), added = item != NULL;
    const void* const* old = Items(list);
    const void** items = qvCreateSharedList(count - removed + added);
    if (items == NULL)
    {
        qvReleaseShared(item);
        return false;
    }
    for (int i = 0; i < place; i++)
        items[i] = qvRetainShared(old[i]);
    if (added)
        items[place] = item;
    for (int i = place + removed; i < count; i++)
        items[i - removed + added] = qvRetainShared(old[i]);
    count += added - removed;
    if (count == 0)
    {
        qvReleaseShared(items);
        items = NULL;
    }
    qvReplaceShared((char*)list.owner + list.row->offset, items);
    *(int*)((char*)list.owner + list.row->extent) = count;
    return true;
}

static double TimeOf(const void* item, size_t offset)
{
    return *(const double*)((const char*)item + offset);
}

// Where an item belongs: by its time after those at the same time, or at `place` in a list without times.
static int PlaceFor(List list, const void* item, int place)
{
    size_t time = qvGetKind(list.row->kind)->time;
    if (time == 0)
        return place < 0 || place > Count(list) ? Count(list) : place;
    int at = 0;
    while (at < Count(list) && TimeOf(Items(list)[at], time - 1) <= TimeOf(item, time - 1))
        at++;
    return at;
}

// Puts a changed item where the old one was, or where its new time wants it.
static bool Replace(List list, int index, const void* item)
{
    size_t time = qvGetKind(list.row->kind)->time;
    if (time == 0 || TimeOf(Items(list)[index], time - 1) == TimeOf(item, time - 1))
        return Splice(list, index, 1, item);
    if (!Splice(list, index, 1, NULL))
    {
        qvReleaseShared(item);
        return false;
    }
    return Splice(list, PlaceFor(list, item, -1), 0, item);
}

// --- Set ------------------------------------------------------------------------------------------------------------

static qvResult SetRow(qvReader* reader, qvObjectKind kind, const qvRow* row, const qvValue* value, void* object)
{
    if (kind == qv_objectScene && row->codec == &qvCodecList)
        return qvReader_Fail(reader, "%s: cannot be set as a whole; add and remove its items", row->field.tag);
    if (row->required && value->kind == qv_valueDefault)
        return qvReader_Fail(reader, "%s: cannot be left out", row->field.tag);
    return qvReadRow(reader, kind, row, value, object);
}

static qvResult SetOne(qvReader* reader, qvObjectKind kind, const char* tag, const qvValue* value, void* object)
{
    const qvRow* row = qvFindRow(kind, tag);
    if (row == NULL)
        return qvReader_Fail(reader, "a %s has no field \"%s\"", qvGetKind(kind)->label, tag);
    return SetRow(reader, kind, row, value, object);
}

enum
{
    MOST_FIELDS = 64, // that one edit gives by name
};

// Several fields at once, in the order of the table, since some depend on those before (a velocity on its mode).
static qvResult SetTyped(qvReader* reader, qvObjectKind kind, const qvValue* value, void* object)
{
    const qvFieldValue* fields = value->data;
    const qvRow* rows[MOST_FIELDS];
    int order[MOST_FIELDS], count = 0;
    for (int i = 0; i < value->count; i++)
    {
        const qvRow* row = qvFindRow(kind, fields[i].field);
        if (row == NULL)
            return qvReader_Fail(reader, "a %s has no field \"%s\"", qvGetKind(kind)->label, fields[i].field);
        int place = count;
        while (place > 0 && rows[place - 1] > row)
            place--;
        if (place > 0 && rows[place - 1] == row) // given twice: the first counts, as in JSON
            continue;
        QV_ASSERT(count < MOST_FIELDS);
        memmove(rows + place + 1, rows + place, (size_t)(count - place) * sizeof(*rows));
        memmove(order + place + 1, order + place, (size_t)(count - place) * sizeof(*order));
        rows[place] = row;
        order[place] = i;
        count++;
    }
    qvResult result = qv_ok;
    for (int i = 0; i < count && result == qv_ok; i++)
        result = SetRow(reader, kind, rows[i], &fields[order[i]].value, object);
    return result;
}

static qvResult SetMembers(qvReader* reader, qvObjectKind kind, const qvJson* members, void* object)
{
    const qvKindInfo* info = qvGetKind(kind);
    for (const qvJson* member = qvJson_First(members); member != NULL; member = qvJson_Next(member))
    {
        if (qvFindRow(kind, qvJson_Name(member)) == NULL)
            return qvReader_Fail(reader, "a %s has no field \"%s\"", info->label, qvJson_Name(member));
    }
    qvResult result = qv_ok;
    for (int i = 0; i < info->rowCount && result == qv_ok; i++)
    {
        const qvJson* member = qvJson_Find(members, info->rows[i].field.tag);
        qvValue value = qvJsonValue(member);
        if (member != NULL)
            result = SetRow(reader, kind, &info->rows[i], &value, object);
    }
    return result;
}

static qvResult SetMany(qvReader* reader, qvObjectKind kind, const qvValue* value, void* object)
{
    if (value->kind == qv_valueFields)
        return SetTyped(reader, kind, value, object);
    const qvJson* members = qvValue_Members(value);
    if (members == NULL)
        return qvReader_Fail(reader, "must be an object {...} of fields");
    return SetMembers(reader, kind, members, object);
}

// A mesh is a file or a built-in shape: choosing one lets go of the other.
static void DropOtherMesh(const qvEdit* edit, qvSceneMesh* mesh)
{
    const qvRow* row = qvFindRow(qv_objectMesh, edit->field);
    bool isStruct = edit->value.kind == qv_valueObject && row != NULL;
    if (edit->value.kind == qv_valueDefault || (isStruct && !qvRow_IsGiven(row, edit->value.data)))
        return;
    if (strcmp(edit->field, "file") == 0)
    {
        mesh->primitive = NULL;
        mesh->resolution = 0;
    }
    if (strcmp(edit->field, "primitive") == 0)
        qvReplaceShared(&mesh->file, NULL);
}

// A built-in shape has no clips, so that none can be meant.
static void DropOtherClip(qvScene* scene)
{
    if (scene->mesh.file != NULL)
        return;
    qvReplaceShared(&scene->clip.name, NULL);
    scene->clip.number = 1;
}

// A loop must end after its last key: where that is the end, it ends an average gap later, on a frame. A motion that is
// cut before its last key stays as it is, and is told so.
static void MakeRoomForLoop(qvScene* scene)
{
    double range[2];
    qvScene_Range(scene, range);
    int last = scene->keyCount - 1;
    if (!scene->loop || last < 0 || scene->keys[last]->time != range[1])
        return;
    double end = scene->keys[last]->time, gap = last > 0 ? (end - scene->keys[0]->time) / last : 1.0;
    double frame = ceil((end + gap) * scene->fps - 1e-6) / scene->fps;
    double latest = qvFindRow(qv_objectScene, "range")->field.maximum;
    scene->hasRange = true;
    scene->range[0] = range[0];
    scene->range[1] = fmin(frame, latest);
}

static qvResult SetFields(qvReader* reader, const qvEdit* edit, void* object)
{
    const qvKindInfo* info = qvGetKind(edit->object.kind);
    if (edit->object.kind == qv_objectMesh && edit->field != NULL)
        DropOtherMesh(edit, object);
    qvResult result = edit->field != NULL ? SetOne(reader, edit->object.kind, edit->field, &edit->value, object)
                                          : SetMany(reader, edit->object.kind, &edit->value, object);
    if (result == qv_ok && edit->object.kind == qv_objectScene && edit->field != NULL &&
        strcmp(edit->field, "loop") == 0)
        MakeRoomForLoop(object);
    return result == qv_ok && info->check != NULL ? info->check(reader, object) : result;
}

static bool IsSame(qvObjectKind kind, const void* a, const void* b)
{
    bool sameBase = kind != qv_objectKey || ((const qvSceneKey*)a)->baseKey == ((const qvSceneKey*)b)->baseKey;
    return sameBase && qvHashFields(kind, a) == qvHashFields(kind, b);
}

static qvResult SetEmbedded(qvReader* reader, const qvEdit* edit, const qvScene* scene, qvScene* next, bool* changed)
{
    const qvKindInfo* info = qvGetKind(edit->object.kind);
    if (edit->object.kind != qv_objectScene)
        qvReader_Enter(reader, qvObjectKind_Word(edit->object.kind)); // the same as its field
    qvResult result = SetFields(reader, edit, (char*)next + info->embedded);
    if (result == qv_ok && edit->object.kind == qv_objectMesh)
        DropOtherClip(next);
    if (result == qv_ok && scene->hasCamera && !next->hasCamera) // and what was unknown inside it
        result = qvPruneUnknown(reader, next, qv_objectScene, next);
    *changed = result == qv_ok &&
               !IsSame(edit->object.kind, (const char*)scene + info->embedded, (const char*)next + info->embedded);
    return result;
}

static qvResult FailGone(qvReader* reader, const qvEdit* edit)
{
    return qvError_Set(reader->error, qv_notFound, "there is no %s with the number %u in this document",
                       qvGetKind(edit->object.kind)->label, edit->object.id);
}

// Clones the object with this id from a list, sets its fields and puts it back.
static qvResult SetListed(qvReader* reader, const qvEdit* edit, const qvScene* scene, List list, bool* changed)
{
    const qvKindInfo* info = qvGetKind(edit->object.kind);
    int index = IndexOf(list, edit->object.id);
    if (index < 0)
        return FailGone(reader, edit);
    qvReader_Enter(reader, list.row->field.tag);
    qvReader_EnterItem(reader, index);
    const void* old = Items(list)[index];
    void* object = qvCloneShared(info->type, old);
    qvResult result = object != NULL ? SetFields(reader, edit, object) : qvReader_OutOfMemory(reader);
    if (result == qv_ok && edit->object.kind == qv_objectKey) // no other listed object can lose one with others inside
        result = qvPruneUnknown(reader, scene, qv_objectKey, object);
    *changed = result == qv_ok && (reader->bases.count > 0 || !IsSame(edit->object.kind, old, object));
    if (!*changed)
        qvReleaseShared(object);
    else if (!Replace(list, index, object))
        result = qvReader_OutOfMemory(reader);
    return result;
}

// --- Keys that hold strokes, obstacles that hold keys ---------------------------------------------------------------

// Clones an object of a list into the next scene, to be changed there; NULL when memory runs out.
static void* Open(qvScene* next, qvObjectKind kind, int index)
{
    List list = ListOf(next, kind);
    void* object = qvCloneShared(qvGetKind(kind)->type, Items(list)[index]);
    return object != NULL && Replace(list, index, object) ? object : NULL;
}

static qvSceneKey* OpenKey(qvScene* next, int index)
{
    return Open(next, qv_objectKey, index);
}

static bool IsOwned(qvObjectKind kind)
{
    return qvGetKind(kind)->owner != qv_objectScene;
}

// Opens the owner at a place of its list, and goes there.
static void* EnterOwner(qvReader* reader, qvObjectKind kind, qvScene* next, int index)
{
    qvObjectKind owner = qvGetKind(kind)->owner;
    void* opened = Open(next, owner, index);
    qvReader_Enter(reader, qvGetKind(owner)->list);
    qvReader_EnterItem(reader, index);
    return opened;
}

// What holds objects of lists must go together also after a change of one of them.
static qvResult CheckOwner(qvReader* reader, qvObjectKind kind, const void* owner)
{
    const qvKindInfo* info = qvGetKind(qvGetKind(kind)->owner);
    return info->check != NULL ? info->check(reader, owner) : qv_ok;
}

static qvResult SetOwned(qvReader* reader, const qvEdit* edit, qvScene* next, bool* changed)
{
    int index;
    if (qvFindOwner(next, edit->object, &index) == NULL)
        return FailGone(reader, edit);
    void* owner = EnterOwner(reader, edit->object.kind, next, index);
    if (owner == NULL)
        return qvReader_OutOfMemory(reader);
    size_t mark = strlen(reader->path);
    qvResult result = SetListed(reader, edit, next, ListOf(owner, edit->object.kind), changed);
    qvReader_Leave(reader, mark);
    return result == qv_ok ? CheckOwner(reader, edit->object.kind, owner) : result;
}

static qvResult Set(qvReader* reader, const qvEdit* edit, const qvScene* scene, qvScene* next, bool* changed)
{
    if (IsOwned(edit->object.kind))
        return SetOwned(reader, edit, next, changed);
    if (qvGetKind(edit->object.kind)->list == NULL)
        return SetEmbedded(reader, edit, scene, next, changed);
    List list = ListOf(next, edit->object.kind);
    qvResult result = SetListed(reader, edit, scene, list, changed);
    if (result == qv_ok)
        result = qvMakeTags(reader, edit->object.kind, Items(list), Count(list));
    return result == qv_ok ? qvReader_ResolveBases(reader, next->keys, next->keyCount) : result;
}

// --- Add ------------------------------------------------------------------------------------------------------------

static bool IsUsed(const qvScene* scene, qvId id)
{
    for (qvSceneList list = { 0 }; qvScene_NextList(scene, &list);)
    {
        if (qvFindObject(scene, (qvRef){ list.kind, id }) != NULL)
            return true;
    }
    for (int kind = 0; kind < qv_objectKindCount; kind++)
    {
        const qvKindInfo* info = qvGetKind((qvObjectKind)kind);
        if (info->owner != qv_objectScene && qvFindObject(scene, (qvRef){ (qvObjectKind)kind, id }) != NULL)
            return true;
    }
    return false;
}

// Reads the object with the id that the edit wants, or the next one. Strokes inside get those that follow.
static qvResult ReadNew(qvReader* reader, const qvEdit* edit, const qvScene* scene, void** object)
{
    qvId next = reader->nextId, first = edit->object.id != 0 ? edit->object.id : next;
    reader->nextId = first;
    qvResult result = qvReadObject(reader, edit->object.kind, &edit->value, object);
    for (qvId id = first; result == qv_ok && id < reader->nextId && id < next; id++)
    {
        if (IsUsed(scene, id))
            result = qvReader_Fail(reader, "the number %u is in use", id);
    }
    if (result != qv_ok)
    {
        qvReleaseShared(*object);
        *object = NULL;
    }
    reader->nextId = reader->nextId > next ? reader->nextId : next;
    return result;
}

static qvResult AddTo(qvReader* reader, const qvEdit* edit, const qvScene* scene, List list, qvId* added)
{
    int limit = qvGetKind(edit->object.kind)->limit;
    if (Count(list) >= limit)
        return qvReader_Fail(reader, "%s: has %d items already", list.row->field.tag, limit);
    qvReader_Enter(reader, list.row->field.tag);
    qvReader_EnterItem(reader, Count(list));
    void* object;
    qvResult result = ReadNew(reader, edit, scene, &object);
    if (result != qv_ok)
        return result;
    *added = *(const qvId*)object;
    if (!Splice(list, PlaceFor(list, object, edit->place), 0, object))
        return qvReader_OutOfMemory(reader);
    return qvMakeTags(reader, edit->object.kind, Items(list), Count(list));
}

static qvResult Add(qvReader* reader, const qvEdit* edit, const qvScene* scene, qvScene* next, qvId* added)
{
    if (qvGetKind(edit->object.kind)->type == NULL)
        return qvReader_Fail(reader, "a %s cannot be added; a scene has one", qvGetKind(edit->object.kind)->label);
    if (IsOwned(edit->object.kind))
    {
        qvObjectKind kind = qvGetKind(edit->object.kind)->owner;
        int index = IndexOf(ListOf(next, kind), edit->parent);
        if (index < 0)
            return qvError_Set(reader->error, qv_notFound, "there is no %s with the number %u in this document",
                               qvGetKind(kind)->label, edit->parent);
        void* owner = EnterOwner(reader, edit->object.kind, next, index);
        if (owner == NULL)
            return qvReader_OutOfMemory(reader);
        size_t mark = strlen(reader->path);
        qvResult done = AddTo(reader, edit, scene, ListOf(owner, edit->object.kind), added);
        qvReader_Leave(reader, mark);
        return done == qv_ok ? CheckOwner(reader, edit->object.kind, owner) : done;
    }
    qvResult result = AddTo(reader, edit, scene, ListOf(next, edit->object.kind), added);
    return result == qv_ok ? qvReader_ResolveBases(reader, next->keys, next->keyCount) : result;
}

// --- Remove ---------------------------------------------------------------------------------------------------------

// Strokes of `under` (as copies with new ids) before those of a key.
static bool PrependStrokes(qvReader* reader, const qvStrokeStack* under, qvSceneKey* key)
{
    if (under->count == 0)
        return true;
    const void** strokes = qvCreateSharedList(under->count + key->strokes.count);
    if (strokes == NULL)
        return false;
    for (int i = 0; i < under->count; i++)
    {
        qvSceneStroke* copy = qvCloneShared(&qvSharedStroke, under->strokes[i]);
        if (copy != NULL)
            copy->id = reader->nextId++;
        strokes[i] = copy;
    }
    for (int i = 0; i < key->strokes.count; i++)
        strokes[under->count + i] = qvRetainShared(key->strokes.strokes[i]);
    bool complete = true;
    for (int i = 0; i < under->count; i++)
        complete = complete && strokes[i] != NULL;
    if (!complete)
    {
        qvReleaseShared(strokes);
        return false;
    }
    qvReplaceShared(&key->strokes.strokes, strokes);
    key->strokes.count += under->count;
    return true;
}

// Keys that build on one that goes take over its base and its strokes, so that their poses stay as they are.
static qvResult AdoptBase(qvReader* reader, const qvSceneKey* gone, qvScene* next)
{
    for (int i = 0; i < next->keyCount; i++)
    {
        if (next->keys[i]->base != qv_baseKey || next->keys[i]->baseKey != gone->id)
            continue;
        if (next->keys[i]->strokes.count + gone->strokes.count > qvKindStroke.limit)
            return qvReader_Fail(reader, "key \"%s\" is the base of \"%s\", which cannot take its strokes over",
                                 gone->tag, next->keys[i]->tag);
        qvSceneKey* key = OpenKey(next, i);
        if (key == NULL || !PrependStrokes(reader, &gone->strokes, key))
            return qvReader_OutOfMemory(reader);
        key->base = gone->base;
        key->baseKey = gone->baseKey;
        qvReplaceShared(&key->offsets, qvRetainShared(gone->offsets));
        qvResult result = qvPruneUnknown(reader, next, qv_objectKey, key);
        if (result != qv_ok)
            return result;
    }
    return qv_ok;
}

static qvResult RemoveOwned(qvReader* reader, const qvEdit* edit, qvScene* next)
{
    int index;
    if (qvFindOwner(next, edit->object, &index) == NULL)
        return FailGone(reader, edit);
    void* owner = Open(next, qvGetKind(edit->object.kind)->owner, index);
    if (owner == NULL)
        return qvReader_OutOfMemory(reader);
    List list = ListOf(owner, edit->object.kind);
    return Splice(list, IndexOf(list, edit->object.id), 1, NULL) ? qv_ok : qvReader_OutOfMemory(reader);
}

static qvResult Remove(qvReader* reader, const qvEdit* edit, const qvScene* scene, qvScene* next)
{
    if (IsOwned(edit->object.kind))
        return RemoveOwned(reader, edit, next);
    if (qvGetKind(edit->object.kind)->list == NULL)
        return qvReader_Fail(reader, "the %s cannot be removed", qvGetKind(edit->object.kind)->label);
    List list = ListOf(next, edit->object.kind);
    int index = IndexOf(list, edit->object.id);
    if (index < 0)
        return FailGone(reader, edit);
    const qvSceneKey* key = edit->object.kind == qv_objectKey ? scene->keys[index] : NULL;
    if (!Splice(list, index, 1, NULL))
        return qvReader_OutOfMemory(reader);
    return key != NULL ? AdoptBase(reader, key, next) : qv_ok;
}

// --- Move -----------------------------------------------------------------------------------------------------------

static qvResult MoveStroke(qvReader* reader, const qvEdit* edit, qvScene* next, bool* changed)
{
    const qvSceneKey* found;
    int index, place;
    const qvSceneStroke* stroke =
        edit->object.kind == qv_objectStroke ? qvScene_FindStroke(next, edit->object.id, &found, &place) : NULL;
    if (stroke == NULL)
        return FailGone(reader, edit);
    int last = found->strokes.count - 1, to = edit->place < 0 || edit->place > last ? last : edit->place;
    *changed = to != place;
    qvScene_FindKey(next, found->id, &index);
    qvRetainShared(stroke);
    qvSceneKey* key = OpenKey(next, index);
    if (key == NULL || !Splice(ListOf(key, qv_objectStroke), place, 1, NULL))
    {
        qvReleaseShared(stroke);
        return qvReader_OutOfMemory(reader);
    }
    return Splice(ListOf(key, qv_objectStroke), to, 0, stroke) ? qv_ok : qvReader_OutOfMemory(reader);
}

// What has an end of its own keeps its length.
static qvResult SetTime(qvReader* reader, const qvObjectTime* to, qvScene* next, bool* changed)
{
    qvValue time = qvNumberValue(to->time), until = { 0 };
    const qvSceneSimulation* simulation = qvScene_FindSimulation(next, to->id, NULL);
    if (simulation != NULL && isfinite(to->time))
        until = qvNumberValue(to->time + simulation->def.until - simulation->def.time);
    const qvFieldValue fields[] = { { "time", time }, { "until", until } };
    for (qvSceneList held = { 0 }; qvScene_NextList(next, &held);)
    {
        List list = { next, held.row };
        if (qvGetKind(held.kind)->time == 0 || IndexOf(list, to->id) < 0)
            continue;
        qvEdit edit = { .object = { held.kind, to->id }, .value = { qv_valueFields, .data = fields } };
        edit.value.count = held.kind == qv_objectSimulation ? 2 : 1;
        bool moved = false;
        size_t mark = strlen(reader->path);
        qvResult result = SetListed(reader, &edit, next, list, &moved);
        qvReader_Leave(reader, mark);
        *changed = *changed || moved;
        return result;
    }
    return qvReader_Fail(reader, "must be a list of [number, time] of keys, events, markers and simulations");
}

// No object has the number 0.
static qvObjectTime ReadPair(const qvJson* pair)
{
    const qvJson *number = qvJson_First(pair), *time = qvJson_Next(number);
    double id = qvJson_Number(number);
    bool isPair = qvJson_IsArray(pair) && qvJson_Count(pair) == 2 && id >= 1.0 && id <= UINT32_MAX;
    return (qvObjectTime){ isPair ? (qvId)id : 0, qvJson_IsNumber(time) ? qvJson_Number(time) : NAN };
}

static qvResult SetTimes(qvReader* reader, const qvEdit* edit, qvScene* next, bool* changed)
{
    const qvJson* list = qvValue_List(&edit->value);
    const qvObjectTime* times = edit->value.kind == qv_valueTimes ? edit->value.data : NULL;
    if (list == NULL && times == NULL)
        return qvReader_Fail(reader, "must be a list of [number, time] of keys, events, markers and simulations");
    qvResult result = qv_ok;
    for (int i = 0; times != NULL && i < edit->value.count && result == qv_ok; i++)
        result = SetTime(reader, &times[i], next, changed);
    for (const qvJson* pair = qvJson_First(list); pair != NULL && result == qv_ok; pair = qvJson_Next(pair))
    {
        qvObjectTime to = ReadPair(pair);
        result = SetTime(reader, &to, next, changed);
    }
    return result;
}

// --- All ------------------------------------------------------------------------------------------------------------

static qvResult Do(qvReader* reader, const qvEdit* edit, const qvScene* scene, qvScene* next, bool* changed,
                   qvId* added)
{
    switch (edit->kind)
    {
    case qv_editSet:
        return Set(reader, edit, scene, next, changed);
    case qv_editAdd:
        *changed = true;
        return Add(reader, edit, scene, next, added);
    case qv_editRemove:
        *changed = true;
        return Remove(reader, edit, scene, next);
    case qv_editMove:
        return MoveStroke(reader, edit, next, changed);
    case qv_editTimes:
        return SetTimes(reader, edit, next, changed);
    }
    return qvReader_Fail(reader, "unknown kind of edit");
}

qvResult qvApplyEdit(const qvScene* scene, const qvEdit* edit, qvReader* reader, qvScene** next, qvId* added)
{
    *next = NULL;
    qvId made = 0;
    bool changed = false;
    qvScene* changing = qvCloneShared(&qvSharedScene, scene);
    if (changing == NULL)
        return qvReader_OutOfMemory(reader);
    qvResult result = Do(reader, edit, scene, changing, &changed, &made);
    if (result == qv_ok && changed)
        result = qvCheckScene(changing, reader->error);
    if (result == qv_ok && changed)
        *next = changing;
    else
        qvReleaseShared(changing);
    if (added != NULL)
        *added = result == qv_ok ? made : 0;
    return result;
}

void qvEdit_Label(const qvEdit* edit, char* label, size_t capacity)
{
    const qvKindInfo* info = qvGetKind(edit->object.kind);
    const qvRow* row = edit->field != NULL ? qvFindRow(edit->object.kind, edit->field) : NULL;
    switch (edit->kind)
    {
    case qv_editSet:
        snprintf(label, capacity, "%s%s", row != NULL ? row->field.label : "Change ", row != NULL ? "" : info->label);
        break;
    case qv_editAdd:
        snprintf(label, capacity, "Add %s", info->label);
        break;
    case qv_editRemove:
        snprintf(label, capacity, "Remove %s", info->label);
        break;
    case qv_editMove:
        snprintf(label, capacity, "Reorder strokes");
        break;
    case qv_editTimes:
        snprintf(label, capacity, "Move in time");
        break;
    }
}
