// SPDX-License-Identifier: GPL-3.0-or-later
// Motions through so many poses that their basis is bounded: keys are met all the same, nothing jumps, the motion is
// near the one that has everything, and what is solved near keys alone is what is solved over all of them.
#include "motion_testing.h"

#include "motion/motion.h"

enum
{
    POSES = 30,
    TOO_MANY = 70,
    NEAR_POSES = 24,
    MODES = 12
};

typedef struct Crowd
{
    Actor actor; // without its own poses
    double* points[POSES];
    qvMotionPose poses[POSES];
    qvMotionKey keys[POSES];
    qvMotionSpaceDef def;
} Crowd;

// Bent, twisted and stretched, each otherwise, with a small bump.
static void Shape(const Crowd* crowd, int index, double* points)
{
    memcpy(points, crowd->actor.rest, (size_t)crowd->actor.size * sizeof(double));
    Deform(&crowd->actor, points, 0.7 * sin(1.3 * index), 0.6 * sin(2.1 * index + 1.0), 0.15 * cos(0.7 * index));
    for (int i = 0; i < crowd->actor.size; i += 3)
    {
        const double* x = crowd->actor.rest + i;
        double gap[2] = { x[0] - 0.4 * sin(0.9 * index), x[1] - 1.0 - 0.6 * cos(1.9 * index) };
        points[i + 2] += 0.2 * sin(3.1 * index) * exp(-4.0 * (gap[0] * gap[0] + gap[1] * gap[1]));
    }
}

static Crowd MakeCrowd(int resolution, int count)
{
    Crowd crowd = { .actor = MakeActor("sack", resolution) };
    for (int i = 0; i < count; i++)
    {
        crowd.points[i] = calloc((size_t)crowd.actor.size, sizeof(double));
        Shape(&crowd, i, crowd.points[i]);
        crowd.poses[i].points = crowd.points[i];
        crowd.keys[i] = qvDefaultMotionKey();
        crowd.keys[i].time = 0.3 * i, crowd.keys[i].pose = i;
    }
    crowd.def = crowd.actor.def;
    crowd.def.material.modes = MODES, crowd.def.poseCount = count;
    return crowd;
}

static qvMotionSpace* MustPrepare(Crowd* crowd, const qvMotionSpace* previous)
{
    qvError error;
    qvMotionSpace* space;
    crowd->def.poses = crowd->poses;
    ASSERT_OK(qvCreateMotionSpace(&crowd->def, previous, NULL, &space, &error), error);
    return space;
}

static qvMotion* MustMoveAll(const Crowd* crowd, const qvMotionSpace* space, double period)
{
    qvError error;
    qvMotion* motion;
    qvMotionDef def = qvDefaultMotionDef();
    def.keys = crowd->keys, def.keyCount = crowd->def.poseCount, def.period = period;
    ASSERT_OK(qvCreateMotion(&def, space, NULL, &motion, &error), error);
    return motion;
}

// Points, velocities and accelerations at a time; each may be NULL.
static void LookAll(const qvMotion* motion, double time, double* x, double* v, double* a)
{
    void* scratch = malloc(qvMotion_ScratchSize(motion));
    qvMotion_Evaluate(motion, time, scratch, x, v, a);
    free(scratch);
}

static void FreeCrowd(Crowd* crowd)
{
    for (int i = 0; i < POSES; i++)
        free(crowd->points[i]);
    crowd->actor.def.poseCount = 0;
    FreeActor(&crowd->actor);
}

static void AssertKeys(const Crowd* crowd, const qvMotionSpace* space, const qvMotion* motion, double round)
{
    double diagonal = qvMotionSpace_Stats(space).diagonal, *at = calloc((size_t)crowd->actor.size, sizeof(double));
    for (int i = 0; i < crowd->def.poseCount; i++)
    {
        LookAll(motion, crowd->keys[i].time + round, at, NULL, NULL);
        ASSERT_NEAR(LargestDifference(at, crowd->points[i], crowd->actor.size), 0.0, 1e-9 * diagonal);
    }
    free(at);
}

// Exactly as many as a whole basis may have, and one more.
static void TestBound(void** state)
{
    (void)state;
    Crowd crowd = MakeCrowd(6, NEAR_POSES + 1);
    crowd.def.poseCount = NEAR_POSES - 1; // 13 * 23 + 12 = 311 vectors, 324 with another pose
    qvMotionSpace* whole = MustPrepare(&crowd, NULL);
    assert_false(whole->isBounded);
    assert_int_equal(whole->warp->shapes[3].seenCount, NEAR_POSES - 1);
    crowd.def.poseCount = NEAR_POSES;
    qvMotionSpace* bounded = MustPrepare(&crowd, NULL);
    assert_true(bounded->isBounded && bounded->dimension <= 320);
    assert_true(bounded->warp->shapes[0].seenCount == 10 && bounded->warp->shapes[12].seenCount == 19);
    qvDestroyMotionSpace(whole);
    qvDestroyMotionSpace(bounded);
    FreeCrowd(&crowd);
}

static void TestKeys(void** state)
{
    (void)state;
    Crowd crowd = MakeCrowd(5, POSES);
    int order[POSES];
    for (int trial = 0; trial < 3; trial++)
    {
        for (int i = 0; i < POSES; i++) // shown in another order than they are listed
        {
            crowd.keys[i].pose = order[i] = trial == 1 ? (7 * i + 3) % POSES : i;
            crowd.poses[order[i]].points = crowd.points[i];
        }
        crowd.def.order = order, crowd.def.orderCount = POSES, crowd.def.isLoop = trial == 2;
        qvMotionSpace* space = MustPrepare(&crowd, NULL);
        assert_true(space->isBounded && space->dimension <= 320);
        qvMotion* motion = MustMoveAll(&crowd, space, trial == 2 ? 0.3 * POSES : 0.0);
        assert_true(motion->tracks[order[15]].knotCount > 0 && motion->tracks[order[15]].knotCount < POSES - 5);
        AssertKeys(&crowd, space, motion, 0.0);
        if (trial == 2)
            AssertKeys(&crowd, space, motion, 0.3 * POSES);
        qvDestroyMotion(motion);
        qvDestroyMotionSpace(space);
    }
    FreeCrowd(&crowd);
}

// Velocities are met, too, which are no modes of any pose.
static void TestVelocities(void** state)
{
    (void)state;
    Crowd crowd = MakeCrowd(5, POSES);
    size_t size = (size_t)crowd.actor.size;
    double *field = calloc(size, sizeof(double)), *v = calloc(size, sizeof(double)), *x = calloc(size, sizeof(double));
    for (size_t i = 0; i < size; i += 3)
        field[i] = sin(5.0 * crowd.actor.rest[i + 1]), field[i + 2] = cos(9.0 * crowd.actor.rest[i]);
    crowd.poses[20].after = field;
    crowd.keys[20].mode = qv_velocitySet;
    qvMotionSpace* space = MustPrepare(&crowd, NULL);
    qvMotion* motion = MustMoveAll(&crowd, space, 0.0);
    LookAll(motion, crowd.keys[20].time, x, v, NULL);
    ASSERT_NEAR(LargestDifference(v, field, (int)size), 0.0, 1e-6);
    qvDestroyMotion(motion);
    qvDestroyMotionSpace(space);
    free(field);
    free(v);
    free(x);
    FreeCrowd(&crowd);
}

// Derivatives are those of the points, over the seam of a loop, too; floats are near doubles.
static void TestSmooth(void** state)
{
    (void)state;
    Crowd crowd = MakeCrowd(5, POSES);
    crowd.def.isLoop = true;
    size_t size = (size_t)crowd.actor.size;
    double *x[3], *v = calloc(size, sizeof(double)), *a = calloc(size, sizeof(double)), h = 1e-4;
    for (int k = 0; k < 3; k++)
        x[k] = calloc(size, sizeof(double));
    qvVec3f* floats = calloc(size / 3, sizeof(*floats));
    qvMotionSpace* space = MustPrepare(&crowd, NULL);
    qvMotion* motion = MustMoveAll(&crowd, space, 0.3 * POSES);
    void* scratch = malloc(qvMotion_ScratchSize(motion));
    const double times[] = { 0.0, 0.03, 0.14, 3.17, 4.5, 8.85, 9.0, 9.13 };
    for (size_t t = 0; t < sizeof(times) / sizeof(times[0]); t++)
    {
        double largest[2] = { 0.0, 0.0 }, off[2] = { 0.0, 0.0 };
        for (int k = 0; k < 3; k++)
            LookAll(motion, times[t] + (k - 1) * h, x[k], k == 1 ? v : NULL, k == 1 ? a : NULL);
        for (size_t i = 0; i < size; i++)
        {
            double slope = (x[2][i] - x[0][i]) / (2.0 * h), bend = (x[2][i] - 2.0 * x[1][i] + x[0][i]) / (h * h);
            largest[0] = fmax(largest[0], fabs(v[i])), largest[1] = fmax(largest[1], fabs(a[i]));
            off[0] = fmax(off[0], fabs(slope - v[i])), off[1] = fmax(off[1], fabs(bend - a[i]));
        }
        assert_true(largest[0] > 0.05 && off[0] < 1e-4 * largest[0] && off[1] < 0.02 * largest[1]);
        qvMotion_EvaluateFloat(motion, times[t], scratch, NULL, floats);
        for (size_t i = 0; i < size; i++)
            ASSERT_NEAR((&floats[i / 3].x)[i % 3], x[1][i], 2e-6);
    }
    free(scratch);
    qvDestroyMotion(motion);
    qvDestroyMotionSpace(space);
    for (int k = 0; k < 3; k++)
        free(x[k]);
    free(v);
    free(a);
    free(floats);
    FreeCrowd(&crowd);
}

// Root mean square distance of two motions in [begin, end), as a share of the diagonal.
static double Apart(const Crowd* crowd, const qvMotionSpace* space, const qvMotion* one, const qvMotion* other,
                    double begin, double end)
{
    size_t size = (size_t)crowd->actor.size;
    double *x = calloc(size, sizeof(double)), *y = calloc(size, sizeof(double)), sum = 0.0;
    enum
    {
        TIMES = 40
    };
    for (int t = 0; t < TIMES; t++)
    {
        double time = begin + (end - begin) * (t + 0.5) / TIMES;
        LookAll(one, time, x, NULL, NULL);
        LookAll(other, time, y, NULL, NULL);
        for (size_t i = 0; i < size; i++)
            sum += (x[i] - y[i]) * (x[i] - y[i]);
    }
    free(x);
    free(y);
    return sqrt(sum / (TIMES * (double)size / 3.0)) / qvMotionSpace_Stats(space).diagonal;
}

// Where the tracks are solved over all keys and every shape sees all others, the motion is the same.
static void TestWindows(void** state)
{
    (void)state;
    Crowd crowd = MakeCrowd(5, POSES);
    qvMotionSpace* near = MustPrepare(&crowd, NULL);
    crowd.def.window = POSES;
    qvMotionSpace* all = MustPrepare(&crowd, NULL);
    qvMotion *one = MustMoveAll(&crowd, near, 0.0), *other = MustMoveAll(&crowd, all, 0.0);
    assert_true(one->tracks[15].knotCount > 0 && other->tracks[15].knotCount == 0);
    assert_true(near->warp->shapes[15].seenCount == 19 && all->warp->shapes[15].seenCount == POSES);
    double apart = Apart(&crowd, near, one, other, 0.0, 0.3 * (POSES - 1) + 1.0);
    assert_true(apart > 0.0 && apart < 1e-4);
    qvDestroyMotion(one);
    qvDestroyMotion(other);
    qvDestroyMotionSpace(near);
    qvDestroyMotionSpace(all);
    FreeCrowd(&crowd);
}

// The first keys as they move in a whole basis: later ones are hardly felt there.
static void TestNearWhole(void** state)
{
    (void)state;
    Crowd crowd = MakeCrowd(8, POSES);
    qvMotionSpace* bounded = MustPrepare(&crowd, NULL);
    qvMotion* many = MustMoveAll(&crowd, bounded, 0.0);
    crowd.def.poseCount = NEAR_POSES - 1;
    qvMotionSpace* whole = MustPrepare(&crowd, NULL);
    assert_true(bounded->isBounded && !whole->isBounded);
    qvMotion* few = MustMoveAll(&crowd, whole, 0.0);
    crowd.def.material.modes = MODES / 2;
    qvMotionSpace* half = MustPrepare(&crowd, NULL);
    qvMotion* coarse = MustMoveAll(&crowd, half, 0.0);
    double apart = Apart(&crowd, whole, few, many, 0.0, 3.0), usual = Apart(&crowd, whole, few, coarse, 0.0, 3.0);
    assert_true(apart > 0.0 && apart < 0.01 && apart < 1.5 * usual);
    qvMotion* motions[] = { many, few, coarse };
    qvMotionSpace* spaces[] = { bounded, whole, half };
    for (int i = 0; i < 3; i++)
    {
        qvDestroyMotion(motions[i]);
        qvDestroyMotionSpace(spaces[i]);
    }
    FreeCrowd(&crowd);
}

// A pose that changes and changes back: the basis stays, the keys are met, and the first motion is there again.
static void TestChanges(void** state)
{
    (void)state;
    Crowd crowd = MakeCrowd(5, POSES);
    qvMotionSpace* first = MustPrepare(&crowd, NULL);
    for (int i = 0; i < crowd.actor.size; i += 3)
        crowd.points[25][i] += 0.02 * sin(3.0 * crowd.actor.rest[i + 1]);
    qvMotionSpace* second = MustPrepare(&crowd, first);
    assert_ptr_equal(second->basis, first->basis);
    qvMotion* changed = MustMoveAll(&crowd, second, 0.0);
    AssertKeys(&crowd, second, changed, 0.0);
    qvMotionSpace* fresh = MustPrepare(&crowd, NULL);
    qvMotion* anew = MustMoveAll(&crowd, fresh, 0.0);
    assert_true(Apart(&crowd, first, changed, anew, 0.0, 9.0) < 2e-3);
    Shape(&crowd, 25, crowd.points[25]);
    qvMotionSpace* third = MustPrepare(&crowd, second);
    qvMotion *one = MustMoveAll(&crowd, first, 0.0), *other = MustMoveAll(&crowd, third, 0.0);
    assert_true(Apart(&crowd, first, one, changed, 0.0, 9.0) > 1e-5);
    ASSERT_NEAR(Apart(&crowd, first, one, other, 0.0, 9.0), 0.0, 1e-9);
    for (int i = 0; i < crowd.actor.size; i += 3) // a pose unlike any other
        crowd.points[25][i] += 0.6 * sin(9.0 * crowd.actor.rest[i + 1]);
    qvMotionSpace* far = MustPrepare(&crowd, third);
    assert_ptr_not_equal(far->basis, first->basis);
    crowd.def.poseCount = 10; // and few of them: all have room again
    qvMotionSpace* few = MustPrepare(&crowd, far);
    crowd.actor.space = NULL;
    qvMotionSpace* alone = MustPrepare(&crowd, NULL);
    assert_true(!few->isBounded && few->dimension == alone->dimension);
    qvMotion* motions[] = { changed, anew, one, other };
    for (int i = 0; i < 4; i++)
        qvDestroyMotion(motions[i]);
    qvMotionSpace* spaces[] = { first, second, fresh, third, far, few, alone };
    for (int i = 0; i < 7; i++)
        qvDestroyMotionSpace(spaces[i]);
    FreeCrowd(&crowd);
}

// What would not fit is said before anything is computed.
static void TestTooMuch(void** state)
{
    (void)state;
    Crowd crowd = MakeCrowd(5, POSES);
    size_t size = (size_t)crowd.actor.size;
    double* numbers = calloc(TOO_MANY * size, sizeof(double));
    qvMotionPose poses[TOO_MANY] = { { 0 } };
    for (int k = 0; k < TOO_MANY; k++)
    {
        poses[k].points = numbers + size * (size_t)k;
        Shape(&crowd, k, numbers + size * (size_t)k);
    }
    crowd.def.material.modes = 200, crowd.def.poses = poses, crowd.def.poseCount = TOO_MANY;
    qvError error;
    qvMotionSpace* space;
    assert_int_equal(qvCreateMotionSpace(&crowd.def, NULL, NULL, &space, &error), qv_badInput);
    assert_non_null(strstr(error.message, "70 different poses"));
    assert_non_null(strstr(error.message, "GB, more than 4"));
    assert_non_null(strstr(error.message, "would fit"));
    free(numbers);
    crowd.def.poseCount = POSES;
    FreeCrowd(&crowd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestBound),   cmocka_unit_test(TestKeys),    cmocka_unit_test(TestVelocities),
        cmocka_unit_test(TestSmooth),  cmocka_unit_test(TestWindows), cmocka_unit_test(TestNearWhole),
        cmocka_unit_test(TestChanges), cmocka_unit_test(TestTooMuch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
