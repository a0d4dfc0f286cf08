// SPDX-License-Identifier: GPL-3.0-or-later
// Many loads in time: de Goes and James, "Dynamic Kelvinlets", 2018, eq. 20 (time series) and eq. 21 (transients).
#include "base/assert.h"
#include "base/memory.h"
#include "kelvinlet/field.h"
#include "kelvinlet/flow.h"
#include "kelvinlet/load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A wave whose field is exactly or invisibly zero everywhere.
static bool IsSilent(const qvKelvinlet* load, double age)
{
    if (load->time == qv_kelvinletTransient)
        return false;
    return !(age > 0.0) || load->fade * age > 16.2; // exp(-16.2) < 1e-7
}

// The loads that are active at a time, with their flows.
typedef struct Active
{
    int count;
    qvFlow* flows;
    int* waves; // which wave each flow belongs to
} Active;

static void FreeActive(Active* active)
{
    for (int i = 0; i < active->count; i++)
        qvFlow_Free(&active->flows[i]);
    free(active->flows);
    free(active->waves);
    *active = (Active){ 0 };
}

static qvResult MakeActive(const qvWave* waves, int waveCount, double time, const qvAdvection* options, Active* active,
                           qvError* error)
{
    active->count = 0;
    active->flows = qvAllocate((size_t)waveCount, sizeof(*active->flows));
    active->waves = qvAllocate((size_t)waveCount, sizeof(*active->waves));
    if (active->flows == NULL || active->waves == NULL)
    {
        FreeActive(active);
        return qvError_OutOfMemory(error, (double)waveCount * sizeof(*active->flows));
    }
    for (int i = 0; i < waveCount; i++)
    {
        double age = time - waves[i].start;
        if (IsSilent(&waves[i].load, age))
            continue;
        qvResult result =
            qvFlow_Init(&active->flows[active->count], &waves[i].load, 1, age, options, NULL, NULL, error);
        if (result != qv_ok)
        {
            qvError_Prefix(error, "wave %d", i);
            FreeActive(active);
            return result;
        }
        active->waves[active->count++] = i;
    }
    return qv_ok;
}

// Where each wave finds the points, and spheres around their blocks.
typedef struct Material
{
    qvPointsf points;
    qvSphere* spheres;
} Material;

// points: one set for all waves, or (materials) one set per wave.
typedef struct SumJob
{
    const Active* active;
    const qvKernelSetf* set;
    const qvPointsf* points;
    const Material* materials;
    qvPointsf* displacements;
} SumJob;

static void AddBlock(const qvBlockf* from, int count, qvBlockf* sum)
{
    for (int c = 0; c < 3; c++)
    {
        for (int i = 0; i < count; i++)
            sum->axis[c][i] += from->axis[c][i];
    }
}

static void SumBlock(const SumJob* job, int block, int count, qvBlockf* sum)
{
    qvBlockf points, moving, out;
    qvSphere sphere = { 0 };
    int first = block * qv_blockSize;
    memset(sum, 0, sizeof(*sum));
    if (job->materials == NULL)
    {
        qvBlock_Loadf(job->points, first, count, &points);
        sphere = qvBlock_Spheref(job->set, &points, count);
    }
    for (int i = 0; i < job->active->count; i++)
    {
        const qvFlow* flow = &job->active->flows[i];
        const Material* material = job->materials != NULL ? &job->materials[job->active->waves[i]] : NULL;
        if (material != NULL)
            sphere = material->spheres[block];
        if (flow->cull && qvFlow_Misses(flow, sphere.center, sphere.radius))
            continue;
        if (material != NULL)
            qvBlock_Loadf(&material->points, first, count, &points);
        bool spoils = flow->substeps > 1;
        if (spoils)
            moving = points;
        qvFlow_CarryBlockf(flow, job->set, count, spoils ? &moving : &points, &out);
        AddBlock(&out, count, sum);
    }
}

static void SumBlocks(void* context, int begin, int end)
{
    const SumJob* job = context;
    for (int block = begin; block < end; block++)
    {
        int first = block * qv_blockSize, left = job->displacements->count - first;
        int count = left < qv_blockSize ? left : qv_blockSize;
        qvBlockf sum;
        SumBlock(job, block, count, &sum);
        memcpy(job->displacements->x + first, sum.axis[0], (size_t)count * sizeof(float));
        memcpy(job->displacements->y + first, sum.axis[1], (size_t)count * sizeof(float));
        memcpy(job->displacements->z + first, sum.axis[2], (size_t)count * sizeof(float));
    }
}

static void Sum(const Active* active, const qvPointsf* points, const Material* materials, qvPointsf* displacements,
                qvPool* pool)
{
    SumJob job = { active, qvGetKernelSetf(qvGetCpuLevel()), points, materials, displacements };
    qvParallelFor(pool, (displacements->count + qv_blockSize - 1) / qv_blockSize, 1, SumBlocks, &job);
}

qvResult qvAddWavesf(const qvWave* waves, int waveCount, double time, const qvAdvection* options,
                     const qvPointsf* points, qvPointsf* displacements, qvPool* pool, qvError* error)
{
    QV_ASSERT(points->count == displacements->count && waveCount >= 0);
    Active active;
    qvResult result = MakeActive(waves, waveCount, time, options, &active, error);
    if (result != qv_ok)
        return result;
    Sum(&active, points, NULL, displacements, pool);
    FreeActive(&active);
    return qv_ok;
}

// --- Time series -----------------------------------------------------------------------------------------------------

struct qvWaveSeries
{
    int waveCount, pointCount;
    qvWave* waves;
    qvAdvection options;
    float* storage;      // 3 pointCount floats per wave
    qvSphere* spheres;   // blockCount per wave
    Material* materials; // one per wave, in storage and spheres
};

void qvDestroyWaveSeries(qvWaveSeries* series)
{
    if (series == NULL)
        return;
    free(series->waves);
    free(series->storage);
    free(series->spheres);
    free(series->materials);
    free(series);
}

static qvWaveSeries* AllocateSeries(const qvWave* waves, int waveCount, int pointCount)
{
    qvWaveSeries* series = qvAllocate(1, sizeof(*series));
    if (series == NULL)
        return NULL;
    size_t w = (size_t)waveCount, n = (size_t)pointCount;
    series->waveCount = waveCount;
    series->pointCount = pointCount;
    series->waves = qvAllocate(w, sizeof(*series->waves));
    series->materials = qvAllocate(w, sizeof(*series->materials));
    size_t blocks = (n + qv_blockSize - 1) / qv_blockSize;
    series->storage = qvAllocate(w * 3, n * sizeof(float));
    series->spheres = qvAllocate(w * blocks, sizeof(*series->spheres));
    if (series->waves == NULL || series->materials == NULL || series->storage == NULL || series->spheres == NULL)
    {
        qvDestroyWaveSeries(series);
        return NULL;
    }
    memcpy(series->waves, waves, w * sizeof(*waves));
    for (size_t i = 0; i < w; i++)
    {
        float* at = series->storage + 3 * n * i;
        series->materials[i] = (Material){ { at, at + n, at + 2 * n, pointCount }, series->spheres + blocks * i };
    }
    return series;
}

static void AddPoints(const qvPointsf* from, qvPointsf* to)
{
    for (int i = 0; i < from->count; i++)
    {
        to->x[i] += from->x[i];
        to->y[i] += from->y[i];
        to->z[i] += from->z[i];
    }
}

static void FindSpheres(Material* material)
{
    const qvKernelSetf* set = qvGetKernelSetf(qv_cpuPortable);
    qvBlockf block;
    for (int first = 0; first < material->points.count; first += qv_blockSize)
    {
        int left = material->points.count - first, count = left < qv_blockSize ? left : qv_blockSize;
        qvBlock_Loadf(&material->points, first, count, &block);
        material->spheres[first / qv_blockSize] = qvBlock_Spheref(set, &block, count);
    }
}

// Material points of wave i: where the body is at its start plus what the waves before it have done by then.
static qvResult FindMaterial(qvWaveSeries* series, int i, const qvPointsf* body, qvPool* pool, qvError* error)
{
    Material* material = &series->materials[i];
    Active active;
    qvResult result = MakeActive(series->waves, i, series->waves[i].start, &series->options, &active, error);
    if (result != qv_ok)
        return result;
    Sum(&active, NULL, series->materials, &material->points, pool);
    FreeActive(&active);
    AddPoints(body, &material->points);
    FindSpheres(material);
    return qv_ok;
}

static qvResult ValidateWaves(const qvWave* waves, int waveCount, qvError* error)
{
    for (int i = 0; i < waveCount; i++)
    {
        qvResult result = qvKelvinlet_Validate(&waves[i].load, error);
        if (result == qv_ok && !isfinite(waves[i].start))
            result = qvError_Set(error, qv_badInput, "time: not a finite number");
        if (result == qv_ok && i > 0 && waves[i].start < waves[i - 1].start)
            result = qvError_Set(error, qv_badInput, "time: waves must be sorted by their start");
        if (result != qv_ok)
        {
            qvError_Prefix(error, "wave %d", i);
            return result;
        }
    }
    return qv_ok;
}

qvResult qvCreateWaveSeries(const qvWave* waves, int waveCount, const qvAdvection* options, const qvPointsf* points,
                            const qvPointsf* bodies, qvPool* pool, qvWaveSeries** out, qvError* error)
{
    QV_ASSERT(waveCount >= 0 && points->count >= 0);
    *out = NULL;
    qvResult result = ValidateWaves(waves, waveCount, error);
    if (result != qv_ok)
        return result;
    qvWaveSeries* series = AllocateSeries(waves, waveCount, points->count);
    if (series == NULL)
        return qvError_OutOfMemory(error, 12.0 * waveCount * points->count);
    series->options = *options;
    for (int i = 0; result == qv_ok && i < waveCount; i++)
        result = FindMaterial(series, i, bodies != NULL ? &bodies[i] : points, pool, error);
    if (result == qv_ok)
        *out = series;
    else
        qvDestroyWaveSeries(series);
    return result;
}

qvResult qvWaveSeries_Evaluate(const qvWaveSeries* series, double time, qvPool* pool, qvPointsf* displacements,
                               qvError* error)
{
    QV_ASSERT(displacements->count == series->pointCount);
    Active active;
    qvResult result = MakeActive(series->waves, series->waveCount, time, &series->options, &active, error);
    if (result != qv_ok)
        return result;
    Sum(&active, NULL, series->materials, displacements, pool);
    FreeActive(&active);
    return qv_ok;
}

// --- Single points ---------------------------------------------------------------------------------------------------

static qvResult CarryByOne(const qvWave* wave, const qvAdvection* options, qvVec3 at, double time, qvVec3* moved,
                           qvError* error)
{
    *moved = qvMakeVec3(0.0, 0.0, 0.0);
    if (IsSilent(&wave->load, time - wave->start))
        return qv_ok;
    qvFlow flow;
    qvResult result = qvFlow_Init(&flow, &wave->load, 1, time - wave->start, options, NULL, NULL, error);
    if (result != qv_ok)
        return result;
    qvBlock point, out;
    qvBlock_Load(&(qvPoints){ &at.x, &at.y, &at.z, 1 }, 0, 1, &point);
    qvFlow_CarryBlock(&flow, qvGetKernelSet(qv_cpuPortable), 1, &point, &out);
    qvFlow_Free(&flow);
    *moved = qvMakeVec3(out.axis[0][0], out.axis[1][0], out.axis[2][0]);
    return qv_ok;
}

qvResult qvCarryPoint(const qvWave* waves, int waveCount, const qvAdvection* options, qvVec3 at, double time,
                      qvVec3* materialPoints, qvVec3* end, qvError* error)
{
    qvResult result = ValidateWaves(waves, waveCount, error);
    for (int i = 0; result == qv_ok && i <= waveCount; i++)
    {
        double now = i < waveCount ? waves[i].start : time;
        qvVec3 sum = at;
        for (int j = 0; result == qv_ok && j < i; j++)
        {
            qvVec3 moved;
            result = CarryByOne(&waves[j], options, materialPoints[j], now, &moved, error);
            sum = qvAdd(sum, moved);
        }
        if (i < waveCount)
            materialPoints[i] = sum;
        else
            *end = sum;
    }
    return result;
}

qvVec3 qvAddTransients(const qvWave* waves, int count, const qvVec3* keyPoints, double time)
{
    QV_ASSERT(count > 0);
    qvVec3 sum = keyPoints[count - 1];
    for (int i = 0; i < count; i++)
    {
        qvKelvinlet load = waves[i].load;
        load.time = qv_kelvinletTransient;
        sum = qvAdd(sum, qvKelvinlet_Displacement(&load, time - waves[i].start, keyPoints[i]));
    }
    return sum;
}
