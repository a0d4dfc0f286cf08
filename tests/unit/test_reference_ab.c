// SPDX-License-Identifier: GPL-3.0-or-later
// The reference cases of families A and B, computed elsewhere in 50 digits, through the operations of `quaver eval`.
#include "testing.h"

#include "quaver/eval.h"
#include "quaver/file.h"

#include <math.h>
#include <string.h>

static double LargestEntry(const qvJson* node)
{
    if (!qvJson_IsArray(node))
        return fabs(qvJson_Number(node));
    double largest = 0.0;
    for (const qvJson* item = qvJson_First(node); item != NULL; item = qvJson_Next(item))
        largest = fmax(largest, LargestEntry(item));
    return largest;
}

static double LargestDifference(const qvJson* a, const qvJson* b)
{
    if (qvJson_IsNull(b))
        return qvJson_IsNull(a) ? 0.0 : INFINITY;
    if (!qvJson_IsArray(b))
        return qvJson_IsNumber(a) ? fabs(qvJson_Number(a) - qvJson_Number(b)) : INFINITY;
    if (qvJson_Count(a) != qvJson_Count(b))
        return INFINITY;
    double largest = 0.0;
    const qvJson* item = qvJson_First(a);
    for (const qvJson* other = qvJson_First(b); other != NULL; item = qvJson_Next(item), other = qvJson_Next(other))
        largest = fmax(largest, LargestDifference(item, other));
    return largest;
}

// What reference.md says is reached in plain double: fields to 1e-10 (dynamic), the bare profiles to 1e-9.
static double Tolerance(char family, const char* name)
{
    if (family == 'A')
        return 1e-12;
    bool profile = strcmp(name, "B") == 0 || strcmp(name, "B1_over_r") == 0;
    return profile ? 1e-9 : 1e-10;
}

static void CheckCase(char family, const qvJson* want, const qvJson* got, double* worst)
{
    const char* id = qvJson_Text(qvJson_Find(want, "id"));
    assert_string_equal(id, qvJson_Text(qvJson_Find(got, "id")));
    if (qvJson_Find(got, "error") != NULL)
        fail_msg("%s: %s", id, qvJson_Text(qvJson_Find(got, "error")));
    const qvJson* out = qvJson_Find(got, "out");
    const qvJson* reference = qvJson_Find(want, "out");
    assert_true(qvJson_Count(reference) > 0);
    for (const qvJson* field = qvJson_First(reference); field != NULL; field = qvJson_Next(field))
    {
        const char* name = qvJson_Name(field);
        const qvJson* mine = qvJson_Find(out, name);
        assert_non_null(mine);
        double size = LargestEntry(field), miss = LargestDifference(mine, field);
        double error = miss == 0.0 ? 0.0 : miss / size;
        if (!(error <= Tolerance(family, name)))
            fail_msg("%s %s.%s: relative error %.3g", id, qvJson_Text(qvJson_Find(want, "op")), name, error);
        *worst = fmax(*worst, error);
    }
}

static void CheckFile(const char* name, char family, int expected)
{
    char path[512];
    qvBytes bytes;
    qvError error;
    qvJson *cases, *output;
    int failed;
    ASSERT_OK(qvReadFile(DataPath(path, sizeof(path), name), 1 << 24, &bytes, &error), error);
    ASSERT_OK(qvParseJson(bytes.data, bytes.size, NULL, &cases, &error), error);
    ASSERT_OK(qvEvaluateCases(cases, &output, &failed, &error), error);
    const qvJson* got = qvJson_First(qvJson_Find(output, "cases"));
    int count = 0;
    double worst = 0.0;
    for (const qvJson* want = qvJson_First(qvJson_Find(cases, "cases")); want != NULL;
         want = qvJson_Next(want), count++)
    {
        CheckCase(family, want, got, &worst);
        got = qvJson_Next(got);
    }
    assert_int_equal(count, expected);
    assert_int_equal(failed, 0);
    print_message("%s: worst relative error %.3g\n", name, worst);
    qvDestroyJson(output);
    qvDestroyJson(cases);
    qvFreeBytes(&bytes);
}

static void TestStatic(void** state)
{
    (void)state;
    CheckFile("reference/A_static.json", 'A', 42);
}

static void TestDynamic(void** state)
{
    (void)state;
    CheckFile("reference/B_dynamic.json", 'B', 60);
}

// A wrong input is an error of its case, with the field's name.
static void TestBadInput(void** state)
{
    (void)state;
    static const struct
    {
        const char* text;
        const char* message;
    } bad[] = {
        { "{\"mu\": 1, \"nu\": 0.7, \"eps\": [1], \"r\": [0,0,0], \"f\": [1,0,0]}", "poisson" },
        { "{\"mu\": 1, \"nu\": 0.2, \"eps\": [-1], \"r\": [0,0,0], \"f\": [1,0,0]}", "radius" },
        { "{\"mu\": 1, \"nu\": 0.2, \"eps\": [1, 1], \"r\": [0,0,0], \"f\": [1,0,0]}", "radii" },
        { "{\"mu\": -1, \"nu\": 0.2, \"eps\": [1], \"r\": [0,0,0], \"f\": [1,0,0]}", "stiffness" },
        { "{\"nu\": 0.2, \"eps\": [1], \"r\": [0,0,0], \"f\": [1,0,0]}", "in.mu" },
        { "{\"mu\": 1, \"nu\": 0.2, \"eps\": [1], \"r\": [0,0], \"f\": [1,0,0]}", "in.r" },
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
    {
        char text[512];
        int size =
            snprintf(text, sizeof(text), "{\"cases\": [{\"id\": \"x\", \"op\": \"vec\", \"in\": %s}]}", bad[i].text);
        qvError error;
        qvJson *cases, *output;
        int failed;
        ASSERT_OK(qvParseJson(text, (size_t)size, NULL, &cases, &error), error);
        ASSERT_OK(qvEvaluateCases(cases, &output, &failed, &error), error);
        assert_int_equal(failed, 1);
        const qvJson* first = qvJson_First(qvJson_Find(output, "cases"));
        ASSERT_CONTAINS(qvJson_Text(qvJson_Find(first, "error")), bad[i].message);
        qvDestroyJson(output);
        qvDestroyJson(cases);
    }
}

// Finite numbers whose load is not finite are an error of their case too, in every operation.
static void TestHugeInput(void** state)
{
    (void)state;
#define MATERIAL    "\"mu\": 1, \"nu\": 0.2, \"eps\": [1], \"t\": 1, \"r\": [0.1, 0, 0]"
#define HUGE_MATRIX "[[1e308, 0, 0], [0, 0, 0], [0, 0, 0]]"
    static const char* const bad[][2] = {
        { "affine", "\"F\": " HUGE_MATRIX },
        { "impulse", "\"f\": [0, 0, 0], \"F\": " HUGE_MATRIX },
        { "push", "\"f\": [0, 0, 0], \"F\": " HUGE_MATRIX },
        { "twist", "\"F\": " HUGE_MATRIX },
        { "rk4_advect", "\"center\": [0, 0, 0], \"x0\": [0, 0, 0], \"f\": [0, 0, 0], \"F\": " HUGE_MATRIX },
        { "tip_force", "\"u_center\": [1e308, 0, 0]" },
        { "center_gradient", "\"G_center\": " HUGE_MATRIX },
        { "point_constraints", "\"x\": [0, 0, 0], \"centers\": [[0, 0, 0]], \"eps_each\": [1], "
                               "\"targets_at_centers\": [[1e308, 0, 0]]" },
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
    {
        char text[512];
        int size =
            snprintf(text, sizeof(text), "{\"cases\": [{\"id\": \"x\", \"op\": \"%s\", \"in\": {" MATERIAL ", %s}}]}",
                     bad[i][0], bad[i][1]);
        qvError error;
        qvJson *cases, *output;
        int failed;
        ASSERT_OK(qvParseJson(text, (size_t)size, NULL, &cases, &error), error);
        ASSERT_OK(qvEvaluateCases(cases, &output, &failed, &error), error);
        const qvJson* first = qvJson_First(qvJson_Find(output, "cases"));
        print_message("%s: %s\n", bad[i][0], qvJson_Text(qvJson_Find(first, "error")));
        assert_int_equal(failed, 1);
        qvDestroyJson(output);
        qvDestroyJson(cases);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestStatic),
        cmocka_unit_test(TestDynamic),
        cmocka_unit_test(TestBadInput),
        cmocka_unit_test(TestHugeInput),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
