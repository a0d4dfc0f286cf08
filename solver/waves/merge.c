// SPDX-License-Identifier: GPL-3.0-or-later
// J. Singh and D. Pagurek, "Dynamic Kelvinlets", 2019, section 3.2, with a grid instead of all pairs.
//     F, eps, x       force, radius, at
//
// The regularizer of a single impulse. The paper asks for rho(0) = 15 eps^4 / (8 pi eps^7) = 1 (the force at the vertex
// is the whole force) and prints eps = (15/(8 pi) - 1)^(4/7), about 0.8. That does not solve the equation (the base is
// negative); its solution is eps = (15/(8 pi))^(1/3) = 0.8419, for a vertex of unit volume. A vertex of mass m and
// density 1 has the volume m, and the condition is m rho(0) = 1: the impulse m dv then moves the vertex itself by
// exactly dv, whatever the mesh's resolution. So eps = (15 m / (8 pi))^(1/3).
//
// Near. The paper lets the spheres meet in which the force density is above 0.1 for unit densities at the centre. Here
// that is a tenth of each one's own density, which does not depend on units: rho(r) = 0.1 rho(0) at
// r = eps sqrt(0.1^(-2/7) - 1) = 0.9647 eps.
//
// The merged force is the sum of the vectors. (The paper's magnitude |F1| + |F2| with its mean of the directions, which
// is shorter than 1, is the same.)
#include "waves/merge.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double REACH_PER_RADIUS = 0.96473;

double qvImpulseRadius(double mass)
{
    return cbrt(15.0 * mass / (8.0 * QV_PI));
}

// What counts as near and as parallel. Wider than the paper's only when there are too many.
typedef struct Rule
{
    double reach;  // radii of the spheres over the paper's
    double cosine; // of the angle between the forces
} Rule;

// Cells of equal size over a box; the impulses of a cell are listed by their number.
typedef struct Grid
{
    int capacity; // impulses that there is room for
    int size[3];
    double cell;
    qvVec3 low;
    int* start; // of each cell's list, and the end
    int* list;
} Grid;

static int MaxCells(int count)
{
    return 2 * count + 64;
}

static qvResult InitGrid(Grid* grid, int capacity, qvError* error)
{
    *grid = (Grid){ .capacity = capacity };
    grid->start = qvAllocate((size_t)MaxCells(capacity) + 1, sizeof(int));
    grid->list = qvAllocate((size_t)capacity, sizeof(int));
    if (grid->start != NULL && grid->list != NULL)
        return qv_ok;
    free(grid->start);
    free(grid->list);
    return qvError_OutOfMemory(error, 12.0 * capacity);
}

static int CellOf(const Grid* grid, double x, double low, int axis)
{
    double cell = (x - low) / grid->cell;
    return cell > 0.0 ? (int)fmin(cell, grid->size[axis] - 1) : 0;
}

static int CellAt(const Grid* grid, qvVec3 at)
{
    int x = CellOf(grid, at.x, grid->low.x, 0), y = CellOf(grid, at.y, grid->low.y, 1);
    return (CellOf(grid, at.z, grid->low.z, 2) * grid->size[1] + y) * grid->size[0] + x;
}

// Cells of the mean sphere's size, but never many more than impulses.
static void SizeGrid(const qvImpulse* impulses, int count, const Rule* rule, Grid* grid)
{
    qvVec3 low = impulses[0].at, high = low;
    double mean = 0.0;
    for (int i = 0; i < count; i++)
    {
        qvVec3 p = impulses[i].at;
        low = qvMakeVec3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = qvMakeVec3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
        mean += impulses[i].radius / count;
    }
    const double extent[3] = { high.x - low.x, high.y - low.y, high.z - low.z };
    grid->low = low;
    grid->cell = fmax(2.0 * REACH_PER_RADIUS * rule->reach * mean, 1e-300);
    double cells = 0.0;
    do
    {
        grid->cell *= cells > 0.0 ? 1.3 : 1.0;
        cells = 1.0;
        for (int axis = 0; axis < 3; axis++)
        {
            grid->size[axis] = (int)fmin(floor(extent[axis] / grid->cell) + 1.0, 1e9);
            cells *= grid->size[axis];
        }
    } while (cells > MaxCells(count));
}

static void FillGrid(const qvImpulse* impulses, int count, Grid* grid)
{
    int cells = grid->size[0] * grid->size[1] * grid->size[2];
    memset(grid->start, 0, ((size_t)cells + 1) * sizeof(int));
    for (int i = 0; i < count; i++)
        grid->start[CellAt(grid, impulses[i].at) + 1]++;
    for (int c = 0; c < cells; c++)
        grid->start[c + 1] += grid->start[c];
    for (int i = count - 1; i >= 0; i--)
        grid->list[--grid->start[CellAt(grid, impulses[i].at) + 1]] = i;
    // Each entry has moved from its cell's end to its start, one place up.
    memmove(grid->start, grid->start + 1, (size_t)cells * sizeof(int));
    grid->start[cells] = count;
}

static bool MayMerge(const qvImpulse* a, const qvImpulse* b, const Rule* rule)
{
    double reach = REACH_PER_RADIUS * rule->reach * (a->radius + b->radius);
    qvVec3 d = qvSub(a->at, b->at);
    return qvDot(d, d) < reach * reach && qvDot(a->force, b->force) > rule->cosine * a->size * b->size;
}

static void Absorb(qvImpulse* a, qvImpulse* b)
{
    double total = a->size + b->size, part = b->size / total;
    double distance = qvDistance(a->at, b->at), smaller = fmin(a->size, b->size);
    a->radius = (a->size * a->radius + b->size * b->radius + smaller * distance) / total;
    a->at = qvMulAdd(a->at, part, qvSub(b->at, a->at));
    a->rest = qvMulAdd(a->rest, part, qvSub(b->rest, a->rest));
    a->force = qvAdd(a->force, b->force);
    a->size = qvLength(a->force);
    b->size = 0.0; // no longer there
}

// Impulse i takes in all that it may and that are not wider than itself: those are within twice its own reach.
static int AbsorbAround(qvImpulse* impulses, int i, const Rule* rule, const Grid* grid)
{
    qvImpulse* self = &impulses[i];
    double range = 2.0 * REACH_PER_RADIUS * rule->reach * self->radius;
    int merged = 0, low[3], high[3];
    const double at[3] = { self->at.x, self->at.y, self->at.z };
    const double corner[3] = { grid->low.x, grid->low.y, grid->low.z };
    for (int axis = 0; axis < 3; axis++)
    {
        low[axis] = CellOf(grid, at[axis] - range, corner[axis], axis);
        high[axis] = CellOf(grid, at[axis] + range, corner[axis], axis);
    }
    double radius = self->radius;
    for (int z = low[2]; z <= high[2]; z++)
    {
        for (int y = low[1]; y <= high[1]; y++)
        {
            int row = (z * grid->size[1] + y) * grid->size[0];
            // The cells of a row follow each other in the list.
            for (int k = grid->start[row + low[0]]; k < grid->start[row + high[0] + 1]; k++)
            {
                qvImpulse* other = &impulses[grid->list[k]];
                if (other == self || other->size == 0.0 || other->radius > radius || !MayMerge(self, other, rule))
                    continue;
                Absorb(self, other);
                merged++;
                if (self->size == 0.0)
                    return merged;
            }
        }
    }
    return merged;
}

static int Compact(qvImpulse* impulses, int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++)
    {
        if (impulses[i].size > 0.0)
            impulses[kept++] = impulses[i];
    }
    return kept;
}

static int MergeByRule(qvImpulse* impulses, int count, const Rule* rule, Grid* grid)
{
    for (int merged = 1; merged > 0 && count > 1;)
    {
        SizeGrid(impulses, count, rule, grid);
        FillGrid(impulses, count, grid);
        merged = 0;
        for (int i = 0; i < count; i++)
        {
            if (impulses[i].size > 0.0)
                merged += AbsorbAround(impulses, i, rule, grid);
        }
        count = Compact(impulses, count);
    }
    return count;
}

qvResult qvMergeImpulses(qvImpulse* impulses, int* count, int max, qvError* error)
{
    for (int i = 0; i < *count; i++)
        impulses[i].size = qvLength(impulses[i].force);
    *count = Compact(impulses, *count);
    if (*count < 2)
        return qv_ok;
    Grid grid;
    qvResult result = InitGrid(&grid, *count, error);
    if (result != qv_ok)
        return result;
    Rule rule = { .reach = 1.0, .cosine = 0.5 };
    *count = MergeByRule(impulses, *count, &rule, &grid);
    // Everything is near before the reach has grown for long, unless radii are far smaller than any mass has.
    for (int i = 0; *count > max && i < 30; i++)
    {
        rule.reach *= 1.5;
        rule.cosine = fmax(rule.cosine - 0.25, -2.0);
        *count = MergeByRule(impulses, *count, &rule, &grid);
    }
    free(grid.start);
    free(grid.list);
    return qv_ok;
}
