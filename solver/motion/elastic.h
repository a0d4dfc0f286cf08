// SPDX-License-Identifier: GPL-3.0-or-later
// The elastic body behind a motion space: a shell with its mass, pins, sparse factor and the matrices at a state.
// States are scaled.
#pragma once

#include "motion/space.h"

typedef struct qvElastic qvElastic;

QV_CHECKED qvResult qvCreateElastic(const qvMotionSpaceDef* def, const double* rest, const qvJob* job,
                                    qvElastic** elastic, qvError* error);
void qvDestroyElastic(qvElastic* elastic); // NULL is allowed

const double* qvElastic_Masses(const qvElastic* elastic);    // per point
const double* qvElastic_DofMasses(const qvElastic* elastic); // per coordinate

/// The lowest eigenvalue of the rest shape without pins that is not a rigid motion; 0 when there is none.
QV_CHECKED qvResult qvElastic_Lowest(qvElastic* elastic, const double* rest, const qvJob* job, double* lambda,
                                     qvError* error);

/// The lowest `count` modes about a state as rest shape; without pins, as many after its zero modes. *modes is NULL
/// when everything is pinned.
QV_CHECKED qvResult qvElastic_Modes(qvElastic* elastic, const double* state, int count, const qvJob* job,
                                    qvModes** modes, qvError* error);

/// Fills values, vectors, force, pull and wind of a shape. before: its reduced matrix in the previous basis, or NULL;
/// uniform: reduced coordinates of unit translations.
QV_CHECKED qvResult qvElastic_Reduce(qvElastic* elastic, const double* state, qvMotionModel model, const qvBasis* basis,
                                     const double* before, const double* uniform, qvMotionShape* shape,
                                     const qvJob* job, qvError* error);

/// The matrix of the last call above: about which state it is, the caller knows.
qvSparse qvElastic_Matrix(const qvElastic* elastic);
