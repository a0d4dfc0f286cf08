// SPDX-License-Identifier: GPL-3.0-or-later
#include "math/dense_band.h"

#include "base/assert.h"

#include <lapacke.h>

int qvBand_Size(int n, int kl, int ku)
{
    return n * (2 * kl + ku + 1);
}

int qvBand_Solve(int n, int kl, int ku, double* band, int* pivots, double* x)
{
    int info = LAPACKE_dgbsv_work(LAPACK_COL_MAJOR, n, kl, ku, 1, band, 2 * kl + ku + 1, pivots, x, n);
    QV_ASSERT(info >= 0);
    return info;
}

void qvBand_Resolve(int n, int kl, int ku, const double* band, const int* pivots, double* x)
{
    int info = LAPACKE_dgbtrs_work(LAPACK_COL_MAJOR, 'N', n, kl, ku, 1, band, 2 * kl + ku + 1, pivots, x, n);
    QV_ASSERT(info == 0);
}
