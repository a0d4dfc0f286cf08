// SPDX-License-Identifier: GPL-3.0-or-later
// Inner loops of the warp, compiled once per CPU level.
#pragma once

#include "motion/expand.h"
#include "motion/warp.h"

#include <stdint.h>

enum
{
    qv_warpStride = 16 ///< floats of an affine map: four columns of three and a zero
};

/// What points of one part need, in float and in the mesh's units. One float after the end of every array is read.
typedef struct qvWarpBlock
{
    int count;            // of points
    const int32_t* links; // [4 count]
    const float* weights; // [4 count]
    const float* affines; // [qv_warpStride per node]
    int termCount;
    const float* terms[2];   // [qv_warpStride per node]
    const float* shape[2];   // [3 count] z of the shapes about which the terms vibrate
    const float* inverse[2]; // [9 count] by columns
    const float* fields[2];  // [3 count] displacements of the linear vibration of each term
    const float* z;          // [3 count] blended between the shapes
    const float* shares;     // [count] of the mass
    double* sum;             // [3] shares times positions are added
    float* points;           // [3 count] positions
} qvWarpBlock;

typedef void qvWarpBlockFcn(const qvWarpBlock* block);
qvWarpBlockFcn qvWarpBlock_Portable, qvWarpBlock_Avx2, qvWarpBlock_Avx512;

typedef void qvWarpAddFcn(double share, const double* from, int count, double* to); // to += share from
qvWarpAddFcn qvWarpAdd_Portable, qvWarpAdd_Avx2, qvWarpAdd_Avx512;

/// x[axis][i] = sum over j of a[j * qv_warpTile + i] b[3 j + axis], for j below size.
typedef void qvWarpSolveFcn(const float* a, int size, const double* b, double x[3][qv_warpTile]);
qvWarpSolveFcn qvWarpSolve_Portable, qvWarpSolve_Avx2, qvWarpSolve_Avx512;

/// Rotations exp(w) exp(psi), and vectors that they turn.
typedef struct qvWarpTurns
{
    double w[3][qv_warpTile], psi[3][qv_warpTile];
    double v[3][qv_warpTile]; // turned in place
    double q[4][qv_warpTile]; // quaternions, up to their signs
} qvWarpTurns;

typedef void qvWarpTurnFcn(qvWarpTurns* turns);
qvWarpTurnFcn qvWarpTurn_Portable, qvWarpTurn_Avx2, qvWarpTurn_Avx512;

/// The best versions on this machine.
typedef struct qvWarpKernel
{
    qvWarpBlockFcn* block;
    qvWarpAddFcn* add;
    qvWarpSolveFcn* solve;
    qvWarpTurnFcn* turn;
} qvWarpKernel;

qvWarpKernel qvGetWarpKernel(void);
