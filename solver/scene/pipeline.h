// SPDX-License-Identifier: GPL-3.0-or-later
// The stages of the pipeline. Each makes its result from the scene and the results before it, or takes it from its
// cache by the hash of all that it depends on.
#pragma once

#include "motion/detail.h"
#include "scene/disk_cache.h"
#include "scene/poses.h"
#include "scene/take.h"

struct qvPipeline
{
    atomic_int owners; // who made it, and takes that lack something
    qvStageCache caches[qv_stageCount];
    qvDiskCache* disk; // NULL: none
    qvNumberStore store;
    pthread_mutex_t lock;    // guards lastSpace
    qvStaged* lastSpace;     // may be NULL
    pthread_mutex_t parking; // one space at a time
};

qvPipeline* qvRetainPipeline(qvPipeline* pipeline); // qvDestroyPipeline gives it back

/// Solves a scene as far as it goes without waiting for simulations. What lies above one that is not complete is made
/// from what is known of it, or is missing.
QV_CHECKED qvResult qvPipeline_SolveKnown(qvPipeline* pipeline, const qvScene* scene, const char* folder,
                                          const qvJob* job, qvTake** take, qvError* error);

/// What the next space can start from, with one more owner; may be NULL.
qvStaged* qvPipeline_LastSpace(qvPipeline* pipeline);
void qvPipeline_SetLastSpace(qvPipeline* pipeline, qvStaged* space);

/// Takes over a space; older ones go as far as memory demands, and with them the motions and waves that hold on to
/// them. *staged has one more owner.
QV_CHECKED qvResult qvPipeline_AddSpace(qvPipeline* pipeline, uint64_t hash, qvMotionSpace* space, qvStaged** staged,
                                        qvError* error);

/// A distinct shape of the keys with the velocities that they give it.
typedef struct qvPoseSlot
{
    qvStaged* pose;
    qvStaged* moved[2]; // the pose after a second at the velocity before and after; NULL: none given
} qvPoseSlot;

/// What a scene's space is made from. Poses stand in the order in which keys were made, so that moving a key in time
/// keeps the space, and editing the newest keeps most of it.
typedef struct qvPoseList
{
    int count;
    qvPoseSlot* slots; // [count]
    int* slotOfKey;    // [keyCount]
} qvPoseList;

/// Which points are pinned in each segment between keys.
typedef struct qvPinSets
{
    int count;      // at least 1
    int32_t** sets; // [count] points, ascending
    int* sizes;     // [count]
    int* setOfKey;  // [keyCount] of the segment that arrives at it
} qvPinSets;

QV_CHECKED qvResult qvMakePinSets(const qvScene* scene, const qvBody* body, qvPinSets* sets, qvError* error);
void qvFreePinSets(qvPinSets* sets);

/// What a motion is made from, between its check and its making.
void qvFreeKeysDraft(qvKeysDraft* draft); ///< NULL is allowed

/// One scene on its way.
struct qvSolving
{
    qvPipeline* pipeline;
    const qvScene* scene;
    const char* folder;
    const qvBody* body;
    uint64_t source; // hash of what the body was read from
    const qvJob* job;
    qvTake* take;
    qvPoseList list;
    qvPinSets pins;
    qvStaged* detail; // qvStagedDetail; NULL: keys are solved on all points
    qvStaged* rests;  // qvDetailRests, with detail
    qvStaged* space;
    bool madeSpace; // none of the last ones would do
    qvKeysDraft* draft;
    bool isAtOnce;   // nothing waits for simulations
    uint64_t frames; // hash of what all frames of the simulation at work depend on beside its own fields and pins
    double known;    // s, until when what is below the layer at work is known
};

/// A body on fewer points, or why there is none.
typedef struct qvStagedDetail
{
    qvDetail* detail; // NULL: it cannot be made
    char reason[qv_maxRemark];
} qvStagedDetail;

/// Where the scene wants the keys on fewer points than the body has: those, with the pins numbered among them.
QV_CHECKED qvResult qvSolving_Detail(qvSolving* solving, qvError* error);
/// What the poses of the list have beyond those.
QV_CHECKED qvResult qvSolving_Rests(qvSolving* solving, qvError* error);
/// Of what a space and rests are made from in the list.
uint64_t qvSolving_HashPoses(const qvSolving* solving);
/// Its fewer points; NULL: keys are solved on all.
const qvDetail* qvSolving_DetailOf(const qvSolving* solving);
/// Numbers of points among all become those among the fewer ones, all of which they are.
void qvSolving_Number(const qvSolving* solving, int32_t* points, int count);

/// Fills the take's poses and the list.
QV_CHECKED qvResult qvSolving_Poses(qvSolving* solving, qvError* error);
QV_CHECKED qvResult qvSolving_Space(qvSolving* solving, qvError* error);
void qvSolving_Free(qvSolving* solving);
