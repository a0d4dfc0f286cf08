// SPDX-License-Identifier: GPL-3.0-or-later
// Closed solids for tests and benchmarks of boundary elements.
#pragma once

#include "quaver/mesh.h"

typedef struct qvSolid
{
    int vertexCount, triangleCount;
    qvVec3* vertices;
    qvTriangle* triangles;
} qvSolid;

/// An icosahedron whose triangles were split in four `level` times and pushed out to a sphere: 12, 42, 162, 642
/// vertices. Its volume is that of a sphere of the radius. Memory that runs out leaves a solid without vertices.
qvSolid qvMakeIcosphere(int level, double radius);

/// The surface of a block of x, y and z cells, centred at the origin; round 1 blows it up to an ellipsoid.
qvSolid qvMakeBlock(int x, int y, int z, qvVec3 size, double round);

void qvFreeSolid(qvSolid* solid);
