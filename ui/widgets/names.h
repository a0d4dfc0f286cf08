// SPDX-License-Identifier: GPL-3.0-or-later
/// Where the named controls of the last frame are, so that a script can say "click Wireframe" instead of a place.
#pragma once

#include "ui/cimgui/cimgui.h"

#include <stdbool.h>

enum
{
    qvui_maxNames = 512,
    qvui_maxNameLength = 64,
};

typedef struct qvuiName
{
    char text[qvui_maxNameLength];
    ImVec2 lower, upper;
    bool isControl; ///< can be clicked, and so has to be explained
    bool explained; ///< has a tooltip of more than its own name
    bool visible;   ///< its middle, in the area that it is drawn in
} qvuiName;

ImVec2 qvuiName_Middle(const qvuiName* name);

typedef struct qvuiNames
{
    bool enabled; ///< false: nothing is kept
    int count;
    qvuiName* items; ///< qvui_maxNames entries, or NULL when not enabled
    char
        scrolled[qvui_maxNameLength]; ///< the first control of that name is scrolled into view in the next frame; or ""
    char focused[qvui_maxNameLength]; ///< the control that the keyboard is on, or ""
} qvuiNames;

/// Starts keeping names. False when memory runs out.
bool qvuiNames_Enable(qvuiNames* names);
void qvuiNames_Free(qvuiNames* names);

/// Forgets the names of the last frame.
void qvuiNames_Clear(qvuiNames* names);

/// Names the last ImGui item as a control. What follows "##" in text is left out.
void qvuiNames_AddItem(qvuiNames* names, const char* text);

/// The last ImGui item has a tooltip.
void qvuiNames_Explain(qvuiNames* names, const char* tooltip);

/// The first control without a tooltip, or NULL.
const qvuiName* qvuiNames_FindUnexplained(const qvuiNames* names);

/// Names the last ImGui item where the status bar says what the mouse does: the picture, the tracks, an edge.
void qvuiNames_AddArea(qvuiNames* names, const char* text);

/// Names a rectangle: what lies in such an area.
void qvuiNames_AddRect(qvuiNames* names, const char* text, ImVec2 lower, ImVec2 upper);

/// The first control of that name, or NULL.
const qvuiName* qvuiNames_Find(const qvuiNames* names, const char* text);
