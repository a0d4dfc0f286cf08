// SPDX-License-Identifier: GPL-3.0-or-later
#include "phyxel/pressure.h"

#include "phyxel/kernel.h"

#include <stddef.h>

static double RadiusOf(const qvPressure* p, int i, int j)
{
    return p->radii != NULL ? 0.5 * (p->radii[i] + p->radii[j]) : p->radius;
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
            sum += p->masses[j] * qvSpikyKernel(qvDistance(p->points[i], p->points[j]), RadiusOf(p, i, j));
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
        double both = p->shares[i] + p->shares[j];
        qvVec3 d = qvSub(p->points[i], p->points[j]);
        double r = qvLength(d);
        if (both > 0.0 && r > 0.0)
        {
            double slope = qvSpikySlope(r, RadiusOf(p, i, j));
            force = qvMulAdd(force, -p->masses[i] * p->masses[j] * both * slope / r, d);
        }
    }
    return force;
}
