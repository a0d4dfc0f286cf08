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
// The reference method: its matrices grow like N^2/dt.
#pragma once

#include "bem/assemble.h"
#include "bem/kernel.h"

typedef struct qvBemHistory qvBemHistory;

typedef struct qvBemHistoryDef
{
    const qvBemSurface* surface; ///< must outlive the history
    qvBemMaterial material;
    double dt;
    int last;      ///< steps that are remembered; 0: qvBemHistoryLength
    bool bordered; ///< in the moving frame
    qvBemQuadrature quadrature;
    double tableStep; ///< spacing of the tables, in distances of the shear wave per step
    double maxBytes;  ///< of the matrices; more is refused
} qvBemHistoryDef;

/// Standard quadrature, bordered, 2 GB.
qvBemHistoryDef qvDefaultBemHistoryDef(void);

QV_CHECKED qvResult qvCreateBemHistory(const qvBemHistoryDef* def, const qvJob* job, qvBemHistory** history,
                                       qvError* error);
void qvDestroyBemHistory(qvBemHistory* history); ///< NULL is allowed

/// One step under the traction [3 nodes]; u [3 vertices], acceleration [6] (a, then alpha, about the centroid; 0 when
/// inertial; may be NULL).
void qvBemHistory_Step(qvBemHistory* history, const double* traction, double* u, double* acceleration);

/// D_k and Q_k from H_k alone, since H(s) does not resist rigid motions but for their inertia: rows [last + 1][rows][6]
/// = -dt^2 sum_{j<=k} (k - j + 1) H_j [rigid motions].
void qvBemBodyRows(const qvBemSurface* surface, const qvBemMatrices* matrices, double dt, double* rows);

/// Rows B of the bordered system, [6][3 vertices]: the centroid's shift and the turn of a displacement.
void qvBemRigidRows(const qvBemSurface* surface, double* rows);
