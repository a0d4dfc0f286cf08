// SPDX-License-Identifier: GPL-3.0-or-later
// Lubich 1988; Sugimoto, Batty, Hachisuka 2022, eq. 15 (bem/cqm.h).
#include "bem/cqm.h"

#include "base/assert.h"
#include "bem/radial.h"
#include "quaver/math.h"

#include <math.h>

// What is lost is R^L (aliasing) and ulp R^-last (rounding): long contours keep both small.
qvCqmContour qvMakeCqmContour(int last)
{
    qvCqmContour contour = { .points = 8 * (last + 1) };
    contour.radius = pow(1e-15, 1.0 / contour.points);
    return contour;
}

double complex qvCqmPoint(qvCqmMethod method, double dt, qvCqmContour contour, int l)
{
    double angle = 2.0 * QV_PI * l / contour.points;
    double complex z = contour.radius * qvComplex(cos(angle), sin(angle));
    return (method == qv_bdf1 ? 1.0 - z : 1.5 - 2.0 * z + 0.5 * z * z) / dt;
}

void qvCqmWeights(qvCqmMethod method, double dt, int last, qvCqmContour contour, qvCqmFcn* fcn, void* context,
                  double* weights)
{
    QV_ASSERT(contour.points > last && dt > 0.0);
    int points = contour.points;
    for (int k = 0; k <= last; k++)
        weights[k] = 0.0;
    // Conjugate points add up to twice the real part.
    for (int l = 0; 2 * l <= points; l++)
    {
        double complex value = fcn(context, qvCqmPoint(method, dt, contour, l));
        double times = l == 0 || 2 * l == points ? 1.0 : 2.0;
        for (int k = 0; k <= last; k++)
        {
            double angle = 2.0 * QV_PI * (double)((long long)k * l % points) / points;
            weights[k] += times * (creal(value) * cos(angle) + cimag(value) * sin(angle));
        }
    }
    for (int k = 0; k <= last; k++)
        weights[k] *= pow(contour.radius, -k) / points;
}
