// SPDX-License-Identifier: GPL-3.0-or-later
// Welding: vertices at one place become one point. Exact welding compares coordinates (-0 equals 0) through a hash
// table with open addressing. Welding with a tolerance joins every two used vertices that are at most the tolerance
// apart, and whatever hangs together through such pairs: a chain of close vertices is one place, however long.
//
// The grid of the tolerance has cells of tolerance / sqrt(3), so that two vertices of one cell are close without a
// test, and two close vertices are at most two cells apart in each axis.
#include "mesh/build.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Slot
{
    uint32_t tag;  // upper half of the hash, to skip most comparisons
    int32_t index; // vertex or cell + 1, 0 when empty
} Slot;

typedef struct Table
{
    Slot* slots;
    size_t mask;
} Table;

static bool MakeTable(Table* table, int count)
{
    size_t capacity = 16;
    while (capacity < 2 * (size_t)count)
        capacity *= 2;
    table->slots = qvAllocate(capacity, sizeof(*table->slots));
    table->mask = capacity - 1;
    return table->slots != NULL;
}

static uint64_t Mix(uint64_t hash)
{
    hash = (hash ^ (hash >> 32)) * 0xd6e8feb86659fd93u;
    hash = (hash ^ (hash >> 32)) * 0xd6e8feb86659fd93u;
    return hash ^ (hash >> 32);
}

static uint64_t HashPosition(qvVec3f p)
{
    float clean[3] = { p.x + 0.0f, p.y + 0.0f, p.z + 0.0f }; // -0 + 0 is 0
    uint32_t bits[3];
    memcpy(bits, clean, sizeof(bits));
    return Mix(((uint64_t)bits[0] << 32 | bits[1]) * 0x9e3779b97f4a7c15u + bits[2]);
}

static bool IsEqual(qvVec3f a, qvVec3f b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// The first vertex at this place, which is the vertex itself when it is new.
static int FindOrAdd(Table* table, const qvVec3f* positions, int vertex)
{
    uint64_t hash = HashPosition(positions[vertex]);
    uint32_t tag = (uint32_t)(hash >> 32);
    for (size_t i = hash & table->mask;; i = (i + 1) & table->mask)
    {
        Slot* slot = &table->slots[i];
        if (slot->index == 0)
        {
            *slot = (Slot){ tag, vertex + 1 };
            return vertex;
        }
        if (slot->tag == tag && IsEqual(positions[slot->index - 1], positions[vertex]))
            return slot->index - 1;
    }
}

static void MarkUsed(qvMeshBuild* build)
{
    for (int v = 0; v < build->def->vertexCount; v++)
        build->places[v] = -1;
    for (int t = 0; t < build->triangleCount; t++)
    {
        for (int k = 0; k < 3; k++)
        {
            int v = build->def->corners[build->corners[t].v[k]];
            build->places[v] = v;
        }
    }
}

static qvResult WeldExactly(qvMeshBuild* build, qvError* error)
{
    int count = build->def->vertexCount;
    Table table;
    if (!MakeTable(&table, count))
        return qvError_OutOfMemory(error, 32.0 * count);
    for (int v = 0; v < count; v++)
    {
        if (build->places[v] >= 0)
            build->places[v] = FindOrAdd(&table, build->def->positions, v);
    }
    free(table.slots);
    return qv_ok;
}

// --- With a tolerance ------------------------------------------------------------------------------------------------

typedef struct Cell
{
    double index[3]; // whole numbers; doubles so that no coordinate is too large
    int32_t first;   // vertex, head of a list through Grid.next
} Cell;

typedef struct Grid
{
    const qvVec3f* positions;
    int32_t* places; // a forest: places[v] <= v, a root is its own place
    double tolerance;
    Table table; // of cells
    Cell* cells;
    int cellCount;
    int32_t* next; // per vertex, -1 at the end
} Grid;

static int FindRoot(int32_t* places, int v)
{
    while (places[v] != v)
    {
        places[v] = places[places[v]];
        v = places[v];
    }
    return v;
}

static void Join(int32_t* places, int a, int b)
{
    a = FindRoot(places, a);
    b = FindRoot(places, b);
    if (a < b)
        places[b] = a;
    else
        places[a] = b;
}

static bool IsSameCell(const double* a, const double* b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

// The slot of a cell, or the empty slot where it would go.
static Slot* FindCell(const Grid* grid, const double index[3], uint32_t* tag)
{
    uint64_t hash = 0;
    for (int i = 0; i < 3; i++)
    {
        double clean = index[i] + 0.0;
        uint64_t bits;
        memcpy(&bits, &clean, sizeof(bits));
        hash = Mix(hash ^ bits);
    }
    *tag = (uint32_t)(hash >> 32);
    for (size_t i = hash & grid->table.mask;; i = (i + 1) & grid->table.mask)
    {
        Slot* slot = &grid->table.slots[i];
        if (slot->index == 0 || (slot->tag == *tag && IsSameCell(grid->cells[slot->index - 1].index, index)))
            return slot;
    }
}

static void AddToGrid(Grid* grid, int vertex)
{
    qvVec3f p = grid->positions[vertex];
    double scale = sqrt(3.0) / grid->tolerance;
    double index[3] = { floor(p.x * scale), floor(p.y * scale), floor(p.z * scale) };
    uint32_t tag;
    Slot* slot = FindCell(grid, index, &tag);
    if (slot->index == 0)
    {
        grid->cells[grid->cellCount] = (Cell){ { index[0], index[1], index[2] }, vertex };
        *slot = (Slot){ tag, ++grid->cellCount };
        grid->next[vertex] = -1;
        return;
    }
    Cell* cell = &grid->cells[slot->index - 1];
    Join(grid->places, cell->first, vertex);
    grid->next[vertex] = cell->first;
    cell->first = vertex;
}

static bool IsAnyPairClose(const Grid* grid, const Cell* a, const Cell* b)
{
    double limit = grid->tolerance * grid->tolerance;
    for (int i = a->first; i >= 0; i = grid->next[i])
    {
        qvVec3 p = qvVec3_FromFloat(grid->positions[i]);
        for (int j = b->first; j >= 0; j = grid->next[j])
        {
            qvVec3 d = qvSub(p, qvVec3_FromFloat(grid->positions[j]));
            if (qvDot(d, d) <= limit)
                return true;
        }
    }
    return false;
}

// Joins a cell with those of its 124 neighbours that come after it, so that each pair is looked at once.
static void JoinNeighbors(Grid* grid, int c)
{
    const Cell* cell = &grid->cells[c];
    for (int n = 63; n < 125; n++)
    {
        double index[3] = { cell->index[0] + n / 25 - 2, cell->index[1] + n / 5 % 5 - 2, cell->index[2] + n % 5 - 2 };
        uint32_t tag;
        const Slot* slot = FindCell(grid, index, &tag);
        if (slot->index == 0)
            continue;
        const Cell* other = &grid->cells[slot->index - 1];
        if (FindRoot(grid->places, cell->first) != FindRoot(grid->places, other->first) &&
            IsAnyPairClose(grid, cell, other))
            Join(grid->places, cell->first, other->first);
    }
}

static qvResult WeldWithTolerance(qvMeshBuild* build, qvError* error)
{
    int count = build->def->vertexCount;
    Grid grid = { .positions = build->def->positions, .places = build->places, .tolerance = build->def->weldTolerance };
    grid.cells = qvAllocateRaw((size_t)count, sizeof(*grid.cells));
    grid.next = qvAllocateRaw((size_t)count, sizeof(*grid.next));
    bool isAllocated = MakeTable(&grid.table, count) && grid.cells != NULL && grid.next != NULL;
    if (isAllocated)
    {
        for (int v = 0; v < count; v++)
        {
            if (build->places[v] == v)
                AddToGrid(&grid, v);
        }
        for (int c = 0; c < grid.cellCount; c++)
            JoinNeighbors(&grid, c);
        for (int v = 0; v < count; v++)
        {
            if (build->places[v] >= 0)
                build->places[v] = FindRoot(build->places, v);
        }
    }
    free(grid.table.slots);
    free(grid.cells);
    free(grid.next);
    return isAllocated ? qv_ok : qvError_OutOfMemory(error, 68.0 * count);
}

qvResult qvMeshBuild_Weld(qvMeshBuild* build, qvError* error)
{
    build->places = qvAllocateRaw((size_t)build->def->vertexCount, sizeof(*build->places));
    if (build->places == NULL)
        return qvError_OutOfMemory(error, 4.0 * build->def->vertexCount);
    MarkUsed(build);
    qvResult result = WeldExactly(build, error);
    // Two floats that differ do so by more than 1e-45, so that a smaller tolerance welds nothing more.
    if (result == qv_ok && build->def->weldTolerance > 1e-45)
        result = WeldWithTolerance(build, error);
    return result;
}
