// SPDX-License-Identifier: GPL-3.0-or-later
// Bakes: which samples, and that they are what the window shows.
#include "scene_testing.h"

static qvBake* MustBake(const qvTake* take, const qvBakeDef* def, const qvJob* job)
{
    qvError error;
    qvBake* bake;
    ASSERT_OK(qvCreateBake(take, def, job, &bake, &error), error);
    return bake;
}

static void BakesAreWhatIsPreviewed(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(SCENE("\"range\": [0, 4], " FEW_MODES ", \"keys\": [" DANCE_KEYS "]"));
    qvBakeDef def = qvDefaultBakeDef();
    qvBake* bake = MustBake(take, &def, NULL);
    const qvMesh* mesh = qvTake_Body(take)->mesh;
    assert_int_equal(bake->frameCount, 97);
    assert_int_equal(bake->vertexCount, mesh->vertexCount);
    assert_true(bake->times[0] == 0.0 && bake->times[96] == 4.0 && !bake->loop);
    qvVec3f* vertices = calloc((size_t)mesh->vertexCount, sizeof(*vertices));
    for (int i = 0; i < bake->frameCount; i++)
    {
        qvVec3f* points = PointsOf(take, bake->times[i], qv_layersAll, NULL);
        qvMesh_ScatterPoints(mesh, points, vertices);
        assert_memory_equal(vertices, bake->positions + (size_t)i * (size_t)mesh->vertexCount,
                            (size_t)mesh->vertexCount * sizeof(*vertices));
        qvAffine frame = qvTake_Frame(take, bake->times[i]);
        assert_memory_equal(&frame, &bake->frames[i], sizeof(frame));
        free(points);
    }
    free(vertices);

    qvPool* pool;
    qvError error;
    ASSERT_OK(qvCreatePool(3, &pool, &error), error);
    qvJob job = { .pool = pool };
    qvBake* parallel = MustBake(take, &def, &job);
    assert_memory_equal(parallel->positions, bake->positions,
                        (size_t)bake->frameCount * (size_t)bake->vertexCount * sizeof(qvVec3f));
    qvDestroyBake(parallel);
    qvDestroyPool(pool);
    qvDestroyBake(bake);
    qvReleaseTake(take);
}

static void LoopsClose(void** state)
{
    (void)state;
    // 2.05 s at 24 frames per second: the end is no multiple and is appended.
    qvTake* take = SolveAlone(SCENE("\"loop\": true, \"range\": [0, 2.05], " FEW_MODES ", \"keys\": [" DANCE_KEYS "]"));
    qvBakeDef def = qvDefaultBakeDef();
    qvBake* bake = MustBake(take, &def, NULL);
    assert_int_equal(bake->frameCount, 51);
    assert_true(bake->loop && bake->times[50] == 2.05);
    size_t row = (size_t)bake->vertexCount * sizeof(qvVec3f);
    assert_memory_equal(bake->positions, bake->positions + 50 * (size_t)bake->vertexCount, row);
    assert_memory_not_equal(bake->positions, bake->positions + 25 * (size_t)bake->vertexCount, row);
    assert_memory_equal(&bake->frames[0], &bake->frames[50], sizeof(qvAffine));
    qvDestroyBake(bake);

    // So do several periods, whatever the moment from which on, and parts of one do not.
    static const struct
    {
        double range[2];
        bool closes;
    } ranges[] = { { { 0, 4.1 }, true },   { { 0, 6.15 }, true },    { { 0.3, 2.35 }, true }, { { -2.05, 4.1 }, true },
                   { { 0, 14.35 }, true }, { { 0.1, 2.05 }, false }, { { 0, 3 }, false },     { { 0, 1.025 }, false } };
    def.hasRange = true;
    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
    {
        memcpy(def.range, ranges[i].range, sizeof(def.range));
        bake = MustBake(take, &def, NULL);
        size_t end = (size_t)(bake->frameCount - 1) * (size_t)bake->vertexCount;
        assert_int_equal(bake->loop, ranges[i].closes);
        double apart = 0.0;
        for (size_t v = 0; v < (size_t)bake->vertexCount; v++)
            apart = fmax(apart, fabs((double)bake->positions[v].x - bake->positions[end + v].x));
        assert_int_equal(apart < 1e-6, ranges[i].closes);
        qvDestroyBake(bake);
    }
    def = qvDefaultBakeDef();
    qvReleaseTake(take);

    // A clip that goes on beyond the loop starts again with it.
    take = SolveAlone("{\"quaver\": 1, \"loop\": true, \"range\": [0, 0.55], \"mesh\": {\"file\": \"glb/skin.glb\"}, "
                      "\"keys\": []}");
    bake = MustBake(take, &def, NULL);
    size_t last = (size_t)(bake->frameCount - 1) * (size_t)bake->vertexCount;
    row = (size_t)bake->vertexCount * sizeof(qvVec3f);
    assert_memory_equal(bake->positions, bake->positions + last, row);
    assert_memory_not_equal(bake->positions, bake->positions + last - (size_t)bake->vertexCount, row);
    assert_true(qvTake_Seam(take).position > 0.01); // and jumps, because it does not end as it begins
    qvDestroyBake(bake);
    def.hasRange = true, def.range[1] = 1.65; // in doubles a little less than three times 0.55
    bake = MustBake(take, &def, NULL);
    last = (size_t)(bake->frameCount - 1) * (size_t)bake->vertexCount;
    assert_memory_equal(bake->positions, bake->positions + last, row);
    qvDestroyBake(bake);
    qvReleaseTake(take);
}

static void RangesAndRates(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(SCENE("\"preview\": [0.5, 1], " FEW_MODES ", \"keys\": [" DANCE_KEYS "]"));
    qvBakeDef def = qvDefaultBakeDef();
    def.fps = 10.0, def.hasRange = true, def.range[0] = -0.2, def.range[1] = 0.3;
    qvBake* bake = MustBake(take, &def, NULL);
    assert_int_equal(bake->frameCount, 6);
    ASSERT_NEAR(bake->times[5], 0.3, 1e-12);
    assert_true(bake->fps == 10.0);
    qvDestroyBake(bake);
    def = qvDefaultBakeDef();
    def.usePreview = true;
    bake = MustBake(take, &def, NULL);
    assert_int_equal(bake->frameCount, 13);
    assert_true(bake->times[0] == 0.5);
    qvDestroyBake(bake);
    qvReleaseTake(take);
}

// Some of the frames are the same bits as among all, in every format that can hold parts, and keep their numbers.
static void PartsAreTheSameBits(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(SCENE("\"loop\": true, \"range\": [-0.3, 1.75], " FEW_MODES ", \"keys\": [" DANCE_KEYS
                                    "], \"events\": [{\"time\": 0.4, \"at\": [0, 1, 0], \"drag\": [0.1, 0, 0]}]"));
    qvBakeDef def = qvDefaultBakeDef();
    qvBake* whole = MustBake(take, &def, NULL);
    assert_true(whole->frameCount == 51 && whole->first == 0 && whole->loop);
    static const int frames[][4] = { { 0, 0, 0, 1 },     { 3, 20, 3, 18 }, { 17, 17, 17, 1 },
                                     { 49, 900, 49, 2 }, { -5, 1, 0, 2 },  { -1000000000, 1000000000, 0, 51 } };
    def.hasFrames = true;
    for (size_t i = 0; i < sizeof(frames) / sizeof(frames[0]); i++)
    {
        memcpy(def.frames, frames[i], sizeof(def.frames));
        qvBake* part = MustBake(take, &def, NULL);
        int first = frames[i][2];
        assert_int_equal(part->first, first);
        assert_int_equal(part->frameCount, frames[i][3]);
        assert_int_equal(part->loop, frames[i][3] == 51);
        assert_true(part->start == -0.3);
        size_t row = (size_t)whole->vertexCount, count = (size_t)part->frameCount;
        assert_memory_equal(part->times, whole->times + first, count * sizeof(double));
        assert_memory_equal(part->frames, whole->frames + first, count * sizeof(qvAffine));
        assert_memory_equal(part->positions, whole->positions + (size_t)first * row, count * row * sizeof(qvVec3f));
        qvDestroyBake(part);
    }
    qvDestroyBake(whole);
    static const int none[][2] = { { 51, 60 }, { 5, 4 }, { -9, -1 } };
    for (size_t i = 0; i < 3; i++)
    {
        qvBake* part;
        qvError error;
        memcpy(def.frames, none[i], sizeof(def.frames));
        assert_int_equal(qvCreateBake(take, &def, NULL, &part, &error), qv_badInput);
        assert_non_null(strstr(error.message, "choose some from 0 to 50"));
    }
    qvReleaseTake(take);
}

// A range that ends a hair above a frame is written in every format, with the frame at its end.
static void HairsAboveAFrame(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(SCENE("\"range\": [0, 2.0000001], " FEW_MODES ", \"keys\": [" DANCE_KEYS "]"));
    for (int i = 0; i < qvExporterCount(); i++)
    {
        char name[64], path[512];
        snprintf(name, sizeof(name), "hair.%s", qvGetExporter(i).tag);
        qvTakeExport export = qvDefaultTakeExport();
        qvExportReport report;
        qvError error;
        ASSERT_OK(qvExportTake(take, &export, OutputPath(path, sizeof(path), name), &report, &error), error);
        assert_int_equal(report.frames, 49);
        ASSERT_OK(qvEstimateTake(take, &export, path, &report, &error), error);
    }
    qvReleaseTake(take);
}

typedef struct Course
{
    double first, last;
    int reports, backwards;
} Course;

static bool Follow(void* context, const char* stage, double fraction)
{
    (void)stage;
    Course* course = context;
    if (fraction < 0.0)
        return true;
    if (course->reports++ == 0)
        course->first = fraction;
    course->backwards += fraction < course->last;
    course->last = fraction;
    return true;
}

// From nothing to all, over baking and writing, in every format and also with steps that are done again.
static void ProgressNeverGoesBack(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(SCENE(FEW_MODES ", \"keys\": [" DANCE_KEYS "]"));
    for (int i = 0; i < 2 * qvExporterCount(); i++)
    {
        char name[64], path[512];
        int format = i % qvExporterCount();
        snprintf(name, sizeof(name), "course.%s", qvGetExporter(format).tag);
        Course course = { 0 };
        qvJob job = { .progress = Follow, .context = &course };
        qvTakeExport export = qvDefaultTakeExport();
        export.options.job = &job, export.options.cubic = i >= qvExporterCount();
        qvExportReport report;
        qvError error;
        ASSERT_OK(qvExportTake(take, &export, OutputPath(path, sizeof(path), name), &report, &error), error);
        assert_true(course.first == 0.0 && course.last == 1.0 && course.reports > 4);
        assert_int_equal(course.backwards, 0);
    }
    qvReleaseTake(take);
}

// A vertex cache holds what is evaluated, to the bit.
static void CachesHoldTheBits(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(SCENE(FEW_MODES ", \"keys\": [" DANCE_KEYS "]"));
    char path[512];
    qvError error;
    qvTakeExport export = qvDefaultTakeExport();
    export.bake.fps = 10.0;
    qvExportReport report;
    ASSERT_OK(qvExportTake(take, &export, OutputPath(path, sizeof(path), "dance.pc2"), &report, &error), error);
    assert_int_equal(report.frames, 13);
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    char header[32];
    assert_int_equal(fread(header, 1, sizeof(header), file), sizeof(header));
    const qvMesh* mesh = qvTake_Body(take)->mesh;
    size_t row = (size_t)mesh->vertexCount * sizeof(qvVec3f);
    qvVec3f *written = malloc(row), *vertices = malloc(row);
    for (int i = 0; i < 13; i++)
    {
        assert_int_equal(fread(written, 1, row, file), row);
        double range[2];
        qvScene_Range(qvTake_Scene(take), range);
        qvVec3f* points = PointsOf(take, qvScene_SampleTime(10.0, range, i), qv_layersAll, NULL);
        qvMesh_ScatterPoints(mesh, points, vertices);
        assert_memory_equal(written, vertices, row);
        free(points);
    }
    assert_int_equal(fgetc(file), EOF);
    fclose(file);
    free(written);
    free(vertices);
    qvReleaseTake(take);
}

// What waves add to a clip goes below its skin: the file, played by its own skeleton, is where the take is.
static void ClipsKeepTheirSkin(void** state)
{
    (void)state;
    qvTake* take = SolveAlone("{\"quaver\": 1, \"range\": [0, 1], \"mesh\": {\"file\": \"glb/skin.glb\"}, "
                              "\"keys\": [], \"secondary\": {\"enabled\": true, \"amount\": 3}}");
    assert_int_equal(qvTake_Clip(take), 0);
    char path[512];
    qvError error;
    qvTakeExport export = qvDefaultTakeExport();
    export.options.error = 1e-4;
    qvExportReport report;
    ASSERT_OK(qvExportTake(take, &export, OutputPath(path, sizeof(path), "clip.glb"), &report, &error), error);
    assert_true(report.targets > 0);
    qvModel* model;
    ASSERT_OK(qvLoadModel(path, NULL, &model, &error), error);
    assert_non_null(model->rig);
    assert_int_equal(qvRig_JointCount(model->rig), qvRig_JointCount(qvTake_Body(take)->model->rig));
    const qvMesh* mesh = qvTake_Body(take)->mesh;
    size_t row = (size_t)mesh->vertexCount * sizeof(qvVec3f);
    qvVec3f *played = malloc(row), *vertices = malloc(row);
    void* scratch = malloc(qvRig_ScratchSize(model->rig));
    double added = 0.0;
    for (int i = 0; i < 25; i++)
    {
        qvRig_Evaluate(model->rig, 0, i / 24.0, scratch, played);
        qvVec3f* points = PointsOf(take, i / 24.0, qv_layersAll, NULL);
        qvVec3f* base = PointsOf(take, i / 24.0, qv_layersMotion, NULL);
        qvMesh_ScatterPoints(mesh, points, vertices);
        assert_true(Farthest(played, vertices, mesh->vertexCount) < 3e-4 * qvTake_Body(take)->diagonal);
        added = fmax(added, Farthest(points, base, mesh->pointCount));
        free(points);
        free(base);
    }
    assert_true(added > 3e-3 * qvTake_Body(take)->diagonal);
    free(scratch);
    free(played);
    free(vertices);
    qvDestroyModel(model);
    qvReleaseTake(take);
}

// An exported file, played by itself, lasts as long, loops and moves as what it was exported from.
static void ExportsPlay(void** state)
{
    (void)state;
    qvTake* take =
        SolveAlone(SCENE("\"loop\": true, \"fps\": 30, \"range\": [0, 2], " FEW_MODES ", \"keys\": [" DANCE_KEYS "]"));
    char path[512];
    qvError error;
    qvTakeExport export = qvDefaultTakeExport();
    ASSERT_OK(qvExportTake(take, &export, OutputPath(path, sizeof(path), "plays.glb"), NULL, &error), error);
    qvTake* played = MustPlay(path);
    const qvScene* scene = qvTake_Scene(played);
    assert_true(scene->keyCount == 0 && scene->loop && scene->hasRange && scene->fps == 30.0);
    ASSERT_NEAR(scene->range[0], 0.0, 0.0);
    ASSERT_NEAR(scene->range[1], 2.0, 1e-6);
    // Its frames are joined by lines; what lies between them does not make its seam worse.
    assert_true(qvTake_Seam(played).closes);
    const qvBody *body = qvTake_Body(take), *file = qvTake_Body(played);
    assert_int_equal(file->mesh->vertexCount, body->mesh->vertexCount);
    size_t row = (size_t)body->mesh->vertexCount * sizeof(qvVec3f);
    qvVec3f *there = malloc(row), *here = malloc(row);
    void *scratch = malloc(qvTake_ScratchSize(take)), *clipScratch = malloc(qvTake_ScratchSize(played));
    double moved = 0.0;
    for (int i = 0; i < 60; i++)
    {
        qvVec3f* points = PointsOf(take, i / 30.0, qv_layersAll, NULL);
        qvVec3f* clipPoints = PointsOf(played, i / 30.0, qv_layersAll, NULL);
        qvTake_Vertices(take, i / 30.0, points, scratch, there);
        qvTake_Vertices(played, i / 30.0, clipPoints, clipScratch, here);
        assert_true(Farthest(there, here, body->mesh->vertexCount) < 1.1e-3 * body->diagonal);
        moved = fmax(moved, Farthest(there, body->mesh->positions, body->mesh->vertexCount));
        free(points);
        free(clipPoints);
    }
    assert_true(moved > 0.1 * body->diagonal);
    free(there);
    free(here);
    free(scratch);
    free(clipScratch);
    qvReleaseTake(take);
    qvReleaseTake(played);
}

static void EstimatesAreTrue(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(SCENE(FEW_MODES ", \"keys\": [" DANCE_KEYS "]"));
    char path[512];
    qvError error;
    qvTakeExport export = qvDefaultTakeExport();
    export.embedScene = true;
    qvExportReport estimate, report;
    OutputPath(path, sizeof(path), "estimate.glb");
    ASSERT_OK(qvEstimateTake(take, &export, path, &estimate, &error), error);
    ASSERT_OK(qvExportTake(take, &export, path, &report, &error), error);
    assert_int_equal(estimate.targets, report.targets);
    ASSERT_NEAR(estimate.bytes / report.bytes, 1.0, 0.05);
    char* text;
    ASSERT_OK(qvReadEmbeddedScene(path, &text, &error), error);
    const qvScene* scene = MustParse(text);
    assert_true(qvScene_Hash(scene) == qvScene_Hash(qvTake_Scene(take)));
    qvReleaseScene(scene);
    qvFreeText(text);
    qvReleaseTake(take);
}

static bool StopAtThird(void* context, const char* stage, double fraction)
{
    (void)stage;
    (void)fraction;
    return ++*(int*)context < 3;
}

static void BadBakesAreRefused(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(DANCE);
    qvError error;
    qvBake* bake;
    const struct
    {
        double from, to, fps;
        const char* part;
    } cases[] = { { 1.0, 1.0, 24.0, "has no length" },      { 1.0, 0.0, 24.0, "has no length" },
                  { 0.0, 1e6, 24.0, "24000001 frames" },    { 0.0, INFINITY, 24.0, "has no length" },
                  { 0.0, 1.0, 500.0, "frames per second" }, { NAN, 1.0, 24.0, "has no length" } };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
    {
        qvBakeDef def = { .fps = cases[i].fps, .hasRange = true, .range = { cases[i].from, cases[i].to } };
        assert_int_equal(qvCreateBake(take, &def, NULL, &bake, &error), qv_badInput);
        assert_null(bake);
        ASSERT_CONTAINS(error.message, cases[i].part);
    }
    int calls = 0;
    qvJob job = { .progress = StopAtThird, .context = &calls };
    qvBakeDef def = { .fps = 100.0, .hasRange = true, .range = { 0.0, 1.0 } };
    assert_int_equal(qvCreateBake(take, &def, &job, &bake, &error), qv_cancelled);
    assert_null(bake);
    assert_int_equal(calls, 3);
    qvReleaseTake(take);
}

// Many waves take their time in a single frame.
static void FramesCanBeStopped(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(SCENE(FEW_MODES ", \"keys\": [" DANCE_KEYS "], \"events\": [{\"time\": 0, \"shape\": "
                                              "\"grab\", \"at\": [0, 1, 0.3], \"drag\": [0.2, 0, 0]}]"));
    qvError error;
    qvBake* bake;
    int calls = 0;
    qvJob job = { .progress = StopAtThird, .context = &calls };
    qvBakeDef def = { .hasRange = true, .range = { 0.05, 0.1 } };
    assert_int_equal(qvCreateBake(take, &def, &job, &bake, &error), qv_cancelled);
    assert_null(bake);
    assert_int_equal(calls, 3);
    calls = -1000000;
    ASSERT_OK(qvCreateBake(take, &def, &job, &bake, &error), error);
    assert_true(calls > -1000000 + 4 * bake->frameCount);
    qvDestroyBake(bake);
    qvReleaseTake(take);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(BakesAreWhatIsPreviewed), cmocka_unit_test(LoopsClose),
        cmocka_unit_test(FramesCanBeStopped),      cmocka_unit_test(ProgressNeverGoesBack),
        cmocka_unit_test(RangesAndRates),          cmocka_unit_test(PartsAreTheSameBits),
        cmocka_unit_test(HairsAboveAFrame),        cmocka_unit_test(CachesHoldTheBits),
        cmocka_unit_test(ClipsKeepTheirSkin),      cmocka_unit_test(ExportsPlay),
        cmocka_unit_test(EstimatesAreTrue),        cmocka_unit_test(BadBakesAreRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
