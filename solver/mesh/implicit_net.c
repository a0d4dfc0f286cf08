// SPDX-License-Identifier: GPL-3.0-or-later
// Surface nets.
//
// Gibson: Constrained elastic surface nets, MICCAI 1998. One point per grid cell that the surface passes through, at
// the mean of its crossings with the cell's edges; one quad per grid edge that it crosses.
//
// Only the half x >= 0 is made. The grid has cells centred on the mirror plane, whose points stay on it; the corners of
// those cells lie half a cell to the left and right.
//
// Latecki, Eckhardt, Rosenfeld: Well-composed sets, CVIU 1995. The net is a manifold when no grid face has inside
// corners at one diagonal only, and no cell has two opposite corners that differ from its six others. Saddles can do
// that at any resolution; outside corners are then moved inside.
#include "base/memory.h"
#include "mesh/implicit.h"

#include <stdlib.h>

enum
{
    BLOCK = 8 // corners per side of the blocks in which sampling skips what is far from the surface
};

typedef struct Grid
{
    const qvField* field;
    double cell;
    int countX, countY, countZ; // corners; corner (i, j, k) is at (i + 1/2, j, k) cells from (0, lower.y, lower.z)
    float* values;              // per corner
    int32_t* cellPoint;         // per cell; cell (i, j, k) ends at corner i in x and starts at (j, k) in y and z
} Grid;

static size_t CornerIndex(const Grid* grid, int i, int j, int k)
{
    return ((size_t)k * (size_t)grid->countY + (size_t)j) * (size_t)grid->countX + (size_t)i;
}

// Corner i = -1 is the mirror image of corner 0.
static float Value(const Grid* grid, int i, int j, int k)
{
    return grid->values[CornerIndex(grid, i < 0 ? 0 : i, j, k)];
}

static qvVec3 CornerPosition(const Grid* grid, double i, double j, double k)
{
    qvVec3 lower = grid->field->lower;
    return qvMakeVec3((i + 0.5) * grid->cell, lower.y + j * grid->cell, lower.z + k * grid->cell);
}

static int BlockEnd(int begin, int count)
{
    return begin + BLOCK < count ? begin + BLOCK : count;
}

static void SampleBlock(Grid* grid, int i0, int j0, int k0)
{
    double half = 0.5 * (BLOCK - 1);
    double middle = qvField_Evaluate(grid->field, CornerPosition(grid, i0 + half, j0 + half, k0 + half));
    // One cell more: the edges to the next blocks, on which crossings need true values.
    bool skip = fabs(middle) > grid->field->steepness * (half + 1.0) * sqrt(3.0) * grid->cell;
    for (int k = k0; k < BlockEnd(k0, grid->countZ); k++)
        for (int j = j0; j < BlockEnd(j0, grid->countY); j++)
            for (int i = i0; i < BlockEnd(i0, grid->countX); i++)
            {
                double value = skip ? middle : qvField_Evaluate(grid->field, CornerPosition(grid, i, j, k));
                grid->values[CornerIndex(grid, i, j, k)] = (float)value;
            }
}

static void Sample(Grid* grid)
{
    for (int k = 0; k < grid->countZ; k += BLOCK)
        for (int j = 0; j < grid->countY; j += BLOCK)
            for (int i = 0; i < grid->countX; i += BLOCK)
                SampleBlock(grid, i, j, k);
}

static bool IsInside(const Grid* grid, size_t corner)
{
    return grid->values[corner] < 0.0f;
}

// Moves the outside corner nearest to the surface inside.
static void MoveInside(Grid* grid, const size_t* corners, int count)
{
    size_t nearest = SIZE_MAX;
    for (int i = 0; i < count; i++)
    {
        if (!IsInside(grid, corners[i]) && (nearest == SIZE_MAX || grid->values[corners[i]] < grid->values[nearest]))
            nearest = corners[i];
    }
    grid->values[nearest] = -fmaxf(grid->values[nearest], 1e-6f);
}

// The face at a corner that is spanned by two strides.
static bool RepairFace(Grid* grid, size_t here, size_t strideA, size_t strideB)
{
    size_t corners[4] = { here, here + strideA, here + strideB, here + strideA + strideB };
    bool first = IsInside(grid, corners[0]), second = IsInside(grid, corners[1]);
    if (first == second || first != IsInside(grid, corners[3]) || second != IsInside(grid, corners[2]))
        return false;
    MoveInside(grid, corners, 4);
    return true;
}

static bool RepairCell(Grid* grid, size_t here, size_t strideY, size_t strideZ)
{
    size_t corners[8];
    int inside = 0;
    for (int c = 0; c < 8; c++)
    {
        corners[c] = here + (size_t)(c & 1) + (c & 2 ? strideY : 0) + (c & 4 ? strideZ : 0);
        inside |= IsInside(grid, corners[c]) << c;
    }
    bool critical = false;
    for (int c = 0; c < 4; c++)
    {
        int pair = 1 << c | 1 << (7 - c);
        critical = critical || inside == pair || inside == (255 ^ pair);
    }
    if (critical)
        MoveInside(grid, corners, 8);
    return critical;
}

// Makes the inside well-composed. Ends, because corners only move inside. Across the mirror plane nothing can be
// critical.
static void Repair(Grid* grid)
{
    size_t x = 1, y = (size_t)grid->countX, z = y * (size_t)grid->countY;
    bool changed = true;
    while (changed)
    {
        changed = false;
        for (int k = 0; k + 1 < grid->countZ; k++)
            for (int j = 0; j + 1 < grid->countY; j++)
                for (int i = 0; i + 1 < grid->countX; i++)
                {
                    size_t here = CornerIndex(grid, i, j, k);
                    changed = RepairFace(grid, here, x, y) || changed;
                    changed = RepairFace(grid, here, y, z) || changed;
                    changed = RepairFace(grid, here, z, x) || changed;
                    changed = RepairCell(grid, here, y, z) || changed;
                }
    }
}

// The mean of the crossings of a cell's edges. False: there are none.
static bool FindCellPoint(const Grid* grid, int i, int j, int k, qvVec3* point)
{
    int inside = 0;
    double values[8];
    for (int c = 0; c < 8; c++)
    {
        values[c] = Value(grid, i - 1 + (c & 1), j + (c >> 1 & 1), k + (c >> 2));
        inside += values[c] < 0.0;
    }
    if (inside == 0 || inside == 8)
        return false;
    qvVec3 sum = { 0.0, 0.0, 0.0 };
    int crossings = 0;
    for (int c = 0; c < 8; c++)
    {
        for (int axis = 0; axis < 3; axis++)
        {
            int other = c | 1 << axis;
            if (other == c || (values[c] < 0.0) == (values[other] < 0.0))
                continue;
            double t = values[c] / (values[c] - values[other]);
            sum.x += (c & 1) + (axis == 0 ? t : 0.0);
            sum.y += (c >> 1 & 1) + (axis == 1 ? t : 0.0);
            sum.z += (c >> 2) + (axis == 2 ? t : 0.0);
            crossings++;
        }
    }
    *point = CornerPosition(grid, i - 1 + sum.x / crossings, j + sum.y / crossings, k + sum.z / crossings);
    if (i == 0)
        point->x = 0.0;
    return true;
}

static bool AddPoints(Grid* grid, qvNet* net)
{
    for (int k = 0; k + 1 < grid->countZ; k++)
        for (int j = 0; j + 1 < grid->countY; j++)
            for (int i = 0; i < grid->countX; i++)
            {
                qvVec3 point;
                if (!FindCellPoint(grid, i, j, k, &point))
                    continue;
                if (!qvReserve(&net->points, &net->pointCapacity, net->pointCount + 1, sizeof(*net->points)))
                    return false;
                grid->cellPoint[CornerIndex(grid, i, j, k)] = net->pointCount;
                net->points[net->pointCount++] = point;
            }
    return true;
}

// Splits the quad of four cells along its shorter diagonal.
static bool AddQuad(const Grid* grid, qvNet* net, const size_t cells[4], bool flipped)
{
    if (!qvReserve(&net->triangles, &net->triangleCapacity, net->triangleCount + 2, sizeof(*net->triangles)))
        return false;
    int q[4];
    for (int i = 0; i < 4; i++)
        q[i] = grid->cellPoint[cells[flipped ? 3 - i : i]];
    const qvVec3* points = net->points;
    int turn = qvDistance(points[q[0]], points[q[2]]) <= qvDistance(points[q[1]], points[q[3]]) ? 0 : 1;
    int a = q[turn], b = q[turn + 1], c = q[turn + 2], d = q[(turn + 3) % 4];
    net->triangles[net->triangleCount++] = (qvTriangle){ { a, b, c } };
    net->triangles[net->triangleCount++] = (qvTriangle){ { a, c, d } };
    return true;
}

// The quads of the three edges that start at a corner.
static bool AddCornerQuads(const Grid* grid, qvNet* net, int i, int j, int k)
{
    bool inside = Value(grid, i, j, k) < 0.0f;
    size_t x = 1, y = (size_t)grid->countX, z = y * (size_t)grid->countY, here = CornerIndex(grid, i, j, k);
    if (i + 1 < grid->countX && inside != (Value(grid, i + 1, j, k) < 0.0f) &&
        !AddQuad(grid, net, (size_t[4]){ here + x - y - z, here + x - z, here + x, here + x - y }, !inside))
        return false;
    if (j + 1 < grid->countY && inside != (Value(grid, i, j + 1, k) < 0.0f) &&
        !AddQuad(grid, net, (size_t[4]){ here - z, here, here + x, here + x - z }, !inside))
        return false;
    return k + 1 >= grid->countZ || inside == (Value(grid, i, j, k + 1) < 0.0f) ||
           AddQuad(grid, net, (size_t[4]){ here - y, here + x - y, here + x, here }, !inside);
}

static bool AddQuads(const Grid* grid, qvNet* net)
{
    for (int k = 0; k < grid->countZ; k++)
        for (int j = 0; j < grid->countY; j++)
            for (int i = 0; i < grid->countX; i++)
            {
                if (!AddCornerQuads(grid, net, i, j, k))
                    return false;
            }
    return true;
}

bool qvField_MakeNet(const qvField* field, double cell, qvNet* net)
{
    // One more cell on every side: the surface never reaches the outermost corners.
    Grid grid = { .field = field, .cell = cell };
    grid.countX = (int)ceil(field->upper.x / cell) + 2;
    grid.countY = (int)ceil((field->upper.y - field->lower.y) / cell) + 2;
    grid.countZ = (int)ceil((field->upper.z - field->lower.z) / cell) + 2;
    size_t count = (size_t)grid.countX * (size_t)grid.countY * (size_t)grid.countZ;
    grid.values = qvAllocateRaw(count, sizeof(*grid.values));
    grid.cellPoint = qvAllocateRaw(count, sizeof(*grid.cellPoint));
    bool done = grid.values != NULL && grid.cellPoint != NULL;
    if (done)
    {
        Sample(&grid);
        Repair(&grid);
        done = AddPoints(&grid, net) && AddQuads(&grid, net);
    }
    free(grid.values);
    free(grid.cellPoint);
    return done;
}
