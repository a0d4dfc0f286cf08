// SPDX-License-Identifier: GPL-3.0-or-later
// The terms of Discrete Shells for single edges, triangles and hinges: values and exact derivatives.
//
// E. Grinspun, A. Hirani, M. Desbrun, P. Schroeder, "Discrete Shells", 2003.
//
// Hessians are lists of 3 x 3 blocks: first the diagonal ones, then those below the diagonal, column by column:
// triangles (0,0) (1,1) (2,2) (1,0) (2,0) (2,1); hinges (0,0) (1,1) (2,2) (3,3) (1,0) (2,0) (3,0) (2,1) (3,1) (3,2).
#pragma once

#include "quaver/math.h"

#include <stdbool.h>

typedef struct qvBlock
{
    double m[3][3];
} qvBlock;

enum
{
    qv_triangleBlocks = 6,
    qv_hingeBlocks = 10,
};

/// E = k (1 - l / rest)^2 rest of an edge x0 x1. gradient is that of x1 (x0 has its negative); block that of (0,0) and
/// (1,1) ((1,0) has its negative). An edge that has shrunk to nothing has no direction: its derivatives are 0.
/// gradient and block may be NULL.
double qvEdgeTerm(qvVec3 x0, qvVec3 x1, double rest, double k, qvVec3* gradient, qvBlock* block);

/// Half the Hessian's first part: block of an edge at rest.
void qvEdgeAtRest(qvVec3 x0, qvVec3 x1, double rest, double k, qvBlock* block);

/// E = k (1 - A / rest)^2 rest of a triangle. A triangle without area has no plane: its derivatives are 0. gradient[3]
/// and blocks[qv_triangleBlocks] may be NULL.
double qvAreaTerm(const qvVec3 x[3], double rest, double k, qvVec3* gradient, qvBlock* blocks);
void qvAreaAtRest(const qvVec3 x[3], double rest, double k, qvBlock* blocks);

double qvTriangleArea(const qvVec3 x[3]);

/// Angle of the hinge at edge x0 x1 between triangles (x0, x1, x2) and (x1, x0, x3): 0 when flat, in (-pi, pi]. False
/// when a triangle has no area to speak of; then the angle and its derivatives mean nothing and are 0. gradient[4] and
/// blocks[qv_hingeBlocks] may be NULL.
bool qvHingeAngle(const qvVec3 x[4], double* angle, qvVec3* gradient, qvBlock* blocks);

/// 3 |e|^2 / (A1 + A2), the stiffness of a hinge of that shape.
double qvHingeCoefficient(const qvVec3 x[4]);

/// E = k (angle - rest)^2 where the difference is taken the short way around the circle, so that a hinge folded shut at
/// rest does not jump. k includes qvHingeCoefficient. gradient[4] and blocks[qv_hingeBlocks] may be NULL.
double qvHingeTerm(const qvVec3 x[4], double rest, double k, qvVec3* gradient, qvBlock* blocks);
void qvHingeAtRest(const qvVec3 x[4], double k, qvBlock* blocks);

/// Saint Venant-Kirchhoff membrane of one triangle, plane stress: energy, gradient[3] and blocks[qv_triangleBlocks].
/// False when the rest triangle has no area.
bool qvStvkTerm(const qvVec3 x[3], const qvVec3 rest[3], double young, double poisson, double thickness, double* energy,
                qvVec3* gradient, qvBlock* blocks);
