// SPDX-License-Identifier: GPL-3.0-or-later
#include "mesh/build.h"

#include "base/memory.h"
#include "base/search.h"

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

static qvResult CopyTexture(qvMesh* mesh, const qvTexture* from, qvTexture* to, qvError* error)
{
    to->name = qvArena_CopyText(mesh->arena, from->name);
    to->path = qvArena_CopyText(mesh->arena, from->path);
    to->mimeType = qvArena_CopyText(mesh->arena, from->mimeType);
    if (to->name == NULL || to->path == NULL || to->mimeType == NULL)
        return qvError_OutOfMemory(error, 1.0);
    if (from->bytes == NULL)
        return qv_ok;
    uint8_t* bytes = qvArena_Allocate(mesh->arena, from->byteCount);
    if (bytes == NULL)
        return qvError_OutOfMemory(error, (double)from->byteCount);
    memcpy(bytes, from->bytes, from->byteCount);
    to->bytes = bytes;
    to->byteCount = from->byteCount;
    return qv_ok;
}

static qvResult CopyTextures(qvMesh* mesh, const qvMeshDef* def, qvError* error)
{
    mesh->textures = qvAllocate((size_t)def->textureCount, sizeof(*mesh->textures));
    if (mesh->textures == NULL)
        return qvError_OutOfMemory(error, (double)sizeof(*mesh->textures) * def->textureCount);
    mesh->textureCount = def->textureCount;
    for (int i = 0; i < def->textureCount; i++)
    {
        qvResult result = CopyTexture(mesh, &def->textures[i], &mesh->textures[i], error);
        if (result != qv_ok)
            return result;
    }
    return qv_ok;
}

qvResult qvMeshBuild_CopyMaterials(qvMeshBuild* build, qvError* error)
{
    const qvMeshDef* def = build->def;
    qvMesh* mesh = build->mesh;
    mesh->arena = qvCreateArena();
    if (mesh->arena == NULL)
        return qvError_OutOfMemory(error, 1.0);
    qvResult result = CopySubmeshes(build, error);
    if (result == qv_ok)
        result = CopyTextures(mesh, def, error);
    if (result != qv_ok)
        return result;
    mesh->materials = qvAllocate((size_t)def->materialCount, sizeof(*mesh->materials));
    if (mesh->materials == NULL)
        return qvError_OutOfMemory(error, (double)sizeof(*mesh->materials) * def->materialCount);
    mesh->materialCount = def->materialCount;
    for (int i = 0; i < def->materialCount; i++)
    {
        mesh->materials[i] = def->materials[i];
        mesh->materials[i].name = qvArena_CopyText(mesh->arena, def->materials[i].name);
        if (mesh->materials[i].name == NULL)
            return qvError_OutOfMemory(error, 1.0);
    }
    return qv_ok;
}
