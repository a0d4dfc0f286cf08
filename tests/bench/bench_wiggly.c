// SPDX-License-Identifier: GPL-3.0-or-later
// Wiggly splines, against the band system of 4 unknowns per segment of Hildebrandt et al. 2012 (equations 13 to 15),
// solved with LAPACK's dgbsv and evaluated through its four basis functions. That system is given segment-local time,
// which keeps it from overflowing; all modes here oscillate or are overdamped (the appendix's two main cases).
#include "bench.h"

#include "quaver/wiggly.h"

#include "base/assert.h"
#include "base/memory.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MODES = 200,
    SEGMENTS = 10,
    KNOTS = SEGMENTS + 1,
    FRAMES = 300,
    BELOW = 4,
    ABOVE = 4,
    UNKNOWNS = 4 * SEGMENTS,
    COLUMN = 2 * BELOW + ABOVE + 1,
};

typedef struct Input
{
    double times[KNOTS], frames[FRAMES];
    double lambda[MODES], delta[MODES];
    double values[KNOTS * MODES], w[KNOTS * MODES], v0[KNOTS * MODES], v1[KNOTS * MODES];
    double* samples;
    qvWigglyPlan* plan;

    double band[MODES][UNKNOWNS * COLUMN], x[MODES][UNKNOWNS];
    int pivots[MODES][UNKNOWNS];
} Input;

static double Unit(unsigned* state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / (1 << 24);
}

static void FillInput(Input* in)
{
    unsigned random = 7;
    in->times[0] = 0.0;
    for (int k = 1; k < KNOTS; k++)
        in->times[k] = in->times[k - 1] + 0.4 + 1.2 * Unit(&random);
    for (int i = 0; i < FRAMES; i++)
        in->frames[i] = in->times[SEGMENTS] * i / (FRAMES - 1);
    for (int i = 0; i < MODES; i++)
    {
        double rate = 2.0 * 3.14159265 * (0.5 + 11.5 * i / MODES); // 0.5 to 12 Hz
        in->lambda[i] = rate * rate;
        in->delta[i] = i % 4 == 3 ? 1.1 * rate : 0.5 + Unit(&random);
    }
    for (int i = 0; i < KNOTS * MODES; i++)
        in->values[i] = 2.0 * Unit(&random) - 1.0;
}

// --- Ours ------------------------------------------------------------------------------------------------------------

static qvWigglyPlan* MakePlan(const Input* in)
{
    qvError error;
    qvWigglyPlan* plan;
    qvWigglyDef def = qvDefaultWigglyDef();
    def.knotCount = KNOTS;
    def.times = in->times;
    def.modeCount = MODES;
    def.lambda = in->lambda;
    def.delta = in->delta;
    qvResult result = qvCreateWigglyPlan(&def, &plan, &error);
    QV_ASSERT(result == qv_ok);
    return plan;
}

static void SolveOnly(void* context)
{
    Input* in = context;
    qvError error;
    qvWigglyData data = { .values = in->values };
    qvWigglySolution solution = { in->w, in->v0, in->v1 };
    qvResult result = qvWigglyPlan_Solve(in->plan, &data, &solution, &error);
    QV_ASSERT(result == qv_ok);
}

static void FromScratch(void* context)
{
    Input* in = context;
    qvDestroyWigglyPlan(in->plan);
    in->plan = MakePlan(in);
    SolveOnly(in);
}

static void EvaluateOnly(void* context)
{
    Input* in = context;
    qvWigglySolution solution = { in->w, in->v0, in->v1 };
    qvWigglyPlan_Evaluate(in->plan, &solution, NULL, in->frames, FRAMES, NULL, in->samples, NULL, NULL);
}

static void WholeUpdate(void* context)
{
    FromScratch(context);
    EvaluateOnly(context);
}

// --- The paper's system ----------------------------------------------------------------------------------------------

// b[i][d]: derivative d of basis function i at local time t
static void Basis(double lambda, double delta, double t, double b[4][3])
{
    double square = delta * delta - lambda, eta = sqrt(fabs(square));
    double c = cos(eta * t), s = sin(eta * t);
    for (int i = 0; i < 4; i++)
    {
        double r = i < 2 ? -delta : delta;
        if (square < 0.0)
        {
            double e = exp(r * t), g = i % 2 == 0 ? c : s, g1 = i % 2 == 0 ? -eta * s : eta * c;
            b[i][0] = e * g;
            b[i][1] = e * (r * g + g1);
            b[i][2] = e * (r * r * g + 2.0 * r * g1 - eta * eta * g);
        }
        else
        {
            r += i % 2 == 0 ? eta : -eta;
            b[i][0] = exp(r * t);
            b[i][1] = r * b[i][0];
            b[i][2] = r * b[i][1];
        }
    }
}

static void Put(double* band, int row, int column, double value)
{
    band[BELOW + ABOVE + row - column + column * COLUMN] = value;
}

static void PutRow(double* band, int row, int segment, double b[4][3], int derivative, double sign)
{
    for (int i = 0; i < 4; i++)
        Put(band, row, 4 * segment + i, sign * b[i][derivative]);
}

static void AssemblePaper(const Input* in, int mode, double* band)
{
    double left[4][3], right[4][3];
    memset(band, 0, UNKNOWNS * COLUMN * sizeof(double));
    Basis(in->lambda[mode], in->delta[mode], 0.0, left);
    PutRow(band, 0, 0, left, 1, 1.0);
    for (int k = 0; k < SEGMENTS; k++)
    {
        Basis(in->lambda[mode], in->delta[mode], in->times[k + 1] - in->times[k], right);
        PutRow(band, 4 * k + 1, k, left, 0, 1.0);
        PutRow(band, 4 * k + 2, k, right, 0, 1.0);
        PutRow(band, 4 * k + 3, k, right, 1, 1.0);
        if (k + 1 == SEGMENTS)
            break;
        PutRow(band, 4 * k + 3, k + 1, left, 1, -1.0);
        PutRow(band, 4 * k + 4, k, right, 2, 1.0);
        PutRow(band, 4 * k + 4, k + 1, left, 2, -1.0);
    }
}

static void FillPaper(const Input* in, int mode, double* x)
{
    memset(x, 0, UNKNOWNS * sizeof(double));
    for (int k = 0; k < SEGMENTS; k++)
    {
        x[4 * k + 1] = in->values[k * MODES + mode];
        x[4 * k + 2] = in->values[(k + 1) * MODES + mode];
    }
}

static void PaperFromScratch(void* context)
{
    Input* in = context;
    for (int i = 0; i < MODES; i++)
    {
        AssemblePaper(in, i, in->band[i]);
        FillPaper(in, i, in->x[i]);
        int info = LAPACKE_dgbsv_work(LAPACK_COL_MAJOR, UNKNOWNS, BELOW, ABOVE, 1, in->band[i], COLUMN, in->pivots[i],
                                      in->x[i], UNKNOWNS);
        QV_ASSERT(info == 0);
    }
}

static void PaperSolveOnly(void* context)
{
    Input* in = context;
    for (int i = 0; i < MODES; i++)
    {
        FillPaper(in, i, in->x[i]);
        int info = LAPACKE_dgbtrs_work(LAPACK_COL_MAJOR, 'N', UNKNOWNS, BELOW, ABOVE, 1, in->band[i], COLUMN,
                                       in->pivots[i], in->x[i], UNKNOWNS);
        QV_ASSERT(info == 0);
    }
}

static void PaperEvaluate(void* context)
{
    Input* in = context;
    for (int j = 0, k = 0; j < FRAMES; j++)
    {
        while (k + 1 < SEGMENTS && in->frames[j] >= in->times[k + 1])
            k++;
        for (int i = 0; i < MODES; i++)
        {
            double b[4][3], sum = 0.0;
            Basis(in->lambda[i], in->delta[i], in->frames[j] - in->times[k], b);
            for (int n = 0; n < 4; n++)
                sum += in->x[i][4 * k + n] * b[n][0];
            in->samples[j * MODES + i] = sum;
        }
    }
}

static void PaperWholeUpdate(void* context)
{
    PaperFromScratch(context);
    PaperEvaluate(context);
}

// Both give the same curves, or the figures mean nothing.
static double LargestDifference(Input* in)
{
    double worst = 0.0;
    double* ours = qvAllocate(MODES * FRAMES, sizeof(double));
    QV_ASSERT(ours != NULL);
    WholeUpdate(in);
    memcpy(ours, in->samples, MODES * FRAMES * sizeof(double));
    PaperWholeUpdate(in);
    for (int i = 0; i < MODES * FRAMES; i++)
        worst = fmax(worst, fabs(ours[i] - in->samples[i]));
    free(ours);
    return worst;
}

static qvResult Run(qvBenchSink* sink, qvError* error)
{
    Input* in = qvAllocate(1, sizeof(*in));
    double* samples = qvAllocate(MODES * FRAMES, sizeof(double));
    if (in == NULL || samples == NULL)
    {
        free(in);
        free(samples);
        return qvError_OutOfMemory(error, sizeof(*in));
    }
    in->samples = samples;
    FillInput(in);
    double difference = LargestDifference(in), million = MODES / 1e6;
    qvBench_Add(sink, "difference-to-band-system", difference, "max", 0.0);
    qvBench_Add(sink, "spline/10-intervals/new-times", million / qvBench_Time(FromScratch, in, 20), "Msplines/s",
                million / qvBench_Time(PaperFromScratch, in, 20));
    qvBench_Add(sink, "spline/10-intervals/new-values", million / qvBench_Time(SolveOnly, in, 20), "Msplines/s",
                million / qvBench_Time(PaperSolveOnly, in, 20));
    qvBench_Add(sink, "evaluate/200-modes/300-frames", 1e3 * qvBench_Time(EvaluateOnly, in, 10), "ms",
                1e3 * qvBench_Time(PaperEvaluate, in, 10));
    qvBench_Add(sink, "update/200-modes/10-intervals/300-frames", 1e3 * qvBench_Time(WholeUpdate, in, 10), "ms",
                1e3 * qvBench_Time(PaperWholeUpdate, in, 10));
    qvDestroyWigglyPlan(in->plan);
    free(samples);
    free(in);
    return qv_ok;
}

const qvBench qvBenchWiggly = { "wiggly", "wiggly splines against the 4m band system", Run,
                                "the 4m band system: 4 unknowns for each of m segments, by LAPACK on a single thread",
                                "with modes times keys; new values reuse the factors of the times" };
