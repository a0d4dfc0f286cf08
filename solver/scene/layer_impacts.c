// SPDX-License-Identifier: GPL-3.0-or-later
// The layer of impact waves: each knock that a simulation reports squeezes the body along the way it came, as the waves
// of colliding bodies in F. de Goes and D. L. James, "Dynamic Kelvinlets", 2018. How much is the strain of a blow, its
// speed over that of the wave.
#include "base/hash.h"
#include "base/memory.h"
#include "math/affine.h"
#include "scene/body.h"
#include "scene/fields.h"
#include "scene/wave_hold.h"
#include "scene/wave_layers.h"
#include "waves/layer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_WAVES = 200 // the strongest
};

static const double SPEED = 3.0;       // m/s, of the shear wave, as that of events
static const double MOST_STRAIN = 0.5; // that waves come near to
static const double QUIET = 0.15;      // s in which knocks at one place are one
static const double LIFE = 4.0 / 3.0;  // of the time that a wave takes through the body: then it has faded out

// A knock, and how much of it shows.
typedef struct Knock
{
    qvImpact impact;
    double amount; // of the simulation's field
} Knock;

typedef struct Knocks
{
    QV_ARRAY(Knock) list;
} Knocks;

static qvVec3 PlaceOf(const qvBody* body, const Knock* knock)
{
    return qvVec3_FromFloat(body->rest[knock->impact.point]);
}

// Into the list, in the order of time; a weaker one at the same place soon after another is the same knock.
static bool Take(Knocks* knocks, const qvBody* body, const Knock* knock)
{
    double reach = QV_DEFAULT_RADIUS * body->diagonal;
    for (int i = knocks->list.count - 1; i >= 0; i--)
    {
        Knock* other = &knocks->list.items[i];
        if (knock->impact.time - other->impact.time > QUIET)
            break;
        if (qvDistance(PlaceOf(body, knock), PlaceOf(body, other)) > reach)
            continue;
        other->impact.speed = fmax(other->impact.speed, knock->impact.speed);
        return true;
    }
    return QV_PUSH(knocks->list, *knock);
}

static qvResult TakeAll(const qvSolving* solving, const qvStepped* stepped, Knocks* knocks, qvError* error)
{
    double amount = qvStepped_ImpactWaves(stepped);
    double change = qvTake_ChangesFrom(solving->take); // from then on no wave shows
    qvImpact* impacts;
    int count;
    qvResult result = qvStepped_Impacts(stepped, fmin(solving->known, change), &impacts, &count, error);
    for (int i = 0; result == qv_ok && i < count; i++)
    {
        if (!Take(knocks, solving->body, &(Knock){ impacts[i], amount }))
            result = qvError_OutOfMemory(error, sizeof(Knock));
    }
    free(impacts);
    return result;
}

static int BySpeed(const void* a, const void* b)
{
    const Knock *x = a, *y = b;
    double p = x->amount * x->impact.speed, q = y->amount * y->impact.speed;
    if (p != q)
        return p > q ? -1 : 1;
    if (x->impact.time != y->impact.time)
        return x->impact.time < y->impact.time ? -1 : 1;
    return x->impact.point - y->impact.point;
}

// The body's rigid frame at a time, in which directions of waves are given.
typedef struct Framing
{
    const qvBaseMotion* below;
    double *rest, *masses, *coordinates;
    qvVec3f* points;
    void* scratch;
} Framing;

static void FreeFraming(Framing* framing)
{
    free(framing->rest);
    free(framing->masses);
    free(framing->coordinates);
    free(framing->points);
    free(framing->scratch);
}

static qvResult MakeFraming(const qvBody* body, const qvBaseMotion* below, Framing* framing, qvError* error)
{
    size_t n = (size_t)body->mesh->pointCount;
    *framing = (Framing){ below,
                          qvAllocate(n, 3 * sizeof(double)),
                          qvAllocate(n, sizeof(double)),
                          qvAllocate(n, 3 * sizeof(double)),
                          qvAllocate(n, sizeof(qvVec3f)),
                          qvAllocate(below->scratchSize + 1, 1) };
    if (framing->rest == NULL || framing->masses == NULL || framing->coordinates == NULL || framing->points == NULL ||
        framing->scratch == NULL)
        return qvError_OutOfMemory(error, 80.0 * (double)n);
    qvComputeMasses(body->topology, body->rest, framing->masses);
    for (size_t i = 0; i < 3 * n; i++)
        framing->rest[i] = (&body->rest[i / 3].x)[i % 3];
    return qv_ok;
}

static qvAffine FrameAt(const Framing* framing, double time)
{
    const qvBaseMotion* below = framing->below;
    if (below->frame != NULL)
        return below->frame(below->context, time);
    below->points(below->context, time, framing->scratch, NULL, framing->points);
    return qvFitFrame(below->pointCount, framing->masses, framing->rest, framing->points, framing->coordinates);
}

static qvWaveEvent MakeEvent(const qvSolving* solving, const Framing* framing, const Knock* knock)
{
    const qvBody* body = solving->body;
    qvAffine frame = FrameAt(framing, knock->impact.time);
    qvWaveEvent event = qvDefaultWaveEvent(body->diagonal);
    double speed = SPEED / solving->scene->unit, strain = knock->amount * knock->impact.speed / speed;
    event.independent = true;
    event.def.time = knock->impact.time;
    event.def.vertex = knock->impact.point;
    event.def.speed = speed;
    event.def.stroke.brush = qvFindBrush("pinch");
    event.def.stroke.at = PlaceOf(body, knock);
    event.def.stroke.axis = qvAffine_TransposedVector(&frame, knock->impact.normal);
    event.def.stroke.amount = -MOST_STRAIN * (1.0 - exp(-strain / MOST_STRAIN));
    event.def.until = event.def.time + LIFE * (body->diagonal + 2.0 * event.def.stroke.radius) / speed;
    event.label = "an impact";
    return event;
}

static qvResult MakeEvents(const qvSolving* solving, const qvBaseMotion* below, Knocks* knocks, qvWaveHold* hold,
                           qvWaveEvent** events, int* count, qvError* error)
{
    Framing framing;
    int n = knocks->list.count;
    *count = n < MOST_WAVES ? n : MOST_WAVES;
    if (n > MOST_WAVES)
        qsort(knocks->list.items, (size_t)n, sizeof(Knock), BySpeed);
    *events = qvAllocate((size_t)*count, sizeof(**events));
    qvResult result = MakeFraming(solving->body, below, &framing, error);
    if (result == qv_ok && *events == NULL)
        result = qvError_OutOfMemory(error, (double)*count * sizeof(**events));
    for (int i = 0; result == qv_ok && i < *count; i++)
    {
        (*events)[i] = MakeEvent(solving, &framing, &knocks->list.items[i]);
        result = qvWaveHold_Mask(hold, (*events)[i].def.time, NULL, &(*events)[i].mask, error);
    }
    FreeFraming(&framing);
    return result;
}

static qvResult Build(qvSolving* solving, int index, const qvBaseMotion* below, uint64_t hash, void** object,
                      qvError* error)
{
    (void)index, (void)hash;
    if (isfinite(solving->known))
        qvSolving_Miss(solving, solving->known);
    Knocks knocks = { 0 };
    qvWaveLayerDef def = qvDefaultWaveLayerDef();
    qvWaveEvent* events = NULL;
    qvWaveHold hold;
    def.base = *below;
    qvResult result = qvMakeWaveHold(solving, &hold, error);
    for (int i = 0; result == qv_ok && i < solving->take->layers.count; i++)
    {
        const qvLayer* layer = solving->take->layers.items[i]->object;
        if (layer->kind->steps != NULL)
            result = TakeAll(solving, layer->kind->steps(layer->object), &knocks, error);
    }
    if (result == qv_ok)
        result = MakeEvents(solving, below, &knocks, &hold, &events, &def.eventCount, error);
    def.events = events;
    if (result == qv_ok)
        result = qvMakeTakeWaves(solving, &def, (qvTakeWaves**)object, error);
    qvFreeWaveHold(&hold);
    free(events);
    free(knocks.list.items);
    return result;
}

static int CountIn(const qvSolving* solving)
{
    const qvScene* scene = solving->scene;
    bool found = false;
    for (int i = 0; i < scene->simulationCount; i++)
    {
        const qvSceneSimulation* simulation = scene->simulations[i];
        const qvEngine* engine = simulation->mute ? NULL : qvFindEngine(simulation->engine);
        found = found || (engine != NULL && engine->impacts != NULL && simulation->def.impacts > 0.0);
    }
    return found;
}

static qvResult Check(qvSolving* solving, int index, uint64_t* hash, qvError* error)
{
    (void)index, (void)error;
    *hash = qvHashWaveScene(solving->scene, *hash); // which has those of the simulations
    return qv_ok;
}

const qvLayerKind qvImpactsLayer = {
    .tag = "impacts",
    .label = "Impact waves",
    .help = "Waves that knocks against obstacles send through simulated bodies.",
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
