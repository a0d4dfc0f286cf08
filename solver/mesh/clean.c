// SPDX-License-Identifier: GPL-3.0-or-later
// Removes triangles that have no area and triangles that repeat another one, seen from the welded places. Which way
// round a repeated triangle runs does not matter: of the two sides of a card, the first stays.
//
// Repeated triangles share their edges, so that the sorted edges, which are needed anyway, show whether there are any.
// Only then are they looked for one by one.
#include "mesh/build.h"

#include "base/memory.h"

#include <stdlib.h>

enum
{
    // Triangles at one edge that are compared with each other.
    MAX_COMPARED = 8
};

typedef struct Slot
{
    uint32_t tag;     // upper half of the hash
    int32_t triangle; // + 1, 0 when empty
} Slot;

static qvTriangle GetPlaces(const qvMeshBuild* build, int t)
{
    const int32_t *corners = build->corners[t].v, *vertices = build->def->corners, *places = build->places;
    return (qvTriangle){ { places[vertices[corners[0]]], places[vertices[corners[1]]], places[vertices[corners[2]]] } };
}

// Edges as doubles are exact or nearly so; the bound is the rounding of the cross product.
static bool HasNoArea(const qvVec3f* positions, qvTriangle t)
{
    if (t.v[0] == t.v[1] || t.v[1] == t.v[2] || t.v[2] == t.v[0])
        return true;
    qvVec3 origin = qvVec3_FromFloat(positions[t.v[0]]);
    qvVec3 a = qvSub(qvVec3_FromFloat(positions[t.v[1]]), origin);
    qvVec3 b = qvSub(qvVec3_FromFloat(positions[t.v[2]]), origin);
    qvVec3 n = qvCross(a, b);
    return qvDot(n, n) <= 1e-30 * qvDot(a, a) * qvDot(b, b);
}

static qvTriangle Sorted(qvTriangle t)
{
    int32_t a = t.v[0], b = t.v[1], c = t.v[2];
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    int32_t first = low < c ? low : c, last = high > c ? high : c;
    return (qvTriangle){ { first, a ^ b ^ c ^ first ^ last, last } };
}

static uint64_t HashTriangle(qvTriangle t)
{
    uint64_t hash = ((uint64_t)(uint32_t)t.v[0] << 32 | (uint32_t)t.v[1]) * 0x9e3779b97f4a7c15u + (uint32_t)t.v[2];
    hash = (hash ^ (hash >> 32)) * 0xd6e8feb86659fd93u;
    hash = (hash ^ (hash >> 32)) * 0xd6e8feb86659fd93u;
    return hash ^ (hash >> 32);
}

// Whether triangle t repeats an earlier one; if not, it is remembered.
static bool IsRepeated(const qvMeshBuild* build, Slot* slots, size_t mask, int t)
{
    qvTriangle sorted = Sorted(GetPlaces(build, t));
    uint64_t hash = HashTriangle(sorted);
    uint32_t tag = (uint32_t)(hash >> 32);
    for (size_t i = hash & mask;; i = (i + 1) & mask)
    {
        if (slots[i].triangle == 0)
        {
            slots[i] = (Slot){ tag, t + 1 };
            return false;
        }
        if (slots[i].tag != tag)
            continue;
        qvTriangle other = Sorted(GetPlaces(build, slots[i].triangle - 1));
        if (other.v[0] == sorted.v[0] && other.v[1] == sorted.v[1] && other.v[2] == sorted.v[2])
            return true;
    }
}

static void KeepTriangle(qvMeshBuild* build, int t, int kept)
{
    build->corners[kept] = build->corners[t];
    build->faces[kept] = build->faces[t];
}

static void RemoveDegenerate(qvMeshBuild* build)
{
    int kept = 0;
    for (int t = 0; t < build->triangleCount; t++)
    {
        if (HasNoArea(build->def->positions, GetPlaces(build, t)))
            qvMeshBuild_Note(build, qv_healthDegenerate, build->faces[t]);
        else
            KeepTriangle(build, t, kept++);
    }
    build->triangleCount = kept;
}

static qvResult RemoveRepeated(qvMeshBuild* build, qvError* error)
{
    size_t capacity = 16;
    while (capacity < 2 * (size_t)build->triangleCount)
        capacity *= 2;
    Slot* slots = qvAllocate(capacity, sizeof(*slots));
    if (slots == NULL)
        return qvError_OutOfMemory(error, 8.0 * (double)capacity);
    int kept = 0;
    for (int t = 0; t < build->triangleCount; t++)
    {
        KeepTriangle(build, t, kept);
        if (IsRepeated(build, slots, capacity - 1, kept))
            qvMeshBuild_Note(build, qv_healthDuplicate, build->faces[t]);
        else
            kept++;
    }
    build->triangleCount = kept;
    free(slots);
    return qv_ok;
}

// Vertices that lost their last triangle leave their place, which may then begin with another vertex.
static qvResult LeaveUnusedPlaces(qvMeshBuild* build, qvError* error)
{
    int count = build->def->vertexCount;
    int32_t* first = qvAllocateRaw((size_t)count, sizeof(*first)); // of each old place
    uint8_t* isUsed = qvAllocate((size_t)count, 1);
    if (first == NULL || isUsed == NULL)
    {
        free(first);
        free(isUsed);
        return qvError_OutOfMemory(error, 5.0 * count);
    }
    for (int t = 0; t < build->triangleCount; t++)
    {
        for (int k = 0; k < 3; k++)
            isUsed[build->def->corners[build->corners[t].v[k]]] = 1;
    }
    for (int v = count - 1; v >= 0; v--)
    {
        if (isUsed[v])
            first[build->places[v]] = v;
    }
    for (int v = 0; v < count; v++)
        build->places[v] = isUsed[v] ? first[build->places[v]] : -1;
    free(first);
    free(isUsed);
    return qv_ok;
}

// Whether some edge has two triangles with the same third point, or so many that it is not worth while to look.
static bool MayHaveRepeated(const qvMeshBuild* build)
{
    const qvEdgeTable* table = &build->edges;
    const qvTriangle* triangles = build->mesh->pointTriangles;
    for (int low = 0; low < build->mesh->pointCount; low++)
    {
        int rowEnd = table->start[low + 1];
        for (int begin = table->start[low], end; begin < rowEnd; begin = end)
        {
            end = qvEdgeTable_RunEnd(table, begin, rowEnd);
            if (end - begin > MAX_COMPARED)
                return true;
            for (int i = begin + 1; i < end; i++)
            {
                int opposite = qvHalfEdge_Opposite(triangles, qvEdgeKey_HalfEdge(table->keys[i]));
                for (int j = begin; j < i; j++)
                {
                    if (qvHalfEdge_Opposite(triangles, qvEdgeKey_HalfEdge(table->keys[j])) == opposite)
                        return true;
                }
            }
        }
    }
    return false;
}

// Numbers the points, sorts the edges and removes repeated triangles, if any.
static qvResult SortEdgesAndCompare(qvMeshBuild* build, qvError* error)
{
    qvResult result = qvMeshBuild_NumberPoints(build, error);
    if (result != qv_ok)
        return result;
    qvDestroyEdgeTable(&build->edges);
    result = qvCreateEdgeTable(build->mesh->pointTriangles, build->triangleCount, build->mesh->pointCount,
                               &build->edges, error);
    if (result != qv_ok || !MayHaveRepeated(build))
        return result;
    return RemoveRepeated(build, error);
}

qvResult qvMeshBuild_Clean(qvMeshBuild* build, qvError* error)
{
    for (;;)
    {
        int before = build->triangleCount;
        RemoveDegenerate(build);
        if (build->triangleCount == 0)
            return qvError_Set(error, qv_badInput, "no triangle is left: all %d triangles of %d faces have no area",
                               build->report.items[qv_healthDegenerate].count, build->def->faceCount);
        qvResult result = build->triangleCount < before ? LeaveUnusedPlaces(build, error) : qv_ok;
        int compared = build->triangleCount;
        if (result == qv_ok)
            result = SortEdgesAndCompare(build, error);
        if (result == qv_ok && build->triangleCount < compared)
            result = LeaveUnusedPlaces(build, error);
        if (result != qv_ok)
            return result;
        // With a tolerance, a place that begins with another vertex has moved, and may have flattened a triangle.
        bool isMoved = build->triangleCount < before && build->def->weldTolerance > 0.0;
        if (build->triangleCount == compared && !isMoved)
            return qv_ok;
    }
}
