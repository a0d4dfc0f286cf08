// SPDX-License-Identifier: GPL-3.0-or-later
// The registry: which reader gets a file, what its messages look like, and round trips through every format.
#include "model_testing.h"

#include "formats/format.h"
#include "quaver/file.h"
#include "quaver/primitive.h"

#include <locale.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char triangleObj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
static const char trianglePly[] =
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n"
    "property list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
static const char triangleStl[] = "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
                                  "endloop\nendfacet\nendsolid\n";

static void WriteOutput(char* path, size_t capacity, const char* name, const void* bytes, size_t size)
{
    qvError error;
    ASSERT_OK(qvWriteFile(OutputPath(path, capacity, name), bytes, size, &error), error);
}

static void TestFormats(void** state)
{
    (void)state;
    assert_true(qvFormatCount() >= 3);
    for (int i = 0; i < qvFormatCount(); i++)
    {
        qvFormatInfo info = qvGetFormat(i);
        assert_true(info.tag[0] != 0 && info.label[0] != 0 && info.extensions[0] != 0);
        for (int k = 0; k < i; k++)
            assert_string_not_equal(info.tag, qvGetFormat(k).tag);
    }
}

static void TestContentBeatsExtension(void** state)
{
    (void)state;
    static const struct
    {
        const char *name, *content;
    } files[] = {
        { "wrong.stl", triangleObj }, { "wrong.obj", trianglePly },    { "wrong.ply", triangleStl },
        { "wrong.txt", triangleObj }, { "no_extension", trianglePly }, { "right.OBJ", triangleObj },
    };
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
    {
        char path[1024];
        WriteOutput(path, sizeof(path), files[i].name, files[i].content, strlen(files[i].content));
        qvError error;
        qvModel* model;
        ASSERT_OK(qvLoadModel(path, NULL, &model, &error), error);
        assert_int_equal(model->mesh->triangleCount, 1);
        qvDestroyModel(model);
    }
}

static void TestBinaryContentBeatsExtension(void** state)
{
    (void)state;
    char path[1024];
    qvBytes bytes;
    qvError error;
    ASSERT_OK(qvReadFile(DataPath(path, sizeof(path), "stl/binary.stl"), 1000, &bytes, &error), error);
    WriteOutput(path, sizeof(path), "wrong_binary.obj", bytes.data, bytes.size);
    qvFreeBytes(&bytes);
    qvModel* model;
    ASSERT_OK(qvLoadModel(path, NULL, &model, &error), error);
    assert_int_equal(model->mesh->triangleCount, 4);
    qvDestroyModel(model);
}

static void CheckLoadFails(const char* path, const qvLoadOptions* options, qvResult result, const char* part)
{
    qvError error = { 0 };
    qvModel* model;
    assert_int_equal(qvLoadModel(path, options, &model, &error), result);
    assert_null(model);
    if (strncmp(error.message, path, strlen(path)) != 0)
        fail_msg("\"%s\" does not start with the path", error.message);
    ASSERT_CONTAINS(error.message, part);
}

static void TestFilesThatAreNone(void** state)
{
    (void)state;
    char path[1024];
    CheckLoadFails("/nowhere/sack.obj", NULL, qv_notFound, "cannot open: No such file or directory; check the path");
    CheckLoadFails(OutputPath(path, sizeof(path), ""), NULL, qv_badInput, "is a folder");
    WriteOutput(path, sizeof(path), "readme.txt", "Hello, world", 12);
    CheckLoadFails(path, NULL, qv_badInput, "byte 0: is no mesh file that can be read; use one of ");
    CheckLoadFails(path, NULL, qv_badInput, ".obj, .ply, .stl");
    WriteOutput(path, sizeof(path), "empty.txt", "", 0);
    CheckLoadFails(path, NULL, qv_badInput, "byte 0");
    WriteOutput(path, sizeof(path), "large.obj", triangleObj, strlen(triangleObj));
    qvLoadOptions options = qvDefaultLoadOptions();
    options.maxFileBytes = strlen(triangleObj) - 1;
    CheckLoadFails(path, &options, qv_badInput, "more than the");
}

static void TestMemoryErrors(void** state)
{
    (void)state;
    qvError error;
    qvModel* model;
    assert_int_equal(qvLoadModelFromMemory("docx", "x", 1, "letter", NULL, NULL, &model, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "letter: byte 0: is no mesh file");
    assert_int_equal(qvLoadModelFromMemory("obj", NULL, 0, "nothing", NULL, NULL, &model, &error), qv_badInput);
    assert_string_equal(error.message, "nothing: byte 0: the file is empty");
    assert_null(model);
    qvLoadOptions options = qvDefaultLoadOptions();
    options.maxFileBytes = 10;
    assert_int_equal(
        qvLoadModelFromMemory("obj", triangleObj, strlen(triangleObj), "large", NULL, &options, &model, &error),
        qv_badInput);
    ASSERT_CONTAINS(error.message, "large: has 0.0 MB, more than");
}

static bool Refuse(void* context, const char* stage, double fraction)
{
    (void)stage, (void)fraction;
    return --*(int*)context > 0;
}

static void TestCancel(void** state)
{
    (void)state;
    for (int calls = 1; calls <= 2; calls++)
    {
        int left = calls;
        qvJob job = { .progress = Refuse, .context = &left };
        qvLoadOptions options = qvDefaultLoadOptions();
        options.job = &job;
        qvError error;
        qvModel* model;
        assert_int_equal(
            qvLoadModelFromMemory("obj", triangleObj, strlen(triangleObj), "t", NULL, &options, &model, &error),
            qv_cancelled);
        assert_null(model);
    }
}

static void TestWeldTolerance(void** state)
{
    (void)state;
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0.001 0 0\nv 0 1.001 0\nv -1 0 0\nf 1 2 3\nf 4 5 6\n";
    qvLoadOptions options = qvDefaultLoadOptions();
    for (int i = 0; i < 2; i++)
    {
        qvError error;
        qvModel* model;
        options.weldTolerance = i * 0.01;
        ASSERT_OK(qvLoadModelFromMemory("obj", text, strlen(text), "t", NULL, &options, &model, &error), error);
        assert_int_equal(model->mesh->vertexCount, 6);
        assert_int_equal(model->mesh->pointCount, i == 0 ? 6 : 4);
        qvDestroyModel(model);
    }
}

static qvResult ReadSibling(const char* folder, const char* uri, bool isUri, qvBytes* bytes, qvError* error)
{
    qvLoadOptions options = qvDefaultLoadOptions();
    qvNotes notes = { 0 };
    qvReadInput input = { "", 0, "test", folder, &options, &notes };
    return qvReadInput_ReadSibling(&input, uri, isUri, bytes, error);
}

static void TestSiblings(void** state)
{
    (void)state;
    char path[1024];
    WriteOutput(path, sizeof(path), "a b%.bin", "content", 7);
    const char* folder = QUAVER_TEST_OUTPUT;
    qvError error;
    qvBytes bytes;
    ASSERT_OK(ReadSibling(folder, "a%20b%25.bin", true, &bytes, &error), error);
    assert_int_equal(bytes.size, 7);
    qvFreeBytes(&bytes);
    ASSERT_OK(ReadSibling(folder, "a b%.bin", false, &bytes, &error), error);
    qvFreeBytes(&bytes);
    assert_int_equal(ReadSibling(folder, "a%20b%25.bin", false, &bytes, &error), qv_notFound);
    assert_int_equal(ReadSibling(NULL, "a b%.bin", false, &bytes, &error), qv_badInput);
    static const char* const refused[] = { "../x.bin",    "%2e%2e/x.bin",        "a/%2E./x",
                                           "/etc/passwd", "%2Fetc/passwd",       "file:///etc/x",
                                           "C:\\x",       "https://a.org/x.bin", "" };
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
    {
        assert_int_equal(ReadSibling(folder, refused[i], true, &bytes, &error), qv_badInput);
        ASSERT_CONTAINS(error.message, "leaves the folder");
    }
}

// --- Saving ---------------------------------------------------------------------------------------------------------

static qvModel* SaveAndLoad(const qvModel* model, const qvVec3f* positions, const char* name)
{
    char path[1024];
    qvError error;
    ASSERT_OK(qvSaveModel(model, positions, OutputPath(path, sizeof(path), name), &error), error);
    qvModel* loaded;
    ASSERT_OK(qvLoadModel(path, NULL, &loaded, &error), error);
    return loaded;
}

static void CheckSameShape(const qvMesh* a, const qvMesh* b)
{
    assert_int_equal(a->vertexCount, b->vertexCount);
    assert_int_equal(a->triangleCount, b->triangleCount);
    assert_memory_equal(a->positions, b->positions, (size_t)a->vertexCount * sizeof(*a->positions));
    assert_memory_equal(a->triangles, b->triangles, (size_t)a->triangleCount * sizeof(*a->triangles));
}

static qvModel* MakeModel(qvMeshDef* def)
{
    qvModel* model = calloc(1, sizeof(*model));
    assert_non_null(model);
    qvError error;
    ASSERT_OK(qvCreateMesh(def, &model->mesh, &model->report, &error), error);
    return model;
}

// Two squares with a fold: values per corner or per vertex, two materials (of the same name), a texture, colours.
static qvModel* MakeFold(bool perCorner)
{
    static const qvVec3f positions[] = { { 0, 0, 0 },           { 1, 0, 0.1f }, { 1, 1, 0 },
                                         { 0, 1, 1.0f / 3.0f }, { 2, 0, 1 },    { 2, 1, 1e-7f } };
    static const int32_t corners[] = { 0, 1, 2, 3, 1, 4, 5, 2 }, sizes[] = { 4, 4 };
    static const float uvs[] = { 0, 0, 0.1f, 0, 1, 1, 0.3f, 1, 0.5f, 0.7f, 1, 0.125f };
    static const float normals[] = { 0, 0, 1, 0.6f, 0, 0.8f, 0, 1, 0, 0, -0.6f, 0.8f, 1, 0, 0, 0, 0, -1 };
    static const float colors[] = { 1, 1, 1,      1, 0.5f, 0, 0, 1, 0, 0.25f, 0, 0.5f,
                                    0, 0, 0.125f, 1, 0,    0, 0, 1, 1, 0,     1, 0 };
    static const int32_t indices[] = { 5, 4, 3, 2, 0, 1, 2, 3 };
    static const qvMaterial materials[] = {
        { .name = "cloth", .baseColor = { 0.1f, 0.2f, 0.3f, 0.4f }, .metallic = 0.7f, .roughness = 0.9f, .texture = 0 },
        { .name = "cloth", .baseColor = { 1, 1, 1, 1 }, .roughness = 0.3f, .texture = -1 },
    };
    static const qvTexture texture = { .name = "weave", .path = "maps/weave.png", .mimeType = "image/png" };
    static const qvSubmeshDef submeshes[] = { { "left half", 1, 1 }, { "right", 0, 1 } };
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = 6;
    def.positions = positions;
    def.faceCount = 2;
    def.faceSizes = sizes;
    def.corners = corners;
    def.uvs = (qvAttributeDef){ uvs, 6, perCorner ? indices : NULL };
    def.normals = (qvAttributeDef){ normals, 6, perCorner ? indices : NULL };
    def.colors = (qvAttributeDef){ colors, 6, NULL };
    def.submeshCount = def.materialCount = 2;
    def.submeshes = submeshes;
    def.materials = materials;
    def.textureCount = 1;
    def.textures = &texture;
    return MakeModel(&def);
}

static size_t CountValues(const qvMesh* mesh, qvDomain domain)
{
    return domain == qv_domainVertex ? (size_t)mesh->vertexCount : 3 * (size_t)mesh->triangleCount;
}

static void CheckColors(const qvMesh* a, const qvMesh* b, double tolerance)
{
    assert_int_equal(a->colorDomain, b->colorDomain);
    for (int i = 0; i < a->vertexCount; i++)
    {
        ASSERT_NEAR(a->colors[i].r, b->colors[i].r, tolerance);
        ASSERT_NEAR(a->colors[i].g, b->colors[i].g, tolerance);
        ASSERT_NEAR(a->colors[i].b, b->colors[i].b, tolerance);
    }
}

static void TestObjRoundTrip(void** state)
{
    (void)state;
    for (int perCorner = 0; perCorner < 2; perCorner++)
    {
        qvModel* model = MakeFold(perCorner);
        qvModel* loaded = SaveAndLoad(model, NULL, "fold.obj");
        const qvMesh *a = model->mesh, *b = loaded->mesh;
        CheckSameShape(a, b);
        assert_int_equal(a->uvDomain, perCorner ? qv_domainCorner : qv_domainVertex);
        assert_int_equal(a->uvDomain, b->uvDomain);
        assert_memory_equal(a->uvs, b->uvs, CountValues(a, a->uvDomain) * sizeof(*a->uvs));
        assert_int_equal(a->normalDomain, b->normalDomain);
        for (size_t i = 0; i < CountValues(a, a->normalDomain); i++)
            ASSERT_NEAR(qvDistance(qvVec3_FromFloat(a->normals[i]), qvVec3_FromFloat(b->normals[i])), 0.0, 1e-7);
        CheckColors(a, b, 1e-6);
        assert_int_equal(b->submeshCount, 2);
        assert_string_equal(b->submeshes[0].name, "left half");
        const qvMaterial* right = &b->materials[b->submeshes[1].material];
        assert_string_equal(right->name, "cloth");
        assert_memory_equal(&right->baseColor, &a->materials[0].baseColor, sizeof(right->baseColor));
        assert_true(right->metallic == 0.7f && right->roughness == 0.9f);
        assert_string_equal(b->textures[right->texture].path, "maps/weave.png");
        assert_string_equal(b->materials[b->submeshes[0].material].name, "cloth_1");
        assert_int_equal(loaded->notes.count, 0);
        qvDestroyModel(loaded);
        qvDestroyModel(model);
    }
}

static void TestObjWithNormalsOnly(void** state)
{
    (void)state;
    static const qvVec3f positions[] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } };
    static const int32_t corners[] = { 0, 1, 2 };
    static const float normals[] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = 3;
    def.positions = positions;
    def.faceCount = 1;
    def.corners = corners;
    def.normals = (qvAttributeDef){ normals, 3, NULL };
    qvModel* model = MakeModel(&def);
    qvModel* loaded = SaveAndLoad(model, NULL, "normals.obj");
    assert_int_equal(loaded->mesh->uvDomain, qv_domainNone);
    assert_int_equal(loaded->mesh->normalDomain, qv_domainVertex);
    assert_memory_equal(loaded->mesh->normals, normals, sizeof(normals));
    qvDestroyModel(loaded);
    qvDestroyModel(model);
}

static void TestPlyRoundTrip(void** state)
{
    (void)state;
    for (int perCorner = 0; perCorner < 2; perCorner++)
    {
        qvModel* model = MakeFold(perCorner);
        qvModel* loaded = SaveAndLoad(model, NULL, "fold.ply");
        const qvMesh *a = model->mesh, *b = loaded->mesh;
        CheckSameShape(a, b);
        assert_int_equal(a->uvDomain, b->uvDomain);
        assert_memory_equal(a->uvs, b->uvs, CountValues(a, a->uvDomain) * sizeof(*a->uvs));
        assert_int_equal(b->normalDomain, perCorner ? qv_domainNone : qv_domainVertex);
        CheckColors(a, b, 0.005); // half a step of a byte, at the bright end of sRGB
        assert_string_equal(b->textures[0].path, "maps/weave.png");

        // Colours that came from bytes stay as they are.
        qvModel* again = SaveAndLoad(loaded, NULL, "fold again.ply");
        assert_memory_equal(again->mesh->colors, b->colors, (size_t)b->vertexCount * sizeof(*b->colors));
        qvDestroyModel(again);
        qvDestroyModel(loaded);
        qvDestroyModel(model);
    }
}

static void TestStlRoundTrip(void** state)
{
    (void)state;
    qvModel* model = MakeFold(false);
    qvModel* loaded = SaveAndLoad(model, NULL, "fold.stl");
    const qvMesh *a = model->mesh, *b = loaded->mesh;
    assert_int_equal(b->triangleCount, a->triangleCount);
    assert_int_equal(b->pointCount, a->pointCount);
    for (int i = 0; i < 3 * a->triangleCount; i++)
    {
        qvVec3f p = a->positions[a->triangles[i / 3].v[i % 3]];
        AssertPosition(loaded, i, p.x, p.y, p.z);
    }
    qvDestroyModel(loaded);
    qvDestroyModel(model);
}

// Every primitive through every format that can read and write. STL splits the vertices; the points stay.
static void TestPrimitivesRoundTrip(void** state)
{
    (void)state;
    for (int p = 0; p < qvPrimitiveCount(); p++)
    {
        const qvPrimitive* primitive = qvGetPrimitive(p);
        qvModel model = { 0 };
        qvError error;
        ASSERT_OK(qvCreatePrimitive(primitive->tag, 0, &model.mesh, &error), error);
        for (int f = 0; f < qvFormatCount(); f++)
        {
            qvFormatInfo format = qvGetFormat(f);
            if (!format.canRead || !format.canWrite)
                continue;
            char name[64];
            snprintf(name, sizeof(name), "%s.%s", primitive->tag, format.tag);
            qvModel* loaded = SaveAndLoad(&model, NULL, name);
            assert_int_equal(loaded->notes.count, 0);
            assert_int_equal(loaded->mesh->pointCount, model.mesh->pointCount);
            assert_int_equal(loaded->mesh->triangleCount, model.mesh->triangleCount);
            if (strcmp(format.tag, "stl") != 0)
            {
                CheckSameShape(model.mesh, loaded->mesh);
                assert_int_equal(loaded->mesh->uvDomain, model.mesh->uvDomain);
                // glTF counts v from above, which costs a rounding.
                for (size_t i = 0; i < CountValues(model.mesh, model.mesh->uvDomain); i++)
                {
                    ASSERT_NEAR(loaded->mesh->uvs[i].x, model.mesh->uvs[i].x, 0.0);
                    ASSERT_NEAR(loaded->mesh->uvs[i].y, model.mesh->uvs[i].y, 1e-7);
                }
            }
            qvDestroyModel(loaded);
        }
        qvDestroyMesh(model.mesh);
    }
}

// Numbers have a point in files, whatever the program's language.
static void TestLocaleWithComma(void** state)
{
    (void)state;
    SetLocaleWithComma();
    qvModel* model = MakeFold(true);
    qvModel* loaded = SaveAndLoad(model, NULL, "comma.obj");
    CheckSameShape(model->mesh, loaded->mesh);
    assert_true(loaded->mesh->positions[5].z == 1e-7f);
    qvDestroyModel(loaded);
    // Too many digits for the fast way of reading numbers.
    loaded = LoadText("obj", "v 0.33333333333333333333333333 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    AssertPosition(loaded, 0, 1.0f / 3.0f, 0, 0);
    setlocale(LC_ALL, "C");
    qvDestroyModel(loaded);
    qvDestroyModel(model);
}

// New positions replace the old ones, and the rest normals stay away.
static void TestSavePositions(void** state)
{
    (void)state;
    qvModel* model = MakeFold(false);
    qvVec3f moved[6];
    for (int i = 0; i < 6; i++)
        moved[i] = (qvVec3f){ model->mesh->positions[i].x + 0.1f * (float)i, 7.0f, model->mesh->positions[i].z * 3.0f };
    static const char* const names[] = { "moved.obj", "moved.ply" };
    for (int i = 0; i < 2; i++)
    {
        qvModel* loaded = SaveAndLoad(model, moved, names[i]);
        assert_memory_equal(loaded->mesh->positions, moved, sizeof(moved));
        assert_int_equal(loaded->mesh->normalDomain, qv_domainNone);
        qvDestroyModel(loaded);
    }
    qvDestroyModel(model);
}

static void TestSaveErrors(void** state)
{
    (void)state;
    qvModel* model = MakeFold(false);
    char path[1024];
    qvError error;
    assert_int_equal(qvSaveModel(model, NULL, OutputPath(path, sizeof(path), "fold.docx"), &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "fold.docx: no format to write by this name; end it in one of ");
    ASSERT_CONTAINS(error.message, ".obj, .ply, .stl");
    assert_int_equal(qvSaveModel(model, NULL, "/nowhere/fold.obj", &error), qv_notFound);

    // A folder in the place of the material library: neither file is left.
    mkdir(OutputPath(path, sizeof(path), "blocked.mtl"), 0777);
    assert_int_equal(qvSaveModel(model, NULL, OutputPath(path, sizeof(path), "blocked.obj"), &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "blocked.mtl: is a folder; name a file");
    assert_int_equal(access(path, F_OK), -1);
    qvDestroyModel(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestFormats),
        cmocka_unit_test(TestContentBeatsExtension),
        cmocka_unit_test(TestBinaryContentBeatsExtension),
        cmocka_unit_test(TestFilesThatAreNone),
        cmocka_unit_test(TestMemoryErrors),
        cmocka_unit_test(TestCancel),
        cmocka_unit_test(TestWeldTolerance),
        cmocka_unit_test(TestSiblings),
        cmocka_unit_test(TestObjRoundTrip),
        cmocka_unit_test(TestObjWithNormalsOnly),
        cmocka_unit_test(TestPlyRoundTrip),
        cmocka_unit_test(TestStlRoundTrip),
        cmocka_unit_test(TestPrimitivesRoundTrip),
        cmocka_unit_test(TestLocaleWithComma),
        cmocka_unit_test(TestSavePositions),
        cmocka_unit_test(TestSaveErrors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
