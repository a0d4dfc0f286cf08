// SPDX-License-Identifier: GPL-3.0-or-later
// Family C of `quaver eval` against values computed with 50 digits and more.
#include "compare_reference.h"

// Tolerances are those stated with the reference data: velocities, samples and energies; the map relative to its
// largest entry.
static const Tolerance tolerances[] = {
    { "knot_values", 1e-13, 0.0 },
    { "knot_velocities", 1e-12, 0.0 },
    { "knot_accel_left", 1e-12, 0.0 },
    { "knot_accel_right", 1e-12, 0.0 },
    { "energy", 1e-12, 0.0 },
    { "energy_soft", 1e-12, 0.0 },
    { "t", 1e-15, 0.0 },
    { "w", 1e-13, 0.0 },
    { "w1", 1e-13, 0.0 },
    { "w2", 1e-13, 0.0 },
    { "L", 1e-13, 0.0 },
    { "accel_map_w0_v0_w1_v1", 2e-14, 0.0 },
    { "accel_per_g", 1e-14, 1e-15 },
    { "k", 1e-12, 0.0 },
    { "k1", 1e-12, 0.0 },
    { "int_k", 1e-12, 0.0 },
    { "W11", 1e-11, 0.0 },
    { "W12", 1e-11, 0.0 },
    { "W22", 1e-11, 0.0 },
    { "accel0", 1e-13, 0.0 },
    { "accel1", 1e-13, 0.0 },
    { "w_mid", 5e-12, 0.0 }, // 600 radians long: rounding of the phase
    { NULL, 0.0, 0.0 },
};

static void TestReference(void** state)
{
    (void)state;
    CompareWithReference("reference/C_wiggly.json", tolerances, 49);
}

static void ExpectError(const char* text, const char* message)
{
    qvError error;
    qvJson *input, *output;
    int failed;
    ASSERT_OK(qvParseJson(text, strlen(text), NULL, &input, &error), error);
    ASSERT_OK(qvEvaluateCases(input, &output, &failed, &error), error);
    assert_int_equal(failed, 1);
    ASSERT_CONTAINS(qvJson_Text(qvJson_Find(qvJson_First(qvJson_Find(output, "cases")), "error")), message);
    qvDestroyJson(input);
    qvDestroyJson(output);
}

#define SPLINE(fields) "{\"cases\": [{\"id\": \"x\", \"op\": \"spline\", \"in\": {" fields "}}]}"
#define MATERIAL       "\"lambda\": 5, \"delta\": 0.3, \"g\": 0"

static void TestBadInput(void** state)
{
    (void)state;
    ExpectError(SPLINE("\"lambda\": 5, \"g\": 0"), "in.delta: must be a number");
    ExpectError(SPLINE(MATERIAL), "in.t: must be a list of 2 to");
    ExpectError(SPLINE(MATERIAL ", \"bc\": \"natural\", \"t\": [0, 1, 1], \"values\": [0, 1, 2]"), "must ascend");
    ExpectError(SPLINE(MATERIAL ", \"bc\": \"natural\", \"t\": [0, 1], \"values\": [0]"), "in.values");
    ExpectError(SPLINE(MATERIAL ", \"bc\": \"tight\", \"t\": [0, 1], \"values\": [0, 1]"), "in.bc: \"tight\"");
    ExpectError(SPLINE(MATERIAL ", \"bc\": \"general\", \"t\": [0, 1], \"values\": [0, true]"), "in.values[1]");
    ExpectError("{\"cases\": [{\"id\": \"x\", \"op\": \"interval\", \"in\": {" MATERIAL ", \"h\": 1}}]}", "in.w0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestReference),
        cmocka_unit_test(TestBadInput),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
