// SPDX-License-Identifier: GPL-3.0-or-later
// Strikes the body: a click and a drag place an event at the playhead that sends a wave through it. With Shift the drag
// paints a curve of loads over the surface instead (de Goes and James 2018, Fig. 8).
#include "ui/editor/editor.h"

#include "ui/viewport/tool_icons.h"

// One more place of the curve, half a radius from the last at least (the caller sees to that).
static void AddToPath(qvuiTools* tools, qvVec3 place, qvVec3 rest)
{
    if (tools->pathCount == qvui_maxWavePath)
        return;
    tools->path[tools->pathCount] = place;
    tools->pathRest[tools->pathCount++] = rest;
}

static void Paint(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    qvHit hit = qvuiPick(editor, tools->mouse);
    if (hit.triangle < 0)
        return;
    if (qvDistance(hit.position, tools->path[tools->pathCount - 1]) >= 0.5 * qvuiTools_Radius(editor))
        AddToPath(tools, hit.position, qvuiRestPlace(editor, &hit));
}

static bool Begin(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    tools->arrow = qvMakeVec3(0.0, 0.0, 0.0);
    tools->pathCount = 0;
    if (tools->shift)
        AddToPath(tools, tools->hit.position, tools->hitRest);
    if (editor->session.playback.playing)
        qvuiSession_Play(&editor->session, false);
    return true;
}

static void Drag(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    if (tools->pathCount > 0)
    {
        Paint(editor);
        return;
    }
    tools->arrow = qvuiMouseMove(editor);
    if (tools->control)
        tools->arrow =
            qvScale(qvuiUnitsPerPixel(editor, tools->hit.position) * (double)(tools->start.y - tools->mouse.y),
                    tools->hitNormal);
}

static void Cancel(qvuiEditor* editor)
{
    editor->viewport.tools.arrow = qvMakeVec3(0.0, 0.0, 0.0);
    editor->viewport.tools.pathCount = 0;
}

static qvResult SetPath(qvuiEditor* editor, qvId event, qvError* error)
{
    const qvuiTools* tools = &editor->viewport.tools;
    qvJson* path = qvCreateJsonArray();
    for (int i = 0; i < tools->pathCount; i++)
    {
        qvJson* place = qvJson_AddArray(path, NULL);
        qvJson_AddNumber(place, NULL, tools->pathRest[i].x);
        qvJson_AddNumber(place, NULL, tools->pathRest[i].y);
        qvJson_AddNumber(place, NULL, tools->pathRest[i].z);
    }
    qvEdit edit = {
        .kind = qv_editSet, .object = { qv_objectEvent, event }, .field = "path", .value = qvJsonValue(path)
    };
    qvResult result = qvDocument_Apply(editor->session.document, &edit, NULL, error);
    qvDestroyJson(path);
    return result;
}

// A click alone is a poke into the body, a third of a radius deep.
static void End(qvuiEditor* editor)
{
    qvuiTools* tools = &editor->viewport.tools;
    qvuiSession* session = &editor->session;
    bool pushes = tools->moved && tools->pathCount == 0;
    qvVec3 drag = pushes ? tools->arrow : qvScale(-qvuiTools_Radius(editor) / 3.0, tools->hitNormal);
    qvAffine frame = qvuiKeyFrame(editor, 0, session->playback.time);
    qvSceneEvent event = qvDefaultSceneEvent();
    event.def.time = qvuiSession_SnapTime(session, session->playback.time);
    event.def.stroke = qvuiNewStroke(editor, "grab");
    event.def.stroke.mirror = 0;
    event.def.stroke.pins = event.def.stroke.ground = false;
    event.def.stroke.strength = 1.0;
    event.def.stroke.drag = qvScale(tools->strength, qvuiTurnBack(&frame, drag));
    qvError error;
    qvId added = 0;
    qvDocument_Begin(session->document, "Wave", 0);
    qvResult result = qvDocument_AddEvent(session->document, &event, &added, &error);
    if (result == qv_ok && tools->pathCount > 1)
        result = SetPath(editor, added, &error);
    if (result == qv_ok)
        qvDocument_End(session->document);
    else
        qvDocument_Abort(session->document);
    if (qvuiEditor_Did(editor, result, &error))
    {
        qvuiSession_SelectEvent(session, added);
        // At its own moment nothing has moved yet.
        if (!session->playback.playing)
            qvuiEditor_Notify(editor, false, "The wave starts at %.2f s; Space plays it.", event.def.time);
    }
    tools->hasFocus = true;
    tools->focus = tools->hit.position;
    Cancel(editor);
}

static void Draw(qvuiEditor* editor, ImDrawList* list)
{
    const qvuiTools* tools = &editor->viewport.tools;
    ImVec2 from, to;
    for (int i = 1; i < tools->pathCount; i++)
        if (qvuiProject(editor, tools->path[i - 1], &from) && qvuiProject(editor, tools->path[i], &to))
            ImDrawList_AddLine(list, from, to, QVUI_CORAL, 2.0f * editor->kit.style.scale);
    if (tools->pathCount > 0)
        return;
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
    .help = "Strikes the body at the playhead: click to poke, drag to strike that way, Shift-drag to paint a "
            "curve; a wave travels from there.",
    .hint = "LMB\tclick to poke, drag to strike that way|Shift\tpaint a curve|Ctrl\talong the normal|F\tradius|MMB / "
            "Alt\torbit",
    .during = "Let go\tto finish|Ctrl\talong the normal|Esc\tcancel",
    .color = QVUI_CORAL,
    .startsGroup = true,
    .hasBrush = true,
    .begin = Begin,
    .drag = Drag,
    .end = End,
    .cancel = Cancel,
    .draw = Draw,
};
