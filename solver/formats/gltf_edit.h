// SPDX-License-Identifier: GPL-3.0-or-later
// What changed in a mesh since it was read from glTF, in the terms of the file.
#pragma once

#include "formats/gltf.h"

/// Mesh-space values of a part of the rig that moved.
typedef struct qvGltfPartEdit
{
    qvVec3f* positions;                                    ///< NULL: nothing moved
    qvVec3f* normals;                                      ///< NULL: nothing moved, or the file has none
    float* tangents;                                       ///< 4 per vertex; NULL: as above
    int targetCount;                                       ///< of targetNormals
    qvVec3f** targetNormals;                               ///< of the morph targets, NULL for those that have none
    int positionAccessor, normalAccessor, tangentAccessor; ///< where the writer put them, -1 at first
    int* targetAccessors;                                  ///< the same for targetNormals
} qvGltfPartEdit;

typedef struct qvGltfEdits
{
    const qvGltf* gltf;
    const qvRig* rig;
    const qvMesh* mesh;
    qvArena* arena;
    qvGltfPartEdit* parts;
    const qvJson** primitives; ///< per piece: its primitive in the document that was read
    bool* retriangulated;      ///< per piece: repairs changed its triangles
} qvGltfEdits;

/// Normals, tangents and normals of morph targets of the parts that moved (gltf_shading.c).
QV_CHECKED qvResult qvGltfEdits_FindShading(qvGltfEdits* edits, const qvRigState* rest, const qvVec3f* positions,
                                            qvError* error);

/// Compares positions with those that were read, and the triangles with those of the file.
QV_CHECKED qvResult qvGltf_FindEdits(const qvModel* model, const qvVec3f* positions, qvGltfEdits* edits,
                                     qvError* error);
void qvGltfEdits_Free(qvGltfEdits* edits);

/// The triangles of a piece as the file counts its vertices; malloc'ed, NULL when memory runs out.
uint32_t* qvGltfEdits_Indices(const qvGltfEdits* edits, int piece, int* count);

/// Whether two pieces that show the same primitive want it in the same shape, up to rounding.
bool qvGltfEdits_SamePiece(const qvGltfEdits* edits, int a, int b);
