// SPDX-License-Identifier: GPL-3.0-or-later
// The unit of a scene: what is in metres means as much in every mesh.
#include "scene_testing.h"

#include "scene/layer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MESH "\"mesh\":{\"primitive\":\"sphere\",\"resolution\":6}"
#define FEW  "\"frequency\":2,\"modes\":4"

static qvTake* MustMove(const char* text)
{
    const qvScene* scene = MustParse(text);
    qvPipeline* pipeline = MustPipeline();
    qvError error;
    qvTake* take;
    ASSERT_OK(qvPipeline_Solve(pipeline, scene, ".", NULL, &take, &error), error);
    qvReleaseScene(scene);
    qvDestroyPipeline(pipeline);
    return take;
}

// Two scenes that say the same in other units move alike, bit for bit; a third one, in yet another unit, does not.
static void CheckAlike(const char* one, const char* half, const char* other)
{
    qvTake *a = MustMove(one), *b = MustMove(half), *c = MustMove(other);
    size_t size = (size_t)qvTake_Body(a)->mesh->pointCount * sizeof(qvVec3f);
    bool differs = false;
    for (int i = 0; i <= 8; i++)
    {
        double time = 0.05 + i / 8.0;
        qvVec3f *pointsA = PointsOf(a, time, qv_layersAll, NULL), *pointsB = PointsOf(b, time, qv_layersAll, NULL),
                *pointsC = PointsOf(c, time, qv_layersAll, NULL);
        if (memcmp(pointsA, pointsB, size) != 0)
            fail_msg("%s moves otherwise at %g s", half, time);
        differs = differs || memcmp(pointsA, pointsC, size) != 0;
        free(pointsA);
        free(pointsB);
        free(pointsC);
    }
    if (!differs)
        fail_msg("the unit does not matter for %s", one);
    qvReleaseTake(a);
    qvReleaseTake(b);
    qvReleaseTake(c);
}

#define ALIKE(before, one, half, after)                                                  \
    CheckAlike("{\"quaver\":2,\"range\":[0,1]," MESH before one after "}",               \
               "{\"quaver\":2,\"unit\":0.5,\"range\":[0,1]," MESH before half after "}", \
               "{\"quaver\":2,\"unit\":0.5,\"range\":[0,1]," MESH before one after "}")

static void TestSpeeds(void** state)
{
    (void)state;
    ALIKE(",\"events\":[{\"time\":0,\"at\":[0,2,0],\"drag\":[0,-0.3,0],\"radius\":0.5,\"speed\":", "4", "2", "}]");
    ALIKE(",\"material\":{" FEW "},\"keys\":[{\"time\":0},{\"time\":0.5,\"strokes\":[{\"brush\":\"grab\",\"at\":"
          "[0,2,0],\"drag\":[0.3,0,0],\"radius\":0.5}],\"wave\":{\"kind\":\"ripple\",\"speed\":",
          "4", "2", "}}]");
    ALIKE(",\"material\":{" FEW "},\"keys\":[{\"time\":0},{\"time\":0.5,\"strokes\":[{\"brush\":\"grab\",\"at\":"
          "[0,2,0],\"drag\":[0.3,0,0],\"radius\":0.5}]},{\"time\":1}],\"secondary\":{\"enabled\":true,\"amount\":3,"
          "\"threshold\":0.01,\"speed\":",
          "4", "2", "}");
}

static void TestForces(void** state)
{
    (void)state;
    ALIKE(",\"keys\":[{\"time\":0},{\"time\":1,\"strokes\":[{\"brush\":\"grab\",\"at\":[0,2,0],\"drag\":[0.3,0,0],"
          "\"radius\":0.5}]}],\"material\":{" FEW ",\"wind\":",
          "[8,0,0]", "[4,0,0]", "}");
}

// A flight of 1 s rises by g / (8 unit), in units of the mesh.
static void TestFlight(void** state)
{
    (void)state;
    static const double units[] = { 1.0, 0.25, 10.0 };
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
    {
        char text[600];
        snprintf(text, sizeof(text),
                 "{\"quaver\":2,\"unit\":%g,\"range\":[0,1]," MESH ",\"material\":{" FEW
                 ",\"gravity\":[0,-9.81,0]},\"keys\":[{\"time\":0,\"transform\":{},\"velocity\":{\"mode\":\"broken\"}},"
                 "{\"time\":1,\"transform\":{},\"velocity\":{\"mode\":\"broken\"}}]}",
                 units[i]);
        qvTake* take = MustMove(text);
        double rise = qvTake_Frame(take, 0.5).offset.y - qvTake_Frame(take, 0.0).offset.y;
        ASSERT_NEAR(rise, 9.81 / 8.0 / units[i], 1e-9 / units[i]);
        qvReleaseTake(take);
    }
}

static void TestSimulations(void** state)
{
    (void)state;
    const qvScene* scene = MustParse("{\"quaver\":2,\"unit\":0.01," MESH ",\"simulations\":[{\"engine\":\"points\","
                                     "\"time\":0},{\"engine\":\"points\",\"time\":0.5,\"gravity\":[0,2,0]}]}");
    ASSERT_NEAR(qvSceneSimulation_Resolve(scene->simulations[0], scene).gravity.y, -981.0, 1e-9);
    ASSERT_NEAR(qvSceneSimulation_Resolve(scene->simulations[1], scene).gravity.y, 200.0, 1e-9);
    qvReleaseScene(scene);
}

// Generated waves are told in metres, as events of scenes have them.
static void TestGenerated(void** state)
{
    (void)state;
    qvTake* take =
        MustMove("{\"quaver\":2,\"unit\":0.5,\"range\":[0,1]," MESH ",\"material\":{" FEW "},\"keys\":[{\"time\":0},"
                 "{\"time\":0.5,\"strokes\":[{\"brush\":\"grab\",\"at\":[0,2,0],\"drag\":[0.3,0,0],\"radius\":0.5}]},"
                 "{\"time\":1}],\"secondary\":{\"enabled\":true,\"amount\":3,\"threshold\":0.01,\"speed\":2}}");
    assert_true(qvTake_GeneratedCount(take) > 0);
    for (int i = 0; i < qvTake_GeneratedCount(take); i++)
        assert_true(qvTake_GeneratedEvent(take, i)->def.speed == 2.0);
    qvReleaseTake(take);
}

static void TestRule(void** state)
{
    (void)state;
    assert_true(qvUnitForSize(0.2) == 1.0 && qvUnitForSize(20.0) == 1.0 && qvUnitForSize(3.4) == 1.0);
    ASSERT_NEAR(qvUnitForSize(0.15) * 0.15, 2.0, 1e-15);
    ASSERT_NEAR(qvUnitForSize(155.0) * 155.0, 2.0, 1e-15);
    assert_true(qvUnitForSize(0.0) == 1.0 && qvUnitForSize(INFINITY) == 1.0);
    qvError error;
    const qvScene* scene;
    const char* bad = "{\"quaver\":2,\"unit\":0," MESH "}";
    assert_int_equal(qvParseScene(bad, strlen(bad), "test", &scene, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "unit: ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestSpeeds),      cmocka_unit_test(TestForces),    cmocka_unit_test(TestFlight),
        cmocka_unit_test(TestSimulations), cmocka_unit_test(TestGenerated), cmocka_unit_test(TestRule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
