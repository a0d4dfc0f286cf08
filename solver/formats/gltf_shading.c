// SPDX-License-Identifier: GPL-3.0-or-later
// What light needs of a shape that was edited: normals, tangents for normal maps, and the normals of its morph targets.
// Vertices whose triangles did not move keep what the file says.
#include "formats/gltf_edit.h"

#include "math/affine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Per vertex of the mesh, in the world.
typedef struct Normals
{
    qvVec3f* values;
    bool* touched;
} Normals;

// A part of the rig at work.
typedef struct Part
{
    qvGltfEdits* edits;
    const qvRigState* rest;
    const qvRigPart* part;
    qvGltfPartEdit* edit;
    const qvJson* primitive;
    int vertexCount;
} Part;

static qvAffine MapAt(const Part* part, int vertex)
{
    return qvRig_VertexMap(part->edits->rig, part->rest, part->part, vertex);
}

// The values of an attribute of the file, copied; *values is NULL when it has none, or none that can be read: these
// stay as they are, whatever they are.
static qvResult ReadAttribute(const Part* part, const qvJson* object, const char* name, int components, float** values,
                              qvError* error)
{
    qvGltf unlimited = *part->edits->gltf;
    unlimited.budget = SIZE_MAX;
    qvGltfAccessor accessor;
    *values = NULL;
    if (qvGltf_GetAccessor(&unlimited, object, "attributes", name, &accessor, NULL) != qv_ok || accessor.index < 0 ||
        accessor.rows * accessor.columns != components || accessor.count != part->vertexCount)
        return qv_ok;
    qvResult result = qvGltf_ReadFloats(&unlimited, part->edits->arena, &accessor, components, values, error);
    *values = result == qv_ok ? *values : NULL;
    return result == qv_badInput ? qv_ok : result;
}

// --- Normals -----------------------------------------------------------------------------------------------------

// World-space normals per vertex. All corners of a glTF vertex have one normal, or none.
static qvResult FindNormals(const qvGltfEdits* edits, const qvVec3f* positions, Normals* normals, qvError* error)
{
    const qvMesh* mesh = edits->mesh;
    size_t vertices = (size_t)mesh->vertexCount, corners = 3 * (size_t)mesh->triangleCount;
    size_t count = mesh->normalDomain == qv_domainVertex ? vertices : corners;
    normals->values = qvArena_Allocate(edits->arena, vertices * sizeof(qvVec3f));
    normals->touched = qvArena_Allocate(edits->arena, vertices * sizeof(bool));
    qvVec3f* values = qvArena_Allocate(edits->arena, count * sizeof(qvVec3f));
    bool* touched = qvArena_Allocate(edits->arena, count * sizeof(bool));
    if (normals->values == NULL || normals->touched == NULL || values == NULL || touched == NULL)
        return qvError_OutOfMemory(error, (double)count * sizeof(qvVec3f));
    qvResult result = qvGltf_RecomputeNormals(mesh, positions, values, touched, error);
    memset(normals->touched, 0, vertices * sizeof(bool));
    for (size_t c = 0; c < corners && result == qv_ok; c++)
    {
        size_t vertex = (size_t)mesh->triangles[c / 3].v[c % 3];
        size_t from = mesh->normalDomain == qv_domainVertex ? vertex : c;
        normals->values[vertex] = values[from];
        normals->touched[vertex] = touched[from];
    }
    return result;
}

// With n the world-space normal and A the map to world space the normal in mesh space is the direction of A^T n.
static qvVec3f LocalNormal(const qvAffine* map, qvVec3f normal)
{
    return qvVec3_ToFloat(qvNormalize(qvAffine_TransposedVector(map, qvVec3_FromFloat(normal))));
}

static bool IsZero(qvVec3f v)
{
    return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f;
}

static qvResult PlaceNormals(Part* part, const Normals* normals, qvError* error)
{
    float* values;
    const qvJson* attributes = qvJson_Find(part->primitive, "attributes");
    qvResult result = ReadAttribute(part, attributes, "NORMAL", 3, &values, error);
    if (result != qv_ok || values == NULL)
        return result;
    for (int i = 0; i < part->vertexCount; i++)
    {
        if (!normals->touched[part->part->firstVertex + i])
            continue;
        qvAffine map = MapAt(part, i);
        qvVec3f unit = LocalNormal(&map, normals->values[part->part->firstVertex + i]);
        if (!IsZero(unit))
            memcpy(values + 3 * (size_t)i, &unit, sizeof(unit));
    }
    part->edit->normals = (qvVec3f*)(void*)values;
    return qv_ok;
}

// --- Tangents ----------------------------------------------------------------------------------------------------

// Where a triangle takes a direction in its plane: t = a e1 + b e2 becomes a e1' + b e2'.
static qvVec3 Carry(const qvVec3 before[3], const qvVec3 after[3], qvVec3 t)
{
    qvVec3 e1 = qvSub(before[1], before[0]), e2 = qvSub(before[2], before[0]);
    double g11 = qvDot(e1, e1), g12 = qvDot(e1, e2), g22 = qvDot(e2, e2), determinant = g11 * g22 - g12 * g12;
    if (!(determinant > 1e-12 * g11 * g22))
        return qvMakeVec3(0.0, 0.0, 0.0);
    double r1 = qvDot(e1, t), r2 = qvDot(e2, t);
    double a = (g22 * r1 - g12 * r2) / determinant, b = (g11 * r2 - g12 * r1) / determinant;
    return qvAdd(qvScale(a, qvSub(after[1], after[0])), qvScale(b, qvSub(after[2], after[0])));
}

// Adds what triangles of a part make of its tangents; sums has an entry per vertex of the part, in the world.
static void CarryTangents(const Part* part, const qvSubmesh* submesh, const qvVec3f* positions, const float* tangents,
                          qvVec3* sums)
{
    const qvMesh* mesh = part->edits->mesh;
    int first = part->part->firstVertex;
    for (int t = submesh->firstTriangle; t < submesh->firstTriangle + submesh->triangleCount; t++)
    {
        const int32_t* v = mesh->triangles[t].v;
        qvVec3 before[3], after[3];
        for (int k = 0; k < 3; k++)
        {
            before[k] = qvVec3_FromFloat(mesh->positions[v[k]]);
            after[k] = qvVec3_FromFloat(positions[v[k]]);
        }
        for (int k = 0; k < 3; k++)
        {
            int i = v[k] - first;
            const float* tangent = tangents + 4 * (size_t)i;
            qvAffine map = MapAt(part, i);
            qvVec3 world = qvAffine_Vector(&map, qvMakeVec3(tangent[0], tangent[1], tangent[2]));
            sums[i] = qvAdd(sums[i], qvNormalize(Carry(before, after, world)));
        }
    }
}

static qvResult PlaceTangents(Part* part, const qvVec3f* positions, const Normals* normals, qvError* error)
{
    float* values;
    const qvJson* attributes = qvJson_Find(part->primitive, "attributes");
    qvResult result = ReadAttribute(part, attributes, "TANGENT", 4, &values, error);
    if (result != qv_ok || values == NULL)
        return result;
    qvVec3* sums = qvAllocate((size_t)part->vertexCount, sizeof(qvVec3));
    if (sums == NULL)
        return qvError_OutOfMemory(error, part->vertexCount * (double)sizeof(qvVec3));
    const qvGltf* gltf = part->edits->gltf;
    for (int i = 0; i < gltf->pieceCount; i++)
    {
        if (&part->edits->rig->parts[gltf->pieces[i].part] == part->part)
            CarryTangents(part, &part->edits->mesh->submeshes[i], positions, values, sums);
    }
    for (int i = 0; i < part->vertexCount; i++)
    {
        int vertex = part->part->firstVertex + i;
        qvAffine map = MapAt(part, i), inverse;
        if (!normals->touched[vertex] || !qvAffine_Invert(&map, &inverse))
            continue;
        qvVec3 normal = qvVec3_FromFloat(LocalNormal(&map, normals->values[vertex]));
        qvVec3 tangent = qvAffine_Vector(&inverse, sums[i]);
        qvVec3f unit = qvVec3_ToFloat(qvNormalize(qvMulAdd(tangent, -qvDot(normal, tangent), normal)));
        if (!IsZero(unit))
            memcpy(values + 4 * (size_t)i, &unit, sizeof(unit)); // the fourth is the handedness, which stays
    }
    free(sums);
    part->edit->tangents = values;
    return qv_ok;
}

// --- Morph targets -----------------------------------------------------------------------------------------------

// The normals of one target, with positions + its displacements as the shape that it makes.
static qvResult PlaceTarget(Part* part, const qvVec3f* positions, const Normals* normals, const qvJson* target,
                            int index, qvError* error)
{
    qvGltfEdits* edits = part->edits;
    const qvVec3f* deltas = edits->rig->geometries[part->part->geometry].targets[index];
    float* values;
    qvResult result = ReadAttribute(part, target, "NORMAL", 3, &values, error);
    if (result != qv_ok || values == NULL)
        return result;
    size_t bytes = (size_t)edits->mesh->vertexCount * sizeof(qvVec3f);
    qvVec3f* moved = qvArena_Allocate(edits->arena, bytes);
    if (moved == NULL)
        return qvError_OutOfMemory(error, (double)bytes);
    memcpy(moved, positions, bytes);
    int first = part->part->firstVertex;
    for (int i = 0; i < part->vertexCount && deltas != NULL; i++)
    {
        qvAffine map = MapAt(part, i);
        qvVec3 d = qvAffine_Vector(&map, qvVec3_FromFloat(deltas[i]));
        moved[first + i] = qvVec3_ToFloat(qvAdd(qvVec3_FromFloat(moved[first + i]), d));
    }
    Normals shape;
    result = FindNormals(edits, moved, &shape, error);
    for (int i = 0; i < part->vertexCount && result == qv_ok; i++)
    {
        if (!normals->touched[first + i])
            continue;
        qvAffine map = MapAt(part, i);
        qvVec3f a = LocalNormal(&map, normals->values[first + i]), b = LocalNormal(&map, shape.values[first + i]);
        const float delta[3] = { b.x - a.x, b.y - a.y, b.z - a.z };
        memcpy(values + 3 * (size_t)i, delta, sizeof(delta));
    }
    part->edit->targetNormals[index] = (qvVec3f*)(void*)values;
    return result;
}

static qvResult PlaceTargets(Part* part, const qvVec3f* positions, const Normals* normals, qvError* error)
{
    int count = part->edits->rig->geometries[part->part->geometry].targetCount;
    qvGltfPartEdit* edit = part->edit;
    edit->targetNormals = qvArena_Allocate(part->edits->arena, (size_t)count * sizeof(qvVec3f*));
    edit->targetAccessors = qvArena_Allocate(part->edits->arena, (size_t)count * sizeof(int));
    if (edit->targetNormals == NULL || edit->targetAccessors == NULL)
        return qvError_OutOfMemory(error, (double)count * sizeof(qvVec3f*));
    edit->targetCount = count;
    qvResult result = qv_ok;
    const qvJson* target = qvJson_First(qvJson_Find(part->primitive, "targets"));
    for (int i = 0; i < count; i++, target = qvJson_Next(target))
    {
        edit->targetNormals[i] = NULL;
        edit->targetAccessors[i] = -1;
        if (result == qv_ok && edit->normals != NULL)
            result = PlaceTarget(part, positions, normals, target, i, error);
    }
    return result;
}

qvResult qvGltfEdits_FindShading(qvGltfEdits* edits, const qvRigState* rest, const qvVec3f* positions, qvError* error)
{
    Normals normals;
    qvResult result = FindNormals(edits, positions, &normals, error);
    for (int i = 0; i < edits->gltf->pieceCount && result == qv_ok; i++)
    {
        int index = edits->gltf->pieces[i].part;
        const qvRigPart* rigPart = &edits->rig->parts[index];
        Part part = { .edits = edits,
                      .rest = rest,
                      .part = rigPart,
                      .edit = &edits->parts[index],
                      .primitive = edits->primitives[i],
                      .vertexCount = edits->rig->geometries[rigPart->geometry].vertexCount };
        if (part.edit->positions == NULL || part.edit->normals != NULL)
            continue;
        result = PlaceNormals(&part, &normals, error);
        if (result == qv_ok)
            result = PlaceTangents(&part, positions, &normals, error);
        if (result == qv_ok)
            result = PlaceTargets(&part, positions, &normals, error);
    }
    return result;
}
