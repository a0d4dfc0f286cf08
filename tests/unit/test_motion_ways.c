// SPDX-License-Identifier: GPL-3.0-or-later
// The ways between shapes, which are computed together, against the derivative of one moment at a time.
#include "motion_testing.h"

#include "motion/warp_ways.h"

static Actor MakeTurningActor(qvMesh* mesh, int32_t* pins, int pinCount)
{
    Actor actor = MakeActorOf(mesh);
    for (int i = 0; i < pinCount; i++)
        pins[i] = i;
    actor.def.pins = pins, actor.def.pinCount = pinCount, actor.def.material.modes = 4;
    AddPose(&actor);
    Deform(&actor, AddPose(&actor), 0.6, 2.5, 0.1);
    Deform(&actor, AddPose(&actor), -0.4, 0.3, -0.15);
    Deform(&actor, AddPose(&actor), 1.2, -1.9, 0.0);
    MakeSpace(&actor);
    return actor;
}

// The derivative of the moment that leaves shape `from` for shape `to`.
static void Derive(const qvWarp* warp, int from, int to, double* way)
{
    double blend[2][MAX_POSES] = { { 0.0 } };
    blend[0][from] = 1.0, blend[1][from] = -1.0, blend[1][to] = 1.0;
    qvWarpInput input = { .order = 1, .blend = { blend[0], blend[1], NULL } };
    qvWarpMoment moment;
    int n = warp->body->pointCount;
    double *scratch = calloc(qvWarp_MomentSize(warp, 1), sizeof(double)),
           *place = calloc(3 * (size_t)n, sizeof(double));
    qvWarp_Compute(warp, &input, scratch, NULL, &moment);
    const double* const none[qv_warpTerms][3] = { { NULL } };
    double* const out[3] = { place, way, NULL };
    qvWarp_Points(warp, &input, &moment, 0, n, none, out);
    free(scratch);
    free(place);
}

static void AssertWays(const qvWarp* warp, qvPool* pool)
{
    qvError error;
    const qvWarpBody* body = warp->body;
    assert_true(2 * body->spreadCount < body->pointCount);
    size_t size = 3 * (size_t)body->pointCount;
    double *ways = calloc(size * (size_t)(warp->shapeCount - 1), sizeof(double)),
           *wanted = calloc(size, sizeof(double));
    for (int from = 0; from < warp->shapeCount; from++)
    {
        qvJob job = { .pool = pool };
        int32_t others[8];
        for (int i = 0; i < warp->shapeCount - 1; i++)
            others[i] = i < from ? i : i + 1;
        ASSERT_OK(qvWarp_FillWays(warp, from, others, warp->shapeCount - 1, &job, ways, &error), error);
        for (int i = 0; i < warp->shapeCount - 1; i++)
        {
            int to = others[i];
            const double* way = ways + size * (size_t)i;
            Derive(warp, from, to, wanted);
            double largest = 0.0;
            for (size_t k = 0; k < size; k++)
                largest = fmax(largest, fabs(wanted[k]));
            assert_true(largest > 0.1);
            for (int p = 0; p < 3 * body->pinCount; p++) // pins go straight
                ASSERT_NEAR(way[3 * body->pins[p / 3] + p % 3], warp->shapes[to].pins[p] - warp->shapes[from].pins[p],
                            1e-9);
            for (int k = 0; k < body->spreadCount; k++) // what goes along with them
                memcpy(wanted + 3 * (size_t)body->spreads[k].point, way + 3 * (size_t)body->spreads[k].point,
                       3 * sizeof(double));
            ASSERT_NEAR(LargestDifference(way, wanted, (int)size), 0.0, 1e-10 * largest);
        }
    }
    free(ways);
    free(wanted);
}

static qvMesh* MakeBody(const char* tag)
{
    qvError error;
    qvMesh* mesh;
    ASSERT_OK(qvCreatePrimitive(tag, 4, &mesh, &error), error);
    return mesh;
}

static void TestWays(void** state)
{
    (void)state;
    qvError error;
    qvPool* pool;
    ASSERT_OK(qvCreatePool(3, &pool, &error), error);
    int32_t pins[4];
    for (int pinned = 0; pinned < 2; pinned++)
    {
        Actor actor = MakeTurningActor(MakeBody("tentacle"), pins, pinned ? 4 : 0);
        assert_int_equal(actor.space->shapeCount, 4);
        AssertWays(actor.space->warp, pinned ? pool : NULL);
        FreeActor(&actor);
    }
    qvDestroyPool(pool);
}

// Parts that go their own ways.
static void TestParts(void** state)
{
    (void)state;
    Actor actor = MakeTurningActor(MakePair(), NULL, 0);
    assert_int_equal(actor.topology->partCount, 2);
    AssertWays(actor.space->warp, NULL);
    FreeActor(&actor);
}

// Another material or other poses leave nodes and weights as they are.
static void TestSharedBody(void** state)
{
    (void)state;
    qvError error;
    Actor actor = MakeTurningActor(MakeBody("sack"), NULL, 0);
    actor.def.poses = actor.poses, actor.def.material.stretch = 1.7;
    qvMotionSpace* other;
    ASSERT_OK(qvCreateMotionSpace(&actor.def, actor.space, NULL, &other, &error), error);
    assert_ptr_equal(other->warp->body, actor.space->warp->body);
    qvDestroyMotionSpace(actor.space); // of which the other has its share
    actor.space = other;
    AssertWays(other->warp, NULL);
    FreeActor(&actor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestWays),
        cmocka_unit_test(TestParts),
        cmocka_unit_test(TestSharedBody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
