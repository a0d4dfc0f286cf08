// SPDX-License-Identifier: GPL-3.0-or-later
// Signed distance of a closed mesh on a grid: exact in a band around the surface, from there on handed on from node to
// node, with signs from signed crossings along rows of nodes. The scheme is that of R. Bridson, Fluid Simulation for
// Computer Graphics, 2015 (level sets from meshes), with winding numbers instead of parity, so that parts may overlap.
#include "body/distance_build.h"

#include "base/assert.h"
#include "base/hash.h"
#include "base/memory.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum
{
    LOOKS = 4 // from outside the grid at the surface within
};

qvDistanceGridDef qvDefaultDistanceGridDef(void)
{
    return (qvDistanceGridDef){ .cellSize = 1.0, .counts = { 2, 2, 2 }, .band = 2.0 };
}

static int CountNodes(double lower, double upper, double cellSize)
{
    double count = ceil((upper - lower) / cellSize) + 1.0;
    return count < INT_MAX ? (int)fmax(count, 2.0) : INT_MAX;
}

void qvDistanceGridDef_Fit(qvDistanceGridDef* def, double cellSize, double padding)
{
    QV_ASSERT(def->pointCount > 0 && cellSize > 0.0 && padding >= 0.0);
    qvVec3 lower = def->points[0], upper = lower;
    for (int p = 1; p < def->pointCount; p++)
    {
        qvVec3 v = def->points[p];
        lower = qvMakeVec3(fmin(lower.x, v.x), fmin(lower.y, v.y), fmin(lower.z, v.z));
        upper = qvMakeVec3(fmax(upper.x, v.x), fmax(upper.y, v.y), fmax(upper.z, v.z));
    }
    double space = padding * cellSize;
    def->cellSize = cellSize;
    def->origin = qvSub(lower, qvMakeVec3(space, space, space));
    def->counts[0] = CountNodes(lower.x - space, upper.x + space, cellSize);
    def->counts[1] = CountNodes(lower.y - space, upper.y + space, cellSize);
    def->counts[2] = CountNodes(lower.z - space, upper.z + space, cellSize);
}

uint64_t qvDistanceGridDef_Hash(const qvDistanceGridDef* def)
{
    uint64_t hash = qvHash(def->points, (size_t)def->pointCount * sizeof(*def->points), 1);
    hash = qvHash(def->triangles, (size_t)def->triangleCount * sizeof(*def->triangles), hash);
    const double numbers[] = { def->origin.x, def->origin.y, def->origin.z, def->cellSize, def->band, def->isUnsigned };
    hash = qvHash(numbers, sizeof(numbers), hash);
    return qvHash(def->counts, sizeof(def->counts), hash);
}

static void FreeBuild(qvDistanceBuild* build)
{
    free(build->points);
    free(build->squares);
    free(build->nearest);
    for (int k = 0; k < 3; k++)
        free(build->closest[k]);
    free(build->winding);
}

static bool SetUpBuild(const qvDistanceGridDef* def, size_t nodeCount, qvDistanceBuild* build)
{
    *build = (qvDistanceBuild){ .triangleCount = def->triangleCount, .triangles = def->triangles, .band = def->band };
    for (int k = 0; k < 3; k++)
    {
        build->counts[k] = def->counts[k];
        build->closest[k] = qvAllocateLarge(nodeCount, sizeof(*build->closest[k]));
    }
    build->points = qvAllocateRaw((size_t)def->pointCount, sizeof(*build->points));
    build->squares = qvAllocateLarge(nodeCount, sizeof(*build->squares));
    build->nearest = qvAllocateLarge(nodeCount, sizeof(*build->nearest));
    build->winding = qvAllocateLarge(nodeCount, sizeof(*build->winding));
    if (build->points == NULL || build->squares == NULL || build->nearest == NULL || build->winding == NULL ||
        build->closest[0] == NULL || build->closest[1] == NULL || build->closest[2] == NULL)
        return false;
    for (int p = 0; p < def->pointCount; p++)
        build->points[p] = qvScale(1.0 / def->cellSize, qvSub(def->points[p], def->origin));
    return true;
}

static qvResult CheckSize(const qvDistanceGridDef* def, qvError* error)
{
    double nodes = (double)def->counts[0] * def->counts[1] * def->counts[2];
    if (nodes > 1 << 28)
        return qvError_Set(error, qv_badInput, "A grid of %d x %d x %d nodes is too large: make its cells larger",
                           def->counts[0], def->counts[1], def->counts[2]);
    return qv_ok;
}

// The squares become signed lengths in place, which are the grid's values.
static void TakeValues(qvDistanceBuild* build, const qvDistanceGridDef* def, float* values, size_t nodeCount)
{
    for (size_t n = 0; n < nodeCount; n++)
    {
        float length = (float)(sqrt((double)build->squares[n]) * def->cellSize);
        values[n] = build->winding[n] > 0 && !def->isUnsigned ? -length : length;
    }
}

static void TakeGrid(const qvDistanceGridDef* def, qvDistanceBuild* build, size_t nodeCount, qvDistanceGrid* grid)
{
    TakeValues(build, def, build->squares, nodeCount);
    *grid = (qvDistanceGrid){ .origin = def->origin, .cellSize = def->cellSize, .values = build->squares };
    for (int k = 0; k < 3; k++)
        grid->counts[k] = def->counts[k];
    build->squares = NULL;
}

qvResult qvCreateDistanceGrid(const qvDistanceGridDef* def, const qvJob* job, qvDistanceGrid** grid, qvError* error)
{
    QV_ASSERT(def != NULL && grid != NULL && def->cellSize > 0.0 && def->band >= 1.0);
    QV_ASSERT(def->counts[0] >= 2 && def->counts[1] >= 2 && def->counts[2] >= 2);
    qvResult result = CheckSize(def, error);
    if (result == qv_ok && !def->isUnsigned)
        result = qvCheckClosed(def, error);
    if (result != qv_ok)
        return result;
    size_t nodeCount = (size_t)def->counts[0] * (size_t)def->counts[1] * (size_t)def->counts[2];
    qvDistanceBuild build;
    bool isAllocated = SetUpBuild(def, nodeCount, &build);
    qvDistanceGrid* made = qvAllocate(1, sizeof(*made));
    if (!isAllocated || made == NULL)
        result = qvError_OutOfMemory(error, 24.0 * (double)nodeCount);
    if (result == qv_ok)
        result = qvDistanceBuild_Band(&build, job, error);
    if (result == qv_ok)
        result = qvDistanceBuild_Sweep(&build, job, error);
    if (result == qv_ok)
    {
        TakeGrid(def, &build, nodeCount, made);
        *grid = made;
        made = NULL;
    }
    FreeBuild(&build);
    free(made);
    return result;
}

qvResult qvCreateDistanceBand(const qvDistanceGridDef* def, const qvJob* job, qvDistanceGrid** grid, int32_t** nearest,
                              qvError* error)
{
    QV_ASSERT(def->cellSize > 0.0 && def->band >= 1.0);
    *grid = NULL;
    *nearest = NULL;
    qvResult result = CheckSize(def, error);
    if (result != qv_ok)
        return result;
    size_t nodeCount = (size_t)def->counts[0] * (size_t)def->counts[1] * (size_t)def->counts[2];
    qvDistanceBuild build;
    bool isAllocated = SetUpBuild(def, nodeCount, &build);
    qvDistanceGrid* made = qvAllocate(1, sizeof(*made));
    if (!isAllocated || made == NULL)
        result = qvError_OutOfMemory(error, 24.0 * (double)nodeCount);
    if (result == qv_ok)
        result = qvDistanceBuild_Band(&build, job, error);
    if (result == qv_ok)
    {
        for (size_t n = 0; n < nodeCount; n++)
            build.squares[n] = fminf(build.squares[n], (float)(def->band * def->band));
        TakeGrid(def, &build, nodeCount, made);
        *grid = made;
        *nearest = build.nearest;
        made = NULL;
        build.nearest = NULL;
    }
    FreeBuild(&build);
    free(made);
    return result;
}

void qvDestroyDistanceGrid(qvDistanceGrid* grid)
{
    if (grid == NULL)
        return;
    free(grid->values);
    free(grid);
}

// The cell of a coordinate in cells and the place in it, in [0, 1].
static int Locate(double at, int count, double* within)
{
    int cell = (int)fmin(fmax(floor(at), 0.0), count - 2.0);
    *within = at - cell;
    return cell;
}

static double SampleInside(const qvDistanceGrid* grid, const double at[3], qvVec3* gradient)
{
    double x, y, z;
    int i = Locate(at[0], grid->counts[0], &x), j = Locate(at[1], grid->counts[1], &y);
    int k = Locate(at[2], grid->counts[2], &z);
    size_t row = (size_t)grid->counts[0], layer = row * (size_t)grid->counts[1];
    const float* v = grid->values + (size_t)k * layer + (size_t)j * row + (size_t)i;
    // Along x first: value and slope on the four edges of the cell.
    double s00 = v[1] - v[0], s10 = v[row + 1] - v[row];
    double s01 = v[layer + 1] - v[layer], s11 = v[layer + row + 1] - v[layer + row];
    double v00 = v[0] + x * s00, v10 = v[row] + x * s10;
    double v01 = v[layer] + x * s01, v11 = v[layer + row] + x * s11;
    double near = v00 + y * (v10 - v00), far = v01 + y * (v11 - v01);
    double slopeNear = s00 + y * (s10 - s00), slopeFar = s01 + y * (s11 - s01);
    *gradient = qvScale(1.0 / grid->cellSize, qvMakeVec3(slopeNear + z * (slopeFar - slopeNear),
                                                         (v10 - v00) + z * ((v11 - v01) - (v10 - v00)), far - near));
    return near + z * (far - near);
}

// Where the way from a place in the grid to a point outside leaves it.
static void LeaveGrid(const qvDistanceGrid* grid, const double from[3], const double to[3], double at[3])
{
    double along = 1.0;
    for (int k = 0; k < 3; k++)
    {
        double end = grid->counts[k] - 1.0, step = to[k] - from[k];
        if (to[k] < 0.0 || to[k] > end)
            along = fmin(along, ((to[k] < 0.0 ? 0.0 : end) - from[k]) / step);
    }
    for (int k = 0; k < 3; k++)
        at[k] = fmin(fmax(from[k] + fmax(along, 0.0) * (to[k] - from[k]), 0.0), grid->counts[k] - 1.0);
}

// Outside the grid: the point of the surface that is closest to the point is also the one closest to where the way
// there leaves the grid. That place is found by going back and forth, from the nearest place of the border on.
static double SampleOutside(const qvDistanceGrid* grid, const double wanted[3], double at[3], qvVec3* gradient)
{
    qvVec3 point = qvMakeVec3(wanted[0], wanted[1], wanted[2]), away = point;
    double least = INFINITY;
    for (int i = 0; i < LOOKS; i++)
    {
        qvVec3 slope, border = qvMakeVec3(at[0], at[1], at[2]);
        double value = SampleInside(grid, at, &slope) / grid->cellSize;
        qvVec3 seen = value > 0.0 ? qvMulAdd(border, -value, qvNormalize(slope)) : border;
        double distance = fmin(value, 0.0) + qvDistance(point, seen);
        if (distance < least)
        {
            least = distance;
            away = qvSub(point, seen);
        }
        if (value <= 0.0)
            break;
        LeaveGrid(grid, (double[3]){ seen.x, seen.y, seen.z }, wanted, at);
    }
    *gradient = qvNormalize(away);
    return least * grid->cellSize;
}

double qvDistanceGrid_Sample(const qvDistanceGrid* grid, qvVec3 point, qvVec3* gradient)
{
    qvVec3 local = qvScale(1.0 / grid->cellSize, qvSub(point, grid->origin)), slope;
    const double wanted[3] = { local.x, local.y, local.z };
    double at[3];
    bool isInside = true;
    for (int k = 0; k < 3; k++)
    {
        at[k] = fmin(fmax(wanted[k], 0.0), grid->counts[k] - 1.0);
        isInside = isInside && at[k] == wanted[k];
    }
    double value = isInside ? SampleInside(grid, at, &slope) : SampleOutside(grid, wanted, at, &slope);
    if (gradient != NULL)
        *gradient = slope;
    return value;
}
