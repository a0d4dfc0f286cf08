// SPDX-License-Identifier: GPL-3.0-or-later
// Vertex animation textures, read back as a shader does.
#include "animation_testing.h"

#include "formats/gltf.h"
#include "quaver/file.h"

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

typedef struct Texture
{
    int width, height;
    double* values; // [3 width height] from 0 to 1
} Texture;

static int Paeth(int left, int up, int corner)
{
    int a = abs(up - corner), b = abs(left - corner), c = abs(left + up - 2 * corner);
    return a <= b && a <= c ? left : b <= c ? up : corner;
}

static uint32_t BigEndian(const char* bytes)
{
    const uint8_t* b = (const uint8_t*)bytes;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

// Of a picture with one chunk of data.
static Texture ReadPng(const char* path)
{
    qvBytes bytes;
    qvError error;
    ASSERT_OK(qvReadFile(path, 1 << 24, &bytes, &error), error);
    assert_memory_equal(bytes.data + 12, "IHDR", 4);
    assert_memory_equal(bytes.data + 37, "IDAT", 4); // no chunk says that these are colours
    assert_int_equal(bytes.data[24], 16);
    assert_int_equal(bytes.data[25], 2);
    Texture texture = { (int)BigEndian(bytes.data + 16), (int)BigEndian(bytes.data + 20), NULL };
    size_t row = 6 * (size_t)texture.width, size = (row + 1) * (size_t)texture.height;
    uint8_t* plain = calloc(size + row, 1);
    uLongf used = (uLongf)size;
    assert_int_equal(uncompress(plain + row, &used, (const Bytef*)bytes.data + 41, BigEndian(bytes.data + 33)), Z_OK);
    texture.values = malloc(size * sizeof(double));
    uint8_t* above = plain; // zeros
    for (int y = 0; y < texture.height; y++)
    {
        uint8_t *at = plain + row + (row + 1) * (size_t)y + 1, filter = at[-1];
        for (size_t i = 0; i < row; i++)
        {
            int left = i < 6 ? 0 : at[i - 6], up = above[i], corner = i < 6 ? 0 : above[i - 6];
            const int guess[5] = { 0, left, up, (left + up) / 2, Paeth(left, up, corner) };
            at[i] = (uint8_t)(at[i] + guess[filter]);
        }
        for (size_t i = 0; i < row / 2; i++)
            texture.values[(size_t)y * row / 2 + i] = (at[2 * i] * 256 + at[2 * i + 1]) / 65535.0;
        above = at;
    }
    free(plain);
    qvFreeBytes(&bytes);
    return texture;
}

// Blender's axes to glTF's.
static qvVec3 Turn(const double v[3])
{
    return qvMakeVec3(v[0], v[2], -v[1]);
}

// The second texture coordinates of a document's first primitive, [2 count].
static float* ReadSlots(const qvModel* model, qvArena* arena, int count)
{
    const qvJson* primitive = qvJson_First(qvJson_Find(model->source->meshes.items[0], "primitives"));
    qvGltfAccessor accessor;
    qvError error;
    float* slots = NULL;
    ASSERT_OK(
        qvGltf_GetAccessor(model->source, qvJson_Find(primitive, "attributes"), "", "TEXCOORD_1", &accessor, &error),
        error);
    assert_int_equal(accessor.count, count);
    ASSERT_OK(qvGltf_ReadFloats(model->source, arena, &accessor, 2, &slots, &error), error);
    return slots;
}

static void ReadRemap(const char* path, double lower[3], double upper[3], int* frames)
{
    qvBytes bytes;
    qvError error;
    qvJson* json;
    ASSERT_OK(qvReadFile(path, 1 << 16, &bytes, &error), error);
    ASSERT_OK(qvParseJson(bytes.data, bytes.size, NULL, &json, &error), error);
    const qvJson* remap = qvJson_Find(json, "os-remap");
    for (int k = 0; k < 3; k++)
    {
        lower[k] = qvJson_Number(qvJson_At(qvJson_Find(remap, "Min"), k));
        upper[k] = qvJson_Number(qvJson_At(qvJson_Find(remap, "Max"), k));
    }
    *frames = qvJson_Index(qvJson_Find(remap, "Frames"));
    qvDestroyJson(json);
    qvFreeBytes(&bytes);
}

// Every vertex of every frame, as OpenVAT's shaders find it.
static void TestPlayed(void** state)
{
    (void)state;
    Sample sample = MakeSample(qv_bendingWhole);
    char folder[512], path[600];
    qvExportReport report, estimate;
    qvError error;
    OutputPath(folder, sizeof(folder), "bend.vat");
    ASSERT_OK(qvEstimateExport(&sample.animation, folder, NULL, &estimate, &error), error);
    ASSERT_OK(qvExportAnimation(&sample.animation, folder, NULL, &report, &error), error);
    ASSERT_NEAR(estimate.bytes, report.bytes, 1.0);
    assert_int_equal(report.fileCount, 3);
    assert_true(report.maxError > 0.0 && report.maxError < 2e-5 * report.diagonal);
    snprintf(path, sizeof(path), "%s/bend.glb", folder);
    qvModel* model = LoadFile(path);
    snprintf(path, sizeof(path), "%s/bend_vat.png", folder);
    Texture texture = ReadPng(path);
    double lower[3], upper[3], worst = 0.0;
    int frames;
    snprintf(path, sizeof(path), "%s/bend-remap_info.json", folder);
    ReadRemap(path, lower, upper, &frames);
    assert_int_equal(frames, TEST_FRAMES - 1); // a loop
    assert_int_equal(texture.width, model->mesh->vertexCount);
    assert_int_equal(texture.height, 2 * frames);
    qvArena* arena = qvCreateArena();
    const float* slots = ReadSlots(model, arena, model->mesh->vertexCount);
    int* sources = FindSources(sample.mesh, model->mesh->vertexCount);
    for (int i = 0; i < model->mesh->vertexCount; i++)
    {
        int column = (int)(slots[2 * i] * (float)texture.width), row = (int)(slots[2 * i + 1] * (float)texture.height);
        for (int frame = 0; frame < frames; frame++)
        {
            double d[3], n[3];
            for (int k = 0; k < 3; k++)
            {
                size_t at = 3 * ((size_t)(row + frame) * (size_t)texture.width + (size_t)column) + (size_t)k;
                d[k] = lower[k] + texture.values[at] * (upper[k] - lower[k]);
                n[k] = 2.0 * texture.values[at + 3 * (size_t)frames * (size_t)texture.width] - 1.0;
            }
            qvVec3 place = qvAdd(qvVec3_FromFloat(model->mesh->positions[i]), Turn(d));
            const qvVec3f* exact = sample.animation.frames + (size_t)frame * (size_t)sample.mesh->vertexCount;
            worst = fmax(worst, qvDistance(place, qvVec3_FromFloat(exact[sources[i]])));
            ASSERT_NEAR(qvLength(Turn(n)), 1.0, 1e-3);
        }
    }
    ASSERT_NEAR(worst, report.maxError, 1e-6 * report.diagonal);
    free(sources);
    free(texture.values);
    qvDestroyArena(arena);
    qvDestroyModel(model);
    FreeSample(&sample);
}

// Nothing is left of what fails, and what was there stays.
static void TestRefused(void** state)
{
    (void)state;
    Sample sample = MakeSample(qv_bendingStill);
    char path[512];
    struct stat info;
    qvError error;
    OutputPath(path, sizeof(path), "none/bend.vat");
    assert_int_equal(qvExportAnimation(&sample.animation, path, NULL, NULL, &error), qv_notFound);
    OutputPath(path, sizeof(path), "taken.vat");
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(qvExportAnimation(&sample.animation, path, NULL, NULL, &error), qv_ioFailed);
    ASSERT_CONTAINS(error.message, "a folder of this name cannot be made");
    assert_true(stat(path, &info) == 0 && S_ISREG(info.st_mode));
    unlink(path);
    // One of its files is in the way.
    char kept[600];
    snprintf(kept, sizeof(kept), "%s/taken.glb", path);
    assert_int_equal(mkdir(path, 0777), 0);
    assert_int_equal(mkdir(kept, 0777), 0);
    assert_int_not_equal(qvExportAnimation(&sample.animation, path, NULL, NULL, &error), qv_ok);
    ASSERT_CONTAINS(error.message, "taken.glb: is a folder");
    assert_int_equal(rmdir(kept), 0);
    // It is a link to a folder of others.
    char link[600];
    OutputPath(link, sizeof(link), "linked.vat");
    unlink(link);
    assert_int_equal(symlink("taken.vat", link), 0);
    assert_int_equal(qvExportAnimation(&sample.animation, link, NULL, NULL, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "is a symbolic link");
    unlink(link);
    assert_int_equal(rmdir(path), 0); // is empty again
    FreeSample(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(TestPlayed), cmocka_unit_test(TestRefused) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
