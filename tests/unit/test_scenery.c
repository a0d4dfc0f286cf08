// SPDX-License-Identifier: GPL-3.0-or-later
// What is drawn of obstacles: their shapes, where their keys have them.
#include "quaver/scenery.h"

#include "scene_testing.h"

static const char OBSTACLES[] =
    "{\"quaver\": 2, \"mesh\": {\"primitive\": \"block\", \"resolution\": 2}, \"range\": [0, 2], \"obstacles\": ["
    "{\"shape\": \"box\", \"size\": [2, 1, 4], \"keys\": [{\"time\": 0, \"at\": [0, 0.5, 0]},"
    " {\"time\": 1, \"at\": [3, 0.5, 0], \"rotate\": [0, 0.7071067811865476, 0, 0.7071067811865476]}]},"
    "{\"shape\": \"sphere\", \"radius\": 0.5, \"at\": [0, 9, 0], \"mute\": true},"
    "{\"shape\": \"sphere\", \"radius\": 5, \"at\": [0, 0, 0], \"inside\": true},"
    "{\"shape\": \"sphere\", \"radius\": 0.25, \"at\": [1, 2, 3]}]}";

static qvBox BoundsOf(const qvScenery* scenery, int first, int end)
{
    return qvComputeBounds(scenery->vertices + first, end - first);
}

// Mute ones and vessels are left out; a box turned by a quarter changes its sides.
static void ShapesAreWhereTheirKeysAre(void** state)
{
    (void)state;
    qvError error;
    const qvScene* scene = MustParse(OBSTACLES);
    qvScenery* scenery;
    ASSERT_OK(qvCreateScenery(scene, ".", NULL, &scenery, &error), error);
    assert_int_equal(scenery->ends[0], 8);
    assert_int_equal(scenery->ends[2], 8);
    assert_int_equal(scenery->ends[3], scenery->mesh->vertexCount);
    ASSERT_OK(qvScenery_Place(scenery, 0.0, &error), error);
    qvBox box = BoundsOf(scenery, 0, 8), ball = BoundsOf(scenery, 8, scenery->ends[3]);
    ASSERT_NEAR(box.lower.x, -1.0, 1e-6);
    ASSERT_NEAR(box.upper.z, 2.0, 1e-6);
    ASSERT_NEAR(box.lower.y, 0.0, 1e-6);
    ASSERT_NEAR(ball.upper.y - ball.lower.y, 0.5, 1e-3);
    ASSERT_NEAR(0.5 * (ball.upper.x + ball.lower.x), 1.0, 1e-5);
    ASSERT_OK(qvScenery_Place(scenery, 1.5, &error), error);
    box = BoundsOf(scenery, 0, 8);
    ASSERT_NEAR(box.lower.x, 1.0, 1e-5);
    ASSERT_NEAR(box.upper.x, 5.0, 1e-5);
    ASSERT_NEAR(box.upper.z, 1.0, 1e-5);
    // Closed, with the volume of both: their triangles face outwards.
    double volume = 0.0;
    for (int i = 0; i < scenery->mesh->triangleCount; i++)
    {
        const int32_t* v = scenery->mesh->triangles[i].v;
        qvVec3 a = qvVec3_FromFloat(scenery->vertices[v[0]]), b = qvVec3_FromFloat(scenery->vertices[v[1]]);
        volume += qvDot(a, qvCross(b, qvVec3_FromFloat(scenery->vertices[v[2]]))) / 6.0;
    }
    ASSERT_NEAR(volume, 8.0 + 4.0 / 3.0 * 3.14159265358979 * 0.25 * 0.25 * 0.25, 1e-2);
    qvDestroyScenery(scenery);
    qvReleaseScene(scene);
}

// Another place is followed, another shape is not.
static void PlacesAreFollowed(void** state)
{
    (void)state;
#define ONE(radius, at)                                                                                             \
    "{\"quaver\": 2, \"mesh\": {\"primitive\": \"block\"}, \"obstacles\": [{\"shape\": \"sphere\", " radius ", " at \
    "}]}"
    qvError error;
    const qvScene* scene = MustParse(ONE("\"radius\": 1", "\"at\": [0, 1, 0]"));
    const qvScene* moved = MustParse(ONE("\"radius\": 1", "\"at\": [4, 1, 0]"));
    const qvScene* grown = MustParse(ONE("\"radius\": 2", "\"at\": [4, 1, 0]"));
    qvScenery* scenery;
    ASSERT_OK(qvCreateScenery(scene, ".", NULL, &scenery, &error), error);
    assert_true(qvScenery_Follow(scenery, moved));
    ASSERT_OK(qvScenery_Place(scenery, 0.0, &error), error);
    ASSERT_NEAR(BoundsOf(scenery, 0, scenery->ends[0]).lower.x, 3.0, 1e-3);
    assert_false(scenery->moves);
    assert_false(qvScenery_Follow(scenery, grown));
    qvDestroyScenery(scenery);
    qvReleaseScene(scene);
    qvReleaseScene(moved);
    qvReleaseScene(grown);
}

static void ScenesWithoutObstaclesHaveNone(void** state)
{
    (void)state;
    qvError error;
    const qvScene* scene = MustParse("{\"quaver\": 2, \"mesh\": {\"primitive\": \"block\"}, \"obstacles\": ["
                                     "{\"shape\": \"sphere\", \"radius\": 1, \"mute\": true}]}");
    qvScenery* scenery;
    ASSERT_OK(qvCreateScenery(scene, ".", NULL, &scenery, &error), error);
    assert_null(scenery);
    qvReleaseScene(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ShapesAreWhereTheirKeysAre),
        cmocka_unit_test(PlacesAreFollowed),
        cmocka_unit_test(ScenesWithoutObstaclesHaveNone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
