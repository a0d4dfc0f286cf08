// SPDX-License-Identifier: GPL-3.0-or-later
/// The buttons at the end of a dialog: at its right, the one that it is about last.
#pragma once

#include "ui/widgets/widgets.h"

typedef struct qvuiButton
{
    const char* label;
    const char* tooltip;
    bool disabled;
} qvuiButton;

/// Draws them in a row, with a remark (or NULL) at the left. inset: pixels at scale 1 that they stay within the
/// dialog's edges, as far as its rows do. Returns the one that was pressed, or -1.
int qvuiDrawButtons(qvuiKit* kit, const qvuiButton* buttons, int count, const char* remark, float inset);

/// The same where the last one writes a file: replaces says that there is one of that name, which the row then says
/// and asks.
int qvuiDrawWriteButtons(qvuiKit* kit, const qvuiButton* buttons, int count, bool replaces, float inset);

/// Whether writing to a path takes away a file; that of `own` may go.
bool qvuiReplaces(const char* path, const char* own);
