// SPDX-License-Identifier: GPL-3.0-or-later
// Baked motion as glTF: as few morph targets as keep every vertex within the error, which is measured on the numbers as
// they are written. Where rounding (quantization, cubic keys) spoils it, more shapes or more keys are taken.
#include "formats/export.h"

#include "base/memory.h"
#include "formats/gltf_bones.h"
#include "formats/gltf_epochs.h"
#include "formats/gltf_out.h"
#include "formats/gltf_stage.h"
#include "quaver/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Export
{
    const qvExportTask* task;
    qvMesh shown;      // the task's mesh, with normals of its own where it has none
    qvVec3f* smooth;   // those normals
    qvGltfFresh fresh; // a new document
    qvGltfBack back;   // or one that was read
    bool isBack;
    qvNormalGroups groups;
    bool hasNormals;
    bool quantize;
    qvGltfBodies bodies;
    qvMorphTargets targets;
} Export;

static qvGltfBuilder* BuilderOf(Export* export)
{
    return export->isBack ? &export->back.builder : &export->fresh.builder;
}

// --- Start and end -----------------------------------------------------------------------------------------------

static qvResult StartDocument(Export* export, qvError* error)
{
    const qvExportTask* task = export->task;
    qvResult result = qv_ok;
    export->shown = *task->mesh;
    export->isBack = task->model->source != NULL;
    if (!export->isBack && task->mesh->normalDomain == qv_domainNone && task->options.normals)
        result = qvGltf_AddSmoothNormals(task->mesh, &export->shown, &export->smooth, error);
    if (result != qv_ok)
        return result;
    if (export->isBack)
        result = qvGltfBack_Start(&export->back, task->model, task->mesh->positions, error);
    else
        result = qvGltfFresh_Start(&export->fresh, &export->shown, task->mesh->positions, error);
    export->hasNormals = task->options.normals && export->shown.normalDomain != qv_domainNone;
    if (result == qv_ok && export->hasNormals)
        result = qvCreateNormalGroups(&export->shown, &export->groups, error);
    const qvNormalGroups* groups = export->hasNormals ? &export->groups : NULL;
    if (result == qv_ok && export->isBack)
        result = qvGltfBodies_FromBack(&export->bodies, &export->back, groups, error);
    else if (result == qv_ok)
        result = qvGltfBodies_FromFresh(&export->bodies, &export->fresh, groups, error);
    return result;
}

static void FreeExport(Export* export)
{
    qvMorphTargets_Free(&export->targets);
    qvGltfBodies_Free(&export->bodies);
    qvNormalGroups_Free(&export->groups);
    if (export->isBack)
        qvGltfBack_Free(&export->back);
    else
        qvGltfFresh_Free(&export->fresh);
    free(export->smooth);
}

static qvResult StartTargets(Export* export, qvError* error)
{
    const qvExportTask* task = export->task;
    qvAffine* maps = NULL;
    if (task->animation->space == qv_framesBind)
    {
        maps = qvGltfBodies_VertexMaps(&export->bodies, task->mesh->vertexCount);
        if (maps == NULL)
            return qvError_OutOfMemory(error, task->mesh->vertexCount * (double)sizeof(qvAffine));
    }
    qvResult result = qvMorphTargets_Start(&export->targets, task, maps, error);
    free(maps);
    return result;
}

// --- Choosing targets --------------------------------------------------------------------------------------------

// Targets that an imported mesh has already count too.
static int TargetLimit(const Export* export)
{
    int limit = export->task->options.maxTargets, old = 0;
    for (int i = 0; limit > 0 && export->isBack && i < export->back.runCount; i++)
    {
        int count = export->back.edits.rig->nodes[export->back.runs[i].node].weightCount;
        old = count > old ? count : old;
    }
    return limit == 0 ? 0 : limit > old ? limit - old : 1;
}

static void WarnAboutTargets(const Export* export, int limit)
{
    qvExportReport* report = export->task->report;
    const qvExportOptions* options = &export->task->options;
    double tolerance = options->error * report->diagonal;
    if (report->maxError > tolerance && limit > 0 && report->targets >= limit)
    {
        bool isPreset = options->preset != NULL && options->maxTargets == options->preset->maxTargets;
        char advice[128] = "allow more targets";
        if (isPreset)
            snprintf(advice, sizeof(advice), "\"%s\" takes no more, allow a larger error or write for another program",
                     options->preset->label);
        qvExportReport_Warn(report, "%d target%s an error of %.3g of the diagonal, not %.3g; %s", report->targets,
                            report->targets == 1 ? " reaches" : "s reach", report->maxError / report->diagonal,
                            options->error, advice);
    }
    else if (report->maxError > tolerance)
        qvExportReport_Warn(report, "the error of %.3g of the diagonal is the least that can be written, not %.3g",
                            report->maxError / report->diagonal, export->task->options.error);
    if (report->targets > 200 && limit == 0)
        qvExportReport_Warn(report, "%d targets are slow in most viewers; allow a larger error", report->targets);
}

static qvResult MeasureShapes(Export* export, double step, qvError* error)
{
    const qvExportTask* task = export->task;
    qvExportReport* report = task->report;
    double negligible = 1e-3 * task->options.error * report->diagonal / (export->targets.targetCount + 1);
    qvGltfRounding rounding = { task->options.perFrame ? 0.0 : negligible, export->quantize, step };
    qvResult result = qvGltfBodies_SetShapes(&export->bodies, &export->targets, &rounding, error);
    if (result == qv_ok)
        result = qvGltfBodies_Measure(&export->bodies, &export->targets, &report->maxError, &report->rmsError, error);
    return result;
}

// Coarser steps need fewer bits: the coarsest that leave the error where it may be. What a step adds is about as if it
// were independent of the rest, and each try says how much that is.
static qvResult Coarsen(Export* export, double tolerance, qvError* error)
{
    const double MARGIN = 0.97;
    enum
    {
        MAX_TRIES = 8
    };
    const qvExportReport* report = export->task->report;
    double fine = report->maxError, most = fmax(tolerance, 1.01 * fine);
    double room = sqrt(fmax(most * most - fine * fine, 0.0)), step = 0.75 * room;
    qvResult result = qv_ok;
    bool holds = false;
    for (int i = 0; i < MAX_TRIES && result == qv_ok && !holds; i++)
    {
        result = qvJob_Progress(export->task->options.job, "measuring", 0.6, error);
        if (result == qv_ok)
            result = MeasureShapes(export, step, error);
        holds = report->maxError <= most;
        double added = sqrt(fmax(report->maxError * report->maxError - fine * fine, 0.0));
        step *= fmin(MARGIN * room / fmax(added, room), i < 2 ? 0.95 : 0.7); // steps of floats are powers of two
    }
    return result == qv_ok && !holds ? MeasureShapes(export, 0.0, error) : result;
}

// Until the error holds on what is written. Rounding takes part of it, so the aim is below.
static qvResult ChooseTargets(Export* export, qvError* error)
{
    const qvExportTask* task = export->task;
    qvExportReport* report = task->report;
    double tolerance = task->options.error * report->diagonal;
    bool isBind = task->animation->space == qv_framesBind;
    double cubic = task->options.cubic && !isBind && !task->options.perFrame ? 0.95 * tolerance : 0.0;
    double aim = (cubic > 0.0 ? 0.5 : task->options.compress ? 0.8 : 0.99) * tolerance;
    int limit = TargetLimit(export), minRank = 0, stalled = 0;
    double before = INFINITY;
    qvResult result = qv_ok;
    for (bool done = false; !done && result == qv_ok;)
    {
        bool atLimit = true;
        result = qvMorphTargets_Choose(&export->targets, aim, minRank, limit, cubic, &atLimit, error);
        if (result == qv_ok)
            result = qvJob_Progress(task->options.job, "measuring", 0.5, error);
        if (result == qv_ok)
            result = MeasureShapes(export, 0.0, error);
        stalled = cubic == 0.0 && report->maxError > 0.98 * before ? stalled + 1 : 0; // rounding is all that is left
        before = report->maxError;
        bool isRounding = stalled > 0 || (atLimit && limit == 0);
        if (report->maxError > tolerance && isRounding && task->options.compress && export->quantize)
        {
            export->quantize = false; // floats that are rounded to as much as is needed pack nearly as well
            minRank = stalled = 0, before = INFINITY;
            continue;
        }
        done = report->maxError <= tolerance || task->options.perFrame || (atLimit && cubic == 0.0) || stalled == 3;
        if (!done && export->targets.curves.isCubic)
            cubic = cubic > 0.6 * tolerance ? 0.8 * cubic : 0.0; // all vertices say more than those tested
        else
        {
            cubic = 0.0;
            minRank = export->targets.rank + 1 + export->targets.rank / 16;
        }
    }
    if (result == qv_ok && task->options.compress && export->targets.targetCount > 0)
        result = Coarsen(export, tolerance, error);
    report->targets = export->targets.targetCount;
    report->keys = export->targets.curves.keyCount;
    qvMorphTargets_DropShapes(&export->targets);
    if (result == qv_ok)
        WarnAboutTargets(export, limit);
    return result;
}

// --- Normals -----------------------------------------------------------------------------------------------------

// The last that is made of the frames.
static qvResult AddNormals(Export* export, qvError* error)
{
    const qvExportTask* task = export->task;
    const qvMorphTargets* targets = &export->targets;
    if (!export->hasNormals || targets->targetCount == 0)
        return qv_ok;
    size_t count = (size_t)targets->targetCount * 3 * (size_t) export->groups.count;
    float* normals = qvAllocateRaw(count, sizeof(float));
    if (normals == NULL)
        return qvError_OutOfMemory(error, (double)count * sizeof(float));
    qvResult result = qv_ok;
    if (targets->space == NULL)
        result = qvFindMorphNormals(&export->groups, task->mesh, &targets->frames, targets->targetCount,
                                    task->options.job, normals, error);
    else
        result = qvFitMorphNormals(&export->groups, task->mesh, &targets->frames, targets->weights,
                                   targets->targetCount, task->options.job, normals, error);
    qvMorphTargets_DropFrames(&export->targets);
    if (result == qv_ok)
        result = qvGltfBodies_SetNormals(&export->bodies, &export->groups, normals, task->options.quantize, error);
    free(normals);
    return result;
}

// --- The document ------------------------------------------------------------------------------------------------

static qvResult FindActors(Export* export, qvGltfStage* stage, qvError* error)
{
    stage->actorCount = export->isBack ? export->back.runCount : 1;
    stage->actors = qvAllocate((size_t)stage->actorCount, sizeof(qvGltfActor));
    if (stage->actors == NULL)
        return qvError_OutOfMemory(error, (double)stage->actorCount * sizeof(qvGltfActor));
    if (!export->isBack)
        stage->actors[0].run = -1;
    for (int i = 0; i < stage->actorCount && export->isBack; i++)
    {
        const qvRigNode* node = &export->back.edits.rig->nodes[export->back.runs[i].node];
        stage->actors[i] = (qvGltfActor){ .node = export->back.runs[i].node,
                                          .run = i,
                                          .oldTargetCount = node->weightCount,
                                          .firstOldWeight = node->firstWeight };
    }
    return qv_ok;
}

static qvResult Stage(Export* export, qvError* error)
{
    const qvExportTask* task = export->task;
    export->fresh.small = task->options.compress;
    if (!export->isBack)
        qvGltfFresh_Build(&export->fresh, task->animation->name, &export->bodies.items[0].grid);
    if (!export->isBack && task->mesh->materialCount == 0)
        qvGltfBuilder_ShowClay(BuilderOf(export), qvMesh_PlainColor(task->mesh));
    qvGltfStage stage = { .task = task,
                          .targets = &export->targets,
                          .bodies = &export->bodies,
                          .builder = BuilderOf(export),
                          .back = export->isBack ? &export->back : NULL,
                          .root = -1 };
    qvResult result = FindActors(export, &stage, error);
    if (result == qv_ok)
        result = qvGltfStage_AddTargets(&stage, error);
    if (result == qv_ok)
        result = qvGltfStage_AddNodes(&stage, error);
    if (result == qv_ok)
        result = qvGltfStage_AddClip(&stage, error);
    if (result == qv_ok)
        qvGltfBuilder_EmbedScene(stage.builder, task->animation->scene);
    free(stage.actors);
    return result;
}

static qvResult CheckClip(const qvExportTask* task, qvError* error)
{
    const qvAnimation* animation = task->animation;
    if (animation->space != qv_framesBind)
        return qv_ok;
    if (task->model->source == NULL)
        return qvError_Set(error, qv_badInput, "frames in bind space need a mesh from a glTF file");
    int count = task->model->rig != NULL ? qvRig_ClipCount(task->model->rig) : 0;
    if (animation->clip >= count)
        return qvError_Set(error, qv_badInput, "there is no clip %d, the file has %d", animation->clip, count);
    if (animation->clip >= 0 && task->times[0] < 0.0)
        return qvError_Set(error, qv_badInput, "frame 0: a clip of the file has no times before 0");
    return qv_ok;
}

static qvResult Run(const qvExportTask* task, qvGltfForm form, qvError* error)
{
    if (task->options.bones > 0)
        return qvExportGltfBones(task, form, error);
    if (task->animation->meshes != NULL)
        return qvExportGltfEpochs(task, form, error);
    qvResult result = CheckClip(task, error);
    if (result != qv_ok)
        return result;
    Export* export = qvAllocate(1, sizeof(Export));
    if (export == NULL)
        return qvError_OutOfMemory(error, sizeof(Export));
    export->task = task;
    export->quantize = task->options.quantize;
    result = StartDocument(export, error);
    if (result == qv_ok)
        result = StartTargets(export, error);
    if (result == qv_ok)
        result = ChooseTargets(export, error);
    if (result == qv_ok)
        result = AddNormals(export, error);
    if (result == qv_ok)
        result = qvJob_Progress(task->options.job, "writing", 0.9, error);
    if (result == qv_ok)
        result = Stage(export, error);
    if (result == qv_ok)
        result = qvGltf_WriteOut(task, BuilderOf(export), form, error);
    FreeExport(export);
    free(export);
    return result;
}

static qvResult WriteBinary(const qvExportTask* task, qvError* error)
{
    return Run(task, qv_gltfBinary, error);
}

static qvResult WriteText(const qvExportTask* task, qvError* error)
{
    return Run(task, qv_gltfText, error);
}

// The viewer inside of the page is ours and unpacks whatever is written here: a page is as small as it can be.
static qvResult WritePage(const qvExportTask* task, qvError* error)
{
    qvExportTask small = *task;
    small.options.quantize = small.options.compress = true, small.sparse = false;
    return Run(&small, qv_gltfPage, error);
}

const qvExporter qvExporterGlb = {
    .info = { .tag = "glb",
              .label = "glTF 2.0 binary",
              .extensions = "glb",
              .usesOptions = true,
              .changes = true,
              .bones = true,
              .packs = true },
    .write = WriteBinary,
};

const qvExporter qvExporterGltf = {
    .info = { .tag = "gltf",
              .label = "glTF 2.0",
              .extensions = "gltf",
              .usesOptions = true,
              .changes = true,
              .bones = true,
              .packs = true },
    .write = WriteText,
};

const qvExporter qvExporterPage = {
    .info = { .tag = "html",
              .label = "Web page that plays",
              .extensions = "html",
              .usesOptions = true,
              .changes = true,
              .bones = true },
    .write = WritePage,
};
