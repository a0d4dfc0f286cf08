// SPDX-License-Identifier: GPL-3.0-or-later
// Primitives of a mesh (glTF 2.0, section 3.7.2): vertex attributes, morph targets, joints, and indices as triangles.
#include "formats/gltf.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum
{
    MODE_TRIANGLES = 4,
    MODE_STRIP = 5,
    MODE_FAN = 6,
    MAX_INFLUENCES = 64,
};

// --- Triangles ---------------------------------------------------------------------------------------------------

static qvResult CheckIndices(const char* place, const uint32_t* indices, int count, int vertexCount, qvError* error)
{
    for (int i = 0; i < count; i++)
    {
        if (indices[i] >= (uint32_t)vertexCount)
            return qvError_Set(error, qv_badInput, "%s.indices: item %d is %u, but there are %d vertices", place, i,
                               indices[i], vertexCount);
    }
    return qv_ok;
}

// The i-th triangle as positions in the list of indices.
static void Corners(int mode, int i, int corners[3])
{
    if (mode == MODE_TRIANGLES)
    {
        corners[0] = 3 * i;
        corners[1] = 3 * i + 1;
        corners[2] = 3 * i + 2;
    }
    else if (mode == MODE_STRIP)
    {
        corners[0] = i;
        corners[1] = i + 1 + i % 2;
        corners[2] = i + 2 - i % 2;
    }
    else
    {
        corners[0] = i + 1;
        corners[1] = i + 2;
        corners[2] = 0;
    }
}

// indices NULL: 0, 1, 2, … Returns the number of triangles. Strips repeat vertices to jump; that makes no triangle.
static int Expand(int mode, const uint32_t* indices, int count, qvTriangle* triangles)
{
    int triangleCount = mode == MODE_TRIANGLES ? count / 3 : count - 2;
    int written = 0;
    for (int i = 0; i < triangleCount; i++)
    {
        int c[3];
        Corners(mode, i, c);
        qvTriangle t = { { c[0], c[1], c[2] } };
        for (int k = 0; indices != NULL && k < 3; k++)
            t.v[k] = (int32_t)indices[c[k]];
        if (mode == MODE_TRIANGLES || (t.v[0] != t.v[1] && t.v[1] != t.v[2] && t.v[2] != t.v[0]))
            triangles[written++] = t;
    }
    return written;
}

qvResult qvGltf_ReadTriangles(qvGltf* gltf, qvArena* arena, const qvJson* primitive, const char* place, int vertexCount,
                              qvTriangle** triangles, int* triangleCount, qvError* error)
{
    *triangleCount = 0;
    *triangles = NULL;
    int mode = MODE_TRIANGLES;
    qvGltfAccessor accessor;
    qvResult result = qvJson_ReadInt(primitive, place, "mode", 0, 6, &mode, error);
    if (result == qv_ok)
        result = qvGltf_GetAccessor(gltf, primitive, place, "indices", &accessor, error);
    if (result != qv_ok || mode < MODE_TRIANGLES)
        return result;
    uint32_t* indices = NULL;
    int count = vertexCount;
    if (accessor.index >= 0)
    {
        bool isIndex =
            accessor.rows * accessor.columns == 1 && !accessor.normalized &&
            (accessor.componentType == QV_GLTF_UNSIGNED_BYTE || accessor.componentType == QV_GLTF_UNSIGNED_SHORT ||
             accessor.componentType == QV_GLTF_UNSIGNED_INT);
        if (!isIndex)
            return qvError_Set(error, qv_badInput, "%s.indices: accessors[%d] must be unsigned integers of type SCALAR",
                               place, accessor.index);
        count = accessor.count;
        result = qvGltf_ReadIndices(gltf, arena, &accessor, &indices, error);
        if (result == qv_ok)
            result = CheckIndices(place, indices, count, vertexCount, error);
        if (result != qv_ok)
            return result;
    }
    if (count < 3)
        return qv_ok;
    if (mode == MODE_TRIANGLES && indices != NULL)
    {
        *triangles = (qvTriangle*)(void*)indices; // checked: they fit into 31 bits
        *triangleCount = count / 3;
        return qv_ok;
    }
    size_t room = mode == MODE_TRIANGLES ? (size_t)count / 3 : (size_t)count - 2;
    result = qvGltf_Allocate(gltf, arena, room, sizeof(qvTriangle), place, triangles, error);
    if (result == qv_ok)
        *triangleCount = Expand(mode, indices, count, *triangles);
    return result;
}

// --- Attributes --------------------------------------------------------------------------------------------------

// Reads an attribute with one of the two numbers of components; *values NULL when it is not there.
static qvResult ReadAttribute(qvGltf* gltf, qvArena* arena, const qvJson* attributes, const char* place,
                              const char* name, int vertexCount, int few, int many, int* components, float** values,
                              qvError* error)
{
    *values = NULL;
    *components = 0;
    qvGltfAccessor accessor;
    qvResult result = qvGltf_GetAccessor(gltf, attributes, place, name, &accessor, error);
    if (result != qv_ok || accessor.index < 0)
        return result;
    if (accessor.columns != 1 || (accessor.rows != few && accessor.rows != many))
        return qvError_Set(error, qv_badInput, "%s.%s: accessors[%d] must have %d numbers per element", place, name,
                           accessor.index, many);
    if (accessor.count != vertexCount)
        return qvError_Set(error, qv_badInput, "%s.%s: accessors[%d] has %d elements, but there are %d vertices", place,
                           name, accessor.index, accessor.count, vertexCount);
    *components = accessor.rows;
    return qvGltf_ReadFloats(gltf, arena, &accessor, accessor.rows, values, error);
}

// Missing alpha is 1.
static qvResult WidenColors(qvGltf* gltf, qvArena* arena, const char* place, int count, float** colors, qvError* error)
{
    float *rgb = *colors, *rgba;
    qvResult result = qvGltf_Allocate(gltf, arena, (size_t)count, 4 * sizeof(float), place, &rgba, error);
    if (result != qv_ok)
        return result;
    for (size_t i = 0; i < (size_t)count; i++)
    {
        memcpy(rgba + 4 * i, rgb + 3 * i, 3 * sizeof(float));
        rgba[4 * i + 3] = 1.0f;
    }
    *colors = rgba;
    return qv_ok;
}

static qvResult ReadSurface(qvGltf* gltf, qvArena* arena, const qvJson* attributes, const char* place, int count,
                            qvGltfPrimitive* primitive, qvError* error)
{
    int width;
    qvResult result =
        ReadAttribute(gltf, arena, attributes, place, "NORMAL", count, 3, 3, &width, &primitive->normals, error);
    if (result == qv_ok)
        result =
            ReadAttribute(gltf, arena, attributes, place, "TEXCOORD_0", count, 2, 2, &width, &primitive->uvs, error);
    for (int i = 0; result == qv_ok && primitive->uvs != NULL && i < count; i++)
        primitive->uvs[2 * (size_t)i + 1] = 1.0f - primitive->uvs[2 * (size_t)i + 1];
    if (result == qv_ok)
        result =
            ReadAttribute(gltf, arena, attributes, place, "COLOR_0", count, 3, 4, &width, &primitive->colors, error);
    if (result == qv_ok && width == 3)
        result = WidenColors(gltf, arena, place, count, &primitive->colors, error);
    return result;
}

// --- Joints ------------------------------------------------------------------------------------------------------

static int CountInfluences(const qvJson* attributes)
{
    int count = 0;
    char name[32];
    do
        snprintf(name, sizeof(name), "JOINTS_%d", count / 4);
    while (qvJson_Find(attributes, name) != NULL && (count += 4) < MAX_INFLUENCES);
    return count;
}

// Copies one set of four joints and weights into the interleaved arrays. A joint without weight may be any number.
static qvResult StoreSet(const char* place, int set, int count, int influences, const float* joints,
                         const float* weights, uint16_t* jointsOut, float* weightsOut, qvError* error)
{
    for (size_t i = 0; i < (size_t)count; i++)
    {
        for (size_t k = 0; k < 4; k++)
        {
            float weight = weights[4 * i + k], joint = joints[4 * i + k];
            size_t at = i * (size_t)influences + (size_t)set * 4 + k;
            if (weight < 0.0f)
                return qvError_Set(error, qv_badInput, "%s.WEIGHTS_%d: element %zu is negative", place, set, i);
            if (weight > 0.0f && !(joint >= 0.0f && joint <= 65535.0f && joint == (float)(int)joint))
                return qvError_Set(error, qv_badInput, "%s.JOINTS_%d: element %zu is no joint", place, set, i);
            weightsOut[at] = weight;
            jointsOut[at] = weight > 0.0f ? (uint16_t)joint : 0;
        }
    }
    return qv_ok;
}

// Weights shall sum to 1 but do so up to rounding only; a vertex without any follows the first joint.
static void NormalizeWeights(float* weights, int vertexCount, int influences)
{
    for (int i = 0; i < vertexCount; i++, weights += influences)
    {
        float sum = 0.0f;
        for (int k = 0; k < influences; k++)
            sum += weights[k];
        bool usable = sum > 0.0f && sum <= 1e30f;
        for (int k = 0; k < influences; k++)
            weights[k] = usable ? weights[k] / sum : k == 0 ? 1.0f : 0.0f;
    }
}

static qvResult ReadJoints(qvGltf* gltf, qvRig* rig, qvArena* arena, const qvJson* attributes, const char* place,
                           qvRigGeometry* geometry, qvError* error)
{
    int influences = CountInfluences(attributes), count = geometry->vertexCount, width;
    if (influences == 0)
        return qv_ok;
    uint16_t* joints;
    float* weights;
    size_t total = (size_t)influences * (size_t)count;
    qvResult result = qvGltf_Allocate(gltf, rig->arena, total, sizeof(uint16_t), place, &joints, error);
    if (result == qv_ok)
        result = qvGltf_Allocate(gltf, rig->arena, total, sizeof(float), place, &weights, error);
    for (int set = 0; set < influences / 4 && result == qv_ok; set++)
    {
        char name[32];
        float *setJoints = NULL, *setWeights = NULL;
        snprintf(name, sizeof(name), "JOINTS_%d", set);
        result = ReadAttribute(gltf, arena, attributes, place, name, count, 4, 4, &width, &setJoints, error);
        snprintf(name, sizeof(name), "WEIGHTS_%d", set);
        if (result == qv_ok)
            result = ReadAttribute(gltf, arena, attributes, place, name, count, 4, 4, &width, &setWeights, error);
        if (result == qv_ok && setWeights == NULL)
            return qvError_Set(error, qv_badInput, "%s.%s: is missing", place, name);
        if (result == qv_ok)
            result = StoreSet(place, set, count, influences, setJoints, setWeights, joints, weights, error);
    }
    if (result != qv_ok)
        return result;
    NormalizeWeights(weights, count, influences);
    geometry->influenceCount = influences;
    geometry->joints = joints;
    geometry->weights = weights;
    return qv_ok;
}

// --- Morph targets -----------------------------------------------------------------------------------------------

static qvResult ReadTargets(qvGltf* gltf, qvRig* rig, const qvJson* json, const char* place, qvRigGeometry* geometry,
                            qvError* error)
{
    qvJson* array = NULL;
    qvResult result = qvJson_ReadArray(json, place, "targets", &array, error);
    int count = qvJson_Count(array), index = 0, width;
    if (result != qv_ok || count == 0)
        return result;
    const qvVec3f** targets;
    result = qvGltf_Allocate(gltf, rig->arena, (size_t)count, sizeof(*targets), place, &targets, error);
    if (result != qv_ok)
        return result;
    for (const qvJson* item = qvJson_First(array); item != NULL && result == qv_ok; item = qvJson_Next(item), index++)
    {
        char where[QV_GLTF_MAX_PLACE];
        snprintf(where, sizeof(where), "%s.targets[%d]", place, index);
        float* deltas;
        result = ReadAttribute(gltf, rig->arena, item, where, "POSITION", geometry->vertexCount, 3, 3, &width, &deltas,
                               error);
        targets[index] = result == qv_ok ? (const qvVec3f*)(const void*)deltas : NULL;
    }
    geometry->targetCount = count;
    geometry->targets = targets;
    return result;
}

// --- A primitive -------------------------------------------------------------------------------------------------

static bool SameIndices(const qvJson* a, const qvJson* b)
{
    const qvJson *x = qvJson_First(a), *y = qvJson_First(b);
    for (; x != NULL && y != NULL; x = qvJson_Next(x), y = qvJson_Next(y))
    {
        if (strcmp(qvJson_Name(x), qvJson_Name(y)) != 0 || qvJson_Number(x) != qvJson_Number(y))
            return false;
    }
    return x == NULL && y == NULL;
}

// Whether two primitives draw from the same vertices: then these are read once.
static bool SameVertices(const qvJson* a, const qvJson* b)
{
    const qvJson *targetA = qvJson_First(qvJson_Find(a, "targets")), *targetB = qvJson_First(qvJson_Find(b, "targets"));
    for (; targetA != NULL && targetB != NULL; targetA = qvJson_Next(targetA), targetB = qvJson_Next(targetB))
    {
        if (!SameIndices(targetA, targetB))
            return false;
    }
    return targetA == NULL && targetB == NULL &&
           SameIndices(qvJson_Find(a, "attributes"), qvJson_Find(b, "attributes"));
}

static qvResult ReadGeometry(qvGltf* gltf, qvRig* rig, qvArena* arena, const qvJson* json, const char* place,
                             const qvJson* attributes, qvGltfPrimitive* primitive, qvError* error)
{
    char where[QV_GLTF_MAX_PLACE];
    snprintf(where, sizeof(where), "%s.attributes", place);
    qvGltfAccessor accessor;
    qvResult result = qvGltf_GetAccessor(gltf, attributes, where, "POSITION", &accessor, error);
    if (result != qv_ok || accessor.index < 0)
        return result;
    qvRigGeometry geometry = { .vertexCount = accessor.count };
    float* positions;
    int width;
    result =
        ReadAttribute(gltf, rig->arena, attributes, where, "POSITION", accessor.count, 3, 3, &width, &positions, error);
    if (result == qv_ok)
        result = ReadSurface(gltf, arena, attributes, where, accessor.count, primitive, error);
    if (result == qv_ok)
        result = ReadJoints(gltf, rig, arena, attributes, where, &geometry, error);
    if (result == qv_ok)
        result = ReadTargets(gltf, rig, json, place, &geometry, error);
    if (result != qv_ok)
        return result;
    geometry.positions = (const qvVec3f*)(const void*)positions;
    primitive->geometry = rig->geometryCount;
    rig->geometries[rig->geometryCount++] = geometry;
    return qv_ok;
}

qvResult qvGltf_ReadPrimitive(qvGltf* gltf, qvRig* rig, qvArena* arena, const qvJson* json, const char* place,
                              const qvJson* previousJson, const qvGltfPrimitive* previous, qvNotes* notes,
                              qvGltfPrimitive* primitive, qvError* error)
{
    *primitive = (qvGltfPrimitive){ .geometry = -1, .material = -1 };
    int mode = MODE_TRIANGLES;
    qvJson* attributes = NULL;
    qvResult result = qvJson_ReadInt(json, place, "mode", 0, 6, &mode, error);
    if (result == qv_ok)
        result = qvJson_ReadObject(json, place, "attributes", &attributes, error);
    if (result == qv_ok)
        result = qvJson_ReadInt(json, place, "material", 0, INT_MAX, &primitive->material, error);
    if (result != qv_ok)
        return result;
    if (mode < MODE_TRIANGLES)
    {
        qvNotes_Add(notes, "%s: points and lines are left out", place);
        return qv_ok;
    }
    if (previous != NULL && previous->geometry >= 0 && SameVertices(json, previousJson))
    {
        int material = primitive->material;
        *primitive = *previous;
        primitive->material = material;
        primitive->sharesVertices = true;
    }
    else
        result = ReadGeometry(gltf, rig, arena, json, place, attributes, primitive, error);
    if (result != qv_ok)
        return result;
    if (primitive->geometry < 0)
    {
        qvNotes_Add(notes, "%s: has no positions and is left out", place);
        return qv_ok;
    }
    return qvGltf_ReadTriangles(gltf, arena, json, place, rig->geometries[primitive->geometry].vertexCount,
                                &primitive->triangles, &primitive->triangleCount, error);
}
