// SPDX-License-Identifier: GPL-3.0-or-later
// The tree of boxes behind ray picking, shared by building, refitting, picking and their tests.
#pragma once

#include "quaver/bvh.h"

/// Empty: lower +INFINITY, upper -INFINITY.
typedef struct qvBvhBox
{
    float lower[3], upper[3];
} qvBvhBox;

/// Nodes stand in depth-first order: the left child follows its parent, and a subtree is a run of nodes.
typedef struct qvBvhNode
{
    qvBvhBox box;
    int32_t first; ///< leaf: its first triangle; inner node: its right child
    int32_t count; ///< leaf: its number of triangles; inner node: 0
} qvBvhNode;

/// A run of nodes that one thread refits.
typedef struct qvBvhPiece
{
    int32_t begin, end;
} qvBvhPiece;

enum
{
    qv_bvhLeafSize = 4,
    qv_bvhMaxDepth = 96, ///< of any tree; the stack of a traversal
};

struct qvBvh
{
    int pointCount, triangleCount;
    qvVec3f* points;       ///< as of the last refit
    qvTriangle* triangles; ///< in the order of the leaves
    int32_t* order;        ///< the mesh's index of each of them

    int nodeCount;
    qvBvhNode* nodes;
    int pieceCount;
    qvBvhPiece* pieces;
    int topCount;
    int32_t* tops; ///< nodes above the pieces, ascending

    double extent; ///< largest absolute coordinate
};

/// Sorts the triangles into leaves and lays out the nodes; boxes are left to the refit.
QV_CHECKED qvResult qvBvh_Build(qvBvh* bvh, const qvTriangle* triangles, qvError* error);

/// The box of a triangle; empty when a coordinate is not finite, so that no ray hits it.
qvBvhBox qvBvh_TriangleBox(const qvVec3f* points, qvTriangle triangle);

/// A ray prepared for many tests. The direction is scaled by a power of two to a largest component in [1/2, 1).
typedef struct qvPickRay
{
    double origin[3], inverse[3]; ///< one over the direction
    double above[3], below[3];    ///< the origin, moved by the slack of box tests
    bool parallel[3];             ///< the direction has no component along this axis
    int axisX, axisY, axisZ;      ///< axisZ: the direction's largest component
    double shearX, shearY;        ///< direction[axisX] / direction[axisZ], …
    int exponent;                 ///< of the scale: distance along the ray = scaled distance 2^-exponent
} qvPickRay;

typedef struct qvTriangleHit
{
    double distance; ///< scaled
    double u, v;
} qvTriangleHit;

/// False for a ray that can hit nothing: a direction of zero length, or something that is not finite.
bool qvMakePickRay(qvRay ray, double extent, qvPickRay* pick);

/// Does the ray hit the triangle at a scaled distance in [0, maxDistance]? The distance always lies in the interval of
/// the triangle's box.
bool qvPickRay_HitTriangle(const qvPickRay* ray, const qvVec3f* points, qvTriangle triangle, double maxDistance,
                           qvTriangleHit* hit);
