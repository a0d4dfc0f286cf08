// SPDX-License-Identifier: GPL-3.0-or-later
// What is drawn around and on the surface: ghosts, heat colours, textures. Pictures are compared with geometry.
#include "picture_testing.h"

#include "ui/render/surface.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Columns in which anything is drawn, and how many pixels.
static int Cover(const qvImage* image, int* left, int* right)
{
    int count = 0;
    *left = SIZE;
    *right = -1;
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++)
            if (Pixel(image, x, y)[3] > 8)
            {
                count++;
                *left = x < *left ? x : *left;
                *right = x > *right ? x : *right;
            }
    return count;
}

// A sphere of radius 1 with a ghost half a unit to its left and one to its right, in a picture 6 units wide.
static void TestGhosts(void** state)
{
    (void)state;
    qvError error;
    qvMesh* mesh = CreateShape("sphere");
    qvuiPainterDef def = PlainDef();
    def.frame = (qvBox){ { -3, -2, -3 }, { 3, 4, 3 } };
    qvuiPainter* painter = CreatePainter(mesh, &def);
    size_t count = (size_t)mesh->vertexCount;
    qvVec3f *before = malloc(count * sizeof(qvVec3f)), *after = malloc(count * sizeof(qvVec3f));
    assert_non_null(before);
    assert_non_null(after);
    for (size_t i = 0; i < count; i++)
    {
        before[i] = after[i] = mesh->positions[i];
        before[i].x -= 0.5f;
        after[i].x += 0.5f;
    }
    qvImage alone = EmptyImage(), ghosts = EmptyImage(), last = EmptyImage();
    MustDraw(painter, NULL, 0.0, &alone);
    ASSERT_OK(qvuiPainter_SetGhosts(painter, before, after, &error), error);
    MustDraw(painter, NULL, 0.0, &ghosts);
    int left, right, ghostLeft, ghostRight;
    int solid = Cover(&alone, &left, &right);
    int all = Cover(&ghosts, &ghostLeft, &ghostRight);
    int shift = (left - ghostLeft + ghostRight - right) / 2;
    double expected = 0.5 * (right - left) / 2.0; // the sphere is two units wide
    assert_true(fabs(shift - expected) <= 2.0);
    assert_true(all > solid + shift * SIZE / 6);

    // Left of the body the ghost is a blue veil; right of it there is only a dashed line, amber.
    const uint8_t* veil = Pixel(&ghosts, left - shift / 2, SIZE / 2);
    assert_in_range(veil[3], 20, 120);
    assert_true(veil[2] > veil[0]);
    int amber = 0, gaps = 0;
    for (int y = SIZE / 2 - 12; y < SIZE / 2 + 12; y++)
    {
        int strongest = 0;
        for (int x = right + shift / 2; x < SIZE; x++)
        {
            const uint8_t* p = Pixel(&ghosts, x, y);
            strongest = p[3] > strongest && p[0] > p[2] ? p[3] : strongest;
        }
        amber += strongest > 100;
        gaps += strongest < 20;
    }
    assert_true(amber >= 6);
    assert_true(gaps >= 4);
    // The body itself is in front of the veil.
    assert_memory_equal(Pixel(&alone, SIZE / 2, SIZE / 2), Pixel(&ghosts, SIZE / 2, SIZE / 2), 4);

    ASSERT_OK(qvuiPainter_SetGhosts(painter, NULL, NULL, &error), error);
    MustDraw(painter, NULL, 0.0, &last);
    assert_memory_equal(alone.pixels, last.pixels, (size_t)4 * SIZE * SIZE);
    qvDestroyImage(&alone);
    qvDestroyImage(&ghosts);
    qvDestroyImage(&last);
    free(before);
    free(after);
    qvuiDestroyPainter(painter);
    qvDestroyMesh(mesh);
}

static double Luminance(const uint8_t* p)
{
    return 0.2126 * pow(p[0] / 255.0, 2.2) + 0.7152 * pow(p[1] / 255.0, 2.2) + 0.0722 * pow(p[2] / 255.0, 2.2);
}

// The scale is lighter the larger the value; waves leave the body's colour at 0; without heat nothing remains.
static void TestHeat(void** state)
{
    (void)state;
    qvMesh* mesh = CreateShape("sphere");
    qvuiPainterDef def = PlainDef();
    qvuiPainter* painter = CreatePainter(mesh, &def);
    float* values = calloc((size_t)mesh->pointCount, sizeof(float));
    assert_non_null(values);
    qvImage plain = EmptyImage(), image = EmptyImage();
    MustDraw(painter, NULL, 0.0, &plain);
    qvuiPainter_SetHeat(painter, values, true);
    MustDraw(painter, NULL, 0.0, &image);
    assert_memory_equal(plain.pixels, image.pixels, (size_t)4 * SIZE * SIZE);
    double last = -1.0;
    for (int step = 0; step <= 10; step++)
    {
        for (int i = 0; i < mesh->pointCount; i++)
            values[i] = (float)step / 10.0f;
        qvuiPainter_SetHeat(painter, values, false);
        MustDraw(painter, NULL, 0.0, &image);
        double now = Luminance(Pixel(&image, SIZE / 2, SIZE / 2));
        assert_true(now > last);
        last = now;
    }
    // Values belong to points: the upper half is light, the lower one dark.
    for (int i = 0; i < mesh->pointCount; i++)
        values[i] = mesh->positions[mesh->pointVertex[i]].y > 1.0f;
    qvuiPainter_SetHeat(painter, values, false);
    MustDraw(painter, NULL, 0.0, &image);
    assert_true(Luminance(Pixel(&image, SIZE / 2, SIZE / 4)) >
                4.0 * Luminance(Pixel(&image, SIZE / 2, SIZE - SIZE / 4)));
    qvuiPainter_SetHeat(painter, NULL, false);
    MustDraw(painter, NULL, 0.0, &image);
    assert_memory_equal(plain.pixels, image.pixels, (size_t)4 * SIZE * SIZE);
    free(values);
    qvDestroyImage(&plain);
    qvDestroyImage(&image);
    qvuiDestroyPainter(painter);
    qvDestroyMesh(mesh);
}

// A square with four vertices; its picture's file is "four.png".
static qvMesh* CreateSquare(void)
{
    static const qvVec3f positions[4] = { { -1, 0, 0 }, { 1, 0, 0 }, { 1, 2, 0 }, { -1, 2, 0 } };
    static const int32_t corners[6] = { 0, 1, 2, 0, 2, 3 };
    static const float uvs[8] = { 0, 0, 1, 0, 1, 1, 0, 1 };
    static const qvTexture texture = { .name = "", .path = "four.png", .mimeType = "" };
    static const qvMaterial material = { .name = "four", .baseColor = { 1, 1, 1, 1 }, .texture = 0 };
    static const qvSubmeshDef submesh = { "square", 0, 2 };
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = 4;
    def.positions = positions;
    def.faceCount = 2;
    def.corners = corners;
    def.uvs = (qvAttributeDef){ .values = uvs, .count = 4 };
    def.textures = &texture;
    def.textureCount = 1;
    def.materials = &material;
    def.materialCount = 1;
    def.submeshes = &submesh;
    def.submeshCount = 1;
    qvError error;
    qvMesh* mesh;
    ASSERT_OK(qvCreateMesh(&def, &mesh, NULL, &error), error);
    return mesh;
}

// Red, green over blue, white: each quarter of the square has the colour of its quarter of the picture.
static void TestTexture(void** state)
{
    (void)state;
    qvError error;
    char folder[] = "/tmp/quaver_textureXXXXXX";
    assert_non_null(mkdtemp(folder));
    char path[64];
    snprintf(path, sizeof(path), "%s/four.png", folder);
    qvImage four;
    ASSERT_OK(qvCreateImage(64, 64, &four, &error), error);
    static const uint8_t colors[4][3] = { { 230, 20, 20 }, { 20, 230, 20 }, { 20, 20, 230 }, { 240, 240, 240 } };
    for (int i = 0; i < 64 * 64; i++)
    {
        memcpy(four.pixels + 4 * i, colors[i / 64 / 32 * 2 + i % 64 / 32], 3);
        four.pixels[4 * i + 3] = 255;
    }
    ASSERT_OK(qvSaveImage(&four, path, NULL, &error), error);
    qvDestroyImage(&four);

    qvMesh* mesh = CreateSquare();
    qvuiPainterDef def = PlainDef();
    def.folder = "/nowhere"; // without its textures rather than not at all
    qvuiDestroyPainter(CreatePainter(mesh, &def));
    def.folder = folder;
    qvuiPainter* painter = CreatePainter(mesh, &def);
    qvImage image = EmptyImage();
    MustDraw(painter, NULL, 0.0, &image);
    const uint8_t* red = Pixel(&image, SIZE / 4, SIZE / 4);
    const uint8_t* green = Pixel(&image, 3 * SIZE / 4, SIZE / 4);
    const uint8_t* blue = Pixel(&image, SIZE / 4, 3 * SIZE / 4);
    const uint8_t* white = Pixel(&image, 3 * SIZE / 4, 3 * SIZE / 4);
    assert_true(red[0] > 2 * red[1] && red[0] > 2 * red[2]);
    assert_true(green[1] > 2 * green[0] && green[1] > 2 * green[2]);
    assert_true(blue[2] > 2 * blue[0] && blue[2] > 2 * blue[1]);
    assert_true(white[0] > 100 && white[1] > 100 && white[2] > 100);
    qvDestroyImage(&image);
    qvuiDestroyPainter(painter);
    qvDestroyMesh(mesh);
    unlink(path);
    rmdir(folder);
}

// Corners of one vertex with two places in the texture become two drawn vertices, with one normal.
static void TestTextureSeam(void** state)
{
    (void)state;
    static const qvVec3f positions[4] = { { -1, 0, 0 }, { 1, 0, 0 }, { 1, 2, 0 }, { -1, 2, 0 } };
    static const int32_t corners[6] = { 0, 1, 2, 0, 2, 3 }, indices[6] = { 0, 1, 2, 3, 2, 1 };
    static const float uvs[8] = { 0, 0, 1, 0, 1, 1, 0.5f, 0.5f };
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = 4;
    def.positions = positions;
    def.faceCount = 2;
    def.corners = corners;
    def.uvs = (qvAttributeDef){ .values = uvs, .count = 4, .indices = indices };
    qvError error;
    qvMesh* mesh;
    qvuiSplit split;
    ASSERT_OK(qvCreateMesh(&def, &mesh, NULL, &error), error);
    ASSERT_OK(qvuiSplit_Init(&split, mesh, &error), error);
    assert_int_equal(split.drawnCount, 5);
    assert_int_not_equal(split.corner[0], split.corner[3]);
    assert_int_equal(split.group[split.corner[0]], split.group[split.corner[3]]);
    assert_int_equal(split.corner[2], split.corner[4]);
    qvuiSplit_Free(&split);
    qvDestroyMesh(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestGhosts),
        cmocka_unit_test(TestHeat),
        cmocka_unit_test(TestTexture),
        cmocka_unit_test(TestTextureSeam),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
