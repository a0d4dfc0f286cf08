// SPDX-License-Identifier: GPL-3.0-or-later
// The curves of the reduced coordinates: one cubic spline, and per shape the wiggly splines of the equations of motion
// linearized there (the paper named in space.c, sections 4.1 and 4.3). The cubic one decides the velocities where
// segments of different kinds meet and where a free side starts a segment. Where shapes are many (space_bounded.c) the
// splines of a shape are solved near its own keys alone: what is farther away is not felt there.
#include "motion/partial.h"
#include "motion/soft.h"

#include "base/memory.h"
#include "math/blas.h"
#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Build
{
    qvMotion* motion;
    const qvMotionDef* def;
    const qvPartials* partials;
    int keys, dimension;
    qvMotionSides sides;
    bool isWindowed;   // tracks are solved near their own keys alone
    double reach;      // seconds that a key is felt
    bool* needed;      // per track
    bool* read;        // [trackCount x keyCount] segments, by the key where they start, that are read from a track
    qvResult* results; // per track
    qvError* errors;   // per track
} Build;

// --- The cubic spline ----------------------------------------------------------------------------------------------

void qvMotion_GivenVelocity(const qvMotion* motion, const qvMotionDef* def, int index, int side, double* out)
{
    const qvMotionKey* key = &def->keys[index];
    const qvMotionSpace* space = motion->space;
    int d = space->dimension;
    const double* carried = side == 1 && index == 0                      ? motion->carried.first
                            : side == 0 && index == motion->keyCount - 1 ? motion->carried.last
                                                                         : NULL;
    if (carried != NULL)
        memcpy(out, carried, (size_t)d * sizeof(double));
    bool isGiven = key->mode == qv_velocitySet || (key->mode == qv_velocityBroken && !key->breaksFrame);
    if (carried != NULL || !isGiven)
        return;
    int source = key->mode == qv_velocitySet ? 1 : side;
    memcpy(out, space->poses[key->pose].velocity[source], (size_t)d * sizeof(double));
    if (!space->pinned)
        return;
    const double* uniform = source == 0 ? &key->before.x : &key->after.x;
    for (int c = 0; c < 3; c++)
        qvBlas_AddScaled(d, space->scale * uniform[c], space->uniform + (size_t)c * (size_t)d, out);
}

static qvResult MakePlan(const Build* b, qvTrack* track, const qvWigglySide* before, const qvWigglySide* after,
                         const double* weights, qvError* error)
{
    qvWigglyDef def = qvDefaultWigglyDef();
    void* memory;
    def.modeCount = b->dimension, def.lambda = track->lambda, def.delta = track->delta;
    def.segmentStride = b->motion->stride;
    def.weights = weights;
    qvResult result = qvTrack_Cut(b->motion, track, before, after, &def, &memory, error);
    if (result == qv_ok)
        result = qvCreateWigglyPlan(&def, &track->plan, error);
    free(memory);
    return result;
}

// Values and given velocities are in the solution's arrays.
static qvResult SolvePlan(const Build* b, qvTrack* track, const qvWigglySide* before, const qvWigglySide* after,
                          const double* weights, qvError* error)
{
    if (qvSegmentCount(b->keys, b->motion->period) < 1)
        return qv_ok;
    qvResult result = MakePlan(b, track, before, after, weights, error);
    if (result != qv_ok)
        return result;
    qvWigglySolution* s = &track->solution;
    qvWigglyData data = { s->values, s->before, s->after, track->force };
    return qvWigglyPlan_Solve(track->plan, &data, s, error);
}

// --- Keys at which the shape turns ---------------------------------------------------------------------------------

// Neighbours of a knot, and how long the ways from and to them are. False for one that has none.
typedef struct Around
{
    int before, after;
    double from, to;
} Around;

static bool LookAround(const Build* b, int knot, Around* around)
{
    int segments = qvSegmentCount(b->keys, b->motion->period);
    if (b->keys < 2 || (b->motion->period <= 0.0 && (knot == 0 || knot == b->keys - 1)))
        return false;
    around->before = knot > 0 ? knot - 1 : b->keys - 1;
    around->after = qvSegmentEnd(knot, b->keys);
    around->from = qvSegmentLength(b->motion->knots, around->before, b->keys, b->motion->period);
    around->to = qvSegmentLength(b->motion->knots, knot, b->keys, b->motion->period);
    return segments > 1;
}

// F. N. Fritsch, J. Butland, "A method for constructing local monotone piecewise cubic interpolants", 1984: zero where
// the slopes beside it have different signs, else their weighted harmonic mean. w: lengths of the two segments.
static double MonotoneSlope(double before, double after, const double w[2])
{
    double first = 2.0 * w[1] + w[0], second = w[1] + 2.0 * w[0];
    return before * after > 0.0 ? (first + second) / (first / before + second / after) : 0.0;
}

static void SlowDownAtTurns(const Build* b)
{
    size_t d = (size_t)b->dimension;
    const double* values = b->motion->values;
    qvWigglySolution* s = &b->motion->smooth.solution;
    Around around;
    for (int i = 0; i < b->keys; i++)
    {
        if (b->motion->knots[i].mode != qv_velocityTurn || !LookAround(b, i, &around))
            continue;
        const double *own = values + (size_t)i * d, lengths[2] = { around.from, around.to };
        const double *from = values + (size_t)around.before * d, *to = values + (size_t)around.after * d;
        for (size_t k = 0; k < d; k++)
        {
            double slope = MonotoneSlope((own[k] - from[k]) / around.from, (to[k] - own[k]) / around.to, lengths);
            s->before[(size_t)i * d + k] = s->after[(size_t)i * d + k] = slope;
        }
    }
}

// A cubic is monotone when its slopes at both ends lie between zero and three times the mean one (F. N. Fritsch, R. E.
// Carlson, "Monotone piecewise cubic interpolation", 1980). What the free knot before a turn does beyond that is cut.
// Returns whether anything was.
static bool HoldBackBeforeTurns(Build* b)
{
    size_t d = (size_t)b->dimension;
    const double* values = b->motion->values;
    qvWigglySolution* s = &b->motion->smooth.solution;
    bool changed = false;
    for (int i = 0; i < b->keys; i++)
    {
        Around around;
        const qvKnot* knot = &b->motion->knots[i];
        if (knot->mode != qv_velocityTurn || knot->kind != qv_motionSmooth || !LookAround(b, i, &around))
            continue;
        int j = around.before;
        bool smooth = b->sides.after[j] == qv_sideSmooth;
        if (!smooth && b->sides.after[j] != qv_sideForceFree)
            continue;
        double *leaves = s->after + (size_t)j * d, *arrives = s->before + (size_t)j * d;
        for (size_t k = 0; k < d; k++)
        {
            double most = 3.0 * (values[(size_t)i * d + k] - values[(size_t)j * d + k]) / around.from;
            leaves[k] = fmin(fmax(leaves[k], fmin(most, 0.0)), fmax(most, 0.0));
            arrives[k] = smooth ? leaves[k] : arrives[k];
        }
        b->sides.after[j] = qv_sideVelocity;
        b->sides.before[j] = smooth ? qv_sideVelocity : b->sides.before[j];
        changed = true;
    }
    return changed;
}

static qvResult SolveSmooth(Build* b, qvError* error)
{
    qvTrack* track = &b->motion->smooth;
    qvSmoothSides(b->motion->knots, b->keys, b->motion->period, b->sides.before, b->sides.after);
    SlowDownAtTurns(b);
    qvResult result = SolvePlan(b, track, b->sides.before, b->sides.after, b->motion->kappa, error);
    if (result != qv_ok || !HoldBackBeforeTurns(b))
        return result;
    qvDestroyWigglyPlan(track->plan);
    track->plan = NULL;
    return SolvePlan(b, track, b->sides.before, b->sides.after, b->motion->kappa, error);
}

static qvResult BuildSmooth(Build* b, qvError* error)
{
    qvTrack* track = &b->motion->smooth;
    qvResult result = qvTrack_Allocate(track, b->keys, b->dimension, b->motion->stride, error);
    if (result != qv_ok)
        return result;
    size_t d = (size_t)b->dimension;
    double* values = b->motion->values = qvAllocate((size_t)b->keys * d, sizeof(double));
    if (values == NULL)
        return qvError_OutOfMemory(error, (double)b->keys * (double)d * sizeof(double));
    for (int i = 0; i < b->keys; i++)
    {
        size_t row = (size_t)i * d;
        const qvPoseData* pose = &b->motion->space->poses[b->def->keys[i].pose];
        memcpy(values + row, pose->center, d * sizeof(double));
        qvMotion_GivenVelocity(b->motion, b->def, i, 0, track->solution.before + row);
        qvMotion_GivenVelocity(b->motion, b->def, i, 1, track->solution.after + row);
    }
    for (int i = 0; i < b->partials->count; i++)
    {
        const qvPartial* p = &b->partials->items[i];
        memcpy(values + (size_t)p->key * d, p->guess, d * sizeof(double));
    }
    for (size_t i = 0; b->keys > 1 && i < d; i++)
        values[i] = values[d + i] + b->motion->startShare * (values[i] - values[d + i]);
    memcpy(track->solution.values, values, (size_t)b->keys * d * sizeof(double));
    return SolveSmooth(b, error);
}

// --- The wiggly splines --------------------------------------------------------------------------------------------

// Where wiggly meets smooth the spline is split at the velocity of the cubic one. So it is where a free side starts a
// segment: the start of least force of a damped mode would lie far outside.
static void WigglySides(Build* b)
{
    const qvKnot* knots = b->motion->knots;
    qvMotionSides* s = &b->sides;
    for (int i = 0; i < b->keys; i++)
    {
        s->wigglyBefore[i] = s->before[i], s->wigglyAfter[i] = s->after[i];
        bool inside = b->motion->period > 0.0 || (i > 0 && i < b->keys - 1);
        if (s->before[i] == qv_sideSmooth && inside && knots[i].kind != knots[qvSegmentEnd(i, b->keys)].kind)
            s->wigglyBefore[i] = s->wigglyAfter[i] = qv_sideVelocity;
        if (s->after[i] == qv_sideForceFree && (inside || i == 0))
            s->wigglyAfter[i] = qv_sideVelocity;
    }
}

static void MarkNeeded(Build* b)
{
    const qvMotion* motion = b->motion;
    for (int i = 0; i < qvSegmentCount(b->keys, motion->period); i++)
    {
        int end = qvSegmentEnd(i, b->keys);
        if (motion->knots[end].kind != qv_motionWiggly)
            continue;
        b->needed[motion->trackOf[i]] = true;
        b->needed[motion->trackOf[end]] = true;
    }
    if (motion->period <= 0.0)
        b->needed[motion->trackOf[b->keys - 1]] = true;
}

// Marks where every track is read: on the segments of the keys that have a share there, and beside them, because
// rounding may put a time at a key on either side of it.
static void MarkRead(Build* b)
{
    const qvMotion* motion = b->motion;
    int segments = qvSegmentCount(b->keys, motion->period);
    for (int i = 0; i < 2 * segments; i++)
    {
        int segment = i / 2, side = i % 2;
        for (int k = 0; k < qvMotion_ShareCount(motion, segment, side); k++)
        {
            int key = qvMotion_Share(motion, segment, 0.0, 1.0, side, k).key;
            bool* read = b->read + (size_t)motion->trackOf[key] * (size_t)b->keys;
            read[(segment + segments - 1) % segments] = read[segment] = read[(segment + 1) % segments] = true;
        }
    }
}

// --- Windows --------------------------------------------------------------------------------------------------------

// How far a key is felt: its part in a damped mode falls to a thousandth in about this many times of settling (at
// resonance to exp(-3 t / settle)), and in a mode that is not in resonance much sooner, by a cubic's 0.27 per key.
static const double SETTLED = 2.3;
enum
{
    MOST_KEYS = 64 // on each side
};

static double Override(double own, double usual)
{
    return own >= 0.0 ? own : usual; // also for NAN
}

static double Reach(const qvMotionDef* def)
{
    double settle = def->material.settle;
    for (int i = 0; i < def->keyCount; i++)
        settle = fmax(settle, Override(def->keys[i].settle, def->material.settle));
    return SETTLED * settle;
}

// The last key that a track at a key needs on one side, counted on through loops.
static int LastFelt(const Build* b, int key, int step)
{
    const qvMotion* motion = b->motion;
    double since = 0.0;
    int count = 0;
    for (; count < MOST_KEYS && (count < motion->space->window || since < b->reach); count++)
    {
        int at = ((key + step * count) % b->keys + b->keys) % b->keys, next = (at + b->keys + step) % b->keys;
        if (motion->period <= 0.0 && (step > 0 ? at == b->keys - 1 : at == 0))
            break;
        since += qvSegmentLength(motion->knots, step > 0 ? at : next, b->keys, motion->period);
    }
    return key + step * count;
}

// Keys about those of the track. All of them where that is no less, and in loops that come back to the shape.
static void ChooseWindow(const Build* b, int index, qvTrack* track)
{
    int lowest = -1, highest = -1;
    for (int i = 0; b->isWindowed && i < b->keys; i++)
    {
        if (b->motion->trackOf[i] == index)
            lowest = lowest < 0 ? i : lowest, highest = i;
    }
    if (lowest < 0 || (b->motion->period > 0.0 && lowest != highest))
        return;
    int first = LastFelt(b, lowest, -1), last = LastFelt(b, highest, 1);
    if (last - first + 1 >= b->keys)
        return;
    track->first = first, track->knotCount = last - first + 1;
    int key = qvTrack_Key(track, 0, b->keys);
    track->begin = b->motion->times[key] + b->motion->period * ((first - key) / b->keys);
}

static int KnotCount(const Build* b, const qvTrack* track)
{
    return track->knotCount > 0 ? track->knotCount : b->keys;
}

// The rows of keys at the ends of segments that are read, and of the first and last key.
static qvResult ChooseRows(const Build* b, int index, qvTrack* track, qvError* error)
{
    const bool* read = b->read + (size_t)index * (size_t)b->keys;
    int knots = KnotCount(b, track);
    int32_t* rowOf = track->rowOf = qvAllocate((size_t)knots, sizeof(*rowOf));
    if (rowOf == NULL)
        return qvError_OutOfMemory(error, (double)knots * sizeof(*rowOf));
    for (int i = 0; i < knots; i++)
    {
        int key = qvTrack_Key(track, i, b->keys);
        bool isEnd = key == 0 || key == b->keys - 1;
        bool isRead = read[key] || (i > 0 && read[qvTrack_Key(track, i - 1, b->keys)]);
        rowOf[i] = isEnd || isRead ? track->rowCount++ : -1;
    }
    return qv_ok;
}

static double Stiffness(const qvMotionSpace* space, double frequency)
{
    double omega = QV_TWO_PI * frequency;
    return space->lowest > 0.0 ? omega * omega / space->lowest : 0.0;
}

double qvMotion_Damping(const qvMotionDef* def, double settle, double lambda)
{
    double positive = fmax(lambda, 0.0), delta = 3.0 / settle + 0.5 * def->material.stiffDamping * positive;
    return sqrt(positive) > QV_TWO_PI * def->material.maxWobble ? fmax(delta, sqrt(positive)) : delta;
}

// Eigenvalues and damping rates of a shape's modes for a frequency and a time to settle.
static void ModalRates(const Build* b, const qvMotionShape* shape, double frequency, double settle, double* lambda,
                       double* delta)
{
    double stiffness = Stiffness(b->motion->space, frequency), least = qvMotionSpace_LeastValue(b->motion->space);
    for (int i = 0; i < b->dimension; i++)
    {
        lambda[i] = stiffness * fmax(shape->values[i], least);
        delta[i] = qvMotion_Damping(b->def, settle, lambda[i]);
    }
    qvMotion_AddDamping(b->motion, shape, stiffness, delta);
}

// Modal forces: elastic ones times the stiffness, and gravity and wind as seen from a frame.
static void ModalForces(const Build* b, const qvMotionShape* shape, double frequency, qvQuat rotation, double* force)
{
    const qvMotionSpace* space = b->motion->space;
    qvQuat back = qvQuat_Conjugate(rotation);
    qvVec3 gravity = qvScale(space->scale, qvQuat_Rotate(back, b->def->material.gravity));
    qvVec3 wind = qvScale(space->scale, qvQuat_Rotate(back, b->def->material.wind));
    double stiffness = Stiffness(space, frequency);
    size_t d = (size_t)b->dimension;
    for (size_t i = 0; i < d; i++)
    {
        const double *pull = shape->pull + i, *push = shape->wind + i;
        force[i] = stiffness * shape->force[i] - (gravity.x * pull[0] + gravity.y * pull[d] + gravity.z * pull[2 * d] +
                                                  wind.x * push[0] + wind.y * push[d] + wind.z * push[2 * d]);
    }
}

// Gravity and wind are seen from the frame at the first key of the track.
static void ModalMaterial(const Build* b, int index, qvTrack* track)
{
    const qvMotionDef* def = b->def;
    int key = 0, segments = track->knotCount > 0 ? track->knotCount - 1 : qvSegmentCount(b->keys, b->motion->period);
    int rows = b->motion->stride > 0 ? segments : 1;
    while (key < b->keys - 1 && b->motion->trackOf[key] != index)
        key++;
    qvQuat rotation = qvMotion_FrameState(b->motion, b->motion->times[key]).pose.rotation;
    for (int i = 0; i < rows; i++)
    {
        const qvMotionKey* arrival = &def->keys[qvSegmentEnd(qvTrack_Key(track, i, b->keys), b->keys)];
        double frequency =
            b->motion->stride > 0 ? Override(arrival->frequency, def->material.frequency) : def->material.frequency;
        double settle = b->motion->stride > 0 ? Override(arrival->settle, def->material.settle) : def->material.settle;
        size_t row = (size_t)i * (size_t)b->motion->stride;
        ModalRates(b, track->shape, frequency, settle, track->lambda + row, track->delta + row);
        ModalForces(b, track->shape, frequency, rotation, track->force + row);
    }
    ModalRates(b, track->shape, def->material.frequency, def->material.settle, track->ringLambda, track->ringDelta);
}

// Rows of the track's window from rows of all keys.
static void GatherRows(const Build* b, const qvTrack* track, const double* from, double* to)
{
    size_t d = (size_t)b->dimension;
    for (int i = 0; i < track->knotCount; i++)
        memcpy(to + (size_t)i * d, from + (size_t)qvTrack_Key(track, i, b->keys) * d, d * sizeof(double));
}

// Omega = Phi^T (q - centre) of the keys and Phi^T of their velocities.
static qvResult ModalKeys(const Build* b, qvTrack* track, qvError* error)
{
    int d = b->dimension, knots = KnotCount(b, track);
    size_t rows = (size_t)knots * (size_t)d;
    const qvMotionShape* shape = track->shape;
    const qvWigglySolution *from = &b->motion->smooth.solution, *to = &track->solution;
    double* shifted = to->before; // not filled yet
    const double* in[3] = { shifted, from->before, from->after };
    double* gathered = track->knotCount > 0 ? qvAllocateRaw(2 * rows, sizeof(double)) : NULL;
    if (track->knotCount > 0 && gathered == NULL)
        return qvError_OutOfMemory(error, 2.0 * (double)rows * sizeof(double));
    if (track->knotCount > 0)
    {
        GatherRows(b, track, b->motion->values, shifted);
        GatherRows(b, track, from->before, gathered);
        GatherRows(b, track, from->after, gathered + rows);
        in[1] = gathered, in[2] = gathered + rows;
    }
    else
        memcpy(shifted, b->motion->values, rows * sizeof(double));
    for (int i = 0; i < knots; i++)
        qvBlas_AddScaled(d, -1.0, track->center, shifted + (size_t)i * (size_t)d);
    double* out[3] = { to->values, to->before, to->after };
    for (int k = 0; k < 3; k++)
        qvBlas_Multiply(true, false, d, knots, d, 1.0, shape->vectors, d, in[k], d, 0.0, out[k], d);
    free(gathered);
    return qvMotion_ShiftKeys(b->motion, track, error);
}

static qvResult PrepareTrack(Build* b, int index, qvError* error)
{
    const qvMotionSpace* space = b->motion->space;
    qvTrack* track = &b->motion->tracks[index];
    const qvPartial* own = index >= space->shapeCount ? &b->partials->items[index - space->shapeCount] : NULL;
    ChooseWindow(b, index, track);
    qvResult result = qvTrack_Allocate(track, KnotCount(b, track), b->dimension, b->motion->stride, error);
    if (result == qv_ok)
        result = ChooseRows(b, index, track, error);
    if (result != qv_ok)
        return result;
    int shape = own != NULL ? space->poses[b->motion->poses[own->key]].shape : index;
    track->shape = &space->shapes[shape];
    const double* center = own != NULL && space->model == qv_modelPose ? own->guess : track->shape->center;
    memcpy(track->center, center, (size_t)b->dimension * sizeof(double));
    ModalMaterial(b, index, track);
    return qv_ok;
}

static qvResult BuildTrack(Build* b, int index, qvError* error)
{
    qvTrack* track = &b->motion->tracks[index];
    qvResult result = track->shape == NULL ? PrepareTrack(b, index, error) : qv_ok;
    if (result != qv_ok)
        return result;
    result = ModalKeys(b, track, error);
    if (result == qv_ok)
        result = SolvePlan(b, track, b->sides.wigglyBefore, b->sides.wigglyAfter, b->motion->wigglyKappa, error);
    if (result == qv_ok)
        result = qvTrack_Settle(track, KnotCount(b, track), b->dimension, b->motion->stride, track->rowOf,
                                track->rowCount, error);
    if (result == qv_ok)
        result = qvMotion_BuildWays(b->motion, b->def, index, b->sides.wigglyBefore, b->sides.wigglyAfter, error);
    return result;
}

static void BuildSome(void* context, int begin, int end)
{
    Build* b = context;
    for (int i = begin; i < end; i++)
        b->results[i] = b->needed[i] ? BuildTrack(b, i, &b->errors[i]) : qv_ok;
}

// --- After the last key --------------------------------------------------------------------------------------------

static void BuildEnd(Build* b)
{
    qvMotion* motion = b->motion;
    if (motion->period > 0.0)
        return;
    int d = b->dimension, last = b->keys - 1;
    size_t row = (size_t)last * (size_t)d;
    const qvTrack* track = &motion->tracks[motion->trackOf[last]];
    size_t own = qvTrack_Row(track, last) * (size_t)d;
    memcpy(motion->end + d, track->solution.values + own, (size_t)d * sizeof(double));
    double* leaves = motion->smooth.solution.after + row;
    if (qvMotion_ArrivesFreely(motion))
        memcpy(leaves, motion->smooth.solution.before + row, (size_t)d * sizeof(double));
    else
    {
        memset(leaves, 0, (size_t)d * sizeof(double));
        qvMotion_GivenVelocity(motion, b->def, last, 1, leaves);
    }
    double* smooth = motion->end + 2 * (size_t)d;
    qvBlas_Multiply(true, false, d, 1, d, 1.0, track->shape->vectors, d, leaves, d, 0.0, smooth, d);
    bool swings = qvMotion_ArrivesFreely(motion) && motion->knots[last].kind == qv_motionWiggly;
    memcpy(motion->end, swings ? track->solution.before + own : smooth, (size_t)d * sizeof(double));
}

// Values of partial keys, and the cubic spline through them.
static qvResult SolveFreedom(Build* b, qvError* error)
{
    qvResult result = qvMotion_SolveValues(b->motion, b->def, &b->sides, b->partials, error);
    const qvTrack* track = &b->motion->smooth;
    size_t bytes = (size_t)b->keys * (size_t)b->dimension * sizeof(double);
    if (result == qv_ok && track->plan == NULL)
        memcpy(track->solution.values, b->motion->values, bytes);
    if (result != qv_ok || track->plan == NULL)
        return result;
    qvWigglyData data = { b->motion->values, track->solution.before, track->solution.after, NULL };
    return qvWigglyPlan_Solve(track->plan, &data, &track->solution, error);
}

// Where soft keys end up: those between segments of different kinds before the wiggly splines, the others after them.
static void StoreShared(Build* b)
{
    qvMotion* motion = b->motion;
    size_t d = (size_t)b->dimension;
    for (int i = 0; motion->kappa != NULL && i < b->keys; i++)
    {
        if (motion->kappa[i] < INFINITY && motion->wigglyKappa[i] == INFINITY)
            memcpy(motion->values + (size_t)i * d, motion->smooth.solution.values + (size_t)i * d, d * sizeof(double));
    }
}

static qvResult StoreSoft(Build* b, qvError* error)
{
    qvMotion* motion = b->motion;
    if (motion->kappa == NULL || qvSegmentCount(b->keys, motion->period) < 1)
        return qv_ok;
    double* scratch = qvAllocateRaw(qvMotion_WorkSize(motion), sizeof(double));
    if (scratch == NULL)
        return qvError_OutOfMemory(error, (double)qvMotion_WorkSize(motion) * sizeof(double));
    for (int i = 0; i < b->keys; i++)
    {
        if (motion->wigglyKappa[i] < INFINITY)
            qvMotion_Coordinates(motion, &motion->times[i], 1, scratch,
                                 motion->values + (size_t)i * (size_t)b->dimension, NULL, NULL);
    }
    free(scratch);
    return qv_ok;
}

static qvResult BuildAll(Build* b, qvPool* pool, qvError* error)
{
    qvResult result = BuildSmooth(b, error);
    if (result != qv_ok)
        return result;
    WigglySides(b);
    MarkNeeded(b);
    MarkRead(b);
    // Without partial keys, whose values depend on all of them, one track after the other is whole in memory.
    int tracks = b->motion->trackCount;
    for (int i = 0; b->partials->count > 0 && result == qv_ok && i < tracks; i++)
        result = b->needed[i] ? PrepareTrack(b, i, error) : qv_ok;
    if (result == qv_ok && b->partials->count > 0)
        result = SolveFreedom(b, error);
    if (result != qv_ok)
        return result;
    StoreShared(b);
    qvParallelFor(pool, tracks, 1, BuildSome, b);
    for (int i = 0; i < tracks; i++)
    {
        if (b->results[i] != qv_ok)
        {
            if (error != NULL)
                *error = b->errors[i];
            return b->results[i];
        }
    }
    BuildEnd(b);
    result = qvMotion_BuildHeld(b->motion, b->def, error);
    return result == qv_ok ? StoreSoft(b, error) : result;
}

qvResult qvMotion_BuildTracks(qvMotion* motion, const qvMotionDef* def, const qvPartials* partials, qvPool* pool,
                              qvError* error)
{
    size_t keys = (size_t)def->keyCount, tracks = (size_t)motion->trackCount;
    Build b = {
        .motion = motion, .def = def, .partials = partials, .keys = def->keyCount, .dimension = motion->space->dimension
    };
    qvWigglySide* sides = qvAllocate(4 * keys, sizeof(*sides));
    // Partial and soft keys depend on all others.
    b.isWindowed = motion->space->isBounded && partials->count == 0 && motion->kappa == NULL;
    b.reach = Reach(def);
    b.needed = qvAllocate(tracks, sizeof(*b.needed));
    b.read = qvAllocate(tracks * keys, sizeof(*b.read));
    b.results = qvAllocate(tracks, sizeof(*b.results));
    b.errors = qvAllocate(tracks, sizeof(*b.errors));
    qvResult result = qv_ok;
    if (sides == NULL || b.needed == NULL || b.read == NULL || b.results == NULL || b.errors == NULL)
        result = qvError_OutOfMemory(error, (double)(keys + tracks) * sizeof(qvError));
    else
    {
        b.sides = (qvMotionSides){ sides, sides + keys, sides + 2 * keys, sides + 3 * keys };
        result = BuildAll(&b, pool, error);
    }
    free(sides);
    free(b.needed);
    free(b.read);
    free(b.results);
    free(b.errors);
    return result;
}
