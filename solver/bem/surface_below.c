// SPDX-License-Identifier: GPL-3.0-or-later
#include "bem/surface_model.h"

#include "base/memory.h"

#include <stdlib.h>

void qvSurfaceRoom_Free(qvSurfaceRoom* room)
{
    qvBelow_Close(&room->below);
    free(room->part);
    free(room->carrier);
    free(room->fit);
    free(room->surface);
}

bool qvSurfaceRoom_Make(const qvSurfaceModel* model, qvSurfaceRoom* room)
{
    size_t carrier = 1, fit = 1;
    for (int b = 0; b < model->partCount; b++)
    {
        const qvBemShape* shape = model->parts[b].shape;
        size_t in = qvCarrier_ScratchSize(shape->in);
        size_t size = 3 * (size_t)shape->proxy->vertexCount + 3 * (size_t)shape->model->modeCount + 6;
        carrier = carrier > in ? carrier : in;
        fit = fit > size ? fit : size;
    }
    for (int w = 0; w < model->wholeCount; w++)
    {
        size_t out = qvCarrier_ScratchSize(qvSurfaceModel_Carrier(model, &model->wholes[w]));
        carrier = carrier > out ? carrier : out;
    }
    room->surface = qvAllocateRaw((size_t)qvSurfaceModel_RoomCount(model), sizeof(*room->surface));
    room->part = qvAllocateRaw((size_t)qvSurfaceModel_PointCount(model), sizeof(*room->part));
    room->carrier = qvAllocateRaw(1, carrier);
    room->fit = qvAllocateRaw(fit, sizeof(double));
    return room->part != NULL && room->carrier != NULL && room->surface != NULL && room->fit != NULL &&
           qvBelow_Open(&room->below, model->input);
}

void qvSurfaceRoom_Gather(const qvBemPart* part, const qvVec3f* points, const qvSurfaceRoom* room)
{
    for (int i = 0; i < part->pointCount; i++)
        room->part[i] = qvVec3_FromFloat(points[part->points[i]]);
}

static void VerticesBelow(const qvSurfaceModel* model, double time, const qvSurfaceRoom* room, qvVec3* vertices)
{
    const qvVec3f* points = qvBelow_Points(&room->below, time);
    for (int b = 0; b < model->partCount; b++)
    {
        const qvBemPart* part = &model->parts[b];
        qvSurfaceRoom_Gather(part, points, room);
        qvCarrier_Carry(part->shape->in, room->part, NULL, room->carrier, NULL, vertices + part->firstVertex);
    }
}

void qvSurfaceRoom_Motion(const qvSurfaceModel* model, double time, const qvSurfaceRoom* room, const qvMoving* motion)
{
    VerticesBelow(model, time - qvBelow_Near, room, motion->at);
    VerticesBelow(model, time + qvBelow_Near, room, motion->velocity);
    for (int v = 0; v < model->vertexCount; v++)
        motion->velocity[v] = qvScale(0.5 / qvBelow_Near, qvSub(motion->velocity[v], motion->at[v]));
    VerticesBelow(model, time, room, motion->at);
}
