// SPDX-License-Identifier: GPL-3.0-or-later
#include "phyxel/matter.h"

#include "phyxel/kernel.h"
#include "phyxel/material.h"

#include <math.h>

static const double LARGEST_WOBBLE = 1000.0, LARGEST_GRAVITY = 1e9, LARGEST_POISSON = 0.49;

static const double defaultWobble[1][2] = { { 0.0, 2.4 } };
static const double zero[1][2] = { { 0.0, 0.0 } };

qvPhyxelTerms qvDefaultPhyxelTerms(void)
{
    return (qvPhyxelTerms){ .wobble = { defaultWobble, 1 },
                            .melt = { zero, 1 },
                            .dent = { zero, 1 },
                            .settle = 1.5,
                            .poisson = 0.35,
                            .gravity = { 0.0, -9.81, 0.0 } };
}

double qvPhyxelCurve_At(const qvCurve* curve, double time)
{
    int k = 0;
    while (k + 1 < curve->count && time >= curve->knots[k + 1][0])
        k++;
    const double* a = curve->knots[k];
    if (k + 1 == curve->count || time <= a[0])
        return a[1];
    const double* b = curve->knots[k + 1];
    return a[1] + (b[1] - a[1]) * (time - a[0]) / (b[0] - a[0]);
}

static qvResult CheckCurve(const qvCurve* curve, const char* name, double lowest, double highest, qvError* error)
{
    for (int k = 0; k < curve->count; k++)
    {
        const double* knot = curve->knots[k];
        if (!isfinite(knot[0]) || (k > 0 && !(knot[0] > curve->knots[k - 1][0])))
            return qvError_Set(error, qv_badInput, "%s: value %d must be later than the one before", name, k);
        if (!(knot[1] >= lowest && knot[1] <= highest))
            return qvError_Set(error, qv_badInput, "%s: value %d must be from %g to %g", name, k, lowest, highest);
    }
    return curve->count > 0 ? qv_ok : qvError_Set(error, qv_badInput, "%s: must have at least one value", name);
}

static qvResult CheckNumber(double value, const char* name, double lowest, double highest, qvError* error)
{
    if (value >= lowest && value <= highest)
        return qv_ok;
    return qvError_Set(error, qv_badInput, "%s: must be from %g to %g", name, lowest, highest);
}

qvResult qvPhyxelTerms_Check(const qvPhyxelTerms* terms, qvError* error)
{
    qvResult result = CheckCurve(&terms->wobble, "wobble", 1e-3, LARGEST_WOBBLE, error);
    if (result == qv_ok)
        result = CheckCurve(&terms->melt, "melt", 0.0, 1.0, error);
    if (result == qv_ok)
        result = CheckCurve(&terms->dent, "dent", 0.0, 1.0, error);
    if (result == qv_ok)
        result = CheckNumber(terms->settle, "settle", 1e-3, 1e6, error);
    if (result == qv_ok)
        result = CheckNumber(terms->stick, "stick", 0.0, 1.0, error);
    if (result == qv_ok)
        result = CheckNumber(terms->follow, "follow", 0.0, 1.0, error);
    if (result == qv_ok)
        result = CheckNumber(terms->poisson, "poisson", 0.0, LARGEST_POISSON, error);
    if (result == qv_ok)
        result = CheckNumber(qvLength(terms->gravity), "gravity", 0.0, LARGEST_GRAVITY, error);
    if (result == qv_ok)
        result = CheckNumber(terms->youngPerHz2, "stiffness", 1e-30, 1e30, error);
    return result;
}

qvPhyxelMatter qvPhyxelTerms_At(const qvPhyxelTerms* terms, double time)
{
    double wobble = qvPhyxelCurve_At(&terms->wobble, time), melt = qvPhyxelCurve_At(&terms->melt, time);
    double dent = qvPhyxelCurve_At(&terms->dent, time);
    double young = terms->youngPerHz2 * wobble * wobble * pow(10.0, -melt);
    qvPhyxelMaterial material = qvMakePhyxelMaterial(qv_phyxelSnh, young, terms->poisson, 0.0, 0.0);
    return (qvPhyxelMatter){ .young = young,
                             .lambda = material.lambda,
                             .mu = material.mu,
                             .damping = 6.0 / terms->settle,
                             .creep = melt > 0.0 ? pow(10.0, 2.0 * melt - 1.0) : 0.0,
                             .yield = dent > 0.0 ? 0.6 * (1.0 - dent) * (1.0 - dent) * (1.0 - melt) : INFINITY,
                             .friction = 2.0 * terms->stick,
                             .follow = terms->follow,
                             .gravity = terms->gravity,
                             .isLiquid = melt > 0.0,
                             .flows = melt > 0.0 || dent > 0.0 };
}

// A knot at which nothing changes is none: steps do not depend on how a constant is written.
static bool Bends(const qvCurve* curve, int k)
{
    double value = curve->knots[k][1];
    return (k > 0 && curve->knots[k - 1][1] != value) || (k + 1 < curve->count && curve->knots[k + 1][1] != value);
}

double qvPhyxelTerms_NextKnot(const qvPhyxelTerms* terms, double time)
{
    const qvCurve* curves[] = { &terms->wobble, &terms->melt, &terms->dent };
    double next = INFINITY;
    for (int c = 0; c < 3; c++)
    {
        for (int k = 0; k < curves[c]->count; k++)
        {
            double knot = curves[c]->knots[k][0];
            next = knot > time && Bends(curves[c], k) ? fmin(next, knot) : next;
        }
    }
    return next;
}

double qvPhyxelTerms_Sag(const qvPhyxelTerms* terms)
{
    double softest = INFINITY;
    for (int k = 0; k < terms->wobble.count; k++)
        softest = fmin(softest, terms->wobble.knots[k][1]);
    double rate = 2.0 * QV_PI * softest;
    return qvLength(terms->gravity) / (rate * rate);
}
