// SPDX-License-Identifier: GPL-3.0-or-later
// A body is moved by a stack of layers. Each takes the motion below it and gives a motion. A kind of layer is one
// descriptor, a row in layer_list.inl; the pipeline, takes, bakes and reports know layers by it alone.
#pragma once

#include "layer/stepped.h"
#include "motion/detail.h"
#include "quaver/take.h"
#include "quaver/waves.h"
#include "scene/stage_cache.h"

typedef struct qvSolving qvSolving;

enum
{
    qv_layerBase =
        1 << 0, ///< moves the body without what lies below, or over it: the clip, and keys as offsets from it
    qv_layerAdds = 1 << 1, ///< adds to where the body is. Such layers do not feel each other: all of them travel on the
                           ///< motion of what lies below the lowest of them
    qv_layerPartly = 1 << 2, ///< can be made from what is known below, for as long as a simulation is not complete
};

typedef struct qvLayerKind
{
    const char* tag;   ///< stable, part of cache keys
    const char* label; ///< for people
    const char* help;  ///< one sentence
    int version;       ///< to be raised when the same input gives another motion; part of cache keys
    int traits;
    qvStage stage; ///< whose cache keeps its layers

    /// How many layers of this kind a scene has; index counts them from the bottom.
    int (*count)(const qvSolving* solving);
    /// Of a layer that cannot be made partly: from when on it has a say, s.
    double (*begins)(const qvSolving* solving, int index);
    /// Prepares and checks what a layer takes from the scene, and adds all of that to the hash, which has what lies
    /// below already.
    qvResult (*check)(qvSolving* solving, int index, uint64_t* hash, qvError* error);
    /// After check, when no cache has the layer. below lives as long as the layer; hash is that of the layer. One that
    /// is made partly asks nothing beyond solving->known and says what it left out: qvSolving_Miss.
    qvResult (*build)(qvSolving* solving, int index, const qvBaseMotion* below, uint64_t hash, void** object,
                      qvError* error);
    void (*destroy)(void* object);

    /// Of a layer that does not add: the motion, which refers to the object.
    qvBaseMotion (*motion)(const void* object);
    /// The same without what physics adds, for comparison. NULL: it is the same.
    qvBaseMotion (*plain)(const void* object);

    /// Of a layer that is computed step by step: what computes it. NULL: it is known at all times.
    qvStepped* (*steps)(const void* object);

    /// Of a layer that adds: bytes of scratch, and what it does to points at a time. The same bits for any pool.
    size_t (*scratchSize)(const void* object);
    void (*add)(const void* object, double time, void* scratch, qvPool* pool, qvVec3f* points);
    /// The waves that it adds, for colours and reports. NULL: it adds none.
    const qvWaveLayer* (*waves)(const void* object);
} qvLayerKind;

/// A layer that was built; the object of a qvStaged. It keeps alive what it refers to.
typedef struct qvLayer
{
    const qvLayerKind* kind;
    qvStaged* below; ///< the qvLayer whose motion it takes; NULL: the rest shape
    const qvBody* body;
    qvStillBase still;
    void* object;
} qvLayer;

/// All kinds, from the bottom up, and all engines of simulations, each list ended by NULL.
extern const qvLayerKind* const qvLayerKinds[];
extern const qvEngine* const qvEngines[];
const qvEngine* qvFindEngine(const char* tag); ///< NULL: this program does not have it

#define QV_LAYER(name) extern const qvLayerKind name;
#include "scene/layer_list.inl"
#undef QV_LAYER

#define QV_ENGINE(name) extern const qvEngine name;
#include "scene/engine_list.inl"
#undef QV_ENGINE

/// Adds the layers that the scene wants to the take.
QV_CHECKED qvResult qvSolving_Layers(qvSolving* solving, qvError* error);

/// Something of a layer that acts from a time on is not there before more is known below.
void qvSolving_Miss(qvSolving* solving, double from);

/// The definition of a motion, with what it points to (layer_keys.c).
typedef struct qvKeysDraft qvKeysDraft;

/// What keys make of a body: its curves, and the same with every wiggly segment smooth.
typedef struct qvTakeMotion
{
    qvStaged* space; // qvMotionSpace
    const qvBody* body;
    int pointCount;
    qvMotion* motion;         // of the fewer points where `carried` is not NULL
    qvStaged *detail, *rests; // what carried refers to
    qvDetailMotion* carried;  // takes it to all points; NULL: it is of all
    pthread_mutex_t making;   // of the next two
    qvMotion* smooth;         // NULL until somebody asks for it: it takes as much memory as the other
    qvKeysDraft* draft;       // what it is made from until then
    bool hasBelow;            // its poses are offsets from what lies below
    qvBaseMotion below;
    pthread_mutex_t lock; // of what follows
    uint64_t seamHash;    // of what the seam below depends on beside these curves; 0: it is not known
    qvSeam seam;          // measured last, for the next take that has the same
} qvTakeMotion;

/// The same with every wiggly segment smooth, made when it is asked for first; at any time, from any thread. NULL when
/// memory runs out.
const qvMotion* qvTakeMotion_Smooth(const qvTakeMotion* curves);

/// Points of the curves, or of the smooth ones, without what lies below. Scratch as qvTakeMotion_ScratchSize says.
void qvTakeMotion_Points(const qvTakeMotion* curves, const qvMotion* motion, double time, void* scratch, qvPool* pool,
                         qvVec3f* points);
size_t qvTakeMotion_ScratchSize(const qvTakeMotion* curves);

/// Waves, and the events that were generated for them.
typedef struct qvTakeWaves
{
    qvWaveLayer* layer;
    qvSceneEvent* events;
    int eventCount;
} qvTakeWaves;
