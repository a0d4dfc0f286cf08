// SPDX-License-Identifier: GPL-3.0-or-later
// Motions of the paper's sizes: preparation, update after a change of times (curves alone, with two partial keys, and
// with coordinates of 300 frames), frames by displacements, by rotations and in batches. Baselines: for preparation
// the modes of all keys by ARPACK alone; for updates a new preparation; for frames the same in double, the one by
// displacements and the one alone. Growth: the exponent of the cost in the number of keys and of vertices. Memory: the
// peak since the case began. Silence: the longest time in which a cancel would not have been heard. How far shapes
// stretch that turn: spacetime_bar.h.
#include "bench.h"
#include "spacetime_bar.h"

#include "quaver/modal.h"
#include "quaver/motion.h"
#include "quaver/primitive.h"
#include "quaver/shell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
    FRAMES = 300,
    ONLY = 100, // points of a partial key
    BATCH = 32, // frames evaluated together
    MAX_KEYS = 1000
};

typedef struct BodyDef
{
    const char* tag;
    int resolution, keys, modes;
    bool arpack; // measure the baseline
    bool rigid;  // one shape in different places: the modes alone
} BodyDef;

// When the job was last asked whether to go on.
typedef struct Silence
{
    double asked, longest; // s
} Silence;

typedef struct Case
{
    qvBenchSink* sink;
    const BodyDef* body;
    char label[64];
    qvJob job;
    Silence silence;
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
    qvMotion* plain;     // the same without rotations
    double* frames;      // [FRAMES]
    double* coordinates; // [FRAMES x dimension]
    double* positions;   // [size]
    qvVec3f* floats;     // [BATCH x points]
    void* scratch;
    double moment; // s, of single frames
    qvResult result;
    qvError* error;
} Case;

static void Add(Case* c, const char* what, double seconds, double baseline)
{
    char name[128];
    snprintf(name, sizeof(name), "%s/%s", what, c->label);
    qvBench_Add(c->sink, name, 1e3 * seconds, "ms", 1e3 * baseline);
}

static double Now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool Listen(void* context, const char* stage, double fraction)
{
    (void)stage;
    (void)fraction;
    Silence* silence = context;
    double seconds = Now();
    if (silence->asked > 0.0)
        silence->longest = fmax(silence->longest, seconds - silence->asked);
    silence->asked = seconds;
    return true;
}

// Makes a space; adds the longest silence meanwhile.
static qvResult Prepare(Case* c, const qvMotionSpace* previous, const char* what, qvMotionSpace** space)
{
    c->silence = (Silence){ 0.0, 0.0 };
    Listen(&c->silence, "", 0.0);
    c->job.progress = Listen, c->job.context = &c->silence;
    qvResult result = qvCreateMotionSpace(&c->def, previous, &c->job, space, c->error);
    if (result != qv_ok)
        return result;
    Listen(&c->silence, "", 1.0);
    qvMotionSpaceStats stats = qvMotionSpace_Stats(*space);
    snprintf(c->label, sizeof(c->label), "%d-vertices/%d-keys/d%d", stats.pointCount, c->body->keys, stats.dimension);
    char name[64];
    snprintf(name, sizeof(name), "%s-silence", what);
    Add(c, name, c->silence.longest, 0.0);
    return qv_ok;
}

static void AddMemory(Case* c, const char* what)
{
    char name[128];
    snprintf(name, sizeof(name), "%s-memory/%s", what, c->label);
    qvBench_Add(c->sink, name, qvBench_PeakMemory(), "MB", 0.0);
}

// A different bend, twist and stretch at every key.
static void FillPose(Case* c, int key)
{
    if (c->body->rigid)
    {
        for (int i = 0; i < c->size; i++)
            c->points[key][i] = c->rest[i] + (i % 3 == 0 ? key : 0.0);
        return;
    }
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
    c->def.material.modes = c->body->modes;
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
    qvResult result = qvCreateShell(c->topology, c->points[1], NULL, &shell, c->error);
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
    qvMotion_EvaluateFloat(c->motion, c->moment, c->scratch, c->job.pool, c->floats);
}

static void TimeAlone(void* context)
{
    Case* c = context;
    qvMotion_EvaluateFloat(c->motion, c->moment, c->scratch, NULL, c->floats);
}

static void TimePlain(void* context)
{
    Case* c = context;
    qvMotion_EvaluateFloat(c->plain, c->moment, c->scratch, c->job.pool, c->floats);
}

static void TimeDouble(void* context)
{
    Case* c = context;
    qvMotion_Evaluate(c->plain, c->moment, c->scratch, c->positions, NULL, NULL);
}

static void TimeBatch(void* context)
{
    Case* c = context;
    if (c->result == qv_ok)
        c->result = qvMotion_EvaluateFrames(c->motion, c->frames + 50, BATCH, c->job.pool, c->floats, c->error);
}

static qvResult AllocateFrames(Case* c)
{
    size_t dimension = (size_t)qvMotionSpace_Stats(c->space).dimension;
    c->frames = malloc(FRAMES * sizeof(double));
    c->coordinates = malloc((size_t)FRAMES * dimension * sizeof(double));
    c->positions = malloc((size_t)c->size * sizeof(double));
    c->floats = malloc(BATCH * (size_t)c->mesh->pointCount * sizeof(*c->floats));
    c->scratch = malloc(qvMotion_ScratchSize(c->motion));
    if (c->frames == NULL || c->coordinates == NULL || c->positions == NULL || c->floats == NULL || c->scratch == NULL)
        return qvError_OutOfMemory(c->error, (double)FRAMES * (double)dimension * sizeof(double));
    for (int i = 0; i < FRAMES; i++)
        c->frames[i] = 0.8 * (c->body->keys - 1) * i / (FRAMES - 1);
    return qv_ok;
}

static qvResult MakeMotions(Case* c)
{
    qvMotionDef plain = c->motionDef;
    plain.warp = false;
    qvResult result = qvCreateMotion(&c->motionDef, c->space, c->job.pool, &c->motion, c->error);
    if (result == qv_ok)
        result = qvCreateMotion(&plain, c->space, c->job.pool, &c->plain, c->error);
    return result == qv_ok ? AllocateFrames(c) : result;
}

// One frame without and with rotations, and one of many. At 1.3 s two linearizations are blended.
static qvResult BenchFrames(Case* c)
{
    c->moment = c->body->keys > 2 ? 1.3 : 0.3;
    double precise = qvBench_Time(TimeDouble, c, 20), plain = qvBench_Time(TimePlain, c, 40);
    double alone = qvBench_Time(TimeAlone, c, 40);
    double warped = qvBench_Time(TimeFloat, c, 40), batch = qvBench_Time(TimeBatch, c, 5) / BATCH;
    char name[64];
    snprintf(name, sizeof(name), "frame/warped/%d-threads", qvPool_ThreadCount(c->job.pool));
    Add(c, "frame/plain", plain, precise);
    Add(c, "frame/warped/1-thread", alone, plain);
    Add(c, name, warped, plain);
    Add(c, "frame/batch-of-32", batch, warped);
    return c->result;
}

static qvResult BenchMotion(Case* c, double prepared)
{
    c->result = MakeMotions(c);
    if (c->result != qv_ok)
        return c->result;
    double update = qvBench_Time(TimeUpdate, c, 5), curves = qvBench_Time(TimeCurves, c, 5);
    if (c->result != qv_ok)
        return c->result;
    Add(c, "update-300-frames", update, prepared);
    Add(c, "curves", curves, prepared);
    return BenchFrames(c);
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

// Preparation after one pose or the material has changed, while the old space is in use.
static qvResult BenchChange(Case* c, const char* what, double prepared)
{
    qvMotionSpace* changed;
    qvResult result = Prepare(c, c->space, what, &changed);
    if (result != qv_ok)
        return result;
    Add(c, what, 1e-3 * qvMotionSpace_Stats(changed).milliseconds, prepared);
    AddMemory(c, what);
    qvDestroyMotionSpace(changed);
    return qv_ok;
}

static qvResult BenchChanges(Case* c, double prepared)
{
    double* points = c->points[c->body->keys / 2];
    for (int i = 0; i < c->size; i += 3)
        points[i] += 0.05 * sin(points[i + 1]);
    qvResult result = BenchChange(c, "changed-pose", prepared);
    c->def.material.stretch = 1.3;
    return result == qv_ok ? BenchChange(c, "changed-stretch", prepared) : result;
}

static qvResult RunCase(Case* c)
{
    qvBench_ForgetPeakMemory();
    qvResult result = MakeBody(c);
    if (result == qv_ok)
        result = Prepare(c, NULL, "prepare", &c->space);
    if (result != qv_ok)
        return result;
    qvMotionSpaceStats stats = qvMotionSpace_Stats(c->space);
    double arpack = 0.0;
    if (c->body->arpack)
        result = ArpackSeconds(c, &arpack);
    Add(c, "prepare", 1e-3 * stats.milliseconds, arpack * c->body->keys);
    AddMemory(c, "prepare");
    if (result == qv_ok)
        result = BenchMotion(c, 1e-3 * stats.milliseconds);
    if (result == qv_ok)
        result = BenchPartial(c, 1e-3 * stats.milliseconds);
    return result == qv_ok ? BenchChanges(c, 1e-3 * stats.milliseconds) : result;
}

// The modes of the rest shape alone, which wind keeps swinging.
static qvResult RunFewModes(Case* c)
{
    qvResult result = MakeBody(c);
    if (result == qv_ok)
        result = qvCreateMotionSpace(&c->def, NULL, &c->job, &c->space, c->error);
    if (result != qv_ok)
        return result;
    qvMotionSpaceStats stats = qvMotionSpace_Stats(c->space);
    snprintf(c->label, sizeof(c->label), "%d-vertices/%d-keys/d%d", stats.pointCount, c->body->keys, stats.dimension);
    c->motionDef.material.wind = qvMakeVec3(5.0, 0.0, 1.0);
    result = MakeMotions(c);
    return result == qv_ok ? BenchFrames(c) : result;
}

static void FreeCase(Case* c)
{
    qvDestroyMotion(c->motion);
    qvDestroyMotion(c->plain);
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
}

static qvResult BenchBody(qvBenchSink* sink, qvPool* pool, const BodyDef* body, qvError* error)
{
    Case* c = calloc(1, sizeof(*c));
    if (c == NULL)
        return qvError_OutOfMemory(error, sizeof(*c));
    c->sink = sink, c->body = body, c->job.pool = pool, c->error = error;
    qvResult result = body->rigid ? RunFewModes(c) : RunCase(c);
    FreeCase(c);
    return result;
}

// --- Growth ---------------------------------------------------------------------------------------------------------

enum
{
    MAX_SIZES = 4
};

// Milliseconds of preparation, the best of some and with it that of the curves, and the number of vertices.
static qvResult TimePreparation(qvPool* pool, const BodyDef* body, int repeats, double* best, double* vertices,
                                qvError* error)
{
    Case* c = calloc(1, sizeof(*c));
    if (c == NULL)
        return qvError_OutOfMemory(error, sizeof(*c));
    c->body = body, c->job.pool = pool, c->error = error;
    qvResult result = MakeBody(c);
    *best = INFINITY;
    for (int i = 0; result == qv_ok && i < repeats; i++)
    {
        result = qvCreateMotionSpace(&c->def, NULL, &c->job, &c->space, error);
        if (result != qv_ok)
            break;
        double start = Now();
        result = qvCreateMotion(&c->motionDef, c->space, pool, &c->motion, error);
        *best = fmin(*best, qvMotionSpace_Stats(c->space).milliseconds + 1e3 * (Now() - start));
        *vertices = qvMotionSpace_Stats(c->space).pointCount;
        qvDestroyMotion(c->motion);
        qvDestroyMotionSpace(c->space);
        c->motion = NULL, c->space = NULL;
    }
    FreeCase(c);
    return result;
}

// The slope of log y over log x, by least squares.
static double Exponent(const double* x, const double* y, int count)
{
    double meanX = 0.0, meanY = 0.0, product = 0.0, square = 0.0;
    for (int i = 0; i < count; i++)
        meanX += log(x[i]) / count, meanY += log(y[i]) / count;
    for (int i = 0; i < count; i++)
    {
        product += (log(x[i]) - meanX) * (log(y[i]) - meanY);
        square += (log(x[i]) - meanX) * (log(x[i]) - meanX);
    }
    return product / square;
}

static qvResult BenchGrowth(qvBenchSink* sink, qvPool* pool, const char* name, bool inKeys, const BodyDef* bodies,
                            int count, int repeats, qvError* error)
{
    double sizes[MAX_SIZES], times[MAX_SIZES], vertices = 0.0;
    qvResult result = qv_ok;
    for (int i = 0; result == qv_ok && i < count; i++)
    {
        result = TimePreparation(pool, &bodies[i], repeats, &times[i], &vertices, error);
        sizes[i] = inKeys ? bodies[i].keys : vertices;
    }
    if (result == qv_ok)
        qvBench_Add(sink, name, Exponent(sizes, times, count), "exponent", 0.0);
    return result;
}

static qvResult Run(qvBenchSink* sink, qvError* error)
{
    static const BodyDef bodies[] = {
        { "imp", 11, 7, 17, true, false },
        { "imp", 41, 12, 16, true, false },
    };
    static const BodyDef keys[] = { { "imp", 11, 3, 16, false, false },
                                    { "imp", 11, 6, 16, false, false },
                                    { "imp", 11, 12, 16, false, false } };
    static const BodyDef many[] = { { "sack", 6, 10, 16, false, false },
                                    { "sack", 6, 100, 16, false, false },
                                    { "sack", 6, 1000, 16, false, false } };
    static const BodyDef sizes[] = { { "torus", 12, 3, 16, false, false },
                                     { "torus", 18, 3, 16, false, false },
                                     { "torus", 26, 3, 16, false, false } };
    qvPool* pool;
    qvResult result = qvCreatePool(0, &pool, error);
    for (size_t i = 0; result == qv_ok && i < sizeof(bodies) / sizeof(bodies[0]); i++)
        result = BenchBody(sink, pool, &bodies[i], error);
    if (result == qv_ok)
        result = BenchGrowth(sink, pool, "fit/keys", true, keys, 3, 3, error);
    if (result == qv_ok)
        result = BenchGrowth(sink, pool, "fit/many-keys", true, many, 3, 1, error);
    if (result == qv_ok)
        result = BenchGrowth(sink, pool, "fit/vertices", false, sizes, 3, 3, error);
    if (result == qv_ok)
        result = qvBenchBar(sink, error);
    qvDestroyPool(pool);
    return result;
}

const qvBench qvBenchSpacetime = {
    "spacetime", "motions: preparation, updates and frames of the paper's sizes", Run,
    "for preparation the modes of all keys by ARPACK alone; for updates, curves and changes a preparation of all keys; "
    "for plain frames the same in double on a single thread, for warped ones plain ones, for a batch single frames",
    "in preparation with the vertices and poses to the powers that fit/ says; in retiming with modes times keys, "
    "whatever the mesh; in a frame with points times modes"
};

static qvResult RunLarge(qvBenchSink* sink, qvError* error)
{
    static const BodyDef large = { "torus", 48, 11, 18, false, false }, few = { "torus", 49, 2, 18, false, true };
    static const BodyDef sizes[] = { { "torus", 18, 2, 18, false, false },
                                     { "torus", 30, 2, 18, false, false },
                                     { "torus", 48, 2, 18, false, false } };
    qvPool* pool;
    qvResult result = qvCreatePool(0, &pool, error);
    if (result == qv_ok)
        result = BenchBody(sink, pool, &few, error);
    if (result == qv_ok)
        result = BenchBody(sink, pool, &large, error);
    if (result == qv_ok)
        result = BenchGrowth(sink, pool, "fit/vertices", false, sizes, 3, 1, error);
    qvDestroyPool(pool);
    return result;
}

const qvBench qvBenchSpacetimeLarge = {
    "spacetime-large", "the same motions with 27k vertices", RunLarge,
    "for updates, curves and changes a preparation of all keys; for plain frames the same in double on a single "
    "thread, for warped ones plain ones, for a batch single frames",
    "as in spacetime, in preparation with the vertices to the power that fit/ says"
};
