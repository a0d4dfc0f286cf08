// SPDX-License-Identifier: GPL-3.0-or-later
#include "phyxel/surfel.h"

#include "phyxel/kernel.h"

qvVec3 qvSurfel_Displacement(int count, const qvVec3* points, const qvVec3* u, const qvMat3* gradients, qvVec3 x,
                             double h)
{
    qvVec3 sum = { 0.0, 0.0, 0.0 };
    double weights = 0.0;
    for (int i = 0; i < count; i++)
    {
        qvVec3 d = qvSub(x, points[i]);
        double w = qvGaussian(qvDot(d, d), h);
        if (w == 0.0)
            continue;
        sum = qvMulAdd(sum, w, qvAdd(u[i], qvMat3_Apply(&gradients[i], d)));
        weights += w;
    }
    return weights > 0.0 ? qvScale(1.0 / weights, sum) : sum;
}

double qvBoundaryProbability(const qvVec3* points, int count)
{
    qvVec3 mean = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < count; i++)
        mean = qvMulAdd(mean, 1.0 / count, points[i]);
    qvMat3 c = { { { 0.0 } } };
    for (int i = 0; i < count; i++)
    {
        qvVec3 d = qvSub(points[i], mean);
        qvMat3 outer = qvMat3_Outer(d, d);
        c = qvMat3_MulAdd(&c, 1.0, &outer);
    }
    double third = qvMat3_Trace(&c) / 3.0;
    return third > 0.0 ? 1.0 - qvMat3_Determinant(&c) / (third * third * third) : 1.0;
}

void qvBoundaryProbabilities(const qvVec3* points, int count, double h, double* probabilities)
{
    for (int i = 0; i < count; i++)
    {
        // Sums about the point itself, shifted to their mean at the end: no list has to be kept.
        qvVec3 first = { 0.0, 0.0, 0.0 };
        qvMat3 second = { { { 0.0 } } };
        int near = 0;
        for (int j = 0; j < count; j++)
        {
            qvVec3 d = qvSub(points[j], points[i]);
            if (!(qvDot(d, d) < h * h))
                continue;
            qvMat3 outer = qvMat3_Outer(d, d);
            second = qvMat3_MulAdd(&second, 1.0, &outer);
            first = qvAdd(first, d);
            near++;
        }
        qvMat3 shift = qvMat3_Outer(first, first), c = qvMat3_MulAdd(&second, -1.0 / near, &shift);
        double third = qvMat3_Trace(&c) / 3.0;
        probabilities[i] = third > 0.0 ? 1.0 - qvMat3_Determinant(&c) / (third * third * third) : 1.0;
    }
}

double qvTopologyChange(const qvVec3* points, int count, const double* before, const double* after, qvVec3 x,
                        double radius, double weight, int* neighbourCount)
{
    double sum = 0.0;
    *neighbourCount = 0;
    for (int i = 0; i < count; i++)
    {
        if (!(qvDistance(points[i], x) < radius))
            continue;
        sum += before[i] - after[i];
        (*neighbourCount)++;
    }
    return *neighbourCount > 0 ? weight / *neighbourCount * fabs(sum) : 0.0;
}

void qvDetailBlend(double first, double previous, double iso, double change, double* value, double* share)
{
    *value = first + fmin(1.0, change) * (iso - first);
    *share = iso != previous ? (*value - previous) / (iso - previous) : 1.0;
}

void qvResampleRule(int neighbours, int fewest, int most, int* splits, double* deleteProbability)
{
    *splits = neighbours < fewest ? fewest - neighbours : 0;
    *deleteProbability = neighbours > most ? fmin(1.0, neighbours / (2.0 * most)) : 0.0;
}

void qvRepelSurfels(const qvVec3* points, const qvVec3* normals, int count, double radius, double strength,
                    qvVec3* moved)
{
    for (int i = 0; i < count; i++)
    {
        qvVec3 push = { 0.0, 0.0, 0.0 }, n = qvNormalize(normals[i]);
        for (int j = 0; j < count; j++)
        {
            qvVec3 d = qvSub(points[i], points[j]);
            double r = qvLength(d);
            if (j != i && r < radius)
                push = qvMulAdd(push, strength * (1.0 - r / radius), d);
        }
        push = qvMulAdd(push, -qvDot(push, n), n);
        moved[i] = qvAdd(points[i], push);
    }
}
