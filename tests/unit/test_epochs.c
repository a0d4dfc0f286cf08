// SPDX-License-Identifier: GPL-3.0-or-later
// Takes of a body whose topology changes, with the springs that burst, which this program adds to the list by one line.
#include "scene_testing.h"

#include "quaver/file.h"
#include "scene/layer.h"
#include "swarm_engine.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

const qvLayerKind* const qvLayerKinds[] = {
#define QV_LAYER(name) &name,
#include "scene/layer_list.inl"
#undef QV_LAYER
    NULL,
};

const qvEngine* const qvEngines[] = {
#define QV_ENGINE(name) &name,
#include "scene/engine_list.inl"
    QV_ENGINE(burstEngine) // the one line
#undef QV_ENGINE
    NULL,
};

// Bursts at 0.55 s and again at 0.8 s.
#define BURST_SPAN(more) "{\"engine\": \"burst\", \"time\": 0.3, \"until\": 1, \"wobble\": 2" more "}"
#define BURST(more)      "\"simulations\": [" BURST_SPAN(more) "]"
#define HELD             ", \"after\": \"hold\""
#define DANCING(more)    SCENE(FEW_MODES ", \"range\": [0, 2], " more ", \"keys\": [" DANCE_KEYS "]")

static void MustAdvance(const qvTake* take, double time)
{
    qvError error;
    ASSERT_OK(qvTake_Advance(take, time, NULL, &error), error);
}

static void MustShow(qvTakeView* view, double time)
{
    qvError error;
    ASSERT_OK(qvTakeView_Show(view, time, qv_layersAll, NULL, &error), error);
}

static void ViewsShowTheMeshOfTheTime(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(DANCING(BURST(HELD)));
    qvTakeView view = { 0 };
    qvError error;
    ASSERT_OK(qvTakeView_SetTake(&view, take, &error), error);
    ASSERT_NEAR(qvTake_ChangesFrom(take), 0.55, 1e-12);
    const qvMesh* own = qvTake_Body(take)->mesh;
    MustShow(&view, 0.6); // not computed yet
    assert_ptr_equal(view.mesh, own);
    MustAdvance(take, INFINITY);
    unsigned int epoch = view.epoch;
    MustShow(&view, 0.5);
    assert_true(view.mesh == own && view.changed == NULL && view.epoch == epoch);
    MustShow(&view, 0.6);
    assert_true(view.mesh == view.changed && view.epoch == epoch + 1);
    assert_int_equal(view.mesh->vertexCount, 4 * own->pointCount);
    assert_memory_equal(view.vertices, view.mesh->positions, (size_t)view.mesh->vertexCount * sizeof(qvVec3f));
    for (int i = 0; i < own->pointCount; i++) // a piece begins where its point is
        assert_memory_equal(&view.vertices[4 * i], &view.points[i], sizeof(qvVec3f));
    MustShow(&view, 1.9); // held
    assert_int_equal(view.mesh->vertexCount, 8 * own->pointCount);
    ASSERT_OK(qvTakeView_Show(&view, 0.6, qv_layersSmooth, NULL, &error), error); // the plain motion has its mesh
    assert_true(view.mesh == own && view.epoch > epoch + 2);
    MustShow(&view, 0.1);
    qvVec3f* points = PointsOf(take, 0.1, qv_layersAll, NULL);
    for (int i = 0; i < own->pointCount; i++)
        assert_memory_equal(&points[i], &view.vertices[own->pointVertex[i]], sizeof(*points));
    free(points);
    qvTakeView_Free(&view);
    qvReleaseTake(take);
}

static qvBake* MustBake(const qvTake* take, double from, double to, const qvJob* job)
{
    qvBakeDef def = qvDefaultBakeDef();
    def.hasRange = true, def.range[0] = from, def.range[1] = to;
    qvBake* bake;
    qvError error;
    ASSERT_OK(qvCreateBake(take, &def, job, &bake, &error), error);
    return bake;
}

// Of any number of threads; a bake that ends before the change knows nothing of it.
static void BakesHaveTheMeshOfEveryFrame(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(DANCING(BURST(HELD)));
    qvPool* pool;
    qvError error;
    ASSERT_OK(qvCreatePool(3, &pool, &error), error);
    qvJob job = { .pool = pool };
    qvBake *one = MustBake(take, 0.0, 2.0, NULL), *many = MustBake(take, 0.0, 2.0, &job),
           *before = MustBake(take, 0.0, 0.5, NULL);
    assert_null(before->meshes);
    assert_memory_equal(before->positions, one->positions,
                        (size_t)before->frameCount * (size_t)before->vertexCount * sizeof(qvVec3f));
    int pieces[2] = { 0, 0 }, points = qvTake_Body(take)->mesh->pointCount;
    for (int i = 0; i < one->frameCount; i++)
    {
        assert_true((one->meshes[i] != NULL) == (one->times[i] >= qvTake_ChangesFrom(take)));
        if (one->meshes[i] == NULL)
            continue;
        int count = one->meshes[i]->vertexCount;
        assert_true(count == 4 * points || count == 8 * points);
        pieces[count == 8 * points]++;
        assert_memory_equal(one->meshes[i]->positions, many->meshes[i]->positions, (size_t)count * sizeof(qvVec3f));
    }
    assert_true(pieces[0] == 6 && pieces[1] == 29); // 24 frames a second from 0.55 and from 0.8 s on
    qvDestroyBake(one);
    qvDestroyBake(many);
    qvDestroyBake(before);
    qvDestroyPool(pool);
    qvReleaseTake(take);
}

static void AssertRefused(const char* text, const char* reason)
{
    qvError error;
    const qvScene* scene = MustParse(text);
    qvPipeline* pipeline = MustPipeline();
    qvTake* take = NULL;
    assert_int_equal(qvPipeline_Solve(pipeline, scene, ".", NULL, &take, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "simulation \"s1\" at");
    ASSERT_CONTAINS(error.message, reason);
    qvReleaseScene(scene);
    qvDestroyPipeline(pipeline);
}

static void ThereIsNoWayBack(void** state)
{
    (void)state;
    AssertRefused(DANCING(BURST("")), "cannot blend back");
    AssertRefused(DANCING("\"loop\": true, " BURST("")), "loop");
    // With `follow` 1 it does not burst and may blend.
    qvTake* whole = SolveAlone(DANCING(BURST(", \"follow\": 1")));
    assert_true(isinf(qvTake_ChangesFrom(whole)));
    qvReleaseTake(whole);
    // The next span goes on with it, and hands nothing back.
    qvTake* two = SolveAlone(DANCING("\"simulations\": [" BURST_SPAN(
        "") ", {\"engine\": \"burst\", \"time\": 1, \"until\": 1.5, \"wobble\": 2" HELD "}]"));
    MustAdvance(two, INFINITY);
    ASSERT_NEAR(qvTake_ChangesFrom(two), 0.55, 1e-12);
    qvTakeView view = { 0 };
    qvError error;
    ASSERT_OK(qvTakeView_SetTake(&view, two, &error), error);
    MustShow(&view, 1.2);
    assert_int_equal(view.mesh->vertexCount, 8 * qvTake_Body(two)->mesh->pointCount);
    qvTakeView_Free(&view);
    qvReleaseTake(two);
}

// Nobody else takes over a body that has changed.
static void OtherSpansAreRefused(void** state)
{
    (void)state;
    qvError error;
    const qvScene* scene = MustParse(
        DANCING("\"simulations\": [" BURST_SPAN(HELD) ", {\"engine\": \"points\", \"time\": 1.2, \"detail\": 100}]"));
    qvPipeline* pipeline = MustPipeline();
    qvTake* take = NULL;
    assert_int_equal(qvPipeline_Solve(pipeline, scene, ".", NULL, &take, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "has changed its topology at 0.55 s");
    qvReleaseScene(scene);
    qvDestroyPipeline(pipeline);
}

// --- Steps ---------------------------------------------------------------------------------------------------------

// The same mesh at several times, in any order.
static void AssertSame(const qvTake* a, const qvTake* b)
{
    qvTakeView x = { 0 }, y = { 0 };
    qvError error;
    ASSERT_OK(qvTakeView_SetTake(&x, a, &error), error);
    ASSERT_OK(qvTakeView_SetTake(&y, b, &error), error);
    for (int i = 0; i < 20; i++)
    {
        double time = 0.1 * ((i * 7) % 20);
        MustShow(&x, time);
        MustShow(&y, time);
        assert_true(x.mesh->vertexCount == y.mesh->vertexCount && x.mesh->triangleCount == y.mesh->triangleCount);
        assert_true((x.changed != NULL) == (time >= 0.55));
        assert_memory_equal(x.vertices, y.vertices, (size_t)x.mesh->vertexCount * sizeof(qvVec3f));
    }
    qvTakeView_Free(&x);
    qvTakeView_Free(&y);
}

static bool StopSoon(void* context, const char* stage, double fraction)
{
    (void)stage, (void)fraction;
    int* left = context;
    return --*left > 0;
}

static void RunsThatAreCancelledGoOn(void** state)
{
    (void)state;
    qvTake *straight = SolveAlone(DANCING(BURST(HELD))), *stopped = SolveAlone(DANCING(BURST(HELD)));
    MustAdvance(straight, INFINITY);
    qvResult result;
    qvError error;
    int times = 0;
    do
    {
        int left = 20;
        qvJob job = { .progress = StopSoon, .context = &left };
        result = qvTake_Advance(stopped, INFINITY, &job, &error);
        times++;
    } while (result == qv_cancelled);
    ASSERT_OK(result, error);
    assert_true(times > 3);
    AssertSame(straight, stopped);
    qvReleaseTake(straight);
    qvReleaseTake(stopped);
}

// An edit begins anew, and undoing it finds what was there.
static void EditsAndUndo(void** state)
{
    (void)state;
    qvPipeline* pipeline = MustPipeline();
    qvTake* first = MustSolve(pipeline, DANCING(BURST(HELD)));
    MustAdvance(first, INFINITY);
    qvTake* edited = MustSolve(pipeline, DANCING(BURST(HELD ", \"settle\": 2")));
    ASSERT_NEAR(qvTake_ValidUntil(edited), 0.3, 0.0);
    qvTake* whole = MustSolve(pipeline, DANCING(BURST(HELD ", \"follow\": 1")));
    assert_true(isinf(qvTake_ChangesFrom(whole)));
    qvTake* back = MustSolve(pipeline, DANCING(BURST(HELD)));
    assert_true(isinf(qvTake_ValidUntil(back)));
    AssertSame(first, back);
    qvReleaseTake(first);
    qvReleaseTake(edited);
    qvReleaseTake(whole);
    qvReleaseTake(back);
    qvDestroyPipeline(pipeline);
}

// Turns a byte in the middle of every file of frames.
static int Damage(const char* folder)
{
    DIR* list = opendir(folder);
    int count = 0;
    assert_non_null(list);
    for (const struct dirent* item; (item = readdir(list)) != NULL;)
    {
        if (strstr(item->d_name, ".steps") == NULL || strstr(item->d_name, ".lock") != NULL)
            continue;
        int file = openat(dirfd(list), item->d_name, O_RDWR);
        off_t place = lseek(file, 0, SEEK_END) / 2;
        unsigned char byte;
        assert_int_equal(pread(file, &byte, 1, place), 1);
        byte ^= 0x40;
        assert_int_equal(pwrite(file, &byte, 1, place), 1);
        close(file);
        count++;
    }
    closedir(list);
    return count;
}

static void RemoveFolder(const char* path)
{
    DIR* list = opendir(path);
    for (const struct dirent* item; list != NULL && (item = readdir(list)) != NULL;)
        unlinkat(dirfd(list), item->d_name, 0);
    if (list != NULL)
        closedir(list);
    rmdir(path);
}

// Kept on disk, found again, and made again where it was damaged: never wrong.
static void FilesOfFramesAreFoundOrMadeAgain(void** state)
{
    (void)state;
    char folder[512], files[600], name[64];
    snprintf(name, sizeof(name), "epochs_%ld", (long)getpid());
    OutputPath(folder, sizeof(folder), name);
    snprintf(files, sizeof(files), "%s/modes-1", folder);
    qvPipelineDef def = qvDefaultPipelineDef();
    def.cacheFolder = folder;
    qvTake* straight = SolveAlone(DANCING(BURST(HELD)));
    MustAdvance(straight, INFINITY);
    for (int run = 0; run < 3; run++)
    {
        qvPipeline* pipeline;
        qvError error;
        ASSERT_OK(qvCreatePipeline(&def, &pipeline, &error), error);
        qvTake* take = MustSolve(pipeline, DANCING(BURST(HELD)));
        if (run == 1)
            assert_true(qvTake_ValidUntil(take) >= 1.0); // all frames are there
        MustAdvance(take, INFINITY);
        AssertSame(straight, take);
        qvReleaseTake(take);
        qvDestroyPipeline(pipeline);
        if (run == 1)
            assert_true(Damage(files) > 0);
    }
    qvReleaseTake(straight);
    RemoveFolder(files);
    rmdir(folder);
}

// --- Waves and keys ------------------------------------------------------------------------------------------------

#define BLOW(time)                                                                                                \
    "{\"time\": " time ", \"load\": \"impulse\", \"shape\": \"grab\", \"at\": [0, 1, 0], \"drag\": [0.2, 0, 0], " \
    "\"radius\": 0.5}"

static double Apart(const qvTake* a, const qvTake* b, double time)
{
    qvVec3f *x = PointsOf(a, time, qv_layersAll, NULL), *y = PointsOf(b, time, qv_layersAll, NULL);
    double apart = Farthest(x, y, qvTake_Body(a)->mesh->pointCount);
    free(x);
    free(y);
    return apart;
}

// They fade out before the change and do not come back, and what has no effect is said.
static void WavesEndWhereTheTopologyChanges(void** state)
{
    (void)state;
    qvTake *calm = SolveAlone(DANCING(BURST(HELD))),
           *struck = SolveAlone(DANCING("\"events\": [" BLOW("0.35") ", " BLOW("0.9") "], " BURST(HELD))),
           *secondary = SolveAlone(DANCING("\"secondary\": {\"enabled\": true, \"threshold\": 0.001}, " BURST(HELD)));
    MustAdvance(calm, INFINITY);
    assert_true(Apart(calm, struck, 0.45) > 0.01);
    assert_true(Apart(calm, struck, 0.5499) < 1e-5 * qvTake_Body(calm)->diagonal);
    for (double time = 0.55; time < 1.9; time += 0.05)
    {
        ASSERT_NEAR(Apart(calm, struck, time), 0.0, 0.0);
        ASSERT_NEAR(Apart(calm, secondary, time), 0.0, 0.0);
    }
    assert_true(qvTake_GeneratedCount(secondary) > 0);
    for (int i = 0; i < qvTake_GeneratedCount(secondary); i++)
        assert_true(qvTake_GeneratedEvent(secondary, i)->def.time < 0.55);
    char text[256];
    assert_true(qvTake_ChangeRemark(struck, text, sizeof(text)));
    assert_string_equal(text, "the body changes its topology at 0.55 s: 1 key after that is not met, 1 wave after that "
                              "is not seen");
    assert_true(qvTake_ChangeRemark(secondary, text, sizeof(text)));
    ASSERT_CONTAINS(text, "secondary motion ends there");
    qvTake* whole = SolveAlone(DANCING(BURST(HELD ", \"follow\": 1")));
    assert_false(qvTake_ChangeRemark(whole, text, sizeof(text)));
    qvReleaseTake(whole);
    qvReleaseTake(calm);
    qvReleaseTake(struck);
    qvReleaseTake(secondary);
}

// --- Files ---------------------------------------------------------------------------------------------------------

static qvTakeExport RangeExport(double from, double to)
{
    qvTakeExport export = qvDefaultTakeExport();
    export.bake.hasRange = true, export.bake.range[0] = from, export.bake.range[1] = to;
    return export;
}

// Writes, compares with the estimate, and says where.
static qvExportReport MustExport(const qvTake* take, const qvTakeExport* def, const char* name, char path[512])
{
    qvExportReport report, estimate;
    qvError error;
    OutputPath(path, 512, name);
    ASSERT_OK(qvEstimateTake(take, def, path, &estimate, &error), error);
    ASSERT_OK(qvExportTake(take, def, path, &report, &error), error);
    assert_true(fabs(estimate.bytes / report.bytes - 1.0) < 0.25);
    assert_string_equal(report.warning, estimate.warning);
    return report;
}

static qvModel* MustLoad(const char* path)
{
    qvModel* model;
    qvError error;
    ASSERT_OK(qvLoadModel(path, NULL, &model, &error), error);
    return model;
}

// The mesh and positions of a frame of a bake.
static const qvMesh* MeshOf(const qvTake* take, const qvBake* bake, int frame, const qvVec3f** positions)
{
    const qvMesh* own = bake->meshes[frame];
    *positions = own != NULL ? own->positions : bake->positions + (size_t)frame * (size_t)bake->vertexCount;
    return own != NULL ? own : qvTake_Body(take)->mesh;
}

// Every vertex that is not at the origin, where the frames that are not seen are, is one of that frame.
static void AssertShows(const qvModel* model, double time, const qvMesh* mesh, const qvVec3f* positions)
{
    int count = model->mesh->vertexCount, shown = 0;
    qvVec3f* vertices = malloc((size_t)count * sizeof(*vertices));
    void* scratch = malloc(qvRig_ScratchSize(model->rig));
    bool* found = calloc((size_t)mesh->vertexCount, sizeof(bool));
    qvRig_Evaluate(model->rig, 0, time, scratch, vertices);
    for (int i = 0; i < count; i++)
    {
        if (vertices[i].x == 0.0f && vertices[i].y == 0.0f && vertices[i].z == 0.0f)
            continue;
        int k = 0;
        while (k < mesh->vertexCount && memcmp(&positions[k], &vertices[i], sizeof(qvVec3f)) != 0)
            k++;
        assert_true(k < mesh->vertexCount);
        found[k] = true;
        shown++;
    }
    assert_true(shown >= mesh->pointCount);
    for (int i = 0; i < mesh->pointCount; i++)
        assert_true(found[mesh->pointVertex[i]]);
    free(found);
    free(scratch);
    free(vertices);
}

// A node and mesh per frame; at the very time of a frame and up to the next one it is seen, and no other.
static void GltfShowsOneFrameAtATime(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(DANCING(BURST(HELD)));
    qvTakeExport def = RangeExport(0.3, 1.0);
    def.bake.fps = 23.0; // times that floats cannot hold
    qvBakeDef same = def.bake;
    qvBake* bake;
    qvError error;
    char path[512];
    ASSERT_OK(qvCreateBake(take, &same, NULL, &bake, &error), error);
    for (int binary = 0; binary < 2; binary++)
    {
        def.embedScene = binary == 1;
        qvExportReport report = MustExport(take, &def, binary ? "epochs.glb" : "epochs.gltf", path);
        assert_true(report.frames == bake->frameCount && report.targets == 0);
        assert_string_equal(report.warning, "the body changes its topology at 0.55 s: 1 key after that is not met");
        qvModel* model = MustLoad(path);
        for (int i = 0; i < bake->frameCount; i++)
        {
            const qvVec3f* positions;
            const qvMesh* mesh = MeshOf(take, bake, i, &positions);
            double time = bake->times[i] - bake->times[0], next = time;
            if (i + 1 < bake->frameCount)
                next = bake->times[i + 1] - bake->times[0];
            AssertShows(model, time, mesh, positions);
            AssertShows(model, 0.5 * (time + next), mesh, positions);
        }
        qvDestroyModel(model);
    }
    char* text;
    ASSERT_OK(qvReadEmbeddedScene(path, &text, &error), error);
    ASSERT_CONTAINS(text, "burst");
    qvFreeText(text);
    qvDestroyBake(bake);
    qvReleaseTake(take);
}

// The largest distance of a shown vertex from the nearest of a frame.
static double FarthestFrom(const qvModel* model, double time, const qvMesh* mesh, const qvVec3f* positions)
{
    int count = model->mesh->vertexCount;
    qvVec3f* vertices = malloc((size_t)count * sizeof(*vertices));
    void* scratch = malloc(qvRig_ScratchSize(model->rig));
    double farthest = 0.0;
    qvRig_Evaluate(model->rig, 0, time, scratch, vertices);
    for (int i = 0; i < count; i++)
    {
        double nearest = INFINITY;
        bool isHidden = vertices[i].x == 0.0f && vertices[i].y == 0.0f && vertices[i].z == 0.0f;
        for (int k = 0; k < mesh->vertexCount && !isHidden; k++)
            nearest = fmin(nearest, qvDistance(qvVec3_FromFloat(vertices[i]), qvVec3_FromFloat(positions[k])));
        farthest = isHidden ? farthest : fmax(farthest, nearest);
    }
    free(scratch);
    free(vertices);
    return farthest;
}

// What is compressed is rounded by what is reported, which is within the error, and a third of the size at most.
static void CompressedFramesAreRounded(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(DANCING(BURST(HELD)));
    qvTakeExport def = RangeExport(0.3, 1.0);
    qvBakeDef same = def.bake;
    qvBake* bake;
    qvError error;
    char path[512];
    ASSERT_OK(qvCreateBake(take, &same, NULL, &bake, &error), error);
    qvExportReport plain = MustExport(take, &def, "epochs_plain.glb", path);
    def.options.compress = true;
    qvExportReport report = MustExport(take, &def, "epochs_packed.glb", path);
    assert_true(plain.maxError == 0.0 && report.maxError > 0.0 && report.rmsError < report.maxError);
    assert_true(report.maxError <= def.options.error * report.diagonal);
    assert_true(3.0 * report.bytes < plain.bytes);
    assert_null(strstr(report.warning, "floats"));
    qvModel* model = MustLoad(path);
    double farthest = 0.0;
    for (int i = 0; i < bake->frameCount; i++)
    {
        const qvVec3f* positions;
        const qvMesh* mesh = MeshOf(take, bake, i, &positions);
        farthest = fmax(farthest, FarthestFrom(model, bake->times[i] - bake->times[0], mesh, positions));
    }
    ASSERT_NEAR(farthest / report.maxError, 1.0, 1e-3);
    qvDestroyModel(model);
    qvDestroyBake(bake);
    qvReleaseTake(take);
}

static void ManyFramesAreWarnedOf(void** state)
{
    (void)state;
    qvTake* take = SolveAlone("{\"quaver\": 1, \"mesh\": {\"primitive\": \"block\", \"resolution\": 1}, " FEW_MODES
                              ", \"range\": [0, 2], \"keys\": [{\"time\": 0}], " BURST(HELD) "}");
    qvTakeExport def = RangeExport(0.0, 2.0);
    def.bake.fps = 120.0;
    qvExportReport report;
    qvError error;
    ASSERT_OK(qvEstimateTake(take, &def, "x.glb", &report, &error), error);
    ASSERT_CONTAINS(report.warning, "each of the 241 frames is a mesh of its own");
    qvReleaseTake(take);
}

// Files of a sequence, each with the mesh of its frame.
static void SequencesHaveTheMeshOfEveryFrame(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(DANCING(BURST(HELD)));
    qvTakeExport def = RangeExport(0.4, 1.0);
    qvBake* bake;
    qvError error;
    char path[512], file[600];
    ASSERT_OK(qvCreateBake(take, &def.bake, NULL, &bake, &error), error);
    for (int kind = 0; kind < 2; kind++)
    {
        qvExportReport report = MustExport(take, &def, kind ? "epochs_###.ply" : "epochs.obj", path);
        assert_int_equal(report.fileCount, bake->frameCount);
        for (int i = 0; i < bake->frameCount; i++)
        {
            const qvVec3f* positions;
            const qvMesh* mesh = MeshOf(take, bake, i, &positions);
            int length = (int)(strrchr(path, kind ? '_' : '.') - path);
            snprintf(file, sizeof(file), kind ? "%.*s_%03d.ply" : "%.*s_%04d.obj", length, path, i);
            qvModel* model = MustLoad(file);
            assert_int_equal(model->mesh->vertexCount, mesh->vertexCount);
            assert_int_equal(model->mesh->triangleCount, mesh->triangleCount);
            assert_memory_equal(model->mesh->positions, positions, (size_t)mesh->vertexCount * sizeof(qvVec3f));
            assert_memory_equal(model->mesh->triangles, mesh->triangles,
                                (size_t)mesh->triangleCount * sizeof(qvTriangle));
            qvDestroyModel(model);
            unlink(file);
        }
    }
    qvDestroyBake(bake);
    qvReleaseTake(take);
}

// Before the change files are, bit for bit, those of a body that keeps its topology.
static void OneEpochIsAsEver(void** state)
{
    (void)state;
    qvTake *take = SolveAlone(DANCING(BURST(HELD))), *whole = SolveAlone(DANCING(BURST(HELD ", \"follow\": 1")));
    qvTakeExport def = RangeExport(0.0, 0.5);
    const char* names[] = { "one.glb", "one.pc2", "one.mdd", "one.usda" };
    for (int i = 0; i < 4; i++)
    {
        char path[512];
        qvBytes a, b;
        qvError error;
        MustExport(take, &def, names[i], path);
        ASSERT_OK(qvReadFile(path, SIZE_MAX, &a, &error), error);
        MustExport(whole, &def, names[i], path);
        ASSERT_OK(qvReadFile(path, SIZE_MAX, &b, &error), error);
        assert_int_equal(a.size, b.size);
        assert_memory_equal(a.data, b.data, a.size);
        qvFreeBytes(&a);
        qvFreeBytes(&b);
    }
    qvReleaseTake(take);
    qvReleaseTake(whole);
}

// --- USD -----------------------------------------------------------------------------------------------------------

// The numbers of the array that follows a text: "t: [(x, y, z), …" or "= [i, …". Returns how many.
static int ReadNumbers(const char* text, float* numbers, int capacity)
{
    int count = 0;
    const char* at = strchr(text, '[') + 1;
    while (*at != ']' && count < capacity)
    {
        char* end;
        float value = strtof(at, &end);
        if (end == at)
            at++;
        else
            numbers[count++] = value, at = end;
    }
    assert_true(*at == ']');
    return count;
}

// The sample of an attribute at a frame: the last one that is not later, or its only value.
static const char* SampleAt(const char* text, const char* attribute, double code)
{
    char name[96];
    snprintf(name, sizeof(name), "%s = [", attribute);
    const char* single = strstr(text, name);
    if (single != NULL)
        return single + strlen(name) - 1;
    snprintf(name, sizeof(name), "%s.timeSamples = {", attribute);
    const char *line = strstr(text, name), *found = NULL;
    assert_non_null(line);
    for (line = strchr(line, '\n') + 1; strspn(line, " ") > 8; line = strchr(line, '\n') + 1)
        found = strtod(line, NULL) <= code + 1e-9 ? strchr(line, '[') : found;
    return found;
}

static void AssertUsdFrame(const char* text, double code, const qvMesh* mesh, const qvVec3f* positions, int perNormal)
{
    int corners = 3 * mesh->triangleCount, most = 3 * (corners + mesh->vertexCount);
    float* numbers = malloc((size_t)most * sizeof(*numbers));
    assert_int_equal(ReadNumbers(SampleAt(text, "point3f[] points", code), numbers, most), 3 * mesh->vertexCount);
    assert_memory_equal(numbers, positions, (size_t)mesh->vertexCount * sizeof(qvVec3f));
    assert_int_equal(ReadNumbers(SampleAt(text, "int[] faceVertexIndices", code), numbers, most), corners);
    for (int i = 0; i < corners; i++)
        assert_int_equal((int)numbers[i], mesh->triangles[i / 3].v[i % 3]);
    assert_int_equal(ReadNumbers(SampleAt(text, "int[] faceVertexCounts", code), numbers, most), mesh->triangleCount);
    assert_int_equal(ReadNumbers(SampleAt(text, "normal3f[] normals", code), numbers, most), 3 * perNormal);
    for (int i = 0; i < perNormal; i++)
        ASSERT_NEAR(hypot(hypot(numbers[3 * i], numbers[3 * i + 1]), numbers[3 * i + 2]), 1.0, 1e-5);
    assert_int_equal(ReadNumbers(SampleAt(text, "color3f[] primvars:displayColor", code), numbers, most), corners);
    free(numbers);
}

// Topology that stays and topology that changes.
static void UsdHasTheMeshOfEveryFrame(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(DANCING(BURST(HELD)));
    for (int changes = 0; changes < 2; changes++)
    {
        qvTakeExport def = RangeExport(0.2, changes ? 1.0 : 0.5);
        qvBake* bake;
        qvBytes text;
        qvError error;
        char path[512];
        ASSERT_OK(qvCreateBake(take, &def.bake, NULL, &bake, &error), error);
        MustExport(take, &def, "epochs.usda", path);
        ASSERT_OK(qvReadFile(path, SIZE_MAX, &text, &error), error);
        assert_memory_equal(text.data, "#usda 1.0\n", 10);
        assert_true((strstr(text.data, "faceVertexIndices.timeSamples") != NULL) == (changes == 1));
        for (int i = 0; i < bake->frameCount; i++)
        {
            const qvMesh* mesh = qvTake_Body(take)->mesh;
            const qvVec3f* positions = bake->positions + (size_t)i * (size_t)bake->vertexCount;
            if (changes)
                mesh = MeshOf(take, bake, i, &positions);
            bool atVertices = !changes && mesh->normalDomain != qv_domainCorner;
            AssertUsdFrame(text.data, (bake->times[i] - bake->times[0]) * bake->fps, mesh, positions,
                           atVertices ? mesh->vertexCount : 3 * mesh->triangleCount);
        }
        qvFreeBytes(&text);
        qvDestroyBake(bake);
    }
    qvReleaseTake(take);
}

static void CachesRefuseIt(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(DANCING(BURST(HELD)));
    qvTakeExport def = qvDefaultTakeExport();
    const char* names[] = { "no.pc2", "no.mdd" };
    for (int i = 0; i < 2; i++)
    {
        char path[512];
        qvError error;
        OutputPath(path, sizeof(path), names[i]);
        unlink(path);
        assert_int_equal(qvExportTake(take, &def, path, NULL, &error), qv_unsupported);
        ASSERT_CONTAINS(error.message, "the body changes its topology");
        assert_null(strchr(error.message, '\n'));
        assert_int_not_equal(access(path, F_OK), 0);
    }
    qvReleaseTake(take);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ViewsShowTheMeshOfTheTime),
        cmocka_unit_test(BakesHaveTheMeshOfEveryFrame),
        cmocka_unit_test(ThereIsNoWayBack),
        cmocka_unit_test(OtherSpansAreRefused),
        cmocka_unit_test(RunsThatAreCancelledGoOn),
        cmocka_unit_test(EditsAndUndo),
        cmocka_unit_test(FilesOfFramesAreFoundOrMadeAgain),
        cmocka_unit_test(WavesEndWhereTheTopologyChanges),
        cmocka_unit_test(GltfShowsOneFrameAtATime),
        cmocka_unit_test(CompressedFramesAreRounded),
        cmocka_unit_test(ManyFramesAreWarnedOf),
        cmocka_unit_test(SequencesHaveTheMeshOfEveryFrame),
        cmocka_unit_test(OneEpochIsAsEver),
        cmocka_unit_test(UsdHasTheMeshOfEveryFrame),
        cmocka_unit_test(CachesRefuseIt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
