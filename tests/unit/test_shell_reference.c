// SPDX-License-Identifier: GPL-3.0-or-later
// Family D of `quaver eval` against values computed with 50 digits and more.
#include "compare_reference.h"

// Flat hinges have angles that are exactly 0; everything else is relative to the largest entry.
static const Tolerance tolerances[] = {
    { "theta", 1e-15, 1e-16 },
    { "theta_rest", 1e-15, 0.0 },
    { "grad_theta", 1e-13, 0.0 },
    { "hess_theta", 1e-13, 0.0 },
    { "coef_3e2_over_A", 1e-14, 0.0 },
    { "E_bend", 1e-13, 0.0 },
    { "grad_E", 1e-13, 0.0 },
    { "hess_E", 1e-13, 0.0 },
    { "E", 1e-13, 0.0 },
    { "E_length", 1e-13, 0.0 },
    { "E_area", 1e-13, 0.0 },
    { "A", 1e-14, 0.0 },
    { "A_rest", 1e-14, 0.0 },
    { "grad", 1e-13, 0.0 },
    { "hess", 1e-13, 0.0 },
    { NULL, 0.0, 0.0 },
};

static void TestReference(void** state)
{
    (void)state;
    CompareWithReference("reference/D_shells.json", tolerances, 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(TestReference) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
