// SPDX-License-Identifier: GPL-3.0-or-later
// A take's modes, for the mixer and the graphs.
#include "scene/pipeline.h"

#include "base/assert.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SHOWN = 0.1; // of the diagonal: how far a mode swings when it is shown alone

static const qvMotionSpace* SpaceOf(const qvTake* take)
{
    return take->curves != NULL ? take->curves->space->object : NULL;
}

int qvTake_ModeCount(const qvTake* take)
{
    return take->curves != NULL ? qvMotionSpace_ModeCount(SpaceOf(take)) : 0;
}

double qvTake_ModeFrequency(const qvTake* take, int mode)
{
    QV_ASSERT(mode >= 0 && mode < qvTake_ModeCount(take));
    return qvMotionSpace_ModeFrequency(SpaceOf(take), mode, take->scene->material.frequency);
}

void qvTakeView_Levels(qvTakeView* view, double time, float* levels)
{
    const qvTake* take = view->take;
    int count = qvTake_ModeCount(take);
    if (count == 0)
        return;
    qvMotion_ModeLevels(take->curves->motion, qvTake_Wrap(take, time), view->scratch, view->numbers);
    for (int i = 0; i < count; i++)
        levels[i] = (float)(view->numbers[i] / take->body->diagonal);
}

// Of all points. False: out of memory.
static bool ShapeOf(const qvTake* take, int mode, double* shape)
{
    if (take->curves->carried == NULL)
    {
        qvMotionSpace_ModeShape(SpaceOf(take), mode, shape);
        return true;
    }
    const qvStagedDetail* staged = take->curves->detail->object;
    double* few = qvAllocateRaw(3 * (size_t)qvDetail_Thin(staged->detail)->mesh->pointCount, sizeof(*few));
    if (few == NULL)
        return false;
    qvMotionSpace_ModeShape(SpaceOf(take), mode, few);
    bool done = qvDetail_Spread(staged->detail, few, shape);
    free(few);
    return done;
}

void qvTake_ModeShape(const qvTake* take, int mode, double phase, qvVec3f* points)
{
    QV_ASSERT(mode >= 0 && mode < qvTake_ModeCount(take));
    int n = take->body->mesh->pointCount;
    memcpy(points, take->body->rest, (size_t)n * sizeof(*points));
    double* shape = qvAllocateRaw(3 * (size_t)n, sizeof(*shape));
    if (shape == NULL || !ShapeOf(take, mode, shape))
    {
        free(shape);
        return;
    }
    double out = SHOWN * take->body->diagonal * sin(QV_TWO_PI * phase);
    for (int i = 0; i < n; i++)
    {
        points[i].x += (float)(out * shape[3 * i]);
        points[i].y += (float)(out * shape[3 * i + 1]);
        points[i].z += (float)(out * shape[3 * i + 2]);
    }
    free(shape);
}

// Times of a loop are brought into its first period; whole rows of modes come in batches.
static bool Curves(const qvTake* take, const qvMotion* motion, const double* times, int timeCount, double* rows)
{
    double* wrapped = malloc((size_t)timeCount * sizeof(*wrapped));
    void* scratch = malloc(qvMotion_ScratchSize(motion));
    bool ready = wrapped != NULL && scratch != NULL;
    for (int i = 0; ready && i < timeCount; i++)
        wrapped[i] = qvTake_Wrap(take, times[i]);
    if (ready)
        qvMotion_ModeCurves(motion, wrapped, timeCount, scratch, rows);
    free(wrapped);
    free(scratch);
    return ready;
}

bool qvTake_ModeCurves(const qvTake* take, const double* times, int timeCount, double* wiggly, double* smooth)
{
    QV_ASSERT(qvTake_ModeCount(take) > 0);
    const qvMotion* plain = qvTakeMotion_Smooth(take->curves);
    return plain != NULL && Curves(take, take->curves->motion, times, timeCount, wiggly) &&
           Curves(take, plain, times, timeCount, smooth);
}
