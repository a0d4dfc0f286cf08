// SPDX-License-Identifier: GPL-3.0-or-later
// The surface of a body as other bodies meet it: which point of it is nearest, and on which side? A grid of the
// distances at rest says at once what is far away; near it a tree of the triangles, fitted to where the vertices are,
// gives the foot on the surface as it is.
#pragma once

#include "bem/surface.h"

/// Immutable once made; bodies of the same surface share it.
typedef struct qvBemSkin qvBemSkin;

/// surface must outlive the skin.
QV_CHECKED qvResult qvCreateBemSkin(const qvBemSurface* surface, qvBemSkin** skin, qvError* error);
void qvDestroyBemSkin(qvBemSkin* skin); ///< NULL is allowed

typedef struct qvBemBox
{
    double lower[3], upper[3];
} qvBemBox;

/// Boxes of a fitted tree; the first holds the whole body.
int qvBemSkin_BoxCount(const qvBemSkin* skin);

/// A skin fitted to where the vertices of a body are.
typedef struct qvBemFit
{
    const qvBemSkin* skin;
    const qvVec3* vertices; ///< world
    qvBemBox* boxes;        ///< [qvBemSkin_BoxCount], of the caller
    double stretch;         ///< how far any vertex is from its place at rest
    qvVec3 place;           ///< of the centroid
    qvMat3 back;            ///< from the world to the body's axes
} qvBemFit;

/// Fills the boxes; vertices, boxes, place and back are given.
void qvBemFit_Update(qvBemFit* fit);

typedef struct qvBemFoot
{
    int triangle;
    double weights[3]; ///< of its vertices
    double distance;   ///< negative inside
    qvVec3 normal;     ///< unit, the way out
} qvBemFoot;

/// The foot of a point that is nearer than margin, or inside. False: there is none.
bool qvBemFit_Find(const qvBemFit* fit, qvVec3 point, double margin, qvBemFoot* foot);

/// The foot of a point inside on the nearest triangle within reach that faces a direction: where something that points
/// there came in. False: there is none.
bool qvBemFit_FindFacing(const qvBemFit* fit, qvVec3 point, qvVec3 outward, double reach, qvBemFoot* foot);

/// The outward normal of a vertex at rest.
qvVec3 qvBemSkin_Normal(const qvBemSkin* skin, int vertex);
