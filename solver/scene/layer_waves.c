// SPDX-License-Identifier: GPL-3.0-or-later
// The layer of waves that were edited: events, and keys that send their change or a ripple.
#include "base/hash.h"
#include "base/memory.h"
#include "scene/body.h"
#include "scene/fields.h"
#include "scene/key_waves.h"
#include "scene/labels.h"
#include "scene/wave_hold.h"
#include "scene/wave_layers.h"

#include <stdlib.h>

// --- Events --------------------------------------------------------------------------------------------------------

static qvWaveEvent MakeEvent(const qvSceneEvent* from, const qvScene* scene, const qvBody* body)
{
    qvWaveEvent event = { .def = from->def };
    event.def.speed = from->def.speed / scene->unit;
    event.def.vertex = from->def.vertex >= 0 ? body->mesh->vertexPoint[from->def.vertex] : -1;
    if (!(from->def.stroke.radius > 0.0))
        event.def.stroke.radius = QV_DEFAULT_RADIUS * body->diagonal;
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
    return qvWaveHold_Mask(hold, from->def.time, own, &event->mask, error);
}

// A wave finds the body where the motion below has it when it starts. (What would come round to it in a loop from later
// waves is missing too until they are there.)
static void LeaveToLater(qvSolving* solving, qvWaveDef* wave)
{
    if (wave->mute || wave->time < solving->known)
        return;
    wave->mute = true;
    qvSolving_Miss(solving, wave->time);
}

static qvResult MakeEvents(qvSolving* solving, qvWaveHold* hold, qvWaveEvent** out, qvLabel** labels, qvError* error)
{
    const qvScene* scene = solving->scene;
    qvWaveEvent* events = *out = qvAllocate((size_t)scene->eventCount, sizeof(*events));
    *labels = qvAllocate((size_t)scene->eventCount, sizeof(**labels));
    if (events == NULL || *labels == NULL)
        return qvError_OutOfMemory(error, (double)scene->eventCount * sizeof(*events));
    for (int i = 0; i < scene->eventCount; i++)
    {
        const qvSceneEvent* from = scene->events[i];
        events[i] = MakeEvent(from, scene, solving->body);
        LeaveToLater(solving, &events[i].def);
        (*labels)[i] = qvSceneEvent_Label(from);
        events[i].label = (*labels)[i].text;
        if (from->def.vertex >= 0 && events[i].def.vertex < 0)
            return qvError_Set(error, qv_badInput, "%s: vertex: no triangle uses vertex %d; choose another one",
                               qvSceneEvent_Label(from).text, from->def.vertex);
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
    qvKeyWaveKind kind = qvTransientsAreBelow(solving) ? qv_keyWaveRipple : qv_keyWaveNone;
    qvWaveEvent* events = NULL;
    qvLabel* labels = NULL;
    qvKeyWaves keys = { 0 };
    qvWaveHold hold;
    qvResult result = qvMakeWaveHold(solving, &hold, error);
    if (result == qv_ok)
        result = MakeEvents(solving, &hold, &events, &labels, error);
    if (result == qv_ok)
        result = qvMakeKeyWaves(solving, kind, &hold, &keys, error);
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
    bool hasChanges = !qvTransientsAreBelow(solving);
    for (int i = 0; i < scene->keyCount; i++)
    {
        bool changes = scene->keys[i]->interp == qv_interpWave;
        found = found || (changes ? hasChanges : scene->keys[i]->ripple);
    }
    return found;
}

static qvResult Check(qvSolving* solving, int index, uint64_t* sum, qvError* error)
{
    (void)index, (void)error;
    const qvScene* scene = solving->scene;
    uint64_t hash = qvHashWaveScene(scene, *sum);
    for (int i = 0; i < scene->eventCount; i++)
        hash = qvHashInputs(qv_objectEvent, scene->events[i], qv_stageWaves, hash);
    for (int i = 0; i < scene->keyCount; i++)
    {
        hash = qvHashInputs(qv_objectKey, scene->keys[i], qv_stageWaves, hash);
        hash = qvHash_Combine(hash, solving->take->poses[i]->hash);
    }
    *sum = hash;
    return qv_ok;
}

const qvLayerKind qvWavesLayer = {
    .tag = "waves",
    .label = "Waves",
    .help = "Blows and pushes, and keys whose change travels.",
    .version = 1,
    .traits = qv_layerAdds | qv_layerPartly,
    .stage = qv_stageWaves,
    .count = CountIn,
    .check = Check,
    .build = Build,
    .destroy = qvDestroyTakeWaves,
    .scratchSize = qvTakeWaves_ScratchSize,
    .add = qvTakeWaves_Add,
    .waves = qvTakeWaves_Layer,
};
