// SPDX-License-Identifier: GPL-3.0-or-later
// A take at any time.
#include "scene/take.h"

#include "base/assert.h"
#include "base/memory.h"
#include "math/affine.h"
#include "motion/motion.h"
#include "motion/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    ALIGNMENT = 64
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
    take->scene = qvRetainScene(scene);
    take->body = qvRetainBody(body);
    take->folder = strdup(folder);
    if (scene->loop)
    {
        double range[2];
        qvScene_Range(scene, range);
        take->start = range[0], take->period = range[1] - range[0];
    }
    size_t keys = (size_t)scene->keyCount;
    take->poses = qvAllocate(keys, sizeof(*take->poses));
    take->reports.keys = qvAllocate(keys, sizeof(*take->reports.keys));
    take->reports.known = qvAllocate(keys, sizeof(*take->reports.known));
    if (take->folder == NULL || take->poses == NULL || take->reports.keys == NULL || take->reports.known == NULL)
    {
        qvReleaseTake(take);
        return qvError_OutOfMemory(error, (double)keys * sizeof(qvKeyReport));
    }
    *out = take;
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
    for (int i = 0; i < qv_wavesCount; i++)
        qvReleaseStaged(take->waveStages[i]);
    qvReleaseStaged(take->stage);
    free(take->reports.keys);
    free(take->reports.known);
    pthread_mutex_destroy(&take->reports.lock);
    qvReleaseBody(take->body);
    qvReleaseScene(take->scene);
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

int qvTake_Clip(const qvTake* take)
{
    return take->rig != NULL ? take->clip : -1;
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

static size_t Aligned(size_t size)
{
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static size_t BaseScratch(const qvTake* take)
{
    if (take->rig != NULL)
        return Aligned(qvRig_ScratchSize(take->rig)) + (size_t)take->body->mesh->vertexCount * sizeof(qvVec3f);
    if (take->curves == NULL)
        return 0;
    size_t motion = qvMotion_ScratchSize(take->curves->motion), smooth = qvMotion_ScratchSize(take->curves->smooth);
    return motion > smooth ? motion : smooth;
}

// A layer's scratch, after a number per point (qvTake_Wavefronts).
static size_t WaveScratch(const qvTake* take, int kind)
{
    if (take->waves[kind] == NULL)
        return 0;
    size_t numbers = (size_t)take->body->mesh->pointCount * sizeof(float);
    return Aligned(numbers) + qvWaveLayer_ScratchSize(take->waves[kind]->layer);
}

size_t qvTake_ScratchSize(const qvTake* take)
{
    size_t size = BaseScratch(take);
    for (int i = 0; i < qv_wavesCount; i++)
    {
        size_t own = WaveScratch(take, i);
        size = own > size ? own : size;
    }
    return Aligned(size) + Aligned((size_t)qvTake_ModeCount(take) * sizeof(double)) + ALIGNMENT;
}

static void EvaluateClip(const qvTake* take, double time, void* scratch, qvVec3f* points)
{
    const qvMesh* mesh = take->body->mesh;
    qvVec3f* vertices = (qvVec3f*)((char*)scratch + Aligned(qvRig_ScratchSize(take->rig)));
    qvRig_Evaluate(take->rig, take->clip, time, scratch, vertices);
    qvMesh_GatherPoints(mesh, vertices, points);
}

void qvTake_AddWaves(const qvTake* take, double time, void* scratch, qvPool* pool, qvVec3f* points)
{
    for (int i = 0; i < qv_wavesCount; i++)
    {
        if (take->waves[i] != NULL)
            qvWaveLayer_Add(take->waves[i]->layer, time, scratch, pool, points);
    }
}

void qvTake_Evaluate(const qvTake* take, double time, qvTakeLayers layers, void* scratch, qvPool* pool, qvVec3f* points)
{
    QV_ASSERT(isfinite(time));
    time = qvTake_Wrap(take, time);
    if (take->rig != NULL)
        EvaluateClip(take, time, scratch, points);
    else if (take->curves == NULL)
        memcpy(points, take->body->rest, (size_t)take->body->mesh->pointCount * sizeof(*points));
    else
        qvMotion_EvaluateFloat(layers == qv_layersSmooth ? take->curves->smooth : take->curves->motion, time, scratch,
                               pool, points);
    if (layers == qv_layersAll)
        qvTake_AddWaves(take, time, scratch, pool, points);
}

// Vertices that the clip keeps together are their point; others differ from it as the clip has them.
void qvTake_Vertices(const qvTake* take, double time, const qvVec3f* points, void* scratch, qvVec3f* vertices)
{
    const qvMesh* mesh = take->body->mesh;
    if (take->rig == NULL)
    {
        qvMesh_ScatterPoints(mesh, points, vertices);
        return;
    }
    qvRig_Evaluate(take->rig, take->clip, qvTake_Wrap(take, time), scratch, vertices);
    for (int v = 0; v < mesh->vertexCount; v++)
    {
        int32_t p = mesh->vertexPoint[v], first = p >= 0 ? mesh->pointVertex[p] : v;
        if (first == v)
            continue;
        qvVec3f apart = { vertices[v].x - vertices[first].x, vertices[v].y - vertices[first].y,
                          vertices[v].z - vertices[first].z };
        vertices[v] = (qvVec3f){ points[p].x + apart.x, points[p].y + apart.y, points[p].z + apart.z };
    }
    for (int p = 0; p < mesh->pointCount; p++)
        vertices[mesh->pointVertex[p]] = points[p];
}

qvVec3f* qvTake_PointsAt(const qvTake* take, double time, qvTakeLayers layers, qvError* error)
{
    void* scratch = qvAllocateRaw(1, qvTake_ScratchSize(take));
    qvVec3f* points = qvAllocateRaw((size_t)take->body->mesh->pointCount, sizeof(*points));
    if (scratch != NULL && points != NULL)
        qvTake_Evaluate(take, time, layers, scratch, NULL, points);
    else
    {
        qvError_OutOfMemory(error, (double)qvTake_ScratchSize(take));
        free(points);
        points = NULL;
    }
    free(scratch);
    return points;
}

bool qvTake_HasWaves(const qvTake* take)
{
    for (int i = 0; i < qv_wavesCount; i++)
    {
        if (take->waves[i] != NULL)
            return true;
    }
    return false;
}

qvAffine qvTake_Frame(const qvTake* take, double time)
{
    return take->curves != NULL ? qvMotion_Frame(take->curves->motion, qvTake_Wrap(take, time)) : qvAffine_Identity();
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

void qvTake_Wavefronts(const qvTake* take, double time, void* scratch, qvPool* pool, float* values)
{
    int n = take->body->mesh->pointCount;
    float* own = scratch;
    void* rest = (char*)scratch + Aligned((size_t)n * sizeof(*own));
    memset(values, 0, (size_t)n * sizeof(*values));
    for (int i = 0; i < qv_wavesCount; i++)
    {
        if (take->waves[i] == NULL)
            continue;
        qvWaveLayer_Colors(take->waves[i]->layer, qvTake_Wrap(take, time), qv_waveColorSpeed, rest, pool, own);
        for (int k = 0; k < n; k++)
            values[k] = fmaxf(values[k], own[k]);
    }
}

int qvTake_GeneratedCount(const qvTake* take)
{
    const qvTakeWaves* waves = take->waves[qv_wavesSecondary];
    return waves != NULL ? waves->eventCount : 0;
}

const qvSceneEvent* qvTake_GeneratedEvent(const qvTake* take, int index)
{
    QV_ASSERT(index >= 0 && index < qvTake_GeneratedCount(take));
    return &take->waves[qv_wavesSecondary]->events[index];
}
