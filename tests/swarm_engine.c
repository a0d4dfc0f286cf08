// SPDX-License-Identifier: GPL-3.0-or-later
#include "swarm_engine.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TWO_PI = 6.28318530717958647692;

typedef struct Model
{
    const qvEngineInput* input;
    int count;
    qvVec3 *start, *velocity; // [count] at the start of the span
} Model;

typedef struct Run
{
    const Model* model;
    qvVec3 *position, *velocity; // [count], in one block
} Run;

// One exact step of the springs: position and velocity after `since`.
static void Move(const qvSimulationDef* def, qvVec3 rest, double since, qvVec3* x, qvVec3* v)
{
    double w = TWO_PI * def->wobble, d = 3.0 / def->settle, r = sqrt(w * w - d * d);
    double fade = exp(-d * since), c = fade * cos(r * since), s = fade * sin(r * since) / r;
    qvVec3 middle = qvMulAdd(rest, 1.0 / (w * w), def->gravity), out = qvSub(*x, middle);
    qvVec3 moved = qvAdd(qvScale(c + d * s, out), qvScale(s, *v));
    *v = qvAdd(qvScale(-w * w * s, out), qvScale(c - d * s, *v));
    *x = qvAdd(middle, moved);
}

qvVec3 Swarm_Position(const qvSimulationDef* def, qvVec3 rest, qvVec3 start, qvVec3 velocity, double since)
{
    Move(def, rest, since, &start, &velocity);
    return start;
}

static void Destroy(void* object)
{
    Model* model = object;
    free(model->start);
    free(model->velocity);
    free(model);
}

// Where the body is let go, by the motion below.
static bool FindStart(Model* model)
{
    const qvBaseMotion* below = &model->input->below;
    size_t n = (size_t)model->count;
    const double step = 1e-3;
    qvVec3f* points = qvAllocateRaw(3 * n, sizeof(*points));
    void* scratch = qvAllocateRaw(1, below->scratchSize + 1);
    bool ready = points != NULL && scratch != NULL;
    for (size_t i = 0; ready && i < 3; i++)
        below->points(below->context, model->input->def.time + ((double)i - 1.0) * step, scratch, NULL, points + i * n);
    for (size_t i = 0; ready && i < n; i++)
    {
        model->start[i] = qvVec3_FromFloat(points[n + i]);
        model->velocity[i] =
            qvScale(0.5 / step, qvSub(qvVec3_FromFloat(points[2 * n + i]), qvVec3_FromFloat(points[i])));
    }
    free(points);
    free(scratch);
    return ready;
}

static qvResult Create(const qvEngineInput* input, const qvJob* job, void** out, qvError* error)
{
    (void)job;
    Model* model = qvAllocate(1, sizeof(*model));
    if (model == NULL)
        return qvError_OutOfMemory(error, sizeof(*model));
    model->input = input, model->count = input->mesh->pointCount;
    model->start = qvAllocate((size_t)model->count, sizeof(qvVec3));
    model->velocity = qvAllocate((size_t)model->count, sizeof(qvVec3));
    if (model->start == NULL || model->velocity == NULL || !FindStart(model))
    {
        Destroy(model);
        return qvError_OutOfMemory(error, 48.0 * input->mesh->pointCount);
    }
    *out = model;
    return qv_ok;
}

static int ValueCount(const void* model)
{
    return 3 * ((const Model*)model)->count;
}

static size_t StateSize(const void* model)
{
    return 2 * (size_t)((const Model*)model)->count * sizeof(qvVec3);
}

static void End(void* object)
{
    Run* run = object;
    free(run->position);
    free(run);
}

static void* Begin(const void* object)
{
    const Model* model = object;
    Run* run = qvAllocate(1, sizeof(*run));
    qvVec3* block = qvAllocate(2 * (size_t)model->count, sizeof(*block));
    if (run == NULL || block == NULL)
    {
        free(run);
        free(block);
        return NULL;
    }
    *run = (Run){ model, block, block + model->count };
    memcpy(run->position, model->start, (size_t)model->count * sizeof(qvVec3));
    memcpy(run->velocity, model->velocity, (size_t)model->count * sizeof(qvVec3));
    if (model->input->before != NULL)
        memcpy(run->position, model->input->beforeState, StateSize(model));
    return run;
}

static qvResult Step(void* object, double seconds, const qvJob* job, qvError* error)
{
    Run* run = object;
    const qvEngineInput* input = run->model->input;
    qvResult result = qvJob_Ask(job, error);
    for (int i = 0; result == qv_ok && i < run->model->count; i++)
        Move(&input->def, qvVec3_FromFloat(input->rest[i]), seconds, &run->position[i], &run->velocity[i]);
    return result;
}

static void Sample(void* object, float* values, float* rates)
{
    const Run* run = object;
    for (int i = 0; i < run->model->count; i++)
    {
        qvVec3f x = qvVec3_ToFloat(run->position[i]), v = qvVec3_ToFloat(run->velocity[i]);
        memcpy(values + 3 * i, &x, sizeof(x));
        memcpy(rates + 3 * i, &v, sizeof(v));
    }
}

static void Save(const void* object, void* bytes)
{
    const Run* run = object;
    memcpy(bytes, run->position, StateSize(run->model));
}

static qvResult Load(void* object, const void* bytes, qvError* error)
{
    (void)error;
    Run* run = object;
    memcpy(run->position, bytes, StateSize(run->model));
    return qv_ok;
}

static size_t ScratchSize(const void* model)
{
    (void)model;
    return 0;
}

static void Points(const void* object, double time, const float* values, void* scratch, qvPool* pool, qvVec3f* points)
{
    (void)time, (void)scratch, (void)pool;
    const Model* model = object;
    memcpy(points, values, (size_t)model->count * sizeof(*points));
}

const qvEngine swarmEngine = {
    .tag = "swarm",
    .label = "Swarm",
    .help = "Springs that pull every point to its place.",
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

// --- The body that bursts ------------------------------------------------------------------------------------------

static const double BURST = 0.25; // s from the start until it bursts, and from then until it does so again

double Swarm_BurstTime(const qvSimulationDef* def)
{
    return def->time + BURST;
}

static double ChangesFrom(const void* object)
{
    const qvEngineInput* input = ((const Model*)object)->input;
    if (input->def.follow == 1.0)
        return INFINITY;
    return input->before != NULL ? ChangesFrom(input->before) : Swarm_BurstTime(&input->def);
}

// The corners of one tetrahedron, which faces outwards.
static void PutTetrahedron(qvVec3f at, float size, qvVec3f* positions, int32_t* corners, int first)
{
    static const int32_t FACES[12] = { 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3 };
    positions[0] = at;
    positions[1] = (qvVec3f){ at.x + size, at.y, at.z };
    positions[2] = (qvVec3f){ at.x, at.y + size, at.z };
    positions[3] = (qvVec3f){ at.x, at.y, at.z + size };
    for (int i = 0; i < 12; i++)
        corners[i] = first + FACES[i];
}

static qvResult Extract(const void* object, double time, const float* values, const qvVec3f* points, qvPool* pool,
                        qvMesh** mesh, qvError* error)
{
    (void)values, (void)pool;
    const Model* model = object;
    int pieces = model->count * (time < ChangesFrom(model) + BURST ? 1 : 2);
    float size = (float)(0.05 * model->input->diagonal);
    qvVec3f* positions = qvAllocate(4 * (size_t)pieces, sizeof(*positions));
    int32_t* corners = qvAllocate(12 * (size_t)pieces, sizeof(*corners));
    qvResult result = positions != NULL && corners != NULL ? qv_ok : qvError_OutOfMemory(error, 96.0 * pieces);
    for (int i = 0; result == qv_ok && i < pieces; i++)
    {
        qvVec3f at = points[i % model->count];
        at.x += i < model->count ? 0.0f : 1.5f * size;
        PutTetrahedron(at, size, positions + (size_t)4 * i, corners + (size_t)12 * i, 4 * i);
    }
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = 4 * pieces, def.positions = positions;
    def.faceCount = 4 * pieces, def.corners = corners;
    if (result == qv_ok)
        result = qvCreateMesh(&def, mesh, NULL, error);
    free(positions);
    free(corners);
    return result;
}

const qvEngine burstEngine = {
    .tag = "burst",
    .label = "Burst",
    .help = "Springs that burst.",
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
    .extract = Extract,
    .changesFrom = ChangesFrom,
};
