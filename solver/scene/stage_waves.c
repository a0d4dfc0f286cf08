// SPDX-License-Identifier: GPL-3.0-or-later
// The stage of the waves: one layer of what was edited (events, and keys that send their change or a ripple), one of
// what the motion answers with by itself. Each is cached on its own.
#include "base/hash.h"
#include "base/memory.h"
#include "scene/body.h"
#include "scene/fields.h"
#include "scene/key_waves.h"
#include "scene/labels.h"
#include "scene/pipeline.h"
#include "scene/wave_hold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void DestroyWaves(void* object)
{
    qvTakeWaves* waves = object;
    qvDestroyWaveLayer(waves->layer);
    qvReleaseStaged(waves->motion);
    qvReleaseBody(waves->body);
    free(waves->events);
    free(waves);
}

// --- What the waves travel on --------------------------------------------------------------------------------------

// An object that keeps alive what its base refers to.
static qvTakeWaves* StartWaves(const qvSolving* solving, qvBaseMotion* base, qvError* error)
{
    const qvTake* take = solving->take;
    const qvMesh* mesh = solving->body->mesh;
    qvTakeWaves* waves = qvAllocate(1, sizeof(*waves));
    if (waves == NULL)
    {
        qvError_OutOfMemory(error, sizeof(*waves));
        return NULL;
    }
    waves->body = qvRetainBody(solving->body);
    waves->motion = qvRetainStaged(take->stage);
    waves->rig = (qvRigBase){ .rig = take->rig, .mesh = mesh, .clip = take->clip };
    waves->still = (qvStillBase){ solving->body->rest, mesh->pointCount };
    *base = take->curves != NULL ? qvMakeMotionBase(take->curves->motion, mesh->pointCount)
            : take->rig != NULL  ? qvMakeRigBase(&waves->rig)
                                 : qvMakeStillBase(&waves->still);
    return waves;
}

static uint64_t HashBase(const qvSolving* solving)
{
    const qvTake* take = solving->take;
    double range[2];
    qvScene_Range(solving->scene, range);
    uint64_t hash = take->stage != NULL ? take->stage->hash : qvHash_Combine(solving->source, (uint64_t)take->clip);
    hash = qvHash(range, sizeof(range), hash);
    hash = qvHash_Combine(hash, (uint64_t)solving->scene->loop);
    for (int i = 0; i < solving->scene->pinCount; i++)
        hash = qvHash_Combine(hash, qvHashFields(qv_objectPin, solving->scene->pins[i]));
    return qvHash_Combine(hash, (uint64_t)solving->scene->keepKeys);
}

// --- Events --------------------------------------------------------------------------------------------------------

static uint64_t HashBlob(const qvBlob* blob, uint64_t hash)
{
    return blob != NULL ? qvHash(blob->data, blob->size, qvHash_Combine(hash, blob->size)) : qvHash_Combine(hash, 0);
}

static uint64_t HashEvent(const qvSceneEvent* event, uint64_t hash)
{
    qvSceneStroke stroke = { .stroke = event->stroke, .mask = event->mask };
    double numbers[] = {
        event->time, event->until, event->push, event->vertex, event->speed, event->fade, event->mute
    };
    hash = qvHashStroke(&stroke, qvHash(numbers, sizeof(numbers), hash));
    return HashBlob(event->path, hash);
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

// --- The layers ----------------------------------------------------------------------------------------------------

static qvResult HardKeys(const qvScene* scene, qvWaveLayerDef* def, double** times, qvError* error)
{
    *times = qvAllocate((size_t)scene->keyCount, sizeof(**times));
    if (*times == NULL)
        return qvError_OutOfMemory(error, (double)scene->keyCount * sizeof(**times));
    def->hardKeys = *times;
    for (int i = 0; i < scene->keyCount; i++)
    {
        if (isinf(scene->keys[i]->weight))
            (*times)[def->hardKeyCount++] = scene->keys[i]->time;
    }
    return qv_ok;
}

// Adds the layer of a definition that has its events and waves of keys.
static qvResult MakeLayer(const qvSolving* solving, qvWaveLayerDef* def, qvTakeWaves* waves, qvError* error)
{
    const qvScene* scene = solving->scene;
    def->topology = solving->body->topology, def->rest = solving->body->rest;
    def->keepKeys = scene->keepKeys, def->period = solving->take->period;
    double* times;
    qvResult result = HardKeys(scene, def, &times, error);
    if (result == qv_ok)
        result = qvCreateWaveLayer(def, solving->job, &waves->layer, error);
    free(times);
    return result;
}

static qvResult MakeEdited(qvSolving* solving, qvTakeWaves* waves, const qvBaseMotion* base, qvError* error)
{
    qvWaveLayerDef def = qvDefaultWaveLayerDef();
    def.base = *base;
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
        result = MakeLayer(solving, &def, waves, error);
    qvFreeKeyWaves(&keys);
    qvFreeWaveHold(&hold);
    free(events);
    free(labels);
    return result;
}

static qvSceneEvent SceneEvent(const qvWaveEvent* from, const qvMesh* mesh)
{
    qvSceneEvent event = qvDefaultSceneEvent();
    event.time = from->time, event.until = from->until, event.push = from->push;
    event.stroke.brush = from->shape, event.stroke.at = from->at;
    event.stroke.drag = from->drag, event.stroke.axis = from->axis;
    event.stroke.angle = from->angle, event.stroke.amount = from->amount, event.stroke.radius = from->radius;
    event.stroke.scales = from->scales, event.stroke.poisson = from->poisson;
    event.stroke.connected = from->connected;
    event.vertex = from->vertex >= 0 ? mesh->pointVertex[from->vertex] : -1;
    event.speed = from->speed, event.fade = from->fade;
    return event;
}

static qvResult KeepGenerated(qvTakeWaves* waves, const qvWaveEvent* events, int count, qvError* error)
{
    waves->events = qvAllocate((size_t)count, sizeof(*waves->events));
    if (waves->events == NULL)
        return qvError_OutOfMemory(error, (double)count * sizeof(*waves->events));
    waves->eventCount = count;
    for (int i = 0; i < count; i++)
        waves->events[i] = SceneEvent(&events[i], waves->body->mesh);
    return qv_ok;
}

static qvSecondaryDef SecondaryDef(const qvSolving* solving, const qvBaseMotion* base, const float* weights)
{
    const qvSceneSecondary* from = &solving->scene->secondary;
    double range[2];
    qvScene_Range(solving->scene, range);
    qvSecondaryDef def = qvDefaultSecondaryDef();
    def.topology = solving->body->topology, def.rest = solving->body->rest, def.base = *base, def.weights = weights;
    def.begin = range[0], def.end = range[1], def.loop = solving->scene->loop;
    def.amount = from->amount, def.threshold = from->threshold, def.radius = from->radius;
    def.speed = from->speed, def.max = from->max, def.rate = from->rate;
    return def;
}

static qvResult MakeSecondary(qvSolving* solving, qvTakeWaves* waves, const qvBaseMotion* base, qvError* error)
{
    const qvBlob* given = solving->scene->weights;
    float* weights = given != NULL ? qvMaskOfPoints(solving->body, given->data) : NULL;
    if (given != NULL && weights == NULL)
        return qvError_OutOfMemory(error, (double)solving->body->mesh->pointCount * sizeof(*weights));
    qvSecondaryDef secondary = SecondaryDef(solving, base, weights);
    qvWaveLayerDef def = qvDefaultWaveLayerDef();
    def.base = *base;
    qvWaveEvent* events = NULL;
    qvSecondaryReport report;
    qvWaveHold hold;
    qvResult result = qvMakeWaveHold(solving, &hold, error);
    if (result == qv_ok)
        result = qvCreateSecondaryEvents(&secondary, solving->job, &events, &def.eventCount, &report, error);
    if (result == qv_ok)
    {
        def.events = events;
        result = KeepGenerated(waves, events, def.eventCount, error);
        // What the weights leave out stays still even when a wave from elsewhere comes by.
        for (int i = 0; result == qv_ok && i < def.eventCount; i++)
            result = qvWaveHold_Mask(&hold, events[i].time, weights, &events[i].mask, error);
        if (result == qv_ok)
            result = MakeLayer(solving, &def, waves, error);
        if (result == qv_badInput)
            qvError_Prefix(error,
                           "secondary: choose a larger speed or radius or a smaller amount, or scale the mesh, which "
                           "is %g units across",
                           solving->body->diagonal);
        free(events);
    }
    qvFreeWaveHold(&hold);
    free(weights);
    return result;
}

// --- The stage -----------------------------------------------------------------------------------------------------

static bool HasEdited(const qvScene* scene)
{
    bool found = scene->eventCount > 0;
    for (int i = 0; i < scene->keyCount; i++)
        found = found || scene->keys[i]->interp == qv_interpWave || scene->keys[i]->ripple;
    return found;
}

static uint64_t HashEdited(const qvSolving* solving, uint64_t hash)
{
    const qvScene* scene = solving->scene;
    for (int i = 0; i < scene->eventCount; i++)
        hash = HashEvent(scene->events[i], hash);
    for (int i = 0; i < scene->keyCount; i++)
    {
        const qvSceneKey* key = scene->keys[i];
        double numbers[] = { key->interp, key->ripple, key->waveAmount, key->waveSpeed };
        hash = qvHash_Combine(qvHash(numbers, sizeof(numbers), hash), solving->take->poses[i]->hash);
    }
    return qvHash_Combine(hash, qv_wavesEdited);
}

static uint64_t HashSecondary(const qvSolving* solving, uint64_t hash)
{
    const qvSceneSecondary* s = &solving->scene->secondary;
    double numbers[] = { s->amount, s->threshold, s->radius, s->speed, s->max, s->rate };
    hash = HashBlob(solving->scene->weights, qvHash(numbers, sizeof(numbers), hash));
    return qvHash_Combine(hash, qv_wavesSecondary);
}

typedef qvResult MakeFcn(qvSolving* solving, qvTakeWaves* waves, const qvBaseMotion* base, qvError* error);

static qvResult FindWaves(qvSolving* solving, int kind, uint64_t hash, MakeFcn* make, qvError* error)
{
    qvTake* take = solving->take;
    qvStageCache* cache = &solving->pipeline->caches[qv_stageWaves];
    qvStaged** stage = &take->waveStages[kind];
    *stage = qvStageCache_Find(cache, hash);
    if (*stage == NULL)
    {
        qvBaseMotion base;
        qvTakeWaves* waves = StartWaves(solving, &base, error);
        if (waves == NULL)
            return qv_outOfMemory;
        qvResult result = make(solving, waves, &base, error);
        if (result != qv_ok)
        {
            DestroyWaves(waves);
            return result;
        }
        const qvStagedDef def = { hash, waves, DestroyWaves, 0.0, solving->space != NULL ? solving->space->hash : 0 };
        result = qvStageCache_Add(cache, &def, stage, error);
        if (result != qv_ok)
            return result;
    }
    take->waves[kind] = (*stage)->object;
    return qv_ok;
}

qvResult qvSolving_Waves(qvSolving* solving, qvError* error)
{
    const qvScene* scene = solving->scene;
    uint64_t hash = HashBase(solving);
    qvResult result = qv_ok;
    if (HasEdited(scene))
        result = FindWaves(solving, qv_wavesEdited, HashEdited(solving, hash), MakeEdited, error);
    if (result == qv_ok && scene->secondary.enabled)
        result = FindWaves(solving, qv_wavesSecondary, HashSecondary(solving, hash), MakeSecondary, error);
    return result;
}
