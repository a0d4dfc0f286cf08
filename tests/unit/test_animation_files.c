// SPDX-License-Identifier: GPL-3.0-or-later
// Vertex caches and sequences hold exactly what was baked; a failure or a cancel leaves nothing behind.
#include "animation_testing.h"

#include "quaver/file.h"

#include <dirent.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

static uint32_t GetWord(const char* bytes, bool isBig)
{
    uint32_t word = 0;
    for (int i = 0; i < 4; i++)
        word |= (uint32_t)(uint8_t)bytes[i] << 8 * (isBig ? 3 - i : i);
    return word;
}

static float GetFloat(const char* bytes, bool isBig)
{
    uint32_t word = GetWord(bytes, isBig);
    float value;
    memcpy(&value, &word, sizeof(value));
    return value;
}

static qvBytes ExportBytes(const qvAnimation* animation, const char* name, char path[512])
{
    qvError error;
    qvExportReport report;
    qvBytes bytes;
    OutputPath(path, 512, name);
    ASSERT_OK(qvExportAnimation(animation, path, NULL, &report, &error), error);
    ASSERT_OK(qvReadFile(path, INT_MAX, &bytes, &error), error);
    assert_int_equal(report.fileCount, 2);
    assert_true(report.bytes > (double)bytes.size);
    ASSERT_NEAR(report.maxError, 0.0, 0.0);
    return bytes;
}

static void AssertFloats(const char* bytes, const qvAnimation* animation, const qvMesh* mesh, bool isBig)
{
    const float* values = &animation->frames[0].x;
    for (int i = 0; i < 3 * mesh->vertexCount * animation->frameCount; i++)
    {
        float value = GetFloat(bytes + 4 * (ptrdiff_t)i, isBig);
        if (memcmp(&value, &values[i], sizeof(value)) != 0)
            fail_msg("number %d is %.9g, not %.9g", i, value, values[i]);
    }
}

// The mesh beside the cache has the same vertices.
static void AssertMesh(char* path, const qvMesh* mesh)
{
    memcpy(path + strlen(path) - 3, "obj", 3);
    qvModel* model = LoadFile(path);
    assert_int_equal(model->mesh->vertexCount, mesh->vertexCount);
    assert_memory_equal(model->mesh->positions, mesh->positions, (size_t)mesh->vertexCount * sizeof(qvVec3f));
    qvDestroyModel(model);
}

static void TestPc2(void** state)
{
    (void)state;
    Sample sample = MakeSample(qv_bendingWhole);
    char path[512];
    qvBytes bytes = ExportBytes(&sample.animation, "animation_cache_a.pc2", path);
    assert_int_equal(bytes.size, 32 + 12 * (size_t)sample.mesh->vertexCount * TEST_FRAMES);
    assert_memory_equal(bytes.data, "POINTCACHE2\0", 12);
    assert_int_equal(GetWord(bytes.data + 12, false), 1);
    assert_int_equal(GetWord(bytes.data + 16, false), sample.mesh->vertexCount);
    ASSERT_NEAR(GetFloat(bytes.data + 20, false), 0.0, 0.0);
    ASSERT_NEAR(GetFloat(bytes.data + 24, false), 1.0, 0.0);
    assert_int_equal(GetWord(bytes.data + 28, false), TEST_FRAMES);
    AssertFloats(bytes.data + 32, &sample.animation, sample.mesh, false);
    AssertMesh(path, sample.mesh);
    qvFreeBytes(&bytes);
    FreeSample(&sample);
}

static void TestMdd(void** state)
{
    (void)state;
    Sample sample = MakeSample(qv_bendingWhole);
    double times[TEST_FRAMES];
    for (int i = 0; i < TEST_FRAMES; i++)
        times[i] = sample.animation.times[i] + 5.0; // the first becomes 0
    const double* exact = sample.animation.times;
    sample.animation.times = times;
    char path[512];
    qvBytes bytes = ExportBytes(&sample.animation, "animation_cache_b.mdd", path);
    assert_int_equal(bytes.size, 8 + TEST_FRAMES * (4 + 12 * (size_t)sample.mesh->vertexCount));
    assert_int_equal(GetWord(bytes.data, true), TEST_FRAMES);
    assert_int_equal(GetWord(bytes.data + 4, true), sample.mesh->vertexCount);
    for (int i = 0; i < TEST_FRAMES; i++)
        ASSERT_NEAR(GetFloat(bytes.data + 8 + 4 * i, true), exact[i], 1e-6);
    AssertFloats(bytes.data + 8 + 4 * TEST_FRAMES, &sample.animation, sample.mesh, true);
    AssertMesh(path, sample.mesh);
    qvFreeBytes(&bytes);
    FreeSample(&sample);
}

// A mesh of the user's own is not overwritten by the one that comes with a cache.
static void TestForeignMesh(void** state)
{
    (void)state;
    static const char own[] = "v 0 0 0\n";
    Sample sample = MakeSample(qv_bendingWhole);
    char path[512], obj[512], other[512];
    qvError error;
    qvExportReport report;
    ASSERT_OK(qvWriteFile(OutputPath(obj, sizeof(obj), "animation_own.obj"), own, strlen(own), &error), error);
    OutputPath(path, sizeof(path), "animation_own.pc2");
    ASSERT_OK(qvExportAnimation(&sample.animation, path, NULL, &report, &error), error);
    ASSERT_CONTAINS(report.warning, "animation_own_mesh.obj");
    qvBytes bytes;
    ASSERT_OK(qvReadFile(obj, 100, &bytes, &error), error);
    assert_string_equal(bytes.data, own);
    qvFreeBytes(&bytes);
    qvDestroyModel(LoadFile(OutputPath(other, sizeof(other), "animation_own_mesh.obj")));
    FreeSample(&sample);
}

static void TestSequence(void** state)
{
    (void)state;
    Sample sample = MakeSample(qv_bendingWhole);
    sample.animation.frameCount = 5;
    sample.animation.loop = false;
    char path[512];
    qvError error;
    qvExportReport report;
    OutputPath(path, sizeof(path), "animation_walk.obj");
    ASSERT_OK(qvExportAnimation(&sample.animation, path, NULL, &report, &error), error);
    assert_int_equal(report.fileCount, 5);
    assert_int_not_equal(access(path, F_OK), 0);
    for (int k = 0; k < 5; k++)
    {
        char name[64];
        snprintf(name, sizeof(name), "animation_walk_%04d.obj", k);
        qvModel* model = LoadFile(OutputPath(path, sizeof(path), name));
        assert_memory_equal(model->mesh->positions, sample.animation.frames + k * sample.mesh->vertexCount,
                            (size_t)sample.mesh->vertexCount * sizeof(qvVec3f));
        qvDestroyModel(model);
    }
    FreeSample(&sample);
}

// --- Failures ----------------------------------------------------------------------------------------------------

static int CountEntries(const char* folder)
{
    DIR* stream = opendir(folder);
    assert_non_null(stream);
    int count = 0;
    for (const struct dirent* entry = readdir(stream); entry != NULL; entry = readdir(stream))
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(stream);
    return count;
}

static const char* MakeEmptyFolder(char* path, size_t capacity, const char* name)
{
    OutputPath(path, capacity, name);
    char command[700];
    snprintf(command, sizeof(command), "rm -rf '%s'", path);
    assert_int_equal(system(command), 0);
    assert_int_equal(mkdir(path, 0777), 0);
    return path;
}

static bool StopAfter(void* context, const char* stage, double fraction)
{
    assert_non_null(stage);
    assert_true(fraction <= 1.0); // below 0: a question only
    int* calls = context;
    return --*calls >= 0;
}

// Cancelled at every place where progress is reported.
static void TestCancel(void** state)
{
    (void)state;
    static const char* const names[] = { "a.glb", "a.gltf", "a.pc2", "a.mdd", "a.obj", "a.html" };
    Sample sample = MakeSample(qv_bendingWhole);
    for (int i = 0; i < 6; i++)
    {
        char folder[512], path[600];
        MakeEmptyFolder(folder, sizeof(folder), "animation_cancel");
        snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
        qvResult result = qv_cancelled;
        int stops = 0;
        for (; result == qv_cancelled && stops < 200; stops++)
        {
            int calls = stops;
            qvJob job = { .progress = StopAfter, .context = &calls };
            qvExportOptions options = qvDefaultExportOptions();
            options.job = &job;
            qvError error;
            result = qvExportAnimation(&sample.animation, path, &options, NULL, &error);
            if (result == qv_cancelled)
                assert_int_equal(CountEntries(folder), 0);
        }
        assert_int_equal(result, qv_ok);
        assert_true(stops > 4);
        assert_true(CountEntries(folder) > 0);
    }
    FreeSample(&sample);
}

static void AssertFails(const qvAnimation* animation, const char* path, const qvExportOptions* options, qvResult wanted,
                        const char* part)
{
    qvError error = { 0 };
    qvResult result = qvExportAnimation(animation, path, options, NULL, &error);
    if (result != wanted)
        fail_msg("%s: result %d, not %d: %s", part, result, wanted, error.message);
    ASSERT_CONTAINS(error.message, part);
    ASSERT_CONTAINS(error.message, path);
    assert_null(strchr(error.message, '\n'));
}

static void TestBadInput(void** state)
{
    (void)state;
    Sample sample = MakeSample(qv_bendingWhole);
    char folder[512], path[600];
    MakeEmptyFolder(folder, sizeof(folder), "animation_bad");
    snprintf(path, sizeof(path), "%s/a.glb", folder);
    qvExportOptions options = qvDefaultExportOptions();
    AssertFails(&sample.animation, "no/such/folder/a.glb", NULL, qv_notFound,
                "the folder no/such/folder does not exist");
    AssertFails(&sample.animation, "a.fbx", NULL, qv_badInput, "end it in one of .glb, .gltf, .pc2, .mdd, .obj");
    options.error = 0.0;
    AssertFails(&sample.animation, path, &options, qv_badInput, "error: must be");
    options.error = NAN;
    AssertFails(&sample.animation, path, &options, qv_badInput, "error: must be");
    options = qvDefaultExportOptions();
    options.maxTargets = -1;
    AssertFails(&sample.animation, path, &options, qv_badInput, "max-targets: must be");
    qvAnimation bad = sample.animation;
    bad.frameCount = 0;
    AssertFails(&bad, path, NULL, qv_badInput, "has no frames");
    bad.frameCount = 3;
    const double times[3] = { 0.0, 1.0, 1.0 };
    bad.times = times;
    AssertFails(&bad, path, NULL, qv_badInput, "frame 2 at 1 s: its time");
    sample.motion.frames[3 * sample.mesh->vertexCount + 7].y = NAN;
    AssertFails(&sample.animation, path, NULL, qv_badInput, "frame 3: holds a position");
    sample.motion.frames[3 * sample.mesh->vertexCount + 7].y = 0.0f;
    sample.motion.rigid[4].offset.x = INFINITY;
    AssertFails(&sample.animation, path, NULL, qv_badInput, "frame 4: holds a position");
    assert_int_equal(CountEntries(folder), 0);
    FreeSample(&sample);
}

// A .gltf whose .bin cannot be written leaves the old pair.
static void TestPair(void** state)
{
    (void)state;
    Sample sample = MakeSample(qv_bendingStill);
    char folder[512], path[600], bin[600];
    MakeEmptyFolder(folder, sizeof(folder), "animation_pair");
    snprintf(path, sizeof(path), "%s/a.gltf", folder);
    snprintf(bin, sizeof(bin), "%s/a.bin", folder);
    qvError error;
    ASSERT_OK(qvWriteFile(path, "old", 3, &error), error);
    assert_int_equal(mkdir(bin, 0777), 0);
    assert_int_not_equal(qvExportAnimation(&sample.animation, path, NULL, NULL, &error), qv_ok);
    ASSERT_CONTAINS(error.message, "a.bin");
    qvModel model = { .mesh = sample.mesh };
    assert_int_not_equal(qvSaveModel(&model, NULL, path, &error), qv_ok);
    qvBytes bytes;
    ASSERT_OK(qvReadFile(path, 100, &bytes, &error), error);
    assert_string_equal(bytes.data, "old");
    qvFreeBytes(&bytes);
    assert_int_equal(CountEntries(folder), 2);
    FreeSample(&sample);
}

// What the animation was made from is not written over, whichever file of the set would do it.
static void TestKeptFiles(void** state)
{
    (void)state;
    char folder[512], kept[700], path[700];
    MakeEmptyFolder(folder, sizeof(folder), "animation_kept");
    Sample sample = MakeSample(qv_bendingStill);
    char* const keep[] = { kept };
    qvExportOptions options = qvDefaultExportOptions();
    options.keep = keep, options.keepCount = 1;
    static const char* const names[][2] = { { "a.glb", "a.glb" }, { "b.bin", "b.gltf" }, { "c_0002.obj", "c.obj" } };
    for (int i = 0; i < 3; i++)
    {
        qvError error;
        snprintf(kept, sizeof(kept), "%s/%s", folder, names[i][0]);
        snprintf(path, sizeof(path), "%s/%s", folder, names[i][1]);
        ASSERT_OK(qvWriteFile(kept, "mine", 4, &error), error);
        AssertFails(&sample.animation, path, &options, qv_badInput, names[i][0]);
        qvBytes bytes;
        ASSERT_OK(qvReadFile(kept, 100, &bytes, &error), error);
        assert_string_equal(bytes.data, "mine");
        qvFreeBytes(&bytes);
        assert_int_equal(CountEntries(folder), i + 1);
    }
    FreeSample(&sample);
}

// Images of a document that is written elsewhere come along.
static void TestImages(void** state)
{
    (void)state;
    static const char gltf[] =
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"material\":0}]}],"
        "\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0}}}],"
        "\"textures\":[{\"source\":0}],\"images\":[{\"uri\":\"sub/my%20image.png\"}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],"
        "\"max\":[1,1,0]}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"buffers\":[{\"byteLength\":36,"
        "\"uri\":\"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"}]}";
    static const char image[] = "\x89PNG not really";
    char from[512], to[512], path[700];
    qvError error;
    MakeEmptyFolder(from, sizeof(from), "animation_images_from");
    MakeEmptyFolder(to, sizeof(to), "animation_images_to");
    snprintf(path, sizeof(path), "%s/sub", from);
    assert_int_equal(mkdir(path, 0777), 0);
    snprintf(path, sizeof(path), "%s/sub/my image.png", from);
    ASSERT_OK(qvWriteFile(path, image, sizeof(image), &error), error);
    snprintf(path, sizeof(path), "%s/a.gltf", from);
    ASSERT_OK(qvWriteFile(path, gltf, strlen(gltf), &error), error);
    qvModel* model = LoadFile(path);
    // In its own folder it keeps its reference.
    snprintf(path, sizeof(path), "%s/b.gltf", from);
    ASSERT_OK(qvSaveModel(model, NULL, path, &error), error);
    qvModel* again = LoadFile(path);
    assert_string_equal(again->mesh->textures[0].path, "sub/my image.png");
    qvDestroyModel(again);
    // Elsewhere the image comes along, also where another file has its name.
    for (int i = 0; i < 2; i++)
    {
        const char* name = i == 0 ? "my image.png" : "c_my image.png";
        snprintf(path, sizeof(path), "%s/c.gltf", to);
        ASSERT_OK(qvSaveModel(model, NULL, path, &error), error);
        again = LoadFile(path);
        assert_string_equal(again->mesh->textures[0].path, name);
        qvDestroyModel(again);
        qvBytes bytes;
        snprintf(path, sizeof(path), "%s/%s", to, name);
        ASSERT_OK(qvReadFile(path, 100, &bytes, &error), error);
        assert_int_equal(bytes.size, sizeof(image));
        qvFreeBytes(&bytes);
        snprintf(path, sizeof(path), "%s/my image.png", to);
        ASSERT_OK(qvWriteFile(path, "mine", 4, &error), error);
    }
    // A binary file has it inside.
    snprintf(path, sizeof(path), "%s/d.glb", to);
    ASSERT_OK(qvSaveModel(model, NULL, path, &error), error);
    again = LoadFile(path);
    assert_int_equal(again->mesh->textures[0].byteCount, sizeof(image));
    assert_memory_equal(again->mesh->textures[0].bytes, image, sizeof(image));
    assert_string_equal(again->mesh->textures[0].mimeType, "image/png");
    qvDestroyModel(again);
    qvDestroyModel(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestPc2),      cmocka_unit_test(TestMdd),       cmocka_unit_test(TestForeignMesh),
        cmocka_unit_test(TestSequence), cmocka_unit_test(TestCancel),    cmocka_unit_test(TestBadInput),
        cmocka_unit_test(TestPair),     cmocka_unit_test(TestKeptFiles), cmocka_unit_test(TestImages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
