// SPDX-License-Identifier: GPL-3.0-or-later
// What a definition must hold before anything is made from it. Every message names the element.
#include "mesh/build.h"

#include "base/assert.h"

#include <limits.h>
#include <math.h>

enum
{
    MAX_TRIANGLES = INT_MAX / 9
};

static bool IsFinite(qvVec3f p)
{
    return isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
}

static qvResult CheckPositions(const qvMeshDef* def, qvError* error)
{
    for (int v = 0; v < def->vertexCount; v++)
    {
        if (!IsFinite(def->positions[v]))
            return qvError_Set(error, qv_badInput, "vertex %d: position is not finite", v);
    }
    return qv_ok;
}

static qvResult CountCorners(qvMeshBuild* build, qvError* error)
{
    const qvMeshDef* def = build->def;
    int64_t cornerCount = def->faceSizes == NULL ? (int64_t)def->faceCount * 3 : 0, triangleCount = def->faceCount;
    for (int face = 0; face < def->faceCount && def->faceSizes != NULL; face++)
    {
        int size = def->faceSizes[face];
        if (size < 3)
            return qvError_Set(error, qv_badInput, "face %d has %d corners, at least 3 are needed", face, size);
        cornerCount += size;
        triangleCount += size - 3;
    }
    // Corners of triangles are counted by int, and so are the neighbours in the rings of points: up to 9 per triangle.
    if (cornerCount > INT_MAX || triangleCount > MAX_TRIANGLES)
        return qvError_Set(error, qv_badInput, "the mesh has %lld triangles, at most %d are possible",
                           (long long)triangleCount, MAX_TRIANGLES);
    build->cornerCount = (int)cornerCount;
    build->triangleCount = (int)triangleCount;
    return qv_ok;
}

static int FaceOfCorner(const qvMeshDef* def, int corner)
{
    if (def->faceSizes == NULL)
        return corner / 3;
    int face = 0;
    for (int end = def->faceSizes[0]; end <= corner; end += def->faceSizes[face])
        face++;
    return face;
}

static qvResult CheckCorners(const qvMeshBuild* build, qvError* error)
{
    const qvMeshDef* def = build->def;
    for (int c = 0; c < build->cornerCount; c++)
    {
        if ((uint32_t)def->corners[c] >= (uint32_t)def->vertexCount)
            return qvError_Set(error, qv_badInput, "face %d refers to vertex %d of %d", FaceOfCorner(def, c),
                               def->corners[c], def->vertexCount);
    }
    return qv_ok;
}

static qvResult CheckAttribute(const qvMeshBuild* build, const qvAttributeDef* attribute, const char* name,
                               qvError* error)
{
    if (attribute->values == NULL)
        return qv_ok;
    if (attribute->indices == NULL)
    {
        if (attribute->count == build->def->vertexCount)
            return qv_ok;
        return qvError_Set(error, qv_badInput, "%d %ss for %d vertices, the numbers must be equal", attribute->count,
                           name, build->def->vertexCount);
    }
    for (int c = 0; c < build->cornerCount; c++)
    {
        int index = attribute->indices[c];
        if (index < -1 || index >= attribute->count)
            return qvError_Set(error, qv_badInput, "face %d refers to %s %d of %d", FaceOfCorner(build->def, c), name,
                               index, attribute->count);
    }
    return qv_ok;
}

static qvResult CheckSubmeshes(const qvMeshDef* def, qvError* error)
{
    int64_t end = 0;
    for (int i = 0; i < def->submeshCount; i++)
    {
        const qvSubmeshDef* submesh = &def->submeshes[i];
        QV_ASSERT(submesh->faceCount >= 0);
        end += submesh->faceCount;
        if (end > def->faceCount)
            return qvError_Set(error, qv_badInput, "submesh %d ends at face %lld of %d", i, (long long)end,
                               def->faceCount);
        if (submesh->material < -1 || submesh->material >= def->materialCount)
            return qvError_Set(error, qv_badInput, "submesh %d refers to material %d of %d", i, submesh->material,
                               def->materialCount);
    }
    for (int i = 0; i < def->materialCount; i++)
    {
        if (def->materials[i].texture < -1 || def->materials[i].texture >= def->textureCount)
            return qvError_Set(error, qv_badInput, "material %d refers to texture %d of %d", i,
                               def->materials[i].texture, def->textureCount);
    }
    return qv_ok;
}

qvResult qvMeshBuild_Check(qvMeshBuild* build, qvError* error)
{
    const qvMeshDef* def = build->def;
    QV_ASSERT(def->vertexCount >= 0 && def->faceCount >= 0 && def->submeshCount >= 0);
    QV_ASSERT(def->materialCount >= 0 && def->textureCount >= 0);
    QV_ASSERT(def->weldTolerance >= 0.0 && isfinite(def->weldTolerance));
    if (def->faceCount == 0)
        return qvError_Set(error, qv_badInput, "no triangle is left: the mesh has %d vertices and no faces",
                           def->vertexCount);
    qvResult result = CheckPositions(def, error);
    if (result == qv_ok)
        result = CountCorners(build, error);
    if (result == qv_ok)
        result = CheckCorners(build, error);
    if (result == qv_ok)
        result = CheckAttribute(build, &def->normals, "normal", error);
    if (result == qv_ok)
        result = CheckAttribute(build, &def->uvs, "texture coordinate", error);
    if (result == qv_ok)
        result = CheckAttribute(build, &def->colors, "color", error);
    if (result == qv_ok)
        result = CheckSubmeshes(def, error);
    return result;
}
