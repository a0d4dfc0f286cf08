// SPDX-License-Identifier: GPL-3.0-or-later
// Sugimoto, Batty, Hachisuka 2022 (bem/radial.h), eq. 16 and eq. 17 with the factor s that its last two lines lack.
//   e1, e2        exp(-sqrt(kappa) zeta), exp(-zeta): pressure and shear wave
//   z1e1, z2e2    sqrt(kappa) zeta e1, zeta e2
//   w             integral of x exp(-zeta x) over [sqrt(kappa), 1] = (E_1 - E_2) / zeta^2
#include "bem/radial.h"

#include "base/assert.h"

#include <math.h>

enum
{
    SERIES_TERMS = 22
};

static const double SERIES_LIMIT = 1.0; // of |zeta|: the 22nd term is below 1e-21

double qvBemKappa(double poisson)
{
    return (1.0 - 2.0 * poisson) / (2.0 * (1.0 - poisson));
}

void qvBemRadial_Static(double kappa, double values[qv_radialCount])
{
    values[qv_radialA] = 0.5 * (1.0 + kappa);
    values[qv_radialB] = 0.5 * (1.0 - kappa);
    values[qv_radialPa] = kappa;
    values[qv_radialPb] = -kappa;
    values[qv_radialPd] = -3.0 * (1.0 - kappa);
}

// The five functions as sums of the elementary ones: for values, for terms of their series and for weights in time.
#define COMBINE(kappa, w, e1, e2, z1e1, z2e2, values)                                                                  \
    do                                                                                                                 \
    {                                                                                                                  \
        (values)[qv_radialA] = (e2) - (w);                                                                             \
        (values)[qv_radialB] = 3.0 * (w) + (kappa) * (e1) - (e2);                                                      \
        (values)[qv_radialPa] = 6.0 * (w) + (4.0 * (kappa)-1.0) * (e1)-2.0 * (e2) - (1.0 - 2.0 * (kappa)) * (z1e1);    \
        (values)[qv_radialPb] = 6.0 * (w) + 2.0 * (kappa) * (e1)-3.0 * (e2) - (z2e2);                                  \
        (values)[qv_radialPd] = -30.0 * (w)-12.0 * (kappa) * (e1) + 12.0 * (e2)-2.0 * (kappa) * (z1e1) + 2.0 * (z2e2); \
    } while (0)

// Terms n = 1 and up of the series in zeta. That of n = 1 vanishes exactly for the functions of p.
static void AddSeries(double kappa, double complex zeta, double complex values[qv_radialCount])
{
    double root = sqrt(kappa), power = 1.0; // kappa^(n/2)
    double complex factor = 1.0;            // (-zeta)^n / n!
    for (int n = 1; n < SERIES_TERMS; n++)
    {
        power *= root;
        factor *= -zeta / n;
        double w = (1.0 - power * kappa) / (n + 2), term[qv_radialCount];
        COMBINE(kappa, w, power, 1.0, -n * power, (double)-n, term);
        for (int f = 0; f < (n == 1 ? qv_radialPa : qv_radialCount); f++)
            values[f] += factor * term[f];
    }
}

double complex qvBemMoment(double kappa, int m, double complex zeta)
{
    QV_ASSERT(m == 0 || m == 1);
    double root = sqrt(kappa);
    if (cabs(zeta) > SERIES_LIMIT)
    {
        double complex e1 = cexp(-root * zeta), e2 = cexp(-zeta);
        return m == 0 ? (e1 - e2) / zeta : ((1.0 + root * zeta) * e1 - (1.0 + zeta) * e2) / (zeta * zeta);
    }
    double complex sum = 0.0, factor = 1.0;
    double power = m == 0 ? root : kappa; // of the lower end, n + m + 1
    for (int n = 0; n < SERIES_TERMS; n++)
    {
        sum += factor * (1.0 - power) / (n + m + 1);
        factor *= -zeta / (n + 1);
        power *= root;
    }
    return sum;
}

static void Direct(double kappa, double complex zeta, double complex values[qv_radialCount])
{
    double root = sqrt(kappa);
    double complex e1 = cexp(-root * zeta), e2 = cexp(-zeta), w = qvBemMoment(kappa, 1, zeta);
    COMBINE(kappa, w, e1, e2, root * zeta * e1, zeta * e2, values);
}

void qvBemRadial_Laplace(double kappa, double complex zeta, double complex values[qv_radialCount])
{
    if (cabs(zeta) > SERIES_LIMIT)
    {
        Direct(kappa, zeta, values);
        return;
    }
    double fixed[qv_radialCount];
    qvBemRadial_Static(kappa, fixed);
    for (int f = 0; f < qv_radialCount; f++)
        values[f] = fixed[f];
    AddSeries(kappa, zeta, values);
}

void qvBemRadial_Dynamic(double kappa, double complex zeta, double complex values[qv_radialCount])
{
    for (int f = 0; f < qv_radialCount; f++)
        values[f] = 0.0;
    if (cabs(zeta) <= SERIES_LIMIT)
    {
        AddSeries(kappa, zeta, values);
        return;
    }
    double fixed[qv_radialCount];
    qvBemRadial_Static(kappa, fixed);
    Direct(kappa, zeta, values);
    for (int f = 0; f < qv_radialCount; f++)
        values[f] -= fixed[f];
}

// --- Backward Euler -------------------------------------------------------------------------------------------------

static const double LARGE_MEAN = 600.0; // exp(-T) is still far from underflow

// Poisson's distribution P_m(T) = e^-T T^m/m!: what a delay of T steps becomes.
static void Poisson(double mean, int count, double* p)
{
    if (mean <= LARGE_MEAN)
    {
        p[0] = exp(-mean);
        for (int m = 1; m < count; m++)
            p[m] = p[m - 1] * mean / m;
        return;
    }
    for (int m = 0; m < count; m++)
        p[m] = exp(m * log(mean) - mean - lgamma(m + 1.0));
}

static int TermCount(double xi, int last)
{
    double far = xi + 12.0 * sqrt(xi) + 40.0;
    QV_ASSERT(far < 1e8);
    return (far > last ? (int)far : last) + 4;
}

int qvBemRadial_Bdf1Scratch(double xi, int last)
{
    return 4 * TermCount(xi, last);
}

// sums[k] = P_{k+2} + P_{k+3} + …, small terms first.
static void Tails(int count, const double* p, double* sums)
{
    double sum = 0.0;
    for (int m = count - 1; m >= 2; m--)
        sums[m - 2] = sum += p[m];
}

void qvBemRadial_Bdf1(double kappa, double xi, int last, double* values, double* scratch)
{
    QV_ASSERT(xi > 0.0 && last >= 0);
    int count = TermCount(xi, last);
    double *p1 = scratch, *p2 = p1 + count, *tail1 = p2 + count, *tail2 = tail1 + count;
    Poisson(sqrt(kappa) * xi, count, p1);
    Poisson(xi, count, p2);
    Tails(count, p1, tail1);
    Tails(count, p2, tail2);
    for (int k = 0; k <= last; k++)
    {
        double w = (k + 1) / (xi * xi) * (tail2[k] - tail1[k]), sum[qv_radialCount];
        COMBINE(kappa, w, p1[k], p2[k], (k + 1) * p1[k + 1] - k * p1[k], (k + 1) * p2[k + 1] - k * p2[k], sum);
        for (int f = 0; f < qv_radialCount; f++)
            values[f * (last + 1) + k] = sum[f];
    }
}
