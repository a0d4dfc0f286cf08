// SPDX-License-Identifier: GPL-3.0-or-later
// The clip of an animated document (glTF 2.0, section 3.11): one input for all channels, translation and rotation of
// the root, weights of every mesh, key after key.
#include "formats/gltf_stage.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct Clip
{
    qvGltfStage* stage;
    qvJson *samplers, *channels;
    int input;
} Clip;

// Values of a key: one, or three of a cubic one.
static int ValuesPerKey(const qvGltfStage* stage)
{
    return stage->targets->curves.isCubic ? 3 : 1;
}

// The side of value number i of a key: arriving tangent, value, leaving tangent.
static int SideOf(const qvGltfStage* stage, int i)
{
    return stage->targets->curves.isCubic ? i - 1 : 0;
}

// --- Channels ----------------------------------------------------------------------------------------------------

static int AddSampler(const Clip* clip, const float* values, int components, int count)
{
    int output = qvGltfBuilder_AddFloats(clip->stage->builder, values, components, count, QV_GLTF_NO_TARGET, false);
    int index = qvJson_Count(clip->samplers);
    qvJson* sampler = qvJson_AddObject(clip->samplers, NULL);
    qvJson_AddNumber(sampler, "input", clip->input);
    qvJson_AddString(sampler, "interpolation", clip->stage->targets->curves.isCubic ? "CUBICSPLINE" : "LINEAR");
    qvJson_AddNumber(sampler, "output", output);
    return index;
}

static void AddChannel(const Clip* clip, int sampler, int node, const char* path)
{
    qvJson* channel = qvJson_AddObject(clip->channels, NULL);
    qvJson_AddNumber(channel, "sampler", sampler);
    qvJson* target = qvJson_AddObject(channel, "target");
    qvJson_AddNumber(target, "node", node);
    qvJson_AddString(target, "path", path);
    clip->stage->builder->failed |= target == NULL;
}

// Some of the numbers of the rigid motion.
static void AddRigid(const Clip* clip, const char* path, int first, int components)
{
    const qvMorphTargets* targets = clip->stage->targets;
    int perKey = ValuesPerKey(clip->stage), count = targets->curves.keyCount * perKey;
    float* values = qvAllocateRaw((size_t)count, (size_t)components * sizeof(float));
    clip->stage->builder->failed |= values == NULL;
    for (int i = 0; i < count && values != NULL; i++)
    {
        float numbers[7];
        qvMorphTargets_KeyRigid(targets, i / perKey, SideOf(clip->stage, i % perKey), numbers);
        memcpy(values + (size_t)i * (size_t)components, numbers + first, (size_t)components * sizeof(float));
    }
    if (values != NULL)
        AddChannel(clip, AddSampler(clip, values, components, count), clip->stage->root, path);
    free(values);
}

// --- Weights -----------------------------------------------------------------------------------------------------

// Weights of the targets that the mesh had: as the joined clip plays them, or at rest.
static void GetOldWeights(const qvGltfStage* stage, const qvGltfActor* actor, int key, void* scratch, float* out)
{
    const qvAnimation* animation = stage->task->animation;
    const qvRig* rig = stage->back->edits.rig;
    int clip = animation->space == qv_framesBind ? animation->clip : -1;
    double time = stage->task->times[stage->targets->curves.keys[key]];
    qvRigState state = qvRig_ComputeState(rig, clip, time, scratch);
    memcpy(out, state.weights + actor->firstOldWeight, (size_t)actor->oldTargetCount * sizeof(float));
}

static int AddWeights(const Clip* clip, const qvGltfActor* actor, void* scratch)
{
    const qvMorphTargets* targets = clip->stage->targets;
    int perKey = ValuesPerKey(clip->stage), rows = targets->curves.keyCount * perKey;
    size_t width = (size_t)(actor->oldTargetCount + targets->targetCount);
    float* values = qvAllocate((size_t)rows * width, sizeof(float));
    clip->stage->builder->failed |= values == NULL;
    if (values == NULL)
        return 0;
    for (int i = 0; i < rows; i++)
    {
        float* row = values + (size_t)i * width;
        int side = SideOf(clip->stage, i % perKey);
        if (actor->oldTargetCount > 0 && side == 0)
            GetOldWeights(clip->stage, actor, i / perKey, scratch, row);
        qvMorphTargets_KeyWeights(targets, i / perKey, side, row + actor->oldTargetCount);
    }
    int sampler = AddSampler(clip, values, 1, rows * (int)width);
    free(values);
    return sampler;
}

static qvResult AddAllWeights(const Clip* clip, qvError* error)
{
    const qvGltfStage* stage = clip->stage;
    size_t size = stage->back != NULL ? qvRig_ScratchSize(stage->back->edits.rig) : 1;
    void* scratch = qvAllocateRaw(size, 1);
    if (scratch == NULL)
        return qvError_OutOfMemory(error, (double)size);
    int shared = -1; // meshes without targets of their own have the same weights
    for (int i = 0; i < stage->actorCount; i++)
    {
        const qvGltfActor* actor = &stage->actors[i];
        int sampler = actor->oldTargetCount == 0 && shared >= 0 ? shared : AddWeights(clip, actor, scratch);
        shared = actor->oldTargetCount == 0 ? sampler : shared;
        AddChannel(clip, sampler, actor->node, "weights");
    }
    free(scratch);
    return qv_ok;
}

// --- Clips of the document ---------------------------------------------------------------------------------------

static void MarkWithParents(const qvRig* rig, int node, bool* marked)
{
    for (; node >= 0 && !marked[node]; node = rig->nodes[node].parent)
        marked[node] = true;
}

// Nodes whose motion the mesh follows.
static void MarkMovers(const qvRig* rig, bool* marked)
{
    for (int i = 0; i < rig->partCount; i++)
    {
        const qvRigPart* part = &rig->parts[i];
        MarkWithParents(rig, part->node, marked);
        for (int j = 0; part->skin >= 0 && j < rig->skins[part->skin].jointCount; j++)
            MarkWithParents(rig, rig->skins[part->skin].joints[j], marked);
    }
}

// Removes the channels of a clip that move marked nodes, or only their weights; returns how many.
static int RemoveChannels(qvJson* animation, const bool* marked, int nodeCount, bool onlyWeights)
{
    qvJson* channels = qvJson_Find(animation, "channels");
    int removed = 0;
    for (qvJson *item = qvJson_First(channels), *next; item != NULL; item = next)
    {
        next = qvJson_Next(item);
        const qvJson* target = qvJson_Find(item, "target");
        const qvJson* node = qvJson_Find(target, "node");
        int index = qvJson_Index(node);
        bool isWeights = strcmp(qvJson_Text(qvJson_Find(target, "path")), "weights") == 0;
        if (index < 0 || index >= nodeCount || !marked[index] || (onlyWeights && !isWeights))
            continue;
        qvJson_Remove(channels, item);
        removed++;
    }
    return removed;
}

static void RemoveClips(const qvGltfStage* stage, const bool* marked)
{
    qvJson* animations = qvJson_Find(stage->builder->json, "animations");
    int removed = 0;
    for (qvJson *item = qvJson_First(animations), *next; item != NULL; item = next)
    {
        next = qvJson_Next(item);
        removed += RemoveChannels(item, marked, stage->back->edits.rig->nodeCount, false) > 0;
        if (qvJson_Count(qvJson_Find(item, "channels")) == 0)
            qvJson_Remove(animations, item);
    }
    if (removed > 0)
        qvExportReport_Warn(stage->task->report,
                            "%d clips of the imported file would move the mesh a second time and are left out",
                            removed);
}

static qvResult MakeRoom(const qvGltfStage* stage, qvError* error)
{
    if (stage->back == NULL)
        return qv_ok;
    const qvAnimation* animation = stage->task->animation;
    const qvRig* rig = stage->back->edits.rig;
    bool* marked = qvAllocate((size_t)rig->nodeCount, sizeof(bool));
    if (marked == NULL)
        return qvError_OutOfMemory(error, rig->nodeCount);
    if (animation->space == qv_framesWorld)
    {
        MarkMovers(rig, marked);
        RemoveClips(stage, marked);
    }
    else if (animation->clip >= 0)
    {
        for (int i = 0; i < rig->partCount; i++)
            marked[rig->parts[i].node] = true;
        RemoveChannels(qvGltfStage_Item(stage, "animations", animation->clip), marked, rig->nodeCount, true);
    }
    free(marked);
    return qv_ok;
}

// --- The clip ----------------------------------------------------------------------------------------------------

static int AddInput(const qvGltfStage* stage)
{
    const qvClipCurves* curves = &stage->targets->curves;
    float* times = qvAllocateRaw((size_t)curves->keyCount, sizeof(float));
    stage->builder->failed |= times == NULL;
    if (times == NULL)
        return 0;
    for (int i = 0; i < curves->keyCount; i++)
        times[i] = (float)stage->task->times[curves->keys[i]];
    int index = qvGltfBuilder_AddFloats(stage->builder, times, 1, curves->keyCount, QV_GLTF_NO_TARGET, true);
    free(times);
    return index;
}

static qvJson* FindList(qvJson* object, const char* name)
{
    qvJson* list = qvJson_Find(object, name);
    return list != NULL ? list : qvJson_AddArray(object, name);
}

static qvJson* FindClip(const qvGltfStage* stage)
{
    const qvAnimation* animation = stage->task->animation;
    if (animation->space == qv_framesBind && animation->clip >= 0)
        return qvGltfStage_Item(stage, "animations", animation->clip);
    qvJson* clip = qvJson_AddObject(qvGltfBuilder_List(stage->builder, "animations"), NULL);
    qvJson_AddString(clip, "name", animation->name);
    qvJson* extras = qvJson_AddObject(clip, "extras"); // for importers that count in frames, as Blender does
    qvJson_AddNumber(extras, "fps", animation->fps);
    qvJson_AddBool(extras, "loop", animation->loop);
    return clip;
}

qvResult qvGltfStage_AddClip(qvGltfStage* stage, qvError* error)
{
    qvResult result = MakeRoom(stage, error);
    if (result != qv_ok)
        return result;
    bool hasTargets = stage->targets->targetCount > 0;
    if (!hasTargets && stage->root < 0)
    {
        qvJson* animations = qvJson_Find(stage->builder->json, "animations");
        if (animations != NULL && qvJson_Count(animations) == 0)
            qvJson_Remove(stage->builder->json, animations);
        qvExportReport_Warn(stage->task->report, "nothing moves; the file has no clip");
        return qv_ok;
    }
    qvJson* json = FindClip(stage);
    Clip clip = { stage, FindList(json, "samplers"), FindList(json, "channels"), AddInput(stage) };
    stage->builder->failed |= json == NULL;
    if (stage->root >= 0)
        AddRigid(&clip, "translation", QV_CLIP_TRANSLATION, 3);
    if (stage->root >= 0 && stage->targets->turns)
        AddRigid(&clip, "rotation", QV_CLIP_ROTATION, 4);
    return hasTargets ? AddAllWeights(&clip, error) : qv_ok;
}
