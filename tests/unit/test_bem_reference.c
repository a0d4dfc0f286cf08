// SPDX-License-Identifier: GPL-3.0-or-later
// Families F and G of `quaver eval` (boundary elements) against values computed with 40 digits and more, or by a second
// route.
#include "compare_reference.h"

static void TestKernels(void** state)
{
    (void)state;
    static const Tolerance tolerances[] = { { "*", 1e-13, 0.0 }, { NULL, 0.0, 0.0 } };
    CompareWithReference("reference/F_bem.json", tolerances, 42);
}

// The sums with a given short contour round off like their largest factor, 1e5.
static void TestTriangles(void** state)
{
    (void)state;
    static const Tolerance tolerances[] = {
        { "weights_real", 1e-10, 0.0 },
        { "weights_ij_k", 1e-10, 0.0 },
        { "*", 1e-13, 0.0 },
        { NULL, 0.0, 0.0 },
    };
    CompareWithReference("reference/F_bem_tri.json", tolerances, 40);
}

// Each case says how well it is known. The centroids of bodies round the origin are zero to rounding.
static void TestMeshes(void** state)
{
    (void)state;
    static const Tolerance tolerances[] = { { "cm", 0.0, 1e-15 }, { "*", 0.0, 0.0 }, { NULL, 0.0, 0.0 } };
    CompareWithReference("reference/G_bem_mesh.json", tolerances, 59);
}

static void ExpectError(const char* op, const char* in, const char* message)
{
    char text[2048];
    int size = snprintf(text, sizeof(text), "{\"cases\": [{\"id\": \"x\", \"op\": \"%s\", \"in\": {%s}}]}", op, in);
    qvError error;
    qvJson *cases, *output;
    int failed;
    ASSERT_OK(qvParseJson(text, (size_t)size, NULL, &cases, &error), error);
    ASSERT_OK(qvEvaluateCases(cases, &output, &failed, &error), error);
    assert_int_equal(failed, 1);
    const qvJson* first = qvJson_First(qvJson_Find(output, "cases"));
    ASSERT_CONTAINS(qvJson_Text(qvJson_Find(first, "error")), message);
    qvDestroyJson(output);
    qvDestroyJson(cases);
}

// A wrong input is an error of its case, which says what is wrong with it.
static void TestBadInput(void** state)
{
    (void)state;
#define TETRAHEDRON "\"V\": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]"
    ExpectError("mass_props", TETRAHEDRON ", \"rho\": 1, \"F\": [[0,2,1],[0,1,3],[0,3,2]]", "at least");
    ExpectError("mass_props", TETRAHEDRON ", \"rho\": 1, \"F\": [[0,2,1],[0,1,3],[0,3,2],[1,2,3],[1,2,3]]", "manifold");
    ExpectError("mass_props", TETRAHEDRON ", \"rho\": 1, \"F\": [[0,2,1],[0,1,3],[0,3,2],[1,3,2]]", "turned over");
    ExpectError("mass_props", TETRAHEDRON ", \"rho\": 1, \"F\": [[0,1,2],[0,3,1],[0,2,3],[1,3,2]]", "inside out");
    ExpectError("mass_props", TETRAHEDRON ", \"rho\": 1, \"F\": [[0,2,1],[0,1,3],[0,3,2],[1,2,9]]", "triangle 3");
    ExpectError("mass_props", TETRAHEDRON ", \"F\": [[0,2,1],[0,1,3],[0,3,2],[1,2,3]]", "in.rho");
    ExpectError("bem_static_rows", "\"mu\": 1, \"nu\": 0.6", "nu");
    ExpectError("kelvin_static", "\"mu\": 1, \"nu\": 0.3, \"r\": [0,0,0], \"n\": [1,0,0]", "in.r");
    ExpectError("cqm_kernel", "\"method\": \"BDF3\"", "in.method");
    ExpectError("haar2d", "\"matrix\": [[1,2,3],[1,2,3],[1,2,3]], \"keep\": 1", "power of two");
    ExpectError("contact_solve", "\"r_free\": [1,2]", "in.r_free");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestKernels),
        cmocka_unit_test(TestTriangles),
        cmocka_unit_test(TestMeshes),
        cmocka_unit_test(TestBadInput),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
