// SPDX-License-Identifier: GPL-3.0-or-later
// Factors of dense square matrices that are used for many right sides, column-major doubles (LAPACKE).
#pragma once

#include "quaver/job.h"

#include <complex.h>
#include <stdbool.h>

/// A (size x size) becomes its factors L and U; pivots [size]. qv_notConverged when it is singular to working
/// precision, qv_badInput when it holds a value that is not finite. The job, which may be NULL, is asked on the way
/// where that takes long.
QV_CHECKED qvResult qvDense_FactorLu(int size, double* a, int ld, int* pivots, const qvJob* job, qvError* error);

/// b (size x count) becomes A^-1 b, or A^-T b when transposed.
void qvDense_SolveLu(int size, const double* lu, int ld, const int* pivots, bool transposed, int count, double* b,
                     int ldb);

/// The same of complex matrices; the transpose is the plain one, without conjugation.
QV_CHECKED qvResult qvDense_FactorComplexLu(int size, double complex* a, int ld, int* pivots, const qvJob* job,
                                            qvError* error);
void qvDense_SolveComplexLu(int size, const double complex* lu, int ld, const int* pivots, bool transposed, int count,
                            double complex* b, int ldb);

/// As qvBlas_Cholesky: failed is the place of the first pivot that is not positive, or -1. The job is asked on the way.
QV_CHECKED qvResult qvDense_Cholesky(int size, double* a, int ld, int* failed, const qvJob* job, qvError* error);

/// b (size x count) becomes (L L^T)^-1 b for the lower triangle L of qvDense_Cholesky.
void qvDense_SolveCholesky(int size, const double* l, int ld, int count, double* b, int ldb);
