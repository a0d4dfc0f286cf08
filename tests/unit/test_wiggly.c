// SPDX-License-Identifier: GPL-3.0-or-later
// Wiggly splines: the differential equation, the least energy, all regimes of lambda and delta, extreme numbers.
#include "wiggly_spline.h"

#include "wiggly/segment.h"

#include <stdlib.h>

typedef struct Material
{
    const char* name;
    double lambda, delta;
} Material;

// The paper's six cases, the borders between them, and both signs of everything.
static const Material materials[] = {
    { "oscillating", 5.0, 0.3 },
    { "overdamped", 5.0, 5.0 },
    { "undamped", 5.0, 0.0 },
    { "unstable", -3.0, 0.0 },
    { "critical", 4.0, 2.0 },
    { "no stiffness", 0.0, 0.7 },
    { "cubic", 0.0, 0.0 },
    { "unstable and damped", -3.0, 0.8 },
    { "stiff", 400.0, 1.0 },
    { "nearly critical", 4.000000001, 2.0 },
    { "nearly no stiffness", 1e-9, 0.7 },
    { "nearly cubic", 1e-7, 1e-6 },
    { "driven", 5.0, -0.3 },
    { "driven unstable", -2.0, -0.5 },
    { "soft", 0.4, 0.2 },
    { "heavily damped", 50.0, 20.0 },
};

enum
{
    MATERIALS = sizeof(materials) / sizeof(materials[0])
};

// Inside a segment w'''' + 2 (lambda - 2 delta^2) w'' + lambda^2 w + lambda g = 0, and w' and w'' are the derivatives.
static void TestEquation(void** state)
{
    (void)state;
    uint64_t random = 1;
    for (int n = 0; n < MATERIALS; n++)
    {
        double lambda = materials[n].lambda, delta = materials[n].delta;
        Spline s = RandomSpline(&random, 4, lambda, delta, 0.7);
        Solve(&s);
        for (int k = 0; k < 3; k++)
        {
            double length = s.times[k + 1] - s.times[k], h = 0.02 / (1.0 + sqrt(fabs(lambda)) + fabs(delta));
            double t = s.times[k] + length * (0.2 + 0.6 * RandomUnit(&random)), f[7][3];
            for (int i = 0; i < 7; i++)
                Evaluate(&s, t + (i - 3) * h, f[i]);
            double d1[2], d4;
            for (int i = 0; i < 2; i++) // sixth order
                d1[i] = (45.0 * (f[4][i] - f[2][i]) - 9.0 * (f[5][i] - f[1][i]) + (f[6][i] - f[0][i])) / (60.0 * h);
            d4 = (-490.0 * f[3][2] + 270.0 * (f[2][2] + f[4][2]) - 27.0 * (f[1][2] + f[5][2]) +
                  2.0 * (f[0][2] + f[6][2])) /
                 (180.0 * h * h);
            double size = fabs(f[3][0]) + fabs(f[3][1]) + fabs(f[3][2]) + 1.0;
            ASSERT_NEAR(d1[0], f[3][1], 1e-9 * size);
            ASSERT_NEAR(d1[1], f[3][2], 1e-9 * size);
            double terms = fabs(d4) + fabs(2.0 * (lambda - 2.0 * delta * delta) * f[3][2]) + lambda * lambda + size;
            double residual =
                d4 + 2.0 * (lambda - 2.0 * delta * delta) * f[3][2] + lambda * lambda * f[3][0] + lambda * 0.7;
            ASSERT_NEAR(residual, 0.0, 1e-7 * terms);
            assert_true(fabs(f[3][2]) > 1e-6); // not a trivial state
        }
        Destroy(&s);
    }
}

// Values and slopes at the knots, as the curve of each segment gives them, are those of the solution; the second
// derivative does not jump.
static void TestSmoothness(void** state)
{
    (void)state;
    uint64_t random = 2;
    for (int n = 0; n < MATERIALS; n++)
    {
        Spline s = RandomSpline(&random, 6, materials[n].lambda, materials[n].delta, -0.4);
        Solve(&s);
        double before[MAX_KNOTS], after[MAX_KNOTS];
        qvWigglySolution solution = Solution(&s);
        qvWigglyPlan_KnotAccelerations(s.plan, &solution, s.force, before, after);
        for (int k = 0; k < 6; k++)
        {
            double at[3], earlier[3];
            Evaluate(&s, s.times[k], at);
            ASSERT_NEAR(at[0], s.values[k], 1e-12);
            ASSERT_NEAR(at[1], s.v1[k], 1e-10);
            ASSERT_NEAR(at[2], after[k], 1e-10 * (1.0 + fabs(after[k])));
            ASSERT_NEAR(before[k], after[k], 1e-10 * (1.0 + fabs(after[k])));
            Evaluate(&s, nextafter(s.times[k], -1e9), earlier);
            ASSERT_NEAR(earlier[0], s.values[k], 1e-12);
            ASSERT_NEAR(earlier[1], at[1], 1e-9);
            ASSERT_NEAR(earlier[2], at[2], 1e-9 * (1.0 + fabs(at[2])));
        }
        assert_true(s.v0[0] == s.givenAfter[0] && s.v1[5] == s.givenBefore[5]);
        Destroy(&s);
    }
}

// --- Least energy ----------------------------------------------------------------------------------------------------

// (t - t0)^2 (t - tm)^2 (t - t1) ... (t - t_(m-1)) times a random quadratic: zero at all knots, flat at the ends
typedef struct Polynomial
{
    double c[MAX_KNOTS + 8];
    int degree;
} Polynomial;

static void Times(Polynomial* p, double root)
{
    for (int i = ++p->degree; i >= 0; i--)
        p->c[i] = (i > 0 ? p->c[i - 1] : 0.0) - root * p->c[i];
}

static void EvaluatePolynomial(const void* context, double t, double out[3])
{
    const Polynomial* p = context;
    out[0] = out[1] = out[2] = 0.0;
    for (int i = p->degree; i >= 0; i--)
    {
        out[2] = out[2] * t + 2.0 * out[1];
        out[1] = out[1] * t + out[0];
        out[0] = out[0] * t + p->c[i];
    }
}

static Polynomial RandomBump(const Spline* s, uint64_t* random)
{
    Polynomial p = { { 1.0 }, 0 };
    for (int k = 0; k < s->count; k++)
        Times(&p, s->times[k]);
    Times(&p, s->times[0]);
    Times(&p, s->times[s->count - 1]);
    Times(&p, 3.0 * RandomUnit(random));
    Times(&p, 3.0 * RandomUnit(random));
    return p;
}

// The closed form is the integral; the force is orthogonal to that of every admissible change, so none costs less.
static void TestLeastEnergy(void** state)
{
    (void)state;
    uint64_t random = 3;
    for (int n = 0; n < MATERIALS; n++)
    {
        Spline s = RandomSpline(&random, 4, materials[n].lambda, materials[n].delta, 0.6);
        Solve(&s);
        double sums[3], energy = Energy(&s);
        for (int i = 0; i < 60; i++)
        {
            Polynomial bump = RandomBump(&s, &random);
            Integrate(&s, 12, EvaluatePolynomial, &bump, sums);
            ASSERT_NEAR(energy, sums[0], 1e-9 * sums[0]);
            assert_true(sums[2] > 0.0);
            ASSERT_NEAR(sums[1], 0.0, 1e-9 * sqrt(sums[0] * sums[2]));
            double factor = pow(10.0, -6.0 * RandomUnit(&random)) * (RandomUnit(&random) < 0.5 ? -1.0 : 1.0);
            factor *= sqrt(sums[0] / sums[2]);
            double changed = sums[0] + 2.0 * factor * sums[1] + factor * factor * sums[2];
            assert_true(changed >= energy * (1.0 - 1e-9));
        }
        Destroy(&s);
    }
}

// --- The paper's own system as an oracle -----------------------------------------------------------------------------

// The appendix's basis functions and their first two derivatives, in absolute time, as complex exponentials would give
// them: rates and powers of t.
static void PaperBasis(long double lambda, long double delta, long double t, long double b[4][3])
{
    long double square = delta * delta - lambda, eta = sqrtl(fabsl(square));
    for (int i = 0; i < 4; i++)
    {
        long double f, f1, f2;
        if (lambda == 0.0L && delta == 0.0L)
        {
            f = powl(t, i), f1 = i * powl(t, i - 1), f2 = i * (i - 1) * powl(t, i - 2);
            f1 = i == 0 ? 0.0L : f1, f2 = i < 2 ? 0.0L : f2;
        }
        else if (square < 0.0L && delta != 0.0L)
        {
            long double r = i < 2 ? -delta : delta, e = expl(r * t), c = cosl(eta * t), s = sinl(eta * t);
            long double g = i % 2 == 0 ? c : s, g1 = i % 2 == 0 ? -eta * s : eta * c;
            f = e * g, f1 = e * (r * g + g1), f2 = e * (r * r * g + 2.0L * r * g1 - eta * eta * g);
        }
        else if (lambda == 0.0L)
        {
            long double r = i == 2 ? -2.0L * delta : 2.0L * delta, e = expl(r * t);
            f = i == 0   ? 1.0L
                : i == 1 ? t
                         : e,
            f1 = i == 0   ? 0.0L
                 : i == 1 ? 1.0L
                          : r * e,
            f2 = i < 2 ? 0.0L : r * r * e;
        }
        else if (delta == 0.0L && lambda > 0.0L)
        {
            long double c = cosl(eta * t), s = sinl(eta * t), g = i % 2 == 0 ? c : s,
                        g1 = i % 2 == 0 ? -eta * s : eta * c;
            f = i < 2 ? g : t * g, f1 = i < 2 ? g1 : g + t * g1;
            f2 = i < 2 ? -eta * eta * g : 2.0L * g1 - t * eta * eta * g;
        }
        else if (delta == 0.0L || square == 0.0L)
        {
            long double r = (i % 2 == 0 ? -1.0L : 1.0L) * sqrtl(fabsl(lambda)), e = expl(r * t);
            f = i < 2 ? e : t * e, f1 = i < 2 ? r * e : (1.0L + r * t) * e;
            f2 = i < 2 ? r * r * e : (2.0L * r + r * r * t) * e;
        }
        else
        {
            long double r = (i < 2 ? -delta : delta) + (i % 2 == 0 ? eta : -eta), e = expl(r * t);
            f = e, f1 = r * e, f2 = r * r * e;
        }
        b[i][0] = f, b[i][1] = f1, b[i][2] = f2;
    }
}

enum
{
    SEGMENTS = 4,
    UNKNOWNS = 4 * SEGMENTS
};

static void SolveDense(long double a[UNKNOWNS][UNKNOWNS + 1], long double x[UNKNOWNS])
{
    for (int i = 0; i < UNKNOWNS; i++)
    {
        int best = i;
        for (int r = i; r < UNKNOWNS; r++)
            best = fabsl(a[r][i]) > fabsl(a[best][i]) ? r : best;
        for (int c = 0; c <= UNKNOWNS; c++)
        {
            long double swap = a[i][c];
            a[i][c] = a[best][c];
            a[best][c] = swap;
        }
        for (int r = i + 1; r < UNKNOWNS; r++)
        {
            long double f = a[r][i] / a[i][i];
            for (int c = i; c <= UNKNOWNS; c++)
                a[r][c] -= f * a[i][c];
        }
    }
    for (int i = UNKNOWNS - 1; i >= 0; i--)
    {
        x[i] = a[i][UNKNOWNS];
        for (int c = i + 1; c < UNKNOWNS; c++)
            x[i] -= a[i][c] * x[c];
        x[i] /= a[i][i];
    }
}

// Equations (13) to (15) of the paper, with c = g / lambda for both signs of lambda.
static void SolvePaper(const Spline* s, long double x[UNKNOWNS])
{
    long double a[UNKNOWNS][UNKNOWNS + 1] = { 0 }, b[4][3];
    long double lambda = s->lambda[0], delta = s->delta[0], rest = lambda != 0.0L ? s->force[0] / lambda : 0.0L;
    int row = 0;
    for (int k = 0; k < SEGMENTS; k++)
    {
        for (int end = 0; end < 2; end++)
        {
            PaperBasis(lambda, delta, s->times[k + end], b);
            for (int i = 0; i < 4; i++)
                a[row][4 * k + i] = b[i][0];
            a[row++][UNKNOWNS] = s->values[k + end] + rest;
        }
        for (int d = 1; d < 3 && k + 1 < SEGMENTS; d++, row++)
        {
            for (int i = 0; i < 4; i++)
                a[row][4 * k + i] = b[i][d], a[row][4 * k + 4 + i] = -b[i][d];
        }
    }
    for (int end = 0; end < 2; end++, row++)
    {
        PaperBasis(lambda, delta, s->times[end * SEGMENTS], b);
        for (int i = 0; i < 4; i++)
            a[row][end * (UNKNOWNS - 4) + i] = b[i][1];
        a[row][UNKNOWNS] = end == 0 ? s->givenAfter[0] : s->givenBefore[SEGMENTS];
    }
    SolveDense(a, x);
}

static void TestAgainstPaper(void** state)
{
    (void)state;
    static const Material cases[] = { { "1", 5.0, 0.3 },  { "1", 30.0, 0.5 }, { "2", 5.0, 3.0 },
                                      { "2", -3.0, 0.8 }, { "s1", 5.0, 0.0 }, { "s2", -3.0, 0.0 },
                                      { "s2", 4.0, 2.0 }, { "s3", 0.0, 0.7 }, { "s4", 0.0, 0.0 } };
    uint64_t random = 4;
    for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++)
    {
        Spline s = RandomSpline(&random, SEGMENTS + 1, cases[n].lambda, cases[n].delta, 0.8);
        long double x[UNKNOWNS], b[4][3];
        long double rest = s.lambda[0] != 0.0 ? (long double)s.force[0] / s.lambda[0] : 0.0L;
        SolvePaper(&s, x);
        Solve(&s);
        for (int i = 0; i < 40; i++)
        {
            int k = i / 10;
            double t = s.times[k] + (i % 10 + 0.5) / 10.0 * (s.times[k + 1] - s.times[k]), out[3];
            PaperBasis(s.lambda[0], s.delta[0], t, b);
            Evaluate(&s, t, out);
            for (int d = 0; d < 3; d++)
            {
                long double expected = d == 0 ? -rest : 0.0L;
                for (int j = 0; j < 4; j++)
                    expected += x[4 * k + j] * b[j][d];
                ASSERT_NEAR(out[d], (double)expected, 1e-10 * (1.0 + fabs((double)expected)));
            }
        }
        Destroy(&s);
    }
}

// A textbook C2 cubic spline with given end slopes.
static void TestCubicLimit(void** state)
{
    (void)state;
    uint64_t random = 5;
    for (int n = 0; n < 3; n++)
    {
        static const double small[] = { 0.0, 1e-14, -1e-14 };
        Spline s = RandomSpline(&random, 6, small[n], n == 0 ? 0.0 : 1e-8, 0.5);
        Solve(&s);
        double diagonal[6], right[6], h[5];
        for (int k = 0; k < 5; k++)
            h[k] = s.times[k + 1] - s.times[k];
        // slopes m: m_(k-1)/h + 2 m_k (1/h + 1/h') + m_(k+1)/h' = 3 (dy/h^2 + dy'/h'^2)
        right[0] = s.givenAfter[0], diagonal[0] = 1.0;
        double upper[6] = { 0.0 };
        for (int k = 1; k < 5; k++)
        {
            double d = 2.0 / h[k - 1] + 2.0 / h[k];
            double r = 3.0 * ((s.values[k] - s.values[k - 1]) / (h[k - 1] * h[k - 1]) +
                              (s.values[k + 1] - s.values[k]) / (h[k] * h[k]));
            double f = 1.0 / h[k - 1] / diagonal[k - 1];
            diagonal[k] = d - f * upper[k - 1];
            right[k] = r - f * right[k - 1];
            upper[k] = 1.0 / h[k];
        }
        double m[6];
        m[5] = s.givenBefore[5];
        for (int k = 4; k >= 0; k--)
            m[k] = (right[k] - upper[k] * m[k + 1]) / diagonal[k];
        for (int i = 0; i < 50; i++)
        {
            int k = i / 10;
            double x = (i % 10) / 10.0, y = 1.0 - x, out[3];
            double expected = y * y * (1.0 + 2.0 * x) * s.values[k] + x * x * (1.0 + 2.0 * y) * s.values[k + 1] +
                              h[k] * x * y * (y * m[k] - x * m[k + 1]);
            Evaluate(&s, s.times[k] + x * h[k], out);
            ASSERT_NEAR(out[0], expected, 1e-12);
        }
        Destroy(&s);
    }
}

// --- Regimes ---------------------------------------------------------------------------------------------------------

static void ExpectSameMap(double u, double kappa, double u2, double kappa2)
{
    qvSegmentMap a, b;
    qvSegmentMap_Init(&a, u, kappa);
    qvSegmentMap_Init(&b, u2, kappa2);
    double x[] = { a.as, a.aa, a.asExcess, a.aaExcess, a.ba, a.gamma, a.gamma1 };
    double y[] = { b.as, b.aa, b.asExcess, b.aaExcess, b.ba, b.gamma, b.gamma1 };
    for (int i = 0; i < 7; i++)
        ASSERT_NEAR(x[i], y[i], 1e-11 * (1.0 + fabs(x[i])));
    qvSegmentEnds ends = { 0.3, -1.1, -0.8, 0.9, 0.4 };
    qvSegmentCurve c, d;
    qvSegmentCurve_Init(&c, u, kappa, &ends);
    qvSegmentCurve_Init(&d, u2, kappa2, &ends);
    for (int i = 0; i <= 10; i++)
    {
        double e[3], f[3];
        qvSegmentCurve_Evaluate(&c, 0.1 * i, 1.0 - 0.1 * i, e);
        qvSegmentCurve_Evaluate(&d, 0.1 * i, 1.0 - 0.1 * i, f);
        for (int n = 0; n < 3; n++)
            ASSERT_NEAR(e[n], f[n], 1e-11 * (1.0 + fabs(e[n])));
    }
}

// Nothing jumps where one formula takes over from another, and every formula is used.
static void TestRegimeBorders(void** state)
{
    (void)state;
    int crossed[3][3] = { { 0 } };
    uint64_t random = 6;
    for (int n = 0; n < 2000; n++)
    {
        double u = pow(10.0, -1.5 + 3.0 * RandomUnit(&random)), x = u * u, y = 0.0;
        switch (n % 5)
        {
        case 0:
            y = 0.0;
            break;
        case 1:
            y = x / 4.0;
            break;
        case 2:
            y = 4.0 * x;
            break;
        case 3:
            u = 1.0, x = 1.0, y = 2.0 * RandomUnit(&random) - 1.0;
            break;
        default:
            u = RandomUnit(&random), x = u * u, y = n % 2 == 0 ? 1.0 : -1.0;
            break;
        }
        double kappa = x - y, step = 1e-14;
        double low = kappa * (1.0 - step) - 1e-300, high = kappa * (1.0 + step) + 1e-300;
        double under = u * (1.0 - step), over = u * (1.0 + step);
        ExpectSameMap(u, low, u, high);
        ExpectSameMap(under, kappa, over, kappa);
        crossed[qvClassifySegment(u, low)][qvClassifySegment(u, high)]++;
        crossed[qvClassifySegment(under, kappa)][qvClassifySegment(over, kappa)]++;
    }
    for (int a = 0; a < 3; a++)
    {
        for (int b = 0; b < 3; b++)
            assert_true(a == b || crossed[a][b] + crossed[b][a] > 20);
    }
}

// The excess forms are the differences they stand for, where those do not cancel.
static void TestExcess(void** state)
{
    (void)state;
    uint64_t random = 7;
    for (int n = 0; n < 3000; n++)
    {
        double u = pow(10.0, -3.0 + 4.0 * RandomUnit(&random)), s = pow(10.0, -3.0 + 4.0 * RandomUnit(&random));
        double kappa = RandomUnit(&random) < 0.5 ? s * s : -s * s;
        qvSegmentMap m;
        qvSegmentMap_Init(&m, u, kappa);
        double size = m.as + m.aa + 2.0 * u;
        ASSERT_NEAR(m.asExcess, m.as - 2.0 * u, 1e-14 * size);
        ASSERT_NEAR(m.aaExcess, m.aa - 2.0 * u, 1e-14 * size);
        ASSERT_NEAR(m.gamma1, 1.0 + m.gamma, 1e-15);
        assert_true(m.as > 0.0 && m.aa > 0.0 && m.ba < 0.0);
    }
}

// --- Extreme numbers -------------------------------------------------------------------------------------------------

enum
{
    BATCH_MODES = 50,
    BATCH_KNOTS = 5,
    BATCHES = 2000
};

typedef struct Batch
{
    double times[BATCH_KNOTS], lambda[BATCH_MODES], delta[BATCH_MODES], force[BATCH_MODES];
    double values[BATCH_KNOTS * BATCH_MODES], before[BATCH_KNOTS * BATCH_MODES], after[BATCH_KNOTS * BATCH_MODES];
    double w[BATCH_KNOTS * BATCH_MODES], v0[BATCH_KNOTS * BATCH_MODES], v1[BATCH_KNOTS * BATCH_MODES];
    double longest;
} Batch;

static double Extreme(uint64_t* random)
{
    return pow(10.0, -8.0 + 14.0 * RandomUnit(random));
}

static void FillBatch(Batch* b, uint64_t* random)
{
    double scale = pow(10.0, -3.0 + 6.0 * RandomUnit(random)), t = scale * (RandomUnit(random) - 0.5);
    b->longest = 0.0;
    for (int k = 0; k < BATCH_KNOTS; k++)
    {
        double length =
            scale * (RandomUnit(random) < 0.3 ? pow(10.0, -3.0 * RandomUnit(random)) : 0.2 + RandomUnit(random));
        b->times[k] = t;
        t += length;
        b->longest = k + 1 < BATCH_KNOTS ? fmax(b->longest, length) : b->longest;
    }
    for (int i = 0; i < BATCH_MODES; i++)
    {
        double root = Extreme(random) / b->longest, kind = RandomUnit(random);
        b->delta[i] = Extreme(random) / b->longest * (RandomUnit(random) < 0.1 ? -1.0 : 1.0);
        b->lambda[i] = root * root * (RandomUnit(random) < 0.5 ? 1.0 : -1.0);
        if (kind < 0.1) // around critical
            b->lambda[i] = b->delta[i] * b->delta[i] * (1.0 + 0.1 * Extreme(random) / 1e6);
        else if (kind < 0.2) // around no stiffness
            b->lambda[i] *= 1e-8;
        else if (kind < 0.25)
            b->delta[i] = 0.0;
        double acceleration = fabs(b->lambda[i]) + b->delta[i] * b->delta[i] + 1.0 / (b->longest * b->longest);
        b->force[i] = acceleration * (2.0 * RandomUnit(random) - 1.0);
    }
    for (int i = 0; i < BATCH_KNOTS * BATCH_MODES; i++)
    {
        b->values[i] = 2.0 * RandomUnit(random) - 1.0;
        b->before[i] = (2.0 * RandomUnit(random) - 1.0) / b->longest;
        b->after[i] = (2.0 * RandomUnit(random) - 1.0) / b->longest;
    }
}

enum
{
    PLACES = 7 // the two ends come first
};

// What a segment's curve gives at its ends and inside, where its boundary layers are: [place][derivative], real units.
static void EvaluatePlaces(const Batch* b, int segment, int mode, double out[PLACES][3])
{
    double length = b->times[segment + 1] - b->times[segment];
    int left = segment * BATCH_MODES + mode, right = left + BATCH_MODES;
    double u = fabs(b->delta[mode]) * length, kappa = b->lambda[mode] * length * length;
    double layer = 0.4 / fmax(1.0, u + sqrt(fabs(u * u - kappa)));
    double place[PLACES] = { 0.0, 1.0, 0.5, layer, 1.0 - layer, 0.5 * layer, 1.0 - 0.5 * layer };
    qvSegmentEnds ends = { b->w[left], b->v1[left] * length, b->w[right], b->v0[right] * length,
                           b->force[mode] * length * length };
    qvSegmentCurve curve;
    qvSegmentCurve_Init(&curve, u, kappa, &ends);
    for (int i = 0; i < PLACES; i++)
    {
        qvSegmentCurve_Evaluate(&curve, place[i], 1.0 - place[i], out[i]);
        out[i][1] /= length;
        out[i][2] /= length * length;
        for (int n = 0; n < 3; n++)
            assert_true(isfinite(out[i][n]));
    }
}

static double Largest(double place[PLACES][3], int derivative)
{
    double largest = 0.0;
    for (int i = 0; i < PLACES; i++)
        largest = fmax(largest, fabs(place[i][derivative]));
    return largest;
}

static void CheckMode(const Batch* b, int mode)
{
    double place[BATCH_KNOTS - 1][PLACES][3];
    for (int k = 0; k + 1 < BATCH_KNOTS; k++)
        EvaluatePlaces(b, k, mode, place[k]);
    for (int k = 0; k + 1 < BATCH_KNOTS; k++)
    {
        double(*p)[3] = place[k];
        int left = k * BATCH_MODES + mode, right = left + BATCH_MODES;
        ASSERT_NEAR(p[0][0], b->w[left], 1e-10 * Largest(p, 0));
        ASSERT_NEAR(p[1][0], b->w[right], 1e-10 * Largest(p, 0));
        ASSERT_NEAR(p[0][1], b->v1[left], 1e-10 * Largest(p, 1));
        ASSERT_NEAR(p[1][1], b->v0[right], 1e-10 * Largest(p, 1));
        assert_true(b->w[left] == b->values[left]);
        if (k == 0)
            continue;
        double(*q)[3] = place[k - 1];
        ASSERT_NEAR(p[0][1], q[1][1], 1e-10 * fmax(Largest(p, 1), Largest(q, 1)));
        ASSERT_NEAR(p[0][2], q[1][2], 1e-10 * fmax(Largest(p, 2), Largest(q, 2)));
    }
}

// 100,000 random splines with delta T and sqrt(|lambda|) T from 1e-8 to 1e6: they pass through their knots, and value,
// slope and second derivative have no jump beyond 1e-10 of their size next to it.
static void TestExtremes(void** state)
{
    (void)state;
    Batch* b = malloc(sizeof(*b));
    assert_non_null(b);
    uint64_t random = 8;
    for (int n = 0; n < BATCHES; n++)
    {
        static const qvWigglySide firsts[] = { qv_sideVelocity, qv_sideVelocity, qv_sideAcceleration };
        static const qvWigglySide lasts[] = { qv_sideVelocity, qv_sideForceFree, qv_sideAcceleration };
        qvError error;
        qvWigglyPlan* plan;
        qvWigglyDef def = qvDefaultWigglyDef();
        FillBatch(b, &random);
        def.knotCount = BATCH_KNOTS, def.times = b->times;
        def.modeCount = BATCH_MODES, def.lambda = b->lambda, def.delta = b->delta;
        def.first = firsts[n % 3], def.last = lasts[n / 3 % 3];
        ASSERT_OK(qvCreateWigglyPlan(&def, &plan, &error), error);
        qvWigglyData data = { b->values, b->before, b->after, b->force };
        qvWigglySolution solution = { b->w, b->v0, b->v1 };
        ASSERT_OK(qvWigglyPlan_Solve(plan, &data, &solution, &error), error);
        for (int i = 0; i < BATCH_MODES; i++)
            CheckMode(b, i);
        qvDestroyWigglyPlan(plan);
    }
    free(b);
}

// A plan that let go of all but some rows gives the same bits there, with materials per segment and without.
static void TestSettled(void** state)
{
    (void)state;
    enum
    {
        KNOTS = 7,
        MODES = 3,
        KEPT = 4,
        TIMES = 21
    };
    const int32_t rowOf[KNOTS] = { 0, -1, -1, 1, 2, 3, -1 };
    uint64_t random = 5;
    for (int way = 0; way < 4; way++)
    {
        int stride = way % 2 == 0 ? 0 : MODES;
        double times[KNOTS], lambda[KNOTS * MODES], delta[KNOTS * MODES], force[KNOTS * MODES];
        double all[3][KNOTS * MODES], few[4][KEPT * MODES], at[TIMES], before[3][TIMES * MODES],
            after[3][TIMES * MODES];
        for (int i = 0; i < KNOTS * MODES; i++)
        {
            times[i / MODES] = 0.4 * (i / MODES) + 0.01 * (i / MODES) * (i / MODES);
            lambda[i] = 30.0 * RandomUnit(&random), delta[i] = 2.0 * RandomUnit(&random);
            force[i] = RandomUnit(&random), all[0][i] = RandomUnit(&random), all[1][i] = all[2][i] = 0.0;
        }
        for (int i = 0; i < TIMES; i++)
            at[i] = times[3] + (times[5] - times[3]) * (i + 0.5) / TIMES;
        qvWigglyDef def = qvDefaultWigglyDef();
        def.knotCount = KNOTS, def.times = times, def.modeCount = MODES, def.lambda = lambda, def.delta = delta;
        def.segmentStride = stride, def.period = way < 2 ? 0.0 : times[KNOTS - 1] + 0.5;
        qvWigglyPlan* plan;
        qvError error;
        ASSERT_OK(qvCreateWigglyPlan(&def, &plan, &error), error);
        qvWigglySolution solution = { all[0], all[1], all[2] }, kept = { few[0], few[1], few[2] };
        const qvWigglyData data = { all[0], all[1], all[2], force };
        ASSERT_OK(qvWigglyPlan_Solve(plan, &data, &solution, &error), error);
        qvWigglyPlan_Evaluate(plan, &solution, force, at, TIMES, NULL, before[0], before[1], before[2]);
        for (int i = 0; i < KNOTS * MODES; i++)
        {
            int row = rowOf[i / MODES] * MODES + i % MODES;
            for (int k = 0; row >= 0 && k < 4; k++)
                few[k][row] = k < 3 ? all[k][i] : force[i];
        }
        qvWigglyPlan_Settle(plan, rowOf, KEPT);
        qvWigglyPlan_Evaluate(plan, &kept, stride > 0 ? few[3] : force, at, TIMES, NULL, after[0], after[1], after[2]);
        assert_memory_equal(after, before, sizeof(before));
        qvDestroyWigglyPlan(plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestEquation),     cmocka_unit_test(TestSmoothness), cmocka_unit_test(TestLeastEnergy),
        cmocka_unit_test(TestAgainstPaper), cmocka_unit_test(TestCubicLimit), cmocka_unit_test(TestRegimeBorders),
        cmocka_unit_test(TestSettled),      cmocka_unit_test(TestExcess),     cmocka_unit_test(TestExtremes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
