// SPDX-License-Identifier: GPL-3.0-or-later
// Ears of the polygon are cut off; then points of a lattice of regular triangles go in one by one, and edges flip until
// the triangulation is Delaunay's but for the polygon's own edges (C. L. Lawson, "Software for C1 surface
// interpolation", 1977).
#include "body/cap.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double APART = 0.6;                 // of the mean edge: inner points are that far from the polygon
static const double PLACE[2] = { 0.371, 0.213 }; // of the lattice, off what is symmetric
static const double FLAT = 1e-9;                 // of the square of the mean edge: an area that is none

typedef struct Cap
{
    int count, pointCount, triangleCount; // count: of the polygon
    double (*points)[2];
    qvTriangle* triangles;
    double edge;
} Cap;

static double Area(const double* a, const double* b, const double* c)
{
    return 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
}

// --- Ears -----------------------------------------------------------------------------------------------------------

static bool IsEar(const Cap* cap, const int32_t* left, int count, int at)
{
    int a = left[(at + count - 1) % count], b = left[at], c = left[(at + 1) % count];
    if (!(Area(cap->points[a], cap->points[b], cap->points[c]) > FLAT * cap->edge * cap->edge))
        return false;
    for (int i = 0; i < count; i++)
    {
        const double* p = cap->points[left[i]];
        if (left[i] != a && left[i] != b && left[i] != c && Area(cap->points[a], cap->points[b], p) >= 0.0 &&
            Area(cap->points[b], cap->points[c], p) >= 0.0 && Area(cap->points[c], cap->points[a], p) >= 0.0)
            return false;
    }
    return true;
}

// Of all ears the one whose diagonal is shortest. False: there is none.
static bool CutEar(Cap* cap, int32_t* left, int* count)
{
    int best = -1;
    double shortest = INFINITY;
    for (int i = 0; i < *count; i++)
    {
        const double *a = cap->points[left[(i + *count - 1) % *count]], *c = cap->points[left[(i + 1) % *count]];
        double length = hypot(c[0] - a[0], c[1] - a[1]);
        if (length < shortest && IsEar(cap, left, *count, i))
        {
            shortest = length;
            best = i;
        }
    }
    if (best < 0)
        return false;
    cap->triangles[cap->triangleCount++] =
        (qvTriangle){ { left[(best + *count - 1) % *count], left[best], left[(best + 1) % *count] } };
    memmove(left + best, left + best + 1, (size_t)(*count - best - 1) * sizeof(*left));
    --*count;
    return true;
}

// --- Delaunay -------------------------------------------------------------------------------------------------------

// Whether d lies inside the circle through a, b, c.
static bool IsInCircle(const double* a, const double* b, const double* c, const double* d, double scale)
{
    double m[3][3];
    const double* p[3] = { a, b, c };
    for (int i = 0; i < 3; i++)
    {
        m[i][0] = p[i][0] - d[0];
        m[i][1] = p[i][1] - d[1];
        m[i][2] = m[i][0] * m[i][0] + m[i][1] * m[i][1];
    }
    double det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                 m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    return det > FLAT * pow(scale, 4.0);
}

// Flips the edge opposite to corner k of a triangle if that makes both triangles better.
static bool Flip(Cap* cap, int t, int k)
{
    qvTriangle* one = &cap->triangles[t];
    int top = one->v[k], a = one->v[(k + 1) % 3], b = one->v[(k + 2) % 3];
    for (int u = 0; u < cap->triangleCount; u++)
    {
        qvTriangle* other = &cap->triangles[u];
        for (int c = 0; c < 3; c++)
        {
            if (other->v[(c + 1) % 3] != b || other->v[(c + 2) % 3] != a)
                continue;
            int low = other->v[c];
            double least = FLAT * cap->edge * cap->edge;
            if (!IsInCircle(cap->points[top], cap->points[a], cap->points[b], cap->points[low], cap->edge) ||
                !(Area(cap->points[top], cap->points[a], cap->points[low]) > least) ||
                !(Area(cap->points[top], cap->points[low], cap->points[b]) > least))
                return false;
            *one = (qvTriangle){ { top, a, low } };
            *other = (qvTriangle){ { top, low, b } };
            return true;
        }
    }
    return false;
}

static void FlipAll(Cap* cap)
{
    bool flipped = true;
    for (int round = 0; flipped && round < 100; round++)
    {
        flipped = false;
        for (int t = 0; t < cap->triangleCount; t++)
        {
            for (int k = 0; k < 3; k++)
                flipped = Flip(cap, t, k) || flipped;
        }
    }
}

// Only edges across from a new point can have become worse.
static void FlipRound(Cap* cap, int point)
{
    bool flipped = true;
    for (int round = 0; flipped && round < 100; round++)
    {
        flipped = false;
        for (int t = 0; t < cap->triangleCount; t++)
        {
            for (int k = 0; k < 3; k++)
                flipped = (cap->triangles[t].v[k] == point && Flip(cap, t, k)) || flipped;
        }
    }
}

// --- Inner points ---------------------------------------------------------------------------------------------------

static double FromEdge(const double* a, const double* b, const double* p)
{
    double x = b[0] - a[0], y = b[1] - a[1], square = x * x + y * y;
    double t = fmin(fmax(((p[0] - a[0]) * x + (p[1] - a[1]) * y) / square, 0.0), 1.0);
    return hypot(a[0] + t * x - p[0], a[1] + t * y - p[1]);
}

static bool HasRoom(const Cap* cap, const double* p)
{
    for (int i = 0; i < cap->count; i++)
    {
        if (FromEdge(cap->points[i], cap->points[(i + 1) % cap->count], p) < APART * cap->edge)
            return false;
    }
    return true;
}

// Splits the triangle that the point lies in; a point outside, or on an edge, is left out.
static void Insert(Cap* cap, const double* p)
{
    double least = FLAT * cap->edge * cap->edge;
    for (int t = 0; t < cap->triangleCount; t++)
    {
        const int32_t* v = cap->triangles[t].v;
        int a = v[0], b = v[1], c = v[2], point = cap->pointCount;
        if (!(Area(cap->points[a], cap->points[b], p) > least && Area(cap->points[b], cap->points[c], p) > least &&
              Area(cap->points[c], cap->points[a], p) > least))
            continue;
        memcpy(cap->points[cap->pointCount++], p, sizeof(cap->points[0]));
        cap->triangles[t] = (qvTriangle){ { a, b, point } };
        cap->triangles[cap->triangleCount++] = (qvTriangle){ { b, c, point } };
        cap->triangles[cap->triangleCount++] = (qvTriangle){ { c, a, point } };
        FlipRound(cap, point);
        return;
    }
}

static void AddInner(Cap* cap, const double low[2], const double high[2], int capacity)
{
    double across = cap->edge, up = cap->edge * sqrt(0.75);
    int rows = (int)((high[1] - low[1]) / up) + 2, columns = (int)((high[0] - low[0]) / across) + 2;
    for (int r = 0; r < rows; r++)
    {
        for (int c = 0; c < columns && cap->pointCount < capacity; c++)
        {
            double p[2] = { low[0] + across * (c + PLACE[0] + 0.5 * (r % 2) - 1.0), low[1] + up * (r + PLACE[1]) };
            if (HasRoom(cap, p))
                Insert(cap, p);
        }
    }
}

// --- All ------------------------------------------------------------------------------------------------------------

static void Measure(Cap* cap, double low[2], double high[2])
{
    for (int i = 0; i < cap->count; i++)
    {
        const double *a = cap->points[i], *b = cap->points[(i + 1) % cap->count];
        cap->edge += hypot(b[0] - a[0], b[1] - a[1]) / cap->count;
        for (int k = 0; k < 2; k++)
        {
            low[k] = i == 0 ? a[k] : fmin(low[k], a[k]);
            high[k] = i == 0 ? a[k] : fmax(high[k], a[k]);
        }
    }
}

void qvFreeCap(qvCap* cap)
{
    free(cap->inner);
    free(cap->triangles);
    *cap = (qvCap){ 0 };
}

qvResult qvCreateCap(const double (*polygon)[2], int count, qvCap* made, qvError* error)
{
    *made = (qvCap){ 0 };
    int capacity = count + count * count / 4 + 16, left = count;
    Cap cap = { .count = count, .pointCount = count };
    cap.points = qvAllocate((size_t)capacity, sizeof(*cap.points));
    cap.triangles = qvAllocate(2 * (size_t)capacity, sizeof(*cap.triangles));
    int32_t* ring = qvAllocate((size_t)count, sizeof(*ring));
    qvResult result = cap.points != NULL && cap.triangles != NULL && ring != NULL
                          ? qv_ok
                          : qvError_OutOfMemory(error, 40.0 * capacity);
    if (result == qv_ok)
    {
        double low[2] = { 0.0 }, high[2] = { 0.0 };
        memcpy(cap.points, polygon, (size_t)count * sizeof(*polygon));
        Measure(&cap, low, high);
        for (int i = 0; i < count; i++)
            ring[i] = i;
        while (left >= 3 && CutEar(&cap, ring, &left))
            continue;
        if (left > 2)
            result = qvError_Set(error, qv_badInput, "its outline there crosses itself");
        else
        {
            FlipAll(&cap);
            AddInner(&cap, low, high, capacity);
        }
    }
    free(ring);
    if (result == qv_ok)
    {
        made->innerCount = cap.pointCount - count;
        made->inner = qvAllocate((size_t)made->innerCount, sizeof(*made->inner));
        if (made->inner == NULL)
            result = qvError_OutOfMemory(error, 16.0 * made->innerCount);
        else
            memcpy(made->inner, cap.points + count, (size_t)made->innerCount * sizeof(*made->inner));
        made->triangleCount = cap.triangleCount;
        made->triangles = cap.triangles;
        cap.triangles = NULL;
    }
    free(cap.points);
    free(cap.triangles);
    if (result != qv_ok)
        qvFreeCap(made);
    return result;
}
