// SPDX-License-Identifier: GPL-3.0-or-later
#include "motion/sides.h"

#include <math.h>

int qvSegmentCount(int knotCount, double period)
{
    return period > 0.0 ? knotCount : knotCount - 1;
}

int qvSegmentEnd(int segment, int knotCount)
{
    return segment + 1 < knotCount ? segment + 1 : 0;
}

double qvSegmentLength(const qvKnot* knots, int segment, int knotCount, double period)
{
    if (segment + 1 < knotCount)
        return knots[segment + 1].time - knots[segment].time;
    return knots[0].time + period - knots[segment].time;
}

int qvFindSegment(const double* times, int knotCount, double period, double time, double* since)
{
    if (period > 0.0)
    {
        double start = times[0];
        time -= period * floor((time - start) / period);
        if (!(time >= start && time < start + period)) // rounding at the seam
            time = start;
    }
    int low = 0, high = knotCount - 1;
    while (low < high)
    {
        int middle = (low + high + 1) / 2;
        if (times[middle] <= time)
            low = middle;
        else
            high = middle - 1;
    }
    if (period <= 0.0 && low == knotCount - 1 && low > 0)
        low--;
    *since = time - times[low];
    return low;
}

static bool IsCurve(qvMotionKind kind)
{
    return kind == qv_motionWiggly || kind == qv_motionSmooth;
}

static void FreeSides(const qvKnot* knots, int i, int knotCount, double period, qvWigglySide* before,
                      qvWigglySide* after)
{
    bool loop = period > 0.0;
    bool curveBefore = (i == 0 && !loop) || IsCurve(knots[i].kind);
    bool curveAfter = (i == knotCount - 1 && !loop) || IsCurve(knots[qvSegmentEnd(i, knotCount)].kind);
    *before = *after = curveBefore && curveAfter ? qv_sideSmooth : qv_sideVelocity;
    if (!loop && i == 0)
        *before = *after = qv_sideVelocity;
    else if (!loop && i == knotCount - 1 && curveBefore)
        *before = *after = qv_sideForceFree;
}

void qvSmoothSides(const qvKnot* knots, int knotCount, double period, qvWigglySide* before, qvWigglySide* after)
{
    for (int i = 0; i < knotCount; i++)
    {
        const qvKnot* knot = &knots[i];
        if (knot->mode == qv_velocityFree)
        {
            FreeSides(knots, i, knotCount, period, &before[i], &after[i]);
            continue;
        }
        bool broken = knot->mode == qv_velocityBroken;
        before[i] = broken && !knot->given[0] ? qv_sideForceFree : qv_sideVelocity;
        after[i] = broken && !knot->given[1] ? qv_sideForceFree : qv_sideVelocity;
    }
}
