// SPDX-License-Identifier: GPL-3.0-or-later
// The simulation engine "surface": elastic bodies by boundary elements (R. Sugimoto, C. Batty, T. Hachisuka,
// "Surface-Only Dynamic Deformables using a Boundary Element Method", 2022) as spans on the timeline. Each connected
// part is a body of its own: a proxy with a reduced model (shape.h) that moves in a system (system.h). A frame is the
// positions of the proxies' vertices, which carry the body's points (body/carrier.h).
#include "layer/engine.h"

#include "base/memory.h"
#include "bem/surface_pins.h"
#include "layer/below.h"
#include "math/rotation.h"
#include "quaver/obstacle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;
static const double USUAL_POISSON = 0.4, MOST_POISSON = 0.45; // beyond it coarse bodies are unstable
static const double JUMP = 0.02;                              // diagonals; see qvGuide_Open
static const double FOLLOW = 10.0;                            // Hz of the spring that pulls to it
static const double FADED = 3.0;                              // ln(20): what "settled" means
static const double MOST_STRAIN = 0.3;                        // thicknesses that linear elasticity can show

typedef struct Model
{
    const qvEngineInput* input;
    int partCount, shapeCount, vertexCount;
    qvBemPart* parts;
    qvBemShape** shapes;
    bool isBorrowed; // parts and shapes are those of the span before
    qvBemBodyDef* bodies;
    qvBemSystem* system;
    double step; // s
    qvBemPins* pins;
    double* start;    // the state at the start, its time before it
    size_t stateSize; // doubles
} Model;

static int PointCount(const Model* model)
{
    return model->input->mesh->pointCount;
}

// --- The motion below -----------------------------------------------------------------------------------------------

// What asking for it takes: the points of a part, and scratch of carriers and of fits.
typedef struct Room
{
    qvBelow below;
    qvVec3* part;
    void* carrier;
    double* fit;
} Room;

static void FreeRoom(Room* room)
{
    qvBelow_Close(&room->below);
    free(room->part);
    free(room->carrier);
    free(room->fit);
}

static bool MakeRoom(const Model* model, Room* room)
{
    size_t carrier = 1, fit = 1;
    for (int b = 0; b < model->partCount; b++)
    {
        const qvBemShape* shape = model->parts[b].shape;
        size_t out = qvCarrier_ScratchSize(shape->out), in = qvCarrier_ScratchSize(shape->in);
        size_t size = 3 * (size_t)shape->proxy->vertexCount + 3 * (size_t)shape->model->modeCount + 6;
        carrier = carrier > out ? carrier : out;
        carrier = carrier > in ? carrier : in;
        fit = fit > size ? fit : size;
    }
    room->part = qvAllocateRaw((size_t)PointCount(model), sizeof(*room->part));
    room->carrier = qvAllocateRaw(1, carrier);
    room->fit = qvAllocateRaw(fit, sizeof(double));
    return room->part != NULL && room->carrier != NULL && room->fit != NULL && qvBelow_Open(&room->below, model->input);
}

static void GatherPart(const qvBemPart* part, const qvVec3f* points, const Room* room)
{
    for (int i = 0; i < part->pointCount; i++)
        room->part[i] = qvVec3_FromFloat(points[part->points[i]]);
}

static void VerticesBelow(const Model* model, double time, const Room* room, qvVec3* vertices)
{
    const qvVec3f* points = qvBelow_Points(&room->below, time);
    for (int b = 0; b < model->partCount; b++)
    {
        const qvBemPart* part = &model->parts[b];
        GatherPart(part, points, room);
        qvCarrier_Carry(part->shape->in, room->part, NULL, room->carrier, NULL, vertices + part->firstVertex);
    }
}

static void MotionBelow(const Model* model, double time, const Room* room, const qvMoving* motion)
{
    VerticesBelow(model, time - qvBelow_Near, room, motion->at);
    VerticesBelow(model, time + qvBelow_Near, room, motion->velocity);
    for (int v = 0; v < model->vertexCount; v++)
        motion->velocity[v] = qvScale(0.5 / qvBelow_Near, qvSub(motion->velocity[v], motion->at[v]));
    VerticesBelow(model, time, room, motion->at);
}

// --- Parts ----------------------------------------------------------------------------------------------------------

static void FreeParts(Model* model)
{
    for (int b = 0; model->parts != NULL && b < model->partCount; b++)
    {
        free(model->parts[b].points);
        free(model->parts[b].rests);
        free(model->parts[b].gaps);
    }
    for (int s = 0; model->shapes != NULL && s < model->shapeCount; s++)
        qvDestroyBemShape(model->shapes[s]);
    free(model->parts);
    free(model->shapes);
}

// The points of a part, and its triangles in them; numbers has a place for every point of the body.
static qvResult FindPart(const qvTopology* topology, int index, int32_t* numbers, qvBemPart* part,
                         qvTriangle** triangles, int* triangleCount, qvError* error)
{
    for (int i = 0; i < topology->pointCount; i++)
        part->pointCount += topology->pointPart[i] == index;
    for (int t = 0; t < topology->triangleCount; t++)
        *triangleCount += topology->trianglePart[t] == index;
    part->points = qvAllocate((size_t)part->pointCount, sizeof(int32_t));
    part->rests = qvAllocate((size_t)part->pointCount, sizeof(qvVec3));
    *triangles = qvAllocate((size_t)*triangleCount, sizeof(qvTriangle));
    if (part->points == NULL || part->rests == NULL || *triangles == NULL)
        return qvError_OutOfMemory(error, 28.0 * part->pointCount);
    int count = 0;
    for (int i = 0; i < topology->pointCount; i++)
    {
        if (topology->pointPart[i] != index)
            continue;
        numbers[i] = count;
        part->points[count++] = i;
    }
    count = 0;
    for (int t = 0; t < topology->triangleCount; t++)
    {
        if (topology->trianglePart[t] != index)
            continue;
        for (int k = 0; k < 3; k++)
            (*triangles)[count].v[k] = numbers[topology->triangles[t].v[k]];
        count++;
    }
    return qv_ok;
}

// The shape of a part: that of one before which is the same, or its own.
static qvResult FindShape(Model* model, const qvBemShapeDef* def, qvBemPart* part, const qvJob* job, qvError* error)
{
    for (int s = 0; s < model->shapeCount && part->shape == NULL; s++)
    {
        if (qvBemShape_IsSame(model->shapes[s], def))
            part->shape = model->shapes[s];
    }
    if (part->shape != NULL)
        return qv_ok;
    qvBemShape* shape;
    qvResult result = qvCreateBemShape(def, job, &shape, error);
    if (result == qv_ok)
    {
        model->shapes[model->shapeCount++] = shape;
        part->shape = shape;
    }
    return result;
}

static qvResult MakePart(Model* model, int index, const qvVec3* shape, int32_t* numbers, const qvJob* job,
                         qvError* error)
{
    const qvEngineInput* input = model->input;
    qvBemPart* part = &model->parts[index];
    qvTriangle* triangles = NULL;
    int triangleCount = 0, detail = input->def.detail > 0 ? input->def.detail : qv_proxyUsual;
    qvResult result = FindPart(input->topology, index, numbers, part, &triangles, &triangleCount, error);
    qvVec3* points = qvAllocateRaw((size_t)part->pointCount, sizeof(*points));
    if (result == qv_ok && points == NULL)
        result = qvError_OutOfMemory(error, 24.0 * part->pointCount);
    if (result == qv_ok)
    {
        for (int i = 0; i < part->pointCount; i++)
            points[i] = shape[part->points[i]];
        double poisson = isnan(input->def.poisson) ? USUAL_POISSON : fmin(input->def.poisson, MOST_POISSON);
        qvBemShapeDef def = { .pointCount = part->pointCount,
                              .points = points,
                              .triangleCount = triangleCount,
                              .triangles = triangles,
                              .detail = detail,
                              .poisson = poisson,
                              .store = input->store };
        result = FindShape(model, &def, part, job, error);
        if (result == qv_badInput && input->topology->partCount > 1)
            qvError_Prefix(error, "the part with point %d", (int)part->points[0]);
    }
    free(triangles);
    free(points);
    if (result == qv_ok)
    {
        part->gaps = qvAllocate((size_t)part->shape->proxy->vertexCount, sizeof(qvVec3));
        if (part->gaps == NULL)
            return qvError_OutOfMemory(error, 24.0 * part->shape->proxy->vertexCount);
        part->firstVertex = model->vertexCount;
        model->vertexCount += part->shape->proxy->vertexCount;
    }
    return result;
}

static qvResult MakeParts(Model* model, const qvVec3* shape, const qvJob* job, qvError* error)
{
    const qvTopology* topology = model->input->topology;
    int most = qv_proxyMost;
    if (model->input->def.detail > most)
        return qvError_Set(error, qv_badInput, "detail is %d, and the engine of surfaces takes %d vertices at most",
                           model->input->def.detail, most);
    model->partCount = topology->partCount;
    model->parts = qvAllocate((size_t)model->partCount, sizeof(*model->parts));
    model->shapes = qvAllocate((size_t)model->partCount, sizeof(*model->shapes));
    int32_t* numbers = qvAllocate((size_t)topology->pointCount, sizeof(*numbers));
    qvResult result = qv_ok;
    if (model->parts == NULL || model->shapes == NULL || numbers == NULL)
        result = qvError_OutOfMemory(error, 4.0 * topology->pointCount);
    for (int b = 0; result == qv_ok && b < model->partCount; b++)
        result = MakePart(model, b, shape, numbers, job, error);
    free(numbers);
    return result;
}

// --- The system -----------------------------------------------------------------------------------------------------

// The bodies with steps of that length; 0: the one that fits them.
static qvResult MakeSystem(const Model* model, double step, qvBemSystem** system, qvError* error)
{
    qvBemSystemDef def = qvDefaultBemSystemDef();
    def.bodies = model->bodies;
    def.bodyCount = model->partCount;
    def.gravity = model->input->def.gravity;
    def.step = step;
    return qvCreateBemSystem(&def, system, error);
}

static qvResult MakeBodies(Model* model, qvError* error)
{
    const qvSimulationDef* def = &model->input->def;
    model->bodies = qvAllocate((size_t)model->partCount, sizeof(*model->bodies));
    if (model->bodies == NULL)
        return qvError_OutOfMemory(error, 64.0 * model->partCount);
    for (int b = 0; b < model->partCount; b++)
    {
        qvBemBodyDef* body = &model->bodies[b];
        *body = qvDefaultBemBodyDef();
        body->model = model->parts[b].shape->model;
        body->wobble = def->wobble;
        body->settle = def->settle;
        body->friction = def->friction;
        body->drag = model->input->pinCount > 0 ? FADED / def->settle : 0.0; // what hangs would swing for ever
    }
    model->step = qvBemStepLength(model->bodies, model->partCount);
    qvResult result = MakeSystem(model, model->step, &model->system, error);
    if (result != qv_ok)
        return result;
    model->stateSize = 1 + (size_t)qvBemSystem_StateSize(model->system);
    model->start = qvAllocate(model->stateSize, sizeof(double));
    return model->start != NULL ? qv_ok : qvError_OutOfMemory(error, 8.0 * (double)model->stateSize);
}

// A body of a state in the motion of its vertices.
static double SetBody(const Model* model, int body, const qvMoving* motion, const Room* room, double* state)
{
    const qvBemPart* part = &model->parts[body];
    qvBemPose pose = qvBemSystem_Pose(model->system, state + 1, body);
    double strain = qvBemShape_Fit(part->shape, motion->at + part->firstVertex, motion->velocity + part->firstVertex,
                                   MOST_STRAIN, room->fit, &pose);
    qvBemSystem_SetPose(model->system, state + 1, body, &pose);
    return strain;
}

// Pose and velocity of the motion below; what modes cannot show of the pose the carrier keeps.
static void TakeOver(Model* model, const qvMoving* motion, const Room* room)
{
    qvBemSystem_Rest(model->system, model->start + 1);
    const qvVec3f* points = qvBelow_Points(&room->below, model->input->def.time);
    for (int b = 0; b < model->partCount; b++)
    {
        qvBemPart* part = &model->parts[b];
        SetBody(model, b, motion, room, model->start);
        qvVec3 *vertices = motion->at + part->firstVertex, *shown = motion->velocity + part->firstVertex;
        qvQuat back = qvQuat_Conjugate(qvBemSystem_Pose(model->system, model->start + 1, b).rotation);
        qvBemSystem_Positions(model->system, model->start + 1, b, shown);
        for (int v = 0; v < part->shape->proxy->vertexCount; v++)
            part->gaps[v] = qvQuat_Rotate(back, qvSub(vertices[v], shown[v]));
        memcpy(vertices, shown, (size_t)part->shape->proxy->vertexCount * sizeof(*vertices));
        for (int v = 0; v < part->shape->proxy->vertexCount; v++) // as frames have them
            vertices[v] = qvVec3_FromFloat(qvVec3_ToFloat(vertices[v]));
        GatherPart(part, points, room);
        qvCarrier_FindRests(part->shape->out, vertices, room->part, room->carrier, NULL, part->rests);
    }
}

static void Destroy(void* object)
{
    Model* model = object;
    qvDestroyBemPins(model->pins);
    qvDestroyBemSystem(model->system);
    if (!model->isBorrowed)
        FreeParts(model);
    free(model->bodies);
    free(model->start);
    free(model);
}

// The body is let go from the motion below.
static qvResult LetGo(Model* model, const qvVec3* shape, const qvJob* job, qvError* error)
{
    qvResult result = MakeParts(model, shape, job, error);
    if (result == qv_ok)
        result = MakeBodies(model, error);
    if (result != qv_ok)
        return result;
    Room room = { 0 };
    qvMoving motion = { .at = qvAllocate(2 * (size_t)model->vertexCount, sizeof(qvVec3)) };
    if (motion.at == NULL || !MakeRoom(model, &room))
        result = qvError_OutOfMemory(error, 100.0 * PointCount(model));
    else
    {
        motion.velocity = motion.at + model->vertexCount;
        MotionBelow(model, model->input->def.time, &room, &motion);
        TakeOver(model, &motion, &room);
    }
    free(motion.at);
    FreeRoom(&room);
    return result;
}

// The body of the span before goes on as it is.
static qvResult GoOn(Model* model, qvError* error)
{
    const Model* before = model->input->before;
    model->isBorrowed = true;
    model->parts = before->parts;
    model->partCount = before->partCount;
    model->vertexCount = before->vertexCount;
    qvResult result = MakeBodies(model, error);
    if (result == qv_ok)
    {
        memcpy(model->start, model->input->beforeState, model->stateSize * sizeof(double));
        model->start[0] = 0.0;
    }
    return result;
}

// Where the body's points are without strain.
static qvResult FindShapeOfBody(const Model* model, qvVec3* shape, qvError* error)
{
    const qvEngineInput* input = model->input;
    int count = PointCount(model);
    for (int i = 0; i < count; i++)
        shape[i] = qvVec3_FromFloat(input->rest[i]);
    if (!input->def.fromPose || input->before != NULL)
        return qv_ok;
    qvVec3f* points = qvAllocateRaw((size_t)count, sizeof(*points));
    void* scratch = qvAllocateRaw(1, input->below.scratchSize + 1);
    bool done = points != NULL && scratch != NULL;
    if (done)
        input->below.points(input->below.context, input->def.time, scratch, NULL, points);
    for (int i = 0; done && i < count; i++)
        shape[i] = qvVec3_FromFloat(points[i]);
    free(points);
    free(scratch);
    return done ? qv_ok : qvError_OutOfMemory(error, 12.0 * count);
}

static qvResult Fill(Model* model, const qvJob* job, qvError* error)
{
    const qvEngineInput* input = model->input;
    qvVec3* shape = qvAllocateRaw((size_t)PointCount(model), sizeof(*shape));
    if (shape == NULL)
        return qvError_OutOfMemory(error, 24.0 * PointCount(model));
    qvResult result = FindShapeOfBody(model, shape, error);
    if (result == qv_ok)
        result = input->before != NULL ? GoOn(model, error) : LetGo(model, shape, job, error);
    if (result == qv_ok)
        result = qvCreateBemPins(input, model->parts, model->partCount, shape, &model->pins, error);
    free(shape);
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

// --- Runs -----------------------------------------------------------------------------------------------------------

typedef struct Run
{
    const Model* model;
    double* state; // seconds since the start, then the system's
    Room room;
    qvGuide guide;   // of the vertices in the motion below
    qvMoving guided; // where it has them
    qvVec3* vectors; // of those, and one more for each vertex
    double* goal;    // a state in the guide
    qvBemPin* pins;
    uint8_t* isHeld; // of each vertex
    qvObstaclePlace* places;
    bool hasWarned;
} Run;

static void End(void* object)
{
    Run* run = object;
    free(run->state);
    free(run->vectors);
    free(run->goal);
    free(run->pins);
    free(run->isHeld);
    free(run->places);
    FreeRoom(&run->room);
    qvGuide_Close(&run->guide);
    free(run);
}

static void FindMoving(void* context, double time, const qvMoving* vertices)
{
    const Run* run = context;
    MotionBelow(run->model, time, &run->room, vertices);
}

static bool MakeRun(Run* run)
{
    const Model* model = run->model;
    size_t count = (size_t)model->vertexCount;
    int obstacles = model->input->obstacles != NULL ? qvObstacles_Count(model->input->obstacles) : 0;
    run->state = qvAllocate(model->stateSize, sizeof(double));
    run->goal = qvAllocate(model->stateSize, sizeof(double));
    run->vectors = qvAllocate(3 * count, sizeof(qvVec3));
    run->pins = qvAllocate(count, sizeof(*run->pins));
    run->isHeld = qvAllocate(count, sizeof(*run->isHeld));
    run->places = qvAllocate((size_t)obstacles + 1, sizeof(*run->places));
    if (run->state == NULL || run->goal == NULL || run->vectors == NULL || run->pins == NULL || run->isHeld == NULL ||
        run->places == NULL || !MakeRoom(model, &run->room) ||
        !qvGuide_Open(&run->guide, model->vertexCount, model->input->def.time, JUMP * model->input->diagonal,
                      FindMoving, run))
        return false;
    run->guided = (qvMoving){ run->vectors + count, run->vectors + 2 * count };
    memcpy(run->state, model->start, model->stateSize * sizeof(double));
    memcpy(run->goal, model->start, model->stateSize * sizeof(double));
    return true;
}

static void* Begin(const void* object)
{
    Run* run = qvAllocate(1, sizeof(*run));
    if (run == NULL)
        return NULL;
    run->model = object;
    if (!MakeRun(run))
    {
        End(run);
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
    const Model* model = run->model;
    double follow = model->input->def.follow, rate = 2.0 * PI * FOLLOW * follow * follow;
    for (int b = 0; b < model->partCount; b++)
    {
        SetBody(model, b, &run->guided, &run->room, run->goal);
        qvBemPose goal = qvBemSystem_Pose(model->system, run->goal + 1, b);
        qvBemPose own = qvBemSystem_Pose(model->system, run->state + 1, b);
        qvVec3 turn = qvQuat_Log(qvQuat_Multiply(goal.rotation, qvQuat_Conjugate(own.rotation)));
        qvVec3 push =
            PullVector(rate, step, qvSub(goal.place, own.place), qvSub(goal.velocity, own.velocity), own.velocity);
        qvVec3 twist = PullVector(rate, step, turn, qvSub(goal.spin, own.spin), own.spin);
        own.velocity = qvAdd(own.velocity, push);
        own.spin = qvAdd(own.spin, twist);
        for (int m = 0; m < model->parts[b].shape->model->modeCount; m++)
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
    const Model* model = run->model;
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

// Keeps deformations to what linear elasticity can show; what is held stays exact, and is only told of.
static void Limit(Run* run, const qvJob* job)
{
    const Model* model = run->model;
    for (int b = 0; b < model->partCount; b++)
    {
        const qvBemShape* shape = model->parts[b].shape;
        qvBemPose pose = qvBemSystem_Pose(model->system, run->state + 1, b);
        double strain = qvBemShape_Strain(shape, pose.q);
        if (strain <= MOST_STRAIN)
            continue;
        for (int m = 0; model->input->pinCount == 0 && m < shape->model->modeCount; m++)
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
    const Model* model = run->model;
    double clock = run->state[0] + step, time = model->input->def.time + clock;
    qvBemStepDef def = { .time = time };
    qvBemStepReport report;
    if (IsGuided(run, time))
        qvGuide_At(&run->guide, clock, &run->guided);
    if (model->input->def.follow >= 1.0)
    {
        for (int b = 0; b < model->partCount; b++)
            SetBody(model, b, &run->guided, &run->room, run->state);
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
        Limit(run, job);
        run->state[0] = clock;
    }
    return result;
}

static qvResult Step(void* object, double seconds, const qvJob* job, qvError* error)
{
    Run* run = object;
    const Model* model = run->model;
    int count = (int)fmax(1.0, ceil(seconds / model->step - 1e-6));
    double step = seconds / count;
    qvBemSystem* shorter = NULL;
    qvResult result = qv_ok;
    if (fabs(step - model->step) > 1e-9 * model->step) // the last frame of a span that another takes over
        result = MakeSystem(model, step, &shorter, error);
    for (int i = 0; result == qv_ok && i < count; i++)
    {
        result = qvJob_Ask(job, error);
        if (result == qv_ok)
            result = StepOnce(run, shorter != NULL ? shorter : model->system, step, job, error);
    }
    qvDestroyBemSystem(shorter);
    return result;
}

static int ValueCount(const void* model)
{
    return 3 * ((const Model*)model)->vertexCount;
}

static size_t StateSize(const void* object)
{
    return ((const Model*)object)->stateSize * sizeof(double);
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

static void Sample(void* object, float* values, float* rates)
{
    Run* run = object;
    const Model* model = run->model;
    for (int b = 0; b < model->partCount; b++)
        qvBemSystem_Positions(model->system, run->state + 1, b, run->vectors + model->parts[b].firstVertex);
    Copy(run->vectors, model->vertexCount, values);
    for (int b = 0; b < model->partCount; b++)
        qvBemSystem_Velocities(model->system, run->state + 1, b, run->vectors + model->parts[b].firstVertex);
    Copy(run->vectors, model->vertexCount, rates);
}

static void Save(const void* object, void* bytes)
{
    const Run* run = object;
    memcpy(bytes, run->state, run->model->stateSize * sizeof(double));
}

static qvResult Load(void* object, const void* bytes, qvError* error)
{
    Run* run = object;
    (void)error;
    memcpy(run->state, bytes, run->model->stateSize * sizeof(double));
    return qv_ok;
}

// --- The body's points ----------------------------------------------------------------------------------------------

// What placing them takes: all vertices, the points of a part, scratch of a carrier; of pins: the points in the motion
// below, and its own scratch.
typedef struct Places
{
    qvVec3 *vertices, *part;
    char* carrier;
    qvVec3f* below;
    char* scratch;
} Places;

static size_t CarrierSize(const Model* model)
{
    size_t most = 0;
    for (int b = 0; b < model->partCount; b++)
    {
        size_t size = qvCarrier_ScratchSize(model->parts[b].shape->out);
        most = most > size ? most : size;
    }
    return most;
}

static size_t ScratchSize(const void* object)
{
    const Model* model = object;
    size_t points = (size_t)PointCount(model);
    return ((size_t)model->vertexCount + points) * sizeof(qvVec3) + CarrierSize(model) + points * sizeof(double[2]) +
           model->input->below.scratchSize;
}

static Places Divide(const Model* model, void* scratch)
{
    Places places = { .vertices = scratch };
    places.part = places.vertices + model->vertexCount;
    places.carrier = (char*)(places.part + PointCount(model));
    places.below = (qvVec3f*)(places.carrier + CarrierSize(model));
    places.scratch = (char*)places.below + (size_t)PointCount(model) * sizeof(double[2]);
    return places;
}

static void Points(const void* object, double time, const float* values, void* scratch, qvPool* pool, qvVec3f* points)
{
    const Model* model = object;
    const qvBaseMotion* below = &model->input->below;
    Places places = Divide(model, scratch);
    if (model->input->def.follow >= 1.0)
    {
        below->points(below->context, time, places.scratch, pool, points);
        return;
    }
    for (int v = 0; v < model->vertexCount; v++)
        places.vertices[v] = qvMakeVec3(values[3 * v], values[3 * v + 1], values[3 * v + 2]);
    for (int b = 0; b < model->partCount; b++)
    {
        const qvBemPart* part = &model->parts[b];
        qvCarrier_Carry(part->shape->out, places.vertices + part->firstVertex, part->rests, places.carrier, pool,
                        places.part);
        for (int i = 0; i < part->pointCount; i++)
            points[part->points[i]] = qvVec3_ToFloat(places.part[i]);
    }
    if (!qvBemPins_IsActive(model->pins, time))
        return;
    below->points(below->context, time, places.scratch, pool, places.below);
    qvBemPins_Apply(model->pins, time, places.below, points);
}

const qvEngine qvSurfaceEngine = {
    .tag = "surface",
    .label = "Surface",
    .help = "Elastic bodies that ring, bounce and slide, from their surface alone.",
    .version = 3,
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
