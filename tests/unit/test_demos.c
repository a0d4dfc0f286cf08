// SPDX-License-Identifier: GPL-3.0-or-later
// The demo scenes: each loads, solves, hits its keys, closes its loop and bakes, and shows what it is named for.
#include "scene_testing.h"

#include "quaver/file.h"
#include "quaver/json.h"

#include <dirent.h>

#define DEMOS QUAVER_TEST_DATA "/../../scenes"

// Tests share takes: solving is what takes time.
typedef struct Demo
{
    char name[64];
    const qvScene* scene;
    qvTake* take;
    const qvBody* body;
    double range[2];
    void* scratch;
    qvVec3f *points, *other;
} Demo;

enum
{
    DEMO_CAPACITY = 32,
    DEMO_LEAST = 11,
};

typedef struct Demos
{
    int count;
    Demo demos[DEMO_CAPACITY];
} Demos;

// With fewer modes and waves, and shapes coarser than in the file where nothing small is on them: solving is what takes
// time.
static const qvScene* LoadCoarse(const char* path)
{
    qvError error;
    qvBytes bytes;
    ASSERT_OK(qvReadFile(path, 1 << 20, &bytes, &error), error);
    qvJson* root;
    ASSERT_OK(qvParseJson(bytes.data, bytes.size, NULL, &root, &error), error);
    qvJson* mesh = qvJson_Find(root, "mesh");
    const char* shape = qvJson_Text(qvJson_Find(mesh, "primitive"));
    bool coarser = shape[0] != 0 && strcmp(shape, "sheet") != 0 && qvJson_Find(root, "weights") == NULL;
    int resolution = (int)qvJson_Number(qvJson_Find(mesh, "resolution"));
    char text[64];
    if (coarser)
    {
        snprintf(text, sizeof(text), "%s", shape);
        qvJson_Remove(root, mesh);
        mesh = qvJson_AddObject(root, "mesh");
        qvJson_AddString(mesh, "primitive", text);
        qvJson_AddNumber(mesh, "resolution", resolution > 0 ? (resolution + 1) / 2 : 1);
    }
    qvJson* material = qvJson_Find(root, "material");
    if (material != NULL)
        qvJson_AddNumber(material, "modes", 10);
    qvJson* secondary = qvJson_Find(root, "secondary");
    if (secondary != NULL)
        qvJson_AddNumber(secondary, "max", 30);
    char* printed = qvJson_Print(root, false);
    const qvScene* scene;
    ASSERT_OK(qvParseScene(printed, strlen(printed), path, &scene, &error), error);
    free(printed);
    qvDestroyJson(root);
    qvFreeBytes(&bytes);
    return scene;
}

static void OpenDemo(Demo* demo, const char* file)
{
    char path[1024];
    qvError error;
    snprintf(demo->name, sizeof(demo->name), "%.*s", (int)(strlen(file) - strlen(".json")), file);
    snprintf(path, sizeof(path), DEMOS "/%s", file);
    demo->scene = LoadCoarse(path);
    qvPipeline* pipeline = MustPipeline();
    ASSERT_OK(qvPipeline_Solve(pipeline, demo->scene, DEMOS, NULL, &demo->take, &error), error);
    qvDestroyPipeline(pipeline);
    demo->body = qvTake_Body(demo->take);
    qvScene_Range(demo->scene, demo->range);
    size_t count = (size_t)demo->body->mesh->pointCount;
    demo->scratch = malloc(qvTake_ScratchSize(demo->take));
    demo->points = calloc(count, sizeof(qvVec3f));
    demo->other = calloc(count, sizeof(qvVec3f));
}

static int Setup(void** state)
{
    Demos* demos = calloc(1, sizeof(*demos));
    DIR* folder = opendir(DEMOS);
    if (demos == NULL || folder == NULL)
        return -1;
    for (struct dirent* entry = readdir(folder); entry != NULL; entry = readdir(folder))
    {
        size_t length = strlen(entry->d_name);
        if (length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0 && demos->count < DEMO_CAPACITY)
            OpenDemo(&demos->demos[demos->count++], entry->d_name);
    }
    closedir(folder);
    *state = demos;
    return 0;
}

static int Teardown(void** state)
{
    Demos* demos = *state;
    for (int i = 0; i < demos->count; i++)
    {
        Demo* demo = &demos->demos[i];
        qvReleaseTake(demo->take);
        qvReleaseScene(demo->scene);
        free(demo->scratch);
        free(demo->points);
        free(demo->other);
    }
    free(demos);
    return 0;
}

static Demo* Find(void** state, const char* name)
{
    Demos* demos = *state;
    for (int i = 0; i < demos->count; i++)
    {
        if (strcmp(demos->demos[i].name, name) == 0)
            return &demos->demos[i];
    }
    fail_msg("no scene is named %s", name);
    return NULL;
}

static const qvVec3f* At(Demo* demo, double time)
{
    qvTake_Evaluate(demo->take, time, qv_layersAll, demo->scratch, NULL, demo->points);
    return demo->points;
}

// Largest distance from rest at a time, and that of one point.
static double FromRest(Demo* demo, double time)
{
    return Farthest(At(demo, time), demo->body->rest, demo->body->mesh->pointCount);
}

// --- Of every scene -----------------------------------------------------------------------------------------------

static void ThereAreEnough(void** state)
{
    Demos* demos = *state;
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
        assert_in_range(body->mesh->pointCount, 500, 3500);
        for (int kind = 0; kind < qv_healthKindCount; kind++)
            assert_int_equal(body->report.items[kind].count, 0);
        qvReleaseBody(body);
        qvReleaseScene(scene);
    }
}

static void KeysAreHit(void** state)
{
    Demos* demos = *state;
    for (int i = 0; i < demos->count; i++)
    {
        const Demo* demo = &demos->demos[i];
        for (int k = 0; k < demo->scene->keyCount; k++)
        {
            const qvSceneKey* key = demo->scene->keys[k];
            // A key that starts a wave is reached when the wave has passed, a partial key up to what the modes can
            // show.
            double allowed = key->only.hasBox ? 1e-3 : 1e-6;
            double error = qvTake_KeyReport(demo->take, k).error;
            if (key->interp != qv_interpWave && error > allowed)
                fail_msg("%s: key %s is missed by %g of the diagonal", demo->name, key->tag, error);
        }
    }
}

static void SceneMoves(void** state)
{
    Demos* demos = *state;
    for (int i = 0; i < demos->count; i++)
    {
        Demo* demo = &demos->demos[i];
        qvTake_Evaluate(demo->take, demo->range[0], qv_layersAll, demo->scratch, NULL, demo->other);
        double moved = 0.0;
        for (int s = 1; s < 8; s++)
        {
            double time = demo->range[0] + (demo->range[1] - demo->range[0]) * s / 8;
            moved = fmax(moved, Farthest(At(demo, time), demo->other, demo->body->mesh->pointCount));
        }
        assert_true(moved > 0.05 * demo->body->diagonal);
        assert_true(moved < 2.0 * demo->body->diagonal);
    }
}

static void LoopsClose(void** state)
{
    Demos* demos = *state;
    int loops = 0;
    for (int i = 0; i < demos->count; i++)
    {
        Demo* demo = &demos->demos[i];
        if (!demo->scene->loop)
            continue;
        size_t size = (size_t)demo->body->mesh->pointCount * sizeof(qvVec3f);
        qvTake_Evaluate(demo->take, demo->range[0], qv_layersAll, demo->scratch, NULL, demo->other);
        At(demo, demo->range[1]);
        assert_memory_equal(demo->points, demo->other, size);
        if (qvTake_Clip(demo->take) < 0)
            assert_true(qvTake_Seam(demo->take).position < 1e-6);
        loops++;
    }
    assert_true(loops >= 4);
}

static void TwoFramesBake(void** state)
{
    Demos* demos = *state;
    for (int i = 0; i < demos->count; i++)
    {
        Demo* demo = &demos->demos[i];
        qvBakeDef def = qvDefaultBakeDef();
        def.hasRange = true;
        def.fps = 10.0;
        def.range[0] = demo->range[0] + 0.3;
        def.range[1] = demo->range[0] + 0.4;
        qvError error;
        qvBake* bake;
        ASSERT_OK(qvCreateBake(demo->take, &def, NULL, &bake, &error), error);
        assert_int_equal(bake->frameCount, 2);
        const qvMesh* mesh = demo->body->mesh;
        for (int frame = 0; frame < 2; frame++)
        {
            At(demo, bake->times[frame]);
            const qvVec3f* baked = bake->positions + (size_t)frame * (size_t)bake->vertexCount;
            for (int v = 0; v < mesh->vertexCount; v++)
                assert_memory_equal(&baked[v], &demo->points[mesh->vertexPoint[v]], sizeof(qvVec3f));
        }
        qvDestroyBake(bake);
    }
}

// --- What each one shows ------------------------------------------------------------------------------------------

// The block stands while it is pinned; in the air its frame falls freely.
static void TheBlockJumps(void** state)
{
    Demo* demo = Find(state, "jumping_block");
    int foot = PointNear(demo->body, qvMakeVec3(0.0, 0.0, 0.0));
    for (int i = 0; i <= 8; i++)
    {
        assert_true(fabsf(At(demo, 0.8 * i / 8)[foot].y) < 1e-4f);
        assert_true(fabsf(At(demo, 1.5 + 1.5 * i / 8)[foot].y) < 1e-4f);
    }
    assert_true(At(demo, 1.15)[foot].y > 0.4f);
    double h = 0.1;
    for (double time = 0.95; time < 1.36; time += h)
    {
        double bend = qvTake_Frame(demo->take, time - h).offset.y + qvTake_Frame(demo->take, time + h).offset.y -
                      2.0 * qvTake_Frame(demo->take, time).offset.y;
        ASSERT_NEAR(bend / (h * h), demo->scene->material.gravity.y, 1e-6);
    }
}

// The wave of a key leaves the pose before it exactly, and has nearly settled when the next one starts.
static void TheTentacleIsPushed(void** state)
{
    Demo* demo = Find(state, "tentacle_waves");
    assert_true(FromRest(demo, demo->scene->keys[1]->time) < 1e-6);
    assert_true(FromRest(demo, demo->scene->keys[1]->time + 0.3) > 0.3);
    qvError error;
    for (int k = 1; k < demo->scene->keyCount; k++)
    {
        bool last = k + 1 == demo->scene->keyCount;
        double time = last ? demo->range[1] : demo->scene->keys[k + 1]->time;
        ASSERT_OK(qvComputePose(demo->scene, demo->body, demo->scene->keys[k]->id, -1, NULL, demo->other, &error),
                  error);
        double away = Farthest(At(demo, time), demo->other, demo->body->mesh->pointCount);
        assert_true(away < 0.01 * demo->body->diagonal);
    }
}

// Largest distance from rest of the points between two heights, over the whole motion, as a fraction of the diagonal.
static double Slip(Demo* demo, double lower, double upper)
{
    double slip = 0.0;
    for (int s = 0; s < 12; s++)
    {
        At(demo, demo->range[0] + (demo->range[1] - demo->range[0]) * s / 12);
        for (int i = 0; i < demo->body->mesh->pointCount; i++)
        {
            qvVec3 rest = qvVec3_FromFloat(demo->body->rest[i]);
            if (rest.y >= lower && rest.y <= upper)
                slip = fmax(slip, qvDistance(rest, qvVec3_FromFloat(demo->points[i])));
        }
    }
    return slip / demo->body->diagonal;
}

// Nothing moves before the punch, and what it starts dies away.
static void ThePunchDiesAway(void** state)
{
    Demo* demo = Find(state, "punch_shockwave");
    assert_true(FromRest(demo, 0.5) < 1e-6);
    double early = 0.0, late = 0.0;
    for (int i = 1; i <= 10; i++)
    {
        early = fmax(early, FromRest(demo, 0.5 + 0.05 * i));
        late = fmax(late, FromRest(demo, 2.5 + 0.05 * i));
    }
    assert_true(early > 0.3);
    assert_true(late < 0.1 * early);
}

static void DentsStay(void** state)
{
    Demo* demo = Find(state, "dented_panel");
    for (int i = 0; i < demo->scene->eventCount; i++)
    {
        const qvSceneEvent* event = demo->scene->events[i];
        int point = PointNear(demo->body, event->stroke.at);
        ASSERT_NEAR(At(demo, demo->range[1])[point].z, event->stroke.drag.z, 0.15 * fabs(event->stroke.drag.z));
        assert_true(fabsf(At(demo, event->time)[point].z) < 0.02f);
    }
}

// Upside down in the air, and two ways round on the ground.
static void TheImpTurnsOver(void** state)
{
    Demo* demo = Find(state, "somersault");
    assert_true(qvTake_Frame(demo->take, 1.15).linear[1][1] < -0.9);
    assert_true(qvTake_Frame(demo->take, 0.5).linear[1][1] > 0.9);
    assert_true(qvTake_Frame(demo->take, 1.75).linear[1][1] > 0.9);
    double facing = 1.0;
    for (int i = 0; i <= 20; i++)
        facing = fmin(facing, qvTake_Frame(demo->take, 2.2 + 0.04 * i).linear[2][2]);
    assert_true(facing < -0.9);
}

// Pins hold points where the poses have them, and brushes reach far with little.
static void LinesAndFeetHold(void** state)
{
    assert_true(Slip(Find(state, "waving_hand"), -1.0, 0.1) < 0.08);
    assert_true(Slip(Find(state, "waving_hand"), 0.7, 3.0) > 0.15);
    assert_true(Slip(Find(state, "sheet_in_the_wind"), 1.97, 3.0) < 0.02);
    assert_true(Slip(Find(state, "sheet_in_the_wind"), 0.0, 0.2) > 0.15);
    assert_true(Slip(Find(state, "punch_shockwave"), -1.0, 0.01) < 0.02);
}

// Automatic motion starts where it was painted, and nowhere else.
static void PaintDecidesWhatSwings(void** state)
{
    Demo* demo = Find(state, "running_imp");
    const qvMesh* mesh = demo->body->mesh;
    const float* weights = (const float*)demo->scene->weights->data;
    assert_true(qvTake_GeneratedCount(demo->take) > 10);
    for (int i = 0; i < qvTake_GeneratedCount(demo->take); i++)
        assert_true(weights[qvTake_GeneratedEvent(demo->take, i)->vertex] > 0.0f);
    double painted = 0.0, bare = 0.0;
    for (int s = 0; s < 6; s++)
    {
        double time = demo->range[0] + 0.11 * s;
        qvTake_Evaluate(demo->take, time, qv_layersMotion, demo->scratch, NULL, demo->other);
        At(demo, time);
        for (int i = 0; i < mesh->pointCount; i++)
        {
            double moved = qvDistance(qvVec3_FromFloat(demo->points[i]), qvVec3_FromFloat(demo->other[i]));
            double* most = weights[mesh->pointVertex[i]] == 0.0f ? &bare : &painted;
            *most = fmax(*most, moved);
        }
    }
    assert_true(painted > 1.2 * bare);
}

// The clip of the file moves the body; waves come on top.
static void TheHopperSwingsItsEars(void** state)
{
    Demo* demo = Find(state, "hopper");
    assert_true(qvTake_Clip(demo->take) >= 0);
    int ear = PointNear(demo->body, qvMakeVec3(0.3, 2.4, -0.1));
    double swing = 0.0;
    for (int s = 0; s < 8; s++)
    {
        qvTake_Evaluate(demo->take, 0.1 * s, qv_layersMotion, demo->scratch, NULL, demo->other);
        swing = fmax(swing, qvDistance(qvVec3_FromFloat(At(demo, 0.1 * s)[ear]), qvVec3_FromFloat(demo->other[ear])));
    }
    assert_true(swing > 0.02);
    assert_true(swing < 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ThereAreEnough),
        cmocka_unit_test(KeysAreHit),
        cmocka_unit_test(SceneMoves),
        cmocka_unit_test(LoopsClose),
        cmocka_unit_test(TwoFramesBake),
        cmocka_unit_test(TheBlockJumps),
        cmocka_unit_test(TheTentacleIsPushed),
        cmocka_unit_test(ThePunchDiesAway),
        cmocka_unit_test(DentsStay),
        cmocka_unit_test(TheImpTurnsOver),
        cmocka_unit_test(LinesAndFeetHold),
        cmocka_unit_test(PaintDecidesWhatSwings),
        cmocka_unit_test(TheHopperSwingsItsEars),
    };
    return cmocka_run_group_tests(tests, Setup, Teardown);
}
