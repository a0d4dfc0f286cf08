// SPDX-License-Identifier: GPL-3.0-or-later
/// Icons of tools that the icon font lacks.
#pragma once

#include "ui/cimgui/cimgui.h"

void qvuiIcon_Grab(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line);
void qvuiIcon_Twist(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line);
void qvuiIcon_Scale(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line);
void qvuiIcon_Pinch(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line);
void qvuiIcon_Smooth(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line);
void qvuiIcon_Wave(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line);
void qvuiIcon_Transform(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line);
void qvuiIcon_Trail(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line);
void qvuiIcon_Symmetry(ImDrawList* list, ImVec2 middle, float size, ImU32 color, float line);
