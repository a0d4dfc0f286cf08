// SPDX-License-Identifier: GPL-3.0-or-later
// The renderer below the painter: what it draws, what it leaves out, what it keeps on the card.
#include "picture_testing.h"

#include "quaver/model.h"
#include "ui/render/headless.h"
#include "ui/render/renderer.h"

#include <epoxy/gl.h>
#include <stdlib.h>

typedef struct Stage
{
    qvuiHeadless* headless;
    qvuiRenderer* renderer;
    qvuiSurface* surface;
    qvuiTarget target;
    qvuiCamera camera;
    qvuiLook look;
} Stage;

static Stage MakeStage(const qvMesh* mesh)
{
    qvError error;
    Stage stage = { .camera = qvuiDefaultCamera(), .look = qvuiDefaultLook() };
    ASSERT_OK(qvuiCreateHeadless(&stage.headless, &error), error);
    ASSERT_OK(qvuiCreateRenderer(&stage.renderer, &error), error);
    ASSERT_OK(qvuiCreateSurface(mesh, &stage.surface, &error), error);
    ASSERT_OK(qvuiTarget_Resize(&stage.target, SIZE, SIZE, 0, &error), error);
    qvuiCamera_Focus(&stage.camera, mesh->bounds, 1.0);
    return stage;
}

// surface may be NULL: the empty stage.
static qvImage DrawStage(Stage* stage, const qvuiSurface* surface)
{
    qvImage image = EmptyImage();
    qvuiRenderer_Draw(stage->renderer, &stage->target, &stage->camera, &stage->look, surface, NULL, 0);
    qvuiTarget_Read(&stage->target, &image);
    return image;
}

static void FreeStage(Stage* stage)
{
    qvuiTarget_Free(&stage->target);
    qvuiDestroySurface(stage->surface);
    qvuiDestroyRenderer(stage->renderer);
    qvuiDestroyHeadless(stage->headless);
}

// The picture differs from the empty backdrop exactly where the mesh is.
static void TestMeshOverBackdrop(void** state)
{
    (void)state;
    qvError error;
    qvMesh* mesh = CreateShape("torus");
    qvuiPainterDef def = PlainDef();
    def.pitch = 0.9;
    qvImage mask;
    ASSERT_OK(qvuiRenderStill(mesh, &def, &mask, &error), error);

    Stage stage = MakeStage(mesh);
    stage.camera.yaw = def.yaw;
    stage.camera.pitch = def.pitch;
    stage.camera.orthographic = true;
    qvuiCamera_Focus(&stage.camera, mesh->bounds, 1.0);
    stage.look.grid = stage.look.shadow = false;
    qvImage empty = DrawStage(&stage, NULL), full = DrawStage(&stage, stage.surface);
    int wrong = 0, covered = CountCovered(&mask);
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++)
            wrong += (memcmp(Pixel(&full, x, y), Pixel(&empty, x, y), 4) != 0) != (Pixel(&mask, x, y)[3] > 127);
    assert_true(covered > SIZE * SIZE / 20);
    assert_true(wrong <= covered / 500); // a shade may equal the backdrop by chance

    qvDestroyImage(&empty);
    qvDestroyImage(&full);
    qvDestroyImage(&mask);
    FreeStage(&stage);
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
    qvMesh* mesh = CreateShape("torus");
    Stage stage = MakeStage(mesh);
    qvImage images[4];
    unsigned int texture = stage.target.texture;
    for (int i = 0; i < 4; i++)
    {
        ASSERT_OK(qvuiTarget_Resize(&stage.target, SIZE, SIZE, i % 2 == 0 ? 0 : 4, &error), error);
        assert_int_equal(stage.target.texture, texture);
        images[i] = DrawStage(&stage, stage.surface);
    }
    size_t size = (size_t)4 * SIZE * SIZE;
    assert_memory_equal(images[0].pixels, images[2].pixels, size);
    assert_memory_equal(images[1].pixels, images[3].pixels, size);
    assert_memory_not_equal(images[0].pixels, images[1].pixels, size);
    for (int i = 0; i < 4; i++)
        qvDestroyImage(&images[i]);
    FreeStage(&stage);
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

static void DrawWith(Stage* stage, const qvuiSurface* surface, const qvuiExtra* extra, qvImage* image)
{
    qvuiRenderer_Draw(stage->renderer, &stage->target, &stage->camera, &stage->look, surface, extra, extra != NULL);
    qvuiTarget_Read(&stage->target, image);
}

// A picture that is drawn a few rows at a time is the one that is drawn at once, also where a ghost lies around the
// body.
static void TestBands(void** state)
{
    (void)state;
    qvError error;
    qvuiGhost* ghost;
    qvMesh* mesh = CreateShape("sack");
    Stage stage = MakeStage(mesh);
    ASSERT_OK(qvuiCreateGhost(stage.surface, &ghost, &error), error);
    ASSERT_OK(qvuiTarget_Resize(&stage.target, SIZE, SIZE, 4, &error), error);
    qvuiExtra extra = qvuiGhostAfter(ghost);
    qvImage whole = EmptyImage(), bands = EmptyImage();
    DrawWith(&stage, stage.surface, &extra, &whole);
    // From another one, whose ghost and ground are kept.
    stage.camera.yaw += 0.7;
    DrawWith(&stage, stage.surface, &extra, &bands);
    assert_true(CountDifferent(&whole, &bands) > 0);
    stage.camera.yaw -= 0.7;
    for (int row = 0; row < SIZE; row += 64)
    {
        stage.target.rows[0] = row;
        stage.target.rows[1] = row + 64 < SIZE ? row + 64 : SIZE;
        DrawWith(&stage, stage.surface, &extra, &bands);
    }
    assert_int_equal(CountDifferent(&whole, &bands), 0);
    // Also where the target keeps no more rows than these: there an edge is rounded at other numbers.
    qvImage kept = EmptyImage();
    qvuiTarget narrow = { .storedRows = 64 };
    ASSERT_OK(qvuiTarget_Resize(&narrow, SIZE, SIZE, 4, &error), error);
    for (int row = 0; row < SIZE; row += 64)
    {
        narrow.rows[0] = row;
        narrow.rows[1] = row + 64 < SIZE ? row + 64 : SIZE;
        qvuiRenderer_Draw(stage.renderer, &narrow, &stage.camera, &stage.look, stage.surface, &extra, 1);
        qvuiTarget_ReadRows(&narrow, &kept);
    }
    assert_in_range(CountDifferent(&whole, &kept), 0, 8);
    qvuiTarget_Free(&narrow);
    qvDestroyImage(&kept);
    // Rows that are not drawn stay.
    stage.camera.yaw += 0.7;
    stage.look.backdrop = false;
    DrawWith(&stage, stage.surface, &extra, &bands);
    for (int y = 0; y < SIZE; y++)
        assert_int_equal(memcmp(Pixel(&whole, 0, y), Pixel(&bands, 0, y), 4 * SIZE) != 0, y >= stage.target.rows[0]);
    qvDestroyImage(&whole);
    qvDestroyImage(&bands);
    qvuiDestroyGhost(ghost);
    FreeStage(&stage);
    qvDestroyMesh(mesh);
}

// A ghost is the same, whether its outline is drawn where it is or looked for everywhere, at any width of lines.
static void TestGhostTiles(void** state)
{
    (void)state;
    qvError error;
    for (int i = 0; i < 12; i++)
    {
        qvuiGhost* ghost;
        qvMesh* mesh = CreateShape(i % 2 == 0 ? "sack" : "sheet");
        Stage stage = MakeStage(mesh);
        ASSERT_OK(qvuiCreateGhost(stage.surface, &ghost, &error), error);
        qvuiExtra extra = i % 4 < 2 ? qvuiGhostBefore(ghost) : qvuiGhostAfter(ghost);
        stage.camera.yaw += 0.8 * i;
        stage.camera.distance *= i >= 8 ? 0.25 : 1.0; // it reaches beyond the picture, and behind the eye
        stage.look.pixelScale = 1.0 + i % 3;
        qvImage bare = EmptyImage(), tiles = EmptyImage(), thorough = EmptyImage();
        DrawWith(&stage, NULL, NULL, &bare);
        DrawWith(&stage, NULL, &extra, &tiles);
        qvuiDestroyRenderer(stage.renderer);
        ASSERT_OK(qvuiCreateRenderer(&stage.renderer, &error), error);
        qvuiRenderer_BeThorough(stage.renderer);
        DrawWith(&stage, NULL, &extra, &thorough);
        assert_int_equal(CountDifferent(&tiles, &thorough), 0);
        assert_true(i >= 8 || CountDifferent(&bare, &tiles) > 100); // there is a ghost
        qvDestroyImage(&bare);
        qvDestroyImage(&tiles);
        qvDestroyImage(&thorough);
        qvuiDestroyGhost(ghost);
        FreeStage(&stage);
        qvDestroyMesh(mesh);
    }
}

// A hasty picture of a fine body shows what a thorough one does.
static void TestHastyPicture(void** state)
{
    (void)state;
    qvError error;
    qvMesh* mesh = NULL;
    ASSERT_OK(qvCreatePrimitive("torus", 60, &mesh, &error), error);
    Stage stage = MakeStage(mesh);
    assert_true(qvuiSurface_IsSolid(stage.surface) && qvuiSurface_TriangleCount(stage.surface) > 20000);
    qvImage thorough = DrawStage(&stage, stage.surface);
    stage.look.hasty = true;
    qvImage fast = DrawStage(&stage, stage.surface);
    int different = 0;
    for (int i = 0; i < 4 * SIZE * SIZE; i++)
        different += abs(thorough.pixels[i] - fast.pixels[i]) > 6;
    assert_true(different < SIZE * SIZE / 1000);
    qvDestroyImage(&thorough);
    qvDestroyImage(&fast);
    FreeStage(&stage);
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
    qvuiPicture picture = { .pixels = pixels, .width = WIDTH, .height = HEIGHT, .levels = LEVELS };
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

// Without normals a sphere is smooth, unless its format says that triangles are flat then.
static void TestFlatFormats(void** state)
{
    (void)state;
    qvMesh* mesh = CreateShape("sphere");
    qvMesh bare = *mesh;
    bare.normals = NULL, bare.normalDomain = qv_domainNone, bare.uvDomain = qv_domainNone;
    qvuiSplit split;
    qvError error;
    ASSERT_OK(qvuiSplit_Init(&split, &bare, &error), error);
    assert_int_equal(split.groupCount, mesh->pointCount);
    qvuiSplit_Free(&split);
    bare.isFlat = true;
    ASSERT_OK(qvuiSplit_Init(&split, &bare, &error), error);
    assert_int_equal(split.groupCount, 3 * mesh->triangleCount);
    qvuiSplit_Free(&split);
    bare = *mesh, bare.isFlat = true; // what normals say counts
    ASSERT_OK(qvuiSplit_Init(&split, &bare, &error), error);
    assert_true(split.groupCount < 3 * mesh->triangleCount || mesh->normalDomain == qv_domainNone);
    qvuiSplit_Free(&split);
    qvDestroyMesh(mesh);

    static const struct
    {
        const char* file;
        bool isFlat;
    } files[] = { { "gltf/nodes.gltf", true }, { "obj/colors.obj", false } };
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
    {
        char path[512];
        qvModel* model;
        ASSERT_OK(qvLoadModel(DataPath(path, sizeof(path), files[i].file), NULL, &model, &error), error);
        assert_int_equal(model->mesh->isFlat, files[i].isFlat);
        qvDestroyModel(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestMeshOverBackdrop),
        cmocka_unit_test(TestHardEdges),
        cmocka_unit_test(TestSamplesSwitch),
        cmocka_unit_test(TestSieve),
        cmocka_unit_test(TestBands),
        cmocka_unit_test(TestGhostTiles),
        cmocka_unit_test(TestHastyPicture),
        cmocka_unit_test(TestTextureSlices),
        cmocka_unit_test(TestFlatFormats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
