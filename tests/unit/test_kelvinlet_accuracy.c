// SPDX-License-Identifier: GPL-3.0-or-later
// Float and double kernels of every CPU level against long double, from 1e-6 to 1000 radii and from before the wave's
// arrival to long after it. Errors are relative to the peak over time at that distance.
#include "testing.h"

#include "kelvinlet_reference.h"

#include "kelvinlet/kernel.h"
#include "math/mat3.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    PLACES = 16,
    MAX_TIMES = 96,
    EXTREMES = 32,
};

typedef struct Errors
{
    double single, whole; // float and double
} Errors;

static double RandomSigned(uint64_t* random)
{
    return 2.0 * RandomUnit(random) - 1.0;
}

static double Norm(const long double v[3])
{
    return (double)sqrtl(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// Ages in units of radius / shear speed at which something happens at distance r.
static int MakeTimes(double r, double alphaOverBeta, double* times)
{
    int count = 0;
    for (int i = 0; i < 24; i++)
        times[count++] = 0.01 * pow(3000.0 * (r > 1.0 ? r : 1.0), i / 23.0);
    for (int front = 0; front < 2; front++)
    {
        double speed = front == 0 ? 1.0 : alphaOverBeta;
        for (int i = -8; i <= 8; i++)
        {
            double t = (r + 0.35 * i) / speed;
            if (t > 1e-3 && isfinite(speed))
                times[count++] = t;
        }
    }
    return count;
}

typedef struct Case
{
    qvKelvinlet load;
    ReferenceLoad reference;
    double r; // in radii
} Case;

static Case MakeCase(uint64_t* random, qvKelvinletTime time, qvKernelParts parts, int scaleCount, double nu, double r)
{
    Case c = { .load = qvDefaultKelvinlet(), .r = r };
    c.load.time = time;
    c.load.poisson = nu;
    c.load.stiffness = 0.5 + 3.0 * RandomUnit(random);
    qvKelvinlet_SetRadius(&c.load, 0.5 + RandomUnit(random), scaleCount);
    double f[3], F[9];
    for (int i = 0; i < 9; i++)
    {
        F[i] = parts != qv_kernelVector ? RandomSigned(random) : 0.0;
        f[i % 3] = parts != qv_kernelAffine ? RandomSigned(random) : 0.0;
        c.load.affine.m[i / 3][i % 3] = F[i];
        c.reference.F[i / 3][i % 3] = F[i];
    }
    c.load.force = qvMakeVec3(f[0], f[1], f[2]);
    c.reference.push = time == qv_kelvinletPush;
    c.reference.mu = c.load.stiffness;
    c.reference.nu = nu;
    c.reference.scaleCount = scaleCount;
    for (int i = 0; i < 3; i++)
    {
        c.reference.f[i] = f[i];
        c.reference.eps[i] = c.load.radii[i];
    }
    return c;
}

// Offsets that float can hold, so that both precisions see the same points.
static void MakePlaces(uint64_t* random, double r, qvBlockf* single, qvBlock* whole)
{
    for (int i = 0; i < PLACES; i++)
    {
        double d[3], length = 0.0;
        for (int c = 0; c < 3; c++)
        {
            d[c] = RandomSigned(random);
            length += d[c] * d[c];
        }
        for (int c = 0; c < 3; c++)
        {
            single->axis[c][i] = (float)(d[c] / sqrt(length) * r);
            whole->axis[c][i] = single->axis[c][i];
        }
    }
}

// Largest errors of one case over all times and places, relative to the peak over time at that distance.
static Errors Measure(Case* c, uint64_t* random, qvCpuLevel level)
{
    qvBlockf single, singleOut;
    qvBlock whole, wholeOut;
    double eps = c->load.radii[0], times[MAX_TIMES], peak = 0.0;
    Errors worst = { 0 };
    MakePlaces(random, c->r * eps, &single, &whole);
    double beta = qvKelvinlet_ShearSpeed(&c->load);
    int timeCount = MakeTimes(c->r, qvKelvinlet_PressureSpeed(&c->load) / beta, times);
    for (int t = 0; t < timeCount; t++)
    {
        double age = times[t] * eps / beta;
        qvKernelLoadf loadf;
        qvKernelLoad load;
        qvPrepareKernelf(&c->load, age, &loadf);
        qvPrepareKernel(&c->load, age, &load);
        qvGetKernelSetf(level)->evaluate[loadf.time][loadf.scaleCount - 1][loadf.parts](
            &loadf, PLACES, &single, &single, 0.0f, &singleOut, false);
        qvGetKernelSet(level)->evaluate[load.time][load.scaleCount - 1][load.parts](&load, PLACES, &whole, &whole, 0.0,
                                                                                    &wholeOut, false);
        c->reference.t = age;
        for (int i = 0; i < PLACES; i++)
        {
            long double r[3], u[3], df[3], dd[3];
            for (int k = 0; k < 3; k++)
                r[k] = whole.axis[k][i];
            ReferenceDisplacement(&c->reference, r, u);
            for (int k = 0; k < 3; k++)
            {
                df[k] = singleOut.axis[k][i] - u[k];
                dd[k] = wholeOut.axis[k][i] - u[k];
            }
            peak = fmax(peak, Norm(u));
            worst.single = fmax(worst.single, Norm(df));
            worst.whole = fmax(worst.whole, Norm(dd));
        }
    }
    worst.single /= peak;
    worst.whole /= peak;
    return worst;
}

// Distances in radii, and the bounds that hold up to each.
static const double distances[] = { 1e-6, 1e-4, 1e-2, 0.1, 0.3, 0.5, 0.7, 1,  1.5, 2,   3,
                                    4,    6,    8,    9.9, 20,  30,  60,  99, 300, 600, 999 };

static void Sweep(qvKelvinletTime time, qvKernelParts parts, int scaleCount, Errors nearBound, Errors farBound)
{
    static const double ratios[] = { 0.0, 0.25, 0.45, 0.49, 0.5 };
    uint64_t random = 1000 * (uint64_t)time + 100 * (uint64_t)parts + (uint64_t)scaleCount;
    bool report = getenv("QUAVER_TEST_VERBOSE") != NULL;
    for (int level = qv_cpuPortable; level <= (int)qvGetCpuLevel(); level++)
    {
        for (size_t d = 0; d < sizeof(distances) / sizeof(distances[0]); d++)
        {
            Errors worst = { 0 };
            for (size_t n = 0; n < sizeof(ratios) / sizeof(ratios[0]); n++)
            {
                Case c = MakeCase(&random, time, parts, scaleCount, ratios[n], distances[d]);
                Errors now = Measure(&c, &random, (qvCpuLevel)level);
                worst.single = fmax(worst.single, now.single);
                worst.whole = fmax(worst.whole, now.whole);
            }
            Errors bound = distances[d] <= 10.0 ? nearBound : farBound;
            if (report)
                print_message("%s time %d parts %d scales %d r %g: float %.2g double %.2g\n",
                              qvCpuLevel_Name((qvCpuLevel)level), time, parts, scaleCount, distances[d], worst.single,
                              worst.whole);
            if (!(worst.single <= bound.single && worst.whole <= bound.whole))
                fail_msg("%s, r = %g: float %.3g > %.3g or double %.3g > %.3g", qvCpuLevel_Name((qvCpuLevel)level),
                         distances[d], worst.single, bound.single, worst.whole, bound.whole);
        }
    }
}

static void TestVectorImpulse(void** state)
{
    (void)state;
    Sweep(qv_kelvinletImpulse, qv_kernelVector, 1, (Errors){ 2e-6, 1e-14 }, (Errors){ 1e-4, 1e-12 });
}

static void TestVectorPush(void** state)
{
    (void)state;
    Sweep(qv_kelvinletPush, qv_kernelVector, 1, (Errors){ 2e-6, 1e-14 }, (Errors){ 1e-4, 1e-12 });
}

static void TestAffineImpulse(void** state)
{
    (void)state;
    Sweep(qv_kelvinletImpulse, qv_kernelAffine, 1, (Errors){ 1e-5, 1e-12 }, (Errors){ 1e-5, 1e-12 });
}

static void TestAffinePush(void** state)
{
    (void)state;
    Sweep(qv_kelvinletPush, qv_kernelAffine, 1, (Errors){ 1e-5, 1e-12 }, (Errors){ 1e-5, 1e-12 });
}

static void TestBoth(void** state)
{
    (void)state;
    Sweep(qv_kelvinletImpulse, qv_kernelBoth, 1, (Errors){ 1e-5, 1e-12 }, (Errors){ 1e-5, 1e-12 });
    Sweep(qv_kelvinletPush, qv_kernelBoth, 1, (Errors){ 1e-5, 1e-12 }, (Errors){ 1e-5, 1e-12 });
}

static void TestTwoScales(void** state)
{
    (void)state;
    Sweep(qv_kelvinletImpulse, qv_kernelVector, 2, (Errors){ 1e-5, 2e-14 }, (Errors){ 1e-5, 1e-12 });
    Sweep(qv_kelvinletPush, qv_kernelVector, 2, (Errors){ 1e-5, 2e-14 }, (Errors){ 1e-5, 1e-12 });
    Sweep(qv_kelvinletImpulse, qv_kernelAffine, 2, (Errors){ 1e-5, 2e-14 }, (Errors){ 1e-5, 1e-12 });
    Sweep(qv_kelvinletPush, qv_kernelAffine, 2, (Errors){ 1e-5, 2e-14 }, (Errors){ 1e-5, 1e-12 });
}

static void TestThreeScales(void** state)
{
    (void)state;
    Sweep(qv_kelvinletImpulse, qv_kernelVector, 3, (Errors){ 1e-5, 2e-14 }, (Errors){ 1e-5, 1e-12 });
    Sweep(qv_kelvinletPush, qv_kernelVector, 3, (Errors){ 1e-5, 2e-14 }, (Errors){ 1e-5, 1e-12 });
    Sweep(qv_kelvinletImpulse, qv_kernelAffine, 3, (Errors){ 1e-5, 2e-14 }, (Errors){ 1e-5, 1e-12 });
    Sweep(qv_kelvinletPush, qv_kernelAffine, 3, (Errors){ 1e-5, 2e-14 }, (Errors){ 1e-5, 1e-12 });
}

static void CheckExtreme(const qvKelvinlet* load, double age, const qvBlockf* single, const qvBlock* whole)
{
    qvKernelLoadf kernelf;
    qvKernelLoad kernel;
    qvBlockf singleOut;
    qvBlock wholeOut;
    qvPrepareKernelf(load, age, &kernelf);
    qvPrepareKernel(load, age, &kernel);
    int time = (int)kernel.time, scales = kernel.scaleCount, parts = (int)kernel.parts;
    for (int level = qv_cpuPortable; level <= (int)qvGetCpuLevel(); level++)
    {
        qvGetKernelSetf((qvCpuLevel)level)
            ->evaluate[time][scales - 1][parts](&kernelf, EXTREMES, single, single, 0.0f, &singleOut, false);
        qvGetKernelSet((qvCpuLevel)level)
            ->evaluate[time][scales - 1][parts](&kernel, EXTREMES, whole, whole, 0.0, &wholeOut, false);
        for (int i = 0; i < 3 * EXTREMES; i++)
        {
            float f = singleOut.axis[i % 3][i / 3];
            double d = wholeOut.axis[i % 3][i / 3], place = fabs(whole->axis[i / 3 % 3][i / 3]);
            if (!isfinite(f) || !isfinite(d) || (place >= 1e8 && fabs(f) + fabs(d) > 1e-6))
                fail_msg("time %d parts %d scales %d age %g r %g: %g in float, %g in double", time, parts, scales, age,
                         place, f, d);
        }
    }
}

// From the centre itself to absurd distances and ages, everything stays finite, and far away there is next to nothing.
static void TestExtremes(void** state)
{
    (void)state;
    static const double places[EXTREMES] = { 0,    1e-38, 1e-30, 1e-20, 1e-12, 1e-8, 1e-6, 1e-4, 1e-2, 1e-1, 1.0,
                                             1e1,  1e2,   1e4,   1e5,   1e6,   1e7,  1e8,  1e9,  1e10, 1e12, 1e14,
                                             1e15, 1e16,  1e18,  1e19,  1e20,  1e24, 1e30, 1e36, 1e38, 1e300 };
    uint64_t random = 9;
    qvBlockf single = { 0 };
    qvBlock whole = { 0 };
    for (int i = 0; i < EXTREMES; i++)
    {
        whole.axis[i % 3][i] = places[i];
        single.axis[i % 3][i] = (float)fmin(places[i], FLT_MAX);
    }
    for (int round = 0; round < 3 * 3 * 3 * 20; round++)
    {
        int parts = round % 3, time = round / 3 % 3, scales = 1 + round / 9 % 3;
        Case c = MakeCase(&random, (qvKelvinletTime)time, (qvKernelParts)parts, scales, round % 5 ? 0.3 : 0.5, 1.0);
        CheckExtreme(&c.load, pow(10.0, round / 27 - 8.0), &single, &whole);
    }
    // Gradients, too.
    qvKelvinlet load = qvDefaultKelvinlet();
    load.force.x = 1.0;
    for (int time = 0; time < 3; time++)
    {
        load.time = (qvKelvinletTime)time;
        qvMat3 gradient = qvKelvinlet_Gradient(&load, 1.0, qvMakeVec3(1e120, 0.0, 0.0));
        ASSERT_NEAR(qvMat3_Norm(&gradient), 0.0, 1e-20);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestVectorImpulse), cmocka_unit_test(TestVectorPush), cmocka_unit_test(TestAffineImpulse),
        cmocka_unit_test(TestAffinePush),    cmocka_unit_test(TestBoth),       cmocka_unit_test(TestTwoScales),
        cmocka_unit_test(TestThreeScales),   cmocka_unit_test(TestExtremes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
