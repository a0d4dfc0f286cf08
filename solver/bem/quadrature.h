// SPDX-License-Identifier: GPL-3.0-or-later
// Rules for integrals over triangles: plain, collapsed towards a corner (M. G. Duffy 1982), and adaptive by distance.
#pragma once

enum
{
    qv_maxGauss = 40,
    qv_maxTrianglePoints = qv_maxGauss * qv_maxGauss,
};

/// Gauss-Legendre on [0, 1], count <= qv_maxGauss.
void qvGaussLegendre(int count, double* places, double* weights);

/// A rule on the reference triangle. Corner 0 has the coordinates (0, 0), corner 1 (1, 0), corner 2 (0, 1); weights sum
/// to 1, so that an integral is area times the weighted sum.
typedef struct qvTriangleRule
{
    int count;
    double x[qv_maxTrianglePoints], y[qv_maxTrianglePoints], weight[qv_maxTrianglePoints];
} qvTriangleRule;

/// Gauss points of the square, collapsed into corner 0: exact for what is singular like 1/r there.
void qvMakeDuffyRule(int gauss, qvTriangleRule* rule);

/// 3 points of degree 2, or 7 of degree 5 (Radon 1948).
void qvMakeSmallRule(int count, qvTriangleRule* rule);

/// How a surface is integrated around a point.
typedef struct qvBemQuadrature
{
    int duffy;       ///< Gauss points per direction for triangles that touch the point
    int far, middle; ///< points of the rules beyond those distances: 3, 7 or a square number of Gauss points
    double farAt;    ///< distances in longest edges
    double middleAt; ///< nearer triangles are split in four
    int depth;       ///< at most that often
} qvBemQuadrature;

qvBemQuadrature qvFastQuadrature(void);     ///< static patch error 1e-4
qvBemQuadrature qvStandardQuadrature(void); ///< 2e-6 to 2e-5
qvBemQuadrature qvFineQuadrature(void);     ///< 1e-12: for references
