// SPDX-License-Identifier: GPL-3.0-or-later
// Preparing a space: threads, earlier spaces, chains of edits and cancels change nothing in the result.
#include "motion_testing.h"

#include "motion/elastic.h"

static const double TIMES[6] = { 0.0, 0.7, 1.1, 2.3, 2.9, 4.0 };

static qvMotionSpace* MustPrepare(const Actor* actor, const qvMotionSpace* previous, qvPool* pool)
{
    qvError error;
    qvMotionSpace* space;
    qvJob job = { .pool = pool };
    ASSERT_OK(qvCreateMotionSpace(&actor->def, previous, &job, &space, &error), error);
    return space;
}

// The same motion from both spaces: positions, velocities, accelerations.
static void AssertSameMotion(Actor* actor, qvMotionSpace* a, qvMotionSpace* b)
{
    qvMotionKey keys[6];
    qvMotionDef def = MakeKeys(actor, keys, 6, TIMES);
    qvMotion* motions[2];
    actor->space = a;
    motions[0] = MustMove(actor, &def);
    actor->space = b;
    motions[1] = MustMove(actor, &def);
    actor->space = NULL;
    for (double t = 0.1; t < 5.0; t += 0.45)
    {
        double *x = Look(actor, motions[0], t), *y = Look(actor, motions[1], t);
        ASSERT_NEAR(LargestDifference(x, y, 3 * actor->size), 0.0, 1e-9);
        free(x);
        free(y);
    }
    qvDestroyMotion(motions[0]);
    qvDestroyMotion(motions[1]);
}

// The mixer's modes, which a space that follows from another has from that one's basis.
static void AssertSameModes(const Actor* actor, const qvMotionSpace* a, const qvMotionSpace* b)
{
    assert_true(qvMotionSpace_ModeCount(a) > 0);
    assert_int_equal(qvMotionSpace_ModeCount(a), qvMotionSpace_ModeCount(b));
    double *x = calloc((size_t)actor->size, sizeof(double)), *y = calloc((size_t)actor->size, sizeof(double));
    for (int mode = 0; mode < qvMotionSpace_ModeCount(a); mode++)
    {
        ASSERT_NEAR(qvMotionSpace_ModeFrequency(a, mode, 1.0), qvMotionSpace_ModeFrequency(b, mode, 1.0), 1e-9);
        qvMotionSpace_ModeShape(a, mode, x);
        qvMotionSpace_ModeShape(b, mode, y);
        ASSERT_NEAR(LargestDifference(x, y, actor->size), 0.0, 1e-9);
        double longest = 0.0;
        for (int i = 0; i < actor->size; i += 3)
            longest = fmax(longest, sqrt(x[i] * x[i] + x[i + 1] * x[i + 1] + x[i + 2] * x[i + 2]));
        ASSERT_NEAR(longest, 1.0, 1e-9);
    }
    free(x);
    free(y);
}

static Actor MakeTroupe(void)
{
    Actor actor = MakeActor("sack", 3);
    AddPose(&actor);
    Deform(&actor, AddPose(&actor), 0.6, 0.4, 0.1);
    Deform(&actor, AddPose(&actor), -0.4, 0.0, -0.15);
    Deform(&actor, AddPose(&actor), 0.2, -0.5, 0.0);
    Deform(&actor, AddPose(&actor), -0.1, 0.9, 0.1);
    actor.def.material.modes = 5;
    return actor;
}

// Shapes found by several threads at once.
static void TestThreads(void** state)
{
    (void)state;
    qvError error;
    qvPool* pool;
    ASSERT_OK(qvCreatePool(3, &pool, &error), error);
    Actor actor = MakeTroupe();
    actor.def.poses = actor.poses;
    qvMotionSpace *alone = MustPrepare(&actor, NULL, NULL), *together = MustPrepare(&actor, NULL, pool);
    AssertSameMotion(&actor, alone, together);
    qvDestroyMotionSpace(alone);
    qvDestroyMotionSpace(together);
    qvDestroyPool(pool);
    FreeActor(&actor);
}

// One edit after the other, each from the space before: poses that change a little and much, come and go, with and
// without pins, and then another material.
static void TestChainOfEdits(void** state)
{
    (void)state;
    for (int pinned = 0; pinned < 2; pinned++)
    {
        Actor actor = MakeTroupe();
        actor.def.poses = actor.poses;
        int32_t pins[] = { 0, 1, 2, 3 };
        actor.def.pins = pins, actor.def.pinCount = pinned ? 4 : 0;
        int poseCount = actor.def.poseCount;
        qvMotionSpace* space = MustPrepare(&actor, NULL, NULL);
        int edits = pinned ? 2 : 5;
        for (int edit = 0; edit < edits; edit++)
        {
            double* points = actor.points[edit % poseCount];
            for (int i = 0; i < actor.size; i += 3)
                points[i] += (edit % 3 == 0 ? 1e-8 : 0.05) * sin(points[i + 1] + edit);
            actor.def.poseCount = edit % 4 == 1 ? poseCount - 1 : poseCount;
            if (edit == edits - 1)
                actor.def.material.stretch = 1.7, actor.def.material.bend = 0.6;
            qvMotionSpace* next = MustPrepare(&actor, space, NULL);
            qvDestroyMotionSpace(space);
            space = next;
            if (edit < edits - 2)
                continue;
            qvMotionSpace* fresh = MustPrepare(&actor, NULL, NULL);
            AssertSameMotion(&actor, space, fresh);
            AssertSameModes(&actor, space, fresh);
            qvDestroyMotionSpace(fresh);
        }
        qvDestroyMotionSpace(space);
        actor.def.poseCount = poseCount;
        FreeActor(&actor);
    }
}

// The stiffness of one direction at the rest shape.
static double Stiffness(const Actor* actor, qvElasticBody* body, const qvBasis* basis)
{
    qvError error;
    qvElastic* elastic;
    double value, vector, force, pull[3], wind[3], uniform[3] = { 0.0 };
    qvMotionShape shape = { .values = &value, .vectors = &vector, .force = &force, .pull = pull, .wind = wind };
    ASSERT_OK(qvCreateElastic(&actor->def, body, NULL, &elastic, &error), error);
    ASSERT_OK(qvElastic_Reduce(elastic, actor->rest, qv_modelPose, basis, NULL, uniform, &shape, NULL, &error), error);
    qvDestroyElastic(elastic);
    return value;
}

// A body whose matrices are too large to be kept makes the same ones again.
static void TestLargeBody(void** state)
{
    (void)state;
    qvError error;
    Actor actor = MakeActor("sack", 123);
    double* direction = calloc((size_t)actor.size, sizeof(double));
    for (int i = 0; i < actor.size; i++)
        direction[i] = sin(3.0 * actor.rest[i]);
    qvElasticBody* body;
    ASSERT_OK(qvCreateElasticBody(&actor.def, actor.rest, NULL, &body, &error), error);
    qvBasis* basis;
    qvBasisBlock block = { direction, 1 };
    qvBasisDef def = qvDefaultBasisDef();
    def.size = actor.size, def.mass = qvElasticBody_DofMasses(body), def.blocks = &block, def.blockCount = 1;
    ASSERT_OK(qvCreateBasis(&def, NULL, NULL, &basis, &error), error);
    double first = Stiffness(&actor, body, basis), second = Stiffness(&actor, body, basis);
    assert_true(first > 0.0);
    assert_true(first == second);
    qvDestroyBasis(basis);
    qvReleaseElasticBody(body);
    free(direction);
    FreeActor(&actor);
}

// At random moments, with threads, from scratch and from an earlier space, which stays as it was.
static void TestCancelAtRandom(void** state)
{
    (void)state;
    qvError error;
    qvPool* pool;
    ASSERT_OK(qvCreatePool(2, &pool, &error), error);
    Actor actor = MakeTroupe();
    actor.def.poses = actor.poses;
    qvMotionSpace *before = MustPrepare(&actor, NULL, pool), *same = MustPrepare(&actor, NULL, pool), *space;
    double* points = actor.points[2];
    double* saved = calloc((size_t)actor.size, sizeof(double));
    memcpy(saved, points, (size_t)actor.size * sizeof(double));
    Deform(&actor, points, 0.1, 0.2, 0.0);
    uint64_t seed = 17;
    Stop stop = { 0, 1000000 };
    qvJob job = { .pool = pool, .progress = StopAtLimit, .context = &stop };
    ASSERT_OK(qvCreateMotionSpace(&actor.def, before, &job, &space, &error), error);
    qvDestroyMotionSpace(space);
    int calls = stop.calls * 9 / 10; // which thread asks how often varies a little
    assert_true(calls > 20);
    for (int i = 0; i < 6; i++)
    {
        const qvMotionSpace* previous = i % 2 == 0 ? before : NULL;
        stop = (Stop){ 0, RandomInt(&seed, calls) };
        assert_int_equal(qvCreateMotionSpace(&actor.def, previous, &job, &space, &error), qv_cancelled);
        assert_null(space);
        assert_int_equal(stop.calls, stop.limit + 1); // after the first refusal nobody asks again
    }
    memcpy(points, saved, (size_t)actor.size * sizeof(double));
    AssertSameMotion(&actor, before, same);
    free(saved);
    qvDestroyMotionSpace(before);
    qvDestroyMotionSpace(same);
    qvDestroyPool(pool);
    FreeActor(&actor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestThreads),
        cmocka_unit_test(TestChainOfEdits),
        cmocka_unit_test(TestLargeBody),
        cmocka_unit_test(TestCancelAtRandom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
