// SPDX-License-Identifier: GPL-3.0-or-later
// A wave layer at a time: de Goes and James, "Dynamic Kelvinlets", 2018, eq. 20,
//     x(t) = x0(t) + R(t) sum_i u_i(x_i, t - t_i),
// with x0 the base motion, R the rotation of its rigid frame, x_i the snapshot of the points when load i starts, and
// u_i the displacement of a point carried through the load's frozen field. A single load's centre moves with the
// constant velocity u_i(c_i), so its path over pseudo time is a straight line and needs no integration.
#include "waves/layer.h"

#include "math/affine.h"
#include "motion/frame.h"

#include <math.h>
#include <string.h>

// A load at an age, ready for blocks of points.
typedef struct Active
{
    qvKernelLoadf kernel;
    const qvLayerLoad* load;
    qvVec3 velocity; // of the centre over pseudo time
    qvReach reach;
    double travel;
    float factor;
} Active;

// --- Scratch ---------------------------------------------------------------------------------------------------------

typedef struct Scratch
{
    Active* active;
    qvVec3f* changes;       // [pointCount]
    qvChangeWork work;      // of changes
    qvVec3f* points;        // [pointCount] of the base motion
    qvVec3f* displacements; // [2 pointCount] for speeds
    double* coordinates;    // [3 pointCount] for the fit of a frame
    void* base;
} Scratch;

static void* Take(char* memory, size_t* offset, size_t count, size_t size)
{
    void* start = memory != NULL ? memory + *offset : NULL;
    *offset += (count * size + 63) / 64 * 64;
    return start;
}

static int ImageCount(const qvWaveLayer* layer, const qvLayerLoad* load)
{
    double images = layer->period > 0.0 ? ceil(load->life / layer->period) : 1.0;
    return (int)fmin(fmax(images, 1.0), qv_maxWaveImages);
}

static size_t LayOut(const qvWaveLayer* layer, void* memory, Scratch* scratch)
{
    size_t offset = 0, n = (size_t)layer->pointCount, active = 0, changes = layer->changeCount > 0 ? n : 0;
    for (int i = 0; i < layer->loads.count; i++)
        active += (size_t)ImageCount(layer, &layer->loads.items[i]);
    scratch->active = Take(memory, &offset, active, sizeof(Active));
    scratch->changes = Take(memory, &offset, changes, sizeof(qvVec3f));
    scratch->work.key = Take(memory, &offset, changes, sizeof(qvVec3f));
    scratch->work.before = Take(memory, &offset, changes, sizeof(qvVec3f));
    scratch->work.own = Take(memory, &offset, layer->carrier.turn != NULL ? changes : 0, sizeof(qvVec3f));
    scratch->work.carrier = Take(memory, &offset, layer->carrier.scratchSize, 1);
    scratch->points = Take(memory, &offset, n, sizeof(qvVec3f));
    scratch->displacements = Take(memory, &offset, 2 * n, sizeof(qvVec3f));
    scratch->coordinates = Take(memory, &offset, layer->base.frame == NULL ? 3 * n : 0, sizeof(double));
    scratch->base = Take(memory, &offset, layer->base.scratchSize, 1);
    return offset;
}

size_t qvWaveLayer_ScratchSize(const qvWaveLayer* layer)
{
    Scratch scratch;
    size_t size = LayOut(layer, NULL, &scratch);
    return size > 0 ? size : 64;
}

// --- Frames ----------------------------------------------------------------------------------------------------------

qvAffine qvFitFrame(int count, const double* masses, const double* rest, const qvVec3f* points, double* coordinates)
{
    for (int i = 0; i < count; i++)
        coordinates[3 * i] = points[i].x, coordinates[3 * i + 1] = points[i].y, coordinates[3 * i + 2] = points[i].z;
    qvRigid fit = qvFitRigid(count, masses, rest, coordinates);
    qvAffine frame = qvAffine_FromParts(fit.position, fit.rotation, qvMakeVec3(1.0, 1.0, 1.0));
    frame.offset = qvSub(fit.position, qvAffine_Vector(&frame, qvMassCenter(count, masses, rest)));
    return frame;
}

qvAffine qvWaveLayer_Frame(const qvWaveLayer* layer, double time, const qvVec3f* points, void* memory, qvPool* pool)
{
    if (layer->base.frame != NULL)
        return layer->base.frame(layer->base.context, time);
    Scratch scratch;
    LayOut(layer, memory, &scratch);
    if (points == NULL)
    {
        layer->base.points(layer->base.context, time, scratch.base, pool, scratch.points);
        points = scratch.points;
    }
    return qvFitFrame(layer->pointCount, layer->masses, layer->rest, points, scratch.coordinates);
}

// --- Which loads are active ------------------------------------------------------------------------------------------

double qvWaveLayer_FirstAge(const qvWaveLayer* layer, double start, double time, const qvLayerFilter* filter)
{
    double age = time - start;
    return layer->period > 0.0 && !filter->once ? age - layer->period * floor(age / layer->period) : age;
}

static bool Touches(const Active* active, qvSphere sphere)
{
    double distance = qvDistance(sphere.center, active->load->load.center), reach = sphere.radius + active->travel;
    return distance + reach > active->reach.inner && distance - reach < active->reach.outer;
}

static bool IsGrab(const qvKelvinlet* load)
{
    return load->force.x != 0.0 || load->force.y != 0.0 || load->force.z != 0.0;
}

// False when the load moves nothing at this age.
static bool Activate(const qvWaveLayer* layer, const qvLayerLoad* load, double age, bool ignoresStop, Active* active)
{
    double factor = qvWindow_Factor(load->until, age) * (ignoresStop ? 1.0 : qvWindow_Factor(load->stop, age));
    if (!(age > 0.0) || !(age < load->life) || !(factor > 0.0))
        return false;
    active->load = load;
    active->factor = (float)factor;
    active->velocity = qvMakeVec3(0.0, 0.0, 0.0);
    if (IsGrab(&load->load) && load->substeps > 0)
    {
        double gain = qvKelvinlet_CenterGain(&load->load, age) * exp(-load->load.fade * age);
        active->velocity = qvScale(gain, load->load.force);
    }
    active->travel = qvLength(active->velocity);
    active->reach = qvKelvinlet_Reach(&load->load, age, load->threshold);
    if (!Touches(active, layer->snapshots.items[load->snapshot].whole))
        return false;
    qvPrepareKernelf(&load->load, age, &active->kernel);
    return true;
}

// In a loop, whichever time around the load starts.
static bool IsLeftOut(const qvWaveLayer* layer, const qvLayerLoad* load, const qvLayerFilter* filter)
{
    double apart = load->start - filter->without;
    if (layer->period > 0.0)
        apart = remainder(apart, layer->period);
    return fabs(apart) < filter->around;
}

static int FindActive(const qvWaveLayer* layer, double time, const qvLayerFilter* filter, Active* active)
{
    int count = 0;
    for (int i = 0; i < layer->loads.count; i++)
    {
        const qvLayerLoad* load = &layer->loads.items[i];
        if (IsLeftOut(layer, load, filter))
            continue;
        double age = qvWaveLayer_FirstAge(layer, load->start, time, filter);
        int images = filter->once ? 1 : ImageCount(layer, load);
        for (int k = 0; k < images; k++, age += layer->period)
            count += Activate(layer, load, age, filter->ignoresStops, &active[count]) ? 1 : 0;
    }
    return count;
}

// Counted without scratch: one at a time.
int qvWaveLayer_ActiveCount(const qvWaveLayer* layer, double time)
{
    qvLayerFilter filter = { 0 };
    int count = 0;
    for (int i = 0; i < layer->loads.count; i++)
    {
        const qvLayerLoad* load = &layer->loads.items[i];
        double age = qvWaveLayer_FirstAge(layer, load->start, time, &filter);
        Active one;
        for (int k = 0; k < ImageCount(layer, load); k++, age += layer->period)
            count += Activate(layer, load, age, false, &one) ? 1 : 0;
    }
    return count;
}

// --- Blocks ----------------------------------------------------------------------------------------------------------

static void PlaceCenter(const Active* active, double at, qvKernelLoadf* kernel)
{
    qvVec3 center = qvMulAdd(active->load->load.center, at, active->velocity);
    kernel->center[0] = (float)center.x;
    kernel->center[1] = (float)center.y;
    kernel->center[2] = (float)center.z;
}

// The displacement of a block through one load's field by RK4 or the midpoint rule; points are overwritten when there
// are several substeps.
static void CarryBlock(const Active* active, const qvKernelSetf* set, int count, qvBlockf* points, qvBlockf* out)
{
    qvKernelLoadf kernel = active->kernel;
    qvKernelFcnf* evaluate = set->evaluate[kernel.time][kernel.scaleCount - 1][kernel.parts];
    int substeps = active->load->substeps;
    if (substeps == 0)
    {
        evaluate(&kernel, count, points, points, 0.0f, out, false);
        return;
    }
    double h = 1.0 / substeps;
    qvBlockf k[4];
    if (active->load->midpoint)
    {
        evaluate(&kernel, count, points, points, 0.0f, &k[0], false);
        PlaceCenter(active, 0.5, &kernel);
        evaluate(&kernel, count, points, &k[0], 0.5f, out, false);
        return;
    }
    int padded = (count + 15) / 16 * 16;
    for (int c = 0; c < 3; c++)
        memset(out->axis[c], 0, (size_t)padded * sizeof(float));
    for (int s = 0; s < substeps; s++)
    {
        PlaceCenter(active, s * h, &kernel);
        evaluate(&kernel, count, points, points, 0.0f, &k[0], false);
        PlaceCenter(active, (s + 0.5) * h, &kernel);
        evaluate(&kernel, count, points, &k[0], (float)(0.5 * h), &k[1], false);
        evaluate(&kernel, count, points, &k[1], (float)(0.5 * h), &k[2], false);
        PlaceCenter(active, (s + 1) * h, &kernel);
        evaluate(&kernel, count, points, &k[2], (float)h, &k[3], false);
        set->advance(count, (float)h, k, out);
        if (s + 1 < substeps)
            set->advance(count, (float)h, k, points);
    }
}

typedef struct SumJob
{
    const qvWaveLayer* layer;
    const Active* active;
    int activeCount;
    const qvKernelSetf* set;
    const qvVec3f* changes; // NULL: none
    float turn[3][3];       // frame to world
    bool add;
    qvVec3f* out;
} SumJob;

static void AddWeighted(const SumJob* job, const Active* active, int first, int count, const qvBlockf* moved,
                        qvBlockf* sum)
{
    const float* mask = active->load->mask;
    const int32_t* parts = job->layer->topology->pointPart;
    int part = active->load->part;
    if (mask == NULL && part < 0)
    {
        for (int c = 0; c < 3; c++)
        {
            for (int i = 0; i < count; i++)
                sum->axis[c][i] += active->factor * moved->axis[c][i];
        }
        return;
    }
    for (int i = 0; i < count; i++)
    {
        float w = active->factor * (mask != NULL ? mask[first + i] : 1.0f);
        w = part < 0 || parts[first + i] == part ? w : 0.0f;
        for (int c = 0; c < 3; c++)
            sum->axis[c][i] += w * moved->axis[c][i];
    }
}

static void SumBlock(const SumJob* job, int block, int first, int count, qvBlockf* sum)
{
    qvBlockf points, moved;
    memset(sum, 0, sizeof(*sum));
    for (int i = 0; i < job->activeCount; i++)
    {
        const Active* active = &job->active[i];
        const qvSnapshot* snapshot = &job->layer->snapshots.items[active->load->snapshot];
        if (!Touches(active, snapshot->spheres[block]))
            continue;
        qvBlock_Loadf(&snapshot->points, first, count, &points);
        CarryBlock(active, job->set, count, &points, &moved);
        AddWeighted(job, active, first, count, &moved, sum);
    }
}

static void SumBlocks(void* context, int begin, int end)
{
    const SumJob* job = context;
    const float(*m)[3] = job->turn;
    for (int block = begin; block < end; block++)
    {
        int first = block * qv_blockSize, left = job->layer->pointCount - first;
        int count = left < qv_blockSize ? left : qv_blockSize;
        qvBlockf sum;
        SumBlock(job, block, first, count, &sum);
        for (int i = 0; i < count; i++)
        {
            float x = sum.axis[0][i], y = sum.axis[1][i], z = sum.axis[2][i];
            if (job->changes != NULL)
                x += job->changes[first + i].x, y += job->changes[first + i].y, z += job->changes[first + i].z;
            qvVec3f* out = &job->out[first + i];
            qvVec3f d = { m[0][0] * x + m[0][1] * y + m[0][2] * z, m[1][0] * x + m[1][1] * y + m[1][2] * z,
                          m[2][0] * x + m[2][1] * y + m[2][2] * z };
            *out = job->add ? (qvVec3f){ out->x + d.x, out->y + d.y, out->z + d.z } : d;
        }
    }
}

// --- The layer -------------------------------------------------------------------------------------------------------

// turn: frame to world; NULL: none.
static void Evaluate(const qvWaveLayer* layer, double time, const qvLayerFilter* filter, Scratch* scratch,
                     const qvAffine* turn, bool add, qvPool* pool, qvVec3f* out)
{
    SumJob job = { .layer = layer, .set = qvGetKernelSetf(qvGetCpuLevel()), .add = add, .out = out };
    for (int i = 0; i < 9; i++)
        job.turn[i / 3][i % 3] = turn != NULL ? (float)turn->linear[i / 3][i % 3] : i % 4 == 0 ? 1.0f : 0.0f;
    job.activeCount = FindActive(layer, time, filter, scratch->active);
    job.active = scratch->active;
    if (layer->changeCount > 0)
    {
        memset(scratch->changes, 0, (size_t)layer->pointCount * sizeof(qvVec3f));
        qvWaveLayer_AddChanges(layer, time, filter, pool, &scratch->work, scratch->changes);
        job.changes = scratch->changes;
    }
    qvParallelFor(pool, layer->blockCount, 1, SumBlocks, &job);
}

void qvWaveLayer_FrameDisplacements(const qvWaveLayer* layer, double time, const qvLayerFilter* filter, void* memory,
                                    qvPool* pool, qvVec3f* displacements)
{
    Scratch scratch;
    LayOut(layer, memory, &scratch);
    Evaluate(layer, time, filter, &scratch, NULL, false, pool, displacements);
}

void qvWaveLayer_Add(const qvWaveLayer* layer, double time, void* memory, qvPool* pool, qvVec3f* points)
{
    qvLayerFilter filter = { 0 };
    Scratch scratch;
    if (layer->loads.count == 0 && layer->changeCount == 0)
        return;
    LayOut(layer, memory, &scratch);
    qvAffine frame = qvWaveLayer_Frame(layer, time, points, memory, pool);
    Evaluate(layer, time, &filter, &scratch, &frame, true, pool, points);
}

void qvWaveLayer_Displacements(const qvWaveLayer* layer, double time, void* memory, qvPool* pool,
                               qvVec3f* displacements)
{
    qvLayerFilter filter = { 0 };
    Scratch scratch;
    LayOut(layer, memory, &scratch);
    qvAffine frame = qvWaveLayer_Frame(layer, time, NULL, memory, pool);
    Evaluate(layer, time, &filter, &scratch, &frame, false, pool, displacements);
}

static float LengthOf(qvVec3f v)
{
    return sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
}

void qvWaveLayer_Colors(const qvWaveLayer* layer, double time, qvWaveColor color, void* memory, qvPool* pool,
                        float* values)
{
    qvLayerFilter filter = { 0 };
    Scratch scratch;
    LayOut(layer, memory, &scratch);
    qvVec3f *a = scratch.displacements, *b = a + layer->pointCount;
    // Differences over a tenth of the time in which a wave passes its own radius; forward, lest the start of a change
    // be taken for speed.
    double step = layer->peakSpeed > 0.0 ? 0.1 * layer->peakSize / layer->peakSpeed : 1e-3;
    bool speed = color == qv_waveColorSpeed;
    Evaluate(layer, time, &filter, &scratch, NULL, false, pool, a);
    if (speed)
        Evaluate(layer, time + step, &filter, &scratch, NULL, false, pool, b);
    double unit = speed ? step * layer->peakSpeed : layer->peakSize;
    float scale = unit > 0.0 ? (float)(1.0 / unit) : 0.0f;
    for (int i = 0; i < layer->pointCount; i++)
    {
        qvVec3f d = speed ? (qvVec3f){ a[i].x - b[i].x, a[i].y - b[i].y, a[i].z - b[i].z } : a[i];
        values[i] = scale * LengthOf(d);
    }
}
