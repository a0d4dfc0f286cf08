// SPDX-License-Identifier: GPL-3.0-or-later
// What a phyxel's energy density depends on: its deformation gradient J (equation 1 of the paper) and what flowed.
//
// qv_phyxelStvk  Saint-Venant-Kirchhoff, the paper's material (equations 3 to 8) with the true Young modulus: with
//                e = (J^T J - I - eps_p) / 2, Psi = la/2 (tr e)^2 + mu e:e + kv/2 (det J - 1)^2. (The paper leaves out
//                the 1/2 in e and is four times as stiff as its E says.)
// qv_phyxelSnh   stable neo-Hookean: B. Smith, F. de Goes, T. Kim, "Stable neo-Hookean flesh simulation", 2018, with a
//                plastic metric G: J G J^T is the elastic left Cauchy-Green tensor. It recovers from inversion.
//
// young, poisson: E, nu; lambda, mu: la, mu; volume: kv.
#pragma once

#include "math/mat3.h"

typedef enum qvPhyxelLaw
{
    qv_phyxelStvk,
    qv_phyxelSnh
} qvPhyxelLaw;

typedef struct qvPhyxelMaterial
{
    qvPhyxelLaw law;
    double young; ///< positive
    double lambda, mu;
    double volume; ///< kv, stvk only; at least E lets inverted parts recover
    double fit;    ///< alpha of the fit penalty (cloud.h)
} qvPhyxelMaterial;

/// young > 0 and 0 <= poisson < 1/2 must hold.
qvPhyxelMaterial qvMakePhyxelMaterial(qvPhyxelLaw law, double young, double poisson, double volume, double fit);

/// What flowed: the plastic strain eps_p (zero at rest) of stvk, the metric G (I at rest) of snh. NULL means at rest.
double qvPhyxelMaterial_Energy(const qvPhyxelMaterial* material, const qvMat3* gradient, const qvMat3* flowed);

/// First Piola stress P = dPsi/dJ.
qvMat3 qvPhyxelMaterial_Stress(const qvPhyxelMaterial* material, const qvMat3* gradient, const qvMat3* flowed);

/// dP for a change of J.
qvMat3 qvPhyxelMaterial_StressChange(const qvPhyxelMaterial* material, const qvMat3* gradient, const qvMat3* flowed,
                                     const qvMat3* change);
