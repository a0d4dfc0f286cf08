// SPDX-License-Identifier: GPL-3.0-or-later
#include "bem/surface.h"

#include "base/assert.h"
#include "base/memory.h"
#include "math/mat3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double THINNEST = 1e-6; // area over the square of the longest edge of a usable triangle

enum
{
    MAX_FAN = 256
};

// --- Integrals over the volume --------------------------------------------------------------------------------------

// Each triangle and a point of the surface span a tetrahedron; the integrals of x_i x_j over it are
// volume/20 (sum_k a_k a_k^T + (sum a_k)(sum a_k)^T) for its corners a_k seen from that point.
void qvBemMassProperties(const qvVec3* vertices, const qvTriangle* triangles, int triangleCount, double* volume,
                         qvVec3* centroid, qvMat3* inertia)
{
    qvVec3 origin = vertices[triangles[0].v[0]], first = { 0.0, 0.0, 0.0 };
    qvMat3 second = { { { 0.0 } } };
    double total = 0.0;
    for (int t = 0; t < triangleCount; t++)
    {
        qvVec3 a[3], sum = { 0.0, 0.0, 0.0 };
        for (int k = 0; k < 3; k++)
        {
            a[k] = qvSub(vertices[triangles[t].v[k]], origin);
            sum = qvAdd(sum, a[k]);
        }
        double part = qvDot(a[0], qvCross(a[1], a[2])) / 6.0;
        total += part;
        first = qvMulAdd(first, part / 4.0, sum);
        qvMat3 all = qvMat3_Outer(sum, sum);
        for (int k = 0; k < 3; k++)
        {
            qvMat3 one = qvMat3_Outer(a[k], a[k]);
            all = qvMat3_MulAdd(&all, 1.0, &one);
        }
        second = qvMat3_MulAdd(&second, part / 20.0, &all);
    }
    *volume = total;
    qvVec3 offset = qvScale(1.0 / total, first);
    qvMat3 shift = qvMat3_Outer(offset, offset);
    second = qvMat3_MulAdd(&second, -total, &shift);
    *centroid = qvAdd(origin, offset);
    double trace = qvMat3_Trace(&second);
    *inertia = qvMat3_Diagonal(trace, trace, trace);
    *inertia = qvMat3_MulAdd(inertia, -1.0, &second);
}

qvVec3 qvBemRigid(const qvBemSurface* surface, int motion, qvVec3 place)
{
    QV_ASSERT(motion >= 0 && motion < 6);
    qvVec3 axis = qvMakeVec3(motion % 3 == 0, motion % 3 == 1, motion % 3 == 2);
    return motion < 3 ? axis : qvCross(axis, qvSub(place, surface->centroid));
}

// --- Fans -----------------------------------------------------------------------------------------------------------

static int CornerOf(const qvTriangle* triangle, int vertex)
{
    return triangle->v[0] == vertex ? 0 : triangle->v[1] == vertex ? 1 : 2;
}

static int Ahead(const qvBemSurface* surface, int triangle, int vertex, int steps)
{
    const qvTriangle* t = &surface->triangles[triangle];
    return t->v[(CornerOf(t, vertex) + steps) % 3];
}

// Puts the triangles round a vertex in order; every edge there must have one triangle on each side, and one round must
// meet them all.
static qvResult OrderFan(qvBemSurface* surface, int vertex, qvError* error)
{
    int32_t* fan = surface->fan + surface->fanStart[vertex];
    int count = surface->fanStart[vertex + 1] - surface->fanStart[vertex];
    if (count == 0)
        return qvError_Set(error, qv_badInput, "point %d belongs to no triangle; remove it", vertex);
    if (count > MAX_FAN)
        return qvError_Set(error, qv_badInput, "point %d has %d triangles, more than %d; remesh the body", vertex,
                           count, (int)MAX_FAN);
    for (int i = 0; i < count; i++)
    {
        // The next triangle goes out where this one comes back.
        int back = Ahead(surface, fan[i], vertex, 2), found = 0, next = -1;
        for (int j = 0; j < count; j++)
        {
            if (Ahead(surface, fan[j], vertex, 1) == back)
            {
                found++;
                next = j;
            }
        }
        if (found == 0)
            return qvError_Set(error, qv_badInput,
                               "the surface is open or turned over at the edge of points %d and %d; close it, or let a "
                               "proxy be made",
                               vertex, back);
        bool closes = i == count - 1 ? next == 0 : next > i;
        if (found > 1 || !closes)
            return qvError_Set(error, qv_badInput,
                               "the surface is not a manifold at point %d; separate what touches there, or let a proxy "
                               "be made",
                               vertex);
        if (i < count - 1)
        {
            int32_t swap = fan[i + 1];
            fan[i + 1] = fan[next];
            fan[next] = swap;
        }
    }
    return qv_ok;
}

static qvResult MakeFans(qvBemSurface* surface, qvError* error)
{
    for (int c = 0; c < 3 * surface->triangleCount; c++)
        surface->fanStart[surface->triangles[c / 3].v[c % 3] + 1]++;
    for (int v = 0; v < surface->vertexCount; v++)
        surface->fanStart[v + 1] += surface->fanStart[v];
    for (int c = 3 * surface->triangleCount - 1; c >= 0; c--) // backwards: triangles ascend in each fan
    {
        int v = surface->triangles[c / 3].v[c % 3];
        surface->fan[--surface->fanStart[v + 1]] = c / 3;
    }
    // Filling moved each start to its vertex; shift them back by one place.
    memmove(surface->fanStart, surface->fanStart + 1, (size_t)surface->vertexCount * sizeof(int32_t));
    surface->fanStart[surface->vertexCount] = 3 * surface->triangleCount;
    for (int v = 0; v < surface->vertexCount; v++)
    {
        qvResult result = OrderFan(surface, v, error);
        if (result != qv_ok)
            return result;
    }
    return qv_ok;
}

static qvResult CheckConnected(const qvBemSurface* surface, qvError* error)
{
    int count = 0;
    int32_t* stack = qvAllocate((size_t)surface->vertexCount, sizeof(*stack));
    uint8_t* seen = qvAllocate((size_t)surface->vertexCount, 1);
    if (stack != NULL && seen != NULL)
    {
        int depth = 0;
        stack[depth++] = 0;
        seen[0] = 1;
        while (depth > 0)
        {
            int v = stack[--depth];
            count++;
            for (int i = surface->fanStart[v]; i < surface->fanStart[v + 1]; i++)
            {
                int other = Ahead(surface, surface->fan[i], v, 1);
                if (!seen[other])
                    stack[depth++] = other;
                seen[other] = 1;
            }
        }
    }
    bool failed = stack == NULL || seen == NULL;
    free(stack);
    free(seen);
    if (failed)
        return qvError_OutOfMemory(error, 5.0 * surface->vertexCount);
    if (count < surface->vertexCount)
        return qvError_Set(error, qv_badInput,
                           "the surface is in more than one piece (%d of %d points hang together); make each a body",
                           count, surface->vertexCount);
    return qv_ok;
}

// --- Corners --------------------------------------------------------------------------------------------------------

qvMat3 qvBemFreeTerm(int count, const qvVec3* edges, const qvVec3* normals, double solidAngle, double poisson)
{
    double whole = solidAngle / (4.0 * QV_PI);
    qvMat3 c = qvMat3_Diagonal(whole, whole, whole);
    for (int f = 0; f < count; f++)
    {
        qvVec3 sum = qvAdd(edges[f], edges[(f + 1) % count]), gap = qvSub(edges[f], edges[(f + 1) % count]);
        double tangent = qvLength(gap) / qvLength(sum); // of half the angle between unit vectors
        qvMat3 part = qvMat3_Outer(sum, normals[f]);
        c = qvMat3_MulAdd(&c, -tangent / (8.0 * QV_PI * (1.0 - poisson)), &part);
    }
    return c;
}

double qvBemSolidAngle(const qvBemSurface* surface, int vertex)
{
    const int32_t* fan = surface->fan + surface->fanStart[vertex];
    int count = surface->fanStart[vertex + 1] - surface->fanStart[vertex];
    double sum = -(count - 2) * QV_PI;
    for (int f = 0; f < count; f++)
    {
        // The edge into which triangle f - 1 runs and from which triangle f goes on.
        qvVec3 before = surface->normals[fan[(f + count - 1) % count]], here = surface->normals[fan[f]];
        qvVec3 edge =
            qvNormalize(qvSub(surface->vertices[Ahead(surface, fan[f], vertex, 1)], surface->vertices[vertex]));
        sum += QV_PI + atan2(qvDot(qvCross(before, here), edge), qvDot(before, here));
    }
    return sum;
}

qvMat3 qvBemVertexFreeTerm(const qvBemSurface* surface, int vertex, double poisson)
{
    qvVec3 edges[MAX_FAN], normals[MAX_FAN];
    const int32_t* fan = surface->fan + surface->fanStart[vertex];
    int count = surface->fanStart[vertex + 1] - surface->fanStart[vertex];
    for (int f = 0; f < count; f++)
    {
        edges[f] = qvNormalize(qvSub(surface->vertices[Ahead(surface, fan[f], vertex, 1)], surface->vertices[vertex]));
        normals[f] = surface->normals[fan[f]];
    }
    return qvBemFreeTerm(count, edges, normals, qvBemSolidAngle(surface, vertex), poisson);
}

// Consecutive triangles round a vertex share its traction node until the edge between them is sharp.
static void MakeNodes(qvBemSurface* surface, double sharpAngle)
{
    double limit = sharpAngle > QV_PI ? -2.0 : cos(sharpAngle);
    for (int v = 0; v < surface->vertexCount; v++)
    {
        const int32_t* fan = surface->fan + surface->fanStart[v];
        int count = surface->fanStart[v + 1] - surface->fanStart[v], start = -1;
        for (int f = 0; f < count && start < 0; f++)
        {
            qvVec3 before = surface->normals[fan[(f + count - 1) % count]];
            if (qvDot(before, surface->normals[fan[f]]) < limit)
                start = f;
        }
        surface->nodeVertex[surface->nodeCount++] = v;
        for (int i = 0; i < count; i++)
        {
            int f = (i + (start < 0 ? 0 : start)) % count;
            qvVec3 before = surface->normals[fan[(f + count - 1) % count]];
            if (i > 0 && qvDot(before, surface->normals[fan[f]]) < limit)
                surface->nodeVertex[surface->nodeCount++] = v;
            surface->cornerNode[3 * fan[f] + CornerOf(&surface->triangles[fan[f]], v)] = surface->nodeCount - 1;
        }
    }
}

// --- Making one -----------------------------------------------------------------------------------------------------

static qvResult MeasureTriangles(qvBemSurface* surface, qvError* error)
{
    for (int t = 0; t < surface->triangleCount; t++)
    {
        const int32_t* v = surface->triangles[t].v;
        qvVec3 a = surface->vertices[v[0]], b = surface->vertices[v[1]], c = surface->vertices[v[2]];
        qvVec3 twice = qvCross(qvSub(b, a), qvSub(c, a));
        surface->longest[t] = fmax(qvDistance(a, b), fmax(qvDistance(b, c), qvDistance(c, a)));
        surface->areas[t] = 0.5 * qvLength(twice);
        surface->normals[t] = qvNormalize(twice);
        if (!(surface->areas[t] > THINNEST * surface->longest[t] * surface->longest[t]))
            return qvError_Set(error, qv_badInput,
                               "triangle %d of points %d, %d, %d has no area; clean the mesh, or let a proxy be made",
                               t, v[0], v[1], v[2]);
        for (int k = 0; k < 3; k++)
            surface->vertexArea[v[k]] += surface->areas[t] / 3.0;
    }
    return qv_ok;
}

static double Diagonal(const qvBemSurface* surface)
{
    qvVec3 low = surface->vertices[0], high = low;
    for (int v = 1; v < surface->vertexCount; v++)
    {
        qvVec3 x = surface->vertices[v];
        low = qvMakeVec3(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
        high = qvMakeVec3(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
    }
    return qvDistance(low, high);
}

static qvResult CheckVolume(qvBemSurface* surface, qvError* error)
{
    qvBemMassProperties(surface->vertices, surface->triangles, surface->triangleCount, &surface->volume,
                        &surface->centroid, &surface->inertia);
    surface->diameter = Diagonal(surface);
    double cube = pow(surface->diameter, 3.0);
    if (surface->volume < -1e-9 * cube)
        return qvError_Set(error, qv_badInput, "the surface is inside out (volume %.3g); turn its triangles over",
                           surface->volume);
    if (!(surface->volume > 1e-9 * cube))
        return qvError_Set(error, qv_badInput, "the surface encloses no volume; boundary elements need a solid body");
    return qv_ok;
}

static bool AllocateSurface(qvBemSurface* s)
{
    size_t n = (size_t)s->vertexCount, t = (size_t)s->triangleCount;
    s->vertices = qvAllocate(n, sizeof(*s->vertices));
    s->triangles = qvAllocate(t, sizeof(*s->triangles));
    s->normals = qvAllocate(t, sizeof(*s->normals));
    s->areas = qvAllocate(t, sizeof(*s->areas));
    s->longest = qvAllocate(t, sizeof(*s->longest));
    s->cornerNode = qvAllocate(3 * t, sizeof(*s->cornerNode));
    s->nodeVertex = qvAllocate(3 * t, sizeof(*s->nodeVertex));
    s->vertexArea = qvAllocate(n, sizeof(*s->vertexArea));
    s->fanStart = qvAllocate(n + 1, sizeof(*s->fanStart));
    s->fan = qvAllocate(3 * t, sizeof(*s->fan));
    return s->vertices != NULL && s->triangles != NULL && s->normals != NULL && s->areas != NULL &&
           s->longest != NULL && s->cornerNode != NULL && s->nodeVertex != NULL && s->vertexArea != NULL &&
           s->fanStart != NULL && s->fan != NULL;
}

static qvResult CheckIndices(const qvVec3* vertices, int vertexCount, const qvTriangle* triangles, int triangleCount,
                             qvError* error)
{
    if (vertexCount < 4 || triangleCount < 4)
        return qvError_Set(error, qv_badInput, "a closed surface has at least 4 points and 4 triangles");
    for (int t = 0; t < triangleCount; t++)
    {
        const int32_t* v = triangles[t].v;
        for (int k = 0; k < 3; k++)
        {
            if (v[k] < 0 || v[k] >= vertexCount || v[k] == v[(k + 1) % 3])
                return qvError_Set(error, qv_badInput, "triangle %d: its points must be three of 0 to %d", t,
                                   vertexCount - 1);
        }
    }
    for (int v = 0; v < vertexCount; v++)
    {
        if (!isfinite(vertices[v].x) || !isfinite(vertices[v].y) || !isfinite(vertices[v].z))
            return qvError_Set(error, qv_badInput, "point %d is no finite place", v);
    }
    return qv_ok;
}

qvResult qvCreateBemSurface(const qvVec3* vertices, int vertexCount, const qvTriangle* triangles, int triangleCount,
                            double sharpAngle, qvBemSurface** out, qvError* error)
{
    *out = NULL;
    qvResult result = CheckIndices(vertices, vertexCount, triangles, triangleCount, error);
    if (result != qv_ok)
        return result;
    qvBemSurface* surface = qvAllocate(1, sizeof(*surface));
    if (surface == NULL)
        return qvError_OutOfMemory(error, sizeof(*surface));
    surface->vertexCount = vertexCount;
    surface->triangleCount = triangleCount;
    surface->sharpAngle = sharpAngle;
    if (!AllocateSurface(surface))
    {
        qvDestroyBemSurface(surface);
        return qvError_OutOfMemory(error, 200.0 * triangleCount);
    }
    memcpy(surface->vertices, vertices, (size_t)vertexCount * sizeof(*vertices));
    memcpy(surface->triangles, triangles, (size_t)triangleCount * sizeof(*triangles));
    result = MeasureTriangles(surface, error);
    if (result == qv_ok)
        result = MakeFans(surface, error);
    if (result == qv_ok)
        result = CheckConnected(surface, error);
    if (result == qv_ok)
        result = CheckVolume(surface, error);
    if (result != qv_ok)
    {
        qvDestroyBemSurface(surface);
        return result;
    }
    MakeNodes(surface, sharpAngle);
    *out = surface;
    return qv_ok;
}

void qvDestroyBemSurface(qvBemSurface* surface)
{
    if (surface == NULL)
        return;
    free(surface->vertices);
    free(surface->triangles);
    free(surface->normals);
    free(surface->areas);
    free(surface->longest);
    free(surface->cornerNode);
    free(surface->nodeVertex);
    free(surface->vertexArea);
    free(surface->fanStart);
    free(surface->fan);
    free(surface);
}
