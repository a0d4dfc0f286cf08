// SPDX-License-Identifier: GPL-3.0-or-later
// The engine of surfaces in scenes: it starts exactly from the keys, falls, lands, slides and rests, holds pins,
// follows, goes on over spans, and gives the same bits for any number of threads.
#include "scene_testing.h"

#include "quaver/primitive.h"

#define FALL_OF(shape, end, more)                                                                            \
    "{\"quaver\": 1, \"mesh\": {\"primitive\": \"" shape "\", \"resolution\": 5}, \"range\": [0, " end "], " \
    "\"material\": {\"modes\": 4}, \"keys\": [{\"time\": 0, \"transform\": {\"translate\": [0, 1, 0]}}], "   \
    "\"simulations\": [{\"engine\": \"surface\", \"time\": 0, \"detail\": 100, \"after\": \"hold\", "        \
    "\"wobble\": 4, \"settle\": 0.3" more "}]}"
#define FALL(more) FALL_OF("sphere", "3", more)

#define DANCING(more) SCENE(FEW_MODES ", \"range\": [0, 2], " more ", \"keys\": [" DANCE_KEYS "]")
#define SURFACE(more) \
    "{\"engine\": \"surface\", \"detail\": 100, \"gravity\": [0, 0, 0], \"wobble\": 3, \"settle\": 1" more "}"

static qvTake* Ready(const char* text)
{
    qvError error;
    qvTake* take = SolveAlone(text);
    ASSERT_OK(qvTake_Advance(take, INFINITY, NULL, &error), error);
    return take;
}

typedef struct Sight
{
    qvVec3 middle;
    double low, high;
} Sight;

static Sight See(const qvTake* take, double time)
{
    int count = qvTake_Body(take)->mesh->pointCount;
    qvVec3f* points = PointsOf(take, time, qv_layersAll, NULL);
    Sight sight = { .low = INFINITY, .high = -INFINITY };
    for (int i = 0; i < count; i++)
    {
        sight.middle = qvMulAdd(sight.middle, 1.0 / count, qvVec3_FromFloat(points[i]));
        sight.low = fmin(sight.low, points[i].y);
        sight.high = fmax(sight.high, points[i].y);
    }
    free(points);
    return sight;
}

static double Apart(const qvTake* a, const qvTake* b, double time, double later)
{
    qvVec3f *x = PointsOf(a, time, qv_layersAll, NULL), *y = PointsOf(b, later, qv_layersAll, NULL);
    double apart = Farthest(x, y, qvTake_Body(a)->mesh->pointCount);
    free(x);
    free(y);
    return apart;
}

// A ball falls freely, lands, bounces lower and stays on the ground. (Of flat triangles, it rocks on for a while.)
static void BallsBounce(void** state)
{
    (void)state;
    qvTake* take = Ready(FALL(""));
    Sight start = See(take, 0.0), fall = See(take, 0.4), end = See(take, 3.0);
    ASSERT_NEAR(start.middle.y - fall.middle.y, 0.5 * 9.81 * 0.4 * 0.4, 0.03); // steps of 1/240 s: first order
    ASSERT_NEAR(start.middle.x - fall.middle.x, 0.0, 1e-4);
    double lowest = INFINITY, highest = 0.0;
    for (double t = 0.0; t <= 3.0; t += 0.05)
    {
        lowest = fmin(lowest, See(take, t).low);
        highest = t > 0.6 ? fmax(highest, See(take, t).middle.y) : highest;
    }
    print_message("lowest %.4f, highest after the bounce %.3f, at the end %.4f\n", lowest, highest, end.middle.y);
    assert_true(lowest > -1e-4); // points between vertices too
    assert_true(highest < start.middle.y && highest > 0.9);
    ASSERT_NEAR(end.low, 0.0, 1e-4);
    qvReleaseTake(take);
}

// What lies flat comes to rest: 4.5 s after it was let go it moves by less than 1e-3 of its size a second.
static void RingsComeToRest(void** state)
{
    (void)state;
    qvTake* take = Ready(FALL_OF("torus", "4.5", ""));
    Sight start = See(take, 0.0), end = See(take, 4.5), before = See(take, 4.4);
    double speed = qvDistance(end.middle, before.middle) / 0.1;
    print_message("the ring moves by %.2g a second\n", speed);
    assert_true(start.low > 0.9 && fabs(end.low) < 1e-4);
    assert_true(speed < 1e-3 * 2.8);
    qvReleaseTake(take);
}

// What a channel shows: the sum of its values, and that of its vectors.
static double SumOf(qvTakeView* view, const char* tag, double time, qvVec3* way)
{
    qvShownPoints shown;
    double sum = 0.0;
    *way = qvMakeVec3(0.0, 0.0, 0.0);
    assert_true(qvTakeView_ShowChannel(view, tag, time, &shown));
    assert_true(shown.count > 50 && shown.radius > 0.01);
    assert_true((shown.arrows != NULL) == (strcmp(tag, "force") == 0));
    for (int i = 0; i < shown.count; i++)
    {
        assert_true(shown.values[i] >= 0.0f && (shown.values[i] == 0.0f || shown.points[i].y < 0.01f));
        sum += shown.values[i];
        if (shown.arrows != NULL)
            *way = qvMulAdd(*way, shown.values[i], qvNormalize(qvVec3_FromFloat(shown.arrows[i])));
    }
    return sum;
}

// In the air nothing pushes a ring; where it lies the ground carries its weight, from below and nowhere else.
static void ForcesAreShown(void** state)
{
    (void)state;
    qvError error;
    qvTake* take = Ready(FALL_OF("torus", "4.5", ""));
    qvTakeView view = { 0 };
    ASSERT_OK(qvTakeView_SetTake(&view, take, &error), error);
    qvVec3 way;
    ASSERT_NEAR(SumOf(&view, "force", 0.2, &way), 0.0, 0.0);
    ASSERT_NEAR(SumOf(&view, "pressure", 0.2, &way), 0.0, 0.0);
    assert_true(SumOf(&view, "pressure", 4.4, &way) > 1.0);
    SumOf(&view, "force", 4.4, &way);
    print_message("carried by %.3f %% of its weight\n", way.y);
    ASSERT_NEAR(way.y, 100.0, 0.1);
    assert_true(hypot(way.x, way.z) < 0.1);
    qvShownPoints shown;
    assert_false(qvTakeView_ShowChannel(&view, "stretch", 4.4, &shown));
    qvTakeView_Free(&view);
    qvReleaseTake(take);
}

// On ice it goes on, on rubber it stops; in between as Coulomb says.
static void FrictionStopsBlocks(void** state)
{
    (void)state;
#define SLIDE(mu)                                                                                       \
    "{\"quaver\": 1, \"mesh\": {\"primitive\": \"torus\", \"resolution\": 5}, \"range\": [0, 1.6], "    \
    "\"ground\": {\"friction\": " mu "}, \"material\": {\"modes\": 4}, \"keys\": [{\"time\": 0}, "      \
    "{\"time\": 0.2, \"transform\": {\"translate\": [0.4, 0, 0]}, \"interp\": \"linear\"}, "            \
    "{\"time\": 0.4, \"transform\": {\"translate\": [0.8, 0, 0]}, \"interp\": \"linear\"}], "           \
    "\"simulations\": [{\"engine\": \"surface\", \"time\": 0.3, \"detail\": 100, \"after\": \"hold\", " \
    "\"wobble\": 12, \"settle\": 0.1, \"friction\": " mu "}]}"
    qvTake *rough = Ready(SLIDE("0.3")), *ice = Ready(SLIDE("0"));
    double went = See(rough, 1.6).middle.x - See(rough, 0.3).middle.x;
    print_message("slides %.4f, %.4f in theory\n", went, 4.0 / (2.0 * 0.3 * 9.81));
    ASSERT_NEAR(went, 4.0 / (2.0 * 0.3 * 9.81), 0.04 * went);
    ASSERT_NEAR(See(ice, 1.6).middle.x - See(ice, 0.3).middle.x, 2.0 * 1.3, 0.02);
    qvReleaseTake(rough);
    qvReleaseTake(ice);
}

// Pose and velocity of the keys are taken over, whatever modes can show of them.
static void SpansStartExactly(void** state)
{
    (void)state;
    qvTake* keyed = SolveAlone(DANCE);
    qvTake* take = Ready(
        DANCING("\"ground\": {\"on\": false}, \"simulations\": [" SURFACE(", \"time\": 0.3, \"until\": 0.9") "]"));
    ASSERT_NEAR(Apart(take, keyed, 0.3, 0.3), 0.0, 1e-5);
    // It goes on with their velocity, as far as modes show that.
    const double h = 0.002;
    double same = Apart(take, keyed, 0.3 + h, 0.3 + h), still = Apart(take, keyed, 0.3, 0.3 + h);
    print_message("%.5f away from the keys after %g s, %.5f if it stood\n", same, h, still);
    assert_true(same < 0.6 * still);
    assert_true(Apart(take, keyed, 0.8, 0.8) > 0.02);
    ASSERT_NEAR(Apart(take, keyed, 1.3, 1.3), 0.0, 0.0);
    // Fully following is the motion below; half of it is near.
    qvTake* whole = Ready(DANCING("\"simulations\": [" SURFACE(", \"time\": 0.3, \"until\": 0.5, \"follow\": 1") "]"));
    ASSERT_NEAR(Apart(whole, keyed, 0.45, 0.45), 0.0, 0.0);
    qvTake* near = Ready(DANCING("\"ground\": {\"on\": false}, \"simulations\": [" SURFACE(
        ", \"time\": 0.3, \"until\": 0.9, \"follow\": 0.9") "]"));
    print_message("following: %.4f away, alone: %.4f\n", Apart(near, keyed, 0.8, 0.8), Apart(take, keyed, 0.8, 0.8));
    assert_true(Apart(near, keyed, 0.8, 0.8) < 0.5 * Apart(take, keyed, 0.8, 0.8));
    qvReleaseTake(keyed);
    qvReleaseTake(take);
    qvReleaseTake(whole);
    qvReleaseTake(near);
}

// How far the body's points reach from their middle, at most.
static double ReachOf(const qvVec3f* points, int count)
{
    qvVec3 middle = { 0.0, 0.0, 0.0 };
    double reach = 0.0;
    for (int i = 0; i < count; i++)
        middle = qvMulAdd(middle, 1.0 / count, qvVec3_FromFloat(points[i]));
    for (int i = 0; i < count; i++)
        reach = fmax(reach, qvDistance(middle, qvVec3_FromFloat(points[i])));
    return reach;
}

// Every built-in shape, the open sheet too, falls, lands and stays as large as it is.
static void EveryShapeFalls(void** state)
{
    (void)state;
    for (int i = 0; i < qvPrimitiveCount(); i++)
    {
        char text[512];
        const char* tag = qvGetPrimitive(i)->tag;
        snprintf(
            text, sizeof(text),
            "{\"quaver\": 2, \"mesh\": {\"primitive\": \"%s\", \"resolution\": 10}, \"range\": [0, 1.2], "
            "\"material\": {\"modes\": 1}, \"keys\": [{\"time\": 0, \"transform\": {\"translate\": [0, 0.4, 0], "
            "\"rotate\": [0.2, 0, 0.1, 0.97]}}], \"simulations\": [{\"engine\": \"surface\", \"time\": 0, \"after\": "
            "\"hold\", \"detail\": 150, \"wobble\": 5, \"settle\": 0.3}]}",
            tag);
        qvTake* take = Ready(text);
        int count = qvTake_Body(take)->mesh->pointCount;
        double size = ReachOf(qvTake_Body(take)->rest, count), least = INFINITY, most = 0.0, low = INFINITY;
        for (double t = 0.0; t <= 1.2; t += 0.1)
        {
            qvVec3f* points = PointsOf(take, t, qv_layersAll, NULL);
            double reach = ReachOf(points, count);
            assert_true(isfinite(reach));
            least = fmin(least, reach / size);
            most = fmax(most, reach / size);
            free(points);
            low = fmin(low, See(take, t).low);
        }
        print_message("%s: reaches %.3f to %.3f of its size, lowest point at %.4f\n", tag, least, most, low);
        assert_true(least > 0.7 && most < 1.3);
        assert_true(low > -1e-3 && low < (strcmp(tag, "sheet") == 0 ? 0.05 : 0.01)); // a sheet is made thick
        qvReleaseTake(take);
    }
}

// What is pinned is exactly where the keys have it; the rest hangs on it.
static void PinsAreExact(void** state)
{
    (void)state;
    const char* text = DANCING("\"pins\": [{\"box\": [[-2, -1, -2], [2, 0.3, 2]]}], \"simulations\": [{\"engine\": "
                               "\"surface\", \"detail\": 100, \"wobble\": 3, \"settle\": 1, \"gravity\": [6, 0, 0], "
                               "\"time\": 0.2, \"until\": 0.8}]");
    qvTake* take = Ready(text);
    qvTake* keyed = SolveAlone(DANCING("\"pins\": [{\"box\": [[-2, -1, -2], [2, 0.3, 2]]}]"));
    const qvBody* body = qvTake_Body(take);
    int pinned = 0;
    for (double t = 0.2; t <= 0.8; t += 0.11)
    {
        qvVec3f *all = PointsOf(take, t, qv_layersAll, NULL), *keys = PointsOf(keyed, t, qv_layersAll, NULL);
        for (int i = 0; i < body->mesh->pointCount; i++)
        {
            if (body->rest[i].y > 0.3f)
                continue;
            pinned++;
            ASSERT_NEAR(qvDistance(qvVec3_FromFloat(all[i]), qvVec3_FromFloat(keys[i])), 0.0, 0.0);
        }
        if (t > 0.4)
            assert_true(Farthest(all, keys, body->mesh->pointCount) > 0.02);
        free(all);
        free(keys);
    }
    assert_true(pinned > 10);
    qvReleaseTake(keyed);
    qvReleaseTake(take);
}

// Two spans that touch are one, and threads do not matter.
static void SpansGoOn(void** state)
{
    (void)state;
    const char* halves = "{\"quaver\": 1, \"mesh\": {\"primitive\": \"sphere\", \"resolution\": 5}, \"range\": [0, 3], "
                         "\"material\": {\"modes\": 4}, \"keys\": [{\"time\": 0, \"transform\": {\"translate\": [0, 1, "
                         "0]}}], \"simulations\": [{\"engine\": \"surface\", \"time\": 0, \"until\": 0.75, \"detail\": "
                         "100, \"after\": \"hold\", \"wobble\": 4, \"settle\": 0.3}, {\"engine\": \"surface\", "
                         "\"time\": 0.75, \"detail\": 100, \"after\": \"hold\", \"wobble\": 4, \"settle\": 0.3}]}";
    qvTake *one = Ready(FALL("")), *two = Ready(halves);
    ASSERT_NEAR(Apart(one, two, 0.7, 0.7), 0.0, 0.0);
    ASSERT_NEAR(Apart(one, two, 1.6, 1.6), 0.0, 1e-5);
    qvPool* pool;
    qvError error;
    ASSERT_OK(qvCreatePool(3, &pool, &error), error);
    qvJob job = { .pool = pool };
    qvPipeline* pipeline = MustPipeline();
    qvTake* threads;
    const qvScene* scene = MustParse(FALL(""));
    ASSERT_OK(qvPipeline_Solve(pipeline, scene, ".", &job, &threads, &error), error);
    ASSERT_OK(qvTake_Advance(threads, INFINITY, &job, &error), error);
    ASSERT_NEAR(Apart(one, threads, 1.63, 1.63), 0.0, 0.0);
    qvReleaseTake(threads);
    qvReleaseScene(scene);
    qvDestroyPipeline(pipeline);
    qvDestroyPool(pool);
    qvReleaseTake(one);
    qvReleaseTake(two);
}

// Two balls, side by side, one of which has a material of its own: it is let go in its own way, the other as before.
static void PartsHaveTheirOwn(void** state)
{
    (void)state;
#define BALLS(parts)                                                                                                  \
    "{\"quaver\": 2, \"mesh\": {\"file\": \"../../scenes/ball_and_cube.obj\"}, \"range\": [0, 0.8], \"material\": "   \
    "{\"modes\": 1, \"frequency\": 0}, \"keys\": [{\"time\": 0, \"transform\": {\"translate\": [0, 0.5, 0]}}], "      \
    "\"simulations\": [{\"engine\": \"surface\", \"time\": 0, \"after\": \"hold\", \"detail\": 100, \"wobble\": 12, " \
    "\"settle\": 0.3, \"poisson\": 0.4" parts "}]}"
    const char* texts[3] = { BALLS(""), BALLS(", \"parts\": [{\"at\": 362, \"wobble\": 3.5}]"),
                             BALLS(", \"parts\": [{\"at\": 362, \"density\": 3}]") };
    double flattest[3], lowest[3];
    for (int k = 0; k < 3; k++)
    {
        qvError error;
        qvPipeline* pipeline = MustPipeline();
        const qvScene* scene = MustParse(texts[k]);
        qvTake* take;
        ASSERT_OK(qvPipeline_Solve(pipeline, scene, QUAVER_TEST_DATA, NULL, &take, &error), error);
        ASSERT_OK(qvTake_Advance(take, INFINITY, NULL, &error), error);
        int count = qvTake_Body(take)->mesh->pointCount;
        flattest[k] = lowest[k] = INFINITY;
        for (double t = 0.3; t <= 0.55; t += 0.01)
        {
            qvVec3f* points = PointsOf(take, t, qv_layersAll, NULL);
            double top = -INFINITY, ball = INFINITY; // of the cube, whose points come last
            for (int i = 0; i < count; i++)
            {
                top = i >= 362 ? fmax(top, points[i].y) : top;
                ball = i < 362 ? fmin(ball, points[i].y) : ball;
            }
            flattest[k] = fmin(flattest[k], top);
            lowest[k] = fmin(lowest[k], ball);
            free(points);
        }
        qvReleaseTake(take);
        qvReleaseScene(scene);
        qvDestroyPipeline(pipeline);
    }
    print_message(
        "the cube is %.3f high, %.3f of something soft; below the ball there is %.3f, %.3f where it is heavy\n",
        flattest[0], flattest[1], lowest[0], lowest[2]);
    assert_true(flattest[0] > 0.9 && flattest[1] < flattest[0] - 0.1);
    assert_true(lowest[2] > lowest[0] + 0.03);
}

static void CountWarnings(void* context, qvLogLevel level, const char* line)
{
    *(int*)context += level == qv_logWarning && strstr(line, "bent further than its surface engine can show") != NULL;
}

static int WarningsOf(const char* text)
{
    qvError error;
    int count = 0;
    qvJob job = { .log = CountWarnings, .context = &count };
    qvTake* take = SolveAlone(text);
    ASSERT_OK(qvTake_Advance(take, INFINITY, &job, &error), error);
    qvReleaseTake(take);
    return count;
}

// What linear elasticity cannot show any more is said, once; what it can is not.
static void SoftBodiesAreWarnedOf(void** state)
{
    (void)state;
#define DROPPED(wobble)                                                                                                \
    "{\"quaver\": 2, \"mesh\": {\"primitive\": \"sphere\", \"resolution\": 5}, \"range\": [0, 1], \"material\": "      \
    "{\"modes\": 1}, \"keys\": [{\"time\": 0, \"transform\": {\"translate\": [0, 1, 0]}}], \"simulations\": "          \
    "[{\"engine\": \"surface\", \"time\": 0, \"detail\": 100, \"after\": \"hold\", \"settle\": 1, \"wobble\": " wobble \
    "}]}"
    assert_int_equal(WarningsOf(DROPPED("0.5")), 1);
    assert_int_equal(WarningsOf(DROPPED("6")), 0);
}

static void Refused(const char* shape, const char* detail, const char* why)
{
    char text[512];
    qvError error;
    qvPipeline* pipeline = MustPipeline();
    snprintf(text, sizeof(text),
             "{\"quaver\": 1, \"mesh\": {\"primitive\": \"%s\"}, \"keys\": [{\"time\": 0}], \"range\": [0, 1], "
             "\"material\": {\"modes\": 1}, \"simulations\": [{\"engine\": \"surface\", \"time\": 0, \"detail\": %s}]}",
             shape, detail);
    const qvScene* scene = MustParse(text);
    qvTake* take;
    qvResult result = qvPipeline_Solve(pipeline, scene, ".", NULL, &take, &error);
    if (result == qv_ok)
    {
        result = qvTake_Advance(take, INFINITY, NULL, &error);
        qvReleaseTake(take);
    }
    assert_int_not_equal(result, qv_ok);
    ASSERT_CONTAINS(error.message, why);
    qvReleaseScene(scene);
    qvDestroyPipeline(pipeline);
}

// What no surface can do is said with what to do about it: too many vertices, and too few for what is thin.
static void BadSpansAreRefused(void** state)
{
    (void)state;
    Refused("sphere", "3000", "2000 vertices at most");
    Refused("tentacle", "100", "raise its detail");
    Refused("sphere", "100, \"parts\": [{\"at\": 3}, {\"at\": 9}]", "parts[0] and parts[1] are the same part");
    Refused("sphere", "100, \"parts\": [{\"at\": 90000}]", "parts[0]: the mesh has no vertex 90000");
    Refused("sphere", "100, \"method\": \"history\", \"parts\": [{\"at\": 3}]", "one material");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(BallsBounce),         cmocka_unit_test(RingsComeToRest),
        cmocka_unit_test(ForcesAreShown),      cmocka_unit_test(EveryShapeFalls),
        cmocka_unit_test(FrictionStopsBlocks), cmocka_unit_test(SpansStartExactly),
        cmocka_unit_test(PinsAreExact),        cmocka_unit_test(SpansGoOn),
        cmocka_unit_test(PartsHaveTheirOwn),   cmocka_unit_test(SoftBodiesAreWarnedOf),
        cmocka_unit_test(BadSpansAreRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
