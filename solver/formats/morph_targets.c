// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/morph_targets.h"

#include "base/memory.h"
#include "math/affine.h"
#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    TESTED_VERTICES = 512, // those that choose cubic keys; all are measured afterwards
};

static size_t CoordinateCount(const qvMorphTargets* targets)
{
    return 3 * (size_t)targets->task->mesh->vertexCount;
}

// --- The rigid motion --------------------------------------------------------------------------------------------

// Translation and rotation as floats, with the sign of the rotation that is closer to the one before.
static void PutRigid(const qvAffine* map, qvVec3f pivot, const float* before, float out[7])
{
    qvQuat q = qvQuat_FromMatrix(map->linear);
    qvVec3 place = qvAffine_Point(map, qvVec3_FromFloat(pivot));
    double sign = 1.0;
    if (before != NULL)
        sign = before[3] * q.x + before[4] * q.y + before[5] * q.z + before[6] * q.w < 0.0 ? -1.0 : 1.0;
    const double numbers[7] = { place.x, place.y, place.z, sign * q.x, sign * q.y, sign * q.z, sign * q.w };
    for (int i = 0; i < 7; i++)
        out[i] = (float)numbers[i];
}

static qvAffine MapOf(const double* numbers)
{
    qvQuat q = qvQuat_Normalize((qvQuat){ numbers[3], numbers[4], numbers[5], numbers[6] });
    return qvAffine_FromParts(qvMakeVec3(numbers[0], numbers[1], numbers[2]), q, qvMakeVec3(1.0, 1.0, 1.0));
}

// The map that floats say, with the pivot taken off first.
static qvAffine PivotedMap(const qvMorphTargets* targets, const double* numbers)
{
    qvAffine map = MapOf(numbers);
    qvVec3 pivot = qvAffine_Vector(&map, qvVec3_FromFloat(targets->pivot));
    map.offset = qvSub(map.offset, pivot);
    return map;
}

// What is only rounding becomes part of the deformation.
static void LookForMotion(qvMorphTargets* targets)
{
    const qvAnimation* animation = targets->task->animation;
    double least = 1e-7 * targets->task->report->diagonal;
    for (int k = 0; k < animation->frameCount && animation->rigid != NULL; k++)
    {
        const qvAffine* map = &animation->rigid[k];
        for (int i = 0; i < 9; i++)
            targets->turns |= fabs(map->linear[i / 3][i % 3] - (i % 4 == 0)) > 1e-7;
        targets->moves |= qvLength(map->offset) > least;
    }
    targets->moves |= targets->turns;
    qvBox box = targets->task->mesh->bounds;
    if (targets->turns)
        targets->pivot = (qvVec3f){ 0.5f * (box.lower.x + box.upper.x), 0.5f * (box.lower.y + box.upper.y),
                                    0.5f * (box.lower.z + box.upper.z) };
}

static void FindRigid(qvMorphTargets* targets)
{
    const qvAnimation* animation = targets->task->animation;
    LookForMotion(targets);
    const qvAffine none = qvAffine_Identity();
    for (int k = 0; k < animation->frameCount; k++)
    {
        float* numbers = targets->rigid + 7 * (size_t)k;
        PutRigid(targets->moves ? &animation->rigid[k] : &none, targets->pivot, k > 0 ? numbers - 7 : NULL, numbers);
    }
    int last = animation->frameCount - 1;
    if (!animation->loop || last == 0)
        return;
    // The same place again, to the last bit; after an odd number of turns the other sign of the same rotation.
    float *end = targets->rigid + 7 * (size_t)last, *start = targets->rigid;
    float dot = end[3] * start[3] + end[4] * start[4] + end[5] * start[5] + end[6] * start[6];
    for (int i = 0; i < 7; i++)
        end[i] = i >= 3 && dot < 0.0f ? -start[i] : start[i];
}

// --- Displacements -----------------------------------------------------------------------------------------------

typedef struct Removal
{
    qvMorphTargets* targets;
    const qvAffine* bindMaps;
} Removal;

static void RemoveRigidFrame(const qvMorphTargets* targets, int frame, float* out)
{
    const qvMesh* mesh = targets->task->mesh;
    const qvVec3f* in = qvExportTask_Frame(targets->task, frame);
    double numbers[7];
    for (int i = 0; i < 7; i++)
        numbers[i] = targets->rigid[7 * (size_t)frame + (size_t)i];
    qvAffine map = PivotedMap(targets, numbers), inverse;
    if (!qvAffine_Invert(&map, &inverse))
        inverse = qvAffine_Identity();
    for (int i = 0; i < mesh->vertexCount; i++)
    {
        qvVec3 x = qvVec3_FromFloat(in[i]);
        x = targets->moves ? qvAffine_Point(&inverse, x) : x;
        qvVec3f d = qvVec3_ToFloat(qvSub(x, qvVec3_FromFloat(mesh->positions[i])));
        memcpy(out + 3 * (size_t)i, &d, sizeof(d));
    }
}

static void RemoveRigid(void* context, int begin, int end)
{
    const Removal* removal = context;
    qvMorphTargets* targets = removal->targets;
    for (int k = begin; k < end; k++)
    {
        float* out = targets->displacements + (size_t)k * CoordinateCount(targets);
        if (removal->bindMaps == NULL)
        {
            RemoveRigidFrame(targets, k, out);
            continue;
        }
        const qvVec3f* in = qvExportTask_Frame(targets->task, k);
        for (int i = 0; i < targets->task->mesh->vertexCount; i++)
        {
            qvVec3f d = qvVec3_ToFloat(qvAffine_Vector(&removal->bindMaps[i], qvVec3_FromFloat(in[i])));
            memcpy(out + 3 * (size_t)i, &d, sizeof(d));
        }
    }
}

static qvResult StartFrames(qvMorphTargets* targets, const qvExportTask* task, const qvAffine* bindMaps, qvError* error)
{
    int frames = task->animation->frameCount;
    *targets = (qvMorphTargets){ .task = task };
    targets->rigid = qvAllocate((size_t)frames, 7 * sizeof(float));
    targets->displacements = qvAllocateRaw((size_t)frames * CoordinateCount(targets), sizeof(float));
    if (targets->rigid == NULL || targets->displacements == NULL)
        return qvError_OutOfMemory(error, (double)frames * (double)CoordinateCount(targets) * sizeof(float));
    FindRigid(targets);
    Removal removal = { targets, bindMaps };
    qvParallelFor(qvJob_Pool(task->options.job), frames, 4, RemoveRigid, &removal);
    targets->frames = (qvMorphFrames){ frames, task->mesh->vertexCount, targets->displacements };
    return qv_ok;
}

qvResult qvMorphTargets_Start(qvMorphTargets* targets, const qvExportTask* task, const qvAffine* bindMaps,
                              qvError* error)
{
    qvResult result = StartFrames(targets, task, bindMaps, error);
    if (result == qv_ok)
        result = qvJob_Progress(task->options.job, "finding shapes", 0.1, error);
    if (result == qv_ok && !task->options.perFrame)
        result = qvCreateMorphSpace(&targets->frames, task->options.maxTargets != 1, task->options.job, &targets->space,
                                    error);
    return result;
}

static void FreeChoice(qvMorphTargets* targets)
{
    qvClipCurves_Free(&targets->curves);
    free(targets->low);
    free(targets->range);
    free(targets->weights);
    targets->low = targets->range = NULL;
    targets->weights = NULL;
}

void qvMorphTargets_Free(qvMorphTargets* targets)
{
    FreeChoice(targets);
    qvDestroyMorphSpace(targets->space);
    free(targets->rigid);
    free(targets->displacements);
}

void qvMorphTargets_DropShapes(qvMorphTargets* targets)
{
    if (targets->space == NULL)
        return;
    free(targets->space->shapes);
    targets->space->shapes = NULL;
    targets->space->rank = 0;
}

void qvMorphTargets_DropFrames(qvMorphTargets* targets)
{
    free(targets->displacements);
    targets->displacements = NULL;
    targets->frames.values = NULL;
}

// --- Curves ------------------------------------------------------------------------------------------------------

static void FillCurves(qvMorphTargets* targets)
{
    qvClipCurves* curves = &targets->curves;
    int frames = curves->frameCount;
    for (int k = 0; k < frames; k++)
    {
        double* values = curves->values + (size_t)k * (size_t)curves->width;
        for (int i = 0; i < 7; i++)
            values[i] = targets->rigid[7 * (size_t)k + (size_t)i];
        for (int i = 0; i < targets->rank; i++)
            values[QV_CLIP_SHAPES + i] = targets->space->coordinates[(size_t)i * (size_t)frames + (size_t)k];
    }
    if (targets->task->animation->loop && frames > 1)
        memcpy(curves->values + (size_t)(frames - 1) * (size_t)curves->width + QV_CLIP_SHAPES,
               curves->values + QV_CLIP_SHAPES, (size_t)targets->rank * sizeof(double));
}

// The error of a frame, measured at some of the vertices.
static double MeasureFrame(void* context, int frame, const double* values)
{
    const qvMorphTargets* targets = context;
    const qvMesh* mesh = targets->task->mesh;
    int step = mesh->vertexCount / TESTED_VERTICES + 1;
    qvAffine shown = PivotedMap(targets, values),
             meant = PivotedMap(targets, targets->curves.values + (size_t)frame * (size_t)targets->curves.width);
    const float* exact = targets->displacements + (size_t)frame * CoordinateCount(targets);
    double worst = 0.0;
    for (int v = 0; v < mesh->vertexCount; v += step)
    {
        double d[3];
        for (int k = 0; k < 3; k++)
            d[k] = targets->space->mean[3 * (size_t)v + (size_t)k];
        for (int i = 0; i < targets->rank; i++)
        {
            const float* shape = targets->space->shapes + (size_t)i * CoordinateCount(targets) + 3 * (size_t)v;
            for (int k = 0; k < 3; k++)
                d[k] += values[QV_CLIP_SHAPES + i] * shape[k];
        }
        qvVec3 rest = qvVec3_FromFloat(mesh->positions[v]);
        const float* e = exact + 3 * (size_t)v;
        qvVec3 a = qvAffine_Point(&shown, qvAdd(rest, qvMakeVec3(d[0], d[1], d[2])));
        qvVec3 b = qvAffine_Point(&meant, qvAdd(rest, qvMakeVec3(e[0], e[1], e[2])));
        worst = fmax(worst, qvDistance(a, b));
    }
    return worst;
}

static qvResult MakeCurves(qvMorphTargets* targets, double cubicTolerance, qvError* error)
{
    const qvExportTask* task = targets->task;
    int frames = task->animation->frameCount, width = QV_CLIP_SHAPES + targets->rank;
    if (!qvClipCurves_Start(&targets->curves, frames, task->times, width))
        return qvError_OutOfMemory(error, (double)frames * width * 5 * sizeof(double));
    FillCurves(targets);
    if (cubicTolerance > 0.0 && targets->space != NULL &&
        !qvClipCurves_UseCubics(&targets->curves, task->animation->loop, cubicTolerance, MeasureFrame, targets))
        return qvError_OutOfMemory(error, frames * (double)sizeof(double));
    if (!targets->curves.isCubic || targets->curves.keyCount >= frames)
        qvClipCurves_UseLines(&targets->curves);
    return qv_ok;
}

// --- Folding -----------------------------------------------------------------------------------------------------

// Without an offset weights start at zero, and what is below is cut off.
static void FindRanges(qvMorphTargets* targets, bool canOffset)
{
    for (int i = 0; i < targets->rank; i++)
    {
        double least, largest;
        qvClipCurves_Range(&targets->curves, QV_CLIP_SHAPES + i, &least, &largest);
        if (canOffset)
            targets->low[i] = least;
        else if (-least > largest)
        {
            targets->low[i] = 0.0; // the other side of the shape
            largest = least;
        }
        targets->range[i] = largest - targets->low[i];
    }
}

// Whether the offset moves any vertex by more than a thousandth of the error.
static bool NeedsOffset(const qvMorphTargets* targets, double tolerance)
{
    for (size_t i = 0; i < CoordinateCount(targets); i++)
    {
        double sum = targets->space->mean[i];
        for (int r = 0; r < targets->rank; r++)
            sum += targets->low[r] * targets->space->shapes[(size_t)r * CoordinateCount(targets) + i];
        if (fabs(sum) > 1e-3 * tolerance)
            return true;
    }
    return false;
}

static double Fold(const qvMorphTargets* targets, int shape, double value)
{
    double range = targets->range[shape];
    return range != 0.0 ? fmin(fmax((value - targets->low[shape]) / range, 0.0), 1.0) : 0.0;
}

// Weights that have few digits pack well. Their rounding is a small part of the error.
static double WeightSteps(const qvMorphTargets* targets)
{
    const double SHARE = 0.03;
    const qvExportOptions* options = &targets->task->options;
    bool round = options->compress && !targets->curves.isCubic;
    return round ? fmin(exp2(ceil(log2(1.0 / (SHARE * options->error)))), 8388608.0) : 0.0;
}

static void FoldWeights(qvMorphTargets* targets)
{
    const qvClipCurves* curves = &targets->curves;
    double steps = WeightSteps(targets);
    for (int k = 0; k < curves->frameCount; k++)
    {
        float* weights = targets->weights + (size_t)k * (size_t)targets->targetCount;
        const double* values = curves->evaluated + (size_t)k * (size_t)curves->width + QV_CLIP_SHAPES;
        if (targets->space == NULL)
        {
            // One target per frame; a loop ends with its first.
            weights[k < targets->targetCount ? k : 0] = 1.0f;
            continue;
        }
        if (targets->hasOffset)
            *weights++ = 1.0f;
        for (int i = 0; i < targets->rank; i++)
        {
            double weight = Fold(targets, i, values[i]);
            weights[i] = (float)(steps > 0.0 ? rint(steps * weight) / steps : weight);
        }
    }
}

static qvResult AllocateWeights(qvMorphTargets* targets, qvError* error)
{
    size_t size = (size_t)targets->curves.frameCount * (size_t)targets->targetCount;
    targets->weights = qvAllocate(size, sizeof(float));
    return targets->weights != NULL ? qv_ok : qvError_OutOfMemory(error, (double)size * sizeof(float));
}

qvResult qvMorphTargets_StartRigid(qvMorphTargets* targets, const qvExportTask* task, qvError* error)
{
    qvResult result = StartFrames(targets, task, NULL, error);
    return result == qv_ok ? MakeCurves(targets, 0.0, error) : result;
}

static qvResult ChooseFrames(qvMorphTargets* targets, qvError* error)
{
    const qvAnimation* animation = targets->task->animation;
    qvResult result = MakeCurves(targets, 0.0, error);
    if (result != qv_ok)
        return result;
    targets->targetCount = animation->frameCount - (animation->loop && animation->frameCount > 1);
    result = AllocateWeights(targets, error);
    if (result == qv_ok)
        FoldWeights(targets);
    return result;
}

qvResult qvMorphTargets_Choose(qvMorphTargets* targets, double tolerance, int minRank, int maxTargets,
                               double cubicTolerance, bool* atLimit, qvError* error)
{
    FreeChoice(targets);
    *atLimit = true;
    if (targets->space == NULL)
        return ChooseFrames(targets, error);
    bool canOffset = maxTargets != 1;
    int limit = maxTargets == 0 ? targets->space->maxRank : maxTargets - canOffset;
    limit = limit < targets->space->maxRank ? limit : targets->space->maxRank;
    double worst = 0.0;
    const qvJob* job = targets->task->options.job;
    qvResult result =
        qvMorphSpace_Choose(targets->space, tolerance, minRank, limit, job, &targets->rank, &worst, error);
    if (result == qv_ok && minRank == 0 && !targets->space->isWeighted)
        result = qvMorphSpace_Improve(targets->space, tolerance, job, &targets->rank, &worst, error);
    if (result != qv_ok)
        return result;
    *atLimit = targets->rank >= limit;
    targets->low = qvAllocate((size_t)targets->rank, sizeof(double));
    targets->range = qvAllocate((size_t)targets->rank, sizeof(double));
    if (targets->low == NULL || targets->range == NULL)
        return qvError_OutOfMemory(error, 2.0 * targets->rank * sizeof(double));
    result = MakeCurves(targets, cubicTolerance, error);
    if (result != qv_ok)
        return result;
    FindRanges(targets, canOffset);
    targets->hasOffset = canOffset && NeedsOffset(targets, tolerance);
    targets->targetCount = targets->rank + targets->hasOffset;
    result = AllocateWeights(targets, error);
    if (result == qv_ok)
        FoldWeights(targets);
    return result;
}

// --- What is written ---------------------------------------------------------------------------------------------

void qvMorphTargets_Get(const qvMorphTargets* targets, int target, float* out)
{
    size_t count = CoordinateCount(targets);
    const qvMorphSpace* space = targets->space;
    if (space == NULL)
    {
        memcpy(out, targets->displacements + (size_t)target * count, count * sizeof(float));
        return;
    }
    if (targets->hasOffset && target == 0)
    {
        memcpy(out, space->mean, count * sizeof(float));
        for (int r = 0; r < targets->rank; r++)
        {
            float low = (float)targets->low[r];
            for (size_t i = 0; i < count; i++)
                out[i] += low * space->shapes[(size_t)r * count + i];
        }
        return;
    }
    int shape = target - targets->hasOffset;
    for (size_t i = 0; i < count; i++)
        out[i] = (float)(targets->range[shape] * space->shapes[(size_t)shape * count + i]);
}

qvAffine qvMorphTargets_Rigid(const qvMorphTargets* targets, int frame)
{
    return PivotedMap(targets, targets->curves.evaluated + (size_t)frame * (size_t)targets->curves.width);
}

// The numbers of a key's value or tangent.
static const double* KeyNumbers(const qvMorphTargets* targets, int key, int side)
{
    const qvClipCurves* curves = &targets->curves;
    size_t width = (size_t)curves->width;
    if (side == 0)
        return curves->values + (size_t)curves->keys[key] * width;
    return curves->tangents + (2 * (size_t)key + (side > 0)) * width;
}

void qvMorphTargets_KeyRigid(const qvMorphTargets* targets, int key, int side, float numbers[7])
{
    const double* from = KeyNumbers(targets, key, side);
    for (int i = 0; i < 7; i++)
        numbers[i] = (float)from[i];
}

void qvMorphTargets_KeyWeights(const qvMorphTargets* targets, int key, int side, float* weights)
{
    if (side == 0 && !targets->curves.isCubic)
    {
        memcpy(weights, targets->weights + (size_t)targets->curves.keys[key] * (size_t)targets->targetCount,
               (size_t)targets->targetCount * sizeof(float));
        return;
    }
    const double* from = KeyNumbers(targets, key, side) + QV_CLIP_SHAPES;
    if (targets->hasOffset)
        *weights++ = side == 0 ? 1.0f : 0.0f;
    for (int i = 0; i < targets->rank; i++)
    {
        double range = targets->range[i];
        weights[i] = (float)(side == 0 ? Fold(targets, i, from[i]) : range != 0.0 ? from[i] / range : 0.0);
    }
}
