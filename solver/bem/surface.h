// SPDX-License-Identifier: GPL-3.0-or-later
// The closed surface of a body: what boundary elements need to know of it.
//
// Displacements live on its vertices, tractions on nodes: one per vertex and smooth patch round it, so that a traction
// may jump over a sharp edge without doubling displacements.
#pragma once

#include "quaver/mat3.h"
#include "quaver/mesh.h"

typedef struct qvBemSurface
{
    int vertexCount, triangleCount, nodeCount;
    qvVec3* vertices;
    qvTriangle* triangles;
    qvVec3* normals;     ///< per triangle, outward
    double* areas;       ///< per triangle
    double* longest;     ///< longest edge per triangle
    int32_t* cornerNode; ///< 3 per triangle: the traction node of each corner
    int32_t* nodeVertex; ///< per node
    double* vertexArea;  ///< a third of the areas round each vertex: a force f is the traction f / area
    int32_t* fanStart;   ///< vertexCount + 1 entries
    int32_t* fan;        ///< triangles round each vertex, counterclockwise seen from outside
    double sharpAngle;   ///< it was made with
    double diameter;     ///< no two vertices are farther apart
    double volume;
    qvVec3 centroid;
    qvMat3 inertia; ///< about the centroid, for a density of 1
} qvBemSurface;

/// Makes a surface from triangles that are closed, manifold, in one piece and turned outwards; anything else is
/// qv_badInput with a message that says what is wrong. Edges sharper than sharpAngle (radians between normals) separate
/// patches; above pi there is one traction node per vertex.
QV_CHECKED qvResult qvCreateBemSurface(const qvVec3* vertices, int vertexCount, const qvTriangle* triangles,
                                       int triangleCount, double sharpAngle, qvBemSurface** surface, qvError* error);
void qvDestroyBemSurface(qvBemSurface* surface); ///< NULL is allowed

/// Volume, centroid and inertia about it (density 1) of closed triangles, by integrals over the surface
/// (B. Mirtich, "Fast and accurate computation of polyhedral mass properties", 1996).
void qvBemMassProperties(const qvVec3* vertices, const qvTriangle* triangles, int triangleCount, double* volume,
                         qvVec3* centroid, qvMat3* inertia);

/// The interior solid angle of a vertex.
double qvBemSolidAngle(const qvBemSurface* surface, int vertex);

/// The free term c of the boundary integral equation at a corner with the unit edges t_f, of which f and f + 1 bound
/// the face with outward normal n_f:
///     c_ij = angle/(4 pi) kron_ij - 1/(8 pi (1 - nu)) sum_f tan(theta_f/2) (t_f + t_{f+1})_i (n_f)_j
qvMat3 qvBemFreeTerm(int count, const qvVec3* edges, const qvVec3* normals, double solidAngle, double poisson);

/// The same at a vertex.
qvMat3 qvBemVertexFreeTerm(const qvBemSurface* surface, int vertex, double poisson);

/// One of the six rigid motions about the centroid (three translations, then three rotations) at a place.
qvVec3 qvBemRigid(const qvBemSurface* surface, int motion, qvVec3 place);
