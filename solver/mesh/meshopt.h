// SPDX-License-Identifier: GPL-3.0-or-later
// libmeshoptimizer: its simplifier (M. Garland, P. Heckbert, "Surface simplification using quadric error metrics",
// 1997) and its codec of vertices and indices (A. Kapoulkine, EXT_meshopt_compression, Khronos Group, 2020).
#pragma once

#include "quaver/mesh.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Collapses edges until about targetCount triangles are left: those of the result, which keep points of their own and
/// the way in which they hang together. It stops before where that would change. simplified has triangleCount entries.
/// Returns how many it has; -1 when memory runs out.
int qvSimplify(const qvVec3* points, int pointCount, const qvTriangle* triangles, int triangleCount, int targetCount,
               qvTriangle* simplified);

/// The same of a mesh that may be open and have loose parts: boundaries stay boundaries, and the points that `kept`
/// marks (NULL: none) stay. It also stops where it would leave the surface by more than `error` of the size. simplified
/// has triangleCount entries and one more for every point that is kept.
int qvSimplifyAround(const qvVec3* points, int pointCount, const qvTriangle* triangles, int triangleCount,
                     const bool* kept, int targetCount, double error, qvTriangle* simplified);

/// Puts triangles into an order in which each shares vertices with those just before it (count indices, below
/// vertexCount). The two arrays are not the same.
void qvOrderTriangles(const uint32_t* indices, size_t count, size_t vertexCount, uint32_t* ordered);

/// What a compressed run of bytes is.
typedef enum qvPackMode
{
    qv_packAttributes, ///< items of stride bytes, a multiple of 4 up to 256
    qv_packTriangles,  ///< indices of 2 or 4 bytes, three a triangle, which may be turned but not flipped
    qv_packIndices,    ///< any indices of 2 or 4 bytes
} qvPackMode;

/// What is done to attributes after they are unpacked.
typedef enum qvPackFilter
{
    qv_packPlain,
    qv_packOctahedral,  ///< unit vectors of 8 or 16 bits, stride 4 or 8
    qv_packQuaternion,  ///< unit quaternions of 16 bits, stride 8
    qv_packExponential, ///< floats as an exponent of 8 bits and a mantissa of 24
} qvPackFilter;

typedef struct qvPacking
{
    qvPackMode mode;
    qvPackFilter filter;
    size_t count, stride; ///< items, and bytes of each
} qvPacking;

/// Whether mode, filter, count and stride go together.
bool qvPacking_IsValid(const qvPacking* packing);

/// The version of the codec that packed these bytes; -1 where they are no such bytes.
int qvPacking_Version(const qvPacking* packing, const uint8_t* bytes, size_t size);

/// Whether libmeshoptimizer reads that version.
bool qvPacking_CanUnpack(const qvPacking* packing, int version);

/// Unpacks count * stride bytes; false where the bytes are damaged or too few. Indices may be any.
bool qvPacking_Unpack(const qvPacking* packing, const uint8_t* bytes, size_t size, void* unpacked);

/// The most bytes that packing takes.
size_t qvPacking_Bound(const qvPacking* packing);

/// Packs count * stride bytes so that exactly they come out again (triangles may come turned). room is that of Bound.
/// A filter other than plain wants what it makes bytes of, as qvFilterFloats gives it. Returns the size, 0 on failure.
size_t qvPacking_Pack(const qvPacking* packing, const void* bytes, uint8_t* packed, size_t room);

/// The filter's form of floats: all with one exponent. False where that would change one of them.
bool qvFilterFloats(const float* values, size_t count, uint32_t* filtered);
