// SPDX-License-Identifier: GPL-3.0-or-later
// Normals, texture coordinates and colours: per vertex where the definition has them per vertex, else per corner. What
// a corner lacks: its triangle's normal, texture coordinate (0, 0), white.
#include "mesh/build.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool IsAnyCornerSet(const qvMeshBuild* build, const int32_t* indices)
{
    for (int t = 0; t < build->triangleCount; t++)
    {
        const int32_t* v = build->corners[t].v;
        if (indices[v[0]] >= 0 || indices[v[1]] >= 0 || indices[v[2]] >= 0)
            return true;
    }
    return false;
}

static qvDomain ChooseDomain(const qvMeshBuild* build, const qvAttributeDef* attribute)
{
    if (attribute->values == NULL)
        return qv_domainNone;
    if (attribute->indices == NULL)
        return qv_domainVertex;
    return IsAnyCornerSet(build, attribute->indices) ? qv_domainCorner : qv_domainNone;
}

static size_t DomainSize(const qvMesh* mesh, qvDomain domain)
{
    return domain == qv_domainVertex ? (size_t)mesh->vertexCount : 3 * (size_t)mesh->triangleCount;
}

// Copies values of size floats; missing ones and those that are not finite become fallback.
static void CopyValues(const qvMeshBuild* build, const qvAttributeDef* attribute, int size, float fallback, float* out)
{
    bool isVertex = attribute->indices == NULL;
    int count = isVertex ? build->def->vertexCount : 3 * build->triangleCount;
    for (int i = 0; i < count; i++)
    {
        int index = isVertex ? i : attribute->indices[build->corners[i / 3].v[i % 3]];
        for (int k = 0; k < size; k++)
        {
            float value = index >= 0 ? attribute->values[(size_t)index * (size_t)size + (size_t)k] : fallback;
            out[(size_t)i * (size_t)size + (size_t)k] = isfinite(value) ? value : fallback;
        }
    }
}

static qvVec3 TriangleNormal(const qvMesh* mesh, int t)
{
    const int32_t* v = mesh->triangles[t].v;
    qvVec3 p = qvVec3_FromFloat(mesh->positions[v[0]]);
    return qvCross(qvSub(qvVec3_FromFloat(mesh->positions[v[1]]), p),
                   qvSub(qvVec3_FromFloat(mesh->positions[v[2]]), p));
}

static qvVec3f UnitOr(qvVec3 v, qvVec3f fallback)
{
    double length = qvLength(v);
    return isfinite(length) && length > 0.0 ? qvVec3_ToFloat(qvScale(1.0 / length, v)) : fallback;
}

static bool IsDirection(qvVec3 v)
{
    double length = qvLength(v);
    return isfinite(length) && length > 0.0;
}

static qvVec3 GetNormal(const qvMeshDef* def, int index)
{
    const float* n = def->normals.values + 3 * (size_t)index;
    return qvMakeVec3(n[0], n[1], n[2]);
}

static const qvVec3f UP = { 0.0f, 0.0f, 1.0f };

// A normal that followed the old winding of a turned triangle turns with it.
static void CopyCornerNormals(qvMeshBuild* build)
{
    qvMesh* mesh = build->mesh;
    for (int t = 0; t < mesh->triangleCount; t++)
    {
        qvVec3 flat = TriangleNormal(mesh, t);
        for (int k = 0; k < 3; k++)
        {
            int index = build->def->normals.indices[build->corners[t].v[k]];
            qvVec3 n = index >= 0 ? GetNormal(build->def, index) : flat;
            if (!IsDirection(n))
            {
                qvMeshBuild_Note(build, qv_healthBadNormal, mesh->triangles[t].v[k]);
                n = flat;
            }
            if (build->flipped[t] && qvDot(n, flat) < 0.0)
                n = qvScale(-1.0, n);
            mesh->normals[3 * t + k] = UnitOr(n, UP);
        }
    }
}

enum
{
    IS_BAD = 1,    // the definition's normal has no direction
    IS_TURNED = 2, // all triangles of the vertex were turned
    IS_KEPT = 4,   // some were not
};

static void MarkVertexNormals(const qvMeshBuild* build, uint8_t* marks)
{
    const qvMesh* mesh = build->mesh;
    for (int v = 0; v < mesh->vertexCount; v++)
        marks[v] = IsDirection(GetNormal(build->def, v)) ? 0 : IS_BAD;
    for (int t = 0; t < mesh->triangleCount; t++)
    {
        for (int k = 0; k < 3; k++)
            marks[mesh->triangles[t].v[k]] |= build->flipped[t] ? IS_TURNED : IS_KEPT;
    }
}

static void RepairVertexNormals(qvMeshBuild* build, const uint8_t* marks, const qvVec3* sums)
{
    qvMesh* mesh = build->mesh;
    for (int v = 0; v < mesh->vertexCount; v++)
    {
        bool isUsed = (marks[v] & (IS_TURNED | IS_KEPT)) != 0;
        qvVec3 n = marks[v] & IS_BAD ? sums[v] : GetNormal(build->def, v);
        if (marks[v] == IS_TURNED && qvDot(n, sums[v]) < 0.0)
            n = qvScale(-1.0, n);
        if (marks[v] & IS_BAD && isUsed)
            qvMeshBuild_Note(build, qv_healthBadNormal, v);
        mesh->normals[v] = UnitOr(n, UP);
    }
}

static qvResult CopyVertexNormals(qvMeshBuild* build, qvError* error)
{
    const qvMesh* mesh = build->mesh;
    size_t count = (size_t)mesh->vertexCount;
    uint8_t* marks = qvAllocate(count, 1);
    qvVec3* sums = qvAllocate(count, sizeof(*sums)); // of the normals of each vertex's triangles
    bool isAllocated = marks != NULL && sums != NULL;
    if (isAllocated)
    {
        MarkVertexNormals(build, marks);
        for (int t = 0; t < mesh->triangleCount; t++)
        {
            const int32_t* v = mesh->triangles[t].v;
            // Most vertices keep what the definition says.
            if (((marks[v[0]] | marks[v[1]] | marks[v[2]]) & (IS_BAD | IS_TURNED)) == 0)
                continue;
            qvVec3 n = TriangleNormal(mesh, t);
            for (int k = 0; k < 3; k++)
                sums[v[k]] = qvAdd(sums[v[k]], n);
        }
        RepairVertexNormals(build, marks, sums);
    }
    free(marks);
    free(sums);
    return isAllocated ? qv_ok : qvError_OutOfMemory(error, 25.0 * mesh->vertexCount);
}

qvResult qvMeshBuild_CopyAttributes(qvMeshBuild* build, qvError* error)
{
    const qvMeshDef* def = build->def;
    qvMesh* mesh = build->mesh;
    mesh->normalDomain = ChooseDomain(build, &def->normals);
    mesh->isFlat = def->isFlat;
    mesh->uvDomain = ChooseDomain(build, &def->uvs);
    mesh->colorDomain = ChooseDomain(build, &def->colors);
    if (mesh->normalDomain != qv_domainNone)
        mesh->normals = qvAllocateRaw(DomainSize(mesh, mesh->normalDomain), sizeof(*mesh->normals));
    if (mesh->uvDomain != qv_domainNone)
        mesh->uvs = qvAllocateRaw(DomainSize(mesh, mesh->uvDomain), sizeof(*mesh->uvs));
    if (mesh->colorDomain != qv_domainNone)
        mesh->colors = qvAllocateRaw(DomainSize(mesh, mesh->colorDomain), sizeof(*mesh->colors));
    if ((mesh->normalDomain != qv_domainNone && mesh->normals == NULL) ||
        (mesh->uvDomain != qv_domainNone && mesh->uvs == NULL) ||
        (mesh->colorDomain != qv_domainNone && mesh->colors == NULL))
        return qvError_OutOfMemory(error, 108.0 * mesh->triangleCount);
    if (mesh->uvs != NULL)
        CopyValues(build, &def->uvs, 2, 0.0f, (float*)mesh->uvs);
    if (mesh->colors != NULL)
        CopyValues(build, &def->colors, 4, 1.0f, (float*)mesh->colors);
    if (mesh->normalDomain == qv_domainCorner)
        CopyCornerNormals(build);
    return mesh->normalDomain == qv_domainVertex ? CopyVertexNormals(build, error) : qv_ok;
}
