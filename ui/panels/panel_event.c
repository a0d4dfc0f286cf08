// SPDX-License-Identifier: GPL-3.0-or-later
// The event that is selected on the waves track.
#include "ui/panels/fields.h"

#include <stdio.h>

static const qvSceneEvent* SelectedEvent(const qvuiEditor* editor)
{
    const qvScene* scene = qvuiSession_Scene(&editor->session);
    return scene != NULL ? qvScene_FindEvent(scene, editor->session.selection.event, NULL) : NULL;
}

static bool IsShown(const qvuiEditor* editor)
{
    return SelectedEvent(editor) != NULL;
}

static void Remark(const qvuiEditor* editor, char* text, size_t capacity)
{
    const qvSceneEvent* event = SelectedEvent(editor);
    snprintf(text, capacity, "%.40s %.2f s", event->name, event->time);
}

static void Draw(qvuiEditor* editor)
{
    static const char* const without[] = { "id", "mask", "path", NULL };
    qvRef object = { qv_objectEvent, editor->session.selection.event };
    qvuiFieldRows(editor, object, without, QVUI_RGB(0x6b3630));
    igSetCursorPosX(igGetCursorPosX() + qvuiPixels(&editor->kit.style, 12));
    if (qvuiPill(&editor->kit, "Delete event", 0.0f, "Take this event off the track"))
    {
        qvError error;
        qvuiEditor_Did(editor, qvDocument_Remove(editor->session.document, object, &error), &error);
    }
}

const qvuiPanel qvuiPanelEvent = { "event", "Event", IsShown, Remark, Draw, true };
