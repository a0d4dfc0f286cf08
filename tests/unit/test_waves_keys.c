// SPDX-License-Identifier: GPL-3.0-or-later
// Waves of keys: changes that travel, ripples, and how waves leave later keys alone.
#include "waves_testing.h"

#include "math/affine.h"
#include "waves/layer.h"
#include "waves/window.h"

enum
{
    MAX_KEYS = 4,
    MAX_STROKES = 3
};

// Keys at times 1, 2, 3…, each held until the next; before the first one its pose.
typedef struct Scene
{
    Body body;
    int keyCount;
    double* bases[MAX_KEYS];
    double* poses[MAX_KEYS];
    qvWaveStroke strokes[MAX_KEYS][MAX_STROKES];
    qvKeyWave keys[MAX_KEYS];
    double missed[MAX_KEYS]; // by the base motion: 0 is at the pose, 1 at its base
} Scene;

static void ScenePoints(const void* context, double time, void* scratch, qvPool* pool, qvVec3f* points)
{
    (void)scratch, (void)pool;
    const Scene* scene = context;
    int key = 0;
    while (key + 1 < scene->keyCount && time >= scene->keys[key + 1].time)
        key++;
    const qvKeyWave* wave = &scene->keys[key];
    for (int i = 0; i < scene->body.count; i++)
    {
        const double *p = wave->pose + 3 * i, *b = wave->base + 3 * i;
        qvVec3 back = qvMakeVec3(b[0] - p[0], b[1] - p[1], b[2] - p[2]);
        qvVec3 place = qvMulAdd(qvMakeVec3(p[0], p[1], p[2]), scene->missed[key], back);
        points[i] = qvVec3_ToFloat(qvAffine_Point(&wave->transform, place));
    }
}

static qvAffine SceneFrame(const void* context, double time)
{
    const Scene* scene = context;
    int key = 0;
    while (key + 1 < scene->keyCount && time >= scene->keys[key + 1].time)
        key++;
    return scene->keys[key].transform;
}

// Adds a key with a base (NULL: rest) and strokes.
static void AddKey(Scene* scene, const double* base, int strokeCount)
{
    int k = scene->keyCount++;
    size_t n = (size_t)scene->body.count;
    scene->bases[k] = calloc(3 * n, sizeof(double));
    scene->poses[k] = calloc(3 * n, sizeof(double));
    qvVec3* points = calloc(n, sizeof(qvVec3));
    for (size_t i = 0; i < n; i++)
    {
        qvVec3 p = qvVec3_FromFloat(scene->body.rest[i]);
        points[i] = base != NULL ? qvMakeVec3(base[3 * i], base[3 * i + 1], base[3 * i + 2]) : p;
    }
    memcpy(scene->bases[k], points, n * sizeof(qvVec3));
    qvError error;
    for (int s = 0; s < strokeCount; s++)
    {
        const qvWaveStroke* stroke = &scene->strokes[k][s];
        qvStrokeTarget target = { .pointCount = (int)n, .weights = stroke->weights, .topology = scene->body.topology };
        ASSERT_OK(qvStroke_Apply(&stroke->stroke, &target, NULL, points, &error), error);
    }
    memcpy(scene->poses[k], points, n * sizeof(qvVec3));
    free(points);
    scene->keys[k] = qvDefaultKeyWave();
    scene->keys[k].time = k + 1.0;
    scene->keys[k].base = scene->bases[k];
    scene->keys[k].pose = scene->poses[k];
    scene->keys[k].strokes = scene->strokes[k];
    scene->keys[k].strokeCount = strokeCount;
}

static qvAffine IdentityFrame(const void* context, double time)
{
    (void)context, (void)time;
    return qvAffine_Identity();
}

static qvWaveLayerDef SceneDef(const Scene* scene)
{
    qvWaveLayerDef def = qvDefaultWaveLayerDef();
    def.topology = scene->body.topology;
    def.rest = scene->body.rest;
    def.base =
        (qvBaseMotion){ .context = scene, .pointCount = scene->body.count, .points = ScenePoints, .frame = SceneFrame };
    def.keys = scene->keys;
    def.keyCount = scene->keyCount;
    return def;
}

static qvWaveLayer* MakeSceneLayer(const Scene* scene, bool keepKeys, bool hard, double period)
{
    qvWaveLayerDef def = SceneDef(scene);
    double times[MAX_KEYS];
    for (int i = 0; i < scene->keyCount; i++)
        times[i] = scene->keys[i].time;
    def.keepKeys = keepKeys;
    def.hardKeys = times;
    def.hardKeyCount = hard ? scene->keyCount : 0;
    def.period = period;
    return MustMake(&def);
}

static void FreeScene(Scene* scene)
{
    for (int i = 0; i < scene->keyCount; i++)
    {
        free(scene->bases[i]);
        free(scene->poses[i]);
    }
    FreeBody(&scene->body);
}

static qvStroke MakeStroke(const Scene* scene, const char* brush, qvVec3 at)
{
    qvStroke stroke = qvDefaultStroke(qvFindBrush(brush), scene->body.diagonal);
    stroke.at = at;
    stroke.radius = 0.3;
    return stroke;
}

// Largest distance from a key's pose (in the world) at a time, waves included.
static double Miss(const Scene* scene, const qvWaveLayer* layer, double time, int key)
{
    size_t n = (size_t)scene->body.count;
    qvVec3f* points = calloc(n, sizeof(qvVec3f));
    ScenePoints(scene, time, NULL, NULL, points);
    AddLayer(layer, time, NULL, points);
    double largest = 0.0;
    for (size_t i = 0; i < n; i++)
    {
        const double* p = scene->poses[key] + 3 * i;
        qvVec3 wanted = qvAffine_Point(&scene->keys[key].transform, qvMakeVec3(p[0], p[1], p[2]));
        double d = qvDistance(wanted, qvVec3_FromFloat(points[i]));
        largest = d <= largest ? largest : d;
    }
    free(points);
    return largest;
}

// --- Changes ---------------------------------------------------------------------------------------------------------

static const double DRAG = 0.4;

// A scene in which key 1 is reached by a travelling change. kind: 0 both keys from rest, 1 based on the key before,
// 2 based on another shape, 3 turned and moved by its transform as well.
static void MakeChange(Scene* scene, int kind)
{
    *scene = (Scene){ .keyCount = 0 };
    MakeBody(&scene->body, "sack", 9);
    scene->strokes[0][0].stroke = MakeStroke(scene, "grab", qvMakeVec3(0.0, 1.8, 0.0));
    scene->strokes[0][0].stroke.drag = qvMakeVec3(-0.3, 0.1, 0.0);
    AddKey(scene, NULL, 1);
    scene->strokes[1][0].stroke = MakeStroke(scene, "grab", qvMakeVec3(0.3, 1.0, 0.4));
    scene->strokes[1][0].stroke.drag = qvMakeVec3(DRAG, 0.0, 0.0);
    scene->strokes[1][0].stroke.mirror = 1;
    scene->strokes[1][1].stroke = MakeStroke(scene, "twist", qvMakeVec3(0.0, 1.5, 0.0));
    scene->strokes[1][1].stroke.angle = 0.9;
    scene->strokes[1][1].stroke.radius = 0.5;
    scene->strokes[1][2].stroke = MakeStroke(scene, "smooth", qvMakeVec3(0.0, 0.5, 0.4));
    double* other = calloc(3 * (size_t)scene->body.count, sizeof(double));
    for (int i = 0; i < 3 * scene->body.count; i++)
        other[i] = 1.3 * scene->bases[0][i];
    AddKey(scene, kind == 1 ? scene->poses[0] : kind == 2 ? other : NULL, 3);
    free(other);
    scene->keys[1].kind = qv_keyWaveChange;
    if (kind == 3)
    {
        qvQuat turn = { 0.0, sin(0.4), 0.0, cos(0.4) };
        scene->keys[1].transform = qvAffine_FromParts(qvMakeVec3(0.5, 0.2, 0.0), turn, qvMakeVec3(1, 1, 1));
    }
}

static void TestChange(void** state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++)
    {
        Scene scene;
        MakeChange(&scene, kind);
        qvWaveLayer* layer = MakeSceneLayer(&scene, true, false, 0.0);
        // Before: nothing. At the key: exactly the pose before.
        assert_true(LargestAt(layer, scene.body.count, 1.999999) == 0.0);
        ASSERT_NEAR(Miss(&scene, layer, 2.0, 0), 0.0, 1e-6);
        ASSERT_NEAR(Miss(&scene, layer, 2.0 + 1e-4, 0), 0.0, 1e-5);
        // On the way it is neither; then it arrives.
        assert_true(Miss(&scene, layer, 2.1, 0) > 0.05 && Miss(&scene, layer, 2.1, 1) > 0.05);
        double passed = (scene.body.diagonal + 12.0 * 0.5) / 3.0;
        assert_true(Miss(&scene, layer, 2.0 + passed, 1) < 1e-4 * DRAG);
        assert_true(LargestAt(layer, scene.body.count, 1e4) == 0.0);
        // Where the evaluation stops nothing is left that could jump.
        double end = 0.0;
        for (double time = 3.0; time < 60.0; time += 0.05)
            end = LargestAt(layer, scene.body.count, time) > 0.0 ? time : end;
        assert_true(end > 4.0 && end < 59.0);
        assert_true(LargestAt(layer, scene.body.count, end) < 2e-6);
        qvDestroyWaveLayer(layer);
        FreeScene(&scene);
    }
}

// A key that is based on the one before is at P alone: its base advected by its strokes with push kernels.
static void TestChangeIsPush(void** state)
{
    (void)state;
    Scene scene;
    MakeChange(&scene, 1);
    qvWaveLayer* layer = MakeSceneLayer(&scene, true, false, 0.0);
    size_t n = (size_t)scene.body.count;
    for (double age = 0.05; age < 1.0; age += 0.3)
    {
        qvVec3* expected = calloc(n, sizeof(qvVec3));
        qvVec3f* points = calloc(n, sizeof(qvVec3f));
        memcpy(expected, scene.bases[1], n * sizeof(qvVec3));
        qvStrokeWave wave = { .age = age, .speed = 3.0 };
        qvError error;
        for (int s = 0; s < 3; s++)
        {
            qvStrokeTarget target = { .pointCount = (int)n, .topology = scene.body.topology };
            ASSERT_OK(qvStroke_Apply(&scene.strokes[1][s].stroke, &target, &wave, expected, &error), error);
        }
        ScenePoints(&scene, 2.0 + age, NULL, NULL, points);
        AddLayer(layer, 2.0 + age, NULL, points);
        for (size_t i = 0; i < n; i++)
            ASSERT_NEAR(qvDistance(expected[i], qvVec3_FromFloat(points[i])), 0.0, 1e-4);
        free(expected);
        free(points);
    }
    qvDestroyWaveLayer(layer);
    FreeScene(&scene);
}

// The farthest that a point is from one scene's motion with waves at a time to another's.
static double Apart(const Scene* scene, const qvWaveLayer* layer, double time, double otherTime, bool otherWaves)
{
    size_t n = (size_t)scene->body.count;
    qvVec3f *a = calloc(n, sizeof(qvVec3f)), *b = calloc(n, sizeof(qvVec3f));
    ScenePoints(scene, time, NULL, NULL, a);
    AddLayer(layer, time, NULL, a);
    ScenePoints(scene, otherTime, NULL, NULL, b);
    if (otherWaves)
        AddLayer(layer, otherTime, NULL, b);
    double distance = LargestDistance(a, b, (int)n);
    free(a);
    free(b);
    return distance;
}

// Keys that the base motion misses: the change leaves from where it is and ends where it goes.
static void TestChangeOfMissedKeys(void** state)
{
    (void)state;
    const double missed[][2] = { { 0.0, 0.0 }, { 0.7, 0.0 }, { 0.0, 0.5 }, { 0.4, 0.8 }, { -0.3, 1.2 } };
    for (int i = 0; i < 20; i++)
    {
        Scene scene;
        MakeChange(&scene, i % 4);
        scene.missed[0] = missed[i / 4][0], scene.missed[1] = missed[i / 4][1];
        qvWaveLayer* layer = MakeSceneLayer(&scene, true, false, 0.0);
        assert_true(LargestAt(layer, scene.body.count, 1.999999) == 0.0);
        ASSERT_NEAR(Apart(&scene, layer, 2.0, 1.5, false), 0.0, 1e-6);
        ASSERT_NEAR(Apart(&scene, layer, 2.0, 2.0 + 1e-4, true), 0.0, 1e-5);
        double passed = (scene.body.diagonal + 12.0 * 0.5) / 3.0;
        assert_true(LargestAt(layer, scene.body.count, 2.0 + passed) < 1e-4 * DRAG);
        qvDestroyWaveLayer(layer);
        FreeScene(&scene);
    }
}

// Of a key that the motion goes half the way to, half the wave travels.
static void TestHalfOfChange(void** state)
{
    (void)state;
    Scene scene;
    MakeChange(&scene, 1);
    int n = scene.body.count;
    qvWaveLayer* whole = MakeSceneLayer(&scene, true, false, 0.0);
    scene.missed[1] = 0.5;
    qvWaveLayer* half = MakeSceneLayer(&scene, true, false, 0.0);
    for (double time = 2.0; time < 3.0; time += 0.1)
    {
        qvVec3f *a = Displacements(whole, n, time, NULL), *b = Displacements(half, n, time, NULL);
        for (int i = 0; i < n; i++)
            a[i] = (qvVec3f){ 0.5f * a[i].x, 0.5f * a[i].y, 0.5f * a[i].z };
        ASSERT_NEAR(LargestDistance(a, b, n), 0.0, 1e-3 * DRAG);
        free(a);
        free(b);
    }
    qvDestroyWaveLayer(whole);
    qvDestroyWaveLayer(half);
    FreeScene(&scene);
}

// In a loop the first key is reached from the last one.
static void TestChangeInLoop(void** state)
{
    (void)state;
    Scene scene;
    MakeChange(&scene, 0);
    scene.keys[0].kind = qv_keyWaveChange;
    qvWaveLayer* layer = MakeSceneLayer(&scene, false, false, 2.0);
    assert_int_equal(qvWaveLayer_Stats(layer).changeCount, 2);
    for (double time = 1.0; time < 3.0; time += 0.25)
    {
        qvVec3f* a = Displacements(layer, scene.body.count, time, NULL);
        qvVec3f* b = Displacements(layer, scene.body.count, time + 2.0, NULL);
        ASSERT_NEAR(LargestDistance(a, b, scene.body.count), 0.0, 1e-6);
        free(a);
        free(b);
    }
    qvDestroyWaveLayer(layer);
    FreeScene(&scene);
}

// A slow change is there as often as other waves are, and no more: the sum of its first 64 periods.
static void TestLoopedChangeEnds(void** state)
{
    (void)state;
    Scene scene;
    MakeChange(&scene, 0);
    scene.keys[1].speed = 0.01;
    int n = scene.body.count;
    qvWaveLayer* once = MakeSceneLayer(&scene, false, false, 0.0);
    qvWaveLayer* looped = MakeSceneLayer(&scene, false, false, 2.0);
    double* sum = calloc(3 * (size_t)n, sizeof(double));
    for (int image = 0; image < qv_maxWaveImages; image++)
    {
        qvVec3f* part = Displacements(once, n, 2.5 + 2.0 * image, NULL);
        for (int i = 0; i < n; i++)
            sum[3 * i] += part[i].x, sum[3 * i + 1] += part[i].y, sum[3 * i + 2] += part[i].z;
        free(part);
    }
    assert_true(LargestAt(once, n, 2.5 + 2.0 * qv_maxWaveImages) > 0.01 * DRAG); // the next would be seen
    qvVec3f* all = Displacements(looped, n, 2.5, NULL);
    for (int i = 0; i < n; i++)
    {
        ASSERT_NEAR(all[i].x, sum[3 * i], 1e-4 * DRAG);
        ASSERT_NEAR(all[i].y, sum[3 * i + 1], 1e-4 * DRAG);
        ASSERT_NEAR(all[i].z, sum[3 * i + 2], 1e-4 * DRAG);
    }
    free(all);
    free(sum);
    qvDestroyWaveLayer(once);
    qvDestroyWaveLayer(looped);
    FreeScene(&scene);
}

// Waves that hardly arrive before they come round, while the frame turns at the keys, do not feed each other.
static void TestSlowLoop(void** state)
{
    (void)state;
    Scene scene;
    MakeChange(&scene, 3);
    qvQuat turn = { 0.0, 1.0, 0.0, 0.0 };
    scene.keys[1].transform = qvAffine_FromParts(qvMakeVec3(0.5, 0.2, 0.0), turn, qvMakeVec3(1, 1, 1));
    scene.keys[0].kind = qv_keyWaveChange;
    scene.keys[0].speed = scene.keys[1].speed = 1e-3;
    qvWaveLayer* layer = MakeSceneLayer(&scene, false, false, 2.0);
    // 64 images of two changes, each at most as large as the leap of the body and the turn of the waves.
    assert_true(LargestAt(layer, scene.body.count, 1.5) < 64 * 2 * 4 * scene.body.diagonal);
    qvDestroyWaveLayer(layer);
    FreeScene(&scene);
}

// --- Ripples ---------------------------------------------------------------------------------------------------------

static void TestRipple(void** state)
{
    (void)state;
    for (int turned = 0; turned < 3; turned++)
    {
        Scene scene = { .keyCount = 0 };
        MakeBody(&scene.body, "sphere", 16);
        AddKey(&scene, NULL, 0);
        int vertex = 20;
        scene.strokes[1][0].stroke = MakeStroke(&scene, "grab", qvVec3_FromFloat(scene.body.rest[vertex]));
        scene.strokes[1][0].stroke.drag = qvMakeVec3(0.0, 0.1, 0.0);
        AddKey(&scene, NULL, 1);
        scene.keys[1].kind = qv_keyWaveRipple;
        scene.keys[1].amount = 0.5;
        qvQuat turn = { sin(0.5), 0.0, 0.0, cos(0.5) };
        if (turned)
            scene.keys[1].transform = qvAffine_FromParts(qvMakeVec3(1, 2, 3), turn, qvMakeVec3(1, 1, 1));
        qvWaveLayerDef def = SceneDef(&scene);
        if (turned == 2) // the transform is not in the frame
            def.base.frame = IdentityFrame;
        qvWaveLayer* layer = MustMake(&def);
        assert_true(LargestAt(layer, scene.body.count, 2.0) == 0.0);
        qvVec3 peak = { 0 };
        for (double time = 2.001; time < 2.3; time += 0.001)
        {
            qvVec3f* d = Displacements(layer, scene.body.count, time, NULL);
            peak = SizeOf(d[vertex]) > qvLength(peak) ? qvVec3_FromFloat(d[vertex]) : peak;
            free(d);
        }
        // Half the drag, at the point that the stroke has dragged, in the world's axes.
        qvVec3 expected = qvAffine_Vector(&scene.keys[1].transform, qvMakeVec3(0.0, 0.05, 0.0));
        ASSERT_NEAR(qvDistance(peak, expected), 0.0, 1e-3 * 0.05);
        assert_true(LargestAt(layer, scene.body.count, 6.0) < 1e-5);
        qvDestroyWaveLayer(layer);
        FreeScene(&scene);
    }
}

// --- Later keys ------------------------------------------------------------------------------------------------------

static void TestKeepKeys(void** state)
{
    (void)state;
    Scene scene;
    MakeChange(&scene, 0);
    scene.strokes[2][0].stroke = MakeStroke(&scene, "grab", qvMakeVec3(0.0, 0.2, 0.3));
    scene.strokes[2][0].stroke.drag = qvMakeVec3(0.0, 0.0, 0.2);
    AddKey(&scene, NULL, 1);
    scene.keys[1].speed = 0.4; // has by far not passed when key 2 comes
    scene.keys[2].kind = qv_keyWaveRipple;
    qvWaveLayer *kept = MakeSceneLayer(&scene, true, true, 0.0), *free_ = MakeSceneLayer(&scene, false, true, 0.0);
    int n = scene.body.count;
    ASSERT_NEAR(Miss(&scene, kept, 2.0, 0), 0.0, 1e-6);
    assert_true(LargestAt(kept, n, 3.0) == 0.0);
    ASSERT_NEAR(Miss(&scene, kept, 3.0, 2), 0.0, 1e-7);
    // The meter says how far off it would be.
    double miss = LargestAt(free_, n, nextafter(3.0, 0.0));
    assert_true(miss > 0.05);
    ASSERT_NEAR(qvWaveLayer_KeyMiss(kept, 2), miss, 1e-6);
    ASSERT_NEAR(qvWaveLayer_KeyMiss(free_, 2), miss, 1e-6);
    ASSERT_NEAR(qvWaveLayer_KeyMiss(kept, 1), 0.0, 0.0);
    // The window is the quintic over the last quarter, and nothing comes back after it but the ripple of key 2.
    for (double time = 2.1; time < 3.0; time += 0.1)
    {
        qvVec3f *a = Displacements(kept, n, time, NULL), *b = Displacements(free_, n, time, NULL);
        float factor = (float)qvWindow_Factor((qvWindow){ 0.75, 1.0 }, time - 2.0);
        for (int i = 0; i < n; i++)
            ASSERT_NEAR(a[i].x, factor * b[i].x, 1e-6);
        free(a);
        free(b);
    }
    assert_true(LargestAt(kept, n, 3.1) > 0.01);
    qvDestroyWaveLayer(kept);
    scene.keys[2].kind = qv_keyWaveNone;
    kept = MakeSceneLayer(&scene, true, true, 0.0);
    assert_true(LargestAt(kept, n, 3.1) == 0.0);
    qvDestroyWaveLayer(kept);
    qvDestroyWaveLayer(free_);
    FreeScene(&scene);
}

// Jumps of the first and second derivative of a point's place at a moment, by differences of width h on either side.
static void FindJumps(const Body* body, const qvWaveLayer* layer, double at, double h, double jumps[2])
{
    double x[7];
    for (int i = 0; i < 7; i++)
    {
        qvVec3f* d = Displacements(layer, body->count, at + (i - 3) * h, NULL);
        x[i] = d[4].x;
        free(d);
    }
    jumps[0] = fabs((x[6] - x[3]) - (x[3] - x[0])) / (3 * h);
    jumps[1] = fabs((x[6] - 2 * x[5] + x[4]) - (x[2] - 2 * x[1] + x[0])) / (h * h);
}

// Two continuous derivatives at both ends of the window, on the layer itself: differences shrink with their width.
static void TestSmoothStop(void** state)
{
    (void)state;
    Body body;
    MakeBody(&body, "sphere", 8);
    qvWaveEvent event = GrabEvent(&body, 4, 0.0, qvMakeVec3(0.3, 0.2, 0.0));
    event.def.push = true;
    double keys[2] = { 0.0, 2.0 };
    qvWaveLayerDef def = StillDef(&body, &event, 1);
    def.hardKeys = keys;
    def.hardKeyCount = 2;
    qvWaveLayer* layer = MustMake(&def);
    for (int end = 0; end < 2; end++)
    {
        double at = end == 0 ? 1.5 : 2.0, wide[2], narrow[2];
        FindJumps(&body, layer, at, 0.02, wide);
        FindJumps(&body, layer, at, 0.01, narrow);
        assert_true(wide[0] > 0.0 && narrow[0] < 0.3 * wide[0]);
        assert_true(wide[1] > 1.0 && narrow[1] < 0.65 * wide[1]);
    }
    qvDestroyWaveLayer(layer);
    FreeBody(&body);
}

// A wave that starts shortly before a key, one at a key, one in a loop whose only key comes again.
static void TestStops(void** state)
{
    (void)state;
    Body body;
    MakeBody(&body, "sphere", 8);
    double keys[2] = { 0.0, 1.0 };
    static const double starts[] = { -0.5, 0.0, 0.99, 1.0 }, stops[] = { 0.0, 1.0, 1.0, INFINITY };
    for (int i = 0; i < 4; i++)
    {
        qvWaveEvent event = GrabEvent(&body, 4, starts[i], qvMakeVec3(0.3, 0.2, 0.0));
        event.def.push = true;
        qvWaveLayerDef def = StillDef(&body, &event, 1);
        def.hardKeys = keys;
        def.hardKeyCount = 2;
        qvWaveLayer* layer = MustMake(&def);
        double stop = fmin(stops[i], 5.0);
        assert_true(LargestAt(layer, body.count, 0.5 * (starts[i] + stop)) > 0.0);
        assert_true((LargestAt(layer, body.count, 5.0) == 0.0) == isfinite(stops[i]));
        if (isfinite(stops[i]))
            assert_true(LargestAt(layer, body.count, stops[i]) == 0.0);
        qvDestroyWaveLayer(layer);
    }
    qvWaveEvent event = GrabEvent(&body, 4, 0.25, qvMakeVec3(0.3, 0.2, 0.0));
    event.def.push = true;
    qvWaveLayerDef def = StillDef(&body, &event, 1);
    def.hardKeys = keys;
    def.hardKeyCount = 1;
    def.period = 2.0;
    qvWaveLayer* layer = MustMake(&def);
    assert_true(LargestAt(layer, body.count, 1.4) > 0.1);
    assert_true(LargestAt(layer, body.count, 2.0) == 0.0 && LargestAt(layer, body.count, 0.2) == 0.0);
    assert_true(LargestAt(layer, body.count, 3.4) > 0.1);
    qvDestroyWaveLayer(layer);
    FreeBody(&body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestChange),
        cmocka_unit_test(TestChangeIsPush),
        cmocka_unit_test(TestChangeInLoop),
        cmocka_unit_test(TestChangeOfMissedKeys),
        cmocka_unit_test(TestHalfOfChange),
        cmocka_unit_test(TestSlowLoop),
        cmocka_unit_test(TestLoopedChangeEnds),
        cmocka_unit_test(TestRipple),
        cmocka_unit_test(TestKeepKeys),
        cmocka_unit_test(TestSmoothStop),
        cmocka_unit_test(TestStops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
