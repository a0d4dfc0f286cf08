// SPDX-License-Identifier: GPL-3.0-or-later
#include "phyxel/flow_surface.h"

#include "base/memory.h"
#include "math/mat3.h"
#include "phyxel/flow_field.h"
#include "phyxel/kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    DILATIONS = 6, // by which beta grows over the mesh
    MOST_NODES = 3000000,
    PADDING = 2 // cells around everything
};

static const double BAND = 1.25;                              // cells in which the carried mesh's distance is exact
static const double BLOB_REACH = 2.0;                         // spacings
static const double VERTEX_REACH = 1.5, VERTEX_FAR = 1.0;     // spacings: where vertices count, and from when on less
static const double LOOKS = 3.0;                              // spacings at rest between the looks of one triangle
static const double FINEST = 1.0 / 4.0, COARSEST = 1.0 / 2.5; // of a spacing: cells
static const double TORN = 2.5;    // a pair's distance over that at rest, beyond which it has come apart
static const double STRANGE = 2.5; // radii at rest between phyxels that are neighbours now, which have merged
static const double TEARS[2] = { 0.25, 0.6 };    // share of such neighbours at which beta begins, and is 1
static const double STRETCHES[2] = { 2.5, 4.5 }; // of an edge, the same

struct qvFlowSurface
{
    const qvPhyxelBody* body;
    const qvMesh* mesh;
    double cell, blobRadius;
    double* edges;          // of each triangle: the lengths at rest of its three edges
    int32_t* charts;        // of each triangle
    int32_t* pointPhyxel;   // of each point: the nearest phyxel at rest
    int32_t* pointTriangle; // of each point: one of its triangles
    int32_t* phyxelPoint;   // of each phyxel: one of the nearest points at rest
};

// --- Grids -----------------------------------------------------------------------------------------------------------

typedef struct Grid
{
    qvVec3 origin;
    double cell;
    int counts[3];
    size_t size;
} Grid;

static Grid FitGrid(qvVec3 lower, qvVec3 upper, double cell, double padding)
{
    Grid grid = { .cell = cell };
    for (;; grid.cell *= 1.1)
    {
        double wide = 2.0 * padding * grid.cell, nodes = 1.0;
        const double sizes[3] = { upper.x - lower.x, upper.y - lower.y, upper.z - lower.z };
        for (int k = 0; k < 3; k++)
            nodes *= ceil((sizes[k] + wide) / grid.cell) + 1.0;
        if (!(nodes <= MOST_NODES))
            continue;
        grid.origin = qvSub(lower, qvMakeVec3(0.5 * wide, 0.5 * wide, 0.5 * wide));
        for (int k = 0; k < 3; k++)
            grid.counts[k] = (int)ceil((sizes[k] + wide) / grid.cell) + 1;
        grid.size = (size_t)grid.counts[0] * (size_t)grid.counts[1] * (size_t)grid.counts[2];
        return grid;
    }
}

static size_t NodeOf(const Grid* grid, int i, int j, int k)
{
    return ((size_t)k * (size_t)grid->counts[1] + (size_t)j) * (size_t)grid->counts[0] + (size_t)i;
}

static void GrowBox(qvVec3 x, double around, qvVec3* lower, qvVec3* upper)
{
    *lower = qvMakeVec3(fmin(lower->x, x.x - around), fmin(lower->y, x.y - around), fmin(lower->z, x.z - around));
    *upper = qvMakeVec3(fmax(upper->x, x.x + around), fmax(upper->y, x.y + around), fmax(upper->z, x.z + around));
}

// The nodes along one axis within reach of a place, both in cells.
static void Within(double at, double reach, int count, int* begin, int* end)
{
    *begin = (int)fmax(0.0, ceil(at - reach));
    *end = (int)fmin(count, floor(at + reach) + 1.0);
}

// Calls for the nodes around a point: with the square of the distance in cells.
typedef void SplatFcn(void* context, size_t node, float square);

static inline void Splat(const Grid* grid, qvVec3 point, double reach, SplatFcn* fcn, void* context)
{
    qvVec3 at = qvScale(1.0 / grid->cell, qvSub(point, grid->origin));
    double far = reach / grid->cell;
    int j0, j1, k0, k1;
    Within(at.y, far, grid->counts[1], &j0, &j1);
    Within(at.z, far, grid->counts[2], &k0, &k1);
    for (int k = k0; k < k1; k++)
    {
        for (int j = j0; j < j1; j++)
        {
            double beside = (j - at.y) * (j - at.y) + (k - at.z) * (k - at.z), left = far * far - beside;
            int i0, i1;
            if (!(left > 0.0))
                continue;
            Within(at.x, sqrt(left), grid->counts[0], &i0, &i1);
            size_t row = NodeOf(grid, 0, j, k);
            for (int i = i0; i < i1; i++)
                fcn(context, row + (size_t)i, (float)((i - at.x) * (i - at.x) + beside));
        }
    }
}

// --- Blobs -----------------------------------------------------------------------------------------------------------

typedef struct BlobSums
{
    float (*sums)[4]; // of each node: w x_i, w
    float inverse;    // one over the square of the reach in cells
    float x[3];       // the phyxel, relative to the grid's origin
} BlobSums;

static inline void AddBlob(void* context, size_t node, float square)
{
    const BlobSums* blobs = context;
    float q = 1.0f - square * blobs->inverse, w = q > 0.0f ? q * q * q : 0.0f;
    float* sum = blobs->sums[node];
    sum[0] += w * blobs->x[0];
    sum[1] += w * blobs->x[1];
    sum[2] += w * blobs->x[2];
    sum[3] += w;
}

// Of each node |sum w (x_i - x)| / sum w, or the reach where no phyxel is.
static float* BlobDistances(const qvPhyxelBody* body, const qvVec3* phyxels, const Grid* grid)
{
    double reach = BLOB_REACH * body->spacing;
    BlobSums blobs = { .inverse = (float)(grid->cell * grid->cell / (reach * reach)) };
    blobs.sums = qvAllocate(grid->size, sizeof(*blobs.sums));
    float* distances = qvAllocateRaw(grid->size, sizeof(*distances));
    for (int p = 0; blobs.sums != NULL && distances != NULL && p < body->count; p++)
    {
        qvVec3 x = qvSub(phyxels[p], grid->origin);
        memcpy(blobs.x, (float[3]){ (float)x.x, (float)x.y, (float)x.z }, sizeof(blobs.x));
        Splat(grid, phyxels[p], reach, AddBlob, &blobs);
    }
    for (int k = 0; blobs.sums != NULL && distances != NULL && k < grid->counts[2]; k++)
    {
        for (int j = 0; j < grid->counts[1]; j++)
        {
            size_t row = NodeOf(grid, 0, j, k);
            for (int i = 0; i < grid->counts[0]; i++)
            {
                const float *s = blobs.sums[row + (size_t)i], cell = (float)grid->cell;
                float w = s[3], x = s[0] - w * cell * (float)i, y = s[1] - w * cell * (float)j;
                float z = s[2] - w * cell * (float)k;
                distances[row + (size_t)i] = w > 0.0f ? sqrtf(x * x + y * y + z * z) / w : (float)reach;
            }
        }
    }
    free(blobs.sums);
    return distances;
}

static int CompareFloats(const void* a, const void* b)
{
    float x = *(const float*)a, y = *(const float*)b;
    return (x > y) - (x < y);
}

// The radius with which the blobs have the body's volume at rest.
static qvResult FindBlobRadius(qvFlowSurface* s, qvError* error)
{
    const qvPhyxelBody* body = s->body;
    qvVec3 lower = body->points[0], upper = lower;
    for (int p = 0; p < body->count; p++)
        GrowBox(body->points[p], body->spacing, &lower, &upper);
    Grid grid = FitGrid(lower, upper, COARSEST * 0.7 * body->spacing, PADDING);
    float* distances = BlobDistances(body, body->points, &grid);
    if (distances == NULL)
        return qvError_OutOfMemory(error, 20.0 * (double)grid.size);
    qsort(distances, grid.size, sizeof(*distances), CompareFloats);
    double wanted = body->volume / (grid.cell * grid.cell * grid.cell);
    s->blobRadius = distances[(size_t)fmin(wanted, (double)grid.size - 1.0)];
    free(distances);
    return qv_ok;
}

// --- Making ----------------------------------------------------------------------------------------------------------

static int32_t NearestOf(const qvNearLists* lists, const qvNearQuery* query, qvVec3 x)
{
    int32_t found[64], best = -1;
    int count = qvNearLists_Around(lists, query, x, query->radius, found, 64);
    double nearest = INFINITY;
    for (int n = 0; n < count; n++)
    {
        double distance = qvDistance(query->points[found[n]], x);
        if (distance < nearest)
        {
            nearest = distance;
            best = found[n];
        }
    }
    for (int i = 0; count == 0 && i < query->count; i++)
    {
        double distance = qvDistance(query->points[i], x);
        if (distance < nearest)
        {
            nearest = distance;
            best = i;
        }
    }
    return best;
}

// Phyxels deep inside take over a point from their neighbours, layer by layer: they show it when they come out.
static void SpreadPoints(qvFlowSurface* s)
{
    const qvNearLists* near = &s->body->reference.near;
    for (bool isMore = true; isMore;)
    {
        isMore = false;
        for (int i = 0; i < s->body->count; i++)
        {
            for (int n = near->start[i]; s->phyxelPoint[i] < 0 && n < near->start[i + 1]; n++)
            {
                s->phyxelPoint[i] = s->phyxelPoint[near->index[n]];
                isMore = isMore || s->phyxelPoint[i] >= 0;
            }
        }
    }
    for (int i = 0; i < s->body->count; i++)
        s->phyxelPoint[i] = s->phyxelPoint[i] < 0 ? 0 : s->phyxelPoint[i];
}

static qvResult FindNearest(qvFlowSurface* s, const qvVec3* rest, qvError* error)
{
    const qvPhyxelBody* body = s->body;
    qvNearQuery query = { .count = body->count, .points = body->points, .radius = 2.0 * body->spacing };
    qvNearLists lists = { 0 };
    qvResult result = qvNearLists_Find(&lists, &query, error);
    double* nearest = qvAllocate((size_t)body->count, sizeof(*nearest));
    if (result == qv_ok && nearest == NULL)
        result = qvError_OutOfMemory(error, 8.0 * body->count);
    for (int v = 0; result == qv_ok && v < s->mesh->pointCount; v++)
        s->pointPhyxel[v] = NearestOf(&lists, &query, rest[v]);
    memset(s->phyxelPoint, -1, (size_t)body->count * sizeof(*s->phyxelPoint));
    for (int v = 0; result == qv_ok && v < s->mesh->pointCount; v++)
    {
        int32_t p = s->pointPhyxel[v];
        double closeness = 1.0 / (1e-30 + qvDistance(rest[v], body->points[p]));
        if (closeness > nearest[p])
        {
            nearest[p] = closeness;
            s->phyxelPoint[p] = v;
        }
    }
    if (result == qv_ok)
        SpreadPoints(s);
    free(nearest);
    qvNearLists_Free(&lists);
    return result;
}

static int32_t RootOf(int32_t* parents, int32_t v)
{
    while (parents[v] != v)
    {
        parents[v] = parents[parents[v]];
        v = parents[v];
    }
    return v;
}

// Triangles that share vertices, which are split at the seams of the texture, are in one chart.
static qvResult FindCharts(qvFlowSurface* s, qvError* error)
{
    const qvMesh* mesh = s->mesh;
    int32_t* parents = qvAllocateRaw((size_t)mesh->vertexCount, sizeof(*parents));
    if (parents == NULL)
        return qvError_OutOfMemory(error, 4.0 * mesh->vertexCount);
    for (int v = 0; v < mesh->vertexCount; v++)
        parents[v] = v;
    for (int t = 0; t < mesh->triangleCount; t++)
    {
        const int32_t* v = mesh->triangles[t].v;
        for (int k = 1; k < 3; k++)
            parents[RootOf(parents, v[k])] = RootOf(parents, v[0]);
    }
    for (int t = 0; t < mesh->triangleCount; t++)
        s->charts[t] = RootOf(parents, mesh->triangles[t].v[0]);
    free(parents);
    return qv_ok;
}

static void MeasureEdges(qvFlowSurface* s, const qvVec3* rest)
{
    double sum = 0.0, spacing = s->body->spacing;
    for (int t = 0; t < s->mesh->triangleCount; t++)
    {
        const int32_t* v = s->mesh->pointTriangles[t].v;
        for (int k = 0; k < 3; k++)
        {
            s->edges[3 * t + k] = qvDistance(rest[v[k]], rest[v[(k + 1) % 3]]);
            sum += s->edges[3 * t + k];
            s->pointTriangle[v[k]] = t;
        }
    }
    double mean = sum / (3.0 * s->mesh->triangleCount);
    s->cell = fmin(fmax(mean, FINEST * spacing), COARSEST * spacing);
}

qvResult qvCreateFlowSurface(const qvPhyxelBody* body, const qvMesh* mesh, const qvVec3* rest, qvFlowSurface** surface,
                             qvError* error)
{
    *surface = NULL;
    qvFlowSurface* s = qvAllocate(1, sizeof(*s));
    if (s == NULL)
        return qvError_OutOfMemory(error, sizeof(*s));
    s->body = body;
    s->mesh = mesh;
    s->edges = qvAllocate(3 * (size_t)mesh->triangleCount, sizeof(*s->edges));
    s->charts = qvAllocate((size_t)mesh->triangleCount, sizeof(*s->charts));
    s->pointPhyxel = qvAllocate((size_t)mesh->pointCount, sizeof(*s->pointPhyxel));
    s->pointTriangle = qvAllocate((size_t)mesh->pointCount, sizeof(*s->pointTriangle));
    s->phyxelPoint = qvAllocate((size_t)body->count, sizeof(*s->phyxelPoint));
    qvResult result = qv_ok;
    if (s->edges == NULL || s->charts == NULL || s->pointPhyxel == NULL || s->pointTriangle == NULL ||
        s->phyxelPoint == NULL)
        result = qvError_OutOfMemory(error, 28.0 * mesh->triangleCount);
    if (result == qv_ok)
        result = FindNearest(s, rest, error);
    if (result == qv_ok)
        result = FindCharts(s, error);
    if (result == qv_ok)
    {
        MeasureEdges(s, rest);
        result = FindBlobRadius(s, error);
    }
    if (result == qv_ok)
        *surface = s;
    else
        qvDestroyFlowSurface(s);
    return result;
}

void qvDestroyFlowSurface(qvFlowSurface* surface)
{
    if (surface == NULL)
        return;
    free(surface->edges);
    free(surface->charts);
    free(surface->pointPhyxel);
    free(surface->pointTriangle);
    free(surface->phyxelPoint);
    free(surface);
}

// --- What has torn ---------------------------------------------------------------------------------------------------

static double Ramp(double value, const double range[2])
{
    return qvSmoothStep((value - range[0]) / (range[1] - range[0]));
}

// Of each phyxel: the share of its neighbours at rest that are far now, or of strangers among those that are near.
static qvResult FindTorn(const qvFlowSurface* s, const qvVec3* phyxels, double* tears, qvError* error)
{
    const qvPhyxelBody* body = s->body;
    const qvNearLists* near = &body->reference.near;
    qvNearLists strangers = { 0 };
    qvNearQuery query = { .count = body->count,
                          .points = phyxels,
                          .radius = body->radius,
                          .homes = body->points,
                          .homeLimit = STRANGE * body->radius };
    qvResult result = qvNearLists_Find(&strangers, &query, error);
    for (int i = 0; result == qv_ok && i < body->count; i++)
    {
        int torn = 0, all = near->start[i + 1] - near->start[i], found = strangers.start[i + 1] - strangers.start[i];
        for (int n = near->start[i]; n < near->start[i + 1]; n++)
        {
            int j = near->index[n];
            torn += qvDistance(phyxels[i], phyxels[j]) > TORN * qvDistance(body->points[i], body->points[j]);
        }
        double share = fmax((double)torn / (all + 1e-9), (double)found / (all + 1e-9));
        tears[i] = fmax(tears[i], Ramp(share, TEARS));
    }
    qvNearLists_Free(&strangers);
    return result;
}

// About the largest stretch of J, the eighth root of |(J^T J)^4|: at most 7 % above it.
static double StretchOf(const double columns[3][4])
{
    qvMat3 m;
    for (int k = 0; k < 9; k++)
    {
        const double *a = columns[k / 3], *b = columns[k % 3];
        m.m[k / 3][k % 3] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    }
    m = qvMat3_Product(&m, &m);
    m = qvMat3_Product(&m, &m);
    return pow(qvMat3_Dot(&m, &m), 1.0 / 16.0);
}

static qvResult FindStretched(const qvFlowSurface* s, const qvVec3* phyxels, double* tears, qvError* error)
{
    int n = s->body->count;
    double(*positions)[4] = qvAllocateRaw((size_t)n, sizeof(*positions));
    double(*columns)[3][4] = qvAllocateRaw((size_t)n, sizeof(*columns));
    bool isMade = positions != NULL && columns != NULL;
    qvPhyxelListsD lists = qvPhyxelReference_Lists(&s->body->reference);
    for (int i = 0; isMade && i < n; i++)
        memcpy(positions[i], (const double[4]){ phyxels[i].x, phyxels[i].y, phyxels[i].z, 0.0 }, sizeof(*positions));
    if (isMade)
        qvGetPhyxelKernelD()->gradients(&lists, 0, n, (const double(*)[4])positions, columns);
    for (int i = 0; isMade && i < n; i++)
        tears[i] = fmax(tears[i], Ramp(StretchOf((const double(*)[4])columns[i]), STRETCHES));
    free(positions);
    free(columns);
    return isMade ? qv_ok : qvError_OutOfMemory(error, 128.0 * n);
}

qvResult qvFlowSurface_Tear(const qvFlowSurface* surface, const qvVec3* phyxels, double* tears, qvError* error)
{
    qvResult result = FindTorn(surface, phyxels, tears, error);
    return result == qv_ok ? FindStretched(surface, phyxels, tears, error) : result;
}

// beta grows to points whose neighbours have it.
static void Dilate(const qvMesh* mesh, double* beta, double (*sums)[2])
{
    memset(sums, 0, (size_t)mesh->pointCount * sizeof(*sums));
    for (int t = 0; t < mesh->triangleCount; t++)
    {
        const int32_t* v = mesh->pointTriangles[t].v;
        for (int k = 0; k < 3; k++)
        {
            sums[v[k]][0] += beta[v[(k + 1) % 3]] + beta[v[(k + 2) % 3]];
            sums[v[k]][1] += 2.0;
        }
    }
    for (int v = 0; v < mesh->pointCount; v++)
        beta[v] = fmax(beta[v], sums[v][1] > 0.0 ? sums[v][0] / sums[v][1] : 0.0);
}

// beta of each point, and which triangles span what has come apart; false: it is 0 everywhere.
static bool FindBeta(const qvFlowSurface* s, const double* tears, const qvVec3f* points, double* beta, bool* torn,
                     double (*sums)[2])
{
    const qvMesh* mesh = s->mesh;
    bool isTorn = false;
    for (int v = 0; v < mesh->pointCount; v++)
        beta[v] = tears[s->pointPhyxel[v]];
    for (int t = 0; t < mesh->triangleCount; t++)
    {
        const int32_t* v = mesh->pointTriangles[t].v;
        for (int k = 0; k < 3; k++)
        {
            int a = v[k], b = v[(k + 1) % 3];
            double length = qvDistance(qvVec3_FromFloat(points[a]), qvVec3_FromFloat(points[b]));
            double stretched = Ramp(length / fmax(s->edges[3 * t + k], 0.05 * s->body->spacing), STRETCHES);
            beta[a] = fmax(beta[a], stretched);
            beta[b] = fmax(beta[b], stretched);
            torn[t] = torn[t] || stretched > 0.0;
        }
    }
    for (int v = 0; v < mesh->pointCount; v++)
        isTorn = isTorn || beta[v] > 0.0;
    for (int n = 0; isTorn && n < DILATIONS; n++)
        Dilate(mesh, beta, sums);
    return isTorn;
}

// --- The blend -------------------------------------------------------------------------------------------------------

// On a grid of 0.7 spacings: sums of beta, and what is nearest.
typedef struct Blend
{
    Grid grid;
    float (*sums)[2];  // w beta, w
    float* squares;    // of the distance to the nearest point, in cells
    int32_t* nearest;  // a point; -1: none near
    float value, soft; // of the point that is added: its beta; a part of a spacing, squared
    int32_t point;
} Blend;

static inline void AddBeta(void* context, size_t node, float square)
{
    Blend* blend = context;
    float below = square + blend->soft, w = 1.0f / (below * below);
    blend->sums[node][0] += w * blend->value;
    blend->sums[node][1] += w;
    if (square < blend->squares[node])
    {
        blend->squares[node] = square;
        blend->nearest[node] = blend->point;
    }
}

static inline void AddLook(void* context, size_t node, float square)
{
    Blend* blend = context;
    if (blend->sums[node][1] == 0.0f && square < blend->squares[node])
    {
        blend->squares[node] = square;
        blend->nearest[node] = blend->point;
    }
}

static bool MakeBlend(const qvFlowSurface* s, const Grid* fine, const qvVec3* phyxels, const qvVec3f* points,
                      const double* beta, Blend* blend)
{
    double spacing = s->body->spacing;
    Grid grid = { fine->origin, fmax(0.7 * spacing, fine->cell), { 0 }, 1 };
    for (int k = 0; k < 3; k++)
    {
        grid.counts[k] = (int)ceil((fine->counts[k] - 1) * fine->cell / grid.cell) + 2;
        grid.size *= (size_t)grid.counts[k];
    }
    double far = BLOB_REACH * spacing / grid.cell;
    *blend = (Blend){ .grid = grid, .soft = (float)(0.01 * spacing * spacing / (grid.cell * grid.cell)) };
    blend->sums = qvAllocate(grid.size, sizeof(*blend->sums));
    blend->squares = qvAllocateRaw(grid.size, sizeof(*blend->squares));
    blend->nearest = qvAllocateRaw(grid.size, sizeof(*blend->nearest));
    if (blend->sums == NULL || blend->squares == NULL || blend->nearest == NULL)
        return false;
    for (size_t n = 0; n < grid.size; n++)
    {
        blend->squares[n] = (float)(2.0 * far * far);
        blend->nearest[n] = -1;
    }
    for (int v = 0; v < s->mesh->pointCount; v++)
    {
        blend->value = (float)beta[v];
        blend->point = v;
        Splat(&grid, qvVec3_FromFloat(points[v]), VERTEX_REACH * spacing, AddBeta, blend);
    }
    for (int p = 0; p < s->body->count; p++)
    {
        blend->point = s->phyxelPoint[p];
        Splat(&grid, phyxels[p], BLOB_REACH * spacing, AddLook, blend);
    }
    return true;
}

// In place: the mean of beta, and 1 where every point is far.
static void FinishBlend(const qvFlowSurface* s, Blend* blend)
{
    const double far[2] = { VERTEX_FAR * s->body->spacing / blend->grid.cell,
                            VERTEX_REACH * s->body->spacing / blend->grid.cell };
    for (size_t n = 0; n < blend->grid.size; n++)
    {
        float* sum = blend->sums[n];
        bool isNear = sum[1] > 0.0f;
        double mean = isNear ? sum[0] / sum[1] : 1.0;
        sum[0] = (float)fmax(mean, isNear ? Ramp(sqrt((double)blend->squares[n]), far) : 1.0);
    }
}

static void FreeBlend(Blend* blend)
{
    free(blend->sums);
    free(blend->squares);
    free(blend->nearest);
}

// Where a fine node lies on the coarse grid, along one axis.
static int Coarse(const Blend* blend, double cell, int i, float* within)
{
    double at = i * cell / blend->grid.cell;
    int low = (int)at;
    *within = (float)(at - low);
    return low;
}

// phi of all nodes from the distance of the carried mesh, in place, and a triangle for the looks of each.
static void BlendNodes(const qvFlowSurface* s, const Blend* blend, const float* blobs, const bool* torn,
                       qvDistanceGrid* detail, int32_t* nearest)
{
    const Grid* g = &blend->grid;
    size_t row = (size_t)g->counts[0], layer = row * (size_t)g->counts[1], n = 0;
    float radius = (float)s->blobRadius;
    for (int k = 0; k < detail->counts[2]; k++)
    {
        float z, y, x;
        size_t atZ = (size_t)Coarse(blend, detail->cellSize, k, &z) * layer;
        for (int j = 0; j < detail->counts[1]; j++)
        {
            size_t atY = atZ + (size_t)Coarse(blend, detail->cellSize, j, &y) * row;
            for (int i = 0; i < detail->counts[0]; i++, n++)
            {
                size_t at = atY + (size_t)Coarse(blend, detail->cellSize, i, &x);
                const float(*b)[2] = (const float(*)[2])blend->sums + at;
                float near = (1.0f - y) * (b[0][0] + x * (b[1][0] - b[0][0])) +
                             y * (b[row][0] + x * (b[row + 1][0] - b[row][0]));
                b += layer;
                float far = (1.0f - y) * (b[0][0] + x * (b[1][0] - b[0][0])) +
                            y * (b[row][0] + x * (b[row + 1][0] - b[row][0]));
                float beta = near + z * (far - near);
                detail->values[n] = (1.0f - beta) * detail->values[n] + beta * (blobs[n] - radius);
                if ((nearest[n] < 0 || torn[nearest[n]]) && blend->nearest[at] >= 0)
                    nearest[n] = s->pointTriangle[blend->nearest[at]];
                nearest[n] = nearest[n] < 0 ? 0 : nearest[n];
            }
        }
    }
}

// --- Extracting ------------------------------------------------------------------------------------------------------

static qvDistanceGridDef GridOf(const qvFlowSurface* s, const qvVec3* phyxels, const qvVec3* points, Grid* grid)
{
    qvVec3 lower = phyxels[0], upper = lower;
    for (int p = 0; p < s->body->count; p++)
        GrowBox(phyxels[p], s->blobRadius, &lower, &upper);
    for (int v = 0; v < s->mesh->pointCount; v++)
        GrowBox(points[v], 0.0, &lower, &upper);
    *grid = FitGrid(lower, upper, s->cell, PADDING);
    qvDistanceGridDef def = qvDefaultDistanceGridDef();
    def.pointCount = s->mesh->pointCount;
    def.points = points;
    def.triangleCount = s->mesh->triangleCount;
    def.triangles = s->mesh->pointTriangles;
    def.origin = grid->origin;
    def.cellSize = grid->cell;
    memcpy(def.counts, grid->counts, sizeof(def.counts));
    def.band = BAND;
    return def;
}

static qvResult MakeMesh(const qvFlowSurface* s, const qvVec3* phyxels, const qvVec3f* points, const double* beta,
                         const bool* torn, const qvFlowLimits* limits, qvPool* pool, qvMesh** mesh, qvError* error)
{
    qvJob job = { .pool = pool };
    Grid grid;
    Blend blend = { 0 };
    qvDistanceGrid* detail = NULL;
    int32_t* nearest = NULL;
    float* blobs = NULL;
    qvVec3* exact = qvAllocateRaw((size_t)s->mesh->pointCount, sizeof(*exact));
    if (exact == NULL)
        return qvError_OutOfMemory(error, 24.0 * s->mesh->pointCount);
    for (int v = 0; v < s->mesh->pointCount; v++)
        exact[v] = qvVec3_FromFloat(points[v]);
    qvDistanceGridDef def = GridOf(s, phyxels, exact, &grid);
    qvResult result = qvCreateDistanceBand(&def, &job, &detail, &nearest, error);
    if (result == qv_ok)
    {
        blobs = BlobDistances(s->body, phyxels, &grid);
        if (blobs == NULL || !MakeBlend(s, &grid, phyxels, points, beta, &blend))
            result = qvError_OutOfMemory(error, 24.0 * (double)grid.size);
    }
    if (result == qv_ok)
    {
        FinishBlend(s, &blend);
        BlendNodes(s, &blend, blobs, torn, detail, nearest);
        qvFlowField field = { .grid = detail,
                              .nearest = nearest,
                              .mesh = s->mesh,
                              .points = points,
                              .charts = s->charts,
                              .torn = torn,
                              .reach = LOOKS * s->body->spacing,
                              .limits = limits };
        result = qvFlowField_Mesh(&field, pool, mesh, error);
    }
    FreeBlend(&blend);
    qvDestroyDistanceGrid(detail);
    free(nearest);
    free(blobs);
    free(exact);
    return result;
}

qvResult qvFlowSurface_Extract(const qvFlowSurface* surface, const qvVec3* phyxels, const double* tears,
                               const qvVec3f* points, const qvFlowLimits* limits, qvPool* pool, qvMesh** mesh,
                               qvError* error)
{
    const qvFlowSurface* s = surface;
    size_t pointCount = (size_t)s->mesh->pointCount;
    *mesh = NULL;
    double* beta = qvAllocate(3 * pointCount, sizeof(*beta));
    bool* torn = qvAllocate((size_t)s->mesh->triangleCount, sizeof(*torn));
    qvResult result = qv_ok;
    if (beta == NULL || torn == NULL)
        result = qvError_OutOfMemory(error, 24.0 * (double)pointCount);
    else if (FindBeta(s, tears, points, beta, torn, (double(*)[2])(beta + pointCount)))
        result = MakeMesh(s, phyxels, points, beta, torn, limits, pool, mesh, error);
    free(torn);
    free(beta);
    return result;
}
