// SPDX-License-Identifier: GPL-3.0-or-later
// Preparing advections. Points and centres move together: dx/ds = sum_b u_b(x - c_b), dc_a/ds = sum_b u_b(c_a - c_b), s
// from 0 to 1, by the classical Runge-Kutta method of fourth order. A point that starts at a centre therefore stays
// with it to the last bit of the method, and a centre whose displacement is kept constant ends exactly at its target.
#include "kelvinlet/flow.h"

#include "base/assert.h"
#include "base/memory.h"
#include "kelvinlet/field.h"
#include "kelvinlet/load.h"
#include "math/mat3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MAX_SUBSTEPS = 256,
    MAX_PROBED_LOADS = 4,
};

qvAdvection qvDefaultAdvection(void)
{
    return (qvAdvection){ .substeps = qv_estimateSubsteps, .tolerance = 1e-3, .travel = true, .cull = true };
}

void qvFlow_Free(qvFlow* flow)
{
    free(flow->kernels);
    free(flow->kernelsf);
    free(flow->loads);
    free(flow->ends);
    free(flow->travels);
    free(flow->reaches);
    memset(flow, 0, sizeof(*flow));
}

static qvResult Allocate(qvFlow* flow, qvError* error)
{
    size_t loads = (size_t)flow->loadCount, kernels = loads * (size_t)flow->rowCount;
    flow->kernels = qvAllocate(kernels, sizeof(*flow->kernels));
    flow->kernelsf = qvAllocate(kernels, sizeof(*flow->kernelsf));
    flow->loads = qvAllocate(loads, sizeof(*flow->loads));
    flow->ends = qvAllocate(loads, sizeof(*flow->ends));
    flow->travels = qvAllocate(loads, sizeof(*flow->travels));
    flow->reaches = qvAllocate(loads, sizeof(*flow->reaches));
    if (flow->kernels != NULL && flow->kernelsf != NULL && flow->loads != NULL && flow->ends != NULL &&
        flow->travels != NULL && flow->reaches != NULL)
        return qv_ok;
    qvFlow_Free(flow);
    return qvError_OutOfMemory(error, (double)kernels * sizeof(qvKernelLoad));
}

// One row from the loads as they stand.
static void PrepareRow(qvFlow* flow, const qvKelvinlet* loads, int row)
{
    for (int i = 0; i < flow->loadCount; i++)
    {
        size_t at = (size_t)row * flow->loadCount + i;
        qvPrepareKernel(&loads[i], flow->age, &flow->kernels[at]);
        qvPrepareKernelf(&loads[i], flow->age, &flow->kernelsf[at]);
    }
}

// Velocities of the centres in the field of a row.
static void CenterSlopes(const qvFlow* flow, const qvKelvinlet* loads, int row, qvVec3* slopes)
{
    const qvKernelLoad* kernels = flow->kernels + (size_t)row * flow->loadCount;
    for (int a = 0; a < flow->loadCount; a++)
    {
        slopes[a] = qvMakeVec3(0.0, 0.0, 0.0);
        for (int b = 0; b < flow->loadCount; b++)
            slopes[a] = qvAdd(slopes[a], qvEvaluateKernel(&kernels[b], loads[a].center));
    }
}

// Moves the centres over one substep and prepares its four rows. slopes holds 4 loadCount vectors.
static void TravelSubstep(qvFlow* flow, qvKelvinlet* loads, int substep, qvFlowUpdateFcn* update, void* context,
                          qvVec3* slopes)
{
    static const double offsets[4] = { 0.0, 0.5, 0.5, 1.0 };
    int n = flow->loadCount;
    double h = 1.0 / flow->substeps;
    for (int stage = 0; stage < 4; stage++)
    {
        const qvVec3* before = slopes + (stage > 0 ? stage - 1 : 0) * n;
        for (int a = 0; a < n; a++)
            loads[a].center = qvMulAdd(flow->ends[a], offsets[stage] * h, before[a]);
        if (update != NULL)
            update(context, loads, n);
        PrepareRow(flow, loads, 4 * substep + stage);
        CenterSlopes(flow, loads, 4 * substep + stage, slopes + stage * n);
    }
    for (int a = 0; a < n; a++)
    {
        qvVec3 sum = qvAdd(slopes[a], slopes[3 * n + a]);
        sum = qvMulAdd(sum, 2.0, qvAdd(slopes[n + a], slopes[2 * n + a]));
        qvVec3 step = qvScale(h / 6.0, sum);
        flow->ends[a] = qvAdd(flow->ends[a], step);
        flow->travels[a] += qvLength(step);
    }
}

static qvResult Travel(qvFlow* flow, qvFlowUpdateFcn* update, void* context, qvError* error)
{
    size_t n = (size_t)flow->loadCount;
    qvKelvinlet* loads = qvAllocateRaw(n, sizeof(*loads));
    qvVec3* slopes = qvAllocate(4 * n, sizeof(*slopes));
    if (loads == NULL || slopes == NULL)
    {
        free(loads);
        free(slopes);
        return qvError_OutOfMemory(error, (double)n * sizeof(*loads));
    }
    memcpy(loads, flow->loads, n * sizeof(*loads));
    for (int s = 0; s < flow->substeps; s++)
        TravelSubstep(flow, loads, s, update, context, slopes);
    free(loads);
    free(slopes);
    return qv_ok;
}

static bool CentersMove(const qvKelvinlet* loads, int loadCount, const qvAdvection* options)
{
    if (!options->travel || options->substeps == qv_linear)
        return false;
    return loadCount > 1 || (loadCount == 1 && qvLength(loads[0].force) > 0.0);
}

static qvResult InitFixed(qvFlow* flow, const qvKelvinlet* loads, int loadCount, double age, const qvAdvection* options,
                          qvFlowUpdateFcn* update, void* context, qvError* error)
{
    QV_ASSERT(options->substeps == qv_linear || (options->substeps >= 1 && options->substeps <= MAX_SUBSTEPS));
    bool moves = CentersMove(loads, loadCount, options);
    *flow = (qvFlow){ .loadCount = loadCount, .age = age, .cull = options->cull };
    flow->substeps = options->substeps == qv_linear ? 0 : options->substeps;
    flow->rowCount = moves ? 4 * flow->substeps : 1;
    qvResult result = Allocate(flow, error);
    if (result != qv_ok)
        return result;
    memcpy(flow->loads, loads, (size_t)loadCount * sizeof(*loads));
    for (int i = 0; i < loadCount; i++)
    {
        flow->ends[i] = loads[i].center;
        if (options->cull)
            flow->reaches[i] = qvKelvinlet_Reach(&loads[i], age, qvKelvinlet_Threshold(&loads[i]));
    }
    if (!moves)
        PrepareRow(flow, loads, 0);
    else
        result = Travel(flow, update, context, error);
    if (result != qv_ok)
        qvFlow_Free(flow);
    return result;
}

// --- The number of substeps ------------------------------------------------------------------------------------------

// An upper estimate of how far the load moves its centre, in radii: the flow of a smaller one is nearly linear.
static double RelativeSize(const qvKelvinlet* load, double age)
{
    double eps = load->radii[0], size = 0.0;
    qvKelvinlet still = *load;
    still.time = qv_kelvinletStatic;
    if (load->time == qv_kelvinletImpulse)
    {
        // Peak of 15 t eps^4 / (8 pi (beta t)_e^7), and of its derivative along an affine load.
        double beta = qvKelvinlet_ShearSpeed(load), unit = 0.142 / (eps * eps * beta);
        size = unit * (qvLength(load->force) / eps + 7.0 * qvMat3_Norm(&load->affine) / (eps * eps));
        size += fabs(load->dilation) > 0.0 ? 1.0 : 0.0;
        return age > 0.0 ? size * exp(-load->fade * age) : 0.0;
    }
    size = fabs(qvKelvinlet_CenterGain(&still, 0.0)) * qvLength(load->force) / eps;
    size += fabs(qvKelvinlet_GradientGain(&still, qv_gradientTurn, 0.0)) * qvMat3_Norm(&load->affine);
    return size + fabs(qvKelvinlet_GradientGain(&still, qv_gradientDilation, 0.0) * load->dilation);
}

static void AddProbe(qvBlock* block, int* count, qvVec3 at)
{
    block->axis[0][*count] = at.x;
    block->axis[1][*count] = at.y;
    block->axis[2][*count] = at.z;
    (*count)++;
}

// Around each centre, and on the shear wave's front.
static int MakeProbes(const qvKelvinlet* loads, int loadCount, double age, qvBlock* block)
{
    int count = 0;
    for (int i = 0; i < loadCount && i < MAX_PROBED_LOADS; i++)
    {
        double eps = loads[i].radii[0], front = qvKelvinlet_ShearSpeed(&loads[i]) * fmax(age, 0.0);
        bool still = loads[i].time == qv_kelvinletStatic;
        double distances[4] = { 0.4 * eps, eps, 2.0 * eps, still ? 0.7 * eps : front };
        for (int d = 0; d < 4; d++)
        {
            for (int k = 0; k < 27; k++)
            {
                qvVec3 direction = qvMakeVec3(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
                // Corners and sides of the cube, without its edges and its middle.
                double length2 = qvDot(direction, direction);
                if (length2 == 1.0 || length2 == 3.0)
                    AddProbe(block, &count, qvMulAdd(loads[i].center, distances[d] / sqrt(length2), direction));
            }
        }
    }
    return count;
}

typedef struct Probing
{
    const qvKelvinlet* loads;
    int loadCount, probeCount;
    double age;
    qvAdvection options;
    qvFlowUpdateFcn* update;
    void* context;
    qvBlock probes;
} Probing;

static bool CarryProbes(Probing* probing, int substeps, qvBlock* out)
{
    qvFlow flow;
    probing->options.substeps = substeps;
    if (InitFixed(&flow, probing->loads, probing->loadCount, probing->age, &probing->options, probing->update,
                  probing->context, NULL) != qv_ok)
        return false;
    qvBlock points = probing->probes;
    qvFlow_CarryBlock(&flow, qvGetKernelSet(qv_cpuPortable), probing->probeCount, &points, out);
    qvFlow_Free(&flow);
    return true;
}

static double LargestDifference(const qvBlock* a, const qvBlock* b, int count)
{
    double largest = 0.0;
    for (int i = 0; i < 3 * count; i++)
        largest = fmax(largest, fabs(a->axis[i % 3][i / 3] - b->axis[i % 3][i / 3]));
    return largest;
}

// Doubles the substeps until doubling them once more changes little; a step that ran out of memory counts as one more.
static int Estimate(const qvKelvinlet* loads, int loadCount, double age, const qvAdvection* options,
                    qvFlowUpdateFcn* update, void* context)
{
    double size = 0.0, radius = INFINITY;
    for (int i = 0; i < loadCount; i++)
    {
        size += RelativeSize(&loads[i], age);
        radius = fmin(radius, loads[i].radii[0]);
    }
    // One step of a nearly linear flow errs by about size^5 / 120.
    if (size < 0.6 * pow(10.0 * options->tolerance, 0.2))
        return 1;
    Probing probing = { loads, loadCount, 0, age, *options, update, context, { { { 0 } } } };
    probing.probeCount = MakeProbes(loads, loadCount, age, &probing.probes);
    qvBlock results[2];
    bool ready = CarryProbes(&probing, 1, &results[0]);
    for (int n = 1, now = 0; n < MAX_SUBSTEPS; n *= 2, now = 1 - now)
    {
        bool good = CarryProbes(&probing, 2 * n, &results[1 - now]);
        if (ready && good &&
            LargestDifference(&results[0], &results[1], probing.probeCount) <= options->tolerance * radius)
            return n;
        ready = good;
    }
    return MAX_SUBSTEPS;
}

int qvEstimateSubsteps(const qvKelvinlet* loads, int loadCount, double age, const qvAdvection* options)
{
    return Estimate(loads, loadCount, age, options, NULL, NULL);
}

qvResult qvFlow_Init(qvFlow* flow, const qvKelvinlet* loads, int loadCount, double age, const qvAdvection* options,
                     qvFlowUpdateFcn* update, void* context, qvError* error)
{
    memset(flow, 0, sizeof(*flow));
    if (!isfinite(age))
        return qvError_Set(error, qv_badInput, "time: %g must be a finite number", age);
    for (int i = 0; i < loadCount; i++)
    {
        qvResult result = qvKelvinlet_Validate(&loads[i], error);
        if (result != qv_ok)
            return result;
    }
    qvAdvection settled = *options;
    if (settled.substeps == qv_estimateSubsteps)
        settled.substeps = Estimate(loads, loadCount, age, options, update, context);
    return InitFixed(flow, loads, loadCount, age, &settled, update, context, error);
}

bool qvFlow_Misses(const qvFlow* flow, qvVec3 center, double radius)
{
    for (int i = 0; i < flow->loadCount; i++)
    {
        double distance = qvDistance(center, flow->loads[i].center), reach = radius + flow->travels[i];
        if (distance + reach > flow->reaches[i].inner && distance - reach < flow->reaches[i].outer)
            return false;
    }
    return true;
}

qvResult qvAdvectf(const qvKelvinlet* loads, int loadCount, double age, const qvAdvection* options,
                   const qvPointsf* points, qvPointsf* displacements, qvPool* pool, qvError* error)
{
    qvFlow flow;
    qvResult result = qvFlow_Init(&flow, loads, loadCount, age, options, NULL, NULL, error);
    if (result != qv_ok)
        return result;
    qvFlow_Runf(&flow, points, displacements, pool);
    qvFlow_Free(&flow);
    return qv_ok;
}

qvResult qvAdvect(const qvKelvinlet* loads, int loadCount, double age, const qvAdvection* options,
                  const qvPoints* points, qvPoints* displacements, qvPool* pool, qvError* error)
{
    qvFlow flow;
    qvResult result = qvFlow_Init(&flow, loads, loadCount, age, options, NULL, NULL, error);
    if (result != qv_ok)
        return result;
    qvFlow_Run(&flow, points, displacements, pool);
    qvFlow_Free(&flow);
    return qv_ok;
}
