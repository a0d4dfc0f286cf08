// SPDX-License-Identifier: GPL-3.0-or-later
// The wave by which a key is reached from the one before: de Goes and James, "Dynamic Kelvinlets", 2018, eq. 21, for
// strokes that follow each other. With X the poses, B the bases that the keys' strokes act on, and P(tau) the base
// advected by the strokes with push kernels of age tau, the body is at
//     X_before + (P_key(tau) - B_key) - (P_before(tau) - B_before) + s(tau) (B_key - B_before).
// That is X_before at the start and tends to X_key like tau^-5, since P tends to X. s rises from 0 to 1 as the centre
// of a push does. A key that is based on the one before has B_key = X_before: then the body is at P_key alone. What is
// stored and added is the difference from X_key, where the base motion is.
//
// Soft and partial keys are not reached: there the base motion jumps from some Y_before to some Y_key instead. Then
//     (Y_before - Y_key) + c_key (P_key(tau) - B_key) - c_before (P_before(tau) - B_before) + s(tau) gap
// is added. At age 0 only the first term is there, so the sum goes on from Y_before whatever the keys are. P - B tends
// to X - B, so all of it tends to zero if and only if
//     gap = (Y_key - Y_before) - c_key (X_key - B_key) + c_before (X_before - B_before).
// c are the parts of the strokes that the base motion shows, by least squares; they leave little to the gap, which
// does not travel. At keys that are reached c is 1 and the gap B_key - B_before, as above.
//
// Where a clip carries the keys' shapes, those are offsets from it. The strokes of a key act on its base where the clip
// has the body at that key's time; all fields are compared where it has them at the change's time, and what is added
// turns with the clip from then on, as the offsets themselves do.
#include "waves/layer.h"

#include "base/assert.h"
#include "kelvinlet/stroke_flow.h"
#include "math/affine.h"

#include <stdlib.h>
#include <string.h>

static void FreeSide(qvChangeSide* side)
{
    for (int i = 0; i < side->strokeCount; i++)
    {
        free(side->strokes[i].weights);
        free(side->strokes[i].pinned);
        qvDestroyStrokePins(side->strokes[i].pins);
    }
    free(side->strokes);
    free(side->base);
}

void qvChange_Free(qvChange* change)
{
    FreeSide(&change->key);
    FreeSide(&change->before);
    free(change->first);
    free(change->gap);
}

// --- Making ----------------------------------------------------------------------------------------------------------

static qvVec3 PlaceOf(const double* points, int i)
{
    return qvMakeVec3(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
}

// Rows of factor times transposed(frame) times map.
static void MapToFrame(const qvAffine* frame, const qvAffine* map, double factor, double out[3][3])
{
    for (int i = 0; i < 3; i++)
    {
        for (int j = 0; j < 3; j++)
        {
            out[i][j] = 0.0;
            for (int k = 0; k < 3; k++)
                out[i][j] += factor * frame->linear[k][i] * map->linear[k][j];
        }
    }
}

static qvResult CopyMask(const float* mask, int count, float** copy, qvError* error)
{
    *copy = qvAllocateRaw((size_t)count, sizeof(float));
    if (*copy == NULL)
        return qvError_OutOfMemory(error, (double)count * sizeof(float));
    for (int i = 0; i < count; i++)
        (*copy)[i] = mask != NULL ? mask[i] : 1.0f;
    return qv_ok;
}

static qvResult CopyPinned(const uint8_t* pinned, int count, uint8_t** copy, qvError* error)
{
    if (pinned == NULL)
        return qv_ok;
    *copy = qvAllocateRaw((size_t)count, 1);
    if (*copy == NULL)
        return qvError_OutOfMemory(error, count);
    memcpy(*copy, pinned, (size_t)count);
    return qv_ok;
}

// Weights and substeps of a stroke where the pose applies it.
static qvResult PrepareStroke(const qvWaveStroke* from, const qvStrokeTarget* target, qvVec3* points,
                              qvChangeStroke* stroke, qvError* error)
{
    stroke->stroke = from->stroke;
    if (from->stroke.brush->handle == NULL)
    {
        qvResult copied = CopyPinned(from->pinned, target->pointCount, &stroke->pinned, error);
        return copied == qv_ok ? CopyMask(from->weights, target->pointCount, &stroke->weights, error) : copied;
    }
    size_t n = (size_t)target->pointCount;
    double* split = qvAllocateRaw(n, 3 * sizeof(double));
    if (split == NULL)
        return qvError_OutOfMemory(error, 24.0 * (double)n);
    for (size_t i = 0; i < n; i++)
        split[i] = points[i].x, split[n + i] = points[i].y, split[2 * n + i] = points[i].z;
    qvPoints all = { split, split + n, split + 2 * n, target->pointCount };
    qvResult result = qvStroke_MakeWeights(&stroke->stroke, target, &all, &stroke->weights, &stroke->pins, error);
    free(split);
    qvFlow flow;
    if (result == qv_ok)
        result = qvStroke_InitFlow(&stroke->stroke, stroke->pins, NULL, qv_estimateSubsteps, &flow, error);
    if (result != qv_ok)
        return result;
    stroke->substeps = flow.substeps;
    qvFlow_Free(&flow);
    return qv_ok;
}

// Applies the strokes once, to see where each finds the points.
static qvResult PrepareStrokes(const qvWaveLayer* layer, const qvKeyShapes* shapes, qvChangeSide* side, qvPool* pool,
                               qvError* error)
{
    const qvKeyWave* key = shapes->key;
    qvVec3* points = qvAllocateRaw((size_t)layer->pointCount, sizeof(*points));
    if (points == NULL)
        return qvError_OutOfMemory(error, (double)layer->pointCount * sizeof(*points));
    for (int i = 0; i < layer->pointCount; i++)
        points[i] = PlaceOf(shapes->acted, i);
    qvResult result = qv_ok;
    for (int i = 0; result == qv_ok && i < key->strokeCount; i++)
    {
        const qvWaveStroke* from = &key->strokes[i];
        qvStrokeTarget target = { .pointCount = layer->pointCount,
                                  .weights = from->weights,
                                  .topology = layer->topology,
                                  .pool = pool,
                                  .pinned = from->pinned };
        result = qvStroke_Validate(&from->stroke, error);
        if (result == qv_ok)
            result = PrepareStroke(from, &target, points, &side->strokes[i], error);
        if (result == qv_ok)
            result = qvStroke_Apply(&from->stroke, &target, NULL, points, error);
        if (result != qv_ok)
            qvError_Prefix(error, "stroke %d", i);
    }
    free(points);
    return result;
}

static qvResult MakeSide(const qvWaveLayer* layer, const qvKeyShapes* shapes, const qvAffine* frame, double share,
                         qvChangeSide* side, qvPool* pool, qvError* error)
{
    const qvKeyWave* key = shapes->key;
    side->time = key->time;
    MapToFrame(frame, &key->transform, share, side->map);
    if (key->strokeCount == 0)
        return qv_ok;
    side->base = qvAllocateRaw((size_t)layer->pointCount, sizeof(*side->base));
    side->strokes = qvAllocate((size_t)key->strokeCount, sizeof(*side->strokes));
    if (side->base == NULL || side->strokes == NULL)
        return qvError_OutOfMemory(error, (double)layer->pointCount * sizeof(*side->base));
    side->strokeCount = key->strokeCount;
    for (int i = 0; i < layer->pointCount; i++)
        side->base[i] = qvVec3_ToFloat(PlaceOf(shapes->acted, i));
    return PrepareStrokes(layer, shapes, side, pool, error);
}

static double LargestRadius(const qvChangeSide* side, double least)
{
    for (int i = 0; i < side->strokeCount; i++)
        least = fmax(least, side->strokes[i].stroke.radius);
    return least;
}

// Once the shear wave has gone this far beyond every point, what is left is below (1/30)^5 of the strokes.
static double LifeOf(const qvWaveLayer* layer, const qvChange* change, const qvKeyWave* key)
{
    double radius = LargestRadius(&change->key, LargestRadius(&change->before, change->gapRadius));
    qvVec3 low = PlaceOf(key->pose, 0), high = low;
    for (int i = 1; i < layer->pointCount; i++)
    {
        qvVec3 p = PlaceOf(key->pose, i);
        low = qvMakeVec3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = qvMakeVec3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    return (fmax(qvDistance(low, high), layer->diagonal) * 1.5 + 36.0 * radius) / change->speed;
}

// What is seen of the body on both sides of the key's time.
typedef struct Leap
{
    qvVec3f *from, *to; // the base motion just before and at the key, in the world
    qvVec3f* waves;     // displacement by earlier waves, in the frame
    qvAffine frameFrom, frame;
} Leap;

// The fields of a change at one point, all in the frame at the key.
typedef struct Parts
{
    qvVec3 leap;        // of the base motion, from the key backwards
    qvVec3 turn;        // what the leap of the frame does to waves that are under way, backwards
    qvVec3 key, before; // by the strokes of both sides in the end
    qvVec3 bases;       // between the bases
} Parts;

// What the wave goes between.
typedef struct Ends
{
    qvKeyShapes key, before;
    bool follows; // the key is based on the one before
    Leap leap;
} Ends;

static qvVec3 ByStrokes(const qvKeyShapes* shapes, int i)
{
    qvVec3 moved = qvSub(PlaceOf(shapes->pose, i), PlaceOf(shapes->base, i));
    const qvKeyWave* key = shapes->key;
    return key->strokeCount > 0 ? qvAffine_Vector(&key->transform, moved) : qvMakeVec3(0.0, 0.0, 0.0);
}

static Parts PartsOf(const Ends* ends, int i)
{
    const qvKeyShapes *key = &ends->key, *before = &ends->before;
    const Leap* leap = &ends->leap;
    const qvAffine* frame = &leap->frame;
    qvVec3 waves = qvVec3_FromFloat(leap->waves[i]), none = { 0.0, 0.0, 0.0 };
    qvVec3 back = qvSub(qvVec3_FromFloat(leap->from[i]), qvVec3_FromFloat(leap->to[i]));
    qvVec3 turned = qvAffine_TransposedVector(frame, qvAffine_Vector(&leap->frameFrom, waves));
    qvVec3 baseFrom = qvAffine_Point(&before->key->transform, PlaceOf(ends->follows ? before->pose : before->base, i));
    qvVec3 baseTo = qvAffine_Point(&key->key->transform, PlaceOf(key->base, i));
    return (Parts){ .leap = qvAffine_TransposedVector(frame, back),
                    .turn = qvSub(turned, waves),
                    .key = qvAffine_TransposedVector(frame, ByStrokes(key, i)),
                    .before = ends->follows ? none : qvAffine_TransposedVector(frame, ByStrokes(before, i)),
                    .bases = qvAffine_TransposedVector(frame, qvSub(baseTo, baseFrom)) };
}

// Which parts of the strokes the base motion shows, 0 to 1 each: least squares for what full strokes leave over, pulled
// slightly towards full ones, which decides between strokes that do the same.
static void FitShares(const Ends* ends, int count, double shares[2])
{
    double kk = 0.0, bb = 0.0, kb = 0.0, kr = 0.0, br = 0.0;
    for (int i = 0; i < count; i++)
    {
        Parts parts = PartsOf(ends, i);
        qvVec3 full = qvAdd(qvSub(parts.key, parts.before), parts.bases);
        qvVec3 over = qvAdd(parts.leap, full);
        kk += qvDot(parts.key, parts.key), bb += qvDot(parts.before, parts.before),
            kb += qvDot(parts.key, parts.before);
        kr += qvDot(parts.key, over), br += qvDot(parts.before, over);
    }
    kk = kk > 0.0 ? 1.001 * kk : 1.0, bb = bb > 0.0 ? 1.001 * bb : 1.0;
    double det = kk * bb - kb * kb;
    double less = det > 0.0 ? (bb * kr - kb * br) / det : 0.0, lessBefore = det > 0.0 ? (kb * kr - kk * br) / det : 0.0;
    shares[0] = fmin(fmax(1.0 - less, 0.0), 1.0);
    shares[1] = fmin(fmax(1.0 - lessBefore, 0.0), 1.0);
}

// first and gap. Returns the largest displacement.
static double FillDifferences(const qvWaveLayer* layer, const Ends* ends, const double shares[2], qvChange* change)
{
    double largest = 0.0;
    for (int i = 0; i < layer->pointCount; i++)
    {
        Parts parts = PartsOf(ends, i);
        qvVec3 first = qvAdd(parts.leap, parts.turn);
        qvVec3 strokes = qvSub(qvScale(shares[0], parts.key), qvScale(shares[1], parts.before));
        qvVec3 gap = qvScale(-1.0, qvAdd(first, strokes));
        change->first[i] = qvVec3_ToFloat(first);
        change->gap[i] = qvVec3_ToFloat(gap);
        largest = fmax(largest, qvLength(first));
    }
    return largest;
}

static qvResult FillChange(qvWaveLayer* layer, const Ends* ends, qvChange* change, qvPool* pool, qvError* error)
{
    size_t bytes = (size_t)layer->pointCount * sizeof(qvVec3f);
    change->first = qvAllocateRaw(bytes, 1);
    change->gap = qvAllocateRaw(bytes, 1);
    if (change->first == NULL || change->gap == NULL)
        return qvError_OutOfMemory(error, 2.0 * (double)bytes);
    double shares[2];
    FitShares(ends, layer->pointCount, shares);
    double size = FillDifferences(layer, ends, shares, change);
    const qvAffine* frame = &ends->leap.frame;
    qvResult result = MakeSide(layer, &ends->key, frame, shares[0], &change->key, pool, error);
    if (result == qv_ok && !ends->follows)
    {
        result = MakeSide(layer, &ends->before, frame, shares[1], &change->before, pool, error);
        if (result != qv_ok)
            qvError_Prefix(error, "the key before");
    }
    change->life = LifeOf(layer, change, ends->key.key);
    layer->peakSize = fmax(layer->peakSize, size);
    layer->peakSpeed = fmax(layer->peakSpeed, size * change->speed / change->gapRadius);
    return result;
}

// So shortly before a key that nothing but its leap happens in between. A first key is reached at the end of a loop's
// period.
static double TimeBefore(const qvWaveLayer* layer, const qvKeyWave* key, const qvKeyWave* before)
{
    double time = key->time > before->time ? key->time : key->time + layer->period;
    return time - fmin(1e-9 * fmax(1.0, fabs(time)), 0.5 * (time - before->time));
}

// In a short loop slow waves pile up. Beyond the size of the body they are not followed, lest they feed each other.
static void LimitWaves(int count, double largest, qvVec3f* waves)
{
    for (int i = 0; i < count; i++)
    {
        qvVec3 w = qvVec3_FromFloat(waves[i]);
        double length = qvLength(w);
        if (length > largest)
            waves[i] = qvVec3_ToFloat(qvScale(largest / length, w));
    }
}

static qvResult FindLeap(const qvWaveLayer* layer, double before, double time, void* scratch, qvPool* pool, Leap* leap,
                         qvError* error)
{
    qvLayerFilter filter = { 0 };
    const qvBaseMotion* base = &layer->base;
    base->points(base->context, before, scratch, pool, leap->from);
    leap->frameFrom = qvWaveLayer_Frame(layer, before, leap->from, scratch, pool);
    qvResult result = qvWaveLayer_CarryOn(layer, &leap->frameFrom, before, time, leap->from, error);
    if (result != qv_ok)
        return result;
    base->points(base->context, time, scratch, pool, leap->to);
    leap->frame = qvWaveLayer_Frame(layer, time, leap->to, scratch, pool);
    qvWaveLayer_FrameDisplacements(layer, before, &filter, scratch, pool, leap->waves);
    LimitWaves(layer->pointCount, layer->diagonal, leap->waves);
    return qv_ok;
}

static void FreeEnds(Ends* ends)
{
    free(ends->key.carried);
    free(ends->before.carried);
    free(ends->leap.from);
}

// Free them also after a failure.
static qvResult FindEnds(const qvWaveLayer* layer, const qvKeyWave* key, const qvKeyWave* before, void* scratch,
                         qvPool* pool, Ends* ends, qvError* error)
{
    size_t n = (size_t)layer->pointCount;
    *ends = (Ends){ .follows = memcmp(key->base, before->pose, 3 * n * sizeof(double)) == 0 };
    qvResult result = qvWaveLayer_FindShapes(layer, key, key->time, &ends->key, error);
    if (result == qv_ok)
        result = qvWaveLayer_FindShapes(layer, before, key->time, &ends->before, error);
    if (result != qv_ok)
        return result;
    qvVec3f* points = ends->leap.from = qvAllocateRaw(3 * n, sizeof(*points));
    if (points == NULL)
        return qvError_OutOfMemory(error, 3.0 * (double)n * sizeof(*points));
    ends->leap.to = points + n, ends->leap.waves = points + 2 * n;
    return FindLeap(layer, TimeBefore(layer, key, before), key->time, scratch, pool, &ends->leap, error);
}

qvResult qvWaveLayer_AddChange(qvWaveLayer* layer, const qvKeyWave* key, const qvKeyWave* before, void* scratch,
                               qvPool* pool, qvError* error)
{
    Ends ends;
    qvResult result = FindEnds(layer, key, before, scratch, pool, &ends, error);
    if (result == qv_ok)
    {
        qvChange* change = &layer->changes[layer->changeCount++];
        *change = (qvChange){ .start = key->time, .speed = key->speed, .gapRadius = 0.15 * layer->diagonal };
        change->stop = qvWaveLayer_FindStop(layer, key->time);
        result = FillChange(layer, &ends, change, pool, error);
    }
    FreeEnds(&ends);
    return result;
}

qvResult qvWaveLayer_MeetChange(qvWaveLayer* layer, int index, const qvKeyWave* key, const qvKeyWave* before,
                                void* scratch, qvPool* pool, qvError* error)
{
    Ends ends;
    qvResult result = FindEnds(layer, key, before, scratch, pool, &ends, error);
    if (result == qv_ok)
    {
        double shares[2];
        FitShares(&ends, layer->pointCount, shares);
        FillDifferences(layer, &ends, shares, &layer->changes[index]);
    }
    FreeEnds(&ends);
    return result;
}

// --- Evaluating ------------------------------------------------------------------------------------------------------

// One stroke on interleaved points, block by block.
typedef struct StrokeJob
{
    const qvFlow* flow;
    const qvKernelSetf* set;
    const float* weights;
    qvVec3f* points;
    int pointCount;
} StrokeJob;

static void GatherBlock(const qvVec3f* from, int count, qvBlockf* block)
{
    int padded = (count + 15) / 16 * 16;
    for (int i = 0; i < padded; i++)
    {
        qvVec3f p = from[i < count ? i : count - 1];
        block->axis[0][i] = p.x;
        block->axis[1][i] = p.y;
        block->axis[2][i] = p.z;
    }
}

static void StrokeBlocks(void* context, int begin, int end)
{
    const StrokeJob* job = context;
    qvBlockf points, out;
    for (int block = begin; block < end; block++)
    {
        int first = block * qv_blockSize, left = job->pointCount - first;
        int count = left < qv_blockSize ? left : qv_blockSize;
        GatherBlock(job->points + first, count, &points);
        qvSphere sphere = qvBlock_Spheref(job->set, &points, count);
        if (job->flow->cull && qvFlow_Misses(job->flow, sphere.center, sphere.radius))
            continue;
        qvFlow_CarryBlockf(job->flow, job->set, count, &points, &out);
        for (int i = 0; i < count; i++)
        {
            float w = job->weights[first + i];
            qvVec3f* p = &job->points[first + i];
            *p = (qvVec3f){ p->x + w * out.axis[0][i], p->y + w * out.axis[1][i], p->z + w * out.axis[2][i] };
        }
    }
}

static bool ApplyStroke(const qvWaveLayer* layer, const qvChangeStroke* stroke, const qvStrokeWave* wave, qvPool* pool,
                        qvVec3f* points)
{
    if (stroke->stroke.brush->handle == NULL)
    {
        qvStrokeTarget target = { .pointCount = layer->pointCount,
                                  .weights = stroke->weights,
                                  .topology = layer->topology,
                                  .pool = pool,
                                  .pinned = stroke->pinned };
        return qvStroke_Applyf(&stroke->stroke, &target, wave, points, NULL) == qv_ok;
    }
    qvFlow flow;
    if (qvStroke_InitFlow(&stroke->stroke, stroke->pins, wave, stroke->substeps, &flow, NULL) != qv_ok)
        return false;
    StrokeJob job = { &flow, qvGetKernelSetf(qvGetCpuLevel()), stroke->weights, points, layer->pointCount };
    qvParallelFor(pool, layer->blockCount, 4, StrokeBlocks, &job);
    qvFlow_Free(&flow);
    return true;
}

// points = P(age). False when memory ran out.
static bool Advect(const qvWaveLayer* layer, const qvChangeSide* side, const qvStrokeWave* wave, qvPool* pool,
                   qvVec3f* points)
{
    if (side->base == NULL)
        return true;
    memcpy(points, side->base, (size_t)layer->pointCount * sizeof(*points));
    for (int i = 0; wave->age > 0.0 && i < side->strokeCount; i++)
    {
        if (!ApplyStroke(layer, &side->strokes[i], wave, pool, points))
            return false;
    }
    return true;
}

// To rest from where a carrier has displacements at a time, or back.
static void Turn(const qvWaveLayer* layer, double time, bool toRest, void* scratch, qvVec3f* vectors)
{
    if (layer->carrier.turn != NULL)
        layer->carrier.turn(layer->carrier.context, time, toRest, scratch, vectors);
}

// sum += factor (P(age) - base), turned into the frame at the change's start. points: P(age); changes.
static void AddSide(const qvWaveLayer* layer, const qvChangeSide* side, double start, double factor, void* scratch,
                    qvVec3f* points, qvVec3f* sum)
{
    if (side->base == NULL)
        return;
    int count = layer->pointCount;
    float m[3][3];
    for (int i = 0; i < 9; i++)
        m[i / 3][i % 3] = (float)(factor * side->map[i / 3][i % 3]);
    for (int i = 0; i < count; i++)
    {
        qvVec3f base = side->base[i];
        points[i] = (qvVec3f){ points[i].x - base.x, points[i].y - base.y, points[i].z - base.z };
    }
    if (side->time != start)
    {
        Turn(layer, side->time, true, scratch, points);
        Turn(layer, start, false, scratch, points);
    }
    for (int i = 0; i < count; i++)
    {
        float x = points[i].x, y = points[i].y, z = points[i].z;
        sum[i].x += m[0][0] * x + m[0][1] * y + m[0][2] * z;
        sum[i].y += m[1][0] * x + m[1][1] * y + m[1][2] * z;
        sum[i].z += m[2][0] * x + m[2][1] * y + m[2][2] * z;
    }
}

// How far the centre of a push has come at an age, 0 to 1.
static double Arrived(double radius, double speed, double age)
{
    qvKelvinlet push = qvDefaultKelvinlet();
    push.time = qv_kelvinletPush;
    qvKelvinlet_SetRadius(&push, radius, 1);
    qvKelvinlet_SetSpeed(&push, speed);
    return age > 0.0 ? qvKelvinlet_CenterGain(&push, age) / qvKelvinlet_PeakCenterGain(&push) : 0.0;
}

static void AddScaled(const qvVec3f* from, int count, double factor, qvVec3f* sum)
{
    float f = (float)factor;
    for (int i = 0; i < count; i++)
        sum[i] = (qvVec3f){ sum[i].x + f * from[i].x, sum[i].y + f * from[i].y, sum[i].z + f * from[i].z };
}

// In the frame at the change's start, where a carrier has the body then.
static void AddAtAge(const qvWaveLayer* layer, const qvChange* change, double age, double factor, qvPool* pool,
                     const qvChangeWork* work, qvVec3f* sum)
{
    qvStrokeWave wave = { .age = age, .speed = change->speed };
    int n = layer->pointCount;
    if (!Advect(layer, &change->key, &wave, pool, work->key) ||
        !Advect(layer, &change->before, &wave, pool, work->before))
        return;
    AddScaled(change->first, n, factor, sum);
    AddScaled(change->gap, n, factor * Arrived(change->gapRadius, change->speed, age), sum);
    AddSide(layer, &change->key, change->start, factor, work->carrier, work->key, sum);
    AddSide(layer, &change->before, change->start, -factor, work->carrier, work->before, sum);
}

static void AddImages(const qvWaveLayer* layer, const qvChange* change, double time, const qvLayerFilter* filter,
                      qvPool* pool, const qvChangeWork* work, qvVec3f* sum)
{
    double age = qvWaveLayer_FirstAge(layer, change->start, time, filter);
    for (int image = 0; image < qv_maxWaveImages && age >= 0.0 && age < change->life; image++, age += layer->period)
    {
        double factor = filter->ignoresStops ? 1.0 : qvWindow_Factor(change->stop, age);
        if (factor > 0.0)
            AddAtAge(layer, change, age, factor, pool, work, sum);
        if (!(layer->period > 0.0) || filter->once)
            break;
    }
}

void qvWaveLayer_AddChanges(const qvWaveLayer* layer, double time, const qvLayerFilter* filter, qvPool* pool,
                            const qvChangeWork* work, qvVec3f* sum)
{
    size_t bytes = (size_t)layer->pointCount * sizeof(*sum);
    bool isCarried = layer->carrier.turn != NULL;
    for (int i = 0; i < layer->changeCount; i++)
    {
        const qvChange* change = &layer->changes[i];
        if (!isCarried)
        {
            AddImages(layer, change, time, filter, pool, work, sum);
            continue;
        }
        memset(work->own, 0, bytes);
        AddImages(layer, change, time, filter, pool, work, work->own);
        Turn(layer, change->start, true, work->carrier, work->own);
        AddScaled(work->own, layer->pointCount, 1.0, sum);
    }
    if (isCarried)
        Turn(layer, time, false, work->carrier, sum);
}
