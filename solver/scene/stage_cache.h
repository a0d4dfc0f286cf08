// SPDX-License-Identifier: GPL-3.0-or-later
// Results of the pipeline's stages by the hash of their inputs. Results are immutable and have owners: the cache, and
// every take that uses them.
#pragma once

#include "quaver/result.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

typedef void qvDestroyFcn(void* object);

typedef struct qvStaged
{
    atomic_int owners;
    uint64_t hash;
    void* object;
    qvDestroyFcn* destroy;
    double bytes;
    uint64_t space;
} qvStaged;

qvStaged* qvRetainStaged(qvStaged* shared); // NULL is allowed
void qvReleaseStaged(qvStaged* shared);     // NULL is allowed

/// The newest results first. Thread-safe.
typedef struct qvStageCache
{
    pthread_mutex_t lock;
    qvStaged** items;
    int count;
    int room;     // of items
    int capacity; // results that are kept; the oldest go first
    double limit; // bytes that all but the newest may have together
    int runs;     // how many results were made
} qvStageCache;

void qvStageCache_Init(qvStageCache* cache, int capacity, double limit);
void qvStageCache_Free(qvStageCache* cache);
void qvStageCache_SetCapacity(qvStageCache* cache, int capacity);
int qvStageCache_Runs(qvStageCache* cache);

/// The result of a hash with one more owner, or NULL.
qvStaged* qvStageCache_Find(qvStageCache* cache, uint64_t hash);

typedef struct qvStagedDef
{
    uint64_t hash;
    void* object;
    qvDestroyFcn* destroy;
    double bytes;   // what it alone has in memory; 0: little
    uint64_t space; // hash of the space that it owns a share of; 0: none
} qvStagedDef;

/// A result that no cache has, of one owner. Takes over the object, also when it fails.
QV_CHECKED qvResult qvCreateStaged(const qvStagedDef* def, qvStaged** staged, qvError* error);

/// Takes over the object, also when it fails or another thread was first (it is destroyed then). *staged has one more
/// owner.
QV_CHECKED qvResult qvStageCache_Add(qvStageCache* cache, const qvStagedDef* def, qvStaged** staged, qvError* error);

/// After an object got smaller.
void qvStageCache_SetBytes(qvStageCache* cache, qvStaged* staged, double bytes);

/// Lets go of results whose space is not in the other cache any more: they would keep it in memory.
void qvStageCache_FollowSpaces(qvStageCache* cache, qvStageCache* spaces);
