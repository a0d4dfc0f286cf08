// SPDX-License-Identifier: GPL-3.0-or-later
/// Boxes over the window, one at a time. To add one: write dialog_x.c with its descriptor and a line in
/// dialog_list.inl.
#pragma once

#include <stdbool.h>

struct qvuiEditor;
struct qvuiShortcut;

typedef enum qvuiDialogKind
{
    qvui_dialogNone,
#define DIALOG(kind, descriptor) qvui_dialog##kind,
#include "ui/panels/dialog_list.inl"
#undef DIALOG
    qvui_dialogCount,
} qvuiDialogKind;

typedef struct qvuiDialog
{
    const char* id;
    const char* title;
    float width, height;                     ///< at scale 1; smaller where the window is; height 0: what it needs
    void (*open)(struct qvuiEditor* editor); ///< when it opens; NULL: nothing
    void (*draw)(struct qvuiEditor* editor);
    bool holds;  ///< playing waits while it is open: it is about the moment or the file, and takes the keyboard
    bool arrows; ///< the arrow keys go from control to control; false: it has a list that wants them
} qvuiDialog;

#define DIALOG(kind, descriptor) extern const qvuiDialog descriptor;
#include "ui/panels/dialog_list.inl"
#undef DIALOG

/// A key press that the dialog of keys waits for. Returns whether it was for it.
bool qvuiDialogKeys_Key(struct qvuiEditor* editor, const struct qvuiShortcut* shortcut);

const qvuiDialog* qvuiGetDialog(qvuiDialogKind kind);
