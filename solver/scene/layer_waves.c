// SPDX-License-Identifier: GPL-3.0-or-later
// The layer of waves that were edited: events, and keys that send their change or a ripple.
#include "base/hash.h"
#include "base/memory.h"
#include "scene/body.h"
#include "scene/key_waves.h"
#include "scene/labels.h"
#include "scene/wave_hold.h"
#include "scene/wave_layers.h"

#include <stdlib.h>

// --- Events --------------------------------------------------------------------------------------------------------

static uint64_t HashEvent(const qvSceneEvent* event, uint64_t hash)
{
    qvSceneStroke stroke = { .stroke = event->stroke, .mask = event->mask };
    double numbers[] = {
        event->time, event->until, event->push, event->vertex, event->speed, event->fade, event->mute
    };
    hash = qvHashStroke(&stroke, qvHash(numbers, sizeof(numbers), hash));
    return qvHashBlob(event->path, hash);
}

static qvWaveEvent MakeEvent(const qvSceneEvent* from, const qvBody* body)
{
    const qvStroke* stroke = &from->stroke;
    qvWaveEvent event = qvDefaultWaveEvent(body->diagonal);
    event.time = from->time, event.until = from->until, event.push = from->push;
    event.shape = stroke->brush, event.at = stroke->at;
    event.vertex = from->vertex >= 0 ? body->mesh->vertexPoint[from->vertex] : -1;
    event.drag = stroke->drag, event.axis = stroke->axis, event.angle = stroke->angle, event.amount = stroke->amount;
    event.radius = stroke->radius > 0.0 ? stroke->radius : QV_DEFAULT_RADIUS * body->diagonal;
    event.speed = from->speed, event.poisson = stroke->poisson, event.scales = stroke->scales;
    event.fade = from->fade, event.connected = stroke->connected, event.mute = from->mute;
    if (from->path != NULL && from->path->size >= 2 * sizeof(qvVec3))
        event.path = from->path->data, event.pathCount = (int)(from->path->size / sizeof(qvVec3));
    return event;
}

// The mask of an event of its own; the hold keeps it.
static qvResult AddMask(const qvSolving* solving, const qvSceneEvent* from, qvWaveHold* hold, qvWaveEvent* event,
                        qvError* error)
{
    float* own = from->mask != NULL ? qvMaskOfPoints(solving->body, from->mask->data) : NULL;
    if (from->mask != NULL && (own == NULL || !QV_PUSH(hold->masks, own)))
    {
        free(own);
        return qvError_OutOfMemory(error, (double)hold->pointCount * sizeof(*own));
    }
    return qvWaveHold_Mask(hold, from->time, own, &event->mask, error);
}

static qvResult MakeEvents(const qvSolving* solving, qvWaveHold* hold, qvWaveEvent** out, qvLabel** labels,
                           qvError* error)
{
    const qvScene* scene = solving->scene;
    qvWaveEvent* events = *out = qvAllocate((size_t)scene->eventCount, sizeof(*events));
    *labels = qvAllocate((size_t)scene->eventCount, sizeof(**labels));
    if (events == NULL || *labels == NULL)
        return qvError_OutOfMemory(error, (double)scene->eventCount * sizeof(*events));
    for (int i = 0; i < scene->eventCount; i++)
    {
        const qvSceneEvent* from = scene->events[i];
        events[i] = MakeEvent(from, solving->body);
        (*labels)[i] = qvSceneEvent_Label(from);
        events[i].label = (*labels)[i].text;
        if (from->vertex >= 0 && events[i].vertex < 0)
            return qvError_Set(error, qv_badInput, "%s: vertex: no triangle uses vertex %d; choose another one",
                               qvSceneEvent_Label(from).text, from->vertex);
        qvResult result = AddMask(solving, from, hold, &events[i], error);
        if (result != qv_ok)
            return result;
    }
    return qv_ok;
}

// --- The layer -----------------------------------------------------------------------------------------------------

static qvResult Build(qvSolving* solving, int index, const qvBaseMotion* below, uint64_t hash, void** object,
                      qvError* error)
{
    (void)index, (void)hash;
    qvWaveLayerDef def = qvDefaultWaveLayerDef();
    def.base = *below;
    qvWaveEvent* events = NULL;
    qvLabel* labels = NULL;
    qvKeyWaves keys = { 0 };
    qvWaveHold hold;
    qvResult result = qvMakeWaveHold(solving, &hold, error);
    if (result == qv_ok)
        result = MakeEvents(solving, &hold, &events, &labels, error);
    if (result == qv_ok)
        result = qvMakeKeyWaves(solving, &hold, &keys, error);
    def.events = events, def.eventCount = solving->scene->eventCount;
    def.keys = keys.keys, def.keyCount = keys.count;
    if (result == qv_ok)
        result = qvMakeTakeWaves(solving, &def, (qvTakeWaves**)object, error);
    qvFreeKeyWaves(&keys);
    qvFreeWaveHold(&hold);
    free(events);
    free(labels);
    return result;
}

static int CountIn(const qvSolving* solving)
{
    const qvScene* scene = solving->scene;
    bool found = scene->eventCount > 0;
    for (int i = 0; i < scene->keyCount; i++)
        found = found || scene->keys[i]->interp == qv_interpWave || scene->keys[i]->ripple;
    return found;
}

static qvResult Check(qvSolving* solving, int index, uint64_t* sum, qvError* error)
{
    (void)index;
    (void)error;
    const qvScene* scene = solving->scene;
    uint64_t hash = qvHashWaveScene(scene, *sum);
    for (int i = 0; i < scene->eventCount; i++)
        hash = HashEvent(scene->events[i], hash);
    for (int i = 0; i < scene->keyCount; i++)
    {
        const qvSceneKey* key = scene->keys[i];
        double numbers[] = { key->interp, key->ripple, key->waveAmount, key->waveSpeed };
        hash = qvHash_Combine(qvHash(numbers, sizeof(numbers), hash), solving->take->poses[i]->hash);
    }
    *sum = hash;
    return qv_ok;
}

const qvLayerKind qvWavesLayer = {
    .tag = "waves",
    .label = "Waves",
    .help = "Blows and pushes, and keys whose change travels.",
    .version = 1,
    .traits = qv_layerAdds,
    .stage = qv_stageWaves,
    .count = CountIn,
    .check = Check,
    .build = Build,
    .destroy = qvDestroyTakeWaves,
    .scratchSize = qvTakeWaves_ScratchSize,
    .add = qvTakeWaves_Add,
    .waves = qvTakeWaves_Layer,
};
