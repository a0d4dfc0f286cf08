// SPDX-License-Identifier: GPL-3.0-or-later
// What a symbolic analysis holds, for the factors made from it.
#pragma once

#include "modal/tree.h"
#include "quaver/modal.h"

struct qvSymbolic
{
    int size, entryCount;     // of the whole pattern
    int freeCount;            // n
    int partCount;            // parts that nothing connects
    int32_t* freeDof;         // [n] number in the whole body
    int32_t* keptEntry;       // [pattern->entryCount] place in the whole pattern
    qvSparsePattern* pattern; // of the free degrees of freedom
    qvTree tree;              // empty when n = 0
    double flops, milliseconds;
};

// part [size]: to which part an index belongs. Parts are what no entry connects, numbered by their first index. Returns
// how many there are.
int qvLabelParts(const qvSparsePattern* pattern, int32_t* part);
