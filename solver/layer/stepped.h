// SPDX-License-Identifier: GPL-3.0-or-later
// A simulation as a motion: an engine, its frames, and the way back to the motion below. Before its span it is the
// motion below; in the span what the frames say, by cubic Hermite interpolation between them; afterwards it holds or
// fades back. Where frames are still missing it is the motion below, and where a frame cannot be read any more, which
// qvStepped_ValidUntil then says: to advance makes it again. Who wants frames for good looks there when it has them.
#pragma once

#include "layer/engine.h"
#include "layer/step_cache.h"

#include <sys/types.h>

typedef struct qvStepped qvStepped;

typedef struct qvSteppedDef
{
    const qvEngine* engine;
    qvEngineInput input;
    /// A simulation of the same engine, complete, that ends where this one begins: the state of its engine is taken
    /// over. Until then the motion is that one's; afterwards the motion below in `input` counts. Must live as long.
    /// NULL: none.
    qvStepped* before;
    const qvStepPart* parts; ///< where the frames are kept: qvStepped_FrameAfter says at which one a part begins
    int partCount;
    mode_t fileMode;                               ///< permissions of their files; 0: the user's own
    void (*makeRoom)(void* context, size_t bytes); ///< as of qvStepCacheDef
    void* roomContext;
    double mostBytes;     ///< that frames may take; a longer or finer run is refused before its first step. 0: any
    const char* moreRoom; ///< what to do to let them take more, for that message
} qvSteppedDef;

/// The first frame of a run that may depend on what is after a time, s from its start.
int qvStepped_FrameAfter(double seconds);

/// Makes the engine's model. Frames that are cached count at once.
QV_CHECKED qvResult qvCreateStepped(const qvSteppedDef* def, const qvJob* job, qvStepped** stepped, qvError* error);
void qvDestroyStepped(qvStepped* stepped); ///< NULL is allowed

/// Steps on until the motion is known at a time, or to its end. From any thread; one works, others wait. A cancelled
/// call keeps what it has.
QV_CHECKED qvResult qvStepped_Advance(qvStepped* stepped, double time, const qvJob* job, qvError* error);

/// Until when the motion is known, s; INFINITY: for ever. Thread-safe.
double qvStepped_ValidUntil(const qvStepped* stepped);

/// From when to when physics has a say: the span and what fading back takes.
void qvStepped_Span(const qvStepped* stepped, double span[2]);

/// Bytes that its frames take.
double qvStepped_Bytes(const qvStepped* stepped);

/// From when on the topology may be another than the mesh's, s; INFINITY: never.
double qvStepped_ChangesFrom(const qvStepped* stepped);

/// How many points can be shown at a time, 0 outside of the span, where frames are missing, and where the engine does
/// not have a channel of that tag.
int qvStepped_ShownCount(const qvStepped* stepped, const char* tag, double time);
/// Fills all of shown, whose arrays have room for so many. The scratch is that of the motion. False: a frame cannot be
/// read.
bool qvStepped_Show(const qvStepped* stepped, const char* tag, double time, void* scratch, qvShownPoints* shown);

/// How strongly its knocks send waves.
double qvStepped_ImpactWaves(const qvStepped* stepped);
/// The knocks that the engine reports until a time at which the motion is known, in the order of frames, to be freed.
QV_CHECKED qvResult qvStepped_Impacts(const qvStepped* stepped, double until, qvImpact** impacts, int* count,
                                      qvError* error);

/// The motion that it hands back to, and that one which follows it hands back to as well.
qvBaseMotion qvStepped_Below(const qvStepped* stepped);

/// Refers to the object.
qvBaseMotion qvStepped_Motion(const qvStepped* stepped);
