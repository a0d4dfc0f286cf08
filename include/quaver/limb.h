// SPDX-License-Identifier: GPL-3.0-or-later
/// Limbs of a body, found from its shape: where the one under a place begins. The bend brush turns it there.
///
///     qvLimb limb;
///     if (qvFindLimb(topology, points, touched, 0.0, &limb, &error) == qv_ok && limb.found)
///         stroke.at = limb.tip, stroke.joint = limb.joint, stroke.radius = limb.spread;
#pragma once

#include "quaver/topology.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qvLimb
{
    bool found;    ///< it begins somewhere, or there is a ring at the distance asked for; else the rest is not set
    qvVec3 joint;  ///< in the middle of the limb
    qvVec3 tip;    ///< the place moved into the middle of the limb there
    double spread; ///< to each side of the joint: > 0
} qvLimb;

/// Grows from the point nearest to `at` along the surface to where the cross-section widens, or, with distance > 0, to
/// that distance. points has topology->pointCount entries. Takes about as long as qvComputeDistances.
QV_CHECKED qvResult qvFindLimb(const qvTopology* topology, const qvVec3f* points, qvVec3 at, double distance,
                               qvLimb* limb, qvError* error);

#ifdef __cplusplus
}
#endif
