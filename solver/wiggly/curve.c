// SPDX-License-Identifier: GPL-3.0-or-later
#define QV_KERNEL qvEvaluateCurvePortable
#include "wiggly/curve_kernel.inl"

#include "base/cpu.h"

qvCurveFcn* qvGetCurveKernel(void)
{
#if defined(__x86_64__)
    switch (qvGetCpuLevel())
    {
    case qv_cpuAvx512:
        return qvEvaluateCurveAvx512;
    case qv_cpuAvx2:
        return qvEvaluateCurveAvx2;
    default:
        break;
    }
#endif
    return qvEvaluateCurvePortable;
}

void qvSegmentCurve_Evaluate(const qvSegmentCurve* curve, double x, double y, double out[3])
{
    qvCurvePlaces places;
    places.x[0] = x;
    places.y[0] = y;
    places.out[0][0] = places.out[1][0] = places.out[2][0] = 0.0;
    qvEvaluateCurvePortable(curve, &places, 1);
    for (int n = 0; n < 3; n++)
        out[n] = places.out[n][0];
}
