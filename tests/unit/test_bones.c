// SPDX-License-Identifier: GPL-3.0-or-later
// Motion as bones: what was made of bones is found again, and a written skin is where its report says.
#include "animation_testing.h"

#include "formats/bones.h"
#include "quaver/job.h"

#include <unistd.h>

// --- Motions that were made of bones -------------------------------------------------------------------------------

enum
{
    MADE_POINTS = 240,
    MADE_FRAMES = 12,
    MADE_BONES = 3,
};

typedef struct Made
{
    qvVec3f rest[MADE_POINTS], places[MADE_POINTS * MADE_FRAMES];
} Made;

// A tube whose thirds turn about axes of their own; blended: with a soft passage between the thirds.
static void MakeMotion(bool blended, Made* made)
{
    for (int i = 0; i < MADE_POINTS; i++)
    {
        double along = 3.0 * i / MADE_POINTS, around = 2.4 * i;
        made->rest[i] = (qvVec3f){ (float)(0.3 * cos(around)), (float)along, (float)(0.3 * sin(around)) };
        for (int f = 0; f < MADE_FRAMES; f++)
        {
            qvVec3 sum = { 0.0, 0.0, 0.0 };
            double total = 0.0;
            for (int b = 0; b < MADE_BONES; b++)
            {
                double away = fabs(along - b - 0.5), weight = blended ? fmax(1.0 - away / 0.9, 0.0) : away <= 0.5;
                double angle = 0.7 * sin(0.5 * f * (b + 1)), c = cos(angle), s = sin(angle);
                double y = along - b - 0.5, x = made->rest[i].x;
                qvVec3 place = { c * x - s * y + 0.2 * b * sin(0.3 * f), s * x + c * y + b + 0.5, made->rest[i].z };
                sum = qvMulAdd(sum, weight, place);
                total += weight;
            }
            made->places[i * MADE_FRAMES + f] = qvVec3_ToFloat(qvScale(1.0 / total, sum));
        }
    }
}

static qvBoneTask TaskOf(const Made* made)
{
    return (qvBoneTask){ .pointCount = MADE_POINTS,
                         .frameCount = MADE_FRAMES,
                         .rest = made->rest,
                         .places = made->places,
                         .tolerance = 1e-5,
                         .maxBones = 8 };
}

static double MeasureSkin(const Made* made, const qvBoneSkin* skin)
{
    double worst = 0.0;
    for (int i = 0; i < MADE_POINTS * MADE_FRAMES; i++)
    {
        int point = i / MADE_FRAMES, frame = i % MADE_FRAMES;
        qvVec3f r = made->rest[point];
        double x[3] = { 0.0, 0.0, 0.0 };
        for (int k = 0; k < QV_BONES_OF_POINT; k++)
        {
            int at = point * QV_BONES_OF_POINT + k;
            const double* m = skin->maps[skin->bones[at] * MADE_FRAMES + frame].m;
            for (int j = 0; j < 3; j++)
                x[j] += skin->weights[at] * (r.x * m[j] + r.y * m[3 + j] + r.z * m[6 + j] + m[9 + j]);
        }
        worst = fmax(worst, qvDistance(qvMakeVec3(x[0], x[1], x[2]), qvVec3_FromFloat(made->places[i])));
    }
    return worst;
}

static void CheckSkin(const qvBoneSkin* skin)
{
    for (int i = 0; i < MADE_POINTS; i++)
    {
        double sum = 0.0;
        for (int k = 0; k < QV_BONES_OF_POINT; k++)
        {
            double weight = skin->weights[QV_BONES_OF_POINT * i + k];
            assert_true(weight >= 0.0 && (k == 0 || weight <= skin->weights[QV_BONES_OF_POINT * i + k - 1]));
            assert_in_range(skin->bones[QV_BONES_OF_POINT * i + k], 0, skin->boneCount - 1);
            sum += weight;
        }
        ASSERT_NEAR(sum, 1.0, 1e-12);
    }
    for (int i = 0; i < skin->boneCount * MADE_FRAMES; i++)
    {
        const double* m = skin->maps[i].m;
        for (int k = 0; k < 9; k++)
            ASSERT_NEAR(m[k / 3 * 3] * m[k % 3 * 3] + m[k / 3 * 3 + 1] * m[k % 3 * 3 + 1] +
                            m[k / 3 * 3 + 2] * m[k % 3 * 3 + 2],
                        k % 4 == 0, 1e-9);
    }
}

// Parts that are rigid are found exactly.
static void TestRigidParts(void** state)
{
    (void)state;
    static Made made;
    MakeMotion(false, &made);
    qvBoneTask task = TaskOf(&made);
    task.maxBones = 16;
    qvBoneSkin skin;
    qvError error;
    ASSERT_OK(qvFindBones(&task, &skin, &error), error);
    assert_in_range(skin.boneCount, MADE_BONES, task.maxBones);
    CheckSkin(&skin);
    assert_true(MeasureSkin(&made, &skin) < 1e-6);
    ASSERT_NEAR(MeasureSkin(&made, &skin), skin.maxError, 1e-9);
    qvBoneSkin_Free(&skin);
}

// What was blended of bones comes back, with a few more of them than there were.
static void TestBlended(void** state)
{
    (void)state;
    static Made made;
    MakeMotion(true, &made);
    qvBoneTask task = TaskOf(&made);
    task.tolerance = 0.01;
    qvBoneSkin skin;
    qvError error;
    ASSERT_OK(qvFindBones(&task, &skin, &error), error);
    CheckSkin(&skin);
    assert_true(skin.maxError <= task.tolerance);
    assert_in_range(skin.boneCount, 2, 8);
    ASSERT_NEAR(MeasureSkin(&made, &skin), skin.maxError, 1e-9);
    qvBoneSkin_Free(&skin);
}

static void TestLimit(void** state)
{
    (void)state;
    static Made made;
    MakeMotion(true, &made);
    qvBoneTask task = TaskOf(&made);
    double first = INFINITY;
    for (int most = 1; most <= 8; most *= 2)
    {
        task.maxBones = most, task.tolerance = 1e-9;
        qvBoneSkin skin;
        qvError error;
        ASSERT_OK(qvFindBones(&task, &skin, &error), error);
        assert_in_range(skin.boneCount, 1, most);
        assert_true(skin.maxError < (most == 1 ? INFINITY : most == 2 ? first : 0.1 * first));
        first = most == 1 ? skin.maxError : first;
        qvBoneSkin_Free(&skin);
    }
}

static void TestThreads(void** state)
{
    (void)state;
    static Made made;
    MakeMotion(true, &made);
    qvBoneTask task = TaskOf(&made);
    qvBoneSkin one, many;
    qvError error;
    qvPool* pool;
    ASSERT_OK(qvFindBones(&task, &one, &error), error);
    ASSERT_OK(qvCreatePool(3, &pool, &error), error);
    qvJob job = { .pool = pool };
    task.job = &job;
    ASSERT_OK(qvFindBones(&task, &many, &error), error);
    assert_int_equal(one.boneCount, many.boneCount);
    assert_memory_equal(one.maps, many.maps, (size_t)one.boneCount * MADE_FRAMES * sizeof(qvBoneMap));
    assert_memory_equal(one.bones, many.bones, MADE_POINTS * QV_BONES_OF_POINT * sizeof(int32_t));
    assert_memory_equal(one.weights, many.weights, MADE_POINTS * QV_BONES_OF_POINT * sizeof(double));
    qvBoneSkin_Free(&one);
    qvBoneSkin_Free(&many);
    qvDestroyPool(pool);
}

// A body that stands still is one bone, and one that turns as a whole too.
static void TestStill(void** state)
{
    (void)state;
    static Made made;
    MakeMotion(false, &made);
    for (int i = 0; i < MADE_POINTS * MADE_FRAMES; i++)
        made.places[i] = made.rest[i / MADE_FRAMES];
    qvBoneTask task = TaskOf(&made);
    qvBoneSkin skin;
    qvError error;
    ASSERT_OK(qvFindBones(&task, &skin, &error), error);
    assert_int_equal(skin.boneCount, 1);
    assert_true(skin.maxError < 1e-6);
    qvBoneSkin_Free(&skin);
}

// --- Files ---------------------------------------------------------------------------------------------------------

static double Compare(const Sample* sample, const qvModel* model)
{
    int* sources = FindNearest(sample->mesh, model);
    double worst = 0.0;
    for (int k = 0; k < TEST_FRAMES; k++)
    {
        const qvVec3f* frame = sample->animation.frames + (size_t)k * (size_t)sample->mesh->vertexCount;
        worst = fmax(worst, CompareAt(model, 0, sample->animation.times[k], sources, frame));
    }
    free(sources);
    return worst;
}

// The first and the last sample show the same up to the sign of rotations, which may turn an odd number of times.
static void CheckLoop(const qvModel* model)
{
    const qvRig* rig = model->rig;
    size_t size = (size_t)rig->vertexCount * sizeof(qvVec3f);
    void* scratch = malloc(qvRig_ScratchSize(rig));
    qvVec3f *first = malloc(size), *last = malloc(size);
    assert_true(scratch != NULL && first != NULL && last != NULL);
    qvRig_Evaluate(rig, 0, 0.0, scratch, first);
    qvRig_Evaluate(rig, 0, qvRig_ClipDuration(rig, 0), scratch, last);
    assert_memory_equal(first, last, size);
    free(scratch);
    free(first);
    free(last);
}

// Neighbouring rotations are on the same side, so that a player takes the short way.
static void CheckSigns(const qvModel* model)
{
    const qvRigClip* clip = &model->rig->clips[0];
    int rotations = 0;
    for (int i = 0; i < clip->channelCount; i++)
    {
        const qvRigSampler* sampler = &clip->channels[i].sampler;
        if (clip->channels[i].path != qv_rigRotation)
            continue;
        rotations++;
        for (int k = 1; k < sampler->keyCount; k++)
        {
            const float *a = sampler->values + 4 * (size_t)(k - 1), *b = a + 4;
            assert_true(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] > 0.0f);
        }
    }
    assert_true(rotations > 0);
}

static void CheckRest(const Sample* sample, const qvModel* model, const qvExportOptions* options, double tolerance)
{
    int* sources =
        options->compress ? FindNearest(sample->mesh, model) : FindSources(sample->mesh, model->mesh->vertexCount);
    for (int i = 0; i < model->mesh->vertexCount; i++)
        assert_true(qvDistance(qvVec3_FromFloat(model->mesh->positions[i]),
                               qvVec3_FromFloat(sample->mesh->positions[sources[i]])) <= tolerance);
    free(sources);
}

static void CheckFile(qvBendingKind kind, const qvExportOptions* options, const char* name)
{
    Sample sample = MakeSample(kind);
    char path[512];
    qvExportReport report, estimate;
    qvError error;
    qvModel* model = ExportAndLoad(&sample.animation, options, name, path, &report);
    double worst = Compare(&sample, model), rounding = 4e-6 * report.diagonal;
    if (!(worst <= report.maxError + rounding && worst >= report.maxError - rounding))
        fail_msg("decoded error %g, reported %g", worst, report.maxError);
    assert_true(report.maxError <= options->error * report.diagonal || report.warning[0] != 0);
    assert_true(report.rmsError > 0.0 && report.rmsError < report.maxError);
    assert_in_range(report.bones, 1, options->bones);
    assert_int_equal(report.targets, 0);
    assert_int_equal(model->rig->skinCount, 1);
    assert_int_equal(model->rig->skins[0].jointCount, report.bones);
    assert_int_equal(model->morphCount, 0);
    CheckLoop(model);
    CheckSigns(model);
    CheckRest(&sample, model, options, (options->quantize ? 4e-5 : 1e-6) * report.diagonal);
    ASSERT_OK(qvEstimateExport(&sample.animation, path, options, &estimate, &error), error);
    assert_int_equal(estimate.bones, report.bones);
    assert_true(estimate.maxError == report.maxError && fabs(estimate.bytes / report.bytes - 1.0) < 0.05);
    qvDestroyModel(model);
    FreeSample(&sample);
}

static qvExportOptions BoneOptions(int bones)
{
    qvExportOptions options = qvDefaultExportOptions();
    options.bones = bones, options.error = QV_BONES_ERROR;
    return options;
}

static void TestFiles(void** state)
{
    (void)state;
    qvExportOptions options = BoneOptions(48);
    CheckFile(qv_bendingWhole, &options, "bones.glb");
    CheckFile(qv_bendingTop, &options, "bones_top.gltf");
    options.quantize = true;
    CheckFile(qv_bendingWhole, &options, "bones_quantized.glb");
    options.compress = true;
    CheckFile(qv_bendingWhole, &options, "bones_packed.glb");
    options.normals = false, options.bones = 3; // says that they are too few
    CheckFile(qv_bendingStill, &options, "bones_few.glb");
}

// A better error takes more bones and holds, or it is said that it does not.
static void TestErrors(void** state)
{
    (void)state;
    Sample sample = MakeSample(qv_bendingWhole);
    int before = 0;
    for (double error = 0.04; error > 0.004; error *= 0.5)
    {
        qvExportOptions options = BoneOptions(qv_maxBones);
        options.error = error;
        char path[512];
        qvExportReport report;
        qvDestroyModel(ExportAndLoad(&sample.animation, &options, "bones_error.glb", path, &report));
        assert_true(report.maxError <= error * report.diagonal);
        assert_string_equal(report.warning, "");
        assert_true(report.bones > before);
        before = report.bones;
    }
    FreeSample(&sample);
}

static void TestWarning(void** state)
{
    (void)state;
    Sample sample = MakeSample(qv_bendingWhole);
    qvExportOptions options = BoneOptions(1);
    char path[512];
    qvExportReport report;
    qvDestroyModel(ExportAndLoad(&sample.animation, &options, "bones_one.glb", path, &report));
    assert_non_null(strstr(report.warning, "1 bone reaches an error of"));
    assert_non_null(strstr(report.warning, "does not fit bones"));
    FreeSample(&sample);
}

static void ExpectFailure(const qvAnimation* animation, const char* name, int bones, const char* text)
{
    qvExportOptions options = BoneOptions(bones);
    char path[512];
    qvError error;
    OutputPath(path, sizeof(path), name);
    assert_true(qvExportAnimation(animation, path, &options, NULL, &error) != qv_ok);
    if (strstr(error.message, text) == NULL)
        fail_msg("\"%s\" is not in: %s", text, error.message);
    assert_true(access(path, F_OK) != 0);
}

static void TestBad(void** state)
{
    (void)state;
    Sample sample = MakeSample(qv_bendingWhole);
    ExpectFailure(&sample.animation, "bones_none.glb", -1, "bones: must be from 1 to 255");
    ExpectFailure(&sample.animation, "bones_none.glb", 256, "bones: must be from 1 to 255");
    FreeSample(&sample);
}

typedef struct Stop
{
    int left; // questions until it refuses
    bool isOver;
    int late; // questions after that
} Stop;

static bool StopAt(void* context, const char* stage, double fraction)
{
    (void)stage, (void)fraction;
    Stop* stop = context;
    stop->late += stop->isOver;
    stop->isOver |= --stop->left < 0;
    return !stop->isOver;
}

// Whichever question is refused, the export stops there and leaves nothing. All that works on every point asks: the
// rounds alone would be some dozens of questions.
static void TestCancel(void** state)
{
    (void)state;
    Sample sample = MakeSample(qv_bendingWhole);
    qvExportOptions options = BoneOptions(64);
    char path[512];
    qvError error;
    OutputPath(path, sizeof(path), "bones_cancelled.glb");
    int asked = 0;
    for (int after = 0; after < 6000; after += 1 + after / 3)
    {
        Stop stop = { .left = after };
        qvJob job = { .progress = StopAt, .context = &stop };
        options.error = 1e-6, options.job = &job;
        qvResult result = qvExportAnimation(&sample.animation, path, &options, NULL, &error);
        if (result == qv_ok)
            break;
        assert_int_equal(result, qv_cancelled);
        assert_int_equal(stop.late, 0);
        assert_true(access(path, F_OK) != 0);
        asked = after;
    }
    assert_true(asked > 1000);
    FreeSample(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestRigidParts), cmocka_unit_test(TestBlended), cmocka_unit_test(TestLimit),
        cmocka_unit_test(TestThreads),    cmocka_unit_test(TestStill),   cmocka_unit_test(TestFiles),
        cmocka_unit_test(TestErrors),     cmocka_unit_test(TestWarning), cmocka_unit_test(TestBad),
        cmocka_unit_test(TestCancel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
