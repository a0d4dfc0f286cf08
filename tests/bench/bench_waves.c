// SPDX-License-Identifier: GPL-3.0-or-later
// Wave layers: frames with many active loads against the papers' formulas typed in point by point, at the sizes that
// J. Singh and D. Pagurek, "Dynamic Kelvinlets", 2019, report (5,205 vertices and two loads: 11.8 frames/s on one core;
// at most 203 loads on a GPU); merging against all pairs; secondary motion as a whole.
#include "bench.h"
#include "kelvinlet_reference.h"

#include "quaver/primitive.h"
#include "quaver/waves.h"
#include "waves/merge.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    PAPER_POINTS = 500,
};

#define REAL        double
#define SQRT        sqrt
#define PAPER(name) Paper##name
#include "kelvinlet_paper.inl"

// A deterministic number in [0, 1).
static double NextUnit(uint64_t* state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

// --- A body of any number of points ---------------------------------------------------------------------------------

typedef struct Body
{
    qvMesh* mesh;
    qvTopology* topology;
    qvVec3f* rest;
    qvVec3f* points;
    qvStillBase still;
    int count;
} Body;

static void FreeBody(Body* body)
{
    qvDestroyTopology(body->topology);
    qvDestroyMesh(body->mesh);
    free(body->rest);
    free(body->points);
}

// A bulged grid of columns x rows points, 2 wide.
static qvResult MakeGrid(int columns, int rows, qvMesh** mesh, qvError* error)
{
    size_t n = (size_t)columns * (size_t)rows;
    qvVec3f* positions = calloc(n, sizeof(*positions));
    int32_t* corners = calloc(6 * n, sizeof(*corners));
    if (positions == NULL || corners == NULL)
    {
        free(positions);
        free(corners);
        return qvError_OutOfMemory(error, 36.0 * (double)n);
    }
    int faces = 0;
    for (int i = 0; i < (int)n; i++)
    {
        double x = 2.0 * (i % columns) / (columns - 1) - 1.0, y = 2.0 * (i / columns) / (rows - 1) - 1.0;
        positions[i] = (qvVec3f){ (float)x, (float)y, (float)(0.5 * cos(2.0 * x) * cos(1.5 * y)) };
        if (i % columns == columns - 1 || i / columns == rows - 1)
            continue;
        int32_t two[6] = { i, i + 1, i + columns, i + 1, i + columns + 1, i + columns };
        memcpy(corners + 3 * (size_t)faces, two, sizeof(two));
        faces += 2;
    }
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = (int)n;
    def.positions = positions;
    def.faceCount = faces;
    def.corners = corners;
    qvResult result = qvCreateMesh(&def, mesh, NULL, error);
    free(positions);
    free(corners);
    return result;
}

static qvResult MakeBody(int columns, int rows, Body* body, qvError* error)
{
    *body = (Body){ 0 };
    qvResult result = MakeGrid(columns, rows, &body->mesh, error);
    if (result == qv_ok)
        result = qvCreateTopology(body->mesh, &body->topology, error);
    if (result != qv_ok)
        return result;
    body->count = body->mesh->pointCount;
    body->rest = calloc((size_t)body->count, sizeof(qvVec3f));
    body->points = calloc((size_t)body->count, sizeof(qvVec3f));
    if (body->rest == NULL || body->points == NULL)
        return qvError_OutOfMemory(error, 24.0 * body->count);
    qvMesh_GatherPoints(body->mesh, body->mesh->positions, body->rest);
    body->still = (qvStillBase){ body->rest, body->count };
    return qv_ok;
}

// --- Frames ---------------------------------------------------------------------------------------------------------

static qvAffine IdentityFrame(const void* context, double time)
{
    (void)context, (void)time;
    return (qvAffine){ .linear = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
}

typedef struct Frame
{
    Body* body;
    qvWaveLayer* layer;
    void* scratch;
    qvPool* pool;
    double time;
    bool scrub; // a different time at every call
    uint64_t random;
} Frame;

static void RunFrame(void* context)
{
    Frame* frame = context;
    double time = frame->scrub ? 0.9 + 0.2 * NextUnit(&frame->random) : frame->time;
    memcpy(frame->body->points, frame->body->rest, (size_t)frame->body->count * sizeof(qvVec3f));
    qvWaveLayer_Add(frame->layer, time, frame->scratch, frame->pool, frame->body->points);
}

// Loads all over the body that began within the last half second before time 1: impulses, and every fourth a push.
static qvWaveEvent* MakeEvents(const Body* body, int count)
{
    qvWaveEvent* events = calloc((size_t)count, sizeof(*events));
    uint64_t random = 11;
    for (int i = 0; events != NULL && i < count; i++)
    {
        events[i] = qvDefaultWaveEvent(3.0);
        events[i].def.vertex = (int)(NextUnit(&random) * body->count);
        events[i].def.time = 0.5 + 0.4 * floor(24.0 * NextUnit(&random)) / 24.0;
        events[i].def.stroke.drag = qvMakeVec3(0.05 * NextUnit(&random), 0.02, 0.05 * NextUnit(&random));
        events[i].def.push = i % 4 == 0;
        events[i].def.speed = 1.5;
        events[i].independent = true;
    }
    return events;
}

// What a paper's point costs: one load, one RK4 step.
static void RunPaper(void* context)
{
    Frame* frame = context;
    qvKelvinlet kelvinlet = qvDefaultKelvinlet();
    kelvinlet.time = qv_kelvinletImpulse;
    kelvinlet.force = qvMakeVec3(0.1, 0.05, -0.02);
    ReferenceLoad reference = MakeReferenceLoad(&kelvinlet, 0.3);
    PaperLoad load = PaperMakeLoad(&reference);
    static const double offsets[4] = { 0.0, 0.5, 0.5, 1.0 };
    for (int i = 0; i < PAPER_POINTS; i++)
    {
        qvVec3f p = frame->body->rest[i];
        double x[3] = { p.x + 0.01, p.y, p.z }, k[5][3] = { { 0.0 } };
        for (int stage = 0; stage < 4; stage++)
        {
            double y[3];
            for (int c = 0; c < 3; c++)
                y[c] = x[c] + offsets[stage] * k[stage][c];
            PaperDisplacement(&load, y, k[stage + 1]);
        }
        double sum = (k[1][0] + 2.0 * k[2][0] + 2.0 * k[3][0] + k[4][0]) / 6.0;
        frame->body->points[i] = (qvVec3f){ (float)sum, p.y, p.z };
    }
}

static qvResult MakeFrame(Body* body, int loads, int substeps, qvPool* pool, Frame* frame, qvError* error)
{
    qvWaveEvent* events = MakeEvents(body, loads);
    if (events == NULL)
        return qvError_OutOfMemory(error, (double)loads * sizeof(*events));
    qvWaveLayerDef def = qvDefaultWaveLayerDef();
    def.topology = body->topology;
    def.rest = body->rest;
    def.base = qvMakeStillBase(&body->still);
    def.base.frame = IdentityFrame;
    def.events = events;
    def.eventCount = loads;
    def.substeps = substeps;
    *frame = (Frame){ .body = body, .pool = pool, .time = 1.0, .random = 5 };
    qvResult result = qvCreateWaveLayer(&def, NULL, &frame->layer, error);
    free(events);
    if (result != qv_ok)
        return result;
    frame->scratch = malloc(qvWaveLayer_ScratchSize(frame->layer));
    return frame->scratch != NULL ? qv_ok : qvError_OutOfMemory(error, 1e6);
}

// What to measure: in milliseconds per frame, or in frames per second.
typedef struct Figure
{
    const char* name;
    int loads, substeps;
    bool threads, scrub, rate;
} Figure;

// The same with a single thread as the baseline.
static void AddThreads(qvBenchSink* sink, const Figure* figure, Frame* frame, double ours)
{
    qvPool* pool = frame->pool;
    frame->pool = NULL;
    double one = qvBench_Time(RunFrame, frame, 3);
    frame->pool = pool;
    char name[80];
    snprintf(name, sizeof(name), "%s-to-1", figure->name);
    qvBench_Add(sink, name, 1e3 * ours, "ms", 1e3 * one);
}

static qvResult BenchFrame(qvBenchSink* sink, const Figure* figure, Body* body, qvPool* pool, qvError* error)
{
    Frame frame = { 0 };
    qvPool* used = figure->threads ? pool : NULL;
    qvResult result = MakeFrame(body, figure->loads, figure->substeps, used, &frame, error);
    if (result == qv_ok)
    {
        frame.scrub = figure->scrub;
        double ours = qvBench_Time(RunFrame, &frame, 10);
        if (figure->threads && figure->loads == 1000)
            AddThreads(sink, figure, &frame, ours);
        double paper = qvBench_Time(RunPaper, &frame, 5) * figure->loads * body->count / PAPER_POINTS;
        if (figure->rate)
            qvBench_Add(sink, figure->name, 1.0 / ours, "frames/s", 1.0 / paper);
        else
            qvBench_Add(sink, figure->name, 1e3 * ours, "ms", 1e3 * paper);
    }
    free(frame.scratch);
    qvDestroyWaveLayer(frame.layer);
    return result;
}

static qvResult BenchBody(qvBenchSink* sink, const Figure* figures, int count, int columns, int rows, qvPool* pool,
                          qvError* error)
{
    Body body = { 0 };
    qvResult result = MakeBody(columns, rows, &body, error);
    for (int i = 0; result == qv_ok && i < count; i++)
        result = BenchFrame(sink, &figures[i], &body, pool, error);
    FreeBody(&body);
    return result;
}

static qvResult BenchLevel(qvBenchSink* sink, void* pool, const char* suffix, qvError* error)
{
    char name[64];
    snprintf(name, sizeof(name), "100-loads/20k/2-threads%s", suffix);
    Figure figure = { name, 100, qv_estimateSubsteps, true, false, false };
    return BenchBody(sink, &figure, 1, 200, 100, pool, error);
}

static qvResult BenchFrames(qvBenchSink* sink, qvPool* pool, qvError* error)
{
    static const Figure large[] = {
        { "100-loads/20k/rk4/2-threads", 100, 1, true, false, false },
        { "100-loads/20k/2-threads", 100, qv_estimateSubsteps, true, false, false },
        { "100-loads/20k/2-threads/scrub", 100, qv_estimateSubsteps, true, true, false },
        { "1000-loads/20k/2-threads", 1000, qv_estimateSubsteps, true, false, false },
    };
    static const Figure dragon[] = {
        { "2-loads/5205/rk4/1-thread", 2, 1, false, false, true },
        { "203-loads/5205/2-threads", 203, qv_estimateSubsteps, true, false, true },
        { "1000-loads/5205/2-threads", 1000, qv_estimateSubsteps, true, false, true },
    };
    qvResult result = BenchBody(sink, large, 4, 200, 100, pool, error);
    if (result == qv_ok)
        result = qvBench_AtLowerLevels(sink, BenchLevel, pool, error);
    return result == qv_ok ? BenchBody(sink, dragon, 3, 347, 15, pool, error) : result;
}

// --- Merging --------------------------------------------------------------------------------------------------------

typedef struct Merging
{
    qvImpulse* impulses;
    qvImpulse* work;
    int count, left;
    qvResult result;
} Merging;

static void RunMerge(void* context)
{
    Merging* merging = context;
    memcpy(merging->work, merging->impulses, (size_t)merging->count * sizeof(qvImpulse));
    merging->left = merging->count;
    merging->result = qvMergeImpulses(merging->work, &merging->left, merging->count, NULL);
}

static bool MergePair(qvImpulse* a, qvImpulse* b)
{
    double reach = 0.96473 * (a->radius + b->radius), distance = qvDistance(a->at, b->at);
    double x = qvLength(a->force), y = qvLength(b->force);
    if (!(distance < reach) || !(qvDot(a->force, b->force) > 0.5 * x * y))
        return false;
    a->radius = (x * a->radius + y * b->radius + fmin(x, y) * distance) / (x + y);
    a->at = qvMulAdd(a->at, y / (x + y), qvSub(b->at, a->at));
    a->force = qvAdd(a->force, b->force);
    return true;
}

// The paper's algorithm 1: all pairs, over and over.
static void RunAllPairs(void* context)
{
    Merging* merging = context;
    memcpy(merging->work, merging->impulses, (size_t)merging->count * sizeof(qvImpulse));
    int count = merging->count;
    for (bool merged = true; merged;)
    {
        merged = false;
        for (int i = 0; i < count; i++)
        {
            for (int j = i + 1; j < count; j++)
            {
                if (!MergePair(&merging->work[i], &merging->work[j]))
                    continue;
                merging->work[j--] = merging->work[--count];
                merged = true;
            }
        }
    }
    merging->left = count;
}

// The impulses of one frame: waves through the body, so that directions differ; and noise on top.
static void FillImpulses(const Body* body, double noise, Merging* merging)
{
    uint64_t random = 3;
    for (int i = 0; i < body->count; i++)
    {
        qvVec3 p = qvVec3_FromFloat(body->rest[i]);
        qvVec3 a = qvMakeVec3(sin(8.0 * p.y), cos(9.0 * p.x), sin(7.0 * p.x + 5.0 * p.y));
        qvVec3 b = qvMakeVec3(NextUnit(&random) - 0.5, NextUnit(&random) - 0.5, NextUnit(&random) - 0.5);
        merging->impulses[i] = (qvImpulse){ .at = p,
                                            .rest = p,
                                            .force = qvScale(1e-4, qvMulAdd(a, noise, b)),
                                            .radius = qvImpulseRadius(0.5 / body->count) };
    }
}

static qvResult BenchMerge(qvBenchSink* sink, qvError* error)
{
    Body body = { 0 };
    Merging merging = { 0 };
    qvResult result = MakeBody(200, 100, &body, error);
    merging.count = body.count;
    merging.impulses = calloc((size_t)body.count + 1, sizeof(qvImpulse));
    merging.work = calloc((size_t)body.count + 1, sizeof(qvImpulse));
    if (result == qv_ok && (merging.impulses == NULL || merging.work == NULL))
        result = qvError_OutOfMemory(error, 160.0 * body.count);
    for (int noisy = 0; result == qv_ok && noisy < 2; noisy++)
    {
        FillImpulses(&body, noisy ? 20.0 : 0.0, &merging);
        double ours = qvBench_Time(RunMerge, &merging, 20), pairs = qvBench_Time(RunAllPairs, &merging, 1);
        qvBench_Add(sink, noisy ? "merge/20k/noise" : "merge/20k", 1e3 * ours, "ms", 1e3 * pairs);
    }
    free(merging.impulses);
    free(merging.work);
    FreeBody(&body);
    return result;
}

// --- Secondary motion -----------------------------------------------------------------------------------------------

static void SwayPoints(const void* context, double time, void* scratch, qvPool* pool, qvVec3f* points)
{
    (void)scratch, (void)pool;
    const qvStillBase* still = context;
    double c[2], s[2];
    for (int k = 0; k < 2; k++)
        c[k] = cos(0.5 * sin(7.0 * time + k)), s[k] = sin(0.5 * sin(7.0 * time + k));
    for (int i = 0; i < still->pointCount; i++)
    {
        qvVec3f p = still->points[i];
        int k = p.x > 0.0f ? 1 : 0; // two halves that swing on their own
        points[i] = (qvVec3f){ (float)(c[k] * p.x - s[k] * p.z), p.y, (float)(s[k] * p.x + c[k] * p.z) };
    }
}

typedef struct Secondary
{
    qvSecondaryDef def;
    qvJob job;
    int count;
    qvResult result;
    qvError error;
} Secondary;

static void RunSecondary(void* context)
{
    Secondary* secondary = context;
    qvWaveEvent* events = NULL;
    secondary->result =
        qvCreateSecondaryEvents(&secondary->def, &secondary->job, &events, &secondary->count, NULL, &secondary->error);
    free(events);
}

// Milliseconds per sample, accelerations by differences included.
static qvResult BenchSecondary(qvBenchSink* sink, qvPool* pool, qvError* error)
{
    Body body = { 0 };
    qvResult result = MakeBody(200, 100, &body, error);
    if (result == qv_ok)
    {
        Secondary secondary = { .def = qvDefaultSecondaryDef(), .job = { .pool = pool } };
        secondary.def.topology = body.topology;
        secondary.def.rest = body.rest;
        secondary.def.base = qvMakeStillBase(&body.still);
        secondary.def.base.points = SwayPoints;
        double ours = qvBench_Time(RunSecondary, &secondary, 2);
        result = secondary.result;
        if (result == qv_ok)
            qvBench_Add(sink, "secondary/20k/per-sample/2-threads", 1e3 * ours / 48.0, "ms", 0.0);
        else
            *error = secondary.error;
    }
    FreeBody(&body);
    return result;
}

// --- Everything -----------------------------------------------------------------------------------------------------

static qvResult Run(qvBenchSink* sink, qvError* error)
{
    qvPool* pool;
    qvResult result = qvCreatePool(2, &pool, error);
    if (result == qv_ok)
        result = BenchFrames(sink, pool, error);
    if (result == qv_ok)
        result = BenchMerge(sink, error);
    if (result == qv_ok)
        result = BenchSecondary(sink, pool, error);
    qvDestroyPool(pool);
    return result;
}

const qvBench qvBenchWaves = {
    "waves", "many waves on a body, and where secondary motion comes from", Run,
    "the paper's formulas as printed, point by point on a single thread; for threads-to-1 the same on a single "
    "thread; for merging all pairs",
    "with vertices times active waves, over the cores; waves that have left the body cost nothing"
};
