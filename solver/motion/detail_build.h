// SPDX-License-Identifier: GPL-3.0-or-later
// What a qvDetail and its rests are made of.
#pragma once

#include "body/carrier.h"
#include "motion/detail.h"

struct qvDetail
{
    int pointCount, count; ///< of all points, and of the few
    double size;
    qvThin* thin;
    qvCarrier* carrier;
    int32_t* kept; ///< [keptCount] those of the few that others are not carried to: where the motion has them
    int keptCount;
};

struct qvDetailRests
{
    int poseCount, pointCount;
    qvVec3f** fields; ///< [3 poseCount] rests, and their rates before and after; NULL: nothing
    bool* isFirm;     ///< [pointCount] in the axes of the body
    int32_t* firm;    ///< [firmCount] these points
    int firmCount;
    bool* hasRests; ///< [poseCount] while they are made
    qvVec3* work;   ///< [pointCount] while they are made
};

/// The axes of the whole body.
void qvDetail_Turn(const qvCarrierMoment* moment, qvMat3* turn);
