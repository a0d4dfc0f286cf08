// SPDX-License-Identifier: GPL-3.0-or-later
// Cuts a closed mesh across its longest direction into closed pieces that share the vertices of their interfaces.
#pragma once

#include "quaver/mesh.h"

/// A closed mesh in vertices of its own.
typedef struct qvCutPiece
{
    int vertexCount, triangleCount;
    int32_t* vertices; ///< of the cut
    qvTriangle* triangles;
} qvCutPiece;

/// Read-only once made.
typedef struct qvCut
{
    int vertexCount, surfaceCount; ///< those on the surface come first, then those inside of interfaces
    qvVec3* vertices;
    int triangleCount;
    qvTriangle* triangles; ///< the surface, whose edges run along the interfaces
    int pieceCount;
    qvCutPiece* pieces; ///< in a row: each has an interface with the next
} qvCut;

/// triangles: closed, manifold, in one piece, facing outwards. Vertices near an interface are moved onto it along
/// edges. qv_badInput says why it cannot be cut: at an interface the body is in several arms, or a piece is no closed
/// body.
QV_CHECKED qvResult qvCreateCut(const qvVec3* vertices, int vertexCount, const qvTriangle* triangles, int triangleCount,
                                int pieces, qvCut** cut, qvError* error);
void qvDestroyCut(qvCut* cut); ///< NULL is allowed
