// SPDX-License-Identifier: GPL-3.0-or-later
/// Everything the user can do by menu or key. To add an action: write its function in actions_x.c and a line in
/// action_list.inl; menus, key handling, tooltips and the shortcut sheet read that table.
#pragma once

#include "quaver/result.h"
#include "ui/actions/shortcut.h"

#include <stdbool.h>
#include <stddef.h>

struct qvuiEditor;

typedef enum qvuiMenu
{
    qvui_menuNone, ///< by key only
    qvui_menuFile,
    qvui_menuEdit,
    qvui_menuPose,
    qvui_menuTools,
    qvui_menuMotion,
    qvui_menuView,
    qvui_menuWindow,
    qvui_menuHelp,
    qvui_menuCount,
} qvuiMenu;

/// Where a shortcut counts: single letters mean other things over the viewport than over the timeline.
typedef enum qvuiWhere
{
    qvui_whereAny,
    qvui_whereViewport,
    qvui_whereTimeline,
} qvuiWhere;

typedef struct qvuiAction
{
    const char* id; ///< stable, for scripts and key maps: "view.focus"
    const char* label;
    qvuiMenu menu;
    bool startsGroup; ///< a line above it in its menu
    qvuiWhere where;
    const char* shortcut; ///< see shortcut.h; "" for none, alternatives after a bar: "Ctrl+Shift+Z|Ctrl+Y"
    void (*run)(struct qvuiEditor* editor);              ///< NULL: it switches a bool
    bool (*isOn)(const struct qvuiEditor* editor);       ///< a check mark in the menu; NULL: none
    bool (*isPossible)(const struct qvuiEditor* editor); ///< NULL: always
    const char* help; ///< a tooltip: what it does to the motion, or that only the picture changes
    size_t toggle;    ///< where that bool is in the editor
} qvuiAction;

/// Does it, possible or not.
void qvuiAction_Do(const qvuiAction* action, struct qvuiEditor* editor);
/// Whether it has a check mark now.
bool qvuiAction_IsOn(const qvuiAction* action, const struct qvuiEditor* editor);

int qvuiActionCount(void);
const qvuiAction* qvuiGetAction(int index);

/// By id, or NULL.
const qvuiAction* qvuiFindAction(const char* id);

/// Runs the action of a key press; one of the area under the mouse comes first. typing: a text field has the keyboard,
/// so that plain keys belong to it. Returns whether there was one.
bool qvuiRunShortcut(struct qvuiEditor* editor, const qvuiShortcut* shortcut, bool typing);

/// The first of an action's shortcuts, for menus: the user's own, or the table's. Returns text, which is empty when
/// there is none.
const char* qvuiAction_Shortcut(const struct qvuiEditor* editor, const qvuiAction* action, char* text, size_t capacity);

/// Shortcuts of the user's own, by action id; see keymap.c.
typedef struct qvuiKeymap
{
    char (*shortcuts)[64]; ///< per action, "" as in the table; NULL: no keymap
    bool isUnread;         ///< there is a file that could not be read: it is not written over
} qvuiKeymap;

/// Reads a keymap file: a JSON object of action ids and shortcuts ("" for none). A missing file is no mistake; an
/// unknown action or key is, with its name.
QV_CHECKED qvResult qvuiKeymap_Load(qvuiKeymap* keymap, const char* path, qvError* error);
/// Writes all actions with their shortcuts, as a file to start from.
QV_CHECKED qvResult qvuiKeymap_Save(const qvuiKeymap* keymap, const char* path, qvError* error);
void qvuiKeymap_Free(qvuiKeymap* keymap);

/// Gives an action other shortcuts ("" for none). False when memory runs out.
bool qvuiKeymap_Set(qvuiKeymap* keymap, const qvuiAction* action, const char* shortcuts);
/// Back to the table's; NULL: all actions.
void qvuiKeymap_Reset(qvuiKeymap* keymap, const qvuiAction* action);
/// Whether an action has shortcuts of the user's own.
bool qvuiKeymap_IsOwn(const qvuiKeymap* keymap, const qvuiAction* action);
/// Takes one shortcut away from an action that has it.
bool qvuiKeymap_Remove(qvuiKeymap* keymap, const qvuiAction* action, const qvuiShortcut* shortcut);
/// Another action that a key press would run where this one counts, or that this one would hide; NULL: none.
const qvuiAction* qvuiKeymap_FindConflict(const qvuiKeymap* keymap, const qvuiAction* action,
                                          const qvuiShortcut* shortcut);
/// Writes the user's own alone, so that later versions may change the rest.
QV_CHECKED qvResult qvuiKeymap_SaveOwn(const qvuiKeymap* keymap, const char* path, qvError* error);

/// All shortcuts of an action, with bars between.
const char* qvuiKeymap_Shortcuts(const qvuiKeymap* keymap, const qvuiAction* action);
/// The same for people: "Ctrl+Shift+Z, Ctrl+Y". Returns text.
const char* qvuiKeymap_List(const qvuiKeymap* keymap, const qvuiAction* action, char* text, size_t capacity);

#define ACTION(id, label, menu, group, where, shortcut, run, isOn, isPossible, help) \
    void run(struct qvuiEditor* editor);
#define TOGGLE(id, label, menu, group, where, shortcut, member, isPossible, help)
#include "ui/actions/action_list.inl"
#undef ACTION
#undef TOGGLE
