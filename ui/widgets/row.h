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

/// Moves on to the next row.
void qvuiEndRow(const qvuiRow* row);
