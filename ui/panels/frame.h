// SPDX-License-Identifier: GPL-3.0-or-later
/// The fixed parts of the window: menu bar, viewport, inspector, status bar.
#pragma once

#include "ui/editor/editor.h"

/// Lays out and draws everything.
void qvuiDrawFrame(qvuiEditor* editor, float width, float height);

/// An undecorated ImGui window at a fixed place, without padding. A transparent
/// color draws no background.
void qvuiBeginArea(const char* id, ImVec2 place, ImVec2 size, ImU32 color);
void qvuiEndArea(void);

void qvuiDrawMenuBar(qvuiEditor* editor, ImVec2 place, ImVec2 size);
/// Actions as items of the menu that is open.
void qvuiMenuItems(qvuiEditor* editor, const char* const* ids, size_t count);
/// What the mouse does now: pairs of keys and words with a tab between them, separated by bars.
const char* qvuiFindHint(const qvuiEditor* editor);
void qvuiDrawStatusBar(qvuiEditor* editor, ImVec2 place, ImVec2 size);
/// Seconds until it says something else by itself; negative: never.
double qvuiStatusWake(const qvuiEditor* editor);
void qvuiDrawInspector(qvuiEditor* editor, ImVec2 place, ImVec2 size);

/// The inspector's left edge, which can be dragged; a double click gives the standard width back. Drawn at the right
/// end of the viewport.
void qvuiDrawSplitter(qvuiEditor* editor, ImVec2 edge, float height);

/// Width of the inspector in pixels, 0 when it is hidden.
float qvuiInspectorWidth(const qvuiEditor* editor, float windowWidth);

/// What to do while nothing is open, over the viewport.
void qvuiDrawWelcome(qvuiEditor* editor);

/// The dialog that is open, if any.
/// The two pages of help, at the top of either: the shortcuts and the manual.
void qvuiDrawHelpPages(qvuiEditor* editor);

void qvuiDrawDialog(qvuiEditor* editor, float width, float height);
