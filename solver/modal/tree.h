// SPDX-License-Identifier: GPL-3.0-or-later
// The supernodes of a factor as a tree: which of them need which, where the entries of the matrix go, and which parts
// of the tree can be worked on at the same time. Depends on the pattern alone.
//
// P A P^T = L L^T. Node s has the columns first[s] … first[s + 1] - 1 of L and the rows rows[rowStart[s]] …
// rows[rowStart[s + 1] - 1], of which the first are those columns; its dense lower trapezoid, by columns, begins at
// valueStart[s] of the factor's values. Nodes are in postorder: those below a node are right before it.
#pragma once

#include "quaver/job.h"
#include "quaver/sparse.h"

#include <stddef.h>
#include <stdint.h>

/// The rows begin … end - 1 (of source's own) of node `source` are columns of the node that has this in its list.
typedef struct qvNodeUpdate
{
    int32_t source, begin, end;
} qvNodeUpdate;

/// Neighbouring subtrees, nodes firstNode … endNode - 1, that need nothing outside of themselves.
typedef struct qvBranch
{
    int32_t firstNode, endNode;
    int32_t firstColumn, endColumn;
    int32_t base; // where it begins in a spread vector
} qvBranch;

typedef struct qvTree
{
    int size, nodeCount, valueCount;
    int32_t *first, *rowStart, *valueStart, *rows;
    int32_t* order; // [size] P: which unknown is eliminated k-th

    int32_t* entryStart;   // [nodeCount + 1]
    int32_t* entry;        // entries of the matrix, node by node
    int32_t* place;        // where these go in the values
    int32_t* updateStart;  // [nodeCount + 1]
    qvNodeUpdate* updates; // of each node, sources ascending
    int maxRows;           // of a node

    int branchCount;
    qvBranch* branches; // ascending
    int topCount;       // nodes in no branch: those that join them
    int32_t* topNodes;  // ascending
    int topColumnCount; // of these nodes

    // Solves lay a vector out so that no two branches share a number: for each branch its columns and then a copy of
    // the top's columns, at the end the top's columns.
    int spread;         // length of such a vector
    int topBase;        // where the top's columns are
    int32_t* slot;      // [size] place of each unknown
    int32_t* localRows; // the nodes' rows, counted from where their branch or the top begins
} qvTree;

/// tree has everything up to `order`, which it owns from now on; the rest is filled in. The job is asked on the way.
QV_CHECKED qvResult qvTree_Fill(qvTree* tree, const qvSparsePattern* pattern, const qvJob* job, qvError* error);
void qvTree_Free(qvTree* tree);

static inline int qvTree_Columns(const qvTree* tree, int node)
{
    return tree->first[node + 1] - tree->first[node];
}

static inline int qvTree_Rows(const qvTree* tree, int node)
{
    return tree->rowStart[node + 1] - tree->rowStart[node];
}
