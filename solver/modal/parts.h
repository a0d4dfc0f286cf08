// SPDX-License-Identifier: GPL-3.0-or-later
// Modes of a body whose parts nothing connects. Each part is a system of its own, so that costs of parts add up:
// in one system, six zero modes per part would come before the first elastic one, and the search for modes grows with
// the square of their number.
#pragma once

#include "quaver/modal.h"

// A matrix pattern cut into its connected parts, with the analysis of each. Immutable, may be used by any number of
// threads.
typedef struct qvModalParts qvModalParts;

// fixed lists degrees of freedom whose displacement is zero. Copies what it needs of both.
QV_CHECKED qvResult qvCreateModalParts(const qvSparsePattern* pattern, const int32_t* fixed, int fixedCount,
                                       const qvJob* job, qvModalParts** parts, qvError* error);
void qvDestroyModalParts(qvModalParts* parts); // NULL is allowed

// Memory that qvModalParts_Compute needs for so many modes.
double qvModalParts_Bytes(const qvModalParts* parts, int count);

// The lowest def->count elastic modes of all parts together, ascending; zeroCount is 0: the six rigid modes of each
// part that is free are left out. def->matrix has the pattern that the parts were made of. The report is that of the
// largest part, with the residuals, solves and times of all.
QV_CHECKED qvResult qvModalParts_Compute(const qvModalParts* parts, const qvModesDef* def, const qvJob* job,
                                         qvModes** modes, qvError* error);
