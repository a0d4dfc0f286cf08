// SPDX-License-Identifier: GPL-3.0-or-later
// What a qvMotion is made of.
#pragma once

#include "motion/space.h"
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
