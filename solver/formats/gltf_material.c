// SPDX-License-Identifier: GPL-3.0-or-later
// Materials and images (glTF 2.0, sections 3.8 and 3.9). An image becomes a texture of the mesh; what a qvMaterial
// cannot hold stays in the document.
#include "formats/gltf.h"

#include "formats/uri.h"
#include "quaver/path.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// --- Images ------------------------------------------------------------------------------------------------------

// "data:image/png;base64,…" gives "image/png".
static const char* MimeOfDataUri(qvArena* arena, const char* uri)
{
    size_t length = strcspn(uri + 5, ";,");
    char* mime = qvArena_Allocate(arena, length + 1);
    if (mime == NULL)
        return "";
    memcpy(mime, uri + 5, length);
    mime[length] = 0;
    return mime;
}

static qvResult ReadDataImage(qvGltf* gltf, qvArena* arena, const char* uri, const char* place, qvTexture* texture,
                              qvError* error)
{
    qvBytes bytes = { 0 };
    uint8_t* copy = NULL;
    qvResult result = qvGltf_DecodeDataUri(gltf, uri, place, &bytes, error);
    if (result == qv_ok)
        result = qvGltf_Allocate(gltf, arena, bytes.size, 1, place, &copy, error);
    if (result == qv_ok)
    {
        memcpy(copy, bytes.data, bytes.size);
        texture->bytes = copy;
        texture->byteCount = bytes.size;
        if (texture->mimeType[0] == 0)
            texture->mimeType = MimeOfDataUri(arena, uri);
    }
    qvFreeBytes(&bytes);
    return result;
}

static void ReadImagePath(qvArena* arena, const char* uri, const char* place, qvNotes* notes, qvTexture* texture)
{
    char* path = qvArena_CopyText(arena, uri);
    if (path == NULL)
        return;
    qvDecodeUri(path);
    if (qvPath_IsInside(path))
        texture->path = path;
    else
        qvNotes_Add(notes, "%s: %.100s is not beside the file and is not shown", place, path);
}

static qvResult ReadImage(qvGltf* gltf, qvArena* arena, const qvJson* json, int index, qvNotes* notes,
                          qvTexture* texture, qvError* error)
{
    char place[QV_GLTF_MAX_PLACE], uriPlace[QV_GLTF_MAX_PLACE];
    snprintf(place, sizeof(place), "images[%d]", index);
    snprintf(uriPlace, sizeof(uriPlace), "images[%d].uri", index);
    *texture = (qvTexture){ .name = "", .path = "", .mimeType = "" };
    const char* uri = NULL;
    int viewIndex;
    qvGltfView view;
    qvResult result = qvJson_ReadString(json, place, "name", &texture->name, error);
    if (result == qv_ok)
        result = qvJson_ReadString(json, place, "mimeType", &texture->mimeType, error);
    if (result == qv_ok)
        result = qvJson_ReadString(json, place, "uri", &uri, error);
    if (result == qv_ok)
        result = qvGltf_GetView(gltf, json, place, "bufferView", &viewIndex, &view, error);
    if (result != qv_ok)
        return result;
    if (uri != NULL && strncasecmp(uri, "data:", 5) == 0)
        return ReadDataImage(gltf, arena, uri, uriPlace, texture, error);
    if (uri != NULL)
        ReadImagePath(arena, uri, uriPlace, notes, texture);
    else if (viewIndex >= 0)
    {
        void* counted; // the mesh keeps a copy; several images may show one view
        texture->bytes = view.bytes;
        texture->byteCount = view.size;
        return qvGltf_Allocate(gltf, arena, view.size, 1, place, &counted, error);
    }
    return qv_ok;
}

static qvResult ReadImages(qvGltf* gltf, qvArena* arena, qvNotes* notes, qvMeshDef* def, qvError* error)
{
    qvJson* array = NULL;
    qvTexture* textures;
    qvResult result = qvJson_ReadArray(gltf->json, "", "images", &array, error);
    if (result == qv_ok)
        result =
            qvGltf_Allocate(gltf, arena, (size_t)qvJson_Count(array), sizeof(qvTexture), "images", &textures, error);
    for (const qvJson* item = qvJson_First(array); item != NULL && result == qv_ok; item = qvJson_Next(item))
    {
        result = ReadImage(gltf, arena, item, def->textureCount, notes, &textures[def->textureCount], error);
        def->textureCount++;
    }
    def->textures = textures;
    return result;
}

// --- Materials ---------------------------------------------------------------------------------------------------

// The image that a texture shows; -1 for none.
static qvResult ReadTextureSource(const qvGltf* gltf, const qvJson* info, const char* place, int imageCount, int* image,
                                  qvError* error)
{
    int index;
    qvJson* texture;
    qvResult result = qvGltf_Follow(&gltf->textures, info, place, "index", &index, &texture, error);
    if (result != qv_ok || texture == NULL)
        return result;
    char where[QV_GLTF_MAX_PLACE];
    snprintf(where, sizeof(where), "textures[%d]", index);
    result = qvJson_ReadInt(texture, where, "source", 0, INT_MAX, image, error);
    if (result == qv_ok && *image >= imageCount)
        return qvError_Set(error, qv_badInput, "%s.source: there is no images[%d]", where, *image);
    return result;
}

static qvResult ReadMaterial(const qvGltf* gltf, const qvJson* json, int index, int imageCount, qvMaterial* material,
                             qvError* error)
{
    char place[QV_GLTF_MAX_PLACE], where[QV_GLTF_MAX_PLACE];
    snprintf(place, sizeof(place), "materials[%d]", index);
    snprintf(where, sizeof(where), "materials[%d].pbrMetallicRoughness", index);
    *material = (qvMaterial){ .name = "", .texture = -1 };
    qvJson *pbr = NULL, *info = NULL;
    double color[4] = { 1.0, 1.0, 1.0, 1.0 }, metallic = 1.0, roughness = 1.0;
    qvResult result = qvJson_ReadString(json, place, "name", &material->name, error);
    if (result == qv_ok)
        result = qvJson_ReadBool(json, place, "doubleSided", &material->doubleSided, error);
    if (result == qv_ok)
        result = qvJson_ReadObject(json, place, "pbrMetallicRoughness", &pbr, error);
    if (result == qv_ok)
        result = qvJson_ReadNumbers(pbr, where, "baseColorFactor", 4, color, error);
    if (result == qv_ok)
        result = qvJson_ReadNumber(pbr, where, "metallicFactor", 0.0, 1.0, &metallic, error);
    if (result == qv_ok)
        result = qvJson_ReadNumber(pbr, where, "roughnessFactor", 0.0, 1.0, &roughness, error);
    if (result == qv_ok)
        result = qvJson_ReadObject(pbr, where, "baseColorTexture", &info, error);
    if (result != qv_ok)
        return result;
    material->baseColor = (qvColor){ (float)color[0], (float)color[1], (float)color[2], (float)color[3] };
    material->metallic = (float)metallic;
    material->roughness = (float)roughness;
    snprintf(where, sizeof(where), "materials[%d].pbrMetallicRoughness.baseColorTexture", index);
    return ReadTextureSource(gltf, info, where, imageCount, &material->texture, error);
}

qvResult qvGltf_ReadMaterials(qvGltf* gltf, qvArena* arena, qvNotes* notes, qvMeshDef* def, qvError* error)
{
    qvJson* array = NULL;
    qvMaterial* materials;
    qvResult result = ReadImages(gltf, arena, notes, def, error);
    if (result == qv_ok)
        result = qvJson_ReadArray(gltf->json, "", "materials", &array, error);
    if (result == qv_ok)
        result = qvGltf_Allocate(gltf, arena, (size_t)qvJson_Count(array), sizeof(qvMaterial), "materials", &materials,
                                 error);
    if (result != qv_ok)
        return result;
    def->materials = materials;
    for (const qvJson* item = qvJson_First(array); item != NULL && result == qv_ok; item = qvJson_Next(item))
    {
        result = ReadMaterial(gltf, item, def->materialCount, def->textureCount, &materials[def->materialCount], error);
        def->materialCount++;
    }
    return result;
}
