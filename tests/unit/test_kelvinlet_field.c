// SPDX-License-Identifier: GPL-3.0-or-later
// Kelvinlet fields against the equations they solve, their limits and their symmetries.
#include "random_vectors.h"
#include "testing.h"

#include "kelvinlet_reference.h"

#include "kelvinlet/field.h"
#include "kelvinlet/load.h"
#include "math/mat3.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static qvMat3 RandomMat3(uint64_t* random)
{
    qvMat3 a;
    for (int i = 0; i < 9; i++)
        a.m[i / 3][i % 3] = RandomSigned(random);
    return a;
}

static qvKelvinlet RandomLoad(uint64_t* random, qvKelvinletTime time, int scaleCount)
{
    qvKelvinlet load = qvDefaultKelvinlet();
    load.time = time;
    load.poisson = 0.49 * RandomUnit(random);
    load.stiffness = 0.5 + 2.0 * RandomUnit(random);
    qvKelvinlet_SetRadius(&load, 0.6 + 0.5 * RandomUnit(random), scaleCount);
    return load;
}

static const double* Axis(const qvVec3* v)
{
    return &v->x;
}

static qvVec3 Along(int axis, double h)
{
    return qvMakeVec3(axis == 0 ? h : 0.0, axis == 1 ? h : 0.0, axis == 2 ? h : 0.0);
}

// Fourth-order first derivative along an axis.
static qvVec3 First(const qvKelvinlet* load, double age, qvVec3 at, int axis, double h)
{
    qvVec3 sum = { 0 };
    static const double weights[4] = { 1.0, -8.0, 8.0, -1.0 }, offsets[4] = { -2.0, -1.0, 1.0, 2.0 };
    for (int i = 0; i < 4; i++)
        sum = qvMulAdd(sum, weights[i], qvKelvinlet_Displacement(load, age, qvAdd(at, Along(axis, offsets[i] * h))));
    return qvScale(1.0 / (12.0 * h), sum);
}

static qvVec3 Second(const qvKelvinlet* load, double age, qvVec3 at, int a, int b, double h)
{
    qvVec3 sum = { 0 };
    static const double offsets[5] = { -2.0, -1.0, 0.0, 1.0, 2.0 };
    static const double same[5] = { -1.0, 16.0, -30.0, 16.0, -1.0 }, first[5] = { 1.0, -8.0, 0.0, 8.0, -1.0 };
    for (int i = 0; i < 5; i++)
    {
        qvVec3 shifted = qvAdd(at, Along(b, offsets[i] * h));
        if (a == b)
            sum = qvMulAdd(sum, same[i] / (12.0 * h * h), qvKelvinlet_Displacement(load, age, shifted));
        else if (first[i] != 0.0)
            sum = qvMulAdd(sum, first[i] / (12.0 * h), First(load, age, shifted, a, h));
    }
    return sum;
}

// mu Lap u + mu/(1 - 2 nu) grad div u
static qvVec3 ElasticForce(const qvKelvinlet* load, double age, qvVec3 at, double h)
{
    double mu = load->stiffness, lambda = mu / (1.0 - 2.0 * load->poisson), force[3] = { 0 };
    for (int a = 0; a < 3; a++)
    {
        for (int b = a; b < 3; b++)
        {
            qvVec3 d = Second(load, age, at, a, b, h);
            if (a == b)
            {
                for (int i = 0; i < 3; i++)
                    force[i] += mu * Axis(&d)[i];
            }
            force[a] += lambda * Axis(&d)[b];
            if (a != b)
                force[b] += lambda * Axis(&d)[a];
        }
    }
    return qvMakeVec3(force[0], force[1], force[2]);
}

// The load density: f rho + F grad rho, summed over the scales with their weights.
static qvVec3 BodyForce(const qvKelvinlet* load, qvVec3 at)
{
    long double eps[3] = { load->radii[0], load->radii[1], load->radii[2] }, weights[3];
    ReferenceWeights(load->scaleCount, eps, weights);
    qvVec3 r = qvSub(at, load->center), sum = { 0 };
    for (int i = 0; i < load->scaleCount; i++)
    {
        double e2 = load->radii[i] * load->radii[i], re2 = qvDot(r, r) + e2, w = (double)weights[i];
        double rho = 15.0 * e2 * e2 / (8.0 * PI * pow(re2, 3.5));
        sum = qvMulAdd(sum, w * rho, load->force);
        sum = qvMulAdd(sum, -7.0 * w * rho / re2, qvMat3_Apply(&load->affine, r));
    }
    return sum;
}

static void TestStaticEquation(void** state)
{
    (void)state;
    uint64_t random = 1;
    for (int round = 0; round < 24; round++)
    {
        qvKelvinlet load = RandomLoad(&random, qv_kelvinletStatic, 1 + round % 3);
        load.force = RandomVec3(&random);
        load.affine = RandomMat3(&random);
        load.center = RandomVec3(&random);
        qvVec3 at = qvAdd(load.center, qvScale(0.8, RandomVec3(&random)));
        qvVec3 body = BodyForce(&load, at), force = ElasticForce(&load, 0.0, at, 0.003);
        assert_true(qvLength(body) > 1e-4);
        ASSERT_NEAR(qvLength(qvAdd(force, body)), 0.0, 2e-6 * qvLength(body));
    }
}

static qvVec3 Acceleration(const qvKelvinlet* load, double age, qvVec3 at, double h)
{
    static const double weights[5] = { -1.0, 16.0, -30.0, 16.0, -1.0 };
    qvVec3 sum = { 0 };
    for (int i = 0; i < 5; i++)
        sum = qvMulAdd(sum, weights[i] / (12.0 * h * h), qvKelvinlet_Displacement(load, age + (i - 2) * h, at));
    return sum;
}

// u_tt = elastic force (+ body force for a push), for vector and affine loads of one to three scales.
static void TestWaveEquation(void** state)
{
    (void)state;
    uint64_t random = 2;
    for (int round = 0; round < 36; round++)
    {
        bool push = round % 2 == 0;
        qvKelvinlet load = RandomLoad(&random, push ? qv_kelvinletPush : qv_kelvinletImpulse, 1 + round / 2 % 3);
        load.force = RandomVec3(&random);
        load.affine = RandomMat3(&random);
        qvVec3 at = qvScale(1.5, RandomVec3(&random));
        double age = 0.3 + RandomUnit(&random);
        qvVec3 acceleration = Acceleration(&load, age, at, 0.002), force = ElasticForce(&load, age, at, 0.003);
        if (push)
            force = qvAdd(force, BodyForce(&load, at));
        double size = qvLength(acceleration) + qvLength(BodyForce(&load, at));
        assert_true(qvLength(acceleration) > 1e-6);
        ASSERT_NEAR(qvLength(qvSub(acceleration, force)), 0.0, 5e-6 * size);
    }
}

// exp(-k t) u solves v_tt + 2 k v_t + k^2 v = elastic force.
static void TestFade(void** state)
{
    (void)state;
    uint64_t random = 3;
    qvKelvinlet load = RandomLoad(&random, qv_kelvinletImpulse, 1);
    load.force = RandomVec3(&random);
    load.fade = 1.7;
    qvVec3 at = qvMakeVec3(0.4, -0.3, 0.5);
    double age = 0.6, h = 1e-3, k = load.fade;
    qvVec3 before = qvKelvinlet_Displacement(&load, age - h, at), after = qvKelvinlet_Displacement(&load, age + h, at);
    qvVec3 now = qvKelvinlet_Displacement(&load, age, at), sum = Acceleration(&load, age, at, 0.002);
    sum = qvMulAdd(sum, 2.0 * k / (2.0 * h), qvSub(after, before));
    sum = qvMulAdd(sum, k * k, now);
    ASSERT_NEAR(qvLength(qvSub(sum, ElasticForce(&load, age, at, 0.003))), 0.0, 1e-5 * qvLength(sum));
}

// The closed forms of the paper, transcribed, where they keep their digits.
static void TestPaperForms(void** state)
{
    (void)state;
    uint64_t random = 4;
    for (int round = 0; round < 100; round++)
    {
        bool push = round % 2 == 0;
        qvKelvinlet load = RandomLoad(&random, push ? qv_kelvinletPush : qv_kelvinletImpulse, 1);
        load.force = RandomVec3(&random);
        qvVec3 at = qvScale(2.0 + RandomUnit(&random), qvNormalize(RandomVec3(&random)));
        double age = 0.2 + 2.0 * RandomUnit(&random);
        double alpha = qvKelvinlet_PressureSpeed(&load), beta = qvKelvinlet_ShearSpeed(&load), eps = load.radii[0];
        long double s[2] = { alpha, beta }, U[2], dU[2], r = qvLength(at);
        for (int i = 0; i < 2; i++)
        {
            long double p = r + s[i] * age, w = r - s[i] * age, e2 = (long double)eps * eps, X, dX, scale;
            long double pe = sqrtl(p * p + e2), we = sqrtl(w * w + e2), re = sqrtl(r * r + e2);
            if (push)
            {
                X = 2 * r * r * r / re - p * w * (p / pe + w / we) + e2 * (p - r) * (1 / pe - 1 / we);
                dX = 2 * r * r * (3 / re - r * r / (re * re * re)) - 2 * r * (p / pe + w / we) -
                     e2 * r * (p / (pe * pe * pe) + w / (we * we * we));
                scale = 1 / (16 * (long double)PI * s[i] * s[i] * r * r * r);
            }
            else
            {
                X = (2 * p * p + e2 - 3 * r * p) / pe + r * p * p * p / (pe * pe * pe) -
                    (2 * w * w + e2 - 3 * r * w) / we - r * w * w * w / (we * we * we);
                dX = -3 * e2 * e2 * r / powl(pe, 5) + 3 * e2 * e2 * r / powl(we, 5);
                scale = 1 / (16 * (long double)PI * s[i] * r * r * r);
            }
            U[i] = scale * X;
            dU[i] = scale * (dX - 3 * X / r);
        }
        double A = (double)(U[0] + 2 * U[1] + r * dU[1]), B = (double)((dU[0] - dU[1]) / r);
        qvVec3 want = qvMulAdd(qvScale(A, load.force), B * qvDot(at, load.force), at);
        qvVec3 got = qvKelvinlet_Displacement(&load, age, at);
        ASSERT_NEAR(qvDistance(want, got), 0.0, 1e-11 * qvLength(want) + 1e-16);
    }
}

static void TestPushIsIntegralOfImpulse(void** state)
{
    (void)state;
    uint64_t random = 5;
    for (int round = 0; round < 6; round++)
    {
        qvKelvinlet push = RandomLoad(&random, qv_kelvinletPush, 1 + round % 3), impulse;
        push.force = RandomVec3(&random);
        push.affine = RandomMat3(&random);
        impulse = push;
        impulse.time = qv_kelvinletImpulse;
        qvVec3 at = RandomVec3(&random), sum = { 0 };
        double age = 0.5 + RandomUnit(&random);
        int steps = 2000;
        for (int i = 0; i <= steps; i++)
        {
            double weight = (i == 0 || i == steps ? 1.0 : i % 2 == 1 ? 4.0 : 2.0) * age / (3.0 * steps);
            sum = qvMulAdd(sum, weight, qvKelvinlet_Displacement(&impulse, age * i / steps, at));
        }
        qvVec3 want = qvKelvinlet_Displacement(&push, age, at);
        ASSERT_NEAR(qvDistance(sum, want), 0.0, 1e-9 * qvLength(want));
    }
}

// The push tends to the static field like t^-5, and the transient is their difference to full relative precision.
static void TestPushTendsToStatic(void** state)
{
    (void)state;
    uint64_t random = 6;
    for (int scales = 1; scales <= 3; scales++)
    {
        qvKelvinlet load = RandomLoad(&random, qv_kelvinletTransient, scales), still, push;
        load.force = RandomVec3(&random);
        load.affine = RandomMat3(&random);
        still = push = load;
        still.time = qv_kelvinletStatic;
        push.time = qv_kelvinletPush;
        qvVec3 at = qvMakeVec3(0.3, 0.2, -0.4);
        double size = qvLength(qvKelvinlet_Displacement(&still, 0.0, at)), t = 100.0 / qvKelvinlet_ShearSpeed(&load);
        double late = qvLength(qvKelvinlet_Displacement(&load, t, at));
        double later = qvLength(qvKelvinlet_Displacement(&load, 2.0 * t, at));
        assert_true(late > 0.0 && late < 1e-6 * size);
        ASSERT_NEAR(log2(later / late), -5.0, 0.05);
        // Early, the plain difference is a good reference.
        double early = 0.7;
        qvVec3 want = qvSub(qvKelvinlet_Displacement(&push, early, at), qvKelvinlet_Displacement(&still, 0.0, at));
        ASSERT_NEAR(qvDistance(want, qvKelvinlet_Displacement(&load, early, at)), 0.0, 1e-13 * size);
        // Before the start it is minus the static field.
        want = qvScale(-1.0, qvKelvinlet_Displacement(&still, 0.0, at));
        ASSERT_NEAR(qvDistance(want, qvKelvinlet_Displacement(&load, 0.0, at)), 0.0, 1e-14 * size);
    }
}

#ifdef QUAD_REFERENCE
// Late transients, of one to three scales, against a difference in quad, where a difference in double or even long
// double has no digits left.
static void TestTransientPrecision(void** state)
{
    (void)state;
    uint64_t random = 7;
    for (int round = 0; round < 18; round++)
    {
        qvKelvinlet load = RandomLoad(&random, qv_kelvinletTransient, 1 + round % 3);
        if (round % 2 == 0)
            load.force = RandomVec3(&random);
        else
            load.affine = RandomMat3(&random);
        qvVec3 at = RandomVec3(&random);
        double travelled = 10.0 * pow(10.0, round / 6), age = travelled / qvKelvinlet_ShearSpeed(&load);
        ReferenceLoad reference = MakeReferenceLoad(&load, age);
        qvVec3 offset = qvSub(at, load.center);
        quad r[3] = { offset.x, offset.y, offset.z }, now[3], end[3];
        reference.time = qv_kelvinletPush;
        QuadDisplacement(&reference, r, now);
        reference.time = qv_kelvinletStatic;
        QuadDisplacement(&reference, r, end);
        qvVec3 want = qvMakeVec3((double)(now[0] - end[0]), (double)(now[1] - end[1]), (double)(now[2] - end[2]));
        assert_true(qvLength(want) > 0.0 && qvLength(want) < 0.1 * pow(age, -4.0));
        // The second term is what quad itself rounds off.
        double rounding = 1e-31 * (double)fabsl((long double)end[0]);
        ASSERT_NEAR(qvDistance(want, qvKelvinlet_Displacement(&load, age, at)), 0.0, 1e-13 * qvLength(want) + rounding);
    }
}
#endif

// The closed limits at the centre, and continuity there.
static void TestCenterLimit(void** state)
{
    (void)state;
    uint64_t random = 8;
    for (int round = 0; round < 20; round++)
    {
        qvKelvinlet load = RandomLoad(&random, round % 2 ? qv_kelvinletImpulse : qv_kelvinletPush, 1);
        load.force = RandomVec3(&random);
        double t = 0.05 + 2.0 * RandomUnit(&random), e = load.radii[0], e4 = e * e * e * e, gain;
        double al = qvKelvinlet_PressureSpeed(&load), be = qvKelvinlet_ShearSpeed(&load);
        double ale = sqrt(al * t * al * t + e * e), bee = sqrt(be * t * be * t + e * e);
        if (load.time == qv_kelvinletImpulse)
            gain = 5.0 * t * e4 / (8.0 * PI) * (pow(ale, -7) + 2.0 * pow(bee, -7));
        else
            gain = e4 / (8.0 * PI) *
                   ((pow(e, -5) - pow(ale, -5)) / (al * al) + 2.0 * (pow(e, -5) - pow(bee, -5)) / (be * be));
        qvVec3 want = qvScale(gain, load.force), zero = { 0 };
        ASSERT_NEAR(qvDistance(want, qvKelvinlet_Displacement(&load, t, zero)), 0.0, 2e-12 * qvLength(want));
        qvVec3 close = qvScale(1e-9 * e, RandomVec3(&random));
        ASSERT_NEAR(qvDistance(want, qvKelvinlet_Displacement(&load, t, close)), 0.0, 2e-12 * qvLength(want));
    }
}

// At the start: u = rho f t for the impulse, rho f t^2/2 for the push, nothing before.
static void TestStartLimit(void** state)
{
    (void)state;
    uint64_t random = 9;
    for (int scales = 1; scales <= 3; scales++)
    {
        qvKelvinlet load = RandomLoad(&random, qv_kelvinletImpulse, scales);
        load.force = RandomVec3(&random);
        load.affine = RandomMat3(&random);
        qvVec3 at = RandomVec3(&random), body = BodyForce(&load, at);
        double t = 1e-3 / qvKelvinlet_PressureSpeed(&load);
        qvVec3 u = qvScale(1.0 / t, qvKelvinlet_Displacement(&load, t, at));
        ASSERT_NEAR(qvDistance(u, body), 0.0, 1e-4 * qvLength(body));
        ASSERT_NEAR(qvLength(qvKelvinlet_Displacement(&load, 0.0, at)), 0.0, 0.0);
        ASSERT_NEAR(qvLength(qvKelvinlet_Displacement(&load, -1.0, at)), 0.0, 0.0);
        load.time = qv_kelvinletPush;
        u = qvScale(2.0 / (t * t), qvKelvinlet_Displacement(&load, t, at));
        ASSERT_NEAR(qvDistance(u, body), 0.0, 1e-4 * qvLength(body));
        ASSERT_NEAR(qvLength(qvKelvinlet_Displacement(&load, 0.0, at)), 0.0, 0.0);
    }
}

static double Divergence(const qvKelvinlet* load, double age, qvVec3 at)
{
    double sum = 0.0;
    for (int a = 0; a < 3; a++)
    {
        qvVec3 d = First(load, age, at, a, 0.002);
        sum += Axis(&d)[a];
    }
    return sum;
}

static void TestIncompressible(void** state)
{
    (void)state;
    uint64_t random = 10;
    for (int round = 0; round < 27; round++)
    {
        qvKelvinlet load = RandomLoad(&random, (qvKelvinletTime)(round % 3), 1 + round / 9);
        qvVec3 at = RandomVec3(&random);
        double age = 0.2 + RandomUnit(&random);
        load.poisson = 0.5;
        load.force = RandomVec3(&random);
        load.affine = RandomMat3(&random);
        qvMat3 size = { 0 };
        for (int a = 0; a < 3; a++)
        {
            qvVec3 d = First(&load, age, at, a, 0.002);
            memcpy(size.m[a], &d, sizeof(d));
        }
        ASSERT_NEAR(Divergence(&load, age, at), 0.0, 1e-8 * qvMat3_Norm(&size));
        // A twist has no divergence at any Poisson ratio.
        load.poisson = 0.3;
        load.force = qvMakeVec3(0.0, 0.0, 0.0);
        load.affine = qvMat3_Skew(RandomVec3(&random));
        ASSERT_NEAR(Divergence(&load, age, at), 0.0, 1e-8 * qvMat3_Norm(&size));
        // The raw scale load does nothing to an incompressible body.
        load.poisson = 0.5;
        load.affine = qvMat3_Diagonal(1.3, 1.3, 1.3);
        ASSERT_NEAR(qvLength(qvKelvinlet_Displacement(&load, age, at)), 0.0, 1e-15);
    }
}

// Nothing jumps on the way to a Poisson ratio of 0.5.
static void TestIncompressibleLimit(void** state)
{
    (void)state;
    uint64_t random = 11;
    for (int round = 0; round < 12; round++)
    {
        qvKelvinlet load = RandomLoad(&random, (qvKelvinletTime)(round % 4), 1 + round % 3), limit;
        load.force = RandomVec3(&random);
        load.affine = qvMat3_Skew(RandomVec3(&random));
        load.poisson = 0.5 - 1e-9;
        limit = load;
        limit.poisson = 0.5;
        qvVec3 at = RandomVec3(&random), u = qvKelvinlet_Displacement(&load, 0.8, at);
        ASSERT_NEAR(qvDistance(u, qvKelvinlet_Displacement(&limit, 0.8, at)), 0.0, 1e-7 * qvLength(u));
    }
}

// K is symmetric, the field is linear in the load, and it turns with it.
static void TestSymmetryAndLinearity(void** state)
{
    (void)state;
    uint64_t random = 12;
    for (int round = 0; round < 24; round++)
    {
        qvKelvinlet load = RandomLoad(&random, (qvKelvinletTime)(round % 4), 1 + round % 3), other, sum;
        qvVec3 at = RandomVec3(&random), f = RandomVec3(&random), g = RandomVec3(&random);
        double age = 0.2 + RandomUnit(&random);
        other = load;
        load.force = f;
        other.force = g;
        qvVec3 uf = qvKelvinlet_Displacement(&load, age, at), ug = qvKelvinlet_Displacement(&other, age, at);
        double size = qvLength(uf) * qvLength(g);
        ASSERT_NEAR(qvDot(uf, g) - qvDot(ug, f), 0.0, 1e-13 * size + 1e-18);
        // Even in r for vector loads.
        qvVec3 mirrored = qvKelvinlet_Displacement(&load, age, qvScale(-1.0, at));
        ASSERT_NEAR(qvDistance(mirrored, uf), 0.0, 1e-14 * qvLength(uf));
        sum = load;
        sum.force = qvMulAdd(f, 2.5, g);
        sum.affine = RandomMat3(&random);
        qvKelvinlet affine = sum;
        affine.force = qvMakeVec3(0.0, 0.0, 0.0);
        qvVec3 parts = qvAdd(qvMulAdd(uf, 2.5, ug), qvKelvinlet_Displacement(&affine, age, at));
        ASSERT_NEAR(qvDistance(parts, qvKelvinlet_Displacement(&sum, age, at)), 0.0, 1e-11 * qvLength(parts));
        // A cyclic change of axes.
        qvVec3 turnedAt = qvMakeVec3(at.y, at.z, at.x), turnedF = qvMakeVec3(f.y, f.z, f.x);
        load.force = turnedF;
        qvVec3 turned = qvKelvinlet_Displacement(&load, age, turnedAt);
        ASSERT_NEAR(qvDistance(turned, qvMakeVec3(uf.y, uf.z, uf.x)), 0.0, 1e-13 * qvLength(uf));
    }
}

// The dilation is the part s I of an affine load, times (beta/alpha)^2; in the limit it makes the same field.
static void TestDilation(void** state)
{
    (void)state;
    uint64_t random = 18;
    for (int round = 0; round < 12; round++)
    {
        qvKelvinlet load = RandomLoad(&random, (qvKelvinletTime)(round % 4), 1 + round / 4), raw;
        double s = RandomSigned(&random), age = 0.1 + RandomUnit(&random);
        raw = load;
        raw.affine = qvMat3_Diagonal(s, s, s);
        load.dilation = s * (1.0 - 2.0 * load.poisson) / (2.0 - 2.0 * load.poisson);
        qvVec3 at = RandomVec3(&random), u = qvKelvinlet_Displacement(&raw, age, at);
        ASSERT_NEAR(qvDistance(u, qvKelvinlet_Displacement(&load, age, at)), 0.0, 1e-13 * qvLength(u));
        qvKelvinlet limit = load;
        load.poisson = 0.5 - 1e-10;
        limit.poisson = 0.5;
        u = qvKelvinlet_Displacement(&limit, age, at);
        ASSERT_NEAR(qvDistance(u, qvKelvinlet_Displacement(&load, age, at)), 0.0, 1e-7 * qvLength(u) + 1e-9);
        assert_true(load.time == qv_kelvinletImpulse || load.time == qv_kelvinletTransient || qvLength(u) > 1e-7);
    }
}

// Decay orders, and the gradient against finite differences, static with affine parts and dilation.
static void TestDecayOrders(void** state)
{
    (void)state;
    uint64_t random = 13;
    for (int scales = 1; scales <= 3; scales++)
    {
        qvVec3 direction = qvNormalize(RandomVec3(&random));
        for (int affine = 0; affine < 2; affine++)
        {
            qvKelvinlet load = RandomLoad(&random, qv_kelvinletStatic, scales);
            if (affine)
                load.affine = RandomMat3(&random);
            else
                load.force = RandomVec3(&random);
            double a = qvLength(qvKelvinlet_Displacement(&load, 0.0, qvScale(1000.0, direction)));
            double b = qvLength(qvKelvinlet_Displacement(&load, 0.0, qvScale(2000.0, direction)));
            ASSERT_NEAR(log2(b / a), -(2.0 * scales - 1.0) - affine, 1e-3);
        }
    }
}

static void TestGradient(void** state)
{
    (void)state;
    uint64_t random = 14;
    for (int round = 0; round < 36; round++)
    {
        qvKelvinlet load = RandomLoad(&random, (qvKelvinletTime)(round % 4), 1 + round / 4 % 3);
        load.force = RandomVec3(&random);
        load.fade = round % 5 == 0 ? 0.3 : 0.0;
        if (load.time == qv_kelvinletStatic)
        {
            load.affine = RandomMat3(&random);
            load.dilation = RandomSigned(&random);
        }
        qvVec3 at = round % 9 == 8 ? qvMakeVec3(0.0, 0.0, 0.0) : RandomVec3(&random);
        double age = 0.2 + RandomUnit(&random);
        qvMat3 gradient = qvKelvinlet_Gradient(&load, age, at);
        double size = qvMat3_Norm(&gradient) + qvLength(qvKelvinlet_Displacement(&load, age, at));
        for (int a = 0; a < 3; a++)
        {
            qvVec3 d = First(&load, age, at, a, 0.002);
            for (int i = 0; i < 3; i++)
                ASSERT_NEAR(gradient.m[i][a], Axis(&d)[i], 1e-8 * size);
        }
    }
}

// What a load is set to do at its centre it does.
static void TestNormalization(void** state)
{
    (void)state;
    uint64_t random = 15;
    static const double ratios[] = { 0.0, 0.3, 0.499, 0.5 };
    qvError error;
    for (int round = 0; round < 24; round++)
    {
        qvKelvinlet load = RandomLoad(&random, round % 2 ? qv_kelvinletStatic : qv_kelvinletPush, 1 + round % 3);
        load.poisson = ratios[round % 4];
        load.center = RandomVec3(&random);
        qvVec3 want = RandomVec3(&random);
        qvMat3 gradient = RandomMat3(&random);
        ASSERT_OK(qvKelvinlet_SetDisplacement(&load, want, &error), error);
        ASSERT_OK(qvKelvinlet_SetGradient(&load, gradient, &error), error);
        qvVec3 u = qvKelvinlet_Displacement(&load, 1e6, load.center);
        ASSERT_NEAR(qvDistance(u, want), 0.0, 1e-12);
        ASSERT_NEAR(qvKelvinlet_Peak(&load), qvLength(want), 1e-12);
        for (int a = 0; a < 3; a++)
        {
            qvVec3 d = First(&load, 1e6, load.center, a, 0.002);
            for (int i = 0; i < 3; i++)
                ASSERT_NEAR(Axis(&d)[i], gradient.m[i][a], 1e-7);
        }
    }
}

// The largest displacement of an impulse's centre over a fine sampling of time is the one asked for, and likewise its
// rotation; with and without fade.
static void TestImpulsePeak(void** state)
{
    (void)state;
    uint64_t random = 16;
    qvError error;
    for (int round = 0; round < 8; round++)
    {
        qvKelvinlet load = RandomLoad(&random, qv_kelvinletImpulse, 1 + round % 3);
        load.fade = round % 2 ? 2.0 : 0.0;
        load.poisson = round == 7 ? 0.5 : load.poisson;
        qvVec3 want = qvMakeVec3(0.1, -0.3, 0.2), zero = { 0 }, spin = qvMakeVec3(0.0, 0.0, 0.4);
        ASSERT_OK(qvKelvinlet_SetDisplacement(&load, want, &error), error);
        qvKelvinlet twist = load;
        twist.force = zero;
        ASSERT_OK(qvKelvinlet_SetGradient(&twist, qvMat3_Skew(spin), &error), error);
        double peak = 0.0, turn = 0.0, unit = load.radii[0] / qvKelvinlet_ShearSpeed(&load), h = 1e-4;
        for (int i = 1; i < 4000; i++)
        {
            double age = i * 1e-3 * unit;
            peak = fmax(peak, qvLength(qvKelvinlet_Displacement(&load, age, zero)));
            turn = fmax(turn, qvKelvinlet_Displacement(&twist, age, qvMakeVec3(h, 0.0, 0.0)).y / h);
        }
        ASSERT_NEAR(peak, qvLength(want), 1e-5);
        assert_true(peak <= qvLength(want) * (1.0 + 1e-12));
        ASSERT_NEAR(turn, 0.4, 1e-5);
    }
}

// Beyond its reach a load stays below the limit, and the reach is not much too far.
static void TestReach(void** state)
{
    (void)state;
    uint64_t random = 17;
    int checked = 0;
    for (int round = 0; round < 400; round++)
    {
        qvKelvinlet load = RandomLoad(&random, (qvKelvinletTime)(round % 4), 1 + round / 4 % 3);
        if (round % 3 != 1)
            load.force = RandomVec3(&random);
        if (round % 3 != 0)
            load.affine = RandomMat3(&random);
        load.poisson = round % 7 == 0 ? 0.5 : load.poisson;
        double age = 30.0 * RandomUnit(&random) * RandomUnit(&random), limit = qvKelvinlet_Threshold(&load);
        qvReach reach = qvKelvinlet_Reach(&load, age, limit);
        qvVec3 direction = qvNormalize(RandomVec3(&random));
        for (int i = 0; i < 8; i++)
        {
            double outside = isfinite(reach.outer) ? fmax(reach.outer, 0.0) * (1.0 + 0.3 * i) : 0.0;
            double inside = reach.inner * (1.0 - i / 8.0);
            if (outside > 0.0)
                assert_true(qvLength(qvKelvinlet_Displacement(&load, age, qvScale(outside, direction))) <= limit);
            if (inside > 0.0 && isfinite(inside))
                assert_true(qvLength(qvKelvinlet_Displacement(&load, age, qvScale(inside, direction))) <= limit);
            checked += (outside > 0.0) + (inside > 0.0);
        }
        if (load.time == qv_kelvinletImpulse && load.poisson < 0.5)
            assert_true(reach.outer < qvKelvinlet_PressureSpeed(&load) * age + 60.0 * load.radii[0]);
    }
    assert_true(checked > 1000);
}

static void ExpectError(const qvKelvinlet* load, const char* message)
{
    qvError error;
    assert_int_equal(qvKelvinlet_Validate(load, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, message);
}

static void TestValidation(void** state)
{
    (void)state;
    qvError error;
    qvKelvinlet good = qvDefaultKelvinlet(), load;
    ASSERT_OK(qvKelvinlet_Validate(&good, &error), error);
    static const double badRatios[] = { -0.01, 0.51, NAN, INFINITY }, badRadii[] = { 0.0, -1.0, NAN, INFINITY };
    for (int i = 0; i < 4; i++)
    {
        load = good;
        load.poisson = badRatios[i];
        ExpectError(&load, "poisson");
        load = good;
        load.radii[0] = badRadii[i];
        ExpectError(&load, "radius");
        load = good;
        load.stiffness = badRadii[i];
        ExpectError(&load, "stiffness");
    }
    load = good;
    load.scaleCount = 4;
    ExpectError(&load, "scales");
    load = good;
    load.scaleCount = 2;
    load.radii[1] = load.radii[0];
    ExpectError(&load, "radius");
    load = good;
    load.center.y = NAN;
    ExpectError(&load, "centre");
    load = good;
    load.force.z = INFINITY;
    ExpectError(&load, "force");
    load = good;
    load.fade = -1.0;
    ExpectError(&load, "fade");
    load = good;
    assert_int_equal(qvKelvinlet_SetDisplacement(&load, qvMakeVec3(NAN, 0.0, 0.0), &error), qv_badInput);
    load.time = qv_kelvinletImpulse;
    load.poisson = 0.5;
    assert_int_equal(qvKelvinlet_SetGradient(&load, qvMat3_Diagonal(0.1, 0.1, 0.1), &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "incompressible");
    ASSERT_OK(qvKelvinlet_SetGradient(&load, qvMat3_Diagonal(0.2, -0.1, -0.1), &error), error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestStaticEquation),
        cmocka_unit_test(TestWaveEquation),
        cmocka_unit_test(TestFade),
        cmocka_unit_test(TestPaperForms),
        cmocka_unit_test(TestPushIsIntegralOfImpulse),
        cmocka_unit_test(TestPushTendsToStatic),
#ifdef QUAD_REFERENCE
        cmocka_unit_test(TestTransientPrecision),
#endif
        cmocka_unit_test(TestCenterLimit),
        cmocka_unit_test(TestStartLimit),
        cmocka_unit_test(TestIncompressible),
        cmocka_unit_test(TestIncompressibleLimit),
        cmocka_unit_test(TestSymmetryAndLinearity),
        cmocka_unit_test(TestDilation),
        cmocka_unit_test(TestDecayOrders),
        cmocka_unit_test(TestGradient),
        cmocka_unit_test(TestNormalization),
        cmocka_unit_test(TestImpulsePeak),
        cmocka_unit_test(TestReach),
        cmocka_unit_test(TestValidation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
