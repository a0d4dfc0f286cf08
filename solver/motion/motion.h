// SPDX-License-Identifier: GPL-3.0-or-later
// What a qvMotion is made of.
#pragma once

#include "motion/warp.h"
#include "quaver/wiggly.h"

/// The curves of all coordinates through all keys; rows of d numbers per key.
typedef struct qvTrack
{
    qvWigglyPlan* plan; // NULL where no segment needs it
    qvWigglySolution solution;
    double* force;   // [d]
    double* lambda;  // [d]
    double* delta;   // [d]
    double* numbers; // owns all arrays
} qvTrack;

struct qvMotion
{
    const qvMotionSpace* space;
    int keyCount;
    double period;
    double* times;
    qvKnot* knots;
    int* poses;         // of the keys
    qvTrack smooth;     // reduced coordinates q, cubic
    qvTrack* tracks;    // per shape: omega, wiggly
    double* end;        // [3 d] after the last key: velocity of omega, centre of omega, both of the last shape
    qvFramePath* outer; // keyed transforms; NULL when there are none
    qvFramePath* inner; // rigid part of the poses; NULL with pins

    bool warped;        // shapes between keys by rotations and strains (warp.h)
    qvTrack carrier;    // shares of the shapes, if warped
    qvTrack* ways;      // per shape: how far the wiggly motion is on the way to every shape; NULL if not warped
    double* carrierEnd; // [shapeCount] their velocities after the last key
    double carrierRate; // 1/s, how fast they come to rest then
    float* weights;     // [pointCount] of the deviation from the smooth motion; NULL: 1
};

enum
{
    qv_motionChunk = 32 ///< times evaluated together, which bounds the scratch
};

/// Both paths of the frame and the tracks, from a checked definition whose knots are filled already.
QV_CHECKED qvResult qvMotion_BuildFrames(qvMotion* motion, const qvMotionDef* def, qvError* error);
QV_CHECKED qvResult qvMotion_BuildTracks(qvMotion* motion, const qvMotionDef* def, qvPool* pool, qvError* error);

/// The frame at a time.
qvRigidState qvMotion_FrameState(const qvMotion* motion, double time);

/// The shares of the shapes, before the tracks are built: rotation-aware motions only.
QV_CHECKED qvResult qvMotion_BuildCarrier(qvMotion* motion, const qvMotionDef* def, qvError* error);

/// Modal coordinates of the keys (values and velocities) seen from a shape by displacements become those seen by
/// rotations and strains.
void qvMotion_ShiftKeys(const qvMotion* motion, int shape, const qvWigglySolution* keys);

/// How far the motion linearized at a shape is on the way to every shape, with the sides of its wiggly splines.
QV_CHECKED qvResult qvMotion_BuildWays(qvMotion* motion, const qvMotionDef* def, int shape, const qvWigglySide* before,
                                       const qvWigglySide* after, qvError* error);

/// delta of a mode.
double qvMotion_Damping(const qvMotionDef* def, double lambda);

/// After the tracks are built.
void qvMotion_FinishCarrier(qvMotion* motion);

/// Whether the last key is reached by a curve with a free end.
bool qvMotion_ArrivesFreely(const qvMotion* motion);

/// A motion at a time with `order` derivatives (0 to 2); pointers into the scratch.
typedef struct qvMotionState
{
    const double* q[3];      // [d] reduced coordinates
    const double* smooth[3]; // [d] those of the smooth motion, if there are weights
    qvWarpInput input;       // if warped: q as a blend of shapes and vibration
    qvWarpInput smoothInput; // the same of the smooth motion
} qvMotionState;

size_t qvMotion_StateSize(const qvMotion* motion); ///< numbers of scratch
void qvMotion_FindState(const qvMotion* motion, double time, int order, double* scratch, qvMotionState* state);
