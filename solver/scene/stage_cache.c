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

void qvStageCache_Init(qvStageCache* cache, int capacity, double limit)
{
    *cache = (qvStageCache){ .capacity = capacity, .limit = limit };
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

// With the lock held.
static bool IsTooMuch(const qvStageCache* cache)
{
    double bytes = 0.0;
    for (int i = 1; i < cache->count; i++)
        bytes += cache->items[i]->bytes;
    return cache->count > cache->capacity || bytes > cache->limit;
}

// With the lock held, which also guards the owners of what goes: their last one may be this cache.
static bool Insert(qvStageCache* cache, qvStaged* staged)
{
    if (!qvReserve(&cache->items, &cache->room, cache->count + 1, sizeof(*cache->items)))
        return false;
    cache->items[cache->count++] = staged;
    MoveToFront(cache, cache->count - 1);
    while (IsTooMuch(cache))
        qvReleaseStaged(cache->items[--cache->count]);
    cache->runs++;
    return true;
}

qvResult qvCreateStaged(const qvStagedDef* def, qvStaged** out, qvError* error)
{
    qvStaged* staged = *out = qvAllocate(1, sizeof(*staged));
    if (staged == NULL)
    {
        def->destroy(def->object);
        return qvError_OutOfMemory(error, sizeof(*staged));
    }
    atomic_init(&staged->owners, 1);
    staged->hash = def->hash, staged->object = def->object, staged->destroy = def->destroy;
    staged->bytes = def->bytes, staged->space = def->space;
    return qv_ok;
}

qvResult qvStageCache_Add(qvStageCache* cache, const qvStagedDef* def, qvStaged** out, qvError* error)
{
    qvStaged* staged;
    *out = NULL;
    qvResult result = qvCreateStaged(def, &staged, error);
    if (result != qv_ok)
        return result;
    pthread_mutex_lock(&cache->lock);
    *out = Find(cache, def->hash);
    if (*out == NULL && Insert(cache, qvRetainStaged(staged)))
        *out = staged;
    else if (*out == NULL)
        qvReleaseStaged(staged);
    bool isAdded = *out == staged;
    pthread_mutex_unlock(&cache->lock);
    if (!isAdded)
        qvReleaseStaged(staged);
    return *out != NULL ? qv_ok : qvError_OutOfMemory(error, sizeof(*staged));
}

void qvStageCache_SetBytes(qvStageCache* cache, qvStaged* staged, double bytes)
{
    pthread_mutex_lock(&cache->lock);
    staged->bytes = bytes;
    pthread_mutex_unlock(&cache->lock);
}

static bool Has(qvStageCache* cache, uint64_t hash)
{
    pthread_mutex_lock(&cache->lock);
    int i = 0;
    while (i < cache->count && cache->items[i]->hash != hash)
        i++;
    bool found = i < cache->count;
    pthread_mutex_unlock(&cache->lock);
    return found;
}

void qvStageCache_FollowSpaces(qvStageCache* cache, qvStageCache* spaces)
{
    pthread_mutex_lock(&cache->lock);
    int kept = 0;
    for (int i = 0; i < cache->count; i++)
    {
        qvStaged* item = cache->items[i];
        if (item->space == 0 || Has(spaces, item->space))
            cache->items[kept++] = item;
        else
            qvReleaseStaged(item);
    }
    cache->count = kept;
    pthread_mutex_unlock(&cache->lock);
}
