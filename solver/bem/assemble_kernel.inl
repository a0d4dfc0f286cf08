// SPDX-License-Identifier: GPL-3.0-or-later
// The body of qvBemAddPoint, compiled once per level of the CPU as ADD_POINT.
#include "bem/assemble_kernel.h"

#include "bem/radial.h"

static inline void AddScaled(int count, double factor, const double* restrict from, double* restrict to)
{
    for (int c = 0; c < count; c++)
        to[c] += factor * from[c];
}

void ADD_POINT(const qvBemPoint* point, const double* nodes, int stride, int channels, double* restrict values,
               double* restrict moments)
{
    const double* l = point->interpolate;
    int size = qv_radialCount * stride;
    for (int c = 0; c < size; c++)
        values[c] = l[0] * nodes[c] + l[1] * nodes[size + c] + l[2] * nodes[2 * size + c] + l[3] * nodes[3 * size + c];
    for (int f = 0; f < qv_radialCount; f++)
        values[f * stride + channels] = point->fixed[f];

    const double *va = values + qv_radialPa * stride, *vb = values + qv_radialPb * stride;
    const double *vd = values + qv_radialPd * stride, *vA = values, *vB = values + stride;
    for (int s = 0; s < 3; s++, moments += qv_momentCount * stride)
    {
        double w = point->weight[s];
        AddScaled(stride, w, vA, moments + qv_momentA * stride);
        for (int i = 0, n = 0; i < 3; i++)
        {
            double wi = w * point->dir[i];
            AddScaled(stride, wi, va, moments + (qv_momentPa + i) * stride);
            AddScaled(stride, wi, vb, moments + (qv_momentPb + i) * stride);
            for (int j = i; j < 3; j++, n++)
            {
                double wij = wi * point->dir[j];
                AddScaled(stride, wij * point->rn, vd, moments + (qv_momentPd + n) * stride);
                AddScaled(stride, wij, vB, moments + (qv_momentB + n) * stride);
            }
        }
    }
}
