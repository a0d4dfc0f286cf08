// SPDX-License-Identifier: GPL-3.0-or-later
// A cloud of phyxels with a support radius each, as the paper writes it (sections 3.2 to 3.5, appendices A and B), in
// plain loops. It is what the engine's kernels are checked against, what `quaver eval` answers with, and where the
// stiffness matrix comes from; the engine (engine.h) steps with its own gathered form.
//
// x_i, h_i, m_i, rho_i, v_i  points, radii, masses, density, volume (equations 9, 10)
// w_ij                       weight: W(|x_j - x_i|, h_i), j a neighbour of i when |x_j - x_i| < h_i
// A_i                        moment sum w x_ij x_ij^T (equation 14); inverse: A_i^-1
// J_i                        gradient: I + sum (u_j - u_i) (A_i^-1 w x_ij)^T (equation 15)
//
// To the paper's energies a penalty of the MLS fit error (its equation 13) is added, without which clouds have modes of
// no energy: U_i += c_i/2 sum_j w_ij |e_ij|^2, e_ij = y_j - y_i - J_i x_ij, c_i = alpha E v_i / max(tr A_i, h_i^2/9
// sum_j w_ij). Its gradient takes J_i as fixed, because J_i minimises it.
#pragma once

#include "phyxel/material.h"
#include "phyxel/neighbours.h"

typedef struct qvCloud
{
    int count;
    const qvVec3* points; // the caller's, as are the next two
    const double* radii;
    const double* masses;
    qvNearLists near;
    double* weight; ///< of each pair, as near.index
    double *density, *volume;
    double* fitShare; ///< c_i / (alpha E)
    qvMat3* inverse;
} qvCloud;

/// volumes (may be NULL) are used in place of m_i / rho_i. qv_badInput: a phyxel whose neighbours do not span space,
/// by its number. Free in either case.
QV_CHECKED qvResult qvCloud_Init(qvCloud* cloud, int count, const qvVec3* points, const double* radii,
                                 const double* masses, const double* volumes, qvError* error);
void qvCloud_Free(qvCloud* cloud);

/// gradients[i][a][b] = d field_a / d x_b by MLS; exact for affine fields.
void qvCloud_Gradients(const qvCloud* cloud, const qvVec3* field, qvMat3* gradients);

/// J of displacements: I + their gradients.
void qvCloud_Deformation(const qvCloud* cloud, const qvVec3* u, qvMat3* gradients);

/// Energy, and force on every phyxel (may be NULL), from displacements and their J. flowed as in material.h, one per
/// phyxel, or NULL.
double qvCloud_Forces(const qvCloud* cloud, const qvPhyxelMaterial* material, const qvMat3* flowed, const qvVec3* u,
                      const qvMat3* gradients, qvVec3* forces);

/// change = (d force / d u) du at the displacements whose J is given. gradientsOfDu is room for count matrices.
void qvCloud_StiffnessTimes(const qvCloud* cloud, const qvPhyxelMaterial* material, const qvMat3* flowed,
                            const qvMat3* gradients, const qvVec3* du, qvMat3* gradientsOfDu, qvVec3* change);

/// The velocity filter: what of the velocities is not affine in a neighbourhood fades at that rate, in pairs that keep
/// both momenta (the angular one exactly while the reference is the current shape). gradients receives those of the
/// velocities before.
void qvCloud_FilterVelocities(const qvCloud* cloud, double rate, double dt, const qvVec3* v, qvMat3* gradients,
                              qvVec3* filtered);
