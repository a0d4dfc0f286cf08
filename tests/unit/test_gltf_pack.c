// SPDX-License-Identifier: GPL-3.0-or-later
// EXT_meshopt_compression, both ways.
#include "animation_testing.h"

#include "formats/gltf.h"
#include "mesh/meshopt.h"
#include "quaver/file.h"

static const char EXTENSION[] = "EXT_meshopt_compression";

// --- The codec -----------------------------------------------------------------------------------------------------

static void CheckPacking(const qvPacking* packing, const void* bytes)
{
    size_t room = qvPacking_Bound(packing), size = packing->count * packing->stride;
    uint8_t *packed = malloc(room), *unpacked = malloc(size);
    assert_true(packed != NULL && unpacked != NULL);
    size_t used = qvPacking_Pack(packing, bytes, packed, room);
    assert_true(used > 0 && used <= room);
    int version = qvPacking_Version(packing, packed, used);
    assert_int_equal(version, packing->mode == qv_packAttributes ? 0 : 1);
    assert_true(qvPacking_CanUnpack(packing, version));
    assert_true(qvPacking_Unpack(packing, packed, used, unpacked));
    if (packing->filter == qv_packPlain && packing->mode != qv_packTriangles)
        assert_memory_equal(unpacked, bytes, size);
    assert_false(qvPacking_Unpack(packing, packed, used - 1, unpacked));
    packed[0] = 0x01;
    assert_int_equal(qvPacking_Version(packing, packed, used), -1);
    free(packed);
    free(unpacked);
}

static void TestCodec(void** state)
{
    (void)state;
    uint16_t values[600];
    for (int i = 0; i < 600; i++)
        values[i] = (uint16_t)(i * i % 991);
    CheckPacking(&(qvPacking){ qv_packAttributes, qv_packPlain, 100, 12 }, values);
    CheckPacking(&(qvPacking){ qv_packAttributes, qv_packPlain, 300, 4 }, values);
    CheckPacking(&(qvPacking){ qv_packTriangles, qv_packPlain, 600, 2 }, values);
    CheckPacking(&(qvPacking){ qv_packIndices, qv_packPlain, 599, 2 }, values);
    CheckPacking(&(qvPacking){ qv_packIndices, qv_packPlain, 300, 4 }, values);
    assert_false(qvPacking_IsValid(&(qvPacking){ qv_packAttributes, qv_packPlain, 1, 6 }));
    assert_false(qvPacking_IsValid(&(qvPacking){ qv_packAttributes, qv_packPlain, 1, 260 }));
    assert_false(qvPacking_IsValid(&(qvPacking){ qv_packAttributes, qv_packQuaternion, 1, 4 }));
    assert_false(qvPacking_IsValid(&(qvPacking){ qv_packTriangles, qv_packPlain, 4, 2 }));
    assert_false(qvPacking_IsValid(&(qvPacking){ qv_packIndices, qv_packPlain, 4, 1 }));
}

// Floats come out of the filter as they went in, or it says that they cannot.
static void TestFloats(void** state)
{
    (void)state;
    enum
    {
        COUNT = 64
    };
    float values[COUNT], back[COUNT];
    uint32_t filtered[COUNT];
    for (int i = 0; i < COUNT; i++)
        values[i] = (float)(i - 20) * 0.0078125f + (i == 9 ? 512.0f : 0.0f);
    assert_true(qvFilterFloats(values, COUNT, filtered));
    const qvPacking packing = { qv_packAttributes, qv_packExponential, COUNT / 4, 16 };
    uint8_t packed[1024];
    size_t size = qvPacking_Pack(&packing, filtered, packed, sizeof(packed));
    assert_true(qvPacking_Unpack(&packing, packed, size, back));
    assert_memory_equal(back, values, sizeof(values));
    values[3] = 0.1f; // needs more digits than fit beside 512
    assert_false(qvFilterFloats(values, COUNT, filtered));
    values[3] = -0.0f;
    assert_false(qvFilterFloats(values, COUNT, filtered));
    memset(values, 0, sizeof(values));
    assert_true(qvFilterFloats(values, COUNT, filtered));
    values[3] = INFINITY; // as a file may have it; sanitizers see what is made of it
    assert_false(qvFilterFloats(values, COUNT, filtered));
    values[3] = NAN;
    assert_false(qvFilterFloats(values, COUNT, filtered));
}

// --- Reading -------------------------------------------------------------------------------------------------------

static bool Uses(const qvModel* model, const char* list, const char* name)
{
    const qvJson* item = qvJson_First(qvJson_Find(model->source->json, list));
    while (item != NULL && strcmp(qvJson_Text(item), name) != 0)
        item = qvJson_Next(item);
    return item != NULL;
}

static void CheckNoTraces(const qvModel* model)
{
    char* text = qvJson_Print(model->source->json, false);
    assert_null(strstr(text, "meshopt"));
    assert_null(strstr(text, "fallback"));
    qvFreeText(text);
}

// Floats, octahedral normals, triangles or plain indices, times and quaternions, under both names.
static void TestSample(void** state)
{
    (void)state;
    static const char* const names[] = { "gltf/meshopt.gltf", "gltf/meshopt_indices.gltf" };
    static const float corners[4][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    for (int i = 0; i < 2; i++)
    {
        char path[512];
        qvModel* model = LoadFile(DataPath(path, sizeof(path), names[i]));
        const qvMesh* mesh = model->mesh;
        assert_int_equal(mesh->vertexCount, 4);
        assert_int_equal(mesh->triangleCount, 4);
        for (int v = 0; v < 4; v++)
            assert_memory_equal(&mesh->positions[v], corners[v], sizeof(corners[v]));
        ASSERT_NEAR(mesh->normals[0].y, -0.57735, 0.01);
        ASSERT_NEAR(mesh->normals[3].z, 1.0, 0.01);
        qvVec3f posed[4];
        void* scratch = malloc(qvRig_ScratchSize(model->rig));
        qvRig_Evaluate(model->rig, 0, 1.0, scratch, posed); // a quarter turn about z
        ASSERT_NEAR(posed[1].x, 0.0, 1e-3);
        ASSERT_NEAR(posed[1].y, 1.0, 1e-3);
        free(scratch);
        CheckNoTraces(model);
        qvDestroyModel(model);
    }
}

// --- Writing -------------------------------------------------------------------------------------------------------

// A compressed export is what it says, plays within its error, and is so many times smaller than the ordinary one.
static void CheckExport(qvBendingKind kind, qvExportOptions options, const char* name, double smaller)
{
    Sample sample = MakeSample(kind);
    char path[512];
    qvExportReport plain, report, estimate;
    qvError error;
    const char* ordinary = strstr(name, ".gltf") != NULL ? "pack_plain.gltf" : "pack_plain.glb";
    qvDestroyModel(ExportAndLoad(&sample.animation, &options, ordinary, path, &plain));
    options.compress = true;
    ASSERT_OK(qvEstimateExport(&sample.animation, name, &options, &estimate, &error), error);
    qvModel* model = ExportAndLoad(&sample.animation, &options, name, path, &report);
    double worst = CheckSamples(&sample, model, &report);
    assert_true(worst <= options.error * report.diagonal);
    assert_string_equal(report.warning, "");
    if (report.bytes * smaller > plain.bytes)
        fail_msg("%s has %.0f bytes, the ordinary file %.0f", name, report.bytes, plain.bytes);
    ASSERT_NEAR(estimate.bytes / report.bytes, 1.0, 0.03);
    CheckNoTraces(model);
    qvDestroyModel(model);
    qvBytes bytes;
    ASSERT_OK(qvReadFile(path, 1 << 24, &bytes, &error), error);
    assert_non_null(memmem(bytes.data, bytes.size, EXTENSION, strlen(EXTENSION)));
    qvFreeBytes(&bytes);
    FreeSample(&sample);
}

static void TestExports(void** state)
{
    (void)state;
    qvExportOptions options = qvDefaultExportOptions();
    CheckExport(qv_bendingWhole, options, "pack.glb", 3.0);
    // What moves in few places is sparse in an ordinary file.
    CheckExport(qv_bendingTop, options, "pack_top.glb", 1.8);
    options.cubic = true;
    CheckExport(qv_bendingWhole, options, "pack_cubic.gltf", 2.8);
    options.cubic = false, options.perFrame = true;
    CheckExport(qv_bendingWhole, options, "pack_frames.glb", 2.7);
    options.perFrame = options.normals = false;
    CheckExport(qv_bendingStill, options, "pack_bare.gltf", 3.0);
    options.error = 3e-6; // finer than 16 bits hold: floats with as many digits as are needed
    options.normals = true;
    Sample sample = MakeSample(qv_bendingStill);
    char path[512];
    qvExportReport report;
    options.compress = true;
    qvModel* model = ExportAndLoad(&sample.animation, &options, "pack_fine.glb", path, &report);
    assert_true(CheckSamples(&sample, model, &report) <= options.error * report.diagonal);
    assert_string_equal(report.warning, "");
    qvDestroyModel(model);
    FreeSample(&sample);
}

// --- Orders ----------------------------------------------------------------------------------------------------------

typedef struct Corner3
{
    int v[3];
} Corner3;

static int CompareCorners(const void* a, const void* b)
{
    return memcmp(a, b, sizeof(Corner3));
}

// All triangles by the places of their vertices, each from its smallest number on, in an order of their own. free() it.
static Corner3* SortTriangles(const qvMesh* mesh, const int32_t* names)
{
    Corner3* sorted = malloc((size_t)mesh->triangleCount * sizeof(Corner3));
    assert_non_null(sorted);
    for (int i = 0; i < mesh->triangleCount; i++)
    {
        int v[3], least = 0;
        for (int k = 0; k < 3; k++)
            v[k] = names[mesh->triangles[i].v[k]];
        for (int k = 1; k < 3; k++)
            least = v[k] < v[least] ? k : least;
        sorted[i] = (Corner3){ { v[least], v[(least + 1) % 3], v[(least + 2) % 3] } };
    }
    qsort(sorted, (size_t)mesh->triangleCount, sizeof(Corner3), CompareCorners);
    return sorted;
}

// Whether normals came along with their vertices.
static bool HasItsNormals(const qvMesh* mesh)
{
    assert_int_equal(mesh->normalDomain, qv_domainVertex);
    int wrong = 0;
    for (int i = 0; i < mesh->triangleCount; i++)
    {
        const int32_t* v = mesh->triangles[i].v;
        qvVec3 a = qvVec3_FromFloat(mesh->positions[v[0]]);
        qvVec3 face = qvCross(qvSub(qvVec3_FromFloat(mesh->positions[v[1]]), a),
                              qvSub(qvVec3_FromFloat(mesh->positions[v[2]]), a));
        for (int k = 0; k < 3; k++)
            wrong += !(qvDot(face, qvVec3_FromFloat(mesh->normals[v[k]])) > 0.0);
    }
    return wrong == 0;
}

// The very same triangles, the same way round; neighbours are near in the file.
static void TestOrder(void** state)
{
    (void)state;
    Sample sample = MakeSample(qv_bendingWhole);
    char path[512];
    qvExportReport report;
    qvExportOptions options = qvDefaultExportOptions();
    options.compress = true;
    qvModel* model = ExportAndLoad(&sample.animation, &options, "pack_order.glb", path, &report);
    assert_int_equal(model->mesh->triangleCount, sample.mesh->triangleCount);
    int* names = FindNearest(sample.mesh, model);
    for (int i = 0; i < model->mesh->vertexCount; i++)
        names[i] = sample.mesh->vertexPoint[names[i]]; // there are several vertices in one place
    Corner3 *a = SortTriangles(sample.mesh, sample.mesh->vertexPoint), *b = SortTriangles(model->mesh, names);
    assert_memory_equal(a, b, (size_t)model->mesh->triangleCount * sizeof(Corner3));
    assert_true(HasItsNormals(model->mesh));
    double apart = 0.0;
    for (int i = 0; i < 3 * model->mesh->triangleCount; i++)
        apart += abs(model->mesh->triangles[i / 3].v[i % 3] - model->mesh->triangles[i / 3].v[(i + 1) % 3]);
    assert_true(apart / (3.0 * model->mesh->triangleCount) < 0.05 * model->mesh->vertexCount);
    free(a);
    free(b);
    free(names);
    qvDestroyModel(model);
    FreeSample(&sample);
}

// Of a document that was read, weights of joints are integers whose sum is one, and normals are bytes.
static void TestShrunk(void** state)
{
    (void)state;
    char path[512];
    qvError error;
    qvModel* model = LoadFile(DataPath(path, sizeof(path), "../../scenes/hopper.glb"));
    qvBendingMotion motion;
    assert_true(qvCreateBendingMotion(model->mesh, qv_bendingWhole, 9, 1.0, &motion));
    qvAnimation animation = qvBendingMotion_Animation(&motion);
    animation.model = model;
    qvExportOptions options = qvDefaultExportOptions();
    options.compress = true;
    qvExportReport report;
    OutputPath(path, sizeof(path), "pack_skin.glb");
    ASSERT_OK(qvExportAnimation(&animation, path, &options, &report, &error), error);
    qvModel* back = LoadFile(path);
    const qvJson* primitive =
        qvJson_First(qvJson_Find(qvJson_First(qvJson_Find(back->source->json, "meshes")), "primitives"));
    const qvJson* attributes = qvJson_Find(primitive, "attributes");
    qvGltfAccessor weights;
    ASSERT_OK(qvGltf_GetAccessor(back->source, attributes, "", "WEIGHTS_0", &weights, &error), error);
    assert_int_equal(weights.componentType, QV_GLTF_UNSIGNED_SHORT);
    const uint8_t* bytes =
        (const uint8_t*)back->source->buffers[weights.view.buffer].bytes.data + weights.view.offset + weights.offset;
    for (int i = 0; i < weights.count; i++)
    {
        uint16_t numbers[4];
        memcpy(numbers, bytes + (size_t)i * weights.stride, sizeof(numbers));
        assert_int_equal(numbers[0] + numbers[1] + numbers[2] + numbers[3], 65535);
    }
    qvDestroyModel(back);
    qvDestroyBendingMotion(&motion);
    qvDestroyModel(model);
}

// Readers that cannot unpack get ordinary files, and the report says so.
static void TestPresets(void** state)
{
    (void)state;
    Sample sample = MakeSample(qv_bendingWhole);
    for (int i = 0; i < qvExportPresetCount(); i++)
    {
        const qvExportPreset* preset = qvGetExportPreset(i);
        qvExportOptions options = qvDefaultExportOptions();
        options.preset = preset, options.compress = true;
        qvExportReport report;
        qvError error;
        char path[512];
        OutputPath(path, sizeof(path), "pack_preset.glb");
        ASSERT_OK(qvExportAnimation(&sample.animation, path, &options, &report, &error), error);
        qvBytes bytes;
        ASSERT_OK(qvReadFile(path, 1 << 24, &bytes, &error), error);
        assert_int_equal(memmem(bytes.data, bytes.size, EXTENSION, strlen(EXTENSION)) != NULL, preset->compress);
        assert_int_equal(strstr(report.warning, "does not read compressed meshes") != NULL, !preset->compress);
        qvFreeBytes(&bytes);
    }
    assert_false(qvFindExportPreset("blender")->compress);
    assert_true(qvFindExportPreset("three")->compress);
    FreeSample(&sample);
}

// A document that was read packed is written back as an ordinary one, and packed again where that is wanted.
static void TestWrittenBack(void** state)
{
    (void)state;
    char path[512];
    qvError error;
    qvModel* model = LoadFile(DataPath(path, sizeof(path), "gltf/meshopt.gltf"));
    OutputPath(path, sizeof(path), "pack_back.glb");
    ASSERT_OK(qvSaveModel(model, NULL, path, &error), error);
    qvModel* copy = LoadFile(path);
    assert_memory_equal(copy->mesh->positions, model->mesh->positions, 4 * sizeof(qvVec3f));
    assert_true(Uses(copy, "extensionsRequired", "KHR_mesh_quantization"));
    assert_int_equal(copy->source->bufferCount, 1);
    qvDestroyModel(copy);
    qvDestroyModel(model);
}

// A document in motion, packed.
static void CheckPackedFile(const char* source)
{
    enum
    {
        FRAMES = 3
    };
    char path[512];
    qvModel* model = LoadFile(source);
    int count = model->mesh->vertexCount;
    qvVec3f* frames = calloc(FRAMES * (size_t)count, sizeof(qvVec3f));
    assert_non_null(frames);
    const double times[FRAMES] = { 0.0, 0.5, 1.0 };
    for (int i = 0; i < FRAMES * count; i++)
    {
        frames[i] = model->mesh->positions[i % count];
        frames[i].y += 0.25f * (float)(i / count) * (float)(i % 5);
    }
    qvAnimation animation = qvDefaultAnimation();
    animation.model = model, animation.frameCount = FRAMES, animation.times = times, animation.frames = frames;
    qvExportOptions options = qvDefaultExportOptions();
    qvExportReport report;
    options.compress = true;
    qvError error;
    ASSERT_OK(qvExportAnimation(&animation, OutputPath(path, sizeof(path), "pack_odd.glb"), &options, &report, &error),
              error);
    qvDestroyModel(model);
    free(frames);
}

static void CheckPacked(const char* name)
{
    char path[512];
    CheckPackedFile(DataPath(path, sizeof(path), name));
}

// Where nothing is held of a document, what is made later comes first; no place among held bytes is looked for then, as
// sanitizers see. An accessor that nothing reads may have no type.
static void TestOddDocuments(void** state)
{
    (void)state;
    CheckPacked("gltf/bad/later_first.gltf");
    CheckPacked("gltf/bad/no_type.gltf");
    CheckPacked("gltf/bad/wide_tangent.gltf"); // its tangents are matrices
}

enum
{
    MANY = 70000,
    ROW = 300,
    FEW = 9, // of which a second primitive makes triangles, with indices of 16 bits
};

// Two primitives share vertices, more of them than the indices of the second reach.
static void WriteShared(const char* path)
{
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    const int many = MANY - MANY % 3, sizes[] = { 12 * MANY, 4 * (many - FEW), 2 * FEW };
    char json[1200];
    int length =
        snprintf(json, sizeof(json),
                 "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
                 "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1},"
                 "{\"attributes\":{\"POSITION\":0},\"indices\":2}]}],\"accessors\":["
                 "{\"bufferView\":0,\"componentType\":5126,\"count\":%d,\"type\":\"VEC3\",\"min\":[0,0,0],"
                 "\"max\":[%d,%d,1]},{\"bufferView\":1,\"componentType\":5125,\"count\":%d,\"type\":\"SCALAR\"},"
                 "{\"bufferView\":2,\"componentType\":5123,\"count\":%d,\"type\":\"SCALAR\"}],\"bufferViews\":["
                 "{\"buffer\":0,\"byteOffset\":0,\"byteLength\":%d},{\"buffer\":0,\"byteOffset\":%d,\"byteLength\":%d},"
                 "{\"buffer\":0,\"byteOffset\":%d,\"byteLength\":%d}],\"buffers\":[{\"byteLength\":%d}]}",
                 MANY, ROW - 1, (MANY - 1) / ROW, many - FEW, FEW, sizes[0], sizes[0], sizes[1], sizes[0] + sizes[1],
                 sizes[2], sizes[0] + sizes[1] + sizes[2]);
    while (length % 4 != 0)
        json[length++] = ' ';
    int binary = (sizes[0] + sizes[1] + sizes[2] + 3) / 4 * 4, pad = binary - sizes[0] - sizes[1] - sizes[2];
    const uint32_t head[] = { 0x46546C67, 2, (uint32_t)(28 + length + binary), (uint32_t)length, 0x4E4F534A };
    const uint32_t chunk[] = { (uint32_t)binary, 0x004E4942 };
    fwrite(head, sizeof(head), 1, file);
    fwrite(json, 1, (size_t)length, file);
    fwrite(chunk, sizeof(chunk), 1, file);
    for (int i = 0; i < MANY; i++)
        fwrite((const float[3]){ (float)(i % ROW), (float)(i / ROW), (float)(i % 2) }, 12, 1, file);
    for (int i = FEW; i < many; i++)
        fwrite(&(const uint32_t){ (uint32_t)i }, 4, 1, file);
    for (int i = 0; i < FEW; i++)
        fwrite(&(const uint16_t){ (uint16_t)i }, 2, 1, file);
    fwrite("   ", 1, (size_t)pad, file);
    assert_int_equal(fclose(file), 0);
}

static void TestSharedVertices(void** state)
{
    (void)state;
    char path[512];
    OutputPath(path, sizeof(path), "pack_shared.glb");
    WriteShared(path);
    CheckPackedFile(path);
    qvModel* back = LoadFile(OutputPath(path, sizeof(path), "pack_odd.glb"));
    const qvMesh* mesh = back->mesh;
    int count = 0;
    for (int i = 0; i < mesh->triangleCount; i++)
    {
        bool isFirst = true;
        for (int k = 0; k < 3; k++)
        {
            qvVec3f x = mesh->positions[mesh->triangles[i].v[k]];
            isFirst = isFirst && x.x < FEW - 0.5f && x.y < 0.5f;
        }
        count += isFirst;
    }
    assert_int_equal(mesh->triangleCount, MANY / 3);
    assert_int_equal(count, FEW / 3);
    qvDestroyModel(back);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestCodec),        cmocka_unit_test(TestFloats),         cmocka_unit_test(TestSample),
        cmocka_unit_test(TestExports),      cmocka_unit_test(TestPresets),        cmocka_unit_test(TestWrittenBack),
        cmocka_unit_test(TestOddDocuments), cmocka_unit_test(TestSharedVertices), cmocka_unit_test(TestOrder),
        cmocka_unit_test(TestShrunk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
