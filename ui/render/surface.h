// SPDX-License-Identifier: GPL-3.0-or-later
/// A mesh on the graphics card. Its normals follow the positions: smooth, but broken at hard edges, which are taken
/// once from the file's normals, or from the angle between triangles where the file has none; where its format says
/// that triangles without normals are flat, they are.
#pragma once

#include "quaver/mesh.h"
#include "ui/render/shadow.h"
#include "ui/render/sieve.h"
#include "ui/render/texture.h"

#include <stdbool.h>
#include <stdint.h>

/// Where vertices are split for drawing. A corner is 3 * triangle + k; a drawn vertex is a mesh vertex with one of its
/// normals and one of its places in the texture; a group is a set of corners around a point that share a normal.
typedef struct qvuiSplit
{
    int drawnCount;
    int groupCount;
    int32_t* vertex;  ///< mesh vertex of each drawn one
    int32_t* group;   ///< group of each drawn vertex
    int32_t* first;   ///< first corner of each drawn vertex
    uint32_t* corner; ///< drawn vertex of each corner
    int edgeCount;
    uint32_t* edge; ///< two drawn vertices per edge of the mesh
    bool solid;     ///< every part is closed and faces outwards: insides are not seen
} qvuiSplit;

QV_CHECKED qvResult qvuiSplit_Init(qvuiSplit* split, const qvMesh* mesh, qvError* error);
void qvuiSplit_Free(qvuiSplit* split);

typedef struct qvuiSurface qvuiSurface;

/// Finds what is to be drawn of a mesh at rest. The mesh may go afterwards. On any thread.
QV_CHECKED qvResult qvuiPrepareSurface(const qvMesh* mesh, qvuiSurface** surface, qvError* error);

/// Brings a prepared surface to the graphics card; before that nothing else can be done with it but to destroy it.
/// Needs a current OpenGL context.
void qvuiSurface_Upload(qvuiSurface* surface);

/// Both at once.
QV_CHECKED qvResult qvuiCreateSurface(const qvMesh* mesh, qvuiSurface** surface, qvError* error);
void qvuiDestroySurface(qvuiSurface* surface); ///< NULL is allowed

/// Another mesh of the same body: its materials show the pictures of the other surface's, which must go after it.
QV_CHECKED qvResult qvuiSurface_CreateLike(const qvuiSurface* other, const qvMesh* mesh, qvuiSurface** surface,
                                           qvError* error);

/// Moves the mesh's vertices (as many as the mesh has) and recomputes normals and bounds.
void qvuiSurface_SetPositions(qvuiSurface* surface, const qvVec3f* vertices);

/// Colours the surface by a value of 0 to 1 per point of the mesh (pointCount entries); NULL: its own colours again.
void qvuiSurface_SetHeat(qvuiSurface* surface, const float* values);
bool qvuiSurface_HasHeat(const qvuiSurface* surface);

/// Reads the base colour textures of the mesh that the surface was made from; those that are files of their own are
/// looked up in folder. Parts whose picture cannot be read keep their plain colour.
QV_CHECKED qvResult qvuiSurface_LoadTextures(qvuiSurface* surface, const qvMesh* mesh, const char* folder,
                                             const qvJob* job, qvError* error);

/// Puts a texture onto the parts that use that one of the mesh. name is the surface's then.
void qvuiSurface_SetTexture(qvuiSurface* surface, const qvMesh* mesh, int texture, unsigned int name);

/// More of a texture can be seen.
void qvuiSurface_TouchTextures(qvuiSurface* surface);

/// What it is made of: how many triangles, whether they show pictures, and whether they have an inside that cannot be
/// seen.
int qvuiSurface_TriangleCount(const qvuiSurface* surface);
bool qvuiSurface_HasTextures(const qvuiSurface* surface);
bool qvuiSurface_IsSolid(const qvuiSurface* surface);

/// Bounds of what is drawn.
qvBox qvuiSurface_Bounds(const qvuiSurface* surface);

/// Bounds of the shape that the surface was made from: what stays while the body moves.
qvBox qvuiSurface_RestBounds(const qvuiSurface* surface);

/// Grows with every change of shape; caches compare it.
unsigned int qvuiSurface_Revision(const qvuiSurface* surface);

/// Its shadow, see qvuiShadow_Compute.
const uint16_t* qvuiSurface_Shadow(const qvuiSurface* surface, qvuiShadow* shadow, const qvuiShadowPlace* place);

/// Draw calls; the program is in use and its uniforms are set. Attributes: 0 position, 1 normal, 2 colour, 3 place in
/// the texture, 4 heat. DrawParts binds each part's texture (white where there is none) to unit 0;
/// with a sieve it leaves out what cannot be seen.
void qvuiSurface_DrawParts(const qvuiSurface* surface, qvuiSieve* sieve, const qvuiSieveView* view);
void qvuiSurface_DrawEdges(const qvuiSurface* surface);

/// As points at its vertices, with each part's texture: attribute 5 is a radius, as large as the triangles around are,
/// so that discs of it leave no holes.
void qvuiSurface_DrawSplats(const qvuiSurface* surface);

/// The surface once more at other positions, without normals and colours: a ghost. It shares the surface's triangles
/// and must go before it.
typedef struct qvuiGhost qvuiGhost;

QV_CHECKED qvResult qvuiCreateGhost(const qvuiSurface* surface, qvuiGhost** ghost, qvError* error);
void qvuiDestroyGhost(qvuiGhost* ghost); ///< NULL is allowed

/// vertices as for qvuiSurface_SetPositions.
void qvuiGhost_SetPositions(qvuiGhost* ghost, const qvVec3f* vertices);
void qvuiGhost_DrawTriangles(const qvuiGhost* ghost);
qvBox qvuiGhost_Bounds(const qvuiGhost* ghost);

bool qvuiGhost_IsSolid(const qvuiGhost* ghost); ///< of a closed body

/// Grows with every change of shape; caches compare it, and the ghost itself.
uint64_t qvuiGhost_Revision(const qvuiGhost* ghost);
