// SPDX-License-Identifier: GPL-3.0-or-later
// GIF films: a decoder written here reads back what was written.
#include "quaver/file.h"
#include "quaver/gif.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
    WIDTH = 61,
    HEIGHT = 47,
    FRAMES = 25,
    PIXELS = WIDTH * HEIGHT,
};

static void FillFrame(qvImage* image, int frame)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
        {
            uint8_t* p = image->pixels + 4 * (y * WIDTH + x);
            bool inside = hypot(x - 20.0 - frame, y - 20.0) < 10.0;
            p[0] = (uint8_t)(inside ? 240 : 2 * x), p[1] = (uint8_t)(inside ? 160 : 3 * y);
            p[2] = (uint8_t)(inside ? 60 : (x * y) & 127), p[3] = 255;
        }
}

typedef struct Reader
{
    const uint8_t* at;
    const uint8_t* end;
    uint32_t bits;
    int bitCount, blockLeft;
} Reader;

static int NextCode(Reader* r, int width)
{
    while (r->bitCount < width)
    {
        if (r->blockLeft == 0)
            r->blockLeft = *r->at++;
        assert_true(r->blockLeft > 0 && r->at < r->end);
        r->bits |= (uint32_t)*r->at++ << r->bitCount;
        r->bitCount += 8, r->blockLeft--;
    }
    int code = (int)(r->bits & ((1u << width) - 1));
    r->bits >>= width, r->bitCount -= width;
    return code;
}

// LZW by its definition: strings as a prefix and a last byte.
static void Decode(Reader* r, uint8_t* out, int count)
{
    static int prefix[4096];
    static uint8_t last[4096], first[4096];
    assert_int_equal(*r->at++, 8);
    r->bits = 0, r->bitCount = 0, r->blockLeft = 0;
    int next = 258, width = 9, previous = -1, written = 0;
    for (int i = 0; i < 256; i++)
        prefix[i] = -1, first[i] = last[i] = (uint8_t)i;
    for (int code; (code = NextCode(r, width)) != 257;)
    {
        if (code == 256)
        {
            next = 258, width = 9, previous = -1;
            continue;
        }
        assert_true(code < next || (code == next && previous >= 0));
        if (previous >= 0 && next < 4096)
        {
            prefix[next] = previous, first[next] = first[previous];
            last[next] = code == next ? first[previous] : first[code];
            next++;
        }
        int length = 0;
        for (int c = code; c >= 0; c = prefix[c])
            length++;
        assert_true(written + length <= count);
        for (int c = code, i = length - 1; c >= 0; c = prefix[c], i--)
            out[written + i] = last[c];
        written += length;
        previous = code;
        if (next == 1 << width && width < 12)
            width++;
    }
    assert_int_equal(written, count);
    while (r->blockLeft > 0)
        r->at++, r->blockLeft--;
    assert_int_equal(*r->at++, 0);
}

static int Short(Reader* r)
{
    int value = r->at[0] | r->at[1] << 8;
    r->at += 2;
    return value;
}

static void ReadsBack(void** state)
{
    (void)state;
    qvError error;
    qvImage image;
    static qvGifPalette palette;
    assert_int_equal(qvCreateImage(WIDTH, HEIGHT, &image, &error), qv_ok);
    FillFrame(&image, 3);
    qvGifPalette_Build(&palette, &image, 1);
    char path[] = "/tmp/quaver_gif_XXXXXX";
    close(mkstemp(path));
    qvGif* gif;
    assert_int_equal(qvCreateGif(path, WIDTH, HEIGHT, 24.0, &palette, &gif, &error), qv_ok);
    for (int f = 0; f < FRAMES; f++)
    {
        FillFrame(&image, f);
        assert_int_equal(qvGif_AddFrame(gif, &image, &error), qv_ok);
    }
    assert_int_equal(qvGif_Close(gif, &error), qv_ok);

    qvBytes bytes;
    assert_int_equal(qvReadFile(path, 1 << 24, &bytes, &error), qv_ok);
    Reader r = { (const uint8_t*)bytes.data, (const uint8_t*)bytes.data + bytes.size, 0, 0, 0 };
    assert_memory_equal(r.at, "GIF89a", 6);
    r.at += 6;
    assert_int_equal(Short(&r), WIDTH);
    assert_int_equal(Short(&r), HEIGHT);
    const uint8_t* colors = r.at + 3;
    r.at = colors + 768 + 19;
    static uint8_t screen[PIXELS], rect[PIXELS];
    int hundredths = 0;
    double worst = 0.0;
    for (int f = 0; f < FRAMES; f++)
    {
        assert_memory_equal(r.at, "\x21\xf9\x04\x05", 4);
        r.at += 4;
        hundredths += Short(&r);
        assert_int_equal(*r.at, 255);
        r.at += 3;
        int x0 = Short(&r), y0 = Short(&r), w = Short(&r), h = Short(&r);
        r.at++;
        Decode(&r, rect, w * h);
        for (int i = 0; i < w * h; i++)
            if (rect[i] != 255)
                screen[(y0 + i / w) * WIDTH + x0 + i % w] = rect[i];
        FillFrame(&image, f);
        double sum = 0.0;
        for (int i = 0; i < PIXELS; i++)
            for (int k = 0; k < 3; k++)
                sum += fabs((double)colors[3 * screen[i] + k] - image.pixels[4 * i + k]);
        worst = fmax(worst, sum / (3.0 * PIXELS));
    }
    assert_int_equal(*r.at, 0x3b);
    assert_ptr_equal(r.at + 1, r.end);
    assert_int_equal(hundredths, (int)round(100.0 * FRAMES / 24.0));
    assert_true(worst < 8.0); // of 255, on the average
    qvFreeBytes(&bytes);
    qvDestroyImage(&image);
    unlink(path);
}

// Every frame comes within half a hundredth of its time, so that nothing adds up.
static void KeepsTime(void** state)
{
    (void)state;
    static const double rates[] = { 1.0, 7.0, 23.976, 24.0, 29.97, 30.0, 33.0, 45.0, 48.0, 49.5, 50.0 };
    for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++)
    {
        qvError error;
        qvImage image;
        static qvGifPalette palette;
        assert_int_equal(qvCreateImage(1, 1, &image, &error), qv_ok);
        char path[] = "/tmp/quaver_gif_XXXXXX";
        close(mkstemp(path));
        qvGif* gif;
        assert_int_equal(qvCreateGif(path, 1, 1, rates[i], &palette, &gif, &error), qv_ok);
        for (int f = 0; f < 500; f++)
            assert_int_equal(qvGif_AddFrame(gif, &image, &error), qv_ok);
        assert_int_equal(qvGif_Close(gif, &error), qv_ok);
        qvBytes bytes;
        assert_int_equal(qvReadFile(path, 1 << 24, &bytes, &error), qv_ok);
        Reader r = { .at = (const uint8_t*)bytes.data + 13 + 768 + 19, .end = (const uint8_t*)bytes.data + bytes.size };
        int hundredths = 0;
        for (int f = 0; f < 500; f++)
        {
            uint8_t pixel;
            r.at += 4;
            int delay = Short(&r);
            assert_true(delay >= 2);
            hundredths += delay;
            assert_true(fabs(hundredths - 100.0 * (f + 1) / rates[i]) <= 0.5 + 1e-9);
            r.at += 3 + 9;
            Decode(&r, &pixel, 1);
        }
        assert_ptr_equal(r.at + 1, r.end);
        qvFreeBytes(&bytes);
        qvDestroyImage(&image);
        unlink(path);
    }
}

static void DiscardLeavesNothing(void** state)
{
    (void)state;
    qvError error;
    static qvGifPalette palette;
    qvGif* gif;
    assert_int_equal(qvCreateGif("/tmp/quaver_no_such.gif", 4, 4, 10.0, &palette, &gif, &error), qv_ok);
    qvGif_Discard(gif);
    assert_int_not_equal(access("/tmp/quaver_no_such.gif", F_OK), 0);
    assert_int_not_equal(qvCreateGif("/no/such/folder/x.gif", 4, 4, 10.0, &palette, &gif, &error), qv_ok);
    assert_null(gif);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(ReadsBack), cmocka_unit_test(KeepsTime),
                                        cmocka_unit_test(DiscardLeavesNothing) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
