// SPDX-License-Identifier: GPL-3.0-or-later
// The simulation engine "points": elastic bodies of phyxels (M. Mueller et al., "Point based animation of elastic,
// plastic and melting objects", 2004) as spans on the timeline. A frame is the positions of the phyxels; their
// deformation follows from them and the reference, and both carry the body's points (surface.h).
#include "layer/engine.h"

#include "base/memory.h"
#include "phyxel/calibrate.h"
#include "phyxel/engine.h"
#include "phyxel/pose.h"
#include "phyxel/sample.h"
#include "phyxel/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    USUAL_DETAIL = 1000, // phyxels
};

static const double DENSITY = 1000.0;     // kg/m^3; what counts is the frequency
static const double USUAL_POISSON = 0.4;  // where the simulation does not say
static const double NEAR = 1e-4;          // s, for velocities of the motion below
static const double MOST_POISSON = 0.499; // beyond it the volume is infinitely stiff

// Where things are and how fast, at a moment: of the body's points, or of the phyxels.
typedef struct Motion
{
    qvVec3 *at, *velocity;
} Motion;

typedef struct Model
{
    const qvEngineInput* input;
    qvPhyxelBody* body;
    qvPhyxelSurface* surface;
    qvPhyxelPose* pose;
    Motion start; // of the phyxels
    double wobble[1][2], none[1][2];
    qvPhyxelTerms terms;
    size_t numberCount; // of a state
} Model;

static int PointCount(const Model* model)
{
    return model->input->mesh->pointCount;
}

// --- What it takes over --------------------------------------------------------------------------------------------

// The body's points in the motion below.
static qvResult PointsBelow(const Model* model, double time, const Motion* points, qvError* error)
{
    const qvBaseMotion* below = &model->input->below;
    size_t n = (size_t)PointCount(model);
    qvVec3f* at = qvAllocateRaw(3 * n, sizeof(*at));
    void* scratch = qvAllocateRaw(1, below->scratchSize + 1);
    if (at == NULL || scratch == NULL)
    {
        free(at);
        free(scratch);
        return qvError_OutOfMemory(error, 36.0 * (double)n + (double)below->scratchSize);
    }
    for (size_t i = 0; i < 3; i++)
        below->points(below->context, time + ((double)i - 1.0) * NEAR, scratch, NULL, at + i * n);
    for (size_t i = 0; i < n; i++)
    {
        points->at[i] = qvVec3_FromFloat(at[n + i]);
        qvVec3 way = qvSub(qvVec3_FromFloat(at[2 * n + i]), qvVec3_FromFloat(at[i]));
        points->velocity[i] = qvScale(0.5 / NEAR, way);
    }
    free(at);
    free(scratch);
    return qv_ok;
}

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

// What an artist says, calibrated on the cloud itself.
static qvResult MakeTerms(Model* model, const qvJob* job, qvError* error)
{
    const qvSimulationDef* def = &model->input->def;
    double poisson = isnan(def->poisson) ? USUAL_POISSON : fmin(def->poisson, MOST_POISSON), frequency;
    qvResult result = qvPhyxelBody_Frequencies(model->body, poisson, 1, job, &frequency, error);
    if (result != qv_ok)
        return result;
    model->wobble[0][1] = def->wobble;
    model->terms = qvDefaultPhyxelTerms();
    model->terms.wobble = (qvPhyxelCurve){ (const double(*)[2])model->wobble, 1 };
    model->terms.melt = model->terms.dent = (qvPhyxelCurve){ (const double(*)[2])model->none, 1 };
    model->terms.settle = def->settle, model->terms.poisson = poisson;
    model->terms.youngPerHz2 = 1.0 / (frequency * frequency);
    model->terms.gravity = def->gravity, model->terms.follow = def->follow;
    model->terms.stick = 0.5 * def->friction;
    return qvPhyxelTerms_Check(&model->terms, error);
}

// From the pose that the motion below has at the start. What phyxels cannot show of it the surface keeps.
static qvResult TakeOver(Model* model, const Motion* points, qvError* error)
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
    qvDestroyPhyxelSurface(model->surface);
    qvDestroyPhyxelPose(model->pose);
    qvDestroyPhyxelBody(model->body);
    free(model->start.at);
    free(model->start.velocity);
    free(model);
}

static qvResult Fill(Model* model, const qvJob* job, qvError* error)
{
    const qvEngineInput* input = model->input;
    size_t n = (size_t)PointCount(model);
    qvVec3* memory = qvAllocate(3 * n, sizeof(*memory));
    if (memory == NULL)
        return qvError_OutOfMemory(error, 72.0 * (double)n);
    Motion points = { memory, memory + n };
    qvVec3* shape = memory + 2 * n;
    qvResult result = PointsBelow(model, input->def.time, &points, error);
    for (size_t i = 0; i < n; i++)
        shape[i] = input->def.fromPose ? points.at[i] : qvVec3_FromFloat(input->rest[i]);
    if (result == qv_ok)
        result = MakeBody(model, shape, job, error);
    if (result == qv_ok)
        result = MakeTerms(model, job, error);
    if (result == qv_ok)
        result = TakeOver(model, &points, error);
    free(memory);
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
    Motion points; // room for the motion below
    qvVec3* room;  // a number for each phyxel
} Run;

static void Guide(void* context, double time, qvVec3* points, qvVec3* velocities)
{
    Run* run = context;
    const Model* model = run->model;
    qvError ignored;
    // Without memory the last motion stands.
    if (PointsBelow(model, model->input->def.time + time, &run->points, &ignored) == qv_ok)
    {
        qvPhyxelPose_Apply(model->pose, run->points.at, points);
        qvPhyxelPose_Apply(model->pose, run->points.velocity, velocities);
    }
}

static void End(void* object)
{
    Run* run = object;
    qvDestroyPhyxelState(run->state);
    free(run->points.at);
    free(run->points.velocity);
    free(run->room);
    free(run);
}

static void* Begin(const void* object)
{
    const Model* model = object;
    Run* run = qvAllocate(1, sizeof(*run));
    if (run == NULL)
        return NULL;
    run->model = model;
    run->points.at = qvAllocate((size_t)PointCount(model), sizeof(qvVec3));
    run->points.velocity = qvAllocate((size_t)PointCount(model), sizeof(qvVec3));
    run->room = qvAllocate((size_t)model->body->count, sizeof(qvVec3));
    run->scene = (qvPhyxelScene){ .terms = &model->terms,
                                  .start = model->input->def.time,
                                  .obstacles = model->input->obstacles,
                                  .guide = model->terms.follow > 0.0 ? Guide : NULL,
                                  .context = run };
    qvError ignored;
    qvResult result = qvCreatePhyxelState(model->body, model->start.at, model->start.velocity, &run->state, &ignored);
    if (result != qv_ok || run->points.at == NULL || run->points.velocity == NULL || run->room == NULL)
    {
        End(run);
        return NULL;
    }
    return run;
}

static qvResult Step(void* object, const qvJob* job, qvError* error)
{
    Run* run = object;
    return qvPhyxelState_Advance(run->state, &run->scene, 1.0 / qv_stepFrameRate, qvJob_Pool(job), error);
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
} Room;

static size_t ScratchSize(const void* object)
{
    const Model* model = object;
    size_t ofPhyxel = sizeof(double[4]) + sizeof(double[3][4]) + sizeof(qvVec3) + sizeof(qvMat3);
    return (size_t)model->body->count * ofPhyxel + (size_t)PointCount(model) * sizeof(qvVec3);
}

static Room Divide(const Model* model, void* scratch)
{
    size_t count = (size_t)model->body->count;
    Room room = { .positions = scratch };
    room.columns = (double(*)[3][4])(room.positions + count);
    room.phyxels = (qvVec3*)(room.columns + count);
    room.gradients = (qvMat3*)(room.phyxels + count);
    room.points = (qvVec3*)(room.gradients + count);
    return room;
}

static void Points(const void* object, double time, const float* values, void* scratch, qvPool* pool, qvVec3f* points)
{
    (void)time;
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
    for (int i = 0; i < PointCount(model); i++)
        points[i] = qvVec3_ToFloat(room.points[i]);
}

const qvEngine qvPointsEngine = {
    .tag = "points",
    .label = "Points",
    .help = "Soft bodies that fall, bounce and wobble with all of their volume.",
    .version = 1,
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
};
