// SPDX-License-Identifier: GPL-3.0-or-later
// The spacetime motion as what other layers build on.
#include "quaver/motion.h"

#include <string.h>

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

static qvResult MotionFrames(const void* context, const double* times, int count, qvPool* pool, qvVec3f* points,
                             qvError* error)
{
    return qvMotion_EvaluateFrames(context, times, count, pool, points, error);
}

qvBaseMotion qvMakeMotionBase(const qvMotion* motion, int pointCount)
{
    size_t positions = 3 * (size_t)pointCount * sizeof(double);
    return (qvBaseMotion){ .context = motion,
                           .pointCount = pointCount,
                           .scratchSize = RoundUp(qvMotion_ScratchSize(motion)) + positions,
                           .points = MotionPoints,
                           .frame = MotionFrame,
                           .velocities = MotionVelocities,
                           .frames = MotionFrames };
}
