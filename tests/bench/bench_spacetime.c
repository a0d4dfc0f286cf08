// SPDX-License-Identifier: GPL-3.0-or-later
// Motions of the paper's sizes: preparation, update after a change of times (curves alone, with two partial keys, and
// with coordinates of 300 frames), one frame. Baselines: for preparation the modes of all keys by ARPACK alone; for
// updates a new preparation; for frames the same in double.
#include "bench.h"

#include "quaver/modal.h"
#include "quaver/motion.h"
#include "quaver/primitive.h"
#include "quaver/shell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum
{
    FRAMES = 300,
    ONLY = 100, // points of a partial key
    MAX_KEYS = 12
};

typedef struct BodyDef
{
    const char* tag;
    int resolution, keys, modes;
    bool arpack; // measure the baseline
} BodyDef;

typedef struct Case
{
    qvBenchSink* sink;
    const BodyDef* body;
    char label[64];
    qvJob job;
    qvMesh* mesh;
    qvTopology* topology;
    int size;
    double* rest;
    double* points[MAX_KEYS];
    qvMotionPose poses[MAX_KEYS];
    qvMotionSpaceDef def;
    qvMotionSpace* space;
    qvMotionKey keys[MAX_KEYS];
    qvMotionDef motionDef;
    qvMotion* motion;
    double* frames;      // [FRAMES]
    double* coordinates; // [FRAMES x dimension]
    double* positions;   // [size]
    qvVec3f* floats;
    void* scratch;
    qvResult result;
    qvError* error;
} Case;

static void Add(Case* c, const char* what, double seconds, double baseline)
{
    char name[128];
    snprintf(name, sizeof(name), "spacetime/%s/%s", what, c->label);
    qvBench_Add(c->sink, name, 1e3 * seconds, "ms", 1e3 * baseline);
}

// A different bend, twist and stretch at every key.
static void FillPose(Case* c, int key)
{
    double bend = 0.3 * sin(1.3 * key), twist = 0.4 * sin(2.1 * key), stretch = 0.1 * cos(0.7 * key);
    for (int i = 0; i < c->size; i += 3)
    {
        double x = c->rest[i], y = c->rest[i + 1], z = c->rest[i + 2], angle = twist * y;
        c->points[key][i] = cos(angle) * x + sin(angle) * z + bend * y * y;
        c->points[key][i + 1] = (1.0 + stretch) * y;
        c->points[key][i + 2] = cos(angle) * z - sin(angle) * x;
    }
}

static qvResult MakeBody(Case* c)
{
    qvResult result = qvCreatePrimitive(c->body->tag, c->body->resolution, &c->mesh, c->error);
    if (result == qv_ok)
        result = qvCreateTopology(c->mesh, &c->topology, c->error);
    if (result != qv_ok)
        return result;
    c->size = 3 * c->mesh->pointCount;
    c->rest = malloc((size_t)c->size * sizeof(double));
    bool ok = c->rest != NULL;
    for (int i = 0; ok && i < c->size; i++)
    {
        qvVec3f p = c->mesh->positions[c->mesh->pointVertex[i / 3]];
        c->rest[i] = i % 3 == 0 ? p.x : i % 3 == 1 ? p.y : p.z;
    }
    for (int k = 0; ok && k < c->body->keys; k++)
    {
        c->points[k] = malloc((size_t)c->size * sizeof(double));
        ok = c->points[k] != NULL;
        if (ok)
            FillPose(c, k);
        c->poses[k].points = c->points[k];
        c->keys[k] = qvDefaultMotionKey();
        c->keys[k].time = 0.8 * k;
        c->keys[k].pose = k;
    }
    if (!ok)
        return qvError_OutOfMemory(c->error, (double)c->size * MAX_KEYS * sizeof(double));
    c->def = qvDefaultMotionSpaceDef();
    c->def.topology = c->topology, c->def.rest = c->rest;
    c->def.poses = c->poses, c->def.poseCount = c->body->keys;
    c->def.modes = c->body->modes;
    c->motionDef = qvDefaultMotionDef();
    c->motionDef.keys = c->keys, c->motionDef.keyCount = c->body->keys;
    return qv_ok;
}

// Modes of the first deformed key by ARPACK, in seconds.
static qvResult ArpackSeconds(Case* c, double* seconds)
{
    qvShell* shell = NULL;
    qvSparsePattern* pattern = NULL;
    qvSymbolic* symbolic = NULL;
    qvFactor* factor = NULL;
    qvModes* modes = NULL;
    double* mass = malloc((size_t)c->size * sizeof(double));
    qvResult result = qvCreateShell(c->topology, c->points[1], &shell, c->error);
    qvShellPattern from = { 0 };
    if (result == qv_ok)
    {
        from = qvShell_Pattern(shell);
        result = qvCopySparsePattern(from.size, from.columnStart, from.rows, &pattern, c->error);
    }
    qvSparse matrix = { pattern, malloc((size_t)from.entryCount * sizeof(double)) };
    if (mass == NULL || matrix.values == NULL)
        result = qvError_OutOfMemory(c->error, (double)from.entryCount * sizeof(double));
    if (result == qv_ok)
        result = qvCreateSymbolic(pattern, NULL, 0, NULL, &symbolic, c->error);
    if (result == qv_ok)
        result = qvCreateFactor(symbolic, &factor, c->error);
    if (result == qv_ok)
    {
        qvShellMaterial material = qvDefaultShellMaterial();
        for (int i = 0; i < c->size; i++)
            mass[i] = qvShell_Masses(shell)[i / 3];
        qvShell_RestHessian(shell, &material, c->points[1], NULL, matrix.values);
        qvModesDef def = qvDefaultModesDef();
        def.matrix = matrix, def.mass = mass, def.count = c->body->modes + 6, def.method = qv_modesArpack;
        result = qvComputeModes(&def, factor, NULL, &modes, c->error);
    }
    if (result == qv_ok)
        *seconds = 1e-3 * modes->report.milliseconds;
    qvDestroyModes(modes);
    qvDestroyFactor(factor);
    qvDestroySymbolic(symbolic);
    qvDestroySparsePattern(pattern);
    qvDestroyShell(shell);
    free(matrix.values);
    free(mass);
    return result;
}

static void TimeUpdate(void* context)
{
    Case* c = context;
    if (c->result != qv_ok)
        return;
    qvDestroyMotion(c->motion);
    c->motion = NULL;
    c->keys[1].time += 1e-4;
    c->result = qvCreateMotion(&c->motionDef, c->space, c->job.pool, &c->motion, c->error);
    if (c->result == qv_ok)
        qvMotion_Coordinates(c->motion, c->frames, FRAMES, c->scratch, c->coordinates, NULL, NULL);
}

static void TimeCurves(void* context)
{
    Case* c = context;
    if (c->result != qv_ok)
        return;
    qvDestroyMotion(c->motion);
    c->result = qvCreateMotion(&c->motionDef, c->space, c->job.pool, &c->motion, c->error);
}

static void TimeFloat(void* context)
{
    Case* c = context;
    qvMotion_EvaluateFloat(c->motion, 1.3, c->scratch, c->job.pool, c->floats);
}

static void TimeDouble(void* context)
{
    Case* c = context;
    qvMotion_Evaluate(c->motion, 1.3, c->scratch, c->positions, NULL, NULL);
}

static qvResult BenchMotion(Case* c, double prepared)
{
    int dimension = qvMotionSpace_Stats(c->space).dimension;
    c->result = qvCreateMotion(&c->motionDef, c->space, c->job.pool, &c->motion, c->error);
    if (c->result != qv_ok)
        return c->result;
    c->frames = malloc(FRAMES * sizeof(double));
    c->coordinates = malloc((size_t)FRAMES * (size_t)dimension * sizeof(double));
    c->positions = malloc((size_t)c->size * sizeof(double));
    c->floats = malloc((size_t)c->mesh->pointCount * sizeof(*c->floats));
    c->scratch = malloc(qvMotion_ScratchSize(c->motion));
    if (c->frames == NULL || c->coordinates == NULL || c->positions == NULL || c->floats == NULL || c->scratch == NULL)
        return qvError_OutOfMemory(c->error, (double)FRAMES * dimension * sizeof(double));
    for (int i = 0; i < FRAMES; i++)
        c->frames[i] = 0.8 * (c->body->keys - 1) * i / (FRAMES - 1);
    double update = qvBench_Time(TimeUpdate, c, 5), curves = qvBench_Time(TimeCurves, c, 5);
    if (c->result != qv_ok)
        return c->result;
    Add(c, "update-300-frames", update, prepared);
    Add(c, "curves", curves, prepared);
    double precise = qvBench_Time(TimeDouble, c, 20);
    Add(c, "frame", qvBench_Time(TimeFloat, c, 20), precise);
    return qv_ok;
}

// Two keys of which only some points count: the upper end of the body, at most ONLY points.
static qvResult BenchPartial(Case* c, double prepared)
{
    int32_t only[ONLY];
    int count = 0, points = c->size / 3;
    double top = 0.0;
    for (int i = 0; i < points; i++)
        top = fmax(top, c->rest[3 * i + 1]);
    for (int i = 0; i < points && count < ONLY; i++)
    {
        if (c->rest[3 * i + 1] > 0.9 * top)
            only[count++] = i;
    }
    int partial[2] = { c->body->keys / 3, 2 * c->body->keys / 3 };
    for (int k = 0; k < 2; k++)
        c->keys[partial[k]].only = only, c->keys[partial[k]].onlyCount = count;
    double seconds = qvBench_Time(TimeCurves, c, 5);
    if (c->result == qv_ok)
        Add(c, "partial", seconds, prepared);
    for (int k = 0; k < 2; k++)
        c->keys[partial[k]].only = NULL, c->keys[partial[k]].onlyCount = 0;
    return c->result;
}

// Preparation after one pose has changed.
static qvResult BenchChange(Case* c, double prepared)
{
    qvMotionSpace* changed;
    double* points = c->points[c->body->keys / 2];
    for (int i = 0; i < c->size; i += 3)
        points[i] += 0.05 * sin(points[i + 1]);
    qvResult result = qvCreateMotionSpace(&c->def, c->space, &c->job, &changed, c->error);
    if (result != qv_ok)
        return result;
    Add(c, "changed-pose", 1e-3 * qvMotionSpace_Stats(changed).milliseconds, prepared);
    qvDestroyMotionSpace(changed);
    return qv_ok;
}

static qvResult RunCase(Case* c)
{
    qvResult result = MakeBody(c);
    if (result == qv_ok)
        result = qvCreateMotionSpace(&c->def, NULL, &c->job, &c->space, c->error);
    if (result != qv_ok)
        return result;
    qvMotionSpaceStats stats = qvMotionSpace_Stats(c->space);
    snprintf(c->label, sizeof(c->label), "%d-vertices/%d-keys/d%d", stats.pointCount, c->body->keys, stats.dimension);
    double arpack = 0.0;
    if (c->body->arpack)
        result = ArpackSeconds(c, &arpack);
    Add(c, "prepare", 1e-3 * stats.milliseconds, arpack * c->body->keys);
    if (result == qv_ok)
        result = BenchMotion(c, 1e-3 * stats.milliseconds);
    if (result == qv_ok)
        result = BenchPartial(c, 1e-3 * stats.milliseconds);
    return result == qv_ok ? BenchChange(c, 1e-3 * stats.milliseconds) : result;
}

static qvResult BenchBody(qvBenchSink* sink, qvPool* pool, const BodyDef* body, qvError* error)
{
    Case* c = calloc(1, sizeof(*c));
    if (c == NULL)
        return qvError_OutOfMemory(error, sizeof(*c));
    c->sink = sink, c->body = body, c->job.pool = pool, c->error = error;
    qvResult result = RunCase(c);
    qvDestroyMotion(c->motion);
    qvDestroyMotionSpace(c->space);
    qvDestroyTopology(c->topology);
    qvDestroyMesh(c->mesh);
    for (int k = 0; k < MAX_KEYS; k++)
        free(c->points[k]);
    free(c->rest);
    free(c->frames);
    free(c->coordinates);
    free(c->positions);
    free(c->floats);
    free(c->scratch);
    free(c);
    return result;
}

static qvResult Run(qvBenchSink* sink, qvError* error)
{
    static const BodyDef bodies[] = {
        { "imp", 11, 7, 17, true },
        { "imp", 41, 6, 16, false }, // half the keys, for the growth
        { "imp", 41, 12, 16, true },
        { "torus", 48, 11, 18, false },
    };
    qvPool* pool;
    qvResult result = qvCreatePool(0, &pool, error);
    for (size_t i = 0; result == qv_ok && i < sizeof(bodies) / sizeof(bodies[0]); i++)
        result = BenchBody(sink, pool, &bodies[i], error);
    qvDestroyPool(pool);
    struct rusage usage;
    if (result == qv_ok && getrusage(RUSAGE_SELF, &usage) == 0)
        qvBench_Add(sink, "spacetime/peak-memory", (double)usage.ru_maxrss / 1024.0, "MB", 0.0);
    return result;
}

const qvBench qvBenchSpacetime = { "spacetime", "Motions: preparation, updates and frames of the paper's sizes", Run };
