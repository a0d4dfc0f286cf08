// SPDX-License-Identifier: GPL-3.0-or-later
// What positions in double and in float share: the scratch of one time.
#pragma once

#include "motion/motion.h"
#include "motion/warp_kernel.h"

enum
{
    qv_motionSides = 2 ///< the motion itself, and the smooth one if there are weights
};

static inline int qvPositions_BlockCount(const qvMotionSpace* space)
{
    return (space->pointCount + qv_expandPoints - 1) / qv_expandPoints;
}

static inline size_t qvPositions_PinCount(const qvMotion* motion)
{
    return motion->warped ? (size_t)motion->space->warp->body->pinCount : 0;
}

static inline size_t qvPositions_PartCount(const qvMotion* motion)
{
    return motion->warped ? (size_t)motion->space->warp->body->partCount : 0;
}

/// Numbers of each piece of scratch, one after the other; floats count half.
typedef struct qvPositionSizes
{
    size_t state;  // qvMotion_StateSize
    size_t moment; // of each side
    size_t gaps;   // what pins lack
    size_t sums;   // for the mass centres of parts
    size_t floats; // of both sides
    size_t total;
} qvPositionSizes;

qvPositionSizes qvPositions_Sizes(const qvMotion* motion);

/// Floats of one side of a frame: what it reads, shares, maps of the nodes.
size_t qvPositions_SideFloats(const qvMotion* motion);
