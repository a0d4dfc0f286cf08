// SPDX-License-Identifier: GPL-3.0-or-later
// Merging impulses that could have come from one source.
#pragma once

#include "quaver/math.h"
#include "quaver/result.h"

typedef struct qvImpulse
{
    qvVec3 at;     ///< where it acts
    qvVec3 rest;   ///< the same in rest coordinates
    qvVec3 force;  ///< momentum that it gives
    double radius; ///< regularizer
    double size;   ///< of the force
} qvImpulse;

/// The regularizer with which an impulse on a mass (of density 1) gives the mass at its centre the velocity that it
/// gives the whole mass: see merge.c.
double qvImpulseRadius(double mass);

/// Merges in place, repeatedly, until no two are near and nearly parallel; more than that while there are more than
/// max. Keeps the sum of the forces. The result does not depend on anything but the input. *count becomes what is left.
QV_CHECKED qvResult qvMergeImpulses(qvImpulse* impulses, int* count, int max, qvError* error);
