// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/editor.h"

#include "ui/panels/buttons.h"

#include <stdio.h>

static void Draw(qvuiEditor* editor)
{
    qvuiKit* kit = &editor->kit;
    char text[400];
    snprintf(text, sizeof(text), "%s has changes that are not saved.", editor->session.name);
    igPushTextWrapPos(0.0f);
    igTextUnformatted(text, NULL);
    igPopTextWrapPos();
    igDummy((ImVec2){ 1, qvuiPixels(&kit->style, 14) });
    static const qvuiButton buttons[] = {
        { "Cancel", "Stays with the scene as it is", false },
        { "Don't save", "Goes on and loses the changes", false },
        { "Save", "Writes the scene, then goes on; Enter does the same", false },
    };
    int pressed = qvuiDrawButtons(kit, buttons, 3, NULL, 0);
    // The ring says what Enter does, if there is one.
    if (pressed < 0 && !igGetIO()->NavVisible && igIsKeyPressed(igGetKeyIndex(ImGuiKey_Enter), false))
        pressed = 2;
    if (pressed < 0)
        return;
    qvuiEditor_SetDialog(editor, qvui_dialogNone);
    if (pressed == 0)
        editor->pending.kind = qvui_pendingNone;
    else if (pressed == 1 || qvuiEditor_Save(editor, NULL))
        qvuiEditor_RunPending(editor);
}

const qvuiDialog qvuiDialogUnsaved = { "unsaved", "Unsaved changes", 420, 0, NULL, Draw, true, true };
