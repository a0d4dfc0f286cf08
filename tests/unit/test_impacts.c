// SPDX-License-Identifier: GPL-3.0-or-later
// Waves that knocks send through simulated bodies.
#include "scene_testing.h"

#define DROPPED(more)                                                                                               \
    SCENE(FEW_MODES ", \"keys\": [{\"time\": 0, \"transform\": {\"translate\": [0, 0.5, 0]}}], \"range\": [0, 2], " \
                    "\"simulations\": [{\"engine\": \"points\", \"time\": 0.1, \"detail\": 150, \"wobble\": 5, "    \
                    "\"after\": \"hold\"" more "}]")

static void MustAdvance(const qvTake* take, double time)
{
    qvError error;
    ASSERT_OK(qvTake_Advance(take, time, NULL, &error), error);
}

static qvTake* Simulate(const char* text)
{
    qvTake* take = SolveAlone(text);
    MustAdvance(take, INFINITY);
    return take;
}

// How far two motions are apart at most at a time.
static double ApartAt(const qvTake* a, const qvTake* b, double time)
{
    qvVec3f *x = PointsOf(a, time, qv_layersAll, NULL), *y = PointsOf(b, time, qv_layersAll, NULL);
    double apart = Farthest(x, y, qvTake_Body(a)->mesh->pointCount);
    free(x), free(y);
    return apart;
}

static double LargestApart(const qvTake* a, const qvTake* b, double from, double to)
{
    double largest = 0.0;
    for (double time = from; time < to; time += 1.0 / 60.0)
        largest = fmax(largest, ApartAt(a, b, time));
    return largest;
}

// From half a unit up it is on the ground after 0.319 s, at 3.1 units/s. Waves start then, are larger where knocks are
// told to be, and do not change where physics takes the body.
static void KnocksSendWaves(void** state)
{
    (void)state;
    qvTake *none = Simulate(DROPPED("")), *some = Simulate(DROPPED(", \"impacts\": 0.3")),
           *more = Simulate(DROPPED(", \"impacts\": 1"));
    double landing = 0.1 + sqrt(2.0 * 0.5 / 9.81);
    ASSERT_NEAR(LargestApart(none, more, 0.0, landing - 0.01), 0.0, 0.0);
    double weak = LargestApart(none, some, landing, 2.0), strong = LargestApart(none, more, landing, 2.0);
    double soon = LargestApart(none, more, landing, landing + 0.1);
    print_message("waves of %.3f and %.3f, at once %.3f; at the end %.2g\n", weak, strong, soon,
                  ApartAt(none, more, 2.0));
    assert_true(soon > 0.01);
    assert_true(strong > 1.5 * weak && weak > 0.01);
    assert_true(strong < 0.5);
    qvReleaseTake(none);
    qvReleaseTake(some);
    qvReleaseTake(more);
}

// A body that stands on the ground from the start has no knocks, nor has one in the air.
static void StandingIsNoKnock(void** state)
{
    (void)state;
    static const char* const lies[2] = { "0", "20" };
    for (int k = 0; k < 2; k++)
    {
        char texts[2][1024];
        qvTake* takes[2];
        for (int i = 0; i < 2; i++)
        {
            snprintf(texts[i], sizeof(texts[i]),
                     SCENE(FEW_MODES ", \"keys\": [{\"time\": 0, \"transform\": {\"translate\": [0, %s, 0]}}], "
                                     "\"range\": [0, 1], \"simulations\": [{\"engine\": \"points\", \"time\": 0, "
                                     "\"detail\": 150, \"wobble\": 8, \"after\": \"hold\", \"impacts\": %d}]"),
                     lies[k], i);
            takes[i] = Simulate(texts[i]);
        }
        ASSERT_NEAR(LargestApart(takes[0], takes[1], 0.0, 1.0), 0.0, 0.0);
        qvReleaseTake(takes[0]);
        qvReleaseTake(takes[1]);
    }
}

// Simulated on from states that were saved, and in the next span, knocks are the same.
static void KnocksGoOn(void** state)
{
    (void)state;
    qvPipeline* pipeline = MustPipeline();
    qvTake *straight = Simulate(DROPPED(", \"impacts\": 1")), *known = MustSolve(pipeline, DROPPED(", \"impacts\": 1"));
    MustAdvance(known, 0.7);
    qvTake* later = MustSolve(pipeline, DROPPED(", \"impacts\": 1, \"name\": \"again\""));
    MustAdvance(later, INFINITY);
    qvTake* whole = MustSolve(pipeline, DROPPED(", \"impacts\": 1"));
    ASSERT_NEAR(LargestApart(straight, whole, 0.0, 2.0), 0.0, 0.0);
    qvTake* halves = Simulate(DROPPED(", \"impacts\": 1, \"until\": 0.9}, {\"engine\": \"points\", \"time\": 0.9, "
                                      "\"detail\": 150, \"wobble\": 5, \"after\": \"hold\", \"impacts\": 1"));
    ASSERT_NEAR(LargestApart(straight, halves, 0.0, 1.9), 0.0, 1e-3);
    qvReleaseTake(straight);
    qvReleaseTake(known);
    qvReleaseTake(later);
    qvReleaseTake(whole);
    qvReleaseTake(halves);
    qvDestroyPipeline(pipeline);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(KnocksSendWaves),
        cmocka_unit_test(StandingIsNoKnock),
        cmocka_unit_test(KnocksGoOn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
