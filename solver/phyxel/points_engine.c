// SPDX-License-Identifier: GPL-3.0-or-later
// The simulation engine "points": bodies of phyxels (M. Mueller et al., "Point based animation of elastic, plastic and
// melting objects", 2004) as spans on the timeline. Here bodies are made and stepped; points_draw.c draws them.
#include "phyxel/points_model.h"

#include "base/memory.h"
#include "phyxel/calibrate.h"
#include "phyxel/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    USUAL_DETAIL = 1000, // phyxels
};

static const double DENSITY = 1000.0;     // kg/m^3; what counts is the frequency
static const double USUAL_POISSON = 0.4;  // where the simulation does not say
static const double JUMP = 0.25;          // spacings; see qvGuide_Open
static const double MOST_POISSON = 0.499; // beyond it the volume is infinitely stiff

static int PointCount(const qvPointsModel* model)
{
    return model->input->mesh->pointCount;
}

// What has been drawn and heard of phyxels, behind their numbers in a state; see points_model.h.
static size_t HistorySize(const qvPointsModel* model)
{
    return ((size_t)model->body->count * 5 + qv_setPlace) * sizeof(double);
}

static size_t StateSize(const void* object)
{
    const qvPointsModel* model = object;
    return model->numberCount * sizeof(double) + HistorySize(model);
}

// --- What it takes over --------------------------------------------------------------------------------------------

static qvResult MakeBody(qvPointsModel* model, const qvVec3* shape, const qvJob* job, qvError* error)
{
    const qvEngineInput* input = model->input;
    qvPhyxelSampling sampling = { .pointCount = PointCount(model),
                                  .points = shape,
                                  .triangleCount = input->topology->triangleCount,
                                  .triangles = input->topology->triangles,
                                  .count = input->def.detail > 0 ? input->def.detail : USUAL_DETAIL,
                                  .density = DENSITY };
    qvResult result = qvSamplePhyxelBody(&sampling, job, &model->body, error);
    if (result != qv_ok)
        return result;
    size_t count = (size_t)model->body->count;
    model->start.at = qvAllocate(count, sizeof(qvVec3));
    model->start.velocity = qvAllocate(count, sizeof(qvVec3));
    if (model->start.at == NULL || model->start.velocity == NULL)
        return qvError_OutOfMemory(error, 48.0 * (double)count);
    qvPhyxelCarriers carriers = { model->body->count, model->body->points, model->body->reference.part,
                                  model->body->spacing };
    result = qvCreatePhyxelSurface(&carriers, PointCount(model), shape, &model->surface, error);
    double* areas = qvAllocate((size_t)PointCount(model), sizeof(*areas));
    if (result == qv_ok && areas == NULL)
        result = qvError_OutOfMemory(error, 8.0 * PointCount(model));
    if (result == qv_ok)
    {
        qvComputeMasses(input->topology, input->rest, areas);
        // A point whose triangles have no area still counts a little.
        for (int i = 0; i < PointCount(model); i++)
            areas[i] = fmax(areas[i], 1e-12 * input->diagonal * input->diagonal);
        result = qvCreatePhyxelPose(model->body->count, model->body->points, model->body->spacing, PointCount(model),
                                    shape, areas, job, &model->pose, error);
    }
    free(areas);
    return result;
}

// A curve with knots of its own, or a number as one of a single knot. Returns how many.
static int CopyCurve(const qvCurve* given, double number, double (*knots)[2], qvCurve* curve)
{
    const double constant[1][2] = { { 0.0, number } };
    *curve = (qvCurve){ (const double(*)[2])knots, given->count > 0 ? given->count : 1 };
    memcpy(knots, given->count > 0 ? given->knots : constant, (size_t)curve->count * sizeof(*knots));
    return curve->count;
}

static qvResult CopyCurves(qvPointsModel* model, qvError* error)
{
    const qvSimulationDef* def = &model->input->def;
    int count = def->wobbleCurve.count + def->meltCurve.count + def->dentCurve.count + 3;
    model->knots = qvAllocate((size_t)count, sizeof(*model->knots));
    if (model->knots == NULL)
        return qvError_OutOfMemory(error, 16.0 * count);
    int used = CopyCurve(&def->wobbleCurve, def->wobble, model->knots, &model->terms.wobble);
    used += CopyCurve(&def->meltCurve, def->melt, model->knots + used, &model->terms.melt);
    CopyCurve(&def->dentCurve, def->dent, model->knots + used, &model->terms.dent);
    return qv_ok;
}

// What an artist says, calibrated on the cloud itself.
static qvResult MakeTerms(qvPointsModel* model, const qvJob* job, qvError* error)
{
    const qvSimulationDef* def = &model->input->def;
    double poisson = isnan(def->poisson) ? USUAL_POISSON : fmin(def->poisson, MOST_POISSON), frequency;
    qvResult result = qvPhyxelBody_Frequencies(model->body, poisson, 1, job, &frequency, error);
    if (result != qv_ok)
        return result;
    model->terms = qvDefaultPhyxelTerms();
    model->terms.settle = def->settle;
    model->terms.poisson = poisson;
    model->terms.youngPerHz2 = 1.0 / (frequency * frequency);
    model->terms.gravity = def->gravity;
    model->terms.follow = def->follow;
    model->terms.stick = 0.5 * def->friction;
    model->terms.forgetsStress = def->relax;
    result = CopyCurves(model, error);
    return result == qv_ok ? qvPhyxelTerms_Check(&model->terms, error) : result;
}

// From the pose that the motion below has at the start. What phyxels cannot show of it the surface keeps.
static qvResult TakeOver(qvPointsModel* model, const qvMoving* points, qvError* error)
{
    qvPhyxelPose_Apply(model->pose, points->at, model->start.at);
    qvPhyxelPose_Apply(model->pose, points->velocity, model->start.velocity);
    qvPhyxelState* state;
    qvMat3* gradients = qvAllocate((size_t)model->body->count, sizeof(*gradients));
    qvResult result = qvCreatePhyxelState(model->body, model->start.at, NULL, &state, error);
    if (result == qv_ok && gradients == NULL)
        result = qvError_OutOfMemory(error, 72.0 * model->body->count);
    if (result == qv_ok)
    {
        model->numberCount = qvPhyxelState_NumberCount(state);
        qvPhyxelState_Deformation(state, gradients);
        result = qvPhyxelSurface_StartFrom(model->surface, model->start.at, gradients, points->at, error);
    }
    qvDestroyPhyxelState(state);
    free(gradients);
    return result;
}

// Most of it is inside of obstacles: their ways out may tear it apart.
static qvResult LookAround(qvPointsModel* model, qvError* error)
{
    const qvObstacles* obstacles = model->input->obstacles;
    int count = obstacles != NULL ? qvObstacles_Count(obstacles) : 0, inside = 0;
    qvObstaclePlace* places = qvAllocate((size_t)count, sizeof(*places));
    if (places == NULL)
        return qvError_OutOfMemory(error, (double)count * sizeof(*places));
    if (count > 0)
        qvObstacles_Place(obstacles, model->input->def.time, places);
    for (int i = 0; count > 0 && i < model->body->count; i++)
        inside += qvObstacles_Nearest(obstacles, places, model->start.at[i]).distance < 0.0;
    model->startsInside = 2 * inside > model->body->count;
    free(places);
    return qv_ok;
}

static void Destroy(void* object)
{
    qvPointsModel* model = object;
    qvDestroyPhyxelPins(model->pins);
    qvDestroyFlowSurface(model->flow);
    qvDestroySetShapes(model->shapes);
    if (!model->isBorrowed)
    {
        qvDestroyPhyxelSurface(model->surface);
        qvDestroyPhyxelPose(model->pose);
        qvDestroyPhyxelBody(model->body);
        free(model->shape);
    }
    free(model->start.at);
    free(model->start.velocity);
    free(model->startNumbers);
    free(model->knots);
    free(model->nearest);
    free(model);
}

// The body of the span before goes on as it is.
static qvResult GoOn(qvPointsModel* model, const qvJob* job, qvError* error)
{
    const qvPointsModel* before = model->input->before;
    model->isBorrowed = true;
    model->body = before->body, model->surface = before->surface, model->pose = before->pose;
    model->shape = before->shape;
    model->numberCount = before->numberCount;
    model->startNumbers = qvAllocate(1, StateSize(model));
    if (model->startNumbers == NULL)
        return qvError_OutOfMemory(error, (double)StateSize(model));
    memcpy(model->startNumbers, model->input->beforeState, StateSize(model));
    double* touched = model->startNumbers + model->numberCount + qv_setPlace + 4 * model->body->count;
    for (int i = 0; i < model->body->count; i++)
        touched[i] -= model->startNumbers[0]; // the clock begins anew
    qvPhyxelNumbers_SetTime(model->startNumbers, 0.0);
    return MakeTerms(model, job, error);
}

// The body is let go from the motion below.
static qvResult LetGo(qvPointsModel* model, const qvJob* job, qvError* error)
{
    const qvEngineInput* input = model->input;
    size_t n = (size_t)PointCount(model);
    qvBelow below = { 0 };
    qvMoving points = { .at = qvAllocate(2 * n, sizeof(qvVec3)) };
    model->shape = qvAllocate(n, sizeof(qvVec3));
    qvResult result = qv_ok;
    if (points.at == NULL || model->shape == NULL || !qvBelow_Open(&below, input))
        result = qvError_OutOfMemory(error, 108.0 * (double)n);
    else
    {
        points.velocity = points.at + n;
        qvBelow_Moving(&below, input->def.time, &points);
        for (size_t i = 0; i < n; i++)
            model->shape[i] = input->def.fromPose ? points.at[i] : qvVec3_FromFloat(input->rest[i]);
        result = MakeBody(model, model->shape, job, error);
    }
    if (result == qv_ok)
        result = qvJob_Ask(job, error);
    if (result == qv_ok)
        result = MakeTerms(model, job, error);
    if (result == qv_ok)
        result = TakeOver(model, &points, error);
    if (result == qv_ok)
        result = LookAround(model, error);
    qvBelow_Close(&below);
    free(points.at);
    return result;
}

// Only what has melted tears.
static double ChangesFrom(const void* object)
{
    const qvPointsModel* model = object;
    const qvCurve* melt = &model->terms.melt;
    double start = model->input->def.time, length = model->input->def.until - start;
    if (model->flow == NULL)
        return INFINITY;
    if (model->isTorn || qvPhyxelCurve_At(melt, 0.0) > 0.0)
        return start;
    for (int k = 0; k + 1 < melt->count; k++)
    {
        if (melt->knots[k + 1][1] > 0.0 && melt->knots[k + 1][0] > 0.0 && melt->knots[k][0] < length)
            return start + fmax(melt->knots[k][0], 0.0);
    }
    return INFINITY;
}

static bool Melts(const qvPointsModel* model)
{
    bool melts = false;
    for (int k = 0; k < model->terms.melt.count; k++)
        melts = melts || model->terms.melt.knots[k][1] > 0.0;
    return melts;
}

static qvResult Fill(qvPointsModel* model, const qvJob* job, qvError* error)
{
    const qvEngineInput* input = model->input;
    qvResult result = input->before != NULL ? GoOn(model, job, error) : LetGo(model, job, error);
    if (result == qv_ok)
        result = qvCreatePhyxelPins(input->pins, input->pinCount, input->def.time, model->body, model->shape,
                                    PointCount(model), &model->pins, error);
    const qvPointsModel* before = input->before;
    bool mayTear = input->def.flow || (before != NULL && before->flow != NULL);
    bool maySet = Melts(model) || (before != NULL && before->shapes != NULL);
    if (result == qv_ok && input->def.impacts > 0.0)
        result = qvPoints_FindNearest(model, error);
    model->isTorn = before != NULL && ChangesFrom(before) < input->def.time;
    if (result == qv_ok && mayTear)
        result = qvCreateFlowSurface(model->body, input->mesh, model->shape, &model->flow, error);
    return result == qv_ok && maySet ? qvCreateSetShapes(&model->shapes, error) : result;
}

static qvResult Create(const qvEngineInput* input, const qvJob* job, void** out, qvError* error)
{
    qvPointsModel* model = qvAllocate(1, sizeof(*model));
    if (model == NULL)
        return qvError_OutOfMemory(error, sizeof(*model));
    model->input = input;
    qvResult result = Fill(model, job, error);
    if (result == qv_ok)
        *out = model;
    else
        Destroy(model);
    return result;
}

// --- Runs ----------------------------------------------------------------------------------------------------------

typedef struct Run
{
    const qvPointsModel* model;
    qvPhyxelState* state;
    qvPhyxelScene scene;
    qvBelow below;
    qvMoving points; // room for it
    qvGuide guide;   // of the phyxels in it
    qvVec3* room;    // a vector for each phyxel
    double *tears, *set, *touched;
    qvPhyxelKnock* knocks; // NULL: nobody asks
    double* flowed;        // room for a number for each phyxel
} Run;

static void FindMoving(void* context, double time, const qvMoving* phyxels)
{
    const Run* run = context;
    qvBelow_Moving(&run->below, time, &run->points);
    qvPhyxelPose_Apply(run->model->pose, run->points.at, phyxels->at);
    qvPhyxelPose_Apply(run->model->pose, run->points.velocity, phyxels->velocity);
}

static void Guide(void* context, double time, qvVec3* points, qvVec3* velocities)
{
    Run* run = context;
    qvGuide_At(&run->guide, time, &(qvMoving){ points, velocities });
}

static void End(void* object)
{
    Run* run = object;
    qvDestroyPhyxelState(run->state);
    qvBelow_Close(&run->below);
    qvGuide_Close(&run->guide);
    free(run->points.at);
    free(run->room);
    free(run->tears);
    free(run->flowed);
    free(run->knocks);
    free(run);
}

static bool MakeRoom(Run* run)
{
    const qvPointsModel* model = run->model;
    size_t points = (size_t)PointCount(model);
    run->points.at = qvAllocate(2 * points, sizeof(qvVec3));
    run->room = qvAllocate((size_t)model->body->count, sizeof(qvVec3));
    run->tears = qvAllocate(1, HistorySize(model));
    run->flowed = qvAllocate((size_t)model->body->count, sizeof(double));
    if (run->points.at == NULL || run->room == NULL || run->tears == NULL || run->flowed == NULL)
        return false;
    run->set = run->tears + model->body->count;
    run->touched = run->set + qv_setPlace + 3 * model->body->count;
    for (int i = 0; i < model->body->count; i++)
        run->touched[i] = -INFINITY;
    if (model->input->def.impacts > 0.0)
    {
        run->knocks = run->scene.knocks = qvAllocate((size_t)model->body->count, sizeof(*run->knocks));
        if (run->knocks == NULL)
            return false;
    }
    run->points.velocity = run->points.at + points;
    return qvBelow_Open(&run->below, model->input) &&
           qvGuide_Open(&run->guide, model->body->count, model->input->def.time, JUMP * model->body->spacing,
                        FindMoving, run);
}

// Where the body tears while it is liquid, and its shape in the moment when it is solid again.
static qvResult Observe(Run* run, qvError* error)
{
    const qvPointsModel* model = run->model;
    double clock = qvPhyxelState_Time(run->state);
    bool isLiquid = qvPhyxelCurve_At(&model->terms.melt, clock) > 0.0;
    bool isSetting = !isLiquid && run->set[0] < 0.0;
    qvPhyxelState_Points(run->state, run->room);
    if (isLiquid)
        run->set[0] = -1.0;
    if (isSetting)
    {
        run->set[0] = 1.0;
        run->set[1] = model->input->def.time + clock;
        memcpy(run->set + qv_setPlace, run->room, (size_t)model->body->count * sizeof(qvVec3));
    }
    bool mayTear = model->flow != NULL && run->set[0] <= 0.0;
    return mayTear ? qvFlowSurface_Tear(model->flow, run->room, run->tears, error) : qv_ok;
}

static qvResult Load(void* object, const void* bytes, qvError* error)
{
    Run* run = object;
    memcpy(run->tears, (const double*)bytes + run->model->numberCount, HistorySize(run->model));
    return qvPhyxelState_Load(run->state, bytes, error);
}

static void* Begin(const void* object)
{
    const qvPointsModel* model = object;
    Run* run = qvAllocate(1, sizeof(*run));
    if (run == NULL)
        return NULL;
    run->model = model;
    run->scene = (qvPhyxelScene){ .terms = &model->terms,
                                  .start = model->input->def.time,
                                  .obstacles = model->input->obstacles,
                                  .guide = Guide,
                                  .isImplicit = model->input->def.implicit,
                                  .context = run };
    run->scene.holdCount = qvPhyxelPins_Holds(model->pins, &run->scene.holds);
    qvError ignored;
    qvResult result = qvCreatePhyxelState(model->body, model->start.at, model->start.velocity, &run->state, &ignored);
    if (result == qv_ok && !MakeRoom(run))
        result = qvError_OutOfMemory(&ignored, 0.0);
    if (result == qv_ok && model->startNumbers != NULL)
        result = Load(run, model->startNumbers, &ignored);
    if (result == qv_ok)
        result = Observe(run, &ignored);
    if (result == qv_ok)
        return run;
    End(run);
    return NULL;
}

// Only what touches now is heard.
static void Listen(const Run* run, bool isOver)
{
    for (int i = 0; run->knocks != NULL && i < run->model->body->count; i++)
    {
        if (isOver)
            run->touched[i] = run->knocks[i].touched;
        else
            run->knocks[i] = (qvPhyxelKnock){ .touched = run->touched[i] };
    }
}

static qvResult Step(void* object, double seconds, const qvJob* job, qvError* error)
{
    Run* run = object;
    Listen(run, false);
    qvResult result = qvPhyxelState_Advance(run->state, &run->scene, seconds, qvJob_Pool(job), error);
    Listen(run, true);
    if (result == qv_notConverged && run->model->startsInside)
        return qvError_Set(
            error, qv_notConverged,
            "the body starts inside of obstacles and came apart at %.3f s: move it or them, or mute them",
            qvPhyxelState_Time(run->state));
    return result == qv_ok ? Observe(run, error) : result;
}

static int ValueCount(const void* model)
{
    return qvPointsModel_Frame(model).count;
}

static void Copy(const qvVec3* from, int count, float* to)
{
    for (int i = 0; i < count; i++)
        to[3 * i] = (float)from[i].x, to[3 * i + 1] = (float)from[i].y, to[3 * i + 2] = (float)from[i].z;
}

// What has been drawn does not change between frames but by steps.
static void Sample(void* object, float* values, float* rates)
{
    Run* run = object;
    int n = run->model->body->count;
    qvPointsFrame frame = qvPointsModel_Frame(run->model);
    qvPhyxelState_Points(run->state, run->room);
    Copy(run->room, n, values);
    qvPhyxelState_Velocities(run->state, run->room);
    Copy(run->room, n, rates);
    qvPhyxelState_Flowed(run->state, run->flowed);
    for (int i = 0; frame.flowed > 0 && i < n; i++)
        values[frame.flowed + i] = (float)run->flowed[i];
    for (int i = 0; frame.tears > 0 && i < n; i++)
        values[frame.tears + i] = (float)run->tears[i];
    for (int i = 0; frame.set > 0 && i < qv_setPlace + 3 * n; i++)
        values[frame.set + i] = run->set[0] > 0.0 ? (float)run->set[i] : 0.0f;
    if (frame.impacts > 0)
        qvPoints_SampleImpacts(run->model, run->state, run->knocks, values + frame.impacts);
    for (int i = 3 * n; i < frame.count; i++)
        rates[i] = 0.0f;
}

static void Save(const void* object, void* bytes)
{
    const Run* run = object;
    qvPhyxelState_Save(run->state, bytes);
    memcpy((double*)bytes + run->model->numberCount, run->tears, HistorySize(run->model));
}

static int PhyxelCount(const void* model)
{
    return ((const qvPointsModel*)model)->body->count;
}

// Of a ball with the volume of a phyxel.
static double PhyxelRadius(const void* model)
{
    return ((const qvPointsModel*)model)->body->spacing * cbrt(0.75 / QV_PI);
}

static const qvChannel channels[qv_channelCount] = {
    [qv_channelStretch] = { "stretch",
                            "Stretch",
                            "%",
                            "How much longer or shorter the material is than at rest, in its most changed direction",
                            { 0.0, 100.0 },
                            false },
    [qv_channelPlastic] = { "plastic",
                            "Plastic strain",
                            "%",
                            "How much strain has flowed away for good, all in all: where dents stay and what has "
                            "melted",
                            { 0.0, 100.0 },
                            false },
    [qv_channelMelt] = { "melt", "Melt", "%", "How liquid the material is", { 0.0, 100.0 }, false },
};

const qvEngine qvPointsEngine = {
    .tag = "points",
    .label = "Points",
    .help = "soft bodies that wobble, keep dents, tear and melt.",
    .version = 10,
    .create = Create,
    .destroy = Destroy,
    .valueCount = ValueCount,
    .stateSize = StateSize,
    .begin = Begin,
    .end = End,
    .step = Step,
    .sample = Sample,
    .save = Save,
    .load = Load,
    .scratchSize = qvPoints_ScratchSize,
    .points = qvPoints_Draw,
    .extract = qvPoints_Extract,
    .changesFrom = ChangesFrom,
    .impacts = qvPoints_Impacts,
    .channelCount = qv_channelCount,
    .channels = channels,
    .shownCount = PhyxelCount,
    .shownRadius = PhyxelRadius,
    .show = qvPoints_Show,
};
