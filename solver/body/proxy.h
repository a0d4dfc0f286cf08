// SPDX-License-Identifier: GPL-3.0-or-later
// A coarse closed mesh that stands for a connected part of a body: what is solved on it, a carrier (body/carrier.h)
// takes to the body's own points.
#pragma once

#include "quaver/job.h"
#include "quaver/mesh.h"

enum
{
    qv_proxyFewest = 100, ///< vertices that may be asked for
    qv_proxyMost = 2000,
    qv_proxyUsual = 500,
};

/// How a proxy was made.
typedef enum qvProxyWay
{
    qv_proxySame,       ///< the part is as coarse as that
    qv_proxySimplified, ///< vertices of the part's own, or moved along its surface
    qv_proxyRemeshed,   ///< along the zero set of the part's distance
} qvProxyWay;

/// Arrays belong to the caller and are needed only while the proxy is made.
typedef struct qvProxyDef
{
    int pointCount;
    const qvVec3* points;
    int triangleCount;
    const qvTriangle* triangles; ///< welded; one connected part
    int detail;                  ///< vertices that are wanted
} qvProxyDef;

/// Read-only once made; plain arrays. Closed, manifold, in one piece, facing outwards, without self-intersections.
typedef struct qvProxy
{
    int vertexCount, triangleCount;
    qvVec3* vertices;
    qvTriangle* triangles;
    qvProxyWay way;
} qvProxy;

/// Makes a proxy of about `detail` vertices (100 to 2000). A part that is closed, clean and no finer keeps its mesh; a
/// finer one is simplified; one that is open, winds both ways or passes through itself is remeshed: what it winds
/// around is solid, and what is a sheet gets a thickness of about one and a half edges. qv_badInput says why a part
/// has no proxy.
QV_CHECKED qvResult qvCreateProxy(const qvProxyDef* def, const qvJob* job, qvProxy** proxy, qvError* error);
void qvDestroyProxy(qvProxy* proxy); ///< NULL is allowed

/// Whether triangles are what a proxy is: every edge twice, in opposite directions, one fan at every vertex, one piece,
/// a positive volume, no triangle without area, no interior solid angle near 0 or 4 pi, no self-intersection.
/// qv_badInput says what they are not.
QV_CHECKED qvResult qvCheckProxy(const qvVec3* vertices, int vertexCount, const qvTriangle* triangles,
                                 int triangleCount, qvError* error);
