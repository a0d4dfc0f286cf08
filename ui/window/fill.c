// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/fill.h"

#include "ui/window/limits.h"

#include <math.h>
#include <stdbool.h>

enum
{
    THICK = 8, // pixels across a bar, at most
    MOST_CORNERS = 128
};

// Pixels that a bar may lean.
static const float LEAST_SLOPE = 1.0f / 16.0f;

ImU32 qvuiMultiplyByAlpha(ImU32 color)
{
    ImU32 alpha = color >> 24, result = alpha << 24;
    if (alpha == 255)
        return color;
    for (int shift = 0; shift < 24; shift += 8)
        result |= ((color >> shift & 255) * alpha + 127) / 255 << shift;
    return result;
}

// Edges lie on the middles of pixels often, and there a rounding error would decide. Renderers count in such steps too.
static float Snap(float x)
{
    return (float)qvuiFloor(256.0f * qvuiWithin(x, 3e4f) + 0.5f) / 256.0f;
}

// The first pixel whose middle is at or beyond a place.
static int Boundary(float x)
{
    return qvuiCeil(x - 0.5f);
}

static bool IsConvex(const ImVec2* corners, int count)
{
    bool left = false, right = false;
    for (int k = 0; k < count; k++)
    {
        ImVec2 a = corners[k], b = corners[(k + 1) % count], c = corners[(k + 2) % count];
        float turn = (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x);
        left = left || turn > 1e-3f;
        right = right || turn < -1e-3f;
    }
    return !(left && right);
}

// The pixels of a row whose middles lie in a convex polygon. Returns the first row that may have others: where both
// sides are upright, that is where one of them ends.
static int FindSpan(const ImVec2* corners, int count, int row, int span[2])
{
    float middle = (float)row + 0.5f, low = 3e4f, high = -3e4f, end = 3e4f;
    for (int k = 0; k < count; k++)
    {
        ImVec2 a = corners[k], b = corners[k + 1 < count ? k + 1 : 0];
        if ((a.y <= middle) == (b.y <= middle))
            continue;
        float x = a.x + (b.x - a.x) * (middle - a.y) / (b.y - a.y);
        low = qvuiLower(low, x);
        high = qvuiHigher(high, x);
        end = qvuiLower(end, a.x == b.x ? qvuiHigher(a.y, b.y) : middle);
    }
    span[0] = Boundary(low);
    span[1] = Boundary(high);
    return Boundary(end) > row ? Boundary(end) : row + 1;
}

int qvuiFillFan(const ImDrawVert* vertices, const ImDrawIdx* indices, int cornerCount, qvuiFill fills[qvui_mostFills])
{
    ImVec2 corners[MOST_CORNERS];
    int count = cornerCount / 3 + 2, filled = 0;
    float low = 3e4f, high = -3e4f;
    if (count > MOST_CORNERS)
        return -1;
    for (int k = 0; k < count; k++)
    {
        ImVec2 p = vertices[indices[k < 3 ? k : 3 * k - 4]].pos;
        corners[k] = (ImVec2){ Snap(p.x), Snap(p.y) };
        low = qvuiLower(low, corners[k].y);
        high = qvuiHigher(high, corners[k].y);
    }
    if (!IsConvex(corners, count))
        return -1;
    ImU32 color = qvuiMultiplyByAlpha(vertices[indices[0]].col);
    for (int row = Boundary(low), next; row < Boundary(high); row = next)
    {
        int span[2];
        next = FindSpan(corners, count, row, span);
        qvuiFill* last = filled > 0 ? &fills[filled - 1] : NULL;
        if (last != NULL && last->upper[1] == row && last->lower[0] == span[0] && last->upper[0] == span[1])
            last->upper[1] = next;
        else if (span[0] < span[1] && filled == qvui_mostFills)
            return -1;
        else if (span[0] < span[1])
            fills[filled++] = (qvuiFill){ { span[0], row }, { span[1], next }, color };
    }
    return filled;
}

// The corners of a bar by their sides, lower or upper, in x and y.
typedef struct Bar
{
    const ImDrawVert* corner[2][2];
    int lower[2], upper[2]; // pixels
} Bar;

static float Along(const ImDrawVert* vertex, int axis)
{
    return Snap(axis == 0 ? vertex->pos.x : vertex->pos.y);
}

// Which corner of the two triangles is not one of the other triangle's, and which one comes fourth.
static bool FindEnds(const ImDrawIdx* v, int* lone, int* fourth)
{
    *lone = *fourth = -1;
    for (int k = 0; k < 3; k++)
    {
        if (v[k] != v[3] && v[k] != v[4] && v[k] != v[5])
            *lone = k;
        if (v[3 + k] != v[0] && v[3 + k] != v[1] && v[3 + k] != v[2])
            *fourth = 3 + k;
    }
    return *lone >= 0 && *fourth >= 0;
}

// Whether the pixels of two triangles make a rectangle. The two ends lie opposite each other.
static bool FindBar(const ImDrawVert* vertices, const ImDrawIdx* v, Bar* bar)
{
    int lone, fourth;
    if (!FindEnds(v, &lone, &fourth))
        return false;
    const ImDrawVert* corners[4] = { &vertices[v[lone]], &vertices[v[(lone + 1) % 3]], &vertices[v[fourth]],
                                     &vertices[v[(lone + 2) % 3]] };
    int side[4][2];
    for (int axis = 0; axis < 2; axis++)
    {
        int low = Boundary(Along(corners[0], axis)), high = low;
        for (int k = 0; k < 4; k++)
        {
            side[k][axis] = Boundary(Along(corners[k], axis));
            low = side[k][axis] < low ? side[k][axis] : low;
            high = side[k][axis] > high ? side[k][axis] : high;
        }
        bar->lower[axis] = low;
        bar->upper[axis] = high;
        for (int k = 0; k < 4; k++)
        {
            if (side[k][axis] != low && side[k][axis] != high)
                return false;
            side[k][axis] = side[k][axis] == high && high > low;
        }
    }
    for (int k = 0; k < 4; k++)
        bar->corner[side[k][0]][side[k][1]] = corners[k];
    bool empty = bar->lower[0] >= bar->upper[0] || bar->lower[1] >= bar->upper[1];
    bool opposite =
        side[0][0] != side[2][0] && side[0][1] != side[2][1] && side[1][0] != side[3][0] && side[1][1] != side[3][1];
    // The two pairs have different diagonals.
    return empty || (opposite && (side[0][0] == side[0][1]) != (side[1][0] == side[1][1]));
}

static bool IsSame(const ImDrawVert* a, const ImDrawVert* b, int axis)
{
    return a->col == b->col && a->uv.x == b->uv.x && a->uv.y == b->uv.y &&
           fabsf(Along(a, axis) - Along(b, axis)) < LEAST_SLOPE;
}

static float Sample(const qvuiOpacity* opacity, float u, float v)
{
    float x = qvuiLower(qvuiHigher(u * (float)opacity->width - 0.5f, 0.0f), (float)(opacity->width - 1));
    float y = qvuiLower(qvuiHigher(v * (float)opacity->height - 0.5f, 0.0f), (float)(opacity->height - 1));
    int column = (int)x, row = (int)y;
    int right = column + 1 < opacity->width, below = row + 1 < opacity->height ? opacity->width : 0;
    const uint8_t* p = opacity->pixels + row * opacity->width + column;
    float s = x - (float)column, t = y - (float)row;
    float upper = (float)p[0] + s * (float)(p[right] - p[0]);
    float lower = (float)p[below] + s * (float)(p[below + right] - p[below]);
    return (upper + t * (lower - upper)) / 255.0f;
}

// The colour at a part t of the way from a to b.
static ImU32 MixColors(const ImDrawVert* a, const ImDrawVert* b, float t, const qvuiOpacity* opacity)
{
    ImU32 first = qvuiMultiplyByAlpha(a->col), second = qvuiMultiplyByAlpha(b->col), mixed = 0;
    float cover = 1.0f;
    if (opacity != NULL)
        cover = Sample(opacity, a->uv.x + t * (b->uv.x - a->uv.x), a->uv.y + t * (b->uv.y - a->uv.y));
    for (int shift = 0; shift < 32; shift += 8)
    {
        float x = (float)(first >> shift & 255), y = (float)(second >> shift & 255);
        mixed |= (ImU32)(cover * (x + t * (y - x)) + 0.5f) << shift;
    }
    return mixed;
}

int qvuiFillBar(const ImDrawVert* vertices, const ImDrawIdx* indices, const qvuiOpacity* opacity,
                qvuiFill fills[qvui_mostFills])
{
    Bar bar = { 0 };
    if (!FindBar(vertices, indices, &bar))
        return -1;
    if (bar.lower[0] >= bar.upper[0] || bar.lower[1] >= bar.upper[1])
        return 0;
    const ImDrawVert *a = bar.corner[0][0], *b = bar.corner[1][0], *c = bar.corner[0][1], *d = bar.corner[1][1];
    int axis = IsSame(a, b, 1) && IsSame(c, d, 1) ? 1 : IsSame(a, c, 0) && IsSame(b, d, 0) ? 0 : -1;
    if (axis < 0 || bar.upper[axis] - bar.lower[axis] > THICK)
        return -1;
    const ImDrawVert* end = axis == 1 ? c : b;
    float from = Along(a, axis), to = Along(end, axis);
    int count = 0;
    for (int i = bar.lower[axis]; i < bar.upper[axis]; i++)
    {
        qvuiFill fill = { { bar.lower[0], bar.lower[1] }, { bar.upper[0], bar.upper[1] }, 0 };
        fill.lower[axis] = i;
        fill.upper[axis] = i + 1;
        fill.color = MixColors(a, end, ((float)i + 0.5f - from) / (to - from), opacity);
        if (fill.color != 0)
            fills[count++] = fill;
    }
    return count;
}
