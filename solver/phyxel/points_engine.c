// SPDX-License-Identifier: GPL-3.0-or-later
// The simulation engine "points": bodies of phyxels (M. Mueller et al., "Point based animation of elastic, plastic and
// melting objects", 2004) as spans on the timeline. A frame is the positions of the phyxels. The deformation since the
// span's start follows from them and from the neighbours at the start, and both carry the body's points (surface.h):
// what the material's own reference did in between, as it melts or keeps dents, does not matter to them.
#include "layer/engine.h"

#include "base/memory.h"
#include "layer/below.h"
#include "phyxel/calibrate.h"
#include "phyxel/engine.h"
#include "phyxel/flow_surface.h"
#include "phyxel/kernel.h"
#include "phyxel/pins.h"
#include "phyxel/pose.h"
#include "phyxel/sample.h"
#include "phyxel/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    USUAL_DETAIL = 1000, // phyxels
    PUSH_GRAIN = 1024,   // points
};

static const double DENSITY = 1000.0;     // kg/m^3; what counts is the frequency
static const double USUAL_POISSON = 0.4;  // where the simulation does not say
static const double JUMP = 0.25;          // spacings; see qvGuide_Open
static const double COMING_OUT = 0.1;     // s that the surface takes to come out of what it starts inside of
static const double MOST_OUT = 0.99;      // of the way out that vertices of torn bodies go
static const double MOST_POISSON = 0.499; // beyond it the volume is infinitely stiff

typedef struct Model
{
    const qvEngineInput* input;
    qvPhyxelBody* body;
    qvPhyxelSurface* surface;
    qvPhyxelPose* pose;
    qvPhyxelPins* pins;
    qvFlowSurface* flow;  // its own; NULL: its topology stays
    qvVec3* shape;        // of the body's points, to which it springs back
    bool isBorrowed;      // all of these but the pins are those of the span before
    qvMoving start;       // of the phyxels
    double* startNumbers; // the state that was taken over; NULL: none
    double (*knots)[2];   // of all curves
    qvPhyxelTerms terms;
    size_t numberCount; // of a state
} Model;

static int PointCount(const Model* model)
{
    return model->input->mesh->pointCount;
}

// --- What it takes over --------------------------------------------------------------------------------------------

static qvResult MakeBody(Model* model, const qvVec3* shape, const qvJob* job, qvError* error)
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
    result = qvCreatePhyxelSurface(model->body->count, model->body->points, model->body->spacing, PointCount(model),
                                   shape, &model->surface, error);
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
                                    shape, areas, &model->pose, error);
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

static qvResult CopyCurves(Model* model, qvError* error)
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
static qvResult MakeTerms(Model* model, const qvJob* job, qvError* error)
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
    result = CopyCurves(model, error);
    return result == qv_ok ? qvPhyxelTerms_Check(&model->terms, error) : result;
}

// From the pose that the motion below has at the start. What phyxels cannot show of it the surface keeps.
static qvResult TakeOver(Model* model, const qvMoving* points, qvError* error)
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

static void Destroy(void* object)
{
    Model* model = object;
    qvDestroyPhyxelPins(model->pins);
    qvDestroyFlowSurface(model->flow);
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
    free(model);
}

// The body of the span before goes on as it is.
static qvResult GoOn(Model* model, const qvJob* job, qvError* error)
{
    const Model* before = model->input->before;
    model->isBorrowed = true;
    model->body = before->body, model->surface = before->surface, model->pose = before->pose;
    model->shape = before->shape;
    model->numberCount = before->numberCount;
    model->startNumbers = qvAllocate(model->numberCount, sizeof(double));
    if (model->startNumbers == NULL)
        return qvError_OutOfMemory(error, 8.0 * (double)model->numberCount);
    memcpy(model->startNumbers, model->input->beforeState, model->numberCount * sizeof(double));
    qvPhyxelNumbers_SetTime(model->startNumbers, 0.0);
    return MakeTerms(model, job, error);
}

// The body is let go from the motion below.
static qvResult LetGo(Model* model, const qvJob* job, qvError* error)
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
        result = MakeTerms(model, job, error);
    if (result == qv_ok)
        result = TakeOver(model, &points, error);
    qvBelow_Close(&below);
    free(points.at);
    return result;
}

static qvResult Fill(Model* model, const qvJob* job, qvError* error)
{
    const qvEngineInput* input = model->input;
    qvResult result = input->before != NULL ? GoOn(model, job, error) : LetGo(model, job, error);
    if (result == qv_ok)
        result = qvCreatePhyxelPins(input->pins, input->pinCount, input->def.time, model->body, model->shape,
                                    PointCount(model), &model->pins, error);
    const Model* before = input->before;
    bool mayTear = input->def.flow || (before != NULL && before->flow != NULL);
    if (result == qv_ok && mayTear)
        result = qvCreateFlowSurface(model->body, input->mesh, model->shape, &model->flow, error);
    return result;
}

static qvResult Create(const qvEngineInput* input, const qvJob* job, void** out, qvError* error)
{
    Model* model = qvAllocate(1, sizeof(*model));
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
    const Model* model;
    qvPhyxelState* state;
    qvPhyxelScene scene;
    qvBelow below;
    qvMoving points; // room for it
    qvGuide guide;   // of the phyxels in it
    qvVec3* room;    // a vector for each phyxel
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
    free(run);
}

static bool MakeRoom(Run* run)
{
    const Model* model = run->model;
    size_t points = (size_t)PointCount(model);
    run->points.at = qvAllocate(2 * points, sizeof(qvVec3));
    run->room = qvAllocate((size_t)model->body->count, sizeof(qvVec3));
    if (run->points.at == NULL || run->room == NULL)
        return false;
    run->points.velocity = run->points.at + points;
    return qvBelow_Open(&run->below, model->input) &&
           qvGuide_Open(&run->guide, model->body->count, model->input->def.time, JUMP * model->body->spacing,
                        FindMoving, run);
}

static void* Begin(const void* object)
{
    const Model* model = object;
    Run* run = qvAllocate(1, sizeof(*run));
    if (run == NULL)
        return NULL;
    run->model = model;
    run->scene = (qvPhyxelScene){ .terms = &model->terms,
                                  .start = model->input->def.time,
                                  .obstacles = model->input->obstacles,
                                  .guide = Guide,
                                  .context = run };
    run->scene.holdCount = qvPhyxelPins_Holds(model->pins, &run->scene.holds);
    qvError ignored;
    qvResult result = qvCreatePhyxelState(model->body, model->start.at, model->start.velocity, &run->state, &ignored);
    if (result == qv_ok && model->startNumbers != NULL)
        result = qvPhyxelState_Load(run->state, model->startNumbers, &ignored);
    if (result != qv_ok || !MakeRoom(run))
    {
        End(run);
        return NULL;
    }
    return run;
}

static qvResult Step(void* object, double seconds, const qvJob* job, qvError* error)
{
    Run* run = object;
    return qvPhyxelState_Advance(run->state, &run->scene, seconds, qvJob_Pool(job), error);
}

static int ValueCount(const void* model)
{
    return 3 * ((const Model*)model)->body->count;
}

static size_t StateSize(const void* object)
{
    return ((const Model*)object)->numberCount * sizeof(double);
}

static void Copy(const qvVec3* from, int count, float* to)
{
    for (int i = 0; i < count; i++)
        to[3 * i] = (float)from[i].x, to[3 * i + 1] = (float)from[i].y, to[3 * i + 2] = (float)from[i].z;
}

static void Sample(void* object, float* values, float* rates)
{
    Run* run = object;
    qvPhyxelState_Points(run->state, run->room);
    Copy(run->room, run->model->body->count, values);
    qvPhyxelState_Velocities(run->state, run->room);
    Copy(run->room, run->model->body->count, rates);
}

static void Save(const void* object, void* bytes)
{
    qvPhyxelState_Save(((const Run*)object)->state, bytes);
}

static qvResult Load(void* object, const void* bytes, qvError* error)
{
    return qvPhyxelState_Load(((Run*)object)->state, bytes, error);
}

// --- The body's points ---------------------------------------------------------------------------------------------

// What placing them takes: of the phyxels positions and gradients, as the kernel and as the surface want them; and the
// points in doubles.
typedef struct Room
{
    double (*positions)[4];
    double (*columns)[3][4];
    qvVec3* phyxels;
    qvMat3* gradients;
    qvVec3* points;
    qvVec3f* below; // of pins: the points in the motion below, and its own scratch
    qvObstaclePlace* places;
    void* scratch;
} Room;

static int ObstacleCount(const Model* model)
{
    return model->input->obstacles != NULL ? qvObstacles_Count(model->input->obstacles) : 0;
}

static size_t ScratchSize(const void* object)
{
    const Model* model = object;
    size_t ofPhyxel = sizeof(double[4]) + sizeof(double[3][4]) + sizeof(qvVec3) + sizeof(qvMat3);
    size_t ofPoint = sizeof(qvVec3) + sizeof(double[2]); // a qvVec3f and some more, so that what follows is aligned
    return (size_t)model->body->count * ofPhyxel + (size_t)PointCount(model) * ofPoint +
           (size_t)ObstacleCount(model) * sizeof(qvObstaclePlace) + model->input->below.scratchSize;
}

static Room Divide(const Model* model, void* scratch)
{
    size_t count = (size_t)model->body->count;
    Room room = { .positions = scratch };
    room.columns = (double(*)[3][4])(room.positions + count);
    room.phyxels = (qvVec3*)(room.columns + count);
    room.gradients = (qvMat3*)(room.phyxels + count);
    room.points = (qvVec3*)(room.gradients + count);
    room.below = (qvVec3f*)(room.points + PointCount(model));
    room.places = (qvObstaclePlace*)((double*)(room.points + PointCount(model)) + 2 * PointCount(model));
    room.scratch = room.places + ObstacleCount(model);
    return room;
}

typedef struct Pushing
{
    const Model* model;
    const Room* room;
    double part; // of the way out that is gone
} Pushing;

static void PushOf(void* context, int begin, int end)
{
    const Pushing* pushing = context;
    for (int i = begin; i < end; i++)
    {
        qvVec3* x = &pushing->room->points[i];
        qvObstacleTouch touch = qvObstacles_Nearest(pushing->model->input->obstacles, pushing->room->places, *x);
        if (touch.distance < 0.0)
            *x = qvMulAdd(*x, -pushing->part * touch.distance, touch.normal);
    }
}

// A body that is let go inside of an obstacle starts where its keys have it.
static double PartOut(const Model* model, double time)
{
    return model->isBorrowed ? 1.0 : qvSmoothStep((time - model->input->def.time) / COMING_OUT);
}

// Phyxels stay out of obstacles by their depth under the surface; what the surface still has inside, where it bends
// more than they can show, goes straight out.
static void PushOut(const Model* model, double time, const Room* room, qvPool* pool)
{
    Pushing pushing = { model, room, PartOut(model, time) };
    if (ObstacleCount(model) == 0)
        return;
    qvObstacles_Place(model->input->obstacles, time, room->places);
    qvParallelFor(pool, PointCount(model), PUSH_GRAIN, PushOf, &pushing);
}

static void HoldPins(const Model* model, double time, const Room* room, qvPool* pool, qvVec3f* points)
{
    const qvBaseMotion* below = &model->input->below;
    double clock = time - model->input->def.time;
    if (!qvPhyxelPins_IsActive(model->pins, clock))
        return;
    below->points(below->context, time, room->scratch, pool, room->below);
    qvPhyxelPins_Apply(model->pins, clock, room->below, points);
}

static void Points(const void* object, double time, const float* values, void* scratch, qvPool* pool, qvVec3f* points)
{
    const Model* model = object;
    int count = model->body->count;
    Room room = Divide(model, scratch);
    for (int i = 0; i < count; i++)
    {
        const float* x = values + 3 * i;
        room.phyxels[i] = qvMakeVec3(x[0], x[1], x[2]);
        memcpy(room.positions[i], (const double[4]){ x[0], x[1], x[2], 0.0 }, sizeof(room.positions[i]));
    }
    qvPhyxelListsD lists = qvPhyxelReference_Lists(&model->body->reference);
    qvGetPhyxelKernelD()->gradients(&lists, 0, count, (const double(*)[4])room.positions, room.columns);
    for (int i = 0; i < count; i++)
    {
        for (int k = 0; k < 9; k++)
            room.gradients[i].m[k % 3][k / 3] = room.columns[i][k / 3][k % 3];
    }
    qvPhyxelSurface_Carry(model->surface, room.phyxels, room.gradients, pool, room.points);
    PushOut(model, time, &room, pool);
    for (int i = 0; i < PointCount(model); i++)
        points[i] = qvVec3_ToFloat(room.points[i]);
    HoldPins(model, time, &room, pool, points);
}

// --- Bodies that tear ----------------------------------------------------------------------------------------------

static qvResult Extract(const void* object, double time, const float* values, const qvVec3f* points, qvPool* pool,
                        qvMesh** mesh, qvError* error)
{
    const Model* model = object;
    int count = model->body->count, obstacleCount = ObstacleCount(model);
    *mesh = NULL;
    if (model->flow == NULL)
        return qv_ok;
    qvVec3* phyxels = qvAllocateRaw((size_t)count, sizeof(*phyxels));
    qvObstaclePlace* places = qvAllocateRaw((size_t)obstacleCount, sizeof(*places));
    qvResult result = qv_ok;
    if (phyxels == NULL || places == NULL)
        result = qvError_OutOfMemory(error, 24.0 * count + 100.0 * obstacleCount);
    else
    {
        qvFlowLimits limits = { model->input->obstacles, places, MOST_OUT * PartOut(model, time) };
        if (obstacleCount > 0)
            qvObstacles_Place(limits.obstacles, time, places);
        for (int i = 0; i < count; i++)
            phyxels[i] = qvMakeVec3(values[3 * i], values[3 * i + 1], values[3 * i + 2]);
        result =
            qvFlowSurface_Extract(model->flow, phyxels, points, obstacleCount > 0 ? &limits : NULL, pool, mesh, error);
    }
    free(phyxels);
    free(places);
    return result;
}

// Only what has melted tears.
static double ChangesFrom(const void* object)
{
    const Model* model = object;
    const qvCurve* melt = &model->terms.melt;
    double start = model->input->def.time, length = model->input->def.until - start;
    if (model->flow == NULL)
        return INFINITY;
    if (qvPhyxelCurve_At(melt, 0.0) > 0.0)
        return start;
    for (int k = 0; k + 1 < melt->count; k++)
    {
        if (melt->knots[k + 1][1] > 0.0 && melt->knots[k + 1][0] > 0.0 && melt->knots[k][0] < length)
            return start + fmax(melt->knots[k][0], 0.0);
    }
    return INFINITY;
}

const qvEngine qvPointsEngine = {
    .tag = "points",
    .label = "Points",
    .help = "Soft bodies that fall, bounce, wobble, keep dents and melt with all of their volume.",
    .version = 5,
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
    .scratchSize = ScratchSize,
    .points = Points,
    .extract = Extract,
    .changesFrom = ChangesFrom,
};
