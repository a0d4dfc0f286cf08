// SPDX-License-Identifier: GPL-3.0-or-later
// What a qvTake is made of. Stages are shared with the pipeline's caches.
#pragma once

#include "base/memory.h"
#include "scene/layer.h"

#include <pthread.h>
#include <stdatomic.h>

/// How much of a take was known when something of it was measured.
typedef enum qvMeasured
{
    qv_measuredNot,
    qv_measuredPartly, ///< simulations had still to come in: it is measured again when they have
    qv_measuredWhole,
} qvMeasured;

/// Measured when first asked for.
typedef struct qvTakeReports
{
    pthread_mutex_t lock;
    qvKeyReport* keys;   // [keyCount]
    qvMeasured* keysAre; // [keyCount]
    qvSeam seam;
    qvMeasured seamIs;
} qvTakeReports;

/// What is not in a take because simulations below it are not complete yet.
typedef struct qvMissing
{
    double from;    // s; before that nothing is missing. INFINITY: nothing is
    double worthAt; // s; when simulations are known until then, solving again adds enough to be worth it
} qvMissing;

struct qvTake
{
    atomic_int owners;
    const qvScene* scene;
    const qvBody* body;
    char* folder;               // where the scene's relative paths start
    qvMissing missing;          // what has to wait for simulations below it
    qvPipeline* pipeline;       // one of its owners, while something is missing; else NULL
    double start, period;       // of a loop; period 0: none
    qvStaged** poses;           // [keyCount] qvVec3f per point
    QV_ARRAY(qvStaged*) layers; // qvLayer, from the bottom up
    qvStillBase still;          // what moves a body without layers
    qvBaseMotion base;          // all layers but those that add
    qvBaseMotion plain;         // the same, smooth
    const qvTakeMotion* curves; // of the layer of keys; NULL without
    const qvRigBase* clip;      // of the layer of a clip; NULL without
    qvTakeReports reports;
    char detailRemark[qv_maxRemark]; // why keys are solved on all points; "": they are not, or are to be
};

/// An empty take; scene and body get one more owner.
QV_CHECKED qvResult qvCreateTake(const qvScene* scene, const qvBody* body, const char* folder, qvTake** take,
                                 qvError* error);

/// Puts a layer on top, whose ownership it takes also when it fails.
QV_CHECKED qvResult qvTake_Push(qvTake* take, qvStaged* layer, qvError* error);

/// Until when all simulations that it has are known, s.
double qvTake_StepsUntil(const qvTake* take);

/// World positions at a time; the caller frees them. NULL when memory runs out.
qvVec3f* qvTake_PointsAt(const qvTake* take, double time, qvTakeLayers layers, qvPool* pool, qvError* error);

/// The mesh at a time from the points of the base motion, which the caller destroys; NULL: the body's own.
QV_CHECKED qvResult qvTake_Extract(const qvTake* take, double time, const qvVec3f* points, void* scratch, qvPool* pool,
                                   qvMesh** mesh, qvError* error);

/// What the keys alone do at a time; the caller frees it. The take has keys. NULL when memory runs out.
qvVec3f* qvTake_KeyedPoints(const qvTake* take, double time);

/// From one time to another, s; in a loop the shorter way round.
double qvTake_Apart(const qvTake* take, double a, double b);

/// In a loop every time is brought into the period, so that its ends give the same bits.
double qvTake_Wrap(const qvTake* take, double time);

/// The waves of a layer, counted from the bottom; NULL when it has none.
const qvWaveLayer* qvTake_Waves(const qvTake* take, int layer);
