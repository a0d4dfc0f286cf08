// SPDX-License-Identifier: GPL-3.0-or-later
// The stages of large bodies: fewer points on which keys are solved, and what poses have beyond those.
#include "base/hash.h"
#include "base/memory.h"
#include "scene/pipeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- The body -------------------------------------------------------------------------------------------------------

static void DestroyStaged(void* object)
{
    qvStagedDetail* staged = object;
    qvDestroyDetail(staged->detail);
    free(staged);
}

static void Mark(const int32_t* points, int count, bool* marks)
{
    for (int i = 0; i < count; i++)
        marks[points[i]] = true;
}

// Points that pins and partial keys name.
static qvResult MarkKept(const qvSolving* solving, bool* marks, qvError* error)
{
    qvResult result = qv_ok;
    for (int i = 0; i < solving->pins.count; i++)
        Mark(solving->pins.sets[i], solving->pins.sizes[i], marks);
    for (int i = 0; result == qv_ok && i < solving->scene->keyCount; i++)
    {
        const qvSceneKey* key = solving->scene->keys[i];
        int32_t* points = NULL;
        int count = 0;
        if (key->partial)
            result = qvVertexSet_Points(&key->only, solving->body, &points, &count, error);
        if (result == qv_ok)
            Mark(points, count, marks);
        free(points);
    }
    return result;
}

// One that cannot be made is kept as well, so that it is not tried again and again.
static qvResult MakeDetail(const qvSolving* solving, const bool* kept, qvStagedDetail* staged, qvError* error)
{
    const qvBody* body = solving->body;
    int detail = solving->scene->detail;
    qvThinDef def = { .topology = body->topology, .rest = body->rest, .kept = kept, .detail = detail };
    qvError own;
    qvResult result = qvCreateDetail(&def, solving->job, &staged->detail, &own);
    if (result != qv_badInput)
    {
        if (result != qv_ok)
            *error = own;
        return result;
    }
    snprintf(staged->reason, sizeof(staged->reason), "detail: keys are solved on all %d points, not on %d: %.150s",
             body->mesh->pointCount, detail, own.message);
    return qv_ok;
}

static qvResult FindDetail(qvSolving* solving, const bool* kept, qvError* error)
{
    qvStageCache* cache = &solving->pipeline->caches[qv_stageDetail];
    uint64_t hash = qvHash_Combine(solving->body->hash, (uint64_t)solving->scene->detail);
    hash = qvHash(kept, (size_t)solving->body->mesh->pointCount * sizeof(*kept), hash);
    solving->detail = qvStageCache_Find(cache, hash);
    if (solving->detail != NULL)
        return qv_ok;
    qvStagedDetail* staged = qvAllocate(1, sizeof(*staged));
    if (staged == NULL)
        return qvError_OutOfMemory(error, sizeof(*staged));
    qvResult result = MakeDetail(solving, kept, staged, error);
    if (result != qv_ok)
    {
        DestroyStaged(staged);
        return result;
    }
    const qvStagedDef def = { .hash = hash, .object = staged, .destroy = DestroyStaged };
    return qvStageCache_Add(cache, &def, &solving->detail, error);
}

qvResult qvSolving_Detail(qvSolving* solving, qvError* error)
{
    int n = solving->body->mesh->pointCount;
    if (solving->scene->detail <= 0 || solving->scene->detail >= n)
        return qv_ok;
    bool* kept = qvAllocate((size_t)n, sizeof(*kept));
    if (kept == NULL)
        return qvError_OutOfMemory(error, (double)n);
    qvResult result = MarkKept(solving, kept, error);
    if (result == qv_ok)
        result = FindDetail(solving, kept, error);
    free(kept);
    if (result != qv_ok)
        return result;
    const qvStagedDetail* staged = solving->detail->object;
    snprintf(solving->take->detailRemark, sizeof(solving->take->detailRemark), "%s", staged->reason);
    for (int i = 0; i < solving->pins.count; i++)
        qvSolving_Number(solving, solving->pins.sets[i], solving->pins.sizes[i]);
    return qv_ok;
}

const qvDetail* qvSolving_DetailOf(const qvSolving* solving)
{
    return solving->detail != NULL ? ((const qvStagedDetail*)solving->detail->object)->detail : NULL;
}

void qvSolving_Number(const qvSolving* solving, int32_t* points, int count)
{
    const qvDetail* detail = qvSolving_DetailOf(solving);
    for (int i = 0; detail != NULL && i < count; i++)
        points[i] = qvDetail_Thin(detail)->numbers[points[i]];
}

// --- Rests ----------------------------------------------------------------------------------------------------------

static void DestroyRests(void* rests)
{
    qvDestroyDetailRests(rests);
}

qvResult qvSolving_Rests(qvSolving* solving, qvError* error)
{
    const qvDetail* detail = qvSolving_DetailOf(solving);
    if (detail == NULL)
        return qv_ok;
    qvStageCache* cache = &solving->pipeline->caches[qv_stageRests];
    uint64_t hash = qvSolving_HashPoses(solving);
    solving->rests = qvStageCache_Find(cache, hash);
    if (solving->rests != NULL)
        return qv_ok;
    const qvPoseList* list = &solving->list;
    qvDetailPose* poses = qvAllocate((size_t)list->count, sizeof(*poses));
    if (poses == NULL)
        return qvError_OutOfMemory(error, (double)list->count * sizeof(*poses));
    for (int i = 0; i < list->count; i++)
    {
        const qvPoseSlot* slot = &list->slots[i];
        poses[i].points = slot->pose->object;
        for (int side = 0; side < 2; side++)
            poses[i].moved[side] = slot->moved[side] != NULL ? slot->moved[side]->object : NULL;
    }
    qvDetailRests* rests;
    qvResult result = qvCreateDetailRests(detail, poses, list->count, solving->job, &rests, error);
    free(poses);
    if (result != qv_ok)
        return result;
    const qvStagedDef def = { hash, rests, DestroyRests, qvDetailRests_Bytes(rests), 0 };
    return qvStageCache_Add(cache, &def, &solving->rests, error);
}

// --- Reports --------------------------------------------------------------------------------------------------------

bool qvTake_DetailRemark(const qvTake* take, char text[qv_maxRemark])
{
    memcpy(text, take->detailRemark, qv_maxRemark);
    return text[0] != 0;
}

int qvTake_DetailPoints(const qvTake* take)
{
    if (take->curves == NULL)
        return 0;
    if (take->curves->carried == NULL)
        return take->curves->pointCount;
    const qvStagedDetail* staged = take->curves->detail->object;
    return qvDetail_Thin(staged->detail)->mesh->pointCount;
}
