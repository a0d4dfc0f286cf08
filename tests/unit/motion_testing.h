// SPDX-License-Identifier: GPL-3.0-or-later
// A body with poses for the tests of motions.
#pragma once

#include "testing.h"

#include "quaver/motion.h"
#include "quaver/primitive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MAX_POSES = 8
};

typedef struct Actor
{
    qvMesh* mesh;
    qvTopology* topology;
    int size; // 3 pointCount
    double* rest;
    double* points[MAX_POSES];
    qvMotionPose poses[MAX_POSES];
    qvMotionSpaceDef def;
    qvMotionSpace* space;
} Actor;

static inline Actor MakeActorOf(qvMesh* mesh)
{
    qvError error;
    Actor actor = { .mesh = mesh, .size = 3 * mesh->pointCount };
    ASSERT_OK(qvCreateTopology(mesh, &actor.topology, &error), error);
    actor.rest = calloc((size_t)actor.size, sizeof(double));
    for (int i = 0; i < mesh->pointCount; i++)
    {
        qvVec3f p = mesh->positions[mesh->pointVertex[i]];
        actor.rest[3 * i] = p.x, actor.rest[3 * i + 1] = p.y, actor.rest[3 * i + 2] = p.z;
    }
    actor.def = qvDefaultMotionSpaceDef();
    actor.def.topology = actor.topology;
    actor.def.rest = actor.rest;
    actor.def.poses = NULL;
    actor.def.material.modes = 8;
    return actor;
}

static inline Actor MakeActor(const char* tag, int resolution)
{
    qvError error;
    qvMesh* mesh;
    ASSERT_OK(qvCreatePrimitive(tag, resolution, &mesh, &error), error);
    return MakeActorOf(mesh);
}

/// Two blocks, 5 apart.
static inline qvMesh* MakePair(void)
{
    qvError error;
    qvMesh *block, *pair;
    ASSERT_OK(qvCreatePrimitive("block", 2, &block, &error), error);
    int n = block->vertexCount, t = block->triangleCount;
    qvVec3f* positions = calloc(2 * (size_t)n, sizeof(*positions));
    int32_t* corners = calloc(6 * (size_t)t, sizeof(*corners));
    for (int i = 0; i < 2 * n; i++)
    {
        positions[i] = block->positions[i % n];
        positions[i].x += i < n ? 0.0f : 5.0f;
    }
    for (int i = 0; i < 6 * t; i++)
        corners[i] = block->triangles[i % (3 * t) / 3].v[i % 3] + (i < 3 * t ? 0 : n);
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = 2 * n, def.positions = positions;
    def.faceCount = 2 * t, def.corners = corners;
    ASSERT_OK(qvCreateMesh(&def, &pair, NULL, &error), error);
    free(positions);
    free(corners);
    qvDestroyMesh(block);
    return pair;
}

/// Adds a copy of the rest shape and returns its points.
static inline double* AddPose(Actor* actor)
{
    int index = actor->def.poseCount++;
    assert_true(index < MAX_POSES);
    double* points = actor->points[index] = calloc((size_t)actor->size, sizeof(double));
    memcpy(points, actor->rest, (size_t)actor->size * sizeof(double));
    actor->poses[index] = (qvMotionPose){ .points = points };
    return points;
}

/// Bends sideways by `bend`, twists by `twist` radians and stretches upwards by `stretch` over the height.
static inline void Deform(const Actor* actor, double* points, double bend, double twist, double stretch)
{
    for (int i = 0; i < actor->size; i += 3)
    {
        double x = points[i], y = points[i + 1], z = points[i + 2], angle = 0.5 * twist * y;
        points[i] = cos(angle) * x + sin(angle) * z + 0.25 * bend * y * y;
        points[i + 1] = (1.0 + stretch) * y;
        points[i + 2] = cos(angle) * z - sin(angle) * x;
    }
}

static inline void MakeSpace(Actor* actor)
{
    qvError error;
    actor->def.poses = actor->poses;
    ASSERT_OK(qvCreateMotionSpace(&actor->def, NULL, NULL, &actor->space, &error), error);
}

static inline void FreeActor(Actor* actor)
{
    qvDestroyMotionSpace(actor->space);
    for (int i = 0; i < actor->def.poseCount && i < MAX_POSES; i++)
        free(actor->points[i]);
    free(actor->rest);
    qvDestroyTopology(actor->topology);
    qvDestroyMesh(actor->mesh);
}

/// An actor with the rest shape, two deformed poses and one of them turned and moved: three shapes.
static inline Actor MakeDancer(void)
{
    Actor actor = MakeActor("sack", 6);
    AddPose(&actor);
    Deform(&actor, AddPose(&actor), 0.6, 0.4, 0.1);
    Deform(&actor, AddPose(&actor), -0.4, 0.0, -0.15);
    double* turned = AddPose(&actor);
    Deform(&actor, turned, 0.6, 0.4, 0.1);
    for (int i = 0; i < actor.size; i += 3)
    {
        double x = turned[i], z = turned[i + 2];
        turned[i] = 0.6 * x - 0.8 * z + 3.0, turned[i + 2] = 0.8 * x + 0.6 * z;
    }
    return actor;
}

/// keys [count] at the given times with pose i % poseCount.
static inline qvMotionDef MakeKeys(const Actor* actor, qvMotionKey* keys, int count, const double* times)
{
    qvMotionDef def = qvDefaultMotionDef();
    for (int i = 0; i < count; i++)
    {
        keys[i] = qvDefaultMotionKey();
        keys[i].time = times[i];
        keys[i].pose = i % actor->def.poseCount;
    }
    def.keys = keys, def.keyCount = count;
    return def;
}

static inline qvMotion* MustMove(const Actor* actor, const qvMotionDef* def)
{
    qvError error;
    qvMotion* motion;
    ASSERT_OK(qvCreateMotion(def, actor->space, NULL, &motion, &error), error);
    return motion;
}

/// Positions, velocities and accelerations at a time: 3 arrays of size numbers one after the other.
static inline double* Look(const Actor* actor, const qvMotion* motion, double time)
{
    size_t size = (size_t)actor->size;
    double* out = calloc(3 * size, sizeof(double));
    void* scratch = malloc(qvMotion_ScratchSize(motion));
    qvMotion_Evaluate(motion, time, scratch, out, out + size, out + 2 * size);
    free(scratch);
    return out;
}

static inline double LargestDifference(const double* a, const double* b, int count)
{
    double largest = 0.0;
    for (int i = 0; i < count; i++)
    {
        double difference = fabs(a[i] - b[i]);
        if (!(difference <= largest)) // also when it is no number
            largest = difference;
    }
    return largest;
}

/// Stops a job at its limit-th question.
typedef struct Stop
{
    int calls, limit;
} Stop;

static inline bool StopAtLimit(void* context, const char* stage, double fraction)
{
    Stop* stop = context;
    assert_true(fraction < 0.0 ? stage[0] == 0 : strlen(stage) > 0 && fraction <= 1.0);
    return stop->calls++ < stop->limit;
}

/// The preparation of an actor asks more often than least, and leaves nothing behind when it is stopped at about as
/// many moments as tries.
static inline void AssertCancels(const Actor* actor, int least, int tries)
{
    Stop stop = { 0, 1000000 };
    qvJob job = { .progress = StopAtLimit, .context = &stop };
    qvError error;
    qvMotionSpace* space;
    ASSERT_OK(qvCreateMotionSpace(&actor->def, NULL, &job, &space, &error), error);
    qvDestroyMotionSpace(space);
    int calls = stop.calls;
    assert_true(calls > least);
    for (int limit = 0; limit < calls; limit += 1 + calls / tries)
    {
        stop = (Stop){ 0, limit };
        assert_int_equal(qvCreateMotionSpace(&actor->def, NULL, &job, &space, &error), qv_cancelled);
        assert_null(space);
        assert_int_equal(stop.calls, limit + 1); // a refusal is heard at once
    }
}

/// Everything is finite over 7 s, and the points stay within the bound.
static inline void AssertFinite(const Actor* actor, const qvMotion* motion, double bound)
{
    for (int k = -5; k < 30; k++)
    {
        double* at = Look(actor, motion, 0.21 * k);
        for (int i = 0; i < 3 * actor->size; i++)
        {
            assert_true(isfinite(at[i]));
            assert_true(i >= actor->size || fabs(at[i]) < bound);
        }
        free(at);
    }
}

/// There is no such motion, and the message says this.
static inline void AssertRefused(const Actor* actor, const qvMotionDef* def, const char* part)
{
    qvError error;
    qvMotion* motion;
    assert_int_equal(qvCreateMotion(def, actor->space, NULL, &motion, &error), qv_badInput);
    assert_null(motion);
    ASSERT_CONTAINS(error.message, part);
}
