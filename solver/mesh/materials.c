// SPDX-License-Identifier: GPL-3.0-or-later
#include "mesh/build.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/search.h"

#include <stdlib.h>
#include <string.h>

static qvResult CopySubmeshes(qvMeshBuild* build, qvError* error)
{
    const qvMeshDef* def = build->def;
    qvMesh* mesh = build->mesh;
    mesh->submeshes = qvAllocate((size_t)def->submeshCount + 1, sizeof(*mesh->submeshes));
    if (mesh->submeshes == NULL)
        return qvError_OutOfMemory(error, (double)sizeof(*mesh->submeshes) * (def->submeshCount + 1.0));
    int endFace = 0, triangle = 0;
    for (int i = 0; i < def->submeshCount; i++)
    {
        endFace += def->submeshes[i].faceCount;
        int end = qvLowerBound(build->faces, 0, build->triangleCount, endFace);
        const char* name = qvArena_CopyText(mesh->arena, def->submeshes[i].name);
        if (name == NULL)
            return qvError_OutOfMemory(error, 1.0);
        mesh->submeshes[i] = (qvSubmesh){ name, def->submeshes[i].material, triangle, end - triangle };
        triangle = end;
    }
    mesh->submeshCount = def->submeshCount;
    if (endFace < def->faceCount)
        mesh->submeshes[mesh->submeshCount++] = (qvSubmesh){ "", -1, triangle, build->triangleCount - triangle };
    return qv_ok;
}

// --- Textures ------------------------------------------------------------------------------------------------------

typedef struct Image
{
    uint64_t hash; // of path and bytes
    int texture;
} Image;

static int CompareImages(const void* a, const void* b)
{
    const Image *x = a, *y = b;
    return x->hash != y->hash ? (x->hash < y->hash ? -1 : 1) : x->texture - y->texture;
}

static const char* PathOf(const qvTexture* texture)
{
    return texture->path != NULL ? texture->path : "";
}

static bool IsSameImage(const qvTexture* a, const qvTexture* b)
{
    return a->byteCount == b->byteCount && strcmp(PathOf(a), PathOf(b)) == 0 &&
           (a->bytes == NULL) == (b->bytes == NULL) &&
           (a->bytes == b->bytes || memcmp(a->bytes, b->bytes, a->byteCount) == 0);
}

// The first texture with the same image as each one, so that what draws them decodes it once: files name one image
// several times, or hold copies of it.
static qvResult FindSameImages(const qvMeshDef* def, int* first, qvError* error)
{
    size_t count = (size_t)def->textureCount;
    Image* images = qvAllocate(count, sizeof(*images));
    if (images == NULL)
        return qvError_OutOfMemory(error, (double)count * sizeof(*images));
    for (int i = 0; i < def->textureCount; i++)
    {
        const qvTexture* texture = &def->textures[i];
        uint64_t hash = qvHash(PathOf(texture), strlen(PathOf(texture)), 0);
        images[i] = (Image){ texture->bytes != NULL ? qvHash(texture->bytes, texture->byteCount, hash) : hash, i };
    }
    qsort(images, count, sizeof(*images), CompareImages);
    for (size_t i = 0; i < count; i++)
    {
        const Image* image = &images[i];
        bool same = i > 0 && image[-1].hash == image->hash &&
                    IsSameImage(&def->textures[first[image[-1].texture]], &def->textures[image->texture]);
        first[image->texture] = same ? first[image[-1].texture] : image->texture;
    }
    free(images);
    return qv_ok;
}

// Copies of an image share its bytes.
static qvResult CopyTexture(qvMesh* mesh, const qvTexture* from, const qvTexture* same, qvTexture* to, qvError* error)
{
    to->name = qvArena_CopyText(mesh->arena, from->name);
    to->path = qvArena_CopyText(mesh->arena, from->path);
    to->mimeType = qvArena_CopyText(mesh->arena, from->mimeType);
    if (to->name == NULL || to->path == NULL || to->mimeType == NULL)
        return qvError_OutOfMemory(error, 1.0);
    to->byteCount = from->byteCount;
    if (from->bytes == NULL || same != to)
    {
        to->bytes = same->bytes;
        return qv_ok;
    }
    uint8_t* bytes = qvArena_Allocate(mesh->arena, from->byteCount);
    if (bytes == NULL)
        return qvError_OutOfMemory(error, (double)from->byteCount);
    memcpy(bytes, from->bytes, from->byteCount);
    to->bytes = bytes;
    return qv_ok;
}

static qvResult CopyTextures(qvMesh* mesh, const qvMeshDef* def, const int* first, qvError* error)
{
    mesh->textures = qvAllocate((size_t)def->textureCount, sizeof(*mesh->textures));
    if (mesh->textures == NULL)
        return qvError_OutOfMemory(error, (double)sizeof(*mesh->textures) * def->textureCount);
    mesh->textureCount = def->textureCount;
    for (int i = 0; i < def->textureCount; i++)
    {
        qvResult result = CopyTexture(mesh, &def->textures[i], &mesh->textures[first[i]], &mesh->textures[i], error);
        if (result != qv_ok)
            return result;
    }
    return qv_ok;
}

// --- Materials -----------------------------------------------------------------------------------------------------

static qvResult CopyAll(qvMeshBuild* build, int* first, qvError* error)
{
    const qvMeshDef* def = build->def;
    qvMesh* mesh = build->mesh;
    qvResult result = CopySubmeshes(build, error);
    if (result == qv_ok)
        result = FindSameImages(def, first, error);
    if (result == qv_ok)
        result = CopyTextures(mesh, def, first, error);
    if (result != qv_ok)
        return result;
    mesh->materials = qvAllocate((size_t)def->materialCount, sizeof(*mesh->materials));
    if (mesh->materials == NULL)
        return qvError_OutOfMemory(error, (double)sizeof(*mesh->materials) * def->materialCount);
    mesh->materialCount = def->materialCount;
    for (int i = 0; i < def->materialCount; i++)
    {
        mesh->materials[i] = def->materials[i];
        if (def->materials[i].texture >= 0)
            mesh->materials[i].texture = first[def->materials[i].texture];
        mesh->materials[i].name = qvArena_CopyText(mesh->arena, def->materials[i].name);
        if (mesh->materials[i].name == NULL)
            return qvError_OutOfMemory(error, 1.0);
    }
    return qv_ok;
}

qvResult qvMeshBuild_CopyMaterials(qvMeshBuild* build, qvError* error)
{
    build->mesh->arena = qvCreateArena();
    int* first = qvAllocate((size_t)build->def->textureCount, sizeof(*first));
    qvResult result = build->mesh->arena != NULL && first != NULL
                          ? CopyAll(build, first, error)
                          : qvError_OutOfMemory(error, (double)build->def->textureCount * sizeof(*first));
    free(first);
    return result;
}
