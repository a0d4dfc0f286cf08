// SPDX-License-Identifier: GPL-3.0-or-later
// Groups of unknowns that are coupled to the same others, as the coordinates of a point are, and the order in which to
// eliminate the groups.
#pragma once

#include "quaver/job.h"
#include "quaver/result.h"
#include "quaver/sparse.h"

#include <stdint.h>

/// The graph of a matrix with its groups as nodes.
typedef struct qvGroups
{
    int count;
    int32_t* first;     // [count + 1] unknowns of each group, one after the other
    int32_t* start;     // [count + 1]
    int32_t* neighbors; // of each group, both ways, without itself; ascending
} qvGroups;

/// False when memory runs out.
bool qvGroups_Fill(qvGroups* groups, const qvSparsePattern* pattern);
void qvGroups_Free(qvGroups* groups);

/// The groups in the order of nested dissection. The job is asked every few thousand groups.
QV_CHECKED qvResult qvGroups_Dissect(const qvGroups* groups, const qvJob* job, int32_t* order, qvError* error);
