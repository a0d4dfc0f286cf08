// SPDX-License-Identifier: GPL-3.0-or-later
// A motion at any time. Between two keys the motions linearized at each of them are blended (the paper named in
// space.c, section 4.3), with a quintic so that the result is C2.
#include "motion/evaluate.h"

#include "base/assert.h"
#include "math/blas.h"

#include <math.h>
#include <string.h>

static const double PIN_PART = 1.0; // of a span

// What is left of a unit velocity of a share that comes to rest without swinging, with two derivatives: C2 after a free
// end of a cubic spline, whose acceleration is zero.
static void ComeToRest(double rate, double since, double out[3])
{
    double u = rate * since, fade = exp(-u);
    out[0] = since * (1.0 + u) * fade;
    out[1] = (1.0 + u - u * u) * fade;
    out[2] = rate * u * (u - 3.0) * fade;
}

// The shares of the shapes at times of one zone of one segment.
void qvMotion_FindShares(const qvMotion* motion, const qvPlace* place, const double* times, int count,
                         const qvRows* out)
{
    size_t shapes = (size_t)motion->space->shapeCount;
    const qvTrack* track = &motion->carrier;
    if (place->zone >= qv_zoneSmooth)
    {
        qvWigglyPlan_Evaluate(track->plan, &track->solution, track->force, times, count, NULL, out->x[0], out->x[1],
                              out->x[2]);
        return;
    }
    size_t key = (size_t)(qvPlace_IsAfter(place) ? motion->keyCount - 1 : place->segment);
    const double* start = track->solution.values + key * shapes;
    const double* end = track->solution.values + (size_t)qvSegmentEnd(place->segment, motion->keyCount) * shapes;
    for (int i = 0; i < count; i++)
    {
        qvPlace own = qvMotion_FindPlace(motion, times[i]);
        double rest[3], u[3] = { own.since / own.length, 1.0 / own.length, 0.0 };
        ComeToRest(motion->carrierRate, own.since, rest);
        for (int k = 0; k < 3 && out->x[k] != NULL; k++)
        {
            double* row = out->x[k] + (size_t)i * shapes;
            for (size_t s = 0; s < shapes; s++)
            {
                row[s] = k == 0 ? start[s] : 0.0;
                if (own.zone == qv_zoneLinear)
                    row[s] += u[k] * (end[s] - start[s]);
                else if (qvPlace_IsAfter(&own))
                    row[s] += rest[k] * motion->carrierEnd[s];
            }
        }
    }
}

// omega as seen by rotations and strains becomes omega as seen by displacements (warp_carrier.c).
static void Unshift(const qvMotion* motion, const qvTrack* track, int count, const qvRows* shares, const qvRows* omega)
{
    int d = motion->space->dimension, shapes = motion->space->shapeCount;
    const qvWarpShape* shape =
        motion->warped ? &motion->space->warp->shapes[track->shape - motion->space->shapes] : NULL;
    const double* shift = motion->warped ? shape->shift : NULL;
    bool isPart = motion->warped && shape->seenCount < shapes;
    for (int i = 0; isPart && i < 3 * count * shape->seenCount; i++)
    {
        int k = i % 3, row = i / 3 / shape->seenCount, column = i / 3 % shape->seenCount;
        if (omega->x[k] != NULL)
            qvBlas_AddScaled(d, -shares->x[k][(size_t)row * (size_t)shapes + (size_t)shape->seen[column]],
                             shift + (size_t)column * (size_t)d, omega->x[k] + (size_t)row * (size_t)d);
    }
    for (int k = 0; motion->warped && !isPart && k < 3; k++)
    {
        if (omega->x[k] != NULL)
            qvBlas_Multiply(false, false, d, count, shapes, -1.0, shift, d, shares->x[k], shapes, 1.0, omega->x[k], d);
    }
}

// q = centre + Phi omega for count rows of omega.
static void FromModes(const qvTrack* track, const double* center, int d, int count, const qvRows* omega,
                      const qvRows* out)
{
    for (int k = 0; k < 3; k++)
    {
        if (out->x[k] == NULL)
            continue;
        for (int i = 0; i < count; i++)
        {
            double* row = out->x[k] + (size_t)i * (size_t)d;
            if (k == 0)
                memcpy(row, center, (size_t)d * sizeof(double));
            else
                memset(row, 0, (size_t)d * sizeof(double));
        }
        qvBlas_Multiply(false, false, d, count, d, 1.0, track->shape->vectors, d, omega->x[k], d, 1.0, out->x[k], d);
    }
}

// work is scratch for the rows that out wants.
void qvMotion_Wiggly(const qvMotion* motion, int index, const double* times, int count, const qvRowWork* work,
                     const qvRows* out)
{
    const qvTrack* track = &motion->tracks[index];
    qvRows wanted = qvRows_Wanted(&work->omega, out), *omega = &wanted;
    double turned[qv_motionChunk];
    for (int i = 0; track->knotCount > 0 && i < count; i++)
        turned[i] = qvTrack_Time(track, motion->period, times[i]);
    times = track->knotCount > 0 ? turned : times;
    qvWigglyPlan_Evaluate(track->plan, &track->solution, track->force, times, count, NULL, omega->x[0], omega->x[1],
                          omega->x[2]);
    Unshift(motion, track, count, &work->shares, omega);
    FromModes(track, track->center, motion->space->dimension, count, omega, out);
}

// a = (1 - s) a + s b, with derivatives.
static void Blend(int d, const double s[3], const qvRows* a, const qvRows* b)
{
    for (int i = 0; i < d; i++)
    {
        double difference[3] = { 0.0, 0.0, 0.0 };
        for (int k = 0; k < 3 && a->x[k] != NULL; k++)
            difference[k] = b->x[k][i] - a->x[k][i];
        a->x[0][i] += s[0] * difference[0];
        if (a->x[1] != NULL)
            a->x[1][i] += s[0] * difference[1] + s[1] * difference[0];
        if (a->x[2] != NULL)
            a->x[2][i] += s[0] * difference[2] + 2.0 * s[1] * difference[1] + s[2] * difference[0];
    }
}

static const qvTrack* LastTrack(const qvMotion* motion)
{
    return &motion->tracks[motion->trackOf[motion->keyCount - 1]];
}

// Every mode vibrates freely about the last key's pose: w'' + 2 delta w' + max(lambda, 0) (w - W) = 0. centers NULL: 0.
static void Vibrate(const qvMotion* motion, const double* centers, const double* velocities, double since,
                    const qvRows* omega)
{
    const qvTrack* track = LastTrack(motion);
    for (int i = 0; i < motion->space->dimension; i++)
    {
        double x[3], center = centers != NULL ? centers[i] : 0.0;
        qvFreeVibration(fmax(track->ringLambda[i], 0.0), track->ringDelta[i], center, center, velocities[i], since, x);
        for (int k = 0; k < 3; k++)
            omega->x[k][i] = x[k];
    }
}

// A time after the last key.
static void RingDown(const qvMotion* motion, double since, const qvRows* shares, const qvRows* omega, const qvRows* out)
{
    int d = motion->space->dimension;
    const qvTrack* track = LastTrack(motion);
    Vibrate(motion, motion->end + d, motion->end, since, omega);
    qvRows wanted = qvRows_Wanted(omega, out);
    Unshift(motion, track, 1, shares, &wanted);
    FromModes(track, track->center, d, 1, omega, out);
}

static void Straight(const qvMotion* motion, const qvPlace* place, const qvRows* out)
{
    int d = motion->space->dimension, end = qvSegmentEnd(place->segment, motion->keyCount);
    const double* from = motion->values + (size_t)place->segment * (size_t)d;
    const double* to = motion->values + (size_t)end * (size_t)d;
    double u = place->zone == qv_zoneLinear ? place->since / place->length : 0.0;
    double rate = place->zone == qv_zoneLinear ? 1.0 / place->length : 0.0;
    for (int i = 0; i < d; i++)
    {
        out->x[0][i] = from[i] + u * (to[i] - from[i]);
        if (out->x[1] != NULL)
            out->x[1][i] = rate * (to[i] - from[i]);
        if (out->x[2] != NULL)
            out->x[2][i] = 0.0;
    }
}

void qvMotion_Smooth(const qvMotion* motion, const double* times, int count, const qvRows* out)
{
    const qvTrack* track = &motion->smooth;
    qvWigglyPlan_Evaluate(track->plan, &track->solution, track->force, times, count, NULL, out->x[0], out->x[1],
                          out->x[2]);
}

static const double* LastSmoothValues(const qvMotion* motion)
{
    return motion->smooth.solution.values + (size_t)(motion->keyCount - 1) * (size_t)motion->space->dimension;
}

void qvMotion_SmoothAfter(const qvMotion* motion, double since, const qvRows* omega, const qvRows* out)
{
    int d = motion->space->dimension;
    Vibrate(motion, NULL, motion->end + 2 * d, since, omega);
    FromModes(LastTrack(motion), LastSmoothValues(motion), d, 1, omega, out);
}

bool qvMotion_CenterAt(const qvMotion* motion, double time, double* value, double* velocity)
{
    qvPlace place = qvMotion_FindPlace(motion, time);
    size_t bytes = (size_t)motion->space->dimension * sizeof(double);
    qvRows row = { { value, velocity, NULL } };
    if (place.zone >= qv_zoneStart)
        qvMotion_Smooth(motion, &time, 1, &row);
    else if (qvPlace_IsAfter(&place))
        memcpy(value, LastSmoothValues(motion), bytes), memset(velocity, 0, bytes);
    return place.zone >= qv_zoneStart || qvPlace_IsAfter(&place);
}

// What pins that poses move make of finished rows.
void qvMotion_HoldAllPins(const qvMotion* motion, const qvPlace* place, const double* times, int count,
                          const qvRows* out)
{
    if (motion->space->heldCount == 0 || place->zone == qv_zoneHold || place->zone == qv_zoneLinear)
        return;
    const double all[3] = { 1.0, 0.0, 0.0 };
    for (int i = 0; i < count; i++)
    {
        qvPlace own = qvMotion_FindPlace(motion, times[i]);
        qvRows row = qvRows_Shifted(out, (size_t)i * (size_t)motion->space->dimension);
        qvMotion_ReleasePins(motion, &row);
        bool outside = own.zone == qv_zoneBefore || qvPlace_IsAfter(&own);
        if (outside)
            qvMotion_HoldPins(motion, own.zone == qv_zoneBefore ? 0 : motion->keyCount - 1, all, &row);
        for (int side = 0; !outside && side < 2; side++)
        {
            for (int k = 0; k < qvMotion_ShareCount(motion, own.segment, side); k++)
            {
                qvKeyShare share = qvMotion_Share(motion, own.segment, own.since, PIN_PART, side, k);
                qvMotion_HoldPins(motion, share.key, share.share, &row);
            }
        }
    }
}

// What the mixer and pins make of finished rows.
void qvMotion_Finish(const qvMotion* motion, const qvPlace* place, const double* times, int count,
                     const qvRowWork* work, const qvRows* out)
{
    if (motion->mixer.active && (place->zone >= qv_zoneStart || place->zone == qv_zoneAfter))
    {
        qvRows other = qvRows_Wanted(&work->other, out);
        if (place->zone >= qv_zoneStart)
            qvMotion_Smooth(motion, times, count, &other);
        for (int i = 0; place->zone == qv_zoneAfter && i < count; i++)
        {
            qvRows row = qvRows_Shifted(&other, (size_t)i * (size_t)motion->space->dimension);
            qvMotion_SmoothAfter(motion, times[i] - motion->times[motion->keyCount - 1], &work->omega, &row);
        }
        for (int k = 0; k < 3; k++)
        {
            if (out->x[k] != NULL)
                qvMotion_Mix(motion, count, other.x[k], work->omega.x[0], out->x[k]);
        }
    }
    qvMotion_HoldAllPins(motion, place, times, count, out);
}

// out += share times row, with derivatives.
void qvRows_AddShare(int d, const double share[3], const qvRows* row, const qvRows* out)
{
    for (int k = 0; k < 3 && out->x[k] != NULL; k++)
    {
        for (int j = 0; j <= k; j++)
            qvBlas_AddScaled(d, (k == 2 && j == 1 ? 2.0 : 1.0) * share[j], row->x[k - j], out->x[k]);
    }
}

// A time of a wiggly segment in which more than two keys have a share. The shares of the shapes are in work.
void qvMotion_Mixed(const qvMotion* motion, const qvPlace* place, double time, const qvRowWork* work, const qvRows* out)
{
    int d = motion->space->dimension;
    qvRows row = qvRows_Wanted(&work->other, out);
    for (int k = 0; k < 3 && out->x[k] != NULL; k++)
        memset(out->x[k], 0, (size_t)d * sizeof(double));
    for (int side = 0; side < 2; side++)
    {
        for (int k = 0; k < qvMotion_ShareCount(motion, place->segment, side); k++)
        {
            qvKeyShare share = qvMotion_Share(motion, place->segment, place->since, qv_blendPercent / 100.0, side, k);
            if (share.share[0] == 0.0) // flat there
                continue;
            qvMotion_Wiggly(motion, motion->trackOf[share.key], &time, 1, work, &row);
            qvRows_AddShare(d, share.share, &row, out);
        }
    }
}

// Times of one zone of one segment, at most qv_motionChunk.
static void EvaluateGroup(const qvMotion* motion, const qvPlace* place, const double* times, int count,
                          const qvRowWork* work, const qvRows* out)
{
    int d = motion->space->dimension, start = motion->trackOf[place->span.from];
    int end = motion->trackOf[place->span.to];
    bool mixed = place->zone >= qv_zoneStart && qvMotion_IsMixed(motion, place->segment);
    if (place->zone == qv_zoneSmooth)
    {
        qvMotion_Smooth(motion, times, count, out);
        return;
    }
    qvRows shares = qvRows_Wanted(&work->shares, out);
    if (motion->warped)
        qvMotion_FindShares(motion, place, times, count, &shares);
    if (place->zone >= qv_zoneStart && !mixed)
    {
        qvMotion_Wiggly(motion, place->zone == qv_zoneEnd ? end : start, times, count, work, out);
        if (place->zone != qv_zoneBlend)
            return;
        qvRows other = qvRows_Wanted(&work->other, out);
        qvMotion_Wiggly(motion, end, times, count, work, &other);
    }
    for (int i = 0; i < count; i++)
    {
        size_t offset = (size_t)i * (size_t)d;
        qvPlace own = qvMotion_FindPlace(motion, times[i]);
        qvRows row = qvRows_Shifted(out, offset), second = qvRows_Shifted(&work->other, offset);
        qvRows share = qvRows_Shifted(&shares, (size_t)i * (size_t)motion->space->shapeCount);
        double s[3];
        if (mixed)
        {
            qvRowWork one = *work;
            one.shares = share;
            qvMotion_Mixed(motion, &own, times[i], &one, &row);
        }
        else if (own.zone == qv_zoneBlend)
        {
            qvPlace_Ease(&own, s);
            Blend(d, s, &row, &second);
        }
        else if (own.zone == qv_zoneAfter)
            RingDown(motion, own.since, &share, &work->omega, &row);
        else if (own.zone == qv_zoneSmoothAfter)
            qvMotion_SmoothAfter(motion, own.since, &work->omega, &row);
        else
            Straight(motion, &own, &row);
    }
}

size_t qvMotion_WorkSize(const qvMotion* motion)
{
    return qv_motionChunk * (6 * (size_t)motion->space->dimension + 3 * (size_t)motion->space->shapeCount);
}

qvRowWork qvMakeRowWork(const qvMotion* motion, double* scratch)
{
    size_t step = qv_motionChunk * (size_t)motion->space->dimension;
    size_t row = qv_motionChunk * (size_t)motion->space->shapeCount;
    double* shares = scratch + 6 * step;
    return (qvRowWork){ .omega = { { scratch, scratch + step, scratch + 2 * step } },
                        .other = { { scratch + 3 * step, scratch + 4 * step, scratch + 5 * step } },
                        .shares = { { shares, shares + row, shares + 2 * row } } };
}

void qvMotion_Coordinates(const qvMotion* motion, const double* times, int timeCount, void* scratch, double* values,
                          double* velocities, double* accelerations)
{
    size_t d = (size_t)motion->space->dimension;
    QV_ASSERT(accelerations == NULL || velocities != NULL); // a blend's second derivative needs the first ones
    if (d == 0)
        return;
    if (motion->sectionCount > 0)
    {
        qvMotion_SectionCoordinates(motion, times, timeCount, scratch, values, velocities, accelerations);
        return;
    }
    qvRows all = { { values, velocities, accelerations } };
    qvRowWork work = qvMakeRowWork(motion, scratch);
    int i = 0;
    while (i < timeCount)
    {
        qvPlace place = qvMotion_FindPlace(motion, times[i]);
        int count = 1;
        while (i + count < timeCount && count < qv_motionChunk)
        {
            qvPlace next = qvMotion_FindPlace(motion, times[i + count]);
            if (next.zone != place.zone || next.segment != place.segment)
                break;
            count++;
        }
        qvRows out = qvRows_Shifted(&all, (size_t)i * d);
        EvaluateGroup(motion, &place, times + i, count, &work, &out);
        qvMotion_Finish(motion, &place, times + i, count, &work, &out);
        i += count;
    }
}
