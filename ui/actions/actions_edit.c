// SPDX-License-Identifier: GPL-3.0-or-later
// Undo, saving.
#include "ui/actions/action.h"

#include "ui/actions/state.h"
#include "ui/editor/editor.h"

bool qvuiCanUndo(const qvuiEditor* editor)
{
    return editor->session.document != NULL &&
           (qvuiMask_CanStep(editor, -1) || qvDocument_CanUndo(editor->session.document));
}

bool qvuiCanRedo(const qvuiEditor* editor)
{
    return editor->session.document != NULL &&
           (qvuiMask_CanStep(editor, 1) || qvDocument_CanRedo(editor->session.document));
}

void qvuiAction_Undo(qvuiEditor* editor)
{
    if (qvuiMask_Step(editor, -1))
        return;
    qvDocument_Undo(editor->session.document);
    editor->session.show = qvui_showTake;
}

void qvuiAction_Redo(qvuiEditor* editor)
{
    if (qvuiMask_Step(editor, 1))
        return;
    qvDocument_Redo(editor->session.document);
    editor->session.show = qvui_showTake;
}

void qvuiAction_UndoAll(qvuiEditor* editor)
{
    qvDocument_GoTo(editor->session.document, 0);
    editor->session.show = qvui_showTake;
}

void qvuiAction_RedoAll(qvuiEditor* editor)
{
    qvDocument_GoTo(editor->session.document, qvDocument_StepCount(editor->session.document) - 1);
    editor->session.show = qvui_showTake;
}

void qvuiAction_Save(qvuiEditor* editor)
{
    qvuiEditor_Save(editor, NULL);
}

void qvuiAction_SaveAs(qvuiEditor* editor)
{
    qvuiEditor_SetDialog(editor, qvui_dialogSave);
}

void qvuiAction_Export(qvuiEditor* editor)
{
    qvuiEditor_SetDialog(editor, qvui_dialogExport);
}

void qvuiAction_Palette(qvuiEditor* editor)
{
    qvuiEditor_SetDialog(editor, qvui_dialogPalette);
}

void qvuiAction_Preferences(qvuiEditor* editor)
{
    qvuiEditor_SetDialog(editor, qvui_dialogPreferences);
}

void qvuiAction_New(qvuiEditor* editor)
{
    qvuiEditor_Request(editor, qvui_pendingClose, NULL);
}
