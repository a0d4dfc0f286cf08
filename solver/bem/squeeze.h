// SPDX-License-Identifier: GPL-3.0-or-later
// Compression of the matrices of a surface: what is far apart looks smooth, and little is left of it in a wavelet
// basis.
//
// R. Sugimoto, C. Batty, T. Hachisuka, "Surface-Only Dynamic Deformables using a Boundary Element Method" (2022),
// section 3.3: vertices in an order in which neighbours stay together, each coordinate on its own, a Haar transform of
// rows and columns, of which the largest entries are kept. Here the order is that of a kd-tree, halved along its
// longest side, and the Haar basis is that of the same tree, so that any number of vertices does without padding:
//     node of n = l + r vertices   s = (sqrt(l) s_l + sqrt(r) s_r)/sqrt(n), d = (sqrt(r) s_l - sqrt(l) s_r)/sqrt(n)
#pragma once

#include "quaver/math.h"
#include "quaver/result.h"

#include <stdint.h>

typedef struct qvSqueezeBasis
{
    int count;      ///< vertices
    int32_t* order; ///< of them: along the tree's leaves
} qvSqueezeBasis;

QV_CHECKED qvResult qvMakeSqueezeBasis(const qvVec3* vertices, int count, qvSqueezeBasis* basis, qvError* error);
void qvFreeSqueezeBasis(qvSqueezeBasis* basis);

/// A vector [3 count], three coordinates a vertex, in the basis, and back; they may not overlap.
void qvSqueezeBasis_Forward(const qvSqueezeBasis* basis, const double* vector, double* out);
void qvSqueezeBasis_Backward(const qvSqueezeBasis* basis, double* vector, double* out); ///< destroys vector

/// A square matrix of which few entries are left in the basis.
typedef struct qvSqueezed
{
    int size; ///< 3 count
    int32_t* rowStart;
    uint16_t* columns;
    float* values;
    double error; ///< of the matrix, relative (Frobenius)
} qvSqueezed;

/// Keeps one of ratio entries of a matrix by rows.
QV_CHECKED qvResult qvMakeSqueezed(const qvSqueezeBasis* basis, const double* matrix, double ratio,
                                   qvSqueezed* squeezed, qvError* error);
void qvFreeSqueezed(qvSqueezed* squeezed);
double qvSqueezed_Bytes(const qvSqueezed* squeezed);

/// A row times a vector, both in the basis.
double qvSqueezed_Row(const qvSqueezed* squeezed, int row, const double* vector);
