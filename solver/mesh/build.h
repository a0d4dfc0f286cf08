// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of qvCreateMesh, in the order in which they run. Each reads and changes one build.
#pragma once

#include "mesh/edges.h"

#include "quaver/mesh.h"

typedef struct qvMeshBuild
{
    const qvMeshDef* def;
    qvMesh* mesh; ///< what is being made
    qvMeshReport report;

    int cornerCount; ///< of the definition
    int triangleCount;
    qvTriangle* corners; ///< corners of the definition that each triangle joins
    int32_t* faces;      ///< the face of the definition that each triangle comes from, ascending
    uint8_t* flipped;    ///< 1 for a triangle whose winding was turned; made by qvMeshBuild_Orient

    qvEdgeTable edges; ///< of the mesh's pointTriangles before any was turned; made by qvMeshBuild_Clean

    int32_t* places; ///< per vertex: the first used vertex at its place; -1 when no triangle uses the vertex
} qvMeshBuild;

/// Fails for a definition that cannot be read; sets cornerCount and triangleCount (before anything is removed).
QV_CHECKED qvResult qvMeshBuild_Check(qvMeshBuild* build, qvError* error);

/// Makes corners and faces.
QV_CHECKED qvResult qvMeshBuild_Triangulate(qvMeshBuild* build, qvError* error);

/// Makes places.
QV_CHECKED qvResult qvMeshBuild_Weld(qvMeshBuild* build, qvError* error);

/// Removes triangles without area and duplicates, numbers the points that are left, and sorts their edges.
QV_CHECKED qvResult qvMeshBuild_Clean(qvMeshBuild* build, qvError* error);

/// Makes vertexPoint, pointVertex and pointTriangles of the mesh, again if need be.
QV_CHECKED qvResult qvMeshBuild_NumberPoints(qvMeshBuild* build, qvError* error);

/// Turns triangles that face against their neighbours, and looks for what is wrong with edges and parts.
QV_CHECKED qvResult qvMeshBuild_Orient(qvMeshBuild* build, qvError* error);

/// Makes normals, uvs and colors of the mesh; its triangles are final.
QV_CHECKED qvResult qvMeshBuild_CopyAttributes(qvMeshBuild* build, qvError* error);

/// Copies submeshes, materials and textures.
QV_CHECKED qvResult qvMeshBuild_CopyMaterials(qvMeshBuild* build, qvError* error);

/// Counts one more element of a kind.
void qvMeshBuild_Note(qvMeshBuild* build, qvHealthKind kind, int element);
