// SPDX-License-Identifier: GPL-3.0-or-later
#include "phyxel/pressure.h"

#include "phyxel/kernel.h"

void qvPressure_Forces(const qvNearLists* lists, int count, const qvVec3* points, const double* masses,
                       const double* radii, double stiffness, const double* restDensities, double* densities,
                       double* pressures, qvVec3* forces)
{
    for (int i = 0; i < count; i++)
    {
        double sum = masses[i] * qvSpikyKernel(0.0, radii[i]);
        for (int n = lists->start[i]; n < lists->start[i + 1]; n++)
        {
            int j = lists->index[n];
            sum += masses[j] * qvSpikyKernel(qvDistance(points[i], points[j]), 0.5 * (radii[i] + radii[j]));
        }
        densities[i] = sum;
        pressures[i] = fmax(0.0, stiffness * (sum - restDensities[i]));
    }
    for (int i = 0; i < count; i++)
    {
        forces[i] = qvMakeVec3(0.0, 0.0, 0.0);
        double own = pressures[i] / (densities[i] * densities[i]);
        for (int n = lists->start[i]; n < lists->start[i + 1]; n++)
        {
            int j = lists->index[n];
            qvVec3 d = qvSub(points[i], points[j]);
            double r = qvLength(d), slope = qvSpikySlope(r, 0.5 * (radii[i] + radii[j]));
            double factor = masses[i] * masses[j] * (own + pressures[j] / (densities[j] * densities[j]));
            if (r > 0.0)
                forces[i] = qvMulAdd(forces[i], -factor * slope / r, d);
        }
    }
}
