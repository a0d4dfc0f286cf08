// SPDX-License-Identifier: GPL-3.0-or-later
// Codecs of what has parts: arrays in base64, vertex sets, bases, velocities, lists of objects and groups of fields.
#include "base/base64.h"
#include "base/hash.h"
#include "formats/little_endian.h"
#include "scene/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void* Field(const qvRow* row, const void* object)
{
    return (void*)((uintptr_t)object + row->offset);
}

static const qvBlob** BlobSlot(const qvRow* row, const void* object)
{
    return Field(row, object);
}

static bool IsNullBlob(const qvRow* row, const void* object)
{
    return *BlobSlot(row, object) == NULL;
}

static void ResetBlob(const qvRow* row, void* object)
{
    qvReplaceShared(BlobSlot(row, object), NULL);
}

static uint64_t HashBlob(const qvRow* row, const void* object, uint64_t hash)
{
    return qvHash_Combine(hash, qvBlob_Hash(*BlobSlot(row, object)));
}

// --- Floats in base64
// -------------------------------------------------------------------------------------------------

// Decodes little-endian floats in place of their bytes; each must be in range.
static qvResult CheckFloats(qvReader* reader, uint8_t* bytes, size_t count, double low, double high)
{
    for (size_t i = 0; i < count; i++)
    {
        float value = qvLittle_GetFloat(bytes + 4 * i);
        if (!(value >= low && value <= high))
            return qvReader_Fail(reader, "number %zu is %g, must be from %g to %g", i, value, low, high);
        memcpy(bytes + 4 * i, &value, sizeof(value));
    }
    return qv_ok;
}

// A blob of floats, a multiple of `tuple` many; an empty text gives NULL.
static qvResult DecodeFloats(qvReader* reader, const qvJson* value, int tuple, double low, double high,
                             const qvBlob** blob)
{
    *blob = NULL;
    if (!qvJson_IsString(value))
        return qvReader_Fail(reader, "must be a text in quotes, base64 of float32 numbers");
    const char* text = qvJson_Text(value);
    size_t length = strlen(text), size = qvBase64_DecodedSize(text, length), bad = 0;
    uint8_t* bytes = qvAllocateRaw(size + 1, 1);
    if (bytes == NULL)
        return qvReader_OutOfMemory(reader);
    qvResult result = qv_ok;
    if (!qvBase64_Decode(text, length, bytes, &bad))
        result = qvReader_Fail(reader, "is not base64 at character %zu", bad);
    else if (size % (4 * (size_t)tuple) != 0)
        result = qvReader_Fail(reader, "has %zu bytes, must be a multiple of %d", size, 4 * tuple);
    else
        result = CheckFloats(reader, bytes, size / 4, low, high);
    if (result == qv_ok && size > 0)
    {
        *blob = qvCreateBlob(bytes, size);
        if (*blob == NULL)
            result = qvReader_OutOfMemory(reader);
    }
    free(bytes);
    return result;
}

static void EncodeBase64(const uint8_t* bytes, size_t size, char* text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3)
    {
        size_t rest = size - i;
        uint32_t bits = (uint32_t)bytes[i] << 16 | (rest > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                        (rest > 2 ? (uint32_t)bytes[i + 2] : 0);
        *text++ = digits[bits >> 18];
        *text++ = digits[bits >> 12 & 63];
        *text++ = rest > 1 ? digits[bits >> 6 & 63] : '=';
        *text++ = rest > 2 ? digits[bits & 63] : '=';
    }
    *text = 0;
}

// Text of a blob of floats, malloc'ed; NULL when memory runs out.
static char* EncodeFloats(const qvBlob* blob)
{
    size_t count = blob->size / 4;
    uint8_t* bytes = qvAllocateRaw(blob->size + 1, 1);
    char* text = qvAllocateRaw((blob->size + 2) / 3 * 4 + 1, 1);
    if (bytes != NULL && text != NULL)
    {
        for (size_t i = 0; i < count; i++)
            qvLittle_PutFloat(bytes + 4 * i, ((const float*)blob->data)[i]);
        EncodeBase64(bytes, 4 * count, text);
    }
    else
    {
        free(text);
        text = NULL;
    }
    free(bytes);
    return text;
}

static void AddFloats(qvPrinter* printer, qvJson* parent, const char* name, const qvBlob* blob)
{
    char* text = EncodeFloats(blob);
    if (text == NULL || qvJson_AddString(parent, name, text) == NULL)
        printer->failed = true;
    free(text);
}

static qvResult ReadFloats(qvReader* reader, const qvRow* row, const qvJson* value, void* object)
{
    const qvBlob* blob;
    qvResult result = DecodeFloats(reader, value, 1, row->field.minimum, row->field.maximum, &blob);
    if (result == qv_ok)
        qvReplaceShared(BlobSlot(row, object), blob);
    return result;
}

static void PrintFloats(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    AddFloats(printer, parent, name, *BlobSlot(row, object));
}

const qvCodec qvCodecFloats = { ReadFloats, PrintFloats, IsNullBlob, ResetBlob, HashBlob, NULL };

// --- Vertices and points
// ----------------------------------------------------------------------------------------------

static qvResult ParseVertices(qvReader* reader, const qvJson* value, int32_t* vertices)
{
    int i = 0;
    for (const qvJson* item = qvJson_First(value); item != NULL; item = qvJson_Next(item), i++)
    {
        double number = qvJson_Number(item);
        if (!qvJson_IsNumber(item) || number != floor(number) || number < 0.0 || number > INT32_MAX)
            return qvReader_Fail(reader, "item %d must be the number of a vertex, from 0", i);
        vertices[i] = (int32_t)number;
    }
    return qv_ok;
}

static qvResult ReadVertices(qvReader* reader, const qvRow* row, const qvJson* value, void* object)
{
    if (!qvJson_IsArray(value))
        return qvReader_Fail(reader, "must be a list of vertex numbers");
    int count = qvJson_Count(value);
    int32_t* vertices = qvAllocateRaw((size_t)count, sizeof(*vertices));
    if (vertices == NULL)
        return qvReader_OutOfMemory(reader);
    qvResult result = ParseVertices(reader, value, vertices);
    if (result == qv_ok)
    {
        const qvBlob* blob = count > 0 ? qvCreateBlob(vertices, (size_t)count * sizeof(*vertices)) : NULL;
        if (count > 0 && blob == NULL)
            result = qvReader_OutOfMemory(reader);
        else
            qvReplaceShared(BlobSlot(row, object), blob);
    }
    free(vertices);
    if (result == qv_ok && row->present != 0)
        *((bool*)object + row->present - 1) = true;
    return result;
}

static void PrintVertices(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    (void)printer;
    const qvBlob* blob = *BlobSlot(row, object);
    const int32_t* vertices = blob->data;
    qvJson* list = qvJson_AddArray(parent, name);
    for (size_t i = 0; i < blob->size / sizeof(*vertices); i++)
        qvJson_AddNumber(list, NULL, vertices[i]);
}

const qvCodec qvCodecVertices = { ReadVertices, PrintVertices, IsNullBlob, ResetBlob, HashBlob, NULL };

// Points [x, y, z] in a list.
static qvResult ParsePoints(qvReader* reader, const qvRow* row, const qvJson* value, qvVec3* points)
{
    int i = 0;
    for (const qvJson* item = qvJson_First(value); item != NULL; item = qvJson_Next(item), i++)
    {
        const qvJson *x = qvJson_First(item), *y = qvJson_Next(x), *z = qvJson_Next(y);
        bool isPoint = qvJson_IsArray(item) && qvJson_Count(item) == 3 && qvJson_IsNumber(x) && qvJson_IsNumber(y) &&
                       qvJson_IsNumber(z);
        if (!isPoint)
            return qvReader_Fail(reader, "item %d must be a point [x, y, z]", i);
        points[i] = qvMakeVec3(qvJson_Number(x), qvJson_Number(y), qvJson_Number(z));
        if (fmax(fmax(fabs(points[i].x), fabs(points[i].y)), fabs(points[i].z)) > row->field.maximum)
            return qvReader_Fail(reader, "item %d is farther than %g from the origin", i, row->field.maximum);
    }
    return qv_ok;
}

static void AddPoint(qvJson* list, qvVec3 point)
{
    const double numbers[3] = { point.x, point.y, point.z };
    qvJson_AddNumbers(list, NULL, numbers, 3);
}

static qvVertexSet* SetOf(const qvRow* row, const void* object)
{
    return Field(row, object);
}

static qvResult ReadBox(qvReader* reader, const qvRow* row, const qvJson* value, void* object)
{
    qvVec3 corners[2];
    if (!qvJson_IsArray(value) || qvJson_Count(value) != 2)
        return qvReader_Fail(reader, "must be two corners, [[x, y, z], [x, y, z]]");
    qvResult result = ParsePoints(reader, row, value, corners);
    if (result != qv_ok)
        return result;
    qvVec3 size = qvSub(corners[1], corners[0]);
    if (!(size.x >= 0.0 && size.y >= 0.0 && size.z >= 0.0))
        return qvReader_Fail(reader, "the first corner must be the lower one in x, y and z");
    qvVertexSet* set = SetOf(row, object);
    set->hasBox = true;
    set->lower = corners[0];
    set->upper = corners[1];
    if (row->present != 0)
        *((bool*)object + row->present - 1) = true;
    return qv_ok;
}

static void PrintBox(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    (void)printer;
    qvJson* list = qvJson_AddArray(parent, name);
    AddPoint(list, SetOf(row, object)->lower);
    AddPoint(list, SetOf(row, object)->upper);
}

static bool HasNoBox(const qvRow* row, const void* object)
{
    return !SetOf(row, object)->hasBox;
}

static void ResetBox(const qvRow* row, void* object)
{
    qvVertexSet* set = SetOf(row, object);
    set->hasBox = false;
    set->lower = set->upper = qvMakeVec3(0.0, 0.0, 0.0);
}

static uint64_t HashBox(const qvRow* row, const void* object, uint64_t hash)
{
    const qvVertexSet* set = SetOf(row, object);
    hash = qvHash_Combine(hash, set->hasBox);
    return qvHash(&set->upper, sizeof(set->upper), qvHash(&set->lower, sizeof(set->lower), hash));
}

const qvCodec qvCodecBox = { ReadBox, PrintBox, HasNoBox, ResetBox, HashBox, NULL };

static qvResult ReadPath(qvReader* reader, const qvRow* row, const qvJson* value, void* object)
{
    if (!qvJson_IsArray(value))
        return qvReader_Fail(reader, "must be a list of points [x, y, z]");
    int count = qvJson_Count(value);
    qvVec3* points = qvAllocateRaw((size_t)count, sizeof(*points));
    if (points == NULL)
        return qvReader_OutOfMemory(reader);
    qvResult result = ParsePoints(reader, row, value, points);
    const qvBlob* blob = result == qv_ok && count > 0 ? qvCreateBlob(points, (size_t)count * sizeof(*points)) : NULL;
    if (result == qv_ok && count > 0 && blob == NULL)
        result = qvReader_OutOfMemory(reader);
    if (result == qv_ok)
        qvReplaceShared(BlobSlot(row, object), blob);
    free(points);
    return result;
}

static void PrintPath(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    (void)printer;
    const qvBlob* blob = *BlobSlot(row, object);
    const qvVec3* points = blob->data;
    qvJson* list = qvJson_AddArray(parent, name);
    for (size_t i = 0; i < blob->size / sizeof(*points); i++)
        AddPoint(list, points[i]);
}

const qvCodec qvCodecPath = { ReadPath, PrintPath, IsNullBlob, ResetBlob, HashBlob, NULL };

// --- What a key's pose starts from
// --------------------------------------------------------------------------------------

static void ClearBase(qvSceneKey* key)
{
    qvReplaceShared(&key->offsets, NULL);
    key->base = qv_baseRest;
    key->baseKey = 0;
}

static qvResult ReadBaseKey(qvReader* reader, const qvJson* value, qvSceneKey* key)
{
    const char* tag = qvJson_Text(value);
    if (!qvJson_IsString(value) || *tag == 0 || strlen(tag) >= qv_maxTag)
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

static qvResult ReadBaseOffsets(qvReader* reader, const qvRow* row, const qvJson* value, qvSceneKey* key)
{
    const qvBlob* blob;
    qvResult result = DecodeFloats(reader, value, 3, -row->field.maximum, row->field.maximum, &blob);
    if (result != qv_ok)
        return result;
    if (blob == NULL)
        return qvReader_Fail(reader, "offsets must not be empty");
    ClearBase(key);
    key->base = qv_baseOffsets;
    key->offsets = blob;
    return qv_ok;
}

static qvResult ReadBase(qvReader* reader, const qvRow* row, const qvJson* value, void* object)
{
    const qvJson *key = qvJson_Find(value, "key"), *offsets = qvJson_Find(value, "offsets");
    if (qvJson_IsString(value) && strcmp(qvJson_Text(value), "rest") == 0)
    {
        ClearBase(object);
        return qv_ok;
    }
    if ((key == NULL) == (offsets == NULL))
        return qvReader_Fail(reader, "must be \"rest\", {\"key\": id} or {\"offsets\": base64}");
    static const char* const known[] = { "key", "offsets", NULL };
    qvReader_KeepUnknown(reader, row->field.tag, value, known);
    return key != NULL ? ReadBaseKey(reader, key, object) : ReadBaseOffsets(reader, row, offsets, object);
}

static void PrintBase(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    (void)row;
    const qvSceneKey* key = object;
    qvJson* base = qvJson_AddObject(parent, name);
    if (key->base == qv_baseOffsets)
    {
        AddFloats(printer, base, "offsets", key->offsets);
        return;
    }
    const qvSceneKey* other = qvScene_FindKey(printer->scene, key->baseKey, NULL);
    qvJson_AddString(base, "key", other != NULL ? other->tag : "");
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

// --- Lists, objects, groups
// ----------------------------------------------------------------------------------------------

// Reads a list into new shared objects; *items is NULL for an empty one.
static qvResult ReadItems(qvReader* reader, qvObjectKind kind, const qvJson* value, const void*** items, int* count)
{
    *items = NULL;
    *count = qvJson_Count(value);
    if (!qvJson_IsArray(value))
        return qvReader_Fail(reader, "must be a list");
    int limit = qvGetKind(kind)->limit;
    if (*count > limit)
        return qvReader_Fail(reader, "has %d items, must have at most %d", *count, limit);
    if (*count == 0)
        return qv_ok;
    const void** list = qvCreateSharedList(*count);
    if (list == NULL)
        return qvReader_OutOfMemory(reader);
    qvResult result = qv_ok;
    int i = 0;
    for (const qvJson* item = qvJson_First(value); item != NULL && result == qv_ok; item = qvJson_Next(item), i++)
    {
        size_t mark = qvReader_Enter(reader, "[%d]", i);
        void* object = NULL;
        result = qvReadObject(reader, kind, item, &object);
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
    return *(const void* const* const*)Field(row, object);
}

static int* CountOf(const qvRow* row, const void* object)
{
    return (int*)((uintptr_t)object + row->extent);
}

static qvResult ReadList(qvReader* reader, const qvRow* row, const qvJson* value, void* object)
{
    const void** items;
    int count;
    qvResult result = ReadItems(reader, row->kind, value, &items, &count);
    if (result != qv_ok)
        return result;
    qvReplaceShared(Field(row, object), items);
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
    qvReplaceShared(Field(row, object), NULL);
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

// One side of a velocity: a vector, or {"strokes": []}. Belongs to the velocity mode in `extent`.
static qvSceneVelocity* SideOf(const qvRow* row, const void* object)
{
    return Field(row, object);
}

static bool IsOfOtherMode(const qvRow* row, const void* object)
{
    return ((const qvSceneKey*)object)->velocityMode != (qvVelocityMode)row->extent;
}

static qvResult ReadSideStrokes(qvReader* reader, const qvRow* row, const qvJson* value, qvSceneVelocity* side)
{
    static const char* const known[] = { "strokes", NULL };
    const qvJson* strokes = qvJson_Find(value, "strokes");
    if (strokes == NULL)
        return qvReader_Fail(reader, "must be [x, y, z] or {\"strokes\": [...]}");
    qvReader_KeepUnknown(reader, row->field.tag, value, known);
    size_t mark = qvReader_Enter(reader, "strokes");
    const void** items;
    int count;
    qvResult result = ReadItems(reader, qv_objectStroke, strokes, &items, &count);
    qvReader_Leave(reader, mark);
    if (result != qv_ok)
        return result;
    qvReplaceShared(&side->strokes.strokes, items);
    side->strokes.count = count;
    side->value = qvMakeVec3(0.0, 0.0, 0.0);
    side->given = true;
    return qv_ok;
}

static qvResult ReadSide(qvReader* reader, const qvRow* row, const qvJson* value, void* object)
{
    qvSceneVelocity* side = SideOf(row, object);
    if (IsOfOtherMode(row, object))
        return qvReader_Fail(reader, "needs velocity.mode \"%s\"", row->extent == qv_velocitySet ? "set" : "broken");
    if (qvJson_IsObject(value))
        return ReadSideStrokes(reader, row, value, side);
    qvRow vector = *row;
    vector.offset += offsetof(qvSceneVelocity, value);
    qvResult result = qvCodecVector.read(reader, &vector, value, object);
    if (result != qv_ok)
        return result;
    qvReplaceShared(&side->strokes.strokes, NULL);
    side->strokes.count = 0;
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
    qvReplaceShared(&SideOf(row, object)->strokes.strokes, NULL);
    *SideOf(row, object) = (qvSceneVelocity){ 0 };
}

static uint64_t HashSide(const qvRow* row, const void* object, uint64_t hash)
{
    const qvSceneVelocity* side = SideOf(row, object);
    if (IsFreeSide(row, object))
        return qvHash_Combine(hash, 1);
    hash = qvHash(&side->value, sizeof(side->value), hash);
    return HashItems(qv_objectStroke, (const void* const*)side->strokes.strokes, side->strokes.count, hash);
}

static int GetSide(const qvRow* row, const void* object, double* values)
{
    const qvSceneVelocity* side = SideOf(row, object);
    memcpy(values, &side->value, sizeof(side->value));
    return side->strokes.count > 0 ? 0 : 3;
}

const qvCodec qvCodecSide = { ReadSide, PrintSide, IsFreeSide, ResetSide, HashSide, GetSide };

// An object that a scene has once, inside its struct.
static qvResult ReadEmbedded(qvReader* reader, const qvRow* row, const qvJson* value, void* object)
{
    qvJson* outer = reader->unknown;
    reader->unknown = NULL;
    qvResetFields(row->kind, Field(row, object));
    qvResult result = qvReadFields(reader, row->kind, value, Field(row, object));
    qvJson* inner = reader->unknown;
    reader->unknown = outer;
    if (inner != NULL && reader->unknown == NULL)
        reader->unknown = qvCreateJsonObject();
    if (inner != NULL)
        qvJson_AddNode(reader->unknown, row->field.tag, inner);
    return result;
}

static void PrintEmbedded(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    qvJson_AddNode(parent, name, qvPrintObject(printer, row->kind, Field(row, object)));
}

static bool IsDefaultEmbedded(const qvRow* row, const void* object)
{
    const qvKindInfo* info = qvGetKind(row->kind);
    for (int i = 0; i < info->rowCount; i++)
    {
        if (!info->rows[i].codec->isDefault(&info->rows[i], Field(row, object)))
            return false;
    }
    return true;
}

static void ResetEmbedded(const qvRow* row, void* object)
{
    qvResetFields(row->kind, Field(row, object));
}

static uint64_t HashEmbedded(const qvRow* row, const void* object, uint64_t hash)
{
    return qvHash_Combine(hash, qvHashFields(row->kind, Field(row, object)));
}

const qvCodec qvCodecObject = { ReadEmbedded, PrintEmbedded, IsDefaultEmbedded, ResetEmbedded, HashEmbedded, NULL };

// Fields in an object of their own; their rows follow and read themselves.
static qvResult ReadGroup(qvReader* reader, const qvRow* row, const qvJson* value, void* object)
{
    if (!qvJson_IsObject(value))
        return qvReader_Fail(reader, "must be an object {...}");
    if (row->present != 0)
        *(bool*)Field(row, object) = true;
    return qv_ok;
}

static void PrintGroup(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    (void)printer, (void)row, (void)object;
    qvJson_AddObject(parent, name);
}

static bool IsAbsentGroup(const qvRow* row, const void* object)
{
    return row->present == 0 || !*(const bool*)Field(row, object);
}

static void ResetGroup(const qvRow* row, void* object)
{
    if (row->present != 0)
        *(bool*)Field(row, object) = false;
}

static uint64_t HashGroup(const qvRow* row, const void* object, uint64_t hash)
{
    return qvHash_Combine(hash, !IsAbsentGroup(row, object));
}

const qvCodec qvCodecGroup = { ReadGroup, PrintGroup, IsAbsentGroup, ResetGroup, HashGroup, NULL };
