// SPDX-License-Identifier: GPL-3.0-or-later
// Rotation-aware motions: what turns keeps its lengths, keys are exact, the motion is C2.
#include "motion_bar.h"

static const double PI = 3.14159265358979323846;

// Largest deviations over the time between two keys a second apart, as shares of the rest shape's.
typedef struct Stretch
{
    double length, area, girth;
} Stretch;

static Stretch Measure(const Actor* actor, bool warp, qvMotionKind kind)
{
    const double times[2] = { 0.0, 1.0 };
    qvMotionKey keys[2];
    qvMotionDef def = MakeKeys(actor, keys, 2, times);
    keys[1].kind = kind;
    def.warp = warp;
    qvMotion* motion = MustMove(actor, &def);
    Stretch worst = { 0.0, 0.0, 0.0 };
    for (int k = 0; k <= 50; k++)
    {
        double* at = Look(actor, motion, 0.02 * k);
        worst.length = fmax(worst.length, fabs(BarLength(at) / BAR_LENGTH - 1.0));
        worst.area = fmax(worst.area, fabs(BarArea(actor, at) / BarArea(actor, actor->rest) - 1.0));
        worst.girth = fmax(worst.girth, fabs(BarGirth(at) - 1.0));
        free(at);
    }
    qvDestroyMotion(motion);
    return worst;
}

static void TestBend(void** state)
{
    (void)state;
    Actor actor = MakeBar();
    AddPose(&actor);
    BendBar(&actor, AddPose(&actor), 2.0 * PI / 3.0, 0.0);
    actor.def.modes = 20;
    MakeSpace(&actor);
    for (int kind = 0; kind < 3; kind++)
    {
        Stretch plain = Measure(&actor, false, (qvMotionKind)kind), warped = Measure(&actor, true, (qvMotionKind)kind);
        print_message("bend kind %d plain %.4f %.4f %.4f warped %.4f %.4f %.4f\n", kind, plain.length, plain.area,
                      plain.girth, warped.length, warped.area, warped.girth);
    }
    FreeActor(&actor);
}

static void TestTwist(void** state)
{
    (void)state;
    Actor actor = MakeBar();
    AddPose(&actor);
    BendBar(&actor, AddPose(&actor), 0.0, PI);
    actor.def.modes = 20;
    MakeSpace(&actor);
    for (int kind = 0; kind < 3; kind++)
    {
        Stretch plain = Measure(&actor, false, (qvMotionKind)kind), warped = Measure(&actor, true, (qvMotionKind)kind);
        print_message("twist kind %d plain %.4f %.4f %.4f warped %.4f %.4f %.4f\n", kind, plain.length, plain.area,
                      plain.girth, warped.length, warped.area, warped.girth);
    }
    FreeActor(&actor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestBend),
        cmocka_unit_test(TestTwist),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
