// SPDX-License-Identifier: GPL-3.0-or-later
// What a reduced basis holds.
#pragma once

#include "quaver/modal.h"

struct qvBasis
{
    int size, dimension, blockCount;
    double* mass;               // [size]
    double *root, *inverseRoot; // [size] of the mass
    int* first;                 // [blockCount + 1] first column of each block
    uint64_t* hashes;           // [blockCount] of the vectors as given
    double* u;                  // [size x dimension]

    // U = [U_previous N] Q
    int previousDimension; // -1 without a previous basis
    int freshCount;
    double* fresh; // N [size x freshCount]
    double* turn;  // Q [(previousDimension + freshCount) x dimension]
};
