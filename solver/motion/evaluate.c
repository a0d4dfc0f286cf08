// SPDX-License-Identifier: GPL-3.0-or-later
// A motion at any time. Between two keys the motions linearized at each of them are blended (the paper named in
// space.c, section 4.3), with a quintic so that the result is C2.
#include "motion/motion.h"

#include "base/assert.h"
#include "math/blas.h"
#include "motion/rotation.h"

#include <math.h>
#include <string.h>

typedef qvRows Rows;

// Where a time lies.
typedef enum Zone
{
    ZONE_BEFORE, // the first key
    ZONE_AFTER,  // the last key
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
} Place;

static Place FindPlace(const qvMotion* motion, double time)
{
    int n = motion->keyCount;
    Place place = { ZONE_BEFORE, 0, 0.0, 1.0 };
    if (motion->period <= 0.0 && time < motion->times[0])
        return place;
    if (motion->period <= 0.0 && time >= motion->times[n - 1])
    {
        place.zone = ZONE_AFTER, place.since = time - motion->times[n - 1];
        return place;
    }
    place.segment = qvFindSegment(motion->times, n, motion->period, time, &place.since);
    place.length = qvSegmentLength(motion->knots, place.segment, n, motion->period);
    int end = qvSegmentEnd(place.segment, n);
    static const Zone zones[] = {
        [qv_motionSmooth] = ZONE_SMOOTH, [qv_motionLinear] = ZONE_LINEAR, [qv_motionHold] = ZONE_HOLD
    };
    if (motion->knots[end].kind != qv_motionWiggly)
    {
        place.zone = zones[motion->knots[end].kind];
        return place;
    }
    double u = place.since / place.length;
    place.zone = u <= 0.25 || motion->trackOf[place.segment] == motion->trackOf[end] ? ZONE_START
                 : u >= 0.75                                                         ? ZONE_END
                                                                                     : ZONE_BLEND;
    return place;
}

static Rows Shifted(const Rows* rows, size_t offset)
{
    Rows out;
    for (int k = 0; k < 3; k++)
        out.x[k] = rows->x[k] != NULL ? rows->x[k] + offset : NULL;
    return out;
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

// omega is scratch for the rows that out wants.
static void Wiggly(const qvMotion* motion, int index, const double* times, int count, const Rows* omega,
                   const Rows* out)
{
    const qvTrack* track = &motion->tracks[index];
    qvWigglyPlan_Evaluate(track->plan, &track->solution, track->force, times, count, NULL, omega->x[0],
                          out->x[1] != NULL ? omega->x[1] : NULL, out->x[2] != NULL ? omega->x[2] : NULL);
    FromModes(track, motion->space->dimension, count, omega, out);
}

// The quintic from 0 at a quarter of the segment to 1 at three quarters, with two derivatives in time.
static void BlendWeight(const Place* place, double s[3])
{
    double u = 2.0 * place->since / place->length - 0.5, rate = 2.0 / place->length;
    s[0] = u * u * u * (10.0 + u * (6.0 * u - 15.0));
    s[1] = rate * 30.0 * u * u * (1.0 - u) * (1.0 - u);
    s[2] = rate * rate * 60.0 * u * (1.0 - u) * (1.0 - 2.0 * u);
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
static void RingDown(const qvMotion* motion, double since, const Rows* omega, const Rows* out)
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
    FromModes(track, d, 1, omega, out);
}

static void Straight(const qvMotion* motion, const Place* place, const Rows* out)
{
    int d = motion->space->dimension, end = qvSegmentEnd(place->segment, motion->keyCount);
    const double* from = motion->smooth.solution.values + (size_t)place->segment * (size_t)d;
    const double* to = motion->smooth.solution.values + (size_t)end * (size_t)d;
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

bool qvMotion_SmoothAt(const qvMotion* motion, double time, double* value, double* velocity)
{
    Place place = FindPlace(motion, time);
    size_t d = (size_t)motion->space->dimension, last = (size_t)(motion->keyCount - 1);
    if (place.zone >= ZONE_START)
        Smooth(motion, &time, 1, &(Rows){ { value, velocity, NULL } });
    else if (place.zone == ZONE_AFTER)
    {
        memcpy(value, motion->smooth.solution.values + last * d, d * sizeof(double));
        memset(velocity, 0, d * sizeof(double));
    }
    return place.zone >= ZONE_START || place.zone == ZONE_AFTER;
}

// What the mixer and pins that poses move make of finished rows. omega and other: scratch.
static void Finish(const qvMotion* motion, const Place* place, const double* times, int count, const Rows* omega,
                   const Rows* other, const Rows* out)
{
    size_t d = (size_t)motion->space->dimension;
    if (motion->mixer.active && place->zone >= ZONE_START)
    {
        Smooth(motion, times, count, other);
        for (int k = 0; k < 3; k++)
        {
            if (out->x[k] != NULL)
                qvMotion_Mix(motion, count, other->x[k], omega->x[0], out->x[k]);
        }
    }
    if (motion->space->heldCount == 0 || place->zone == ZONE_BEFORE || place->zone == ZONE_HOLD ||
        place->zone == ZONE_LINEAR)
        return;
    int last = motion->keyCount - 1;
    for (int i = 0; i < count; i++)
    {
        Place own = FindPlace(motion, times[i]);
        Rows row = Shifted(out, (size_t)i * d);
        if (own.zone == ZONE_AFTER)
            qvMotion_HoldPins(motion, last, last, 0.0, 0.0, &row);
        else
            qvMotion_HoldPins(motion, own.segment, qvSegmentEnd(own.segment, motion->keyCount), own.since / own.length,
                              1.0 / own.length, &row);
    }
}

// Times of one zone of one segment, at most qv_motionChunk. omega and other: scratch.
static void EvaluateGroup(const qvMotion* motion, const Place* place, const double* times, int count, const Rows* omega,
                          const Rows* other, const Rows* out)
{
    int d = motion->space->dimension, start = motion->trackOf[place->segment];
    int end = motion->trackOf[qvSegmentEnd(place->segment, motion->keyCount)];
    if (place->zone == ZONE_SMOOTH)
    {
        Smooth(motion, times, count, out);
        return;
    }
    if (place->zone >= ZONE_START)
    {
        Wiggly(motion, place->zone == ZONE_END ? end : start, times, count, omega, out);
        if (place->zone != ZONE_BLEND)
            return;
        Rows wanted = { { other->x[0], out->x[1] != NULL ? other->x[1] : NULL,
                          out->x[2] != NULL ? other->x[2] : NULL } };
        Wiggly(motion, end, times, count, omega, &wanted);
    }
    for (int i = 0; i < count; i++)
    {
        size_t offset = (size_t)i * (size_t)d;
        Place own = FindPlace(motion, times[i]);
        Rows row = Shifted(out, offset), second = Shifted(other, offset);
        double s[3];
        if (own.zone == ZONE_BLEND)
        {
            BlendWeight(&own, s);
            Blend(d, s, &row, &second);
        }
        else if (own.zone == ZONE_AFTER)
            RingDown(motion, own.since, omega, &row);
        else
            Straight(motion, &own, &row);
    }
}

size_t qvMotion_ScratchSize(const qvMotion* motion)
{
    if (motion->sectionCount > 0)
        return qvMotion_LargestScratch(motion);
    return (6 * (size_t)qv_motionChunk + 4) * ((size_t)motion->space->dimension + 1) * sizeof(double);
}

void qvMotion_Coordinates(const qvMotion* motion, const double* times, int timeCount, void* scratch, double* values,
                          double* velocities, double* accelerations)
{
    size_t d = (size_t)motion->space->dimension, step = qv_motionChunk * d;
    QV_ASSERT(accelerations == NULL || velocities != NULL); // a blend's second derivative needs the first ones
    if (d == 0)
        return;
    if (motion->sectionCount > 0)
    {
        qvMotion_SectionCoordinates(motion, times, timeCount, scratch, values, velocities, accelerations);
        return;
    }
    double* base = scratch;
    Rows all = { { values, velocities, accelerations } };
    Rows omega = { { base, base + step, base + 2 * step } };
    Rows other = { { base + 3 * step, base + 4 * step, base + 5 * step } };
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
        EvaluateGroup(motion, &place, times + i, count, &omega, &other, &out);
        Finish(motion, &place, times + i, count, &omega, &other, &out);
        i += count;
    }
}

// --- Points --------------------------------------------------------------------------------------------------------

static void Matrix(qvQuat q, double m[9])
{
    const qvVec3 axes[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
    for (int c = 0; c < 3; c++)
    {
        qvVec3 column = qvQuat_Rotate(q, axes[c]);
        m[c] = column.x, m[3 + c] = column.y, m[6 + c] = column.z;
    }
}

qvAffine qvMotion_Frame(const qvMotion* motion, double time)
{
    motion = qvMotion_SectionAt(motion, &time);
    qvRigidState frame = qvMotion_FrameState(motion, time);
    qvAffine out;
    double m[9];
    Matrix(frame.pose.rotation, m);
    memcpy(out.linear, m, sizeof(m));
    out.offset = qvSub(frame.pose.position, qvQuat_Rotate(frame.pose.rotation, motion->space->pivot));
    return out;
}

static qvVec3 Point(const double* points, int i)
{
    return points != NULL ? qvMakeVec3(points[3 * i], points[3 * i + 1], points[3 * i + 2]) : qvMakeVec3(0.0, 0.0, 0.0);
}

static void Store(double* points, int i, qvVec3 x)
{
    if (points != NULL)
        points[3 * i] = x.x, points[3 * i + 1] = x.y, points[3 * i + 2] = x.z;
}

// From displacements in body axes (scaled) and their derivatives to the world.
static void ToWorld(const qvMotion* motion, const qvRigidState* frame, const Rows* points)
{
    const qvMotionSpace* space = motion->space;
    double unit = 1.0 / space->scale;
    qvQuat turn = frame->pose.rotation;
    for (int i = 0; i < space->pointCount; i++)
    {
        qvVec3 y = qvMulAdd(Point(space->arms, i), unit, Point(points->x[0], i));
        qvVec3 dy = qvScale(unit, Point(points->x[1], i)), ddy = qvScale(unit, Point(points->x[2], i));
        Store(points->x[0], i, qvAdd(frame->pose.position, qvQuat_Rotate(turn, y)));
        qvVec3 moved = qvAdd(dy, qvCross(frame->spin, y));
        Store(points->x[1], i, qvAdd(frame->velocity, qvQuat_Rotate(turn, moved)));
        qvVec3 bent = qvAdd(qvCross(frame->spinRate, y), qvCross(frame->spin, qvCross(frame->spin, y)));
        bent = qvAdd(qvMulAdd(bent, 2.0, qvCross(frame->spin, dy)), ddy);
        Store(points->x[2], i, qvAdd(frame->acceleration, qvQuat_Rotate(turn, bent)));
    }
}

void qvMotion_Evaluate(const qvMotion* motion, double time, void* scratch, double* positions, double* velocities,
                       double* accelerations)
{
    motion = qvMotion_SectionAt(motion, &time);
    const qvMotionSpace* space = motion->space;
    size_t d = (size_t)space->dimension;
    double* q = (double*)scratch + 6 * qv_motionChunk * d;
    Rows points = { { positions, velocities, accelerations } };
    bool moves = velocities != NULL || accelerations != NULL;
    qvMotion_Coordinates(motion, &time, 1, scratch, q, moves ? q + d : NULL, accelerations != NULL ? q + 2 * d : NULL);
    for (int k = 0; k < 3; k++)
    {
        if (points.x[k] != NULL && d > 0)
            qvBasis_Expand(space->basis, q + (size_t)k * d, 1, points.x[k]);
        else if (points.x[k] != NULL)
            memset(points.x[k], 0, 3 * (size_t)space->pointCount * sizeof(double));
    }
    qvRigidState frame = qvMotion_FrameState(motion, time);
    ToWorld(motion, &frame, &points);
}

void qvMotion_EvaluateFloat(const qvMotion* motion, double time, void* scratch, qvPool* pool, qvVec3f* positions)
{
    motion = qvMotion_SectionAt(motion, &time);
    const qvMotionSpace* space = motion->space;
    size_t d = (size_t)space->dimension;
    double *q = (double*)scratch + 6 * qv_motionChunk * d, m[9];
    float* coordinates = (float*)(q + d);
    qvMotion_Coordinates(motion, &time, 1, scratch, q, NULL, NULL);
    for (size_t i = 0; i < d; i++)
        coordinates[i] = (float)(q[i] / space->scale);
    qvRigidState frame = qvMotion_FrameState(motion, time);
    Matrix(frame.pose.rotation, m);
    float rotation[9],
        position[3] = { (float)frame.pose.position.x, (float)frame.pose.position.y, (float)frame.pose.position.z };
    for (int i = 0; i < 9; i++)
        rotation[i] = (float)m[i];
    qvExpander_Run(&space->expander, coordinates, rotation, position, pool, positions);
}
