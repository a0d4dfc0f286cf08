// SPDX-License-Identifier: GPL-3.0-or-later
/// Who is next to whom on a mesh's points: edges, one-rings, boundary, connected parts. And what only needs that:
/// normals, lumped masses, distance along the surface.
#pragma once

#include "quaver/job.h"
#include "quaver/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An undirected edge. Triangle 0 runs point[0] -> point[1], triangle 1 the other way round where the winding
/// agrees. Edges with three or more triangles appear once with two of them (the first triangle, and the first that
/// runs the other way round) and once more per further triangle, each of those as a boundary edge.
typedef struct qvEdge
{
    int32_t point[2];
    int32_t triangle[2]; ///< triangle[1] is -1 on the boundary
    int32_t opposite[2]; ///< the third point of each triangle; opposite[1] is -1 on the boundary
} qvEdge;

/// Read-only once made. Rows of a list i are [start[i], start[i + 1]).
typedef struct qvTopology
{
    int pointCount;
    int triangleCount;
    const qvTriangle* triangles; ///< the mesh's pointTriangles (not owned)

    int edgeCount;
    qvEdge* edges;          ///< ordered by lower, then higher point
    int32_t* triangleEdges; ///< 3 per triangle: the edge from corner k to the next one

    int32_t* neighborStart; ///< pointCount + 1 entries
    int32_t* neighbors;     ///< points joined by an edge, ascending
    int32_t* fanStart;      ///< pointCount + 1 entries
    int32_t* fan;           ///< triangles at each point, ascending
    uint8_t* fanCorner;     ///< which of its corners (0 to 2) the point is, for each triangle of the fan

    /// The neighbours of each point in the order in which its triangles go round it: two consecutive entries a, b
    /// with a point p stand for a triangle p, a, b. A closed fan ends with the entry it began with; where a point
    /// has several fans, an entry p itself stands between two of them (an edge of length 0).
    int32_t* ringStart; ///< pointCount + 1 entries
    int32_t* ring;

    uint8_t* onBoundary; ///< per point: 1 when it lies on an edge whose triangle[1] is -1

    int partCount;
    int32_t* pointPart;    ///< connected part of each point, numbered by their lowest point
    int32_t* trianglePart; ///< connected part of each triangle
} qvTopology;

/// The mesh must outlive the topology.
QV_CHECKED qvResult qvCreateTopology(const qvMesh* mesh, qvTopology** topology, qvError* error);
void qvDestroyTopology(qvTopology* topology);

typedef enum qvNormalWeight
{
    qv_weightByArea,
    qv_weightByAngle,
} qvNormalWeight;

/// Scratch for qvComputeNormals in bytes, so that a frame allocates nothing: 4 floats a point, and by angle
/// 8 floats a triangle.
size_t qvNormalScratchSize(const qvTopology* topology, qvNormalWeight weight);

/// Unit normals of the points; a point whose triangles have no area gets (0, 0, 1). scratch holds
/// qvNormalScratchSize() bytes. The same bits for any pool.
void qvComputeNormals(const qvTopology* topology, const qvVec3f* points, qvNormalWeight weight, void* scratch,
                      qvPool* pool, qvVec3f* normals);

/// Lumped masses of unit area density: a third of the area of every triangle at the point.
void qvComputeMasses(const qvTopology* topology, const qvVec3f* points, double* masses);

/// Signed volume of all parts together, positive when they are closed and face outwards. Open parts count as if
/// closed by a cone from the first point.
double qvComputeVolume(const qvTopology* topology, const qvVec3f* points);

/// Distance along the surface from the nearest source, never shorter than the geodesic and at most about 3 %
/// longer (shortest paths over edges, and straight across strips of up to four triangles). Points farther than
/// maxDistance (at least 0, INFINITY for no limit), and other parts, get INFINITY. distances has pointCount
/// entries. The job, which may be NULL, is asked on the way.
QV_CHECKED qvResult qvComputeDistances(const qvTopology* topology, const qvVec3f* points, const int32_t* sources,
                                       int sourceCount, double maxDistance, const qvJob* job, float* distances,
                                       qvError* error);

#ifdef __cplusplus
}
#endif
