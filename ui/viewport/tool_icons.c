// SPDX-License-Identifier: GPL-3.0-or-later
// Icons of tools that the icon font lacks, in thin lines. size is the side of the square around them.
#include "ui/viewport/tool_icons.h"

#include "quaver/math.h"

#include <math.h>

enum
{
    ARC_POINTS = 17
};

static ImVec2 At(ImVec2 middle, float size, double x, double y)
{
    return (ImVec2){ middle.x + size * (float)x, middle.y + size * (float)y };
}

static void Line(ImDrawList* list, ImVec2 middle, float size, const double p[4], ImU32 color, float line)
{
    ImDrawList_AddLine(list, At(middle, size, p[0], p[1]), At(middle, size, p[2], p[3]), color, line);
}

// A head at (x, y) that points along (dx, dy), a unit vector.
static void Head(ImDrawList* list, ImVec2 middle, float size, const double p[4], ImU32 color)
{
    const double length = 0.24, half = 0.14;
    double x = p[0], y = p[1], dx = p[2], dy = p[3], neckX = x - length * dx, neckY = y - length * dy;
    ImDrawList_AddTriangleFilled(list, At(middle, size, x, y), At(middle, size, neckX - half * dy, neckY + half * dx),
                                 At(middle, size, neckX + half * dy, neckY - half * dx), color);
}

// Angles in turns, clockwise from the right.
static void Arc(ImDrawList* list, ImVec2 middle, float size, const double p[3], ImU32 color, float line)
{
    ImVec2 points[ARC_POINTS];
    for (int i = 0; i < ARC_POINTS; i++)
    {
        double turn = QV_TWO_PI * (p[1] + (p[2] - p[1]) * i / (ARC_POINTS - 1));
        points[i] = At(middle, size, p[0] * cos(turn), p[0] * sin(turn));
    }
    ImDrawList_AddPolyline(list, points, ARC_POINTS, color, 0, line);
}

void qvuiIcon_Grab(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line)
{
    ImVec2 ring = At(middle, size, -0.1, 0.12);
    ImDrawList_AddCircle(list, ring, 0.3f * size, color, 24, line);
    Line(list, middle, size, (double[4]){ -0.02, 0.04, 0.34, -0.32 }, color, line);
    Head(list, middle, size, (double[4]){ 0.46, -0.44, 0.7071, -0.7071 }, color);
}

void qvuiIcon_Twist(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line)
{
    Arc(list, middle, size, (double[3]){ 0.36, 0.56, 0.92 }, color, line);
    Arc(list, middle, size, (double[3]){ 0.36, 0.06, 0.42 }, color, line);
    Head(list, middle, size, (double[4]){ 0.42, -0.02, 0.35, 0.937 }, color);
    Head(list, middle, size, (double[4]){ -0.42, 0.02, -0.35, -0.937 }, color);
}

// Out of the middle to two corners, so that it is no cross like those that move and pinch.
void qvuiIcon_Scale(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line)
{
    ImDrawList_AddCircle(list, middle, 0.14f * size, color, 16, line);
    for (int side = -1; side <= 1; side += 2)
    {
        Line(list, middle, size, (double[4]){ 0.14 * side, -0.14 * side, 0.34 * side, -0.34 * side }, color, line);
        Head(list, middle, size, (double[4]){ 0.47 * side, -0.47 * side, 0.7071 * side, -0.7071 * side }, color);
    }
}

void qvuiIcon_Pinch(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line)
{
    for (int i = 0; i < 4; i++)
    {
        double x = (i == 0) - (i == 2), y = (i == 1) - (i == 3);
        Line(list, middle, size, (double[4]){ 0.5 * x, 0.5 * y, 0.3 * x, 0.3 * y }, color, line);
        Head(list, middle, size, (double[4]){ 0.1 * x, 0.1 * y, -x, -y }, color);
    }
}

void qvuiIcon_Wave(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line)
{
    ImDrawList_AddCircleFilled(list, middle, 0.1f * size, color, 12);
    ImDrawList_AddCircle(list, middle, 0.27f * size, color, 24, line);
    ImDrawList_AddCircle(list, middle, 0.46f * size, (color & 0xffffff) | 0xa0000000u, 32, line);
}

void qvuiIcon_Transform(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line)
{
    Line(list, middle, size, (double[4]){ -0.34, 0.0, 0.34, 0.0 }, color, line);
    Line(list, middle, size, (double[4]){ 0.0, -0.34, 0.0, 0.34 }, color, line);
    for (int i = 0; i < 4; i++)
    {
        double x = (i == 0) - (i == 2), y = (i == 1) - (i == 3);
        Head(list, middle, size, (double[4]){ 0.52 * x, 0.52 * y, x, y }, color);
    }
}

void qvuiIcon_Smooth(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line)
{
    ImVec2 wave[ARC_POINTS];
    for (int i = 0; i < ARC_POINTS; i++)
    {
        double t = (double)i / (ARC_POINTS - 1);
        wave[i] = At(middle, size, t - 0.5, -0.28 * (1.0 - 0.6 * t) * sin(9.42477796 * t));
    }
    ImDrawList_AddPolyline(list, wave, ARC_POINTS, color, 0, line);
}

// A way with a dot per frame.
void qvuiIcon_Trail(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line)
{
    ImVec2 arc[9];
    for (int i = 0; i < 9; i++)
    {
        double t = i / 8.0;
        arc[i] = At(middle, size, 0.9 * (t - 0.5), 0.32 - 2.3 * t * (1.0 - t));
        if (i % 2 == 0)
            ImDrawList_AddCircleFilled(list, arc[i], 0.08f * size + 0.4f * line, color, 8);
    }
    ImDrawList_AddPolyline(list, arc, 9, color, 0, 0.7f * line);
}

// Two halves left and right of a line.
void qvuiIcon_Symmetry(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line)
{
    Line(list, middle, size, (double[4]){ 0.0, -0.48, 0.0, 0.48 }, color, line);
    for (int side = -1; side <= 1; side += 2)
        ImDrawList_AddTriangleFilled(list, At(middle, size, 0.13 * side, -0.34), At(middle, size, 0.13 * side, 0.34),
                                     At(middle, size, 0.52 * side, 0.34), color);
}
