// SPDX-License-Identifier: GPL-3.0-or-later
// Animations (glTF 2.0, section 3.11) as clips of the rig.
#include "formats/gltf.h"

#include <limits.h>
#include <string.h>

// The channel's key times; they must increase.
static qvResult ReadTimes(qvGltf* gltf, qvRig* rig, const qvJson* json, const char* place, qvRigSampler* sampler,
                          qvError* error)
{
    qvGltfAccessor accessor;
    qvResult result = qvGltf_GetAccessor(gltf, json, place, "input", &accessor, error);
    if (result != qv_ok)
        return result;
    if (accessor.index < 0 || accessor.rows * accessor.columns != 1)
        return qvError_Set(error, qv_badInput, "%s.input: must name an accessor of type SCALAR", place);
    float* times;
    result = qvGltf_ReadFloats(gltf, rig->arena, &accessor, 1, &times, error);
    if (result != qv_ok)
        return result;
    for (int i = 1; i < accessor.count; i++)
    {
        if (!(times[i] > times[i - 1]))
            return qvError_Set(error, qv_badInput,
                               "%s.input: the times of accessors[%d] must increase, element %d does not", place,
                               accessor.index, i);
    }
    sampler->keyCount = accessor.count;
    sampler->times = times;
    return qv_ok;
}

static qvResult ReadValues(qvGltf* gltf, qvRig* rig, const qvJson* json, const char* place, qvRigSampler* sampler,
                           qvError* error)
{
    qvGltfAccessor accessor;
    qvResult result = qvGltf_GetAccessor(gltf, json, place, "output", &accessor, error);
    if (result != qv_ok)
        return result;
    if (accessor.index < 0)
        return qvError_Set(error, qv_badInput, "%s.output: is missing", place);
    int components = accessor.rows * accessor.columns;
    size_t total = (size_t)accessor.count * (size_t)components;
    size_t values = (size_t)sampler->keyCount * (sampler->interpolation == qv_rigCubic ? 3 : 1);
    if (total % values != 0 || total / values > INT_MAX)
        return qvError_Set(error, qv_badInput, "%s.output: accessors[%d] has %d elements, which do not fit %d keys",
                           place, accessor.index, accessor.count, sampler->keyCount);
    float* floats;
    result = qvGltf_ReadFloats(gltf, rig->arena, &accessor, components, &floats, error);
    sampler->width = (int)(total / values);
    sampler->values = floats;
    return result;
}

static qvResult ReadSampler(qvGltf* gltf, qvRig* rig, const qvJson* json, const char* place, qvRigSampler* sampler,
                            qvError* error)
{
    *sampler = (qvRigSampler){ .interpolation = qv_rigLinear };
    const char* interpolation = "LINEAR";
    qvResult result = qvJson_ReadString(json, place, "interpolation", &interpolation, error);
    if (result != qv_ok)
        return result;
    if (strcmp(interpolation, "STEP") == 0)
        sampler->interpolation = qv_rigStep;
    else if (strcmp(interpolation, "CUBICSPLINE") == 0)
        sampler->interpolation = qv_rigCubic;
    else if (strcmp(interpolation, "LINEAR") != 0)
        return qvError_Set(error, qv_badInput, "%s.interpolation: \"%.20s\" is none of glTF's", place, interpolation);
    result = ReadTimes(gltf, rig, json, place, sampler, error);
    if (result == qv_ok)
        result = ReadValues(gltf, rig, json, place, sampler, error);
    return result;
}

// What a channel moves. *used is false for channels that have no effect on vertices.
static qvResult ReadTarget(const qvGltf* gltf, const qvJson* json, const char* place, qvNotes* notes,
                           qvRigChannel* channel, bool* used, qvError* error)
{
    static const char* const paths[] = { "translation", "rotation", "scale", "weights" };
    qvJson *target = NULL, *node;
    const char* path = "";
    char where[QV_GLTF_MAX_PLACE];
    snprintf(where, sizeof(where), "%s.target", place);
    qvResult result = qvJson_ReadObject(json, place, "target", &target, error);
    if (result == qv_ok)
        result = qvGltf_Follow(&gltf->nodes, target, where, "node", &channel->node, &node, error);
    if (result == qv_ok)
        result = qvJson_ReadString(target, where, "path", &path, error);
    *used = false;
    if (result != qv_ok)
        return result;
    for (int i = 0; i < 4; i++)
    {
        if (strcmp(path, paths[i]) != 0)
            continue;
        channel->path = (qvRigPath)i;
        *used = channel->node >= 0;
        return qv_ok;
    }
    qvNotes_Add(notes, "%s.path: \"%.40s\" is left out", where, path);
    return qv_ok;
}

static qvResult ReadChannel(const qvGltf* gltf, const qvRig* rig, const qvJson* json, const char* place,
                            const qvRigSampler* samplers, int samplerCount, qvNotes* notes, qvRigChannel* channel,
                            bool* used, qvError* error)
{
    int index = -1;
    qvResult result = ReadTarget(gltf, json, place, notes, channel, used, error);
    if (result == qv_ok)
        result = qvJson_ReadInt(json, place, "sampler", 0, INT_MAX, &index, error);
    if (result != qv_ok || !*used)
        return result;
    if (index < 0 || index >= samplerCount)
        return qvError_Set(error, qv_badInput, "%s.sampler: must name one of the %d samplers", place, samplerCount);
    channel->sampler = samplers[index];
    int weights = rig->nodes[channel->node].weightCount;
    int width = channel->path == qv_rigWeights ? weights : channel->path == qv_rigRotation ? 4 : 3;
    if (channel->path == qv_rigWeights && weights == 0)
    {
        qvNotes_Add(notes, "%s: animates weights of a node without morph targets", place);
        *used = false;
    }
    else if (channel->sampler.width != width)
        return qvError_Set(error, qv_badInput, "%s.sampler: has %d numbers per key, %d are needed", place,
                           channel->sampler.width, width);
    return qv_ok;
}

static qvResult ReadSamplers(qvGltf* gltf, qvRig* rig, const qvJson* array, const char* place, qvRigSampler** samplers,
                             qvError* error)
{
    qvResult result =
        qvGltf_Allocate(gltf, rig->arena, (size_t)qvJson_Count(array), sizeof(qvRigSampler), place, samplers, error);
    int i = 0;
    for (const qvJson* item = qvJson_First(array); item != NULL && result == qv_ok; item = qvJson_Next(item), i++)
    {
        char where[QV_GLTF_MAX_PLACE];
        snprintf(where, sizeof(where), "%s.samplers[%d]", place, i);
        result = ReadSampler(gltf, rig, item, where, &(*samplers)[i], error);
    }
    return result;
}

static void AddChannel(qvRigClip* clip, const qvRigChannel* channel)
{
    clip->channels[clip->channelCount++] = *channel;
    double last = channel->sampler.times[channel->sampler.keyCount - 1];
    clip->duration = last > clip->duration ? last : clip->duration;
}

static qvResult ReadClip(qvGltf* gltf, qvRig* rig, const qvJson* json, const char* place, qvNotes* notes,
                         qvRigClip* clip, qvError* error)
{
    *clip = (qvRigClip){ 0 };
    const char* name = "";
    qvJson *samplerArray = NULL, *channelArray = NULL;
    qvRigSampler* samplers = NULL;
    qvResult result = qvJson_ReadString(json, place, "name", &name, error);
    if (result == qv_ok)
        result = qvJson_ReadArray(json, place, "samplers", &samplerArray, error);
    if (result == qv_ok)
        result = qvJson_ReadArray(json, place, "channels", &channelArray, error);
    if (result == qv_ok)
        result = ReadSamplers(gltf, rig, samplerArray, place, &samplers, error);
    if (result == qv_ok)
        result = qvGltf_Allocate(gltf, rig->arena, (size_t)qvJson_Count(channelArray), sizeof(qvRigChannel), place,
                                 &clip->channels, error);
    if (result != qv_ok)
        return result;
    clip->name = qvArena_CopyText(rig->arena, name);
    const qvJson* extras = qvJson_Find(json, "extras"); // as our own exports have them
    clip->rate = qvJson_Number(qvJson_Find(extras, "fps"));
    clip->loops = qvJson_Bool(qvJson_Find(extras, "loop"));
    if (clip->name == NULL)
        return qvError_OutOfMemory(error, (double)strlen(name));
    int i = 0, samplerCount = qvJson_Count(samplerArray);
    for (const qvJson* item = qvJson_First(channelArray); item != NULL && result == qv_ok;
         item = qvJson_Next(item), i++)
    {
        char where[QV_GLTF_MAX_PLACE];
        snprintf(where, sizeof(where), "%s.channels[%d]", place, i);
        qvRigChannel channel = { 0 };
        bool used = false;
        result = ReadChannel(gltf, rig, item, where, samplers, samplerCount, notes, &channel, &used, error);
        if (result == qv_ok && used)
            AddChannel(clip, &channel);
    }
    return result;
}

qvResult qvGltf_ReadAnimations(qvGltf* gltf, qvRig* rig, qvNotes* notes, qvError* error)
{
    qvJson* array = NULL;
    qvResult result = qvJson_ReadArray(gltf->json, "", "animations", &array, error);
    if (result == qv_ok)
        result = qvGltf_Allocate(gltf, rig->arena, (size_t)qvJson_Count(array), sizeof(qvRigClip), "animations",
                                 &rig->clips, error);
    for (const qvJson* item = qvJson_First(array); item != NULL && result == qv_ok; item = qvJson_Next(item))
    {
        char place[QV_GLTF_MAX_PLACE];
        snprintf(place, sizeof(place), "animations[%d]", rig->clipCount);
        result = ReadClip(gltf, rig, item, place, notes, &rig->clips[rig->clipCount], error);
        rig->clipCount++;
    }
    return result;
}
