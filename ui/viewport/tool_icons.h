// SPDX-License-Identifier: GPL-3.0-or-later
/// Icons of tools that the icon font lacks, those of brushes aside, which have theirs drawn by their own files; and
/// what they are drawn with.
#pragma once

#include "ui/cimgui/cimgui.h"

void qvuiIcon_Wave(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line);
void qvuiIcon_Transform(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line);
void qvuiIcon_Joint(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line);
void qvuiIcon_Trail(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line);
void qvuiIcon_Symmetry(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line);

// --- To draw with: places in parts of the square, to the right and down -------------------------------------------

ImVec2 qvuiIcon_At(ImVec2 middle, float size, double x, double y);
/// From x, y to x, y.
void qvuiIcon_Line(ImDrawList* list, ImVec2 middle, float size, const double p[4], ImU32 color, float line);
/// A head at (x, y) that points along (dx, dy), a unit vector.
void qvuiIcon_Head(ImDrawList* list, ImVec2 middle, float size, const double p[4], ImU32 color);
/// Radius, from and to: angles in turns, clockwise from the right.
void qvuiIcon_Arc(ImDrawList* list, ImVec2 middle, float size, const double p[3], ImU32 color, float line);
