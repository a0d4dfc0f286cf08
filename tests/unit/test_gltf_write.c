// SPDX-License-Identifier: GPL-3.0-or-later
// Writing back keeps everything that was not edited; models from elsewhere get a document of their own.
#include "testing.h"

#include "formats/gltf.h"
#include "quaver/file.h"
#include "quaver/json.h"
#include "quaver/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char* const goodFiles[] = {
    "gltf/colors.gltf",         "gltf/cubic.gltf",        "gltf/degenerate.gltf",
    "gltf/external.gltf",       "gltf/instances.gltf",    "gltf/interleaved.gltf",
    "gltf/modes.gltf",          "gltf/morph.gltf",        "gltf/no_indices.gltf",
    "gltf/nodes.gltf",          "gltf/positions_s8.gltf", "gltf/positions_u16_normalized.gltf",
    "gltf/rich.gltf",           "gltf/skin.gltf",         "gltf/sparse.gltf",
    "gltf/sparse_no_view.gltf", "gltf/strip_jump.gltf",   "gltf/triangle.gltf",
    "gltf/two_buffers.gltf",    "glb/rich.glb",           "glb/skin.glb",
    "glb/interleaved.glb",      "gltf/indices_u32.gltf",  "gltf/two_cards.gltf",
    "gltf/aliased.gltf",        "gltf/morph_names.gltf",  "gltf/positions_s16_normalized.gltf",
};

static qvModel* LoadPath(const char* path)
{
    qvError error;
    qvModel* model;
    ASSERT_OK(qvLoadModel(path, NULL, &model, &error), error);
    return model;
}

static qvModel* Load(const char* name)
{
    char path[512];
    return LoadPath(DataPath(path, sizeof(path), name));
}

// Writes below the output folder and reads back.
static qvModel* SaveAndLoad(const qvModel* model, const qvVec3f* positions, const char* name)
{
    char path[512];
    qvError error;
    ASSERT_OK(qvSaveModel(model, positions, OutputPath(path, sizeof(path), name), &error), error);
    return LoadPath(path);
}

static qvVec3f* Move(const qvMesh* mesh, int first, int count, float distance)
{
    qvVec3f* positions = malloc((size_t)mesh->vertexCount * sizeof(qvVec3f));
    assert_non_null(positions);
    memcpy(positions, mesh->positions, (size_t)mesh->vertexCount * sizeof(qvVec3f));
    for (int i = first; i < first + count; i++)
    {
        positions[i].x += distance * (1.0f + sinf(3.0f * mesh->positions[i].y));
        positions[i].z -= distance * mesh->positions[i].x;
    }
    return positions;
}

static void AssertPositions(const qvVec3f* a, const qvVec3f* b, int count, double tolerance)
{
    for (int i = 0; i < count; i++)
    {
        ASSERT_NEAR(a[i].x, b[i].x, tolerance);
        ASSERT_NEAR(a[i].y, b[i].y, tolerance);
        ASSERT_NEAR(a[i].z, b[i].z, tolerance);
    }
}

static void AssertSameJson(const qvJson* a, const qvJson* b)
{
    char *textA = qvJson_Print(a, false), *textB = qvJson_Print(b, false);
    assert_true((textA == NULL) == (textB == NULL));
    if (textA != NULL)
        assert_string_equal(textA, textB);
    qvFreeText(textA);
    qvFreeText(textB);
}

// Compares all top-level members but those named.
static void AssertSameDocument(const qvGltf* a, const qvGltf* b, const char* except)
{
    for (const qvJson* item = qvJson_First(a->json); item != NULL; item = qvJson_Next(item))
    {
        if (strstr(except, qvJson_Name(item)) == NULL)
            AssertSameJson(item, qvJson_Find(b->json, qvJson_Name(item)));
    }
}

static void AssertSameBytes(const qvGltf* a, const qvGltf* b, int accessor)
{
    qvGltfAccessor x, y;
    qvError error;
    ASSERT_OK(qvGltf_LoadAccessor(a, accessor, &x, &error), error);
    ASSERT_OK(qvGltf_LoadAccessor(b, accessor, &y, &error), error);
    assert_int_equal(x.count, y.count);
    if (x.viewIndex < 0)
        return;
    for (int i = 0; i < x.count; i++)
        assert_memory_equal(x.view.bytes + x.offset + (size_t)i * x.stride,
                            y.view.bytes + y.offset + (size_t)i * y.stride, x.elementSize);
}

static void TestUnchanged(void** state)
{
    (void)state;
    static const char* const outputs[] = { "same.glb", "same.gltf" };
    for (size_t i = 0; i < sizeof(goodFiles) / sizeof(goodFiles[0]); i++)
    {
        if (strstr(goodFiles[i], "degenerate") != NULL)
            continue; // its indices are repaired
        qvModel* model = Load(goodFiles[i]);
        for (int k = 0; k < 2; k++)
        {
            qvModel* copy = SaveAndLoad(model, NULL, outputs[k]);
            // In a binary file the image that was a data URI moves into the buffer.
            bool embeds = k == 0 && strstr(goodFiles[i], "rich") != NULL;
            AssertSameDocument(model->source, copy->source,
                               embeds ? "buffers bufferViews images" : "buffers bufferViews");
            if (model->source->bufferCount == 1 && !embeds)
                AssertSameJson(qvJson_Find(model->source->json, "bufferViews"),
                               qvJson_Find(copy->source->json, "bufferViews"));
            for (int a = 0; a < model->source->accessors.count; a++)
                AssertSameBytes(model->source, copy->source, a);
            const qvMesh *x = model->mesh, *y = copy->mesh;
            assert_int_equal(qvMesh_Hash(x), qvMesh_Hash(y));
            assert_int_equal(x->uvDomain, y->uvDomain);
            assert_int_equal(x->textureCount, y->textureCount);
            for (int t = 0; t < x->textureCount; t++)
            {
                assert_string_equal(x->textures[t].path, y->textures[t].path);
                assert_string_equal(x->textures[t].mimeType, y->textures[t].mimeType);
                assert_int_equal(x->textures[t].byteCount, y->textures[t].byteCount);
                if (x->textures[t].bytes != NULL)
                    assert_memory_equal(x->textures[t].bytes, y->textures[t].bytes, x->textures[t].byteCount);
            }
            qvDestroyModel(copy);
        }
        qvDestroyModel(model);
    }
}

// Every vertex moves: what comes back is what was written, and nothing but meshes and accessors differs.
static void TestMoved(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(goodFiles) / sizeof(goodFiles[0]); i++)
    {
        qvModel* model = Load(goodFiles[i]);
        const qvMesh* mesh = model->mesh;
        qvVec3f* positions = Move(mesh, 0, mesh->vertexCount, 0.3f);
        qvModel* copy = SaveAndLoad(model, positions, "moved.glb");
        assert_int_equal(copy->mesh->vertexCount, mesh->vertexCount);
        assert_int_equal(copy->mesh->triangleCount, mesh->triangleCount);
        AssertPositions(copy->mesh->positions, positions, mesh->vertexCount, 2e-6 * qvBox_Diagonal(mesh->bounds));
        AssertSameDocument(model->source, copy->source, "buffers bufferViews accessors meshes nodes images");
        assert_int_equal(copy->morphCount, model->morphCount);
        free(positions);
        qvDestroyModel(copy);
        qvDestroyModel(model);
    }
}

// Floats that serve one mesh only are replaced where they are: the file does not grow.
static void TestReplacedInPlace(void** state)
{
    (void)state;
    qvModel* model = Load("gltf/interleaved.gltf");
    qvVec3f* positions = Move(model->mesh, 1, 1, 0.5f);
    qvModel* copy = SaveAndLoad(model, positions, "in_place.glb");
    assert_int_equal(copy->source->accessors.count, model->source->accessors.count);
    assert_int_equal(copy->source->buffers[0].bytes.size, model->source->buffers[0].bytes.size);
    AssertSameBytes(model->source, copy->source, 2); // UVs and colours beside the positions
    AssertSameBytes(model->source, copy->source, 3);
    AssertSameBytes(model->source, copy->source, 4);
    const qvJson* accessor = copy->source->accessors.items[0];
    ASSERT_NEAR(qvJson_Number(qvJson_At(qvJson_Find(accessor, "max"), 0)), 1.5, 1e-6);
    free(positions);
    qvDestroyModel(copy);
    qvDestroyModel(model);
}

// Normals follow the surface where it moved, and only there.
static void TestNormals(void** state)
{
    (void)state;
    qvModel* model = Load("gltf/nodes.gltf");
    const qvMesh* mesh = model->mesh;
    qvVec3f* positions = malloc((size_t)mesh->vertexCount * sizeof(qvVec3f));
    assert_non_null(positions);
    for (int i = 0; i < mesh->vertexCount; i++)
    {
        qvVec3f p = mesh->positions[i];
        // A quarter turn about x; the third instance stays.
        positions[i] = i < 8 ? (qvVec3f){ p.x, -p.z, p.y } : p;
    }
    qvModel* copy = SaveAndLoad(model, positions, "normals.glb");
    AssertPositions(copy->mesh->positions, positions, mesh->vertexCount, 1e-5);
    AssertPositions(copy->mesh->normals + 8, mesh->normals + 8, 4, 0.0);
    for (int i = 0; i < 8; i++)
    {
        // Angle-weighted normals of the turned tetrahedron: those of the corner at the right angles are known.
        qvVec3f n = copy->mesh->normals[i];
        ASSERT_NEAR(n.x * n.x + n.y * n.y + n.z * n.z, 1.0, 1e-5);
    }
    const float s = 0.57735026f;
    // Corner 0 of the first instance points along (+, -, -) in its world before the turn: x stays, y <- -z, z <- y.
    AssertPositions(copy->mesh->normals, &(qvVec3f){ s, s, -s }, 1, 1e-5);
    // That of the mirrored one likewise.
    AssertPositions(copy->mesh->normals + 4, &(qvVec3f){ s, s, -s }, 1, 1e-5);
    free(positions);
    qvDestroyModel(copy);
    qvDestroyModel(model);
}

// A part that did not move keeps the file's normals, whatever the surface would say.
static void TestNormalsElsewhere(void** state)
{
    (void)state;
    qvModel* model = Load("gltf/two_cards.gltf");
    const qvMesh* mesh = model->mesh;
    qvVec3f* positions = Move(mesh, 0, 0, 0.0f);
    for (int i = 0; i < 4; i++) // the first card turns to face x
        positions[i] = (qvVec3f){ mesh->positions[i].z, mesh->positions[i].y, -mesh->positions[i].x };
    qvModel* copy = SaveAndLoad(model, positions, "two_cards.glb");
    AssertPositions(copy->mesh->positions, positions, mesh->vertexCount, 1e-6);
    for (int i = 0; i < 4; i++)
        AssertPositions(&copy->mesh->normals[i], &(qvVec3f){ 1.0f, 0.0f, 0.0f }, 1, 1e-6);
    AssertPositions(copy->mesh->normals + 4, mesh->normals + 4, 4, 0.0);
    free(positions);
    qvDestroyModel(copy);
    qvDestroyModel(model);
}

// Two accessors may show the same bytes: then these are not replaced.
static void TestAliased(void** state)
{
    (void)state;
    qvModel* model = Load("gltf/aliased.gltf");
    qvVec3f* positions = Move(model->mesh, 0, 4, 0.5f);
    qvModel* copy = SaveAndLoad(model, positions, "aliased.glb");
    AssertPositions(copy->mesh->positions, positions, 8, 1e-6);
    free(positions);
    qvDestroyModel(copy);
    qvDestroyModel(model);
}

static int MeshOfNode(const qvModel* model, int node)
{
    return (int)qvJson_Number(qvJson_Find(model->source->nodes.items[node], "mesh"));
}

static void TestInstances(void** state)
{
    (void)state;
    qvModel* model = Load("gltf/instances.gltf");
    const qvMesh* mesh = model->mesh;
    // Only the second instance moves: it gets a mesh of its own.
    qvVec3f* positions = Move(mesh, 4, 4, 0.5f);
    qvModel* copy = SaveAndLoad(model, positions, "instances.gltf");
    AssertPositions(copy->mesh->positions, positions, mesh->vertexCount, 1e-6);
    assert_int_equal(copy->source->meshes.count, 2);
    assert_int_equal(MeshOfNode(copy, 0), 0);
    assert_int_equal(MeshOfNode(copy, 1), 1);
    assert_int_equal(MeshOfNode(copy, 2), 0);
    AssertSameBytes(model->source, copy->source, 0);
    qvDestroyModel(copy);
    // All move alike: the mesh stays one, edited in place.
    for (int i = 0; i < mesh->vertexCount; i++)
        positions[i] = (qvVec3f){ mesh->positions[i].x, 2.0f * mesh->positions[i].y, mesh->positions[i].z };
    copy = SaveAndLoad(model, positions, "instances.gltf");
    AssertPositions(copy->mesh->positions, positions, mesh->vertexCount, 1e-6);
    assert_int_equal(copy->source->meshes.count, 1);
    assert_int_equal(copy->source->accessors.count, model->source->accessors.count);
    free(positions);
    qvDestroyModel(copy);
    qvDestroyModel(model);
}

// A node outside the scene keeps the mesh as it was.
static void TestOutsideScene(void** state)
{
    (void)state;
    qvModel* model = Load("gltf/nodes.gltf");
    qvVec3f* positions = Move(model->mesh, 0, model->mesh->vertexCount, 0.2f);
    qvModel* copy = SaveAndLoad(model, positions, "outside.glb");
    assert_int_equal(MeshOfNode(copy, 4), 0);
    AssertSameBytes(model->source, copy->source, 0);
    AssertSameJson(model->source->meshes.items[0], copy->source->meshes.items[0]);
    assert_true(MeshOfNode(copy, 1) > 0);
    free(positions);
    qvDestroyModel(copy);
    qvDestroyModel(model);
}

static void CheckRepaired(const char* name, qvHealthKind kind)
{
    qvModel* model = Load(name);
    assert_int_equal(model->report.items[kind].count, 1);
    qvModel* copy = SaveAndLoad(model, NULL, "repaired.glb");
    assert_int_equal(copy->report.items[kind].count, 0);
    assert_int_equal(qvMesh_Hash(copy->mesh), qvMesh_Hash(model->mesh));
    AssertSameBytes(model->source, copy->source, 0);
    qvDestroyModel(copy);
    qvDestroyModel(model);
}

static void TestRepairedIndices(void** state)
{
    (void)state;
    CheckRepaired("gltf/degenerate.gltf", qv_healthDegenerate);
    CheckRepaired("gltf/flipped.gltf", qv_healthWinding);
}

// A rig keeps working on the edited shape: the animation moves the new vertices.
static void TestSkinMoved(void** state)
{
    (void)state;
    qvModel* model = Load("gltf/skin.gltf");
    int count = model->mesh->vertexCount;
    qvVec3f* positions = Move(model->mesh, 8, 4, 0.1f);
    qvModel* copy = SaveAndLoad(model, positions, "skin.gltf");
    void* scratch = malloc(qvRig_ScratchSize(copy->rig));
    qvVec3f* posed = malloc((size_t)count * sizeof(qvVec3f));
    qvRig_Evaluate(copy->rig, 0, 1.0, scratch, posed);
    for (int i = 8; i < 12; i++) // a quarter turn about (0, 1, 0)
        AssertPositions(&posed[i], &(qvVec3f){ 1.0f - positions[i].y, 1.0f + positions[i].x, positions[i].z }, 1, 1e-5);
    free(scratch);
    free(posed);
    free(positions);
    qvDestroyModel(copy);
    qvDestroyModel(model);
}

// A triangle with compressed twins of its primitive and of a view.
static const char twinText[] =
    "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"KHR_draco_mesh_compression\",\"EXT_meshopt_compression\"],"
    "\"scene\":0,"
    "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":"
    "0,\"NORMAL\":1},"
    "\"extensions\":{\"KHR_draco_mesh_compression\":{\"bufferView\":2,\"attributes\":{\"POSITION\":0}}}}]}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,"
    "1,0]},"
    "{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,1],\"max\":[0,0,1]}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,\"byteLength\":36,"
    "\"extensions\":"
    "{\"EXT_meshopt_compression\":{\"buffer\":1,\"byteLength\":8,\"byteStride\":12,\"count\":3,\"mode\":\"ATTRIBUTES\"}"
    "}},"
    "{\"buffer\":1,\"byteLength\":8}],\"buffers\":[{\"byteLength\":72,\"uri\":\"data:application/octet-stream;base64,"
    "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAA"
    "AIA/AAAAAAAAAAAAAIA/AAAAAAAAAAAAAIA/\"},"
    "{\"byteLength\":8,\"uri\":\"data:application/octet-stream;base64,AAAAAAAAAAA=\"}]}";

// What moved is not shown in its old shape by readers of compressed twins, views point into the one buffer, and bounds
// are those of the new values.
static void TestTwins(void** state)
{
    (void)state;
    qvError error;
    qvModel* model;
    ASSERT_OK(qvLoadModelFromMemory("gltf", twinText, strlen(twinText), "twins.gltf", NULL, NULL, &model, &error),
              error);
    qvVec3f positions[3];
    memcpy(positions, model->mesh->positions, sizeof(positions));
    positions[2] = (qvVec3f){ 0.0f, 0.5f, 1.0f };
    qvModel* copy = SaveAndLoad(model, positions, "twins.glb");
    const qvGltf* gltf = copy->source;
    const qvJson* primitive = qvJson_First(qvJson_Find(gltf->meshes.items[0], "primitives"));
    assert_null(qvJson_Find(primitive, "extensions"));
    assert_null(qvJson_Find(gltf->views.items[1], "extensions"));
    ASSERT_NEAR(qvJson_Number(qvJson_Find(gltf->views.items[2], "byteOffset")), 72.0, 0.0);
    const qvJson* bounds = qvJson_Find(gltf->accessors.items[1], "min");
    ASSERT_NEAR(qvJson_Number(qvJson_At(bounds, 1)), copy->mesh->normals[0].y, 1e-7);
    assert_true(fabsf(copy->mesh->normals[0].y) > 0.1f);
    qvDestroyModel(copy);
    qvDestroyModel(model);
}

// --- Models from elsewhere

static const char objText[] = "mtllib none.mtl\n"
                              "o card\n"
                              "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nv 2 1 0\nv 9 9 9\n"
                              "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt 0.25 0.5\n"
                              "vn 0 0 1\n"
                              "f 1/1/1 2/2/1 3/3/1 4/4/1\n"
                              "g other\n"
                              "f 2/1/1 5/5/1 6/3/1 3/3/1\n";

static void TestFresh(void** state)
{
    (void)state;
    qvError error;
    qvModel* model;
    ASSERT_OK(qvLoadModelFromMemory("obj", objText, strlen(objText), "card.obj", NULL, NULL, &model, &error), error);
    static const char* const outputs[] = { "fresh.glb", "fresh with space.gltf" };
    for (int k = 0; k < 2; k++)
    {
        qvModel* copy = SaveAndLoad(model, NULL, outputs[k]);
        const qvMesh *x = model->mesh, *y = copy->mesh;
        assert_int_equal(y->triangleCount, x->triangleCount);
        assert_int_equal(y->submeshCount, x->submeshCount);
        // Vertex 2 has two UVs and is split; the one that nothing uses stays.
        assert_int_equal(y->vertexCount, 8);
        for (int t = 0; t < x->triangleCount; t++)
        {
            for (int c = 0; c < 3; c++)
            {
                AssertPositions(&x->positions[x->triangles[t].v[c]], &y->positions[y->triangles[t].v[c]], 1, 0.0);
                qvVec2f a = x->uvs[x->uvDomain == qv_domainCorner ? 3 * t + c : x->triangles[t].v[c]];
                qvVec2f b = y->uvs[y->triangles[t].v[c]];
                ASSERT_NEAR(a.x, b.x, 0.0);
                ASSERT_NEAR(a.y, b.y, 1e-7);
                ASSERT_NEAR(y->normals[y->triangles[t].v[c]].z, 1.0, 0.0);
            }
        }
        const qvJson* accessor = copy->source->accessors.items[0];
        ASSERT_NEAR(qvJson_Number(qvJson_At(qvJson_Find(accessor, "max"), 2)), 9.0, 0.0);
        qvDestroyModel(copy);
    }
    qvDestroyModel(model);
}

// A glTF model whose source is gone is like any other: materials and embedded images come along.
static void TestFreshMaterials(void** state)
{
    (void)state;
    qvModel* model = Load("glb/rich.glb");
    qvGltf* source = model->source;
    model->source = NULL;
    qvModel* copy = SaveAndLoad(model, NULL, "fresh_rich.glb");
    model->source = source;
    assert_int_equal(copy->mesh->materialCount, 3);
    const qvMaterial* wood = &copy->mesh->materials[0];
    assert_string_equal(wood->name, "wood");
    ASSERT_NEAR(wood->baseColor.g, 0.25, 0.0);
    ASSERT_NEAR(wood->roughness, 0.75, 0.0);
    assert_true(wood->doubleSided);
    const qvTexture *x = &model->mesh->textures[0], *y = &copy->mesh->textures[wood->texture];
    assert_int_equal(x->byteCount, y->byteCount);
    assert_memory_equal(x->bytes, y->bytes, x->byteCount);
    assert_string_equal(copy->mesh->textures[2].path, "textures/wood grain.png");
    qvDestroyModel(copy);
    qvDestroyModel(model);
}

// More vertices than 16 bits can count.
static void TestLarge(void** state)
{
    (void)state;
    enum
    {
        SIDE = 270
    };
    qvVec3f* positions = malloc(SIDE * SIDE * sizeof(qvVec3f));
    int32_t *corners = malloc((SIDE - 1) * (SIDE - 1) * 4 * sizeof(int32_t)), *corner = corners;
    int32_t* sizes = malloc((SIDE - 1) * (SIDE - 1) * sizeof(int32_t));
    for (int i = 0; i < SIDE * SIDE; i++)
        positions[i] = (qvVec3f){ (float)(i % SIDE), (float)(i / SIDE), 0.01f * (float)(i % 7) };
    for (int i = 0; i < (SIDE - 1) * (SIDE - 1); i++)
    {
        int v = i / (SIDE - 1) * SIDE + i % (SIDE - 1);
        sizes[i] = 4;
        *corner++ = v;
        *corner++ = v + 1;
        *corner++ = v + SIDE + 1;
        *corner++ = v + SIDE;
    }
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = SIDE * SIDE;
    def.positions = positions;
    def.faceCount = (SIDE - 1) * (SIDE - 1);
    def.faceSizes = sizes;
    def.corners = corners;
    qvModel model = { 0 };
    qvError error;
    ASSERT_OK(qvCreateMesh(&def, &model.mesh, NULL, &error), error);
    qvModel* copy = SaveAndLoad(&model, NULL, "large.glb");
    assert_int_equal(qvMesh_Hash(copy->mesh), qvMesh_Hash(model.mesh));
    qvDestroyModel(copy);
    qvDestroyMesh(model.mesh);
    free(positions);
    free(corners);
    free(sizes);
}

static void TestFailure(void** state)
{
    (void)state;
    qvModel* model = Load("glb/rich.glb");
    qvError error;
    assert_int_not_equal(qvSaveModel(model, NULL, "/nowhere/at/all/x.glb", &error), qv_ok);
    ASSERT_CONTAINS(error.message, "/nowhere/at/all");
    qvDestroyModel(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestUnchanged),
        cmocka_unit_test(TestMoved),
        cmocka_unit_test(TestReplacedInPlace),
        cmocka_unit_test(TestNormals),
        cmocka_unit_test(TestNormalsElsewhere),
        cmocka_unit_test(TestAliased),
        cmocka_unit_test(TestInstances),
        cmocka_unit_test(TestOutsideScene),
        cmocka_unit_test(TestRepairedIndices),
        cmocka_unit_test(TestSkinMoved),
        cmocka_unit_test(TestFresh),
        cmocka_unit_test(TestTwins),
        cmocka_unit_test(TestFreshMaterials),
        cmocka_unit_test(TestLarge),
        cmocka_unit_test(TestFailure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
