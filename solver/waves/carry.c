// SPDX-License-Identifier: GPL-3.0-or-later
// Places that are attached to a body: D. Shepard, "A two-dimensional interpolation function for irregularly-spaced
// data", 1968.
#include "waves/layer.h"

#include "base/assert.h"

static qvVec3 PlaceOf(const double* points, int i)
{
    return qvMakeVec3(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
}

static double SquaredDistance(qvVec3 a, qvVec3 b)
{
    qvVec3 d = qvSub(a, b);
    return qvDot(d, d);
}

int qvFindNearestPoint(int pointCount, const double* points, qvVec3 at)
{
    int nearest = 0;
    double best = INFINITY;
    for (int i = 0; i < pointCount; i++)
    {
        double distance = SquaredDistance(PlaceOf(points, i), at);
        nearest = distance < best ? i : nearest;
        best = fmin(best, distance);
    }
    return nearest;
}

// Weights (h^2 / (d^2 + h^2))^3 with h the distance to the nearest point: a place on the surface follows the points
// next to it, one inside follows those around it alike.
qvVec3 qvCarryPlace(const qvTopology* topology, int part, const double* from, const qvPointsf* to, qvVec3 at)
{
    double best = INFINITY;
    for (int i = 0; i < to->count; i++)
    {
        if (part < 0 || topology->pointPart[i] == part)
            best = fmin(best, SquaredDistance(PlaceOf(from, i), at));
    }
    double h2 = fmax(best, 1e-300), total = 0.0;
    qvVec3 sum = qvMakeVec3(0.0, 0.0, 0.0);
    for (int i = 0; i < to->count; i++)
    {
        if (part >= 0 && topology->pointPart[i] != part)
            continue;
        qvVec3 p = PlaceOf(from, i);
        double ratio = h2 / (SquaredDistance(p, at) + h2), w = ratio * ratio * ratio;
        sum = qvMulAdd(sum, w, qvSub(qvMakeVec3(to->x[i], to->y[i], to->z[i]), p));
        total += w;
    }
    QV_ASSERT(total > 0.0);
    return qvMulAdd(at, 1.0 / total, sum);
}
