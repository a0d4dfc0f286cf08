// SPDX-License-Identifier: GPL-3.0-or-later
#include "phyxel/pressure.h"

#include "phyxel/kernel.h"

#include <stddef.h>

static double RadiusOf(const qvPressure* p, int i, int j)
{
    return p->radii != NULL ? 0.5 * (p->radii[i] + p->radii[j]) : p->radius;
}

static double SquaredDistance(qvVec3 a, qvVec3 b)
{
    qvVec3 d = qvSub(a, b);
    return qvDot(d, d);
}

// sum_j m_j W, and the slopes of the pairs, which the forces need again.
static double SumPairs(const qvPressure* p, int i)
{
    qvVec3 x = p->points[i];
    double sum = 0.0, h = p->radius, inverse = 1.0 / h, weight = 15.0 / (QV_PI * h * h * h);
    for (int n = p->lists->start[i]; n < p->lists->start[i + 1]; n++)
    {
        int j = p->lists->index[n];
        if (p->radii != NULL)
        {
            h = RadiusOf(p, i, j);
            inverse = 1.0 / h;
            weight = 15.0 / (QV_PI * h * h * h);
        }
        double square = SquaredDistance(x, p->points[j]);
        p->slopes[n] = 0.0;
        if (!(square < h * h))
            continue;
        double r = sqrt(square), q = 1.0 - r * inverse;
        sum += p->masses[j] * (weight * q * q * q);
        if (r > 0.0)
            p->slopes[n] = 3.0 * weight * inverse * q * q / r;
    }
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
