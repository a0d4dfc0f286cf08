// SPDX-License-Identifier: GPL-3.0-or-later
// How a surface answers loads at a fixed Laplace variable: U = H^-1 G P, and its slope.
#pragma once

#include "bem/assemble.h"

#include <complex.h>

/// Nodal forces [3 vertices x count] of tractions [3 nodes x count], column-major: the integral of the traction times
/// each vertex's shape function.
void qvBemNodalForces(const qvBemSurface* surface, int count, const double* tractions, double* forces);

/// An orthonormal basis [3 nodes x 6] of what a traction field must be orthogonal to, to have neither force nor torque.
QV_CHECKED qvResult qvBemResultants(const qvBemSurface* surface, double* basis, qvError* error);

/// Takes force and torque out of traction fields [3 nodes x count].
void qvBemRemoveResultants(const qvBemSurface* surface, const double* basis, int count, double* tractions);

/// A matrix H of the assembly (by rows) and its factors.
typedef struct qvBemResponse
{
    int rows, columns;
    double s;
    double* factors; ///< [rows][rows]: H, then its factors
    int* pivots;
    const double *g, *dh, *dg; ///< G, dH/ds, dG/ds by rows; the slopes may be NULL
} qvBemResponse;

/// Factors H in place; pivots [rows].
QV_CHECKED qvResult qvBemResponse_Factor(qvBemResponse* response, const qvJob* job, qvError* error);

/// u [rows x count] of tractions [columns x count]. On all threads of the job, which is asked on the way.
QV_CHECKED qvResult qvBemResponse_Answer(const qvBemResponse* response, const qvJob* job, int count,
                                         const double* tractions, double* u, qvError* error);

/// dU/dlambda [rows x count], lambda = s^2, of the answers u.
QV_CHECKED qvResult qvBemResponse_Slope(const qvBemResponse* response, const qvJob* job, int count,
                                        const double* tractions, const double* u, double* slope, qvError* error);

/// The same at a complex Laplace variable: everything comes as real and imaginary parts.
typedef struct qvBemComplexResponse
{
    int rows, columns;
    double complex s;
    double complex* factors; ///< [rows][rows]
    int* pivots;
    const double *h[2], *g[2], *dh[2], *dg[2]; ///< by rows
} qvBemComplexResponse;

/// Makes the factors of h; pivots [rows].
QV_CHECKED qvResult qvBemComplexResponse_Factor(qvBemComplexResponse* response, const qvJob* job, qvError* error);

/// u[2] [rows x count] of real tractions and, unless slope is NULL, dU/dlambda.
QV_CHECKED qvResult qvBemComplexResponse_Answer(const qvBemComplexResponse* response, const qvJob* job, int count,
                                                const double* tractions, double* const u[2], double* const slope[2],
                                                qvError* error);
