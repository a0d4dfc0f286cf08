// SPDX-License-Identifier: GPL-3.0-or-later
// The document of a skin (glTF 2.0, section 3.7.3). The place of a node with a skin does not count: its joints hang
// below a root of their own, which carries the rigid motion, and the mesh stands beside it.
#include "formats/gltf_bones.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    ROOT = 1, // nodes: the mesh, the root, the joints
    FIRST_JOINT = 2,
};

static qvGltfBuilder* BuilderOf(qvGltfBones* bones)
{
    return &bones->fresh.builder;
}

// --- Vertices ------------------------------------------------------------------------------------------------------

// An accessor of four integers a vertex: type's size is 1 or 2 bytes.
static int AddFours(qvGltfBuilder* builder, const void* values, int size, int count)
{
    int index,
        view = qvGltfBuilder_AddView(builder, values, 4 * (size_t)size * (size_t)count, 4 * size, QV_GLTF_VERTICES);
    qvJson* accessor = qvGltfBuilder_AddAccessor(
        builder, view, size == 1 ? QV_GLTF_UNSIGNED_BYTE : QV_GLTF_UNSIGNED_SHORT, "VEC4", count, &index);
    if (size == 2)
        qvJson_AddBool(accessor, "normalized", true);
    return index;
}

// Joints and weights of all vertices, as members of the attributes of every primitive. What no triangle uses stays.
static void AddInfluences(qvGltfBones* bones)
{
    qvGltfBuilder* builder = BuilderOf(bones);
    const qvGltfSplit* split = &bones->fresh.split;
    uint8_t* joints = qvAllocate((size_t)split->count, QV_BONES_OF_POINT);
    uint16_t* weights = qvAllocate((size_t)split->count, QV_BONES_OF_POINT * sizeof(uint16_t));
    builder->failed |= joints == NULL || weights == NULL;
    for (size_t i = 0; i < (size_t)split->count && !builder->failed; i++)
    {
        int point = bones->point[split->source[i]];
        weights[QV_BONES_OF_POINT * i] = 65535;
        if (point < 0)
            continue;
        memcpy(joints + QV_BONES_OF_POINT * i, bones->joints + QV_BONES_OF_POINT * (size_t)point, QV_BONES_OF_POINT);
        memcpy(weights + QV_BONES_OF_POINT * i, bones->weights + QV_BONES_OF_POINT * (size_t)point,
               QV_BONES_OF_POINT * sizeof(uint16_t));
    }
    int first = builder->failed ? 0 : AddFours(builder, joints, 1, split->count);
    int second = builder->failed ? 0 : AddFours(builder, weights, 2, split->count);
    const qvJson* mesh = qvJson_First(qvJson_Find(builder->json, "meshes"));
    for (qvJson* item = qvJson_First(qvJson_Find(mesh, "primitives")); item != NULL; item = qvJson_Next(item))
    {
        qvJson* attributes = qvJson_Find(item, "attributes");
        qvJson_AddNumber(attributes, "JOINTS_0", first);
        qvJson_AddNumber(attributes, "WEIGHTS_0", second);
    }
    free(joints);
    free(weights);
}

// --- Skin and nodes ------------------------------------------------------------------------------------------------

// Takes the mesh to where a joint is the origin. Quantized positions would put a scale here, which Blender 3.4
// misreads.
static int AddInverses(qvGltfBones* bones)
{
    qvGltfBuilder* builder = BuilderOf(bones);
    float* values = qvAllocate((size_t)bones->boneCount, 16 * sizeof(float));
    builder->failed |= values == NULL;
    if (values == NULL)
        return 0;
    for (int b = 0; b < bones->boneCount; b++)
    {
        float* m = values + 16 * (size_t)b;
        qvVec3f c = bones->centers[b];
        m[0] = m[5] = m[10] = m[15] = 1.0f;
        m[12] = -c.x, m[13] = -c.y, m[14] = -c.z;
    }
    int index, view = qvGltfBuilder_AddView(builder, values, (size_t)bones->boneCount * 16 * sizeof(float), 0,
                                            QV_GLTF_NO_TARGET);
    qvGltfBuilder_AddAccessor(builder, view, QV_GLTF_FLOAT, "MAT4", bones->boneCount, &index);
    free(values);
    return index;
}

static void AddPlace(qvJson* node, qvVec3 place)
{
    const double translation[3] = { (float)place.x, (float)place.y, (float)place.z };
    qvJson_AddNumbers(node, "translation", translation, 3);
}

static void AddNodes(qvGltfBones* bones)
{
    qvGltfBuilder* builder = BuilderOf(bones);
    qvJson* nodes = qvGltfBuilder_List(builder, "nodes");
    qvJson_AddNumber(qvJson_First(nodes), "skin", 0);
    qvJson *root = qvJson_AddObject(nodes, NULL), *children = qvJson_AddArray(root, "children");
    qvJson* skin = qvJson_AddObject(qvGltfBuilder_List(builder, "skins"), NULL);
    qvJson_AddNumber(skin, "inverseBindMatrices", AddInverses(bones));
    qvJson_AddNumber(skin, "skeleton", ROOT);
    qvJson* joints = qvJson_AddArray(skin, "joints");
    char name[256];
    snprintf(name, sizeof(name), "%.240s bones", bones->task->animation->name);
    qvJson_AddString(root, "name", name);
    if (bones->motion.turns)
        AddPlace(root, qvVec3_FromFloat(bones->motion.pivot));
    for (int b = 0; b < bones->boneCount; b++)
    {
        qvJson* joint = qvJson_AddObject(nodes, NULL);
        snprintf(name, sizeof(name), "bone %d", b + 1);
        qvJson_AddString(joint, "name", name);
        AddPlace(joint, qvGltfBones_Rest(bones, b));
        qvJson_AddNumber(children, NULL, FIRST_JOINT + b);
        qvJson_AddNumber(joints, NULL, FIRST_JOINT + b);
    }
    qvJson* scene = qvJson_First(qvJson_Find(builder->json, "scenes"));
    qvJson_AddNumber(qvJson_Find(scene, "nodes"), NULL, ROOT);
    builder->failed |= joints == NULL || children == NULL;
}

// --- The clip ------------------------------------------------------------------------------------------------------

typedef struct Clip
{
    qvGltfBones* bones;
    qvJson *samplers, *channels;
    int input, view; // the view is of all keys of one kind
    int accessor;    // where its accessors begin
} Clip;

static void AddChannel(const Clip* clip, int output, int node, const char* path)
{
    int sampler = qvJson_Count(clip->samplers);
    qvJson* item = qvJson_AddObject(clip->samplers, NULL);
    qvJson_AddNumber(item, "input", clip->input);
    qvJson_AddNumber(item, "output", output);
    qvJson* channel = qvJson_AddObject(clip->channels, NULL);
    qvJson_AddNumber(channel, "sampler", sampler);
    qvJson* target = qvJson_AddObject(channel, "target");
    qvJson_AddNumber(target, "node", node);
    qvJson_AddString(target, "path", path);
    BuilderOf(clip->bones)->failed |= target == NULL;
}

static void AddInput(Clip* clip)
{
    const qvExportTask* task = clip->bones->task;
    int count = task->animation->frameCount;
    float* times = qvAllocateRaw((size_t)count, sizeof(float));
    BuilderOf(clip->bones)->failed |= times == NULL;
    for (int i = 0; times != NULL && i < count; i++)
        times[i] = (float)task->times[i];
    if (times != NULL)
        clip->input = qvGltfBuilder_AddFloats(BuilderOf(clip->bones), times, 1, count, QV_GLTF_NO_TARGET, true);
    free(times);
}

// The number of a key as it is written; the end of a loop is its start, after an odd number of turns with the other
// sign of the same rotation.
static void GetKey(const qvGltfBones* bones, int bone, int frame, float key[7])
{
    const float* keys = bones->keys + (size_t)bone * (size_t)bones->frameCount * 7;
    memcpy(key, keys + 7 * (size_t)(frame % bones->frameCount), 7 * sizeof(float));
    if (frame < bones->frameCount)
        return;
    const float* before = keys + 7 * (size_t)(bones->frameCount - 1);
    float dot = before[3] * key[3] + before[4] * key[4] + before[5] * key[5] + before[6] * key[6];
    for (int i = 3; i < 7 && dot < 0.0f; i++)
        key[i] = -key[i];
}

// Channels of one kind for all bones, in one view: first numbers of a key, as floats or as integers in [-1, 1].
static void AddBoneChannels(Clip* clip, const char* path, int first, int components, bool isShort)
{
    qvGltfBones* bones = clip->bones;
    qvGltfBuilder* builder = BuilderOf(bones);
    size_t frames = (size_t)bones->task->animation->frameCount, width = (size_t)components * (isShort ? 2 : 4);
    size_t size = (size_t)bones->boneCount * frames * width;
    uint8_t* bytes = qvAllocateRaw(size, 1);
    builder->failed |= bytes == NULL;
    for (size_t i = 0; bytes != NULL && i < (size_t)bones->boneCount * frames; i++)
    {
        float key[7];
        GetKey(bones, (int)(i / frames), (int)(i % frames), key);
        for (int k = 0; k < components; k++)
        {
            int16_t integer = (int16_t)lroundf(32767.0f * fminf(fmaxf(key[first + k], -1.0f), 1.0f));
            if (isShort)
                memcpy(bytes + i * width + 2 * (size_t)k, &integer, 2);
            else
                memcpy(bytes + i * width + 4 * (size_t)k, &key[first + k], 4);
        }
    }
    int view = qvGltfBuilder_AddView(builder, bytes, bytes != NULL ? size : 0, 0, QV_GLTF_NO_TARGET);
    for (int b = 0; b < bones->boneCount; b++)
    {
        int index;
        qvJson* accessor = qvGltfBuilder_AddAccessor(builder, view, isShort ? QV_GLTF_SHORT : QV_GLTF_FLOAT,
                                                     components == 3 ? "VEC3" : "VEC4", (int)frames, &index);
        if (b > 0)
            qvJson_AddNumber(accessor, "byteOffset", (double)((size_t)b * frames * width));
        if (isShort)
            qvJson_AddBool(accessor, "normalized", true);
        AddChannel(clip, index, FIRST_JOINT + b, path);
    }
    free(bytes);
}

static void AddRootChannel(Clip* clip, const char* path, int first, int components)
{
    const qvMorphTargets* motion = &clip->bones->motion;
    qvGltfBuilder* builder = BuilderOf(clip->bones);
    int count = motion->curves.keyCount;
    float* values = qvAllocateRaw((size_t)count, (size_t)components * sizeof(float));
    builder->failed |= values == NULL;
    for (int i = 0; values != NULL && i < count; i++)
    {
        float numbers[7];
        qvMorphTargets_KeyRigid(motion, i, 0, numbers);
        memcpy(values + (size_t)i * (size_t)components, numbers + first, (size_t)components * sizeof(float));
    }
    if (values != NULL)
        AddChannel(clip, qvGltfBuilder_AddFloats(builder, values, components, count, QV_GLTF_NO_TARGET, false), ROOT,
                   path);
    free(values);
}

static void AddClip(qvGltfBones* bones)
{
    const qvAnimation* animation = bones->task->animation;
    qvJson* json = qvJson_AddObject(qvGltfBuilder_List(BuilderOf(bones), "animations"), NULL);
    qvJson_AddString(json, "name", animation->name);
    qvJson* extras = qvJson_AddObject(json, "extras"); // for importers that count in frames, as Blender does
    qvJson_AddNumber(extras, "fps", animation->fps);
    qvJson_AddBool(extras, "loop", animation->loop);
    Clip clip = { .bones = bones, .channels = qvJson_AddArray(json, "channels") };
    clip.samplers = qvJson_AddArray(json, "samplers");
    AddInput(&clip);
    if (bones->motion.moves)
        AddRootChannel(&clip, "translation", QV_CLIP_TRANSLATION, 3);
    if (bones->motion.turns)
        AddRootChannel(&clip, "rotation", QV_CLIP_ROTATION, 4);
    AddBoneChannels(&clip, "translation", 0, 3, false);
    AddBoneChannels(&clip, "rotation", 3, 4, bones->task->options.quantize);
}

// --- The document --------------------------------------------------------------------------------------------------

void qvGltfBones_Build(qvGltfBones* bones)
{
    qvGltfBuilder* builder = BuilderOf(bones);
    const qvMesh* mesh = bones->task->mesh;
    const qvGltfGrid none = { 0 };
    bones->fresh.small = bones->task->options.compress;
    qvGltfFresh_Build(&bones->fresh, bones->task->animation->name, &none);
    if (mesh->materialCount == 0)
        qvGltfBuilder_ShowClay(builder, qvMesh_PlainColor(mesh));
    AddInfluences(bones);
    AddNodes(bones);
    AddClip(bones);
}
