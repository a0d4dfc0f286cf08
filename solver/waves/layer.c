// SPDX-License-Identifier: GPL-3.0-or-later
// Making a wave layer: everything that begins is put in order of time, and each finds the points where the body and the
// waves before it have them then (de Goes and James, "Dynamic Kelvinlets", 2018, section 5, "Time Series").
#include "waves/layer.h"

#include "base/assert.h"
#include "base/clock.h"
#include "base/label.h"
#include "math/affine.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

qvWaveLayerDef qvDefaultWaveLayerDef(void)
{
    return (qvWaveLayerDef){ .keepKeys = true, .substeps = qv_estimateSubsteps };
}

qvKeyWave qvDefaultKeyWave(void)
{
    return (qvKeyWave){ .amount = 1.0, .speed = 3.0, .transform = qvAffine_Identity() };
}

static void FreeSnapshot(qvSnapshot* snapshot)
{
    free(snapshot->points.x);
    free(snapshot->spheres);
}

void qvDestroyWaveLayer(qvWaveLayer* layer)
{
    if (layer == NULL)
        return;
    for (int i = 0; i < layer->snapshots.count; i++)
        FreeSnapshot(&layer->snapshots.items[i]);
    for (int i = 0; i < layer->masks.count; i++)
        free(layer->masks.items[i]);
    for (int i = 0; i < layer->changeCount; i++)
        qvChange_Free(&layer->changes[i]);
    free(layer->snapshots.items);
    free(layer->masks.items);
    free(layer->changes);
    free(layer->loads.items);
    free(layer->hardKeys);
    free(layer->misses);
    free(layer->rest);
    free(layer->masses);
    free(layer);
}

// --- Checking --------------------------------------------------------------------------------------------------------

static qvResult ValidateKey(const qvKeyWave* key, const qvKeyWave* before, qvError* error)
{
    if (!isfinite(key->time) || (before != NULL && !(key->time > before->time)))
        return qvError_Set(error, qv_badInput, "time: %g must be a number after the key before", key->time);
    if (!(key->amount >= -100.0 && key->amount <= 100.0))
        return qvError_Set(error, qv_badInput, "its wave's amount: %g must be in -100 to 100", key->amount);
    if (!(key->speed >= 1e-6 && key->speed <= 1e6))
        return qvError_Set(error, qv_badInput, "its wave's speed: %g must be in 1e-6 to 1e6", key->speed);
    return qv_ok;
}

static qvResult ValidateHardKeys(const qvWaveLayerDef* def, qvError* error)
{
    for (int i = 0; i < def->hardKeyCount; i++)
    {
        if (!isfinite(def->hardKeys[i]) || (i > 0 && def->hardKeys[i] < def->hardKeys[i - 1]))
            return qvError_Set(error, qv_badInput, "hard keys: time %g is not a number after the one before",
                               def->hardKeys[i]);
    }
    return qv_ok;
}

static qvResult ValidateDef(const qvWaveLayerDef* def, qvError* error)
{
    QV_ASSERT(def->topology != NULL && def->rest != NULL && def->base.points != NULL);
    QV_ASSERT(def->base.pointCount == def->topology->pointCount && def->topology->pointCount > 0);
    QV_ASSERT(def->carrier.points == NULL || def->carrier.pointCount == def->topology->pointCount);
    QV_ASSERT(def->substeps >= qv_linear && def->substeps <= 256);
    if (!(def->period >= 0.0 && def->period <= 1e9))
        return qvError_Set(error, qv_badInput, "loop: a period of %g s is not from 0 to 1e9", def->period);
    qvResult result = ValidateHardKeys(def, error);
    for (int i = 0; result == qv_ok && i < def->eventCount; i++)
    {
        result = qvWaveEvent_Validate(&def->events[i], error);
        if (result != qv_ok)
            qvError_Prefix(error, "%s", qvMakeLabel(def->events[i].label, "event", i).text);
    }
    for (int i = 0; result == qv_ok && i < def->keyCount; i++)
    {
        result = ValidateKey(&def->keys[i], i > 0 ? &def->keys[i - 1] : NULL, error);
        if (result != qv_ok)
            qvError_Prefix(error, "%s", qvMakeLabel(def->keys[i].label, "key", i).text);
    }
    return result;
}

// --- Hard keys -------------------------------------------------------------------------------------------------------

// Time from a moment to a hard key after it; in a loop, to its next coming. Negative when it is not after.
static double TimeUntil(const qvWaveLayer* layer, double moment, double key)
{
    double gap = key - moment;
    if (layer->period > 0.0)
        gap -= layer->period * floor(gap / layer->period);
    if (layer->period > 0.0 && gap <= 1e-9)
        gap += layer->period;
    return gap > 1e-9 ? gap : -1.0;
}

qvWindow qvWaveLayer_FindStop(const qvWaveLayer* layer, double start)
{
    double end = INFINITY, since = INFINITY;
    for (int i = 0; layer->keepKeys && i < layer->hardKeyCount; i++)
    {
        double gap = TimeUntil(layer, start, layer->hardKeys[i]);
        end = gap > 0.0 ? fmin(end, gap) : end;
    }
    if (!isfinite(end))
        return qvOpenWindow();
    double key = start + end;
    for (int i = 0; i < layer->hardKeyCount; i++)
    {
        double gap = TimeUntil(layer, layer->hardKeys[i], key);
        since = gap > 0.0 ? fmin(since, gap) : since;
    }
    double length = isfinite(since) ? since : end;
    return (qvWindow){ fmax(end - 0.25 * length, 0.0), end };
}

// --- Masks and snapshots ---------------------------------------------------------------------------------------------

static bool IsOne(const float* mask, int count)
{
    for (int i = 0; i < count; i++)
    {
        if (mask[i] != 1.0f)
            return false;
    }
    return true;
}

qvResult qvWaveLayer_KeepMask(qvWaveLayer* layer, const float* mask, const float** kept, qvError* error)
{
    size_t bytes = (size_t)layer->pointCount * sizeof(float);
    *kept = NULL;
    if (mask == NULL || IsOne(mask, layer->pointCount))
        return qv_ok;
    const float* last = layer->masks.count > 0 ? layer->masks.items[layer->masks.count - 1] : NULL;
    if (last != NULL && memcmp(last, mask, bytes) == 0)
    {
        *kept = last;
        return qv_ok;
    }
    float* copy = qvAllocateRaw(bytes, 1);
    if (copy == NULL || !QV_PUSH(layer->masks, copy))
    {
        free(copy);
        return qvError_OutOfMemory(error, (double)bytes);
    }
    memcpy(copy, mask, bytes);
    *kept = copy;
    return qv_ok;
}

static void FindSpheres(const qvWaveLayer* layer, qvSnapshot* snapshot)
{
    const qvKernelSetf* set = qvGetKernelSetf(qv_cpuPortable);
    qvBlockf block;
    qvVec3 low = { INFINITY, INFINITY, INFINITY }, high = { -INFINITY, -INFINITY, -INFINITY };
    for (int b = 0; b < layer->blockCount; b++)
    {
        int first = b * qv_blockSize, left = layer->pointCount - first;
        int count = left < qv_blockSize ? left : qv_blockSize;
        qvBlock_Loadf(&snapshot->points, first, count, &block);
        qvSphere sphere = qvBlock_Spheref(set, &block, count);
        qvVec3 c = sphere.center;
        double r = sphere.radius;
        snapshot->spheres[b] = sphere;
        low = qvMakeVec3(fmin(low.x, c.x - r), fmin(low.y, c.y - r), fmin(low.z, c.z - r));
        high = qvMakeVec3(fmax(high.x, c.x + r), fmax(high.y, c.y + r), fmax(high.z, c.z + r));
    }
    snapshot->whole = (qvSphere){ qvScale(0.5, qvAdd(low, high)), 0.5 * qvDistance(low, high) };
}

// What making a layer needs on the way.
typedef struct Builder
{
    qvWaveLayer* layer;
    qvPool* pool;
    qvPool* watched; // for waves that were added before
    const qvJob* job;
    char* scratch;
    size_t scratchSize;
    qvVec3f* points; // [pointCount] of the base motion
    qvVec3f* moved;  // [pointCount] by the waves before
} Builder;

// The scratch grows with the loads.
static qvResult EnsureScratch(Builder* builder, qvError* error)
{
    size_t needed = qvWaveLayer_ScratchSize(builder->layer);
    if (needed <= builder->scratchSize)
        return qv_ok;
    free(builder->scratch);
    builder->scratchSize = 2 * needed;
    builder->scratch = qvAllocateRaw(builder->scratchSize, 1);
    if (builder->scratch != NULL)
        return qv_ok;
    builder->scratchSize = 0;
    return qvError_OutOfMemory(error, 2.0 * (double)needed);
}

static qvResult FillSnapshot(Builder* builder, qvSnapshot* snapshot, qvError* error)
{
    qvWaveLayer* layer = builder->layer;
    qvLayerFilter filter = { .once = true };
    bool waves = !snapshot->independent && (layer->loads.count > 0 || layer->changeCount > 0);
    layer->base.points(layer->base.context, snapshot->time, builder->scratch, builder->pool, builder->points);
    snapshot->frame = qvWaveLayer_Frame(layer, snapshot->time, builder->points, builder->scratch, builder->pool);
    if (waves)
        qvWaveLayer_FrameDisplacements(layer, snapshot->time, &filter, builder->scratch, builder->watched,
                                       builder->moved);
    if (qvPool_Verdict(builder->watched, error) != qv_ok)
        return qv_cancelled;
    for (int i = 0; i < layer->pointCount; i++)
    {
        qvVec3 p = qvSub(qvVec3_FromFloat(builder->points[i]), snapshot->frame.offset);
        p = qvAffine_TransposedVector(&snapshot->frame, p);
        if (waves)
            p = qvAdd(p, qvVec3_FromFloat(builder->moved[i]));
        snapshot->points.x[i] = (float)p.x;
        snapshot->points.y[i] = (float)p.y;
        snapshot->points.z[i] = (float)p.z;
    }
    FindSpheres(layer, snapshot);
    return qv_ok;
}

static qvResult AddSnapshot(Builder* builder, double time, bool independent, qvError* error)
{
    qvWaveLayer* layer = builder->layer;
    const qvSnapshot* last = layer->snapshots.count > 0 ? &layer->snapshots.items[layer->snapshots.count - 1] : NULL;
    if (last != NULL && last->time == time && last->independent == independent)
        return qv_ok;
    qvResult result = EnsureScratch(builder, error);
    if (result != qv_ok)
        return result;
    size_t n = (size_t)layer->pointCount;
    float* storage = qvAllocateRaw(n, 3 * sizeof(float));
    qvSnapshot snapshot = { .time = time, .independent = independent };
    snapshot.points = (qvPointsf){ storage, storage + n, storage + 2 * n, layer->pointCount };
    snapshot.spheres = qvAllocateRaw((size_t)layer->blockCount, sizeof(qvSphere));
    if (storage == NULL || snapshot.spheres == NULL || !QV_PUSH(layer->snapshots, snapshot))
    {
        FreeSnapshot(&snapshot);
        return qvError_OutOfMemory(error, 12.0 * (double)n);
    }
    return FillSnapshot(builder, &layer->snapshots.items[layer->snapshots.count - 1], error);
}

// --- In order of time ------------------------------------------------------------------------------------------------

// Something that begins: an event, the ripple of a key, or its change.
typedef struct Start
{
    double time;
    bool independent;
    int index;
    const qvWaveEvent* event;
    const qvKeyWave* key;
    const qvKeyWave* before; // of a change
} Start;

static int CompareStarts(const void* a, const void* b)
{
    const Start *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if ((x->before != NULL) != (y->before != NULL)) // what begins with a change meets it
        return x->before != NULL ? -1 : 1;
    if (x->independent != y->independent)
        return x->independent ? -1 : 1;
    if ((x->event != NULL) != (y->event != NULL))
        return x->event != NULL ? -1 : 1;
    return x->index - y->index;
}

// In a loop the last key is the one before the first. NULL: none.
static const qvKeyWave* BeforeKey(const qvWaveLayerDef* def, int i)
{
    if (i > 0)
        return &def->keys[i - 1];
    return def->period > 0.0 && def->keyCount > 1 ? &def->keys[def->keyCount - 1] : NULL;
}

static int CollectStarts(const qvWaveLayerDef* def, Start* starts)
{
    int count = 0;
    for (int i = 0; i < def->eventCount; i++)
    {
        const qvWaveEvent* event = &def->events[i];
        if (!event->def.mute)
            starts[count++] = (Start){ event->def.time, event->independent, i, event, NULL, NULL };
    }
    for (int i = 0; i < def->keyCount; i++)
    {
        const qvKeyWave* key = &def->keys[i];
        const qvKeyWave* before = BeforeKey(def, i);
        if (key->kind == qv_keyWaveRipple && key->strokeCount > 0)
            starts[count++] = (Start){ key->time, false, i, NULL, key, NULL };
        if (key->kind == qv_keyWaveChange && before != NULL)
            starts[count++] = (Start){ key->time, false, i, NULL, key, before };
    }
    qsort(starts, (size_t)count, sizeof(*starts), CompareStarts);
    return count;
}

static qvResult AddChange(Builder* builder, const Start* start, qvError* error)
{
    qvResult result = EnsureScratch(builder, error);
    if (result == qv_ok)
        result =
            qvWaveLayer_AddChange(builder->layer, start->key, start->before, builder->scratch, builder->pool, error);
    return result;
}

static qvResult AddLoads(Builder* builder, const Start* start, qvError* error)
{
    qvResult result = AddSnapshot(builder, start->time, start->independent, error);
    if (result != qv_ok)
        return result;
    return start->event != NULL ? qvWaveLayer_AddEvent(builder->layer, start->event, builder->job, error)
                                : qvWaveLayer_AddRipple(builder->layer, start->key, error);
}

static qvLabel LabelOf(const Start* start)
{
    return start->event != NULL ? qvMakeLabel(start->event->label, "event", start->index)
                                : qvMakeLabel(start->key->label, "key", start->index);
}

static qvResult AddStart(Builder* builder, const Start* start, qvError* error)
{
    qvResult result = start->before != NULL ? AddChange(builder, start, error) : AddLoads(builder, start, error);
    if (result != qv_ok && result != qv_cancelled)
        qvError_Prefix(error, "%s", LabelOf(start).text);
    return result;
}

// In a loop a change also meets the waves that begin later in the period, among them itself. What it adds for them is
// small beside them (the turn of a frame at its key, of what is left after a period), so a few rounds are enough.
static qvResult MeetChanges(Builder* builder, const Start* starts, int count, qvError* error)
{
    qvWaveLayer* layer = builder->layer;
    int rounds = layer->period > 0.0 && layer->changeCount > 0 ? 3 : 0;
    qvResult result = EnsureScratch(builder, error);
    for (int round = 0; round < rounds; round++)
    {
        int index = 0;
        for (int i = 0; result == qv_ok && i < count; i++)
        {
            result = qvPool_Verdict(builder->watched, error);
            if (result == qv_ok && starts[i].before != NULL)
                result = qvWaveLayer_MeetChange(layer, index++, starts[i].key, starts[i].before, builder->scratch,
                                                builder->pool, error);
        }
    }
    return result;
}

static qvResult AddStarts(Builder* builder, const qvWaveLayerDef* def, const qvJob* job, qvError* error)
{
    qvWaveLayer* layer = builder->layer;
    layer->changes = qvAllocate((size_t)def->keyCount, sizeof(*layer->changes));
    if (layer->changes == NULL)
        return qvError_OutOfMemory(error, (double)def->keyCount * sizeof(*layer->changes));
    Start* starts = qvAllocate((size_t)def->eventCount + (size_t)def->keyCount, sizeof(*starts));
    if (starts == NULL)
        return qvError_OutOfMemory(error, (double)def->eventCount * sizeof(*starts));
    int count = CollectStarts(def, starts);
    qvResult result = qv_ok;
    for (int i = 0; result == qv_ok && i < count; i++)
    {
        result = qvJob_Progress(job, "waves", (double)i / count, error);
        if (result == qv_ok)
            result = AddStart(builder, &starts[i], error);
    }
    if (result == qv_ok)
        result = MeetChanges(builder, starts, count, error);
    free(starts);
    return result;
}

// --- The layer -------------------------------------------------------------------------------------------------------

static qvResult MeasureMisses(Builder* builder, qvError* error)
{
    qvWaveLayer* layer = builder->layer;
    qvLayerFilter filter = { .ignoresStops = true };
    qvResult result = EnsureScratch(builder, error);
    bool still = layer->loads.count == 0 && layer->changeCount == 0;
    for (int k = 0; result == qv_ok && !still && k < layer->hardKeyCount; k++)
    {
        double largest = 0.0;
        // Just before the key: what begins at it does not count.
        double time = nextafter(layer->hardKeys[k], -INFINITY);
        qvWaveLayer_FrameDisplacements(layer, time, &filter, builder->scratch, builder->watched, builder->moved);
        result = qvPool_Verdict(builder->watched, error);
        for (int i = 0; result == qv_ok && i < layer->pointCount; i++)
            largest = fmax(largest, qvLength(qvVec3_FromFloat(builder->moved[i])));
        layer->misses[k] = largest;
    }
    return result;
}

static qvResult CopyDef(qvWaveLayer* layer, const qvWaveLayerDef* def, qvError* error)
{
    size_t n = (size_t)def->topology->pointCount, keys = (size_t)def->hardKeyCount;
    layer->topology = def->topology;
    layer->base = def->base;
    layer->carrier = def->carrier;
    layer->pointCount = def->topology->pointCount;
    layer->blockCount = (layer->pointCount + qv_blockSize - 1) / qv_blockSize;
    layer->keepKeys = def->keepKeys;
    layer->period = def->period;
    layer->substeps = def->substeps;
    layer->diagonal = fmax(qvBox_Diagonal(qvComputeBounds(def->rest, layer->pointCount)), FLT_MIN);
    layer->hardKeyCount = def->hardKeyCount;
    layer->hardKeys = qvAllocate(keys, sizeof(double));
    layer->misses = qvAllocate(keys, sizeof(double));
    layer->rest = qvAllocate(n, 3 * sizeof(double));
    layer->masses = qvAllocate(n, sizeof(double));
    if (layer->hardKeys == NULL || layer->misses == NULL || layer->rest == NULL || layer->masses == NULL)
        return qvError_OutOfMemory(error, 32.0 * (double)n);
    if (keys > 0)
        memcpy(layer->hardKeys, def->hardKeys, keys * sizeof(double));
    for (size_t i = 0; i < n; i++)
    {
        qvVec3f p = def->rest[i];
        layer->rest[3 * i] = p.x, layer->rest[3 * i + 1] = p.y, layer->rest[3 * i + 2] = p.z;
    }
    qvComputeMasses(def->topology, def->rest, layer->masses);
    return qv_ok;
}

static qvResult Build(Builder* builder, const qvWaveLayerDef* def, const qvJob* job, qvError* error)
{
    size_t n = (size_t)def->topology->pointCount;
    qvResult result = CopyDef(builder->layer, def, error);
    builder->points = qvAllocateRaw(n, sizeof(qvVec3f));
    builder->moved = qvAllocateRaw(n, sizeof(qvVec3f));
    if (result == qv_ok && (builder->points == NULL || builder->moved == NULL))
        result = qvError_OutOfMemory(error, 24.0 * (double)n);
    if (result == qv_ok)
        result = qvCreateWatchedPool(job, &builder->watched, error);
    if (result == qv_ok)
        result = AddStarts(builder, def, job, error);
    if (result == qv_ok)
        result = MeasureMisses(builder, error);
    qvDestroyPool(builder->watched);
    free(builder->points);
    free(builder->moved);
    free(builder->scratch);
    return result;
}

qvResult qvCreateWaveLayer(const qvWaveLayerDef* def, const qvJob* job, qvWaveLayer** out, qvError* error)
{
    double start = qvMilliseconds();
    *out = NULL;
    qvResult result = ValidateDef(def, error);
    if (result != qv_ok)
        return result;
    Builder builder = { .layer = qvAllocate(1, sizeof(qvWaveLayer)), .pool = qvJob_Pool(job), .job = job };
    if (builder.layer == NULL)
        return qvError_OutOfMemory(error, sizeof(qvWaveLayer));
    result = Build(&builder, def, job, error);
    builder.layer->milliseconds = qvMilliseconds() - start;
    if (result == qv_ok)
        *out = builder.layer;
    else
        qvDestroyWaveLayer(builder.layer);
    return result;
}

double qvWaveLayer_KeyMiss(const qvWaveLayer* layer, int hardKey)
{
    QV_ASSERT(hardKey >= 0 && hardKey < layer->hardKeyCount);
    return layer->misses[hardKey];
}

qvWaveStats qvWaveLayer_Stats(const qvWaveLayer* layer)
{
    size_t n = (size_t)layer->pointCount, perPoint = 32 + 12 * (size_t)layer->snapshots.count;
    perPoint += 4 * (size_t)layer->masks.count + 48 * (size_t)layer->changeCount;
    return (qvWaveStats){ .loadCount = layer->loads.count,
                          .changeCount = layer->changeCount,
                          .snapshotCount = layer->snapshots.count,
                          .bytes = n * perPoint + (size_t)layer->loads.count * sizeof(qvLayerLoad),
                          .milliseconds = layer->milliseconds };
}
