// SPDX-License-Identifier: GPL-3.0-or-later
// Results of the pipeline's stages by the hash of their inputs. Results are immutable and have owners: the cache, and
// every take that uses them.
#pragma once

#include "quaver/result.h"

#include <stdatomic.h>
#include <stdint.h>

typedef void qvDestroyFcn(void* object);

typedef struct qvStaged
{
    atomic_int owners;
    uint64_t hash;
    void* object;
    qvDestroyFcn* destroy;
} qvStaged;

qvStaged* qvRetainStaged(qvStaged* shared); // NULL is allowed
void qvReleaseStaged(qvStaged* shared);     // NULL is allowed

/// The newest results first.
typedef struct qvStageCache
{
    qvStaged** items;
    int count;
    int room;     // of items
    int capacity; // results that are kept; the oldest go first
    int runs;     // how often something was added
} qvStageCache;

void qvStageCache_Free(qvStageCache* cache);

/// The result of a hash with one more owner, or NULL.
qvStaged* qvStageCache_Find(qvStageCache* cache, uint64_t hash);

/// Takes over the object, also when it fails (it is destroyed then). *shared has one more owner.
QV_CHECKED qvResult qvStageCache_Add(qvStageCache* cache, uint64_t hash, void* object, qvDestroyFcn* destroy,
                                     qvStaged** shared, qvError* error);
