// SPDX-License-Identifier: GPL-3.0-or-later
// Moves points towards the mean of their neighbours (Laplacian smoothing), with an influence that falls smoothly to
// zero at twice the radius.
#include "base/memory.h"
#include "kelvinlet/brush_parameters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    PASSES = 8
};

// (1 - (d / 2 radius)^2)^2 of the nearest centre.
static double Influence(const qvVec3* centers, int count, double radius, qvVec3 at)
{
    double best = 0.0;
    for (int i = 0; i < count; i++)
    {
        double d = qvDistance(at, centers[i]) / (2.0 * radius), rest = fmax(1.0 - d * d, 0.0);
        best = fmax(best, rest * rest);
    }
    return best;
}

static qvVec3 PointAt(const qvPoints* points, int i)
{
    return qvMakeVec3(points->x[i], points->y[i], points->z[i]);
}

static qvVec3 NeighborMean(const qvTopology* topology, const qvPoints* points, int i)
{
    int begin = topology->neighborStart[i], end = topology->neighborStart[i + 1];
    qvVec3 sum = { 0 };
    for (int k = begin; k < end; k++)
        sum = qvAdd(sum, PointAt(points, topology->neighbors[k]));
    return end > begin ? qvScale(1.0 / (end - begin), sum) : PointAt(points, i);
}

// One pass over all points from the old positions, so that the order of points does not matter.
static void Pass(const qvTopology* topology, const double* influences, qvPoints* points, qvVec3* next)
{
    for (int i = 0; i < points->count; i++)
    {
        qvVec3 at = PointAt(points, i);
        next[i] = at;
        if (influences[i] > 0.0)
            next[i] = qvMulAdd(at, influences[i], qvSub(NeighborMean(topology, points, i), at));
    }
    for (int i = 0; i < points->count; i++)
    {
        points->x[i] = next[i].x;
        points->y[i] = next[i].y;
        points->z[i] = next[i].z;
    }
}

static qvResult Smooth(const qvStroke* stroke, const qvStrokeTarget* target, double part, const float* weights,
                       qvPoints* points, qvError* error)
{
    double amount = stroke->strength * stroke->amount * part;
    double* influences = qvAllocate((size_t)points->count, sizeof(*influences));
    qvVec3* next = qvAllocate((size_t)points->count, sizeof(*next));
    if (influences == NULL || next == NULL)
    {
        free(influences);
        free(next);
        return qvError_OutOfMemory(error, (double)points->count * sizeof(*next));
    }
    qvVec3 centers[qv_maxStrokeCopies];
    int count = qvStroke_Centers(stroke, centers);
    for (int i = 0; i < points->count; i++)
        influences[i] = amount * weights[i] * Influence(centers, count, stroke->radius, PointAt(points, i));
    for (int pass = 0; pass < PASSES; pass++)
        Pass(target->topology, influences, points, next);
    free(influences);
    free(next);
    return qv_ok;
}

static const qvParameter parameters[] = {
    QV_PARAMETER_AT,     { "amount", "Amount", "", qv_parameterNumber, 0.0, 1.0, { 0.5 }, QV_STROKE_FIELD(amount) },
    QV_PARAMETER_RADIUS, QV_PARAMETER_STRENGTH,
    QV_PARAMETER_MIRROR, QV_PARAMETER_CONNECTED,
    QV_PARAMETER_PINS,   QV_PARAMETER_GROUND,
};

extern const qvBrush qvBrushSmooth;
const qvBrush qvBrushSmooth = {
    .tag = "smooth",
    .label = "Smooth",
    .description = "Evens out bumps",
    .parameters = parameters,
    .parameterCount = sizeof(parameters) / sizeof(parameters[0]),
    .measure = QV_STROKE_FIELD(amount),
    .shape = Smooth,
};
