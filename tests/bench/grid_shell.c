// SPDX-License-Identifier: GPL-3.0-or-later
// E. Grinspun, A. N. Hirani, M. Desbrun, P. Schröder, "Discrete shells" (2003). At rest the Hessian of an energy
// c (f - f_rest)^2 is 2 c grad f grad f^T: each term is one outer product.
#include "grid_shell.h"

#include <stdlib.h>
#include <string.h>

typedef struct Edge
{
    int32_t a, b;     // a < b
    int32_t opposite; // the third vertex of the triangle it is from
    int32_t triangle;
} Edge;

typedef struct Grid
{
    const GridShellDef* def;
    bool closedAlong, closedAcross;
    int triangleCount, edgeCount;
    int32_t (*triangles)[3];
    Edge* edges;
    int32_t (*pairs)[2];
    size_t pairCount;
} Grid;

static qvVec3 PointAt(const GridShellDef* def, int i, int j)
{
    const double tau = 6.283185307179586;
    double u = tau * i / def->along, v = tau * j / def->across;
    switch (def->kind)
    {
    case GRID_PLATE:
        return qvMakeVec3(10.0 * i / (def->along - 1), 10.0 * j / (def->along - 1), 0.0);
    case GRID_TUBE:
        return qvMakeVec3(8.0 * i / (def->along - 1), 1.5 * cos(v), 1.5 * sin(v));
    default:
        break;
    }
    double r = 1.2 + 0.2 * sin(3.0 * u + v);
    return qvMakeVec3((3.0 + r * cos(v)) * cos(u), (3.0 + r * cos(v)) * sin(u), 1.1 * r * sin(v));
}

static void AddTriangle(Grid* grid, int32_t a, int32_t b, int32_t c)
{
    int32_t corners[3] = { a, b, c };
    int32_t t = grid->triangleCount++;
    memcpy(grid->triangles[t], corners, sizeof(corners));
    for (int k = 0; k < 3; k++)
    {
        int32_t from = corners[k], to = corners[(k + 1) % 3];
        Edge edge = { from < to ? from : to, from < to ? to : from, corners[(k + 2) % 3], t };
        grid->edges[grid->edgeCount++] = edge;
    }
}

static void AddTriangles(Grid* grid)
{
    const GridShellDef* def = grid->def;
    int rows = def->along - !grid->closedAlong, columns = def->across - !grid->closedAcross;
    for (int copy = 0; copy < def->copies; copy++)
    {
        int32_t base = copy * def->along * def->across;
        for (int i = 0; i < rows; i++)
        {
            for (int j = 0; j < columns; j++)
            {
                int32_t i1 = (i + 1) % def->along, j1 = (j + 1) % def->across;
                int32_t a = base + i * def->across + j, b = base + i1 * def->across + j;
                int32_t c = base + i1 * def->across + j1, d = base + i * def->across + j1;
                // Alternating diagonals favour no direction.
                if ((i + j) % 2 == 0)
                {
                    AddTriangle(grid, a, b, c);
                    AddTriangle(grid, a, c, d);
                }
                else
                {
                    AddTriangle(grid, a, b, d);
                    AddTriangle(grid, b, c, d);
                }
            }
        }
    }
}

static int CompareEdges(const void* x, const void* y)
{
    const Edge *p = x, *q = y;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    if (p->b != q->b)
        return p->b < q->b ? -1 : 1;
    return (p->triangle > q->triangle) - (p->triangle < q->triangle);
}

static bool IsHinge(const Grid* grid, int k)
{
    const Edge* e = grid->edges + k;
    return k + 1 < grid->edgeCount && e[0].a == e[1].a && e[0].b == e[1].b;
}

static void AddPairs(Grid* grid)
{
    for (int k = 0; k < grid->edgeCount; k++)
    {
        const Edge* e = grid->edges + k;
        int32_t pair[2] = { e->a, e->b };
        memcpy(grid->pairs[grid->pairCount++], pair, sizeof(pair));
        if (!IsHinge(grid, k))
            continue;
        int32_t across[2] = { e[0].opposite, e[1].opposite };
        memcpy(grid->pairs[grid->pairCount++], across, sizeof(across));
    }
}

// K += weight g g^T, g having one vector for each of count vertices.
static void AddOuter(GridShell* shell, int count, const int32_t* vertices, const qvVec3* gradient, double weight)
{
    const double* g = &gradient[0].x;
    for (int i = 0; i < 3 * count; i++)
    {
        for (int j = 0; j < 3 * count; j++)
        {
            int row = 3 * vertices[i / 3] + i % 3, column = 3 * vertices[j / 3] + j % 3;
            if (row >= column)
                shell->matrix.values[qvSparsePattern_Find(shell->pattern, row, column)] += weight * g[i] * g[j];
        }
    }
}

static double AddArea(GridShell* shell, const int32_t* t, double stretch)
{
    const qvVec3* x = shell->points;
    qvVec3 normal = qvCross(qvSub(x[t[1]], x[t[0]]), qvSub(x[t[2]], x[t[0]]));
    double area = 0.5 * qvLength(normal);
    qvVec3 unit = qvNormalize(normal), gradient[3];
    for (int k = 0; k < 3; k++)
    {
        gradient[k] = qvScale(0.5, qvCross(unit, qvSub(x[t[(k + 2) % 3]], x[t[(k + 1) % 3]])));
        for (int c = 0; c < 3; c++)
            shell->mass[3 * t[k] + c] += area / 3.0;
    }
    AddOuter(shell, 3, t, gradient, 2.0 * stretch / area);
    return area;
}

static void AddLength(GridShell* shell, const Edge* e, double stretch)
{
    qvVec3 d = qvSub(shell->points[e->b], shell->points[e->a]);
    double length = qvLength(d);
    qvVec3 gradient[2] = { qvScale(-1.0 / length, d), qvScale(1.0 / length, d) };
    int32_t vertices[2] = { e->a, e->b };
    AddOuter(shell, 2, vertices, gradient, 2.0 * stretch / length);
}

static void AddHinge(GridShell* shell, const Edge* e, double bend)
{
    int32_t vertices[4] = { e[0].a, e[0].b, e[0].opposite, e[1].opposite };
    const qvVec3* x = shell->points;
    qvVec3 edge = qvSub(x[vertices[1]], x[vertices[0]]);
    qvVec3 to2 = qvSub(x[vertices[2]], x[vertices[0]]), to3 = qvSub(x[vertices[3]], x[vertices[0]]);
    qvVec3 n1 = qvCross(edge, to2), n2 = qvCross(to3, edge);
    double l = qvLength(edge), areas = 0.5 * (qvLength(n1) + qvLength(n2));
    n1 = qvScale(l / qvDot(n1, n1), n1);
    n2 = qvScale(l / qvDot(n2, n2), n2);
    double s2 = qvDot(to2, edge) / (l * l), s3 = qvDot(to3, edge) / (l * l);
    qvVec3 gradient[4] = { qvMulAdd(qvScale(1.0 - s2, n1), 1.0 - s3, n2), qvMulAdd(qvScale(s2, n1), s3, n2),
                           qvScale(-1.0, n1), qvScale(-1.0, n2) };
    AddOuter(shell, 4, vertices, gradient, 2.0 * bend * 3.0 * l * l / areas);
}

static void Assemble(GridShell* shell, const Grid* grid)
{
    for (int t = 0; t < grid->triangleCount; t++)
        AddArea(shell, grid->triangles[t], grid->def->stretch);
    for (int k = 0; k < grid->edgeCount; k++)
    {
        if (k > 0 && IsHinge(grid, k - 1))
            continue;
        AddLength(shell, grid->edges + k, grid->def->stretch);
        if (IsHinge(grid, k))
            AddHinge(shell, grid->edges + k, grid->def->bend);
    }
}

static qvResult Fill(const GridShellDef* def, Grid* grid, GridShell* shell, qvError* error)
{
    size_t quads = (size_t)shell->vertexCount;
    grid->triangles = calloc(2 * quads, sizeof(*grid->triangles));
    grid->edges = calloc(6 * quads, sizeof(*grid->edges));
    grid->pairs = calloc(12 * quads, sizeof(*grid->pairs));
    shell->points = calloc(quads, sizeof(*shell->points));
    shell->mass = calloc(3 * quads, sizeof(double));
    if (grid->triangles == NULL || grid->edges == NULL || grid->pairs == NULL || shell->points == NULL ||
        shell->mass == NULL)
        return qvError_OutOfMemory(error, 100.0 * (double)quads);
    for (int i = 0; i < shell->vertexCount; i++)
        shell->points[i] = PointAt(def, i / def->across % def->along, i % def->across);
    AddTriangles(grid);
    qsort(grid->edges, (size_t)grid->edgeCount, sizeof(Edge), CompareEdges);
    AddPairs(grid);
    qvResult result = qvCreateSparsePattern(shell->vertexCount, 3, (const int32_t(*)[2])grid->pairs, grid->pairCount,
                                            &shell->pattern, error);
    if (result != qv_ok)
        return result;
    shell->matrix = (qvSparse){ shell->pattern, calloc((size_t)shell->pattern->entryCount, sizeof(double)) };
    if (shell->matrix.values == NULL)
        return qvError_OutOfMemory(error, (double)shell->pattern->entryCount * sizeof(double));
    Assemble(shell, grid);
    return qv_ok;
}

qvResult MakeGridShell(const GridShellDef* def, GridShell* shell, qvError* error)
{
    Grid grid = { .def = def, .closedAlong = def->kind == GRID_TORUS, .closedAcross = def->kind != GRID_PLATE };
    *shell = (GridShell){ .vertexCount = def->along * def->across * def->copies };
    qvResult result = Fill(def, &grid, shell, error);
    free(grid.triangles);
    free(grid.edges);
    free(grid.pairs);
    return result;
}

void FreeGridShell(GridShell* shell)
{
    free(shell->points);
    free(shell->mass);
    free(shell->matrix.values);
    qvDestroySparsePattern(shell->pattern);
}
