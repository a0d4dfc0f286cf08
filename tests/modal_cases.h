// SPDX-License-Identifier: GPL-3.0-or-later
// Small bodies with known eigenvalues for the tests of the modal solver.
#pragma once

#include "quaver/modal.h"

typedef struct Body
{
    int size;
    qvSparsePattern* pattern;
    qvSparse matrix;
    double* mass;
    double* known; // [size] eigenvalues, ascending, or NULL
} Body;

/// Grid of width x height unit masses joined by unit springs (one number each): K is the graph Laplacian. With walls,
/// every border point also has a spring to a wall on each open side.
Body MakeSpringGrid(int width, int height, bool walls);

/// copies of a free chain of that length, joined by nothing.
Body MakeChains(int length, int copies);

void FreeBody(Body* body);

/// Adds `value` to the entry (row, column), row >= column.
void AddEntry(Body* body, int row, int column, double value);

/// Runs qvComputeModes with its own symbolic analysis and factor.
QV_CHECKED qvResult FindModes(const qvModesDef* def, const int32_t* fixed, int fixedCount, const qvJob* job,
                              qvModes** modes, qvError* error);

/// Definition for a body.
qvModesDef DefFor(const Body* body, int count, qvModesMethod method);

/// Largest entry of |vectors^T M vectors - 1|.
double MassOrthonormalError(const qvModes* modes, const double* mass);

/// Largest sine of the angle between columns of b [size x count] and the space of the mass-orthonormal columns a.
double SpaceDistance(int size, const double* mass, const double* a, int countA, const double* b, int countB);
