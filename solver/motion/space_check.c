// SPDX-License-Identifier: GPL-3.0-or-later
#include "motion/space_build.h"

#include "base/assert.h"
#include "base/label.h"

#include <math.h>

enum
{
    MAX_PARTS = 2000
};

static bool AllFinite(const double* x, int count)
{
    for (int i = 0; i < count; i++)
    {
        if (!isfinite(x[i]))
            return false;
    }
    return true;
}

static double Diagonal(const double* points, int pointCount)
{
    double sum = 0.0;
    for (int c = 0; c < 3; c++)
    {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < pointCount; i++)
        {
            low = fmin(low, points[3 * i + c]);
            high = fmax(high, points[3 * i + c]);
        }
        sum += (high - low) * (high - low);
    }
    return sqrt(sum);
}

static qvResult CheckPose(const qvMotionPose* pose, int size, double diagonal, qvError* error)
{
    if (!AllFinite(pose->points, size))
        return qvError_Set(error, qv_badInput, "a point of its pose is not finite; make the pose again");
    if ((pose->before != NULL && !AllFinite(pose->before, size)) ||
        (pose->after != NULL && !AllFinite(pose->after, size)))
        return qvError_Set(error, qv_badInput, "a velocity is not finite; set it again");
    if (!(Diagonal(pose->points, size / 3) <= 1e6 * diagonal))
        return qvError_Set(error, qv_badInput,
                           "its pose is more than a million times larger than the rest shape; use smaller "
                           "strokes");
    return qv_ok;
}

static qvResult CheckMaterial(const qvMotionSpaceDef* def, qvError* error)
{
    if (!(def->material.stretch > 0.0 && def->material.stretch <= 1e9))
        return qvError_Set(error, qv_badInput, "stretch: %g is not between 0 and 1e9", def->material.stretch);
    if (!(def->material.bend > 0.0 && def->material.bend <= 1e9))
        return qvError_Set(error, qv_badInput, "bend: %g is not between 0 and 1e9", def->material.bend);
    if (def->material.modes < 1 || def->material.modes > 200)
        return qvError_Set(error, qv_badInput, "modes: %d is not between 1 and 200", def->material.modes);
    return qv_ok;
}

qvResult qvCheckMotionSpaceDef(const qvMotionSpaceDef* def, double* diagonal, qvError* error)
{
    int pointCount = def->topology->pointCount;
    if (pointCount < 1 || def->topology->triangleCount < 1)
        return qvError_Set(error, qv_badInput, "the mesh has no triangles; choose another one");
    if (def->poseCount < 1)
        return qvError_Set(error, qv_badInput, "there is no pose; add a key");
    if (def->topology->partCount > MAX_PARTS)
        return qvError_Set(error, qv_badInput, "the mesh has %d separate parts, more than %d; join some of them",
                           def->topology->partCount, MAX_PARTS);
    if (!AllFinite(def->rest, 3 * pointCount))
        return qvError_Set(error, qv_badInput, "a point of the rest shape is not finite");
    for (int i = 0; def->order != NULL && i < def->orderCount; i++)
        QV_ASSERT(def->order[i] >= 0 && def->order[i] < def->poseCount);
    QV_ASSERT(def->window >= 1);
    *diagonal = Diagonal(def->rest, pointCount);
    if (!(*diagonal > 1e-100 && *diagonal < 1e100))
        return qvError_Set(error, qv_badInput, "the mesh has no size: its diagonal is %g", *diagonal);
    for (int i = 0; i < def->pinCount; i++)
    {
        if (def->pins[i] < 0 || def->pins[i] >= pointCount)
            return qvError_Set(error, qv_badInput, "pin %d: there is no point %d", i, (int)def->pins[i]);
    }
    qvResult result = CheckMaterial(def, error);
    for (int i = 0; result == qv_ok && i < def->poseCount; i++)
    {
        result = CheckPose(&def->poses[i], 3 * pointCount, *diagonal, error);
        if (result != qv_ok)
            qvError_Prefix(error, "%s", qvMakeLabel(def->poses[i].label, "pose", i).text);
    }
    return result;
}
