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
    int frame = stage->targets->curves.keys[key];
    double time = animation->clipTimes != NULL ? animation->clipTimes[frame] : stage->task->times[frame];
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

static void RemoveWeights(qvJson* animation, int node)
{
    qvJson* channels = qvJson_Find(animation, "channels");
    for (qvJson *item = qvJson_First(channels), *next; item != NULL; item = next)
    {
        next = qvJson_Next(item);
        const qvJson* target = qvJson_Find(item, "target");
        bool isWeights = strcmp(qvJson_Text(qvJson_Find(target, "path")), "weights") == 0;
        if (isWeights && qvJson_Index(qvJson_Find(target, "node")) == node)
            qvJson_Remove(channels, item);
    }
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
        bool isSampled = animation->clipTimes != NULL;
        for (int i = 0; i < rig->nodeCount; i++)
            marked[i] = isSampled;
        for (int i = 0; i < rig->partCount && stage->targets->targetCount > 0; i++)
            marked[rig->parts[i].node] = true;
        RemoveChannels(qvGltfStage_Item(stage, "animations", animation->clip), marked, rig->nodeCount, !isSampled);
    }
    free(marked);
    return qv_ok;
}

// --- A clip at other times ---------------------------------------------------------------------------------------

static int AddFrameTimes(const qvGltfStage* stage)
{
    int count = stage->task->animation->frameCount;
    float* times = qvAllocateRaw((size_t)count, sizeof(float));
    stage->builder->failed |= times == NULL;
    for (int i = 0; times != NULL && i < count; i++)
        times[i] = (float)stage->task->times[i];
    int index = times != NULL ? qvGltfBuilder_AddFloats(stage->builder, times, 1, count, QV_GLTF_NO_TARGET, true) : 0;
    free(times);
    return index;
}

// What a channel of the document's clip does at the frames.
static void SampleChannel(const Clip* clip, const qvRigChannel* channel)
{
    static const char* const paths[] = { "translation", "rotation", "scale", "weights" };
    const qvAnimation* animation = clip->stage->task->animation;
    int width = channel->sampler.width, count = animation->frameCount;
    bool isRotation = channel->path == qv_rigRotation, isWeights = channel->path == qv_rigWeights;
    float* values = qvAllocateRaw((size_t)count * (size_t)width, sizeof(float));
    clip->stage->builder->failed |= values == NULL;
    for (int i = 0; values != NULL && i < count; i++)
        qvRigSampler_Evaluate(&channel->sampler, isRotation, animation->clipTimes[i],
                              values + (size_t)i * (size_t)width);
    if (values != NULL)
        AddChannel(clip, AddSampler(clip, values, isWeights ? 1 : width, isWeights ? count * width : count),
                   channel->node, paths[channel->path]);
    free(values);
}

static const qvGltfActor* FindActor(const qvGltfStage* stage, int node)
{
    for (int i = 0; i < stage->actorCount; i++)
    {
        if (stage->actors[i].node == node)
            return &stage->actors[i];
    }
    return NULL;
}

// Weights of meshes that get targets are written with those.
static void SampleClip(const Clip* clip)
{
    const qvGltfStage* stage = clip->stage;
    const qvRig* rig = stage->back->edits.rig;
    const qvRigClip* from = &rig->clips[stage->task->animation->clip];
    Clip frames = *clip;
    frames.input = AddFrameTimes(stage);
    for (int i = 0; i < from->channelCount; i++)
    {
        const qvRigChannel* channel = &from->channels[i];
        bool isWritten = channel->path == qv_rigWeights && stage->targets->targetCount > 0 &&
                         FindActor(stage, channel->node) != NULL;
        if (!isWritten)
            SampleChannel(&frames, channel);
    }
}

// --- Other clips -------------------------------------------------------------------------------------------------

// The weights of a channel as they are, with zeros for the new targets.
static void WidenChannel(const qvGltfStage* stage, int index, const qvRigChannel* channel)
{
    static const char* const words[] = { "STEP", "LINEAR", "CUBICSPLINE" };
    const qvRigSampler* from = &channel->sampler;
    int rows = from->keyCount * (from->interpolation == qv_rigCubic ? 3 : 1);
    int width = from->width + stage->targets->targetCount;
    float* values = qvAllocate((size_t)rows * (size_t)width, sizeof(float));
    qvJson* json = qvGltfStage_Item(stage, "animations", index);
    Clip clip = { (qvGltfStage*)(uintptr_t)stage, qvJson_Find(json, "samplers"), qvJson_Find(json, "channels"), 0 };
    stage->builder->failed |= values == NULL;
    if (values == NULL)
        return;
    for (int i = 0; i < rows; i++)
        memcpy(values + (size_t)i * (size_t)width, from->values + (size_t)i * (size_t)from->width,
               (size_t)from->width * sizeof(float));
    clip.input = qvGltfBuilder_AddFloats(stage->builder, from->times, 1, from->keyCount, QV_GLTF_NO_TARGET, true);
    int sampler = AddSampler(&clip, values, 1, rows * width);
    qvJson* made = qvJson_At(clip.samplers, sampler);
    qvJson_Remove(made, qvJson_Find(made, "interpolation"));
    qvJson_AddString(made, "interpolation", words[from->interpolation]);
    AddChannel(&clip, sampler, channel->node, "weights");
    free(values);
}

// Meshes with targets of their own have more weights now, in every clip.
static void WidenClips(const qvGltfStage* stage)
{
    const qvAnimation* animation = stage->task->animation;
    const qvRig* rig = stage->back != NULL && animation->space == qv_framesBind ? stage->back->edits.rig : NULL;
    for (int i = 0; rig != NULL && i < rig->clipCount; i++)
    {
        const qvRigClip* clip = &rig->clips[i];
        for (int k = 0; i != animation->clip && k < clip->channelCount; k++)
        {
            const qvRigChannel* channel = &clip->channels[k];
            if (channel->path != qv_rigWeights || FindActor(stage, channel->node) == NULL)
                continue;
            RemoveWeights(qvGltfStage_Item(stage, "animations", i), channel->node);
            WidenChannel(stage, i, channel);
        }
    }
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

// For importers that count in frames, as Blender does.
static void NoteFrames(const qvAnimation* animation, qvJson* clip)
{
    qvJson* extras = qvJson_Find(clip, "extras");
    if (!qvJson_IsObject(extras))
    {
        qvJson_Remove(clip, extras);
        extras = qvJson_AddObject(clip, "extras");
    }
    qvJson_Remove(extras, qvJson_Find(extras, "fps"));
    qvJson_Remove(extras, qvJson_Find(extras, "loop"));
    qvJson_AddNumber(extras, "fps", animation->fps);
    qvJson_AddBool(extras, "loop", animation->loop);
}

static bool JoinsClip(const qvGltfStage* stage)
{
    return stage->task->animation->space == qv_framesBind && stage->task->animation->clip >= 0;
}

static qvJson* FindClip(const qvGltfStage* stage)
{
    const qvAnimation* animation = stage->task->animation;
    if (JoinsClip(stage))
    {
        qvJson* joined = qvGltfStage_Item(stage, "animations", animation->clip);
        if (animation->clipTimes != NULL)
            NoteFrames(animation, joined);
        // What its channels have played is not left behind for readers that cannot.
        if (animation->clipTimes != NULL && qvJson_Count(qvJson_Find(joined, "channels")) == 0)
            qvJson_Remove(joined, qvJson_Find(joined, "samplers"));
        return joined;
    }
    qvJson* clip = qvJson_AddObject(qvGltfBuilder_List(stage->builder, "animations"), NULL);
    qvJson_AddString(clip, "name", animation->name);
    NoteFrames(animation, clip);
    return clip;
}

qvResult qvGltfStage_AddClip(qvGltfStage* stage, qvError* error)
{
    qvResult result = MakeRoom(stage, error);
    if (result != qv_ok)
        return result;
    bool hasTargets = stage->targets->targetCount > 0, isSampled = stage->task->animation->clipTimes != NULL;
    if (!hasTargets && JoinsClip(stage) && !isSampled)
        return qv_ok; // nothing to add to it
    if (!hasTargets && stage->root < 0 && !isSampled)
    {
        qvJson* animations = qvJson_Find(stage->builder->json, "animations");
        if (animations != NULL && qvJson_Count(animations) == 0)
            qvJson_Remove(stage->builder->json, animations);
        qvExportReport_Warn(stage->task->report, "nothing moves; the file has no clip");
        return qv_ok;
    }
    qvJson* json = FindClip(stage);
    Clip clip = { stage, FindList(json, "samplers"), FindList(json, "channels"), 0 };
    if (hasTargets || stage->root >= 0)
        clip.input = AddInput(stage);
    stage->builder->failed |= json == NULL;
    if (isSampled)
        SampleClip(&clip);
    if (stage->root >= 0)
        AddRigid(&clip, "translation", QV_CLIP_TRANSLATION, 3);
    if (stage->root >= 0 && stage->targets->turns)
        AddRigid(&clip, "rotation", QV_CLIP_ROTATION, 4);
    if (!hasTargets)
        return qv_ok;
    WidenClips(stage);
    return AddAllWeights(&clip, error);
}
