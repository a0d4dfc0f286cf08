// SPDX-License-Identifier: GPL-3.0-or-later
// Sugimoto, Batty, Hachisuka 2022, section 3.2, on the reduced model (bem/system.h): bodies, states, free steps.
#include "bem/system_build.h"

#include "base/assert.h"
#include "base/memory.h"
#include "math/blas.h"
#include "math/mat3.h"
#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double FADED = 3.0;        // ln(20): what "settled" means
static const double MAX_DAMPING = 0.95; // of critical
static const double MAX_PHASE = 0.5;    // omega h of the fastest mode: at 1, contact gains 0.3 % of energy
static const double LONG_PHASE = 0.4;   // where steps are longer than that: 0.5 gains 0.14 % there
static const double BASE_STEP = 1.0 / 240.0;

qvBemBodyDef qvDefaultBemBodyDef(void)
{
    return (qvBemBodyDef){ .wobble = 2.0, .settle = 1.0, .density = 1.0, .friction = 0.5 };
}

qvBemSystemDef qvDefaultBemSystemDef(void)
{
    return (qvBemSystemDef){ .gravity = { 0.0, -9.81, 0.0 }, .tolerance = 3e-6, .maxIterations = 200 };
}

double qvBemStepLength(const qvBemBodyDef* bodies, int bodyCount)
{
    double fastest = 0.0;
    for (int b = 0; b < bodyCount; b++)
    {
        const qvBemModel* model = bodies[b].model;
        fastest = fmax(fastest, 2.0 * QV_PI * bodies[b].wobble * model->omega[model->modeCount - 1] / model->omega[0]);
    }
    return BASE_STEP / fmax(1.0, ceil(fastest * BASE_STEP / MAX_PHASE));
}

qvBemMaterial qvBemMaterialOf(const qvBemModel* model, double wobble, double density)
{
    double speed = 2.0 * QV_PI * wobble / model->omega[0]; // c2
    return (qvBemMaterial){ .density = density, .shear = density * speed * speed, .poisson = model->poisson };
}

static qvResult CheckBody(const qvBemBodyDef* def, int number, qvError* error)
{
    QV_ASSERT(def->model != NULL);
    if (!(def->wobble > 0.0 && def->settle > 0.0 && def->density > 0.0 && def->friction >= 0.0 && def->drag >= 0.0) ||
        !isfinite(def->wobble + def->settle + def->density + def->friction + def->drag))
        return qvError_Set(error, qv_badInput,
                           "body %d: wobble, settle and density must be above 0, friction and drag not below", number);
    return qv_ok;
}

static qvResult CheckJoint(const qvBemSystem* system, const qvBemJoint* joint, int number, qvError* error)
{
    for (int e = 0; e < 2; e++)
    {
        if (joint->body[e] < 0 || joint->body[e] >= system->def.bodyCount || joint->vertex[e] < 0 ||
            joint->vertex[e] >= system->bodies[joint->body[e]].vertexCount)
            return qvError_Set(error, qv_badInput, "joint %d: body %d has no point %d", number, joint->body[e],
                               joint->vertex[e]);
    }
    if (joint->body[0] == joint->body[1])
        return qvError_Set(error, qv_badInput, "joint %d: both ends are on body %d; choose points of two bodies",
                           number, joint->body[0]);
    return qv_ok;
}

// Forces in the step itself are answered in the world's units.
static qvResult UseHistory(qvBemBody* body, double step, const qvJob* job, qvError* error)
{
    const qvBemHistory* history = body->def.history;
    size_t rows = 3 * (size_t)body->vertexCount;
    QV_ASSERT(fabs(qvBemHistory_TimeStep(history) - step) <= 1e-9 * step &&
              (size_t)qvBemHistory_AnswerSize(history) == rows + 6);
    body->own = qvAllocateRaw(rows * rows, sizeof(float));
    if (body->own == NULL)
        return qvError_OutOfMemory(error, 4.0 * (double)(rows * rows));
    body->shear = 1.0;
    body->residual = body->own;
    return qvBemHistory_Compliance(history, body->own, job, error);
}

// Modes that are too fast for so long steps answer forces without inertia: what they give goes into the compliance.
static qvResult UseSlowModes(qvBemBody* body, double step, double speed, qvError* error)
{
    const qvBemModel* model = body->model;
    size_t rows = 3 * (size_t)body->vertexCount;
    body->answering = model->modeCount;
    if (speed * model->omega[model->modeCount - 1] * step <= MAX_PHASE * (1.0 + 1e-9))
        return qv_ok;
    while (body->answering > 0 && speed * model->omega[body->answering - 1] * step > LONG_PHASE)
        body->answering--;
    body->own = qvAllocateRaw(rows * rows, sizeof(float));
    if (body->own == NULL)
        return qvError_OutOfMemory(error, 4.0 * (double)(rows * rows));
    memcpy(body->own, model->residual, rows * rows * sizeof(float));
    for (int m = body->answering; m < model->modeCount; m++)
    {
        const double* phi = model->modes + (size_t)m * rows;
        for (size_t i = 0; i < rows; i++)
        {
            double gain = phi[i] / (model->omega[m] * model->omega[m]);
            for (size_t j = 0; j < rows; j++)
                body->own[i * rows + j] += (float)(gain * phi[j]);
        }
    }
    body->residual = body->own;
    return qv_ok;
}

static qvResult MakeBody(qvBemSystem* system, int number, const qvJob* job, qvError* error)
{
    qvBemBody* body = &system->bodies[number];
    const qvBemBodyDef* def = &system->def.bodies[number];
    qvResult result = CheckBody(def, number, error);
    if (result != qv_ok)
        return result;
    const qvBemModel* model = def->model;
    const qvBemSurface* surface = model->surface;
    double speed = 2.0 * QV_PI * def->wobble / model->omega[0]; // c2
    *body = (qvBemBody){ .def = *def,
                         .model = model,
                         .vertexCount = surface->vertexCount,
                         .modeCount = model->modeCount,
                         .firstVertex = system->vertexCount,
                         .start = system->stateSize,
                         .mass = def->density * surface->volume,
                         .shear = def->density * speed * speed };
    body->inertia = qvMat3_Scaled(def->density, &surface->inertia);
    body->inverse = qvInvertInertia(&body->inertia);
    body->omega = qvAllocate((size_t)model->modeCount, sizeof(double));
    body->oscillators = qvAllocate((size_t)model->modeCount, sizeof(qvOscillator));
    if (body->omega == NULL || body->oscillators == NULL)
        return qvError_OutOfMemory(error, 40.0 * model->modeCount);
    body->residual = model->residual;
    result = def->history != NULL ? UseHistory(body, system->step, job, error)
                                  : UseSlowModes(body, system->step, speed, error);
    if (result != qv_ok)
        return result;
    for (int m = 0; m < model->modeCount; m++)
    {
        body->omega[m] = speed * model->omega[m];
        double damping = fmin(FADED / def->settle / body->omega[m], MAX_DAMPING);
        body->oscillators[m] = qvMakeOscillator(body->omega[m], damping, system->step);
    }
    system->vertexCount += body->vertexCount;
    system->stateSize += (int)(def->history == NULL ? qvBemAnswerAt(body)
                                                    : qvBemPastAt(body) + (size_t)qvBemHistory_PastSize(def->history));
    system->tolerance = fmin(system->tolerance, system->def.tolerance * surface->diameter);
    return qv_ok;
}

// Bodies of the same model share a skin.
static qvResult MakeSkins(qvBemSystem* system, qvError* error)
{
    system->skins = qvAllocate((size_t)system->def.bodyCount, sizeof(*system->skins));
    if (system->skins == NULL)
        return qvError_OutOfMemory(error, 8.0 * system->def.bodyCount);
    for (int b = 0; b < system->def.bodyCount; b++)
    {
        qvBemBody* body = &system->bodies[b];
        for (int other = 0; other < b && body->skin == NULL; other++)
        {
            if (system->bodies[other].model == body->model)
                body->skin = system->bodies[other].skin;
        }
        if (body->skin != NULL)
            continue;
        qvResult result = qvCreateBemSkin(body->model->surface, &system->skins[system->skinCount], error);
        if (result != qv_ok)
            return result;
        body->skin = system->skins[system->skinCount++];
    }
    return qv_ok;
}

qvResult qvCreateBemSystem(const qvBemSystemDef* def, const qvJob* job, qvBemSystem** out, qvError* error)
{
    QV_ASSERT(def->bodyCount > 0 && def->jointCount >= 0);
    *out = NULL;
    qvBemSystem* system = qvAllocate(1, sizeof(*system));
    if (system == NULL)
        return qvError_OutOfMemory(error, sizeof(*system));
    system->def = *def;
    system->step = def->step > 0.0 ? def->step : qvBemStepLength(def->bodies, def->bodyCount);
    system->tolerance = INFINITY;
    system->bodies = qvAllocate((size_t)def->bodyCount, sizeof(*system->bodies));
    system->joints = qvAllocate((size_t)def->jointCount, sizeof(*system->joints));
    qvResult result = system->bodies != NULL && system->joints != NULL ? qv_ok : qvError_OutOfMemory(error, 1e3);
    for (int b = 0; result == qv_ok && b < def->bodyCount; b++)
        result = MakeBody(system, b, job, error);
    if (result == qv_ok && def->bodyCount > 1)
        result = MakeSkins(system, error);
    for (int j = 0; result == qv_ok && j < def->jointCount; j++)
    {
        system->joints[j] = def->joints[j];
        result = CheckJoint(system, &def->joints[j], j, error);
    }
    if (result != qv_ok)
    {
        qvDestroyBemSystem(system);
        return result;
    }
    *out = system;
    return qv_ok;
}

void qvDestroyBemSystem(qvBemSystem* system)
{
    if (system == NULL)
        return;
    for (int b = 0; system->bodies != NULL && b < system->def.bodyCount; b++)
    {
        free(system->bodies[b].omega);
        free(system->bodies[b].own);
        free(system->bodies[b].oscillators);
    }
    for (int s = 0; s < system->skinCount; s++)
        qvDestroyBemSkin(system->skins[s]);
    free(system->skins);
    free(system->bodies);
    free(system->joints);
    free(system);
}

void qvBemSystem_HangJoint(qvBemSystem* system, int joint, const qvVec3 offset[2])
{
    QV_ASSERT(joint >= 0 && joint < system->def.jointCount);
    memcpy(system->joints[joint].offset, offset, sizeof(system->joints[joint].offset));
}

// --- State ----------------------------------------------------------------------------------------------------------

int qvBemSystem_StateSize(const qvBemSystem* system)
{
    return system->stateSize;
}

static qvQuat RotationOf(const double* state)
{
    const double* r = state + qv_stateRotation;
    return (qvQuat){ r[0], r[1], r[2], r[3] };
}

static void PutRotation(double* state, qvQuat q)
{
    double* r = state + qv_stateRotation;
    r[0] = q.x;
    r[1] = q.y;
    r[2] = q.z;
    r[3] = q.w;
}

qvMat3 qvBemRotation(const double* state)
{
    qvQuat q = RotationOf(state);
    qvVec3 x = qvQuat_Rotate(q, qvMakeVec3(1, 0, 0)), y = qvQuat_Rotate(q, qvMakeVec3(0, 1, 0));
    qvVec3 z = qvQuat_Rotate(q, qvMakeVec3(0, 0, 1));
    return (qvMat3){ { { x.x, y.x, z.x }, { x.y, y.y, z.y }, { x.z, y.z, z.z } } };
}

void qvBemSystem_Rest(const qvBemSystem* system, double* state)
{
    memset(state, 0, (size_t)system->stateSize * sizeof(double));
    for (int b = 0; b < system->def.bodyCount; b++)
    {
        double* own = state + system->bodies[b].start;
        qvBemPut(own + qv_statePlace, system->bodies[b].model->surface->centroid);
        PutRotation(own, qvQuat_Identity());
    }
}

void qvBemSystem_Move(const qvBemSystem* system, double* state, int body, qvVec3 shift, qvQuat rotation,
                      qvVec3 velocity, qvVec3 spin)
{
    QV_ASSERT(body >= 0 && body < system->def.bodyCount);
    double* own = state + system->bodies[body].start;
    PutRotation(own, qvQuat_Normalize(qvQuat_Multiply(rotation, RotationOf(own))));
    qvBemPut(own + qv_statePlace, qvAdd(qvBemGet(own + qv_statePlace), shift));
    qvBemPut(own + qv_stateVelocity, velocity);
    qvMat3 turn = qvBemRotation(own), back = qvMat3_Transpose(&turn);
    qvVec3 momentum = qvMat3_Apply(&system->bodies[body].inertia, qvMat3_Apply(&back, spin));
    qvBemPut(own + qv_stateMomentum, qvMat3_Apply(&turn, momentum));
}

qvBemPose qvBemSystem_Pose(const qvBemSystem* system, double* state, int body)
{
    QV_ASSERT(body >= 0 && body < system->def.bodyCount);
    const qvBemBody* own = &system->bodies[body];
    double* part = state + own->start;
    qvMat3 turn = qvBemRotation(part), back = qvMat3_Transpose(&turn);
    qvVec3 local = qvMat3_Apply(&own->inverse, qvMat3_Apply(&back, qvBemGet(part + qv_stateMomentum)));
    return (qvBemPose){ .place = qvBemGet(part + qv_statePlace),
                        .rotation = RotationOf(part),
                        .velocity = qvBemGet(part + qv_stateVelocity),
                        .spin = qvMat3_Apply(&turn, local),
                        .q = part + qv_stateModes,
                        .rates = part + qv_stateModes + own->modeCount };
}

void qvBemSystem_SetPose(const qvBemSystem* system, double* state, int body, const qvBemPose* pose)
{
    QV_ASSERT(body >= 0 && body < system->def.bodyCount);
    const qvBemBody* own = &system->bodies[body];
    double* part = state + own->start;
    qvBemPut(part + qv_statePlace, pose->place);
    PutRotation(part, qvQuat_Normalize(pose->rotation));
    qvBemPut(part + qv_stateVelocity, pose->velocity);
    qvMat3 turn = qvBemRotation(part), back = qvMat3_Transpose(&turn);
    qvVec3 local = qvMat3_Apply(&own->inertia, qvMat3_Apply(&back, pose->spin));
    qvBemPut(part + qv_stateMomentum, qvMat3_Apply(&turn, local));
}

static const double* ForcesOf(const qvBemBody* body, const double* own)
{
    return own + qvBemForcesAt(body);
}

void qvBemDisplacements(const qvBemBody* body, const double* own, double* u)
{
    int rows = 3 * body->vertexCount;
    const double* forces = ForcesOf(body, own);
    qvMat3 rotation = qvBemRotation(own), back = qvMat3_Transpose(&rotation);
    qvBlas_Multiply(false, false, rows, 1, body->modeCount, 1.0, body->model->modes, rows, own + qv_stateModes,
                    body->modeCount, 0.0, u, rows);
    if (body->def.history != NULL)
    {
        qvBlas_AddScaled(rows, 1.0, own + qvBemAnswerAt(body), u);
        return;
    }
    for (int v = 0; v < body->vertexCount; v++)
    {
        qvVec3 f = qvBemGet(forces + 3 * v);
        if (f.x == 0.0 && f.y == 0.0 && f.z == 0.0)
            continue;
        f = qvScale(1.0 / body->shear, qvMat3_Apply(&back, f));
        const float* c = body->residual + 3 * (size_t)v * (size_t)rows; // symmetric: rows are columns
        for (int i = 0; i < rows; i++)
            u[i] += f.x * c[i] + f.y * c[rows + i] + f.z * c[2 * rows + i];
    }
}

void qvBemSystem_Displacements(const qvBemSystem* system, const double* state, int number, qvVec3* displacements)
{
    _Static_assert(sizeof(qvVec3) == 3 * sizeof(double), "points are three doubles");
    qvBemDisplacements(&system->bodies[number], state + system->bodies[number].start, (double*)displacements);
}

void qvBemSystem_Positions(const qvBemSystem* system, const double* state, int number, qvVec3* positions)
{
    const qvBemBody* body = &system->bodies[number];
    const double* own = state + body->start;
    qvMat3 rotation = qvBemRotation(own);
    qvVec3 place = qvBemGet(own + qv_statePlace), centroid = body->model->surface->centroid;
    qvBemSystem_Displacements(system, state, number, positions); // then places, in the same memory
    for (int v = 0; v < body->vertexCount; v++)
    {
        qvVec3 local = qvAdd(qvSub(body->model->surface->vertices[v], centroid), positions[v]);
        positions[v] = qvAdd(place, qvMat3_Apply(&rotation, local));
    }
}

// The rate of a mode at the end of a step. States have those between two kicks: without half of the next one, what is
// pressed would never seem at rest.
static double RateOf(const qvBemSystem* system, const qvBemBody* body, const double* own, const qvMat3* back, int mode)
{
    const double *phi = body->model->modes + (size_t)mode * 3 * (size_t)body->vertexCount,
                 *forces = ForcesOf(body, own);
    double load = 0.0;
    for (int v = 0; mode < body->answering && v < body->vertexCount; v++)
    {
        qvVec3 f = qvBemGet(forces + 3 * v);
        if (f.x != 0.0 || f.y != 0.0 || f.z != 0.0)
            load += qvDot(qvMat3_Apply(back, f), qvBemGet(phi + 3 * v));
    }
    return own[qv_stateModes + body->modeCount + mode] + 0.5 * system->step * load / body->def.density;
}

// As backward Euler has them.
static void AddAnswerRates(const qvBemSystem* system, const qvBemBody* body, const double* own, qvVec3* rates)
{
    const double *now, *before;
    qvBemHistory_Last(body->def.history, own + qvBemPastAt(body), &now, &before);
    for (int v = 0; now != NULL && v < body->vertexCount; v++)
    {
        qvVec3 from = before != NULL ? qvBemGet(before + 3 * v) : qvMakeVec3(0.0, 0.0, 0.0);
        rates[v] = qvMulAdd(rates[v], 1.0 / system->step, qvSub(qvBemGet(now + 3 * v), from));
    }
}

void qvBemSystem_Velocities(const qvBemSystem* system, const double* state, int number, qvVec3* velocities)
{
    const qvBemBody* body = &system->bodies[number];
    const double* own = state + body->start;
    qvMat3 rotation = qvBemRotation(own), back = qvMat3_Transpose(&rotation);
    qvVec3 velocity = qvBemGet(own + qv_stateVelocity);
    qvVec3 spin = qvMat3_Apply(&body->inverse, qvMat3_Apply(&back, qvBemGet(own + qv_stateMomentum)));
    qvBemSystem_Positions(system, state, number, velocities);
    for (int v = 0; v < body->vertexCount; v++)
    {
        qvVec3 arm = qvMat3_Apply(&back, qvSub(velocities[v], qvBemGet(own + qv_statePlace)));
        velocities[v] = qvCross(spin, arm);
    }
    for (int m = 0; m < body->modeCount; m++)
    {
        const double* phi = body->model->modes + (size_t)m * 3 * (size_t)body->vertexCount;
        double rate = RateOf(system, body, own, &back, m);
        for (int v = 0; v < body->vertexCount; v++)
            velocities[v] = qvMulAdd(velocities[v], rate, qvBemGet(phi + 3 * v));
    }
    if (body->def.history != NULL)
        AddAnswerRates(system, body, own, velocities);
    for (int v = 0; v < body->vertexCount; v++)
        velocities[v] = qvAdd(velocity, qvMat3_Apply(&rotation, velocities[v]));
}

void qvBemSystem_Forces(const qvBemSystem* system, const double* state, int number, qvVec3* forces)
{
    const qvBemBody* body = &system->bodies[number];
    memcpy(forces, ForcesOf(body, state + body->start), (size_t)body->vertexCount * sizeof(*forces));
}

static double BodyEnergy(const qvBemSystem* system, const qvBemBody* body, const double* own)
{
    const double *q = own + qv_stateModes, *v = q + body->modeCount, *forces = v + body->modeCount;
    qvMat3 rotation = qvBemRotation(own), back = qvMat3_Transpose(&rotation);
    qvVec3 velocity = qvBemGet(own + qv_stateVelocity), momentum = qvBemGet(own + qv_stateMomentum);
    qvVec3 local = qvMat3_Apply(&back, momentum);
    double energy = 0.5 * body->mass * qvDot(velocity, velocity);
    energy += 0.5 * qvDot(local, qvMat3_Apply(&body->inverse, local));
    energy -= body->mass * qvDot(system->def.gravity, qvBemGet(own + qv_statePlace));
    for (int m = 0; m < body->modeCount; m++)
        energy += 0.5 * body->def.density * (v[m] * v[m] + body->omega[m] * body->omega[m] * q[m] * q[m]);
    // The residual compliance under its forces.
    for (int a = 0; body->def.history == NULL && a < body->vertexCount; a++)
    {
        qvVec3 fa = qvMat3_Apply(&back, qvBemGet(forces + 3 * a));
        if (qvDot(fa, fa) == 0.0)
            continue;
        const double left[3] = { fa.x, fa.y, fa.z };
        for (int b = 0; b < body->vertexCount; b++)
        {
            qvVec3 fb = qvMat3_Apply(&back, qvBemGet(forces + 3 * b));
            for (int k = 0; k < 3; k++)
            {
                const float* c = body->residual + (3 * (size_t)a + (size_t)k) * 3 * (size_t)body->vertexCount;
                energy += 0.5 / body->shear * left[k] * (c[3 * b] * fb.x + c[3 * b + 1] * fb.y + c[3 * b + 2] * fb.z);
            }
        }
    }
    return energy;
}

double qvBemSystem_Energy(const qvBemSystem* system, const double* state)
{
    double sum = 0.0;
    for (int b = 0; b < system->def.bodyCount; b++)
        sum += BodyEnergy(system, &system->bodies[b], state + system->bodies[b].start);
    return sum;
}

// --- A step of one body ---------------------------------------------------------------------------------------------

// The history's answer to forces in the body's axes: what it recalls, and what they do at once.
static void Answer(const qvBemBody* body, const double* before, const double* forces, double* after)
{
    const qvBemHistory* history = body->def.history;
    int size = qvBemHistory_AnswerSize(history);
    const double* now = qvBemHistory_Now(history);
    double* answer = after + qvBemAnswerAt(body);
    memcpy(answer, before + qvBemNextAt(body), (size_t)size * sizeof(double));
    for (int i = 0; i < 3 * body->vertexCount; i++)
    {
        if (forces[i] != 0.0)
            qvBlas_AddScaled(size, forces[i], now + (size_t)i * (size_t)size, answer);
    }
}

qvResult qvBemRemember(const qvBemBody* body, const double* before, qvPool* pool, double* after, qvError* error)
{
    const qvBemHistory* history = body->def.history;
    qvMat3 rotation = qvBemRotation(before), back = qvMat3_Transpose(&rotation); // as when the forces were answered
    double *past = after + qvBemPastAt(body), *forces = qvAllocate(3 * (size_t)body->vertexCount, sizeof(double));
    if (forces == NULL)
        return qvError_OutOfMemory(error, 24.0 * body->vertexCount);
    for (int v = 0; v < body->vertexCount; v++)
        qvBemPut(forces + 3 * v, qvMat3_Apply(&back, qvBemGet(after + qvBemForcesAt(body) + 3 * v)));
    memcpy(past, before + qvBemPastAt(body), (size_t)qvBemHistory_PastSize(history) * sizeof(double));
    qvBemHistory_Remember(history, past, forces, after + qvBemAnswerAt(body));
    free(forces);
    return qvBemHistory_Recall(history, past, pool, after + qvBemNextAt(body), error);
}

void qvBemAdvance(const qvBemSystem* system, const qvBemBody* body, const double* before, const double* forces,
                  qvVec3 torque, double* after)
{
    double h = system->step, fade = exp(-body->def.drag * h);
    int rows = 3 * body->vertexCount;
    qvMat3 rotation = qvBemRotation(before), back = qvMat3_Transpose(&rotation);
    const double *q = before + qv_stateModes, *v = q + body->modeCount;
    double *newQ = after + qv_stateModes, *newV = newQ + body->modeCount, *newForces = newV + body->modeCount;
    qvVec3 total = { 0.0, 0.0, 0.0 };
    qvVec3 spin = qvMat3_Apply(&body->inverse, qvMat3_Apply(&back, qvBemGet(before + qv_stateMomentum)));
    bool loaded = false;
    for (int i = 0; i < body->vertexCount; i++)
    {
        qvVec3 f = qvBemGet(forces + 3 * i);
        loaded = loaded || f.x != 0.0 || f.y != 0.0 || f.z != 0.0;
        total = qvAdd(total, f);
        qvBemPut(newForces + 3 * i, qvMat3_Apply(&back, f)); // in the body's axes, for a moment
    }
    for (int m = 0; m < body->modeCount; m++)
        newV[m] = v[m] + h * qvBemModel_SpinLoad(body->model, m, spin);
    if (loaded && body->answering > 0)
        qvBlas_Multiply(true, false, body->answering, 1, rows, h / body->def.density, body->model->modes, rows,
                        newForces, rows, 1.0, newV, body->modeCount);
    for (int m = 0; m < body->modeCount; m++)
    {
        const qvOscillator* o = &body->oscillators[m];
        double kicked = newV[m];
        newQ[m] = o->a11 * q[m] + o->a12 * kicked;
        newV[m] = o->a21 * q[m] + o->a22 * kicked;
    }
    if (body->def.history != NULL)
        Answer(body, before, newForces, after);
    qvVec3 velocity = qvMulAdd(qvScale(fade, qvBemGet(before + qv_stateVelocity)), h, system->def.gravity);
    velocity = qvMulAdd(velocity, h / body->mass, total);
    qvVec3 momentum = qvMulAdd(qvScale(fade, qvBemGet(before + qv_stateMomentum)), h, torque);
    qvVec3 turn = qvScale(h, qvMidpointSpin(&rotation, &body->inertia, momentum, h));
    qvBemPut(after + qv_statePlace, qvMulAdd(qvBemGet(before + qv_statePlace), h, velocity));
    PutRotation(after, qvQuat_Normalize(qvQuat_Multiply(qvQuat_Exp(turn), RotationOf(before))));
    qvBemPut(after + qv_stateVelocity, velocity);
    qvBemPut(after + qv_stateMomentum, momentum);
    memcpy(newForces, forces, (size_t)rows * sizeof(double));
}
