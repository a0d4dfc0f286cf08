// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene/wave_layers.h"

#include "base/hash.h"
#include "base/memory.h"
#include "scene/fields.h"

#include <math.h>
#include <stdlib.h>

uint64_t qvHashWaveScene(const qvScene* scene, uint64_t hash)
{
    double range[2];
    qvScene_Range(scene, range);
    hash = qvHash(range, sizeof(range), hash); // as it is when the scene leaves it open
    hash = qvHashField(qv_objectScene, scene, "unit", hash);
    hash = qvHashField(qv_objectScene, scene, "loop", hash);
    hash = qvHashField(qv_objectScene, scene, "keep_keys", hash);
    for (int i = 0; i < scene->pinCount; i++)
        hash = qvHashInputs(qv_objectPin, scene->pins[i], qv_stageWaves, hash);
    return hash;
}

// Keys inside the span of a simulation do not hold waves back; where the topology changes, waves have gone.
static qvResult HardKeys(const qvSolving* solving, qvWaveLayerDef* def, double** times, qvError* error)
{
    const qvScene* scene = solving->scene;
    *times = qvAllocate((size_t)scene->keyCount + 1, sizeof(**times));
    if (*times == NULL)
        return qvError_OutOfMemory(error, (double)scene->keyCount * sizeof(**times));
    def->hardKeys = *times;
    for (int i = 0; i < scene->keyCount; i++)
    {
        if (isinf(scene->keys[i]->weight) && !qvTake_IsSimulated(solving->take, scene->keys[i]->time))
            (*times)[def->hardKeyCount++] = scene->keys[i]->time;
    }
    // No key after it counts: the span that changes it holds.
    double change = qvTake_ChangesFrom(solving->take);
    if (isfinite(change))
        (*times)[def->hardKeyCount++] = change;
    return qv_ok;
}

qvResult qvMakeTakeWaves(const qvSolving* solving, qvWaveLayerDef* def, qvTakeWaves** out, qvError* error)
{
    const qvScene* scene = solving->scene;
    qvTakeWaves* waves = *out = qvAllocate(1, sizeof(*waves));
    if (waves == NULL)
        return qvError_OutOfMemory(error, sizeof(*waves));
    def->topology = solving->body->topology, def->rest = solving->body->rest;
    def->keepKeys = scene->keepKeys, def->period = solving->take->period;
    const qvTakeMotion* curves = solving->take->curves;
    if (curves != NULL && curves->hasBelow)
        def->carrier = curves->below;
    double* times;
    qvResult result = HardKeys(solving, def, &times, error);
    if (result == qv_ok)
        result = qvCreateWaveLayer(def, solving->job, &waves->layer, error);
    free(times);
    return result;
}

void qvDestroyTakeWaves(void* object)
{
    qvTakeWaves* waves = object;
    qvDestroyWaveLayer(waves->layer);
    free(waves->events);
    free(waves);
}

size_t qvTakeWaves_ScratchSize(const void* object)
{
    return qvWaveLayer_ScratchSize(qvTakeWaves_Layer(object));
}

void qvTakeWaves_Add(const void* object, double time, void* scratch, qvPool* pool, qvVec3f* points)
{
    qvWaveLayer_Add(qvTakeWaves_Layer(object), time, scratch, pool, points);
}

const qvWaveLayer* qvTakeWaves_Layer(const void* object)
{
    const qvTakeWaves* waves = object;
    return waves->layer;
}
