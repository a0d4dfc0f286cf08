// SPDX-License-Identifier: GPL-3.0-or-later
// Handing over at the end of a simulation's span: what is left of position and velocity fades out over the motion
// below.
#pragma once

#include "math/rigid.h"
#include "quaver/job.h"
#include "quaver/result.h"
#include "quaver/topology.h"

static const double qvHandOver_Near = 1e-4; ///< s to both sides of the end, for differences in time

/// A body around the end of the span, by its points at three times.
typedef struct qvHandOverMoment
{
    qvVec3f* at[3]; ///< qvHandOver_Near before, at, and as much after the end
} qvHandOverMoment;

/// What is left at the end. Start with all zero.
typedef struct qvHandOver
{
    const qvTopology* topology;
    qvRigid turn;    // D: rotation about the centre of the body, and where that goes
    qvVec3 centre;   // of the motion below at the end
    qvVec3f* below;  // its points then
    qvVec3* offsets; // rho
    qvVec3* rates;   // sigma
} qvHandOver;

/// The topology must outlive it.
QV_CHECKED qvResult qvHandOver_Open(qvHandOver* handOver, const qvTopology* topology, qvError* error);
void qvHandOver_Close(qvHandOver* handOver);

/// What is left between the simulation and the motion below. Not while somebody fades.
QV_CHECKED qvResult qvHandOver_Measure(qvHandOver* handOver, const qvHandOverMoment* simulated,
                                       const qvHandOverMoment* below, qvError* error);

/// Where the body is so many seconds after the end, of `blend` in all; below: points of the motion below then. Thread-
/// safe, allocates nothing, the same bits for any pool.
void qvHandOver_Fade(const qvHandOver* handOver, double since, double blend, const qvVec3f* below, qvPool* pool,
                     qvVec3f* points);
