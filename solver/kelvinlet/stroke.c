// SPDX-License-Identifier: GPL-3.0-or-later
// Applying strokes: the points are carried through the field of the stroke's loads, weighted by masks, connected parts
// and distances along the surface.
#include "base/assert.h"
#include "base/memory.h"
#include "kelvinlet/field.h"
#include "kelvinlet/flow.h"
#include "kelvinlet/load.h"
#include "kelvinlet/stroke_flow.h"
#include "kelvinlet/stroke_loads.h"
#include "kelvinlet/stroke_pins.h"
#include "quaver/brush.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A turning stroke also needs enough for the deformation around its centre.
static int FindSubsteps(const qvStrokeHandles* handles, const qvKelvinlet* loads, double age,
                        const qvAdvection* options)
{
    int estimated = qvEstimateSubsteps(loads, handles->count, age, options);
    int exact = qvCenterSubsteps(&handles->items[0].gradient);
    return exact > estimated ? exact : estimated;
}

// Around pins: as many as the stroke takes without them, doubled, and no further in one than a third of the way to the
// nearest of them. The estimate's probes would ask for steps as small as the pins are.
static int FindSubstepsAround(const qvStrokeHandles* handles, const qvKelvinlet* loads, double age,
                              const qvAdvection* options)
{
    const qvHandle* first = &handles->items[0];
    double steps = 2.0 * qvEstimateSubsteps(loads, handles->count, age, options);
    double gap = qvStrokePins_Distance(handles->pins, first->at);
    if (first->moves)
        steps = fmax(steps, fmin(3.0 * qvLength(first->displacement) / fmax(gap, 1e-300), 64.0));
    if (first->turns)
        steps = fmax(steps, qvCenterSubsteps(&first->gradient));
    return (int)fmin(ceil(steps), 128.0);
}

qvResult qvStroke_InitFlow(const qvStroke* stroke, const qvStrokePins* pins, const qvStrokeWave* wave, int substeps,
                           qvFlow* flow, qvError* error)
{
    qvStrokeHandles handles;
    qvKelvinlet loads[QV_MAX_STROKE_LOADS];
    qvStroke_MakeHandles(stroke, pins, wave, &handles);
    qvResult result = qvStrokeHandles_SetLoads(&handles, wave != NULL, loads, error);
    if (result != qv_ok)
        return result;
    double age = wave != NULL ? wave->age : 0.0;
    qvAdvection options = qvDefaultAdvection();
    options.tolerance = 1e-4;
    // The centre of a single turn stays; images may move each other, and their loads go with them.
    options.travel = !handles.items[0].turns || handles.count > 1;
    options.substeps = substeps;
    if (substeps == qv_estimateSubsteps && handles.pins != NULL)
        options.substeps = FindSubstepsAround(&handles, loads, age, &options);
    else if (substeps == qv_estimateSubsteps && handles.items[0].turns)
        options.substeps = FindSubsteps(&handles, loads, age, &options);
    int count = qvStrokeHandles_LoadCount(&handles);
    result = qvFlow_Init(flow, loads, count, age, &options, qvStrokeHandles_Update, &handles, error);
    if (result == qv_ok && handles.failed)
    {
        qvFlow_Free(flow);
        result = qvError_Set(error, qv_outOfMemory, "out of memory while solving mirrored strokes");
    }
    return result;
}

// --- Weights ---------------------------------------------------------------------------------------------------------

static qvVec3 PointAt(const qvPoints* points, int i)
{
    return qvMakeVec3(points->x[i], points->y[i], points->z[i]);
}

// Marks the connected parts that hold the point nearest to each centre.
static qvResult MarkParts(const qvStroke* stroke, const qvTopology* topology, const qvPoints* points, bool** marks,
                          qvError* error)
{
    qvVec3 centers[qv_maxStrokeCopies];
    int count = qvStroke_Centers(stroke, centers);
    *marks = qvAllocate((size_t)topology->partCount, sizeof(**marks));
    if (*marks == NULL)
        return qvError_OutOfMemory(error, (double)topology->partCount);
    for (int c = 0; c < count; c++)
    {
        double best = INFINITY;
        int nearest = -1;
        for (int i = 0; i < points->count; i++)
        {
            double distance = qvDistance(PointAt(points, i), centers[c]);
            nearest = distance < best ? i : nearest;
            best = fmin(distance, best);
        }
        if (nearest >= 0)
            (*marks)[topology->pointPart[nearest]] = true;
    }
    return qv_ok;
}

// Size of the brush's static effect at a distance, for comparing distances.
static double EffectAt(const qvStroke* stroke, bool turns, double distance)
{
    qvKelvinlet like = qvDefaultKelvinlet();
    like.poisson = stroke->poisson;
    qvKelvinlet_SetRadius(&like, stroke->radius, stroke->scales);
    qvStaticProfile profile = qvKelvinlet_StaticProfile(&like, distance);
    return fabs(turns ? profile.A1 - profile.B : profile.A);
}

// How much weaker the effect is along the surface than straight through space: 1 where both are as long.
static double SurfaceFalloff(const qvStroke* stroke, bool turns, const qvVec3* centers, int count, qvVec3 at,
                             double distance)
{
    double straight = INFINITY;
    for (int i = 0; i < count; i++)
        straight = fmin(straight, qvDistance(at, centers[i]));
    if (!(distance > straight))
        return 1.0;
    if (!isfinite(distance))
        return 0.0;
    double direct = EffectAt(stroke, turns, straight);
    return direct > 0.0 ? fmin(EffectAt(stroke, turns, distance) / direct, 1.0) : 0.0;
}

static void MultiplyFalloff(const qvStroke* stroke, const float* distances, const qvPoints* points, float* weights)
{
    qvVec3 centers[qv_maxStrokeCopies];
    int count = qvStroke_Centers(stroke, centers);
    qvHandle handle = { .radius = stroke->radius };
    if (stroke->brush->handle != NULL)
        stroke->brush->handle(stroke, &handle);
    for (int i = 0; i < points->count; i++)
        weights[i] *= (float)SurfaceFalloff(stroke, handle.turns, centers, count, PointAt(points, i), distances[i]);
}

// Without pins.
static qvResult MakeFreeWeights(const qvStroke* stroke, const qvStrokeTarget* target, const qvPoints* points,
                                float** out, qvError* error)
{
    float* weights = qvAllocate((size_t)points->count, sizeof(*weights));
    *out = weights;
    if (weights == NULL)
        return qvError_OutOfMemory(error, (double)points->count * sizeof(*weights));
    for (int i = 0; i < points->count; i++)
        weights[i] = target->weights != NULL ? target->weights[i] : 1.0f;
    if (stroke->connected && target->topology != NULL && target->topology->partCount > 1)
    {
        bool* marks;
        qvResult result = MarkParts(stroke, target->topology, points, &marks, error);
        if (result != qv_ok)
            return result;
        for (int i = 0; i < points->count; i++)
            weights[i] = marks[target->topology->pointPart[i]] ? weights[i] : 0.0f;
        free(marks);
    }
    if (target->distances != NULL)
        MultiplyFalloff(stroke, target->distances, points, weights);
    return qv_ok;
}

qvResult qvStroke_MakeWeights(const qvStroke* stroke, const qvStrokeTarget* target, const qvPoints* points, float** out,
                              qvStrokePins** pins, qvError* error)
{
    if (pins != NULL)
        *pins = NULL;
    qvResult result = MakeFreeWeights(stroke, target, points, out, error);
    if (result == qv_ok && pins != NULL)
        result = qvCreateStrokePins(stroke, target, points, *out, NULL, pins, error);
    if (result == qv_ok)
        qvStrokePins_Weigh(pins != NULL ? *pins : NULL, stroke, target, points, *out);
    return result;
}

// --- Applying --------------------------------------------------------------------------------------------------------

// A stroke, what it acts on, and the precision.
typedef struct Application
{
    const qvStroke* stroke;
    const qvStrokeTarget* target;
    const qvStrokeWave* wave;
    bool single;
    const uint8_t* sinks; // points that the ground holds; NULL: none
} Application;

// What is no load arrives as the centre of a push does, and an impulse leaves nothing.
static double ArrivedPart(const qvStroke* stroke, const qvStrokeWave* wave)
{
    if (wave == NULL)
        return 1.0;
    if (wave->impulse || !(wave->age > 0.0))
        return 0.0;
    qvKelvinlet push = qvDefaultKelvinlet();
    push.time = qv_kelvinletPush;
    qvKelvinlet_SetRadius(&push, stroke->radius, 1);
    qvKelvinlet_SetSpeed(&push, wave->speed);
    double arrived = qvKelvinlet_CenterGain(&push, wave->age) / qvKelvinlet_PeakCenterGain(&push);
    return fmin(fmax(arrived, 0.0), 1.0);
}

static void AddWeighted(const float* weights, const qvPoints* moved, qvPoints* points)
{
    for (int i = 0; i < points->count; i++)
    {
        points->x[i] += weights[i] * moved->x[i];
        points->y[i] += weights[i] * moved->y[i];
        points->z[i] += weights[i] * moved->z[i];
    }
}

static void AddWeightedf(const float* weights, const qvPointsf* moved, qvPoints* points)
{
    for (int i = 0; i < points->count; i++)
    {
        points->x[i] += weights[i] * moved->x[i];
        points->y[i] += weights[i] * moved->y[i];
        points->z[i] += weights[i] * moved->z[i];
    }
}

static qvResult RunFlow(const qvFlow* flow, const float* weights, qvPoints* points, qvPool* pool, qvError* error)
{
    size_t n = (size_t)points->count;
    double* storage = qvAllocateRaw(n, 3 * sizeof(*storage));
    if (storage == NULL)
        return qvError_OutOfMemory(error, 24.0 * (double)n);
    qvPoints moved = { storage, storage + n, storage + 2 * n, points->count };
    qvFlow_Run(flow, points, &moved, pool);
    AddWeighted(weights, &moved, points);
    free(storage);
    return qv_ok;
}

static qvResult RunFlowf(const qvFlow* flow, const float* weights, qvPoints* points, qvPool* pool, qvError* error)
{
    size_t n = (size_t)points->count;
    float* storage = qvAllocateRaw(n, 3 * sizeof(*storage));
    if (storage == NULL)
        return qvError_OutOfMemory(error, 12.0 * (double)n);
    qvPointsf moved = { storage, storage + n, storage + 2 * n, points->count };
    for (size_t i = 0; i < n; i++)
    {
        moved.x[i] = (float)points->x[i];
        moved.y[i] = (float)points->y[i];
        moved.z[i] = (float)points->z[i];
    }
    qvFlow_Runf(flow, &moved, &moved, pool);
    AddWeightedf(weights, &moved, points);
    free(storage);
    return qv_ok;
}

static qvResult ApplyFlow(const Application* application, const qvStrokePins* pins, const float* weights,
                          qvPoints* points, qvError* error)
{
    qvFlow flow;
    qvResult result =
        qvStroke_InitFlow(application->stroke, pins, application->wave, qv_estimateSubsteps, &flow, error);
    if (result != qv_ok)
        return result;
    qvPool* pool = application->target->pool;
    result = application->single ? RunFlowf(&flow, weights, points, pool, error)
                                 : RunFlow(&flow, weights, points, pool, error);
    qvFlow_Free(&flow);
    return result;
}

// A brush that is not elastic moves what it moves; then the field that brings the pins back is taken from that.
static qvResult HoldShape(const Application* application, const qvStrokePins* pins, double part, const float* weights,
                          qvPoints* points, qvError* error)
{
    const qvStroke* stroke = application->stroke;
    size_t n = (size_t)points->count;
    double* storage = qvAllocateRaw(n, 3 * sizeof(*storage));
    float* kept = qvAllocateRaw(n, sizeof(*kept));
    qvResult result = qv_ok;
    if (storage == NULL || kept == NULL)
        result = qvError_OutOfMemory(error, 28.0 * (double)n);
    qvPoints moved = { storage, storage + n, storage + 2 * n, points->count };
    if (result == qv_ok)
    {
        memcpy(storage, points->x, 3 * n * sizeof(*storage));
        result = stroke->brush->shape(stroke, application->target, part, weights, &moved, error);
    }
    for (size_t i = 0; result == qv_ok && i < 3 * n; i++)
        storage[i] -= points->x[i];
    for (size_t i = 0; result == qv_ok && i < n; i++)
        kept[i] = weights[i] > 0.0f ? 1.0f : 0.0f;
    if (result == qv_ok)
        qvStrokePins_Weigh(pins, stroke, application->target, points, kept);
    if (result == qv_ok)
        result = qvStrokePins_Hold(pins, points, &moved, application->target->pool, error);
    if (result == qv_ok)
        AddWeighted(kept, &moved, points);
    free(storage);
    free(kept);
    return result;
}

static qvResult ApplyShape(const Application* application, qvPoints* points, qvError* error)
{
    const qvStroke* stroke = application->stroke;
    const qvStrokeTarget* target = application->target;
    if (target->topology == NULL)
        return qvError_Set(error, qv_badInput, "%s: needs the mesh's topology", stroke->brush->tag);
    double part = ArrivedPart(stroke, application->wave);
    if (!(part > 0.0))
        return qv_ok;
    float* weights = NULL;
    qvStrokePins* pins = NULL;
    qvResult result = MakeFreeWeights(stroke, target, points, &weights, error);
    if (result == qv_ok)
        result = qvCreateStrokePins(stroke, target, points, weights, application->sinks, &pins, error);
    if (result == qv_ok && pins != NULL)
        result = HoldShape(application, pins, part, weights, points, error);
    else if (result == qv_ok)
        result = stroke->brush->shape(stroke, target, part, weights, points, error);
    qvDestroyStrokePins(pins);
    free(weights);
    return result;
}

static qvResult ApplyOnce(const Application* application, qvPoints* points, qvError* error)
{
    const qvStroke* stroke = application->stroke;
    if (stroke->brush->handle == NULL)
        return ApplyShape(application, points, error);
    float* weights = NULL;
    qvStrokePins* pins = NULL;
    qvResult result = MakeFreeWeights(stroke, application->target, points, &weights, error);
    if (result == qv_ok)
        result = qvCreateStrokePins(stroke, application->target, points, weights, application->sinks, &pins, error);
    if (result == qv_ok)
    {
        qvStrokePins_Weigh(pins, stroke, application->target, points, weights);
        result = ApplyFlow(application, pins, weights, points, error);
    }
    qvDestroyStrokePins(pins);
    free(weights);
    return result;
}

static double HeightOf(const qvStrokeGround* ground, const qvPoints* points, int i)
{
    return qvDot(ground->up, PointAt(points, i)) - ground->height;
}

// A centre does not go through the ground itself.
static qvStroke AboveGround(const qvStroke* stroke, const qvStrokeGround* ground)
{
    qvStroke above = *stroke;
    double height = fmax(qvDot(ground->up, stroke->at) - ground->height, 0.0);
    double down = -stroke->strength * qvDot(ground->up, stroke->drag);
    if (down > height)
        above.drag = qvMulAdd(stroke->drag, (down - height) / stroke->strength, ground->up);
    return above;
}

// What stands on the ground and is pushed into it; not what is so near to a centre that the stroke itself says how it
// moves. Returns how many.
static int FindSinking(const qvStroke* stroke, const qvStrokeGround* ground, const qvPoints* before,
                       const qvPoints* after, uint8_t* sinks)
{
    qvVec3 centers[qv_maxStrokeCopies];
    int centerCount = qvStroke_Centers(stroke, centers), count = 0;
    for (int i = 0; i < before->count; i++)
    {
        double near = INFINITY;
        for (int c = 0; c < centerCount; c++)
            near = fmin(near, qvDistance(PointAt(before, i), centers[c]));
        bool stands = HeightOf(ground, before, i) < 0.05 * stroke->radius && near > 0.3 * stroke->radius;
        sinks[i] = stands && HeightOf(ground, after, i) < fmin(HeightOf(ground, before, i), 0.0);
        count += sinks[i];
    }
    return count;
}

// The field goes around what stands; what is below then, or was pushed down from above, lies on the ground. What was
// below before goes no deeper.
static void LayOnGround(const qvStrokeGround* ground, const qvPoints* before, qvPoints* points)
{
    for (int i = 0; i < points->count; i++)
    {
        double least = fmin(HeightOf(ground, before, i), 0.0), lack = least - HeightOf(ground, points, i);
        if (!(lack > 0.0))
            continue;
        points->x[i] += lack * ground->up.x;
        points->y[i] += lack * ground->up.y;
        points->z[i] += lack * ground->up.z;
    }
}

static qvResult ApplyOnGround(const Application* application, qvPoints* points, qvError* error)
{
    const qvStrokeGround* ground = application->target->ground;
    size_t n = (size_t)points->count;
    double* storage = qvAllocateRaw(n, 3 * sizeof(*storage));
    uint8_t* sinks = qvAllocate(n, 1);
    qvResult result = qv_ok;
    if (storage == NULL || sinks == NULL)
        result = qvError_OutOfMemory(error, 25.0 * (double)n);
    qvPoints before = { storage, storage + n, storage + 2 * n, points->count };
    qvStroke above = AboveGround(application->stroke, ground);
    Application inner = *application;
    inner.stroke = &above;
    if (result == qv_ok)
    {
        memcpy(storage, points->x, 3 * n * sizeof(*storage));
        result = ApplyOnce(&inner, points, error);
    }
    if (result == qv_ok && FindSinking(&above, ground, &before, points, sinks) > 0)
    {
        memcpy(points->x, storage, 3 * n * sizeof(*storage));
        inner.sinks = sinks;
        result = ApplyOnce(&inner, points, error);
    }
    if (result == qv_ok)
        LayOnGround(ground, &before, points);
    free(storage);
    free(sinks);
    return result;
}

static qvResult ApplyToPoints(const Application* application, qvPoints* points, qvError* error)
{
    bool onGround = application->stroke->ground && application->target->ground != NULL && application->wave == NULL;
    return onGround ? ApplyOnGround(application, points, error) : ApplyOnce(application, points, error);
}

// Checks everything and makes room for the points, one array per axis.
static qvResult Begin(const Application* application, qvPoints* points, qvError* error)
{
    int count = application->target->pointCount;
    QV_ASSERT(count >= 0);
    qvResult result = qvStroke_Validate(application->stroke, error);
    if (result == qv_ok)
        result = qvStrokeWave_Validate(application->wave, error);
    if (result != qv_ok)
        return result;
    size_t n = (size_t)count;
    double* storage = qvAllocateRaw(n, 3 * sizeof(*storage));
    if (storage == NULL)
        return qvError_OutOfMemory(error, 24.0 * count);
    *points = (qvPoints){ storage, storage + n, storage + 2 * n, count };
    return qv_ok;
}

// The points are those of one precision; the other is NULL.
static qvResult Apply(const Application* application, qvVec3f* single, qvVec3* whole, qvError* error)
{
    qvPoints split;
    qvResult result = Begin(application, &split, error);
    if (result != qv_ok)
        return result;
    for (int i = 0; i < split.count; i++)
    {
        qvVec3 p = single != NULL ? qvVec3_FromFloat(single[i]) : whole[i];
        split.x[i] = p.x;
        split.y[i] = p.y;
        split.z[i] = p.z;
    }
    result = ApplyToPoints(application, &split, error);
    for (int i = 0; result == qv_ok && i < split.count; i++)
    {
        if (single != NULL)
            single[i] = qvVec3_ToFloat(PointAt(&split, i));
        else
            whole[i] = PointAt(&split, i);
    }
    free(split.x);
    return result;
}

qvResult qvStroke_Applyf(const qvStroke* stroke, const qvStrokeTarget* target, const qvStrokeWave* wave,
                         qvVec3f* points, qvError* error)
{
    Application application = { stroke, target, wave, true, NULL };
    return Apply(&application, points, NULL, error);
}

qvResult qvStroke_Apply(const qvStroke* stroke, const qvStrokeTarget* target, const qvStrokeWave* wave, qvVec3* points,
                        qvError* error)
{
    Application application = { stroke, target, wave, false, NULL };
    return Apply(&application, NULL, points, error);
}
