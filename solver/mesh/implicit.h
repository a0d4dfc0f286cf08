// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes given by a function that is negative inside, turned into meshes of regular triangles that are exact mirror
// images of themselves in x.
#pragma once

#include "mesh/shape.h"

/// About the distance from the surface, negative inside, and the same for x and -x.
typedef double qvFieldFcn(const void* context, qvVec3 p);

typedef struct qvField
{
    qvFieldFcn* evaluate;
    double steepness;    ///< upper bound of the gradient's length
    qvVec3 lower, upper; ///< a box around the surface; lower.x is not used
    const void* context; ///< for evaluate
} qvField;

/// Adds the surface with triangles whose edges are about `edge` long. The front (facing +z) and the back each get a
/// chart: the left and the right half of the texture.
void qvShape_AddImplicit(qvShape* shape, const qvField* field, double edge);

static inline double qvField_Evaluate(const qvField* field, qvVec3 p)
{
    return field->evaluate(field->context, p);
}

/// Half of a symmetric surface, x >= 0; all of one that keeps two cells away from the plane.
typedef struct qvNet
{
    int pointCount, pointCapacity;
    qvVec3* points; ///< those on the mirror plane have x = 0 exactly
    int triangleCount, triangleCapacity;
    qvTriangle* triangles;
} qvNet;

/// Polygonizes the half x >= 0 of the field's zero set on a grid of cells of that size. False: out of memory.
bool qvField_MakeNet(const qvField* field, double cell, qvNet* net);

enum
{
    qv_noSharpEdges = -2
};

/// Makes the triangles regular: flips edges and moves points along the surface. Edges between triangles whose normals
/// have a smaller cosine than `sharp` stay, and so do the points on them. False: out of memory.
bool qvNet_Relax(qvNet* net, const qvField* field, double edge, double sharp);

/// Flips edges to Delaunay where no edge is sharp, and moves no point. The net is not half of anything. False: out of
/// memory.
bool qvNet_Flip(const qvNet* net, double sharp);

/// For each corner, the corner opposite across the edge that faces it (3 triangle + corner), or -1 where an
/// edge does not have exactly two triangles, one in each direction. NULL: out of memory. The caller frees it.
int32_t* qvMakeOpposites(const qvTriangle* triangles, int triangleCount);

/// Gradient by differences over a tetrahedron of that size.
qvVec3 qvField_Gradient(const qvField* field, qvVec3 p, double size);
