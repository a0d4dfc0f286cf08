// SPDX-License-Identifier: GPL-3.0-or-later
// Wiggly splines: what holds at ends and knots. Circular and broken ones, batches, extreme numbers.
#include "wiggly_spline.h"

#include <stdlib.h>

static void TestEndConditions(void** state)
{
    (void)state;
    uint64_t random = 1;
    for (int n = 0; n < CASES; n++)
    {
        double out[3];
        Spline s = RandomSpline(&random, 5, lambdas[n], deltas[n], 0.4);
        s.first = s.last = qv_sideAcceleration;
        Solve(&s);
        Evaluate(&s, s.times[0], out);
        ASSERT_NEAR(out[2], s.givenAfter[0], 1e-11);
        Evaluate(&s, s.times[4], out);
        ASSERT_NEAR(out[2], s.givenBefore[4], 1e-11);
        Destroy(&s);

        s.last = qv_sideForceFree;
        Solve(&s);
        Evaluate(&s, s.times[4], out);
        ASSERT_NEAR(Force(&s, 3, out), 0.0, 1e-11);
        assert_true(fabs(s.v0[4]) > 1e-4);
        Destroy(&s);

        s.first = qv_sideForceFree;
        Solve(&s);
        Evaluate(&s, s.times[0], out);
        ASSERT_NEAR(Force(&s, 0, out), 0.0, 1e-10);
        Destroy(&s);
    }
}

// Two knots, free of force at both ends: free vibration through both, which costs nothing.
static void TestFreeVibrationCostsNothing(void** state)
{
    (void)state;
    uint64_t random = 2;
    Spline s = RandomSpline(&random, 2, 5.0, 0.3, 0.7);
    s.first = s.last = qv_sideForceFree;
    Solve(&s);
    ASSERT_NEAR(Energy(&s), 0.0, 1e-12);
    for (int i = 0; i <= 10; i++)
    {
        double t = 0.1 * i * (s.times[1] - s.times[0]), a[3], b[3];
        Evaluate(&s, s.times[0] + t, a);
        qvFreeVibration(5.0, 0.3, -0.7 / 5.0, s.values[0], s.v1[0], t, b);
        for (int d = 0; d < 3; d++)
            ASSERT_NEAR(a[d], b[d], 1e-12);
    }
    Destroy(&s);
}

static void TestFreeVibration(void** state)
{
    (void)state;
    uint64_t random = 3;
    for (int n = 0; n < CASES; n++)
    {
        double out[3], w = 0.7, v = -0.4, h = 1e-3, center = 0.2, t = 2.0 * RandomUnit(&random) + 1.0;
        int steps = (int)(t / h);
        for (int i = 0; i < steps; i++) // classical Runge-Kutta
        {
            double kw[4], kv[4];
            for (int j = 0; j < 4; j++)
            {
                double c = j == 0 ? 0.0 : j < 3 ? 0.5 * h : h;
                double pw = w + (j > 0 ? c * kw[j - 1] : 0.0), pv = v + (j > 0 ? c * kv[j - 1] : 0.0);
                kw[j] = pv;
                kv[j] = -2.0 * deltas[n] * pv - lambdas[n] * (pw - center);
            }
            w += h / 6.0 * (kw[0] + 2.0 * kw[1] + 2.0 * kw[2] + kw[3]);
            v += h / 6.0 * (kv[0] + 2.0 * kv[1] + 2.0 * kv[2] + kv[3]);
        }
        qvFreeVibration(lambdas[n], deltas[n], center, 0.7, -0.4, steps * h, out);
        ASSERT_NEAR(out[0], w, 1e-8 * (1.0 + fabs(w)));
        ASSERT_NEAR(out[1], v, 1e-8 * (1.0 + fabs(v)));
        ASSERT_NEAR(out[2], -2.0 * deltas[n] * v - lambdas[n] * (w - center), 1e-6 * (1.0 + fabs(w)));
    }
    // Strong damping and long times stay finite and settle.
    double out[3];
    qvFreeVibration(3.0, 1e6, 1.0, 2.0, 5.0, 1e4, out);
    assert_true(isfinite(out[0]) && fabs(out[0] - 1.0) <= 1.0);
    qvFreeVibration(1e8, 3.0, 1.0, 2.0, 5.0, 1e4, out);
    ASSERT_NEAR(out[0], 1.0, 1e-12);
}

// --- Circular --------------------------------------------------------------------------------------------------------

static Spline RandomCircle(uint64_t* random, int count, int n)
{
    Spline s = RandomSpline(random, count, lambdas[n], deltas[n], 0.3);
    s.period = s.times[count - 1] - s.times[0] + 0.4 + RandomUnit(random);
    return s;
}

static void TestCircularSeam(void** state)
{
    (void)state;
    uint64_t random = 4;
    for (int n = 0; n < CASES; n++)
    {
        for (int count = 1; count <= 6; count++)
        {
            Spline s = RandomCircle(&random, count, n);
            Solve(&s);
            double a[3], b[3], before[MAX_KNOTS], after[MAX_KNOTS];
            Evaluate(&s, s.times[0], a);
            Evaluate(&s, nextafter(s.times[0] + s.period, 0.0), b);
            for (int d = 0; d < 3; d++)
                ASSERT_NEAR(a[d], b[d], 1e-9 * (1.0 + fabs(a[d])));
            ASSERT_NEAR(a[0], s.values[0], 1e-12);
            Evaluate(&s, s.times[0] + 0.3 - 5.0 * s.period, a);
            Evaluate(&s, s.times[0] + 0.3, b);
            ASSERT_NEAR(a[0], b[0], 1e-12);
            qvWigglySolution solution = Solution(&s);
            qvWigglyPlan_KnotAccelerations(s.plan, &solution, s.force, before, after);
            for (int k = 0; k < count; k++)
                ASSERT_NEAR(before[k], after[k], 1e-10 * (1.0 + fabs(before[k])));
            double sums[3];
            Integrate(&s, 12, NULL, NULL, sums);
            ASSERT_NEAR(Energy(&s), sums[0], 1e-9 * (1.0 + sums[0]));
            Destroy(&s);
        }
    }
}

// It does not matter which knot comes first.
static void TestCircularRotation(void** state)
{
    (void)state;
    uint64_t random = 5;
    for (int n = 0; n < CASES; n++)
    {
        for (int soft = 0; soft < 4; soft++)
        {
            Spline s = RandomCircle(&random, 5, n), r = s;
            s.weights[0] = soft % 2 != 0 ? 30.0 : INFINITY;
            s.weights[2] = soft % 2 != 0 ? 4.0 : INFINITY;
            if (soft >= 2)
            {
                s.before[0] = qv_sideVelocity, s.after[0] = qv_sideForceFree;
                s.before[3] = qv_sideForceFree, s.after[3] = qv_sideVelocity;
            }
            for (int k = 0; k < 5; k++)
            {
                int from = (k + 2) % 5;
                r.times[k] = s.times[from] + (k + 2 >= 5 ? s.period : 0.0);
                r.values[k] = s.values[from];
                r.weights[k] = s.weights[from];
                r.before[k] = s.before[from], r.after[k] = s.after[from];
                r.givenBefore[k] = s.givenBefore[from], r.givenAfter[k] = s.givenAfter[from];
            }
            Solve(&s);
            Solve(&r);
            for (int i = 0; i < 20; i++)
            {
                double a[3], b[3], t = s.times[0] + (i + 0.5) / 20.0 * s.period;
                Evaluate(&s, t, a);
                Evaluate(&r, t, b);
                for (int d = 0; d < 3; d++)
                    ASSERT_NEAR(a[d], b[d], 1e-9 * (1.0 + fabs(a[d])));
            }
            Destroy(&s);
            Destroy(&r);
        }
    }
}

// Undamped, every segment half a period of the mode: a sine through all knots costs nothing and is not determined.
static void TestResonance(void** state)
{
    (void)state;
    for (int circular = 0; circular < 2; circular++)
    {
        uint64_t random = 6;
        Spline s = RandomSpline(&random, 4, 9.0, 0.0, 0.5);
        for (int k = 0; k < 4; k++)
            s.times[k] = k * 3.14159265358979323846 / 3.0;
        s.period = circular ? 4.0 * 3.14159265358979323846 / 3.0 : 0.0;
        s.first = s.last = qv_sideForceFree;
        Solve(&s);
        for (int i = 0; i < 100; i++)
        {
            double out[3];
            Evaluate(&s, 0.04 * i, out);
            assert_true(isfinite(out[0]) && fabs(out[0]) < 20.0);
        }
        // A little damping gives nearly the same circle.
        Spline t = s;
        t.delta[0] = 1e-3;
        Solve(&t);
        for (int i = 0; i < 30 && circular; i++)
        {
            double a[3], b[3];
            Evaluate(&s, 0.1 * i, a);
            Evaluate(&t, 0.1 * i, b);
            ASSERT_NEAR(a[0], b[0], 1e-6);
        }
        Destroy(&s);
        Destroy(&t);
    }
}

// Next to resonance the spline is determined, and its ends are free of force.
static void TestNearResonance(void** state)
{
    (void)state;
    uint64_t random = 7;
    Spline s = RandomSpline(&random, 4, 9.0, 0.0, 0.5);
    for (int k = 0; k < 4; k++)
        s.times[k] = 1.00001 * k * 3.14159265358979323846 / 3.0;
    s.first = s.last = qv_sideForceFree;
    Solve(&s);
    for (int end = 0; end < 2; end++)
    {
        double out[3];
        Evaluate(&s, s.times[3 * end], out);
        ASSERT_NEAR(out[2] + 9.0 * out[0] + 0.5, 0.0, 1e-9);
    }
    Destroy(&s);
}

// --- Splits ----------------------------------------------------------------------------------------------------------

// A split spline is two splines.
static void TestBroken(void** state)
{
    (void)state;
    uint64_t random = 7;
    static const qvWigglySide sides[] = { qv_sideVelocity, qv_sideForceFree, qv_sideAcceleration };
    for (int n = 0; n < CASES * 9; n++)
    {
        Spline s = RandomSpline(&random, 6, lambdas[n / 9], deltas[n / 9], 0.3), left = s, right = s;
        s.before[2] = left.last = sides[n % 3];
        s.after[2] = right.first = sides[n / 3 % 3];
        left.count = 3;
        right.count = 4;
        for (int k = 0; k < 4; k++)
        {
            right.times[k] = s.times[k + 2];
            right.values[k] = s.values[k + 2];
            right.givenAfter[k] = s.givenAfter[k + 2];
            right.givenBefore[k] = s.givenBefore[k + 2];
        }
        Solve(&s);
        Solve(&left);
        Solve(&right);
        assert_true(s.v0[2] != s.v1[2]);
        for (int i = 0; i < 25; i++)
        {
            double t = s.times[i / 5] + (i % 5) / 5.0 * (s.times[i / 5 + 1] - s.times[i / 5]), a[3], b[3];
            Evaluate(&s, t, a);
            Evaluate(t < s.times[2] ? &left : &right, t, b);
            for (int d = 0; d < 3; d++)
                ASSERT_NEAR(a[d], b[d], 1e-12 * (1.0 + fabs(b[d])));
        }
        ASSERT_NEAR(Energy(&s), Energy(&left) + Energy(&right), 1e-11 * (1.0 + Energy(&s)));
        Destroy(&s);
        Destroy(&left);
        Destroy(&right);
    }
}

// --- Batches ---------------------------------------------------------------------------------------------------------

enum
{
    MODES = 203,
    KNOTS = 7,
    FRAMES = 61
};

static double* RandomArray(uint64_t* random, int count, double low, double high)
{
    double* items = malloc((size_t)count * sizeof(double));
    assert_non_null(items);
    for (int i = 0; i < count; i++)
        items[i] = low + (high - low) * RandomUnit(random);
    return items;
}

// Modes solved together are the modes solved alone; two threads give the bits of one; arrays may be shared.
static void TestBatch(void** state)
{
    (void)state;
    uint64_t random = 13;
    qvError error;
    qvWigglyPlan* plan;
    qvPool* pool;
    double times[KNOTS], frames[FRAMES];
    double* lambda = RandomArray(&random, MODES, -5.0, 300.0);
    double* delta = RandomArray(&random, MODES, 0.0, 3.0);
    double* force = RandomArray(&random, MODES, -1.0, 1.0);
    double* values = RandomArray(&random, MODES * KNOTS, -1.0, 1.0);
    double* before = RandomArray(&random, MODES * KNOTS, -1.0, 1.0);
    double* after = RandomArray(&random, MODES * KNOTS, -1.0, 1.0);
    double* out[6];
    for (int i = 0; i < 6; i++)
        out[i] = RandomArray(&random, MODES * FRAMES, 0.0, 1.0);
    for (int k = 0; k < KNOTS; k++)
        times[k] = k == 0 ? 0.0 : times[k - 1] + 0.2 + RandomUnit(&random);
    for (int i = 0; i < FRAMES; i++)
        frames[i] = times[KNOTS - 1] * (i % 2 == 0 ? i : FRAMES - i) / FRAMES;
    qvWigglyDef def = qvDefaultWigglyDef();
    def.knotCount = KNOTS, def.times = times, def.modeCount = MODES, def.lambda = lambda, def.delta = delta;
    def.last = qv_sideForceFree;
    ASSERT_OK(qvCreateWigglyPlan(&def, &plan, &error), error);
    Spline alone[2];
    for (int n = 0; n < 2; n++)
    {
        Spline* s = &alone[n];
        int mode = n == 0 ? 3 : 130;
        *s = RandomSpline(&random, KNOTS, lambda[mode], delta[mode], force[mode]);
        s->last = qv_sideForceFree;
        for (int k = 0; k < KNOTS; k++)
        {
            s->times[k] = times[k];
            s->values[k] = values[k * MODES + mode];
            s->givenAfter[k] = after[k * MODES + mode];
        }
        Solve(s);
    }
    qvWigglyData data = { values, before, after, force };
    qvWigglySolution solution = { values, before, after };
    ASSERT_OK(qvWigglyPlan_Solve(plan, &data, &solution, &error), error);
    ASSERT_OK(qvCreatePool(2, &pool, &error), error);
    qvWigglyPlan_Evaluate(plan, &solution, force, frames, FRAMES, NULL, out[0], out[1], out[2]);
    qvWigglyPlan_Evaluate(plan, &solution, force, frames, FRAMES, pool, out[3], out[4], out[5]);
    for (int d = 0; d < 3; d++)
        assert_memory_equal(out[d], out[d + 3], (size_t)MODES * FRAMES * sizeof(double));
    for (int n = 0; n < 2; n++)
    {
        for (int i = 0; i < FRAMES; i++)
        {
            double a[3];
            Evaluate(&alone[n], frames[i], a);
            for (int d = 0; d < 3; d++)
                assert_true(a[d] == out[d][i * MODES + (n == 0 ? 3 : 130)]);
        }
        Destroy(&alone[n]);
    }
    qvDestroyPool(pool);
    qvDestroyWigglyPlan(plan);
    double* all[] = { lambda, delta, force, values, before, after, out[0], out[1], out[2], out[3], out[4], out[5] };
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        free(all[i]);
}

// Times outside mean the nearer end.
static void TestOutside(void** state)
{
    (void)state;
    uint64_t random = 14;
    Spline s = RandomSpline(&random, 4, 5.0, 0.3, 0.0);
    double a[3], b[3];
    Solve(&s);
    Evaluate(&s, s.times[0] - 3.0, a);
    Evaluate(&s, s.times[0], b);
    assert_memory_equal(a, b, sizeof(a));
    Evaluate(&s, s.times[3] + 1e9, a);
    Evaluate(&s, s.times[3], b);
    assert_memory_equal(a, b, sizeof(a));
    Destroy(&s);
}

static void TestManyKnots(void** state)
{
    (void)state;
    enum
    {
        MANY = 10000
    };
    uint64_t random = 15;
    qvError error;
    qvWigglyPlan* plan;
    double lambda = 20.0, delta = 0.5;
    double* block = RandomArray(&random, 6 * MANY, -1.0, 1.0);
    double *times = block, *values = block + MANY, *weights = block + 2 * MANY;
    for (int k = 0; k < MANY; k++)
    {
        times[k] = k + 0.4 * RandomUnit(&random);
        weights[k] = k % 3 == 1 ? 5.0 : INFINITY;
    }
    qvWigglyDef def = qvDefaultWigglyDef();
    def.knotCount = MANY, def.times = times, def.modeCount = 1, def.lambda = &lambda, def.delta = &delta;
    def.weights = weights;
    ASSERT_OK(qvCreateWigglyPlan(&def, &plan, &error), error);
    qvWigglyData data = { .values = values };
    qvWigglySolution solution = { block + 3 * MANY, block + 4 * MANY, block + 5 * MANY };
    ASSERT_OK(qvWigglyPlan_Solve(plan, &data, &solution, &error), error);
    for (int k = 0; k < MANY; k++)
    {
        assert_true(isfinite(solution.values[k]) && fabs(solution.after[k]) < 100.0);
        assert_true(k % 3 == 1 || solution.values[k] == values[k]);
    }
    qvDestroyWigglyPlan(plan);
    free(block);
}

// --- Extreme numbers -------------------------------------------------------------------------------------------------

static double Extreme(uint64_t* random)
{
    return pow(10.0, -8.0 + 14.0 * RandomUnit(random));
}

static Spline ExtremeSpline(uint64_t* random)
{
    static const qvWigglySide sides[] = { qv_sideVelocity, qv_sideForceFree, qv_sideAcceleration };
    Spline s = RandomSpline(random, 5, 0.0, 0.0, 0.0);
    int soft = RandomInt(random, 2), kinds = soft ? 2 : 3, split = 1 + RandomInt(random, 3);
    for (int k = 0; k < 5; k++)
    {
        double root = RandomInt(random, 8) != 0 ? Extreme(random) : 0.0;
        s.lambda[k] = root * root * (RandomInt(random, 2) != 0 ? 1.0 : -1.0);
        s.delta[k] = RandomInt(random, 8) != 0 ? Extreme(random) * (RandomInt(random, 8) != 0 ? 1.0 : -1.0) : 0.0;
        s.force[k] = (fabs(s.lambda[k]) + 1.0) * RandomUnit(random);
        if (soft && RandomInt(random, 2) != 0)
            s.weights[k] = RandomInt(random, 3) != 0 ? pow(10.0, -10.0 + 25.0 * RandomUnit(random)) : 0.0;
    }
    s.first = sides[RandomInt(random, kinds)];
    s.last = sides[RandomInt(random, kinds)];
    s.perSegment = RandomInt(random, 2) != 0;
    if (RandomInt(random, 2) != 0)
        s.before[split] = sides[RandomInt(random, kinds)], s.after[split] = sides[RandomInt(random, kinds)];
    if (RandomInt(random, 2) != 0)
        s.period = s.times[4] - s.times[0] + RandomUnit(random) + 0.01;
    return s;
}

// Whatever is combined, also what nobody wants (free of force against strong damping, free ends of unstable modes): all
// numbers stay finite and hard knots are met.
static void TestAlwaysFinite(void** state)
{
    (void)state;
    uint64_t random = 17;
    for (int n = 0; n < 20000; n++)
    {
        Spline s = ExtremeSpline(&random);
        Solve(&s);
        for (int k = 0; k < 5; k++)
        {
            assert_true(isfinite(s.w[k]) && isfinite(s.v0[k]) && isfinite(s.v1[k]));
            assert_true(s.weights[k] < INFINITY || s.w[k] == s.values[k]);
        }
        for (int i = 0; i < 9; i++)
        {
            double out[3];
            Evaluate(&s, s.times[0] + i / 8.0 * (s.times[4] - s.times[0]), out);
            assert_true(isfinite(out[0]) && isfinite(out[1]) && isfinite(out[2]));
        }
        assert_true(isfinite(Energy(&s)));
        Destroy(&s);
    }
}

// --- Bad input -------------------------------------------------------------------------------------------------------

static void ExpectRefused(qvWigglyDef def, qvResult expected, const char* message)
{
    qvError error;
    qvWigglyPlan* plan;
    assert_int_equal(qvCreateWigglyPlan(&def, &plan, &error), expected);
    assert_null(plan);
    ASSERT_CONTAINS(error.message, message);
}

static void TestBadInput(void** state)
{
    (void)state;
    double times[] = { 0.0, 1.0, 2.0 }, lambda = 5.0, delta = 0.3, weights[] = { INFINITY, 1.0, INFINITY };
    qvWigglyDef good = qvDefaultWigglyDef(), bad;
    good.knotCount = 3, good.times = times, good.modeCount = 1, good.lambda = &lambda, good.delta = &delta;
    double same[] = { 0.0, 1.0, 1.0 }, wrong[] = { 0.0, NAN, 2.0 }, close[] = { 0.0, 1e-70, 2.0 };
    bad = good, bad.times = same;
    ExpectRefused(bad, qv_badInput, "knots 1 and 2");
    bad = good, bad.times = wrong;
    ExpectRefused(bad, qv_badInput, "knot 1");
    bad = good, bad.times = close;
    ExpectRefused(bad, qv_badInput, "segment 0");
    bad = good, bad.period = 1.5;
    ExpectRefused(bad, qv_badInput, "period");
    double infinite = INFINITY, huge = 1e80;
    bad = good, bad.lambda = &infinite;
    ExpectRefused(bad, qv_badInput, "mode 0");
    bad = good, bad.delta = &huge;
    ExpectRefused(bad, qv_badInput, "out of range");
    double negative[] = { INFINITY, -1.0, INFINITY };
    bad = good, bad.weights = negative;
    ExpectRefused(bad, qv_badInput, "weight");
    bad = good, bad.weights = weights, bad.first = qv_sideAcceleration;
    ExpectRefused(bad, qv_unsupported, "accelerations");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestEndConditions),
        cmocka_unit_test(TestFreeVibrationCostsNothing),
        cmocka_unit_test(TestFreeVibration),
        cmocka_unit_test(TestCircularSeam),
        cmocka_unit_test(TestCircularRotation),
        cmocka_unit_test(TestResonance),
        cmocka_unit_test(TestNearResonance),
        cmocka_unit_test(TestBroken),
        cmocka_unit_test(TestBatch),
        cmocka_unit_test(TestOutside),
        cmocka_unit_test(TestManyKnots),
        cmocka_unit_test(TestAlwaysFinite),
        cmocka_unit_test(TestBadInput),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
