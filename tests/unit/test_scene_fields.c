// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of fields: they agree with the brushes and shapes, and everything reads them.
#include "document_testing.h"

#include "quaver/document.h"
#include "quaver/primitive.h"
#include "scene/fields.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void TestRowsAreComplete(void** state)
{
    (void)state;
    for (int kind = 0; kind < qv_objectKindCount; kind++)
    {
        assert_true(qvFieldCount((qvObjectKind)kind) > 0);
        for (int i = 0; i < qvFieldCount((qvObjectKind)kind); i++)
        {
            const qvField* field = qvGetField((qvObjectKind)kind, i);
            size_t length = strlen(field->help);
            if (length < 10 || field->help[length - 1] != '.' || !isupper((unsigned char)field->label[0]))
                fail_msg("%s: label or help of \"%s\" is not for people", field->tag, field->help);
            assert_non_null(field->unit);
            assert_ptr_equal(qvFindField((qvObjectKind)kind, field->tag), field);
            bool hasRange =
                field->type == qv_fieldNumber || field->type == qv_fieldInt || field->type == qv_fieldVector;
            if (hasRange && !(field->minimum < field->maximum))
                fail_msg("%s has no range", field->tag);
            if (field->type == qv_fieldChoice)
                assert_true(field->tags != NULL && field->names != NULL);
        }
        assert_null(qvFindField((qvObjectKind)kind, "nonsense"));
    }
}

static void TestChoicesAreThoseOfTheLists(void** state)
{
    (void)state;
    const qvField* brush = qvFindField(qv_objectStroke, "brush");
    const qvField* shape = qvFindField(qv_objectEvent, "shape");
    const qvField* primitive = qvFindField(qv_objectMesh, "primitive");
    const qvField* interp = qvFindField(qv_objectKey, "interp");
    int shapes = 0;
    for (int i = 0; i < qvBrushCount(); i++)
    {
        assert_string_equal(brush->tags[i], qvGetBrush(i)->tag);
        assert_string_equal(brush->names[i], qvGetBrush(i)->label);
        if (qvGetBrush(i)->handle != NULL)
            assert_string_equal(shape->tags[shapes++], qvGetBrush(i)->tag);
    }
    assert_null(brush->tags[qvBrushCount()]);
    assert_null(shape->tags[shapes]);
    for (int i = 0; i < qvPrimitiveCount(); i++)
    {
        assert_string_equal(primitive->tags[i], qvGetPrimitive(i)->tag);
        assert_string_equal(primitive->names[i], qvGetPrimitive(i)->label);
    }
    assert_null(primitive->tags[qvPrimitiveCount()]);
    for (int i = 0; i < qv_interpCount; i++)
    {
        assert_string_equal(interp->tags[i], qvInterp_Tag((qvInterp)i));
        assert_string_equal(interp->names[i], qvInterp_Label((qvInterp)i));
    }
    assert_null(interp->tags[qv_interpCount]);
}

// Every parameter of every brush has a row of the same tag, label, unit and a range that holds it.
static void TestParametersHaveRows(void** state)
{
    (void)state;
    for (int b = 0; b < qvBrushCount(); b++)
    {
        for (int i = 0; i < qvGetBrush(b)->parameterCount; i++)
        {
            const qvParameter* parameter = &qvGetBrush(b)->parameters[i];
            const qvField* field = qvFindField(qv_objectStroke, parameter->tag);
            if (field == NULL)
                fail_msg("a stroke has no field \"%s\"", parameter->tag);
            assert_string_equal(field->label, parameter->label);
            assert_string_equal(field->unit, parameter->unit);
            assert_true(field->minimum <= parameter->minimum && field->maximum >= parameter->maximum);
        }
    }
}

static void TestReadField(void** state)
{
    (void)state;
    double v[4];
    const qvScene* scene = LoadScene("scene/full.json");
    qvRef theScene = { qv_objectScene, 0 }, material = { qv_objectMaterial, 0 }, mesh = { qv_objectMesh, 0 };
    qvRef start = { qv_objectKey, scene->keys[0]->id }, mid = { qv_objectKey, scene->keys[1]->id };
    qvRef stroke = { qv_objectStroke, scene->keys[1]->strokes.strokes[0]->id };
    qvRef smooth = { qv_objectStroke, scene->keys[1]->strokes.strokes[2]->id };
    qvRef kick = { qv_objectEvent, scene->events[1]->id }, other = { qv_objectEvent, scene->events[0]->id };
    assert_true(qvReadField(scene, theScene, "range", v) && v[0] == -0.5 && v[1] == 3.0);
    assert_true(qvReadField(scene, theScene, "loop", v) && v[0] == 1.0);
    assert_true(qvReadField(scene, theScene, "camera.target", v) && v[0] == 0.5 && v[2] == -2.0);
    assert_true(qvReadField(scene, theScene, "camera.lens", v) && v[0] == 50.0);
    assert_true(qvReadField(scene, theScene, "camera.ortho", v) && v[0] == 1.0);
    assert_true(qvReadField(scene, material, "gravity", v) && v[1] == -9.81);
    assert_true(qvReadField(scene, mesh, "primitive", v) && v[0] == 6.0);
    assert_true(qvReadField(scene, start, "transform.rotate", v) && v[1] == 1.0 && v[3] == 0.0);
    assert_true(qvReadField(scene, start, "transform.turns", v) && v[0] == -2.0);
    assert_true(qvReadField(scene, start, "interp", v) && v[0] == qv_interpHold);
    assert_true(qvReadField(scene, start, "wave.kind", v) && v[0] == 1.0);
    assert_true(qvReadField(scene, start, "frequency", v) && isnan(v[0]));
    assert_true(qvReadField(scene, start, "weight", v) && isinf(v[0]));
    assert_true(qvReadField(scene, mid, "velocity.mode", v) && v[0] == qv_velocitySet);
    assert_true(qvReadField(scene, mid, "velocity.value", v) && v[2] == 3.0);
    assert_true(qvReadField(scene, stroke, "mirror", v) && v[0] == 5.0);
    assert_true(qvReadField(scene, stroke, "at", v) && v[1] == 1.0);
    assert_true(qvReadField(scene, smooth, "brush", v) && v[0] == 5.0);
    assert_true(qvReadField(scene, smooth, "radius", v) && v[0] == 0.0);
    assert_true(qvReadField(scene, kick, "until", v) && v[0] == 2.0);
    assert_true(qvReadField(scene, other, "until", v) && isnan(v[0]));
    assert_true(qvReadField(scene, other, "vertex", v) && isnan(v[0]));
    assert_true(qvReadField(scene, kick, "load", v) && v[0] == 1.0);
    assert_false(qvReadField(scene, theScene, "name", v));
    assert_false(qvReadField(scene, mid, "strokes", v));
    assert_false(qvReadField(scene, mid, "nonsense", v));
    assert_false(qvReadField(scene, (qvRef){ qv_objectKey, 12345 }, "time", v));
    assert_string_equal(qvReadText(scene, kick, "name"), "Kick");
    assert_string_equal(qvReadText(scene, mid, "id"), "mid");
    assert_null(qvReadText(scene, mesh, "file"));
    assert_null(qvReadText(scene, mid, "time"));
    assert_null(qvReadText(scene, (qvRef){ qv_objectEvent, 12345 }, "name"));

    assert_true(qvField_Applies(scene, stroke, qvFindField(qv_objectStroke, "drag")));
    assert_false(qvField_Applies(scene, stroke, qvFindField(qv_objectStroke, "angle")));
    assert_false(qvField_Applies(scene, smooth, qvFindField(qv_objectStroke, "scales")));
    assert_false(qvField_Applies(scene, kick, qvFindField(qv_objectEvent, "drag")));
    assert_true(qvField_Applies(scene, mid, qvFindField(qv_objectKey, "time")));
    qvField amount = qvField_For(scene, smooth, qvFindField(qv_objectStroke, "amount"));
    assert_true(amount.minimum == 0.0 && amount.maximum == 1.0 && amount.standard == 0.5);
    qvReleaseScene(scene);
}

// A value over time reads as its first, is saved as it was, and a number makes it constant until that is undone.
static void TestCurves(void** state)
{
    (void)state;
    static const char text[] = "{\"quaver\":1,\"mesh\":{\"primitive\":\"imp\"},\"simulations\":[{\"engine\":\"points\","
                               "\"time\":0,\"wobble\":[[-1,4.5]],\"melt\":[[0,0.125],[0.5,1],[2,0]],\"dent\":0.25,"
                               "\"flow\":true}]}";
    const qvScene *scene, *again;
    qvDocument* document;
    qvError error;
    double v[4];
    char *printed, *after;
    ASSERT_OK(qvParseScene(text, strlen(text), "curves", &scene, &error), error);
    qvRef ref = { qv_objectSimulation, scene->simulations[0]->id };
    assert_true(qvReadField(scene, ref, "melt", v) && v[0] == 0.125);
    assert_true(qvReadField(scene, ref, "dent", v) && v[0] == 0.25);
    assert_true(qvReadField(scene, ref, "wobble", v) && v[0] == 4.5);
    assert_true(qvReadField(scene, ref, "flow", v) && v[0] == 1.0);
    const double(*knots)[2] = scene->simulations[0]->melt->data;
    assert_true(scene->simulations[0]->melt->size == sizeof(double[3][2]) && knots[1][0] == 0.5 && knots[2][1] == 0.0);

    ASSERT_OK(qvPrintScene(scene, &printed, &error), error);
    ASSERT_OK(qvParseScene(printed, strlen(printed), "again", &again, &error), error);
    assert_int_equal(qvScene_Hash(scene), qvScene_Hash(again));
    qvReleaseScene(again);

    ASSERT_OK(qvCreateDocument(scene, &document, &error), error);
    uint64_t before = qvScene_Hash(qvDocument_Scene(document));
    ASSERT_OK(qvDocument_SetNumber(document, ref, "melt", 0.125, &error), error);
    assert_null(qvDocument_Scene(document)->simulations[0]->melt);
    assert_int_not_equal(qvScene_Hash(qvDocument_Scene(document)), before);
    qvDocument_Undo(document);
    assert_int_equal(qvScene_Hash(qvDocument_Scene(document)), before);
    ASSERT_OK(qvPrintScene(qvDocument_Scene(document), &after, &error), error);
    assert_string_equal(after, printed);
    qvFreeText(printed);
    qvFreeText(after);
    qvCloseDocument(document);
    qvReleaseScene(scene);
}

static void TestPresets(void** state)
{
    (void)state;
    qvError error;
    qvBodyMaterial material;
    const qvScene* scene;
    qvDocument* document;
    ASSERT_OK(qvCreateScene(&(qvSceneMesh){ .primitive = "imp" }, &scene, &error), error);
    ASSERT_OK(qvCreateDocument(scene, &document, &error), error);
    int count = 0;
    for (; qvMaterialPreset(count, &material) != NULL; count++)
    {
        // Every preset is a material that a scene may have.
        qvRef ref = { qv_objectMaterial, 0 };
        ASSERT_OK(qvDocument_SetNumber(document, ref, "frequency", material.frequency, &error), error);
        ASSERT_OK(qvDocument_SetNumber(document, ref, "settle", material.settle, &error), error);
        ASSERT_OK(qvDocument_SetNumber(document, ref, "stiff_damping", material.stiffDamping, &error), error);
        ASSERT_OK(qvDocument_SetNumber(document, ref, "max_wobble", material.maxWobble, &error), error);
        ASSERT_OK(qvDocument_SetNumber(document, ref, "stretch", material.stretch, &error), error);
        ASSERT_OK(qvDocument_SetNumber(document, ref, "bend", material.bend, &error), error);
        ASSERT_OK(qvDocument_SetNumber(document, ref, "modes", material.modes, &error), error);
    }
    assert_int_equal(count, 5);
    qvCloseDocument(document);
    qvReleaseScene(scene);
}

// Whoever uses the solver without a scene starts from the same numbers as a scene that says nothing.
static void TestDefaultsAreTheSolvers(void** state)
{
    (void)state;
    qvError error;
    const qvScene* scene;
    ASSERT_OK(qvCreateScene(&(qvSceneMesh){ .primitive = "imp" }, &scene, &error), error);
    qvBodyMaterial material = qvDefaultBodyMaterial();
    qvSceneSecondary secondary = { .terms = qvDefaultSecondaryDef().terms };
    qvSceneStrip strip = { .def = qvDefaultMixerStrip() }, usual = { 0 };
    qvSceneEvent event = { .def = qvDefaultWaveEvent(0.0).def }, blow = qvDefaultSceneEvent();
    qvResetFields(qv_objectStrip, &usual);
    assert_true(qvHashFields(qv_objectMaterial, &material) == qvHashFields(qv_objectMaterial, &scene->material));
    assert_true(qvHashFields(qv_objectSecondary, &secondary) == qvHashFields(qv_objectSecondary, &scene->secondary));
    assert_true(qvHashFields(qv_objectStrip, &strip) == qvHashFields(qv_objectStrip, &usual));
    assert_true(qvHashFields(qv_objectEvent, &event) == qvHashFields(qv_objectEvent, &blow));
    assert_true(qvFindField(qv_objectObstacle, "friction")->standard == qvDefaultObstacleDef().friction);
    qvReleaseScene(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestRowsAreComplete),
        cmocka_unit_test(TestChoicesAreThoseOfTheLists),
        cmocka_unit_test(TestParametersHaveRows),
        cmocka_unit_test(TestReadField),
        cmocka_unit_test(TestCurves),
        cmocka_unit_test(TestPresets),
        cmocka_unit_test(TestDefaultsAreTheSolvers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
