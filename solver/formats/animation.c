// SPDX-License-Identifier: GPL-3.0-or-later
// The ways out for baked motion: checks the input, applies the preset, picks the exporter.
#include "formats/export.h"

#include "base/assert.h"
#include "base/clock.h"
#include "base/memory.h"
#include "quaver/path.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define EXPORTER(name) extern const qvExporter name;
#include "formats/exporter_list.inl"
#undef EXPORTER

static const qvExporter* const exporters[] = {
#define EXPORTER(name) &name,
#include "formats/exporter_list.inl"
#undef EXPORTER
};

static const qvExportPreset presets[] = {
#define PRESET(...) { __VA_ARGS__ },
#include "formats/preset_list.inl"
#undef PRESET
};

int qvExportPresetCount(void)
{
    return (int)(sizeof(presets) / sizeof(presets[0]));
}

const qvExportPreset* qvGetExportPreset(int index)
{
    QV_ASSERT(0 <= index && index < qvExportPresetCount());
    return &presets[index];
}

const qvExportPreset* qvFindExportPreset(const char* tag)
{
    for (int i = 0; i < qvExportPresetCount(); i++)
    {
        if (strcmp(presets[i].tag, tag) == 0)
            return &presets[i];
    }
    return NULL;
}

int qvExporterCount(void)
{
    return (int)(sizeof(exporters) / sizeof(exporters[0]));
}

qvExporterInfo qvGetExporter(int index)
{
    QV_ASSERT(0 <= index && index < qvExporterCount());
    return exporters[index]->info;
}

qvAnimation qvDefaultAnimation(void)
{
    return (qvAnimation){ .name = "animation", .fps = 24.0, .start = NAN, .clip = -1 };
}

qvExportOptions qvDefaultExportOptions(void)
{
    return (qvExportOptions){ .error = 0.001, .normals = true };
}

void qvExportReport_Warn(qvExportReport* report, const char* format, ...)
{
    size_t used = strlen(report->warning);
    char* at = report->warning + used;
    size_t room = sizeof(report->warning) - used;
    int before = snprintf(at, room, "%s", used > 0 ? "; " : "");
    if (before < 0 || (size_t)before >= room)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(at + before, room - (size_t)before, format, args);
    va_end(args);
}

const qvVec3f* qvExportTask_Frame(const qvExportTask* task, int frame)
{
    return task->animation->frames + (size_t)frame * (size_t)task->mesh->vertexCount;
}

qvExportFrame qvExportTask_Any(const qvExportTask* task, int frame)
{
    const qvMesh* own = task->animation->meshes != NULL ? task->animation->meshes[frame] : NULL;
    qvExportFrame any = { *task->model, qvExportTask_Frame(task, frame) };
    if (own != NULL)
    {
        any.model = (qvModel){ .mesh = (qvMesh*)own, .folder = task->model->folder };
        any.positions = own->positions;
    }
    return any;
}

// --- Checks ------------------------------------------------------------------------------------------------------

static const qvExporter* FindExporter(const char* path)
{
    for (int i = 0; i < qvExporterCount(); i++)
    {
        if (qvPath_HasExtension(path, exporters[i]->info.extensions))
            return exporters[i];
    }
    return NULL;
}

bool qvFindExporter(const char* path, qvExporterInfo* info)
{
    const qvExporter* exporter = FindExporter(path);
    if (exporter != NULL)
        *info = exporter->info;
    return exporter != NULL;
}

static qvResult UnknownExporter(const char* path, qvError* error)
{
    char list[128];
    size_t used = 0;
    for (int i = 0; i < qvExporterCount() && used < sizeof(list); i++)
        used += (size_t)snprintf(list + used, sizeof(list) - used, "%s.%s", i > 0 ? ", " : "", exporters[i]->info.tag);
    return qvError_Set(error, qv_badInput, "%s: no animation can be written by this name; end it in one of %s", path,
                       list);
}

static qvResult CheckOptions(const qvExportOptions* options, qvError* error)
{
    if (!(options->error > 0.0) || !isfinite(options->error))
        return qvError_Set(error, qv_badInput, "error: must be a fraction of the diagonal above 0, such as 0.001");
    if (options->maxTargets < 0)
        return qvError_Set(error, qv_badInput, "max-targets: must be 0 (no limit) or more");
    if (options->bones < 0 || options->bones > qv_maxBones)
        return qvError_Set(error, qv_badInput, "bones: must be from 1 to %d, or 0 for none", qv_maxBones);
    return qv_ok;
}

// Of the times as they are written.
static qvResult CheckTimes(const double* times, int count, qvError* error)
{
    for (int i = 0; i < count; i++)
    {
        if (!isfinite(times[i]) || (i > 0 && !((float)times[i] > (float)times[i - 1])))
            return qvError_Set(error, qv_badInput,
                               "frame %d at %.9g s: its time must be after that of the frame before, also as float32",
                               i, times[i]);
    }
    return qv_ok;
}

static bool IsFinite(const qvVec3f* positions, size_t count)
{
    float sum = 0.0f; // 0 times a number that is not finite is not 0
    for (size_t i = 0; i < count; i++)
        sum += 0.0f * positions[i].x + 0.0f * positions[i].y + 0.0f * positions[i].z;
    return sum == 0.0f;
}

static bool IsFiniteMap(const qvAffine* map)
{
    double sum = 0.0 * map->offset.x + 0.0 * map->offset.y + 0.0 * map->offset.z;
    for (int i = 0; i < 9; i++)
        sum += 0.0 * map->linear[i / 3][i % 3];
    return sum == 0.0;
}

static qvResult CheckFrames(const qvExportTask* task, qvError* error)
{
    const qvAnimation* animation = task->animation;
    for (int i = 0; i < animation->frameCount; i++)
    {
        qvExportFrame any = qvExportTask_Any(task, i);
        if (!IsFinite(any.positions, (size_t)any.model.mesh->vertexCount) ||
            (animation->rigid != NULL && !IsFiniteMap(&animation->rigid[i])))
            return qvError_Set(error, qv_badInput,
                               "frame %d: holds a position that is no finite number; check the motion there", i);
    }
    return qv_ok;
}

// --- Options and times -------------------------------------------------------------------------------------------

static int Lower(int a, int b)
{
    return a == 0 || (b != 0 && b < a) ? b : a;
}

static void ApplyPreset(qvExportTask* task, const qvExporterInfo* info)
{
    const qvExportPreset* preset = task->options.preset;
    qvExportOptions* options = &task->options;
    options->compress &= info->packs; // a page is compressed without being told
    bool compress = options->compress && (preset == NULL || preset->compress);
    if (options->compress && !compress)
        qvExportReport_Warn(task->report, "%s does not read compressed meshes, ordinary ones are written",
                            preset->label);
    options->compress = compress;
    options->quantize |= compress;
    task->sparse = !compress; // packed zeros take next to nothing
    if (preset == NULL || !info->usesOptions)
        return;
    task->options.maxTargets = Lower(task->options.maxTargets, preset->maxTargets);
    task->sparse &= preset->sparse;
    if (task->options.quantize && !preset->quantize)
        qvExportReport_Warn(task->report, "%s does not read quantized meshes, floats are written", preset->label);
    if (task->options.cubic && !preset->cubic)
        qvExportReport_Warn(task->report, "%s does not play cubic weights as written, lines are", preset->label);
    task->options.quantize = task->options.quantize && preset->quantize;
    task->options.cubic = task->options.cubic && preset->cubic;
    if (!task->options.normals && preset->morphNormals)
        qvExportReport_Warn(task->report, "%s shades deformed shapes wrongly without normals", preset->label);
    if (task->options.perFrame && preset->maxTargets > 0 && task->animation->frameCount > preset->maxTargets)
        qvExportReport_Warn(task->report, "one target per frame is more than the %d that %s plays well",
                            preset->maxTargets, preset->label);
}

static bool JoinsClip(const qvAnimation* animation)
{
    return animation->space == qv_framesBind && animation->clip >= 0 && animation->clipTimes == NULL;
}

static double* MakeTimes(const qvAnimation* animation)
{
    double* times = qvAllocateRaw((size_t)animation->frameCount, sizeof(double));
    double start = isnan(animation->start) ? animation->times[0] : animation->start;
    for (int i = 0; times != NULL && i < animation->frameCount; i++)
        times[i] = animation->times[i] - (JoinsClip(animation) ? 0.0 : start);
    return times;
}

// --- Exporting ---------------------------------------------------------------------------------------------------

static qvResult RunExporter(const qvExporter* exporter, qvExportTask* task, qvError* error)
{
    const qvAnimation* animation = task->animation;
    qvResult result = CheckOptions(&task->options, error);
    if (result == qv_ok && animation->meshes != NULL && !exporter->info.changes)
        result = qvError_Set(error, qv_unsupported,
                             "the body changes its topology, which %s files cannot hold; write .glb, .usda, or a "
                             "sequence of .obj or .ply files",
                             exporter->info.tag);
    QV_ASSERT(animation->meshes == NULL || (animation->space == qv_framesWorld && !animation->loop));
    if (result == qv_ok && animation->frameCount < 1)
        result = qvError_Set(error, qv_badInput, "the animation has no frames; choose a longer range");
    double* times = result == qv_ok ? MakeTimes(animation) : NULL;
    if (result == qv_ok && times == NULL)
        result = qvError_OutOfMemory(error, animation->frameCount * (double)sizeof(double));
    if (result == qv_ok)
        result = CheckTimes(times, animation->frameCount, error);
    if (result == qv_ok)
        result = CheckFrames(task, error);
    if (result == qv_ok)
        result = qvJob_Progress(task->options.job, "exporting", 0.0, error);
    task->times = times;
    if (result == qv_ok)
    {
        ApplyPreset(task, &exporter->info);
        result = exporter->write(task, error);
    }
    free(times);
    return result;
}

// The mesh alone stands in for a model.
static qvResult Export(const qvAnimation* animation, const char* path, const qvExportOptions* options,
                       qvExportReport* report, qvFileSet* files, qvError* error)
{
    const qvExporter* exporter = FindExporter(path);
    if (exporter == NULL)
        return UnknownExporter(path, error);
    qvModel bare = { .mesh = (qvMesh*)animation->mesh };
    const qvModel* model = animation->model != NULL ? animation->model : &bare;
    QV_ASSERT(model->mesh != NULL && (animation->frameCount < 1 || animation->frames != NULL));
    double start = qvMilliseconds();
    *report = (qvExportReport){ .frames = animation->frameCount, .keys = animation->frameCount };
    report->diagonal = qvBox_Diagonal(model->mesh->bounds);
    report->changes = animation->meshes != NULL;
    qvExportTask task = { .animation = animation,
                          .model = model,
                          .mesh = model->mesh,
                          .options = options != NULL ? *options : qvDefaultExportOptions(),
                          .path = path,
                          .files = files,
                          .report = report };
    qvResult result = RunExporter(exporter, &task, error);
    if (result != qv_ok)
        qvError_Prefix(error, "%s", path);
    report->milliseconds = qvMilliseconds() - start;
    return result;
}

// Work may take long: whether the place can be written to is found out first.
static qvResult CheckPlace(const char* path, bool isFolder, qvError* error)
{
    char* folder = qvPath_Folder(path);
    if (folder == NULL)
        return qvError_OutOfMemory(error, (double)strlen(path));
    struct stat info;
    bool exists = stat(folder, &info) == 0;
    if (!exists)
        qvError_Set(error, qv_notFound, "%s: the folder %s does not exist; make it first", path, folder);
    free(folder);
    if (!exists)
        return qv_notFound;
    if (isFolder)
        return qv_ok; // it is made soon enough
    qvFileWriter probe;
    qvResult result = qvFileWriter_Open(&probe, path, error);
    if (result == qv_ok)
        qvFileWriter_Discard(&probe);
    return result;
}

qvResult qvExportAnimation(const qvAnimation* animation, const char* path, const qvExportOptions* options,
                           qvExportReport* report, qvError* error)
{
    qvExportReport own;
    report = report != NULL ? report : &own;
    double start = qvMilliseconds();
    const qvExporter* exporter = FindExporter(path);
    qvFileSet files = { 0 };
    if (options != NULL)
        files.kept = options->keep, files.keptCount = options->keepCount;
    qvResult result = exporter != NULL ? CheckPlace(path, exporter->info.folder, error) : qv_ok;
    if (result == qv_ok)
        result = Export(animation, path, options, report, &files, error);
    if (result == qv_ok)
        result = qvFileSet_Commit(&files, error);
    else
        qvFileSet_Discard(&files);
    report->bytes = files.bytes;
    report->fileCount = files.written;
    report->milliseconds = qvMilliseconds() - start;
    return result;
}

qvResult qvEstimateExport(const qvAnimation* animation, const char* path, const qvExportOptions* options,
                          qvExportReport* report, qvError* error)
{
    return Export(animation, path, options, report, NULL, error);
}
