// SPDX-License-Identifier: GPL-3.0-or-later
// What is drawn on the canvas has the colour and the place that it should: fast paths of drivers have mixed them up.
#include "testing.h"

#include "ui/render/canvas.h"
#include "ui/render/headless.h"
#include "ui/render/target.h"

#include <epoxy/gl.h>
#include <stdlib.h>
#include <string.h>

enum
{
    WIDTH = 300,
    HEIGHT = 200
};

typedef struct Fixture
{
    qvuiHeadless* headless;
    qvuiCanvas canvas;
    qvImage image;
} Fixture;

static Fixture Open(void)
{
    Fixture fixture;
    qvError error;
    bool fresh;
    ASSERT_OK(qvuiCreateHeadless(&fixture.headless, &error), error);
    ASSERT_OK(qvuiCanvas_Init(&fixture.canvas, &error), error);
    ASSERT_OK(qvuiCanvas_Resize(&fixture.canvas, WIDTH, HEIGHT, &fresh, &error), error);
    assert_true(fresh);
    ASSERT_OK(qvuiCanvas_Resize(&fixture.canvas, WIDTH, HEIGHT, &fresh, &error), error);
    assert_false(fresh);
    ASSERT_OK(qvCreateImage(WIDTH, HEIGHT, &fixture.image, &error), error);
    return fixture;
}

static void Close(Fixture* fixture)
{
    qvDestroyImage(&fixture->image);
    qvuiCanvas_Free(&fixture->canvas);
    qvuiDestroyHeadless(fixture->headless);
}

// A rectangle, with the texture once over it.
static void Rectangle(qvuiCanvasVertex out[6], float left, float top, float right, float bottom, uint32_t color)
{
    qvuiCanvasVertex a = { left, top, 0, 0, color }, b = { right, top, 1, 0, color };
    qvuiCanvasVertex c = { right, bottom, 1, 1, color }, d = { left, bottom, 0, 1, color };
    const qvuiCanvasVertex all[6] = { a, b, c, a, c, d };
    memcpy(out, all, sizeof(all));
}

static qvuiCanvasRun WholeRun(qvuiPaint paint, unsigned int texture, bool blends, int first, int count)
{
    return (qvuiCanvasRun){
        .paint = paint, .texture = texture, .blends = blends, .upper = { WIDTH, HEIGHT }, .first = first, .count = count
    };
}

static void AssertPixel(const qvImage* image, int x, int y, uint32_t wanted)
{
    const uint8_t* found = image->pixels + 4 * ((size_t)y * WIDTH + (size_t)x);
    for (int k = 0; k < 4; k++)
        if (abs(found[k] - (int)(wanted >> (8 * k) & 255)) > 1)
            fail_msg("pixel %d, %d is %02x%02x%02x%02x (alpha first), wanted %08x", x, y, found[3], found[2], found[1],
                     found[0], wanted);
}

// Plain areas, letters that are half there, and limits; large and small, since drivers treat them differently.
static void TestColors(void** state)
{
    (void)state;
    Fixture fixture = Open();
    qvuiCanvasVertex vertices[24];
    uint8_t half[16 * 16];
    memset(half, 128, sizeof(half));
    assert_true(qvuiCanvas_SetFont(&fixture.canvas, half, 16, 16));
    Rectangle(vertices, 0, 0, WIDTH, HEIGHT, 0xff102030);
    Rectangle(vertices + 6, 64, 64, 192, 192, 0x80004000); // half of a green of 0x80
    Rectangle(vertices + 12, 10, 10, 290, 60, 0xffff8040); // letters of this colour
    Rectangle(vertices + 18, 200, 100, 280, 190, 0xff0000ff);
    qvuiCanvasRun runs[] = {
        WholeRun(qvui_paintFlat, 0, false, 0, 6),
        WholeRun(qvui_paintFlat, 0, true, 6, 6),
        WholeRun(qvui_paintTint, fixture.canvas.font, true, 12, 6),
        WholeRun(qvui_paintFlat, 0, true, 18, 6),
    };
    runs[3].lower[0] = 220, runs[3].upper[0] = 240, runs[3].lower[1] = 120, runs[3].upper[1] = 130;
    qvuiCanvas_Draw(&fixture.canvas, vertices, 24, runs, 4);
    qvuiCanvas_Read(&fixture.canvas, &fixture.image);
    AssertPixel(&fixture.image, 2, 2, 0xff102030);
    AssertPixel(&fixture.image, WIDTH - 1, HEIGHT - 1, 0xff102030);
    AssertPixel(&fixture.image, 100, 100, 0xff085018);
    AssertPixel(&fixture.image, 63, 100, 0xff102030);
    for (int x = 20; x < 280; x += 20)
        AssertPixel(&fixture.image, x, 30, 0xff885038);
    AssertPixel(&fixture.image, 230, 125, 0xff0000ff);
    AssertPixel(&fixture.image, 241, 125, 0xff102030);
    AssertPixel(&fixture.image, 230, 119, 0xff102030);
    AssertPixel(&fixture.image, 230, 131, 0xff102030);
    Close(&fixture);
}

// A picture's pixels arrive where they belong, none between two; its rows start at the bottom, the canvas's at the top.
static void TestCopy(void** state)
{
    (void)state;
    Fixture fixture = Open();
    qvError error;
    qvuiTarget picture = { 0 };
    ASSERT_OK(qvuiTarget_Resize(&picture, 150, 90, 0, &error), error);
    uint8_t* pixels = malloc(4 * 150 * 90);
    assert_non_null(pixels);
    for (int i = 0; i < 150 * 90; i++)
        memcpy(pixels + 4 * i, (uint8_t[]){ (uint8_t)(i % 150), (uint8_t)(i / 150), (uint8_t)(i % 7 * 30), 255 }, 4);
    glBindTexture(GL_TEXTURE_2D, picture.texture);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 150, 90, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    qvuiCanvasVertex vertices[6];
    Rectangle(vertices, 70, 50, 220, 140, 0);
    for (int k = 0; k < 6; k++)
        vertices[k].v = 1.0f - vertices[k].v;
    qvuiCanvasRun run = WholeRun(qvui_paintCopy, picture.texture, false, 0, 6);
    qvuiCanvas_Draw(&fixture.canvas, vertices, 6, &run, 1);
    qvuiCanvas_Read(&fixture.canvas, &fixture.image);
    for (int y = 0; y < 90; y++)
        assert_memory_equal(fixture.image.pixels + 4 * ((size_t)(50 + y) * WIDTH + 70), pixels + 4 * 150 * (89 - y),
                            4 * 150);
    free(pixels);
    qvuiTarget_Free(&picture);
    Close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(TestColors), cmocka_unit_test(TestCopy) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
