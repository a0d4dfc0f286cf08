// SPDX-License-Identifier: GPL-3.0-or-later
// The curves of the reduced coordinates: one cubic spline, and per shape the wiggly splines of the equations of motion
// linearized there (the paper named in space.c, sections 4.1 and 4.3). The cubic one decides the velocities where
// segments of different kinds meet and where a free side starts a segment.
#include "motion/motion.h"

#include "base/memory.h"
#include "math/blas.h"
#include "motion/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TWO_PI = 6.28318530717958647692;

typedef struct Build
{
    qvMotion* motion;
    const qvMotionDef* def;
    int keys, dimension;
    qvWigglySide *before, *after;             // of the cubic spline
    qvWigglySide *wigglyBefore, *wigglyAfter; // of the wiggly ones
    bool* needed;                             // per shape
    qvResult* results;                        // per shape
    qvError* errors;                          // per shape
} Build;

// --- The cubic spline ----------------------------------------------------------------------------------------------

static qvResult AllocateTrack(qvTrack* track, int keys, int dimension, qvError* error)
{
    size_t row = (size_t)dimension, rows = (size_t)keys * row;
    double* next = track->numbers = qvAllocate(3 * rows + 3 * row, sizeof(double));
    if (next == NULL)
        return qvError_OutOfMemory(error, (double)(3 * rows + 3 * row) * sizeof(double));
    track->solution = (qvWigglySolution){ next, next + rows, next + 2 * rows };
    next += 3 * rows;
    track->force = next, track->lambda = next + row, track->delta = next + 2 * row;
    return qv_ok;
}

// Velocity of the reduced coordinates that a key gives at one side.
static void GivenVelocity(const Build* b, int index, int side, double* out)
{
    const qvMotionKey* key = &b->def->keys[index];
    const qvMotionSpace* space = b->motion->space;
    if (key->mode != qv_velocitySet && key->mode != qv_velocityBroken)
        return;
    int source = key->mode == qv_velocitySet ? 1 : side;
    memcpy(out, space->poses[key->pose].velocity[source], (size_t)b->dimension * sizeof(double));
    if (!space->pinned)
        return;
    const double* uniform = source == 0 ? &key->before.x : &key->after.x;
    for (int c = 0; c < 3; c++)
        qvBlas_AddScaled(b->dimension, space->scale * uniform[c], space->uniform + (size_t)c * (size_t)b->dimension,
                         out);
}

static qvResult MakePlan(const Build* b, qvTrack* track, const qvWigglySide* before, const qvWigglySide* after,
                         qvError* error)
{
    qvWigglyDef def = qvDefaultWigglyDef();
    def.knotCount = b->keys, def.times = b->motion->times;
    def.modeCount = b->dimension, def.lambda = track->lambda, def.delta = track->delta;
    def.period = b->motion->period;
    def.first = after[0], def.last = before[b->keys - 1];
    def.before = before, def.after = after;
    return qvCreateWigglyPlan(&def, &track->plan, error);
}

// Values and given velocities are in the solution's arrays.
static qvResult SolvePlan(const Build* b, qvTrack* track, const qvWigglySide* before, const qvWigglySide* after,
                          qvError* error)
{
    if (qvSegmentCount(b->keys, b->motion->period) < 1)
        return qv_ok;
    qvResult result = MakePlan(b, track, before, after, error);
    if (result != qv_ok)
        return result;
    qvWigglySolution* s = &track->solution;
    qvWigglyData data = { s->values, s->before, s->after, track->force };
    return qvWigglyPlan_Solve(track->plan, &data, s, error);
}

static qvResult BuildSmooth(Build* b, qvError* error)
{
    qvTrack* track = &b->motion->smooth;
    qvResult result = AllocateTrack(track, b->keys, b->dimension, error);
    if (result != qv_ok)
        return result;
    size_t d = (size_t)b->dimension;
    for (int i = 0; i < b->keys; i++)
    {
        size_t row = (size_t)i * d;
        const qvPoseData* pose = &b->motion->space->poses[b->def->keys[i].pose];
        memcpy(track->solution.values + row, pose->center, d * sizeof(double));
        GivenVelocity(b, i, 0, track->solution.before + row);
        GivenVelocity(b, i, 1, track->solution.after + row);
    }
    qvSmoothSides(b->motion->knots, b->keys, b->motion->period, b->before, b->after);
    return SolvePlan(b, track, b->before, b->after, error);
}

// --- The wiggly splines --------------------------------------------------------------------------------------------

// Where wiggly meets smooth the spline is split at the velocity of the cubic one. So it is where a free side starts a
// segment: the start of least force of a damped mode would lie far outside.
static void WigglySides(Build* b)
{
    const qvKnot* knots = b->motion->knots;
    for (int i = 0; i < b->keys; i++)
    {
        b->wigglyBefore[i] = b->before[i], b->wigglyAfter[i] = b->after[i];
        bool inside = b->motion->period > 0.0 || (i > 0 && i < b->keys - 1);
        if (b->before[i] == qv_sideSmooth && inside && knots[i].kind != knots[qvSegmentEnd(i, b->keys)].kind)
            b->wigglyBefore[i] = b->wigglyAfter[i] = qv_sideVelocity;
        if (b->after[i] == qv_sideForceFree && (inside || i == 0))
            b->wigglyAfter[i] = qv_sideVelocity;
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
        b->needed[motion->space->poses[motion->poses[i]].shape] = true;
        b->needed[motion->space->poses[motion->poses[end]].shape] = true;
    }
    if (motion->period <= 0.0)
        b->needed[motion->space->poses[motion->poses[b->keys - 1]].shape] = true;
}

double qvMotion_Damping(const qvMotionDef* def, double lambda)
{
    double positive = fmax(lambda, 0.0), delta = 3.0 / def->settle + 0.5 * def->stiffDamping * positive;
    return sqrt(positive) > TWO_PI * def->maxWobble ? fmax(delta, sqrt(positive)) : delta;
}

// lambda, delta and g of every mode. Gravity and wind are seen from the frame at the first key of that shape.
static void ModalMaterial(const Build* b, int index, qvTrack* track)
{
    const qvMotionDef* def = b->def;
    const qvMotionSpace* space = b->motion->space;
    const qvMotionShape* shape = &space->shapes[index];
    double omega = TWO_PI * def->frequency;
    double stiffness = space->lowest > 0.0 ? omega * omega / space->lowest : 0.0;
    int key = 0;
    while (key < b->keys - 1 && space->poses[b->motion->poses[key]].shape != index)
        key++;
    qvRigidState frame = qvMotion_FrameState(b->motion, b->motion->times[key]);
    qvQuat back = qvQuat_Conjugate(frame.pose.rotation);
    qvVec3 gravity = qvScale(space->scale, qvQuat_Rotate(back, def->gravity));
    qvVec3 wind = qvScale(space->scale, qvQuat_Rotate(back, def->wind));
    for (int i = 0; i < b->dimension; i++)
    {
        double lambda = stiffness * shape->values[i];
        track->lambda[i] = lambda, track->delta[i] = qvMotion_Damping(def, lambda);
        const double *pull = shape->pull + i, *push = shape->wind + i;
        size_t d = (size_t)b->dimension;
        track->force[i] =
            stiffness * shape->force[i] - (gravity.x * pull[0] + gravity.y * pull[d] + gravity.z * pull[2 * d] +
                                           wind.x * push[0] + wind.y * push[d] + wind.z * push[2 * d]);
    }
}

// Omega = Phi^T (q - centre) of the keys and Phi^T of their velocities.
static void ModalKeys(const Build* b, const qvMotionShape* shape, qvTrack* track)
{
    int d = b->dimension;
    const qvWigglySolution *from = &b->motion->smooth.solution, *to = &track->solution;
    const double* in[3] = { from->values, from->before, from->after };
    double* out[3] = { to->values, to->before, to->after };
    for (int k = 0; k < 3; k++)
        qvBlas_Multiply(true, false, d, b->keys, d, 1.0, shape->vectors, d, in[k], d, 0.0, out[k], d);
    double* center = track->force; // not filled yet
    qvBlas_Multiply(true, false, d, 1, d, 1.0, shape->vectors, d, shape->center, d, 0.0, center, d);
    for (int i = 0; i < b->keys; i++)
        qvBlas_AddScaled(d, -1.0, center, to->values + (size_t)i * (size_t)d);
    qvMotion_ShiftKeys(b->motion, (int)(shape - b->motion->space->shapes), to);
}

static qvResult BuildTrack(Build* b, int index, qvError* error)
{
    qvTrack* track = &b->motion->tracks[index];
    const qvMotionShape* shape = &b->motion->space->shapes[index];
    qvResult result = AllocateTrack(track, b->keys, b->dimension, error);
    if (result != qv_ok)
        return result;
    ModalKeys(b, shape, track);
    ModalMaterial(b, index, track);
    result = SolvePlan(b, track, b->wigglyBefore, b->wigglyAfter, error);
    return result == qv_ok ? qvMotion_BuildWays(b->motion, b->def, index, b->wigglyBefore, b->wigglyAfter, error)
                           : result;
}

static void BuildShapes(void* context, int begin, int end)
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
    const qvMotionShape* shape = &motion->space->shapes[motion->space->poses[motion->poses[last]].shape];
    const qvTrack* track = &motion->tracks[motion->space->poses[motion->poses[last]].shape];
    memcpy(motion->end + d, track->solution.values + row, (size_t)d * sizeof(double));
    const qvMotionKey* key = &b->def->keys[last];
    bool arrives = key->mode == qv_velocityFree && last > 0;
    if (arrives && key->kind == qv_motionWiggly)
        memcpy(motion->end, track->solution.before + row, (size_t)d * sizeof(double));
    else if (arrives && key->kind == qv_motionSmooth)
        qvBlas_Multiply(true, false, d, 1, d, 1.0, shape->vectors, d, motion->smooth.solution.before + row, d, 0.0,
                        motion->end, d);
    else
    {
        double* given = motion->smooth.solution.after + row; // of no further use: nothing follows the last key
        memset(given, 0, (size_t)d * sizeof(double));
        GivenVelocity(b, last, 1, given);
        qvBlas_Multiply(true, false, d, 1, d, 1.0, shape->vectors, d, given, d, 0.0, motion->end, d);
    }
}

static qvResult BuildAll(Build* b, qvPool* pool, qvError* error)
{
    qvResult result = BuildSmooth(b, error);
    if (result != qv_ok)
        return result;
    WigglySides(b);
    MarkNeeded(b);
    int shapes = b->motion->space->shapeCount;
    qvParallelFor(pool, shapes, 1, BuildShapes, b);
    for (int i = 0; i < shapes; i++)
    {
        if (b->results[i] != qv_ok)
        {
            if (error != NULL)
                *error = b->errors[i];
            return b->results[i];
        }
    }
    BuildEnd(b);
    return qv_ok;
}

qvResult qvMotion_BuildTracks(qvMotion* motion, const qvMotionDef* def, qvPool* pool, qvError* error)
{
    size_t keys = (size_t)def->keyCount, shapes = (size_t)motion->space->shapeCount;
    Build b = { .motion = motion, .def = def, .keys = def->keyCount, .dimension = motion->space->dimension };
    qvWigglySide* sides = qvAllocate(4 * keys, sizeof(*sides));
    b.needed = qvAllocate(shapes, sizeof(*b.needed));
    b.results = qvAllocate(shapes, sizeof(*b.results));
    b.errors = qvAllocate(shapes, sizeof(*b.errors));
    qvResult result = qv_ok;
    if (sides == NULL || b.needed == NULL || b.results == NULL || b.errors == NULL)
        result = qvError_OutOfMemory(error, (double)(keys + shapes) * sizeof(qvError));
    else
    {
        b.before = sides, b.after = sides + keys;
        b.wigglyBefore = sides + 2 * keys, b.wigglyAfter = sides + 3 * keys;
        result = BuildAll(&b, pool, error);
    }
    free(sides);
    free(b.needed);
    free(b.results);
    free(b.errors);
    return result;
}
