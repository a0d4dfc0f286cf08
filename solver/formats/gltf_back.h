// SPDX-License-Identifier: GPL-3.0-or-later
// A glTF document on its way back to a file: a copy of what was read, with what was edited replaced.
#pragma once

#include "formats/gltf_builder.h"
#include "formats/gltf_edit.h"

/// A node and the pieces of its mesh.
typedef struct qvGltfRun
{
    int node, mesh;
    int firstPiece, pieceCount;
    bool changed;
    int target;   ///< the mesh that it gets in the new document, -1 while unknown
    int previous; ///< the last changed run with the same mesh, -1 for none
} qvGltfRun;

typedef struct qvGltfBack
{
    const qvGltf* gltf;
    qvGltfBuilder builder;
    qvGltfEdits edits;
    size_t* bufferStarts; ///< where the file's buffers are in the new one
    int runCount;
    qvGltfRun* runs;
    int* users;    ///< per mesh: nodes that keep it as it is
    bool* taken;   ///< per mesh: edited in place
    int* latest;   ///< per mesh: the last run that was edited, -1 for none
    int meshCount; ///< in the new document
    /// Of the new document, as far as they were in the file.
    qvJson **meshItems, **nodeItems, **accessorItems;
    int* references; ///< per accessor
    qvGltfAccessor* accessors;
} qvGltfBack;

/// Copies the document of a model and replaces what differs from positions. Free it in any case.
QV_CHECKED qvResult qvGltfBack_Start(qvGltfBack* back, const qvModel* model, const qvVec3f* positions, qvError* error);
void qvGltfBack_Free(qvGltfBack* back);
