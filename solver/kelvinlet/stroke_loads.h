// SPDX-License-Identifier: GPL-3.0-or-later
// From a stroke to the loads that answer it: its centre and its mirror images become handles, and the forces of all of
// them are found together.
#pragma once

#include "kelvinlet/stroke_pins.h"
#include "quaver/brush.h"

/// The handles of a stroke and what the loads that answer them are made of. The last handle is mirrored along all axes
/// that any is.
typedef struct qvStrokeHandles
{
    int count;
    qvHandle items[qv_maxStrokeCopies];
    qvKelvinlet like;
    bool impulse;
    double hold;              ///< 0 to 1: how firmly turning handles hold their centres against their images
    bool failed;              ///< a solve on the way ran out of memory
    const qvStrokePins* pins; ///< what the loads leave where it is; NULL: nothing
} qvStrokeHandles;

/// The sign with which an image mirrors each axis, by comparing it with the centre.
qvVec3 qvStroke_ImageSigns(qvVec3 center, qvVec3 image);

/// pins may be NULL, and must outlive the handles.
void qvStroke_MakeHandles(const qvStroke* stroke, const qvStrokePins* pins, const qvStrokeWave* wave,
                          qvStrokeHandles* handles);

/// Loads of a stroke: its own and those of the places that its pins hold.
#define QV_MAX_STROKE_LOADS (qv_maxStrokeCopies + qv_maxHeld)

/// How many loads answer the handles: impulses know no pins.
int qvStrokeHandles_LoadCount(const qvStrokeHandles* handles);

/// One load per handle, static or, with a wave, a push or an impulse, and then one per held place.
QV_CHECKED qvResult qvStrokeHandles_SetLoads(const qvStrokeHandles* handles, bool push, qvKelvinlet* loads,
                                             qvError* error);

/// A qvFlowUpdateFcn with the handles as context: solves again for the centres where a stage has them, so that each
/// keeps its velocity.
void qvStrokeHandles_Update(void* context, qvKelvinlet* loads, int loadCount);

/// Substeps with which the deformation around the centre of a turning stroke is exact to 1e-6.
int qvCenterSubsteps(const qvMat3* gradient);

/// Checks a wave; NULL is good.
QV_CHECKED qvResult qvStrokeWave_Validate(const qvStrokeWave* wave, qvError* error);
