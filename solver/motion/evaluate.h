// SPDX-License-Identifier: GPL-3.0-or-later
// What the evaluation of many times (evaluate.c) and of one (state.c) share.
#pragma once

#include "motion/soft.h"

enum
{
    qv_blendPercent = 50 ///< of a span, in whose middle two linearizations are blended
};

/// Where a time lies.
typedef enum qvZone
{
    qv_zoneBefore,      // the first key
    qv_zoneAfter,       // the last key
    qv_zoneSmoothAfter, // the same where the motion reaches it smoothly
    qv_zoneHold,
    qv_zoneLinear,
    qv_zoneSmooth,
    qv_zoneStart, // wiggly, linearized at the segment's start
    qv_zoneBlend,
    qv_zoneEnd,
} qvZone;

/// A time among the keys.
typedef struct qvPlace
{
    qvZone zone;
    int segment;
    double since, length; // seconds since the segment's start, and its length
    qvSpan span;          // of the keys about which the motion is linearized
} qvPlace;

/// Scratch of the coordinates of qv_motionChunk times.
typedef struct qvRowWork
{
    qvRows omega, other; // rows of d numbers
    qvRows shares;       // rows of shapeCount numbers
} qvRowWork;

qvPlace qvMotion_FindPlace(const qvMotion* motion, double time);

/// The quintic from 0 at a quarter of the span to 1 at three quarters, with two derivatives in time.
void qvPlace_Ease(const qvPlace* place, double s[3]);

static inline bool qvPlace_IsAfter(const qvPlace* place)
{
    return place->zone == qv_zoneAfter || place->zone == qv_zoneSmoothAfter;
}

// --- Rows -----------------------------------------------------------------------------------------------------------

/// The rows of scratch that match those of out.
static inline qvRows qvRows_Wanted(const qvRows* scratch, const qvRows* out)
{
    qvRows wanted = *scratch;
    for (int k = 1; k < 3; k++)
        wanted.x[k] = out->x[k] != NULL ? scratch->x[k] : NULL;
    return wanted;
}

static inline qvRows qvRows_Shifted(const qvRows* rows, size_t offset)
{
    qvRows out;
    for (int k = 0; k < 3; k++)
        out.x[k] = rows->x[k] != NULL ? rows->x[k] + offset : NULL;
    return out;
}

/// out += share times row, with derivatives.
void qvRows_AddShare(int d, const double share[3], const qvRows* row, const qvRows* out);

/// scratch: qvMotion_WorkSize numbers.
qvRowWork qvMakeRowWork(const qvMotion* motion, double* scratch);

// --- Times of one zone of one segment -------------------------------------------------------------------------------

/// The shares of the shapes.
void qvMotion_FindShares(const qvMotion* motion, const qvPlace* place, const double* times, int count,
                         const qvRows* out);

/// The wiggly motion of a track; the shares of the shapes are in work.
void qvMotion_Wiggly(const qvMotion* motion, int index, const double* times, int count, const qvRowWork* work,
                     const qvRows* out);

/// A time at which more than two keys have a share; the shares of the shapes are in work.
void qvMotion_Mixed(const qvMotion* motion, const qvPlace* place, double time, const qvRowWork* work,
                    const qvRows* out);

/// The smooth motion between keys, and at one time after the last one, where it rings down as well. omega: scratch
/// rows.
void qvMotion_Smooth(const qvMotion* motion, const double* times, int count, const qvRows* out);
void qvMotion_SmoothAfter(const qvMotion* motion, double since, const qvRows* omega, const qvRows* out);

/// What pins that poses move make of finished rows; the same and the mixer.
void qvMotion_HoldAllPins(const qvMotion* motion, const qvPlace* place, const double* times, int count,
                          const qvRows* out);
void qvMotion_Finish(const qvMotion* motion, const qvPlace* place, const double* times, int count,
                     const qvRowWork* work, const qvRows* out);
