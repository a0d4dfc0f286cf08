// SPDX-License-Identifier: GPL-3.0-or-later
// The radial functions of the elastodynamic fundamental solutions.
//
// R. Sugimoto, C. Batty, T. Hachisuka, "Surface-Only Dynamic Deformables using a Boundary Element Method" (2022),
// eqs. 16 and 17, in the form
//     u_ij = 1/(4 pi mu r)  [ A kron_ij + B rh_i rh_j ]
//     p_ij = 1/(4 pi r^2)   [ a rh_i n_j + b (rh_j n_i + kron_ij rn) + d rh_i rh_j rn ]
// r = y - x, rh = r/|r|, rn = rh.n, i the direction of the load at x, j the component at y. All five depend on
//     zeta = s r/c2 and kappa = (c2/c1)^2 = (1 - 2 nu)/(2 (1 - nu))
// only, and none of them loses digits: what cancels in the paper's form is the integral of x^m exp(-zeta x).
#pragma once

#include <complex.h>

enum
{
    qv_radialA,  ///< isotropic part of u
    qv_radialB,  ///< radial part of u
    qv_radialPa, ///< "a" of p
    qv_radialPb, ///< "b" of p
    qv_radialPd, ///< "d" of p
    qv_radialCount,
};

/// The number a + i b.
static inline double complex qvComplex(double a, double b)
{
    return a + b * I;
}

/// (c2/c1)^2 of a Poisson's ratio up to and including 0.5, where it is 0.
double qvBemKappa(double poisson);

/// Values at zeta = 0: Kelvin's solution.
void qvBemRadial_Static(double kappa, double values[qv_radialCount]);

/// Values at a complex zeta.
void qvBemRadial_Laplace(double kappa, double complex zeta, double complex values[qv_radialCount]);

/// The same minus the static values, without cancellation: O(zeta) for A and B, O(zeta^2) for the rest.
void qvBemRadial_Dynamic(double kappa, double complex zeta, double complex values[qv_radialCount]);

/// The integral of x^m exp(-zeta x) over [sqrt(kappa), 1], m = 0 or 1.
double complex qvBemMoment(double kappa, int m, double complex zeta);

/// Convolution weights of backward Euler (BDF1) in closed form, k = 0..last: values[fun * (last + 1) + k] at the
/// distance xi = r/(c2 dt) > 0. k = 0 includes the static part. scratch: see qvBemRadial_Bdf1Scratch.
void qvBemRadial_Bdf1(double kappa, double xi, int last, double* values, double* scratch);

/// Doubles of scratch that qvBemRadial_Bdf1 needs for distances up to xi.
int qvBemRadial_Bdf1Scratch(double xi, int last);
