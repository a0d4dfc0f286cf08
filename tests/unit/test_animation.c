// SPDX-License-Identifier: GPL-3.0-or-later
// What is exported as glTF and read back is where the frames have it, for every option.
#include "animation_testing.h"

#include "formats/gltf.h"
#include "quaver/file.h"
#include "quaver/job.h"
#include "quaver/topology.h"

#include <limits.h>

static void CheckWeights(const qvModel* model)
{
    const qvRigSampler* sampler = &FindWeights(model)->sampler;
    float* weights = malloc((size_t)sampler->width * sizeof(float));
    assert_non_null(weights);
    float lowest = 1.0f, highest = 0.0f;
    for (int i = 0; i <= 1000; i++)
    {
        qvRigSampler_Evaluate(sampler, false, 2.0 * i / 1000.0, weights);
        for (int k = 0; k < sampler->width; k++)
        {
            lowest = fminf(lowest, weights[k]);
            highest = fmaxf(highest, weights[k]);
        }
    }
    free(weights);
    if (!(lowest >= -1e-6f && highest <= 1.0f + 1e-6f && highest > 0.99f))
        fail_msg("weights are in [%g, %g]", lowest, highest);
}

// The first and the last sample show the same, to the last bit.
static void CheckLoop(const qvModel* model)
{
    const qvRig* rig = model->rig;
    size_t size = (size_t)rig->vertexCount * sizeof(qvVec3f);
    void* scratch = malloc(qvRig_ScratchSize(rig));
    qvVec3f *first = malloc(size), *last = malloc(size);
    assert_true(scratch != NULL && first != NULL && last != NULL);
    qvRig_Evaluate(rig, 0, 0.0, scratch, first);
    qvRig_Evaluate(rig, 0, qvRig_ClipDuration(rig, 0), scratch, last);
    assert_memory_equal(first, last, size);
    free(scratch);
    free(first);
    free(last);
}

// Not playing, the file shows the rest shape.
static void CheckRest(const Sample* sample, const qvModel* model, double tolerance)
{
    int* sources = FindSources(sample->mesh, model->mesh->vertexCount);
    for (int i = 0; i < model->mesh->vertexCount; i++)
        assert_true(qvDistance(qvVec3_FromFloat(model->mesh->positions[i]),
                               qvVec3_FromFloat(sample->mesh->positions[sources[i]])) <= tolerance);
    free(sources);
}

static void CheckOption(qvBendingKind kind, const qvExportOptions* options, const char* name)
{
    Sample sample = MakeSample(kind);
    char path[512];
    qvExportReport report;
    qvModel* model = ExportAndLoad(&sample.animation, options, name, path, &report);
    assert_int_equal(report.frames, TEST_FRAMES);
    double worst = CheckSamples(&sample, model, &report);
    assert_true(worst <= options->error * report.diagonal || report.warning[0] != 0);
    assert_true(report.rmsError > 0.0 && report.rmsError < report.maxError);
    assert_int_equal(model->morphCount, report.targets);
    CheckWeights(model);
    CheckLoop(model);
    CheckRest(&sample, model, options->quantize ? 2e-5 * report.diagonal : 0.0);
    qvDestroyModel(model);
    FreeSample(&sample);
}

static void TestDefault(void** state)
{
    (void)state;
    qvExportOptions options = qvDefaultExportOptions();
    CheckOption(qv_bendingWhole, &options, "animation.glb");
    CheckOption(qv_bendingWhole, &options, "animation.gltf");
    CheckOption(qv_bendingStill, &options, "animation_still.glb");
    CheckOption(qv_bendingTop, &options, "animation_top.glb");
}

static void TestQuantized(void** state)
{
    (void)state;
    qvExportOptions options = qvDefaultExportOptions();
    options.quantize = true;
    CheckOption(qv_bendingWhole, &options, "animation_quantized.glb");
    CheckOption(qv_bendingTop, &options, "animation_quantized_top.glb");
    options.normals = false;
    CheckOption(qv_bendingStill, &options, "animation_quantized_bare.gltf");
    options.error = 1e-6; // below what 16 bits can hold: says so
    CheckOption(qv_bendingStill, &options, "animation_quantized_fine.gltf");
}

static void TestCubic(void** state)
{
    (void)state;
    qvExportOptions options = qvDefaultExportOptions();
    options.cubic = true;
    CheckOption(qv_bendingWhole, &options, "animation_cubic.glb");
    CheckOption(qv_bendingTop, &options, "animation_cubic_top.glb");
}

static void TestPerFrame(void** state)
{
    (void)state;
    qvExportOptions options = qvDefaultExportOptions();
    options.perFrame = true;
    CheckOption(qv_bendingWhole, &options, "animation_per_frame.glb");
    Sample sample = MakeSample(qv_bendingStill);
    char path[512];
    qvExportReport report;
    qvDestroyModel(ExportAndLoad(&sample.animation, &options, "animation_per_frame.glb", path, &report));
    assert_int_equal(report.targets, TEST_FRAMES - 1); // the last frame of a loop is the first
    assert_true(report.maxError < 1e-6 * report.diagonal);
    sample.animation.loop = false;
    qvDestroyModel(ExportAndLoad(&sample.animation, &options, "animation_per_frame.glb", path, &report));
    assert_int_equal(report.targets, TEST_FRAMES);
    FreeSample(&sample);
}

// A loop closes to the last bit also where rounding has kept the last frame from being the first.
static void TestSeam(void** state)
{
    (void)state;
    Sample sample = MakeSample(qv_bendingWhole);
    qvVec3f* last = sample.motion.frames + (TEST_FRAMES - 1) * sample.mesh->vertexCount;
    for (int i = 0; i < sample.mesh->vertexCount; i++)
        last[i].x += 1e-4f * sinf((float)i);
    sample.motion.rigid[TEST_FRAMES - 1].offset.y += 1e-4;
    for (int cubic = 0; cubic < 2; cubic++)
    {
        qvExportOptions options = qvDefaultExportOptions();
        options.error = 1e-5;
        options.cubic = cubic != 0;
        char path[512];
        qvExportReport report;
        qvModel* model = ExportAndLoad(&sample.animation, &options, "animation_seam.glb", path, &report);
        CheckLoop(model);
        qvDestroyModel(model);
    }
    FreeSample(&sample);
}

// Finer errors need more targets, and hold.
static void TestError(void** state)
{
    (void)state;
    Sample sample = MakeSample(qv_bendingWhole);
    char path[512];
    int before = 0;
    for (double error = 1e-2; error > 1e-6; error *= 0.1)
    {
        qvExportOptions options = qvDefaultExportOptions();
        options.error = error;
        qvExportReport report;
        qvModel* model = ExportAndLoad(&sample.animation, &options, "animation_error.glb", path, &report);
        CheckSamples(&sample, model, &report);
        assert_true(report.maxError <= error * report.diagonal);
        assert_true(report.targets > before && report.targets < TEST_FRAMES);
        assert_string_equal(report.warning, "");
        before = report.targets;
        qvDestroyModel(model);
    }
    FreeSample(&sample);
}

static void TestLimit(void** state)
{
    (void)state;
    Sample sample = MakeSample(qv_bendingWhole);
    char path[512];
    double before = INFINITY;
    for (int limit = 1; limit <= 8; limit++)
    {
        qvExportOptions options = qvDefaultExportOptions();
        options.maxTargets = limit;
        qvExportReport report;
        qvModel* model = ExportAndLoad(&sample.animation, &options, "animation_limit.glb", path, &report);
        CheckSamples(&sample, model, &report);
        CheckWeights(model);
        assert_int_equal(report.targets, limit);
        assert_true(report.maxError < 1.3 * before);
        ASSERT_CONTAINS(report.warning, limit == 1 ? "1 target reaches" : "targets reach");
        ASSERT_CONTAINS(report.warning, "allow more targets");
        before = report.maxError;
        qvDestroyModel(model);
    }
    // Where the program that it is for sets the limit, more cannot be allowed.
    qvExportOptions options = qvDefaultExportOptions();
    options.maxTargets = 100, options.preset = qvFindExportPreset("any8");
    qvExportReport report;
    qvDestroyModel(ExportAndLoad(&sample.animation, &options, "animation_limit.glb", path, &report));
    assert_int_equal(report.targets, 8);
    ASSERT_CONTAINS(report.warning, "takes no more, allow a larger error or write for another program");
    FreeSample(&sample);
}

// Between two samples nothing jumps: the body turns about its middle, along the arc.
static void TestBetween(void** state)
{
    (void)state;
    Sample sample = MakeSample(qv_bendingWhole);
    size_t vertices = (size_t)sample.mesh->vertexCount;
    qvVec3f* exact = malloc(vertices * sizeof(qvVec3f));
    assert_non_null(exact);
    for (int cubic = 0; cubic < 2; cubic++)
    {
        qvExportOptions options = qvDefaultExportOptions();
        options.cubic = cubic != 0;
        char path[512];
        qvExportReport report;
        qvModel* model = ExportAndLoad(&sample.animation, &options, "animation_between.glb", path, &report);
        int* sources = FindSources(sample.mesh, model->rig->vertexCount);
        double worst = 0.0;
        for (int k = 0; k + 1 < TEST_FRAMES; k++)
        {
            double time = 0.5 * (sample.animation.times[k] + sample.animation.times[k + 1]);
            qvBendingMotion_Evaluate(&sample.motion, time, exact, NULL);
            worst = fmax(worst, CompareAt(model, 0, time, sources, exact) / report.diagonal);
        }
        // Straight lines between 24 samples of a turn are off by about (2 pi / 24)^2 / 8 of what moves.
        if (!(worst < (cubic ? 0.003 : 0.012)))
            fail_msg("between samples off by %g of the diagonal", worst);
        assert_true(cubic ? report.keys < TEST_FRAMES : report.keys == TEST_FRAMES);
        free(sources);
        qvDestroyModel(model);
    }
    free(exact);
    FreeSample(&sample);
}

// --- Normals -----------------------------------------------------------------------------------------------------

static float* ReadAttribute(qvGltf* gltf, qvArena* arena, const qvJson* object, const char* name, int* count)
{
    qvError error;
    qvGltfAccessor accessor;
    float* values;
    ASSERT_OK(qvGltf_GetAccessor(gltf, object, "", name, &accessor, &error), error);
    assert_true(accessor.index >= 0);
    ASSERT_OK(qvGltf_ReadFloats(gltf, arena, &accessor, 3, &values, &error), error);
    *count = accessor.count;
    return values;
}

// Normals of the written mesh at a sample, as a viewer blends them, against those of its triangles. In degrees.
static double MeanNormalError(const qvModel* model, int frame)
{
    qvGltf unlimited = *model->source;
    unlimited.budget = SIZE_MAX;
    qvArena* arena = qvCreateArena();
    const qvJson* primitive = qvJson_First(qvJson_Find(unlimited.meshes.items[0], "primitives"));
    int count;
    float* normals = ReadAttribute(&unlimited, arena, qvJson_Find(primitive, "attributes"), "NORMAL", &count);
    float* places = ReadAttribute(&unlimited, arena, qvJson_Find(primitive, "attributes"), "POSITION", &count);
    const qvRigSampler* sampler = &FindWeights(model)->sampler;
    const float* weights = sampler->values + (size_t)frame * (size_t)sampler->width;
    for (const qvJson* t = qvJson_First(qvJson_Find(primitive, "targets")); t != NULL; t = qvJson_Next(t), weights++)
    {
        const float* n = ReadAttribute(&unlimited, arena, t, "NORMAL", &count);
        const float* p = ReadAttribute(&unlimited, arena, t, "POSITION", &count);
        for (int i = 0; i < 3 * count; i++)
        {
            normals[i] += *weights * n[i];
            places[i] += *weights * p[i];
        }
    }
    qvTopology* topology;
    qvError error;
    const qvMesh* mesh = model->mesh;
    ASSERT_OK(qvCreateTopology(mesh, &topology, &error), error);
    qvVec3f* points = malloc((size_t)mesh->pointCount * sizeof(qvVec3f));
    qvVec3f* exact = malloc((size_t)mesh->pointCount * sizeof(qvVec3f));
    void* scratch = malloc(qvNormalScratchSize(topology, qv_weightByAngle));
    assert_true(points != NULL && exact != NULL && scratch != NULL);
    qvMesh_GatherPoints(mesh, (const qvVec3f*)(const void*)places, points);
    qvComputeNormals(topology, points, qv_weightByAngle, scratch, NULL, exact);
    double sum = 0.0;
    for (int i = 0; i < count; i++)
    {
        qvVec3 shown = qvNormalize(qvMakeVec3(normals[3 * i], normals[3 * i + 1], normals[3 * i + 2]));
        double cosine = qvDot(shown, qvVec3_FromFloat(exact[mesh->vertexPoint[i]]));
        sum += acos(fmin(fmax(cosine, -1.0), 1.0)) * 57.29577951308232;
    }
    free(points);
    free(exact);
    free(scratch);
    qvDestroyTopology(topology);
    qvDestroyArena(arena);
    return sum / count;
}

static void TestNormals(void** state)
{
    (void)state;
    Sample sample = MakeSample(qv_bendingStill);
    char path[512];
    qvExportReport report;
    for (int perFrame = 0; perFrame < 2; perFrame++)
    {
        qvExportOptions options = qvDefaultExportOptions();
        options.perFrame = perFrame != 0;
        qvModel* model = ExportAndLoad(&sample.animation, &options, "animation_normals.glb", path, &report);
        double worst = 0.0;
        for (int k = 0; k < TEST_FRAMES; k += 3)
            worst = fmax(worst, MeanNormalError(model, k));
        if (!(worst < (perFrame ? 0.1 : 2.0)))
            fail_msg("normals are off by %g degrees", worst);
        qvDestroyModel(model);
    }
    FreeSample(&sample);
}

// --- What else a file holds --------------------------------------------------------------------------------------

static bool UsesSparse(const qvModel* model)
{
    for (int i = 0; i < model->source->accessors.count; i++)
    {
        if (qvJson_Find(model->source->accessors.items[i], "sparse") != NULL)
            return true;
    }
    return false;
}

static void TestSparse(void** state)
{
    (void)state;
    Sample sample = MakeSample(qv_bendingTop);
    char path[512];
    qvExportOptions options = qvDefaultExportOptions();
    qvExportReport small, large;
    qvModel* model = ExportAndLoad(&sample.animation, &options, "animation_sparse.glb", path, &small);
    assert_true(UsesSparse(model));
    qvDestroyModel(model);
    options.preset = qvFindExportPreset("unity");
    model = ExportAndLoad(&sample.animation, &options, "animation_sparse.glb", path, &large);
    assert_false(UsesSparse(model));
    assert_true(small.bytes < 0.8 * large.bytes);
    qvDestroyModel(model);
    FreeSample(&sample);
    sample = MakeSample(qv_bendingStill); // where all vertices move it would be larger
    options.preset = NULL;
    model = ExportAndLoad(&sample.animation, &options, "animation_sparse.glb", path, &small);
    assert_false(UsesSparse(model));
    qvDestroyModel(model);
    FreeSample(&sample);
}

// Vertices that move along one axis alone are among those that a sparse accessor lists.
static void TestSparseAxes(void** state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++)
    {
        Sample sample = MakeSample(qv_bendingTop);
        size_t vertices = (size_t)sample.mesh->vertexCount;
        for (size_t i = 0; i < TEST_FRAMES * vertices; i++)
        {
            qvVec3f* p = &sample.motion.frames[i];
            float by = 0.2f * (float)sin(3.14159265358979 * sample.motion.times[i / vertices]);
            bool moves = p->y != sample.mesh->positions[i % vertices].y;
            *p = sample.mesh->positions[i % vertices];
            if (moves)
                *(axis == 0 ? &p->x : axis == 1 ? &p->y : &p->z) += by;
        }
        char path[512];
        qvExportReport report;
        qvModel* model = ExportAndLoad(&sample.animation, NULL, "animation_axis.glb", path, &report);
        assert_true(UsesSparse(model));
        assert_true(CheckSamples(&sample, model, &report) < 1e-6 * report.diagonal);
        qvDestroyModel(model);
        FreeSample(&sample);
    }
}

// What a validator computes: the least and largest stored number of every component, integers as integers.
static int CheckBounds(const qvModel* model)
{
    int checked = 0;
    qvError error;
    for (int i = 0; i < model->source->accessors.count; i++)
    {
        const qvJson *json = model->source->accessors.items[i], *low = qvJson_Find(json, "min");
        if (low == NULL)
            continue;
        qvGltfAccessor accessor;
        qvArena* arena = qvCreateArena();
        float* values;
        ASSERT_OK(qvGltf_LoadAccessor(model->source, i, &accessor, &error), error);
        int width = accessor.rows;
        ASSERT_OK(qvGltf_ReadFloats(model->source, arena, &accessor, width, &values, &error), error);
        double steps = accessor.componentType == QV_GLTF_BYTE             ? 127.0
                       : accessor.componentType == QV_GLTF_SHORT          ? 32767.0
                       : accessor.componentType == QV_GLTF_UNSIGNED_SHORT ? 65535.0
                                                                          : 0.0;
        for (int k = 0; k < width; k++)
        {
            double least = INFINITY, largest = -INFINITY;
            for (int v = 0; v < accessor.count; v++)
            {
                double value = values[v * width + k];
                value = steps > 0.0 ? round(steps * value) : value;
                least = fmin(least, value), largest = fmax(largest, value);
            }
            ASSERT_NEAR(qvJson_Number(qvJson_At(low, k)), least, 0.0);
            ASSERT_NEAR(qvJson_Number(qvJson_At(qvJson_Find(json, "max"), k)), largest, 0.0);
        }
        checked += accessor.normalized ? 100 : 1;
        qvDestroyArena(arena);
    }
    return checked;
}

static void TestBounds(void** state)
{
    (void)state;
    for (int i = 0; i < 4; i++)
    {
        Sample sample = MakeSample(i % 2 == 0 ? qv_bendingTop : qv_bendingStill);
        char path[512];
        qvExportReport report;
        qvExportOptions options = qvDefaultExportOptions();
        options.quantize = i / 2 == 1;
        qvModel* model = ExportAndLoad(&sample.animation, &options, "animation_bounds.glb", path, &report);
        int checked = CheckBounds(model);
        assert_true(options.quantize ? checked / 100 > report.targets : checked > report.targets);
        qvDestroyModel(model);
        FreeSample(&sample);
    }
}

static void TestNames(void** state)
{
    (void)state;
    Sample sample = MakeSample(qv_bendingWhole);
    char path[512];
    qvExportReport report;
    qvModel* model = ExportAndLoad(&sample.animation, NULL, "animation_names.glb", path, &report);
    assert_string_equal(model->morphs[0].name, "offset");
    assert_string_equal(model->morphs[1].name, "shape 1");
    assert_string_equal(qvJson_Text(qvJson_Find(model->source->nodes.items[0], "name")), "bend");
    assert_string_equal(qvJson_Text(qvJson_Find(model->source->nodes.items[1], "name")), "bend motion");
    assert_int_equal(model->mesh->triangleCount, sample.mesh->triangleCount);
    assert_int_equal(model->mesh->uvDomain, qv_domainVertex);
    assert_int_equal(model->mesh->normalDomain, qv_domainVertex);
    qvDestroyModel(model);
    FreeSample(&sample);
}

static void TestScene(void** state)
{
    (void)state;
    static const char scene[] = "{\n  \"quaver\": 1, \"name\": \"L\\u00e9an \\\"x\\\"\"\n}\n";
    Sample sample = MakeSample(qv_bendingStill);
    sample.animation.scene = scene;
    static const char* const names[] = { "animation_scene.glb", "animation_scene.gltf" };
    qvError error;
    char path[512], *text;
    for (int i = 0; i < 2; i++)
    {
        qvExportReport report;
        qvDestroyModel(ExportAndLoad(&sample.animation, NULL, names[i], path, &report));
        ASSERT_OK(qvReadEmbeddedScene(path, &text, &error), error);
        assert_string_equal(text, scene);
        qvFreeText(text);
    }
    sample.animation.scene = NULL;
    qvExportReport report;
    qvDestroyModel(ExportAndLoad(&sample.animation, NULL, names[0], path, &report));
    assert_int_equal(qvReadEmbeddedScene(path, &text, &error), qv_notFound);
    assert_null(text);
    ASSERT_CONTAINS(error.message, "carries no scene");
    assert_int_equal(qvReadEmbeddedScene("no/such.glb", &text, &error), qv_notFound);
    FreeSample(&sample);
}

static void TestPresets(void** state)
{
    (void)state;
    Sample sample = MakeSample(qv_bendingWhole);
    char path[512];
    for (int i = 0; i < qvExportPresetCount(); i++)
    {
        const qvExportPreset* preset = qvGetExportPreset(i);
        assert_ptr_equal(qvFindExportPreset(preset->tag), preset);
        qvExportOptions options = qvDefaultExportOptions();
        options.preset = preset;
        options.error = 1e-5;
        options.quantize = options.cubic = true;
        qvExportReport report;
        qvModel* model = ExportAndLoad(&sample.animation, &options, "animation_preset.glb", path, &report);
        CheckSamples(&sample, model, &report);
        assert_true(preset->maxTargets == 0 || report.targets <= preset->maxTargets);
        assert_true((strstr(report.warning, "cubic") != NULL) == !preset->cubic);
        assert_true((strstr(report.warning, "quantized") != NULL) == !preset->quantize);
        bool quantized = qvJson_Find(model->source->json, "extensionsRequired") != NULL;
        assert_int_equal(quantized, preset->quantize);
        qvDestroyModel(model);
    }
    assert_null(qvFindExportPreset("nobody"));
    FreeSample(&sample);
}

static void TestEstimate(void** state)
{
    (void)state;
    Sample sample = MakeSample(qv_bendingTop);
    static const char* const names[] = { "animation_size.glb", "animation_size.gltf", "animation_size.pc2",
                                         "animation_size.mdd", "animation_size.obj" };
    for (int i = 0; i < 10; i++)
    {
        qvExportOptions options = qvDefaultExportOptions();
        options.quantize = i >= 5;
        qvExportReport estimate, report;
        qvError error;
        char path[512];
        ASSERT_OK(qvEstimateExport(&sample.animation, names[i % 5], &options, &estimate, &error), error);
        OutputPath(path, sizeof(path), names[i % 5]);
        ASSERT_OK(qvExportAnimation(&sample.animation, path, &options, &report, &error), error);
        assert_int_equal(estimate.targets, report.targets);
        ASSERT_NEAR(estimate.maxError, report.maxError, 1e-12);
        ASSERT_NEAR(estimate.bytes / report.bytes, 1.0, i % 5 == 4 ? 0.15 : 0.03);
    }
    FreeSample(&sample);
}

// The same bytes for any number of threads.
static void TestThreads(void** state)
{
    (void)state;
    Sample sample = MakeSample(qv_bendingWhole);
    qvBytes bytes[2];
    for (int i = 0; i < 2; i++)
    {
        qvError error;
        qvPool* pool;
        ASSERT_OK(qvCreatePool(i == 0 ? 1 : 3, &pool, &error), error);
        qvJob job = { .pool = pool };
        qvExportOptions options = qvDefaultExportOptions();
        options.job = &job;
        char path[512];
        OutputPath(path, sizeof(path), "animation_threads.glb");
        ASSERT_OK(qvExportAnimation(&sample.animation, path, &options, NULL, &error), error);
        ASSERT_OK(qvReadFile(path, INT_MAX, &bytes[i], &error), error);
        qvDestroyPool(pool);
    }
    assert_int_equal(bytes[0].size, bytes[1].size);
    assert_memory_equal(bytes[0].data, bytes[1].data, bytes[0].size);
    qvFreeBytes(&bytes[0]);
    qvFreeBytes(&bytes[1]);
    FreeSample(&sample);
}

// One frame, a body at rest, and a body that only travels.
static void TestFew(void** state)
{
    (void)state;
    Sample sample = MakeSample(qv_bendingWhole);
    char path[512];
    qvExportReport report;
    qvAnimation one = sample.animation;
    one.frameCount = 1;
    one.loop = false;
    qvModel* model = ExportAndLoad(&one, NULL, "animation_one.glb", path, &report);
    assert_int_equal(report.targets, 1);
    qvDestroyModel(model);

    qvAnimation still = sample.animation;
    size_t bytes = (size_t)sample.mesh->vertexCount * sizeof(qvVec3f);
    qvVec3f* rest = malloc(2 * bytes);
    assert_non_null(rest);
    memcpy(rest, sample.mesh->positions, bytes);
    memcpy(rest + sample.mesh->vertexCount, rest, bytes);
    still.frameCount = 2;
    still.frames = rest;
    still.rigid = NULL;
    model = ExportAndLoad(&still, NULL, "animation_rest.glb", path, &report);
    assert_int_equal(report.targets, 0);
    ASSERT_CONTAINS(report.warning, "nothing moves");
    assert_null(model->rig);
    qvDestroyModel(model);

    qvAffine travel[2] = { sample.motion.rigid[0], sample.motion.rigid[0] };
    memset(travel, 0, sizeof(travel));
    for (int i = 0; i < 2; i++)
    {
        travel[i].linear[0][0] = travel[i].linear[1][1] = travel[i].linear[2][2] = 1.0;
        travel[i].offset.x = i;
    }
    for (int i = 0; i < sample.mesh->vertexCount; i++)
        rest[sample.mesh->vertexCount + i].x += 1.0f;
    still.rigid = travel;
    still.loop = false;
    model = ExportAndLoad(&still, NULL, "animation_travel.glb", path, &report);
    assert_int_equal(report.targets, 0);
    assert_non_null(model->rig);
    int* sources = FindSources(sample.mesh, model->rig->vertexCount);
    assert_true(CompareAt(model, 0, still.times[1] - still.times[0], sources, rest + sample.mesh->vertexCount) < 1e-6);
    free(sources);
    qvDestroyModel(model);
    free(rest);
    FreeSample(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestDefault),  cmocka_unit_test(TestQuantized),  cmocka_unit_test(TestCubic),
        cmocka_unit_test(TestPerFrame), cmocka_unit_test(TestSeam),       cmocka_unit_test(TestError),
        cmocka_unit_test(TestLimit),    cmocka_unit_test(TestBetween),    cmocka_unit_test(TestNormals),
        cmocka_unit_test(TestSparse),   cmocka_unit_test(TestNames),      cmocka_unit_test(TestScene),
        cmocka_unit_test(TestPresets),  cmocka_unit_test(TestEstimate),   cmocka_unit_test(TestThreads),
        cmocka_unit_test(TestFew),      cmocka_unit_test(TestSparseAxes), cmocka_unit_test(TestBounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
