// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of simulations, the presets of their bodies, and what is said of spans that cannot be.
#include "document_testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const qvRef theScene = { qv_objectScene, 0 };

static qvDocument* OpenLong(void)
{
    const double range[2] = { 0.0, 4.0 };
    qvError error;
    qvDocument* document = OpenDocument("scene/lean.json");
    ASSERT_OK(qvDocument_SetNumbers(document, theScene, "range", range, 2, &error), error);
    return document;
}

static qvId AddSpan(qvDocument* document, double from, double to)
{
    qvSceneSimulation like = qvDefaultSceneSimulation();
    qvError error;
    qvId added;
    like.def.time = from;
    like.def.until = to;
    ASSERT_OK(qvDocument_AddSimulation(document, &like, &added, &error), error);
    return added;
}

static const qvSceneSimulation* Find(const qvDocument* document, qvId id)
{
    const qvSceneSimulation* found = qvScene_FindSimulation(qvDocument_Scene(document), id, NULL);
    assert_non_null(found);
    return found;
}

static void SpansAreAddedCopiedAndRemoved(void** state)
{
    (void)state;
    qvDocument* document = OpenLong();
    qvError error;
    int steps = qvDocument_StepCount(document);
    qvId first = AddSpan(document, 2.0, 3.0), copy;
    qvEngineInfo engine;
    assert_true(qvGetEngineInfo(0, &engine));
    assert_string_equal(Find(document, first)->engine, engine.tag);
    assert_string_equal(Find(document, first)->tag, "s1");
    assert_true(isnan(Find(document, first)->def.wobble));
    ASSERT_OK(qvDocument_SetNumber(document, (qvRef){ qv_objectSimulation, first }, "wobble", 7.0, &error), error);
    qvSceneSimulation like = *Find(document, first);
    like.def.time = 0.5;
    like.def.until = 1.5;
    ASSERT_OK(qvDocument_AddSimulation(document, &like, &copy, &error), error);
    assert_int_equal(qvDocument_StepCount(document), steps + 3);
    assert_true(qvDocument_Scene(document)->simulations[0]->id == copy); // ascending in time
    assert_string_equal(Find(document, copy)->tag, "s2");
    ASSERT_NEAR(Find(document, copy)->def.wobble, 7.0, 0.0);
    uint64_t both = qvScene_Hash(qvDocument_Scene(document));
    ASSERT_OK(qvDocument_Remove(document, (qvRef){ qv_objectSimulation, first }, &error), error);
    assert_int_equal(qvDocument_Scene(document)->simulationCount, 1);
    qvDocument_Undo(document);
    assert_true(qvScene_Hash(qvDocument_Scene(document)) == both);
    assert_true(Find(document, first)->def.until == 3.0);
    qvCloseDocument(document);
}

// Moving a span in time moves both of its ends, also past another one; an end that is left open stays open.
static void MovedSpansKeepTheirLength(void** state)
{
    (void)state;
    qvDocument* document = OpenLong();
    qvError error;
    qvId short_ = AddSpan(document, 0.5, 1.25), open = AddSpan(document, 2.0, INFINITY);
    const qvRef objects[2] = { { qv_objectSimulation, short_ }, { qv_objectSimulation, open } };
    const double times[2] = { 3.0, 1.0 };
    ASSERT_OK(qvDocument_SetTimes(document, objects, times, 2, &error), error);
    ASSERT_NEAR(Find(document, short_)->def.time, 3.0, 0.0);
    ASSERT_NEAR(Find(document, short_)->def.until, 3.75, 0.0);
    ASSERT_NEAR(Find(document, open)->def.time, 1.0, 0.0);
    assert_true(isinf(Find(document, open)->def.until));
    assert_true(qvDocument_Scene(document)->simulations[0]->id == open);
    qvDocument_Undo(document);
    ASSERT_NEAR(Find(document, short_)->def.until, 1.25, 0.0);
    qvCloseDocument(document);
}

// What the window writes at a span is what solving would say.
static void SpansThatCannotBeAreNamed(void** state)
{
    (void)state;
    qvDocument* document = OpenLong();
    qvError error;
    qvId a = AddSpan(document, 0.5, 1.5), b = AddSpan(document, 1.6, 2.0), late = AddSpan(document, 3.0, 5.0);
    const qvScene* scene = qvDocument_Scene(document);
    ASSERT_OK(qvScene_CheckSimulation(scene, Find(document, a), &error), error);
    assert_int_equal(qvScene_CheckSimulation(scene, Find(document, b), &error), qv_badInput); // the other still fades
    assert_non_null(strstr(error.message, "\"s2\""));
    assert_non_null(strstr(error.message, "\"s1\""));
    assert_int_equal(qvScene_CheckSimulation(scene, Find(document, late), &error), qv_badInput);
    assert_non_null(strstr(error.message, "range"));
    ASSERT_OK(qvDocument_SetNumber(document, (qvRef){ qv_objectSimulation, b }, "time", 1.5, &error), error);
    ASSERT_OK(qvScene_CheckSimulation(qvDocument_Scene(document), Find(document, b), &error), error);
    ASSERT_OK(qvDocument_SetBool(document, (qvRef){ qv_objectSimulation, late }, "mute", true, &error), error);
    ASSERT_OK(qvScene_CheckSimulation(qvDocument_Scene(document), Find(document, late), &error), error);
    ASSERT_OK(qvDocument_SetText(document, (qvRef){ qv_objectSimulation, b }, "engine", "none such", &error), error);
    ASSERT_OK(qvScene_CheckSimulation(qvDocument_Scene(document), Find(document, b), &error), error);
    qvCloseDocument(document);
}

// Joints are objects of their own in a simulation: added, set, taken back and copied along with it.
static void JointsAreEdited(void** state)
{
    (void)state;
    qvDocument* document = OpenLong();
    qvError error;
    qvId span = AddSpan(document, 0.5, 1.5), joint, other, copy;
    qvSceneJoint like = { .a = 3, .b = 12 };
    qvEdit edit = { .kind = qv_editAdd,
                    .object = { qv_objectJoint, 0 },
                    .value = { qv_valueObject, .data = &like },
                    .parent = span,
                    .place = -1 };
    ASSERT_OK(qvDocument_Apply(document, &edit, &joint, &error), error);
    assert_true(Find(document, span)->jointCount == 1 && Find(document, span)->joints[0]->b == 12);
    static const char* const line =
        "{\"do\":\"add\",\"kind\":\"joint\",\"parent\":\"s1\",\"value\":{\"a\":4,\"b\":9,\"strength\":2}}";
    ASSERT_OK(qvDocument_ApplyText(document, line, strlen(line), &other, &error), error);
    assert_true(Find(document, span)->joints[1]->id == other);
    uint64_t both = qvScene_Hash(qvDocument_Scene(document));
    qvRef ref = { qv_objectJoint, joint };
    ASSERT_OK(qvDocument_SetNumber(document, ref, "b", 20.0, &error), error);
    assert_int_equal(Find(document, span)->joints[0]->b, 20);
    assert_true(qvScene_Hash(qvDocument_Scene(document)) != both);
    assert_int_equal(qvDocument_SetNumber(document, ref, "b", 3.0, &error), qv_badInput);
    assert_non_null(strstr(error.message, "joins vertex 3 to itself"));
    qvDocument_Undo(document);
    assert_true(qvScene_Hash(qvDocument_Scene(document)) == both);
    qvSceneSimulation twin = *Find(document, span);
    twin.def.time = 2.0, twin.def.until = 3.0;
    ASSERT_OK(qvDocument_AddSimulation(document, &twin, &copy, &error), error);
    assert_true(Find(document, copy)->jointCount == 2 && Find(document, copy)->joints[1]->b == 9);
    assert_true(Find(document, copy)->joints[1]->id != other);
    ASSERT_OK(qvDocument_Remove(document, ref, &error), error);
    assert_true(Find(document, span)->jointCount == 1 && Find(document, copy)->jointCount == 2);
    char* text;
    ASSERT_OK(qvPrintScene(qvDocument_Scene(document), &text, &error), error);
    assert_non_null(strstr(text, "\"strength\"")); // unknown fields stay
    // Opened again, a new one gets a number of its own.
    const qvScene* opened;
    ASSERT_OK(qvParseScene(text, strlen(text), "test", &opened, &error), error);
    qvCloseDocument(document);
    ASSERT_OK(qvCreateDocument(opened, &document, &error), error);
    edit.parent = opened->simulations[0]->id;
    ASSERT_OK(qvDocument_Apply(document, &edit, &joint, &error), error);
    assert_true(joint > opened->simulations[1]->joints[1]->id && joint > opened->simulations[0]->joints[0]->id);
    qvReleaseScene(opened);
    qvFreeText(text);
    qvCloseDocument(document);
}

// --- Presets --------------------------------------------------------------------------------------------------------

static bool IsKept(const char* tag)
{
    static const char* const kept[] = { "id",    "name", "time",  "until",   "follow", "rest",
                                        "after", "mute", "blend", "gravity", "detail" };
    for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
        if (strcmp(tag, kept[i]) == 0)
            return true;
    return false;
}

// A field of a preset has the value that the list says, in the document.
static void CheckValue(const qvScene* scene, qvRef object, const qvJson* field)
{
    double values[4];
    if (!qvJson_IsNumber(field))
        return;
    assert_true(qvReadField(scene, object, qvJson_Name(field), values));
    ASSERT_NEAR(values[0], qvJson_Number(field), 0.0);
}

static void PresetsLeaveNothingOfOthers(void** state)
{
    (void)state;
    qvDocument* document = OpenLong();
    qvError error;
    const qvSimulationPreset* presets[32];
    int count = qvFindSimulationPresets(presets, 32);
    assert_true(count >= 2); // the engine of points has at least jelly and rubber
    qvRef odd = { qv_objectSimulation, AddSpan(document, 0.5, 1.0) };
    for (int i = 0; i < count; i++)
    {
        // Every other preset, then this one: the same as this one alone.
        qvRef plain = { qv_objectSimulation, AddSpan(document, 2.0, 3.0) };
        int steps = qvDocument_StepCount(document);
        for (int k = 0; k < count; k++)
            ASSERT_OK(qvDocument_SetSimulationPreset(document, odd.id, presets[k], &error), error);
        ASSERT_OK(qvDocument_SetSimulationPreset(document, odd.id, presets[i], &error), error);
        ASSERT_OK(qvDocument_SetSimulationPreset(document, plain.id, presets[i], &error), error);
        assert_true(qvDocument_StepCount(document) <= steps + count + 2);
        const qvScene* scene = qvDocument_Scene(document);
        assert_string_equal(Find(document, odd.id)->engine, presets[i]->engine);
        for (int k = 0; k < qvFieldCount(qv_objectSimulation); k++)
        {
            const char* tag = qvGetField(qv_objectSimulation, k)->tag;
            double a[4] = { 0 }, b[4] = { 0 };
            qvReadField(scene, odd, tag, a);
            qvReadField(scene, plain, tag, b);
            if (!IsKept(tag) && memcmp(a, b, sizeof(a)) != 0)
                fail_msg("%s leaves %s at %g instead of %g", presets[i]->label, tag, a[0], b[0]);
        }
        qvJson* fields;
        ASSERT_OK(qvParseJson(presets[i]->fields, strlen(presets[i]->fields), NULL, &fields, &error), error);
        for (const qvJson* field = qvJson_First(fields); field != NULL; field = qvJson_Next(field))
            CheckValue(scene, odd, field);
        qvDestroyJson(fields);
        ASSERT_OK(qvDocument_Remove(document, plain, &error), error);
    }
    ASSERT_NEAR(Find(document, odd.id)->def.time, 0.5, 0.0);
    ASSERT_NEAR(Find(document, odd.id)->def.until, 1.0, 0.0);
    qvCloseDocument(document);
}

// A curve is set at once, undone as one step, and saved as it is; what cannot be one changes nothing.
static void CurvesAreSet(void** state)
{
    (void)state;
    qvDocument* document = OpenLong();
    qvRef span = { qv_objectSimulation, AddSpan(document, 1.0, 2.0) };
    static const double knots[3][2] = { { 0.0, 0.25 }, { 0.5, 1.0 }, { 0.75, 0.0 } };
    static const double disorder[2][2] = { { 0.5, 0.0 }, { 0.25, 1.0 } };
    qvError error;
    qvDocument_Begin(document, "Melt curve", 0);
    ASSERT_OK(qvDocument_SetCurve(document, span, "melt", &(qvCurve){ knots, 3 }, &error), error);
    qvDocument_End(document);
    const qvSceneSimulation* found = Find(document, span.id);
    ASSERT_NEAR(found->def.melt, 0.25, 0.0);
    qvSimulationDef def = qvSceneSimulation_Resolve(found, qvDocument_Scene(document));
    assert_int_equal(def.meltCurve.count, 3);
    assert_memory_equal(def.meltCurve.knots, knots, sizeof(knots));
    uint64_t hash = qvScene_Hash(qvDocument_Scene(document));
    assert_int_equal(qvDocument_SetCurve(document, span, "melt", &(qvCurve){ disorder, 2 }, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "put them in the order of time");
    assert_int_equal(qvDocument_SetCurve(document, span, "melt", &(qvCurve){ 0 }, &error), qv_badInput);
    assert_int_equal(qvDocument_SetCurve(document, span, "settle", &(qvCurve){ knots, 3 }, &error), qv_badInput);
    assert_true(qvScene_Hash(qvDocument_Scene(document)) == hash);
    qvDocument_Undo(document);
    assert_null(Find(document, span.id)->melt);
    qvCloseDocument(document);
}

static void EnginesExplainThemselves(void** state)
{
    (void)state;
    qvEngineInfo info;
    int count = 0;
    for (; qvGetEngineInfo(count, &info); count++)
        assert_true(info.tag[0] != 0 && info.label[0] != 0 && strlen(info.help) > 20);
    assert_true(count >= 1);
    assert_false(qvGetEngineInfo(-1, &info));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(SpansAreAddedCopiedAndRemoved),
        cmocka_unit_test(MovedSpansKeepTheirLength),
        cmocka_unit_test(SpansThatCannotBeAreNamed),
        cmocka_unit_test(JointsAreEdited),
        cmocka_unit_test(PresetsLeaveNothingOfOthers),
        cmocka_unit_test(EnginesExplainThemselves),
        cmocka_unit_test(CurvesAreSet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
