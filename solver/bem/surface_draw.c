// SPDX-License-Identifier: GPL-3.0-or-later
// The body's points: carried by the vertices, kept out of obstacles and corrected where they are pinned.
#include "bem/surface_model.h"

#include "quaver/obstacle.h"

#include <math.h>

enum
{
    PUSH_GRAIN = 256,
};

static const double COMING_OUT = 0.1; // s that the surface takes to come out of what it starts inside of

// What placing them takes: all vertices, those of a part in pieces, the points of a part, obstacles, scratch of a
// carrier; of pins: the points in the motion below, and its own scratch.
typedef struct Places
{
    qvVec3 *vertices, *surface, *part;
    qvObstaclePlace* obstacles;
    char* carrier;
    qvVec3f* below;
    char* scratch;
} Places;

static size_t CarrierSize(const qvSurfaceModel* model)
{
    size_t most = 0;
    for (int w = 0; w < model->wholeCount; w++)
    {
        size_t size = qvCarrier_ScratchSize(qvSurfaceModel_Carrier(model, &model->wholes[w]));
        most = most > size ? most : size;
    }
    return most;
}

static int ObstacleCount(const qvSurfaceModel* model)
{
    return model->input->obstacles != NULL ? qvObstacles_Count(model->input->obstacles) : 0;
}

size_t qvSurfaceModel_ScratchSize(const void* object)
{
    const qvSurfaceModel* model = object;
    size_t points = (size_t)qvSurfaceModel_PointCount(model);
    return ((size_t)model->vertexCount + (size_t)qvSurfaceModel_RoomCount(model) + points) * sizeof(qvVec3) +
           (size_t)ObstacleCount(model) * sizeof(qvObstaclePlace) + CarrierSize(model) + points * sizeof(double[2]) +
           model->input->below.scratchSize;
}

static Places Divide(const qvSurfaceModel* model, void* scratch)
{
    Places places = { .vertices = scratch };
    places.surface = places.vertices + model->vertexCount;
    places.part = places.surface + qvSurfaceModel_RoomCount(model);
    places.obstacles = (qvObstaclePlace*)(places.part + qvSurfaceModel_PointCount(model));
    places.carrier = (char*)(places.obstacles + ObstacleCount(model));
    places.below = (qvVec3f*)(places.carrier + CarrierSize(model));
    places.scratch = (char*)places.below + (size_t)qvSurfaceModel_PointCount(model) * sizeof(double[2]);
    return places;
}

// --- Out of obstacles ------------------------------------------------------------------------------------------------

typedef struct Pushing
{
    const qvObstacles* obstacles;
    const qvObstaclePlace* places;
    double share;
    qvVec3f* points;
} Pushing;

static void PushOf(void* context, int begin, int end)
{
    const Pushing* pushing = context;
    for (int i = begin; i < end; i++)
    {
        qvVec3 x = qvVec3_FromFloat(pushing->points[i]);
        qvObstacleTouch touch = qvObstacles_Nearest(pushing->obstacles, pushing->places, x);
        if (touch.distance < 0.0)
            pushing->points[i] = qvVec3_ToFloat(qvMulAdd(x, -pushing->share * touch.distance, touch.normal));
    }
}

// Vertices are what meets obstacles; where the surface bulges between them it goes straight out.
static void PushOut(const qvSurfaceModel* model, double time, qvObstaclePlace* places, qvPool* pool, qvVec3f* points)
{
    if (ObstacleCount(model) == 0)
        return;
    double x = model->isBorrowed ? 1.0 : fmin(fmax((time - model->input->def.time) / COMING_OUT, 0.0), 1.0);
    Pushing pushing = { model->input->obstacles, places, x * x * (3.0 - 2.0 * x), points };
    qvObstacles_Place(model->input->obstacles, time, places);
    qvParallelFor(pool, qvSurfaceModel_PointCount(model), PUSH_GRAIN, PushOf, &pushing);
}

void qvSurfaceModel_Points(const void* object, double time, const float* values, void* scratch, qvPool* pool,
                           qvVec3f* points)
{
    const qvSurfaceModel* model = object;
    const qvBaseMotion* below = &model->input->below;
    Places places = Divide(model, scratch);
    if (model->input->def.follow >= 1.0)
    {
        below->points(below->context, time, places.scratch, pool, points);
        return;
    }
    for (int v = 0; v < model->vertexCount; v++)
        places.vertices[v] = qvMakeVec3(values[3 * v], values[3 * v + 1], values[3 * v + 2]);
    for (int w = 0; w < model->wholeCount; w++)
    {
        const qvSurfaceWhole* whole = &model->wholes[w];
        const qvBemPart* part = &model->parts[whole->firstPart];
        const qvVec3* surface = qvSurfaceModel_Surface(model, whole, places.vertices, places.surface);
        qvCarrier_Carry(qvSurfaceModel_Carrier(model, whole), surface, part->rests, places.carrier, pool, places.part);
        for (int i = 0; i < part->pointCount; i++)
            points[part->points[i]] = qvVec3_ToFloat(places.part[i]);
    }
    PushOut(model, time, places.obstacles, pool, points);
    if (!qvBemPins_IsActive(model->pins, time))
        return;
    below->points(below->context, time, places.scratch, pool, places.below);
    qvBemPins_Apply(model->pins, time, places.below, points);
}
