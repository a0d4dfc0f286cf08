// SPDX-License-Identifier: GPL-3.0-or-later
// What a motion made of its keys.
#include "motion/partial.h"

#include "base/assert.h"
#include "base/memory.h"
#include "math/blas.h"
#include "motion/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    BLOCK = 256 // points whose displacements fit on the stack
};

// The largest displacement of a point under the difference of two rows of coordinates, scaled.
static double LargestShift(const qvMotionSpace* space, const double* a, const double* b)
{
    const double* u = qvBasis_Vectors(space->basis);
    size_t size = 3 * (size_t)space->pointCount;
    double largest = 0.0, sums[3 * BLOCK];
    for (int first = 0; first < space->pointCount; first += BLOCK)
    {
        int count = space->pointCount - first < BLOCK ? space->pointCount - first : BLOCK;
        memset(sums, 0, sizeof(sums));
        for (int c = 0; c < space->dimension; c++)
        {
            const double* column = u + (size_t)c * size + 3 * (size_t)first;
            for (int i = 0; i < 3 * count; i++)
                sums[i] += column[i] * (a[c] - b[c]);
        }
        for (int i = 0; i < count; i++)
            largest = fmax(largest, sums[3 * i] * sums[3 * i] + sums[3 * i + 1] * sums[3 * i + 1] +
                                        sums[3 * i + 2] * sums[3 * i + 2]);
    }
    return sqrt(largest);
}

// The largest distance of a listed point from its target under q, units. moved: scratch.
static double LargestMiss(const qvMotionSpace* space, const qvMotionKey* key, const qvPartial* p, const double* q,
                          double* moved)
{
    double largest = 0.0;
    qvMoveListed(space, key, q, moved);
    for (int i = 0; i < 3 * key->onlyCount; i += 3)
    {
        const double *x = moved + i, *y = p->list + i, *arm = space->arms + 3 * (size_t)key->only[i / 3];
        double a = arm[0] + x[0] - y[0], b = arm[1] + x[1] - y[1], c = arm[2] + x[2] - y[2];
        largest = fmax(largest, a * a + b * b + c * c);
    }
    return sqrt(largest);
}

qvResult qvMotion_FillReports(qvMotion* motion, const qvMotionDef* def, const qvPartials* partials, qvError* error)
{
    const qvMotionSpace* space = motion->space;
    size_t keys = (size_t)motion->keyCount, d = (size_t)space->dimension, most = 0;
    if (partials->count == 0)
        return qv_ok;
    for (int i = 0; i < partials->count; i++)
    {
        size_t listed = 3 * (size_t)def->keys[partials->items[i].key].onlyCount;
        most = listed > most ? listed : most;
    }
    motion->reports = qvAllocate(keys, sizeof(*motion->reports));
    double* work = qvAllocate(most + d, sizeof(double));
    if (motion->reports == NULL || work == NULL)
    {
        free(work);
        return qvError_OutOfMemory(error, (double)(most + d) * sizeof(double));
    }
    for (int i = 0; i < motion->keyCount; i++)
        motion->reports[i].directions = -1;
    for (int i = 0; i < partials->count; i++)
    {
        const qvPartial* p = &partials->items[i];
        const qvMotionKey* key = &def->keys[p->key];
        double* best = work + most;
        memset(best, 0, d * sizeof(double));
        for (int r = 0; r < p->rank; r++)
            qvBlas_AddScaled((int)d, p->wanted[r], p->directions + (size_t)r * d, best);
        const double* q = motion->smooth.solution.values + (size_t)p->key * d;
        motion->reports[p->key] = (qvMotionKeyReport){ .error = LargestMiss(space, key, p, q, work),
                                                       .residual = LargestMiss(space, key, p, best, work),
                                                       .directions = p->rank };
    }
    free(work);
    return qv_ok;
}

qvMotionKeyReport qvMotion_KeyReport(const qvMotion* motion, int key)
{
    QV_ASSERT(key >= 0 && key < motion->keyCount);
    if (motion->sectionCount > 0)
        return qvMotion_KeyReport(motion->sections[motion->places[key].section], motion->places[key].key);
    const qvMotionSpace* space = motion->space;
    size_t d = (size_t)space->dimension;
    qvMotionKeyReport report = { .directions = space->dimension };
    if (motion->reports != NULL && motion->reports[key].directions >= 0)
        return motion->reports[key];
    if (d == 0)
        return report;
    const double* value = motion->smooth.solution.values + (size_t)key * d;
    const double* pose = space->poses[motion->poses[key]].center;
    if (memcmp(value, pose, d * sizeof(double)) != 0)
        report.error = LargestShift(space, value, pose) / space->scale;
    return report;
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
    size_t d = (size_t)space->dimension;
    memset(points, 0, 3 * (size_t)space->pointCount * sizeof(double));
    if (d > 0)
        qvBasis_Expand(space->basis, motion->smooth.solution.values + (size_t)key * d, 1, points);
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
