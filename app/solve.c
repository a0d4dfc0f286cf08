// SPDX-License-Identifier: GPL-3.0-or-later
#include "solve.h"
#include "interrupt.h"

#include "quaver/blas.h"
#include "quaver/document.h"
#include "quaver/path.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

qvJob SceneJob(SolvedScene* solved)
{
    return (qvJob){ .pool = solved->pool, .progress = ShowProgress, .log = PrintWarning, .context = &solved->line };
}

const Moments noMoments = { .range = { NAN, NAN } };

qvBakeDef BakeMoments(const Moments* moments)
{
    qvBakeDef def = qvDefaultBakeDef();
    def.fps = moments->fps, def.usePreview = moments->preview, def.hasRange = !isnan(moments->range[0]);
    memcpy(def.range, moments->range, sizeof(def.range));
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

static qvResult Begin(SolvedScene* solved, const SolveDef* how, qvError* error)
{
    *solved = (SolvedScene){ 0 };
    BeginProgress(&solved->line);
    CatchInterrupts();
    qvResult result = MakePool(&solved->pool, error);
    qvPipelineDef def = qvDefaultPipelineDef();
    char cache[4096];
    if (qvCacheFolder(cache, sizeof(cache)))
        def.cacheFolder = cache;
    if (!isnan(how->cacheBytes))
        def.cacheLimit = (size_t)how->cacheBytes;
    return result == qv_ok ? qvCreatePipeline(&def, &solved->pipeline, error) : result;
}

static qvResult End(SolvedScene* solved, qvResult result)
{
    EndProgress(&solved->line);
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

qvResult SolveSceneFile(const char* path, const SolveDef* def, SolvedScene* solved, qvError* error)
{
    char* folder = qvPath_Folder(path);
    qvResult result = Begin(solved, def, error);
    if (result == qv_ok && folder == NULL)
        result = qvError_OutOfMemory(error, (double)strlen(path));
    if (result == qv_ok)
        result = qvLoadScene(path, &solved->scene, error);
    if (result == qv_ok && def->check != NULL)
        result = def->check(solved->scene, def->context, error);
    if (result == qv_ok)
        result = Solve(solved, folder, path, error);
    free(folder);
    return End(solved, result);
}

static qvResult MakeClipScene(const char* path, const char* clip, SolvedScene* solved, qvError* error)
{
    qvSceneMesh mesh = { .file = path };
    const qvBody* body;
    qvJob job = SceneJob(solved);
    qvResult result = qvLoadBody(&mesh, ".", &job, &body, error);
    if (result != qv_ok)
        return result;
    result = qvCreateClipScene(&mesh, clip, body->model->rig, &solved->scene, error);
    if (result != qv_ok)
        qvError_Prefix(error, "%s", path);
    else
        qvReleaseBody(qvPipeline_ShareBody(solved->pipeline, body));
    qvReleaseBody(body);
    return result;
}

qvResult SolveClip(const char* path, const char* clip, const SolveDef* def, SolvedScene* solved, qvError* error)
{
    qvResult result = Begin(solved, def, error);
    if (result == qv_ok)
        result = MakeClipScene(path, clip, solved, error);
    if (result == qv_ok && def->check != NULL)
        result = def->check(solved->scene, def->context, error);
    if (result == qv_ok)
        result = Solve(solved, ".", path, error);
    return End(solved, result);
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
