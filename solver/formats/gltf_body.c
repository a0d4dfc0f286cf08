// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/gltf_body.h"

#include "base/memory.h"
#include "math/affine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- Making them -------------------------------------------------------------------------------------------------

static qvResult AllocateBody(qvGltfBody* body, int vertexCount, int mapCount, bool hasNormals, qvError* error)
{
    size_t count = (size_t)vertexCount;
    body->vertexCount = vertexCount;
    body->mapCount = mapCount;
    body->source = qvAllocateRaw(count, sizeof(int32_t));
    body->group = hasNormals ? qvAllocateRaw(count, sizeof(int32_t)) : NULL;
    body->base = qvAllocateRaw(count, sizeof(qvVec3f));
    body->maps = qvAllocate((size_t)mapCount, sizeof(qvAffine));
    body->inverses = qvAllocate((size_t)mapCount, sizeof(qvAffine));
    if (body->source == NULL || (hasNormals && body->group == NULL) || body->base == NULL || body->maps == NULL ||
        body->inverses == NULL)
        return qvError_OutOfMemory(error, (double)count * 20.0 + mapCount * 2.0 * sizeof(qvAffine));
    for (size_t i = 0; i < count && hasNormals; i++)
        body->group[i] = -1;
    return qv_ok;
}

static void InvertMaps(qvGltfBody* body)
{
    for (int i = 0; i < body->mapCount; i++)
    {
        if (!qvAffine_Invert(&body->maps[i], &body->inverses[i]))
            body->inverses[i] = (qvAffine){ 0 };
    }
}

qvResult qvGltfBodies_FromFresh(qvGltfBodies* bodies, const qvGltfFresh* fresh, const qvNormalGroups* groups,
                                qvError* error)
{
    const qvGltfSplit* split = &fresh->split;
    *bodies = (qvGltfBodies){ .items = qvAllocate(1, sizeof(qvGltfBody)) };
    if (bodies->items == NULL)
        return qvError_OutOfMemory(error, sizeof(qvGltfBody));
    bodies->count = 1;
    qvGltfBody* body = bodies->items;
    qvResult result = AllocateBody(body, split->count, 1, groups != NULL, error);
    if (result != qv_ok)
        return result;
    body->maps[0] = qvAffine_Identity();
    body->canQuantize = true;
    InvertMaps(body);
    for (int i = 0; i < split->count; i++)
    {
        body->source[i] = split->source[i];
        body->base[i] = fresh->positions[split->source[i]];
    }
    for (size_t c = 0; c < 3 * (size_t)fresh->mesh->triangleCount && groups != NULL; c++)
        body->group[split->ofCorner[c]] = groups->ofCorner[c];
    return qv_ok;
}

// Whether all primitives of a node's mesh are triangles that are animated.
static bool IsAllPieces(const qvGltfBack* back, int node)
{
    int pieces = 0, mesh = 0;
    for (int i = 0; i < back->gltf->pieceCount; i++)
    {
        pieces += back->gltf->pieces[i].node == node;
        mesh = back->gltf->pieces[i].node == node ? back->gltf->pieces[i].mesh : mesh;
    }
    return pieces == qvJson_Count(qvJson_Find(back->gltf->meshes.items[mesh], "primitives"));
}

static qvResult MakePart(qvGltfBody* body, const qvGltfBack* back, const qvRigState* rest, int index, bool hasNormals,
                         qvError* error)
{
    const qvRig* rig = back->edits.rig;
    const qvRigPart* part = &rig->parts[index];
    const qvRigGeometry* geometry = &rig->geometries[part->geometry];
    body->node = part->node;
    body->canQuantize = part->skin < 0 && geometry->targetCount == 0 && IsAllPieces(back, part->node);
    qvResult result =
        AllocateBody(body, geometry->vertexCount, part->skin >= 0 ? geometry->vertexCount : 1, hasNormals, error);
    if (result != qv_ok)
        return result;
    for (int i = 0; i < body->mapCount; i++)
        body->maps[i] = qvRig_VertexMap(rig, rest, part, i);
    InvertMaps(body);
    for (int i = 0; i < body->vertexCount; i++)
        body->source[i] = part->firstVertex + i;
    memcpy(body->base, geometry->positions, (size_t)geometry->vertexCount * sizeof(qvVec3f));
    return qv_ok;
}

// Whether the first piece of a part has normals in the document.
static bool PartHasNormals(const qvGltfBack* back, int part)
{
    for (int i = 0; i < back->gltf->pieceCount; i++)
    {
        if (back->gltf->pieces[i].part == part)
            return qvJson_Find(qvJson_Find(back->edits.primitives[i], "attributes"), "NORMAL") != NULL;
    }
    return false;
}

qvResult qvGltfBodies_FromBack(qvGltfBodies* bodies, const qvGltfBack* back, const qvNormalGroups* groups,
                               qvError* error)
{
    const qvRig* rig = back->edits.rig;
    const qvMesh* mesh = back->edits.mesh;
    *bodies = (qvGltfBodies){ .items = qvAllocate((size_t)rig->partCount, sizeof(qvGltfBody)) };
    void* scratch = qvAllocateRaw(qvRig_ScratchSize(rig), 1);
    qvResult result = qv_ok;
    if (bodies->items == NULL || scratch == NULL)
        result = qvError_OutOfMemory(error, (double)qvRig_ScratchSize(rig));
    bodies->count = bodies->items != NULL ? rig->partCount : 0;
    if (result == qv_ok)
    {
        qvRigState rest = qvRig_ComputeState(rig, -1, 0.0, scratch);
        for (int i = 0; i < rig->partCount && result == qv_ok; i++)
            result = MakePart(&bodies->items[i], back, &rest, i, groups != NULL && PartHasNormals(back, i), error);
    }
    for (int i = 0; i < back->gltf->pieceCount && result == qv_ok && groups != NULL; i++)
    {
        int part = back->gltf->pieces[i].part;
        const qvSubmesh* submesh = &mesh->submeshes[i];
        size_t first = 3 * (size_t)submesh->firstTriangle, last = first + 3 * (size_t)submesh->triangleCount;
        for (size_t c = first; c < last && bodies->items[part].group != NULL; c++)
            bodies->items[part].group[mesh->triangles[c / 3].v[c % 3] - rig->parts[part].firstVertex] =
                groups->ofCorner[c];
    }
    free(scratch);
    return result;
}

static void FreeShapes(qvGltfBody* body)
{
    free(body->shapes);
    free(body->normals);
    free(body->byteNormals);
    body->shapes = body->normals = NULL;
    body->byteNormals = NULL;
}

void qvGltfBodies_Free(qvGltfBodies* bodies)
{
    for (int i = 0; i < bodies->count; i++)
    {
        qvGltfBody* body = &bodies->items[i];
        FreeShapes(body);
        free(body->source);
        free(body->group);
        free(body->base);
        free(body->maps);
        free(body->inverses);
    }
    free(bodies->items);
}

qvAffine* qvGltfBodies_VertexMaps(const qvGltfBodies* bodies, int vertexCount)
{
    qvAffine* maps = qvAllocate((size_t)vertexCount, sizeof(qvAffine));
    for (int i = 0; i < bodies->count && maps != NULL; i++)
    {
        const qvGltfBody* body = &bodies->items[i];
        for (int v = 0; v < body->vertexCount; v++)
            maps[body->source[v]] = body->maps[body->mapCount > 1 ? v : 0];
    }
    return maps;
}

// --- Shapes ------------------------------------------------------------------------------------------------------

typedef struct Shaping
{
    qvGltfBodies* bodies;
    const qvMorphTargets* targets;
    double negligible;
    bool* failed; // per target: memory ran out
} Shaping;

static const qvAffine* InverseAt(const qvGltfBody* body, int vertex)
{
    return &body->inverses[body->mapCount > 1 ? vertex : 0];
}

static void PlaceShape(qvGltfBody* body, const float* world, double negligible, float* out)
{
    for (int v = 0; v < body->vertexCount; v++)
    {
        const float* from = world + 3 * (size_t)body->source[v];
        qvVec3 d = qvMakeVec3(from[0], from[1], from[2]);
        qvVec3f local = { 0.0f, 0.0f, 0.0f };
        if (qvLength(d) > negligible)
            local = qvVec3_ToFloat(qvAffine_Vector(InverseAt(body, v), d));
        memcpy(out + 3 * (size_t)v, &local, sizeof(local));
    }
}

static void ShapeTargets(void* context, int begin, int end)
{
    const Shaping* shaping = context;
    size_t count = 3 * (size_t)shaping->targets->task->mesh->vertexCount;
    float* world = qvAllocateRaw(count, sizeof(float));
    for (int t = begin; t < end; t++)
    {
        shaping->failed[t] = world == NULL;
        if (world == NULL)
            continue;
        qvMorphTargets_Get(shaping->targets, t, world);
        for (int i = 0; i < shaping->bodies->count; i++)
        {
            qvGltfBody* body = &shaping->bodies->items[i];
            PlaceShape(body, world, shaping->negligible, body->shapes + (size_t)t * 3 * (size_t)body->vertexCount);
        }
    }
    free(world);
}

qvVec3f qvGltfBody_Base(const qvGltfBody* body, int vertex)
{
    qvVec3f p = body->base[vertex];
    if (body->grid.scale > 0.0)
        return qvGltfGrid_Round(&body->grid, p);
    if (body->unit > 0.0)
        return (qvVec3f){ (float)(body->unit * rint(p.x / body->unit) + 0.0),
                          (float)(body->unit * rint(p.y / body->unit) + 0.0),
                          (float)(body->unit * rint(p.z / body->unit) + 0.0) };
    return p;
}

qvGltfDeltaCoding qvGltfBody_Coding(const qvGltfBody* body, bool sparse)
{
    return (qvGltfDeltaCoding){ .sparse = sparse, .scale = body->grid.scale, .hasBounds = true };
}

static size_t ShapeSize(const qvGltfBody* body)
{
    return (size_t)body->targetCount * 3 * (size_t)body->vertexCount;
}

// A grid that holds the base shapes of all bodies of a node and every displacement.
static qvGltfGrid FindGrid(const qvGltfBody* bodies, int count, double step)
{
    qvVec3f low = bodies[0].base[0], high = low;
    float largest = 0.0f;
    for (int i = 0; i < count; i++)
    {
        qvBox box = qvComputeBounds(bodies[i].base, bodies[i].vertexCount);
        low = (qvVec3f){ fminf(low.x, box.lower.x), fminf(low.y, box.lower.y), fminf(low.z, box.lower.z) };
        high = (qvVec3f){ fmaxf(high.x, box.upper.x), fmaxf(high.y, box.upper.y), fmaxf(high.z, box.upper.z) };
        for (size_t k = 0; k < ShapeSize(&bodies[i]); k++)
            largest = fmaxf(largest, fabsf(bodies[i].shapes[k]));
    }
    float size = fmaxf(high.x - low.x, fmaxf(high.y - low.y, high.z - low.z));
    double fine = fmaxf(size, largest);
    return (qvGltfGrid){ .scale = fine > 0.0 ? fmax(fine, (double)(float)(32767.0 * step)) : 0.0, .offset = low };
}

// A step in the space of a body's mesh.
static double LocalStep(const qvGltfBody* body, double step)
{
    double size = cbrt(fabs(qvAffine_Determinant(&body->maps[0])));
    return size > 0.0 ? step / size : step;
}

// Floats with zeros at their ends, which are easy to compress.
static void RoundFloats(qvGltfBody* body, double step)
{
    if (!(step > 0.0))
        return;
    double unit = exp2(floor(log2(LocalStep(body, step))));
    body->unit = unit;
    for (size_t k = 0; k < ShapeSize(body); k++)
        body->shapes[k] = (float)(unit * rint(body->shapes[k] / unit) + 0.0); // no negative zeros
}

static void Round(qvGltfBodies* bodies, const qvGltfRounding* rounding)
{
    for (int first = 0, last; first < bodies->count; first = last)
    {
        for (last = first + 1; last < bodies->count && bodies->items[last].node == bodies->items[first].node;)
            last++;
        bool quantize = rounding->quantize && bodies->items[first].canQuantize;
        for (int i = first; i < last && !quantize; i++)
            RoundFloats(&bodies->items[i], rounding->step);
        if (!quantize)
            continue;
        qvGltfGrid grid =
            FindGrid(&bodies->items[first], last - first, LocalStep(&bodies->items[first], rounding->step));
        for (int i = first; i < last && grid.scale > 0.0; i++)
        {
            qvGltfBody* body = &bodies->items[i];
            body->grid = grid;
            qvGltfDeltaCoding coding = qvGltfBody_Coding(body, false);
            for (size_t k = 0; k < ShapeSize(body); k++)
                body->shapes[k] = qvGltfDelta_Round(&coding, body->shapes[k]);
        }
    }
}

qvResult qvGltfBodies_SetShapes(qvGltfBodies* bodies, const qvMorphTargets* targets, const qvGltfRounding* rounding,
                                qvError* error)
{
    size_t count = (size_t)targets->targetCount;
    qvResult result = qv_ok;
    for (int i = 0; i < bodies->count && result == qv_ok; i++)
    {
        qvGltfBody* body = &bodies->items[i];
        FreeShapes(body);
        body->grid = (qvGltfGrid){ 0 };
        body->unit = 0.0;
        body->targetCount = targets->targetCount;
        body->shapes = qvAllocateRaw(count * 3 * (size_t)body->vertexCount, sizeof(float));
        if (body->shapes == NULL)
            result = qvError_OutOfMemory(error, (double)count * 12.0 * body->vertexCount);
    }
    bool* failed = qvAllocate(count, sizeof(bool));
    if (result == qv_ok && failed == NULL)
        result = qvError_OutOfMemory(error, (double)count);
    if (result == qv_ok)
    {
        Shaping shaping = { bodies, targets, rounding->negligible, failed };
        qvParallelFor(qvJob_Pool(targets->task->options.job), targets->targetCount, 1, ShapeTargets, &shaping);
    }
    for (size_t t = 0; t < count && result == qv_ok; t++)
    {
        if (failed[t])
            result = qvError_OutOfMemory(error, 12.0 * targets->task->mesh->vertexCount);
    }
    if (result == qv_ok)
        Round(bodies, rounding);
    free(failed);
    return result;
}

// Of normals that bytes do not hold; a power of two is easy to compress.
static const float FINE_NORMAL = 1.0f / 128.0f;

// --- Normals -----------------------------------------------------------------------------------------------------

// With n the normal in the world and A the map there, A^T n is its direction in mesh space.
static void PlaceNormals(const qvGltfBody* body, const float* world, float* out)
{
    for (int v = 0; v < body->vertexCount; v++)
    {
        qvVec3f local = { 0.0f, 0.0f, 0.0f };
        if (body->group[v] >= 0)
        {
            const float* from = world + 3 * (size_t)body->group[v];
            const qvAffine* map = &body->maps[body->mapCount > 1 ? v : 0];
            double size = cbrt(fabs(qvAffine_Determinant(map)));
            qvVec3 d = qvAffine_TransposedVector(map, qvMakeVec3(from[0], from[1], from[2]));
            local = qvVec3_ToFloat(qvScale(size > 0.0 ? 1.0 / size : 0.0, d));
        }
        // What no eye can see costs as much as the rest.
        if (fabsf(local.x) + fabsf(local.y) + fabsf(local.z) < 1e-4f)
            local = (qvVec3f){ 0.0f, 0.0f, 0.0f };
        memcpy(out + 3 * (size_t)v, &local, sizeof(local));
    }
}

qvResult qvGltfBodies_SetNormals(qvGltfBodies* bodies, const qvNormalGroups* groups, const float* normals,
                                 bool quantize, qvError* error)
{
    for (int i = 0; i < bodies->count; i++)
    {
        qvGltfBody* body = &bodies->items[i];
        size_t count = 3 * (size_t)body->vertexCount;
        if (body->group == NULL)
            continue;
        body->normals = qvAllocateRaw((size_t)body->targetCount * count, sizeof(float));
        body->byteNormals = qvAllocate((size_t)body->targetCount, sizeof(bool));
        if (body->normals == NULL || body->byteNormals == NULL)
            return qvError_OutOfMemory(error, (double)count * body->targetCount * sizeof(float));
        for (int t = 0; t < body->targetCount; t++)
        {
            float *out = body->normals + (size_t)t * count, largest = 0.0f;
            PlaceNormals(body, normals + (size_t)t * 3 * (size_t)groups->count, out);
            for (size_t k = 0; k < count; k++)
                largest = fmaxf(largest, fabsf(out[k]));
            body->byteNormals[t] = quantize && largest <= 1.0f;
            for (size_t k = 0; k < count && quantize && largest > 1.0f; k++)
                out[k] = rintf(out[k] / FINE_NORMAL) * FINE_NORMAL + 0.0f; // no negative zeros
        }
    }
    return qv_ok;
}
