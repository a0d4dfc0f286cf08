// SPDX-License-Identifier: GPL-3.0-or-later
// Products with tall matrices (n rows, column after column), on several threads: rows are cut into pieces of fixed
// height, and sums over rows are added piece by piece in order, so that the result is the same for any pool.
#pragma once

#include "quaver/job.h"

/// C (k x m, leading dimension ldc) = A^T B for A (n x k) and B (n x m). False when memory runs out.
bool qvTall_Dot(int n, int k, int m, const double* a, const double* b, double* c, int ldc, qvPool* pool);

/// B (n x m) = alpha A C + beta B for A (n x k) and C (k x m, leading dimension ldc). A and B share no memory.
void qvTall_Multiply(int n, int k, int m, double alpha, const double* a, const double* c, int ldc, double beta,
                     double* b, qvPool* pool);
