// SPDX-License-Identifier: GPL-3.0-or-later
// How what is around a point of a body has turned, from one shape of the body to another.
#pragma once

#include "quaver/math.h"
#include "quaver/topology.h"

/// The rotation that brings the edges at the point nearest to where they go; where they leave that open, the least.
qvQuat qvFindLocalTurn(const qvTopology* topology, int point, const qvVec3f* from, const qvVec3f* to);
