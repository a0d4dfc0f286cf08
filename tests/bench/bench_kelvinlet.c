// SPDX-License-Identifier: GPL-3.0-or-later
// Kelvinlet kernels: evaluations per second with RK4 included, against a plain transcription of the paper's formulas,
// and the largest error against long double.
#include "bench.h"
#include "kelvinlet_reference.h"

#include "base/cpu.h"
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
};

DEFINE_PAPER_FORMS(float, PaperFloat, sqrtf)
DEFINE_PAPER_FORMS(double, PaperDouble, sqrt)

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
        const qvKelvinlet* load = data->flow.loads;                                                       \
        bool push = load->time == qv_kelvinletPush;                                                       \
        Real alpha = (Real)qvKelvinlet_PressureSpeed(load), beta = (Real)qvKelvinlet_ShearSpeed(load);    \
        Real f[3] = { (Real)load->force.x, (Real)load->force.y, (Real)load->force.z };                    \
        for (int i = 0; i < PAPER_POINTS; i++)                                                            \
        {                                                                                                 \
            Real x[3] = { data->points.x[i], data->points.y[i], data->points.z[i] }, k[5][3] = { { 0 } }; \
            static const Real offsets[4] = { 0, (Real)0.5, (Real)0.5, 1 };                                \
            for (int stage = 0; stage < 4; stage++)                                                       \
            {                                                                                             \
                Real y[3];                                                                                \
                for (int c = 0; c < 3; c++)                                                               \
                    y[c] = x[c] + offsets[stage] * k[stage][c];                                           \
                Paper(push, alpha, beta, (Real)data->flow.age, (Real)load->radii[0], f, y, k[stage + 1]); \
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

// One kind of load in both precisions, at the current CPU level.
static qvResult BenchKind(qvBenchSink* sink, Data* data, qvKelvinletTime time, int scales, bool affine,
                          const char* level, qvError* error)
{
    static const char* const names[] = { "static", "impulse", "push" };
    qvKelvinlet load = MakeLoad(time, scales, affine);
    qvResult result = StartFlow(data, &load, error);
    if (result != qv_ok)
        return result;
    bool comparable = time != qv_kelvinletStatic && scales == 1 && !affine;
    for (int whole = 0; whole < 2; whole++)
    {
        char name[96];
        snprintf(name, sizeof(name), "kelvinlet/%s%s%s/%s/rk4/100k%s", names[time], affine ? "/affine" : "",
                 scales == 1   ? ""
                 : scales == 2 ? "/2-scales"
                               : "/3-scales",
                 whole ? "double" : "float", level);
        double baseline = comparable ? Rate(data, whole != 0, true) : 0.0;
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
    qvBench_Add(sink, "kelvinlet/one-load/100k", ours, "ms", paper);
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

// A whole stroke as the editor applies it: from and to interleaved points, with as many substeps as it needs.
static qvResult BenchBrush(qvBenchSink* sink, Data* data, qvError* error)
{
    for (int i = 0; i < POINTS; i++)
        data->mesh[i] = (qvVec3f){ data->single.x[i], data->single.y[i], data->single.z[i] };
    double ours = 1e3 * qvBench_Time(RunGrab, data, 5);
    if (data->result != qv_ok)
        *error = data->error;
    qvBench_Add(sink, "kelvinlet/brush/grab/100k", ours, "ms", 0.0);
    return data->result;
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

// --- Errors ----------------------------------------------------------------------------------------------------------

static double Length(const long double v[3])
{
    return (double)sqrtl(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

typedef struct Error
{
    double single, whole, paper;
} Error;

// Largest error over time at a distance (in radii), relative to the peak there.
static Error ErrorAt(qvKelvinlet* load, double distance)
{
    ReferenceLoad reference = {
        .push = load->time == qv_kelvinletPush, .mu = load->stiffness, .nu = load->poisson, .scaleCount = 1
    };
    reference.eps[0] = load->radii[0];
    reference.f[0] = load->force.x;
    reference.f[1] = load->force.y;
    reference.f[2] = load->force.z;
    double r = distance * load->radii[0], peak = 0.0;
    qvBlockf single, singleOut;
    qvBlock whole, wholeOut;
    for (int i = 0; i < 16; i++)
    {
        double angle = 0.1 + 0.37 * i, height = 0.9 - 0.11 * i, side = sqrt(1.0 - height * height);
        whole.axis[0][i] = single.axis[0][i] = (float)(r * side * cos(angle));
        whole.axis[1][i] = single.axis[1][i] = (float)(r * side * sin(angle));
        whole.axis[2][i] = single.axis[2][i] = (float)(r * height);
    }
    Error error = { 0 };
    for (int t = 0; t < 120; t++)
    {
        double age =
            t < 60 ? 0.01 * pow(3000.0 * fmax(distance, 1.0), t / 59.0) : fmax(distance + 0.2 * (t - 90), 0.01);
        age *= load->radii[0] / qvKelvinlet_ShearSpeed(load);
        qvKernelLoadf kernelf;
        qvKernelLoad kernel;
        qvPrepareKernelf(load, age, &kernelf);
        qvPrepareKernel(load, age, &kernel);
        qvGetKernelSetf(qvGetCpuLevel())
            ->evaluate[kernelf.time][0][0](&kernelf, 16, &single, &single, 0, &singleOut, 0);
        qvGetKernelSet(qvGetCpuLevel())->evaluate[kernel.time][0][0](&kernel, 16, &whole, &whole, 0, &wholeOut, 0);
        reference.t = age;
        for (int i = 0; i < 16; i++)
        {
            long double at[3] = { whole.axis[0][i], whole.axis[1][i], whole.axis[2][i] }, u[3], a[3], b[3], c[3];
            double x[3] = { whole.axis[0][i], whole.axis[1][i], whole.axis[2][i] }, p[3];
            double f[3] = { load->force.x, load->force.y, load->force.z };
            ReferenceDisplacement(&reference, at, u);
            PaperDouble(reference.push, qvKelvinlet_PressureSpeed(load), qvKelvinlet_ShearSpeed(load), age,
                        load->radii[0], f, x, p);
            for (int k = 0; k < 3; k++)
            {
                a[k] = singleOut.axis[k][i] - u[k];
                b[k] = wholeOut.axis[k][i] - u[k];
                c[k] = p[k] - u[k];
            }
            peak = fmax(peak, Length(u));
            error.single = fmax(error.single, Length(a));
            error.whole = fmax(error.whole, Length(b));
            error.paper = fmax(error.paper, Length(c));
        }
    }
    return (Error){ error.single / peak, error.whole / peak, error.paper / peak };
}

// Largest errors relative to the peak over time at each distance, and those of the paper's formulas in double.
static void BenchErrors(qvBenchSink* sink, qvKelvinletTime time, const char* kind)
{
    static const double distances[] = { 1e-4, 1e-2, 0.1, 0.5, 1, 3, 9.9, 30, 100, 300, 999 };
    qvKelvinlet load = MakeLoad(time, 1, false);
    Error near = { 0 }, far = { 0 };
    for (size_t i = 0; i < sizeof(distances) / sizeof(distances[0]); i++)
    {
        Error now = ErrorAt(&load, distances[i]), *worst = distances[i] <= 10.0 ? &near : &far;
        worst->single = fmax(worst->single, now.single);
        worst->whole = fmax(worst->whole, now.whole);
        worst->paper = fmax(worst->paper, now.paper);
    }
    const struct
    {
        const char* what;
        double value;
    } rows[] = { { "float/error/10-radii", near.single },       { "double/error/10-radii", near.whole },
                 { "double/error/10-radii/paper", near.paper }, { "float/error/1000-radii", far.single },
                 { "double/error/1000-radii", far.whole },      { "double/error/1000-radii/paper", far.paper } };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
    {
        char name[96];
        snprintf(name, sizeof(name), "kelvinlet/%s/%s", kind, rows[i].what);
        qvBench_Add(sink, name, rows[i].value, "of peak", 0.0);
    }
}

// The level is the environment's: the same switch that a user has.
static qvResult BenchLevel(qvBenchSink* sink, Data* data, const char* level, qvError* error)
{
    char suffix[32];
    snprintf(suffix, sizeof(suffix), "/%s", level);
    const char* kept = getenv("QUAVER_CPU");
    char* before = kept != NULL ? strdup(kept) : NULL;
    setenv("QUAVER_CPU", level, 1);
    qvResult result = BenchKind(sink, data, qv_kelvinletImpulse, 1, false, suffix, error);
    if (result == qv_ok)
        result = BenchKind(sink, data, qv_kelvinletPush, 1, false, suffix, error);
    if (before != NULL)
        setenv("QUAVER_CPU", before, 1);
    else
        unsetenv("QUAVER_CPU");
    free(before);
    return result;
}

static qvResult BenchAll(qvBenchSink* sink, Data* data, qvError* error)
{
    static const qvKelvinletTime times[] = { qv_kelvinletImpulse, qv_kelvinletPush, qv_kelvinletStatic };
    qvResult result = qv_ok;
    for (int i = 0; result == qv_ok && i < 3; i++)
    {
        for (int scales = 1; result == qv_ok && scales <= 3; scales++)
            result = BenchKind(sink, data, times[i], scales, false, "", error);
        if (result == qv_ok)
            result = BenchKind(sink, data, times[i], 1, true, "", error);
    }
    if (result == qv_ok && qvGetCpuLevel() > qv_cpuAvx2)
        result = BenchLevel(sink, data, "avx2", error);
    if (result == qv_ok && qvGetCpuLevel() > qv_cpuPortable)
        result = BenchLevel(sink, data, "portable", error);
    if (result == qv_ok)
        result = BenchTime(sink, data, error);
    if (result == qv_ok)
        result = BenchBrush(sink, data, error);
    if (result == qv_ok)
        result = BenchWaves(sink, data, "kelvinlet/200-loads/20k/2-threads", 1.0, error);
    if (result == qv_ok)
        result = BenchWaves(sink, data, "kelvinlet/200-loads/20k/2-threads/scattered", 50.0, error);
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
    if (result == qv_ok)
    {
        BenchErrors(sink, qv_kelvinletImpulse, "impulse");
        BenchErrors(sink, qv_kelvinletPush, "push");
    }
    return result;
}

const qvBench qvBenchKelvinlet = { "kelvinlet", "elastic brushes and waves against the paper's formulas", Run };
