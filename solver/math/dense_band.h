// SPDX-License-Identifier: GPL-3.0-or-later
// Band matrices in LAPACK's layout: entry (i, j) of a matrix with kl diagonals below and ku above the main one is
// band[(kl + ku + i - j) + j * (2 kl + ku + 1)]; the first kl rows of each column are room for fill-in.
#pragma once

/// Doubles that an n x n band matrix needs.
int qvBand_Size(int n, int kl, int ku);

/// Factors the matrix in place (LU with partial pivoting) and solves for one right side. pivots has n entries. Returns
/// 0, or the 1-based index of the first zero pivot.
int qvBand_Solve(int n, int kl, int ku, double* band, int* pivots, double* x);

/// Solves again with the factors that qvBand_Solve left.
void qvBand_Resolve(int n, int kl, int ku, const double* band, const int* pivots, double* x);
