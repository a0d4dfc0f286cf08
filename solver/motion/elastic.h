// SPDX-License-Identifier: GPL-3.0-or-later
// The elastic body behind a motion space: a shell with its mass, pins, sparse factor and the matrices at a state.
// States are scaled.
#pragma once

#include "motion/space.h"

/// What all poses and materials of a body share: shell, masses, the pattern of its matrices and, once modes are
/// computed, their analysis. Those of a large body go with the last qvElastic. Any number of threads may use it.
typedef struct qvElasticBody qvElasticBody;

/// Of def the topology and the pins are used.
QV_CHECKED qvResult qvCreateElasticBody(const qvMotionSpaceDef* def, const double* rest, const qvJob* job,
                                        qvElasticBody** body, qvError* error);
qvElasticBody* qvShareElasticBody(qvElasticBody* body); // the same, with one more owner
void qvReleaseElasticBody(qvElasticBody* body);         // the last owner frees it; NULL is allowed

const double* qvElasticBody_Masses(const qvElasticBody* body);    // per point
const double* qvElasticBody_DofMasses(const qvElasticBody* body); // per coordinate

/// About what finding `count` modes takes. Analyzes the body, of which there must be a qvElastic.
QV_CHECKED qvResult qvElasticBody_BytesForModes(qvElasticBody* body, int count, const qvJob* job, double* bytes,
                                                qvError* error);

/// A matrix at a state and what one thread needs to work with it.
typedef struct qvElastic qvElastic;

/// body and the topology must outlive it.
QV_CHECKED qvResult qvCreateElastic(const qvMotionSpaceDef* def, qvElasticBody* body, const qvJob* job,
                                    qvElastic** elastic, qvError* error);
void qvDestroyElastic(qvElastic* elastic); // NULL is allowed

/// Frees the memory that only modes need, until there are more of them.
void qvElastic_DropFactor(qvElastic* elastic);

/// The lowest eigenvalue of the rest shape without pins that is not a rigid motion; 0 when there is none.
QV_CHECKED qvResult qvElastic_Lowest(qvElastic* elastic, const double* rest, const qvJob* job, double* lambda,
                                     qvError* error);

/// The lowest `count` modes about a state as rest shape, without the rigid ones of parts that have no pins; those of a
/// body in one part come first, as its zero modes. *modes is NULL
/// when everything is pinned. shift: that of another state's report, or 0.
QV_CHECKED qvResult qvElastic_Modes(qvElastic* elastic, const double* state, int count, double shift, const qvJob* job,
                                    qvModes** modes, qvError* error);

/// Makes the matrix that of a state, for qvElastic_Matrix.
QV_CHECKED qvResult qvElastic_MoveTo(qvElastic* elastic, const double* state, qvMotionModel model, const qvJob* job,
                                     qvError* error);

/// Fills values, vectors, force and pull of a shape. before: its reduced matrix in the previous basis, or NULL;
/// uniform: reduced coordinates of unit translations.
QV_CHECKED qvResult qvElastic_Reduce(qvElastic* elastic, const double* state, qvMotionModel model, const qvBasis* basis,
                                     const double* before, const double* uniform, qvMotionShape* shape,
                                     const qvJob* job, qvError* error);

/// M n n^T e for the three axes e, where n is the unit normal of each point at a state: loads [size x 3].
void qvElastic_WindLoads(const qvElastic* elastic, const double* state, double* loads);

/// The matrix of the last call above: about which state it is, the caller knows.
qvSparse qvElastic_Matrix(const qvElastic* elastic);
