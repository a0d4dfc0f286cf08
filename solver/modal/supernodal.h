// SPDX-License-Identifier: GPL-3.0-or-later
// Solves with a supernodal factor, several right-hand sides side by side in one vector register. CHOLMOD calls BLAS for
// each supernode, which are too small for that to pay with eight columns; a solve here is bound by the time to read the
// factor. One source, compiled once per CPU level.
#pragma once

#include "modal/tree.h"

/// Widest vector of any level; right-hand sides are stored row after row with the level's width.
enum
{
    QV_MAX_LANES = 8
};

/// y = L^-1 y, or L^-T y, in place for the nodes [begin, end) of a branch or of the top. y is where that begins in a
/// spread vector; values are those of the whole factor; all has room for the most rows of a node. Both are aligned to
/// 64 bytes.
typedef void qvSupernodalFcn(const qvTree* tree, const double* values, int begin, int end, double* y, double* all);

typedef struct qvSupernodalKernel
{
    int lanes; ///< right-hand sides side by side
    qvSupernodalFcn *forward, *backward;
} qvSupernodalKernel;

extern const qvSupernodalKernel qvSupernodalPortable, qvSupernodalAvx2, qvSupernodalAvx512;

/// The best kernel of this machine.
const qvSupernodalKernel* qvGetSupernodalKernel(void);
