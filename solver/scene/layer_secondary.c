// SPDX-License-Identifier: GPL-3.0-or-later
// The layer of secondary motion: waves that answer what lies below.
#include "base/hash.h"
#include "base/memory.h"
#include "scene/body.h"
#include "scene/fields.h"
#include "scene/wave_hold.h"
#include "scene/wave_layers.h"

#include <math.h>
#include <stdlib.h>

static qvResult KeepGenerated(qvTakeWaves* waves, const qvWaveEvent* events, int count, double unit, const qvMesh* mesh,
                              qvError* error)
{
    waves->events = qvAllocate((size_t)count, sizeof(*waves->events));
    if (waves->events == NULL)
        return qvError_OutOfMemory(error, (double)count * sizeof(*waves->events));
    waves->eventCount = count;
    for (int i = 0; i < count; i++)
    {
        waves->events[i] = (qvSceneEvent){ .def = events[i].def };
        waves->events[i].def.speed = events[i].def.speed * unit; // m/s, as in scenes
        int point = events[i].def.vertex;
        waves->events[i].def.vertex = point >= 0 ? mesh->pointVertex[point] : -1;
    }
    return qv_ok;
}

static qvSecondaryDef SecondaryDef(const qvSolving* solving, const qvBaseMotion* base, const float* weights)
{
    double range[2];
    qvScene_Range(solving->scene, range);
    qvSecondaryDef def = qvDefaultSecondaryDef();
    def.terms = solving->scene->secondary.terms;
    def.terms.speed /= solving->scene->unit;
    def.topology = solving->body->topology, def.rest = solving->body->rest, def.base = *base, def.weights = weights;
    double change = qvTake_ChangesFrom(solving->take);
    def.begin = range[0];
    def.end = change > range[0] ? fmin(change, range[1]) : range[1];
    def.loop = solving->scene->loop;
    if (solving->known < def.end) // a sample looks at the motion on both sides
        def.end = fmax(solving->known - 1.0 / def.terms.rate, range[0]), def.loop = false;
    return def;
}

static qvResult Build(qvSolving* solving, int index, const qvBaseMotion* below, uint64_t hash, void** object,
                      qvError* error)
{
    (void)index, (void)hash;
    if (isfinite(solving->known))
        qvSolving_Miss(solving, solving->known);
    const qvBlob* given = solving->scene->weights;
    float* weights = given != NULL ? qvMaskOfPoints(solving->body, given->data) : NULL;
    if (given != NULL && weights == NULL)
        return qvError_OutOfMemory(error, (double)solving->body->mesh->pointCount * sizeof(*weights));
    qvSecondaryDef secondary = SecondaryDef(solving, below, weights);
    qvWaveLayerDef def = qvDefaultWaveLayerDef();
    def.base = *below;
    qvWaveEvent* events = NULL;
    qvSecondaryReport report;
    qvWaveHold hold;
    qvResult result = qvMakeWaveHold(solving, &hold, error);
    if (result == qv_ok)
        result = qvCreateSecondaryEvents(&secondary, solving->job, &events, &def.eventCount, &report, error);
    if (result == qv_ok)
    {
        def.events = events;
        // What the weights leave out stays still even when a wave from elsewhere comes by.
        for (int i = 0; result == qv_ok && i < def.eventCount; i++)
            result = qvWaveHold_Mask(&hold, events[i].def.time, weights, &events[i].mask, error);
        if (result == qv_ok)
            result = qvMakeTakeWaves(solving, &def, (qvTakeWaves**)object, error);
        if (result == qv_ok)
            result = KeepGenerated(*object, events, def.eventCount, solving->scene->unit, solving->body->mesh, error);
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

static int CountIn(const qvSolving* solving)
{
    return solving->scene->secondary.enabled;
}

static qvResult Check(qvSolving* solving, int index, uint64_t* hash, qvError* error)
{
    (void)index;
    (void)error;
    const qvScene* scene = solving->scene;
    *hash = qvHashInputs(qv_objectSecondary, &scene->secondary, qv_stageWaves, qvHashWaveScene(scene, *hash));
    *hash = qvHashField(qv_objectScene, scene, "weights", *hash);
    return qv_ok;
}

const qvLayerKind qvSecondaryLayer = {
    .tag = "secondary",
    .label = "Secondary motion",
    .help = "Waves that the motion itself sets off.",
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
