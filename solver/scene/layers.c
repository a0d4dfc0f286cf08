// SPDX-License-Identifier: GPL-3.0-or-later
// Building the stack of layers of a take.
#include "base/hash.h"
#include "base/memory.h"
#include "scene/pipeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void DestroyLayer(void* object)
{
    qvLayer* layer = object;
    if (layer->object != NULL)
        layer->kind->destroy(layer->object);
    qvReleaseStaged(layer->below);
    qvReleaseBody(layer->body);
    free(layer);
}

// What a new layer of the take travels on: the topmost layer that does not add; NULL: nothing moves.
static qvStaged* FindBelow(const qvTake* take)
{
    for (int i = take->layers.count - 1; i >= 0; i--)
    {
        const qvLayer* layer = take->layers.items[i]->object;
        if ((layer->kind->traits & qv_layerAdds) == 0)
            return take->layers.items[i];
    }
    return NULL;
}

static qvBaseMotion MotionBelow(const qvLayer* layer)
{
    if (layer->below == NULL)
        return qvMakeStillBase(&layer->still);
    const qvLayer* below = layer->below->object;
    return below->kind->motion(below->object);
}

// What is built on a simulation needs all of it, or takes what is known.
static qvResult LookBelow(qvSolving* solving, const qvStaged* staged, qvError* error)
{
    const qvLayer* below = staged != NULL ? staged->object : NULL;
    solving->known = INFINITY;
    if (below == NULL || below->kind->steps == NULL)
        return qv_ok;
    qvStepped* steps = below->kind->steps(below->object);
    if (!solving->isAtOnce)
        return qvStepped_Advance(steps, INFINITY, solving->job, error);
    solving->known = qvStepped_ValidUntil(steps);
    return qv_ok;
}

// Making a layer again costs as much as all of it so far: it waits until a quarter more is known.
void qvSolving_Miss(qvSolving* solving, double from)
{
    static const double SHARE = 0.25;
    qvMissing* missing = &solving->take->missing;
    double range[2];
    qvScene_Range(solving->scene, range);
    double worth = solving->known + SHARE * fmax(solving->known - range[0], 0.0);
    missing->from = fmin(missing->from, from);
    missing->worthAt = fmin(missing->worthAt, fmax(worth, from));
}

// What was built on frames that got lost meanwhile is not what it should be.
static qvResult CheckBelow(const qvSolving* solving, const qvStaged* staged, qvError* error)
{
    const qvLayer* below = staged != NULL ? staged->object : NULL;
    if (below == NULL || below->kind->steps == NULL)
        return qv_ok;
    return qvStepped_ValidUntil(below->kind->steps(below->object)) >= solving->known ? qv_ok : qvTake_FailLost(error);
}

static qvResult BuildLayer(qvSolving* solving, const qvLayerKind* kind, int index, uint64_t hash, qvStaged** staged,
                           qvError* error)
{
    qvLayer* layer = qvAllocate(1, sizeof(*layer));
    if (layer == NULL)
        return qvError_OutOfMemory(error, sizeof(*layer));
    layer->kind = kind;
    layer->below = qvRetainStaged(FindBelow(solving->take));
    layer->body = qvRetainBody(solving->body);
    layer->still = (qvStillBase){ solving->body->rest, solving->body->mesh->pointCount };
    qvBaseMotion below = MotionBelow(layer);
    qvResult result = kind->build(solving, index, &below, hash, &layer->object, error);
    if (result == qv_ok)
        result = CheckBelow(solving, layer->below, error);
    if (result != qv_ok)
    {
        DestroyLayer(layer);
        return result;
    }
    const qvStagedDef def = { hash, layer, DestroyLayer, 0.0, solving->space != NULL ? solving->space->hash : 0 };
    if (isfinite(solving->known)) // it is not what its hash says
        return qvCreateStaged(&def, staged, error);
    return qvStageCache_Add(&solving->pipeline->caches[kind->stage], &def, staged, error);
}

static qvResult AddLayer(qvSolving* solving, const qvLayerKind* kind, int index, qvError* error)
{
    qvTake* take = solving->take;
    qvStaged* below = FindBelow(take);
    uint64_t hash = qvHash(kind->tag, strlen(kind->tag), below != NULL ? below->hash : solving->source);
    hash = qvHash_Combine(hash, (uint64_t)kind->version);
    qvResult result = kind->check(solving, index, &hash, error);
    if (result == qv_ok)
        result = LookBelow(solving, below, error);
    if (result != qv_ok)
        return result;
    if (isfinite(solving->known) && (kind->traits & qv_layerPartly) == 0)
    {
        take->missing.from = fmin(take->missing.from, kind->begins(solving, index));
        return qv_ok;
    }
    qvStaged* staged = isinf(solving->known) ? qvStageCache_Find(&solving->pipeline->caches[kind->stage], hash) : NULL;
    if (staged == NULL)
        result = BuildLayer(solving, kind, index, hash, &staged, error);
    return result == qv_ok ? qvTake_Push(take, staged, error) : result;
}

qvResult qvSolving_Layers(qvSolving* solving, qvError* error)
{
    qvResult result = qv_ok;
    for (int i = 0; result == qv_ok && qvLayerKinds[i] != NULL; i++)
    {
        for (int k = 0; result == qv_ok && k < qvLayerKinds[i]->count(solving); k++)
            result = AddLayer(solving, qvLayerKinds[i], k, error);
    }
    return result;
}
