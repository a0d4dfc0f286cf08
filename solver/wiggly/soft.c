// SPDX-License-Identifier: GPL-3.0-or-later
// Wiggly splines with soft and free knots: the values of those knots are unknown too. Minimises
//   E(values, velocities) + sum weight (w - value)^2
// whose Hessian over the unknowns in time order is a band of half-width 3; a circular spline's knot 0 is a border of
// it. Factors (L D L^T) are kept per mode, so that a changed value only repeats two sweeps.
#include "wiggly/plan.h"

#include "base/assert.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    BAND = 3,
    MAX_BORDER = 2,
    KNOWN = -1,
};

struct qvWigglySoft
{
    int count;       // unknowns in the band
    int borderCount; // unknowns of knot 0 of a cyclic spline, numbered from count on
    int* value;      // per knot: number of the unknown, or KNOWN
    int* before;
    int* after;
    double* factor; // [mode][count][BAND + 1]: D inverted, then the entries of L left of it
    double* border; // [mode][border][count]: band^-1 times the border's columns
    double* corner; // [mode][3]: inverse of the border's Schur complement (00, 01, 11)
};

typedef struct Local
{
    int index[4];    // unknowns of w0, v0, w1, v1
    double known[4]; // their values where known
    double h[4][4], p[4];
    double usual[4]; // the diagonal without the terms in delta, which may cancel all of it
} Local;

// --- Numbering -------------------------------------------------------------------------------------------------------

static bool IsUnknownSide(qvWigglySide side)
{
    return side != qv_sideVelocity;
}

static void NumberKnot(const qvWigglyPlan* plan, struct qvWigglySoft* soft, int k, int* next)
{
    int lastActive = plan->knotCount - 1 - (plan->freeTail ? 1 : 0);
    bool hasLeft = plan->circular || k > 0, hasRight = plan->circular || k < lastActive;
    bool smooth = plan->before[k] == qv_sideSmooth && hasLeft && hasRight;
    soft->value[k] = soft->before[k] = soft->after[k] = KNOWN;
    if (k > lastActive)
        return;
    if (hasLeft && !smooth && IsUnknownSide(plan->before[k]))
        soft->before[k] = (*next)++;
    if (plan->weights[k] < INFINITY)
        soft->value[k] = (*next)++;
    if (hasRight && !smooth && IsUnknownSide(plan->after[k]))
        soft->after[k] = (*next)++;
    if (smooth)
        soft->before[k] = soft->after[k] = (*next)++;
}

// The band must not wrap around. A circular spline's knot 0 is the border; where it is split, the band starts after the
// split and ends before it, and only the value there, which both ends see, is the border.
static void NumberKnots(const qvWigglyPlan* plan, struct qvWigglySoft* soft)
{
    int start = plan->circular && !plan->cyclic ? plan->rows[0].knot : 0, next = 0;
    if (plan->circular)
        soft->value[start] = soft->before[start] = soft->after[start] = KNOWN;
    if (plan->circular && !plan->cyclic && IsUnknownSide(plan->after[start]))
        soft->after[start] = next++;
    for (int j = plan->circular ? 1 : 0; j < plan->knotCount; j++)
        NumberKnot(plan, soft, (start + j) % plan->knotCount, &next);
    if (plan->circular && !plan->cyclic && IsUnknownSide(plan->before[start]))
        soft->before[start] = next++;
    soft->count = next;
    if (plan->cyclic)
        NumberKnot(plan, soft, 0, &next);
    else if (plan->circular && plan->weights[start] < INFINITY)
        soft->value[start] = next++;
    soft->borderCount = next - soft->count;
}

// --- Assembly --------------------------------------------------------------------------------------------------------

// Half the Hessian h and half the gradient p of a segment's energy over (w0, v0, w1, v1), see energy.c.
static void FillLocal(const qvWigglyPlan* plan, int segment, int mode, double g, Local* l)
{
    size_t at = (size_t)segment * (size_t)plan->modeCount + (size_t)mode;
    double lambda = plan->lambda[segment * plan->segmentStride + mode];
    double delta = plan->delta[segment * plan->segmentStride + mode];
    double as = plan->as[at], aa = plan->aa[at], ba = plan->ba[at], gamma1 = plan->gamma1[at];
    double phi = -aa / ba, psi = -as * ba, f = phi * lambda * lambda;
    double a = 0.5 * (as + aa), b = 0.5 * (aa - as);
    double same = 0.5 * gamma1 * (lambda + ba), other = 0.5 * gamma1 * (lambda - ba);
    double h[4][4] = {
        { 0.5 * (f + psi), -same, 0.5 * (f - psi), other },
        { -same, a, -other, b },
        { 0.5 * (f - psi), -other, 0.5 * (f + psi), same },
        { other, b, same, a },
    };
    double p[4] = { phi * lambda * g, -gamma1 * g, phi * lambda * g, gamma1 * g };
    if (qvWiggly_HasLeftTerms(plan, segment))
    {
        h[0][0] -= 2.0 * delta * lambda;
        h[1][1] = plan->startForce[at];
        p[0] -= 2.0 * delta * g;
    }
    if (qvWiggly_HasRightTerms(plan, segment))
    {
        h[2][2] += 2.0 * delta * lambda;
        h[3][3] = plan->endForce[at];
        p[2] += 2.0 * delta * g;
    }
    memcpy(l->h, h, sizeof(h));
    memcpy(l->p, p, sizeof(p));
    l->usual[0] = l->usual[2] = 0.5 * (f + psi);
    l->usual[1] = l->usual[3] = a;
}

static void FillIndex(const qvWigglyPlan* plan, int segment, Local* l)
{
    int right = qvWiggly_RightKnot(plan, segment);
    l->index[0] = plan->soft->value[segment];
    l->index[1] = plan->soft->after[segment];
    l->index[2] = plan->soft->value[right];
    l->index[3] = plan->soft->before[right];
}

// Matrix of one mode while it is factored.
typedef struct Work
{
    double* band;   // [count][BAND + 1]: diagonal, then entries left of it
    double* border; // [borderCount][count]
    double* usual;  // [count + borderCount]: what a pivot is measured by
    double corner[MAX_BORDER][MAX_BORDER];
} Work;

static void AddEntry(const struct qvWigglySoft* soft, Work* w, int i, int j, double value)
{
    int n = soft->count;
    QV_ASSERT(i >= n || i - j <= BAND);
    if (i < n && j <= i)
        w->band[i * (BAND + 1) + (i - j)] += value;
    else if (i >= n && j < n)
        w->border[(i - n) * n + j] += value;
    else if (i >= n && j >= n)
        w->corner[i - n][j - n] += value;
}

static void Assemble(const qvWigglyPlan* plan, int mode, Work* w)
{
    const struct qvWigglySoft* soft = plan->soft;
    for (int k = 0; k < qvWiggly_ActiveSegments(plan); k++)
    {
        Local l;
        FillIndex(plan, k, &l);
        FillLocal(plan, k, mode, 0.0, &l);
        for (int i = 0; i < 4; i++)
        {
            if (l.index[i] == KNOWN)
                continue;
            w->usual[l.index[i]] += l.usual[i];
            for (int j = 0; j < 4; j++)
            {
                if (l.index[j] != KNOWN)
                    AddEntry(soft, w, l.index[i], l.index[j], l.h[i][j]);
            }
        }
    }
    for (int k = 0; k < plan->knotCount; k++)
    {
        if (soft->value[k] != KNOWN)
            AddEntry(soft, w, soft->value[k], soft->value[k], plan->weights[k]);
    }
}

// --- Factors ---------------------------------------------------------------------------------------------------------

// An unknown whose pivot drowns in rounding (see InvertPivot in plan.c) stays zero and does not touch the others.
static double SafeInverse(double pivot, double usual)
{
    return pivot > 1e-12 * usual ? 1.0 / pivot : 0.0;
}

static void FactorBand(const double* band, const double* usual, int count, double* factor)
{
    for (int i = 0; i < count; i++)
    {
        const double* in = band + i * (BAND + 1);
        double* row = factor + i * (BAND + 1);
        double pivot = in[0], scaled[BAND + 1]; // scaled: entries of L D
        for (int s = i < BAND ? i : BAND; s >= 1; s--)
        {
            const double* other = factor + (i - s) * (BAND + 1);
            scaled[s] = in[s];
            for (int t = s + 1; t <= BAND && t <= i; t++)
                scaled[s] -= scaled[t] * other[t - s];
            row[s] = scaled[s] * other[0];
            pivot -= row[s] * scaled[s];
        }
        row[0] = SafeInverse(pivot, usual[i]);
    }
}

static void SolveBand(const double* factor, int count, double* x)
{
    for (int i = 0; i < count; i++)
    {
        for (int s = 1; s <= BAND && s <= i; s++)
            x[i] -= factor[i * (BAND + 1) + s] * x[i - s];
    }
    for (int i = 0; i < count; i++)
        x[i] *= factor[i * (BAND + 1)];
    for (int i = count - 1; i >= 0; i--)
    {
        for (int s = 1; s <= BAND && i + s < count; s++)
            x[i] -= factor[(i + s) * (BAND + 1) + s] * x[i + s];
    }
}

static double Dot(const double* a, const double* b, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static void FactorCorner(const Work* w, const double* solved, int count, int borderCount, double* corner)
{
    double s[MAX_BORDER][MAX_BORDER];
    for (int i = 0; i < borderCount; i++)
    {
        for (int j = 0; j < borderCount; j++)
            s[i][j] = w->corner[i][j] - Dot(w->border + i * count, solved + j * count, count);
    }
    if (borderCount == 1)
    {
        corner[0] = SafeInverse(s[0][0], w->usual[count]);
        return;
    }
    double first = SafeInverse(s[0][0], w->usual[count]), ratio = s[1][0] * first;
    double second = SafeInverse(s[1][1] - ratio * s[1][0], w->usual[count + 1]);
    corner[2] = second;
    corner[1] = -ratio * second;
    corner[0] = first + ratio * ratio * second;
}

static void FactorMode(const qvWigglyPlan* plan, int mode, Work* w)
{
    struct qvWigglySoft* soft = plan->soft;
    int n = soft->count;
    memset(w->band, 0, (size_t)n * (BAND + 1) * sizeof(double));
    memset(w->border, 0, (size_t)n * MAX_BORDER * sizeof(double));
    memset(w->usual, 0, (size_t)(n + soft->borderCount) * sizeof(double));
    memset(w->corner, 0, sizeof(w->corner));
    Assemble(plan, mode, w);
    double* factor = soft->factor + (size_t)mode * (size_t)n * (BAND + 1);
    FactorBand(w->band, w->usual, n, factor);
    if (soft->borderCount == 0)
        return;
    double* solved = soft->border + (size_t)mode * (size_t)n * MAX_BORDER;
    memcpy(solved, w->border, (size_t)n * MAX_BORDER * sizeof(double));
    for (int i = 0; i < soft->borderCount; i++)
        SolveBand(factor, n, solved + i * n);
    FactorCorner(w, solved, n, soft->borderCount, soft->corner + 3 * (size_t)mode);
}

static bool IsSoft(const qvWigglyPlan* plan)
{
    for (int k = 0; k < plan->knotCount - (plan->freeTail ? 1 : 0); k++)
    {
        if (plan->weights[k] < INFINITY)
            return true;
    }
    return false;
}

static bool AllocateSoft(const qvWigglyPlan* plan, struct qvWigglySoft* soft)
{
    size_t knots = (size_t)plan->knotCount, modes = (size_t)plan->modeCount;
    soft->value = qvAllocate(knots, sizeof(int));
    soft->before = qvAllocate(knots, sizeof(int));
    soft->after = qvAllocate(knots, sizeof(int));
    if (!soft->value || !soft->before || !soft->after)
        return false;
    NumberKnots(plan, soft);
    size_t count = (size_t)soft->count * modes;
    soft->factor = qvAllocate(count, (BAND + 1) * sizeof(double));
    soft->border = qvAllocate(soft->borderCount > 0 ? count : 0, MAX_BORDER * sizeof(double));
    soft->corner = qvAllocate(modes, 3 * sizeof(double));
    return soft->factor && soft->border && soft->corner;
}

void qvDestroyWigglySoft(struct qvWigglySoft* soft)
{
    if (soft == NULL)
        return;
    void* arrays[] = { soft->value, soft->before, soft->after, soft->factor, soft->border, soft->corner };
    for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++)
        free(arrays[i]);
    free(soft);
}

qvResult qvCreateWigglySoft(qvWigglyPlan* plan, qvError* error)
{
    if (!IsSoft(plan))
        return qv_ok;
    plan->soft = qvAllocate(1, sizeof(*plan->soft));
    double bytes = 10.0 * plan->knotCount * plan->modeCount * sizeof(double);
    if (plan->soft == NULL || !AllocateSoft(plan, plan->soft))
        return qvError_OutOfMemory(error, bytes);
    size_t count = (size_t)plan->soft->count;
    Work work = { .band = qvAllocate(count, (BAND + 1) * sizeof(double)),
                  .border = qvAllocate(count, MAX_BORDER * sizeof(double)),
                  .usual = qvAllocate(count + MAX_BORDER, sizeof(double)) };
    bool ok = work.band != NULL && work.border != NULL && work.usual != NULL;
    for (int i = 0; ok && i < plan->modeCount; i++)
        FactorMode(plan, i, &work);
    free(work.band);
    free(work.border);
    free(work.usual);
    return ok ? qv_ok : qvError_OutOfMemory(error, bytes);
}

// --- Solving ---------------------------------------------------------------------------------------------------------

static double Given(const double* rows, size_t at)
{
    return rows != NULL ? rows[at] : 0.0;
}

static void FillRightSide(const qvWigglyPlan* plan, const qvWigglyData* data, int mode, double* x)
{
    const struct qvWigglySoft* soft = plan->soft;
    size_t modes = (size_t)plan->modeCount;
    memset(x, 0, (size_t)(soft->count + soft->borderCount) * sizeof(double));
    for (int k = 0; k < qvWiggly_ActiveSegments(plan); k++)
    {
        Local l;
        size_t left = (size_t)k * modes + (size_t)mode;
        size_t right = (size_t)qvWiggly_RightKnot(plan, k) * modes + (size_t)mode;
        double g = data->force != NULL ? data->force[k * plan->segmentStride + mode] : 0.0;
        double known[4] = { data->values[left], Given(data->after, left), data->values[right],
                            Given(data->before, right) };
        FillIndex(plan, k, &l);
        FillLocal(plan, k, mode, g, &l);
        for (int i = 0; i < 4; i++)
        {
            if (l.index[i] == KNOWN)
                continue;
            x[l.index[i]] -= l.p[i];
            for (int j = 0; j < 4; j++)
                x[l.index[i]] -= l.index[j] == KNOWN ? l.h[i][j] * known[j] : 0.0;
        }
    }
    for (int k = 0; k < plan->knotCount; k++)
    {
        if (soft->value[k] != KNOWN && plan->weights[k] > 0.0)
            x[soft->value[k]] += plan->weights[k] * data->values[(size_t)k * modes + (size_t)mode];
    }
}

static void SolveUnknowns(const qvWigglyPlan* plan, int mode, double* x)
{
    const struct qvWigglySoft* soft = plan->soft;
    int n = soft->count;
    SolveBand(soft->factor + (size_t)mode * (size_t)n * (BAND + 1), n, x);
    if (soft->borderCount == 0)
        return;
    // The border's columns are kept solved, and the matrix is symmetric: z . (band x) = column . x
    const double* z = soft->border + (size_t)mode * (size_t)n * MAX_BORDER;
    const double* c = soft->corner + 3 * (size_t)mode;
    double* tail = x + n;
    if (soft->borderCount == 1)
    {
        tail[0] *= c[0];
    }
    else
    {
        double a = tail[0], b = tail[1];
        tail[0] = c[0] * a + c[1] * b;
        tail[1] = c[1] * a + c[2] * b;
    }
    for (int j = 0; j < soft->borderCount; j++)
    {
        for (int i = 0; i < n; i++)
            x[i] -= z[j * n + i] * tail[j];
    }
}

// The right side of the border after the band is eliminated; x still holds the band's right side.
static void ReduceBorder(const qvWigglyPlan* plan, int mode, double* x)
{
    const struct qvWigglySoft* soft = plan->soft;
    int n = soft->count;
    for (int j = 0; j < soft->borderCount; j++)
        x[n + j] -= Dot(soft->border + ((size_t)mode * MAX_BORDER + (size_t)j) * (size_t)n, x, n);
}

static void StoreMode(const qvWigglyPlan* plan, const qvWigglyData* data, const qvWigglySolution* solution, int mode,
                      const double* x)
{
    const struct qvWigglySoft* soft = plan->soft;
    int last = plan->knotCount - 1;
    for (int k = 0; k <= last; k++)
    {
        size_t at = (size_t)k * (size_t)plan->modeCount + (size_t)mode;
        double before = soft->before[k] != KNOWN ? x[soft->before[k]] : Given(data->before, at);
        double after = soft->after[k] != KNOWN ? x[soft->after[k]] : Given(data->after, at);
        bool noLeft = !plan->circular && k == 0, noRight = !plan->circular && k == last;
        if (plan->freeTail && k == last - 1 && plan->after[k] != qv_sideVelocity)
            after = before;
        if (!(plan->freeTail && k == last))
            solution->values[at] = soft->value[k] != KNOWN ? x[soft->value[k]] : data->values[at];
        solution->before[at] = noLeft ? after : before;
        solution->after[at] = noRight ? before : after;
    }
}

qvResult qvWiggly_SolveSoft(const qvWigglyPlan* plan, const qvWigglyData* data, const qvWigglySolution* solution,
                            qvError* error)
{
    size_t count = (size_t)(plan->soft->count + plan->soft->borderCount);
    double* x = qvAllocate(count, sizeof(double));
    if (x == NULL)
        return qvError_OutOfMemory(error, (double)count * sizeof(double));
    for (int i = 0; i < plan->modeCount; i++)
    {
        FillRightSide(plan, data, i, x);
        ReduceBorder(plan, i, x);
        SolveUnknowns(plan, i, x);
        StoreMode(plan, data, solution, i, x);
    }
    free(x);
    return qv_ok;
}
