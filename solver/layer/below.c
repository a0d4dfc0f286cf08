// SPDX-License-Identifier: GPL-3.0-or-later
#include "layer/below.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static const double KNOT = 1.0 / 60.0; // s between two questions to the motion below

// --- Questions at a moment -------------------------------------------------------------------------------------------

bool qvBelow_Open(qvBelow* below, const qvEngineInput* input)
{
    below->motion = &input->below;
    below->points = qvAllocateRaw(3 * (size_t)input->mesh->pointCount, sizeof(*below->points));
    below->scratch = qvAllocateRaw(1, input->below.scratchSize + 1);
    return below->points != NULL && below->scratch != NULL;
}

void qvBelow_Close(qvBelow* below)
{
    free(below->points);
    free(below->scratch);
}

static void Ask(const qvBelow* below, double time, qvVec3f* points)
{
    below->motion->points(below->motion->context, time, below->scratch, NULL, points);
}

const qvVec3f* qvBelow_Points(const qvBelow* below, double time)
{
    Ask(below, time, below->points);
    return below->points;
}

void qvBelow_Moving(const qvBelow* below, double time, const qvMoving* points)
{
    size_t n = (size_t)below->motion->pointCount;
    qvVec3f* at = below->points;
    for (size_t i = 0; i < 3; i++)
        Ask(below, time + ((double)i - 1.0) * qvBelow_Near, at + i * n);
    for (size_t i = 0; i < n; i++)
    {
        points->at[i] = qvVec3_FromFloat(at[n + i]);
        qvVec3 way = qvSub(qvVec3_FromFloat(at[2 * n + i]), qvVec3_FromFloat(at[i]));
        points->velocity[i] = qvScale(0.5 / qvBelow_Near, way);
    }
}

// --- Guides ----------------------------------------------------------------------------------------------------------

bool qvGuide_Open(qvGuide* guide, int count, double start, double jump, qvFindMoving* find, void* context)
{
    size_t n = (size_t)count;
    *guide = (qvGuide){ .count = count, .start = start, .jump = jump, .find = find, .context = context, .knot = NAN };
    guide->room = qvAllocate(4 * n, sizeof(*guide->room));
    if (guide->room == NULL)
        return false;
    for (size_t i = 0; i < 2; i++)
        guide->knots[i] = (qvMoving){ guide->room + 2 * i * n, guide->room + (2 * i + 1) * n };
    return true;
}

void qvGuide_Close(qvGuide* guide)
{
    free(guide->room);
}

static void FindKnots(qvGuide* guide, double clock)
{
    double knot = floor(clock / KNOT);
    if (knot == guide->knot)
        return;
    bool isNext = knot == guide->knot + 1.0;
    if (isNext)
    {
        qvMoving first = guide->knots[0];
        guide->knots[0] = guide->knots[1];
        guide->knots[1] = first;
    }
    for (int i = isNext ? 1 : 0; i < 2; i++)
        guide->find(guide->context, guide->start + (knot + i) * KNOT, &guide->knots[i]);
    guide->knot = knot;
}

// By cubic Hermite interpolation between knots; where the motion jumps between two, evenly from one to the other.
void qvGuide_At(qvGuide* guide, double clock, const qvMoving* moving)
{
    FindKnots(guide, clock);
    double u = clock / KNOT - guide->knot, v = 1.0 - u;
    for (int i = 0; i < guide->count; i++)
    {
        qvVec3 a = guide->knots[0].at[i], b = guide->knots[1].at[i], way = qvSub(b, a);
        qvVec3 rateA = guide->knots[0].velocity[i], rateB = guide->knots[1].velocity[i];
        qvVec3 even = qvScale(1.0 / KNOT, way);
        if (qvLength(qvMulAdd(way, -0.5 * KNOT, qvAdd(rateA, rateB))) > guide->jump)
            rateA = rateB = even;
        // Beside the even motion from a to b: what the rates at both ends add.
        qvVec3 moreA = qvSub(rateA, even), moreB = qvSub(rateB, even);
        qvVec3 at = qvMulAdd(qvMulAdd(a, u, way), KNOT * u * v * v, moreA);
        moving->at[i] = qvMulAdd(at, -KNOT * u * u * v, moreB);
        moving->velocity[i] = qvMulAdd(qvMulAdd(even, v * (v - 2.0 * u), moreA), u * (u - 2.0 * v), moreB);
    }
}
