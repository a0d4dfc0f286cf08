// SPDX-License-Identifier: GPL-3.0-or-later
// Float and double kernels of every CPU level against long double, and long double against quad, from 1e-6 to 1000
// radii and from before the wave's arrival to long after it. Errors are relative to the peak over time at that
// distance.
#include "random_vectors.h"
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
    for (int i = 0; i < 9; i++)
        c.load.affine.m[i / 3][i % 3] = parts != qv_kernelVector ? RandomSigned(random) : 0.0;
    if (parts != qv_kernelAffine)
    {
        double x = RandomSigned(random), y = RandomSigned(random), z = RandomSigned(random);
        c.load.force = qvMakeVec3(x, y, z);
    }
    c.reference = MakeReferenceLoad(&c.load, 0.0);
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
    timeCount = c->load.time == qv_kelvinletStatic ? 1 : timeCount;
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
            BestDisplacement(&c->reference, r, u);
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

// Static fields at any distance, against themselves at that distance: there is no cancellation for any number of
// scales.
static void TestStatic(void** state)
{
    (void)state;
    for (int scales = 1; scales <= 3; scales++)
    {
        for (int parts = 0; parts < qv_kernelPartsCount; parts++)
            Sweep(qv_kelvinletStatic, (qvKernelParts)parts, scales, (Errors){ 2e-6, 1e-14 }, (Errors){ 2e-6, 1e-14 });
    }
}

#ifdef QUAD_REFERENCE
#define REAL        quad
#define SQRT        QuadSqrt
#define PAPER(name) PaperQuad##name
#include "kelvinlet_paper.inl"

// Errors against quad: of long double, of the double kernel, and of the paper's closed forms in quad.
typedef struct QuadErrors
{
    double reference, kernel, paper;
} QuadErrors;

static double Miss(const quad a[3], const quad b[3])
{
    long double d[3] = { (long double)(a[0] - b[0]), (long double)(a[1] - b[1]), (long double)(a[2] - b[2]) };
    return Norm(d);
}

static QuadErrors MeasureQuad(Case* c)
{
    double eps = c->load.radii[0], times[MAX_TIMES], peak = 0.0, beta = qvKelvinlet_ShearSpeed(&c->load);
    qvVec3 at = qvScale(c->r * eps, qvNormalize(qvMakeVec3(0.3, -0.7, 0.5)));
    int timeCount = MakeTimes(c->r, qvKelvinlet_PressureSpeed(&c->load) / beta, times);
    timeCount = c->load.time == qv_kelvinletStatic ? 1 : timeCount;
    QuadErrors worst = { 0 };
    for (int t = 0; t < timeCount; t += 2)
    {
        double age = times[t] * eps / beta;
        c->reference.t = age;
        long double r[3] = { at.x, at.y, at.z }, u[3];
        quad quadR[3] = { at.x, at.y, at.z }, exact[3], paper[3];
        QuadDisplacement(&c->reference, quadR, exact);
        ReferenceDisplacement(&c->reference, r, u);
        qvVec3 v = qvKelvinlet_Displacement(&c->load, age, at);
        PaperQuadLoad load = PaperQuadMakeLoad(&c->reference);
        PaperQuadDisplacement(&load, quadR, paper);
        peak = fmax(peak, Miss(exact, (quad[3]){ 0, 0, 0 }));
        worst.reference = fmax(worst.reference, Miss(exact, (quad[3]){ u[0], u[1], u[2] }));
        worst.kernel = fmax(worst.kernel, Miss(exact, (quad[3]){ v.x, v.y, v.z }));
        worst.paper = fmax(worst.paper, Miss(exact, paper));
    }
    return (QuadErrors){ worst.reference / peak, worst.kernel / peak, worst.paper / peak };
}

// Long double is good enough a reference of the dynamic fields (a tenth of the bounds it is used for), double is as
// good against quad, and both are what the paper says: its closed forms, which cancel near the centre, in quad and away
// from it.
static void TestQuad(void** state)
{
    (void)state;
    uint64_t random = 77;
    static const double ratios[] = { 0.0, 0.3, 0.49 };
    for (int kind = 0; kind < 3 * 2 * 3; kind++)
    {
        for (size_t d = 0; d < sizeof(distances) / sizeof(distances[0]); d++)
        {
            Case c = MakeCase(&random, (qvKelvinletTime)(kind % 3), (qvKernelParts)(kind / 3 % 2), 1 + kind / 6,
                              ratios[d % 3], distances[d]);
            QuadErrors errors = MeasureQuad(&c);
            bool isNear = distances[d] <= 10.0, isStatic = c.load.time == qv_kelvinletStatic;
            if (getenv("QUAVER_TEST_VERBOSE") != NULL)
                print_message("quad: kind %d r %g: long double %.2g double %.2g paper %.2g\n", kind, distances[d],
                              errors.reference, errors.kernel, errors.paper);
            if (!(isStatic || errors.reference <= (isNear ? 1e-15 : 1e-14)) ||
                !(errors.kernel <= (isStatic ? 1e-14
                                    : isNear ? 2e-14
                                             : 1e-12)) ||
                !(distances[d] < 0.1 || errors.paper < 1e-16))
                fail_msg("kind %d, r = %g: long double %.3g, double %.3g, paper %.3g", kind, distances[d],
                         errors.reference, errors.kernel, errors.paper);
        }
    }
}
#endif

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
        cmocka_unit_test(TestThreeScales),   cmocka_unit_test(TestStatic),
#ifdef QUAD_REFERENCE
        cmocka_unit_test(TestQuad),
#endif
        cmocka_unit_test(TestExtremes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
