// SPDX-License-Identifier: GPL-3.0-or-later
// Small dense systems, by LAPACK. Matrices are stored by rows.
#pragma once

#include "quaver/result.h"

/// How a solve went.
typedef struct qvDenseReport
{
    int rank;
    double condition; ///< in the 1-norm, estimated (direct solves); ratio of the singular values (least squares)
    double residual;  ///< largest entry of |A x - b|
} qvDenseReport;

/// Solves A x = b (n x n, by LU) in place: x holds b before. Returns qv_notConverged when A is exactly singular.
QV_CHECKED qvResult qvDense_SolveGeneral(int n, const double* a, double* x, qvDenseReport* report, qvError* error);

/// The same for a symmetric positive definite A, by Cholesky. Returns qv_notConverged when A is not.
QV_CHECKED qvResult qvDense_SolvePositive(int n, const double* a, double* x, qvDenseReport* report, qvError* error);

/// The smallest x that minimises |A x - b| (rows x columns), by singular values; those below cutoff of the largest
/// count as zero.
QV_CHECKED qvResult qvDense_SolveLeastSquares(int rows, int columns, const double* a, const double* b, double cutoff,
                                              double* x, qvDenseReport* report, qvError* error);
