// SPDX-License-Identifier: GPL-3.0-or-later
// Pins that come and go: one space per set of pins, each with the poses that keys use while those pins hold.
#include "motion/space.h"

#include "base/assert.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static bool Uses(const qvMotionPins* set, int pose)
{
    return set->poses == NULL || set->poses[pose];
}

// The set's space; NULL where no pose needs it.
static qvResult MakeSet(const qvMotionSpaceDef* def, int index, const qvMotionSpace* previous, double lowest,
                        const qvJob* job, qvMotionSpace* space, qvError* error)
{
    const qvMotionPins* set = &def->pinSets[index];
    size_t poseCount = (size_t)def->poseCount;
    int* poseOf = space->poseOf[index] = qvAllocate(poseCount, sizeof(int));
    qvMotionPose* poses = qvAllocate(poseCount, sizeof(*poses));
    int* order = qvAllocate(def->order != NULL ? (size_t)def->orderCount : 0, sizeof(*order));
    qvResult result = qv_ok;
    if (poseOf == NULL || poses == NULL || order == NULL)
        result = qvError_OutOfMemory(error, (double)poseCount * sizeof(*poses));
    qvMotionSpaceDef own = *def;
    own.pins = set->points, own.pinCount = set->count, own.poses = poses, own.poseCount = 0;
    for (int i = 0; result == qv_ok && i < def->poseCount; i++)
    {
        poseOf[i] = Uses(set, i) ? own.poseCount : -1;
        if (Uses(set, i))
            poses[own.poseCount++] = def->poses[i];
    }
    own.orderCount = 0, own.order = def->order != NULL ? order : NULL;
    for (int i = 0; result == qv_ok && def->order != NULL && i < def->orderCount; i++)
    {
        if (Uses(set, def->order[i]))
            order[own.orderCount++] = poseOf[def->order[i]];
    }
    if (result == qv_ok && own.poseCount > 0)
        result = qvCreateSubspace(&own, previous, lowest, job, &space->sets[index], error);
    free(poses);
    free(order);
    return result;
}

static qvResult MakeSets(const qvMotionSpaceDef* def, const qvMotionSpace* previous, const qvJob* job,
                         qvMotionSpace* space, qvError* error)
{
    size_t count = (size_t)def->pinSetCount;
    space->sets = qvAllocate(count, sizeof(*space->sets));
    space->poseOf = qvAllocate(count, sizeof(*space->poseOf));
    if (space->sets == NULL || space->poseOf == NULL)
        return qvError_OutOfMemory(error, (double)count * sizeof(*space->sets));
    space->setCount = def->pinSetCount;
    double lowest = -1.0;
    for (int i = 0; i < def->pinSetCount; i++)
    {
        qvResult result = MakeSet(def, i, previous, lowest, job, space, error);
        if (result != qv_ok)
            return result;
        const qvMotionSpace* set = space->sets[i];
        if (set == NULL)
            continue;
        lowest = set->lowest;
        space->pointCount = set->pointCount, space->diagonal = set->diagonal, space->scale = set->scale;
        space->dimension = set->dimension > space->dimension ? set->dimension : space->dimension;
        space->shapeCount += set->shapeCount;
        space->milliseconds += set->milliseconds;
    }
    if (qvMotionSpace_Main(space) == space)
        return qvError_Set(error, qv_badInput, "no pose belongs to any set of pins; add a key");
    return qv_ok;
}

static qvResult Create(const qvMotionSpaceDef* def, const qvMotionSpace* previous, const qvJob* job,
                       qvMotionSpace** out, qvError* error)
{
    if (def->pinSetCount < 1)
        return qvCreateSubspace(def, previous, -1.0, job, out, error);
    qvMotionSpace* space = qvAllocate(1, sizeof(*space));
    if (space == NULL)
        return qvError_OutOfMemory(error, sizeof(*space));
    space->poseCount = def->poseCount;
    qvResult result = MakeSets(def, previous, job, space, error);
    if (result == qv_ok)
        *out = space;
    else
        qvDestroyMotionSpace(space);
    return result;
}

qvResult qvCreateMotionSpace(const qvMotionSpaceDef* def, const qvMotionSpace* previous, const qvJob* job,
                             qvMotionSpace** out, qvError* error)
{
    QV_ASSERT(def->topology != NULL && def->rest != NULL && (def->poses != NULL || def->poseCount < 1));
    *out = NULL;
    qvResult result = Create(def, previous, job, out, error);
    if (result == qv_outOfMemory)
        qvError_Prefix(error, "%d poses with %d modes at %d points are too many together", def->poseCount,
                       def->material.modes, def->topology->pointCount);
    return result;
}

const qvMotionSpace* qvMotionSpace_Main(const qvMotionSpace* space)
{
    for (int i = 0; i < space->setCount; i++)
    {
        if (space->sets[i] != NULL)
            return space->sets[i];
    }
    return space;
}

qvMotionSpaceStats qvMotionSpace_Stats(const qvMotionSpace* space)
{
    return (qvMotionSpaceStats){ space->pointCount, space->dimension, space->shapeCount, space->diagonal,
                                 space->milliseconds };
}
