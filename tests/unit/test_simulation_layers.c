// SPDX-License-Identifier: GPL-3.0-or-later
// What lies below and above simulations: wave keys that they take over from, and waves, secondary motion and further
// simulations that come in with their steps.
#include "scene_testing.h"

#include "scene/pipeline.h"
#include "swarm_engine.h"

#include <dirent.h>
#include <sys/stat.h>
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
    QV_ENGINE(swarmEngine)
#undef QV_ENGINE
        NULL,
};

#define SPRINGS(more) "{\"engine\": \"swarm\", \"time\": 0.3, \"until\": 0.9, \"wobble\": 2" more "}"
#define DANCING(more) SCENE(FEW_MODES ", \"range\": [0, 2], " more ", \"keys\": [" DANCE_KEYS "]")
#define BLOW(time)                                                                                                 \
    "{\"time\": " #time ", \"load\": \"impulse\", \"shape\": \"grab\", \"at\": [0, 1, 0], \"drag\": [0.2, 0, 0], " \
    "\"radius\": 0.5}"
#define STRUCK \
    DANCING("\"events\": [" BLOW(0.1) ", " BLOW(0.6) "], \"keep_keys\": false, \"simulations\": [" SPRINGS("") "]")

#define ONCE_STRUCK DANCING("\"events\": [" BLOW(0.1) "], \"keep_keys\": false, \"simulations\": [" SPRINGS("") "]")

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

static qvTake* MustSolveKnown(qvPipeline* pipeline, const char* text)
{
    const qvScene* scene = MustParse(text);
    qvTake* take;
    qvError error;
    ASSERT_OK(qvPipeline_SolveKnown(pipeline, scene, ".", NULL, &take, &error), error);
    qvReleaseScene(scene);
    return take;
}

static void AssertSame(const qvTake* a, const qvTake* b, double from, double until)
{
    for (double time = from; time < until - 1e-9; time += 0.04)
        ASSERT_NEAR(Apart(a, b, time), 0.0, 0.0);
}

// Until a wave starts beyond what is known, everything is there; when more is known the rest is, too, and no step is
// taken twice.
static void WavesComeInWithTheSteps(void** state)
{
    (void)state;
    qvTake* whole = SolveAlone(STRUCK);
    MustAdvance(whole, INFINITY);
    qvPipeline* pipeline = MustPipeline();
    qvTake* first = MustSolveKnown(pipeline, STRUCK);
    ASSERT_NEAR(qvTake_ValidUntil(first), 0.3, 0.0);
    AssertSame(first, whole, 0.0, 0.3);
    MustAdvance(first, 0.75);
    ASSERT_NEAR(qvTake_ValidUntil(first), 0.6, 0.0); // the second blow is not there
    AssertSame(first, whole, 0.0, 0.6);
    assert_true(Apart(first, whole, 0.7) > 0.01);
    qvTake* calm = SolveAlone(ONCE_STRUCK);
    MustAdvance(calm, INFINITY);
    AssertSame(first, calm, 0.0, 0.75);
    qvReleaseTake(calm);
    qvTake* second = MustSolveKnown(pipeline, STRUCK);
    ASSERT_NEAR(qvTake_ValidUntil(second), 0.75, 1e-9);
    AssertSame(second, whole, 0.0, 0.75);
    MustAdvance(second, INFINITY);
    assert_true(isinf(qvTake_ValidUntil(second)));
    AssertSame(second, whole, 0.0, 2.0);
    qvReleaseTake(first);
    qvReleaseTake(second);
    qvReleaseTake(whole);
    qvDestroyPipeline(pipeline);
}

// Also when the pipeline has gone by then.
static void TakesAreCompleted(void** state)
{
    (void)state;
    qvTake* whole = SolveAlone(STRUCK);
    MustAdvance(whole, INFINITY);
    qvPipeline* pipeline = MustPipeline();
    qvTake* part = MustSolveKnown(pipeline, STRUCK);
    qvDestroyPipeline(pipeline);
    const qvTake* complete;
    qvError error;
    ASSERT_OK(qvTake_Complete(part, NULL, &complete, &error), error);
    assert_true(isinf(qvTake_ValidUntil(complete)));
    AssertSame(complete, whole, 0.0, 2.0);
    qvReleaseTake(part);
    const qvTake* same;
    ASSERT_OK(qvTake_Complete(complete, NULL, &same, &error), error);
    assert_ptr_equal(same, complete); // it lacks nothing
    qvReleaseTake(same);
    qvReleaseTake(complete);
    qvReleaseTake(whole);
}

// What answers the motion answers that which is known, and nothing where it is not.
static void SecondaryMotionComesInWithTheSteps(void** state)
{
    (void)state;
#define ANSWERED \
    DANCING(     \
        "\"secondary\": {\"enabled\": true, \"max\": 1000}, \"keep_keys\": false, \"simulations\": [" SPRINGS("") "]")
    qvTake* whole = SolveAlone(ANSWERED);
    MustAdvance(whole, INFINITY);
    qvPipeline* pipeline = MustPipeline();
    qvTake* part = MustSolveKnown(pipeline, ANSWERED);
    MustAdvance(part, 0.7);
    ASSERT_NEAR(qvTake_ValidUntil(part), 0.3, 0.0);
    AssertSame(part, whole, 0.0, 0.27); // a sample looks ahead by half its length
    qvTake* more = MustSolveKnown(pipeline, ANSWERED);
    ASSERT_NEAR(qvTake_ValidUntil(more), 0.7, 1e-9);
    AssertSame(more, whole, 0.0, 0.67);
    assert_true(qvTake_GeneratedCount(more) > 0);
    for (int i = 0; i < qvTake_GeneratedCount(more); i++)
        assert_true(qvTake_GeneratedEvent(more, i)->def.time < 0.7);
    assert_true(Apart(part, more, 0.67) > 1e-3);
    qvReleaseTake(part);
    qvReleaseTake(more);
    qvReleaseTake(whole);
    qvDestroyPipeline(pipeline);
}

// What is measured of a seam before all steps are there is not taken for that of the whole, by the same take or by the
// next one with the same keys.
static void SeamsAreThoseOfTheWhole(void** state)
{
    (void)state;
#define LOOPING                                                                                                 \
    SCENE(FEW_MODES                                                                                             \
          ", \"loop\": true, \"range\": [0, 2], \"secondary\": {\"enabled\": true, \"max\": 1000}, "            \
          "\"keep_keys\": false, \"simulations\": [" SPRINGS(                                                   \
              "") "], \"keys\": [{\"time\": 0, "                                                                \
                  "\"interp\": \"linear\"}, {\"time\": 0.8, \"interp\": \"linear\", \"strokes\": [{\"brush\": " \
                  "\"grab\", \"at\": [0, 1.9, 0], \"drag\": [0.4, 0, 0], \"radius\": 0.6}]}]")
    qvTake* whole = SolveAlone(LOOPING);
    MustAdvance(whole, INFINITY);
    double wanted = qvTake_Seam(whole).velocity;
    qvPipeline* pipeline = MustPipeline();
    qvTake* part = MustSolveKnown(pipeline, LOOPING);
    assert_true(qvTake_Seam(part).velocity != wanted);
    MustAdvance(part, INFINITY);
    qvTake* more = MustSolveKnown(pipeline, LOOPING);
    assert_true(isinf(qvTake_ValidUntil(more)));
    assert_true(qvTake_Seam(more).velocity == wanted);
    qvReleaseTake(part);
    qvReleaseTake(more);
    qvReleaseTake(whole);
    qvDestroyPipeline(pipeline);
}

// A simulation that begins on another one waits for its end.
static void SpansComeInOneAfterTheOther(void** state)
{
    (void)state;
#define TWICE                                                                                \
    DANCING("\"events\": [" BLOW(0.1) "], \"keep_keys\": false, \"simulations\": [" SPRINGS( \
        "") ", {\"engine\": "                                                                \
            "\"swarm\", \"time\": 1.3, \"until\": 1.5}]")
    qvTake* whole = SolveAlone(TWICE);
    MustAdvance(whole, INFINITY);
    qvPipeline* pipeline = MustPipeline();
    qvTake* first = MustSolveKnown(pipeline, TWICE);
    ASSERT_NEAR(qvTake_ValidUntil(first), 0.3, 0.0);
    MustAdvance(first, INFINITY);
    ASSERT_NEAR(qvTake_ValidUntil(first), 1.3, 0.0);
    AssertSame(first, whole, 0.0, 1.3);
    assert_true(Apart(first, whole, 1.45) > 0.01);
    qvTake* second = MustSolveKnown(pipeline, TWICE);
    ASSERT_NEAR(qvTake_ValidUntil(second), 1.3, 0.0);
    MustAdvance(second, INFINITY);
    AssertSame(second, whole, 0.0, 2.0);
    qvReleaseTake(first);
    qvReleaseTake(second);
    qvReleaseTake(whole);
    qvDestroyPipeline(pipeline);
}

static const qvTake* AwaitTake(qvWorker* worker)
{
    const qvTake* take = NULL;
    while ((take = qvWorker_Collect(worker)) == NULL)
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    return take;
}

// Half an hour of simulation below a wave hides nothing.
static void WorkersHandOutAtOnce(void** state)
{
    (void)state;
    const qvScene* scene = MustParse(SCENE(FEW_MODES ", \"range\": [0, 2000], \"events\": [" BLOW(0.1) ", " BLOW(
        1999) "], \"simulations\": [{\"engine\": \"swarm\", \"time\": 0.3, \"until\": 1990}], \"keys\": [" DANCE_KEYS
              "]"));
    qvWorker* worker;
    qvError error;
    ASSERT_OK(qvCreateWorker(NULL, &worker, &error), error);
    qvWorker_Post(worker, scene, ".");
    const qvTake* take = AwaitTake(worker);
    assert_true(qvTake_ValidUntil(take) < 1990.0);
    assert_true(qvTake_HasWaves(take));
    qvReleaseTake(take);
    qvDestroyWorker(worker);
    qvReleaseScene(scene);
}

// In the end what a worker hands out lacks nothing.
static void WorkersCompleteTakes(void** state)
{
    (void)state;
    qvTake* whole = SolveAlone(STRUCK);
    MustAdvance(whole, INFINITY);
    const qvScene* scene = MustParse(STRUCK);
    qvWorker* worker;
    qvError error;
    ASSERT_OK(qvCreateWorker(NULL, &worker, &error), error);
    qvWorker_Post(worker, scene, ".");
    const qvTake* last = AwaitTake(worker);
    while (isfinite(qvTake_ValidUntil(last)))
    {
        const qvTake* next = qvWorker_Collect(worker);
        if (next != NULL)
            qvReleaseTake(last);
        last = next != NULL ? next : last;
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    }
    AssertSame(last, whole, 0.0, 2.0);
    assert_false(qvWorker_CollectError(worker, &error));
    qvReleaseTake(last);
    qvReleaseTake(whole);
    qvDestroyWorker(worker);
    qvReleaseScene(scene);
}

// --- Wave keys -----------------------------------------------------------------------------------------------------

#define WAVING(more)                                                                                              \
    SCENE(FEW_MODES ", \"range\": [0, 2]" more ", \"keys\": [{\"id\": \"a\", \"time\": 0}, {\"id\": \"b\", "      \
                    "\"time\": 0.2, \"interp\": \"wave\", \"base\": {\"key\": \"a\"}, \"strokes\": [{\"brush\": " \
                    "\"grab\", \"at\": [0, 1.9, 0], \"drag\": [0.4, 0, 0.1], \"radius\": 0.6}]}]")

static qvVec3 PointAt(const qvTake* take, int point, double time)
{
    qvVec3f* points = PointsOf(take, time, qv_layersAll, NULL);
    qvVec3 at = qvVec3_FromFloat(points[point]);
    free(points);
    return at;
}

static int HighestPoint(const qvTake* take)
{
    const qvBody* body = qvTake_Body(take);
    int highest = 0;
    for (int i = 1; i < body->mesh->pointCount; i++)
        highest = body->rest[i].y > body->rest[highest].y ? i : highest;
    return highest;
}

// A simulation takes over what a wave key's change has done by then, position and velocity, and adds nothing of it
// later; afterwards the body is back on the waving motion.
static void SimulationsTakeOverFromWaveKeys(void** state)
{
    (void)state;
    const double start = 0.3, step = 1e-3;
    qvTake *waving = SolveAlone(WAVING("")),
           *take = SolveAlone(WAVING(", \"simulations\": [" SPRINGS(", \"settle\": 3, \"gravity\": [0, 0, 0]") "]"));
    MustAdvance(take, INFINITY);
    int top = HighestPoint(take);
    qvVec3 x = PointAt(waving, top, start), pose = PointAt(waving, top, 1.9);
    qvVec3 v = qvScale(0.5 / step, qvSub(PointAt(waving, top, start + step), PointAt(waving, top, start - step)));
    assert_true(qvDistance(x, pose) > 0.05); // the change is still under way
    const qvScene* scene = qvTake_Scene(take);
    qvSimulationDef def = qvSceneSimulation_Resolve(scene->simulations[0], scene);
    qvVec3 rest = qvVec3_FromFloat(qvTake_Body(take)->rest[top]);
    for (double since = 0.0; since < 0.6; since += 0.07)
    {
        qvVec3 wanted = Swarm_Position(&def, rest, x, v, since);
        ASSERT_NEAR(qvDistance(PointAt(take, top, start + since), wanted), 0.0, 2e-4);
    }
    AssertSame(take, waving, 0.0, 0.28);
    for (double time = 1.3; time < 2.0; time += 0.1)
        ASSERT_NEAR(Apart(take, waving, time), 0.0, 1e-6);
    qvReleaseTake(waving);
    qvReleaseTake(take);
}

// A ripple is above the simulation: editing it does not start that again.
static void RipplesLeaveStepsAlone(void** state)
{
    (void)state;
#define RIPPLING(amount)                                                                                    \
    SCENE(FEW_MODES ", \"range\": [0, 2], \"simulations\": [" SPRINGS(                                      \
        "") "], \"keys\": [{\"id\": \"a\", "                                                                \
            "\"time\": 0}, {\"id\": \"b\", \"time\": 0.2, \"interp\": \"wave\", \"strokes\": [{\"brush\": " \
            "\"grab\", \"at\": [0, 1.9, 0], \"drag\": [0.4, 0, 0], \"radius\": 0.6}]}, {\"id\": \"c\", "    \
            "\"time\": 1.5, \"wave\": {\"kind\": \"ripple\", \"amount\": " amount "}, \"strokes\": ["       \
            "{\"brush\": \"grab\", \"at\": [0, 1.9, 0], \"drag\": [0, 0.1, 0], \"radius\": 0.6}]}]")
    qvPipeline* pipeline = MustPipeline();
    qvTake* first = MustSolveKnown(pipeline, RIPPLING("1"));
    MustAdvance(first, 0.7);
    qvTake* louder = MustSolveKnown(pipeline, RIPPLING("2"));
    ASSERT_NEAR(qvTake_ValidUntil(louder), 0.7, 1e-9);
    MustAdvance(louder, INFINITY);
    const qvTake *whole, *quiet;
    qvError error;
    ASSERT_OK(qvTake_Complete(louder, NULL, &whole, &error), error);
    ASSERT_OK(qvTake_Complete(first, NULL, &quiet, &error), error);
    ASSERT_NEAR(Apart(whole, quiet, 1.45), 0.0, 0.0);
    assert_true(Apart(whole, quiet, 1.6) > 1e-3);
    qvReleaseTake(whole);
    qvReleaseTake(quiet);
    qvReleaseTake(louder);
    qvReleaseTake(first);
    qvDestroyPipeline(pipeline);
}

// --- What two simulations have in common -----------------------------------------------------------------------------

// A cache folder of its own.
typedef struct Folder
{
    char path[512], files[600];
} Folder;

static Folder MakeFolder(void)
{
    Folder folder;
    char name[64];
    snprintf(name, sizeof(name), "simulation_layers_%ld", (long)getpid());
    OutputPath(folder.path, sizeof(folder.path), name);
    snprintf(folder.files, sizeof(folder.files), "%s/modes-1", folder.path);
    return folder;
}

// Bytes of its files. Removes them if asked to.
static double Empty(const Folder* folder, bool removes)
{
    double bytes = 0.0;
    struct stat about;
    DIR* list = opendir(folder->files);
    for (const struct dirent* item; list != NULL && (item = readdir(list)) != NULL;)
    {
        bool isFile = fstatat(dirfd(list), item->d_name, &about, 0) == 0 && S_ISREG(about.st_mode);
        bytes += isFile ? 512.0 * (double)about.st_blocks : 0.0;
        if (isFile && removes)
            unlinkat(dirfd(list), item->d_name, 0);
    }
    if (list != NULL)
        closedir(list);
    if (removes)
        rmdir(folder->files), rmdir(folder->path);
    return bytes;
}

// A take of a program of its own, with all of its simulations if asked for.
static qvTake* SolveIn(const Folder* folder, size_t limit, const char* text, bool completes)
{
    qvPipelineDef def = qvDefaultPipelineDef();
    def.cacheFolder = folder->path;
    def.cacheLimit = limit > 0 ? limit : def.cacheLimit;
    qvPipeline* pipeline;
    qvError error;
    ASSERT_OK(qvCreatePipeline(&def, &pipeline, &error), error);
    qvTake* take = MustSolveKnown(pipeline, text);
    qvDestroyPipeline(pipeline);
    if (completes)
        MustAdvance(take, INFINITY);
    return take;
}

// After one scene the other finds its frames until a time, and no others; it is what it would be without them.
static void AssertShared(const char* first, const char* second, double until)
{
    Folder folder = MakeFolder();
    qvTake *one = SolveIn(&folder, 0, first, true), *straight = SolveAlone(second);
    qvReleaseTake(one);
    qvTake* other = SolveIn(&folder, 0, second, false);
    ASSERT_NEAR(qvTake_ValidUntil(other), until, 2.1 / 120.0);
    MustAdvance(straight, INFINITY);
    MustAdvance(other, INFINITY);
    AssertSame(straight, other, 0.0, 2.0);
    qvReleaseTake(other);
    qvReleaseTake(straight);
    Empty(&folder, true);
}

#define LASTING(until) DANCING("\"simulations\": [{\"engine\": \"swarm\", \"time\": 0.3, \"until\": " until "}]")

static bool Never(void* context, const char* stage, double fraction)
{
    (void)context, (void)stage;
    return fraction < 0.0;
}

// A longer span goes on where the shorter one ended; a shorter one has all of its frames.
static void LengthsShareFrames(void** state)
{
    (void)state;
    AssertShared(LASTING("0.9"), LASTING("1.5"), 0.9);
    Folder folder = MakeFolder();
    qvTake* one = SolveIn(&folder, 0, LASTING("1.5"), true);
    qvTake* other = SolveIn(&folder, 0, LASTING("0.8"), false);
    qvError error;
    ASSERT_OK(qvTake_Advance(other, INFINITY, &(qvJob){ .progress = Never }, &error), error);
    qvTake* straight = SolveAlone(LASTING("0.8"));
    MustAdvance(straight, INFINITY);
    AssertSame(straight, other, 0.0, 2.0);
    qvReleaseTake(straight);
    qvReleaseTake(other);
    qvReleaseTake(one);
    Empty(&folder, true);
}

#define BODY(engine, more)                                                                                         \
    SCENE(FEW_MODES ", \"range\": [0, 2], \"keys\": [{\"time\": 0, \"transform\": {\"translate\": [0, 0.5, 0]}}, " \
                    "{\"time\": 1.5, \"transform\": {\"translate\": [0.3, 0.5, 0]}}], \"simulations\": "           \
                    "[{\"engine\": \"" engine                                                                      \
                    "\", \"time\": 0.25, \"until\": 1.2, \"detail\": 120, \"wobble\": 4" more)
#define CURVED(more)          BODY("points", ", " more "}]")
#define PINNED(engine, times) BODY(engine, "}], \"pins\": [{\"box\": [[-2, 1.7, -2], [2, 3, 2]]" times "}]")

static void CurvesShareWhatIsBefore(void** state)
{
    (void)state;
    AssertShared(CURVED("\"melt\": [[0, 0], [0.3, 0.1], [0.6, 0.5]]"),
                 CURVED("\"melt\": [[0, 0], [0.3, 0.1], [0.6, 0.9], [0.8, 0]]"), 0.55);
    // A number goes on as a curve that begins with it; what changes first decides.
    AssertShared(CURVED("\"dent\": 0.5"), CURVED("\"dent\": [[0, 0.5], [0.4, 0.5], [0.7, 0.9]]"), 0.65);
    AssertShared(CURVED("\"dent\": [[0, 0.5], [0.2, 0.4]], \"melt\": [[0, 0], [0.5, 0.3]]"),
                 CURVED("\"dent\": [[0, 0.5], [0.2, 0.4], [0.3, 0.7]], \"melt\": [[0, 0], [0.5, 0.3]]"), 0.45);
    AssertShared(CURVED("\"melt\": [[0, 0], [0.6, 0.5]]"), CURVED("\"melt\": [[0, 0.01], [0.6, 0.5]]"), 0.25);
    // What never melts keeps less of its points than what will: they share nothing, and leave each other's frames
    // alone.
    AssertShared(CURVED("\"melt\": 0"), CURVED("\"melt\": [[0, 0], [0.5, 0], [0.8, 0.5]]"), 0.25);
    AssertShared(CURVED("\"dent\": [[0, 0], [0.5, 0], [0.8, 0.5]]"), CURVED("\"dent\": 0"), 0.25);
    // However a constant is written, the steps are the same.
    AssertShared(CURVED("\"dent\": 0.5"), CURVED("\"dent\": [[0, 0.5], [0.333, 0.5]]"), 1.2);
}

// Those of another engine are kept in the scene and change nothing, neither the motion nor what frames go by.
static void FieldsOfOtherEnginesAreLeftOut(void** state)
{
    (void)state;
    static const char others[] = BODY("surface", ", \"melt\": [[0, 0], [0.5, 1]], \"dent\": 0.7, \"flow\": true, "
                                                 "\"impacts\": 2}]");
    AssertShared(BODY("surface", "}]"), others, 1.2);
    AssertShared(
        BODY("points", "}]"),
        BODY("points", ", \"method\": \"history\", \"compression\": 8, \"joints\": [{\"a\": 0, \"b\": 99999}]}]"), 1.2);
    const qvScene* scene = MustParse(others);
    qvSimulationDef def = qvSceneSimulation_Resolve(scene->simulations[0], scene);
    assert_true(def.dent == 0.0 && def.meltCurve.count == 0 && !def.flow && def.impacts == 0.0);
    char* printed;
    qvError error;
    ASSERT_OK(qvPrintScene(scene, &printed, &error), error);
    const qvScene* again = MustParse(printed);
    assert_true(qvScene_Hash(scene) == qvScene_Hash(again));
    assert_true(again->simulations[0]->def.dent == 0.7 && again->simulations[0]->melt != NULL);
    qvFreeText(printed);
    qvReleaseScene(scene);
    qvReleaseScene(again);
}

// (A pin also shapes the keys of the segment in whose middle it holds.)
static void PinsShareWhatIsBefore(void** state)
{
    (void)state;
    AssertShared(PINNED("points", ", \"to\": 0.8"), PINNED("points", ", \"to\": 0.95"), 0.8);
    AssertShared(PINNED("surface", ", \"to\": 0.8"), PINNED("surface", ", \"to\": 0.95"), 0.8);
    AssertShared(PINNED("points", ", \"from\": 0.65"), PINNED("points", ", \"from\": 0.55"), 0.55);
    AssertShared(PINNED("surface", ", \"from\": 0.65"), PINNED("surface", ", \"from\": 0.55"), 0.55);
}

// All caches of a folder have one limit: what is old goes while new frames come in.
static void FramesMakeRoom(void** state)
{
    (void)state;
    Folder folder = MakeFolder();
    qvReleaseTake(SolveIn(&folder, 0, LASTING("1.1"), true));
    size_t limit = (size_t)(1.3 * Empty(&folder, false));
    assert_true(limit > 100000);
    qvReleaseTake(SolveIn(&folder, limit, DANCING("\"simulations\": [" SPRINGS(", \"settle\": 2") "]"), true));
    assert_true(Empty(&folder, false) <= (double)limit);
    qvTake* again = SolveIn(&folder, limit, LASTING("1.1"), false);
    ASSERT_NEAR(qvTake_ValidUntil(again), 0.3, 0.0); // it had to go
    MustAdvance(again, INFINITY);
    qvReleaseTake(again);
    Empty(&folder, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(WavesComeInWithTheSteps),
        cmocka_unit_test(TakesAreCompleted),
        cmocka_unit_test(SecondaryMotionComesInWithTheSteps),
        cmocka_unit_test(SeamsAreThoseOfTheWhole),
        cmocka_unit_test(SpansComeInOneAfterTheOther),
        cmocka_unit_test(WorkersHandOutAtOnce),
        cmocka_unit_test(WorkersCompleteTakes),
        cmocka_unit_test(SimulationsTakeOverFromWaveKeys),
        cmocka_unit_test(RipplesLeaveStepsAlone),
        cmocka_unit_test(LengthsShareFrames),
        cmocka_unit_test(CurvesShareWhatIsBefore),
        cmocka_unit_test(PinsShareWhatIsBefore),
        cmocka_unit_test(FieldsOfOtherEnginesAreLeftOut),
        cmocka_unit_test(FramesMakeRoom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
