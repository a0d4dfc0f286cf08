// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of a supernodal factor.
#pragma once

#include "modal/tree.h"
#include "quaver/job.h"
#include "quaver/result.h"

/// values [tree->valueCount] = L of P (A + shift I) P^T. entries are A's, in the order of the pattern that the tree was
/// made for. qv_notConverged when that is not positive definite: *failed is the unknown where it showed.
QV_CHECKED qvResult qvFactorizeTree(const qvTree* tree, const double* entries, double shift, double* values,
                                    const qvJob* job, int* failed, qvError* error);
