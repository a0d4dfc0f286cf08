// SPDX-License-Identifier: GPL-3.0-or-later
// Half-edges sorted by the points they join, and what hangs together over points. Half-edge 3 t + k runs from corner k
// of triangle t to the next corner.
#pragma once

#include "quaver/mesh.h"

typedef struct qvEdgeTable
{
    int32_t* start; ///< pointCount + 1 entries: rows of keys by the lower point of the edge
    uint64_t* keys; ///< higher point << 32 | half-edge, ascending in each row
} qvEdgeTable;

/// Takes time n log n whatever the valences.
QV_CHECKED qvResult qvCreateEdgeTable(const qvTriangle* triangles, int triangleCount, int pointCount,
                                      qvEdgeTable* table, qvError* error);
void qvDestroyEdgeTable(qvEdgeTable* table);

static inline int qvEdgeKey_Point(uint64_t key)
{
    return (int)(key >> 32);
}

static inline int qvEdgeKey_HalfEdge(uint64_t key)
{
    return (int)(key & 0xffffffffu);
}

static inline int qvHalfEdge_From(const qvTriangle* triangles, int halfEdge)
{
    return triangles[halfEdge / 3].v[halfEdge % 3];
}

static inline int qvHalfEdge_To(const qvTriangle* triangles, int halfEdge)
{
    return triangles[halfEdge / 3].v[(halfEdge + 1) % 3];
}

static inline int qvHalfEdge_Opposite(const qvTriangle* triangles, int halfEdge)
{
    return triangles[halfEdge / 3].v[(halfEdge % 3 + 2) % 3];
}

/// The end of the run of keys that join the same two points, starting at begin in a row that ends at rowEnd.
static inline int qvEdgeTable_RunEnd(const qvEdgeTable* table, int begin, int rowEnd)
{
    int end = begin + 1;
    while (end < rowEnd && qvEdgeKey_Point(table->keys[end]) == qvEdgeKey_Point(table->keys[begin]))
        end++;
    return end;
}

/// Numbers the connected parts by their lowest point, writes the part of each point and returns how many there are.
int qvFindParts(const qvTriangle* triangles, int triangleCount, int pointCount, int32_t* pointPart);
