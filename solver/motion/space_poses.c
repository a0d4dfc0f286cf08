// SPDX-License-Identifier: GPL-3.0-or-later
// Poses in body axes: what is rigid of a pose and of its velocities is taken out.
#include "motion/space_build.h"

#include "base/memory.h"
#include "math/dense.h"
#include "math/rotation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double SAME_SHAPE = 1e-6; // largest distance of points, over the diagonal
static const double MAX_BYTES = 4.0e9; // of the vectors that span the space
enum
{
    MAX_VECTORS = 6000
};

static qvResult LocalPose(qvSpaceBuild* b, int index)
{
    qvMotionSpace* space = b->space;
    qvPoseData* data = &space->poses[index];
    const double* points = b->def->poses[index].points;
    data->frame = (qvRigid){ { 0.0, 0.0, 0.0, 1.0 }, space->pivot };
    if (!space->keepsRigid)
        data->frame = qvFitRigid(space->pointCount, qvElasticBody_Masses(b->space->elastic), b->def->rest, points);
    double* local = b->local[index] = qvAllocateRaw((size_t)b->size, sizeof(double));
    if (local == NULL)
        return qvError_OutOfMemory(b->error, (double)b->size * sizeof(double));
    qvQuat back = qvQuat_Conjugate(data->frame.rotation);
    for (int i = 0; i < space->pointCount; i++)
    {
        qvVec3 arm = qvQuat_Rotate(back, qvSub(qvGetPoint(points, i), data->frame.position));
        qvSetPoint(local, i, qvScale(space->scale, qvAdd(arm, space->pivot)));
    }
    return qv_ok;
}

// Mean velocity and angular velocity (world) of a field of velocities, weighted by mass.
static qvResult RigidVelocity(const qvSpaceBuild* b, const double* points, const double* field, qvVec3 center,
                              qvVec3 out[2])
{
    int n = b->space->pointCount;
    const double* masses = qvElasticBody_Masses(b->space->elastic);
    qvVec3 mean = qvMassCenter(n, masses, field), moment = { 0.0, 0.0, 0.0 };
    double inertia[9] = { 0.0 };
    for (int i = 0; i < n; i++)
    {
        qvVec3 arm = qvSub(qvGetPoint(points, i), center);
        moment = qvMulAdd(moment, masses[i], qvCross(arm, qvSub(qvGetPoint(field, i), mean)));
        const double* a = &arm.x;
        for (int k = 0; k < 9; k++)
            inertia[k] += masses[i] * ((k / 3 == k % 3 ? qvDot(arm, arm) : 0.0) - a[k / 3] * a[k % 3]);
    }
    out[0] = mean;
    qvDenseReport report;
    return qvDense_SolveLeastSquares(3, 3, inertia, &moment.x, 1e-9, &out[1].x, &report, b->error);
}

// What is rigid of a pose's velocities goes to its frame, the rest to the modes.
static qvResult LocalVelocity(qvSpaceBuild* b, int index, int side)
{
    qvMotionSpace* space = b->space;
    const qvMotionPose* pose = &b->def->poses[index];
    const double* field = side == 0 ? pose->before : pose->after;
    if (field == NULL)
        return qv_ok;
    double* local = b->fields[side][index] = qvAllocateRaw((size_t)b->size, sizeof(double));
    if (local == NULL)
        return qvError_OutOfMemory(b->error, (double)b->size * sizeof(double));
    qvPoseData* data = &space->poses[index];
    qvVec3 rigid[2] = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
    qvQuat back = qvQuat_Conjugate(data->frame.rotation);
    if (!space->pinned)
    {
        qvResult result = RigidVelocity(b, pose->points, field, data->frame.position, rigid);
        if (result != qv_ok)
            return result;
        qvVec3 spin = qvQuat_Rotate(back, rigid[1]);
        double row[6] = { rigid[0].x, rigid[0].y, rigid[0].z, spin.x, spin.y, spin.z };
        memcpy(data->rigidVelocity[side], row, sizeof(row));
    }
    for (int i = 0; i < space->pointCount; i++)
    {
        qvVec3 arm = qvSub(qvGetPoint(pose->points, i), data->frame.position);
        qvVec3 rest = qvSub(qvGetPoint(field, i), qvAdd(rigid[0], qvCross(rigid[1], arm)));
        qvSetPoint(local, i, qvScale(space->scale, qvQuat_Rotate(back, rest)));
    }
    return qv_ok;
}

static bool SameShape(const double* a, const double* b, int size)
{
    for (int i = 0; i < size; i++)
    {
        if (fabs(a[i] - b[i]) > SAME_SHAPE * QV_SPACE_DIAGONAL)
            return false;
    }
    return true;
}

static void FindShapes(qvSpaceBuild* b)
{
    qvMotionSpace* space = b->space;
    for (int i = 0; i < space->poseCount; i++)
    {
        int shape = 0;
        while (shape < space->shapeCount && !SameShape(b->local[space->shapes[shape].pose], b->local[i], b->size))
            shape++;
        if (shape == space->shapeCount)
            space->shapes[space->shapeCount++].pose = i;
        space->poses[i].shape = shape;
    }
}

// What a bounded space takes while it is made, about: of every pose some arrays of all points and the matrices of its
// modes, and what the basis is chosen from.
static qvResult CheckBounded(const qvSpaceBuild* b)
{
    double size = b->size, poses = b->space->poseCount, d = qvSpaceBuild_Bound(b->def->material.modes);
    for (int i = 0; i < b->space->poseCount; i++)
        d += (b->fields[0][i] != NULL) + (b->fields[1][i] != NULL);
    double seen = fmin(poses, 2.0 * b->space->window + 1.0);
    double own = (8.0 * size + d * (d + 2.0 * seen)) * sizeof(double);
    double shared = size * (3.0 * d + poses + 24.0 * b->def->material.modes) * sizeof(double),
           all = shared + poses * own;
    if (all <= MAX_BYTES)
        return qv_ok;
    double fit = floor((MAX_BYTES - shared) / own);
    char advice[96] = "use a mesh of fewer points, or fewer modes";
    if (fit >= 1.0)
        snprintf(advice, sizeof(advice), "give some the same pose, or use fewer modes or points: about %.0f would fit",
                 fit);
    return qvError_Set(b->error, qv_badInput,
                       "the keys have %d different poses, which with %d points and %d modes would take about %.1f GB, "
                       "more than %.0f; %s",
                       b->space->poseCount, b->space->pointCount, b->def->material.modes, 1e-9 * all, 1e-9 * MAX_BYTES,
                       advice);
}

// A pose brings itself, its two velocities and its modes.
static qvResult CheckSize(const qvSpaceBuild* b)
{
    int poses = b->space->poseCount, shapes = b->space->shapeCount, modes = b->def->material.modes;
    b->space->isBounded = qvMotionSpace_IsTooMuch(shapes, modes);
    if (b->space->isBounded)
        return CheckBounded(b);
    double most = fmin(MAX_VECTORS, floor(MAX_BYTES / (3.0 * b->size * sizeof(double))));
    double vectors = 3.0 * poses + (double)shapes * modes;
    if (vectors <= most)
        return qv_ok;
    double fewer = floor((most - 3.0 * poses) / shapes);
    char advice[64] = "use fewer keys";
    if (fewer >= 1.0)
        snprintf(advice, sizeof(advice), "use fewer keys or at most %.0f modes", fewer);
    return qvError_Set(b->error, qv_badInput,
                       "the keys have %d different poses, more than the %.0f that %d points with %d modes can have; "
                       "give some the same pose, or %s",
                       poses, floor(most / (3.0 + modes)), b->space->pointCount, modes, advice);
}

qvResult qvSpaceBuild_PlacePoses(qvSpaceBuild* b)
{
    qvMotionSpace* space = b->space;
    for (int i = 0; i < space->poseCount; i++)
    {
        qvResult result = qvJob_Ask(b->job, b->error);
        if (result == qv_ok)
            result = LocalPose(b, i);
        for (int side = 0; result == qv_ok && side < 2; side++)
            result = LocalVelocity(b, i, side);
        if (result != qv_ok)
            return result;
    }
    FindShapes(b);
    return CheckSize(b);
}
