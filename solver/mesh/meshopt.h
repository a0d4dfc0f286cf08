// SPDX-License-Identifier: GPL-3.0-or-later
// libmeshoptimizer's simplifier (M. Garland, P. Heckbert, "Surface simplification using quadric error metrics", 1997).
#pragma once

#include "quaver/mesh.h"

/// Collapses edges until about targetCount triangles are left: those of the result, which keep points of their own and
/// the way in which they hang together. It stops before where that would change. simplified has triangleCount entries.
/// Returns how many it has; -1 when memory runs out.
int qvSimplify(const qvVec3* points, int pointCount, const qvTriangle* triangles, int triangleCount, int targetCount,
               qvTriangle* simplified);
