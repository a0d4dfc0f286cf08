// SPDX-License-Identifier: GPL-3.0-or-later
// A connected part of a body as boundary elements have it: a proxy, its reduced model, and the ways between the part's
// points and the proxy's vertices. Immutable once made; parts of the same shape share it.
#pragma once

#include "bem/system.h"
#include "body/carrier.h"
#include "body/proxy.h"
#include "quaver/store.h"

/// Arrays belong to the caller and are needed only while the shape is made.
typedef struct qvBemShapeDef
{
    int pointCount;
    const qvVec3* points; ///< where nothing is strained
    int triangleCount;
    const qvTriangle* triangles;
    int detail; ///< vertices of the proxy
    double poisson;
    const qvNumberStore* store; ///< for the model; NULL: none
    const qvProxy* proxy;       ///< of a piece of the part, as it is; NULL: one is made of the part
    double highest;             ///< faster modes of a piece have no inertia (c2 = 1); 0: all have theirs
} qvBemShapeDef;

typedef struct qvBemShape
{
    int pointCount, triangleCount;
    qvVec3* points;
    qvTriangle* triangles;
    qvProxy* proxy;
    qvBemModel* model;
    qvCarrier *out, *in; ///< from vertices to points and from points to vertices; a piece carries no points out
    double* thickness;   ///< of the body below each vertex, or a third of its size, whichever is more
    double* factor;      ///< of the normal equations of a fit, [6 + modes][6 + modes]
} qvBemShape;

QV_CHECKED qvResult qvCreateBemShape(const qvBemShapeDef* def, const qvJob* job, qvBemShape** shape, qvError* error);
void qvDestroyBemShape(qvBemShape* shape); ///< NULL is allowed

/// The lowest frequency of a body of the proxy, in units of models.
QV_CHECKED qvResult qvBemLowest(const qvProxy* proxy, const qvBemShapeDef* def, const qvJob* job, double* omega,
                                qvError* error);

/// Whether points and triangles are those of the shape, moved and turned as a whole.
bool qvBemShape_IsSame(const qvBemShape* shape, const qvBemShapeDef* def);

/// The motion that fits positions and velocities of the proxy's vertices best, with displacements of at most limit
/// thicknesses; returns how many they were before. fit->q and fit->rates have room. work has 3 vertexCount + modeCount
/// + 6 entries.
double qvBemShape_Fit(const qvBemShape* shape, const qvVec3* vertices, const qvVec3* velocities, double limit,
                      double* work, qvBemPose* fit);

/// The largest displacement of vertices, or of modal coordinates, in thicknesses of the body there.
double qvBemShape_StrainOf(const qvBemShape* shape, const qvVec3* displacements);
double qvBemShape_Strain(const qvBemShape* shape, const double* q);
