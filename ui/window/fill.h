// SPDX-License-Identifier: GPL-3.0-or-later
/// Shapes of the interface as rectangles of whole pixels in one colour each, which renderers without a graphics card
/// fill many times as fast as the slivers that ImGui makes of a rounded box or of a line.
#pragma once

#include "ui/cimgui/cimgui.h"

#include <stdint.h>

enum
{
    qvui_mostFills = 64
};

typedef struct qvuiFill
{
    int lower[2], upper[2]; ///< pixels; upper is outside
    ImU32 color;            ///< multiplied by alpha
} qvuiFill;

/// The opacity of ImGui's own texture, of which lines are made.
typedef struct qvuiOpacity
{
    const uint8_t* pixels;
    int width, height;
} qvuiOpacity;

ImU32 qvuiMultiplyByAlpha(ImU32 color);

/// The pixels whose middles lie in a convex polygon of one colour, given as the triangles of a fan. Returns how many
/// rectangles there are, or -1 when there would be too many, or when the polygon is not convex.
int qvuiFillFan(const ImDrawVert* vertices, const ImDrawIdx* indices, int cornerCount, qvuiFill fills[qvui_mostFills]);

/// The pixels of a thin bar along an axis, two triangles that share an edge, whose colours or places in the texture
/// change across it only. opacity is NULL for a plain bar. Returns how many rectangles there are, or -1 when it is no
/// such bar.
int qvuiFillBar(const ImDrawVert* vertices, const ImDrawIdx* indices, const qvuiOpacity* opacity,
                qvuiFill fills[qvui_mostFills]);
