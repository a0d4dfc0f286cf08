// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/gltf_epochs.h"

#include "base/memory.h"
#include "formats/gltf_fresh.h"
#include "quaver/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    MANY_FRAMES = 200, // from which on viewers become slow
};

// A player whose clock says a key's time exactly must be past the key as it is written.
static float RoundDown(double time)
{
    float rounded = (float)time;
    return (double)rounded > time ? nextafterf(rounded, -INFINITY) : rounded;
}

// --- Rounding ------------------------------------------------------------------------------------------------------

// What is packed is rounded to floats with zeros at their ends: the coarsest that are within the error.
typedef struct Rounding
{
    double unit; // 0: none
    double largest, squares, count;
} Rounding;

static Rounding StartRounding(const qvExportTask* task)
{
    double most = task->options.error * task->report->diagonal;
    bool rounds = task->options.compress && most > 0.0;
    return (Rounding){ .unit = rounds ? exp2(floor(log2(2.0 * most / sqrt(3.0)))) : 0.0 };
}

static float RoundNumber(const Rounding* rounding, float number)
{
    return (float)(rounding->unit * rint(number / rounding->unit) + 0.0); // no negative zeros
}

// Rounded copies, to be freed; NULL when memory runs out.
static qvVec3f* RoundPositions(Rounding* rounding, const qvVec3f* positions, int count)
{
    qvVec3f* rounded = qvAllocateRaw((size_t)count, sizeof(*rounded));
    for (int i = 0; i < count && rounded != NULL; i++)
    {
        qvVec3f p = positions[i];
        rounded[i] = (qvVec3f){ RoundNumber(rounding, p.x), RoundNumber(rounding, p.y), RoundNumber(rounding, p.z) };
        double distance = qvDistance(qvVec3_FromFloat(p), qvVec3_FromFloat(rounded[i]));
        rounding->largest = fmax(rounding->largest, distance);
        rounding->squares += distance * distance;
        rounding->count += 1.0;
    }
    return rounded;
}

static void ReportRounding(const Rounding* rounding, qvExportReport* report)
{
    report->maxError = rounding->largest;
    report->rmsError = rounding->count > 0.0 ? sqrt(rounding->squares / rounding->count) : 0.0;
}

// --- The document --------------------------------------------------------------------------------------------------

static qvResult AddMesh(const qvExportTask* task, qvGltfBuilder* builder, int frame, const qvMesh* shown,
                        const qvVec3f* positions, Rounding* rounding, qvError* error)
{
    char name[64];
    snprintf(name, sizeof(name), "frame %d", frame);
    qvGltfFresh fresh;
    qvVec3f* rounded = NULL;
    qvResult result = qvGltfFresh_Start(&fresh, shown, positions, error);
    if (result == qv_ok && rounding->unit > 0.0)
    {
        rounded = RoundPositions(rounding, positions, shown->vertexCount);
        if (rounded == NULL)
            result = qvError_OutOfMemory(error, 12.0 * shown->vertexCount);
        fresh.positions = rounded;
    }
    fresh.small = task->options.compress;
    if (result == qv_ok)
        qvGltfFresh_AddMesh(&fresh, builder, name);
    qvGltfFresh_Free(&fresh);
    free(rounded);
    return result;
}

static qvResult AddFrame(const qvExportTask* task, qvGltfBuilder* builder, int frame, Rounding* rounding,
                         qvError* error)
{
    qvExportFrame any = qvExportTask_Any(task, frame);
    qvMesh shown = *any.model.mesh;
    qvVec3f* smooth = NULL;
    qvResult result = qv_ok;
    if (shown.normalDomain == qv_domainNone && task->options.normals)
    {
        smooth = qvAllocateRaw((size_t)shown.vertexCount, sizeof(*smooth));
        result = smooth != NULL ? qvGltf_SmoothNormals(&shown, any.positions, smooth, error)
                                : qvError_OutOfMemory(error, 12.0 * shown.vertexCount);
        shown.normals = smooth, shown.normalDomain = qv_domainVertex;
    }
    if (result == qv_ok)
        result = AddMesh(task, builder, frame, &shown, any.positions, rounding, error);
    free(smooth);
    return result;
}

// What has no material looks as the body does without one.
static void AddMaterials(const qvExportTask* task, qvGltfBuilder* builder)
{
    qvGltfBuilder_AddMaterials(builder, task->mesh);
    int clay = -1;
    for (qvJson* mesh = qvJson_First(qvJson_Find(builder->json, "meshes")); mesh != NULL; mesh = qvJson_Next(mesh))
    {
        qvJson* item = qvJson_First(qvJson_Find(mesh, "primitives"));
        for (; item != NULL; item = qvJson_Next(item))
        {
            if (qvJson_Find(item, "material") != NULL)
                continue;
            clay = clay >= 0 ? clay : qvGltfBuilder_AddClay(builder, qvMesh_PlainColor(task->mesh));
            qvJson_AddNumber(item, "material", clay);
        }
    }
}

// Node 0 holds a node for every frame; before the clip plays the first one is seen.
static void AddNodes(const qvExportTask* task, qvGltfBuilder* builder)
{
    qvJson* children = qvJson_AddArray(qvGltfBuilder_AddScene(builder, task->animation->name), "children");
    for (int i = 0; i < task->animation->frameCount; i++)
    {
        const double scale[3] = { i == 0, i == 0, i == 0 };
        qvJson_AddNumber(children, NULL, 1 + i);
        qvJson* node = qvJson_AddObject(qvGltfBuilder_List(builder, "nodes"), NULL);
        qvJson_AddNumber(node, "mesh", i);
        qvJson_AddNumbers(node, "scale", scale, 3);
    }
}

// An accessor of scales 0 or 1 at a node's keys.
static int AddScales(qvGltfBuilder* builder, const float* values, int count)
{
    float scales[9];
    for (int i = 0; i < 3 * count; i++)
        scales[i] = values[i / 3];
    return qvGltfBuilder_AddFloats(builder, scales, 3, count, QV_GLTF_NO_TARGET, false);
}

// The keys of a node: 1 from its frame's time to the next one's, 0 at all others.
static void AddChannel(const qvExportTask* task, qvGltfBuilder* builder, int frame, qvJson* clip, const int scales[3])
{
    int last = task->animation->frameCount - 1, count = 0;
    float times[3];
    if (frame > 0)
        times[count++] = 0.0f;
    times[count++] = RoundDown(task->times[frame]);
    if (frame < last)
        times[count++] = RoundDown(task->times[frame + 1]);
    qvJson* samplers = qvJson_Find(clip, "samplers");
    int sampler = qvJson_Count(samplers);
    qvJson* item = qvJson_AddObject(samplers, NULL);
    qvJson_AddNumber(item, "input", qvGltfBuilder_AddFloats(builder, times, 1, count, QV_GLTF_NO_TARGET, true));
    qvJson_AddNumber(item, "output", scales[frame == 0 ? 0 : frame < last ? 1 : 2]);
    qvJson_AddString(item, "interpolation", "STEP");
    qvJson* channel = qvJson_AddObject(qvJson_Find(clip, "channels"), NULL);
    qvJson_AddNumber(channel, "sampler", sampler);
    qvJson* target = qvJson_AddObject(channel, "target");
    qvJson_AddNumber(target, "node", 1 + frame);
    qvJson_AddString(target, "path", "scale");
    builder->failed |= target == NULL;
}

static void AddClip(const qvExportTask* task, qvGltfBuilder* builder)
{
    const qvAnimation* animation = task->animation;
    const float values[] = { 0.0f, 1.0f, 0.0f };
    if (animation->frameCount < 2)
        return;
    qvJson* clip = qvJson_AddObject(qvGltfBuilder_List(builder, "animations"), NULL);
    qvJson_AddString(clip, "name", animation->name);
    qvJson_AddArray(clip, "channels");
    qvJson_AddArray(clip, "samplers");
    const int scales[3] = { AddScales(builder, values + 1, 2), AddScales(builder, values, 3),
                            AddScales(builder, values, 2) };
    for (int i = 0; i < animation->frameCount; i++)
        AddChannel(task, builder, i, clip, scales);
    qvJson* extras = qvJson_AddObject(clip, "extras"); // for importers that count in frames, as Blender does
    qvJson_AddNumber(extras, "fps", animation->fps);
    qvJson_AddBool(extras, "loop", false);
}

static void Warn(const qvExportTask* task)
{
    if (task->animation->frameCount > MANY_FRAMES)
        qvExportReport_Warn(task->report,
                            "the topology changes, so that each of the %d frames is a mesh of its own, "
                            "which is slow in most viewers; write fewer frames per second or a shorter range",
                            task->animation->frameCount);
    if (task->options.quantize && !task->options.compress)
        qvExportReport_Warn(task->report, "the topology changes, floats are written");
}

qvResult qvExportGltfEpochs(const qvExportTask* task, qvGltfForm form, qvError* error)
{
    int frames = task->animation->frameCount;
    Rounding rounding = StartRounding(task);
    qvGltfBuilder builder;
    qvGltfBuilder_Start(&builder, NULL);
    AddNodes(task, &builder);
    qvResult result = qv_ok;
    for (int i = 0; result == qv_ok && i < frames; i++)
    {
        result = AddFrame(task, &builder, i, &rounding, error);
        if (result == qv_ok)
            result = qvJob_Progress(task->options.job, "writing", 0.9 * (i + 1.0) / frames, error);
    }
    if (result == qv_ok)
    {
        ReportRounding(&rounding, task->report);
        AddMaterials(task, &builder);
        AddClip(task, &builder);
        qvGltfBuilder_EmbedScene(&builder, task->animation->scene);
        Warn(task);
        result = qvGltf_WriteOut(task, &builder, form, error);
    }
    qvGltfBuilder_Finish(&builder);
    return result;
}
