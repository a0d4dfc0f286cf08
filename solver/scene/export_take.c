// SPDX-License-Identifier: GPL-3.0-or-later
// From a take to a file: bake, then what the formats want to know.
#include "base/memory.h"
#include "scene/take.h"

#include <stdlib.h>
#include <string.h>

qvTakeExport qvDefaultTakeExport(void)
{
    return (qvTakeExport){ .bake = qvDefaultBakeDef(), .options = qvDefaultExportOptions() };
}

// A body that the file's own clip moves keeps it in glTF: only what waves add is written, below the skin.
static bool KeepsClip(const qvTake* take, const char* path)
{
    const char* dot = strrchr(path, '.');
    bool gltf = dot != NULL && (strcasecmp(dot, ".glb") == 0 || strcasecmp(dot, ".gltf") == 0);
    return gltf && take->rig != NULL && take->body->model->source != NULL;
}

// World positions become displacements from what the clip alone would show, in the space of the unskinned mesh.
static qvResult ToBindSpace(const qvTake* take, qvBake* bake, qvError* error)
{
    size_t vertices = (size_t)bake->vertexCount;
    void* scratch = qvAllocateRaw(1, qvRig_ScratchSize(take->rig));
    qvVec3f* base = qvAllocateRaw(vertices, sizeof(*base));
    qvResult result = qv_ok;
    if (scratch == NULL || base == NULL)
        result = qvError_OutOfMemory(error, (double)vertices * sizeof(*base));
    for (int f = 0; result == qv_ok && f < bake->frameCount; f++)
    {
        qvVec3f* frame = bake->positions + (size_t)f * vertices;
        qvRig_Evaluate(take->rig, take->clip, bake->times[f], scratch, base);
        for (size_t i = 0; i < vertices; i++)
            frame[i] = (qvVec3f){ frame[i].x - base[i].x, frame[i].y - base[i].y, frame[i].z - base[i].z };
        qvRig_ToBindSpace(take->rig, take->clip, bake->times[f], scratch, frame, frame);
    }
    free(scratch);
    free(base);
    return result;
}

static void Describe(const qvTake* take, const qvBake* bake, bool keepsClip, qvAnimation* animation)
{
    *animation = qvDefaultAnimation();
    animation->model = take->body->model;
    animation->mesh = take->body->mesh;
    if (take->scene->name[0] != 0)
        animation->name = take->scene->name;
    animation->frameCount = bake->frameCount;
    animation->times = bake->times;
    animation->fps = bake->fps;
    animation->loop = bake->loop;
    animation->frames = bake->positions;
    animation->rigid = keepsClip ? NULL : bake->frames;
    animation->space = keepsClip ? qv_framesBind : qv_framesWorld;
    animation->clip = keepsClip ? take->clip : -1;
}

typedef qvResult ExportFcn(const qvAnimation* animation, const char* path, const qvExportOptions* options,
                           qvExportReport* report, qvError* error);

static qvResult Run(const qvTake* take, const qvTakeExport* def, const char* path, ExportFcn* function,
                    qvExportReport* report, qvError* error)
{
    qvBake* bake = NULL;
    char* text = NULL;
    bool keepsClip = KeepsClip(take, path);
    qvResult result = qvCreateBake(take, &def->bake, def->options.job, &bake, error);
    if (result == qv_ok && keepsClip)
        result = ToBindSpace(take, bake, error);
    if (result == qv_ok && def->embedScene)
        result = qvPrintScene(take->scene, &text, error);
    if (result == qv_ok)
    {
        qvAnimation animation;
        Describe(take, bake, keepsClip, &animation);
        animation.scene = text;
        result = function(&animation, path, &def->options, report, error);
    }
    qvFreeText(text);
    qvDestroyBake(bake);
    return result;
}

qvResult qvExportTake(const qvTake* take, const qvTakeExport* def, const char* path, qvExportReport* report,
                      qvError* error)
{
    return Run(take, def, path, qvExportAnimation, report, error);
}

qvResult qvEstimateTake(const qvTake* take, const qvTakeExport* def, const char* path, qvExportReport* report,
                        qvError* error)
{
    return Run(take, def, path, qvEstimateExport, report, error);
}
