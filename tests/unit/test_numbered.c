// SPDX-License-Identifier: GPL-3.0-or-later
// Names of numbered files.
#include "testing.h"

#include "quaver/numbered.h"

#include <stdlib.h>
#include <string.h>

static void Expect(char* made, const char* wanted)
{
    assert_non_null(made);
    assert_string_equal(made, wanted);
    free(made);
}

static void FieldsTakeTheNumber(void** state)
{
    (void)state;
    static const struct
    {
        const char *path, *numbered, *common;
        int digits;
    } cases[] = {
        { "walk.obj", "walk_0012.obj", "walk.obj", 0 },
        { "walk_####.obj", "walk_0012.obj", "walk.obj", 4 },
        { "walk.###.png", "walk.012.png", "walk.png", 3 },
        { "walk#.png", "walk12.png", "walk.png", 1 },
        { "a##/walk_%05d.ply", "a##/walk_00012.ply", "a##/walk.ply", 5 },
        { "walk%d.ply", "walk12.ply", "walk.ply", 1 },
        { "##_walk.png", "12_walk.png", "_walk.png", 2 },
        { "walk_####_left.obj", "walk_0012_left.obj", "walk_left.obj", 4 },
        { "_##.png", "_12.png", "frames.png", 2 },
        { "take#2.obj", "take#2_0012.obj", "take#2.obj", 0 },
        { "100%.obj", "100%_0012.obj", "100%.obj", 0 },
        { "50%off.obj", "50%off_0012.obj", "50%off.obj", 0 },
        { "a/##.png", "a/12.png", "a/frames.png", 2 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
    {
        qvError error;
        qvNumberField field;
        ASSERT_OK(qvFindNumberField(cases[i].path, &field, &error), error);
        assert_int_equal(field.digits, cases[i].digits);
        Expect(qvNumberedPath(cases[i].path, 12), cases[i].numbered);
        Expect(qvUnnumberedPath(cases[i].path), cases[i].common);
        int number;
        assert_true(qvIsNumberedPath(cases[i].path, cases[i].numbered, &number) && number == 12);
    }
    Expect(qvNumberedPath("walk_##.obj", 12345), "walk_12345.obj");
    Expect(qvPathWithField("walk_####.obj", "0000-0009"), "walk_0000-0009.obj");
    Expect(qvPathWithField("walk.obj", "0000-0009"), "walk_0000-0009.obj");
}

static void OtherNamesAreNotNumbered(void** state)
{
    (void)state;
    int number;
    assert_false(qvIsNumberedPath("walk_####.obj", "walk_012.obj", &number));
    assert_false(qvIsNumberedPath("walk_####.obj", "walk_0012.ply", &number));
    assert_false(qvIsNumberedPath("walk_####.obj", "run_0012.obj", &number));
    assert_false(qvIsNumberedPath("walk_####.obj", "w", &number));
    assert_false(qvIsNumberedPath("walk_####.obj", "", &number));
    assert_false(qvIsNumberedPath("walk.obj", "walk", &number));
}

static void WhatIsNoFieldIsRefused(void** state)
{
    (void)state;
    static const char* const paths[][2] = {
        { "walk_##_##.obj", "several number fields" },        { "walk_##_%02d.obj", "several number fields" },
        { "walk_%d%d.obj", "several number fields" },         { "walk_%4d.obj", "\"%4d\" is no number field" },
        { "walk_%012d.obj", "\"%012d\" is no number field" }, { "walk_%0d.obj", "\"%0d\" is no number field" },
        { "walk_##########.obj", "is no number field" },
    };
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
    {
        qvError error;
        qvNumberField field;
        assert_int_equal(qvFindNumberField(paths[i][0], &field, &error), qv_badInput);
        assert_non_null(strstr(error.message, paths[i][1]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(FieldsTakeTheNumber),
        cmocka_unit_test(OtherNamesAreNotNumbered),
        cmocka_unit_test(WhatIsNoFieldIsRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
