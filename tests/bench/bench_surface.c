// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies from their surface alone, one thread: preparing the reduced model of round bodies of about 160, 500 and 1000
// points, 4 s of film in which they drop to the ground, and a step of 1/240 s when they lie there. The smallest against
// its full history. Times of preparations and films are those of the processor.
#include "bench.h"

#include "bem/history.h"
#include "bem/system.h"
#include "math/quat.h"
#include "solid.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum
{
    SIZES = 3,
    SETTLE = 120, // steps until the body lies still
    FILM = 960,   // steps of 4 s
};

static double CpuMilliseconds(void)
{
    return 1e3 * (double)clock() / CLOCKS_PER_SEC;
}

static const int cells[SIZES] = { 5, 9, 13 }; // of a rounded block: 152, 488 and 1016 points

// --- Steps ----------------------------------------------------------------------------------------------------------

typedef struct Lying
{
    qvBemSystem* system;
    double* state;
    qvResult result;
    qvBemStepReport report;
} Lying;

static bool Ground(void* context, qvVec3 point, double time, qvBemTouch* touch)
{
    (void)context;
    (void)time;
    *touch = (qvBemTouch){ .distance = point.y + 1.0, .normal = { 0.0, 1.0, 0.0 }, .friction = 0.5 };
    return true;
}

static void StepOnce(void* context)
{
    Lying* lying = context;
    qvError error;
    qvBemStepDef def = { .query = Ground };
    qvResult result = qvBemSystem_Step(lying->system, &def, lying->state, &lying->report, &error);
    lying->result = result != qv_ok ? result : lying->result;
}

static qvResult MeasureSteps(qvBenchSink* sink, const qvBemModel* model, double baseline, qvError* error)
{
    qvBemBodyDef body = qvDefaultBemBodyDef();
    body.model = model;
    body.settle = 0.3;
    qvBemSystemDef def = qvDefaultBemSystemDef();
    def.bodies = &body;
    def.bodyCount = 1;
    Lying lying = { 0 };
    qvResult result = qvCreateBemSystem(&def, NULL, &lying.system, error);
    if (result != qv_ok)
        return result;
    lying.state = calloc((size_t)qvBemSystem_StateSize(lying.system), sizeof(double));
    if (lying.state == NULL)
        result = qvError_OutOfMemory(error, 1e6);
    else
    {
        char name[64];
        qvBemSystem_Rest(lying.system, lying.state);
        lying.state[1] += 0.5; // it drops by a quarter of its size
        double start = CpuMilliseconds();
        for (int n = 0; n < FILM; n++)
            StepOnce(&lying);
        snprintf(name, sizeof(name), "film_%d", model->surface->vertexCount);
        qvBench_Add(sink, name, CpuMilliseconds() - start, "ms", FILM * baseline);
        snprintf(name, sizeof(name), "step_%d", model->surface->vertexCount);
        qvBench_Add(sink, name, 1e3 * qvBench_Time(StepOnce, &lying, 20), "ms", baseline);
        snprintf(name, sizeof(name), "contacts_%d", model->surface->vertexCount);
        qvBench_Add(sink, name, lying.report.contacts, "points", 0.0);
        if (lying.result != qv_ok)
            result = qvError_Set(error, lying.result, "a step of the lying body failed");
    }
    free(lying.state);
    qvDestroyBemSystem(lying.system);
    return result;
}

// --- The full history -----------------------------------------------------------------------------------------------

typedef struct Past
{
    qvBemHistory* history;
    double *traction, *u, *past;
    qvResult result;
} Past;

static void StepHistory(void* context)
{
    Past* past = context;
    qvError error;
    past->result = qvBemHistory_Step(past->history, past->past, past->traction, past->u, NULL, &error);
}

// Milliseconds of preparing and of a step of the full history, at the same frequency and step.
static qvResult MeasureHistory(const qvBemModel* model, double* prepare, double* step, qvError* error)
{
    qvBemHistoryDef def = qvDefaultBemHistoryDef();
    def.surface = model->surface;
    def.dt = 2.0 * 3.14159265358979 * 2.0 / 240.0 / model->omega[0]; // 2 Hz, with a shear speed of 1
    def.quadrature = qvFastQuadrature();
    Past past = { 0 };
    double start = CpuMilliseconds();
    qvResult result = qvCreateBemHistory(&def, NULL, &past.history, error);
    if (result != qv_ok)
        return result;
    *prepare = CpuMilliseconds() - start;
    past.traction = calloc(3 * (size_t)model->surface->nodeCount, sizeof(double));
    past.u = calloc(3 * (size_t)model->surface->vertexCount, sizeof(double));
    past.past = calloc((size_t)qvBemHistory_PastSize(past.history), sizeof(double));
    if (past.traction == NULL || past.u == NULL || past.past == NULL)
        result = qvError_OutOfMemory(error, 1e5);
    for (int n = 0; result == qv_ok && n < SETTLE; n++)
        StepHistory(&past);
    if (result == qv_ok)
        *step = 1e3 * qvBench_Time(StepHistory, &past, 5);
    free(past.traction);
    free(past.u);
    free(past.past);
    qvDestroyBemHistory(past.history);
    return result;
}

static qvResult MeasureBody(qvBenchSink* sink, int size, qvError* error)
{
    qvSolid solid = qvMakeBlock(cells[size], cells[size], cells[size], qvMakeVec3(2.0, 2.0, 2.0), 0.8);
    qvBemModelDef def = qvDefaultBemModelDef();
    def.vertices = solid.vertices;
    def.vertexCount = solid.vertexCount;
    def.triangles = solid.triangles;
    def.triangleCount = solid.triangleCount;
    qvBemModel* model;
    double start = CpuMilliseconds(), history = 0.0;
    qvResult result = qvCreateBemModel(&def, NULL, &model, error);
    double prepared = CpuMilliseconds() - start;
    qvFreeSolid(&solid);
    if (result != qv_ok)
        return result;
    char name[64];
    double full = 0.0;
    if (size == 0)
        result = MeasureHistory(model, &full, &history, error);
    snprintf(name, sizeof(name), "prepare_%d", model->surface->vertexCount);
    qvBench_Add(sink, name, prepared, "ms", full);
    if (result == qv_ok)
        result = MeasureSteps(sink, model, history, error);
    qvDestroyBemModel(model);
    return result;
}

static qvResult Run(qvBenchSink* sink, qvError* error)
{
    qvResult result = qv_ok;
    for (int size = 0; result == qv_ok && size < SIZES; size++)
    {
        qvBench_Tell(sink, "bodies", size, SIZES);
        result = MeasureBody(sink, size, error);
    }
    return result;
}

const qvBench qvBenchSurface = {
    "surface", "bodies from their surface alone: preparing the reduced model, steps with contact", Run,
    "for the smallest body its full history by convolution quadrature",
    "in preparing like the square to the cube of the points, a step like points times modes"
};
