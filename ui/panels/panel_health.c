// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/editor.h"

#include "ui/actions/state.h"
#include "ui/widgets/icons.h"

#include <ctype.h>
#include <stdio.h>

static int NoteCount(const qvuiEditor* editor)
{
    return editor->session.body->model != NULL ? editor->session.body->model->notes.count : 0;
}

// Kinds of trouble that were found, by whether they were repaired.
static int CountItems(const qvuiEditor* editor, bool repaired)
{
    int count = 0;
    for (int kind = 0; kind < qv_healthKindCount; kind++)
        count +=
            editor->session.body->report.items[kind].count > 0 && qvHealth_IsRepaired((qvHealthKind)kind) == repaired;
    return count;
}

static void Draw(qvuiEditor* editor)
{
    qvuiKit* kit = &editor->kit;
    char text[512];
    for (int kind = 0; kind < qv_healthKindCount; kind++)
    {
        const qvHealthItem* item = &editor->session.body->report.items[kind];
        if (item->count == 0)
            continue;
        bool repaired = qvHealth_IsRepaired((qvHealthKind)kind);
        qvHealth_Describe((qvHealthKind)kind, item, text, sizeof(text));
        text[0] = (char)toupper((unsigned char)text[0]);
        qvuiMessageRow(kit, repaired ? QVUI_ICON_CHECK : QVUI_ICON_WARNING, repaired ? QVUI_MUTED : QVUI_CORAL, text);
    }
    for (int i = 0; i < NoteCount(editor); i++)
        qvuiMessageRow(kit, QVUI_ICON_INFO, QVUI_MUTED, editor->session.body->model->notes.lines[i]);
    if (CountItems(editor, true) + CountItems(editor, false) + NoteCount(editor) == 0)
        qvuiMessageRow(kit, QVUI_ICON_CHECK, QVUI_TEAL, "Clean: nothing had to be repaired.");
}

static void Remark(const qvuiEditor* editor, char* text, size_t capacity)
{
    int repaired = CountItems(editor, true), left = CountItems(editor, false);
    if (left > 0)
        snprintf(text, capacity, "%d to look at", left);
    else
        snprintf(text, capacity, "%s", repaired > 0 ? "repaired" : "clean");
}

const qvuiPanel qvuiPanelHealth = {
    "health", "Health", qvuiHasMesh, Remark, Draw, false, "What was found in the mesh and repaired"
};
