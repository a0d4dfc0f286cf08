// SPDX-License-Identifier: GPL-3.0-or-later
// Families E and H of `quaver eval` against values computed with 50 digits.
#include "compare_reference.h"

// One cloud of family E turns rigidly: its energy and forces are rounding alone, at most 1e-11 E v.
static const Tolerance familyE[] = {
    { "W", 1e-14, 0.0 },
    { "rho", 1e-14, 0.0 },
    { "v", 1e-14, 0.0 },
    { "J", 1e-13, 0.0 },
    { "strain", 1e-12, 1e-14 },
    { "detJ", 1e-12, 0.0 },
    { "energy", 1e-11, 1e-11 },
    { "force", 1e-11, 1e-11 },
    { "K_times_dx", 1e-12, 0.0 },
    { "u_surfel", 1e-12, 0.0 },
    { "P", 1e-12, 0.0 },
    { "stress", 1e-13, 0.0 },
    { "F_e", 1e-13, 0.0 },
    { "F_v", 1e-11, 0.0 },
    { "f", 1e-13, 0.0 },
    { "K_block_k0_l1", 1e-12, 0.0 },
    { "plastic_new", 1e-13, 0.0 },
    { "a", 1e-14, 0.0 },
    { "b", 1e-14, 0.0 },
    { "f_at_R", 1e-14, 0.0 },
    { NULL, 0.0, 0.0 },
};

static const Tolerance familyH[] = {
    { "rbar", 1e-14, 0.0 },
    { "h", 1e-14, 0.0 },
    { "m", 1e-13, 0.0 },
    { "rho_i", 1e-13, 0.0 },
    { "v", 1e-11, 0.0 },
    { "energy", 1e-11, 0.0 },
    { "force", 1e-11, 0.0 },
    { "K_times_dx", 1e-11, 0.0 },
    { "u", 1e-11, 0.0 },
    { "omega2_from_7th", 1e-11, 0.0 },
    { "plastic_obrien", 1e-12, 0.0 },
    { "plastic_creep", 1e-12, 0.0 },
    { "b", 1e-13, 0.0 },
    { "b_new", 1e-13, 0.0 },
    { "G_new", 1e-12, 0.0 },
    { "det_b", 1e-13, 0.0 },
    { "x_new", 1e-12, 0.0 },
    { "rho_new", 1e-12, 0.0 },
    { "v_new", 1e-11, 0.0 },
    { "plastic_new", 1e-12, 0.0 },
    { "x", 1e-11, 0.0 },
    { "G", 1e-11, 0.0 },
    { "rho", 1e-13, 0.0 },
    { "p", 1e-12, 0.0 },
    { "grad_v", 1e-12, 0.0 },
    { "t1_new", 1e-12, 0.0 },
    { "t2_new", 1e-12, 0.0 },
    { "normal_new", 1e-12, 0.0 },
    { "P_prev", 1e-12, 0.0 },
    { "P_now", 1e-12, 0.0 },
    { "neighbours_now", 0.0, 0.0 },
    { "dGamma", 1e-11, 0.0 },
    { "s_tilde", 1e-14, 0.0 },
    { "b_I", 1e-14, 0.0 },
    { "split", 0.0, 0.0 },
    { "delete_probability", 1e-15, 0.0 },
    { "F", 1e-13, 0.0 },
    { "grad", 1e-13, 0.0 },
    { "distance_along_gradient", 1e-12, 0.0 },
    { "x_projected", 1e-13, 0.0 },
    { "phi_predicted", 1e-12, 0.0 },
    { "y_new", 1e-12, 0.0 },
    { "signed_distance", 1e-12, 0.0 },
    { "closest", 1e-12, 0.0 },
    { "winding", 0.0, 1e-12 },
    { NULL, 0.0, 0.0 },
};

static void TestElasticity(void** state)
{
    (void)state;
    CompareWithReference("reference/E_phyxel.json", familyE, 45);
}

static void TestSimulation(void** state)
{
    (void)state;
    CompareWithReference("reference/H_phyxel_sim.json", familyH, 45);
}

// A wrong input is an error of its case, with the field's name.
static void TestBadInput(void** state)
{
    (void)state;
#define TWO "\"x\": [[0,0,0],[1,0,0]], \"h\": [2,2], \"m\": [1,1], \"E\": 1, \"nu\": 0.3, \"kv\": 0, "
#define U   "\"plastic\": null, \"u\": [[0,0,0],[0,0,0]], \"dx\": [[0,0,0],[0,0,0]]"
    static const char* const bad[][3] = {
        { "kernel", "\"r\": 1", "in.h" },
        { "kernel", "\"r\": 1, \"h\": 0", "in.h" },
        { "cloud", TWO U, "do not span space" },
        { "cloud", "\"x\": [], \"h\": [], \"m\": [], \"E\": 1, \"nu\": 0.3, \"kv\": 0, " U, "in.x" },
        { "cloud", "\"x\": [[0,0]], \"h\": [1], \"m\": [1], \"E\": 1, \"nu\": 0.3, \"kv\": 0, " U, "in.x" },
        { "cloud", "\"x\": [[0,0,0]], \"h\": [-1], \"m\": [1], \"E\": 1, \"nu\": 0.3, \"kv\": 0, " U, "positive" },
        { "cloud", "\"x\": [[0,0,0]], \"h\": [1], \"m\": [1], \"E\": 1, \"nu\": 0.5, \"kv\": 0, " U, "in.nu" },
        { "cloud_stab", TWO "\"material\": \"jam\"", "in.material" },
        { "rereference", "\"mode\": \"none\"", "in.mode" },
        { "obstacle_project", "\"y\": [0,0,0], \"v\": [0,0,0], \"dt\": 1, \"margin\": 0", "in.friction" },
        { "mesh_distance", "\"vertices\": [[0,0,0]], \"triangles\": [[0,1,2]], \"points\": [[0,0,0]]", "in.triangles" },
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
    {
        char text[1024];
        int size = snprintf(text, sizeof(text), "{\"cases\": [{\"id\": \"x\", \"op\": \"%s\", \"in\": {%s}}]}",
                            bad[i][0], bad[i][1]);
        qvError error;
        qvJson *cases, *output;
        int failed;
        ASSERT_OK(qvParseJson(text, (size_t)size, NULL, &cases, &error), error);
        ASSERT_OK(qvEvaluateCases(cases, &output, &failed, &error), error);
        assert_int_equal(failed, 1);
        const qvJson* first = qvJson_First(qvJson_Find(output, "cases"));
        ASSERT_CONTAINS(qvJson_Text(qvJson_Find(first, "error")), bad[i][2]);
        qvDestroyJson(output);
        qvDestroyJson(cases);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestElasticity),
        cmocka_unit_test(TestSimulation),
        cmocka_unit_test(TestBadInput),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
