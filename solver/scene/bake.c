// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of a take, several at a time.
#include "quaver/take.h"

#include "base/assert.h"
#include "base/memory.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MAX_SAMPLES = 100000,
    GRAIN = 4, ///< frames that a thread takes at a time
};

qvBakeDef qvDefaultBakeDef(void)
{
    return (qvBakeDef){ .usePreview = false };
}

static void ChooseRange(const qvScene* scene, const qvBakeDef* def, double range[2])
{
    qvScene_Range(scene, range);
    if (def->hasRange)
        memcpy(range, def->range, 2 * sizeof(*range));
    else if (def->usePreview && scene->hasPreview)
        memcpy(range, scene->preview, 2 * sizeof(*range));
}

static qvResult CheckRange(double fps, const double range[2], qvError* error)
{
    if (!(fps >= 1.0 && fps <= 240.0))
        return qvError_Set(error, qv_badInput, "%g frames per second are not between 1 and 240", fps);
    if (!isfinite(range[0]) || !isfinite(range[1]) || !(range[1] > range[0]))
        return qvError_Set(error, qv_badInput, "the range from %g s to %g s has no length; make its end later",
                           range[0], range[1]);
    double samples = ceil((range[1] - range[0]) * fps) + 1.0;
    if (samples > MAX_SAMPLES)
        return qvError_Set(error, qv_badInput,
                           "%.0f frames from %g s to %g s are more than %d; choose a shorter range or fewer frames "
                           "per second",
                           samples, range[0], range[1], MAX_SAMPLES);
    return qv_ok;
}

static qvResult Allocate(qvBake* bake, qvError* error)
{
    size_t frames = (size_t)bake->frameCount, vertices = (size_t)bake->vertexCount;
    bake->times = qvAllocate(frames, sizeof(*bake->times));
    bake->frames = qvAllocate(frames, sizeof(*bake->frames));
    bake->positions = qvAllocateRaw(frames * vertices, sizeof(*bake->positions));
    if (bake->times == NULL || bake->frames == NULL || bake->positions == NULL)
        return qvError_OutOfMemory(error, (double)frames * (double)vertices * sizeof(*bake->positions));
    return qv_ok;
}

// Some frames of a bake.
typedef struct Work
{
    const qvTake* take;
    qvBake* bake;
    int first;
    atomic_bool failed; // memory ran out
} Work;

// What the thread of some frames works with.
typedef struct Desk
{
    void *scratch, *rigScratch;
    qvVec3f *points, *base;
} Desk;

static bool SetUp(Desk* desk, const qvTake* take, bool bind)
{
    const qvBody* body = qvTake_Body(take);
    size_t points = (size_t)body->mesh->pointCount;
    *desk = (Desk){ .scratch = qvAllocateRaw(1, qvTake_ScratchSize(take)),
                    .points = qvAllocateRaw(points, sizeof(*desk->points)) };
    if (bind)
    {
        desk->base = qvAllocateRaw(points, sizeof(*desk->base));
        desk->rigScratch = qvAllocateRaw(1, qvRig_ScratchSize(body->model->rig));
    }
    return desk->scratch != NULL && desk->points != NULL && (!bind || (desk->base != NULL && desk->rigScratch != NULL));
}

static void CleanUp(Desk* desk)
{
    free(desk->scratch);
    free(desk->rigScratch);
    free(desk->points);
    free(desk->base);
}

// What the waves add to the clip, where morph targets are: below the skin.
static void BindFrame(const qvTake* take, double time, Desk* desk, qvVec3f* vertices)
{
    const qvBody* body = qvTake_Body(take);
    const qvMesh* mesh = body->mesh;
    qvTake_Evaluate(take, time, qv_layersMotion, desk->scratch, NULL, desk->base);
    for (int i = 0; i < mesh->vertexCount; i++)
    {
        int32_t point = mesh->vertexPoint[i];
        vertices[i] = (qvVec3f){ 0.0f, 0.0f, 0.0f };
        if (point >= 0)
            vertices[i] =
                qvVec3_ToFloat(qvSub(qvVec3_FromFloat(desk->points[point]), qvVec3_FromFloat(desk->base[point])));
    }
    qvRig_ToBindSpace(body->model->rig, qvTake_Clip(take), time, desk->rigScratch, vertices, vertices);
}

static void BakeFrames(void* context, int begin, int end)
{
    Work* work = context;
    qvBake* bake = work->bake;
    Desk desk;
    bool ready = SetUp(&desk, work->take, bake->bind);
    for (int i = work->first + begin; ready && i < work->first + end; i++)
    {
        qvVec3f* vertices = bake->positions + (size_t)i * (size_t)bake->vertexCount;
        qvTake_Evaluate(work->take, bake->times[i], qv_layersAll, desk.scratch, NULL, desk.points);
        if (bake->bind)
            BindFrame(work->take, bake->times[i], &desk, vertices);
        else
            qvMesh_ScatterPoints(qvTake_Body(work->take)->mesh, desk.points, vertices);
        bake->frames[i] = qvTake_Frame(work->take, bake->times[i]);
    }
    if (!ready)
        atomic_store(&work->failed, true);
    CleanUp(&desk);
}

static qvResult BakeAll(const qvTake* take, qvBake* bake, const qvJob* job, qvError* error)
{
    Work work = { .take = take, .bake = bake };
    int step = GRAIN * qvPool_ThreadCount(qvJob_Pool(job));
    for (; work.first < bake->frameCount; work.first += step)
    {
        qvResult result = qvJob_Progress(job, "frames", (double)work.first / bake->frameCount, error);
        if (result != qv_ok)
            return result;
        int left = bake->frameCount - work.first;
        qvParallelFor(qvJob_Pool(job), left < step ? left : step, GRAIN, BakeFrames, &work);
        if (atomic_load(&work.failed))
            return qvError_OutOfMemory(error, (double)qvTake_ScratchSize(take));
    }
    return qv_ok;
}

qvResult qvCreateBake(const qvTake* take, const qvBakeDef* def, const qvJob* job, qvBake** out, qvError* error)
{
    QV_ASSERT(!def->bind || qvTake_Clip(take) >= 0);
    *out = NULL;
    const qvScene* scene = qvTake_Scene(take);
    double range[2], fps = def->fps > 0.0 ? def->fps : scene->fps;
    ChooseRange(scene, def, range);
    qvResult result = CheckRange(fps, range, error);
    if (result != qv_ok)
        return result;
    qvBake* bake = qvAllocate(1, sizeof(*bake));
    if (bake == NULL)
        return qvError_OutOfMemory(error, sizeof(*bake));
    bake->fps = fps, bake->bind = def->bind;
    bake->frameCount = qvScene_SampleCount(fps, range);
    bake->vertexCount = qvTake_Body(take)->mesh->vertexCount;
    double whole[2];
    qvScene_Range(scene, whole);
    bake->loop = scene->loop && range[0] == whole[0] && range[1] == whole[1];
    result = Allocate(bake, error);
    for (int i = 0; result == qv_ok && i < bake->frameCount; i++)
        bake->times[i] = qvScene_SampleTime(fps, range, i);
    if (result == qv_ok)
        result = BakeAll(take, bake, job, error);
    if (result == qv_ok)
        *out = bake;
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
    free(bake);
}
