// SPDX-License-Identifier: GPL-3.0-or-later
// Pieces of the engine of surfaces: large bends keep their volume, what is free falls as a whole, spans start exactly
// and go on, threads do not matter, and what cannot be cut says why.
#include "scene_testing.h"

#define BEAM(end, more, spans)                                                                                 \
    "{\"quaver\": 2, \"mesh\": {\"file\": \"../../scenes/beam.obj\"}, \"range\": [0, " end "], \"material\": " \
    "{\"modes\": 4, \"frequency\": 0}, \"ground\": {\"on\": false}" more ", \"simulations\": [" spans "]}"
#define SPAN(time, until, more)                                                                                  \
    "{\"engine\": \"surface\", \"time\": " time ", \"until\": " until ", \"after\": \"hold\", \"detail\": 400, " \
    "\"wobble\": 2, \"settle\": 1" more "}"
#define CLAMPED ", \"keys\": [{\"time\": 0}], \"pins\": [{\"box\": [[-2.6, 0.9, -0.6], [-2.4, 2.1, 0.6]]}]"
#define FREE    ", \"keys\": [{\"time\": 0}]"
#define MOVED                                                                                                 \
    ", \"keys\": [{\"time\": 0}, {\"time\": 0.5, \"strokes\": [{\"brush\": \"grab\", \"at\": [2.5, 1.5, 0], " \
    "\"drag\": "                                                                                              \
    "[0, 0.5, 0], \"radius\": 1}]}]"

static qvTake* Ready(const char* text, qvPool* pool)
{
    qvError error;
    qvJob job = { .pool = pool };
    qvPipeline* pipeline = MustPipeline();
    const qvScene* scene = MustParse(text);
    qvTake* take;
    ASSERT_OK(qvPipeline_Solve(pipeline, scene, QUAVER_TEST_DATA, &job, &take, &error), error);
    ASSERT_OK(qvTake_Advance(take, INFINITY, &job, &error), error);
    qvReleaseScene(scene);
    qvDestroyPipeline(pipeline);
    return take;
}

typedef struct Sight
{
    double volume, low;
    qvVec3 middle; // of the volume
} Sight;

static Sight See(const qvTake* take, double time)
{
    const qvMesh* mesh = qvTake_Body(take)->mesh;
    qvVec3f* points = PointsOf(take, time, qv_layersAll, NULL);
    Sight sight = { .low = INFINITY };
    for (int t = 0; t < mesh->triangleCount; t++)
    {
        qvVec3 x[3], sum = { 0.0, 0.0, 0.0 };
        for (int k = 0; k < 3; k++)
        {
            x[k] = qvVec3_FromFloat(points[mesh->pointTriangles[t].v[k]]);
            sum = qvAdd(sum, x[k]);
        }
        double part = qvDot(x[0], qvCross(x[1], x[2])) / 6.0;
        sight.volume += part;
        sight.middle = qvMulAdd(sight.middle, 0.25 * part, sum);
    }
    sight.middle = qvScale(1.0 / sight.volume, sight.middle);
    for (int i = 0; i < mesh->pointCount; i++)
        sight.low = fmin(sight.low, points[i].y);
    free(points);
    return sight;
}

static double Apart(const qvTake* a, const qvTake* b, double time)
{
    qvVec3f *x = PointsOf(a, time, qv_layersAll, NULL), *y = PointsOf(b, time, qv_layersAll, NULL);
    double apart = Farthest(x, y, qvTake_Body(a)->mesh->pointCount);
    free(x);
    free(y);
    return apart;
}

// Clamped at one end it bends far under its weight: in pieces it bends further and keeps more of its volume.
static void BentBeamsKeepTheirVolume(void** state)
{
    (void)state;
    qvTake *whole = Ready(BEAM("1.5", CLAMPED, SPAN("0", "1.5", "")), NULL),
           *pieces = Ready(BEAM("1.5", CLAMPED, SPAN("0", "1.5", ", \"pieces\": 5")), NULL);
    double volume = See(whole, 0.0).volume, grown[2] = { 0.0, 0.0 }, low[2] = { INFINITY, INFINITY };
    for (double time = 0.0; time <= 1.5; time += 0.05)
    {
        Sight sights[2] = { See(whole, time), See(pieces, time) };
        for (int k = 0; k < 2; k++)
        {
            grown[k] = fmax(grown[k], fabs(sights[k].volume / volume - 1.0));
            low[k] = fmin(low[k], sights[k].low);
        }
    }
    print_message("volume %.2f %% off in one piece, %.2f %% in five; the end falls to %.2f and %.2f\n",
                  100.0 * grown[0], 100.0 * grown[1], low[0], low[1]);
    assert_true(grown[0] < 0.06 && grown[1] < 0.0191); // the paper's figure
    assert_true(grown[1] < 0.5 * grown[0]);
    assert_true(low[1] < low[0] && low[1] > -3.0);
    qvReleaseTake(whole);
    qvReleaseTake(pieces);
}

// Free, it falls as one: seams pull on nothing else, and calming keeps momenta.
static void FreePiecesFallAsOne(void** state)
{
    (void)state;
    qvTake* take = Ready(BEAM("0.6", FREE, SPAN("0", "0.6", ", \"pieces\": 4")), NULL);
    Sight start = See(take, 0.0), end = See(take, 0.6);
    ASSERT_NEAR(start.middle.y - end.middle.y, 0.5 * 9.81 * 0.6 * 0.6, 0.03); // steps of first order
    ASSERT_NEAR(qvDistance(start.middle, qvMakeVec3(0.0, 1.5, 0.0)), 0.0, 1e-6);
    ASSERT_NEAR(hypot(end.middle.x - start.middle.x, end.middle.z - start.middle.z), 0.0, 1e-4);
    ASSERT_NEAR(end.volume, start.volume, 1e-4 * start.volume); // nothing strains it
    ASSERT_NEAR(end.low - end.middle.y, start.low - start.middle.y, 1e-3);
    qvReleaseTake(take);
}

// From a pose in motion, for any threads, and over two spans.
static void PiecesStartExactlyAndGoOn(void** state)
{
    (void)state;
    qvPool* pool;
    qvError error;
    ASSERT_OK(qvCreatePool(3, &pool, &error), error);
    qvTake *keyed = SolveAlone(BEAM("0.8", MOVED, "")),
           *one = Ready(BEAM("0.8", MOVED, SPAN("0.4", "0.8", ", \"pieces\": 3")), NULL),
           *threads = Ready(BEAM("0.8", MOVED, SPAN("0.4", "0.8", ", \"pieces\": 3")), pool),
           *two = Ready(
               BEAM("0.8", MOVED, SPAN("0.4", "0.6", ", \"pieces\": 3") ", " SPAN("0.6", "0.8", ", \"pieces\": 3")),
               NULL);
    ASSERT_NEAR(Apart(one, keyed, 0.4), 0.0, 1e-5);
    assert_true(Apart(one, keyed, 0.75) > 0.02);
    ASSERT_NEAR(Apart(one, threads, 0.77), 0.0, 0.0);
    ASSERT_NEAR(Apart(one, two, 0.55), 0.0, 0.0);
    ASSERT_NEAR(Apart(one, two, 0.75), 0.0, 1e-5);
    qvReleaseTake(keyed);
    qvReleaseTake(one);
    qvReleaseTake(threads);
    qvReleaseTake(two);
    qvDestroyPool(pool);
}

static void ExpectRefused(const char* text, const char* part)
{
    qvError error;
    qvPipeline* pipeline = MustPipeline();
    const qvScene* scene = MustParse(text);
    qvTake* take;
    assert_int_equal(qvPipeline_Solve(pipeline, scene, QUAVER_TEST_DATA, NULL, &take, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, part);
    qvReleaseScene(scene);
    qvDestroyPipeline(pipeline);
}

static void SomeCannotBeCut(void** state)
{
    (void)state;
    ExpectRefused(
        "{\"quaver\": 2, \"mesh\": {\"primitive\": \"torus\", \"resolution\": 6}, \"range\": [0, 1], \"keys\": "
        "[{\"time\": 0}], \"simulations\": [" SPAN("0", "1", ", \"pieces\": 4") "]}",
        "cannot be cut into 4 pieces");
    ExpectRefused(BEAM("1", FREE, SPAN("0", "1", ", \"pieces\": 2, \"method\": \"history\"")), "in one piece");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(BentBeamsKeepTheirVolume),
        cmocka_unit_test(FreePiecesFallAsOne),
        cmocka_unit_test(PiecesStartExactlyAndGoOn),
        cmocka_unit_test(SomeCannotBeCut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
