// SPDX-License-Identifier: GPL-3.0-or-later
// The meter of a loop's seam: what jumps there is found under waves too, and what merely curves is no jump.
#include "scene_testing.h"

#define LOOP        "\"loop\": true, \"range\": [0, 2], \"keep_keys\": false, " FEW_MODES ", "
#define POSE        "\"strokes\": [{\"brush\": \"grab\", \"at\": [0, 1.9, 0], \"drag\": [0.3, 0, 0], \"radius\": 0.6}]"
#define KEYS(first) LOOP "\"keys\": [{\"time\": 0" first "}, {\"time\": 1, " POSE "}]"
#define BLOW(time, rest)                                                                                               \
    ", \"events\": [{\"time\": " #time ", \"shape\": \"grab\", \"load\": \"impulse\", \"at\": [0, 1, 0.3], \"drag\": " \
    "[0.2, 0, 0]" rest "}]"

// Farthest that waves move a point at a time, of the diagonal.
static double WaveSize(const qvTake* take, double time)
{
    qvVec3f *all = PointsOf(take, time, qv_layersAll, NULL), *motion = PointsOf(take, time, qv_layersMotion, NULL);
    double size = Farthest(all, motion, qvTake_Body(take)->mesh->pointCount) / qvTake_Body(take)->diagonal;
    free(all);
    free(motion);
    return size;
}

static qvSeam SeamOf(const char* scene, double* waves)
{
    qvTake* take = SolveAlone(scene);
    qvSeam seam = qvTake_Seam(take);
    *waves = WaveSize(take, 0.0);
    qvReleaseTake(take);
    return seam;
}

// A wave that passes the seam is smooth there, however quick it is.
static void WavesPassTheSeam(void** state)
{
    (void)state;
    const char* scenes[] = {
        SCENE(KEYS("") BLOW(1.9, ", \"radius\": 0.15")),
        SCENE(KEYS("") BLOW(1.98, ", \"radius\": 0.08, \"speed\": 20")),
        SCENE(KEYS("") BLOW(1.9, ", \"radius\": 0.1, \"speed\": 8, \"poisson\": 0.5")),
        SCENE(LOOP "\"secondary\": {\"enabled\": true, \"amount\": 3}, \"keys\": [{\"time\": 0.5}, {\"time\": 1, " POSE
                   "}]"),
    };
    for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++)
    {
        double waves;
        qvSeam seam = SeamOf(scenes[i], &waves);
        assert_true(waves > 1e-3);
        assert_true(seam.closes && seam.position < 1e-6 && seam.velocity < 1e-3 && seam.acceleration < 1.0);
    }
}

// A blow or a ripple that starts at the seam, or next to it, is one as anywhere else.
static void StartsAreNoJumps(void** state)
{
    (void)state;
    const char* scenes[] = {
        SCENE(KEYS("") BLOW(0, "")),
        SCENE(KEYS("") BLOW(0.002, "")),
        SCENE(KEYS("") BLOW(1.999, "")),
        SCENE(KEYS("") BLOW(2, "")),
        SCENE(KEYS(", \"wave\": {\"kind\": \"ripple\"}, " POSE)),
    };
    for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++)
    {
        double waves;
        qvSeam seam = SeamOf(scenes[i], &waves);
        assert_true(seam.closes && seam.velocity < 1e-6 && seam.acceleration < 1e-3);
    }
}

// A jump of the motion is as large under waves as without them.
static void JumpsShowUnderWaves(void** state)
{
    (void)state;
    double waves;
    qvSeam linear = SeamOf(SCENE(KEYS(", \"interp\": \"linear\"")), &waves);
    assert_true(waves == 0.0 && linear.velocity > 0.1 && linear.position < 1e-12 && !linear.closes);
    qvSeam under = SeamOf(SCENE(KEYS(", \"interp\": \"linear\"") BLOW(1.7, "")), &waves);
    assert_true(waves > 1e-3 && !under.closes);
    ASSERT_NEAR(under.velocity, linear.velocity, 0.03 * linear.velocity);
    qvSeam hold = SeamOf(SCENE(KEYS(", \"interp\": \"hold\"")), &waves);
    under = SeamOf(SCENE(KEYS(", \"interp\": \"hold\"") BLOW(1.7, "")), &waves);
    assert_true(hold.position > 0.01 && !hold.closes && waves > 1e-3 && !under.closes);
    ASSERT_NEAR(under.position, hold.position, 1e-3 * hold.position); // waves turn with the body, which jumps
}

// There and back in straight lines: the velocity changes by twice that of one way.
static qvSeam Shuttle(double distance)
{
    char text[512];
    double waves;
    snprintf(text, sizeof(text),
             SCENE(LOOP "\"keys\": [{\"time\": 0, \"interp\": \"linear\", \"transform\": {\"translate\": [0, 0, 0]}}, "
                        "{\"time\": 1, \"interp\": \"linear\", \"transform\": {\"translate\": [%.17g, 0, 0]}}]"),
             distance);
    return SeamOf(text, &waves);
}

static void AThousandthAFrameCounts(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(SCENE(FEW_MODES));
    double diagonal = qvTake_Body(take)->diagonal;
    qvReleaseTake(take);
    qvSeam below = Shuttle(0.011 * diagonal), above = Shuttle(0.013 * diagonal);
    ASSERT_NEAR(below.velocity, 0.022, 1e-9);
    ASSERT_NEAR(above.velocity, 0.026, 1e-9);
    assert_true(below.closes);
    assert_false(above.closes);
}

static void WithoutALoopNothingJumps(void** state)
{
    (void)state;
    double waves;
    qvSeam seam = SeamOf(SCENE(FEW_MODES ", \"keys\": [{\"time\": 0}, {\"time\": 1, " POSE "}]"), &waves);
    assert_true(seam.closes && seam.position == 0.0 && seam.velocity == 0.0 && seam.acceleration == 0.0);
}

static bool RefuseSeam(void* context, const char* stage, double fraction)
{
    int* asked = context;
    (void)stage, (void)fraction;
    return ++*asked < 3;
}

// Many waves take their time; who gives up is heard between parts of one sample, and what was not finished is not kept.
static void MeasuringCanBeStopped(void** state)
{
    (void)state;
    qvError error;
    int asked = 0;
    qvTake* take = SolveAlone(SCENE(KEYS(", " POSE) BLOW(1.9, "")));
    qvTake* same = SolveAlone(SCENE(KEYS(", " POSE) BLOW(1.9, "")));
    qvJob job = { .progress = RefuseSeam, .context = &asked };
    assert_int_equal(qvTake_Measure(take, 0, &job, &error), qv_cancelled);
    assert_true(asked <= 5);
    asked = -1000000;
    ASSERT_OK(qvTake_Measure(take, 0, &job, &error), error);
    assert_true(asked > -1000000 + 12 * 2); // more than once for each sample
    assert_true(qvTake_Seam(take).acceleration == qvTake_Seam(same).acceleration);
    assert_true(qvTake_Seam(take).velocity == qvTake_Seam(same).velocity && qvTake_Seam(take).atLeast);
    qvReleaseTake(take);
    qvReleaseTake(same);
}

// The same of a key, without a loop.
static void MeasuringAKeyCanBeStopped(void** state)
{
    (void)state;
    qvError error;
    int asked = 0;
    const char* scene = SCENE(FEW_MODES ", \"keys\": [{\"time\": 0}, {\"time\": 1, " POSE "}]" BLOW(0.9, ""));
    qvTake *take = SolveAlone(scene), *same = SolveAlone(scene);
    qvJob job = { .progress = RefuseSeam, .context = &asked };
    assert_int_equal(qvTake_Measure(take, 1, &job, &error), qv_cancelled);
    assert_int_equal(asked, 3); // in the midst of the blocks of the waves
    asked = -1000000;
    ASSERT_OK(qvTake_Measure(take, 1, &job, &error), error);
    assert_true(asked > -1000000 + 4); // more than before and after all of them
    assert_true(qvTake_KeyReport(take, 1).error == qvTake_KeyReport(same, 1).error);
    qvReleaseTake(take);
    qvReleaseTake(same);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(WavesPassTheSeam),          cmocka_unit_test(StartsAreNoJumps),
        cmocka_unit_test(JumpsShowUnderWaves),       cmocka_unit_test(AThousandthAFrameCounts),
        cmocka_unit_test(WithoutALoopNothingJumps),  cmocka_unit_test(MeasuringCanBeStopped),
        cmocka_unit_test(MeasuringAKeyCanBeStopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
