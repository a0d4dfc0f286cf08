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

qvResult qvCreateTake(const qvScene* scene, const qvBody* body, qvTake** out, qvError* error)
{
    *out = NULL;
    qvTake* take = qvAllocate(1, sizeof(*take));
    if (take == NULL)
        return qvError_OutOfMemory(error, sizeof(*take));
    atomic_init(&take->owners, 1);
    pthread_mutex_init(&take->reports.lock, NULL);
    take->scene = qvRetainScene(scene);
    take->body = qvRetainBody(body);
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
    if (take->poses == NULL || take->reports.keys == NULL || take->reports.known == NULL)
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

// --- Evaluation ----------------------------------------------------------------------------------------------------

// In a loop every time is brought into the period first, so that its ends give the same bits.
double qvTake_Wrap(const qvTake* take, double time)
{
    if (take->period <= 0.0)
        return time;
    double since = fmod(time - take->start, take->period);
    return take->start + (since < 0.0 ? since + take->period : since);
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

size_t qvTake_ScratchSize(const qvTake* take)
{
    return Aligned(BaseScratch(take)) + Aligned((size_t)qvTake_ModeCount(take) * sizeof(double)) + ALIGNMENT;
}

static void EvaluateClip(const qvTake* take, double time, void* scratch, qvVec3f* points)
{
    const qvMesh* mesh = take->body->mesh;
    qvVec3f* vertices = (qvVec3f*)((char*)scratch + Aligned(qvRig_ScratchSize(take->rig)));
    qvRig_Evaluate(take->rig, take->clip, time, scratch, vertices);
    qvMesh_GatherPoints(mesh, vertices, points);
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
}

qvAffine qvTake_Frame(const qvTake* take, double time)
{
    return take->curves != NULL ? qvMotion_Frame(take->curves->motion, qvTake_Wrap(take, time)) : qvAffine_Identity();
}

// What is rigid in a pose beyond its transform stays in the pose.
qvAffine qvTake_KeyedFrame(const qvTake* take, double time)
{
    qvAffine frame = qvAffine_Identity();
    if (take->curves == NULL || take->curves->motion->outer == NULL)
        return frame;
    const qvMotion* motion = take->curves->motion;
    qvRigid pose = qvFramePath_Evaluate(motion->outer, qvTake_Wrap(take, time)).pose;
    const qvVec3 axes[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
    for (int c = 0; c < 3; c++)
    {
        qvVec3 column = qvQuat_Rotate(pose.rotation, axes[c]);
        frame.linear[0][c] = column.x, frame.linear[1][c] = column.y, frame.linear[2][c] = column.z;
    }
    frame.offset = qvSub(pose.position, qvQuat_Rotate(pose.rotation, motion->space->pivot));
    return frame;
}

qvAffine qvTake_KeyFrame(const qvTake* take, int key)
{
    QV_ASSERT(key >= 0 && key < take->scene->keyCount);
    return qvTake_KeyedFrame(take, take->scene->keys[key]->time);
}

void qvTake_Wavefronts(const qvTake* take, double time, void* scratch, qvPool* pool, float* values)
{
    (void)time;
    (void)scratch;
    (void)pool;
    memset(values, 0, (size_t)take->body->mesh->pointCount * sizeof(*values));
}

int qvTake_GeneratedCount(const qvTake* take)
{
    (void)take;
    return 0;
}

const qvSceneEvent* qvTake_GeneratedEvent(const qvTake* take, int index)
{
    (void)take;
    (void)index;
    return NULL;
}

// --- Reports -------------------------------------------------------------------------------------------------------

static double LargestDistance(const qvVec3f* a, const qvVec3f* b, const qvAffine* frame, int count)
{
    double largest = 0.0;
    for (int i = 0; i < count; i++)
        largest = fmax(largest, qvDistance(qvVec3_FromFloat(a[i]), qvAffine_Point(frame, qvVec3_FromFloat(b[i]))));
    return largest;
}

// Points at a time; NULL when memory runs out. The caller frees them.
static qvVec3f* PointsAt(const qvTake* take, double time)
{
    size_t points = (size_t)take->body->mesh->pointCount * sizeof(qvVec3f);
    void* scratch = qvAllocateRaw(1, qvTake_ScratchSize(take));
    qvVec3f* out = qvAllocateRaw(1, points);
    if (scratch != NULL && out != NULL)
        qvTake_Evaluate(take, time, qv_layersAll, scratch, NULL, out);
    else
    {
        free(out);
        out = NULL;
    }
    free(scratch);
    return out;
}

static qvKeyReport MeasureKey(const qvTake* take, int key)
{
    qvKeyReport report = { NAN, 0.0, 0.0 };
    qvVec3f* points = PointsAt(take, take->scene->keys[key]->time);
    if (points == NULL)
        return report;
    qvAffine frame = qvTake_KeyFrame(take, key);
    int count = take->body->mesh->pointCount;
    report.error = LargestDistance(points, take->poses[key]->object, &frame, count) / take->body->diagonal;
    free(points);
    return report;
}

qvKeyReport qvTake_KeyReport(const qvTake* take, int key)
{
    QV_ASSERT(key >= 0 && key < take->scene->keyCount);
    qvTakeReports* reports = (qvTakeReports*)&take->reports;
    pthread_mutex_lock(&reports->lock);
    if (!reports->known[key])
    {
        reports->keys[key] = MeasureKey(take, key);
        reports->known[key] = true;
    }
    qvKeyReport report = reports->keys[key];
    pthread_mutex_unlock(&reports->lock);
    return report;
}

static double LargestJump(const double* a, const double* b, int count)
{
    double largest = 0.0;
    for (int i = 0; i < count; i++)
    {
        double d[3] = { a[3 * i] - b[3 * i], a[3 * i + 1] - b[3 * i + 1], a[3 * i + 2] - b[3 * i + 2] };
        largest = fmax(largest, sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
    }
    return largest;
}

// Before and after the seam: positions, velocities and accelerations.
static qvSeam MeasureSeam(const qvTake* take)
{
    const qvMotion* motion = take->curves->motion;
    int n = take->body->mesh->pointCount;
    size_t size = 3 * (size_t)n;
    double* numbers = qvAllocateRaw(6 * size, sizeof(double));
    void* scratch = qvAllocateRaw(1, qvTake_ScratchSize(take));
    qvSeam seam = { NAN, NAN, NAN };
    if (numbers != NULL && scratch != NULL)
    {
        double end = take->start + take->period, *after = numbers + 3 * size;
        qvMotion_Evaluate(motion, nextafter(end, take->start), scratch, numbers, numbers + size, numbers + 2 * size);
        qvMotion_Evaluate(motion, take->start, scratch, after, after + size, after + 2 * size);
        double unit = 1.0 / take->body->diagonal;
        seam.position = unit * LargestJump(numbers, after, n);
        seam.velocity = unit * LargestJump(numbers + size, after + size, n);
        seam.acceleration = unit * LargestJump(numbers + 2 * size, after + 2 * size, n);
    }
    free(numbers);
    free(scratch);
    return seam;
}

qvSeam qvTake_Seam(const qvTake* take)
{
    qvTakeReports* reports = (qvTakeReports*)&take->reports;
    if (take->period <= 0.0 || take->curves == NULL)
        return (qvSeam){ 0.0, 0.0, 0.0 };
    pthread_mutex_lock(&reports->lock);
    if (!reports->seamKnown)
    {
        reports->seam = MeasureSeam(take);
        reports->seamKnown = true;
    }
    qvSeam seam = reports->seam;
    pthread_mutex_unlock(&reports->lock);
    return seam;
}
