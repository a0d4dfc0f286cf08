// SPDX-License-Identifier: GPL-3.0-or-later
// Takes points along with a coarse mesh: what is solved on some hundred vertices moves a body of any number of points.
//
// A point p hangs on the vertices i around its foot on the coarse mesh, with weights w_i that fade out smoothly:
//     p -> A p + t + sum_i w_i (r_i + G_i (p - Y_i))
// A, t is the affine map that fits the motion Y_i -> y_i best, r_i = y_i - A Y_i - t what it leaves at a vertex, and
// G_i its gradient there: along the surface from the vertices around, across it so that normals stay normal. Rigid and
// affine motions are therefore exact. What a pose has beyond that is kept in the local frames A + sum_i w_i G_i, so
// that a motion can start exactly from it. Lengths are any, coarse and fine may be exchanged.
#pragma once

#include "quaver/job.h"
#include "quaver/mat3.h"
#include "quaver/mesh.h"

/// Arrays belong to the caller and are needed only while the carrier is made.
typedef struct qvCarrierDef
{
    int vertexCount;
    const qvVec3* vertices; ///< of the coarse mesh
    int triangleCount;
    const qvTriangle* triangles; ///< every vertex belongs to one
    int pointCount;
    const qvVec3* points; ///< that are taken along
    const int32_t* near;  ///< [pointCount] a vertex near every point, on a triangle around which it hangs; NULL: all
                          ///< triangles are looked at, which suits some hundred vertices
} qvCarrierDef;

/// Read-only once made.
typedef struct qvCarrier qvCarrier;

/// qv_badInput when the vertices lie on a line.
QV_CHECKED qvResult qvCreateCarrier(const qvCarrierDef* def, const qvJob* job, qvCarrier** carrier, qvError* error);
void qvDestroyCarrier(qvCarrier* carrier); ///< NULL is allowed

/// Bytes that the calls below need, aligned for doubles.
size_t qvCarrier_ScratchSize(const qvCarrier* carrier);

/// Where the points are when the vertices are at `vertices`. rests (may be NULL) is what a pose has beyond, in local
/// frames. The same bits for any pool.
void qvCarrier_Carry(const qvCarrier* carrier, const qvVec3* vertices, const qvVec3* rests, void* scratch, qvPool* pool,
                     qvVec3* points);

/// What a pose of the points has beyond what the vertices carry: with these rests qvCarrier_Carry gives the pose.
void qvCarrier_FindRests(const qvCarrier* carrier, const qvVec3* vertices, const qvVec3* pose, void* scratch,
                         qvPool* pool, qvVec3* rests);

/// The vertex that a point hangs on most.
int qvCarrier_MainVertex(const qvCarrier* carrier, int point);

// --- Many points ----------------------------------------------------------------------------------------------------

/// What the vertices do at one moment.
typedef struct qvCarrierMoment
{
    const qvCarrier* carrier;
    const qvVec3* vertices;
    qvMat3 affine; ///< A
    qvVec3 middle; ///< where that of the vertices goes
    double scale;  ///< of lengths
    qvVec3* left;  ///< r of each vertex
    qvMat3* gradients;
} qvCarrierMoment;

/// The moment keeps pointers to the vertices and into the scratch.
void qvCarrier_Prepare(const qvCarrier* carrier, const qvVec3* vertices, void* scratch, qvPool* pool,
                       qvCarrierMoment* moment);

/// Where a point is without rests, and its local frame.
qvVec3 qvCarrierMoment_Place(const qvCarrierMoment* moment, int point, qvMat3* frame);

enum
{
    qv_carrierTerms = 4
};

/// What points have beyond, as a sum of fields.
typedef struct qvCarrierRests
{
    int count;
    float shares[qv_carrierTerms];
    const qvVec3f* fields[qv_carrierTerms]; ///< [pointCount] each
} qvCarrierRests;

size_t qvCarrier_FloatScratchSize(const qvCarrier* carrier); ///< bytes, aligned for doubles

/// The points in float, to some 1e-7 of the size: for frames of many points. The same bits for any pool.
void qvCarrierMoment_Points(const qvCarrierMoment* moment, const qvCarrierRests* rests, void* scratch, qvPool* pool,
                            qvVec3f* points);
