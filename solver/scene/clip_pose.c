// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene/clip_pose.h"

#include "base/memory.h"
#include "layer/offsets.h"

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
