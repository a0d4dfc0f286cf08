// SPDX-License-Identifier: GPL-3.0-or-later
#include "mesh/bvh.h"

#include "base/assert.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum
{
    PIECE_SIZE = 1024, // nodes of a subtree that one thread refits in one go
};

static const qvBvhBox emptyBox = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };

static float Smaller(float a, float b)
{
    return a < b ? a : b;
}

static float Larger(float a, float b)
{
    return a > b ? a : b;
}

qvBvhBox qvBvh_TriangleBox(const qvVec3f* points, qvTriangle triangle)
{
    qvVec3f a = points[triangle.v[0]], b = points[triangle.v[1]], c = points[triangle.v[2]];
    // Zero for finite coordinates, NaN otherwise.
    float probe = (a.x * 0.0f + a.y * 0.0f + a.z * 0.0f) + (b.x * 0.0f + b.y * 0.0f + b.z * 0.0f) +
                  (c.x * 0.0f + c.y * 0.0f + c.z * 0.0f);
    if (!(probe == 0.0f))
        return emptyBox;
    return (qvBvhBox){
        { Smaller(Smaller(a.x, b.x), c.x), Smaller(Smaller(a.y, b.y), c.y), Smaller(Smaller(a.z, b.z), c.z) },
        { Larger(Larger(a.x, b.x), c.x), Larger(Larger(a.y, b.y), c.y), Larger(Larger(a.z, b.z), c.z) },
    };
}

static qvBvhBox Union(const qvBvhBox* a, const qvBvhBox* b)
{
    qvBvhBox box;
    for (int i = 0; i < 3; i++)
    {
        box.lower[i] = Smaller(a->lower[i], b->lower[i]);
        box.upper[i] = Larger(a->upper[i], b->upper[i]);
    }
    return box;
}

static void RefitNode(qvBvh* bvh, int index)
{
    qvBvhNode* node = &bvh->nodes[index];
    if (node->count == 0)
    {
        node->box = Union(&bvh->nodes[index + 1].box, &bvh->nodes[node->first].box);
        return;
    }
    qvBvhBox box = emptyBox;
    for (int i = 0; i < node->count; i++)
    {
        qvBvhBox triangle = qvBvh_TriangleBox(bvh->points, bvh->triangles[node->first + i]);
        box = Union(&box, &triangle);
    }
    node->box = box;
}

static void RefitPieces(void* context, int begin, int end)
{
    qvBvh* bvh = context;
    for (int p = begin; p < end; p++)
    {
        // Children come after their parents.
        for (int i = bvh->pieces[p].end - 1; i >= bvh->pieces[p].begin; i--)
            RefitNode(bvh, i);
    }
}

static void RefitAll(qvBvh* bvh, qvPool* pool)
{
    qvParallelFor(pool, bvh->pieceCount, 4, RefitPieces, bvh);
    for (int i = bvh->topCount - 1; i >= 0; i--)
        RefitNode(bvh, bvh->tops[i]);
    const qvBvhBox* root = &bvh->nodes[0].box;
    bvh->extent = 0.0;
    for (int a = 0; a < 3 && root->lower[a] <= root->upper[a]; a++)
        bvh->extent = fmax(bvh->extent, fmax(fabs((double)root->lower[a]), fabs((double)root->upper[a])));
}

void qvBvh_Refit(qvBvh* bvh, const qvVec3f* points, qvPool* pool)
{
    QV_ASSERT(bvh != NULL && points != NULL);
    memcpy(bvh->points, points, (size_t)bvh->pointCount * sizeof(*points));
    RefitAll(bvh, pool);
}

static void CutPieces(qvBvh* bvh, int begin, int end)
{
    if (end - begin <= PIECE_SIZE)
    {
        bvh->pieces[bvh->pieceCount++] = (qvBvhPiece){ begin, end };
        return;
    }
    bvh->tops[bvh->topCount++] = begin;
    int right = bvh->nodes[begin].first;
    CutPieces(bvh, begin + 1, right);
    CutPieces(bvh, right, end);
}

static bool Allocate(qvBvh* bvh)
{
    // A split leaves at least one triangle on each side: fewer than two nodes per triangle.
    size_t triangles = (size_t)bvh->triangleCount, nodes = 2 * triangles;
    bvh->points = qvAllocateRaw((size_t)bvh->pointCount, sizeof(*bvh->points));
    bvh->triangles = qvAllocateRaw(triangles, sizeof(*bvh->triangles));
    bvh->order = qvAllocateRaw(triangles, sizeof(*bvh->order));
    bvh->nodes = qvAllocateRaw(nodes, sizeof(*bvh->nodes));
    bvh->pieces = qvAllocateRaw(nodes, sizeof(*bvh->pieces));
    bvh->tops = qvAllocateRaw(nodes, sizeof(*bvh->tops));
    return bvh->points != NULL && bvh->triangles != NULL && bvh->order != NULL && bvh->nodes != NULL &&
           bvh->pieces != NULL && bvh->tops != NULL;
}

qvResult qvCreateBvh(const qvMesh* mesh, const qvVec3f* points, qvBvh** bvh, qvError* error)
{
    QV_ASSERT(mesh != NULL && points != NULL && bvh != NULL && mesh->triangleCount > 0);
    *bvh = NULL;
    qvBvh* made = qvAllocate(1, sizeof(*made));
    if (made == NULL)
        return qvError_OutOfMemory(error, sizeof(*made));
    made->pointCount = mesh->pointCount;
    made->triangleCount = mesh->triangleCount;
    qvResult result = qv_ok;
    if (!Allocate(made))
        result = qvError_OutOfMemory(error, (double)mesh->triangleCount * 2.0 * sizeof(qvBvhNode));
    if (result == qv_ok)
    {
        memcpy(made->points, points, (size_t)made->pointCount * sizeof(*points));
        result = qvBvh_Build(made, mesh->pointTriangles, error);
    }
    if (result != qv_ok)
    {
        qvDestroyBvh(made);
        return result;
    }
    CutPieces(made, 0, made->nodeCount);
    RefitAll(made, NULL);
    *bvh = made;
    return qv_ok;
}

void qvDestroyBvh(qvBvh* bvh)
{
    if (bvh == NULL)
        return;
    free(bvh->points);
    free(bvh->triangles);
    free(bvh->order);
    free(bvh->nodes);
    free(bvh->pieces);
    free(bvh->tops);
    free(bvh);
}
