// SPDX-License-Identifier: GPL-3.0-or-later
// How well a take meets its keys and closes its loop. Measured when first asked for, so that edits stay quick.
#include "scene/take.h"

#include "base/assert.h"
#include "base/memory.h"
#include "math/affine.h"
#include "math/quat.h"

#include <math.h>
#include <stdlib.h>

// --- Keys ----------------------------------------------------------------------------------------------------------

// Points at a time; NULL when memory runs out. The caller frees them.
static qvVec3f* PointsAt(const qvTake* take, double time)
{
    void* scratch = qvAllocateRaw(1, qvTake_ScratchSize(take));
    qvVec3f* points = qvAllocateRaw((size_t)take->body->mesh->pointCount, sizeof(*points));
    if (scratch != NULL && points != NULL)
        qvTake_Evaluate(take, time, qv_layersAll, scratch, NULL, points);
    else
    {
        free(points);
        points = NULL;
    }
    free(scratch);
    return points;
}

// The largest distance of points from a pose; of those listed, or of all when points is NULL.
static double LargestMiss(const qvVec3f* at, const qvVec3f* pose, const qvAffine* frame, const int32_t* list, int count)
{
    double largest = 0.0;
    for (int i = 0; i < count; i++)
    {
        int point = list != NULL ? list[i] : i;
        qvVec3 wanted = qvAffine_Point(frame, qvVec3_FromFloat(pose[point]));
        largest = fmax(largest, qvDistance(qvVec3_FromFloat(at[point]), wanted));
    }
    return largest;
}

// How far the waves would be off at a key; keys are counted as the layers count hard ones.
static double WaveMiss(const qvTake* take, int key)
{
    const qvScene* scene = take->scene;
    double miss = 0.0;
    int hard = 0;
    for (int i = 0; i < key; i++)
        hard += isinf(scene->keys[i]->weight) ? 1 : 0;
    for (int i = 0; isinf(scene->keys[key]->weight) && i < qv_wavesCount; i++)
    {
        if (take->waves[i] != NULL)
            miss += qvWaveLayer_KeyMiss(take->waves[i]->layer, hard);
    }
    return miss;
}

// Where a key wants the frame: a soft one need not get its own.
static qvAffine WantedFrame(const qvTake* take, int index)
{
    const qvSceneKey* key = take->scene->keys[index];
    if (!key->hasTransform)
        return qvTake_KeyFrame(take, index);
    return qvAffine_FromParts(key->translate, qvQuat_Normalize(key->rotate), qvMakeVec3(1.0, 1.0, 1.0));
}

static qvKeyReport MeasureKey(const qvTake* take, int index)
{
    const qvSceneKey* key = take->scene->keys[index];
    double unit = 1.0 / take->body->diagonal;
    qvMotionKeyReport made = qvMotion_KeyReport(take->curves->motion, index);
    qvKeyReport report = { NAN, unit * made.residual, unit * WaveMiss(take, index) };
    int32_t* only = NULL;
    int count = take->body->mesh->pointCount;
    if (key->partial && qvVertexSet_Points(&key->only, take->body, &only, &count, NULL) != qv_ok)
        return report;
    qvVec3f* points = PointsAt(take, key->time);
    qvAffine frame = WantedFrame(take, index);
    if (points != NULL)
        report.error = unit * LargestMiss(points, take->poses[index]->object, &frame, only, count);
    free(points);
    free(only);
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

// --- Seam ----------------------------------------------------------------------------------------------------------

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

// Positions, velocities and accelerations of the motion just before and just after the seam.
static qvSeam MotionSeam(const qvTake* take)
{
    const qvMotion* motion = take->curves->motion;
    int n = take->body->mesh->pointCount;
    size_t size = 3 * (size_t)n;
    double* before = qvAllocateRaw(6 * size, sizeof(double));
    void* scratch = qvAllocateRaw(1, qvTake_ScratchSize(take));
    qvSeam seam = { NAN, NAN, NAN };
    if (before != NULL && scratch != NULL)
    {
        double end = take->start + take->period, *after = before + 3 * size;
        qvMotion_Evaluate(motion, nextafter(end, take->start), scratch, before, before + size, before + 2 * size);
        qvMotion_Evaluate(motion, take->start, scratch, after, after + size, after + 2 * size);
        seam.position = LargestJump(before, after, n);
        seam.velocity = LargestJump(before + size, after + size, n);
        seam.acceleration = LargestJump(before + 2 * size, after + 2 * size, n);
    }
    free(before);
    free(scratch);
    return seam;
}

enum
{
    SIDE = 4 // samples on each side of the seam
};

// Velocity and acceleration at the first of four samples that go on in steps, away from the seam, of the third and
// second order: a smooth motion has no jump then because it curves.
static void EndDerivatives(const qvVec3 x[SIDE], double step, qvVec3* velocity, qvVec3* acceleration)
{
    static const double first[SIDE] = { -11.0 / 6.0, 3.0, -1.5, 1.0 / 3.0 }, second[SIDE] = { 2.0, -5.0, 4.0, -1.0 };
    *velocity = *acceleration = qvMakeVec3(0.0, 0.0, 0.0);
    for (int k = 0; k < SIDE; k++)
    {
        *velocity = qvAdd(*velocity, qvScale(first[k] / step, x[k]));
        *acceleration = qvAdd(*acceleration, qvScale(second[k] / (step * step), x[k]));
    }
}

// What is evaluated in float: a clip, or waves. By differences over a 240th of a second.
static qvSeam SampledSeam(const qvTake* take)
{
    const double step = 1.0 / 240.0, end = nextafter(take->start + take->period, take->start);
    int n = take->body->mesh->pointCount;
    qvSeam seam = { 0.0, 0.0, 0.0 };
    qvVec3f* points[2 * SIDE];
    bool complete = true;
    for (int k = 0; k < SIDE; k++)
    {
        points[k] = PointsAt(take, end - k * step);
        points[SIDE + k] = PointsAt(take, take->start + k * step);
        complete = complete && points[k] != NULL && points[SIDE + k] != NULL;
    }
    for (int i = 0; complete && i < n; i++)
    {
        qvVec3 x[2 * SIDE], velocity[2], acceleration[2];
        for (int k = 0; k < 2 * SIDE; k++)
            x[k] = qvVec3_FromFloat(points[k][i]);
        EndDerivatives(x, -step, &velocity[0], &acceleration[0]);
        EndDerivatives(x + SIDE, step, &velocity[1], &acceleration[1]);
        seam.position = fmax(seam.position, qvDistance(x[0], x[SIDE]));
        seam.velocity = fmax(seam.velocity, qvDistance(velocity[0], velocity[1]));
        seam.acceleration = fmax(seam.acceleration, qvDistance(acceleration[0], acceleration[1]));
    }
    for (int k = 0; k < 2 * SIDE; k++)
        free(points[k]);
    return complete ? seam : (qvSeam){ NAN, NAN, NAN };
}

qvSeam qvTake_Seam(const qvTake* take)
{
    qvTakeReports* reports = (qvTakeReports*)&take->reports;
    if (take->period <= 0.0)
        return (qvSeam){ 0.0, 0.0, 0.0 };
    pthread_mutex_lock(&reports->lock);
    if (!reports->seamKnown)
    {
        bool sampled =
            take->curves == NULL || take->waves[qv_wavesEdited] != NULL || take->waves[qv_wavesSecondary] != NULL;
        qvSeam seam = sampled ? SampledSeam(take) : MotionSeam(take);
        double unit = 1.0 / take->body->diagonal;
        reports->seam = (qvSeam){ unit * seam.position, unit * seam.velocity, unit * seam.acceleration };
        reports->seamKnown = true;
    }
    qvSeam seam = reports->seam;
    pthread_mutex_unlock(&reports->lock);
    return seam;
}
