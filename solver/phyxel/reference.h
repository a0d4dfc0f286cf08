// SPDX-License-Identifier: GPL-3.0-or-later
// The reference shape of a cloud with one radius, ready for the passes of step_kernel.h: neighbours, weights, inverse
// moments (equations 9 and 14 of the paper), and which phyxels hang together. Where neighbours do not span space any
// more, as in a drop that has come off, directions below 0.02 of the largest are dropped from the inverse and the
// phyxel's stress fades (`fade`), until it is a particle on its own.
#pragma once

#include "phyxel/neighbours.h"
#include "phyxel/step_kernel.h"

typedef struct qvPhyxelReference
{
    int count;
    qvNearLists near;
    double (*pair)[4];    ///< of each pair
    double (*inverse)[8]; ///< of each phyxel, as the next ones
    double* weightSum;    ///< sum_j w_ij
    double* fitShare;     ///< c_i / (alpha E), see cloud.h
    double* evenness;     ///< smallest over largest eigenvalue of A_i
    double* fade;         ///< 1 for a good neighbourhood, 0 for a degenerate one
    double* stiffness;    ///< v_i (sum_j |d_j|^2 + |sum_j d_j|^2): a bound of what forces grow by when phyxels move
    int32_t* part;        ///< connected part, numbered from 0 in the order of their first phyxels
    int partCount;
    int pairCapacity;
} qvPhyxelReference;

/// Start with all zero; may be built again. homes: a second set of positions; when given, only pairs whose homes are
/// nearer than 2 radii count, so that parts that merely touch do not grow together.
QV_CHECKED qvResult qvPhyxelReference_Build(qvPhyxelReference* reference, int count, const qvVec3* points,
                                            const qvVec3* homes, double radius, const double* volumes, qvError* error);
void qvPhyxelReference_Free(qvPhyxelReference* reference);

qvPhyxelListsD qvPhyxelReference_Lists(const qvPhyxelReference* reference);
