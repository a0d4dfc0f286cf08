// SPDX-License-Identifier: GPL-3.0-or-later
// Which places hold a stroke: pinned points at the rim of what is pinned, each the farthest from those before it, finer
// near the stroke. A place's load is as wide as it is far from the ones before it, so that the system of all of them
// stays well conditioned however large the brush is.
#include "kelvinlet/stroke_pins.h"

#include "base/memory.h"
#include "kelvinlet/stroke_loads.h"

#include <math.h>
#include <stdlib.h>

// Places closer than this part of their distance to the stroke (and a radius) are one.
static const double FINEST = 0.06;
// A place's load over its distance to the places before it, and to a centre of the stroke.
static const double WIDTH = 0.7;
static const double WIDTH_TO_CENTER = 0.6;

static qvVec3 PointAt(const qvPoints* points, int i)
{
    return qvMakeVec3(points->x[i], points->y[i], points->z[i]);
}

static double Rise(double t)
{
    double u = fmin(fmax(t, 0.0), 1.0);
    return u * u * (3.0 - 2.0 * u);
}

void qvDestroyStrokePins(qvStrokePins* pins)
{
    if (pins == NULL)
        return;
    qvHeld_Free(&pins->held);
    free(pins->rim);
    free(pins->points);
    free(pins);
}

// --- What holds ------------------------------------------------------------------------------------------------------

// A pinned point that moves if nobody holds it, beside one that is not pinned.
static bool IsRim(const qvStrokeTarget* target, const float* weights, int i)
{
    if (target->pinned == NULL || target->pinned[i] == 0 || !(weights[i] > 0.0f))
        return false;
    const qvTopology* topology = target->topology;
    if (topology == NULL || topology->neighborStart == NULL)
        return true;
    for (int k = topology->neighborStart[i]; k < topology->neighborStart[i + 1]; k++)
    {
        if (target->pinned[topology->neighbors[k]] == 0)
            return true;
    }
    return false;
}

static void AddRim(const qvPoints* points, int i, qvStrokePins* pins)
{
    pins->points[pins->rimCount] = i;
    pins->rim[pins->rimCount++] = PointAt(points, i);
}

static void FindRim(const qvStroke* stroke, const qvStrokeTarget* target, const qvPoints* points, const float* weights,
                    const uint8_t* sinks, qvStrokePins* pins)
{
    for (int i = 0; stroke->pins && i < points->count; i++)
    {
        if (IsRim(target, weights, i))
            AddRim(points, i, pins);
    }
    pins->pinCount = pins->rimCount;
    for (int i = 0; sinks != NULL && i < points->count; i++)
    {
        bool pinned = stroke->pins && target->pinned != NULL && target->pinned[i] != 0;
        if (sinks[i] != 0 && weights[i] > 0.0f && !pinned)
            AddRim(points, i, pins);
    }
}

// Whether the point that moves most, the one nearest to the centre, is pinned.
static bool IsBuried(const qvStroke* stroke, const qvStrokeTarget* target, const qvPoints* points, const float* weights)
{
    double best = INFINITY;
    bool pinned = false;
    for (int i = 0; i < points->count; i++)
    {
        double distance = qvDistance(PointAt(points, i), stroke->at);
        if (!(weights[i] > 0.0f) || distance >= best)
            continue;
        best = distance;
        pinned = target->pinned[i] != 0;
    }
    return pinned;
}

// --- Places ----------------------------------------------------------------------------------------------------------

static double ToNearest(const qvVec3* places, int count, qvVec3 at)
{
    double best = INFINITY;
    for (int i = 0; i < count; i++)
        best = fmin(best, qvDistance(places[i], at));
    return best;
}

// Distances of all rim points to the places so far, and to the stroke.
typedef struct Spread
{
    const qvStroke* stroke;
    const qvStrokeGround* ground;
    double* gaps;   // to the nearest place
    double* ranges; // to the nearest centre
} Spread;

static void AddPlace(qvStrokePins* pins, Spread* spread, int rim)
{
    double gap = spread->gaps[rim], radius = fmin(spread->stroke->radius, WIDTH * gap);
    radius = fmin(radius, fmax(WIDTH_TO_CENTER * spread->ranges[rim], 1e-3 * spread->stroke->radius));
    qvHeldPlace place = { .at = pins->rim[rim], .radius = radius, .point = pins->points[rim] };
    place.oneWay = rim >= pins->pinCount;
    if (place.oneWay)
        place.along = spread->ground->up;
    pins->held.places[pins->held.count++] = place;
    for (int i = 0; i < pins->rimCount; i++)
        spread->gaps[i] = fmin(spread->gaps[i], qvDistance(pins->rim[i], pins->rim[rim]));
}

// The first place is the rim point nearest to the stroke.
static void ChoosePlaces(qvStrokePins* pins, Spread* spread)
{
    int next = 0;
    for (int i = 1; i < pins->rimCount; i++)
        next = spread->ranges[i] < spread->ranges[next] ? i : next;
    pins->near = 0.25 * spread->stroke->radius;
    for (int i = 0; i < pins->pinCount; i++)
        pins->near = fmin(pins->near, spread->ranges[i]);
    double coarsest = INFINITY;
    while (coarsest > FINEST && pins->held.count < qv_maxHeld)
    {
        AddPlace(pins, spread, next);
        coarsest = 0.0;
        for (int i = 0; i < pins->rimCount; i++)
        {
            double coarse = spread->gaps[i] / (spread->stroke->radius + spread->ranges[i]);
            next = coarse > coarsest ? i : next;
            coarsest = fmax(coarsest, coarse);
        }
    }
    pins->coarse = coarsest;
}

static qvResult MakePlaces(const qvStroke* stroke, const qvStrokeTarget* target, qvStrokePins* pins, qvError* error)
{
    qvVec3 centers[qv_maxStrokeCopies];
    int count = qvStroke_Centers(stroke, centers);
    size_t n = (size_t)pins->rimCount;
    Spread spread = { stroke, target->ground, qvAllocateRaw(n, sizeof(double)), qvAllocateRaw(n, sizeof(double)) };
    qvResult result = qv_ok;
    if (spread.gaps == NULL || spread.ranges == NULL)
        result = qvError_OutOfMemory(error, 16.0 * (double)n);
    for (int i = 0; result == qv_ok && i < pins->rimCount; i++)
    {
        spread.gaps[i] = INFINITY;
        spread.ranges[i] = ToNearest(centers, count, pins->rim[i]);
    }
    if (result == qv_ok)
        ChoosePlaces(pins, &spread);
    free(spread.gaps);
    free(spread.ranges);
    qvKelvinlet like = qvDefaultKelvinlet();
    bool hasScales = qvBrush_FindParameter(stroke->brush, offsetof(qvStroke, scales)) != NULL;
    bool hasPoisson = qvBrush_FindParameter(stroke->brush, offsetof(qvStroke, poisson)) != NULL;
    like.poisson = hasPoisson ? stroke->poisson : like.poisson;
    qvKelvinlet_SetRadius(&like, stroke->radius, hasScales ? stroke->scales : 1);
    return result == qv_ok ? qvHeld_Factor(&pins->held, &like, error) : result;
}

qvResult qvCreateStrokePins(const qvStroke* stroke, const qvStrokeTarget* target, const qvPoints* points,
                            const float* weights, const uint8_t* sinks, qvStrokePins** out, qvError* error)
{
    size_t n = (size_t)points->count;
    *out = NULL;
    if ((!stroke->pins || target->pinned == NULL) && sinks == NULL)
        return qv_ok;
    qvStrokePins* pins = qvAllocate(1, sizeof(*pins));
    if (pins == NULL)
        return qvError_OutOfMemory(error, sizeof(*pins));
    pins->rim = qvAllocateRaw(n, sizeof(*pins->rim));
    pins->points = qvAllocateRaw(n, sizeof(*pins->points));
    qvResult result = qv_ok;
    if (pins->rim == NULL || pins->points == NULL)
        result = qvError_OutOfMemory(error, (double)n * sizeof(*pins->rim));
    else
        FindRim(stroke, target, points, weights, sinks, pins);
    if (result == qv_ok && pins->rimCount > 0)
    {
        pins->isBuried = pins->pinCount > 0 && IsBuried(stroke, target, points, weights);
        result = MakePlaces(stroke, target, pins, error);
    }
    if (result == qv_ok && pins->rimCount > 0)
        *out = pins;
    else
        qvDestroyStrokePins(pins);
    return result;
}

// --- Weights ---------------------------------------------------------------------------------------------------------

void qvStrokePins_Weigh(const qvStrokePins* pins, const qvStroke* stroke, const qvStrokeTarget* target,
                        const qvPoints* points, float* weights)
{
    qvVec3 centers[qv_maxStrokeCopies];
    int count = qvStroke_Centers(stroke, centers);
    bool isFine = pins == NULL || pins->pinCount == 0 || !(pins->coarse > 0.0);
    for (int i = 0; stroke->pins && target->pinned != NULL && i < points->count; i++)
    {
        if (target->pinned[i] != 0 || (pins != NULL && pins->isBuried))
            weights[i] = 0.0f;
        if (isFine || !(weights[i] > 0.0f))
            continue;
        qvVec3 at = PointAt(points, i);
        double length = pins->coarse * (stroke->radius + ToNearest(centers, count, at));
        weights[i] *= (float)Rise(ToNearest(pins->rim, pins->pinCount, at) / length);
    }
}

double qvStrokePins_Distance(const qvStrokePins* pins, qvVec3 at)
{
    double best = INFINITY;
    for (int i = 0; i < pins->held.count; i++)
        best = pins->held.places[i].oneWay ? best : fmin(best, qvDistance(pins->held.places[i].at, at));
    return best;
}

// --- Brushes that are not elastic ------------------------------------------------------------------------------------

qvResult qvStrokePins_Hold(const qvStrokePins* pins, const qvPoints* points, qvPoints* moved, qvPool* pool,
                           qvError* error)
{
    size_t n = (size_t)points->count;
    qvVec3 moves[qv_maxHeld];
    qvKelvinlet loads[qv_maxHeld];
    double largest = 0.0;
    for (int a = 0; a < pins->held.count; a++)
    {
        moves[a] = PointAt(moved, pins->held.places[a].point);
        largest = fmax(largest, qvLength(moves[a]));
    }
    if (!(largest > 0.0))
        return qv_ok;
    qvResult result = qvHeld_Answer(&pins->held, moves, loads, error);
    double* storage = qvAllocateRaw(n, 3 * sizeof(*storage));
    if (storage == NULL)
        return qvError_OutOfMemory(error, 24.0 * (double)n);
    qvPoints back = { storage, storage + n, storage + 2 * n, points->count };
    qvAdvection options = qvDefaultAdvection();
    options.substeps = qv_linear;
    if (result == qv_ok)
        result = qvAdvect(loads, pins->held.count, 0.0, &options, points, &back, pool, error);
    for (size_t i = 0; result == qv_ok && i < n; i++)
    {
        moved->x[i] += back.x[i];
        moved->y[i] += back.y[i];
        moved->z[i] += back.z[i];
    }
    free(storage);
    return result;
}
