// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/gltf_deltas.h"

#include "base/assert.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double Steps(const qvGltfDeltaCoding* coding)
{
    return coding->bytes ? 127.0 : 32767.0;
}

static long Encode(const qvGltfDeltaCoding* coding, float value)
{
    double steps = Steps(coding);
    return lrint(fmax(-steps, fmin(steps, (double)value / coding->scale * steps)));
}

float qvGltfDelta_Round(const qvGltfDeltaCoding* coding, float value)
{
    return coding->scale > 0.0 ? (float)((double)Encode(coding, value) / Steps(coding) * coding->scale) : value;
}

static long EncodePlace(double value, double offset, double scale)
{
    return lrint(fmax(0.0, fmin(65535.0, (value - offset) / scale * 65535.0)));
}

qvVec3f qvGltfGrid_Round(const qvGltfGrid* grid, qvVec3f p)
{
    double step = grid->scale / 65535.0;
    return (qvVec3f){ (float)(grid->offset.x + step * (double)EncodePlace(p.x, grid->offset.x, grid->scale)),
                      (float)(grid->offset.y + step * (double)EncodePlace(p.y, grid->offset.y, grid->scale)),
                      (float)(grid->offset.z + step * (double)EncodePlace(p.z, grid->offset.z, grid->scale)) };
}

// --- Elements ----------------------------------------------------------------------------------------------------

static int ComponentType(const qvGltfDeltaCoding* coding)
{
    return coding->scale == 0.0 ? QV_GLTF_FLOAT : coding->bytes ? QV_GLTF_BYTE : QV_GLTF_SHORT;
}

static size_t ElementSize(const qvGltfDeltaCoding* coding)
{
    return 3 * qvGltf_ComponentSize(ComponentType(coding));
}

static void PutElement(const qvGltfDeltaCoding* coding, const float* value, uint8_t* bytes)
{
    for (int k = 0; k < 3; k++)
    {
        if (coding->scale == 0.0)
            memcpy(bytes + (size_t)k * sizeof(float), &value[k], sizeof(float));
        else if (coding->bytes)
            bytes[k] = (uint8_t)(int8_t)Encode(coding, value[k]);
        else
        {
            int16_t number = (int16_t)Encode(coding, value[k]);
            memcpy(bytes + 2 * k, &number, sizeof(number));
        }
    }
}

static bool IsZero(const qvGltfDeltaCoding* coding, const float* value)
{
    if (coding->scale == 0.0)
        return value[0] == 0.0f && value[1] == 0.0f && value[2] == 0.0f;
    return Encode(coding, value[0]) == 0 && Encode(coding, value[1]) == 0 && Encode(coding, value[2]) == 0;
}

// Bounds of integers are integers.
static void SetBounds(qvJson* accessor, const qvGltfDeltaCoding* coding, const float* values, int count)
{
    double lower[3] = { INFINITY, INFINITY, INFINITY }, upper[3] = { -INFINITY, -INFINITY, -INFINITY };
    for (size_t i = 0; i < 3 * (size_t)count; i++)
    {
        double value = coding->scale == 0.0 ? (double)values[i] : (double)Encode(coding, values[i]);
        lower[i % 3] = fmin(lower[i % 3], value);
        upper[i % 3] = fmax(upper[i % 3], value);
    }
    qvJson_AddNumbers(accessor, "min", lower, 3);
    qvJson_AddNumbers(accessor, "max", upper, 3);
}

// --- Accessors ---------------------------------------------------------------------------------------------------

static size_t Stride(const qvGltfDeltaCoding* coding)
{
    return (ElementSize(coding) + 3) / 4 * 4;
}

static size_t IndexSize(int count)
{
    return count <= 65535 ? 2 : 4;
}

static void PutDense(const qvGltfLater* later, uint8_t* bytes)
{
    for (size_t i = 0; i < (size_t)later->count; i++, bytes += Stride(&later->coding))
        PutElement(&later->coding, later->values + 3 * i, bytes);
}

static void PutIndices(const qvGltfLater* later, uint8_t* bytes)
{
    for (int i = 0; i < later->count; i++)
    {
        if (IsZero(&later->coding, later->values + 3 * (size_t)i))
            continue;
        for (size_t k = 0; k < IndexSize(later->count); k++)
            *bytes++ = (uint8_t)((uint32_t)i >> 8 * k);
    }
}

static void PutUsed(const qvGltfLater* later, uint8_t* bytes)
{
    for (int i = 0; i < later->count; i++)
    {
        const float* value = later->values + 3 * (size_t)i;
        if (IsZero(&later->coding, value))
            continue;
        PutElement(&later->coding, value, bytes);
        bytes += ElementSize(&later->coding);
    }
}

static int AddDense(qvGltfBuilder* builder, const float* values, int count, const qvGltfDeltaCoding* coding)
{
    qvGltfLater later = { (size_t)count * Stride(coding), PutDense, values, count, *coding, 0, 0 };
    return qvGltfBuilder_AddLater(builder, &later, (int)Stride(coding), QV_GLTF_VERTICES);
}

static void AddSparse(qvGltfBuilder* builder, qvJson* accessor, const float* values, int count, int used,
                      const qvGltfDeltaCoding* coding)
{
    qvGltfLater indices = { (size_t)used * IndexSize(count), PutIndices, values, count, *coding, 0, 0 };
    qvGltfLater elements = { (size_t)used * ElementSize(coding), PutUsed, values, count, *coding, 0, 0 };
    qvJson* sparse = qvJson_AddObject(accessor, "sparse");
    qvJson_AddNumber(sparse, "count", used);
    qvJson* part = qvJson_AddObject(sparse, "indices");
    qvJson_AddNumber(part, "bufferView", qvGltfBuilder_AddLater(builder, &indices, 0, QV_GLTF_NO_TARGET));
    qvJson_AddNumber(part, "componentType", IndexSize(count) == 2 ? QV_GLTF_UNSIGNED_SHORT : QV_GLTF_UNSIGNED_INT);
    part = qvJson_AddObject(sparse, "values");
    qvJson_AddNumber(part, "bufferView", qvGltfBuilder_AddLater(builder, &elements, 0, QV_GLTF_NO_TARGET));
}

int qvGltfBuilder_AddDeltas(qvGltfBuilder* builder, const float* values, int count, const qvGltfDeltaCoding* coding)
{
    int used = 0;
    for (int i = 0; i < count; i++)
        used += !IsZero(coding, values + 3 * (size_t)i);
    // A sparse accessor needs two views and some text.
    size_t sparseSize = (size_t)used * (ElementSize(coding) + IndexSize(count)) + (used > 0 ? 250 : 0);
    bool isSparse = coding->sparse && sparseSize < (size_t)count * Stride(coding);
    int view = isSparse ? -1 : AddDense(builder, values, count, coding), index;
    qvJson* accessor = qvGltfBuilder_AddAccessor(builder, view, ComponentType(coding), "VEC3", count, &index);
    if (coding->scale > 0.0)
        qvJson_AddBool(accessor, "normalized", true);
    if (isSparse && used > 0)
        AddSparse(builder, accessor, values, count, used, coding);
    if (coding->hasBounds)
        SetBounds(accessor, coding, values, count);
    return index;
}

int qvGltfBuilder_AddGridPositions(qvGltfBuilder* builder, const float* positions, int count, const qvGltfGrid* grid)
{
    const float offset[3] = { grid->offset.x, grid->offset.y, grid->offset.z };
    double lower[3] = { 65535.0, 65535.0, 65535.0 }, upper[3] = { 0.0, 0.0, 0.0 };
    uint16_t* values = qvAllocate((size_t)count, 4 * sizeof(uint16_t)); // padded to a multiple of four bytes
    builder->failed |= values == NULL;
    for (size_t i = 0; i < 3 * (size_t)count && values != NULL; i++)
    {
        long value = EncodePlace(positions[i], offset[i % 3], grid->scale);
        values[i / 3 * 4 + i % 3] = (uint16_t)value;
        lower[i % 3] = fmin(lower[i % 3], (double)value);
        upper[i % 3] = fmax(upper[i % 3], (double)value);
    }
    int index,
        view = qvGltfBuilder_AddView(builder, values, values != NULL ? 8 * (size_t)count : 0, 8, QV_GLTF_VERTICES);
    qvJson* accessor = qvGltfBuilder_AddAccessor(builder, view, QV_GLTF_UNSIGNED_SHORT, "VEC3", count, &index);
    qvJson_AddBool(accessor, "normalized", true);
    qvJson_AddNumbers(accessor, "min", lower, 3);
    qvJson_AddNumbers(accessor, "max", upper, 3);
    free(values);
    return index;
}

static void PutFraction(uint8_t* bytes, int type, double value)
{
    const double steps = type == QV_GLTF_BYTE ? 127.0 : type == QV_GLTF_UNSIGNED_BYTE ? 255.0 : 65535.0;
    long number = lrint(steps * fmax(type == QV_GLTF_BYTE ? -1.0 : 0.0, fmin(1.0, value)));
    for (size_t i = 0; i < qvGltf_ComponentSize(type); i++)
        bytes[i] = (uint8_t)((unsigned long)number >> 8 * i);
}

int qvGltfBuilder_AddFractions(qvGltfBuilder* builder, const float* values, int components, int count, int type)
{
    static const char* const types[] = { "SCALAR", "VEC2", "VEC3", "VEC4" };
    QV_ASSERT(components >= 1 && components <= 4);
    size_t size = qvGltf_ComponentSize(type), stride = ((size_t)components * size + 3) / 4 * 4;
    uint8_t* bytes = qvAllocate((size_t)count, stride);
    builder->failed |= bytes == NULL;
    for (size_t i = 0; i < (size_t)count * (size_t)components && bytes != NULL; i++)
        PutFraction(bytes + i / (size_t)components * stride + i % (size_t)components * size, type, values[i]);
    int index, view = qvGltfBuilder_AddView(builder, bytes, bytes != NULL ? (size_t)count * stride : 0, (int)stride,
                                            QV_GLTF_VERTICES);
    qvJson_AddBool(qvGltfBuilder_AddAccessor(builder, view, type, types[components - 1], count, &index), "normalized",
                   true);
    free(bytes);
    return index;
}
