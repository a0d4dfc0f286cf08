// SPDX-License-Identifier: GPL-3.0-or-later
// The full history of a body in a Haar basis (bem/squeeze.h) per ratio of compression, beside what the paper has for
// its bumpy cube of 3,000 vertices.
#include "surface_squeeze.h"

#include "bem/history.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    STEPS = 90,
    PUSH = 6, // steps
};

static const double FREQUENCY = 3.0, RATE = 240.0; // Hz
static const double MEGA = 1e-6;

// What a compression of the paper's keeps of its memory (Table 1: 7.8 GB; 1.5, 0.4 and 0.1 GB).
static const struct
{
    double ratio, paper;
} ratios[] = { { 1.0, 1.0 }, { 4.0, 0.0 }, { 8.0, 1.5 / 7.8 }, { 32.0, 0.4 / 7.8 }, { 128.0, 0.1 / 7.8 } };

typedef struct Squeezing
{
    const qvBemModel* model;
    qvBemHistory* history;
    double *past, *loads, *u;
    qvResult result;
} Squeezing;

static void StepOnce(void* context)
{
    Squeezing* squeezing = context;
    qvError error;
    qvResult result =
        qvBemHistory_Step(squeezing->history, squeezing->past, squeezing->loads, squeezing->u, NULL, &error);
    squeezing->result = result != qv_ok ? result : squeezing->result;
}

static qvResult Open(Squeezing* squeezing, const qvBemModel* model, double ratio, qvError* error)
{
    *squeezing = (Squeezing){ .model = model };
    qvBemHistoryDef def = qvDefaultBemHistoryDef();
    def.surface = model->surface;
    def.dt = 2.0 * 3.14159265358979 * FREQUENCY / RATE / model->omega[0]; // with a shear speed of 1
    def.onVertices = true;
    def.ratio = ratio;
    def.quadrature = qvFastQuadrature();
    qvResult result = qvCreateBemHistory(&def, NULL, &squeezing->history, error);
    if (result != qv_ok)
        return result;
    size_t rows = 3 * (size_t)model->surface->vertexCount;
    squeezing->past = calloc((size_t)qvBemHistory_PastSize(squeezing->history), sizeof(double));
    squeezing->loads = calloc(rows, sizeof(double));
    squeezing->u = calloc(rows, sizeof(double));
    bool done = squeezing->past != NULL && squeezing->loads != NULL && squeezing->u != NULL;
    return done ? qv_ok : qvError_OutOfMemory(error, 24.0 * (double)rows);
}

static void Close(Squeezing* squeezing)
{
    qvDestroyBemHistory(squeezing->history);
    free(squeezing->past);
    free(squeezing->loads);
    free(squeezing->u);
}

// Both sides are pulled apart for a moment: motion [STEPS][rows].
static void Move(Squeezing* squeezing, double* motion)
{
    const qvBemSurface* surface = squeezing->model->surface;
    size_t rows = 3 * (size_t)surface->vertexCount;
    for (int n = 0; n < STEPS; n++)
    {
        for (int v = 0; v < surface->vertexCount; v++)
            squeezing->loads[3 * v] =
                n < PUSH ? (surface->vertices[v].x - surface->centroid.x) * surface->vertexArea[v] : 0.0;
        StepOnce(squeezing);
        memcpy(motion + (size_t)n * rows, squeezing->u, rows * sizeof(double));
    }
}

static double Peak(const double* a, const double* b, size_t count)
{
    double peak = 0.0;
    for (size_t i = 0; i < count; i++)
        peak = fmax(peak, fabs(a[i] - (b != NULL ? b[i] : 0.0)));
    return peak;
}

static qvResult Measure(qvBenchSink* sink, const qvBemModel* model, int which, double* whole, double* motion,
                        double base[2], qvError* error)
{
    char name[64];
    size_t count = 3 * (size_t)model->surface->vertexCount * STEPS;
    Squeezing squeezing;
    qvResult result = Open(&squeezing, model, ratios[which].ratio, error);
    if (result == qv_ok)
    {
        double* own = which == 0 ? whole : motion;
        Move(&squeezing, own);
        result = squeezing.result != qv_ok ? qvError_Set(error, squeezing.result, "a step of a history failed") : qv_ok;
        double memory = MEGA * qvBemHistory_Bytes(squeezing.history),
               step = 1e3 * qvBench_CpuTime(StepOnce, &squeezing, 5);
        base[0] = which == 0 ? memory : base[0];
        base[1] = which == 0 ? step : base[1];
        snprintf(name, sizeof(name), "history_%g_memory", ratios[which].ratio);
        qvBench_Add(sink, name, memory, "MB", base[0]);
        if (ratios[which].paper > 0.0 && which > 0)
        {
            snprintf(name, sizeof(name), "history_%g_memory_beside_the_papers_share", ratios[which].ratio);
            qvBench_Add(sink, name, memory, "MB", base[0] * ratios[which].paper);
        }
        snprintf(name, sizeof(name), "history_%g_step", ratios[which].ratio);
        qvBench_Add(sink, name, step, "ms", base[1]);
        if (which > 0)
        {
            snprintf(name, sizeof(name), "history_%g_error_of_matrices", ratios[which].ratio);
            qvBench_Add(sink, name, qvBemHistory_Error(squeezing.history), "of H_1", 0.0);
            snprintf(name, sizeof(name), "history_%g_error_of_motion", ratios[which].ratio);
            qvBench_Add(sink, name, Peak(own, whole, count) / Peak(whole, NULL, count), "of peak", 0.0);
        }
    }
    Close(&squeezing);
    return result;
}

qvResult qvBenchSqueeze(qvBenchSink* sink, const qvBemModel* model, qvError* error)
{
    size_t count = 3 * (size_t)model->surface->vertexCount * STEPS;
    double *whole = calloc(2 * count, sizeof(double)), base[2] = { 0.0, 0.0 };
    qvResult result = whole != NULL ? qv_ok : qvError_OutOfMemory(error, 16.0 * (double)count);
    for (int i = 0; result == qv_ok && i < (int)(sizeof(ratios) / sizeof(ratios[0])); i++)
        result = Measure(sink, model, i, whole, whole + count, base, error);
    free(whole);
    return result;
}
