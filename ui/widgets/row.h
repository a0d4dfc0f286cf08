// SPDX-License-Identifier: GPL-3.0-or-later
/// The frame of a row: label at the left, place for a control at the right. Used by the widgets themselves.
#pragma once

#include "ui/widgets/widgets.h"

typedef struct qvuiRow
{
    ImVec2 place; ///< upper left corner of the row, screen
    float fullWidth, fullHeight;
    ImVec2 control; ///< upper left corner of the control
    float width, height;
} qvuiRow;

/// Draws the label. controlWidth is the width that the control needs, 0: the common column of controls.
qvuiRow qvuiBeginRow(qvuiKit* kit, const char* label, float controlWidth);

/// A blue ring around the last item's control while the keyboard is on it.
void qvuiDrawFocus(const qvuiKit* kit, ImVec2 lower, ImVec2 upper, float rounding);

/// A text field in the place of the cursor, with a blue ring while it is typed into; hint (or NULL) stands in it while
/// it is empty. Returns whether Enter was pressed.
bool qvuiInputText(const qvuiKit* kit, const char* id, const char* hint, char* text, size_t capacity,
                   ImGuiInputTextFlags flags);

/// Moves on to the next row.
void qvuiEndRow(const qvuiRow* row);

/// The right button's menu of the last item: back to the default, which is shown, and copying the value. True when it
/// is to go back.
bool qvuiResetMenu(qvuiKit* kit, const char* standard, double value);

/// Starts to type into the control of that id, the last item, where a double click, a Ctrl-click or Enter asks for it.
void qvuiStartTyping(qvuiKit* kit, ImGuiID id);

/// For the last item, whose value the mouse drags: whether the value follows the mouse now. A drag that was given up
/// puts back what it was when it began.
bool qvuiFollowDrag(qvuiKit* kit, double* value);

/// Says for the status bar what the mouse does with a value that it is over or drags.
void qvuiValueHint(qvuiKit* kit, bool hovered, bool dragged);

/// A text field in the place of a control that is being typed into. Enter and Tab take the number over, Esc and a click
/// elsewhere leave it. True when *value is new.
bool qvuiTypeNumber(qvuiKit* kit, const char* label, ImVec2 place, ImVec2 size, double* value);
