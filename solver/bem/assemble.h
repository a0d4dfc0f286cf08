// SPDX-License-Identifier: GPL-3.0-or-later
// Assembly of the boundary element matrices by collocation at the vertices: H u = G p.
//
// R. Sugimoto, C. Batty, T. Hachisuka, "Surface-Only Dynamic Deformables using a Boundary Element Method" (2022), eqs.
// 8 and 9, with linear elements. Differences: the static part is integrated apart from the bounded rest, its diagonal
// follows from the rigid motions, which it must not resist, and D and Q follow from H (qvBemBodyRows).
#pragma once

#include "bem/quadrature.h"
#include "bem/surface.h"
#include "bem/table.h"

typedef struct qvBemMatrices
{
    int rows;     ///< 3 vertices
    int columns;  ///< 3 traction nodes
    int channels; ///< of the table
    double* h;    ///< [channel][rows][rows]
    double* g;    ///< [channel][rows][columns]
} qvBemMatrices;

/// Assembles all channels of the table for a shear modulus of 1 (G goes like its inverse). On all threads of the job,
/// with the same bits for any number of them.
QV_CHECKED qvResult qvAssembleBem(const qvBemSurface* surface, const qvBemTable* table,
                                  const qvBemQuadrature* quadrature, const qvJob* job, qvBemMatrices** matrices,
                                  qvError* error);
void qvDestroyBemMatrices(qvBemMatrices* matrices); ///< NULL is allowed

/// The static matrices alone: h [rows][rows], g [rows][columns].
QV_CHECKED qvResult qvAssembleBemStatic(const qvBemSurface* surface, double kappa, const qvBemQuadrature* quadrature,
                                        const qvJob* job, double* h, double* g, qvError* error);
