// SPDX-License-Identifier: GPL-3.0-or-later
#include "solve.h"
#include "interrupt.h"

#include "quaver/blas.h"
#include "quaver/document.h"
#include "quaver/path.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

qvJob SceneJob(SolvedScene* solved)
{
    return (qvJob){ .pool = solved->pool, .progress = ShowProgress, .log = PrintWarning, .context = &solved->line };
}

const Moments noMoments = { .range = { NAN, NAN }, .frames = { INT_MAX, INT_MIN } };
const Cache defaultCache = { .bytes = NAN };

bool HasFrames(const Moments* moments)
{
    return moments->frames[0] != INT_MAX;
}

qvBakeDef BakeMoments(const Moments* moments)
{
    qvBakeDef def = qvDefaultBakeDef();
    def.fps = moments->fps, def.usePreview = moments->preview, def.hasRange = !isnan(moments->range[0]);
    memcpy(def.range, moments->range, sizeof(def.range));
    def.hasFrames = HasFrames(moments);
    memcpy(def.frames, moments->frames, sizeof(def.frames));
    return def;
}

// As many threads as there are cores, or one where addresses are too few for what each needs.
static qvResult MakePool(qvPool** pool, qvError* error)
{
    qvResult result = qvCreatePool(0, pool, error);
    if (result != qv_ok || qvBlas_Claim(qvPool_ThreadCount(*pool), NULL) == qv_ok)
        return result;
    qvDestroyPool(*pool);
    *pool = NULL;
    result = qvBlas_Claim(1, error);
    return result == qv_ok ? qvCreatePool(1, pool, error) : result;
}

// A folder that was named for many to share must be there: without it each would do the work of all.
static qvResult CheckCache(const char* folder, qvError* error)
{
    struct stat about;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return qvError_Set(error, qv_ioFailed, "%s: cannot make the folder of the cache: %s", folder, strerror(errno));
    if (stat(folder, &about) != 0 || !S_ISDIR(about.st_mode))
        return qvError_Set(error, qv_badInput, "%s: is no folder; name one for the cache", folder);
    if (access(folder, W_OK | X_OK) != 0)
        return qvError_Set(error, qv_ioFailed, "%s: cannot keep anything in this folder: %s", folder, strerror(errno));
    return qv_ok;
}

static qvResult Begin(SolvedScene* solved, const SolveDef* how, qvError* error)
{
    *solved = (SolvedScene){ 0 };
    BeginProgress(&solved->line);
    SetShare(&solved->line, 0.0, 0.5);
    CatchInterrupts();
    qvResult result = MakePool(&solved->pool, error);
    qvPipelineDef def = qvDefaultPipelineDef();
    char own[4096];
    if (how->cache.folder != NULL)
        def.cacheFolder = how->cache.folder;
    else if (qvCacheFolder(own, sizeof(own)))
        def.cacheFolder = own;
    if (!isnan(how->cache.bytes))
        def.cacheLimit = (size_t)how->cache.bytes;
    if (result == qv_ok && how->cache.folder != NULL)
        result = CheckCache(how->cache.folder, error);
    return result == qv_ok ? qvCreatePipeline(&def, &solved->pipeline, error) : result;
}

static qvResult End(SolvedScene* solved, qvResult result)
{
    EndProgress(&solved->line);
    SetShare(&solved->line, 0.5, 1.0);
    if (result != qv_ok)
        FreeSolvedScene(solved);
    return result;
}

static qvResult Solve(SolvedScene* solved, const char* folder, const char* path, qvError* error)
{
    qvJob job = SceneJob(solved);
    qvResult result = qvPipeline_Solve(solved->pipeline, solved->scene, folder, &job, &solved->take, error);
    if (result != qv_ok)
        qvError_Prefix(error, "%s", path);
    return result;
}

qvResult LoadSceneFile(const char* path, const Clip* clip, const qvScene** scene, qvError* error)
{
    qvResult result = qvLoadScene(path, scene, error);
    if (result != qv_ok)
        return result;
    result = ChooseClip(clip, scene, error);
    if (result == qv_ok)
        return qv_ok;
    qvReleaseScene(*scene);
    *scene = NULL;
    return result;
}

qvResult SolveSceneFile(const char* path, const SolveDef* def, SolvedScene* solved, qvError* error)
{
    char* folder = qvPath_Folder(path);
    qvResult result = Begin(solved, def, error);
    if (result == qv_ok && folder == NULL)
        result = qvError_OutOfMemory(error, (double)strlen(path));
    if (result == qv_ok)
        result = LoadSceneFile(path, def->clip, &solved->scene, error);
    if (result == qv_ok && def->check != NULL)
        result = def->check(solved->scene, def->context, error);
    if (result == qv_ok)
        result = Solve(solved, folder, path, error);
    free(folder);
    return End(solved, result);
}

static qvResult MakeClipScene(const char* path, const Clip* clip, SolvedScene* solved, qvError* error)
{
    bool isNone = clip->name != NULL && strcmp(clip->name, "none") == 0;
    Clip rest = *clip; // the clip is named as the scene would name it
    rest.name = isNone ? clip->name : NULL;
    qvSceneMesh mesh = { .file = path };
    const qvBody* body;
    qvJob job = SceneJob(solved);
    qvResult result = qvLoadBody(&mesh, ".", &job, &body, error);
    if (result != qv_ok)
        return result;
    result = qvCreateClipScene(&mesh, isNone ? NULL : clip->name, body->model->rig, &solved->scene, error);
    if (result == qv_ok)
        result = ChooseClip(&rest, &solved->scene, error);
    if (result == qv_ok)
        result = FitRange(&solved->scene, error);
    if (result != qv_ok)
        qvError_Prefix(error, "%s", path);
    else
        qvReleaseBody(qvPipeline_ShareBody(solved->pipeline, body));
    qvReleaseBody(body);
    return result;
}

qvResult SolveClip(const char* path, const SolveDef* def, SolvedScene* solved, qvError* error)
{
    qvResult result = Begin(solved, def, error);
    if (result == qv_ok)
        result = MakeClipScene(path, def->clip, solved, error);
    if (result == qv_ok && def->check != NULL)
        result = def->check(solved->scene, def->context, error);
    if (result == qv_ok)
        result = Solve(solved, ".", path, error);
    return End(solved, result);
}

qvResult DescribeSources(const char* path, const qvScene* scene, qvPart* part, qvError* error)
{
    char* folder = qvPath_Folder(path);
    qvResult result = folder != NULL ? qvPart_Describe(part, scene, folder, NULL, error)
                                     : qvError_OutOfMemory(error, (double)strlen(path));
    free(folder);
    return result;
}

qvResult DescribeSolved(SolvedScene* solved, const qvPart* before, qvPart* part, qvError* error)
{
    qvJob job = SceneJob(solved);
    qvResult result = qvPart_Describe(part, solved->scene, qvTake_Folder(solved->take), &job, error);
    if (result == qv_ok && before != NULL && !qvPart_HasSameSources(before, part))
        return qvError_Set(error, qv_ioFailed, "%s: the scene or a file of it was changed meanwhile; try again",
                           part->output);
    return result;
}

void WarnOfSimulations(SolvedScene* solved)
{
    char text[qv_maxRemark];
    EndProgress(&solved->line);
    for (int i = 0; i < solved->scene->simulationCount; i++)
    {
        if (qvTake_SimulationRemark(solved->take, i, text))
            fprintf(stderr, "quaver: warning: %s\n", text);
    }
    if (qvTake_DetailRemark(solved->take, text))
        fprintf(stderr, "quaver: warning: %s\n", text);
}

void FreeSolvedScene(SolvedScene* solved)
{
    EndProgress(&solved->line);
    qvReleaseTake(solved->take);
    qvDestroyPipeline(solved->pipeline);
    qvDestroyPool(solved->pool);
    qvReleaseScene(solved->scene);
    *solved = (SolvedScene){ 0 };
}
