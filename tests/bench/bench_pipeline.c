// SPDX-License-Identifier: GPL-3.0-or-later
// Edits while a solve is under way, at moments spread over its length: how long it takes from a newer scene until the
// worker has begun it (begun), and how long until a solve that was told to stop has returned and freed what it had
// (stopped). Every edit changes the stretch, so that everything is to be computed anew. Baseline: the whole solve.
#include "bench.h"

#include "quaver/document.h"
#include "quaver/take.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
    MAX_MOMENTS = 50,
    MAX_TEXT = 8192
};

typedef struct SizeDef
{
    const char* primitive;
    int resolution, keys, moments;
    const char* label;
} SizeDef;

typedef struct Case
{
    qvBenchSink* sink;
    const SizeDef* size;
    qvError* error;
    double whole;  // s, a solve that nobody stops
    double stopAt; // s
    int edits;
    unsigned long random;
} Case;

static double Now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void Sleep(double seconds)
{
    nanosleep(&(struct timespec){ (time_t)seconds, (long)(1e9 * fmod(seconds, 1.0)) }, NULL);
}

static double RandomUnit(Case* c)
{
    c->random = c->random * 6364136223846793005u + 1442695040888963407u;
    return (double)(c->random >> 11) * 0x1p-53;
}

// A scene that no one before had.
static qvResult MakeScene(Case* c, const qvScene** scene)
{
    char text[MAX_TEXT];
    size_t length =
        (size_t)snprintf(text, sizeof(text),
                         "{\"quaver\": 1, \"mesh\": {\"primitive\": \"%s\", \"resolution\": %d}, \"material\": "
                         "{\"stretch\": %.6f, \"modes\": 18}, \"keys\": [",
                         c->size->primitive, c->size->resolution, 1.0 + 1e-3 * ++c->edits);
    for (int k = 0; k < c->size->keys && length < sizeof(text); k++)
        length += (size_t)snprintf(text + length, sizeof(text) - length,
                                   "%s{\"time\": %.2f, \"strokes\": [{\"brush\": \"grab\", \"at\": [0.3, 0.6, 0.1], "
                                   "\"drag\": [%.3f, %.3f, 0.1], \"radius\": 0.5}]}",
                                   k > 0 ? ", " : "", 0.8 * k, 0.4 * sin(1.3 * k + 1.0), 0.3 * cos(2.1 * k));
    snprintf(text + length, sizeof(text) - length, "]}");
    return qvParseScene(text, strlen(text), "bench", scene, c->error);
}

static int Compare(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static void Add(Case* c, const char* what, double* seconds)
{
    char name[128];
    int count = c->size->moments;
    qsort(seconds, (size_t)count, sizeof(double), Compare);
    snprintf(name, sizeof(name), "%s/median/%s", what, c->size->label);
    qvBench_Add(c->sink, name, 1e3 * seconds[count / 2], "ms", 1e3 * c->whole);
    snprintf(name, sizeof(name), "%s/worst/%s", what, c->size->label);
    qvBench_Add(c->sink, name, 1e3 * seconds[count - 1], "ms", 1e3 * c->whole);
}

// --- A solve that is told to stop -----------------------------------------------------------------------------------

static bool GoesOn(void* context, const char* stage, double fraction)
{
    (void)stage;
    (void)fraction;
    return Now() < ((Case*)context)->stopAt;
}

// Seconds of a solve that is told to stop after `until` seconds.
static qvResult Solve(Case* c, qvPool* pool, double until, double* seconds)
{
    const qvScene* scene;
    qvPipeline* pipeline = NULL;
    qvTake* take = NULL;
    qvResult result = MakeScene(c, &scene);
    if (result != qv_ok)
        return result;
    result = qvCreatePipeline(NULL, &pipeline, c->error);
    if (result == qv_ok)
    {
        double start = Now();
        c->stopAt = start + until;
        qvJob job = { .pool = pool, .progress = GoesOn, .context = c };
        result = qvPipeline_Solve(pipeline, scene, "", &job, &take, c->error);
        *seconds = Now() - start;
    }
    qvReleaseTake(take);
    qvDestroyPipeline(pipeline);
    qvReleaseScene(scene);
    return result == qv_cancelled ? qv_ok : result;
}

static qvResult MeasureStops(Case* c)
{
    double seconds[MAX_MOMENTS];
    qvPool* pool;
    qvResult result = qvCreatePool(0, &pool, c->error);
    if (result == qv_ok)
        result = Solve(c, pool, INFINITY, &c->whole);
    for (int i = 0; result == qv_ok && i < c->size->moments; i++)
    {
        qvBench_Tell(c->sink, "a solve that is stopped", i, c->size->moments);
        double until = c->whole * (i + RandomUnit(c)) / c->size->moments;
        result = Solve(c, pool, until, &seconds[i]);
        seconds[i] = fmax(seconds[i] - until, 0.0);
    }
    qvDestroyPool(pool);
    if (result == qv_ok)
        Add(c, "stopped", seconds);
    return result;
}

// --- Edits of a scene that a worker solves --------------------------------------------------------------------------

static qvResult Post(Case* c, qvWorker* worker)
{
    const qvScene* scene;
    qvResult result = MakeScene(c, &scene);
    if (result == qv_ok)
        qvWorker_Post(worker, scene, "");
    if (result == qv_ok)
        qvReleaseScene(scene);
    return result;
}

static qvResult MeasureEdits(Case* c)
{
    double seconds[MAX_MOMENTS];
    qvWorker* worker;
    qvResult result = qvCreateWorker(NULL, &worker, c->error);
    if (result == qv_ok)
        result = Post(c, worker);
    for (int i = 0; result == qv_ok && i < c->size->moments; i++)
    {
        qvBench_Tell(c->sink, "an edit while a solve runs", i, c->size->moments);
        Sleep(c->whole * (i + RandomUnit(c)) / c->size->moments);
        double start = Now();
        result = Post(c, worker);
        for (qvWorkerStats stats = qvWorker_Stats(worker); result == qv_ok && stats.newest < stats.posted;
             stats = qvWorker_Stats(worker))
            Sleep(1e-4);
        seconds[i] = Now() - start;
        qvReleaseTake(qvWorker_Collect(worker));
    }
    qvDestroyWorker(worker);
    if (result == qv_ok)
        Add(c, "begun", seconds);
    return result;
}

static qvResult RunSizes(const SizeDef* sizes, int count, qvBenchSink* sink, qvError* error)
{
    qvResult result = qv_ok;
    for (int i = 0; result == qv_ok && i < count; i++)
    {
        Case c = { .sink = sink, .size = &sizes[i], .error = error, .random = 7 };
        result = MeasureStops(&c);
        if (result == qv_ok)
            result = MeasureEdits(&c);
    }
    return result;
}

static qvResult Run(qvBenchSink* sink, qvError* error)
{
    static const SizeDef sizes[] = { { "imp", 11, 7, MAX_MOMENTS, "1.8k/7-keys" },
                                     { "imp", 41, 12, MAX_MOMENTS, "4.4k/12-keys" } };
    return RunSizes(sizes, 2, sink, error);
}

const qvBench qvBenchPipeline = { "pipeline", "edits while a solve is under way", Run,
                                  "the whole solve, which an edit would have to wait for",
                                  "with the longest step of a solve, not with the whole" };

static qvResult RunLarge(qvBenchSink* sink, qvError* error)
{
    static const SizeDef large = { "torus", 48, 6, 24, "27k/6-keys" };
    return RunSizes(&large, 1, sink, error);
}

const qvBench qvBenchPipelineLarge = { "pipeline-large", "the same edits with 27k vertices", RunLarge,
                                       "the whole solve, which an edit would have to wait for",
                                       "as in pipeline, with the longest step of a solve" };
