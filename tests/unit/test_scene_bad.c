// SPDX-License-Identifier: GPL-3.0-or-later
// Bad scene files: one line that names the field.
#include "testing.h"

#include "quaver/scene.h"
#include "scene/migrate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Parses and expects a mistake; the message must hold `part`.
static void Expect(const char* text, const char* part)
{
    qvError error = { 0 };
    const qvScene* scene;
    qvResult result = qvParseScene(text, strlen(text), "bad.json", &scene, &error);
    if (result == qv_ok)
        fail_msg("accepted: %s", text);
    assert_null(scene);
    if (strncmp(error.message, "bad.json: ", 10) != 0 || strstr(error.message, part) == NULL)
        fail_msg("%s\n  gives: %s\n  not:   %s", text, error.message, part);
}

#define HEAD "{\"quaver\":2,\"mesh\":{\"primitive\":\"imp\"},"

static void TestRules(void** state)
{
    (void)state;
    static const struct
    {
        const char *text, *part;
    } cases[] = {
        { "", "line 1" },
        { "[]", "must be an object" },
        { "{}", "quaver: is missing" },
        { "{\"quaver\":3,\"mesh\":{\"primitive\":\"imp\"}}", "quaver: is version 3, this program reads up to 2" },
        { "{\"quaver\":0,\"mesh\":{\"primitive\":\"imp\"}}", "quaver: version 0 is too old" },
        { "{\"quaver\":\"1\",\"mesh\":{\"primitive\":\"imp\"}}", "quaver: must be" },
        { "{\"quaver\":1.5,\"mesh\":{\"primitive\":\"imp\"}}", "quaver: must be" },
        { "{\"quaver\":1}", "mesh: is missing" },
        { "{\"quaver\":1,\"mesh\":3}", "mesh: must be an object" },
        { "{\"quaver\":1,\"mesh\":{}}", "mesh: needs a \"file\" or a \"primitive\"" },
        { "{\"quaver\":1,\"mesh\":{\"file\":\"a.obj\",\"primitive\":\"imp\"}}", "mesh: has a \"file\" and" },
        { "{\"quaver\":1,\"mesh\":{\"file\":\"\"}}", "mesh.file: must not be empty" },
        { "{\"quaver\":1,\"mesh\":{\"primitive\":\"cube\"}}",
          "mesh.primitive: \"cube\" is unknown, must be one of sphere" },
        { HEAD "\"range\":[2,1]}", "range: is [2, 1], must end after it starts" },
        { HEAD "\"range\":[1,1]}", "range: is [1, 1], must end after it starts" },
        { HEAD "\"range\":[1]}", "range: must be a list of 2 numbers" },
        { HEAD "\"camera\":[0,1,2]}", "camera: must be an object" },
        { HEAD "\"camera\":{\"target\":[0,1]}}", "camera.target: must be a list of 3 numbers" },
        { HEAD "\"camera\":{\"pitch\":91}}", "camera.pitch: is 91, must be from -90 to 90" },
        { HEAD "\"camera\":{\"distance\":0}}", "camera.distance: is 0, must be positive" },
        { HEAD "\"camera\":{\"lens\":180}}", "camera.lens: is 180, must be from 1 to 150" },
        { HEAD "\"camera\":{\"ortho\":1}}", "camera.ortho: must be true or false" },
        { HEAD "\"keys\":{}}", "keys: must be a list" },
        { HEAD "\"keys\":[3]}", "keys[0]: must be an object" },
        { HEAD "\"keys\":[{}]}", "keys[0].time: is missing" },
        { HEAD "\"keys\":[{\"time\":0,\"interp\":\"bouncy\"}]}", "keys[0].interp: \"bouncy\" is unknown" },
        { HEAD "\"keys\":[{\"time\":0},{\"time\":1},{\"time\":2,\"strokes\":[{\"brush\":\"grab\",\"radius\":0}]}]}",
          "keys[2].strokes[0].radius: is 0, must be positive" },
        { HEAD "\"keys\":[{\"time\":0,\"strokes\":[{}]}]}", "keys[0].strokes[0].brush: is missing" },
        { HEAD "\"keys\":[{\"time\":0,\"strokes\":[{\"brush\":\"paint\"}]}]}",
          "keys[0].strokes[0].brush: \"paint\" is unknown, must be one of grab, bend" },
        { HEAD "\"keys\":[{\"time\":0,\"strokes\":[{\"brush\":\"twist\",\"axis\":[0,0,0]}]}]}",
          "keys[0].strokes[0].axis: must not be zero" },
        { HEAD "\"keys\":[{\"time\":0,\"strokes\":[{\"brush\":\"smooth\",\"amount\":2}]}]}",
          "keys[0].strokes[0].amount: is 2, must be from 0 to 1" },
        { HEAD "\"keys\":[{\"time\":0,\"strokes\":[{\"brush\":\"grab\",\"mirror\":\"xx\"}]}]}", "mirror: is \"xx\"" },
        { HEAD "\"keys\":[{\"time\":0,\"strokes\":[{\"brush\":\"grab\",\"mask\":\"AA*=\"}]}]}",
          "mask: is not base64 at character 2" },
        { HEAD "\"keys\":[{\"time\":0,\"strokes\":[{\"brush\":\"grab\",\"mask\":\"AAA=\"}]}]}", "mask: has 2 bytes" },
        { HEAD "\"keys\":[{\"time\":0,\"strokes\":[{\"brush\":\"grab\",\"mask\":\"AADAfw==\"}]}]}",
          "mask: number 0 is" },
        { HEAD "\"keys\":[{\"time\":0,\"base\":\"start\"}]}", "keys[0].base: must be \"rest\"" },
        { HEAD "\"keys\":[{\"time\":0,\"base\":{\"key\":\"x\"}}]}", "keys[0].base: there is no key with the id \"x\"" },
        { HEAD "\"keys\":[{\"time\":0,\"base\":{\"key\":\"x\",\"offsets\":\"\"}}]}", "keys[0].base: must be" },
        { HEAD "\"keys\":[{\"time\":0,\"base\":{\"offsets\":\"\"}}]}", "keys[0].base: offsets must not be empty" },
        { HEAD "\"keys\":[{\"time\":0,\"base\":{\"offsets\":\"AAAAAA==\"}}]}",
          "keys[0].base: has 4 bytes, must be a multiple of 12" },
        { HEAD "\"keys\":[{\"id\":\"a\",\"time\":0,\"base\":{\"key\":\"a\"}}]}",
          "key \"a\" at 0 s is its own base; name another key or \"rest\"" },
        { HEAD "\"keys\":[{\"id\":\"a\",\"time\":0,\"base\":{\"key\":\"b\"}},{\"id\":\"b\",\"time\":1,\"base\":{"
               "\"key\":\"c\"}},"
               "{\"id\":\"c\",\"time\":2,\"base\":{\"key\":\"a\"}}]}",
          "key \"a\" at 0 s is, over others, its own base; name another key or \"rest\"" },
        { HEAD "\"keys\":[{\"id\":\"a\",\"time\":1},{\"id\":\"b\",\"time\":0},{\"id\":\"c\",\"time\":1}]}",
          "keys \"a\" and \"c\" are both at 1 s" },
        { HEAD "\"keys\":[{\"id\":\"a\",\"time\":1},{\"id\":\"a\",\"time\":0}]}", "keys: two have the id \"a\"" },
        { HEAD "\"events\":[{\"id\":\"a\",\"time\":1},{\"id\":\"a\",\"time\":0}]}", "events: two have the id \"a\"" },
        { HEAD "\"loop\":true,\"range\":[0,2],\"keys\":[{\"time\":0},{\"time\":2}]}",
          "key \"k2\" at 2 s is at or beyond the end of the loop at 2 s" },
        { HEAD "\"loop\":true,\"keys\":[{\"time\":0},{\"time\":2}]}",
          "loop: needs a range that ends after the last key at 2 s" },
        { HEAD "\"keys\":[{\"time\":0,\"velocity\":{\"mode\":\"fast\"}}]}",
          "keys[0].velocity.mode: \"fast\" is unknown" },
        { HEAD "\"keys\":[{\"time\":0,\"velocity\":{\"value\":[1,0,0]}}]}",
          "keys[0].velocity.value: needs velocity.mode \"set\"" },
        { HEAD "\"keys\":[{\"time\":0,\"velocity\":{\"mode\":\"set\",\"in\":[1,0,0]}}]}",
          "keys[0].velocity.in: needs velocity.mode \"broken\"" },
        { HEAD "\"keys\":[{\"time\":0,\"velocity\":{\"mode\":\"broken\",\"in\":{\"strokes\":[{\"brush\":\"grab\","
               "\"scales\":4}]}}}]}",
          "keys[0].velocity.in.strokes[0].scales: is 4, must be from 1 to 3" },
        { HEAD "\"keys\":[{\"time\":0,\"transform\":{\"rotate\":[0,0,0,0]}}]}",
          "keys[0].transform.rotate: must not be zero" },
        { HEAD "\"keys\":[{\"time\":0,\"weight\":\"soft\"}]}", "keys[0].weight: must be \"hard\" or a number" },
        { HEAD "\"keys\":[{\"time\":0,\"only\":{\"vertices\":[1,-2]}}]}", "keys[0].only.vertices: item 1 must be" },
        { HEAD "\"pins\":[{\"vertices\":[0.5]}]}", "pins[0].vertices: item 0 must be" },
        { HEAD "\"pins\":[{\"box\":[[0,0,0],[1,-1,1]]}]}", "pins[0].box: the first corner" },
        { HEAD "\"pins\":[{\"box\":[[0,0,0]]}]}", "pins[0].box: must be two corners" },
        { HEAD "\"pins\":[{\"from\":2,\"to\":1}]}", "pins[0]: holds from 2 s to 1 s" },
        { HEAD "\"mixer\":[{\"mode\":3},{\"mode\":3}]}", "mixer[1].mode: mode 3 has a strip already" },
        { HEAD "\"events\":[{\"time\":1,\"shape\":\"smooth\"}]}", "events[0].shape: \"smooth\" is unknown" },
        { HEAD "\"events\":[{\"time\":1,\"until\":1}]}", "events[0]: lasts from 1 s until 1 s" },
        { HEAD "\"events\":[{\"time\":1,\"path\":[[1,2]]}]}", "events[0].path: item 0 must be a point" },
        { HEAD "\"ground\":{\"friction\":3}}", "ground.friction: is 3, must be from 0 to 2" },
        { HEAD "\"ground\":3}", "ground: must be an object" },
        { HEAD "\"obstacles\":[{\"shape\":\"cone\"}]}", "obstacles[0].shape: \"cone\" is unknown" },
        { HEAD "\"obstacles\":[{\"shape\":\"mesh\"}]}", "obstacles[0]: needs a \"file\"" },
        { HEAD "\"obstacles\":[{\"size\":[1,0,1],\"shape\":\"box\"}]}", "obstacles[0].size: " },
        { HEAD "\"obstacles\":[{},{\"keys\":[{\"time\":1},{\"time\":1}]}]}",
          "obstacles[1]: keys: the one at 1 s comes after the one at 1 s" },
        { HEAD "\"obstacles\":[{\"keys\":[{\"at\":[0,0,0]}]}]}", "obstacles[0].keys[0]" },
        { HEAD "\"obstacles\":[{\"id\":\"a\"},{\"id\":\"a\"}]}", "obstacles: two have the id \"a\"" },
        { HEAD "\"loop\":true,\"range\":[0,1],\"obstacles\":[{\"keys\":[{\"time\":1}]}]}",
          "obstacle \"o1\" has a key at 1 s, outside the loop from 0 s to 1 s" },
#define SPAN(more) HEAD "\"simulations\":[{\"engine\":\"points\",\"time\":0," more "}]}"
        { SPAN("\"melt\":[]"), "simulations[0].melt: must be a number or a list of 1 to 10000" },
        { SPAN("\"melt\":[[0,0],[1]]"), "simulations[0].melt: item 1 must be [seconds from the start, value]" },
        { SPAN("\"melt\":[[0,0],[1,1],[1,0]]"), "simulations[0].melt: item 2 at 1 s comes after one at 1 s" },
        { SPAN("\"melt\":[[0,0],[-1,1]]"), "simulations[0].melt: item 1 at -1 s comes after one at 0 s" },
        { SPAN("\"dent\":[[0,0],[1,1.5]]"), "simulations[0].dent: item 1 is 1.5, must be from 0 to 1" },
        { SPAN("\"wobble\":[[0,0]]"), "simulations[0].wobble: item 0 is 0, must be from 0.1 to 60" },
        { SPAN("\"wobble\":[[1e7,1]]"), "simulations[0].wobble: item 0 is at 1e+07 s" },
        { SPAN("\"melt\":[[1e999,1]]"), "the number is too large" },
        { SPAN("\"pieces\":17"), "simulations[0].pieces: is 17, must be from 1 to 16" },
        { SPAN("\"joints\":[{\"a\":1}]"), "simulations[0].joints[0]" },
        { SPAN("\"joints\":[{\"a\":1,\"b\":2},{\"a\":7,\"b\":7}]"),
          "simulations[0].joints[1]: joins vertex 7 to itself" },
        { SPAN("\"joints\":{\"a\":1,\"b\":2}"), "simulations[0].joints: " },
        { SPAN("\"parts\":[{\"wobble\":3}]"), "simulations[0].parts[0]" },
        { SPAN("\"parts\":[{\"at\":3,\"density\":0}]"), "simulations[0].parts[0].density: " },
#undef SPAN
        { HEAD "\"name\":\"\\ud800\"}", "" },
        { HEAD "\"name\":\"\xff\"}", "name: must be UTF-8" },
        { HEAD "\"fps\":1e999}", "fps: the number is too large" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        Expect(cases[i].text, cases[i].part);
}

// --- Every field, from the tables -----------------------------------------------------------------------------------

// A scene with one object of the kind that has this member.
static void Wrap(char* text, size_t capacity, qvObjectKind kind, const char* tag, const char* value)
{
    static const char* const frames[qv_objectKindCount][2] = {
        [qv_objectScene] = { HEAD, "}" },
        [qv_objectMesh] = { "{\"quaver\":2,\"mesh\":{", "}}" },
        [qv_objectClip] = { HEAD "\"clip\":{", "}}" },
        [qv_objectMaterial] = { HEAD "\"material\":{", "}}" },
        [qv_objectSecondary] = { HEAD "\"secondary\":{", "}}" },
        [qv_objectPin] = { HEAD "\"pins\":[{", "}]}" },
        [qv_objectStrip] = { HEAD "\"mixer\":[{", "}]}" },
        [qv_objectMarker] = { HEAD "\"markers\":[{", "}]}" },
        [qv_objectKey] = { HEAD "\"keys\":[{", "}]}" },
        [qv_objectStroke] = { HEAD "\"keys\":[{\"time\":0,\"strokes\":[{", "}]}]}" },
        [qv_objectEvent] = { HEAD "\"events\":[{", "}]}" },
        [qv_objectSimulation] = { HEAD "\"simulations\":[{", "}]}" },
        [qv_objectJoint] = { HEAD "\"simulations\":[{\"engine\":\"surface\",\"time\":0,\"joints\":[{", "}]}]}" },
        [qv_objectPart] = { HEAD "\"simulations\":[{\"engine\":\"surface\",\"time\":0,\"parts\":[{", "}]}]}" },
        [qv_objectObstacle] = { HEAD "\"obstacles\":[{", "}]}" },
        [qv_objectObstacleKey] = { HEAD "\"obstacles\":[{\"keys\":[{", "}]}]}" },
    };
    const char* needs = strcmp(tag, "time") != 0 && (kind == qv_objectMarker || kind == qv_objectKey ||
                                                     kind == qv_objectEvent || kind == qv_objectObstacleKey)
                            ? "\"time\":0,"
                        : kind == qv_objectJoint && strcmp(tag, "a") == 0           ? "\"b\":2000000000,"
                        : kind == qv_objectJoint && strcmp(tag, "b") == 0           ? "\"a\":2000000000,"
                        : kind == qv_objectPart && strcmp(tag, "at") != 0           ? "\"at\":0,"
                        : kind == qv_objectSimulation && strcmp(tag, "time") == 0   ? "\"engine\":\"points\","
                        : kind == qv_objectSimulation && strcmp(tag, "engine") == 0 ? "\"time\":0,"
                        : kind == qv_objectSimulation                          ? "\"engine\":\"points\",\"time\":0,"
                        : strcmp(tag, "brush") != 0 && kind == qv_objectStroke ? "\"brush\":\"twist\","
                        : strcmp(tag, "mode") != 0 && kind == qv_objectStrip   ? "\"mode\":0,"
                        : strncmp(tag, "velocity.i", 10) == 0 || strncmp(tag, "velocity.o", 10) == 0 ? ""
                        : kind == qv_objectMesh && strcmp(tag, "primitive") != 0 && strcmp(tag, "file") != 0
                            ? "\"primitive\":\"imp\","
                            : "";
    const char* mode = strcmp(tag, "velocity.value") == 0 ? "\"mode\":\"set\","
                       : strncmp(tag, "velocity.in", 11) == 0 || strncmp(tag, "velocity.out", 12) == 0
                           ? "\"mode\":\"broken\","
                           : "";
    const char* dot = strchr(tag, '.');
    if (dot == NULL)
        snprintf(text, capacity, "%s%s\"%s\":%s%s", frames[kind][0], needs, tag, value, frames[kind][1]);
    else
        snprintf(text, capacity, "%s%s\"%.*s\":{%s\"%s\":%s}%s", frames[kind][0], needs, (int)(dot - tag), tag, mode,
                 dot + 1, value, frames[kind][1]);
}

static void ExpectField(qvObjectKind kind, const qvField* field, const char* value)
{
    char text[4000], part[100];
    Wrap(text, sizeof(text), kind, field->tag, value);
    snprintf(part, sizeof(part), "%s: ", field->tag);
    Expect(text, part);
}

static void ExpectGood(qvObjectKind kind, const qvField* field, double number)
{
    char text[4000], value[40];
    qvError error;
    const qvScene* scene;
    snprintf(value, sizeof(value), "%.17g", number);
    Wrap(text, sizeof(text), kind, field->tag, value);
    if (qvParseScene(text, strlen(text), "good.json", &scene, &error) != qv_ok)
        fail_msg("%s: %s", text, error.message);
    qvReleaseScene(scene);
}

static void CheckNumber(qvObjectKind kind, const qvField* field)
{
    char value[40];
    bool isFraction = field->type == qv_fieldNumber;
    ExpectField(kind, field, "1e300");
    ExpectField(kind, field, "-1e300");
    ExpectField(kind, field, "[1]");
    ExpectField(kind, field, "true");
    snprintf(value, sizeof(value), "%.17g", isFraction ? nextafter(field->maximum, INFINITY) : field->maximum + 1);
    ExpectField(kind, field, value);
    snprintf(value, sizeof(value), "%.17g", isFraction ? nextafter(field->minimum, -INFINITY) : field->minimum - 1);
    ExpectField(kind, field, value);
    if (!isFraction)
        ExpectField(kind, field, "1.5");
    bool isEnd = strcmp(field->tag, "until") == 0 || strcmp(field->tag, "to") == 0;
    if (!isEnd)
        ExpectGood(kind, field, field->minimum);
    ExpectGood(kind, field, field->maximum);
}

static void CheckField(qvObjectKind kind, const qvField* field)
{
    static char longText[3000];
    bool isClip = kind == qv_objectScene && strcmp(field->tag, "clip") == 0; // null is none
    if (!isClip)
        ExpectField(kind, field, "null");
    if (strcmp(field->tag, "velocity.value") != 0 && strncmp(field->tag, "velocity.", 9) != 0 &&
        field->type != qv_fieldOther)
        ExpectField(kind, field, "{\"a\":1}");
    switch (field->type)
    {
    case qv_fieldNumber:
    case qv_fieldInt:
        CheckNumber(kind, field);
        ExpectField(kind, field, "\"1\"");
        break;
    case qv_fieldBool:
        ExpectField(kind, field, "1");
        ExpectField(kind, field, "\"true\"");
        break;
    case qv_fieldText:
        ExpectField(kind, field, "1");
        if (kind == qv_objectMesh || kind == qv_objectClip || strcmp(field->tag, "file") == 0)
            break;
        memset(longText, 'x', 2000);
        longText[0] = longText[2000] = '"';
        longText[2001] = 0;
        ExpectField(kind, field, longText);
        break;
    case qv_fieldVector:
    case qv_fieldPoint:
        ExpectField(kind, field, "[1,2]");
        ExpectField(kind, field, "[1,2,3,4]");
        ExpectField(kind, field, "[1,2,\"3\"]");
        ExpectField(kind, field, "[1,2,1e300]");
        ExpectField(kind, field, "1");
        break;
    case qv_fieldRotation:
        ExpectField(kind, field, "[1,2,3]");
        ExpectField(kind, field, "[1,2,3,1e300]");
        break;
    case qv_fieldRange:
        ExpectField(kind, field, "[1]");
        ExpectField(kind, field, "[1,1e300]");
        break;
    case qv_fieldAxes:
        ExpectField(kind, field, "\"w\"");
        ExpectField(kind, field, "1");
        break;
    case qv_fieldChoice:
        ExpectField(kind, field, "\"nonsense\"");
        ExpectField(kind, field, "0");
        break;
    case qv_fieldOther:
        ExpectField(kind, field, "3");
        ExpectField(kind, field, "true");
        break;
    }
}

static void TestEveryField(void** state)
{
    (void)state;
    int count = 0;
    for (int kind = 0; kind < qv_objectKindCount; kind++)
    {
        for (int i = 0; i < qvFieldCount((qvObjectKind)kind); i++, count++)
        {
            const qvField* field = qvGetField((qvObjectKind)kind, i);
            bool isMesh = kind == qv_objectScene && strcmp(field->tag, "mesh") == 0; // the frame has one already
            if (!isMesh)
                CheckField((qvObjectKind)kind, field);
        }
    }
    assert_true(count > 100);
}

// --- Bombs ----------------------------------------------------------------------------------------------------------

static void TestBombs(void** state)
{
    (void)state;
    size_t size = 12 << 20;
    char* text = malloc(size + 1);
    assert_non_null(text);
    int head = snprintf(text, size, HEAD "\"keys\":[");
    size_t at = (size_t)head;
    for (int i = 0; i < 5000; i++)
        at += (size_t)snprintf(text + at, size - at, "%s{\"time\":%d}", i > 0 ? "," : "", i);
    snprintf(text + at, size - at, "]}");
    Expect(text, "keys: has 5000 items, must have at most 4096");

    memset(text + head, '[', size - (size_t)head);
    text[size] = 0;
    Expect(text, "nested too deeply");

    for (at = (size_t)head; at + 2 < size; at += 2)
        memcpy(text + at, "1,", 2);
    text[at] = 0;
    Expect(text, "too many values");
    free(text);
}

// --- Versions -------------------------------------------------------------------------------------------------------

static qvResult RenameDamping(qvJson* root, qvError* error)
{
    (void)error;
    qvJson* damping = qvJson_Find(root, "damping");
    if (damping != NULL)
        qvJson_AddNumber(root, "settle", qvJson_Number(damping));
    qvJson_Remove(root, damping);
    return qv_ok;
}

static qvResult Refuse(qvJson* root, qvError* error)
{
    (void)root;
    return qvError_Set(error, qv_badInput, "damping: cannot be converted");
}

static void TestMigration(void** state)
{
    (void)state;
    static const qvMigration good[] = { { 1, RenameDamping }, { 2, RenameDamping } }, bad[] = { { 1, Refuse } };
    qvError error;
    qvJson* root;
    ASSERT_OK(qvParseJson("{\"quaver\":1,\"damping\":2}", 24, NULL, &root, &error), error);
    assert_int_equal(qvMigrate(root, bad, 1, 2, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "damping: cannot");
    assert_int_equal(qvMigrate(root, good, 1, 3, &error), qv_unsupported);
    ASSERT_CONTAINS(error.message, "version 2 is too old");
    ASSERT_OK(qvMigrate(root, good, 2, 3, &error), error);
    assert_null(qvJson_Find(root, "damping"));
    assert_true(qvJson_Number(qvJson_Find(root, "settle")) == 2.0);
    ASSERT_OK(qvMigrate(root, NULL, 0, 1, &error), error);
    qvDestroyJson(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestRules),
        cmocka_unit_test(TestEveryField),
        cmocka_unit_test(TestBombs),
        cmocka_unit_test(TestMigration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
