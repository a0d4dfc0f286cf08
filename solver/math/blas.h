// SPDX-License-Identifier: GPL-3.0-or-later
// Products of dense matrices, column-major doubles. A column of a tall matrix is one vector. Every call runs on the
// calling thread (quaver/blas.h) and needs no memory of its own.
#pragma once

#include <stdbool.h>

/// C (m x n) = alpha op(A) op(B) + beta C, op being the transpose where transA, transB say so; k is the inner
/// dimension.
void qvBlas_Multiply(bool transA, bool transB, int m, int n, int k, double alpha, const double* a, int lda,
                     const double* b, int ldb, double beta, double* c, int ldc);

/// C (n x n) = A^T A for A (m x n), both triangles filled.
void qvBlas_Gram(int m, int n, const double* a, int lda, double* c, int ldc);

/// The lower triangle of A (n x n) = L L^T becomes L; above the diagonal anything may be. The place of the first pivot
/// that is not positive, or -1.
int qvBlas_Cholesky(int n, double* a, int lda);

/// A (m x n) = A L^-T for a lower triangle L (n x n).
void qvBlas_SolveLower(int m, int n, const double* l, int ldl, double* a, int lda);

/// Euclidean norm, without overflow.
double qvBlas_Norm(int count, const double* x);

void qvBlas_Scale(int count, double alpha, double* x);

/// y += alpha x
void qvBlas_AddScaled(int count, double alpha, const double* x, double* y);
