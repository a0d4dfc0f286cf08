// SPDX-License-Identifier: GPL-3.0-or-later
// Everything follows from the sorted half-edges, so that the same mesh gives the same order everywhere.
#include "mesh/topology.h"

#include "mesh/edges.h"

#include "base/assert.h"
#include "base/memory.h"

#include <stdlib.h>

static int EdgesOfRun(int halfEdgeCount)
{
    return halfEdgeCount < 3 ? 1 : halfEdgeCount - 1;
}

// Counts edges, and pairs of points in neighborStart[point + 1].
static void CountEdges(qvTopology* topology, const qvEdgeTable* table)
{
    for (int low = 0; low < topology->pointCount; low++)
    {
        int rowEnd = table->start[low + 1];
        for (int begin = table->start[low], end; begin < rowEnd; begin = end)
        {
            end = qvEdgeTable_RunEnd(table, begin, rowEnd);
            topology->edgeCount += EdgesOfRun(end - begin);
            topology->neighborStart[low + 1]++;
            topology->neighborStart[qvEdgeKey_Point(table->keys[begin]) + 1]++;
        }
    }
    for (int p = 0; p < topology->pointCount; p++)
        topology->neighborStart[p + 1] += topology->neighborStart[p];
}

// Adds the edge of a half-edge and its partner, -1 for none.
static void AddEdge(qvTopology* topology, int first, int second)
{
    const qvTriangle* triangles = topology->triangles;
    qvEdge* edge = &topology->edges[topology->edgeCount];
    *edge = (qvEdge){
        .point = { qvHalfEdge_From(triangles, first), qvHalfEdge_To(triangles, first) },
        .triangle = { first / 3, second >= 0 ? second / 3 : -1 },
        .opposite = { qvHalfEdge_Opposite(triangles, first),
                      second >= 0 ? qvHalfEdge_Opposite(triangles, second) : -1 },
    };
    topology->triangleEdges[first] = topology->edgeCount;
    if (second >= 0)
        topology->triangleEdges[second] = topology->edgeCount;
    else
        topology->onBoundary[edge->point[0]] = topology->onBoundary[edge->point[1]] = 1;
    topology->edgeCount++;
}

// Adds the edges between two points. The partner of the first half-edge is the first one that runs the other way.
static void AddRun(qvTopology* topology, const uint64_t* keys, int count)
{
    int first = qvEdgeKey_HalfEdge(keys[0]), partner = count > 1 ? 1 : 0;
    for (int i = 1; i < count; i++)
    {
        int other = qvEdgeKey_HalfEdge(keys[i]);
        if (qvHalfEdge_From(topology->triangles, other) != qvHalfEdge_From(topology->triangles, first))
        {
            partner = i;
            break;
        }
    }
    AddEdge(topology, first, partner > 0 ? qvEdgeKey_HalfEdge(keys[partner]) : -1);
    for (int i = 1; i < count; i++)
    {
        if (i != partner)
            AddEdge(topology, qvEdgeKey_HalfEdge(keys[i]), -1);
    }
}

static void FillEdges(qvTopology* topology, const qvEdgeTable* table, int32_t* cursor)
{
    topology->edgeCount = 0;
    for (int low = 0; low < topology->pointCount; low++)
    {
        int rowEnd = table->start[low + 1];
        for (int begin = table->start[low], end; begin < rowEnd; begin = end)
        {
            end = qvEdgeTable_RunEnd(table, begin, rowEnd);
            AddRun(topology, table->keys + begin, end - begin);
            // Rows fill in ascending order: lower neighbours come while those are low, higher ones in this row.
            int high = qvEdgeKey_Point(table->keys[begin]);
            topology->neighbors[cursor[low]++] = high;
            topology->neighbors[cursor[high]++] = low;
        }
    }
}

static qvResult MakeEdges(qvTopology* topology, qvError* error)
{
    qvEdgeTable table;
    qvResult result =
        qvCreateEdgeTable(topology->triangles, topology->triangleCount, topology->pointCount, &table, error);
    if (result != qv_ok)
        return result;
    CountEdges(topology, &table);
    topology->edges = qvAllocateRaw((size_t)topology->edgeCount, sizeof(*topology->edges));
    topology->neighbors =
        qvAllocateRaw((size_t)topology->neighborStart[topology->pointCount], sizeof(*topology->neighbors));
    int32_t* cursor = qvAllocateRaw((size_t)topology->pointCount, sizeof(*cursor));
    bool isAllocated = topology->edges != NULL && topology->neighbors != NULL && cursor != NULL;
    if (isAllocated)
    {
        for (int p = 0; p < topology->pointCount; p++)
            cursor[p] = topology->neighborStart[p];
        FillEdges(topology, &table, cursor);
    }
    free(cursor);
    qvDestroyEdgeTable(&table);
    return isAllocated ? qv_ok : qvError_OutOfMemory(error, 32.0 * topology->edgeCount);
}

static void MakeFans(qvTopology* topology)
{
    int32_t* start = topology->fanStart;
    for (int t = 0; t < topology->triangleCount; t++)
    {
        for (int k = 0; k < 3; k++)
            start[topology->triangles[t].v[k]]++;
    }
    // Ends first; filling backwards turns them into starts and leaves the triangles ascending.
    for (int p = 0, sum = 0; p <= topology->pointCount; p++)
        sum = start[p] += sum;
    for (int t = topology->triangleCount - 1; t >= 0; t--)
    {
        for (int k = 0; k < 3; k++)
        {
            int index = --start[topology->triangles[t].v[k]];
            topology->fan[index] = t;
            topology->fanCorner[index] = (uint8_t)k;
        }
    }
}

static void MakeParts(qvTopology* topology)
{
    topology->partCount =
        qvFindParts(topology->triangles, topology->triangleCount, topology->pointCount, topology->pointPart);
    for (int t = 0; t < topology->triangleCount; t++)
        topology->trianglePart[t] = topology->pointPart[topology->triangles[t].v[0]];
}

static qvResult Allocate(qvTopology* topology, qvError* error)
{
    size_t points = (size_t)topology->pointCount, triangles = (size_t)topology->triangleCount;
    topology->neighborStart = qvAllocate(points + 1, sizeof(int32_t));
    topology->fanStart = qvAllocate(points + 1, sizeof(int32_t));
    topology->fan = qvAllocateRaw(3 * triangles, sizeof(int32_t));
    topology->fanCorner = qvAllocateRaw(3 * triangles, 1);
    topology->triangleEdges = qvAllocateRaw(3 * triangles, sizeof(int32_t));
    topology->onBoundary = qvAllocate(points, 1);
    topology->pointPart = qvAllocateRaw(points, sizeof(int32_t));
    topology->trianglePart = qvAllocateRaw(triangles, sizeof(int32_t));
    bool isAllocated = topology->neighborStart != NULL && topology->fanStart != NULL && topology->fan != NULL &&
                       topology->fanCorner != NULL && topology->triangleEdges != NULL && topology->onBoundary != NULL &&
                       topology->pointPart != NULL && topology->trianglePart != NULL;
    return isAllocated ? qv_ok
                       : qvError_OutOfMemory(error, 13.0 * topology->pointCount + 28.0 * topology->triangleCount);
}

qvResult qvCreateTopology(const qvMesh* mesh, qvTopology** topology, qvError* error)
{
    QV_ASSERT(mesh != NULL && topology != NULL);
    *topology = NULL;
    qvTopology* made = qvAllocate(1, sizeof(*made));
    if (made == NULL)
        return qvError_OutOfMemory(error, sizeof(*made));
    made->pointCount = mesh->pointCount;
    made->triangleCount = mesh->triangleCount;
    made->triangles = mesh->pointTriangles;
    qvResult result = Allocate(made, error);
    if (result == qv_ok)
        result = MakeEdges(made, error);
    if (result == qv_ok)
    {
        MakeFans(made);
        MakeParts(made);
        result = qvTopology_MakeRings(made, error);
    }
    if (result == qv_ok)
        *topology = made;
    else
        qvDestroyTopology(made);
    return result;
}

void qvDestroyTopology(qvTopology* topology)
{
    if (topology == NULL)
        return;
    free(topology->edges);
    free(topology->triangleEdges);
    free(topology->neighborStart);
    free(topology->neighbors);
    free(topology->fanStart);
    free(topology->fan);
    free(topology->fanCorner);
    free(topology->ringStart);
    free(topology->ring);
    free(topology->onBoundary);
    free(topology->pointPart);
    free(topology->trianglePart);
    free(topology);
}
