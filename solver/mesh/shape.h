// SPDX-License-Identifier: GPL-3.0-or-later
// A mesh in the making, for the built-in shapes: vertices with UVs and triangles. A seam is made by adding a vertex
// twice with the same position; the weld closes it.
#pragma once

#include "quaver/mesh.h"

typedef struct qvShapeVertex
{
    qvVec3 position;
    float u, v;
} qvShapeVertex;

/// Start with { 0 }. Running out of memory is remembered and reported by qvShape_Finish, so that builders need no
/// checks; indices stay consecutive all the same.
typedef struct qvShape
{
    qvShapeVertex* vertices;
    int vertexCount, vertexCapacity;
    qvTriangle* triangles;
    int triangleCount, triangleCapacity;
    bool outOfMemory;
} qvShape;

/// Returns the new vertex's index.
int qvShape_AddVertex(qvShape* shape, qvVec3 position, double u, double v);

/// Counter-clockwise seen from outside.
void qvShape_AddTriangle(qvShape* shape, int a, int b, int c);

/// Two triangles over the corners a, b, c, d (in counter-clockwise order), split along the shorter diagonal; a to c
/// when both are equal.
void qvShape_AddQuad(qvShape* shape, int a, int b, int c, int d);

/// A closed band between two rings of count + 1 vertices each (the last one lies on the first). The points of one ring
/// stand half a step ahead of the other's: the upper ring's when upperAhead. Faces outwards when the rings run
/// counter-clockwise seen from the upper side.
void qvShape_AddBand(qvShape* shape, int lowerRing, int upperRing, int count, bool upperAhead);

/// A disc of triangles: ring j of 0 … ringCount has 6 j points (one for j = 0), in order from the centre, starting at
/// vertex first. Faces the side from which the rings run counter-clockwise.
void qvShape_AddDisc(qvShape* shape, int first, int ringCount);

typedef enum qvShapeFit
{
    qv_fitHeight, ///< scaled to a height of exactly 2
    qv_fitWidth,  ///< scaled to a width (x) of exactly 2
} qvShapeFit;

/// Scales uniformly, puts the lowest point on y = 0, makes the mesh, and frees the shape whatever happens. The shape is
/// expected to be centred on the y axis.
QV_CHECKED qvResult qvShape_Finish(qvShape* shape, qvShapeFit fit, qvMesh** mesh, qvError* error);

typedef struct qvUnitCircle
{
    double cosine, sine;
} qvUnitCircle;

/// The angle of step / stepCount turns (any step). Exactly symmetric about both axes and the diagonals.
qvUnitCircle qvMakeUnitCircle(int step, int stepCount);
