// SPDX-License-Identifier: GPL-3.0-or-later
// Wiggly splines: soft and free knots, segments of their own material, the quadratic form.
#include "wiggly_spline.h"

// A free value inside is as if the knot were not there.
static void TestFreeValueInside(void** state)
{
    (void)state;
    uint64_t random = 8;
    for (int n = 0; n < CASES; n++)
    {
        Spline s = RandomSpline(&random, 5, lambdas[n], deltas[n], 0.5), t = s;
        s.weights[2] = 0.0;
        t.count = 4;
        for (int k = 2; k < 4; k++)
        {
            t.times[k] = s.times[k + 1];
            t.values[k] = s.values[k + 1];
            t.givenBefore[k] = s.givenBefore[k + 1];
        }
        Solve(&s);
        Solve(&t);
        for (int i = 0; i < 20; i++)
        {
            double at = s.times[0] + i / 20.0 * (s.times[4] - s.times[0]), a[3], b[3];
            Evaluate(&s, at, a);
            Evaluate(&t, at, b);
            for (int d = 0; d < 3; d++)
                ASSERT_NEAR(a[d], b[d], 1e-9 * (1.0 + fabs(b[d])));
        }
        ASSERT_NEAR(Energy(&s), Energy(&t), 1e-9 * (1.0 + Energy(&t)));
        Destroy(&s);
        Destroy(&t);
    }
}

// A free last knot continues as free vibration, also behind a split.
static void TestFreeTail(void** state)
{
    (void)state;
    uint64_t random = 9;
    for (int n = 0; n < CASES * 2; n++)
    {
        Spline s = RandomSpline(&random, 4, lambdas[n / 2], deltas[n / 2], 0.0);
        s.last = qv_sideForceFree;
        s.weights[3] = 0.0;
        s.values[3] = NAN; // not read
        if (n % 2 != 0)
            s.before[2] = qv_sideForceFree, s.after[2] = qv_sideVelocity;
        s.weights[1] = n % 4 == 0 ? 20.0 : INFINITY;
        Solve(&s);
        assert_true((s.v0[2] == s.v1[2]) == (n % 2 == 0));
        double start[3], sums[3];
        Evaluate(&s, s.times[2], start);
        for (int i = 0; i <= 8; i++)
        {
            double t = i / 8.0 * (s.times[3] - s.times[2]), a[3], b[3];
            Evaluate(&s, s.times[2] + t, a);
            qvFreeVibration(s.lambda[0], s.delta[0], 0.0, start[0], start[1], t, b);
            for (int d = 0; d < 3; d++)
                ASSERT_NEAR(a[d], b[d], 1e-10 * (1.0 + fabs(b[d])));
        }
        Integrate(&s, 12, NULL, NULL, sums);
        ASSERT_NEAR(Energy(&s), sums[0], 1e-9 * (1.0 + sums[0]));
        Destroy(&s);
    }
}

// A tail with a material and a force of its own swings about where they balance.
static void TestFreeTailMaterial(void** state)
{
    (void)state;
    uint64_t random = 19;
    Spline s = RandomSpline(&random, 4, 5.0, 0.2, 0.0);
    s.perSegment = true, s.last = qv_sideForceFree, s.weights[3] = 0.0;
    s.lambda[2] = 20.0, s.delta[2] = 0.7;
    for (int k = 0; k < 3; k++)
        s.force[k] = 1.0 - 2.0 * k;
    Solve(&s);
    for (int i = 0; i <= 8; i++)
    {
        double t = i / 8.0 * (s.times[3] - s.times[2]), a[3], b[3];
        Evaluate(&s, s.times[2] + t, a);
        qvFreeVibration(20.0, 0.7, 3.0 / 20.0, s.w[2], s.v1[2], t, b);
        for (int d = 0; d < 3; d++)
            ASSERT_NEAR(a[d], b[d], 1e-10 * (1.0 + fabs(b[d])));
    }
    Destroy(&s);
}

// A free first knot, free of force too, costs nothing either: the spline begins at the second knot.
static void TestFreeStart(void** state)
{
    (void)state;
    uint64_t random = 16;
    for (int n = 0; n < CASES; n++)
    {
        if (deltas[n] > 1.0)
            continue; // against strong damping the start would be far away
        Spline s = RandomSpline(&random, 4, lambdas[n], deltas[n], 0.3), t = s;
        s.first = t.first = qv_sideForceFree;
        s.weights[0] = 0.0;
        t.count = 3;
        for (int k = 0; k < 3; k++)
        {
            t.times[k] = s.times[k + 1];
            t.values[k] = s.values[k + 1];
            t.givenBefore[k] = s.givenBefore[k + 1];
        }
        Solve(&s);
        Solve(&t);
        ASSERT_NEAR(Energy(&s), Energy(&t), 1e-8 * (1.0 + Energy(&t)));
        for (int i = 0; i < 20; i++)
        {
            double a[3], b[3], at = s.times[0] + i / 20.0 * (s.times[3] - s.times[0]);
            Evaluate(&s, at, a);
            if (at < s.times[1])
            {
                ASSERT_NEAR(Force(&s, 0, a), 0.0, 1e-8 * (1.0 + fabs(a[2])));
                continue;
            }
            Evaluate(&t, at, b);
            for (int d = 0; d < 3; d++)
                ASSERT_NEAR(a[d], b[d], 1e-8 * (1.0 + fabs(b[d])));
        }
        Destroy(&s);
        Destroy(&t);
    }
}

// --- Quadratic form --------------------------------------------------------------------------------------------------

// Some of everything: ends, splits, circles, segments with their own material.
static Spline RandomKind(uint64_t* random, int n)
{
    static const qvWigglySide sides[] = { qv_sideVelocity, qv_sideForceFree };
    Spline s = RandomSpline(random, 5, lambdas[n % CASES], deltas[n % CASES], 0.4);
    s.first = sides[n / CASES % 2 * (s.delta[0] < 1.0 ? 1 : 0)];
    s.last = sides[RandomInt(random, 2)];
    int kind = RandomInt(random, 4);
    if (kind == 1 || kind == 2)
        s.before[3] = sides[RandomInt(random, 2)], s.after[3] = qv_sideVelocity;
    if (kind >= 2)
        s.period = s.times[4] - s.times[0] + 0.5;
    if (RandomInt(random, 3) == 0)
    {
        s.perSegment = true;
        for (int k = 0; k < 5; k++)
        {
            s.lambda[k] += 3.0 * RandomUnit(random);
            s.delta[k] += RandomUnit(random) - 0.2;
            s.force[k] += RandomUnit(random);
        }
    }
    return s;
}

static void TestQuadraticForm(void** state)
{
    (void)state;
    uint64_t random = 10;
    for (int n = 0; n < 400; n++)
    {
        Spline s = RandomKind(&random, n);
        double matrix[25], linear[5], constant, form, terms;
        qvError error;
        Solve(&s);
        qvWigglyData data = Data(&s);
        ASSERT_OK(qvWigglyPlan_QuadraticForm(s.plan, &data, 0, matrix, linear, &constant, &error), error);
        form = constant, terms = fabs(constant);
        for (int i = 0; i < 5; i++)
        {
            form += 2.0 * linear[i] * s.values[i];
            terms += 2.0 * fabs(linear[i] * s.values[i]);
            for (int j = 0; j < 5; j++)
            {
                assert_true(matrix[5 * i + j] == matrix[5 * j + i]);
                form += matrix[5 * i + j] * s.values[i] * s.values[j];
                terms += fabs(matrix[5 * i + j] * s.values[i] * s.values[j]);
            }
        }
        double sums[3];
        Integrate(&s, 12, NULL, NULL, sums);
        ASSERT_NEAR(form, sums[0], 1e-9 * terms);
        ASSERT_NEAR(Energy(&s), sums[0], 1e-9 * terms);
        assert_true(sums[0] > 1e-6);
        Destroy(&s);
    }
}

// Soft knots minimise the form plus the penalties: no value can be changed for the better.
static void TestSoft(void** state)
{
    (void)state;
    uint64_t random = 11;
    for (int n = 0; n < 400; n++)
    {
        Spline s = RandomKind(&random, n);
        double matrix[25], linear[5], constant;
        qvError error;
        int softCount = 0;
        for (int k = 0; k < 5; k++)
        {
            s.weights[k] = RandomInt(&random, 2) != 0 ? pow(10.0, 4.0 * RandomUnit(&random) - 1.0) : INFINITY;
            softCount += s.weights[k] < INFINITY;
        }
        Solve(&s);
        qvWigglyData data = Data(&s);
        ASSERT_OK(qvWigglyPlan_QuadraticForm(s.plan, &data, 0, matrix, linear, &constant, &error), error);
        for (int i = 0; i < 5; i++)
        {
            double gradient = linear[i], terms = fabs(linear[i]);
            for (int j = 0; j < 5; j++)
            {
                gradient += matrix[5 * i + j] * s.w[j];
                terms += fabs(matrix[5 * i + j] * s.w[j]);
            }
            if (s.weights[i] == INFINITY)
            {
                assert_true(s.w[i] == s.values[i]);
                continue;
            }
            gradient += s.weights[i] * (s.w[i] - s.values[i]);
            ASSERT_NEAR(gradient, 0.0, 1e-9 * terms);
            assert_true(fabs(s.w[i] - s.values[i]) > 1e-9);
        }
        // The velocities are those of a hard spline through the values found.
        Spline hard = s;
        for (int k = 0; k < 5; k++)
            hard.weights[k] = INFINITY, hard.values[k] = s.w[k];
        Solve(&hard);
        for (int k = 0; k < 5; k++)
        {
            ASSERT_NEAR(hard.v0[k], s.v0[k], 1e-8 * (1.0 + fabs(s.v0[k])));
            ASSERT_NEAR(hard.v1[k], s.v1[k], 1e-8 * (1.0 + fabs(s.v1[k])));
        }
        assert_true(softCount > 0 || s.w[0] == s.values[0]);
        Destroy(&hard);
        Destroy(&s);
    }
}

// With a material per segment the force is continuous, not the acceleration; also where segments have equal lengths.
static void CheckMaterials(bool even)
{
    uint64_t random = 12;
    Spline s = RandomSpline(&random, 5, 0.0, 0.0, 0.0);
    s.perSegment = true;
    for (int k = 0; k < 4; k++)
    {
        s.times[k + 1] = even ? s.times[0] + k + 1 : s.times[k + 1];
        s.lambda[k] = 8.0 * RandomUnit(&random) - 2.0;
        s.delta[k] = k == 2 ? 40.0 : RandomUnit(&random);
        s.force[k] = RandomUnit(&random);
    }
    Solve(&s);
    double before[MAX_KNOTS], after[MAX_KNOTS];
    qvWigglySolution solution = Solution(&s);
    qvWigglyPlan_KnotAccelerations(s.plan, &solution, s.force, before, after);
    for (int k = 1; k < 4; k++)
    {
        double left[3] = { s.w[k], s.v0[k], before[k] }, right[3] = { s.w[k], s.v1[k], after[k] };
        double force = Force(&s, k - 1, left);
        ASSERT_NEAR(force, Force(&s, k, right), 1e-11 * (1.0 + fabs(force)));
        assert_true(fabs(before[k] - after[k]) > 1e-3);
    }
    double sums[3];
    Integrate(&s, 24, NULL, NULL, sums);
    ASSERT_NEAR(Energy(&s), sums[0], 1e-9 * (1.0 + sums[0]));
    Destroy(&s);
}

static void TestMaterialPerSegment(void** state)
{
    (void)state;
    CheckMaterials(false);
    CheckMaterials(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestFreeValueInside),    cmocka_unit_test(TestFreeTail),
        cmocka_unit_test(TestFreeTailMaterial),   cmocka_unit_test(TestFreeStart),
        cmocka_unit_test(TestQuadraticForm),      cmocka_unit_test(TestSoft),
        cmocka_unit_test(TestMaterialPerSegment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
