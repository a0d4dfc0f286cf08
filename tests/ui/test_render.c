// SPDX-License-Identifier: GPL-3.0-or-later
// Drawing without a window. Pictures are compared with each other and with geometry, never with stored ones: drivers
// differ in the last bits.
#include "picture_testing.h"

#include "ui/render/camera.h"

#include <math.h>
#include <stdlib.h>

static qvImage Draw(const qvMesh* mesh, const qvuiPainterDef* def)
{
    qvError error;
    qvImage image;
    ASSERT_OK(qvuiRenderStill(mesh, def, &image, &error), error);
    return image;
}

// The mesh's vertices, scaled along the axes and then shifted.
static qvVec3f* MoveVertices(const qvMesh* mesh, qvVec3 scale, qvVec3 shift)
{
    qvVec3f* moved = malloc((size_t)mesh->vertexCount * sizeof(*moved));
    assert_non_null(moved);
    for (int i = 0; i < mesh->vertexCount; i++)
    {
        qvVec3 p = qvVec3_FromFloat(mesh->positions[i]);
        moved[i] = qvVec3_ToFloat(qvAdd(qvMakeVec3(scale.x * p.x, scale.y * p.y, scale.z * p.z), shift));
    }
    return moved;
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

// Discs at the vertices cover what the triangles cover and little more, leave no holes even where a body is stretched,
// and are lit as the body is.
static void TestSplats(void** state)
{
    (void)state;
    const char* const shapes[] = { "imp", "sphere" };
    for (int k = 0; k < 2; k++)
    {
        qvMesh* mesh = CreateShape(shapes[k]);
        qvuiPainterDef def = PlainDef();
        qvVec3f* moved = MoveVertices(mesh, qvMakeVec3(0.4, 1.0, 1.0), qvMakeVec3(0.0, 0.0, 0.0));
        qvImage images[2] = { EmptyImage(), EmptyImage() };
        for (int n = 0; n < 2; n++)
        {
            def.splats = n == 1;
            qvuiPainter* painter = CreatePainter(mesh, &def);
            MustDraw(painter, moved, 0.0, &images[n]);
            qvuiDestroyPainter(painter);
        }
        int covered = CountCovered(&images[0]), holes = 0;
        double smooth = 0.0, splats = 0.0;
        for (int i = 0; i < SIZE * SIZE; i++)
        {
            const uint8_t *a = Pixel(&images[0], i % SIZE, i / SIZE), *b = Pixel(&images[1], i % SIZE, i / SIZE);
            holes += a[3] > 127 && b[3] <= 127;
            smooth += a[3] > 127 ? a[1] : 0.0, splats += a[3] > 127 ? b[1] : 0.0;
        }
        print_message("%s: %d of %d pixels are holes, %d are covered, brightness %.3f\n", shapes[k], holes, covered,
                      CountCovered(&images[1]), splats / smooth);
        assert_true(holes < covered / 100 && CountCovered(&images[1]) < 1.2 * covered);
        assert_true(CountDifferent(&images[0], &images[1]) > covered / 3);
        ASSERT_NEAR(splats / smooth, 1.0, 0.1);
        qvDestroyImage(&images[0]);
        qvDestroyImage(&images[1]);
        free(moved);
        qvDestroyMesh(mesh);
    }
}

// One painter draws moved vertices and turned cameras; a sphere looks the same from everywhere.
static void TestPainterFollowsPositions(void** state)
{
    (void)state;
    qvMesh* mesh = CreateShape("sphere");
    qvuiPainterDef def = PlainDef();
    qvuiPainter* painter = CreatePainter(mesh, &def);
    qvImage before = EmptyImage(), after = EmptyImage();
    MustDraw(painter, NULL, 0.0, &before);
    MustDraw(painter, NULL, 1.0, &after);
    ASSERT_NEAR((double)CountCovered(&after) / CountCovered(&before), 1.0, 0.02);

    qvVec3f* moved = MoveVertices(mesh, qvMakeVec3(0.5, 1.0, 1.0), qvMakeVec3(0.0, 0.0, 0.0));
    MustDraw(painter, moved, 0.0, &after);
    ASSERT_NEAR((double)CountCovered(&after) / CountCovered(&before), 0.5, 0.02);
    MustDraw(painter, mesh->positions, 0.0, &after);
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
    qvVec3f* moved = MoveVertices(mesh, qvMakeVec3(1.0, 1.0, 0.2), qvMakeVec3(0.0, 0.0, 0.0));
    qvuiPainterDef def = PlainDef();
    def.shadow = true;
    def.pitch = 0.5;
    qvImage images[2];
    for (int k = 0; k < 2; k++)
    {
        qvuiPainter* painter = CreatePainter(mesh, &def);
        images[k] = EmptyImage();
        if (k == 1)
            MustDraw(painter, NULL, 0.0, &images[k]);
        MustDraw(painter, moved, 0.0, &images[k]);
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
    qvVec3f* moved = MoveVertices(mesh, qvMakeVec3(1.0, 0.3, 1.0), qvMakeVec3(0.0, 1.0, 0.0));
    qvuiPainterDef def = PlainDef();
    def.transparent = false;
    def.pitch = 0.5;
    def.frame = (qvBox){ { -3, 0, -3 }, { 3, 6, 3 } };
    qvuiPainter* painter = CreatePainter(mesh, &def);
    qvImage stands = EmptyImage(), jumps = EmptyImage();
    MustDraw(painter, NULL, 0.0, &stands);
    MustDraw(painter, moved, 0.0, &jumps);
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

// The ground is where a scene has it; the body stays.
static void TestGivenGround(void** state)
{
    (void)state;
    qvMesh* mesh = CreateShape("block");
    qvuiPainterDef def = PlainDef();
    def.transparent = false;
    def.pitch = 0.5;
    def.frame = (qvBox){ { -3, 0, -3 }, { 3, 6, 3 } };
    qvImage plain = Draw(mesh, &def);
    def.hasGround = true;
    qvImage same = Draw(mesh, &def); // the block stands at 0
    def.ground = -1.0;
    qvImage lower = Draw(mesh, &def);
    assert_int_equal(CountDifferent(&plain, &same), 0);
    assert_true(CountDifferent(&plain, &lower) > SIZE);
    qvDestroyImage(&plain);
    qvDestroyImage(&same);
    qvDestroyImage(&lower);
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
    qvVec3 middle = qvScale(0.5, qvAdd(qvVec3_FromFloat(mesh->bounds.lower), qvVec3_FromFloat(mesh->bounds.upper)));
    qvVec3f* moved =
        MoveVertices(mesh, qvMakeVec3(0.05, 0.05, 0.05), qvSub(qvMakeVec3(0.5, 1.5, -1.0), qvScale(0.05, middle)));
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
        MustDraw(painter, moved, 0.0, &image);
        double x, y, half = camera.ortho ? 4.0 : 3.5, perUnit = 0.5 * SIZE / half;
        assert_true(FindBody(&image, &x, &y));
        ASSERT_NEAR(x, 0.5 * def.width + perUnit * 1.0, 0.5);
        ASSERT_NEAR(y, 0.5 * SIZE - perUnit * 0.5, 0.5);

        // A quarter of the turntable further it looks from behind: -x is to the right, and the ball 1 nearer.
        MustDraw(painter, moved, 0.5 * 3.14159265358979323846, &image);
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
    qvVec3f* moved = MoveVertices(mesh, qvMakeVec3(1.0, 1.0, 5.0), qvMakeVec3(0.0, 0.0, 0.0));
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
            MustDraw(painter, moved, 0.1 * 3.14159265358979323846 * side, &image);
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

typedef struct Asked
{
    int count, allowed;
} Asked;

static bool GoOn(void* context, const char* stage, double fraction)
{
    (void)stage;
    (void)fraction;
    Asked* asked = context;
    return asked->count++ < asked->allowed;
}

// A picture of more than one band asks after each; it has no seams, and a refusal ends it.
static void TestLargePicturesAreStopped(void** state)
{
    (void)state;
    enum
    {
        SIDE = 1600 // 1310 rows in a band at that width, of which 1280 are whole tiles
    };
    qvError error;
    qvMesh* mesh = CreateShape("sack");
    Asked asked = { .allowed = 1000 };
    const qvJob job = { .progress = GoOn, .context = &asked };
    qvuiPainterDef def = qvuiDefaultPainterDef();
    def.width = def.height = SIDE;
    def.grid = false;
    def.samples = 0;
    def.job = &job;
    qvuiPainter* painter = CreatePainter(mesh, &def);
    qvImage image;
    ASSERT_OK(qvCreateImage(SIDE, SIDE, &image, &error), error);
    asked.count = 0;
    MustDraw(painter, NULL, 0.0, &image);
    assert_int_equal(asked.count, 2);
    for (int allowed = 0; allowed < 2; allowed++)
    {
        asked = (Asked){ .allowed = allowed };
        assert_int_equal(qvuiPainter_Draw(painter, NULL, 0.0, &image, &error), qv_cancelled);
        assert_int_equal(asked.count, allowed + 1);
    }
    // The backdrop goes on smoothly from the last row of a band to the next.
    for (int row = 1; row < SIDE; row++)
    {
        const uint8_t* pixel = image.pixels + 4 * (size_t)SIDE * (size_t)row;
        for (int k = 0; k < 3; k++)
            assert_true(abs(pixel[k] - pixel[k - 4 * SIDE]) <= 8);
        assert_true(pixel[3] == 255);
    }
    qvDestroyImage(&image);
    qvuiDestroyPainter(painter);
    qvDestroyMesh(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestSphereSilhouette),
        cmocka_unit_test(TestSmoothEdges),
        cmocka_unit_test(TestContactShadow),
        cmocka_unit_test(TestFlatAndWireframe),
        cmocka_unit_test(TestSplats),
        cmocka_unit_test(TestPainterFollowsPositions),
        cmocka_unit_test(TestShadowFollowsPositions),
        cmocka_unit_test(TestGroundStays),
        cmocka_unit_test(TestGivenGround),
        cmocka_unit_test(TestSceneCamera),
        cmocka_unit_test(TestTurningBodyFits),
        cmocka_unit_test(TestExtremeSizes),
        cmocka_unit_test(TestLargePicturesAreStopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
