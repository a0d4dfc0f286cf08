// SPDX-License-Identifier: GPL-3.0-or-later
// Modes of a body from its surface alone: interior mass and stiffness from how the surface answers loads.
//
// The map C(lambda) from surface loads to displacements, lambda = s^2, is the resolvent of the body. From its values
// and slopes at two real shifts follow the Galerkin mass and stiffness on the (interior) answers themselves, in the
// manner of Loewner (A. J. Mayo, A. C. Antoulas, "A framework for the solution of the generalized realization problem",
// 2007):
//     c_a = sym(f^T U_a), c_a' = sym(f^T dU_a/dlambda)
//     M_ab = -(c_a - c_b)/(l_a - l_b), K_ab = (l_a c_a - l_b c_b)/(l_a - l_b), M_aa = -c_a', K_aa = c_a + l_a c_a'
// The two shifts may be a complex number and its conjugate, among the frequencies that are looked for: answers at real
// shifts hardly tell modes apart whose loads are alike (the sphere's lowest dipole
// mode comes out 4.5 % too high where a complex shift makes it 1.5 %). The answers are then taken as their real and
// imaginary parts, so that all matrices stay real. More than two shifts, or directions far below the largest, only add
// noise.
#pragma once

#include "quaver/result.h"

#include <complex.h>
#include <stdbool.h>

/// All matrices are column-major with a column per load.
typedef struct qvLoewnerData
{
    int rows, loads;
    double complex lambda[2]; ///< the shifts s^2: two real ones, or a complex one and its conjugate
    double metric;            ///< above 0: directions are weighed by K + metric M
    const double* force;      ///< [rows x loads]: nodal forces of the loads, without resultant
    const double* u[2];       ///< [rows x loads]: answers; of a complex shift their real and imaginary parts
    const double* slope[2];   ///< [rows x loads]: dU/dlambda, alike
    double cut;               ///< directions below this share of the largest are dropped: 1e-3
    bool scaled;              ///< to a unit diagonal first
} qvLoewnerData;

/// Ascending frequencies omega [2 loads] and, unless NULL, modes [rows x 2 loads] of unit mass: phi^T f is the modal
/// force of nodal forces f. *count of them were found.
QV_CHECKED qvResult qvLoewnerModes(const qvLoewnerData* data, int* count, double* omega, double* modes, qvError* error);
