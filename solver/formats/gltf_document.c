// SPDX-License-Identifier: GPL-3.0-or-later
// The containers of glTF 2.0 (Khronos Group, 2021): JSON text, or the binary form of section 4.
#include "formats/gltf.h"

#include "base/base64.h"
#include "formats/gltf_unpack.h"
#include "formats/uri.h"
#include "quaver/path.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum
{
    CHUNK_JSON = 0x4e4f534a,
    CHUNK_BIN = 0x004e4942,
};

qvResult qvGltf_Allocate(qvGltf* gltf, qvArena* arena, size_t count, size_t size, const char* place, void* memory,
                         qvError* error)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > gltf->budget)
        return qvError_Set(error, qv_badInput,
                           "%s: needs %.3g MB of memory, far more than the file holds (the limit for all is %d times "
                           "its size plus %d MB)",
                           place, (double)count * (double)size / 1e6, QV_GLTF_BYTES_PER_BYTE,
                           QV_GLTF_SPARE_BYTES >> 20);
    gltf->budget -= bytes;
    void* allocated = qvArena_Allocate(arena, bytes);
    if (allocated == NULL)
        return qvError_OutOfMemory(error, (double)bytes);
    memcpy(memory, &allocated, sizeof(allocated)); // memory is the address of some pointer
    return qv_ok;
}

bool qvGltf_TakeForScene(qvGltf* gltf, size_t bytes)
{
    size_t* budget = bytes <= gltf->sceneBudget ? &gltf->sceneBudget : &gltf->budget;
    if (bytes > *budget)
        return false;
    *budget -= bytes;
    return true;
}

qvResult qvGltf_AllocateForScene(qvGltf* gltf, qvArena* arena, size_t count, size_t size, void* memory, qvError* error)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || !qvGltf_TakeForScene(gltf, bytes))
        return qvError_Set(error, qv_badInput,
                           "nodes: the scene needs %.3g MB more of memory, far more than the file holds (meshes that "
                           "several nodes show may take %.0f MB besides); export it with fewer copies",
                           (double)count * (double)size / 1e6, (double)gltf->sceneLimit / 1048576.0);
    void* allocated = qvArena_Allocate(arena, bytes);
    if (allocated == NULL)
        return qvError_OutOfMemory(error, (double)bytes);
    memcpy(memory, &allocated, sizeof(allocated));
    return qv_ok;
}

// --- Chunks ------------------------------------------------------------------------------------------------------

typedef struct Chunks
{
    const char* json;
    size_t jsonSize;
    int jsonStart;      // in the file
    const char* binary; // NULL: none
    size_t binarySize;
} Chunks;

static uint32_t LoadUint32(const char* bytes)
{
    uint32_t value;
    memcpy(&value, bytes, 4);
    return value;
}

static qvResult CheckHeader(const qvReadInput* input, size_t* end, qvError* error)
{
    if (input->size < 20)
        return qvError_Set(error, qv_badInput, "byte %zu: the file ends in its header", input->size);
    uint32_t version = LoadUint32(input->data + 4), length = LoadUint32(input->data + 8);
    if (version != 2)
        return qvError_Set(error, qv_unsupported, "byte 4: is glTF version %u; export it as glTF 2.0", version);
    if (length > input->size)
        return qvError_Set(error, qv_badInput, "byte 8: the header promises %u bytes, the file has %zu; it is cut off",
                           length, input->size);
    if (length < 20)
        return qvError_Set(error, qv_badInput, "byte 8: a length of %u bytes is too small", length);
    *end = length;
    return qv_ok;
}

static qvResult SplitBinary(const qvReadInput* input, Chunks* chunks, qvError* error)
{
    size_t end = 0;
    qvResult result = CheckHeader(input, &end, error);
    if (result != qv_ok)
        return result;
    for (size_t at = 12; at + 8 <= end;)
    {
        size_t size = LoadUint32(input->data + at);
        uint32_t type = LoadUint32(input->data + at + 4);
        if (size > end - at - 8)
            return qvError_Set(error, qv_badInput, "byte %zu: a chunk of %zu bytes reaches beyond the end of the file",
                               at, size);
        if (at == 12 && type != CHUNK_JSON)
            return qvError_Set(error, qv_badInput, "byte 16: the first chunk is not JSON");
        if (at == 12)
        {
            chunks->jsonStart = 20;
            chunks->json = input->data + 20;
            chunks->jsonSize = size;
        }
        else if (type == CHUNK_BIN && chunks->binary == NULL)
        {
            chunks->binary = input->data + at + 8;
            chunks->binarySize = size;
        }
        at += 8 + (size + 3) / 4 * 4;
    }
    return qv_ok;
}

static qvResult SplitFile(const qvReadInput* input, Chunks* chunks, qvError* error)
{
    if (input->size >= 4 && memcmp(input->data, "glTF", 4) == 0)
        return SplitBinary(input, chunks, error);
    *chunks = (Chunks){ .json = input->data, .jsonSize = input->size };
    return qv_ok;
}

// --- JSON --------------------------------------------------------------------------------------------------------

static qvResult MakeTable(qvGltf* gltf, const char* name, qvGltfTable* table, qvError* error)
{
    free(table->items);
    *table = (qvGltfTable){ .name = name };
    qvJson* array = NULL;
    qvResult result = qvJson_ReadArray(gltf->json, "", name, &array, error);
    if (result != qv_ok)
        return result;
    int count = qvJson_Count(array);
    table->items = qvAllocate((size_t)count, sizeof(qvJson*));
    if (table->items == NULL)
        return qvError_OutOfMemory(error, (double)count * sizeof(qvJson*));
    for (qvJson* item = qvJson_First(array); item != NULL; item = qvJson_Next(item))
    {
        if (!qvJson_IsObject(item))
            return qvError_Set(error, qv_badInput, "%s[%d]: must be an object", name, table->count);
        table->items[table->count++] = item;
    }
    return qv_ok;
}

qvResult qvGltf_Follow(const qvGltfTable* table, const qvJson* object, const char* place, const char* name, int* index,
                       qvJson** item, qvError* error)
{
    *index = -1;
    *item = NULL;
    qvResult result = qvJson_ReadInt(object, place, name, 0, INT_MAX, index, error);
    if (result != qv_ok || *index < 0)
        return result;
    if (*index >= table->count)
        return qvError_Set(error, qv_badInput, "%s.%s: there is no %s[%d], only %d of them", place, name, table->name,
                           *index, table->count);
    *item = table->items[*index];
    return qv_ok;
}

static qvResult CheckVersion(const qvJson* json, qvError* error)
{
    qvJson* asset = NULL;
    const char* version = "";
    qvResult result = qvJson_ReadObject(json, "", "asset", &asset, error);
    if (result == qv_ok && asset == NULL)
        return qvError_Set(error, qv_badInput, "asset: is missing; this is no glTF 2.0 file");
    if (result == qv_ok)
        result = qvJson_ReadString(asset, "asset", "version", &version, error);
    if (result == qv_ok && strncmp(version, "2.", 2) != 0)
        return qvError_Set(error, qv_unsupported, "asset.version: is \"%.20s\"; export it as glTF 2.0", version);
    return result;
}

// Extensions that a reader of geometry may ignore even when a file requires them: what they hold is written back.
static bool IsKnownExtension(const char* name)
{
#ifdef QUAVER_DRACO
    if (strcmp(name, "KHR_draco_mesh_compression") == 0)
        return true;
#endif
    static const char* const prefixes[] = { "KHR_mesh_quantization",
                                            "KHR_materials_",
                                            "KHR_texture_",
                                            "EXT_texture_",
                                            "KHR_lights_punctual",
                                            "KHR_xmp",
                                            "EXT_meshopt_compression",
                                            "KHR_meshopt_compression" };
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
    {
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    }
    return false;
}

static qvResult CheckExtensions(const qvJson* json, qvError* error)
{
    qvJson* required = NULL;
    qvResult result = qvJson_ReadArray(json, "", "extensionsRequired", &required, error);
    if (result != qv_ok)
        return result;
    int index = 0;
    for (const qvJson* item = qvJson_First(required); item != NULL; item = qvJson_Next(item), index++)
    {
        const char* name = qvJson_Text(item);
        if (IsKnownExtension(name))
            continue;
        if (strcmp(name, "KHR_draco_mesh_compression") == 0)
            return qvError_Set(error, qv_unsupported,
                               "extensionsRequired[%d]: %s needs libdraco, which this Quaver was built without "
                               "(QUAVER_DRACO); export the file without compression",
                               index, name);
        bool isCompression = strstr(name, "compression") != NULL;
        return qvError_Set(error, qv_unsupported,
                           "extensionsRequired[%d]: %.60s is not supported; export the file without %s", index, name,
                           isCompression ? "compression" : "it");
    }
    return qv_ok;
}

// Members are found one by one, and an object may be looked at as often as the file refers to it. glTF's own objects
// have a dozen members; those of extras and extensions are only kept. Recursion is bounded by the depth limit of the
// parser.
static const qvJson* FindCrowded(const qvJson* node)
{
    if (qvJson_IsObject(node) && qvJson_Count(node) > QV_GLTF_MAX_MEMBERS)
        return node;
    for (const qvJson* item = qvJson_First(node); item != NULL; item = qvJson_Next(item))
    {
        const char* name = qvJson_Name(item);
        bool isKept = strcmp(name, "extras") == 0 || strcmp(name, "extensions") == 0;
        const qvJson* crowded = qvJson_First(item) != NULL && !isKept ? FindCrowded(item) : NULL;
        if (crowded != NULL)
            return crowded;
    }
    return NULL;
}

static qvResult CheckMembers(const qvJson* json, qvError* error)
{
    if (qvJson_Count(json) > QV_GLTF_MAX_MEMBERS)
        return qvError_Set(error, qv_badInput, "line 1: the document has %d members, at most %d can be read",
                           qvJson_Count(json), QV_GLTF_MAX_MEMBERS);
    for (const qvJson* list = qvJson_First(json); list != NULL; list = qvJson_Next(list))
    {
        int index = 0;
        for (const qvJson* item = qvJson_First(list); item != NULL && qvJson_IsArray(list);
             item = qvJson_Next(item), index++)
        {
            const qvJson* crowded = FindCrowded(item);
            if (crowded != NULL)
                return qvError_Set(error, qv_badInput, "%.60s[%d]: an object has %d members, at most %d can be read",
                                   qvJson_Name(list), index, qvJson_Count(crowded), QV_GLTF_MAX_MEMBERS);
        }
    }
    return qv_ok;
}

// Real files have ten bytes and more per value. A text of nothing but "{}," would make a tree of thirty times its size,
// so that the number of values is bound to the size of the text too.
static qvJsonLimits LimitValues(const Chunks* chunks)
{
    qvJsonLimits limits = qvDefaultJsonLimits();
    size_t bound = 50000 + (size_t)chunks->jsonSize / 4;
    limits.maxValues = bound < limits.maxValues ? bound : limits.maxValues;
    return limits;
}

static qvResult ParseDocument(qvGltf* gltf, const Chunks* chunks, qvError* error)
{
    qvJsonLimits limits = LimitValues(chunks);
    qvResult result = qvParseJson(chunks->json, chunks->jsonSize, &limits, &gltf->json, error);
    if (result != qv_ok && chunks->jsonStart > 0)
        qvError_Prefix(error, "JSON from byte %d", chunks->jsonStart);
    if (result != qv_ok)
        return result;
    if (!qvJson_IsObject(gltf->json))
        return qvError_Set(error, qv_badInput, "line 1, column 1: must be a JSON object");
    result = CheckVersion(gltf->json, error);
    if (result == qv_ok)
        result = CheckExtensions(gltf->json, error);
    if (result == qv_ok)
        result = CheckMembers(gltf->json, error);
    if (result == qv_ok)
        result = qvGltf_CheckTypes(gltf->json, error);
    if (result == qv_ok)
        result = MakeTable(gltf, "accessors", &gltf->accessors, error);
    if (result == qv_ok)
        result = MakeTable(gltf, "bufferViews", &gltf->views, error);
    if (result == qv_ok)
        result = MakeTable(gltf, "meshes", &gltf->meshes, error);
    if (result == qv_ok)
        result = MakeTable(gltf, "nodes", &gltf->nodes, error);
    if (result == qv_ok)
        result = MakeTable(gltf, "textures", &gltf->textures, error);
    return result;
}

// --- Buffers -----------------------------------------------------------------------------------------------------

qvResult qvGltf_DecodeDataUri(qvGltf* gltf, const char* uri, const char* place, qvBytes* bytes, qvError* error)
{
    const char* comma = strchr(uri, ',');
    if (comma == NULL || comma - uri < 7 || strncasecmp(comma - 7, ";base64", 7) != 0)
        return qvError_Set(error, qv_badInput, "%s: a data URI must be base64 (\"data:…;base64,…\")", place);
    const char* text = comma + 1;
    size_t length = strlen(text), size = qvBase64_DecodedSize(text, length), badOffset;
    if (size > gltf->budget)
        return qvError_Set(error, qv_badInput, "%s: too much data", place);
    bytes->data = qvAllocateRaw(size + 1, 1);
    if (bytes->data == NULL)
        return qvError_OutOfMemory(error, (double)size);
    gltf->budget -= size;
    bytes->size = size;
    bytes->data[size] = 0;
    if (!qvBase64_Decode(text, length, (uint8_t*)bytes->data, &badOffset))
        return qvError_Set(error, qv_badInput, "%s: character %zu is no base64", place,
                           badOffset + (size_t)(text - uri));
    return qv_ok;
}

static qvResult CopyChunk(const Chunks* chunks, const char* place, qvBytes* bytes, qvError* error)
{
    if (chunks->binary == NULL)
        return qvError_Set(error, qv_badInput,
                           "%s: has no uri and the file has no binary chunk; export the file without compression",
                           place);
    bytes->data = qvAllocateRaw(chunks->binarySize + 1, 1);
    if (bytes->data == NULL)
        return qvError_OutOfMemory(error, (double)chunks->binarySize);
    memcpy(bytes->data, chunks->binary, chunks->binarySize);
    bytes->data[chunks->binarySize] = 0;
    bytes->size = chunks->binarySize;
    return qv_ok;
}

static qvResult ReadExternal(qvGltf* gltf, const qvReadInput* input, int index, const char* uri, const char* place,
                             size_t* total, qvError* error)
{
    qvGltfBuffer* buffer = &gltf->buffers[index];
    buffer->path = strdup(uri);
    if (buffer->path == NULL)
        return qvError_OutOfMemory(error, (double)strlen(uri));
    qvDecodeUri(buffer->path);
    qvPath_Simplify(buffer->path);
    for (int i = 0; i < index; i++)
    {
        const qvGltfBuffer* earlier = &gltf->buffers[i];
        if (earlier->path != NULL && strcmp(earlier->path, buffer->path) == 0)
        {
            buffer->bytes = (qvBytes){ earlier->bytes.data, earlier->fileSize };
            buffer->fileSize = earlier->fileSize;
            buffer->isShared = true;
            return qv_ok;
        }
    }
    qvResult result = qvReadInput_ReadSibling(input, uri, true, &buffer->bytes, error);
    if (result != qv_ok)
    {
        qvError_Prefix(error, "%s", place);
        return result;
    }
    buffer->fileSize = buffer->bytes.size;
    *total += buffer->bytes.size;
    if (*total > input->options->maxFileBytes)
        return qvError_Set(error, qv_badInput, "%s: all buffers together are larger than %.1f MB", place,
                           (double)input->options->maxFileBytes / 1e6);
    gltf->budget += buffer->bytes.size * QV_GLTF_BYTES_PER_BYTE;
    return qv_ok;
}

static qvResult ReadBuffer(qvGltf* gltf, const qvReadInput* input, const Chunks* chunks, qvJson* item, int index,
                           size_t* total, qvError* error)
{
    qvGltfBuffer* buffer = &gltf->buffers[index];
    char place[QV_GLTF_MAX_PLACE], uriPlace[QV_GLTF_MAX_PLACE];
    snprintf(place, sizeof(place), "buffers[%d]", index);
    snprintf(uriPlace, sizeof(uriPlace), "buffers[%d].uri", index);
    const char* uri = NULL;
    int length = -1;
    qvResult result = qvJson_ReadString(item, place, "uri", &uri, error);
    if (result == qv_ok)
        result = qvJson_ReadInt(item, place, "byteLength", 1, INT_MAX, &length, error);
    if (result != qv_ok)
        return result;
    if (length < 0)
        return qvError_Set(error, qv_badInput, "%s.byteLength: is missing", place);
    buffer->isFallback = qvGltf_IsFallback(item);
    if (buffer->isFallback)
        length = 0; // what is unpacked takes its place
    else if (uri == NULL)
        result = CopyChunk(index == 0 ? chunks : &(Chunks){ 0 }, place, &buffer->bytes, error);
    else if (strncasecmp(uri, "data:", 5) == 0)
        result = qvGltf_DecodeDataUri(gltf, uri, uriPlace, &buffer->bytes, error);
    else
        result = ReadExternal(gltf, input, index, uri, uriPlace, total, error);
    if (result != qv_ok)
        return result;
    if ((size_t)length > buffer->bytes.size)
        return qvError_Set(error, qv_badInput, "%s.byteLength: %d bytes are promised, %zu are there", place, length,
                           buffer->bytes.size);
    buffer->bytes.size = (size_t)length;
    // The writer makes one buffer of all; a decoded URI is not needed any more.
    if (uri != NULL && (buffer->isFallback || strncasecmp(uri, "data:", 5) == 0))
        qvJson_Remove(item, qvJson_Find(item, "uri"));
    return qv_ok;
}

static qvResult ReadBuffers(qvGltf* gltf, const qvReadInput* input, const Chunks* chunks, qvError* error)
{
    qvJson* array = NULL;
    qvResult result = qvJson_ReadArray(gltf->json, "", "buffers", &array, error);
    if (result != qv_ok)
        return result;
    int count = qvJson_Count(array);
    if (count > QV_GLTF_MAX_BUFFERS)
        return qvError_Set(error, qv_badInput, "buffers: has %d items, at most %d can be read", count,
                           QV_GLTF_MAX_BUFFERS);
    gltf->buffers = qvAllocate((size_t)count + 1, sizeof(qvGltfBuffer)); // one may be unpacked
    if (gltf->buffers == NULL)
        return qvError_OutOfMemory(error, (double)count * sizeof(qvGltfBuffer));
    gltf->bufferCount = count;
    size_t total = 0;
    qvJson* item = qvJson_First(array);
    for (int i = 0; i < count && result == qv_ok; i++, item = qvJson_Next(item))
        result = ReadBuffer(gltf, input, chunks, item, i, &total, error);
    return result;
}

// --- Open and close ----------------------------------------------------------------------------------------------

qvResult qvOpenGltf(const qvReadInput* input, qvGltf** gltf, qvError* error)
{
    qvGltf* made = qvAllocate(1, sizeof(qvGltf));
    if (made == NULL)
        return qvError_OutOfMemory(error, sizeof(qvGltf));
    made->budget = input->size * QV_GLTF_BYTES_PER_BYTE + QV_GLTF_SPARE_BYTES;
    made->sceneBudget = made->sceneLimit = input->options->maxSceneBytes;
    Chunks chunks = { 0 };
    qvResult result = SplitFile(input, &chunks, error);
    if (result == qv_ok)
        result = ParseDocument(made, &chunks, error);
    if (result == qv_ok)
        result = ReadBuffers(made, input, &chunks, error);
    if (result == qv_ok)
        result = qvGltf_Unpack(made, error);
    if (result == qv_ok)
        result = MakeTable(made, "bufferViews", &made->views, error); // some may have come
    if (result != qv_ok)
    {
        qvDestroyGltf(made);
        return result;
    }
    *gltf = made;
    return qv_ok;
}

void qvDestroyGltf(qvGltf* gltf)
{
    if (gltf == NULL)
        return;
    for (int i = 0; i < gltf->bufferCount; i++)
    {
        free(gltf->buffers[i].path);
        if (!gltf->buffers[i].isShared)
            qvFreeBytes(&gltf->buffers[i].bytes);
    }
    free(gltf->buffers);
    free(gltf->accessors.items);
    free(gltf->views.items);
    free(gltf->meshes.items);
    free(gltf->nodes.items);
    free(gltf->textures.items);
    free(gltf->pieces);
    qvDestroyRig(gltf->staticRig);
    qvDestroyJson(gltf->json);
    free(gltf);
}
