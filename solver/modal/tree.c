// SPDX-License-Identifier: GPL-3.0-or-later
#include "modal/tree.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/search.h"

#include <stdlib.h>
#include <string.h>

enum
{
    SHARE = 10,           // no branch holds more than this part of the values,
    SMALL_VALUES = 200000 // except in a small factor, which is one branch
};

// --- Entries and updates --------------------------------------------------------------------------------------------

// Which node each column belongs to.
static int32_t* NodesOfColumns(const qvTree* tree)
{
    int32_t* nodeOf = qvAllocateRaw((size_t)tree->size, sizeof(*nodeOf));
    for (int s = 0; nodeOf != NULL && s < tree->nodeCount; s++)
    {
        for (int32_t c = tree->first[s]; c < tree->first[s + 1]; c++)
            nodeOf[c] = s;
    }
    return nodeOf;
}

// Walks the entries of the matrix. Counts them per node, or stores them once tree->place is there; next[s] is where the
// next one of node s goes.
static void WalkEntries(qvTree* tree, const qvSparsePattern* pattern, const int32_t* nodeOf, const int32_t* rank,
                        int32_t* next)
{
    for (int j = 0; j < pattern->size; j++)
    {
        for (int32_t k = pattern->columnStart[j]; k < pattern->columnStart[j + 1]; k++)
        {
            int32_t a = rank[j], b = rank[pattern->row[k]], column = a < b ? a : b, row = a < b ? b : a;
            int32_t s = nodeOf[column], begin = tree->rowStart[s], end = tree->rowStart[s + 1], to = next[s]++;
            if (tree->place == NULL)
                continue;
            int32_t at =
                row < tree->first[s + 1] ? row - tree->first[s] : qvLowerBound(tree->rows, begin, end, row) - begin;
            QV_ASSERT(tree->rows[begin + at] == row);
            tree->entry[to] = k;
            tree->place[to] = tree->valueStart[s] + (column - tree->first[s]) * (end - begin) + at;
        }
    }
}

static bool FillEntries(qvTree* tree, const qvSparsePattern* pattern, const int32_t* nodeOf)
{
    size_t nodes = (size_t)tree->nodeCount;
    int32_t* rank = qvAllocateRaw((size_t)tree->size, sizeof(*rank));
    int32_t* next = qvAllocate(nodes + 1, sizeof(*next));
    tree->entryStart = qvAllocate(nodes + 1, sizeof(int32_t));
    tree->entry = qvAllocateRaw((size_t)pattern->entryCount, sizeof(int32_t));
    bool ok = rank != NULL && next != NULL && tree->entryStart != NULL && tree->entry != NULL;
    if (ok)
    {
        for (int k = 0; k < tree->size; k++)
            rank[tree->order[k]] = k;
        WalkEntries(tree, pattern, nodeOf, rank, next);
        for (size_t s = 0; s < nodes; s++)
            tree->entryStart[s + 1] = tree->entryStart[s] + next[s];
        memcpy(next, tree->entryStart, nodes * sizeof(*next));
        tree->place = qvAllocateRaw((size_t)pattern->entryCount, sizeof(int32_t));
        ok = tree->place != NULL;
    }
    if (ok)
        WalkEntries(tree, pattern, nodeOf, rank, next);
    free(rank);
    free(next);
    return ok;
}

// Walks the rows of all nodes in runs that are columns of one node. Counts them per node, or stores them once
// tree->updates is there; next[s] is where the next one of node s goes.
static void WalkUpdates(qvTree* tree, const int32_t* nodeOf, int32_t* next)
{
    for (int32_t d = 0; d < tree->nodeCount; d++)
    {
        const int32_t* rows = tree->rows + tree->rowStart[d];
        int32_t count = qvTree_Rows(tree, d);
        for (int32_t begin = qvTree_Columns(tree, d), end; begin < count; begin = end)
        {
            int32_t s = nodeOf[rows[begin]];
            for (end = begin + 1; end < count && rows[end] < tree->first[s + 1];)
                end++;
            if (tree->updates != NULL)
                tree->updates[next[s]] = (qvNodeUpdate){ d, begin, end };
            next[s]++;
        }
    }
}

static bool FillUpdates(qvTree* tree, const int32_t* nodeOf)
{
    size_t nodes = (size_t)tree->nodeCount;
    tree->updateStart = qvAllocate(nodes + 1, sizeof(int32_t));
    int32_t* next = qvAllocate(nodes + 1, sizeof(*next));
    bool ok = tree->updateStart != NULL && next != NULL;
    if (ok)
    {
        WalkUpdates(tree, nodeOf, next);
        for (size_t s = 0; s < nodes; s++)
            tree->updateStart[s + 1] = tree->updateStart[s] + next[s];
        memcpy(next, tree->updateStart, nodes * sizeof(*next));
        tree->updates = qvAllocateRaw((size_t)tree->updateStart[nodes], sizeof(*tree->updates));
        ok = tree->updates != NULL;
    }
    if (ok)
        WalkUpdates(tree, nodeOf, next);
    free(next);
    return ok;
}

// --- Branches --------------------------------------------------------------------------------------------------------

// What belongs to the subtree under a node.
typedef struct Subtree
{
    int32_t firstNode;
    int32_t parent; // -1 at a root
    double values;
} Subtree;

static Subtree* FindSubtrees(const qvTree* tree, const int32_t* nodeOf)
{
    Subtree* subtrees = qvAllocate((size_t)tree->nodeCount, sizeof(*subtrees));
    if (subtrees == NULL)
        return NULL;
    for (int32_t s = 0; s < tree->nodeCount; s++)
        subtrees[s].firstNode = s;
    for (int32_t s = 0; s < tree->nodeCount; s++)
    {
        int32_t columns = qvTree_Columns(tree, s), rows = qvTree_Rows(tree, s);
        Subtree* own = &subtrees[s];
        own->values += (double)columns * rows;
        own->parent = rows > columns ? nodeOf[tree->rows[tree->rowStart[s] + columns]] : -1;
        if (own->parent < 0)
            continue;
        Subtree* parent = &subtrees[own->parent];
        parent->values += own->values;
        parent->firstNode = own->firstNode < parent->firstNode ? own->firstNode : parent->firstNode;
    }
    return subtrees;
}

// Goes down from the roots: a node whose subtree is too large joins the top, others are branches. Neighbours that are
// small together are one branch.
static void CutTree(qvTree* tree, const Subtree* subtrees)
{
    double total = 0.0;
    for (int32_t s = 0; s < tree->nodeCount; s++)
        total += subtrees[s].parent < 0 ? subtrees[s].values : 0.0;
    double limit = total < SMALL_VALUES ? total : total / SHARE, last = 0.0;
    for (int32_t s = 0; s < tree->nodeCount; s++)
    {
        double values = subtrees[s].values;
        if (values > limit)
        {
            tree->topNodes[tree->topCount++] = s;
            continue;
        }
        bool isHighest = subtrees[s].parent < 0 || subtrees[subtrees[s].parent].values > limit;
        if (!isHighest)
            continue;
        qvBranch* before = tree->branchCount > 0 ? &tree->branches[tree->branchCount - 1] : NULL;
        bool joins = before != NULL && before->endNode == subtrees[s].firstNode && last + values <= limit;
        last = joins ? last + values : values;
        if (joins)
            before->endNode = s + 1;
        else
            tree->branches[tree->branchCount++] = (qvBranch){ .firstNode = subtrees[s].firstNode, .endNode = s + 1 };
    }
}

// Places of the unknowns and rows of the nodes in a spread vector. inTop [size] is scratch.
static void Spread(qvTree* tree, int32_t* inTop)
{
    for (int i = 0; i < tree->topCount; i++)
    {
        for (int32_t c = tree->first[tree->topNodes[i]]; c < tree->first[tree->topNodes[i] + 1]; c++)
            inTop[c] = tree->topColumnCount++;
    }
    for (int i = 0; i < tree->branchCount; i++)
    {
        qvBranch* branch = &tree->branches[i];
        int32_t first = tree->first[branch->firstNode], end = tree->first[branch->endNode];
        branch->firstColumn = first, branch->endColumn = end;
        branch->base = tree->spread;
        for (int32_t c = first; c < end; c++)
            tree->slot[tree->order[c]] = branch->base + c - first;
        for (int32_t k = tree->rowStart[branch->firstNode]; k < tree->rowStart[branch->endNode]; k++)
            tree->localRows[k] = tree->rows[k] < end ? tree->rows[k] - first : end - first + inTop[tree->rows[k]];
        tree->spread += end - first + tree->topColumnCount;
    }
    tree->topBase = tree->spread;
    tree->spread += tree->topColumnCount;
    for (int i = 0; i < tree->topCount; i++)
    {
        int32_t s = tree->topNodes[i];
        for (int32_t k = tree->rowStart[s]; k < tree->rowStart[s + 1]; k++)
            tree->localRows[k] = inTop[tree->rows[k]];
        for (int32_t c = tree->first[s]; c < tree->first[s + 1]; c++)
            tree->slot[tree->order[c]] = tree->topBase + inTop[c];
    }
}

static bool FillBranches(qvTree* tree, const int32_t* nodeOf)
{
    Subtree* subtrees = FindSubtrees(tree, nodeOf);
    size_t nodes = (size_t)tree->nodeCount;
    tree->branches = qvAllocate(nodes, sizeof(*tree->branches));
    tree->topNodes = qvAllocate(nodes, sizeof(int32_t));
    tree->slot = qvAllocate((size_t)tree->size, sizeof(int32_t));
    int32_t* inTop = qvAllocate((size_t)tree->size, sizeof(*inTop));
    tree->localRows = qvAllocate((size_t)tree->rowStart[nodes], sizeof(int32_t));
    bool ok = subtrees != NULL && tree->branches != NULL && tree->topNodes != NULL && tree->slot != NULL &&
              tree->localRows != NULL && inTop != NULL;
    if (ok)
    {
        CutTree(tree, subtrees);
        Spread(tree, inTop);
    }
    free(subtrees);
    free(inTop);
    return ok;
}

qvResult qvTree_Fill(qvTree* tree, const qvSparsePattern* pattern, const qvJob* job, qvError* error)
{
    double bytes = 4.0 * pattern->entryCount * sizeof(int32_t);
    int32_t* nodeOf = NodesOfColumns(tree);
    for (int s = 0; s < tree->nodeCount; s++)
        tree->maxRows = qvTree_Rows(tree, s) > tree->maxRows ? qvTree_Rows(tree, s) : tree->maxRows;
    bool hasEntries = nodeOf != NULL && FillEntries(tree, pattern, nodeOf);
    qvResult result = hasEntries ? qvJob_Ask(job, error) : qvError_OutOfMemory(error, bytes);
    if (result == qv_ok)
        result = FillUpdates(tree, nodeOf) ? qvJob_Ask(job, error) : qvError_OutOfMemory(error, bytes);
    if (result == qv_ok && !FillBranches(tree, nodeOf))
        result = qvError_OutOfMemory(error, bytes);
    free(nodeOf);
    return result;
}

void qvTree_Free(qvTree* tree)
{
    free(tree->first);
    free(tree->rowStart);
    free(tree->valueStart);
    free(tree->rows);
    free(tree->order);
    free(tree->entryStart);
    free(tree->entry);
    free(tree->place);
    free(tree->updateStart);
    free(tree->updates);
    free(tree->branches);
    free(tree->topNodes);
    free(tree->slot);
    free(tree->localRows);
}
