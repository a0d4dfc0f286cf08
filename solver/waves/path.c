// SPDX-License-Identifier: GPL-3.0-or-later
// Curves of loads: de Goes and James, "Dynamic Kelvinlets", 2018, Fig. 8. All loads of a curve start together and are
// found together, so that every one of its centres moves by the drag: finally, or for impulses at their peak.
#include "waves/layer.h"

#include "kelvinlet/field.h"

#include <stdlib.h>

static qvKelvinlet MakeLike(const qvWaveEvent* event)
{
    qvKelvinlet like = qvDefaultKelvinlet();
    qvKelvinlet_SetRadius(&like, event->def.stroke.radius, event->def.stroke.scales);
    qvKelvinlet_SetSpeed(&like, event->def.speed);
    like.poisson = event->def.stroke.poisson;
    like.fade = event->def.fade;
    return like;
}

static qvResult SolvePushes(const qvWaveEvent* event, const qvVec3* centers, int count, qvKelvinlet* loads,
                            qvError* error)
{
    qvHandle* handles = qvAllocate((size_t)count, sizeof(*handles));
    if (handles == NULL)
        return qvError_OutOfMemory(error, (double)count * sizeof(*handles));
    for (int i = 0; i < count; i++)
        handles[i] = (qvHandle){
            .at = centers[i], .radius = event->def.stroke.radius, .moves = true, .displacement = event->def.stroke.drag
        };
    qvKelvinlet like = MakeLike(event);
    qvSolveReport report;
    qvResult result = qvSolveHandles(&like, handles, count, loads, &report, error);
    for (int i = 0; i < count; i++)
        loads[i].time = qv_kelvinletPush;
    free(handles);
    return result;
}

// The largest displacement that any centre has at an age, not advected.
static double LargestAt(const qvKelvinlet* loads, const qvVec3* centers, int count, double age, qvKernelLoad* kernels)
{
    double largest = 0.0;
    for (int i = 0; i < count; i++)
        qvPrepareKernel(&loads[i], age, &kernels[i]);
    for (int i = 0; i < count; i++)
    {
        qvVec3 sum = qvMakeVec3(0.0, 0.0, 0.0);
        for (int j = 0; j < count; j++)
            sum = qvAdd(sum, qvEvaluateKernel(&kernels[j], centers[i]));
        largest = fmax(largest, qvLength(sum));
    }
    return largest;
}

// Neighbouring impulses add up, and the more the later; the forces are alike and scaled by the largest sum over time.
static qvResult SolveImpulses(const qvWaveEvent* event, const qvVec3* centers, int count, qvKelvinlet* loads,
                              qvError* error)
{
    qvKelvinlet like = MakeLike(event);
    like.time = qv_kelvinletImpulse;
    qvResult result = qvKelvinlet_SetDisplacement(&like, event->def.stroke.drag, error);
    qvKernelLoad* kernels = result == qv_ok ? qvAllocate((size_t)count, sizeof(*kernels)) : NULL;
    if (result == qv_ok && kernels == NULL)
        result = qvError_OutOfMemory(error, (double)count * sizeof(*kernels));
    if (result != qv_ok)
        return result;
    for (int i = 0; i < count; i++)
    {
        loads[i] = like;
        loads[i].center = centers[i];
    }
    double peakAge = qvKelvinlet_PeakAge(&like), largest = 0.0;
    for (double age = 0.5 * peakAge; age < 6.0 * peakAge; age *= 1.05)
        largest = fmax(largest, LargestAt(loads, centers, count, age, kernels));
    double wanted = qvLength(event->def.stroke.drag), scale = largest > 0.0 ? wanted / largest : 1.0;
    for (int i = 0; i < count; i++)
        loads[i].force = qvScale(scale, loads[i].force);
    free(kernels);
    return qv_ok;
}

qvResult qvMakePathLoads(const qvWaveEvent* event, const qvVec3* centers, int count, qvKelvinlet* loads, qvError* error)
{
    return event->def.push ? SolvePushes(event, centers, count, loads, error)
                           : SolveImpulses(event, centers, count, loads, error);
}
