// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of materials on their way to the graphics card: each is decoded once, and what is too large is shown
// smaller.
#include "testing.h"

#include "quaver/file.h"
#include "quaver/image.h"
#include "ui/render/apart.h"
#include "ui/render/texture_plan.h"

#include <math.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum
{
    WIDTH = 9000, // above the largest side
    HEIGHT = 12,
    COPIES = 6,
};

// A picture as the bytes of a PNG file; the left half is dark, the right half light.
static qvBytes MakePicture(int width, int height)
{
    qvError error;
    qvImage image;
    qvBytes bytes;
    char path[512];
    ASSERT_OK(qvCreateImage(width, height, &image, &error), error);
    for (int i = 0; i < width * height; i++)
        memset(image.pixels + 4 * (size_t)i, i % width < width / 2 ? 10 : 200, 4);
    OutputPath(path, sizeof(path), "textures.png");
    ASSERT_OK(qvSaveImage(&image, path, NULL, &error), error);
    ASSERT_OK(qvReadFile(path, 1 << 20, &bytes, &error), error);
    qvDestroyImage(&image);
    unlink(path);
    return bytes;
}

// A square for each of some materials, each with a texture of its own; all have the same picture.
static qvMesh* CreateSquares(const qvBytes* picture)
{
    static const int32_t corners[4] = { 0, 1, 2, 3 };
    static const float uvs[8] = { 0, 0, 1, 0, 1, 1, 0, 1 };
    qvVec3f positions[4 * COPIES];
    int32_t faceCorners[4 * COPIES];
    int32_t faceSizes[COPIES];
    float places[8 * COPIES];
    qvTexture textures[COPIES];
    qvMaterial materials[COPIES];
    qvSubmeshDef submeshes[COPIES];
    uint8_t* copy = malloc(picture->size); // equal bytes at another place
    assert_non_null(copy);
    memcpy(copy, picture->data, picture->size);
    for (int i = 0; i < COPIES; i++)
    {
        faceSizes[i] = 4;
        for (int k = 0; k < 4; k++)
        {
            positions[4 * i + k] = (qvVec3f){ uvs[2 * k], uvs[2 * k + 1], (float)i };
            faceCorners[4 * i + k] = 4 * i + corners[k];
        }
        memcpy(places + 8 * i, uvs, sizeof(uvs));
        textures[i] = (qvTexture){ .name = "wide",
                                   .mimeType = "",
                                   .bytes = i % 2 == 0 ? copy : (const uint8_t*)picture->data,
                                   .byteCount = picture->size };
        materials[i] = (qvMaterial){ .name = "", .baseColor = { 1, 1, 1, 1 }, .texture = i };
        submeshes[i] = (qvSubmeshDef){ "", i, 1 };
    }
    qvMeshDef def = qvDefaultMeshDef();
    def.vertexCount = 4 * COPIES, def.positions = positions;
    def.faceCount = COPIES, def.faceSizes = faceSizes, def.corners = faceCorners;
    def.uvs = (qvAttributeDef){ .values = places, .count = 4 * COPIES };
    def.textureCount = def.materialCount = def.submeshCount = COPIES;
    def.textures = textures, def.materials = materials, def.submeshes = submeshes;
    qvError error;
    qvMesh* mesh;
    ASSERT_OK(qvCreateMesh(&def, &mesh, NULL, &error), error);
    free(copy);
    return mesh;
}

// Materials that show copies of one image name the first; its bytes are there once.
static void ImagesAreShared(void** state)
{
    (void)state;
    qvBytes picture = MakePicture(8, 8);
    qvMesh* mesh = CreateSquares(&picture);
    assert_int_equal(mesh->textureCount, COPIES);
    for (int i = 0; i < COPIES; i++)
    {
        assert_int_equal(mesh->materials[i].texture, 0);
        assert_ptr_equal(mesh->textures[i].bytes, mesh->textures[0].bytes);
        assert_int_equal(mesh->textures[i].byteCount, picture.size);
    }
    qvDestroyMesh(mesh);
    qvFreeBytes(&picture);
}

// Six materials, one image: it is decoded once, smaller than it is, and that is said.
static void PicturesAreDecodedOnce(void** state)
{
    (void)state;
    qvBytes picture = MakePicture(WIDTH, HEIGHT);
    qvMesh* mesh = CreateSquares(&picture);
    qvuiTexturePlan plan;
    qvError error;
    ASSERT_OK(qvuiTexturePlan_Init(&plan, mesh, NULL, qvui_pictureBytes, &error), error);
    assert_int_equal(plan.largest, qvui_largestPicture);
    int used = 0;
    for (int i = 0; i < plan.count; i++)
        used += plan.used[i];
    assert_int_equal(used, 1);
    qvuiPicture decoded;
    ASSERT_OK(qvuiDecodeTexture(&mesh->textures[0], NULL, plan.largest, NULL, &decoded, &error), error);
    assert_true(decoded.width == WIDTH / 2 && decoded.height == HEIGHT / 2);
    assert_true(decoded.fullWidth == WIDTH && decoded.fullHeight == HEIGHT);
    assert_int_equal(decoded.pixels[4 * 10], 10);
    assert_int_equal(decoded.pixels[4 * (WIDTH / 2 - 10)], 200);
    qvuiFreePicture(&decoded);
    qvuiTexturePlan_Free(&plan);
    qvDestroyMesh(mesh);
    qvFreeBytes(&picture);
}

// All pictures together stay below a limit, by as many halvings as that takes.
static void PicturesKeepToTheirLimit(void** state)
{
    (void)state;
    qvBytes picture = MakePicture(512, 512);
    qvMesh* mesh = CreateSquares(&picture);
    static const struct
    {
        double limit;
        int largest;
    } cases[] = { { 2e6, qvui_largestPicture }, { 1.3e6, 256 }, { 3e5, 128 }, { 1.0, 16 } };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
    {
        qvuiTexturePlan plan;
        qvuiPicture decoded;
        qvError error;
        ASSERT_OK(qvuiTexturePlan_Init(&plan, mesh, NULL, cases[i].limit, &error), error);
        assert_int_equal(plan.largest, cases[i].largest);
        ASSERT_OK(qvuiDecodeTexture(&mesh->textures[0], NULL, plan.largest, NULL, &decoded, &error), error);
        assert_int_equal(decoded.width, fmin(512, plan.largest));
        assert_int_equal(decoded.fullWidth, plan.largest < 512 ? 512 : 0);
        qvuiFreePicture(&decoded);
        qvuiTexturePlan_Free(&plan);
    }
    qvDestroyMesh(mesh);
    qvFreeBytes(&picture);
}

// What no decoder should begin with is refused by its header.
static void BombsAreRefused(void** state)
{
    (void)state;
    // PNG signature and header: 16384 x 16384 pixels of 16 bits in four channels, 4.3 GB before anything is made of it.
    static const uint8_t header[] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0,    0,   0,   13, 'I', 'H',
                                      'D',  'R', 0,   0,   0x40, 0,    0,    0,    0x40, 0,   16,  6,  0,   0,
                                      0,    0,   0,   0,   0,    0,    0,    0,    'I',  'D', 'A', 'T' };
    const qvTexture texture = {
        .name = "bomb", .path = "", .mimeType = "", .bytes = header, .byteCount = sizeof(header)
    };
    qvuiPicture picture;
    qvError error;
    assert_int_equal(qvuiDecodeTexture(&texture, NULL, 1024, NULL, &picture, &error), qv_badInput);
    assert_string_equal(error.message, "bomb: 16384 x 16384 pixels are too many; make the texture smaller");
}

// A call that goes on until it is allowed to end.
typedef struct Stubborn
{
    sem_t mayEnd, destroyed;
    bool wasLate;
} Stubborn;

static void RunStubborn(void* order)
{
    Stubborn* stubborn = order;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 20;
    stubborn->wasLate = sem_timedwait(&stubborn->mayEnd, &until) != 0;
}

static void DestroyStubborn(void* order)
{
    Stubborn* stubborn = order;
    sem_post(&stubborn->destroyed);
}

static bool AnswerSome(void* context, const char* stage, double fraction)
{
    (void)stage;
    (void)fraction;
    int* left = context;
    return (*left)-- > 0;
}

// Nobody waits for a call after a refusal; its order goes when it has ended.
static void CallsAreLeft(void** state)
{
    (void)state;
    Stubborn stubborn = { 0 };
    const qvuiApart apart = { RunStubborn, DestroyStubborn, &stubborn };
    qvError error;
    int left = 3, destroyed;
    const qvJob job = { .progress = AnswerSome, .context = &left };
    sem_init(&stubborn.mayEnd, 0, 0);
    sem_init(&stubborn.destroyed, 0, 0);
    assert_int_equal(qvuiApart_Run(&apart, &job, &error), qv_cancelled);
    assert_int_equal(left, -1);
    sem_getvalue(&stubborn.destroyed, &destroyed);
    assert_int_equal(destroyed, 0);
    sem_post(&stubborn.mayEnd);
    while (sem_wait(&stubborn.destroyed) != 0)
        ;
    assert_false(stubborn.wasLate);
    // One that nobody refuses is the caller's again, and one that has ended all the same is destroyed here.
    left = 1000000;
    sem_post(&stubborn.mayEnd);
    ASSERT_OK(qvuiApart_Run(&apart, &job, &error), error);
    sem_getvalue(&stubborn.destroyed, &destroyed);
    assert_int_equal(destroyed, 0);
    sem_destroy(&stubborn.mayEnd);
    sem_destroy(&stubborn.destroyed);
}

// A texture comes out the same with a job; one that refuses gets none of it.
static void DecodingIsStopped(void** state)
{
    (void)state;
    qvBytes picture = MakePicture(512, 512);
    qvMesh* mesh = CreateSquares(&picture);
    qvuiPicture alone, asked, refused;
    qvError error;
    int left = 1000000;
    const qvJob job = { .progress = AnswerSome, .context = &left };
    ASSERT_OK(qvuiDecodeTexture(&mesh->textures[0], NULL, 1024, NULL, &alone, &error), error);
    ASSERT_OK(qvuiDecodeTexture(&mesh->textures[0], NULL, 1024, &job, &asked, &error), error);
    assert_true(left < 1000000);
    assert_true(alone.width == asked.width && alone.height == asked.height && alone.levels == asked.levels);
    assert_memory_equal(alone.pixels, asked.pixels, 4 * 512 * 512);
    left = 0;
    assert_int_equal(qvuiDecodeTexture(&mesh->textures[0], NULL, 1024, &job, &refused, &error), qv_cancelled);
    assert_null(refused.pixels);
    qvuiFreePicture(&alone);
    qvuiFreePicture(&asked);
    qvDestroyMesh(mesh);
    qvFreeBytes(&picture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ImagesAreShared),
        cmocka_unit_test(PicturesAreDecodedOnce),
        cmocka_unit_test(PicturesKeepToTheirLimit),
        cmocka_unit_test(BombsAreRefused),
        cmocka_unit_test(CallsAreLeft),
        cmocka_unit_test(DecodingIsStopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
