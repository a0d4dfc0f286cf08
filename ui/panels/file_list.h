// SPDX-License-Identifier: GPL-3.0-or-later
/// The folder and its entries, as the dialogs that open and save show them.
#pragma once

#include "ui/editor/editor.h"

/// Buttons that change the folder, and its path.
void qvuiDrawPlaceRow(qvuiEditor* editor);

/// How far the arrow keys go in a list: -1, 0 or 1.
int qvuiArrowStep(void);

/// Folders and files; the arrow keys select. Room for the buttons stays below, and for as many pixels of other rows.
/// Returns the entry that was double-clicked, or -1.
int qvuiDrawFileList(qvuiEditor* editor, float below);

/// The field for a name or a path. Returns whether Enter was pressed.
bool qvuiDrawNameRow(qvuiEditor* editor, const char* hint, ImGuiInputTextFlags flags);
