// SPDX-License-Identifier: GPL-3.0-or-later
// Floats of a document that was read which nobody sees as finely as they are: directions become bytes (half a degree at
// most), weights of joints integers of 16 bits whose sum stays one.
#include "formats/gltf_pack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    WIDTH = 4, // components of weights, and bytes of a direction
    WHOLE = 65535,
};

static void PutDirection(const float* values, int components, uint8_t* bytes)
{
    for (int k = 0; k < components; k++)
    {
        int8_t number = (int8_t)lrintf(127.0f * fmaxf(-1.0f, fminf(1.0f, values[k])));
        memcpy(bytes + k, &number, 1);
    }
}

// The largest remainders get what is missing of the whole.
static void PutWeights(const float* values, uint8_t* bytes)
{
    uint16_t numbers[WIDTH];
    double rest[WIDTH], sum = 0.0;
    int missing = WHOLE;
    for (int k = 0; k < WIDTH; k++)
        sum += (double)values[k];
    for (int k = 0; k < WIDTH; k++)
    {
        double share = WHOLE * (double)values[k] / sum;
        numbers[k] = (uint16_t)fmin(floor(share), missing);
        rest[k] = share - numbers[k];
        missing -= numbers[k];
    }
    for (; missing > 0; missing--)
    {
        int most = 0;
        for (int k = 1; k < WIDTH; k++)
            most = rest[k] > rest[most] ? k : most;
        numbers[most]++;
        rest[most] -= 1.0;
    }
    memcpy(bytes, numbers, sizeof(numbers));
}

// --- What was replaced -----------------------------------------------------------------------------------------------

void qvGltfBuilder_Replaced(qvGltfBuilder* builder, int accessor)
{
    if (accessor < 0 || (builder->replacedCount > 0 && builder->replaced[builder->replacedCount - 1] == accessor))
        return;
    if (builder->replacedCount == builder->replacedCapacity)
    {
        int capacity = 2 * builder->replacedCapacity + 8;
        int* replaced = realloc(builder->replaced, (size_t)capacity * sizeof(int));
        builder->failed |= replaced == NULL;
        if (replaced == NULL)
            return;
        builder->replaced = replaced, builder->replacedCapacity = capacity;
    }
    builder->replaced[builder->replacedCount++] = accessor;
}

static bool RefersTo(const qvJson* object, int view)
{
    return qvJson_Index(qvJson_Find(object, "bufferView")) == view;
}

// Whether something but an accessor refers to its view.
static bool IsShared(const qvGltfBuilder* builder, const qvJson* accessor, int view)
{
    const qvJson* item = qvJson_First(qvJson_Find(builder->json, "accessors"));
    for (; item != NULL; item = qvJson_Next(item))
    {
        const qvJson* sparse = qvJson_Find(item, "sparse");
        if ((item != accessor && RefersTo(item, view)) || RefersTo(qvJson_Find(sparse, "indices"), view) ||
            RefersTo(qvJson_Find(sparse, "values"), view))
            return true;
    }
    for (item = qvJson_First(qvJson_Find(builder->json, "images")); item != NULL; item = qvJson_Next(item))
    {
        if (RefersTo(item, view))
            return true;
    }
    return false;
}

// Numbers of views and accessors stay: an accessor without a view is all zero, and a view of nothing has four bytes.
static void Empty(qvGltfBuilder* builder, qvJson* accessor)
{
    static const char* const gone[] = { "bufferView", "byteOffset", "min", "max" };
    static const char* const goneToo[] = { "byteStride", "target" };
    int index = qvJson_Index(qvJson_Find(accessor, "bufferView"));
    qvJson* view = qvJson_At(qvJson_Find(builder->json, "bufferViews"), index);
    bool isShared = view == NULL || IsShared(builder, accessor, index);
    for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); i++)
        qvJson_Remove(accessor, qvJson_Find(accessor, gone[i]));
    if (isShared || qvJson_Number(qvJson_Find(view, "byteLength")) < 4.0)
        return;
    for (size_t i = 0; i < sizeof(goneToo) / sizeof(goneToo[0]); i++)
        qvJson_Remove(view, qvJson_Find(view, goneToo[i]));
    qvGltfBuilder_SetNumber(view, "byteLength", 4.0);
}

void qvGltfPacker_Drop(qvGltfPacker* packer)
{
    qvGltfBuilder* builder = packer->builder;
    for (int i = 0; i < builder->replacedCount; i++)
    {
        int index = builder->replaced[i];
        qvJson* accessor = qvJson_At(qvJson_Find(builder->json, "accessors"), index);
        if (accessor != NULL && packer->accessors[index].references == 0 &&
            qvJson_Find(accessor, "bufferView") != NULL && qvJson_Find(accessor, "sparse") == NULL)
            Empty(builder, accessor);
    }
}

// --- Rounding --------------------------------------------------------------------------------------------------------

// As a reader expects them: finite, directions of length one, weights that add up to one.
static bool IsSound(qvGltfRole role, const float* values)
{
    float sum = 0.0f;
    for (int k = 0; k < (role == qv_roleWeights ? WIDTH : 3); k++)
    {
        bool isShare = values[k] >= 0.0f && values[k] <= 1.0f;
        if (role == qv_roleWeights && !isShare)
            return false;
        sum += role == qv_roleWeights ? values[k] : values[k] * values[k];
    }
    return fabsf(sum - 1.0f) < (role == qv_roleWeights ? 1e-5f : 0.1f);
}

static uint8_t* Convert(qvGltfRole role, const uint8_t* bytes, size_t count, int components, size_t stride)
{
    uint8_t* out = qvAllocate(count, stride);
    bool isSound = out != NULL;
    for (size_t i = 0; i < count && isSound; i++)
    {
        float values[WIDTH] = { 0.0f };
        memcpy(values, bytes + i * (size_t)components * sizeof(float), (size_t)components * sizeof(float));
        isSound = IsSound(role, values);
        if (isSound && role == qv_roleWeights)
            PutWeights(values, out + i * stride);
        else if (isSound)
            PutDirection(values, components, out + i * stride);
    }
    if (!isSound)
        free(out);
    return isSound ? out : NULL;
}

static void Describe(const qvGltfPacker* packer, qvJson* accessor, qvGltfRole role, const qvGltfPackView* view)
{
    static const char* const gone[] = { "min", "max", "normalized" };
    qvJson* json =
        qvJson_At(qvJson_Find(packer->builder->json, "bufferViews"), qvJson_Index(qvJson_Find(accessor, "bufferView")));
    for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); i++)
        qvJson_Remove(accessor, qvJson_Find(accessor, gone[i]));
    qvGltfBuilder_SetNumber(accessor, "componentType", role == qv_roleWeights ? QV_GLTF_UNSIGNED_SHORT : QV_GLTF_BYTE);
    qvJson_AddBool(accessor, "normalized", true);
    qvGltfBuilder_SetNumber(json, "byteLength", (double)view->size);
    qvGltfBuilder_SetNumber(json, "byteStride", (double)view->stride);
    if (role == qv_roleDirection)
        qvGltfBuilder_Require(packer->builder, "KHR_mesh_quantization");
}

static void Shrink(qvGltfPacker* packer, qvJson* json, const qvGltfPackAccessor* accessor)
{
    int components = accessor->role == qv_roleWeights ? WIDTH : (int)(accessor->stride / sizeof(float));
    qvGltfPackView* view = &packer->views[qvJson_Index(qvJson_Find(json, "bufferView"))];
    if (view->later != NULL || !view->isFloat || view->stride != (size_t)components * sizeof(float) || components < 3 ||
        components > WIDTH)
        return; // a file may call a matrix a tangent
    size_t count = view->size / view->stride, stride = accessor->role == qv_roleWeights ? 2 * WIDTH : WIDTH;
    uint8_t* bytes = Convert(accessor->role, view->bytes, count, components, stride);
    if (bytes == NULL)
        return; // it stays as it is
    view->own = bytes, view->bytes = bytes;
    view->stride = stride, view->size = count * stride, view->isFloat = false;
    Describe(packer, json, accessor->role, view);
}

void qvGltfPacker_Shrink(qvGltfPacker* packer)
{
    qvJson* item = qvJson_First(qvJson_Find(packer->builder->json, "accessors"));
    for (int i = 0; i < packer->builder->accessorCount && item != NULL; i++, item = qvJson_Next(item))
    {
        const qvGltfPackAccessor* accessor = &packer->accessors[i];
        bool hasRole = accessor->role == qv_roleDirection || accessor->role == qv_roleWeights;
        if (hasRole && !accessor->isOther && accessor->use == qv_useAttributes && qvJson_Find(item, "sparse") == NULL &&
            qvGltfPacker_IsAlone(packer, accessor))
            Shrink(packer, item, accessor);
    }
}
