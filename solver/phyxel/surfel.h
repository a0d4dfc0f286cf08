// SPDX-License-Identifier: GPL-3.0-or-later
// The paper's surface elements (section 5): points of the surface that phyxels carry along.
#pragma once

#include "math/mat3.h"

/// Equation 27: the mean of the phyxels' affine fields within h, weighed by a Gaussian. gradients are those of u (J -
/// I). Where no phyxel is that near the displacement is zero.
qvVec3 qvSurfel_Displacement(int count, const qvVec3* points, const qvVec3* u, const qvMat3* gradients, qvVec3 x,
                             double h);

/// Equation 29: 0 for a point whose neighbours lie around it evenly, near 1 at a boundary.
double qvBoundaryProbability(const qvVec3* points, int count);

/// Equation 29 of each phyxel, over those within h of it and itself.
void qvBoundaryProbabilities(const qvVec3* points, int count, double h, double* probabilities);

/// Equation 30 at a surfel: the mean change of P over the phyxels within its radius, times weight. *neighbourCount of
/// them; 0 where there are none.
double qvTopologyChange(const qvVec3* points, int count, const double* before, const double* after, qvVec3 x,
                        double radius, double weight, int* neighbourCount);

/// Section 5.2.2: the field's value that a surfel should have after the topology has changed by `change` in total, and
/// the share of its projection that takes it there.
void qvDetailBlend(double first, double previous, double iso, double change, double* value, double* share);

/// Section 5.2.4: how often a surfel with that many neighbours is split, and how likely it is deleted.
void qvResampleRule(int neighbours, int fewest, int most, int* splits, double* deleteProbability);

/// Section 5.2.4: surfels push each other apart within their tangent planes, all at once. normals of any length.
void qvRepelSurfels(const qvVec3* points, const qvVec3* normals, int count, double radius, double strength,
                    qvVec3* moved);
