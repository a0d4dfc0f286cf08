// SPDX-License-Identifier: GPL-3.0-or-later
// What a reduced basis holds, and what its files share.
#pragma once

#include "modal/tall.h"
#include "quaver/modal.h"

#include <stdatomic.h>
#include <stdbool.h>

struct qvBasis
{
    atomic_int owners;
    int size, dimension, blockCount;
    double* mass;               // [size]
    double *root, *inverseRoot; // [size] of the mass
    int* first;                 // [blockCount + 1] first column of each block
    uint64_t* hashes;           // [blockCount] of the vectors as given
    double* u;                  // [size x dimension]
    bool isParked;              // u is to be read only

    // The blocks' vectors w that are not zero, at unit length, in the basis: w = U r but for what was left out.
    int* firstVector;     // [blockCount + 1] first column of each block
    double* coefficients; // r [ld x vectors]
    int ld;
    bool* isWhole; // [blockCount] whether nothing but rounding was left out

    // U = [U_previous N] Q
    int previousDimension; // -1 when the basis does not follow from a previous one
    int generation;        // how often since it was last made from the vectors alone
    int freshCount;
    double* fresh; // N [size x freshCount]
    bool isFreshParked;
    double* turn; // Q [(previousDimension + freshCount) x dimension]
};

/// The same basis with one more owner; each destroys it, the last one frees it.
qvBasis* qvShareBasis(qvBasis* basis);

/// Puts the vectors of a finished basis into files of a folder, should they be large. Whoever reads them has them in
/// memory until the basis rests.
void qvBasis_Park(qvBasis* basis, const char* folder);
void qvBasis_Rest(const qvBasis* basis);

/// Coordinates of what the previous basis spans [previous dimension x count] in a basis that has followed from it.
void qvBasis_Carry(const qvBasis* basis, const double* previous, int count, double* coordinates);

/// Directions below this share of unit vectors are rounding.
#define QV_BASIS_ROUNDING 1e-13

/// q [dimension x columnCount] = U^T x.
void qvBasis_Dot(const qvBasis* basis, const double* x, int columnCount, double* q);

/// The vectors from one on.
qvTallColumns qvBasis_Columns(const qvBasis* basis, int first);

/// Replaces `count` columns w by a mass-orthonormal basis of what they add to mass-orthonormal columns u: directions
/// above cutoff, *rank of them. *left is the largest share that is left out. massW [size x count] and part [columns of
/// u x count] are scratch.
QV_CHECKED qvResult qvBasis_Orthonormalize(const qvBasis* basis, qvTallColumns u, double* w, int count, double cutoff,
                                           double* massW, double* part, int* rank, double* left, const qvJob* job,
                                           qvError* error);

/// Copies those of the vectors [begin, end) of a block that are not zero, each at unit length; *count is their number.
QV_CHECKED qvResult qvBasis_CopyUnit(const qvBasis* basis, const qvBasisDef* def, int block, const qvBasis* previous,
                                     int begin, int end, double* w, int* count, const qvJob* job, qvError* error);

/// r [ld x count] = u^T M w; massW [size x count] is scratch.
QV_CHECKED qvResult qvBasis_Measure(const qvBasis* basis, qvTallColumns u, const double* w, int count, double* massW,
                                    double* r, int ld, const qvJob* job, qvError* error);

/// Whether the basis can follow from the previous one with little work, and if so fills it in. basis has size, mass and
/// hashes. follow.c
QV_CHECKED qvResult qvBasis_Follow(qvBasis* basis, const qvBasisDef* def, const qvBasis* previous, const qvJob* job,
                                   bool* isDone, qvError* error);
