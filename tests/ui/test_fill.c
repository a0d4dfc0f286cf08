// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes as rectangles of whole pixels, and rectangles in few runs.
#include "testing.h"

#include "ui/window/batch.h"
#include "ui/window/fill.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SIDE = 60,
    MOST = 24
};

static const ImU32 color = 0xff336699;

static void FillIndices(ImDrawIdx* indices, int count)
{
    for (int i = 0; i < count - 2; i++)
    {
        indices[3 * i] = 0;
        indices[3 * i + 1] = (ImDrawIdx)(i + 1);
        indices[3 * i + 2] = (ImDrawIdx)(i + 2);
    }
}

static void Paint(int* grid, const qvuiFill* fills, int count)
{
    for (int i = 0; i < count; i++)
        for (int y = fills[i].lower[1]; y < fills[i].upper[1]; y++)
            for (int x = fills[i].lower[0]; x < fills[i].upper[0]; x++)
                grid[y * SIDE + x]++;
}

// How far the middle of a pixel lies inside an outline that goes round in one direction; negative: outside.
static double Depth(const ImDrawVert* corners, int count, int x, int y)
{
    double depth = INFINITY;
    for (int k = 0; k < count; k++)
    {
        ImVec2 a = corners[k].pos, b = corners[(k + 1) % count].pos;
        double dx = (double)b.x - a.x, dy = (double)b.y - a.y;
        depth = fmin(depth, (dx * (y + 0.5 - a.y) - dy * (x + 0.5 - a.x)) / hypot(dx, dy));
    }
    return depth;
}

// Every pixel whose middle lies inside is filled once, and no other.
static void TestPolygons(void** state)
{
    (void)state;
    uint64_t random = 3;
    for (int n = 0; n < 300; n++)
    {
        ImDrawVert corners[MOST];
        ImDrawIdx indices[3 * MOST];
        int count = 3 + RandomInt(&random, MOST - 3), grid[SIDE * SIDE] = { 0 };
        double rx = 1.0 + 24.0 * RandomUnit(&random), ry = 1.0 + 24.0 * RandomUnit(&random);
        double x = 27.0 + 5.0 * RandomUnit(&random), y = 27.0 + 5.0 * RandomUnit(&random);
        for (int k = 0; k < count; k++)
        {
            double angle = 2.0 * 3.14159265358979 * (k + 0.5 * RandomUnit(&random)) / count;
            corners[k] =
                (ImDrawVert){ .pos = { (float)(x + rx * cos(angle)), (float)(y + ry * sin(angle)) }, .col = color };
        }
        FillIndices(indices, count);
        qvuiFill fills[qvui_mostFills];
        int filled = qvuiFillFan(corners, indices, 3 * (count - 2), fills);
        assert_true(filled >= 0);
        Paint(grid, fills, filled);
        for (int i = 0; i < SIDE * SIDE; i++)
        {
            double depth = Depth(corners, count, i % SIDE, i / SIDE);
            if (fabs(depth) > 0.01)
                assert_int_equal(grid[i], depth > 0.0);
        }
    }
}

// Where edges run through the middles of pixels, one of two neighbours has them, even with errors of rounding.
static void TestNeighbours(void** state)
{
    (void)state;
    const float splits[] = { 20.0f, 20.25f, 20.5f }, error = 1e-4f;
    for (size_t n = 0; n < sizeof(splits) / sizeof(splits[0]); n++)
    {
        int grid[SIDE * SIDE] = { 0 };
        ImDrawIdx indices[6];
        FillIndices(indices, 4);
        for (int side = 0; side < 4; side++)
        {
            float s = splits[n];
            float x[2] = { side % 2 ? s + error : 10.5f, side % 2 ? 30.5f : s - error };
            float y[2] = { side / 2 ? s + error : 10.5f, side / 2 ? 30.5f : s - error };
            ImDrawVert corners[4] = { { .pos = { x[0], y[0] } },
                                      { .pos = { x[1], y[0] } },
                                      { .pos = { x[1], y[1] } },
                                      { .pos = { x[0], y[1] } } };
            for (int k = 0; k < 4; k++)
                corners[k].col = color;
            qvuiFill fills[qvui_mostFills];
            int count = qvuiFillFan(corners, indices, 6, fills);
            assert_int_equal(count, 1);
            assert_int_equal(fills[0].color, color);
            Paint(grid, fills, count);
        }
        for (int i = 0; i < SIDE * SIDE; i++)
        {
            int x = i % SIDE, y = i / SIDE;
            assert_int_equal(grid[i], x >= 10 && x < 30 && y >= 10 && y < 30);
        }
    }
}

// What is not convex, or takes too many rectangles, is left to others.
static void TestNoPolygon(void** state)
{
    (void)state;
    ImDrawIdx indices[6];
    FillIndices(indices, 4);
    qvuiFill fills[qvui_mostFills];
    ImDrawVert arrow[4] = { { .pos = { 0, 0 } }, { .pos = { 20, 10 } }, { .pos = { 0, 20 } }, { .pos = { 10, 10 } } };
    assert_int_equal(qvuiFillFan(arrow, indices, 6, fills), -1);
    ImDrawVert slope[3] = { { .pos = { 0, 0 } }, { .pos = { 200, 200 } }, { .pos = { 0, 200 } } };
    assert_int_equal(qvuiFillFan(slope, indices, 3, fills), -1);
}

// The fringe of a box: full at its inner edge, nothing at the outer one.
static void TestBars(void** state)
{
    (void)state;
    const ImDrawIdx indices[6] = { 0, 1, 2, 2, 3, 0 };
    qvuiFill fills[qvui_mostFills];
    ImDrawVert fringe[4] = { { .pos = { 10, 9.75f }, .col = 0x00ffffff },
                             { .pos = { 30, 9.75f }, .col = 0x00ffffff },
                             { .pos = { 30.2f, 10.75f }, .col = 0x80ffffff },
                             { .pos = { 9.9f, 10.75f }, .col = 0x80ffffff } };
    assert_int_equal(qvuiFillBar(fringe, indices, NULL, fills), 1);
    assert_int_equal(fills[0].lower[0], 10);
    assert_int_equal(fills[0].upper[0], 30);
    assert_int_equal(fills[0].lower[1], 10);
    assert_int_equal(fills[0].upper[1], 11);
    assert_int_equal(fills[0].color, 0x60606060);

    // Upright, and from a texture: empty, full, empty.
    const uint8_t pixels[3] = { 0, 200, 0 };
    const qvuiOpacity opacity = { pixels, 3, 1 };
    ImDrawVert line[4] = { { .pos = { 4, 10 }, .uv = { 0, 0.5f } },
                           { .pos = { 7, 10 }, .uv = { 1, 0.5f } },
                           { .pos = { 7, 30 }, .uv = { 1, 0.5f } },
                           { .pos = { 4, 30 }, .uv = { 0, 0.5f } } };
    for (int k = 0; k < 4; k++)
        line[k].col = 0xffffffff;
    assert_int_equal(qvuiFillBar(line, indices, &opacity, fills), 1);
    assert_int_equal(fills[0].lower[0], 5);
    assert_int_equal(fills[0].upper[0], 6);
    assert_int_equal(fills[0].upper[1], 30);
    assert_int_equal(fills[0].color, 0xc8c8c8c8);

    // Aslant, folded, thick, and between the middles of pixels.
    ImDrawVert slanted[4], folded[4], thick[4], thin[4];
    memcpy(slanted, line, sizeof(line));
    memcpy(folded, line, sizeof(line));
    memcpy(thick, line, sizeof(line));
    memcpy(thin, line, sizeof(line));
    slanted[2].pos.x = slanted[3].pos.x + 3.0f + 5.0f;
    folded[0].pos = folded[1].pos = line[0].pos;
    folded[2].pos = folded[3].pos = line[2].pos;
    thick[1].pos.x = thick[2].pos.x = 40.0f;
    thin[1].pos.x = thin[2].pos.x = 4.4f;
    assert_int_equal(qvuiFillBar(slanted, indices, &opacity, fills), -1);
    assert_int_equal(qvuiFillBar(folded, indices, &opacity, fills), -1);
    assert_int_equal(qvuiFillBar(thick, indices, &opacity, fills), -1);
    assert_int_equal(qvuiFillBar(thin, indices, &opacity, fills), 0);
}

// Whatever lies over something else still does, and there are far fewer runs than changes of paint.
static void TestBatch(void** state)
{
    (void)state;
    enum
    {
        COUNT = 400
    };
    uint64_t random = 9;
    qvuiBatch batch = { 0 };
    static int wanted[SIDE * SIDE], made[SIDE * SIDE];
    assert_true(qvuiBatch_Begin(&batch, SIDE, SIDE));
    for (int i = 1; i <= COUNT; i++)
    {
        int lower[2], upper[2];
        for (int k = 0; k < 2; k++)
        {
            lower[k] = RandomInt(&random, SIDE - 4);
            upper[k] = lower[k] + 1 + RandomInt(&random, 4);
        }
        qvuiCanvasVertex vertices[6] = { { .color = (uint32_t)i } };
        vertices[0].x = (float)lower[0], vertices[0].y = (float)lower[1];
        vertices[2].x = (float)upper[0], vertices[2].y = (float)upper[1];
        qvuiCanvasRun like = { .paint = (qvuiPaint)RandomInt(&random, 2), .upper = { SIDE, SIDE } };
        assert_true(qvuiBatch_Add(&batch, &like, lower, upper, vertices));
        for (int p = 0; p < SIDE * SIDE; p++)
            if (p % SIDE >= lower[0] && p % SIDE < upper[0] && p / SIDE >= lower[1] && p / SIDE < upper[1])
                wanted[p] = i;
    }
    assert_true(qvuiBatch_End(&batch));
    assert_int_equal(batch.vertexCount, 6 * COUNT);
    for (int r = 0; r < batch.runCount; r++)
        for (int i = batch.runs[r].first; i < batch.runs[r].first + batch.runs[r].count; i += 6)
        {
            const qvuiCanvasVertex* v = &batch.vertices[i];
            for (int y = (int)v[0].y; y < (int)v[2].y; y++)
                for (int x = (int)v[0].x; x < (int)v[2].x; x++)
                    made[y * SIDE + x] = (int)v[0].color;
        }
    assert_memory_equal(wanted, made, sizeof(wanted));
    assert_true(batch.runCount < COUNT / 4);
    qvuiBatch_Free(&batch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestPolygons), cmocka_unit_test(TestNeighbours), cmocka_unit_test(TestNoPolygon),
        cmocka_unit_test(TestBars),     cmocka_unit_test(TestBatch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
