// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of bakes: what describes them, and that the whole of them is one bake, to the bit.
#include "scene_testing.h"

#include "formats/obj.h"
#include "formats/vertex_cache.h"
#include "quaver/image.h"
#include "quaver/numbered.h"
#include "quaver/part.h"
#include "scene/part.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

// --- Descriptions --------------------------------------------------------------------------------------------------

static void DescriptionsAreRead(void** state)
{
    (void)state;
    char path[512];
    qvError error;
    qvPartFile file;
    ASSERT_OK(qvReadPart(DataPath(path, sizeof(path), "part/cache.part.json"), &file, &error), error);
    assert_true(file.part.moments.total == 47 && file.part.moments.first == 10 && file.part.moments.count == 2);
    assert_true(file.frameFileCount == 1 && file.fileCount == 3 && file.part.scene == 0x31eab74331b2002d);
    ASSERT_CONTAINS(file.entries[1].path, "part/walk.obj");
    qvFreePart(&file);
    ASSERT_OK(qvReadPart(DataPath(path, sizeof(path), "part/pictures.part.json"), &file, &error), error);
    assert_true(file.part.isSequence && file.frameFileCount == 2 && file.fileCount == 2);
    assert_string_equal(file.part.look, "64x48 turntable");
    qvFreePart(&file);
}

static void BadDescriptionsAreNamed(void** state)
{
    (void)state;
    char folder[512], path[1024];
    int count = 0;
    DIR* list = opendir(DataPath(folder, sizeof(folder), "part/bad"));
    assert_non_null(list);
    for (const struct dirent* item; (item = readdir(list)) != NULL;)
    {
        qvError error;
        qvPartFile file;
        if (item->d_name[0] == '.')
            continue;
        snprintf(path, sizeof(path), "%s/%s", folder, item->d_name);
        if (qvReadPart(path, &file, &error) != qv_badInput)
            fail_msg("%s was read", path);
        ASSERT_CONTAINS(error.message, path);
        qvFreePart(&file);
        count++;
    }
    closedir(list);
    assert_true(count >= 20);
}

// --- Joining -------------------------------------------------------------------------------------------------------

#define MOVING SCENE("\"loop\": true, \"range\": [-0.3, 0.7], " FEW_MODES ", \"keys\": [" DANCE_KEYS_EARLY "]")
#define DANCE_KEYS_EARLY                                            \
    "{\"id\": \"a\", \"time\": 0}, {\"id\": \"b\", \"time\": 0.3, " \
    "\"strokes\": [{\"brush\": \"twist\", \"at\": [0, 1, 0], \"axis\": [0, 1, 0], \"angle\": 0.5, \"radius\": 0.8}]}"

// Bakes some of the frames as a part, and gives the path of its description.
static char* MustWritePart(const qvTake* take, const char* path, int first, int last)
{
    qvError error;
    qvTakeExport def = qvDefaultTakeExport();
    def.bake.hasFrames = true, def.bake.frames[0] = first, def.bake.frames[1] = last;
    ASSERT_OK(qvExportTake(take, &def, path, NULL, &error), error);
    qvPart part = { .output = path };
    part.isSequence = strstr(path, ".obj") != NULL || strstr(path, ".ply") != NULL;
    ASSERT_OK(qvPart_Describe(&part, qvTake_Scene(take), qvTake_Folder(take), NULL, &error), error);
    ASSERT_OK(qvBakeDef_Moments(&def.bake, qvTake_Scene(take), &part.moments, &error), error);
    ASSERT_OK(qvWritePart(&part, NULL, &error), error);
    return qvPart_Path(&part);
}

static void AssertSameFile(const char* a, const char* b)
{
    qvError error;
    qvBytes bytes[2];
    ASSERT_OK(qvReadFile(a, 1 << 30, &bytes[0], &error), error);
    ASSERT_OK(qvReadFile(b, 1 << 30, &bytes[1], &error), error);
    assert_int_equal(bytes[0].size, bytes[1].size);
    assert_memory_equal(bytes[0].data, bytes[1].data, bytes[0].size);
    qvFreeBytes(&bytes[0]);
    qvFreeBytes(&bytes[1]);
}

typedef struct Three
{
    char* paths[3];
} Three;

static Three MustWriteThree(const qvTake* take, const char* const outputs[3])
{
    static const int frames[3][2] = { { 9, 9 }, { 10, 99 }, { 0, 8 } };
    Three three;
    for (int i = 0; i < 3; i++)
        three.paths[i] = MustWritePart(take, outputs[i], frames[i][0], frames[i][1]);
    return three;
}

static void FreeThree(Three* three)
{
    for (int i = 0; i < 3; i++)
        free(three->paths[i]);
}

static qvResult Join(const Three* three, int count, const char* path, qvError* error)
{
    qvParts parts;
    qvExportReport report;
    qvResult result = qvReadParts((const char* const*)three->paths, count, NULL, &parts, error);
    if (result == qv_ok)
        result = qvJoinParts(&parts, path, NULL, &report, error);
    if (result == qv_ok)
        assert_int_equal(report.frames, 25);
    qvFreeParts(&parts);
    return result;
}

static void CachesJoinToTheBit(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(MOVING);
    static const char* const formats[] = { "pc2", "mdd" };
    for (int i = 0; i < 2; i++)
    {
        char path[5][600], name[64];
        static const char* const stems[] = { "join_c", "join_b", "join_a", "join_whole", "join_all" };
        for (int k = 0; k < 5; k++)
        {
            snprintf(name, sizeof(name), "%s.%s", stems[k], formats[i]);
            OutputPath(path[k], sizeof(path[k]), name);
        }
        const char* const outputs[3] = { path[0], path[1], path[2] };
        qvError error;
        qvTakeExport def = qvDefaultTakeExport();
        ASSERT_OK(qvExportTake(take, &def, path[3], NULL, &error), error);
        Three three = MustWriteThree(take, outputs);
        ASSERT_OK(Join(&three, 3, path[4], &error), error);
        AssertSameFile(path[3], path[4]);
        char a[600], b[600];
        AssertSameFile(OutputPath(a, sizeof(a), "join_whole.obj"), OutputPath(b, sizeof(b), "join_all.obj"));

        // What was cut off is told by its name, and leaves the whole as it was.
        assert_int_equal(truncate(path[1], 100), 0);
        assert_int_equal(Join(&three, 3, path[4], &error), qv_badInput);
        ASSERT_CONTAINS(error.message, path[1]);
        ASSERT_CONTAINS(error.message, "truncated");
        AssertSameFile(path[3], path[4]);
        FreeThree(&three);
    }
    qvReleaseTake(take);
}

static void SequencesJoinToTheBit(void** state)
{
    (void)state;
    qvTake* take = SolveAlone(MOVING);
    static const char* const formats[] = { "obj", "ply" };
    for (int i = 0; i < 2; i++)
    {
        char part[600], whole[600], all[600], name[64];
        snprintf(name, sizeof(name), "joined_part_####.%s", formats[i]);
        OutputPath(part, sizeof(part), name);
        snprintf(name, sizeof(name), "joined_whole_####.%s", formats[i]);
        OutputPath(whole, sizeof(whole), name);
        snprintf(name, sizeof(name), "joined_all_%%02d.%s", formats[i]);
        OutputPath(all, sizeof(all), name);
        const char* const outputs[3] = { part, part, part };
        qvError error;
        qvTakeExport def = qvDefaultTakeExport();
        ASSERT_OK(qvExportTake(take, &def, whole, NULL, &error), error);
        Three three = MustWriteThree(take, outputs);
        ASSERT_OK(Join(&three, 3, all, &error), error);
        ASSERT_OK(Join(&three, 3, part, &error), error); // where they are already
        for (int k = 0; k < 25; k++)
        {
            char *a = qvNumberedPath(whole, k), *b = qvNumberedPath(all, k);
            AssertSameFile(a, b);
            free(a);
            free(b);
        }
        char* last = qvNumberedPath(part, 24);
        assert_int_equal(unlink(last), 0);
        assert_int_not_equal(Join(&three, 3, all, &error), qv_ok);
        ASSERT_CONTAINS(error.message, last);
        free(last);
        FreeThree(&three);
    }
    qvReleaseTake(take);
}

static void WhatIsNotOneWholeIsRefused(void** state)
{
    (void)state;
    char path[4][600];
    static const char* const names[] = { "odd_a.pc2", "odd_b.pc2", "odd_c.pc2", "odd_all.pc2" };
    for (int i = 0; i < 4; i++)
        OutputPath(path[i], sizeof(path[i]), names[i]);
    const char* const outputs[3] = { path[0], path[1], path[2] };
    qvTake *take = SolveAlone(MOVING), *other = SolveAlone(DANCE);
    qvError error;
    Three three = MustWriteThree(take, outputs);
    assert_int_equal(Join(&three, 2, path[3], &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "frames 0 to 8 are missing");
    assert_int_equal(Join(&three, 1, path[3], &error), qv_badInput);
    Three gap = { { three.paths[2], three.paths[1] } };
    assert_int_equal(Join(&gap, 2, path[3], &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "odd_b.part.json: frame 9 is missing");
    free(MustWritePart(take, path[0], 8, 9));
    assert_int_equal(Join(&three, 3, path[3], &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "odd_a.part.json: has frame 8, which odd_c.part.json has already");
    free(MustWritePart(other, path[0], 9, 9));
    assert_int_equal(Join(&three, 3, path[3], &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "is of another scene than");
    free(MustWritePart(take, path[0], 9, 9));
    assert_int_equal(Join(&three, 3, path[1], &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "is one of the parts and stays");
    path[3][strlen(path[3]) - 3] = 'm';
    assert_int_equal(Join(&three, 3, path[3], &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "the parts are .pc2 files");
    FreeThree(&three);
    qvReleaseTake(take);
    qvReleaseTake(other);
}

// A description that is right about a cache that is wrong in itself.
static void CachesThatLieAreRefused(void** state)
{
    (void)state;
    static const char* const names[] = { "lie_a.pc2", "lie_b.pc2", "lie_c.pc2" };
    char path[3][600], all[600];
    for (int i = 0; i < 3; i++)
        OutputPath(path[i], sizeof(path[i]), names[i]);
    const char* const outputs[3] = { path[0], path[1], path[2] };
    static const struct
    {
        long offset;
        unsigned char byte;
    } lies[] = { { 0, 'Q' }, { 12, 2 }, { 16, 1 }, { 28, 77 }, { 31, 128 } };
    qvTake* take = SolveAlone(MOVING);
    for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++)
    {
        qvError error;
        Three three = MustWriteThree(take, outputs);
        FILE* file = fopen(path[1], "r+b");
        fseek(file, lies[i].offset, SEEK_SET);
        fputc(lies[i].byte, file);
        fclose(file);
        qvPart part = { .output = path[1] };
        ASSERT_OK(qvPart_Describe(&part, qvTake_Scene(take), qvTake_Folder(take), NULL, &error), error);
        qvBakeDef def = qvDefaultBakeDef();
        def.hasFrames = true, def.frames[0] = 10, def.frames[1] = 99;
        ASSERT_OK(qvBakeDef_Moments(&def, qvTake_Scene(take), &part.moments, &error), error);
        ASSERT_OK(qvWritePart(&part, NULL, &error), error);
        assert_int_equal(Join(&three, 3, OutputPath(all, sizeof(all), "lie_all.pc2"), &error), qv_badInput);
        ASSERT_CONTAINS(error.message, "lie_b.pc2: is no vertex cache, or is truncated");
        assert_int_not_equal(access(all, F_OK), 0);
        FreeThree(&three);
    }
    qvReleaseTake(take);
}

static qvExisting FindPart(const qvTake* take, const char* path, int first, int last)
{
    qvError error;
    qvBakeDef def = qvDefaultBakeDef();
    def.hasFrames = true, def.frames[0] = first, def.frames[1] = last;
    qvPart part = { .output = path, .isSequence = strstr(path, ".obj") != NULL };
    ASSERT_OK(qvPart_Describe(&part, qvTake_Scene(take), qvTake_Folder(take), NULL, &error), error);
    ASSERT_OK(qvBakeDef_Moments(&def, qvTake_Scene(take), &part.moments, &error), error);
    return qvPart_FindExisting(&part, true);
}

// What says that it is another part does not stay.
static void OnlyTheSamePartStays(void** state)
{
    (void)state;
    char cache[512], sequence[512];
    qvTake* take = SolveAlone(MOVING);
    OutputPath(cache, sizeof(cache), "stays.pc2");
    OutputPath(sequence, sizeof(sequence), "stays_####.obj");
    char* one = MustWritePart(take, cache, 0, 9);
    char* many = MustWritePart(take, sequence, 0, 3);
    assert_int_equal(FindPart(take, cache, 0, 9), qv_existsAll);
    assert_int_equal(FindPart(take, cache, 0, 12), qv_existsNot);
    assert_int_equal(FindPart(take, cache, 1, 9), qv_existsNot);
    assert_int_equal(FindPart(take, sequence, 0, 3), qv_existsAll);
    assert_int_equal(unlink(many), 0);
    assert_int_equal(FindPart(take, sequence, 0, 3), qv_existsNot); // of whatever scene
    free(MustWritePart(take, sequence, 0, 3));
    char* frame = qvNumberedPath(sequence, 2);
    assert_int_equal(truncate(frame, 10), 0);
    assert_int_equal(FindPart(take, sequence, 0, 3), qv_existsNot);
    assert_int_equal(truncate(cache, 10), 0);
    assert_int_equal(FindPart(take, cache, 0, 9), qv_existsNot);
    free(frame);
    free(one);
    free(many);
    qvReleaseTake(take);
}

// A scene is what it says and what its files hold, the library of a mesh and a muted obstacle's mesh among them.
static void FilesAreSources(void** state)
{
    (void)state;
    static const char* const names[] = { "source.obj", "source.mtl", "source_wall.ply" };
    static const char* const others[] = { "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "newmtl b\n", "ply\n" };
    char path[3][512], folder[512];
    for (int i = 0; i < 3; i++)
        OutputPath(path[i], sizeof(path[i]), names[i]);
    snprintf(folder, sizeof(folder), "%.*s", (int)(strrchr(path[0], '/') - path[0]), path[0]);
    const qvScene* scene = MustParse("{\"quaver\": 2, \"mesh\": {\"file\": \"source.obj\"}, \"obstacles\": "
                                     "[{\"shape\": \"mesh\", \"file\": \"source_wall.ply\", \"mute\": true}]}");
    qvPart parts[4];
    qvError error;
    static const char* const texts[] = { "mtllib source.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "newmtl a\n", "" };
    for (int i = 0; i < 3; i++)
        ASSERT_OK(qvWriteFile(path[i], texts[i], strlen(texts[i]), &error), error);
    ASSERT_OK(qvPart_Describe(&parts[0], scene, folder, NULL, &error), error);
    ASSERT_OK(qvPart_Describe(&parts[1], scene, folder, NULL, &error), error);
    assert_true(qvPart_HasSameSources(&parts[0], &parts[1]));
    for (int i = 0; i < 3; i++)
    {
        ASSERT_OK(qvWriteFile(path[i], others[i], strlen(others[i]), &error), error);
        ASSERT_OK(qvPart_Describe(&parts[1], scene, folder, NULL, &error), error);
        assert_false(qvPart_HasSameSources(&parts[0], &parts[1]));
        ASSERT_OK(qvWriteFile(path[i], texts[i], strlen(texts[i]), &error), error);
    }
    assert_int_equal(unlink(path[0]), 0);
    assert_int_equal(qvPart_Describe(&parts[1], scene, folder, NULL, &error), qv_notFound);
    ASSERT_CONTAINS(error.message, "source.obj");
    qvReleaseScene(scene);
}

// A picture is known again by its seal, unless one of its bytes has changed.
static void PicturesAreSealed(void** state)
{
    (void)state;
    char path[512], changed[512];
    qvError error;
    qvImage image;
    OutputPath(path, sizeof(path), "sealed.png");
    OutputPath(changed, sizeof(changed), "sealed_changed.png");
    ASSERT_OK(qvCreateImage(7, 5, &image, &error), error);
    memset(image.pixels, 99, 7 * 5 * 4);
    qvPart part = { .scene = 1, .mesh = 2, .obstacles = 3, .moments = { 24, { 0, 1 }, 25, 0, 25, false } };
    uint64_t seal = qvPart_Seal(&part, 7);
    ASSERT_OK(qvSaveSealedImage(&image, path, seal, NULL, &error), error);
    assert_true(qvHasSeal(path, seal));
    assert_false(qvHasSeal(path, qvPart_Seal(&part, 8)));
    qvPart others[] = { part, part, part, part, part, part };
    others[0].scene++, others[1].mesh++, others[2].obstacles++, others[3].moments.fps = 25;
    others[4].moments.range[1] = 2, strcpy(others[5].look, "7x5");
    for (int i = 0; i < 6; i++)
        assert_false(qvHasSeal(path, qvPart_Seal(&others[i], 7)));
    qvBytes bytes;
    ASSERT_OK(qvReadFile(path, 1 << 20, &bytes, &error), error);
    for (size_t i = 0; i < bytes.size; i++)
    {
        bytes.data[i] ^= 1;
        ASSERT_OK(qvWriteFile(changed, bytes.data, bytes.size, &error), error);
        assert_false(qvHasSeal(changed, seal));
        bytes.data[i] ^= 1;
    }
    ASSERT_OK(qvWriteFile(changed, bytes.data, bytes.size - 1, &error), error);
    assert_false(qvHasSeal(changed, seal));
    ASSERT_OK(qvSaveImage(&image, changed, NULL, &error), error);
    assert_false(qvHasSeal(changed, seal));
    qvFreeBytes(&bytes);
    qvDestroyImage(&image);
}

// A pipe at the name of one of its files is not waited for: a part of somebody else's may name any.
static void PipesAreRefused(void** state)
{
    (void)state;
    char path[4][600];
    static const char* const names[] = { "pipe_a.pc2", "pipe_b.pc2", "pipe_c.pc2", "pipe_all.pc2" };
    for (int i = 0; i < 4; i++)
        OutputPath(path[i], sizeof(path[i]), names[i]);
    const char* const outputs[3] = { path[0], path[1], path[2] };
    qvTake* take = SolveAlone(MOVING);
    qvError error;
    unlink(path[1]); // of a run that failed
    Three three = MustWriteThree(take, outputs);
    assert_int_equal(unlink(path[1]), 0);
    assert_int_equal(mkfifo(path[1], 0600), 0);
    alarm(20);
    assert_int_equal(Join(&three, 3, path[3], &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "pipe_b.pc2: is not a regular file");
    assert_int_equal(FindPart(take, path[1], 10, 99), qv_existsNot);
    const qvVertexCachePart cache = { path[1], 15 };
    assert_int_equal(qvVertexCache_Join(&cache, 1, false, stdout, NULL, &error), qv_badInput);
    assert_false(qvObj_HasLibrary(path[1]));
    alarm(0);
    assert_int_equal(unlink(path[1]), 0);
    FreeThree(&three);
    qvReleaseTake(take);
}

static bool Refuse(void* context, const char* stage, double fraction)
{
    (void)context, (void)stage, (void)fraction;
    return false;
}

// Large caches take long to read and to copy.
static void JoiningCanBeStopped(void** state)
{
    (void)state;
    char cache[512], all[512];
    OutputPath(cache, sizeof(cache), "stop.pc2");
    OutputPath(all, sizeof(all), "stop_all.pc2");
    unlink(all); // of a run that failed
    qvTake* take = SolveAlone(MOVING);
    char* one = MustWritePart(take, cache, 0, 24);
    const qvJob job = { .progress = Refuse };
    qvParts parts;
    qvExportReport report;
    qvError error;
    uint64_t checksum;
    assert_int_equal(qvHashFile(cache, &job, &checksum, &error), qv_cancelled);
    ASSERT_OK(qvReadParts((const char* const*)&one, 1, NULL, &parts, &error), error);
    assert_int_equal(qvJoinParts(&parts, all, &job, &report, &error), qv_cancelled);
    assert_int_not_equal(access(all, F_OK), 0);
    qvPart part = parts.items[0].part;
    assert_int_equal(unlink(one), 0);
    assert_int_equal(qvWritePart(&part, &job, &error), qv_cancelled);
    assert_int_not_equal(access(one, F_OK), 0);
    qvFreeParts(&parts);
    free(one);
    qvReleaseTake(take);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(DescriptionsAreRead),        cmocka_unit_test(BadDescriptionsAreNamed),
        cmocka_unit_test(CachesJoinToTheBit),         cmocka_unit_test(SequencesJoinToTheBit),
        cmocka_unit_test(WhatIsNotOneWholeIsRefused), cmocka_unit_test(CachesThatLieAreRefused),
        cmocka_unit_test(OnlyTheSamePartStays),       cmocka_unit_test(FilesAreSources),
        cmocka_unit_test(PicturesAreSealed),          cmocka_unit_test(PipesAreRefused),
        cmocka_unit_test(JoiningCanBeStopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
