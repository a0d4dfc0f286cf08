// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/gltf_edit.h"

#include "math/affine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const qvRig* RigOf(const qvModel* model)
{
    return model->rig != NULL ? model->rig : model->source->staticRig;
}

// --- Positions ---------------------------------------------------------------------------------------------------

static bool SamePosition(qvVec3f a, qvVec3f b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool HasMoved(const qvGltfEdits* edits, const qvRigPart* part, const qvVec3f* positions)
{
    int count = edits->rig->geometries[part->geometry].vertexCount;
    for (int i = part->firstVertex; i < part->firstVertex + count; i++)
    {
        if (!SamePosition(positions[i], edits->mesh->positions[i]))
            return true;
    }
    return false;
}

// x = A (p + m) gives p = A^-1 x - m with m what the morph targets add. A vertex that a singular map hides stays.
static qvResult InvertPart(const qvGltfEdits* edits, const qvRigState* rest, const qvRigPart* part,
                           const qvVec3f* positions, qvGltfPartEdit* edit, qvError* error)
{
    const qvRigGeometry* geometry = &edits->rig->geometries[part->geometry];
    size_t bytes = (size_t)geometry->vertexCount * sizeof(qvVec3f);
    qvVec3f* morphed = qvArena_Allocate(edits->arena, bytes);
    edit->positions = qvArena_Allocate(edits->arena, bytes);
    if (morphed == NULL || edit->positions == NULL)
        return qvError_OutOfMemory(error, (double)bytes);
    qvRig_MorphPart(edits->rig, rest, part, morphed);
    memcpy(edit->positions, geometry->positions, bytes);
    qvAffine inverse = { 0 };
    bool invertible = false;
    for (int i = 0; i < geometry->vertexCount; i++)
    {
        if (i == 0 || part->skin >= 0)
        {
            qvAffine map = qvRig_VertexMap(edits->rig, rest, part, i);
            invertible = qvAffine_Invert(&map, &inverse);
        }
        qvVec3f x = positions[part->firstVertex + i];
        if (!invertible || SamePosition(x, edits->mesh->positions[part->firstVertex + i]))
            continue;
        qvVec3f p = geometry->positions[i];
        qvVec3 morph = qvSub(qvVec3_FromFloat(morphed[i]), qvVec3_FromFloat(p));
        edit->positions[i] = qvVec3_ToFloat(qvSub(qvAffine_Point(&inverse, qvVec3_FromFloat(x)), morph));
    }
    return qv_ok;
}

// --- Triangles ---------------------------------------------------------------------------------------------------

static qvTriangle FileTriangle(const qvGltfEdits* edits, const qvGltfPiece* piece, int triangle)
{
    int32_t first = edits->rig->parts[piece->part].firstVertex;
    const int32_t* v = edits->mesh->triangles[triangle].v;
    return (qvTriangle){ { v[0] - first, v[piece->mirrored ? 2 : 1] - first, v[piece->mirrored ? 1 : 2] - first } };
}

static qvResult CompareTriangles(qvGltfEdits* edits, int index, qvError* error)
{
    const qvGltfPiece* piece = &edits->gltf->pieces[index];
    const qvSubmesh* submesh = &edits->mesh->submeshes[index];
    const qvRigPart* part = &edits->rig->parts[piece->part];
    qvGltf unlimited = *edits->gltf;
    unlimited.budget = SIZE_MAX;
    qvTriangle* triangles;
    int count;
    qvArena* arena = qvCreateArena();
    if (arena == NULL)
        return qvError_OutOfMemory(error, 1.0);
    qvResult result =
        qvGltf_ReadTriangles(&unlimited, arena, edits->primitives[index], "primitive",
                             edits->rig->geometries[part->geometry].vertexCount, &triangles, &count, error);
    bool same = result == qv_ok && count == submesh->triangleCount;
    for (int i = 0; same && i < count; i++)
    {
        qvTriangle t = FileTriangle(edits, piece, submesh->firstTriangle + i);
        same = memcmp(&t, &triangles[i], sizeof(t)) == 0;
    }
    edits->retriangulated[index] = !same;
    qvDestroyArena(arena);
    return result;
}

uint32_t* qvGltfEdits_Indices(const qvGltfEdits* edits, int piece, int* count)
{
    const qvSubmesh* submesh = &edits->mesh->submeshes[piece];
    *count = 3 * submesh->triangleCount;
    qvTriangle* triangles = qvAllocateRaw((size_t)submesh->triangleCount, sizeof(qvTriangle));
    for (int i = 0; triangles != NULL && i < submesh->triangleCount; i++)
        triangles[i] = FileTriangle(edits, &edits->gltf->pieces[piece], submesh->firstTriangle + i);
    return (uint32_t*)(void*)triangles;
}

// --- Comparing instances -----------------------------------------------------------------------------------------

static bool SameTriangles(const qvGltfEdits* edits, int a, int b)
{
    const qvSubmesh *x = &edits->mesh->submeshes[a], *y = &edits->mesh->submeshes[b];
    if (x->triangleCount != y->triangleCount)
        return false;
    for (int i = 0; i < x->triangleCount; i++)
    {
        qvTriangle s = FileTriangle(edits, &edits->gltf->pieces[a], x->firstTriangle + i);
        qvTriangle t = FileTriangle(edits, &edits->gltf->pieces[b], y->firstTriangle + i);
        if (memcmp(&s, &t, sizeof(s)) != 0)
            return false;
    }
    return true;
}

bool qvGltfEdits_SamePiece(const qvGltfEdits* edits, int a, int b)
{
    int partA = edits->gltf->pieces[a].part, partB = edits->gltf->pieces[b].part;
    const qvRigGeometry* geometry = &edits->rig->geometries[edits->rig->parts[partA].geometry];
    const qvVec3f* x = edits->parts[partA].positions != NULL ? edits->parts[partA].positions : geometry->positions;
    const qvVec3f* y = edits->parts[partB].positions != NULL ? edits->parts[partB].positions : geometry->positions;
    float size = 0.0f;
    for (int i = 0; i < geometry->vertexCount; i++)
        size = fmaxf(size, fmaxf(fabsf(x[i].x), fmaxf(fabsf(x[i].y), fabsf(x[i].z))));
    float tolerance = 1e-6f * size;
    for (int i = 0; i < geometry->vertexCount; i++)
    {
        if (!(fabsf(x[i].x - y[i].x) <= tolerance && fabsf(x[i].y - y[i].y) <= tolerance &&
              fabsf(x[i].z - y[i].z) <= tolerance))
            return false;
    }
    return SameTriangles(edits, a, b);
}

// --- All of it ---------------------------------------------------------------------------------------------------

static qvResult FindMoved(qvGltfEdits* edits, const qvRigState* rest, const qvVec3f* positions, qvError* error)
{
    const qvRig* rig = edits->rig;
    bool any = false;
    qvResult result = qv_ok;
    for (int i = 0; i < rig->partCount && result == qv_ok; i++)
    {
        edits->parts[i] = (qvGltfPartEdit){ .positionAccessor = -1, .normalAccessor = -1, .tangentAccessor = -1 };
        if (!HasMoved(edits, &rig->parts[i], positions))
            continue;
        result = InvertPart(edits, rest, &rig->parts[i], positions, &edits->parts[i], error);
        any = true;
    }
    if (result != qv_ok || !any || edits->mesh->normalDomain == qv_domainNone)
        return result;
    return qvGltfEdits_FindShading(edits, rest, positions, error);
}

// The pieces of a node follow its mesh's primitives in order, so one walk finds them all.
static void FindPrimitives(qvGltfEdits* edits)
{
    const qvGltf* gltf = edits->gltf;
    const qvJson* primitive = NULL;
    int number = 0;
    for (int i = 0; i < gltf->pieceCount; i++)
    {
        const qvGltfPiece* piece = &gltf->pieces[i];
        if (i == 0 || piece->node != gltf->pieces[i - 1].node)
        {
            primitive = qvJson_First(qvJson_Find(gltf->meshes.items[piece->mesh], "primitives"));
            number = 0;
        }
        for (; number < piece->primitive; number++)
            primitive = qvJson_Next(primitive);
        edits->primitives[i] = primitive;
    }
}

qvResult qvGltf_FindEdits(const qvModel* model, const qvVec3f* positions, qvGltfEdits* edits, qvError* error)
{
    const qvRig* rig = RigOf(model);
    const qvGltf* gltf = model->source;
    *edits = (qvGltfEdits){ .gltf = gltf, .rig = rig, .mesh = model->mesh, .arena = qvCreateArena() };
    if (edits->arena == NULL)
        return qvError_OutOfMemory(error, 1.0);
    edits->parts = qvArena_Allocate(edits->arena, (size_t)rig->partCount * sizeof(qvGltfPartEdit));
    edits->retriangulated = qvArena_Allocate(edits->arena, (size_t)gltf->pieceCount * sizeof(bool));
    edits->primitives = qvArena_Allocate(edits->arena, (size_t)gltf->pieceCount * sizeof(qvJson*));
    void* scratch = qvArena_Allocate(edits->arena, qvRig_ScratchSize(rig));
    if (edits->primitives == NULL || edits->parts == NULL || edits->retriangulated == NULL || scratch == NULL)
        return qvError_OutOfMemory(error, (double)qvRig_ScratchSize(rig));
    FindPrimitives(edits);
    qvRigState rest = qvRig_ComputeState(rig, -1, 0.0, scratch);
    qvResult result = FindMoved(edits, &rest, positions, error);
    for (int i = 0; i < gltf->pieceCount && result == qv_ok; i++)
        result = CompareTriangles(edits, i, error);
    return result;
}

void qvGltfEdits_Free(qvGltfEdits* edits)
{
    qvDestroyArena(edits->arena);
}
