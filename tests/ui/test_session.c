// SPDX-License-Identifier: GPL-3.0-or-later
// What is being edited, without a window.
#include "testing.h"

#include "scene/take.h"
#include "ui/editor/findings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void OpenShape(qvuiSession* session, const char* tag)
{
    qvSceneMesh mesh = { .primitive = tag, .resolution = 6 };
    qvError error;
    ASSERT_OK(qvuiSession_New(session, &mesh, NULL, &error), error);
}

// A take of the document that went, finished but not yet collected, must not bring its body back.
static void TestTakesOfAClosedDocument(void** state)
{
    (void)state;
    qvuiSession session;
    qvError error;
    ASSERT_OK(qvuiSession_Init(&session, &error), error);
    OpenShape(&session, "sphere");
    qvuiSession_Update(&session, 0.0);
    while (!qvWorker_HasNews(session.worker))
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    assert_true(qvuiSession_IsSolving(&session)); // until it is collected
    OpenShape(&session, "sack");
    const qvBody* body = session.body;
    qvuiSession_Update(&session, 0.0);
    assert_ptr_equal(session.body, body);
    assert_true(session.take == NULL || qvTake_Scene(session.take) == qvuiSession_Scene(&session));
    while (qvuiSession_IsSolving(&session))
        qvuiSession_Update(&session, 0.0);
    assert_non_null(session.take);
    assert_ptr_equal(qvTake_Scene(session.take), qvuiSession_Scene(&session));
    qvuiSession_Free(&session);
}

// A new body of many points is solved on few of them; others on all.
static void TestDetailOfLargeBodies(void** state)
{
    (void)state;
    qvuiSession session;
    qvError error;
    ASSERT_OK(qvuiSession_Init(&session, &error), error);
    OpenShape(&session, "block");
    assert_int_equal(qvuiSession_Scene(&session)->detail, 0);
    const qvSceneMesh mesh = { .primitive = "block", .resolution = 80 };
    ASSERT_OK(qvuiSession_New(&session, &mesh, NULL, &error), error);
    assert_true(session.body->mesh->pointCount > 20000);
    assert_int_equal(qvuiSession_Scene(&session)->detail, 3000);
    qvuiSession_Free(&session);
}

// A take that comes in one frame with the failure of a newer scene does not silence it.
static void TestAFailureAfterATake(void** state)
{
    (void)state;
    qvuiSession session;
    qvError error;
    double fraction;
    char stage[64];
    ASSERT_OK(qvuiSession_Init(&session, &error), error);
    OpenShape(&session, "sphere");
    qvuiSession_Update(&session, 0.0);
    while (!qvWorker_HasNews(session.worker))
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    ASSERT_OK(qvDocument_SetText(session.document, (qvRef){ qv_objectMesh, 0 }, "file", "missing.obj", &error), error);
    qvuiSession_Post(&session);
    while (qvWorker_Progress(session.worker, &fraction, stage))
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    qvuiSession_Update(&session, 0.0);
    ASSERT_CONTAINS(session.problem, "missing.obj");
    assert_non_null(session.take);
    qvuiSession_Free(&session);
}

// Three keys, the one in the middle bent to the side, with fast vibrations around it.
static void OpenBent(qvuiSession* session)
{
    qvError error;
    qvId key, last;
    qvStroke stroke = qvDefaultStroke(qvFindBrush("grab"), 1.0);
    OpenShape(session, "sack");
    stroke.at = (qvVec3){ 0.0, 1.8, 0.0 };
    stroke.radius = 1.0;
    stroke.drag = (qvVec3){ 0.5, 0.1, 0.0 };
    ASSERT_OK(qvuiSession_InsertKey(session, 0.37, &key, &error), error);
    ASSERT_OK(qvuiSession_InsertKey(session, 1.0, &last, &error), error);
    ASSERT_OK(qvDocument_AddStroke(session->document, key, &stroke, NULL, 0, NULL, &error), error);
    ASSERT_OK(qvDocument_SetNumber(session->document, (qvRef){ qv_objectMaterial, 0 }, "frequency", 9.0, &error),
              error);
    do
        qvuiSession_Update(session, 0.0);
    while (qvuiSession_IsSolving(session));
}

static double PlaceOf(qvuiSession* session, int point, double time, int axis)
{
    qvTakeView_Evaluate(&session->view, time, qv_layersAll, session->pool);
    return (&session->view.points[point].x)[axis];
}

// The graph of a point is the motion, however little time a frame has for it; keys lie on it from the start.
static void TestGraphOfAPoint(void** state)
{
    (void)state;
    qvuiSession session;
    qvError error;
    qvuiGraph* graph = calloc(1, sizeof(*graph));
    assert_non_null(graph);
    ASSERT_OK(qvuiSession_Init(&session, &error), error);
    OpenBent(&session);
    const qvScene* scene = qvuiSession_Scene(&session);
    int point = 0, frames = 0;
    for (int i = 1; i < session.body->mesh->pointCount; i++)
        point = session.body->rest[i].y > session.body->rest[point].y ? i : point;
    do
    {
        qvuiGraph_Update(graph, &session, NULL, point, 0.0);
        frames++;
        if (frames == scene->keyCount + 2)
            for (int k = 0; k < scene->keyCount; k++)
                assert_true(qvuiGraph_Value(graph, 0, scene->keys[k]->time) ==
                            PlaceOf(&session, point, scene->keys[k]->time, 0));
    } while (qvuiGraph_IsBusy(graph));
    assert_int_equal(frames, graph->sampleCount); // one each when there is no time
    double worst = 0.0, low = INFINITY, high = -INFINITY;
    for (int i = 0; i <= 997; i++)
    {
        double place = PlaceOf(&session, point, i / 997.0, 0);
        low = fmin(low, place), high = fmax(high, place);
        worst = fmax(worst, fabs(qvuiGraph_Value(graph, 0, i / 997.0) - place));
    }
    assert_true(high - low > 0.2);
    if (worst > 0.002 * (high - low))
        fail_msg("the graph is off by %g of its height", worst / (high - low));
    free(graph);
    qvuiSession_Free(&session);
}

static void FindAll(qvuiFindings* findings, const qvuiSession* session)
{
    do
    {
        findings->wantsModes = true;
        qvuiFindings_Update(findings, session);
        findings->wantsModes = true; // as long as the graph is drawn
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    } while (qvuiFindings_IsBusy(findings, session));
}

// What is found out beside the frames is what the take says; it goes with the document that it is about.
static void TestFindings(void** state)
{
    (void)state;
    qvuiSession session;
    qvuiFindings findings;
    qvuiTrace expected;
    qvError error;
    ASSERT_OK(qvuiSession_Init(&session, &error), error);
    qvuiFindings_Init(&findings);
    OpenBent(&session);
    assert_true(qvuiFindings_IsBusy(&findings, &session));
    FindAll(&findings, &session);
    qvuiReadTrace(session.take, &expected);
    assert_int_equal(findings.trace.count, qvui_traceSamples);
    assert_true(findings.trace.peak > 1e-3);
    assert_memory_equal(findings.trace.values, expected.values, sizeof(expected.values));
    double largest = 0.0;
    for (int i = 0; i < qvui_traceSamples; i++)
        largest = fmax(largest, fabs(findings.trace.values[i]));
    ASSERT_NEAR(largest, 0.5, 1e-12);
    assert_non_null(findings.modes);
    assert_true(findings.modes->curveCount > 0 && findings.modes->high > findings.modes->low);
    assert_true(findings.modes->curves[0].frequency > 0.0);
    qvuiGraph* graph = calloc(1, sizeof(*graph));
    assert_non_null(graph);
    qvuiGraph_Update(graph, &session, findings.modes, -1, 0.0);
    assert_int_equal(graph->curveCount, findings.modes->curveCount);
    assert_true(qvuiGraph_Value(graph, 0, 0.37) == qvuiGraph_Value(findings.modes, 0, 0.37));
    assert_false(findings.hasSeam);

    // A report comes when a key is asked for, and a seam when the motion loops.
    findings.wantedKey = qvuiSession_Scene(&session)->keys[1]->id;
    qvId key = findings.wantedKey;
    assert_true(qvuiFindings_IsBusy(&findings, &session));
    while (findings.reportKey != key)
    {
        findings.wantedKey = key;
        qvuiFindings_Update(&findings, &session);
    }
    assert_true(findings.report.error == qvTake_KeyReport(session.take, 1).error);
    ASSERT_OK(qvDocument_SetBool(session.document, (qvRef){ qv_objectScene, 0 }, "loop", true, &error), error);
    do
        qvuiSession_Update(&session, 0.0);
    while (qvuiSession_IsSolving(&session));
    FindAll(&findings, &session);
    assert_true(findings.hasSeam);
    assert_int_equal(findings.reportKey, key); // until it is asked for again

    // Nothing of it is left for the next document, also when it was still being found out.
    OpenShape(&session, "sphere");
    qvuiFindings_Update(&findings, &session);
    assert_int_equal(findings.trace.count, 0);
    assert_null(findings.modes);
    assert_false(findings.hasSeam);
    assert_int_equal(findings.reportKey, 0);
    qvuiGraph_Update(graph, &session, findings.modes, -1, 0.0);
    assert_int_equal(graph->curveCount, 0);
    free(graph);
    qvuiFindings_Free(&findings);
    qvuiSession_Free(&session);
}

static double LargestOffset(const qvuiSession* session)
{
    qvVec3f* offsets = calloc((size_t)session->body->mesh->vertexCount, sizeof(*offsets));
    assert_non_null(offsets);
    double largest = 0.0;
    qvuiSession_CaptureOffsets(session, session->playback.time, offsets);
    for (int i = 0; i < session->body->mesh->vertexCount; i++)
        largest = fmax(largest, qvLength(qvVec3_FromFloat(offsets[i])));
    free(offsets);
    return largest;
}

// A pose that is copied while the motion with it is still being solved is the one that the key has now.
static void TestAPoseIsCapturedBeforeItsSolve(void** state)
{
    (void)state;
    qvuiSession session;
    qvError error;
    ASSERT_OK(qvuiSession_Init(&session, &error), error);
    OpenShape(&session, "sphere");
    ASSERT_NEAR(LargestOffset(&session), 0.0, 1e-6);
    do
        qvuiSession_Update(&session, 0.0);
    while (qvuiSession_IsSolving(&session));
    qvStroke stroke = qvDefaultStroke(qvFindBrush("grab"), session.body->diagonal);
    stroke.at = qvVec3_FromFloat(session.body->rest[0]);
    stroke.drag = qvMakeVec3(0.0, 0.4, 0.0);
    qvId key = qvuiSession_KeyAtTime(&session);
    assert_true(key != 0);
    ASSERT_OK(qvDocument_AddStroke(session.document, key, &stroke, NULL, 0, NULL, &error), error);
    ASSERT_NEAR(LargestOffset(&session), 0.4, 1e-3);
    do
        qvuiSession_Update(&session, 0.0);
    while (qvuiSession_IsSolving(&session));
    ASSERT_NEAR(LargestOffset(&session), 0.4, 1e-3);
    qvuiSession_Free(&session);
}

static double LargestShown(const qvuiSession* session)
{
    double largest = 0.0;
    for (int i = 0; i < session->body->mesh->pointCount; i++)
        largest =
            fmax(largest, qvDistance(qvVec3_FromFloat(session->points[i]), qvVec3_FromFloat(session->body->rest[i])));
    return largest;
}

// Right at a key that arrives as a wave its pose is shown, for brushes to change; what plays starts from the one
// before.
static void TestAWaveKeyShowsItsPose(void** state)
{
    (void)state;
    qvuiSession session;
    qvError error;
    ASSERT_OK(qvuiSession_Init(&session, &error), error);
    OpenBent(&session);
    qvRef key = { qv_objectKey, qvuiSession_Scene(&session)->keys[1]->id };
    ASSERT_OK(qvDocument_SetText(session.document, key, "interp", "wave", &error), error);
    do
        qvuiSession_Update(&session, 0.0);
    while (qvuiSession_IsSolving(&session));
    qvuiSession_Seek(&session, 0.37);
    qvuiSession_Update(&session, 0.0);
    uint64_t revision = session.shownRevision;
    assert_true(qvuiSession_ShowsWaveEnd(&session));
    ASSERT_NEAR(LargestShown(&session), sqrt(0.26), 0.02);
    qvuiSession_Play(&session, true);
    qvuiSession_Update(&session, 0.0);
    ASSERT_NEAR(session.playback.time, 0.37, 1e-9);
    assert_true(LargestShown(&session) < 1e-4);
    assert_true(session.shownRevision != revision); // others see that the shape is another one
    qvuiSession_Free(&session);
}

static double Farthest(const qvuiSession* session, const qvVec3f* vertices)
{
    double farthest = 0.0;
    for (int i = 0; i < session->body->mesh->vertexCount; i++)
        farthest = fmax(farthest, qvDistance(qvVec3_FromFloat(vertices[i]), qvVec3_FromFloat(session->vertices[i])));
    return farthest;
}

// What is opened is seen as its first key has it, turned and moved, before there is a motion; played, it waits for
// that.
static void TestBeforeTheFirstTake(void** state)
{
    (void)state;
    static const char text[] =
        "{\"quaver\": 1, \"mesh\": {\"primitive\": \"sack\", \"resolution\": 8}, \"material\": {\"modes\": 6},"
        " \"keys\": [{\"time\": 0, \"transform\": {\"translate\": [1, 2, 3], \"rotate\": [0.6, 0, 0, 0.8]},"
        " \"strokes\": [{\"brush\": \"grab\", \"at\": [0, 1.8, 0], \"drag\": [0.5, 0, 0]}]}, {\"time\": 1}]}";
    qvuiSession session;
    const qvScene* scene;
    const qvBody* body;
    qvDocument* document;
    qvError error;
    ASSERT_OK(qvuiSession_Init(&session, &error), error);
    ASSERT_OK(qvParseScene(text, strlen(text), "", &scene, &error), error);
    ASSERT_OK(qvLoadBody(&scene->mesh, ".", NULL, &body, &error), error);
    ASSERT_OK(qvCreateDocument(scene, &document, &error), error);
    qvuiSession_SetDocument(&session, document, body);
    size_t size = (size_t)body->mesh->vertexCount * sizeof(qvVec3f);
    qvVec3f* shown = malloc(size);
    assert_non_null(shown);
    memcpy(shown, session.vertices, size);

    // A key that is made now starts from that pose.
    qvId added;
    qvVec3f* poses[2];
    ASSERT_OK(qvuiSession_InsertKey(&session, 0.5, &added, &error), error);
    for (int i = 0; i < 2; i++)
    {
        poses[i] = malloc(size);
        assert_non_null(poses[i]);
        const qvScene* with = qvDocument_Scene(document);
        ASSERT_OK(qvComputePose(with, session.body, with->keys[i]->id, -1, NULL, poses[i], &error), error);
    }
    for (int i = 0; i < session.body->mesh->pointCount; i++)
        ASSERT_NEAR(qvDistance(qvVec3_FromFloat(poses[0][i]), qvVec3_FromFloat(poses[1][i])), 0.0, 1e-6);
    free(poses[0]);
    free(poses[1]);
    qvDocument_Undo(document);
    assert_true(session.playback.time == 0.5); // the playhead went along with the key
    qvuiSession_Seek(&session, 0.0);

    double now = 0.0;
    qvuiSession_Play(&session, true);
    for (; session.take == NULL; now += 0.1)
    {
        assert_true(session.playback.time == 0.0 && session.problem[0] == 0);
        qvuiSession_Update(&session, now);
    }
    qvuiSession_Update(&session, now);
    assert_true(session.playback.time > 0.05 && session.playback.time < 0.25);
    assert_true(Farthest(&session, shown) > 0.01);
    qvuiSession_Play(&session, false);
    qvuiSession_Seek(&session, 0.0);
    qvuiSession_Update(&session, now);
    ASSERT_NEAR(Farthest(&session, shown), 0.0, 1e-5);
    qvAffine alone = qvSceneKey_Frame(scene->keys[0]), solved = qvTake_KeyFrame(session.take, 0);
    ASSERT_NEAR(qvDistance(alone.offset, solved.offset), 0.0, 1e-9);
    for (int i = 0; i < 9; i++)
        ASSERT_NEAR(alone.linear[i / 3][i % 3], solved.linear[i / 3][i % 3], 1e-9);
    qvuiSession_Free(&session);
    qvReleaseScene(scene);
    qvReleaseBody(body);
    free(shown);
}

// No export writes over the scene that is open, under whatever name.
static void TestAnExportKeepsItsScene(void** state)
{
    (void)state;
    char folder[] = "/tmp/quaver_session_XXXXXX", own[64], alias[64], other[64];
    assert_non_null(mkdtemp(folder));
    snprintf(own, sizeof(own), "%s/own.glb", folder);
    snprintf(alias, sizeof(alias), "%s/alias.glb", folder);
    snprintf(other, sizeof(other), "%s/other.glb", folder);
    qvuiSession session;
    qvError error;
    ASSERT_OK(qvuiSession_Init(&session, &error), error);
    OpenBent(&session);
    assert_non_null(session.take);
    ASSERT_OK(qvuiSession_CheckTarget(&session, own, &error), error); // not yet its own
    ASSERT_OK(qvDocument_Save(session.document, own, &error), error);
    assert_int_equal(symlink(own, alias), 0);
    const char* const kept[] = { own, alias };
    for (int i = 0; i < 2; i++)
    {
        assert_int_equal(qvuiSession_CheckTarget(&session, kept[i], &error), qv_badInput);
        ASSERT_CONTAINS(error.message, "is the scene itself and stays; choose another name");
    }
    ASSERT_OK(qvuiSession_CheckTarget(&session, other, &error), error);
    qvuiSession_Free(&session);
    unlink(alias), unlink(own), rmdir(folder);
}

// --- Capture --------------------------------------------------------------------------------------------------------

static void Solve(qvuiSession* session)
{
    do
        qvuiSession_Update(session, 0.0);
    while (qvuiSession_IsSolving(session));
    assert_string_equal(session->problem, "");
    assert_true(isinf(qvTake_ValidUntil(session->take)));
}

// World positions, and velocities by differences over the time that a capture takes them from.
static qvVec3f* Evaluate(qvuiSession* session, double time)
{
    qvError error;
    qvVec3f* points = qvTake_PointsAt(session->take, time, qv_layersMotion, NULL, &error);
    assert_non_null(points);
    return points;
}

// The velocities that the motion has in closed form.
static void CheckVelocities(const qvTake* take, double time, const qvVec3f* before, const qvVec3f* after, double step)
{
    int n = take->body->mesh->pointCount;
    double *velocities = calloc(3 * (size_t)n, sizeof(double)), largest = 0.0;
    void* scratch = malloc(take->base.scratchSize);
    assert_non_null(take->base.velocities);
    take->base.velocities(take->base.context, time, scratch, velocities);
    for (int i = 0; i < n; i++)
    {
        qvVec3 way = qvScale(0.5 / step, qvSub(qvVec3_FromFloat(after[i]), qvVec3_FromFloat(before[i])));
        qvVec3 is = qvMakeVec3(velocities[3 * i], velocities[3 * i + 1], velocities[3 * i + 2]);
        ASSERT_NEAR(qvDistance(is, way), 0.0, 1e-5 * take->body->diagonal);
        largest = fmax(largest, qvLength(way));
    }
    assert_true(largest > 1.0); // it falls
    free(velocities);
    free(scratch);
}

// A captured key has the simulated pose and velocity, in one step; keyed places do not change that.
static void CaptureOne(bool keyed)
{
    qvuiSession session;
    qvError error;
    qvId simulation, key;
    ASSERT_OK(qvuiSession_Init(&session, &error), error);
    OpenShape(&session, "sphere");
    qvSceneSimulation like = qvDefaultSceneSimulation();
    like.def.time = 0.1;
    like.def.until = 0.7;
    like.def.detail = 100;
    const double up[3] = { 0.3, 0.5, 0.0 }, turn[4] = { 0.0, 0.6, 0.0, 0.8 };
    qvRef first = { qv_objectKey, qvuiSession_Scene(&session)->keys[0]->id };
    if (keyed)
    {
        ASSERT_OK(qvDocument_SetNumbers(session.document, first, "transform.translate", up, 3, &error), error);
        ASSERT_OK(qvDocument_SetNumbers(session.document, first, "transform.rotate", turn, 4, &error), error);
    }
    ASSERT_OK(qvDocument_AddSimulation(session.document, &like, &simulation, &error), error);
    qvuiSession_Seek(&session, 0.05);
    Solve(&session);
    assert_non_null(qvuiSession_CannotCapture(&session)); // nothing is simulated there
    assert_int_equal(qvuiSession_CaptureKey(&session, &key, &error), qv_notFound);
    const double time = 0.4, step = 1.0 / 240.0;
    qvuiSession_Seek(&session, time);
    qvuiSession_Update(&session, 0.0);
    assert_null(qvuiSession_CannotCapture(&session));
    qvVec3f *pose = Evaluate(&session, time), *before = Evaluate(&session, time - step);
    qvVec3f* after = Evaluate(&session, time + step);
    int steps = qvDocument_StepCount(session.document);
    ASSERT_OK(qvuiSession_CaptureKey(&session, &key, &error), error);
    assert_int_equal(qvDocument_StepCount(session.document), steps + 1);
    // Without the simulation the key is what counts.
    qvRef span = { qv_objectSimulation, simulation };
    ASSERT_OK(qvDocument_SetBool(session.document, span, "mute", true, &error), error);
    Solve(&session);
    qvVec3f* shown = Evaluate(&session, time);
    for (int i = 0; i < session.body->mesh->pointCount; i++)
        ASSERT_NEAR(qvDistance(qvVec3_FromFloat(shown[i]), qvVec3_FromFloat(pose[i])), 0.0,
                    1e-5 * session.body->diagonal);
    CheckVelocities(session.take, time, before, after, step);
    qvDocument_Undo(session.document);
    qvDocument_Undo(session.document);
    assert_int_equal(qvuiSession_Scene(&session)->keyCount, 1);
    free(pose);
    free(before);
    free(after);
    free(shown);
    qvuiSession_Free(&session);
}

static void TestCapture(void** state)
{
    (void)state;
    CaptureOne(false);
    CaptureOne(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestTakesOfAClosedDocument),
        cmocka_unit_test(TestAFailureAfterATake),
        cmocka_unit_test(TestAPoseIsCapturedBeforeItsSolve),
        cmocka_unit_test(TestAWaveKeyShowsItsPose),
        cmocka_unit_test(TestGraphOfAPoint),
        cmocka_unit_test(TestFindings),
        cmocka_unit_test(TestBeforeTheFirstTake),
        cmocka_unit_test(TestAnExportKeepsItsScene),
        cmocka_unit_test(TestDetailOfLargeBodies),
        cmocka_unit_test(TestCapture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
