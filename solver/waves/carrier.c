// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes of keys where what carries them, such as a clip, has the body: there strokes act, and waves start.
#include "layer/offsets.h"
#include "math/affine.h"
#include "waves/layer.h"

#include <stdlib.h>

// What moves shapes.
typedef struct Desk
{
    const qvBaseMotion* carrier;
    int count;
    qvVec3f *rest, *work, *shape; // [count]
    void* scratch;
} Desk;

static qvVec3f PlaceOf(const double* points, int i)
{
    return (qvVec3f){ (float)points[3 * i], (float)points[3 * i + 1], (float)points[3 * i + 2] };
}

static void FreeDesk(Desk* desk)
{
    free(desk->rest);
    free(desk->scratch);
}

static qvResult MakeDesk(const qvWaveLayer* layer, Desk* desk, qvError* error)
{
    size_t n = (size_t)layer->pointCount;
    *desk = (Desk){ .carrier = &layer->carrier, .count = layer->pointCount };
    desk->rest = qvAllocateRaw(3 * n, sizeof(*desk->rest));
    desk->scratch = qvAllocateRaw(layer->carrier.scratchSize, 1);
    if (desk->rest == NULL || desk->scratch == NULL)
        return qvError_OutOfMemory(error, 36.0 * (double)n);
    desk->work = desk->rest + n, desk->shape = desk->work + n;
    for (int i = 0; i < layer->pointCount; i++)
        desk->rest[i] = PlaceOf(layer->rest, i);
    return qv_ok;
}

// A shape of a key where the carrier has it at a time.
static void CarryShape(const Desk* desk, const double* shape, double time, double* carried)
{
    for (int i = 0; i < desk->count; i++)
        desk->shape[i] = PlaceOf(shape, i);
    qvAddOffsets(desk->carrier, desk->rest, time, desk->scratch, NULL, desk->work, desk->shape);
    for (int i = 0; i < desk->count; i++)
    {
        qvVec3f p = desk->shape[i];
        carried[3 * i] = p.x, carried[3 * i + 1] = p.y, carried[3 * i + 2] = p.z;
    }
}

qvResult qvWaveLayer_FindShapes(const qvWaveLayer* layer, const qvKeyWave* key, double time, qvKeyShapes* shapes,
                                qvError* error)
{
    *shapes = (qvKeyShapes){ .key = key, .acted = key->base, .base = key->base, .pose = key->pose };
    if (layer->carrier.points == NULL)
        return qv_ok;
    Desk desk;
    qvResult result = MakeDesk(layer, &desk, error);
    size_t size = 3 * (size_t)layer->pointCount;
    double* carried = shapes->carried = qvAllocateRaw(3 * size, sizeof(*carried));
    if (result == qv_ok && carried == NULL)
        result = qvError_OutOfMemory(error, 3.0 * (double)size * sizeof(*carried));
    if (result == qv_ok)
    {
        CarryShape(&desk, key->base, key->time, carried);
        CarryShape(&desk, key->base, time, carried + size);
        CarryShape(&desk, key->pose, time, carried + 2 * size);
        shapes->acted = carried, shapes->base = carried + size, shapes->pose = carried + 2 * size;
    }
    FreeDesk(&desk);
    return result;
}

static void MoveOn(const Desk* desk, const qvAffine* frame, double from, double to, qvVec3f* points)
{
    for (int i = 0; i < desk->count; i++)
    {
        qvVec3 p = qvSub(qvVec3_FromFloat(points[i]), frame->offset);
        points[i] = qvVec3_ToFloat(qvAffine_TransposedVector(frame, p));
    }
    qvRemoveOffsets(desk->carrier, desk->rest, from, desk->scratch, desk->work, points);
    qvAddOffsets(desk->carrier, desk->rest, to, desk->scratch, NULL, desk->work, points);
    for (int i = 0; i < desk->count; i++)
        points[i] = qvVec3_ToFloat(qvAffine_Point(frame, qvVec3_FromFloat(points[i])));
}

qvResult qvWaveLayer_CarryOn(const qvWaveLayer* layer, const qvAffine* frame, double from, double to, qvVec3f* points,
                             qvError* error)
{
    if (layer->carrier.points == NULL)
        return qv_ok;
    Desk desk;
    qvResult result = MakeDesk(layer, &desk, error);
    if (result == qv_ok)
        MoveOn(&desk, frame, from, to, points);
    FreeDesk(&desk);
    return result;
}
