// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies from their surface alone, one thread: preparing the reduced model of round bodies of about 160, 500 and 1000
// points, reading it back from a file, 4 s of film in which they drop to the ground, and a step of 1/240 s when they
// lie there; how these grow. The smallest against its full history, and that compressed. Times are those of the
// processor.
#include "bench.h"

#include "bem/history.h"
#include "bem/system.h"
#include "math/quat.h"
#include "solid.h"
#include "surface_squeeze.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
    SIZES = 3,
    SETTLE = 120, // steps until the body lies still
    FILM = 960,   // steps of 4 s
};

static const double PAPER_STEP =
    1419.0; // ms: the paper's bunny of 3,485 vertices with the friction that costs it least

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
    double edge;    // of the ground, along x
    double* before; // to begin each step from; NULL: from where the last one ended
    qvResult result;
    qvBemStepReport report;
} Lying;

// What one size has shown, for the fits.
typedef struct Costs
{
    int vertices;
    double prepare, step; // ms
} Costs;

// There is ground for points on one side of its edge.
static bool Ground(void* context, qvVec3 point, double time, qvBemTouch* touch)
{
    const double* edge = context;
    (void)time;
    *touch = (qvBemTouch){ .distance = point.y + 1.0, .normal = { 0.0, 1.0, 0.0 }, .friction = 0.5 };
    return point.x <= *edge;
}

static void StepOnce(void* context)
{
    Lying* lying = context;
    qvError error;
    qvBemStepDef def = { .query = Ground, .context = &lying->edge };
    if (lying->before != NULL)
        memcpy(lying->state, lying->before, (size_t)qvBemSystem_StateSize(lying->system) * sizeof(double));
    qvResult result = qvBemSystem_Step(lying->system, &def, lying->state, &lying->report, &error);
    lying->result = result != qv_ok ? result : lying->result;
}

// The exponent with which a cost grows.
static double Exponent(double from, double to, double few, double many)
{
    return log(to / from) / log(many / few);
}

// A step on all of the ground, and on half of it, from the same state: how it grows with contacts.
static void MeasureContacts(qvBenchSink* sink, Lying* lying, const char* size)
{
    char name[64];
    size_t bytes = (size_t)qvBemSystem_StateSize(lying->system) * sizeof(double);
    lying->before = malloc(bytes);
    if (lying->before == NULL)
        return;
    memcpy(lying->before, lying->state, bytes);
    double all = 1e3 * qvBench_CpuTime(StepOnce, lying, 20);
    int contacts = lying->report.contacts;
    lying->edge = 0.0;
    double half = 1e3 * qvBench_CpuTime(StepOnce, lying, 20);
    snprintf(name, sizeof(name), "contacts_%s", size);
    qvBench_Add(sink, name, contacts, "points", 0.0);
    if (lying->report.contacts > 0 && lying->report.contacts < contacts)
    {
        snprintf(name, sizeof(name), "growth_with_contacts_%s", size);
        qvBench_Add(sink, name, Exponent(half, all, lying->report.contacts, contacts), "power", 0.0);
    }
    free(lying->before);
    lying->before = NULL;
    lying->edge = INFINITY;
}

static qvResult MeasureSteps(qvBenchSink* sink, const qvBemModel* model, const char* size, double baseline,
                             double* step, qvError* error)
{
    qvBemBodyDef body = qvDefaultBemBodyDef();
    body.model = model;
    body.settle = 0.3;
    qvBemSystemDef def = qvDefaultBemSystemDef();
    def.bodies = &body;
    def.bodyCount = 1;
    Lying lying = { .edge = INFINITY };
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
        snprintf(name, sizeof(name), "film_%s", size);
        qvBench_Add(sink, name, CpuMilliseconds() - start, "ms", FILM * baseline);
        *step = 1e3 * qvBench_CpuTime(StepOnce, &lying, 20);
        snprintf(name, sizeof(name), "step_%s", size);
        qvBench_Add(sink, name, *step, "ms", baseline);
        snprintf(name, sizeof(name), "step_%s_beside_the_papers_bunny", size);
        qvBench_Add(sink, name, *step, "ms", PAPER_STEP);
        MeasureContacts(sink, &lying, size);
        if (lying.result != qv_ok)
            result = qvError_Set(error, lying.result, "a step of the lying body failed");
    }
    free(lying.state);
    qvDestroyBemSystem(lying.system);
    return result;
}

// From a file, as the cache on disk has it.
static qvResult MeasureReading(qvBenchSink* sink, const qvBemModel* model, const char* size, double prepared,
                               qvError* error)
{
    char name[64];
    void* bytes;
    size_t count;
    qvResult result = qvBemModel_Write(model, &bytes, &count, error);
    FILE* file = result == qv_ok ? tmpfile() : NULL;
    if (result == qv_ok && (file == NULL || fwrite(bytes, 1, count, file) != count || fflush(file) != 0))
        result = qvError_Set(error, qv_ioFailed, "a temporary file of %.0f MB cannot be written", 1e-6 * (double)count);
    double start = CpuMilliseconds();
    if (result == qv_ok)
    {
        qvBemModel* read = NULL;
        rewind(file);
        if (fread(bytes, 1, count, file) != count)
            result = qvError_Set(error, qv_ioFailed, "a temporary file cannot be read");
        else
            result = qvReadBemModel(bytes, count, &read, error);
        snprintf(name, sizeof(name), "read_%s", size);
        qvBench_Add(sink, name, CpuMilliseconds() - start, "ms", prepared);
        qvDestroyBemModel(read);
    }
    if (file != NULL)
        fclose(file);
    free(bytes);
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

static qvResult MakeModel(int size, int loads, qvBemModel** model, qvError* error)
{
    qvSolid solid = qvMakeBlock(cells[size], cells[size], cells[size], qvMakeVec3(2.0, 2.0, 2.0), 0.8);
    qvBemModelDef def = qvDefaultBemModelDef();
    def.vertices = solid.vertices;
    def.vertexCount = solid.vertexCount;
    def.triangles = solid.triangles;
    def.triangleCount = solid.triangleCount;
    def.loads = loads > 0 ? loads : def.loads;
    qvResult result = qvCreateBemModel(&def, NULL, model, error);
    qvFreeSolid(&solid);
    return result;
}

static qvResult MeasureBody(qvBenchSink* sink, int size, Costs* costs, qvError* error)
{
    qvBemModel* model;
    double start = CpuMilliseconds(), history = 0.0;
    qvResult result = MakeModel(size, 0, &model, error);
    if (result != qv_ok)
        return result;
    char name[64], number[16];
    double full = 0.0;
    *costs = (Costs){ .vertices = model->surface->vertexCount, .prepare = CpuMilliseconds() - start };
    snprintf(number, sizeof(number), "%d", costs->vertices);
    if (size == 0)
        result = MeasureHistory(model, &full, &history, error);
    snprintf(name, sizeof(name), "prepare_%s", number);
    qvBench_Add(sink, name, costs->prepare, "ms", full);
    if (result == qv_ok)
        result = MeasureReading(sink, model, number, costs->prepare, error);
    if (result == qv_ok)
        result = MeasureSteps(sink, model, number, history, &costs->step, error);
    if (result == qv_ok && size == 0)
        result = qvBenchSqueeze(sink, model, error);
    qvDestroyBemModel(model);
    return result;
}

// The smallest body with half as many modes.
static qvResult MeasureModes(qvBenchSink* sink, qvError* error)
{
    qvBemModel* models[2] = { NULL, NULL };
    double step[2] = { 0.0, 0.0 };
    qvResult result = qv_ok;
    for (int i = 0; result == qv_ok && i < 2; i++)
    {
        result = MakeModel(0, i == 0 ? 40 : 0, &models[i], error);
        if (result == qv_ok)
            result = MeasureSteps(sink, models[i], i == 0 ? "of_few_modes" : "of_all_modes", 0.0, &step[i], error);
    }
    if (result == qv_ok)
        qvBench_Add(sink, "growth_of_step_with_modes",
                    Exponent(step[0], step[1], models[0]->modeCount, models[1]->modeCount), "power", 0.0);
    qvDestroyBemModel(models[0]);
    qvDestroyBemModel(models[1]);
    return result;
}

static qvResult Run(qvBenchSink* sink, qvError* error)
{
    Costs costs[SIZES] = { { 0 } };
    qvResult result = qv_ok;
    for (int size = 0; result == qv_ok && size < SIZES; size++)
    {
        qvBench_Tell(sink, "bodies", size, SIZES + 1);
        result = MeasureBody(sink, size, &costs[size], error);
    }
    if (result != qv_ok)
        return result;
    const Costs *few = &costs[SIZES - 2], *many = &costs[SIZES - 1];
    qvBench_Add(sink, "growth_of_preparing_with_vertices",
                Exponent(few->prepare, many->prepare, few->vertices, many->vertices), "power", 0.0);
    qvBench_Add(sink, "growth_of_step_with_vertices", Exponent(few->step, many->step, few->vertices, many->vertices),
                "power", 0.0);
    qvBench_Tell(sink, "modes", SIZES, SIZES + 1);
    return MeasureModes(sink, error);
}

const qvBench qvBenchSurface = {
    "surface",
    "bodies from their surface alone: preparing the reduced model, steps with contact, compression of the history", Run,
    "for the smallest body its full history by convolution quadrature; for reading a model its preparing; for "
    "compressed "
    "histories the whole one; where the name says so the paper (Sugimoto 2022, Table 1)",
    "in preparing like the square to the cube of the points; a step like points times modes, and with contacts: the "
    "powers are measured"
};
