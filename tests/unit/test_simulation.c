// SPDX-License-Identifier: GPL-3.0-or-later
// Simulations as layers of a take, with the engine of springs, which this program adds to the list by one line.
#include "scene_testing.h"

#include "scene/layer.h"
#include "swarm_engine.h"

#include <dirent.h>
#include <fcntl.h>
#include <time.h>
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
    QV_ENGINE(swarmEngine) // the one line
#undef QV_ENGINE
    NULL,
};

#define SPRINGS(more) "\"simulations\": [{\"engine\": \"swarm\", \"time\": 0.3, \"until\": 0.9, \"wobble\": 2" more "}]"
#define DANCING(more) SCENE(FEW_MODES ", \"range\": [0, 2], " more ", \"keys\": [" DANCE_KEYS "]")

static void MustAdvance(const qvTake* take, double time)
{
    qvError error;
    ASSERT_OK(qvTake_Advance(take, time, NULL, &error), error);
}

static double Apart(const qvTake* a, const qvTake* b, double time)
{
    qvVec3f *x = PointsOf(a, time, qv_layersAll, NULL), *y = PointsOf(b, time, qv_layersAll, NULL);
    double apart = Farthest(x, y, qvTake_Body(a)->mesh->pointCount);
    free(x);
    free(y);
    return apart;
}

static void PhysicsTakesOverForItsSpan(void** state)
{
    (void)state;
    qvTake *keyed = SolveAlone(DANCE), *take = SolveAlone(DANCING(SPRINGS("")));
    ASSERT_NEAR(qvTake_ValidUntil(take), 0.3, 0.0);
    ASSERT_NEAR(Apart(take, keyed, 0.6), 0.0, 0.0); // not computed yet
    MustAdvance(take, INFINITY);
    assert_true(isinf(qvTake_ValidUntil(take)));
    ASSERT_NEAR(Apart(take, keyed, 0.2), 0.0, 0.0);
    ASSERT_NEAR(Apart(take, keyed, 0.3), 0.0, 1e-6); // it begins where the keys have the body
    assert_true(Apart(take, keyed, 0.6) > 0.1);
    ASSERT_NEAR(Apart(take, keyed, 1.2), 0.0, 0.0); // and has faded back
    // The key inside shapes the motion below and is no error; the one after the span is met.
    assert_true(qvTake_KeyReport(take, 1).error < 1e-6);
    assert_true(qvTake_KeyReport(take, 2).error < 1e-6);
    qvReleaseTake(keyed);
    qvReleaseTake(take);
}

static void BakesWaitForAllOfIt(void** state)
{
    (void)state;
    qvTake *take = SolveAlone(DANCING(SPRINGS(""))), *ready = SolveAlone(DANCING(SPRINGS("")));
    qvBakeDef def = qvDefaultBakeDef();
    qvBake* bake;
    qvError error;
    ASSERT_OK(qvCreateBake(take, &def, NULL, &bake, &error), error);
    MustAdvance(ready, INFINITY);
    for (int i = 0; i < bake->frameCount; i++)
    {
        qvVec3f* points = PointsOf(ready, bake->times[i], qv_layersAll, NULL);
        const qvMesh* mesh = qvTake_Body(take)->mesh;
        qvVec3f* gathered = malloc((size_t)mesh->pointCount * sizeof(*gathered));
        qvMesh_GatherPoints(mesh, bake->positions + (size_t)i * (size_t)bake->vertexCount, gathered);
        assert_memory_equal(points, gathered, (size_t)mesh->pointCount * sizeof(*points));
        free(points);
        free(gathered);
    }
    qvDestroyBake(bake);
    qvReleaseTake(take);
    qvReleaseTake(ready);
}

static void EditsAboveLeaveItsStepsAlone(void** state)
{
    (void)state;
    qvPipeline* pipeline = MustPipeline();
    qvTake* first = MustSolve(pipeline, DANCING(SPRINGS("")));
    MustAdvance(first, 0.7);
    qvTake* named = MustSolve(pipeline, DANCING("\"name\": \"other\", " SPRINGS(", \"name\": \"drop\"")));
    ASSERT_NEAR(qvTake_ValidUntil(named), 0.7, 1e-9); // a name changes nothing
    qvTake* stiffer = MustSolve(pipeline, DANCING(SPRINGS(", \"settle\": 2")));
    ASSERT_NEAR(qvTake_ValidUntil(stiffer), 0.3, 0.0);
    qvTake* back = MustSolve(pipeline, DANCING(SPRINGS(""))); // undo
    ASSERT_NEAR(qvTake_ValidUntil(back), 0.7, 1e-9);
    qvReleaseTake(first);
    qvReleaseTake(named);
    qvReleaseTake(stiffer);
    qvReleaseTake(back);
    qvDestroyPipeline(pipeline);
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

static void StepsOutliveTheProgram(void** state)
{
    (void)state;
    char folder[512], files[600], name[64];
    snprintf(name, sizeof(name), "simulation_%ld", (long)getpid());
    OutputPath(folder, sizeof(folder), name);
    snprintf(files, sizeof(files), "%s/modes-1", folder);
    qvPipelineDef def = qvDefaultPipelineDef();
    def.cacheFolder = folder;
    qvTake* straight = SolveAlone(DANCING(SPRINGS("")));
    MustAdvance(straight, INFINITY);
    for (int run = 0; run < 2; run++)
    {
        qvPipeline* pipeline;
        qvError error;
        ASSERT_OK(qvCreatePipeline(&def, &pipeline, &error), error);
        qvTake* take = MustSolve(pipeline, DANCING(SPRINGS("")));
        ASSERT_NEAR(qvTake_ValidUntil(take), run == 0 ? 0.3 : 0.8, 1e-9);
        MustAdvance(take, run == 0 ? 0.8 : INFINITY);
        for (int i = 0; run == 1 && i < 25; i++)
            ASSERT_NEAR(Apart(straight, take, 0.05 * i), 0.0, 0.0);
        qvReleaseTake(take);
        qvDestroyPipeline(pipeline);
    }
    qvReleaseTake(straight);
    RemoveFolder(files);
    rmdir(folder);
}

// Flips bytes all over the second half of each file of frames.
static int DamageFrames(const char* path)
{
    int count = 0;
    DIR* list = opendir(path);
    assert_non_null(list);
    for (const struct dirent* item; (item = readdir(list)) != NULL;)
    {
        char magic[8] = "";
        int file = openat(dirfd(list), item->d_name, O_RDWR | O_CLOEXEC);
        if (file >= 0 && pread(file, magic, 7, 0) == 7 && strcmp(magic, "QVSTEPS") == 0)
        {
            off_t size = lseek(file, 0, SEEK_END);
            for (off_t place = size / 2; place < size; place += size / 500)
            {
                char byte;
                assert_int_equal(pread(file, &byte, 1, place), 1);
                byte ^= 1;
                assert_int_equal(pwrite(file, &byte, 1, place), 1);
            }
            count++;
        }
        if (file >= 0)
            close(file);
    }
    closedir(list);
    return count;
}

// A bake, and a window that looks on, do without frames that were damaged after they had been made: they make them
// again.
static void DamagedFramesAreNotShown(void** state)
{
    (void)state;
    char folder[512], files[600], name[64];
    snprintf(name, sizeof(name), "simulation_late_%ld", (long)getpid());
    OutputPath(folder, sizeof(folder), name);
    snprintf(files, sizeof(files), "%s/modes-1", folder);
    qvPipelineDef def = qvDefaultPipelineDef();
    def.cacheFolder = folder;
    qvError error;
    qvWorker* worker;
    ASSERT_OK(qvCreateWorker(&def, &worker, &error), error);
    const qvScene* scene = MustParse(DANCING(SPRINGS("")));
    qvWorker_Post(worker, scene, ".");
    double fraction;
    char stage[64];
    while (qvWorker_Progress(worker, &fraction, stage) || qvWorker_IsSimulating(worker))
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    const qvTake* take = qvWorker_Collect(worker);
    assert_non_null(take);
    const qvBakeDef bakeDef = qvDefaultBakeDef();
    qvBake *before, *after;
    ASSERT_OK(qvCreateBake(take, &bakeDef, NULL, &before, &error), error);

    assert_true(DamageFrames(files) >= 1);
    ASSERT_OK(qvCreateBake(take, &bakeDef, NULL, &after, &error), error);
    assert_memory_equal(before->positions, after->positions,
                        (size_t)before->frameCount * (size_t)before->vertexCount * sizeof(*before->positions));
    qvDestroyBake(after);
    assert_true(isinf(qvTake_ValidUntil(take)));

    assert_true(DamageFrames(files) >= 1);
    for (int i = 0; i < 25; i++)
        free(PointsOf(take, 0.05 * i, qv_layersAll, NULL));
    assert_true(isfinite(qvTake_ValidUntil(take)));
    assert_true(qvWorker_IsSimulating(worker));
    while (qvWorker_IsSimulating(worker))
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    assert_true(isinf(qvTake_ValidUntil(take)));
    assert_false(qvWorker_CollectError(worker, &error));
    qvDestroyBake(before);
    qvReleaseTake(take);
    qvReleaseScene(scene);
    qvDestroyWorker(worker);
    RemoveFolder(files);
    rmdir(folder);
}

static void WavesTravelOnTheSimulatedBody(void** state)
{
    (void)state;
#define BLOW                                                                                                          \
    "\"events\": [{\"time\": 0.6, \"load\": \"impulse\", \"shape\": \"grab\", \"at\": [0, 1, 0], \"drag\": [0.2, 0, " \
    "0],"                                                                                                             \
    "\"radius\": 0.5}], \"keep_keys\": false, "
    qvTake *calm = SolveAlone(DANCING(SPRINGS(""))), *struck = SolveAlone(DANCING(BLOW SPRINGS("")));
    MustAdvance(calm, INFINITY);
    assert_true(isinf(qvTake_ValidUntil(struck))); // what is built on it needs all of it
    ASSERT_NEAR(Apart(calm, struck, 0.55), 0.0, 0.0);
    assert_true(Apart(calm, struck, 0.7) > 0.01);
    qvReleaseTake(calm);
    qvReleaseTake(struck);
}

static void UnknownEnginesAreKeptAndLeftOut(void** state)
{
    (void)state;
    const char* text = DANCING("\"simulations\": [{\"engine\": \"aether\", \"time\": 0.3, \"ply\": [1, 2]}]");
    const qvScene* scene = MustParse(text);
    char* printed;
    qvError error;
    ASSERT_OK(qvPrintScene(scene, &printed, &error), error);
    ASSERT_CONTAINS(printed, "aether");
    ASSERT_CONTAINS(printed, "ply");
    qvFreeText(printed);
    qvReleaseScene(scene);
    qvTake *take = SolveAlone(text), *keyed = SolveAlone(DANCE);
    assert_true(isinf(qvTake_ValidUntil(take)));
    ASSERT_NEAR(Apart(take, keyed, 0.6), 0.0, 0.0);
    char remark[qv_maxRemark];
    assert_true(qvTake_SimulationRemark(take, 0, remark));
    ASSERT_CONTAINS(remark, "\"s1\" at 0.3 s is left out");
    ASSERT_CONTAINS(remark, "aether");
    qvReleaseTake(take);
    qvReleaseTake(keyed);
    // Muted ones take no part either.
    qvTake* muted = SolveAlone(DANCING(SPRINGS(", \"mute\": true")));
    assert_true(isinf(qvTake_ValidUntil(muted)));
    assert_false(qvTake_SimulationRemark(muted, 0, remark));
    qvReleaseTake(muted);
}

static void AssertRefused(const char* text, const char* reason)
{
    qvError error;
    const qvScene* scene;
    qvResult result = qvParseScene(text, strlen(text), "test", &scene, &error);
    qvPipeline* pipeline = MustPipeline();
    qvTake* take = NULL;
    if (result == qv_ok)
        result = qvPipeline_Solve(pipeline, scene, ".", NULL, &take, &error);
    assert_int_equal(result, qv_badInput);
    ASSERT_CONTAINS(error.message, reason);
    qvReleaseScene(scene);
    qvDestroyPipeline(pipeline);
}

static void BadSpansAreRefused(void** state)
{
    (void)state;
    AssertRefused(DANCING("\"simulations\": [{\"engine\": \"swarm\", \"time\": 1, \"until\": 1}]"),
                  "must end after it");
    AssertRefused(DANCING("\"simulations\": [{\"engine\": \"swarm\", \"time\": 1, \"until\": 3}]"), "inside the scene");
    AssertRefused(DANCING("\"simulations\": [{\"engine\": \"swarm\", \"time\": 2}]"), "inside the scene");
    AssertRefused(DANCING("\"simulations\": [{\"engine\": \"\", \"time\": 1}]"), "engine");
    AssertRefused(DANCING("\"simulations\": [{\"time\": 1}]"), "engine");
    AssertRefused(
        DANCING("\"simulations\": [{\"engine\": \"swarm\", \"time\": 0, \"until\": 1}, {\"engine\": \"swarm\", "
                "\"time\": 1.1}]"),
        "begins before");
    AssertRefused(DANCING("\"loop\": true, " SPRINGS(", \"after\": \"hold\"")), "loop must come back");
    AssertRefused(DANCING("\"loop\": true, \"simulations\": [{\"engine\": \"swarm\", \"time\": 0.3, \"until\": 1.9}]"),
                  "after the end of the loop");
    AssertRefused(DANCING("\"simulations\": [{\"engine\": \"swarm\", \"time\": 1, \"until\": 0.5}]"),
                  "must end after it");
    AssertRefused(DANCING("\"simulations\": [{\"engine\": \"swarm\", \"time\": -0.5, \"until\": 0.5}]"),
                  "inside the scene");
#define TWO(first, second) DANCING("\"simulations\": [{\"engine\": \"swarm\", " first "}, {\"engine\": " second "}]")
    AssertRefused(TWO("\"time\": 0.2, \"until\": 1", "\"swarm\", \"time\": 0.2, \"until\": 1"), "begins before");
    AssertRefused(TWO("\"time\": 0.2, \"until\": 1", "\"swarm\", \"time\": 0.4, \"until\": 0.6"), "begins before");
    AssertRefused(TWO("\"time\": 0.2, \"until\": 1", "\"points\", \"time\": 1, \"until\": 1.5"), "begins before");
}

// What cannot be played is a scene all the same: it is saved as it was, and an edit or undo mends it. Spans that are
// muted or unknown stand in nobody's way.
static void BadSpansLoseNothing(void** state)
{
    (void)state;
    qvError error;
    char* printed;
    const char* text = TWO("\"id\": \"first\", \"time\": 0.2, \"until\": 1",
                           "\"swarm\", \"id\": \"next\", \"time\": 0.4, \"until\": 5, \"melt\": [[0, 0], [1, 1]]");
    const qvScene* scene = MustParse(text);
    ASSERT_OK(qvPrintScene(scene, &printed, &error), error);
    const qvScene* again = MustParse(printed);
    assert_true(qvScene_Hash(scene) == qvScene_Hash(again));
    assert_int_equal(again->simulationCount, 2);
    assert_true(again->simulations[1]->def.until == 5.0);
    assert_int_equal(qvScene_CheckSimulation(again, again->simulations[0], &error), qv_ok);
    assert_int_equal(qvScene_CheckSimulation(again, again->simulations[1], &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "next");
    qvFreeText(printed);
    qvReleaseScene(scene);
    qvReleaseScene(again);
    qvReleaseTake(
        SolveAlone(TWO("\"time\": 0.2, \"until\": 1", "\"swarm\", \"mute\": true, \"time\": 0.4, \"until\": 5")));
    qvReleaseTake(SolveAlone(TWO("\"time\": 0.2, \"until\": 1", "\"aether\", \"time\": 0.4, \"until\": 5")));
}

// Two that touch hand over where the first ends.
static void SpansFollowEachOther(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(DANCING("\"simulations\": [{\"engine\": \"swarm\", \"time\": 0.3, \"until\": 0.7}, "
                                      "{\"engine\": \"swarm\", \"time\": 0.7, \"until\": 1, \"gravity\": [0, 0, 0]}]"));
    MustAdvance(take, INFINITY);
    qvVec3f *a = PointsOf(take, 0.7 - 1e-6, qv_layersAll, NULL), *b = PointsOf(take, 0.7, qv_layersAll, NULL);
    ASSERT_NEAR(Farthest(a, b, qvTake_Body(take)->mesh->pointCount), 0.0, 1e-4);
    free(a);
    free(b);
    qvReleaseTake(take);
}

static void LoopsCloseAfterAnEarlyEnd(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(DANCING("\"loop\": true, " SPRINGS("")));
    MustAdvance(take, INFINITY);
    qvVec3f *a = PointsOf(take, 0.0, qv_layersAll, NULL), *b = PointsOf(take, 2.0, qv_layersAll, NULL);
    assert_memory_equal(a, b, (size_t)qvTake_Body(take)->mesh->pointCount * sizeof(*a));
    assert_true(qvTake_Seam(take).closes);
    free(a);
    free(b);
    qvReleaseTake(take);
}

// The worker hands a take out at once and goes on with its simulations.
static void WorkersSimulateOn(void** state)
{
    (void)state;
    qvError error;
    qvWorker* worker;
    ASSERT_OK(qvCreateWorker(NULL, &worker, &error), error);
    const qvScene* scene = MustParse(DANCING(SPRINGS("")));
    qvWorker_Post(worker, scene, ".");
    const qvTake* take = NULL;
    double fraction;
    char stage[64];
    while (qvWorker_Progress(worker, &fraction, stage) || qvWorker_IsSimulating(worker))
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    take = qvWorker_Collect(worker);
    assert_non_null(take);
    assert_true(isinf(qvTake_ValidUntil(take)));
    qvReleaseTake(take);
    qvReleaseScene(scene);
    qvDestroyWorker(worker);
}

// --- Bodies of points ----------------------------------------------------------------------------------------------

#define BLOCK_ABOVE "\"keys\": [{\"time\": 0, \"transform\": {\"translate\": [0, 0.5, 0]}}], \"range\": [0, 3], "
#define POINTS(more) \
    "\"simulations\": [{\"engine\": \"points\", \"time\": 0.25, \"detail\": 150, \"wobble\": 4" more "}]"
#define DROP(more) SCENE(FEW_MODES ", " BLOCK_ABOVE POINTS(more))

static double MiddleOf(const qvTake* take, double time, double* lowest)
{
    int n = qvTake_Body(take)->mesh->pointCount;
    qvVec3f* points = PointsOf(take, time, qv_layersAll, NULL);
    double sum = 0.0;
    *lowest = INFINITY;
    for (int i = 0; i < n; i++)
        sum += points[i].y, *lowest = fmin(*lowest, points[i].y);
    free(points);
    return sum / n;
}

static void BodiesOfPointsFallAndStayOnTheGround(void** state)
{
    (void)state;
    qvTake *keyed = SolveAlone(SCENE(FEW_MODES ", " BLOCK_ABOVE "\"keep_keys\": true")), *take = SolveAlone(DROP(""));
    MustAdvance(take, INFINITY);
    double lowest, diagonal = qvTake_Body(take)->diagonal;
    ASSERT_NEAR(Apart(take, keyed, 0.25), 0.0, 1e-6 * diagonal); // it begins where the keys have the body
    double before = MiddleOf(take, 0.25, &lowest), after = MiddleOf(take, 0.5, &lowest);
    ASSERT_NEAR(before - after, 0.5 * 9.81 * 0.25 * 0.25, 0.005); // free fall
    double spacing = cbrt(8.0 / 150.0), deepest = INFINITY;
    for (double time = 0.25; time < 3.0; time += 0.02)
    {
        MiddleOf(take, time, &lowest);
        deepest = fmin(deepest, lowest);
    }
    assert_true(deepest > -0.15 * spacing);
    double last = MiddleOf(take, 2.99, &lowest);
    assert_true(lowest < 0.1 * spacing && last > 0.7 && last < 1.0); // it rests, a little squashed
    qvReleaseTake(keyed);
    qvReleaseTake(take);
}

// Also on a pose that phyxels alone cannot show.
static void BodiesOfPointsBeginOnTheKeyedPose(void** state)
{
    (void)state;
    qvTake* keyed = SolveAlone(DANCE);
    qvTake* take = SolveAlone(DANCING("\"simulations\": [{\"engine\": \"points\", \"time\": 0.45, \"until\": 0.6, "
                                      "\"detail\": 150}]"));
    MustAdvance(take, INFINITY);
    ASSERT_NEAR(Apart(take, keyed, 0.45), 0.0, 1e-6 * qvTake_Body(take)->diagonal);
    qvReleaseTake(keyed);
    qvReleaseTake(take);
}

static void BodiesOfPointsAreTheSameForAnyThreads(void** state)
{
    (void)state;
    qvTake *one = SolveAlone(DROP(", \"until\": 1.5")), *many = SolveAlone(DROP(", \"until\": 1.5"));
    qvPool* pool;
    qvError error;
    ASSERT_OK(qvCreatePool(3, &pool, &error), error);
    qvJob job = { .pool = pool };
    MustAdvance(one, INFINITY);
    ASSERT_OK(qvTake_Advance(many, INFINITY, &job, &error), error);
    size_t size = (size_t)qvTake_Body(one)->mesh->pointCount * sizeof(qvVec3f);
    for (double time = 0.0; time < 2.0; time += 0.1)
    {
        qvVec3f *a = PointsOf(one, time, qv_layersAll, NULL), *b = PointsOf(many, time, qv_layersAll, pool);
        assert_memory_equal(a, b, size);
        free(a);
        free(b);
    }
    qvReleaseTake(one);
    qvReleaseTake(many);
    qvDestroyPool(pool);
}

// One span, or two that touch, not at a frame: the same fall.
static void BodiesOfPointsGoOnInTheNextSpan(void** state)
{
    (void)state;
    qvTake *one = SolveAlone(DROP(", \"until\": 1.5")),
           *two = SolveAlone(SCENE(FEW_MODES ", " BLOCK_ABOVE
                                             "\"simulations\": [{\"engine\": \"points\", \"time\": 0.25, \"detail\": "
                                             "150, \"wobble\": 4, \"until\": 0.703}, {\"engine\": \"points\", "
                                             "\"time\": 0.703, \"wobble\": 4, \"until\": 1.5}]"));
    MustAdvance(one, INFINITY);
    MustAdvance(two, INFINITY);
    double diagonal = qvTake_Body(one)->diagonal, farthest = 0.0, nearEnd = 0.0;
    for (double time = 0.0; time < 1.5; time += 0.0123)
        farthest = fmax(farthest, Apart(one, two, time));
    ASSERT_NEAR(farthest, 0.0, 2e-3 * diagonal); // steps lie elsewhere
    for (double time = 1.5; time < 1.8; time += 0.05)
        nearEnd = fmax(nearEnd, Apart(one, two, time));
    ASSERT_NEAR(nearEnd, 0.0, 4e-3 * diagonal); // both fade back to the keys
    qvReleaseTake(one);
    qvReleaseTake(two);
}

#define HELD_KEYS                                                                                          \
    "\"keys\": [{\"time\": 0, \"transform\": {\"translate\": [0, 1, 0]}}, {\"time\": 0.5, \"transform\": " \
    "{\"translate\": [0.6, 1, 0]}}, {\"time\": 0.8, \"interp\": \"hold\", \"transform\": {\"translate\": " \
    "[0.6, 1, 0.5]}}], \"range\": [0, 2], "
#define HELD(pin)                                                                                                \
    SCENE(FEW_MODES ", \"pins\": [{\"box\": [[-1, 1.7, -1], [1, 2, 1]]" pin "}], " HELD_KEYS "\"simulations\": " \
                    "[{\"engine\": \"points\", \"time\": 0.1, \"detail\": 150, \"wobble\": 4, \"until\": 1.5}]")

// Pinned points are where the keys have them to the bit, also where the keys jump; the rest hangs from them.
static void PinsHoldBodiesOfPoints(void** state)
{
    (void)state;
    qvTake *keyed = SolveAlone(SCENE(FEW_MODES ", \"pins\": [{\"box\": [[-1, 1.7, -1], [1, 2, 1]]}], " HELD_KEYS
                                               "\"keep_keys\": true")),
           *take = SolveAlone(HELD("")), *loose = SolveAlone(HELD(", \"to\": 0.9"));
    MustAdvance(take, INFINITY);
    MustAdvance(loose, INFINITY);
    const qvBody* body = qvTake_Body(take);
    double lowest, hung = 0.0;
    int n = body->mesh->pointCount, held = 0;
    for (double time = 0.1; time < 1.5; time += 0.0671)
    {
        qvVec3f *a = PointsOf(keyed, time, qv_layersAll, NULL), *b = PointsOf(take, time, qv_layersAll, NULL);
        bool isJumping = time > 0.78 && time < 0.85;
        held = 0;
        for (int i = 0; i < n; i++)
        {
            if (body->rest[i].y >= 1.7f && !isJumping)
                assert_memory_equal(&a[i], &b[i], sizeof(a[i])), held++;
            hung = fmax(hung, a[i].y - b[i].y);
        }
        free(a);
        free(b);
    }
    assert_true(held > 0 && hung > 0.05);
    // While they jump they are on their way.
    qvVec3f *before = PointsOf(take, 0.79, qv_layersAll, NULL), *after = PointsOf(take, 0.82, qv_layersAll, NULL);
    qvVec3f* between = PointsOf(take, 0.1 + 42.5 / 60.0, qv_layersAll, NULL);
    for (int i = 0; i < n; i++)
    {
        if (body->rest[i].y < 1.7f)
            continue;
        assert_true(after[i].z - before[i].z > 0.48f);
        assert_true(between[i].z - before[i].z < 0.48f && between[i].z - before[i].z > 0.02f);
    }
    free(before);
    free(between);
    free(after);
    assert_true(MiddleOf(take, 1.49, &lowest) > MiddleOf(loose, 1.49, &lowest) + 0.5); // let go, it falls
    qvReleaseTake(keyed);
    qvReleaseTake(take);
    qvReleaseTake(loose);
}

static void ObstaclesAndFollowingCount(void** state)
{
    (void)state;
#define TABLE "\"obstacles\": [{\"shape\": \"box\", \"size\": [6, 0.4, 6], \"at\": [0, 0.2, 0]}], "
    double lowest;
    qvTake *on = SolveAlone(SCENE(FEW_MODES ", " TABLE BLOCK_ABOVE POINTS(""))),
           *held = SolveAlone(DROP(", \"follow\": 1"));
    qvTake* none = SolveAlone(SCENE(FEW_MODES ", \"ground\": {\"on\": false}, " BLOCK_ABOVE POINTS("")));
    MustAdvance(on, INFINITY);
    MustAdvance(held, INFINITY);
    MustAdvance(none, INFINITY);
    MiddleOf(on, 2.9, &lowest);
    assert_true(lowest > 0.35 && lowest < 0.5); // on the table
    ASSERT_NEAR(MiddleOf(held, 2.9, &lowest), 1.5, 0.1);
    assert_true(MiddleOf(none, 2.9, &lowest) < -20.0); // nothing stops it
    qvReleaseTake(on);
    qvReleaseTake(held);
    qvReleaseTake(none);
}

static void OpenBodiesAreRefused(void** state)
{
    (void)state;
    AssertRefused("{\"quaver\": 1, \"mesh\": {\"primitive\": \"sheet\", \"resolution\": 5}, " FEW_MODES ", "
                  "\"keys\": [{\"time\": 0}], " POINTS(", \"until\": 0.5") "}",
                  "simulation \"s1\" at 0.25 s");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(PhysicsTakesOverForItsSpan),
        cmocka_unit_test(DamagedFramesAreNotShown),
        cmocka_unit_test(BakesWaitForAllOfIt),
        cmocka_unit_test(EditsAboveLeaveItsStepsAlone),
        cmocka_unit_test(StepsOutliveTheProgram),
        cmocka_unit_test(WavesTravelOnTheSimulatedBody),
        cmocka_unit_test(UnknownEnginesAreKeptAndLeftOut),
        cmocka_unit_test(BadSpansAreRefused),
        cmocka_unit_test(BadSpansLoseNothing),
        cmocka_unit_test(SpansFollowEachOther),
        cmocka_unit_test(LoopsCloseAfterAnEarlyEnd),
        cmocka_unit_test(WorkersSimulateOn),
        cmocka_unit_test(BodiesOfPointsFallAndStayOnTheGround),
        cmocka_unit_test(BodiesOfPointsBeginOnTheKeyedPose),
        cmocka_unit_test(BodiesOfPointsAreTheSameForAnyThreads),
        cmocka_unit_test(BodiesOfPointsGoOnInTheNextSpan),
        cmocka_unit_test(PinsHoldBodiesOfPoints),
        cmocka_unit_test(ObstaclesAndFollowingCount),
        cmocka_unit_test(OpenBodiesAreRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
