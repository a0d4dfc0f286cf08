// SPDX-License-Identifier: GPL-3.0-or-later
// The modes that span a space, those of every distinct shape as rest shape. The paper named in space.c, section 5.
#include "motion/space_build.h"

#include "base/hash.h"
#include "base/label.h"
#include "base/memory.h"
#include "motion/crew.h"
#include "motion/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Threads find the modes of several shapes at a time as long as they need no more memory than this together; the modes
// of a large body are found one shape after the other, by all threads.
static const double WORK_BYTES = 2.0e8;

enum
{
    MODES_VERSION = 4 // counts up when the same body gets other modes: stores have older ones
};

void qvReleaseShapeModes(qvShapeModes* source)
{
    if (source == NULL || atomic_fetch_sub(&source->owners, 1) > 1)
        return;
    qvDestroyModes(source->modes);
    free(source->local);
    free(source);
}

static qvResult MakeModes(qvSpaceBuild* b, const double* local, qvShapeModes** out)
{
    qvShapeModes* source = *out = qvAllocate(1, sizeof(*source));
    if (source == NULL)
        return qvError_OutOfMemory(b->error, sizeof(*source));
    atomic_init(&source->owners, 1);
    source->local = qvAllocateRaw((size_t)b->size, sizeof(double));
    if (source->local == NULL)
        return qvError_OutOfMemory(b->error, (double)b->size * sizeof(double));
    memcpy(source->local, local, (size_t)b->size * sizeof(double));
    return qv_ok;
}

static qvShapeModes* ShareModes(qvShapeModes* source)
{
    atomic_fetch_add(&source->owners, 1);
    return source;
}

static bool IsRest(const qvSpaceBuild* b, const double* local)
{
    for (int i = 0; i < b->size; i++)
    {
        if (fabs(local[i] - b->rest[i]) > 1e-12 * QV_SPACE_DIAGONAL) // rounding of the rigid fit
            return false;
    }
    return true;
}

// The shape's modes from the rest shape or the previous space, or an empty place for them.
static qvResult TakeModes(qvSpaceBuild* b, int index)
{
    qvMotionShape* shape = &b->space->shapes[index];
    const double* local = b->local[shape->pose];
    size_t bytes = (size_t)b->size * sizeof(double);
    b->known[index] = -1;
    // A bounded basis does not hold the modes of its shapes, from which another one could be made.
    bool isShared = b->previous != NULL && (b->keepsBasis || (!b->space->isBounded && !b->previous->isBounded));
    for (int i = 0; isShared && i < b->previous->shapeCount; i++)
    {
        qvShapeModes* source = b->previous->shapes[i].source;
        if (memcmp(source->local, local, bytes) != 0)
            continue;
        shape->source = ShareModes(source);
        b->known[index] = i;
        return qv_ok;
    }
    if (!IsRest(b, local))
        return MakeModes(b, local, &shape->source);
    shape->source = ShareModes(b->space->restModes);
    return qv_ok;
}

// The modes of a free body without those that are zero, and without the rounding by which the others move the mass
// centre.
static void TrimModes(const qvSpaceBuild* b, qvModes* modes)
{
    size_t size = (size_t)b->size, zeros = (size_t)modes->zeroCount, count = (size_t)modes->count - zeros;
    memmove(modes->values, modes->values + zeros, count * sizeof(double));
    memmove(modes->vectors, modes->vectors + zeros * size, count * size * sizeof(double));
    double* shorter = realloc(modes->vectors, count * size > 0 ? count * size * sizeof(double) : 1);
    modes->vectors = shorter != NULL ? shorter : modes->vectors;
    modes->count = (int)count, modes->zeroCount = 0;
    for (size_t c = 0; c < count; c++)
        qvSpaceBuild_RemoveMean(b, modes->vectors + c * size);
}

static uint64_t HashModes(const qvSpaceBuild* b, const qvShapeModes* source)
{
    uint64_t hash = qvHash_Combine(b->space->body, MODES_VERSION);
    return qvHash(source->local, (size_t)b->size * sizeof(double), hash);
}

// Whether the store has them.
static bool LoadModes(const qvSpaceBuild* b, qvShapeModes* source)
{
    source->modes = qvLoadModes(b->def->store, HashModes(b, source), b->size);
    return source->modes != NULL;
}

static qvResult ComputeModes(const qvSpaceBuild* b, qvElastic* worker, qvShapeModes* source, double shift,
                             const qvJob* job, qvError* error)
{
    qvResult result = qvElastic_Modes(worker, source->local, b->def->material.modes, shift, job, &source->modes, error);
    if (result == qv_ok && source->modes != NULL && !b->space->pinned)
        TrimModes(b, source->modes);
    if (result == qv_ok)
        result = qvJob_Ask(job, error);
    if (result == qv_ok)
        qvSaveModes(b->def->store, HashModes(b, source), source->modes);
    return result == qv_ok ? qvJob_Ask(job, error) : result;
}

static bool IsOfNumbers(qvResult result)
{
    return result == qv_notConverged || result == qv_badInput;
}

// What is said of matrices is of no use to who draws strokes: it is the pose that is too far.
qvResult qvSpaceBuild_BlameShape(const qvSpaceBuild* b, int shape, qvResult result, qvError* error)
{
    if (!IsOfNumbers(result) || error == NULL)
        return result;
    int pose = b->space->shapes[shape].pose;
    qvError reason = *error;
    return qvError_Set(error, result,
                       "%s: its pose is too far from the rest shape to find its vibrations (%s); use smaller strokes",
                       qvMakeLabel(b->def->poses[pose].label, "pose", pose).text, reason.message);
}

static qvResult BlameRest(const qvSpaceBuild* b, qvResult result)
{
    if (!IsOfNumbers(result) || b->error == NULL)
        return result;
    qvError reason = *b->error;
    return qvError_Set(b->error, result,
                       "the vibrations of the rest shape are not found (%s); use fewer than %d modes, or stretch and "
                       "bend nearer to 1",
                       reason.message, b->def->material.modes);
}

// Modes of the rest shape, and the eigenvalue that the frequency refers to.
static qvResult FindRestModes(qvSpaceBuild* b, double lowest)
{
    qvMotionSpace* space = b->space;
    if (b->previous != NULL)
    {
        space->lowest = b->previous->lowest;
        space->restModes = ShareModes(b->previous->restModes);
        return qv_ok;
    }
    qvResult result = MakeModes(b, b->rest, &space->restModes);
    bool isMissing = result == qv_ok && !LoadModes(b, space->restModes);
    if (result == qv_ok && (isMissing || (space->pinned && lowest < 0.0)))
        result = qvSpaceBuild_MakeWorkers(b, 1);
    if (result == qv_ok && isMissing)
        result = BlameRest(b, ComputeModes(b, b->workers[0], space->restModes, 0.0, b->job, b->error));
    if (result != qv_ok)
        return result;
    const qvModes* modes = space->restModes->modes;
    space->lowest = lowest;
    if (!space->pinned)
        space->lowest = modes->count > 0 ? fmax(modes->values[0], 0.0) : 0.0;
    else if (lowest < 0.0)
        result = qvElastic_Lowest(b->workers[0], b->rest, b->job, &space->lowest, b->error);
    return result;
}

// For the crew: the modes of one shape, should they be missing.
static qvResult FindShapeModes(void* context, int worker, int item, const qvJob* job, qvError* error)
{
    const qvSpaceBuild* b = context;
    const qvMotionSpace* space = b->space;
    if (!b->isMissing[item])
        return qv_ok;
    qvResult result = qvJob_Progress(job, "modes", (double)item / space->shapeCount, error);
    double shift = space->restModes->modes != NULL ? space->restModes->modes->report.shift : 0.0;
    if (result == qv_ok)
        result = qvSpaceBuild_BlameShape(
            b, item, ComputeModes(b, b->workers[worker], space->shapes[item].source, shift, job, error), error);
    if (b->isLarge) // what the search leaves is worth giving back
        qvReturnFreeMemory();
    return result;
}

// Sees to it that there are `count` workers.
qvResult qvSpaceBuild_MakeWorkers(qvSpaceBuild* b, int count)
{
    qvResult result = qv_ok;
    while (result == qv_ok && b->workerCount < count)
    {
        result = qvCreateElastic(b->def, b->space->elastic, b->job, &b->workers[b->workerCount], b->error);
        b->workerCount += result == qv_ok;
    }
    return result;
}

void qvSpaceBuild_DropWorkers(qvSpaceBuild* b)
{
    while (b->workerCount > 0)
        qvDestroyElastic(b->workers[--b->workerCount]);
}

// How many shapes' modes neither the previous space nor the store has.
static qvResult CollectModes(qvSpaceBuild* b, int* missing)
{
    qvMotionSpace* space = b->space;
    *missing = 0;
    for (int i = 0; i < space->shapeCount; i++)
    {
        qvResult result = qvJob_Ask(b->job, b->error);
        if (result == qv_ok)
            result = TakeModes(b, i);
        if (result != qv_ok)
            return result;
        qvShapeModes* source = space->shapes[i].source;
        bool isWanted = b->known[i] < 0 && source != space->restModes && (!space->isBounded || b->isChosen[i]);
        b->isMissing[i] = isWanted && !LoadModes(b, source);
        *missing += b->isMissing[i];
    }
    return qv_ok;
}

static qvResult ComputeMissing(qvSpaceBuild* b, int missing)
{
    qvMotionSpace* space = b->space;
    double bytes;
    qvResult result = qvSpaceBuild_MakeWorkers(b, 1);
    if (result != qv_ok)
        return result;
    result = qvElasticBody_BytesForModes(space->elastic, b->def->material.modes, b->job, &bytes, b->error);
    if (result != qv_ok)
        return result;
    int workers = b->workerLimit < missing ? b->workerLimit : missing;
    double room = WORK_BYTES / bytes;
    b->isLarge = room < 2.0;
    workers = room < workers ? (int)room : workers;
    result = qvSpaceBuild_MakeWorkers(b, workers);
    if (result == qv_ok)
        result = qvRunCrew(workers, space->shapeCount, FindShapeModes, b, b->job, b->error);
    return result;
}

qvResult qvSpaceBuild_FindModes(qvSpaceBuild* b)
{
    int missing = 0;
    qvResult result = FindRestModes(b, b->lowest);
    if (result == qv_ok)
        result = CollectModes(b, &missing);
    if (result == qv_ok && missing > 0)
        result = ComputeMissing(b, missing);
    if (result == qv_ok)
        result = qvJob_Ask(b->job, b->error);
    // The matrices of a large body are not worth their memory until the next step that needs them.
    if (b->isLarge)
        qvSpaceBuild_DropWorkers(b);
    for (int i = 0; i < b->workerCount; i++)
        qvElastic_DropFactor(b->workers[i]);
    qvReturnFreeMemory();
    return result;
}

void qvSpaceBuild_DropVectors(qvSpaceBuild* b)
{
    const qvMotionSpace* space = b->space;
    for (int i = -1; i < space->shapeCount; i++)
    {
        qvShapeModes* source = i < 0 ? space->restModes : space->shapes[i].source;
        bool isNew = i < 0 ? b->previous == NULL : b->known[i] < 0 && source != space->restModes;
        if (!isNew || source->modes == NULL)
            continue;
        free(source->modes->vectors);
        source->modes->vectors = NULL;
    }
    qvReturnFreeMemory();
}
