// SPDX-License-Identifier: GPL-3.0-or-later
#include "model_testing.h"

#include <stdlib.h>

static void TestAscii(void** state)
{
    (void)state;
    qvModel* model = LoadData("ply/quad.ply");
    assert_int_equal(model->mesh->vertexCount, 4);
    assert_int_equal(model->mesh->triangleCount, 2);
    AssertPosition(model, 2, 1, 1, 0);
    qvDestroyModel(model);
}

// Both files hold the same in mixed types, with lists and elements to skip.
static void TestBinary(void** state)
{
    (void)state;
    static const char* const names[] = { "ply/little.ply", "ply/big.ply" };
    for (int i = 0; i < 2; i++)
    {
        qvModel* model = LoadData(names[i]);
        const qvMesh* mesh = model->mesh;
        assert_int_equal(mesh->vertexCount, 4);
        static const int32_t expected[2][3] = { { 0, 1, 2 }, { 0, 2, 3 } };
        assert_int_equal(mesh->triangleCount, 2);
        assert_memory_equal(mesh->triangles, expected, sizeof(expected));
        AssertPosition(model, 3, 0, 1, 0);
        assert_int_equal(mesh->normalDomain, qv_domainVertex);
        assert_true(mesh->normals[3].z == 1.0f);
        assert_int_equal(mesh->uvDomain, qv_domainVertex);
        assert_true(mesh->uvs[1].x == 1.0f && mesh->uvs[1].y == 0.0f);
        assert_int_equal(mesh->colorDomain, qv_domainVertex);
        assert_true(mesh->colors[2].r == 1.0f && mesh->colors[2].a == 1.0f);
        ASSERT_NEAR(mesh->colors[2].g, 0.215860501, 1e-6); // sRGB 128
        ASSERT_NEAR(mesh->colors[2].b, 2.0 / 255.0 / 12.92, 1e-8);
        qvDestroyModel(model);
    }
}

// Lines end in CR, and the first byte of the data is a line feed.
static void TestDataLikeLineEnd(void** state)
{
    (void)state;
    qvModel* model = LoadData("ply/cr.ply");
    static const union
    {
        uint32_t bits;
        float value;
    } first = { 0x4100000a };
    AssertPosition(model, 0, first.value, 0, 0);
    qvDestroyModel(model);
}

static void TestFacesFirstWithCornerUvs(void** state)
{
    (void)state;
    qvModel* model = LoadData("ply/faces_first.ply");
    assert_int_equal(model->mesh->uvDomain, qv_domainCorner);
    assert_true(model->mesh->uvs[1].x == 1.0f && model->mesh->uvs[2].y == 1.0f);
    qvDestroyModel(model);
}

// Lists of texture coordinates that are empty or of a wrong length count as missing.
static void TestMissingCornerUvs(void** state)
{
    (void)state;
    qvModel* model = LoadText(
        "ply", "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
               "element face 2\nproperty list uchar int vertex_indices\nproperty list uchar float texcoord\n"
               "end_header\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n3 0 1 2 0\n3 1 3 2 5 1 2 3 4 5\n");
    assert_int_equal(model->mesh->triangleCount, 2);
    assert_int_equal(model->mesh->uvDomain, qv_domainNone);
    qvDestroyModel(model);

    model = LoadText("ply",
                     "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
                     "element face 2\nproperty list uchar int vertex_indices\nproperty list uchar float texcoord\n"
                     "end_header\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n3 0 1 2 0\n3 1 3 2 6 1 2 3 4 5 6\n");
    assert_int_equal(model->mesh->uvDomain, qv_domainCorner);
    assert_true(model->mesh->uvs[0].x == 0.0f && model->mesh->uvs[3].x == 1.0f && model->mesh->uvs[5].y == 6.0f);
    qvDestroyModel(model);
}

static void TestStrips(void** state)
{
    (void)state;
    qvModel* model = LoadData("ply/strips.ply");
    const qvMesh* mesh = model->mesh;
    static const int32_t expected[3][3] = { { 0, 1, 2 }, { 2, 1, 3 }, { 1, 4, 3 } };
    assert_int_equal(mesh->triangleCount, 3);
    assert_memory_equal(mesh->triangles, expected, sizeof(expected));
    assert_int_equal(mesh->textureCount, 1);
    assert_string_equal(mesh->textures[0].path, "wood.png");
    assert_int_equal(mesh->submeshes[0].material, 0);
    assert_int_equal(mesh->materials[0].texture, 0);
    assert_int_equal(mesh->uvDomain, qv_domainVertex);
    qvDestroyModel(model);
}

static void TestFloatColors(void** state)
{
    (void)state;
    qvModel* model = LoadData("ply/float_colors.ply");
    const qvColor* colors = model->mesh->colors;
    ASSERT_NEAR(colors[0].g, 0.21404114, 1e-6);
    assert_true(colors[0].b == 1.0f && colors[0].a == 0.25f && colors[1].a == 1.0f);
    assert_true(colors[2].a >= 0.0f && colors[2].a <= 1.0f);
    qvDestroyModel(model);
}

static void TestWideColors(void** state)
{
    (void)state;
    qvModel* model = LoadText(
        "ply", "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
               "property ushort r\nproperty ushort g\nproperty ushort b\nelement face 1\n"
               "property list uchar int vertex_indices\nend_header\n0 0 0 65535 0 32768\n1 0 0 0 0 0\n0 1 0 0 0 0\n"
               "3 0 1 2\n");
    assert_true(model->mesh->colors[0].r == 1.0f && model->mesh->colors[0].g == 0.0f);
    ASSERT_NEAR(model->mesh->colors[0].b, 0.21404823, 1e-6); // sRGB 32768 / 65535
    qvDestroyModel(model);
}

static void TestSmallFaces(void** state)
{
    (void)state;
    qvModel* model = LoadData("ply/small_faces.ply");
    assert_int_equal(model->mesh->triangleCount, 1);
    AssertNote(model, "skipped 2 faces");
    qvDestroyModel(model);
}

// What is quadratic in the length of the header would hang here.
static void TestManyElements(void** state)
{
    (void)state;
    static const char head[] = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
                               "property float z\nelement face 1\nproperty list uchar int vertex_indices\n";
    static const char data[] = "end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    static const char element[] = "element e 999\n";
    enum
    {
        COUNT = 200000
    };
    size_t capacity = sizeof(head) + sizeof(data) + COUNT * sizeof(element), used = 0;
    char* text = malloc(capacity);
    assert_non_null(text);
    used += (size_t)snprintf(text, capacity, "%s", head);
    for (int i = 0; i < COUNT; i++)
    {
        memcpy(text + used, element, sizeof(element) - 1);
        used += sizeof(element) - 1;
    }
    used += (size_t)snprintf(text + used, capacity - used, "%s", data);
    qvModel* model = LoadBytes("ply", text, used);
    assert_int_equal(model->mesh->triangleCount, 1);
    qvDestroyModel(model);
    free(text);
}

static void TestBadFiles(void** state)
{
    (void)state;
    static const BadFile files[] = {
        { "vertex_count.ply", "line 10: the header says 4000000000 of element vertex, but the file has room for " },
        { "vertex_count_binary.ply", "byte 178: the header says 4000000000 of element vertex" },
        { "face_count.ply", "line 13: the header says 999999999999999999 of element face" },
        { "count_overflow.ply", "line 3: element needs a name and a count" },
        { "count_negative.ply", "line 3: element needs a name and a count" },
        { "list_count.ply", "byte 204: face 0 has a list of 4294967295, but the file has room for " },
        { "list_negative.ply", "byte 203: face 0 has a list of -3" },
        { "list_extra.ply", "byte 237: face 0 has a list of 536870912" },
        { "index.ply", "line 13: face 0 refers to vertex 3, but the file has 3 (from 0)" },
        { "index_negative.ply", "byte 205: face 0 refers to vertex -1" },
        { "index_fraction.ply", "line 13: face 0 refers to vertex 1.5" },
        { "truncated.ply", "line 14: the file ends in face 1 of 2; it is truncated" },
        { "truncated_binary.ply", "byte 218: face 1 has a list of 3, but the file has room for 2" },
        { "truncated_header.ply", "line 4: the file ends without \"end_header\"" },
        { "word.ply", "line 11: vertex 1 has \"zero\" where a number should be" },
        { "nan.ply", "line 11: vertex 1 is not a finite number" },
        { "inf_binary.ply", "byte 181: vertex 1 is not a finite number" },
        { "double_overflow.ply", "byte 196: vertex 1 is not a finite number" },
        { "no_faces.ply", "line 7: the header has no list vertex_indices of element face; a point cloud" },
        { "zero_faces.ply", "line 13: the file has no faces; a point cloud" },
        { "no_z.ply", "line 8: the header has no property z of element vertex" },
        { "no_format.ply", "line 6: the header ends without a format line" },
        { "format.ply", "line 2: unknown format \"binary_middle_endian\"" },
        { "type.ply", "line 6: unknown type \"real\"" },
        { "list_type.ply", "line 8: \"float\" is no type for the length of a list" },
        { "property_first.ply", "line 3: property before the first element" },
        { "keyword.ply", "line 3: \"elephant\" has no place in a header" },
        { "twice.ply", "line 7: element vertex appears twice" },
        { "property_name.ply", "line 4: property needs a name" },
        { "empty.ply", "byte 0: the file is empty" },
    };
    CheckBadFiles("ply/bad", files, (int)(sizeof(files) / sizeof(files[0])));
    CheckTruncations("ply/quad.ply", "ply");
    CheckTruncations("ply/big.ply", "ply");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestAscii),
        cmocka_unit_test(TestBinary),
        cmocka_unit_test(TestDataLikeLineEnd),
        cmocka_unit_test(TestFacesFirstWithCornerUvs),
        cmocka_unit_test(TestMissingCornerUvs),
        cmocka_unit_test(TestStrips),
        cmocka_unit_test(TestFloatColors),
        cmocka_unit_test(TestWideColors),
        cmocka_unit_test(TestSmallFaces),
        cmocka_unit_test(TestManyElements),
        cmocka_unit_test(TestBadFiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
