// SPDX-License-Identifier: GPL-3.0-or-later
// How much of each shape a motion shows over time: cubic splines through the keys, 1 at keys of the shape and 0 at
// others. Shapes are blended with these shares in rotation-strain coordinates (warp.h); what the motion does beyond is
// vibration and lifted by derivatives. The wiggly splines get the keys as seen from their shape in the same
// coordinates, so that stiff modes have no part in what is mere turning.
#include "motion/warp.h"

#include "base/memory.h"
#include "math/blas.h"
#include "motion/motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Values and given velocities are in the solution's arrays.
static qvResult Solve(const qvMotion* motion, qvTrack* track, const qvWigglySide* before, const qvWigglySide* after,
                      qvError* error)
{
    if (qvSegmentCount(motion->keyCount, motion->period) < 1)
        return qv_ok;
    qvWigglyDef def = qvDefaultWigglyDef();
    def.knotCount = motion->keyCount, def.times = motion->times, def.period = motion->period;
    def.modeCount = motion->space->shapeCount, def.lambda = track->lambda, def.delta = track->delta;
    def.segmentStride = track != &motion->carrier && motion->stride > 0 ? motion->space->shapeCount : 0;
    def.first = after[0], def.last = before[motion->keyCount - 1];
    def.before = before, def.after = after;
    def.weights = track != &motion->carrier ? motion->wigglyKappa : motion->kappa;
    qvResult result = qvCreateWigglyPlan(&def, &track->plan, error);
    if (result != qv_ok)
        return result;
    qvWigglySolution* s = &track->solution;
    qvWigglyData data = { s->values, s->before, s->after, track->force };
    return qvWigglyPlan_Solve(track->plan, &data, s, error);
}

bool qvMotion_ArrivesFreely(const qvMotion* motion)
{
    const qvKnot* last = &motion->knots[motion->keyCount - 1];
    return motion->keyCount > 1 && last->mode == qv_velocityFree &&
           (last->kind == qv_motionWiggly || last->kind == qv_motionSmooth);
}

// A key wants all of its own shape, but for a first soft one.
static void WantShape(const qvMotion* motion, int key, double* row)
{
    memset(row, 0, (size_t)motion->space->shapeCount * sizeof(double));
    row[motion->space->poses[motion->poses[key]].shape] = key == 0 ? motion->startShare : 1.0;
    if (key == 0 && motion->startShare < 1.0)
        row[motion->space->poses[motion->poses[1]].shape] += 1.0 - motion->startShare;
}

qvResult qvMotion_BuildCarrier(qvMotion* motion, const qvMotionDef* def, qvError* error)
{
    qvTrack* track = &motion->carrier;
    size_t shapes = (size_t)motion->space->shapeCount, keys = (size_t)motion->keyCount;
    motion->carrierRate = fmax(QV_TWO_PI * def->material.frequency, 3.0 / def->material.settle);
    if (!motion->warped)
        return qv_ok;
    motion->ways = qvAllocate((size_t)motion->trackCount, sizeof(*motion->ways));
    qvWigglySide* sides = qvAllocate(2 * keys, sizeof(*sides));
    qvResult result = qvTrack_Allocate(track, motion->keyCount, motion->space->shapeCount, 0, error);
    if (result == qv_ok && (motion->ways == NULL || sides == NULL))
        result = qvError_OutOfMemory(error, (double)motion->trackCount * sizeof(*motion->ways));
    if (result != qv_ok)
    {
        free(sides);
        return result;
    }
    motion->carrierEnd = track->center;
    for (size_t i = 0; i < keys; i++)
        WantShape(motion, (int)i, track->solution.values + i * shapes);
    qvSmoothSides(motion->knots, motion->keyCount, motion->period, sides, sides + keys);
    result = Solve(motion, track, sides, sides + keys, error);
    if (result == qv_ok && track->plan != NULL)
        qvWigglyPlan_Settle(track->plan, NULL, 0);
    if (result == qv_ok && motion->period <= 0.0 && qvMotion_ArrivesFreely(motion))
        memcpy(motion->carrierEnd, track->solution.before + (keys - 1) * shapes, shapes * sizeof(double));
    free(sides);
    return result;
}

// How much of a way the mixer lets through.
static double MixedShare(const qvMotion* motion, const double* path, double* work)
{
    int d = motion->space->dimension;
    double *mixed = work, *zero = work + d, *shares = work + 2 * d, top = 0.0, bottom = 0.0;
    memcpy(mixed, path, (size_t)d * sizeof(double));
    memset(zero, 0, (size_t)d * sizeof(double));
    qvMotion_Mix(motion, 1, zero, shares, mixed);
    for (int i = 0; i < d; i++)
        top += mixed[i] * path[i], bottom += path[i] * path[i];
    return bottom > 0.0 ? top / bottom : 1.0;
}

// The share of every way in track->center.
static qvResult MixWays(const qvMotion* motion, int shape, qvTrack* track, qvError* error)
{
    const qvMotionSpace* space = motion->space;
    size_t d = (size_t)space->dimension;
    double* work = qvAllocate(2 * d + (size_t)space->modeCount, sizeof(double));
    if (work == NULL)
        return qvError_OutOfMemory(error, 2.0 * (double)d * sizeof(double));
    for (int s = 0; s < space->shapeCount; s++)
        track->center[s] =
            motion->mixer.active ? MixedShare(motion, space->warp->shapes[shape].paths + (size_t)s * d, work) : 1.0;
    free(work);
    return qv_ok;
}

static void WayRates(const qvMotion* motion, const qvMotionDef* def, int shape, double frequency, double settle,
                     double* lambda, double* delta)
{
    const qvMotionSpace* space = motion->space;
    double omega = QV_TWO_PI * frequency, scale = space->lowest > 0.0 ? omega * omega / space->lowest : 0.0;
    double least = qvMotionSpace_LeastValue(space);
    for (int s = 0; s < space->shapeCount; s++)
    {
        lambda[s] = scale * fmax(space->warp->shapes[shape].stiffness[s], least);
        delta[s] = qvMotion_Damping(def, settle, lambda[s]);
    }
}

qvResult qvMotion_BuildWays(qvMotion* motion, const qvMotionDef* def, int index, const qvWigglySide* before,
                            const qvWigglySide* after, qvError* error)
{
    if (!motion->warped)
        return qv_ok;
    size_t shapes = (size_t)motion->space->shapeCount, keys = (size_t)motion->keyCount;
    qvTrack* track = &motion->ways[index];
    const qvTrack* own = &motion->tracks[index];
    int shape = (int)(own->shape - motion->space->shapes), stride = motion->stride > 0 ? (int)shapes : 0;
    qvResult result = qvTrack_Allocate(track, motion->keyCount, (int)shapes, stride, error);
    if (result != qv_ok)
        return result;
    memcpy(track->solution.values, motion->carrier.solution.values, 3 * keys * shapes * sizeof(double));
    for (size_t i = 0; motion->kappa != NULL && i < keys; i++)
    {
        if (motion->wigglyKappa[i] < INFINITY)
            WantShape(motion, (int)i, track->solution.values + i * shapes);
    }
    for (int i = 0; i < (motion->stride > 0 ? qvSegmentCount(motion->keyCount, motion->period) : 1); i++)
    {
        const qvMotionKey* key = &def->keys[qvSegmentEnd(i, motion->keyCount)];
        double frequency = motion->stride > 0 && key->frequency >= 0.0 ? key->frequency : def->material.frequency;
        double settle = motion->stride > 0 && key->settle >= 0.0 ? key->settle : def->material.settle;
        WayRates(motion, def, shape, frequency, settle, track->lambda + (size_t)i * shapes,
                 track->delta + (size_t)i * shapes);
    }
    WayRates(motion, def, shape, def->material.frequency, def->material.settle, track->ringLambda, track->ringDelta);
    result = MixWays(motion, shape, track, error);
    if (result == qv_ok)
        result = Solve(motion, track, before, after, error);
    if (result == qv_ok)
        result = qvTrack_Settle(track, motion->keyCount, (int)shapes, stride, own->rowOf, own->rowCount, error);
    return result;
}

void qvMotion_ShiftKeys(const qvMotion* motion, const qvMotionShape* shape, const qvWigglySolution* keys)
{
    if (!motion->warped)
        return;
    int d = motion->space->dimension, shapes = motion->space->shapeCount;
    const double* shift = motion->space->warp->shapes[shape - motion->space->shapes].shift;
    const qvWigglySolution* carrier = &motion->carrier.solution;
    const double* in[3] = { carrier->values, carrier->before, carrier->after };
    double* out[3] = { keys->values, keys->before, keys->after };
    for (int k = 0; k < 3; k++)
        qvBlas_Multiply(false, false, d, motion->keyCount, shapes, 1.0, shift, d, in[k], shapes, 1.0, out[k], d);
    for (int i = 0; motion->kappa != NULL && i < motion->keyCount; i++)
    {
        if (motion->wigglyKappa[i] == INFINITY)
            continue;
        const double* found = carrier->values + (size_t)i * (size_t)shapes;
        double *row = keys->values + (size_t)i * (size_t)d, share = i == 0 ? motion->startShare : 1.0;
        qvBlas_Multiply(false, false, d, 1, shapes, -1.0, shift, d, found, shapes, 1.0, row, d);
        qvBlas_AddScaled(d, share, shift + (size_t)motion->space->poses[motion->poses[i]].shape * (size_t)d, row);
        if (share < 1.0)
            qvBlas_AddScaled(d, 1.0 - share, shift + (size_t)motion->space->poses[motion->poses[1]].shape * (size_t)d,
                             row);
    }
}
