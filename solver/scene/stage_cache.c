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

void qvStageCache_Init(qvStageCache* cache, int capacity)
{
    *cache = (qvStageCache){ .capacity = capacity };
    pthread_mutex_init(&cache->lock, NULL);
}

void qvStageCache_Free(qvStageCache* cache)
{
    for (int i = 0; i < cache->count; i++)
        qvReleaseStaged(cache->items[i]);
    free(cache->items);
    pthread_mutex_destroy(&cache->lock);
}

void qvStageCache_SetCapacity(qvStageCache* cache, int capacity)
{
    pthread_mutex_lock(&cache->lock);
    cache->capacity = capacity;
    pthread_mutex_unlock(&cache->lock);
}

int qvStageCache_Runs(qvStageCache* cache)
{
    pthread_mutex_lock(&cache->lock);
    int runs = cache->runs;
    pthread_mutex_unlock(&cache->lock);
    return runs;
}

static void MoveToFront(qvStageCache* cache, int index)
{
    qvStaged* item = cache->items[index];
    memmove(cache->items + 1, cache->items, (size_t)index * sizeof(*cache->items));
    cache->items[0] = item;
}

// With the lock held.
static qvStaged* Find(qvStageCache* cache, uint64_t hash)
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

qvStaged* qvStageCache_Find(qvStageCache* cache, uint64_t hash)
{
    pthread_mutex_lock(&cache->lock);
    qvStaged* staged = Find(cache, hash);
    pthread_mutex_unlock(&cache->lock);
    return staged;
}

// With the lock held, which also guards the owners of what goes: their last one may be this cache.
static bool Insert(qvStageCache* cache, qvStaged* staged)
{
    if (!qvReserve((void**)&cache->items, &cache->room, cache->count + 1, sizeof(*cache->items)))
        return false;
    cache->items[cache->count++] = staged;
    MoveToFront(cache, cache->count - 1);
    while (cache->count > cache->capacity)
        qvReleaseStaged(cache->items[--cache->count]);
    cache->runs++;
    return true;
}

qvResult qvStageCache_Add(qvStageCache* cache, uint64_t hash, void* object, qvDestroyFcn* destroy, qvStaged** out,
                          qvError* error)
{
    *out = NULL;
    qvStaged* staged = qvAllocate(1, sizeof(*staged));
    pthread_mutex_lock(&cache->lock);
    *out = Find(cache, hash);
    bool added = false;
    if (*out == NULL && staged != NULL)
    {
        atomic_init(&staged->owners, 2);
        staged->hash = hash, staged->object = object, staged->destroy = destroy;
        added = Insert(cache, staged);
    }
    pthread_mutex_unlock(&cache->lock);
    if (added)
    {
        *out = staged;
        return qv_ok;
    }
    free(staged);
    destroy(object);
    return *out != NULL ? qv_ok : qvError_OutOfMemory(error, sizeof(*staged));
}
