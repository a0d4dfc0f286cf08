// SPDX-License-Identifier: GPL-3.0-or-later
// Before saving over a file that another program has changed or taken away.
#include "ui/editor/editor.h"

#include "ui/panels/buttons.h"

#include <stdio.h>

enum
{
    BUTTON_CANCEL,
    BUTTON_RELOAD,
    BUTTON_OVERWRITE,
    BUTTON_SAVE_AS,
};

static void Do(qvuiEditor* editor, int pressed)
{
    qvuiEditor_SetDialog(editor, pressed == BUTTON_SAVE_AS ? qvui_dialogSave : qvui_dialogNone);
    if (pressed == BUTTON_CANCEL)
        editor->pending.kind = qvui_pendingNone;
    else if (pressed == BUTTON_RELOAD)
        qvuiEditor_Reload(editor);
    else if (pressed == BUTTON_OVERWRITE && qvuiEditor_Overwrite(editor))
        qvuiEditor_RunPending(editor);
}

static void Draw(qvuiEditor* editor)
{
    qvuiKit* kit = &editor->kit;
    bool gone = editor->fileNews == qv_fileGone;
    char text[700];
    snprintf(text, sizeof(text), "%s %s", editor->session.name,
             gone ? "was deleted or moved by another program since it was opened or saved here."
                  : "was changed by another program since it was opened or saved here. Save as keeps both.");
    igPushTextWrapPos(0.0f);
    igTextUnformatted(text, NULL);
    igPopTextWrapPos();
    igDummy((ImVec2){ 1, qvuiPixels(&kit->style, 14) });
    const qvuiButton buttons[] = {
        { "Cancel", "Saves nothing; Esc does the same", false },
        { "Reload", "Opens what the other program wrote; the changes made here are lost", gone },
        { gone ? "Save again" : "Overwrite",
          gone ? "Writes the scene where it was" : "Writes this scene; what the other program wrote is lost", false },
        { "Save as\xe2\x80\xa6", "Writes this scene under another name; Enter does the same", false },
    };
    int pressed = qvuiDrawButtons(kit, buttons, 4, NULL, 0);
    // The ring says what Enter does, if there is one.
    if (pressed < 0 && !igGetIO()->NavVisible && igIsKeyPressed(igGetKeyIndex(ImGuiKey_Enter), false))
        pressed = BUTTON_SAVE_AS;
    if (pressed >= 0)
        Do(editor, pressed);
}

const qvuiDialog qvuiDialogChanged = { "changed", "The file has changed", 520, 0, NULL, Draw, true, true };
