// SPDX-License-Identifier: GPL-3.0-or-later
// Simulations of points among ground, spheres, boxes and meshes: what is drawn stays out of all of them, whether it is
// the body's own mesh or one of a body that tears, and that is closed and a 2-manifold.
#include "closed_testing.h"
#include "random_vectors.h"
#include "scene_testing.h"

// Phyxels of an imp, and until when it melts; how many random bodies melt.
#ifdef QUAVER_SANITIZED
#define IMP     "400"
#define IMP_END 2
#define MELTS   1
#else
#define IMP     "600"
#define IMP_END 5
#define MELTS   12
#endif
#define TEXT_OF(number) #number
#define TEXT(number)    TEXT_OF(number)

enum
{
    DETAIL = 200,
    MOST_OBSTACLES = 8
};

// A soft ball falls between a stone, a box that stands on the ground and a cube from a file.
#define BALL "\"mesh\": {\"primitive\": \"sphere\", \"resolution\": 12}"
#define COURSE                                                                                            \
    "\"ground\": {\"height\": 0}, \"obstacles\": ["                                                       \
    "{\"shape\": \"sphere\", \"radius\": 0.6, \"at\": [0.5, 0.2, 0.4], \"friction\": 0.2},"               \
    "{\"shape\": \"box\", \"size\": [0.6, 0.8, 0.9], \"at\": [-0.5, 0.4, 0.3], \"friction\": 0.2},"       \
    "{\"shape\": \"mesh\", \"file\": \"obj/cube.obj\", \"at\": [-0.4, -0.4, -1.1], \"friction\": 0.2}], " \
    "\"keys\": [{\"time\": 0, \"transform\": {\"translate\": [0, 1.2, 0]}}], "
// A weight comes down beside its middle until it stands on the ground, and stays there.
#define PRESS                                                                                                \
    "\"ground\": {\"height\": 0}, \"obstacles\": [{\"shape\": \"box\", \"size\": [0.8, 1, 0.8], \"keys\": [" \
    "{\"time\": 0.1, \"at\": [0.3, 2.6, 0.2]}, {\"time\": 1.2, \"at\": [0.3, 0.5, 0.2]}]}], "
#define SPAN(more)                                                                                              \
    "\"range\": [0, 1.6], \"simulations\": [{\"engine\": \"points\", \"time\": 0, \"detail\": 200, \"after\": " \
    "\"hold\", " more "}]"
#define PLAY(more) "{\"quaver\": 1, " BALL ", " FEW_MODES ", " more "}"

// How deep what is drawn was inside at most, in spacings of phyxels.
typedef struct Depths
{
    double plain;       // ground, spheres, boxes
    double mesh;        // triangles of meshes
    int torn;           // frames with a mesh of their own
    double least, most; // volume of what is drawn
} Depths;

// The cube from the file is that between (0, 0, 0) and (1, 1, 1).
static double CubeDepth(const qvObstaclePlace* place, qvVec3 p)
{
    qvVec3 own = qvSub(p, place->at);
    double x = fmin(own.x, 1.0 - own.x), y = fmin(own.y, 1.0 - own.y), z = fmin(own.z, 1.0 - own.z);
    return fmin(x, fmin(y, z));
}

static void MeasureFrame(const qvTakeView* view, const qvObstacles* obstacles, double time, double spacing,
                         Depths* depths)
{
    const qvScene* scene = qvTake_Scene(view->take);
    qvObstaclePlace places[MOST_OBSTACLES];
    int count = qvObstacles_Count(obstacles);
    assert_true(count <= MOST_OBSTACLES);
    qvObstacles_Place(obstacles, time, places);
    for (int v = 0; v < view->mesh->vertexCount; v++)
    {
        qvVec3 x = qvVec3_FromFloat(view->vertices[v]);
        for (int k = 0; k < count; k++)
        {
            if (k > 0 && scene->obstacles[k - 1]->shape == qv_shapeMesh)
                depths->mesh = fmax(depths->mesh, CubeDepth(&places[k], x) / spacing);
            else
                depths->plain = fmax(depths->plain, -qvObstacles_Touch(obstacles, places, k, x).distance / spacing);
        }
    }
}

static Depths Measure(const char* text)
{
    qvTake* take = SolveAlone(text);
    qvError error;
    qvObstacles* obstacles;
    qvTakeView view = { 0 };
    Depths depths = { .least = INFINITY };
    ASSERT_OK(qvTake_Advance(take, INFINITY, NULL, &error), error);
    ASSERT_OK(qvCreateSceneObstacles(qvTake_Scene(take), QUAVER_TEST_DATA, 0.0, NULL, &obstacles, &error), error);
    ASSERT_OK(qvTakeView_SetTake(&view, take, &error), error);
    double volume = VolumeOf(qvTake_Body(take)->mesh), spacing = cbrt(volume / DETAIL);
    for (double time = 0.2; time < 1.6; time += 0.1)
    {
        ASSERT_OK(qvTakeView_Show(&view, time, qv_layersAll, NULL, &error), error);
        MeasureFrame(&view, obstacles, time, spacing, &depths);
        if (view.changed != NULL)
        {
            AssertClosedManifold(view.changed);
            double share = VolumeOf(view.changed) / volume;
            depths.least = fmin(depths.least, share);
            depths.most = fmax(depths.most, share);
            depths.torn++;
        }
    }
    qvTakeView_Free(&view);
    qvDestroyObstacles(obstacles);
    qvReleaseTake(take);
    print_message("in spacings inside: %.4f, of meshes %.4f; %d torn, volume %.3f to %.3f\n", depths.plain, depths.mesh,
                  depths.torn, depths.least, depths.most);
    return depths;
}

#define SOFT   "\"wobble\": 3, \"friction\": 0.1"
#define LIQUID "\"wobble\": 3, \"friction\": 0.1, \"flow\": true, \"melt\": [[0, 0.3], [0.5, 1]]"

static void WhatIsDrawnStaysOut(void** state)
{
    static const struct
    {
        const char* scene;
        bool tears;
    } cases[] = {
        { PLAY(COURSE SPAN(SOFT)), false },
        { PLAY(COURSE SPAN(LIQUID)), true },
        { PLAY(PRESS SPAN(SOFT)), false },
        { PLAY(PRESS SPAN(LIQUID)), true },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
    {
        Depths depths = Measure(cases[i].scene);
        assert_true(depths.plain <= 0.1 && depths.mesh <= 0.3);
        assert_true((depths.torn > 5) == cases[i].tears);
    }
    (void)state;
}

// Bodies that tear on obstacles here and there, and spin as they are let go.
static void RandomMeltsAreClosed(void** state)
{
    uint64_t random = 4;
    int torn = 0;
    for (int n = 0; n < MELTS; n++)
    {
        char text[2048];
        qvVec3 stone = RandomVec3(&random), box = RandomVec3(&random), size = RandomVec3(&random);
        double turn = 2.0 * RandomUnit(&random), wobble = 1.5 + 4.0 * RandomUnit(&random);
        double first = RandomUnit(&random), dent = RandomUnit(&random) < 0.5 ? 0.0 : RandomUnit(&random);
        snprintf(text, sizeof(text),
                 "{\"quaver\": 1, \"mesh\": {\"primitive\": \"%s\", \"resolution\": 10}, " FEW_MODES
                 ", \"ground\": {\"height\": 0}, \"range\": [0, 1.6], \"obstacles\": ["
                 "{\"shape\": \"sphere\", \"radius\": 0.5, \"at\": [%g, 0.2, %g]},"
                 "{\"shape\": \"box\", \"size\": [%g, 0.8, %g], \"at\": [%g, 0.4, %g]}],"
                 "\"keys\": [{\"time\": 0, \"transform\": {\"translate\": [0, 1.5, 0]}}, {\"time\": 0.2, "
                 "\"transform\": {\"translate\": [0, 1.4, 0], \"rotate\": [0, 0, %g, 1]}}],"
                 "\"simulations\": [{\"engine\": \"points\", \"time\": 0.1, \"detail\": 200, \"after\": \"hold\", "
                 "\"wobble\": %g, \"dent\": %g, \"flow\": true, \"melt\": [[0, %g], [0.5, 1]]}]}",
                 n % 2 == 0 ? "sphere" : "block", 0.7 * stone.x, 0.7 * stone.z, 0.1 + fabs(size.x), 0.1 + fabs(size.z),
                 0.6 * box.x, 0.6 * box.z, turn, wobble, dent, first);
        Depths depths = Measure(text);
        assert_true(depths.plain <= 0.1);
        torn += depths.torn;
    }
    assert_true(torn >= 4 * MELTS);
    (void)state;
}

// An imp melts on the ground for five seconds, torn most of the time, and keeps its volume.
static void MeltingKeepsTheVolume(void** state)
{
    qvTake* take =
        SolveAlone("{\"quaver\": 1, \"mesh\": {\"primitive\": \"imp\", \"resolution\": 12}, " FEW_MODES
                   ", \"ground\": {\"height\": 0}, \"range\": [0, " TEXT(
                       IMP_END) "], \"simulations\": [{\"engine\": "
                                "\"points\", \"time\": 0, \"detail\": " IMP ", \"after\": \"hold\", \"wobble\": 3, "
                                "\"flow\": true, \"melt\": [[0, 0], [0.3, 1]]}]}");
    qvError error;
    qvTakeView view = { 0 };
    ASSERT_OK(qvTake_Advance(take, INFINITY, NULL, &error), error);
    ASSERT_OK(qvTakeView_SetTake(&view, take, &error), error);
    double volume = VolumeOf(qvTake_Body(take)->mesh);
    double least = INFINITY, most = 0.0, height = qvTake_Body(take)->mesh->bounds.upper.y;
    int torn = 0;
    for (double time = 0.25; time <= IMP_END; time += 0.25)
    {
        ASSERT_OK(qvTakeView_Show(&view, time, qv_layersAll, NULL, &error), error);
        if (view.changed == NULL)
            continue;
        AssertClosedManifold(view.changed);
        double share = VolumeOf(view.changed) / volume;
        least = fmin(least, share);
        most = fmax(most, share);
        torn++;
    }
    double melted = qvComputeBounds(view.vertices, view.mesh->vertexCount).upper.y;
    print_message("%d frames torn, volume %.4f to %.4f, height %.3f of %.3f\n", torn, least, most, melted, height);
    assert_true(torn >= IMP_END && melted < 0.5 * height);
    assert_true(least > 0.95 && most < 1.05);
    qvTakeView_Free(&view);
    qvReleaseTake(take);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(WhatIsDrawnStaysOut), cmocka_unit_test(RandomMeltsAreClosed),
                                        cmocka_unit_test(MeltingKeepsTheVolume) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
