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
#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SIX = 6, // three of the pivot, three of the rotation
    PASSES = 12,
};

static const double PI = 3.14159265358979323846;

typedef struct Segment
{
    double length;        // seconds
    bool hold;            // stays at its start
    double shape[SIX][6]; // coefficients of powers of the time since the start; rotations: r(t)
    qvVec3 spin;          // whole turns per second, times 2 pi, about their axis
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
    return qvScale(2.0 * PI * round((qvDot(desired, axis) - qvDot(way, axis)) / (2.0 * PI)), axis);
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
        b->whole[i] = qvScale(2.0 * PI * b->def->knots[end].turns, axis);
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

// The quintic with value, slope and second derivative p, v, a at 0 and q, w, z at T.
static void Quintic(double length, const double start[3], const double end[3], double c[6])
{
    double t = length, t2 = t * t;
    double rise = end[0] - start[0] - (start[1] + 0.5 * start[2] * t) * t;
    double slope = (end[1] - start[1] - start[2] * t) * t;
    double bend = (end[2] - start[2]) * t2;
    c[0] = start[0], c[1] = start[1], c[2] = 0.5 * start[2];
    c[3] = (10.0 * rise - 4.0 * slope + 0.5 * bend) / (t2 * t);
    c[4] = (-15.0 * rise + 7.0 * slope - bend) / (t2 * t2);
    c[5] = (6.0 * rise - 3.0 * slope + 0.5 * bend) / (t2 * t2 * t);
}

// r(t) of a segment from angular velocities and accelerations at its ends. About the whole turns' spin s:
// omega = R(r)^T s + J(r) r', and s has the direction of r at both ends.
static void RotationShape(Segment* segment, qvVec3 turn, const double* velocity[2], const double* acceleration[2])
{
    qvVec3 s = segment->spin, rate[2], second[2];
    for (int side = 0; side < 2; side++)
    {
        qvVec3 r = side == 0 ? qvMakeVec3(0.0, 0.0, 0.0) : turn;
        qvVec3 omega = qvSub(Triple(velocity[side] + 3), s);
        rate[side] = qvRotation_Rate(r, omega);
        qvVec3 rest = qvAdd(Triple(acceleration[side] + 3), qvCross(omega, s));
        second[side] = qvRotation_Rate(r, qvSub(rest, qvRotation_Bend(r, rate[side])));
    }
    const double *v0 = &rate[0].x, *v1 = &rate[1].x, *a0 = &second[0].x, *a1 = &second[1].x, *way = &turn.x;
    for (int c = 0; c < 3; c++)
    {
        double start[3] = { 0.0, v0[c], a0[c] }, end[3] = { way[c], v1[c], a1[c] };
        Quintic(segment->length, start, end, segment->shape[3 + c]);
    }
}

static void ShapeSegment(const Build* b, int i, Segment* segment)
{
    int end = qvSegmentEnd(i, b->count);
    double zero[SIX] = { 0.0 }, straight[SIX];
    segment->length = qvSegmentLength(b->knots, i, b->count, b->def->period);
    segment->hold = b->knots[end].kind == qv_motionHold;
    segment->spin = qvScale(1.0 / segment->length, b->whole[i]);
    const double* velocity[2] = { b->velocityAfter + SIX * i, b->velocityBefore + SIX * end };
    const double* acceleration[2] = { b->accelerationAfter + SIX * i, b->accelerationBefore + SIX * end };
    const double* from = &b->poses[i].position.x;
    const double* to = &b->poses[end].position.x;
    if (b->knots[end].kind == qv_motionLinear)
    {
        qvVec3 turn = qvAdd(b->turn[i], b->whole[i]);
        const double* way = &turn.x;
        for (int c = 0; c < SIX; c++)
            straight[c] = (c < 3 ? to[c] - from[c] : way[c - 3]) / segment->length;
        velocity[0] = velocity[1] = straight;
        acceleration[0] = acceleration[1] = zero;
    }
    for (int c = 0; c < 3; c++)
    {
        double first[3] = { from[c], velocity[0][c], acceleration[0][c] };
        double last[3] = { to[c], velocity[1][c], acceleration[1][c] };
        Quintic(segment->length, first, last, segment->shape[c]);
    }
    RotationShape(segment, b->turn[i], velocity, acceleration);
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

// Value and two derivatives of a row's polynomials.
static void Powers(const Segment* segment, int first, double t, qvVec3 out[3])
{
    double x[3][3];
    for (int k = 0; k < 3; k++)
    {
        const double* c = segment->shape[first + k];
        x[0][k] = c[0] + t * (c[1] + t * (c[2] + t * (c[3] + t * (c[4] + t * c[5]))));
        x[1][k] = c[1] + t * (2.0 * c[2] + t * (3.0 * c[3] + t * (4.0 * c[4] + t * 5.0 * c[5])));
        x[2][k] = 2.0 * c[2] + t * (6.0 * c[3] + t * (12.0 * c[4] + t * 20.0 * c[5]));
    }
    for (int k = 0; k < 3; k++)
        out[k] = Triple(x[k]);
}

static qvRigidState AtRest(const qvRigid* pose)
{
    qvVec3 zero = { 0.0, 0.0, 0.0 };
    return (qvRigidState){ *pose, zero, zero, zero, zero };
}

static qvRigidState InSegment(const qvFramePath* path, int i, double t)
{
    const Segment* segment = &path->segments[i];
    if (segment->hold)
        return AtRest(&path->poses[i]);
    qvVec3 x[3], r[3];
    Powers(segment, 0, t, x);
    Powers(segment, 3, t, r);
    qvQuat inner = qvQuat_Exp(r[0]), back = qvQuat_Conjugate(inner);
    qvQuat spun = qvQuat_Multiply(path->poses[i].rotation, qvQuat_Exp(qvScale(t, segment->spin)));
    qvRigidState s = { .pose = { qvQuat_Normalize(qvQuat_Multiply(spun, inner)), x[0] },
                       .velocity = x[1],
                       .acceleration = x[2] };
    qvVec3 seen = qvQuat_Rotate(back, segment->spin), own = qvRotation_Velocity(r[0], r[1]);
    s.spin = qvAdd(seen, own);
    s.spinRate = qvAdd(qvRotation_Velocity(r[0], r[2]), qvRotation_Bend(r[0], r[1]));
    s.spinRate = qvAdd(s.spinRate, qvCross(seen, own));
    return s;
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
        return AtRest(&path->poses[0]);
    if (path->period <= 0.0 && time >= path->times[last])
        return RingDown(path, time - path->times[last]);
    double since;
    int segment = qvFindSegment(path->times, path->count, path->period, time, &since);
    return InSegment(path, segment, since);
}
