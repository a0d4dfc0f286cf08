// SPDX-License-Identifier: GPL-3.0-or-later
// Messages name keys and events such that they are found in the file, whatever their order there: here the one that is
// wrong is always listed first and comes last in time, or the other way round.
#include "scene_testing.h"

#define BLOCK     "{\"quaver\": 1, \"mesh\": {\"primitive\": \"block\", \"resolution\": 2}, \"material\": {\"modes\": 4}, "
#define KEYS(...) BLOCK "\"keys\": [" __VA_ARGS__ "]}"
#define FAR       "{\"brush\": \"grab\", \"at\": [0, 0, 0], \"drag\": [1e9, 0, 0], \"radius\": 1e9}"
#define FAR_AWAY  FAR ", " FAR ", " FAR

static void Refuses(const char* text, const char* part)
{
    qvPipeline* pipeline = MustPipeline();
    const qvScene* scene;
    qvError error;
    qvTake* take = NULL;
    qvResult result = qvParseScene(text, strlen(text), "test", &scene, &error);
    if (result == qv_ok)
        result = qvPipeline_Solve(pipeline, scene, QUAVER_TEST_DATA, NULL, &take, &error);
    assert_int_equal(result, qv_badInput);
    assert_null(take);
    ASSERT_CONTAINS(error.message, part);
    if (strstr(error.message, "keys[") != NULL || strstr(error.message, "events[") != NULL)
        fail_msg("a number in a sorted list: %s", error.message);
    qvReleaseScene(scene);
    qvDestroyPipeline(pipeline);
}

static void RulesOfScenes(void** state)
{
    (void)state;
    Refuses(KEYS("{\"id\": \"b\", \"time\": 2}, {\"id\": \"a\", \"time\": 1}, {\"id\": \"c\", \"time\": 1}"),
            "keys \"a\" and \"c\" are both at 1 s; move one of them");
    Refuses(BLOCK "\"loop\": true, \"range\": [0, 2], \"keys\": [{\"id\": \"b\", \"time\": 3}, {\"time\": 0}]}",
            "key \"b\" at 3 s is at or beyond the end of the loop at 2 s");
    Refuses(BLOCK "\"loop\": true, \"range\": [0, 2], \"keys\": [{\"time\": 1}, {\"id\": \"a\", \"time\": -1}]}",
            "key \"a\" at -1 s is not inside the loop");
    Refuses(KEYS("{\"id\": \"b\", \"time\": 1, \"base\": {\"key\": \"b\"}}, {\"time\": 0}"),
            "key \"b\" at 1 s is its own base");
    // Without an id the time is what finds it.
    Refuses(KEYS("{\"time\": 1, \"only\": {\"vertices\": []}}, {\"time\": 0}"),
            "key \"k2\" at 1 s: only: no vertex of the mesh is in it");
    Refuses(BLOCK
            "\"pins\": [{\"vertices\": [0, 1], \"from\": 1}], \"keys\": [{\"time\": 2}, {\"id\": \"b\", \"time\": "
            "1, \"weight\": 3}, {\"time\": 0}]}",
            "key \"b\" at 1 s: weight: pins come or go");
}

static void WhatTheMeshCannotHave(void** state)
{
    (void)state;
    Refuses(KEYS("{\"id\": \"b\", \"time\": 1, \"only\": {\"vertices\": [1, 9999]}}, {\"time\": 0}"),
            "key \"b\" at 1 s: only.vertices[1]: there is no vertex 9999");
    Refuses(
        KEYS("{\"id\": \"b\", \"time\": 1, \"velocity\": {\"mode\": \"broken\", \"out\": {\"strokes\": [{\"brush\": "
             "\"grab\", \"mask\": \"AAAAAA==\"}]}}}, {\"time\": 0}"),
        "key \"b\" at 1 s: velocity.out.strokes[0].mask: made for 1 vertices");
    Refuses(BLOCK "\"keys\": [], \"events\": [{\"id\": \"late\", \"time\": 1, \"vertex\": 9999}, {\"time\": 0}]}",
            "event \"late\" at 1 s: vertex: there is no vertex 9999");
}

static void WhatTheSolverCannotDo(void** state)
{
    (void)state;
    Refuses(KEYS("{\"id\": \"b\", \"time\": 1, \"strokes\": [" FAR_AWAY "]}, {\"time\": 0}"),
            "key \"b\" at 1 s: strokes[2]: at: ");
    Refuses(KEYS("{\"id\": \"b\", \"time\": 1, \"velocity\": {\"mode\": \"set\", \"value\": {\"strokes\": [" FAR_AWAY
                 "]}}}, {\"time\": 0}"),
            "key \"b\" at 1 s: velocity.value.strokes[2]: at: ");
    Refuses(BLOCK "\"keys\": [], \"events\": [{\"id\": \"late\", \"time\": 1, \"drag\": [1, 0, 0], \"radius\": 1e-9, "
                  "\"path\": [[0, 0, 0], [1, 0, 0]]}, {\"time\": 0}]}",
            "event \"late\" at 1 s: path: 1 long is too long");
}

// How many there are, how many there may be, and what helps.
static void TooManyPoses(void** state)
{
    (void)state;
    enum
    {
        KEYS = 300
    };
    size_t size = 200 * (KEYS + 1), length;
    char* text = malloc(size);
    assert_non_null(text);
    length = (size_t)snprintf(text, size,
                              "{\"quaver\": 1, \"mesh\": {\"primitive\": \"block\", \"resolution\": 2}, "
                              "\"material\": {\"modes\": 200}, \"keys\": [");
    for (int i = 0; i < KEYS; i++)
        length += (size_t)snprintf(text + length, size - length,
                                   "%s{\"time\": %d, \"strokes\": [{\"brush\": \"grab\", \"at\": [0, 1, 0], \"drag\": "
                                   "[%g, 0, 0], \"radius\": 0.5}]}",
                                   i > 0 ? ", " : "", i, 0.01 * i);
    snprintf(text + length, size - length, "]}");
    Refuses(text, "the keys have 300 different poses, which with ");
    Refuses(text, "and 200 modes would take about ");
    Refuses(text, "GB, more than 4; give some the same pose, or use fewer modes or points: about ");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(RulesOfScenes), cmocka_unit_test(WhatTheMeshCannotHave),
                                        cmocka_unit_test(WhatTheSolverCannotDo), cmocka_unit_test(TooManyPoses) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
