// SPDX-License-Identifier: GPL-3.0-or-later
// Accessors: typed views of a buffer (glTF 2.0, section 3.6.2). Files are little-endian, as are the machines that this
// is built for.
#include "formats/gltf.h"

#include "base/assert.h"

#include <limits.h>
#include <math.h>
#include <string.h>

size_t qvGltf_ComponentSize(int componentType)
{
    switch (componentType)
    {
    case QV_GLTF_BYTE:
    case QV_GLTF_UNSIGNED_BYTE:
        return 1;
    case QV_GLTF_SHORT:
    case QV_GLTF_UNSIGNED_SHORT:
        return 2;
    case QV_GLTF_UNSIGNED_INT:
    case QV_GLTF_FLOAT:
        return 4;
    default:
        return 0;
    }
}

// --- Finding out what is there -----------------------------------------------------------------------------------

static qvResult ReadSize(const qvJson* object, const char* place, const char* name, size_t* size, qvError* error)
{
    int value = (int)*size;
    qvResult result = qvJson_ReadInt(object, place, name, 0, INT_MAX, &value, error);
    *size = (size_t)value;
    return result;
}

static qvResult ReadView(const qvGltf* gltf, const qvJson* json, int index, qvGltfView* view, qvError* error)
{
    char place[QV_GLTF_MAX_PLACE];
    snprintf(place, sizeof(place), "bufferViews[%d]", index);
    *view = (qvGltfView){ .buffer = -1 };
    qvResult result = qvJson_ReadInt(json, place, "buffer", 0, INT_MAX, &view->buffer, error);
    if (result == qv_ok)
        result = ReadSize(json, place, "byteOffset", &view->offset, error);
    if (result == qv_ok)
        result = ReadSize(json, place, "byteLength", &view->size, error);
    if (result == qv_ok)
        result = ReadSize(json, place, "byteStride", &view->stride, error);
    if (result != qv_ok)
        return result;
    if (view->buffer < 0 || view->buffer >= gltf->bufferCount)
        return qvError_Set(error, qv_badInput, "%s.buffer: must name one of the %d buffers", place, gltf->bufferCount);
    if (gltf->buffers[view->buffer].isFallback)
        return qvError_Set(error, qv_badInput, "%s: buffer %d has no bytes, and nothing compressed takes their place",
                           place, view->buffer);
    const qvBytes* bytes = &gltf->buffers[view->buffer].bytes;
    if (view->offset > bytes->size || view->size > bytes->size - view->offset)
        return qvError_Set(error, qv_badInput, "%s: bytes %zu to %zu lie outside buffer %d of %zu bytes", place,
                           view->offset, view->offset + view->size, view->buffer, bytes->size);
    view->bytes = (const uint8_t*)bytes->data + view->offset;
    return qv_ok;
}

qvResult qvGltf_GetView(const qvGltf* gltf, const qvJson* object, const char* place, const char* name, int* index,
                        qvGltfView* view, qvError* error)
{
    qvJson* json;
    qvResult result = qvGltf_Follow(&gltf->views, object, place, name, index, &json, error);
    if (result != qv_ok || json == NULL)
        return result;
    return ReadView(gltf, json, *index, view, error);
}

static qvResult ReadType(const qvJson* json, const char* place, qvGltfAccessor* accessor, qvError* error)
{
    static const struct
    {
        const char* name;
        int rows, columns;
    } types[] = { { "SCALAR", 1, 1 }, { "VEC2", 2, 1 }, { "VEC3", 3, 1 }, { "VEC4", 4, 1 },
                  { "MAT2", 2, 2 },   { "MAT3", 3, 3 }, { "MAT4", 4, 4 } };
    const char* type = "";
    qvResult result = qvJson_ReadInt(json, place, "componentType", 0, INT_MAX, &accessor->componentType, error);
    if (result == qv_ok)
        result = qvJson_ReadString(json, place, "type", &type, error);
    if (result != qv_ok)
        return result;
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
    {
        if (strcmp(type, types[i].name) == 0)
        {
            accessor->rows = types[i].rows;
            accessor->columns = types[i].columns;
        }
    }
    size_t size = qvGltf_ComponentSize(accessor->componentType);
    if (size == 0)
        return qvError_Set(error, qv_badInput, "%s.componentType: %d is none of glTF's types", place,
                           accessor->componentType);
    if (accessor->rows == 0)
        return qvError_Set(error, qv_badInput, "%s.type: \"%.20s\" is none of glTF's types", place, type);
    // Columns of matrices start at multiples of four bytes (section 3.6.2.4).
    size_t column = (size_t)accessor->rows * size;
    accessor->columnSize = accessor->columns > 1 ? (column + 3) / 4 * 4 : column;
    accessor->elementSize = accessor->columnSize * (size_t)accessor->columns;
    return qv_ok;
}

// A run of count items of size bytes at offset of a view, for the parts of a sparse accessor.
static qvResult ReadRun(const qvGltf* gltf, const qvJson* object, const char* place, size_t count, size_t size,
                        const uint8_t** bytes, qvError* error)
{
    int index;
    qvGltfView view;
    size_t offset = 0;
    qvResult result = qvGltf_GetView(gltf, object, place, "bufferView", &index, &view, error);
    if (result == qv_ok)
        result = ReadSize(object, place, "byteOffset", &offset, error);
    if (result != qv_ok)
        return result;
    if (index < 0)
        return qvError_Set(error, qv_badInput, "%s.bufferView: is missing", place);
    if (offset > view.size || count * size > view.size - offset)
        return qvError_Set(error, qv_badInput,
                           "%s: %zu items of %zu bytes do not fit into bufferViews[%d] of %zu bytes", place, count,
                           size, index, view.size);
    *bytes = view.bytes + offset;
    return qv_ok;
}

static qvResult ReadSparse(const qvGltf* gltf, const qvJson* json, const char* place, qvGltfAccessor* accessor,
                           qvError* error)
{
    char where[QV_GLTF_MAX_PLACE];
    qvJson *sparse = NULL, *indices = NULL, *values = NULL;
    qvResult result = qvJson_ReadObject(json, place, "sparse", &sparse, error);
    if (result != qv_ok || sparse == NULL)
        return result;
    snprintf(where, sizeof(where), "%s.sparse", place);
    result = qvJson_ReadInt(sparse, where, "count", 1, accessor->count, &accessor->sparseCount, error);
    if (result == qv_ok)
        result = qvJson_ReadObject(sparse, where, "indices", &indices, error);
    if (result == qv_ok)
        result = qvJson_ReadObject(sparse, where, "values", &values, error);
    if (result != qv_ok)
        return result;
    size_t count = (size_t)accessor->sparseCount;
    snprintf(where, sizeof(where), "%s.sparse.indices", place);
    result = qvJson_ReadInt(indices, where, "componentType", 0, INT_MAX, &accessor->sparseType, error);
    if (result != qv_ok)
        return result;
    if (accessor->sparseType != QV_GLTF_UNSIGNED_BYTE && accessor->sparseType != QV_GLTF_UNSIGNED_SHORT &&
        accessor->sparseType != QV_GLTF_UNSIGNED_INT)
        return qvError_Set(error, qv_badInput, "%s.componentType: must be an unsigned integer", where);
    result = ReadRun(gltf, indices, where, count, qvGltf_ComponentSize(accessor->sparseType), &accessor->sparseIndices,
                     error);
    snprintf(where, sizeof(where), "%s.sparse.values", place);
    if (result == qv_ok)
        result = ReadRun(gltf, values, where, count, accessor->elementSize, &accessor->sparseValues, error);
    return result;
}

static qvResult PlaceInView(const qvGltf* gltf, const qvJson* json, const char* place, qvGltfAccessor* accessor,
                            qvError* error)
{
    qvResult result = qvGltf_GetView(gltf, json, place, "bufferView", &accessor->viewIndex, &accessor->view, error);
    if (result != qv_ok || accessor->viewIndex < 0)
        return result;
    const qvGltfView* view = &accessor->view;
    accessor->stride = view->stride > 0 ? view->stride : accessor->elementSize;
    if (accessor->stride < accessor->elementSize)
        return qvError_Set(error, qv_badInput,
                           "bufferViews[%d].byteStride: %zu is less than the %zu bytes of an element of %s",
                           accessor->viewIndex, accessor->stride, accessor->elementSize, place);
    size_t last = (size_t)(accessor->count - 1) * accessor->stride + accessor->elementSize;
    if (accessor->offset > view->size || last > view->size - accessor->offset)
        return qvError_Set(error, qv_badInput,
                           "%s.count: %d elements need %zu bytes, bufferViews[%d] has %zu from there", place,
                           accessor->count, last, accessor->viewIndex,
                           accessor->offset > view->size ? 0 : view->size - accessor->offset);
    return qv_ok;
}

qvResult qvGltf_LoadAccessor(const qvGltf* gltf, int index, qvGltfAccessor* accessor, qvError* error)
{
    *accessor = (qvGltfAccessor){ .index = index, .viewIndex = -1 };
    const qvJson* json = gltf->accessors.items[index];
    char place[QV_GLTF_MAX_PLACE];
    snprintf(place, sizeof(place), "accessors[%d]", index);
    qvResult result = qvJson_ReadInt(json, place, "count", 1, INT_MAX, &accessor->count, error);
    if (result == qv_ok && accessor->count == 0)
        return qvError_Set(error, qv_badInput, "%s.count: is missing", place);
    if (result == qv_ok)
        result = ReadType(json, place, accessor, error);
    if (result == qv_ok)
        result = qvJson_ReadBool(json, place, "normalized", &accessor->normalized, error);
    if (result == qv_ok)
        result = ReadSize(json, place, "byteOffset", &accessor->offset, error);
    if (result == qv_ok)
        result = PlaceInView(gltf, json, place, accessor, error);
    if (result == qv_ok)
        result = ReadSparse(gltf, json, place, accessor, error);
    return result;
}

qvResult qvGltf_GetAccessor(const qvGltf* gltf, const qvJson* object, const char* place, const char* name,
                            qvGltfAccessor* accessor, qvError* error)
{
    *accessor = (qvGltfAccessor){ .index = -1, .viewIndex = -1 };
    qvJson* json;
    qvResult result = qvGltf_Follow(&gltf->accessors, object, place, name, &accessor->index, &json, error);
    return result == qv_ok && json != NULL ? qvGltf_LoadAccessor(gltf, accessor->index, accessor, error) : result;
}

// --- Decoding ----------------------------------------------------------------------------------------------------

static uint32_t LoadUnsigned(const uint8_t* bytes, int type)
{
    if (type == QV_GLTF_UNSIGNED_BYTE)
        return bytes[0];
    if (type == QV_GLTF_UNSIGNED_SHORT)
        return (uint32_t)(bytes[0] | bytes[1] << 8);
    uint32_t value;
    memcpy(&value, bytes, 4);
    return value;
}

// Section 3.6.2.2: fractions of normalised integers; the most negative one stands for -1 as well.
static float LoadComponent(const uint8_t* bytes, int type, bool normalized)
{
    float value = 0.0f, range = 1.0f;
    switch (type)
    {
    case QV_GLTF_BYTE:
        value = (int8_t)bytes[0];
        range = 127.0f;
        break;
    case QV_GLTF_UNSIGNED_BYTE:
        value = bytes[0];
        range = 255.0f;
        break;
    case QV_GLTF_SHORT:
        value = (int16_t)LoadUnsigned(bytes, QV_GLTF_UNSIGNED_SHORT);
        range = 32767.0f;
        break;
    case QV_GLTF_UNSIGNED_SHORT:
        value = (float)LoadUnsigned(bytes, type);
        range = 65535.0f;
        break;
    case QV_GLTF_UNSIGNED_INT:
        value = (float)LoadUnsigned(bytes, type);
        range = 4294967295.0f;
        break;
    default:
        memcpy(&value, bytes, 4);
        return value;
    }
    return normalized ? fmaxf(value / range, -1.0f) : value;
}

static void LoadElement(const qvGltfAccessor* accessor, const uint8_t* bytes, float* values)
{
    size_t size = qvGltf_ComponentSize(accessor->componentType);
    for (int column = 0; column < accessor->columns; column++)
    {
        const uint8_t* at = bytes + (size_t)column * accessor->columnSize;
        for (int row = 0; row < accessor->rows; row++, at += size)
            *values++ = LoadComponent(at, accessor->componentType, accessor->normalized);
    }
}

static void LoadElements(const qvGltfAccessor* accessor, int components, float* values)
{
    size_t width = (size_t)components, count = (size_t)accessor->count;
    if (accessor->viewIndex < 0)
    {
        memset(values, 0, count * width * sizeof(float));
        return;
    }
    const uint8_t* bytes = accessor->view.bytes + accessor->offset;
    bool isFloat = accessor->componentType == QV_GLTF_FLOAT;
    if (isFloat && accessor->stride == width * sizeof(float))
        memcpy(values, bytes, count * width * sizeof(float));
    else if (isFloat)
    {
        for (size_t i = 0; i < count; i++)
            memcpy(values + i * width, bytes + i * accessor->stride, width * sizeof(float));
    }
    else
    {
        for (size_t i = 0; i < count; i++)
            LoadElement(accessor, bytes + i * accessor->stride, values + i * width);
    }
}

// The next index of a sparse accessor; they must increase and stay below the count.
static qvResult NextSparse(const qvGltfAccessor* accessor, int i, int* previous, qvError* error)
{
    size_t size = qvGltf_ComponentSize(accessor->sparseType);
    uint32_t index = LoadUnsigned(accessor->sparseIndices + (size_t)i * size, accessor->sparseType);
    if (index >= (uint32_t)accessor->count || (int)index <= *previous)
        return qvError_Set(error, qv_badInput,
                           "accessors[%d].sparse.indices: item %d is %u; they must increase and stay below %d",
                           accessor->index, i, index, accessor->count);
    *previous = (int)index;
    return qv_ok;
}

static qvResult CheckFinite(const qvGltfAccessor* accessor, int components, const float* values, qvError* error)
{
    size_t count = (size_t)accessor->count * (size_t)components;
    float sum = 0.0f; // zero times a number is zero, times NaN or infinity it is NaN
    for (size_t i = 0; i < count; i++)
        sum += values[i] * 0.0f;
    if (sum == 0.0f)
        return qv_ok;
    size_t bad = 0;
    while (bad < count && isfinite(values[bad]))
        bad++;
    return qvError_Set(error, qv_badInput, "accessors[%d]: element %zu is not a finite number", accessor->index,
                       bad / (size_t)components);
}

qvResult qvGltf_ReadFloats(qvGltf* gltf, qvArena* arena, const qvGltfAccessor* accessor, int components, float** values,
                           qvError* error)
{
    QV_ASSERT(components == accessor->rows * accessor->columns);
    char place[QV_GLTF_MAX_PLACE];
    snprintf(place, sizeof(place), "accessors[%d].count", accessor->index);
    size_t width = (size_t)components;
    float* floats;
    qvResult result =
        qvGltf_Allocate(gltf, arena, (size_t)accessor->count, width * sizeof(float), place, &floats, error);
    if (result != qv_ok)
        return result;
    LoadElements(accessor, components, floats);
    int previous = -1;
    for (int i = 0; i < accessor->sparseCount; i++)
    {
        result = NextSparse(accessor, i, &previous, error);
        if (result != qv_ok)
            return result;
        LoadElement(accessor, accessor->sparseValues + (size_t)i * accessor->elementSize,
                    floats + (size_t)previous * width);
    }
    *values = floats;
    return accessor->componentType == QV_GLTF_FLOAT ? CheckFinite(accessor, components, floats, error) : qv_ok;
}

qvResult qvGltf_ReadIndices(qvGltf* gltf, qvArena* arena, const qvGltfAccessor* accessor, uint32_t** values,
                            qvError* error)
{
    char place[QV_GLTF_MAX_PLACE];
    snprintf(place, sizeof(place), "accessors[%d].count", accessor->index);
    uint32_t* indices;
    qvResult result = qvGltf_Allocate(gltf, arena, (size_t)accessor->count, sizeof(uint32_t), place, &indices, error);
    if (result != qv_ok)
        return result;
    const uint8_t* bytes = accessor->viewIndex >= 0 ? accessor->view.bytes + accessor->offset : NULL;
    for (int i = 0; i < accessor->count; i++)
        indices[i] = bytes == NULL ? 0 : LoadUnsigned(bytes + (size_t)i * accessor->stride, accessor->componentType);
    int previous = -1;
    for (int i = 0; i < accessor->sparseCount; i++)
    {
        result = NextSparse(accessor, i, &previous, error);
        if (result != qv_ok)
            return result;
        indices[previous] =
            LoadUnsigned(accessor->sparseValues + (size_t)i * accessor->elementSize, accessor->componentType);
    }
    *values = indices;
    return qv_ok;
}
