// SPDX-License-Identifier: GPL-3.0-or-later
#include "solve.h"
#include "interrupt.h"

#include "quaver/document.h"
#include "quaver/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

qvJob SceneJob(SolvedScene* solved)
{
    return (qvJob){ .pool = solved->pool, .progress = ShowProgress, .context = &solved->line };
}

const Moments noMoments = { .range = { NAN, NAN } };

qvBakeDef BakeMoments(const Moments* moments)
{
    qvBakeDef def = qvDefaultBakeDef();
    def.fps = moments->fps, def.usePreview = moments->preview, def.hasRange = !isnan(moments->range[0]);
    memcpy(def.range, moments->range, sizeof(def.range));
    return def;
}

static qvResult Solve(const char* path, SolvedScene* solved, qvError* error)
{
    char* folder = qvPath_Folder(path);
    if (folder == NULL)
        return qvError_OutOfMemory(error, (double)strlen(path));
    qvResult result = qvCreatePool(0, &solved->pool, error);
    qvPipelineDef def = qvDefaultPipelineDef();
    char cache[4096];
    if (qvCacheFolder(cache, sizeof(cache)))
        def.cacheFolder = cache;
    if (result == qv_ok)
        result = qvCreatePipeline(&def, &solved->pipeline, error);
    qvJob job = SceneJob(solved);
    if (result == qv_ok)
        result = qvPipeline_Solve(solved->pipeline, solved->scene, folder, &job, &solved->take, error);
    free(folder);
    if (result != qv_ok)
        qvError_Prefix(error, "%s", path);
    return result;
}

qvResult SolveSceneFile(const char* path, SolvedScene* solved, qvError* error)
{
    *solved = (SolvedScene){ 0 };
    BeginProgress(&solved->line);
    CatchInterrupts();
    qvResult result = qvLoadScene(path, &solved->scene, error);
    if (result == qv_ok)
        result = Solve(path, solved, error);
    EndProgress(&solved->line);
    if (result != qv_ok)
        FreeSolvedScene(solved);
    return result;
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
