// SPDX-License-Identifier: GPL-3.0-or-later
// What a simulation engine is to everyone else. An engine has a model, which is made once and read by all threads, and
// runs, which step through time. Its frames are numbers of its own choice (points, coordinates of modes) with their
// rates; from the numbers at a time it places the body's points. Caching, interpolation, resuming and handing over are
// not its concern: layer/stepped.h does them for every engine.
//
// Steps follow from the parameters alone, never from frame rates, clocks or threads: the same input gives the same
// bits, straight or resumed.
#pragma once

#include "quaver/base_motion.h"
#include "quaver/simulation.h"
#include "quaver/store.h"
#include "quaver/topology.h"

#include "layer/impact.h"

enum
{
    qv_stepFrameRate = 120, ///< frames that are kept of a second
};

/// Points that follow the motion below for a time.
typedef struct qvEnginePin
{
    double from, to; ///< s; may be infinite
    const int32_t* points;
    int count;
} qvEnginePin;

/// Two points of different parts that stay together.
typedef struct qvEngineJoint
{
    int32_t points[2];
} qvEngineJoint;

/// A part of the body that is made of something else.
typedef struct qvEnginePart
{
    int part;                                 ///< of the topology
    double wobble, settle, poisson, friction; ///< NAN: the simulation's
    double density;                           ///< beside 1 of the others
} qvEnginePart;

/// What an engine starts from; lives as long as the model.
typedef struct qvEngineInput
{
    const qvMesh* mesh;
    const qvTopology* topology;
    const qvVec3f* rest; ///< points
    double diagonal;
    qvBaseMotion below;
    const qvEnginePin* pins;
    int pinCount;
    const qvEngineJoint* joints;
    int jointCount;
    const qvEnginePart* parts; ///< no part twice
    int partCount;
    /// A span of the same engine that ends where this one begins: its model, and the state of its run at that moment,
    /// which is taken over whole. NULL: the body begins with the pose and velocity of the motion below.
    const void *before, *beforeState;
    const struct qvObstacles* obstacles; ///< of body/; NULL: there is nothing to meet
    const qvNumberStore* store;          ///< for what takes long; needed while the model is made. NULL: none
    qvSimulationDef def; ///< nothing is left to others: times, wobble, settle and gravity are given. Its curves are
                         ///< there while the model is created only.
} qvEngineInput;

typedef struct qvEngine
{
    const char* tag;   ///< in scene files and cache keys
    const char* label; ///< for people
    const char* help;  ///< what it is good at, to be read after its label
    int version;       ///< to be raised when the same input gives other frames

    /// Checks the input and makes what does not change during a run. May take long: progress and cancel by the job.
    qvResult (*create)(const qvEngineInput* input, const qvJob* job, void** model, qvError* error);
    void (*destroy)(void* model);

    int (*valueCount)(const void* model);   ///< numbers of a frame
    size_t (*stateSize)(const void* model); ///< bytes of a saved run

    /// A run at its first frame: what the motion below, or the span before, has at the start. NULL when memory runs
    /// out.
    void* (*begin)(const void* model);
    void (*end)(void* run);
    /// To the next frame: 1 / qv_stepFrameRate s, or less to the very end of a span that another takes over. Fails when
    /// the run cannot go on (it left what the engine can do) and is thrown away then, or was cancelled: then it is left
    /// exactly where it was.
    qvResult (*step)(void* run, double seconds, const qvJob* job, qvError* error);
    /// The frame: values and their rates per second, [valueCount] each.
    void (*sample)(void* run, float* values, float* rates);
    /// The whole state as bytes without pointers, and back.
    void (*save)(const void* run, void* bytes);
    qvResult (*load)(void* run, const void* bytes, qvError* error);

    /// World positions of the body's points from values at a time (between frames they are interpolated). Thread-safe
    /// with one scratch per thread, allocates nothing, the same bits for any pool.
    size_t (*scratchSize)(const void* model);
    void (*points)(const void* model, double time, const float* values, void* scratch, qvPool* pool, qvVec3f* points);

    /// Of a body that may split and merge: its mesh from values at a time; points are those of `points` there. A mesh
    /// of its own in world space, which the caller destroys, or NULL: still the body's mesh with these points.
    /// Thread-safe, allocates, the same bits for any pool. NULL: the topology never changes.
    qvResult (*extract)(const void* model, double time, const float* values, const qvVec3f* points, qvPool* pool,
                        qvMesh** mesh, qvError* error);
    /// From when on extract may give meshes of its own, s; INFINITY: never with this input. It is asked at no earlier
    /// time. NULL: from the start of the span. A run that takes over a body which has changed goes on with that: at its
    /// start at the latest.
    double (*changesFrom)(const void* model);

    /// The knocks of a frame (not of what is interpolated), those since the frame before; how many there are. NULL: it
    /// reports none.
    int (*impacts)(const void* model, const float* values, qvImpact impacts[qv_mostImpacts]);

    /// What can be shown at points of its own: the channels, how many these points are and how large they are drawn,
    /// and from values at a time where they are in the world and what a channel has at each, with its arrow where it
    /// has such (else arrows is NULL). Thread-safe with a scratch as for `points`, allocates nothing, the same bits for
    /// any pool. 0: nothing.
    int channelCount;
    const qvChannel* channels;
    int (*shownCount)(const void* model);
    double (*shownRadius)(const void* model);
    void (*show)(const void* model, int channel, double time, const float* values, void* scratch, qvVec3f* points,
                 float* shown, qvVec3f* arrows);
} qvEngine;
