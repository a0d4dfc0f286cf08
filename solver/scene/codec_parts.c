// SPDX-License-Identifier: GPL-3.0-or-later
// Codecs of what has parts: bases, lists of objects, velocities, embedded objects and groups of fields.
#include "base/hash.h"
#include "scene/codec.h"

#include <string.h>

// --- What a key's pose starts from ----------------------------------------------------------------------------------

static void ClearBase(qvSceneKey* key)
{
    qvReplaceShared(&key->offsets, NULL);
    key->base = qv_baseRest;
    key->baseKey = 0;
}

static qvResult ReadBaseKey(qvReader* reader, const char* tag, qvSceneKey* key)
{
    if (*tag == 0 || strlen(tag) >= qv_maxTag)
        return qvReader_Fail(reader, "key must be the id of a key, in quotes");
    qvPendingBase pending = { .key = key };
    strcpy(pending.tag, tag);
    strcpy(pending.path, reader->path);
    if (!QV_PUSH(reader->bases, pending))
        return qvReader_OutOfMemory(reader);
    ClearBase(key);
    key->base = qv_baseKey;
    return qv_ok;
}

static qvResult ReadBaseOffsets(qvReader* reader, const qvRow* row, const qvValue* value, qvSceneKey* key)
{
    const qvBlob* blob;
    qvResult result = qvReadFloats(reader, value, 3, -row->field.maximum, row->field.maximum, &blob);
    if (result != qv_ok)
        return result;
    if (blob == NULL)
        return qvReader_Fail(reader, "offsets must not be empty");
    ClearBase(key);
    key->base = qv_baseOffsets;
    key->offsets = blob;
    return qv_ok;
}

// The name of the key that is the base; "" when there is none.
static const char* BaseTag(const qvScene* scene, const qvSceneKey* key)
{
    const qvSceneKey* base = qvScene_FindKey(scene, key->baseKey, NULL);
    return base != NULL ? base->tag : "";
}

static qvResult TakeBase(qvReader* reader, const qvRow* row, const qvSceneKey* from, qvSceneKey* key)
{
    qvValue floats = qvBlobValue(qv_valueFloats, from->offsets, sizeof(float));
    if (from->base == qv_baseKey)
        return ReadBaseKey(reader, BaseTag(reader->scene, from), key);
    return ReadBaseOffsets(reader, row, &floats, key);
}

static qvResult ReadBase(qvReader* reader, const qvRow* row, const qvValue* value, void* object)
{
    const qvJson* members = qvValue_Members(value);
    const qvJson *key = qvJson_Find(members, "key"), *offsets = qvJson_Find(members, "offsets");
    if (value->kind == qv_valueObject)
        return TakeBase(reader, row, value->data, object);
    if (value->kind == qv_valueText && strcmp(value->data, "rest") == 0)
    {
        ClearBase(object);
        return qv_ok;
    }
    if ((key == NULL) == (offsets == NULL))
        return qvReader_Fail(reader, "must be \"rest\", {\"key\": id} or {\"offsets\": base64}");
    static const char* const known[] = { "key", "offsets", NULL };
    qvReader_KeepUnknown(reader, row->field.tag, members, known);
    if (key != NULL)
        return ReadBaseKey(reader, qvJson_Text(key), object); // "" for what is no text
    qvValue floats = qvJsonValue(offsets);
    return ReadBaseOffsets(reader, row, &floats, object);
}

static void PrintBase(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    (void)row;
    const qvSceneKey* key = object;
    qvJson* base = qvJson_AddObject(parent, name);
    if (key->base == qv_baseOffsets)
    {
        qvAddFloats(printer, base, "offsets", key->offsets);
        return;
    }
    qvJson_AddString(base, "key", BaseTag(printer->scene, key));
}

static bool IsRest(const qvRow* row, const void* object)
{
    (void)row;
    return ((const qvSceneKey*)object)->base == qv_baseRest;
}

static void ResetBase(const qvRow* row, void* object)
{
    (void)row;
    ClearBase(object);
}

static uint64_t HashBase(const qvRow* row, const void* object, uint64_t hash)
{
    (void)row;
    const qvSceneKey* key = object;
    return qvHash_Combine(qvHash_Combine(hash, key->base), qvBlob_Hash(key->offsets));
}

const qvCodec qvCodecBase = { ReadBase, PrintBase, IsRest, ResetBase, HashBase, NULL };

// --- Lists, objects, groups -----------------------------------------------------------------------------------------

// What is to become a list: that of a tree, or count objects.
typedef struct Items
{
    const qvJson* list;
    const void* const* given;
    int count;
} Items;

// Reads a list into new shared objects; *items is NULL for an empty one.
static qvResult ReadItems(qvReader* reader, qvObjectKind kind, const Items* from, const void*** items, int* count)
{
    *items = NULL;
    *count = from->count;
    int limit = qvGetKind(kind)->limit;
    if (*count > limit)
        return qvReader_Fail(reader, "has %d items, must have at most %d", *count, limit);
    if (*count == 0)
        return qv_ok;
    const void** list = qvCreateSharedList(*count);
    if (list == NULL)
        return qvReader_OutOfMemory(reader);
    qvResult result = qv_ok;
    const qvJson* item = qvJson_First(from->list);
    for (int i = 0; i < *count && result == qv_ok; i++, item = qvJson_Next(item))
    {
        size_t mark = qvReader_EnterItem(reader, i);
        void* object = NULL;
        qvValue one = from->list != NULL ? qvJsonValue(item) : (qvValue){ qv_valueObject, .data = from->given[i] };
        result = qvReadObject(reader, kind, &one, &object);
        list[i] = object;
        qvReader_Leave(reader, mark);
    }
    if (result != qv_ok)
        qvReleaseShared(list);
    else
        *items = list;
    return result;
}

static void PrintItems(qvPrinter* printer, qvObjectKind kind, const void* const* items, int count, qvJson* parent,
                       const char* name)
{
    qvJson* list = qvJson_AddArray(parent, name);
    for (int i = 0; i < count; i++)
        qvJson_AddNode(list, NULL, qvPrintObject(printer, kind, items[i]));
}

static const void* const* ItemsOf(const qvRow* row, const void* object)
{
    return *(const void* const* const*)qvRow_At(row, object);
}

static int* CountOf(const qvRow* row, const void* object)
{
    return (int*)((uintptr_t)object + row->extent);
}

static qvResult ReadList(qvReader* reader, const qvRow* row, const qvValue* value, void* object)
{
    Items from = { .list = qvValue_List(value) };
    if (value->kind == qv_valueObject)
        from = (Items){ .given = ItemsOf(row, value->data), .count = *CountOf(row, value->data) };
    else if (from.list != NULL)
        from.count = qvJson_Count(from.list);
    else
        return qvReader_Fail(reader, "must be a list");
    const void** items;
    int count;
    qvResult result = ReadItems(reader, row->kind, &from, &items, &count);
    if (result != qv_ok)
        return result;
    qvReplaceShared(qvRow_At(row, object), items);
    *CountOf(row, object) = count;
    return qv_ok;
}

static void PrintList(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    PrintItems(printer, row->kind, ItemsOf(row, object), *CountOf(row, object), parent, name);
}

static bool IsEmptyList(const qvRow* row, const void* object)
{
    return *CountOf(row, object) == 0;
}

static void ResetList(const qvRow* row, void* object)
{
    qvReplaceShared(qvRow_At(row, object), NULL);
    *CountOf(row, object) = 0;
}

// Items of lists are finished, so that their hashes can be kept.
static uint64_t HashItem(qvObjectKind kind, const void* item)
{
    uint64_t hash = qvShared_GetHash(item);
    if (hash == 0)
    {
        hash = qvHashFields(kind, item);
        qvShared_SetHash(item, hash);
    }
    return hash;
}

static uint64_t HashItems(qvObjectKind kind, const void* const* items, int count, uint64_t hash)
{
    hash = qvHash_Combine(hash, (uint64_t)count);
    for (int i = 0; i < count; i++)
        hash = qvHash_Combine(hash, HashItem(kind, items[i]));
    return hash;
}

static uint64_t HashList(const qvRow* row, const void* object, uint64_t hash)
{
    return HashItems(row->kind, ItemsOf(row, object), *CountOf(row, object), hash);
}

const qvCodec qvCodecList = { ReadList, PrintList, IsEmptyList, ResetList, HashList, NULL };

// One side of a velocity: a vector, {"strokes": []} or {"offsets": base64}. Belongs to the velocity mode in `extent`.
static qvSceneVelocity* SideOf(const qvRow* row, const void* object)
{
    return qvRow_At(row, object);
}

static bool IsOfOtherMode(const qvRow* row, const void* object)
{
    return ((const qvSceneKey*)object)->velocityMode != (qvVelocityMode)row->extent;
}

static void ClearSide(qvSceneVelocity* side)
{
    qvReplaceShared(&side->strokes.strokes, NULL);
    qvReplaceShared(&side->offsets, NULL);
    *side = (qvSceneVelocity){ 0 };
}

static qvResult ReadSideOffsets(qvReader* reader, const qvRow* row, const qvValue* value, qvSceneVelocity* side)
{
    const qvBlob* blob;
    size_t mark = qvReader_Enter(reader, "offsets");
    qvResult result = qvReadFloats(reader, value, 3, -row->field.maximum, row->field.maximum, &blob);
    if (result == qv_ok && blob == NULL)
        result = qvReader_Fail(reader, "must not be empty");
    qvReader_Leave(reader, mark);
    if (result != qv_ok)
        return result;
    ClearSide(side);
    side->offsets = blob;
    side->given = true;
    return qv_ok;
}

static qvResult ReadSideStrokes(qvReader* reader, const Items* from, qvSceneVelocity* side)
{
    size_t mark = qvReader_Enter(reader, "strokes");
    const void** items;
    int count;
    bool isList = from->given != NULL || qvJson_IsArray(from->list);
    qvResult result =
        isList ? ReadItems(reader, qv_objectStroke, from, &items, &count) : qvReader_Fail(reader, "must be a list");
    qvReader_Leave(reader, mark);
    if (result != qv_ok)
        return result;
    ClearSide(side);
    side->strokes = (qvStrokeStack){ count, (const qvSceneStroke* const*)items };
    side->given = true;
    return qv_ok;
}

static qvResult ReadSideField(qvReader* reader, const qvRow* row, const qvJson* members, qvSceneVelocity* side)
{
    static const char* const known[] = { "strokes", "offsets", NULL };
    const qvJson *strokes = qvJson_Find(members, "strokes"), *offsets = qvJson_Find(members, "offsets");
    if ((strokes == NULL) == (offsets == NULL))
        return qvReader_Fail(reader, "must be [x, y, z], {\"strokes\": [...]} or {\"offsets\": base64}");
    qvReader_KeepUnknown(reader, row->field.tag, members, known);
    qvValue floats = qvJsonValue(offsets);
    return offsets != NULL ? ReadSideOffsets(reader, row, &floats, side)
                           : ReadSideStrokes(reader, &(Items){ strokes, NULL, qvJson_Count(strokes) }, side);
}

static qvResult TakeSide(qvReader* reader, const qvRow* row, const qvSceneVelocity* from, qvSceneVelocity* side)
{
    qvValue floats = qvBlobValue(qv_valueFloats, from->offsets, sizeof(float));
    const qvStrokeStack* strokes = &from->strokes;
    return strokes->count > 0
               ? ReadSideStrokes(reader, &(Items){ NULL, (const void* const*)strokes->strokes, strokes->count }, side)
               : ReadSideOffsets(reader, row, &floats, side);
}

static qvResult ReadSide(qvReader* reader, const qvRow* row, const qvValue* value, void* object)
{
    qvSceneVelocity* side = SideOf(row, object);
    if (IsOfOtherMode(row, object))
        return qvReader_Fail(reader, "needs velocity.mode \"%s\"", row->extent == qv_velocitySet ? "set" : "broken");
    if (value->kind == qv_valueObject)
        return TakeSide(reader, row, SideOf(row, value->data), side);
    if (qvValue_Members(value) != NULL)
        return ReadSideField(reader, row, value->data, side);
    qvRow vector = *row;
    vector.offset += offsetof(qvSceneVelocity, value);
    qvResult result = qvCodecVector.read(reader, &vector, value, object);
    if (result != qv_ok)
        return result;
    qvVec3 given = side->value;
    ClearSide(side);
    side->value = given;
    side->given = true;
    return qv_ok;
}

static void PrintSide(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    const qvSceneVelocity* side = SideOf(row, object);
    if (side->strokes.count > 0)
    {
        qvJson* by = qvJson_AddObject(parent, name);
        PrintItems(printer, qv_objectStroke, (const void* const*)side->strokes.strokes, side->strokes.count, by,
                   "strokes");
        return;
    }
    if (side->offsets != NULL)
    {
        qvAddFloats(printer, qvJson_AddObject(parent, name), "offsets", side->offsets);
        return;
    }
    const double numbers[3] = { side->value.x, side->value.y, side->value.z };
    qvJson_AddNumbers(parent, name, numbers, 3);
}

static bool IsFreeSide(const qvRow* row, const void* object)
{
    return IsOfOtherMode(row, object) || !SideOf(row, object)->given;
}

static void ResetSide(const qvRow* row, void* object)
{
    if (IsOfOtherMode(row, object))
        return; // `value` and `out` are stored in one place
    ClearSide(SideOf(row, object));
}

static uint64_t HashSide(const qvRow* row, const void* object, uint64_t hash)
{
    const qvSceneVelocity* side = SideOf(row, object);
    if (IsFreeSide(row, object))
        return qvHash_Combine(hash, 1);
    hash = qvHash(&side->value, sizeof(side->value), hash);
    if (side->offsets != NULL)
        hash = qvHash_Combine(hash, qvBlob_Hash(side->offsets));
    return HashItems(qv_objectStroke, (const void* const*)side->strokes.strokes, side->strokes.count, hash);
}

static int GetSide(const qvRow* row, const void* object, double* values)
{
    const qvSceneVelocity* side = SideOf(row, object);
    memcpy(values, &side->value, sizeof(side->value));
    return qvSceneVelocity_IsField(side) ? 0 : 3;
}

const qvCodec qvCodecSide = { ReadSide, PrintSide, IsFreeSide, ResetSide, HashSide, GetSide };

// An object that a scene has once, inside its struct.
static qvResult ReadEmbedded(qvReader* reader, const qvRow* row, const qvValue* value, void* object)
{
    qvResetFields(row->kind, qvRow_At(row, object));
    if (row->present != 0 && value->kind == qv_valueDefault)
    {
        *(bool*)((char*)object + row->present - 1) = false;
        return qv_ok;
    }
    qvJson* outer = reader->unknown;
    reader->unknown = NULL;
    bool isStruct = value->kind == qv_valueObject;
    qvValue inside = isStruct ? (qvValue){ qv_valueObject, .data = qvRow_At(row, value->data) } : *value;
    qvResult result = qvReadFields(reader, row->kind, &inside, qvRow_At(row, object));
    qvJson* inner = reader->unknown;
    reader->unknown = outer;
    if (inner != NULL && reader->unknown == NULL)
        reader->unknown = qvCreateJsonObject();
    if (inner != NULL)
        qvJson_AddNode(reader->unknown, row->field.tag, inner);
    return result;
}

// Whether all fields but the one at an offset of the outer object are at their defaults.
static bool IsDefaultBut(const qvRow* row, const void* object, size_t except)
{
    const qvKindInfo* info = qvGetKind(row->kind);
    for (int i = 0; i < info->rowCount; i++)
    {
        bool isExcepted = row->offset + info->rows[i].offset == except;
        if (!isExcepted && !info->rows[i].codec->isDefault(&info->rows[i], qvRow_At(row, object)))
            return false;
    }
    return true;
}

static void PrintEmbedded(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    bool isOff = row->present != 0 && !*(const bool*)((const char*)object + row->present - 1);
    if (isOff && IsDefaultBut(row, object, row->present - 1))
        qvJson_AddNull(parent, name);
    else
        qvJson_AddNode(parent, name, qvPrintObject(printer, row->kind, qvRow_At(row, object)));
}

static bool IsDefaultEmbedded(const qvRow* row, const void* object)
{
    return IsDefaultBut(row, object, SIZE_MAX);
}

static void ResetEmbedded(const qvRow* row, void* object)
{
    qvResetFields(row->kind, qvRow_At(row, object));
}

static uint64_t HashEmbedded(const qvRow* row, const void* object, uint64_t hash)
{
    return qvHash_Combine(hash, qvHashFields(row->kind, qvRow_At(row, object)));
}

const qvCodec qvCodecObject = { ReadEmbedded, PrintEmbedded, IsDefaultEmbedded, ResetEmbedded, HashEmbedded, NULL };

// Fields in an object of their own; their rows follow and read themselves.
static qvResult ReadGroup(qvReader* reader, const qvRow* row, const qvValue* value, void* object)
{
    if (value->kind != qv_valueObject && qvValue_Members(value) == NULL)
        return qvReader_Fail(reader, "must be an object {...}");
    if (row->present != 0)
        *(bool*)qvRow_At(row, object) = true;
    return qv_ok;
}

static void PrintGroup(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    (void)printer, (void)row, (void)object;
    qvJson_AddObject(parent, name);
}

static bool IsAbsentGroup(const qvRow* row, const void* object)
{
    return row->present == 0 || !*(const bool*)qvRow_At(row, object);
}

static void ResetGroup(const qvRow* row, void* object)
{
    if (row->present != 0)
        *(bool*)qvRow_At(row, object) = false;
}

static uint64_t HashGroup(const qvRow* row, const void* object, uint64_t hash)
{
    return qvHash_Combine(hash, !IsAbsentGroup(row, object));
}

const qvCodec qvCodecGroup = { ReadGroup, PrintGroup, IsAbsentGroup, ResetGroup, HashGroup, NULL };
