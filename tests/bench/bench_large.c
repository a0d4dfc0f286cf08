// SPDX-License-Identifier: GPL-3.0-or-later
// Large bodies: keys that are solved on few points (the scene's detail) against keys that are solved on all, in the
// same run. Times of the processor, so that what else the machine does hardly matters: the first take and one with a
// changed pose; a frame, and the memory of the first take. Of the motion, how far both are apart between keys, and how
// far keys are missed. Fit: the exponent of the first take's time in the number of points.
#include "bench.h"

#include "quaver/take.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
    MAX_TEXT = 8192,
    FRAMES = 48,
    DETAIL = 3000, // what the window writes
};

typedef struct SizeDef
{
    const char* primitive;
    int resolution, keys;
    bool all; // the baseline too
} SizeDef;

typedef struct Case
{
    qvBenchSink* sink;
    const SizeDef* size;
    char label[64];
    qvPool* pool;
    qvTake* few;
    qvTake* all;
    void* scratch;
    qvVec3f* points;
    double time;
    qvError* error;
} Case;

static double CpuNow(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// A dance of the sack; `bend` changes the last pose.
static qvResult MakeScene(const Case* c, int detail, double bend, const qvScene** scene)
{
    char text[MAX_TEXT];
    size_t used = (size_t)snprintf(text, sizeof(text),
                                   "{\"quaver\": 2, \"mesh\": {\"primitive\": \"%s\", \"resolution\": %d}, "
                                   "\"detail\": %d, \"keys\": [{\"time\": 0}",
                                   c->size->primitive, c->size->resolution, detail);
    for (int k = 1; k < c->size->keys && used < sizeof(text); k++)
    {
        double a = 2.1 * k, more = k == c->size->keys - 1 ? bend : 0.0;
        used +=
            (size_t)snprintf(text + used, sizeof(text) - used,
                             ", {\"time\": %.1f, \"strokes\": [{\"brush\": \"grab\", \"at\": [0, 1.9, 0], \"drag\": "
                             "[%.3f, %.3f, %.3f], \"radius\": 0.6}, {\"brush\": \"grab\", \"at\": [0.1, 1, 0.3], "
                             "\"drag\": [0.03, 0.02, 0.05], \"radius\": 0.03}]}",
                             0.5 * k, 0.5 * cos(a) + more, 0.2 * sin(3.0 * a), 0.5 * sin(a));
    }
    snprintf(text + used, sizeof(text) - used, "]}");
    return qvParseScene(text, strlen(text), "bench", scene, c->error);
}

// CPU seconds of a scene's take, and of another one with a changed pose after it.
static qvResult Solve(const Case* c, int detail, double seconds[2], qvTake** take)
{
    qvPipeline* pipeline = NULL;
    qvResult result = qvCreatePipeline(NULL, &pipeline, c->error);
    *take = NULL;
    for (int i = 0; result == qv_ok && i < 2; i++)
    {
        const qvScene* scene = NULL;
        qvTake* solved = NULL;
        qvJob job = { .pool = c->pool };
        result = MakeScene(c, detail, 0.05 * i, &scene);
        double start = CpuNow();
        if (result == qv_ok)
            result = qvPipeline_Solve(pipeline, scene, "", &job, &solved, c->error);
        seconds[i] = CpuNow() - start;
        qvReleaseScene(scene);
        if (i == 0)
            *take = solved;
        else
            qvReleaseTake(solved);
    }
    qvDestroyPipeline(pipeline);
    return result;
}

static void Add(const Case* c, const char* what, double value, const char* unit, double baseline)
{
    char name[128];
    snprintf(name, sizeof(name), "%s/%s", what, c->label);
    qvBench_Add(c->sink, name, value, unit, baseline);
}

static void EvaluateFrame(void* context)
{
    Case* c = context;
    c->time = fmod(c->time + 0.0417, 0.5 * c->size->keys);
    qvTake_Evaluate(c->few, c->time, qv_layersAll, c->scratch, c->pool, c->points);
}

static qvResult MeasureFrame(Case* c)
{
    c->scratch = malloc(qvTake_ScratchSize(c->few));
    c->points = malloc((size_t)qvTake_Body(c->few)->mesh->pointCount * sizeof(*c->points));
    if (c->scratch != NULL && c->points != NULL)
        Add(c, "frame-cpu", 1e3 * qvBench_CpuTime(EvaluateFrame, c, 20), "ms", 0.0);
    bool done = c->scratch != NULL && c->points != NULL;
    free(c->scratch);
    free(c->points);
    return done ? qv_ok : qvError_OutOfMemory(c->error, 1e6);
}

// How far the motion is from that of all points over time, and how far keys are missed, of the diagonal.
static qvResult MeasureMotion(Case* c)
{
    const qvBody* body = qvTake_Body(c->few);
    size_t n = (size_t)body->mesh->pointCount;
    double sum = 0.0, largest = 0.0, missed = 0.0, end = 0.5 * c->size->keys;
    qvTakeView few = { 0 }, all = { 0 };
    qvResult result = qvTakeView_SetTake(&few, c->few, c->error);
    if (result == qv_ok && c->all != NULL)
        result = qvTakeView_SetTake(&all, c->all, c->error);
    for (int i = 0; result == qv_ok && c->all != NULL && i < FRAMES; i++)
    {
        qvTakeView_Evaluate(&few, end * i / FRAMES, qv_layersAll, c->pool);
        qvTakeView_Evaluate(&all, end * i / FRAMES, qv_layersAll, c->pool);
        for (size_t p = 0; p < n; p++)
        {
            qvVec3 apart = qvSub(qvVec3_FromFloat(few.points[p]), qvVec3_FromFloat(all.points[p]));
            sum += qvDot(apart, apart) / body->diagonal / body->diagonal;
            largest = fmax(largest, qvLength(apart) / body->diagonal);
        }
    }
    for (int i = 0; result == qv_ok && i < c->size->keys; i++)
        missed = fmax(missed, qvTake_KeyReport(c->few, i).error);
    qvTakeView_Free(&few);
    qvTakeView_Free(&all);
    Add(c, "keys-missed", 100.0 * missed, "% of size", 0.0);
    if (c->all == NULL)
        return result;
    Add(c, "motion-rms", 100.0 * sqrt(sum / ((double)n * FRAMES)), "% of size", 0.0);
    Add(c, "motion-largest", 100.0 * largest, "% of size", 0.0);
    return result;
}

static qvResult RunSize(Case* c, double* first)
{
    double few[2] = { 0.0, 0.0 }, all[2] = { 0.0, 0.0 };
    qvBench_ForgetPeakMemory();
    qvResult result = Solve(c, DETAIL, few, &c->few);
    double memory = qvBench_PeakMemory(), more = 0.0;
    if (result == qv_ok && c->size->all)
    {
        qvBench_ForgetPeakMemory();
        result = Solve(c, 0, all, &c->all);
        more = qvBench_PeakMemory();
    }
    if (result != qv_ok)
        return result;
    snprintf(c->label, sizeof(c->label), "%d-points/%d-keys", qvTake_Body(c->few)->mesh->pointCount, c->size->keys);
    Add(c, "first-cpu", 1e3 * few[0], "ms", 1e3 * all[0]);
    Add(c, "changed-pose-cpu", 1e3 * few[1], "ms", 1e3 * all[1]);
    Add(c, "memory", memory, "MB", more);
    *first = few[0];
    result = MeasureFrame(c);
    return result == qv_ok ? MeasureMotion(c) : result;
}

static qvResult Run(qvBenchSink* sink, qvError* error)
{
    static const SizeDef sizes[] = { { "block", 45, 3, false }, { "sack", 184, 11, true }, { "block", 142, 3, false } };
    enum
    {
        COUNT = sizeof(sizes) / sizeof(sizes[0])
    };
    double seconds[COUNT], points[COUNT];
    qvPool* pool;
    qvResult result = qvCreatePool(2, &pool, error);
    if (result != qv_ok)
        return result;
    for (int i = 0; result == qv_ok && i < COUNT; i++)
    {
        Case c = { .sink = sink, .size = &sizes[i], .pool = pool, .error = error };
        qvBench_Tell(sink, "a body", i, COUNT);
        result = RunSize(&c, &seconds[i]);
        points[i] = c.few != NULL ? qvTake_Body(c.few)->mesh->pointCount : 0.0;
        qvReleaseTake(c.few);
        qvReleaseTake(c.all);
    }
    if (result == qv_ok)
        qvBench_Add(sink, "fit/points-3-keys",
                    log(seconds[COUNT - 1] / seconds[0]) / log(points[COUNT - 1] / points[0]), "exponent", 0.0);
    qvDestroyPool(pool);
    return result;
}

const qvBench qvBenchLarge = { "large", "keys of large bodies, solved on 3000 of their points", Run,
                               "the same scene with all points solved", "with the points" };
