// SPDX-License-Identifier: GPL-3.0-or-later
// Re-solving wiggly splines with a plan's cached elimination: the right side, one sweep down and one up, over many
// modes at once (see plan.c for the system).
#include "wiggly/plan.h"

#include "base/assert.h"
#include "wiggly/vibration.h"

#include <math.h>
#include <string.h>

enum
{
    TILE = 64 // modes whose rows stay in the cache during both sweeps
};

// The plan's coefficients and the data of one segment.
typedef struct Segment
{
    const double* lambda;
    const double* ba;
    const double* gamma;
    const double* gamma1;
    const double* w0;
    const double* w1;
    const double* force;
} Segment;

static const double zeros[TILE];

static Segment GetSegment(const qvWigglyPlan* plan, const qvWigglyView* view, int k)
{
    size_t at = (size_t)k * (size_t)plan->modeCount + (size_t)view->first;
    Segment s;
    s.lambda = plan->lambda + k * plan->segmentStride + view->first;
    s.ba = plan->ba + at;
    s.gamma = plan->gamma + at;
    s.gamma1 = plan->gamma1 + at;
    s.w0 = view->values + (size_t)k * (size_t)view->stride;
    s.w1 = view->values + (size_t)qvWiggly_RightKnot(plan, k) * (size_t)view->stride;
    s.force = view->force != NULL ? view->force + (size_t)k * (size_t)view->forceStride : zeros;
    return s;
}

// w''(right) of the left segment minus w''(left) of the right one, for zero velocities
static void AddSmooth(Segment l, Segment r, int count, double* restrict rhs)
{
    for (int i = 0; i < count; i++)
    {
        double left =
            l.gamma[i] * (0.5 * l.lambda[i] * (l.w0[i] + l.w1[i]) + l.force[i]) + 0.5 * l.ba[i] * (l.w1[i] - l.w0[i]);
        double right =
            r.gamma[i] * (0.5 * r.lambda[i] * (r.w0[i] + r.w1[i]) + r.force[i]) - 0.5 * r.ba[i] * (r.w1[i] - r.w0[i]);
        rhs[i] = right - left;
    }
}

// What the force jumps by where lambda or g change from one segment to the next
static void AddChange(Segment l, Segment r, int count, double* restrict rhs)
{
    for (int i = 0; i < count; i++)
        rhs[i] += (r.lambda[i] - l.lambda[i]) * r.w0[i] + (r.force[i] - l.force[i]);
}

// sign = 1 for the left end of a segment, -1 for its right end
static void AddEnd(Segment s, qvWigglySide side, double sign, const double* given, int count, double* restrict rhs)
{
    for (int i = 0; i < count; i++)
    {
        double z = 0.5 * s.lambda[i] * (s.w0[i] + s.w1[i]) + s.force[i], odd = 0.5 * s.ba[i] * (s.w1[i] - s.w0[i]);
        if (side == qv_sideForceFree)
            rhs[i] = sign * s.gamma1[i] * (z - sign * odd);
        else
            rhs[i] = sign * (s.gamma[i] * z - sign * odd - given[i]);
    }
}

static void FillRow(const qvWigglyPlan* plan, const qvWigglyView* view, const qvWigglyRow* row, double* rhs)
{
    if (row->side == qv_sideSmooth)
    {
        Segment left = GetSegment(plan, view, row->left), right = GetSegment(plan, view, row->right);
        AddSmooth(left, right, view->count, rhs);
        if (plan->segmentStride > 0)
            AddChange(left, right, view->count, rhs);
        return;
    }
    bool isStart = row->left < 0;
    const double* rows = isStart ? view->givenAfter : view->givenBefore;
    const double* given = rows != NULL ? rows + (size_t)row->knot * (size_t)view->stride : zeros;
    if (row->side == qv_sideVelocity)
        memmove(rhs, given, (size_t)view->count * sizeof(double));
    else
        AddEnd(GetSegment(plan, view, isStart ? row->right : row->left), row->side, isStart ? 1.0 : -1.0, given,
               view->count, rhs);
}

// Where a row's velocity goes. A smooth knot is copied to the other side at the end.
static double* RowOutput(const qvWigglyView* view, const qvWigglyRow* row)
{
    double* base = row->right >= 0 ? view->after : view->before;
    return base + (size_t)row->knot * (size_t)view->stride;
}

static void SweepDown(const qvWigglyPlan* plan, const qvWigglyView* view)
{
    for (int r = 0; r < plan->rowCount; r++)
    {
        double* restrict y = RowOutput(view, &plan->rows[r]);
        FillRow(plan, view, &plan->rows[r], y);
        if (r == 0 || plan->rows[r].left < 0)
            continue;
        const double* restrict previous = RowOutput(view, &plan->rows[r - 1]);
        const double* restrict lower = plan->lower + (size_t)r * (size_t)plan->modeCount + view->first;
        for (int i = 0; i < view->count; i++)
            y[i] -= lower[i] * previous[i];
    }
}

static void SweepUp(const qvWigglyPlan* plan, const qvWigglyView* view)
{
    for (int r = plan->rowCount - 1; r >= 0; r--)
    {
        size_t at = (size_t)r * (size_t)plan->modeCount + (size_t)view->first;
        double* restrict v = RowOutput(view, &plan->rows[r]);
        const double* restrict inverse = plan->inverse + at;
        if (r + 1 < plan->rowCount && plan->rows[r].right >= 0)
        {
            const double* restrict next = RowOutput(view, &plan->rows[r + 1]);
            const double* restrict upper = plan->upper + at;
            for (int i = 0; i < view->count; i++)
                v[i] = inverse[i] * v[i] - upper[i] * next[i];
        }
        else
        {
            for (int i = 0; i < view->count; i++)
                v[i] *= inverse[i];
        }
    }
}

static double HalfDifference(const qvWigglyPlan* plan, int segment, int mode)
{
    size_t at = (size_t)segment * (size_t)plan->modeCount + (size_t)mode;
    return 0.5 * (plan->aa[at] - plan->as[at]);
}

// Cyclic: the velocity of knot 0, then its effect on all others.
static void SolveBorder(const qvWigglyPlan* plan, const qvWigglyView* view)
{
    int rows = plan->rowCount, last = plan->segmentCount - 1;
    qvWigglyRow border = { 0, last, 0, qv_sideSmooth };
    double* v0 = view->after;
    FillRow(plan, view, &border, v0);
    if (rows > 0)
    {
        const double* first = RowOutput(view, &plan->rows[0]);
        const double* final = RowOutput(view, &plan->rows[rows - 1]);
        for (int i = 0; i < view->count; i++)
            v0[i] -= HalfDifference(plan, 0, view->first + i) * first[i] +
                     HalfDifference(plan, last, view->first + i) * final[i];
    }
    for (int i = 0; i < view->count; i++)
        v0[i] *= plan->borderInverse[view->first + i];
    for (int r = 0; r < rows; r++)
    {
        double* v = RowOutput(view, &plan->rows[r]);
        const double* z = plan->border + (size_t)r * (size_t)plan->modeCount + view->first;
        for (int i = 0; i < view->count; i++)
            v[i] -= z[i] * v0[i];
    }
}

static void CopyKnot(const qvWigglyView* view, int knot, bool toBefore)
{
    size_t at = (size_t)knot * (size_t)view->stride, bytes = (size_t)view->count * sizeof(double);
    if (toBefore)
        memmove(view->before + at, view->after + at, bytes);
    else
        memmove(view->after + at, view->before + at, bytes);
}

// Copies velocities to the sides that have no row of their own.
static void FillOtherSides(const qvWigglyPlan* plan, const qvWigglyView* view)
{
    for (int r = 0; r < plan->rowCount; r++)
    {
        const qvWigglyRow* row = &plan->rows[r];
        if (row->side == qv_sideSmooth || (!plan->circular && row->knot == 0))
            CopyKnot(view, row->knot, true);
        else if (!plan->circular && row->knot == plan->knotCount - 1)
            CopyKnot(view, row->knot, false);
    }
    if (plan->cyclic)
        CopyKnot(view, 0, true);
    if (!plan->freeTail)
        return;
    // The tail starts with the velocity given after the knot before it, or with the one that arrives there.
    int knot = plan->knotCount - 2;
    if (plan->after[knot] != qv_sideVelocity)
        CopyKnot(view, knot, false);
    else if (view->givenAfter != NULL)
        memmove(view->after + (size_t)knot * (size_t)view->stride,
                view->givenAfter + (size_t)knot * (size_t)view->stride, (size_t)view->count * sizeof(double));
    else
        memset(view->after + (size_t)knot * (size_t)view->stride, 0, (size_t)view->count * sizeof(double));
}

void qvWiggly_SolveRows(const qvWigglyPlan* plan, const qvWigglyView* view)
{
    QV_ASSERT(view->count <= TILE);
    SweepDown(plan, view);
    SweepUp(plan, view);
    if (plan->cyclic)
        SolveBorder(plan, view);
    FillOtherSides(plan, view);
}

static const double* Shift(const double* items, int offset)
{
    return items != NULL ? items + offset : NULL;
}

static void SolveTiles(const qvWigglyPlan* plan, const qvWigglyData* data, const qvWigglySolution* solution)
{
    for (int begin = 0; begin < plan->modeCount; begin += TILE)
    {
        qvWigglyView view = {
            .first = begin,
            .count = plan->modeCount - begin < TILE ? plan->modeCount - begin : TILE,
            .stride = plan->modeCount,
            .forceStride = plan->segmentStride,
            .values = solution->values + begin,
            .givenBefore = Shift(data->before, begin),
            .givenAfter = Shift(data->after, begin),
            .force = Shift(data->force, begin),
            .before = solution->before + begin,
            .after = solution->after + begin,
        };
        qvWiggly_SolveRows(plan, &view);
    }
}

// The last segment moves freely: its end follows from its start.
static void SolveTail(const qvWigglyPlan* plan, const double* force, const qvWigglySolution* solution)
{
    int segment = plan->segmentCount - 1, modes = plan->modeCount;
    double length = qvWiggly_Length(plan, segment);
    for (int i = 0; i < modes; i++)
    {
        double lambda = plan->lambda[segment * plan->segmentStride + i];
        double delta = plan->delta[segment * plan->segmentStride + i];
        double g = force != NULL ? force[segment * plan->segmentStride + i] : 0.0, out[3];
        size_t from = (size_t)segment * (size_t)modes + (size_t)i, to = from + (size_t)modes;
        qvWiggly_FreeMotion(lambda, delta, g, solution->values[from], solution->after[from], length, out);
        solution->values[to] = out[0];
        solution->before[to] = solution->after[to] = out[1];
    }
}

qvResult qvWigglyPlan_Solve(const qvWigglyPlan* plan, const qvWigglyData* data, const qvWigglySolution* solution,
                            qvError* error)
{
    qvResult result = qv_ok;
    if (plan->soft != NULL)
    {
        result = qvWiggly_SolveSoft(plan, data, solution, error);
    }
    else
    {
        size_t knots = (size_t)(plan->knotCount - (plan->freeTail ? 1 : 0));
        memmove(solution->values, data->values, knots * (size_t)plan->modeCount * sizeof(double));
        SolveTiles(plan, data, solution);
    }
    if (result == qv_ok && plan->freeTail)
        SolveTail(plan, data->force, solution);
    return result;
}
