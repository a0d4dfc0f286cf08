// SPDX-License-Identifier: GPL-3.0-or-later
// What the eigensolvers share: the largest eigenvalues theta of OP = (K' + shift I)^-1, in the coordinates of factor.h.
// lambda = 1 / theta - shift.
#pragma once

#include "quaver/modal.h"

typedef struct qvEigenProblem
{
    qvFactor* factor; // with the shift factorized
    int n;            // free degrees of freedom
    int count;        // wanted, less than n
    int partCount;
    double tolerance; // of |OP y - theta y| / theta
    int maxSteps;
    const qvJob* job;
} qvEigenProblem;

typedef struct qvEigenResult
{
    double* vectors; // [n x count], orthonormal, the caller's
    double residual;
    int steps, solves;
} qvEigenResult;

/// The fewest free degrees of freedom for which the block method can look for that many eigenvalues.
int qvEigenBlock_Smallest(int count);

/// Block Krylov method. qv_notConverged when maxSteps are not enough.
QV_CHECKED qvResult qvSolveEigenBlock(const qvEigenProblem* problem, qvEigenResult* result, qvError* error);

/// ARPACK-ng. Waits while another thread is in here.
QV_CHECKED qvResult qvSolveEigenArpack(const qvEigenProblem* problem, qvEigenResult* result, qvError* error);

/// Fills with numbers in [-1, 1) that depend on the seed only.
void qvFillRandom(double* values, size_t count, uint64_t seed);
