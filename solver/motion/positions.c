// SPDX-License-Identifier: GPL-3.0-or-later
// Positions of all points at any time: from the reduced coordinates directly, or by rotations and strains (warp.h);
// blended with the smooth motion by weights. Here in double with derivatives; in float in frames.c.
#include "motion/positions.h"

#include "base/memory.h"
#include "motion/warp_kernel.h"
#include "motion/warp_math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    REST = 32 // blocks after which the memory of a parked basis is given back
};

qvAffine qvMotion_Frame(const qvMotion* motion, double time)
{
    motion = qvMotion_SectionAt(motion, &time);
    qvRigidState frame = qvMotion_FrameState(motion, time);
    qvAffine out;
    double m[9];
    qvWarp_Matrix(frame.pose.rotation, m);
    memcpy(out.linear, m, sizeof(m));
    out.offset = qvSub(frame.pose.position, qvQuat_Rotate(frame.pose.rotation, motion->space->pivot));
    return out;
}

// --- Scratch --------------------------------------------------------------------------------------------------------

size_t qvPositions_SideFloats(const qvMotion* motion)
{
    size_t read = qvReading_Size(motion->space->dimension);
    if (!motion->warped)
        return read;
    const qvWarp* warp = motion->space->warp;
    return read + (size_t)warp->shapeCount +
           (1 + qv_warpTerms) * (qvReading_Size(warp->shapeCount) + qv_warpStride * (size_t)warp->body->nodeCount);
}

qvPositionSizes qvPositions_Sizes(const qvMotion* motion)
{
    qvPositionSizes sizes = { .state = qvMotion_StateSize(motion) };
    if (motion->warped)
        sizes.moment = qvWarp_MomentSize(motion->space->warp, 2);
    sizes.gaps = 9 * (size_t)qvPositions_PinCount(motion);
    size_t blocks = (size_t)qvPositions_BlockCount(motion->space);
    sizes.sums = qv_motionSides * 3 * qvPositions_PartCount(motion) * (blocks + 1 > 3 ? blocks + 1 : 3);
    sizes.floats = (qv_motionSides * qvPositions_SideFloats(motion) + 1) / 2 + 2;
    sizes.total = sizes.state + qv_motionSides * sizes.moment + sizes.gaps + sizes.sums + sizes.floats;
    return sizes;
}

size_t qvMotion_ScratchSize(const qvMotion* motion)
{
    if (motion->sectionCount > 0)
        return qvMotion_LargestScratch(motion);
    return qvPositions_Sizes(motion).total * sizeof(double);
}

// --- Double ---------------------------------------------------------------------------------------------------------

typedef struct Precise
{
    const qvMotion* motion;
    int order;
    qvMotionState state;
    qvWarpMoment moments[qv_motionSides];
    double* gaps;                   // [3 pinCount] per derivative: what the pins lack
    double* shifts[qv_motionSides]; // [3 partCount] per derivative: what the mass centres of the parts lack
} Precise;

// out = columns of the basis times q, for count rows of the points from first on.
static void ExpandRows(const qvMotionSpace* space, const double* q, size_t first, int count, double* out)
{
    memset(out, 0, (size_t)count * sizeof(double));
    const double* u = space->dimension > 0 ? qvBasis_Vectors(space->basis) + first : NULL;
    for (int c = 0; c < space->dimension; c++, u += 3 * (size_t)space->pointCount)
    {
        for (int i = 0; i < count; i++)
            out[i] += q[c] * u[i];
    }
}

// Positions of a block (scaled, about the pivot) with derivatives; sum receives the displacements of the linear
// vibration.
static void PreciseSide(const Precise* p, int side, int first, int count, double sum[3][qv_expandRows],
                        double out[3][qv_expandRows])
{
    const qvMotionSpace* space = p->motion->space;
    const double* const* q = side == 0 ? p->state.q : p->state.smooth;
    const qvWarpInput* input = side == 0 ? &p->state.input : &p->state.smoothInput;
    for (int k = 0; !p->motion->warped && k <= p->order; k++)
    {
        ExpandRows(space, q[k], 3 * (size_t)first, 3 * count, out[k]);
        for (int i = 0; k == 0 && i < 3 * count; i++)
            out[0][i] += space->scale * space->arms[3 * (size_t)first + (size_t)i];
    }
    if (!p->motion->warped)
        return;
    double fields[qv_warpTerms][3][qv_expandRows];
    const double* in[qv_warpTerms][3] = { { fields[0][0], fields[0][1], fields[0][2] },
                                          { fields[1][0], fields[1][1], fields[1][2] } };
    for (int k = 0; k <= p->order; k++)
    {
        memset(sum[k], 0, 3 * (size_t)count * sizeof(double));
        for (int m = 0; m < input->termCount; m++)
        {
            ExpandRows(space, p->moments[side].scaled[m][k], 3 * (size_t)first, 3 * count, fields[m][k]);
            for (int i = 0; i < 3 * count; i++)
                sum[k][i] += fields[m][k][i];
        }
    }
    double* const to[3] = { out[0], out[1], out[2] };
    qvWarp_Points(space->warp, input, &p->moments[side], first, count, in, to);
    const qvWarpBody* body = space->warp->body;
    for (int k = 0; k <= p->order; k++)
    {
        for (int i = 0; i < 3 * count; i++)
        {
            int point = first + i / 3, part = body->pointPart[point];
            p->shifts[side][3 * (k * body->partCount + part) + i % 3] -= body->pointShare[point] * out[k][i];
        }
    }
}

// a = b + weight (a - b) for every point.
static void Mix(const Precise* p, int first, int count, double a[3][qv_expandRows], double b[3][qv_expandRows])
{
    for (int k = 0; k <= p->order; k++)
    {
        for (int i = 0; i < 3 * count; i++)
            a[k][i] = b[k][i] + (double)p->motion->weights[first + i / 3] * (a[k][i] - b[k][i]);
    }
}

// What the pins of a block lack to be where the linear motion has them.
static void FindGaps(const Precise* p, int first, int count, double fields[3][qv_expandRows],
                     double x[3][qv_expandRows])
{
    const qvWarp* warp = p->motion->space->warp;
    const qvWarpBody* body = warp->body;
    for (int pin = 0; pin < body->pinCount; pin++)
    {
        int i = body->pins[pin] - first;
        if (i < 0 || i >= count)
            continue;
        for (int j = 0; j < 3 * (p->order + 1); j++)
        {
            int k = j / 3, c = j % 3;
            double target = fields[k][3 * i + c];
            for (int s = 0; s < warp->shapeCount; s++)
                target += p->state.input.blend[k][s] * warp->shapes[s].pins[3 * pin + c];
            p->gaps[3 * (k * body->pinCount + pin) + c] = target - x[k][3 * i + c];
        }
    }
}

static qvVec3 Point(const double* points, int i)
{
    return qvMakeVec3(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
}

static void Store(double* points, int i, qvVec3 x)
{
    if (points != NULL)
        points[3 * i] = x.x, points[3 * i + 1] = x.y, points[3 * i + 2] = x.z;
}

// An arm from the pivot with derivatives, in body axes, to the world: without the pivot's own motion.
static void TurnArm(const qvRigidState* frame, int order, qvVec3 arm[3])
{
    qvQuat turn = frame->pose.rotation;
    qvVec3 y = arm[0], dy = arm[1], spin = frame->spin;
    arm[0] = qvQuat_Rotate(turn, y);
    if (order > 0)
        arm[1] = qvQuat_Rotate(turn, qvAdd(dy, qvCross(spin, y)));
    if (order < 2)
        return;
    qvVec3 bent = qvAdd(qvCross(frame->spinRate, y), qvCross(spin, qvCross(spin, y)));
    arm[2] = qvQuat_Rotate(turn, qvAdd(qvMulAdd(bent, 2.0, qvCross(spin, dy)), arm[2]));
}

static void ToWorld(const Precise* p, const qvRigidState* frame, int first, int count, double x[3][qv_expandRows],
                    double* const out[3])
{
    const qvVec3 pivot[3] = { frame->pose.position, frame->velocity, frame->acceleration };
    for (int i = 0; i < count; i++)
    {
        qvVec3 arm[3] = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
        for (int k = 0; k <= p->order; k++)
            arm[k] = qvScale(1.0 / p->motion->space->scale, Point(x[k], i));
        TurnArm(frame, p->order, arm);
        for (int k = 0; k <= p->order; k++)
            Store(out[k], first + i, qvAdd(pivot[k], arm[k]));
    }
}

// What partial keys lack.
static void AddResiduals(const Precise* p, int first, int count, double x[3][qv_expandRows])
{
    for (int i = 0; i < 2 * (p->order + 1); i++)
    {
        int end = i % 2, k = i / 2;
        const double* residual = p->motion->residuals[p->state.keys[end]];
        double share = p->state.residual[end][k] * p->motion->space->scale;
        for (int c = 0; residual != NULL && share != 0.0 && c < 3 * count; c++)
            x[k][c] += share * residual[3 * (size_t)first + (size_t)c];
    }
}

static void PreciseBlock(const Precise* p, const qvRigidState* frame, int block, double* const points[3])
{
    double fields[qv_motionSides][3][qv_expandRows], out[qv_motionSides][3][qv_expandRows];
    int first = block * qv_expandPoints, left = p->motion->space->pointCount - first;
    int count = left < qv_expandPoints ? left : qv_expandPoints;
    PreciseSide(p, 0, first, count, fields[0], out[0]);
    if (p->motion->weights != NULL)
    {
        PreciseSide(p, 1, first, count, fields[1], out[1]);
        Mix(p, first, count, out[0], out[1]);
        if (p->motion->warped)
            Mix(p, first, count, fields[0], fields[1]);
    }
    if (p->motion->warped)
        FindGaps(p, first, count, fields[0], out[0]);
    if (p->motion->residuals != NULL)
        AddResiduals(p, first, count, out[0]);
    ToWorld(p, frame, first, count, out[0], points);
}

static void CloseGaps(const Precise* p, const qvRigidState* frame, double* const points[3])
{
    const qvWarpBody* body = p->motion->space->warp->body;
    for (int i = 0; i < body->spreadCount; i++)
    {
        const qvWarpSpread* spread = &body->spreads[i];
        qvVec3 arm[3] = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
        for (int k = 0; k <= p->order; k++)
            arm[k] = qvScale(spread->share / p->motion->space->scale, Point(p->gaps, k * body->pinCount + spread->pin));
        TurnArm(frame, p->order, arm);
        for (int k = 0; k <= p->order; k++)
        {
            if (points[k] != NULL)
                Store(points[k], spread->point, qvAdd(Point(points[k], spread->point), arm[k]));
        }
    }
}

// The mass centres of parts without pins go where the linear motion has them.
static void StartShifts(Precise* p, double* sums)
{
    size_t row = 3 * qvPositions_PartCount(p->motion);
    for (int side = 0; side < (p->motion->weights != NULL ? qv_motionSides : 1); side++)
    {
        p->shifts[side] = sums + 3 * (size_t)side * row;
        for (int k = 0; k <= p->order; k++)
            memcpy(p->shifts[side] + (size_t)k * row, p->moments[side].means[k], row * sizeof(double));
    }
}

static void ShiftParts(const Precise* p, const qvRigidState* frame, double* const points[3])
{
    const qvMotion* motion = p->motion;
    const qvWarpBody* body = motion->space->warp->body;
    for (int i = 0; i < body->pointCount; i++)
    {
        qvVec3 arm[3] = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
        for (int k = 0; k <= p->order; k++)
        {
            int row = k * body->partCount + body->pointPart[i];
            qvVec3 shift = Point(p->shifts[0], row);
            if (motion->weights != NULL)
            {
                qvVec3 smooth = Point(p->shifts[1], row);
                shift = qvMulAdd(smooth, (double)motion->weights[i], qvSub(shift, smooth));
            }
            arm[k] = qvScale(1.0 / motion->space->scale, shift);
        }
        TurnArm(frame, p->order, arm);
        for (int k = 0; k <= p->order; k++)
        {
            if (points[k] != NULL)
                Store(points[k], i, qvAdd(Point(points[k], i), arm[k]));
        }
    }
}

void qvMotion_Evaluate(const qvMotion* motion, double time, void* scratch, double* positions, double* velocities,
                       double* accelerations)
{
    motion = qvMotion_SectionAt(motion, &time);
    qvPositionSizes sizes = qvPositions_Sizes(motion);
    Precise p = { .motion = motion, .order = accelerations != NULL ? 2 : velocities != NULL ? 1 : 0 };
    double* next = (double*)scratch + sizes.state;
    qvMotion_FindState(motion, time, p.order, scratch, NULL, &p.state);
    if (motion->warped)
        qvWarp_Compute(motion->space->warp, &p.state.input, next, NULL, &p.moments[0]);
    if (motion->warped && motion->weights != NULL)
        qvWarp_Compute(motion->space->warp, &p.state.smoothInput, next + sizes.moment, NULL, &p.moments[1]);
    p.gaps = next + qv_motionSides * sizes.moment;
    if (motion->warped)
        StartShifts(&p, p.gaps + sizes.gaps);
    double* const points[3] = { positions, velocities, accelerations };
    qvRigidState frame = qvMotion_FrameState(motion, time);
    for (int block = 0; block < qvPositions_BlockCount(motion->space); block++)
    {
        PreciseBlock(&p, &frame, block, points);
        if ((block + 1) % REST == 0)
            qvMotionSpace_Rest(motion->space);
    }
    if (!motion->warped)
        return;
    CloseGaps(&p, &frame, points);
    ShiftParts(&p, &frame, points);
}

// --- Partial keys -------------------------------------------------------------------------------------------------

// Where a partial key differs from its shape.
static bool IsApart(const qvMotion* motion, int key)
{
    const qvMotionSpace* space = motion->space;
    const double* q = motion->values + (size_t)key * (size_t)space->dimension;
    const double* center = space->shapes[space->poses[motion->poses[key]].shape].center;
    if (motion->kappa != NULL && motion->kappa[key] < INFINITY)
        return false;
    double largest = 0.0;
    for (int i = 0; i < space->dimension; i++)
        largest = fmax(largest, fabs(q[i] - center[i]));
    return largest > 1e-5;
}

// rest + U q minus what the motion has at the key's time, in body axes. positions: scratch.
static void FindResidual(const qvMotion* motion, int key, double* positions, void* scratch, double* out)
{
    const qvMotionSpace* space = motion->space;
    qvMotion_Evaluate(motion, motion->times[key], scratch, positions, NULL, NULL);
    qvRigidState frame = qvMotion_FrameState(motion, motion->times[key]);
    qvQuat back = qvQuat_Conjugate(frame.pose.rotation);
    const double* q = motion->values + (size_t)key * (size_t)space->dimension;
    for (int first = 0; first < space->pointCount; first += qv_expandPoints)
    {
        int left = space->pointCount - first, count = left < qv_expandPoints ? left : qv_expandPoints;
        double rows[qv_expandRows];
        ExpandRows(space, q, 3 * (size_t)first, 3 * count, rows);
        for (int i = 0; i < count; i++)
        {
            qvVec3 is = qvQuat_Rotate(back, qvSub(Point(positions, first + i), frame.pose.position));
            qvVec3 wanted = qvMulAdd(Point(space->arms, first + i), 1.0 / space->scale, Point(rows, i));
            Store(out, first + i, qvSub(wanted, is));
        }
    }
}

typedef struct Residuals
{
    const qvMotion* motion;
    double** items; // per key; NULL where memory ran out
} Residuals;

static void FindResiduals(void* context, int begin, int end)
{
    const Residuals* run = context;
    size_t size = 3 * (size_t)run->motion->space->pointCount;
    for (int i = begin; i < end; i++)
    {
        if (!IsApart(run->motion, i))
            continue;
        double* out = qvAllocateRaw(size, sizeof(double));
        double* positions = qvAllocateRaw(size, sizeof(double));
        void* scratch = qvAllocateRaw(1, qvMotion_ScratchSize(run->motion));
        if (out != NULL && positions != NULL && scratch != NULL)
        {
            FindResidual(run->motion, i, positions, scratch, out);
            run->items[i] = out;
            out = NULL;
        }
        free(out);
        free(positions);
        free(scratch);
    }
}

qvResult qvMotion_BuildResiduals(qvMotion* motion, qvPool* pool, qvError* error)
{
    int apart = 0, found = 0;
    for (int i = 0; motion->warped && i < motion->keyCount; i++)
        apart += IsApart(motion, i);
    if (apart == 0)
        return qv_ok;
    double** items = qvAllocate((size_t)motion->keyCount, sizeof(*items));
    if (items == NULL)
        return qvError_OutOfMemory(error, (double)motion->keyCount * sizeof(*items));
    Residuals run = { motion, items };
    qvParallelFor(pool, motion->keyCount, 1, FindResiduals, &run);
    motion->residuals = items;
    for (int i = 0; i < motion->keyCount; i++)
        found += items[i] != NULL;
    return found == apart ? qv_ok : qvError_OutOfMemory(error, 3.0 * motion->space->pointCount * sizeof(double));
}
