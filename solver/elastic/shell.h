// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of elastic/ share: the layout of a shell.
//
// Points are grouped into compact patches. A patch owns the gradient entries and the Hessian's columns of its points;
// the elements that touch it are evaluated for it alone, in a fixed order, so patches can run on any number of threads
// without locks and with the same bits. Elements between patches are evaluated once per patch they touch.
#pragma once

#include "quaver/shell.h"

#include "elastic/elements.h"

#include <stdbool.h>

typedef struct qvShellEdge
{
    int32_t v[2];
    int32_t slot; ///< of the block below the diagonal in its column, see qvShell_Slot
    double length;
} qvShellEdge;

typedef struct qvShellTriangle
{
    int32_t v[3];
    int32_t slot[3]; ///< of the blocks (1,0) (2,0) (2,1)
    double area;
} qvShellTriangle;

typedef struct qvShellHinge
{
    int32_t v[4];    ///< edge, then the opposite points
    int32_t slot[6]; ///< of the blocks (1,0) (2,0) (3,0) (2,1) (3,1) (3,2)
    double angle, coefficient;
} qvShellHinge;

/// Lists of element numbers per patch: items[start[patch]] to items[start[patch + 1]].
typedef struct qvShellList
{
    int32_t* start;
    int32_t* items;
} qvShellList;

struct qvShell
{
    int pointCount;
    int edgeCount, triangleCount, hingeCount;
    qvShellEdge* edges;
    qvShellTriangle* triangles;
    qvShellHinge* hinges;
    double* masses;

    int patchCount;
    int32_t* patchOf;   ///< per point
    qvShellList points; ///< of each patch
    qvShellList edgeLists, triangleLists, hingeLists;

    int32_t* blockStart;  ///< per point + 1: points above it that share an element, in blockRows
    int32_t* blockRows;   ///< ascending
    int32_t* columnStart; ///< scalar pattern
    int32_t* rows;
};

static inline qvVec3 qvShell_Get(const double* state, int32_t point)
{
    return qvMakeVec3(state[3 * (size_t)point], state[3 * (size_t)point + 1], state[3 * (size_t)point + 2]);
}

/// The least area a rest triangle counts with: 1e-5 of the square of its longest side (or of 1e-6 of meanLength).
double qvShell_LeastArea(const qvVec3 x[3], double meanLength);

/// Groups points by recursive bisection of their rest positions. Fills patchCount, patchOf and points.
QV_CHECKED qvResult qvShell_MakePatches(qvShell* shell, const double* rest, qvError* error);

/// Fills the lists of elements per patch.
QV_CHECKED qvResult qvShell_MakeLists(qvShell* shell, qvError* error);

/// Fills the block and scalar patterns and the slots of all elements.
QV_CHECKED qvResult qvShell_MakePattern(qvShell* shell, qvError* error);
