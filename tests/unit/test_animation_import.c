// SPDX-License-Identifier: GPL-3.0-or-later
// Animating a glTF file that was imported: its vertices move as baked, everything else of it stays.
#include "animation_testing.h"

#include "formats/gltf.h"
#include "math/affine.h"

static const char* const goodFiles[] = {
    "gltf/colors.gltf",
    "gltf/external.gltf",
    "gltf/instances.gltf",
    "gltf/interleaved.gltf",
    "gltf/modes.gltf",
    "gltf/morph.gltf",
    "gltf/no_indices.gltf",
    "gltf/nodes.gltf",
    "gltf/rich.gltf",
    "gltf/skin.gltf",
    "gltf/sparse_no_view.gltf",
    "gltf/two_buffers.gltf",
    "gltf/two_cards.gltf",
    "gltf/positions_s8.gltf",
    "gltf/morph_names.gltf",
    "glb/rich.glb",
    "glb/skin.glb",
    "glb/nodes.glb",
    "glb/morph.glb",
    "gltf/cubic.gltf",
    "gltf/degenerate.gltf",
    "gltf/flipped.gltf",
    "gltf/aliased.gltf",
    "gltf/strip_jump.gltf",
};

static qvModel* LoadData(const char* name)
{
    char path[512];
    return LoadFile(DataPath(path, sizeof(path), name));
}

static int CountItems(const qvModel* model, const char* name)
{
    return qvJson_Count(qvJson_Find(model->source->json, name));
}

// The lists of a document that an animation does not touch, as text.
static char* PrintList(const qvModel* model, const char* name)
{
    const qvJson* list = qvJson_Find(model->source->json, name);
    return list != NULL ? qvJson_Print(list, false) : NULL;
}

static void AssertSameList(const qvModel* a, const qvModel* b, const char* name)
{
    char *x = PrintList(a, name), *y = PrintList(b, name);
    assert_int_equal(x == NULL, y == NULL);
    if (x != NULL)
        assert_string_equal(x, y);
    qvFreeText(x);
    qvFreeText(y);
}

// Every member of the nodes that were there is still there, but for what an animation changes.
static void AssertNodesKept(const qvModel* before, const qvModel* after)
{
    assert_true(CountItems(after, "nodes") >= CountItems(before, "nodes"));
    static const char* const members[] = { "name", "translation", "rotation", "scale", "matrix", "camera", "skin" };
    for (int i = 0; i < before->source->nodes.count; i++)
    {
        for (size_t k = 0; k < sizeof(members) / sizeof(members[0]); k++)
        {
            const qvJson* a = qvJson_Find(before->source->nodes.items[i], members[k]);
            const qvJson* b = qvJson_Find(after->source->nodes.items[i], members[k]);
            char *x = a != NULL ? qvJson_Print(a, false) : NULL, *y = b != NULL ? qvJson_Print(b, false) : NULL;
            assert_int_equal(x == NULL, y == NULL);
            if (x != NULL)
                assert_string_equal(x, y);
            qvFreeText(x);
            qvFreeText(y);
        }
    }
}

static void CheckFile(const char* name, qvBendingKind kind, const qvExportOptions* options)
{
    qvModel* model = LoadData(name);
    qvBendingMotion motion;
    assert_true(qvCreateBendingMotion(model->mesh, kind, 9, 1.0, &motion));
    qvAnimation animation = qvBendingMotion_Animation(&motion);
    animation.model = model;
    char path[512];
    qvExportReport report;
    qvModel* back = ExportAndLoad(&animation, options, "animation_import.glb", path, &report);
    assert_int_equal(back->mesh->vertexCount, model->mesh->vertexCount);
    int clip = qvRig_ClipCount(back->rig) - 1;
    assert_string_equal(qvRig_ClipName(back->rig, clip), "bend");
    int* sources = options->compress ? FindNearest(model->mesh, back) : NULL;
    for (int k = 0; k < motion.frameCount; k++)
    {
        const qvVec3f* frame = motion.frames + (size_t)k * (size_t)model->mesh->vertexCount;
        double distance = CompareAt(back, clip, motion.times[k], sources, frame);
        if (!(distance <= report.maxError + 3e-6 * report.diagonal))
            fail_msg("%s: frame %d is off by %g, reported %g", name, k, distance, report.maxError);
    }
    if (!(report.maxError <= options->error * report.diagonal))
        fail_msg("%s: error %g of the diagonal", name, report.maxError / report.diagonal);
    double rest = (options->compress ? options->error : options->quantize ? 3e-5 : 1e-6) * report.diagonal;
    for (int i = 0; i < model->mesh->vertexCount; i++)
        assert_true(qvDistance(qvVec3_FromFloat(model->mesh->positions[sources != NULL ? sources[i] : i]),
                               qvVec3_FromFloat(back->mesh->positions[i])) <= rest);
    free(sources);
    assert_int_equal(back->mesh->triangleCount, model->mesh->triangleCount);
    assert_int_equal(back->mesh->uvDomain, model->mesh->uvDomain);
    assert_int_equal(back->mesh->materialCount, model->mesh->materialCount);
    AssertSameList(model, back, "materials");
    AssertSameList(model, back, "textures");
    AssertSameList(model, back, "samplers");
    AssertSameList(model, back, "cameras");
    AssertSameList(model, back, "skins");
    assert_int_equal(CountItems(model, "images"), CountItems(back, "images"));
    AssertNodesKept(model, back);
    qvDestroyModel(back);
    qvDestroyBendingMotion(&motion);
    qvDestroyModel(model);
}

static void TestFiles(void** state)
{
    (void)state;
    qvExportOptions options = qvDefaultExportOptions();
    for (size_t i = 0; i < sizeof(goodFiles) / sizeof(goodFiles[0]); i++)
    {
        CheckFile(goodFiles[i], qv_bendingWhole, &options);
        CheckFile(goodFiles[i], qv_bendingStill, &options);
    }
}

static void TestQuantizedFiles(void** state)
{
    (void)state;
    qvExportOptions options = qvDefaultExportOptions();
    options.quantize = true;
    for (size_t i = 0; i < sizeof(goodFiles) / sizeof(goodFiles[0]); i++)
        CheckFile(goodFiles[i], qv_bendingWhole, &options);
}

// Positions, normals and weights are rounded, vertices and triangles are in another order, and nothing else changes.
static void TestCompressedFiles(void** state)
{
    (void)state;
    qvExportOptions options = qvDefaultExportOptions();
    options.compress = true;
    for (size_t i = 0; i < sizeof(goodFiles) / sizeof(goodFiles[0]); i++)
    {
        CheckFile(goodFiles[i], qv_bendingWhole, &options);
        CheckFile(goodFiles[i], qv_bendingStill, &options);
    }
}

// --- Skins -------------------------------------------------------------------------------------------------------

// Displacements below the skin are added to the bind shape, and the skeleton plays on.
static void CheckSkin(int clip, const char* name)
{
    enum
    {
        FRAMES = 7
    };
    qvModel* model = LoadData("glb/skin.glb");
    const qvRig* rig = model->rig;
    size_t vertices = (size_t)rig->vertexCount;
    assert_true(qvRig_ClipCount(rig) > 0);
    double duration = qvRig_ClipDuration(rig, 0), times[FRAMES];
    qvVec3f* frames = malloc(FRAMES * vertices * sizeof(qvVec3f));
    assert_non_null(frames);
    for (int k = 0; k < FRAMES; k++)
    {
        times[k] = duration * k / (FRAMES - 1);
        for (size_t i = 0; i < vertices; i++)
            frames[(size_t)k * vertices + i] =
                (qvVec3f){ 0.1f * sinf((float)k + 0.3f * (float)i), 0.02f * (float)k, 0.05f * cosf((float)(k * k)) };
    }
    qvAnimation animation = qvDefaultAnimation();
    animation.model = model;
    animation.frameCount = FRAMES;
    animation.times = times;
    animation.frames = frames;
    animation.space = qv_framesBind;
    animation.clip = clip;
    animation.name = "wobble";
    char path[512];
    qvExportReport report;
    qvModel* back = ExportAndLoad(&animation, NULL, name, path, &report);
    assert_int_equal(qvRig_ClipCount(back->rig), qvRig_ClipCount(rig) + (clip < 0));
    assert_true(report.targets > 0 && report.maxError <= 1e-3 * report.diagonal);

    void* scratch = malloc(qvRig_ScratchSize(rig));
    qvVec3f* expected = malloc(vertices * sizeof(qvVec3f));
    assert_true(scratch != NULL && expected != NULL);
    int played = clip >= 0 ? clip : qvRig_ClipCount(rig);
    for (int k = 0; k < FRAMES; k++)
    {
        qvRigState pose = qvRig_ComputeState(rig, clip, times[k], scratch);
        for (int p = 0; p < rig->partCount; p++)
        {
            const qvRigPart* part = &rig->parts[p];
            const qvRigGeometry* geometry = &rig->geometries[part->geometry];
            for (int i = 0; i < geometry->vertexCount; i++)
            {
                qvAffine map = qvRig_VertexMap(rig, &pose, part, i);
                size_t at = (size_t)(part->firstVertex + i);
                qvVec3 x = qvAdd(qvVec3_FromFloat(geometry->positions[i]),
                                 qvVec3_FromFloat(frames[(size_t)k * vertices + at]));
                expected[at] = qvVec3_ToFloat(qvAffine_Point(&map, x));
            }
        }
        double distance = CompareAt(back, played, times[k], NULL, expected);
        if (!(distance <= 2.0 * report.maxError + 1e-5 * report.diagonal))
            fail_msg("frame %d is off by %g, reported %g", k, distance, report.maxError);
    }
    free(scratch);
    free(expected);
    free(frames);
    qvDestroyModel(back);
    qvDestroyModel(model);
}

static void TestSkin(void** state)
{
    (void)state;
    CheckSkin(0, "animation_skin.glb");
    CheckSkin(-1, "animation_skin_new.glb");
}

static void TestBadClip(void** state)
{
    (void)state;
    qvModel* model = LoadData("glb/skin.glb");
    qvAnimation animation = qvDefaultAnimation();
    const double time = 0.0;
    animation.model = model;
    animation.frameCount = 1;
    animation.times = &time;
    animation.frames = model->mesh->positions;
    animation.space = qv_framesBind;
    animation.clip = 7;
    char path[512];
    qvError error;
    OutputPath(path, sizeof(path), "animation_bad_clip.glb");
    remove(path);
    assert_int_equal(qvExportAnimation(&animation, path, NULL, NULL, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "there is no clip 7");
    OutputPath(path, sizeof(path), "animation_bad_clip.pc2");
    assert_int_equal(qvExportAnimation(&animation, path, NULL, NULL, &error), qv_unsupported);
    qvDestroyModel(model);
}

// --- What was there ----------------------------------------------------------------------------------------------

// Clips that move the mesh go, with a warning; targets that the mesh has keep their weights.
static void TestOldClips(void** state)
{
    (void)state;
    qvModel* model = LoadData("glb/morph.glb");
    int old = model->morphCount;
    assert_true(old > 0 && qvRig_ClipCount(model->rig) > 0);
    qvBendingMotion motion;
    assert_true(qvCreateBendingMotion(model->mesh, qv_bendingStill, 9, 1.0, &motion));
    qvAnimation animation = qvBendingMotion_Animation(&motion);
    animation.model = model;
    char path[512];
    qvExportReport report;
    qvModel* back = ExportAndLoad(&animation, NULL, "animation_old.glb", path, &report);
    ASSERT_CONTAINS(report.warning, "a second time");
    assert_int_equal(qvRig_ClipCount(back->rig), 1);
    assert_int_equal(back->morphCount, old + report.targets);
    for (int i = 0; i < old; i++)
    {
        assert_string_equal(back->morphs[i].name, model->morphs[i].name);
        ASSERT_NEAR(back->morphs[i].weight, model->morphs[i].weight, 0.0);
    }
    const qvRigSampler* sampler = &FindWeights(back)->sampler;
    for (int k = 0; k < sampler->keyCount; k++)
        ASSERT_NEAR(sampler->values[k * sampler->width], model->morphs[0].weight, 0.0);
    qvDestroyModel(back);
    qvDestroyBendingMotion(&motion);
    qvDestroyModel(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestFiles),   cmocka_unit_test(TestQuantizedFiles), cmocka_unit_test(TestSkin),
        cmocka_unit_test(TestBadClip), cmocka_unit_test(TestOldClips),       cmocka_unit_test(TestCompressedFiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
