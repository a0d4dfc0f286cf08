// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of near points, by a hashed grid (M. Teschner et al., "Optimized spatial hashing for collision detection of
// deformable objects", 2003). Lists are sorted by index, so that sums over them do not depend on how they were found.
#pragma once

#include "quaver/math.h"
#include "quaver/result.h"

#include <stdbool.h>
#include <stdint.h>

/// Which pairs count.
typedef struct qvNearQuery
{
    int count;
    const qvVec3* points;
    const double* radii; ///< [count] j is near i when |x_j - x_i| < radii[i]; NULL: radius for all
    double radius;
    const qvVec3* homes; ///< [count] a second set of positions, or NULL
    double homeLimit;    ///< keeps pairs whose homes are nearer than this (onlyNearHomes), or not nearer
    bool onlyNearHomes;
} qvNearQuery;

/// Memory is kept from one search to the next. Start with all zero.
typedef struct qvNearLists
{
    int32_t* start; ///< [count + 1] those of i are index[start[i]] … index[start[i + 1] - 1]; never i itself
    int32_t* index;
    int startCapacity, indexCapacity;

    int32_t *first, *order; // a bucket's points are order[first[bucket]] … order[first[bucket + 1] - 1], ascending
    int32_t (*cell)[3];     // of each point
    int firstCapacity, orderCapacity, cellCapacity;
    int bucketCount; // a power of two
    double cellSize;

    // While pairs are found, each once: the later points near i are later[runs[i][0]] … later[runs[i][1] - 1].
    int32_t* later;
    int32_t (*runs)[2];
    double* around; // room for those in the cells around one
    int laterCapacity, runsCapacity, aroundCapacity;
} qvNearLists;

/// Only running out of memory fails. Positions that are not finite have no neighbours.
QV_CHECKED qvResult qvNearLists_Find(qvNearLists* lists, const qvNearQuery* query, qvError* error);
void qvNearLists_Free(qvNearLists* lists);

/// The points of the last search's query within a distance of x, which must not be larger than its largest radius:
/// their numbers, ascending, at most capacity of them. Returns how many.
int qvNearLists_Around(const qvNearLists* lists, const qvNearQuery* query, qvVec3 x, double distance, int32_t* found,
                       int capacity);
