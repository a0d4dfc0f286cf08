// SPDX-License-Identifier: GPL-3.0-or-later
// The frequencies of a free body of phyxels at rest, from its stiffness matrix: what an artist's wobble is measured by.
// Calibrating on the cloud itself also takes out what its coarse sampling softens.
#pragma once

#include "quaver/sparse.h"

#include "phyxel/body.h"

/// -d force / d u at rest, of Young's modulus 1: linear elasticity by moving least squares and the fit penalty. The
/// caller frees both.
QV_CHECKED qvResult qvPhyxelBody_Stiffness(const qvPhyxelBody* body, double poisson, qvSparsePattern** pattern,
                                           double** values, qvError* error);

/// The lowest `count` frequencies in Hz at Young's modulus 1, without the six rigid motions of each part. Frequencies
/// grow with the root of the modulus.
QV_CHECKED qvResult qvPhyxelBody_Frequencies(const qvPhyxelBody* body, double poisson, int count, const qvJob* job,
                                             double* frequencies, qvError* error);
