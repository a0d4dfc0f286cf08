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
static qvResult Solve(const qvMotion* motion, qvTrack* track, int width, const qvWigglySide* before,
                      const qvWigglySide* after, qvError* error)
{
    if (qvSegmentCount(motion->keyCount, motion->period) < 1)
        return qv_ok;
    qvWigglyDef def = qvDefaultWigglyDef();
    void* memory;
    def.modeCount = width, def.lambda = track->lambda, def.delta = track->delta;
    def.segmentStride = track != &motion->carrier && motion->stride > 0 ? width : 0;
    def.weights = track != &motion->carrier ? motion->wigglyKappa : motion->kappa;
    qvResult result = qvTrack_Cut(motion, track, before, after, &def, &memory, error);
    if (result == qv_ok)
        result = qvCreateWigglyPlan(&def, &track->plan, error);
    free(memory);
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
    result = Solve(motion, track, motion->space->shapeCount, sides, sides + keys, error);
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
    for (int s = 0; s < space->warp->shapes[shape].seenCount; s++)
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
    for (int s = 0; s < space->warp->shapes[shape].seenCount; s++)
    {
        lambda[s] = scale * fmax(space->warp->shapes[shape].stiffness[s], least);
        delta[s] = qvMotion_Damping(def, settle, lambda[s]);
    }
}

// Rows of shares of all shapes at all keys become those of the shapes that one sees, at the keys of a track.
static void GatherShares(const qvMotion* motion, const qvTrack* track, const qvWarpShape* shape, const double* from,
                         double* to)
{
    int knots = track->knotCount > 0 ? track->knotCount : motion->keyCount;
    for (int i = 0; i < knots; i++)
    {
        const double* row = from + (size_t)qvTrack_Key(track, i, motion->keyCount) * (size_t)motion->space->shapeCount;
        for (int s = 0; s < shape->seenCount; s++)
            *to++ = row[shape->seen[s]];
    }
}

static const qvWarpShape* ShapeOf(const qvMotion* motion, const qvTrack* track)
{
    return &motion->space->warp->shapes[track->shape - motion->space->shapes];
}

// The shares that the ways start from: the carrier's, but for soft keys, which want all of their own shape.
static qvResult FillWays(const qvMotion* motion, const qvTrack* own, qvTrack* track, qvError* error)
{
    const qvWigglySolution *from = &motion->carrier.solution, *to = &track->solution;
    const qvWarpShape* shape = ShapeOf(motion, own);
    size_t shapes = (size_t)motion->space->shapeCount;
    double* row = qvAllocate(shapes, sizeof(double));
    if (row == NULL)
        return qvError_OutOfMemory(error, (double)shapes * sizeof(double));
    GatherShares(motion, own, shape, from->values, to->values);
    GatherShares(motion, own, shape, from->before, to->before);
    GatherShares(motion, own, shape, from->after, to->after);
    for (int i = 0; motion->kappa != NULL && i < motion->keyCount; i++)
    {
        if (motion->wigglyKappa[i] == INFINITY)
            continue;
        WantShape(motion, i, row);
        for (int s = 0; s < shape->seenCount; s++)
            to->values[(size_t)i * (size_t)shape->seenCount + (size_t)s] = row[shape->seen[s]];
    }
    free(row);
    return qv_ok;
}

qvResult qvMotion_BuildWays(qvMotion* motion, const qvMotionDef* def, int index, const qvWigglySide* before,
                            const qvWigglySide* after, qvError* error)
{
    if (!motion->warped)
        return qv_ok;
    qvTrack* track = &motion->ways[index];
    const qvTrack* own = &motion->tracks[index];
    size_t width = (size_t)ShapeOf(motion, own)->seenCount;
    int shape = (int)(own->shape - motion->space->shapes), stride = motion->stride > 0 ? (int)width : 0;
    int knots = own->knotCount > 0 ? own->knotCount : motion->keyCount;
    int segments = own->knotCount > 0 ? own->knotCount - 1 : qvSegmentCount(motion->keyCount, motion->period);
    track->first = own->first, track->knotCount = own->knotCount, track->begin = own->begin;
    qvResult result = qvTrack_Allocate(track, knots, (int)width, stride, error);
    if (result == qv_ok)
        result = FillWays(motion, own, track, error);
    if (result != qv_ok)
        return result;
    for (int i = 0; i < (motion->stride > 0 ? segments : 1); i++)
    {
        const qvMotionKey* key = &def->keys[qvSegmentEnd(qvTrack_Key(own, i, motion->keyCount), motion->keyCount)];
        double frequency = motion->stride > 0 && key->frequency >= 0.0 ? key->frequency : def->material.frequency;
        double settle = motion->stride > 0 && key->settle >= 0.0 ? key->settle : def->material.settle;
        WayRates(motion, def, shape, frequency, settle, track->lambda + (size_t)i * width,
                 track->delta + (size_t)i * width);
    }
    WayRates(motion, def, shape, def->material.frequency, def->material.settle, track->ringLambda, track->ringDelta);
    result = MixWays(motion, shape, track, error);
    if (result == qv_ok)
        result = Solve(motion, track, (int)width, before, after, error);
    if (result == qv_ok)
        result = qvTrack_Settle(track, knots, (int)width, stride, own->rowOf, own->rowCount, error);
    return result;
}

// Keys attract a soft one's shape, not what the carrier found of it.
static void ShiftSoftKeys(const qvMotion* motion, const qvWarpShape* from, const double* found, double* values)
{
    int d = motion->space->dimension;
    for (int i = 0; motion->kappa != NULL && i < motion->keyCount; i++)
    {
        if (motion->wigglyKappa[i] == INFINITY)
            continue;
        double *row = values + (size_t)i * (size_t)d, share = i == 0 ? motion->startShare : 1.0;
        int own = qvWarpShape_Column(from, motion->space->poses[motion->poses[i]].shape);
        qvBlas_Multiply(false, false, d, 1, from->seenCount, -1.0, from->shift, d,
                        found + (size_t)i * (size_t)from->seenCount, from->seenCount, 1.0, row, d);
        if (own >= 0)
            qvBlas_AddScaled(d, share, from->shift + (size_t)own * (size_t)d, row);
        int next = share < 1.0 ? qvWarpShape_Column(from, motion->space->poses[motion->poses[1]].shape) : -1;
        if (next >= 0)
            qvBlas_AddScaled(d, 1.0 - share, from->shift + (size_t)next * (size_t)d, row);
    }
}

qvResult qvMotion_ShiftKeys(const qvMotion* motion, const qvTrack* track, qvError* error)
{
    if (!motion->warped)
        return qv_ok;
    int d = motion->space->dimension, knots = track->knotCount > 0 ? track->knotCount : motion->keyCount;
    const qvWarpShape* from = ShapeOf(motion, track);
    size_t rows = (size_t)knots * (size_t)from->seenCount;
    double* shares = qvAllocateRaw(3 * rows, sizeof(double));
    if (shares == NULL)
        return qvError_OutOfMemory(error, 3.0 * (double)rows * sizeof(double));
    const qvWigglySolution *carrier = &motion->carrier.solution, *keys = &track->solution;
    const double* in[3] = { carrier->values, carrier->before, carrier->after };
    double* out[3] = { keys->values, keys->before, keys->after };
    for (size_t k = 0; k < 3; k++)
    {
        GatherShares(motion, track, from, in[k], shares + k * rows);
        qvBlas_Multiply(false, false, d, knots, from->seenCount, 1.0, from->shift, d, shares + k * rows,
                        from->seenCount, 1.0, out[k], d);
    }
    ShiftSoftKeys(motion, from, shares, keys->values);
    free(shares);
    return qv_ok;
}
