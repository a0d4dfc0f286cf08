// SPDX-License-Identifier: GPL-3.0-or-later
// A take at any time.
#include "scene/take.h"

#include "base/assert.h"
#include "base/memory.h"
#include "math/affine.h"
#include "math/rotation.h"
#include "motion/motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    GRAIN = 2, // frames that a thread finishes at a time
};

// --- Making and sharing --------------------------------------------------------------------------------------------

qvResult qvCreateTake(const qvScene* scene, const qvBody* body, const char* folder, qvTake** out, qvError* error)
{
    *out = NULL;
    qvTake* take = qvAllocate(1, sizeof(*take));
    if (take == NULL)
        return qvError_OutOfMemory(error, sizeof(*take));
    atomic_init(&take->owners, 1);
    pthread_mutex_init(&take->reports.lock, NULL);
    take->missing = (qvMissing){ INFINITY, INFINITY };
    take->scene = qvRetainScene(scene);
    take->body = qvRetainBody(body);
    take->folder = strdup(folder);
    if (scene->loop)
    {
        double range[2];
        qvScene_Range(scene, range);
        take->start = range[0], take->period = range[1] - range[0];
    }
    take->still = (qvStillBase){ body->rest, body->mesh->pointCount };
    take->base = take->plain = qvMakeStillBase(&take->still);
    size_t keys = (size_t)scene->keyCount;
    take->poses = qvAllocate(keys, sizeof(*take->poses));
    take->reports.keys = qvAllocate(keys, sizeof(*take->reports.keys));
    take->reports.keysAre = qvAllocate(keys, sizeof(*take->reports.keysAre));
    if (take->folder == NULL || take->poses == NULL || take->reports.keys == NULL || take->reports.keysAre == NULL)
    {
        qvReleaseTake(take);
        return qvError_OutOfMemory(error, (double)keys * sizeof(qvKeyReport));
    }
    *out = take;
    return qv_ok;
}

qvResult qvTake_Push(qvTake* take, qvStaged* staged, qvError* error)
{
    const qvLayer* layer = staged->object;
    const qvLayerKind* kind = layer->kind;
    if (!QV_PUSH(take->layers, staged))
    {
        qvReleaseStaged(staged);
        return qvError_OutOfMemory(error, sizeof(*take->layers.items));
    }
    if ((kind->traits & qv_layerAdds) == 0)
    {
        take->base = kind->motion(layer->object);
        if ((kind->traits & qv_layerBase) != 0)
            take->plain = kind->plain != NULL ? kind->plain(layer->object) : take->base;
    }
    if (kind == &qvKeysLayer)
        take->curves = layer->object;
    if (kind == &qvClipLayer)
        take->clip = layer->object;
    return qv_ok;
}

const qvTake* qvRetainTake(const qvTake* take)
{
    atomic_fetch_add(&((qvTake*)take)->owners, 1);
    return take;
}

void qvReleaseTake(const qvTake* constant)
{
    qvTake* take = (qvTake*)constant;
    if (take == NULL || atomic_fetch_sub(&take->owners, 1) > 1)
        return;
    for (int i = 0; take->poses != NULL && i < take->scene->keyCount; i++)
        qvReleaseStaged(take->poses[i]);
    free(take->poses);
    free(take->folder);
    for (int i = take->layers.count - 1; i >= 0; i--)
        qvReleaseStaged(take->layers.items[i]);
    free(take->layers.items);
    free(take->reports.keys);
    free(take->reports.keysAre);
    pthread_mutex_destroy(&take->reports.lock);
    qvReleaseBody(take->body);
    qvReleaseScene(take->scene);
    qvDestroyPipeline(take->pipeline);
    free(take);
}

const qvScene* qvTake_Scene(const qvTake* take)
{
    return take->scene;
}

const qvBody* qvTake_Body(const qvTake* take)
{
    return take->body;
}

const char* qvTake_Folder(const qvTake* take)
{
    return take->folder;
}

int qvTake_Clip(const qvTake* take)
{
    return take->clip != NULL ? take->clip->clip : -1;
}

double qvTake_ClipTime(const qvTake* take, double time)
{
    QV_ASSERT(take->clip != NULL);
    return qvRigBase_ClipTime(take->clip, qvTake_Wrap(take, time));
}

void qvTake_ClipPoints(const qvTake* take, double time, void* scratch, qvVec3f* points)
{
    QV_ASSERT(take->clip != NULL);
    qvBaseMotion clip = qvMakeRigBase(take->clip);
    clip.points(clip.context, qvTake_Wrap(take, time), scratch, NULL, points);
}

// --- What is computed step by step ---------------------------------------------------------------------------------

static qvStepped* StepsOf(const qvTake* take, int index)
{
    const qvLayer* layer = take->layers.items[index]->object;
    return layer->kind->steps != NULL ? layer->kind->steps(layer->object) : NULL;
}

double qvTake_StepsUntil(const qvTake* take)
{
    double until = INFINITY;
    for (int i = 0; i < take->layers.count; i++)
    {
        const qvStepped* steps = StepsOf(take, i);
        until = steps != NULL ? fmin(until, qvStepped_ValidUntil(steps)) : until;
    }
    return until;
}

double qvTake_ValidUntil(const qvTake* take)
{
    return fmin(qvTake_StepsUntil(take), take->missing.from);
}

qvResult qvTake_Advance(const qvTake* take, double time, const qvJob* job, qvError* error)
{
    qvResult result = qv_ok;
    for (int i = 0; result == qv_ok && i < take->layers.count; i++)
    {
        if (StepsOf(take, i) != NULL)
            result = qvStepped_Advance(StepsOf(take, i), time, job, error);
    }
    return result;
}

qvResult qvTake_FailLost(qvError* error)
{
    return qvError_Set(error, qv_ioFailed,
                       "frames of a simulation cannot be read back; check the disk of the cache, or choose another "
                       "folder for it, and try again");
}

qvResult qvTake_Complete(const qvTake* take, const qvJob* job, const qvTake** whole, qvError* error)
{
    *whole = NULL;
    if (isinf(take->missing.from))
    {
        qvResult result = qvTake_Advance(take, INFINITY, job, error);
        *whole = result == qv_ok ? qvRetainTake(take) : NULL;
        return result;
    }
    qvTake* solved;
    qvResult result = qvPipeline_Solve(take->pipeline, take->scene, take->folder, job, &solved, error);
    if (result == qv_ok)
        result = qvTake_Advance(solved, INFINITY, job, error);
    if (result == qv_ok)
        *whole = solved;
    else
        qvReleaseTake(solved);
    return result;
}

bool qvTake_IsSimulated(const qvTake* take, double time)
{
    for (int i = 0; i < take->layers.count; i++)
    {
        double span[2];
        if (StepsOf(take, i) == NULL)
            continue;
        qvStepped_Span(StepsOf(take, i), span);
        if (time >= span[0] && time < span[1])
            return true;
    }
    return false;
}

double qvTake_ChangesFrom(const qvTake* take)
{
    return take->base.extract != NULL ? take->base.changesFrom : INFINITY;
}

qvResult qvTake_Extract(const qvTake* take, double time, const qvVec3f* points, void* scratch, qvPool* pool,
                        qvMesh** mesh, qvError* error)
{
    *mesh = NULL;
    if (time < qvTake_ChangesFrom(take))
        return qv_ok;
    return take->base.extract(take->base.context, time, points, scratch, qvPool_Threads(pool), mesh, error);
}

// --- Evaluation ----------------------------------------------------------------------------------------------------

// In a loop every time is brought into the period first, so that its ends give the same bits.
double qvTake_Wrap(const qvTake* take, double time)
{
    if (take->period <= 0.0)
        return time;
    double since = fmod(time - take->start, take->period);
    if (since < 0.0)
        since += take->period;
    // Rounding may put the end of a later period just before its seam.
    bool later = time < take->start || time >= take->start + take->period;
    if (later && take->period - since <= 1e-12 * fmax(take->period, fabs(time)))
        since = 0.0;
    return take->start + since;
}

double qvTake_Apart(const qvTake* take, double a, double b)
{
    double apart = fabs(qvTake_Wrap(take, a) - qvTake_Wrap(take, b));
    return take->period > 0.0 ? fmin(apart, take->period - apart) : apart;
}

static const qvLayer* LayerOf(const qvTake* take, int index)
{
    return take->layers.items[index]->object;
}

size_t qvTake_ScratchSize(const qvTake* take)
{
    size_t base = take->base.scratchSize, plain = take->plain.scratchSize;
    size_t size = base > plain ? base : plain;
    for (int i = 0; i < take->layers.count; i++)
    {
        const qvLayer* layer = LayerOf(take, i);
        size_t own = layer->kind->scratchSize != NULL ? layer->kind->scratchSize(layer->object) : 0;
        size = own > size ? own : size;
    }
    return size;
}

// What the layers above do to the base motion's points at a time (brought into the period already).
static void Add(const qvTake* take, double time, void* scratch, qvPool* pool, qvVec3f* points)
{
    if (time >= qvTake_ChangesFrom(take))
        return;
    for (int i = 0; i < take->layers.count; i++)
    {
        const qvLayer* layer = LayerOf(take, i);
        if (layer->kind->add != NULL)
            layer->kind->add(layer->object, time, scratch, pool, points);
    }
}

void qvTake_Evaluate(const qvTake* take, double time, qvTakeLayers layers, void* scratch, qvPool* pool, qvVec3f* points)
{
    QV_ASSERT(isfinite(time));
    time = qvTake_Wrap(take, time);
    const qvBaseMotion* base = layers == qv_layersSmooth ? &take->plain : &take->base;
    base->points(base->context, time, scratch, qvPool_Threads(pool), points);
    if (layers == qv_layersAll)
        Add(take, time, scratch, pool, points);
}

// Some frames; those whose motion is known already get what lies above it, others everything.
typedef struct Frames
{
    const qvTake* take;
    const double* times;
    qvPool* pool;       // for what takes long in a frame
    qvVec3f* points;    // [count][pointCount]
    atomic_bool failed; // memory ran out
} Frames;

static void FinishFrames(void* context, int begin, int end)
{
    Frames* frames = context;
    const qvTake* take = frames->take;
    void* scratch = qvAllocateRaw(1, qvTake_ScratchSize(take));
    for (int i = begin; scratch != NULL && i < end; i++)
    {
        qvVec3f* points = frames->points + (size_t)i * (size_t)take->body->mesh->pointCount;
        if (take->base.frames != NULL)
            Add(take, qvTake_Wrap(take, frames->times[i]), scratch, frames->pool, points);
        else
            qvTake_Evaluate(take, frames->times[i], qv_layersAll, scratch, frames->pool, points);
    }
    if (scratch == NULL)
        atomic_store(&frames->failed, true);
    free(scratch);
}

qvResult qvTake_EvaluateFrames(const qvTake* take, const double* times, int count, qvPool* pool, qvVec3f* points,
                               qvError* error)
{
    const qvBaseMotion* base = &take->base;
    if (base->frames != NULL)
    {
        double* wrapped = qvAllocateRaw((size_t)count, sizeof(*wrapped));
        for (int i = 0; wrapped != NULL && i < count; i++)
            wrapped[i] = qvTake_Wrap(take, times[i]);
        qvResult result = wrapped != NULL
                              ? base->frames(base->context, wrapped, count, qvPool_Threads(pool), points, error)
                              : qvError_OutOfMemory(error, (double)count * sizeof(*wrapped));
        free(wrapped);
        if (result != qv_ok)
            return result;
    }
    Frames frames = { .take = take, .times = times, .pool = pool, .points = points };
    qvParallelFor(pool, count, GRAIN, FinishFrames, &frames);
    if (atomic_load(&frames.failed))
        return qvError_OutOfMemory(error, (double)qvTake_ScratchSize(take));
    return qvPool_Verdict(pool, error);
}

void qvTake_Vertices(const qvTake* take, double time, const qvVec3f* points, void* scratch, qvVec3f* vertices)
{
    if (take->base.vertices != NULL)
        take->base.vertices(take->base.context, qvTake_Wrap(take, time), points, scratch, vertices);
    else
        qvMesh_ScatterPoints(take->body->mesh, points, vertices);
}

qvVec3f* qvTake_KeyedPoints(const qvTake* take, double time)
{
    void* scratch = qvAllocateRaw(1, qvTakeMotion_ScratchSize(take->curves));
    qvVec3f* points = qvAllocateRaw((size_t)take->body->mesh->pointCount, sizeof(*points));
    if (scratch != NULL && points != NULL)
        qvTakeMotion_Points(take->curves, take->curves->motion, qvTake_Wrap(take, time), scratch, NULL, points);
    else
    {
        free(points);
        points = NULL;
    }
    free(scratch);
    return points;
}

const qvWaveLayer* qvTake_Waves(const qvTake* take, int index)
{
    const qvLayer* layer = LayerOf(take, index);
    return layer->kind->waves != NULL ? layer->kind->waves(layer->object) : NULL;
}

bool qvTake_HasWaves(const qvTake* take)
{
    for (int i = 0; i < take->layers.count; i++)
    {
        if (qvTake_Waves(take, i) != NULL)
            return true;
    }
    return false;
}

qvAffine qvTake_Frame(const qvTake* take, double time)
{
    return take->base.frame != NULL ? take->base.frame(take->base.context, qvTake_Wrap(take, time))
                                    : qvAffine_Identity();
}

// What is rigid in a pose beyond its transform stays in the pose.
qvAffine qvTake_KeyedFrame(const qvTake* take, double time)
{
    qvVec3 translate;
    qvQuat rotate;
    qvTake_KeyedPlace(take, time, &translate, &rotate);
    return qvAffine_FromParts(translate, rotate, qvMakeVec3(1.0, 1.0, 1.0));
}

// The frame is rigid, so that its inverse is the transpose.
void qvWorldToKeys(const qvAffine* frame, qvVec3f* points, int count)
{
    for (int i = 0; i < count; i++)
        points[i] = qvVec3_ToFloat(qvAffine_TransposedVector(frame, qvSub(qvVec3_FromFloat(points[i]), frame->offset)));
}

void qvKeysToWorld(const qvAffine* frame, qvVec3f* points, int count)
{
    for (int i = 0; i < count; i++)
        points[i] = qvVec3_ToFloat(qvAffine_Point(frame, qvVec3_FromFloat(points[i])));
}

qvAffine qvSceneKey_Frame(const qvSceneKey* key)
{
    qvVec3 one = qvMakeVec3(1.0, 1.0, 1.0);
    return key->hasTransform ? qvAffine_FromParts(key->translate, qvQuat_Normalize(key->rotate), one)
                             : qvAffine_Identity();
}

qvAffine qvTake_KeyFrame(const qvTake* take, int key)
{
    QV_ASSERT(key >= 0 && key < take->scene->keyCount);
    return qvTake_KeyedFrame(take, take->scene->keys[key]->time);
}

static const qvTakeWaves* Generated(const qvTake* take)
{
    for (int i = 0; i < take->layers.count; i++)
    {
        if (LayerOf(take, i)->kind == &qvSecondaryLayer)
            return LayerOf(take, i)->object;
    }
    return NULL;
}

int qvTake_GeneratedCount(const qvTake* take)
{
    const qvTakeWaves* waves = Generated(take);
    return waves != NULL ? waves->eventCount : 0;
}

const qvSceneEvent* qvTake_GeneratedEvent(const qvTake* take, int index)
{
    QV_ASSERT(index >= 0 && index < qvTake_GeneratedCount(take));
    return &Generated(take)->events[index];
}
