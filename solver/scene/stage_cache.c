// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene/stage_cache.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

qvStaged* qvRetainStaged(qvStaged* shared)
{
    if (shared != NULL)
        atomic_fetch_add(&shared->owners, 1);
    return shared;
}

void qvReleaseStaged(qvStaged* shared)
{
    if (shared == NULL || atomic_fetch_sub(&shared->owners, 1) > 1)
        return;
    shared->destroy(shared->object);
    free(shared);
}

void qvStageCache_Free(qvStageCache* cache)
{
    for (int i = 0; i < cache->count; i++)
        qvReleaseStaged(cache->items[i]);
    free(cache->items);
    *cache = (qvStageCache){ 0 };
}

static void MoveToFront(qvStageCache* cache, int index)
{
    qvStaged* item = cache->items[index];
    memmove(cache->items + 1, cache->items, (size_t)index * sizeof(*cache->items));
    cache->items[0] = item;
}

qvStaged* qvStageCache_Find(qvStageCache* cache, uint64_t hash)
{
    for (int i = 0; i < cache->count; i++)
    {
        if (cache->items[i]->hash != hash)
            continue;
        MoveToFront(cache, i);
        return qvRetainStaged(cache->items[0]);
    }
    return NULL;
}

qvResult qvStageCache_Add(qvStageCache* cache, uint64_t hash, void* object, qvDestroyFcn* destroy, qvStaged** out,
                          qvError* error)
{
    *out = NULL;
    qvStaged* shared = qvAllocate(1, sizeof(*shared));
    if (shared == NULL || !qvReserve((void**)&cache->items, &cache->room, cache->count + 1, sizeof(*cache->items)))
    {
        free(shared);
        destroy(object);
        return qvError_OutOfMemory(error, sizeof(*shared));
    }
    atomic_init(&shared->owners, 2);
    shared->hash = hash, shared->object = object, shared->destroy = destroy;
    cache->items[cache->count++] = shared;
    MoveToFront(cache, cache->count - 1);
    while (cache->count > cache->capacity)
        qvReleaseStaged(cache->items[--cache->count]);
    cache->runs++;
    *out = shared;
    return qv_ok;
}
