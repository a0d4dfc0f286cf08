// SPDX-License-Identifier: GPL-3.0-or-later
// J. F. Blinn, "A generalization of algebraic surface drawing", 1982, as the paper uses it (equation 28): a field
// F = sum b exp(-a r^2) whose isosurface F = S coats the phyxels. An isolated phyxel has the radius R.
// blobiness: B < 0; iso: S; a = -B / R^2; b = S exp(-B).
#pragma once

#include "quaver/math.h"

#include <stdbool.h>

typedef struct qvBlobs
{
    int count;
    const qvVec3* points;
    double iso;
    double a, b;
} qvBlobs;

qvBlobs qvMakeBlobs(const qvVec3* points, int count, double iso, double blobiness, double radius);

double qvBlobs_Field(const qvBlobs* blobs, qvVec3 x, qvVec3* gradient);

/// How far the first root of F = S is along the gradient at x (negative: against it, where F > S). False where there is
/// none within the reach of the blobs.
bool qvBlobs_Project(const qvBlobs* blobs, qvVec3 x, double* distance, qvVec3* projected);
