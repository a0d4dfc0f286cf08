// SPDX-License-Identifier: GPL-3.0-or-later
// Contact with Coulomb friction on a compliance: projected Gauss-Seidel, speeded up by conjugate gradients.
//
// R. Sugimoto, C. Batty, T. Hachisuka, "Surface-Only Dynamic Deformables using a Boundary Element Method" (2022),
// section 3.4, on positions: with gaps and slips r = free + A f,
//     normal   f_n >= 0, r_n >= 0, f_n r_n = 0
//     tangent  f_t = the projection of f_t - r_t/a on the disk of radius mu f_n, a the larger of both diagonals
//
// A is a sum of small matrices, one for each group of contacts that feel each other: those on one body.
#pragma once

#include <stdint.h>

typedef struct qvContactGroup
{
    int count;               ///< of its contacts; three rows each: normal, tangent, tangent
    const int32_t* contacts; ///< which these are
    const double* a;         ///< [3 count][3 count], symmetric
} qvContactGroup;

/// Where a contact stands in a group.
typedef struct qvContactPlace
{
    int32_t group, at;
} qvContactPlace;

typedef struct qvContactProblem
{
    int count, groupCount;
    const qvContactGroup* groups;
    const int32_t* firstPlace;    ///< [count + 1]: places of each contact
    const qvContactPlace* places; ///< in groups that together make A positive definite
    const double* free;           ///< [3 count]: gaps and slips without forces
    const double* friction;       ///< [count]
    double tolerance;             ///< of positions: a round that moves none by more is the last
    int maxIterations;
} qvContactProblem;

typedef struct qvContactReport
{
    int iterations;
    double residual; ///< the largest move of the last round, in units of positions
} qvContactReport;

/// work [6 count] is scratch; force [3 count] holds the guess before; r [3 count] receives the gaps and slips.
qvContactReport qvSolveContact(const qvContactProblem* problem, double* work, double* force, double* r);
