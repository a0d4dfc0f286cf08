// SPDX-License-Identifier: GPL-3.0-or-later
#include "phyxel/pressure.h"

#include "phyxel/kernel.h"

#include <math.h>
#include <stddef.h>

enum
{
    PAIRS = 64 // at once
};

static double RadiusOf(const qvPressure* p, int i, int j)
{
    return p->radii != NULL ? 0.5 * (p->radii[i] + p->radii[j]) : p->radius;
}

static double SquaredDistance(qvVec3 a, qvVec3 b)
{
    qvVec3 d = qvSub(a, b);
    return qvDot(d, d);
}

// To a sum of m_j W those of some pairs of i that have the radius h, and their slopes. In loops of their own, so that
// roots and quotients are found for several pairs at once; a pair that is too far has a weight of 0.
static double AddPairs(const qvPressure* p, int i, int begin, int count, double h, double sum)
{
    qvVec3 x = p->points[i];
    const int32_t* near = p->lists->index + begin;
    double *slopes = p->slopes + begin, weights[PAIRS], inverse = 1.0 / h, weight = 15.0 / (QV_PI * h * h * h);
    for (int k = 0; k < count; k++)
        slopes[k] = SquaredDistance(x, p->points[near[k]]);
    for (int k = 0; k < count; k++)
    {
        double r = sqrt(slopes[k]), inside = 1.0 - r * inverse, q = inside > 0.0 ? inside : 0.0;
        weights[k] = weight * q * q * q;
        slopes[k] = 3.0 * weight * inverse * q * q / (r > 0.0 ? r : h); // of two at one place any will do
    }
    for (int k = 0; k < count; k++)
        sum += p->masses[near[k]] * weights[k];
    return sum;
}

static double SumPairs(const qvPressure* p, int i)
{
    int most = p->radii != NULL ? 1 : PAIRS;
    double sum = 0.0;
    for (int n = p->lists->start[i], end = p->lists->start[i + 1]; n < end; n += most)
        sum = AddPairs(p, i, n, end - n < most ? end - n : most, RadiusOf(p, i, p->lists->index[n]), sum);
    return sum;
}

void qvPressure_Densities(const qvPressure* pressure, int begin, int end)
{
    const qvPressure* p = pressure;
    for (int i = begin; i < end; i++)
    {
        double sum = p->masses[i] * qvSpikyKernel(0.0, RadiusOf(p, i, i)) + SumPairs(p, i);
        double rest = p->restDensities != NULL ? p->restDensities[i] : p->restDensity;
        p->densities[i] = sum;
        p->shares[i] = fmax(0.0, p->stiffness * (sum - rest)) / (sum * sum);
    }
}

qvVec3 qvPressure_Force(const qvPressure* pressure, int i)
{
    const qvPressure* p = pressure;
    qvVec3 force = { 0.0, 0.0, 0.0 }, x = p->points[i];
    for (int n = p->lists->start[i]; n < p->lists->start[i + 1]; n++)
    {
        int j = p->lists->index[n];
        double factor = p->masses[j] * (p->shares[i] + p->shares[j]) * p->slopes[n];
        force = qvMulAdd(force, factor, qvSub(x, p->points[j]));
    }
    return qvScale(p->masses[i], force);
}
