// SPDX-License-Identifier: GPL-3.0-or-later
// With P(t) where the clip has a point, R its place at rest and A(t) the linear map that the clip carries vectors along
// with from rest, a pose X of a key is at P + A (X - R).
#include "scene/clip_pose.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

bool qvScene_ClipBase(const qvScene* scene, const qvBody* body, qvRigBase* base)
{
    const qvSceneClip* clip = &scene->clip;
    const qvRig* rig = body->model != NULL ? body->model->rig : NULL;
    int index;
    if (!clip->on || qvSceneClip_Find(clip, rig, &index, NULL) != qv_ok)
        return false;
    base->rig = rig;
    base->mesh = body->mesh;
    base->clip = index;
    base->start = clip->start;
    base->speed = clip->speed;
    base->repeat = clip->repeat;
    return true;
}

static qvVec3f Less(qvVec3f a, qvVec3f b)
{
    return (qvVec3f){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static qvVec3f Plus(qvVec3f a, qvVec3f b)
{
    return (qvVec3f){ a.x + b.x, a.y + b.y, a.z + b.z };
}

void qvAddOffsets(const qvBaseMotion* below, const qvVec3f* rest, double time, void* scratch, qvPool* pool,
                  qvVec3f* work, qvVec3f* points)
{
    for (int i = 0; i < below->pointCount; i++)
        points[i] = Less(points[i], rest[i]);
    if (below->turn != NULL)
        below->turn(below->context, time, false, scratch, points);
    below->points(below->context, time, scratch, pool, work);
    for (int i = 0; i < below->pointCount; i++)
        points[i] = Plus(work[i], points[i]);
}

void qvRemoveOffsets(const qvBaseMotion* below, const qvVec3f* rest, double time, void* scratch, qvVec3f* work,
                     qvVec3f* points)
{
    below->points(below->context, time, scratch, NULL, work);
    for (int i = 0; i < below->pointCount; i++)
        points[i] = Less(points[i], work[i]);
    if (below->turn != NULL)
        below->turn(below->context, time, true, scratch, points);
    for (int i = 0; i < below->pointCount; i++)
        points[i] = Plus(rest[i], points[i]);
}

static qvResult Change(const qvScene* scene, const qvBody* body, double time, bool isOn, qvVec3f* points,
                       qvError* error)
{
    qvRigBase rig;
    if (!qvScene_ClipBase(scene, body, &rig))
        return qv_ok;
    qvBaseMotion below = qvMakeRigBase(&rig);
    size_t count = (size_t)below.pointCount;
    void* scratch = qvAllocateRaw(1, below.scratchSize);
    qvVec3f* work = qvAllocateRaw(count, sizeof(*work));
    bool isReady = scratch != NULL && work != NULL;
    if (isReady && isOn)
        qvAddOffsets(&below, body->rest, time, scratch, NULL, work, points);
    else if (isReady)
        qvRemoveOffsets(&below, body->rest, time, scratch, work, points);
    free(scratch);
    free(work);
    return isReady ? qv_ok : qvError_OutOfMemory(error, (double)below.scratchSize);
}

qvResult qvPose_OnClip(const qvScene* scene, const qvBody* body, double time, qvVec3f* points, qvError* error)
{
    return Change(scene, body, time, true, points, error);
}

qvResult qvPose_OffClip(const qvScene* scene, const qvBody* body, double time, qvVec3f* points, qvError* error)
{
    return Change(scene, body, time, false, points, error);
}
