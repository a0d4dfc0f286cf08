// SPDX-License-Identifier: GPL-3.0-or-later
#include "model_testing.h"

static void TestTetrahedra(void** state)
{
    (void)state;
    static const char* const names[] = { "stl/tetrahedron.stl",  "stl/solids.stl",      "stl/binary.stl",
                                         "stl/binary_solid.stl", "stl/binary_tail.stl", "stl/returns.stl" };
    for (int i = 0; i < 6; i++)
    {
        qvModel* model = LoadData(names[i]);
        assert_int_equal(model->mesh->vertexCount, 12);
        assert_int_equal(model->mesh->pointCount, 4);
        assert_int_equal(model->mesh->triangleCount, 4);
        assert_int_equal(model->report.closedPartCount, 1);
        AssertPosition(model, 2, 1, 0, 0);
        AssertPosition(model, 11, 0, 0, 1);
        qvDestroyModel(model);
    }
}

static void TestSolidsAreSubmeshes(void** state)
{
    (void)state;
    qvModel* model = LoadData("stl/solids.stl");
    assert_int_equal(model->mesh->submeshCount, 2);
    assert_string_equal(model->mesh->submeshes[0].name, "one");
    assert_string_equal(model->mesh->submeshes[1].name, "two");
    assert_int_equal(model->mesh->submeshes[1].firstTriangle, 2);
    qvDestroyModel(model);
}

static void TestTailIsNoted(void** state)
{
    (void)state;
    qvModel* model = LoadData("stl/binary_tail.stl");
    AssertNote(model, "byte 284: ignored what follows the last triangle");
    qvDestroyModel(model);
}

// Binary files may begin with "solid", even those with something after the last triangle.
static void TestSolidIsNotAlwaysText(void** state)
{
    (void)state;
    char bytes[84 + 50 + 4] = { 0 };
    memset(bytes, ' ', 80);
    memcpy(bytes, "solid part", 10);
    bytes[80] = 1;
    const float corners[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
    memcpy(bytes + 84 + 12, corners, sizeof(corners));
    qvModel* model = LoadBytes("stl", bytes, sizeof(bytes));
    assert_int_equal(model->mesh->triangleCount, 1);
    AssertNote(model, "byte 134: ignored what follows the last triangle");
    qvDestroyModel(model);
}

static void TestFacetsOnOneLine(void** state)
{
    (void)state;
    static const char text[] = "solid a\n"
                               "facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet\n"
                               "facet outer loop vertex 0 0 1 vertex 1 0 1 vertex 0 1 1 endloop endfacet\n"
                               "endsolid a\n";
    qvModel* model = LoadText("stl", text);
    assert_int_equal(model->mesh->triangleCount, 2);
    qvDestroyModel(model);
}

static void TestBadFiles(void** state)
{
    (void)state;
    static const BadFile files[] = {
        { "empty.stl", "byte 0: the file is empty" },
        { "short.stl", "byte 5: too short for an STL file" },
        { "count.stl", "byte 80: says 4000000000 triangles, but the file has room for 4" },
        { "truncated.stl", "byte 80: says 4 triangles, but the file has room for 3" },
        { "zero.stl", "byte 80: says 0 triangles" },
        { "nan.stl", "byte 158: triangle 1 has a position that is not finite" },
        { "inf.stl", "byte 108: triangle 0 has a position that is not finite" },
        { "ascii_truncated.stl", "line 18: vertex has too few numbers" },
        { "ascii_no_end.stl", "line 30: the file ends without \"endsolid\"" },
        { "ascii_two.stl", "line 6: \"endloop\" where \"vertex\" should be" },
        { "ascii_four.stl", "line 7: \"vertex\" where \"endloop\" should be" },
        { "ascii_word.stl", "line 5: vertex has \"one\" where a number should be" },
        { "ascii_nan.stl", "line 5: vertex is not a finite number" },
        { "ascii_none.stl", "line 3: the file has no facet" },
        { "ascii_nested.stl", "line 2: \"solid\" before the \"endsolid\" of the last one" },
        { "ascii_after.stl", "line 31: \"facet\" where \"solid\" should be" },
        { "ascii_keyword.stl", "line 3: \"inner\" where \"outer\" should be" },
        { "ascii_in_solid.stl", "line 9: \"vertex\" where \"facet\" or \"endsolid\" should be" },
    };
    CheckBadFiles("stl/bad", files, (int)(sizeof(files) / sizeof(files[0])));
    CheckTruncations("stl/solids.stl", "stl");
    CheckTruncations("stl/binary.stl", "stl");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestTetrahedra),      cmocka_unit_test(TestSolidsAreSubmeshes),
        cmocka_unit_test(TestTailIsNoted),     cmocka_unit_test(TestSolidIsNotAlwaysText),
        cmocka_unit_test(TestFacetsOnOneLine), cmocka_unit_test(TestBadFiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
