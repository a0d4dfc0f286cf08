// SPDX-License-Identifier: GPL-3.0-or-later
#include "body/proxy.h"

#include "base/assert.h"
#include "base/memory.h"
#include "body/proxy_build.h"
#include "mesh/meshopt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double FINE_ENOUGH = 1.2;  // times the vertices that are wanted: such a part stays as it is
static const double MOST_SHRINK = 0.05; // of the volume: a relaxed mesh that loses more lost its shape
static const double SHARP = 0.8;        // cosine between triangles: sharper edges stay
static const double MOST_FINE = 2.0;    // times the vertices that are wanted: the simplifier got stuck

// Of the vertices that are wanted, where a net of these is none that can be used.
static const double otherDetails[] = { 1.1, 0.9, 1.2, 0.8, 1.15, 0.85 };

void qvDestroyProxy(qvProxy* proxy)
{
    if (proxy == NULL)
        return;
    free(proxy->vertices);
    free(proxy->triangles);
    free(proxy);
}

// --- Pieces ---------------------------------------------------------------------------------------------------------

static int32_t FindRoot(int32_t* parent, int32_t v)
{
    while (parent[v] != v)
    {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

// The root of the piece with the most triangles; of equals the one whose triangle comes first.
static int32_t LargestPiece(const qvTriangle* triangles, int triangleCount, int pointCount, int32_t* parent,
                            int32_t* counts)
{
    for (int v = 0; v < pointCount; v++)
        parent[v] = v;
    for (int t = 0; t < triangleCount; t++)
    {
        for (int k = 1; k < 3; k++)
            parent[FindRoot(parent, triangles[t].v[k])] = FindRoot(parent, triangles[t].v[0]);
    }
    int32_t best = -1;
    for (int t = 0; t < triangleCount; t++)
        counts[FindRoot(parent, triangles[t].v[0])]++;
    for (int t = 0; t < triangleCount; t++)
    {
        int32_t root = FindRoot(parent, triangles[t].v[0]);
        if (best < 0 || counts[root] > counts[best])
            best = root;
    }
    return best;
}

static void CopyPiece(const qvVec3* points, int pointCount, const qvTriangle* triangles, int triangleCount,
                      qvVec3 shift, int32_t* parent, int32_t root, int32_t* numbers, qvProxy* proxy)
{
    for (int v = 0; v < pointCount; v++)
        numbers[v] = -1;
    for (int t = 0; t < triangleCount; t++)
    {
        if (FindRoot(parent, triangles[t].v[0]) != root)
            continue;
        qvTriangle* made = &proxy->triangles[proxy->triangleCount++];
        for (int k = 0; k < 3; k++)
        {
            int32_t v = triangles[t].v[k];
            if (numbers[v] < 0)
            {
                numbers[v] = proxy->vertexCount;
                proxy->vertices[proxy->vertexCount++] = qvAdd(points[v], shift);
            }
            made->v[k] = numbers[v];
        }
    }
}

qvResult qvTakeProxy(const qvVec3* points, int pointCount, const qvTriangle* triangles, int triangleCount, qvVec3 shift,
                     qvProxy** out, qvError* error)
{
    *out = NULL;
    qvProxy* proxy = qvAllocate(1, sizeof(*proxy));
    int32_t* numbers = qvAllocate(2 * (size_t)pointCount, sizeof(*numbers));
    if (proxy != NULL)
    {
        proxy->vertices = qvAllocate((size_t)pointCount, sizeof(*proxy->vertices));
        proxy->triangles = qvAllocate((size_t)triangleCount, sizeof(*proxy->triangles));
    }
    if (proxy == NULL || numbers == NULL || proxy->vertices == NULL || proxy->triangles == NULL)
    {
        qvDestroyProxy(proxy);
        free(numbers);
        return qvError_OutOfMemory(error, 44.0 * pointCount);
    }
    int32_t root = LargestPiece(triangles, triangleCount, pointCount, numbers, numbers + pointCount);
    CopyPiece(points, pointCount, triangles, triangleCount, shift, numbers, root, numbers + pointCount, proxy);
    if (qvProxyVolume(proxy->vertices, proxy->triangles, proxy->triangleCount) < 0.0)
    {
        for (int t = 0; t < proxy->triangleCount; t++)
        {
            int32_t swap = proxy->triangles[t].v[1];
            proxy->triangles[t].v[1] = proxy->triangles[t].v[2];
            proxy->triangles[t].v[2] = swap;
        }
    }
    free(numbers);
    *out = proxy;
    return qv_ok;
}

// --- Simplifying ----------------------------------------------------------------------------------------------------

static qvResult Check(const qvProxy* proxy, qvError* error)
{
    return qvCheckProxy(proxy->vertices, proxy->vertexCount, proxy->triangles, proxy->triangleCount, error);
}

// Mean of the radius of the inscribed over that of the circumscribed circle, twice: 1 of regular triangles.
static double Regularity(const qvProxy* proxy)
{
    double sum = 0.0;
    for (int t = 0; t < proxy->triangleCount; t++)
    {
        const int32_t* v = proxy->triangles[t].v;
        double a = qvDistance(proxy->vertices[v[0]], proxy->vertices[v[1]]);
        double b = qvDistance(proxy->vertices[v[1]], proxy->vertices[v[2]]);
        double c = qvDistance(proxy->vertices[v[2]], proxy->vertices[v[0]]);
        sum += (b + c - a) * (c + a - b) * (a + b - c) / fmax(a * b * c, 1e-300);
    }
    return sum / proxy->triangleCount;
}

// Vertices move along the part's surface and edges flip until triangles are regular.
static qvResult Relax(const qvProxyDef* def, const qvProxy* proxy, const qvJob* job, qvProxy** relaxed, qvError* error)
{
    double area = qvProxyArea(proxy->vertices, proxy->triangles, proxy->triangleCount);
    double edge = sqrt(area / (0.866 * proxy->vertexCount));
    qvDistanceGridDef grids = qvDefaultDistanceGridDef();
    grids.pointCount = def->pointCount;
    grids.points = def->points;
    grids.triangleCount = def->triangleCount;
    grids.triangles = def->triangles;
    qvDistanceGridDef_Fit(&grids, 0.4 * edge, 3.0);
    qvDistanceGrid* grid = NULL;
    qvResult result = qvCreateDistanceGrid(&grids, job, &grid, error);
    qvNet net = { .pointCount = proxy->vertexCount, .triangleCount = proxy->triangleCount };
    net.points = qvAllocate((size_t)proxy->vertexCount, sizeof(*net.points));
    net.triangles = qvAllocate((size_t)proxy->triangleCount, sizeof(*net.triangles));
    if (result == qv_ok && (net.points == NULL || net.triangles == NULL))
        result = qvError_OutOfMemory(error, 48.0 * proxy->vertexCount);
    if (result == qv_ok)
    {
        qvProxyField mover;
        qvField field;
        qvProxyField_SetUp(&mover, grid, edge, &field);
        for (int v = 0; v < proxy->vertexCount; v++)
            net.points[v] = qvAdd(proxy->vertices[v], mover.shift);
        memcpy(net.triangles, proxy->triangles, (size_t)proxy->triangleCount * sizeof(*net.triangles));
        result = qvNet_Relax(&net, &field, edge, SHARP)
                     ? qvTakeProxy(net.points, net.pointCount, net.triangles, net.triangleCount,
                                   qvScale(-1.0, mover.shift), relaxed, error)
                     : qvError_OutOfMemory(error, 100.0 * proxy->vertexCount);
    }
    qvDestroyDistanceGrid(grid);
    free(net.points);
    free(net.triangles);
    return result;
}

// Takes the relaxed one where it is better and keeps the shape.
static qvResult Improve(const qvProxyDef* def, const qvJob* job, qvProxy** proxy, qvError* error)
{
    qvProxy *before = *proxy, *relaxed = NULL;
    qvResult result = Relax(def, before, job, &relaxed, error);
    if (result != qv_ok)
        return result == qv_badInput ? qv_ok : result;
    double volume = qvProxyVolume(before->vertices, before->triangles, before->triangleCount);
    double after = qvProxyVolume(relaxed->vertices, relaxed->triangles, relaxed->triangleCount);
    qvError ignored;
    bool isBetter = fabs(after - volume) <= MOST_SHRINK * volume && Regularity(relaxed) > Regularity(before) &&
                    Check(relaxed, &ignored) == qv_ok;
    qvDestroyProxy(isBetter ? before : relaxed);
    *proxy = isBetter ? relaxed : before;
    return qv_ok;
}

// qv_badInput: the simplifier cannot do it.
static qvResult Simplify(const qvProxyDef* def, const qvJob* job, qvProxy** proxy, qvError* error)
{
    qvTriangle* few = qvAllocateRaw((size_t)def->triangleCount, sizeof(*few));
    if (few == NULL)
        return qvError_OutOfMemory(error, 12.0 * def->triangleCount);
    int count = qvSimplify(def->points, def->pointCount, def->triangles, def->triangleCount, 2 * def->detail - 4, few);
    qvResult result =
        count < 0 ? qvError_OutOfMemory(error, 12.0 * def->pointCount)
                  : qvTakeProxy(def->points, def->pointCount, few, count, qvMakeVec3(0.0, 0.0, 0.0), proxy, error);
    free(few);
    if (result == qv_ok && (*proxy)->vertexCount > MOST_FINE * def->detail)
        result = qvError_Set(error, qv_badInput, "it cannot be simplified to %d vertices", def->detail);
    if (result == qv_ok)
    {
        // What the simplifier leaves may be thin or crossed where relaxing helps.
        result = Improve(def, job, proxy, error);
        if (result == qv_ok)
            result = Check(*proxy, error);
    }
    if (result != qv_ok)
    {
        qvDestroyProxy(*proxy);
        *proxy = NULL;
    }
    return result;
}

// --- All ways -------------------------------------------------------------------------------------------------------

// Whether every edge has two triangles that run along it in opposite directions.
static bool IsClosedManifold(const qvProxyDef* def, bool* outOfMemory)
{
    int32_t* opposites = qvMakeOpposites(def->triangles, def->triangleCount);
    *outOfMemory = opposites == NULL;
    bool isClosed = opposites != NULL;
    for (int c = 0; isClosed && c < 3 * def->triangleCount; c++)
        isClosed = opposites[c] >= 0 && opposites[opposites[c]] == c;
    free(opposites);
    return isClosed;
}

static qvResult TakeAsIs(const qvProxyDef* def, qvProxy** proxy, qvError* error)
{
    qvResult result = qvTakeProxy(def->points, def->pointCount, def->triangles, def->triangleCount,
                                  qvMakeVec3(0.0, 0.0, 0.0), proxy, error);
    if (result == qv_ok)
        result = Check(*proxy, error);
    if (result != qv_ok)
    {
        qvDestroyProxy(*proxy);
        *proxy = NULL;
    }
    return result;
}

static qvResult RemeshOnce(const qvProxyDef* def, const qvJob* job, qvProxy** proxy, qvError* error)
{
    qvResult result = qvRemeshProxy(def, job, proxy, error);
    if (result == qv_ok)
        result = Check(*proxy, error);
    if (result != qv_ok)
    {
        qvDestroyProxy(*proxy);
        *proxy = NULL;
    }
    return result;
}

// Where thin walls are close a net may pass through itself; with cells of a little other size it hardly does so again.
static qvResult Remesh(const qvProxyDef* def, const qvJob* job, qvProxy** proxy, qvError* error)
{
    qvResult result = RemeshOnce(def, job, proxy, error);
    for (int i = 0; result == qv_badInput && i < (int)(sizeof(otherDetails) / sizeof(otherDetails[0])); i++)
    {
        qvError own;
        qvProxyDef other = *def;
        other.detail = (int)fmin(fmax(otherDetails[i] * def->detail, qv_proxyFewest), qv_proxyMost);
        result = RemeshOnce(&other, job, proxy, &own);
        if (result != qv_ok && result != qv_badInput)
            *error = own;
    }
    return result;
}

qvResult qvCreateProxy(const qvProxyDef* def, const qvJob* job, qvProxy** proxy, qvError* error)
{
    QV_ASSERT(def->pointCount > 0 && def->triangleCount > 0);
    QV_ASSERT(def->detail >= qv_proxyFewest && def->detail <= qv_proxyMost);
    *proxy = NULL;
    if (!(qvProxyArea(def->points, def->triangles, def->triangleCount) > 0.0))
        return qvError_Set(error, qv_badInput, "it has no area");
    bool outOfMemory;
    qvResult result = qv_badInput;
    qvProxyWay way = qv_proxyRemeshed;
    bool isClosed = IsClosedManifold(def, &outOfMemory);
    if (outOfMemory)
        return qvError_OutOfMemory(error, 36.0 * def->triangleCount);
    if (isClosed && def->pointCount >= qv_proxyFewest / 2 && def->pointCount <= FINE_ENOUGH * def->detail)
    {
        way = qv_proxySame;
        result = TakeAsIs(def, proxy, error);
    }
    if (result == qv_badInput && isClosed && def->pointCount > def->detail)
    {
        way = qv_proxySimplified;
        result = Simplify(def, job, proxy, error);
    }
    if (result == qv_badInput)
    {
        way = qv_proxyRemeshed;
        result = Remesh(def, job, proxy, error);
    }
    if (result == qv_ok)
        (*proxy)->way = way;
    return result;
}
