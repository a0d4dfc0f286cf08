// SPDX-License-Identifier: GPL-3.0-or-later
// The motion of a large body, solved on fewer points and carried to all of them (body/thin.h, body/carrier.h).
//
// Keys stay exact: what a pose has beyond what the carrier makes of its few points is kept in the local frames there,
// as a field r_k of rests. Between keys rests follow a cubic spline through those of the keys, with the same sides as
// the motion has there, and turn and stretch with the local frames. Where a key gives velocities, the spline has the
// rate that makes them exact. Points that pins or partial keys name are among the few, and are where the motion of
// these has them.
#pragma once

#include "body/thin.h"
#include "quaver/base_motion.h"
#include "quaver/motion.h"

/// A body with fewer points and what carries it along; immutable, shared by all scenes with that body.
typedef struct qvDetail qvDetail;

QV_CHECKED qvResult qvCreateDetail(const qvThinDef* def, const qvJob* job, qvDetail** detail, qvError* error);
void qvDestroyDetail(qvDetail* detail); ///< NULL is allowed

const qvThin* qvDetail_Thin(const qvDetail* detail);

/// A pose of all points.
typedef struct qvDetailPose
{
    const qvVec3f* points;
    const qvVec3f* moved[2]; ///< after a second at the velocity before and after; NULL: none given
} qvDetailPose;

/// The rests of poses, and their rates where velocities are given.
typedef struct qvDetailRests qvDetailRests;

QV_CHECKED qvResult qvCreateDetailRests(const qvDetail* detail, const qvDetailPose* poses, int poseCount,
                                        const qvJob* job, qvDetailRests** rests, qvError* error);
void qvDestroyDetailRests(qvDetailRests* rests); ///< NULL is allowed
double qvDetailRests_Bytes(const qvDetailRests* rests);

/// How rests move between keys. Immutable.
typedef struct qvDetailMotion qvDetailMotion;

/// From the definition of the motion of the few points, whose keys name the poses by number. Refers to detail and
/// rests.
QV_CHECKED qvResult qvCreateDetailMotion(const qvDetail* detail, const qvDetailRests* rests, const qvMotionDef* def,
                                         qvPool* pool, qvDetailMotion** motion, qvError* error);
void qvDestroyDetailMotion(qvDetailMotion* motion); ///< NULL is allowed

/// Bytes of scratch, aligned for doubles, also for the velocities.
size_t qvDetailMotion_ScratchSize(const qvDetailMotion* carried, const qvMotion* motion);

/// All points at a time of a motion of the few. The same bits for any pool.
void qvDetailMotion_Points(const qvDetailMotion* carried, const qvMotion* motion, double time, void* scratch,
                           qvPool* pool, qvVec3f* points);

/// Their velocities [3 pointCount], to 1e-6 of what moves fastest. At a key where something jumps: just after it.
void qvDetailMotion_Velocities(const qvDetailMotion* carried, const qvMotion* motion, double time, void* scratch,
                               double* velocities);

/// Displacements of all points from those of the few [3 each] at rest, to first order. False: out of memory.
bool qvDetail_Spread(const qvDetail* detail, const double* few, double* all);
