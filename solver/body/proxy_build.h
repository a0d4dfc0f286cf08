// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of making a proxy.
#pragma once

#include "body/distance_grid.h"
#include "body/proxy.h"
#include "mesh/implicit.h"

/// The distance field of a grid, moved along x so that the net of half a surface (mesh/implicit.h) is all of it.
typedef struct qvProxyField
{
    const qvDistanceGrid* grid;
    qvVec3 shift; ///< from the grid's places to the field's
} qvProxyField;

/// Moves grid and a net's points into the field. Edges: about as long as the net's will be.
void qvProxyField_SetUp(qvProxyField* proxy, const qvDistanceGrid* grid, double edge, qvField* field);

/// The largest piece of a net as a proxy: points that no triangle uses are left out, and it faces outwards.
QV_CHECKED qvResult qvTakeProxy(const qvVec3* points, int pointCount, const qvTriangle* triangles, int triangleCount,
                                qvVec3 shift, qvProxy** proxy, qvError* error);

/// Along the zero set of the part's distance.
QV_CHECKED qvResult qvRemeshProxy(const qvProxyDef* def, const qvJob* job, qvProxy** proxy, qvError* error);

/// Sum of the areas of triangles.
double qvProxyArea(const qvVec3* points, const qvTriangle* triangles, int triangleCount);

/// Volume of closed triangles.
double qvProxyVolume(const qvVec3* points, const qvTriangle* triangles, int triangleCount);
