// SPDX-License-Identifier: GPL-3.0-or-later
// Making meshes, their topology and their normals, on one thread. Baselines: for making, a copy of the definition into
// a soup that is sorted by position, as the simplest welder does; for normals, scatter and add over triangles.
#include "bench.h"

#include "base/memory.h"
#include "quaver/topology.h"

#include <stdlib.h>
#include <string.h>

typedef struct Input
{
    qvVec3f* positions; // of a wavy grid
    int32_t* corners;
    qvVec3f *soupPositions, *sorted;
    int32_t* soupCorners;
    qvMeshDef grid, soup, close;
    qvMesh* mesh;
    qvTopology* topology;
    void* scratch;
    qvVec3f* normals;
    qvNormalWeight weight;
    int failures;
} Input;

static void Create(Input* input, const qvMeshDef* def)
{
    qvMesh* mesh;
    input->failures += qvCreateMesh(def, &mesh, NULL, NULL) != qv_ok;
    qvDestroyMesh(mesh);
}

static void CreateGrid(void* context)
{
    Input* input = context;
    Create(input, &input->grid);
}

static void CreateSoup(void* context)
{
    Input* input = context;
    Create(input, &input->soup);
}

static void CreateClose(void* context)
{
    Input* input = context;
    Create(input, &input->close);
}

static int ComparePositions(const void* a, const void* b)
{
    return memcmp(a, b, sizeof(qvVec3f));
}

static void SortPositions(Input* input, const qvMeshDef* def)
{
    memcpy(input->sorted, def->positions, (size_t)def->vertexCount * sizeof(*input->sorted));
    qsort(input->sorted, (size_t)def->vertexCount, sizeof(*input->sorted), ComparePositions);
}

static void SortGrid(void* context)
{
    Input* input = context;
    SortPositions(input, &input->grid);
}

static void SortSoup(void* context)
{
    Input* input = context;
    SortPositions(input, &input->soup);
}

static void CreateTopology(void* context)
{
    Input* input = context;
    qvTopology* topology;
    input->failures += qvCreateTopology(input->mesh, &topology, NULL) != qv_ok;
    qvDestroyTopology(topology);
}

static int CompareHalfEdges(const void* a, const void* b)
{
    uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return (x > y) - (x < y);
}

// The edges alone, by sorting all half-edges with qsort.
static void SortHalfEdges(void* context)
{
    Input* input = context;
    int count = 0;
    uint64_t* keys = malloc((size_t)input->mesh->triangleCount * 3 * sizeof(*keys));
    if (keys == NULL)
    {
        input->failures++;
        return;
    }
    for (int t = 0; t < input->mesh->triangleCount; t++)
    {
        const int32_t* v = input->mesh->pointTriangles[t].v;
        for (int k = 0; k < 3; k++)
        {
            int a = v[k], b = v[(k + 1) % 3];
            keys[count++] = (uint64_t)(a < b ? a : b) << 32 | (uint32_t)(a < b ? b : a);
        }
    }
    qsort(keys, (size_t)count, sizeof(*keys), CompareHalfEdges);
    free(keys);
}

static void Normals(void* context)
{
    Input* input = context;
    qvComputeNormals(input->topology, input->mesh->positions, input->weight, input->scratch, NULL, input->normals);
}

static qvVec3f Difference(qvVec3f a, qvVec3f b)
{
    return (qvVec3f){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static float AngleBetween(qvVec3f a, qvVec3f b)
{
    float dot = a.x * b.x + a.y * b.y + a.z * b.z;
    float square = (a.x * a.x + a.y * a.y + a.z * a.z) * (b.x * b.x + b.y * b.y + b.z * b.z);
    return acosf(fminf(fmaxf(dot / sqrtf(square), -1.0f), 1.0f));
}

static void NormalizeAll(qvVec3f* normals, int count)
{
    for (int p = 0; p < count; p++)
    {
        qvVec3f* n = &normals[p];
        float scale = 1.0f / sqrtf(n->x * n->x + n->y * n->y + n->z * n->z);
        *n = (qvVec3f){ n->x * scale, n->y * scale, n->z * scale };
    }
}

static void ScatterNormals(void* context)
{
    Input* input = context;
    const qvMesh* mesh = input->mesh;
    const qvVec3f* x = mesh->positions;
    memset(input->normals, 0, (size_t)mesh->pointCount * sizeof(*input->normals));
    for (int t = 0; t < mesh->triangleCount; t++)
    {
        const int32_t* v = mesh->pointTriangles[t].v;
        qvVec3f a = Difference(x[v[1]], x[v[0]]), b = Difference(x[v[2]], x[v[0]]);
        qvVec3f n = { a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
        float unit = 1.0f / sqrtf(n.x * n.x + n.y * n.y + n.z * n.z);
        for (int k = 0; k < 3; k++)
        {
            float weight = 1.0f;
            if (input->weight == qv_weightByAngle)
                weight =
                    unit * AngleBetween(Difference(x[v[(k + 1) % 3]], x[v[k]]), Difference(x[v[(k + 2) % 3]], x[v[k]]));
            qvVec3f* sum = &input->normals[v[k]];
            *sum = (qvVec3f){ sum->x + weight * n.x, sum->y + weight * n.y, sum->z + weight * n.z };
        }
    }
    NormalizeAll(input->normals, mesh->pointCount);
}

static void FillGrid(Input* input, int side)
{
    for (int i = 0; i < side * side; i++)
    {
        float x = (float)(i % side), y = (float)(i / side);
        input->positions[i] = (qvVec3f){ x, y, 3.0f * sinf(0.1f * x) * cosf(0.07f * y) };
    }
    int count = 0;
    for (int y = 0; y + 1 < side; y++)
    {
        for (int x = 0; x + 1 < side; x++)
        {
            int i = y * side + x;
            const int32_t quad[6] = { i, i + 1, i + side + 1, i, i + side + 1, i + side };
            memcpy(input->corners + count, quad, sizeof(quad));
            count += 6;
        }
    }
    for (int i = 0; i < count; i++)
    {
        input->soupPositions[i] = input->positions[input->corners[i]];
        input->soupCorners[i] = i;
    }
}

static qvMeshDef MakeDef(int vertexCount, const qvVec3f* positions, const int32_t* corners, int triangleCount)
{
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = vertexCount;
    def.positions = positions;
    def.faceCount = triangleCount;
    def.corners = corners;
    return def;
}

static void FreeInput(Input* input)
{
    qvDestroyTopology(input->topology);
    qvDestroyMesh(input->mesh);
    free(input->positions);
    free(input->corners);
    free(input->soupPositions);
    free(input->sorted);
    free(input->soupCorners);
    free(input->scratch);
    free(input->normals);
}

// A grid of side x side points, as indexed mesh and as a soup of triangles.
static qvResult MakeInput(Input* input, int side, qvError* error)
{
    *input = (Input){ 0 };
    int points = side * side, triangles = 2 * (side - 1) * (side - 1);
    input->positions = qvAllocate((size_t)points, sizeof(qvVec3f));
    input->corners = qvAllocate(3 * (size_t)triangles, sizeof(int32_t));
    input->soupPositions = qvAllocate(3 * (size_t)triangles, sizeof(qvVec3f));
    input->sorted = qvAllocate(3 * (size_t)triangles, sizeof(qvVec3f));
    input->soupCorners = qvAllocate(3 * (size_t)triangles, sizeof(int32_t));
    input->normals = qvAllocate((size_t)points, sizeof(qvVec3f));
    if (input->positions == NULL || input->corners == NULL || input->soupPositions == NULL || input->sorted == NULL ||
        input->soupCorners == NULL || input->normals == NULL)
        return qvError_OutOfMemory(error, 100.0 * triangles);
    FillGrid(input, side);
    input->grid = MakeDef(points, input->positions, input->corners, triangles);
    input->soup = MakeDef(3 * triangles, input->soupPositions, input->soupCorners, triangles);
    input->close = input->soup;
    input->close.weldTolerance = 1e-3;
    qvResult result = qvCreateMesh(&input->grid, &input->mesh, NULL, error);
    if (result == qv_ok)
        result = qvCreateTopology(input->mesh, &input->topology, error);
    if (result != qv_ok)
        return result;
    input->scratch = qvAllocate(qvNormalScratchSize(input->topology, qv_weightByAngle), 1);
    return input->scratch != NULL ? qv_ok : qvError_OutOfMemory(error, 16.0 * points);
}

static void AddTime(qvBenchSink* sink, const char* name, void (*fcn)(void*), void (*baseline)(void*), Input* input)
{
    double ours = qvBench_Time(fcn, input, 5);
    qvBench_Add(sink, name, 1e3 * ours, "ms", baseline != NULL ? 1e3 * qvBench_Time(baseline, input, 5) : 0.0);
}

static qvResult RunCreate(qvBenchSink* sink, qvError* error)
{
    Input input;
    qvResult result = MakeInput(&input, 225, error);
    if (result == qv_ok)
    {
        AddTime(sink, "create 100k triangles", CreateGrid, SortGrid, &input);
        AddTime(sink, "weld 100k triangles", CreateSoup, SortSoup, &input);
        AddTime(sink, "weld 100k with tolerance", CreateClose, SortSoup, &input);
        AddTime(sink, "topology 100k triangles", CreateTopology, SortHalfEdges, &input);
    }
    if (result == qv_ok && input.failures > 0)
        result = qvError_OutOfMemory(error, 0.0);
    FreeInput(&input);
    return result;
}

static qvResult Run(qvBenchSink* sink, qvError* error)
{
    qvResult result = RunCreate(sink, error);
    if (result != qv_ok)
        return result;
    Input input;
    result = MakeInput(&input, 317, error);
    if (result == qv_ok)
    {
        AddTime(sink, "normals by area 100k points", Normals, ScatterNormals, &input);
        input.weight = qv_weightByAngle;
        AddTime(sink, "normals by angle 100k points", Normals, ScatterNormals, &input);
    }
    FreeInput(&input);
    return result;
}

const qvBench qvBenchMesh = {
    "mesh", "making meshes, topology and normals", Run,
    "sorting (positions for meshes, half-edges for topology); scatter and add over triangles for "
    "normals",
    "a little faster than the triangles"
};
