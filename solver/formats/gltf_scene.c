// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes, scenes and skins (glTF 2.0, sections 3.5 and 3.7.3).
#include "formats/gltf.h"

#include "math/affine.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static qvResult ReadMatrix(const double* m, const char* place, qvAffine* matrix, qvError* error)
{
    // Column-major; the last row of an affine map is fixed.
    if (fabs(m[3]) > 1e-5 || fabs(m[7]) > 1e-5 || fabs(m[11]) > 1e-5 || fabs(m[15] - 1.0) > 1e-5)
        return qvError_Set(error, qv_badInput, "%s: the last row must be 0, 0, 0, 1", place);
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            matrix->linear[row][column] = m[4 * column + row];
    matrix->offset = qvMakeVec3(m[12], m[13], m[14]);
    return qv_ok;
}

static qvResult ReadTransform(const qvJson* json, const char* place, qvRigNode* node, qvError* error)
{
    double t[3] = { 0.0, 0.0, 0.0 }, r[4] = { 0.0, 0.0, 0.0, 1.0 }, s[3] = { 1.0, 1.0, 1.0 }, m[16];
    qvResult result = qvJson_ReadNumbers(json, place, "translation", 3, t, error);
    if (result == qv_ok)
        result = qvJson_ReadNumbers(json, place, "rotation", 4, r, error);
    if (result == qv_ok)
        result = qvJson_ReadNumbers(json, place, "scale", 3, s, error);
    if (result == qv_ok)
        result = qvJson_ReadNumbers(json, place, "matrix", 16, m, error);
    if (result != qv_ok)
        return result;
    node->rest = (qvRigPose){ qvMakeVec3(t[0], t[1], t[2]), qvQuat_Normalize((qvQuat){ r[0], r[1], r[2], r[3] }),
                              qvMakeVec3(s[0], s[1], s[2]) };
    node->hasMatrix = qvJson_Find(json, "matrix") != NULL;
    char where[QV_GLTF_MAX_PLACE];
    snprintf(where, sizeof(where), "%s.matrix", place);
    return node->hasMatrix ? ReadMatrix(m, where, &node->matrix, error) : qv_ok;
}

// Morph targets of a mesh: those of its first primitive.
static int TargetCount(const qvJson* mesh)
{
    return qvJson_Count(qvJson_Find(qvJson_First(qvJson_Find(mesh, "primitives")), "targets"));
}

// The node's own default weights, or the mesh's. Far beyond any use they only overflow.
static qvResult ReadWeights(const qvJson* json, const qvJson* mesh, const char* place, int count, float* weights,
                            qvError* error)
{
    qvJson* array = NULL;
    qvResult result = qvJson_ReadArray(mesh, place, "weights", &array, error);
    if (result == qv_ok)
        result = qvJson_ReadArray(json, place, "weights", &array, error);
    if (result != qv_ok)
        return result;
    const qvJson* item = qvJson_First(array);
    for (int i = 0; i < count; i++, item = qvJson_Next(item))
        weights[i] = (float)fmin(fmax(qvJson_Number(item), -1e6), 1e6);
    return qv_ok;
}

static qvResult ReadAllWeights(qvGltf* gltf, qvRig* rig, qvError* error)
{
    size_t total = 0;
    for (int i = 0; i < rig->nodeCount; i++)
    {
        char place[QV_GLTF_MAX_PLACE];
        snprintf(place, sizeof(place), "nodes[%d]", i);
        int mesh;
        qvJson* json;
        qvResult result = qvGltf_Follow(&gltf->meshes, gltf->nodes.items[i], place, "mesh", &mesh, &json, error);
        if (result != qv_ok)
            return result;
        rig->nodes[i].firstWeight = (int)total;
        rig->nodes[i].weightCount = TargetCount(json);
        total += (size_t)rig->nodes[i].weightCount;
        if (total > QV_GLTF_MAX_VERTICES)
            return qvError_Set(error, qv_badInput, "%s.mesh: too many morph weights in all", place);
    }
    rig->weightCount = (int)total;
    qvResult result = qvGltf_Allocate(gltf, rig->arena, total, sizeof(float), "nodes", &rig->weights, error);
    for (int i = 0; i < rig->nodeCount && result == qv_ok; i++)
    {
        char place[QV_GLTF_MAX_PLACE];
        snprintf(place, sizeof(place), "nodes[%d]", i);
        int mesh = (int)qvJson_Number(qvJson_Find(gltf->nodes.items[i], "mesh"));
        if (rig->nodes[i].weightCount > 0)
            result = ReadWeights(gltf->nodes.items[i], gltf->meshes.items[mesh], place, rig->nodes[i].weightCount,
                                 rig->weights + rig->nodes[i].firstWeight, error);
    }
    return result;
}

static qvResult SetParents(const qvGltf* gltf, qvRig* rig, int parent, qvError* error)
{
    char place[QV_GLTF_MAX_PLACE];
    snprintf(place, sizeof(place), "nodes[%d]", parent);
    qvJson* children = NULL;
    qvResult result = qvJson_ReadArray(gltf->nodes.items[parent], place, "children", &children, error);
    if (result != qv_ok)
        return result;
    int i = 0;
    for (const qvJson* item = qvJson_First(children); item != NULL; item = qvJson_Next(item), i++)
    {
        double number = qvJson_IsNumber(item) ? qvJson_Number(item) : -1.0;
        if (!(number >= 0.0 && number < rig->nodeCount && number == floor(number)))
            return qvError_Set(error, qv_badInput, "%s.children[%d]: there is no such node; the file has %d", place, i,
                               rig->nodeCount);
        qvRigNode* child = &rig->nodes[(int)number];
        if (child->parent >= 0)
            return qvError_Set(error, qv_badInput, "%s.children[%d]: node %d has another parent already, node %d",
                               place, i, (int)number, child->parent);
        child->parent = parent;
    }
    return qv_ok;
}

// Names a node of a cycle. Nodes above an unsorted one are unsorted too, so climbing for long enough ends in a cycle.
static qvResult FailCycle(qvGltf* gltf, const qvRig* rig, int sortedCount, qvError* error)
{
    bool* sorted;
    qvResult result = qvGltf_Allocate(gltf, rig->arena, (size_t)rig->nodeCount, sizeof(bool), "nodes", &sorted, error);
    if (result != qv_ok)
        return result;
    memset(sorted, 0, (size_t)rig->nodeCount * sizeof(bool));
    for (int i = 0; i < sortedCount; i++)
        sorted[rig->order[i]] = true;
    int node = 0;
    while (sorted[node])
        node++;
    for (int i = 0; i < rig->nodeCount; i++)
        node = rig->nodes[node].parent;
    return qvError_Set(error, qv_badInput, "nodes[%d].children: the node is its own ancestor", node);
}

// Parents before children. A node that is never reached from a root is in a cycle.
static qvResult SortNodes(qvGltf* gltf, qvRig* rig, qvError* error)
{
    qvResult result =
        qvGltf_Allocate(gltf, rig->arena, (size_t)rig->nodeCount, sizeof(int), "nodes", &rig->order, error);
    if (result != qv_ok)
        return result;
    int count = 0;
    for (int i = 0; i < rig->nodeCount; i++)
    {
        if (rig->nodes[i].parent < 0)
            rig->order[count++] = i;
    }
    for (int next = 0; next < count; next++)
    {
        const qvJson* children = qvJson_Find(gltf->nodes.items[rig->order[next]], "children");
        for (const qvJson* item = qvJson_First(children); item != NULL; item = qvJson_Next(item))
            rig->order[count++] = (int)qvJson_Number(item);
    }
    return count == rig->nodeCount ? qv_ok : FailCycle(gltf, rig, count, error);
}

qvResult qvGltf_ReadNodes(qvGltf* gltf, qvRig* rig, qvError* error)
{
    int count = gltf->nodes.count;
    qvResult result = qvGltf_Allocate(gltf, rig->arena, (size_t)count, sizeof(qvRigNode), "nodes", &rig->nodes, error);
    if (result != qv_ok)
        return result;
    rig->nodeCount = count;
    for (int i = 0; i < count && result == qv_ok; i++)
    {
        char place[QV_GLTF_MAX_PLACE];
        snprintf(place, sizeof(place), "nodes[%d]", i);
        rig->nodes[i] = (qvRigNode){ .parent = -1 };
        result = ReadTransform(gltf->nodes.items[i], place, &rig->nodes[i], error);
    }
    for (int i = 0; i < count && result == qv_ok; i++)
        result = SetParents(gltf, rig, i, error);
    if (result == qv_ok)
        result = SortNodes(gltf, rig, error);
    if (result == qv_ok)
        result = ReadAllWeights(gltf, rig, error);
    return result;
}

// --- Scene -------------------------------------------------------------------------------------------------------

qvResult qvGltf_MarkScene(qvGltf* gltf, const qvRig* rig, qvNotes* notes, bool* inScene, qvError* error)
{
    qvJson* scenes = NULL;
    int index = 0;
    qvResult result = qvJson_ReadArray(gltf->json, "", "scenes", &scenes, error);
    if (result == qv_ok)
        result = qvJson_ReadInt(gltf->json, "", "scene", 0, INT_MAX, &index, error);
    if (result != qv_ok)
        return result;
    memset(inScene, qvJson_Count(scenes) == 0, (size_t)rig->nodeCount * sizeof(bool));
    if (qvJson_Count(scenes) == 0)
        return qv_ok;
    qvJson *scene = qvJson_At(scenes, index), *roots = NULL;
    if (scene == NULL)
        return qvError_Set(error, qv_badInput, "scene: there is no scenes[%d]", index);
    if (qvJson_Count(scenes) > 1)
        qvNotes_Add(notes, "scenes: of %d scenes number %d is read", qvJson_Count(scenes), index);
    char place[QV_GLTF_MAX_PLACE];
    snprintf(place, sizeof(place), "scenes[%d]", index);
    result = qvJson_ReadArray(scene, place, "nodes", &roots, error);
    if (result != qv_ok)
        return result;
    int i = 0;
    for (const qvJson* item = qvJson_First(roots); item != NULL; item = qvJson_Next(item), i++)
    {
        double number = qvJson_IsNumber(item) ? qvJson_Number(item) : -1.0;
        if (!(number >= 0.0 && number < rig->nodeCount && number == floor(number)))
            return qvError_Set(error, qv_badInput, "%s.nodes[%d]: there is no such node; the file has %d", place, i,
                               rig->nodeCount);
        inScene[(int)number] = true;
    }
    for (i = 0; i < rig->nodeCount; i++)
    {
        const qvRigNode* node = &rig->nodes[rig->order[i]];
        inScene[rig->order[i]] |= node->parent >= 0 && inScene[node->parent];
    }
    return qv_ok;
}

// --- Skins -------------------------------------------------------------------------------------------------------

static qvResult ReadJointNodes(qvGltf* gltf, qvRig* rig, const qvJson* joints, const char* place, qvRigSkin* skin,
                               qvError* error)
{
    int* nodes;
    qvResult result = qvGltf_Allocate(gltf, rig->arena, (size_t)skin->jointCount, sizeof(int), place, &nodes, error);
    if (result != qv_ok)
        return result;
    int i = 0;
    for (const qvJson* item = qvJson_First(joints); item != NULL; item = qvJson_Next(item), i++)
    {
        double number = qvJson_IsNumber(item) ? qvJson_Number(item) : -1.0;
        if (!(number >= 0.0 && number < rig->nodeCount && number == floor(number)))
            return qvError_Set(error, qv_badInput, "%s.joints[%d]: there is no such node; the file has %d", place, i,
                               rig->nodeCount);
        nodes[i] = (int)number;
    }
    skin->joints = nodes;
    return qv_ok;
}

static qvResult ReadInverseBind(qvGltf* gltf, qvRig* rig, const qvJson* json, const char* place, qvRigSkin* skin,
                                qvError* error)
{
    qvGltfAccessor accessor;
    qvAffine* maps;
    qvResult result = qvGltf_GetAccessor(gltf, json, place, "inverseBindMatrices", &accessor, error);
    if (result == qv_ok)
        result = qvGltf_Allocate(gltf, rig->arena, (size_t)skin->jointCount, sizeof(qvAffine), place, &maps, error);
    if (result != qv_ok)
        return result;
    skin->inverseBind = maps;
    for (int i = 0; i < skin->jointCount; i++)
        maps[i] = qvAffine_Identity();
    if (accessor.index < 0)
        return qv_ok;
    if (accessor.rows != 4 || accessor.columns != 4 || accessor.count < skin->jointCount)
        return qvError_Set(error, qv_badInput,
                           "%s.inverseBindMatrices: accessors[%d] must hold %d elements of type MAT4", place,
                           accessor.index, skin->jointCount);
    float* values;
    result = qvGltf_ReadFloats(gltf, rig->arena, &accessor, 16, &values, error);
    char where[QV_GLTF_MAX_PLACE];
    snprintf(where, sizeof(where), "%s.inverseBindMatrices", place);
    for (int i = 0; i < skin->jointCount && result == qv_ok; i++)
    {
        double m[16];
        for (int k = 0; k < 16; k++)
            m[k] = values[16 * (size_t)i + (size_t)k];
        result = ReadMatrix(m, where, &maps[i], error);
    }
    return result;
}

static qvResult ReadSkin(qvGltf* gltf, qvRig* rig, const qvJson* json, int index, qvError* error)
{
    char place[QV_GLTF_MAX_PLACE];
    snprintf(place, sizeof(place), "skins[%d]", index);
    qvJson* joints = NULL;
    qvResult result = qvJson_ReadArray(json, place, "joints", &joints, error);
    if (result != qv_ok)
        return result;
    qvRigSkin* skin = &rig->skins[index];
    *skin = (qvRigSkin){ .jointCount = qvJson_Count(joints), .firstJoint = rig->jointCount };
    if (skin->jointCount == 0)
        return qvError_Set(error, qv_badInput, "%s.joints: must name at least one node", place);
    rig->jointCount += skin->jointCount;
    result = ReadJointNodes(gltf, rig, joints, place, skin, error);
    if (result == qv_ok)
        result = ReadInverseBind(gltf, rig, json, place, skin, error);
    return result;
}

qvResult qvGltf_ReadSkins(qvGltf* gltf, qvRig* rig, qvError* error)
{
    qvJson* array = NULL;
    qvResult result = qvJson_ReadArray(gltf->json, "", "skins", &array, error);
    if (result == qv_ok)
        result = qvGltf_Allocate(gltf, rig->arena, (size_t)qvJson_Count(array), sizeof(qvRigSkin), "skins", &rig->skins,
                                 error);
    for (qvJson* item = qvJson_First(array); item != NULL && result == qv_ok; item = qvJson_Next(item))
    {
        result = ReadSkin(gltf, rig, item, rig->skinCount, error);
        rig->skinCount++;
    }
    return result;
}
