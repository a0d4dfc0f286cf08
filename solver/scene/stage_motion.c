// SPDX-License-Identifier: GPL-3.0-or-later
// The stage that depends on times and material: the curves.
#include "base/hash.h"
#include "base/memory.h"
#include "scene/pipeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static qvMotionKind KindOf(qvInterp interp)
{
    static const qvMotionKind kinds[qv_interpCount] = {
        [qv_interpWiggly] = qv_motionWiggly, [qv_interpSmooth] = qv_motionSmooth, [qv_interpLinear] = qv_motionLinear,
        [qv_interpHold] = qv_motionHold,     [qv_interpWave] = qv_motionHold, // the waves do the rest
    };
    return kinds[interp];
}

// The velocity of the whole body that one side gives; strokes are in the pose.
static qvVec3 Uniform(const qvSceneVelocity* velocity)
{
    return velocity->given && velocity->strokes.count == 0 ? velocity->value : qvMakeVec3(0.0, 0.0, 0.0);
}

static qvMotionKey MakeKey(const qvSceneKey* from, int pose)
{
    qvMotionKey key = qvDefaultMotionKey();
    key.time = from->time, key.pose = pose;
    key.kind = KindOf(from->interp), key.mode = from->velocityMode;
    if (key.mode == qv_velocitySet || key.mode == qv_velocityBroken)
    {
        key.before = Uniform(&from->before), key.after = Uniform(&from->after);
        key.givenBefore = from->before.given, key.givenAfter = from->after.given;
    }
    key.hasTransform = from->hasTransform;
    if (from->hasTransform)
        key.rotation = from->rotate, key.translation = from->translate, key.turns = from->turns;
    return key;
}

static uint64_t HashKey(const qvMotionKey* key, uint64_t hash)
{
    double numbers[] = { key->time,        key->pose,       key->kind,          key->mode,          key->before.x,
                         key->before.y,    key->before.z,   key->after.x,       key->after.y,       key->after.z,
                         key->givenBefore, key->givenAfter, key->hasTransform,  key->rotation.x,    key->rotation.y,
                         key->rotation.z,  key->rotation.w, key->translation.x, key->translation.y, key->translation.z,
                         key->turns };
    return qvHash(numbers, sizeof(numbers), hash);
}

static uint64_t HashMotion(const qvMotionDef* def, uint64_t hash)
{
    double numbers[] = {
        def->period,    def->frequency, def->settle, def->stiffDamping, def->maxWobble, def->gravity.x,
        def->gravity.y, def->gravity.z, def->wind.x, def->wind.y,       def->wind.z,    def->keyCount
    };
    hash = qvHash(numbers, sizeof(numbers), hash);
    for (int i = 0; i < def->keyCount; i++)
        hash = HashKey(&def->keys[i], hash);
    return hash;
}

static void DestroyCurves(void* object)
{
    qvTakeMotion* curves = object;
    qvDestroyMotion(curves->motion);
    qvDestroyMotion(curves->smooth);
    qvReleaseStaged(curves->space);
    free(curves);
}

// The same keys without wiggles.
static qvResult MakeSmooth(const qvSolving* solving, const qvMotionDef* def, qvTakeMotion* curves, qvError* error)
{
    qvMotionKey* keys = qvAllocate((size_t)def->keyCount, sizeof(*keys));
    if (keys == NULL)
        return qvError_OutOfMemory(error, (double)def->keyCount * sizeof(*keys));
    for (int i = 0; i < def->keyCount; i++)
    {
        keys[i] = def->keys[i];
        keys[i].kind = keys[i].kind == qv_motionWiggly ? qv_motionSmooth : keys[i].kind;
    }
    qvMotionDef smooth = *def;
    smooth.keys = keys;
    qvResult result = qvCreateMotion(&smooth, curves->space->object, qvJob_Pool(solving->job), &curves->smooth, error);
    free(keys);
    return result;
}

static qvResult MakeCurves(qvSolving* solving, const qvMotionDef* def, uint64_t hash, qvError* error)
{
    qvTakeMotion* curves = qvAllocate(1, sizeof(*curves));
    if (curves == NULL)
        return qvError_OutOfMemory(error, sizeof(*curves));
    curves->space = qvRetainStaged(solving->space);
    qvResult result = qvCreateMotion(def, curves->space->object, qvJob_Pool(solving->job), &curves->motion, error);
    if (result == qv_ok)
        result = MakeSmooth(solving, def, curves, error);
    if (result != qv_ok)
    {
        DestroyCurves(curves);
        return result;
    }
    qvStageCache* cache = &solving->pipeline->caches[qv_stageMotion];
    return qvStageCache_Add(cache, hash, curves, DestroyCurves, &solving->take->stage, error);
}

static qvResult CheckLoop(const qvScene* scene, const double range[2], qvError* error)
{
    for (int i = 0; i < scene->keyCount; i++)
    {
        double time = scene->keys[i]->time;
        if (time < range[0] || time >= range[1])
            return qvError_Set(error, qv_badInput,
                               "keys[%d].time: %g s is not inside the loop, which starts at %g s and repeats at %g s; "
                               "move the key or change the range",
                               i, time, range[0], range[1]);
    }
    return qv_ok;
}

qvResult qvSolving_Motion(qvSolving* solving, qvError* error)
{
    const qvScene* scene = solving->scene;
    const qvSceneMaterial* material = &scene->material;
    double range[2];
    qvScene_Range(scene, range);
    qvResult result = scene->loop ? CheckLoop(scene, range, error) : qv_ok;
    qvMotionKey* keys = result == qv_ok ? qvAllocate((size_t)scene->keyCount, sizeof(*keys)) : NULL;
    if (keys == NULL)
        return result != qv_ok ? result : qvError_OutOfMemory(error, (double)scene->keyCount * sizeof(*keys));
    for (int i = 0; i < scene->keyCount; i++)
        keys[i] = MakeKey(scene->keys[i], solving->list.slotOfKey[i]);
    qvMotionDef def = qvDefaultMotionDef();
    def.keys = keys, def.keyCount = scene->keyCount;
    def.period = scene->loop ? range[1] - range[0] : 0.0;
    def.frequency = material->frequency, def.settle = material->settle;
    def.stiffDamping = material->stiffDamping, def.maxWobble = material->maxWobble;
    def.gravity = material->gravity, def.wind = material->wind;
    uint64_t hash = HashMotion(&def, solving->space->hash);
    qvTake* take = solving->take;
    take->stage = qvStageCache_Find(&solving->pipeline->caches[qv_stageMotion], hash);
    if (take->stage == NULL)
        result = MakeCurves(solving, &def, hash, error);
    if (result == qv_ok)
        take->curves = take->stage->object;
    free(keys);
    return result;
}
