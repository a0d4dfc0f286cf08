// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/action.h"

#include "ui/actions/state.h"
#include "ui/editor/editor.h"

bool qvuiHasMesh(const qvuiEditor* editor)
{
    return editor->session.body != NULL;
}

void qvuiAction_Open(qvuiEditor* editor)
{
    qvuiEditor_SetDialog(editor, qvui_dialogOpen);
}

bool qvuiHasFile(const qvuiEditor* editor)
{
    return editor->session.document != NULL && qvDocument_Path(editor->session.document)[0] != 0;
}

void qvuiAction_Reload(qvuiEditor* editor)
{
    qvuiEditor_Request(editor, qvui_pendingFile, qvDocument_Path(editor->session.document));
}

void qvuiAction_Close(qvuiEditor* editor)
{
    qvuiEditor_Request(editor, qvui_pendingClose, NULL);
}

void qvuiAction_Quit(qvuiEditor* editor)
{
    qvuiEditor_Request(editor, qvui_pendingQuit, NULL);
}

// The innermost thing that is open or going on.
void qvuiAction_Cancel(qvuiEditor* editor)
{
    if (editor->kit.typing != 0)
        editor->kit.typing = 0;
    else if (qvuiEditor_EndDrag(editor))
        return;
    else if (editor->popupOpen)
        editor->closesPopups = true;
    else if (editor->dialog != qvui_dialogNone)
        qvuiEditor_LeaveDialog(editor);
    else if (qvuiTools_Cancel(editor) || qvuiTimeline_Cancel(editor))
        return;
    else if (editor->contacts.open)
        qvuiContacts_Close(&editor->contacts);
    else if (qvuiTask_IsWanted(&editor->loader.task))
        qvuiTask_Cancel(&editor->loader.task);
    else if (editor->toast.text[0] != 0)
        editor->toast.text[0] = 0;
    else if (editor->session.playback.previewMode >= 0)
        editor->session.playback.previewMode = -1;
    else if (editor->session.playback.playing)
        qvuiSession_Play(&editor->session, false);
    else
        editor->wantsFullScreen = false;
}

void qvuiAction_Manual(qvuiEditor* editor)
{
    qvuiEditor_SetDialog(editor, editor->dialog == qvui_dialogManual ? qvui_dialogNone : qvui_dialogManual);
}

void qvuiAction_Shortcuts(qvuiEditor* editor)
{
    qvuiEditor_SetDialog(editor, editor->dialog == qvui_dialogShortcuts ? qvui_dialogNone : qvui_dialogShortcuts);
}

void qvuiAction_About(qvuiEditor* editor)
{
    qvuiEditor_SetDialog(editor, qvui_dialogAbout);
}
