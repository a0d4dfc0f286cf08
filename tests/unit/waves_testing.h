// SPDX-License-Identifier: GPL-3.0-or-later
// A body for the tests of waves, and layers on it.
#pragma once

#include "testing.h"

#include "quaver/primitive.h"
#include "quaver/waves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Body
{
    qvMesh* mesh;
    qvTopology* topology;
    int count;
    qvVec3f* rest;
    double diagonal;
    qvStillBase still;
} Body;

static inline void InitBody(Body* body, qvMesh* mesh)
{
    qvError error;
    *body = (Body){ .mesh = mesh, .count = mesh->pointCount };
    ASSERT_OK(qvCreateTopology(mesh, &body->topology, &error), error);
    body->rest = calloc((size_t)body->count, sizeof(qvVec3f));
    qvMesh_GatherPoints(mesh, mesh->positions, body->rest);
    body->diagonal = qvBox_Diagonal(qvComputeBounds(body->rest, body->count));
    body->still = (qvStillBase){ body->rest, body->count };
}

static inline void MakeBody(Body* body, const char* tag, int resolution)
{
    qvError error;
    qvMesh* mesh;
    ASSERT_OK(qvCreatePrimitive(tag, resolution, &mesh, &error), error);
    InitBody(body, mesh);
}

static inline void FreeBody(Body* body)
{
    free(body->rest);
    qvDestroyTopology(body->topology);
    qvDestroyMesh(body->mesh);
}

/// A layer on the body at rest.
static inline qvWaveLayerDef StillDef(const Body* body, const qvWaveEvent* events, int count)
{
    qvWaveLayerDef def = qvDefaultWaveLayerDef();
    def.topology = body->topology;
    def.rest = body->rest;
    def.base = qvMakeStillBase(&body->still);
    def.events = events;
    def.eventCount = count;
    return def;
}

static inline qvWaveLayer* MustMake(const qvWaveLayerDef* def)
{
    qvError error;
    qvWaveLayer* layer;
    ASSERT_OK(qvCreateWaveLayer(def, NULL, &layer, &error), error);
    return layer;
}

/// Displacements at a time; the scratch holds garbage before.
static inline qvVec3f* Displacements(const qvWaveLayer* layer, int count, double time, qvPool* pool)
{
    size_t size = qvWaveLayer_ScratchSize(layer);
    void* scratch = malloc(size);
    memset(scratch, 0xff, size);
    qvVec3f* out = calloc((size_t)count, sizeof(qvVec3f));
    qvWaveLayer_Displacements(layer, time, scratch, pool, out);
    free(scratch);
    return out;
}

/// The layer added to points.
static inline void AddLayer(const qvWaveLayer* layer, double time, qvPool* pool, qvVec3f* points)
{
    size_t size = qvWaveLayer_ScratchSize(layer);
    void* scratch = malloc(size);
    memset(scratch, 0xff, size);
    qvWaveLayer_Add(layer, time, scratch, pool, points);
    free(scratch);
}

static inline double SizeOf(qvVec3f v)
{
    return qvLength(qvVec3_FromFloat(v));
}

static inline double LargestSize(const qvVec3f* v, int count)
{
    double largest = 0.0;
    for (int i = 0; i < count; i++)
    {
        if (!(SizeOf(v[i]) <= largest)) // also when it is no number
            largest = SizeOf(v[i]);
    }
    return largest;
}

static inline double LargestDistance(const qvVec3f* a, const qvVec3f* b, int count)
{
    double largest = 0.0;
    for (int i = 0; i < count; i++)
    {
        double d = qvDistance(qvVec3_FromFloat(a[i]), qvVec3_FromFloat(b[i]));
        if (!(d <= largest))
            largest = d;
    }
    return largest;
}

/// How far the layer moves the points at most at a time.
static inline double LargestAt(const qvWaveLayer* layer, int count, double time)
{
    qvVec3f* d = Displacements(layer, count, time, NULL);
    double largest = LargestSize(d, count);
    free(d);
    return largest;
}

/// A grab on a point of the body.
static inline qvWaveEvent GrabEvent(const Body* body, int vertex, double time, qvVec3 drag)
{
    qvWaveEvent event = qvDefaultWaveEvent(body->diagonal);
    event.def.vertex = vertex;
    event.def.time = time;
    event.def.stroke.drag = drag;
    event.def.stroke.radius = 0.3;
    return event;
}
