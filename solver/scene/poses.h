// SPDX-License-Identifier: GPL-3.0-or-later
// Poses of keys: a base and strokes on top, cached by the hash of what they are made of.
#pragma once

#include "quaver/take.h"
#include "scene/stage_cache.h"

/// What poses are made with. Poses are shared arrays of qvVec3f per point.
typedef struct qvPoseMaker
{
    const qvScene* scene;
    const qvBody* body;
    const qvJob* job;
    qvStageCache* cache;
} qvPoseMaker;

/// The stroke as it acts on a posed body: its centre where the points are, its radius given.
qvStroke qvPlaceStroke(const qvBody* body, const qvVec3f* points, const qvStroke* stroke);

/// A mask of vertices per point, to be freed; NULL when memory runs out.
float* qvMaskOfPoints(const qvBody* body, const float* mask);

/// What the strokes of a key act on.
QV_CHECKED qvResult qvPoseMaker_Base(qvPoseMaker* maker, int key, qvStaged** pose, qvError* error);

/// The pose of a key without its transform.
QV_CHECKED qvResult qvPoseMaker_Pose(qvPoseMaker* maker, int key, qvStaged** pose, qvError* error);

/// A pose after a second at captured velocities of its vertices.
QV_CHECKED qvResult qvPoseMaker_Moved(qvPoseMaker* maker, qvStaged* base, const qvBlob* velocities, qvStaged** pose,
                                      qvError* error);

/// The points that pins hold at a time, per point not 0, or NULL where none is; the caller's to free.
QV_CHECKED qvResult qvFindPinned(const qvScene* scene, const qvBody* body, double time, uint8_t** pinned,
                                 qvError* error);

/// A pose with more strokes on top, at a time that says what is pinned. label stands before the stroke in messages (key
/// "a" at 1 s: velocity.out.).
QV_CHECKED qvResult qvPoseMaker_Stack(qvPoseMaker* maker, qvStaged* base, double time, const qvStrokeStack* strokes,
                                      const char* label, qvStaged** pose, qvError* error);
