// SPDX-License-Identifier: GPL-3.0-or-later
// What boundary elements ask of a mesh, checked one by one.
#include "body/proxy_build.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static const double THINNEST = 1e-4;  // area over the square of the longest edge of a triangle
static const double SHARPEST = 0.002; // of 4 pi: solid angles nearer to nothing or to all are spikes
static const double NO_VOLUME = 1e-9; // of the size cubed

double qvProxyArea(const qvVec3* points, const qvTriangle* triangles, int triangleCount)
{
    double sum = 0.0;
    for (int t = 0; t < triangleCount; t++)
    {
        const int32_t* v = triangles[t].v;
        sum += 0.5 * qvLength(qvCross(qvSub(points[v[1]], points[v[0]]), qvSub(points[v[2]], points[v[0]])));
    }
    return sum;
}

double qvProxyVolume(const qvVec3* points, const qvTriangle* triangles, int triangleCount)
{
    double sum = 0.0;
    for (int t = 0; t < triangleCount; t++)
    {
        const int32_t* v = triangles[t].v;
        qvVec3 a = qvSub(points[v[0]], points[0]), b = qvSub(points[v[1]], points[0]);
        sum += qvDot(a, qvCross(b, qvSub(points[v[2]], points[0]))) / 6.0;
    }
    return sum;
}

// --- How triangles hang together ------------------------------------------------------------------------------------

// Walks once around the vertex of a corner; returns how many triangles it met, 0 when an edge is open.
static int WalkFan(const int32_t* opposites, int corner, int limit)
{
    int at = corner, count = 0;
    do
    {
        int across = opposites[at / 3 * 3 + (at + 1) % 3];
        if (across < 0 || ++count > limit)
            return 0;
        at = across / 3 * 3 + (across + 1) % 3;
    } while (at != corner);
    return count;
}

// Every edge has its two triangles and every vertex one fan.
static qvResult CheckFans(const qvTriangle* triangles, int triangleCount, int vertexCount, const int32_t* opposites,
                          int32_t* valences, qvError* error)
{
    for (int c = 0; c < 3 * triangleCount; c++)
        valences[triangles[c / 3].v[c % 3]]++;
    for (int c = 0; c < 3 * triangleCount; c++)
    {
        const int32_t* v = triangles[c / 3].v;
        int vertex = v[c % 3], met = opposites[c] < 0 ? 0 : WalkFan(opposites, c, triangleCount);
        if (opposites[c] < 0 || opposites[opposites[c]] != c || met == 0)
            return qvError_Set(error, qv_badInput, "the surface is open or folded at the edge of points %d and %d",
                               v[(c + 1) % 3], v[(c + 2) % 3]);
        if (met != valences[vertex])
            return qvError_Set(error, qv_badInput, "the surface touches itself at point %d", vertex);
    }
    for (int v = 0; v < vertexCount; v++)
    {
        if (valences[v] < 3)
            return qvError_Set(error, qv_badInput, "point %d belongs to fewer than three triangles", v);
    }
    return qv_ok;
}

static qvResult CheckOnePiece(int triangleCount, const int32_t* opposites, int32_t* stack, uint8_t* seen,
                              qvError* error)
{
    int count = 0, depth = 0;
    stack[depth++] = 0;
    seen[0] = 1;
    while (depth > 0)
    {
        int t = stack[--depth];
        count++;
        for (int k = 0; k < 3; k++)
        {
            int other = opposites[3 * t + k] / 3;
            if (!seen[other])
            {
                seen[other] = 1;
                stack[depth++] = other;
            }
        }
    }
    if (count < triangleCount)
        return qvError_Set(error, qv_badInput, "the surface is in several pieces");
    return qv_ok;
}

static qvResult CheckConnection(const qvTriangle* triangles, int triangleCount, int vertexCount, qvError* error)
{
    int32_t* opposites = qvMakeOpposites(triangles, triangleCount);
    int32_t* numbers = qvAllocate((size_t)vertexCount + (size_t)triangleCount, sizeof(*numbers));
    uint8_t* seen = qvAllocate((size_t)triangleCount, sizeof(*seen));
    qvResult result = qv_ok;
    if (opposites == NULL || numbers == NULL || seen == NULL)
        result = qvError_OutOfMemory(error, 20.0 * triangleCount);
    if (result == qv_ok)
        result = CheckFans(triangles, triangleCount, vertexCount, opposites, numbers, error);
    if (result == qv_ok)
        result = CheckOnePiece(triangleCount, opposites, numbers + vertexCount, seen, error);
    free(opposites);
    free(numbers);
    free(seen);
    return result;
}

// --- Shape ----------------------------------------------------------------------------------------------------------

static qvResult CheckTriangles(const qvVec3* p, const qvTriangle* triangles, int triangleCount, qvError* error)
{
    for (int t = 0; t < triangleCount; t++)
    {
        const int32_t* v = triangles[t].v;
        double longest = 0.0;
        for (int k = 0; k < 3; k++)
            longest = fmax(longest, qvDistance(p[v[k]], p[v[(k + 1) % 3]]));
        double area = 0.5 * qvLength(qvCross(qvSub(p[v[1]], p[v[0]]), qvSub(p[v[2]], p[v[0]])));
        if (!(area > THINNEST * longest * longest))
            return qvError_Set(error, qv_badInput, "the triangle of points %d, %d and %d is too thin", v[0], v[1],
                               v[2]);
    }
    return qv_ok;
}

// The solid angle that a triangle takes seen from one of its corners is nothing; that of the whole surface, seen from a
// vertex, is the interior one: A. Van Oosterom, J. Strackee, "The solid angle of a plane triangle" (1983).
static double SolidAngle(qvVec3 from, const qvVec3* p, const qvTriangle* triangle)
{
    qvVec3 a = qvSub(p[triangle->v[0]], from), b = qvSub(p[triangle->v[1]], from), c = qvSub(p[triangle->v[2]], from);
    double la = qvLength(a), lb = qvLength(b), lc = qvLength(c);
    return 2.0 * atan2(qvDot(a, qvCross(b, c)), la * lb * lc + qvDot(a, b) * lc + qvDot(b, c) * la + qvDot(c, a) * lb);
}

static qvResult CheckAngles(const qvVec3* p, int vertexCount, const qvTriangle* triangles, int triangleCount,
                            qvError* error)
{
    for (int v = 0; v < vertexCount; v++)
    {
        double sum = 0.0;
        for (int t = 0; t < triangleCount; t++)
        {
            const int32_t* w = triangles[t].v;
            if (w[0] != v && w[1] != v && w[2] != v)
                sum += SolidAngle(p[v], p, &triangles[t]);
        }
        double share = sum / (4.0 * QV_PI);
        if (!(share > SHARPEST && share < 1.0 - SHARPEST))
            return qvError_Set(error, qv_badInput, "the surface is a spike or turned over at point %d", v);
    }
    return qv_ok;
}

static bool IsHit(qvVec3 from, qvVec3 to, qvVec3 a, qvVec3 b, qvVec3 c)
{
    qvVec3 way = qvSub(to, from), e1 = qvSub(b, a), e2 = qvSub(c, a), normal = qvCross(e1, e2);
    double along = -qvDot(normal, way);
    if (along == 0.0)
        return false;
    qvVec3 start = qvSub(from, a), turn = qvCross(way, start);
    double t = qvDot(normal, start) / along, u = -qvDot(e2, turn) / along, v = qvDot(e1, turn) / along;
    return t >= 0.0 && t <= 1.0 && u >= 0.0 && v >= 0.0 && u + v <= 1.0;
}

typedef struct Box
{
    double lower[3], upper[3];
} Box;

static Box BoxOf(const qvVec3* p, const qvTriangle* triangle)
{
    qvVec3 a = p[triangle->v[0]], b = p[triangle->v[1]], c = p[triangle->v[2]];
    return (Box){ { fmin(a.x, fmin(b.x, c.x)), fmin(a.y, fmin(b.y, c.y)), fmin(a.z, fmin(b.z, c.z)) },
                  { fmax(a.x, fmax(b.x, c.x)), fmax(a.y, fmax(b.y, c.y)), fmax(a.z, fmax(b.z, c.z)) } };
}

static bool BoxesMeet(const Box* a, const Box* b)
{
    for (int k = 0; k < 3; k++)
    {
        if (a->lower[k] > b->upper[k] || b->lower[k] > a->upper[k])
            return false;
    }
    return true;
}

// Triangles that share a point may touch there.
static bool DoCross(const qvVec3* p, const qvTriangle* s, const qvTriangle* t)
{
    for (int i = 0; i < 9; i++)
    {
        if (s->v[i / 3] == t->v[i % 3])
            return false;
    }
    for (int k = 0; k < 3; k++)
    {
        if (IsHit(p[s->v[k]], p[s->v[(k + 1) % 3]], p[t->v[0]], p[t->v[1]], p[t->v[2]]) ||
            IsHit(p[t->v[k]], p[t->v[(k + 1) % 3]], p[s->v[0]], p[s->v[1]], p[s->v[2]]))
            return true;
    }
    return false;
}

static qvResult CheckCrossings(const qvVec3* p, const qvTriangle* triangles, int triangleCount, qvError* error)
{
    Box* boxes = qvAllocateRaw((size_t)triangleCount, sizeof(*boxes));
    if (boxes == NULL)
        return qvError_OutOfMemory(error, 48.0 * triangleCount);
    qvResult result = qv_ok;
    for (int t = 0; t < triangleCount; t++)
        boxes[t] = BoxOf(p, &triangles[t]);
    for (int s = 0; result == qv_ok && s < triangleCount; s++)
    {
        for (int t = s + 1; result == qv_ok && t < triangleCount; t++)
        {
            if (BoxesMeet(&boxes[s], &boxes[t]) && DoCross(p, &triangles[s], &triangles[t]))
                result = qvError_Set(error, qv_badInput, "the surface passes through itself near point %d",
                                     triangles[s].v[0]);
        }
    }
    free(boxes);
    return result;
}

qvResult qvCheckProxy(const qvVec3* vertices, int vertexCount, const qvTriangle* triangles, int triangleCount,
                      qvError* error)
{
    if (triangleCount < 4)
        return qvError_Set(error, qv_badInput, "the surface has fewer than four triangles");
    qvResult result = CheckConnection(triangles, triangleCount, vertexCount, error);
    if (result == qv_ok)
        result = CheckTriangles(vertices, triangles, triangleCount, error);
    double area = qvProxyArea(vertices, triangles, triangleCount);
    if (result == qv_ok && !(qvProxyVolume(vertices, triangles, triangleCount) > NO_VOLUME * area * sqrt(area)))
        result = qvError_Set(error, qv_badInput, "the surface encloses no volume, or faces inwards");
    if (result == qv_ok)
        result = CheckCrossings(vertices, triangles, triangleCount, error);
    if (result == qv_ok)
        result = CheckAngles(vertices, vertexCount, triangles, triangleCount, error);
    return result;
}
