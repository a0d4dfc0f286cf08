// SPDX-License-Identifier: GPL-3.0-or-later
// Every step that can be undone, newest below; a click goes there.
#include "ui/editor/editor.h"

#include <stdio.h>

static void Draw(qvuiEditor* editor, ImVec2 place, ImVec2 size)
{
    const qvuiStyle* style = &editor->kit.style;
    qvDocument* document = editor->session.document;
    int position = qvDocument_StepPosition(document), count = qvDocument_StepCount(document), wanted = -1;
    igSetCursorScreenPos(place);
    igPushStyleVar_Vec2(ImGuiStyleVar_ItemSpacing, (ImVec2){ 0, 0 });
    if (igBeginChild_Str("history", size, false, ImGuiWindowFlags_None))
    {
        for (int i = 0; i < count; i++)
        {
            char step[2 * qv_maxName], label[sizeof(step) + 32];
            qvDocument_DescribeStep(document, i, step, sizeof(step));
            snprintf(label, sizeof(label), "   %s##step%d", step, i);
            igPushStyleColor_U32(ImGuiCol_Text, i <= position ? QVUI_TEXT : QVUI_MUTED);
            if (igSelectable_Bool(label, i == position, ImGuiSelectableFlags_None,
                                  (ImVec2){ 0, qvuiPixels(style, 22) }))
                wanted = i;
            igPopStyleColor(1);
            qvuiNames_AddItem(&editor->kit.names, step);
            qvuiTooltip(&editor->kit, "The scene becomes what it was after this change", NULL);
            if (i == position && editor->timeline.historyPosition != position)
                igSetScrollHereY(0.5f);
        }
        editor->timeline.historyPosition = position;
    }
    igEndChild();
    igPopStyleVar(1);
    if (wanted < 0)
        return;
    qvuiEditor_EndGesture(editor);
    qvDocument_GoTo(document, wanted);
    editor->session.show = qvui_showTake;
}

const qvuiTab qvuiTabHistory = { "history", "History", "Every change of the scene; a click goes back or forth to it",
                                 Draw };
