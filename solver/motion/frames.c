// SPDX-License-Identifier: GPL-3.0-or-later
// Positions in float, for pictures. One frame or many: each block of points of the basis is read once for all of them,
// by the same loops, so that a frame has the same bits alone and in a batch, and for any pool.
#include "motion/positions.h"

#include "base/memory.h"
#include "base/rouse.h"
#include "motion/warp_math.h"

#include <stdlib.h>
#include <string.h>

enum
{
    BATCH = 16 // frames that share one pass over the basis
};

// --- Float ----------------------------------------------------------------------------------------------------------

typedef struct Side
{
    qvReading displacements;        // of the basis; if warped, for each term of the vibration
    qvReading blend;                // of z of the shapes
    qvReading shapes[qv_warpTerms]; // of z of the shapes about which the terms vibrate
    const float* shares;            // [shapeCount]
    qvWarpBlock block;              // what is the same for all blocks
    int shape[qv_warpTerms];
} Side;

typedef struct Frame
{
    const qvMotion* motion;
    int sideCount;
    Side sides[qv_motionSides];
    float rotation[9], position[3];
    float* gaps;                // [3 pinCount] what the pins lack
    double* sums;               // [3 partCount] per side and block: sums of points times their shares of the mass
    double* means;              // [3 partCount] per side: where the mass centres belong; then what they lack
    const double* residuals[2]; // [3 pointCount] what partial keys lack, or NULL
    float residualShare[2];
    qvVec3f* points;
} Frame;

// Affine maps in scaled coordinates to columns of floats in the mesh's units, with a rotation after them or NULL.
static const float* MapsToFloat(const qvWarp* warp, const double* maps, const double* rotation, float* out)
{
    for (int i = 0; i < 4 * warp->body->nodeCount; i++)
    {
        const double* map = maps + 12 * (size_t)(i / 4) + i % 4;
        const double factor = i % 4 == 3 ? 1.0 / warp->scale : 1.0, x[3] = { map[0], map[4], map[8] };
        double y[3] = { 0.0, 0.0, 0.0 };
        if (rotation != NULL)
            qvWarp_AddApplied(factor, rotation, x, y);
        for (int k = 0; k < 3; k++)
            out[4 * i + k] = (float)(rotation != NULL ? y[k] : factor * x[k]);
        out[4 * i + 3] = 0.0f;
    }
    return out;
}

static void WarpSide(const qvMotion* motion, const qvWarpInput* input, const qvWarpMoment* moment,
                     const double rotation[9], float* next, Side* side)
{
    const qvWarp* warp = motion->space->warp;
    size_t maps = qv_warpStride * (size_t)warp->body->nodeCount, read = qvReading_Size(warp->shapeCount);
    side->blend = qvExpander_Plan(&warp->points, 1, input->blend, 1.0 / warp->scale, next);
    next += read;
    for (int m = 0; m < input->termCount; m++)
        side->shapes[m] =
            qvExpander_PlanColumn(&warp->points, input->shape[m], 1.0 / warp->scale, next + (size_t)m * read);
    next += qv_warpTerms * read;
    for (int s = 0; s < warp->shapeCount; s++)
        next[s] = (float)input->blend[0][s];
    side->shares = next;
    next += warp->shapeCount;
    side->block.affines = MapsToFloat(warp, moment->affines[0], rotation, next);
    side->block.termCount = input->termCount;
    for (int m = 0; m < input->termCount; m++)
    {
        side->block.terms[m] = MapsToFloat(warp, moment->terms[m][0], NULL, next + (size_t)(m + 1) * maps);
        side->shape[m] = input->shape[m];
    }
}

static void FindRigid(Frame* frame, double time, double rotation[9])
{
    qvRigidState rigid = qvMotion_FrameState(frame->motion, time);
    qvWarp_Matrix(rigid.pose.rotation, rotation);
    for (int i = 0; i < 9; i++)
        frame->rotation[i] = (float)rotation[i];
    for (int i = 0; i < 3; i++)
        frame->position[i] = (float)(&rigid.pose.position.x)[i];
}

// Everything but the points. scratch: as qvMotion_ScratchSize says.
static void FindFrame(const qvMotion* motion, double time, double* scratch, qvPool* pool, qvVec3f* points, Frame* frame)
{
    motion = qvMotion_SectionAt(motion, &time);
    const qvMotionSpace* space = motion->space;
    qvPositionSizes sizes = qvPositions_Sizes(motion);
    qvMotionState state;
    qvMotion_FindState(motion, time, 0, scratch, pool, &state);
    double* moments = scratch + sizes.state;
    float* next = (float*)(moments + qv_motionSides * sizes.moment + sizes.gaps + sizes.sums);
    size_t row = 3 * qvPositions_PartCount(motion);
    *frame = (Frame){ .motion = motion, .sideCount = motion->weights != NULL ? 2 : 1, .points = points };
    double rotation[9];
    FindRigid(frame, time, rotation);
    for (int i = 0; i < 2 && motion->residuals != NULL; i++)
    {
        frame->residualShare[i] = (float)state.residual[i][0];
        frame->residuals[i] = state.residual[i][0] != 0.0 ? motion->residuals[state.keys[i]] : NULL;
    }
    frame->gaps = (float*)(moments + qv_motionSides * sizes.moment);
    frame->means = moments + qv_motionSides * sizes.moment + sizes.gaps;
    frame->sums = frame->means + qv_motionSides * row;
    for (int i = 0; i < frame->sideCount; i++, next += qvPositions_SideFloats(motion))
    {
        qvWarpInput* input = i == 0 ? &state.input : &state.smoothInput;
        input->fast = true;
        qvWarpMoment moment;
        if (motion->warped)
            qvWarp_Compute(space->warp, input, moments + (size_t)i * sizes.moment, pool, &moment);
        const double* q[qv_warpTerms] = { i == 0 ? state.q[0] : state.smooth[0] };
        for (int m = 0; motion->warped && m < input->termCount; m++)
            q[m] = moment.scaled[m][0];
        frame->sides[i].displacements =
            qvExpander_Plan(&space->expander, motion->warped ? input->termCount : 1, q, 1.0 / space->scale, next);
        if (!motion->warped)
            continue;
        WarpSide(motion, input, &moment, rotation, next + qvReading_Size(space->dimension), &frame->sides[i]);
        for (size_t k = 0; k < row; k++)
            frame->means[(size_t)i * row + k] = moment.means[0][k] / space->scale;
    }
}

typedef struct Run
{
    const Frame* frames;
    int count;
    qvExpandKernel expand;
    qvWarpBlockFcn* warp;
} Run;

// Warps a block of points, part after part; sums receive what they add to the mass centres.
static void WarpBlock(const Run* run, const Frame* frame, int sideIndex, int block, const qvWarpBlock* whole)
{
    const qvWarp* warp = frame->motion->space->warp;
    const qvWarpBody* body = warp->body;
    size_t row = 3 * (size_t)body->partCount, first = (size_t)block * qv_expandPoints;
    double* sums = frame->sums + ((size_t)block * qv_motionSides + (size_t)sideIndex) * row;
    const int32_t* parts = body->pointPart + first;
    memset(sums, 0, row * sizeof(double));
    for (int begin = 0, end; begin < whole->count; begin = end)
    {
        for (end = begin; end < whole->count && parts[end] == parts[begin]; end++)
            continue;
        qvWarpBlock task = *whole;
        size_t at = first + (size_t)begin;
        task.count = end - begin, task.z += 3 * begin, task.points += 3 * begin, task.sum = sums + 3 * parts[begin];
        task.links = &body->links[at][0], task.weights = warp->linkWeights + qv_warpLinks * at;
        task.shares = warp->pointShares + at;
        for (int m = 0; m < task.termCount; m++)
            task.fields[m] += 3 * begin, task.shape[m] += 3 * begin, task.inverse[m] += 9 * at;
        run->warp(&task);
    }
}

// Positions of a block about the pivot in the axes of the world. sum receives the displacements of the linear vibration
// where there are pins to follow them.
static void WarpedSide(const Run* run, const Frame* frame, int sideIndex, int block, int count, float* sum, float* out)
{
    const qvMotionSpace* space = frame->motion->space;
    const qvWarp* warp = space->warp;
    const Side* side = &frame->sides[sideIndex];
    int first = block * qv_expandRows, rows = 3 * count;
    float z[qv_expandBuffer], fields[qv_warpTerms][qv_expandBuffer], shapes[qv_warpTerms][qv_expandBuffer];
    qvWarpBlock task = side->block;
    task.count = count, task.z = z, task.points = out;
    qvExpander_Multiply(&warp->points, &run->expand, &side->blend, 1, first, rows, (float*[]){ z, NULL });
    if (task.termCount > 0)
        qvExpander_Multiply(&space->expander, &run->expand, &side->displacements, task.termCount, first, rows,
                            (float*[]){ fields[0], fields[1] });
    for (int m = 0; m < task.termCount; m++)
    {
        qvExpander_Multiply(&warp->points, &run->expand, &side->shapes[m], 1, first, rows,
                            (float*[]){ shapes[m], NULL });
        task.fields[m] = fields[m], task.shape[m] = shapes[m];
        task.inverse[m] = warp->shapes[side->shape[m]].inverse;
    }
    for (int i = 0; warp->body->pinCount > 0 && i < rows; i++)
    {
        sum[i] = 0.0f;
        for (int m = 0; m < task.termCount; m++)
            sum[i] += fields[m][i];
    }
    WarpBlock(run, frame, sideIndex, block, &task);
}

static void MixFloat(const float* weights, int count, float* a, const float* b)
{
    for (int i = 0; i < 3 * count; i++)
        a[i] = b[i] + weights[i / 3] * (a[i] - b[i]);
}

static void Turn(const float r[9], const float x[3], float out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = r[3 * i] * x[0] + r[3 * i + 1] * x[1] + r[3 * i + 2] * x[2];
}

// What the pins of a block lack to be where the linear motion has them, in the axes of the world.
static void FloatGaps(const Frame* frame, int first, int count, const float* fields, const float* x)
{
    const qvWarp* warp = frame->motion->space->warp;
    const qvWarpBody* body = warp->body;
    for (int pin = 0; pin < body->pinCount; pin++)
    {
        int i = body->pins[pin] - first;
        if (i < 0 || i >= count)
            continue;
        float wanted[3], *gap = frame->gaps + 3 * (size_t)pin;
        for (int c = 0; c < 3; c++)
        {
            double target = 0.0;
            for (int s = 0; s < warp->shapeCount; s++)
                target += (double)frame->sides[0].shares[s] * warp->shapes[s].pins[3 * pin + c];
            wanted[c] = (float)(target / warp->scale) + fields[3 * i + c];
        }
        Turn(frame->rotation, wanted, gap);
        for (int c = 0; c < 3; c++)
            gap[c] -= x[3 * i + c];
    }
}

// What partial keys lack, in the axes of x. Only warped motions have any.
static void AddResiduals(const Frame* frame, int first, int count, float* x)
{
    for (int k = 0; k < 2; k++)
    {
        const double* residual = frame->residuals[k] != NULL ? frame->residuals[k] + 3 * (size_t)first : NULL;
        for (int i = 0; residual != NULL && i < count; i++)
        {
            const double* from = residual + 3 * (size_t)i;
            float share = frame->residualShare[k], turned[3];
            const float own[3] = { share * (float)from[0], share * (float)from[1], share * (float)from[2] };
            Turn(frame->rotation, own, turned);
            for (int c = 0; c < 3; c++)
                x[3 * i + c] += turned[c];
        }
    }
}

// Without the pivot's place.
static void WarpedBlock(const Run* run, const Frame* frame, int block, int first, int count)
{
    float fields[qv_motionSides][qv_expandRows], smooth[qv_expandRows], *x = &frame->points[first].x;
    const qvMotion* motion = frame->motion;
    WarpedSide(run, frame, 0, block, count, fields[0], x);
    if (frame->sideCount > 1)
    {
        WarpedSide(run, frame, 1, block, count, fields[1], smooth);
        MixFloat(motion->weights + first, count, x, smooth);
        if (qvPositions_PinCount(motion) > 0)
            MixFloat(motion->weights + first, count, fields[0], fields[1]);
    }
    FloatGaps(frame, first, count, fields[0], x);
    AddResiduals(frame, first, count, x);
}

static void PlainBlock(const Run* run, const Frame* frame, int block, int first, int count)
{
    const qvMotion* motion = frame->motion;
    const qvExpander* basis = &motion->space->expander;
    const double* arms = motion->space->arms + 3 * (size_t)first;
    float x[qv_motionSides][qv_expandRows];
    for (int i = 0; i < frame->sideCount; i++)
        qvExpander_Multiply(basis, &run->expand, &frame->sides[i].displacements, 1, block * qv_expandRows, 3 * count,
                            (float*[]){ x[i], NULL });
    if (frame->sideCount > 1)
        MixFloat(motion->weights + first, count, x[0], x[1]);
    const float* p = frame->position;
    for (int i = 0; i < count; i++)
    {
        float y[3], turned[3];
        for (int c = 0; c < 3; c++)
            y[c] = x[0][3 * i + c] + (float)arms[3 * i + c];
        Turn(frame->rotation, y, turned);
        frame->points[first + i] = (qvVec3f){ turned[0] + p[0], turned[1] + p[1], turned[2] + p[2] };
    }
}

static void FloatBlocks(void* context, int begin, int end)
{
    const Run* run = context;
    for (int i = 0; i < (end - begin) * run->count; i++)
    {
        const Frame* frame = &run->frames[i % run->count];
        int block = begin + i / run->count, first = block * qv_expandPoints;
        int left = frame->motion->space->pointCount - first, count = left < qv_expandPoints ? left : qv_expandPoints;
        (frame->motion->warped ? WarpedBlock : PlainBlock)(run, frame, block, first, count);
    }
}

static void CloseFloatGaps(const Frame* frame)
{
    const qvWarpBody* body = frame->motion->space->warp->body;
    for (int i = 0; i < body->spreadCount; i++)
    {
        const float *gap = frame->gaps + 3 * (size_t)body->spreads[i].pin, share = (float)body->spreads[i].share;
        qvVec3f* x = &frame->points[body->spreads[i].point];
        x->x += share * gap[0], x->y += share * gap[1], x->z += share * gap[2];
    }
}

// What the mass centres lack, in the world, and the pivot's place.
static void FindShifts(const Frame* frame)
{
    int parts = (int)qvPositions_PartCount(frame->motion), blocks = qvPositions_BlockCount(frame->motion->space);
    const float* r = frame->rotation;
    for (int i = 0; i < frame->sideCount * parts; i++)
    {
        double *mean = frame->means + 3 * (size_t)i, x[3] = { mean[0], mean[1], mean[2] };
        for (int c = 0; c < 3; c++)
            mean[c] = (double)frame->position[c] +
                      ((double)r[3 * c] * x[0] + (double)r[3 * c + 1] * x[1] + (double)r[3 * c + 2] * x[2]);
        for (int block = 0; block < blocks; block++)
        {
            const double* sum =
                frame->sums + 3 * ((size_t)(block * qv_motionSides + i / parts) * (size_t)parts + (size_t)(i % parts));
            for (int c = 0; c < 3; c++)
                mean[c] -= sum[c];
        }
    }
}

static void ShiftFloatParts(void* context, int begin, int end)
{
    const Frame* frame = context;
    const qvWarpBody* body = frame->motion->space->warp->body;
    const float* weights = frame->motion->weights;
    for (int i = begin; i < end; i++)
    {
        const double* mean = frame->means + 3 * (size_t)body->pointPart[i];
        float shift[3] = { (float)mean[0], (float)mean[1], (float)mean[2] }, *x = &frame->points[i].x;
        const double* smooth = mean + 3 * (size_t)body->partCount;
        for (int c = 0; weights != NULL && c < 3; c++)
            shift[c] = (float)(smooth[c] + (double)weights[i] * (mean[c] - smooth[c]));
        x[0] += shift[0], x[1] += shift[1], x[2] += shift[2];
    }
}

static void RunFrames(const Frame* frames, int count, qvPool* pool)
{
    Run run = { frames, count, qvGetExpandKernel(), qvGetWarpKernel().block };
    int pointCount = frames[0].motion->space->pointCount; // of all sections
    qvParallelFor(pool, qvPositions_BlockCount(frames[0].motion->space), 1, FloatBlocks, &run);
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
    qvPool_Rouse(pool);
    FindFrame(motion, time, scratch, pool, positions, &frame);
    RunFrames(&frame, 1, pool);
    qvPool_Rest(pool);
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
