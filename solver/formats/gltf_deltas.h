// SPDX-License-Identifier: GPL-3.0-or-later
// Accessors of morph targets: floats or small integers (KHR_mesh_quantization, Khronos Group, 2020), all vertices or
// only those that differ from zero.
#pragma once

#include "formats/gltf_builder.h"

/// Positions are offset + scale times integers in [0, 1]; displacements are scale times integers in [-1, 1]. A node
/// with this place and scale brings them back.
typedef struct qvGltfGrid
{
    double scale; ///< 0: floats
    qvVec3f offset;
} qvGltfGrid;

/// The nearest value that a coding can hold, as a reader decodes it.
float qvGltfDelta_Round(const qvGltfDeltaCoding* coding, float value);

/// The nearest place on a grid, as a reader decodes it.
qvVec3f qvGltfGrid_Round(const qvGltfGrid* grid, qvVec3f position);

/// An accessor of three numbers a vertex. Returns its index. The values must stay until the document is written.
int qvGltfBuilder_AddDeltas(qvGltfBuilder* builder, const float* values, int count, const qvGltfDeltaCoding* coding);

/// An accessor of vertices' values as normalized integers of a type: from -1 to 1 for those with a sign, else from 0.
int qvGltfBuilder_AddFractions(qvGltfBuilder* builder, const float* values, int components, int count, int type);

/// An accessor of positions on a grid, three numbers each.
int qvGltfBuilder_AddGridPositions(qvGltfBuilder* builder, const float* positions, int count, const qvGltfGrid* grid);
