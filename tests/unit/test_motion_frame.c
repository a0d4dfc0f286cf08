// SPDX-License-Identifier: GPL-3.0-or-later
// The rigid frame: fit of rigid motions, and paths through rigid poses.
#include "testing.h"

#include "math/rotation.h"
#include "motion/frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static qvVec3 RandomVector(uint64_t* random, double size)
{
    double x[3];
    for (int c = 0; c < 3; c++)
        x[c] = size * (2.0 * RandomUnit(random) - 1.0);
    return qvMakeVec3(x[0], x[1], x[2]);
}

static void AssertVectorNear(qvVec3 a, qvVec3 b, double tolerance)
{
    ASSERT_NEAR(qvDistance(a, b), 0.0, tolerance);
}

// A cloud that fills `dimensions` directions, turned and moved: the fit finds the motion, or with points on a line or
// at one place, one that is as good.
static void TestFit(void** state)
{
    (void)state;
    uint64_t random = 7;
    enum
    {
        COUNT = 12
    };
    for (int trial = 0; trial < 200; trial++)
    {
        int dimensions = trial % 4;
        double masses[COUNT], rest[3 * COUNT], pose[3 * COUNT];
        qvQuat q = qvQuat_Exp(RandomVector(&random, trial < 8 ? PI : 3.0));
        qvVec3 shift = RandomVector(&random, 5.0);
        for (int i = 0; i < COUNT; i++)
        {
            qvVec3 p = RandomVector(&random, 1.0);
            p = qvMakeVec3(dimensions > 0 ? p.x : 0.0, dimensions > 1 ? p.y : 0.0, dimensions > 2 ? p.z : 0.0);
            qvVec3 x = qvAdd(qvQuat_Rotate(q, p), shift);
            masses[i] = 0.1 + RandomUnit(&random);
            memcpy(rest + 3 * i, &p, sizeof(p));
            memcpy(pose + 3 * i, &x, sizeof(x));
        }
        qvRigid fit = qvFitRigid(COUNT, masses, rest, pose);
        qvVec3 center = qvMassCenter(COUNT, masses, rest);
        for (int i = 0; i < COUNT; i++)
        {
            qvVec3 arm = qvSub(qvMakeVec3(rest[3 * i], rest[3 * i + 1], rest[3 * i + 2]), center);
            qvVec3 x = qvAdd(qvQuat_Rotate(fit.rotation, arm), fit.position);
            AssertVectorNear(x, qvMakeVec3(pose[3 * i], pose[3 * i + 1], pose[3 * i + 2]), 1e-13);
        }
        if (dimensions == 0)
            ASSERT_NEAR(fabs(fit.rotation.w), 1.0, 1e-15);
        if (dimensions >= 2)
            ASSERT_NEAR(fabs(qvQuat_Dot(fit.rotation, q)), 1.0, 1e-13);
    }
}

// A mirror image is met by a proper rotation.
static void TestFitOfMirrorImage(void** state)
{
    (void)state;
    uint64_t random = 3;
    double masses[8], rest[24], pose[24];
    for (int i = 0; i < 24; i++)
    {
        rest[i] = RandomUnit(&random);
        pose[i] = i % 3 == 0 ? -rest[i] : rest[i];
        masses[i / 3] = 1.0;
    }
    qvRigid fit = qvFitRigid(8, masses, rest, pose);
    ASSERT_NEAR(qvQuat_Dot(fit.rotation, fit.rotation), 1.0, 1e-14);
}

enum
{
    KNOTS = 5
};

static qvFramePathDef RandomDef(uint64_t* random, qvFrameKnot* knots, double period)
{
    memset(knots, 0, KNOTS * sizeof(*knots));
    for (int i = 0; i < KNOTS; i++)
    {
        knots[i].knot.time = i + 0.4 * RandomUnit(random);
        knots[i].pose.rotation = qvQuat_Exp(RandomVector(random, 1.8));
        knots[i].pose.position = RandomVector(random, 2.0);
        knots[i].turns = RandomInt(random, 5) - 2;
    }
    return (qvFramePathDef){ .count = KNOTS, .knots = knots, .period = period, .ringLambda = 30.0, .ringDelta = 2.0 };
}

static qvFramePath* MustCreate(const qvFramePathDef* def)
{
    qvError error;
    qvFramePath* path;
    ASSERT_OK(qvCreateFramePath(def, &path, &error), error);
    return path;
}

// Where a point of the body is.
static qvVec3 Carry(const qvFramePath* path, double t, qvVec3 arm)
{
    qvRigidState s = qvFramePath_Evaluate(path, t);
    return qvAdd(qvQuat_Rotate(s.pose.rotation, arm), s.pose.position);
}

// Velocity and acceleration of a point of the body, from the state.
static void Derivatives(const qvRigidState* s, qvVec3 arm, qvVec3* velocity, qvVec3* acceleration)
{
    *velocity = qvAdd(s->velocity, qvQuat_Rotate(s->pose.rotation, qvCross(s->spin, arm)));
    qvVec3 bent = qvAdd(qvCross(s->spinRate, arm), qvCross(s->spin, qvCross(s->spin, arm)));
    *acceleration = qvAdd(s->acceleration, qvQuat_Rotate(s->pose.rotation, bent));
}

static void TestDerivatives(void** state)
{
    (void)state;
    uint64_t random = 5;
    qvFrameKnot knots[KNOTS];
    double h = 1e-4, fastest = 0.0;
    for (int trial = 0; trial < 20; trial++)
    {
        qvFramePathDef def = RandomDef(&random, knots, trial % 2 == 0 ? 0.0 : 6.0);
        qvFramePath* path = MustCreate(&def);
        for (int k = 0; k < 40; k++)
        {
            double t = 0.6 + 0.12 * k;
            qvVec3 arm = RandomVector(&random, 1.0), velocity, acceleration;
            qvRigidState s = qvFramePath_Evaluate(path, t);
            Derivatives(&s, arm, &velocity, &acceleration);
            qvVec3 a = Carry(path, t - h, arm), b = Carry(path, t, arm), c = Carry(path, t + h, arm);
            double scale = 1.0 + qvLength(s.spin) * qvLength(s.spin);
            AssertVectorNear(qvScale(0.5 / h, qvSub(c, a)), velocity, 1e-5 * scale * scale);
            qvVec3 second = qvScale(1.0 / (h * h), qvAdd(qvSub(c, b), qvSub(a, b)));
            fastest = fmax(fastest, qvLength(s.spin));
            AssertVectorNear(second, acceleration, 1e-3 * scale * scale);
        }
        qvDestroyFramePath(path);
    }
    assert_true(fastest > 5.0);
}

// Hits every knot, and is C2 at every knot and at the seam of a loop.
static void TestSmoothAtKnots(void** state)
{
    (void)state;
    uint64_t random = 11;
    qvFrameKnot knots[KNOTS];
    for (int trial = 0; trial < 40; trial++)
    {
        double period = trial % 2 == 0 ? 0.0 : 6.0;
        qvFramePathDef def = RandomDef(&random, knots, period);
        qvFramePath* path = MustCreate(&def);
        for (int i = 0; i < KNOTS; i++)
        {
            double t = knots[i].knot.time;
            qvRigidState after = qvFramePath_Evaluate(path, t);
            ASSERT_NEAR(fabs(qvQuat_Dot(after.pose.rotation, knots[i].pose.rotation)), 1.0, 1e-12);
            AssertVectorNear(after.pose.position, knots[i].pose.position, 1e-12);
            if (period == 0.0 && (i == 0 || i == KNOTS - 1))
                continue;
            qvRigidState before = qvFramePath_Evaluate(path, t - 1e-10);
            ASSERT_NEAR(fabs(qvQuat_Dot(before.pose.rotation, after.pose.rotation)), 1.0, 1e-12);
            AssertVectorNear(before.velocity, after.velocity, 1e-7);
            AssertVectorNear(before.acceleration, after.acceleration, 1e-6);
            AssertVectorNear(before.spin, after.spin, 1e-7);
            AssertVectorNear(before.spinRate, after.spinRate, 1e-5);
        }
        qvDestroyFramePath(path);
    }
}

// Two whole turns about one axis: the angle is the cubic spline from 0 to 4 pi with rest at both ends.
static void TestWholeTurns(void** state)
{
    (void)state;
    qvFrameKnot knots[2] = { { .pose = { qvQuat_Identity(), { 0.0, 0.0, 0.0 } } },
                             { .pose = { qvQuat_Identity(), { 0.0, 0.0, 0.0 } }, .turns = 2 } };
    knots[1].knot.time = 1.0;
    knots[0].knot.mode = knots[1].knot.mode = qv_velocityZero;
    qvFramePathDef def = { .count = 2, .knots = knots };
    qvFramePath* path = MustCreate(&def);
    for (int k = 0; k <= 20; k++)
    {
        double u = k / 20.0, angle = 4.0 * PI * u * u * (3.0 - 2.0 * u);
        qvVec3 x = Carry(path, u, qvMakeVec3(1.0, 0.0, 0.0));
        AssertVectorNear(x, qvMakeVec3(cos(angle), 0.0, -sin(angle)), 1e-12);
    }
    qvDestroyFramePath(path);
}

// A loop that turns once per period at knots of a steady turn is steady, also at the seam.
static void TestSteadyLoop(void** state)
{
    (void)state;
    qvFrameKnot knots[3];
    memset(knots, 0, sizeof(knots));
    const double times[3] = { 0.0, 0.3, 1.0 }, rate = 2.0 * PI / 1.5;
    for (int i = 0; i < 3; i++)
    {
        knots[i].knot.time = times[i];
        knots[i].pose.rotation = qvQuat_Exp(qvMakeVec3(0.0, rate * times[i], 0.0));
    }
    qvFramePathDef def = { .count = 3, .knots = knots, .period = 1.5 };
    qvFramePath* path = MustCreate(&def);
    for (int k = 0; k < 40; k++)
    {
        qvRigidState s = qvFramePath_Evaluate(path, -1.0 + 0.1 * k);
        AssertVectorNear(s.spin, qvMakeVec3(0.0, rate, 0.0), 1e-12);
        AssertVectorNear(s.spinRate, qvMakeVec3(0.0, 0.0, 0.0), 1e-11);
    }
    qvDestroyFramePath(path);
}

// Between broken knots with free sides the pivot falls, and the body turns at constant speed.
static void TestFlight(void** state)
{
    (void)state;
    qvFrameKnot knots[4];
    memset(knots, 0, sizeof(knots));
    const double heights[4] = { 0.0, 1.0, 1.5, 0.0 }, times[4] = { 0.0, 0.5, 1.5, 2.0 };
    for (int i = 0; i < 4; i++)
    {
        knots[i].knot.time = times[i];
        knots[i].pose.rotation = qvQuat_Exp(qvMakeVec3(0.0, 0.0, i == 2 ? 2.0 : 0.0));
        knots[i].pose.position = qvMakeVec3(i, heights[i], 0.0);
    }
    knots[1].knot.mode = knots[2].knot.mode = qv_velocityBroken;
    knots[2].flight = true, knots[2].turns = 1;
    qvFramePathDef def = { .count = 4, .knots = knots, .gravity = { 0.0, -9.81, 0.0 } };
    qvFramePath* path = MustCreate(&def);
    for (int k = 0; k < 20; k++)
    {
        double u = k / 20.0;
        qvRigidState s = qvFramePath_Evaluate(path, 0.5 + u);
        double height = 1.0 + 0.5 * u + 0.5 * 9.81 * u * (1.0 - u);
        AssertVectorNear(s.pose.position, qvMakeVec3(1.0 + u, height, 0.0), 1e-12);
        AssertVectorNear(s.spin, qvMakeVec3(0.0, 0.0, 2.0 + 2.0 * PI), 1e-11);
    }
    qvDestroyFramePath(path);
}

static void TestKinds(void** state)
{
    (void)state;
    uint64_t random = 13;
    qvFrameKnot knots[KNOTS];
    qvFramePathDef def = RandomDef(&random, knots, 0.0);
    knots[2].knot.kind = qv_motionLinear, knots[3].knot.kind = qv_motionHold;
    qvFramePath* path = MustCreate(&def);
    double start = knots[1].knot.time, end = knots[2].knot.time;
    qvRigidState a = qvFramePath_Evaluate(path, start + 0.01), b = qvFramePath_Evaluate(path, end - 0.01);
    AssertVectorNear(a.velocity, b.velocity, 1e-11);
    AssertVectorNear(a.spin, b.spin, 1e-11);
    qvRigidState held = qvFramePath_Evaluate(path, knots[3].knot.time - 1e-9);
    AssertVectorNear(held.pose.position, knots[2].pose.position, 0.0);
    qvRigidState early = qvFramePath_Evaluate(path, start - 1e-9), first = qvFramePath_Evaluate(path, -1.0);
    AssertVectorNear(early.velocity, qvMakeVec3(0.0, 0.0, 0.0), 1e-6);
    AssertVectorNear(first.pose.position, knots[0].pose.position, 0.0);
    qvRigidState late = qvFramePath_Evaluate(path, 100.0), last = qvFramePath_Evaluate(path, knots[4].knot.time);
    AssertVectorNear(late.pose.position, knots[4].pose.position, 1e-12);
    assert_true(qvLength(last.velocity) > 0.01);
    qvDestroyFramePath(path);
}

// The state of a composition is that of the composed motion.
static void TestCompose(void** state)
{
    (void)state;
    uint64_t random = 17;
    qvFrameKnot knots[2][KNOTS];
    qvFramePathDef a = RandomDef(&random, knots[0], 0.0), b = RandomDef(&random, knots[1], 0.0);
    qvFramePath *outer = MustCreate(&a), *inner = MustCreate(&b);
    qvVec3 pivot = { 0.3, -0.2, 0.5 }, arm = { 0.7, 0.1, -0.4 }, x[3], velocity, acceleration;
    double h = 1e-4;
    for (int k = 0; k < 3; k++)
    {
        qvRigidState so = qvFramePath_Evaluate(outer, 2.6 + (k - 1) * h);
        qvRigidState si = qvFramePath_Evaluate(inner, 2.6 + (k - 1) * h);
        qvRigidState both = qvComposeRigid(&so, pivot, &si);
        qvVec3 mid = qvAdd(qvQuat_Rotate(si.pose.rotation, arm), si.pose.position);
        x[k] = qvAdd(qvQuat_Rotate(so.pose.rotation, qvSub(mid, pivot)), so.pose.position);
        AssertVectorNear(qvAdd(qvQuat_Rotate(both.pose.rotation, arm), both.pose.position), x[k], 1e-13);
        if (k == 1)
            Derivatives(&both, arm, &velocity, &acceleration);
    }
    AssertVectorNear(qvScale(0.5 / h, qvSub(x[2], x[0])), velocity, 1e-4);
    AssertVectorNear(qvScale(1.0 / (h * h), qvAdd(qvSub(x[2], x[1]), qvSub(x[0], x[1]))), acceleration, 1e-3);
    assert_true(qvLength(acceleration) > 1.0);
    qvDestroyFramePath(outer);
    qvDestroyFramePath(inner);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestFit),         cmocka_unit_test(TestFitOfMirrorImage),
        cmocka_unit_test(TestDerivatives), cmocka_unit_test(TestSmoothAtKnots),
        cmocka_unit_test(TestWholeTurns),  cmocka_unit_test(TestFlight),
        cmocka_unit_test(TestSteadyLoop),  cmocka_unit_test(TestKinds),
        cmocka_unit_test(TestCompose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
