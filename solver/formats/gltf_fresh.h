// SPDX-License-Identifier: GPL-3.0-or-later
// A new glTF document for a mesh from elsewhere, in two steps: first which vertices it has, then the document itself.
#pragma once

#include "formats/gltf_builder.h"
#include "formats/gltf_deltas.h"

/// What one vertex of the document holds beside its position.
typedef struct qvGltfVertex
{
    qvVec3f normal;
    qvVec2f uv;
    qvColor color;
} qvGltfVertex;

/// The document's vertices: those of the mesh, split where the attributes of their corners differ.
typedef struct qvGltfSplit
{
    int count;
    int* source;          ///< vertex of the mesh
    qvGltfVertex* values; ///< of count entries
    int32_t* ofCorner;    ///< 3 per triangle
} qvGltfSplit;

typedef struct qvGltfFresh
{
    const qvMesh* mesh;
    const qvVec3f* positions;
    qvVec3f* normals; ///< laid out as the mesh's; NULL when it has none
    qvGltfSplit split;
    qvGltfGrid grid;
    const float* slots; ///< [2 split.count] a second set of texture coordinates, as they are written; NULL: none
    bool small;         ///< normals, texture coordinates and colours are small integers where these can hold them
    qvGltfBuilder builder;
} qvGltfFresh;

/// Gives a mesh that comes without normals smooth ones, to be freed by the caller: a flat look is no choice that a file
/// has made.
QV_CHECKED qvResult qvGltf_AddSmoothNormals(const qvMesh* mesh, qvMesh* shown, qvVec3f** smooth, qvError* error);

/// Finds the vertices. mesh and positions must outlive it. Free it in any case.
QV_CHECKED qvResult qvGltfFresh_Start(qvGltfFresh* fresh, const qvMesh* mesh, const qvVec3f* positions, qvError* error);

/// Builds the document: node 0 shows mesh 0 in scene 0. grid: where positions are quantized.
void qvGltfFresh_Build(qvGltfFresh* fresh, const char* name, const qvGltfGrid* grid);
void qvGltfFresh_Free(qvGltfFresh* fresh);

/// What that is made of, for documents with several meshes: the mesh alone, whose index is returned, materials with
/// their textures, and the asset with scene 0, which shows node 0: that node.
int qvGltfFresh_AddMesh(const qvGltfFresh* fresh, qvGltfBuilder* builder, const char* name);
void qvGltfBuilder_AddMaterials(qvGltfBuilder* builder, const qvMesh* mesh);
qvJson* qvGltfBuilder_AddScene(qvGltfBuilder* builder, const char* name);
