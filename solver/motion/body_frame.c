// SPDX-License-Identifier: GPL-3.0-or-later
// The frame of a body: the path of the keyed transforms (outer) about that of what is rigid in the poses (inner). In a
// flight the mass centre falls freely. Where the body turns, weight that its poses shift would carry the centre off its
// parabola; a key in mid-air without a transform does not say where the frame is, so the outer path gives way there.
#include "motion/partial.h"

#include "base/memory.h"
#include "math/rotation.h"
#include "motion/soft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool IsFlight(const qvMotionDef* def, int from, int to)
{
    const qvMotionKey *a = &def->keys[from], *b = &def->keys[to];
    return a->mode == qv_velocityBroken && b->mode == qv_velocityBroken && !a->givenAfter && !b->givenBefore;
}

// The frame comes to rest without swinging: about its last pose with the body's own frequency, critically damped.
static qvFramePathDef PathDef(const qvMotionDef* def, const qvFrameKnot* knots, int count, bool gravity)
{
    double omega = QV_TWO_PI * def->material.frequency;
    qvFramePathDef path = { .count = count, .knots = knots, .period = def->period };
    path.ringLambda = omega * omega;
    path.ringDelta = fmax(omega, 3.0 / def->material.settle);
    if (gravity)
        path.gravity = def->material.gravity;
    return path;
}

qvKnot qvMotion_Knot(const qvMotionKey* key)
{
    qvVelocityMode mode = key->mode == qv_velocityTurn ? qv_velocityFree : key->mode; // turning is for shapes
    return (qvKnot){ key->time, key->kind, mode, { key->givenBefore, key->givenAfter } };
}

static qvResult BuildOuter(const qvMotionDef* def, qvVec3 pivot, qvFrameKnot* knots, qvFramePath** out, qvError* error)
{
    int count = 0, last = -1, first = -1;
    double anchor = qvMotion_Anchor(def);
    for (int i = 0; i < def->keyCount; i++)
    {
        const qvMotionKey* key = &def->keys[i];
        if (!key->hasTransform)
            continue;
        qvQuat rotation = qvQuat_Normalize(key->rotation);
        qvFrameKnot* knot = &knots[count++];
        *knot = (qvFrameKnot){ .knot = qvMotion_Knot(key), .turns = key->turns };
        knot->softness = qvMotion_Softness(def, key, anchor);
        knot->pose = (qvRigid){ rotation, qvAdd(qvQuat_Rotate(rotation, pivot), key->translation) };
        knot->flight = last >= 0 && IsFlight(def, last, i);
        first = first < 0 ? i : first;
        last = i;
    }
    if (count == 0)
        return qv_ok;
    if (def->period > 0.0)
        knots[0].flight = IsFlight(def, last, first);
    qvFramePathDef path = PathDef(def, knots, count, true);
    return qvCreateFramePath(&path, out, error);
}

// Velocities of the rigid part of a key at one side.
static void RigidVelocity(const qvMotion* motion, const qvMotionKey* key, int side, double out[6])
{
    memset(out, 0, 6 * sizeof(double));
    if (key->mode != qv_velocitySet && key->mode != qv_velocityBroken)
        return;
    int source = key->mode == qv_velocitySet ? 1 : side;
    memcpy(out, motion->space->poses[key->pose].rigidVelocity[source], 6 * sizeof(double));
    qvVec3 uniform = source == 0 ? key->before : key->after;
    if (key->hasTransform) // which turns it into the world
        uniform =
            qvQuat_Rotate(qvQuat_Conjugate(qvFramePath_Evaluate(motion->outer, key->time).pose.rotation), uniform);
    out[0] += uniform.x, out[1] += uniform.y, out[2] += uniform.z;
}

static qvResult BuildInner(qvMotion* motion, const qvMotionDef* def, const qvPartials* partials, qvFrameKnot* knots,
                           qvError* error)
{
    double anchor = qvMotion_Anchor(def);
    for (int i = 0; i < def->keyCount; i++)
    {
        const qvMotionKey* key = &def->keys[i];
        knots[i] = (qvFrameKnot){ .knot = qvMotion_Knot(key), .pose = motion->space->poses[key->pose].frame };
        knots[i].softness = qvMotion_Softness(def, key, anchor);
        int from = i > 0 ? i - 1 : def->keyCount - 1;
        knots[i].flight = (i > 0 || def->period > 0.0) && IsFlight(def, from, i);
        for (int side = 0; side < 2; side++)
            RigidVelocity(motion, key, side, knots[i].given[side]);
    }
    for (int i = 0; i < partials->count; i++)
        knots[partials->items[i].key].pose = partials->items[i].frame;
    qvFramePathDef path = PathDef(def, knots, def->keyCount, motion->outer == NULL);
    return qvCreateFramePath(&path, &motion->inner, error);
}

// --- Flights -------------------------------------------------------------------------------------------------------

static int NextTransform(const qvMotionDef* def, int key)
{
    int last = def->period > 0.0 ? key + def->keyCount : def->keyCount - 1;
    for (int i = key + 1; i <= last; i++)
    {
        if (def->keys[i % def->keyCount].hasTransform)
            return i;
    }
    return -1;
}

// Whether the motion flows freely from one key to another, which may be in the next round of a loop.
static bool Flies(const qvMotionDef* def, int from, int to)
{
    if (to < 0 || (to >= def->keyCount && def->period <= 0.0) || !IsFlight(def, from, to % def->keyCount))
        return false;
    for (int i = from + 1; i <= to; i++)
    {
        qvMotionKind kind = def->keys[i % def->keyCount].kind;
        if (kind != qv_motionWiggly && kind != qv_motionSmooth)
            return false;
    }
    return true;
}

static qvFlight MakeFlight(const qvMotion* motion, const qvMotionDef* def, int from, int to)
{
    int count = def->keyCount;
    qvFlight flight = { .begin = def->keys[from].time, .end = def->keys[to % count].time };
    flight.end += to >= count ? def->period : 0.0;
    double length = flight.end - flight.begin;
    flight.start = qvMotion_FrameState(motion, flight.begin).pose.position;
    qvVec3 way = qvSub(qvMotion_FrameState(motion, flight.end).pose.position, flight.start);
    flight.velocity = qvMulAdd(qvScale(1.0 / length, way), -0.5 * length, def->material.gravity);
    return flight;
}

// From a key with a transform to the next one, or else between neighbours. A first key with a transform is where none
// passes through, so that in a loop they do not overlap.
static qvResult BuildFlights(qvMotion* motion, const qvMotionDef* def, qvError* error)
{
    qvFlight* flights = qvAllocate((size_t)def->keyCount, sizeof(*flights));
    if (flights == NULL)
        return qvError_OutOfMemory(error, (double)def->keyCount * sizeof(*flights));
    int count = 0, first = def->keys[0].hasTransform || def->period <= 0.0 ? 0 : NextTransform(def, 0);
    for (int k = 0; k < def->keyCount; k++)
    {
        int from = (first + k) % def->keyCount, to = def->keys[from].hasTransform ? NextTransform(def, from) : -1;
        if (!Flies(def, from, to))
            to = from + 1;
        if (!Flies(def, from, to))
            continue;
        flights[count++] = MakeFlight(motion, def, from, to);
        k += to - from - 1;
    }
    motion->flights = flights, motion->flightCount = count, motion->gravity = def->material.gravity;
    return qv_ok;
}

static const qvFlight* FindFlight(const qvMotion* motion, double time, double* since)
{
    for (int i = 0; i < motion->flightCount; i++)
    {
        const qvFlight* flight = &motion->flights[i];
        *since = time - flight->begin;
        if (motion->period > 0.0)
            *since -= motion->period * floor(*since / motion->period);
        if (*since >= 0.0 && *since < flight->end - flight->begin)
            return flight;
    }
    return NULL;
}

qvResult qvMotion_BuildOuter(const qvMotionDef* def, qvVec3 pivot, qvFramePath** path, qvError* error)
{
    qvFrameKnot* knots = qvAllocate((size_t)def->keyCount, sizeof(*knots));
    if (knots == NULL)
        return qvError_OutOfMemory(error, (double)def->keyCount * sizeof(*knots));
    qvResult result = BuildOuter(def, pivot, knots, path, error);
    free(knots);
    return result;
}

qvResult qvMotion_BuildFrames(qvMotion* motion, const qvMotionDef* def, const qvPartials* partials, qvError* error)
{
    qvFrameKnot* knots = qvAllocate((size_t)def->keyCount, sizeof(*knots));
    if (knots == NULL)
        return qvError_OutOfMemory(error, (double)def->keyCount * sizeof(*knots));
    qvResult result = BuildOuter(def, motion->space->pivot, knots, &motion->outer, error);
    if (result == qv_ok && !motion->space->pinned)
        result = BuildInner(motion, def, partials, knots, error);
    free(knots);
    if (result == qv_ok && motion->outer != NULL && motion->inner != NULL)
        result = BuildFlights(motion, def, error);
    return result;
}

// --- Evaluating ----------------------------------------------------------------------------------------------------

static qvRigidState InnerState(const qvMotion* motion, double time)
{
    qvVec3 zero = { 0.0, 0.0, 0.0 };
    if (motion->inner != NULL)
        return qvFramePath_Evaluate(motion->inner, time);
    return (qvRigidState){ { qvQuat_Identity(), motion->space->pivot }, zero, zero, zero, zero };
}

// The path of the keyed transforms, moved in flights so that the mass centre falls freely.
static qvRigidState OuterState(const qvMotion* motion, double time, const qvRigidState* inner)
{
    qvRigidState outer = qvFramePath_Evaluate(motion->outer, time);
    double since;
    const qvFlight* flight = FindFlight(motion, time, &since);
    if (flight == NULL)
        return outer;
    qvRigidState whole = qvComposeRigid(&outer, motion->space->pivot, inner);
    qvVec3 velocity = qvMulAdd(flight->velocity, since, motion->gravity);
    qvVec3 middle = qvScale(0.5, qvAdd(flight->velocity, velocity));
    qvVec3 centre = qvMulAdd(flight->start, since, middle);
    outer.pose.position = qvAdd(outer.pose.position, qvSub(centre, whole.pose.position));
    outer.velocity = qvAdd(outer.velocity, qvSub(velocity, whole.velocity));
    outer.acceleration = qvAdd(outer.acceleration, qvSub(motion->gravity, whole.acceleration));
    return outer;
}

qvRigidState qvMotion_FrameState(const qvMotion* motion, double time)
{
    qvRigidState inner = InnerState(motion, time);
    if (motion->outer == NULL)
        return inner;
    qvRigidState outer = OuterState(motion, time, &inner);
    return qvComposeRigid(&outer, motion->space->pivot, &inner);
}

qvRigid qvMotion_KeyedPose(const qvMotion* motion, double time)
{
    if (motion->outer == NULL)
        return (qvRigid){ qvQuat_Identity(), motion->space->pivot };
    qvRigidState inner = InnerState(motion, time);
    return OuterState(motion, time, &inner).pose;
}
