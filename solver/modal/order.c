// SPDX-License-Identifier: GPL-3.0-or-later
// Nested dissection: G. Karypis, V. Kumar, "A fast and high quality multilevel scheme for partitioning irregular
// graphs", SIAM J. Sci. Comput. 20 (1998), by METIS behind CHOLMOD's interface. It cannot be stopped, so large graphs
// are cut here and METIS orders the pieces.
#include "modal/order.h"

#include "base/memory.h"

#include <suitesparse/cholmod.h>

#include <stdlib.h>
#include <string.h>

enum
{
    PIECE = 7000 // nodes that METIS orders in one go: some 40 ms
};

// --- Groups ---------------------------------------------------------------------------------------------------------

static bool SameList(const int32_t* list, int32_t beginA, int32_t endA, int32_t beginB, int32_t endB)
{
    return endA - beginA == endB - beginB &&
           memcmp(list + beginA, list + beginB, (size_t)(endA - beginA) * sizeof(*list)) == 0;
}

// Whether unknown j is coupled to j - 1 and to the same others.
static bool JoinsPrevious(const qvSparsePattern* p, int j)
{
    int32_t end = p->rowStart[j + 1];
    return end > p->rowStart[j] && p->rowColumn[end - 1] == j - 1 &&
           SameList(p->rowColumn, p->rowStart[j], end - 1, p->rowStart[j - 1], p->rowStart[j]) &&
           SameList(p->row, p->columnStart[j - 1] + 1, p->columnStart[j], p->columnStart[j], p->columnStart[j + 1]);
}

// Appends the groups of ascending unknowns but for the group itself.
static int32_t* AppendGroups(const int32_t* unknowns, int32_t begin, int32_t end, const int32_t* groupOf, int32_t own,
                             int32_t* to)
{
    int32_t last = -1;
    for (int32_t k = begin; k < end; k++)
    {
        int32_t group = groupOf[unknowns[k]];
        if (group != own && group != last)
            *to++ = group;
        last = group;
    }
    return to;
}

bool qvGroups_Fill(qvGroups* groups, const qvSparsePattern* pattern)
{
    size_t size = (size_t)pattern->size;
    int32_t* groupOf = qvAllocateRaw(size, sizeof(*groupOf));
    groups->first = qvAllocate(size + 1, sizeof(int32_t));
    groups->start = qvAllocate(size + 1, sizeof(int32_t));
    groups->neighbors = qvAllocateRaw(2 * (size_t)pattern->entryCount, sizeof(int32_t));
    bool ok = groupOf != NULL && groups->first != NULL && groups->start != NULL && groups->neighbors != NULL;
    for (int j = 0; ok && j < pattern->size; j++)
    {
        if (j == 0 || !JoinsPrevious(pattern, j))
            groups->first[groups->count++] = j;
        groupOf[j] = groups->count - 1;
    }
    int32_t* to = groups->neighbors;
    for (int g = 0; ok && g < groups->count; g++)
    {
        int32_t j = groups->first[g];
        to = AppendGroups(pattern->rowColumn, pattern->rowStart[j], pattern->rowStart[j + 1], groupOf, g, to);
        to = AppendGroups(pattern->row, pattern->columnStart[j], pattern->columnStart[j + 1], groupOf, g, to);
        groups->start[g + 1] = (int32_t)(to - groups->neighbors);
    }
    if (ok)
        groups->first[groups->count] = pattern->size;
    free(groupOf);
    return ok;
}

void qvGroups_Free(qvGroups* groups)
{
    free(groups->first);
    free(groups->start);
    free(groups->neighbors);
}

// --- Dissection -----------------------------------------------------------------------------------------------------

typedef struct Dissection
{
    const qvGroups* groups;
    const qvJob* job;
    cholmod_common common;
    int32_t* number;      // [count] of a node among those at hand, -1 elsewhere
    int32_t *start, *row; // the graph of the nodes at hand
    int32_t* order;       // [count] the result, filled from the front
    int32_t* room;        // [count] scratch
    int done;
} Dissection;

// The lower triangle of the graph of some nodes.
static cholmod_sparse View(Dissection* d, const int32_t* nodes, int count)
{
    int32_t entry = 0;
    for (int i = 0; i < count; i++)
        d->number[nodes[i]] = i;
    for (int i = 0; i < count; i++)
    {
        d->start[i] = entry;
        for (int32_t k = d->groups->start[nodes[i]]; k < d->groups->start[nodes[i] + 1]; k++)
        {
            int32_t other = d->number[d->groups->neighbors[k]];
            if (other > i)
                d->row[entry++] = other;
        }
    }
    d->start[count] = entry;
    for (int i = 0; i < count; i++)
        d->number[nodes[i]] = -1;
    return (cholmod_sparse){ .nrow = (size_t)count,
                             .ncol = (size_t)count,
                             .nzmax = (size_t)entry,
                             .p = d->start,
                             .i = d->row,
                             .stype = -1,
                             .itype = CHOLMOD_INT,
                             .xtype = CHOLMOD_PATTERN,
                             .dtype = CHOLMOD_DOUBLE,
                             .sorted = 0,
                             .packed = 1 };
}

static qvResult Failed(const Dissection* d, qvError* error)
{
    if (d->common.status == CHOLMOD_OUT_OF_MEMORY)
        return qvError_Set(error, qv_outOfMemory, "out of memory in the ordering of %d points; use fewer vertices",
                           d->groups->count);
    return qvError_Set(error, qv_notConverged, "the ordering failed (CHOLMOD %d)", d->common.status);
}

static qvResult OrderPiece(Dissection* d, const int32_t* nodes, int count, qvError* error)
{
    cholmod_sparse graph = View(d, nodes, count);
    if (!cholmod_metis(&graph, NULL, 0, 1, d->room, &d->common))
        return Failed(d, error);
    for (int i = 0; i < count; i++)
        d->order[d->done++] = nodes[d->room[i]];
    return qv_ok;
}

// Sorts nodes by where a separator leaves them: one side, the other, itself; counts [3].
static qvResult Cut(Dissection* d, int32_t* nodes, int count, int counts[3], qvError* error)
{
    cholmod_sparse graph = View(d, nodes, count);
    int32_t* side = d->room;
    if (cholmod_bisect(&graph, NULL, 0, 0, side, &d->common) < 0)
        return Failed(d, error);
    int32_t* sorted = qvAllocateRaw((size_t)count, sizeof(*sorted));
    if (sorted == NULL)
        return qvError_OutOfMemory(error, (double)count * sizeof(*sorted));
    int to = 0;
    for (int s = 0; s < 3; s++)
    {
        int before = to;
        for (int i = 0; i < count; i++)
        {
            if (side[i] == s)
                sorted[to++] = nodes[i];
        }
        counts[s] = to - before;
    }
    memcpy(nodes, sorted, (size_t)count * sizeof(*sorted));
    free(sorted);
    return qv_ok;
}

static qvResult Dissect(Dissection* d, int32_t* nodes, int count, qvError* error)
{
    int counts[3];
    qvResult result = qvJob_Progress(d->job, "analysis", (double)d->done / d->groups->count, error);
    if (result != qv_ok || count == 0)
        return result;
    if (count <= PIECE)
        return OrderPiece(d, nodes, count, error);
    result = Cut(d, nodes, count, counts, error);
    // A graph that cannot be cut is METIS's to order.
    if (result == qv_ok && (counts[0] == count || counts[1] == count || counts[2] == count))
        return OrderPiece(d, nodes, count, error);
    if (result == qv_ok)
        result = Dissect(d, nodes, counts[0], error);
    if (result == qv_ok)
        result = Dissect(d, nodes + counts[0], counts[1], error);
    for (int i = counts[0] + counts[1]; result == qv_ok && i < count; i++)
        d->order[d->done++] = nodes[i];
    return result;
}

qvResult qvGroups_Dissect(const qvGroups* groups, const qvJob* job, int32_t* order, qvError* error)
{
    size_t count = (size_t)groups->count;
    Dissection d = { .groups = groups, .job = job, .order = order };
    cholmod_start(&d.common);
    d.common.print = 0;
    d.number = qvAllocateRaw(count, sizeof(int32_t));
    d.start = qvAllocateRaw(count + 1, sizeof(int32_t));
    d.row = qvAllocateRaw((size_t)groups->start[count], sizeof(int32_t));
    d.room = qvAllocateRaw(count, sizeof(int32_t));
    int32_t* nodes = qvAllocateRaw(count, sizeof(int32_t));
    qvResult result = qv_ok;
    if (d.number == NULL || d.start == NULL || d.row == NULL || d.room == NULL || nodes == NULL)
        result = qvError_OutOfMemory(error, 5.0 * (double)count * sizeof(int32_t));
    for (size_t i = 0; result == qv_ok && i < count; i++)
        nodes[i] = (int32_t)i, d.number[i] = -1;
    if (result == qv_ok)
        result = Dissect(&d, nodes, groups->count, error);
    cholmod_finish(&d.common);
    free(d.number);
    free(d.start);
    free(d.row);
    free(d.room);
    free(nodes);
    return result;
}
