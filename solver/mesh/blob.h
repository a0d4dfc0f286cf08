// SPDX-License-Identifier: GPL-3.0-or-later
// Smooth unions of simple solids, for implicit shapes. Distances are negative inside.
#pragma once

#include "quaver/math.h"

/// A cone with round ends: a ball of startRadius at start, one of endRadius at end, and the cone that touches both.
/// Mirrored solids, given at x > 0, also exist at -x.
typedef struct qvBlob
{
    qvVec3 start, end;
    double startRadius, endRadius;
    double blend; ///< how far from the solids before it in the list the joint reaches
    int mirrored;
} qvBlob;

/// The union of two distances whose joint is rounded within the given reach.
double qvBlend(double a, double b, double reach);

/// About the distance from an ellipsoid.
double qvEllipsoidDistance(qvVec3 p, qvVec3 center, qvVec3 radii);

/// The union of a distance with all the blobs, one after the other.
double qvBlendBlobs(double distance, const qvBlob* blobs, int count, qvVec3 p);
