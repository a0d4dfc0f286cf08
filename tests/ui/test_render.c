// SPDX-License-Identifier: GPL-3.0-or-later
// Drawing without a window. Pictures are compared with each other and with geometry, never with stored ones: drivers
// differ in the last bits.
#include "picture_testing.h"

#include "ui/render/headless.h"
#include "ui/render/renderer.h"

#include <epoxy/gl.h>
#include <math.h>
#include <stdlib.h>

static qvImage Draw(const qvMesh* mesh, const qvuiPainterDef* def)
{
    qvError error;
    qvImage image;
    ASSERT_OK(qvuiRenderStill(mesh, def, &image, &error), error);
    return image;
}

static int CountCovered(const qvImage* image)
{
    int count = 0;
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++)
            count += Pixel(image, x, y)[3] > 127;
    return count;
}

// A sphere's silhouette is a disc in the middle: symmetric, as large as it should be, transparent outside.
static void TestSphereSilhouette(void** state)
{
    (void)state;
    qvMesh* mesh = CreateShape("sphere");
    qvuiPainterDef def = PlainDef();
    qvImage image = Draw(mesh, &def);
    assert_int_equal(Pixel(&image, SIZE / 2, SIZE / 2)[3], 255);
    for (int corner = 0; corner < 4; corner++)
        assert_int_equal(Pixel(&image, corner % 2 * (SIZE - 1), corner / 2 * (SIZE - 1))[3], 0);
    int uneven = 0;
    for (int y = 0; y < SIZE; y++)
    {
        int left = 0, right = 0, mirror = 0;
        for (int x = 0; x < SIZE / 2; x++)
        {
            left += Pixel(&image, x, y)[3] > 127;
            right += Pixel(&image, SIZE - 1 - x, y)[3] > 127;
            mirror += Pixel(&image, x, SIZE - 1 - y)[3] > 127;
        }
        uneven += abs(left - right) > 1 || abs(left - mirror) > 1;
    }
    assert_int_equal(uneven, 0);
    qvuiCamera camera = qvuiDefaultCamera();
    camera.yaw = camera.pitch = 0.0;
    camera.orthographic = true;
    qvuiCamera_Focus(&camera, mesh->bounds, 1.0);
    double radius = 0.5 * SIZE / qvuiCamera_Frame(&camera).halfHeight;
    ASSERT_NEAR(CountCovered(&image) / (3.14159265 * radius * radius), 1.0, 0.03);
    qvDestroyImage(&image);
    qvDestroyMesh(mesh);
}

// The picture differs from the empty backdrop exactly where the mesh is.
static void TestMeshOverBackdrop(void** state)
{
    (void)state;
    qvError error;
    qvMesh* mesh = CreateShape("torus");
    qvuiPainterDef def = PlainDef();
    def.pitch = 0.9;
    qvImage mask = Draw(mesh, &def);

    qvuiHeadless* headless;
    qvuiRenderer* renderer;
    qvuiSurface* surface;
    qvuiTarget target = { 0 };
    qvImage empty = EmptyImage(), full = EmptyImage();
    ASSERT_OK(qvuiCreateHeadless(&headless, &error), error);
    ASSERT_OK(qvuiCreateRenderer(&renderer, &error), error);
    ASSERT_OK(qvuiCreateSurface(mesh, &surface, &error), error);
    ASSERT_OK(qvuiTarget_Resize(&target, SIZE, SIZE, 0, &error), error);
    qvuiCamera camera = qvuiDefaultCamera();
    camera.yaw = def.yaw;
    camera.pitch = def.pitch;
    camera.orthographic = true;
    qvuiCamera_Focus(&camera, mesh->bounds, 1.0);
    qvuiLook look = qvuiDefaultLook();
    look.grid = look.shadow = false;
    qvuiRenderer_Draw(renderer, &target, &camera, &look, NULL, NULL, 0);
    qvuiTarget_Read(&target, &empty);
    qvuiRenderer_Draw(renderer, &target, &camera, &look, surface, NULL, 0);
    qvuiTarget_Read(&target, &full);
    int wrong = 0, covered = CountCovered(&mask);
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++)
            wrong += (memcmp(Pixel(&full, x, y), Pixel(&empty, x, y), 4) != 0) != (Pixel(&mask, x, y)[3] > 127);
    assert_true(covered > SIZE * SIZE / 20);
    assert_true(wrong <= covered / 500); // a shade may equal the backdrop by chance

    qvDestroyImage(&empty);
    qvDestroyImage(&full);
    qvDestroyImage(&mask);
    qvuiTarget_Free(&target);
    qvuiDestroySurface(surface);
    qvuiDestroyRenderer(renderer);
    qvuiDestroyHeadless(headless);
    qvDestroyMesh(mesh);
}

// Smooth edges are partly transparent and keep the surface's colour: no dark fringe.
static void TestSmoothEdges(void** state)
{
    (void)state;
    qvMesh* mesh = CreateShape("sphere");
    qvuiPainterDef def = PlainDef();
    def.samples = 4;
    qvImage image = Draw(mesh, &def);
    int partial = 0, dark = 0;
    for (int y = 0; y < SIZE; y++)
    {
        for (int x = 0; x < SIZE; x++)
        {
            const uint8_t* pixel = Pixel(&image, x, y);
            partial += pixel[3] > 0 && pixel[3] < 255;
            dark += pixel[3] > 0 && pixel[0] < 40;
        }
    }
    assert_true(partial > SIZE / 2);
    assert_int_equal(dark, 0);
    qvDestroyImage(&image);
    qvDestroyMesh(mesh);
}

// The shadow darkens the ground beside the mesh, and only there.
static void TestContactShadow(void** state)
{
    (void)state;
    qvMesh* mesh = CreateShape("sphere");
    qvuiPainterDef def = PlainDef();
    def.pitch = 0.5;
    qvImage plain = Draw(mesh, &def);
    def.shadow = true;
    qvImage shaded = Draw(mesh, &def);
    int below = 0, above = 0;
    for (int y = 0; y < SIZE; y++)
    {
        for (int x = 0; x < SIZE; x++)
        {
            if (Pixel(&plain, x, y)[3] != 0)
                assert_memory_equal(Pixel(&plain, x, y), Pixel(&shaded, x, y), 4);
            else if (Pixel(&shaded, x, y)[3] > 20)
                *(y > SIZE / 2 ? &below : &above) += 1;
        }
    }
    assert_true(below > 100);
    assert_int_equal(above, 0);
    qvDestroyImage(&plain);
    qvDestroyImage(&shaded);
    qvDestroyMesh(mesh);
}

static void TestFlatAndWireframe(void** state)
{
    (void)state;
    qvMesh* mesh = CreateShape("imp");
    qvuiPainterDef def = PlainDef();
    qvImage smooth = Draw(mesh, &def);
    def.flat = true;
    qvImage flat = Draw(mesh, &def);
    def.wireframe = true;
    qvImage wire = Draw(mesh, &def);
    int covered = CountCovered(&smooth);
    assert_int_equal(covered, CountCovered(&flat));
    assert_true(CountDifferent(&smooth, &flat) > covered / 3);
    assert_true(CountDifferent(&flat, &wire) > covered / 20);
    qvDestroyImage(&smooth);
    qvDestroyImage(&flat);
    qvDestroyImage(&wire);
    qvDestroyMesh(mesh);
}

// One painter draws moved vertices and turned cameras; a sphere looks the same from everywhere.
static void TestPainterFollowsPositions(void** state)
{
    (void)state;
    qvMesh* mesh = CreateShape("sphere");
    qvuiPainterDef def = PlainDef();
    qvuiPainter* painter = CreatePainter(mesh, &def);
    qvImage before = EmptyImage(), after = EmptyImage();
    qvuiPainter_Draw(painter, NULL, 0.0, &before);
    qvuiPainter_Draw(painter, NULL, 1.0, &after);
    ASSERT_NEAR((double)CountCovered(&after) / CountCovered(&before), 1.0, 0.02);

    qvVec3f* moved = malloc((size_t)mesh->vertexCount * sizeof(*moved));
    assert_non_null(moved);
    for (int i = 0; i < mesh->vertexCount; i++)
        moved[i] = (qvVec3f){ 0.5f * mesh->positions[i].x, mesh->positions[i].y, mesh->positions[i].z };
    qvuiPainter_Draw(painter, moved, 0.0, &after);
    ASSERT_NEAR((double)CountCovered(&after) / CountCovered(&before), 0.5, 0.02);
    qvuiPainter_Draw(painter, mesh->positions, 0.0, &after);
    assert_int_equal(CountDifferent(&before, &after), 0);
    free(moved);
    qvDestroyImage(&before);
    qvDestroyImage(&after);
    qvuiDestroyPainter(painter);
    qvDestroyMesh(mesh);
}

// The shadow belongs to the present shape, not to one that was drawn before.
static void TestShadowFollowsPositions(void** state)
{
    (void)state;
    qvMesh* mesh = CreateShape("sphere");
    qvVec3f* moved = malloc((size_t)mesh->vertexCount * sizeof(*moved));
    assert_non_null(moved);
    for (int i = 0; i < mesh->vertexCount; i++)
        moved[i] = (qvVec3f){ mesh->positions[i].x, mesh->positions[i].y, 0.2f * mesh->positions[i].z };
    qvuiPainterDef def = PlainDef();
    def.shadow = true;
    def.pitch = 0.5;
    qvImage images[2];
    for (int k = 0; k < 2; k++)
    {
        qvuiPainter* painter = CreatePainter(mesh, &def);
        images[k] = EmptyImage();
        if (k == 1)
            qvuiPainter_Draw(painter, NULL, 0.0, &images[k]);
        qvuiPainter_Draw(painter, moved, 0.0, &images[k]);
        qvuiDestroyPainter(painter);
    }
    assert_int_equal(CountDifferent(&images[0], &images[1]), 0);
    qvDestroyImage(&images[0]);
    qvDestroyImage(&images[1]);
    free(moved);
    qvDestroyMesh(mesh);
}

// The ground stays where it is while the body jumps and curls up: the lines beside it are drawn as before.
static void TestGroundStays(void** state)
{
    (void)state;
    qvMesh* mesh = CreateShape("block");
    qvVec3f* moved = malloc((size_t)mesh->vertexCount * sizeof(*moved));
    assert_non_null(moved);
    for (int i = 0; i < mesh->vertexCount; i++)
        moved[i] = (qvVec3f){ mesh->positions[i].x, 0.3f * mesh->positions[i].y + 1.0f, mesh->positions[i].z };
    qvuiPainterDef def = PlainDef();
    def.transparent = false;
    def.pitch = 0.5;
    def.frame = (qvBox){ { -3, 0, -3 }, { 3, 6, 3 } };
    qvuiPainter* painter = CreatePainter(mesh, &def);
    qvImage stands = EmptyImage(), jumps = EmptyImage();
    qvuiPainter_Draw(painter, NULL, 0.0, &stands);
    qvuiPainter_Draw(painter, moved, 0.0, &jumps);
    int lines = 0;
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE / 3; x++)
        {
            assert_memory_equal(Pixel(&stands, x, y), Pixel(&jumps, x, y), 4);
            lines += abs(Pixel(&stands, x, y)[0] - Pixel(&stands, x + 1, y)[0]) > 4;
        }
    assert_true(lines > SIZE / 4);
    assert_true(CountDifferent(&stands, &jumps) > SIZE);
    qvDestroyImage(&stands);
    qvDestroyImage(&jumps);
    qvuiDestroyPainter(painter);
    free(moved);
    qvDestroyMesh(mesh);
}

// Where the body is in a picture, by its covered pixels; false: nowhere.
static bool FindBody(const qvImage* image, double* x, double* y)
{
    double count = 0.0, sumX = 0.0, sumY = 0.0;
    for (int row = 0; row < image->height; row++)
        for (int column = 0; column < image->width; column++)
            if (Pixel(image, column, row)[3] > 127)
                count += 1.0, sumX += column + 0.5, sumY += row + 0.5;
    *x = sumX / count, *y = sumY / count;
    return count > 0.0;
}

// A scene's camera shows a place where a hand with pencil and paper puts it, in pictures of any shape: a small ball at
// (0.5, 1.5, -1), seen from the right of (0, 1, 0) at a distance of 4 with a right angle of view. Then it is 3.5 before
// the eye, 1 to the right (of -z) and 0.5 above the middle; the half height of the picture is 3.5 there, without
// perspective 4.
static void TestSceneCamera(void** state)
{
    (void)state;
    qvSceneCamera camera = { .target = { 0.0, 1.0, 0.0 }, .yaw = 90.0, .distance = 4.0, .lens = 90.0 };
    qvMesh* mesh = CreateShape("sphere");
    qvVec3f* moved = malloc((size_t)mesh->vertexCount * sizeof(*moved));
    assert_non_null(moved);
    qvVec3 middle = qvScale(0.5, qvAdd(qvVec3_FromFloat(mesh->bounds.lower), qvVec3_FromFloat(mesh->bounds.upper)));
    for (int i = 0; i < mesh->vertexCount; i++)
        moved[i] = qvVec3_ToFloat(
            qvAdd(qvMakeVec3(0.5, 1.5, -1.0), qvScale(0.05, qvSub(qvVec3_FromFloat(mesh->positions[i]), middle))));
    for (int i = 0; i < 4; i++)
    {
        camera.ortho = i % 2 == 1;
        qvuiPainterDef def = PlainDef();
        def.width = i < 2 ? SIZE : 2 * SIZE;
        def.camera = &camera;
        qvError error;
        qvImage image;
        ASSERT_OK(qvCreateImage(def.width, def.height, &image, &error), error);
        qvuiPainter* painter = CreatePainter(mesh, &def);
        qvuiPainter_Draw(painter, moved, 0.0, &image);
        double x, y, half = camera.ortho ? 4.0 : 3.5, perUnit = 0.5 * SIZE / half;
        assert_true(FindBody(&image, &x, &y));
        ASSERT_NEAR(x, 0.5 * def.width + perUnit * 1.0, 0.5);
        ASSERT_NEAR(y, 0.5 * SIZE - perUnit * 0.5, 0.5);

        // A quarter of the turntable further it looks from behind: -x is to the right, and the ball 1 nearer.
        qvuiPainter_Draw(painter, moved, 0.5 * 3.14159265358979323846, &image);
        half = camera.ortho ? 4.0 : 3.0, perUnit = 0.5 * SIZE / half;
        assert_true(FindBody(&image, &x, &y));
        ASSERT_NEAR(x, 0.5 * def.width - perUnit * 0.5, 0.5);
        ASSERT_NEAR(y, 0.5 * SIZE - perUnit * 0.5, 0.5);
        qvuiDestroyPainter(painter);
        qvDestroyImage(&image);
    }
    free(moved);
    qvDestroyMesh(mesh);
}

// A long body that turns stays inside the picture.
static void TestTurningBodyFits(void** state)
{
    (void)state;
    qvMesh* mesh = CreateShape("block");
    qvVec3f* moved = malloc((size_t)mesh->vertexCount * sizeof(*moved));
    assert_non_null(moved);
    for (int i = 0; i < mesh->vertexCount; i++)
        moved[i] = (qvVec3f){ mesh->positions[i].x, mesh->positions[i].y, 5.0f * mesh->positions[i].z };
    qvuiPainterDef def = PlainDef();
    def.orthographic = false;
    def.pitch = 0.2;
    def.frame = qvComputeBounds(moved, mesh->vertexCount);
    int cut[2] = { 0, 0 };
    for (int turns = 0; turns < 2; turns++)
    {
        def.turns = turns == 1;
        qvuiPainter* painter = CreatePainter(mesh, &def);
        qvImage image = EmptyImage();
        for (int side = 0; side < 20; side++)
        {
            qvuiPainter_Draw(painter, moved, 0.1 * 3.14159265358979323846 * side, &image);
            for (int i = 0; i < SIZE; i++)
                cut[turns] += (Pixel(&image, 0, i)[3] | Pixel(&image, SIZE - 1, i)[3] | Pixel(&image, i, 0)[3] |
                               Pixel(&image, i, SIZE - 1)[3]) != 0;
            assert_true(CountCovered(&image) > SIZE * SIZE / 100);
        }
        qvDestroyImage(&image);
        qvuiDestroyPainter(painter);
    }
    assert_true(cut[0] > 100); // else the case would show nothing
    assert_int_equal(cut[1], 0);
    free(moved);
    qvDestroyMesh(mesh);
}

static void TestExtremeSizes(void** state)
{
    (void)state;
    qvMesh* mesh = CreateShape("block");
    qvuiPainterDef def = PlainDef();
    static const int sizes[][2] = { { 1, 1 }, { 3, 200 }, { 201, 5 } };
    for (int i = 0; i < 3; i++)
    {
        def.width = sizes[i][0];
        def.height = sizes[i][1];
        qvImage image = Draw(mesh, &def);
        assert_int_equal(Pixel(&image, def.width / 2, def.height / 2)[3], 255);
        qvDestroyImage(&image);
    }
    qvDestroyMesh(mesh);
}

// Hard edges split vertices: a cube is drawn with four per face, in six groups of normals per corner direction.
static void TestHardEdges(void** state)
{
    (void)state;
    static const qvVec3f positions[8] = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 },
                                          { 0, 0, 1 }, { 1, 0, 1 }, { 1, 1, 1 }, { 0, 1, 1 } };
    static const int32_t sizes[6] = { 4, 4, 4, 4, 4, 4 };
    static const int32_t corners[24] = { 3, 2, 1, 0, 4, 5, 6, 7, 0, 1, 5, 4, 1, 2, 6, 5, 2, 3, 7, 6, 3, 0, 4, 7 };
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = 8;
    def.positions = positions;
    def.faceCount = 6;
    def.faceSizes = sizes;
    def.corners = corners;
    qvError error;
    qvMesh* cube;
    qvuiSplit split;
    ASSERT_OK(qvCreateMesh(&def, &cube, NULL, &error), error);
    ASSERT_OK(qvuiSplit_Init(&split, cube, &error), error);
    assert_int_equal(split.drawnCount, 24);
    assert_int_equal(split.groupCount, 24);
    assert_int_equal(split.edgeCount, 18);
    for (int c = 0; c < 3 * cube->triangleCount; c++)
        assert_int_equal(split.vertex[split.corner[c]], cube->triangles[c / 3].v[c % 3]);
    qvuiSplit_Free(&split);
    qvDestroyMesh(cube);

    // The same with one shared normal per vertex in the file: nothing is hard.
    static const float normals[24] = { -1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1,
                                       -1, -1, 1,  1, -1, 1,  1, 1, 1,  -1, 1, 1 };
    def.normals = (qvAttributeDef){ .values = normals, .count = 8 };
    ASSERT_OK(qvCreateMesh(&def, &cube, NULL, &error), error);
    ASSERT_OK(qvuiSplit_Init(&split, cube, &error), error);
    assert_int_equal(split.drawnCount, 8);
    assert_int_equal(split.groupCount, 8);
    qvuiSplit_Free(&split);
    qvDestroyMesh(cube);
}

// Switching smooth edges on and off brings the same pictures again, in the same texture.
static void TestSamplesSwitch(void** state)
{
    (void)state;
    qvError error;
    qvuiHeadless* headless;
    qvuiRenderer* renderer;
    qvuiSurface* surface;
    qvuiTarget target = { 0 };
    qvMesh* mesh = CreateShape("torus");
    ASSERT_OK(qvuiCreateHeadless(&headless, &error), error);
    ASSERT_OK(qvuiCreateRenderer(&renderer, &error), error);
    ASSERT_OK(qvuiCreateSurface(mesh, &surface, &error), error);
    qvuiCamera camera = qvuiDefaultCamera();
    qvuiCamera_Focus(&camera, mesh->bounds, 1.0);
    qvuiLook look = qvuiDefaultLook();
    qvImage images[4];
    unsigned int texture = 0;
    for (int i = 0; i < 4; i++)
    {
        images[i] = EmptyImage();
        ASSERT_OK(qvuiTarget_Resize(&target, SIZE, SIZE, i % 2 == 0 ? 0 : 4, &error), error);
        texture = i == 0 ? target.texture : texture;
        assert_int_equal(target.texture, texture);
        qvuiRenderer_Draw(renderer, &target, &camera, &look, surface, NULL, 0);
        qvuiTarget_Read(&target, &images[i]);
    }
    size_t size = (size_t)4 * SIZE * SIZE;
    assert_memory_equal(images[0].pixels, images[2].pixels, size);
    assert_memory_equal(images[1].pixels, images[3].pixels, size);
    assert_memory_not_equal(images[0].pixels, images[1].pixels, size);
    for (int i = 0; i < 4; i++)
        qvDestroyImage(&images[i]);
    qvuiTarget_Free(&target);
    qvuiDestroySurface(surface);
    qvuiDestroyRenderer(renderer);
    qvuiDestroyHeadless(headless);
    qvDestroyMesh(mesh);
}

// A place of a triangle's corner in a picture whose pixels have their middles at whole numbers.
static void Place(const qvVec3f* p, double place[2])
{
    place[0] = 0.5 * SIZE * (p->x + 1.0) - 0.5;
    place[1] = 0.5 * SIZE * (p->y + 1.0) - 0.5;
}

static bool CoversMiddle(const qvVec3f p[3])
{
    double a[3][2];
    for (int k = 0; k < 3; k++)
        Place(&p[k], a[k]);
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++)
        {
            int inside = 0;
            for (int k = 0; k < 3; k++)
            {
                const double *from = a[k], *to = a[(k + 1) % 3];
                double side = (to[0] - from[0]) * (y - from[1]) - (to[1] - from[1]) * (x - from[0]);
                inside += side > 0.0 ? 1 : -1;
            }
            if (abs(inside) == 3)
                return true;
        }
    return false;
}

// No triangle that covers the middle of a pixel is left out, few others are kept, and those in front come first.
static void TestSieve(void** state)
{
    (void)state;
    enum
    {
        COUNT = 2000
    };
    static qvVec3f positions[3 * COUNT];
    static uint32_t corners[3 * COUNT];
    static bool picked[COUNT];
    uint64_t random = 5;
    for (int i = 0; i < COUNT; i++)
    {
        double size = (i % 10 == 0 ? 20.0 : 1.5) / SIZE;
        double x = 2.4 * RandomUnit(&random) - 1.2, y = 2.4 * RandomUnit(&random) - 1.2;
        for (int k = 0; k < 3; k++)
        {
            positions[3 * i + k] = (qvVec3f){ (float)(x + size * (2.0 * RandomUnit(&random) - 1.0)),
                                              (float)(y + size * (2.0 * RandomUnit(&random) - 1.0)), 0.5f };
            corners[3 * i + k] = (uint32_t)(3 * i + k);
        }
    }
    qvuiSieve sieve = { 0 };
    qvuiSieveView view = { .matrix = { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 } },
                           .width = SIZE,
                           .height = SIZE };
    assert_true(qvuiSieve_Begin(&sieve, &view, positions, 3 * COUNT, 3 * COUNT));
    int count = qvuiSieve_Add(&sieve, &view, corners, 3 * COUNT), front = 0, covering = 0;
    assert_int_equal(count, sieve.cornerCount);
    for (int i = 0; i < count; i += 3)
    {
        const qvVec3f* p = &positions[sieve.corners[i]];
        bool back = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[1].y - p[0].y) * (p[2].x - p[0].x) > 0.0f;
        assert_true(back || front == i);
        front += back ? 0 : 3;
        picked[sieve.corners[i] / 3] = true;
    }
    for (int i = 0; i < COUNT; i++)
    {
        bool covers = CoversMiddle(&positions[3 * i]);
        assert_true(picked[i] || !covers);
        covering += covers;
    }
    assert_true(covering > COUNT / 10 && count / 3 < covering + covering / 5);
    assert_true(qvuiSieve_Begin(&sieve, &view, positions, 3 * COUNT, 3 * COUNT));
    view.frontOnly = true;
    assert_int_equal(qvuiSieve_Add(&sieve, &view, corners, 3 * COUNT), front);
    qvuiSieve_Free(&sieve);
}

// A hasty picture of a fine body shows what a thorough one does.
static void TestHastyPicture(void** state)
{
    (void)state;
    qvError error;
    qvuiHeadless* headless;
    qvuiRenderer* renderer;
    qvuiSurface* surface;
    qvuiTarget target = { 0 };
    qvMesh* mesh = NULL;
    ASSERT_OK(qvCreatePrimitive("torus", 60, &mesh, &error), error);
    ASSERT_OK(qvuiCreateHeadless(&headless, &error), error);
    ASSERT_OK(qvuiCreateRenderer(&renderer, &error), error);
    ASSERT_OK(qvuiCreateSurface(mesh, &surface, &error), error);
    ASSERT_OK(qvuiTarget_Resize(&target, SIZE, SIZE, 0, &error), error);
    assert_true(qvuiSurface_IsSolid(surface) && qvuiSurface_TriangleCount(surface) > 20000);
    qvuiCamera camera = qvuiDefaultCamera();
    qvuiCamera_Focus(&camera, mesh->bounds, 1.0);
    qvuiLook look = qvuiDefaultLook();
    qvImage images[2] = { EmptyImage(), EmptyImage() };
    for (int i = 0; i < 2; i++)
    {
        look.hasty = i == 1;
        qvuiRenderer_Draw(renderer, &target, &camera, &look, surface, NULL, 0);
        qvuiTarget_Read(&target, &images[i]);
    }
    int different = 0;
    for (int i = 0; i < 4 * SIZE * SIZE; i++)
        different += abs(images[0].pixels[i] - images[1].pixels[i]) > 6;
    assert_true(different < SIZE * SIZE / 1000);
    qvDestroyImage(&images[0]);
    qvDestroyImage(&images[1]);
    qvuiTarget_Free(&target);
    qvuiDestroySurface(surface);
    qvuiDestroyRenderer(renderer);
    qvuiDestroyHeadless(headless);
    qvDestroyMesh(mesh);
}

// A texture that comes in slices of odd sizes holds what one that comes at once holds, in all its copies.
static void TestTextureSlices(void** state)
{
    (void)state;
    enum
    {
        WIDTH = 48,
        HEIGHT = 32,
        LEVELS = 6,
        BYTES = 4 * 48 * 32 * 2
    };
    qvError error;
    qvuiHeadless* headless;
    ASSERT_OK(qvuiCreateHeadless(&headless, &error), error);
    static uint8_t pixels[BYTES], whole[BYTES], sliced[BYTES];
    for (int i = 0; i < BYTES; i++)
        pixels[i] = (uint8_t)(i * 7 + i / 251);
    qvuiPicture picture = { pixels, WIDTH, HEIGHT, LEVELS };
    unsigned int names[2] = { qvuiUploadTexture(&picture) };
    qvuiUpload upload = qvuiBeginUpload(&picture);
    names[1] = upload.name;
    int steps = 0, complete = 0;
    for (; !qvuiUpload_IsDone(&upload); steps++)
        complete += qvuiUpload_Continue(&upload, &picture, 700);
    assert_in_range(steps, 6, 20);
    assert_in_range(complete, 2, LEVELS);
    for (int level = 0; level < LEVELS; level++)
    {
        memset(whole, 1, sizeof(whole));
        memset(sliced, 1, sizeof(sliced));
        glBindTexture(GL_TEXTURE_2D, names[0]);
        glGetTexImage(GL_TEXTURE_2D, level, GL_RGBA, GL_UNSIGNED_BYTE, whole);
        glBindTexture(GL_TEXTURE_2D, names[1]);
        glGetTexImage(GL_TEXTURE_2D, level, GL_RGBA, GL_UNSIGNED_BYTE, sliced);
        assert_memory_equal(whole, sliced, sizeof(whole));
    }
    glDeleteTextures(2, names);
    qvuiDestroyHeadless(headless);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestSphereSilhouette),
        cmocka_unit_test(TestMeshOverBackdrop),
        cmocka_unit_test(TestSmoothEdges),
        cmocka_unit_test(TestContactShadow),
        cmocka_unit_test(TestFlatAndWireframe),
        cmocka_unit_test(TestPainterFollowsPositions),
        cmocka_unit_test(TestShadowFollowsPositions),
        cmocka_unit_test(TestGroundStays),
        cmocka_unit_test(TestSceneCamera),
        cmocka_unit_test(TestTurningBodyFits),
        cmocka_unit_test(TestExtremeSizes),
        cmocka_unit_test(TestHardEdges),
        cmocka_unit_test(TestSamplesSwitch),
        cmocka_unit_test(TestSieve),
        cmocka_unit_test(TestHastyPicture),
        cmocka_unit_test(TestTextureSlices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
