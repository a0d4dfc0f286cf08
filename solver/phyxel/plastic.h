// SPDX-License-Identifier: GPL-3.0-or-later
// What stays of a deformation.
//
// The paper's strain state (section 4.1): J. F. O'Brien, A. W. Bargteil, J. K. Hodgins, "Graphical modeling and
// animation of ductile fracture", 2002, and a creep. Additive, for moderate strain and a fixed reference; kept for
// reference.
//
// The metric G that the engine uses: b = J G J^T is the elastic left Cauchy-Green tensor; its deviator relaxes at the
// rate `creep` above `yield`, its determinant stays. Objective in closed cycles and under rotation, where the paper's
// section 4.2 is not.
#pragma once

#include "math/mat3.h"

#include <stdbool.h>

/// eps_p after a step in which the total strain J^T J - I is given.
qvMat3 qvPlastic_OBrien(const qvMat3* strain, const qvMat3* plastic, double yield, double largest);
qvMat3 qvPlastic_Creep(const qvMat3* strain, const qvMat3* plastic, double yield, double creep, double largest,
                       double dt);

/// The share of a deviator that relaxes within a step: 1 - exp(-dt creep).
double qvPlastic_Relaxed(double creep, double dt);

/// One step of the metric flow; b is J G J^T. N = |dev b|_F / det(b)^(1/3) is sqrt(6) times the true strain of a
/// uniaxial isochoric stretch. Returns how much of that strain flows; 0, and nothing changed, where nothing yields.
double qvPlastic_FlowTensor(qvMat3* b, double yield, double relaxed);

/// The same of the metric: G <- J^-1 b J^-T. Nothing changes where det J <= 0.05: a phyxel that is nearly inverted has
/// no meaningful b.
double qvPlastic_FlowMetric(const qvMat3* gradient, qvMat3* metric, double yield, double relaxed);

typedef enum qvRereference
{
    qv_rereferencePaper,   ///< eps_p <- eps_p - eps (section 4.2)
    qv_rereferenceRotated, ///< eps_p <- R (eps_p - eps) R^T, R the rotation of J
    qv_rereferenceMetric   ///< G <- J G J^T
} qvRereference;

/// What flowed, when the deformed shape becomes the reference.
qvMat3 qvPlastic_Rereference(qvRereference way, const qvMat3* gradient, const qvMat3* flowed);
