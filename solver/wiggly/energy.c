// SPDX-License-Identifier: GPL-3.0-or-later
// The energy of a wiggly spline, the integral of L^2, in closed form from the segment maps (segment.h), and as a
// quadratic form of the values at the knots. Per segment, in real units, with phi = -aa / ba and psi = -as ba:
//   E = 2 (as vs^2 + 2 gamma1 z vs + phi z^2) + 2 (aa va^2 + 2 gamma1 ba wa va + psi wa^2)
//       + 2 delta [v^2 + lambda w^2 + 2 g w] from left to right
// The bracket cancels between segments of equal lambda, delta and g that meet smoothly, and is left out there.
#include "wiggly/plan.h"

#include "base/assert.h"
#include "base/memory.h"

#include <stdlib.h>

qvWigglyEnds qvWiggly_GetEnds(const qvWigglyPlan* plan, const qvWigglySolution* solution, const double* force,
                              int segment, int mode)
{
    size_t modes = (size_t)plan->modeCount, left = (size_t)segment * modes + (size_t)mode;
    size_t right = (size_t)qvWiggly_RightKnot(plan, segment) * modes + (size_t)mode;
    qvWigglyEnds ends = { solution->values[left], solution->values[right], solution->after[left],
                          solution->before[right], 0.0 };
    if (force != NULL)
        ends.g = force[segment * plan->segmentStride + mode];
    return ends;
}

// Coefficients of one segment and mode.
typedef struct Form
{
    double lambda, delta;
    double as, aa, ba, gamma1, phi, psi;
    bool leftTerms, rightTerms;
} Form;

static Form GetForm(const qvWigglyPlan* plan, int segment, int mode)
{
    size_t at = (size_t)segment * (size_t)plan->modeCount + (size_t)mode;
    Form f;
    f.lambda = plan->lambda[segment * plan->segmentStride + mode];
    f.delta = plan->delta[segment * plan->segmentStride + mode];
    f.as = plan->as[at];
    f.aa = plan->aa[at];
    f.ba = plan->ba[at];
    f.gamma1 = plan->gamma1[at];
    f.phi = -f.aa / f.ba;
    f.psi = -f.as * f.ba;
    f.leftTerms = qvWiggly_HasLeftTerms(plan, segment);
    f.rightTerms = qvWiggly_HasRightTerms(plan, segment);
    return f;
}

static double SegmentEnergy(const Form* f, const qvWigglyEnds* e)
{
    double vs = 0.5 * (e->v1 - e->v0), va = 0.5 * (e->v0 + e->v1);
    double wa = 0.5 * (e->w1 - e->w0), z = 0.5 * f->lambda * (e->w0 + e->w1) + e->g;
    double energy = 2.0 * (f->as * vs * vs + 2.0 * f->gamma1 * z * vs + f->phi * z * z) +
                    2.0 * (f->aa * va * va + 2.0 * f->gamma1 * f->ba * wa * va + f->psi * wa * wa);
    if (f->rightTerms)
        energy += 2.0 * f->delta * (e->v1 * e->v1 + e->w1 * (f->lambda * e->w1 + 2.0 * e->g));
    if (f->leftTerms)
        energy -= 2.0 * f->delta * (e->v0 * e->v0 + e->w0 * (f->lambda * e->w0 + 2.0 * e->g));
    return energy;
}

// Half the derivative of the segment's energy with respect to its two values.
static void HalfGradient(const Form* f, const qvWigglyEnds* e, double* left, double* right)
{
    double vs = 0.5 * (e->v1 - e->v0), va = 0.5 * (e->v0 + e->v1);
    double wa = 0.5 * (e->w1 - e->w0), z = 0.5 * f->lambda * (e->w0 + e->w1) + e->g;
    double even = f->lambda * (f->gamma1 * vs + f->phi * z), odd = f->gamma1 * f->ba * va + f->psi * wa;
    *left = even - odd;
    *right = even + odd;
    if (f->rightTerms)
        *right += 2.0 * f->delta * (f->lambda * e->w1 + e->g);
    if (f->leftTerms)
        *left -= 2.0 * f->delta * (f->lambda * e->w0 + e->g);
}

void qvWigglyPlan_Energy(const qvWigglyPlan* plan, const qvWigglySolution* solution, const double* force,
                         double* energies)
{
    for (int i = 0; i < plan->modeCount; i++)
    {
        energies[i] = 0.0;
        for (int k = 0; k < qvWiggly_ActiveSegments(plan); k++)
        {
            Form form = GetForm(plan, k, i);
            qvWigglyEnds ends = qvWiggly_GetEnds(plan, solution, force, k, i);
            energies[i] += SegmentEnergy(&form, &ends);
        }
    }
}

// --- Quadratic form --------------------------------------------------------------------------------------------------

// One mode's data with a stride of one.
typedef struct Column
{
    double* values;
    double* before;
    double* after;
    double* givenBefore;
    double* givenAfter;
    double* force; // per segment
} Column;

static qvResult MakeColumn(const qvWigglyPlan* plan, const qvWigglyData* data, int mode, Column* c, qvError* error)
{
    size_t knots = (size_t)plan->knotCount, total = 6 * knots;
    double* block = qvAllocate(total, sizeof(double));
    if (block == NULL)
        return qvError_OutOfMemory(error, (double)total * sizeof(double));
    *c = (Column){ block, block + knots, block + 2 * knots, block + 3 * knots, block + 4 * knots, block + 5 * knots };
    for (int k = 0; k < plan->knotCount; k++)
    {
        size_t at = (size_t)k * (size_t)plan->modeCount + (size_t)mode;
        c->givenBefore[k] = data->before != NULL ? data->before[at] : 0.0;
        c->givenAfter[k] = data->after != NULL ? data->after[at] : 0.0;
        if (k < plan->segmentCount)
            c->force[k] = data->force != NULL ? data->force[k * plan->segmentStride + mode] : 0.0;
    }
    return qv_ok;
}

// Solves for the velocities and gives half the gradient of the energy in the values. homogeneous drops the force and
// the given velocities. Returns the energy.
static double SolveColumn(const qvWigglyPlan* plan, const Column* c, int mode, bool homogeneous, double* gradient)
{
    qvWigglyView view = { .first = mode,
                          .count = 1,
                          .stride = 1,
                          .forceStride = 1,
                          .values = c->values,
                          .before = c->before,
                          .after = c->after };
    if (!homogeneous)
    {
        view.givenBefore = c->givenBefore;
        view.givenAfter = c->givenAfter;
        view.force = c->force;
    }
    qvWiggly_SolveRows(plan, &view);
    double energy = 0.0;
    for (int k = 0; k < plan->knotCount; k++)
        gradient[k] = 0.0;
    for (int k = 0; k < qvWiggly_ActiveSegments(plan); k++)
    {
        int right = qvWiggly_RightKnot(plan, k);
        qvWigglyEnds ends = { c->values[k], c->values[right], c->after[k], c->before[right],
                              homogeneous ? 0.0 : c->force[k] };
        Form form = GetForm(plan, k, mode);
        double toLeft, toRight;
        HalfGradient(&form, &ends, &toLeft, &toRight);
        gradient[k] += toLeft;
        gradient[right] += toRight;
        energy += SegmentEnergy(&form, &ends);
    }
    return energy;
}

qvResult qvWigglyPlan_QuadraticForm(const qvWigglyPlan* plan, const qvWigglyData* data, int mode, double* matrix,
                                    double* linear, double* constant, qvError* error)
{
    int knots = plan->knotCount;
    for (int k = 0; k < knots; k++)
        QV_ASSERT(plan->before[k] != qv_sideAcceleration && plan->after[k] != qv_sideAcceleration);
    Column column = { 0 };
    qvResult result = MakeColumn(plan, data, mode, &column, error);
    if (result != qv_ok)
        return result;
    *constant = SolveColumn(plan, &column, mode, false, linear);
    for (int k = 0; k < knots; k++)
    {
        column.values[k] = 1.0;
        SolveColumn(plan, &column, mode, true, matrix + (size_t)k * (size_t)knots);
        column.values[k] = 0.0;
    }
    for (int i = 0; i < knots; i++)
    {
        for (int j = 0; j < i; j++)
        {
            double* lower = &matrix[(size_t)i * (size_t)knots + (size_t)j];
            double* upper = &matrix[(size_t)j * (size_t)knots + (size_t)i];
            *lower = *upper = 0.5 * (*lower + *upper);
        }
    }
    free(column.values);
    return qv_ok;
}
