// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of the engine "surface": what is held, what is met, what linear elasticity can show.
#include "bem/surface_model.h"

#include "base/memory.h"
#include "math/rotation.h"
#include "quaver/obstacle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double JUMP = 0.02;       // diagonals; see qvGuide_Open
static const double FOLLOW = 10.0;     // Hz of the spring that pulls to it
static const double MOST_STRAIN = 0.3; // thicknesses that linear elasticity can show

typedef struct Run
{
    const qvSurfaceModel* model;
    double* state; // seconds since the start, then the system's
    qvSurfaceRoom room;
    qvGuide guide;   // of the vertices in the motion below
    qvMoving guided; // where it has them
    qvVec3* vectors; // of those, and one more for each vertex
    double* goal;    // a state in the guide
    qvBemPin* pins;
    uint8_t* isHeld; // of each vertex
    qvObstaclePlace* places;
    bool hasWarned;
} Run;

void qvSurfaceRun_End(void* object)
{
    Run* run = object;
    free(run->state);
    free(run->vectors);
    free(run->goal);
    free(run->pins);
    free(run->isHeld);
    free(run->places);
    qvSurfaceRoom_Free(&run->room);
    qvGuide_Close(&run->guide);
    free(run);
}

static void FindMoving(void* context, double time, const qvMoving* vertices)
{
    const Run* run = context;
    qvSurfaceRoom_Motion(run->model, time, &run->room, vertices);
}

static bool MakeRun(Run* run)
{
    const qvSurfaceModel* model = run->model;
    size_t count = (size_t)model->vertexCount;
    int obstacles = model->input->obstacles != NULL ? qvObstacles_Count(model->input->obstacles) : 0;
    run->state = qvAllocate(model->stateSize, sizeof(double));
    run->goal = qvAllocate(model->stateSize, sizeof(double));
    run->vectors = qvAllocate(3 * count, sizeof(qvVec3));
    run->pins = qvAllocate(count, sizeof(*run->pins));
    run->isHeld = qvAllocate(count, sizeof(*run->isHeld));
    run->places = qvAllocate((size_t)obstacles + 1, sizeof(*run->places));
    if (run->state == NULL || run->goal == NULL || run->vectors == NULL || run->pins == NULL || run->isHeld == NULL ||
        run->places == NULL || !qvSurfaceRoom_Make(model, &run->room) ||
        !qvGuide_Open(&run->guide, model->vertexCount, model->input->def.time, JUMP * model->input->diagonal,
                      FindMoving, run))
        return false;
    run->guided = (qvMoving){ run->vectors + count, run->vectors + 2 * count };
    memcpy(run->state, model->start, model->stateSize * sizeof(double));
    memcpy(run->goal, model->start, model->stateSize * sizeof(double));
    return true;
}

void* qvSurfaceRun_Begin(const void* object)
{
    Run* run = qvAllocate(1, sizeof(*run));
    if (run == NULL)
        return NULL;
    run->model = object;
    if (!MakeRun(run))
    {
        qvSurfaceRun_End(run);
        return NULL;
    }
    return run;
}

// The change of a velocity in a step by a critically damped spring to a goal, with the values at its end.
static double Pull(double rate, double step, double away, double rateAway, double velocity)
{
    double stiffness = rate * rate, force = stiffness * (away - step * velocity) + 2.0 * rate * rateAway;
    return step * force / (1.0 + 2.0 * rate * step + stiffness * step * step);
}

static qvVec3 PullVector(double rate, double step, qvVec3 away, qvVec3 rateAway, qvVec3 velocity)
{
    return qvMakeVec3(Pull(rate, step, away.x, rateAway.x, velocity.x),
                      Pull(rate, step, away.y, rateAway.y, velocity.y),
                      Pull(rate, step, away.z, rateAway.z, velocity.z));
}

// Pulls frame and modes to those of the guide.
static void Follow(Run* run, double step)
{
    const qvSurfaceModel* model = run->model;
    double follow = model->input->def.follow, rate = 2.0 * QV_PI * FOLLOW * follow * follow;
    for (int b = 0; b < model->partCount; b++)
    {
        qvSurfaceModel_SetBody(model, b, &run->guided, &run->room, run->goal);
        qvBemPose goal = qvBemSystem_Pose(model->system, run->goal + 1, b);
        qvBemPose own = qvBemSystem_Pose(model->system, run->state + 1, b);
        qvVec3 turn = qvQuat_Log(qvQuat_Multiply(goal.rotation, qvQuat_Conjugate(own.rotation)));
        qvVec3 push =
            PullVector(rate, step, qvSub(goal.place, own.place), qvSub(goal.velocity, own.velocity), own.velocity);
        qvVec3 twist = PullVector(rate, step, turn, qvSub(goal.spin, own.spin), own.spin);
        own.velocity = qvAdd(own.velocity, push);
        own.spin = qvAdd(own.spin, twist);
        for (int m = 0; model->histories == NULL && m < model->parts[b].shape->model->modeCount; m++)
            own.rates[m] += Pull(rate, step, goal.q[m] - own.q[m], goal.rates[m] - own.rates[m], own.rates[m]);
        qvBemSystem_SetPose(model->system, run->state + 1, b, &own);
    }
}

static bool IsGuided(const Run* run, double time)
{
    const qvBemHold* holds;
    int count = qvBemPins_Holds(run->model->pins, &holds);
    for (int i = 0; i < count; i++)
    {
        if (qvBemHold_Share(&holds[i], time) > 0.0)
            return true;
    }
    return run->model->input->def.follow > 0.0;
}

// Vertices that are held at the end of a step. One that is only on its way there goes a part of it.
static int FindPins(Run* run, double time)
{
    const qvSurfaceModel* model = run->model;
    const qvBemHold* holds;
    int holdCount = qvBemPins_Holds(model->pins, &holds), count = 0;
    bool hasPositions = false;
    for (int i = 0; i < holdCount; i++)
    {
        double share = qvBemHold_Share(&holds[i], time);
        if (share > 0.0 && !hasPositions)
        {
            memset(run->isHeld, 0, (size_t)model->vertexCount);
            for (int b = 0; b < model->partCount; b++)
                qvBemSystem_Positions(model->system, run->state + 1, b, run->vectors + model->parts[b].firstVertex);
            hasPositions = true;
        }
        for (int k = 0; share > 0.0 && k < holds[i].count; k++)
        {
            int number = model->parts[holds[i].body[k]].firstVertex + holds[i].vertex[k];
            if (run->isHeld[number])
                continue;
            run->isHeld[number] = 1;
            const qvBemPart* part = &model->parts[holds[i].body[k]];
            qvQuat turn = qvBemSystem_Pose(model->system, run->state + 1, holds[i].body[k]).rotation;
            qvVec3 goal = qvSub(run->guided.at[number], qvQuat_Rotate(turn, part->gaps[holds[i].vertex[k]]));
            qvVec3 from = run->vectors[number], way = qvSub(goal, from);
            run->pins[count++] = (qvBemPin){ holds[i].body[k], holds[i].vertex[k],
                                             share < 1.0 ? qvMulAdd(from, share * share, way) : goal };
        }
    }
    return count;
}

static bool Touch(void* context, qvVec3 point, double time, qvBemTouch* touch)
{
    (void)time; // that of the places
    const Run* run = context;
    qvObstacleTouch met = qvObstacles_Nearest(run->model->input->obstacles, run->places, point);
    *touch = (qvBemTouch){ met.distance, met.normal, met.velocity, met.friction };
    return met.obstacle >= 0;
}

static double StrainOf(const Run* run, int body, const double* q)
{
    const qvSurfaceModel* model = run->model;
    if (model->histories == NULL)
        return qvBemShape_Strain(model->parts[body].shape, q);
    qvBemSystem_Displacements(model->system, run->state + 1, body, run->vectors);
    return qvBemShape_StrainOf(model->parts[body].shape, run->vectors);
}

// Keeps deformations to what linear elasticity can show; what is held stays exact, a past cannot be changed, and both
// are only told of.
static void Limit(Run* run, const qvJob* job)
{
    const qvSurfaceModel* model = run->model;
    for (int b = 0; b < model->partCount; b++)
    {
        const qvBemShape* shape = model->parts[b].shape;
        qvBemPose pose = qvBemSystem_Pose(model->system, run->state + 1, b);
        double strain = StrainOf(run, b, pose.q);
        bool canLimit = model->input->pinCount == 0 && model->histories == NULL;
        if (strain <= MOST_STRAIN)
            continue;
        for (int m = 0; canLimit && m < shape->model->modeCount; m++)
        {
            pose.q[m] *= MOST_STRAIN / strain;
            pose.rates[m] *= MOST_STRAIN / strain;
        }
        if (!run->hasWarned)
            qvJob_Log(job, qv_logWarning,
                      "simulation: the body is bent further than its surface engine can show, %g s after its start; "
                      "raise wobble, or use the engine of points",
                      run->state[0]);
        run->hasWarned = true;
    }
}

static qvResult StepOnce(Run* run, const qvBemSystem* system, double step, const qvJob* job, qvError* error)
{
    const qvSurfaceModel* model = run->model;
    double clock = run->state[0] + step, time = model->input->def.time + clock;
    qvBemStepDef def = { .time = time, .pool = qvJob_Pool(job) };
    qvBemStepReport report;
    if (IsGuided(run, time))
        qvGuide_At(&run->guide, clock, &run->guided);
    if (model->input->def.follow >= 1.0)
    {
        for (int b = 0; b < model->partCount; b++)
            qvSurfaceModel_SetBody(model, b, &run->guided, &run->room, run->state);
        run->state[0] = clock;
        return qv_ok;
    }
    if (model->input->def.follow > 0.0)
        Follow(run, step);
    def.pins = run->pins;
    def.pinCount = FindPins(run, time);
    if (model->input->obstacles != NULL && qvObstacles_Count(model->input->obstacles) > 0)
    {
        qvObstacles_Place(model->input->obstacles, time, run->places);
        def.query = Touch;
        def.context = run;
    }
    qvResult result = qvBemSystem_Step(system, &def, run->state + 1, &report, error);
    if (result == qv_notConverged)
    {
        qvError cause = *error;
        return qvError_Set(error, qv_badInput, "%s (%g s after its start)", cause.message, clock);
    }
    if (result == qv_ok)
    {
        qvSurfaceModel_Calm(model, step, run->state);
        Limit(run, job);
        run->state[0] = clock;
    }
    return result;
}

qvResult qvSurfaceRun_Step(void* object, double seconds, const qvJob* job, qvError* error)
{
    Run* run = object;
    const qvSurfaceModel* model = run->model;
    int count = (int)fmax(1.0, ceil(seconds / model->step - 1e-6));
    double step = seconds / count;
    qvBemSystem* shorter = NULL;
    qvResult result = qvSurfaceModel_IsStep(model, seconds, error) ? qv_ok : qv_badInput;
    if (result == qv_ok &&
        fabs(step - model->step) > 1e-9 * model->step) // the last frame of a span that another takes over
        result = qvSurfaceModel_MakeSystem(model, step, job, &shorter, error);
    for (int i = 0; result == qv_ok && i < count; i++)
    {
        result = qvJob_Ask(job, error);
        if (result == qv_ok)
            result = StepOnce(run, shorter != NULL ? shorter : model->system, step, job, error);
    }
    qvDestroyBemSystem(shorter);
    return result;
}

static void Copy(const qvVec3* from, int count, float* to)
{
    for (int i = 0; i < count; i++)
    {
        to[3 * i] = (float)from[i].x;
        to[3 * i + 1] = (float)from[i].y;
        to[3 * i + 2] = (float)from[i].z;
    }
}

void qvSurfaceRun_Sample(void* object, float* values, float* rates)
{
    Run* run = object;
    const qvSurfaceModel* model = run->model;
    for (int b = 0; b < model->partCount; b++)
        qvBemSystem_Positions(model->system, run->state + 1, b, run->vectors + model->parts[b].firstVertex);
    Copy(run->vectors, model->vertexCount, values);
    for (int b = 0; b < model->partCount; b++)
        qvBemSystem_Velocities(model->system, run->state + 1, b, run->vectors + model->parts[b].firstVertex);
    Copy(run->vectors, model->vertexCount, rates);
    for (int b = 0; b < model->partCount; b++)
        qvBemSystem_Forces(model->system, run->state + 1, b, run->vectors + model->parts[b].firstVertex);
    Copy(run->vectors, model->vertexCount, values + 3 * (size_t)model->vertexCount);
    memset(rates + 3 * (size_t)model->vertexCount, 0, 3 * (size_t)model->vertexCount * sizeof(*rates)); // they jump
}

void qvSurfaceRun_Save(const void* object, void* bytes)
{
    const Run* run = object;
    memcpy(bytes, run->state, run->model->stateSize * sizeof(double));
}

qvResult qvSurfaceRun_Load(void* object, const void* bytes, qvError* error)
{
    Run* run = object;
    (void)error;
    memcpy(run->state, bytes, run->model->stateSize * sizeof(double));
    return qv_ok;
}
