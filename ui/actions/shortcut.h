// SPDX-License-Identifier: GPL-3.0-or-later
/// Key presses as text: "Ctrl+Shift+S", "F11", "Numpad 1". One spelling for menus, the shortcut sheet and scripts.
#pragma once

#include <stdbool.h>
#include <stddef.h>

/// Printable keys are their lower-case ASCII code; the rest are listed in shortcut.c.
typedef enum qvuiKey
{
    qvui_keyNone = 0,
    qvui_keyEscape = 256,
    qvui_keyEnter,
    qvui_keyTab,
    qvui_keySpace,
    qvui_keyBackspace,
    qvui_keyDelete,
    qvui_keyHome,
    qvui_keyEnd,
    qvui_keyPageUp,
    qvui_keyPageDown,
    qvui_keyLeft,
    qvui_keyRight,
    qvui_keyUp,
    qvui_keyDown,
    qvui_keyF1, ///< F2 to F12 follow
    qvui_keyF12 = qvui_keyF1 + 11,
    qvui_keyNumpad0, ///< 1 to 9 follow
    qvui_keyNumpad9 = qvui_keyNumpad0 + 9,
    qvui_keyNumpadPeriod,
} qvuiKey;

typedef struct qvuiShortcut
{
    int key; ///< qvuiKey, or ASCII
    bool control, shift, alt;
} qvuiShortcut;

/// False for a text that names no key.
bool qvuiShortcut_Parse(const char* text, qvuiShortcut* shortcut);

/// The text that is read back as the same. Returns text.
const char* qvuiShortcut_Print(const qvuiShortcut* shortcut, char* text, size_t capacity);

bool qvuiShortcut_Equal(const qvuiShortcut* a, const qvuiShortcut* b);

/// Puts the digit, point or minus of a key press at the end of a number, or takes the last one away (Backspace). False
/// when the key is for neither.
bool qvuiShortcut_Type(const qvuiShortcut* shortcut, char* text, size_t capacity);
