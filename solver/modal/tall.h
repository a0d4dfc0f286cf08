// SPDX-License-Identifier: GPL-3.0-or-later
// Products with tall matrices (n rows, column after column), on several threads: rows are cut into pieces of fixed
// height, and sums over rows are added piece by piece in order, so that the result is the same for any pool. The job is
// asked between pieces; what was to be written is worth nothing after qv_cancelled.
#pragma once

#include "quaver/job.h"
#include "quaver/result.h"

#include <stdbool.h>

/// Columns in memory, or parked (base/parked.h): then what was read of them is given back on the way.
typedef struct qvTallColumns
{
    const double* items;
    int count;
    bool isParked;
} qvTallColumns;

/// C (k x m, leading dimension ldc) = A^T B for A (n x k) and B (n x m).
QV_CHECKED qvResult qvTall_DotColumns(int n, qvTallColumns a, int m, const double* b, double* c, int ldc,
                                      const qvJob* job, qvError* error);
QV_CHECKED qvResult qvTall_Dot(int n, int k, int m, const double* a, const double* b, double* c, int ldc,
                               const qvJob* job, qvError* error);

/// B (n x m) = alpha A C + beta B for A (n x k) and C (k x m, leading dimension ldc). A and B share no memory.
QV_CHECKED qvResult qvTall_MultiplyColumns(int n, qvTallColumns a, int m, double alpha, const double* c, int ldc,
                                           double beta, double* b, const qvJob* job, qvError* error);
QV_CHECKED qvResult qvTall_Multiply(int n, int k, int m, double alpha, const double* a, const double* c, int ldc,
                                    double beta, double* b, const qvJob* job, qvError* error);

/// W (n x k) times factor (k x count, count <= k) into the leading columns of W.
QV_CHECKED qvResult qvTall_Turn(int n, int k, double* w, const double* factor, int count, const qvJob* job,
                                qvError* error);

/// W (n x k, n >= k) becomes orthonormal, triangle [k x k] such that the old W = new W times triangle. A column that
/// depends on those before it gets a diagonal entry near zero and an arbitrary orthonormal direction. Pieces first,
/// then what is left of them: J. Demmel, L. Grigori, M. Hoemmen, J. Langou, "Communication-optimal parallel and
/// sequential QR and LU factorizations", SIAM J. Sci. Comput. 34 (2012).
QV_CHECKED qvResult qvTall_QR(int n, int k, double* w, double* triangle, const qvJob* job, qvError* error);

/// The same for columns that are nearly orthonormal already, by a Cholesky factor of their Gram matrix, which is
/// faster; falls back to qvTall_QR where they are not.
QV_CHECKED qvResult qvTall_FastQR(int n, int k, double* w, double* triangle, const qvJob* job, qvError* error);

/// The left singular vectors of W (n x k, n >= k) whose singular value is above cutoff, largest first, replace its
/// leading columns; *rank is their number. singular [k] receives all singular values.
QV_CHECKED qvResult qvTall_Orthonormalize(int n, int k, double* w, double cutoff, double* singular, int* rank,
                                          const qvJob* job, qvError* error);
