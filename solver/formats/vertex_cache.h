// SPDX-License-Identifier: GPL-3.0-or-later
// Vertex caches (PC2, MDD) beside the exporters of export_cache.c: their mesh, and caches put together.
#pragma once

#include "quaver/animation.h"

#include <stdio.h>

/// The mesh of a cache, to be freed: walk.pc2 gives walk.obj, or walk_mesh.obj where that is somebody else's. NULL when
/// memory runs out.
char* qvVertexCache_MeshPath(const char* path, bool* isOther);

/// Says that the mesh has the other name.
void qvVertexCache_WarnOfMesh(const char* path, qvExportReport* report);

/// A file with some of the frames.
typedef struct qvVertexCachePart
{
    const char* path;
    int frames;
} qvVertexCachePart;

/// Writes caches one after the other as the one that they are parts of. All of them are .mdd, or .pc2. Fails for one
/// that does not hold what its header says, the frames that it should, or as many vertices as the first.
QV_CHECKED qvResult qvVertexCache_Join(const qvVertexCachePart* parts, int count, bool isMdd, FILE* stream,
                                       const qvJob* job, qvError* error);
