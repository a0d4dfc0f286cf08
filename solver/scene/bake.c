// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of a take, several at a time.
#include "base/assert.h"
#include "base/memory.h"
#include "scene/take.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MAX_SAMPLES = 100000,
    BATCH = 16, ///< frames whose motion is evaluated together
    TRIES = 3,  ///< of what is lost again and again
    GRAIN = 2,  ///< frames whose vertices a thread then finds at a time
};

qvBakeDef qvDefaultBakeDef(void)
{
    return (qvBakeDef){ .usePreview = false };
}

static qvResult CheckRange(double fps, const double range[2], qvError* error)
{
    if (!(fps >= 1.0 && fps <= 240.0))
        return qvError_Set(error, qv_badInput, "%g frames per second are not between 1 and 240", fps);
    if (!isfinite(range[0]) || !isfinite(range[1]) || !(range[1] > range[0]))
        return qvError_Set(error, qv_badInput, "the range from %g s to %g s has no length; make its end later",
                           range[0], range[1]);
    int samples = qvScene_SampleCount(fps, range);
    if (samples > MAX_SAMPLES)
    {
        char count[16] = "the"; // a number of hundreds of digits says no more
        if (samples < 1000000000)
            snprintf(count, sizeof(count), "%d", samples);
        return qvError_Set(error, qv_badInput,
                           "%s frames from %g s to %g s are more than %d; choose a shorter range or fewer frames per "
                           "second",
                           count, range[0], range[1], MAX_SAMPLES);
    }
    return qv_ok;
}

// After any number of whole periods, begun anywhere, the motion is where it was. Typed ends may miss it by rounding.
static bool IsWholePeriods(const double range[2], double period)
{
    double length = range[1] - range[0], periods = rint(length / period);
    double largest = fmax(length, fmax(fabs(range[0]), fabs(range[1])));
    return periods >= 1.0 && fabs(length - periods * period) <= 1e-12 * largest;
}

// The frames that are asked for, as far as they exist.
static qvResult ChooseFrames(const qvBakeDef* def, qvMoments* moments, qvError* error)
{
    moments->first = 0, moments->count = moments->total;
    if (!def->hasFrames)
        return qv_ok;
    int last = def->frames[1] < moments->total ? def->frames[1] : moments->total - 1;
    moments->first = def->frames[0] > 0 ? def->frames[0] : 0;
    moments->count = last - moments->first + 1;
    if (moments->first <= last)
        return qv_ok;
    return qvError_Set(error, qv_badInput, "none of the frames %d to %d exists; choose some from 0 to %d",
                       def->frames[0], def->frames[1], moments->total - 1);
}

qvResult qvBakeDef_Moments(const qvBakeDef* def, const qvScene* scene, qvMoments* moments, qvError* error)
{
    double whole[2], *range = moments->range;
    qvScene_Range(scene, whole);
    bool preview = def->usePreview && scene->hasPreview;
    memcpy(range, def->hasRange ? def->range : preview ? scene->preview : whole, 2 * sizeof(*range));
    moments->fps = def->fps > 0.0 ? def->fps : scene->fps;
    qvResult result = CheckRange(moments->fps, range, error);
    moments->total = result == qv_ok ? qvScene_SampleCount(moments->fps, range) : 0;
    moments->first = moments->count = 0;
    moments->loop = scene->loop && IsWholePeriods(range, whole[1] - whole[0]);
    return result == qv_ok ? ChooseFrames(def, moments, error) : result;
}

// A place for every frame's own mesh, where the topology may change.
static qvResult AllocateMeshes(qvBake* bake, const qvTake* take, qvError* error)
{
    if (bake->times[bake->frameCount - 1] < qvTake_ChangesFrom(take))
        return qv_ok;
    bake->meshes = qvAllocate((size_t)bake->frameCount, sizeof(*bake->meshes));
    return bake->meshes != NULL ? qv_ok : qvError_OutOfMemory(error, 8.0 * bake->frameCount);
}

// One topology after all.
static void DropNoMeshes(qvBake* bake)
{
    for (int i = 0; bake->meshes != NULL && i < bake->frameCount; i++)
    {
        if (bake->meshes[i] != NULL)
            return;
    }
    free(bake->meshes);
    bake->meshes = NULL;
}

static qvResult Allocate(qvBake* bake, qvError* error)
{
    size_t frames = (size_t)bake->frameCount, vertices = (size_t)bake->vertexCount;
    bake->times = qvAllocate(frames, sizeof(*bake->times));
    bake->frames = qvAllocate(frames, sizeof(*bake->frames));
    bake->positions = qvAllocateRaw(frames * vertices, sizeof(*bake->positions));
    if (bake->times == NULL || bake->frames == NULL || bake->positions == NULL)
        return qvError_Set(error, qv_outOfMemory,
                           "%d frames of %d vertices take %.1f MB, more than there is; choose a shorter range or fewer "
                           "frames per second",
                           bake->frameCount, bake->vertexCount,
                           (double)frames * (double)vertices * sizeof(*bake->positions) / 1e6);
    return qv_ok;
}

// Some frames of a bake.
typedef struct Work
{
    const qvTake* take;
    qvBake* bake;
    int first, count;
    qvVec3f* points;    // [BATCH][pointCount] of these frames
    atomic_bool failed; // memory ran out
    qvResult results[BATCH];
    qvError errors[BATCH]; // of the meshes of these frames
} Work;

// What the thread of some frames works with.
typedef struct Desk
{
    qvTakeView view;
    void* rigScratch; // of a clip
} Desk;

static bool SetUp(Desk* desk, const qvTake* take, bool bind)
{
    *desk = (Desk){ 0 };
    if (bind)
        desk->rigScratch = qvAllocateRaw(1, qvRig_ScratchSize(qvTake_Body(take)->model->rig));
    return qvTakeView_SetTake(&desk->view, take, NULL) == qv_ok && (!bind || desk->rigScratch != NULL);
}

static void CleanUp(Desk* desk)
{
    qvTakeView_Free(&desk->view);
    free(desk->rigScratch);
}

// What lies over the clip adds to it, where morph targets are: below the skin.
static void BindFrame(Desk* desk, double time, const qvVec3f* points, qvVec3f* vertices)
{
    const qvTake* take = desk->view.take;
    const qvBody* body = qvTake_Body(take);
    const qvMesh* mesh = body->mesh;
    qvTake_ClipPoints(take, time, desk->view.scratch, desk->view.points);
    for (int i = 0; i < mesh->vertexCount; i++)
    {
        int32_t point = mesh->vertexPoint[i];
        vertices[i] = (qvVec3f){ 0.0f, 0.0f, 0.0f };
        if (point >= 0)
            vertices[i] =
                qvVec3_ToFloat(qvSub(qvVec3_FromFloat(points[point]), qvVec3_FromFloat(desk->view.points[point])));
    }
    qvRig_ToBindSpace(body->model->rig, qvTake_Clip(take), qvTake_ClipTime(take, time), desk->rigScratch, vertices,
                      vertices);
}

// From points to vertices.
static void FinishFrames(void* context, int begin, int end)
{
    Work* work = context;
    qvBake* bake = work->bake;
    const qvTake* take = work->take;
    Desk desk;
    bool ready = SetUp(&desk, take, bake->bind);
    for (int i = begin; ready && i < end; i++)
    {
        int frame = work->first + i;
        double time = bake->times[frame];
        const qvVec3f* points = work->points + (size_t)i * (size_t)qvTake_Body(take)->mesh->pointCount;
        qvVec3f* vertices = bake->positions + (size_t)frame * (size_t)bake->vertexCount;
        if (bake->bind)
            BindFrame(&desk, time, points, vertices);
        else
            qvTake_Vertices(take, time, points, desk.view.scratch, vertices);
        if (bake->meshes != NULL)
            work->results[i] =
                qvTake_Extract(take, time, points, desk.view.scratch, NULL, &bake->meshes[frame], &work->errors[i]);
        bake->frames[frame] = qvTake_Frame(take, time);
    }
    if (!ready)
        atomic_store(&work->failed, true);
    CleanUp(&desk);
}

static qvResult BakeBatch(Work* work, qvPool* pool, qvError* error)
{
    const double* times = work->bake->times + work->first;
    qvResult result = qvTake_EvaluateFrames(work->take, times, work->count, pool, work->points, error);
    if (result != qv_ok)
        return result;
    qvParallelFor(pool, work->count, GRAIN, FinishFrames, work);
    if (atomic_load(&work->failed))
        return qvError_OutOfMemory(error, (double)qvTake_ScratchSize(work->take));
    result = qvPool_Verdict(pool, error);
    for (int i = 0; result == qv_ok && work->bake->meshes != NULL && i < work->count; i++)
    {
        result = work->results[i];
        if (result != qv_ok)
        {
            *error = work->errors[i];
            qvError_Prefix(error, "the mesh at %g s", times[i]);
        }
    }
    return result;
}

static qvResult BakeAll(const qvTake* take, qvBake* bake, const qvJob* job, qvError* error)
{
    size_t points = (size_t)qvTake_Body(take)->mesh->pointCount;
    Work work = { .take = take, .bake = bake, .points = qvAllocateRaw(BATCH * points, sizeof(*work.points)) };
    qvPool* pool = NULL;
    qvResult result = qvCreateWatchedPool(job, &pool, error);
    if (result == qv_ok && work.points == NULL)
        result = qvError_OutOfMemory(error, 12.0 * BATCH * (double)points);
    for (; result == qv_ok && work.first < bake->frameCount; work.first += BATCH)
    {
        int left = bake->frameCount - work.first;
        work.count = left < BATCH ? left : BATCH;
        result = qvJob_Progress(job, "frames", (double)work.first / bake->frameCount, error);
        if (result == qv_ok)
            result = BakeBatch(&work, pool, error);
    }
    qvDestroyPool(pool);
    free(work.points);
    return result;
}

// A frame of a simulation may get lost between its making and its use: then once more.
static qvResult BakeKnown(const qvTake* take, qvBake* bake, const qvJob* job, qvError* error)
{
    for (int i = 0; i < TRIES; i++)
    {
        for (int k = 0; bake->meshes != NULL && k < bake->frameCount; k++)
        {
            qvDestroyMesh(bake->meshes[k]);
            bake->meshes[k] = NULL;
        }
        qvResult result = qvTake_Advance(take, INFINITY, job, error);
        if (result == qv_ok)
            result = BakeAll(take, bake, job, error);
        if (result != qv_ok || isinf(qvTake_StepsUntil(take)))
            return result;
    }
    return qvTake_FailLost(error);
}

qvResult qvCreateBake(const qvTake* take, const qvBakeDef* def, const qvJob* job, qvBake** out, qvError* error)
{
    QV_ASSERT(!def->bind || qvTake_Clip(take) >= 0);
    *out = NULL;
    qvMoments moments;
    qvResult result = qvBakeDef_Moments(def, qvTake_Scene(take), &moments, error);
    if (result != qv_ok)
        return result;
    qvBake* bake = qvAllocate(1, sizeof(*bake));
    if (bake == NULL)
        return qvError_OutOfMemory(error, sizeof(*bake));
    bake->fps = moments.fps, bake->bind = def->bind;
    bake->loop = moments.loop && moments.count == moments.total;
    bake->first = moments.first, bake->frameCount = moments.count;
    bake->start = qvScene_SampleTime(moments.fps, moments.range, 0);
    bake->vertexCount = qvTake_Body(take)->mesh->vertexCount;
    result = Allocate(bake, error);
    for (int i = 0; result == qv_ok && i < bake->frameCount; i++)
        bake->times[i] = qvScene_SampleTime(moments.fps, moments.range, moments.first + i);
    if (result == qv_ok)
        result = AllocateMeshes(bake, take, error);
    if (result == qv_ok)
        result = BakeKnown(take, bake, job, error);
    if (result == qv_ok)
    {
        DropNoMeshes(bake);
        *out = bake;
    }
    else
        qvDestroyBake(bake);
    return result;
}

void qvDestroyBake(qvBake* bake)
{
    if (bake == NULL)
        return;
    free(bake->times);
    free(bake->frames);
    free(bake->positions);
    for (int i = 0; bake->meshes != NULL && i < bake->frameCount; i++)
        qvDestroyMesh(bake->meshes[i]);
    free(bake->meshes);
    free(bake);
}
