// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluating a segment's curve at many places at once. The same operations in the same order at every CPU level and for
// any number of places, so that a place has the same bits in a batch and alone.
#pragma once

#include "wiggly/segment.h"

enum
{
    qv_curveBatch = 64 ///< most places per call
};

/// Places x and y = 1 - x, results and their first two derivatives with respect to x.
typedef struct qvCurvePlaces
{
    double x[qv_curveBatch], y[qv_curveBatch];
    double out[3][qv_curveBatch];
} qvCurvePlaces;

typedef void qvCurveFcn(const qvSegmentCurve* curve, qvCurvePlaces* places, int count);

qvCurveFcn qvEvaluateCurvePortable;
qvCurveFcn qvEvaluateCurveAvx2;
qvCurveFcn qvEvaluateCurveAvx512;

/// The best one for this machine.
qvCurveFcn* qvGetCurveKernel(void);
