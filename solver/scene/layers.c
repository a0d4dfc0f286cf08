// SPDX-License-Identifier: GPL-3.0-or-later
// Building the stack of layers of a take.
#include "base/hash.h"
#include "base/memory.h"
#include "scene/pipeline.h"

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

static qvResult BuildLayer(qvSolving* solving, const qvLayerKind* kind, uint64_t hash, qvStaged** staged,
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
    qvResult result = kind->build(solving, &below, &layer->object, error);
    if (result != qv_ok)
    {
        DestroyLayer(layer);
        return result;
    }
    const qvStagedDef def = { hash, layer, DestroyLayer, 0.0, solving->space != NULL ? solving->space->hash : 0 };
    return qvStageCache_Add(&solving->pipeline->caches[kind->stage], &def, staged, error);
}

static qvResult AddLayer(qvSolving* solving, const qvLayerKind* kind, qvError* error)
{
    qvTake* take = solving->take;
    const qvStaged* below = FindBelow(take);
    uint64_t hash = qvHash(kind->tag, strlen(kind->tag), below != NULL ? below->hash : solving->source);
    hash = qvHash_Combine(hash, (uint64_t)kind->version);
    qvResult result = kind->check(solving, &hash, error);
    if (result != qv_ok)
        return result;
    qvStaged* staged = qvStageCache_Find(&solving->pipeline->caches[kind->stage], hash);
    if (staged == NULL)
        result = BuildLayer(solving, kind, hash, &staged, error);
    return result == qv_ok ? qvTake_Push(take, staged, error) : result;
}

qvResult qvSolving_Layers(qvSolving* solving, qvError* error)
{
    qvResult result = qv_ok;
    for (int i = 0; result == qv_ok && qvLayerKinds[i] != NULL; i++)
    {
        if (qvLayerKinds[i]->isWanted(solving))
            result = AddLayer(solving, qvLayerKinds[i], error);
    }
    return result;
}
