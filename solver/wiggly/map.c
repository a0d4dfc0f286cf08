// SPDX-License-Identifier: GPL-3.0-or-later
#define QV_KERNEL qvFillMapsPortable
#include "wiggly/map_kernel.inl"

#include "base/cpu.h"
#include "wiggly/segment.h"

#include <stdbool.h>

static qvMapFcn* GetKernel(void)
{
#if defined(__x86_64__)
    switch (qvGetCpuLevel())
    {
    case qv_cpuAvx512:
        return qvFillMapsAvx512;
    case qv_cpuAvx2:
        return qvFillMapsAvx2;
    default:
        break;
    }
#endif
    return qvFillMapsPortable;
}

static bool IsOscillating(double u, double kappa)
{
    double square = kappa - u * u;
    return square >= 0.25 && square <= 1e10 && (u >= 1.0 || square >= 1.0);
}

static void FillOne(qvMapRows* rows, int i)
{
    qvSegmentMap map;
    qvSegmentMap_Init(&map, rows->u[i], rows->kappa[i]);
    rows->as[i] = map.as;
    rows->aa[i] = map.aa;
    rows->asExcess[i] = map.asExcess;
    rows->aaExcess[i] = map.aaExcess;
    rows->ba[i] = map.ba;
    rows->gamma[i] = map.gamma;
    rows->gamma1[i] = map.gamma1;
}

void qvFillMaps(qvMapRows* rows, int count)
{
    GetKernel()(rows, count);
    for (int i = 0; i < count; i++)
    {
        if (!IsOscillating(rows->u[i], rows->kappa[i]))
            FillOne(rows, i);
    }
}
