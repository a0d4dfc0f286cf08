// SPDX-License-Identifier: GPL-3.0-or-later
// Inner loops of the warp, compiled once per CPU level.
#pragma once

#include "motion/expand.h"

#include <stdint.h>

enum
{
    qv_warpStride = 16 ///< floats of an affine map (12, rows of 4) in a vector register's size
};

/// What a block of points needs, in float and in the mesh's units.
typedef struct qvWarpBlock
{
    int count;            // of points
    const int32_t* links; // [4 count]
    const float* weights; // [4 count]
    const float* affines; // [qv_warpStride per node]
    int termCount;
    const float* terms[2];   // [qv_warpStride per node]
    const float* shape[2];   // [3 count] z of the shapes about which the terms vibrate
    const float* inverse[2]; // [9 count]
    const float* fields[2];  // [3 count] displacements of the linear vibration of each term
    float* points;           // [3 count] z before, positions after
} qvWarpBlock;

typedef void qvWarpBlockFcn(const qvWarpBlock* block);
qvWarpBlockFcn qvWarpBlock_Portable, qvWarpBlock_Avx2, qvWarpBlock_Avx512;

/// y[i] += sum over columns c of a[c * rows + i] x[c] for i in [begin, end).
typedef void qvWarpColumnsFcn(const float* a, int rows, int columns, const double* x, int begin, int end, double* y);
qvWarpColumnsFcn qvWarpColumns_Portable, qvWarpColumns_Avx2, qvWarpColumns_Avx512;

/// x[i] += sum over j of a[j * size + i] b[3 j + axis] for i in [begin, end), axis after axis: x has 3 size numbers.
typedef void qvWarpSolveFcn(const double* a, int size, const double* b, int begin, int end, double* x);
qvWarpSolveFcn qvWarpSolve_Portable, qvWarpSolve_Avx2, qvWarpSolve_Avx512;
