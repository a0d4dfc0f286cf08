// SPDX-License-Identifier: GPL-3.0-or-later
// A new glTF document for a model that came from another format. Attributes that differ between the corners at a vertex
// split it; all primitives share one set of vertices.
#include "formats/gltf_fresh.h"

#include "base/memory.h"
#include "formats/gltf_images.h"
#include "formats/uri.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- Vertices ----------------------------------------------------------------------------------------------------

static size_t ValueIndex(qvDomain domain, int vertex, size_t corner)
{
    return domain == qv_domainVertex ? (size_t)vertex : corner;
}

// The values at a corner. corner SIZE_MAX: a vertex that no triangle uses.
static qvGltfVertex GetVertex(const qvGltfFresh* fresh, int vertex, size_t corner)
{
    const qvMesh* mesh = fresh->mesh;
    qvGltfVertex value = { .normal = { 0.0f, 1.0f, 0.0f }, .color = { 1.0f, 1.0f, 1.0f, 1.0f } };
    bool isLoose = corner == SIZE_MAX;
    if (fresh->normals != NULL && !(isLoose && mesh->normalDomain == qv_domainCorner))
        value.normal = fresh->normals[ValueIndex(mesh->normalDomain, vertex, corner)];
    if (mesh->uvDomain != qv_domainNone && !(isLoose && mesh->uvDomain == qv_domainCorner))
        value.uv = mesh->uvs[ValueIndex(mesh->uvDomain, vertex, corner)];
    if (mesh->colorDomain != qv_domainNone && !(isLoose && mesh->colorDomain == qv_domainCorner))
        value.color = mesh->colors[ValueIndex(mesh->colorDomain, vertex, corner)];
    return value;
}

static qvResult AllocateSplit(const qvMesh* mesh, qvGltfSplit* split, int** first, int** next, qvError* error)
{
    size_t corners = 3 * (size_t)mesh->triangleCount, most = corners + (size_t)mesh->vertexCount;
    split->source = qvAllocateRaw(most, sizeof(int));
    split->values = qvAllocateRaw(most, sizeof(qvGltfVertex));
    split->ofCorner = qvAllocateRaw(corners, sizeof(int32_t));
    *first = qvAllocateRaw((size_t)mesh->vertexCount, sizeof(int));
    *next = qvAllocateRaw(most, sizeof(int));
    if (split->source == NULL || split->values == NULL || split->ofCorner == NULL || *first == NULL || *next == NULL)
        return qvError_OutOfMemory(error, (double)most * (sizeof(qvGltfVertex) + 12.0));
    memset(*first, -1, (size_t)mesh->vertexCount * sizeof(int));
    return qv_ok;
}

// The entry of a vertex with these values; entries of a vertex are chained.
static int FindEntry(qvGltfSplit* split, int* first, int* next, int vertex, const qvGltfVertex* value)
{
    int* link = &first[vertex];
    while (*link >= 0 && memcmp(&split->values[*link], value, sizeof(qvGltfVertex)) != 0)
        link = &next[*link];
    if (*link >= 0)
        return *link;
    int entry = split->count++;
    *link = entry;
    next[entry] = -1;
    split->values[entry] = *value;
    split->source[entry] = vertex;
    return entry;
}

// Brings the entries into the order of the mesh's vertices.
static qvResult SortEntries(const qvMesh* mesh, qvGltfSplit* split, const int* first, const int* next, qvError* error)
{
    int* rank = qvAllocateRaw((size_t)split->count, sizeof(int));
    int* source = qvAllocateRaw((size_t)split->count, sizeof(int));
    qvGltfVertex* values = qvAllocateRaw((size_t)split->count, sizeof(qvGltfVertex));
    bool enough = rank != NULL && source != NULL && values != NULL;
    int count = 0;
    for (int v = 0; enough && v < mesh->vertexCount; v++)
    {
        for (int entry = first[v]; entry >= 0; entry = next[entry])
        {
            rank[entry] = count;
            source[count] = v;
            values[count++] = split->values[entry];
        }
    }
    for (size_t c = 0; enough && c < 3 * (size_t)mesh->triangleCount; c++)
        split->ofCorner[c] = rank[split->ofCorner[c]];
    free(rank);
    free(split->source);
    free(split->values);
    split->source = source;
    split->values = values;
    return enough ? qv_ok : qvError_OutOfMemory(error, (double)split->count * sizeof(qvGltfVertex));
}

static qvResult SplitVertices(qvGltfFresh* fresh, qvError* error)
{
    const qvMesh* mesh = fresh->mesh;
    qvGltfSplit* split = &fresh->split;
    int *first = NULL, *next = NULL;
    qvResult result = AllocateSplit(mesh, split, &first, &next, error);
    for (size_t c = 0; result == qv_ok && c < 3 * (size_t)mesh->triangleCount; c++)
    {
        int vertex = mesh->triangles[c / 3].v[c % 3];
        qvGltfVertex value = GetVertex(fresh, vertex, c);
        split->ofCorner[c] = FindEntry(split, first, next, vertex, &value);
    }
    for (int v = 0; result == qv_ok && v < mesh->vertexCount; v++)
    {
        qvGltfVertex value = GetVertex(fresh, v, SIZE_MAX);
        if (first[v] < 0)
            FindEntry(split, first, next, v, &value);
    }
    if (result == qv_ok)
        result = SortEntries(mesh, split, first, next, error);
    free(first);
    free(next);
    return result;
}

static qvResult FindNormals(qvGltfFresh* fresh, qvError* error)
{
    const qvMesh* mesh = fresh->mesh;
    if (mesh->normalDomain == qv_domainNone)
        return qv_ok;
    size_t count = mesh->normalDomain == qv_domainVertex ? (size_t)mesh->vertexCount : 3 * (size_t)mesh->triangleCount;
    fresh->normals = qvAllocateRaw(count, sizeof(qvVec3f));
    bool* touched = qvAllocateRaw(count, sizeof(bool));
    qvResult result = fresh->normals != NULL && touched != NULL
                          ? qvGltf_RecomputeNormals(mesh, fresh->positions, fresh->normals, touched, error)
                          : qvError_OutOfMemory(error, (double)count * sizeof(qvVec3f));
    free(touched);
    return result;
}

// --- Accessors ---------------------------------------------------------------------------------------------------

static double Clamp(double value)
{
    return fmin(fmax(value, 0.0), 1.0);
}

// Copies one attribute into packed floats; kind is its letter.
static void PackAttribute(const qvGltfFresh* fresh, char kind, int entry, float* out)
{
    const qvGltfVertex* value = &fresh->split.values[entry];
    const qvVec3f* p = kind == 'p' ? &fresh->positions[fresh->split.source[entry]] : &value->normal;
    switch (kind)
    {
    case 'u':
        out[0] = value->uv.x;
        out[1] = 1.0f - value->uv.y; // glTF counts from the top
        break;
    case 'c':
        out[0] = (float)Clamp(value->color.r);
        out[1] = (float)Clamp(value->color.g);
        out[2] = (float)Clamp(value->color.b);
        out[3] = (float)Clamp(value->color.a);
        break;
    default:
        memcpy(out, p, sizeof(*p));
    }
}

// How an attribute is rounded: normals to steps of half a degree, colours to those of pictures, texture coordinates to
// a sixteenth of a pixel of pictures of 4096. Texture coordinates beyond their picture stay floats.
static int SmallType(char kind, const float* values, size_t count)
{
    for (size_t i = 0; i < count && kind == 'u'; i++)
    {
        if (!(values[i] >= 0.0f && values[i] <= 1.0f))
            return QV_GLTF_FLOAT;
    }
    return kind == 'n' ? QV_GLTF_BYTE : kind == 'c' ? QV_GLTF_UNSIGNED_BYTE : QV_GLTF_UNSIGNED_SHORT;
}

static int AddValues(const qvGltfFresh* fresh, qvGltfBuilder* builder, char kind, const float* values, int components)
{
    int count = fresh->split.count;
    if (kind == 'p' && fresh->grid.scale > 0.0)
        return qvGltfBuilder_AddGridPositions(builder, values, count, &fresh->grid);
    int type =
        fresh->small && kind != 'p' ? SmallType(kind, values, (size_t)count * (size_t)components) : QV_GLTF_FLOAT;
    if (kind == 'n' && type != QV_GLTF_FLOAT)
        qvGltfBuilder_Require(builder, "KHR_mesh_quantization");
    return type == QV_GLTF_FLOAT
               ? qvGltfBuilder_AddFloats(builder, values, components, count, QV_GLTF_VERTICES, kind == 'p')
               : qvGltfBuilder_AddFractions(builder, values, components, count, type);
}

static void AddAttribute(const qvGltfFresh* fresh, qvGltfBuilder* builder, qvJson* attributes, const char* name,
                         char kind, int components)
{
    float* values = qvAllocateRaw((size_t)fresh->split.count, (size_t)components * sizeof(float));
    builder->failed |= values == NULL;
    if (values == NULL)
        return;
    for (int i = 0; i < fresh->split.count; i++)
        PackAttribute(fresh, kind, i, values + (size_t)i * (size_t)components);
    qvJson_AddNumber(attributes, name, AddValues(fresh, builder, kind, values, components));
    free(values);
}

static void AddAttributes(const qvGltfFresh* fresh, qvGltfBuilder* builder, qvJson* attributes)
{
    AddAttribute(fresh, builder, attributes, "POSITION", 'p', 3);
    if (fresh->normals != NULL)
        AddAttribute(fresh, builder, attributes, "NORMAL", 'n', 3);
    if (fresh->mesh->uvDomain != qv_domainNone || fresh->slots != NULL) // there is no second set without a first
        AddAttribute(fresh, builder, attributes, "TEXCOORD_0", 'u', 2);
    if (fresh->slots != NULL)
        qvJson_AddNumber(
            attributes, "TEXCOORD_1",
            qvGltfBuilder_AddFloats(builder, fresh->slots, 2, fresh->split.count, QV_GLTF_VERTICES, false));
    if (fresh->mesh->colorDomain != qv_domainNone)
        AddAttribute(fresh, builder, attributes, "COLOR_0", 'c', 4);
}

static void AddPrimitives(const qvGltfFresh* fresh, qvGltfBuilder* builder, qvJson* primitives)
{
    const qvMesh* mesh = fresh->mesh;
    qvJson* attributes = qvCreateJsonObject();
    AddAttributes(fresh, builder, attributes);
    for (int i = 0; i < mesh->submeshCount; i++)
    {
        const qvSubmesh* submesh = &mesh->submeshes[i];
        if (submesh->triangleCount == 0)
            continue;
        qvJson* primitive = qvJson_AddObject(primitives, NULL);
        qvJson_AddNode(primitive, "attributes", qvJson_Copy(attributes));
        const uint32_t* indices = (const uint32_t*)(fresh->split.ofCorner + 3 * (size_t)submesh->firstTriangle);
        qvJson_AddNumber(primitive, "indices", qvGltfBuilder_AddIndices(builder, indices, 3 * submesh->triangleCount));
        if (submesh->material >= 0)
            qvJson_AddNumber(primitive, "material", submesh->material);
        builder->failed |= primitive == NULL;
    }
    qvDestroyJson(attributes);
}

// --- Materials ---------------------------------------------------------------------------------------------------

static const char* MimeType(const qvTexture* texture)
{
    static const uint8_t png[] = { 0x89, 'P', 'N', 'G' };
    if (texture->mimeType[0] != 0)
        return texture->mimeType;
    return texture->byteCount >= 4 && memcmp(texture->bytes, png, 4) == 0 ? "image/png" : "image/jpeg";
}

static void AddTexture(qvGltfBuilder* builder, const qvTexture* texture, int index)
{
    qvJson* image = qvJson_AddObject(qvGltfBuilder_List(builder, "images"), NULL);
    if (texture->name[0] != 0)
        qvJson_AddString(image, "name", texture->name);
    if (texture->bytes != NULL)
    {
        qvJson_AddNumber(image, "bufferView",
                         qvGltfBuilder_AddView(builder, texture->bytes, texture->byteCount, 0, QV_GLTF_NO_TARGET));
        qvJson_AddString(image, "mimeType", MimeType(texture));
    }
    else
    {
        char* uri = qvEncodeUri(texture->path);
        builder->failed |= uri == NULL;
        qvJson_AddString(image, "uri", uri != NULL ? uri : "");
        free(uri);
    }
    qvJson* item = qvJson_AddObject(qvGltfBuilder_List(builder, "textures"), NULL);
    qvJson_AddNumber(item, "source", index);
}

static void AddMaterial(qvGltfBuilder* builder, const qvMaterial* material)
{
    qvJson* item = qvJson_AddObject(qvGltfBuilder_List(builder, "materials"), NULL);
    if (material->name[0] != 0)
        qvJson_AddString(item, "name", material->name);
    qvJson* pbr = qvJson_AddObject(item, "pbrMetallicRoughness");
    const double color[4] = { Clamp(material->baseColor.r), Clamp(material->baseColor.g), Clamp(material->baseColor.b),
                              Clamp(material->baseColor.a) };
    qvJson_AddNumbers(pbr, "baseColorFactor", color, 4);
    qvJson_AddNumber(pbr, "metallicFactor", Clamp(material->metallic));
    qvJson_AddNumber(pbr, "roughnessFactor", Clamp(material->roughness));
    if (material->texture >= 0)
        qvJson_AddNumber(qvJson_AddObject(pbr, "baseColorTexture"), "index", material->texture);
    if (color[3] < 1.0)
        qvJson_AddString(item, "alphaMode", "BLEND");
    if (material->doubleSided)
        qvJson_AddBool(item, "doubleSided", true);
    builder->failed |= pbr == NULL;
}

// --- The document ------------------------------------------------------------------------------------------------

int qvGltfFresh_AddMesh(const qvGltfFresh* fresh, qvGltfBuilder* builder, const char* name)
{
    qvJson* meshes = qvGltfBuilder_List(builder, "meshes");
    int index = qvJson_Count(meshes);
    qvJson* item = qvJson_AddObject(meshes, NULL);
    qvJson_AddString(item, "name", name);
    AddPrimitives(fresh, builder, qvJson_AddArray(item, "primitives"));
    return index;
}

void qvGltfBuilder_AddMaterials(qvGltfBuilder* builder, const qvMesh* mesh)
{
    for (int i = 0; i < mesh->materialCount; i++)
        AddMaterial(builder, &mesh->materials[i]);
    for (int i = 0; i < mesh->textureCount; i++)
        AddTexture(builder, &mesh->textures[i], i);
}

void qvGltfBuilder_ShowClay(qvGltfBuilder* builder, qvColor color)
{
    int clay = qvGltfBuilder_AddClay(builder, color);
    const qvJson* mesh = qvJson_First(qvJson_Find(builder->json, "meshes"));
    qvJson* primitives = qvJson_Find(mesh, "primitives");
    for (qvJson* item = qvJson_First(primitives); item != NULL; item = qvJson_Next(item))
        qvJson_AddNumber(item, "material", clay);
}

int qvGltfBuilder_AddClay(qvGltfBuilder* builder, qvColor color)
{
    qvJson* materials = qvGltfBuilder_List(builder, "materials");
    int index = qvJson_Count(materials);
    qvJson* material = qvJson_AddObject(materials, NULL);
    qvJson_AddString(material, "name", "clay");
    qvJson* pbr = qvJson_AddObject(material, "pbrMetallicRoughness");
    const double numbers[4] = { color.r, color.g, color.b, color.a };
    qvJson_AddNumbers(pbr, "baseColorFactor", numbers, 4);
    qvJson_AddNumber(pbr, "metallicFactor", 0.0);
    qvJson_AddNumber(pbr, "roughnessFactor", 0.6);
    builder->failed |= pbr == NULL;
    return index;
}

qvJson* qvGltfBuilder_AddScene(qvGltfBuilder* builder, const char* name)
{
    qvJson* asset = qvJson_AddObject(builder->json, "asset");
    qvJson_AddString(asset, "version", "2.0");
    qvJson_AddString(asset, "generator", "Quaver");
    const double root = 0.0;
    qvJson_AddNumber(builder->json, "scene", 0);
    qvJson_AddNumbers(qvJson_AddObject(qvGltfBuilder_List(builder, "scenes"), NULL), "nodes", &root, 1);
    qvJson* node = qvJson_AddObject(qvGltfBuilder_List(builder, "nodes"), NULL);
    qvJson_AddString(node, "name", name);
    return node;
}

void qvGltfFresh_Build(qvGltfFresh* fresh, const char* name, const qvGltfGrid* grid)
{
    qvGltfBuilder* builder = &fresh->builder;
    fresh->grid = *grid;
    qvJson_AddNumber(qvGltfBuilder_AddScene(builder, name), "mesh", 0);
    qvGltfFresh_AddMesh(fresh, builder, name);
    qvGltfBuilder_AddMaterials(builder, fresh->mesh);
}

qvResult qvGltf_AddSmoothNormals(const qvMesh* mesh, qvMesh* shown, qvVec3f** smooth, qvError* error)
{
    *smooth = qvAllocateRaw((size_t)mesh->vertexCount, sizeof(qvVec3f));
    if (*smooth == NULL)
        return qvError_OutOfMemory(error, mesh->vertexCount * 12.0);
    shown->normals = *smooth;
    shown->normalDomain = qv_domainVertex;
    return qvGltf_SmoothNormals(mesh, mesh->positions, *smooth, error);
}

qvResult qvGltfFresh_Start(qvGltfFresh* fresh, const qvMesh* mesh, const qvVec3f* positions, qvError* error)
{
    *fresh = (qvGltfFresh){ .mesh = mesh, .positions = positions };
    qvGltfBuilder_Start(&fresh->builder, NULL);
    qvResult result = FindNormals(fresh, error);
    if (result == qv_ok)
        result = SplitVertices(fresh, error);
    return result;
}

void qvGltfFresh_Free(qvGltfFresh* fresh)
{
    qvGltfBuilder_Finish(&fresh->builder);
    free(fresh->normals);
    free(fresh->split.source);
    free(fresh->split.values);
    free(fresh->split.ofCorner);
}

qvResult qvWriteGltfFresh(const qvModel* model, const qvVec3f* positions, bool binary, qvFileSet* files, qvError* error)
{
    qvGltfFresh fresh;
    const qvGltfGrid none = { 0 };
    const qvMesh* mesh = model->mesh;
    const char* name = mesh->submeshCount > 0 ? mesh->submeshes[0].name : "";
    qvResult result = qvGltfFresh_Start(&fresh, mesh, positions, error);
    if (result == qv_ok)
    {
        qvGltfFresh_Build(&fresh, name[0] != 0 ? name : "mesh", &none);
        result = qvGltf_PackImages(&fresh.builder, model->folder, binary, files, error);
    }
    if (result == qv_ok)
        result = qvGltfBuilder_Write(&fresh.builder, binary, files, error);
    qvGltfFresh_Free(&fresh);
    return result;
}
