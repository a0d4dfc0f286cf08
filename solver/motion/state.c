// SPDX-License-Identifier: GPL-3.0-or-later
// A motion at one time: reduced coordinates, and the same as a blend of shapes and vibrations about them (warp.h).
#include "motion/evaluate.h"

#include "math/blas.h"

#include <math.h>
#include <string.h>

static int ShapeOf(const qvMotion* motion, int key)
{
    return motion->space->poses[motion->poses[key]].shape;
}

// The smooth motion at a time where the motion is at q.
static void SmoothRows(const qvMotion* motion, const qvPlace* place, double time, double* scratch, const qvRows* q,
                       const qvRows* out)
{
    size_t d = (size_t)motion->space->dimension;
    const qvTrack* track = &motion->smooth;
    if (place->zone >= qv_zoneSmooth)
    {
        qvMotion_Smooth(motion, &time, 1, out);
        qvMotion_HoldAllPins(motion, place, &time, 1, out);
        return;
    }
    for (int k = 0; k < 3 && out->x[k] != NULL; k++)
        memcpy(out->x[k], place->zone == qv_zoneBefore && k == 0 ? track->solution.values : q->x[k],
               d * sizeof(double));
    if (qvPlace_IsAfter(place))
    {
        qvRowWork work = qvMakeRowWork(motion, scratch);
        qvMotion_SmoothAfter(motion, place->since, &work.omega, out);
    }
    qvMotion_HoldAllPins(motion, place, &time, 1, out);
}

// The shapes about which vibration is lifted: as those about which the wiggly motion is linearized.
static void FindTerms(const qvMotion* motion, const qvPlace* place, qvWarpInput* input)
{
    int start = ShapeOf(motion, place->span.from), end = ShapeOf(motion, place->span.to);
    double u = place->zone >= qv_zoneHold ? place->span.since / place->span.length : 0.0, s[3];
    input->termCount = 1;
    bool same = motion->trackOf[place->span.from] == motion->trackOf[place->span.to];
    input->shape[0] = u >= 0.75 ? end : start;
    input->share[0][0] = 1.0, input->share[0][1] = input->share[0][2] = 0.0;
    if (same || u <= 0.25 || u >= 0.75)
        return;
    qvPlace_Ease(place, s);
    input->termCount = 2;
    input->shape[1] = end;
    for (int k = 0; k < 3; k++)
        input->share[0][k] = (k == 0 ? 1.0 : 0.0) - s[k], input->share[1][k] = s[k];
}

// What q is beyond the blended shapes. False when it is nothing.
static bool FindDeviation(const qvMotion* motion, const qvRows* q, const qvRows* shares, int order, double* out,
                          const double* deviation[3])
{
    const qvMotionSpace* space = motion->space;
    int d = space->dimension;
    bool any = false;
    for (int k = 0; k <= order; k++, out += d)
    {
        double largest = 0.0, scale = 1.0;
        memcpy(out, q->x[k], (size_t)d * sizeof(double));
        for (int s = 0; s < space->shapeCount; s++)
            qvBlas_AddScaled(d, -shares->x[k][s], space->shapes[s].center, out);
        for (int i = 0; i < d; i++)
            largest = fmax(largest, fabs(out[i])), scale = fmax(scale, fabs(q->x[k][i]));
        any = any || largest > 1e-12 * scale;
        deviation[k] = out;
    }
    return any;
}

// How much farther than the smooth motion the wiggly one linearized at a shape is on the way to every shape that it
// sees, in their order.
static void FindWays(const qvMotion* motion, const qvPlace* place, double time, int index, const qvRows* shares,
                     const qvRows* out)
{
    int shape = (int)(motion->tracks[index].shape - motion->space->shapes);
    const qvWarpShape* from = &motion->space->warp->shapes[shape];
    int shapes = from->seenCount, own = qvWarpShape_Column(from, shape);
    bool after = place->zone == qv_zoneAfter;
    size_t last = after ? qvTrack_Row(&motion->tracks[index], motion->keyCount - 1) * (size_t)shapes : 0;
    const qvTrack* track = &motion->ways[index];
    time = qvTrack_Time(track, motion->period, time);
    if (place->zone >= qv_zoneStart)
        qvWigglyPlan_Evaluate(track->plan, &track->solution, track->force, &time, 1, NULL, out->x[0], out->x[1],
                              out->x[2]);
    bool wiggly = qvMotion_ArrivesFreely(motion) && motion->knots[motion->keyCount - 1].kind == qv_motionWiggly;
    const double *rests = motion->carrierEnd, *arrives = track->solution.before + last;
    const double* ends = track->solution.values + last;
    for (int s = 0; s < shapes; s++)
    {
        double x[3] = { track->solution.values[s], 0.0, 0.0 }, velocity = wiggly ? arrives[s] : rests[from->seen[s]];
        if (after)
            qvFreeVibration(track->ringLambda[s], track->ringDelta[s], ends[s], ends[s], velocity, place->since, x);
        for (int k = 0; k < 3 && out->x[k] != NULL; k++)
        {
            double now = place->zone >= qv_zoneStart ? out->x[k][s] : x[k];
            out->x[k][s] = track->center[s] * (now - shares->x[k][from->seen[s]]);
        }
    }
    for (int k = 0; k < 3 && out->x[k] != NULL; k++) // what the others gain, the shape itself loses
    {
        out->x[k][own] = 0.0;
        for (int s = 0; s < shapes; s++)
            out->x[k][own] -= s != own ? out->x[k][s] : 0.0;
    }
}

// blend += share times what the ways say of the shapes that one sees.
static void AddToBlend(const qvWarpShape* from, int shapeCount, double share, const double* ways, double* blend)
{
    if (from->seenCount == shapeCount)
        qvBlas_AddScaled(shapeCount, share, ways, blend);
    for (int i = 0; from->seenCount < shapeCount && i < from->seenCount; i++)
        blend[from->seen[i]] += share * ways[i];
}

// The part of the vibration that goes the ways between shapes is better off as a blend of these.
static void TakeWays(const qvMotion* motion, const qvPlace* place, double time, const qvRows* shares,
                     const qvRows* ways, double* const deviations[2], qvWarpInput* input, const qvRows* blend)
{
    int d = motion->space->dimension, shapes = motion->space->shapeCount;
    int start = motion->trackOf[place->span.from], end = motion->trackOf[place->span.to];
    for (int m = 0; m < input->termCount; m++)
    {
        FindWays(motion, place, time, place->zone == qv_zoneEnd || m == 1 ? end : start, shares, ways);
        const qvWarpShape* from = &motion->space->warp->shapes[input->shape[m]];
        for (int k = 0; k <= input->order; k++)
        {
            qvBlas_Multiply(false, false, d, 1, from->seenCount, -1.0, from->paths, d, ways->x[k], from->seenCount, 1.0,
                            deviations[m] + (size_t)k * (size_t)d, d);
            for (int j = 0; j <= k; j++)
                AddToBlend(from, shapes, (k == 2 && j == 1 ? 2.0 : 1.0) * input->share[m][j], ways->x[k - j],
                           blend->x[k]);
        }
    }
}

size_t qvMotion_StateSize(const qvMotion* motion)
{
    return qvMotion_WorkSize(motion) + 18 * (size_t)motion->space->dimension + 9 * (size_t)motion->space->shapeCount;
}

// What the motion is beyond a blend of two views, added to both of them.
static void SeeMixed(const qvMotion* motion, const qvPlace* place, double time, const qvRowWork* work, qvRows seen[2])
{
    int d = motion->space->dimension;
    double s[3], minus[3];
    qvPlace_Ease(place, s);
    for (int k = 0; k < 3 && seen[0].x[k] != NULL; k++)
        qvBlas_AddScaled(d, -1.0, seen[0].x[k], seen[1].x[k]);
    qvMotion_Mixed(motion, place, time, work, &seen[0]);
    for (int k = 0; k < 3; k++)
        minus[k] = -s[k];
    qvRows_AddShare(d, minus, &seen[1], &seen[0]);
    for (int k = 0; k < 3 && seen[0].x[k] != NULL; k++)
        qvBlas_AddScaled(d, 1.0, seen[0].x[k], seen[1].x[k]);
}

typedef struct Sight
{
    const qvMotion* motion;
    double time;
    int tracks[2];
    qvRowWork work[2];
    const qvRows* seen;
} Sight;

static void See(void* context, int begin, int end)
{
    const Sight* sight = context;
    for (int i = begin; i < end; i++)
        qvMotion_Wiggly(sight->motion, sight->tracks[i], &sight->time, 1, &sight->work[i], &sight->seen[i]);
}

// In a blend, the motion as seen from each of the two shapes; elsewhere the same twice.
static void FindSeen(const qvMotion* motion, const qvPlace* place, double time, double* scratch, qvPool* pool,
                     const qvRows* q, qvRows seen[2])
{
    seen[1] = seen[0] = *q;
    if (!motion->warped || place->zone != qv_zoneBlend)
    {
        qvMotion_Coordinates(motion, &time, 1, scratch, q->x[0], q->x[1], q->x[2]);
        return;
    }
    qvRowWork work = qvMakeRowWork(motion, scratch);
    qvRows shares = qvRows_Wanted(&work.shares, q);
    seen[1] = qvRows_Shifted(q, 3 * (size_t)motion->space->dimension);
    qvMotion_FindShares(motion, place, &time, 1, &shares);
    int from = motion->trackOf[place->span.from], to = motion->trackOf[place->span.to];
    Sight sight = { motion, time, { from, to }, { work, work }, seen };
    sight.work[1].omega = work.other;
    qvParallelFor(pool, 2, 1, See, &sight);
    if (qvMotion_IsMixed(motion, place->segment))
        SeeMixed(motion, place, time, &work, seen);
    for (int i = 0; i < 2; i++)
        qvMotion_Finish(motion, place, &time, 1, &work, &seen[i]);
}

// How much of what partial keys at both ends lack is to be added.
static void FindResiduals(const qvMotion* motion, const qvPlace* place, qvMotionState* state)
{
    double u = place->since / place->length, rate = 1.0 / place->length;
    double s[3] = { u * u * u * (10.0 + u * (6.0 * u - 15.0)), rate * 30.0 * u * u * (1.0 - u) * (1.0 - u),
                    rate * rate * 60.0 * u * (1.0 - u) * (1.0 - 2.0 * u) };
    if (place->zone == qv_zoneLinear)
        s[0] = u, s[1] = rate, s[2] = 0.0;
    else if (place->zone <= qv_zoneHold)
        s[0] = s[1] = s[2] = 0.0;
    state->keys[0] = qvPlace_IsAfter(place) ? motion->keyCount - 1 : place->segment;
    state->keys[1] = qvSegmentEnd(place->segment, motion->keyCount);
    for (int k = 0; k < 3; k++)
        state->residual[0][k] = (k == 0 ? 1.0 : 0.0) - s[k], state->residual[1][k] = s[k];
}

void qvMotion_FindState(const qvMotion* motion, double time, int order, double* scratch, qvPool* pool,
                        qvMotionState* state)
{
    size_t d = (size_t)motion->space->dimension, shapes = (size_t)motion->space->shapeCount;
    double* base = scratch + qvMotion_WorkSize(motion);
    qvRows q = { { base, order > 0 ? base + d : NULL, order > 1 ? base + 2 * d : NULL } }, seen[2];
    qvRows smooth = qvRows_Shifted(&q, 6 * d);
    qvPlace place = qvMotion_FindPlace(motion, time);
    FindResiduals(motion, &place, state);
    FindSeen(motion, &place, time, scratch, pool, &q, seen);
    if (motion->weights != NULL && d > 0)
        SmoothRows(motion, &place, time, scratch, &q, &smooth);
    memcpy(state->q, q.x, sizeof(q.x));
    memcpy(state->smooth, smooth.x, sizeof(smooth.x));
    if (!motion->warped)
        return;
    base += 9 * d;
    qvRows shares = { { base, order > 0 ? base + shapes : NULL, order > 1 ? base + 2 * shapes : NULL } };
    qvRows blend = qvRows_Shifted(&shares, 3 * shapes), ways = qvRows_Shifted(&shares, 6 * shapes);
    base += 9 * shapes;
    qvMotion_FindShares(motion, &place, &time, 1, &shares);
    qvWarpInput* input = &state->input;
    *input = (qvWarpInput){ .order = order };
    memcpy(input->blend, shares.x, sizeof(shares.x));
    FindTerms(motion, &place, input);
    state->smoothInput = *input;
    bool vibrates = FindDeviation(motion, &seen[0], &shares, order, base, input->deviation[0]);
    vibrates = FindDeviation(motion, &seen[1], &shares, order, base + 3 * d, input->deviation[1]) || vibrates;
    bool starts = place.zone == qv_zoneBefore && motion->keyCount > 1 && motion->knots[1].kind == qv_motionWiggly;
    if (starts || place.zone == qv_zoneAfter || place.zone >= qv_zoneStart)
    {
        double* const deviations[2] = { base, base + 3 * d };
        for (int k = 0; k <= order; k++)
            memcpy(blend.x[k], shares.x[k], shapes * sizeof(double));
        TakeWays(motion, &place, time, &shares, &ways, deviations, input, &blend);
        memcpy(input->blend, blend.x, sizeof(blend.x));
    }
    input->termCount = vibrates ? input->termCount : 0;
    if (motion->weights == NULL)
        return;
    input = &state->smoothInput;
    if (!FindDeviation(motion, &smooth, &shares, order, base + 6 * d, input->deviation[0]))
        input->termCount = 0;
    memcpy(input->deviation[1], input->deviation[0], sizeof(input->deviation[0]));
}
