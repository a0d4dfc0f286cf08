// SPDX-License-Identifier: GPL-3.0-or-later
// The factor as the eigensolvers see it: without the fixed degrees of freedom and in mass-scaled coordinates
// y = M^1/2 x, in which K phi = lambda M phi is the plain symmetric problem K' y = lambda y, K' = M^-1/2 K M^-1/2.
#pragma once

#include "quaver/modal.h"

const qvSymbolic* qvFactor_Symbolic(const qvFactor* factor);

/// Copies K' into the factor. qv_badInput for values that are not finite and masses that are not positive.
QV_CHECKED qvResult qvFactor_Load(qvFactor* factor, const qvSparse* matrix, const double* mass, qvError* error);

/// K' as loaded.
qvSparse qvFactor_Scaled(const qvFactor* factor);

/// Factorizes K' + shift I. qv_notConverged when that is not positive definite.
QV_CHECKED qvResult qvFactor_Shift(qvFactor* factor, double shift, const qvJob* job, qvError* error);

/// x = (K' + shift I)^-1 b; vectors of the free degrees of freedom. x may be b.
QV_CHECKED qvResult qvFactor_SolveFree(qvFactor* factor, const double* b, int columnCount, double* x, const qvJob* job,
                                       qvError* error);

/// x = M^-1/2 y, with zeros where fixed, for columnCount vectors.
void qvFactor_Expand(const qvFactor* factor, const double* y, int columnCount, double* x);
