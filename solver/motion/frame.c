// SPDX-License-Identifier: GPL-3.0-or-later
// A C2 path through rigid poses. Rotations: the turns from knot to knot (rotation vectors in body axes, whole extra
// turns included) are summed up and a cubic spline through the sums gives angular velocities and accelerations at the
// knots. Each segment is then exp(whole turns, at constant speed) exp(r(t)) with a quintic r(t) that meets them, so
// that the rotation is C2 everywhere and exactly the cubic spline where all turns have the same axis. Translations are
// the cubic spline itself.
//
// Soft knots first find where they end up: the cubic spline of the sums x that has the least
//     integral |x''|^2 dt + sum kappa |x - wanted|^2
// moves them, and the sums are measured anew, since rotations about different axes do not add up. For translations and
// turns about one axis the first step is the whole way.
#include "motion/frame.h"

#include "base/memory.h"
#include "math/rigid_segment.h"
#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SIX = qv_rigidRow,
    PASSES = 12,
};

typedef struct Segment
{
    qvRigidSegment curve;
    bool hold; // stays at its start
} Segment;

struct qvFramePath
{
    int count;
    double period;
    double* times;
    qvRigid* poses;
    Segment* segments;
    double end[SIX]; // velocity after the last knot
    double ringLambda, ringDelta;
};

// What the construction works with; rows of six numbers per knot.
typedef struct Build
{
    const qvFramePathDef* def;
    int count, segments;
    double* times;
    qvKnot* knots;
    qvWigglySide *before, *after;
    double *lambda, *force; // per segment
    double *values, *givenBefore, *givenAfter;
    double *velocityBefore, *velocityAfter, *accelerationBefore, *accelerationAfter;
    double drift[SIX]; // per second, of sums that do not close in a loop
    qvVec3* turn;      // per segment: the shortest way
    qvVec3* whole;     // per segment: whole turns times 2 pi
    qvRigid* poses;    // where the knots are
    qvVec3* moved;     // per knot: how far a soft one has turned from where it wants to be
    double *wanted, *weights;
    void* memory;
} Build;

static qvResult AllocateBuild(const qvFramePathDef* def, Build* b, qvError* error)
{
    size_t n = (size_t)def->count;
    size_t numbers = n * (10 * SIX + 1 + 6 + 3 + 1) + n * sizeof(qvRigid) / sizeof(double),
           bytes = n * (sizeof(qvKnot) + 2 * sizeof(qvWigglySide));
    char* memory = qvAllocate(numbers * sizeof(double) + bytes, 1);
    if (memory == NULL)
        return qvError_OutOfMemory(error, (double)(numbers * sizeof(double) + bytes));
    *b = (Build){ .def = def, .count = def->count, .memory = memory };
    b->segments = qvSegmentCount(def->count, def->period);
    double* next = (double*)memory;
    double** rows[] = { &b->lambda,
                        &b->force,
                        &b->values,
                        &b->givenBefore,
                        &b->givenAfter,
                        &b->velocityBefore,
                        &b->velocityAfter,
                        &b->accelerationBefore,
                        &b->accelerationAfter,
                        &b->wanted };
    for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++, next += SIX * n)
        *rows[k] = next;
    b->times = next, next += n;
    b->turn = (qvVec3*)next, next += 3 * n;
    b->whole = (qvVec3*)next, next += 3 * n;
    b->moved = (qvVec3*)next, next += 3 * n;
    b->poses = (qvRigid*)next, next += n * sizeof(qvRigid) / sizeof(double);
    b->weights = next, next += n;
    b->knots = (qvKnot*)next;
    b->before = (qvWigglySide*)(b->knots + n);
    b->after = b->before + n;
    return qv_ok;
}

// The whole turns beyond a way that come nearest to what is desired, times 2 pi.
static qvVec3 WholeTurns(qvVec3 way, qvVec3 desired)
{
    qvVec3 along = qvLength(way) > 1e-9 ? way : desired;
    if (!(qvLength(along) > 1e-9))
        return qvMakeVec3(0.0, 0.0, 0.0);
    qvVec3 axis = qvNormalize(along);
    return qvScale(2.0 * QV_PI * round((qvDot(desired, axis) - qvDot(way, axis)) / (2.0 * QV_PI)), axis);
}

static qvVec3 WayBetween(const qvRigid* from, const qvRigid* to)
{
    return qvQuat_Log(qvQuat_Multiply(qvQuat_Conjugate(from->rotation), to->rotation));
}

// The way from knot to knot as the knots say.
static void StartTurns(Build* b)
{
    for (int i = 0; i < b->segments; i++)
    {
        int end = qvSegmentEnd(i, b->count);
        qvVec3 way = WayBetween(&b->poses[i], &b->poses[end]);
        qvVec3 axis = qvLength(way) > 1e-9 ? qvNormalize(way) : qvMakeVec3(0.0, 1.0, 0.0);
        b->turn[i] = way;
        b->whole[i] = qvScale(2.0 * QV_PI * b->def->knots[end].turns, axis);
    }
}

// The sums through which the spline goes.
static void SumTurns(Build* b)
{
    qvVec3 sum = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < b->count; i++)
    {
        const qvRigid* pose = &b->poses[i];
        double row[SIX] = { pose->position.x, pose->position.y, pose->position.z, sum.x, sum.y, sum.z };
        memcpy(b->values + SIX * i, row, sizeof(row));
        if (i < b->segments)
            sum = qvAdd(sum, qvAdd(b->turn[i], b->whole[i]));
    }
    if (b->def->period > 0.0) // the sums need not close; what they gain per period is taken out and put back
    {
        double gain[3] = { sum.x, sum.y, sum.z };
        for (int c = 0; c < 3; c++)
        {
            b->drift[3 + c] = gain[c] / b->def->period;
            for (int i = 0; i < b->count; i++)
                b->values[SIX * i + 3 + c] -= b->drift[3 + c] * (b->times[i] - b->times[0]);
        }
    }
    for (int i = 0; i < SIX * b->count; i++)
    {
        b->givenBefore[i] = b->def->knots[i / SIX].given[0][i % SIX] - b->drift[i % SIX];
        b->givenAfter[i] = b->def->knots[i / SIX].given[1][i % SIX] - b->drift[i % SIX];
    }
}

static bool IsFlight(const Build* b, int segment)
{
    int end = qvSegmentEnd(segment, b->count);
    return b->def->knots[end].flight && b->after[segment] == qv_sideForceFree && b->before[end] == qv_sideForceFree;
}

static void FillConditions(Build* b)
{
    for (int i = 0; i < b->count; i++)
    {
        b->knots[i] = b->def->knots[i].knot;
        b->times[i] = b->knots[i].time;
        b->poses[i] = b->def->knots[i].pose;
    }
    qvSmoothSides(b->knots, b->count, b->def->period, b->before, b->after);
    StartTurns(b);
    SumTurns(b);
    qvVec3 g = b->def->gravity;
    for (int i = 0; i < b->segments; i++)
    {
        double row[SIX] = { -g.x, -g.y, -g.z, 0.0, 0.0, 0.0 };
        if (IsFlight(b, i))
            memcpy(b->force + SIX * i, row, sizeof(row));
    }
}

static qvResult MakePlan(const Build* b, const double* weights, qvWigglyPlan** plan, qvError* error)
{
    qvWigglyDef def = qvDefaultWigglyDef();
    def.knotCount = b->count, def.times = b->times;
    def.modeCount = SIX, def.lambda = b->lambda, def.delta = b->lambda, def.segmentStride = SIX;
    def.period = b->def->period;
    def.first = b->after[0], def.last = b->before[b->count - 1];
    def.before = b->before, def.after = b->after;
    def.weights = weights;
    return qvCreateWigglyPlan(&def, plan, error);
}

static qvResult SolveKnots(Build* b, qvError* error)
{
    qvWigglyPlan* plan;
    qvResult result = MakePlan(b, NULL, &plan, error);
    if (result != qv_ok)
        return result;
    qvWigglyData data = { b->values, b->givenBefore, b->givenAfter, b->force };
    qvWigglySolution solution = { b->values, b->velocityBefore, b->velocityAfter };
    result = qvWigglyPlan_Solve(plan, &data, &solution, error);
    if (result == qv_ok)
        qvWigglyPlan_KnotAccelerations(plan, &solution, b->force, b->accelerationBefore, b->accelerationAfter);
    qvDestroyWigglyPlan(plan);
    for (int i = 0; i < SIX * b->count; i++)
    {
        b->velocityBefore[i] += b->drift[i % SIX];
        b->velocityAfter[i] += b->drift[i % SIX];
    }
    return result;
}

// --- Soft knots -----------------------------------------------------------------------------------------------------

static qvVec3 Triple(const double* x)
{
    return qvMakeVec3(x[0], x[1], x[2]);
}

// The sums with soft knots where they want to be.
static void FillWanted(Build* b)
{
    memcpy(b->wanted, b->values, SIX * (size_t)b->count * sizeof(double));
    for (int i = 0; i < b->count; i++)
    {
        const qvFrameKnot* knot = &b->def->knots[i];
        if (knot->softness <= 0.0)
            continue;
        qvVec3 lack = WayBetween(&b->poses[i], &knot->pose), place = knot->pose.position;
        lack = qvAdd(lack, WholeTurns(lack, qvScale(-1.0, b->moved[i])));
        double* row = b->wanted + SIX * i;
        row[0] = place.x, row[1] = place.y, row[2] = place.z;
        row[3] += lack.x, row[4] += lack.y, row[5] += lack.z;
    }
}

// Moves soft knots to the sums found, in b->wanted. Returns the largest turn.
static double MoveKnots(Build* b)
{
    double largest = 0.0;
    for (int i = 0; i < b->count; i++)
    {
        if (b->def->knots[i].softness <= 0.0)
            continue;
        const double *found = b->wanted + SIX * i, *before = b->values + SIX * i;
        qvVec3 step = qvSub(Triple(found + 3), Triple(before + 3));
        b->poses[i].position = Triple(found);
        b->poses[i].rotation = qvQuat_Normalize(qvQuat_Multiply(b->poses[i].rotation, qvQuat_Exp(step)));
        b->moved[i] = qvAdd(b->moved[i], step);
        largest = fmax(largest, qvLength(step));
    }
    for (int i = 0; i < b->segments; i++)
    {
        int end = qvSegmentEnd(i, b->count);
        qvVec3 desired = qvAdd(b->turn[i], b->whole[i]);
        if (b->def->knots[i].softness <= 0.0 && b->def->knots[end].softness <= 0.0)
            continue;
        for (int side = 0; side < 2; side++)
        {
            const size_t row = SIX * (size_t)(side == 0 ? i : end) + 3;
            qvVec3 step = qvSub(Triple(b->wanted + row), Triple(b->values + row));
            desired = qvMulAdd(desired, side == 0 ? -1.0 : 1.0, step);
        }
        b->turn[i] = WayBetween(&b->poses[i], &b->poses[end]);
        b->whole[i] = WholeTurns(b->turn[i], desired);
    }
    return largest;
}

static qvResult Soften(Build* b, qvError* error)
{
    bool soft = false;
    for (int i = 0; i < b->count; i++)
    {
        double softness = b->def->knots[i].softness;
        b->weights[i] = softness > 0.0 ? 1.0 / softness : INFINITY;
        soft = soft || softness > 0.0;
    }
    if (!soft)
        return qv_ok;
    qvWigglyPlan* plan;
    qvResult result = MakePlan(b, b->weights, &plan, error);
    double step = INFINITY;
    for (int pass = 0; result == qv_ok && pass < PASSES && step > 1e-12; pass++)
    {
        FillWanted(b);
        qvWigglyData data = { b->wanted, b->givenBefore, b->givenAfter, b->force };
        qvWigglySolution solution = { b->wanted, b->velocityBefore, b->velocityAfter };
        result = qvWigglyPlan_Solve(plan, &data, &solution, error);
        step = result == qv_ok ? MoveKnots(b) : 0.0;
        SumTurns(b);
    }
    qvDestroyWigglyPlan(plan);
    return result;
}

// --- Segments -------------------------------------------------------------------------------------------------------

static void ShapeSegment(const Build* b, int i, Segment* segment)
{
    int end = qvSegmentEnd(i, b->count);
    double zero[SIX] = { 0.0 }, straight[SIX];
    double length = qvSegmentLength(b->knots, i, b->count, b->def->period);
    segment->hold = b->knots[end].kind == qv_motionHold;
    segment->curve.length = length;
    segment->curve.spin = qvScale(1.0 / length, b->whole[i]);
    const double* velocity[2] = { b->velocityAfter + SIX * i, b->velocityBefore + SIX * end };
    const double* acceleration[2] = { b->accelerationAfter + SIX * i, b->accelerationBefore + SIX * end };
    qvVec3 from = b->poses[i].position, to = b->poses[end].position;
    if (b->knots[end].kind == qv_motionLinear)
    {
        qvVec3 turn = qvAdd(b->turn[i], b->whole[i]), way = qvSub(to, from);
        const double row[SIX] = { way.x, way.y, way.z, turn.x, turn.y, turn.z };
        for (int c = 0; c < SIX; c++)
            straight[c] = row[c] / length;
        velocity[0] = velocity[1] = straight;
        acceleration[0] = acceleration[1] = zero;
    }
    qvShapeRigidSegment(&segment->curve, from, to, b->turn[i], velocity, acceleration);
}

static qvResult MakePath(const Build* b, qvFramePath** out, qvError* error)
{
    const qvFramePathDef* def = b->def;
    qvFramePath* path = qvAllocate(1, sizeof(*path));
    *out = path;
    if (path == NULL)
        return qvError_OutOfMemory(error, sizeof(*path));
    size_t n = (size_t)def->count;
    path->count = def->count, path->period = def->period;
    path->ringLambda = def->ringLambda, path->ringDelta = def->ringDelta;
    path->times = qvAllocate(n, sizeof(*path->times));
    path->poses = qvAllocate(n, sizeof(*path->poses));
    path->segments = qvAllocate(n, sizeof(*path->segments));
    if (path->times == NULL || path->poses == NULL || path->segments == NULL)
        return qvError_OutOfMemory(error, (double)n * (sizeof(Segment) + sizeof(qvRigid)));
    for (int i = 0; i < def->count; i++)
    {
        path->times[i] = def->knots[i].knot.time;
        path->poses[i] = b->poses[i];
    }
    for (int i = 0; i < b->segments; i++)
        ShapeSegment(b, i, &path->segments[i]);
    int last = def->count - 1;
    bool arrives = b->before[last] == qv_sideForceFree && b->knots[last].mode == qv_velocityFree && def->count > 1;
    memcpy(path->end, arrives ? b->velocityBefore + SIX * last : def->knots[last].given[1], sizeof(path->end));
    return qv_ok;
}

qvResult qvCreateFramePath(const qvFramePathDef* def, qvFramePath** path, qvError* error)
{
    *path = NULL;
    Build b = { .def = def };
    qvResult result = AllocateBuild(def, &b, error);
    if (result != qv_ok)
        return result;
    FillConditions(&b);
    if (b.segments > 0)
        result = Soften(&b, error);
    if (result == qv_ok && b.segments > 0)
        result = SolveKnots(&b, error);
    if (result == qv_ok)
        result = MakePath(&b, path, error);
    free(b.memory);
    if (result != qv_ok)
    {
        qvDestroyFramePath(*path);
        *path = NULL;
    }
    return result;
}

void qvDestroyFramePath(qvFramePath* path)
{
    if (path == NULL)
        return;
    free(path->times);
    free(path->poses);
    free(path->segments);
    free(path);
}

static qvRigidState InSegment(const qvFramePath* path, int i, double t)
{
    const Segment* segment = &path->segments[i];
    if (segment->hold)
        return qvRigidState_AtRest(&path->poses[i]);
    return qvRigidSegment_Evaluate(&segment->curve, path->poses[i].rotation, t);
}

// After the last knot the frame comes to rest at its pose.
static qvRigidState RingDown(const qvFramePath* path, double t)
{
    double x[SIX][3];
    for (int c = 0; c < SIX; c++)
        qvFreeVibration(path->ringLambda, path->ringDelta, 0.0, 0.0, path->end[c], t, x[c]);
    qvVec3 r[3], p[3];
    for (int k = 0; k < 3; k++)
    {
        p[k] = qvMakeVec3(x[0][k], x[1][k], x[2][k]);
        r[k] = qvMakeVec3(x[3][k], x[4][k], x[5][k]);
    }
    const qvRigid* last = &path->poses[path->count - 1];
    qvRigidState s = { .pose = { qvQuat_Normalize(qvQuat_Multiply(last->rotation, qvQuat_Exp(r[0]))),
                                 qvAdd(last->position, p[0]) },
                       .velocity = p[1],
                       .acceleration = p[2] };
    s.spin = qvRotation_Velocity(r[0], r[1]);
    s.spinRate = qvAdd(qvRotation_Velocity(r[0], r[2]), qvRotation_Bend(r[0], r[1]));
    return s;
}

qvRigid qvFramePath_Pose(const qvFramePath* path, int knot)
{
    return path->poses[knot];
}

qvRigidState qvFramePath_Evaluate(const qvFramePath* path, double time)
{
    int last = path->count - 1;
    if (path->period <= 0.0 && time < path->times[0])
        return qvRigidState_AtRest(&path->poses[0]);
    if (path->period <= 0.0 && time >= path->times[last])
        return RingDown(path, time - path->times[last]);
    double since;
    int segment = qvFindSegment(path->times, path->count, path->period, time, &since);
    return InSegment(path, segment, since);
}
