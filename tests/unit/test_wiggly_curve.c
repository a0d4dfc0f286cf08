// SPDX-License-Identifier: GPL-3.0-or-later
// Curves of single segments: every form against complex exponentials in long double, and the same bits at every CPU
// level and in any batch.
#include "testing.h"

#include "base/cpu.h"
#include "wiggly/curve.h"
#include "wiggly/map.h"

#include <complex.h>
#include <math.h>
#include <string.h>

enum
{
    FORMS = qv_curveSlowModes + 1
};

typedef long double complex Complex;

// Solution of w'''' - 2 (X + Y) w'' + kappa^2 w + kappa g = 0 with the given ends: exponentials of rates +-p, +-q about
// the middle, p and q = u +- sqrt(Y), even and odd parts apart.
static void Oracle(long double u, long double kappa, const qvSegmentEnds* e, long double x, long double out[3])
{
    Complex m = csqrtl((Complex)(u * u - kappa)), p = u + m, q = u - m;
    long double ws = 0.5L * ((long double)e->w0 + e->w1), wa = 0.5L * ((long double)e->w1 - e->w0);
    long double vs = 0.5L * ((long double)e->v1 - e->v0), va = 0.5L * ((long double)e->v0 + e->v1);
    long double rest = ws + e->g / kappa, t = x - 0.5L;
    Complex cp = ccoshl(0.5L * p), sp = csinhl(0.5L * p), cq = ccoshl(0.5L * q), sq = csinhl(0.5L * q);
    Complex even = cp * q * sq - cq * p * sp, odd = sp * q * cq - sq * p * cp;
    Complex a = (rest * q * sq - cq * vs) / even, b = (cp * vs - p * sp * rest) / even;
    Complex c = (wa * q * cq - sq * va) / odd, d = (sp * va - p * cp * wa) / odd;
    Complex ep = ccoshl(p * t), op = csinhl(p * t), eq = ccoshl(q * t), oq = csinhl(q * t);
    out[0] = creall(a * ep + b * eq + c * op + d * oq) - (long double)e->g / kappa;
    out[1] = creall(p * (a * op + c * ep) + q * (b * oq + d * eq));
    out[2] = creall(p * p * (a * ep + c * op) + q * q * (b * eq + d * oq));
}

static double Power(uint64_t* random, double low, double high)
{
    return pow(10.0, low + (high - low) * RandomUnit(random));
}

static void RandomSegment(uint64_t* random, double* u, double* kappa, qvSegmentEnds* ends)
{
    *u = Power(random, -2.0, 2.3);
    double s = Power(random, -1.0, 2.3);
    *kappa = RandomUnit(random) < 0.5 ? s * s : -s * s;
    if (RandomUnit(random) < 0.3) // around critical damping
        *kappa = *u * *u * (1.0 + Power(random, -4.0, 0.0) * (RandomUnit(random) < 0.5 ? 1.0 : -1.0));
    else if (RandomUnit(random) < 0.2) // hardly any stiffness
        *kappa = Power(random, -3.0, 0.0);
    double rate = fmax(1.0, fmax(*u, s));
    *ends = (qvSegmentEnds){ 2.0 * RandomUnit(random) - 1.0, rate * (2.0 * RandomUnit(random) - 1.0),
                             2.0 * RandomUnit(random) - 1.0, rate * (2.0 * RandomUnit(random) - 1.0),
                             fabs(*kappa) * (2.0 * RandomUnit(random) - 1.0) };
}

static void TestEveryForm(void** state)
{
    (void)state;
    uint64_t random = 1;
    int seen[FORMS] = { 0 };
    for (int n = 0; n < 40000; n++)
    {
        double u, kappa;
        qvSegmentEnds ends;
        qvSegmentCurve curve;
        RandomSegment(&random, &u, &kappa, &ends);
        qvSegmentCurve_Init(&curve, u, kappa, &ends);
        seen[curve.form]++;
        // The oracle itself loses digits where p and q nearly agree or all is nearly cubic.
        double rate = fmax(1.0, u + sqrt(fabs(u * u - kappa)));
        double x = n % 4 == 0 ? 0.0 : n % 4 == 1 ? 1.0 : RandomUnit(&random), out[3];
        long double expected[3];
        Oracle(u, kappa, &ends, x, expected);
        qvSegmentCurve_Evaluate(&curve, x, 1.0 - x, out);
        double size = fabs(ends.w0) + fabs(ends.w1) + (fabs(ends.v0) + fabs(ends.v1)) / rate + fabs(ends.g / kappa);
        if (curve.form == qv_curveSeries)
            continue;
        double limit = 2e-14 * size * rate;
        ASSERT_NEAR(out[0], (double)expected[0], limit);
        ASSERT_NEAR(out[1], (double)expected[1], limit * rate);
        ASSERT_NEAR(out[2], (double)expected[2], limit * rate * rate);
    }
    for (int form = 0; form < FORMS; form++)
        assert_true(form == qv_curveProduct || seen[form] > 500);
}

// More than 1e5 radians: the sheet's products. There only the ends and the differential equation can be checked.
static void TestManyRadians(void** state)
{
    (void)state;
    uint64_t random = 2;
    for (int n = 0; n < 200; n++)
    {
        double u = Power(&random, -8.0, 4.0), kappa = Power(&random, 10.5, 12.0), rate = sqrt(kappa), left[3], right[3];
        qvSegmentEnds ends = { 0.3, 0.2 * rate, -0.8, 0.4 * rate, 0.1 * kappa };
        qvSegmentCurve curve;
        qvSegmentCurve_Init(&curve, u, kappa, &ends);
        assert_int_equal(curve.form, qv_curveProduct);
        qvSegmentCurve_Evaluate(&curve, 0.0, 1.0, left);
        qvSegmentCurve_Evaluate(&curve, 1.0, 0.0, right);
        ASSERT_NEAR(left[0], 0.3, 1e-12);
        ASSERT_NEAR(right[0], -0.8, 1e-12);
        ASSERT_NEAR(left[1], 0.2 * rate, 1e-12 * rate);
        ASSERT_NEAR(right[1], 0.4 * rate, 1e-12 * rate);
    }
}

static void TestSameBits(void** state)
{
    (void)state;
    uint64_t random = 3;
    qvCpuLevel level = qvGetCpuLevel();
    qvCurveFcn* kernels[3] = { qvEvaluateCurvePortable, qvEvaluateCurvePortable, qvEvaluateCurvePortable };
#if defined(__x86_64__)
    kernels[1] = level >= qv_cpuAvx2 ? qvEvaluateCurveAvx2 : qvEvaluateCurvePortable;
    kernels[2] = level >= qv_cpuAvx512 ? qvEvaluateCurveAvx512 : qvEvaluateCurvePortable;
#endif
    for (int n = 0; n < 3000; n++)
    {
        double u, kappa;
        qvSegmentEnds ends;
        qvSegmentCurve curve;
        static qvCurvePlaces places[3];
        int count = 1 + RandomInt(&random, qv_curveBatch);
        RandomSegment(&random, &u, &kappa, &ends);
        qvSegmentCurve_Init(&curve, u * (n % 50 == 0 ? 1000.0 : 1.0), kappa, &ends);
        for (int j = 0; j < count; j++)
        {
            double x = j == 0 ? 0.0 : j == 1 ? 1.0 : RandomUnit(&random);
            for (int k = 0; k < 3; k++)
                places[k].x[j] = x, places[k].y[j] = 1.0 - x;
        }
        for (int k = 0; k < 3; k++)
            kernels[k](&curve, &places[k], count);
        for (int j = 0; j < count; j++)
        {
            double alone[3];
            qvSegmentCurve_Evaluate(&curve, places[0].x[j], places[0].y[j], alone);
            for (int d = 0; d < 3; d++)
            {
                assert_true(isfinite(alone[d]));
                assert_true(alone[d] == places[0].out[d][j]);
                assert_true(alone[d] == places[1].out[d][j]);
                assert_true(alone[d] == places[2].out[d][j]);
            }
        }
    }
}

// Maps of a batch are those of single segments, in every regime, and the same bits at every CPU level.
static void TestMaps(void** state)
{
    (void)state;
    uint64_t random = 4;
    int oscillating = 0;
    static qvMapRows rows, portable, wide;
    for (int n = 0; n < 400; n++)
    {
        int count = 1 + RandomInt(&random, qv_mapBatch);
        for (int i = 0; i < count; i++)
        {
            qvSegmentEnds ends;
            RandomSegment(&random, &rows.u[i], &rows.kappa[i], &ends);
            if (i % 7 == 3)
                rows.u[i] = 0.0;
        }
        portable = wide = rows;
        qvFillMaps(&rows, count);
        qvFillMapsPortable(&portable, count);
        qvFillMapsPortable(&wide, count);
#if defined(__x86_64__)
        if (qvGetCpuLevel() == qv_cpuAvx512)
            qvFillMapsAvx512(&wide, count);
        else if (qvGetCpuLevel() == qv_cpuAvx2)
            qvFillMapsAvx2(&wide, count);
#endif
        for (int i = 0; i < count; i++)
        {
            qvSegmentMap one;
            qvSegmentMap_Init(&one, rows.u[i], rows.kappa[i]);
            double phase = 1e-14 * (1.0 + sqrt(fabs(rows.kappa[i])));
            ASSERT_NEAR(rows.as[i], one.as, phase * one.as);
            ASSERT_NEAR(rows.aa[i], one.aa, phase * one.aa);
            ASSERT_NEAR(rows.asExcess[i], one.asExcess, phase * (fabs(one.asExcess) + fmin(one.as, 1.0)));
            ASSERT_NEAR(rows.aaExcess[i], one.aaExcess, phase * (fabs(one.aaExcess) + fmin(one.aa, 1.0)));
            ASSERT_NEAR(rows.ba[i], one.ba, -phase * one.ba);
            ASSERT_NEAR(rows.gamma[i], one.gamma, phase);
            ASSERT_NEAR(rows.gamma1[i], one.gamma1, phase);
            if (rows.kappa[i] - rows.u[i] * rows.u[i] < 1.0)
                continue;
            oscillating++;
            assert_true(portable.as[i] == wide.as[i] && portable.aa[i] == wide.aa[i] && portable.ba[i] == wide.ba[i]);
            assert_true(portable.gamma1[i] == wide.gamma1[i] && portable.asExcess[i] == wide.asExcess[i]);
            assert_true(portable.as[i] == rows.as[i]);
        }
    }
    assert_true(oscillating > 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestEveryForm),
        cmocka_unit_test(TestManyRadians),
        cmocka_unit_test(TestSameBits),
        cmocka_unit_test(TestMaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
