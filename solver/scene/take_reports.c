// SPDX-License-Identifier: GPL-3.0-or-later
// How well a take meets its keys and closes its loop. Measured when first asked for, so that edits stay quick.
#include "scene/take.h"

#include "base/assert.h"
#include "base/hash.h"
#include "base/memory.h"
#include "math/affine.h"
#include "math/quat.h"
#include "motion/space.h"
#include "waves/layer.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What can be measured of a take by now. Asked before measuring, because steps come in meanwhile.
static qvMeasured Measurable(const qvTake* take)
{
    return isinf(qvTake_ValidUntil(take)) ? qv_measuredWhole : qv_measuredPartly;
}

// --- Keys ----------------------------------------------------------------------------------------------------------

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

// The hard key of a layer of waves at a time; -1: it holds none back there.
static int FindHardKey(const qvWaveLayer* waves, double time)
{
    int i = waves->hardKeyCount - 1;
    while (i >= 0 && waves->hardKeys[i] != time)
        i--;
    return i;
}

// How far the waves would be off at a key.
static double WaveMiss(const qvTake* take, int key)
{
    const qvSceneKey* from = take->scene->keys[key];
    double miss = 0.0;
    bool counts = isinf(from->weight) && !qvTake_IsSimulated(take, from->time);
    for (int i = 0; counts && i < take->layers.count; i++)
    {
        const qvWaveLayer* waves = qvTake_Waves(take, i);
        int hard = waves != NULL ? FindHardKey(waves, from->time) : -1;
        miss += hard >= 0 ? qvWaveLayer_KeyMiss(waves, hard) : 0.0;
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

// The pose that a key wants, to be freed; over a clip where that has the body, unless only the keys are looked at.
static qvVec3f* WantedPose(const qvTake* take, int index, bool isAlone)
{
    size_t count = (size_t)take->body->mesh->pointCount;
    qvVec3f* pose = qvAllocateRaw(count, sizeof(*pose));
    if (pose == NULL)
        return NULL;
    memcpy(pose, take->poses[index]->object, count * sizeof(*pose));
    double time = qvTake_Wrap(take, take->scene->keys[index]->time);
    if (isAlone || qvPose_OnClip(take->scene, take->body, time, pose, NULL) == qv_ok)
        return pose;
    free(pose);
    return NULL;
}

static qvKeyReport MeasureKey(const qvTake* take, int index, qvPool* pool)
{
    const qvSceneKey* key = take->scene->keys[index];
    double unit = 1.0 / take->body->diagonal;
    qvMotionKeyReport made = qvMotion_KeyReport(take->curves->motion, index);
    qvKeyReport report = { NAN, unit * made.residual, unit * WaveMiss(take, index), 0.0 };
    if (key->velocityMode == qv_velocityFree && key->interp == qv_interpWiggly && key->weight == INFINITY)
        report.passes = qvMotion_Passes(take->curves->motion, index);
    int32_t* only = NULL;
    int count = take->body->mesh->pointCount;
    if (key->partial && qvVertexSet_Points(&key->only, take->body, &only, &count, NULL) != qv_ok)
        return report;
    // A key that arrives as a wave is where the wave leads to: at the key's own time it only starts.
    qvTakeLayers layers = key->interp == qv_interpWave ? qv_layersMotion : qv_layersAll;
    // A key in the span of a simulation shapes the motion below it.
    bool isAlone = qvTake_IsSimulated(take, qvTake_Wrap(take, key->time));
    qvVec3f* points =
        isAlone ? qvTake_KeyedPoints(take, key->time) : qvTake_PointsAt(take, key->time, layers, pool, NULL);
    qvVec3f* pose = WantedPose(take, index, isAlone);
    qvAffine frame = WantedFrame(take, index);
    if (points != NULL && pose != NULL)
        report.error = unit * LargestMiss(points, pose, &frame, only, count);
    free(points);
    free(pose);
    free(only);
    return report;
}

// What a watched pool did not finish is not kept.
static qvKeyReport KnowKey(const qvTake* take, int key, qvPool* pool)
{
    QV_ASSERT(key >= 0 && key < take->scene->keyCount);
    qvTakeReports* reports = (qvTakeReports*)&take->reports;
    pthread_mutex_lock(&reports->lock);
    qvMeasured now = Measurable(take);
    if (reports->keysAre[key] < now)
    {
        reports->keys[key] = MeasureKey(take, key, pool);
        reports->keysAre[key] = qvPool_Verdict(pool, NULL) == qv_ok ? now : qv_measuredNot;
    }
    qvKeyReport report = reports->keys[key];
    pthread_mutex_unlock(&reports->lock);
    return report;
}

qvKeyReport qvTake_KeyReport(const qvTake* take, int key)
{
    return KnowKey(take, key, NULL);
}

// --- Topology ------------------------------------------------------------------------------------------------------

QV_PRINTF(3, 4) static void AddToList(char* list, size_t capacity, const char* format, ...)
{
    size_t used = strlen(list);
    used += (size_t)snprintf(list + used, capacity - used, "%s", used > 0 ? ", " : "");
    va_list args;
    va_start(args, format);
    vsnprintf(list + used, capacity - used, format, args);
    va_end(args);
}

bool qvTake_ChangeRemark(const qvTake* take, char* text, size_t capacity)
{
    double change = qvTake_ChangesFrom(take);
    const qvScene* scene = take->scene;
    int keys = 0, events = 0;
    char list[192] = "";
    for (int i = 0; i < scene->keyCount; i++)
        keys += scene->keys[i]->time >= change;
    for (int i = 0; i < scene->eventCount; i++)
        events += scene->events[i]->def.time >= change;
    if (keys > 0)
        AddToList(list, sizeof(list), "%d key%s", keys,
                  keys == 1 ? " after that is not met" : "s after that are not met");
    if (events > 0)
        AddToList(list, sizeof(list), "%d wave%s", events,
                  events == 1 ? " after that is not seen" : "s after that are not seen");
    if (isfinite(change) && scene->secondary.enabled)
        AddToList(list, sizeof(list), "secondary motion ends there");
    if (list[0] == 0)
        return false;
    snprintf(text, capacity, "the body changes its topology at %g s: %s", change, list);
    return true;
}

// --- Seam ----------------------------------------------------------------------------------------------------------

enum
{
    ORDERS = 3,    // position, velocity, acceleration
    SIDE = 4,      // samples that a one-sided derivative takes
    SAMPLES = 6,   // of a side: with steps of one and of two
    LARGE = 30000, // coordinates, from which on what measuring leaves is worth giving back
};

static const int sampleSteps[SAMPLES] = { 0, 1, 2, 3, 4, 6 };

// Seconds between samples. A baked clip has corners at all of its frames: what it was baked from is known at those
// alone.
static double StepOf(const qvTake* take)
{
    double rate = take->clip != NULL ? qvRig_ClipRate(take->clip->rig, take->clip->clip) : 0.0;
    return rate >= 1.0 ? fmin(1.0 / rate, take->period / (2 * sampleSteps[SAMPLES - 1])) : 1.0 / 1920.0;
}

// What jumps at each point, [3 pointCount] per order.
typedef struct Jumps
{
    double* sure[ORDERS];  // in closed form
    double* fine[ORDERS];  // by differences over a step
    double* rough[ORDERS]; // over two steps
} Jumps;

// Positions, velocities and accelerations of the motion just before and just after the seam.
static bool MeasureMotion(const qvTake* take, double end, Jumps* jumps)
{
    size_t size = 3 * (size_t)take->body->mesh->pointCount;
    double* before = qvAllocateRaw(ORDERS * size, sizeof(double));
    qvTakeView view = { 0 };
    bool done = before != NULL && qvTakeView_SetTake(&view, take, NULL) == qv_ok;
    if (done)
    {
        const qvMotion* motion = take->curves->motion;
        qvMotion_Evaluate(motion, end, view.scratch, before, before + size, before + 2 * size);
        qvMotion_Evaluate(motion, take->start, view.scratch, jumps->sure[0], jumps->sure[1], jumps->sure[2]);
        for (size_t i = 0; i < ORDERS * size; i++)
            jumps->sure[i / size][i % size] -= before[i];
    }
    free(before);
    qvTakeView_Free(&view);
    return done;
}

// Adds what a layer moves at a time, without the waves that start at the seam.
static void AddLayer(qvTakeView* view, const qvWaveLayer* layer, double time, qvPool* pool, double* sum)
{
    const qvTake* take = view->take;
    qvLayerFilter filter = { .without = take->start, .around = (sampleSteps[SAMPLES - 1] + 1) * StepOf(take) };
    qvWaveLayer_FrameDisplacements(layer, time, &filter, view->scratch, pool, view->points);
    qvAffine frame = qvWaveLayer_Frame(layer, time, NULL, view->scratch, NULL);
    for (int i = 0; i < take->body->mesh->pointCount; i++)
    {
        qvVec3 moved = qvAffine_Vector(&frame, qvVec3_FromFloat(view->points[i]));
        sum[3 * i] += moved.x, sum[3 * i + 1] += moved.y, sum[3 * i + 2] += moved.z;
    }
}

// Keys alone; offsets from a clip have not, nor has what is carried along.
static bool HasDerivatives(const qvTake* take)
{
    return take->curves != NULL && take->clip == NULL && take->curves->carried == NULL;
}

// What has no derivatives of its own at a time: a clip, and waves.
static void Sample(qvTakeView* view, double time, qvPool* pool, double* sum)
{
    const qvTake* take = view->take;
    size_t n = (size_t)take->body->mesh->pointCount;
    memset(sum, 0, 3 * n * sizeof(*sum));
    if (!HasDerivatives(take))
    {
        qvTakeView_Evaluate(view, time, qv_layersMotion, NULL);
        const qvVec3f* at = view->points;
        for (size_t i = 0; i < n; i++)
            sum[3 * i] = at[i].x, sum[3 * i + 1] = at[i].y, sum[3 * i + 2] = at[i].z;
    }
    for (int i = 0; i < take->layers.count; i++)
    {
        const qvLayer* layer = take->layers.items[i]->object;
        bool isSampled = !HasDerivatives(take) && (layer->kind->traits & qv_layerAdds) == 0;
        if (qvTake_Waves(take, i) != NULL && !isSampled)
            AddLayer(view, qvTake_Waves(take, i), time, pool, sum);
    }
}

// Adds a sample to the jumps of all orders. Derivatives at the first of four samples that go on in steps, away from the
// seam, are of the third and second order.
static void AddSample(double* jumps[ORDERS], int sample, double step, double sign, const double* x, size_t count)
{
    static const double weights[ORDERS][SIDE] = { { 1.0, 0.0, 0.0, 0.0 },
                                                  { -11.0 / 6.0, 3.0, -1.5, 1.0 / 3.0 },
                                                  { 2.0, -5.0, 4.0, -1.0 } };
    double over = sign;
    for (int order = 0; order < ORDERS; order++, over /= sign * step)
    {
        double weight = over * weights[order][sample];
        for (size_t i = 0; i < count; i++)
            jumps[order][i] += weight * x[i];
    }
}

static bool MeasureSamples(const qvTake* take, double end, const qvJob* job, Jumps* jumps)
{
    size_t n = (size_t)take->body->mesh->pointCount;
    qvTakeView view = { 0 };
    qvPool* pool = NULL;
    double* sum = qvAllocateRaw(3 * n, sizeof(*sum));
    bool done =
        sum != NULL && qvTakeView_SetTake(&view, take, NULL) == qv_ok && qvCreateWatchedPool(job, &pool, NULL) == qv_ok;
    double step = StepOf(take);
    for (int i = 0; done && i < 2 * SAMPLES; i++)
    {
        int steps = sampleSteps[i / 2];
        double sign = i % 2 == 0 ? 1.0 : -1.0;
        Sample(&view, (sign > 0.0 ? take->start : end) + sign * steps * step, pool, sum);
        done = qvJob_Progress(job, "seam", (i + 1.0) / (2 * SAMPLES), NULL) == qv_ok;
        if (steps < SIDE)
            AddSample(jumps->fine, steps, step, sign, sum, 3 * n);
        if (steps % 2 == 0)
            AddSample(jumps->rough, steps / 2, 2.0 * step, sign, sum, 3 * n);
    }
    qvDestroyPool(pool);
    qvTakeView_Free(&view);
    free(sum);
    return done;
}

static double LargestLength(const double* a, const double* b, double sign, int count)
{
    double largest = 0.0;
    for (int i = 0; i < 3 * count; i += 3)
    {
        qvVec3 sum = { a[i] + sign * b[i], a[i + 1] + sign * b[i + 1], a[i + 2] + sign * b[i + 2] };
        largest = fmax(largest, qvLength(sum));
    }
    return largest;
}

// By how much an order jumps at least. Where a motion merely curves, differences over half the step shrink to a quarter
// or less, and so change by more than what is left; a jump stays. That doubt counts twice, for waves that are so short
// that the steps are long for them.
static double SureJump(const Jumps* jumps, int order, int count)
{
    double found = LargestLength(jumps->sure[order], jumps->fine[order], 1.0, count);
    double doubt = order > 0 ? LargestLength(jumps->fine[order], jumps->rough[order], -1.0, count) : 0.0;
    return fmax(found - 2.0 * doubt, 0.0);
}

// Numbers that are none when memory runs out, or when the job refuses.
static qvSeam MeasureSeam(const qvTake* take, const qvJob* job)
{
    int n = take->body->mesh->pointCount;
    size_t size = 3 * (size_t)n;
    double* memory = qvAllocate(3 * ORDERS * size, sizeof(*memory));
    double end = nextafter(take->start + take->period, take->start), unit = 1.0 / take->body->diagonal;
    qvSeam seam = { NAN, NAN, NAN, false, false };
    Jumps jumps;
    if (memory == NULL)
        return seam;
    for (int i = 0; i < ORDERS; i++)
    {
        double* at = memory + 3 * (size_t)i * size;
        jumps.sure[i] = at, jumps.fine[i] = at + size, jumps.rough[i] = at + 2 * size;
    }
    bool sampled = !HasDerivatives(take) || qvTake_HasWaves(take);
    if ((!HasDerivatives(take) || MeasureMotion(take, end, &jumps)) &&
        (!sampled || MeasureSamples(take, end, job, &jumps)))
    {
        seam.position = unit * SureJump(&jumps, 0, n);
        seam.velocity = unit * SureJump(&jumps, 1, n);
        seam.acceleration = unit * SureJump(&jumps, 2, n);
        seam.atLeast = sampled;
        seam.closes = seam.position + seam.velocity / take->scene->fps < 1e-3;
    }
    if (take->curves != NULL)
        qvMotionSpace_Rest(take->curves->space->object);
    free(memory);
    if (size > LARGE)
        qvReturnFreeMemory();
    return seam;
}

// Of all that a seam depends on beside the curves.
static uint64_t HashSeam(const qvTake* take)
{
    const double numbers[] = { take->start, take->period, take->scene->fps };
    uint64_t hash = qvHash(numbers, sizeof(numbers), 1);
    for (int i = 0; i < take->layers.count; i++)
        hash = qvHash_Combine(hash, take->layers.items[i]->hash);
    return hash;
}

// Measuring the waves takes long; undo comes back to what was measured before.
static qvSeam FindSeam(const qvTake* take, const qvJob* job)
{
    qvTakeMotion* curves = (qvTakeMotion*)take->curves;
    if (curves == NULL)
        return MeasureSeam(take, job);
    uint64_t hash = HashSeam(take);
    pthread_mutex_lock(&curves->lock);
    bool isKnown = curves->seamHash == hash;
    qvSeam seam = curves->seam;
    pthread_mutex_unlock(&curves->lock);
    if (isKnown)
        return seam;
    bool isWhole = Measurable(take) == qv_measuredWhole; // else it is not what the hash says
    seam = MeasureSeam(take, job);
    pthread_mutex_lock(&curves->lock);
    if (isWhole && !isnan(seam.position))
        curves->seamHash = hash, curves->seam = seam;
    pthread_mutex_unlock(&curves->lock);
    return seam;
}

static qvSeam KnowSeam(const qvTake* take, const qvJob* job)
{
    qvTakeReports* reports = (qvTakeReports*)&take->reports;
    if (take->period <= 0.0)
        return (qvSeam){ .closes = true };
    pthread_mutex_lock(&reports->lock);
    qvMeasured now = Measurable(take);
    if (reports->seamIs < now)
    {
        reports->seam = FindSeam(take, job);
        reports->seamIs = job == NULL || !isnan(reports->seam.position) ? now : qv_measuredNot;
    }
    qvSeam seam = reports->seam;
    pthread_mutex_unlock(&reports->lock);
    return seam;
}

qvSeam qvTake_Seam(const qvTake* take)
{
    return KnowSeam(take, NULL);
}

qvResult qvTake_Measure(const qvTake* take, int key, const qvJob* job, qvError* error)
{
    KnowSeam(take, job);
    qvPool* pool = NULL;
    qvResult result = qvJob_Ask(job, error);
    if (result == qv_ok && key >= 0)
        result = qvCreateWatchedPool(job, &pool, error);
    if (result == qv_ok && key >= 0)
    {
        KnowKey(take, key, pool);
        result = qvPool_Verdict(pool, error);
    }
    qvDestroyPool(pool);
    return result;
}
