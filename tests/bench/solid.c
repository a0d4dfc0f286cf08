// SPDX-License-Identifier: GPL-3.0-or-later
#include "solid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void qvFreeSolid(qvSolid* solid)
{
    free(solid->vertices);
    free(solid->triangles);
    *solid = (qvSolid){ 0 };
}

static bool Allocate(qvSolid* solid, int vertices, int triangles)
{
    *solid = (qvSolid){ 0 };
    solid->vertices = malloc((size_t)vertices * sizeof(*solid->vertices));
    solid->triangles = malloc((size_t)triangles * sizeof(*solid->triangles));
    if (solid->vertices != NULL && solid->triangles != NULL)
        return true;
    qvFreeSolid(solid);
    return false;
}

// The number of a vertex at that place, which is added if there is none.
static int FindOrAdd(qvSolid* solid, qvVec3 place)
{
    for (int i = 0; i < solid->vertexCount; i++)
    {
        if (qvDistance(solid->vertices[i], place) < 1e-9)
            return i;
    }
    solid->vertices[solid->vertexCount] = place;
    return solid->vertexCount++;
}

static void AddTriangle(qvSolid* solid, qvVec3 a, qvVec3 b, qvVec3 c)
{
    qvTriangle* t = &solid->triangles[solid->triangleCount++];
    t->v[0] = FindOrAdd(solid, a);
    t->v[1] = FindOrAdd(solid, b);
    t->v[2] = FindOrAdd(solid, c);
}

static bool Split(qvSolid* solid)
{
    qvSolid fine;
    if (!Allocate(&fine, 2 + 2 * solid->triangleCount, 4 * solid->triangleCount))
        return false;
    for (int t = 0; t < solid->triangleCount; t++)
    {
        qvVec3 p[3], m[3];
        for (int k = 0; k < 3; k++)
            p[k] = solid->vertices[solid->triangles[t].v[k]];
        for (int k = 0; k < 3; k++)
            m[k] = qvNormalize(qvAdd(p[k], p[(k + 1) % 3]));
        for (int k = 0; k < 3; k++)
            AddTriangle(&fine, p[k], m[k], m[(k + 2) % 3]);
        AddTriangle(&fine, m[0], m[1], m[2]);
    }
    qvFreeSolid(solid);
    *solid = fine;
    return true;
}

static double Volume(const qvSolid* solid)
{
    double sum = 0.0;
    for (int t = 0; t < solid->triangleCount; t++)
    {
        const int32_t* v = solid->triangles[t].v;
        sum += qvDot(solid->vertices[v[0]], qvCross(solid->vertices[v[1]], solid->vertices[v[2]])) / 6.0;
    }
    return sum;
}

qvSolid qvMakeIcosphere(int level, double radius)
{
    static const int faces[20][3] = { { 0, 11, 5 }, { 0, 5, 1 },  { 0, 1, 7 },   { 0, 7, 10 }, { 0, 10, 11 },
                                      { 1, 5, 9 },  { 5, 11, 4 }, { 11, 10, 2 }, { 10, 7, 6 }, { 7, 1, 8 },
                                      { 3, 9, 4 },  { 3, 4, 2 },  { 3, 2, 6 },   { 3, 6, 8 },  { 3, 8, 9 },
                                      { 4, 9, 5 },  { 2, 4, 11 }, { 6, 2, 10 },  { 8, 6, 7 },  { 9, 8, 1 } };
    double g = 0.5 * (1.0 + sqrt(5.0));
    qvVec3 corners[12] = { { -1, g, 0 },  { 1, g, 0 },  { -1, -g, 0 }, { 1, -g, 0 }, { 0, -1, g },  { 0, 1, g },
                           { 0, -1, -g }, { 0, 1, -g }, { g, 0, -1 },  { g, 0, 1 },  { -g, 0, -1 }, { -g, 0, 1 } };
    qvSolid solid;
    if (!Allocate(&solid, 12, 20))
        return solid;
    for (int f = 0; f < 20; f++)
        AddTriangle(&solid, qvNormalize(corners[faces[f][0]]), qvNormalize(corners[faces[f][1]]),
                    qvNormalize(corners[faces[f][2]]));
    for (int i = 0; i < level; i++)
    {
        if (!Split(&solid))
            return solid;
    }
    double scale = radius * cbrt(4.0 / 3.0 * 3.14159265358979323846 / Volume(&solid));
    for (int i = 0; i < solid.vertexCount; i++)
        solid.vertices[i] = qvScale(scale, solid.vertices[i]);
    return solid;
}

// A point of the block at cells (i, j, k) of (x, y, z).
static qvVec3 PlaceOf(const int cell[3], const int cells[3], qvVec3 size, double round)
{
    qvVec3 unit =
        qvMakeVec3(2.0 * cell[0] / cells[0] - 1.0, 2.0 * cell[1] / cells[1] - 1.0, 2.0 * cell[2] / cells[2] - 1.0);
    qvVec3 ball = qvNormalize(unit);
    unit = qvMulAdd(unit, round, qvSub(ball, unit));
    return qvMakeVec3(0.5 * size.x * unit.x, 0.5 * size.y * unit.y, 0.5 * size.z * unit.z);
}

// Both sides across an axis; u and v are the next two.
static void AddSides(qvSolid* solid, int axis, const int cells[3], qvVec3 size, double round)
{
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int n = 0; n < 2 * cells[u] * cells[v]; n++)
    {
        int side = n % 2, i = n / 2 % cells[u], j = n / 2 / cells[u];
        qvVec3 p[4];
        for (int k = 0; k < 4; k++)
        {
            int cell[3];
            cell[axis] = side * cells[axis];
            cell[u] = i + (k == 1 || k == 2);
            cell[v] = j + (k >= 2);
            p[k] = PlaceOf(cell, cells, size, round);
        }
        // Diagonals alternate, so that the surface has no direction of its own.
        int turn = (i + j) % 2;
        qvVec3 a = p[turn], b = p[turn + 1], c = p[(turn + 2) % 4], d = p[(turn + 3) % 4];
        if (side == 1)
        {
            AddTriangle(solid, a, b, c);
            AddTriangle(solid, a, c, d);
        }
        else
        {
            AddTriangle(solid, a, c, b);
            AddTriangle(solid, a, d, c);
        }
    }
}

qvSolid qvMakeBlock(int x, int y, int z, qvVec3 size, double round)
{
    const int cells[3] = { x, y, z };
    qvSolid solid;
    if (!Allocate(&solid, 2 * (x * y + y * z + z * x) + 2, 4 * (x * y + y * z + z * x)))
        return solid;
    for (int axis = 0; axis < 3; axis++)
        AddSides(&solid, axis, cells, size, round);
    return solid;
}
