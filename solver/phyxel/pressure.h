// SPDX-License-Identifier: GPL-3.0-or-later
// Pressure of smoothed particles for phyxels that flow (the paper, section 4.2; M. Desbrun, M.-P. Cani, "Smoothed
// particles", 1996), at their current positions. Repulsion only: tension would make clumps.
#pragma once

#include "phyxel/neighbours.h"

/// rho_i = m_i 15 / (pi h_i^3) + sum_j m_j W(|x_j - x_i|, (h_i + h_j) / 2), p_i = max(0, k (rho_i - rest_i)), and the
/// forces -sum_j m_i m_j (p_i / rho_i^2 + p_j / rho_j^2) grad W. lists hold all pairs that are near enough, and may
/// hold more.
void qvPressure_Forces(const qvNearLists* lists, int count, const qvVec3* points, const double* masses,
                       const double* radii, double stiffness, const double* restDensities, double* densities,
                       double* pressures, qvVec3* forces);
