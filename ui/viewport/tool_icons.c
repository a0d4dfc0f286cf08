// SPDX-License-Identifier: GPL-3.0-or-later
// Icons of tools that the icon font lacks, in thin lines. size is the side of the square around them.
#include "ui/viewport/tool_icons.h"

#include "quaver/math.h"

#include <math.h>

enum
{
    ARC_POINTS = 17
};

ImVec2 qvuiIcon_At(ImVec2 middle, float size, double x, double y)
{
    return (ImVec2){ middle.x + size * (float)x, middle.y + size * (float)y };
}

void qvuiIcon_Line(ImDrawList* list, ImVec2 middle, float size, const double p[4], ImU32 color, float line)
{
    ImDrawList_AddLine(list, qvuiIcon_At(middle, size, p[0], p[1]), qvuiIcon_At(middle, size, p[2], p[3]), color, line);
}

void qvuiIcon_Head(ImDrawList* list, ImVec2 middle, float size, const double p[4], ImU32 color)
{
    const double length = 0.24, half = 0.14;
    double x = p[0], y = p[1], dx = p[2], dy = p[3], neckX = x - length * dx, neckY = y - length * dy;
    ImDrawList_AddTriangleFilled(list, qvuiIcon_At(middle, size, x, y),
                                 qvuiIcon_At(middle, size, neckX - half * dy, neckY + half * dx),
                                 qvuiIcon_At(middle, size, neckX + half * dy, neckY - half * dx), color);
}

void qvuiIcon_Arc(ImDrawList* list, ImVec2 middle, float size, const double p[3], ImU32 color, float line)
{
    ImVec2 points[ARC_POINTS];
    for (int i = 0; i < ARC_POINTS; i++)
    {
        double turn = QV_TWO_PI * (p[1] + (p[2] - p[1]) * i / (ARC_POINTS - 1));
        points[i] = qvuiIcon_At(middle, size, p[0] * cos(turn), p[0] * sin(turn));
    }
    ImDrawList_AddPolyline(list, points, ARC_POINTS, color, 0, line);
}

void qvuiIcon_Wave(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line)
{
    ImDrawList_AddCircleFilled(list, middle, 0.1f * size, color, 12);
    ImDrawList_AddCircle(list, middle, 0.27f * size, color, 24, line);
    ImDrawList_AddCircle(list, middle, 0.46f * size, (color & 0xffffff) | 0xa0000000u, 32, line);
}

void qvuiIcon_Transform(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line)
{
    qvuiIcon_Line(list, middle, size, (double[4]){ -0.34, 0.0, 0.34, 0.0 }, color, line);
    qvuiIcon_Line(list, middle, size, (double[4]){ 0.0, -0.34, 0.0, 0.34 }, color, line);
    for (int i = 0; i < 4; i++)
    {
        double x = (i == 0) - (i == 2), y = (i == 1) - (i == 3);
        qvuiIcon_Head(list, middle, size, (double[4]){ 0.52 * x, 0.52 * y, x, y }, color);
    }
}

// Two rings that hang together.
void qvuiIcon_Joint(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line)
{
    ImDrawList_AddCircle(list, qvuiIcon_At(middle, size, -0.2, 0.13), 0.25f * size, color, 20, line);
    ImDrawList_AddCircle(list, qvuiIcon_At(middle, size, 0.2, -0.13), 0.25f * size, color, 20, line);
    ImDrawList_AddCircleFilled(list, middle, 0.08f * size + 0.4f * line, color, 8);
}

// A way with a dot per frame.
void qvuiIcon_Trail(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line)
{
    ImVec2 arc[9];
    for (int i = 0; i < 9; i++)
    {
        double t = i / 8.0;
        arc[i] = qvuiIcon_At(middle, size, 0.9 * (t - 0.5), 0.32 - 2.3 * t * (1.0 - t));
        if (i % 2 == 0)
            ImDrawList_AddCircleFilled(list, arc[i], 0.08f * size + 0.4f * line, color, 8);
    }
    ImDrawList_AddPolyline(list, arc, 9, color, 0, 0.7f * line);
}

// Two halves left and right of a line.
void qvuiIcon_Symmetry(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line)
{
    qvuiIcon_Line(list, middle, size, (double[4]){ 0.0, -0.48, 0.0, 0.48 }, color, line);
    for (int side = -1; side <= 1; side += 2)
        ImDrawList_AddTriangleFilled(list, qvuiIcon_At(middle, size, 0.13 * side, -0.34),
                                     qvuiIcon_At(middle, size, 0.13 * side, 0.34),
                                     qvuiIcon_At(middle, size, 0.52 * side, 0.34), color);
}
