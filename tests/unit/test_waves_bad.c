// SPDX-License-Identifier: GPL-3.0-or-later
// What a wave layer does with bad and extreme input: a clear error, or something finite.
#include "waves_testing.h"

static void AssertRefused(const qvWaveLayerDef* def, const char* part)
{
    qvError error = { 0 };
    qvWaveLayer* layer = (qvWaveLayer*)1;
    assert_int_equal(qvCreateWaveLayer(def, NULL, &layer, &error), qv_badInput);
    assert_null(layer);
    ASSERT_CONTAINS(error.message, part);
}

// Every number out of its range, or not a number, is refused by its name.
static void TestNumbers(void** state)
{
    (void)state;
    static const struct
    {
        const char *shape, *tag;
        size_t offset;
    } numbers[] = {
#define NUMBER(shape, name, field) { shape, #name, offsetof(qvWaveEvent, def.field) }
        NUMBER("grab", time, time),
        NUMBER("grab", until, until),
        NUMBER("grab", at, stroke.at.x),
        NUMBER("grab", at, stroke.at.z),
        NUMBER("grab", drag, stroke.drag.y),
        NUMBER("twist", axis, stroke.axis.x),
        NUMBER("pinch", axis, stroke.axis.z),
        NUMBER("twist", angle, stroke.angle),
        NUMBER("scale", amount, stroke.amount),
        NUMBER("grab", radius, stroke.radius),
        NUMBER("grab", speed, speed),
        NUMBER("grab", poisson, stroke.poisson),
        NUMBER("grab", fade, fade),
#undef NUMBER
    };
    const double bad[] = { NAN, -INFINITY, 2e30 };
    qvError error;
    for (size_t i = 0; i < 3 * sizeof(numbers) / sizeof(numbers[0]); i++)
    {
        qvWaveEvent event = qvDefaultWaveEvent(2.0);
        event.def.stroke.brush = qvFindBrush(numbers[i / 3].shape);
        ASSERT_OK(qvWaveEvent_Validate(&event, &error), error);
        const char* tag = numbers[i / 3].tag;
        if (strcmp(tag, "until") == 0 && i % 3 == 2)
            continue; // any late end is good
        *(double*)(void*)((char*)&event + numbers[i / 3].offset) = bad[i % 3];
        assert_int_equal(qvWaveEvent_Validate(&event, &error), qv_badInput);
        assert_true(strncmp(error.message, tag, strlen(tag)) == 0);
    }
    static const int scales[] = { -7, 0, 4 };
    for (int i = 0; i < 3; i++)
    {
        qvWaveEvent event = qvDefaultWaveEvent(2.0);
        event.def.stroke.scales = scales[i];
        assert_int_equal(qvWaveEvent_Validate(&event, &error), qv_badInput);
        ASSERT_CONTAINS(error.message, "scales");
    }
    qvWaveEvent event = qvDefaultWaveEvent(2.0);
    ASSERT_NEAR(event.def.stroke.radius, 0.3, 1e-15);
    ASSERT_NEAR(event.def.speed, 3.0, 0.0);
    assert_true(isinf(event.def.until) && event.def.stroke.connected && !event.def.push);
}

static void TestRefusals(void** state)
{
    (void)state;
    Body body;
    MakeBody(&body, "sphere", 6);
    qvWaveEvent events[2];
    qvWaveLayerDef def = StillDef(&body, events, 2);
    for (int i = 0; i < 2; i++)
        events[i] = GrabEvent(&body, 1, 0.0, qvMakeVec3(0.1, 0, 0));
    events[1].def.stroke.drag.y = 1e30;
    AssertRefused(&def, "event 1: drag: 1e+30");
    events[1].def.stroke.drag.y = 0.0;
    events[1].def.stroke.radius = 0.0;
    AssertRefused(&def, "event 1: radius");
    events[1].def.stroke.radius = 0.3;
    events[1].def.time = 2.0;
    events[1].def.until = 1.0;
    AssertRefused(&def, "event 1: until");
    events[1].def.until = 2.0;
    AssertRefused(&def, "event 1: until");
    events[1].def.until = INFINITY;
    events[1].def.vertex = body.count;
    AssertRefused(&def, "event 1: vertex");
    events[1].def.vertex = 1;
    events[1].def.stroke.brush = qvFindBrush("smooth");
    AssertRefused(&def, "event 1: shape");
    events[1].def.stroke.brush = qvFindBrush("twist");
    events[1].def.stroke.axis = qvMakeVec3(0, 0, 0);
    AssertRefused(&def, "event 1: axis");
    events[1].def.stroke.brush = qvFindBrush("scale");
    events[1].def.stroke.amount = 0.5;
    events[1].def.stroke.poisson = 0.5;
    AssertRefused(&def, "event 1: poisson");
    qvVec3 path[2] = { { 0, 0, 0 }, { 1e6, 0, 0 } };
    events[1] = events[0];
    events[1].path = path;
    events[1].pathCount = 2;
    AssertRefused(&def, "event 1: path");
    events[1].pathCount = 1;
    AssertRefused(&def, "event 1: path");
    events[1].pathCount = 2;
    events[1].def.stroke.brush = qvFindBrush("twist");
    AssertRefused(&def, "event 1: path: a twist");
    events[1] = events[0];
    def.period = -1.0;
    AssertRefused(&def, "loop");
    def.period = 0.0;
    double keys[2] = { 1.0, NAN };
    def.hardKeys = keys;
    def.hardKeyCount = 2;
    AssertRefused(&def, "hard keys");
    def.hardKeyCount = 0;
    qvKeyWave wave = qvDefaultKeyWave();
    def.keys = &wave;
    def.keyCount = 1;
    wave.speed = 0.0;
    AssertRefused(&def, "key 0: its wave's speed");
    wave.speed = 1.0;
    wave.amount = INFINITY;
    AssertRefused(&def, "key 0: its wave's amount");
    FreeBody(&body);
}

static void AssertFinite(const qvWaveLayer* layer, const Body* body, double time)
{
    qvVec3f* d = Displacements(layer, body->count, time, NULL);
    for (int i = 0; i < body->count; i++)
        assert_true(isfinite(d[i].x) && isfinite(d[i].y) && isfinite(d[i].z));
    free(d);
}

// The ends of all ranges give finite places at any time.
static void TestExtremes(void** state)
{
    (void)state;
    Body body;
    MakeBody(&body, "sphere", 6);
    static const double radii[] = { 1e-9, 0.3, 1e9 }, speeds[] = { 1e-6, 3.0, 1e6 }, drags[] = { 1e-9, 0.1, 1e9 };
    static const double times[] = { -1e6, 0.0, 1e-9, 0.01, 1.0, 1e6, 1e12 };
    for (int k = 0; k < 27 * 2; k++)
    {
        qvWaveEvent event = GrabEvent(&body, 2, 0.0, qvMakeVec3(0, drags[k / 9 % 3], 0));
        event.def.stroke.radius = radii[k % 3];
        event.def.speed = speeds[k / 3 % 3];
        event.def.push = k >= 27;
        event.def.fade = k % 2 == 0 ? 1e3 : 0.0;
        event.def.stroke.scales = 1 + k % 3;
        qvWaveLayerDef def = StillDef(&body, &event, 1);
        qvWaveLayer* layer = MustMake(&def);
        for (int t = 0; t < 7; t++)
            AssertFinite(layer, &body, times[t]);
        qvDestroyWaveLayer(layer);
    }
    FreeBody(&body);
}

// Events far outside of any range, before and after: the early ones have long passed, the late ones do nothing.
static void TestOutside(void** state)
{
    (void)state;
    Body body;
    MakeBody(&body, "sphere", 6);
    qvWaveEvent events[2] = { GrabEvent(&body, 2, -1e5, qvMakeVec3(0, 0.1, 0)),
                              GrabEvent(&body, 2, 1e5, qvMakeVec3(0, 0.1, 0)) };
    qvWaveLayerDef def = StillDef(&body, events, 2);
    qvWaveLayer* layer = MustMake(&def);
    assert_true(LargestAt(layer, body.count, 1.0) == 0.0);
    qvDestroyWaveLayer(layer);
    FreeBody(&body);
}

static void TestThousand(void** state)
{
    (void)state;
    enum
    {
        COUNT = 1000
    };
    Body body;
    MakeBody(&body, "sphere", 8);
    qvWaveEvent* events = calloc(COUNT, sizeof(*events));
    for (int i = 0; i < COUNT; i++)
        events[i] = GrabEvent(&body, 3, 0.5, qvMakeVec3(0, 1e-4, 0));
    qvWaveLayerDef def = StillDef(&body, events, COUNT);
    qvWaveLayer* layer = MustMake(&def);
    assert_int_equal(qvWaveLayer_Stats(layer).loadCount, COUNT);
    assert_int_equal(qvWaveLayer_Stats(layer).snapshotCount, 1);
    qvVec3f* d = Displacements(layer, body.count, 0.54, NULL);
    ASSERT_NEAR(d[3].y, 0.1, 0.01);
    free(d);
    qvDestroyWaveLayer(layer);
    free(events);
    FreeBody(&body);
}

static void TestNothing(void** state)
{
    (void)state;
    Body body;
    MakeBody(&body, "sphere", 6);
    qvWaveEvent events[2] = { GrabEvent(&body, 2, 0.0, qvMakeVec3(0, 0, 0)),
                              GrabEvent(&body, 2, 0.0, qvMakeVec3(0, 0.1, 0)) };
    events[1].def.mute = true;
    for (int count = 0; count <= 2; count++)
    {
        qvWaveLayerDef def = StillDef(&body, events, count);
        qvWaveLayer* layer = MustMake(&def);
        assert_true(LargestAt(layer, body.count, 0.1) == 0.0);
        qvVec3f* points = calloc((size_t)body.count, sizeof(qvVec3f));
        memcpy(points, body.rest, (size_t)body.count * sizeof(qvVec3f));
        AddLayer(layer, 0.1, NULL, points);
        assert_memory_equal(points, body.rest, (size_t)body.count * sizeof(qvVec3f));
        free(points);
        qvDestroyWaveLayer(layer);
    }
    qvDestroyWaveLayer(NULL);
    FreeBody(&body);
}

static bool Stop(void* context, const char* stage, double fraction)
{
    (void)context, (void)stage, (void)fraction;
    return false;
}

static bool StopAtTen(void* context, const char* stage, double fraction)
{
    (void)stage, (void)fraction;
    return ++*(int*)context < 10;
}

// A path is many loads, between which the layer asks whether to go on.
static void TestCancelPath(void** state)
{
    (void)state;
    Body body;
    MakeBody(&body, "sphere", 3);
    const qvVec3 path[2] = { { -1, 0, 0 }, { 1, 0, 0 } };
    qvWaveEvent event = GrabEvent(&body, 2, 0.0, qvMakeVec3(0, 0.1, 0));
    event.path = path, event.pathCount = 2, event.def.stroke.radius = 0.1;
    qvWaveLayerDef def = StillDef(&body, &event, 1);
    int calls = 0;
    qvJob job = { .progress = StopAtTen, .context = &calls };
    qvWaveLayer* layer;
    qvError error;
    assert_int_equal(qvCreateWaveLayer(&def, &job, &layer, &error), qv_cancelled);
    assert_null(layer);
    assert_int_equal(calls, 10);
    FreeBody(&body);
}

// What the waves do at keys is measured at the end, which takes long where there are many of both.
static void TestCancelMisses(void** state)
{
    (void)state;
    Body body;
    MakeBody(&body, "sphere", 6);
    const double keys[] = { 0.01, 0.02, 0.03, 0.04, 0.05, 0.06 };
    qvWaveEvent event = GrabEvent(&body, 2, 0.0, qvMakeVec3(0, 0.1, 0));
    qvWaveLayerDef def = StillDef(&body, &event, 1);
    def.hardKeys = keys;
    def.hardKeyCount = 6;
    int calls = -1000;
    qvJob job = { .progress = StopAtTen, .context = &calls };
    qvWaveLayer* layer;
    qvError error;
    ASSERT_OK(qvCreateWaveLayer(&def, &job, &layer, &error), error);
    qvDestroyWaveLayer(layer);
    assert_true(calls > -1000 + 3 * def.hardKeyCount);
    calls = 10 - (calls + 1000); // as many as before until the refusal
    assert_int_equal(qvCreateWaveLayer(&def, &job, &layer, &error), qv_cancelled);
    assert_null(layer);
    FreeBody(&body);
}

static void TestCancel(void** state)
{
    (void)state;
    Body body;
    MakeBody(&body, "sphere", 6);
    qvWaveEvent event = GrabEvent(&body, 2, 0.0, qvMakeVec3(0, 0.1, 0));
    qvWaveLayerDef def = StillDef(&body, &event, 1);
    qvJob job = { .progress = Stop };
    qvError error;
    qvWaveLayer* layer;
    assert_int_equal(qvCreateWaveLayer(&def, &job, &layer, &error), qv_cancelled);
    assert_null(layer);
    qvSecondaryDef secondary = qvDefaultSecondaryDef();
    secondary.topology = body.topology;
    secondary.rest = body.rest;
    secondary.base = def.base;
    qvWaveEvent* events;
    int count;
    assert_int_equal(qvCreateSecondaryEvents(&secondary, &job, &events, &count, NULL, &error), qv_cancelled);
    assert_null(events);
    FreeBody(&body);
}

static void TestSecondaryRefusals(void** state)
{
    (void)state;
    Body body;
    MakeBody(&body, "sphere", 6);
    static const char* const tags[] = { "amount", "threshold", "radius", "speed", "poisson", "fade", "rate", "range" };
    for (int i = 0; i < 9; i++)
    {
        qvSecondaryDef def = qvDefaultSecondaryDef();
        def.topology = body.topology;
        def.rest = body.rest;
        def.base = qvMakeStillBase(&body.still);
        double* fields[] = { &def.terms.amount, &def.terms.threshold, &def.terms.radius, &def.terms.speed, &def.poisson,
                             &def.fade,         &def.terms.rate,      &def.end };
        if (i < 8)
            *fields[i] = i % 2 == 0 ? NAN : -1e30;
        else
            def.terms.max = 0;
        qvWaveEvent* events;
        int count;
        qvError error;
        assert_int_equal(qvCreateSecondaryEvents(&def, NULL, &events, &count, NULL, &error), qv_badInput);
        ASSERT_CONTAINS(error.message, i < 8 ? tags[i] : "max");
    }
    FreeBody(&body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestNumbers),           cmocka_unit_test(TestRefusals),     cmocka_unit_test(TestExtremes),
        cmocka_unit_test(TestOutside),           cmocka_unit_test(TestThousand),     cmocka_unit_test(TestNothing),
        cmocka_unit_test(TestCancelPath),        cmocka_unit_test(TestCancelMisses), cmocka_unit_test(TestCancel),
        cmocka_unit_test(TestSecondaryRefusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
