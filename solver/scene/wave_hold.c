// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene/wave_hold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double HOLD_WIDTH = 0.1; // of the diagonal, along the surface

// From 0 at a pin to 1, with two continuous derivatives.
static float Ramp(double u)
{
    return u < 1.0 ? (float)(u * u * u * (10.0 + u * (6.0 * u - 15.0))) : 1.0f;
}

static qvResult MakePin(const qvSolving* solving, const qvScenePin* pin, float** left, qvError* error)
{
    const qvBody* body = solving->body;
    int32_t* points = NULL;
    int count = 0, n = body->mesh->pointCount;
    double width = HOLD_WIDTH * body->diagonal;
    *left = qvAllocateRaw((size_t)n, sizeof(**left));
    if (*left == NULL)
        return qvError_OutOfMemory(error, (double)n * sizeof(**left));
    qvResult result = qvVertexSet_Points(&pin->where, body, &points, &count, error);
    if (result == qv_ok)
        result = qvComputeDistances(body->topology, body->rest, points, count, width, solving->job, *left, error);
    for (int i = 0; result == qv_ok && i < n; i++)
        (*left)[i] = Ramp((*left)[i] / width);
    free(points);
    return result;
}

qvResult qvMakeWaveHold(const qvSolving* solving, qvWaveHold* hold, qvError* error)
{
    size_t pins = (size_t)solving->scene->pinCount;
    *hold = (qvWaveHold){ .scene = solving->scene, .pointCount = solving->body->mesh->pointCount };
    hold->left = qvAllocate(pins, sizeof(*hold->left));
    hold->pins = qvAllocate(pins, sizeof(*hold->pins));
    hold->lastPins = qvAllocate(pins, sizeof(*hold->lastPins));
    if (hold->left == NULL || hold->pins == NULL || hold->lastPins == NULL)
        return qvError_OutOfMemory(error, (double)pins * sizeof(*hold->left));
    qvResult result = qv_ok;
    for (size_t i = 0; result == qv_ok && i < pins; i++)
        result = MakePin(solving, solving->scene->pins[i], &hold->left[i], error);
    return result;
}

void qvFreeWaveHold(qvWaveHold* hold)
{
    for (int i = 0; hold->left != NULL && i < hold->scene->pinCount; i++)
        free(hold->left[i]);
    for (int i = 0; i < hold->masks.count; i++)
        free(hold->masks.items[i]);
    free(hold->masks.items);
    free(hold->left);
    free(hold->pins);
    free(hold->lastPins);
    *hold = (qvWaveHold){ 0 };
}

// When keys have stopped what starts at a time.
static double EndOf(const qvScene* scene, double time)
{
    for (int i = 0; scene->keepKeys && i < scene->keyCount; i++)
    {
        if (isinf(scene->keys[i]->weight) && scene->keys[i]->time > time)
            return scene->keys[i]->time;
    }
    return INFINITY;
}

// Marks the pins that hold while the wave is there; in a loop all, because it may come round. False when none does.
static bool MarkPins(const qvScene* scene, double time, bool* marks)
{
    double end = EndOf(scene, time);
    bool any = false;
    for (int i = 0; i < scene->pinCount; i++)
    {
        const qvScenePin* pin = scene->pins[i];
        marks[i] = scene->loop || (pin->to > time && pin->from < end);
        any = any || marks[i];
    }
    return any;
}

static qvResult MakeMask(qvWaveHold* hold, const float* own, qvError* error)
{
    size_t n = (size_t)hold->pointCount;
    float* mask = qvAllocateRaw(n, sizeof(*mask));
    if (mask == NULL || !QV_PUSH(hold->masks, mask))
    {
        free(mask);
        return qvError_OutOfMemory(error, (double)n * sizeof(*mask));
    }
    for (size_t i = 0; i < n; i++)
    {
        float left = 1.0f;
        for (int k = 0; k < hold->scene->pinCount; k++)
            left = hold->pins[k] ? fminf(left, hold->left[k][i]) : left;
        mask[i] = own != NULL ? own[i] * left : left;
    }
    hold->lastMask = mask, hold->lastOwn = own;
    memcpy(hold->lastPins, hold->pins, (size_t)hold->scene->pinCount * sizeof(*hold->pins));
    return qv_ok;
}

qvResult qvWaveHold_Mask(qvWaveHold* hold, double time, const float* own, const float** mask, qvError* error)
{
    *mask = own;
    if (!MarkPins(hold->scene, time, hold->pins))
        return qv_ok;
    bool same = hold->lastMask != NULL && hold->lastOwn == own &&
                memcmp(hold->lastPins, hold->pins, (size_t)hold->scene->pinCount * sizeof(*hold->pins)) == 0;
    qvResult result = same ? qv_ok : MakeMask(hold, own, error);
    if (result == qv_ok)
        *mask = hold->lastMask;
    return result;
}
