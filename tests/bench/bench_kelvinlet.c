// SPDX-License-Identifier: GPL-3.0-or-later
// Kelvinlet kernels: evaluations per second with RK4 included, against a plain transcription of the paper's formulas,
// and the largest error against long double.
#include "bench.h"
#include "kelvinlet_bench.h"
#include "kelvinlet_reference.h"

#include "kelvinlet/flow.h"
#include "quaver/brush.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    POINTS = 100000,
    PAPER_POINTS = 2000,
    WAVES = 200,
    WAVE_POINTS = 20000,
    LOADS = 18, // impulse, push and static; force and affine; 1, 2 and 3 scales
};

#define REAL        float
#define SQRT        sqrtf
#define PAPER(name) PaperFloat##name
#include "kelvinlet_paper.inl"

#define REAL        double
#define SQRT        sqrt
#define PAPER(name) PaperDouble##name
#include "kelvinlet_paper.inl"

// A deterministic number in [-1, 1).
static double NextSigned(uint64_t* state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-52 - 1.0;
}

typedef struct Data
{
    qvPointsf single, singleOut;
    qvPoints whole, wholeOut;
    qvFlow flow;
    qvWave* waves;
    qvVec3f* mesh;
    qvPool* pool;
    qvAdvection options;
    qvError error;
    qvResult result;
} Data;

static void FreeData(Data* data)
{
    free(data->single.x);
    free(data->whole.x);
    free(data->waves);
    free(data->mesh);
    qvDestroyPool(data->pool);
}

static qvResult MakeData(Data* data, qvError* error)
{
    size_t n = POINTS;
    *data = (Data){ 0 };
    float* f = calloc(6 * n, sizeof(float));
    double* d = calloc(6 * n, sizeof(double));
    data->single = (qvPointsf){ f, f + n, f + 2 * n, POINTS };
    data->whole = (qvPoints){ d, d + n, d + 2 * n, POINTS };
    data->waves = calloc(WAVES, sizeof(qvWave));
    data->mesh = calloc(POINTS, sizeof(qvVec3f));
    if (f == NULL || d == NULL || data->waves == NULL || data->mesh == NULL)
    {
        FreeData(data);
        return qvError_OutOfMemory(error, 72.0 * POINTS);
    }
    data->singleOut = (qvPointsf){ f + 3 * n, f + 4 * n, f + 5 * n, POINTS };
    data->wholeOut = (qvPoints){ d + 3 * n, d + 4 * n, d + 5 * n, POINTS };
    uint64_t random = 1;
    for (size_t i = 0; i < 3 * n; i++)
        d[i] = f[i] = (float)(2.0 * NextSigned(&random));
    qvResult result = qvCreatePool(2, &data->pool, error);
    if (result != qv_ok)
        FreeData(data);
    return result;
}

static qvKelvinlet MakeLoad(qvKelvinletTime time, int scales, bool affine)
{
    qvKelvinlet load = qvDefaultKelvinlet();
    load.time = time;
    qvKelvinlet_SetRadius(&load, 0.5, scales);
    qvKelvinlet_SetSpeed(&load, 1.0);
    load.force = affine ? qvMakeVec3(0.0, 0.0, 0.0) : qvMakeVec3(0.1, 0.05, -0.02);
    if (affine)
        load.affine = (qvMat3){ { { 0.01, 0.03, 0.0 }, { -0.02, 0.0, 0.01 }, { 0.0, 0.02, -0.01 } } };
    return load;
}

static qvKelvinlet GetLoad(int kind)
{
    static const qvKelvinletTime times[] = { qv_kelvinletImpulse, qv_kelvinletPush, qv_kelvinletStatic };
    return MakeLoad(times[kind / 6], 1 + kind % 3, kind / 3 % 2 == 1);
}

static void RunFloat(void* context)
{
    Data* data = context;
    qvFlow_Runf(&data->flow, &data->single, &data->singleOut, NULL);
}

static void RunDouble(void* context)
{
    Data* data = context;
    qvFlow_Run(&data->flow, &data->whole, &data->wholeOut, NULL);
}

// RK4 of the paper's formulas, point by point.
#define DEFINE_PAPER_RUN(Real, Paper, Name, points, out)                                                  \
    static void Name(void* context)                                                                       \
    {                                                                                                     \
        Data* data = context;                                                                             \
        ReferenceLoad reference = MakeReferenceLoad(data->flow.loads, data->flow.age);                    \
        Paper##Load load = Paper##MakeLoad(&reference);                                                   \
        for (int i = 0; i < PAPER_POINTS; i++)                                                            \
        {                                                                                                 \
            Real x[3] = { data->points.x[i], data->points.y[i], data->points.z[i] }, k[5][3] = { { 0 } }; \
            static const Real offsets[4] = { 0, (Real)0.5, (Real)0.5, 1 };                                \
            for (int stage = 0; stage < 4; stage++)                                                       \
            {                                                                                             \
                Real y[3];                                                                                \
                for (int c = 0; c < 3; c++)                                                               \
                    y[c] = x[c] + offsets[stage] * k[stage][c];                                           \
                Paper##Displacement(&load, y, k[stage + 1]);                                              \
            }                                                                                             \
            data->out.x[i] = (k[1][0] + 2 * k[2][0] + 2 * k[3][0] + k[4][0]) / 6;                         \
            data->out.y[i] = (k[1][1] + 2 * k[2][1] + 2 * k[3][1] + k[4][1]) / 6;                         \
            data->out.z[i] = (k[1][2] + 2 * k[2][2] + 2 * k[3][2] + k[4][2]) / 6;                         \
        }                                                                                                 \
    }
DEFINE_PAPER_RUN(float, PaperFloat, PaperRunFloat, single, singleOut)
DEFINE_PAPER_RUN(double, PaperDouble, PaperRunDouble, whole, wholeOut)

static qvResult StartFlow(Data* data, const qvKelvinlet* load, qvError* error)
{
    qvAdvection options = qvDefaultAdvection();
    options.substeps = 1;
    return qvFlow_Init(&data->flow, load, 1, 0.7, &options, NULL, NULL, error);
}

// Evaluations per microsecond, that is millions per second.
static double Rate(Data* data, bool whole, bool paper)
{
    int points = paper ? PAPER_POINTS : POINTS;
    void (*run)(void*) = whole ? (paper ? PaperRunDouble : RunDouble) : (paper ? PaperRunFloat : RunFloat);
    return 4e-6 * points / qvBench_Time(run, data, 20);
}

void qvNameBenchLoad(const qvKelvinlet* load, char name[64])
{
    static const char* const times[] = { "static", "impulse", "push", "transient" };
    static const char* const scales[] = { "", "/2-scales", "/3-scales" };
    bool affine = qvLength(load->force) == 0.0;
    snprintf(name, 64, "%s%s%s", times[load->time], affine ? "/affine" : "", scales[load->scaleCount - 1]);
}

// One kind of load in both precisions, at the current CPU level.
static qvResult BenchKind(qvBenchSink* sink, Data* data, const qvKelvinlet* load, const char* level, qvError* error)
{
    qvResult result = StartFlow(data, load, error);
    if (result != qv_ok)
        return result;
    char kind[64];
    qvNameBenchLoad(load, kind);
    for (int whole = 0; whole < 2; whole++)
    {
        char name[128];
        snprintf(name, sizeof(name), "%s/%s/rk4/100k%s", kind, whole ? "double" : "float", level);
        double baseline = Rate(data, whole != 0, true);
        qvBench_Add(sink, name, Rate(data, whole != 0, false), "Meval/s", baseline);
    }
    qvFlow_Free(&data->flow);
    return qv_ok;
}

static qvResult BenchTime(qvBenchSink* sink, Data* data, qvError* error)
{
    qvKelvinlet load = MakeLoad(qv_kelvinletImpulse, 1, false);
    qvResult result = StartFlow(data, &load, error);
    if (result != qv_ok)
        return result;
    double ours = 1e3 * qvBench_Time(RunFloat, data, 20);
    double paper = 1e3 * qvBench_Time(PaperRunFloat, data, 5) * POINTS / PAPER_POINTS;
    qvBench_Add(sink, "one-load/100k", ours, "ms", paper);
    qvFlow_Free(&data->flow);
    return qv_ok;
}

static void RunGrab(void* context)
{
    Data* data = context;
    qvStroke stroke = qvDefaultStroke(qvFindBrush("grab"), 4.0);
    stroke.drag = qvMakeVec3(0.8, 0.2, 0.1);
    qvStrokeTarget target = { .pointCount = POINTS };
    data->result = qvStroke_Applyf(&stroke, &target, NULL, data->mesh, &data->error);
}

// A whole stroke as the editor applies it: from and to interleaved points, with as many substeps as it needs; against
// one step of the paper's formulas.
static qvResult BenchBrush(qvBenchSink* sink, Data* data, qvError* error)
{
    for (int i = 0; i < POINTS; i++)
        data->mesh[i] = (qvVec3f){ data->single.x[i], data->single.y[i], data->single.z[i] };
    double ours = 1e3 * qvBench_Time(RunGrab, data, 5);
    if (data->result != qv_ok)
        *error = data->error;
    qvKelvinlet load = MakeLoad(qv_kelvinletStatic, 1, false);
    qvResult result = data->result == qv_ok ? StartFlow(data, &load, error) : data->result;
    if (result != qv_ok)
        return result;
    double paper = 1e3 * qvBench_Time(PaperRunFloat, data, 5) * POINTS / PAPER_POINTS;
    qvBench_Add(sink, "brush/grab/100k", ours, "ms", paper);
    qvFlow_Free(&data->flow);
    return qv_ok;
}

// --- Many loads ------------------------------------------------------------------------------------------------------

static void RunWaves(void* context)
{
    Data* data = context;
    qvPointsf points = data->single, out = data->singleOut;
    points.count = out.count = WAVE_POINTS;
    data->result = qvAddWavesf(data->waves, WAVES, 1.0, &data->options, &points, &out, data->pool, &data->error);
}

// span: how far apart the loads are, in units of the points' cloud; far ones are culled.
static qvResult BenchWaves(qvBenchSink* sink, Data* data, const char* name, double span, qvError* error)
{
    uint64_t random = 7;
    for (int i = 0; i < WAVES; i++)
    {
        data->waves[i].load = MakeLoad(i % 2 ? qv_kelvinletPush : qv_kelvinletImpulse, 1, false);
        data->waves[i].load.center = qvMakeVec3(span * NextSigned(&random), NextSigned(&random), NextSigned(&random));
        data->waves[i].start = 0.5 + 0.4 * NextSigned(&random);
    }
    data->options = qvDefaultAdvection();
    data->options.substeps = 1;
    double ours = 1e3 * qvBench_Time(RunWaves, data, 5);
    if (data->result != qv_ok)
    {
        *error = data->error;
        return data->result;
    }
    qvKelvinlet load = MakeLoad(qv_kelvinletImpulse, 1, false);
    qvResult result = StartFlow(data, &load, error);
    if (result != qv_ok)
        return result;
    double paper = 1e3 * qvBench_Time(PaperRunFloat, data, 3) * WAVES * WAVE_POINTS / PAPER_POINTS;
    qvBench_Add(sink, name, ours, "ms", paper);
    qvFlow_Free(&data->flow);
    return qv_ok;
}

// --- Everything -----------------------------------------------------------------------------------------------------

static qvResult BenchLevel(qvBenchSink* sink, void* context, const char* suffix, qvError* error)
{
    qvKelvinlet impulse = MakeLoad(qv_kelvinletImpulse, 1, false);
    qvKelvinlet push = MakeLoad(qv_kelvinletPush, 1, false);
    qvResult result = BenchKind(sink, context, &impulse, suffix, error);
    return result == qv_ok ? BenchKind(sink, context, &push, suffix, error) : result;
}

static qvResult BenchKinds(qvBenchSink* sink, Data* data, qvError* error)
{
    qvResult result = qv_ok;
    for (int kind = 0; result == qv_ok && kind < LOADS; kind++)
    {
        qvKelvinlet load = GetLoad(kind);
        qvBench_Tell(sink, "kind of load", kind, LOADS);
        result = BenchKind(sink, data, &load, "", error);
    }
    return result;
}

static qvResult BenchAll(qvBenchSink* sink, Data* data, qvError* error)
{
    qvResult result = BenchKinds(sink, data, error);
    if (result == qv_ok)
        result = qvBench_AtLowerLevels(sink, BenchLevel, data, error);
    if (result == qv_ok)
        result = BenchTime(sink, data, error);
    if (result == qv_ok)
        result = BenchBrush(sink, data, error);
    if (result == qv_ok)
        result = BenchWaves(sink, data, "200-loads/20k/2-threads", 1.0, error);
    if (result == qv_ok)
        result = BenchWaves(sink, data, "200-loads/20k/2-threads/scattered", 50.0, error);
    return result;
}

static qvResult Run(qvBenchSink* sink, qvError* error)
{
    Data data;
    qvResult result = MakeData(&data, error);
    if (result != qv_ok)
        return result;
    result = BenchAll(sink, &data, error);
    FreeData(&data);
    for (int kind = 0; result == qv_ok && kind < LOADS; kind++)
    {
        qvKelvinlet load = GetLoad(kind);
        qvBench_Tell(sink, "errors of load", kind, LOADS);
        qvBenchErrors(sink, &load);
    }
    return result;
}

const qvBench qvBenchKelvinlet = { "kelvinlet", "elastic brushes and waves against the paper's formulas", Run,
                                   "the paper's formulas as printed, on a single thread",
                                   "by a fixed time per vertex and load, times four for RK4, over the cores; its error "
                                   "stays at rounding where the printed formulas lose all digits" };
