// SPDX-License-Identifier: GPL-3.0-or-later
// Lamb 1881 (bem/lamb.h). x = omega a/c2, h = omega a/c1; traction-free surface:
//   torsional   (l - 1) j_l(x) = x j_{l+1}(x)
//   spheroidal  l = 0: h cos h = (1 - x^2/4) sin h; l >= 1: a determinant of two rows
#include "bem/lamb.h"

#include "base/assert.h"
#include "bem/radial.h"

#include <math.h>

static const double SCAN = 0.01, LOWEST = 0.5, HIGHEST = 1e3;

// Spherical Bessel functions of degree l and l + 1 by Miller's recurrence downwards.
static void Bessel(int l, double x, double* here, double* next)
{
    int start = l + 30 + (int)ceil(2.0 * x);
    double above = 0.0, value = 1e-300, jl = 0.0, jnext = 0.0, j0 = 0.0, j1 = 0.0;
    for (int n = start; n >= 0; n--)
    {
        double below = (2 * n + 3) / x * value - above;
        above = value;
        value = below;
        if (fabs(value) > 1e200)
        {
            above *= 1e-200;
            value *= 1e-200;
            jl *= 1e-200;
            jnext *= 1e-200;
        }
        jnext = n == l + 1 ? value : jnext;
        jl = n == l ? value : jl;
        j1 = n == 0 ? above : j1;
        j0 = n == 0 ? value : j0;
    }
    double true0 = sin(x) / x, true1 = sin(x) / (x * x) - cos(x) / x;
    double scale = fabs(true0) > fabs(true1) ? true0 / j0 : true1 / j1;
    *here = scale * jl;
    *next = scale * jnext;
}

static double Condition(bool torsional, int l, double kappa, double x)
{
    double h = sqrt(kappa) * x, jx, jx1, jh, jh1;
    if (!torsional && l == 0)
        return h * cos(h) - (1.0 - 0.25 * x * x) * sin(h);
    Bessel(l, x, &jx, &jx1);
    if (torsional)
        return (l - 1) * jx - x * jx1;
    Bessel(l, h, &jh, &jh1);
    double half = 0.5 * x * x, ll = l * (l + 1.0);
    double a = (l * l - l - half) * jh + 2.0 * h * jh1, b = ll * ((l - 1) * jx - x * jx1);
    double c = (l - 1) * jh - h * jh1, d = (l * l - 1 - half) * jx + x * jx1;
    return a * d - b * c;
}

double qvLambFrequency(bool torsional, int l, int n, double poisson)
{
    QV_ASSERT(n >= 1 && l >= (torsional ? 1 : 0) && (torsional || poisson < 0.5));
    double kappa = qvBemKappa(poisson), before = Condition(torsional, l, kappa, LOWEST);
    for (double x = LOWEST + SCAN; x < HIGHEST; x += SCAN)
    {
        double here = Condition(torsional, l, kappa, x);
        if ((before < 0.0) != (here < 0.0) && --n == 0)
        {
            double low = x - SCAN, high = x;
            for (int i = 0; i < 60; i++)
            {
                double middle = 0.5 * (low + high);
                if ((Condition(torsional, l, kappa, middle) < 0.0) == (before < 0.0))
                    low = middle;
                else
                    high = middle;
            }
            return 0.5 * (low + high);
        }
        before = here;
    }
    return NAN;
}
