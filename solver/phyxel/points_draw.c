// SPDX-License-Identifier: GPL-3.0-or-later
// What is drawn of a body of phyxels in a frame. The deformation since the span's start follows from the positions of
// the phyxels and from the neighbours at the start, and both carry the body's points (surface.h): what the material's
// own reference did in between, as it melts or keeps dents, does not matter to them. A body that has set is drawn as it
// was then (set_shape.h).
#include "phyxel/points_model.h"

#include "base/memory.h"
#include "math/decompose3.h"
#include "phyxel/kernel.h"
#include "phyxel/set_shape.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum
{
    PUSH_GRAIN = 1024, // points
};

static const double COMING_OUT = 0.1; // s that the surface takes to come out of what it starts inside of
static const double MOST_OUT = 0.99;  // of the way out that vertices of torn bodies go

// What placing points takes: of the phyxels positions and gradients, as the kernel and as the surface want them; and
// the points in doubles.
typedef struct Room
{
    double (*positions)[4];
    double (*columns)[3][4];
    qvVec3* phyxels;
    qvMat3* gradients;
    qvVec3* points;
    qvVec3f* below; // of pins: the points in the motion below, and its own scratch
    qvObstaclePlace* places;
    void* scratch;
} Room;

static int PointCount(const qvPointsModel* model)
{
    return model->input->mesh->pointCount;
}

static int ObstacleCount(const qvPointsModel* model)
{
    return model->input->obstacles != NULL ? qvObstacles_Count(model->input->obstacles) : 0;
}

static double LargestOf(const qvCurve* curve)
{
    double largest = 0.0;
    for (int k = 0; k < curve->count; k++)
        largest = fmax(largest, curve->knots[k][1]);
    return largest;
}

// A body that the span before has made flow keeps what has flowed.
static bool MayFlow(const qvPointsModel* model)
{
    return model->isBorrowed || LargestOf(&model->terms.melt) > 0.0 || LargestOf(&model->terms.dent) > 0.0;
}

qvPointsFrame qvPointsModel_Frame(const qvPointsModel* model)
{
    int n = model->body->count;
    qvPointsFrame frame = { .count = 3 * n };
    if (MayFlow(model))
    {
        frame.flowed = frame.count;
        frame.count += n;
    }
    if (model->flow != NULL)
    {
        frame.tears = frame.count;
        frame.count += n;
    }
    if (model->shapes != NULL)
    {
        frame.set = frame.count;
        frame.count += qv_setPlace + 3 * n;
    }
    if (model->input->def.impacts > 0.0)
    {
        frame.impacts = frame.count;
        frame.count += qv_mostImpacts * qv_impactNumbers;
    }
    return frame;
}

size_t qvPoints_ScratchSize(const void* object)
{
    const qvPointsModel* model = object;
    size_t ofPhyxel = sizeof(double[4]) + sizeof(double[3][4]) + sizeof(qvVec3) + sizeof(qvMat3);
    size_t ofPoint = sizeof(qvVec3) + sizeof(double[2]); // a qvVec3f and some more, so that what follows is aligned
    return (size_t)model->body->count * ofPhyxel + (size_t)PointCount(model) * ofPoint +
           (size_t)ObstacleCount(model) * sizeof(qvObstaclePlace) + model->input->below.scratchSize;
}

static Room Divide(const qvPointsModel* model, void* scratch)
{
    size_t count = (size_t)model->body->count;
    Room room = { .positions = scratch };
    room.columns = (double(*)[3][4])(room.positions + count);
    room.phyxels = (qvVec3*)(room.columns + count);
    room.gradients = (qvMat3*)(room.phyxels + count);
    room.points = (qvVec3*)(room.gradients + count);
    room.below = (qvVec3f*)(room.points + PointCount(model));
    room.places = (qvObstaclePlace*)((double*)(room.points + PointCount(model)) + 2 * PointCount(model));
    room.scratch = room.places + ObstacleCount(model);
    return room;
}

// --- Out of obstacles ------------------------------------------------------------------------------------------------

typedef struct Pushing
{
    qvFlowLimits limits;
    qvVec3* points;
} Pushing;

static void PushOf(void* context, int begin, int end)
{
    const Pushing* pushing = context;
    for (int i = begin; i < end; i++)
        pushing->points[i] = qvFlowLimits_Move(&pushing->limits, pushing->points[i]);
}

// A body that is let go inside of an obstacle starts where its keys have it.
static double PartOut(const qvPointsModel* model, double time)
{
    return model->isBorrowed ? 1.0 : qvSmoothStep((time - model->input->def.time) / COMING_OUT);
}

// Phyxels stay out of obstacles by their depth under the surface; what the surface still has inside, where it bends
// more than they can show, goes straight out.
static void PushOut(const qvPointsModel* model, double time, double part, qvObstaclePlace* places, int count,
                    qvVec3* points, qvPool* pool)
{
    Pushing pushing = { { model->input->obstacles, places, part * PartOut(model, time) }, points };
    if (ObstacleCount(model) == 0)
        return;
    qvObstacles_Place(model->input->obstacles, time, places);
    qvParallelFor(pool, count, PUSH_GRAIN, PushOf, &pushing);
}

// --- Carried by phyxels ----------------------------------------------------------------------------------------------

// shape: which it has set in; NULL: none.
static void FindGradients(const qvPointsModel* model, const qvSetShape* shape, const float* positions, const Room* room)
{
    int count = model->body->count;
    const double(*at)[4] = (const double(*)[4])room->positions;
    for (int i = 0; i < count; i++)
    {
        const float* x = positions + 3 * i;
        room->phyxels[i] = qvMakeVec3(x[0], x[1], x[2]);
        memcpy(room->positions[i], (const double[4]){ x[0], x[1], x[2], 0.0 }, sizeof(room->positions[i]));
    }
    qvPhyxelListsD lists = qvPhyxelReference_Lists(&model->body->reference);
    if (shape != NULL)
        qvSetShape_Gradients(shape, at, room->columns);
    else
        qvGetPhyxelKernelD()->gradients(&lists, 0, count, at, room->columns);
    for (int i = 0; i < count; i++)
    {
        for (int k = 0; k < 9; k++)
            room->gradients[i].m[k % 3][k / 3] = room->columns[i][k / 3][k % 3];
    }
}

static void CarryPoints(const qvPointsModel* model, const qvSetShape* shape, double time, const float* positions,
                        const Room* room, qvPool* pool)
{
    FindGradients(model, shape, positions, room);
    qvPhyxelSurface_Carry(shape != NULL ? qvSetShape_Points(shape) : model->surface, room->phyxels, room->gradients,
                          pool, room->points);
    PushOut(model, time, 1.0, room->places, PointCount(model), room->points, pool);
}

static qvResult ExtractFlow(const qvPointsModel* model, double time, const float* positions, const float* tears,
                            const qvVec3f* points, qvPool* pool, qvMesh** mesh, qvError* error)
{
    int count = model->body->count, obstacleCount = ObstacleCount(model);
    qvVec3* phyxels = qvAllocateRaw((size_t)count, sizeof(*phyxels));
    double* ownTears = qvAllocateRaw((size_t)count, sizeof(*ownTears));
    qvObstaclePlace* places = qvAllocateRaw((size_t)obstacleCount, sizeof(*places));
    qvResult result = qv_ok;
    if (phyxels == NULL || ownTears == NULL || places == NULL)
        result = qvError_OutOfMemory(error, 32.0 * count + 100.0 * obstacleCount);
    else
    {
        qvFlowLimits limits = { model->input->obstacles, places, MOST_OUT * PartOut(model, time) };
        if (obstacleCount > 0)
            qvObstacles_Place(limits.obstacles, time, places);
        for (int i = 0; i < count; i++)
        {
            phyxels[i] = qvMakeVec3(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]);
            ownTears[i] = tears[i];
        }
        result = qvFlowSurface_Extract(model->flow, phyxels, ownTears, points, obstacleCount > 0 ? &limits : NULL, pool,
                                       mesh, error);
    }
    free(phyxels);
    free(ownTears);
    free(places);
    return result;
}

// --- What it has set in ----------------------------------------------------------------------------------------------

// A shape follows from a frame's numbers, and all frames from the same moment on give the same one: it is made for the
// first of them that is drawn. There are as many as the body sets in the span.
typedef struct Known
{
    struct Known* next;
    qvSetShape* shape; // NULL: there was no memory for it
    float key[];       // what the frames have behind `set`
} Known;

struct qvSetShapes
{
    pthread_mutex_t lock;
    Known* first;
};

qvResult qvCreateSetShapes(qvSetShapes** shapes, qvError* error)
{
    *shapes = qvAllocate(1, sizeof(**shapes));
    if (*shapes == NULL)
        return qvError_OutOfMemory(error, sizeof(**shapes));
    pthread_mutex_init(&(*shapes)->lock, NULL);
    return qv_ok;
}

void qvDestroySetShapes(qvSetShapes* shapes)
{
    if (shapes == NULL)
        return;
    while (shapes->first != NULL)
    {
        Known* known = shapes->first;
        shapes->first = known->next;
        qvDestroySetShape(known->shape);
        free(known);
    }
    pthread_mutex_destroy(&shapes->lock);
    free(shapes);
}

// What was drawn at the moment in which it set.
static qvResult MakeShape(const qvPointsModel* model, const float* values, qvSetShape** shape, qvError* error)
{
    qvPointsFrame frame = qvPointsModel_Frame(model);
    int pointCount = PointCount(model);
    double since = values[frame.set + 1];
    const float* positions = values + frame.set + qv_setPlace;
    void* scratch = qvAllocateRaw(1, qvPoints_ScratchSize(model));
    qvVec3f* points = qvAllocateRaw((size_t)pointCount, sizeof(*points));
    qvMesh* torn = NULL;
    qvResult result = qv_ok;
    if (scratch == NULL || points == NULL)
        result = qvError_OutOfMemory(error, 12.0 * pointCount);
    else
    {
        Room room = Divide(model, scratch);
        CarryPoints(model, NULL, since, positions, &room, NULL);
        for (int i = 0; i < pointCount; i++)
            points[i] = qvVec3_ToFloat(room.points[i]);
        if (model->flow != NULL)
            result = ExtractFlow(model, since, positions, values + frame.tears, points, NULL, &torn, error);
        if (result == qv_ok)
            result = qvCreateSetShape(model->body, room.phyxels, pointCount, room.points, torn, shape, error);
    }
    free(scratch);
    free(points);
    return result;
}

// NULL: it has not set, or there is no memory to draw it so.
static const qvSetShape* ShapeOf(const qvPointsModel* model, const float* values)
{
    qvPointsFrame frame = qvPointsModel_Frame(model);
    qvSetShapes* shapes = model->shapes;
    if (shapes == NULL || values[frame.set] != 1.0f)
        return NULL;
    size_t bytes = (size_t)(frame.count - frame.set) * sizeof(float);
    pthread_mutex_lock(&shapes->lock);
    Known* known = shapes->first;
    while (known != NULL && memcmp(known->key, values + frame.set, bytes) != 0)
        known = known->next;
    if (known == NULL && (known = qvAllocate(1, sizeof(*known) + bytes)) != NULL)
    {
        qvError ignored;
        memcpy(known->key, values + frame.set, bytes);
        if (MakeShape(model, values, &known->shape, &ignored) != qv_ok)
            known->shape = NULL;
        known->next = shapes->first;
        shapes->first = known;
    }
    pthread_mutex_unlock(&shapes->lock);
    return known != NULL ? known->shape : NULL;
}

// --- Drawing ---------------------------------------------------------------------------------------------------------

static void HoldPins(const qvPointsModel* model, double time, const Room* room, qvPool* pool, qvVec3f* points)
{
    const qvBaseMotion* below = &model->input->below;
    double clock = time - model->input->def.time;
    if (!qvPhyxelPins_IsActive(model->pins, clock))
        return;
    below->points(below->context, time, room->scratch, pool, room->below);
    qvPhyxelPins_Apply(model->pins, clock, room->below, points);
}

void qvPoints_Draw(const void* object, double time, const float* values, void* scratch, qvPool* pool, qvVec3f* points)
{
    const qvPointsModel* model = object;
    Room room = Divide(model, scratch);
    CarryPoints(model, ShapeOf(model, values), time, values, &room, pool);
    for (int i = 0; i < PointCount(model); i++)
        points[i] = qvVec3_ToFloat(room.points[i]);
    HoldPins(model, time, &room, pool, points);
}

static qvResult MoveShape(const qvPointsModel* model, const qvSetShape* shape, double time, const float* values,
                          qvPool* pool, qvMesh** mesh, qvError* error)
{
    int count = qvSetShape_Mesh(shape)->vertexCount;
    void* scratch = qvAllocateRaw(1, qvPoints_ScratchSize(model));
    qvVec3* vertices = qvAllocateRaw((size_t)count, sizeof(*vertices));
    qvVec3f* moved = qvAllocateRaw((size_t)count, sizeof(*moved));
    qvResult result = qv_ok;
    if (scratch == NULL || vertices == NULL || moved == NULL)
        result = qvError_OutOfMemory(error, 36.0 * count);
    else
    {
        Room room = Divide(model, scratch);
        FindGradients(model, shape, values, &room);
        qvPhyxelSurface_Carry(qvSetShape_Vertices(shape), room.phyxels, room.gradients, pool, vertices);
        PushOut(model, time, MOST_OUT, room.places, count, vertices, pool);
        for (int v = 0; v < count; v++)
            moved[v] = qvVec3_ToFloat(vertices[v]);
        result = qvSetShape_MoveMesh(shape, moved, mesh, error);
    }
    free(scratch);
    free(vertices);
    free(moved);
    return result;
}

// How much longer or shorter, as a part of its length, the direction is that has changed most.
static double StretchOf(const qvMat3* gradient)
{
    qvMat3 transposed = qvMat3_Transpose(gradient), square = qvMat3_Product(&transposed, gradient), vectors;
    double values[3];
    qvEigenSymmetric3(&square, values, &vectors);
    return fmax(sqrt(fmax(values[2], 0.0)) - 1.0, 1.0 - sqrt(fmax(values[0], 0.0)));
}

void qvPoints_Show(const void* object, int channel, double time, const float* values, void* scratch, qvVec3f* points,
                   float* shown, qvVec3f* arrows)
{
    const qvPointsModel* model = object;
    (void)arrows; // of no channel
    Room room = Divide(model, scratch);
    int flowed = qvPointsModel_Frame(model).flowed;
    double melt = qvPhyxelCurve_At(&model->terms.melt, time - model->input->def.time);
    if (channel == qv_channelStretch)
        FindGradients(model, ShapeOf(model, values), values, &room);
    for (int i = 0; i < model->body->count; i++)
    {
        double part = channel == qv_channelStretch   ? StretchOf(&room.gradients[i])
                      : channel == qv_channelPlastic ? (flowed > 0 ? values[flowed + i] : 0.0)
                                                     : melt;
        shown[i] = (float)(100.0 * part);
        points[i] = (qvVec3f){ values[3 * i], values[3 * i + 1], values[3 * i + 2] };
    }
}

qvResult qvPoints_Extract(const void* object, double time, const float* values, const qvVec3f* points, qvPool* pool,
                          qvMesh** mesh, qvError* error)
{
    const qvPointsModel* model = object;
    *mesh = NULL;
    if (model->flow == NULL)
        return qv_ok;
    const qvSetShape* shape = ShapeOf(model, values);
    if (shape == NULL)
        return ExtractFlow(model, time, values, values + qvPointsModel_Frame(model).tears, points, pool, mesh, error);
    return qvSetShape_Mesh(shape) != NULL ? MoveShape(model, shape, time, values, pool, mesh, error) : qv_ok;
}
