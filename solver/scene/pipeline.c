// SPDX-License-Identifier: GPL-3.0-or-later
// From a scene to a take, stage by stage.
#include "scene/pipeline.h"

#include "base/memory.h"
#include "motion/space.h"
#include "scene/body.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// How many results each stage keeps: enough that undo and redo find theirs, few enough for memory. Poses depend on the
// number of keys.
static const int CAPACITIES[qv_stageCount] = {
    [qv_stageBody] = 2,  [qv_stagePoses] = 64, [qv_stageSpace] = 4, [qv_stageMotion] = 8,
    [qv_stageWaves] = 8, [qv_stageDetail] = 2, [qv_stageRests] = 4
};

// What all but the newest may have in memory together. A space that is gone is made again from modes on disk, which
// takes about a second where it is large.
static const double LIMITS[qv_stageCount] = {
    [qv_stageBody] = INFINITY,  [qv_stagePoses] = INFINITY,  [qv_stageSpace] = 2.5e7, [qv_stageMotion] = INFINITY,
    [qv_stageWaves] = INFINITY, [qv_stageDetail] = INFINITY, [qv_stageRests] = 1e8
};

static void DestroyBody(void* body)
{
    qvReleaseBody(body);
}

static void DestroySpace(void* space)
{
    qvDestroyMotionSpace(space);
}

qvPipelineDef qvDefaultPipelineDef(void)
{
    return (qvPipelineDef){ .cacheLimit = (size_t)4 << 30 };
}

qvResult qvCreatePipeline(const qvPipelineDef* def, qvPipeline** out, qvError* error)
{
    *out = NULL;
    qvPipeline* pipeline = qvAllocate(1, sizeof(*pipeline));
    if (pipeline == NULL)
        return qvError_OutOfMemory(error, sizeof(*pipeline));
    if (def != NULL && def->cacheFolder != NULL)
    {
        pipeline->disk = qvCreateDiskCache(def->cacheFolder, def->cacheLimit);
        if (pipeline->disk == NULL)
        {
            free(pipeline);
            return qvError_OutOfMemory(error, (double)strlen(def->cacheFolder));
        }
        pipeline->store = qvDiskCache_Store(pipeline->disk);
    }
    atomic_init(&pipeline->owners, 1);
    pthread_mutex_init(&pipeline->lock, NULL);
    pthread_mutex_init(&pipeline->parking, NULL);
    for (int i = 0; i < qv_stageCount; i++)
        qvStageCache_Init(&pipeline->caches[i], CAPACITIES[i], LIMITS[i]);
    *out = pipeline;
    return qv_ok;
}

void qvPipeline_SetCacheLimit(qvPipeline* pipeline, size_t bytes)
{
    if (pipeline->disk != NULL)
        qvDiskCache_SetLimit(pipeline->disk, bytes);
}

qvPipeline* qvRetainPipeline(qvPipeline* pipeline)
{
    atomic_fetch_add(&pipeline->owners, 1);
    return pipeline;
}

void qvDestroyPipeline(qvPipeline* pipeline)
{
    if (pipeline == NULL || atomic_fetch_sub(&pipeline->owners, 1) > 1)
        return;
    for (int i = 0; i < qv_stageCount; i++)
        qvStageCache_Free(&pipeline->caches[i]);
    qvReleaseStaged(pipeline->lastSpace);
    qvDestroyDiskCache(pipeline->disk);
    pthread_mutex_destroy(&pipeline->lock);
    pthread_mutex_destroy(&pipeline->parking);
    free(pipeline);
}

qvStaged* qvPipeline_LastSpace(qvPipeline* pipeline)
{
    pthread_mutex_lock(&pipeline->lock);
    qvStaged* space = qvRetainStaged(pipeline->lastSpace);
    pthread_mutex_unlock(&pipeline->lock);
    return space;
}

// What frames read of a space that another one follows goes into a file: undo finds it there.
static void ParkSpace(qvPipeline* pipeline, qvStaged* staged)
{
    if (staged == NULL || pipeline->disk == NULL)
        return;
    pthread_mutex_lock(&pipeline->parking);
    qvMotionSpace_Park(staged->object, qvDiskCache_Folder(pipeline->disk));
    qvStageCache_SetBytes(&pipeline->caches[qv_stageSpace], staged, qvMotionSpace_Bytes(staged->object));
    pthread_mutex_unlock(&pipeline->parking);
}

void qvPipeline_SetLastSpace(qvPipeline* pipeline, qvStaged* space)
{
    pthread_mutex_lock(&pipeline->lock);
    qvStaged* old = pipeline->lastSpace;
    pipeline->lastSpace = qvRetainStaged(space);
    pthread_mutex_unlock(&pipeline->lock);
    if (old != space)
        ParkSpace(pipeline, old);
    qvReleaseStaged(old);
}

qvResult qvPipeline_AddSpace(qvPipeline* pipeline, uint64_t hash, qvMotionSpace* space, qvStaged** staged,
                             qvError* error)
{
    qvStageCache* spaces = &pipeline->caches[qv_stageSpace];
    qvStaged* last = qvPipeline_LastSpace(pipeline);
    ParkSpace(pipeline, last); // before it is counted
    qvReleaseStaged(last);
    const qvStagedDef def = { hash, space, DestroySpace, qvMotionSpace_Bytes(space), 0 };
    qvResult result = qvStageCache_Add(spaces, &def, staged, error);
    qvStageCache_FollowSpaces(&pipeline->caches[qv_stageMotion], spaces);
    qvStageCache_FollowSpaces(&pipeline->caches[qv_stageWaves], spaces);
    return result;
}

int qvPipeline_Runs(const qvPipeline* pipeline, qvStage stage)
{
    return qvStageCache_Runs((qvStageCache*)&pipeline->caches[stage]);
}

const qvBody* qvPipeline_ShareBody(qvPipeline* pipeline, const qvBody* body)
{
    uint64_t source = ((const qvLoadedBody*)body)->source;
    qvStaged* shared;
    qvError ignored;
    // Without memory for it takes load their own.
    const qvStagedDef def = { .hash = source, .object = (void*)qvRetainBody(body), .destroy = DestroyBody };
    if (qvStageCache_Add(&pipeline->caches[qv_stageBody], &def, &shared, &ignored) != qv_ok)
        return qvRetainBody(body);
    const qvBody* kept = qvRetainBody(shared->object);
    qvReleaseStaged(shared);
    return kept;
}

// The body of a scene with one more owner.
static qvResult FindBody(qvSolving* solving, qvError* error)
{
    qvStageCache* cache = &solving->pipeline->caches[qv_stageBody];
    const qvSceneMesh* mesh = &solving->scene->mesh;
    solving->source = qvHashBodySource(mesh, solving->folder);
    qvStaged* shared = qvStageCache_Find(cache, solving->source);
    if (shared == NULL)
    {
        const qvBody* loaded;
        qvResult result = qvLoadBody(mesh, solving->folder, solving->job, &loaded, error);
        if (result == qv_ok)
        {
            const qvStagedDef def = { .hash = solving->source, .object = (void*)loaded, .destroy = DestroyBody };
            result = qvStageCache_Add(cache, &def, &shared, error);
        }
        if (result != qv_ok)
            return result;
    }
    solving->body = qvRetainBody(shared->object);
    qvReleaseStaged(shared);
    return qv_ok;
}

static qvResult RunStages(qvSolving* solving, qvError* error)
{
    qvResult result = qvScene_CheckBody(solving->scene, solving->body, error);
    if (result == qv_ok)
        result = qvCreateTake(solving->scene, solving->body, solving->folder, &solving->take, error);
    return result == qv_ok ? qvSolving_Layers(solving, error) : result;
}

static qvResult Solve(qvSolving* solving, qvTake** take, qvError* error)
{
    *take = NULL;
    qvResult result = FindBody(solving, error);
    if (result == qv_ok)
        result = RunStages(solving, error);
    if (result == qv_ok)
        *take = solving->take;
    else
        qvReleaseTake(solving->take);
    if (solving->space != NULL)
        qvMotionSpace_Rest(solving->space->object);
    qvSolving_Free(solving);
    qvReleaseBody(solving->body);
    if (solving->madeSpace) // poses in doubles and an older space are worth giving back
        qvReturnFreeMemory();
    return result;
}

qvResult qvPipeline_Solve(qvPipeline* pipeline, const qvScene* scene, const char* folder, const qvJob* job,
                          qvTake** take, qvError* error)
{
    qvSolving solving = { .pipeline = pipeline, .scene = scene, .folder = folder, .job = job };
    return Solve(&solving, take, error);
}

qvResult qvPipeline_SolveKnown(qvPipeline* pipeline, const qvScene* scene, const char* folder, const qvJob* job,
                               qvTake** take, qvError* error)
{
    qvSolving solving = { .pipeline = pipeline, .scene = scene, .folder = folder, .job = job, .isAtOnce = true };
    qvResult result = Solve(&solving, take, error);
    if (result == qv_ok && isfinite((*take)->missing.from))
        (*take)->pipeline = qvRetainPipeline(pipeline);
    return result;
}
