// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies for measuring and testing the modal solver without a mesh file: the stiffness of a Discrete Shell that is its
// own rest shape (edges, areas and hinges; Gauss-Newton terms only, which is exact at rest) on a grid that may be
// closed.
#pragma once

#include "quaver/math.h"
#include "quaver/sparse.h"

typedef struct BenchShell
{
    int vertexCount;
    qvVec3* points;
    qvSparsePattern* pattern; // 3 x 3 blocks
    qvSparse matrix;
    double* mass; // [3 vertexCount] thirds of the areas around
} BenchShell;

typedef enum BenchShellKind
{
    BENCH_PLATE, // 10 x 10 / across * along, flat
    BENCH_TUBE,  // open at both ends
    BENCH_TORUS, // lumpy, closed
} BenchShellKind;

typedef struct BenchShellDef
{
    BenchShellKind kind;
    int along, across; // vertices of the grid, at least 3 (2 where it is open)
    int copies;        // parts that nothing connects, at the same place
    double stretch, bend;
} BenchShellDef;

/// Free with FreeBenchShell, also after a failure (out of memory).
qvResult MakeBenchShell(const BenchShellDef* def, BenchShell* shell, qvError* error);
void FreeBenchShell(BenchShell* shell);
