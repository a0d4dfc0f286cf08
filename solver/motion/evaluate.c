// SPDX-License-Identifier: GPL-3.0-or-later
// A motion at any time. Between two keys the motions linearized at each of them are blended (the paper named in
// space.c, section 4.3), with a quintic so that the result is C2.
#include "motion/soft.h"

#include "base/assert.h"
#include "math/blas.h"

#include <math.h>
#include <string.h>

typedef qvRows Rows;

static const double BLEND_PART = 0.5, PIN_PART = 1.0; // of a span

// Where a time lies.
typedef enum Zone
{
    ZONE_BEFORE, // the first key
    ZONE_AFTER,  // the last key
    ZONE_REST,   // after a last key that the motion reaches smoothly
    ZONE_HOLD,
    ZONE_LINEAR,
    ZONE_SMOOTH,
    ZONE_START, // wiggly, linearized at the segment's start
    ZONE_BLEND,
    ZONE_END,
} Zone;

typedef struct Place
{
    Zone zone;
    int segment;
    double since, length; // seconds since the segment's start, and its length
    qvSpan span;          // of the keys about which the motion is linearized
} Place;

// Scratch of the coordinates of qv_motionChunk times.
typedef struct Work
{
    Rows omega, other; // rows of d numbers
    Rows shares;       // rows of shapeCount numbers
} Work;

static int ShapeOf(const qvMotion* motion, int key)
{
    return motion->space->poses[motion->poses[key]].shape;
}

static bool IsAfter(const Place* place)
{
    return place->zone == ZONE_AFTER || place->zone == ZONE_REST;
}

static Place FindPlace(const qvMotion* motion, double time)
{
    int n = motion->keyCount;
    Place place = { ZONE_BEFORE, 0, 0.0, 1.0, { 0, 0, 0.0, 1.0 } };
    if (motion->period <= 0.0 && time < motion->times[0])
        return place;
    if (motion->period <= 0.0 && time >= motion->times[n - 1])
    {
        place.zone = motion->knots[n - 1].kind == qv_motionSmooth ? ZONE_REST : ZONE_AFTER;
        place.since = time - motion->times[n - 1];
        place.span.from = place.span.to = n - 1;
        return place;
    }
    place.segment = qvFindSegment(motion->times, n, motion->period, time, &place.since);
    place.length = qvSegmentLength(motion->knots, place.segment, n, motion->period);
    place.span = qvMotion_Span(motion, place.segment, place.since);
    int end = qvSegmentEnd(place.segment, n);
    static const Zone zones[] = {
        [qv_motionSmooth] = ZONE_SMOOTH, [qv_motionLinear] = ZONE_LINEAR, [qv_motionHold] = ZONE_HOLD
    };
    if (motion->knots[end].kind != qv_motionWiggly)
    {
        place.zone = zones[motion->knots[end].kind];
        return place;
    }
    double u = place.span.since / place.span.length;
    place.zone = u <= 0.25 || motion->trackOf[place.span.from] == motion->trackOf[place.span.to] ? ZONE_START
                 : u >= 0.75                                                                     ? ZONE_END
                                                                                                 : ZONE_BLEND;
    return place;
}

// The rows of scratch that match those of out.
static Rows Wanted(const Rows* scratch, const Rows* out)
{
    Rows wanted = *scratch;
    for (int k = 1; k < 3; k++)
        wanted.x[k] = out->x[k] != NULL ? scratch->x[k] : NULL;
    return wanted;
}

// What is left of a unit velocity that comes to rest without swinging, with two derivatives: C2 after a free end of a
// cubic spline, whose acceleration is zero.
static void ComeToRest(double rate, double since, double out[3])
{
    double u = rate * since, fade = exp(-u);
    out[0] = since * (1.0 + u) * fade;
    out[1] = (1.0 + u - u * u) * fade;
    out[2] = rate * u * (u - 3.0) * fade;
}

static Rows Shifted(const Rows* rows, size_t offset)
{
    Rows out;
    for (int k = 0; k < 3; k++)
        out.x[k] = rows->x[k] != NULL ? rows->x[k] + offset : NULL;
    return out;
}

// The shares of the shapes at times of one zone of one segment.
static void Shares(const qvMotion* motion, const Place* place, const double* times, int count, const Rows* out)
{
    size_t shapes = (size_t)motion->space->shapeCount;
    const qvTrack* track = &motion->carrier;
    if (place->zone >= ZONE_SMOOTH)
    {
        qvWigglyPlan_Evaluate(track->plan, &track->solution, track->force, times, count, NULL, out->x[0], out->x[1],
                              out->x[2]);
        return;
    }
    size_t key = (size_t)(IsAfter(place) ? motion->keyCount - 1 : place->segment);
    const double* start = track->solution.values + key * shapes;
    const double* end = track->solution.values + (size_t)qvSegmentEnd(place->segment, motion->keyCount) * shapes;
    for (int i = 0; i < count; i++)
    {
        Place own = FindPlace(motion, times[i]);
        double rest[3], u[3] = { own.since / own.length, 1.0 / own.length, 0.0 };
        ComeToRest(motion->carrierRate, own.since, rest);
        for (int k = 0; k < 3 && out->x[k] != NULL; k++)
        {
            double* row = out->x[k] + (size_t)i * shapes;
            for (size_t s = 0; s < shapes; s++)
            {
                row[s] = k == 0 ? start[s] : 0.0;
                if (own.zone == ZONE_LINEAR)
                    row[s] += u[k] * (end[s] - start[s]);
                else if (IsAfter(&own))
                    row[s] += rest[k] * motion->carrierEnd[s];
            }
        }
    }
}

// omega as seen by rotations and strains becomes omega as seen by displacements (warp_carrier.c).
static void Unshift(const qvMotion* motion, const qvTrack* track, int count, const Rows* shares, const Rows* omega)
{
    int d = motion->space->dimension, shapes = motion->space->shapeCount;
    const double* shift =
        motion->warped ? motion->space->warp->shapes[track->shape - motion->space->shapes].shift : NULL;
    for (int k = 0; motion->warped && k < 3; k++)
    {
        if (omega->x[k] != NULL)
            qvBlas_Multiply(false, false, d, count, shapes, -1.0, shift, d, shares->x[k], shapes, 1.0, omega->x[k], d);
    }
}

// q = centre + Phi omega for count rows of omega.
static void FromModes(const qvTrack* track, int d, int count, const Rows* omega, const Rows* out)
{
    for (int k = 0; k < 3; k++)
    {
        if (out->x[k] == NULL)
            continue;
        for (int i = 0; i < count; i++)
        {
            double* row = out->x[k] + (size_t)i * (size_t)d;
            if (k == 0)
                memcpy(row, track->center, (size_t)d * sizeof(double));
            else
                memset(row, 0, (size_t)d * sizeof(double));
        }
        qvBlas_Multiply(false, false, d, count, d, 1.0, track->shape->vectors, d, omega->x[k], d, 1.0, out->x[k], d);
    }
}

// work is scratch for the rows that out wants.
static void Wiggly(const qvMotion* motion, int index, const double* times, int count, const Work* work, const Rows* out)
{
    const qvTrack* track = &motion->tracks[index];
    Rows wanted = Wanted(&work->omega, out), *omega = &wanted;
    qvWigglyPlan_Evaluate(track->plan, &track->solution, track->force, times, count, NULL, omega->x[0], omega->x[1],
                          omega->x[2]);
    Unshift(motion, track, count, &work->shares, omega);
    FromModes(track, motion->space->dimension, count, omega, out);
}

// The quintic from 0 at a quarter of the span to 1 at three quarters, with two derivatives in time.
static void BlendWeight(const Place* place, double s[3])
{
    qvSpan_Ease(place->span.since, place->span.length, BLEND_PART, s);
}

// a = (1 - s) a + s b, with derivatives.
static void Blend(int d, const double s[3], const Rows* a, const Rows* b)
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

// A time after the last key: every mode vibrates freely about its pose.
static void RingDown(const qvMotion* motion, double since, const Rows* shares, const Rows* omega, const Rows* out)
{
    int d = motion->space->dimension;
    const qvTrack* track = &motion->tracks[motion->trackOf[motion->keyCount - 1]];
    for (int i = 0; i < d; i++)
    {
        double x[3], center = motion->end[d + i];
        qvFreeVibration(fmax(track->ringLambda[i], 0.0), track->ringDelta[i], center, center, motion->end[i], since, x);
        for (int k = 0; k < 3; k++)
            omega->x[k][i] = x[k];
    }
    Rows wanted = Wanted(omega, out);
    Unshift(motion, track, 1, shares, &wanted);
    FromModes(track, d, 1, omega, out);
}

static void Straight(const qvMotion* motion, const Place* place, const Rows* out)
{
    int d = motion->space->dimension, end = qvSegmentEnd(place->segment, motion->keyCount);
    const double* from = motion->values + (size_t)place->segment * (size_t)d;
    const double* to = motion->values + (size_t)end * (size_t)d;
    double u = place->zone == ZONE_LINEAR ? place->since / place->length : 0.0;
    double rate = place->zone == ZONE_LINEAR ? 1.0 / place->length : 0.0;
    for (int i = 0; i < d; i++)
    {
        out->x[0][i] = from[i] + u * (to[i] - from[i]);
        if (out->x[1] != NULL)
            out->x[1][i] = rate * (to[i] - from[i]);
        if (out->x[2] != NULL)
            out->x[2][i] = 0.0;
    }
}

static void Smooth(const qvMotion* motion, const double* times, int count, const Rows* out)
{
    const qvTrack* track = &motion->smooth;
    qvWigglyPlan_Evaluate(track->plan, &track->solution, track->force, times, count, NULL, out->x[0], out->x[1],
                          out->x[2]);
}

// The smooth motion after the last key comes to rest at its pose without swinging.
static void SmoothAfter(const qvMotion* motion, double since, const Rows* out)
{
    size_t d = (size_t)motion->space->dimension, last = (size_t)(motion->keyCount - 1) * d;
    const qvWigglySolution* keys = &motion->smooth.solution;
    const double* velocity = (qvMotion_ArrivesFreely(motion) ? keys->before : keys->after) + last;
    double rest[3];
    ComeToRest(motion->carrierRate, since, rest);
    for (int k = 0; k < 3 && out->x[k] != NULL; k++)
    {
        for (size_t i = 0; i < d; i++)
            out->x[k][i] = (k == 0 ? keys->values[last + i] : 0.0) + rest[k] * velocity[i];
    }
}

bool qvMotion_SmoothAt(const qvMotion* motion, double time, double* value, double* velocity)
{
    Place place = FindPlace(motion, time);
    Rows row = { { value, velocity, NULL } };
    if (place.zone >= ZONE_START)
        Smooth(motion, &time, 1, &row);
    else if (IsAfter(&place))
        SmoothAfter(motion, place.since, &row);
    return place.zone >= ZONE_START || IsAfter(&place);
}

// What pins that poses move make of finished rows.
static void HoldPins(const qvMotion* motion, const Place* place, const double* times, int count, const Rows* out)
{
    if (motion->space->heldCount == 0 || place->zone == ZONE_HOLD || place->zone == ZONE_LINEAR)
        return;
    const double all[3] = { 1.0, 0.0, 0.0 };
    for (int i = 0; i < count; i++)
    {
        Place own = FindPlace(motion, times[i]);
        Rows row = Shifted(out, (size_t)i * (size_t)motion->space->dimension);
        qvMotion_ReleasePins(motion, &row);
        bool outside = own.zone == ZONE_BEFORE || IsAfter(&own);
        if (outside)
            qvMotion_HoldPins(motion, own.zone == ZONE_BEFORE ? 0 : motion->keyCount - 1, all, &row);
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
static void Finish(const qvMotion* motion, const Place* place, const double* times, int count, const Work* work,
                   const Rows* out)
{
    if (motion->mixer.active && (place->zone >= ZONE_START || place->zone == ZONE_AFTER))
    {
        Rows other = Wanted(&work->other, out);
        if (place->zone >= ZONE_START)
            Smooth(motion, times, count, &other);
        for (int i = 0; place->zone == ZONE_AFTER && i < count; i++)
        {
            Rows row = Shifted(&other, (size_t)i * (size_t)motion->space->dimension);
            SmoothAfter(motion, times[i] - motion->times[motion->keyCount - 1], &row);
        }
        for (int k = 0; k < 3; k++)
        {
            if (out->x[k] != NULL)
                qvMotion_Mix(motion, count, other.x[k], work->omega.x[0], out->x[k]);
        }
    }
    HoldPins(motion, place, times, count, out);
}

// out += share times row, with derivatives.
static void AddShare(int d, const double share[3], const Rows* row, const Rows* out)
{
    for (int k = 0; k < 3 && out->x[k] != NULL; k++)
    {
        for (int j = 0; j <= k; j++)
            qvBlas_AddScaled(d, (k == 2 && j == 1 ? 2.0 : 1.0) * share[j], row->x[k - j], out->x[k]);
    }
}

// A time of a wiggly segment in which more than two keys have a share. The shares of the shapes are in work.
static void Mixed(const qvMotion* motion, const Place* place, double time, const Work* work, const Rows* out)
{
    int d = motion->space->dimension;
    Rows row = Wanted(&work->other, out);
    for (int k = 0; k < 3 && out->x[k] != NULL; k++)
        memset(out->x[k], 0, (size_t)d * sizeof(double));
    for (int side = 0; side < 2; side++)
    {
        for (int k = 0; k < qvMotion_ShareCount(motion, place->segment, side); k++)
        {
            qvKeyShare share = qvMotion_Share(motion, place->segment, place->since, BLEND_PART, side, k);
            if (share.share[0] == 0.0) // flat there
                continue;
            Wiggly(motion, motion->trackOf[share.key], &time, 1, work, &row);
            AddShare(d, share.share, &row, out);
        }
    }
}

// Times of one zone of one segment, at most qv_motionChunk.
static void EvaluateGroup(const qvMotion* motion, const Place* place, const double* times, int count, const Work* work,
                          const Rows* out)
{
    int d = motion->space->dimension, start = motion->trackOf[place->span.from];
    int end = motion->trackOf[place->span.to];
    bool mixed = place->zone >= ZONE_START && qvMotion_IsMixed(motion, place->segment);
    if (place->zone == ZONE_SMOOTH)
    {
        Smooth(motion, times, count, out);
        return;
    }
    Rows shares = Wanted(&work->shares, out);
    if (motion->warped)
        Shares(motion, place, times, count, &shares);
    if (place->zone >= ZONE_START && !mixed)
    {
        Wiggly(motion, place->zone == ZONE_END ? end : start, times, count, work, out);
        if (place->zone != ZONE_BLEND)
            return;
        Rows other = Wanted(&work->other, out);
        Wiggly(motion, end, times, count, work, &other);
    }
    for (int i = 0; i < count; i++)
    {
        size_t offset = (size_t)i * (size_t)d;
        Place own = FindPlace(motion, times[i]);
        Rows row = Shifted(out, offset), second = Shifted(&work->other, offset);
        Rows share = Shifted(&shares, (size_t)i * (size_t)motion->space->shapeCount);
        double s[3];
        if (mixed)
        {
            Work one = *work;
            one.shares = share;
            Mixed(motion, &own, times[i], &one, &row);
        }
        else if (own.zone == ZONE_BLEND)
        {
            BlendWeight(&own, s);
            Blend(d, s, &row, &second);
        }
        else if (own.zone == ZONE_AFTER)
            RingDown(motion, own.since, &share, &work->omega, &row);
        else if (own.zone == ZONE_REST)
            SmoothAfter(motion, own.since, &row);
        else
            Straight(motion, &own, &row);
    }
}

size_t qvMotion_WorkSize(const qvMotion* motion)
{
    return qv_motionChunk * (6 * (size_t)motion->space->dimension + 3 * (size_t)motion->space->shapeCount);
}

static Work MakeWork(const qvMotion* motion, double* scratch)
{
    size_t step = qv_motionChunk * (size_t)motion->space->dimension;
    size_t row = qv_motionChunk * (size_t)motion->space->shapeCount;
    double* shares = scratch + 6 * step;
    return (Work){ .omega = { { scratch, scratch + step, scratch + 2 * step } },
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
    Rows all = { { values, velocities, accelerations } };
    Work work = MakeWork(motion, scratch);
    int i = 0;
    while (i < timeCount)
    {
        Place place = FindPlace(motion, times[i]);
        int count = 1;
        while (i + count < timeCount && count < qv_motionChunk)
        {
            Place next = FindPlace(motion, times[i + count]);
            if (next.zone != place.zone || next.segment != place.segment)
                break;
            count++;
        }
        Rows out = Shifted(&all, (size_t)i * d);
        EvaluateGroup(motion, &place, times + i, count, &work, &out);
        Finish(motion, &place, times + i, count, &work, &out);
        i += count;
    }
}

// --- One time -------------------------------------------------------------------------------------------------------

// The smooth motion at a time where the motion is at q.
static void SmoothRows(const qvMotion* motion, const Place* place, double time, const Rows* q, const Rows* out)
{
    size_t d = (size_t)motion->space->dimension;
    const qvTrack* track = &motion->smooth;
    if (place->zone >= ZONE_SMOOTH)
    {
        Smooth(motion, &time, 1, out);
        HoldPins(motion, place, &time, 1, out);
        return;
    }
    for (int k = 0; k < 3 && out->x[k] != NULL; k++)
        memcpy(out->x[k], place->zone == ZONE_BEFORE && k == 0 ? track->solution.values : q->x[k], d * sizeof(double));
    if (IsAfter(place))
        SmoothAfter(motion, place->since, out);
    HoldPins(motion, place, &time, 1, out);
}

// The shapes about which vibration is lifted: as those about which the wiggly motion is linearized.
static void FindTerms(const qvMotion* motion, const Place* place, qvWarpInput* input)
{
    int start = ShapeOf(motion, place->span.from), end = ShapeOf(motion, place->span.to);
    double u = place->zone >= ZONE_HOLD ? place->span.since / place->span.length : 0.0, s[3];
    input->termCount = 1;
    bool same = motion->trackOf[place->span.from] == motion->trackOf[place->span.to];
    input->shape[0] = u >= 0.75 ? end : start;
    input->share[0][0] = 1.0, input->share[0][1] = input->share[0][2] = 0.0;
    if (same || u <= 0.25 || u >= 0.75)
        return;
    BlendWeight(place, s);
    input->termCount = 2;
    input->shape[1] = end;
    for (int k = 0; k < 3; k++)
        input->share[0][k] = (k == 0 ? 1.0 : 0.0) - s[k], input->share[1][k] = s[k];
}

// What q is beyond the blended shapes. False when it is nothing.
static bool FindDeviation(const qvMotion* motion, const Rows* q, const Rows* shares, int order, double* out,
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

// How much farther than the smooth motion the wiggly one linearized at a shape is on the way to every shape.
static void FindWays(const qvMotion* motion, const Place* place, double time, int index, const Rows* shares,
                     const Rows* out)
{
    int shapes = motion->space->shapeCount;
    size_t last = (size_t)(motion->keyCount - 1) * (size_t)shapes;
    int shape = (int)(motion->tracks[index].shape - motion->space->shapes);
    const qvTrack* track = &motion->ways[index];
    if (place->zone >= ZONE_START)
        qvWigglyPlan_Evaluate(track->plan, &track->solution, track->force, &time, 1, NULL, out->x[0], out->x[1],
                              out->x[2]);
    bool wiggly = qvMotion_ArrivesFreely(motion) && motion->knots[motion->keyCount - 1].kind == qv_motionWiggly;
    const double *rests = motion->carrierEnd, *arrives = track->solution.before + last;
    const double* own = track->solution.values + last;
    for (int s = 0; s < shapes; s++)
    {
        double x[3] = { track->solution.values[s], 0.0, 0.0 }, velocity = wiggly ? arrives[s] : rests[s];
        if (place->zone == ZONE_AFTER)
            qvFreeVibration(track->ringLambda[s], track->ringDelta[s], own[s], own[s], velocity, place->since, x);
        for (int k = 0; k < 3 && out->x[k] != NULL; k++)
        {
            double now = place->zone >= ZONE_START ? out->x[k][s] : x[k];
            out->x[k][s] = track->center[s] * (now - shares->x[k][s]);
        }
    }
    for (int k = 0; k < 3 && out->x[k] != NULL; k++) // what the others gain, the shape itself loses
    {
        out->x[k][shape] = 0.0;
        for (int s = 0; s < shapes; s++)
            out->x[k][shape] -= s != shape ? out->x[k][s] : 0.0;
    }
}

// The part of the vibration that goes the ways between shapes is better off as a blend of these.
static void TakeWays(const qvMotion* motion, const Place* place, double time, const Rows* shares, const Rows* ways,
                     double* const deviations[2], qvWarpInput* input, const Rows* blend)
{
    int d = motion->space->dimension, shapes = motion->space->shapeCount;
    int start = motion->trackOf[place->span.from], end = motion->trackOf[place->span.to];
    for (int m = 0; m < input->termCount; m++)
    {
        FindWays(motion, place, time, place->zone == ZONE_END || m == 1 ? end : start, shares, ways);
        for (int k = 0; k <= input->order; k++)
        {
            qvBlas_Multiply(false, false, d, 1, shapes, -1.0, motion->space->warp->shapes[input->shape[m]].paths, d,
                            ways->x[k], shapes, 1.0, deviations[m] + (size_t)k * (size_t)d, d);
            for (int j = 0; j <= k; j++)
                qvBlas_AddScaled(shapes, (k == 2 && j == 1 ? 2.0 : 1.0) * input->share[m][j], ways->x[k - j],
                                 blend->x[k]);
        }
    }
}

size_t qvMotion_StateSize(const qvMotion* motion)
{
    return qvMotion_WorkSize(motion) + 18 * (size_t)motion->space->dimension + 9 * (size_t)motion->space->shapeCount;
}

// What the motion is beyond a blend of two views, added to both of them.
static void SeeMixed(const qvMotion* motion, const Place* place, double time, const Work* work, Rows seen[2])
{
    int d = motion->space->dimension;
    double s[3], minus[3];
    BlendWeight(place, s);
    for (int k = 0; k < 3 && seen[0].x[k] != NULL; k++)
        qvBlas_AddScaled(d, -1.0, seen[0].x[k], seen[1].x[k]);
    Mixed(motion, place, time, work, &seen[0]);
    for (int k = 0; k < 3; k++)
        minus[k] = -s[k];
    AddShare(d, minus, &seen[1], &seen[0]);
    for (int k = 0; k < 3 && seen[0].x[k] != NULL; k++)
        qvBlas_AddScaled(d, 1.0, seen[0].x[k], seen[1].x[k]);
}

// In a blend, the motion as seen from each of the two shapes; elsewhere the same twice.
static void FindSeen(const qvMotion* motion, const Place* place, double time, double* scratch, const Rows* q,
                     Rows seen[2])
{
    seen[1] = seen[0] = *q;
    if (!motion->warped || place->zone != ZONE_BLEND)
    {
        qvMotion_Coordinates(motion, &time, 1, scratch, q->x[0], q->x[1], q->x[2]);
        return;
    }
    Work work = MakeWork(motion, scratch);
    Rows shares = Wanted(&work.shares, q);
    seen[1] = Shifted(q, 3 * (size_t)motion->space->dimension);
    Shares(motion, place, &time, 1, &shares);
    Wiggly(motion, motion->trackOf[place->span.from], &time, 1, &work, &seen[0]);
    Wiggly(motion, motion->trackOf[place->span.to], &time, 1, &work, &seen[1]);
    if (qvMotion_IsMixed(motion, place->segment))
        SeeMixed(motion, place, time, &work, seen);
    for (int i = 0; i < 2; i++)
        Finish(motion, place, &time, 1, &work, &seen[i]);
}

// How much of what partial keys at both ends lack is to be added.
static void FindResiduals(const qvMotion* motion, const Place* place, qvMotionState* state)
{
    double u = place->since / place->length, rate = 1.0 / place->length;
    double s[3] = { u * u * u * (10.0 + u * (6.0 * u - 15.0)), rate * 30.0 * u * u * (1.0 - u) * (1.0 - u),
                    rate * rate * 60.0 * u * (1.0 - u) * (1.0 - 2.0 * u) };
    if (place->zone == ZONE_LINEAR)
        s[0] = u, s[1] = rate, s[2] = 0.0;
    else if (place->zone <= ZONE_HOLD)
        s[0] = s[1] = s[2] = 0.0;
    state->keys[0] = IsAfter(place) ? motion->keyCount - 1 : place->segment;
    state->keys[1] = qvSegmentEnd(place->segment, motion->keyCount);
    for (int k = 0; k < 3; k++)
        state->residual[0][k] = (k == 0 ? 1.0 : 0.0) - s[k], state->residual[1][k] = s[k];
}

void qvMotion_FindState(const qvMotion* motion, double time, int order, double* scratch, qvMotionState* state)
{
    size_t d = (size_t)motion->space->dimension, shapes = (size_t)motion->space->shapeCount;
    double* base = scratch + qvMotion_WorkSize(motion);
    Rows q = { { base, order > 0 ? base + d : NULL, order > 1 ? base + 2 * d : NULL } }, seen[2];
    Rows smooth = Shifted(&q, 6 * d);
    Place place = FindPlace(motion, time);
    FindResiduals(motion, &place, state);
    FindSeen(motion, &place, time, scratch, &q, seen);
    if (motion->weights != NULL && d > 0)
        SmoothRows(motion, &place, time, &q, &smooth);
    memcpy(state->q, q.x, sizeof(q.x));
    memcpy(state->smooth, smooth.x, sizeof(smooth.x));
    if (!motion->warped)
        return;
    base += 9 * d;
    Rows shares = { { base, order > 0 ? base + shapes : NULL, order > 1 ? base + 2 * shapes : NULL } };
    Rows blend = Shifted(&shares, 3 * shapes), ways = Shifted(&shares, 6 * shapes);
    base += 9 * shapes;
    Shares(motion, &place, &time, 1, &shares);
    qvWarpInput* input = &state->input;
    *input = (qvWarpInput){ .order = order };
    memcpy(input->blend, shares.x, sizeof(shares.x));
    FindTerms(motion, &place, input);
    state->smoothInput = *input;
    bool vibrates = FindDeviation(motion, &seen[0], &shares, order, base, input->deviation[0]);
    vibrates = FindDeviation(motion, &seen[1], &shares, order, base + 3 * d, input->deviation[1]) || vibrates;
    bool starts = place.zone == ZONE_BEFORE && motion->keyCount > 1 && motion->knots[1].kind == qv_motionWiggly;
    if (starts || place.zone == ZONE_AFTER || place.zone >= ZONE_START)
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
