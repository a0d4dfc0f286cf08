// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/editor.h"

#include <stdio.h>

static void Draw(qvuiEditor* editor)
{
    qvuiKit* kit = &editor->kit;
    float gap = qvuiPixels(&kit->style, 8);
    char text[400];
    snprintf(text, sizeof(text), "%s has changes that are not saved.", editor->session.name);
    igPushTextWrapPos(0.0f);
    igTextUnformatted(text, NULL);
    igPopTextWrapPos();
    igDummy((ImVec2){ 1, qvuiPixels(&kit->style, 14) });
    bool enter = igIsKeyPressed(igGetKeyIndex(ImGuiKey_Enter), false);
    if (qvuiPill(kit, "Save", 0.0f, "Writes the scene, then goes on; Enter does the same") || enter)
    {
        qvuiEditor_SetDialog(editor, qvui_dialogNone);
        if (qvuiEditor_Save(editor, NULL))
            qvuiEditor_RunPending(editor);
    }
    igSameLine(0.0f, gap);
    if (qvuiPill(kit, "Don't save", 0.0f, "Goes on and loses the changes"))
    {
        qvuiEditor_SetDialog(editor, qvui_dialogNone);
        qvuiEditor_RunPending(editor);
    }
    igSameLine(0.0f, gap);
    if (qvuiPill(kit, "Cancel", 0.0f, "Stays with the scene as it is"))
    {
        editor->pending.kind = qvui_pendingNone;
        qvuiEditor_SetDialog(editor, qvui_dialogNone);
    }
}

const qvuiDialog qvuiDialogUnsaved = { "unsaved", "Unsaved changes", 420, 0, NULL, Draw, true };
