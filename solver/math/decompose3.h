// SPDX-License-Identifier: GPL-3.0-or-later
// Eigenvectors and polar rotations of 3x3 matrices.
// G. H. Golub, C. F. Van Loan, "Matrix Computations": the cyclic Jacobi method. N. J. Higham, "Computing the polar
// decomposition", 1986: the scaled Newton iteration.
#pragma once

#include "math/mat3.h"

#include <stdbool.h>

/// Of a symmetric matrix: values ascending, vectors in the columns, orthonormal to rounding.
void qvEigenSymmetric3(const qvMat3* a, double values[3], qvMat3* vectors);

/// The rotation nearest to a matrix with a positive determinant: a = R S with S symmetric and positive. False, and the
/// identity, where the determinant is not positive or not finite.
bool qvPolarRotation(const qvMat3* a, qvMat3* rotation);
