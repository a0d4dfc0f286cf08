// SPDX-License-Identifier: GPL-3.0-or-later
#include "quaver/math.h"

// Kernels of M. Mueller, R. Keiser, A. Nealen, M. Pauly, M. Gross, M. Alexa, "Point based animation of elastic, plastic
// and melting objects", 2004 (called "the paper" in this folder): equation 9 and the Gaussian of equation 27, and the
// spiky kernel of M. Desbrun, M.-P. Cani, "Smoothed particles", 1996.
#pragma once

#include <math.h>

/// W(r, h) of equation 9 from the square of r; one over a volume. Its integral over space is 1.
static inline double qvKernel(double squaredDistance, double h)
{
    double rest = h * h - squaredDistance;
    if (!(rest > 0.0))
        return 0.0;
    double q = rest / (h * h);
    return 315.0 / (64.0 * QV_PI * h * h * h) * q * q * q;
}

/// 15 / (pi h^6) (h - r)^3
static inline double qvSpikyKernel(double r, double h)
{
    double q = 1.0 - r / h;
    return q > 0.0 ? 15.0 / (QV_PI * h * h * h) * q * q * q : 0.0;
}

/// Derivative of the spiky kernel by r, at most 0.
static inline double qvSpikySlope(double r, double h)
{
    double q = 1.0 - r / h;
    return q > 0.0 ? -45.0 / (QV_PI * h * h * h * h) * q * q : 0.0;
}

/// The weight of equation 27: exp(-r^2 / h^2) within h.
static inline double qvGaussian(double squaredDistance, double h)
{
    return squaredDistance < h * h ? exp(-squaredDistance / (h * h)) : 0.0;
}

/// 0 below 0, 1 above 1, smooth between.
static inline double qvSmoothStep(double t)
{
    t = fmin(fmax(t, 0.0), 1.0);
    return t * t * (3.0 - 2.0 * t);
}
