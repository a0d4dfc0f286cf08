// SPDX-License-Identifier: GPL-3.0-or-later
// Strikes the body: a click and a drag place an event at the playhead that sends a wave through it.
#include "ui/editor/editor.h"

#include "ui/viewport/tool_icons.h"

static bool Begin(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    tools->arrow = qvMakeVec3(0.0, 0.0, 0.0);
    if (editor->session.playback.playing)
        qvuiSession_Play(&editor->session, false);
    return true;
}

static void Drag(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    tools->arrow = qvuiMouseMove(editor);
    if (tools->control)
        tools->arrow =
            qvScale(qvuiUnitsPerPixel(editor, tools->hit.position) * (double)(tools->start.y - tools->mouse.y),
                    tools->hitNormal);
}

static void Cancel(qvuiEditor* editor)
{
    editor->viewport.tools.arrow = qvMakeVec3(0.0, 0.0, 0.0);
}

// A click alone is a poke into the body, a third of a radius deep.
static void End(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    qvuiSession* session = &editor->session;
    qvVec3 drag = tools->moved ? tools->arrow : qvScale(-qvuiTools_Radius(editor) / 3.0, tools->hitNormal);
    qvAffine frame = qvuiKeyFrame(editor, 0, session->playback.time);
    qvSceneEvent event = qvDefaultSceneEvent();
    event.time = qvuiSession_SnapTime(session, session->playback.time);
    event.stroke = qvuiNewStroke(editor, "grab");
    event.stroke.mirror = 0;
    event.stroke.strength = 1.0;
    event.stroke.drag = qvScale(tools->strength, qvuiTurnBack(&frame, drag));
    qvError error;
    qvId added = 0;
    qvDocument_Begin(session->document, "Wave", 0);
    qvResult result = qvDocument_AddEvent(session->document, &event, &added, &error);
    qvDocument_End(session->document);
    if (qvuiEditor_Did(editor, result, &error))
        qvuiSession_SelectEvent(session, added);
    tools->hasFocus = true;
    tools->focus = tools->hit.position;
    Cancel(editor);
}

static void Draw(qvuiEditor* editor, ImDrawList* list)
{
    const qvuiTools* tools = &editor->viewport.tools;
    ImVec2 from, to;
    if (tools->active == NULL || !tools->moved || !qvuiProject(editor, tools->hit.position, &from) ||
        !qvuiProject(editor, qvAdd(tools->hit.position, tools->arrow), &to))
        return;
    qvuiDrawArrow(&editor->kit.style, list, from, to, QVUI_CORAL);
}

extern const qvuiTool qvuiToolWave;
const qvuiTool qvuiToolWave = {
    .id = "wave",
    .label = "Wave",
    .drawIcon = qvuiIcon_Wave,
    .action = "tool.wave",
    .help = "Strikes the body at the playhead: click to poke, drag to push; a wave travels from there.",
    .hint = "LMB\tclick to poke, drag to push|Ctrl\talong the normal|F\tradius|MMB / Alt\torbit",
    .color = QVUI_CORAL,
    .startsGroup = true,
    .hasBrush = true,
    .begin = Begin,
    .drag = Drag,
    .end = End,
    .cancel = Cancel,
    .draw = Draw,
};
