// SPDX-License-Identifier: GPL-3.0-or-later
#include "mesh/implicit.h"

#include "base/memory.h"

#include <stdlib.h>

// A whole surface: the half x >= 0, then the mirror images of its points off the plane.
typedef struct Whole
{
    int pointCount, triangleCount;
    qvVec3* points;
    qvTriangle* triangles;
    uint8_t* charts;  // per triangle: 0 front, 1 back
    qvVec2f* texture; // per point: where it lies in its chart, before scaling
} Whole;

static void FreeWhole(Whole* whole)
{
    free(whole->points);
    free(whole->triangles);
    free(whole->charts);
    free(whole->texture);
}

static bool AllocateWhole(const qvNet* net, Whole* whole)
{
    whole->pointCount = 2 * net->pointCount;
    for (int i = 0; i < net->pointCount; i++)
        whole->pointCount -= net->points[i].x == 0.0;
    whole->triangleCount = 2 * net->triangleCount;
    whole->points = qvAllocateRaw((size_t)whole->pointCount, sizeof(*whole->points));
    whole->triangles = qvAllocateRaw((size_t)whole->triangleCount, sizeof(*whole->triangles));
    whole->charts = qvAllocateRaw((size_t)whole->triangleCount, sizeof(*whole->charts));
    whole->texture = qvAllocateRaw((size_t)whole->pointCount, sizeof(*whole->texture));
    return whole->points != NULL && whole->triangles != NULL && whole->charts != NULL && whole->texture != NULL;
}

static bool Mirror(const qvNet* net, Whole* whole)
{
    int32_t* twins = qvAllocateRaw((size_t)net->pointCount, sizeof(*twins));
    if (twins == NULL || !AllocateWhole(net, whole))
    {
        free(twins);
        return false;
    }
    int next = net->pointCount;
    for (int i = 0; i < net->pointCount; i++)
    {
        qvVec3 p = net->points[i];
        whole->points[i] = p;
        twins[i] = p.x == 0.0 ? i : next++;
        whole->points[twins[i]] = qvMakeVec3(p.x == 0.0 ? 0.0 : -p.x, p.y, p.z);
    }
    for (int t = 0; t < net->triangleCount; t++)
    {
        const int32_t* v = net->triangles[t].v;
        whole->triangles[t] = net->triangles[t];
        whole->triangles[net->triangleCount + t] = (qvTriangle){ { twins[v[0]], twins[v[2]], twins[v[1]] } };
    }
    free(twins);
    return true;
}

// Triangles that face +z belong to the front. Single ones that disagree with two neighbours join them, so that the
// seam is a clean line.
static bool ChooseCharts(Whole* whole)
{
    int32_t* opposites = qvMakeOpposites(whole->triangles, whole->triangleCount);
    if (opposites == NULL)
        return false;
    for (int t = 0; t < whole->triangleCount; t++)
    {
        const int32_t* v = whole->triangles[t].v;
        const qvVec3* p = whole->points;
        whole->charts[t] = qvCross(qvSub(p[v[1]], p[v[0]]), qvSub(p[v[2]], p[v[0]])).z < 0.0;
    }
    for (int pass = 0; pass < 3; pass++)
    {
        for (int t = 0; t < whole->triangleCount; t++)
        {
            int differing = 0;
            for (int i = 0; i < 3; i++)
                differing += whole->charts[opposites[3 * t + i] / 3] != whole->charts[t];
            if (differing >= 2)
                whole->charts[t] ^= 1;
        }
    }
    free(opposites);
    return true;
}

// A projection along z that is unrolled towards the silhouette: a limb of radius r, facing sideways by angle a, would
// lie at r sin a and belongs at r a. One small radius stands for all: larger ones fold the texture in hollows.
static void FindTexture(Whole* whole, const qvField* field, double edge)
{
    const double limbRadius = 0.03;
    for (int i = 0; i < whole->pointCount; i++)
    {
        qvVec3 p = whole->points[i], normal = qvNormalize(qvField_Gradient(field, p, 1e-3 * edge));
        double sideways = fmin(hypot(normal.x, normal.y), 1.0);
        double unrolled = sideways > 1e-6 ? limbRadius * (asin(sideways) / sideways - 1.0) : 0.0;
        whole->texture[i] = (qvVec2f){ (float)(p.x + unrolled * normal.x), (float)(p.y + unrolled * normal.y) };
    }
}

static void AddVertices(qvShape* shape, const Whole* whole, int32_t* vertices)
{
    float width = 0.0f, low = INFINITY, high = -INFINITY;
    for (int i = 0; i < whole->pointCount; i++)
    {
        width = fmaxf(width, fabsf(whole->texture[i].x));
        low = fminf(low, whole->texture[i].y);
        high = fmaxf(high, whole->texture[i].y);
        vertices[2 * i] = vertices[2 * i + 1] = -1;
    }
    for (int corner = 0; corner < 3 * whole->triangleCount; corner++)
    {
        int chart = whole->charts[corner / 3], point = whole->triangles[corner / 3].v[corner % 3];
        int32_t* vertex = &vertices[2 * point + chart];
        if (*vertex >= 0)
            continue;
        // The back is seen from behind.
        double u = 0.24 * whole->texture[point].x / width, v = (whole->texture[point].y - low) / (high - low);
        *vertex = qvShape_AddVertex(shape, whole->points[point], chart == 0 ? 0.25 + u : 0.75 - u, v);
    }
}

static bool AddWhole(qvShape* shape, const Whole* whole)
{
    int32_t* vertices = qvAllocateRaw((size_t)whole->pointCount, 2 * sizeof(*vertices));
    if (vertices == NULL)
        return false;
    AddVertices(shape, whole, vertices);
    for (int t = 0; t < whole->triangleCount; t++)
    {
        const int32_t* v = whole->triangles[t].v;
        int chart = whole->charts[t];
        qvShape_AddTriangle(shape, vertices[2 * v[0] + chart], vertices[2 * v[1] + chart], vertices[2 * v[2] + chart]);
    }
    free(vertices);
    return true;
}

void qvShape_AddImplicit(qvShape* shape, const qvField* field, double edge)
{
    qvNet net = { 0 };
    Whole whole = { 0 };
    bool done = qvField_MakeNet(field, edge, &net) && qvNet_Relax(&net, field, edge, qv_noSharpEdges) &&
                Mirror(&net, &whole) && ChooseCharts(&whole);
    if (done)
    {
        FindTexture(&whole, field, edge);
        done = AddWhole(shape, &whole);
    }
    if (!done)
        shape->outOfMemory = true;
    free(net.points);
    free(net.triangles);
    FreeWhole(&whole);
}
