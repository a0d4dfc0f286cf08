// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/gltf_unpack.h"

#include "mesh/meshopt.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char* const names[] = { "EXT_meshopt_compression", "KHR_meshopt_compression" };

enum
{
    NAME_COUNT = sizeof(names) / sizeof(names[0])
};

static qvJson* FindExtension(const qvJson* object, const char** name)
{
    qvJson* found = NULL;
    for (int i = 0; i < NAME_COUNT && found == NULL; i++)
    {
        *name = names[i];
        found = qvJson_Find(qvJson_Find(object, "extensions"), names[i]);
    }
    return found;
}

bool qvGltf_IsFallback(const qvJson* buffer)
{
    const char* name;
    return qvJson_Bool(qvJson_Find(FindExtension(buffer, &name), "fallback"));
}

// --- Room ----------------------------------------------------------------------------------------------------------

qvResult qvGltfUnpacked_Extend(qvGltfUnpacked* unpacked, qvGltf* gltf, size_t size, const char* place, size_t* offset,
                               qvError* error)
{
    size_t start = (unpacked->bytes.size + 3) / 4 * 4, needed = start + size + 1;
    if (size > gltf->budget)
        return qvError_Set(error, qv_badInput,
                           "%s: unpacks to %.3g MB, far more than the file holds (the limit for all is %d times its "
                           "size plus %d MB)",
                           place, (double)size / 1e6, QV_GLTF_BYTES_PER_BYTE, QV_GLTF_SPARE_BYTES >> 20);
    gltf->budget -= size;
    if (needed > unpacked->capacity)
    {
        size_t capacity = needed > 2 * unpacked->capacity ? needed : 2 * unpacked->capacity;
        char* data = realloc(unpacked->bytes.data, capacity);
        if (data == NULL)
            return qvError_OutOfMemory(error, (double)capacity);
        unpacked->bytes.data = data, unpacked->capacity = capacity;
    }
    memset(unpacked->bytes.data + unpacked->bytes.size, 0, needed - unpacked->bytes.size);
    unpacked->bytes.size = start + size;
    *offset = start;
    return qv_ok;
}

// --- A view --------------------------------------------------------------------------------------------------------

typedef struct Source
{
    qvPacking packing;
    const uint8_t* bytes;
    size_t size;
} Source;

static qvResult ReadChoice(const qvJson* json, const char* place, const char* name, const char* const* choices,
                           int count, int* choice, qvError* error)
{
    const char* text = choices[0];
    qvResult result = qvJson_ReadString(json, place, name, &text, error);
    for (int i = 0; i < count && result == qv_ok; i++)
    {
        *choice = i;
        if (strcmp(text, choices[i]) == 0)
            return qv_ok;
    }
    return result != qv_ok ? result
                           : qvError_Set(error, qv_badInput, "%s.%s: \"%.20s\" is not known", place, name, text);
}

static qvResult ReadPacking(const qvJson* json, const char* place, qvPacking* packing, qvError* error)
{
    static const char* const modes[] = { "ATTRIBUTES", "TRIANGLES", "INDICES" };
    static const char* const filters[] = { "NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL" };
    int mode = 0, filter = 0, count = 0, stride = 0;
    qvResult result = ReadChoice(json, place, "mode", modes, 3, &mode, error);
    if (result == qv_ok)
        result = ReadChoice(json, place, "filter", filters, 4, &filter, error);
    if (result == qv_ok)
        result = qvJson_ReadInt(json, place, "count", 1, INT_MAX, &count, error);
    if (result == qv_ok)
        result = qvJson_ReadInt(json, place, "byteStride", 1, 256, &stride, error);
    if (result != qv_ok)
        return result;
    *packing = (qvPacking){ (qvPackMode)mode, (qvPackFilter)filter, (size_t)count, (size_t)stride };
    if (qvPacking_IsValid(packing))
        return qv_ok;
    return qvError_Set(error, qv_badInput, "%s: %d items of %d bytes do not go with mode %s and filter %s", place,
                       count, stride, modes[mode], filters[filter]);
}

static qvResult ReadSource(const qvGltf* gltf, const qvJson* json, const char* place, Source* source, qvError* error)
{
    int buffer = -1, offset = 0, length = 0;
    qvResult result = ReadPacking(json, place, &source->packing, error);
    if (result == qv_ok)
        result = qvJson_ReadInt(json, place, "buffer", 0, INT_MAX, &buffer, error);
    if (result == qv_ok)
        result = qvJson_ReadInt(json, place, "byteOffset", 0, INT_MAX, &offset, error);
    if (result == qv_ok)
        result = qvJson_ReadInt(json, place, "byteLength", 1, INT_MAX, &length, error);
    if (result != qv_ok)
        return result;
    if (buffer < 0 || buffer >= gltf->bufferCount)
        return qvError_Set(error, qv_badInput, "%s.buffer: must name one of the %d buffers", place, gltf->bufferCount);
    if (length == 0)
        return qvError_Set(error, qv_badInput, "%s.byteLength: is missing", place);
    const qvBytes* bytes = &gltf->buffers[buffer].bytes;
    if ((size_t)offset > bytes->size || (size_t)length > bytes->size - (size_t)offset)
        return qvError_Set(error, qv_badInput, "%s: bytes %d to %.0f lie outside buffer %d of %zu bytes", place, offset,
                           (double)offset + length, buffer, bytes->size);
    source->bytes = (const uint8_t*)bytes->data + offset;
    source->size = (size_t)length;
    return qv_ok;
}

// The view's own members must say the same.
static qvResult CheckView(const qvJson* view, const char* place, const qvPacking* packing, qvError* error)
{
    double length = qvJson_Number(qvJson_Find(view, "byteLength"));
    const qvJson* stride = qvJson_Find(view, "byteStride");
    if (length != (double)packing->count * (double)packing->stride)
        return qvError_Set(error, qv_badInput, "%s.byteLength: is %.0f, but %zu items of %zu bytes are compressed",
                           place, length, packing->count, packing->stride);
    if (stride != NULL && qvJson_Number(stride) != (double)packing->stride)
        return qvError_Set(error, qv_badInput, "%s.byteStride: is %.0f, but items of %zu bytes are compressed", place,
                           qvJson_Number(stride), packing->stride);
    return qv_ok;
}

static qvResult CheckVersion(const Source* source, const char* place, qvError* error)
{
    int version = qvPacking_Version(&source->packing, source->bytes, source->size);
    if (version < 0)
        return qvError_Set(error, qv_badInput, "%s: its bytes are not compressed in that way", place);
    if (!qvPacking_CanUnpack(&source->packing, version))
        return qvError_Set(error, qv_unsupported,
                           "%s: is packed by version %d of meshoptimizer's codec, only version 0 can be read; pack the "
                           "file with gltfpack -c, or export it without compression",
                           place, version);
    return qv_ok;
}

static void SetMember(qvJson* object, const char* name, double value)
{
    qvJson_Remove(object, qvJson_Find(object, name));
    qvJson_AddNumber(object, name, value);
}

// An empty object of extensions goes with its last member.
void qvGltf_DropExtension(qvJson* object, const char* name)
{
    qvJson* extensions = qvJson_Find(object, "extensions");
    qvJson_Remove(extensions, qvJson_Find(extensions, name));
    if (extensions != NULL && qvJson_Count(extensions) == 0)
        qvJson_Remove(object, extensions);
}

static qvResult UnpackView(qvGltf* gltf, int index, qvGltfUnpacked* unpacked, qvError* error)
{
    qvJson* view = gltf->views.items[index];
    const char* name;
    const qvJson* json = FindExtension(view, &name);
    int buffer = qvJson_Index(qvJson_Find(view, "buffer"));
    if (json == NULL)
        return qv_ok;
    // Where there are plain bytes too these are exact.
    if (buffer < 0 || buffer >= gltf->bufferCount || !gltf->buffers[buffer].isFallback)
    {
        qvGltf_DropExtension(view, name);
        return qv_ok;
    }
    char viewPlace[QV_GLTF_MAX_PLACE], place[QV_GLTF_MAX_PLACE];
    snprintf(viewPlace, sizeof(viewPlace), "bufferViews[%d]", index);
    snprintf(place, sizeof(place), "bufferViews[%d].extensions.%s", index, name);
    Source source = { 0 };
    size_t offset = 0;
    qvResult result = ReadSource(gltf, json, place, &source, error);
    if (result == qv_ok)
        result = CheckView(view, viewPlace, &source.packing, error);
    if (result == qv_ok)
        result = CheckVersion(&source, place, error);
    if (result == qv_ok)
        result =
            qvGltfUnpacked_Extend(unpacked, gltf, source.packing.count * source.packing.stride, place, &offset, error);
    if (result != qv_ok)
        return result;
    if (!qvPacking_Unpack(&source.packing, source.bytes, source.size, unpacked->bytes.data + offset))
        return qvError_Set(error, qv_badInput, "%s: its %zu bytes are damaged, or no %zu items of %zu bytes", place,
                           source.size, source.packing.count, source.packing.stride);
    SetMember(view, "buffer", gltf->bufferCount);
    SetMember(view, "byteOffset", (double)offset);
    qvGltf_DropExtension(view, name);
    return qv_ok;
}

// --- The document --------------------------------------------------------------------------------------------------

void qvGltf_DropName(qvGltf* gltf, const char* name)
{
    static const char* const lists[] = { "extensionsUsed", "extensionsRequired" };
    for (int i = 0; i < 2; i++)
    {
        qvJson* used = qvJson_Find(gltf->json, lists[i]);
        for (qvJson *item = qvJson_First(used), *next; item != NULL; item = next)
        {
            next = qvJson_Next(item);
            if (strcmp(qvJson_Text(item), name) == 0)
                qvJson_Remove(used, item);
        }
        if (used != NULL && qvJson_Count(used) == 0)
            qvJson_Remove(gltf->json, used);
    }
}

static void DropTraces(qvGltf* gltf)
{
    qvJson* buffers = qvJson_Find(gltf->json, "buffers");
    for (int i = 0; i < NAME_COUNT; i++)
    {
        for (qvJson* buffer = qvJson_First(buffers); buffer != NULL; buffer = qvJson_Next(buffer))
            qvGltf_DropExtension(buffer, names[i]);
        qvGltf_DropName(gltf, names[i]);
    }
}

qvResult qvGltf_Unpack(qvGltf* gltf, qvError* error)
{
    qvGltfUnpacked unpacked = { 0 };
    qvResult result = qv_ok;
    for (int i = 0; i < gltf->views.count && result == qv_ok; i++)
        result = UnpackView(gltf, i, &unpacked, error);
#ifdef QUAVER_DRACO
    if (result == qv_ok)
        result = qvGltf_UnpackDraco(gltf, &unpacked, error);
#endif
    if (unpacked.bytes.data != NULL)
    {
        gltf->buffers[gltf->bufferCount++] = (qvGltfBuffer){ .bytes = unpacked.bytes };
        qvJson* buffer = qvJson_AddObject(qvJson_Find(gltf->json, "buffers"), NULL);
        qvJson_AddNumber(buffer, "byteLength", (double)unpacked.bytes.size);
    }
    DropTraces(gltf);
    return result;
}
