// SPDX-License-Identifier: GPL-3.0-or-later
#include "mesh/meshopt.h"

#include "base/assert.h"
#include "base/memory.h"

#include <limits.h>
#include <math.h>
#include <meshoptimizer.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(qvTriangle) == 3 * sizeof(unsigned int), "triangles are three indices");

int qvSimplify(const qvVec3* points, int pointCount, const qvTriangle* triangles, int triangleCount, int targetCount,
               qvTriangle* simplified)
{
    const float ANY_ERROR = 1.0f; // of the size: the number of triangles alone decides
    targetCount = targetCount < triangleCount ? targetCount : triangleCount;
    qvVec3f* places = qvAllocateRaw((size_t)pointCount, sizeof(*places));
    if (places == NULL)
        return -1;
    for (int i = 0; i < pointCount; i++)
        places[i] = qvVec3_ToFloat(qvSub(points[i], points[0]));
    size_t count = meshopt_simplify((unsigned int*)simplified, (const unsigned int*)triangles,
                                    3 * (size_t)triangleCount, &places[0].x, (size_t)pointCount, sizeof(*places),
                                    3 * (size_t)targetCount, ANY_ERROR, 0, NULL);
    free(places);
    return (int)(count / 3);
}

static int CountKept(const bool* kept, int pointCount)
{
    int count = 0;
    for (int i = 0; kept != NULL && i < pointCount; i++)
        count += kept[i];
    return count;
}

// The simplifier leaves a point with a triangle that is none where it is. Such triangles go in its first pass.
static void AddAnchors(const bool* kept, int pointCount, qvTriangle* triangles)
{
    for (int i = 0; kept != NULL && i < pointCount; i++)
    {
        if (kept[i])
            *triangles++ = (qvTriangle){ { i, i, i } };
    }
}

static int DropAnchors(qvTriangle* triangles, int count)
{
    int left = 0;
    for (int t = 0; t < count; t++)
    {
        const int32_t* v = triangles[t].v;
        if (v[0] != v[1] && v[1] != v[2] && v[2] != v[0])
            triangles[left++] = triangles[t];
    }
    return left;
}

int qvSimplifyAround(const qvVec3* points, int pointCount, const qvTriangle* triangles, int triangleCount,
                     const bool* kept, int targetCount, double error, qvTriangle* simplified)
{
    int anchors = CountKept(kept, pointCount), all = triangleCount + anchors;
    targetCount = targetCount < triangleCount ? targetCount : triangleCount;
    qvVec3f* places = qvAllocateRaw((size_t)pointCount, sizeof(*places));
    qvTriangle* anchored = qvAllocateRaw((size_t)all, sizeof(*anchored));
    size_t count = 0;
    if (places != NULL && anchored != NULL)
    {
        for (int i = 0; i < pointCount; i++)
            places[i] = qvVec3_ToFloat(qvSub(points[i], points[0]));
        memcpy(anchored, triangles, (size_t)triangleCount * sizeof(*anchored));
        AddAnchors(kept, pointCount, anchored + triangleCount);
        count = meshopt_simplify((unsigned int*)simplified, (const unsigned int*)anchored, 3 * (size_t)all,
                                 &places[0].x, (size_t)pointCount, sizeof(*places), 3 * (size_t)(targetCount + anchors),
                                 (float)error, 0, NULL);
    }
    bool done = places != NULL && anchored != NULL;
    free(places);
    free(anchored);
    return done ? DropAnchors(simplified, (int)(count / 3)) : -1;
}

void qvOrderTriangles(const uint32_t* indices, size_t count, size_t vertexCount, uint32_t* ordered)
{
    meshopt_optimizeVertexCache(ordered, indices, count, vertexCount);
}

// --- The codec -----------------------------------------------------------------------------------------------------

enum
{
    MAX_STRIDE = 256,
    VERTEX_HEADER = 0xa0, // first byte of a run, its version in the lower four bits
    TRIANGLE_HEADER = 0xe0,
    SEQUENCE_HEADER = 0xd0,
};

static bool IsIndexSize(size_t stride)
{
    return stride == 2 || stride == 4;
}

bool qvPacking_IsValid(const qvPacking* packing)
{
    size_t stride = packing->stride;
    if (packing->mode != qv_packAttributes)
        return packing->filter == qv_packPlain && IsIndexSize(stride) &&
               (packing->mode == qv_packIndices || packing->count % 3 == 0);
    if (stride == 0 || stride % 4 != 0 || stride > MAX_STRIDE)
        return false;
    return packing->filter == qv_packOctahedral   ? stride == 4 || stride == 8
           : packing->filter == qv_packQuaternion ? stride == 8
                                                  : true;
}

int qvPacking_Version(const qvPacking* packing, const uint8_t* bytes, size_t size)
{
    static const int headers[] = { VERTEX_HEADER, TRIANGLE_HEADER, SEQUENCE_HEADER };
    return size > 0 && (bytes[0] & 0xf0) == headers[packing->mode] ? bytes[0] & 0x0f : -1;
}

bool qvPacking_CanUnpack(const qvPacking* packing, int version)
{
    return version >= 0 && version <= (packing->mode == qv_packAttributes ? 0 : 1);
}

bool qvPacking_Unpack(const qvPacking* packing, const uint8_t* bytes, size_t size, void* unpacked)
{
    QV_ASSERT(qvPacking_IsValid(packing));
    size_t count = packing->count, stride = packing->stride;
    if (packing->mode == qv_packTriangles)
        return meshopt_decodeIndexBuffer(unpacked, count, stride, bytes, size) == 0;
    if (packing->mode == qv_packIndices)
        return meshopt_decodeIndexSequence(unpacked, count, stride, bytes, size) == 0;
    if (meshopt_decodeVertexBuffer(unpacked, count, stride, bytes, size) != 0)
        return false;
    if (packing->filter == qv_packOctahedral)
        meshopt_decodeFilterOct(unpacked, count, stride);
    else if (packing->filter == qv_packQuaternion)
        meshopt_decodeFilterQuat(unpacked, count, stride);
    else if (packing->filter == qv_packExponential)
        meshopt_decodeFilterExp(unpacked, count, stride);
    return true;
}

size_t qvPacking_Bound(const qvPacking* packing)
{
    if (packing->mode == qv_packTriangles)
        return meshopt_encodeIndexBufferBound(packing->count, UINT32_MAX);
    if (packing->mode == qv_packIndices)
        return meshopt_encodeIndexSequenceBound(packing->count, UINT32_MAX);
    return meshopt_encodeVertexBufferBound(packing->count, packing->stride);
}

static size_t PackIndices(const qvPacking* packing, const void* bytes, uint8_t* packed, size_t room)
{
    unsigned int* indices = qvAllocateRaw(packing->count, sizeof(*indices));
    if (indices == NULL)
        return 0;
    const uint16_t* shorts = bytes;
    const uint32_t* words = bytes;
    for (size_t i = 0; i < packing->count; i++)
        indices[i] = packing->stride == 2 ? shorts[i] : words[i];
    meshopt_encodeIndexVersion(1); // the one that the extension has
    size_t size = packing->mode == qv_packTriangles
                      ? meshopt_encodeIndexBuffer(packed, room, indices, packing->count)
                      : meshopt_encodeIndexSequence(packed, room, indices, packing->count);
    free(indices);
    return size;
}

size_t qvPacking_Pack(const qvPacking* packing, const void* bytes, uint8_t* packed, size_t room)
{
    QV_ASSERT(qvPacking_IsValid(packing));
    if (packing->mode != qv_packAttributes)
        return PackIndices(packing, bytes, packed, room);
    return meshopt_encodeVertexBuffer(packed, room, bytes, packing->count, packing->stride);
}

// The finest exponent that any of the values needs: value = mantissa 2^exponent with an odd mantissa.
static int FindExponent(const float* values, size_t count)
{
    int least = INT_MAX;
    for (size_t i = 0; i < count; i++)
    {
        int exponent;
        if (!isfinite(values[i]))
            continue; // what has no mantissa is refused later
        uint32_t mantissa = (uint32_t)fabs(ldexp(frexp((double)values[i], &exponent), 24));
        if (mantissa != 0)
            exponent += __builtin_ctz(mantissa) - 24;
        least = mantissa != 0 && exponent < least ? exponent : least;
    }
    return least < INT_MAX ? least : 0;
}

bool qvFilterFloats(const float* values, size_t count, uint32_t* filtered)
{
    const double LARGEST = 8388607.0; // of 24 bits with a sign
    int exponent = FindExponent(values, count);
    if (exponent < -100 || exponent > 100)
        return false;
    for (size_t i = 0; i < count; i++)
    {
        double mantissa = ldexp((double)values[i], -exponent);
        if (!(fabs(mantissa) <= LARGEST) || (values[i] == 0.0f && signbit(values[i])))
            return false;
        filtered[i] = (uint32_t)exponent << 24 | ((uint32_t)(int32_t)mantissa & 0xffffff);
    }
    return true;
}
