// SPDX-License-Identifier: GPL-3.0-or-later
// What must hold of meshes that are made of fields: volume, closed, 2-manifold.
#pragma once

#include "testing.h"

#include "quaver/mesh.h"

#include <stdlib.h>
#include <string.h>

static inline double VolumeOf(const qvMesh* mesh)
{
    double volume = 0.0;
    for (int t = 0; t < mesh->triangleCount; t++)
    {
        const int32_t* v = mesh->triangles[t].v;
        qvVec3 a = qvVec3_FromFloat(mesh->positions[v[0]]), b = qvVec3_FromFloat(mesh->positions[v[1]]);
        volume += qvDot(a, qvCross(b, qvVec3_FromFloat(mesh->positions[v[2]]))) / 6.0;
    }
    return volume;
}

/// From a corner of a triangle to the next one.
typedef struct DirectedEdge
{
    int32_t ends[2];
    int32_t corner;
} DirectedEdge;

static inline int CompareEdges(const void* a, const void* b)
{
    return memcmp(a, b, sizeof(int32_t[2]));
}

/// Every directed edge once, and once the other way; around each point one ring of triangles. Returns the parts by
/// Euler's formula, V - E + F = 2 for each (they are spheres).
static inline int AssertClosedManifold(const qvMesh* mesh)
{
    int count = 3 * mesh->triangleCount;
    DirectedEdge* edges = malloc((size_t)count * sizeof(*edges));
    int32_t *next = malloc((size_t)count * sizeof(*next)), *degree = calloc((size_t)mesh->pointCount, sizeof(*degree));
    int32_t* first = malloc((size_t)mesh->pointCount * sizeof(*first));
    assert_true(edges != NULL && next != NULL && degree != NULL && first != NULL);
    for (int c = 0; c < count; c++)
    {
        const int32_t* v = mesh->pointTriangles[c / 3].v;
        edges[c] = (DirectedEdge){ { v[c % 3], v[(c + 1) % 3] }, c };
        first[v[c % 3]] = c;
        degree[v[c % 3]]++;
    }
    qsort(edges, (size_t)count, sizeof(*edges), CompareEdges);
    for (int e = 1; e < count; e++)
        assert_int_not_equal(CompareEdges(&edges[e - 1], &edges[e]), 0);
    // Across the edge that comes to a corner's point: the next corner around it.
    for (int c = 0; c < count; c++)
    {
        const int32_t* v = mesh->pointTriangles[c / 3].v;
        DirectedEdge back = { { v[c % 3], v[(c + 2) % 3] }, 0 };
        const DirectedEdge* across = bsearch(&back, edges, (size_t)count, sizeof(*edges), CompareEdges);
        assert_non_null(across);
        next[c] = across->corner;
    }
    // Following them comes back after as many as there are.
    for (int p = 0; p < mesh->pointCount; p++)
    {
        int c = first[p], steps = 0;
        do
        {
            c = next[c];
            steps++;
        } while (c != first[p] && steps <= degree[p]);
        assert_int_equal(steps, degree[p]);
    }
    free(edges);
    free(next);
    free(degree);
    free(first);
    return (mesh->pointCount - count / 2 + mesh->triangleCount) / 2;
}
