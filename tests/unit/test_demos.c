// SPDX-License-Identifier: GPL-3.0-or-later
// The demo scenes: each loads, solves, hits its keys, holds its pins, closes its loop, and comes back from a glTF file.
#include "animation_testing.h"
#include "demo_testing.h"

#include "math/affine.h"

// What a test does with every scene.
typedef void DemoFcn(Demo* demo);

static void ForEach(void** state, DemoFcn* test)
{
    Demos* demos = *state;
    for (int i = 0; i < demos->count; i++)
        test(Solved(demos, i));
}

// --- Files ----------------------------------------------------------------------------------------------------------

static void ThereAreEnough(void** state)
{
    Demos* demos = *state;
    int fine = 0;
    assert_true(demos->count >= DEMO_LEAST);
    for (int i = 0; i < demos->count; i++)
    {
        char path[1024];
        qvError error;
        const qvScene* scene;
        const qvBody* body;
        snprintf(path, sizeof(path), DEMOS "/%s.json", demos->demos[i].name);
        ASSERT_OK(qvLoadScene(path, &scene, &error), error);
        ASSERT_OK(qvLoadBody(&scene->mesh, DEMOS, NULL, &body, &error), error);
        assert_true(scene->name[0] != 0);
        bool isFine = IsFine(body);
        assert_in_range(body->mesh->pointCount, isFine ? 27000 : 500, isFine ? 29000 : 3500);
        fine += isFine;
        for (int kind = 0; kind < qv_healthKindCount; kind++)
            assert_int_equal(body->report.items[kind].count, 0);
        qvReleaseBody(body);
        qvReleaseScene(scene);
    }
    assert_int_equal(fine, 1);
}

// --- Keys -----------------------------------------------------------------------------------------------------------

// Where a key wants the points of its vertices, in the world, into demo->other.
static void FillWanted(Demo* demo, int key)
{
    qvError error;
    qvAffine frame = qvTake_KeyFrame(demo->take, key);
    ASSERT_OK(qvComputePose(demo->scene, demo->body, demo->scene->keys[key]->id, -1, NULL, demo->other, &error), error);
    for (int i = 0; i < demo->body->mesh->pointCount; i++)
        demo->other[i] = qvVec3_ToFloat(qvAffine_Point(&frame, qvVec3_FromFloat(demo->other[i])));
}

// How far the points that a key constrains are from its pose at a time, over the diagonal.
static double Miss(Demo* demo, int key, double time, qvTakeLayers layers)
{
    qvError error;
    int32_t* only = NULL;
    int count = demo->body->mesh->pointCount;
    if (demo->scene->keys[key]->partial)
        ASSERT_OK(qvVertexSet_Points(&demo->scene->keys[key]->only, demo->body, &only, &count, &error), error);
    FillWanted(demo, key);
    qvTake_Evaluate(demo->take, time, layers, demo->scratch, demo->pool, demo->points);
    for (int i = 0; only != NULL && i < count; i++)
        demo->points[i] = demo->points[only[i]], demo->other[i] = demo->other[only[i]]; // ascending
    free(only);
    assert_true(count > 0);
    return Farthest(demo->points, demo->other, count) / demo->body->diagonal;
}

// A key that arrives as a wave leaves the pose before exactly, has left it soon, and is there when the next wave
// starts.
static void AssertWaveKey(Demo* demo, int key)
{
    double time = demo->scene->keys[key]->time;
    assert_true(key > 0);
    double before = Miss(demo, key - 1, time, qv_layersAll), own = Miss(demo, key, time, qv_layersAll);
    if (before > 1e-6 || own < 0.05)
        fail_msg("%s: key %d starts %g from the pose before and %g from its own", demo->name, key, before, own);
    assert_true(Miss(demo, key - 1, time - 1e-3, qv_layersAll) < 1e-3);
    assert_true(Miss(demo, key - 1, time + 1e-3, qv_layersAll) < 0.02);
    assert_true(Miss(demo, key - 1, time + 0.2, qv_layersAll) > 0.05);
    bool last = key + 1 == demo->scene->keyCount;
    double next = last ? demo->range[1] : demo->scene->keys[key + 1]->time, end = Miss(demo, key, next, qv_layersAll);
    if (end > (last ? 0.005 : 1e-6))
        fail_msg("%s: key %d is missed by %g when its wave should have passed", demo->name, key, end);
}

static void AssertKeys(Demo* demo)
{
    // Without keep_keys waves run over keys.
    bool isMet = demo->scene->keepKeys || demo->scene->eventCount + qvTake_GeneratedCount(demo->take) == 0;
    for (int k = 0; k < demo->scene->keyCount; k++)
    {
        const qvSceneKey* key = demo->scene->keys[k];
        // A key in the span of a simulation shapes the motion below it.
        if (qvTake_IsSimulated(demo->take, key->time))
            continue;
        if (key->interp == qv_interpWave)
        {
            AssertWaveKey(demo, k);
            continue;
        }
        // A partial key is met up to what the modes can show.
        double most = key->partial ? 1e-3 : 1e-6;
        double error = Miss(demo, k, key->time, isMet ? qv_layersAll : qv_layersMotion);
        if (!(error <= most))
            fail_msg("%s: key %s is missed by %g of the diagonal", demo->name, key->tag, error);
        if (isMet)
            ASSERT_NEAR(qvTake_KeyReport(demo->take, k).error, error, 1e-7);
    }
}

static void KeysAreHit(void** state)
{
    ForEach(state, AssertKeys);
}

// --- Motion ---------------------------------------------------------------------------------------------------------

static void AssertMoves(Demo* demo)
{
    qvTake_Evaluate(demo->take, demo->range[0], qv_layersAll, demo->scratch, demo->pool, demo->other);
    double moved = 0.0;
    for (int s = 1; s < 8; s++)
    {
        double time = demo->range[0] + (demo->range[1] - demo->range[0]) * s / 8;
        moved = fmax(moved, Farthest(At(demo, time), demo->other, demo->body->mesh->pointCount));
    }
    assert_true(moved > 0.05 * demo->body->diagonal);
    assert_true(moved < 2.0 * demo->body->diagonal);
}

static void SceneMoves(void** state)
{
    ForEach(state, AssertMoves);
}

// How far anything is, some time after the first key, from where it was at that key.
static double Departed(Demo* demo, double after)
{
    double start = demo->scene->keys[0]->time;
    qvTake_Evaluate(demo->take, start, qv_layersMotion, demo->scratch, demo->pool, demo->other);
    qvTake_Evaluate(demo->take, start + after, qv_layersMotion, demo->scratch, demo->pool, demo->points);
    return Farthest(demo->points, demo->other, demo->body->mesh->pointCount);
}

// What does not loop holds its first pose and leaves it without velocity: as the square of time, not in proportion.
static void AssertStartsAtRest(Demo* demo)
{
    if (demo->scene->loop || demo->scene->keyCount == 0)
        return;
    double first = demo->scene->keys[0]->time;
    assert_true(Miss(demo, 0, first - 0.05, qv_layersMotion) < 1e-6);
    double soon = Departed(demo, 0.004), later = Departed(demo, 0.008);
    if (!(soon < 2e-6 || later > 3.0 * soon))
        fail_msg("%s: is %g away soon after its first key and %g in twice the time", demo->name, soon, later);
}

static void MotionsStartAtRest(void** state)
{
    ForEach(state, AssertStartsAtRest);
}

// Nothing sinks into the ground that stands on it.
static void AssertAboveGround(Demo* demo)
{
    static const char* const lying[] = { "dented_panel", "rain_on_a_pond", "sheet_in_the_wind" };
    for (int i = 0; i < 3; i++)
    {
        if (strcmp(demo->name, lying[i]) == 0)
            return;
    }
    double lowest = INFINITY;
    for (int s = 0; s <= 120; s++)
        lowest = fmin(lowest, Lowest(demo, demo->range[0] + (demo->range[1] - demo->range[0]) * s / 120));
    if (!(lowest > -DEMO_ROUGH * 0.005))
        fail_msg("%s: sinks %g into the ground", demo->name, -lowest);
}

static void NothingSinks(void** state)
{
    ForEach(state, AssertAboveGround);
}

// --- Shapes ----------------------------------------------------------------------------------------------------------

// How thin and how stretched a two-hundredth of the body may get: what the poses, dents and blows want, and little
// more. Ears that swell, feet that turn into flippers and horns that shrink to stubs are more. A clip brings its own
// folds along: the hopper's shape is measured against it.
static const struct
{
    const char* name;
    double thin, stretched;
} shapes[] = {
    { "clay_ball", 0.4, 2.9 },          { "jelly_stairs", 0.15, 2.4 },     { "wax_imp", 0.05, 6.5 },
    { "dancing_sack", 0.66, 1.55 },     { "dented_panel", 0.63, 3.0 },     { "footfall", 0.55, 1.45 },
    { "hopper", 0.68, 1.35 },           { "jumping_block", 0.35, 1.65 },   { "punch_shockwave", 0.54, 3.0 },
    { "rain_on_a_pond", 0.5, 2.0 },     { "running_imp", 0.56, 1.7 },      { "sheet_in_the_wind", 0.85, 1.33 },
    { "somersault", 0.46, 2.3 },        { "tentacle_waves", 0.36, 3.5 },   { "waving_hand", 0.62, 1.75 },
    { "ball_and_cube", 0.55, 1.5 },     { "fish_in_a_bowl", 0.8, 1.25 },   { "chain", 0.5, 1.6 },
    { "sliding_imp", 0.5, 1.6 },        { "struck_bell", 0.7, 1.4 },       { "twisted_beam", 0.4, 2.2 },
    { "twisted_beam_whole", 0.2, 3.0 }, { "curling_tentacle", 0.07, 2.3 },
};

static void AssertShape(Demo* demo)
{
    size_t i = 0;
    if (isfinite(qvTake_ChangesFrom(demo->take)))
        return; // there is no shape that could survive
    while (i < sizeof(shapes) / sizeof(shapes[0]) && strcmp(shapes[i].name, demo->name) != 0)
        i++;
    if (i == sizeof(shapes) / sizeof(shapes[0]))
        fail_msg("%s: say in the list how far its shape may be stretched", demo->name);
    Strain strain = WorstStrain(demo, qvTake_Clip(demo->take) >= 0);
    if (!(strain.thin > shapes[i].thin && strain.stretched < shapes[i].stretched))
        fail_msg("%s: parts are squeezed to %g and stretched to %g", demo->name, strain.thin, strain.stretched);
}

static void ShapesSurvive(void** state)
{
    ForEach(state, AssertShape);
}

// --- Pins -----------------------------------------------------------------------------------------------------------

// Poses of all keys, in key coordinates: to be freed.
static qvVec3f* MakePoses(Demo* demo)
{
    qvError error;
    size_t count = (size_t)demo->body->mesh->pointCount;
    qvVec3f* poses = calloc(count * (size_t)demo->scene->keyCount, sizeof(*poses));
    assert_non_null(poses);
    for (int k = 0; k < demo->scene->keyCount; k++)
        ASSERT_OK(qvComputePose(demo->scene, demo->body, demo->scene->keys[k]->id, -1, NULL, poses + count * (size_t)k,
                                &error),
                  error);
    return poses;
}

static double FromLine(qvVec3 a, qvVec3 b, qvVec3 at)
{
    qvVec3 way = qvSub(b, a);
    double length = qvDot(way, way), t = length > 0.0 ? qvDot(way, qvSub(at, a)) / length : 0.0;
    return qvDistance(at, qvMulAdd(a, fmin(fmax(t, 0.0), 1.0), way));
}

// What pinned points do while they are held.
typedef struct Held
{
    int count;
    double ways;  // farthest from the straight way between the poses of the keys around, without waves
    double poses; // farthest from rest, without waves
    double waves; // farthest that waves carry them
} Held;

// Keys around a time.
static void KeysAround(const Demo* demo, double time, int* before, int* after)
{
    int count = demo->scene->keyCount;
    *after = 0;
    while (*after < count && demo->scene->keys[*after]->time <= time)
        ++*after;
    bool loop = demo->scene->loop;
    *before = *after > 0 ? *after - 1 : loop ? count - 1 : 0;
    *after = *after < count ? *after : loop ? 0 : count - 1;
}

static void MeasureHeld(Demo* demo, const qvVec3f* poses, const int32_t* pinned, int count, double time, Held* held)
{
    int n = demo->body->mesh->pointCount, before, after;
    KeysAround(demo, time, &before, &after);
    qvAffine frame = qvTake_KeyedFrame(demo->take, time);
    qvTake_Evaluate(demo->take, time, qv_layersMotion, demo->scratch, demo->pool, demo->other);
    qvWorldToKeys(&frame, demo->other, n);
    At(demo, time);
    qvWorldToKeys(&frame, demo->points, n);
    for (int i = 0; i < count; i++)
    {
        int p = pinned[i];
        qvVec3 plain = qvVec3_FromFloat(demo->other[p]), all = qvVec3_FromFloat(demo->points[p]);
        qvVec3 a = qvVec3_FromFloat(poses[(size_t)before * (size_t)n + (size_t)p]);
        qvVec3 b = qvVec3_FromFloat(poses[(size_t)after * (size_t)n + (size_t)p]);
        held->ways = fmax(held->ways, FromLine(a, b, plain));
        held->waves = fmax(held->waves, qvDistance(plain, all));
        held->poses = fmax(held->poses, qvDistance(qvVec3_FromFloat(demo->body->rest[p]), plain));
    }
    held->count += count;
}

static Held HeldPoints(Demo* demo)
{
    enum
    {
        SAMPLES = 60
    };
    qvError error;
    Held held = { 0 };
    qvVec3f* poses = MakePoses(demo);
    for (int i = 0; i < demo->scene->pinCount; i++)
    {
        const qvScenePin* pin = demo->scene->pins[i];
        // Where a body tears, its mesh's points do not show any more what is held.
        double last = fmin(demo->range[1], qvTake_ChangesFrom(demo->take));
        double from = fmax(pin->from, demo->range[0]), to = fmin(pin->to, last);
        int32_t* pinned;
        int count;
        ASSERT_OK(qvVertexSet_Points(&pin->where, demo->body, &pinned, &count, &error), error);
        for (int s = 0; s <= SAMPLES; s++)
            MeasureHeld(demo, poses, pinned, count, from + (to - from) * s / SAMPLES, &held);
        free(pinned);
    }
    free(poses);
    return held;
}

// Without waves pinned points stay on the way between the poses, to what floats hold. What poses and waves leave them
// is in the scenes' hands: scene units, of bodies 2 high.
static const struct
{
    const char* name;
    double poses, waves, bow; // bow: how far poses that turn lead them beside the straight way
} most[] = {
    { "curling_tentacle", 2.2, 0.0, 1.0 },    { "footfall", 0.028, 0.0, 0.0 },
    { "jumping_block", 0.003, 0.0, 0.0 },     { "punch_shockwave", 1e-6, 1e-6, 0.0 },
    { "sheet_in_the_wind", 0.004, 0.0, 0.0 }, { "somersault", 0.024, 0.0, 0.0 },
    { "tentacle_waves", 1e-6, 1e-6, 0.0 },    { "chain", 1e-6, 0.0, 0.0 },
    { "struck_bell", 1e-6, 0.0, 0.0 },        { "torn_figure", 1e-6, 0.0, 0.0 },
    { "twisted_beam", 1.1, 0.0, 0.2 },        { "twisted_beam_whole", 1.1, 0.0, 0.2 },
    { "waving_hand", 0.014, 0.0, 0.0 },
};

static void AssertHeld(Demo* demo)
{
    if (demo->scene->pinCount == 0)
        return;
    Held held = HeldPoints(demo);
    size_t i = 0;
    while (i < sizeof(most) / sizeof(most[0]) && strcmp(most[i].name, demo->name) != 0)
        i++;
    if (i == sizeof(most) / sizeof(most[0]))
        fail_msg("%s has pins: say in the list how far they may go", demo->name);
    assert_true(held.count > 1000);
    if (!(held.ways < 5e-6 + most[i].bow && held.poses <= most[i].poses && held.waves <= most[i].waves))
        fail_msg("%s: pinned points are off their way by %g, and carried %g by poses and %g by waves", demo->name,
                 held.ways, held.poses, held.waves);
}

static void PinsHold(void** state)
{
    ForEach(state, AssertHeld);
}

// --- Loops ----------------------------------------------------------------------------------------------------------

// A spline closes in position, velocity and acceleration. Where waves are on it, which start with a kick each, the seam
// is no rougher than the rest of the loop; without waves it bends there as at any key.
static void AssertSeam(Demo* demo)
{
    qvSeam seam = qvTake_Seam(demo->take);
    assert_true(seam.position < 1e-6 && seam.closes);
    bool waves = qvTake_GeneratedCount(demo->take) + demo->scene->eventCount > 0;
    double inside = 0.0, length = demo->range[1] - demo->range[0];
    int count = IsFine(demo->body) ? 9 : 24;
    for (int i = 1; i < count; i++)
        inside = fmax(inside, Kink(demo, demo->range[0] + length * i / count));
    double here = Kink(demo, demo->range[0]);
    if (here > (waves ? 0.75 : 1.25) * inside)
        fail_msg("%s: velocities change by %g at the seam and by at most %g elsewhere", demo->name, here, inside);
    assert_true(waves || (seam.velocity < 1e-9 && seam.acceleration < 1e-7));
}

// From one time to another, how far the point goes that goes farthest.
static double Gone(Demo* demo, double from, double to)
{
    qvTake_Evaluate(demo->take, from, qv_layersAll, demo->scratch, demo->pool, demo->other);
    return Farthest(At(demo, to), demo->other, demo->body->mesh->pointCount);
}

// Over the seam the body goes no farther than in the same time before and after: range[1] itself is range[0] again, a
// moment before it is not.
static void AssertNoJump(Demo* demo)
{
    const double step = 1e-3;
    double start = demo->range[0], end = demo->range[1];
    double over = Gone(demo, end - step, start), before = Gone(demo, end - 2.0 * step, end - step);
    double after = Gone(demo, start, start + step), slack = 2e-6 * demo->body->diagonal;
    if (!(over > 0.0 && over < 1.1 * fmax(before, after) + slack))
        fail_msg("%s: goes %g over the seam, %g before and %g after", demo->name, over, before, after);
}

static void LoopsClose(void** state)
{
    Demos* demos = *state;
    int loops = 0;
    for (int i = 0; i < demos->count; i++)
    {
        Demo* demo = Solved(demos, i);
        if (!demo->scene->loop)
            continue;
        AssertNoJump(demo);
        AssertSeam(demo);
        loops++;
    }
    assert_true(loops >= 4);
}

// --- Bakes ----------------------------------------------------------------------------------------------------------

static qvBake* MustBake(Demo* demo)
{
    qvBakeDef def = qvDefaultBakeDef();
    qvJob job = { .pool = demo->pool };
    qvError error;
    qvBake* bake;
    ASSERT_OK(qvCreateBake(demo->take, &def, &job, &bake, &error), error);
    assert_int_equal(bake->frameCount, (int)lround((demo->range[1] - demo->range[0]) * demo->scene->fps) + 1);
    return bake;
}

// Every frame (of a fine mesh some) is what the take is at its time, to the bit; the last one of a loop is the first.
static void AssertFrames(Demo* demo, const qvBake* bake)
{
    size_t size = (size_t)bake->vertexCount;
    qvVec3f* vertices = calloc(size, sizeof(*vertices));
    assert_non_null(vertices);
    int step = IsFine(demo->body) ? 9 : 1;
    for (int frame = 0; frame < bake->frameCount; frame += step)
    {
        double time = bake->times[frame];
        ASSERT_NEAR(time, fmin(demo->range[0] + frame / demo->scene->fps, demo->range[1]), 1e-9);
        qvTake_Vertices(demo->take, time, At(demo, time), demo->scratch, vertices);
        assert_memory_equal(vertices, bake->positions + (size_t)frame * size, size * sizeof(*vertices));
    }
    if (demo->scene->loop)
        assert_memory_equal(bake->positions, bake->positions + (size_t)(bake->frameCount - 1) * size,
                            size * sizeof(*vertices));
    free(vertices);
}

// A clip that was read back, played beside the frames that went into it.
typedef struct Playback
{
    const qvModel* model;
    int clip;
    int* sources; // vertices of the mesh that those of the file stand for; NULL: the same ones
    void* scratch;
    qvVec3f *shown, *first;
} Playback;

static Playback StartPlayback(const Demo* demo, const qvModel* model)
{
    assert_non_null(model->rig);
    int count = qvRig_VertexCount(model->rig), clips = qvRig_ClipCount(model->rig);
    Playback play = { model, 0, NULL, malloc(qvRig_ScratchSize(model->rig)), NULL, NULL };
    assert_int_equal(clips, 1);
    play.shown = calloc((size_t)count, sizeof(qvVec3f));
    play.first = calloc((size_t)count, sizeof(qvVec3f));
    assert_true(play.scratch != NULL && play.shown != NULL && play.first != NULL);
    if (demo->body->model == NULL)
        play.sources = FindSources(demo->body->mesh, count);
    else
        assert_int_equal(count, demo->body->mesh->vertexCount);
    qvRig_Evaluate(model->rig, 0, 0.0, play.scratch, play.first);
    return play;
}

static void EndPlayback(Playback* play)
{
    free(play->sources);
    free(play->scratch);
    free(play->shown);
    free(play->first);
}

// How far what the clip shows is from a frame.
static double FromFrame(Playback* play, double time, const qvVec3f* frame)
{
    double largest = 0.0;
    qvRig_Evaluate(play->model->rig, play->clip, time, play->scratch, play->shown);
    for (int i = 0; i < qvRig_VertexCount(play->model->rig); i++)
    {
        qvVec3 wanted = qvVec3_FromFloat(frame[play->sources != NULL ? play->sources[i] : i]);
        double distance = qvDistance(qvVec3_FromFloat(play->shown[i]), wanted);
        if (!(distance <= largest)) // also when it is no number
            largest = distance;
    }
    return largest;
}

// The file shows every frame within the error that its report states, which is the one that was asked for.
static void AssertPlays(Demo* demo, const qvBake* bake, const qvModel* model, const qvExportReport* report)
{
    Playback play = StartPlayback(demo, model);
    double worst = 0.0, start = bake->times[0], unit = 1e-6 * demo->body->diagonal;
    for (int frame = 0; frame < bake->frameCount; frame++)
        worst = fmax(worst, FromFrame(&play, bake->times[frame] - start,
                                      bake->positions + (size_t)frame * (size_t)bake->vertexCount));
    assert_int_equal(report->frames, bake->frameCount);
    assert_true(report->maxError <= 1e-3 * report->diagonal);
    if (!(worst <= report->maxError + unit && worst >= 0.9 * report->maxError - unit))
        fail_msg("%s: the file is off by %g, its report says %g", demo->name, worst, report->maxError);
    double ends = Farthest(play.shown, play.first, qvRig_VertexCount(model->rig));
    if (demo->scene->loop ? ends > unit : ends < unit)
        fail_msg("%s: the clip's last frame is %g from its first", demo->name, ends);
    EndPlayback(&play);
}

// What changes its topology is a mesh for each frame in the file; some do to test.
static void AssertMeshes(Demo* demo)
{
    char name[96], path[512];
    qvError error;
    qvExportReport report;
    qvModel* model;
    qvJob job = { .pool = demo->pool };
    qvTakeExport def = qvDefaultTakeExport();
    def.options.job = &job;
    def.bake.fps = 2.0;
    snprintf(name, sizeof(name), "demo_%s.glb", demo->name);
    OutputPath(path, sizeof(path), name);
    ASSERT_OK(qvExportTake(demo->take, &def, path, &report, &error), error);
    ASSERT_OK(qvLoadModel(path, NULL, &model, &error), error);
    assert_int_equal(report.frames, (int)lround(2.0 * (demo->range[1] - demo->range[0])) + 1);
    assert_true(model->mesh->uvDomain != qv_domainNone && model->mesh->vertexCount > 3 * demo->body->mesh->vertexCount);
    qvDestroyModel(model);
    remove(path);
}

static void AssertExport(Demo* demo)
{
    char name[96], path[512];
    if (isfinite(qvTake_ChangesFrom(demo->take)))
    {
        AssertMeshes(demo);
        return;
    }
    qvError error;
    qvExportReport report;
    qvModel* model;
    qvJob job = { .pool = demo->pool };
    qvTakeExport def = qvDefaultTakeExport();
    def.options.job = &job;
    qvBake* bake = MustBake(demo);
    AssertFrames(demo, bake);
    snprintf(name, sizeof(name), "demo_%s.glb", demo->name);
    OutputPath(path, sizeof(path), name);
    ASSERT_OK(qvExportTake(demo->take, &def, path, &report, &error), error);
    ASSERT_OK(qvLoadModel(path, NULL, &model, &error), error);
    AssertPlays(demo, bake, model, &report);
    qvDestroyModel(model);
    qvDestroyBake(bake);
    remove(path);
}

static void FilesPlayTheMotion(void** state)
{
    ForEach(state, AssertExport);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ThereAreEnough),     cmocka_unit_test(KeysAreHit),   cmocka_unit_test(SceneMoves),
        cmocka_unit_test(MotionsStartAtRest), cmocka_unit_test(NothingSinks), cmocka_unit_test(PinsHold),
        cmocka_unit_test(ShapesSurvive),      cmocka_unit_test(LoopsClose),   cmocka_unit_test(FilesPlayTheMotion),
    };
    return cmocka_run_group_tests(tests, Setup, Teardown);
}
