// SPDX-License-Identifier: GPL-3.0-or-later
// The motions that waves can travel on.
#include "quaver/waves.h"

#include "base/assert.h"

#include <math.h>
#include <string.h>

// --- The spacetime motion --------------------------------------------------------------------------------------------

static void MotionPoints(const void* context, double time, void* scratch, qvPool* pool, qvVec3f* points)
{
    qvMotion_EvaluateFloat(context, time, scratch, pool, points);
}

static qvAffine MotionFrame(const void* context, double time)
{
    return qvMotion_Frame(context, time);
}

static size_t RoundUp(size_t size)
{
    return (size + 15) / 16 * 16;
}

// Positions, which come with velocities, go behind the motion's own scratch.
static void MotionVelocities(const void* context, double time, void* scratch, double* velocities)
{
    double* positions = (double*)(void*)((char*)scratch + RoundUp(qvMotion_ScratchSize(context)));
    qvMotion_Evaluate(context, time, scratch, positions, velocities, NULL);
}

qvBaseMotion qvMakeMotionBase(const qvMotion* motion, int pointCount)
{
    size_t positions = 3 * (size_t)pointCount * sizeof(double);
    return (qvBaseMotion){ .context = motion,
                           .pointCount = pointCount,
                           .scratchSize = RoundUp(qvMotion_ScratchSize(motion)) + positions,
                           .points = MotionPoints,
                           .frame = MotionFrame,
                           .velocities = MotionVelocities };
}

// --- A clip of a rig -------------------------------------------------------------------------------------------------

static double ClipTime(const qvRigBase* rig, double time)
{
    if (rig->clip < 0 || !rig->repeat)
        return time;
    double duration = qvRig_ClipDuration(rig->rig, rig->clip);
    return duration > 0.0 ? time - duration * floor(time / duration) : 0.0;
}

static void RigPoints(const void* context, double time, void* scratch, qvPool* pool, qvVec3f* points)
{
    (void)pool;
    const qvRigBase* rig = context;
    qvVec3f* vertices = (qvVec3f*)(void*)((char*)scratch + RoundUp(qvRig_ScratchSize(rig->rig)));
    qvRig_Evaluate(rig->rig, rig->clip, ClipTime(rig, time), scratch, vertices);
    qvMesh_GatherPoints(rig->mesh, vertices, points);
}

qvBaseMotion qvMakeRigBase(const qvRigBase* rig)
{
    QV_ASSERT(qvRig_VertexCount(rig->rig) == rig->mesh->vertexCount);
    size_t vertices = (size_t)rig->mesh->vertexCount * sizeof(qvVec3f);
    return (qvBaseMotion){ .context = rig,
                           .pointCount = rig->mesh->pointCount,
                           .scratchSize = RoundUp(qvRig_ScratchSize(rig->rig)) + vertices,
                           .points = RigPoints };
}

// --- A pose ----------------------------------------------------------------------------------------------------------

static void StillPoints(const void* context, double time, void* scratch, qvPool* pool, qvVec3f* points)
{
    (void)time, (void)scratch, (void)pool;
    const qvStillBase* still = context;
    memcpy(points, still->points, (size_t)still->pointCount * sizeof(*points));
}

qvBaseMotion qvMakeStillBase(const qvStillBase* still)
{
    return (qvBaseMotion){ .context = still, .pointCount = still->pointCount, .points = StillPoints };
}
