// SPDX-License-Identifier: GPL-3.0-or-later
// The layer of a mesh file's own animation, the lowest; keys are offsets from it.
#include "base/memory.h"
#include "scene/clip_pose.h"
#include "scene/fields.h"
#include "scene/pipeline.h"

#include <stdlib.h>

static const qvRig* RigOf(const qvSolving* solving)
{
    return solving->body->model != NULL ? solving->body->model->rig : NULL;
}

// A clip that is asked for has to be there, whatever the file holds.
static int CountIn(const qvSolving* solving)
{
    const qvSceneClip* clip = &solving->scene->clip;
    int index;
    bool isAskedFor = clip->name != NULL || clip->number > 1;
    return clip->on && (isAskedFor || qvSceneClip_Find(clip, RigOf(solving), &index, NULL) == qv_ok);
}

static qvResult Check(qvSolving* solving, int index, uint64_t* hash, qvError* error)
{
    (void)index;
    int clip;
    *hash = qvHashInputs(qv_objectClip, &solving->scene->clip, qv_stageMotion, *hash);
    return qvSceneClip_Find(&solving->scene->clip, RigOf(solving), &clip, error);
}

static qvResult Build(qvSolving* solving, int index, const qvBaseMotion* below, uint64_t hash, void** object,
                      qvError* error)
{
    (void)index, (void)hash;
    (void)below;
    qvRigBase* base = qvAllocate(1, sizeof(*base));
    if (base == NULL)
        return qvError_OutOfMemory(error, sizeof(*base));
    *object = base;
    int found;
    qvResult result = qvSceneClip_Find(&solving->scene->clip, RigOf(solving), &found, error);
    if (result == qv_ok)
        qvScene_ClipBase(solving->scene, solving->body, base);
    return result;
}

static qvBaseMotion Motion(const void* object)
{
    return qvMakeRigBase(object);
}

const qvLayerKind qvClipLayer = {
    .tag = "clip",
    .label = "Clip",
    .help = "An animation of the mesh's file.",
    .version = 2,
    .traits = qv_layerBase,
    .stage = qv_stageMotion,
    .count = CountIn,
    .check = Check,
    .build = Build,
    .destroy = free,
    .motion = Motion,
};
