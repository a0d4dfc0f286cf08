// SPDX-License-Identifier: GPL-3.0-or-later
// Proxies along the zero set of a distance: surface nets on a grid, made regular (mesh/implicit.h). What an open mesh
// winds around is solid: A. Jacobson, L. Kavan, O. Sorkine-Hornung, "Robust inside-outside segmentation using
// generalized winding numbers" (2013).
#include "body/proxy_build.h"

#include "base/memory.h"
#include "body/distance_build.h"
#include "mesh/meshopt.h"

#include <math.h>
#include <stdlib.h>

enum
{
    MOST_TRIES = 8,           // of cell sizes
    WINDING_TRIANGLES = 1000, // of a mesh whose winding is asked for
    ROW_GRAIN = 8,
    ROW_RUN = 512, // between two questions whether to go on
};

static const double COUNT_ERROR = 0.12; // of the number of vertices
static const double FINENESS = 0.7;     // cells of the distance in one of the net
static const double SHEET = 0.75;       // cells of the net: what a sheet is thickened by on either side
static const double SOLID = 0.8;        // share of the surface with an inside: it is a solid with holes
static const double MOST_LOST = 0.4;    // share of the net in other pieces

// --- Inside or outside ----------------------------------------------------------------------------------------------

typedef struct Winding
{
    const qvVec3* points;
    qvTriangle* triangles; // few, of the same points
    int triangleCount;
} Winding;

static qvResult MakeWinding(const qvProxyDef* def, Winding* winding, qvError* error)
{
    *winding = (Winding){ .points = def->points };
    winding->triangles = qvAllocateRaw((size_t)def->triangleCount, sizeof(*winding->triangles));
    if (winding->triangles == NULL)
        return qvError_OutOfMemory(error, 12.0 * def->triangleCount);
    winding->triangleCount = qvSimplify(def->points, def->pointCount, def->triangles, def->triangleCount,
                                        WINDING_TRIANGLES, winding->triangles);
    return winding->triangleCount >= 0 ? qv_ok : qvError_OutOfMemory(error, 12.0 * def->pointCount);
}

// How often the mesh winds around a place: 1 inside, 0 outside, in between where it is open.
static double WindingAt(const Winding* winding, qvVec3 x)
{
    double sum = 0.0;
    for (int t = 0; t < winding->triangleCount; t++)
    {
        const int32_t* v = winding->triangles[t].v;
        qvVec3 a = qvSub(winding->points[v[0]], x), b = qvSub(winding->points[v[1]], x);
        qvVec3 c = qvSub(winding->points[v[2]], x);
        double la = qvLength(a), lb = qvLength(b), lc = qvLength(c);
        sum +=
            2.0 * atan2(qvDot(a, qvCross(b, c)), la * lb * lc + qvDot(a, b) * lc + qvDot(b, c) * la + qvDot(c, a) * lb);
    }
    return sum / (4.0 * QV_PI);
}

// The share of the surface that has an inside right below it.
static double Solidity(const qvProxyDef* def, const Winding* winding, double depth)
{
    double solid = 0.0, all = 0.0;
    for (int t = 0; t < winding->triangleCount; t++)
    {
        const int32_t* v = winding->triangles[t].v;
        qvVec3 a = def->points[v[0]], b = def->points[v[1]], c = def->points[v[2]];
        qvVec3 normal = qvCross(qvSub(b, a), qvSub(c, a));
        double area = qvLength(normal);
        qvVec3 middle = qvScale(1.0 / 3.0, qvAdd(a, qvAdd(b, c)));
        all += area;
        if (area > 0.0 && WindingAt(winding, qvMulAdd(middle, -depth / area, normal)) > 0.75)
            solid += area;
    }
    return all > 0.0 ? solid / all : 0.0;
}

typedef struct Signs
{
    const Winding* winding;
    qvDistanceGrid* grid;
    double thickness;
    int firstRow;
} Signs;

// Rows of nodes along x. What is inside is negative, and so is what is nearer to a sheet than its thickness.
static void GiveSigns(void* context, int begin, int end)
{
    const Signs* signs = context;
    qvDistanceGrid* grid = signs->grid;
    for (int row = signs->firstRow + begin; row < signs->firstRow + end; row++)
    {
        int j = row % grid->counts[1], k = row / grid->counts[1];
        for (int i = 0; i < grid->counts[0]; i++)
        {
            float* value = &grid->values[(size_t)row * (size_t)grid->counts[0] + (size_t)i];
            qvVec3 x = qvMulAdd(grid->origin, grid->cellSize, qvMakeVec3(i, j, k));
            double distance = *value, sheet = distance - signs->thickness;
            bool isInside = WindingAt(signs->winding, x) > 0.5;
            *value = (float)(isInside ? fmin(-distance, sheet) : sheet);
        }
    }
}

static qvResult SignGrid(const qvProxyDef* def, double cell, qvDistanceGrid* grid, const qvJob* job, qvError* error)
{
    Winding winding;
    qvResult result = MakeWinding(def, &winding, error);
    if (result == qv_ok)
    {
        bool isSolid = Solidity(def, &winding, 0.5 * cell) > SOLID;
        Signs signs = { &winding, grid, isSolid ? 0.0 : SHEET * cell, 0 };
        int rows = grid->counts[1] * grid->counts[2];
        while (result == qv_ok && signs.firstRow < rows)
        {
            int count = rows - signs.firstRow < ROW_RUN ? rows - signs.firstRow : ROW_RUN;
            qvParallelFor(qvJob_Pool(job), count, ROW_GRAIN, GiveSigns, &signs);
            signs.firstRow += count;
            result = qvJob_Ask(job, error);
        }
    }
    free(winding.triangles);
    return result;
}

// --- The field and its net ------------------------------------------------------------------------------------------

static double Evaluate(const void* context, qvVec3 p)
{
    const qvProxyField* proxy = context;
    return qvDistanceGrid_Sample(proxy->grid, qvSub(p, proxy->shift), NULL);
}

void qvProxyField_SetUp(qvProxyField* proxy, const qvDistanceGrid* grid, double edge, qvField* field)
{
    double keep = 3.0 * edge; // from the mirror plane
    *proxy = (qvProxyField){ grid, qvMakeVec3(keep - grid->origin.x, 0.0, 0.0) };
    qvVec3 size = qvScale(grid->cellSize, qvMakeVec3(grid->counts[0] - 1, grid->counts[1] - 1, grid->counts[2] - 1));
    *field = (qvField){ .evaluate = Evaluate, .steepness = 2.0, .context = proxy };
    field->lower = qvAdd(grid->origin, proxy->shift);
    field->upper = qvAdd(field->lower, size);
}

static qvResult MakeGrid(const qvProxyDef* def, double cell, bool isClosed, const qvJob* job, qvDistanceGrid** grid,
                         qvError* error)
{
    qvDistanceGridDef grids = qvDefaultDistanceGridDef();
    grids.pointCount = def->pointCount;
    grids.points = def->points;
    grids.triangleCount = def->triangleCount;
    grids.triangles = def->triangles;
    grids.isUnsigned = !isClosed;
    qvDistanceGridDef_Fit(&grids, FINENESS * cell, 4.0);
    qvResult result = qvCreateDistanceGrid(&grids, job, grid, error);
    if (result == qv_ok && !isClosed)
    {
        result = SignGrid(def, cell, *grid, job, error);
        if (result != qv_ok)
        {
            qvDestroyDistanceGrid(*grid);
            *grid = NULL;
        }
    }
    return result;
}

// A regular mesh with cells of that size.
static qvResult MakeNet(const qvDistanceGrid* grid, double cell, qvProxy** proxy, qvError* error)
{
    qvProxyField mover;
    qvField field;
    qvNet net = { 0 };
    qvProxyField_SetUp(&mover, grid, cell, &field);
    qvResult result = qv_ok;
    if (!qvField_MakeNet(&field, cell, &net) ||
        (net.triangleCount > 0 && !qvNet_Relax(&net, &field, cell, qv_noSharpEdges)))
        result = qvError_OutOfMemory(error, 1e6);
    else if (net.triangleCount == 0)
        result = qvError_Set(error, qv_badInput, "it is too thin for so few vertices; raise its detail");
    if (result == qv_ok)
        result = qvTakeProxy(net.points, net.pointCount, net.triangles, net.triangleCount, qvScale(-1.0, mover.shift),
                             proxy, error);
    if (result == qv_ok && (*proxy)->triangleCount < (1.0 - MOST_LOST) * net.triangleCount)
    {
        qvDestroyProxy(*proxy);
        *proxy = NULL;
        result = qvError_Set(error, qv_badInput, "it falls to pieces at so few vertices; raise its detail");
    }
    free(net.points);
    free(net.triangles);
    return result;
}

static bool IsClosed(const qvProxyDef* def)
{
    qvDistanceGridDef grids = qvDefaultDistanceGridDef();
    qvError ignored;
    grids.pointCount = def->pointCount;
    grids.points = def->points;
    grids.triangleCount = def->triangleCount;
    grids.triangles = def->triangles;
    return qvCheckClosed(&grids, &ignored) == qv_ok;
}

// Cells shrink or grow until the net has as many vertices as are wanted.
qvResult qvRemeshProxy(const qvProxyDef* def, const qvJob* job, qvProxy** proxy, qvError* error)
{
    double area = qvProxyArea(def->points, def->triangles, def->triangleCount);
    double cell = sqrt(1.5 * area / def->detail);
    bool isClosed = IsClosed(def);
    qvResult result = qv_ok;
    *proxy = NULL;
    for (int n = 0; n < MOST_TRIES; n++)
    {
        qvDistanceGrid* grid = NULL;
        qvDestroyProxy(*proxy);
        *proxy = NULL;
        result = MakeGrid(def, cell, isClosed, job, &grid, error);
        if (result == qv_ok)
            result = MakeNet(grid, cell, proxy, error);
        qvDestroyDistanceGrid(grid);
        if (result == qv_badInput) // finer cells may help
        {
            cell *= 0.7;
            continue;
        }
        double ratio = result == qv_ok ? (double)(*proxy)->vertexCount / def->detail : 1.0;
        if (fabs(ratio - 1.0) <= COUNT_ERROR)
            break;
        cell *= sqrt(ratio);
    }
    if (result == qv_ok && (*proxy)->vertexCount > 2 * def->detail)
    {
        qvDestroyProxy(*proxy);
        *proxy = NULL;
        return qvError_Set(error, qv_badInput, "it is too thin for %d vertices; raise its detail", def->detail);
    }
    return result;
}
