// SPDX-License-Identifier: GPL-3.0-or-later
#include "testing.h"

#include "formats/gltf.h"
#include "quaver/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static qvModel* Load(const char* name)
{
    char path[512];
    qvError error;
    qvModel* model;
    ASSERT_OK(qvLoadModel(DataPath(path, sizeof(path), name), NULL, &model, &error), error);
    return model;
}

static void AssertPosition(qvVec3f p, double x, double y, double z)
{
    ASSERT_NEAR(p.x, x, 1e-6);
    ASSERT_NEAR(p.y, y, 1e-6);
    ASSERT_NEAR(p.z, z, 1e-6);
}

static void AssertTriangle(const qvMesh* mesh, int t, int a, int b, int c)
{
    assert_true(t < mesh->triangleCount);
    assert_int_equal(mesh->triangles[t].v[0], a);
    assert_int_equal(mesh->triangles[t].v[1], b);
    assert_int_equal(mesh->triangles[t].v[2], c);
}

// Six times the signed volume.
static double Volume(const qvMesh* mesh, int firstTriangle, int count)
{
    double sum = 0.0;
    for (int t = firstTriangle; t < firstTriangle + count; t++)
    {
        const int32_t* v = mesh->triangles[t].v;
        qvVec3 a = qvVec3_FromFloat(mesh->positions[v[0]]), b = qvVec3_FromFloat(mesh->positions[v[1]]);
        sum += qvDot(a, qvCross(b, qvVec3_FromFloat(mesh->positions[v[2]])));
    }
    return sum;
}

// The same tetrahedron in every encoding.
static void TestEncodings(void** state)
{
    (void)state;
    static const char* const names[] = {
        "gltf/triangle.gltf",       "gltf/external.gltf",
        "gltf/indices_u8.gltf",     "gltf/indices_u16.gltf",
        "gltf/indices_u32.gltf",    "gltf/positions_s8.gltf",
        "gltf/positions_u8.gltf",   "gltf/positions_s16.gltf",
        "gltf/positions_u16.gltf",  "gltf/positions_s8_normalized.gltf",
        "gltf/two_buffers.gltf",    "gltf/positions_u8_normalized.gltf",
        "gltf/sparse_no_view.gltf", "gltf/positions_s16_normalized.gltf",
        "glb/tetrahedron.glb",      "gltf/positions_u16_normalized.gltf",
        "glb/sparse_no_view.glb",
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
    {
        qvModel* model = Load(names[i]);
        const qvMesh* mesh = model->mesh;
        assert_int_equal(mesh->vertexCount, 4);
        assert_int_equal(mesh->triangleCount, 4);
        AssertPosition(mesh->positions[0], 0, 0, 0);
        AssertPosition(mesh->positions[1], 1, 0, 0);
        AssertPosition(mesh->positions[2], 0, 1, 0);
        AssertPosition(mesh->positions[3], 0, 0, 1);
        AssertTriangle(mesh, 0, 0, 2, 1);
        AssertTriangle(mesh, 3, 1, 2, 3);
        assert_null(model->rig);
        assert_non_null(model->source);
        assert_int_equal(model->notes.count, 0);
        assert_int_equal(mesh->normalDomain, qv_domainNone);
        qvDestroyModel(model);
    }
}

// Draco may order vertices anew: the tetrahedron is told by its corners and its volume.
static void TestDraco(void** state)
{
    (void)state;
#ifdef QUAVER_DRACO
    static const char* const names[] = { "gltf/draco.gltf", "gltf/draco_sequential.gltf" };
    for (int i = 0; i < 2; i++)
    {
        qvModel* model = Load(names[i]);
        const qvMesh* mesh = model->mesh;
        assert_int_equal(mesh->vertexCount, 4);
        assert_int_equal(mesh->triangleCount, 4);
        for (int v = 0; v < 4; v++)
        {
            qvVec3 p = qvVec3_FromFloat(mesh->positions[v]), n = qvVec3_FromFloat(mesh->normals[v]);
            double length = qvLength(p), sign = length > 0.5 ? 1.0 : -1.0;
            assert_true(length < 1e-3 || fabs(length - 1.0) < 1e-3);
            qvVec3 outward = length > 0.5 ? p : qvMakeVec3(0.57735, 0.57735, 0.57735);
            assert_true(sign * qvDot(n, outward) > 0.99); // quantized to 8 bits
        }
        ASSERT_NEAR(Volume(mesh, 0, 4), 1.0, 1e-3);
        char* text = qvJson_Print(model->source->json, false);
        assert_null(strstr(text, "draco"));
        qvFreeText(text);
        qvDestroyModel(model);
    }
#endif
}

static void TestNoIndices(void** state)
{
    (void)state;
    qvModel* model = Load("gltf/no_indices.gltf");
    assert_int_equal(model->mesh->vertexCount, 12);
    assert_int_equal(model->mesh->pointCount, 4);
    AssertTriangle(model->mesh, 3, 9, 10, 11);
    qvDestroyModel(model);
}

static void TestSparseOverData(void** state)
{
    (void)state;
    qvModel* model = Load("gltf/sparse.gltf");
    AssertPosition(model->mesh->positions[2], 0, 1, 0);
    AssertPosition(model->mesh->positions[3], 0, 0, 2);
    qvDestroyModel(model);
}

static void TestInterleaved(void** state)
{
    (void)state;
    qvModel* model = Load("gltf/interleaved.gltf");
    const qvMesh* mesh = model->mesh;
    assert_int_equal(mesh->normalDomain, qv_domainVertex);
    assert_int_equal(mesh->uvDomain, qv_domainVertex);
    assert_int_equal(mesh->colorDomain, qv_domainVertex);
    AssertPosition(mesh->positions[2], 1, 1, 0);
    ASSERT_NEAR(mesh->normals[3].z, 1.0, 0.0);
    // v runs up here and down in the file.
    ASSERT_NEAR(mesh->uvs[1].x, 1.0, 0.0);
    ASSERT_NEAR(mesh->uvs[1].y, 1.0, 0.0);
    ASSERT_NEAR(mesh->uvs[2].y, 0.0, 0.0);
    ASSERT_NEAR(mesh->colors[0].g, 0.0, 0.0);
    ASSERT_NEAR(mesh->colors[1].g, 128.0 / 255.0, 1e-7);
    ASSERT_NEAR(mesh->colors[1].a, 1.0, 0.0);
    qvDestroyModel(model);
}

static void TestColors(void** state)
{
    (void)state;
    qvModel* model = Load("gltf/colors.gltf");
    ASSERT_NEAR(model->mesh->colors[1].g, 1.0, 0.0);
    ASSERT_NEAR(model->mesh->colors[1].r, 0.0, 0.0);
    ASSERT_NEAR(model->mesh->colors[3].a, 1.0, 0.0); // three components: opaque
    ASSERT_NEAR(model->mesh->uvs[2].x, 1.0, 0.0);
    ASSERT_NEAR(model->mesh->uvs[2].y, 0.0, 0.0);
    qvDestroyModel(model);
}

static void TestModes(void** state)
{
    (void)state;
    qvModel* model = Load("gltf/modes.gltf");
    const qvMesh* mesh = model->mesh;
    assert_int_equal(mesh->vertexCount, 11);
    assert_int_equal(mesh->triangleCount, 4 + 3);
    AssertTriangle(mesh, 0, 0, 1, 2);
    AssertTriangle(mesh, 1, 1, 3, 2);
    AssertTriangle(mesh, 2, 2, 3, 4);
    AssertTriangle(mesh, 3, 3, 5, 4);
    AssertTriangle(mesh, 4, 7, 8, 6);
    AssertTriangle(mesh, 6, 9, 10, 6);
    assert_int_equal(mesh->submeshCount, 2);
    assert_int_equal(model->notes.count, 2);
    ASSERT_CONTAINS(model->notes.lines[0], "meshes[0].primitives[2]: points and lines");
    qvDestroyModel(model);
    // A strip that jumps over repeated vertices has no degenerate triangles, and says nothing of repairs.
    model = Load("gltf/strip_jump.gltf");
    assert_int_equal(model->mesh->triangleCount, 3);
    AssertTriangle(model->mesh, 2, 4, 5, 6);
    assert_int_equal(model->report.items[qv_healthDegenerate].count, 0);
    qvDestroyModel(model);
}

// Three of four nodes are in the scene: turned and doubled, mirrored, and a child of the mirrored one. The primitives
// share their vertices.
static void TestNodes(void** state)
{
    (void)state;
    qvModel* model = Load("gltf/nodes.gltf");
    const qvMesh* mesh = model->mesh;
    assert_int_equal(mesh->vertexCount, 12);
    assert_int_equal(mesh->triangleCount, 12);
    assert_int_equal(mesh->submeshCount, 6);
    assert_string_equal(mesh->submeshes[2].name, "tet");
    AssertPosition(mesh->positions[1], 10, 2, 0);
    AssertPosition(mesh->positions[2], 8, 0, 0);
    AssertPosition(mesh->positions[5], 9, 5, 0);
    AssertPosition(mesh->positions[9], 9, 5, 3);
    AssertPosition(mesh->positions[11], 10, 5, 4);
    // No part is inside out, and normals point outwards with the triangles.
    ASSERT_NEAR(Volume(mesh, 0, 4), 8.0, 1e-5);
    ASSERT_NEAR(Volume(mesh, 4, 4), 1.0, 1e-5);
    ASSERT_NEAR(Volume(mesh, 8, 4), 1.0, 1e-5);
    AssertPosition(mesh->normals[1], 0, 1, 0);
    AssertPosition(mesh->normals[5], -1, 0, 0);
    AssertPosition(mesh->normals[4], 0.57735026, -0.57735026, -0.57735026);
    assert_int_equal(model->report.items[qv_healthInsideOut].count, 0);
    assert_int_equal(model->report.items[qv_healthWinding].count, 0);
    qvDestroyModel(model);
}

static void TestMorphs(void** state)
{
    (void)state;
    qvModel* model = Load("gltf/morph.gltf");
    assert_int_equal(model->morphCount, 2);
    assert_string_equal(model->morphs[0].name, "wide");
    assert_string_equal(model->morphs[1].name, "tall");
    ASSERT_NEAR(model->morphs[1].weight, 0.5, 0.0);
    // Rest includes the default weights; deltas are in world space, where the node doubles them.
    AssertPosition(model->mesh->positions[2], 0, 4, 0);
    AssertPosition(model->morphs[0].deltas[1], 2, 0, 0);
    AssertPosition(model->morphs[1].deltas[2], 0, 4, 0);
    AssertPosition(model->morphs[1].deltas[1], 0, 0, 0);
    qvDestroyModel(model);
}

// Targets of the same name are one shape, in whatever order the meshes have them.
static void TestMorphNames(void** state)
{
    (void)state;
    qvModel* model = Load("gltf/morph_names.gltf");
    assert_int_equal(model->morphCount, 4);
    assert_string_equal(model->morphs[0].name, "smile");
    assert_string_equal(model->morphs[1].name, "frown");
    assert_string_equal(model->morphs[2].name, "target 3");
    assert_string_equal(model->morphs[3].name, "wink");
    ASSERT_NEAR(model->morphs[3].weight, 0.25, 0.0);
    AssertPosition(model->morphs[0].deltas[1], 1, 0, 0);
    AssertPosition(model->morphs[0].deltas[4 + 2], 0, 2, 0);
    AssertPosition(model->morphs[1].deltas[2], 0, 2, 0);
    AssertPosition(model->morphs[1].deltas[4 + 1], 1, 0, 0);
    assert_null(model->rig);
    qvDestroyModel(model);
}

static void CheckMaterials(const char* name)
{
    qvModel* model = Load(name);
    const qvMesh* mesh = model->mesh;
    assert_int_equal(mesh->materialCount, 3);
    assert_int_equal(mesh->textureCount, 3);
    const qvMaterial* wood = &mesh->materials[mesh->submeshes[0].material];
    assert_string_equal(wood->name, "wood");
    ASSERT_NEAR(wood->baseColor.g, 0.25, 0.0);
    ASSERT_NEAR(wood->metallic, 0.0, 0.0);
    ASSERT_NEAR(wood->roughness, 0.75, 0.0);
    assert_true(wood->doubleSided);
    assert_int_equal(wood->texture, 0);
    ASSERT_NEAR(mesh->materials[1].metallic, 1.0, 0.0);
    const qvTexture* textures = mesh->textures;
    assert_string_equal(textures[0].name, "inside");
    assert_string_equal(textures[0].mimeType, "image/png");
    assert_string_equal(textures[1].mimeType, "image/png");
    assert_true(textures[0].byteCount > 60 && textures[0].byteCount == textures[1].byteCount);
    assert_memory_equal(textures[0].bytes, textures[1].bytes, textures[0].byteCount);
    assert_memory_equal(textures[0].bytes, "\x89PNG", 4);
    assert_null(textures[2].bytes);
    assert_string_equal(textures[2].path, "textures/wood grain.png");
    assert_int_equal(mesh->materials[1].texture, 2);
    // The card has UVs and normals, the tetrahedron has neither.
    assert_int_equal(mesh->normalDomain, qv_domainCorner);
    ASSERT_NEAR(mesh->uvs[0].y, 0.0, 0.0);
    qvDestroyModel(model);
}

static void TestMaterials(void** state)
{
    (void)state;
    CheckMaterials("gltf/rich.gltf");
    CheckMaterials("glb/rich.glb");
}

// An image elsewhere is no reason to refuse a mesh, but is not looked at either.
static void TestRemoteImage(void** state)
{
    (void)state;
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],\"images\":[{\"uri\":\"https://x.org/a.png\"}],"
        "\"textures\":[{\"source\":0}],\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0}}}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"material\":0}]}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5121,\"type\":\"VEC3\",\"count\":3}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":9}],"
        "\"buffers\":[{\"byteLength\":9,\"uri\":\"data:;base64,AAAAAQAAAAEA\"}]}";
    qvError error;
    qvModel* model;
    ASSERT_OK(qvLoadModelFromMemory("gltf", text, strlen(text), "card", NULL, NULL, &model, &error), error);
    AssertPosition(model->mesh->positions[1], 1, 0, 0);
    assert_string_equal(model->mesh->textures[0].path, "");
    assert_int_equal(model->notes.count, 1);
    ASSERT_CONTAINS(model->notes.lines[0], "images[0].uri");
    qvDestroyModel(model);
}

// Columns of small matrices start at multiples of four bytes: an inverse bind matrix of bytes and a skin of one joint.
static void TestMatrixPadding(void** state)
{
    (void)state;
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0,\"skin\":0},{\"name\":\"joint\"}],"
        "\"skins\":[{\"joints\":[1],\"inverseBindMatrices\":1}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":2,\"WEIGHTS_0\":3}}]}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5121,\"type\":\"VEC3\",\"count\":3},"
        "{\"bufferView\":1,\"componentType\":5120,\"type\":\"MAT4\",\"count\":1},"
        "{\"componentType\":5121,\"type\":\"VEC4\",\"count\":3},{\"componentType\":5126,\"type\":\"VEC4\",\"count\":3}]"
        ","
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":9},{\"buffer\":1,\"byteLength\":16}],"
        "\"buffers\":[{\"byteLength\":9,\"uri\":\"data:;base64,AAAAAQAAAAEA\"},"
        // 1 0 0 0, 0 1 0 0, 0 0 1 0, 5 6 7 1
        "{\"byteLength\":16,\"uri\":\"data:;base64,AQAAAAABAAAAAAEABQYHAQ==\"}]}";
    qvError error;
    qvModel* model;
    ASSERT_OK(qvLoadModelFromMemory("gltf", text, strlen(text), "card", NULL, NULL, &model, &error), error);
    // Without any weight the vertices follow the first joint.
    AssertPosition(model->mesh->positions[1], 6, 6, 7);
    qvDestroyModel(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestEncodings),      cmocka_unit_test(TestDraco),       cmocka_unit_test(TestNoIndices),
        cmocka_unit_test(TestSparseOverData), cmocka_unit_test(TestInterleaved), cmocka_unit_test(TestColors),
        cmocka_unit_test(TestModes),          cmocka_unit_test(TestNodes),       cmocka_unit_test(TestMorphs),
        cmocka_unit_test(TestMorphNames),     cmocka_unit_test(TestMaterials),   cmocka_unit_test(TestRemoteImage),
        cmocka_unit_test(TestMatrixPadding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
