// SPDX-License-Identifier: GPL-3.0-or-later
// Fundamental solutions of elastodynamics in the Laplace domain, at one pair of points.
//
// R. Sugimoto, C. Batty, T. Hachisuka, "Surface-Only Dynamic Deformables using a Boundary Element Method" (2022),
// eqs. 16 to 21. m[i][j]: i the direction of the load at x, j the component at y; r = y - x, n the outward unit normal
// at y. The boundary integral equation is c u(x) = integral of (u_ij p_j - p_ij u_j), without a transpose.
#pragma once

#include "quaver/mat3.h"

#include <complex.h>

typedef struct qvMat3c
{
    double complex m[3][3];
} qvMat3c;

typedef struct qvBemMaterial
{
    double density, shear, poisson; ///< rho, mu, nu (0.5 is allowed: no pressure wave)
} qvBemMaterial;

/// Speeds of the pressure wave (infinite for a Poisson's ratio of 0.5) and of the shear wave.
double qvBemPressureSpeed(const qvBemMaterial* material);
double qvBemShearSpeed(const qvBemMaterial* material);

/// Displacement u and traction p (eqs. 16, 17). r is not zero.
void qvBemKernel(const qvBemMaterial* material, double complex s, qvVec3 r, qvVec3 n, qvMat3c* u, qvMat3c* p);

/// Their static limit, Kelvin's solution.
void qvBemKelvin(double shear, double poisson, qvVec3 r, qvVec3 n, qvMat3* u, qvMat3* p);

/// Surface densities of the body forces of a moving frame: d of a translation (eq. 20), f of an angular acceleration
/// (eq. 21), and a shorter f with the same integral over a closed surface.
void qvBemBodyKernel(const qvBemMaterial* material, double complex s, qvVec3 r, qvVec3 n, qvMat3c* d, qvMat3c* f,
                     qvMat3c* shortF);
