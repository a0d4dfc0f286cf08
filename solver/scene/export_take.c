// SPDX-License-Identifier: GPL-3.0-or-later
// From a take to files.
#include "base/memory.h"
#include "base/part.h"
#include "formats/export.h"
#include "formats/file_set.h"
#include "formats/side_files.h"
#include "quaver/path.h"
#include "scene/references.h"
#include "scene/take.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

qvTakeExport qvDefaultTakeExport(void)
{
    return (qvTakeExport){ .bake = qvDefaultBakeDef(), .options = qvDefaultExportOptions() };
}

// Or a page with it inside.
static bool IsGltf(const char* path)
{
    qvExporterInfo info;
    return qvFindExporter(path, &info) && info.usesOptions;
}

// The file's name without its ending, for a scene that has no name of its own.
static void CopyStem(const char* path, char* stem, size_t size)
{
    const char* name = qvPath_FileName(path);
    const char* extension = qvPath_Extension(path);
    size_t length = strlen(name) - (extension[0] != 0 ? strlen(extension) + 1 : 0);
    snprintf(stem, size, "%.*s", (int)length, name);
}

static qvAnimation MakeAnimation(const qvBake* bake, const qvTake* take, const char* stem)
{
    const qvBody* body = qvTake_Body(take);
    const qvScene* scene = qvTake_Scene(take);
    qvAnimation animation = qvDefaultAnimation();
    animation.model = body->model, animation.mesh = body->mesh;
    if (scene->name[0] != 0 || stem[0] != 0)
        animation.name = scene->name[0] != 0 ? scene->name : stem;
    animation.frameCount = bake->frameCount, animation.times = bake->times, animation.fps = bake->fps;
    animation.firstFrame = bake->first, animation.start = bake->start;
    animation.loop = bake->loop, animation.frames = bake->positions;
    if (bake->bind)
        animation.space = qv_framesBind, animation.clip = qvTake_Clip(take);
    else
        animation.rigid = bake->frames;
    animation.meshes = (const qvMesh* const*)bake->meshes;
    return animation;
}

// Where the clip of the file is at the frames, to be freed; NULL when it plays in the file as it does in the scene, for
// a reader that can. The end of a loop is its start.
static qvResult MakeClipTimes(const qvBake* bake, const qvTake* take, const qvExportPreset* preset, double** times,
                              qvError* error)
{
    *times = NULL;
    if (!bake->bind)
        return qv_ok;
    double* made = qvAllocateRaw((size_t)bake->frameCount, sizeof(*made));
    if (made == NULL)
        return qvError_OutOfMemory(error, (double)bake->frameCount * sizeof(*made));
    bool isOther = preset != NULL && !preset->cubicClips;
    for (int i = 0; i < bake->frameCount; i++)
    {
        made[i] = qvTake_ClipTime(take, bake->times[i]);
        bool isSeam = bake->loop && i == bake->frameCount - 1;
        isOther = isOther || (made[i] != bake->times[i] && !isSeam);
    }
    if (isOther)
        *times = made;
    else
        free(made);
    return qv_ok;
}

// --- The scene inside the file -------------------------------------------------------------------------------------

// The scene as text, to be freed with qvFreeText, with files as they are called from the folder of the one that carries
// it.
static qvResult PrintForFile(const qvTake* take, const char* path, char** text, qvError* error)
{
    const qvScene* moved = NULL;
    char* folder = qvPath_Folder(path);
    qvResult result = folder != NULL ? qvRebaseScene(take->scene, take->folder, folder, &moved, error)
                                     : qvError_OutOfMemory(error, (double)strlen(path));
    if (result == qv_ok)
        result = qvPrintScene(moved, text, error);
    qvReleaseScene(moved);
    free(folder);
    return result;
}

// --- Writing -------------------------------------------------------------------------------------------------------

typedef qvResult WriteFcn(const qvAnimation* animation, const char* path, const qvExportOptions* options,
                          qvExportReport* report, qvError* error);

static qvResult BakeAndWrite(const qvTake* take, const qvTakeExport* def, const char* path, WriteFcn* write,
                             qvExportReport* report, qvError* error)
{
    qvBakeDef bakeDef = def->bake;
    qvMoments moments;
    qvResult result = qvBakeDef_Moments(&bakeDef, qvTake_Scene(take), &moments, error);
    if (result != qv_ok)
        return result;
    // A skin holds the mesh of its file alone.
    bakeDef.bind = qvTake_Clip(take) >= 0 && IsGltf(path) && def->options.bones == 0 &&
                   moments.range[1] < qvTake_ChangesFrom(take);
    qvBake* bake;
    qvJobPart part;
    result = qvCreateBake(take, &bakeDef, qvJobPart_Begin(&part, def->options.job, 0.0, 0.5), &bake, error);
    if (result != qv_ok)
        return result;
    char stem[256];
    CopyStem(path, stem, sizeof(stem));
    qvAnimation animation = MakeAnimation(bake, take, stem);
    char* text = NULL;
    double* clipTimes;
    result = MakeClipTimes(bake, take, def->options.preset, &clipTimes, error);
    animation.clipTimes = clipTimes;
    if (result == qv_ok && def->embedScene && IsGltf(path))
        result = PrintForFile(take, path, &text, error);
    animation.scene = text;
    qvExportOptions options = def->options;
    options.job = qvJobPart_Begin(&part, def->options.job, 0.5, 1.0);
    if (result == qv_ok)
        result = write(&animation, path, &options, report, error);
    char remark[256];
    if (result == qv_ok && report != NULL && bake->meshes != NULL && qvTake_ChangeRemark(take, remark, sizeof(remark)))
        qvExportReport_Warn(report, "%s", remark);
    qvFreeText(text);
    free(clipTimes);
    qvDestroyBake(bake);
    return result;
}

// The mesh file and what it refers to, as paths; empty for a built-in shape.
static qvResult ListSources(const qvTake* take, qvSideFiles* sources, qvError* error)
{
    *sources = (qvSideFiles){ 0 };
    if (take->scene->mesh.file == NULL)
        return qv_ok;
    char* mesh = qvResolvePath(take->folder, take->scene->mesh.file);
    char* folder = mesh != NULL ? qvPath_Folder(mesh) : NULL;
    qvResult result = folder != NULL ? qvListSideFiles(mesh, sources, error) : qvError_OutOfMemory(error, 0.0);
    if (result == qv_notFound) // gone since it was read: nothing that could be lost
        result = qv_ok;
    for (int i = 0; i < sources->count && result == qv_ok; i++)
    {
        char* path = qvPath_Join(folder, sources->paths[i]);
        if (path == NULL)
            result = qvError_OutOfMemory(error, (double)strlen(folder));
        free(sources->paths[i]);
        sources->paths[i] = path;
    }
    free(folder);
    if (result == qv_ok && qvReserve(&sources->paths, &sources->capacity, sources->count + 1, sizeof(char*)))
        sources->paths[sources->count++] = mesh;
    else
        free(mesh);
    return result;
}

// What the scene is made from is never replaced by what is made from the scene.
qvResult qvExportTake(const qvTake* take, const qvTakeExport* def, const char* path, qvExportReport* report,
                      qvError* error)
{
    qvSideFiles sources;
    qvResult result = ListSources(take, &sources, error);
    qvTakeExport own = *def;
    own.options.keep = sources.paths, own.options.keepCount = sources.count;
    if (result == qv_ok)
        result = BakeAndWrite(take, &own, path, qvExportAnimation, report, error);
    qvSideFiles_Free(&sources);
    return result;
}

qvResult qvTake_CheckTarget(const qvTake* take, const char* path, qvError* error)
{
    qvSideFiles sources;
    qvResult result = ListSources(take, &sources, error);
    if (result == qv_ok)
        result = qvFileSet_Check(&(qvFileSet){ .kept = sources.paths, .keptCount = sources.count }, path, error);
    qvSideFiles_Free(&sources);
    return result;
}

qvResult qvEstimateTake(const qvTake* take, const qvTakeExport* def, const char* path, qvExportReport* report,
                        qvError* error)
{
    return BakeAndWrite(take, def, path, qvEstimateExport, report, error);
}
