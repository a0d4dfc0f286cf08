// SPDX-License-Identifier: GPL-3.0-or-later
#include "model_testing.h"

#include <math.h>
#include <stdlib.h>

static void TestCube(void** state)
{
    (void)state;
    qvModel* model = LoadData("obj/cube.obj");
    assert_int_equal(model->mesh->vertexCount, 8);
    assert_int_equal(model->mesh->triangleCount, 12);
    assert_int_equal(model->report.polygonCount, 6);
    assert_int_equal(model->report.closedPartCount, 1);
    assert_int_equal(model->mesh->submeshCount, 1);
    assert_string_equal(model->mesh->submeshes[0].name, "cube");
    assert_int_equal(model->mesh->uvDomain, qv_domainNone);
    assert_int_equal(model->mesh->normalDomain, qv_domainNone);
    assert_int_equal(model->notes.count, 0);
    AssertPosition(model, 6, 1, 1, 1);
    qvDestroyModel(model);
}

static void TestNegativeIndices(void** state)
{
    (void)state;
    qvModel* model = LoadData("obj/negative.obj");
    const qvMesh* mesh = model->mesh;
    assert_int_equal(mesh->triangleCount, 2);
    static const int32_t expected[2][3] = { { 0, 1, 2 }, { 1, 3, 2 } };
    assert_memory_equal(mesh->triangles, expected, sizeof(expected));
    assert_int_equal(mesh->uvDomain, qv_domainCorner);
    assert_true(mesh->uvs[3].x == 0.0f && mesh->uvs[4].x == 1.0f && mesh->uvs[5].y == 1.0f);
    assert_int_equal(mesh->normalDomain, qv_domainCorner);
    assert_true(mesh->normals[4].z == 1.0f);
    qvDestroyModel(model);
}

static void TestLineEndings(void** state)
{
    (void)state;
    static const char* const names[] = { "obj/crlf.obj", "obj/cr.obj" };
    for (int i = 0; i < 2; i++)
    {
        qvModel* model = LoadData(names[i]);
        assert_int_equal(model->mesh->vertexCount, 3);
        assert_int_equal(model->mesh->triangleCount, 1);
        assert_int_equal(model->notes.count, 0);
        qvDestroyModel(model);
    }
}

static void TestContinuedLines(void** state)
{
    (void)state;
    qvModel* model = LoadData("obj/continued.obj");
    assert_int_equal(model->mesh->vertexCount, 4);
    assert_int_equal(model->mesh->triangleCount, 2);
    qvDestroyModel(model);
}

static void TestNumbers(void** state)
{
    (void)state;
    qvModel* model = LoadData("obj/numbers.obj");
    AssertPosition(model, 0, 0.5f, -1.0f, 0.001f);
    AssertPosition(model, 1, 100.0f, 0.1f, -25.0f);
    AssertPosition(model, 2, 3.4028235e38f, 1e-45f, 0.0f);
    qvDestroyModel(model);
}

static void TestColors(void** state)
{
    (void)state;
    qvModel* model = LoadData("obj/colors.obj");
    const qvMesh* mesh = model->mesh;
    assert_int_equal(mesh->colorDomain, qv_domainVertex);
    assert_true(mesh->colors[0].r == 1.0f && mesh->colors[1].g == 1.0f && mesh->colors[1].a == 1.0f);
    ASSERT_NEAR(mesh->colors[2].b, 0.21404114, 1e-6); // ((0.5 + 0.055) / 1.055)^2.4
    assert_true(mesh->colors[2].r == 1.0f && mesh->colors[2].g == 0.0f);
    assert_true(mesh->colors[3].g == 1.0f && mesh->colors[3].a == 0.25f);
    qvDestroyModel(model);
}

static void TestSubmeshes(void** state)
{
    (void)state;
    qvModel* model = LoadData("obj/parts.obj");
    const qvMesh* mesh = model->mesh;
    static const struct
    {
        const char *name, *material;
        int triangleCount;
    } expected[] = {
        { "left side", "red paint", 2 }, { "right", "skin", 1 }, { "right", "unknown", 1 }, { "other", "unknown", 1 }
    };
    assert_int_equal(mesh->submeshCount, 4);
    for (int i = 0, first = 0; i < 4; i++)
    {
        const qvSubmesh* submesh = &mesh->submeshes[i];
        assert_string_equal(submesh->name, expected[i].name);
        assert_string_equal(mesh->materials[submesh->material].name, expected[i].material);
        assert_int_equal(submesh->firstTriangle, first);
        assert_int_equal(submesh->triangleCount, expected[i].triangleCount);
        first += submesh->triangleCount;
    }
    // Corners without a texture coordinate get (0, 0).
    assert_int_equal(mesh->uvDomain, qv_domainCorner);
    assert_true(mesh->uvs[4].x == 1.0f && mesh->uvs[4].y == 1.0f && mesh->uvs[6].x == 0.0f);
    AssertNote(model, "1 material is not defined and got default values (first: unknown)");
    qvDestroyModel(model);
}

static void TestMaterials(void** state)
{
    (void)state;
    qvModel* model = LoadData("obj/parts.obj");
    const qvMesh* mesh = model->mesh;
    assert_int_equal(mesh->materialCount, 4);
    const qvMaterial *paint = &mesh->materials[0], *skin = &mesh->materials[1], *unused = &mesh->materials[2];
    assert_string_equal(paint->name, "red paint");
    assert_true(paint->baseColor.r == 0.9f && paint->baseColor.b == 0.05f && paint->baseColor.a == 0.5f);
    ASSERT_NEAR(paint->roughness, 0.5, 1e-6); // 1 - sqrt(250 / 1000)
    assert_int_equal(paint->texture, -1);
    assert_true(skin->roughness == 0.25f && skin->metallic == 1.0f && skin->baseColor.a == 0.25f);
    assert_int_equal(skin->texture, 0);
    assert_string_equal(unused->name, "unused");
    assert_true(unused->baseColor.g == 0.5f);
    assert_int_equal(unused->texture, 0);
    assert_int_equal(mesh->textureCount, 1);
    assert_string_equal(mesh->textures[0].path, "textures/my skin.png");
    assert_string_equal(mesh->textures[0].mimeType, "image/png");
    assert_null(mesh->textures[0].bytes);
    qvDestroyModel(model);
}

// A library with much that is wrong: what can be read is read, clamped to its range.
static void TestOddLibrary(void** state)
{
    (void)state;
    char folder[1024];
    DataPath(folder, sizeof(folder), "mtl");
    static const char text[] = "mtllib nowhere.mtl odd.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl first\nf 1 2 3\n";
    qvError error;
    qvModel* model;
    ASSERT_OK(qvLoadModelFromMemory("obj", text, strlen(text), "memory", folder, NULL, &model, &error), error);
    const qvMaterial *first = &model->mesh->materials[0], *second = &model->mesh->materials[1];
    assert_int_equal(model->mesh->materialCount, 2);
    assert_true(first->baseColor.r == 1.0f && first->baseColor.g == 0.0f && first->baseColor.b == 0.5f);
    assert_true(first->baseColor.a == 0.0f && first->roughness == 0.0f);
    assert_string_equal(model->mesh->textures[first->texture].path, "a/b.jpg");
    assert_string_equal(model->mesh->textures[first->texture].mimeType, "image/jpeg");
    assert_true(second->metallic == 1.0f && second->roughness == 0.125f);
    AssertNote(model, "material library nowhere.mtl not found");
    AssertNote(model, "odd.mtl: line 1: the statement cannot be read");
    AssertNote(model, "odd.mtl: line 11: texture /etc/secret.png leaves the folder");
    AssertNote(model, "odd.mtl: line 12: texture ../outside.png leaves the folder");
    qvDestroyModel(model);
}

// As programs on other systems write it, and the same library twice under two names.
static void TestLibraryPaths(void** state)
{
    (void)state;
    static const char* const lines[] = { "mtllib obj\\parts.mtl", "mtllib .\\obj\\parts.mtl",
                                         "mtllib \"obj/parts.mtl\"",
                                         "mtllib .//obj/./parts.mtl\nmtllib obj/parts.mtl" };
    char folder[1024], text[256];
    DataPath(folder, sizeof(folder), "");
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
    {
        int length = snprintf(text, sizeof(text), "%s\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl skin\nf 1 2 3\n", lines[i]);
        qvError error;
        qvModel* model;
        ASSERT_OK(qvLoadModelFromMemory("obj", text, (size_t)length, "memory", folder, NULL, &model, &error), error);
        assert_int_equal(model->notes.count, 0);
        assert_int_equal(model->mesh->textureCount, 1);
        qvDestroyModel(model);
    }
}

static void TestLibrariesOutsideAreRefused(void** state)
{
    (void)state;
    qvModel* model = LoadData("obj/outside.obj");
    AssertNote(model, "../obj/parts.mtl: leaves the folder");
    AssertNote(model, "/etc/passwd: leaves the folder");
    AssertNote(model, "material library missing.mtl not found");
    AssertNote(model, "(first: skin)");
    assert_true(model->mesh->materials[0].roughness == 0.5f);
    qvDestroyModel(model);

    model = LoadText("obj", "mtllib parts.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    AssertNote(model, "parts.mtl: other files cannot be read from here");
    qvDestroyModel(model);
}

static void TestSkippedStatements(void** state)
{
    (void)state;
    qvModel* model = LoadData("obj/skipped.obj");
    AssertNote(model, "line 5: points and lines are not read; skipped 2 statements");
    AssertNote(model, "line 4: \"vp\" is not read; skipped 2 statements");
    AssertNote(model, "line 8: skipped 1 faces with fewer than three corners");
    AssertNote(model, "line 10: replaced 1 texture coordinates");
    assert_int_equal(model->notes.count, 4);
    qvDestroyModel(model);
}

static void TestForwardReferences(void** state)
{
    (void)state;
    qvModel* model = LoadData("obj/forward.obj");
    assert_int_equal(model->mesh->triangleCount, 1);
    assert_true(model->mesh->uvs[2].y == 0.5f);
    qvDestroyModel(model);
}

static void TestConcavePolygon(void** state)
{
    (void)state;
    qvModel* model = LoadData("obj/polygon.obj");
    assert_int_equal(model->mesh->triangleCount, 3);
    double area = 0.0;
    for (int i = 0; i < 3; i++)
    {
        const int32_t* v = model->mesh->triangles[i].v;
        qvVec3 a = qvVec3_FromFloat(model->mesh->positions[v[0]]);
        qvVec3 b = qvVec3_FromFloat(model->mesh->positions[v[1]]), c = qvVec3_FromFloat(model->mesh->positions[v[2]]);
        area += 0.5 * qvLength(qvCross(qvSub(b, a), qvSub(c, a)));
    }
    ASSERT_NEAR(area, 3.0, 1e-12);
    qvDestroyModel(model);
}

// A value per vertex stays one, so that seams are where the file has them.
static void TestVertexAttributes(void** state)
{
    (void)state;
    qvModel* model = LoadText("obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\n");
    assert_int_equal(model->mesh->uvDomain, qv_domainVertex);
    qvDestroyModel(model);
}

static void TestBadFiles(void** state)
{
    (void)state;
    static const BadFile files[] = {
        { "index_high.obj", "line 5: face refers to vertex 4, but the file has 3" },
        { "index_zero.obj", "line 4: face refers to vertex 0" },
        { "index_low.obj", "line 4: face refers to vertex -4, but there are 3 so far" },
        { "index_huge.obj", "line 4: face has \"99999999999999999999\" where a number of a vertex should be" },
        { "index_overflow.obj", "line 4: face refers to vertex 4294967297" },
        { "uv_high.obj", "line 5: face refers to texture coordinate 2, but the file has 1" },
        { "normal_high.obj", "line 4: face refers to normal 1, but the file has 0" },
        { "nan.obj", "line 4: vertex 4 is not a finite number" },
        { "inf.obj", "line 1: vertex 1 is not a finite number" },
        { "word.obj", "line 1: vertex has \"zero\" where a number should be" },
        { "glued.obj", "line 1: vertex has \"1.5x\" where a number should be" },
        { "hex.obj", "line 1: vertex has \"0x10\" where a number should be" },
        { "few.obj", "line 4: vertex has too few numbers" },
        { "no_faces.obj", "line 4: the file ends without a face" },
        { "corner.obj", "line 4: face has \"a\" where a number of a texture coordinate should be" },
        { "tail.obj", "line 4: face has a corner that ends in \".5\"" },
        { "truncated.obj", "line 5: face refers to vertex 5, but the file has 3" },
        { "degenerate.obj", "" },
        { "empty.obj", "byte 0: the file is empty" },
        { "zeros.obj", "line 1: the file ends without a face" },
    };
    CheckBadFiles("obj/bad", files, (int)(sizeof(files) / sizeof(files[0])));
    CheckTruncations("obj/parts.obj", "obj");
}

// What is quadratic in the size of the file would hang here.
static void TestManyNames(void** state)
{
    (void)state;
    enum
    {
        COUNT = 50000,
        LINE = 64
    };
    char* text = malloc(COUNT * LINE);
    assert_non_null(text);
    int used = snprintf(text, LINE, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    for (int i = 1; i < COUNT; i++)
        used += snprintf(text + used, LINE, "mtllib %d.mtl\nusemtl m%d\ng g%d\nf 1 2 3\n", i, i, i);
    qvModel* model = LoadBytes("obj", text, (size_t)used);
    assert_int_equal(model->mesh->materialCount, COUNT - 1);
    AssertNote(model, "more than 64 material libraries");
    assert_int_equal(model->notes.count, 66); // 64 refusals, the limit, and the missing materials
    qvDestroyModel(model);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestCube),
        cmocka_unit_test(TestNegativeIndices),
        cmocka_unit_test(TestLineEndings),
        cmocka_unit_test(TestContinuedLines),
        cmocka_unit_test(TestNumbers),
        cmocka_unit_test(TestColors),
        cmocka_unit_test(TestSubmeshes),
        cmocka_unit_test(TestMaterials),
        cmocka_unit_test(TestOddLibrary),
        cmocka_unit_test(TestLibraryPaths),
        cmocka_unit_test(TestLibrariesOutsideAreRefused),
        cmocka_unit_test(TestSkippedStatements),
        cmocka_unit_test(TestForwardReferences),
        cmocka_unit_test(TestConcavePolygon),
        cmocka_unit_test(TestVertexAttributes),
        cmocka_unit_test(TestBadFiles),
        cmocka_unit_test(TestManyNames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
