// SPDX-License-Identifier: GPL-3.0-or-later
// The full history of a body's surface, by convolution quadrature with backward Euler.
//
// R. Sugimoto, C. Batty, T. Hachisuka, "Surface-Only Dynamic Deformables using a Boundary Element Method" (2022), eq.
// 9:
//     H_0 u_n = G_0 p_n + sum_{k>=1} (-H_k u + G_k p)_{n-k}                                    (inertial)
// In a moving frame the accelerations a, alpha are unknowns too, of which the deformation holds no rigid motion
// (bordered; it replaces the paper's eqs. 10 to 14 and their correction of drift):
//     [ H_0 -D_0 -Q_0 ] [u_n; a_n; alpha_n] = [ G_0 p_n + sum_{k>=1} (-H_k u + G_k p + D_k a + Q_k alpha)_{n-k}; 0 ]
//     [ B    0    0   ]
// The reference method: its matrices grow like N^2/dt. Those of the past are kept as floats, or compressed (squeeze.h);
// what either does to rigid motions is put right, since a body that resists them comes apart:
//     H_k <- H_k - (dH_k R) R^T for an orthonormal basis R of them
// Immutable once made; the past of a body is one flat array of doubles, which is 0 for one that was always at rest.
#pragma once

#include "bem/assemble.h"
#include "bem/kernel.h"

typedef struct qvBemHistory qvBemHistory;

typedef struct qvBemHistoryDef
{
    const qvBemSurface* surface; ///< must outlive the history
    qvBemMaterial material;
    double dt;
    int last;        ///< steps that are remembered; 0: qvBemHistoryLength
    bool bordered;   ///< in the moving frame
    bool onVertices; ///< loads are forces on vertices instead of tractions on nodes
    double ratio;    ///< of compression: entries per one that is kept; 1: none. Above 1 loads are on vertices
    qvBemQuadrature quadrature;
    double tableStep; ///< spacing of the tables, in distances of the shear wave per step
    double maxBytes;  ///< of the matrices; more is refused
} qvBemHistoryDef;

/// Standard quadrature, bordered, tractions, not compressed, 2 GB.
qvBemHistoryDef qvDefaultBemHistoryDef(void);

QV_CHECKED qvResult qvCreateBemHistory(const qvBemHistoryDef* def, const qvJob* job, qvBemHistory** history,
                                       qvError* error);
void qvDestroyBemHistory(qvBemHistory* history); ///< NULL is allowed

int qvBemHistory_PastSize(const qvBemHistory* history); ///< doubles
double qvBemHistory_TimeStep(const qvBemHistory* history);

/// What its matrices take, and what compression left out of H_1 (relative, Frobenius).
double qvBemHistory_Bytes(const qvBemHistory* history);
double qvBemHistory_Error(const qvBemHistory* history);

/// An answer is u [3 vertices] and, when bordered, (a, alpha) about the centroid: that many numbers.
int qvBemHistory_AnswerSize(const qvBemHistory* history);

/// What loads do in the step in which they act: [answer x loads], column-major.
const double* qvBemHistory_Now(const qvBemHistory* history);

/// The same for the displacements of vertices by forces on them, made symmetric and positive: [3 vertices][3 vertices].
QV_CHECKED qvResult qvBemHistory_Compliance(const qvBemHistory* history, float* compliance, const qvJob* job,
                                            qvError* error);

/// The answer of the next step to the past alone. The same bits for any pool.
QV_CHECKED qvResult qvBemHistory_Recall(const qvBemHistory* history, const double* past, qvPool* pool, double* answer,
                                        qvError* error);

/// Adds a step to the past.
void qvBemHistory_Remember(const qvBemHistory* history, double* past, const double* loads, const double* answer);

/// Displacements [3 vertices] of the last step and of the one before it; NULL: there was none, and nothing moved.
void qvBemHistory_Last(const qvBemHistory* history, const double* past, const double** u, const double** before);

/// One step under loads; u [3 vertices], acceleration [6] (a, then alpha; 0 when inertial; may be NULL).
QV_CHECKED qvResult qvBemHistory_Step(const qvBemHistory* history, double* past, const double* loads, double* u,
                                      double* acceleration, qvError* error);

/// D_k and Q_k from H_k alone, since H(s) does not resist rigid motions but for their inertia: rows [last + 1][rows][6]
/// = -dt^2 sum_{j<=k} (k - j + 1) H_j [rigid motions].
void qvBemBodyRows(const qvBemSurface* surface, const qvBemMatrices* matrices, double dt, double* rows);

/// Rows B of the bordered system, [6][3 vertices]: the centroid's shift and the turn of a displacement.
void qvBemRigidRows(const qvBemSurface* surface, double* rows);
