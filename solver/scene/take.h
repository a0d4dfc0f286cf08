// SPDX-License-Identifier: GPL-3.0-or-later
// What a qvTake is made of. Stages are shared with the pipeline's caches.
#pragma once

#include "quaver/take.h"
#include "quaver/waves.h"
#include "scene/stage_cache.h"

#include <pthread.h>
#include <stdatomic.h>

/// The curves of a scene, and the same with every wiggly segment smooth.
typedef struct qvTakeMotion
{
    qvStaged* space; // qvMotionSpace
    qvMotion* motion;
    qvMotion* smooth;
    pthread_mutex_t lock; // of what follows
    uint64_t seamHash;    // of what the seam below depends on beside these curves; 0: it is not known
    qvSeam seam;          // measured last, for the next take that has the same
} qvTakeMotion;

enum
{
    qv_wavesEdited,    // events and keys
    qv_wavesSecondary, // answers to the motion
    qv_wavesCount,
};

/// A layer of waves, and what it travels on.
typedef struct qvTakeWaves
{
    qvStaged* motion; // qvTakeMotion; NULL without keys
    const qvBody* body;
    qvRigBase rig;
    qvStillBase still;
    qvWaveLayer* layer;
    qvSceneEvent* events; // that were generated
    int eventCount;
} qvTakeWaves;

/// Measured when first asked for.
typedef struct qvTakeReports
{
    pthread_mutex_t lock;
    qvKeyReport* keys; // [keyCount]
    bool* known;       // [keyCount]
    qvSeam seam;
    bool seamKnown;
} qvTakeReports;

struct qvTake
{
    atomic_int owners;
    const qvScene* scene;
    const qvBody* body;
    char* folder;         // where the scene's relative paths start
    double start, period; // of a loop; period 0: none
    qvStaged** poses;     // [keyCount] qvVec3f per point
    qvStaged* stage;      // qvTakeMotion; NULL without keys
    const qvTakeMotion* curves;
    qvStaged* waveStages[qv_wavesCount];     // qvTakeWaves
    const qvTakeWaves* waves[qv_wavesCount]; // NULL: none of that kind
    const qvRig* rig;                        // moves a body without keys; NULL: it rests
    int clip;
    qvTakeReports reports;
};

/// An empty take; scene and body get one more owner.
QV_CHECKED qvResult qvCreateTake(const qvScene* scene, const qvBody* body, const char* folder, qvTake** take,
                                 qvError* error);

/// World positions at a time; the caller frees them. NULL when memory runs out.
qvVec3f* qvTake_PointsAt(const qvTake* take, double time, qvTakeLayers layers, qvError* error);

/// From one time to another, s; in a loop the shorter way round.
double qvTake_Apart(const qvTake* take, double a, double b);

/// In a loop every time is brought into the period, so that its ends give the same bits.
double qvTake_Wrap(const qvTake* take, double time);

/// What the waves do to the base motion's points at a time (brought into the period already).
void qvTake_AddWaves(const qvTake* take, double time, void* scratch, qvPool* pool, qvVec3f* points);
