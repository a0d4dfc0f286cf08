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

void qvPressure_Densities(const qvPressure* pressure, int begin, int end)
{
    const qvPressure* p = pressure;
    for (int i = begin; i < end; i++)
    {
        double sum = p->masses[i] * qvSpikyKernel(0.0, RadiusOf(p, i, i));
        for (int n = p->lists->start[i]; n < p->lists->start[i + 1]; n++)
        {
            int j = p->lists->index[n];
            double h = RadiusOf(p, i, j), square = SquaredDistance(p->points[i], p->points[j]);
            if (square < h * h)
                sum += p->masses[j] * qvSpikyKernel(sqrt(square), h);
        }
        double rest = p->restDensities != NULL ? p->restDensities[i] : p->restDensity;
        p->densities[i] = sum;
        p->shares[i] = fmax(0.0, p->stiffness * (sum - rest)) / (sum * sum);
    }
}

qvVec3 qvPressure_Force(const qvPressure* pressure, int i)
{
    const qvPressure* p = pressure;
    qvVec3 force = { 0.0, 0.0, 0.0 };
    for (int n = p->lists->start[i]; n < p->lists->start[i + 1]; n++)
    {
        int j = p->lists->index[n];
        double both = p->shares[i] + p->shares[j], h = RadiusOf(p, i, j);
        if (!(both > 0.0))
            continue;
        double square = SquaredDistance(p->points[i], p->points[j]), r = sqrt(square);
        if (square < h * h && r > 0.0)
        {
            double factor = -p->masses[i] * p->masses[j] * both * qvSpikySlope(r, h) / r;
            force = qvMulAdd(force, factor, qvSub(p->points[i], p->points[j]));
        }
    }
    return force;
}
