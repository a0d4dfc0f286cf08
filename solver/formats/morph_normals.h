// SPDX-License-Identifier: GPL-3.0-or-later
// Normals of morph targets: those that, weighted like the targets' positions, come closest to the normals of the
// deformed frames.
#pragma once

#include "formats/morph_space.h"
#include "quaver/mesh.h"
#include "quaver/topology.h"

/// Places that have one normal: corners at one point that the file smooths together.
typedef struct qvNormalGroups
{
    int count;
    int32_t* ofCorner; ///< [3 triangleCount]
    int32_t* vertex;   ///< [count] of the mesh, at that place
    qvTopology* topology;
} qvNormalGroups;

/// The mesh must have normals.
QV_CHECKED qvResult qvCreateNormalGroups(const qvMesh* mesh, qvNormalGroups* groups, qvError* error);
void qvNormalGroups_Free(qvNormalGroups* groups);

/// Least squares: out [targetCount][3 groups->count] such that, in every frame, rest normal + sum of weights times out
/// is as close as possible to the frame's normal. frames are displacements of the mesh's rest positions, weights
/// [frameCount][targetCount].
QV_CHECKED qvResult qvFitMorphNormals(const qvNormalGroups* groups, const qvMesh* mesh, const qvMorphFrames* frames,
                                      const float* weights, int targetCount, const qvJob* job, float* out,
                                      qvError* error);

/// The same with one target per frame: out [targetCount][3 groups->count] of the first targetCount frames.
QV_CHECKED qvResult qvFindMorphNormals(const qvNormalGroups* groups, const qvMesh* mesh, const qvMorphFrames* frames,
                                       int targetCount, const qvJob* job, float* out, qvError* error);

/// Unit normals of the groups in the first frameCount frames, [frameCount][3 groups->count].
QV_CHECKED qvResult qvFindFrameNormals(const qvNormalGroups* groups, const qvMesh* mesh, const qvMorphFrames* frames,
                                       int frameCount, const qvJob* job, float* out, qvError* error);
