// SPDX-License-Identifier: GPL-3.0-or-later
// The zero set of a field on the six tetrahedra of every cell, which share the diagonal from its lowest to its highest
// corner, so that neighbouring cells agree on their common faces. Each edge that changes sign has one vertex. Looks
// come from the triangle of the body's mesh next to each vertex.
#include "phyxel/flow_field.h"

#include "base/memory.h"
#include "body/triangle.h"

#include <stdlib.h>
#include <string.h>

enum
{
    VERTEX_GRAIN = 256, // vertices
    DIRECTIONS = 8      // of edges from a node: x = 1, y = 2, z = 4, and their sums
};

static const float LEAST_WAY = 0.02f; // of an edge between a vertex and its ends, so that no triangle degenerates

// Corners of a cell by their bits; each of positive volume.
static const uint8_t tetrahedra[6][4] = { { 0, 1, 3, 7 }, { 0, 5, 1, 7 }, { 0, 3, 2, 7 },
                                          { 0, 2, 6, 7 }, { 0, 4, 5, 7 }, { 0, 6, 4, 7 } };

// By the corners that are inside, as bits: an even order of them with the inside ones first, or the outside one where
// there is only one.
static const uint8_t orders[16][4] = {
    { 0 },          { 0, 1, 2, 3 }, { 1, 0, 3, 2 }, { 0, 1, 2, 3 }, { 2, 0, 1, 3 }, { 0, 2, 3, 1 },
    { 1, 2, 0, 3 }, { 3, 0, 2, 1 }, { 3, 0, 2, 1 }, { 0, 3, 1, 2 }, { 1, 3, 2, 0 }, { 2, 0, 1, 3 },
    { 2, 3, 0, 1 }, { 1, 0, 3, 2 }, { 0, 1, 2, 3 }, { 0 },
};
static const uint8_t insideCounts[16] = { 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4 };

typedef struct Making
{
    const qvFlowField* field;
    QV_ARRAY(qvVec3f) vertices;
    QV_ARRAY(int32_t) sources; // of each vertex: a triangle of the body's mesh
    double (*shares)[3];       // and those of its corners
    QV_ARRAY(qvTriangle) triangles;
    int32_t* slots[2]; // of the edges from the nodes of two layers: vertex, or -1
    int at[3];         // the cell
    bool failed;       // out of memory
} Making;

static size_t Node(const Making* m, int corner, int* layer)
{
    const int* counts = m->field->grid->counts;
    int i = m->at[0] + (corner & 1), j = m->at[1] + (corner >> 1 & 1);
    *layer = corner >> 2;
    return (size_t)j * (size_t)counts[0] + (size_t)i;
}

static int32_t AddVertex(Making* m, int low, int high)
{
    const qvDistanceGrid* grid = m->field->grid;
    size_t size = (size_t)grid->counts[0] * (size_t)grid->counts[1], nodes[2];
    for (int e = 0; e < 2; e++)
    {
        int layer;
        nodes[e] = Node(m, e == 0 ? low : high, &layer);
        nodes[e] += (size_t)(m->at[2] + layer) * size;
    }
    float a = grid->values[nodes[0]], b = grid->values[nodes[1]], way = a / (a - b);
    way = fminf(fmaxf(way, LEAST_WAY), 1.0f - LEAST_WAY);
    int step = high ^ low;
    double x = m->at[0] + (low & 1) + way * (step & 1), y = m->at[1] + (low >> 1 & 1) + way * (step >> 1 & 1);
    double z = m->at[2] + (low >> 2) + way * (step >> 2);
    qvVec3 point = qvMulAdd(grid->origin, grid->cellSize, qvMakeVec3(x, y, z));
    if (!QV_PUSH(m->vertices, qvVec3_ToFloat(point)) || !QV_PUSH(m->sources, m->field->nearest[nodes[way > 0.5f]]))
        m->failed = true;
    return m->vertices.count - 1;
}

static int32_t VertexOn(Making* m, int a, int b)
{
    int low = a < b ? a : b, high = a < b ? b : a, layer;
    size_t node = Node(m, low, &layer);
    int32_t* slot = &m->slots[layer][DIRECTIONS * node + (size_t)(high ^ low)];
    if (*slot < 0)
        *slot = AddVertex(m, low, high);
    return *slot;
}

static void AddTriangle(Making* m, int32_t a, int32_t b, int32_t c)
{
    if (!QV_PUSH(m->triangles, ((qvTriangle){ { a, b, c } })))
        m->failed = true;
}

static void CutTetrahedron(Making* m, const uint8_t corners[4], int inside)
{
    int mask = 0, v[4];
    for (int k = 0; k < 4; k++)
        mask |= (inside >> corners[k] & 1) << k;
    if (mask == 0 || mask == 15)
        return;
    for (int k = 0; k < 4; k++)
        v[k] = corners[orders[mask][k]];
    if (insideCounts[mask] == 2)
    {
        int32_t q[4] = { VertexOn(m, v[0], v[2]), VertexOn(m, v[0], v[3]), VertexOn(m, v[1], v[3]),
                         VertexOn(m, v[1], v[2]) };
        AddTriangle(m, q[0], q[1], q[2]);
        AddTriangle(m, q[0], q[2], q[3]);
        return;
    }
    int32_t t[3] = { VertexOn(m, v[0], v[1]), VertexOn(m, v[0], v[2]), VertexOn(m, v[0], v[3]) };
    bool isOutFirst = insideCounts[mask] == 3;
    AddTriangle(m, t[0], t[isOutFirst ? 2 : 1], t[isOutFirst ? 1 : 2]);
}

static void CutRow(Making* m)
{
    const qvDistanceGrid* grid = m->field->grid;
    size_t row = (size_t)grid->counts[0], layer = row * (size_t)grid->counts[1];
    const float* first = grid->values + (size_t)m->at[2] * layer + (size_t)m->at[1] * row;
    const float* rows[4] = { first, first + row, first + layer, first + layer + row };
    for (int i = 0; i + 1 < grid->counts[0]; i++)
    {
        int inside = 0;
        for (int k = 0; k < 4; k++)
            inside |= (rows[k][i] < 0.0f) << 2 * k | (rows[k][i + 1] < 0.0f) << (2 * k + 1);
        if (inside == 0 || inside == 255)
            continue;
        m->at[0] = i;
        for (int t = 0; t < 6; t++)
            CutTetrahedron(m, tetrahedra[t], inside);
    }
}

static qvResult Cut(Making* m, qvError* error)
{
    const int* counts = m->field->grid->counts;
    size_t bytes = DIRECTIONS * (size_t)counts[0] * (size_t)counts[1] * sizeof(int32_t);
    for (int k = 0; k < 2; k++)
        m->slots[k] = qvAllocateRaw(bytes, 1);
    if (m->slots[0] == NULL || m->slots[1] == NULL)
        return qvError_OutOfMemory(error, 2.0 * (double)bytes);
    memset(m->slots[1], -1, bytes);
    for (m->at[2] = 0; m->at[2] + 1 < counts[2] && !m->failed; m->at[2]++)
    {
        int32_t* lower = m->slots[1];
        m->slots[1] = m->slots[0];
        m->slots[0] = lower;
        memset(m->slots[1], -1, bytes);
        for (m->at[1] = 0; m->at[1] + 1 < counts[1]; m->at[1]++)
            CutRow(m);
    }
    return m->failed ? qvError_OutOfMemory(error, 40.0 * m->vertices.count) : qv_ok;
}

qvVec3 qvFlowLimits_Move(const qvFlowLimits* limits, qvVec3 point)
{
    qvObstacleTouch touch = qvObstacles_Nearest(limits->obstacles, limits->places, point);
    return touch.distance < 0.0 ? qvMulAdd(point, -limits->part * touch.distance, touch.normal) : point;
}

static void LimitOf(void* context, int begin, int end)
{
    const Making* m = context;
    for (int v = begin; v < end; v++)
    {
        qvVec3 x = qvVec3_FromFloat(m->vertices.items[v]);
        m->vertices.items[v] = qvVec3_ToFloat(qvFlowLimits_Move(m->field->limits, x));
    }
}

// --- Looks -----------------------------------------------------------------------------------------------------------

// The corner of a triangle that is nearest, alone.
static void NearestCorner(const qvFlowField* field, const int32_t v[3], qvVec3 x, double shares[3])
{
    int nearest = 0;
    for (int k = 1; k < 3; k++)
    {
        if (qvDistance(x, qvVec3_FromFloat(field->points[v[k]])) <
            qvDistance(x, qvVec3_FromFloat(field->points[v[nearest]])))
            nearest = k;
    }
    for (int k = 0; k < 3; k++)
        shares[k] = k == nearest ? 1.0 : 0.0;
}

// Where the values of a vertex lie in a triangle of the body's mesh: shares of its corners at the point nearest to it.
// Between the corners of one that spans what has come apart there is nothing any more.
static void SharesIn(const qvFlowField* field, int source, qvVec3 x, double shares[3])
{
    const int32_t* v = field->mesh->pointTriangles[source].v;
    if (field->torn[source])
    {
        NearestCorner(field, v, x, shares);
        return;
    }
    qvVec3 a = qvVec3_FromFloat(field->points[v[0]]), b = qvVec3_FromFloat(field->points[v[1]]);
    qvVec3 c = qvVec3_FromFloat(field->points[v[2]]), p = qvClosestOnTriangle(x, a, b, c);
    qvVec3 ab = qvSub(b, a), ac = qvSub(c, a), ap = qvSub(p, a), normal = qvCross(ab, ac);
    double square = qvDot(normal, normal);
    bool isSound = square > 0.0;
    shares[1] = isSound ? qvDot(qvCross(ap, ac), normal) / square : 0.0;
    shares[2] = isSound ? qvDot(qvCross(ab, ap), normal) / square : 0.0;
    shares[0] = 1.0 - shares[1] - shares[2];
}

// Whether one new triangle may take its looks from two of the body's mesh: from one piece of the texture, and from one
// place of the body, or all of the texture between them would show in it.
static bool AreTogether(const qvFlowField* field, int a, int b)
{
    const qvMesh* mesh = field->mesh;
    qvVec3 p = qvVec3_FromFloat(mesh->positions[mesh->triangles[a].v[0]]);
    return field->charts[a] == field->charts[b] &&
           qvDistance(p, qvVec3_FromFloat(mesh->positions[mesh->triangles[b].v[0]])) < field->reach;
}

static void SharesOf(void* context, int begin, int end)
{
    Making* m = context;
    for (int v = begin; v < end; v++)
        SharesIn(m->field, m->sources.items[v], qvVec3_FromFloat(m->vertices.items[v]), m->shares[v]);
}

// Of each corner of the new triangles: so many floats, from those that the body's mesh has at the source's corners.
static void FillCorners(const Making* m, qvDomain domain, const float* from, int size, float* values)
{
    const qvMesh* mesh = m->field->mesh;
    for (int t = 0; t < m->triangles.count; t++)
    {
        int first = m->sources.items[m->triangles.items[t].v[0]];
        for (int c = 0; c < 3; c++)
        {
            int32_t vertex = m->triangles.items[t].v[c];
            int source = m->sources.items[vertex];
            double beyond[3];
            const double* shares = m->shares[vertex];
            if (!AreTogether(m->field, source, first))
            {
                source = first; // beyond a seam: the edge on this side
                SharesIn(m->field, source, qvVec3_FromFloat(m->vertices.items[vertex]), beyond);
                shares = beyond;
            }
            for (int n = 0; n < size; n++)
            {
                double sum = 0.0;
                for (int k = 0; k < 3; k++)
                {
                    int at = domain == qv_domainCorner ? 3 * source + k : mesh->triangles[source].v[k];
                    sum += shares[k] * from[size * at + n];
                }
                *values++ = (float)sum;
            }
        }
    }
}

static qvResult AddAttribute(const Making* m, qvDomain domain, const void* from, int size, const int32_t* indices,
                             qvAttributeDef* attribute, qvError* error)
{
    if (domain == qv_domainNone)
        return qv_ok;
    int count = 3 * m->triangles.count;
    float* values = qvAllocateRaw((size_t)count * (size_t)size, sizeof(float));
    if (values == NULL)
        return qvError_OutOfMemory(error, 4.0 * count * size);
    FillCorners(m, domain, from, size, values);
    *attribute = (qvAttributeDef){ values, count, indices };
    return qv_ok;
}

static int SubmeshOf(const Making* m, const qvTriangle* triangle)
{
    const qvMesh* mesh = m->field->mesh;
    int source = m->sources.items[triangle->v[0]], s = 0;
    while (s + 1 < mesh->submeshCount && source >= mesh->submeshes[s + 1].firstTriangle)
        s++;
    return s;
}

// Triangles in the order of the mesh's runs, and those with their materials.
static qvResult SortTriangles(Making* m, qvSubmeshDef** submeshes, qvError* error)
{
    const qvMesh* mesh = m->field->mesh;
    int count = m->triangles.count;
    qvTriangle* sorted = qvAllocateRaw((size_t)count, sizeof(*sorted));
    *submeshes = qvAllocate((size_t)mesh->submeshCount + 1, sizeof(**submeshes));
    int* next = qvAllocate((size_t)mesh->submeshCount + 1, sizeof(*next));
    qvResult result = qv_ok;
    if (sorted == NULL || *submeshes == NULL || next == NULL)
        result = qvError_OutOfMemory(error, 12.0 * count);
    else
    {
        for (int t = 0; t < count; t++)
            (*submeshes)[SubmeshOf(m, &m->triangles.items[t])].faceCount++;
        for (int s = 0; s < mesh->submeshCount; s++)
        {
            (*submeshes)[s].name = mesh->submeshes[s].name;
            (*submeshes)[s].material = mesh->submeshes[s].material;
            next[s + 1] = next[s] + (*submeshes)[s].faceCount;
        }
        for (int t = 0; t < count; t++)
            sorted[next[SubmeshOf(m, &m->triangles.items[t])]++] = m->triangles.items[t];
        memcpy(m->triangles.items, sorted, (size_t)count * sizeof(*sorted));
    }
    free(sorted);
    free(next);
    return result;
}

static qvResult MakeMesh(Making* m, qvPool* pool, qvMesh** mesh, qvError* error)
{
    const qvMesh* from = m->field->mesh;
    qvMeshDef def = qvDefaultMeshDef();
    qvSubmeshDef* submeshes = NULL;
    int32_t* corners = qvAllocateRaw(3 * (size_t)m->triangles.count, sizeof(*corners));
    qvResult result =
        corners != NULL ? SortTriangles(m, &submeshes, error) : qvError_OutOfMemory(error, 12.0 * m->triangles.count);
    m->shares = qvAllocateRaw((size_t)m->vertices.count, sizeof(*m->shares));
    if (result == qv_ok && m->shares == NULL)
        result = qvError_OutOfMemory(error, 24.0 * m->vertices.count);
    if (result == qv_ok)
        qvParallelFor(pool, m->vertices.count, VERTEX_GRAIN, SharesOf, m);
    for (int c = 0; result == qv_ok && c < 3 * m->triangles.count; c++)
        corners[c] = c;
    if (result == qv_ok)
        result = AddAttribute(m, from->uvDomain, from->uvs, 2, corners, &def.uvs, error);
    if (result == qv_ok)
        result = AddAttribute(m, from->colorDomain, from->colors, 4, corners, &def.colors, error);
    if (result == qv_ok)
    {
        def.vertexCount = m->vertices.count;
        def.positions = m->vertices.items;
        def.faceCount = m->triangles.count;
        def.corners = m->triangles.items[0].v;
        def.submeshCount = from->submeshCount;
        def.submeshes = submeshes;
        def.materialCount = from->materialCount;
        def.materials = from->materials;
        def.textureCount = from->textureCount;
        def.textures = from->textures;
        result = qvCreateMesh(&def, mesh, NULL, error);
    }
    free((void*)(uintptr_t)def.uvs.values);
    free((void*)(uintptr_t)def.colors.values);
    free(submeshes);
    free(corners);
    return result;
}

qvResult qvFlowField_Mesh(const qvFlowField* field, qvPool* pool, qvMesh** mesh, qvError* error)
{
    Making m = { .field = field };
    qvResult result = Cut(&m, error);
    if (result == qv_ok && field->limits != NULL)
        qvParallelFor(pool, m.vertices.count, VERTEX_GRAIN, LimitOf, &m);
    if (result == qv_ok && m.triangles.count > 0)
        result = MakeMesh(&m, pool, mesh, error);
    free(m.vertices.items);
    free(m.sources.items);
    free(m.shares);
    free(m.triangles.items);
    free(m.slots[0]);
    free(m.slots[1]);
    return result;
}
