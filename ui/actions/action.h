// SPDX-License-Identifier: GPL-3.0-or-later
/// Everything the user can do by menu or key. To add an action: write its function in actions_x.c and a line in
/// action_list.inl; menus, key handling, tooltips and the shortcut sheet read that table.
#pragma once

#include "ui/actions/shortcut.h"

#include <stdbool.h>

struct qvuiEditor;

typedef enum qvuiMenu
{
    qvui_menuNone, ///< by key only
    qvui_menuFile,
    qvui_menuView,
    qvui_menuWindow,
    qvui_menuHelp,
    qvui_menuCount,
} qvuiMenu;

typedef struct qvuiAction
{
    const char* id; ///< stable, for scripts and key maps: "view.focus"
    const char* label;
    qvuiMenu menu;
    bool startsGroup;     ///< a line above it in its menu
    const char* shortcut; ///< see shortcut.h; "" for none
    void (*run)(struct qvuiEditor* editor);
    bool (*isOn)(const struct qvuiEditor* editor);       ///< a check mark in the menu; NULL: none
    bool (*isPossible)(const struct qvuiEditor* editor); ///< NULL: always
} qvuiAction;

int qvuiActionCount(void);
const qvuiAction* qvuiGetAction(int index);

/// By id, or NULL.
const qvuiAction* qvuiFindAction(const char* id);

/// Runs the action of a key press. typing: a text field has the keyboard, so that plain keys belong to it. Returns
/// whether there was one.
bool qvuiRunShortcut(struct qvuiEditor* editor, const qvuiShortcut* shortcut, bool typing);

#define ACTION(id, label, menu, group, shortcut, run, isOn, isPossible) void run(struct qvuiEditor* editor);
#include "ui/actions/action_list.inl"
#undef ACTION
