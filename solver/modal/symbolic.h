// SPDX-License-Identifier: GPL-3.0-or-later
// What a symbolic analysis holds, for the factor that copies it.
#pragma once

#include "quaver/modal.h"

#include <suitesparse/cholmod.h>

struct qvSymbolic
{
    int size, entryCount;     // of the whole pattern
    int freeCount;            // n
    int partCount;            // parts that nothing connects
    int32_t* freeDof;         // [n] number in the whole body
    int32_t* keptEntry;       // [pattern->entryCount] place in the whole pattern
    qvSparsePattern* pattern; // of the free degrees of freedom
    cholmod_common common;
    cholmod_factor* analysis; // NULL when n = 0
    double flops, entries, milliseconds;
};

/// Starts CHOLMOD, silent.
void qvStartCholmod(cholmod_common* common);

/// Turns CHOLMOD's status into a result.
qvResult qvCholmodFailed(const cholmod_common* common, const char* what, qvError* error);

/// A view of a pattern and values as CHOLMOD wants them. Nothing is copied.
cholmod_sparse qvCholmodView(const qvSparsePattern* pattern, double* values);
