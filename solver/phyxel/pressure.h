// SPDX-License-Identifier: GPL-3.0-or-later
// Pressure of smoothed particles for phyxels that flow (the paper, section 4.2; M. Desbrun, M.-P. Cani, "Smoothed
// particles", 1996), at their current positions. Repulsion only: tension would make clumps.
//
//     rho_i = m_i 15 / (pi h_i^3) + sum_j m_j W(r_ij, h_ij),   p_i = max(0, k (rho_i - rest_i))
//     f_i = -sum_j m_i m_j (p_i / rho_i^2 + p_j / rho_j^2) grad W(r_ij, h_ij),   h_ij = (h_i + h_j) / 2
#pragma once

#include "phyxel/neighbours.h"

typedef struct qvPressure
{
    const qvNearLists* lists; ///< all pairs that are near enough; there may be more
    const qvVec3* points;
    const double* masses;
    const double* radii; ///< h of each phyxel; NULL: radius for all
    double radius;
    const double* restDensities; ///< NULL: restDensity for all
    double restDensity;
    double stiffness;           ///< k
    double *densities, *shares; ///< results of the first pass: rho_i, p_i / rho_i^2
    double* slopes;             ///< the same, of each pair of the lists: -W'(r) / r, 0 where it is too far
} qvPressure;

/// First for all phyxels the densities, then the forces.
void qvPressure_Densities(const qvPressure* pressure, int begin, int end);
qvVec3 qvPressure_Force(const qvPressure* pressure, int i);
