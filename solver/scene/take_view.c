// SPDX-License-Identifier: GPL-3.0-or-later
// A take as one thread looks at it.
#include "base/assert.h"
#include "scene/take.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Room for so many things at least; what was in it is lost.
static bool Grow(void* memory, int* capacity, int count, size_t size)
{
    void** block = memory;
    if (count <= *capacity)
        return true;
    free(*block);
    *block = qvAllocateRaw((size_t)count, size);
    *capacity = *block != NULL ? count : 0;
    return *block != NULL;
}

static bool GrowScratch(qvTakeView* view, size_t size)
{
    if (size <= view->scratchCapacity && view->scratch != NULL)
        return true;
    free(view->scratch);
    view->scratch = qvAllocateRaw(1, size);
    view->scratchCapacity = view->scratch != NULL ? size : 0;
    return view->scratch != NULL;
}

qvResult qvTakeView_SetTake(qvTakeView* view, const qvTake* take, qvError* error)
{
    const qvTake* old = view->take;
    view->take = take != NULL ? qvRetainTake(take) : NULL;
    view->mesh = take != NULL ? take->body->mesh : NULL;
    qvReleaseTake(old);
    if (take == NULL)
        return qv_ok;
    const qvMesh* mesh = take->body->mesh;
    int modes = qvTake_ModeCount(take), numbers = modes > mesh->pointCount ? modes : mesh->pointCount;
    if (GrowScratch(view, qvTake_ScratchSize(take)) &&
        Grow(&view->points, &view->pointCapacity, mesh->pointCount, sizeof(*view->points)) &&
        Grow(&view->vertices, &view->vertexCapacity, mesh->vertexCount, sizeof(*view->vertices)) &&
        Grow(&view->numbers, &view->numberCapacity, numbers, sizeof(*view->numbers)))
        return qv_ok;
    double size = (double)qvTake_ScratchSize(take) + 12.0 * mesh->vertexCount;
    qvReleaseTake(view->take);
    view->take = NULL;
    view->mesh = NULL;
    return qvError_OutOfMemory(error, size);
}

void qvTakeView_Free(qvTakeView* view)
{
    qvReleaseTake(view->take);
    free(view->points);
    free(view->vertices);
    free(view->scratch);
    free(view->numbers);
    *view = (qvTakeView){ 0 };
}

void qvTakeView_Evaluate(qvTakeView* view, double time, qvTakeLayers layers, qvPool* pool)
{
    QV_ASSERT(view->take != NULL);
    qvTake_Evaluate(view->take, time, layers, view->scratch, pool, view->points);
}

void qvTakeView_Show(qvTakeView* view, double time, qvTakeLayers layers, qvPool* pool)
{
    qvTakeView_Evaluate(view, time, layers, pool);
    qvTake_Vertices(view->take, time, view->points, view->scratch, view->vertices);
}

void qvTakeView_Wavefronts(qvTakeView* view, double time, qvPool* pool, float* values)
{
    const qvTake* take = view->take;
    int n = take->body->mesh->pointCount;
    float* own = (float*)(void*)view->numbers;
    memset(values, 0, (size_t)n * sizeof(*values));
    for (int i = 0; i < take->layers.count; i++)
    {
        const qvWaveLayer* waves = qvTake_Waves(take, i);
        if (waves == NULL)
            continue;
        qvWaveLayer_Colors(waves, qvTake_Wrap(take, time), qv_waveColorSpeed, view->scratch, pool, own);
        for (int k = 0; k < n; k++)
            values[k] = fmaxf(values[k], own[k]);
    }
}

qvVec3f* qvTake_PointsAt(const qvTake* take, double time, qvTakeLayers layers, qvPool* pool, qvError* error)
{
    qvTakeView view = { 0 };
    qvVec3f* points = NULL;
    if (qvTakeView_SetTake(&view, take, error) == qv_ok)
    {
        qvTakeView_Evaluate(&view, time, layers, pool);
        points = view.points, view.points = NULL;
    }
    qvTakeView_Free(&view);
    return points;
}
