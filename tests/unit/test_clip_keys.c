// SPDX-License-Identifier: GPL-3.0-or-later
// Keys over a clip of the mesh's file: offsets from it, in the frames that its skin carries along.
#include "scene_testing.h"

#include "base/base64.h"
#include "quaver/document.h"
#include "scene/body.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MESH    "\"mesh\":{\"file\":\"" QUAVER_TEST_DATA "/glb/skin.glb\"},\"material\":{\"frequency\":2,\"modes\":4}"
#define GRAB         "\"strokes\":[{\"brush\":\"grab\",\"at\":[0,2,0],\"drag\":[0.2,0,0.1],\"radius\":0.8}]"
#define STILL        ",\"velocity\":{\"mode\":\"zero\"}"
#define SCENE2(keys) "{\"quaver\":2,\"range\":[0,1]," FILE_MESH ",\"keys\":[" keys "]}"

static qvTake* MustMove(const char* text)
{
    const qvScene* scene = MustParse(text);
    qvPipeline* pipeline = MustPipeline();
    qvError error;
    qvTake* take;
    ASSERT_OK(qvPipeline_Solve(pipeline, scene, ".", NULL, &take, &error), error);
    qvReleaseScene(scene);
    qvDestroyPipeline(pipeline);
    return take;
}

static int CountOf(const qvTake* take)
{
    return qvTake_Body(take)->mesh->pointCount;
}

// What a take adds to the clip at a time, below the skin: [pointCount], to be freed.
static qvVec3f* LocalOffsets(const qvTake* take, double time)
{
    const qvBody* body = qvTake_Body(take);
    const qvMesh* mesh = body->mesh;
    qvVec3f *points = PointsOf(take, time, qv_layersAll, NULL), *clip = calloc((size_t)mesh->pointCount, sizeof(*clip));
    qvVec3f* vertices = calloc((size_t)mesh->vertexCount, sizeof(*vertices));
    void *scratch = malloc(qvTake_ScratchSize(take)), *own = malloc(qvRig_ScratchSize(body->model->rig));
    qvTake_ClipPoints(take, time, scratch, clip);
    for (int v = 0; v < mesh->vertexCount; v++)
    {
        int p = mesh->vertexPoint[v];
        vertices[v] = (qvVec3f){ points[p].x - clip[p].x, points[p].y - clip[p].y, points[p].z - clip[p].z };
    }
    qvRig_ToBindSpace(body->model->rig, qvTake_Clip(take), qvTake_ClipTime(take, time), own, vertices, vertices);
    for (int p = 0; p < mesh->pointCount; p++)
        points[p] = vertices[mesh->pointVertex[p]];
    free(clip);
    free(vertices);
    free(scratch);
    free(own);
    return points;
}

static double Largest(const qvVec3f* vectors, int count)
{
    double largest = 0.0;
    for (int i = 0; i < count; i++)
        largest = fmax(largest, qvLength(qvVec3_FromFloat(vectors[i])));
    return largest;
}

// How far apart two takes are at a time.
static double Apart(const qvTake* a, const qvTake* b, double time)
{
    qvVec3f *pointsA = PointsOf(a, time, qv_layersAll, NULL), *pointsB = PointsOf(b, time, qv_layersAll, NULL);
    double apart = Farthest(pointsA, pointsB, CountOf(a));
    free(pointsA);
    free(pointsB);
    return apart;
}

// Keys that say nothing leave the clip as it is.
static void TestRestIsTheClip(void** state)
{
    (void)state;
    qvTake *clip = MustMove(SCENE2("")), *keyed = MustMove(SCENE2("{\"time\":0},{\"time\":0.75}"));
    assert_int_equal(qvTake_Clip(keyed), 0);
    for (int i = 0; i <= 8; i++)
        assert_true(Apart(clip, keyed, i / 8.0) < 2e-6);
    qvVec3f *first = PointsOf(clip, 0.0, qv_layersAll, NULL), *half = PointsOf(clip, 0.5, qv_layersAll, NULL);
    assert_true(Farthest(first, half, CountOf(clip)) > 0.1); // the clip moves
    free(first);
    free(half);
    qvReleaseTake(clip);
    qvReleaseTake(keyed);
}

// A key's strokes act where the clip has the body then; one key alone holds its offset in the skin's frames.
static void TestOffsetIsCarried(void** state)
{
    (void)state;
    qvTake* take = MustMove(SCENE2("{\"id\":\"a\",\"time\":0.5," GRAB STILL "}"));
    const qvScene* scene = qvTake_Scene(take);
    int count = CountOf(take);
    qvVec3f *pose = calloc((size_t)count, sizeof(*pose)), *on = calloc((size_t)count, sizeof(*on));
    qvError error;
    // The pose is the stroke on what the clip shows.
    void* scratch = malloc(qvTake_ScratchSize(take));
    qvTake_ClipPoints(take, 0.5, scratch, on);
    ASSERT_OK(qvApplyStroke(qvTake_Body(take), &scene->keys[0]->strokes.strokes[0]->stroke, NULL, NULL, on, &error),
              error);
    ASSERT_OK(qvComputePose(scene, qvTake_Body(take), scene->keys[0]->id, -1, NULL, pose, &error), error);
    assert_true(Farthest(pose, on, count) < 1e-6);
    qvVec3f* shown = PointsOf(take, 0.5, qv_layersAll, NULL);
    assert_true(Farthest(shown, on, count) < 1e-5);
    assert_true(qvTake_KeyReport(take, 0).error < 1e-5);
    qvVec3f* key = LocalOffsets(take, 0.5);
    assert_true(Largest(key, count) > 0.1);
    for (int i = 0; i <= 8; i++)
    {
        qvVec3f* local = LocalOffsets(take, i / 8.0);
        if (!(Farthest(local, key, count) < 1e-5))
            fail_msg("at %g s the offset is %g from the key's", i / 8.0, Farthest(local, key, count));
        free(local);
    }
    free(key);
    free(shown);
    free(pose);
    free(on);
    free(scratch);
    qvReleaseTake(take);
}

// A base that is another key copies its offset, at another time of the clip; offsets are in those frames too.
static void TestBases(void** state)
{
    (void)state;
    qvTake* take =
        MustMove(SCENE2("{\"id\":\"a\",\"time\":0," GRAB STILL "},{\"time\":1,\"base\":{\"key\":\"a\"}" STILL "}"));
    const qvScene* scene = qvTake_Scene(take);
    const qvBody* body = qvTake_Body(take);
    int count = CountOf(take);
    qvVec3f *first = LocalOffsets(take, 0.0), *last = LocalOffsets(take, 1.0);
    assert_true(Farthest(first, last, count) < 1e-5 && Largest(first, count) > 0.1);
    // A captured pose comes out as it was.
    qvVec3f* points = PointsOf(take, 0.75, qv_layersAll, NULL);
    qvVec3f* back = calloc((size_t)count, sizeof(*back));
    memcpy(back, points, (size_t)count * sizeof(*back));
    qvError error;
    ASSERT_OK(qvPose_OffClip(scene, body, 0.75, back, &error), error);
    assert_true(Farthest(back, points, count) > 0.05); // the clip is taken out
    qvVec3f* offsets = calloc((size_t)body->mesh->vertexCount, sizeof(*offsets));
    qvBody_Offsets(body, back, offsets);
    qvDocument* document;
    qvId added;
    ASSERT_OK(qvCreateDocument(scene, &document, &error), error);
    qvSceneKey like = qvDefaultSceneKey();
    like.time = 0.75;
    ASSERT_OK(qvDocument_AddKey(document, &like, &added, &error), error);
    ASSERT_OK(qvDocument_SetOffsets(document, added, offsets, body->mesh->vertexCount, &error), error);
    ASSERT_OK(qvComputePose(qvDocument_Scene(document), body, added, -1, NULL, back, &error), error);
    assert_true(Farthest(back, points, count) < 1e-5);
    qvCloseDocument(document);
    free(first);
    free(last);
    free(points);
    free(back);
    free(offsets);
    qvReleaseTake(take);
}

// The keys' transform moves all of it, the clip too.
static void TestTransform(void** state)
{
    (void)state;
    qvTake* plain = MustMove(SCENE2("{\"time\":0.5," GRAB STILL "}"));
    qvTake* moved = MustMove(SCENE2("{\"time\":0.5," GRAB STILL ",\"transform\":{\"translate\":[1,2,3],\"rotate\":"
                                    "[0,0.7071067811865476,0,0.7071067811865476]}}"));
    for (int i = 0; i <= 4; i++)
    {
        qvVec3f *a = PointsOf(plain, i / 4.0, qv_layersAll, NULL), *b = PointsOf(moved, i / 4.0, qv_layersAll, NULL);
        for (int p = 0; p < CountOf(plain); p++) // a quarter turn about y
            a[p] = (qvVec3f){ a[p].z + 1.0f, a[p].y + 2.0f, 3.0f - a[p].x };
        assert_true(Farthest(a, b, CountOf(plain)) < 2e-5);
        free(a);
        free(b);
    }
    qvReleaseTake(plain);
    qvReleaseTake(moved);
}

// Between keys the offset moves, through both; threads do not matter.
static void TestBetween(void** state)
{
    (void)state;
    qvTake* take = MustMove(SCENE2("{\"time\":0},{\"time\":0.5," GRAB "},{\"time\":1}"));
    qvError error;
    qvPool* pool;
    ASSERT_OK(qvCreatePool(3, &pool, &error), error);
    int count = CountOf(take);
    qvVec3f *quarter = LocalOffsets(take, 0.3), *half = LocalOffsets(take, 0.5), *end = LocalOffsets(take, 1.0);
    assert_true(Largest(quarter, count) > 0.02 && Farthest(quarter, half, count) > 0.02);
    assert_true(Largest(end, count) < 1e-4);
    for (int i = 0; i <= 8; i++)
    {
        qvVec3f *alone = PointsOf(take, i / 8.0, qv_layersAll, NULL),
                *many = PointsOf(take, i / 8.0, qv_layersAll, pool);
        assert_memory_equal(alone, many, (size_t)count * sizeof(*alone));
        free(alone);
        free(many);
    }
    free(quarter);
    free(half);
    free(end);
    qvDestroyPool(pool);
    qvReleaseTake(take);
}

// Offsets of all vertices by the same vector, in a file's notation.
static char* PrintOffsets(const qvBody* body, qvVec3f by)
{
    size_t count = (size_t)body->mesh->vertexCount, size = count * sizeof(by);
    qvVec3f* offsets = malloc(size);
    for (size_t i = 0; i < count; i++)
        offsets[i] = by;
    char* text = calloc(1, 2 * size + 8);
    qvBase64_Encode((const uint8_t*)offsets, size, text);
    free(offsets);
    return text;
}

// What is rigid in an offset is not taken out of it: it swings through its key and rings down like the rest, and does
// not move the frame. Gravity does not pull at it.
static void TestRigidSwings(void** state)
{
    (void)state;
    qvTake* plain = MustMove(SCENE2(""));
    char* far = PrintOffsets(qvTake_Body(plain), (qvVec3f){ 0.3f, 0.3f, 0.0f });
    char text[16384];
    snprintf(text, sizeof(text),
             "{\"quaver\":2,\"range\":[0,4],\"mesh\":{\"file\":\"" QUAVER_TEST_DATA
             "/glb/skin.glb\"},\"material\":{\"frequency\":2,"
             "\"settle\":0.5,\"modes\":4,\"gravity\":[0,-9.81,0]},\"keys\":[{\"time\":0},{\"time\":0.5,\"base\":{"
             "\"offsets\":\"%s\"}}]}",
             far);
    qvTake* take = MustMove(text);
    int count = CountOf(take);
    double largest = 0.0;
    for (int i = 0; i <= 80; i++)
    {
        double time = i / 20.0;
        qvVec3f* local = LocalOffsets(take, time);
        for (int p = 0; p < count; p++) // all of it moves as one
        {
            ASSERT_NEAR(local[p].x, local[0].x, 1e-4);
            ASSERT_NEAR(hypot(local[p].y - local[p].x, local[p].z), 0.0, 1e-4);
        }
        largest = fmax(largest, local[0].x);
        if (i == 0 || i == 10 || i == 80) // it meets its keys, and comes to rest at the last
            ASSERT_NEAR(local[0].x, i == 0 ? 0.0 : 0.3, 1e-4);
        ASSERT_NEAR(qvLength(qvTake_Frame(take, time).offset), 0.0, 0.0);
        free(local);
    }
    assert_true(largest > 0.33); // beyond its key, which a frame never goes
    free(far);
    qvReleaseTake(plain);
    qvReleaseTake(take);
}

// The exported file keeps skin and skeleton, and plays by itself what the scene shows.
static void CheckExport(const char* text, double tolerance)
{
    qvTake* take = MustMove(text);
    const qvBody* body = qvTake_Body(take);
    char path[512];
    qvError error;
    qvExportReport report;
    qvModel* model;
    qvTakeExport export = qvDefaultTakeExport();
    export.options.error = tolerance;
    ASSERT_OK(qvExportTake(take, &export, OutputPath(path, sizeof(path), "clip-keys.glb"), &report, &error), error);
    ASSERT_OK(qvLoadModel(path, NULL, &model, &error), error);
    assert_true(report.targets > 0);
    assert_int_equal(qvRig_JointCount(model->rig), qvRig_JointCount(body->model->rig));
    assert_int_equal(qvRig_ClipCount(model->rig), qvRig_ClipCount(body->model->rig));
    size_t count = (size_t)body->mesh->vertexCount;
    qvVec3f *played = malloc(count * sizeof(*played)), *vertices = malloc(count * sizeof(*vertices));
    void *scratch = malloc(qvRig_ScratchSize(model->rig)), *own = malloc(qvTake_ScratchSize(take));
    for (int i = 0; i <= 24; i++)
    {
        qvVec3f* points = PointsOf(take, i / 24.0, qv_layersAll, NULL);
        qvTake_Vertices(take, i / 24.0, points, own, vertices);
        qvRig_Evaluate(model->rig, 0, i / 24.0, scratch, played);
        double apart = Farthest(played, vertices, (int)count);
        if (!(apart <= 2.0 * tolerance * body->diagonal))
            fail_msg("frame %d of the file is %g from the scene", i, apart / body->diagonal);
        free(points);
    }
    free(played);
    free(vertices);
    free(scratch);
    free(own);
    qvDestroyModel(model);
    qvReleaseTake(take);
}

static void TestExport(void** state)
{
    (void)state;
    CheckExport(SCENE2("{\"time\":0},{\"time\":0.5," GRAB "},{\"time\":1}"), 1e-3);
    CheckExport(SCENE2("{\"time\":0,\"transform\":{}},{\"time\":0.5," GRAB ",\"transform\":{\"translate\":[0.5,0,0],"
                       "\"rotate\":[0,0.38268343236508984,0,0.9238795325112867]}},{\"time\":1}"),
                1e-3);
    CheckExport(SCENE2("{\"time\":0},{\"time\":0.5,\"interp\":\"wave\"," GRAB "},{\"time\":1,\"interp\":\"wave\"}"),
                1e-3);
}

// --- Waves of keys -------------------------------------------------------------------------------------------------

#define LONG(clip, keys) "{\"quaver\":2,\"range\":[0,6]," FILE_MESH ",\"clip\":{" clip "},\"keys\":[" keys "]}"
#define HIT              "{\"time\":0},{\"time\":0.5,\"interp\":\"wave\"," GRAB "}"

// What the change makes of the body an age after it began, where the clip stands still as at 0.5 s: the clip's pose,
// advected by the key's stroke as a push.
static qvVec3f* Pushed(const qvTake* take, double age)
{
    const qvBody* body = qvTake_Body(take);
    const qvSceneKey* key = qvTake_Scene(take)->keys[1];
    int count = CountOf(take);
    qvVec3f* points = calloc((size_t)count, sizeof(*points));
    void* scratch = malloc(qvTake_ScratchSize(take));
    qvTake_ClipPoints(take, 0.5, scratch, points);
    qvStroke stroke = key->strokes.strokes[0]->stroke;
    stroke.at = qvBody_Carry(body, points, stroke.at);
    qvStrokeTarget target = { .pointCount = count, .topology = body->topology };
    qvStrokeWave wave = { .age = age, .speed = key->waveSpeed };
    qvError error;
    ASSERT_OK(qvStroke_Applyf(&stroke, &target, &wave, points, &error), error);
    free(scratch);
    return points;
}

// A key that arrives as a wave over a clip: until then the clip is alone; then its stroke travels through the body as
// the clip has it, in the frames that the skin carries along.
static void TestWaveTravels(void** state)
{
    (void)state;
    qvTake *clip = MustMove(LONG("\"start\":-0.5", "")), *take = MustMove(LONG("\"start\":-0.5", HIT));
    qvTake* still = MustMove(LONG("\"start\":-10,\"repeat\":false", HIT)); // at its end, as the others at 0.5 s
    int count = CountOf(take);
    for (int i = 0; i <= 4; i++) // also at the very start of the wave
        assert_true(Apart(clip, take, i / 8.0) < 2e-6);
    double most = 0.0;
    for (int i = 1; i <= 10; i++)
    {
        double age = 0.05 * i;
        qvVec3f *pushed = Pushed(still, age), *shown = PointsOf(still, 0.5 + age, qv_layersAll, NULL);
        if (!(Farthest(pushed, shown, count) < 2e-5))
            fail_msg("%g s after it began the wave is %g from its push", age, Farthest(pushed, shown, count));
        qvVec3f *local = LocalOffsets(take, 0.5 + age), *other = LocalOffsets(still, 0.5 + age);
        if (!(Farthest(local, other, count) < 2e-5))
            fail_msg("at %g s the clip's motion changes the wave by %g", age, Farthest(local, other, count));
        qvVec3f* key = LocalOffsets(take, 6.0);
        most = fmax(most, Farthest(local, key, count));
        free(pushed);
        free(shown);
        free(local);
        free(other);
        free(key);
    }
    assert_true(most > 0.05); // it takes its time
    qvReleaseTake(clip);
    qvReleaseTake(take);
    qvReleaseTake(still);
}

// From any offset to any other: it leaves the one without a jump and ends in the other.
static void TestWaveBetween(void** state)
{
    (void)state;
    static const char* const keys[] = {
        "{\"id\":\"a\",\"time\":0.125," GRAB STILL "},{\"time\":0.625,\"interp\":\"wave\"}",
        "{\"id\":\"a\",\"time\":0.125," GRAB STILL "},{\"time\":0.625,\"interp\":\"wave\",\"base\":{\"key\":\"a\"},"
        "\"strokes\":[{\"brush\":\"grab\",\"at\":[0.2,1,0],\"drag\":[0,0.1,0.3],\"radius\":0.8}]}",
        "{\"time\":0.125,\"transform\":{\"translate\":[0,1,0]}," GRAB STILL "},{\"time\":0.625,\"interp\":\"wave\","
        "\"transform\":{\"rotate\":[0,0.38268343236508984,0,0.9238795325112867]}}",
    };
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
    {
        char text[2048];
        snprintf(text, sizeof(text), LONG("", "%s"), keys[i]);
        qvTake* take = MustMove(text);
        int count = CountOf(take);
        qvVec3f *before = PointsOf(take, 0.625 - 1e-6, qv_layersAll, NULL),
                *after = PointsOf(take, 0.625 + 1e-6, qv_layersAll, NULL),
                *first = PointsOf(take, 0.125, qv_layersMotion, NULL),
                *motion = PointsOf(take, 0.625, qv_layersMotion, NULL), *end = PointsOf(take, 6.0, qv_layersAll, NULL),
                *plain = PointsOf(take, 6.0, qv_layersMotion, NULL);
        if (!(Farthest(before, after, count) < 1e-4))
            fail_msg("keys %d: the wave begins with a jump of %g", (int)i, Farthest(before, after, count));
        assert_true(Farthest(after, motion, count) > 0.1 && Farthest(first, motion, count) > 0.1);
        if (!(Farthest(end, plain, count) < 2e-4))
            fail_msg("keys %d: the wave ends %g from its key", (int)i, Farthest(end, plain, count));
        assert_true(qvTake_KeyReport(take, 1).error < 1e-5);
        free(before), free(after), free(first), free(motion), free(end), free(plain);
        qvReleaseTake(take);
    }
}

// In a loop the first key comes after the last one; where the clip does not close, its own jump there is no wave.
static void TestWaveInLoop(void** state)
{
    (void)state;
    static const char text[] =
        "{\"quaver\":2,\"range\":[0,4],\"loop\":true," FILE_MESH
        ",\"clip\":{\"speed\":0.7},\"keys\":[{\"time\":0,\"interp\":\"wave\"},{\"time\":2," GRAB STILL "}]}";
    qvTake* take = MustMove(text);
    int count = CountOf(take);
    qvVec3f *before = LocalOffsets(take, 4.0 - 1e-6), *after = LocalOffsets(take, 1e-6), *key = LocalOffsets(take, 2.0);
    assert_true(Farthest(before, after, count) < 1e-4 && Largest(after, count) > 0.1);
    assert_true(Farthest(before, key, count) < 1e-3);
    qvVec3f *end = PointsOf(take, 4.0, qv_layersAll, NULL), *start = PointsOf(take, 0.0, qv_layersAll, NULL);
    assert_memory_equal(end, start, (size_t)count * sizeof(*end));
    free(before), free(after), free(key), free(end), free(start);
    qvReleaseTake(take);
}

// A ripple starts where the stroke acts on the clip's pose; the same bits for any number of threads, of a change too.
static void TestRipple(void** state)
{
    (void)state;
    qvTake* take = MustMove(LONG("", "{\"time\":0},{\"time\":0.5,\"wave\":{\"kind\":\"ripple\"}," GRAB STILL
                                     "},{\"time\":1.5,\"interp\":\"wave\"}"));
    qvTake* plain = MustMove(LONG("", "{\"time\":0},{\"time\":0.5," GRAB STILL "},{\"time\":1.5,\"interp\":\"wave\"}"));
    int count = CountOf(take);
    assert_true(Apart(take, plain, 0.5) < 1e-6);
    qvVec3f *all = PointsOf(take, 0.56, qv_layersAll, NULL), *base = PointsOf(take, 0.56, qv_layersMotion, NULL);
    qvVec3f* at = PointsOf(take, 0.5, qv_layersMotion, NULL);
    // Most of it moves around where the stroke has brought its centre.
    qvVec3 sum = { 0.0, 0.0, 0.0 };
    double weights = 0.0;
    for (int p = 0; p < count; p++)
    {
        qvVec3 moved = qvSub(qvVec3_FromFloat(all[p]), qvVec3_FromFloat(base[p]));
        double weight = pow(qvLength(moved), 4.0);
        sum = qvMulAdd(sum, weight, qvVec3_FromFloat(at[p])), weights += weight;
    }
    assert_true(pow(weights / count, 0.25) > 0.01);
    qvVec3 center = qvBody_Carry(qvTake_Body(take), at, qvMakeVec3(0.0, 2.0, 0.0));
    if (!(qvDistance(qvScale(1.0 / weights, sum), center) < 0.1))
        fail_msg("the ripple is %g from its stroke", qvDistance(qvScale(1.0 / weights, sum), center));
    qvError error;
    qvPool* pool;
    ASSERT_OK(qvCreatePool(3, &pool, &error), error);
    for (int i = 0; i <= 24; i++)
    {
        qvVec3f *alone = PointsOf(take, i / 8.0, qv_layersAll, NULL),
                *many = PointsOf(take, i / 8.0, qv_layersAll, pool);
        assert_memory_equal(alone, many, (size_t)count * sizeof(*alone));
        free(alone), free(many);
    }
    qvDestroyPool(pool);
    free(all), free(base), free(at);
    qvReleaseTake(take);
    qvReleaseTake(plain);
}

// Simulations take over from the motion of keys and their changes: where one begins, the body is where that has it.
static void TestWaveBelowSimulation(void** state)
{
    (void)state;
    static const char keys[] = HIT;
    char text[2048];
    snprintf(text, sizeof(text),
             "{\"quaver\":2,\"range\":[0,1.1]," FILE_MESH ",\"keys\":[%s],\"simulations\":[{\"engine\":\"points\","
             "\"time\":0.7,\"until\":0.8,\"detail\":100,\"after\":\"hold\"}],\"ground\":{\"on\":false}}",
             keys);
    qvTake *take = MustMove(text), *below = MustMove(SCENE2(HIT));
    qvTake* keyed = MustMove(SCENE2("{\"time\":0},{\"time\":0.5,\"interp\":\"hold\"," GRAB "}"));
    assert_true(Apart(below, keyed, 0.7) > 0.01); // the wave is still under way
    for (int i = 0; i <= 5; i++)
    {
        double time = 0.45 + 0.05 * i;
        if (!(Apart(take, below, time) < 2e-3))
            fail_msg("at %g s the motion below is %g from the wave", time, Apart(take, below, time));
    }
    qvReleaseTake(take);
    qvReleaseTake(below);
    qvReleaseTake(keyed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestRestIsTheClip), cmocka_unit_test(TestOffsetIsCarried),
        cmocka_unit_test(TestBases),         cmocka_unit_test(TestTransform),
        cmocka_unit_test(TestBetween),       cmocka_unit_test(TestExport),
        cmocka_unit_test(TestRigidSwings),   cmocka_unit_test(TestWaveTravels),
        cmocka_unit_test(TestWaveBetween),   cmocka_unit_test(TestWaveInLoop),
        cmocka_unit_test(TestRipple),        cmocka_unit_test(TestWaveBelowSimulation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
