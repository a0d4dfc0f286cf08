// SPDX-License-Identifier: GPL-3.0-or-later
// Waves, soft and partial keys, the mixer and clips in takes, and several threads at one pipeline.
#include "scene_testing.h"

#include "quaver/document.h"

#include <pthread.h>

#define EVENT(time, drag)                                                                                \
    "\"events\": [{\"time\": " #time ", \"load\": \"impulse\", \"shape\": \"grab\", \"at\": [1, 1, 0], " \
    "\"drag\": [" #drag ", 0, 0], \"radius\": 0.5, \"speed\": 3}]"
#define TWO_KEYS "\"keys\": [{\"time\": 0}, {\"time\": 2, \"strokes\": [" LIFT "]}]"
#define LIFT     "{\"brush\": \"grab\", \"at\": [0, 1.9, 0], \"drag\": [0.3, 0.1, 0], \"radius\": 0.8}"

static double LargestAt(const qvTake* take, double time, qvTakeLayers a, qvTakeLayers b)
{
    qvVec3f *x = PointsOf(take, time, a, NULL), *y = PointsOf(take, time, b, NULL);
    double distance = Farthest(x, y, qvTake_Body(take)->mesh->pointCount);
    free(x);
    free(y);
    return distance;
}

static void EventsMakeWaves(void** state)
{
    (void)state;
    qvPipeline* pipeline = MustPipeline();
    qvTake* calm = MustSolve(pipeline, SCENE(FEW_MODES ", " TWO_KEYS));
    assert_int_equal(qvPipeline_Runs(pipeline, qv_stageWaves), 0);
    qvTake* take = MustSolve(pipeline, SCENE(FEW_MODES ", " TWO_KEYS ", " EVENT(0.5, -0.2)));
    assert_int_equal(qvPipeline_Runs(pipeline, qv_stageWaves), 1);
    assert_int_equal(qvPipeline_Runs(pipeline, qv_stageMotion), 1);
    assert_true(LargestAt(take, 0.4, qv_layersAll, qv_layersMotion) == 0.0);
    assert_true(LargestAt(take, 0.7, qv_layersAll, qv_layersMotion) > 0.05);
    assert_true(LargestAt(take, 2.0, qv_layersAll, qv_layersMotion) == 0.0); // the key stays
    qvKeyReport report = qvTake_KeyReport(take, 1);
    assert_true(report.error < 1e-6 && report.waves < 1e-2);
    qvTake* shortly = MustSolve(pipeline, SCENE(FEW_MODES ", " TWO_KEYS ", " EVENT(1.8, -0.2)));
    report = qvTake_KeyReport(shortly, 1);
    assert_true(report.error < 1e-6 && report.waves > 1e-2);
    qvReleaseTake(shortly);

    // Colours follow the fronts.
    int n = qvTake_Body(take)->mesh->pointCount;
    float *values = calloc((size_t)n, sizeof(*values)), most = 0.0f;
    qvTakeView view = { 0 };
    qvError error;
    ASSERT_OK(qvTakeView_SetTake(&view, take, &error), error);
    qvTakeView_Wavefronts(&view, 0.6, NULL, values);
    for (int i = 0; i < n; i++)
        most = fmaxf(most, values[i]);
    assert_true(most > 0.2f && most < 1.5f);
    ASSERT_OK(qvTakeView_SetTake(&view, calm, &error), error);
    qvTakeView_Wavefronts(&view, 0.6, NULL, values);
    for (int i = 0; i < n; i++)
        assert_true(values[i] == 0.0f);
    qvTakeView_Free(&view);
    free(values);

    // Another drag redoes the waves alone, a mute event costs nothing that shows, the first scene is known.
    qvTake* other = MustSolve(pipeline, SCENE(FEW_MODES ", " TWO_KEYS ", " EVENT(0.5, -0.1)));
    assert_int_equal(qvPipeline_Runs(pipeline, qv_stageWaves), 3);
    assert_int_equal(qvPipeline_Runs(pipeline, qv_stageMotion), 1);
    assert_true(LargestAt(other, 0.7, qv_layersAll, qv_layersMotion) <
                LargestAt(take, 0.7, qv_layersAll, qv_layersMotion));
    qvReleaseTake(MustSolve(pipeline, SCENE(FEW_MODES ", " TWO_KEYS ", " EVENT(0.5, -0.2))));
    assert_int_equal(qvPipeline_Runs(pipeline, qv_stageWaves), 3);
    qvReleaseTake(other);
    qvReleaseTake(take);
    qvReleaseTake(calm);
    qvDestroyPipeline(pipeline);
}

static int AllRuns(qvPipeline* pipeline, const qvDocument* document)
{
    qvError error;
    qvTake* take;
    int runs = 0;
    ASSERT_OK(qvPipeline_Solve(pipeline, qvDocument_Scene(document), ".", NULL, &take, &error), error);
    qvReleaseTake(take);
    for (int i = 0; i < qv_stageCount; i++)
        runs += qvPipeline_Runs(pipeline, (qvStage)i);
    return runs;
}

// Another number than the field has.
static double Nudged(const qvField* field, double value)
{
    double next = isnan(value) || isinf(value) || value < field->minimum ? 1.0 : value + 0.04 * fmax(fabs(value), 1.0);
    next = field->type == qv_fieldInt ? (value >= 0.0 ? value + 1.0 : 3.0) : next;
    return next <= field->maximum ? next : 0.5 * (field->minimum + value);
}

// No number or switch of what moves the body is missing where results are kept for later, and no name is in it.
static void EveryFieldCountsForTheCaches(void** state)
{
    (void)state;
    qvError error;
    qvDocument* document;
    const qvScene* scene =
        MustParse(SCENE(FEW_MODES ", \"secondary\": {\"enabled\": true, \"max\": 5, \"rate\": 8}, "
                                  "\"mixer\": [{\"mode\": 1, \"gain\": 0.5}], " TWO_KEYS ", " EVENT(0.5, -0.2)));
    ASSERT_OK(qvCreateDocument(scene, &document, &error), error);
    const qvRef objects[] = { { qv_objectMaterial, 0 },
                              { qv_objectSecondary, 0 },
                              { qv_objectStrip, scene->strips[0]->id },
                              { qv_objectKey, scene->keys[1]->id },
                              { qv_objectStroke, scene->keys[1]->strokes.strokes[0]->id },
                              { qv_objectEvent, scene->events[0]->id } };
    qvReleaseScene(scene);
    qvPipeline* pipeline = MustPipeline();
    int runs = AllRuns(pipeline, document), numbers = 0, names = 0;
    for (size_t k = 0; k < sizeof(objects) / sizeof(objects[0]); k++)
    {
        for (int i = 0; i < qvFieldCount(objects[k].kind); i++)
        {
            qvField field = *qvGetField(objects[k].kind, i);
            double values[4] = { 0 };
            bool isName = field.type == qv_fieldText, known = true;
            qvReadField(qvDocument_Scene(document), objects[k], field.tag, values);
            field = qvField_For(qvDocument_Scene(document), objects[k], &field);
            if (strcmp(field.tag, "enabled") == 0 || strncmp(field.tag, "transform.", 10) == 0)
                continue;
            if (isName)
                ASSERT_OK(qvDocument_SetText(document, objects[k], field.tag, "another", &error), error);
            else if (field.type == qv_fieldBool)
                ASSERT_OK(qvDocument_SetBool(document, objects[k], field.tag, values[0] == 0.0, &error), error);
            else if (field.type == qv_fieldNumber || field.type == qv_fieldInt)
                ASSERT_OK(qvDocument_SetNumber(document, objects[k], field.tag, Nudged(&field, values[0]), &error),
                          error);
            else
                known = false;
            if (!known)
                continue;
            int now = AllRuns(pipeline, document);
            if (isName != (now == runs))
                fail_msg("%s of a %s: %d results are new", field.tag, qvObjectKind_Word(objects[k].kind), now - runs);
            numbers += !isName, names += isName;
            qvDocument_Undo(document);
            runs = AllRuns(pipeline, document); // back to what the caches know
        }
    }
    assert_true(numbers > 35 && names == 4);
    qvCloseDocument(document);
    qvDestroyPipeline(pipeline);
}

// What the waves would do at a key's time is what they do there where nothing keeps the key.
static void KeysSayWhatWavesWouldDo(void** state)
{
    (void)state;
    qvPipeline* pipeline = MustPipeline();
    qvTake* kept = MustSolve(pipeline, SCENE(FEW_MODES ", " TWO_KEYS ", " EVENT(1.8, -0.2)));
    qvTake* unkept = MustSolve(pipeline, SCENE("\"keep_keys\": false, " FEW_MODES ", " TWO_KEYS ", " EVENT(1.8, -0.2)));
    double off = LargestAt(unkept, 2.0, qv_layersAll, qv_layersMotion) / qvTake_Body(unkept)->diagonal;
    ASSERT_NEAR(qvTake_KeyReport(kept, 1).waves, off, 1e-5 * off);
    qvKeyReport report = qvTake_KeyReport(unkept, 1);
    ASSERT_NEAR(report.waves, off, 1e-5 * off);
    ASSERT_NEAR(report.error, off, 1e-5 * off);
    qvReleaseTake(kept);
    qvReleaseTake(unkept);
    qvDestroyPipeline(pipeline);
}

// A key that arrives as a wave: the pose before it stays until its time, leaves continuously, and ends at the key.
static void ChangesTravel(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(
        SCENE(FEW_MODES ", \"keys\": [{\"time\": 0}, {\"time\": 1, \"interp\": \"wave\", \"wave\": {\"speed\": 4}, "
                        "\"strokes\": [" LIFT "]}]"));
    const qvBody* body = qvTake_Body(take);
    int n = body->mesh->pointCount;
    qvVec3f *before = PointsOf(take, 0.999, qv_layersAll, NULL), *start = PointsOf(take, 1.0, qv_layersAll, NULL),
            *soon = PointsOf(take, 1.02, qv_layersAll, NULL), *late = PointsOf(take, 60.0, qv_layersAll, NULL);
    qvVec3f* pose = calloc((size_t)n, sizeof(*pose));
    qvError error;
    const qvScene* scene = qvTake_Scene(take);
    ASSERT_OK(qvComputePose(scene, body, scene->keys[1]->id, -1, NULL, pose, &error), error);
    assert_true(Farthest(before, body->rest, n) < 1e-6);
    assert_true(Farthest(start, body->rest, n) < 1e-5);
    double moved = Farthest(soon, body->rest, n);
    assert_true(moved > 1e-3 && moved < 0.2);
    assert_true(Farthest(late, pose, n) < 1e-4);
    assert_true(Farthest(pose, body->rest, n) > 0.25);
    assert_true(qvTake_KeyReport(take, 1).error < 1e-6); // where it leads to counts, not where it starts
    qvVec3f* all[] = { before, start, soon, late, pose };
    for (int i = 0; i < 5; i++)
        free(all[i]);
    qvReleaseTake(take);
}

#define PUSH_BACK "{\"brush\": \"grab\", \"at\": [0, 1.9, 0], \"drag\": [-0.4, 0.1, 0], \"radius\": 0.6}"
#define UPPER     "\"only\": {\"box\": [[-9, 1.3, -9], [9, 9, 9]]}"

// A scene with a wave key at 1; more goes before its keys, first, middle and last are fields of theirs.
static qvTake* SolveWaveKeys(const char* more, const char* first, const char* middle, const char* last)
{
    char text[2048];
    snprintf(text, sizeof(text),
             SCENE(FEW_MODES
                   ", %s \"range\": [0, 2], \"keys\": [{%s \"time\": 0}, {%s \"time\": 0.5, \"strokes\": [" LIFT
                   "]}, {%s \"time\": 1, \"strokes\": [" PUSH_BACK "], \"interp\": \"wave\"}]"),
             more, first, middle, last);
    return SolveAlone(text);
}

// The farthest that a point goes from a time to another.
static double Moved(const qvTake* take, double from, double to, qvTakeLayers layers)
{
    qvVec3f *x = PointsOf(take, from, layers, NULL), *y = PointsOf(take, to, layers, NULL);
    double distance = Farthest(x, y, qvTake_Body(take)->mesh->pointCount);
    free(x);
    free(y);
    return distance;
}

// A change leaves from where the motion is and ends there, also where soft and partial keys are not reached.
static void ChangesLeaveFromTheMotion(void** state)
{
    (void)state;
    const char* kinds[][3] = { { "", "", "" },
                               { "", "\"weight\": 0.01,", "" },
                               { "", UPPER ",", "" },
                               { "", "", "\"weight\": 0.1," },
                               { "", "", UPPER "," },
                               { "", "\"weight\": 0.01,", UPPER "," },
                               { "", UPPER ",", "\"weight\": 0.1," },
                               { "", "\"weight\": 0.01,", "\"base\": {\"key\": \"b\"}," } };
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
    {
        char middle[256];
        snprintf(middle, sizeof(middle), "\"id\": \"b\", %s", kinds[i][1]);
        qvTake* take = SolveWaveKeys("", kinds[i][0], middle, kinds[i][2]);
        double motion = Moved(take, 1.0 - 1e-7, 1.0, qv_layersMotion);
        double shown = Moved(take, 1.0 - 1e-7, 1.0, qv_layersAll);
        if (!(motion > 0.02 && shown < 2e-6))
            fail_msg("kind %zu: the motion leaps by %g, %g of it shows", i, motion, shown);
        assert_true(Moved(take, 1.0, 1.0 + 1e-6, qv_layersAll) < 1e-5);
        assert_true(LargestAt(take, 1.1, qv_layersAll, qv_layersMotion) > 1e-3);
        assert_true(LargestAt(take, 4.0, qv_layersAll, qv_layersMotion) < 1e-3 * motion);
        assert_true(LargestAt(take, 8.0, qv_layersAll, qv_layersMotion) < 1e-5);
        qvReleaseTake(take);
    }
}

// The frame leaps with the motion. Waves that are under way then do not.
static void ChangesKeepWavesUnderWay(void** state)
{
    (void)state;
    qvTake* takes[] = { SolveWaveKeys("\"keep_keys\": false,", "", "\"interp\": \"wave\",", ""),
                        SolveWaveKeys("\"keep_keys\": false, " EVENT(0.8, -0.2) ",", "", "", ""),
                        SolveWaveKeys(EVENT(0.8, -0.2) ",", "", "", "\"weight\": 0.1,") };
    for (int i = 0; i < 3; i++)
    {
        assert_true(LargestAt(takes[i], 1.0 - 1e-7, qv_layersAll, qv_layersMotion) > 1e-2);
        double shown = Moved(takes[i], 1.0 - 1e-7, 1.0, qv_layersAll);
        if (!(shown < 2e-6))
            fail_msg("scene %d leaps by %g", i, shown);
        assert_true(LargestAt(takes[i], 8.0, qv_layersAll, qv_layersMotion) < 1e-5);
        qvReleaseTake(takes[i]);
    }
}

// In a loop the first key is reached from where the last one leaves the motion.
static void ChangesLeaveAtTheSeam(void** state)
{
    (void)state;
    const char* weights[] = { "", "\"weight\": 0.1," };
    for (int i = 0; i < 4; i++)
    {
        char first[256];
        snprintf(first, sizeof(first), "\"interp\": \"wave\", %s", weights[i / 2]);
        qvTake* take = SolveWaveKeys("\"loop\": true,", first, "", weights[i % 2]);
        for (int key = 0; key < 2; key++)
        {
            double motion = Moved(take, 2.0 - key - 1e-7, 2.0 - key, qv_layersMotion);
            double shown = Moved(take, 2.0 - key - 1e-7, 2.0 - key, qv_layersAll);
            if (!(motion > 0.02 && shown < 5e-6))
                fail_msg("loop %d, key %d: the motion leaps by %g, %g of it shows", i, key, motion, shown);
        }
        qvReleaseTake(take);
    }
}

// In a loop the change of a wide brush would come round for a billion periods. Without a limit this takes days.
static void WideChangesEnd(void** state)
{
    (void)state;
    qvTake* take =
        SolveAlone(SCENE(FEW_MODES ", \"range\": [0, 2], \"loop\": true, \"keys\": [{\"time\": 0}, {\"time\": 1, "
                                   "\"interp\": \"wave\", \"strokes\": [{\"brush\": \"grab\", "
                                   "\"drag\": [0.1, 0, 0], \"radius\": 1e9}]}]"));
    assert_true(LargestAt(take, 1.5, qv_layersAll, qv_layersMotion) > 1e-3);
    qvReleaseTake(take);
}

#define FEET "{\"box\": [[-2, -1, -2], [2, 0.05, 2]]"

// The largest displacement by waves of points at most as high as a height, and of those at least so high.
static void MeasureWaves(const qvTake* take, double time, double height, double largest[2])
{
    const qvBody* body = qvTake_Body(take);
    qvVec3f *all = PointsOf(take, time, qv_layersAll, NULL), *still = PointsOf(take, time, qv_layersMotion, NULL);
    largest[0] = largest[1] = 0.0;
    for (int i = 0; i < body->mesh->pointCount; i++)
    {
        double moved = qvDistance(qvVec3_FromFloat(all[i]), qvVec3_FromFloat(still[i]));
        int side = body->rest[i].y <= height ? 0 : 1;
        largest[side] = fmax(largest[side], moved);
    }
    free(all);
    free(still);
}

// Pins hold against waves too: those of events, of ripples and of the motion itself, as long as the pins are there.
static void PinsStopWaves(void** state)
{
    (void)state;
    const char* event =
        ", \"events\": [{\"time\": 0.5, \"load\": \"impulse\", \"shape\": \"grab\", \"at\": [0.5, 0.4, 0], "
        "\"drag\": [-0.2, 0, 0], \"radius\": 0.5, \"speed\": 2}]";
    const char* ripple = ", \"keys\": [{\"time\": 0}, {\"time\": 0.5, \"strokes\": [" LIFT "], "
                         "\"wave\": {\"kind\": \"ripple\", \"amount\": 0.5, \"speed\": 3}}]";
    const char* own = ", \"secondary\": {\"enabled\": true, \"threshold\": 0}, " TWO_KEYS;
    const struct
    {
        const char *pins, *waves;
        bool held;
    } cases[] = { { FEET "}", event, true },
                  { FEET ", \"to\": 0.4}", event, false },
                  { FEET ", \"from\": 0.6}", event, true },
                  { FEET "}", ripple, true },
                  { FEET "}", own, true } };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
    {
        char text[1024];
        double largest[2];
        const char* keys = strstr(cases[i].waves, "keys") != NULL ? "" : ", \"keys\": [{\"time\": 0}]";
        snprintf(text, sizeof(text), SCENE("\"pins\": [%s], " FEW_MODES "%s%s"), cases[i].pins, cases[i].waves, keys);
        qvTake* take = SolveAlone(text);
        MeasureWaves(take, 0.75, 0.05, largest);
        assert_true(largest[1] > 1e-3);
        if ((largest[0] == 0.0) != cases[i].held)
            fail_msg("case %zu: pins move by %g", i, largest[0]);
        qvReleaseTake(take);
    }
}

// Away from the pins a wave is what it is without them, and between it grows smoothly.
static void WavesFadeAtPins(void** state)
{
    (void)state;
    qvTake* loose = SolveAlone(SCENE(FEW_MODES ", \"keys\": [{\"time\": 0}], " EVENT(0.5, -0.2)));
    qvTake* held =
        SolveAlone(SCENE("\"pins\": [" FEET "}], " FEW_MODES ", \"keys\": [{\"time\": 0}], " EVENT(0.5, -0.2)));
    const qvBody* body = qvTake_Body(loose);
    qvVec3f *a = PointsOf(loose, 0.8, qv_layersAll, NULL), *b = PointsOf(held, 0.8, qv_layersAll, NULL);
    int same = 0, between = 0;
    for (int i = 0; i < body->mesh->pointCount; i++)
    {
        qvVec3 rest = qvVec3_FromFloat(body->rest[i]);
        double x = qvDistance(qvVec3_FromFloat(a[i]), rest), y = qvDistance(qvVec3_FromFloat(b[i]), rest);
        assert_true(y <= x + 1e-6);
        if (rest.y > 0.05 + 0.1 * body->diagonal)
        {
            ASSERT_NEAR(x, y, 1e-6);
            same += x > 1e-3;
        }
        else
            between += y > 1e-4 && y < 0.9 * x;
    }
    assert_true(same > 20 && between > 2);
    free(a);
    free(b);
    qvReleaseTake(loose);
    qvReleaseTake(held);
}

static void KeysRipple(void** state)
{
    (void)state;
    const char* calm = SCENE(FEW_MODES ", \"keys\": [{\"time\": 0}, {\"time\": 1, \"strokes\": [" LIFT "]}]");
    const char* wavy = SCENE(FEW_MODES ", \"keys\": [{\"time\": 0}, {\"time\": 1, \"strokes\": [" LIFT "], "
                                       "\"wave\": {\"kind\": \"ripple\", \"amount\": 0.5, \"speed\": 3}}]");
    qvTake *a = SolveAlone(calm), *b = SolveAlone(wavy);
    assert_true(LargestAt(a, 1.2, qv_layersAll, qv_layersMotion) == 0.0);
    assert_true(LargestAt(b, 1.2, qv_layersAll, qv_layersMotion) > 0.02);
    assert_true(qvTake_KeyReport(b, 1).error < 1e-6);
    qvReleaseTake(a);
    qvReleaseTake(b);
}

static void MotionsAnswerThemselves(void** state)
{
    (void)state;
    qvPipeline* pipeline = MustPipeline();
    const char* text = SCENE("\"secondary\": {\"enabled\": true}, " FEW_MODES ", " TWO_KEYS);
    qvTake* take = MustSolve(pipeline, text);
    int count = qvTake_GeneratedCount(take);
    assert_true(count > 0);
    for (int i = 0; i < count; i++)
    {
        const qvSceneEvent* event = qvTake_GeneratedEvent(take, i);
        assert_true(event->def.stroke.brush == qvFindBrush("grab") && event->def.stroke.radius > 0.0);
        assert_true(i == 0 || event->def.time >= qvTake_GeneratedEvent(take, i - 1)->def.time);
    }
    assert_true(LargestAt(take, 1.0, qv_layersAll, qv_layersMotion) > 0.0);
    // Events and secondary motion are kept apart.
    qvReleaseTake(MustSolve(
        pipeline, SCENE("\"secondary\": {\"enabled\": true}, " FEW_MODES ", " TWO_KEYS ", " EVENT(0.5, -0.2))));
    assert_int_equal(qvPipeline_Runs(pipeline, qv_stageWaves), 2);
    qvReleaseTake(take);
    qvDestroyPipeline(pipeline);
}

static void MixerMutesTheWiggles(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(SCENE(FEW_MODES ", " TWO_KEYS));
    int modes = qvTake_ModeCount(take);
    assert_int_equal(modes, 6);
    ASSERT_NEAR(qvTake_ModeFrequency(take, 0), 2.0, 1e-6);
    assert_true(LargestAt(take, 1.0, qv_layersMotion, qv_layersSmooth) > 1e-3);
    double times[3] = { 0.0, 1.0, 2.0 }, wiggly[18], smooth[18];
    assert_true(qvTake_ModeCurves(take, times, 3, wiggly, smooth));
    for (int i = 0; i < 6; i++)
        ASSERT_NEAR(wiggly[12 + i], smooth[12 + i], 1e-9); // at the key
    assert_true(fabs(wiggly[6] - smooth[6]) > 1e-4);
    float levels[6];
    qvTakeView view = { 0 };
    qvError error;
    ASSERT_OK(qvTakeView_SetTake(&view, take, &error), error);
    qvTakeView_Levels(&view, 1.0, levels);
    float most = 0.0f;
    for (int i = 0; i < 6; i++)
        most = fmaxf(most, levels[i]);
    assert_true(most > 0.0f && most < 1.0f);
    qvTakeView_Free(&view);
    // A mode alone reaches a tenth of the diagonal.
    int n = qvTake_Body(take)->mesh->pointCount;
    qvVec3f* shape = calloc((size_t)n, sizeof(*shape));
    qvTake_ModeShape(take, 2, 0.25, shape);
    ASSERT_NEAR(Farthest(shape, qvTake_Body(take)->rest, n), 0.1 * qvTake_Body(take)->diagonal, 1e-5);
    free(shape);
    qvReleaseTake(take);

    take = SolveAlone(SCENE("\"mixer\": [{\"mode\": 0, \"mute\": true}, {\"mode\": 1, \"mute\": true}, "
                            "{\"mode\": 2, \"mute\": true}, {\"mode\": 3, \"mute\": true}, "
                            "{\"mode\": 4, \"mute\": true}, {\"mode\": 5, \"mute\": true}], " FEW_MODES ", " TWO_KEYS));
    assert_true(LargestAt(take, 1.0, qv_layersMotion, qv_layersSmooth) < 1e-6);
    qvReleaseTake(take);
}

static void SoftAndPartialKeys(void** state)
{
    (void)state;
    qvTake* take =
        SolveAlone(SCENE(FEW_MODES ", \"keys\": [{\"time\": 0}, {\"time\": 1, \"weight\": 0.5, \"strokes\": [" LIFT
                                   "]}, {\"time\": 2}]"));
    double error = qvTake_KeyReport(take, 1).error;
    assert_true(error > 1e-3 && error < 0.2);
    qvReleaseTake(take);
    take = SolveAlone(SCENE("\"pins\": [{\"box\": [[-2, -1, -2], [2, 0.01, 2]]}], " FEW_MODES
                            ", \"keys\": [{\"time\": 0}, "
                            "{\"time\": 1, \"only\": {\"vertices\": [3]}, \"strokes\": [" LIFT "]}, {\"time\": 2}]"));
    assert_true(qvTake_KeyReport(take, 1).error < 1e-3);
    // The rest of the body is elsewhere than the key's pose.
    const qvScene* scene = qvTake_Scene(take);
    const qvBody* body = qvTake_Body(take);
    qvVec3f* pose = calloc((size_t)body->mesh->pointCount, sizeof(*pose));
    qvError failure;
    ASSERT_OK(qvComputePose(scene, body, scene->keys[1]->id, -1, NULL, pose, &failure), failure);
    qvVec3f* points = PointsOf(take, 1.0, qv_layersAll, NULL);
    assert_true(Farthest(points, pose, body->mesh->pointCount) > 1e-3);
    free(points);
    free(pose);
    qvReleaseTake(take);
}

// Points with weight 0 show the smooth motion, the others wiggle as before.
static void WeightsHoldPoints(void** state)
{
    (void)state;
    qvPipeline* pipeline = MustPipeline();
    qvTake* whole = MustSolve(pipeline, SCENE(FEW_MODES ", " TWO_KEYS));
    const qvBody* body = qvTake_Body(whole);
    float* weights = calloc((size_t)body->mesh->vertexCount, sizeof(*weights));
    for (int i = 0; i < body->mesh->vertexCount; i++)
        weights[i] = body->mesh->positions[i].x > 0.0f ? 1.0f : 0.0f;
    qvError error;
    qvDocument* document;
    ASSERT_OK(qvCreateDocument(qvTake_Scene(whole), &document, &error), error);
    qvRef scene = { qv_objectScene, 0 };
    ASSERT_OK(qvDocument_SetFloats(document, scene, "weights", weights, body->mesh->vertexCount, &error), error);
    qvTake* half;
    ASSERT_OK(qvPipeline_Solve(pipeline, qvDocument_Scene(document), ".", NULL, &half, &error), error);
    assert_int_equal(qvPipeline_Runs(pipeline, qv_stageSpace), 1);
    assert_int_equal(qvPipeline_Runs(pipeline, qv_stageMotion), 2);
    qvVec3f *wiggly = PointsOf(whole, 1.0, qv_layersAll, NULL), *smooth = PointsOf(whole, 1.0, qv_layersSmooth, NULL),
            *mixed = PointsOf(half, 1.0, qv_layersAll, NULL);
    double moved = 0.0;
    for (int i = 0; i < body->mesh->pointCount; i++)
    {
        const qvVec3f* wanted = body->rest[i].x > 0.0f ? &wiggly[i] : &smooth[i];
        assert_true(qvDistance(qvVec3_FromFloat(mixed[i]), qvVec3_FromFloat(*wanted)) < 1e-5);
        moved = fmax(moved, qvDistance(qvVec3_FromFloat(wiggly[i]), qvVec3_FromFloat(smooth[i])));
    }
    assert_true(moved > 1e-3);

    // Secondary motion leaves them alone too.
    qvRef secondary = { qv_objectSecondary, 0 };
    qvTake* answered;
    ASSERT_OK(qvDocument_SetBool(document, secondary, "enabled", true, &error), error);
    ASSERT_OK(qvPipeline_Solve(pipeline, qvDocument_Scene(document), ".", NULL, &answered, &error), error);
    qvVec3f* waved = PointsOf(answered, 1.0, qv_layersAll, NULL);
    moved = 0.0;
    for (int i = 0; i < body->mesh->pointCount; i++)
    {
        double by = qvDistance(qvVec3_FromFloat(waved[i]), qvVec3_FromFloat(mixed[i]));
        moved = fmax(moved, by);
        assert_true(body->rest[i].x > 0.0f || by == 0.0);
    }
    assert_true(moved > 0.0);
    qvReleaseTake(answered);
    qvVec3f* all[] = { wiggly, smooth, mixed, waved };
    for (int i = 0; i < 4; i++)
        free(all[i]);
    free(weights);
    qvCloseDocument(document);
    qvReleaseTake(half);
    qvReleaseTake(whole);
    qvDestroyPipeline(pipeline);
}

#define JUMP(from, to)                                                                                              \
    SCENE("\"pins\": [{\"box\": [[-2, -1, -2], [2, 0.01, 2]], \"to\": " to "}, "                                    \
          "{\"box\": [[-2, -1, -2], [2, 0.01, 2]], \"from\": " from "}], " FEW_MODES ", \"keys\": [{\"time\": 0}, " \
          "{\"time\": 1, \"transform\": {\"translate\": [0, 0, 0]}}, {\"time\": 1.5, \"strokes\": [" LIFT           \
          "], \"transform\": {\"translate\": [1, 1, 0]}}, {\"time\": 2, \"transform\": {\"translate\": "            \
          "[2, 0, 0]}}, {\"time\": 3, \"strokes\": [" LIFT "]}]")

// The largest distance of the lowest points from their place at rest, moved along with the keyed transform.
static double LiftOf(const qvTake* take, double time)
{
    const qvBody* body = qvTake_Body(take);
    qvVec3f* points = PointsOf(take, time, qv_layersAll, NULL);
    qvVec3 offset = qvTake_KeyedFrame(take, time).offset;
    double largest = 0.0;
    for (int i = 0; i < body->mesh->pointCount; i++)
    {
        if (body->rest[i].y < 0.005f)
            largest =
                fmax(largest, qvDistance(qvVec3_FromFloat(points[i]), qvAdd(qvVec3_FromFloat(body->rest[i]), offset)));
    }
    free(points);
    return largest;
}

// A block that stands, leaves the ground, and lands: pinned below before and after, free in the air.
static void PinsComeAndGo(void** state)
{
    (void)state;
    qvTake *take = SolveAlone(JUMP("2", "1")), *pinned = SolveAlone(JUMP("-9", "9"));
    for (int i = 0; i < 5; i++)
    {
        assert_true(qvTake_KeyReport(take, i).error < 1e-6);
        assert_true(qvTake_KeyReport(pinned, i).error < 1e-6);
    }
    assert_true(LiftOf(take, 0.6) < 1e-6 && LiftOf(pinned, 0.6) < 1e-6);
    assert_true(fabs(LiftOf(take, 1.3) - LiftOf(pinned, 1.3)) > 1e-3);
    qvReleaseTake(take);
    qvReleaseTake(pinned);
}

static void SegmentsHaveTheirMaterial(void** state)
{
    (void)state;
    qvTake *a = SolveAlone(SCENE(FEW_MODES ", " TWO_KEYS)),
           *b = SolveAlone(SCENE(FEW_MODES
                                 ", \"keys\": [{\"time\": 0}, {\"time\": 2, \"frequency\": 5, \"settle\": 0.3, "
                                 "\"strokes\": [" LIFT "]}]"));
    qvVec3f *x = PointsOf(a, 0.4, qv_layersAll, NULL), *y = PointsOf(b, 0.4, qv_layersAll, NULL);
    assert_true(Farthest(x, y, qvTake_Body(a)->mesh->pointCount) > 1e-4);
    assert_true(qvTake_KeyReport(b, 1).error < 1e-6);
    free(x);
    free(y);
    qvReleaseTake(a);
    qvReleaseTake(b);
}

// --- Threads ---------------------------------------------------------------------------------------------------------

static const char* const manyScenes[] = {
    SCENE(FEW_MODES ", " TWO_KEYS),
    SCENE("\"material\": {\"modes\": 6, \"frequency\": 3}, " TWO_KEYS),
    DANCE,
    SCENE(FEW_MODES ", " TWO_KEYS ", " EVENT(0.5, -0.2)),
};

static void* SolveMany(void* argument)
{
    qvPipeline* pipeline = argument;
    for (int i = 0; i < 12; i++)
    {
        qvTake* take = MustSolve(pipeline, manyScenes[i * 7 % 4]);
        for (int k = 0; k < qvTake_Scene(take)->keyCount; k++)
        {
            if (!(qvTake_KeyReport(take, k).error < 1e-6))
                return pipeline; // a key was missed
        }
        qvReleaseTake(take);
    }
    return NULL;
}

static void SeveralThreadsShareAPipeline(void** state)
{
    (void)state;
    qvPipeline* pipeline = MustPipeline();
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, SolveMany, pipeline), 0);
    for (int i = 0; i < 3; i++)
    {
        void* missed;
        pthread_join(threads[i], &missed);
        assert_null(missed);
    }
    // What two threads made at once is kept once.
    assert_true(qvPipeline_Runs(pipeline, qv_stageBody) == 1);
    qvDestroyPipeline(pipeline);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(EventsMakeWaves),
        cmocka_unit_test(EveryFieldCountsForTheCaches),
        cmocka_unit_test(KeysSayWhatWavesWouldDo),
        cmocka_unit_test(ChangesTravel),
        cmocka_unit_test(ChangesLeaveFromTheMotion),
        cmocka_unit_test(ChangesKeepWavesUnderWay),
        cmocka_unit_test(ChangesLeaveAtTheSeam),
        cmocka_unit_test(WideChangesEnd),
        cmocka_unit_test(PinsStopWaves),
        cmocka_unit_test(WavesFadeAtPins),
        cmocka_unit_test(KeysRipple),
        cmocka_unit_test(MotionsAnswerThemselves),
        cmocka_unit_test(MixerMutesTheWiggles),
        cmocka_unit_test(SoftAndPartialKeys),
        cmocka_unit_test(WeightsHoldPoints),
        cmocka_unit_test(PinsComeAndGo),
        cmocka_unit_test(SegmentsHaveTheirMaterial),
        cmocka_unit_test(SeveralThreadsShareAPipeline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
