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

static qvResult SolveCarrier(qvMotion* motion, qvError* error)
{
    qvTrack* track = &motion->carrier;
    qvWigglySide* sides = qvAllocate(2 * (size_t)motion->keyCount, sizeof(*sides));
    if (sides == NULL)
        return qvError_OutOfMemory(error, (double)motion->keyCount * 2 * sizeof(*sides));
    qvWigglySide *before = sides, *after = sides + motion->keyCount;
    qvSmoothSides(motion->knots, motion->keyCount, motion->period, before, after);
    qvWigglyDef def = qvDefaultWigglyDef();
    def.knotCount = motion->keyCount, def.times = motion->times, def.period = motion->period;
    def.modeCount = motion->space->shapeCount, def.lambda = track->lambda, def.delta = track->delta;
    def.first = after[0], def.last = before[motion->keyCount - 1];
    def.before = before, def.after = after;
    qvResult result = qvCreateWigglyPlan(&def, &track->plan, error);
    if (result == qv_ok)
    {
        qvWigglySolution* s = &track->solution;
        qvWigglyData data = { s->values, s->before, s->after, track->force };
        result = qvWigglyPlan_Solve(track->plan, &data, s, error);
    }
    free(sides);
    return result;
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
    size_t shapes = (size_t)motion->space->shapeCount, rows = (size_t)motion->keyCount * shapes;
    motion->carrierRate = fmax(TWO_PI * def->frequency, 3.0 / def->settle);
    if (!motion->warped)
        return qv_ok;
    double* next = track->numbers = qvAllocate(3 * rows + 4 * shapes, sizeof(double));
    if (next == NULL)
        return qvError_OutOfMemory(error, (double)(3 * rows + 4 * shapes) * sizeof(double));
    track->solution = (qvWigglySolution){ next, next + rows, next + 2 * rows };
    next += 3 * rows;
    track->force = next, track->lambda = next + shapes, track->delta = next + 2 * shapes;
    motion->carrierEnd = next + 3 * shapes;
    for (int i = 0; i < motion->keyCount; i++)
        track->solution.values[(size_t)i * shapes + (size_t)motion->space->poses[motion->poses[i]].shape] = 1.0;
    if (qvSegmentCount(motion->keyCount, motion->period) < 1)
        return qv_ok;
    qvResult result = SolveCarrier(motion, error);
    if (result == qv_ok && motion->period <= 0.0 && qvMotion_ArrivesFreely(motion))
        memcpy(motion->carrierEnd, track->solution.before + rows - shapes, shapes * sizeof(double));
    return result;
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
