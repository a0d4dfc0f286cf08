// SPDX-License-Identifier: GPL-3.0-or-later
// Simulations of points that keep dents, melt and set again: the mesh that they carry.
#include "scene_testing.h"

#define ABOVE        "\"keys\": [{\"time\": 0, \"transform\": {\"translate\": [0, 0.5, 0]}}], \"range\": [0, 2.5], "
#define POINTS(more) "{\"engine\": \"points\", \"time\": 0.1, \"detail\": 150, \"wobble\": 5, " more "}"
#define DROP(spans)  SCENE(FEW_MODES ", " ABOVE "\"simulations\": [" spans "]")

static void MustAdvance(const qvTake* take, qvPool* pool)
{
    qvError error;
    qvJob job = { .pool = pool };
    ASSERT_OK(qvTake_Advance(take, INFINITY, &job, &error), error);
}

static qvTake* Simulate(const char* scene)
{
    qvTake* take = SolveAlone(scene);
    MustAdvance(take, NULL);
    return take;
}

// The body's points at a time: their box, and the volume of the mesh.
typedef struct Shape
{
    double lowest, height, width, volume;
} Shape;

static Shape ShapeOf(const qvTake* take, double time)
{
    const qvMesh* mesh = qvTake_Body(take)->mesh;
    qvVec3f* points = PointsOf(take, time, qv_layersAll, NULL);
    qvBox box = qvComputeBounds(points, mesh->pointCount);
    Shape shape = { box.lower.y, box.upper.y - box.lower.y, box.upper.x - box.lower.x, 0.0 };
    for (int t = 0; t < mesh->triangleCount; t++)
    {
        const int32_t* v = mesh->pointTriangles[t].v;
        qvVec3 a = qvVec3_FromFloat(points[v[0]]), b = qvVec3_FromFloat(points[v[1]]);
        shape.volume += qvDot(a, qvCross(b, qvVec3_FromFloat(points[v[2]]))) / 6.0;
    }
    free(points);
    assert_true(isfinite(shape.height + shape.width + shape.volume));
    return shape;
}

static void BodiesKeepDents(void** state)
{
    (void)state;
    qvTake *elastic = Simulate(DROP(POINTS("\"after\": \"hold\", \"until\": 1.6"))),
           *clay = Simulate(DROP(POINTS("\"after\": \"hold\", \"until\": 1.6, \"dent\": 0.7")));
    Shape start = ShapeOf(clay, 0.1), before = ShapeOf(elastic, 1.6), after = ShapeOf(clay, 1.6);
    assert_true(before.height > 0.96 * start.height);
    assert_true(after.height < 0.93 * start.height && after.width > 1.02 * start.width);
    assert_in_range((int)(1000.0 * after.volume / start.volume), 900, 1100);
    qvReleaseTake(elastic);
    qvReleaseTake(clay);
}

#define MELTING "\"melt\": [[0, 0], [0.2, 1], [1.2, 1], [1.4, 0]]"

static void BodiesMeltAndSet(void** state)
{
    (void)state;
    qvTake* take = Simulate(DROP(POINTS("\"after\": \"hold\", " MELTING)));
    Shape start = ShapeOf(take, 0.1), set = ShapeOf(take, 2.0), later = ShapeOf(take, 2.5);
    assert_true(set.height < 0.8 * start.height && set.width > 1.1 * start.width);
    ASSERT_NEAR(later.height, set.height, 0.03 * start.height); // it is solid again
    ASSERT_NEAR(later.width, set.width, 0.03 * start.width);
    for (double time = 0.1; time < 2.5; time += 0.1)
    {
        Shape shape = ShapeOf(take, time);
        assert_true(shape.lowest > -1e-5); // the mesh itself stays out of the ground
        assert_in_range((int)(1000.0 * shape.volume / start.volume), 900, 1100);
    }
    qvReleaseTake(take);
}

// A ball melts over a spike, sets, and the spike leaves through the ground.
#define SPIKE_GOES                                                                                                     \
    "{\"quaver\": 1, \"mesh\": {\"primitive\": \"sphere\", \"resolution\": 16}, " FEW_MODES                            \
    ", \"ground\": {\"height\": 0}, \"obstacles\": [{\"shape\": \"box\", \"size\": [0.2, 1.6, 0.2], \"friction\": 0, " \
    "\"keys\": [{\"time\": 1.3, \"at\": [0.3, 0.0, 0.1]}, {\"time\": 1.31, \"at\": [0.3, 0.0, 0.1]}, {\"time\": "      \
    "1.7, \"at\": [0.3, -3, 0.1]}]}], \"keys\": [{\"time\": 0, \"transform\": {\"translate\": [0, 0.7, 0]}}], "        \
    "\"range\": [0, 2], \"simulations\": [{\"engine\": \"points\", \"time\": 0, \"detail\": 300, \"wobble\": 8, "      \
    "\"relax\": true, \"after\": \"hold\", \"melt\": [[0, 1], [1, 1], [1.1, 0]], \"flow\": "

// How deep what is drawn is within the place where the spike stood until 1.3 s, in spacings of phyxels; and how many
// vertices it has.
static double DepthInSpike(qvTakeView* view, double time, int* vertices)
{
    qvError error;
    double deepest = 0.0, volume = 0.0;
    ASSERT_OK(qvTakeView_Show(view, time, qv_layersAll, NULL, &error), error);
    for (int v = 0; v < view->mesh->vertexCount; v++)
    {
        qvVec3 x = qvVec3_FromFloat(view->vertices[v]);
        deepest = fmax(deepest, fmin(0.8 - x.y, fmin(0.1 - fabs(x.x - 0.3), 0.1 - fabs(x.z - 0.1))));
    }
    for (int t = 0; t < view->mesh->triangleCount; t++)
    {
        const int32_t* v = view->mesh->triangles[t].v;
        qvVec3 a = qvVec3_FromFloat(view->vertices[v[0]]), b = qvVec3_FromFloat(view->vertices[v[1]]);
        volume += qvDot(a, qvCross(b, qvVec3_FromFloat(view->vertices[v[2]]))) / 6.0;
    }
    *vertices = view->mesh->vertexCount;
    return deepest / cbrt(volume / 300.0);
}

static void WhatHasSetKeepsItsMould(void** state)
{
    (void)state;
    for (int flow = 0; flow < 2; flow++)
    {
        qvTake* take = Simulate(flow ? SPIKE_GOES "true}]}" : SPIKE_GOES "false}]}");
        qvTakeView view = { 0 };
        qvError error;
        int counts[4];
        ASSERT_OK(qvTakeView_SetTake(&view, take, &error), error);
        double before = DepthInSpike(&view, 1.09, &counts[0]), set = DepthInSpike(&view, 1.15, &counts[1]);
        bool isTorn = view.changed != NULL;
        double going = DepthInSpike(&view, 1.5, &counts[2]), gone = DepthInSpike(&view, 1.9, &counts[3]);
        print_message("depth in spacings: %.3f, set %.3f, then %.3f and %.3f; %d, %d, %d vertices\n", before, set,
                      going, gone, counts[0], counts[1], counts[3]);
        assert_true(isTorn == (flow == 1));
        assert_true(before < 0.1 && set < 0.1 && going < 0.1 && gone < 0.1);
        assert_true(counts[2] == counts[1] && counts[3] == counts[1]);
        qvTakeView_Free(&view);
        qvReleaseTake(take);
    }
}

// A melting body goes on in the next span with all that has flowed, and is the same for any number of threads.
static void MeltedBodiesGoOnInTheNextSpan(void** state)
{
    (void)state;
    qvTake *one = Simulate(DROP(POINTS("\"until\": 1.1, \"melt\": 1"))),
           *two = SolveAlone(DROP(POINTS("\"until\": 0.653, \"melt\": 1") ", {\"engine\": \"points\", \"wobble\": 5, "
                                                                          "\"time\": 0.653, \"melt\": 1, \"until\": "
                                                                          "1.1}"));
    qvPool* pool;
    qvError error;
    ASSERT_OK(qvCreatePool(3, &pool, &error), error);
    MustAdvance(two, pool);
    qvTake* again = Simulate(DROP(POINTS("\"until\": 0.653, \"melt\": 1")));
    int n = qvTake_Body(one)->mesh->pointCount;
    double diagonal = qvTake_Body(one)->diagonal;
    for (double time = 0.1; time < 1.1; time += 0.05)
    {
        qvVec3f *a = PointsOf(one, time, qv_layersAll, NULL), *b = PointsOf(two, time, qv_layersAll, pool);
        qvVec3f* c = PointsOf(again, time, qv_layersAll, NULL);
        ASSERT_NEAR(Farthest(a, b, n), 0.0, 0.01 * diagonal); // steps lie elsewhere
        if (time < 0.65)
            assert_memory_equal(b, c, (size_t)n * sizeof(*b));
        free(a);
        free(b);
        free(c);
    }
    Shape start = ShapeOf(two, 0.1), end = ShapeOf(two, 1.09);
    assert_true(end.height < 0.85 * start.height);
    qvReleaseTake(one);
    qvReleaseTake(two);
    qvReleaseTake(again);
    qvDestroyPool(pool);
}

// What has torn in a span goes on in the next as a solid body, with the surface that it has then.
static void TornBodiesSetInTheNextSpan(void** state)
{
    (void)state;
    qvTake* take =
        Simulate("{\"quaver\": 1, \"mesh\": {\"primitive\": \"sphere\", \"resolution\": 12}, " FEW_MODES
                 ", \"ground\": {\"height\": 0}, \"obstacles\": [{\"shape\": \"box\", \"size\": [0.3, 1, "
                 "3]}], \"keys\": [{\"time\": 0, \"transform\": {\"translate\": [0, 1.5, 0]}}], "
                 "\"range\": [0, 1.4], \"simulations\": [{\"engine\": \"points\", \"time\": 0, \"until\": 1, "
                 "\"detail\": 200, \"wobble\": 6, \"melt\": 1, \"flow\": true}, {\"engine\": \"points\", "
                 "\"time\": 1, \"until\": 1.4, \"wobble\": 6, \"after\": \"hold\"}]}");
    qvTakeView view = { 0 };
    qvError error;
    ASSERT_OK(qvTakeView_SetTake(&view, take, &error), error);
    ASSERT_OK(qvTakeView_Show(&view, 1.0 - 1e-6, qv_layersAll, NULL, &error), error);
    assert_non_null(view.changed);
    qvBox before = qvComputeBounds(view.vertices, view.mesh->vertexCount);
    int vertices = 0;
    for (double time = 1.0; time < 1.4; time += 0.05)
    {
        ASSERT_OK(qvTakeView_Show(&view, time, qv_layersAll, NULL, &error), error);
        assert_non_null(view.changed);
        if (time == 1.0)
        {
            qvBox now = qvComputeBounds(view.vertices, view.mesh->vertexCount);
            ASSERT_NEAR(qvDistance(qvVec3_FromFloat(now.lower), qvVec3_FromFloat(before.lower)), 0.0, 1e-3);
            ASSERT_NEAR(qvDistance(qvVec3_FromFloat(now.upper), qvVec3_FromFloat(before.upper)), 0.0, 1e-3);
            vertices = view.mesh->vertexCount;
        }
        assert_int_equal(view.mesh->vertexCount, vertices);
    }
    qvTakeView_Free(&view);
    qvReleaseTake(take);
}

// A body that melts for a moment while it is squashed springs back, unless it forgets its stress.
static void WhatRelaxesStaysSquashed(void** state)
{
    (void)state;
#define PULSE "\"after\": \"hold\", \"melt\": [[0.36, 0], [0.38, 0.1], [0.4, 0]]"
    qvTake *plain = Simulate(DROP(POINTS(PULSE))), *relaxed = Simulate(DROP(POINTS(PULSE ", \"relax\": true")));
    Shape start = ShapeOf(plain, 0.1), back = ShapeOf(plain, 2.4), stays = ShapeOf(relaxed, 2.4);
    print_message("height %.3f, with its stress %.3f, without %.3f\n", start.height, back.height, stays.height);
    assert_true(back.height > 0.98 * start.height && stays.height < 0.95 * start.height);
    qvReleaseTake(plain);
    qvReleaseTake(relaxed);
}

// A body that is let go inside a stone, under the ground, or under absurd gravity comes out and stays near, torn or
// not.
static void OddStartsEndWell(void** state)
{
    (void)state;
#define ODD(more, of)                                                                                           \
    SCENE(FEW_MODES ", \"range\": [0, 1], \"keys\": [{\"time\": 0}], " more ", \"simulations\": [{\"engine\": " \
                    "\"points\", \"time\": 0, \"detail\": 150, \"wobble\": 4, \"after\": \"hold\"" of "}]")
#define STONE \
    "\"ground\": {\"height\": -2}, \"obstacles\": [{\"shape\": \"sphere\", \"radius\": 0.8, \"at\": [0.2, 1, 0]}]"
#define LIQUID ", \"melt\": 1, \"flow\": true"
#define HEAVY  ", \"gravity\": [0, -1e6, 0]"
    static const struct
    {
        const char* scene;
        double floor;
    } cases[] = {
        { ODD(STONE, ""), -2.0 },
        { ODD(STONE, LIQUID), -2.0 },
        { ODD("\"ground\": {\"height\": 3}", ""), 3.0 },
        { ODD("\"ground\": {\"height\": 3}", LIQUID), 3.0 },
        { ODD("\"ground\": {\"height\": -1}", HEAVY), -1.0 },
        { ODD("\"ground\": {\"height\": -1}", HEAVY LIQUID), -1.0 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
    {
        qvTake* take = Simulate(cases[i].scene);
        Shape start = ShapeOf(take, 0.0);
        for (double time = 0.15; time < 1.0; time += 0.1)
        {
            Shape shape = ShapeOf(take, time);
            assert_true(shape.lowest > cases[i].floor - 1e-3 && shape.lowest < cases[i].floor + 6.0);
            assert_true(shape.height < 3.0 * start.height && shape.width < 20.0 * start.width);
        }
        qvReleaseTake(take);
    }
}

// What swallows a body, so that every phyxel has another way out, tears it apart: said with what to do.
static void SwallowedBodiesAreTold(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(ODD("\"ground\": {\"height\": -9}, \"obstacles\": [{\"shape\": \"sphere\", "
                                  "\"radius\": 5, \"at\": [0.1, 1, 0]}]",
                                  ""));
    qvError error;
    assert_int_equal(qvTake_Advance(take, INFINITY, NULL, &error), qv_notConverged);
    ASSERT_CONTAINS(error.message, "starts inside of obstacles");
    ASSERT_CONTAINS(error.message, "move it or them");
    qvReleaseTake(take);
}

// g / (2 pi f)^2 beside the height of 2: 0.25 of 2 at 1 Hz is 12 %, at 0.8 Hz 19 %. Along x it is 1 long.
static void SoftBodiesAreRemarkedOn(void** state)
{
    (void)state;
#define AT(wobble)  \
    SCENE(FEW_MODES \
          ", \"range\": [0, 1], \"simulations\": [{\"engine\": \"points\", \"detail\": 150, \"time\": 0" wobble "}]")
    static const struct
    {
        const char* scene;
        const char* part; // NULL: there is none
    } cases[] = {
        { AT(", \"wobble\": 1"), NULL },
        { AT(", \"wobble\": 0.8"), "simulation \"s1\" at 0 s is so soft that it sags by 19 % of its height" },
        { AT(", \"wobble\": [[0, 3], [1, 0.8]]"), "19 %" },
        { AT(", \"wobble\": 0.8, \"mute\": true"), NULL },
        { AT(", \"wobble\": 0.8, \"gravity\": [0, 0, 0]"), NULL },
        { AT(", \"wobble\": 2, \"gravity\": [100, 0, 0]"), "63 %" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
    {
        char text[qv_maxRemark];
        qvTake* take = SolveAlone(cases[i].scene);
        assert_int_equal(qvTake_SimulationRemark(take, 0, text), cases[i].part != NULL);
        if (cases[i].part != NULL)
            ASSERT_CONTAINS(text, cases[i].part);
        qvReleaseTake(take);
    }
#undef AT
}

// The mean and the largest value of a channel, and how many points show it; 0 where nothing does.
static int ShowChannel(qvTakeView* view, const char* tag, double time, double* mean, double* largest)
{
    qvShownPoints shown;
    *mean = *largest = 0.0;
    if (!qvTakeView_ShowChannel(view, tag, time, &shown))
        return 0;
    assert_string_equal(shown.channel->tag, tag);
    assert_true(shown.radius > 0.0);
    qvBox box = qvComputeBounds(shown.points, shown.count), body;
    qvTakeView_Evaluate(view, time, qv_layersAll, NULL);
    body = qvComputeBounds(view->points, qvTake_Body(view->take)->mesh->pointCount);
    assert_true(box.lower.y > body.lower.y - shown.radius && box.upper.y < body.upper.y + shown.radius);
    for (int i = 0; i < shown.count; i++)
    {
        *mean += shown.values[i] / shown.count;
        *largest = fmax(*largest, shown.values[i]);
    }
    return shown.count;
}

// At rest nothing is stretched; what is dented has flowed, once and for all; melt is as the curve says.
static void ChannelsAreShown(void** state)
{
    (void)state;
    qvTake *clay = Simulate(DROP(POINTS("\"after\": \"hold\", \"until\": 1.6, \"dent\": 0.7"))),
           *wax = Simulate(DROP(POINTS("\"until\": 1.6, " MELTING))), *jelly = Simulate(DROP(POINTS("\"until\": 1.6")));
    qvTakeView view = { 0 };
    qvError error;
    double mean, largest, last = 0.0;
    ASSERT_OK(qvTakeView_SetTake(&view, clay, &error), error);
    assert_int_equal(ShowChannel(&view, "stretch", 0.05, &mean, &largest), 0); // before the span
    assert_int_equal(ShowChannel(&view, "colour", 1.0, &mean, &largest), 0);
    int count = ShowChannel(&view, "stretch", 0.1, &mean, &largest);
    assert_true(count > 100 && largest < 0.01);
    for (double time = 0.1; time < 2.4; time += 0.05)
    {
        assert_int_equal(ShowChannel(&view, "plastic", time, &mean, &largest), count);
        assert_true(mean >= last - 1e-5);
        last = mean;
    }
    double stretch;
    ShowChannel(&view, "stretch", 1.6, &stretch, &largest);
    print_message("dented: %.1f %% have flowed, stretched by %.1f %%\n", last, stretch);
    assert_true(last > 1.0 && stretch > 1.0);
    ASSERT_OK(qvTakeView_SetTake(&view, jelly, &error), error);
    assert_int_equal(ShowChannel(&view, "plastic", 1.0, &mean, &largest), count);
    assert_true(largest == 0.0);
    assert_int_equal(ShowChannel(&view, "stretch", 1.65, &mean, &largest), 0); // on the way back
    ASSERT_OK(qvTakeView_SetTake(&view, wax, &error), error);
    ShowChannel(&view, "melt", 0.2, &mean, &largest);
    ASSERT_NEAR(mean, 50.0, 1e-3);
    ASSERT_NEAR(largest, 50.0, 1e-3);
    qvTakeView_Free(&view);
    qvReleaseTake(clay);
    qvReleaseTake(wax);
    qvReleaseTake(jelly);
}

// A slab of some height as a file, on which a body lands.
static void WriteSlab(const char* path, double top)
{
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < 8; i++)
        fprintf(file, "v %d %g %d\n", i & 1 ? 3 : -3, i & 2 ? top : -1.0, i & 4 ? 3 : -3);
    fputs("f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n", file);
    fclose(file);
}

// An obstacle's file that another program has written anew is another obstacle, also for what is kept.
static void TestChangedObstacle(void** state)
{
    (void)state;
    char path[512], scene[2048];
    OutputPath(path, sizeof(path), "points_slab.obj");
    snprintf(scene, sizeof(scene),
             SCENE(FEW_MODES ", " ABOVE "\"ground\": {\"on\": false}, \"obstacles\": [{\"shape\": \"mesh\", \"file\": "
                             "\"%s\"}], \"simulations\": [" POINTS("\"until\": 1.2") "]"),
             path);
    qvPipeline* pipeline = MustPipeline();
    double lowest[3];
    const double tops[3] = { 0.0, 0.3, 0.0 };
    for (int i = 0; i < 3; i++)
    {
        WriteSlab(path, tops[i]);
        qvTake* take = MustSolve(pipeline, scene);
        MustAdvance(take, NULL);
        lowest[i] = ShapeOf(take, 1.15).lowest;
        qvReleaseTake(take);
    }
    qvDestroyPipeline(pipeline);
    ASSERT_NEAR(lowest[1] - lowest[0], 0.3, 0.1);
    ASSERT_NEAR(lowest[2], lowest[0], 0.0);
}

static qvResult Solve(const qvPipelineDef* def, const char* text, qvError* error)
{
    const qvScene* scene;
    qvPipeline* pipeline;
    qvTake* take = NULL;
    ASSERT_OK(qvParseScene(text, strlen(text), "test", &scene, error), *error);
    ASSERT_OK(qvCreatePipeline(def, &pipeline, error), *error);
    qvResult result = qvPipeline_Solve(pipeline, scene, ".", NULL, &take, error);
    if (result == qv_ok)
        qvReleaseTake(take);
    qvReleaseScene(scene);
    qvDestroyPipeline(pipeline);
    return result;
}

#define LASTING(end)                                                   \
    SCENE(FEW_MODES ", \"keys\": [{\"time\": 0}], \"range\": [0, " end \
                    "], \"simulations\": [" POINTS("\"id\": \"s1\"") "]")

// Frames that no cache and no memory hold are refused before the first step, with what to do.
static void TooLongSpansAreRefused(void** state)
{
    (void)state;
    char folder[512];
    qvPipelineDef def = qvDefaultPipelineDef();
    qvError error;
    assert_int_equal(Solve(NULL, LASTING("1e6"), &error), qv_badInput); // more than half of any memory
    ASSERT_CONTAINS(error.message, "simulation \"s1\" at 0.1 s: its 1e+06 s would take");
    ASSERT_CONTAINS(error.message, "GB of frames");
    OutputPath(folder, sizeof(folder), "points_long");
    def.cacheFolder = folder, def.cacheLimit = (size_t)1 << 20; // a gigabyte may be taken all the same
    assert_int_equal(Solve(&def, LASTING("3600"), &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "room for 1.0 GB");
    ASSERT_OK(Solve(&def, LASTING("1800"), &error), error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestChangedObstacle),      cmocka_unit_test(ChannelsAreShown),
        cmocka_unit_test(BodiesKeepDents),          cmocka_unit_test(BodiesMeltAndSet),
        cmocka_unit_test(WhatHasSetKeepsItsMould),  cmocka_unit_test(TornBodiesSetInTheNextSpan),
        cmocka_unit_test(WhatRelaxesStaysSquashed), cmocka_unit_test(OddStartsEndWell),
        cmocka_unit_test(SoftBodiesAreRemarkedOn),  cmocka_unit_test(MeltedBodiesGoOnInTheNextSpan),
        cmocka_unit_test(TooLongSpansAreRefused),   cmocka_unit_test(SwallowedBodiesAreTold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
