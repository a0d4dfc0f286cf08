// SPDX-License-Identifier: GPL-3.0-or-later
// What a qvBody holds beyond its public part.
#pragma once

#include "quaver/take.h"

#include <stdatomic.h>

#define QV_DEFAULT_RADIUS 0.15 // of brushes and waves where none is given, over the diagonal

typedef struct qvLoadedBody
{
    qvBody body; // first: a qvBody* is one of these
    atomic_int owners;
    uint64_t source; // qvHashBodySource before it was read
    double* masses;  // [pointCount] areas at rest
    double longest;  // edge of the rest shape
    qvModel* model;  // owns the mesh of a file
    qvMesh* mesh;    // of a primitive
    qvTopology* topology;
    qvVec3f* points; // rest
} qvLoadedBody;

/// A hash of what qvLoadBody would read: of a file its path, size and time of change.
uint64_t qvHashBodySource(const qvSceneMesh* mesh, const char* folder);
