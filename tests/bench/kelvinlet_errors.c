// SPDX-License-Identifier: GPL-3.0-or-later
// The largest errors of the Kelvinlet kernels against long double (which test_kelvinlet_accuracy.c checks against
// quad), relative to the peak over time at each distance.
#include "kelvinlet_bench.h"
#include "kelvinlet_reference.h"

#include "kelvinlet/kernel.h"

#include <math.h>
#include <stdio.h>

#define REAL        float
#define SQRT        sqrtf
#define PAPER(name) PaperFloat##name
#include "kelvinlet_paper.inl"

#define REAL        double
#define SQRT        sqrt
#define PAPER(name) PaperDouble##name
#include "kelvinlet_paper.inl"

enum
{
    PLACES = 16,
    TIMES = 120,
};

typedef struct Errors
{
    double single, whole, paperSingle, paperWhole, peak;
} Errors;

static double Miss(const long double u[3], double x, double y, double z)
{
    double miss = (double)sqrtl((u[0] - x) * (u[0] - x) + (u[1] - y) * (u[1] - y) + (u[2] - z) * (u[2] - z));
    // The paper's formulas may be anything near the centre.
    return isfinite(miss) ? miss : 1e30;
}

static void MakePlaces(double r, qvBlockf* single, qvBlock* whole)
{
    for (int i = 0; i < PLACES; i++)
    {
        double angle = 0.1 + 0.37 * i, height = 0.9 - 0.11 * i, side = sqrt(1.0 - height * height);
        whole->axis[0][i] = single->axis[0][i] = (float)(r * side * cos(angle));
        whole->axis[1][i] = single->axis[1][i] = (float)(r * side * sin(angle));
        whole->axis[2][i] = single->axis[2][i] = (float)(r * height);
    }
}

// Errors of all places at one age.
static void AddErrorsAt(const qvKelvinlet* load, double age, const qvBlockf* single, const qvBlock* whole,
                        Errors* errors)
{
    qvKernelLoadf kernelf;
    qvKernelLoad kernel;
    qvBlockf singleOut;
    qvBlock wholeOut;
    qvPrepareKernelf(load, age, &kernelf);
    qvPrepareKernel(load, age, &kernel);
    qvGetKernelSetf(qvGetCpuLevel())
        ->evaluate[kernelf.time][kernelf.scaleCount - 1][kernelf.parts](&kernelf, PLACES, single, single, 0.0f,
                                                                        &singleOut, false);
    qvGetKernelSet(qvGetCpuLevel())
        ->evaluate[kernel.time][kernel.scaleCount - 1][kernel.parts](&kernel, PLACES, whole, whole, 0.0, &wholeOut,
                                                                     false);
    ReferenceLoad reference = MakeReferenceLoad(load, age);
    PaperFloatLoad paperf = PaperFloatMakeLoad(&reference);
    PaperDoubleLoad paper = PaperDoubleMakeLoad(&reference);
    for (int i = 0; i < PLACES; i++)
    {
        float a[3] = { single->axis[0][i], single->axis[1][i], single->axis[2][i] }, p[3];
        double b[3] = { a[0], a[1], a[2] }, d[3];
        long double at[3] = { a[0], a[1], a[2] }, u[3];
        BestDisplacement(&reference, at, u);
        PaperFloatDisplacement(&paperf, a, p);
        PaperDoubleDisplacement(&paper, b, d);
        const float* f[3] = { singleOut.axis[0], singleOut.axis[1], singleOut.axis[2] };
        const double* w[3] = { wholeOut.axis[0], wholeOut.axis[1], wholeOut.axis[2] };
        errors->single = fmax(errors->single, Miss(u, f[0][i], f[1][i], f[2][i]));
        errors->whole = fmax(errors->whole, Miss(u, w[0][i], w[1][i], w[2][i]));
        errors->paperSingle = fmax(errors->paperSingle, Miss(u, p[0], p[1], p[2]));
        errors->paperWhole = fmax(errors->paperWhole, Miss(u, d[0], d[1], d[2]));
        errors->peak = fmax(errors->peak, Miss(u, 0.0, 0.0, 0.0));
    }
}

// Largest errors over time at a distance (in radii), relative to the peak there.
static Errors ErrorsAt(const qvKelvinlet* load, double distance)
{
    qvBlockf single;
    qvBlock whole;
    Errors errors = { 0 };
    MakePlaces(distance * load->radii[0], &single, &whole);
    int times = load->time == qv_kelvinletStatic ? 1 : TIMES;
    for (int t = 0; t < times; t++)
    {
        double spread = 0.01 * pow(3000.0 * fmax(distance, 1.0), t / 59.0), front = distance + 0.2 * (t - 90);
        double age = (t < 60 ? spread : fmax(front, 0.01)) * load->radii[0] / qvKelvinlet_ShearSpeed(load);
        AddErrorsAt(load, age, &single, &whole, &errors);
    }
    return errors;
}

void qvBenchErrors(qvBenchSink* sink, const qvKelvinlet* load)
{
    static const double distances[] = { 1e-4, 1e-2, 0.1, 0.5, 1, 3, 9.9, 30, 100, 300, 999 };
    static const char* const ranges[] = { "10-radii", "1000-radii" };
    Errors worst[2] = { 0 };
    for (size_t i = 0; i < sizeof(distances) / sizeof(distances[0]); i++)
    {
        Errors now = ErrorsAt(load, distances[i]), *range = &worst[distances[i] > 10.0];
        range->single = fmax(range->single, now.single / now.peak);
        range->whole = fmax(range->whole, now.whole / now.peak);
        range->paperSingle = fmax(range->paperSingle, now.paperSingle / now.peak);
        range->paperWhole = fmax(range->paperWhole, now.paperWhole / now.peak);
    }
    char kind[64], name[128];
    qvNameBenchLoad(load, kind);
    for (int i = 0; i < 2; i++)
    {
        snprintf(name, sizeof(name), "%s/float/error/%s", kind, ranges[i]);
        qvBench_Add(sink, name, worst[i].single, "of peak", worst[i].paperSingle);
        snprintf(name, sizeof(name), "%s/double/error/%s", kind, ranges[i]);
        qvBench_Add(sink, name, worst[i].whole, "of peak", worst[i].paperWhole);
    }
}
