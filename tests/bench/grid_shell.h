// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies for measuring and testing the modal solver without a mesh file: the stiffness of a Discrete Shell that is its
// own rest shape (edges, areas and hinges; Gauss-Newton terms only, which is exact at rest) on a grid that may be
// closed.
#pragma once

#include "quaver/math.h"
#include "quaver/sparse.h"

typedef struct GridShell
{
    int vertexCount;
    qvVec3* points;
    qvSparsePattern* pattern; // 3 x 3 blocks
    qvSparse matrix;
    double* mass; // [3 vertexCount] thirds of the areas around
} GridShell;

typedef enum GridShellKind
{
    GRID_PLATE, // 10 x 10 / across * along, flat
    GRID_TUBE,  // open at both ends
    GRID_TORUS, // lumpy, closed
} GridShellKind;

typedef struct GridShellDef
{
    GridShellKind kind;
    int along, across; // vertices of the grid, at least 3 (2 where it is open)
    int copies;        // parts that nothing connects, at the same place
    double stretch, bend;
} GridShellDef;

/// Free with FreeGridShell, also after a failure (out of memory).
qvResult MakeGridShell(const GridShellDef* def, GridShell* shell, qvError* error);
void FreeGridShell(GridShell* shell);
