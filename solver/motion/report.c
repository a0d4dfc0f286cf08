// SPDX-License-Identifier: GPL-3.0-or-later
// What a motion made of its keys.
#include "motion/partial.h"
#include "motion/soft.h"

#include "base/assert.h"
#include "base/memory.h"
#include "math/blas.h"
#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static qvVec3 Point(const double* points, int i)
{
    return qvMakeVec3(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
}

// Where a rigid pose about a pivot has a point.
static qvVec3 Carry(const qvRigid* pose, qvVec3 pivot, qvVec3 x)
{
    return qvAdd(pose->position, qvQuat_Rotate(pose->rotation, qvSub(x, pivot)));
}

// The keyed transform at a key as it is, and as the key wants it: the same unless the key is soft.
typedef struct Transforms
{
    qvRigid is, wanted;
} Transforms;

static Transforms FindTransforms(const qvMotion* motion, const qvMotionKey* key)
{
    qvRigid pose = qvMotion_KeyedPose(motion, key->time);
    Transforms out = { pose, pose };
    if (key->hasTransform)
    {
        qvVec3 pivot = motion->space->pivot;
        out.wanted.rotation = qvQuat_Normalize(key->rotation);
        out.wanted.position = qvAdd(qvQuat_Rotate(out.wanted.rotation, pivot), key->translation);
    }
    return out;
}

// The largest distance of a listed point from its target under q, units. moved: scratch.
static double LargestMiss(const qvMotion* motion, const qvMotionKey* key, const qvPartial* p, const double* q,
                          double* moved)
{
    const qvMotionSpace* space = motion->space;
    Transforms outer = FindTransforms(motion, key);
    double largest = 0.0;
    qvMoveListed(space, key, q, moved);
    qvVec3 zero = { 0.0, 0.0, 0.0 }; // arms and list are about the pivot
    for (int i = 0; i < key->onlyCount; i++)
    {
        qvVec3 x = Carry(&p->frame, zero, qvAdd(Point(space->arms, key->only[i]), Point(moved, i)));
        qvVec3 y = Carry(&p->frame, zero, Point(p->list, i));
        largest = fmax(largest, qvDistance(Carry(&outer.is, space->pivot, x), Carry(&outer.wanted, space->pivot, y)));
    }
    return largest;
}

// --- Soft keys ------------------------------------------------------------------------------------------------------

// Where a soft key ended up, before the keyed transform, and how far that is from where it wants to be.
static double SeeSoft(const qvMotion* motion, const qvMotionKey* key, void* scratch, double* wanted, double* points)
{
    const qvMotionSpace* space = motion->space;
    const qvPoseData* pose = &space->poses[key->pose];
    Transforms outer = FindTransforms(motion, key);
    qvQuat back = qvQuat_Conjugate(outer.is.rotation);
    double largest = 0.0;
    qvVec3 zero = { 0.0, 0.0, 0.0 };
    memset(wanted, 0, 3 * (size_t)space->pointCount * sizeof(double));
    if (space->dimension > 0)
        qvBasis_Expand(space->basis, pose->center, 1, wanted);
    qvMotion_Evaluate(motion, key->time, scratch, points, NULL, NULL);
    for (int i = 0; i < space->pointCount; i++)
    {
        qvVec3 x = Point(points, i), arm = qvMulAdd(Point(space->arms, i), 1.0 / space->scale, Point(wanted, i));
        qvVec3 y = Carry(&pose->frame, zero, arm);
        largest = fmax(largest, qvDistance(x, Carry(&outer.wanted, space->pivot, y)));
        x = qvAdd(space->pivot, qvQuat_Rotate(back, qvSub(x, outer.is.position)));
        points[3 * i] = x.x, points[3 * i + 1] = x.y, points[3 * i + 2] = x.z;
    }
    return largest;
}

typedef struct SoftKeys
{
    qvMotion* motion;
    const qvMotionDef* def;
} SoftKeys;

// Poses that memory does not suffice for stay NULL.
static void SeeSoftKeys(void* context, int begin, int end)
{
    const SoftKeys* run = context;
    qvMotion* motion = run->motion;
    size_t size = 3 * (size_t)motion->space->pointCount;
    double* wanted = qvAllocateRaw(size, sizeof(double));
    void* scratch = qvAllocateRaw(1, qvMotion_ScratchSize(motion));
    for (int i = begin; wanted != NULL && scratch != NULL && i < end; i++)
    {
        const qvMotionKey* key = &run->def->keys[i];
        double* points = qvMotion_IsSoft(key) ? qvAllocateRaw(size, sizeof(double)) : NULL;
        if (points == NULL)
            continue;
        motion->reports[i] = (qvMotionKeyReport){ .error = SeeSoft(motion, key, scratch, wanted, points),
                                                  .directions = motion->space->dimension };
        motion->softPoses[i] = points;
    }
    free(wanted);
    free(scratch);
}

static qvResult FillSoft(qvMotion* motion, const qvMotionDef* def, qvPool* pool, qvError* error)
{
    bool enough = true;
    double** poses = motion->softPoses = qvAllocate((size_t)motion->keyCount, sizeof(*motion->softPoses));
    if (poses == NULL)
        return qvError_OutOfMemory(error, (double)motion->keyCount * sizeof(*poses));
    SoftKeys run = { motion, def };
    qvParallelFor(pool, motion->keyCount, 1, SeeSoftKeys, &run);
    for (int i = 0; i < motion->keyCount; i++)
        enough = enough && (poses[i] != NULL || !qvMotion_IsSoft(&def->keys[i]));
    return enough ? qv_ok : qvError_OutOfMemory(error, 3.0 * motion->space->pointCount * sizeof(double));
}

// --- All ------------------------------------------------------------------------------------------------------------

static qvResult SeePartialKeys(qvMotion* motion, const qvMotionDef* def, const qvPartials* partials, qvError* error)
{
    size_t d = (size_t)motion->space->dimension, most = 0;
    for (int i = 0; i < partials->count; i++)
    {
        size_t listed = 3 * (size_t)def->keys[partials->items[i].key].onlyCount;
        most = listed > most ? listed : most;
    }
    double* work = qvAllocate(most + d, sizeof(double));
    if (work == NULL)
        return qvError_OutOfMemory(error, (double)(most + d) * sizeof(double));
    for (int i = 0; i < partials->count; i++)
    {
        const qvPartial* p = &partials->items[i];
        const qvMotionKey* key = &def->keys[p->key];
        double* best = work + most;
        memset(best, 0, d * sizeof(double));
        for (int r = 0; r < p->rank; r++)
            qvBlas_AddScaled((int)d, p->wanted[r], p->directions + (size_t)r * d, best);
        const double* q = motion->values + (size_t)p->key * d;
        motion->reports[p->key] = (qvMotionKeyReport){ .error = LargestMiss(motion, key, p, q, work),
                                                       .residual = LargestMiss(motion, key, p, best, work),
                                                       .directions = p->rank };
    }
    free(work);
    return qv_ok;
}

qvResult qvMotion_FillReports(qvMotion* motion, const qvMotionDef* def, const qvPartials* partials, qvPool* pool,
                              qvError* error)
{
    if (partials->count == 0 && motion->kappa == NULL)
        return qv_ok;
    motion->reports = qvAllocate((size_t)motion->keyCount, sizeof(*motion->reports));
    if (motion->reports == NULL)
        return qvError_OutOfMemory(error, (double)motion->keyCount * sizeof(*motion->reports));
    for (int i = 0; i < motion->keyCount; i++)
        motion->reports[i].directions = -1;
    qvResult result = partials->count > 0 ? SeePartialKeys(motion, def, partials, error) : qv_ok;
    if (result == qv_ok && motion->kappa != NULL)
        result = FillSoft(motion, def, pool, error);
    return result;
}

qvMotionKeyReport qvMotion_KeyReport(const qvMotion* motion, int key)
{
    QV_ASSERT(key >= 0 && key < motion->keyCount);
    if (motion->sectionCount > 0)
        return qvMotion_KeyReport(motion->sections[motion->places[key].section], motion->places[key].key);
    if (motion->reports != NULL && motion->reports[key].directions >= 0)
        return motion->reports[key];
    return (qvMotionKeyReport){ .directions = motion->space->dimension };
}

void qvMotion_KeyPose(const qvMotion* motion, int key, double* points)
{
    QV_ASSERT(key >= 0 && key < motion->keyCount);
    if (motion->sectionCount > 0)
    {
        qvMotion_KeyPose(motion->sections[motion->places[key].section], motion->places[key].key, points);
        return;
    }
    const qvMotionSpace* space = motion->space;
    size_t d = (size_t)space->dimension, bytes = 3 * (size_t)space->pointCount * sizeof(double);
    if (motion->softPoses != NULL && motion->softPoses[key] != NULL)
    {
        memcpy(points, motion->softPoses[key], bytes);
        return;
    }
    memset(points, 0, bytes);
    if (d > 0)
        qvBasis_Expand(space->basis, motion->values + (size_t)key * d, 1, points);
    qvRigid frame = { qvQuat_Identity(), space->pivot };
    if (motion->inner != NULL)
        frame = qvFramePath_Pose(motion->inner, key);
    for (int i = 0; i < space->pointCount; i++)
    {
        const double* arm = space->arms + 3 * (size_t)i;
        double* p = points + 3 * (size_t)i;
        qvVec3 x = qvMakeVec3(arm[0] + p[0] / space->scale, arm[1] + p[1] / space->scale, arm[2] + p[2] / space->scale);
        x = qvAdd(frame.position, qvQuat_Rotate(frame.rotation, x));
        p[0] = x.x, p[1] = x.y, p[2] = x.z;
    }
}

// Of coordinates at a time: how far they are outside the range that two others span, squared.
static double Excess2(const double* q, const double* from, const double* to, int dimension)
{
    double sum = 0.0;
    for (int i = 0; i < dimension; i++)
    {
        double low = fmin(from[i], to[i]), high = fmax(from[i], to[i]);
        double over = fmax(fmax(low - q[i], q[i] - high), 0.0);
        sum += over * over;
    }
    return sum;
}

double qvMotion_Passes(const qvMotion* motion, int key)
{
    enum
    {
        SAMPLES = 33
    };
    QV_ASSERT(key >= 0 && key < motion->keyCount);
    if (motion->sectionCount > 0)
    {
        qvKeyPlace place = motion->places[key];
        return qvMotion_Passes(motion->sections[place.section], place.key);
    }
    size_t d = (size_t)motion->space->dimension;
    int before = key > 0 ? key - 1 : motion->keyCount - 1;
    if (d == 0 || motion->keyCount < 2 || (key == 0 && motion->period <= 0.0))
        return 0.0;
    double length = qvSegmentLength(motion->knots, before, motion->keyCount, motion->period), times[SAMPLES];
    for (int i = 0; i < SAMPLES; i++)
        times[i] = motion->times[before] + length * (i + 1) / (SAMPLES + 1);
    void* scratch = qvAllocateRaw(qvMotion_ScratchSize(motion), 1);
    double* q = qvAllocateRaw(SAMPLES * d, sizeof(double));
    double step2 = 0.0, most2 = 0.0;
    const double *from = motion->values + (size_t)before * d, *to = motion->values + (size_t)key * d;
    if (scratch != NULL && q != NULL)
        qvMotion_Coordinates(motion, times, SAMPLES, scratch, q, NULL, NULL);
    for (size_t i = 0; i < d; i++)
        step2 += (to[i] - from[i]) * (to[i] - from[i]);
    for (int i = 0; scratch != NULL && q != NULL && i < SAMPLES; i++)
        most2 = fmax(most2, Excess2(q + (size_t)i * d, from, to, (int)d));
    double passes = scratch == NULL || q == NULL ? NAN : step2 > 1e-18 ? sqrt(most2 / step2) : 0.0;
    free(scratch);
    free(q);
    return passes;
}
