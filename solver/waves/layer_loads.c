// SPDX-License-Identifier: GPL-3.0-or-later
// From events and ripples of keys to the loads of a layer.
#include "waves/layer.h"

#include "base/assert.h"
#include "kelvinlet/stroke_flow.h"
#include "math/affine.h"
#include "math/mat3.h"

#include <stdlib.h>
#include <string.h>

enum
{
    MAX_PATH_LOADS = 64
};

// Apart enough to be told from each other by the solve, close enough to act as one line.
static const double PATH_SPACING = 0.7;

// --- One load --------------------------------------------------------------------------------------------------------

// Substeps that the load needs at its largest; the same at every age, so that nothing jumps.
static int FindSubsteps(const qvWaveLayer* layer, const qvKelvinlet* load)
{
    if (layer->substeps == qv_linear)
        return 0;
    if (layer->substeps != qv_estimateSubsteps)
        return layer->substeps;
    qvAdvection options = qvDefaultAdvection();
    qvKelvinlet still = *load;
    still.time = qv_kelvinletStatic;
    if (load->time == qv_kelvinletPush)
        return qvEstimateSubsteps(&still, 1, 0.0, &options);
    // Impulses are largest near age = 0.4 radii over speed, their turns and swells a little earlier.
    static const double ages[] = { 0.1, 0.25, 0.4, 0.7, 1.2 };
    int substeps = 1;
    for (int i = 0; i < 5; i++)
    {
        double age = ages[i] * load->radii[0] / qvKelvinlet_ShearSpeed(load);
        int needed = qvEstimateSubsteps(load, 1, age, &options);
        substeps = needed > substeps ? needed : substeps;
    }
    return substeps;
}

// The age at which an impulse has left the whole body, or has faded.
static double FindLife(const qvKelvinlet* load, double threshold, qvSphere whole)
{
    double faded = load->fade > 0.0 ? 16.2 / load->fade : INFINITY; // exp(-16.2) < 1e-7
    if (load->time == qv_kelvinletPush)
        return faded;
    double far = qvDistance(whole.center, load->center) + whole.radius, peak = 1e7 * threshold;
    double age = (far + load->radii[0]) / qvKelvinlet_ShearSpeed(load);
    for (int i = 0; i < 200 && age < faded; i++, age *= 1.1)
    {
        if (qvKelvinlet_Reach(load, age, threshold).inner > far + peak)
            return age;
    }
    return fmin(age, faded);
}

static qvResult AddLoad(qvWaveLayer* layer, const qvLayerLoad* like, const qvKelvinlet* from, qvError* error)
{
    qvResult result = qvKelvinlet_Validate(from, error);
    if (result != qv_ok)
        return result;
    qvLayerLoad load = *like;
    load.load = *from;
    load.snapshot = layer->snapshots.count - 1;
    load.threshold = qvKelvinlet_Threshold(from);
    if (!(load.threshold > 0.0))
        return qv_ok;
    load.stop = qvWaveLayer_FindStop(layer, load.start);
    load.substeps = FindSubsteps(layer, from);
    // A step of the midpoint rule errs by about size^3 / 6 radii, below the 1e-3 that estimates aim at.
    double peak = 1e7 * load.threshold, size = peak / from->radii[0];
    load.midpoint = layer->substeps == qv_estimateSubsteps && load.substeps == 1 && size < 0.15;
    load.life = FindLife(from, load.threshold, layer->snapshots.items[load.snapshot].whole);
    if (layer->period > 0.0 && from->time == qv_kelvinletPush)
    {
        double end = fmin(load.until.end, layer->period);
        load.until = (qvWindow){ 0.75 * end, end };
    }
    load.life = fmin(load.life, load.until.end);
    layer->peakSize = fmax(layer->peakSize, peak);
    layer->peakSpeed = fmax(layer->peakSpeed, peak * qvKelvinlet_ShearSpeed(from) / from->radii[0]);
    return QV_PUSH(layer->loads, load) ? qv_ok : qvError_OutOfMemory(error, sizeof(load));
}

// --- Events ----------------------------------------------------------------------------------------------------------

static double PathLength(const qvWaveEvent* event)
{
    double length = 0.0;
    for (int i = 1; i < event->pathCount; i++)
        length += qvDistance(event->path[i - 1], event->path[i]);
    return length;
}

static int PathLoadCount(const qvWaveEvent* event)
{
    double count = ceil(PathLength(event) / (PATH_SPACING * event->def.stroke.radius)) + 1.0;
    return count > MAX_PATH_LOADS ? MAX_PATH_LOADS + 1 : (int)count;
}

// The place at a distance along the path.
static qvVec3 PathPoint(const qvWaveEvent* event, double distance)
{
    for (int i = 1; i < event->pathCount; i++)
    {
        double length = qvDistance(event->path[i - 1], event->path[i]);
        if (distance <= length && length > 0.0)
            return qvMulAdd(event->path[i - 1], distance / length, qvSub(event->path[i], event->path[i - 1]));
        distance -= length;
    }
    return event->path[event->pathCount - 1];
}

static qvVec3 PointOf(const qvPointsf* points, int i)
{
    return qvMakeVec3(points->x[i], points->y[i], points->z[i]);
}

static qvResult FindPart(const qvWaveLayer* layer, const qvWaveEvent* event, int* part, qvError* error)
{
    *part = -1;
    if (event->def.vertex >= layer->pointCount)
        return qvError_Set(error, qv_badInput, "vertex: %d is not one of the body's %d points", event->def.vertex,
                           layer->pointCount);
    if (!event->def.stroke.connected || layer->topology->partCount < 2)
        return qv_ok;
    qvVec3 at = event->path != NULL ? PathPoint(event, 0.5 * PathLength(event)) : event->def.stroke.at;
    int point = event->def.vertex >= 0 ? event->def.vertex : qvFindNearestPoint(layer->pointCount, layer->rest, at);
    *part = layer->topology->pointPart[point];
    return qv_ok;
}

static qvResult AddPath(qvWaveLayer* layer, const qvWaveEvent* event, const qvLayerLoad* like, const qvJob* job,
                        qvError* error)
{
    int count = PathLoadCount(event);
    double length = PathLength(event);
    if (count > MAX_PATH_LOADS)
        return qvError_Set(error, qv_badInput, "path: %g long is too long for a radius of %g; use a radius above %g",
                           length, event->def.stroke.radius, length / (PATH_SPACING * (MAX_PATH_LOADS - 1)));
    qvVec3 centers[MAX_PATH_LOADS] = { { 0 } };
    qvKelvinlet loads[MAX_PATH_LOADS];
    const qvPointsf* points = &layer->snapshots.items[layer->snapshots.count - 1].points;
    for (int i = 0; i < count; i++)
    {
        qvVec3 at = PathPoint(event, count > 1 ? length * i / (count - 1) : 0.0);
        centers[i] = qvCarryPlace(layer->topology, like->part, layer->rest, points, at);
    }
    qvResult result = qvMakePathLoads(event, centers, count, loads, error);
    for (int i = 0; result == qv_ok && i < count; i++)
    {
        result = qvJob_Ask(job, error); // loads of violent events take long to judge
        if (result == qv_ok)
            result = AddLoad(layer, like, &loads[i], error);
    }
    return result;
}

static qvResult AddSingle(qvWaveLayer* layer, const qvWaveEvent* event, const qvLayerLoad* like, qvError* error)
{
    const qvPointsf* points = &layer->snapshots.items[layer->snapshots.count - 1].points;
    qvStroke stroke = event->def.stroke;
    stroke.at = event->def.vertex >= 0
                    ? PointOf(points, event->def.vertex)
                    : qvCarryPlace(layer->topology, like->part, layer->rest, points, event->def.stroke.at);
    qvStrokeWave wave = { .impulse = !event->def.push, .speed = event->def.speed, .fade = event->def.fade };
    qvKelvinlet loads[qv_maxStrokeCopies];
    int count = 0;
    qvResult result = qvStroke_Loads(&stroke, &wave, loads, &count, error);
    return result == qv_ok ? AddLoad(layer, like, &loads[0], error) : result;
}

qvResult qvWaveLayer_AddEvent(qvWaveLayer* layer, const qvWaveEvent* event, const qvJob* job, qvError* error)
{
    qvLayerLoad like = { .start = event->def.time, .until = qvOpenWindow() };
    if (isfinite(event->def.until))
        like.until = (qvWindow){ 0.75 * (event->def.until - event->def.time), event->def.until - event->def.time };
    qvResult result = FindPart(layer, event, &like.part, error);
    if (result == qv_ok)
        result = qvWaveLayer_KeepMask(layer, event->mask, &like.mask, error);
    if (result != qv_ok)
        return result;
    return event->path != NULL ? AddPath(layer, event, &like, job, error) : AddSingle(layer, event, &like, error);
}

// --- Ripples ---------------------------------------------------------------------------------------------------------

// A key's pose on its way into a layer: the shape as the strokes make it, and the map to the frame at the key.
typedef struct Ripple
{
    qvWaveLayer* layer;
    const qvKeyWave* key;
    double* pose; // [3 pointCount] in the frame
    qvAffine map; // from the key's coordinates to the frame
} Ripple;

static qvMat3 LinearOf(const qvAffine* map)
{
    qvMat3 m;
    memcpy(m.m, map->linear, sizeof(m.m));
    return m;
}

// Where a place goes while the strokes from one on are applied.
static qvResult CarryThrough(const qvKeyWave* key, int firstStroke, qvVec3* at, qvError* error)
{
    qvResult result = qv_ok;
    qvStrokeTarget one = { .pointCount = 1 };
    for (int i = firstStroke; result == qv_ok && i < key->strokeCount; i++)
    {
        if (key->strokes[i].stroke.brush->handle != NULL)
            result = qvStroke_Apply(&key->strokes[i].stroke, &one, NULL, at, error);
    }
    return result;
}

// An impulse of a stroke, turned and moved into the frame.
static qvResult AddRippleLoad(const Ripple* ripple, int stroke, const qvLayerLoad* like, qvKelvinlet load,
                              qvError* error)
{
    qvWaveLayer* layer = ripple->layer;
    const qvPointsf* points = &layer->snapshots.items[layer->snapshots.count - 1].points;
    qvResult result = CarryThrough(ripple->key, stroke, &load.center, error);
    if (result != qv_ok)
        return result;
    qvVec3 at = qvAffine_Point(&ripple->map, load.center);
    load.center = qvCarryPlace(layer->topology, -1, ripple->pose, points, at);
    qvMat3 turn = LinearOf(&ripple->map), back = qvMat3_Transpose(&turn);
    qvMat3 affine = qvMat3_Product(&turn, &load.affine);
    affine = qvMat3_Product(&affine, &back);
    double amount = ripple->key->amount;
    load.affine = qvMat3_Scaled(amount, &affine);
    load.force = qvScale(amount, qvMat3_Apply(&turn, load.force));
    load.dilation *= amount;
    return AddLoad(layer, like, &load, error);
}

// Multiplies weights by a key's mask; either may be NULL for all 1.
static qvResult LimitWeights(const qvKeyWave* key, int count, float** weights, qvError* error)
{
    if (key->mask == NULL)
        return qv_ok;
    if (*weights == NULL)
    {
        *weights = qvAllocateRaw((size_t)count, sizeof(**weights));
        if (*weights == NULL)
            return qvError_OutOfMemory(error, (double)count * sizeof(**weights));
        memcpy(*weights, key->mask, (size_t)count * sizeof(**weights));
        return qv_ok;
    }
    for (int i = 0; i < count; i++)
        (*weights)[i] *= key->mask[i];
    return qv_ok;
}

static qvResult AddRippleStroke(const Ripple* ripple, int index, const qvPoints* base, qvError* error)
{
    const qvWaveStroke* from = &ripple->key->strokes[index];
    qvWaveLayer* layer = ripple->layer;
    qvStrokeWave wave = { .impulse = true, .speed = ripple->key->speed };
    qvKelvinlet loads[qv_maxStrokeCopies];
    int count = 0;
    if (from->stroke.brush->handle == NULL)
        return qv_ok;
    qvResult result = qvStroke_Loads(&from->stroke, &wave, loads, &count, error);
    float* weights = NULL;
    qvStrokeTarget target = { .pointCount = layer->pointCount,
                              .weights = from->weights,
                              .topology = layer->topology,
                              .pool = NULL,
                              .pinned = from->pinned };
    if (result == qv_ok)
        result = qvStroke_MakeWeights(&from->stroke, &target, base, &weights, NULL, error);
    if (result == qv_ok)
        result = LimitWeights(ripple->key, layer->pointCount, &weights, error);
    qvLayerLoad like = { .start = ripple->key->time, .until = qvOpenWindow(), .part = -1 };
    if (result == qv_ok)
        result = qvWaveLayer_KeepMask(layer, weights, &like.mask, error);
    for (int i = 0; result == qv_ok && i < count; i++)
        result = AddRippleLoad(ripple, index, &like, loads[i], error);
    free(weights);
    return result;
}

// Connected parts do not depend on what the strokes before have done, so that the base serves for all weights.
static qvResult AddRippleStrokes(const Ripple* ripple, const qvKeyShapes* shapes, qvError* error)
{
    size_t n = (size_t)ripple->layer->pointCount;
    double* split = qvAllocateRaw(n, 3 * sizeof(double));
    if (split == NULL)
        return qvError_OutOfMemory(error, 24.0 * (double)n);
    for (size_t i = 0; i < n; i++)
    {
        const double* p = shapes->acted + 3 * i;
        split[i] = p[0], split[n + i] = p[1], split[2 * n + i] = p[2];
    }
    qvPoints base = { split, split + n, split + 2 * n, (int)n };
    qvResult result = qv_ok;
    for (int i = 0; result == qv_ok && i < ripple->key->strokeCount; i++)
    {
        result = AddRippleStroke(ripple, i, &base, error);
        if (result != qv_ok)
            qvError_Prefix(error, "stroke %d", i);
    }
    free(split);
    return result;
}

// Where the key's pose is in the frame, and from there its waves.
static qvResult AddShapedRipple(Ripple* ripple, const qvKeyShapes* shapes, qvError* error)
{
    size_t n = (size_t)ripple->layer->pointCount;
    ripple->pose = qvAllocateRaw(n, 3 * sizeof(double));
    if (ripple->pose == NULL)
        return qvError_OutOfMemory(error, 24.0 * (double)n);
    for (size_t i = 0; i < n; i++)
    {
        const double* p = shapes->pose + 3 * i;
        qvVec3 at = qvAffine_Point(&ripple->map, qvMakeVec3(p[0], p[1], p[2]));
        ripple->pose[3 * i] = at.x, ripple->pose[3 * i + 1] = at.y, ripple->pose[3 * i + 2] = at.z;
    }
    qvResult result = AddRippleStrokes(ripple, shapes, error);
    free(ripple->pose);
    return result;
}

qvResult qvWaveLayer_AddRipple(qvWaveLayer* layer, const qvKeyWave* key, qvError* error)
{
    Ripple ripple = { .layer = layer, .key = key };
    qvAffine back;
    const qvAffine* frame = &layer->snapshots.items[layer->snapshots.count - 1].frame;
    bool rigid = qvAffine_Invert(frame, &back);
    QV_ASSERT(rigid);
    ripple.map = qvAffine_Multiply(&back, &key->transform);
    qvKeyShapes shapes;
    qvResult result = qvWaveLayer_FindShapes(layer, key, key->time, &shapes, error);
    if (result == qv_ok)
        result = AddShapedRipple(&ripple, &shapes, error);
    free(shapes.carried);
    return result;
}
