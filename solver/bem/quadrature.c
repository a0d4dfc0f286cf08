// SPDX-License-Identifier: GPL-3.0-or-later
#include "bem/quadrature.h"

#include "base/assert.h"
#include "quaver/math.h"

#include <math.h>

// Newton's iteration on Legendre's polynomial from Tricomi's estimate.
void qvGaussLegendre(int count, double* places, double* weights)
{
    QV_ASSERT(count >= 1 && count <= qv_maxGauss);
    for (int i = 0; i < count; i++)
    {
        double x = cos(QV_PI * (i + 0.75) / (count + 0.5)), slope = 1.0;
        for (int round = 0; round < 20; round++)
        {
            double before = 1.0, value = x;
            for (int n = 2; n <= count; n++)
            {
                double next = ((2 * n - 1) * x * value - (n - 1) * before) / n;
                before = value;
                value = next;
            }
            slope = count * (x * value - before) / (x * x - 1.0);
            double step = value / slope;
            x -= step;
            if (fabs(step) < 1e-15)
                break;
        }
        places[count - 1 - i] = 0.5 * (1.0 + x);
        weights[count - 1 - i] = 1.0 / ((1.0 - x * x) * slope * slope);
    }
}

void qvMakeDuffyRule(int gauss, qvTriangleRule* rule)
{
    double places[qv_maxGauss], weights[qv_maxGauss];
    qvGaussLegendre(gauss, places, weights);
    rule->count = 0;
    for (int i = 0; i < gauss; i++)
    {
        for (int j = 0; j < gauss; j++)
        {
            double u = places[i], v = places[j];
            rule->x[rule->count] = u * (1.0 - v);
            rule->y[rule->count] = u * v;
            rule->weight[rule->count++] = 2.0 * u * weights[i] * weights[j];
        }
    }
}

static void AddOrbit(qvTriangleRule* rule, double a, double weight)
{
    double b = 1.0 - 2.0 * a;
    const double x[3] = { a, b, a }, y[3] = { a, a, b };
    for (int i = 0; i < 3; i++)
    {
        rule->x[rule->count] = x[i];
        rule->y[rule->count] = y[i];
        rule->weight[rule->count++] = weight;
    }
}

void qvMakeSmallRule(int count, qvTriangleRule* rule)
{
    QV_ASSERT(count == 3 || count == 7);
    rule->count = 0;
    if (count == 3)
    {
        AddOrbit(rule, 1.0 / 6.0, 1.0 / 3.0);
        return;
    }
    double root = sqrt(15.0);
    rule->x[0] = rule->y[0] = 1.0 / 3.0;
    rule->weight[0] = 0.225;
    rule->count = 1;
    AddOrbit(rule, (6.0 - root) / 21.0, (155.0 - root) / 1200.0);
    AddOrbit(rule, (6.0 + root) / 21.0, (155.0 + root) / 1200.0);
}

qvBemQuadrature qvFastQuadrature(void)
{
    return (qvBemQuadrature){ .duffy = 5, .far = 3, .middle = 7, .farAt = 2.5, .middleAt = 0.9, .depth = 3 };
}

qvBemQuadrature qvStandardQuadrature(void)
{
    return (qvBemQuadrature){ .duffy = 8, .far = 7, .middle = 7, .farAt = 1.0, .middleAt = 1.0, .depth = 4 };
}

qvBemQuadrature qvFineQuadrature(void)
{
    return (qvBemQuadrature){ .duffy = 20, .far = 144, .middle = 196, .farAt = 1.5, .middleAt = 0.7, .depth = 5 };
}
