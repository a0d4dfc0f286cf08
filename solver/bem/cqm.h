// SPDX-License-Identifier: GPL-3.0-or-later
// Convolution quadrature: weights in time of a function of the Laplace variable.
//
// C. Lubich, "Convolution quadrature and discretized operational calculus" (1988), as used by R. Sugimoto, C. Batty,
// T. Hachisuka, "Surface-Only Dynamic Deformables using a Boundary Element Method" (2022), eq. 15:
//     psi_k = R^-k / L sum_l f(gamma(R e^(2 pi i l/L)) / dt) e^(-2 pi i k l/L),  k = 0..last
// gamma(z) = 1 - z (BDF1), 3/2 - 2 z + z^2/2 (BDF2). L must exceed last: with the paper's L = last the final weight is
// the first one times R^-last.
#pragma once

#include <complex.h>

typedef enum qvCqmMethod
{
    qv_bdf1,
    qv_bdf2,
} qvCqmMethod;

/// A function f(s), real on the real axis.
typedef double complex qvCqmFcn(void* context, double complex s);

typedef struct qvCqmContour
{
    int points;    ///< L
    double radius; ///< R
} qvCqmContour;

/// A contour with errors near 1e-13 of the largest weight.
qvCqmContour qvMakeCqmContour(int last);

/// weights [last + 1].
void qvCqmWeights(qvCqmMethod method, double dt, int last, qvCqmContour contour, qvCqmFcn* fcn, void* context,
                  double* weights);

/// The Laplace variable of point l of the contour.
double complex qvCqmPoint(qvCqmMethod method, double dt, qvCqmContour contour, int l);
