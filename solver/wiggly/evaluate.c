// SPDX-License-Identifier: GPL-3.0-or-later
// Wiggly splines at many times: modes in tiles that fill whole cache lines of the output, times in runs that share a
// segment, so that the constants of each segment's curve are made once per run.
#include "wiggly/plan.h"

#include "base/assert.h"

#include "wiggly/curve.h"

#include <math.h>

enum
{
    TILE = 8
};

typedef struct Request
{
    const qvWigglyPlan* plan;
    const qvWigglySolution* solution;
    const double* force;
    const double* times;
    int timeCount;
    double* out[3]; // values, velocities, accelerations; each may be NULL
    qvCurveFcn* kernel;
} Request;

// Time within the knots' range.
static double Wrap(const qvWigglyPlan* plan, double t)
{
    double first = plan->times[0], last = plan->times[plan->segmentCount];
    if (plan->circular && (t < first || t >= last))
    {
        double span = last - first, phase = fmod(t - first, span);
        t = first + (phase < 0.0 ? phase + span : phase);
    }
    return t < first ? first : t > last ? last : t;
}

// The segment with times[k] <= t < times[k + 1]; the last one also takes its end.
static int FindSegment(const qvWigglyPlan* plan, double t, int hint)
{
    const double* times = plan->times;
    int last = plan->segmentCount - 1;
    if (times[hint] <= t && (t < times[hint + 1] || hint == last))
        return hint;
    if (hint < last && times[hint + 1] <= t && (t < times[hint + 2] || hint + 1 == last))
        return hint + 1;
    int low = 0, high = last;
    while (low < high)
    {
        int middle = low + (high - low + 1) / 2;
        if (times[middle] <= t)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static void InitCurve(const Request* q, int segment, int mode, qvSegmentCurve* curve)
{
    const qvWigglyPlan* plan = q->plan;
    const qvWigglySolution* s = q->solution;
    int modes = plan->modeCount, row = qvWiggly_Row(plan, segment), at = row * plan->segmentStride + mode;
    int next = qvWiggly_Row(plan, qvWiggly_RightKnot(plan, segment));
    QV_ASSERT(row >= 0 && next >= 0);
    size_t left = (size_t)row * (size_t)modes + (size_t)mode;
    size_t right = (size_t)next * (size_t)modes + (size_t)mode;
    double length = qvWiggly_Length(plan, segment), g = q->force != NULL ? q->force[at] : 0.0;
    qvSegmentEnds ends = { s->values[left], s->after[left] * length, s->values[right], s->before[right] * length,
                           g * length * length };
    qvSegmentCurve_Init(curve, fabs(plan->delta[at]) * length, plan->lambda[at] * length * length, &ends);
}

// Times [begin, end), at most qv_curveBatch of them, all in one segment.
static void EvaluateRun(const Request* q, int segment, int begin, int end, int firstMode, int lastMode)
{
    double left = q->plan->times[segment], right = q->plan->times[segment + 1], inverse = 1.0 / (right - left);
    double scale[3] = { 1.0, inverse, inverse * inverse };
    qvCurvePlaces places;
    for (int j = begin; j < end; j++)
    {
        double t = Wrap(q->plan, q->times[j]);
        places.x[j - begin] = (t - left) * inverse;
        places.y[j - begin] = (right - t) * inverse;
    }
    for (int mode = firstMode; mode < lastMode; mode++)
    {
        qvSegmentCurve curve;
        InitCurve(q, segment, mode, &curve);
        q->kernel(&curve, &places, end - begin);
        for (int n = 0; n < 3; n++)
        {
            for (int j = begin; q->out[n] != NULL && j < end; j++)
                q->out[n][(size_t)j * (size_t)q->plan->modeCount + (size_t)mode] = places.out[n][j - begin] * scale[n];
        }
    }
}

static void EvaluateTiles(void* context, int begin, int end)
{
    const Request* q = context;
    int first = 0, segment = 0;
    while (first < q->timeCount)
    {
        segment = FindSegment(q->plan, Wrap(q->plan, q->times[first]), segment);
        int last = first + 1;
        while (last < q->timeCount && last - first < qv_curveBatch &&
               FindSegment(q->plan, Wrap(q->plan, q->times[last]), segment) == segment)
            last++;
        EvaluateRun(q, segment, first, last, begin, end);
        first = last;
    }
}

void qvWigglyPlan_Evaluate(const qvWigglyPlan* plan, const qvWigglySolution* solution, const double* force,
                           const double* times, int timeCount, qvPool* pool, double* values, double* velocities,
                           double* accelerations)
{
    Request request = {
        plan, solution, force, times, timeCount, { values, velocities, accelerations }, qvGetCurveKernel()
    };
    qvParallelFor(pool, plan->modeCount, TILE, EvaluateTiles, &request);
}

// Accelerations at both ends of a segment by the map.
static void EndAccelerations(const Request* q, int segment, int mode, double* left, double* right)
{
    const qvWigglyPlan* plan = q->plan;
    qvWigglyEnds e = qvWiggly_GetEnds(plan, q->solution, q->force, segment, mode);
    size_t at = (size_t)segment * (size_t)plan->modeCount + (size_t)mode;
    double lambda = plan->lambda[segment * plan->segmentStride + mode];
    double even = plan->as[at] * 0.5 * (e.v1 - e.v0) + plan->gamma[at] * (0.5 * lambda * (e.w0 + e.w1) + e.g);
    double odd = plan->aa[at] * 0.5 * (e.v0 + e.v1) + plan->ba[at] * 0.5 * (e.w1 - e.w0);
    *left = even - odd;
    *right = even + odd;
}

void qvWigglyPlan_KnotAccelerations(const qvWigglyPlan* plan, const qvWigglySolution* solution, const double* force,
                                    double* before, double* after)
{
    Request request = { .plan = plan, .solution = solution, .force = force };
    size_t modes = (size_t)plan->modeCount;
    for (int k = 0; k < plan->segmentCount; k++)
    {
        for (int i = 0; i < plan->modeCount; i++)
            EndAccelerations(&request, k, i, &after[(size_t)k * modes + (size_t)i],
                             &before[(size_t)qvWiggly_RightKnot(plan, k) * modes + (size_t)i]);
    }
    for (size_t i = 0; !plan->circular && i < modes; i++)
    {
        before[i] = after[i];
        after[(size_t)(plan->knotCount - 1) * modes + i] = before[(size_t)(plan->knotCount - 1) * modes + i];
    }
}
