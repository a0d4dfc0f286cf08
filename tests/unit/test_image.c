// SPDX-License-Identifier: GPL-3.0-or-later
// PNG files, read back by a small decoder of their own.
#include "testing.h"

#include "quaver/file.h"
#include "quaver/image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

typedef struct Png
{
    int width, height, channels;
    uint8_t* pixels;
} Png;

static uint32_t BigEndian(const uint8_t* bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static int Predict(int filter, int left, int up, int corner)
{
    int p = left + up - corner;
    switch (filter)
    {
    case 1:
        return left;
    case 2:
        return up;
    case 3:
        return (left + up) / 2;
    case 4:
        return abs(p - left) <= abs(p - up) && abs(p - left) <= abs(p - corner) ? left
               : abs(p - up) <= abs(p - corner)                                 ? up
                                                                                : corner;
    default:
        return 0;
    }
}

static void Unfilter(Png* png, const uint8_t* data, int* filterUse)
{
    int size = png->width * png->channels;
    for (int y = 0; y < png->height; y++)
    {
        int filter = *data++;
        assert_in_range(filter, 0, 4);
        filterUse[filter]++;
        for (int i = 0; i < size; i++)
        {
            uint8_t* row = png->pixels + (size_t)y * (size_t)size;
            int left = i >= png->channels ? row[i - png->channels] : 0;
            int up = y > 0 ? row[i - size] : 0;
            int corner = y > 0 && i >= png->channels ? row[i - png->channels - size] : 0;
            row[i] = (uint8_t)(*data++ + Predict(filter, left, up, corner));
        }
    }
}

// Checks signature, lengths and sums of all chunks, and decodes.
static Png ReadPng(const char* path, int* filterUse)
{
    qvError error;
    qvBytes bytes;
    Png png = { 0 };
    uint8_t packed[1 << 16];
    size_t packedSize = 0;
    ASSERT_OK(qvReadFile(path, 1 << 20, &bytes, &error), error);
    assert_memory_equal(bytes.data, "\x89PNG\r\n\x1a\n", 8);
    size_t at = 8;
    bool ended = false;
    while (at < bytes.size)
    {
        const uint8_t* chunk = (const uint8_t*)bytes.data + at;
        size_t size = BigEndian(chunk);
        assert_true(at + 12 + size <= bytes.size && !ended);
        assert_int_equal(BigEndian(chunk + 8 + size), crc32(0, chunk + 4, (uInt)size + 4));
        if (memcmp(chunk + 4, "IHDR", 4) == 0)
        {
            png = (Png){ (int)BigEndian(chunk + 8), (int)BigEndian(chunk + 12), chunk[17] == 2 ? 3 : 4, NULL };
            assert_int_equal(chunk[16], 8);
        }
        if (memcmp(chunk + 4, "IDAT", 4) == 0)
        {
            memcpy(packed + packedSize, chunk + 8, size);
            packedSize += size;
        }
        ended = memcmp(chunk + 4, "IEND", 4) == 0;
        at += 12 + size;
    }
    assert_true(ended);
    uLongf plainSize = (uLongf)(png.height * (1 + png.width * png.channels)), wanted = plainSize;
    uint8_t* plain = malloc(plainSize);
    png.pixels = malloc((size_t)(png.width * png.height * png.channels));
    assert_true(plain != NULL && png.pixels != NULL);
    assert_int_equal(uncompress(plain, &plainSize, packed, packedSize), Z_OK);
    assert_int_equal(plainSize, wanted);
    Unfilter(&png, plain, filterUse);
    free(plain);
    qvFreeBytes(&bytes);
    return png;
}

static void RoundTrip(int width, int height, bool opaque, bool smooth, int* filterUse)
{
    qvError error;
    qvImage image;
    char path[512];
    uint64_t random = 11;
    OutputPath(path, sizeof(path), "image.png");
    ASSERT_OK(qvCreateImage(width, height, &image, &error), error);
    for (int i = 0; i < width * height; i++)
    {
        for (int c = 0; c < 3; c++)
            image.pixels[4 * i + c] = (uint8_t)(smooth ? (c + 1) * (i % width + i / width) : RandomInt(&random, 256));
        image.pixels[4 * i + 3] = (uint8_t)(opaque ? 255 : RandomInt(&random, 256));
    }
    ASSERT_OK(qvSaveImage(&image, path, NULL, &error), error);
    Png png = ReadPng(path, filterUse);
    assert_int_equal(png.width, width);
    assert_int_equal(png.height, height);
    assert_int_equal(png.channels, opaque ? 3 : 4);
    for (int i = 0; i < width * height; i++)
        assert_memory_equal(png.pixels + i * png.channels, image.pixels + 4 * i, (size_t)png.channels);
    free(png.pixels);
    qvDestroyImage(&image);
}

static void TestRoundTrip(void** state)
{
    (void)state;
    int filterUse[5] = { 0 };
    RoundTrip(1, 1, true, false, filterUse);
    RoundTrip(1, 1, false, false, filterUse);
    RoundTrip(37, 19, true, false, filterUse);
    RoundTrip(37, 19, false, false, filterUse);
    RoundTrip(61, 40, true, true, filterUse);
    // Noise and gradients between them use more than the trivial filter.
    assert_true(filterUse[1] + filterUse[2] + filterUse[3] + filterUse[4] > 10);
}

typedef struct Patience
{
    int asked, allowed;
} Patience;

static bool AskPatience(void* context, const char* stage, double fraction)
{
    (void)stage;
    (void)fraction;
    Patience* patience = context;
    return patience->asked++ < patience->allowed;
}

// A picture of 1.5 MB asks several times while its rows are filtered and while they are packed, and leaves no file
// when it is stopped at any of them.
static void TestStopped(void** state)
{
    (void)state;
    qvError error;
    qvImage image;
    char path[512];
    uint64_t random = 5;
    OutputPath(path, sizeof(path), "stopped.png");
    remove(path);
    ASSERT_OK(qvCreateImage(1024, 512, &image, &error), error);
    for (int i = 0; i < 4 * 1024 * 512; i++)
        image.pixels[i] = (uint8_t)(i % 4 == 3 ? 255 : RandomInt(&random, 256));
    Patience patience = { 0, 1000 };
    qvJob job = { .progress = AskPatience, .context = &patience };
    ASSERT_OK(qvSaveImage(&image, path, &job, &error), error);
    int questions = patience.asked;
    assert_true(questions >= 12);
    assert_int_equal(remove(path), 0);
    for (int allowed = 0; allowed < questions; allowed++)
    {
        patience = (Patience){ 0, allowed };
        assert_int_equal(qvSaveImage(&image, path, &job, &error), qv_cancelled);
        assert_int_equal(patience.asked, allowed + 1);
        assert_int_not_equal(access(path, F_OK), 0);
    }
    qvDestroyImage(&image);
}

static void TestFailureLeavesTheFile(void** state)
{
    (void)state;
    qvError error;
    qvImage image;
    char path[512];
    ASSERT_OK(qvCreateImage(2, 2, &image, &error), error);
    OutputPath(path, sizeof(path), "no-such-folder/image.png");
    assert_int_equal(qvSaveImage(&image, path, NULL, &error), qv_notFound);
    ASSERT_CONTAINS(error.message, "no-such-folder");
    qvDestroyImage(&image);
    qvDestroyImage(&image);
    assert_null(image.pixels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestRoundTrip),
        cmocka_unit_test(TestStopped),
        cmocka_unit_test(TestFailureLeavesTheFile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
