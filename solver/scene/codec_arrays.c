// SPDX-License-Identifier: GPL-3.0-or-later
// Codecs of arrays: floats in base64, vertex numbers, points.
#include "base/base64.h"
#include "base/hash.h"
#include "formats/little_endian.h"
#include "scene/codec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const qvBlob** BlobSlot(const qvRow* row, const void* object)
{
    return qvRow_At(row, object);
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

qvValue qvBlobValue(qvValueKind kind, const qvBlob* blob, size_t itemSize)
{
    return (qvValue){ kind, blob != NULL ? (int)(blob->size / itemSize) : 0, { 0 }, blob != NULL ? blob->data : NULL };
}

// --- Floats in base64 -----------------------------------------------------------------------------------------------

static qvResult MakeFloats(qvReader* reader, const void* bytes, size_t size, int tuple, double low, double high,
                           const qvBlob** blob)
{
    if (size % (4 * (size_t)tuple) != 0)
        return qvReader_Fail(reader, "has %zu bytes, must be a multiple of %d", size, 4 * tuple);
    for (size_t i = 0; i < size / 4; i++)
    {
        float value;
        memcpy(&value, (const uint8_t*)bytes + 4 * i, sizeof(value));
        if (!(value >= low && value <= high))
            return qvReader_Fail(reader, "number %zu is %g, must be from %g to %g", i, value, low, high);
    }
    *blob = size > 0 ? qvCreateBlob(bytes, size) : NULL;
    return size == 0 || *blob != NULL ? qv_ok : qvReader_OutOfMemory(reader);
}

qvResult qvReadFloats(qvReader* reader, const qvValue* value, int tuple, double low, double high, const qvBlob** blob)
{
    *blob = NULL;
    if (value->kind == qv_valueFloats)
        return MakeFloats(reader, value->data, 4 * (size_t)value->count, tuple, low, high, blob);
    if (value->kind != qv_valueText)
        return qvReader_Fail(reader, "must be a text in quotes, base64 of float32 numbers");
    const char* text = value->data;
    size_t length = strlen(text), size = qvBase64_DecodedSize(text, length), bad = 0;
    uint8_t* bytes = qvAllocateRaw(size + 1, 1);
    if (bytes == NULL)
        return qvReader_OutOfMemory(reader);
    qvResult result = qv_ok;
    if (!qvBase64_Decode(text, length, bytes, &bad))
        result = qvReader_Fail(reader, "is not base64 at character %zu", bad);
    for (size_t i = 0; i < size / 4; i++)
    {
        float number = qvLittle_GetFloat(bytes + 4 * i);
        memcpy(bytes + 4 * i, &number, sizeof(number));
    }
    if (result == qv_ok)
        result = MakeFloats(reader, bytes, size, tuple, low, high, blob);
    free(bytes);
    return result;
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
        qvBase64_Encode(bytes, 4 * count, text);
    }
    else
    {
        free(text);
        text = NULL;
    }
    free(bytes);
    return text;
}

void qvAddFloats(qvPrinter* printer, qvJson* parent, const char* name, const qvBlob* blob)
{
    char* text = EncodeFloats(blob);
    if (text == NULL || qvJson_AddString(parent, name, text) == NULL)
        printer->failed = true;
    free(text);
}

static qvResult ReadFloats(qvReader* reader, const qvRow* row, const qvValue* value, void* object)
{
    const qvBlob* blob;
    qvResult result = qvReadFloats(reader, value, 1, row->field.minimum, row->field.maximum, &blob);
    if (result == qv_ok)
        qvReplaceShared(BlobSlot(row, object), blob);
    return result;
}

static void PrintFloats(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    qvAddFloats(printer, parent, name, *BlobSlot(row, object));
}

const qvCodec qvCodecFloats = { ReadFloats, PrintFloats, IsNullBlob, ResetBlob, HashBlob, NULL };

// --- Vertices and points --------------------------------------------------------------------------------------------

static int CountItems(const qvValue* value, qvValueKind kind)
{
    return value->kind == kind ? value->count : qvJson_Count(qvValue_List(value));
}

static qvResult ParseVertices(qvReader* reader, const qvValue* value, int count, int32_t* vertices)
{
    const int32_t* given = value->kind == qv_valueVertices ? value->data : NULL;
    const qvJson* item = qvJson_First(qvValue_List(value));
    for (int i = 0; i < count; i++, item = qvJson_Next(item))
    {
        double number = given != NULL ? given[i] : qvJson_IsNumber(item) ? qvJson_Number(item) : -1.0;
        if (number != floor(number) || number < 0.0 || number > INT32_MAX)
            return qvReader_Fail(reader, "item %d must be the number of a vertex, from 0", i);
        vertices[i] = (int32_t)number;
    }
    return qv_ok;
}

static qvResult ReadVertices(qvReader* reader, const qvRow* row, const qvValue* value, void* object)
{
    if (value->kind != qv_valueVertices && qvValue_List(value) == NULL)
        return qvReader_Fail(reader, "must be a list of vertex numbers");
    int count = CountItems(value, qv_valueVertices);
    int32_t* vertices = qvAllocateRaw((size_t)count, sizeof(*vertices));
    if (vertices == NULL)
        return qvReader_OutOfMemory(reader);
    qvResult result = ParseVertices(reader, value, count, vertices);
    if (result == qv_ok)
    {
        const qvBlob* blob = count > 0 ? qvCreateBlob(vertices, (size_t)count * sizeof(*vertices)) : NULL;
        if (count > 0 && blob == NULL)
            result = qvReader_OutOfMemory(reader);
        else
            qvReplaceShared(BlobSlot(row, object), blob);
    }
    free(vertices);
    if (result == qv_ok)
        qvRow_MarkPresent(row, object);
    return result;
}

void qvAddVertices(qvJson* parent, const char* name, const int32_t* vertices, size_t count)
{
    qvJson* list = qvJson_AddArray(parent, name);
    for (size_t i = 0; i < count; i++)
        qvJson_AddNumber(list, NULL, vertices[i]);
}

static void PrintVertices(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    (void)printer;
    const qvBlob* blob = *BlobSlot(row, object);
    qvAddVertices(parent, name, blob->data, blob->size / sizeof(int32_t));
}

const qvCodec qvCodecVertices = { ReadVertices, PrintVertices, IsNullBlob, ResetBlob, HashBlob, NULL };

// Points [x, y, z] in a list.
static bool ParsePoint(const qvJson* item, qvVec3* point)
{
    const qvJson *x = qvJson_First(item), *y = qvJson_Next(x), *z = qvJson_Next(y);
    *point = qvMakeVec3(qvJson_Number(x), qvJson_Number(y), qvJson_Number(z));
    return qvJson_IsArray(item) && qvJson_Count(item) == 3 && qvJson_IsNumber(x) && qvJson_IsNumber(y) &&
           qvJson_IsNumber(z);
}

static qvResult ParsePoints(qvReader* reader, const qvRow* row, const qvValue* value, int count, qvVec3* points)
{
    const qvVec3* given = value->kind == qv_valuePoints ? value->data : NULL;
    const qvJson* item = qvJson_First(qvValue_List(value));
    for (int i = 0; i < count; i++, item = qvJson_Next(item))
    {
        qvVec3 point;
        if (given != NULL)
            point = given[i];
        else if (!ParsePoint(item, &point))
            return qvReader_Fail(reader, "item %d must be a point [x, y, z]", i);
        points[i] = qvMakeVec3(qvPlain(point.x), qvPlain(point.y), qvPlain(point.z));
        if (!(fabs(point.x) <= row->field.maximum && fabs(point.y) <= row->field.maximum &&
              fabs(point.z) <= row->field.maximum))
            return qvReader_Fail(reader, "item %d is farther than %g from the origin", i, row->field.maximum);
    }
    return qv_ok;
}

void qvAddPoints(qvJson* parent, const char* name, const qvVec3* points, size_t count)
{
    qvJson* list = qvJson_AddArray(parent, name);
    for (size_t i = 0; i < count; i++)
        qvJson_AddNumbers(list, NULL, (const double[3]){ points[i].x, points[i].y, points[i].z }, 3);
}

static qvVertexSet* SetOf(const qvRow* row, const void* object)
{
    return qvRow_At(row, object);
}

static qvResult ReadBox(qvReader* reader, const qvRow* row, const qvValue* value, void* object)
{
    qvVec3 corners[2];
    if (CountItems(value, qv_valuePoints) != 2)
        return qvReader_Fail(reader, "must be two corners, [[x, y, z], [x, y, z]]");
    qvResult result = ParsePoints(reader, row, value, 2, corners);
    if (result != qv_ok)
        return result;
    qvVec3 size = qvSub(corners[1], corners[0]);
    if (!(size.x >= 0.0 && size.y >= 0.0 && size.z >= 0.0))
        return qvReader_Fail(reader, "the first corner must be the lower one in x, y and z");
    qvVertexSet* set = SetOf(row, object);
    set->hasBox = true;
    set->lower = corners[0];
    set->upper = corners[1];
    qvRow_MarkPresent(row, object);
    return qv_ok;
}

static void PrintBox(qvPrinter* printer, const qvRow* row, const void* object, qvJson* parent, const char* name)
{
    (void)printer;
    qvAddPoints(parent, name, (const qvVec3[2]){ SetOf(row, object)->lower, SetOf(row, object)->upper }, 2);
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

static qvResult ReadPath(qvReader* reader, const qvRow* row, const qvValue* value, void* object)
{
    if (value->kind != qv_valuePoints && qvValue_List(value) == NULL)
        return qvReader_Fail(reader, "must be a list of points [x, y, z]");
    int count = CountItems(value, qv_valuePoints);
    qvVec3* points = qvAllocateRaw((size_t)count, sizeof(*points));
    if (points == NULL)
        return qvReader_OutOfMemory(reader);
    qvResult result = ParsePoints(reader, row, value, count, points);
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
    qvAddPoints(parent, name, blob->data, blob->size / sizeof(qvVec3));
}

const qvCodec qvCodecPath = { ReadPath, PrintPath, IsNullBlob, ResetBlob, HashBlob, NULL };
