// SPDX-License-Identifier: GPL-3.0-or-later
// From a field on a grid of nodes to the mesh of its zero set. Private to flow_surface.c and flow_mesh.c.
#pragma once

#include "body/distance_grid.h"
#include "phyxel/flow_surface.h"

/// phi at the nodes of a grid, positive at all nodes of its six sides, and what lies next to each node of the mesh from
/// which the looks are taken.
typedef struct qvFlowField
{
    const qvDistanceGrid* grid;
    const int32_t* nearest; ///< triangle of each node
    const qvMesh* mesh;
    const qvVec3f* points;      ///< where the mesh's points are
    const int32_t* charts;      ///< of each triangle of the mesh: the piece of its texture that it lies in
    const bool* torn;           ///< of each triangle of the mesh: it spans what has come apart
    double reach;               ///< how far apart at rest one new triangle may find its looks
    const qvFlowLimits* limits; ///< NULL: none
} qvFlowField;

QV_CHECKED qvResult qvFlowField_Mesh(const qvFlowField* field, qvPool* pool, qvMesh** mesh, qvError* error);
