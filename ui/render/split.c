// SPDX-License-Identifier: GPL-3.0-or-later
// Corners around a point are joined across every edge that is not hard (union-find over corners); each set is a group.
#include "quaver/topology.h"
#include "ui/render/surface.h"

#include <math.h>
#include <stdlib.h>

// Without normals in the file an edge is hard beyond 60 degrees.
static const double HARD_COSINE = 0.5;
// Normals of a file that differ by more than 2.5 degrees at an edge make it hard.
static const double SAME_NORMAL_COSINE = 0.999;

typedef struct Builder
{
    const qvMesh* mesh;
    int32_t* parent; // per corner
    int32_t* head;   // per group root: first drawn vertex, or -1
    int32_t* next;   // per drawn vertex: the next one with the same root, or -1
} Builder;

static int32_t Find(int32_t* parent, int32_t i)
{
    while (parent[i] != i)
    {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static int32_t CornerAt(const qvMesh* mesh, int32_t triangle, int32_t point)
{
    const qvTriangle* t = &mesh->pointTriangles[triangle];
    int k = t->v[0] == point ? 0 : t->v[1] == point ? 1 : 2;
    return 3 * triangle + k;
}

static qvVec3 FaceNormal(const qvMesh* mesh, int32_t triangle)
{
    const qvTriangle* t = &mesh->triangles[triangle];
    qvVec3 a = qvVec3_FromFloat(mesh->positions[t->v[0]]);
    qvVec3 b = qvVec3_FromFloat(mesh->positions[t->v[1]]);
    qvVec3 c = qvVec3_FromFloat(mesh->positions[t->v[2]]);
    return qvNormalize(qvCross(qvSub(b, a), qvSub(c, a)));
}

static qvVec3 CornerNormal(const qvMesh* mesh, int32_t corner)
{
    if (mesh->normalDomain == qv_domainCorner)
        return qvVec3_FromFloat(mesh->normals[corner]);
    return qvVec3_FromFloat(mesh->normals[mesh->triangles[corner / 3].v[corner % 3]]);
}

static void JoinAcross(Builder* builder, const qvEdge* edge)
{
    const qvMesh* mesh = builder->mesh;
    if (edge->triangle[1] < 0)
        return;
    bool hasNormals = mesh->normalDomain != qv_domainNone;
    if (!hasNormals && mesh->isFlat)
        return;
    if (!hasNormals && qvDot(FaceNormal(mesh, edge->triangle[0]), FaceNormal(mesh, edge->triangle[1])) < HARD_COSINE)
        return;
    for (int end = 0; end < 2; end++)
    {
        int32_t a = CornerAt(mesh, edge->triangle[0], edge->point[end]);
        int32_t b = CornerAt(mesh, edge->triangle[1], edge->point[end]);
        if (!hasNormals || qvDot(CornerNormal(mesh, a), CornerNormal(mesh, b)) >= SAME_NORMAL_COSINE)
            builder->parent[Find(builder->parent, a)] = Find(builder->parent, b);
    }
}

// Texture coordinates may differ between corners of one vertex.
static bool SameTexturePlace(const qvMesh* mesh, int32_t a, int32_t b)
{
    return mesh->uvDomain != qv_domainCorner || (mesh->uvs[a].x == mesh->uvs[b].x && mesh->uvs[a].y == mesh->uvs[b].y);
}

// The drawn vertex for a corner in a group, made on first use.
static int32_t DrawnVertex(Builder* builder, qvuiSplit* split, int32_t corner, int32_t root)
{
    int32_t last = -1, vertex = builder->mesh->triangles[corner / 3].v[corner % 3];
    for (int32_t i = builder->head[root]; i >= 0; i = builder->next[i])
    {
        if (split->vertex[i] == vertex && SameTexturePlace(builder->mesh, split->first[i], corner))
            return i;
        last = i;
    }
    int32_t made = split->drawnCount++;
    split->vertex[made] = vertex;
    split->first[made] = corner;
    builder->next[made] = -1;
    if (last >= 0)
    {
        builder->next[last] = made;
        split->group[made] = split->group[last];
    }
    else
    {
        builder->head[root] = made;
        split->group[made] = split->groupCount++;
    }
    return made;
}

static void FillSplit(Builder* builder, const qvTopology* topology, qvuiSplit* split)
{
    int cornerCount = 3 * builder->mesh->triangleCount;
    for (int i = 0; i < topology->edgeCount; i++)
        JoinAcross(builder, &topology->edges[i]);
    for (int32_t c = 0; c < cornerCount; c++)
        split->corner[c] = (uint32_t)DrawnVertex(builder, split, c, Find(builder->parent, c));
    split->edgeCount = topology->edgeCount;
    for (int i = 0; i < topology->edgeCount; i++)
    {
        const qvEdge* edge = &topology->edges[i];
        for (int end = 0; end < 2; end++)
            split->edge[2 * i + end] = split->corner[CornerAt(builder->mesh, edge->triangle[0], edge->point[end])];
    }
}

// Closed, and as much as six volumes of each part are positive.
static bool IsSolid(const qvMesh* mesh, const qvTopology* topology)
{
    for (int i = 0; i < topology->edgeCount; i++)
        if (topology->edges[i].triangle[1] < 0)
            return false;
    double* volume = calloc((size_t)topology->partCount + 1, sizeof(double));
    for (int i = 0; i < mesh->triangleCount && volume != NULL; i++)
    {
        const qvTriangle* t = &mesh->triangles[i];
        // From the middle, so that large numbers do not hide small volumes.
        qvVec3 middle = qvScale(0.5, qvAdd(qvVec3_FromFloat(mesh->bounds.lower), qvVec3_FromFloat(mesh->bounds.upper)));
        qvVec3 p[3];
        for (int k = 0; k < 3; k++)
            p[k] = qvSub(qvVec3_FromFloat(mesh->positions[t->v[k]]), middle);
        volume[topology->trianglePart[i]] += qvDot(p[0], qvCross(p[1], p[2]));
    }
    bool solid = volume != NULL;
    for (int i = 0; i < topology->partCount && solid; i++)
        solid = volume[i] > 0.0;
    free(volume);
    return solid;
}

qvResult qvuiSplit_Init(qvuiSplit* split, const qvMesh* mesh, qvError* error)
{
    *split = (qvuiSplit){ 0 };
    qvTopology* topology = NULL;
    qvResult result = qvCreateTopology(mesh, &topology, error);
    if (result != qv_ok)
        return result;
    size_t cornerCount = 3 * (size_t)mesh->triangleCount;
    Builder builder = { .mesh = mesh };
    builder.parent = calloc(cornerCount, sizeof(int32_t));
    builder.head = calloc(cornerCount, sizeof(int32_t));
    builder.next = calloc(cornerCount, sizeof(int32_t));
    split->vertex = calloc(cornerCount, sizeof(int32_t));
    split->group = calloc(cornerCount, sizeof(int32_t));
    split->first = calloc(cornerCount, sizeof(int32_t));
    split->corner = calloc(cornerCount, sizeof(uint32_t));
    split->edge = calloc((size_t)topology->edgeCount + 1, 2 * sizeof(uint32_t));
    if (builder.parent != NULL && builder.head != NULL && builder.next != NULL && split->vertex != NULL &&
        split->group != NULL && split->first != NULL && split->corner != NULL && split->edge != NULL)
    {
        for (size_t i = 0; i < cornerCount; i++)
        {
            builder.parent[i] = (int32_t)i;
            builder.head[i] = -1;
        }
        FillSplit(&builder, topology, split);
        split->solid = IsSolid(mesh, topology);
    }
    else
    {
        qvuiSplit_Free(split);
        result = qvError_OutOfMemory(error, (double)cornerCount * 8.0 * sizeof(int32_t));
    }
    free(builder.parent);
    free(builder.head);
    free(builder.next);
    qvDestroyTopology(topology);
    return result;
}

void qvuiSplit_Free(qvuiSplit* split)
{
    free(split->vertex);
    free(split->group);
    free(split->first);
    free(split->corner);
    free(split->edge);
    *split = (qvuiSplit){ 0 };
}
