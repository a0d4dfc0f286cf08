// SPDX-License-Identifier: GPL-3.0-or-later
// The layer of a mesh file's own animation, which moves a body without keys.
#include "base/hash.h"
#include "base/memory.h"
#include "scene/pipeline.h"

#include <stdlib.h>

static const qvRig* RigOf(const qvSolving* solving)
{
    return solving->body->model != NULL ? solving->body->model->rig : NULL;
}

// A clip that is named has to be there, whatever the file holds.
static int CountIn(const qvSolving* solving)
{
    int clip;
    return solving->scene->keyCount == 0 &&
           (solving->scene->mesh.clip != NULL || qvRig_FindClip(RigOf(solving), NULL, &clip, NULL) == qv_ok);
}

static qvResult Find(const qvSolving* solving, int* clip, qvError* error)
{
    qvResult result = qvRig_FindClip(RigOf(solving), solving->scene->mesh.clip, clip, error);
    if (result != qv_ok)
        qvError_Prefix(error, "mesh.clip");
    return result;
}

static qvResult Check(qvSolving* solving, int index, uint64_t* hash, qvError* error)
{
    (void)index;
    int clip;
    qvResult result = Find(solving, &clip, error);
    if (result == qv_ok)
        *hash = qvHash_Combine(*hash, (uint64_t)clip);
    return result;
}

static qvResult Build(qvSolving* solving, int index, const qvBaseMotion* below, uint64_t hash, void** object,
                      qvError* error)
{
    (void)index, (void)hash;
    (void)below;
    qvRigBase* base = qvAllocate(1, sizeof(*base));
    if (base == NULL)
        return qvError_OutOfMemory(error, sizeof(*base));
    *base = (qvRigBase){ .rig = RigOf(solving), .mesh = solving->body->mesh };
    *object = base;
    return Find(solving, &base->clip, error);
}

static qvBaseMotion Motion(const void* object)
{
    return qvMakeRigBase(object);
}

const qvLayerKind qvClipLayer = {
    .tag = "clip",
    .label = "Clip",
    .help = "An animation of the mesh's file.",
    .version = 1,
    .traits = qv_layerBase,
    .stage = qv_stageMotion,
    .count = CountIn,
    .check = Check,
    .build = Build,
    .destroy = free,
    .motion = Motion,
};
