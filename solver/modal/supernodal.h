// SPDX-License-Identifier: GPL-3.0-or-later
// Solves with a supernodal factor, several right-hand sides side by side in one vector register. CHOLMOD calls BLAS for
// each supernode, which are too small for that to pay with eight columns; a solve here is bound by the time to read the
// factor. One source, compiled once per CPU level.
#pragma once

#include <stdint.h>

/// P A P^T = L L^T as CHOLMOD stores it: supernode s has the columns first[s] … first[s + 1] - 1 and the rows
/// rows[rowStart[s]] … rows[rowStart[s + 1] - 1], of which the first are those columns; its dense lower trapezoid, by
/// columns, begins at values[valueStart[s]].
typedef struct qvSupernodes
{
    int count;
    const int32_t *first, *rowStart, *valueStart, *rows;
    const double* values;
} qvSupernodes;

/// Widest vector of any level; right-hand sides are stored row after row with the level's width.
enum
{
    QV_MAX_LANES = 8
};

/// y = (L L^T)^-1 y in place, y aligned to 64 bytes; scratch has room for the most rows of a supernode.
typedef void qvSupernodalFcn(const qvSupernodes* factor, double* y, double* scratch);

typedef struct qvSupernodalKernel
{
    int lanes; ///< right-hand sides side by side
    qvSupernodalFcn* solve;
} qvSupernodalKernel;

extern const qvSupernodalKernel qvSupernodalPortable, qvSupernodalAvx2, qvSupernodalAvx512;

/// The best kernel of this machine.
const qvSupernodalKernel* qvGetSupernodalKernel(void);
