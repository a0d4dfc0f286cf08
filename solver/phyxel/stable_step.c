// SPDX-License-Identifier: GPL-3.0-or-later
// How much shorter steps must be once a body has flowed: where its phyxels have come to stand closer than at first, the
// solid that it sets to is stiffer than an even cloud. The highest frequency is that of -M^-1 K at the reference, found
// by power iteration; K times a vector is a difference of forces.
#include "phyxel/engine_state.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    POWER_STEPS = 30
};

static const double PROBE = 1e-5; // spacings that the phyxel which moves most is moved by

typedef double Four[4];

// Room for one evaluation of the forces.
typedef struct Probe
{
    const qvPhyxelState* state;
    qvPhyxelStressD stress;
    Four *y, *rest, *sums, *vectors;
    double (*gradients)[3][4];
    double (*columns)[3][4];
    double* coefficients;
    double (*shares)[2];
} Probe;

static void Forces(const Probe* p, const Four* y, Four* forces)
{
    qvPhyxelListsD lists = qvPhyxelReference_Lists(p->state->reference);
    const qvPhyxelKernelD* kernel = p->state->kernel;
    int n = p->state->count;
    kernel->gradients(&lists, 0, n, (const double(*)[4])y, p->gradients);
    kernel->stresses(&lists, &p->stress, 0, n, (const double(*)[3][4])p->gradients, p->coefficients, p->columns);
    kernel->gather(&lists, 0, n, p->coefficients, (const double(*)[4])y, (const double(*)[3][4])p->columns, forces);
}

static void PlaceProbe(const Probe* p, double part, Four* y)
{
    for (int i = 0; i < p->state->count; i++)
    {
        const double* x = &p->state->points[i].x;
        for (int k = 0; k < 3; k++)
            y[i][k] = x[k] + part * p->vectors[i][k];
    }
}

static double LargestOf(const Probe* p)
{
    double largest = 0.0;
    for (int i = 0; i < p->state->count; i++)
    {
        for (int k = 0; k < 3; k++)
            largest = fmax(largest, fabs(p->vectors[i][k]));
    }
    return largest;
}

// One step of the iteration; returns its Rayleigh quotient, the square of a frequency.
static double Improve(const Probe* p)
{
    const qvPhyxelBody* body = p->state->body;
    double largest = LargestOf(p), part = PROBE * body->spacing, below = 0.0, above = 0.0;
    for (int i = 0; i < body->count; i++)
    {
        for (int k = 0; k < 3; k++)
            p->vectors[i][k] /= largest;
    }
    PlaceProbe(p, part, p->y);
    Forces(p, (const Four*)p->y, p->sums);
    for (int i = 0; i < body->count; i++)
    {
        for (int k = 0; k < 3; k++)
        {
            double v = p->vectors[i][k], change = (p->sums[i][k] - p->rest[i][k]) / part;
            below += body->masses[i] * v * v;
            above -= v * change;
            p->vectors[i][k] = -change / body->masses[i];
        }
    }
    return below > 0.0 ? above / below : 0.0;
}

static void FillStress(Probe* p, const qvPhyxelMatter* matter)
{
    const qvPhyxelState* s = p->state;
    double l2 = matter->lambda + matter->mu;
    p->stress = (qvPhyxelStressD){ .mu = matter->mu,
                                   .lambda2 = l2,
                                   .rest = 1.0 + matter->mu / l2,
                                   .penalty = qv_phyxelFit * matter->young,
                                   .metric = (const double(*)[8])s->metric,
                                   .share = (const double(*)[2])p->shares };
    for (int i = 0; i < s->count; i++)
    {
        p->shares[i][0] = s->body->volumes[i] * s->reference->fade[i];
        p->shares[i][1] = s->reference->fitShare[i];
        for (int k = 0; k < 3; k++)
            p->vectors[i][k] = (i * (7 - 2 * k) % (11 + 2 * k)) - 5.0 - k;
    }
}

qvResult qvPhyxelState_LongestStep(const qvPhyxelState* state, const qvPhyxelMatter* matter, double* seconds,
                                   qvError* error)
{
    size_t n = (size_t)state->count;
    double* room = qvAllocate(n, (4 * 4 + 2 * 12 + 2 + 1) * sizeof(double));
    if (room == NULL)
        return qvError_OutOfMemory(error, 344.0 * (double)n);
    Probe p = { .state = state, .y = (Four*)room };
    p.rest = p.y + n, p.sums = p.rest + n, p.vectors = p.sums + n;
    p.gradients = (double(*)[3][4])(p.vectors + n), p.columns = p.gradients + n;
    p.shares = (double(*)[2])(p.columns + n), p.coefficients = (double*)(p.shares + n);
    FillStress(&p, matter);
    PlaceProbe(&p, 0.0, p.y);
    Forces(&p, (const Four*)p.y, p.rest);
    double highest = 0.0;
    for (int step = 0; step < POWER_STEPS && LargestOf(&p) > 0.0; step++)
        highest = fmax(highest, fabs(Improve(&p)));
    free(room);
    *seconds = highest > 0.0 ? 2.0 / sqrt(highest) : INFINITY;
    return qv_ok;
}
