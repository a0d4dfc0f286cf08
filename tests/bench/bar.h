// SPDX-License-Identifier: GPL-3.0-or-later
// A thin bar of square rings along x for tests and benchmarks of large rotations, and its length, area and girth.
// Points are 3 numbers each, in the order of the mesh's points.
#pragma once

#include "quaver/mesh.h"
#include "quaver/topology.h"

enum
{
    qv_barRings = 41,
    qv_barSides = 8, ///< points of a ring
};

static const double qv_barLength = 4.0, qv_barHalf = 0.1;

QV_CHECKED qvResult qvCreateBar(qvMesh** mesh, qvError* error);

/// Bends by an angle to an arc of the same length, and twists by an angle, over the length.
void qvBar_Bend(const double* rest, int pointCount, double bend, double twist, double* points);

/// Length of the line through the middles of the rings.
double qvBar_Length(const double* points);

double qvBar_Area(const qvTopology* topology, const double* points);

/// The girth of the ring that differs most from the rest shape's, over that.
double qvBar_Girth(const double* points);
