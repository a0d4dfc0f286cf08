// SPDX-License-Identifier: GPL-3.0-or-later
// The simulation engine "surface": elastic bodies by boundary elements (R. Sugimoto, C. Batty, T. Hachisuka,
// "Surface-Only Dynamic Deformables using a Boundary Element Method", 2022) as spans on the timeline. Each connected
// part is a body of its own: a proxy with a reduced model (shape.h) that moves in a system (system.h). A frame is the
// positions of the proxies' vertices, which carry the body's points (body/carrier.h), and the forces on them.
#include "bem/surface_model.h"

#include "base/memory.h"
#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double FADED = 3.0;       // ln(20): what "settled" means
static const double MOST_STRAIN = 0.3; // thicknesses that linear elasticity can show

// The bodies with steps of that length; 0: the one that fits them.
qvResult qvSurfaceModel_MakeSystem(const qvSurfaceModel* model, double step, const qvJob* job, qvBemSystem** system,
                                   qvError* error)
{
    qvBemSystemDef def = qvDefaultBemSystemDef();
    def.bodies = model->bodies;
    def.bodyCount = model->partCount;
    def.joints = model->joints;
    def.jointCount = model->jointCount;
    def.gravity = model->input->def.gravity;
    def.step = step;
    return qvCreateBemSystem(&def, job, system, error);
}

static qvResult MakeBodies(qvSurfaceModel* model, const qvJob* job, qvError* error)
{
    model->bodies = qvAllocate((size_t)model->partCount, sizeof(*model->bodies));
    if (model->bodies == NULL)
        return qvError_OutOfMemory(error, 64.0 * model->partCount);
    for (int w = 0; w < model->wholeCount; w++)
    {
        const qvSurfaceWhole* whole = &model->wholes[w];
        qvEnginePart material = qvSurfaceModel_MaterialOf(model, w);
        for (int b = whole->firstPart; b < whole->firstPart + whole->partCount; b++)
        {
            qvBemBodyDef* body = &model->bodies[b];
            *body = qvDefaultBemBodyDef();
            body->model = model->parts[b].shape->model;
            body->wobble = material.wobble * model->parts[b].share;
            body->settle = material.settle;
            body->friction = material.friction;
            body->density *= material.density;
            body->drag = model->input->pinCount > 0 ? FADED / material.settle : 0.0; // what hangs would swing for ever
        }
    }
    model->step = qvBemStepLength(model->bodies, model->partCount);
    qvResult result = qvSurfaceModel_MakeHistories(model, job, error);
    if (result == qv_ok)
        result = qvSurfaceModel_FindJoints(model, error);
    if (result == qv_ok)
        result = qvSurfaceModel_MakeSystem(model, model->step, job, &model->system, error);
    if (result != qv_ok)
        return result;
    model->stateSize = 1 + (size_t)qvBemSystem_StateSize(model->system);
    model->start = qvAllocate(model->stateSize, sizeof(double));
    return model->start != NULL ? qv_ok : qvError_OutOfMemory(error, 8.0 * (double)model->stateSize);
}

// A body of a state in the motion of its vertices.
double qvSurfaceModel_SetBody(const qvSurfaceModel* model, int body, const qvMoving* motion, const qvSurfaceRoom* room,
                              double* state)
{
    const qvBemPart* part = &model->parts[body];
    qvBemPose pose = qvBemSystem_Pose(model->system, state + 1, body);
    double strain = qvBemShape_Fit(part->shape, motion->at + part->firstVertex, motion->velocity + part->firstVertex,
                                   MOST_STRAIN, room->fit, &pose);
    qvBemSystem_SetPose(model->system, state + 1, body, &pose);
    return strain;
}

// Pose and velocity of the motion below; what modes cannot show of the pose the carrier keeps.
static void TakeOver(qvSurfaceModel* model, const qvMoving* motion, const qvSurfaceRoom* room)
{
    qvBemSystem_Rest(model->system, model->start + 1);
    const qvVec3f* points = qvBelow_Points(&room->below, model->input->def.time);
    for (int b = 0; b < model->partCount; b++)
    {
        qvBemPart* part = &model->parts[b];
        qvSurfaceModel_SetBody(model, b, motion, room, model->start);
        qvVec3 *vertices = motion->at + part->firstVertex, *shown = motion->velocity + part->firstVertex;
        qvQuat back = qvQuat_Conjugate(qvBemSystem_Pose(model->system, model->start + 1, b).rotation);
        qvBemSystem_Positions(model->system, model->start + 1, b, shown);
        for (int v = 0; v < part->shape->proxy->vertexCount; v++)
            part->gaps[v] = qvQuat_Rotate(back, qvSub(vertices[v], shown[v]));
        memcpy(vertices, shown, (size_t)part->shape->proxy->vertexCount * sizeof(*vertices));
        for (int v = 0; v < part->shape->proxy->vertexCount; v++) // as frames have them
            vertices[v] = qvVec3_FromFloat(qvVec3_ToFloat(vertices[v]));
    }
    for (int w = 0; w < model->wholeCount; w++)
    {
        const qvSurfaceWhole* whole = &model->wholes[w];
        qvBemPart* part = &model->parts[whole->firstPart];
        const qvVec3* surface = qvSurfaceModel_Surface(model, whole, motion->at, room->surface);
        qvSurfaceRoom_Gather(part, points, room);
        qvCarrier_FindRests(qvSurfaceModel_Carrier(model, whole), surface, room->part, room->carrier, NULL,
                            part->rests);
    }
}

static void Destroy(void* object)
{
    qvSurfaceModel* model = object;
    qvDestroyBemPins(model->pins);
    qvDestroyBemSystem(model->system);
    if (!model->isBorrowed)
    {
        qvSurfaceModel_FreeHistories(model);
        qvSurfaceModel_FreeParts(model);
    }
    free(model->bodies);
    free(model->joints);
    free(model->start);
    free(model);
}

// The body is let go from the motion below.
static qvResult LetGo(qvSurfaceModel* model, const qvVec3* shape, const qvJob* job, qvError* error)
{
    qvResult result = qvSurfaceModel_MakeParts(model, shape, job, error);
    if (result == qv_ok)
        result = MakeBodies(model, job, error);
    if (result != qv_ok)
        return result;
    qvSurfaceRoom room = { 0 };
    qvMoving motion = { .at = qvAllocate(2 * (size_t)model->vertexCount, sizeof(qvVec3)) };
    if (motion.at == NULL || !qvSurfaceRoom_Make(model, &room))
        result = qvError_OutOfMemory(error, 100.0 * qvSurfaceModel_PointCount(model));
    else
    {
        motion.velocity = motion.at + model->vertexCount;
        qvSurfaceRoom_Motion(model, model->input->def.time, &room, &motion);
        TakeOver(model, &motion, &room);
    }
    free(motion.at);
    qvSurfaceRoom_Free(&room);
    return result;
}

// The body of the span before goes on as it is.
static qvResult GoOn(qvSurfaceModel* model, const qvJob* job, qvError* error)
{
    const qvSurfaceModel* before = model->input->before;
    model->isBorrowed = true;
    model->parts = before->parts;
    model->shapes = before->shapes;
    model->wholes = before->wholes;
    model->wholeCount = before->wholeCount;
    model->seams = before->seams;
    model->seamCount = before->seamCount;
    model->shapeCount = before->shapeCount;
    model->partCount = before->partCount;
    model->vertexCount = before->vertexCount;
    qvResult result = MakeBodies(model, job, error);
    if (result == qv_ok)
    {
        memcpy(model->start, model->input->beforeState, model->stateSize * sizeof(double));
        model->start[0] = 0.0;
    }
    return result;
}

// Where the body's points are without strain.
static qvResult FindShapeOfBody(const qvSurfaceModel* model, qvVec3* shape, qvError* error)
{
    const qvEngineInput* input = model->input;
    int count = qvSurfaceModel_PointCount(model);
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

static qvResult Fill(qvSurfaceModel* model, const qvJob* job, qvError* error)
{
    const qvEngineInput* input = model->input;
    qvVec3* shape = qvAllocateRaw((size_t)qvSurfaceModel_PointCount(model), sizeof(*shape));
    if (shape == NULL)
        return qvError_OutOfMemory(error, 24.0 * qvSurfaceModel_PointCount(model));
    qvResult result = FindShapeOfBody(model, shape, error);
    if (result == qv_ok)
        result = input->before != NULL ? GoOn(model, job, error) : LetGo(model, shape, job, error);
    if (result == qv_ok)
        result = qvSurfaceModel_HangJoints(model, error);
    if (result == qv_ok)
        result = qvCreateBemPins(input, model->parts, model->partCount, shape, &model->pins, error);
    free(shape);
    return result;
}

static qvResult Create(const qvEngineInput* input, const qvJob* job, void** out, qvError* error)
{
    qvSurfaceModel* model = qvAllocate(1, sizeof(*model));
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

static int ValueCount(const void* model)
{
    return 6 * ((const qvSurfaceModel*)model)->vertexCount;
}

static size_t StateSize(const void* object)
{
    return ((const qvSurfaceModel*)object)->stateSize * sizeof(double);
}

const qvEngine qvSurfaceEngine = {
    .tag = "surface",
    .label = "Surface",
    .help = "elastic bodies that ring, bounce, slide and stack.",
    .version = 6,
    .create = Create,
    .destroy = Destroy,
    .valueCount = ValueCount,
    .stateSize = StateSize,
    .begin = qvSurfaceRun_Begin,
    .end = qvSurfaceRun_End,
    .step = qvSurfaceRun_Step,
    .sample = qvSurfaceRun_Sample,
    .save = qvSurfaceRun_Save,
    .load = qvSurfaceRun_Load,
    .scratchSize = qvSurfaceModel_ScratchSize,
    .points = qvSurfaceModel_Points,
    .channelCount = qv_surfaceChannels,
    .channels = qvSurfaceChannels,
    .shownCount = qvSurfaceModel_ShownCount,
    .shownRadius = qvSurfaceModel_ShownRadius,
    .show = qvSurfaceModel_Show,
};
