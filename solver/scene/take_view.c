// SPDX-License-Identifier: GPL-3.0-or-later
// A take as one thread looks at it.
#include "base/assert.h"
#include "scene/take.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Room for so many things at least; what was in it is lost. Without memory it stays.
static bool Grow(void* memory, int* capacity, int count, size_t size)
{
    void **block = memory, *more = count > *capacity ? qvAllocateRaw((size_t)count, size) : NULL;
    if (count <= *capacity)
        return true;
    if (more == NULL)
        return false;
    free(*block);
    *block = more;
    *capacity = count;
    return true;
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

// The mesh from now on; NULL: the body's.
static void ShowMesh(qvTakeView* view, qvMesh* changed)
{
    const qvMesh* own = view->take != NULL ? view->take->body->mesh : NULL;
    if (changed != NULL || view->mesh != own)
        view->epoch++;
    qvDestroyMesh(view->changed);
    view->changed = changed;
    view->mesh = changed != NULL ? changed : own;
}

qvResult qvTakeView_SetTake(qvTakeView* view, const qvTake* take, qvError* error)
{
    const qvTake* old = view->take;
    view->take = take != NULL ? qvRetainTake(take) : NULL;
    ShowMesh(view, NULL);
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
    qvDestroyMesh(view->changed);
    free(view->points);
    free(view->vertices);
    free(view->scratch);
    free(view->numbers);
    free(view->shownPoints);
    free(view->shownValues);
    free(view->shownArrows);
    *view = (qvTakeView){ 0 };
}

void qvTakeView_Evaluate(qvTakeView* view, double time, qvTakeLayers layers, qvPool* pool)
{
    QV_ASSERT(view->take != NULL);
    qvTake_Evaluate(view->take, time, layers, view->scratch, pool, view->points);
}

qvResult qvTakeView_Show(qvTakeView* view, double time, qvTakeLayers layers, qvPool* pool, qvError* error)
{
    qvTakeView_Evaluate(view, time, layers, pool);
    qvMesh* changed = NULL;
    qvResult result = qv_ok;
    if (layers != qv_layersSmooth)
        result = qvTake_Extract(view->take, time, view->points, view->scratch, pool, &changed, error);
    if (changed != NULL && !Grow(&view->vertices, &view->vertexCapacity, changed->vertexCount, sizeof(*view->vertices)))
    {
        result = qvError_OutOfMemory(error, 12.0 * changed->vertexCount);
        qvDestroyMesh(changed);
        changed = NULL;
    }
    ShowMesh(view, changed);
    if (changed != NULL)
        memcpy(view->vertices, changed->positions, (size_t)changed->vertexCount * sizeof(*view->vertices));
    else
        qvTake_Vertices(view->take, time, view->points, view->scratch, view->vertices);
    return result;
}

// The simulation that shows a channel at a time; NULL: none.
static const qvStepped* ShowerOf(const qvTake* take, const char* tag, double time)
{
    for (int i = take->layers.count - 1; i >= 0; i--)
    {
        const qvLayer* layer = take->layers.items[i]->object;
        const qvStepped* stepped = layer->kind->steps != NULL ? layer->kind->steps(layer->object) : NULL;
        if (stepped != NULL && qvStepped_ShownCount(stepped, tag, time) > 0)
            return stepped;
    }
    return NULL;
}

bool qvTakeView_ShowChannel(qvTakeView* view, const char* tag, double time, qvShownPoints* shown)
{
    QV_ASSERT(view->take != NULL);
    time = qvTake_Wrap(view->take, time);
    const qvStepped* stepped = ShowerOf(view->take, tag, time);
    int count = stepped != NULL ? qvStepped_ShownCount(stepped, tag, time) : 0;
    if (stepped == NULL || !Grow(&view->shownPoints, &view->shownPointCapacity, count, sizeof(*view->shownPoints)) ||
        !Grow(&view->shownValues, &view->shownValueCapacity, count, sizeof(*view->shownValues)) ||
        !Grow(&view->shownArrows, &view->shownArrowCapacity, count, sizeof(*view->shownArrows)))
        return false;
    *shown = (qvShownPoints){ .points = view->shownPoints, .values = view->shownValues, .arrows = view->shownArrows };
    return qvStepped_Show(stepped, tag, time, view->scratch, shown);
}

void qvShownPoints_Scale(qvShownPoints* shown)
{
    for (int i = 0; i < shown->count; i++)
    {
        const double* range = shown->channel->range;
        shown->values[i] = (float)fmin(fmax((shown->values[i] - range[0]) / (range[1] - range[0]), 0.0), 1.0);
    }
}

void qvTakeView_Wavefronts(qvTakeView* view, double time, qvPool* pool, float* values)
{
    const qvTake* take = view->take;
    int n = take->body->mesh->pointCount;
    float* own = (float*)(void*)view->numbers;
    memset(values, 0, (size_t)n * sizeof(*values));
    for (int i = 0; time < qvTake_ChangesFrom(take) && i < take->layers.count; i++)
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
