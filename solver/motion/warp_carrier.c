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

static const double TWO_PI = 6.28318530717958647692;

// Values and given velocities are in the solution's arrays.
static qvResult Solve(const qvMotion* motion, qvTrack* track, const qvWigglySide* before, const qvWigglySide* after,
                      qvError* error)
{
    if (qvSegmentCount(motion->keyCount, motion->period) < 1)
        return qv_ok;
    qvWigglyDef def = qvDefaultWigglyDef();
    def.knotCount = motion->keyCount, def.times = motion->times, def.period = motion->period;
    def.modeCount = motion->space->shapeCount, def.lambda = track->lambda, def.delta = track->delta;
    def.first = after[0], def.last = before[motion->keyCount - 1];
    def.before = before, def.after = after;
    qvResult result = qvCreateWigglyPlan(&def, &track->plan, error);
    if (result != qv_ok)
        return result;
    qvWigglySolution* s = &track->solution;
    qvWigglyData data = { s->values, s->before, s->after, track->force };
    return qvWigglyPlan_Solve(track->plan, &data, s, error);
}

// Rows of shapeCount numbers, and one more such row behind them.
static double* Allocate(const qvMotion* motion, qvTrack* track)
{
    size_t shapes = (size_t)motion->space->shapeCount, rows = (size_t)motion->keyCount * shapes;
    double* next = track->numbers = qvAllocate(3 * rows + 4 * shapes, sizeof(double));
    if (next == NULL)
        return NULL;
    track->solution = (qvWigglySolution){ next, next + rows, next + 2 * rows };
    next += 3 * rows;
    track->force = next, track->lambda = next + shapes, track->delta = next + 2 * shapes;
    return next + 3 * shapes;
}

bool qvMotion_ArrivesFreely(const qvMotion* motion)
{
    const qvKnot* last = &motion->knots[motion->keyCount - 1];
    return motion->keyCount > 1 && last->mode == qv_velocityFree &&
           (last->kind == qv_motionWiggly || last->kind == qv_motionSmooth);
}

qvResult qvMotion_BuildCarrier(qvMotion* motion, const qvMotionDef* def, qvError* error)
{
    qvTrack* track = &motion->carrier;
    size_t shapes = (size_t)motion->space->shapeCount, keys = (size_t)motion->keyCount;
    motion->carrierRate = fmax(TWO_PI * def->frequency, 3.0 / def->settle);
    if (!motion->warped)
        return qv_ok;
    motion->carrierEnd = Allocate(motion, track);
    motion->ways = qvAllocate(shapes, sizeof(*motion->ways));
    qvWigglySide* sides = qvAllocate(2 * keys, sizeof(*sides));
    if (motion->carrierEnd == NULL || motion->ways == NULL || sides == NULL)
    {
        free(sides);
        return qvError_OutOfMemory(error, (double)(3 * keys + 4) * (double)shapes * sizeof(double));
    }
    for (size_t i = 0; i < keys; i++)
        track->solution.values[i * shapes + (size_t)motion->space->poses[motion->poses[i]].shape] = 1.0;
    qvSmoothSides(motion->knots, motion->keyCount, motion->period, sides, sides + keys);
    qvResult result = Solve(motion, track, sides, sides + keys, error);
    if (result == qv_ok && motion->period <= 0.0 && qvMotion_ArrivesFreely(motion))
        memcpy(motion->carrierEnd, track->solution.before + (keys - 1) * shapes, shapes * sizeof(double));
    free(sides);
    return result;
}

qvResult qvMotion_BuildWays(qvMotion* motion, const qvMotionDef* def, int shape, const qvWigglySide* before,
                            const qvWigglySide* after, qvError* error)
{
    if (!motion->warped)
        return qv_ok;
    const qvMotionSpace* space = motion->space;
    size_t shapes = (size_t)space->shapeCount, keys = (size_t)motion->keyCount;
    qvTrack* track = &motion->ways[shape];
    if (Allocate(motion, track) == NULL)
        return qvError_OutOfMemory(error, (double)(3 * keys + 4) * (double)shapes * sizeof(double));
    memcpy(track->solution.values, motion->carrier.solution.values, 3 * keys * shapes * sizeof(double));
    double omega = TWO_PI * def->frequency, scale = space->lowest > 0.0 ? omega * omega / space->lowest : 0.0;
    for (size_t s = 0; s < shapes; s++)
    {
        double lambda = scale * space->warp->shapes[shape].stiffness[s];
        track->lambda[s] = lambda;
        track->delta[s] = qvMotion_Damping(def, lambda);
    }
    return Solve(motion, track, before, after, error);
}

void qvMotion_ShiftKeys(const qvMotion* motion, int shape, const qvWigglySolution* keys)
{
    if (!motion->warped)
        return;
    int d = motion->space->dimension, shapes = motion->space->shapeCount;
    const double* shift = motion->space->warp->shapes[shape].shift;
    const qvWigglySolution* carrier = &motion->carrier.solution;
    const double* in[3] = { carrier->values, carrier->before, carrier->after };
    double* out[3] = { keys->values, keys->before, keys->after };
    for (int k = 0; k < 3; k++)
        qvBlas_Multiply(false, false, d, motion->keyCount, shapes, 1.0, shift, d, in[k], shapes, 1.0, out[k], d);
}

void qvMotion_FinishCarrier(qvMotion* motion)
{
    const qvMotionSpace* space = motion->space;
    int d = space->dimension, last = motion->keyCount - 1;
    bool smooth = motion->knots[last].kind == qv_motionSmooth && qvMotion_ArrivesFreely(motion);
    if (!motion->warped || motion->period > 0.0 || !smooth)
        return;
    const double* shift = space->warp->shapes[space->poses[motion->poses[last]].shape].shift;
    qvBlas_Multiply(false, false, d, 1, space->shapeCount, 1.0, shift, d, motion->carrierEnd, space->shapeCount, 1.0,
                    motion->end, d);
}
