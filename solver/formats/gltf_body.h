// SPDX-License-Identifier: GPL-3.0-or-later
// The sets of vertices in a document that get morph targets: one in a new document, one per part of the rig in an
// imported one. Displacements of the mesh's vertices in the world become displacements of their vertices in mesh space.
#pragma once

#include "formats/gltf_back.h"
#include "formats/gltf_fresh.h"
#include "formats/morph_normals.h"
#include "formats/morph_targets.h"

typedef struct qvGltfBody
{
    int vertexCount;
    int32_t* source;    ///< [vertexCount] vertex of the mesh
    int32_t* group;     ///< [vertexCount] of the normals, -1: no triangle; NULL: the document has no normals here
    qvVec3f* base;      ///< [vertexCount] in mesh space, as the document has them
    int node;           ///< that shows it; bodies of one node follow each other and have the same grid
    bool canQuantize;   ///< its node can carry a grid: no skin, no other targets, nothing else in its mesh
    int mapCount;       ///< 1, or one per vertex
    qvAffine* maps;     ///< linear part: from mesh space to the world, at rest
    qvAffine* inverses; ///< of them; zero where a map is singular

    qvGltfGrid grid; ///< of quantized positions
    double unit;     ///< base positions are written as multiples of it, as floats; 0: as they are
    int targetCount;
    float* shapes;     ///< [targetCount][3 vertexCount] in mesh space, as a reader decodes them
    float* normals;    ///< the same for normals; NULL: none
    bool* byteNormals; ///< [targetCount] fit into bytes
} qvGltfBody;

typedef struct qvGltfBodies
{
    int count;
    qvGltfBody* items;
} qvGltfBodies;

/// The one body of a new document. groups: NULL without normals.
QV_CHECKED qvResult qvGltfBodies_FromFresh(qvGltfBodies* bodies, const qvGltfFresh* fresh, const qvNormalGroups* groups,
                                           qvError* error);

/// A body per part of the rig of an imported document. Its meshes may lack normals.
QV_CHECKED qvResult qvGltfBodies_FromBack(qvGltfBodies* bodies, const qvGltfBack* back, const qvNormalGroups* groups,
                                          qvError* error);
void qvGltfBodies_Free(qvGltfBodies* bodies);

/// Per vertex of the mesh: the map from its mesh space to the world. NULL when memory runs out.
qvAffine* qvGltfBodies_VertexMaps(const qvGltfBodies* bodies, int vertexCount);

/// How shapes are rounded.
typedef struct qvGltfRounding
{
    double negligible; ///< scene units; shorter displacements become zero
    bool quantize;     ///< picks a grid for bodies without a skin
    double step;       ///< scene units: nothing need be finer; 0: as fine as the numbers are
} qvGltfRounding;

/// Sets all shapes.
QV_CHECKED qvResult qvGltfBodies_SetShapes(qvGltfBodies* bodies, const qvMorphTargets* targets,
                                           const qvGltfRounding* rounding, qvError* error);

/// Sets all normals from those of the groups, [targetCount][3 groups].
QV_CHECKED qvResult qvGltfBodies_SetNormals(qvGltfBodies* bodies, const qvNormalGroups* groups, const float* normals,
                                            bool quantize, qvError* error);

/// Where a vertex of the base is as it is written.
qvVec3f qvGltfBody_Base(const qvGltfBody* body, int vertex);

/// How the positions of targets of a body are written.
qvGltfDeltaCoding qvGltfBody_Coding(const qvGltfBody* body, bool sparse);

/// Largest and root mean square distance of the shown vertices from the frames.
QV_CHECKED qvResult qvGltfBodies_Measure(const qvGltfBodies* bodies, const qvMorphTargets* targets, double* largest,
                                         double* rms, qvError* error);
