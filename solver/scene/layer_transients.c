// SPDX-License-Identifier: GPL-3.0-or-later
// The layer of wave keys below simulations: a change that travels belongs to the keys' own motion, so that a simulation
// takes over from it and what is pinned follows it. Without simulations it goes with all other waves, which it meets.
#include "base/hash.h"
#include "base/memory.h"
#include "scene/fields.h"
#include "scene/key_waves.h"
#include "scene/wave_hold.h"
#include "scene/wave_layers.h"

#include <stdlib.h>

typedef struct Transients
{
    qvBaseMotion below;
    qvTakeWaves* waves;
} Transients;

static int CountIn(const qvSolving* solving)
{
    return qvTransientsAreBelow(solving) ? 1 : 0;
}

// What ripples of the keys do is not here.
static qvResult Check(qvSolving* solving, int index, uint64_t* hash, qvError* error)
{
    (void)index, (void)error;
    const qvScene* scene = solving->scene;
    *hash = qvHashWaveScene(scene, *hash);
    for (int i = 0; i < scene->keyCount; i++)
    {
        qvSceneKey key = *scene->keys[i];
        key.ripple = false, key.waveAmount = 1.0;
        *hash = qvHashInputs(qv_objectKey, &key, qv_stageWaves, *hash);
        *hash = qvHash_Combine(*hash, solving->take->poses[i]->hash);
    }
    return qv_ok;
}

static qvResult Build(qvSolving* solving, int index, const qvBaseMotion* below, uint64_t hash, void** object,
                      qvError* error)
{
    (void)index, (void)hash;
    Transients* made = *object = qvAllocate(1, sizeof(*made));
    if (made == NULL)
        return qvError_OutOfMemory(error, sizeof(*made));
    made->below = *below;
    qvWaveLayerDef def = qvDefaultWaveLayerDef();
    def.base = *below;
    qvKeyWaves keys = { 0 };
    qvWaveHold hold;
    qvResult result = qvMakeWaveHold(solving, &hold, error);
    if (result == qv_ok)
        result = qvMakeKeyWaves(solving, qv_keyWaveChange, &hold, &keys, error);
    def.keys = keys.keys, def.keyCount = keys.count;
    if (result == qv_ok)
        result = qvMakeTakeWaves(solving, &def, &made->waves, error);
    qvFreeKeyWaves(&keys);
    qvFreeWaveHold(&hold);
    return result;
}

static void Destroy(void* object)
{
    Transients* transients = object;
    if (transients->waves != NULL)
        qvDestroyTakeWaves(transients->waves);
    free(transients);
}

static void Points(const void* context, double time, void* scratch, qvPool* pool, qvVec3f* points)
{
    const Transients* transients = context;
    transients->below.points(transients->below.context, time, scratch, pool, points);
    qvTakeWaves_Add(transients->waves, time, scratch, pool, points);
}

static qvAffine Frame(const void* context, double time)
{
    const qvBaseMotion* below = &((const Transients*)context)->below;
    return below->frame(below->context, time);
}

static void Vertices(const void* context, double time, const qvVec3f* points, void* scratch, qvVec3f* vertices)
{
    const qvBaseMotion* below = &((const Transients*)context)->below;
    below->vertices(below->context, time, points, scratch, vertices);
}

static qvBaseMotion Motion(const void* object)
{
    const Transients* transients = object;
    const qvBaseMotion* below = &transients->below;
    size_t own = qvTakeWaves_ScratchSize(transients->waves);
    return (qvBaseMotion){ .context = transients,
                           .pointCount = below->pointCount,
                           .scratchSize = own > below->scratchSize ? own : below->scratchSize,
                           .points = Points,
                           .frame = below->frame != NULL ? Frame : NULL,
                           .vertices = below->vertices != NULL ? Vertices : NULL };
}

static const qvWaveLayer* Waves(const void* object)
{
    return qvTakeWaves_Layer(((const Transients*)object)->waves);
}

const qvLayerKind qvTransientsLayer = {
    .tag = "transients",
    .label = "Wave keys",
    .help = "Keys whose change travels, below simulations.",
    .version = 1,
    .stage = qv_stageMotion,
    .count = CountIn,
    .check = Check,
    .build = Build,
    .destroy = Destroy,
    .motion = Motion,
    .waves = Waves,
};
