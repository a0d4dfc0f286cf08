// SPDX-License-Identifier: GPL-3.0-or-later
// The shape in which a body has set: what was drawn of it at that moment, with all that moulds have pressed into it
// beyond what phyxels can show, is carried by the phyxels from then on. The paper (section 5.2.3) keeps surface
// elements that have touched something as they are when it solidifies; here it is the whole surface, so that a body
// which has torn keeps the topology in which it sets.
#pragma once

#include "quaver/mesh.h"

#include "phyxel/body.h"
#include "phyxel/surface.h"

typedef struct qvSetShape qvSetShape;

/// Phyxels and the body's points when it set; torn: the mesh that was drawn instead of the body's own, or NULL. It is
/// the shape's from now on, even when this fails.
QV_CHECKED qvResult qvCreateSetShape(const qvPhyxelBody* body, const qvVec3* phyxels, int pointCount,
                                     const qvVec3* points, qvMesh* torn, qvSetShape** shape, qvError* error);
void qvDestroySetShape(qvSetShape* shape); ///< NULL is allowed

/// Columns of the deformation since then. Drops of few phyxels, whose deformation is not known, are only moved.
void qvSetShape_Gradients(const qvSetShape* shape, const double (*positions)[4], double (*columns)[3][4]);

/// What carries the body's points.
const qvPhyxelSurface* qvSetShape_Points(const qvSetShape* shape);

/// The torn mesh, NULL: the body's own, and what carries its vertices.
const qvMesh* qvSetShape_Mesh(const qvSetShape* shape);
const qvPhyxelSurface* qvSetShape_Vertices(const qvSetShape* shape);

/// A mesh like the torn one with its vertices elsewhere, which the caller destroys.
QV_CHECKED qvResult qvSetShape_MoveMesh(const qvSetShape* shape, const qvVec3f* vertices, qvMesh** mesh,
                                        qvError* error);
