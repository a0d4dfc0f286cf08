// SPDX-License-Identifier: GPL-3.0-or-later
// Positions of all points at any time: from the reduced coordinates directly, or by rotations and strains (warp.h);
// blended with the smooth motion by weights; in double with derivatives, and in float for pictures. Both work block by
// block, so that many frames read the basis once.
#include "motion/motion.h"

#include "base/assert.h"
#include "base/cpu.h"
#include "base/memory.h"
#include "motion/warp_kernel.h"
#include "motion/warp_math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SIDES = 2, // the motion itself, and the smooth one if there are weights
    BATCH = 16 // frames that share one pass over the basis
};

static int BlockCount(const qvMotionSpace* space)
{
    return (space->pointCount + qv_expandPoints - 1) / qv_expandPoints;
}

static int PinCount(const qvMotion* motion)
{
    return motion->warped ? motion->space->warp->body->pinCount : 0;
}

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

// Numbers of each piece; floats count half.
typedef struct Sizes
{
    size_t state, moment, gaps, sums, floats, total;
} Sizes;

static size_t PartCount(const qvMotion* motion)
{
    return motion->warped ? (size_t)motion->space->warp->body->partCount : 0;
}

// Floats of one side of a frame: coordinates, shares, maps of the nodes.
static size_t SideFloats(const qvMotion* motion)
{
    size_t d = (size_t)motion->space->dimension;
    if (!motion->warped)
        return d;
    const qvWarp* warp = motion->space->warp;
    return qv_warpTerms * d + (size_t)warp->shapeCount +
           (1 + qv_warpTerms) * qv_warpStride * (size_t)warp->body->nodeCount;
}

static Sizes SizesOf(const qvMotion* motion)
{
    Sizes sizes = { .state = qvMotion_StateSize(motion) };
    if (motion->warped)
        sizes.moment = qvWarp_MomentSize(motion->space->warp, 2);
    sizes.gaps = 9 * (size_t)PinCount(motion);
    size_t blocks = (size_t)BlockCount(motion->space);
    sizes.sums = SIDES * 3 * PartCount(motion) * (blocks + 1 > 3 ? blocks + 1 : 3);
    sizes.floats = (SIDES * SideFloats(motion) + 1) / 2 + 2;
    sizes.total = sizes.state + SIDES * sizes.moment + sizes.gaps + sizes.sums + sizes.floats;
    return sizes;
}

size_t qvMotion_ScratchSize(const qvMotion* motion)
{
    if (motion->sectionCount > 0)
        return qvMotion_LargestScratch(motion);
    return SizesOf(motion).total * sizeof(double);
}

// --- Double ---------------------------------------------------------------------------------------------------------

typedef struct Precise
{
    const qvMotion* motion;
    int order;
    qvMotionState state;
    qvWarpMoment moments[SIDES];
    double* gaps;          // [3 pinCount] per derivative: what the pins lack
    double* shifts[SIDES]; // [3 partCount] per derivative: what the mass centres of the parts lack
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

// What soft and partial keys lack.
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
    double fields[SIDES][3][qv_expandRows], out[SIDES][3][qv_expandRows];
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
    size_t row = 3 * PartCount(p->motion);
    for (int side = 0; side < (p->motion->weights != NULL ? SIDES : 1); side++)
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
    Sizes sizes = SizesOf(motion);
    Precise p = { .motion = motion, .order = accelerations != NULL ? 2 : velocities != NULL ? 1 : 0 };
    double* next = (double*)scratch + sizes.state;
    qvMotion_FindState(motion, time, p.order, scratch, &p.state);
    if (motion->warped)
        qvWarp_Compute(motion->space->warp, &p.state.input, next, NULL, &p.moments[0]);
    if (motion->warped && motion->weights != NULL)
        qvWarp_Compute(motion->space->warp, &p.state.smoothInput, next + sizes.moment, NULL, &p.moments[1]);
    p.gaps = next + SIDES * sizes.moment;
    if (motion->warped)
        StartShifts(&p, p.gaps + sizes.gaps);
    double* const points[3] = { positions, velocities, accelerations };
    qvRigidState frame = qvMotion_FrameState(motion, time);
    for (int block = 0; block < BlockCount(motion->space); block++)
        PreciseBlock(&p, &frame, block, points);
    if (!motion->warped)
        return;
    CloseGaps(&p, &frame, points);
    ShiftParts(&p, &frame, points);
}

// --- Soft and partial keys ------------------------------------------------------------------------------------------

// Where the pose of a key differs from its shape.
static bool IsApart(const qvMotion* motion, int key)
{
    const qvMotionSpace* space = motion->space;
    const double* q = motion->smooth.solution.values + (size_t)key * (size_t)space->dimension;
    const double* center = space->shapes[space->poses[motion->poses[key]].shape].center;
    double largest = 0.0;
    for (int i = 0; i < space->dimension; i++)
        largest = fmax(largest, fabs(q[i] - center[i]));
    return largest > 1e-5;
}

// rest + U q minus what the motion has at the key's time, in body axes. work: positions and scratch.
static double* FindResidual(const qvMotion* motion, int key, double* positions, void* scratch)
{
    const qvMotionSpace* space = motion->space;
    double* out = qvAllocateRaw(3 * (size_t)space->pointCount, sizeof(double));
    if (out == NULL)
        return NULL;
    qvMotion_Evaluate(motion, motion->times[key], scratch, positions, NULL, NULL);
    qvRigidState frame = qvMotion_FrameState(motion, motion->times[key]);
    qvQuat back = qvQuat_Conjugate(frame.pose.rotation);
    const double* q = motion->smooth.solution.values + (size_t)key * (size_t)space->dimension;
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
    return out;
}

qvResult qvMotion_BuildResiduals(qvMotion* motion, qvError* error)
{
    int apart = 0;
    for (int i = 0; motion->warped && i < motion->keyCount; i++)
        apart += IsApart(motion, i);
    if (apart == 0)
        return qv_ok;
    size_t size = 3 * (size_t)motion->space->pointCount;
    double** residuals = qvAllocate((size_t)motion->keyCount, sizeof(*residuals));
    double* positions = qvAllocateRaw(size, sizeof(double));
    void* scratch = qvAllocateRaw(1, qvMotion_ScratchSize(motion));
    bool ok = residuals != NULL && positions != NULL && scratch != NULL;
    for (int i = 0; ok && i < motion->keyCount; i++)
    {
        if (!IsApart(motion, i))
            continue;
        residuals[i] = FindResidual(motion, i, positions, scratch);
        ok = residuals[i] != NULL;
    }
    motion->residuals = residuals;
    free(positions);
    free(scratch);
    return ok ? qv_ok : qvError_OutOfMemory(error, (double)size * apart * sizeof(double));
}

// --- Float ----------------------------------------------------------------------------------------------------------

typedef struct Side
{
    const float* q[qv_warpTerms]; // [d] reduced coordinates, or those of each term of the vibration if warped, in the
                                  // mesh's units
    const float* shares;          // [shapeCount]
    qvWarpBlock block;            // what is the same for all blocks
    int shape[qv_warpTerms];
} Side;

typedef struct Frame
{
    const qvMotion* motion;
    int sideCount;
    Side sides[SIDES];
    float rotation[9], position[3];
    float* gaps;                // [3 pinCount] what the pins lack
    double* sums;               // [3 partCount] per side and block: sums of points times their shares of the mass
    double* means;              // [3 partCount] per side: where the mass centres belong; then what they lack
    const double* residuals[2]; // [3 pointCount] what soft and partial keys lack, or NULL
    float residualShare[2];
    qvVec3f* points;
} Frame;

// Affine maps in scaled coordinates to rows of floats in the mesh's units.
static const float* MapsToFloat(const qvWarp* warp, const double* maps, float* out)
{
    for (int c = 0; c < warp->body->nodeCount; c++)
    {
        for (int k = 0; k < qv_warpStride; k++)
            out[qv_warpStride * c + k] =
                k >= 12 ? 0.0f : (float)(k % 4 == 3 ? maps[12 * c + k] / warp->scale : maps[12 * c + k]);
    }
    return out;
}

static void WarpSide(const qvMotion* motion, const qvWarpInput* input, const qvWarpMoment* moment, float* next,
                     Side* side)
{
    const qvWarp* warp = motion->space->warp;
    size_t maps = qv_warpStride * (size_t)warp->body->nodeCount;
    for (int s = 0; s < warp->shapeCount; s++)
        next[s] = (float)input->blend[0][s];
    side->shares = next;
    next += warp->shapeCount;
    side->block.affines = MapsToFloat(warp, moment->affines[0], next);
    side->block.termCount = input->termCount;
    for (int m = 0; m < input->termCount; m++)
    {
        side->block.terms[m] = MapsToFloat(warp, moment->terms[m][0], next + (size_t)(m + 1) * maps);
        side->shape[m] = input->shape[m];
    }
}

// Everything but the points. scratch: as qvMotion_ScratchSize says.
static void FindFrame(const qvMotion* motion, double time, double* scratch, qvPool* pool, qvVec3f* points, Frame* frame)
{
    motion = qvMotion_SectionAt(motion, &time);
    const qvMotionSpace* space = motion->space;
    Sizes sizes = SizesOf(motion);
    qvMotionState state;
    qvMotion_FindState(motion, time, 0, scratch, &state);
    double* moments = scratch + sizes.state;
    float* next = (float*)(moments + SIDES * sizes.moment + sizes.gaps + sizes.sums);
    size_t row = 3 * PartCount(motion);
    *frame = (Frame){ .motion = motion, .sideCount = motion->weights != NULL ? 2 : 1, .points = points };
    for (int i = 0; i < 2 && motion->residuals != NULL; i++)
    {
        frame->residualShare[i] = (float)state.residual[i][0];
        frame->residuals[i] = state.residual[i][0] != 0.0 ? motion->residuals[state.keys[i]] : NULL;
    }
    frame->gaps = (float*)(moments + SIDES * sizes.moment);
    frame->means = moments + SIDES * sizes.moment + sizes.gaps;
    frame->sums = frame->means + SIDES * row;
    for (int i = 0; i < frame->sideCount; i++, next += SideFloats(motion))
    {
        const qvWarpInput* input = i == 0 ? &state.input : &state.smoothInput;
        qvWarpMoment moment;
        if (motion->warped)
            qvWarp_Compute(space->warp, input, moments + (size_t)i * sizes.moment, pool, &moment);
        for (int m = 0; m < (motion->warped ? input->termCount : 1); m++)
        {
            const double* q = motion->warped ? moment.scaled[m][0] : i == 0 ? state.q[0] : state.smooth[0];
            float* out = next + (size_t)m * (size_t)space->dimension;
            for (int c = 0; c < space->dimension; c++)
                out[c] = (float)(q[c] / space->scale);
            frame->sides[i].q[m] = out;
        }
        if (!motion->warped)
            continue;
        WarpSide(motion, input, &moment, next + qv_warpTerms * (size_t)space->dimension, &frame->sides[i]);
        for (size_t k = 0; k < row; k++)
            frame->means[(size_t)i * row + k] = moment.means[0][k] / space->scale;
    }
    qvRigidState rigid = qvMotion_FrameState(motion, time);
    double m[9];
    qvWarp_Matrix(rigid.pose.rotation, m);
    for (int i = 0; i < 9; i++)
        frame->rotation[i] = (float)m[i];
    for (int i = 0; i < 3; i++)
        frame->position[i] = (float)(&rigid.pose.position.x)[i];
}

typedef struct Run
{
    const Frame* frames;
    int count;
    qvExpandKernel expand;
    qvWarpBlockFcn* warp;
} Run;

// Positions of a block in body axes about the pivot. sum receives the displacements of the linear vibration.
static void FloatSide(const Run* run, const Frame* frame, const Side* side, int block, int count, float* sum,
                      float* out)
{
    const qvMotionSpace* space = frame->motion->space;
    const qvExpander* e = &space->expander;
    const float* columns = e->basis + (size_t)block * (size_t)e->dimension * qv_expandRows;
    if (!frame->motion->warped)
    {
        memcpy(out, e->arms + (size_t)block * qv_expandRows, qv_expandRows * sizeof(float));
        run->expand.one(columns, side->q[0], e->dimension, out);
        return;
    }
    const qvWarp* warp = space->warp;
    const float* points = warp->points + (size_t)block * (size_t)warp->shapeCount * qv_expandRows;
    size_t first = (size_t)block * qv_expandPoints;
    float fields[qv_warpTerms][qv_expandRows];
    memset(sum, 0, qv_expandRows * sizeof(float));
    memset(out, 0, qv_expandRows * sizeof(float));
    run->expand.one(points, side->shares, warp->shapeCount, out);
    qvWarpBlock task = side->block;
    task.count = count, task.points = out;
    task.links = &warp->body->links[first][0], task.weights = warp->linkWeights + qv_warpLinks * first;
    float* const both[2] = { fields[0], fields[1] };
    memset(fields, 0, sizeof(fields));
    if (task.termCount == 2)
        run->expand.two(columns, side->q, e->dimension, both);
    else if (task.termCount == 1)
        run->expand.one(columns, side->q[0], e->dimension, fields[0]);
    for (int m = 0; m < task.termCount; m++)
    {
        for (int i = 0; i < qv_expandRows; i++)
            sum[i] += fields[m][i];
        task.fields[m] = fields[m];
        task.shape[m] = points + (size_t)side->shape[m] * qv_expandRows;
        task.inverse[m] = warp->shapes[side->shape[m]].inverse + 9 * first;
    }
    run->warp(&task);
}

// The sums of a block for the mass centres of the parts.
static void SumParts(const Frame* frame, int side, int block, int count, const float* x)
{
    const qvWarpBody* body = frame->motion->space->warp->body;
    size_t row = 3 * (size_t)body->partCount, first = (size_t)block * qv_expandPoints;
    double* sums = frame->sums + ((size_t)block * SIDES + (size_t)side) * row;
    memset(sums, 0, row * sizeof(double));
    for (int i = 0; i < count; i++)
    {
        double share = body->pointShare[first + (size_t)i], *sum = sums + 3 * body->pointPart[first + (size_t)i];
        sum[0] += share * (double)x[3 * i];
        sum[1] += share * (double)x[3 * i + 1];
        sum[2] += share * (double)x[3 * i + 2];
    }
}

static void MixFloat(const float* weights, int count, float* a, const float* b)
{
    for (int i = 0; i < 3 * count; i++)
        a[i] = b[i] + weights[i / 3] * (a[i] - b[i]);
}

static void FloatGaps(const Frame* frame, int first, int count, const float* fields, const float* x)
{
    const qvWarp* warp = frame->motion->space->warp;
    const qvWarpBody* body = warp->body;
    for (int pin = 0; pin < body->pinCount; pin++)
    {
        int i = body->pins[pin] - first;
        if (i < 0 || i >= count)
            continue;
        for (int c = 0; c < 3; c++)
        {
            double target = 0.0;
            for (int s = 0; s < warp->shapeCount; s++)
                target += (double)frame->sides[0].shares[s] * warp->shapes[s].pins[3 * pin + c];
            frame->gaps[3 * pin + c] = (float)(target / warp->scale) + fields[3 * i + c] - x[3 * i + c];
        }
    }
}

static void FloatBlock(const Run* run, const Frame* frame, int block)
{
    float fields[SIDES][qv_expandRows], x[SIDES][qv_expandRows];
    const qvMotion* motion = frame->motion;
    const float *r = frame->rotation, *p = frame->position;
    int first = block * qv_expandPoints, left = motion->space->pointCount - first;
    int count = left < qv_expandPoints ? left : qv_expandPoints;
    for (int i = 0; i < frame->sideCount; i++)
    {
        FloatSide(run, frame, &frame->sides[i], block, count, fields[i], x[i]);
        if (motion->warped)
            SumParts(frame, i, block, count, x[i]);
    }
    if (frame->sideCount > 1)
    {
        MixFloat(motion->weights + first, count, x[0], x[1]);
        if (motion->warped)
            MixFloat(motion->weights + first, count, fields[0], fields[1]);
    }
    if (motion->warped)
        FloatGaps(frame, first, count, fields[0], x[0]);
    for (int i = 0; i < 2; i++)
    {
        const double* residual = frame->residuals[i] != NULL ? frame->residuals[i] + 3 * (size_t)first : NULL;
        for (int c = 0; residual != NULL && c < 3 * count; c++)
            x[0][c] += frame->residualShare[i] * (float)residual[c];
    }
    for (int i = 0; i < count; i++)
    {
        const float* y = x[0] + 3 * (size_t)i;
        frame->points[first + i] =
            (qvVec3f){ r[0] * y[0] + r[1] * y[1] + r[2] * y[2] + p[0], r[3] * y[0] + r[4] * y[1] + r[5] * y[2] + p[1],
                       r[6] * y[0] + r[7] * y[1] + r[8] * y[2] + p[2] };
    }
}

static void FloatBlocks(void* context, int begin, int end)
{
    const Run* run = context;
    for (int block = begin; block < end; block++)
    {
        for (int i = 0; i < run->count; i++)
            FloatBlock(run, &run->frames[i], block);
    }
}

static void CloseFloatGaps(const Frame* frame)
{
    const qvWarpBody* body = frame->motion->space->warp->body;
    const float* r = frame->rotation;
    for (int i = 0; i < body->spreadCount; i++)
    {
        const float *g = frame->gaps + 3 * (size_t)body->spreads[i].pin, share = (float)body->spreads[i].share;
        qvVec3f* x = &frame->points[body->spreads[i].point];
        x->x += share * (r[0] * g[0] + r[1] * g[1] + r[2] * g[2]);
        x->y += share * (r[3] * g[0] + r[4] * g[1] + r[5] * g[2]);
        x->z += share * (r[6] * g[0] + r[7] * g[1] + r[8] * g[2]);
    }
}

// What the mass centres lack, in the world.
static void FindShifts(const Frame* frame)
{
    int parts = (int)PartCount(frame->motion), blocks = BlockCount(frame->motion->space);
    const float* r = frame->rotation;
    for (int i = 0; i < frame->sideCount * parts; i++)
    {
        double *mean = frame->means + 3 * (size_t)i, x[3] = { mean[0], mean[1], mean[2] };
        for (int block = 0; block < blocks; block++)
        {
            const double* sum =
                frame->sums + 3 * ((size_t)(block * SIDES + i / parts) * (size_t)parts + (size_t)(i % parts));
            for (int c = 0; c < 3; c++)
                x[c] -= sum[c];
        }
        for (int c = 0; c < 3; c++)
            mean[c] = (double)r[3 * c] * x[0] + (double)r[3 * c + 1] * x[1] + (double)r[3 * c + 2] * x[2];
    }
}

static void ShiftFloatParts(void* context, int begin, int end)
{
    const Frame* frame = context;
    const qvWarpBody* body = frame->motion->space->warp->body;
    const float* weights = frame->motion->weights;
    for (int i = begin; i < end; i++)
    {
        const double* shift = frame->means + 3 * (size_t)body->pointPart[i];
        const double *smooth = shift + 3 * (size_t)body->partCount, w = weights != NULL ? (double)weights[i] : 1.0;
        float* x = &frame->points[i].x;
        for (int c = 0; c < 3; c++)
            x[c] += (float)(weights != NULL ? smooth[c] + w * (shift[c] - smooth[c]) : shift[c]);
    }
}

static void RunFrames(const Frame* frames, int count, qvPool* pool)
{
    Run run = { frames, count, qvGetExpandKernel(), qvWarpBlock_Portable };
    qvCpuLevel level = qvGetCpuLevel();
    if (level >= qv_cpuAvx2)
        run.warp = level >= qv_cpuAvx512 ? qvWarpBlock_Avx512 : qvWarpBlock_Avx2;
    int pointCount = frames[0].motion->space->pointCount; // of all sections
    qvParallelFor(pool, BlockCount(frames[0].motion->space), 4, FloatBlocks, &run);
    for (int i = 0; i < count; i++)
    {
        if (!frames[i].motion->warped)
            continue;
        CloseFloatGaps(&frames[i]);
        FindShifts(&frames[i]);
        qvParallelFor(pool, pointCount, 4096, ShiftFloatParts, (void*)&frames[i]);
    }
}

void qvMotion_EvaluateFloat(const qvMotion* motion, double time, void* scratch, qvPool* pool, qvVec3f* positions)
{
    Frame frame;
    FindFrame(motion, time, scratch, pool, positions, &frame);
    RunFrames(&frame, 1, pool);
}

// --- Many frames ----------------------------------------------------------------------------------------------------

typedef struct Batch
{
    const qvMotion* motion;
    const double* times;
    double* scratch; // for BATCH frames
    size_t size;     // numbers of one
    qvVec3f* points;
    Frame frames[BATCH];
} Batch;

static void FindFrames(void* context, int begin, int end)
{
    Batch* batch = context;
    for (int i = begin; i < end; i++)
        FindFrame(batch->motion, batch->times[i], batch->scratch + (size_t)i * batch->size, NULL,
                  batch->points + (size_t)i * (size_t)batch->motion->space->pointCount, &batch->frames[i]);
}

qvResult qvMotion_EvaluateFrames(const qvMotion* motion, const double* times, int timeCount, qvPool* pool,
                                 qvVec3f* frames, qvError* error)
{
    size_t size = qvMotion_ScratchSize(motion) / sizeof(double);
    Batch* batch = qvAllocate(1, sizeof(*batch));
    double* scratch = qvAllocateRaw(BATCH * size, sizeof(double));
    qvResult result = qv_ok;
    if (batch == NULL || scratch == NULL)
        result = qvError_OutOfMemory(error, BATCH * (double)size * sizeof(double));
    for (int first = 0; result == qv_ok && first < timeCount; first += BATCH)
    {
        int count = timeCount - first < BATCH ? timeCount - first : BATCH;
        *batch = (Batch){ .motion = motion, .times = times + first, .scratch = scratch, .size = size };
        batch->points = frames + (size_t)first * (size_t)motion->space->pointCount;
        qvParallelFor(pool, count, 1, FindFrames, batch);
        RunFrames(batch->frames, count, pool);
    }
    free(scratch);
    free(batch);
    return result;
}
