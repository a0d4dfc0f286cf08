// SPDX-License-Identifier: GPL-3.0-or-later
// From scenes to takes: what runs when, and that the result depends on the scene alone.
#include "scene_testing.h"

#include "scene/pipeline.h"

typedef struct Counts
{
    int runs[qv_stageCount];
} Counts;

static Counts CountRuns(const qvPipeline* pipeline)
{
    Counts counts;
    for (int i = 0; i < qv_stageCount; i++)
        counts.runs[i] = qvPipeline_Runs(pipeline, (qvStage)i);
    return counts;
}

// Solves and checks how many results each of body, poses, space and motion had to make.
static void ExpectRuns(qvPipeline* pipeline, const char* text, int body, int poses, int space, int motion)
{
    Counts before = CountRuns(pipeline);
    qvReleaseTake(MustSolve(pipeline, text));
    Counts after = CountRuns(pipeline);
    assert_int_equal(after.runs[qv_stageBody] - before.runs[qv_stageBody], body);
    assert_int_equal(after.runs[qv_stagePoses] - before.runs[qv_stagePoses], poses);
    assert_int_equal(after.runs[qv_stageSpace] - before.runs[qv_stageSpace], space);
    assert_int_equal(after.runs[qv_stageMotion] - before.runs[qv_stageMotion], motion);
}

#define GRAB(x) "{\"brush\": \"grab\", \"at\": [0, 1.9, 0], \"drag\": [" #x ", 0, 0], \"radius\": 0.6}"
#define THREE(timeB, dragB, dragC)                                               \
    "\"keys\": [{\"id\": \"a\", \"time\": 0}, {\"id\": \"b\", \"time\": " #timeB \
    ", \"strokes\": [" GRAB(dragB) "]}, {\"id\": \"c\", \"time\": 1, \"strokes\": [" GRAB(dragC) "]}]"

static void EditsRedoWhatTheyTouch(void** state)
{
    (void)state;
    qvPipeline* pipeline = MustPipeline();
    const char* first = SCENE(FEW_MODES ", " THREE(0.5, 0.3, -0.3));
    ExpectRuns(pipeline, first, 1, 3, 1, 1);
    ExpectRuns(pipeline, first, 0, 0, 0, 0);
    // What nobody sees in the motion.
    ExpectRuns(pipeline,
               SCENE("\"name\": \"x\", \"fps\": 30, \"range\": [0, 3], " FEW_MODES ", " THREE(0.5, 0.3, -0.3)), 0, 0, 0,
               0);
    // A key in time, and its way of arriving; material.
    ExpectRuns(pipeline, SCENE(FEW_MODES ", " THREE(0.7, 0.3, -0.3)), 0, 0, 0, 1);
    ExpectRuns(pipeline, SCENE("\"material\": {\"modes\": 6, \"frequency\": 3}, " THREE(0.5, 0.3, -0.3)), 0, 0, 0, 1);
    ExpectRuns(pipeline, SCENE("\"loop\": true, \"range\": [0, 2], " FEW_MODES ", " THREE(0.5, 0.3, -0.3)), 0, 0, 0, 1);
    ExpectRuns(pipeline, SCENE("\"loop\": true, \"range\": [0, 3], " FEW_MODES ", " THREE(0.5, 0.3, -0.3)), 0, 0, 0, 1);
    // A stroke redoes its key alone.
    ExpectRuns(pipeline, SCENE(FEW_MODES ", " THREE(0.5, 0.3, -0.4)), 0, 1, 1, 1);
    // Undo finds everything.
    ExpectRuns(pipeline, first, 0, 0, 0, 0);
    // Another mesh: everything; another stiffness: all but the poses.
    ExpectRuns(pipeline, SCENE("\"material\": {\"modes\": 6, \"bend\": 2}, " THREE(0.5, 0.3, -0.3)), 0, 0, 1, 1);
    ExpectRuns(pipeline,
               "{\"quaver\": 1, \"mesh\": {\"primitive\": \"block\", \"resolution\": 4}, " FEW_MODES
               ", " THREE(0.5, 0.3, -0.3) "}",
               1, 3, 1, 1);
    qvDestroyPipeline(pipeline);
}

static void BaseKeysPassOnWhatChanges(void** state)
{
    (void)state;
    qvPipeline* pipeline = MustPipeline();
    qvReleaseTake(MustSolve(pipeline, DANCE));
    // Key c stands on key b: a new stroke of b redoes both, and starts from b as it was.
    Counts before = CountRuns(pipeline);
    qvTake* take = MustSolve(
        pipeline,
        SCENE(FEW_MODES
              ", \"keys\": [{\"id\": \"a\", \"time\": 0},"
              "{\"id\": \"b\", \"time\": 0.5, \"strokes\": ["
              "  {\"brush\": \"grab\", \"at\": [0, 1.9, 0], \"drag\": [0.4, 0, 0.1], \"radius\": 0.6},"
              "  {\"brush\": \"twist\", \"at\": [0, 1, 0], \"axis\": [0, 1, 0], \"angle\": 0.5, \"radius\": 0.8},"
              "  {\"brush\": \"grab\", \"at\": [0, 1.9, 0], \"drag\": [0, 0.2, 0], \"radius\": 0.5}]},"
              "{\"id\": \"c\", \"time\": 1.2, \"base\": {\"key\": \"b\"}, \"strokes\": ["
              "  {\"brush\": \"grab\", \"at\": [0, 1.9, 0], \"drag\": [-0.6, 0.1, 0], \"radius\": 0.6, \"scales\": "
              "2}]}]"));
    Counts after = CountRuns(pipeline);
    assert_int_equal(after.runs[qv_stagePoses] - before.runs[qv_stagePoses], 2);
    qvReleaseTake(take);
    qvDestroyPipeline(pipeline);
}

static void TakesHitTheirKeys(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(DANCE);
    const qvScene* scene = qvTake_Scene(take);
    const qvBody* body = qvTake_Body(take);
    int count = body->mesh->pointCount;
    qvVec3f* pose = calloc((size_t)count, sizeof(*pose));
    double moved = 0.0;
    for (int i = 0; i < scene->keyCount; i++)
    {
        qvError error;
        ASSERT_OK(qvComputePose(scene, body, scene->keys[i]->id, -1, NULL, pose, &error), error);
        qvVec3f* points = PointsOf(take, scene->keys[i]->time, qv_layersAll, NULL);
        assert_true(Farthest(points, pose, count) < 1e-6 * body->diagonal);
        assert_true(qvTake_KeyReport(take, i).error < 1e-6);
        moved = fmax(moved, Farthest(points, body->rest, count));
        free(points);
    }
    assert_true(moved > 0.3); // not all the same pose
    free(pose);
    qvReleaseTake(take);
}

static void TheOrderOfEditsDoesNotMatter(void** state)
{
    (void)state;
    const char* last = SCENE(FEW_MODES ", " THREE(0.4, 0.35, -0.25));
    qvTake* alone = SolveAlone(last);
    const char* ways[2][3] = {
        { SCENE(FEW_MODES ", " THREE(0.4, 0.1, 0.2)), SCENE(FEW_MODES ", " THREE(0.4, 0.35, 0.2)),
          SCENE(FEW_MODES ", " THREE(0.9, 0.35, -0.25)) },
        { SCENE(FEW_MODES ", " THREE(0.5, 0.1, -0.25)), SCENE("\"material\": {\"modes\": 5}, " THREE(0.4, 0.35, -0.25)),
          SCENE("\"loop\": true, \"range\": [0, 2], " FEW_MODES ", " THREE(0.4, 0.1, 0.3)) }
    };
    int count = qvTake_Body(alone)->mesh->pointCount;
    for (int way = 0; way < 2; way++)
    {
        qvPipeline* pipeline = MustPipeline();
        for (int i = 0; i < 3; i++)
            qvReleaseTake(MustSolve(pipeline, ways[way][i]));
        qvTake* take = MustSolve(pipeline, last);
        for (double time = -0.1; time < 1.5; time += 0.17)
        {
            qvVec3f *a = PointsOf(alone, time, qv_layersAll, NULL), *b = PointsOf(take, time, qv_layersAll, NULL);
            assert_true(Farthest(a, b, count) < 4e-7 * qvTake_Body(take)->diagonal); // a bit or two of a float
            free(a);
            free(b);
        }
        qvReleaseTake(take);
        qvDestroyPipeline(pipeline);
    }
    qvReleaseTake(alone);
}

static void KeysMayPassEachOther(void** state)
{
    (void)state;
    qvPipeline* pipeline = MustPipeline();
    qvReleaseTake(MustSolve(pipeline, SCENE(FEW_MODES ", " THREE(0.5, 0.3, -0.3))));
    Counts before = CountRuns(pipeline);
    qvTake* take = MustSolve(pipeline, SCENE(FEW_MODES ", " THREE(1.5, 0.3, -0.3)));
    Counts after = CountRuns(pipeline);
    assert_int_equal(after.runs[qv_stageSpace], before.runs[qv_stageSpace]);
    assert_int_equal(after.runs[qv_stageMotion], before.runs[qv_stageMotion] + 1);
    for (int i = 0; i < 3; i++)
        assert_true(qvTake_KeyReport(take, i).error < 1e-6);
    qvReleaseTake(take);
    qvDestroyPipeline(pipeline);
}

static void TakesOutliveTheirPipeline(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(DANCE);
    qvPool* pool;
    qvError error;
    ASSERT_OK(qvCreatePool(2, &pool, &error), error);
    int count = qvTake_Body(take)->mesh->pointCount;
    qvVec3f *a = PointsOf(take, 0.7, qv_layersAll, NULL), *b = PointsOf(take, 0.7, qv_layersAll, pool);
    assert_memory_equal(a, b, (size_t)count * sizeof(*a));
    qvVec3f* smooth = PointsOf(take, 0.7, qv_layersSmooth, NULL);
    assert_true(Farthest(a, smooth, count) > 1e-3);
    free(a);
    free(b);
    free(smooth);
    qvDestroyPool(pool);
    qvReleaseTake(take);
}

typedef struct PlainRun
{
    const qvTake* take;
    qvVec3f* points[4];
} PlainRun;

static void ShowPlain(void* context, int begin, int end)
{
    PlainRun* run = context;
    for (int i = begin; i < end; i++)
        run->points[i] = PointsOf(run->take, 0.7, qv_layersSmooth, NULL);
}

// The plain motion is made when it is asked for first, by whoever that is.
static void ThreadsMayAskForThePlainMotion(void** state)
{
    (void)state;
    PlainRun run = { .take = SolveAlone(DANCE) };
    qvPool* pool;
    qvError error;
    ASSERT_OK(qvCreatePool(4, &pool, &error), error);
    qvParallelFor(pool, 4, 1, ShowPlain, &run);
    qvVec3f* wiggly = PointsOf(run.take, 0.7, qv_layersMotion, pool);
    int count = qvTake_Body(run.take)->mesh->pointCount;
    assert_true(Farthest(run.points[0], wiggly, count) > 1e-3);
    free(wiggly);
    for (int i = 3; i >= 0; i--)
    {
        assert_memory_equal(run.points[i], run.points[0], (size_t)count * sizeof(qvVec3f));
        free(run.points[i]);
    }
    qvDestroyPool(pool);
    qvReleaseTake(run.take);
}

static void ArrivingDecidesTheWay(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(SCENE(FEW_MODES ", \"keys\": [{\"time\": 0}, {\"time\": 1, \"interp\": \"linear\", "
                                              "\"strokes\": [" GRAB(0.4) "]}, {\"time\": 2, \"interp\": \"hold\"}]"));
    int top = PointNear(qvTake_Body(take), qvMakeVec3(0.0, 2.0, 0.0));
    double x[5];
    const double times[5] = { 0.25, 0.5, 1.0, 1.9, 2.0 };
    for (int i = 0; i < 5; i++)
    {
        qvVec3f* points = PointsOf(take, times[i], qv_layersAll, NULL);
        x[i] = points[top].x;
        free(points);
    }
    ASSERT_NEAR(x[1], 0.5 * (x[2] + x[4]), 0.02 * fabs(x[2])); // turns a little on the way
    assert_true(x[2] > 0.2);
    ASSERT_NEAR(x[3], x[2], 1e-6);
    ASSERT_NEAR(x[4], qvTake_Body(take)->rest[top].x, 1e-6);
    qvReleaseTake(take);
}

static void TransformsMoveTheWholeBody(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(
        SCENE(FEW_MODES ", \"keys\": [{\"time\": 0, \"transform\": {\"translate\": [0, 0, 0]}},"
                        "{\"time\": 1, \"strokes\": [" GRAB(0.3) "], \"transform\": {\"translate\": [3, 0, 0], "
                                                                 "\"rotate\": [0, 1, 0, 0]}}]"));
    qvAffine frame = qvTake_KeyFrame(take, 1);
    ASSERT_NEAR(frame.offset.x, 3.0, 1e-12);
    ASSERT_NEAR(frame.linear[0][0], -1.0, 1e-12);
    assert_true(qvTake_KeyReport(take, 0).error < 1e-6);
    assert_true(qvTake_KeyReport(take, 1).error < 1e-6);
    qvVec3f* points = PointsOf(take, 1.0, qv_layersAll, NULL);
    assert_true(points[PointNear(qvTake_Body(take), qvMakeVec3(0.0, 0.0, 0.0))].x > 2.0);
    free(points);
    qvReleaseTake(take);
}

static void LoopsRepeat(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(SCENE("\"loop\": true, \"range\": [0, 2.1], " FEW_MODES ", \"keys\": [" DANCE_KEYS "]"));
    int count = qvTake_Body(take)->mesh->pointCount;
    qvVec3f *a = PointsOf(take, 0.0, qv_layersAll, NULL), *b = PointsOf(take, 2.1, qv_layersAll, NULL);
    assert_memory_equal(a, b, (size_t)count * sizeof(*a));
    qvVec3f *c = PointsOf(take, 0.3, qv_layersAll, NULL), *d = PointsOf(take, 0.3 + 4.2, qv_layersAll, NULL);
    assert_true(Farthest(c, d, count) < 1e-5);
    assert_true(Farthest(a, c, count) > 0.01);
    qvSeam seam = qvTake_Seam(take);
    assert_true(seam.position < 1e-9 && seam.velocity < 1e-6 && seam.acceleration < 1e-3);
    qvVec3f* all[] = { a, b, c, d };
    for (int i = 0; i < 4; i++)
        free(all[i]);
    qvReleaseTake(take);
}

// A key at the seam where the motion jumps.
static void SeamsAreMeasured(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(
        SCENE("\"loop\": true, \"range\": [0, 2], " FEW_MODES
              ", \"keys\": [{\"time\": 0, \"interp\": \"hold\"}, {\"time\": 1, \"strokes\": [" GRAB(0.3) "]}]"));
    assert_true(qvTake_Seam(take).position > 0.01);
    qvReleaseTake(take);
    take = SolveAlone(DANCE);
    assert_true(qvTake_Seam(take).position == 0.0);
    qvReleaseTake(take);
}

static bool Cancel(void* context, const char* stage, double fraction)
{
    (void)stage;
    (void)fraction;
    int* left = context;
    return (*left)-- > 0;
}

static void StopsOnRequest(void** state)
{
    (void)state;
    qvPipeline* pipeline = MustPipeline();
    const qvScene* scene = MustParse(DANCE);
    int stops = 0;
    for (int calls = 0; calls < 10000; calls += 1 + calls / 3)
    {
        int left = calls;
        qvJob job = { .progress = Cancel, .context = &left };
        qvError error;
        qvTake* take;
        qvResult result = qvPipeline_Solve(pipeline, scene, ".", &job, &take, &error);
        if (result == qv_ok)
        {
            assert_true(qvTake_KeyReport(take, 2).error < 1e-6);
            qvReleaseTake(take);
            break;
        }
        assert_int_equal(result, qv_cancelled);
        assert_null(take);
        stops++;
    }
    assert_true(stops > 5);
    qvReleaseScene(scene);
    qvDestroyPipeline(pipeline);
}

// --- Bad scenes ------------------------------------------------------------------------------------------------------

static void Refuses(const char* text, qvResult wanted, const char* part)
{
    qvPipeline* pipeline = MustPipeline();
    const qvScene* scene = MustParse(text);
    qvError error;
    qvTake* take;
    assert_int_equal(qvPipeline_Solve(pipeline, scene, QUAVER_TEST_DATA, NULL, &take, &error), wanted);
    assert_null(take);
    ASSERT_CONTAINS(error.message, part);
    qvReleaseScene(scene);
    qvDestroyPipeline(pipeline);
}

static void Count(void* object)
{
    ++*(int*)object;
}

static void AddResult(qvStageCache* cache, uint64_t hash, double bytes, uint64_t space, int* gone)
{
    qvError error;
    qvStaged* staged;
    ASSERT_OK(qvStageCache_Add(cache, &(qvStagedDef){ hash, gone, Count, bytes, space }, &staged, &error), error);
    qvReleaseStaged(staged);
}

// The oldest go when they are too many, or all but the newest too large together; the newest stays whatever it is. What
// holds on to a space goes with it.
static void LargeResultsAreFew(void** state)
{
    (void)state;
    qvStageCache spaces, motions;
    qvStageCache_Init(&spaces, 3, 80.0);
    qvStageCache_Init(&motions, 8, INFINITY);
    int gone = 0, left = 0;
    AddResult(&spaces, 1, 60.0, 0, &gone);
    AddResult(&spaces, 2, 30.0, 0, &gone);
    assert_int_equal(gone, 0);
    AddResult(&motions, 11, 0.0, 1, &left);
    AddResult(&motions, 12, 0.0, 2, &left);
    AddResult(&motions, 13, 0.0, 0, &left);
    AddResult(&spaces, 3, 50.0, 0, &gone);
    assert_int_equal(gone, 1);
    qvStageCache_FollowSpaces(&motions, &spaces);
    assert_int_equal(left, 1);
    assert_null(qvStageCache_Find(&motions, 11));
    AddResult(&spaces, 4, 1.0, 0, &gone);
    assert_int_equal(gone, 1);
    AddResult(&spaces, 5, 1.0, 0, &gone);
    assert_int_equal(gone, 2);
    AddResult(&spaces, 6, 500.0, 0, &gone);
    assert_int_equal(spaces.count, 3);
    AddResult(&spaces, 7, 500.0, 0, &gone);
    assert_int_equal(spaces.count, 1);
    qvStageCache_FollowSpaces(&motions, &spaces);
    assert_int_equal(left, 2);
    // One that got smaller may stay.
    qvStaged* large = qvStageCache_Find(&spaces, 7);
    qvStageCache_SetBytes(&spaces, large, 80.0);
    qvReleaseStaged(large);
    AddResult(&spaces, 8, 500.0, 0, &gone);
    assert_int_equal(spaces.count, 2);
    qvStageCache_Free(&spaces);
    qvStageCache_Free(&motions);
    assert_int_equal(gone, 8);
    assert_int_equal(left, 3);
}

#define LIFTED "{\"brush\": \"grab\", \"at\": [0, 1.9, 0], \"drag\": [0.1, 0, 0], \"radius\": 0.6}"

static void BadScenesSayWhatIsWrong(void** state)
{
    (void)state;
    Refuses("{\"quaver\": 1, \"mesh\": {\"file\": \"none.obj\"}, \"keys\": [{\"time\": 0}]}", qv_notFound, "none.obj");
    Refuses(SCENE("\"pins\": [{\"vertices\": [0, 100000]}], \"keys\": [{\"time\": 0}]"), qv_badInput,
            "pins[0].vertices[1]: there is no vertex 100000");
    Refuses(SCENE("\"keys\": [{\"time\": 0, \"only\": {\"vertices\": [9999]}}]"), qv_badInput,
            "key \"k1\" at 0 s: only.vertices[0]");
    Refuses(SCENE("\"keys\": [{\"time\": 0, \"base\": {\"offsets\": \"AAAAAAAAAAAAAAAA\"}}]"), qv_badInput,
            "key \"k1\" at 0 s: base.offsets: made for 1 vertices");
    Refuses(SCENE("\"weights\": \"AAAAAA==\", \"keys\": [{\"time\": 0}]"), qv_badInput, "weights: made for 1 vertices");
    Refuses(SCENE("\"loop\": true, \"range\": [0, 1], \"keys\": [{\"time\": -0.5}]"), qv_badInput,
            "key \"k1\" at -0.5 s is not inside the loop");
    const char* const soft = SCENE("\"pins\": [{\"vertices\": [0, 1], \"from\": 1}], \"keys\": [{\"time\": 0}, "
                                   "{\"time\": 1, \"weight\": 3, \"strokes\": [" LIFTED "]}, {\"time\": 2}]");
    Refuses(soft, qv_badInput, "key \"k2\" at 1 s: weight: pins come or go at this key");
    const char* const partial = SCENE("\"pins\": [{\"vertices\": [0, 1], \"from\": 1}], \"keys\": [{\"time\": 0}, "
                                      "{\"time\": 1, \"only\": {\"vertices\": [9]}}, {\"time\": 2}]");
    Refuses(partial, qv_badInput, "key \"k2\" at 1 s: only: pins come or go at this key");
}

// What caches know the motion by of a scene in which one field has a value, between two parts of the text.
static uint64_t SolvesWith(qvPipeline* pipeline, const char* head, const char* tail, const qvField* field, double value)
{
    char pair[160], text[800], tag[64];
    snprintf(tag, sizeof(tag), "%s", field->tag);
    char* dot = strchr(tag, '.');
    if (dot == NULL)
        snprintf(pair, sizeof(pair), "\"%s\": %.17g", tag, value);
    else
        *dot = 0, snprintf(pair, sizeof(pair), "\"%s\": {\"%s\": %.17g}", tag, dot + 1, value);
    snprintf(text, sizeof(text),
             "{\"quaver\": 1, \"mesh\": {\"primitive\": \"block\", \"resolution\": 1}, \"range\": [0, 1], %s%s%s", head,
             pair, tail);
    const qvScene* scene = MustParse(text);
    qvError error;
    qvTake* take;
    if (qvPipeline_Solve(pipeline, scene, QUAVER_TEST_DATA, NULL, &take, &error) != qv_ok)
        fail_msg("%s = %g: %s", field->tag, value, error.message);
    uint64_t hash = take->layers.count > 0 ? take->layers.items[take->layers.count - 1]->hash : 0;
    qvReleaseTake(take);
    qvReleaseScene(scene);
    return hash;
}

#define FALLING "\"simulations\": [{\"engine\": \"points\", \"time\": 0, \"until\": 0.2"

// Pictures and files alone go by these, waves of keys by theirs, and engines leave out what is another's.
static bool IsOfTheMotion(qvObjectKind kind, const qvField* field)
{
    static const char* const others[] = { "fps", "camera.", "wave.", "compression", "pieces" };
    bool isOther = false;
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        isOther = isOther || strncmp(field->tag, others[i], strlen(others[i])) == 0;
    return kind == qv_objectStrip || !isOther;
}

// What a scene may say, the solver takes: no field ends in an error that speaks of another range. And nothing that the
// motion depends on is left out of what caches know it by.
static void FieldsMayGoToTheirEnds(void** state)
{
    (void)state;
    static const struct
    {
        qvObjectKind kind;
        const char *head, *tail; // around the field
        const char* group;       // only fields whose tags begin so; NULL: all
    } kinds[] = {
        { qv_objectMaterial, "\"keys\": [{\"time\": 0}], \"material\": {", "}}", NULL },
        { qv_objectSecondary, "\"keys\": [{\"time\": 0}], \"secondary\": {\"enabled\": true, ", "}}", NULL },
        { qv_objectStrip, "\"keys\": [{\"time\": 0}], \"mixer\": [{\"mode\": 0, ", "}]}", NULL },
        { qv_objectEvent, "\"keys\": [{\"time\": 0}], \"events\": [{\"time\": 0, \"drag\": [0.1, 0, 0], ", "}]}",
          NULL },
        { qv_objectKey, "\"keys\": [{\"time\": 0}, {\"time\": 1, \"strokes\": [{\"brush\": \"grab\"}], ", "}]}", NULL },
        { qv_objectSimulation, FALLING ", ", "}]}", NULL },
        { qv_objectScene, FALLING "}], ", "}", "ground." },
        { qv_objectScene, "\"keys\": [{\"time\": 0}], \"events\": [{\"time\": 0, \"drag\": [0.1, 0, 0]}], ", "}",
          "unit" },
        { qv_objectScene, "\"keys\": [{\"time\": 0}], ", "}", "fps" },
        { qv_objectScene, "\"keys\": [{\"time\": 0}], ", "}", "camera." },
        { qv_objectObstacle, FALLING "}], \"obstacles\": [{\"shape\": \"sphere\", ", "}]}", NULL },
    };
    qvPipeline* pipeline = MustPipeline();
    for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
    {
        for (int i = 0; i < qvFieldCount(kinds[k].kind); i++)
        {
            const qvField* field = qvGetField(kinds[k].kind, i);
            bool number = field->type == qv_fieldNumber || field->type == qv_fieldInt;
            bool free = strcmp(field->tag, "time") != 0 && strcmp(field->tag, "until") != 0 &&
                        strcmp(field->tag, "vertex") != 0 && strcmp(field->tag, "mode") != 0;
            const char* group = kinds[k].group;
            bool isMeant = group == NULL || strncmp(field->tag, group, strlen(group)) == 0;
            if (!number || !free || !isMeant)
                continue;
            double low = field->minimum, high = field->maximum;
            if (strcmp(field->tag, "detail") == 0) // the other end would take more than a test should
                high = 2.0 * low;
            if (strcmp(field->tag, "unit") == 0) // beyond, speeds in units of the mesh are no speeds of waves
                low = 1e-5, high = 1e5;
            uint64_t a = SolvesWith(pipeline, kinds[k].head, kinds[k].tail, field, low);
            uint64_t b = SolvesWith(pipeline, kinds[k].head, kinds[k].tail, field, high);
            if ((a != b) != IsOfTheMotion(kinds[k].kind, field))
                fail_msg("%s: whether its motion is another is not what caches say", field->tag);
        }
    }
    qvDestroyPipeline(pipeline);
}

// Many small parts have many rigid modes, which rounding must not make elastic ones: the frequency would be theirs.
static void LoosePartsLeaveTheModes(void** state)
{
    (void)state;
    enum
    {
        SIDE = 8,
        LOOSE = 15
    };
    char path[512], text[1024];
    FILE* file = fopen(OutputPath(path, sizeof(path), "loose.obj"), "w");
    assert_non_null(file);
    for (int i = 0; i < SIDE * SIDE; i++)
        fprintf(file, "v %g %g %g\n", i / SIDE / 7.0, i % SIDE / 7.0, 0.1 * (i / SIDE) * (i % SIDE) / 49.0);
    for (int i = 0; i < LOOSE; i++)
    {
        double x = fmod(0.1 * i, 1.0), y = fmod(0.07 * i, 1.0);
        fprintf(file, "v %g %g 0.3\nv %g %g 0.3\nv %g %g 0.3\n", x, y, x + 0.02, y, x, y + 0.02);
    }
    for (int i = 0; i < SIDE - 1; i++)
    {
        for (int k = 1; k < SIDE; k++)
            fprintf(file, "f %d %d %d %d\n", i * SIDE + k, i * SIDE + k + 1, i * SIDE + k + SIDE + 1,
                    i * SIDE + k + SIDE);
    }
    for (int i = 0; i < LOOSE; i++)
        fprintf(file, "f %d %d %d\n", SIDE * SIDE + 3 * i + 1, SIDE * SIDE + 3 * i + 2, SIDE * SIDE + 3 * i + 3);
    fclose(file);
    snprintf(text, sizeof(text), "{\"quaver\": 1, \"mesh\": {\"file\": \"%s\"}, \"keys\": [{\"time\": 0}]}", path);
    qvTake* take = SolveAlone(text);
    assert_true(qvTake_ModeCount(take) >= 20);
    ASSERT_NEAR(qvTake_ModeFrequency(take, 0), 2.0, 1e-9);
    assert_true(qvTake_ModeFrequency(take, 1) > 2.2 && qvTake_ModeFrequency(take, 19) < 20.0);
    qvReleaseTake(take);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(LoosePartsLeaveTheModes),
        cmocka_unit_test(EditsRedoWhatTheyTouch),
        cmocka_unit_test(BaseKeysPassOnWhatChanges),
        cmocka_unit_test(TakesHitTheirKeys),
        cmocka_unit_test(TheOrderOfEditsDoesNotMatter),
        cmocka_unit_test(KeysMayPassEachOther),
        cmocka_unit_test(TakesOutliveTheirPipeline),
        cmocka_unit_test(ThreadsMayAskForThePlainMotion),
        cmocka_unit_test(ArrivingDecidesTheWay),
        cmocka_unit_test(TransformsMoveTheWholeBody),
        cmocka_unit_test(LoopsRepeat),
        cmocka_unit_test(SeamsAreMeasured),
        cmocka_unit_test(StopsOnRequest),
        cmocka_unit_test(BadScenesSayWhatIsWrong),
        cmocka_unit_test(LargeResultsAreFew),
        cmocka_unit_test(FieldsMayGoToTheirEnds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
