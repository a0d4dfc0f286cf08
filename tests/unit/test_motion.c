// SPDX-License-Identifier: GPL-3.0-or-later
// Keys to motion: what holds at keys, between them, at the ends and at the seam of a loop.
#include "motion_testing.h"

#include "math/rotation.h"
#include "motion/frame.h"
#include "quaver/shell.h"

static const double TIMES[6] = { 0.0, 0.7, 1.1, 2.3, 2.9, 4.0 };

// Every key's pose at its time, in double and float, for both models and every kind of segment.
static void TestHitsKeys(void** state)
{
    (void)state;
    for (int trial = 0; trial < 8; trial++)
    {
        Actor actor = MakeDancer();
        actor.def.model = trial % 2 == 0 ? qv_modelPose : qv_modelState;
        MakeSpace(&actor);
        qvMotionSpaceStats stats = qvMotionSpace_Stats(actor.space);
        assert_int_equal(stats.shapeCount, 3);
        qvMotionKey keys[6];
        qvMotionDef def = MakeKeys(&actor, keys, 6, TIMES);
        for (int i = 0; i < 6; i++)
            keys[i].kind = trial < 2 ? qv_motionWiggly : (qvMotionKind)((trial / 2 + i) % 4);
        qvMotion* motion = MustMove(&actor, &def);
        void* scratch = malloc(qvMotion_ScratchSize(motion));
        qvVec3f* points = calloc((size_t)stats.pointCount, sizeof(*points));
        for (int i = 0; i < 6; i++)
        {
            double* at = Look(&actor, motion, TIMES[i]);
            const double* pose = actor.points[keys[i].pose];
            ASSERT_NEAR(LargestDifference(at, pose, actor.size), 0.0, 1e-9 * stats.diagonal);
            qvMotion_EvaluateFloat(motion, TIMES[i], scratch, NULL, points);
            for (int k = 0; k < stats.pointCount; k++)
            {
                ASSERT_NEAR(points[k].x, pose[3 * k], 1e-6 * stats.diagonal);
                ASSERT_NEAR(points[k].y, pose[3 * k + 1], 1e-6 * stats.diagonal);
                ASSERT_NEAR(points[k].z, pose[3 * k + 2], 1e-6 * stats.diagonal);
            }
            free(at);
        }
        free(points);
        free(scratch);
        qvDestroyMotion(motion);
        FreeActor(&actor);
    }
}

// Velocities and accelerations are the derivatives of the positions, with blends, transforms and ring-down.
static void CheckDerivatives(bool warp)
{
    Actor actor = MakeDancer();
    MakeSpace(&actor);
    qvMotionKey keys[6];
    qvMotionDef def = MakeKeys(&actor, keys, 6, TIMES);
    keys[0].hasTransform = keys[3].hasTransform = true;
    keys[3].rotation = (qvQuat){ 0.3, 0.4, 0.1, 0.8 };
    keys[3].translation = qvMakeVec3(1.0, 2.0, 0.0);
    keys[4].kind = qv_motionSmooth;
    def.warp = warp;
    qvMotion* motion = MustMove(&actor, &def);
    double h = 1e-5, fastest = 0.0;
    for (int k = 0; k < 40; k++)
    {
        double t = 0.03 + 0.12 * k;
        double *a = Look(&actor, motion, t - h), *b = Look(&actor, motion, t), *c = Look(&actor, motion, t + h);
        for (int i = 0; i < actor.size; i++)
        {
            ASSERT_NEAR((c[i] - a[i]) / (2.0 * h), b[actor.size + i], 1e-4);
            double second = (c[actor.size + i] - a[actor.size + i]) / (2.0 * h);
            ASSERT_NEAR(second, b[2 * actor.size + i], 1e-2);
            fastest = fmax(fastest, fabs(b[2 * actor.size + i]));
        }
        free(a);
        free(b);
        free(c);
    }
    assert_true(fastest > 10.0);
    qvDestroyMotion(motion);
    FreeActor(&actor);
}

static void TestDerivatives(void** state)
{
    (void)state;
    CheckDerivatives(true);
    CheckDerivatives(false);
}

static double Jump(const Actor* actor, const qvMotion* motion, double a, double b, int derivative)
{
    double *x = Look(actor, motion, a), *y = Look(actor, motion, b);
    double jump = LargestDifference(x + derivative * actor->size, y + derivative * actor->size, actor->size);
    free(x);
    free(y);
    return jump;
}

// C2 at the keys, and at the seam of a loop.
static void TestLoop(void** state)
{
    (void)state;
    Actor actor = MakeDancer();
    MakeSpace(&actor);
    qvMotionKey keys[6];
    qvMotionDef def = MakeKeys(&actor, keys, 6, TIMES);
    def.period = 5.0;
    qvMotion* motion = MustMove(&actor, &def);
    for (int i = 0; i <= 6; i++)
    {
        double t = i < 6 ? TIMES[i] : 5.0;
        ASSERT_NEAR(Jump(&actor, motion, t - 1e-9, t + 1e-9, 0), 0.0, 1e-6);
        ASSERT_NEAR(Jump(&actor, motion, t - 1e-9, t + 1e-9, 1), 0.0, 1e-5);
        ASSERT_NEAR(Jump(&actor, motion, t - 1e-9, t + 1e-9, 2), 0.0, 1e-3);
    }
    ASSERT_NEAR(Jump(&actor, motion, 0.4, 15.4, 0), 0.0, 1e-9);
    ASSERT_NEAR(Jump(&actor, motion, 0.0, 5.0, 2), 0.0, 1e-9);
    assert_true(Jump(&actor, motion, 0.4, 2.4, 0) > 0.1);
    qvDestroyMotion(motion);
    // Times so large that rounding takes them out of the loop stay near it.
    keys[0].kind = qv_motionLinear;
    motion = MustMove(&actor, &def);
    for (int i = 1; i < 20; i++)
        assert_true(Jump(&actor, motion, 0.0, i * -0.123e300, 0) < 10.0);
    qvDestroyMotion(motion);
    FreeActor(&actor);
}

// Without stiffness and damping the motion is the cubic spline, whatever the linearization.
static void TestCubicLimit(void** state)
{
    (void)state;
    for (int model = 0; model < 2; model++)
    {
        Actor actor = MakeDancer();
        actor.def.model = model == 0 ? qv_modelPose : qv_modelState;
        MakeSpace(&actor);
        qvMotionKey keys[6];
        qvMotionDef def = MakeKeys(&actor, keys, 6, TIMES);
        def.material.frequency = 0.0, def.material.settle = INFINITY;
        qvMotion* wiggly = MustMove(&actor, &def);
        for (int i = 0; i < 6; i++)
            keys[i].kind = qv_motionSmooth;
        qvMotion* cubic = MustMove(&actor, &def);
        for (int k = 0; k < 40; k++)
        {
            double t = 0.1 * k;
            double *a = Look(&actor, wiggly, t), *b = Look(&actor, cubic, t);
            ASSERT_NEAR(LargestDifference(a, b, actor.size), 0.0, 1e-9);
            free(a);
            free(b);
        }
        qvDestroyMotion(wiggly);
        qvDestroyMotion(cubic);
        FreeActor(&actor);
    }
}

// Lengths of all edges over those of the rest shape.
static double LargestStrain(const Actor* actor, const double* points)
{
    double largest = 0.0;
    for (int e = 0; e < actor->topology->edgeCount; e++)
    {
        const int32_t* p = actor->topology->edges[e].point;
        double l2[2] = { 0.0, 0.0 };
        for (int c = 0; c < 3; c++)
        {
            l2[0] += pow(points[3 * p[0] + c] - points[3 * p[1] + c], 2.0);
            l2[1] += pow(actor->rest[3 * p[0] + c] - actor->rest[3 * p[1] + c], 2.0);
        }
        largest = fmax(largest, fabs(sqrt(l2[0] / l2[1]) - 1.0));
    }
    return largest;
}

// A spin of 720 degrees by keyed transforms and a somersault by turned poses leave every edge as long as it was.
static void TestSpinKeepsShape(void** state)
{
    (void)state;
    Actor actor = MakeActor("block", 3);
    for (int i = 0; i < 3; i++)
    {
        double *points = AddPose(&actor), angle = 2.0 * i;
        for (int k = 0; k < actor.size; k += 3)
        {
            double y = points[k + 1], z = points[k + 2];
            points[k] += i;
            points[k + 1] = cos(angle) * y - sin(angle) * z + (i == 1 ? 2.0 : 0.0);
            points[k + 2] = sin(angle) * y + cos(angle) * z;
        }
    }
    MakeSpace(&actor);
    assert_int_equal(qvMotionSpace_Stats(actor.space).shapeCount, 1);
    qvMotionKey keys[3];
    qvMotionDef def = MakeKeys(&actor, keys, 3, TIMES);
    keys[0].hasTransform = keys[2].hasTransform = true;
    keys[2].turns = 2;
    qvMotion* motion = MustMove(&actor, &def);
    for (int k = 0; k <= 60; k++)
    {
        double* at = Look(&actor, motion, 0.02 * k);
        ASSERT_NEAR(LargestStrain(&actor, at), 0.0, 1e-6);
        free(at);
    }
    for (int i = 0; i < 3; i += 2)
    {
        double* at = Look(&actor, motion, TIMES[i]);
        ASSERT_NEAR(LargestDifference(at, actor.points[i], actor.size), 0.0, 1e-9);
        free(at);
    }
    assert_true(Jump(&actor, motion, 0.0, 0.4, 0) > 0.5);
    qvDestroyMotion(motion);
    FreeActor(&actor);
}

// Holds before the first key; wobbles and settles after the last one, unless that stops.
static void TestEnds(void** state)
{
    (void)state;
    Actor actor = MakeDancer();
    MakeSpace(&actor);
    qvMotionKey keys[2];
    qvMotionDef def = MakeKeys(&actor, keys, 2, TIMES);
    qvMotion* motion = MustMove(&actor, &def);
    ASSERT_NEAR(Jump(&actor, motion, -3.0, 0.0, 0), 0.0, 1e-12);
    ASSERT_NEAR(Jump(&actor, motion, 0.7 - 1e-9, 0.7 + 1e-9, 1), 0.0, 1e-5);
    assert_true(Jump(&actor, motion, 0.7, 0.85, 0) > 0.01);
    ASSERT_NEAR(Jump(&actor, motion, 0.7, 9.0, 0), 0.0, 1e-4);
    qvDestroyMotion(motion);
    keys[1].mode = qv_velocityZero;
    motion = MustMove(&actor, &def);
    ASSERT_NEAR(Jump(&actor, motion, 0.7, 1.3, 0), 0.0, 1e-12);
    qvDestroyMotion(motion);
    FreeActor(&actor);
}

// Given velocities, of the body and of its points, before and after.
static void TestVelocities(void** state)
{
    (void)state;
    Actor actor = MakeDancer();
    double* field = calloc((size_t)actor.size, sizeof(double));
    for (int i = 0; i < actor.size; i += 3)
        field[i] = 0.3 * actor.points[1][i + 1], field[i + 2] = actor.points[1][i] * actor.points[1][i + 1];
    actor.poses[1].after = field;
    MakeSpace(&actor);
    qvMotionKey keys[4];
    qvMotionDef def = MakeKeys(&actor, keys, 4, TIMES);
    keys[1].mode = qv_velocityBroken, keys[1].givenBefore = keys[1].givenAfter = true;
    keys[1].before = qvMakeVec3(0.0, -2.0, 0.0), keys[1].after = qvMakeVec3(1.0, 0.0, 0.0);
    keys[2].mode = qv_velocityZero;
    qvMotion* motion = MustMove(&actor, &def);
    double *before = Look(&actor, motion, 0.7 - 1e-10), *after = Look(&actor, motion, 0.7);
    double* stop = Look(&actor, motion, TIMES[2]);
    for (int i = 0; i < actor.size; i++)
    {
        ASSERT_NEAR(before[actor.size + i], i % 3 == 1 ? -2.0 : 0.0, 1e-5);
        ASSERT_NEAR(after[actor.size + i], field[i] + (i % 3 == 0 ? 1.0 : 0.0), 1e-6);
        ASSERT_NEAR(stop[actor.size + i], 0.0, 1e-9);
    }
    free(before);
    free(after);
    free(stop);
    free(field);
    qvDestroyMotion(motion);
    FreeActor(&actor);
}

// Pinned points stay, and the sheet below them swings in the wind between two keys of the same pose.
static void TestPinsAndWind(void** state)
{
    (void)state;
    Actor actor = MakeActor("sheet", 6);
    AddPose(&actor);
    int32_t pins[64];
    for (int i = 0; i < actor.size / 3; i++)
    {
        if (actor.rest[3 * i + 1] > 1.99)
            pins[actor.def.pinCount++] = i;
    }
    assert_true(actor.def.pinCount > 3);
    actor.def.pins = pins;
    MakeSpace(&actor);
    qvMotionKey keys[2];
    qvMotionDef def = MakeKeys(&actor, keys, 2, TIMES);
    def.material.wind = qvMakeVec3(0.0, 0.0, 5.0);
    qvMotion* motion = MustMove(&actor, &def);
    double* at = Look(&actor, motion, 0.35);
    double farthest = 0.0;
    for (int i = 0; i < actor.def.pinCount; i++)
        ASSERT_NEAR(LargestDifference(at + 3 * pins[i], actor.rest + 3 * pins[i], 3), 0.0, 1e-12);
    for (int i = 0; i < actor.size; i++)
        farthest = i % 3 == 2 ? fmin(farthest, at[i] - actor.rest[i]) : farthest;
    assert_true(farthest < -0.01); // against the wind first, so that it blows the sheet back to the second key
    free(at);
    qvDestroyMotion(motion);
    FreeActor(&actor);
}

// Points at 0.35 s of a flat sheet that hangs askew from an edge; the caller frees them.
static double* BlowSheet(qvQuat turn, qvVec3 wind, qvVec3 gravity, int* size)
{
    Actor actor = MakeActor("sheet", 6);
    int32_t pins[64];
    for (int i = 0; i < actor.size / 3; i++)
    {
        double* p = actor.rest + 3 * i;
        if (p[1] > 1.99)
            pins[actor.def.pinCount++] = i;
        qvVec3 turned = qvQuat_Rotate(turn, qvMakeVec3(p[0], p[1], p[2]));
        p[0] = turned.x, p[1] = turned.y, p[2] = turned.z;
    }
    AddPose(&actor);
    actor.def.pins = pins;
    MakeSpace(&actor);
    qvMotionKey keys[2];
    qvMotionDef def = MakeKeys(&actor, keys, 2, TIMES);
    def.material.wind = wind, def.material.gravity = gravity;
    qvMotion* motion = MustMove(&actor, &def);
    double* at = Look(&actor, motion, 0.35);
    *size = actor.size;
    qvDestroyMotion(motion);
    FreeActor(&actor);
    return at;
}

// Wind pushes across the surface only, as gravity would that way.
static void TestWindAcross(void** state)
{
    (void)state;
    qvQuat turn = qvQuat_Normalize((qvQuat){ 0.3, 0.4, 0.1, 0.8 });
    qvVec3 none = { 0.0, 0.0, 0.0 }, wind = { 3.0, -2.0, 5.0 };
    qvVec3 normal = qvQuat_Rotate(turn, qvMakeVec3(0.0, 0.0, 1.0));
    int size;
    double* still = BlowSheet(turn, none, none, &size);
    double* blown = BlowSheet(turn, wind, none, &size);
    double* pulled = BlowSheet(turn, none, qvScale(qvDot(normal, wind), normal), &size);
    assert_true(LargestDifference(still, blown, size) > 0.01);
    ASSERT_NEAR(LargestDifference(blown, pulled, size), 0.0, 1e-9);
    free(still);
    free(blown);
    free(pulled);
}

// The masses of a body's points, which the caller frees.
static double* CopyMasses(const Actor* actor)
{
    size_t bytes = (size_t)actor->size / 3 * sizeof(double);
    qvError error;
    qvShell* shell;
    ASSERT_OK(qvCreateShell(actor->topology, actor->rest, NULL, &shell, &error), error);
    double* masses = malloc(bytes);
    memcpy(masses, qvShell_Masses(shell), bytes);
    qvDestroyShell(shell);
    return masses;
}

// Second derivative of the path of the mass centre, by differences.
static qvVec3 CenterBend(const Actor* actor, const double* masses, const qvMotion* motion, double t, double h)
{
    qvVec3 centers[3];
    for (int k = 0; k < 3; k++)
    {
        double* at = Look(actor, motion, t + (k - 1) * h);
        centers[k] = qvMassCenter(actor->size / 3, masses, at);
        free(at);
    }
    qvVec3 back = qvSub(centers[0], centers[1]), on = qvSub(centers[2], centers[1]);
    return qvScale(1.0 / (h * h), qvAdd(back, on));
}

// The mass centre of a body in the air falls freely between broken keys, and nowhere else.
static void TestFlight(void** state)
{
    (void)state;
    Actor actor = MakeDancer();
    MakeSpace(&actor);
    qvMotionKey keys[4];
    qvMotionDef def = MakeKeys(&actor, keys, 4, TIMES);
    keys[1].mode = keys[2].mode = qv_velocityBroken;
    def.material.gravity = qvMakeVec3(0.0, -9.81, 0.0);
    double* masses = CopyMasses(&actor);
    qvMotion* motion = MustMove(&actor, &def);
    for (int k = 0; k < 8; k++)
    {
        double t = k < 7 ? 0.75 + 0.05 * k : 0.35, h = 1e-2;
        qvVec3 second = CenterBend(&actor, masses, motion, t, h);
        double falls = second.y, drifts = second.x;
        if (k < 7)
            ASSERT_NEAR(falls, -9.81, 1e-5);
        else
            assert_true(fabs(falls) < 5.0);
        if (k < 7)
            ASSERT_NEAR(drifts, 0.0, 1e-5);
    }
    free(masses);
    qvDestroyMotion(motion);
    FreeActor(&actor);
}

// It also does so while the body turns and a key in mid-air shifts its weight; keys with transforms stay met, and the
// one in mid-air is met about the frame.
static void TestTurningFlight(void** state)
{
    (void)state;
    for (int loop = 0; loop < 2; loop++)
    {
        Actor actor = MakeDancer();
        MakeSpace(&actor);
        qvMotionKey keys[4];
        qvMotionDef def = MakeKeys(&actor, keys, 4, TIMES);
        def.period = loop == 1 ? 3.0 : 0.0;
        int leap = loop == 1 ? 2 : 0, land = loop == 1 ? 0 : 2; // in the loop across its seam, over key 3
        double landing = TIMES[land] + (loop == 1 ? 3.0 : 0.0);
        keys[leap].mode = keys[land].mode = qv_velocityBroken;
        keys[leap].hasTransform = keys[land].hasTransform = true;
        keys[leap].translation = qvMakeVec3(1.0, 0.5, -1.0);
        keys[land].rotation = (qvQuat){ 0.42, 0.1, 0.0, 0.9 };
        keys[land].turns = 1;
        def.material.gravity = qvMakeVec3(0.0, -9.81, 0.0);
        double* masses = CopyMasses(&actor);
        qvMotion* motion = MustMove(&actor, &def);
        for (int k = 1; k < 12; k += 2)
        {
            double t = TIMES[leap] + (landing - TIMES[leap]) * k / 12.0;
            qvVec3 second = CenterBend(&actor, masses, motion, t, 1e-2);
            ASSERT_NEAR(qvDistance(second, def.material.gravity), 0.0, 1e-5);
        }
        double *at = Look(&actor, motion, TIMES[leap]), *before = Look(&actor, motion, TIMES[leap] - 1e-12);
        const double shift[3] = { 1.0, 0.5, -1.0 };
        for (int i = 0; i < actor.size; i++)
            ASSERT_NEAR(at[i], actor.points[keys[leap].pose][i] + shift[i % 3], 1e-9);
        ASSERT_NEAR(LargestDifference(at, before, actor.size), 0.0, 1e-9);
        free(at), free(before);
        at = Look(&actor, motion, landing), before = Look(&actor, motion, landing - 1e-12);
        ASSERT_NEAR(LargestDifference(at, before, actor.size), 0.0, 1e-9);
        ASSERT_NEAR(LargestStrain(&actor, at), LargestStrain(&actor, actor.points[keys[land].pose]), 1e-9);
        free(at), free(before);
        free(masses);
        qvDestroyMotion(motion);
        FreeActor(&actor);
    }
}

// A changed pose, an added one and a space of another body: the same motion as from scratch.
static void TestIncremental(void** state)
{
    (void)state;
    for (int model = 0; model < 2; model++)
    {
        Actor actor = MakeDancer(), other = MakeActor("block", 2);
        actor.def.model = model == 0 ? qv_modelPose : qv_modelState;
        AddPose(&other);
        MakeSpace(&other);
        MakeSpace(&actor);
        Deform(&actor, actor.points[2], 0.3, -0.6, 0.05);
        Deform(&actor, AddPose(&actor), 0.0, 1.0, 0.2);
        qvMotionSpace *previous[2] = { actor.space, other.space }, *space;
        MakeSpace(&actor);
        qvMotionKey keys[6];
        qvMotionDef def = MakeKeys(&actor, keys, 6, TIMES);
        qvMotion* fresh = MustMove(&actor, &def);
        for (int k = 0; k < 2; k++)
        {
            qvError error;
            qvMotion* motion;
            ASSERT_OK(qvCreateMotionSpace(&actor.def, previous[k], NULL, &space, &error), error);
            qvDestroyMotionSpace(previous[k]);
            ASSERT_OK(qvCreateMotion(&def, space, NULL, &motion, &error), error);
            for (double t = 0.1; t < 5.0; t += 0.3)
            {
                double *a = Look(&actor, motion, t), *b = Look(&actor, fresh, t);
                ASSERT_NEAR(LargestDifference(a, b, actor.size), 0.0, 1e-9);
                free(a);
                free(b);
            }
            qvDestroyMotion(motion);
            qvDestroyMotionSpace(space);
        }
        other.space = NULL;
        qvDestroyMotion(fresh);
        FreeActor(&actor);
        FreeActor(&other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestHitsKeys),   cmocka_unit_test(TestDerivatives),    cmocka_unit_test(TestLoop),
        cmocka_unit_test(TestCubicLimit), cmocka_unit_test(TestSpinKeepsShape), cmocka_unit_test(TestEnds),
        cmocka_unit_test(TestVelocities), cmocka_unit_test(TestWindAcross),     cmocka_unit_test(TestPinsAndWind),
        cmocka_unit_test(TestFlight),     cmocka_unit_test(TestTurningFlight),  cmocka_unit_test(TestIncremental),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
