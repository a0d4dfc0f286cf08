// SPDX-License-Identifier: GPL-3.0-or-later
// Dense symmetric eigenproblems and orthonormal bases, column-major doubles (LAPACKE).
#pragma once

#include "quaver/result.h"

#include <stdbool.h>

/// All eigenvalues (ascending) and eigenvectors of a symmetric matrix of that size, of which the lower triangle is
/// read. vectors (leading dimension: the size) may be the matrix itself, which is overwritten then. Eigenvectors are
/// orthonormal; their signs are as qvFixSigns makes them.
QV_CHECKED qvResult qvDense_Eigen(int size, const double* matrix, int ld, double* values, double* vectors,
                                  qvError* error);

/// Turns each column so that its largest component is positive; among components within 1e-6 of the largest the first
/// decides, so that rounding does not.
void qvFixSigns(int rows, int columns, double* matrix, int ld);

/// Orthonormal basis of what the columns of a tall matrix (rows x columns) span, by QR and a SVD of the triangle: the
/// left singular vectors whose singular value is above cutoff, largest first, replace the leading columns; *rank is
/// their number. singular [columns] receives all singular values, right [columns x columns] (may be NULL) the right
/// singular vectors as columns.
QV_CHECKED qvResult qvDense_Orthonormalize(int rows, int columns, double* matrix, int ld, double cutoff,
                                           double* singular, int* rank, qvError* error);

/// QR: columns of a tall matrix become orthonormal, triangle [columns x columns, leading dimension columns] such that
/// the old matrix = new matrix times triangle. A column that depends on those before it gets a diagonal entry near zero
/// and an arbitrary orthonormal direction.
QV_CHECKED qvResult qvDense_QR(int rows, int columns, double* matrix, int ld, double* triangle, qvError* error);

/// matrix (rows x columns) times factor (columns x count, count <= columns) into the leading columns of matrix. False
/// when memory runs out.
QV_CHECKED bool qvDense_MultiplyInPlace(int rows, int columns, double* matrix, int ld, const double* factor,
                                        int ldFactor, int count);
