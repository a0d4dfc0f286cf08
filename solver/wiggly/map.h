// SPDX-License-Identifier: GPL-3.0-or-later
// Segment maps (segment.h) of many modes at once. What a mode gets depends on that mode alone and has the same bits at
// every CPU level.
#pragma once

enum
{
    qv_mapBatch = 64 ///< most modes per call
};

typedef struct qvMapRows
{
    double u[qv_mapBatch], kappa[qv_mapBatch]; ///< input
    double as[qv_mapBatch], aa[qv_mapBatch], asExcess[qv_mapBatch], aaExcess[qv_mapBatch];
    double ba[qv_mapBatch], gamma[qv_mapBatch], gamma1[qv_mapBatch];
} qvMapRows;

typedef void qvMapFcn(qvMapRows* rows, int count);

// Right for modes that oscillate by at least half a radian and at most 1e5; whatever for others.
qvMapFcn qvFillMapsPortable;
qvMapFcn qvFillMapsAvx2;
qvMapFcn qvFillMapsAvx512;

/// The maps of count modes in any regime.
void qvFillMaps(qvMapRows* rows, int count);
