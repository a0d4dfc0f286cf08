// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/gltf_builder.h"

#include "base/assert.h"
#include "base/memory.h"
#include "formats/uri.h"
#include "quaver/path.h"

#include <stdlib.h>
#include <string.h>

void qvGltfBuilder_Start(qvGltfBuilder* builder, const qvJson* json)
{
    *builder = (qvGltfBuilder){ .json = json != NULL ? qvJson_Copy(json) : qvCreateJsonObject() };
    builder->failed = builder->json == NULL;
    builder->viewCount = qvJson_Count(qvJson_Find(builder->json, "bufferViews"));
    builder->accessorCount = qvJson_Count(qvJson_Find(builder->json, "accessors"));
}

void qvGltfBuilder_Finish(qvGltfBuilder* builder)
{
    qvDestroyJson(builder->json);
    free(builder->bytes);
    free(builder->later);
    free(builder->replaced);
    *builder = (qvGltfBuilder){ 0 };
}

qvJson* qvGltfBuilder_List(qvGltfBuilder* builder, const char* name)
{
    qvJson* list = qvJson_Find(builder->json, name);
    list = list != NULL ? list : qvJson_AddArray(builder->json, name);
    builder->failed |= list == NULL;
    return list;
}

void qvGltfBuilder_Require(qvGltfBuilder* builder, const char* extension)
{
    static const char* const lists[] = { "extensionsUsed", "extensionsRequired" };
    for (int i = 0; i < 2; i++)
    {
        qvJson* list = qvGltfBuilder_List(builder, lists[i]);
        bool found = false;
        for (const qvJson* item = qvJson_First(list); item != NULL; item = qvJson_Next(item))
            found |= strcmp(qvJson_Text(item), extension) == 0;
        if (!found)
            qvJson_AddString(list, NULL, extension);
    }
}

void qvGltfBuilder_SetNumber(qvJson* object, const char* name, double value)
{
    qvJson_Remove(object, qvJson_Find(object, name));
    qvJson_AddNumber(object, name, value);
}

// --- The buffer --------------------------------------------------------------------------------------------------

// Makes room for more bytes at the next multiple of four.
static bool Grow(qvGltfBuilder* builder, size_t more)
{
    size_t needed = builder->held + 3 + more + 3;
    if (needed > builder->capacity)
    {
        size_t capacity = builder->capacity * 2 > needed ? builder->capacity * 2 : needed;
        uint8_t* bytes = realloc(builder->bytes, capacity);
        if (bytes == NULL)
        {
            builder->failed = true;
            return false;
        }
        builder->bytes = bytes;
        builder->capacity = capacity;
    }
    for (; builder->size % 4 != 0; builder->size++)
        builder->bytes[builder->held++] = 0;
    return true;
}

size_t qvGltfBuilder_AddBytes(qvGltfBuilder* builder, const void* bytes, size_t size)
{
    if (!Grow(builder, size))
        return 0;
    size_t start = builder->size;
    if (size > 0)
        memcpy(builder->bytes + builder->held, bytes, size);
    builder->held += size;
    builder->size += size;
    return start;
}

static int DescribeView(qvGltfBuilder* builder, size_t start, size_t size, int stride, int target)
{
    qvJson* view = qvJson_AddObject(qvGltfBuilder_List(builder, "bufferViews"), NULL);
    qvJson_AddNumber(view, "buffer", 0);
    qvJson_AddNumber(view, "byteOffset", (double)start);
    qvJson_AddNumber(view, "byteLength", (double)size);
    if (stride > 0)
        qvJson_AddNumber(view, "byteStride", stride);
    if (target != QV_GLTF_NO_TARGET)
        qvJson_AddNumber(view, "target", target);
    builder->failed |= view == NULL;
    return builder->viewCount++;
}

int qvGltfBuilder_AddView(qvGltfBuilder* builder, const void* bytes, size_t size, int stride, int target)
{
    size_t start = qvGltfBuilder_AddBytes(builder, bytes, size);
    return DescribeView(builder, start, size, stride, target);
}

int qvGltfBuilder_AddLater(qvGltfBuilder* builder, const qvGltfLater* later, int stride, int target)
{
    bool grown = Grow(builder, 0) &&
                 qvReserve(&builder->later, &builder->laterCapacity, builder->laterCount + 1, sizeof(*builder->later));
    size_t start = builder->size;
    builder->failed |= !grown;
    if (grown)
    {
        qvGltfLater* added = &builder->later[builder->laterCount++];
        *added = *later;
        added->heldBefore = builder->held, added->view = builder->viewCount;
        builder->size += later->size;
    }
    return DescribeView(builder, start, later->size, stride, target);
}

// --- Accessors ---------------------------------------------------------------------------------------------------

qvJson* qvGltfBuilder_AddAccessor(qvGltfBuilder* builder, int view, int componentType, const char* type, int count,
                                  int* index)
{
    *index = builder->accessorCount++;
    qvJson* accessor = qvJson_AddObject(qvGltfBuilder_List(builder, "accessors"), NULL);
    if (view >= 0)
        qvJson_AddNumber(accessor, "bufferView", view);
    qvJson_AddNumber(accessor, "componentType", componentType);
    qvJson_AddNumber(accessor, "count", count);
    qvJson_AddString(accessor, "type", type);
    builder->failed |= accessor == NULL;
    return accessor;
}

void qvGltfBuilder_SetBounds(qvJson* accessor, const float* values, int components, int count)
{
    QV_ASSERT(components <= 4 && count > 0);
    double lower[4], upper[4];
    for (int k = 0; k < components; k++)
        lower[k] = upper[k] = values[k];
    for (size_t i = 1; i < (size_t)count; i++)
    {
        for (int k = 0; k < components; k++)
        {
            double value = values[i * (size_t)components + (size_t)k];
            lower[k] = value < lower[k] ? value : lower[k];
            upper[k] = value > upper[k] ? value : upper[k];
        }
    }
    qvJson_Remove(accessor, qvJson_Find(accessor, "min"));
    qvJson_Remove(accessor, qvJson_Find(accessor, "max"));
    qvJson_AddNumbers(accessor, "min", lower, components);
    qvJson_AddNumbers(accessor, "max", upper, components);
}

int qvGltfBuilder_AddFloats(qvGltfBuilder* builder, const float* values, int components, int count, int target,
                            bool bounds)
{
    static const char* const types[] = { "SCALAR", "VEC2", "VEC3", "VEC4" };
    QV_ASSERT(components >= 1 && components <= 4);
    int stride = components * (int)sizeof(float), index;
    int view = qvGltfBuilder_AddView(builder, values, (size_t)count * (size_t)stride,
                                     target == QV_GLTF_VERTICES ? stride : 0, target);
    qvJson* accessor = qvGltfBuilder_AddAccessor(builder, view, QV_GLTF_FLOAT, types[components - 1], count, &index);
    if (bounds)
        qvGltfBuilder_SetBounds(accessor, values, components, count);
    return index;
}

int qvGltfBuilder_AddIndices(qvGltfBuilder* builder, const uint32_t* indices, int count)
{
    uint32_t largest = 0;
    for (int i = 0; i < count; i++)
        largest = indices[i] > largest ? indices[i] : largest;
    int index, view;
    bool isShort = largest < 65535; // the largest value of a type is reserved
    if (isShort)
    {
        uint16_t* shorts = qvAllocateRaw((size_t)count, sizeof(uint16_t));
        for (int i = 0; shorts != NULL && i < count; i++)
            shorts[i] = (uint16_t)indices[i];
        builder->failed |= shorts == NULL;
        view = qvGltfBuilder_AddView(builder, shorts, shorts != NULL ? (size_t)count * sizeof(uint16_t) : 0, 0,
                                     QV_GLTF_INDICES);
        free(shorts);
    }
    else
        view = qvGltfBuilder_AddView(builder, indices, (size_t)count * sizeof(uint32_t), 0, QV_GLTF_INDICES);
    qvGltfBuilder_AddAccessor(builder, view, isShort ? QV_GLTF_UNSIGNED_SHORT : QV_GLTF_UNSIGNED_INT, "SCALAR", count,
                              &index);
    return index;
}

// --- Files -------------------------------------------------------------------------------------------------------

// One buffer of the right size. What the first one says beside that (name, extras) stays.
static void DescribeBuffer(qvGltfBuilder* builder, const char* uri)
{
    qvJson* buffers = qvGltfBuilder_List(builder, "buffers");
    while (qvJson_Count(buffers) > 1)
        qvJson_Remove(buffers, qvJson_At(buffers, 1));
    qvJson* buffer = qvJson_First(buffers);
    buffer = buffer != NULL ? buffer : qvJson_AddObject(buffers, NULL);
    qvJson_Remove(buffer, qvJson_Find(buffer, "uri"));
    if (uri != NULL)
        qvJson_AddString(buffer, "uri", uri);
    qvGltfBuilder_SetNumber(buffer, "byteLength", (double)builder->size);
    builder->failed |= buffer == NULL;
    if (builder->fallbackSize == 0)
        return;
    qvJson* fallback = qvJson_AddObject(buffers, NULL);
    qvJson_AddNumber(fallback, "byteLength", (double)builder->fallbackSize);
    qvJson* extension = qvJson_AddObject(qvJson_AddObject(fallback, "extensions"), "EXT_meshopt_compression");
    qvJson_AddBool(extension, "fallback", true);
    builder->failed |= extension == NULL;
}

static void PutUint32(FILE* stream, uint32_t value)
{
    fwrite(&value, sizeof(value), 1, stream);
}

static void StartChunk(FILE* stream, size_t size, const char* type)
{
    PutUint32(stream, (uint32_t)((size + 3) / 4 * 4));
    fwrite(type, 1, 4, stream);
}

static void EndChunk(FILE* stream, size_t size, char padding)
{
    for (size_t i = size; i % 4 != 0; i++)
        fputc(padding, stream);
}

// The bytes that are there, and between them those that are made now.
static qvResult WriteBuffer(const qvGltfBuilder* builder, FILE* stream, qvError* error)
{
    size_t largest = 0, done = 0;
    for (int i = 0; i < builder->laterCount; i++)
        largest = builder->later[i].size > largest ? builder->later[i].size : largest;
    uint8_t* bytes = qvAllocateRaw(largest, 1);
    if (bytes == NULL)
        return qvError_OutOfMemory(error, (double)largest);
    for (int i = 0; i < builder->laterCount; i++)
    {
        const qvGltfLater* later = &builder->later[i];
        fwrite(builder->bytes + done, 1, later->heldBefore - done, stream);
        done = later->heldBefore;
        memset(bytes, 0, later->size);
        later->put(later, bytes);
        fwrite(bytes, 1, later->size, stream);
    }
    fwrite(builder->bytes + done, 1, builder->held - done, stream);
    free(bytes);
    return qv_ok;
}

static qvResult WriteBinary(const qvGltfBuilder* builder, const char* text, FILE* stream, qvError* error)
{
    size_t length = strlen(text), total = 12 + 8 + (length + 3) / 4 * 4;
    if (builder->size > 0)
        total += 8 + (builder->size + 3) / 4 * 4;
    if (total > UINT32_MAX)
        return qvError_Set(error, qv_unsupported, "a .glb file cannot have more than 4 GB; write .gltf");
    fwrite("glTF", 1, 4, stream);
    PutUint32(stream, 2);
    PutUint32(stream, (uint32_t)total);
    StartChunk(stream, length, "JSON");
    fwrite(text, 1, length, stream);
    EndChunk(stream, length, ' ');
    if (builder->size == 0)
        return qv_ok;
    StartChunk(stream, builder->size, "BIN\0");
    qvResult result = WriteBuffer(builder, stream, error);
    EndChunk(stream, builder->size, 0);
    return result;
}

// "folder/sack.gltf" gives "folder/sack.bin"; malloc'ed.
static char* BufferPath(const char* path)
{
    size_t length = strlen(path) - strlen(qvPath_Extension(path));
    char* binPath = malloc(length + 4);
    if (binPath != NULL)
    {
        memcpy(binPath, path, length);
        memcpy(binPath + length, "bin", 4);
    }
    return binPath;
}

static qvResult WriteJson(qvGltfBuilder* builder, bool binary, FILE* stream, qvError* error)
{
    char* text = builder->failed ? NULL : qvJson_Print(builder->json, !binary);
    if (text == NULL)
        return qvError_OutOfMemory(error, (double)builder->size);
    qvResult result = qv_ok;
    if (binary)
        result = WriteBinary(builder, text, stream, error);
    else
        fprintf(stream, "%s\n", text);
    qvFreeText(text);
    return result;
}

// The file of the buffer, for a document in text.
static qvResult AddBuffer(const qvGltfBuilder* builder, const char* path, qvFileSet* files, qvError* error)
{
    if (builder->laterCount == 0)
        return qvFileSet_AddBytes(files, path, builder->bytes, builder->size, error);
    FILE* stream = NULL;
    qvResult result = qvFileSet_Add(files, path, &stream, error);
    if (result == qv_ok)
        result = WriteBuffer(builder, stream, error);
    return result == qv_ok ? qvFileSet_Close(files, files->count - 1, error) : result;
}

qvResult qvGltfBuilder_Write(qvGltfBuilder* builder, bool binary, qvFileSet* files, qvError* error)
{
    if (binary)
        return qvGltfBuilder_WriteBinary(builder, files->writers[0].stream, error);
    const char* path = files->writers[0].path;
    char* binPath = BufferPath(path);
    char* uri = binPath != NULL ? qvEncodeUri(qvPath_FileName(binPath)) : NULL;
    qvResult result = qv_ok;
    if (uri == NULL)
        result = qvError_OutOfMemory(error, (double)strlen(path));
    if (result == qv_ok && builder->size > 0)
        DescribeBuffer(builder, uri);
    if (result == qv_ok)
        result = WriteJson(builder, false, files->writers[0].stream, error);
    if (result == qv_ok && builder->size > 0)
        result = AddBuffer(builder, binPath, files, error);
    free(uri);
    free(binPath);
    return result;
}

qvResult qvGltfBuilder_WriteBinary(qvGltfBuilder* builder, FILE* stream, qvError* error)
{
    if (builder->size > 0)
        DescribeBuffer(builder, NULL);
    return WriteJson(builder, true, stream, error);
}

qvResult qvGltfBuilder_Measure(qvGltfBuilder* builder, bool binary, double* bytes, qvError* error)
{
    if (builder->size > 0)
        DescribeBuffer(builder, binary ? NULL : "buffer.bin");
    char* text = builder->failed ? NULL : qvJson_Print(builder->json, !binary);
    if (text == NULL)
        return qvError_OutOfMemory(error, (double)builder->size);
    *bytes = (double)strlen(text) + (double)builder->size + (binary ? 28.0 : 1.0);
    qvFreeText(text);
    return qv_ok;
}
