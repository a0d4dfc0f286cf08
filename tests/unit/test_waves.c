// SPDX-License-Identifier: GPL-3.0-or-later
// Layers of wave events: on a body at rest, on a moving one, in loops.
#include "waves_testing.h"

#include "math/affine.h"
#include "waves/layer.h"

// --- Single events ---------------------------------------------------------------------------------------------------

static void TestImpulse(void** state)
{
    (void)state;
    Body body;
    MakeBody(&body, "sphere", 12);
    qvWaveEvent event = GrabEvent(&body, 5, 1.0, qvMakeVec3(0.02, 0.05, -0.01));
    qvWaveLayerDef def = StillDef(&body, &event, 1);
    qvWaveLayer* layer = MustMake(&def);
    assert_true(LargestAt(layer, body.count, 0.5) == 0.0);
    assert_true(LargestAt(layer, body.count, 1.0) == 0.0);
    double peak = 0.0, drag = qvLength(event.def.stroke.drag);
    for (double time = 1.001; time < 1.3; time += 0.001)
    {
        qvVec3f* d = Displacements(layer, body.count, time, NULL);
        peak = fmax(peak, SizeOf(d[5]));
        free(d);
    }
    ASSERT_NEAR(peak, drag, 1e-3 * drag);
    assert_true(LargestAt(layer, body.count, 4.0) < 1e-4 * drag);
    assert_true(LargestAt(layer, body.count, 40.0) < 1e-6 * drag);
    assert_int_equal(qvWaveLayer_ActiveCount(layer, 0.9), 0);
    assert_int_equal(qvWaveLayer_ActiveCount(layer, 1.1), 1);
    assert_int_equal(qvWaveLayer_ActiveCount(layer, 1e3), 0);
    qvDestroyWaveLayer(layer);
    FreeBody(&body);
}

static void TestPushStays(void** state)
{
    (void)state;
    Body body;
    MakeBody(&body, "sphere", 12);
    qvWaveEvent event = GrabEvent(&body, 7, 0.0, qvMakeVec3(0.0, -0.1, 0.05));
    event.def.push = true;
    qvWaveLayerDef def = StillDef(&body, &event, 1);
    qvWaveLayer* layer = MustMake(&def);
    assert_true(LargestAt(layer, body.count, 0.0) == 0.0);
    for (double time = 5.0; time < 1e4; time *= 10.0)
    {
        qvVec3f* d = Displacements(layer, body.count, time, NULL);
        ASSERT_NEAR(qvDistance(qvVec3_FromFloat(d[7]), event.def.stroke.drag), 0.0,
                    1e-4 * qvLength(event.def.stroke.drag));
        free(d);
    }
    qvDestroyWaveLayer(layer);
    FreeBody(&body);
}

// Twist, scale and pinch do at their centre what they say: the gradient there, by differences of two points of a body
// that has points around the centre.
static void TestShapes(void** state)
{
    (void)state;
    static const char* const shapes[] = { "twist", "scale", "pinch" };
    Body body;
    MakeBody(&body, "sphere", 40);
    for (int k = 0; k < 3; k++)
    {
        qvWaveEvent event = GrabEvent(&body, -1, 0.0, qvMakeVec3(0, 0, 0));
        event.def.stroke.brush = qvFindBrush(shapes[k]);
        event.def.push = true;
        event.def.stroke.axis = qvMakeVec3(0, 0, 2);
        event.def.stroke.angle = 0.5;
        event.def.stroke.amount = 0.4;
        event.def.stroke.radius = 1.0;
        event.def.stroke.at = qvVec3_FromFloat(body.rest[0]);
        qvWaveLayerDef def = StillDef(&body, &event, 1);
        qvWaveLayer* layer = MustMake(&def);
        qvVec3f* d = Displacements(layer, body.count, 1e3, NULL);
        int next = body.topology->neighbors[body.topology->neighborStart[0]];
        qvVec3 arm = qvSub(qvVec3_FromFloat(body.rest[next]), event.def.stroke.at);
        qvVec3 moved = qvAdd(arm, qvSub(qvVec3_FromFloat(d[next]), qvVec3_FromFloat(d[0])));
        double across = pow(1.4, -0.5), along = 1.4;
        qvVec3 expected =
            k == 0   ? qvMakeVec3(cos(0.5) * arm.x - sin(0.5) * arm.y, sin(0.5) * arm.x + cos(0.5) * arm.y, arm.z)
            : k == 1 ? qvScale(1.4, arm)
                     : qvMakeVec3(across * arm.x, across * arm.y, along * arm.z);
        ASSERT_NEAR(qvDistance(moved, expected), 0.0, 0.02 * qvLength(arm));
        free(d);
        qvDestroyWaveLayer(layer);
    }
    FreeBody(&body);
}

// --- Windows ---------------------------------------------------------------------------------------------------------

static void TestWindow(void** state)
{
    (void)state;
    qvWindow window = { 1.0, 3.0 };
    double h = 1e-4;
    for (int end = 0; end < 2; end++)
    {
        double at = end == 0 ? 1.0 : 3.0, f[5];
        for (int i = 0; i < 5; i++)
            f[i] = qvWindow_Factor(window, at + (i - 2) * h);
        ASSERT_NEAR(f[2], end == 0 ? 1.0 : 0.0, 0.0);
        ASSERT_NEAR((f[3] - f[1]) / (2 * h), 0.0, 1e-6);
        ASSERT_NEAR((f[4] - 2 * f[2] + f[0]) / (4 * h * h), 0.0, 1e-3);
    }
    // It falls all the way, and not trivially.
    double before = 1.0;
    for (double age = 1.1; age < 3.0; age += 0.1)
    {
        double now = qvWindow_Factor(window, age);
        assert_true(now < before);
        before = now;
    }
    ASSERT_NEAR(qvWindow_Factor(window, 2.0), 0.5, 1e-15);
    ASSERT_NEAR(qvWindow_Factor(qvOpenWindow(), 1e300), 1.0, 0.0);
}

static void TestUntil(void** state)
{
    (void)state;
    Body body;
    MakeBody(&body, "sphere", 10);
    qvWaveEvent events[2];
    events[0] = GrabEvent(&body, 3, 0.0, qvMakeVec3(0.1, 0, 0));
    events[0].def.push = true;
    events[1] = events[0];
    events[1].def.until = 4.0;
    qvWaveLayerDef open = StillDef(&body, &events[0], 1), closed = StillDef(&body, &events[1], 1);
    qvWaveLayer *a = MustMake(&open), *b = MustMake(&closed);
    // The same until the last quarter; then the push times the window.
    for (double time = 0.5; time < 5.0; time += 0.5)
    {
        qvVec3f *x = Displacements(a, body.count, time, NULL), *y = Displacements(b, body.count, time, NULL);
        double factor = qvWindow_Factor((qvWindow){ 3.0, 4.0 }, time);
        for (int i = 0; i < body.count; i++)
            ASSERT_NEAR(y[i].x, factor * x[i].x, 1e-7);
        free(x);
        free(y);
    }
    assert_true(LargestAt(b, body.count, 4.0) == 0.0);
    qvDestroyWaveLayer(a);
    qvDestroyWaveLayer(b);
    FreeBody(&body);
}

// --- Several loads ---------------------------------------------------------------------------------------------------

static void TestSuperposition(void** state)
{
    (void)state;
    Body body;
    MakeBody(&body, "sack", 8);
    qvWaveEvent events[3] = { GrabEvent(&body, 3, 0.0, qvMakeVec3(0.1, 0, 0)),
                              GrabEvent(&body, 40, 0.1, qvMakeVec3(0, 0.1, 0.1)),
                              GrabEvent(&body, 90, 0.1, qvMakeVec3(0, 0, 0)) };
    events[2].def.stroke.brush = qvFindBrush("twist");
    events[2].def.stroke.angle = 0.8;
    qvVec3f* sum = calloc((size_t)body.count, sizeof(qvVec3f));
    for (int i = 0; i < 3; i++)
    {
        events[i].independent = true;
        qvWaveLayerDef def = StillDef(&body, &events[i], 1);
        qvWaveLayer* layer = MustMake(&def);
        qvVec3f* d = Displacements(layer, body.count, 0.3, NULL);
        for (int k = 0; k < body.count; k++)
            sum[k] = (qvVec3f){ sum[k].x + d[k].x, sum[k].y + d[k].y, sum[k].z + d[k].z };
        free(d);
        qvDestroyWaveLayer(layer);
    }
    qvWaveLayerDef def = StillDef(&body, events, 3);
    qvWaveLayer* layer = MustMake(&def);
    qvVec3f* all = Displacements(layer, body.count, 0.3, NULL);
    assert_true(LargestSize(all, body.count) > 0.02);
    ASSERT_NEAR(LargestDistance(sum, all, body.count), 0.0, 1e-6);
    free(all);
    free(sum);
    qvDestroyWaveLayer(layer);
    FreeBody(&body);
}

// Against the time series of the Kelvinlets (eq. 20), which finds the material points on its own.
static void TestMaterialPoints(void** state)
{
    (void)state;
    Body body;
    MakeBody(&body, "sack", 8);
    size_t n = (size_t)body.count;
    qvWaveEvent events[2] = { GrabEvent(&body, 3, 0.0, qvMakeVec3(0.3, 0, 0)),
                              GrabEvent(&body, 4, 0.3, qvMakeVec3(0, 0.2, 0.1)) };
    events[0].def.push = true;
    qvWaveLayerDef def = StillDef(&body, events, 2);
    qvWaveLayer* layer = MustMake(&def);
    assert_int_equal(qvWaveLayer_Stats(layer).snapshotCount, 2);

    qvError error;
    float* storage = calloc(6 * n, sizeof(float));
    qvPointsf points = { storage, storage + n, storage + 2 * n, body.count };
    qvPointsf out = { storage + 3 * n, storage + 4 * n, storage + 5 * n, body.count };
    for (int i = 0; i < body.count; i++)
        points.x[i] = body.rest[i].x, points.y[i] = body.rest[i].y, points.z[i] = body.rest[i].z;
    // The second centre is where the first wave has carried its point.
    qvVec3f* early = Displacements(layer, body.count, 0.3, NULL);
    qvWave waves[2];
    for (int i = 0; i < 2; i++)
    {
        waves[i] = (qvWave){ .load = qvDefaultKelvinlet(), .start = events[i].def.time };
        waves[i].load.time = i == 0 ? qv_kelvinletPush : qv_kelvinletImpulse;
        waves[i].load.center = qvVec3_FromFloat(body.rest[events[i].def.vertex]);
        qvKelvinlet_SetRadius(&waves[i].load, events[i].def.stroke.radius, 1);
        qvKelvinlet_SetSpeed(&waves[i].load, events[i].def.speed);
        ASSERT_OK(qvKelvinlet_SetDisplacement(&waves[i].load, events[i].def.stroke.drag, &error), error);
    }
    assert_true(SizeOf(early[4]) > 0.01);
    waves[1].load.center = qvAdd(waves[1].load.center, qvVec3_FromFloat(early[4]));
    qvAdvection options = qvDefaultAdvection();
    options.substeps = 8;
    qvWaveSeries* series;
    ASSERT_OK(qvCreateWaveSeries(waves, 2, &options, &points, NULL, NULL, &series, &error), error);
    for (double time = 0.1; time < 1.0; time += 0.2)
    {
        qvVec3f* d = Displacements(layer, body.count, time, NULL);
        ASSERT_OK(qvWaveSeries_Evaluate(series, time, NULL, &out, &error), error);
        for (int i = 0; i < body.count; i++)
            ASSERT_NEAR(hypot(hypot(d[i].x - out.x[i], d[i].y - out.y[i]), d[i].z - out.z[i]), 0.0, 3e-4);
        free(d);
    }
    qvDestroyWaveSeries(series);
    qvDestroyWaveLayer(layer);
    free(early);
    free(storage);
    FreeBody(&body);
}

static void TestPath(void** state)
{
    (void)state;
    Body body;
    MakeBody(&body, "sheet", 40);
    // From end to end along the row of points in the middle.
    qvVec3 path[3] = { { -0.6, 0, 0 }, { 0, 0, 0 }, { 0.6, 0, 0 } };
    qvVec3 middle = { 0 };
    for (int i = 0; i < body.count; i++)
        middle = qvMulAdd(middle, 1.0 / body.count, qvVec3_FromFloat(body.rest[i]));
    for (int i = 0; i < 3; i++)
        path[i] = qvAdd(path[i], middle);
    for (int push = 0; push < 2; push++)
    {
        qvWaveEvent event = GrabEvent(&body, -1, 0.0, qvMakeVec3(0, 0, 0.05));
        event.path = path;
        event.pathCount = 3;
        event.def.push = push != 0;
        event.def.stroke.radius = 0.15;
        qvWaveLayerDef def = StillDef(&body, &event, 1);
        qvWaveLayer* layer = MustMake(&def);
        assert_int_equal(qvWaveLayer_Stats(layer).loadCount, 13);
        double peaks[3] = { 0 };
        for (double time = 0.005; time < 3.0; time += push ? 0.5 : 0.005)
        {
            qvVec3f* d = Displacements(layer, body.count, time, NULL);
            for (int k = 0; k < 3; k++)
            {
                double best = INFINITY, moved = 0.0;
                for (int i = 0; i < body.count; i++)
                {
                    double distance = qvDistance(qvVec3_FromFloat(body.rest[i]), path[k]);
                    moved = distance < best ? SizeOf(d[i]) : moved;
                    best = fmin(best, distance);
                }
                peaks[k] = push ? moved : fmax(peaks[k], moved);
            }
            free(d);
        }
        // All along the curve alike; impulses peak somewhat less towards its ends.
        ASSERT_NEAR(peaks[1], 0.05, 0.1 * 0.05);
        ASSERT_NEAR(peaks[0], 0.05, push ? 0.1 * 0.05 : 0.5 * 0.05);
        ASSERT_NEAR(peaks[2], peaks[0], 1e-3);
        qvDestroyWaveLayer(layer);
    }
    FreeBody(&body);
}

// --- Masks and parts -------------------------------------------------------------------------------------------------

// Two spheres side by side in one mesh.
static void MakeTwins(Body* body)
{
    qvError error;
    qvMesh *one, *both;
    ASSERT_OK(qvCreatePrimitive("sphere", 8, &one, &error), error);
    int n = one->vertexCount, t = one->triangleCount;
    qvVec3f* positions = calloc(2 * (size_t)n, sizeof(qvVec3f));
    int32_t* corners = calloc(6 * (size_t)t, sizeof(int32_t));
    for (int i = 0; i < 2 * n; i++)
    {
        positions[i] = one->positions[i % n];
        positions[i].x += i < n ? 0.0f : 2.2f;
    }
    for (int i = 0; i < 6 * t; i++)
        corners[i] = one->triangles[i / 3 % t].v[i % 3] + (i < 3 * t ? 0 : n);
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = 2 * n;
    def.positions = positions;
    def.faceCount = 2 * t;
    def.corners = corners;
    ASSERT_OK(qvCreateMesh(&def, &both, NULL, &error), error);
    InitBody(body, both);
    assert_int_equal(body->topology->partCount, 2);
    free(positions);
    free(corners);
    qvDestroyMesh(one);
}

static double LargestOfPart(const Body* body, const qvVec3f* d, int part)
{
    double largest = 0.0;
    for (int i = 0; i < body->count; i++)
    {
        if (body->topology->pointPart[i] == part)
            largest = fmax(largest, SizeOf(d[i]));
    }
    return largest;
}

static void TestConnectedAndMask(void** state)
{
    (void)state;
    Body body;
    MakeTwins(&body);
    int vertex = 0; // of part 0, nearest to the other
    for (int i = 0; i < body.count; i++)
        vertex = body.topology->pointPart[i] == 0 && body.rest[i].x > body.rest[vertex].x ? i : vertex;
    for (int connected = 0; connected < 2; connected++)
    {
        for (int byPlace = 0; byPlace < 2; byPlace++)
        {
            qvWaveEvent event = GrabEvent(&body, byPlace ? -1 : vertex, 0.0, qvMakeVec3(0, 0.1, 0));
            event.def.stroke.at = qvVec3_FromFloat(body.rest[vertex]);
            event.def.stroke.connected = connected != 0;
            qvWaveLayerDef def = StillDef(&body, &event, 1);
            qvWaveLayer* layer = MustMake(&def);
            qvVec3f* d = Displacements(layer, body.count, 0.15, NULL);
            assert_true(LargestOfPart(&body, d, 0) > 0.01);
            assert_true(connected ? LargestOfPart(&body, d, 1) == 0.0 : LargestOfPart(&body, d, 1) > 1e-3);
            free(d);
            qvDestroyWaveLayer(layer);
        }
    }
    float* mask = calloc((size_t)body.count, sizeof(float));
    for (int i = 0; i < body.count; i++)
        mask[i] = body.rest[i].y > 1.0f ? 0.5f : 0.0f;
    qvWaveEvent events[2] = { GrabEvent(&body, vertex, 0.0, qvMakeVec3(0, 0.1, 0)) };
    events[1] = events[0];
    events[1].mask = mask;
    qvWaveLayerDef plain = StillDef(&body, &events[0], 1), masked = StillDef(&body, &events[1], 1);
    qvWaveLayer *a = MustMake(&plain), *b = MustMake(&masked);
    qvVec3f *x = Displacements(a, body.count, 0.2, NULL), *y = Displacements(b, body.count, 0.2, NULL);
    for (int i = 0; i < body.count; i++)
        ASSERT_NEAR(y[i].y, mask[i] * x[i].y, 1e-8);
    free(x);
    free(y);
    free(mask);
    qvDestroyWaveLayer(a);
    qvDestroyWaveLayer(b);
    FreeBody(&body);
}

// --- A moving body ---------------------------------------------------------------------------------------------------

// A body that turns about y and moves along x, without deforming.
static qvAffine SpinFrame(const void* context, double time)
{
    (void)context;
    qvQuat turn = { 0.0, sin(time), 0.0, cos(time) };
    return qvAffine_FromParts(qvMakeVec3(2.0 * time, 0.5 * time * time, 0.0), turn, qvMakeVec3(1, 1, 1));
}

static void SpinPoints(const void* context, double time, void* scratch, qvPool* pool, qvVec3f* points)
{
    (void)scratch, (void)pool;
    const qvStillBase* still = context;
    qvAffine frame = SpinFrame(NULL, time);
    for (int i = 0; i < still->pointCount; i++)
        points[i] = qvVec3_ToFloat(qvAffine_Point(&frame, qvVec3_FromFloat(still->points[i])));
}

static void TestFrame(void** state)
{
    (void)state;
    Body body;
    MakeBody(&body, "sack", 8);
    qvWaveEvent events[2] = { GrabEvent(&body, 30, 0.7, qvMakeVec3(0.2, 0, 0)),
                              GrabEvent(&body, -1, 0.9, qvMakeVec3(0, 0.1, 0.1)) };
    events[1].def.stroke.at = qvMakeVec3(0.3, 1.1, 0.2);
    events[0].def.speed = events[1].def.speed = 0.5;
    qvWaveLayerDef def = StillDef(&body, events, 2);
    qvWaveLayer* still = MustMake(&def);
    for (int fitted = 0; fitted < 2; fitted++)
    {
        def.base.points = SpinPoints;
        def.base.frame = fitted ? NULL : SpinFrame;
        qvWaveLayer* moving = MustMake(&def);
        for (double time = 0.8; time < 1.6; time += 0.2)
        {
            qvVec3f* a = Displacements(still, body.count, time, NULL);
            qvVec3f *b = calloc((size_t)body.count, sizeof(qvVec3f)),
                    *d = Displacements(moving, body.count, time, NULL);
            SpinPoints(&body.still, time, NULL, NULL, b);
            AddLayer(moving, time, NULL, b);
            qvAffine frame = SpinFrame(NULL, time);
            assert_true(LargestSize(a, body.count) > 0.005);
            for (int i = 0; i < body.count; i++)
            {
                qvVec3 moved = qvAdd(qvVec3_FromFloat(body.rest[i]), qvVec3_FromFloat(a[i]));
                ASSERT_NEAR(qvDistance(qvAffine_Point(&frame, moved), qvVec3_FromFloat(b[i])), 0.0, 3e-6);
                qvVec3 turned = qvAffine_Vector(&frame, qvVec3_FromFloat(a[i]));
                ASSERT_NEAR(qvDistance(turned, qvVec3_FromFloat(d[i])), 0.0, 3e-6);
            }
            free(a);
            free(b);
            free(d);
        }
        qvDestroyWaveLayer(moving);
    }
    qvDestroyWaveLayer(still);
    FreeBody(&body);
}

// A place follows the surface next to it, and one inside follows what is around it.
static void StretchedPoints(const void* context, double time, void* scratch, qvPool* pool, qvVec3f* points)
{
    (void)scratch, (void)pool;
    const qvStillBase* still = context;
    for (int i = 0; i < still->pointCount; i++)
    {
        points[i] = still->points[i];
        points[i].x *= (float)(1.0 + time);
    }
}

static void TestAttached(void** state)
{
    (void)state;
    Body body;
    MakeBody(&body, "sphere", 16);
    qvVec3 center = { 0 };
    for (int i = 0; i < body.count; i++)
        center = qvMulAdd(center, 1.0 / body.count, qvVec3_FromFloat(body.rest[i]));
    qvWaveEvent events[2] = { GrabEvent(&body, 9, 1.0, qvMakeVec3(0, 0.1, 0)),
                              GrabEvent(&body, -1, 1.0, qvMakeVec3(0, 0.1, 0)) };
    events[1].def.stroke.at = qvVec3_FromFloat(body.rest[9]);
    qvVec3f* d[2];
    for (int i = 0; i < 2; i++)
    {
        qvWaveLayerDef def = StillDef(&body, &events[i], 1);
        def.base.points = StretchedPoints;
        qvWaveLayer* layer = MustMake(&def);
        d[i] = Displacements(layer, body.count, 1.04, NULL);
        qvDestroyWaveLayer(layer);
    }
    assert_true(SizeOf(d[0][9]) > 0.05);
    ASSERT_NEAR(LargestDistance(d[0], d[1], body.count), 0.0, 1e-5);
    free(d[0]);
    free(d[1]);
    FreeBody(&body);
}

// A place a little off the surface follows what is next to it, not the whole body; the middle follows all around it.
static void TestCarry(void** state)
{
    (void)state;
    Body body;
    MakeBody(&body, "sphere", 24);
    size_t n = (size_t)body.count;
    double* from = calloc(3 * n, sizeof(double));
    float* storage = calloc(3 * n, sizeof(float));
    qvPointsf to = { storage, storage + n, storage + 2 * n, body.count };
    qvVec3 middle = { 0.0, 1.0, 0.0 };
    for (int i = 0; i < body.count; i++)
    {
        qvVec3f p = body.rest[i];
        from[3 * i] = p.x, from[3 * i + 1] = p.y, from[3 * i + 2] = p.z;
        to.x[i] = 2.0f * p.x, to.y[i] = p.y + 0.25f, to.z[i] = p.z;
    }
    for (int i = 0; i < body.count; i += 7)
    {
        qvVec3 at = qvMulAdd(middle, 1.05, qvSub(qvVec3_FromFloat(body.rest[i]), middle));
        qvVec3 moved = qvCarryPlace(body.topology, -1, from, &to, at);
        ASSERT_NEAR(moved.x, 2.0 * at.x, 0.1);
        ASSERT_NEAR(moved.y, at.y + 0.25, 1e-6);
    }
    qvVec3 moved = qvCarryPlace(body.topology, -1, from, &to, middle);
    ASSERT_NEAR(moved.x, 0.0, 1e-3);
    ASSERT_NEAR(moved.y, 1.25, 1e-6);
    free(from);
    free(storage);
    FreeBody(&body);
}

// Small loads take fewer evaluations and end where more steps would have them.
static void TestSmallLoads(void** state)
{
    (void)state;
    Body body;
    MakeBody(&body, "sphere", 16);
    for (int push = 0; push < 2; push++)
    {
        qvWaveEvent event = GrabEvent(&body, 30, 0.0, qvMakeVec3(0.0, 0.14 * 0.3, 0.0));
        event.def.push = push != 0;
        qvWaveLayerDef def = StillDef(&body, &event, 1);
        qvWaveLayer* quick = MustMake(&def);
        def.substeps = 8;
        qvWaveLayer* exact = MustMake(&def);
        for (double time = 0.02; time < 0.5; time *= 2.0)
        {
            qvVec3f *a = Displacements(quick, body.count, time, NULL),
                    *b = Displacements(exact, body.count, time, NULL);
            ASSERT_NEAR(LargestDistance(a, b, body.count), 0.0, 3e-4 * event.def.stroke.radius);
            free(a);
            free(b);
        }
        qvDestroyWaveLayer(quick);
        qvDestroyWaveLayer(exact);
    }
    FreeBody(&body);
}

// Blocks of points that a load leaves out are those that it moves by less than 1e-7 of its peak, also where its centre
// travels far: against the same load on all points.
static void TestCulling(void** state)
{
    (void)state;
    qvError error;
    Body body;
    MakeBody(&body, "tentacle", 24);
    size_t n = (size_t)body.count;
    float* storage = calloc(6 * n, sizeof(float));
    qvPointsf points = { storage, storage + n, storage + 2 * n, body.count };
    qvPointsf out = { storage + 3 * n, storage + 4 * n, storage + 5 * n, body.count };
    int lowest = 0, zeros = 0;
    for (int i = 0; i < body.count; i++)
    {
        points.x[i] = body.rest[i].x, points.y[i] = body.rest[i].y, points.z[i] = body.rest[i].z;
        lowest = body.rest[i].y < body.rest[lowest].y ? i : lowest;
    }
    qvWaveEvent event = GrabEvent(&body, lowest, 0.0, qvMakeVec3(0.0, 1.5, 0.0)); // along the tentacle
    event.def.stroke.radius = 0.05;
    qvWaveLayerDef def = StillDef(&body, &event, 1);
    def.substeps = 32;
    qvWaveLayer* layer = MustMake(&def);
    qvKelvinlet load = qvDefaultKelvinlet();
    load.time = qv_kelvinletImpulse;
    load.center = qvVec3_FromFloat(body.rest[lowest]);
    qvKelvinlet_SetRadius(&load, event.def.stroke.radius, 1);
    qvKelvinlet_SetSpeed(&load, event.def.speed);
    ASSERT_OK(qvKelvinlet_SetDisplacement(&load, event.def.stroke.drag, &error), error);
    qvAdvection options = qvDefaultAdvection();
    options.substeps = def.substeps;
    options.cull = false;
    double peak = qvKelvinlet_Peak(&load);
    for (double age = 0.002; age < 0.6; age *= 2.0)
    {
        qvVec3f* d = Displacements(layer, body.count, age, NULL);
        ASSERT_OK(qvAdvectf(&load, 1, age, &options, &points, &out, NULL, &error), error);
        for (int i = 0; i < body.count; i++)
        {
            double off = hypot(hypot(d[i].x - out.x[i], d[i].y - out.y[i]), d[i].z - out.z[i]);
            ASSERT_NEAR(off, 0.0, 1e-7 * peak);
            zeros += SizeOf(d[i]) == 0.0 && out.y[i] != 0.0f;
        }
        free(d);
    }
    assert_true(zeros > qv_blockSize);
    qvDestroyWaveLayer(layer);
    free(storage);
    FreeBody(&body);
}

// --- Loops, threads, colours -----------------------------------------------------------------------------------------

static void TestLoop(void** state)
{
    (void)state;
    Body body;
    MakeBody(&body, "sphere", 10);
    qvWaveEvent events[2] = { GrabEvent(&body, 3, 0.8, qvMakeVec3(0.1, 0, 0)),
                              GrabEvent(&body, 60, 0.3, qvMakeVec3(0, 0.1, 0)) };
    events[0].def.speed = 0.8; // takes several periods to pass
    events[1].def.push = true;
    qvWaveLayerDef def = StillDef(&body, events, 2);
    def.period = 1.0;
    qvWaveLayer* layer = MustMake(&def);
    for (double time = 0.0; time < 1.0; time += 0.1)
    {
        qvVec3f *a = Displacements(layer, body.count, time, NULL),
                *b = Displacements(layer, body.count, time + 7.0, NULL);
        assert_true(LargestSize(a, body.count) > 1e-3);
        ASSERT_NEAR(LargestDistance(a, b, body.count), 0.0, 1e-6);
        free(a);
        free(b);
    }
    // Nothing jumps anywhere: not at the seam, nor where an event begins or ends.
    static const double moments[] = { 0.0, 0.3, 0.8, 1.0, 1.3 };
    for (int i = 0; i < 5; i++)
    {
        qvVec3f* a = Displacements(layer, body.count, moments[i] - 1e-6, NULL);
        qvVec3f* b = Displacements(layer, body.count, moments[i] + 1e-6, NULL);
        ASSERT_NEAR(LargestDistance(a, b, body.count), 0.0, 2e-6);
        free(a);
        free(b);
    }
    qvDestroyWaveLayer(layer);
    FreeBody(&body);
}

static void TestThreads(void** state)
{
    (void)state;
    Body body;
    MakeBody(&body, "imp", 10);
    qvWaveEvent events[20];
    uint64_t random = 3;
    for (int i = 0; i < 20; i++)
    {
        events[i] = GrabEvent(&body, RandomInt(&random, body.count), 0.5 * RandomUnit(&random),
                              qvMakeVec3(RandomUnit(&random) - 0.5, RandomUnit(&random) - 0.5, 0.1));
        events[i].def.push = i % 3 == 0;
        events[i].def.stroke.scales = 1 + i % 3;
    }
    qvError error;
    qvPool* pool;
    ASSERT_OK(qvCreatePool(4, &pool, &error), error);
    qvWaveLayerDef def = StillDef(&body, events, 20);
    qvWaveLayer *one = MustMake(&def), *four;
    qvJob job = { .pool = pool };
    ASSERT_OK(qvCreateWaveLayer(&def, &job, &four, &error), error);
    for (double time = 1.0; time > 0.0; time -= 0.15) // backwards: any order
    {
        qvVec3f *a = Displacements(one, body.count, time, NULL), *b = Displacements(four, body.count, time, pool);
        assert_memory_equal(a, b, (size_t)body.count * sizeof(qvVec3f));
        free(a);
        free(b);
    }
    qvDestroyWaveLayer(one);
    qvDestroyWaveLayer(four);
    qvDestroyPool(pool);
    FreeBody(&body);
}

static void TestColors(void** state)
{
    (void)state;
    Body body;
    MakeBody(&body, "sphere", 12);
    qvWaveEvent event = GrabEvent(&body, 11, 0.0, qvMakeVec3(0, 0.1, 0));
    event.def.push = true;
    qvWaveLayerDef def = StillDef(&body, &event, 1);
    qvWaveLayer* layer = MustMake(&def);
    void* scratch = malloc(qvWaveLayer_ScratchSize(layer));
    float* values = calloc((size_t)body.count, sizeof(float));
    qvWaveLayer_Colors(layer, 100.0, qv_waveColorSize, scratch, NULL, values);
    ASSERT_NEAR(values[11], 1.0, 1e-3);
    qvWaveLayer_Colors(layer, 100.0, qv_waveColorSpeed, scratch, NULL, values);
    ASSERT_NEAR(values[11], 0.0, 1e-3);
    double largest = 0.0;
    qvWaveLayer_Colors(layer, 0.05, qv_waveColorSpeed, scratch, NULL, values);
    for (int i = 0; i < body.count; i++)
        largest = fmax(largest, values[i]);
    assert_true(largest > 0.1 && largest < 3.0);
    free(scratch);
    free(values);
    qvDestroyWaveLayer(layer);
    FreeBody(&body);
}

// --- Presets and targets ---------------------------------------------------------------------------------------------

static void TestPresets(void** state)
{
    (void)state;
    static const char* const tags[] = { "punch", "footfall", "ripple", "dent", "shockwave", "twist_snap" };
    assert_int_equal(qvWavePresetCount(), 6);
    Body body;
    MakeBody(&body, "sack", 8);
    for (int i = 0; i < 6; i++)
    {
        assert_string_equal(qvGetWavePreset(i)->tag, tags[i]);
        qvError error;
        qvWaveEvent event = qvDefaultWaveEvent(body.diagonal);
        qvWavePreset_Apply(i, body.diagonal, qvMakeVec3(0, -2, 0), &event.def);
        ASSERT_OK(qvWaveEvent_Validate(&event, &error), error);
        event.def.vertex = 20;
        qvWaveLayerDef def = StillDef(&body, &event, 1);
        qvWaveLayer* layer = MustMake(&def);
        double largest = 0.0;
        for (double time = 0.02; time < 0.5; time += 0.04)
            largest = fmax(largest, LargestAt(layer, body.count, time));
        assert_true(largest > 0.005 * body.diagonal && largest < 0.25 * body.diagonal);
        double left = LargestAt(layer, body.count, 30.0);
        assert_true(strcmp(tags[i], "dent") == 0 ? left > 0.03 : left < 1e-4 * body.diagonal);
        qvDestroyWaveLayer(layer);
    }
    FreeBody(&body);
}

static void TestTargets(void** state)
{
    (void)state;
    Body body;
    MakeBody(&body, "sack", 8);
    qvWaveEvent events[2] = { GrabEvent(&body, 380, 0.4, qvMakeVec3(0, 0, 0)),
                              GrabEvent(&body, 10, 0.1, qvMakeVec3(0, 0, 0)) };
    events[1].def.push = true;
    qvWaveTarget targets[2] = { { qvVec3_FromFloat(body.rest[10]), 0.46, { 0.1, 0.05, 0.0 } },
                                { qvVec3_FromFloat(body.rest[380]), 0.46, { 0.0, 0.1, -0.1 } } };
    qvSolveReport report;
    qvError error;
    ASSERT_OK(qvSolveWaveEvents(events, 2, body.rest, targets, 2, &report, &error), error);
    assert_true(report.residual < 1e-5);
    qvWaveLayerDef def = StillDef(&body, events, 2);
    def.substeps = 8;
    // The layer's centres follow the earlier waves, the solve's do not: let them be independent.
    events[0].independent = events[1].independent = true;
    qvWaveLayer* layer = MustMake(&def);
    for (int i = 0; i < 2; i++)
    {
        qvVec3f* d = Displacements(layer, body.count, targets[i].time, NULL);
        qvVec3f moved = d[i == 0 ? 10 : 380];
        ASSERT_NEAR(qvDistance(qvVec3_FromFloat(moved), targets[i].displacement), 0.0, 0.03 * 0.14);
        free(d);
    }
    qvDestroyWaveLayer(layer);
    // Before the waves have begun nothing can be met.
    targets[0].time = targets[1].time = 0.05;
    assert_int_not_equal(qvSolveWaveEvents(events, 2, body.rest, targets, 2, &report, &error), qv_ok);
    FreeBody(&body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestImpulse),          cmocka_unit_test(TestPushStays), cmocka_unit_test(TestShapes),
        cmocka_unit_test(TestWindow),           cmocka_unit_test(TestUntil),     cmocka_unit_test(TestSuperposition),
        cmocka_unit_test(TestMaterialPoints),   cmocka_unit_test(TestPath),      cmocka_unit_test(TestFrame),
        cmocka_unit_test(TestConnectedAndMask), cmocka_unit_test(TestAttached),  cmocka_unit_test(TestLoop),
        cmocka_unit_test(TestThreads),          cmocka_unit_test(TestColors),    cmocka_unit_test(TestPresets),
        cmocka_unit_test(TestTargets),          cmocka_unit_test(TestCarry),     cmocka_unit_test(TestSmallLoads),
        cmocka_unit_test(TestCulling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
