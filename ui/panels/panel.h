// SPDX-License-Identifier: GPL-3.0-or-later
/// Sections of the inspector. To add one: write panel_x.c with its descriptor at the bottom and a line in
/// panel_list.inl; the inspector and the Window menu read the list.
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct qvuiEditor;

typedef struct qvuiPanel
{
    const char* id;
    const char* label;
    bool (*isShown)(const struct qvuiEditor* editor); ///< NULL: always
    /// Remark at the right of the header; text is empty at first.
    void (*remark)(const struct qvuiEditor* editor, char* text, size_t capacity); ///< NULL: none
    void (*draw)(struct qvuiEditor* editor);
    bool startsOpen;
    const char* help; ///< what the section is for
} qvuiPanel;

#define PANEL(name) extern const qvuiPanel name;
#include "ui/panels/panel_list.inl"
#undef PANEL

enum
{
#define PANEL(name) name##Index,
#include "ui/panels/panel_list.inl"
#undef PANEL
    qvui_panelCount
};

const qvuiPanel* qvuiGetPanel(int index);

/// Says so below the row of a frequency when nothing rings at it.
void qvuiWarnOfWobble(struct qvuiEditor* editor, double frequency);
